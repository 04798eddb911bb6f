/* Splits along parameters and uses, then random changes of rows: the control that learned policies
 * must beat.
 *
 * Starts: contiguous splits of cells along either axis, and everything on one device. The best two
 * placements are tried under every static order. That is all of a budget of 17 evaluations. A
 * larger one tries more splits, then changes rows at random, and accepts what is not much worse,
 * less and less so: a group, a slot, a stretch of rows or a few rows go to another device. Towards
 * the end rows are single cells, then units. Nothing comes from names or from the expert.
 */
#include "engine/core/i18n.h"
#include "engine/core/rng.h"
#include "engine/placers/policies.h"
#include "engine/placers/search.h"
#include "engine/placers/search/cell-splits.h"
#include "engine/placers/search/static-orders.h"

#include <math.h>
#include <string.h>

#define DEFAULT_EVALUATIONS 17

/* Placements that are tried under all orders: two, or more with a larger budget. */
#define N_ORDERED 2
#define N_ORDERED_OF_MANY 3
#define MANY_EVALUATIONS 60

/* Metropolis temperature at first, as a share of the makespan. */
#define HEAT 0.005

/* Shares of the budget of changes: rows, then single cells, then units. */
#define END_OF_ROWS 0.7
#define END_OF_CELLS 0.9
/* A smaller budget does not reach below rows. */
#define MANY_CHANGES 200

/* One change in so many. */
#define SIDES_ONE_IN 4

/* Nodes that depend on so few bytes are numbers, not gradients. */
#define SMALL_BYTES 64

/* Memory missing costs as if a device's whole memory were worth that many makespans. */
#define OVERFLOW_WEIGHT 10

/* The items that moves change: rows of units with their two coordinates. */
typedef struct
{
  const char *name; /* "rows" */
  guint n_rows;
  guint32 *offsets; /* (n_rows + 1) into units */
  guint32 *units;
  guint32 *group_of; /* (n_rows) ascending */
  guint32 *slot_of;  /* (n_rows) */
  guint n_slots;
  double until; /* share of the budget of changes at which the next level begins */
} Level;

typedef struct
{
  GobanPlan *plan;
  GobanOutcome outcome;
  GobanStaticOrder order;
  GobanMoment moment; /* of the decisions, whose state is the plan; 0: unknown */
} Candidate;

typedef struct
{
  GobanCostModel *costs;
  GobanUnits *units;
  GobanCellSplits *splits;
  GobanStaticOrders *orders;
  GobanEvaluator *evaluator;
  GobanSearch search;
  GobanRng rng;
  double least_memory_bytes;
  guint8 *is_side;    /* (n_units) nothing that works for another parameter waits for it */
  guint64 n_left_out; /* changes since the last one in the decisions */
  GArray *candidates; /* Candidate, by outcome */
} Cells;

/* --- candidates ------------------------------------------------------------------------------- */

static int
compare_candidates (const void *a, const void *b)
{
  const Candidate *x = a;
  const Candidate *y = b;

  return goban_outcome_compare (&x->outcome, &y->outcome);
}

static void
clear_candidate (gpointer data)
{
  g_clear_pointer (&((Candidate *) data)->plan, goban_plan_unref);
}

/* Simulates plans (n, as far as the budget goes) side by side. Takes them over. */
static void
try_plans (Cells *self, const Candidate *candidates, guint n)
{
  guint n_now = goban_search_clip (&self->search, n);
  g_autofree GobanPlan **plans = g_new (GobanPlan *, n);
  g_autofree GobanOutcome *outcomes = g_new (GobanOutcome, n);

  for (guint i = 0; i < n; i++)
    plans[i] = candidates[i].plan;
  goban_evaluator_evaluate (self->evaluator, plans, n_now, outcomes);
  for (guint i = 0; i < n; i++)
    {
      Candidate candidate = candidates[i];

      if (i >= n_now)
        {
          clear_candidate (&candidate);
          continue;
        }
      candidate.outcome = outcomes[i];
      if (goban_search_offer (&self->search, candidate.plan, candidate.outcome))
        candidate.moment = self->search.best_moment;
      g_array_append_val (self->candidates, candidate);
    }
}

static Candidate
new_candidate (Cells *self, const GobanPlan *placement, GobanStaticOrder order)
{
  Candidate candidate = { .plan = goban_plan_copy (placement), .order = order };

  goban_static_orders_apply (self->orders, order, candidate.plan);
  return candidate;
}

/* --- starts ----------------------------------------------------------------------------------- */

static void
try_splits (Cells *self, guint n_most)
{
  g_autoptr (GPtrArray) cuts = goban_cell_splits_all (self->splits, n_most);
  g_autoptr (GArray) tried = g_array_new (FALSE, FALSE, sizeof (Candidate));
  g_autoptr (GobanPlan) plan = goban_plan_new (self->units->graph, self->units->n_devices);

  for (guint i = 0; i < cuts->len; i++)
    {
      Candidate candidate;

      goban_cell_splits_place (self->splits, cuts->pdata[i], plan);
      candidate = new_candidate (self, plan, GOBAN_STATIC_TRANSFERS);
      g_array_append_val (tried, candidate);
    }
  try_plans (self, (const Candidate *) (const void *) tried->data, tried->len);
}

/* If nothing fits, splits of equal shares of the memory. */
static void
try_splits_by_bytes (Cells *self)
{
  g_autoptr (GobanPlan) plan = goban_plan_new (self->units->graph, self->units->n_devices);
  g_autofree GobanDeviceId *devices = g_new (GobanDeviceId, self->splits->rows->n_rows);
  Candidate tried[GOBAN_N_SPLITS];

  if (self->search.outcome.overflow_bytes <= 0)
    return;
  for (guint axis = 0; axis < GOBAN_N_SPLITS; axis++)
    {
      goban_cell_splits_cut (self->splits, (GobanSplit) axis, self->units->n_devices, TRUE,
                             devices);
      goban_cell_splits_place (self->splits, devices, plan);
      tried[axis] = new_candidate (self, plan, GOBAN_STATIC_TRANSFERS);
    }
  try_plans (self, tried, GOBAN_N_SPLITS);
}

static void
try_orders (Cells *self, guint n_placements)
{
  Candidate tried[N_ORDERED_OF_MANY * GOBAN_N_STATIC_ORDERS];
  guint n = 0;

  g_array_sort (self->candidates, compare_candidates);
  for (guint i = 0; i < MIN (n_placements, self->candidates->len); i++)
    for (guint order = 0; order < GOBAN_N_STATIC_ORDERS; order++)
      {
        const Candidate *best = &g_array_index (self->candidates, Candidate, i);

        if (order != best->order)
          tried[n++] = new_candidate (self, best->plan, (GobanStaticOrder) order);
      }
  try_plans (self, tried, n);
  g_array_sort (self->candidates, compare_candidates);
}

static void
try_starts (Cells *self)
{
  guint64 budget = self->search.max_evaluations;
  gboolean is_small = budget > 0 && budget < MANY_EVALUATIONS;
  guint n_placements = is_small ? N_ORDERED : N_ORDERED_OF_MANY;
  guint n_orders = n_placements * (GOBAN_N_STATIC_ORDERS - 1);
  guint n_splits = is_small ? (guint) MAX (budget, n_orders + 4) - n_orders : G_MAXUINT;

  try_splits (self, n_splits);
  try_splits_by_bytes (self);
  try_orders (self, n_placements);
}

/* Marks units on which no forward or backward node of another parameter depends, but for numbers
 * such as a gradient's norm. Weight gradients are like that: they may be late. */
static void
find_sides (Cells *self)
{
  const GobanGraph *graph = self->units->graph;
  const GobanCells *cells = self->splits->cells;
  guint n_nodes = goban_graph_get_n_nodes (graph);
  g_autofree guint8 *is_side = g_new (guint8, n_nodes);

  for (GobanNodeId v = n_nodes; v-- > 0;)
    {
      GobanEdgeSpan out = goban_graph_get_out_edges (graph, v);

      is_side[v] = goban_graph_get_node (graph, v)->phase != GOBAN_PHASE_FORWARD;
      for (guint i = 0; i < out.n && is_side[v]; i++)
        {
          const GobanEdge *edge = goban_graph_get_edge (graph, out.ids[i]);
          gboolean is_own
              = cells->param_of[cells->cell_of[edge->head]] == cells->param_of[cells->cell_of[v]];

          is_side[v] = goban_graph_get_tensor (graph, edge->tensor)->size_bytes <= SMALL_BYTES
                       || (is_side[edge->head] && is_own);
        }
    }
  self->is_side = g_new (guint8, self->units->n_units);
  memset (self->is_side, 1, self->units->n_units);
  for (GobanNodeId v = 0; v < n_nodes; v++)
    self->is_side[self->units->unit_of[v]] &= is_side[v];
}

/* --- levels ----------------------------------------------------------------------------------- */

static void
clear_level (Level *level)
{
  g_free (level->offsets);
  g_free (level->units);
  g_free (level->group_of);
  g_free (level->slot_of);
}

/* Rows of units; a unit belongs to the row of its first node. Rows without work are left out:
 * moving them alone changes nothing. */
static Level
new_level (const Cells *self, const char *name, const GobanCellRows *rows, double until)
{
  Level level = { .name = name, .n_slots = rows->n_slots, .until = until };
  guint n = 0;

  level.offsets = g_new0 (guint32, rows->n_rows + 1);
  level.units = g_new (guint32, self->units->n_units);
  level.group_of = g_new (guint32, rows->n_rows);
  level.slot_of = g_new (guint32, rows->n_rows);
  for (guint r = 0; r < rows->n_rows; r++)
    {
      for (guint i = rows->offsets[r]; i < rows->offsets[r + 1]; i++)
        {
          guint32 unit = self->units->unit_of[rows->nodes[i]];

          if (self->units->nodes[self->units->offsets[unit]] == rows->nodes[i])
            level.units[n++] = unit;
        }
      level.group_of[level.n_rows] = rows->group_of[r];
      level.slot_of[level.n_rows] = rows->slot_of[r];
      level.offsets[++level.n_rows] = n;
    }
  return level;
}

/* Every unit with work is a row, in the order of cells. */
static Level
new_unit_level (const Cells *self, const Level *cells)
{
  guint n_units = self->units->n_units;
  Level level = { .name = "units", .n_slots = cells->n_slots, .until = 1 };
  g_autofree double *times_us = g_new (double, n_units);

  goban_units_mean_times (self->units, times_us);
  level.offsets = g_new0 (guint32, n_units + 1);
  level.units = g_new (guint32, n_units);
  level.group_of = g_new (guint32, n_units);
  level.slot_of = g_new (guint32, n_units);
  for (guint r = 0; r < cells->n_rows; r++)
    for (guint i = cells->offsets[r]; i < cells->offsets[r + 1]; i++)
      {
        if (times_us[cells->units[i]] <= 0)
          continue;
        level.units[level.n_rows] = cells->units[i];
        level.group_of[level.n_rows] = r;
        level.slot_of[level.n_rows] = cells->slot_of[r];
        level.offsets[level.n_rows + 1] = level.n_rows + 1;
        level.n_rows++;
      }
  return level;
}

/* --- changes ---------------------------------------------------------------------------------- */

typedef struct
{
  const Cells *cells;
  const Level *level;
  GobanRng *rng;
  GobanPlan *plan;
  gboolean only_sides; /* leaves the rest of a row on its device */
} Change;

static void
move_row (const Change *self, guint row, GobanDeviceId device)
{
  const GobanUnits *units = self->cells->units;

  for (guint i = self->level->offsets[row]; i < self->level->offsets[row + 1]; i++)
    {
      guint32 unit = self->level->units[i];

      if (!goban_units_can_run (units, unit, device)
          || (self->only_sides && !self->cells->is_side[unit]))
        continue;
      for (guint k = units->offsets[unit]; k < units->offsets[unit + 1]; k++)
        goban_plan_set_device (self->plan, units->nodes[k], device);
    }
}

/* Usually the device of an op elsewhere that exchanges a tensor with an op of the row, otherwise
 * any device. */
static GobanDeviceId
draw_device (const Change *self, guint row)
{
  const GobanUnits *units = self->cells->units;
  guint first = self->level->offsets[row];
  guint n = self->level->offsets[row + 1] - first;
  GobanDeviceId any = (GobanDeviceId) goban_rng_below (self->rng, units->n_devices);

  for (guint tries = 0; n > 0 && tries < 8 && goban_rng_below (self->rng, 8) > 0; tries++)
    {
      guint32 unit = self->level->units[first + goban_rng_below (self->rng, n)];
      guint32 n_nodes = units->offsets[unit + 1] - units->offsets[unit];
      GobanNodeId v = units->nodes[units->offsets[unit] + goban_rng_below (self->rng, n_nodes)];
      GobanEdgeSpan in = goban_graph_get_in_edges (units->graph, v);
      GobanEdgeSpan out = goban_graph_get_out_edges (units->graph, v);
      guint at = in.n + out.n > 0 ? goban_rng_below (self->rng, in.n + out.n) : 0;
      GobanNodeId other = v;

      if (in.n + out.n > 0)
        other = at < in.n ? goban_graph_get_edge (units->graph, in.ids[at])->tail
                          : goban_graph_get_edge (units->graph, out.ids[at - in.n])->head;
      if (goban_plan_get_device (self->plan, other) != goban_plan_get_device (self->plan, v))
        return goban_plan_get_device (self->plan, other);
    }
  return any;
}

static void
move_alike (const Change *self, const guint32 *coordinates, guint row, GobanDeviceId device)
{
  for (guint r = 0; r < self->level->n_rows; r++)
    if (coordinates[r] == coordinates[row])
      move_row (self, r, device);
}

static void
move_stretch (const Change *self, guint row, GobanDeviceId device)
{
  guint longest = self->only_sides ? self->level->n_rows : MAX (2, self->level->n_rows / 6);
  guint n = (guint) exp (goban_rng_uniform (self->rng) * log ((double) longest + 1));

  for (guint r = row; r < MIN (row + MAX (n, 1), self->level->n_rows); r++)
    move_row (self, r, device);
}

/* Some changes move side units alone, such as the weight gradients of some layers. */
static void
change (Change *self)
{
  guint row = goban_rng_below (self->rng, self->level->n_rows);
  GobanDeviceId device = draw_device (self, row);
  double kind = goban_rng_uniform (self->rng);

  self->only_sides = goban_rng_below (self->rng, SIDES_ONE_IN) == 0;
  if (kind < 0.25)
    move_alike (self, self->level->group_of, row, device);
  else if (kind < 0.4 && self->level->n_slots > 1)
    move_alike (self, self->level->slot_of, row, device);
  else if (kind < 0.6)
    move_stretch (self, row, device);
  else
    for (guint n = 1 + goban_rng_below (self->rng, 3); n > 0; n--)
      {
        move_row (self, row, device);
        row = goban_rng_below (self->rng, self->level->n_rows);
        device = draw_device (self, row);
      }
}

/* --- search ----------------------------------------------------------------------------------- */

static double
energy_us (const Cells *self, const GobanOutcome *outcome)
{
  double share = outcome->overflow_bytes / self->least_memory_bytes;

  return outcome->makespan_us * (1 + (share > 0 ? OVERFLOW_WEIGHT * share : 0));
}

/* (transfer full): of GobanDecisionChange. */
static GArray *
list_changes (const GobanPlan *from, const GobanPlan *to)
{
  GArray *changes = g_array_new (FALSE, FALSE, sizeof (GobanDecisionChange));
  const GobanDeviceId *before = goban_plan_get_devices (from);
  const GobanDeviceId *after = goban_plan_get_devices (to);
  guint n_nodes = goban_plan_get_n_nodes (from);

  for (GobanNodeId v = 0; v < n_nodes; v++)
    if (before[v] != after[v])
      {
        const GobanDecisionChange change = { GOBAN_TASK_PLACEMENT, v, before[v], after[v] };

        g_array_append_val (changes, change);
      }
  return changes;
}

/* Whether to take @next. The decision is written if it is taken or the best plan. */
static gboolean
write_change (Cells *self, const Level *level, const Candidate *here, Candidate *next, double heat,
              gboolean is_taken)
{
  GobanSearch *search = &self->search;
  gboolean is_best = search->best_evaluation == search->n_evaluations;
  g_autoptr (GArray) changes = NULL;
  GobanDecisionHead head = { .task = GOBAN_TASK_PLACEMENT,
                             .options = GOBAN_OPTION_MOVE,
                             .score = GOBAN_SCORE_MAKESPAN_US,
                             .n_options = 2,
                             .temperature = (float) heat,
                             .before_us = here->outcome.makespan_us,
                             .after_us = here->outcome.makespan_us,
                             .note = level->name };
  GobanSpanResult result;
  GobanDecisionsWriter *span;

  if (search->decisions == NULL || (!is_best && (!is_taken || !goban_search_is_due (search))))
    {
      self->n_left_out++;
      return is_taken;
    }
  span = goban_search_open_batch (search, here->plan, here->moment, search->n_evaluations,
                                  &self->n_left_out);
  if (is_best && !is_taken)
    goban_search_write_best (search, span,
                             &(GobanSpanHead){ .name = "plan",
                                               .level = GOBAN_LEVEL_PLAN,
                                               .evaluation = search->best_evaluation },
                             FALSE);
  goban_decisions_writer_score (span, 0, next->outcome.makespan_us, 0);
  goban_decisions_writer_score (span, 1, here->outcome.makespan_us, 0);
  if (goban_decisions_writer_preview (span, 2, is_taken ? 0 : 1) == 0)
    {
      changes = list_changes (here->plan, next->plan);
      head.changes = (const GobanDecisionChange *) (gconstpointer) changes->data;
      head.n_changes = changes->len;
      head.after_us = next->outcome.makespan_us;
    }
  is_taken = goban_decisions_writer_decide (span, &head, is_taken ? 0 : 1) == 0;
  next->moment = goban_decisions_writer_get_moment (span);
  if (is_taken && is_best)
    goban_search_set_best (search, span, NULL);
  result = goban_search_get_result (is_taken ? next->outcome : here->outcome);
  goban_decisions_writer_close (span, &result, TRUE);
  return is_taken;
}

static void
search_level (Cells *self, const Level *level, Candidate *here, double begin, GError **error)
{
  double span = 1 - begin;

  while (goban_search_go_on (&self->search, "changing rows", error))
    {
      double fraction = (goban_search_get_fraction (&self->search) - begin) / span;
      Candidate next = { .plan = goban_plan_copy (here->plan), .order = here->order };
      Change made = { self, level, &self->rng, next.plan, FALSE };
      double heat = HEAT * (1 - fraction) + 1e-9;
      double loss;

      if (fraction >= level->until)
        {
          clear_candidate (&next);
          return;
        }
      change (&made);
      goban_static_orders_apply (self->orders, next.order, next.plan);
      goban_evaluator_evaluate (self->evaluator, &next.plan, 1, &next.outcome);
      goban_search_consider (&self->search, next.plan, next.outcome);
      loss = energy_us (self, &next.outcome) / energy_us (self, &here->outcome) - 1;
      if (write_change (self, level, here, &next, heat,
                        loss <= 0 || goban_rng_uniform (&self->rng) < exp (-loss / heat)))
        {
          clear_candidate (here);
          *here = next;
        }
      else
        clear_candidate (&next);
    }
}

/* Each level begins at the best plan so far. */
static void
go_to_best (const Cells *self, Candidate *here)
{
  goban_plan_unref (here->plan);
  here->plan = goban_plan_copy (self->search.best);
  here->outcome = self->search.outcome;
  here->moment = self->search.best_moment;
}

static void
search (Cells *self, GError **error)
{
  const Candidate *best = &g_array_index (self->candidates, Candidate, 0);
  Candidate here = { goban_plan_copy (best->plan), best->outcome, best->order, best->moment };
  double begin = goban_search_get_fraction (&self->search);
  const GobanCells *cells = self->splits->cells;
  g_autoptr (GobanCellRows) single
      = goban_cell_rows_new (cells, cells->n_params, goban_cells_get_max_uses (cells));
  guint64 left = self->search.max_evaluations
                 - MIN (self->search.n_evaluations, self->search.max_evaluations);
  gboolean is_long = self->search.max_evaluations == 0 || left > MANY_CHANGES;
  Level levels[3];

  levels[0] = new_level (self, "rows", self->splits->rows, is_long ? END_OF_ROWS : 1);
  levels[1] = new_level (self, "cells", single, END_OF_CELLS);
  levels[2] = new_unit_level (self, &levels[1]);
  for (guint i = 0; i < G_N_ELEMENTS (levels) && begin < 1; i++)
    {
      search_level (self, &levels[i], &here, begin, error);
      go_to_best (self, &here);
    }
  for (guint i = 0; i < G_N_ELEMENTS (levels); i++)
    clear_level (&levels[i]);
  clear_candidate (&here);
}

/* --- policy ----------------------------------------------------------------------------------- */

static void
begin (Cells *self, const GobanPlacerOptions *options)
{
  goban_search_begin (&self->search, options, DEFAULT_EVALUATIONS);
  self->search.bound_us = goban_bounds (self->costs).bound_us;
  self->splits = goban_cell_splits_new (self->units);
  self->orders = goban_static_orders_new (self->units);
  find_sides (self);
  self->evaluator = goban_search_new_evaluator (self->costs);
  self->candidates = g_array_new (FALSE, FALSE, sizeof (Candidate));
  g_array_set_clear_func (self->candidates, clear_candidate);
  goban_rng_init (&self->rng, options->seed);
  self->least_memory_bytes = INFINITY;
  for (guint d = 0; d < self->units->n_devices; d++)
    self->least_memory_bytes = MIN (
        self->least_memory_bytes, goban_cluster_get_device (self->units->cluster, d)->memory_bytes);
  self->least_memory_bytes = MAX (self->least_memory_bytes, 1);
}

static void
clear (Cells *self)
{
  goban_search_clear (&self->search);
  g_clear_pointer (&self->candidates, g_array_unref);
  g_clear_pointer (&self->evaluator, goban_evaluator_free);
  g_clear_pointer (&self->orders, goban_static_orders_free);
  g_clear_pointer (&self->is_side, g_free);
  g_clear_pointer (&self->splits, goban_cell_splits_free);
  g_clear_pointer (&self->units, goban_units_free);
}

static GobanPlan *
place (GobanCostModel *costs, const GobanPlacerOptions *options, guint64 *evaluations,
       GError **error)
{
  Cells self = { .costs = costs };
  GobanPlan *plan = NULL;

  self.units = goban_units_new (costs, error);
  if (self.units == NULL)
    return NULL;
  begin (&self, options);
  if (goban_search_go_on (&self.search, "splitting cells", error))
    {
      try_starts (&self);
      search (&self, error);
      plan = goban_search_end (&self.search, evaluations);
    }
  clear (&self);
  return plan;
}

const GobanPlacer goban_placer_cells = {
  .name = "cells",
  .blurb = N_ ("splits along parameters or along their uses, then random changes of them"),
  .about = N_ ("A cell is the group of ops for one use of one parameter: a layer at one time "
               "step. Cuts the layers, or the steps, into one stretch for each device, tries the "
               "best of these splits under five static orders, and keeps the best. With more "
               "simulations than 17 it then moves layers, steps and single cells to other "
               "devices at random, and single ops at the end. It reads no names and does not "
               "learn: the baseline that a learned policy has to beat."),
  .source = "ours; the control for learned policies",
  .effort = GOBAN_EFFORT_SEARCH,
  .is_random = TRUE,
  .default_evaluations = DEFAULT_EVALUATIONS,
  .forcing = GOBAN_FORCING_INSIDE,
  .place = place,
};
