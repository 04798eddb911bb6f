#include "engine/study/bench/bench-pace.h"

/* Assumed cost of a node in a policy's own pass, and in one simulation, before anything is
 * measured. */
#define GUESS_PASS_S 20e-6
#define GUESS_SIMULATION_S 0.5e-6
/* Learning takes its time beside the simulations. */
#define GUESS_LEARNING 10
/* Below this share of a cell its own progress says little. */
#define MIN_FRACTION 0.05

typedef struct
{
  const GobanPlacer *placer;
  double timed_s;        /* of cells that ran */
  double timed_nodes;    /* of the same */
  double expected_nodes; /* of cells that are still to run */
  guint n_expected;
} Pace;

struct _GobanBenchPace
{
  Pace *policies; /* (n_policies) */
  guint n_policies;
  const GobanPlacerOptions *budget;
  const GobanProgress *outer;
  GobanProgress inner;
  gint64 started_us;

  guint n_cells;
  guint n_done;
  /* the cell that runs */
  Pace *current;
  guint n_nodes;
  char *what;
  gint64 cell_started_us;
  double fraction; /* negative if the policy does not say */
};

/* --- guessing ------------------------------------------------------------------------------ */

static double
guess_s (const GobanBenchPace *self, const GobanPlacer *placer)
{
  guint64 evaluations = self->budget->max_evaluations > 0 ? self->budget->max_evaluations
                                                          : placer->default_evaluations;

  if (placer->effort == GOBAN_EFFORT_QUICK)
    return GUESS_PASS_S;
  return GUESS_PASS_S
         + (double) evaluations * GUESS_SIMULATION_S
               * (placer->effort == GOBAN_EFFORT_LEARNED ? GUESS_LEARNING : 1);
}

/* Estimated time of @n cells of @n_nodes together. */
static double
expect_s (const GobanBenchPace *self, const Pace *pace, double n_nodes, guint n)
{
  double per_node_s
      = pace->timed_nodes > 0 ? pace->timed_s / pace->timed_nodes : guess_s (self, pace->placer);
  double expected_s = per_node_s * n_nodes;

  if (self->budget->max_seconds > 0 && pace->placer->effort != GOBAN_EFFORT_QUICK)
    expected_s = MIN (expected_s, self->budget->max_seconds * n);
  return expected_s;
}

double
goban_bench_pace_get_left (const GobanBenchPace *self)
{
  double left_s = 0;

  for (guint i = 0; i < self->n_policies; i++)
    left_s += expect_s (self, &self->policies[i], self->policies[i].expected_nodes,
                        self->policies[i].n_expected);
  if (self->current != NULL)
    {
      double spent_s = (double) (g_get_monotonic_time () - self->cell_started_us) / 1e6;

      if (self->fraction > MIN_FRACTION)
        left_s += spent_s * (1 - self->fraction) / self->fraction;
      else
        left_s += MAX (expect_s (self, self->current, self->n_nodes, 1) - spent_s, 0);
    }
  return left_s;
}

/* --- telling ------------------------------------------------------------------------------- */

static void
tell (GobanBenchPace *self)
{
  double spent_s = (double) (g_get_monotonic_time () - self->started_us) / 1e6;
  double left_s = goban_bench_pace_get_left (self);
  g_autofree char *what = NULL;

  if (self->outer == NULL || self->outer->on_step == NULL)
    return;
  what = g_strdup_printf ("%s, %u of %u", self->what, MIN (self->n_done + 1, self->n_cells),
                          self->n_cells);
  goban_progress_step (self->outer, spent_s + left_s > 0 ? spent_s / (spent_s + left_s) : 0, what);
}

static void
step_cb (double fraction, const char *what, gpointer user_data)
{
  GobanBenchPace *self = user_data;

  self->fraction = MIN (fraction, 1);
  tell (self);
}

static gboolean
stop_cb (gpointer user_data)
{
  const GobanProgress *outer = ((GobanBenchPace *) user_data)->outer;

  return outer != NULL && outer->should_stop != NULL && outer->should_stop (outer->user_data);
}

/* --- public -------------------------------------------------------------------------------- */

GobanBenchPace *
goban_bench_pace_new (const GobanPlacer *const *placers, guint n_policies,
                      const GobanPlacerOptions *budget, const GobanProgress *outer)
{
  GobanBenchPace *self = g_new0 (GobanBenchPace, 1);

  self->policies = g_new0 (Pace, n_policies);
  self->n_policies = n_policies;
  for (guint i = 0; i < n_policies; i++)
    self->policies[i].placer = placers[i];
  self->budget = budget;
  self->outer = outer;
  self->inner = (GobanProgress){ step_cb, stop_cb, self };
  self->started_us = g_get_monotonic_time ();
  self->what = g_strdup ("");
  self->fraction = -1;
  return self;
}

void
goban_bench_pace_free (GobanBenchPace *self)
{
  g_free (self->policies);
  g_free (self->what);
  g_free (self);
}

void
goban_bench_pace_expect (GobanBenchPace *self, guint policy, guint n_nodes, guint n_cells)
{
  g_return_if_fail (policy < self->n_policies);

  self->policies[policy].expected_nodes += (double) n_nodes * n_cells;
  self->policies[policy].n_expected += n_cells;
  self->n_cells += n_cells;
}

const GobanProgress *
goban_bench_pace_get_progress (GobanBenchPace *self)
{
  return &self->inner;
}

void
goban_bench_pace_begin (GobanBenchPace *self, guint policy, guint n_nodes, const char *what)
{
  Pace *pace = &self->policies[policy];

  g_return_if_fail (policy < self->n_policies && pace->n_expected > 0);

  pace->expected_nodes = MAX (pace->expected_nodes - n_nodes, 0);
  pace->n_expected--;
  self->current = pace;
  self->n_nodes = n_nodes;
  self->fraction = -1;
  self->cell_started_us = g_get_monotonic_time ();
  g_free (self->what);
  self->what = g_strdup (what);
  tell (self);
}

void
goban_bench_pace_end (GobanBenchPace *self, double seconds)
{
  g_return_if_fail (self->current != NULL);

  self->current->timed_s += seconds;
  self->current->timed_nodes += self->n_nodes;
  self->current = NULL;
  self->n_done++;
}
