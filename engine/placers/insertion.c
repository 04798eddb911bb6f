#include "engine/placers/insertion.h"

#include "engine/placers/idle-gaps.h"
#include "engine/placers/list-schedule-record.h"
#include "engine/placers/memory-fit.h"

typedef struct
{
  GobanPlacement placement;
  GobanIdleGap slot;
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

static gboolean
look (const GobanInsertion *self, GobanDeviceId device, Choice *choice)
{
  if (!goban_list_schedule_look (self->schedule, device, &choice->placement))
    return FALSE;

  choice->slot
      = goban_idle_gaps_find (g_ptr_array_index (self->idles, device), choice->placement.ready_us,
                              MAX (choice->placement.time_us, self->least_us));
  choice->finish_us = choice->slot.start_us + choice->placement.time_us;
  return TRUE;
}

/* The same, written to the record. */
static gboolean
weigh (const GobanInsertion *self, GobanDeviceId device, Choice *choice)
{
  gboolean is_possible = look (self, device, choice);

  goban_list_schedule_weigh (self->schedule, device, is_possible ? &choice->placement : NULL,
                             is_possible ? choice->finish_us : 0);
  return is_possible;
}

static Choice
choose_device (const GobanInsertion *self)
{
  Choice best = { .placement.device = GOBAN_NO_DEVICE };

  for (guint d = 0; d < self->idles->len; d++)
    {
      Choice choice;

      if (weigh (self, (GobanDeviceId) d, &choice)
          && (best.placement.device == GOBAN_NO_DEVICE || is_better (&choice, &best)))
        best = choice;
    }
  return best;
}

static void
take (GobanInsertion *self, GobanNodeId node, Choice *choice, const char *note)
{
  GobanDeviceId device = goban_list_schedule_decide (self->schedule, choice->placement.device,
                                                     self->keys[node], note);

  if (device != choice->placement.device)
    look (self, device, choice);
  goban_idle_gaps_occupy (g_ptr_array_index (self->idles, device), choice->slot,
                          MAX (choice->placement.time_us, self->least_us));
  goban_list_schedule_place (self->schedule, device, choice->slot.start_us);
}

void
goban_insertion_place (GobanInsertion *self, GobanNodeId node)
{
  Choice choice;

  if (goban_list_schedule_is_carried (self->schedule, node))
    return;
  goban_list_schedule_turn_to (self->schedule, node);
  choice = choose_device (self);
  take (self, node, &choice, NULL);
}

void
goban_insertion_place_on (GobanInsertion *self, GobanNodeId node, GobanDeviceId device)
{
  Choice choice;
  gboolean is_there;

  if (goban_list_schedule_is_carried (self->schedule, node))
    return;
  goban_list_schedule_turn_to (self->schedule, node);
  is_there = look (self, device, &choice) && choice.placement.room_bytes >= 0;
  if (!is_there)
    choice = choose_device (self);
  else if (goban_list_schedule_has_record (self->schedule))
    choose_device (self);
  take (self, node, &choice, is_there ? "critical path" : NULL);
}

typedef struct
{
  const GobanInsertionRules *rules;
  const GobanUnits *units;
  const GobanPlacerOptions *options;
  double *keys; /* (n_nodes) keys by which nodes are taken */
} Maker;

static GobanListSchedule *
make_schedule (const Maker *maker, const GobanAttempt *attempt, GError **error)
{
  const GobanUnits *units = maker->units;
  g_autoptr (GPtrArray) idles
      = g_ptr_array_new_with_free_func ((GDestroyNotify) goban_idle_gaps_free);
  g_autoptr (GobanListSchedule) schedule = goban_list_schedule_new (units, FALSE);
  GobanInsertion insertion = { .units = units,
                               .schedule = schedule,
                               .idles = idles,
                               .keys = maker->keys,
                               .least_us = maker->rules->least_us };

  for (guint d = 0; d < units->n_devices; d++)
    g_ptr_array_add (idles, goban_idle_gaps_new ());
  goban_list_schedule_set_headroom (schedule, attempt->headroom_bytes);
  goban_list_schedule_begin_record (schedule, attempt->decisions, &maker->rules->words);
  return maker->rules->schedule (&insertion, maker->keys, maker->options, error)
             ? g_steal_pointer (&schedule)
             : NULL;
}

static GobanPlan *
make_plan (gpointer data, const GobanAttempt *attempt, GError **error)
{
  Maker *maker = data;
  g_autoptr (GobanListSchedule) schedule = make_schedule (maker, attempt, error);
  GobanPlan *plan;

  if (schedule == NULL)
    return NULL;
  plan = goban_list_schedule_new_plan (schedule);
  if (!goban_cost_model_is_contention_free (maker->units->costs))
    goban_plan_set_priorities_by_key (plan, maker->keys);
  return plan;
}

GobanListSchedule *
goban_insertion_schedule (const GobanInsertionRules *rules, const GobanUnits *units,
                          const GobanPlacerOptions *options, GError **error)
{
  g_autofree double *keys = g_new (double, goban_graph_get_n_nodes (units->graph));
  const Maker maker = { rules, units, options, keys };

  rules->rank (units, keys);
  return make_schedule (&maker, &(GobanAttempt){ 0 }, error);
}

GobanPlan *
goban_insertion_place_all (const GobanInsertionRules *rules, GobanCostModel *costs,
                           const GobanPlacerOptions *options, guint64 *evaluations, GError **error)
{
  g_autoptr (GobanUnits) units = goban_units_new (costs, error);
  g_autofree double *keys = NULL;
  Maker maker = { .rules = rules, .units = units, .options = options };

  if (units == NULL)
    return NULL;
  maker.keys = keys = g_new (double, goban_graph_get_n_nodes (units->graph));
  rules->rank (units, keys);
  return goban_memory_fit_plan (costs, &(GobanPlanMaker){ make_plan, &maker, &rules->words },
                                options, evaluations, error);
}
