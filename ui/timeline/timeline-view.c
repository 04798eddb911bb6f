#include "ui/timeline/timeline-view-private.h"

#include "engine/base/error.h"
#include "engine/session/report.h"
#include "ui/shell/export-job.h"
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

static void
clamp_camera (GobanTimelineView *self)
{
  double ui = goban_picture_get_ui_scale (picture (self));

  goban_time_camera_clamp (&self->camera, self->scene->end_us, lanes_width (self),
                           self->scene->height * ui,
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

/* A session may go through several runs before the next frame, and a scene of 80,000 ops takes
 * 20 ms: only the one that is seen is made. */
GobanTimelineScene *
goban_timeline_view_get_scene (GobanTimelineView *self)
{
  GobanRun *run = goban_session_get_current_run (self->session);

  if (self->is_stale && run != NULL)
    {
      self->scene = goban_timeline_scene_new (goban_run_get_trace (run));
      if (self->is_fitted)
        set_times (self, 0, self->scene->end_us);
    }
  self->is_stale = FALSE;
  return self->scene;
}

GobanTimelinePicture
goban_timeline_view_describe (GobanTimelineView *self)
{
  GobanTimelineScene *scene = goban_timeline_view_get_scene (self);

  return (GobanTimelinePicture){
    .scene = scene,
    .camera = self->camera,
    .style = {
      .theme = goban_picture_get_theme (picture (self)),
      .fill = GOBAN_FILL_DEVICE,
      .show_critical = self->show_critical,
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
    show_times (self, 0, goban_timeline_view_get_scene (self)->end_us);
}

/* From the first start to the last end of what is selected; FALSE where that is nothing. */
static gboolean
get_selected_times (GobanTimelineView *self, double *from_us, double *to_us)
{
  GobanRun *run = goban_session_get_current_run (self->session);
  const GobanOpSpan *spans = run != NULL ? goban_trace_get_ops (goban_run_get_trace (run)) : NULL;
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

  /* With some of what is before and after, or a single op would fill the pane. */
  around_us = fmax (1.5 * (to_us - from_us), goban_timeline_view_get_scene (self)->end_us / 1000);
  self->is_fitted = FALSE;
  show_times (self, from_us - around_us, to_us + around_us);
}

/* Brings a selection made elsewhere into sight, without changing the zoom. */
static void
reveal_selection (GobanTimelineView *self)
{
  double width = lanes_width (self);
  double from_us, to_us, middle_us, x;

  if (goban_timeline_view_get_scene (self) == NULL || width <= 0
      || !get_selected_times (self, &from_us, &to_us))
    return;

  middle_us = (from_us + to_us) / 2;
  x = goban_time_camera_to_x (&self->camera, middle_us);
  if (x >= 0 && x < width)
    return;

  self->is_fitted = FALSE;
  goban_time_camera_pan (&self->camera, width / 2 - x, 0);
  camera_moved (self);
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

  if (self->is_fitted)
    goban_timeline_view_fit (self);
  else
    camera_moved (self);
}

static void
goban_timeline_view_scroll (GobanPicture *base, double steps, GobanPoint at)
{
  double ui = goban_picture_get_ui_scale (base);

  /* Lanes are scrolled where their names are; beside them the wheel is for time. */
  if (at.x < GOBAN_TIMELINE_HEADER * ui)
    goban_timeline_view_pan (base, 0, -steps * SCROLL_STEP * ui);
  else
    goban_picture_zoom (base, pow (GOBAN_SCROLL_ZOOM, -steps));
}

/* --- painting ------------------------------------------------------------------------------- */

/* More lanes than there is room for: how much of them is in sight, and where. */
static void
paint_scroll_mark (GobanTimelineView *self, GobanPen *pen)
{
  const GobanColours *colours = goban_palette_get (goban_picture_get_theme (picture (self)));
  double ui = goban_picture_get_ui_scale (picture (self));
  double top = GOBAN_TIMELINE_AXIS * ui;
  double seen = goban_pen_get_height (pen) - top;
  double all = goban_timeline_view_get_scene (self)->height * ui;
  double room = seen - 4 * ui;
  double length = fmax (room * seen / all, 16 * ui);
  double right = goban_pen_get_width (pen) - 3 * ui;
  GobanBox thumb;

  if (all <= seen || room <= length)
    return;

  thumb.y0 = floor (top + 2 * ui + (room - length) * self->camera.scroll_y / (all - seen));
  thumb = (GobanBox){ right - 4 * ui, thumb.y0, right, thumb.y0 + floor (length) };
  goban_pen_tint (pen, thumb, colours->ink, GOBAN_OPAQUE / 2);
}

static void
goban_timeline_view_paint (GobanPicture *base, GobanPen *pen)
{
  GobanTimelineView *self = GOBAN_TIMELINE_VIEW (base);
  const GobanColours *colours = goban_palette_get (goban_picture_get_theme (base));
  GobanTimelinePicture described = goban_timeline_view_describe (self);

  if (goban_timeline_view_get_scene (self) != NULL)
    goban_timeline_paint (&described, pen);
  else
    goban_pen_rect (pen, (GobanBox){ 0, 0, goban_pen_get_width (pen), goban_pen_get_height (pen) },
                    colours->canvas);
}

static void
goban_timeline_view_paint_overlay (GobanPicture *base, GobanPen *pen)
{
  GobanTimelineView *self = GOBAN_TIMELINE_VIEW (base);
  GobanTimelinePicture described = goban_timeline_view_describe (self);
  GobanTimelineOverlay overlay = {
    .hover = GOBAN_NO_NODE,
    .cursor_us = self->cursor_us,
    .gap_from_us = NAN,
    .gap_to_us = NAN,
  };

  if (goban_timeline_view_get_scene (self) == NULL)
    return;

  overlay.selected
      = goban_selection_get_ids (goban_session_get_selection (self->session), &overlay.n_selected);
  if (self->hit.kind == GOBAN_HIT_SLICE)
    overlay.hover
        = goban_timeline_view_get_scene (self)->lanes[self->hit.lane].slices[self->hit.slice].node;
  if (self->hit.kind == GOBAN_HIT_GAP)
    {
      overlay.gap_from_us = self->hit.from_us;
      overlay.gap_to_us = self->hit.to_us;
      overlay.gap_lane = self->hit.lane;
    }
  goban_timeline_paint_overlay (&described, &overlay, pen);
  paint_scroll_mark (self, pen);
}

/* --- following the session ------------------------------------------------------------------ */

static void
run_changed_cb (GobanTimelineView *self)
{
  GobanRun *run = goban_session_get_current_run (self->session);
  g_autofree char *sentence = run != NULL ? goban_report_run_sentence (run) : NULL;

  self->hit = (GobanTimelineHit){ .kind = GOBAN_HIT_NOTHING };
  g_clear_pointer (&self->scene, goban_timeline_scene_free);
  self->is_stale = TRUE;
  goban_set_accessible_label (GTK_WIDGET (self), run != NULL ? "Timeline" : "Timeline: no plan");
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                  sentence != NULL ? g_strstrip (sentence) : "", -1);

  /* Runs of one graph are compared on one scale only by those who ask for it. */
  self->is_fitted = TRUE;
  goban_picture_invalidate (picture (self));
}

static void
selection_changed_cb (GobanTimelineView *self)
{
  reveal_selection (self);
  goban_picture_invalidate_overlay (picture (self));
}

/* --- life --------------------------------------------------------------------------------------- */

static void
goban_timeline_view_dispose (GObject *object)
{
  GobanTimelineView *self = GOBAN_TIMELINE_VIEW (object);

  g_clear_pointer (&self->scene, goban_timeline_scene_free);
  g_clear_object (&self->session);

  G_OBJECT_CLASS (goban_timeline_view_parent_class)->dispose (object);
}

static void
goban_timeline_view_class_init (GobanTimelineViewClass *klass)
{
  GobanPictureClass *picture_class = GOBAN_PICTURE_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = goban_timeline_view_dispose;
  picture_class->paint = goban_timeline_view_paint;
  picture_class->paint_overlay = goban_timeline_view_paint_overlay;
  picture_class->pan = goban_timeline_view_pan;
  picture_class->zoom = goban_timeline_view_zoom;
  picture_class->scroll = goban_timeline_view_scroll;
  picture_class->click = goban_timeline_view_click;
  picture_class->hover = goban_timeline_view_hover;
  picture_class->resized = goban_timeline_view_resized;
}

static void
goban_timeline_view_init (GobanTimelineView *self)
{
  self->camera.us_per_px = 1;
  self->cursor_us = NAN;
  self->is_fitted = TRUE;
}

GtkWidget *
goban_timeline_view_new (GobanSession *session)
{
  GobanTimelineView *self = g_object_new (GOBAN_TYPE_TIMELINE_VIEW, NULL);

  self->session = g_object_ref (session);
  g_signal_connect_object (session, "notify::current-run", G_CALLBACK (run_changed_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "notify::selection", G_CALLBACK (selection_changed_cb), self,
                           G_CONNECT_SWAPPED);
  run_changed_cb (self);

  return GTK_WIDGET (self);
}

/* --- for others ----------------------------------------------------------------------------------- */

void
goban_timeline_view_set_show_critical (GobanTimelineView *self, gboolean show)
{
  g_return_if_fail (GOBAN_IS_TIMELINE_VIEW (self));

  self->show_critical = show;
  goban_picture_invalidate (picture (self));
}

gboolean
goban_timeline_view_locate (GobanTimelineView *self, GobanNodeId node, GobanPoint *at)
{
  double ui = goban_picture_get_ui_scale (picture (self));

  g_return_val_if_fail (GOBAN_IS_TIMELINE_VIEW (self), FALSE);

  for (guint l = 0; goban_timeline_view_get_scene (self) != NULL
                    && l < goban_timeline_view_get_scene (self)->n_lanes;
       l++)
    {
      const GobanLane *lane = &goban_timeline_view_get_scene (self)->lanes[l];

      for (guint s = 0; lane->kind == GOBAN_LANE_DEVICE && s < lane->n_slices; s++)
        if (lane->slices[s].node == node)
          {
            double middle_us = (lane->slices[s].start_us + lane->slices[s].finish_us) / 2;

            at->x = GOBAN_TIMELINE_HEADER * ui + goban_time_camera_to_x (&self->camera, middle_us);
            at->y = (GOBAN_TIMELINE_AXIS + lane->y + lane->height / 2) * ui - self->camera.scroll_y;
            return TRUE;
          }
    }

  return FALSE;
}

GobanJob *
goban_timeline_view_export (GobanTimelineView *self, const char *path, GError **error)
{
  GobanExportSource source = { .layout = NULL };

  g_return_val_if_fail (GOBAN_IS_TIMELINE_VIEW (self), NULL);

  source.run = goban_session_get_current_run (self->session);
  if (source.run == NULL)
    {
      g_set_error_literal (error, GOBAN_ERROR, GOBAN_ERROR_INVALID,
                           "there is no run to export: place the graph first");
      return NULL;
    }

  source.graph = goban_run_get_graph (source.run);
  source.costs = goban_run_get_costs (source.run);
  source.options.theme = goban_picture_get_theme (picture (self));
  source.options.show_critical = self->show_critical;
  return goban_export_job_start (&source, path);
}
