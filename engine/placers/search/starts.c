#include "engine/placers/search/starts.h"

#include "engine/core/error.h"
#include "engine/placers/policies.h"
#include "engine/placers/search/cell-splits.h"
#include "engine/placers/search/scope-cuts.h"
#include "engine/placers/search/static-orders.h"

#include <math.h>
#include <string.h>

#define MAX_SCOPE_CUTS 4
#define MAX_CELL_SPLITS 6

/* In this order: the first, splits of cells, the others, cuts by name. With a small budget the last
 * are left out. */
static const GobanPlacer *const first_policies[] = { &goban_placer_heft, &goban_placer_expert };
static const GobanPlacer *const other_policies[] = {
  &goban_placer_critical_path,
  &goban_placer_single,
  &goban_placer_m_topo,
  &goban_placer_metis,
};

/* Units in their order, cut into as many stretches as there are devices, of equal mean time; a unit
 * that cannot run on its stretch's device goes to its fastest. (transfer full) */
static GobanPlan *
new_cut (const GobanUnits *units)
{
  g_autofree GobanDeviceId *devices = g_new (GobanDeviceId, units->n_units);
  g_autofree double *times_us = g_new (double, units->n_units);
  double total_us = 0;
  double before_us = 0;

  goban_units_mean_times (units, times_us);
  for (guint u = 0; u < units->n_units; u++)
    total_us += times_us[u];

  for (guint u = 0; u < units->n_units; u++)
    {
      double middle = total_us > 0 ? (before_us + times_us[u] / 2) / total_us : 0;
      guint d = MIN ((guint) (middle * units->n_devices), units->n_devices - 1);

      devices[u] = (GobanDeviceId) d;
      if (!goban_units_can_run (units, u, devices[u]))
        devices[u] = goban_units_fastest_device (units, u);
      before_us += times_us[u];
    }
  return goban_units_new_plan (units, devices);
}

/* The same placement with priorities by its own ranks. */
static GobanPlan *
new_ranked (const GobanUnits *units, const GobanPlan *plan)
{
  GobanPlan *ranked = goban_plan_copy (plan);
  g_autofree double *ranks_us = g_new (double, goban_plan_get_n_nodes (plan));

  goban_placed_ranks (units, plan, ranks_us);
  goban_plan_spread_priorities (ranked, ranks_us);
  goban_plan_set_order (ranked, GOBAN_ORDER_PRIORITY);
  return ranked;
}

/* Both, but for settings (nullable) with "cells=0" among their words. */
static GobanStartKinds
choose_kinds (const char *settings)
{
  g_auto (GStrv) words = g_strsplit (settings != NULL ? settings : "", ",", -1);
  GobanStartKinds kinds = GOBAN_STARTS_OF_NAMES | GOBAN_STARTS_OF_CELLS;

  for (guint i = 0; words[i] != NULL; i++)
    if (strcmp (g_strstrip (words[i]), "cells=0") == 0)
      kinds &= ~GOBAN_STARTS_OF_CELLS;
  return kinds;
}

static void
add_cell_splits (GPtrArray *plans, const GobanUnits *units)
{
  g_autoptr (GobanCellSplits) splits = goban_cell_splits_new (units);
  g_autoptr (GPtrArray) cuts = goban_cell_splits_all (splits, MAX_CELL_SPLITS);
  g_autoptr (GobanStaticOrders) orders = goban_static_orders_new (units);

  for (guint i = 0; i < cuts->len; i++)
    {
      GobanPlan *plan = goban_plan_new (units->graph, units->n_devices);

      goban_cell_splits_place (splits, cuts->pdata[i], plan);
      goban_static_orders_apply (orders, GOBAN_STATIC_DEPTH, plan);
      g_ptr_array_add (plans, plan);
    }
}

static void
add_scope_cuts (GPtrArray *plans, const GobanUnits *units)
{
  g_autoptr (GPtrArray) cuts = goban_scope_cuts_new (units, MAX_SCOPE_CUTS);

  for (guint i = 0; i < cuts->len; i++)
    g_ptr_array_add (plans, goban_units_new_plan (units, cuts->pdata[i]));
}

static gboolean
add_policies (GPtrArray *plans, const GobanPlacer *const *policies, gsize n, GobanCostModel *costs,
              const GobanPlacerOptions *options, GError **error)
{
  for (gsize i = 0; i < n; i++)
    {
      GobanPlan *plan;

      if (!goban_placer_try (policies[i], costs, options, &plan, error))
        return FALSE;
      if (plan != NULL)
        g_ptr_array_add (plans, plan);
    }
  return TRUE;
}

static gboolean
add_placements (GPtrArray *plans, const GobanUnits *units, GobanCostModel *costs,
                const GobanPlacerOptions *options, GobanStartKinds kinds, GError **error)
{
  gboolean knows_names = (kinds & GOBAN_STARTS_OF_NAMES) != 0;

  g_ptr_array_add (plans, new_cut (units));
  if (!add_policies (plans, first_policies, knows_names ? 2 : 1, costs, options, error))
    return FALSE;
  if ((kinds & GOBAN_STARTS_OF_CELLS) != 0)
    add_cell_splits (plans, units);
  if (!add_policies (plans, other_policies, G_N_ELEMENTS (other_policies), costs, options, error))
    return FALSE;
  if (knows_names)
    add_scope_cuts (plans, units);
  return TRUE;
}

/* The placements, each once, as their policies made them; none is simulated. (nullable): %NULL with
 * %GOBAN_ERROR_CANCELLED set, then so is @search */
static GPtrArray *
new_placements (GobanSearch *search, const GobanUnits *units, GobanCostModel *costs,
                GobanStartKinds kinds, GError **error)
{
  g_autoptr (GPtrArray) plans = g_ptr_array_new_with_free_func ((GDestroyNotify) goban_plan_unref);
  GobanProgress silent = { NULL };
  GobanPlacerOptions options = { .seed = search->options->seed, .progress = &silent };

  /* The policies can be cancelled, but do not report: their progress would go back and forth. */
  if (search->options->progress != NULL)
    silent = (GobanProgress){ .should_stop = search->options->progress->should_stop,
                              .user_data = search->options->progress->user_data };

  if (!add_placements (plans, units, costs, &options, kinds, error))
    {
      search->is_cancelled = TRUE;
      return NULL;
    }
  return g_steal_pointer (&plans);
}

/* Each placement as it is, and the same with priorities by its own ranks. */
static GPtrArray *
make_plans (GobanSearch *search, const GobanUnits *units, GobanCostModel *costs, GError **error)
{
  g_autoptr (GPtrArray) placements
      = new_placements (search, units, costs, choose_kinds (search->options->settings), error);
  GPtrArray *plans;

  if (placements == NULL)
    return NULL;
  plans = g_ptr_array_new_with_free_func ((GDestroyNotify) goban_plan_unref);
  for (guint i = 0; i < placements->len; i++)
    {
      g_ptr_array_add (plans, goban_plan_ref (placements->pdata[i]));
      g_ptr_array_add (plans, new_ranked (units, placements->pdata[i]));
    }
  return plans;
}

GobanPlan *
goban_starts_new_as_it_ran (GobanCostModel *costs, const GobanPlan *fifo)
{
  guint n_nodes = goban_plan_get_n_nodes (fifo);
  GobanPlan *plan = goban_plan_copy (fifo);
  g_autoptr (GobanPlan) ran = goban_plan_copy (fifo);
  g_autoptr (GobanTrace) trace = goban_simulate (costs, ran);
  g_autofree double *keys = g_new (double, n_nodes);
  const GobanOpSpan *ops = goban_trace_get_ops (trace);

  for (GobanNodeId v = 0; v < n_nodes; v++)
    keys[v] = ops != NULL ? -ops[v].start_us : 0;
  goban_plan_spread_priorities (plan, keys);
  goban_plan_set_order (plan, GOBAN_ORDER_PRIORITY);
  return plan;
}

static GobanPlan *
choose_start (GobanSearch *search, GPtrArray *plans, guint n, const GobanOutcome *outcomes,
              GobanOutcome *outcome)
{
  GobanPlan *best = NULL;

  for (guint i = 0; i < n; i++)
    if (goban_plan_get_order (plans->pdata[i]) == GOBAN_ORDER_PRIORITY
        && (best == NULL || goban_outcome_compare (&outcomes[i], outcome) < 0))
      {
        best = plans->pdata[i];
        *outcome = outcomes[i];
      }
  for (guint i = 0; i < n; i++)
    {
      search->note = g_intern_string (goban_plan_get_policy (plans->pdata[i]));
      goban_search_offer (search, plans->pdata[i], outcomes[i]);
    }
  search->note = NULL;
  return best != NULL ? goban_plan_ref (best) : NULL;
}

GobanPlan *
goban_starts_offer (GobanSearch *search, const GobanUnits *units, GobanCostModel *costs,
                    GobanEvaluator *evaluator, GobanOutcome *outcome, GError **error)
{
  g_autoptr (GPtrArray) plans = make_plans (search, units, costs, error);
  g_autofree GobanOutcome *outcomes = NULL;
  g_autoptr (GobanPlan) best = NULL;
  guint n;

  if (plans == NULL)
    return NULL;
  n = goban_search_clip (search, plans->len);
  outcomes = g_new (GobanOutcome, plans->len);
  goban_evaluator_evaluate (evaluator, (GobanPlan *const *) plans->pdata, n, outcomes);
  best = choose_start (search, plans, n, outcomes, outcome);

  if (best == NULL)
    {
      best = goban_plan_ref (plans->pdata[1]);
      *outcome = search->outcome;
    }
  if (goban_outcome_compare (&search->outcome, outcome) < 0 && goban_search_clip (search, 1) > 0)
    {
      g_autoptr (GobanPlan) repeated = goban_starts_new_as_it_ran (costs, search->best);
      GobanOutcome again;

      goban_evaluator_evaluate (evaluator, (GobanPlan *const *) &repeated, 1, &again);
      goban_search_offer (search, repeated, again);
      if (goban_outcome_compare (&again, outcome) < 0)
        {
          goban_plan_unref (best);
          best = g_steal_pointer (&repeated);
          *outcome = again;
        }
    }
  return g_steal_pointer (&best);
}
