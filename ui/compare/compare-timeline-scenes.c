/* compare-timeline-scenes.c: the lanes of a pair, made in a worker: of 80,000 ops they take several
 * frames.
 *
 * What is shown stays until the next is there, with the runs that it is of. A small graph's are
 * made at once.
 */
#include "ui/compare/compare-timeline-private.h"

#include "engine/session/compare-set-difference.h"
#include "engine/session/compare-set-looks.h"
#include "engine/study/analysis/coloring.h"
#include "engine/study/analysis/difference/compare-values.h"

/* Up to so many nodes lanes take less than a few milliseconds. */
#define FEW_NODES 2000

/* --- in the worker ---------------------------------------------------------------------------- */

typedef struct
{
  GobanRun *before;
  GobanRun *after;
  double min_gap_us;
  GPtrArray *runs; /* all that are compared */
  gboolean has_own_scales;
  char *color;             /* what ops are filled by ... */
  GobanNodeValues *script; /* (nullable): ... or these */
} Question;

typedef struct
{
  GobanRun *before;
  GobanRun *after;
  GobanCompareLanes *lanes;
} Answer;

static void
question_free (gpointer data)
{
  Question *question = data;

  goban_run_unref (question->before);
  goban_run_unref (question->after);
  g_ptr_array_unref (question->runs);
  g_free (question->color);
  g_clear_pointer (&question->script, goban_node_values_unref);
  g_free (question);
}

static void
answer_free (gpointer data)
{
  Answer *answer = data;

  goban_run_unref (answer->before);
  goban_run_unref (answer->after);
  g_clear_pointer (&answer->lanes, goban_compare_lanes_free);
  g_free (answer);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Answer, answer_free)

static const GobanNodeValues *
values_of (const Question *question, GPtrArray *values, GobanRun *run)
{
  guint place;

  if (question->script != NULL)
    return question->script;
  return values != NULL && g_ptr_array_find (question->runs, run, &place)
             ? g_ptr_array_index (values, place)
             : NULL;
}

static gpointer
answer_worker (const GobanProgress *progress, gpointer data, GError **error)
{
  const Question *question = data;
  g_autoptr (Answer) answer = g_new0 (Answer, 1);
  g_autoptr (GPtrArray) values = NULL;

  answer->before = goban_run_ref (question->before);
  answer->after = goban_run_ref (question->after);
  answer->lanes
      = goban_compare_lanes_new (goban_run_get_trace (question->before),
                                 goban_run_get_trace (question->after), question->min_gap_us);
  if (!goban_progress_check (progress, error))
    return NULL;
  if (question->runs->len > 0)
    values = goban_compare_values_new (question->color, question->runs, question->has_own_scales);
  goban_compare_lanes_set_values (answer->lanes, values_of (question, values, question->before),
                                  values_of (question, values, question->after));
  return g_steal_pointer (&answer);
}

/* --- asking ----------------------------------------------------------------------------------- */

/* What a change that is tried would make of a run, or the run as it is shown. */
static GobanRun *
tried (GobanCompareTimeline *self, guint i)
{
  GobanRun *run = goban_compare_set_get_run (self->set, i);
  const GobanEdit *edit = goban_preview_get_edit (self->preview);
  GobanRun *other = goban_preview_get_run (self->preview);

  return edit != NULL && other != NULL && edit->base == run
                 && goban_run_get_graph (other) == goban_run_get_graph (run)
             ? other
             : goban_compare_set_get_shown (self->set, i);
}

static gboolean
are_of_one_graph (GobanRun *a, GobanRun *b)
{
  return goban_run_get_graph (a) == goban_run_get_graph (b);
}

/* FALSE if there are not two, or no picture of both. */
static gboolean
get_pair (GobanCompareTimeline *self, GobanRun **before, GobanRun **after)
{
  guint i, j;

  if (!goban_compare_set_get_pair (self->set, &i, &j))
    return FALSE;
  *before = tried (self, i);
  *after = tried (self, j);
  return !are_of_one_graph (*before, *after) || goban_difference_check (*before, *after, NULL);
}

static Question *
new_question (GobanCompareTimeline *self, GobanRun *before, GobanRun *after)
{
  GobanView *view = goban_session_get_view (self->session);
  GobanNodeValues *script = goban_view_get_script_values (view);
  Question *question = g_new0 (Question, 1);

  question->before = goban_run_ref (before);
  question->after = goban_run_ref (after);
  question->min_gap_us = goban_compare_set_get_min_change_us (self->set);
  question->has_own_scales = goban_compare_set_get_own_scales (self->set);
  question->runs = goban_run_array_new ();
  for (guint i = 0; i < goban_compare_set_get_n_runs (self->set); i++)
    if (are_of_one_graph (before, after) && are_of_one_graph (tried (self, i), before))
      g_ptr_array_add (question->runs, goban_run_ref (tried (self, i)));
  question->color = g_strdup (goban_view_get_color (view));
  if (g_str_equal (question->color, "script") && script != NULL && are_of_one_graph (before, after)
      && script->n_nodes == goban_graph_get_n_nodes (goban_run_get_graph (after)))
    question->script = goban_node_values_ref (script);
  return question;
}

GobanCompareLanes *
goban_compare_timeline_get_lanes (GobanCompareTimeline *self)
{
  GobanRun *before, *after;
  Question *question;

  if (!self->is_stale || !get_pair (self, &before, &after))
    return self->lanes;

  self->is_stale = FALSE;
  question = new_question (self, before, after);
  if (goban_graph_get_n_nodes (goban_run_get_graph (after)) <= FEW_NODES)
    goban_coalescing_worker_ask_now (self->maker, question);
  else
    goban_coalescing_worker_ask (self->maker, question);
  return self->lanes;
}

/* --- taking ----------------------------------------------------------------------------------- */

static void
drop_lanes (GobanCompareTimeline *self)
{
  goban_free_aside (g_steal_pointer (&self->lanes), (GDestroyNotify) goban_compare_lanes_free);
  g_clear_pointer (&self->before, goban_run_unref);
  g_clear_pointer (&self->after, goban_run_unref);
}

static void
take (gpointer data, gpointer user_data)
{
  GobanCompareTimeline *self = user_data;
  g_autoptr (Answer) answer = data;
  GobanRun *before, *after;

  if (!get_pair (self, &before, &after) || !are_of_one_graph (after, answer->after)
      || !are_of_one_graph (before, answer->before))
    return;

  drop_lanes (self);
  self->lanes = g_steal_pointer (&answer->lanes);
  self->before = goban_run_ref (answer->before);
  self->after = goban_run_ref (answer->after);
  goban_compare_timeline_arrange (self);
  goban_compare_timeline_lanes_changed (self);
}

static gboolean
ask_cb (gpointer user_data)
{
  GobanCompareTimeline *self = user_data;

  self->ask_id = 0;
  goban_compare_timeline_get_lanes (self);
  return G_SOURCE_REMOVE;
}

/* Request visible scenes before the next frame, but only after all changes of this main-loop turn.
 * */
static void
ask_soon (GobanCompareTimeline *self)
{
  if (self->ask_id == 0 && gtk_widget_get_mapped (GTK_WIDGET (self)))
    self->ask_id = g_idle_add_full (G_PRIORITY_DEFAULT, ask_cb, self, NULL);
}

void
goban_compare_timeline_forget_lanes (GobanCompareTimeline *self)
{
  GobanRun *before, *after;
  gboolean has_pair = get_pair (self, &before, &after);

  self->is_stale = TRUE;
  if (!has_pair
      || (self->after != NULL
          && !(are_of_one_graph (self->after, after) && are_of_one_graph (self->before, before))))
    {
      goban_coalescing_worker_forget (self->maker);
      drop_lanes (self);
      goban_compare_timeline_lanes_changed (self);
    }
  ask_soon (self);
  goban_picture_invalidate (GOBAN_PICTURE (self));
}

/* Others that are compared have a say in the colours alone. */
void
goban_compare_timeline_runs_changed (GobanCompareTimeline *self)
{
  const char *color = goban_view_get_color (goban_session_get_view (self->session));

  if (goban_fill_of_color (color) == GOBAN_FILL_METRIC)
    goban_compare_timeline_forget_lanes (self);
  else
    goban_compare_timeline_preview_changed (self);
}

void
goban_compare_timeline_preview_changed (GobanCompareTimeline *self)
{
  GobanRun *before, *after;

  if (!get_pair (self, &before, &after) || before != self->before || after != self->after)
    goban_compare_timeline_forget_lanes (self);
}

gboolean
goban_compare_timeline_is_busy (GobanCompareTimeline *self)
{
  GobanRun *before, *after;

  g_return_val_if_fail (GOBAN_IS_COMPARE_TIMELINE (self), FALSE);

  /* The next frame asks. */
  return goban_coalescing_worker_is_busy (self->maker)
         || (self->is_stale && gtk_widget_get_mapped (GTK_WIDGET (self))
             && goban_picture_get_width (GOBAN_PICTURE (self)) > 0
             && get_pair (self, &before, &after));
}

static const GobanCoalescingWorkerKind kind
    = { "Drawing two timelines", answer_worker, question_free, answer_free, take };

void
goban_compare_timeline_begin_scenes (GobanCompareTimeline *self)
{
  self->maker = goban_coalescing_worker_new (&kind, self);
  self->is_stale = TRUE;
}

void
goban_compare_timeline_end_scenes (GobanCompareTimeline *self)
{
  self->is_stale = FALSE;
  g_clear_handle_id (&self->ask_id, g_source_remove);
  g_clear_pointer (&self->maker, goban_coalescing_worker_free);
  g_clear_pointer (&self->lanes, goban_compare_lanes_free);
  g_clear_pointer (&self->before, goban_run_unref);
  g_clear_pointer (&self->after, goban_run_unref);
}
