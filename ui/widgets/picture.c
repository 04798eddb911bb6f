#include "ui/widgets/picture.h"

#include "ui/widgets/actions.h"
#include "ui/widgets/signals.h"
#include "ui/widgets/theme.h"

#include <math.h>

/* Beyond this a press is a drag. */
#define CLICK_SLOP 4.0
#define PAN_STEP 0.1

typedef struct
{
  cairo_surface_t *surfaces[2];
  guint front; /* the surface that shows the base */
  gboolean is_stale;
  int width; /* device pixels of the surfaces */
  int height;
  GobanTheme theme;
  GobanTextCache *text;
  guint n_paints;

  /* the pointer */
  gboolean pointer_inside;
  GobanPoint pointer;
  GobanPoint drag_start;
  GobanPoint drag_done; /* how far the drag has panned */
  gboolean is_drag;     /* beyond the slop */
  gboolean is_rubber;   /* the drag draws a rectangle */
  gboolean is_taken;    /* the subclass has the drag */
  gboolean is_dead;     /* the drag was cancelled: nothing follows until the button is up */
  GobanBox rubber;
  gint64 last_click_us;
  GobanPoint last_click;
} GobanPicturePrivate;

G_DEFINE_ABSTRACT_TYPE_WITH_PRIVATE (GobanPicture, goban_picture, GTK_TYPE_WIDGET)

static GobanPicturePrivate *
priv (GobanPicture *self)
{
  return goban_picture_get_instance_private (self);
}

/* --- painting ---------------------------------------------------------------------------- */

static void
drop_surfaces (GobanPicturePrivate *p)
{
  for (int i = 0; i < 2; i++)
    g_clear_pointer (&p->surfaces[i], cairo_surface_destroy);
}

static void
paint_base (GobanPicture *self)
{
  GobanPicturePrivate *p = priv (self);
  guint back = 1 - p->front;
  g_autoptr (GobanPen) pen = NULL;

  if (p->surfaces[back] == NULL)
    p->surfaces[back] = cairo_image_surface_create (CAIRO_FORMAT_RGB24, p->width, p->height);

  pen = goban_pen_new_for_image (p->surfaces[back], p->text);
  GOBAN_PICTURE_GET_CLASS (self)->paint (self, pen);
  cairo_surface_mark_dirty (p->surfaces[back]);

  p->front = back;
  p->is_stale = FALSE;
  p->n_paints++;
  g_signal_emit_by_name (self, "painted");
}

static void
paint_rubber (GobanPicture *self, GobanPen *pen)
{
  GobanPicturePrivate *p = priv (self);
  GobanRgb rgb = goban_palette_get (p->theme)->selection;

  goban_pen_tint (pen, p->rubber, rgb, GOBAN_OPAQUE / 6);
  goban_pen_frame (pen, p->rubber, goban_picture_get_ui_scale (self), rgb);
}

static void
paint_overlay (GobanPicture *self, cairo_t *cr)
{
  GobanPicturePrivate *p = priv (self);
  g_autoptr (GobanPen) pen = goban_pen_new_for_cairo (cr, p->width, p->height, p->text);

  if (GOBAN_PICTURE_GET_CLASS (self)->paint_overlay != NULL)
    GOBAN_PICTURE_GET_CLASS (self)->paint_overlay (self, pen);
  if (p->is_rubber && p->is_drag)
    paint_rubber (self, pen);
  if (gtk_widget_has_visible_focus (GTK_WIDGET (self)))
    goban_pen_frame (pen, (GobanBox){ 0, 0, p->width, p->height },
                     goban_picture_get_ui_scale (self), goban_palette_get (p->theme)->selection);
}

static void
goban_picture_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  GobanPicture *self = GOBAN_PICTURE (widget);
  GobanPicturePrivate *p = priv (self);
  int scale = gtk_widget_get_scale_factor (widget);
  float width = (float) gtk_widget_get_width (widget);
  float height = (float) gtk_widget_get_height (widget);
  cairo_t *cr;

  if (p->width <= 0 || p->height <= 0)
    return;
  if (p->is_stale || p->surfaces[p->front] == NULL)
    paint_base (self);

  cr = gtk_snapshot_append_cairo (snapshot, &GRAPHENE_RECT_INIT (0, 0, width, height));
  cairo_scale (cr, 1.0 / scale, 1.0 / scale);
  cairo_set_source_surface (cr, p->surfaces[p->front], 0, 0);
  cairo_pattern_set_filter (cairo_get_source (cr), CAIRO_FILTER_NEAREST);
  cairo_set_operator (cr, CAIRO_OPERATOR_SOURCE);
  cairo_rectangle (cr, 0, 0, p->width, p->height);
  cairo_fill (cr);
  cairo_set_operator (cr, CAIRO_OPERATOR_OVER);
  paint_overlay (self, cr);
  cairo_destroy (cr);
}

void
goban_picture_invalidate (GobanPicture *self)
{
  g_return_if_fail (GOBAN_IS_PICTURE (self));

  priv (self)->is_stale = TRUE;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
goban_picture_invalidate_overlay (GobanPicture *self)
{
  g_return_if_fail (GOBAN_IS_PICTURE (self));

  gtk_widget_queue_draw (GTK_WIDGET (self));
}

/* --- size ---------------------------------------------------------------------------------- */

static void
adopt_size (GobanPicture *self)
{
  GobanPicturePrivate *p = priv (self);
  int scale = gtk_widget_get_scale_factor (GTK_WIDGET (self));
  int width = gtk_widget_get_width (GTK_WIDGET (self)) * scale;
  int height = gtk_widget_get_height (GTK_WIDGET (self)) * scale;
  int old_width = p->width;
  int old_height = p->height;

  if (width == old_width && height == old_height)
    return;

  p->width = width;
  p->height = height;
  drop_surfaces (p);
  p->is_stale = TRUE;
  if (GOBAN_PICTURE_GET_CLASS (self)->resized != NULL && width > 0 && height > 0)
    GOBAN_PICTURE_GET_CLASS (self)->resized (self, old_width, old_height);
}

static void
goban_picture_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  adopt_size (GOBAN_PICTURE (widget));
  /* A menu that is open has another size, too. */
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    if (GTK_IS_POPOVER (child) && gtk_widget_get_visible (child))
      gtk_popover_present (GTK_POPOVER (child));
}

static void
scale_changed_cb (GobanPicture *self)
{
  adopt_size (self);
  goban_picture_invalidate (self);
}

/* With another text scale there is room for less, as in a smaller picture. */
static void
appearance_cb (GobanPicture *self)
{
  GobanPicturePrivate *p = priv (self);

  if (GOBAN_PICTURE_GET_CLASS (self)->resized != NULL && p->width > 0 && p->height > 0)
    GOBAN_PICTURE_GET_CLASS (self)->resized (self, p->width, p->height);
  goban_picture_invalidate (self);
}

/* --- gestures ------------------------------------------------------------------------------ */

static GobanPoint
to_device (GobanPicture *self, double x, double y)
{
  double scale = gtk_widget_get_scale_factor (GTK_WIDGET (self));

  return (GobanPoint){ x * scale, y * scale };
}

/* @at: NULL if the pointer has left */
static void
hover (GobanPicture *self, const GobanPoint *at)
{
  GobanPictureClass *klass = GOBAN_PICTURE_GET_CLASS (self);

  if (klass->hover != NULL)
    klass->hover (self, at);
}

static void
motion_cb (GtkEventControllerMotion *controller, double x, double y, gpointer user_data)
{
  GobanPicture *self = user_data;
  GobanPicturePrivate *p = priv (self);

  p->pointer_inside = TRUE;
  p->pointer = to_device (self, x, y);
  if (!p->is_drag)
    hover (self, &p->pointer);
}

static void
leave_cb (GtkEventControllerMotion *controller, gpointer user_data)
{
  GobanPicture *self = user_data;

  priv (self)->pointer_inside = FALSE;
  hover (self, NULL);
}

static gboolean
scroll_cb (GtkEventControllerScroll *controller, double dx, double dy, gpointer user_data)
{
  GobanPicture *self = user_data;
  GdkModifierType modifiers
      = gtk_event_controller_get_current_event_state (GTK_EVENT_CONTROLLER (controller));
  double step = 60 * goban_picture_get_ui_scale (self);

  /* Under X11 a burst of old scroll events may come as one. */
  dx = CLAMP (dx, -3.0, 3.0);
  dy = CLAMP (dy, -3.0, 3.0);

  if ((modifiers & GDK_SHIFT_MASK) != 0)
    GOBAN_PICTURE_GET_CLASS (self)->pan (self, -(dx + dy) * step, 0);
  else if (dx != 0)
    GOBAN_PICTURE_GET_CLASS (self)->pan (self, -dx * step, 0);
  else if (GOBAN_PICTURE_GET_CLASS (self)->scroll != NULL)
    GOBAN_PICTURE_GET_CLASS (self)->scroll (self, dy, priv (self)->pointer);
  else
    goban_picture_zoom (self, pow (GOBAN_SCROLL_ZOOM, -dy));
  return TRUE;
}

static void
drag_begin_cb (GtkGestureDrag *gesture, double x, double y, gpointer user_data)
{
  GobanPicture *self = user_data;
  GobanPicturePrivate *p = priv (self);
  GdkModifierType modifiers
      = gtk_event_controller_get_current_event_state (GTK_EVENT_CONTROLLER (gesture));

  gtk_widget_grab_focus (GTK_WIDGET (self));
  p->drag_start = to_device (self, x, y);
  p->drag_done = (GobanPoint){ 0, 0 };
  p->is_drag = FALSE;
  p->is_taken = FALSE;
  p->is_dead = FALSE;
  p->is_rubber = (modifiers & (GDK_SHIFT_MASK | GDK_CONTROL_MASK)) != 0
                 && GOBAN_PICTURE_GET_CLASS (self)->pick_box != NULL;
}

static void
begin_drag (GobanPicture *self, GtkGestureDrag *gesture, GobanPoint at)
{
  GobanPicturePrivate *p = priv (self);
  GobanPictureClass *klass = GOBAN_PICTURE_GET_CLASS (self);
  GdkModifierType modifiers
      = gtk_event_controller_get_current_event_state (GTK_EVENT_CONTROLLER (gesture));
  guint button = gtk_gesture_single_get_current_button (GTK_GESTURE_SINGLE (gesture));

  p->is_drag = TRUE;
  p->is_taken = button == GDK_BUTTON_PRIMARY && klass->drag_begin != NULL
                && klass->drag_begin (self, p->drag_start, at, modifiers);
  if (!p->is_taken)
    gtk_widget_set_cursor_from_name (GTK_WIDGET (self), p->is_rubber ? "crosshair" : "grabbing");
}

/* The drag is cancelled; the button may still be down. */
static void
cancel_drag (GobanPicture *self)
{
  GobanPicturePrivate *p = priv (self);

  if (p->is_taken && !p->is_dead)
    GOBAN_PICTURE_GET_CLASS (self)->drag_end (self, p->pointer, TRUE);
  p->is_dead = p->is_drag;
  p->is_rubber = FALSE;
  gtk_widget_set_cursor (GTK_WIDGET (self), NULL);
  goban_picture_invalidate_overlay (self);
}

static gboolean
key_cb (GtkEventControllerKey *controller, guint keyval, guint keycode, GdkModifierType modifiers,
        gpointer user_data)
{
  GobanPicture *self = user_data;
  GobanPicturePrivate *p = priv (self);

  if (!p->is_drag || p->is_dead)
    return GDK_EVENT_PROPAGATE;
  if (p->is_taken && GOBAN_PICTURE_GET_CLASS (self)->drag_key != NULL
      && GOBAN_PICTURE_GET_CLASS (self)->drag_key (self, keyval))
    {
      p->is_dead = TRUE;
      gtk_widget_set_cursor (GTK_WIDGET (self), NULL);
      return GDK_EVENT_STOP;
    }
  if (keyval != GDK_KEY_Escape)
    return GDK_EVENT_PROPAGATE;

  cancel_drag (self);
  return GDK_EVENT_STOP;
}

static void
drag_cancel_cb (GtkGesture *gesture, GdkEventSequence *sequence, gpointer user_data)
{
  cancel_drag (user_data);
}

static void
drag_update_cb (GtkGestureDrag *gesture, double x, double y, gpointer user_data)
{
  GobanPicture *self = user_data;
  GobanPicturePrivate *p = priv (self);
  GobanPoint moved = to_device (self, x, y);
  GobanPoint end = { p->drag_start.x + moved.x, p->drag_start.y + moved.y };

  if (!p->is_drag && hypot (x, y) < CLICK_SLOP)
    return;

  if (!p->is_drag)
    begin_drag (self, gesture, end);
  if (p->is_dead)
    return;
  if (p->is_taken)
    {
      p->pointer = end;
      GOBAN_PICTURE_GET_CLASS (self)->drag_update (self, end);
      return;
    }
  if (p->is_rubber)
    {
      p->rubber = (GobanBox){ fmin (p->drag_start.x, end.x), fmin (p->drag_start.y, end.y),
                              fmax (p->drag_start.x, end.x), fmax (p->drag_start.y, end.y) };
      goban_picture_invalidate_overlay (self);
      return;
    }

  GOBAN_PICTURE_GET_CLASS (self)->pan (self, moved.x - p->drag_done.x, moved.y - p->drag_done.y);
  p->drag_done = moved;
}

/* Two presses close in time and place are a double click. */
static int
count_presses (GobanPicture *self, GobanPoint at)
{
  GobanPicturePrivate *p = priv (self);
  gint64 now_us = g_get_monotonic_time ();
  gboolean is_second;
  int double_click_ms;

  g_object_get (gtk_widget_get_settings (GTK_WIDGET (self)), "gtk-double-click-time",
                &double_click_ms, NULL);
  is_second = now_us - p->last_click_us < (gint64) double_click_ms * 1000
              && hypot (at.x - p->last_click.x, at.y - p->last_click.y)
                     < 2 * CLICK_SLOP * goban_picture_get_ui_scale (self);
  p->last_click = at;
  p->last_click_us = is_second ? 0 : now_us;
  return is_second ? 2 : 1;
}

static void
drag_end_cb (GtkGestureDrag *gesture, double x, double y, gpointer user_data)
{
  GobanPicture *self = user_data;
  GobanPicturePrivate *p = priv (self);
  GdkModifierType modifiers
      = gtk_event_controller_get_current_event_state (GTK_EVENT_CONTROLLER (gesture));
  guint button = gtk_gesture_single_get_current_button (GTK_GESTURE_SINGLE (gesture));
  GobanPictureClass *klass = GOBAN_PICTURE_GET_CLASS (self);
  GobanPoint moved = to_device (self, x, y);
  GobanPoint end = { p->drag_start.x + moved.x, p->drag_start.y + moved.y };
  gboolean was_drag = p->is_drag;

  gtk_widget_set_cursor (GTK_WIDGET (self), NULL);
  p->is_drag = FALSE;
  if (p->is_dead)
    p->is_dead = FALSE;
  else if (was_drag && p->is_taken)
    klass->drag_end (self, end, FALSE);
  else if (was_drag && p->is_rubber)
    klass->pick_box (self, p->rubber, modifiers);
  else if (!was_drag && button == GDK_BUTTON_PRIMARY)
    goban_picture_click (self, p->drag_start, count_presses (self, p->drag_start), modifiers);
  else if (!was_drag && button == GDK_BUTTON_SECONDARY && klass->menu != NULL)
    klass->menu (self, p->drag_start);
  p->is_taken = FALSE;
  p->is_rubber = FALSE;
  goban_picture_invalidate_overlay (self);
}

static void
focus_cb (GobanPicture *self)
{
  goban_picture_invalidate_overlay (self);
}

static void
add_gestures (GobanPicture *self)
{
  GtkEventController *motion = gtk_event_controller_motion_new ();
  GtkEventController *scroll
      = gtk_event_controller_scroll_new (GTK_EVENT_CONTROLLER_SCROLL_BOTH_AXES);
  GtkEventController *key = gtk_event_controller_key_new ();
  GtkGesture *drag = gtk_gesture_drag_new ();

  g_signal_connect (motion, "motion", G_CALLBACK (motion_cb), self);
  g_signal_connect (motion, "leave", G_CALLBACK (leave_cb), self);
  g_signal_connect (scroll, "scroll", G_CALLBACK (scroll_cb), self);
  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (drag), 0);
  g_signal_connect (drag, "drag-begin", G_CALLBACK (drag_begin_cb), self);
  g_signal_connect (drag, "drag-update", G_CALLBACK (drag_update_cb), self);
  g_signal_connect (drag, "drag-end", G_CALLBACK (drag_end_cb), self);
  g_signal_connect (drag, "cancel", G_CALLBACK (drag_cancel_cb), self);
  g_signal_connect (key, "key-pressed", G_CALLBACK (key_cb), self);
  gtk_event_controller_set_propagation_phase (key, GTK_PHASE_CAPTURE);
  gtk_widget_add_controller (GTK_WIDGET (self), key);
  gtk_widget_add_controller (GTK_WIDGET (self), motion);
  gtk_widget_add_controller (GTK_WIDGET (self), scroll);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (drag));
  goban_actions_add_keys (GTK_WIDGET (self));
}

static void
goban_picture_finalize (GObject *object)
{
  GobanPicturePrivate *p = priv (GOBAN_PICTURE (object));

  drop_surfaces (p);
  g_clear_pointer (&p->text, goban_text_cache_free);

  G_OBJECT_CLASS (goban_picture_parent_class)->finalize (object);
}

static void
stay (GobanPicture *self, double dx, double dy)
{
}

static void
keep_size (GobanPicture *self, double factor, GobanPoint at)
{
}

static void
goban_picture_class_init (GobanPictureClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = goban_picture_finalize;
  klass->pan = stay;
  klass->zoom = keep_size;
  widget_class->snapshot = goban_picture_snapshot;
  widget_class->size_allocate = goban_picture_size_allocate;
  gtk_widget_class_set_css_name (widget_class, "picture");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);

  goban_signal_add (klass, "hint", 1, G_TYPE_STRING);
  goban_signal_add (klass, "painted", 0);
}

static void
goban_picture_init (GobanPicture *self)
{
  GobanPicturePrivate *p = priv (self);

  p->text = goban_text_cache_new ();
  p->is_stale = TRUE;
  gtk_widget_set_focusable (GTK_WIDGET (self), TRUE);
  gtk_widget_set_overflow (GTK_WIDGET (self), GTK_OVERFLOW_HIDDEN);
  g_signal_connect (self, "notify::scale-factor", G_CALLBACK (scale_changed_cb), NULL);
  g_signal_connect (self, "notify::has-focus", G_CALLBACK (focus_cb), NULL);
  goban_theme_connect (GTK_WIDGET (self), self, G_CALLBACK (appearance_cb));
  add_gestures (self);
}

double
goban_picture_get_width (GobanPicture *self)
{
  return priv (self)->width;
}

double
goban_picture_get_height (GobanPicture *self)
{
  return priv (self)->height;
}

gboolean
goban_picture_get_pointer (GobanPicture *self, GobanPoint *at)
{
  g_return_val_if_fail (GOBAN_IS_PICTURE (self), FALSE);

  *at = priv (self)->pointer;
  return priv (self)->pointer_inside;
}

double
goban_picture_get_ui_scale (GobanPicture *self)
{
  return gtk_widget_get_scale_factor (GTK_WIDGET (self)) * goban_text_scale_of (GTK_WIDGET (self));
}

GobanTheme
goban_picture_get_theme (GobanPicture *self)
{
  return priv (self)->theme;
}

void
goban_picture_set_theme (GobanPicture *self, GobanTheme theme)
{
  priv (self)->theme = theme;
  goban_picture_invalidate (self);
}

gboolean
goban_picture_is_animated (GobanPicture *self)
{
  gboolean is_animated;

  g_return_val_if_fail (GOBAN_IS_PICTURE (self), FALSE);

  g_object_get (gtk_widget_get_settings (GTK_WIDGET (self)), "gtk-enable-animations", &is_animated,
                NULL);
  return is_animated && gtk_widget_get_mapped (GTK_WIDGET (self));
}

guint
goban_picture_get_n_paints (GobanPicture *self)
{
  return priv (self)->n_paints;
}

void
goban_picture_zoom (GobanPicture *self, double factor)
{
  GobanPicturePrivate *p;
  GobanPoint at;

  g_return_if_fail (GOBAN_IS_PICTURE (self));

  p = priv (self);
  at = p->pointer_inside ? p->pointer : (GobanPoint){ p->width / 2.0, p->height / 2.0 };
  GOBAN_PICTURE_GET_CLASS (self)->zoom (self, factor, at);
}

void
goban_picture_pan (GobanPicture *self, int x, int y)
{
  GobanPicturePrivate *p;

  g_return_if_fail (GOBAN_IS_PICTURE (self));

  p = priv (self);
  GOBAN_PICTURE_GET_CLASS (self)->pan (self, x * PAN_STEP * p->width, y * PAN_STEP * p->height);
}

gboolean
goban_picture_locate (GobanPicture *self, const char *name, graphene_rect_t *place)
{
  GobanPictureClass *klass = GOBAN_PICTURE_GET_CLASS (self);
  float scale = (float) gtk_widget_get_scale_factor (GTK_WIDGET (self));
  graphene_rect_t all = GRAPHENE_RECT_INIT (0, 0, (float) gtk_widget_get_width (GTK_WIDGET (self)),
                                            (float) gtk_widget_get_height (GTK_WIDGET (self)));
  GobanBox box;

  if (klass->locate == NULL || !klass->locate (self, name, &box))
    return FALSE;
  graphene_rect_init (place, (float) box.x0 / scale, (float) box.y0 / scale,
                      (float) (box.x1 - box.x0) / scale, (float) (box.y1 - box.y0) / scale);
  return graphene_rect_intersection (place, &all, place);
}

void
goban_picture_hint (GobanPicture *self, const char *text)
{
  g_signal_emit_by_name (self, "hint", text);
}

void
goban_picture_click (GobanPicture *self, GobanPoint at, int n_press, GdkModifierType modifiers)
{
  g_return_if_fail (GOBAN_IS_PICTURE (self));

  GOBAN_PICTURE_GET_CLASS (self)->click (self, at, n_press, modifiers);
}
