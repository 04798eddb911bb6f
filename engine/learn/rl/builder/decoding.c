/* First the likeliest plan for several numbers of rows is evaluated, then samples with the best
 * numbers of rows, each the most promising of several, in turn with the best plan, shaken. A budget
 * that has no samples chooses among them from the start. Before a plan is simulated, it is refined,
 * and the order in which it is expected to end first is chosen. All of this is by schedules of the
 * rows, without a simulation (engine/learn/policy/row-schedule.h). If the network is to learn, it
 * does so after the first round, with the best number of rows
 * (engine/learn/rl/builder/fine-tuning.h). If fusion is a task, ops count with their shares of
 * kernels' times (decision G13).
 */
#include "engine/learn/rl/builder/decoding.h"

#include "engine/core/error.h"
#include "engine/core/i18n.h"
#include "engine/core/key-sort.h"
#include "engine/graph/cells.h"
#include "engine/learn/nn/vector.h"
#include "engine/learn/policy/plan-builder.h"
#include "engine/learn/policy/row-schedule.h"
#include "engine/learn/rl/builder/builder-lessons.h"
#include "engine/learn/rl/builder/row-decisions.h"
#include "engine/learn/rl/graph-curve.h"
#include "engine/learn/rl/joint-choices.h"
#include "engine/learn/rl/learned-options.h"
#include "engine/learn/rl/policies.h"
#include "engine/learn/rl/setting-fields.h"
#include "engine/placers/placed-ranks.h"
#include "engine/placers/search.h"
#include "engine/placers/search/static-orders.h"
#include "engine/sim/outcome.h"

#include <math.h>
#include <string.h>

#define DEFAULT_EVALUATIONS GOBAN_DECODING_EVALUATIONS
#define TEMPERATURE 4.0
/* Samples of which one is simulated; chosen on random problems of validation. */
#define N_DRAFTS 8
#define MOST_DRAFTS 1000

/* Changes by which a plan is refined, chosen likewise; fewer on large graphs, so that no
 * more ops than these are appended for a plan. */
#define N_CHANGES 400
#define MOST_CHANGES 100000
#define MOST_APPENDED 1e6

/* A graph of few units is then refined unit by unit, with so many times the changes. */
#define MOST_FINE_UNITS 2500
#define MORE_FINE_CHANGES 2

/* Many changes are made in parts; between them, and at last, the ops are sorted anew by when they
 * begin, so many times. */
#define LEAST_OF_PARTS 100
#define N_PARTS 2
#define N_SORTINGS 4

/* On larger graphs the ops are in a static order, and every plan is built (decision G12). */
#define MOST_SORTED_NODES 50000

/* The order in which the ops begin in their schedule, beside the static ones. */
#define AS_BEGUN GOBAN_N_STATIC_ORDERS

/* Changes that shake the best plan before it is refined again. */
#define N_SHAKEN 2

/* Factor of the expected memory of rows, raised after each plan that was short of memory. */
#define MORE_CAUTION 1.15
#define MOST_CAUTION 3.0

/* Numbers of groups and slots, as shares of those that engine/graph/cells.h chooses; 0: one
 * slot. */
static const struct
{
  double groups;
  double slots;
} sizes[] = { { 0.5, 1 }, { 0.5, 0 }, { 1, 1 }, { 0.25, 1 } };

/* Number of connected groups. They separate branches whose parameters are used once, which few
 * merged cells do not. */
#define N_CONNECTED 256

/* Plans that are not the best so far are settled in the record of graphs of up to so many nodes. */
#define MOST_SETTLED_NODES 10000

typedef struct
{
  GobanRows *rows;
  GobanRowSchedule *schedule;
  GobanRowDecisions *choices; /* (nullable): for the record */
} Division;

/* The graph divided into rows of one size. */
typedef struct
{
  guint number; /* among the cuts, in their first order */
  Division division;
  GobanPlanBuilder *builder;
  GobanRowEncoding *encoding; /* (nullable) */
  double expected_us;         /* of its likeliest plan, by the rows' schedule */
  gboolean is_tried;          /* its first plan was simulated */
  GobanOutcome first;         /* of that; infinite before */
  GArray *simulated_us;       /* of double: expected makespans of the simulated plans */
} Resolution;

typedef struct
{
  GobanCostModel *costs;
  GobanUnits *units;
  GobanStaticOrders *orders;
  GobanEvaluator *evaluator;
  GobanBuilderNet *first_net;
  const GobanBuilderNet *net; /* that decides: the first, or the one that learns */
  GobanSearch search;
  GobanDecisionsWriter *decisions; /* (nullable) */
  GobanRng rng;
  double temperature;
  guint n_drafts;
  guint n_changes; /* of a plan that is refined */
  double caution;
  const GobanPlan *start;       /* (nullable): the plan whose order is kept */
  GobanJointExecutor *executor; /* (nullable): fuses if that is a task */
  GobanJointChoices *choices;   /* (nullable): how */
  const GobanDecodingUse *use;
  GobanFineTuning *tuning; /* (nullable): made when the network begins to learn */
  GobanGraphCurve curve;
  Resolution resolutions[G_N_ELEMENTS (sizes) + 1];
  guint n_resolutions;
  char *sizes;   /* (nullable): "46 groups, 12 groups", for the record */
  Division fine; /* a row for each unit, made when it is first needed */
  Division best; /* borrowed: of the best plan */
  guint32 *best_devices;
  /* (n_nodes) the ops in the static orders that the rows' schedule can follow, else NULL */
  GobanNodeId *sorted[GOBAN_N_STATIC_ORDERS];
} Asking;

/* --- network -------------------------------------------------------------------------------- */

/* (transfer full) (nullable) */
static GobanBuilderNet *
make_net (const GobanPlacerOptions *options, gboolean is_untrained, GError **error)
{
  const char *named = goban_learned_options (options)->network;
  g_autofree char *own = NULL;
  GobanRng rng;

  if (is_untrained)
    {
      goban_rng_init (&rng, options->seed);
      return goban_builder_net_new (GOBAN_ALL_PARTS, &rng);
    }
  if (named == NULL)
    named = own = goban_scorer_net_find_own ("builder.net", "builder", error);
  return named != NULL ? goban_builder_net_load (named, error) : NULL;
}

static gboolean
check_tasks (GobanTasks decisions, GError **error)
{
  g_autofree char *names = NULL;

  if (decisions == 0 || goban_tasks_have (decisions, GOBAN_TASK_PLACEMENT))
    return TRUE;
  names = goban_tasks_to_text (decisions);
  return goban_refuse (
      error, GOBAN_ERROR_INVALID,
      "this network decides placement, with which it can choose orders and kernels, but "
      "not %s alone; add placement to the tasks, or use “go-finetune”",
      names);
}

static gboolean
parse_settings (Asking *self, const char *text, GError **error)
{
  static const GobanSettingField fields[] = {
    GOBAN_SETTING_FIELD (NUMBER, Asking, "temperature", temperature, 0.01, 100, NULL),
    GOBAN_SETTING_FIELD (COUNT, Asking, "drafts", n_drafts, 1, MOST_DRAFTS, NULL),
    GOBAN_SETTING_FIELD (COUNT, Asking, "refine", n_changes, 0, MOST_CHANGES, NULL),
  };
  g_autofree char *wrong = NULL;

  self->temperature = TEMPERATURE;
  self->n_drafts = N_DRAFTS;
  self->n_changes = N_CHANGES;
  wrong = goban_setting_fields_apply (fields, G_N_ELEMENTS (fields), text, self);
  if (wrong == NULL)
    return TRUE;
  return goban_refuse (error, GOBAN_ERROR_INVALID,
                       "“%s” is not a setting of this network: write temperature=T, T from 0.01 "
                       "to 100, drafts=N, N from 1 to %d, or refine=N, N from 0 to %d",
                       wrong, MOST_DRAFTS, MOST_CHANGES);
}

/* --- rows ----------------------------------------------------------------------------------- */

/* Takes the rows. */
static void
division_init (Division *self, GobanRows *rows, gboolean is_recorded)
{
  self->rows = rows;
  self->schedule = goban_row_schedule_new (rows);
  if (is_recorded)
    self->choices = goban_row_decisions_new (rows);
}

static void
division_clear (Division *self)
{
  g_clear_pointer (&self->choices, goban_row_decisions_free);
  g_clear_pointer (&self->schedule, goban_row_schedule_free);
  g_clear_pointer (&self->rows, goban_rows_free);
}

static gboolean
is_known (const Asking *self, const GobanRows *rows)
{
  for (guint i = 0; i < self->n_resolutions; i++)
    {
      const GobanRows *known = self->resolutions[i].division.rows;

      if (known->n_rows == rows->n_rows
          && memcmp (known->row_of, rows->row_of, rows->n_nodes * sizeof *rows->row_of) == 0)
        return TRUE;
    }
  return FALSE;
}

/* Adds a division into rows, unless it equals another one. Takes the rows. */
static void
add_resolution (Asking *self, GobanRows *rows)
{
  Resolution *made = &self->resolutions[self->n_resolutions];

  if (is_known (self, rows))
    {
      goban_rows_free (rows);
      return;
    }
  made->number = self->n_resolutions;
  division_init (&made->division, rows, self->decisions != NULL);
  made->first = (GobanOutcome){ INFINITY, INFINITY };
  made->builder = goban_plan_builder_new (rows);
  made->encoding = goban_row_encoding_new (self->net, rows);
  made->simulated_us = g_array_new (FALSE, FALSE, sizeof (double));
  self->n_resolutions++;
}

/* The share of its own time that each op takes in its kernel if one device has all ops; NULL if
 * nothing is fused. (transfer full) (nullable) */
static double *
new_shares (Asking *self)
{
  g_autoptr (GobanPlan) plan = NULL;
  double *shares;

  if (self->executor == NULL)
    return NULL;
  plan = goban_plan_new (self->units->graph, self->units->n_devices);
  shares = g_new (double, goban_graph_get_n_nodes (self->units->graph) + 1);
  goban_joint_executor_apply (self->executor, self->choices, plan);
  goban_joint_executor_get_shares (self->executor, plan, shares);
  return shares;
}

/* Sorts the ops once for the static orders that all schedules can follow. “times” is the rows' own
 * already, and “fifo” is none of ops. */
static void
sort_ops (Asking *self)
{
  static const GobanStaticOrder orders[] = { GOBAN_STATIC_DEPTH, GOBAN_STATIC_INDEX };
  guint n_nodes = goban_graph_get_n_nodes (self->units->graph);
  const GobanNodeId *own = self->resolutions[0].division.rows->order;
  g_autofree double *ranks = g_new (double, n_nodes + 1);
  g_autoptr (GobanPlan) plan = goban_plan_new (self->units->graph, self->units->n_devices);

  for (gsize i = 0; i < G_N_ELEMENTS (orders); i++)
    {
      GobanNodeId *sorted = g_memdup2 (own, (n_nodes + 1) * sizeof *own);

      goban_static_orders_rank (self->orders, orders[i], plan, ranks);
      for (GobanNodeId v = 0; v < n_nodes; v++)
        ranks[v] = -ranks[v];
      goban_key_sort (sorted, ranks, n_nodes);
      self->sorted[orders[i]] = sorted;
    }
}

static void
cut (Asking *self)
{
  g_autofree double *work_us = g_new (double, goban_graph_get_n_nodes (self->units->graph) + 1);
  g_autoptr (GobanCells) cells = NULL;
  guint n_groups, n_slots;

  g_autofree double *shares = new_shares (self);

  goban_cost_model_mean_times (self->costs, work_us);
  cells = goban_cells_new (self->units->graph, work_us);
  goban_cells_choose (cells, self->units->n_devices, &n_groups, &n_slots);
  for (gsize i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      g_autoptr (GobanCellRows) rows
          = goban_cell_rows_new (cells, MAX (1, (guint) (n_groups * sizes[i].groups)),
                                 MAX (1, (guint) (n_slots * sizes[i].slots)));

      add_resolution (self, goban_rows_new (self->units, rows->row_of, rows->n_rows, shares));
    }
  add_resolution (self, goban_rows_new_connected (self->units, N_CONNECTED, shares));

  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < self->n_resolutions; i++)
    g_string_append_printf (text, i == 0 ? "%u groups" : ", %u groups",
                            self->resolutions[i].division.rows->n_rows);
  self->sizes = g_string_free (g_steal_pointer (&text), FALSE);
}

/* --- construction and disposal -------------------------------------------------------------- */

static gboolean
begin (Asking *self, const GobanPlacerOptions *options, GError **error)
{
  self->first_net = make_net (options, self->use->is_untrained, error);
  self->net = self->first_net;
  if (self->net == NULL || !check_tasks (goban_learned_options (options)->decisions, error)
      || !parse_settings (self, options->settings, error))
    return FALSE;
  self->units = goban_units_new (self->costs, error);
  if (self->units == NULL)
    return FALSE;
  self->decisions = options->decisions;
  goban_search_begin (&self->search, options, self->use->default_evaluations);
  self->search.bound_us = goban_bounds (self->costs).bound_us;
  self->orders = goban_static_orders_new (self->units);
  self->evaluator = goban_search_new_evaluator (self->costs);
  if (goban_tasks_have (goban_learned_options (options)->decisions, GOBAN_TASK_FUSION))
    {
      /* Sets the bound of fused plans, which may be shorter than any unfused one. */
      self->executor = goban_joint_executor_new (self->units, self->orders);
      self->choices = goban_joint_choices_new (goban_graph_get_n_nodes (self->units->graph));
      self->choices->fusion = GOBAN_FUSES_TRAFFIC;
      self->search.bound_us = goban_bounds_when_fused (self->costs).bound_us;
    }
  self->start = goban_learned_options (options)->start;
  self->caution = 1;
  goban_rng_init (&self->rng, options->seed);
  return TRUE;
}

/* --- building plans ------------------------------------------------------------------------- */

static GobanDecisionsWriter *
open_pass (GobanDecisionsWriter *in, const char *name)
{
  return goban_decisions_writer_open (in,
                                      &(GobanSpanHead){ .name = name, .level = GOBAN_LEVEL_PASS });
}

static guint
count_most_changes (const Asking *self)
{
  return (guint) (MOST_APPENDED / MAX (goban_graph_get_n_nodes (self->units->graph), 1));
}

/* Chooses the order in which the placement is expected to end first, and writes it (n_nodes): a
 * static one (the rows' own order stands for “transfers”), or that in which the ops then begin,
 * which is no option of a large graph. */
static guint32
decide_order (const Asking *self, GobanDecisionsWriter *writer, const Division *division,
              const guint32 *devices, GobanNodeId *as_begun)
{
  gboolean is_sorted = division->rows->n_nodes <= MOST_SORTED_NODES;
  const GobanDecisionHead head
      = { .task = GOBAN_TASK_SCHEDULING,
          .options = GOBAN_OPTION_RULE,
          .score = GOBAN_SCORE_EXPECTED_US,
          .takes_least = TRUE,
          .n_options = is_sorted ? AS_BEGUN + 1 : GOBAN_N_STATIC_ORDERS,
          .note = is_sorted ? GOBAN_STATIC_ORDER_NAMES ", schedule" : GOBAN_STATIC_ORDER_NAMES };
  const GobanNodeId *sorted = division->rows->order;
  double least_us = INFINITY, as_begun_us;
  guint32 best = GOBAN_STATIC_TRANSFERS;

  for (guint order = 0; order < GOBAN_N_STATIC_ORDERS; order++)
    if (order == GOBAN_STATIC_TRANSFERS || self->sorted[order] != NULL)
      {
        double end_us = goban_row_schedule_find_end_us (division->schedule, devices,
                                                        self->sorted[order], self->caution);

        goban_decisions_writer_score (writer, order, end_us, 0);
        if (end_us < least_us)
          best = order;
        least_us = MIN (least_us, end_us);
      }
  if (!is_sorted)
    return goban_decisions_writer_decide (writer, &head, best);
  if (self->sorted[best] != NULL)
    sorted = self->sorted[best];
  memcpy (as_begun, sorted, division->rows->n_nodes * sizeof *as_begun);
  as_begun_us
      = goban_row_schedule_sort (division->schedule, N_SORTINGS, devices, self->caution, as_begun);
  if (isfinite (as_begun_us))
    {
      goban_decisions_writer_score (writer, AS_BEGUN, as_begun_us, 0);
      best = AS_BEGUN;
    }
  return goban_decisions_writer_decide (writer, &head, best);
}

/* Orders the plan of a placement. */
static void
set_order (const Asking *self, GobanDecisionsWriter *writer, const Division *division,
           const guint32 *devices, GobanPlan *plan)
{
  guint n_nodes = division->rows->n_nodes;
  g_autofree GobanNodeId *as_begun = g_new (GobanNodeId, n_nodes + 1);
  g_autofree double *ranks = g_new (double, n_nodes + 1);
  guint32 order = decide_order (self, writer, division, devices, as_begun);

  if (order != AS_BEGUN)
    {
      goban_static_orders_apply (self->orders, (GobanStaticOrder) order, plan);
      return;
    }
  for (guint i = 0; i < n_nodes; i++)
    ranks[as_begun[i]] = -(double) i;
  goban_plan_set_transfer_priorities (plan, NULL);
  goban_plan_set_order (plan, GOBAN_ORDER_PRIORITY);
  goban_plan_spread_priorities (plan, ranks);
}

/* Makes a plan from a device per row. The order is a start's, if there is one. (transfer full) */
static GobanPlan *
new_plan (Asking *self, GobanDecisionsWriter *in, const Division *division, const guint32 *devices)
{
  GobanPlan *plan = self->start != NULL
                        ? goban_plan_copy (self->start)
                        : goban_plan_new (self->units->graph, self->units->n_devices);
  GobanDecisionsWriter *settling = open_pass (in, "settling");

  goban_rows_place (division->rows, devices, plan);
  if (self->start == NULL)
    set_order (self, settling, division, devices, plan);
  if (self->executor != NULL)
    {
      self->choices->fusion = (GobanFusionRule) goban_decisions_writer_decide (
          settling,
          &(GobanDecisionHead){ .task = GOBAN_TASK_FUSION,
                                .options = GOBAN_OPTION_RULE,
                                .n_options = GOBAN_N_FUSION_RULES,
                                .note = GOBAN_FUSION_RULE_NAMES },
          GOBAN_FUSES_TRAFFIC);
      goban_joint_executor_apply (self->executor, self->choices, plan);
      self->choices->fusion = GOBAN_FUSES_TRAFFIC;
    }
  goban_decisions_writer_close (settling, NULL, TRUE);
  return plan;
}

/* Opens the span of the next simulation. @is_built: its plan starts from nothing. */
static GobanDecisionsWriter *
open_plan (Asking *self, gboolean is_built)
{
  const GobanSpanHead head = { .name = "plan",
                               .level = GOBAN_LEVEL_PLAN,
                               .evaluation = self->search.n_evaluations + 1,
                               .n_left_out = self->search.n_evaluations - self->search.written,
                               .key = is_built ? "upward_rank_us" : NULL,
                               .ties = is_built ? "the first device" : NULL,
                               .has_base = is_built };

  return goban_decisions_writer_open (self->decisions, &head);
}

/* Makes, simulates and offers a plan, and ends its span; the state is always the best plan so far.
 * made: (out) (optional) (transfer full) */
static GobanOutcome
offer (Asking *self, GobanDecisionsWriter *writer, const Division *division, const guint32 *devices,
       GobanPlan **made)
{
  g_autoptr (GobanPlan) plan = new_plan (self, writer, division, devices);
  GobanSpanResult result;
  GobanOutcome outcome;
  gboolean is_best;

  goban_evaluator_evaluate (self->evaluator, &plan, 1, &outcome);
  result = goban_search_get_result (outcome);
  is_best = goban_search_consider (&self->search, plan, outcome);
  if (is_best)
    {
      goban_search_set_best (&self->search, writer, NULL);
      self->best = *division;
      g_free (self->best_devices);
      self->best_devices = g_memdup2 (devices, (division->rows->n_rows + 1) * sizeof *devices);
    }
  else if (goban_plan_get_n_nodes (plan) <= MOST_SETTLED_NODES)
    goban_decisions_writer_settle (writer, plan);
  goban_decisions_writer_close (writer, &result, is_best);
  self->search.written = self->search.n_evaluations;
  if (made != NULL)
    *made = g_steal_pointer (&plan);
  return outcome;
}

/* A plan that may be simulated. */
typedef struct
{
  guint32 *devices; /* (R) */
  GobanBuildRecord *record;
  gboolean is_lesson; /* its features are kept */
  double expected_us;
  double temperature; /* 0: the likeliest */
  GobanRng rng;       /* before it was drawn, to build it again */
} Draft;

static Draft
draft_new (const Resolution *resolution)
{
  Draft self = { .devices = g_new (guint32, resolution->division.rows->n_rows + 1),
                 .record = goban_build_record_new () };

  self.record->skips_features = TRUE;
  return self;
}

static void
draft_clear (Draft *self)
{
  g_free (self->devices);
  goban_build_record_free (self->record);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Draft, draft_clear)

static void
build_by (const Asking *self, const Resolution *resolution, GobanRng *rng,
          const GobanForcedRow *forced, Draft *draft)
{
  GobanBuildOptions options
      = { .temperature = draft->temperature,
          .rng = rng,
          .caution = self->caution,
          .encoding = resolution->encoding,
          .forced = forced,
          .record = self->decisions != NULL || draft->is_lesson ? draft->record : NULL };

  goban_plan_builder_build (resolution->builder, self->net, &options, draft->devices);
  draft->expected_us = goban_row_schedule_find_end_us (resolution->division.schedule,
                                                       draft->devices, NULL, self->caution);
}

static void
build (Asking *self, const Resolution *resolution, double temperature, Draft *draft)
{
  draft->temperature = temperature;
  draft->rng = self->rng;
  build_by (self, resolution, &self->rng, NULL, draft);
}

/* Builds the draft again, with the same random numbers. forced: (nullable) */
static void
build_again (const Asking *self, const Resolution *resolution, const GobanForcedRow *forced,
             Draft *draft)
{
  GobanRng rng = draft->rng;

  build_by (self, resolution, &rng, forced, draft);
}

/* TRUE if a plan of the same rows with the same expected makespan was simulated. It is then most
 * likely the same plan, perhaps with equal devices relabelled, which does not change the bits. */
static gboolean
is_simulated (const Resolution *resolution, double expected_us)
{
  const double *simulated_us = (const double *) (const void *) resolution->simulated_us->data;

  for (guint i = 0; i < resolution->simulated_us->len; i++)
    if (simulated_us[i] == expected_us)
      return TRUE;
  return FALSE;
}

/* TRUE if all evaluations go to the first plans of sizes. */
static gboolean
has_no_samples (const Asking *self)
{
  guint64 budget = self->search.max_evaluations;

  return budget > 0 && budget <= self->n_resolutions;
}

/* Builds the likeliest plan if the temperature is 0, else the most promising of several samples.
 * Where no samples follow, the likeliest plan is the first of them. */
static void
choose_draft (Asking *self, GobanDecisionsWriter *writer, const Resolution *resolution,
              double temperature, Draft *best)
{
  guint n = temperature > 0 || has_no_samples (self) ? self->n_drafts : 1;
  const GobanDecisionHead head = { .task = GOBAN_TASK_PLACEMENT,
                                   .options = GOBAN_OPTION_PLAN,
                                   .score = GOBAN_SCORE_EXPECTED_US,
                                   .takes_least = TRUE,
                                   .n_options = n };
  g_autofree GobanRng *rngs = g_new (GobanRng, n);
  guint32 chosen = 0;
  gboolean is_new = FALSE;
  g_auto (Draft) other = draft_new (resolution);

  for (guint i = 0; i < n; i++)
    {
      gboolean is_known;

      build (self, resolution, i == 0 ? temperature : self->temperature, &other);
      rngs[i] = other.rng;
      is_known = is_simulated (resolution, other.expected_us);
      if (n > 1)
        goban_decisions_writer_score (writer, i, other.expected_us,
                                      is_known ? GOBAN_REFUSAL_RULE : 0);
      if (i == 0 || (!is_known && (!is_new || other.expected_us < best->expected_us)))
        {
          Draft last = *best;

          *best = other;
          other = last;
          is_new = !is_known;
          chosen = i;
        }
    }
  if (n > 1)
    {
      guint32 taken = goban_decisions_writer_decide (writer, &head, chosen);

      if (taken == chosen)
        return;
      best->temperature = taken == 0 ? temperature : self->temperature;
      best->rng = rngs[taken];
      build_again (self, resolution, NULL, best);
    }
}

/* Writes the decisions of a draft; after one that was forced it is built anew. */
static void
write_draft (const Asking *self, GobanDecisionsWriter *writer, const Resolution *resolution,
             Draft *draft)
{
  if (writer == NULL)
    return;
  for (guint i = 0; i < draft->record->n_decisions; i++)
    {
      GobanForcedRow taken
          = { g_array_index (draft->record->rows, guint32, i),
              goban_row_decisions_choose (resolution->division.choices, writer, draft->record, i,
                                          draft->temperature, resolution->encoding) };

      if (taken.device != g_array_index (draft->record->actions, guint32, i))
        build_again (self, resolution, &taken, draft);
    }
  goban_row_decisions_carry (resolution->division.choices, writer, draft->record, draft->devices);
}

/* Refines the devices of rows by their schedule. */
static void
refine_by (Asking *self, GobanDecisionsWriter *writer, const Division *division, guint n_shaken,
           guint n_changes, guint32 *devices)
{
  const GobanRows *rows = division->rows;
  guint n_parts = n_changes >= LEAST_OF_PARTS ? N_PARTS : 1;
  g_autofree GobanNodeId *order
      = n_parts > 1 ? g_memdup2 (rows->order, (rows->n_nodes + 1) * sizeof *rows->order) : NULL;
  g_autoptr (GArray) kept
      = writer != NULL ? g_array_new (FALSE, FALSE, sizeof (GobanRowChange)) : NULL;

  for (guint i = 0; i < n_parts; i++)
    {
      if (i > 0)
        goban_row_schedule_sort (division->schedule, N_SORTINGS, devices, self->caution, order);
      goban_row_schedule_refine (division->schedule, i == 0 ? n_shaken : 0, n_changes / n_parts,
                                 order, self->caution, &self->rng, devices, kept);
    }
  if (kept != NULL)
    goban_row_decisions_change (division->choices, writer, kept);
}

/* Returns what the draft's devices are of now. */
static const Division *
refine (Asking *self, GobanDecisionsWriter *in, const Resolution *resolution, Draft *draft)
{
  const GobanRows *rows = resolution->division.rows;
  GobanDecisionsWriter *writer;
  guint n_fine = MIN (MORE_FINE_CHANGES * self->n_changes, count_most_changes (self));

  writer = open_pass (in, "refinement");
  refine_by (self, writer, &resolution->division, 0,
             MIN (self->n_changes, count_most_changes (self)), draft->devices);
  if (n_fine == 0 || self->units->n_units > MOST_FINE_UNITS)
    {
      goban_decisions_writer_close (writer, NULL, TRUE);
      return &resolution->division;
    }
  if (self->fine.rows == NULL)
    {
      g_autofree double *shares = new_shares (self);

      division_init (&self->fine, goban_rows_new_of_units (self->units, shares),
                     self->decisions != NULL);
    }

  /* Replaces the devices of rows by those of units. */
  const GobanUnits *units = self->units;
  guint32 *devices = g_new (guint32, units->n_units + 1);

  for (guint u = 0; u < units->n_units; u++)
    {
      devices[u] = draft->devices[rows->row_of[units->nodes[units->offsets[u]]]];
      if (!goban_units_can_run (units, u, (GobanDeviceId) devices[u]))
        devices[u] = goban_units_fastest_device (units, u);
    }
  g_free (draft->devices);
  draft->devices = devices;

  refine_by (self, writer, &self->fine, 0, n_fine, draft->devices);
  goban_decisions_writer_close (writer, NULL, TRUE);
  return &self->fine;
}

/* Moves a size before all earlier ones that it is better than; these are sorted. */
static void
move_up (Asking *self, guint i, int (*compare) (const Resolution *a, const Resolution *b))
{
  Resolution moved = self->resolutions[i];

  for (; i > 0 && compare (&moved, &self->resolutions[i - 1]) < 0; i--)
    self->resolutions[i] = self->resolutions[i - 1];
  self->resolutions[i] = moved;
}

static int
compare_expected (const Resolution *a, const Resolution *b)
{
  return (a->expected_us > b->expected_us) - (a->expected_us < b->expected_us);
}

static int
compare_first (const Resolution *a, const Resolution *b)
{
  return goban_outcome_compare (&a->first, &b->first);
}

/* The size to take in place of number @at: of the first plans the most promising of those that are
 * left, of samples the one whose first plan was the best, or the next best. */
static guint
choose_size (const Asking *self, GobanDecisionsWriter *writer, guint at, gboolean is_first)
{
  const GobanDecisionHead head
      = { .task = GOBAN_TASK_PLACEMENT,
          .options = GOBAN_OPTION_RULE,
          .score = is_first ? GOBAN_SCORE_EXPECTED_US : GOBAN_SCORE_MAKESPAN_US,
          .takes_least = is_first,
          .n_options = self->n_resolutions,
          .note = self->sizes };
  guint32 taken;

  for (guint i = 0; i < self->n_resolutions; i++)
    {
      const Resolution *size = &self->resolutions[i];

      if (is_first)
        goban_decisions_writer_score (writer, size->number, size->expected_us,
                                      size->is_tried ? GOBAN_REFUSAL_RULE : 0);
      else
        goban_decisions_writer_score (writer, size->number,
                                      size->is_tried ? size->first.makespan_us : (double) NAN, 0);
    }
  taken = goban_decisions_writer_decide (writer, &head, self->resolutions[at].number);
  for (guint i = 0; i < self->n_resolutions; i++)
    if (self->resolutions[i].number == taken)
      return i;
  return at;
}

/* Builds, simulates and offers one plan with size @at, or the one that is forced. A size's first
 * plan is the likeliest, others are samples. */
static void
ask (Asking *self, guint at, gboolean is_first)
{
  GobanDecisionsWriter *writer = open_plan (self, TRUE);
  GobanDecisionsWriter *drafting = open_pass (writer, "draft");
  guint taken = choose_size (self, drafting, at, is_first);
  Resolution *resolution = &self->resolutions[taken];
  const Division *division;
  g_auto (Draft) draft = draft_new (resolution);
  GobanOutcome outcome;

  choose_draft (self, drafting, resolution, is_first ? 0 : self->temperature, &draft);
  write_draft (self, drafting, resolution, &draft);
  goban_decisions_writer_close (drafting, NULL, TRUE);
  g_array_append_val (resolution->simulated_us, draft.expected_us);
  division = refine (self, writer, resolution, &draft);
  outcome = offer (self, writer, division, draft.devices, NULL);
  if (outcome.overflow_bytes > 0)
    self->caution = MIN (self->caution * MORE_CAUTION, MOST_CAUTION);
  resolution->is_tried = TRUE;
  if (is_first && goban_outcome_compare (&outcome, &resolution->first) < 0)
    {
      resolution->first = outcome;
      move_up (self, taken, compare_first);
    }
}

/* Shakes the best plan's placement, refines, simulates and offers it. */
static void
ask_for_better (Asking *self)
{
  GobanDecisionsWriter *writer = open_plan (self, FALSE);
  guint n_changes = MIN ((1 + MORE_FINE_CHANGES) * self->n_changes, 2 * count_most_changes (self));
  GobanDecisionsWriter *pass;
  Division division = self->best;
  g_autofree guint32 *devices
      = g_memdup2 (self->best_devices, (division.rows->n_rows + 1) * sizeof *devices);

  /* Few changes do not make up for the shaking. */
  if (n_changes >= LEAST_OF_PARTS)
    {
      pass = open_pass (writer, "shaking");
      refine_by (self, pass, &division, N_SHAKEN, 0, devices);
      goban_decisions_writer_close (pass, NULL, TRUE);
    }
  pass = open_pass (writer, "refinement");
  refine_by (self, pass, &division, 0, n_changes, devices);
  goban_decisions_writer_close (pass, NULL, TRUE);
  offer (self, writer, &division, devices, NULL);
}

/* Sorts the sizes by the expected makespan of their likeliest plans, so that the most promising one
 * is simulated first. */
static void
sort_by_expectation (Asking *self)
{
  for (guint i = 0; i < self->n_resolutions; i++)
    {
      Resolution *built = &self->resolutions[i];
      g_autofree guint32 *devices = g_new (guint32, built->division.rows->n_rows + 1);
      GobanBuildOptions options = { .encoding = built->encoding };

      goban_plan_builder_build (built->builder, self->net, &options, devices);
      built->expected_us
          = goban_row_schedule_find_end_us (built->division.schedule, devices, NULL, self->caution);
      move_up (self, i, compare_expected);
    }
}

/* Evaluates the first plan of every size and sorts the sizes by the results. FALSE if the budget is
 * spent. */
static gboolean
ask_for_first (Asking *self, GError **error)
{
  /* Sizes that are left stand behind the others. */
  for (guint i = 0; i < self->n_resolutions;)
    if (self->resolutions[i].is_tried)
      i++;
    else if (goban_search_go_on (&self->search, "building plans", error))
      ask (self, i, TRUE);
    else
      return FALSE;
  return TRUE;
}

/* Draws samples, two of three with the best size, the third with the next best; after each the best
 * plan is refined again, but on large graphs. */
static gboolean
sample (Asking *self, guint n, GError **error)
{
  gboolean is_large = goban_graph_get_n_nodes (self->units->graph) > MOST_SORTED_NODES;
  guint n_turns = self->n_changes > 0 && !is_large ? 2 : 1;

  for (guint i = 0; i < n; i++)
    {
      guint at = i / n_turns % 3 == 2 && self->n_resolutions > 1 ? 1 : 0;

      if (!goban_search_go_on (&self->search, "building plans", error))
        return FALSE;
      if (i % n_turns == 0)
        ask (self, at, FALSE);
      else
        ask_for_better (self);
    }
  return TRUE;
}

/* --- learning on the graph ------------------------------------------------------------------ */

/* The plans of an update. */
typedef struct
{
  Draft drafts[GOBAN_DECODING_FELLOWS];
  GobanBuildRecord *records[GOBAN_DECODING_FELLOWS]; /* of these */
  double scores_us[GOBAN_DECODING_FELLOWS];
} Fellows;

static void
fellows_clear (Fellows *self)
{
  for (guint i = 0; i < GOBAN_DECODING_FELLOWS; i++)
    draft_clear (&self->drafts[i]);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Fellows, fellows_clear)

/* Builds, simulates and offers a plan as it is: without refinement, for the score is the network's.
 * Returns the score. @temperature: 0: the likeliest */
static double
try_as_built (Asking *self, const Resolution *resolution, double temperature, Draft *draft)
{
  GobanDecisionsWriter *writer = open_plan (self, TRUE);
  GobanDecisionsWriter *drafting = open_pass (writer, "draft");
  g_autoptr (GobanPlan) plan = NULL;
  GobanOutcome outcome;

  build (self, resolution, temperature, draft);
  write_draft (self, drafting, resolution, draft);
  goban_decisions_writer_close (drafting, NULL, TRUE);
  outcome = offer (self, writer, &resolution->division, draft->devices, &plan);
  if (draft->is_lesson && self->curve.sink != NULL)
    {
      goban_graph_curve_add_sample (&self->curve, plan, &outcome,
                                    -goban_log (MAX (outcome.makespan_us, 1e-9)));
      goban_graph_curve_add_choices (&self->curve, goban_build_record_get_entropy (draft->record),
                                     draft->record->n_decisions);
    }
  return goban_builder_score_us (self->units->cluster, outcome);
}

/* Keeps the network if its likeliest plan is the best so far. FALSE if the budget is spent. */
static gboolean
check_likeliest (Asking *self, const Resolution *resolution, GError **error)
{
  g_auto (Draft) draft = draft_new (resolution);

  if (!goban_search_go_on (&self->search, "learning on the graph", error))
    return FALSE;
  goban_fine_tuning_keep (self->tuning, try_as_built (self, resolution, 0, &draft));
  return TRUE;
}

/* Makes one update. FALSE if the budget is spent. */
static gboolean
learn (Asking *self, Resolution *resolution, GError **error)
{
  g_auto (Fellows) fellows = { 0 };
  double norm;

  for (guint i = 0; i < GOBAN_DECODING_FELLOWS; i++)
    {
      fellows.drafts[i] = draft_new (resolution);
      fellows.drafts[i].is_lesson = TRUE;
      fellows.drafts[i].record->skips_features = FALSE;
    }
  goban_graph_curve_begin_update (&self->curve);
  for (guint i = 0; i < GOBAN_DECODING_FELLOWS; i++)
    {
      if (!goban_search_go_on (&self->search, "learning on the graph", error))
        return FALSE;
      fellows.scores_us[i]
          = try_as_built (self, resolution, self->use->tuning.temperature, &fellows.drafts[i]);
      fellows.records[i] = fellows.drafts[i].record;
    }
  if (!goban_fine_tuning_update (self->tuning, fellows.records, fellows.scores_us,
                                 GOBAN_DECODING_FELLOWS, resolution->encoding, &norm, error))
    return FALSE;
  goban_graph_curve_end_update (&self->curve, norm, NAN);
  return TRUE;
}

static void
embed_all (Asking *self)
{
  for (guint i = 0; i < self->n_resolutions; i++)
    if (self->resolutions[i].encoding != NULL)
      goban_row_encoding_embed (self->resolutions[i].encoding, self->net);
}

/* Learns with the best number of rows, and goes on with the network whose likeliest plan was the
 * best: the one before, if nothing was gained. FALSE if the budget is spent. */
static gboolean
tune (Asking *self, GError **error)
{
  Resolution *resolution = &self->resolutions[0];
  gboolean goes_on;

  self->tuning = goban_fine_tuning_new (self->net, self->units->classes, &self->use->tuning);
  self->net = self->tuning->net;
  embed_all (self);
  goes_on = check_likeliest (self, resolution, error);
  for (guint i = 0; i < self->use->n_updates && goes_on; i++)
    goes_on = learn (self, resolution, error)
              && ((i + 1) % GOBAN_DECODING_CHECK_EVERY != 0
                  || check_likeliest (self, resolution, error));
  goban_fine_tuning_go_back (self->tuning);
  embed_all (self);
  if (!goes_on || !goban_search_go_on (&self->search, "building plans", error))
    return FALSE;
  ask (self, 0, TRUE);
  return TRUE;
}

/* --- search --------------------------------------------------------------------------------- */

static void
build_plans (Asking *self, GError **error)
{
  if (ask_for_first (self, error) && sample (self, DEFAULT_EVALUATIONS - self->n_resolutions, error)
      && (self->use->n_updates == 0 || tune (self, error)))
    sample (self, G_MAXUINT, error);
}

GobanPlan *
goban_decoding_place (GobanCostModel *costs, const GobanPlacerOptions *options,
                      const GobanDecodingUse *use, guint64 *evaluations, GError **error)
{
  Asking self = { .costs = costs, .use = use };
  GobanPlan *plan = NULL;

  if (begin (&self, options, error)
      && (use->n_updates == 0 || goban_graph_curve_init (&self.curve, costs, options, error)))
    {
      cut (&self);
      sort_ops (&self);
      sort_by_expectation (&self);
      build_plans (&self, error);
      plan = goban_search_end (&self.search, evaluations);
    }
  for (guint i = 0; i < self.n_resolutions; i++)
    {
      goban_plan_builder_free (self.resolutions[i].builder);
      g_clear_pointer (&self.resolutions[i].encoding, goban_row_encoding_free);
      division_clear (&self.resolutions[i].division);
      g_array_unref (self.resolutions[i].simulated_us);
    }
  for (guint order = 0; order < GOBAN_N_STATIC_ORDERS; order++)
    g_free (self.sorted[order]);
  g_free (self.sizes);
  goban_graph_curve_clear (&self.curve);
  division_clear (&self.fine);
  g_free (self.best_devices);
  goban_search_clear (&self.search);
  g_clear_pointer (&self.evaluator, goban_evaluator_free);
  g_clear_pointer (&self.choices, goban_joint_choices_free);
  g_clear_pointer (&self.executor, goban_joint_executor_free);
  g_clear_pointer (&self.orders, goban_static_orders_free);
  g_clear_pointer (&self.tuning, goban_fine_tuning_free);
  g_clear_pointer (&self.first_net, goban_builder_net_free);
  g_clear_pointer (&self.units, goban_units_free);

  return plan;
}

/* go-zeroshot: plans by the trained decoder, without learning on the graph. */

static GobanPlan *
place (GobanCostModel *costs, const GobanPlacerOptions *options, guint64 *evaluations,
       GError **error)
{
  const GobanDecodingUse use = { .default_evaluations = GOBAN_DECODING_EVALUATIONS };

  return goban_decoding_place (costs, options, &use, evaluations, error);
}

const GobanPlacer goban_placer_go_zeroshot = {
  .name = "go-zeroshot",
  .blurb = N_ ("a trained network builds plans row by row, and learns nothing here"),
  .about
  = N_ ("Taught beforehand on random networks (data/policies says how), the network places "
        "one row of the graph after another, a layer at a few time steps for example. It reads "
        "embeddings of the rows by GraphSAGE, recurrent attention over segments of them and "
        "modulation by the graph, attends to the devices with the rows placed on them, and "
        "carries a state of the actions taken; it "
        "sees after each what came of it: when the row could start on every device, loads, "
        "transfers, memory, and where its neighbours are. The likeliest plan of up to five cuts "
        "into rows is simulated, then samples at temperature 4, of eight each the one that its own "
        "schedule expects to be the shortest: 17 evaluations. By that schedule each plan is "
        "refined before it is simulated, with up to 400 changes of rows, and a small graph with "
        "twice as many of single ops, and gets the order in which it is expected to end first; "
        "--set refine=N tries N and 2 N changes, refine=0 none. There is no expert, no heuristic "
        "and no "
        "name in it, and nothing is learned. The network decides placement; with --tasks all each "
        "plan is fused as well, what saves most traffic first. With five or fewer "
        "the first plans are chosen among eight, too; --set drafts=1 simulates every plan that is "
        "built, --evals 1 --set drafts=1,refine=0 the likeliest one as it is built, --set "
        "temperature=T draws otherwise. --network FILE names "
        "another network; goban-cli train builder makes one."),
  .source = "Zhou et al., Transferable Graph Optimizers for ML Compilers, NeurIPS 2020",
  .effort = GOBAN_EFFORT_SEARCH,
  .is_random = TRUE,
  .has_tasks = TRUE,
  .has_network = TRUE,
  .default_evaluations = GOBAN_DECODING_EVALUATIONS,
  .setting = "*",
  .forcing = GOBAN_FORCING_INSIDE,
  .place = place,
};
