/* graph-view-follower.c: views of runs that are compared: each has a run of its own, all lie where their leader has them. */
#include "ui/graph/graph-view-private.h"

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
  self->scenes = goban_graph_scenes_ref (scenes);
  goban_graph_view_watch_session (self, leader->session);
  goban_graph_view_follow_plot (self);
  return GTK_WIDGET (self);
}

void
goban_graph_view_stop_following (GobanGraphView *self)
{
  goban_graph_view_forget_look (self);
  g_clear_pointer (&self->difference, goban_difference_unref);
  g_clear_object (&self->run);
  g_clear_object (&self->other);
  g_clear_pointer (&self->scenes, goban_graph_scenes_unref);
  g_clear_object (&self->leader);
}

void
goban_graph_view_set_run (GobanGraphView *self, GobanRun *run)
{
  g_return_if_fail (GOBAN_IS_GRAPH_VIEW (self) && self->leader != NULL);

  if (!g_set_object (&self->run, run))
    return;

  goban_graph_view_time_changed (self);
  goban_graph_view_content_changed (self);
}

GobanGraphScene *
goban_graph_view_get_followers_scene (GobanGraphView *self)
{
  return self->run != NULL && self->plot != NULL
             ? goban_graph_scenes_get (self->scenes, self->run, self->plot)
             : NULL;
}

void
goban_graph_view_recolour (GobanGraphView *self)
{
  g_return_if_fail (GOBAN_IS_GRAPH_VIEW (self));

  goban_graph_view_content_changed (self);
}

/* --- what differs --------------------------------------------------------------------------- */

void
goban_graph_view_forget_look (GobanGraphView *self)
{
  g_clear_pointer (&self->changes, goban_compare_marks_free);
}

/* The runs of the difference have the plot's graph, until both are told of another one. */
static gboolean
fits_plot (GobanGraphView *self, GobanRun *run)
{
  return self->plot != NULL && goban_run_get_graph (run) == self->plot->outline->graph;
}

const GobanCompareLook *
goban_graph_view_get_look (GobanGraphView *self)
{
  if (self->difference == NULL || !fits_plot (self, goban_difference_get_after (self->difference)))
    return NULL;

  if (self->changes == NULL)
    self->changes = goban_compare_marks_new (self->difference, self->plot->outline);
  self->look = (GobanCompareLook){
    .marks = self->changes,
    .unchanged = self->unchanged,
    .other
    = self->other != NULL ? goban_graph_scenes_get (self->scenes, self->other, self->plot) : NULL,
  };
  return &self->look;
}

void
goban_graph_view_set_changes (GobanGraphView *self, const GobanGraphMarks *marks)
{
  g_return_if_fail (GOBAN_IS_GRAPH_VIEW (self) && self->leader != NULL);

  if (self->difference == marks->difference && self->unchanged == marks->unchanged
      && self->other == marks->other)
    return;

  if (self->difference != marks->difference)
    {
      goban_graph_view_forget_look (self);
      g_clear_pointer (&self->difference, goban_difference_unref);
      if (marks->difference != NULL)
        self->difference = goban_difference_ref (marks->difference);
    }
  self->unchanged = marks->unchanged;
  g_set_object (&self->other, marks->other);
  goban_graph_view_content_changed (self);
}

char *
goban_graph_view_dup_marks_legend (GobanGraphView *self)
{
  const GobanCompareLook *look;

  g_return_val_if_fail (GOBAN_IS_GRAPH_VIEW (self), NULL);

  look = goban_graph_view_get_look (self);
  return look != NULL ? goban_compare_marks_legend (look->marks) : g_strdup ("");
}

/* --- what is shared ------------------------------------------------------------------------- */

void
goban_graph_view_set_shows (GobanGraphView *self, gboolean selection, gboolean time)
{
  g_return_if_fail (GOBAN_IS_GRAPH_VIEW (self));

  if (self->hides_selection != !selection)
    {
      self->hides_selection = !selection;
      goban_graph_view_selection_changed (self);
    }
  if (self->hides_time != !time)
    {
      self->hides_time = !time;
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
