/* Heterogeneous Earliest Finish Time: Topcuoglu, Hariri and Wu (2002), with memory.
 *
 * Nodes are taken by descending upward rank; each goes into the gap where it finishes first,
 * transfers taking their time but never waiting for each other. A device whose memory would
 * not hold the node is passed over while another has room; where none has, the one that
 * lacks least is taken.
 */
#include "engine/placers/idle.h"
#include "engine/placers/policies.h"

#include <stdlib.h>

typedef struct
{
  GobanPlacement placement;
  GobanIdleSlot slot;
  double finish_us;
} Choice;

static gboolean
is_better (const Choice *a, const Choice *b)
{
  int by_room = goban_placement_compare_room (&a->placement, &b->placement);

  if (by_room != 0)
    return by_room < 0;
  return a->finish_us < b->finish_us;
}

static Choice
choose_device (const GobanListSchedule *schedule, GPtrArray *idles)
{
  Choice best = { .placement.device = GOBAN_NO_DEVICE };

  for (guint d = 0; d < idles->len; d++)
    {
      Choice choice;

      if (!goban_list_schedule_look (schedule, (GobanDeviceId) d, &choice.placement))
        continue;

      choice.slot = goban_idle_find (g_ptr_array_index (idles, d), choice.placement.ready_us,
                                     choice.placement.time_us);
      choice.finish_us = choice.slot.start_us + choice.placement.time_us;
      if (best.placement.device == GOBAN_NO_DEVICE || is_better (&choice, &best))
        best = choice;
    }
  return best;
}

GobanListSchedule *
goban_heft_schedule (const GobanUnits *units, const GobanPlacerOptions *options, GError **error)
{
  guint n_nodes = goban_graph_get_n_nodes (units->graph);
  g_autoptr (GobanListSchedule) schedule = goban_list_schedule_new (units, FALSE);
  g_autoptr (GPtrArray) idles = g_ptr_array_new_with_free_func ((GDestroyNotify) goban_idle_free);
  g_autofree double *ranks = g_new (double, n_nodes);
  g_autofree GobanNodeId *order = g_new (GobanNodeId, n_nodes);

  for (guint d = 0; d < units->n_devices; d++)
    g_ptr_array_add (idles, goban_idle_new ());

  /* Weights are not negative and ids topological, so this order is topological, too. */
  goban_units_upward_ranks (units, ranks);
  goban_policy_sort_by_rank (order, ranks, n_nodes);

  for (guint i = 0; i < n_nodes; i++)
    {
      Choice choice;

      if (!goban_policy_go_on (options, i, n_nodes, error))
        return NULL;

      goban_list_schedule_turn_to (schedule, order[i]);
      choice = choose_device (schedule, idles);
      goban_idle_occupy (g_ptr_array_index (idles, choice.placement.device), choice.slot,
                         choice.placement.time_us);
      goban_list_schedule_place (schedule, choice.placement.device, choice.slot.start_us);
    }
  return g_steal_pointer (&schedule);
}

typedef struct
{
  double start_us;
  double finish_us;
  GobanNodeId node;
} Turn;

/* Of ops that start together those of no time come first, which others may not delay. */
static int
compare_turns (const void *a, const void *b)
{
  const Turn *x = a;
  const Turn *y = b;

  if (x->start_us != y->start_us)
    return x->start_us < y->start_us ? -1 : 1;
  if (x->finish_us != y->finish_us)
    return x->finish_us < y->finish_us ? -1 : 1;
  return (x->node > y->node) - (x->node < y->node);
}

static void
set_priorities_by_start (GobanPlan *plan, const GobanListSchedule *schedule)
{
  guint n_nodes = goban_plan_get_n_nodes (plan);
  g_autofree Turn *turns = g_new (Turn, n_nodes);

  for (GobanNodeId v = 0; v < n_nodes; v++)
    turns[v] = (Turn){ goban_list_schedule_get_starts (schedule)[v],
                       goban_list_schedule_get_finishes (schedule)[v], v };
  if (n_nodes > 1)
    qsort (turns, n_nodes, sizeof *turns, compare_turns);
  for (guint i = 0; i < n_nodes; i++)
    goban_plan_set_priority (plan, turns[i].node, (gint32) (n_nodes - 1 - i));
}

static void
set_priorities_by_rank (GobanPlan *plan, const GobanUnits *units)
{
  g_autofree double *ranks = g_new (double, goban_plan_get_n_nodes (plan));

  goban_units_upward_ranks (units, ranks);
  goban_plan_set_priorities_by_key (plan, ranks);
}

static GobanPlan *
place (GobanCostModel *costs, const GobanPlacerOptions *options, guint64 *evaluations,
       GError **error)
{
  g_autoptr (GobanUnits) units = goban_units_new (costs, error);
  g_autoptr (GobanListSchedule) schedule = NULL;
  GobanPlan *plan;

  if (units == NULL)
    return NULL;
  schedule = goban_heft_schedule (units, options, error);
  if (schedule == NULL)
    return NULL;

  plan = goban_list_schedule_new_plan (schedule);
  if (goban_cost_model_is_contention_free (costs))
    set_priorities_by_start (plan, schedule);
  else
    set_priorities_by_rank (plan, units);
  goban_plan_set_order (plan, GOBAN_ORDER_PRIORITY);
  return plan;
}

const GobanPlacer goban_placer_heft = {
  .name = "heft",
  .blurb = "earliest finish first by upward rank, filling gaps, within memory",
  .source = "Topcuoglu, Hariri and Wu, Performance-Effective and Low-Complexity Task Scheduling "
            "for Heterogeneous Computing, 2002",
  .place = place,
};
