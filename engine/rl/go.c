/* GO-one: a policy network taught from nothing on the one graph it places. */
#include "engine/rl/go-settings.h"
#include "engine/rl/policies.h"

#define DEFAULT_EVALUATIONS 2000

/* The likeliest plan is worth an evaluation every so many updates. */
#define GREEDY_EVERY 4

static gboolean
offer_greedy (GobanLearner *learner, GobanProblem *problem, GobanSearch *search)
{
  g_autoptr (GobanPlan) plan = NULL;
  GobanOutcome outcome;

  if (goban_search_clip (search, 1) == 0)
    return FALSE;
  plan = goban_learner_new_greedy_plan (learner, problem);
  goban_evaluator_evaluate (goban_problem_get_evaluator (problem), &plan, 1, &outcome);
  return goban_search_offer (search, plan, outcome);
}

static gboolean
learn (GobanLearner *learner, GobanProblem *problem, GobanSearch *search, GError **error)
{
  GobanBaseline baseline = { 0 };

  for (guint i = 1; goban_search_go_on (search, "learning", error); i++)
    {
      GobanUpdate update;

      if (!goban_learner_update (learner, problem, &baseline, search,
                                 goban_search_get_fraction (search), &update, error))
        return FALSE;
      if (i % GREEDY_EVERY == 0)
        offer_greedy (learner, problem, search);
    }
  return !search->is_cancelled;
}

static GobanPlan *
place (GobanCostModel *costs, const GobanPlacerOptions *options, guint64 *evaluations,
       GError **error)
{
  g_auto (GobanSearch) search = { 0 };
  g_autoptr (GobanProblem) problem = NULL;
  g_autoptr (GobanLearner) learner = NULL;
  GobanGoSettings settings = goban_go_settings_goban ();
  GobanRng rng;

  settings.net.decisions = options->decisions != 0 ? options->decisions : GOBAN_DECISIONS_DEFAULT;
  problem = goban_problem_new (costs,
                               &(GobanProblemOptions){ .n_rows = settings.n_rows,
                                                       .decisions = settings.net.decisions },
                               options->progress, error);
  if (problem == NULL)
    return NULL;
  goban_rng_init (&rng, options->seed);
  learner = goban_learner_new (goban_net_new (&settings.net, &rng), &settings.ppo, options->seed);

  goban_search_begin (&search, options, DEFAULT_EVALUATIONS);
  if (!learn (learner, problem, &search, error))
    return NULL;
  return goban_search_end (&search, evaluations);
}
