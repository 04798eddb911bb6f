/* Fine-tuning on the graph at hand, in one of two ways.
 *
 *   moves   the plan builder's plan is improved by moves; the network that proposes them and what is learned here take turns
 *   paper   GO as published: a network of whole plans learns by PPO, for fewer than 50 updates
 *
 * Settings choose the way. Without one the paper's is taken for tasks beside placement, for a plan to begin at, and for a
 * network of whole plans that is named.
 */
#include "engine/base/error.h"
#include "engine/base/i18n.h"
#include "engine/policy/network.h"
#include "engine/rl/go-run.h"
#include "engine/rl/learned-options.h"
#include "engine/rl/move-search.h"
#include "engine/rl/policies.h"

#include <string.h>

#define N_SAMPLES 16
#define MOST_UPDATES 49
#define DEFAULT_EVALUATIONS 800

/* Variance of what is learned on the graph. */
#define LEARN 1.0

#define METHOD "method="

/* --- the paper's -------------------------------------------------------------------------------- */

static GobanPlan *
place_by_paper (GobanCostModel *costs, const GobanPlacerOptions *options, guint64 *evaluations,
                GError **error)
{
  g_auto (GobanGoRun) run = { 0 };

  if (!goban_go_run_begin (&run, costs, options, TRUE, DEFAULT_EVALUATIONS, error)
      || !goban_go_run_ask (&run, N_SAMPLES, error)
      || !goban_go_run_learn (&run, 1, MOST_UPDATES, error))
    return NULL;
  return goban_go_run_end (&run, evaluations);
}

/* --- moves -------------------------------------------------------------------------------------- */

/* Moves decide placement, and keep no order. */
static gboolean
can_move (const GobanPlacerOptions *options)
{
  return (goban_learned_options (options)->decisions & ~GOBAN_DECISIONS_DEFAULT) == 0
         && goban_learned_options (options)->start == NULL;
}

static GobanPlan *
place_by_moves (GobanCostModel *costs, const GobanPlacerOptions *options, guint64 *evaluations,
                GError **error)
{
  const GobanMoveSearchUse use = { .learn = LEARN, .default_evaluations = DEFAULT_EVALUATIONS };

  GError *why = NULL;
  GobanPlan *plan;

  if (!can_move (options))
    {
      g_set_error_literal (
          error, GOBAN_ERROR, GOBAN_ERROR_INVALID,
          "moves decide placement alone and begin at plans of their own; leave out the other "
          "tasks and the plan to begin at, or write method=paper");
      return NULL;
    }
  plan = goban_move_search_place (costs, options, &use, evaluations, &why);
  if (g_error_matches (why, GOBAN_ERROR, GOBAN_ERROR_INVALID))
    g_prefix_error (&why, "improving by moves (method=paper has other settings): ");
  if (why != NULL)
    g_propagate_error (error, why);
  return plan;
}

/* --- the way ------------------------------------------------------------------------------------ */

/* The method that @words name, borrowed from them; NULL if they name none. Adds all other settings to @others. */
static const char *
take_method (char **words, GString *others)
{
  const char *method = NULL;

  for (guint i = 0; words[i] != NULL; i++)
    {
      const char *word = g_strstrip (words[i]);

      if (g_str_has_prefix (word, METHOD))
        method = word + strlen (METHOD);
      else
        g_string_append_printf (others, "%s%s", others->len > 0 ? "," : "", word);
    }
  return method;
}

static gboolean
asks_for_paper (const GobanPlacerOptions *options)
{
  return !can_move (options)
         || (goban_learned_options (options)->network != NULL
             && goban_net_is_file (goban_learned_options (options)->network));
}

static GobanPlan *
place (GobanCostModel *costs, const GobanPlacerOptions *options, guint64 *evaluations,
       GError **error)
{
  g_auto (GStrv) words = g_strsplit (options->settings != NULL ? options->settings : "", ",", -1);
  g_autoptr (GString) others = g_string_new (NULL);
  const char *method = take_method (words, others);
  GobanPlacerOptions own = *options;

  own.settings = others->str;
  if (method == NULL)
    method = asks_for_paper (options) ? "paper" : "moves";
  if (strcmp (method, "moves") == 0)
    return place_by_moves (costs, &own, evaluations, error);
  if (strcmp (method, "paper") == 0)
    return place_by_paper (costs, &own, evaluations, error);
  g_set_error (error, GOBAN_ERROR, GOBAN_ERROR_INVALID,
               "method=%s: the methods are moves and paper", method);
  return NULL;
}

const GobanPlacer goban_placer_go_finetune = {
  .name = "go-finetune",
  .blurb = N_ ("Trained networks build and improve a plan; moves are learned on this graph"),
  .about
  = N_ ("As go-improve: the best plan of go-zeroshot, then one move of a group of ops for each "
        "simulation. But every simulated move is learned from: a ridge regression predicts the "
        "gain of "
        "moves on this graph, and proposes them in turn with the trained network, each as often "
        "as its proposals improve plans. --set learn=0 learns nothing; proposals=untrained,"
        "start=cells begins with nothing learned before. --set method=paper is GO as published: "
        "its network of whole plans, taught on other graphs, changes the best plan so far by 16 "
        "rollouts an update, and ends after 49 updates, for GO fine-tunes in fewer than 50 steps. "
        "That is also the method if other tasks than placement are asked for."),
  .source = "ours; method=paper: Zhou et al., Transferable Graph Optimizers for ML Compilers, "
            "NeurIPS 2020",
  .effort = GOBAN_EFFORT_LEARNED,
  .default_evaluations = DEFAULT_EVALUATIONS,
  .has_tasks = TRUE,
  .place = place,
};
