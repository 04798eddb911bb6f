/* graph-view-follower.c: views of compared runs: each has a run of its own, all have the camera and
 * layout of their leader. Decision U41 (ui/NOTES.md). */
#include "ui/graph/graph-view-follower.h"

#include "engine/session/session-runs.h"
#include "ui/graph/graph-view-private.h"
#include "ui/widgets/signals.h"

/* --- the compared run ------------------------------------------------------------------------- */

void
goban_compared_run_forget_look (GobanComparedRun *self)
{
  g_clear_pointer (&self->changes, goban_run_marks_unref);
}

void
goban_compared_run_clear (GobanComparedRun *self)
{
  goban_compared_run_forget_look (self);
  g_clear_pointer (&self->difference, goban_difference_unref);
  g_clear_pointer (&self->shown, goban_run_scene_unref);
  g_clear_pointer (&self->shown_other, goban_run_scene_unref);
  g_clear_pointer (&self->run, goban_run_unref);
  g_clear_pointer (&self->other, goban_run_unref);
  g_clear_pointer (&self->scenes, goban_graph_scenes_unref);
}

/* FALSE if they are the present ones. */
static gboolean
set_changes (GobanComparedRun *self, const GobanGraphMarks *marks)
{
  if (self->difference == marks->difference && self->unchanged == marks->unchanged
      && self->other == marks->other)
    return FALSE;

  if (self->difference != marks->difference)
    {
      g_clear_pointer (&self->difference, goban_difference_unref);
      if (marks->difference != NULL)
        self->difference = goban_difference_ref (marks->difference);
    }
  self->unchanged = marks->unchanged;
  goban_run_set (&self->other, marks->other);
  return TRUE;
}

/* Replaces the shown scene by that of @run once it is made; until then the old one stays, as long
 * as it belongs to the plot. */
static GobanGraphScene *
show (GobanComparedRun *self, const GobanPlot *plot, GobanRunScene **shown, GobanRun *run)
{
  GobanRunScene *scene = run != NULL ? goban_graph_scenes_get (self->scenes, run) : NULL;

  if (run == NULL || plot == NULL || (*shown != NULL && (*shown)->plot != plot))
    g_clear_pointer (shown, goban_run_scene_unref);
  if (scene != NULL && scene != *shown && scene->plot == plot)
    {
      g_clear_pointer (shown, goban_run_scene_unref);
      *shown = goban_run_scene_ref (scene);
    }
  return *shown != NULL ? (*shown)->scene : NULL;
}

/* (nullable): the scene of @run (nullable) in the plot, else the previous one of that plot. */
static GobanGraphScene *
get_scene (GobanComparedRun *self, const GobanPlot *plot, GobanRun *run)
{
  return show (self, plot, &self->shown, run);
}

const GobanCompareLook *
goban_compared_run_get_look (GobanComparedRun *self, const GobanPlot *plot)
{
  GobanRunMarks *marks = self->difference != NULL && self->scenes != NULL
                             ? goban_graph_scenes_get_marks (self->scenes, self->difference)
                             : NULL;

  if (self->difference == NULL || (self->changes != NULL && self->changes->plot != plot))
    goban_compared_run_forget_look (self);
  if (marks != NULL && marks != self->changes && marks->plot == plot)
    {
      goban_compared_run_forget_look (self);
      self->changes = goban_run_marks_ref (marks);
    }
  if (self->changes == NULL)
    return NULL;

  self->look = (GobanCompareLook){
    .marks = self->changes->marks,
    .unchanged = self->unchanged,
    .other = show (self, plot, &self->shown_other, self->other),
  };
  return &self->look;
}

/* --- the view --------------------------------------------------------------------------------- */

static GobanPicture *
picture (GobanGraphView *self)
{
  return GOBAN_PICTURE (self);
}

GtkWidget *
goban_graph_view_new_follower (GobanGraphView *leader, GobanGraphScenes *scenes)
{
  GobanGraphView *self = g_object_new (GOBAN_TYPE_GRAPH_VIEW, NULL);

  self->leader = g_object_ref (leader);
  self->compared.scenes = goban_graph_scenes_ref (scenes);
  self->compared.refusal = "";
  goban_graph_view_watch_session (self, leader->session);
  self->preview = goban_preview_of (leader->session);
  GOBAN_CONNECT (self->preview, "changed", goban_graph_view_preview_changed, self);
  goban_graph_view_follow_plot (self);
  return GTK_WIDGET (self);
}

GobanPlot *
goban_graph_view_get_plot (GobanGraphView *self)
{
  g_return_val_if_fail (GOBAN_IS_GRAPH_VIEW (self), NULL);

  return self->plots.plot;
}

void
goban_graph_view_set_run (GobanGraphView *self, GobanRun *run)
{
  g_return_if_fail (GOBAN_IS_GRAPH_VIEW (self) && self->leader != NULL);

  if (!goban_run_set (&self->compared.run, run))
    return;

  goban_graph_view_forget_drag (self);
  g_clear_pointer (&self->preview_run, goban_run_unref);
  goban_graph_view_time_changed (self);
  goban_graph_view_content_changed (self);
}

GobanGraphScene *
goban_graph_view_get_followers_scene (GobanGraphView *self)
{
  return get_scene (&self->compared, self->plots.plot,
                    self->preview_run != NULL ? self->preview_run : self->compared.run);
}

void
goban_graph_view_scenes_changed (GobanGraphView *self)
{
  g_return_if_fail (GOBAN_IS_GRAPH_VIEW (self));

  goban_graph_view_content_changed (self);
}

/* --- changes by hand ------------------------------------------------------------------------ */

void
goban_graph_view_set_refusal (GobanGraphView *self, const char *refusal)
{
  g_return_if_fail (GOBAN_IS_GRAPH_VIEW (self));

  self->compared.refusal = refusal;
}

gboolean
goban_graph_view_adopt_run (GobanGraphView *self)
{
  if (self->leader == NULL && self->compared.refusal == NULL)
    return TRUE;
  if (self->compared.refusal != NULL)
    {
      goban_picture_hint (picture (self), self->compared.refusal);
      return FALSE;
    }
  goban_session_set_current_run (self->session, self->compared.run);
  return goban_session_get_shown_run (self->session) == self->compared.run;
}

/* --- differences ---------------------------------------------------------------------------- */

void
goban_graph_view_set_changes (GobanGraphView *self, const GobanGraphMarks *marks)
{
  g_return_if_fail (GOBAN_IS_GRAPH_VIEW (self) && self->leader != NULL);

  if (set_changes (&self->compared, marks))
    goban_graph_view_content_changed (self);
}

char *
goban_graph_view_dup_marks_legend (GobanGraphView *self, gboolean is_brief)
{
  const GobanCompareLook *look;

  g_return_val_if_fail (GOBAN_IS_GRAPH_VIEW (self), NULL);

  look = goban_compared_run_get_look (&self->compared, self->plots.plot);
  return look != NULL ? goban_compare_marks_legend (look->marks, is_brief) : g_strdup ("");
}

/* --- shared view state ---------------------------------------------------------------------- */

void
goban_graph_view_set_shows (GobanGraphView *self, gboolean selection, gboolean time)
{
  g_return_if_fail (GOBAN_IS_GRAPH_VIEW (self));

  if (self->compared.hides_selection != !selection)
    {
      self->compared.hides_selection = !selection;
      goban_graph_view_selection_changed (self);
    }
  if (self->compared.hides_time != !time)
    {
      self->compared.hides_time = !time;
      goban_graph_view_time_changed (self);
    }
}

void
goban_graph_view_look_like (GobanGraphView *self, GobanGraphView *other)
{
  double width = goban_picture_get_width (picture (other));
  double height = goban_picture_get_height (picture (other));
  GobanPoint middle = goban_camera_to_world (&other->camera, (GobanPoint){ width / 2, height / 2 });

  g_return_if_fail (GOBAN_IS_GRAPH_VIEW (self) && GOBAN_IS_GRAPH_VIEW (other));

  self->is_fitted = other->is_fitted;
  self->camera = other->camera;
  goban_camera_centre (&self->camera, middle, goban_picture_get_width (picture (self)),
                       goban_picture_get_height (picture (self)));
  goban_picture_invalidate (picture (self));
}
