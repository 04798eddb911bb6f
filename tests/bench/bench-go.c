/* bench-go.c: cost of an update of the one-shot network by 16 rollouts on an 8-layer GNMT over
 * eight devices.
 *
 * Two ways to decide: "direct" with 512 rows, and "every" unit a row (the paper's preset).
 * Arguments are the ways to measure, all of them at first.
 *
 * Times are those of all threads' processors together. The number of updates that two processors
 * make in ten minutes is told from the calling thread, or from half of all threads where that is
 * longer: a busy machine does not disturb it.
 */
#include "engine/graph/workloads/workload.h"
#include "engine/learn/rl/go/learner.h"
#include "tests/bench/bench-clock.h"

#define FRACTION 0.5 /* elapsed share of a run: how much credit counts */

typedef struct
{
  const char *name;
  const char *settings;
  guint n_updates;
} Case;

static const Case cases[] = {
  { "direct", "preset=goban,rollouts=16,rows=512", 8 },
  { "every", "preset=paper", 1 },
};

typedef struct
{
  const Case *what;
  GobanGoSettings settings;
  GobanProblem *problem;
  GobanLearner *learner;
  GobanSearch search;
  GobanBaseline baseline;
} Bench;

static void
print (const Bench *self, const char *what, double value, const char *unit)
{
  printf ("go-%s-%s %.4g %s\n", self->what->name, what, value, unit);
  fflush (stdout);
}

static void
begin (Bench *self, GobanCostModel *costs, const GobanPlacerOptions *options)
{
  GobanProblemOptions how = { 0 };
  double start_ms = process_ms ();
  GobanRng rng;

  if (!goban_go_settings_parse (&self->settings, self->what->settings, NULL)) /* ours */
    g_assert_not_reached ();
  how.n_rows = self->settings.n_rows;
  how.decisions = self->settings.net.decisions;
  how.ranks_alike = self->settings.order != GOBAN_GO_ORDER_FIFO;
  self->problem = goban_problem_new (costs, &how, NULL, NULL); /* anything runs on a P100 */
  print (self, "problem", (process_ms () - start_ms) / 1e3, "cpu-s");

  goban_rng_init (&rng, 1);
  self->learner
      = goban_learner_new (goban_net_new (&self->settings.net, &rng), &self->settings.ppo, 1);
  goban_search_begin (&self->search, options, G_MAXUINT32);
}

static void
end (Bench *self)
{
  goban_search_clear (&self->search);
  goban_learner_free (self->learner);
  goban_problem_free (self->problem);
}

static void
update (Bench *self)
{
  GobanUpdate how;
  gboolean is_done = goban_learner_update (self->learner, self->problem, &self->baseline,
                                           &self->search, FRACTION, &how, NULL);

  g_assert_true (is_done); /* everything is finite */
}

static void
measure_updates (Bench *self)
{
  double start_ms = process_ms (), own_start_ms = cpu_ms ();
  double update_s, own_s;

  for (guint i = 0; i < self->what->n_updates; i++)
    update (self);
  update_s = (process_ms () - start_ms) / 1e3 / self->what->n_updates;
  own_s = (cpu_ms () - own_start_ms) / 1e3 / self->what->n_updates;
  print (self, "update", update_s, "cpu-s");
  print (self, "updates", 600 / MAX (own_s, update_s / 2), "in-ten-minutes");
}

static gboolean
is_wanted (const char *name, int argc, char **argv)
{
  for (int i = 1; i < argc; i++)
    if (strcmp (argv[i], name) == 0)
      return TRUE;
  return argc == 1;
}

int
main (int argc, char **argv)
{
  g_autoptr (GobanGraph) graph
      = goban_workload_generate ("gnmt:layers=8", NULL); /* a spec of ours */
  g_autoptr (GobanCluster) cluster = goban_cluster_new_from_spec ("p100x8", NULL); /* likewise */
  g_autoptr (GobanCostModel) costs = goban_cost_model_new (graph, cluster, GOBAN_EXECUTION_EVENTS);
  GobanPlacerOptions options = { .seed = 1 };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      Bench bench = { .what = &cases[i] };

      if (!is_wanted (cases[i].name, argc, argv))
        continue;
      begin (&bench, costs, &options);
      measure_updates (&bench);
      /* The most so far: cases are in the order of their size. */
      print (&bench, "memory", memory_mb ("/proc/self/status", "VmHWM"), "MB");
      end (&bench);
    }
  return 0;
}
