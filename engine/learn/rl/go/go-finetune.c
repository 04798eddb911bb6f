/* Fine-tuning on the graph at hand, in one of two ways.
 *
 *   moves   improves the plan builder's plan by moves; the trained network and a learner on the
 *           graph propose them in turn
 *   paper   GO as published: PPO updates a network of whole plans, fewer than 50 times
 *
 * Settings choose the method. The default is the paper's if a network of whole plans is given, or a
 * start plan and no task but placement; else moves.
 */
#include "engine/core/error.h"
#include "engine/core/i18n.h"
#include "engine/learn/policy/network.h"
#include "engine/learn/rl/go/go-run.h"
#include "engine/learn/rl/learned-options.h"
#include "engine/learn/rl/moves/move-search.h"
#include "engine/learn/rl/policies.h"

#include <string.h>

#define N_SAMPLES 16
#define MOST_UPDATES 49
#define DEFAULT_EVALUATIONS 800

/* Prior variance of the learner's weights. */
#define LEARN 1.0

#define METHOD "method="

/* --- the paper's method --------------------------------------------------------------------- */

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

/* --- moves ---------------------------------------------------------------------------------- */

static gboolean
is_placement_alone (const GobanPlacerOptions *options)
{
  return (goban_learned_options (options)->decisions & ~GOBAN_TASKS_DEFAULT) == 0;
}

/* Only moves of placement are learned from; with other tasks the search is go-improve's. */
static GobanPlan *
place_by_moves (GobanCostModel *costs, const GobanPlacerOptions *options, guint64 *evaluations,
                GError **error)
{
  const GobanMoveSearchUse use = { .learn = is_placement_alone (options) ? LEARN : 0,
                                   .default_evaluations = DEFAULT_EVALUATIONS };
  GError *why = NULL;
  GobanPlan *plan = goban_move_search_place (costs, options, &use, evaluations, &why);

  if (g_error_matches (why, GOBAN_ERROR, GOBAN_ERROR_INVALID))
    g_prefix_error (&why, "improving by moves (method=paper has other settings): ");
  if (why != NULL)
    g_propagate_error (error, why);
  return plan;
}

/* --- choice of the method ------------------------------------------------------------------- */

static GobanPlan *
place (GobanCostModel *costs, const GobanPlacerOptions *options, guint64 *evaluations,
       GError **error)
{
  g_auto (GStrv) words = g_strsplit (options->settings != NULL ? options->settings : "", ",", -1);
  g_autoptr (GString) others = g_string_new (NULL);

  /* Returns the method named by @words, borrowed, or NULL. Appends all other settings to
   * @others. */
  const char *method = NULL;

  for (guint i = 0; words[i] != NULL; i++)
    {
      const char *word = g_strstrip (words[i]);

      if (g_str_has_prefix (word, METHOD))
        method = word + strlen (METHOD);
      else
        g_string_append_printf (others, "%s%s", others->len > 0 ? "," : "", word);
    }

  GobanPlacerOptions own = *options;

  own.settings = others->str;
  if (method == NULL)
    method = ((is_placement_alone (options) && goban_learned_options (options)->start != NULL)
              || (goban_learned_options (options)->network != NULL
                  && goban_net_is_file (goban_learned_options (options)->network)))
                 ? "paper"
                 : "moves";
  if (strcmp (method, "moves") == 0)
    return place_by_moves (costs, &own, evaluations, error);
  if (strcmp (method, "paper") == 0)
    return place_by_paper (costs, &own, evaluations, error);
  goban_set_error (error, GOBAN_ERROR_INVALID, "method=%s: the methods are moves and paper",
                   method);
  return NULL;
}

const GobanPlacer goban_placer_go_finetune = {
  .name = "go-finetune",
  .blurb = N_ ("trained networks build and improve a plan; moves are learned on this graph"),
  .about = N_ (
      "As go-improve: the best plan of go-zeroshot, then one move of a group of ops for each "
      "simulation. But every simulated move is learned from: a ridge regression predicts the "
      "gain of "
      "moves on this graph, and proposes them in turn with the trained network, each as often "
      "as its proposals improve plans. --set learn=0 learns nothing; proposals=untrained,"
      "start=cells begins with nothing learned before. --set method=paper is GO as published: "
      "its network of whole plans, taught on other graphs, changes the best plan so far by 16 "
      "rollouts an update, and ends after 49 updates, for GO fine-tunes in fewer than 50 steps. "
      "With other tasks than placement the search is that of go-improve, which learns nothing; the "
      "shipped network of method=paper was taught placement alone."),
  .source = "ours; method=paper: Zhou et al., Transferable Graph Optimizers for ML Compilers, "
            "NeurIPS 2020",
  .effort = GOBAN_EFFORT_LEARNED,
  .default_evaluations = DEFAULT_EVALUATIONS,
  .has_tasks = TRUE,
  .has_network = TRUE,
  .setting = "*",
  .forcing = GOBAN_FORCING_INSIDE,
  .place = place,
};
