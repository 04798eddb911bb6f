#include "ui/training/film-view.h"

#include "engine/core/i18n.h"
#include "engine/core/quantity.h"
#include "ui/widgets/signals.h"
#include "ui/widgets/text.h"

#include <math.h>

struct _GobanFilmView
{
  GobanPicture parent;

  const GArray *pictures; /* (nullable) */
  gint selected;          /* -1: none */
};

G_DEFINE_FINAL_TYPE (GobanFilmView, goban_film_view, GOBAN_TYPE_PICTURE)

static GobanFilmStrip
make_strip (GobanFilmView *self)
{
  GobanPicture *picture = GOBAN_PICTURE (self);

  return (GobanFilmStrip){
    .pictures
    = self->pictures != NULL ? (const GobanFilmPicture *) (void *) self->pictures->data : NULL,
    .n_pictures = self->pictures != NULL ? self->pictures->len : 0,
    .selected = self->selected,
    .theme = goban_picture_get_theme (picture),
    .ui_scale = goban_picture_get_ui_scale (picture),
  };
}

/* Text for screen readers: "Film of 12 plans. Update 120: 12.3 ms". (transfer full) */
static char *
describe (GobanFilmView *self)
{
  GobanFilmStrip strip;
  gint i;
  char makespan[GOBAN_QUANTITY_LEN], update[GOBAN_QUANTITY_LEN], n[GOBAN_QUANTITY_LEN];

  strip = make_strip (self);
  i = self->selected >= 0 ? self->selected : goban_film_strip_find_best (&strip);
  if (i < 0 || !isfinite (strip.pictures[i].makespan_us))
    return g_strdup_printf (
        goban_i18n_get_plural ("Film of %s plan", "Film of %s plans", strip.n_pictures),
        goban_format_grouped (n, strip.n_pictures));
  return g_strdup_printf (goban_i18n_get_plural ("Film of %s plan. Update %s: %s",
                                                 "Film of %s plans. Update %s: %s",
                                                 strip.n_pictures),
                          goban_format_grouped (n, strip.n_pictures),
                          goban_format_grouped (update, strip.pictures[i].update),
                          goban_format_time (makespan, strip.pictures[i].makespan_us));
}

static void
update (GobanFilmView *self)
{
  g_autofree char *text = describe (self);

  goban_set_accessible_label (GTK_WIDGET (self), text);
  goban_picture_invalidate (GOBAN_PICTURE (self));
}

void
goban_film_view_set_pictures (GobanFilmView *self, const GArray *pictures)
{
  g_return_if_fail (GOBAN_IS_FILM_VIEW (self));

  self->pictures = pictures;
  if (pictures == NULL || self->selected >= (gint) pictures->len)
    self->selected = -1;
  update (self);
}

void
goban_film_view_play (GobanFilmView *self, guint i, gboolean is_kept)
{
  g_return_if_fail (GOBAN_IS_FILM_VIEW (self));

  if (self->pictures == NULL || i >= self->pictures->len)
    return;
  self->selected = (gint) i;
  update (self);
  g_signal_emit_by_name (self, "play", i, is_kept);
}

static void
play_at (GobanFilmView *self, GobanPoint at, gboolean is_kept)
{
  GobanFilmStrip strip = make_strip (self);
  gint i = goban_film_strip_find (&strip, goban_picture_get_width (GOBAN_PICTURE (self)), at.x);

  if (i >= 0 && (is_kept || i != self->selected))
    goban_film_view_play (self, (guint) i, is_kept);
}

/* --- input ------------------------------------------------------------------------------------ */

static void
goban_film_view_paint (GobanPicture *picture, GobanPen *pen)
{
  GobanFilmStrip strip = make_strip (GOBAN_FILM_VIEW (picture));

  goban_film_strip_paint (&strip, pen);
}

static void
goban_film_view_click (GobanPicture *picture, GobanPoint at, int n_press, GdkModifierType modifiers)
{
  if (n_press == 1)
    play_at (GOBAN_FILM_VIEW (picture), at, TRUE);
}

static gboolean
goban_film_view_drag_begin (GobanPicture *picture, GobanPoint from, GobanPoint at,
                            GdkModifierType modifiers)
{
  play_at (GOBAN_FILM_VIEW (picture), at, FALSE);
  return TRUE;
}

static void
goban_film_view_drag_update (GobanPicture *picture, GobanPoint at)
{
  play_at (GOBAN_FILM_VIEW (picture), at, FALSE);
}

/* The plan that the drag ends at stays shown; nothing is added to the list. */
static void
goban_film_view_drag_end (GobanPicture *picture, GobanPoint at, gboolean is_cancelled)
{
}

static gboolean
key_cb (GtkEventControllerKey *controller, guint keyval, guint keycode, GdkModifierType modifiers,
        GobanFilmView *self)
{
  gint n = self->pictures != NULL ? (gint) self->pictures->len : 0;

  if (n == 0 || (modifiers & (GDK_CONTROL_MASK | GDK_ALT_MASK | GDK_SHIFT_MASK)) != 0)
    return FALSE;
  if (keyval == GDK_KEY_Left)
    goban_film_view_play (self, (guint) MAX (self->selected - 1, 0), FALSE);
  else if (keyval == GDK_KEY_Right)
    goban_film_view_play (self, (guint) MIN (self->selected + 1, n - 1), FALSE);
  else if ((keyval == GDK_KEY_Return || keyval == GDK_KEY_KP_Enter) && self->selected >= 0)
    goban_film_view_play (self, (guint) self->selected, TRUE);
  else
    return FALSE;
  return TRUE;
}

/* --- construction and disposal ---------------------------------------------------------------- */

static void
goban_film_view_class_init (GobanFilmViewClass *klass)
{
  GobanPictureClass *picture_class = GOBAN_PICTURE_CLASS (klass);

  picture_class->paint = goban_film_view_paint;
  picture_class->click = goban_film_view_click;
  picture_class->drag_begin = goban_film_view_drag_begin;
  picture_class->drag_update = goban_film_view_drag_update;
  picture_class->drag_end = goban_film_view_drag_end;
  goban_signal_add (klass, "play", 2, G_TYPE_UINT, G_TYPE_BOOLEAN);
  gtk_widget_class_set_css_name (GTK_WIDGET_CLASS (klass), "filmview");
}

static void
goban_film_view_init (GobanFilmView *self)
{
  goban_watch_keys (GTK_WIDGET (self), GTK_PHASE_BUBBLE, G_CALLBACK (key_cb), self);
  self->selected = -1;
  update (self);
}
