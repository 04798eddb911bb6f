#include "ui/graph/compared-run.h"

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

gboolean
goban_compared_run_set_changes (GobanComparedRun *self, const GobanGraphMarks *marks)
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

GobanGraphScene *
goban_compared_run_get_scene (GobanComparedRun *self, const GobanPlot *plot, GobanRun *run)
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

GobanRun *
goban_compared_run_find_preview (const GobanComparedRun *self, GobanPreview *preview)
{
  const GobanEdit *edit = goban_preview_get_edit (preview);
  GobanRun *run = goban_preview_get_run (preview);

  return edit != NULL && run != NULL && self->run != NULL && edit->base == self->run
                 && run != self->run && goban_run_get_graph (run) == goban_run_get_graph (self->run)
             ? run
             : NULL;
}
