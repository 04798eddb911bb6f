/* go-run.h: shared parts of GO's policies: settings, a problem, a learner and a search.
 *
 *   go            a new network learns on the graph            engine/learn/rl/go/go.c
 *   whole plans   a trained network decides, without learning  engine/learn/rl/go/whole-plans.c
 *   go-finetune   method=paper: a trained network learns for   engine/learn/rl/go/go-finetune.c
 *                 a few updates
 *   go-refine     go, then local search                        engine/learn/rl/go/go-refine.c
 */
#pragma once

#include "engine/learn/rl/go/go-settings.h"

G_BEGIN_DECLS

typedef struct
{
  GobanGoSettings settings;
  GobanProblem *problem;
  GobanLearner *learner;
  GobanSearch search;
  GobanIncumbent incumbent;
  GobanBaseline direct;   /* of rollouts that draw whole plans */
  GobanBaseline improved; /* of rollouts that change a plan */
  guint n_updates;
  const GobanCurveSink *curve; /* (nullable) borrowed: gets the updates */
} GobanGoRun;

/**
 * goban_go_run_begin:
 * @is_trained: use the network of the options or the one that comes with the program; %FALSE: a new
 *   network
 *
 * Returns: %FALSE with @error set: %GOBAN_ERROR_INVALID or PARSE of settings, IO or PARSE of a
 *   network, INFEASIBLE or CANCELLED; it must be cleared in any case
 */
gboolean goban_go_run_begin (GobanGoRun *self, GobanCostModel *costs,
                             const GobanPlacerOptions *options, gboolean is_trained,
                             guint64 default_evaluations, GError **error);
void goban_go_run_clear (GobanGoRun *self);

/* Ends the search and returns the best plan. (transfer full) (nullable), as goban_search_end(). */
GobanPlan *goban_go_run_end (GobanGoRun *self, guint64 *evaluations) G_GNUC_WARN_UNUSED_RESULT;

/* Evaluates the likeliest plan and @n_samples drawn plans, without learning. */
gboolean goban_go_run_ask (GobanGoRun *self, guint n_samples, GError **error);

/* Makes updates until share @end of the budget is spent or @n_updates are made. The first share,
 * settings.direct, draws whole plans; the others change the best plan so far. FALSE with @error
 * set. */
gboolean goban_go_run_learn (GobanGoRun *self, double end, guint n_updates, GError **error);

/* The same without learning, from the plan of settings.start; does nothing for
 * GOBAN_START_NOTHING. */
gboolean goban_go_run_try_changes (GobanGoRun *self, GError **error);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (GobanGoRun, goban_go_run_clear)

G_END_DECLS
