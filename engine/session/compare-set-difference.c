#include "engine/session/compare-set-difference.h"

#include "engine/core/error.h"
#include "engine/session/compare-set-private.h"
#include "engine/study/analysis/difference/matched-difference.h"
#include "engine/study/log/log-lines.h"
#include "engine/study/run/run-list.h"

/* --- in the worker ---------------------------------------------------------------------------- */

typedef struct
{
  GobanRun *before;
  GobanRun *after;
  GPtrArray *others; /* of GobanRun: to be matched to the first, too */
  GPtrArray *known;  /* of GobanDeviceMatching to the first */
  gboolean has_own_devices;
  double min_change_us;
} Asked;

typedef struct
{
  GPtrArray *matchings;        /* of GobanDeviceMatching; empty if devices keep their names */
  GobanDifference *difference; /* (nullable) */
  GobanGraphMatching *graphs;  /* (nullable): instead of it, of two graphs */
} Answer;

static void
free_asked (gpointer data)
{
  Asked *asked = data;

  goban_run_unref (asked->before);
  goban_run_unref (asked->after);
  g_ptr_array_unref (asked->others);
  g_ptr_array_unref (asked->known);
  g_free (asked);
}

static void
free_answer (gpointer data)
{
  Answer *answer = data;

  g_ptr_array_unref (answer->matchings);
  g_clear_pointer (&answer->difference, goban_difference_unref);
  g_clear_pointer (&answer->graphs, goban_graph_matching_unref);
  g_free (answer);
}

static GPtrArray *
new_matchings (void)
{
  return g_ptr_array_new_with_free_func ((GDestroyNotify) goban_device_matching_unref);
}

static GobanDeviceMatching *
find_matching (GPtrArray *matchings, GobanRun *run)
{
  for (guint i = 0; matchings != NULL && i < matchings->len; i++)
    if (((GobanDeviceMatching *) g_ptr_array_index (matchings, i))->run == run)
      return g_ptr_array_index (matchings, i);
  return NULL;
}

/* Borrowed from the answer. */
static GobanDeviceMatching *
match (const Asked *asked, Answer *answer, GobanRun *run)
{
  GobanDeviceMatching *known = find_matching (answer->matchings, run);
  GobanDeviceMatching *matching;

  if (known != NULL)
    return known;
  known = find_matching (asked->known, run);
  matching = known != NULL ? goban_device_matching_ref (known)
                           : goban_device_matching_new (asked->before, run);
  g_ptr_array_add (answer->matchings, matching);
  return matching;
}

static gboolean
are_of_one_graph (GobanRun *a, GobanRun *b)
{
  return goban_run_get_graph (a) == goban_run_get_graph (b);
}

static Answer *
answer (const Asked *asked, gboolean with_others, GError **error)
{
  Answer *found = g_new0 (Answer, 1);
  GobanDeviceMatching *matching = NULL;

  found->matchings = new_matchings ();
  for (guint i = 0; with_others && !asked->has_own_devices && i < asked->others->len; i++)
    if (are_of_one_graph (asked->before, g_ptr_array_index (asked->others, i)))
      match (asked, found, g_ptr_array_index (asked->others, i));
  if (!are_of_one_graph (asked->before, asked->after))
    {
      found->graphs = goban_graph_matching_new (goban_run_get_graph (asked->before),
                                                goban_run_get_graph (asked->after));
      goban_set_error (error, GOBAN_ERROR_INVALID, "the two plans are of two graphs");
      return found;
    }
  if (!asked->has_own_devices)
    matching = match (asked, found, asked->after);
  found->difference = goban_difference_new_matched (asked->before, asked->after, matching,
                                                    asked->min_change_us, error);
  return found;
}

/* That there is no difference is an answer, too. */
static gpointer
difference_worker (const GobanProgress *progress, gpointer data, GError **error)
{
  return answer (data, TRUE, NULL);
}

/* --- asking ----------------------------------------------------------------------------------- */

void
goban_compare_set_drop_job (GobanCompareSet *self)
{
  if (self->job == NULL)
    return;

  goban_job_cancel (self->job);
  g_signal_handlers_disconnect_by_data (self->job, self);
  g_clear_object (&self->job);
}

/* Matchings stay until others are there, so that devices do not flash in other colours. */
void
goban_compare_set_forget_difference (GobanCompareSet *self, gboolean is_stale)
{
  goban_compare_set_drop_job (self);
  self->is_stale = is_stale && self->difference != NULL;
  self->is_refused = FALSE;
  g_clear_pointer (&self->graphs, goban_graph_matching_unref);
  if (!is_stale)
    g_clear_pointer (&self->difference, goban_difference_unref);
}

static Asked *
new_asked (GobanCompareSet *self)
{
  Asked *asked = g_new (Asked, 1);

  asked->before = goban_run_ref (goban_compare_set_peek_pair (self, FALSE));
  asked->after = goban_run_ref (goban_compare_set_peek_pair (self, TRUE));
  asked->others = goban_run_array_new ();
  for (guint i = 0; i < self->runs->len; i++)
    if (g_ptr_array_index (self->runs, i) != asked->before)
      g_ptr_array_add (asked->others, goban_run_ref (g_ptr_array_index (self->runs, i)));
  asked->known = new_matchings ();
  for (guint i = 0; self->matched_to == asked->before && i < self->matchings->len; i++)
    g_ptr_array_add (asked->known,
                     goban_device_matching_ref (g_ptr_array_index (self->matchings, i)));
  asked->has_own_devices = self->looks.has_own_devices;
  asked->min_change_us = self->looks.min_change_us;
  return asked;
}

/* @found: (transfer full) */
static void
take_answer (GobanCompareSet *self, Answer *found)
{
  goban_run_set (&self->matched_to, goban_compare_set_peek_pair (self, FALSE));
  g_clear_pointer (&self->matchings, g_ptr_array_unref);
  self->matchings = g_ptr_array_ref (found->matchings);
  g_clear_pointer (&self->difference, goban_difference_unref);
  self->difference = g_steal_pointer (&found->difference);
  g_clear_pointer (&self->graphs, goban_graph_matching_unref);
  self->graphs = g_steal_pointer (&found->graphs);
  self->is_refused = self->difference == NULL;
  self->is_stale = FALSE;
  free_answer (found);
  goban_compare_set_notify (self, GOBAN_COMPARE_PROP_DIFFERENCE);
}

static void
done_cb (GobanJob *job, GobanCompareSet *self)
{
  Answer *found = goban_job_steal_result (job, NULL); /* never fails, and a cancelled one is gone */

  g_signal_handlers_disconnect_by_data (job, self);
  g_clear_object (&self->job);
  if (found != NULL)
    take_answer (self, found);
}

/* Whether a plan that is shown has yet to be matched. */
static gboolean
lacks_matching (GobanCompareSet *self)
{
  GobanRun *before = goban_compare_set_peek_pair (self, FALSE);

  if (self->looks.has_own_devices || self->is_refused)
    return FALSE;
  if (self->matched_to != before)
    return TRUE;
  for (guint i = 0; i < self->runs->len; i++)
    {
      GobanRun *run = g_ptr_array_index (self->runs, i);

      if (run != before && are_of_one_graph (run, before)
          && find_matching (self->matchings, run) == NULL)
        return TRUE;
    }
  return FALSE;
}

GobanDifference *
goban_compare_set_get_difference (GobanCompareSet *self)
{
  g_return_val_if_fail (GOBAN_IS_COMPARE_SET (self), NULL);

  if (self->job != NULL || self->is_refused || self->runs->len < 2
      || (self->difference != NULL && !self->is_stale && !lacks_matching (self)))
    return self->difference;

  self->job
      = goban_job_start ("Comparing", difference_worker, new_asked (self), free_asked, free_answer);
  g_signal_connect (self->job, "done", G_CALLBACK (done_cb), self);
  return self->difference;
}

gboolean
goban_compare_set_is_comparing (GobanCompareSet *self)
{
  g_return_val_if_fail (GOBAN_IS_COMPARE_SET (self), FALSE);

  return self->job != NULL;
}

GobanDifference *
goban_compare_set_make_difference (GobanCompareSet *self, GError **error)
{
  Asked *asked;
  Answer *found;

  g_return_val_if_fail (GOBAN_IS_COMPARE_SET (self), NULL);

  if (self->difference != NULL && !self->is_stale)
    return self->difference;
  if (self->runs->len < 2)
    {
      goban_set_error (error, GOBAN_ERROR_INVALID, "there are not two plans to compare");
      return NULL;
    }

  goban_compare_set_drop_job (self);
  asked = new_asked (self);
  found = answer (asked, FALSE, error);
  free_asked (asked);
  take_answer (self, found);
  return self->difference;
}

/* --- plans as they are shown ------------------------------------------------------------------ */

GobanDeviceMatching *
goban_compare_set_get_matching (GobanCompareSet *self, guint i)
{
  GobanRun *run = goban_compare_set_get_run (self, i);
  GobanDeviceMatching *matching;

  if (run == NULL || self->looks.has_own_devices
      || run == goban_compare_set_peek_pair (self, FALSE))
    return NULL;
  matching = find_matching (self->matchings, run);
  return matching != NULL && matching->n_renamed > 0 ? matching : NULL;
}

GobanRun *
goban_compare_set_get_shown (GobanCompareSet *self, guint i)
{
  GobanDeviceMatching *matching = goban_compare_set_get_matching (self, i);

  return matching != NULL ? matching->matched : goban_compare_set_get_run (self, i);
}

gboolean
goban_compare_set_get_own_devices (GobanCompareSet *self)
{
  g_return_val_if_fail (GOBAN_IS_COMPARE_SET (self), FALSE);

  return self->looks.has_own_devices;
}

void
goban_compare_set_set_own_devices (GobanCompareSet *self, gboolean has_own_devices)
{
  g_return_if_fail (GOBAN_IS_COMPARE_SET (self));

  if (self->looks.has_own_devices == has_own_devices)
    return;

  self->looks.has_own_devices = has_own_devices;
  goban_log_emit (self, "compare.devices \"%s\"", has_own_devices ? "own" : "matched");
  goban_compare_set_forget_difference (self, FALSE);
  goban_compare_set_notify (self, GOBAN_COMPARE_PROP_DEVICES);
  goban_compare_set_notify (self, GOBAN_COMPARE_PROP_DIFFERENCE);
}
