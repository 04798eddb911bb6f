/* bench-go.c: cost of a GO update of 16 rollouts on an 8-layer GNMT over eight devices, in total
 * and by part.
 *
 * Three ways to decide: "improve" a plan on boards that are drawn from it, "direct" with 512 rows,
 * and "every" unit a row (the paper's preset). Arguments are the ways to measure, all of them at
 * first.
 *
 * Times are those of all threads' processors together. First whole updates, then their parts one by
 * one: how often an update has each is counted here, so "rest" is what none of them covers. What
 * two processors make in ten minutes is told from the calling thread, or from half of all threads
 * where that is longer: a busy machine does not disturb it.
 */
#include "engine/graph/workloads/workload.h"
#include "engine/learn/rl/go/go-settings.h"
#include "engine/learn/rl/go/rollouts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#define N_ROLLOUTS 16
#define FRACTION                                                                                   \
  0.5 /* of a run that is behind: how fine boards are by then, and how much credit counts */

typedef struct
{
  const char *name;
  const char *settings;
  guint n_updates;
} Case;

static const Case cases[] = {
  { "improve", "preset=goban,rollouts=16", 24 },
  { "direct", "preset=goban,rollouts=16,direct=1", 8 },
  { "every", "preset=paper", 1 },
};

typedef struct
{
  const Case *what;
  GobanGoSettings settings;
  GobanProblem *problem;
  GobanLearner *learner;
  GobanSearch search;
  GobanIncumbent incumbent;
  GobanBaseline baseline;
} Bench;

/* Seconds of an update. */
typedef struct
{
  double board_s;
  double embed_s;
  double decide_s;
  double draw_s;
  double plans_s;
  double simulate_s;
  double decide_back_s;
  double embed_back_s;
} Parts;

static double
read_clock (clockid_t clock)
{
  struct timespec now;

  clock_gettime (clock, &now);
  return (double) now.tv_sec + (double) now.tv_nsec * 1e-9;
}

static double
all_s (void)
{
  return read_clock (CLOCK_PROCESS_CPUTIME_ID);
}

/* Since *mark, which becomes now. */
static double
lap_s (double *mark)
{
  double before = *mark;

  *mark = all_s ();
  return *mark - before;
}

static void
print (const Bench *self, const char *what, double value, const char *unit)
{
  printf ("go-%s-%s %.4g %s\n", self->what->name, what, value, unit);
  fflush (stdout);
}

static gboolean
improves (const Bench *self)
{
  return self->settings.direct < 1;
}

/* --- whole updates -------------------------------------------------------------------------- */

static void
begin (Bench *self, GobanCostModel *costs, const GobanPlacerOptions *options)
{
  GobanProblemOptions how = { 0 };
  double mark = all_s ();
  GobanRng rng;

  if (!goban_go_settings_parse (&self->settings, self->what->settings, NULL)) /* ours */
    g_assert_not_reached ();
  how.n_rows = self->settings.n_rows;
  how.decisions = self->settings.net.decisions;
  how.ranks_alike = self->settings.order != GOBAN_GO_ORDER_FIFO;
  self->problem = goban_problem_new (costs, &how, NULL, NULL); /* anything runs on a P100 */
  print (self, "problem", lap_s (&mark), "cpu-s");

  goban_rng_init (&rng, 1);
  self->learner
      = goban_learner_new (goban_net_new (&self->settings.net, &rng), &self->settings.ppo, 1);
  goban_search_begin (&self->search, options, G_MAXUINT32);
  mark = all_s ();
  if (improves (self))
    {
      goban_incumbent_begin (&self->incumbent, self->problem, self->settings.start, &self->search,
                             NULL); /* nobody cancels */
      print (self, "start", lap_s (&mark), "cpu-s");
    }
}

static void
end (Bench *self)
{
  goban_incumbent_clear (&self->incumbent);
  goban_search_clear (&self->search);
  goban_learner_free (self->learner);
  goban_problem_free (self->problem);
}

static void
update (Bench *self)
{
  GobanUpdate how;
  gboolean is_done
      = improves (self)
            ? goban_learner_improve (self->learner, self->problem, &self->incumbent,
                                     &self->baseline, &self->search, FRACTION, &how, NULL)
            : goban_learner_update (self->learner, self->problem, &self->baseline, &self->search,
                                    FRACTION, &how, NULL);

  g_assert_true (is_done); /* everything is finite */
}

/* Seconds of an update of N_ROLLOUTS, of all threads. */
static double
measure_updates (Bench *self)
{
  double mark = all_s (), own_s = read_clock (CLOCK_THREAD_CPUTIME_ID), update_s;

  for (guint i = 0; i < self->what->n_updates; i++)
    update (self);
  update_s = lap_s (&mark) / self->what->n_updates;
  own_s = (read_clock (CLOCK_THREAD_CPUTIME_ID) - own_s) / self->what->n_updates;
  print (self, "update", update_s, "cpu-s");
  print (self, "updates", 600 / MAX (own_s, update_s / 2), "in-ten-minutes");
  return update_s;
}

/* --- their parts ---------------------------------------------------------------------------- */

/* Boards as fine as an update of the run's middle draws them: the share of the way, in [0, 1]. */
static GobanBoard *
new_board (Bench *self, double share)
{
  double most = self->settings.ppo.n_rows;
  guint n_wanted = (guint) (16 * pow (most / 16, 0.8 * share));

  return goban_refiner_new_board (goban_problem_get_refiner (self->problem),
                                  &self->incumbent.choices, n_wanted,
                                  goban_learner_get_rng (self->learner));
}

/* Adds one update's parts, but each of what it has several times once. */
static void
add_parts (Bench *self, const GobanBoard *board, Parts *parts)
{
  GobanNet *net = goban_learner_get_net (self->learner);
  const GobanNetConfig *config = goban_net_get_config (net);
  double credit = improves (self) ? self->settings.ppo.improve_credit : self->settings.ppo.credit;
  double mark = all_s (), plans_s;
  g_autoptr (GobanPass) pass = goban_pass_new (config, board);
  g_autoptr (GobanRollouts) rollouts
      = goban_rollouts_new (self->problem, board, config, N_ROLLOUTS);

  goban_pass_embed (pass, net);
  parts->embed_s += lap_s (&mark);
  goban_rollouts_draw (rollouts, pass, net, N_ROLLOUTS, goban_learner_get_rng (self->learner));
  parts->draw_s += lap_s (&mark);
  goban_problem_new_plans (self->problem, board, rollouts->choices, rollouts->n, rollouts->plans);
  plans_s = lap_s (&mark);
  parts->plans_s += plans_s;
  goban_rollouts_simulate (rollouts, NULL, credit > 0);
  parts->simulate_s += lap_s (&mark) - plans_s;
  goban_pass_decide (pass, net, rollouts->choices[0], NULL);
  parts->decide_s += lap_s (&mark);
  goban_pass_decide_backward (pass, net, rollouts->choices[0]);
  parts->decide_back_s += lap_s (&mark);
  goban_pass_embed_backward (pass, net);
  parts->embed_back_s += lap_s (&mark);
}

static void
print_parts (const Bench *self, const Parts *parts, double update_s)
{
  guint n_epochs = self->settings.ppo.n_epochs;
  /* Where choices are sampled, each rollout has decisions of its own to look at. */
  double n_passes = self->settings.net.is_sampled ? N_ROLLOUTS : 1;
  double forward_s = n_epochs * parts->embed_s + (n_epochs + 1) * n_passes * parts->decide_s;
  double draw_s = MAX (parts->draw_s - n_passes * parts->decide_s, 0);
  double backward_s = n_epochs * (parts->embed_back_s + n_passes * parts->decide_back_s);
  double plans_s = parts->plans_s, simulate_s = parts->simulate_s;
  double sum_s = parts->board_s + forward_s + draw_s + plans_s + simulate_s + backward_s;

  print (self, "board", parts->board_s, "cpu-s");
  print (self, "forward", forward_s, "cpu-s");
  print (self, "drawing", draw_s, "cpu-s");
  print (self, "plans", plans_s, "cpu-s");
  print (self, "simulation", simulate_s, "cpu-s");
  print (self, "backward", backward_s, "cpu-s");
  print (self, "rest", update_s - sum_s, "cpu-s");
}

static void
measure_parts (Bench *self, double update_s)
{
  Parts parts = { 0 };
  double *each = (double *) &parts;

  for (guint i = 0; i < self->what->n_updates; i++)
    {
      double mark = all_s ();
      g_autoptr (GobanBoard) board
          = improves (self) ? new_board (self, (i + 0.5) / self->what->n_updates) : NULL;

      parts.board_s += lap_s (&mark);
      add_parts (self, board != NULL ? board : goban_problem_get_board (self->problem), &parts);
    }
  for (gsize i = 0; i < sizeof parts / sizeof *each; i++)
    each[i] /= self->what->n_updates;
  print_parts (self, &parts, update_s);
}

/* --- all of them ---------------------------------------------------------------------------- */

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
      struct rusage usage;
      double update_s;

      if (!is_wanted (cases[i].name, argc, argv))
        continue;
      begin (&bench, costs, &options);
      update_s = measure_updates (&bench);
      getrusage (RUSAGE_SELF, &usage); /* the most so far: cases are in the order of their size */
      print (&bench, "memory", (double) usage.ru_maxrss / 1024, "MiB");
      measure_parts (&bench, update_s);
      end (&bench);
    }
  return 0;
}
