#include "ui/timeline/timeline-view-private.h"

#include "engine/core/error.h"
#include "engine/core/i18n.h"
#include "engine/session/session-runs.h"
#include "engine/study/report/report.h"
#include "ui/draw/export/picture.h"
#include "ui/widgets/signals.h"
#include "ui/widgets/text.h"

#include <math.h>

/* How far a notch of the wheel moves the lanes. */
#define SCROLL_STEP 48.0

G_DEFINE_FINAL_TYPE (GobanTimelineView, goban_timeline_view, GOBAN_TYPE_PICTURE)

static GobanPicture *
picture (GobanTimelineView *self)
{
  return GOBAN_PICTURE (self);
}

static double
lanes_width (GobanTimelineView *self)
{
  GobanTimelineStyle style = { .ui_scale = goban_picture_get_ui_scale (picture (self)) };

  return goban_timeline_lanes_width (&style, goban_picture_get_width (picture (self)));
}

/* The scene must be there. */
static double
end_of_all (GobanTimelineView *self)
{
  return fmax (self->scenes.scene->end_us,
               self->scenes.ghost != NULL ? self->scenes.ghost->end_us : 0);
}

static void
clamp_camera (GobanTimelineView *self)
{
  double ui = goban_picture_get_ui_scale (picture (self));

  goban_time_camera_clamp (&self->camera, end_of_all (self), lanes_width (self),
                           self->scenes.scene->height * ui,
                           goban_picture_get_height (picture (self)) - GOBAN_TIMELINE_AXIS * ui);
}

/* The scene must be there. */
static void
set_times (GobanTimelineView *self, double from_us, double to_us)
{
  double scroll_y = self->camera.scroll_y;

  self->camera = goban_time_camera_fit (from_us, to_us, fmax (lanes_width (self), 1));
  self->camera.scroll_y = scroll_y;
  clamp_camera (self);
}

GobanTrace *
goban_timeline_view_get_trace (GobanTimelineView *self)
{
  return goban_run_get_trace (self->scenes.run);
}

static GobanFill
shown_fill (GobanTimelineView *self)
{
  return goban_fill_of_color (goban_view_get_color (goban_session_get_view (self->session)));
}

void
goban_timeline_view_scene_changed (GobanTimelineView *self)
{
  if (self->is_fitted)
    set_times (self, 0, end_of_all (self));
  else
    clamp_camera (self);
}

GobanTimelinePicture
goban_timeline_view_describe (GobanTimelineView *self)
{
  GobanTimelineScene *scene = goban_timeline_view_get_scene (self);
  gboolean is_preview = self->preview.scene != NULL;

  return (GobanTimelinePicture){
    .scene = is_preview ? self->preview.scene : scene,
    .ghost = is_preview ? scene : self->scenes.ghost,
    .camera = self->camera,
    .style = {
      .theme = goban_picture_get_theme (picture (self)),
      .fill = shown_fill (self),
      .show_critical = self->show_critical,
      .has_folds = TRUE,
      .ui_scale = goban_picture_get_ui_scale (picture (self)),
    },
  };
}

/* --- camera ------------------------------------------------------------------------------- */

static void
camera_moved (GobanTimelineView *self)
{
  if (goban_timeline_view_get_scene (self) != NULL)
    clamp_camera (self);
  if (self->camera.scroll_y != self->headings.scroll_y)
    gtk_widget_queue_allocate (GTK_WIDGET (self));
  goban_picture_invalidate (picture (self));
}

static void
show_times (GobanTimelineView *self, double from_us, double to_us)
{
  set_times (self, from_us, to_us);
  goban_picture_invalidate (picture (self));
}

void
goban_timeline_view_fit (GobanTimelineView *self)
{
  g_return_if_fail (GOBAN_IS_TIMELINE_VIEW (self));

  self->is_fitted = TRUE;
  if (goban_timeline_view_get_scene (self) != NULL && goban_picture_get_width (picture (self)) > 0)
    show_times (self, 0, end_of_all (self));
}

/* From the first start to the last end of the selection; FALSE if that is nothing. */
static gboolean
get_selected_times (GobanTimelineView *self, double *from_us, double *to_us)
{
  const GobanOpSpan *spans = self->scenes.run != NULL
                                 ? goban_trace_get_ops (goban_timeline_view_get_trace (self))
                                 : NULL;
  guint n;
  const GobanNodeId *ids
      = goban_selection_get_ids (goban_session_get_selection (self->session), &n);

  if (spans == NULL || n == 0)
    return FALSE;

  *from_us = spans[ids[0]].start_us;
  *to_us = spans[ids[0]].finish_us;
  for (guint i = 1; i < n; i++)
    {
      *from_us = fmin (*from_us, spans[ids[i]].start_us);
      *to_us = fmax (*to_us, spans[ids[i]].finish_us);
    }
  return TRUE;
}

void
goban_timeline_view_show_selection (GobanTimelineView *self)
{
  double from_us, to_us, around_us;

  g_return_if_fail (GOBAN_IS_TIMELINE_VIEW (self));

  if (goban_timeline_view_get_scene (self) == NULL || !get_selected_times (self, &from_us, &to_us))
    {
      goban_timeline_view_fit (self);
      return;
    }

  /* With a margin before and after, or a single op would fill the pane. */
  around_us = fmax (1.5 * (to_us - from_us), goban_timeline_view_get_scene (self)->end_us / 1000);
  self->is_fitted = FALSE;
  show_times (self, from_us - around_us, to_us + around_us);
}

static void
centre (GobanTimelineView *self, double time_us)
{
  self->is_fitted = FALSE;
  goban_time_camera_pan (
      &self->camera, lanes_width (self) / 2 - goban_time_camera_to_x (&self->camera, time_us), 0);
  camera_moved (self);
}

gboolean
goban_timeline_view_centre_selection (GobanTimelineView *self)
{
  double from_us, to_us, before_us;

  g_return_val_if_fail (GOBAN_IS_TIMELINE_VIEW (self), FALSE);

  if (goban_timeline_view_get_scene (self) == NULL || !get_selected_times (self, &from_us, &to_us))
    return FALSE;

  before_us = self->camera.start_us;
  centre (self, (from_us + to_us) / 2);
  return fabs (self->camera.start_us - before_us) >= self->camera.us_per_px;
}

void
goban_timeline_view_reveal (GobanTimelineView *self, double from_us, double to_us)
{
  double width = lanes_width (self);
  double x;

  if (goban_timeline_view_get_scene (self) == NULL || width <= 0)
    return;

  x = goban_time_camera_to_x (&self->camera, (from_us + to_us) / 2);
  if (x < 0 || x >= width)
    centre (self, (from_us + to_us) / 2);
}

/* Brings a selection made elsewhere into sight, without changing the zoom. */
static void
reveal_selection (GobanTimelineView *self)
{
  double from_us, to_us;

  if (goban_timeline_view_get_scene (self) != NULL && get_selected_times (self, &from_us, &to_us))
    goban_timeline_view_reveal (self, from_us, to_us);
}

static void
goban_timeline_view_pan (GobanPicture *base, double dx, double dy)
{
  GobanTimelineView *self = GOBAN_TIMELINE_VIEW (base);

  if (dx != 0)
    self->is_fitted = FALSE;
  goban_time_camera_pan (&self->camera, dx, dy);
  camera_moved (self);
}

static void
goban_timeline_view_zoom (GobanPicture *base, double factor, GobanPoint at)
{
  GobanTimelineView *self = GOBAN_TIMELINE_VIEW (base);
  double header = GOBAN_TIMELINE_HEADER * goban_picture_get_ui_scale (base);

  self->is_fitted = FALSE;
  goban_time_camera_zoom (&self->camera, factor, fmax (at.x - header, 0));
  camera_moved (self);
}

static void
goban_timeline_view_resized (GobanPicture *base, double old_width, double old_height)
{
  GobanTimelineView *self = GOBAN_TIMELINE_VIEW (base);

  goban_timeline_view_arrange (self);
  if (self->is_fitted)
    goban_timeline_view_fit (self);
  else
    camera_moved (self);
}

static void
goban_timeline_view_scroll (GobanPicture *base, double steps, GobanPoint at)
{
  double ui = goban_picture_get_ui_scale (base);

  /* Lanes are scrolled over their names; beside them the wheel zooms time. */
  if (at.x < GOBAN_TIMELINE_HEADER * ui)
    goban_timeline_view_pan (base, 0, -steps * SCROLL_STEP * ui);
  else
    goban_picture_zoom (base, pow (GOBAN_SCROLL_ZOOM, -steps));
}

GdkRectangle
goban_timeline_view_to_widget (GobanTimelineView *self, GobanBox box)
{
  int scale = gtk_widget_get_scale_factor (GTK_WIDGET (self));

  return (GdkRectangle){ (int) (box.x0 / scale), (int) (box.y0 / scale),
                         MAX ((int) ((box.x1 - box.x0) / scale), 1),
                         MAX ((int) ((box.y1 - box.y0) / scale), 1) };
}

/* --- following the session ------------------------------------------------------------------ */

static void
run_changed_cb (GobanTimelineView *self)
{
  GobanRun *run = goban_session_get_shown_run (self->session);
  GobanRun *current = goban_session_get_current_run (self->session);

  goban_timeline_view_run_changed (self);
  goban_set_accessible_label (GTK_WIDGET (self),
                              run != NULL ? _ ("Timeline") : _ ("Timeline: no plan"));

  /* Runs of one graph share a time scale only on request; the result of an edit keeps the place of
   * the edit, and steps and the way back from them keep the visible span. */
  if (run == NULL
      || (goban_session_get_ghost (self->session) == NULL && run == current
          && run != self->current))
    self->is_fitted = TRUE;
  goban_run_set (&self->current, current);
}

static void
selection_changed_cb (GobanTimelineView *self)
{
  g_clear_pointer (&self->arrows, g_array_unref);
  reveal_selection (self);
  goban_picture_invalidate_overlay (picture (self));
}

static void
time_changed_cb (GobanTimelineView *self)
{
  goban_picture_invalidate_overlay (picture (self));
}

/* --- construction and disposal ---------------------------------------------------------------- */

static void
goban_timeline_view_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  GobanTimelineView *self = GOBAN_TIMELINE_VIEW (widget);
  GtkWidget *const menus[]
      = { self->why.popover, self->menus.of_lane, self->menus.of_axis, self->menus.mark_entry };
  GtkRequisition size;

  GTK_WIDGET_CLASS (goban_timeline_view_parent_class)
      ->size_allocate (widget, width, height, baseline);
  if (gtk_widget_should_layout (self->area.panel))
    {
      GskTransform *to;

      gtk_widget_get_preferred_size (self->area.panel, NULL, &size);
      size.width = MIN (size.width, width);
      size.height = MIN (size.height, MAX (height - (int) GOBAN_TIMELINE_AXIS - 16, 1));
      to = gsk_transform_translate (NULL,
                                    &GRAPHENE_POINT_INIT ((float) MAX (width - size.width - 12, 0),
                                                          (float) GOBAN_TIMELINE_AXIS + 8));
      gtk_widget_allocate (self->area.panel, size.width, size.height, -1, to);
    }
  goban_timeline_view_allocate_headings (self);
  for (gsize i = 0; i < G_N_ELEMENTS (menus); i++)
    if (menus[i] != NULL)
      gtk_popover_present (GTK_POPOVER (menus[i]));
}

static void
goban_timeline_view_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  GobanTimelineView *self = GOBAN_TIMELINE_VIEW (widget);

  GTK_WIDGET_CLASS (goban_timeline_view_parent_class)->snapshot (widget, snapshot);
  for (guint i = 0; i < MIN (self->headings.buttons->len, self->headings.n_allocated); i++)
    gtk_widget_snapshot_child (widget, g_ptr_array_index (self->headings.buttons, i), snapshot);
  gtk_widget_snapshot_child (widget, self->area.panel, snapshot);
}

static void
goban_timeline_view_dispose (GObject *object)
{
  GobanTimelineView *self = GOBAN_TIMELINE_VIEW (object);

  goban_timeline_view_end_playback (self);
  goban_timeline_view_forget_drag (self);
  g_clear_pointer (&self->why.causes, goban_causes_free);
  g_clear_pointer (&self->why.chain, g_array_unref);
  g_clear_pointer (&self->why.popover, gtk_widget_unparent);
  g_clear_pointer (&self->menus.of_lane, gtk_widget_unparent);
  g_clear_pointer (&self->menus.of_axis, gtk_widget_unparent);
  g_clear_pointer (&self->menus.mark_entry, gtk_widget_unparent);
  g_clear_pointer (&self->headings.buttons, g_ptr_array_unref);
  g_clear_pointer (&self->area.lanes, g_free);
  g_clear_pointer (&self->area.panel, gtk_widget_unparent);
  goban_timeline_view_end_scenes (self);
  g_clear_pointer (&self->matches, goban_selection_unref);
  g_clear_pointer (&self->current, goban_run_unref);
  g_clear_object (&self->session);

  G_OBJECT_CLASS (goban_timeline_view_parent_class)->dispose (object);
}

static void
goban_timeline_view_class_init (GobanTimelineViewClass *klass)
{
  GobanPictureClass *picture_class = GOBAN_PICTURE_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = goban_timeline_view_dispose;
  GTK_WIDGET_CLASS (klass)->size_allocate = goban_timeline_view_size_allocate;
  GTK_WIDGET_CLASS (klass)->snapshot = goban_timeline_view_snapshot;
  picture_class->paint = goban_timeline_view_paint;
  picture_class->paint_overlay = goban_timeline_view_paint_overlay;
  picture_class->pan = goban_timeline_view_pan;
  picture_class->zoom = goban_timeline_view_zoom;
  picture_class->scroll = goban_timeline_view_scroll;
  picture_class->click = goban_timeline_view_click;
  picture_class->pick_box = goban_timeline_view_pick_box;
  picture_class->drag_begin = goban_timeline_view_drag_begin;
  picture_class->drag_update = goban_timeline_view_drag_update;
  picture_class->drag_end = goban_timeline_view_drag_end;
  picture_class->menu = goban_timeline_view_menu;
  picture_class->hover = goban_timeline_view_hover;
  picture_class->resized = goban_timeline_view_resized;
  goban_signal_add (klass, "playback-changed", 0);
  goban_signal_add (klass, "heights-changed", 0);
  goban_timeline_view_add_drag_signals (klass);
}

static void
goban_timeline_view_init (GobanTimelineView *self)
{
  self->camera.us_per_px = 1;
  self->cursor_us = NAN;
  self->is_fitted = TRUE;
  self->n_hops = 1;
  self->drag.target = GOBAN_NO_DEVICE;
  self->drag.target_lane = GOBAN_NO_LANE;
  goban_timeline_view_begin_scenes (self);
  self->headings.buttons = g_ptr_array_new_with_free_func ((GDestroyNotify) gtk_widget_unparent);
  self->playback.speed = 1;
  goban_timeline_view_build_area (self);
}

GtkWidget *
goban_timeline_view_new (GobanSession *session)
{
  GobanTimelineView *self = g_object_new (GOBAN_TYPE_TIMELINE_VIEW, NULL);
  GobanView *view = goban_session_get_view (session);

  self->session = g_object_ref (session);
  self->preview.source = goban_preview_of (session);
  GOBAN_CONNECT (self->preview.source, "changed", goban_timeline_view_preview_changed, self);
  GOBAN_CONNECT (session, "notify::shown-run", run_changed_cb, self);
  GOBAN_CONNECT (session, "pending-edit", goban_timeline_view_run_pending, self);
  GOBAN_CONNECT (session, "notify::ghost", goban_timeline_view_forget_scene, self);
  GOBAN_CONNECT (session, "notify::selection", selection_changed_cb, self);
  GOBAN_CONNECT (view, "notify::time", time_changed_cb, self);
  GOBAN_CONNECT (goban_view_get_marks (view), "changed", time_changed_cb, self);
  GOBAN_CONNECT (view, "notify::lanes", goban_timeline_view_lanes_changed, self);
  GOBAN_CONNECT (view, "notify::color", goban_timeline_view_color_changed, self);
  run_changed_cb (self);

  return GTK_WIDGET (self);
}

/* --- for others ------------------------------------------------------------------------------- */

void
goban_timeline_view_set_show_critical (GobanTimelineView *self, gboolean show)
{
  g_return_if_fail (GOBAN_IS_TIMELINE_VIEW (self));

  self->show_critical = show;
  goban_picture_invalidate (picture (self));
}

void
goban_timeline_view_set_matches (GobanTimelineView *self, GobanSelection *matches)
{
  g_return_if_fail (GOBAN_IS_TIMELINE_VIEW (self));

  g_clear_pointer (&self->matches, goban_selection_unref);
  self->matches = matches != NULL ? goban_selection_ref (matches) : NULL;
  goban_picture_invalidate_overlay (picture (self));
}

guint
goban_timeline_view_get_hops (GobanTimelineView *self)
{
  g_return_val_if_fail (GOBAN_IS_TIMELINE_VIEW (self), 0);

  return self->n_hops;
}

void
goban_timeline_view_set_hops (GobanTimelineView *self, guint n_hops)
{
  g_return_if_fail (GOBAN_IS_TIMELINE_VIEW (self));

  self->n_hops = n_hops;
  g_clear_pointer (&self->arrows, g_array_unref);
  goban_picture_invalidate_overlay (picture (self));
}

gboolean
goban_timeline_view_clear (GobanTimelineView *self)
{
  gboolean is_something;

  g_return_val_if_fail (GOBAN_IS_TIMELINE_VIEW (self), FALSE);

  is_something = self->why.chain != NULL || isfinite (self->area.from_us);
  goban_timeline_view_forget_why (self);
  goban_timeline_view_forget_area (self);
  return is_something;
}

void
goban_timeline_view_get_span (GobanTimelineView *self, double *from_us, double *to_us)
{
  g_return_if_fail (GOBAN_IS_TIMELINE_VIEW (self));

  *from_us = MAX (self->camera.start_us, 0);
  *to_us = goban_time_camera_to_us (&self->camera, lanes_width (self));
}

GobanJob *
goban_timeline_view_export (GobanTimelineView *self, const GobanExportOptions *options,
                            const char *path, GError **error)
{
  GobanRun *run;
  GobanExportPicture *picture;

  g_return_val_if_fail (GOBAN_IS_TIMELINE_VIEW (self), NULL);

  run = goban_session_get_shown_run (self->session);
  if (run == NULL)
    {
      goban_set_error (error, GOBAN_ERROR_INVALID,
                       "there is no run to export: place the graph first");
      return NULL;
    }
  if (!goban_export_check_path (path, error))
    return NULL;

  picture = g_new0 (GobanExportPicture, 1);
  picture->path = g_strdup (path);
  picture->costs = goban_cost_model_ref (goban_run_get_costs (run));
  picture->run = goban_run_ref (run);
  picture->values = goban_session_dup_color_values (self->session);
  goban_own_lanes_set (&picture->lanes,
                       goban_view_get_lanes (goban_session_get_view (self->session)));
  picture->has_lanes = TRUE;
  picture->is_timeline = TRUE;
  picture->options.theme = goban_picture_get_theme (GOBAN_PICTURE (self));
  if (options != NULL)
    picture->options = *options;
  picture->options.fill = shown_fill (self);
  picture->options.show_critical = self->show_critical;
  return goban_job_start ("Exporting", goban_export_picture_run, picture,
                          (GDestroyNotify) goban_export_picture_free, g_free);
}
