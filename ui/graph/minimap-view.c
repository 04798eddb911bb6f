#include "ui/graph/minimap-view.h"

#include "engine/core/i18n.h"
#include "ui/widgets/signals.h"
#include "ui/widgets/text.h"

#include <math.h>

/* Design pixels; and at most this share of the view, so that it does not cover too much. */
#define MAX_WIDTH 220.0
#define MAX_HEIGHT 150.0
#define MAX_SHARE 0.3
#define EDGE 12
/* Pixels of the width of a board that the map does not cover too much of. */
#define LEAST_BOARD 560
#define ABOVE_ZOOM 52 /* over the controls of the zoom (graph-controls.h) */

struct _GobanMinimapView
{
  GtkWidget parent;

  GobanGraphView *graph_view; /* borrowed */
  gboolean is_wanted;
  GobanTheme painted_theme;
  gboolean is_stale; /* the map must be painted */
  GobanMinimap map;  /* device pixels */
  cairo_surface_t *surface;
  GobanTextCache *text;
  GobanPoint drag_start; /* device pixels of the map */
  guint update_id;       /* the shown part is checked soon, but not within a frame */
  guint n_paints;
};

G_DEFINE_FINAL_TYPE (GobanMinimapView, goban_minimap_view, GTK_TYPE_WIDGET)

/* --- content -------------------------------------------------------------------------------- */

static GobanBox
view_box (GobanMinimapView *self)
{
  return (GobanBox){ 0, 0, goban_picture_get_width (GOBAN_PICTURE (self->graph_view)),
                     goban_picture_get_height (GOBAN_PICTURE (self->graph_view)) };
}

static double
scale_of (GobanMinimapView *self)
{
  return gtk_widget_get_scale_factor (GTK_WIDGET (self));
}

static void
update_size (GobanMinimapView *self, GobanBox world)
{
  GobanBox view = view_box (self);
  double scale = scale_of (self);
  GobanMinimap map = goban_minimap_new (world, MIN (MAX_WIDTH * scale, view.x1 * MAX_SHARE),
                                        MIN (MAX_HEIGHT * scale, view.y1 * MAX_SHARE));

  if (map.width == self->map.width && map.height == self->map.height
      && map.camera.x == self->map.camera.x && map.camera.y == self->map.camera.y
      && map.camera.scale == self->map.camera.scale)
    return;

  self->map = map;
  self->is_stale = TRUE;
  gtk_widget_set_size_request (GTK_WIDGET (self), (int) ceil (map.width / scale),
                               (int) ceil (map.height / scale));
}

/* In the other corner, so that it does not cover the node that is decided. */
static void
update_corner (GobanMinimapView *self)
{
  GobanBox view = view_box (self);
  double x1 = view.x1 - EDGE * scale_of (self);
  double y1 = view.y1 - ABOVE_ZOOM * scale_of (self);
  GobanBox corner = { x1 - self->map.width, y1 - self->map.height, x1, y1 };
  GobanBox box;
  gboolean is_covered = goban_graph_view_find_followed (self->graph_view, &box)
                        && goban_box_intersects (box, corner);

  gtk_widget_set_halign (GTK_WIDGET (self), is_covered ? GTK_ALIGN_START : GTK_ALIGN_END);
}

/* Position of the view within the whole, in words. */
static void
describe_to_people (GobanMinimapView *self, GobanBox world, const GobanCamera *camera)
{
  GobanBox seen = goban_camera_box_to_world (camera, view_box (self));
  double width = MAX (world.x1 - world.x0, 1);
  double height = MAX (world.y1 - world.y0, 1);
  g_autofree char *words = g_strdup_printf (
      _ ("The view shows %.0f %% of the width, from %.0f %%, and %.0f %% of the height, from %.0f "
         "%%"),
      100 * CLAMP ((MIN (seen.x1, world.x1) - MAX (seen.x0, world.x0)) / width, 0, 1),
      100 * CLAMP ((seen.x0 - world.x0) / width, 0, 1),
      100 * CLAMP ((MIN (seen.y1, world.y1) - MAX (seen.y0, world.y0)) / height, 0, 1),
      100 * CLAMP ((seen.y0 - world.y0) / height, 0, 1));

  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, words,
                                  -1);
}

static gboolean
update_cb (gpointer user_data)
{
  GobanMinimapView *self = user_data;
  GobanBox view = view_box (self);
  GobanGraphPicture picture;
  gboolean is_shown;

  self->update_id = 0;
  is_shown = self->is_wanted && view.y1 > 0
             && gtk_widget_get_width (GTK_WIDGET (self->graph_view)) >= LEAST_BOARD
             && goban_graph_view_describe (self->graph_view, &picture)
             && picture.layout->n_nodes > 0
             && goban_minimap_is_needed (picture.layout->bounds, &picture.camera, view);
  if (is_shown)
    {
      update_size (self, picture.layout->bounds);
      update_corner (self);
      describe_to_people (self, picture.layout->bounds, &picture.camera);
    }
  gtk_widget_set_visible (GTK_WIDGET (self), is_shown);
  gtk_widget_queue_draw (GTK_WIDGET (self));
  return G_SOURCE_REMOVE;
}

/* Soon, for a camera moves while sizes are given out, when no widget may come or go; before the
 * frame that shows the move. */
static void
update_soon (GobanMinimapView *self)
{
  if (self->update_id == 0)
    self->update_id = g_idle_add_full (G_PRIORITY_HIGH_IDLE, update_cb, self, NULL);
}

static void
content_changed_cb (GobanMinimapView *self)
{
  self->is_stale = TRUE;
  update_soon (self);
}

/* --- painting ------------------------------------------------------------------------------- */

static void
paint_map (GobanMinimapView *self, const GobanGraphPicture *picture)
{
  g_autoptr (GobanPen) pen = NULL;

  g_clear_pointer (&self->surface, cairo_surface_destroy);
  self->surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, (int) ceil (self->map.width),
                                              (int) ceil (self->map.height));
  pen = goban_pen_new_for_image (self->surface, self->text);
  goban_minimap_paint (&self->map, picture, pen);
  cairo_surface_mark_dirty (self->surface);
  self->is_stale = FALSE;
  self->painted_theme = picture->style.theme;
  self->n_paints++;
}

static void
goban_minimap_view_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  GobanMinimapView *self = GOBAN_MINIMAP_VIEW (widget);
  float width = (float) gtk_widget_get_width (widget);
  float height = (float) gtk_widget_get_height (widget);
  double scale = scale_of (self);
  GobanGraphPicture picture;
  g_autoptr (GobanPen) pen = NULL;
  cairo_t *cr;

  if (!goban_graph_view_describe (self->graph_view, &picture) || self->map.width <= 0)
    return;
  if (self->is_stale || self->surface == NULL || self->painted_theme != picture.style.theme)
    paint_map (self, &picture);

  cr = gtk_snapshot_append_cairo (snapshot, &GRAPHENE_RECT_INIT (0, 0, width, height));
  cairo_scale (cr, 1 / scale, 1 / scale);
  cairo_set_source_surface (cr, self->surface, 0, 0);
  cairo_paint (cr);
  pen = goban_pen_new_for_cairo (cr, self->map.width, self->map.height, self->text);
  goban_minimap_paint_view (&self->map, &picture.camera, view_box (self), picture.style.theme, pen);
  cairo_destroy (cr);
}

/* --- pointer -------------------------------------------------------------------------------- */

/* @at in device pixels of the map. */
static void
look_at (GobanMinimapView *self, GobanPoint at)
{
  goban_graph_view_look_at (self->graph_view, goban_camera_to_world (&self->map.camera, at));
}

void
goban_minimap_view_press (GobanMinimapView *self, double x, double y)
{
  g_return_if_fail (GOBAN_IS_MINIMAP_VIEW (self));

  look_at (self, (GobanPoint){ x * scale_of (self), y * scale_of (self) });
}

static void
drag_begin_cb (GtkGestureDrag *gesture, double x, double y, gpointer user_data)
{
  GobanMinimapView *self = user_data;

  self->drag_start = (GobanPoint){ x, y };
  goban_minimap_view_press (self, x, y);
  gtk_gesture_set_state (GTK_GESTURE (gesture), GTK_EVENT_SEQUENCE_CLAIMED);
}

static void
drag_update_cb (GtkGestureDrag *gesture, double dx, double dy, gpointer user_data)
{
  GobanMinimapView *self = user_data;

  goban_minimap_view_press (self, self->drag_start.x + dx, self->drag_start.y + dy);
}

/* --- construction and disposal -------------------------------------------------------------- */

static void
goban_minimap_view_dispose (GObject *object)
{
  GobanMinimapView *self = GOBAN_MINIMAP_VIEW (object);

  g_clear_handle_id (&self->update_id, g_source_remove);
  g_clear_pointer (&self->surface, cairo_surface_destroy);

  G_OBJECT_CLASS (goban_minimap_view_parent_class)->dispose (object);
}

static void
goban_minimap_view_finalize (GObject *object)
{
  g_clear_pointer (&GOBAN_MINIMAP_VIEW (object)->text, goban_text_cache_free);

  G_OBJECT_CLASS (goban_minimap_view_parent_class)->finalize (object);
}

static void
goban_minimap_view_class_init (GobanMinimapViewClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = goban_minimap_view_dispose;
  G_OBJECT_CLASS (klass)->finalize = goban_minimap_view_finalize;
  widget_class->snapshot = goban_minimap_view_snapshot;
  gtk_widget_class_set_css_name (widget_class, "minimap");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
}

static void
goban_minimap_view_init (GobanMinimapView *self)
{
  GtkWidget *widget = GTK_WIDGET (self);
  GtkGesture *drag = gtk_gesture_drag_new ();

  self->is_wanted = TRUE;
  self->text = goban_text_cache_new ();
  gtk_widget_set_halign (widget, GTK_ALIGN_END);
  gtk_widget_set_valign (widget, GTK_ALIGN_END);
  gtk_widget_set_margin_start (widget, EDGE);
  gtk_widget_set_margin_end (widget, EDGE);
  gtk_widget_set_margin_bottom (widget, ABOVE_ZOOM);
  gtk_widget_set_overflow (widget, GTK_OVERFLOW_HIDDEN);
  gtk_widget_set_cursor_from_name (widget, "move");
  gtk_widget_set_visible (widget, FALSE);
  goban_set_accessible_label (widget, _ ("Map of the whole graph"));
  g_signal_connect (drag, "drag-begin", G_CALLBACK (drag_begin_cb), self);
  g_signal_connect (drag, "drag-update", G_CALLBACK (drag_update_cb), self);
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (drag));
}

GtkWidget *
goban_minimap_view_new (GobanGraphView *graph_view)
{
  GobanMinimapView *self = g_object_new (GOBAN_TYPE_MINIMAP_VIEW, NULL);

  self->graph_view = graph_view;
  GOBAN_CONNECT (graph_view, "camera-changed", update_soon, self);
  GOBAN_CONNECT (graph_view, "content-changed", content_changed_cb, self);
  content_changed_cb (self);
  return GTK_WIDGET (self);
}

void
goban_minimap_view_set_wanted (GobanMinimapView *self, gboolean wanted)
{
  g_return_if_fail (GOBAN_IS_MINIMAP_VIEW (self));

  self->is_wanted = wanted;
  update_soon (self);
}

guint
goban_minimap_view_get_n_paints (GobanMinimapView *self)
{
  g_return_val_if_fail (GOBAN_IS_MINIMAP_VIEW (self), 0);

  return self->n_paints;
}
