#include "engine/study/run/run.h"

#include "engine/core/quantity.h"
#include "engine/sim/simulator.h"
#include "engine/sim/trace-json.h"
#include "engine/study/run/run-origin.h"
#include "engine/study/run/run-private.h"

#include <math.h>
#include <string.h>

/* --- origins and sources ---------------------------------------------------------------------- */

/* Lock of all sources: a run is made or dropped seldom, and each time for a few instructions. */
static GMutex mutex;

/* No origin. (transfer full) */
static GobanRunSource *
run_source_new (GobanCostModel *costs, GobanPlan *plan, const char *name)
{
  GobanRunSource *self = g_new0 (GobanRunSource, 1);
  const char *policy = goban_plan_get_policy (plan);

  g_atomic_ref_count_init (&self->ref_count);
  /* Often a file's, whose bytes need not be UTF-8; pictures, lists and files of sessions are. */
  self->name = g_utf8_make_valid (name != NULL ? name : *policy != '\0' ? policy : "plan", -1);
  self->costs = goban_cost_model_ref (costs);
  self->plan = goban_plan_ref (plan);
  self->improvements = g_array_new (FALSE, FALSE, sizeof (GobanImprovement));
  self->origin.improvements = self->improvements;
  return self;
}

void
goban_run_source_set_request (GobanRunSource *self, GobanRunOptions *request,
                              const GobanForcedDecision *forced)
{
  self->origin.request = request != NULL ? g_atomic_rc_box_acquire (request) : NULL;
  self->forced_of = g_strdup (forced->of);
  self->origin.forced = *forced;
  self->origin.forced.of = self->forced_of;
}

GobanRunSource *
goban_run_source_ref (GobanRunSource *self)
{
  if (self != NULL)
    g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
goban_run_source_unref (GobanRunSource *self)
{
  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;

  g_clear_pointer (&self->origin.decisions, goban_decisions_unref);
  g_array_unref (self->improvements);
  g_free (self->expression);
  g_free (self->forced_of);
  g_clear_pointer (&self->origin.request, goban_run_options_release);
  g_clear_pointer (&self->recorded, goban_trace_unref);
  goban_plan_unref (self->plan);
  goban_cost_model_unref (self->costs);
  g_free (self->name);
  g_free (self);
}

GobanRunSource *
goban_run_get_source (GobanRun *run)
{
  g_return_val_if_fail (run != NULL, NULL);

  return run->source;
}

/* With the mutex. A run without references waits for it, to be dropped. */
static GobanRun *
take_run (GobanRunSource *self)
{
  gint n = self->run != NULL ? g_atomic_int_get (&self->run->ref_count) : 0;

  while (n > 0 && !g_atomic_int_compare_and_exchange (&self->run->ref_count, n, n + 1))
    n = g_atomic_int_get (&self->run->ref_count);
  return n > 0 ? self->run : NULL;
}

GobanRun *
goban_run_source_peek_run (GobanRunSource *self)
{
  GobanRun *run;

  g_return_val_if_fail (self != NULL, NULL);

  g_mutex_lock (&mutex);
  run = take_run (self);
  g_mutex_unlock (&mutex);
  return run;
}

/* The source's run, which is @trace (transfer full) or, if the source has got one meanwhile, that.
 * (transfer full) */
static GobanRun *
run_source_take_trace (GobanRunSource *self, GobanTrace *trace)
{
  GobanRun *run;

  g_mutex_lock (&mutex);
  run = take_run (self);
  if (run == NULL)
    {
      run = self->run = g_new0 (GobanRun, 1);
      run->ref_count = 1;
      run->source = goban_run_source_ref (self);
      run->parts = (GobanRunParts){ .graph = goban_cost_model_get_graph (self->costs),
                                    .cluster = goban_cost_model_get_cluster (self->costs),
                                    .costs = self->costs,
                                    .plan = self->plan,
                                    .trace = goban_trace_ref (trace) };
    }
  g_mutex_unlock (&mutex);
  goban_trace_unref (trace);
  return run;
}

GobanRun *
goban_run_source_get_run (GobanRunSource *self)
{
  GobanRun *run = goban_run_source_peek_run (self);

  if (run != NULL || self == NULL)
    return run;
  /* Views ask for it in the main thread. */
  if (goban_plan_is_fused (self->plan))
    goban_kept_bounds (self->costs, FALSE);
  return run_source_take_trace (self, self->recorded != NULL
                                          ? goban_trace_ref (self->recorded)
                                          : goban_simulate (self->costs, self->plan));
}

/* The last reference to its run is gone. */
static void
run_source_drop_run (GobanRunSource *self, GobanRun *run)
{
  g_mutex_lock (&mutex);
  if (self->run == run)
    self->run = NULL;
  g_mutex_unlock (&mutex);
}

GobanRun *
goban_run_new_recorded (GobanTrace *trace, const char *name)
{
  g_autoptr (GobanRunSource) source = NULL;

  g_return_val_if_fail (trace != NULL, NULL);

  source = run_source_new (goban_trace_get_costs (trace), goban_trace_get_plan (trace), name);
  source->recorded = goban_trace_ref (trace);
  return goban_run_source_get_run (source);
}

gboolean
goban_run_is_recorded (GobanRun *self)
{
  g_return_val_if_fail (self != NULL, FALSE);

  return self->source->recorded != NULL;
}

char *
goban_run_dup_plan_name (GobanRun *self)
{
  const char *name = goban_run_get_name (self);

  if (!goban_run_is_recorded (self) || !g_str_has_suffix (name, GOBAN_MEASURED_SUFFIX))
    return g_strdup (name);
  return g_strndup (name, strlen (name) - strlen (GOBAN_MEASURED_SUFFIX));
}

static G_DEFINE_QUARK (goban_run_derivation, derivation)

    static void derivation_free (gpointer data)
{
  GobanDerivation *derivation = data;

  g_free (derivation->name);
  g_free (derivation->code);
  g_free (derivation);
}

void
goban_run_set_derivation (GobanRun *run, const char *name, const char *code)
{
  GobanDerivation *derivation;

  g_return_if_fail (run != NULL && name != NULL && code != NULL);

  derivation = g_new (GobanDerivation, 1);
  derivation->name = g_strdup (name);
  derivation->code = g_strdup (code);
  goban_run_keep_derived (run, derivation_quark (), derivation, derivation_free);
}

const GobanDerivation *
goban_run_get_derivation (GobanRun *run)
{
  g_return_val_if_fail (run != NULL, NULL);

  return goban_run_get_derived (run, derivation_quark ());
}

static gboolean
is_optimal (double makespan_us, double proven_bound_us)
{
  return proven_bound_us > 0 && makespan_us <= proven_bound_us * (1 + GOBAN_PROOF_TOLERANCE);
}

char *
goban_describe_proof (double makespan_us, double proven_bound_us, double bound_us)
{
  char share[GOBAN_QUANTITY_LEN];
  double percent;

  if (!(proven_bound_us > 0) || !isfinite (proven_bound_us) || !isfinite (makespan_us))
    return NULL;
  if (is_optimal (makespan_us, proven_bound_us))
    return g_strdup (is_optimal (makespan_us, bound_us)
                         ? "optimal (proven)"
                         : "optimal among non-delay schedules (proven)");

  percent = (makespan_us / proven_bound_us - 1) * 100;
  /* Rounded up: it says “within”. */
  g_ascii_formatd (share, sizeof share, "%.1f", fmax (ceil (percent * 10 - 1e-6), 1) / 10);
  return g_strdup_printf ("within %s %% of the proven bound%s", share,
                          proven_bound_us > bound_us ? " of non-delay schedules" : "");
}

GobanRun *
goban_run_new_kept (GobanCostModel *costs, GobanPlan *plan, const char *name,
                    const GobanRunOrigin *origin)
{
  GobanRun *self = goban_run_new (costs, plan, name);
  GobanRunOrigin *own;

  if (self == NULL)
    return NULL;
  own = &self->source->origin;
  own->seed = origin->seed;
  if (origin->evaluations > 0)
    {
      own->evaluations = origin->evaluations;
      own->seconds = origin->seconds;
    }
  if (origin->improvements != NULL && origin->improvements->len > 0)
    g_array_append_vals (self->source->improvements, origin->improvements->data,
                         origin->improvements->len);
  if (origin->decisions != NULL)
    own->decisions = goban_decisions_ref (origin->decisions);
  own->is_within = origin->is_within;
  own->moment = origin->moment;
  self->source->expression = g_strdup (origin->expression);
  own->expression = self->source->expression;
  goban_run_source_set_request (self->source, origin->request, &origin->forced);
  return self;
}

GobanRun *
goban_run_new_within (GobanRun *run, GobanPlan *plan, const char *name, GobanMoment moment,
                      gboolean is_unfinished)
{
  g_autoptr (GobanRunSource) source = NULL;

  g_return_val_if_fail (run != NULL, NULL);

  source = run_source_new (run->parts.costs, plan, name);
  source->origin.seed = run->source->origin.seed;
  source->origin.evaluations = run->source->origin.evaluations;
  source->origin.decisions = goban_decisions_ref (run->source->origin.decisions);
  source->origin.is_within = TRUE;
  source->origin.moment = moment;
  source->is_unfinished = is_unfinished;
  goban_run_source_set_request (source, run->source->origin.request, &run->source->origin.forced);
  return run_source_take_trace (source, goban_trace_ref (run->parts.trace));
}

double
goban_run_get_proven_bound_us (GobanRun *self)
{
  g_return_val_if_fail (self != NULL, 0);

  if (self->source->recorded != NULL)
    return 0;
  return goban_plan_get_proven_bound_us (self->parts.plan, self->parts.costs);
}

char *
goban_run_describe_proof (GobanRun *self)
{
  double proven_us, bound_us;

  g_return_val_if_fail (self != NULL, NULL);

  if (!goban_trace_is_valid (self->parts.trace))
    return NULL;
  proven_us = goban_run_get_proven_bound_us (self);
  bound_us = goban_trace_get_bounds (self->parts.trace)->bound_us;
  return goban_describe_proof (goban_trace_get_makespan (self->parts.trace), proven_us, bound_us);
}

GobanDecisions *
goban_run_get_decisions (GobanRun *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->source->origin.decisions;
}

void
goban_run_origin_set_decisions (GobanRunOrigin *self, GobanRun *run)
{
  const GobanRunOrigin *origin = &run->source->origin;

  self->decisions = origin->decisions;
  self->is_within = origin->is_within;
  self->moment = origin->moment;
}

GobanMoment
goban_run_get_moment (GobanRun *self)
{
  const GobanRunOrigin *origin;

  g_return_val_if_fail (self != NULL, 0);

  origin = &self->source->origin;
  if (origin->decisions == NULL || origin->is_within)
    return origin->moment;
  return goban_decisions_get_last (origin->decisions);
}

gboolean
goban_run_is_unfinished (GobanRun *self)
{
  g_return_val_if_fail (self != NULL, FALSE);

  return self->source->is_unfinished;
}

guint64
goban_run_get_best_evaluation (GobanRun *self)
{
  const GArray *steps;

  g_return_val_if_fail (self != NULL, 0);

  steps = self->source->origin.improvements;
  return steps->len > 0 ? g_array_index (steps, GobanImprovement, steps->len - 1).evaluation : 0;
}

const GobanRunOrigin *
goban_run_get_origin (GobanRun *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return &self->source->origin;
}

/* (n_nodes + 1), of which the last is 0 if no other is known. */
static float *
find_entropies (const GobanDecisions *decisions, GobanMoment until)
{
  guint n_nodes = goban_decisions_get_n_nodes (decisions);
  float *entropies = g_new (float, n_nodes + 1);

  for (guint v = 0; v < n_nodes; v++)
    entropies[v] = (float) NAN;
  entropies[n_nodes] = 0;
  for (GobanMoment m = until; m > 0; m = goban_decisions_get_previous (decisions, m))
    {
      GobanDecision decision;

      if (!goban_decisions_get (decisions, m, NULL, &decision)
          || decision.task != GOBAN_TASK_PLACEMENT || isnan (decision.entropy))
        continue;
      entropies[n_nodes] = 1;
      for (guint k = 0; k < decision.n_nodes; k++)
        if (isnan (entropies[decision.nodes[k]]))
          entropies[decision.nodes[k]] = decision.entropy;
    }
  return entropies;
}

const float *
goban_run_get_entropies (GobanRun *run)
{
  GQuark key = g_quark_from_static_string ("goban-run-entropies");
  const GobanDecisions *decisions = goban_run_get_decisions (run);
  const float *entropies = goban_run_get_derived (run, key);

  if (decisions == NULL)
    return NULL;
  if (entropies == NULL)
    entropies = goban_run_keep_derived (
        run, key, find_entropies (decisions, goban_run_get_moment (run)), g_free);
  return entropies[goban_decisions_get_n_nodes (decisions)] > 0 ? entropies : NULL;
}

static const char *
keep_text (GStringChunk *texts, const char *text)
{
  return text != NULL ? g_string_chunk_insert (texts, text) : NULL;
}

GobanRunOptions
goban_run_options_dup (const GobanRunOptions *options)
{
  GobanRunOptions copy = { 0 };

  if (options == NULL)
    return copy;
  copy = *options;
  copy.progress = NULL;
  copy.finish = NULL;
  copy.force = NULL;
  copy.expected = NULL;
  copy.feed = NULL;
  copy.texts = g_string_chunk_new (64);
  copy.network = keep_text (copy.texts, options->network);
  copy.settings = keep_text (copy.texts, options->settings);
  copy.expression = keep_text (copy.texts, options->expression);
  copy.name = keep_text (copy.texts, options->name);
  if (copy.start != NULL)
    goban_plan_ref (copy.start);
  if (copy.pinned != NULL)
    goban_selection_ref (copy.pinned);
  if (copy.pinned_by != NULL)
    goban_plan_ref (copy.pinned_by);
  if (copy.learning != NULL)
    goban_training_log_ref (copy.learning);
  return copy;
}

void
goban_run_options_clear (GobanRunOptions *self)
{
  g_clear_pointer (&self->texts, g_string_chunk_free);
  g_clear_pointer (&self->start, goban_plan_unref);
  g_clear_pointer (&self->pinned, goban_selection_unref);
  g_clear_pointer (&self->pinned_by, goban_plan_unref);
  g_clear_pointer (&self->learning, goban_training_log_unref);
  *self = (GobanRunOptions){ 0 };
}

GobanRunOptions *
goban_run_options_share (const GobanRunOptions *options)
{
  GobanRunOptions *self = g_atomic_rc_box_new0 (GobanRunOptions);
  GobanRunOptions own = *options;

  own.learning = NULL;
  *self = goban_run_options_dup (&own);
  return self;
}

void
goban_run_options_release (GobanRunOptions *self)
{
  g_atomic_rc_box_release_full (self, (GDestroyNotify) goban_run_options_clear);
}

G_DEFINE_BOXED_TYPE (GobanRun, goban_run, goban_run_ref, goban_run_unref)

GobanRun *
goban_run_simulate (GobanCostModel *costs, GobanPlan *plan, const char *name, gint64 started_us,
                    guint64 evaluations)
{
  g_autoptr (GobanRunSource) source = run_source_new (costs, plan, name);
  GobanRun *self = goban_run_source_get_run (source);

  source->origin.evaluations = MAX (evaluations, 1);
  source->origin.seconds = (g_get_monotonic_time () - started_us) / 1e6;
  return self;
}

GobanRun *
goban_run_new (GobanCostModel *costs, GobanPlan *plan, const char *name)
{
  g_return_val_if_fail (costs != NULL && plan != NULL, NULL);

  return goban_run_simulate (costs, plan, name, g_get_monotonic_time (), 0);
}

GobanRun *
goban_run_ref (GobanRun *self)
{
  if (self != NULL)
    g_atomic_int_inc (&self->ref_count);
  return self;
}

void
goban_run_unref (GobanRun *self)
{
  g_return_if_fail (self != NULL);

  if (!g_atomic_int_dec_and_test (&self->ref_count))
    return;

  run_source_drop_run (self->source, self);
  g_datalist_clear (&self->derived);
  goban_trace_unref (self->parts.trace);
  goban_run_source_unref (self->source);
  g_free (self);
}

gboolean
goban_run_set (GobanRun **slot, GobanRun *run)
{
  GobanRun *last = *slot;

  if (last == run)
    return FALSE;

  *slot = goban_run_ref (run);
  if (last != NULL)
    goban_run_unref (last);
  return TRUE;
}

gboolean
goban_run_save_trace (GobanRun *self, const char *path, GError **error)
{
  g_return_val_if_fail (self != NULL, FALSE);

  return goban_trace_save (self->parts.trace, path, error);
}

/* --- derived values --------------------------------------------------------------------------- */

gpointer
goban_run_get_derived (GobanRun *self, GQuark key)
{
  g_return_val_if_fail (self != NULL, NULL);

  return g_datalist_id_get_data (&self->derived, key);
}

gpointer
goban_run_keep_derived (GobanRun *self, GQuark key, gpointer value, GDestroyNotify destroy)
{
  g_return_val_if_fail (self != NULL && value != NULL, NULL);

  if (g_datalist_id_replace_data (&self->derived, key, NULL, value, destroy, NULL))
    return value;
  destroy (value);
  return g_datalist_id_get_data (&self->derived, key);
}

/* --- getters ---------------------------------------------------------------------------------- */

const GobanRunParts *
goban_run_get_parts (GobanRun *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return &self->parts;
}

const char *
goban_run_get_name (GobanRun *self)
{
  const char *name;

  g_return_val_if_fail (self != NULL, NULL);

  name = g_atomic_pointer_get (&self->source->new_name);
  return name != NULL ? name : self->source->name;
}

void
goban_run_rename (GobanRun *self, const char *name)
{
  g_return_if_fail (self != NULL && name != NULL);

  g_atomic_pointer_set (&self->source->new_name, g_intern_string (name));
}

GobanGraph *
goban_run_get_graph (GobanRun *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->parts.graph;
}

GobanCluster *
goban_run_get_cluster (GobanRun *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->parts.cluster;
}

GobanCostModel *
goban_run_get_costs (GobanRun *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->parts.costs;
}

GobanPlan *
goban_run_get_plan (GobanRun *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->parts.plan;
}

GobanTrace *
goban_run_get_trace (GobanRun *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->parts.trace;
}

double
goban_run_get_makespan_us (GobanRun *self)
{
  g_return_val_if_fail (self != NULL, (double) NAN);

  return goban_trace_get_makespan (self->parts.trace);
}

static double
get_ratio (GobanRun *self, const GobanBounds *bounds)
{
  double makespan_us = goban_run_get_makespan_us (self);

  return bounds->bound_us > 0 && isfinite (bounds->bound_us) && isfinite (makespan_us)
             ? makespan_us / bounds->bound_us
             : (double) NAN;
}

double
goban_run_get_ratio (GobanRun *self)
{
  return get_ratio (self, goban_trace_get_bounds (self->parts.trace));
}

double
goban_run_get_unfused_ratio (GobanRun *self)
{
  return get_ratio (self, goban_kept_bounds (self->parts.costs, FALSE));
}

double
goban_run_get_peak_bytes (GobanRun *self)
{
  const GobanDeviceUse *uses = goban_trace_get_uses (self->parts.trace);
  double peak_bytes = 0;

  for (guint d = 0; d < goban_cluster_get_n_devices (self->parts.cluster); d++)
    peak_bytes = MAX (peak_bytes, uses[d].peak_bytes);
  return peak_bytes;
}

int
goban_run_compare (gconstpointer a, gconstpointer b)
{
  const GobanRun *left = a, *right = b;
  gboolean left_valid = goban_trace_is_valid (left->parts.trace);
  gboolean right_valid = goban_trace_is_valid (right->parts.trace);
  double left_us = goban_trace_get_makespan (left->parts.trace);
  double right_us = goban_trace_get_makespan (right->parts.trace);

  if (left_valid != right_valid)
    return left_valid ? -1 : 1;
  if (left_us != right_us)
    return left_us < right_us ? -1 : 1;
  return strcmp (goban_run_get_name ((GobanRun *) left), goban_run_get_name ((GobanRun *) right));
}
