/* The plan a person writes by hand: the model's layers in a row, cut into one run per GPU.
 *
 * How the row is cut is the published habit of each family; see `about`. Backward ops stay
 * with their forward op and the optimiser with its variable. CPUs only get what no GPU can run,
 * unless there is nothing else.
 */
#include "engine/core/i18n.h"
#include "engine/placers/policies.h"
#include "engine/placers/stages/expert-chain.h"
#include "engine/placers/stages/stages.h"

/* Halvings of the interval of the balanced cut: as many as a double has bits. */
#define N_HALVINGS 60

typedef struct
{
  const GobanUnits *units;
  const GobanExpertChain *chain;
  GobanDeviceId *used; /* (n_used) */
  guint n_used;
  guint *part_of; /* (n_blocks) an index into used */
} Expert;

/* --- the rules ----------------------------------------------------------- */

/* One layer per GPU; as many layers on each as it takes where there are fewer GPUs. */
static void
cut_by_layer (Expert *self)
{
  guint per_device = (self->chain->n_blocks + self->n_used - 1) / self->n_used;

  for (guint b = 0; b < self->chain->n_blocks; b++)
    self->part_of[b] = b / per_device;
}

/* Blocks of equal count, a layer at least. */
static void
cut_evenly (Expert *self)
{
  guint n_parts = MIN (self->n_used, self->chain->n_blocks);

  for (guint b = 0; b < self->chain->n_blocks; b++)
    self->part_of[b] = (guint) ((guint64) b * n_parts / self->chain->n_blocks);
}

/* One stack per GPU, half a stack where GPUs suffice, several where they are few. */
static void
cut_by_stack (Expert *self)
{
  const GobanExpertChain *chain = self->chain;
  guint per_device = (chain->n_stacks + self->n_used - 1) / self->n_used;
  gboolean in_halves = self->n_used >= 2 * chain->n_stacks;

  for (guint first = 0, end; first < chain->n_blocks; first = end)
    {
      guint stack = chain->stack_of[first];

      for (end = first; end < chain->n_blocks && chain->stack_of[end] == stack; end++)
        ;
      for (guint b = first; b < end; b++)
        self->part_of[b]
            = in_halves ? 2 * stack + (2 * (b - first) >= end - first) : stack / per_device;
    }
}

/* The time of each block on the GPUs, backward and update included. */
static double *
weigh_blocks (const Expert *self)
{
  double *weights = g_new0 (double, self->chain->n_blocks);

  for (guint u = 0; u < self->units->n_units; u++)
    for (guint i = 0; i < self->n_used; i++)
      if (goban_units_can_run (self->units, u, self->used[i]))
        {
          weights[self->chain->block_of[u]] += goban_units_time_us (self->units, u, self->used[i]);
          break;
        }
  return weights;
}

/* Fills part after part up to the cap; returns whether the parts there are suffice. */
static gboolean
fill_parts (Expert *self, const double *weights, double cap_us)
{
  double filled_us = 0;
  guint part = 0;

  for (guint b = 0; b < self->chain->n_blocks; b++)
    {
      if (filled_us + weights[b] > cap_us && filled_us > 0)
        {
          filled_us = 0;
          if (++part == self->n_used)
            return FALSE;
        }
      filled_us += weights[b];
      self->part_of[b] = part;
    }
  return TRUE;
}

/* Runs whose longest is as short as it can be, found by halving between one block and all. */
static void
cut_by_compute (Expert *self)
{
  g_autofree double *weights = weigh_blocks (self);
  double low_us = 0;
  double high_us = 0;

  for (guint b = 0; b < self->chain->n_blocks; b++)
    {
      low_us = MAX (low_us, weights[b]);
      high_us += weights[b];
    }
  if (!fill_parts (self, weights, low_us))
    {
      for (guint i = 0; i < N_HALVINGS; i++)
        {
          double middle_us = low_us + (high_us - low_us) / 2;

          if (fill_parts (self, weights, middle_us))
            high_us = middle_us;
          else
            low_us = middle_us;
        }
      fill_parts (self, weights, high_us);
    }
}

static void
cut (Expert *self)
{
  switch (self->chain->kind)
    {
    case GOBAN_CHAIN_RECURRENT:
      cut_by_layer (self);
      break;
    case GOBAN_CHAIN_TRANSFORMER:
      cut_evenly (self);
      break;
    case GOBAN_CHAIN_WAVENET:
      cut_by_stack (self);
      break;
    case GOBAN_CHAIN_MODULES:
    case GOBAN_CHAIN_OPS:
      cut_by_compute (self);
      break;
    }
}

/* --- the policy ---------------------------------------------------------- */

/* Nothing is compared: the rule is the cut. */
static const GobanChoiceWords words = { NULL, GOBAN_SCORE_NONE, FALSE, NULL };

static GobanPlan *
place (GobanCostModel *costs, const GobanPlacerOptions *options, guint64 *evaluations,
       GError **error)
{
  g_autoptr (GobanUnits) units = goban_units_new (costs, error);
  g_autoptr (GobanExpertChain) chain = NULL;
  g_autofree GobanDeviceId *used = NULL;
  g_autofree GobanDeviceId *devices = NULL;
  GobanUnitDecisions decisions;
  GobanPlan *plan;
  g_autofree guint *part_of = NULL;
  guint n_used;
  Expert self;

  if (units == NULL)
    return NULL;

  chain = goban_expert_chain_new (units);
  used = goban_stages_find_devices (units->cluster, &n_used);
  part_of = g_new0 (guint, chain->n_blocks);
  self = (Expert){ units, chain, used, n_used, part_of };
  cut (&self);

  devices = g_new (GobanDeviceId, units->n_units);
  decisions = goban_unit_decisions_begin (options, units, &words, 0);
  for (guint u = 0; u < units->n_units; u++)
    {
      GobanDeviceId wanted = used[part_of[chain->block_of[u]]];

      if (!goban_policy_go_on (options, u, units->n_units, error))
        return NULL;
      devices[u]
          = goban_units_can_run (units, u, wanted) ? wanted : goban_units_fastest_device (units, u);
      devices[u] = goban_unit_decisions_make (
          &decisions, u, devices[u], devices[u] == wanted ? NULL : "cannot run in its part");
    }
  plan = goban_units_new_plan (units, devices);
  goban_unit_decisions_end (&decisions, plan, NULL, TRUE);
  return plan;
}

const GobanPlacer goban_placer_expert = {
  .name = "expert",
  .blurb = N_ ("what a person would write: the layers in a row, a run of them per GPU"),
  .about = N_ (
      "The human expert's plans that the papers compare with, by the rules they publish. RNNLM and "
      "GNMT: one LSTM layer per GPU, encoder layer and decoder layer of the same number together, "
      "the embedding with the first, attention and softmax with the last; where there are more "
      "layers than GPUs, each takes the same number of neighbours, and a GPU beyond the last layer "
      "stays idle. Transformer-XL: neighbouring layers in equal number. WaveNet: a stack per GPU, "
      "or half a stack where there are two GPUs for each. Inception-v3 and AmoebaNet: the row of "
      "modules or cells cut so that the longest run is as short as it can be, as if GPUs were "
      "alike; at small batches a person may well keep all on one GPU, which is the policy single. "
      "Families are known by the scopes in names (layer_K with or without step_T, "
      "stack_S/layer_K, mixed_*, cell_K). Any other graph, and that is our choice, is cut like "
      "Inception-v3, op by op in topological order, each backward op with the forward op it is "
      "named after or reads. Backward ops are with their forward op, the optimiser with its "
      "variable; memory is not looked at."),
  .source = "Mirhoseini et al., Device Placement Optimization with Reinforcement Learning, ICML "
            "2017; Zhou et al., Transferable Graph Optimizers for ML Compilers, NeurIPS 2020",
  .forcing = GOBAN_FORCING_INSIDE,
  .place = place,
};
