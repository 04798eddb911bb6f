#include "engine/session/compare-set.h"

#include "engine/core/error.h"
#include "engine/core/jobs/job.h"
#include "engine/session/compare-looks.h"
#include "engine/session/compare-set-difference.h"
#include "engine/session/compare-set-looks.h"
#include "engine/study/analysis/difference/difference.h"
#include "engine/study/log/log-lines.h"
#include "engine/study/run/run-list.h"

#include <math.h>

struct _GobanCompareSet
{
  GObject parent_instance;

  GListModel *list;   /* GobanRunRow: the session's runs */
  GListStore *others; /* GobanRunRow: of other graphs, the newest first */
  GobanState *state;  /* (nullable): the session's present */
  GPtrArray *wanted;  /* GobanRun: the chosen runs, in the list or not */
  GPtrArray *runs;    /* GobanRun: requested runs that are in the list, in the same order */
  guint pair[2];      /* indices of the requested runs */
  gboolean is_open;
  gboolean is_racing;
  gpointer closed_with; /* (nullable): the current run when it was closed; only compared */
  GobanCompareLooks looks;

  GPtrArray *matchings;        /* (nullable) of GobanDeviceMatching: newest for each run ... */
  GobanRun *matched_to;        /* ... to this one, which may be gone: only to be compared */
  GobanDifference *difference; /* (nullable) */
  GobanGraphMatching *graphs;  /* (nullable): instead of it, of two graphs */
  gboolean is_stale;           /* the difference was made with another threshold */
  gboolean is_refused;         /* this pair cannot be compared */
  GobanJob *job;               /* (nullable): computes matchings and the difference */
};

enum
{
  GOBAN_COMPARE_PROP_OPEN = 1,
  GOBAN_COMPARE_PROP_RUNS,
  GOBAN_COMPARE_PROP_PAIR,
  GOBAN_COMPARE_PROP_MODE,
  GOBAN_COMPARE_PROP_UNCHANGED,
  GOBAN_COMPARE_PROP_MIN_CHANGE,
  GOBAN_COMPARE_PROP_SYNC,
  GOBAN_COMPARE_PROP_SCALES,
  GOBAN_COMPARE_PROP_LANES,
  GOBAN_COMPARE_PROP_DEVICES,
  GOBAN_COMPARE_PROP_DIFFERENCE,
  GOBAN_COMPARE_PROP_RACING,
  GOBAN_COMPARE_N_PROPS
};

/* --- plans of other graphs -------------------------------------------------------------------- */

GListModel *
goban_compare_set_get_others (GobanCompareSet *self)
{
  g_return_val_if_fail (GOBAN_IS_COMPARE_SET (self), NULL);

  return G_LIST_MODEL (self->others);
}

const char *
goban_compare_row_get_graph (GobanRunRow *row)
{
  return g_object_get_data (G_OBJECT (row), "goban-graph");
}

void
goban_compare_set_keep_other (GobanCompareSet *self, GobanRun *run, GobanGraph *graph)
{
  GListModel *others = G_LIST_MODEL (self->others);
  gboolean is_kept = run != NULL && goban_run_get_graph (run) != graph;
  guint n_nodes = 0;

  if (is_kept && !goban_run_list_find (others, run, NULL))
    {
      g_autoptr (GobanRunRow) row = goban_run_row_new (run);

      g_object_set_data_full (G_OBJECT (row), "goban-graph",
                              g_strdup (goban_graph_get_name (goban_run_get_graph (run))), g_free);
      g_list_store_insert (self->others, 0, row);
    }
  for (guint i = 0; i < g_list_model_get_n_items (others);)
    {
      GobanGraph *other = goban_run_get_graph (goban_run_list_get (others, i));

      n_nodes += goban_graph_get_n_nodes (other);
      if (other == graph || i >= GOBAN_COMPARE_OTHERS
          || (i > 0 && n_nodes > GOBAN_COMPARE_OTHER_NODES))
        g_list_store_remove (self->others, i);
      else
        i++;
    }
}

static gboolean
find_pair (GobanCompareSet *self, guint *before, guint *after)
{
  if (self->runs->len < 2)
    return FALSE;

  if (self->pair[0] >= self->wanted->len || self->pair[1] >= self->wanted->len
      || !g_ptr_array_find (self->runs, g_ptr_array_index (self->wanted, self->pair[0]), before)
      || !g_ptr_array_find (self->runs, g_ptr_array_index (self->wanted, self->pair[1]), after))
    {
      *before = 0;
      *after = 1;
    }
  return TRUE;
}

/* (nullable): the first of the pair, or the second. */
static GobanRun *
compare_set_peek_pair (GobanCompareSet *self, gboolean is_after)
{
  guint places[2];

  if (!find_pair (self, &places[0], &places[1]))
    return NULL;
  return g_ptr_array_index (self->runs, places[is_after]);
}

gboolean
goban_compare_set_has_two_graphs (GobanCompareSet *self)
{
  GobanRun *before = compare_set_peek_pair (self, FALSE);
  GobanRun *after = compare_set_peek_pair (self, TRUE);

  return before != NULL && goban_run_get_graph (before) != goban_run_get_graph (after);
}

GobanGraphMatching *
goban_compare_set_get_graph_matching (GobanCompareSet *self)
{
  g_return_val_if_fail (GOBAN_IS_COMPARE_SET (self), NULL);

  if (goban_compare_set_has_two_graphs (self))
    goban_compare_set_get_difference (self); /* asks for it */
  return self->graphs;
}

/* --- options ---------------------------------------------------------------------------------- */

/* Options of a comparison: mode, threshold and the state shared by the
 * panes. */

GobanCompareMode
goban_compare_set_get_mode (GobanCompareSet *self)
{
  g_return_val_if_fail (GOBAN_IS_COMPARE_SET (self), GOBAN_COMPARE_SIDE);

  return self->looks.mode;
}

static GParamSpec *props[GOBAN_COMPARE_N_PROPS];

static void
compare_set_notify (GobanCompareSet *self, guint property)
{
  g_object_notify_by_pspec (G_OBJECT (self), props[property]);
}

void
goban_compare_set_set_mode (GobanCompareSet *self, GobanCompareMode mode)
{
  g_return_if_fail (GOBAN_IS_COMPARE_SET (self) && mode < GOBAN_N_COMPARE_MODES);

  if (self->looks.mode == mode)
    return;

  self->looks.mode = mode;
  goban_log_emit (self, "compare.mode \"%s\"", goban_compare_mode_name (mode));
  compare_set_notify (self, GOBAN_COMPARE_PROP_MODE);
}

GobanUnchanged
goban_compare_set_get_unchanged (GobanCompareSet *self)
{
  g_return_val_if_fail (GOBAN_IS_COMPARE_SET (self), GOBAN_UNCHANGED_SHOW);

  return self->looks.unchanged;
}

void
goban_compare_set_set_unchanged (GobanCompareSet *self, GobanUnchanged unchanged)
{
  g_return_if_fail (GOBAN_IS_COMPARE_SET (self) && unchanged < GOBAN_N_UNCHANGED);

  if (self->looks.unchanged == unchanged)
    return;

  self->looks.unchanged = unchanged;
  goban_log_emit (self, "compare.unchanged \"%s\"", goban_unchanged_name (unchanged));
  compare_set_notify (self, GOBAN_COMPARE_PROP_UNCHANGED);
}

GobanSync
goban_compare_set_get_sync (GobanCompareSet *self)
{
  g_return_val_if_fail (GOBAN_IS_COMPARE_SET (self), GOBAN_SYNC_ALL);

  return self->looks.sync;
}

static const char *
word_of (GobanSync sync, GobanSync flag)
{
  return sync & flag ? "true" : "false";
}

void
goban_compare_set_set_sync (GobanCompareSet *self, GobanSync sync)
{
  g_return_if_fail (GOBAN_IS_COMPARE_SET (self) && (sync & ~(guint) GOBAN_SYNC_ALL) == 0);

  if (self->looks.sync == sync)
    return;

  self->looks.sync = sync;
  goban_log_emit (self, "compare.sync{ view = %s, time = %s, selection = %s }",
                  word_of (sync, GOBAN_SYNC_VIEW), word_of (sync, GOBAN_SYNC_TIME),
                  word_of (sync, GOBAN_SYNC_SELECTION));
  compare_set_notify (self, GOBAN_COMPARE_PROP_SYNC);
}

double
goban_compare_set_get_min_change_us (GobanCompareSet *self)
{
  g_return_val_if_fail (GOBAN_IS_COMPARE_SET (self), 0);

  return self->looks.min_change_us;
}

static void
compare_set_drop_job (GobanCompareSet *self)
{
  if (self->job == NULL)
    return;

  goban_job_cancel (self->job);
  g_signal_handlers_disconnect_by_data (self->job, self);
  g_clear_object (&self->job);
}

/* Matchings stay until others are there, so that devices do not flash in other colours. */
static void
compare_set_forget_difference (GobanCompareSet *self, gboolean is_stale)
{
  compare_set_drop_job (self);
  self->is_stale = is_stale && self->difference != NULL;
  self->is_refused = FALSE;
  g_clear_pointer (&self->graphs, goban_graph_matching_unref);
  if (!is_stale)
    g_clear_pointer (&self->difference, goban_difference_unref);
}

void
goban_compare_set_set_min_change_us (GobanCompareSet *self, double min_change_us)
{
  char number[G_ASCII_DTOSTR_BUF_SIZE];

  g_return_if_fail (GOBAN_IS_COMPARE_SET (self));
  g_return_if_fail (isfinite (min_change_us) && min_change_us >= 0);

  if (self->looks.min_change_us == min_change_us)
    return;

  self->looks.min_change_us = min_change_us;
  g_ascii_formatd (number, sizeof number, "%.17g", min_change_us);
  goban_log_emit (self, "compare.threshold \"%sus\"", number);
  compare_set_forget_difference (self, TRUE);
  compare_set_notify (self, GOBAN_COMPARE_PROP_MIN_CHANGE);
  compare_set_notify (self, GOBAN_COMPARE_PROP_DIFFERENCE);
}

gboolean
goban_compare_set_get_own_scales (GobanCompareSet *self)
{
  g_return_val_if_fail (GOBAN_IS_COMPARE_SET (self), FALSE);

  return self->looks.has_own_scales;
}

void
goban_compare_set_set_own_scales (GobanCompareSet *self, gboolean has_own_scales)
{
  g_return_if_fail (GOBAN_IS_COMPARE_SET (self));

  if (self->looks.has_own_scales == has_own_scales)
    return;

  self->looks.has_own_scales = has_own_scales;
  goban_log_emit (self, "compare.scales \"%s\"", has_own_scales ? "own" : "common");
  compare_set_notify (self, GOBAN_COMPARE_PROP_SCALES);
}

gboolean
goban_compare_set_get_all_lanes (GobanCompareSet *self)
{
  g_return_val_if_fail (GOBAN_IS_COMPARE_SET (self), FALSE);

  return self->looks.has_all_lanes;
}

void
goban_compare_set_set_all_lanes (GobanCompareSet *self, gboolean has_all_lanes)
{
  g_return_if_fail (GOBAN_IS_COMPARE_SET (self));

  if (self->looks.has_all_lanes == has_all_lanes)
    return;

  self->looks.has_all_lanes = has_all_lanes;
  goban_log_emit (self, "compare.lanes \"%s\"", has_all_lanes ? "all" : "devices");
  compare_set_notify (self, GOBAN_COMPARE_PROP_LANES);
}

gboolean
goban_compare_set_is_racing (GobanCompareSet *self)
{
  g_return_val_if_fail (GOBAN_IS_COMPARE_SET (self), FALSE);

  return self->is_racing;
}

void
goban_compare_set_set_racing (GobanCompareSet *self, gboolean is_racing)
{
  g_return_if_fail (GOBAN_IS_COMPARE_SET (self));

  if (self->is_racing == is_racing)
    return;

  self->is_racing = is_racing;
  compare_set_notify (self, GOBAN_COMPARE_PROP_RACING);
}

GobanCompareLooks
goban_compare_set_get_looks (GobanCompareSet *self)
{
  g_return_val_if_fail (GOBAN_IS_COMPARE_SET (self), goban_compare_looks_usual ());

  return self->looks;
}

void
goban_compare_set_restore_looks (GobanCompareSet *self, const GobanCompareLooks *looks)
{
  g_return_if_fail (GOBAN_IS_COMPARE_SET (self));

  self->looks = *looks;
  compare_set_forget_difference (self, FALSE);
  for (guint property = GOBAN_COMPARE_PROP_MODE; property <= GOBAN_COMPARE_PROP_DIFFERENCE;
       property++)
    compare_set_notify (self, property);
}

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

static Asked *
new_asked (GobanCompareSet *self)
{
  Asked *asked = g_new (Asked, 1);

  asked->before = goban_run_ref (compare_set_peek_pair (self, FALSE));
  asked->after = goban_run_ref (compare_set_peek_pair (self, TRUE));
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
  goban_run_set (&self->matched_to, compare_set_peek_pair (self, FALSE));
  g_clear_pointer (&self->matchings, g_ptr_array_unref);
  self->matchings = g_ptr_array_ref (found->matchings);
  g_clear_pointer (&self->difference, goban_difference_unref);
  self->difference = g_steal_pointer (&found->difference);
  g_clear_pointer (&self->graphs, goban_graph_matching_unref);
  self->graphs = g_steal_pointer (&found->graphs);
  self->is_refused = self->difference == NULL;
  self->is_stale = FALSE;
  free_answer (found);
  compare_set_notify (self, GOBAN_COMPARE_PROP_DIFFERENCE);
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
  GobanRun *before = compare_set_peek_pair (self, FALSE);

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

  compare_set_drop_job (self);
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

  if (run == NULL || self->looks.has_own_devices || run == compare_set_peek_pair (self, FALSE))
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
  compare_set_forget_difference (self, FALSE);
  compare_set_notify (self, GOBAN_COMPARE_PROP_DEVICES);
  compare_set_notify (self, GOBAN_COMPARE_PROP_DIFFERENCE);
}

G_DEFINE_FINAL_TYPE (GobanCompareSet, goban_compare_set, G_TYPE_OBJECT)

/* --- construction and disposal ------------------------------------------------------------ */

static void
goban_compare_set_dispose (GObject *object)
{
  GobanCompareSet *self = GOBAN_COMPARE_SET (object);

  compare_set_drop_job (self);
  g_clear_pointer (&self->difference, goban_difference_unref);
  g_clear_pointer (&self->graphs, goban_graph_matching_unref);
  g_clear_object (&self->others);
  g_clear_pointer (&self->matchings, g_ptr_array_unref);
  g_clear_pointer (&self->matched_to, goban_run_unref);
  g_clear_pointer (&self->state, goban_state_unref);
  g_ptr_array_set_size (self->wanted, 0);
  g_ptr_array_set_size (self->runs, 0);
  G_OBJECT_CLASS (goban_compare_set_parent_class)->dispose (object);
}

static void
goban_compare_set_finalize (GObject *object)
{
  GobanCompareSet *self = GOBAN_COMPARE_SET (object);

  g_clear_pointer (&self->wanted, g_ptr_array_unref);
  g_clear_pointer (&self->runs, g_ptr_array_unref);
  G_OBJECT_CLASS (goban_compare_set_parent_class)->finalize (object);
}

static void
goban_compare_set_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  GobanCompareSet *self = GOBAN_COMPARE_SET (object);

  switch (id)
    {
    case GOBAN_COMPARE_PROP_OPEN:
      g_value_set_boolean (value, self->is_open);
      break;
    case GOBAN_COMPARE_PROP_RUNS:
      g_value_set_pointer (value, self->runs);
      break;
    case GOBAN_COMPARE_PROP_PAIR:
      g_value_set_pointer (value, self->pair);
      break;
    case GOBAN_COMPARE_PROP_MODE:
      g_value_set_int (value, self->looks.mode);
      break;
    case GOBAN_COMPARE_PROP_UNCHANGED:
      g_value_set_int (value, self->looks.unchanged);
      break;
    case GOBAN_COMPARE_PROP_MIN_CHANGE:
      g_value_set_double (value, self->looks.min_change_us);
      break;
    case GOBAN_COMPARE_PROP_SYNC:
      g_value_set_uint (value, self->looks.sync);
      break;
    case GOBAN_COMPARE_PROP_SCALES:
      g_value_set_boolean (value, self->looks.has_own_scales);
      break;
    case GOBAN_COMPARE_PROP_LANES:
      g_value_set_boolean (value, self->looks.has_all_lanes);
      break;
    case GOBAN_COMPARE_PROP_DEVICES:
      g_value_set_boolean (value, self->looks.has_own_devices);
      break;
    case GOBAN_COMPARE_PROP_DIFFERENCE:
      g_value_set_pointer (value, self->difference);
      break;
    case GOBAN_COMPARE_PROP_RACING:
      g_value_set_boolean (value, self->is_racing);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
goban_compare_set_class_init (GobanCompareSetClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GParamFlags flags = G_PARAM_READABLE | G_PARAM_STATIC_STRINGS;

  object_class->dispose = goban_compare_set_dispose;
  object_class->finalize = goban_compare_set_finalize;
  object_class->get_property = goban_compare_set_get_property;

  props[GOBAN_COMPARE_PROP_OPEN] = g_param_spec_boolean ("open", NULL, NULL, FALSE, flags);
  props[GOBAN_COMPARE_PROP_RUNS] = g_param_spec_pointer ("runs", NULL, NULL, flags);
  props[GOBAN_COMPARE_PROP_PAIR] = g_param_spec_pointer ("pair", NULL, NULL, flags);
  props[GOBAN_COMPARE_PROP_MODE]
      = g_param_spec_int ("mode", NULL, NULL, 0, GOBAN_N_COMPARE_MODES - 1, 0, flags);
  props[GOBAN_COMPARE_PROP_UNCHANGED]
      = g_param_spec_int ("unchanged", NULL, NULL, 0, GOBAN_N_UNCHANGED - 1, 0, flags);
  props[GOBAN_COMPARE_PROP_MIN_CHANGE] = g_param_spec_double (
      "min-change", NULL, NULL, 0, G_MAXDOUBLE, GOBAN_COMPARE_MIN_CHANGE_US, flags);
  props[GOBAN_COMPARE_PROP_SYNC]
      = g_param_spec_uint ("sync", NULL, NULL, 0, GOBAN_SYNC_ALL, 0, flags);
  props[GOBAN_COMPARE_PROP_SCALES] = g_param_spec_boolean ("scales", NULL, NULL, FALSE, flags);
  props[GOBAN_COMPARE_PROP_LANES] = g_param_spec_boolean ("lanes", NULL, NULL, FALSE, flags);
  props[GOBAN_COMPARE_PROP_DEVICES] = g_param_spec_boolean ("devices", NULL, NULL, FALSE, flags);
  props[GOBAN_COMPARE_PROP_DIFFERENCE] = g_param_spec_pointer ("difference", NULL, NULL, flags);
  props[GOBAN_COMPARE_PROP_RACING] = g_param_spec_boolean ("racing", NULL, NULL, FALSE, flags);
  g_object_class_install_properties (object_class, GOBAN_COMPARE_N_PROPS, props);

  g_signal_new ("log", GOBAN_TYPE_COMPARE_SET, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE,
                1, G_TYPE_STRING);
}

static void
goban_compare_set_init (GobanCompareSet *self)
{
  self->others = g_list_store_new (GOBAN_TYPE_RUN_ROW);
  self->wanted = goban_run_array_new ();
  self->runs = goban_run_array_new ();
  self->pair[1] = 1;
  self->looks = goban_compare_looks_usual ();
}

GobanCompareSet *
goban_compare_set_new (GListModel *runs)
{
  GobanCompareSet *self = g_object_new (GOBAN_TYPE_COMPARE_SET, NULL);

  self->list = runs;
  return self;
}

/* --- notifications ------------------------------------------------------------------------ */

/* Runs have places in the list, from 1, as view.show has them; those of other graphs, from -1. */
static void
log_show (GobanCompareSet *self)
{
  g_autoptr (GString) line = g_string_new ("compare.show(");

  for (guint i = 0; i < self->runs->len; i++)
    {
      GobanRun *run = g_ptr_array_index (self->runs, i);
      guint place = 0;
      gboolean is_listed = goban_run_list_find (self->list, run, &place)
                           || !goban_run_list_find (G_LIST_MODEL (self->others), run, &place);

      g_string_append_printf (line, "%s%s%u", i > 0 ? ", " : "", is_listed ? "" : "-", place + 1);
    }
  g_string_append_c (line, ')');
  goban_log_emit (self, "%s", line->str);
}

/* --- the runs ------------------------------------------------------------------------------- */

static gboolean
is_in (GPtrArray *runs, GobanRun *run)
{
  return g_ptr_array_find (runs, run, NULL);
}

static gboolean
is_listed (GobanCompareSet *self, GobanRun *run)
{
  return goban_run_list_find (self->list, run, NULL)
         || goban_run_list_find (G_LIST_MODEL (self->others), run, NULL);
}

static gboolean
set_open (GobanCompareSet *self, gboolean is_open)
{
  if (self->is_open == is_open)
    return FALSE;

  self->is_open = is_open;
  compare_set_notify (self, GOBAN_COMPARE_PROP_OPEN);
  return TRUE;
}

static void
tell (GobanCompareSet *self, gboolean has_new_runs, gboolean has_new_pair)
{
  /* Whoever hears of a new pair may ask for its difference at once. */
  if (has_new_pair)
    compare_set_forget_difference (self, FALSE);
  if (self->runs->len == 0)
    set_open (self, FALSE);
  if (has_new_runs)
    compare_set_notify (self, GOBAN_COMPARE_PROP_RUNS);
  if (!has_new_pair)
    return;
  compare_set_notify (self, GOBAN_COMPARE_PROP_PAIR);
  compare_set_notify (self, GOBAN_COMPARE_PROP_DIFFERENCE);
}

/* Sets the members to @wanted (transfer full) and the pair to its elements @before and @after;
 * notifies the changes. */
static gboolean
take_wanted (GobanCompareSet *self, GPtrArray *wanted, guint before, guint after)
{
  GobanRun *last_before = compare_set_peek_pair (self, FALSE),
           *last_after = compare_set_peek_pair (self, TRUE);
  g_autoptr (GPtrArray) last_wanted = self->wanted;
  g_autoptr (GPtrArray) last = self->runs;
  gboolean is_same;

  self->wanted = wanted;
  self->runs = goban_run_array_new ();
  for (guint i = 0; i < wanted->len; i++)
    if (is_listed (self, g_ptr_array_index (wanted, i)))
      g_ptr_array_add (self->runs, goban_run_ref (g_ptr_array_index (wanted, i)));
  self->pair[0] = before;
  self->pair[1] = after;
  is_same = last->len == self->runs->len;
  for (guint i = 0; is_same && i < last->len; i++)
    is_same = g_ptr_array_index (last, i) == g_ptr_array_index (self->runs, i);
  tell (self, !is_same,
        last_before != compare_set_peek_pair (self, FALSE)
            || last_after != compare_set_peek_pair (self, TRUE));
  return !is_same;
}

guint
goban_compare_set_get_n_runs (GobanCompareSet *self)
{
  g_return_val_if_fail (GOBAN_IS_COMPARE_SET (self), 0);

  return self->runs->len;
}

GobanRun *
goban_compare_set_get_run (GobanCompareSet *self, guint i)
{
  g_return_val_if_fail (GOBAN_IS_COMPARE_SET (self) && i < self->runs->len, NULL);

  return g_ptr_array_index (self->runs, i);
}

int
goban_compare_set_find (GobanCompareSet *self, GobanRun *run)
{
  guint place;

  g_return_val_if_fail (GOBAN_IS_COMPARE_SET (self), -1);

  return g_ptr_array_find (self->runs, run, &place) ? (int) place : -1;
}

void
goban_compare_set_show (GobanCompareSet *self, GobanRun *const *runs, guint n)
{
  GobanRun *before = compare_set_peek_pair (self, FALSE),
           *after = compare_set_peek_pair (self, TRUE);
  GPtrArray *wanted;
  guint pair[2] = { 0, 1 };
  gboolean is_new;

  g_return_if_fail (GOBAN_IS_COMPARE_SET (self) && n <= GOBAN_COMPARE_MAX);

  wanted = goban_run_array_new ();
  for (guint i = 0; i < n; i++)
    {
      g_return_if_fail (is_listed (self, runs[i]) && !is_in (wanted, runs[i]));
      g_ptr_array_add (wanted, goban_run_ref (runs[i]));
    }
  if (before == NULL || !g_ptr_array_find (wanted, before, &pair[0])
      || !g_ptr_array_find (wanted, after, &pair[1]))
    {
      pair[0] = 0;
      pair[1] = 1;
    }
  is_new = take_wanted (self, wanted, pair[0], pair[1]);
  is_new |= n > 0 && set_open (self, TRUE);
  if (is_new)
    log_show (self);
}

void
goban_compare_set_replace (GobanCompareSet *self, guint i, GobanRun *run)
{
  g_autoptr (GPtrArray) wanted = NULL;
  guint before = 0, after = 1, place;

  g_return_if_fail (GOBAN_IS_COMPARE_SET (self) && i < self->runs->len && is_listed (self, run));

  if (g_ptr_array_index (self->runs, i) == run)
    return;

  find_pair (self, &before, &after);
  wanted = goban_run_array_copy (self->runs);
  if (g_ptr_array_find (wanted, run, &place))
    wanted->pdata[place] = g_steal_pointer (&wanted->pdata[i]);
  else
    goban_run_unref (wanted->pdata[i]);
  wanted->pdata[i] = wanted->pdata[i] == NULL ? run : goban_run_ref (run);
  take_wanted (self, g_steal_pointer (&wanted), before, after);
  log_show (self);
}

/* Fills a set of fewer than two: first with its present members, then with the current run behind
 * its origin. */
static void
fill_up (GobanCompareSet *self)
{
  GPtrArray *wanted = goban_run_array_new ();
  GobanRun *current = self->state != NULL ? self->state->current : NULL;
  GobanRun *ghost = self->state != NULL ? self->state->ghost : NULL;
  guint n = g_list_model_get_n_items (self->list);

  for (guint i = 0; i < self->runs->len; i++)
    g_ptr_array_add (wanted, goban_run_ref (g_ptr_array_index (self->runs, i)));
  if (wanted->len == 0 && ghost != NULL && is_listed (self, ghost))
    g_ptr_array_add (wanted, goban_run_ref (ghost));
  /* A plan that takes as long as the current one is often the same plan. */
  for (guint i = 0; i < 2 * n && wanted->len == 0; i++)
    {
      GobanRun *run = goban_run_list_get (self->list, i % n);

      if (run != current
          && (i >= n || current == NULL
              || goban_run_get_makespan_us (run) != goban_run_get_makespan_us (current)))
        g_ptr_array_add (wanted, goban_run_ref (run));
    }
  if (wanted->len < 2 && current != NULL && !is_in (wanted, current))
    g_ptr_array_add (wanted, goban_run_ref (current));
  for (guint i = 0; i < n && wanted->len < 2; i++)
    {
      GobanRun *run = goban_run_list_get (self->list, i);

      if (!is_in (wanted, run))
        g_ptr_array_add (wanted, goban_run_ref (run));
    }
  if (wanted->len == 1 && goban_run_list_get (G_LIST_MODEL (self->others), 0) != NULL)
    g_ptr_array_insert (wanted, 0,
                        goban_run_ref (goban_run_list_get (G_LIST_MODEL (self->others), 0)));
  take_wanted (self, wanted, 0, 1);
}

/* In place of the pair's second. */
static void
take_current (GobanCompareSet *self)
{
  GobanRun *current = self->state != NULL ? self->state->current : NULL;
  GPtrArray *wanted;
  guint before = 0, after = 1;

  if (current == NULL || current == self->closed_with || is_in (self->runs, current)
      || !is_listed (self, current))
    return;
  find_pair (self, &before, &after);
  wanted = goban_run_array_copy (self->runs);
  goban_run_unref (wanted->pdata[after]);
  wanted->pdata[after] = goban_run_ref (current);
  take_wanted (self, wanted, before, after);
}

gboolean
goban_compare_set_is_open (GobanCompareSet *self)
{
  g_return_val_if_fail (GOBAN_IS_COMPARE_SET (self), FALSE);

  return self->is_open;
}

void
goban_compare_set_open (GobanCompareSet *self)
{
  g_return_if_fail (GOBAN_IS_COMPARE_SET (self));

  if (self->is_open)
    return;
  if (self->runs->len < 2)
    fill_up (self);
  else
    take_current (self);
  if (self->runs->len == 0)
    return;
  set_open (self, TRUE);
  log_show (self);
}

void
goban_compare_set_restore (GobanCompareSet *self, GobanRun *const *runs, guint n,
                           const guint pair[2], gboolean is_open)
{
  GPtrArray *wanted;

  g_return_if_fail (GOBAN_IS_COMPARE_SET (self) && n <= GOBAN_COMPARE_MAX);

  wanted = goban_run_array_new ();
  for (guint i = 0; i < n; i++)
    g_ptr_array_add (wanted, goban_run_ref (runs[i]));
  take_wanted (self, wanted, pair[0], pair[1]);
  self->closed_with = self->state != NULL ? self->state->current : NULL;
  set_open (self, is_open && self->runs->len > 0);
}

void
goban_compare_set_close (GobanCompareSet *self)
{
  g_return_if_fail (GOBAN_IS_COMPARE_SET (self));

  self->closed_with = self->state != NULL ? self->state->current : NULL;
  if (set_open (self, FALSE))
    goban_log_emit (self, "compare.close()");
}

/* --- the pair and the options --------------------------------------------------------------- */

gboolean
goban_compare_set_get_pair (GobanCompareSet *self, guint *before, guint *after)
{
  g_return_val_if_fail (GOBAN_IS_COMPARE_SET (self), FALSE);

  return find_pair (self, before, after);
}

/* Drops runs that are gone, so that indices of the set are indices of the chosen runs. */
static void
settle (GobanCompareSet *self)
{
  guint before = 0, after = 1;

  find_pair (self, &before, &after);
  for (guint i = self->wanted->len; i > 0; i--)
    if (!is_in (self->runs, g_ptr_array_index (self->wanted, i - 1)))
      g_ptr_array_remove_index (self->wanted, i - 1);
  self->pair[0] = before;
  self->pair[1] = after;
}

void
goban_compare_set_set_pair (GobanCompareSet *self, guint before, guint after)
{
  g_return_if_fail (GOBAN_IS_COMPARE_SET (self));
  g_return_if_fail (before != after && MAX (before, after) < self->runs->len);

  settle (self);
  if (self->pair[0] == before && self->pair[1] == after)
    return;

  self->pair[0] = before;
  self->pair[1] = after;
  goban_log_emit (self, "compare.pair(%u, %u)", before + 1, after + 1);
  tell (self, FALSE, TRUE);
}

void
goban_compare_set_swap (GobanCompareSet *self)
{
  gpointer *before, *after, run;

  g_return_if_fail (GOBAN_IS_COMPARE_SET (self));

  if (self->runs->len < 2)
    return;

  settle (self);
  before = &self->wanted->pdata[self->pair[0]];
  after = &self->wanted->pdata[self->pair[1]];
  run = *before;
  *before = *after;
  *after = run;
  before = &self->runs->pdata[self->pair[0]];
  after = &self->runs->pdata[self->pair[1]];
  run = *before;
  *before = *after;
  *after = run;
  goban_log_emit (self, "compare.swap()");
  tell (self, TRUE, TRUE);
}

/* --- the session ---------------------------------------------------------------------------- */

/* The successor of @run: the result of an edit, the run that an undo restored, or its plan on
 * another cluster. */
static GobanRun *
find_heir (GobanRun *run, const GobanState *last, const GobanState *next)
{
  if (next->ghost == run && next->current != NULL && !goban_state_has_run (last, next->current))
    return next->current;
  if (goban_state_has_run (next, run) || !goban_state_has_run (last, run))
    return NULL;
  if (last->current == run && last->ghost != NULL && goban_state_has_run (next, last->ghost))
    return last->ghost;
  for (guint i = 0; i < next->runs->len; i++)
    {
      GobanRun *heir = g_ptr_array_index (next->runs, i);

      if (!goban_state_has_run (last, heir)
          && g_str_equal (goban_run_get_name (heir), goban_run_get_name (run)))
        return heir;
    }
  return NULL;
}

void
goban_compare_set_follow (GobanCompareSet *self, const GobanState *last, GobanState *next)
{
  GPtrArray *wanted;

  g_return_if_fail (GOBAN_IS_COMPARE_SET (self));

  goban_state_ref (next);
  g_clear_pointer (&self->state, goban_state_unref);
  self->state = next;
  if (self->wanted->len == 0)
    return;

  wanted = goban_run_array_new ();
  for (guint i = 0; i < self->wanted->len; i++)
    {
      GobanRun *run = g_ptr_array_index (self->wanted, i);
      GobanRun *heir = find_heir (run, last, next);
      gboolean is_free = heir != NULL && !is_in (self->wanted, heir) && !is_in (wanted, heir);

      g_ptr_array_add (wanted, goban_run_ref (is_free ? heir : run));
    }
  take_wanted (self, wanted, self->pair[0], self->pair[1]);
}

void
goban_compare_set_reset (GobanCompareSet *self)
{
  g_return_if_fail (GOBAN_IS_COMPARE_SET (self));

  take_wanted (self, goban_run_array_new (), 0, 1);
}
