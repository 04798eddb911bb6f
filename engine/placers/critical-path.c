/* Critical-path list scheduling, as Adam, Chandy and Dickson (1974) compared it.
 *
 * Of the ready nodes the one with the longest path to the end goes to the device that can start
 * it first, behind what is there already. Transfers queue for channels and links unless the
 * cost model is contention-free. By the earliest start a slow idle device is as good as a fast
 * one: where devices differ, HEFT is the better choice.
 */
#include "engine/core/i18n.h"
#include "engine/placers/list-schedule-record.h"
#include "engine/placers/memory-fit.h"
#include "engine/placers/policies.h"

typedef struct
{
  GobanPlacement placement;
  double start_us;
} Choice;

static gboolean
is_better (const Choice *a, const Choice *b)
{
  int by_room = goban_placement_compare_room (&a->placement, &b->placement);

  if (by_room != 0)
    return by_room < 0;
  if (a->start_us != b->start_us)
    return a->start_us < b->start_us;
  return a->placement.time_us < b->placement.time_us;
}

static gboolean
look (const GobanListSchedule *schedule, const double *free_us, GobanDeviceId device,
      Choice *choice)
{
  gboolean is_possible = goban_list_schedule_look (schedule, device, &choice->placement);

  if (is_possible)
    choice->start_us = MAX (choice->placement.ready_us, free_us[device]);
  return is_possible;
}

static Choice
choose_device (GobanListSchedule *schedule, const double *free_us, guint n_devices)
{
  Choice best = { .placement.device = GOBAN_NO_DEVICE };

  for (guint d = 0; d < n_devices; d++)
    {
      Choice choice;

      if (!look (schedule, free_us, (GobanDeviceId) d, &choice))
        {
          goban_list_schedule_weigh (schedule, (GobanDeviceId) d, NULL, 0);
          continue;
        }
      goban_list_schedule_weigh (schedule, (GobanDeviceId) d, &choice.placement, choice.start_us);
      if (best.placement.device == GOBAN_NO_DEVICE || is_better (&choice, &best))
        best = choice;
    }
  return best;
}

typedef struct
{
  const GobanUnits *units;
  const GobanPlacerOptions *options;
  double *ranks;      /* (n_nodes) */
  GobanNodeId *order; /* (n_nodes) by descending rank */
} Maker;

static const GobanChoiceWords words
    = { "upward_rank_us", GOBAN_SCORE_START_US, TRUE, "the faster device, then the first" };

static GobanPlan *
make_plan (gpointer data, const GobanAttempt *attempt, GError **error)
{
  Maker *maker = data;
  const GobanUnits *units = maker->units;
  guint n_nodes = goban_graph_get_n_nodes (units->graph);
  g_autoptr (GobanListSchedule) schedule
      = goban_list_schedule_new (units, !goban_cost_model_is_contention_free (units->costs));
  g_autofree double *free_us = g_new0 (double, units->n_devices);
  GobanPlan *plan;

  goban_list_schedule_set_headroom (schedule, attempt->headroom_bytes);
  goban_list_schedule_begin_record (schedule, attempt->decisions, &words);
  for (guint i = 0; i < n_nodes; i++)
    {
      GobanNodeId v = maker->order[i];
      GobanDeviceId device;
      Choice choice;

      if (!goban_policy_go_on (maker->options, i, n_nodes, error))
        return NULL;
      if (goban_list_schedule_is_carried (schedule, v))
        continue;
      goban_list_schedule_turn_to (schedule, v);
      choice = choose_device (schedule, free_us, units->n_devices);
      device
          = goban_list_schedule_decide (schedule, choice.placement.device, maker->ranks[v], NULL);
      if (device != choice.placement.device)
        look (schedule, free_us, device, &choice);
      free_us[choice.placement.device] = choice.start_us + choice.placement.time_us;
      goban_list_schedule_place (schedule, choice.placement.device, choice.start_us);
    }
  plan = goban_list_schedule_new_plan (schedule);
  goban_plan_set_priorities_by_key (plan, maker->ranks);
  return plan;
}

static GobanPlan *
place (GobanCostModel *costs, const GobanPlacerOptions *options, guint64 *evaluations,
       GError **error)
{
  guint n_nodes = goban_graph_get_n_nodes (goban_cost_model_get_graph (costs));
  g_autoptr (GobanUnits) units = goban_units_new (costs, error);
  g_autofree double *ranks = g_new (double, n_nodes);
  g_autofree GobanNodeId *order = g_new (GobanNodeId, n_nodes);
  Maker maker = { units, options, ranks, order };

  if (units == NULL)
    return NULL;

  /* A node's producers have longer paths to the end, so the longest path is that of a ready
   * node: sorting once is taking the first of the ready ones again and again. */
  goban_units_upward_ranks (units, ranks);
  goban_policy_sort_by_rank (order, ranks, n_nodes);
  return goban_memory_fit_plan (costs, &(GobanPlanMaker){ make_plan, &maker, &words }, options,
                                evaluations, error);
}

const GobanPlacer goban_placer_critical_path = {
  .name = "critical-path",
  .blurb = N_ ("the longest remaining path first, on the device that can start it first"),
  .about = N_ ("Of the ready nodes the one with the longest path to the end, by mean times and "
               "mean transfers, goes to the device that can start it first, behind what is there "
               "already; later work compares with it under this name. Ours: transfers queue for "
               "channels and links; variables and constants come along with their first reader; "
               "the first node of a group binds the group; a device without room is passed over "
               "while another has room, and a plan that overflows is made again as with heft; of "
               "devices that could start a node together the faster gets it."),
  .source = "Adam, Chandy and Dickson, A Comparison of List Schedules for Parallel Processing "
            "Systems, 1974",
  .forcing = GOBAN_FORCING_INSIDE,
  .place = place,
};
