/* The genetic algorithm of REGAL's setting: device affinities, priorities of ops and of transfers.
 *
 * Genes are 16-bit fractions: a hundred chromosomes of a graph of 83,700 nodes on 8 devices, twice
 * for the generation before, then take some 350 MB, where floats would take twice that. A tensor
 * read on its producer's unit alone never travels and has no gene. Parents are drawn, children made
 * and mutants drawn by one thread; plans are simulated side by side.
 */
#include "engine/placers/search/brkga.h"

#include "engine/core/error.h"
#include "engine/core/i18n.h"
#include "engine/placers/policies.h"
#include "engine/placers/search.h"
#include "engine/placers/units.h"

#include <stdlib.h>
#include <string.h>

typedef guint16 Gene;

#define GENE_RANGE 65536
#define NO_LOT G_MAXUINT32
#define WORTH_A_TABLE 50000 /* draws */
#define N_PLANS 16          /* decoded at a time */

/* The genes of mutants that are drawn from one distribution. */
typedef struct
{
  GobanBeta beta;
  GobanBetaTable *table; /* NULL if they are few */
  gsize n_genes;
} Lot;

/* Layout of a chromosome: first n_units x n_devices affinities, then n_nodes priorities, then one
 * for each tensor that may travel. */
typedef struct
{
  const GobanUnits *units;
  const GobanBrkgaConfig *config;
  guint n_nodes;
  guint n_tensors;
  guint n_travelling;
  GobanTensorId *travelling; /* (n_travelling) */
  gsize first_priority;
  gsize first_transfer;
  gsize n_genes;
  GArray *lots;    /* of Lot, in the order of their first genes */
  guint32 *lot_of; /* (n_genes) or NO_LOT: uniform */
} Layout;

typedef struct
{
  Layout layout;
  GobanSearch *search;
  GobanEvaluator *evaluator;
  GobanRng rng;
  guint n_elites;
  guint n_mutants;
  guint n_known;      /* of old: those with an outcome */
  guint64 n_left_out; /* generations since the last one in the decisions */
  Gene **old;
  Gene **new;             /* (n_population) by fitness, the best first */
  GobanOutcome *outcomes; /* (n_population) of old */
  GobanPlan *plans[N_PLANS];
  gint32 *transfers; /* (n_tensors) scratch */
} Population;

GobanBrkgaConfig
goban_brkga_config_default (void)
{
  return (GobanBrkgaConfig){
    .n_population = 100,
    .elite_share = 0.2,
    .mutant_share = 0.15,
    .elite_bias = 0.7,
  };
}

/* --- chance -------------------------------------------------------------------------- */

/* Four of one number of the generator. */
static void
draw_uniform_genes (GobanRng *rng, Gene *genes, gsize n)
{
  guint64 bits = 0;

  for (gsize i = 0; i < n; i++)
    {
      if (i % 4 == 0)
        bits = goban_rng_next (rng);
      genes[i] = (Gene) bits;
      bits >>= 16;
    }
}

/* --- chromosomes --------------------------------------------------------------------- */

static gboolean
may_travel (const GobanUnits *units, GobanTensorId tensor)
{
  guint32 from = units->unit_of[goban_graph_get_tensor (units->graph, tensor)->producer];
  GobanEdgeSpan edges = goban_graph_get_tensor_edges (units->graph, tensor);

  for (guint i = 0; i < edges.n; i++)
    if (units->unit_of[goban_graph_get_edge (units->graph, edges.ids[i])->head] != from)
      return TRUE;
  return FALSE;
}

/* The row of the config with a gene's distribution; NULL: none. */
static const GobanBeta *
find_beta (const Layout *self, gsize gene)
{
  const GobanBrkgaConfig *config = self->config;
  const GobanUnits *units = self->units;
  guint n_devices = units->n_devices;

  if (gene >= self->first_transfer)
    return config->transfer_betas != NULL
               ? &config->transfer_betas[self->travelling[gene - self->first_transfer]]
               : NULL;
  if (gene >= self->first_priority)
    return config->priority_betas != NULL ? &config->priority_betas[gene - self->first_priority]
                                          : NULL;
  return config->device_betas != NULL
             ? &config->device_betas[(gsize) units->nodes[units->offsets[gene / n_devices]]
                                         * n_devices
                                     + gene % n_devices]
             : NULL;
}

/* The lot of a distribution, a new one if there is none. */
static guint32
find_lot (Layout *self, GHashTable *known, GobanBeta beta)
{
  gint64 key;
  gpointer found;

  G_STATIC_ASSERT (sizeof key == sizeof beta);
  memcpy (&key, &beta, sizeof key);
  if (g_hash_table_lookup_extended (known, &key, NULL, &found))
    return GPOINTER_TO_UINT (found);
  g_array_append_val (self->lots, (Lot){ .beta = beta });
  g_hash_table_insert (known, g_memdup2 (&key, sizeof key), GUINT_TO_POINTER (self->lots->len - 1));
  return self->lots->len - 1;
}

static void
init_lots (Layout *self)
{
  g_autoptr (GHashTable) known = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);

  self->lots = g_array_new (FALSE, FALSE, sizeof (Lot));
  self->lot_of = g_new (guint32, self->n_genes + 1);
  for (gsize i = 0; i < self->n_genes; i++)
    {
      const GobanBeta *beta = find_beta (self, i);

      self->lot_of[i] = NO_LOT;
      if (beta == NULL || (beta->alpha == 1 && beta->beta == 1))
        continue;
      self->lot_of[i] = find_lot (self, known, *beta);
      g_array_index (self->lots, Lot, self->lot_of[i]).n_genes++;
    }
  for (guint k = 0; k < self->lots->len; k++)
    {
      Lot *lot = &g_array_index (self->lots, Lot, k);

      if (lot->n_genes * self->config->n_population >= WORTH_A_TABLE
          && goban_beta_can_tabulate (lot->beta))
        lot->table = goban_beta_table_new (lot->beta);
    }
}

static void
init_layout (Layout *self, const GobanUnits *units, const GobanBrkgaConfig *config)
{
  *self = (Layout){ .units = units, .config = config };
  self->n_nodes = goban_graph_get_n_nodes (units->graph);
  self->n_tensors = goban_graph_get_n_tensors (units->graph);
  self->travelling = g_new (GobanTensorId, self->n_tensors);
  for (GobanTensorId t = 0; t < self->n_tensors; t++)
    if (may_travel (units, t))
      self->travelling[self->n_travelling++] = t;
  self->first_priority = (gsize) units->n_units * units->n_devices;
  self->first_transfer = self->first_priority + self->n_nodes;
  self->n_genes = self->first_transfer + self->n_travelling;
  init_lots (self);
}

static void
clear_layout (Layout *self)
{
  for (guint k = 0; k < self->lots->len; k++)
    g_free (g_array_index (self->lots, Lot, k).table);
  g_array_unref (self->lots);
  g_free (self->lot_of);
  g_free (self->travelling);
}

static void
draw_mutant (const Layout *self, GobanRng *rng, gboolean is_steered, Gene *genes)
{
  const Lot *lots = (const Lot *) (gconstpointer) self->lots->data;

  draw_uniform_genes (rng, genes, self->n_genes);
  for (gsize i = 0; i < self->n_genes && is_steered; i++)
    {
      const Lot *lot = self->lot_of[i] != NO_LOT ? &lots[self->lot_of[i]] : NULL;

      if (lot != NULL)
        genes[i] = lot->table != NULL ? goban_beta_table_draw (lot->table, rng)
                                      : (Gene) (goban_beta_draw (rng, lot->beta) * GENE_RANGE);
    }
}

/* A run of genes with one bias. */
static void
cross_genes (GobanRng *rng, Gene *child, const Gene *elite, const Gene *common, gsize n,
             double bias)
{
  guint threshold = (guint) (bias * GENE_RANGE + 0.5);
  guint64 bits = 0;

  for (gsize i = 0; i < n; i++)
    {
      if (i % 4 == 0)
        bits = goban_rng_next (rng);
      child[i] = (Gene) bits < threshold ? elite[i] : common[i];
      bits >>= 16;
    }
}

static void
cross (const Layout *self, GobanRng *rng, Gene *child, const Gene *elite, const Gene *common)
{
  const float *biases = self->config->elite_biases;
  const GobanUnits *units = self->units;
  guint n_devices = units->n_devices;

  if (biases == NULL)
    {
      cross_genes (rng, child, elite, common, self->n_genes, self->config->elite_bias);
      return;
    }
  for (guint u = 0; u < units->n_units; u++)
    {
      gsize at = (gsize) u * n_devices;

      cross_genes (rng, &child[at], &elite[at], &common[at], n_devices,
                   (double) biases[units->nodes[units->offsets[u]]]);
    }
  for (gsize i = self->first_priority; i < self->n_genes; i++)
    {
      GobanNodeId node = (GobanNodeId) (i - self->first_priority);

      if (i >= self->first_transfer)
        node = goban_graph_get_tensor (units->graph, self->travelling[i - self->first_transfer])
                   ->producer;
      cross_genes (rng, &child[i], &elite[i], &common[i], 1, (double) biases[node]);
    }
}

static GobanDeviceId
decode_device (const Layout *self, const Gene *genes, guint32 unit)
{
  const Gene *affinities = &genes[(gsize) unit * self->units->n_devices];
  GobanDeviceId best = GOBAN_NO_DEVICE;

  for (guint d = 0; d < self->units->n_devices; d++)
    if (goban_units_can_run (self->units, unit, (GobanDeviceId) d)
        && (best == GOBAN_NO_DEVICE || affinities[d] > affinities[best]))
      best = (GobanDeviceId) d;
  return best;
}

static void
decode (const Layout *self, const Gene *genes, gint32 *transfers, GobanPlan *plan)
{
  const GobanUnits *units = self->units;

  for (guint u = 0; u < units->n_units; u++)
    {
      GobanDeviceId device = decode_device (self, genes, u);

      for (guint i = units->offsets[u]; i < units->offsets[u + 1]; i++)
        goban_plan_set_device (plan, units->nodes[i], device);
    }
  for (guint v = 0; v < self->n_nodes; v++)
    goban_plan_set_priority (plan, v, genes[self->first_priority + v]);
  for (guint i = 0; i < self->n_travelling; i++)
    transfers[self->travelling[i]] = genes[self->first_transfer + i];
  goban_plan_set_transfer_priorities (plan, transfers);
}

/* --- generations --------------------------------------------------------------------- */

/* Simulates old[first] and those after it; FALSE if the budget ends or it is cancelled. */
static gboolean
evaluate (Population *self, guint first, GError **error)
{
  guint end = self->layout.config->n_population;
  guint i = first;

  self->n_known = first;
  while (i < end)
    {
      guint n = goban_search_clip (self->search, MIN (end - i, N_PLANS));

      if (!goban_search_go_on (self->search, "breeding", error))
        return FALSE;
      for (guint k = 0; k < n; k++)
        decode (&self->layout, self->old[i + k], self->transfers, self->plans[k]);
      goban_evaluator_evaluate (self->evaluator, self->plans, n, &self->outcomes[i]);
      for (guint k = 0; k < n; k++)
        goban_search_consider (self->search, self->plans[k], self->outcomes[i + k]);
      i += n;
      self->n_known = i;
    }
  return TRUE;
}

typedef struct
{
  GobanOutcome outcome;
  Gene *genes;
  guint index;
} Ranked;

static int
compare_ranked (const void *a, const void *b)
{
  const Ranked *x = a;
  const Ranked *y = b;
  int sign = goban_outcome_compare (&x->outcome, &y->outcome);

  return sign != 0 ? sign : (x->index > y->index) - (x->index < y->index);
}

static void
sort_by_fitness (Population *self)
{
  guint n = self->n_known;
  g_autofree Ranked *ranked = g_new (Ranked, n);

  for (guint i = 0; i < n; i++)
    ranked[i] = (Ranked){ self->outcomes[i], self->old[i], i };
  qsort (ranked, n, sizeof *ranked, compare_ranked);
  for (guint i = 0; i < n; i++)
    {
      self->old[i] = ranked[i].genes;
      self->outcomes[i] = ranked[i].outcome;
    }
}

/* Elites pass on as they are, by swapping pointers; behind them mutants, then children. */
static void
breed (Population *self)
{
  const Layout *layout = &self->layout;
  guint n = layout->config->n_population;
  Gene **swap;

  for (guint i = self->n_elites; i < n; i++)
    {
      const Gene *elite;
      const Gene *common;

      if (i < self->n_elites + self->n_mutants)
        {
          draw_mutant (layout, &self->rng, TRUE, self->new[i]);
          continue;
        }
      elite = self->old[goban_rng_below (&self->rng, self->n_elites)];
      common = self->old[self->n_elites + goban_rng_below (&self->rng, n - self->n_elites)];
      cross (layout, &self->rng, self->new[i], elite, common);
    }
  for (guint i = 0; i < self->n_elites; i++)
    {
      Gene *spare = self->new[i];

      self->new[i] = self->old[i];
      self->old[i] = spare;
    }
  swap = self->old;
  self->old = self->new;
  self->new = swap;
}

/* The options are the plans by fitness; the first is the best so far. Without enough memory they
 * are compared by what they lack. */
static void
write_generation (Population *self)
{
  GobanSearch *search = self->search;
  gboolean is_written = search->best_moment != 0;
  gboolean fits = search->outcome.overflow_bytes <= 0;
  const GobanSpanResult result = goban_search_get_result (search->outcome);
  const GobanDecisionHead head = { .task = GOBAN_TASK_PLACEMENT,
                                   .options = GOBAN_OPTION_PLAN,
                                   .score = fits ? GOBAN_SCORE_MAKESPAN_US : GOBAN_SCORE_BYTES,
                                   .takes_least = TRUE,
                                   .n_options = self->n_known };
  GobanDecisionsWriter *span;

  if (search->decisions == NULL || search->best == NULL
      || (is_written && !goban_search_is_due (search)))
    {
      self->n_left_out++;
      return;
    }
  span = goban_decisions_writer_open (search->decisions,
                                      &(GobanSpanHead){ .name = "generation",
                                                        .level = GOBAN_LEVEL_ROUND,
                                                        .evaluation = search->best_evaluation,
                                                        .n_left_out = self->n_left_out });
  for (guint i = 0; i < self->n_known; i++)
    {
      const GobanOutcome *outcome = &self->outcomes[i];
      gboolean is_refused = fits && outcome->overflow_bytes > 0;

      goban_decisions_writer_score (span, i, fits ? outcome->makespan_us : outcome->overflow_bytes,
                                    is_refused ? GOBAN_REFUSAL_MEMORY : 0);
    }
  goban_search_set_best (search, span, &head);
  self->n_left_out = 0;
  goban_decisions_writer_close (span, &result, TRUE);
}

static void
evolve (Population *self, GError **error)
{
  const GobanBrkgaConfig *config = self->layout.config;

  for (guint i = 0; i < config->n_population; i++)
    draw_mutant (&self->layout, &self->rng, config->biases_first_population, self->old[i]);
  while (evaluate (self, self->n_known > 0 ? self->n_elites : 0, error))
    {
      sort_by_fitness (self);
      write_generation (self);
      breed (self);
    }
  sort_by_fitness (self);
  write_generation (self);
}

static Gene **
new_chromosomes (guint n, gsize n_genes)
{
  Gene **all = g_new (Gene *, n);

  for (guint i = 0; i < n; i++)
    all[i] = g_new (Gene, n_genes + 1);
  return all;
}

static void
free_chromosomes (Gene **all, guint n)
{
  for (guint i = 0; i < n; i++)
    g_free (all[i]);
  g_free (all);
}

static void
run (Population *self, GError **error)
{
  const GobanBrkgaConfig *config = self->layout.config;
  const GobanUnits *units = self->layout.units;

  self->old = new_chromosomes (config->n_population, self->layout.n_genes);
  self->new = new_chromosomes (config->n_population, self->layout.n_genes);
  self->outcomes = g_new (GobanOutcome, config->n_population);
  self->transfers = g_new0 (gint32, self->layout.n_tensors);
  for (guint k = 0; k < N_PLANS; k++)
    {
      self->plans[k] = goban_plan_new (units->graph, units->n_devices);
      goban_plan_set_order (self->plans[k], GOBAN_ORDER_PRIORITY);
    }

  evolve (self, error);

  free_chromosomes (self->old, config->n_population);
  free_chromosomes (self->new, config->n_population);
  g_free (self->outcomes);
  g_free (self->transfers);
  for (guint k = 0; k < N_PLANS; k++)
    goban_plan_unref (self->plans[k]);
}

static gboolean
is_share (double share)
{
  return share >= 0 && share <= 1;
}

static gboolean
check_config (const GobanBrkgaConfig *config, guint n_elites, guint n_mutants, GError **error)
{
  if (is_share (config->elite_share) && is_share (config->mutant_share)
      && is_share (config->elite_bias) && n_elites >= 1 && n_elites < config->n_population
      && n_elites + n_mutants <= config->n_population)
    return TRUE;
  return goban_refuse (error, GOBAN_ERROR_INVALID,
                       "a population of %u has no room for %u elites, %u mutants and others",
                       config->n_population, n_elites, n_mutants);
}

GobanPlan *
goban_brkga_run (GobanCostModel *costs, const GobanBrkgaConfig *config,
                 const GobanPlacerOptions *options, guint64 *evaluations, GobanOutcome *outcome,
                 GError **error)
{
  g_autoptr (GobanUnits) units = goban_units_new (costs, error);
  g_autoptr (GobanEvaluator) own = NULL;
  g_auto (GobanSearch) search = { NULL };
  Population population = { .search = &search };

  if (units == NULL)
    return NULL;
  population.n_elites = (guint) (config->elite_share * config->n_population + 0.5);
  population.n_mutants = (guint) (config->mutant_share * config->n_population + 0.5);
  if (!check_config (config, population.n_elites, population.n_mutants, error))
    return NULL;

  goban_search_begin (&search, options, GOBAN_BRKGA_EVALUATIONS);
  if (!goban_search_go_on (&search, "breeding", error))
    return NULL;
  search.bound_us = goban_bounds (costs).bound_us;
  if (config->evaluator == NULL)
    own = goban_search_new_evaluator (costs);
  population.evaluator = own != NULL ? own : config->evaluator;
  goban_rng_init (&population.rng, options->seed);
  init_layout (&population.layout, units, config);
  run (&population, error);
  clear_layout (&population.layout);
  if (outcome != NULL && search.best != NULL)
    *outcome = search.outcome;
  return goban_search_end (&search, evaluations);
}

static GobanPlan *
place (GobanCostModel *costs, const GobanPlacerOptions *options, guint64 *evaluations,
       GError **error)
{
  GobanBrkgaConfig config = goban_brkga_config_default ();

  return goban_brkga_run (costs, &config, options, evaluations, NULL, error);
}

const GobanPlacer goban_placer_brkga = {
  .name = "brkga",
  .blurb = N_ ("a biased random-key genetic algorithm over devices and priorities"),
  .about = N_ (
      "REGAL's own search without its network: a chromosome holds an affinity for every device, a "
      "priority for every op and one for every tensor that may travel. 100 chromosomes, 20 elites, "
      "15 mutants, 7 genes in 10 from the elite parent, 5,000 fitness calls. Starts from uniform "
      "chromosomes, as published; those shares are ours, the paper does not give them."),
  .source = "Gonçalves and Resende, Biased Random-Key Genetic Algorithms for Combinatorial "
            "Optimization, 2011; Paliwal et al., REGAL, 2020",
  .effort = GOBAN_EFFORT_SEARCH,
  .is_random = TRUE,
  .default_evaluations = GOBAN_BRKGA_EVALUATIONS,
  .forcing = GOBAN_FORCING_NONE,
  .why_no_forcing
  = "breeds its plans from whole populations, so that no single decision is its own",
  .place = place,
};
