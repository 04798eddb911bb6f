#include "engine/sim/evaluator.h"

#include "engine/core/parallel.h"

struct _GobanEvaluator
{
  guint n_threads;
  GobanSimulator **simulators; /* (n_threads) the first is the caller's own */
  GThreadPool *helpers;        /* NULL with one thread */

  /* the running batch, constant while a thread works on it */
  GobanPlan *const *plans;
  const double *limits_us; /* or NULL */
  GobanOutcome *outcomes;  /* or NULL */
  GobanTrace **traces;     /* or NULL */
  guint n_plans;
  int next; /* atomic: the first plan not yet taken; setting it publishes the batch */

  GMutex lock;
  GCond all_done; /* signalled under lock */
  int n_working;  /* atomic: helpers that have not finished the batch */
};

/* The assignment of plans to threads is random; the results are not. */
static void
work_off (GobanEvaluator *self, GobanSimulator *simulator)
{
  guint i;

  while ((i = (guint) g_atomic_int_add (&self->next, 1)) < self->n_plans)
    if (self->traces != NULL)
      self->traces[i] = goban_simulator_run (simulator, self->plans[i]);
    else if (self->limits_us != NULL)
      self->outcomes[i]
          = goban_simulator_evaluate_within (simulator, self->plans[i], self->limits_us[i]);
    else
      self->outcomes[i] = goban_simulator_evaluate (simulator, self->plans[i]);
}

static void
help_worker (gpointer data, gpointer user_data)
{
  GobanEvaluator *self = user_data;

  work_off (self, data);
  g_mutex_lock (&self->lock);
  if (g_atomic_int_dec_and_test (&self->n_working))
    g_cond_signal (&self->all_done);
  g_mutex_unlock (&self->lock);
}

GobanEvaluator *
goban_evaluator_new (GobanCostModel *costs, guint n_threads)
{
  GobanEvaluator *self = g_new0 (GobanEvaluator, 1);

  self->n_threads = n_threads > 0 ? n_threads : goban_parallel_get_max_threads ();
  self->simulators = g_new (GobanSimulator *, self->n_threads);
  for (guint i = 0; i < self->n_threads; i++)
    self->simulators[i] = goban_simulator_new (costs);
  g_mutex_init (&self->lock);
  g_cond_init (&self->all_done);
  /* A pool that shares its threads cannot fail to start. */
  if (self->n_threads > 1)
    self->helpers = g_thread_pool_new (help_worker, self, (int) self->n_threads - 1, FALSE, NULL);
  return self;
}

void
goban_evaluator_free (GobanEvaluator *self)
{
  if (self->helpers != NULL)
    g_thread_pool_free (self->helpers, FALSE, TRUE);
  for (guint i = 0; i < self->n_threads; i++)
    goban_simulator_free (self->simulators[i]);
  g_mutex_clear (&self->lock);
  g_cond_clear (&self->all_done);
  g_free (self->simulators);
  g_free (self);
}

guint
goban_evaluator_get_n_threads (const GobanEvaluator *self)
{
  return self->n_threads;
}

/* Runs the batch; plans and outputs are set. */
static void
work_together (GobanEvaluator *self)
{
  guint n_helpers = MIN (self->n_threads, self->n_plans);

  n_helpers = n_helpers > 0 ? n_helpers - 1 : 0;
  g_atomic_int_set (&self->n_working, (int) n_helpers);
  g_atomic_int_set (&self->next, 0);
  for (guint i = 0; i < n_helpers; i++)
    g_thread_pool_push (self->helpers, self->simulators[i + 1], NULL);

  work_off (self, self->simulators[0]);
  g_mutex_lock (&self->lock);
  while (g_atomic_int_get (&self->n_working) > 0)
    g_cond_wait (&self->all_done, &self->lock);
  g_mutex_unlock (&self->lock);
}

void
goban_evaluator_evaluate (GobanEvaluator *self, GobanPlan *const *plans, guint n_plans,
                          GobanOutcome *outcomes)
{
  goban_evaluator_evaluate_within (self, plans, n_plans, NULL, outcomes);
}

void
goban_evaluator_evaluate_within (GobanEvaluator *self, GobanPlan *const *plans, guint n_plans,
                                 const double *limits_us, GobanOutcome *outcomes)
{
  self->plans = plans;
  self->n_plans = n_plans;
  self->limits_us = limits_us;
  self->outcomes = outcomes;
  self->traces = NULL;
  work_together (self);
}

void
goban_evaluator_run (GobanEvaluator *self, GobanPlan *const *plans, guint n_plans,
                     GobanTrace **traces)
{
  self->plans = plans;
  self->n_plans = n_plans;
  self->outcomes = NULL;
  self->traces = traces;
  work_together (self);
}

GobanOutcome
goban_outcome_of_trace (const GobanTrace *trace)
{
  return (GobanOutcome){ .makespan_us = goban_trace_get_makespan (trace),
                         .overflow_bytes = goban_trace_get_overflow_bytes (trace) };
}

int
goban_outcome_compare (const GobanOutcome *a, const GobanOutcome *b)
{
  if (a->overflow_bytes != b->overflow_bytes)
    return a->overflow_bytes < b->overflow_bytes ? -1 : 1;
  return (a->makespan_us > b->makespan_us) - (a->makespan_us < b->makespan_us);
}
