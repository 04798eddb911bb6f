#include "ui/shell/presenter.h"

#include "engine/core/i18n.h"
#include "engine/session/session-scenes.h"
#include "engine/session/session.h"
#include "engine/study/run/run.h"
#include "ui/widgets/short-label.h"
#include "ui/widgets/swatch.h"
#include "ui/widgets/template.h"
#include "ui/widgets/text.h"
#include "ui/widgets/theme.h"

#include <gtk/gtk.h>
#include <math.h>

/* All is this much larger than at a desk. */
#define MAGNIFICATION 1.4
#define KEYS_MS 1600

struct _GobanPresenter
{
  GObject parent;

  GobanSite site;
  GobanPictures *pictures;
  GobanFrame *frame;
  GobanSessionScenes *scenes; /* the session's */
  GtkWidget *strip;
  GtkWidget *caption;
  GtkWidget *keys;
  gboolean is_on;
  gboolean was_full;
  guint keys_id; /* hides the keys again */
};

GOBAN_DEFINE_PART (GobanPresenter, goban_presenter)

/* --- caption and keys ------------------------------------------------------------------------- */

static void
update_caption (GobanPresenter *self)
{
  const char *text = goban_session_scenes_get_text (self->scenes);

  goban_set_label_text (self->caption, text);
  gtk_widget_set_visible (self->caption, self->is_on && *text != '\0');
}

static gboolean
hide_keys_cb (gpointer user_data)
{
  GobanPresenter *self = user_data;

  self->keys_id = 0;
  gtk_widget_set_visible (self->keys, FALSE);
  return G_SOURCE_REMOVE;
}

static gboolean
is_modifier (guint keyval)
{
  return (keyval >= GDK_KEY_Shift_L && keyval <= GDK_KEY_Hyper_R)
         || (keyval >= GDK_KEY_ISO_Lock && keyval <= GDK_KEY_ISO_Last_Group_Lock);
}

static void
show_keys (GobanPresenter *self, guint keyval, GdkModifierType state)
{
  g_autofree char *label
      = gtk_accelerator_get_label (keyval, state & gtk_accelerator_get_default_mod_mask ());

  goban_set_label_text (self->keys, label);
  gtk_widget_set_visible (self->keys, TRUE);
  g_clear_handle_id (&self->keys_id, g_source_remove);
  self->keys_id = g_timeout_add (KEYS_MS, hide_keys_cb, self);
}

/* Typed text is visible where it appears. */
static gboolean
is_typing (GobanPresenter *self, GdkModifierType state)
{
  GtkWidget *focus = gtk_window_get_focus (GTK_WINDOW (self->site.window));

  return (GTK_IS_TEXT (focus) || GTK_IS_TEXT_VIEW (focus))
         && (state & (GDK_CONTROL_MASK | GDK_ALT_MASK)) == 0;
}

static gboolean
key_pressed_cb (GtkEventControllerKey *controller, guint keyval, guint keycode,
                GdkModifierType state, GobanPresenter *self)
{
  if (!self->is_on || is_modifier (keyval) || is_typing (self, state))
    return GDK_EVENT_PROPAGATE;

  show_keys (self, keyval, state);
  if ((state & gtk_accelerator_get_default_mod_mask ()) != 0)
    return GDK_EVENT_PROPAGATE;
  if (keyval != GDK_KEY_Page_Down && keyval != GDK_KEY_Page_Up)
    return GDK_EVENT_PROPAGATE;
  goban_site_activate (&self->site, keyval == GDK_KEY_Page_Down ? "scene-next" : "scene-previous",
                       NULL);
  return GDK_EVENT_STOP;
}

/* --- on and off ------------------------------------------------------------------------------- */

static void
set_scale (GobanPresenter *self, gboolean is_larger)
{
  GtkSettings *settings = gtk_widget_get_settings (GTK_WIDGET (self->site.window));
  int dpi = 0;

  gtk_settings_reset_property (settings, "gtk-xft-dpi");
  g_object_get (settings, "gtk-xft-dpi", &dpi, NULL);
  if (is_larger)
    g_object_set (settings, "gtk-xft-dpi",
                  (int) ((dpi > 0 ? dpi : 96 * PANGO_SCALE) * MAGNIFICATION), NULL);
}

static void
begin (GobanPresenter *self)
{
  self->is_on = TRUE;
  self->was_full = goban_site_get_toggle (&self->site, "fullscreen");
  goban_site_set_toggle (&self->site, "fullscreen", TRUE);
  goban_frame_set_bare (self->frame, TRUE);
  gtk_widget_set_visible (self->strip, TRUE);
  /* GTK hides it in full screen, which not every desktop grants. */
  gtk_widget_set_visible (gtk_window_get_titlebar (GTK_WINDOW (self->site.window)), FALSE);
  set_scale (self, TRUE);
  update_caption (self);
  goban_pictures_grab_focus (self->pictures);
}

static void
end (GobanPresenter *self)
{
  self->is_on = FALSE;
  set_scale (self, FALSE);
  goban_frame_set_bare (self->frame, FALSE);
  gtk_widget_set_visible (self->strip, FALSE);
  gtk_widget_set_visible (gtk_window_get_titlebar (GTK_WINDOW (self->site.window)), TRUE);
  goban_site_set_toggle (&self->site, "fullscreen", self->was_full);
  g_clear_handle_id (&self->keys_id, g_source_remove);
  gtk_widget_set_visible (self->keys, FALSE);
  update_caption (self);
  goban_pictures_grab_focus (self->pictures);
}

static void
presenter_changed (GobanPresenter *self, GVariant *state)
{
  gboolean is_on = g_variant_get_boolean (state);

  if (is_on && !self->is_on)
    begin (self);
  else if (!is_on && self->is_on)
    end (self);
}

/* The settings of the panes keep their values from before. */
static gboolean
close_cb (GobanPresenter *self)
{
  goban_site_set_toggle (&self->site, "presenter", FALSE);
  return FALSE;
}

static const GobanCommand commands[] = {
  { "presenter", G_CALLBACK (presenter_changed) },
};

static void
goban_presenter_clear (GobanPresenter *self)
{
  g_clear_handle_id (&self->keys_id, g_source_remove);
}

GobanPresenter *
goban_presenter_new (const GobanSite *site, GobanBody *body, const GobanPresenterParts *parts)
{
  GobanPresenter *self = g_object_new (GOBAN_TYPE_PRESENTER, NULL);

  self->site = *site;
  self->pictures = goban_body_get_parts (body)->pictures;
  self->frame = goban_body_get_parts (body)->frame;
  self->strip = parts->strip;
  self->caption = parts->caption;
  self->keys = parts->keys;
  self->scenes = goban_session_scenes_of (site->session);
  goban_watch_keys (GTK_WIDGET (site->window), GTK_PHASE_CAPTURE, G_CALLBACK (key_pressed_cb),
                    self);
  GOBAN_CONNECT (self->scenes, "changed", update_caption, self);
  GOBAN_CONNECT (site->window, "close-request", close_cb, self);
  goban_site_connect (site, commands, G_N_ELEMENTS (commands), self);
  return self;
}

/* More devices do not fit beside the plan. */
#define MOST_DEVICES 8
#define LONGEST_NAME 30 /* characters */
#define SWATCH_WIDTH 26
#define SWATCH_HEIGHT 17

struct _GobanPresenterStrip
{
  GtkWidget parent;

  GobanSession *session;
  GtkWidget *name;
  GtkWidget *figures;
  GtkWidget *devices; /* a box */
};

G_DEFINE_FINAL_TYPE (GobanPresenterStrip, goban_presenter_strip, GTK_TYPE_WIDGET)

/* "2.212 ms · 1.25× bound", in a narrow strip the makespan alone. */
static void
show_figures (GtkWidget *label, GobanRun *run)
{
  char time[GOBAN_QUANTITY_LEN] = "";
  double ratio = run != NULL ? goban_run_get_ratio (run) : (double) NAN;
  g_autofree char *text = NULL;

  if (run != NULL)
    goban_format_makespan (time, run);
  text = isfinite (ratio) ? g_strdup_printf (_ ("%s  ·  %.2f× bound"), time, ratio)
                          : g_strdup (time);
  goban_short_label_set_text (GOBAN_SHORT_LABEL (label), text);
  goban_short_label_set_brief (GOBAN_SHORT_LABEL (label), time);
}

/* A swatch and "gpu:0", in a narrow strip "0". */
static void
add_device (GobanPresenterStrip *self, guint device, const char *name)
{
  GtkWidget *entry = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *label = goban_short_label_new (GOBAN_KEEP_END, 0);
  const char *number = strrchr (name, ':');

  goban_short_label_set_max_chars (GOBAN_SHORT_LABEL (label), LONGEST_NAME);
  goban_short_label_set_text (GOBAN_SHORT_LABEL (label), name);
  if (number != NULL)
    goban_short_label_set_brief (GOBAN_SHORT_LABEL (label), number + 1);
  gtk_box_append (GTK_BOX (entry),
                  goban_swatch_new_for_device (goban_theme_of (GTK_WIDGET (self)), device,
                                               SWATCH_WIDTH, SWATCH_HEIGHT));
  gtk_box_append (GTK_BOX (entry), label);
  gtk_box_append (GTK_BOX (self->devices), entry);
}

/* Shows the whole plan, also while its decisions are stepped through. */
static void
update (GobanPresenterStrip *self)
{
  GobanRun *run = goban_session_get_current_run (self->session);
  GobanCluster *cluster = goban_session_get_cluster (self->session);
  guint n = MIN (goban_cluster_get_n_devices (cluster), MOST_DEVICES);

  if (!gtk_widget_get_visible (GTK_WIDGET (self)))
    return;
  goban_short_label_set_text (GOBAN_SHORT_LABEL (self->name),
                              run != NULL ? goban_run_get_name (run) : "");
  show_figures (self->figures, run);
  goban_remove_children (self->devices);
  for (guint i = 0; i < n; i++)
    add_device (self, i, goban_cluster_get_device (cluster, i)->name);
}

static void
goban_presenter_strip_dispose (GObject *object)
{
  GobanPresenterStrip *self = GOBAN_PRESENTER_STRIP (object);

  goban_remove_children (GTK_WIDGET (self));
  g_clear_object (&self->session);
  G_OBJECT_CLASS (goban_presenter_strip_parent_class)->dispose (object);
}

static void
goban_presenter_strip_class_init (GobanPresenterStripClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = goban_presenter_strip_dispose;
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BOX_LAYOUT);
  gtk_widget_class_set_css_name (widget_class, "presenterstrip");
}

static void
goban_presenter_strip_init (GobanPresenterStrip *self)
{
  GtkWidget *parts[3];

  parts[0] = self->name = goban_short_label_new (GOBAN_KEEP_START, 0);
  parts[1] = self->figures = goban_short_label_new (GOBAN_KEEP_START, 0);
  parts[2] = self->devices = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 14);
  goban_short_label_set_max_chars (GOBAN_SHORT_LABEL (self->name), LONGEST_NAME);
  goban_short_label_set_max_chars (GOBAN_SHORT_LABEL (self->figures), LONGEST_NAME);
  gtk_widget_add_css_class (self->name, "title");
  gtk_widget_add_css_class (self->figures, "numeric");
  gtk_widget_set_hexpand (self->figures, TRUE);
  gtk_box_layout_set_spacing (GTK_BOX_LAYOUT (gtk_widget_get_layout_manager (GTK_WIDGET (self))),
                              14);
  for (gsize i = 0; i < G_N_ELEMENTS (parts); i++)
    gtk_widget_set_parent (parts[i], GTK_WIDGET (self));
}

GtkWidget *
goban_presenter_strip_new (GobanSession *session)
{
  GobanPresenterStrip *self = g_object_new (GOBAN_TYPE_PRESENTER_STRIP, "visible", FALSE, NULL);

  self->session = g_object_ref (session);
  GOBAN_CONNECT (session, "notify::shown-run", update, self);
  GOBAN_CONNECT (session, "notify::cluster", update, self);
  g_signal_connect (self, "notify::visible", G_CALLBACK (update), NULL);
  goban_theme_follow (GTK_WIDGET (self), G_CALLBACK (update));
  return GTK_WIDGET (self);
}
