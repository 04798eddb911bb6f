#include "engine/placers/search/starts.h"

#include <stdlib.h>
#include <string.h>

#include "engine/placers/policies.h"
#include "engine/placers/search/cell-splits.h"
#include "engine/placers/search/static-orders.h"

/* --- cuts by scope -------------------------------------------------------- */

/* If names count something ("layer_0", "layer_1", ... or "stack_1", ...), an expert cuts there:
 * the numbers in ascending order, cut into as many stretches as there are devices, of equal mean
 * time. Units that bear no such number go with the neighbour they exchange most with. */

/* A unit under "layer_2" has number 2 among those that "layer_" counts. */
typedef struct
{
  guint64 number;
  guint32 unit;
} Numbered;

typedef struct
{
  GArray *units;   /* Numbered, each unit once */
  guint index;     /* in the order in which words are met */
  gboolean counts; /* there are two numbers or more */
} Word;

static void
free_word (gpointer data)
{
  Word *word = data;

  g_array_unref (word->units);
  g_free (word);
}

static void
add_number (GPtrArray *words, GHashTable *by_text, const char *part, gsize length, guint32 unit)
{
  gsize n_letters = length;
  g_autofree char *text = NULL;
  Numbered numbered = { 0, unit };
  Word *word;

  while (n_letters > 0 && g_ascii_isdigit (part[n_letters - 1]))
    n_letters--;
  if (n_letters == length || length - n_letters > 9)
    return;
  numbered.number = g_ascii_strtoull (part + n_letters, NULL, 10);
  text = g_strndup (part, n_letters);
  word = g_hash_table_lookup (by_text, text);
  if (word == NULL)
    {
      word = g_new0 (Word, 1);
      word->units = g_array_new (FALSE, FALSE, sizeof (Numbered));
      word->index = words->len;
      g_ptr_array_add (words, word);
      g_hash_table_insert (by_text, g_steal_pointer (&text), word);
    }
  if (word->units->len > 0)
    {
      const Numbered *last = &g_array_index (word->units, Numbered, word->units->len - 1);

      if (last->unit == unit)
        return;
      word->counts |= last->number != numbered.number;
    }
  g_array_append_val (word->units, numbered);
}

static int
compare_words (gconstpointer a, gconstpointer b)
{
  const Word *x = *(Word *const *) a;
  const Word *y = *(Word *const *) b;

  if (x->counts != y->counts)
    return x->counts ? -1 : 1;
  if (x->units->len != y->units->len)
    return x->units->len > y->units->len ? -1 : 1;
  return (x->index > y->index) - (x->index < y->index);
}

static int
compare_numbered (const void *a, const void *b)
{
  const Numbered *x = a;
  const Numbered *y = b;

  if (x->number != y->number)
    return x->number < y->number ? -1 : 1;
  return (x->unit > y->unit) - (x->unit < y->unit);
}

/* The remaining ones, from the first to the last and back, join the group that they exchange most
 * bytes with. */
static void
fill_in (const GobanUnits *units, const GobanUnitGraph *graph, GobanDeviceId *devices)
{
  for (guint pass = 0; pass < 2; pass++)
    for (guint i = 0; i < units->n_units; i++)
      {
        guint u = pass == 0 ? i : units->n_units - 1 - i;

        for (guint l = graph->offsets[u];
             l < graph->offsets[u + 1] && devices[u] == GOBAN_NO_DEVICE; l++)
          devices[u] = devices[graph->links[l].unit];
      }
  for (guint u = 0; u < units->n_units; u++)
    {
      if (devices[u] == GOBAN_NO_DEVICE)
        devices[u] = 0;
      if (!goban_units_can_run (units, u, devices[u]))
        devices[u] = goban_units_fastest_device (units, u);
    }
}

/* A number stays whole: all of its units go to the part of its middle. */
static GobanDeviceId *
cut (const GobanUnits *units, const GobanUnitGraph *graph, const double *times_us, Word *word)
{
  GobanDeviceId *devices = g_new (GobanDeviceId, units->n_units);
  Numbered *all = (Numbered *) (void *) word->units->data;
  guint n = word->units->len;
  double total_us = 0;
  double before_us = 0;
  guint end;

  qsort (all, n, sizeof *all, compare_numbered);
  for (guint u = 0; u < units->n_units; u++)
    devices[u] = GOBAN_NO_DEVICE;
  for (guint i = 0; i < n; i++)
    total_us += times_us[all[i].unit];

  for (guint first = 0; first < n; first = end)
    {
      double own_us = 0;
      double middle;
      guint d;

      for (end = first; end < n && all[end].number == all[first].number; end++)
        own_us += times_us[all[end].unit];
      middle = total_us > 0 ? (before_us + own_us / 2) / total_us : 0;
      d = MIN ((guint) (middle * units->n_devices), units->n_devices - 1);
      for (guint i = first; i < end; i++)
        devices[all[i].unit] = (GobanDeviceId) d;
      before_us += own_us;
    }
  fill_in (units, graph, devices);
  return devices;
}

/* (transfer full): of GobanDeviceId[n_units], at most @n_most of them: for the words that number
 * the most units, ties by which comes first. Empty where names count nothing. */
static GPtrArray *
scope_cuts_new (const GobanUnits *units, guint n_most)
{
  GPtrArray *cuts = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GPtrArray) words = g_ptr_array_new_with_free_func (free_word);
  g_autoptr (GHashTable) by_text = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GobanUnitGraph) graph = NULL;
  g_autofree double *times_us = g_new (double, units->n_units);

  for (guint u = 0; u < units->n_units; u++)
    {
      GobanNodeId first = units->nodes[units->offsets[u]];
      const char *part = goban_graph_get_node (units->graph, first)->name;
      const char *end;

      for (; (end = strchr (part, '/')) != NULL; part = end + 1)
        add_number (words, by_text, part, (gsize) (end - part), u);
    }
  g_ptr_array_sort (words, compare_words);
  if (words->len == 0)
    return cuts;

  graph = goban_unit_graph_new (units);
  goban_units_mean_times (units, times_us);
  for (guint i = 0; i < words->len && cuts->len < n_most; i++)
    {
      Word *word = words->pdata[i];

      if (word->counts)
        g_ptr_array_add (cuts, cut (units, graph, times_us, word));
    }
  return cuts;
}

/* --- starts --------------------------------------------------------------- */

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
  g_autoptr (GPtrArray) cuts = scope_cuts_new (units, MAX_SCOPE_CUTS);

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
