#include "engine/placers/insertion.h"

#include "engine/placers/idle.h"

typedef struct
{
  GobanPlacement placement;
  GobanIdleSlot slot;
  double finish_us;
} Choice;

void
goban_insertion_init (GobanInsertion *self, const GobanUnits *units)
{
  self->units = units;
  self->schedule = goban_list_schedule_new (units, FALSE);
  self->idles = g_ptr_array_new_with_free_func ((GDestroyNotify) goban_idle_free);
  for (guint d = 0; d < units->n_devices; d++)
    g_ptr_array_add (self->idles, goban_idle_new ());
}

void
goban_insertion_clear (GobanInsertion *self)
{
  g_clear_pointer (&self->schedule, goban_list_schedule_free);
  g_clear_pointer (&self->idles, g_ptr_array_unref);
}

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

  choice->slot = goban_idle_find (g_ptr_array_index (self->idles, device),
                                  choice->placement.ready_us, choice->placement.time_us);
  choice->finish_us = choice->slot.start_us + choice->placement.time_us;
  return TRUE;
}

static Choice
choose_device (const GobanInsertion *self)
{
  Choice best = { .placement.device = GOBAN_NO_DEVICE };

  for (guint d = 0; d < self->idles->len; d++)
    {
      Choice choice;

      if (look (self, (GobanDeviceId) d, &choice)
          && (best.placement.device == GOBAN_NO_DEVICE || is_better (&choice, &best)))
        best = choice;
    }
  return best;
}

static void
take (GobanInsertion *self, const Choice *choice)
{
  GobanDeviceId device = choice->placement.device;

  goban_idle_occupy (g_ptr_array_index (self->idles, device), choice->slot,
                     choice->placement.time_us);
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
  take (self, &choice);
}

void
goban_insertion_place_on (GobanInsertion *self, GobanNodeId node, GobanDeviceId device)
{
  Choice choice;

  if (goban_list_schedule_is_carried (self->schedule, node))
    return;
  goban_list_schedule_turn_to (self->schedule, node);
  if (!look (self, device, &choice) || choice.placement.room_bytes < 0)
    choice = choose_device (self);
  take (self, &choice);
}

GobanPlan *
goban_insertion_new_plan (const GobanInsertion *self, const double *keys)
{
  GobanPlan *plan = goban_list_schedule_new_plan (self->schedule);

  if (!goban_cost_model_is_contention_free (self->units->costs))
    goban_plan_set_priorities_by_key (plan, keys);
  return plan;
}
