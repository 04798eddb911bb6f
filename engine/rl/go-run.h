/* go-run.h: shared parts of GO's policies: settings, a problem, a learner and a search.
 *
 *   go            a new network learns on the graph            engine/rl/go.c
 *   whole plans   a trained network decides, without learning  engine/rl/whole-plans.c
 *   go-finetune   method=paper: a trained network learns for   engine/rl/go-finetune.c
 *                 a few updates
 *   go-refine     go, then local search                        engine/rl/go-refine.c
 */
#pragma once

#include "engine/rl/go-settings.h"

G_BEGIN_DECLS

typedef struct
{
  GobanGoSettings settings;
  GobanProblem *problem;
  GobanLearner *learner;
  GobanSearch search;
  GobanIncumbent incumbent;
  GobanBaseline direct;   /* of rollouts that choose without a plan, */
  GobanBaseline improved; /* and of those that change one */
  guint n_updates;
  GobanDecisionLog *log; /* NULL where nobody wants it */
  /* (nullable): of choices without a plan, where another plan was improved */
  GobanDecisionLog *direct_log;
} GobanGoRun;

/**
 * goban_go_run_begin:
 * @is_trained: with the network of the options, or the one that comes with the program; else with a
 *   new one
 *
 * Returns: %FALSE with @error set: %GOBAN_ERROR_INVALID or PARSE of settings, IO or PARSE of a
 *   network, INFEASIBLE or CANCELLED; clear it all the same
 */
gboolean goban_go_run_begin (GobanGoRun *self, GobanCostModel *costs,
                             const GobanPlacerOptions *options, gboolean is_trained,
                             guint64 default_evaluations, GError **error);
void goban_go_run_clear (GobanGoRun *self);

/* Gives the options' log away, and ends the search: (transfer full) (nullable), as
 * goban_search_end() has it. Local search that follows GO leaves nothing in the log. */
GobanPlan *goban_go_run_end (GobanGoRun *self, guint64 *evaluations) G_GNUC_WARN_UNUSED_RESULT;

/* The likeliest plan, and then @n_samples that are drawn: evaluations, without learning. */
gboolean goban_go_run_ask (GobanGoRun *self, guint n_samples, GError **error);

/* Updates until share @end of the budget is spent or @n_updates have been made: at first without a
 * plan, as settings.direct says, then on boards of the best plan so far. FALSE with @error set. */
gboolean goban_go_run_learn (GobanGoRun *self, double end, guint n_updates, GError **error);

/* The same without learning, from the plan that settings.start says; nothing at all where it says
 * nothing. */
gboolean goban_go_run_try_changes (GobanGoRun *self, GError **error);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (GobanGoRun, goban_go_run_clear)

G_END_DECLS
