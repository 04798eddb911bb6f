/* Every ready node waits at every device that can run it: among the arriving, by when its inputs
 * are there, until the device is free no earlier than that; then among the arrived, if the start is
 * the same for all and the level decides. Keys are lower bounds, since a start can only become
 * later: channels fill up, and a tensor that somebody else has fetched has taken the time on the
 * channel that it would have taken now. What comes first is looked up again, and goes back if it
 * has become later. */
#include "engine/placers/earliest-start.h"

#include "engine/placers/list-schedule-record.h"
#include "engine/placers/node-heap.h"
#include "engine/placers/policies.h"

#include <math.h>

#define NO_TREE GOBAN_NO_NODE

/* Number of a device's first waiting nodes that are checked for urgency. */
#define N_ASKED 8

typedef struct
{
  GobanNodeHeap arriving; /* by ready_us */
  GobanNodeHeap arrived;  /* ready_us is not after free_us; all keys 0 */
  double free_us;
  GobanNodeId last; /* the node it ran last, or NO_TREE */
  GobanNodeId held; /* the tree that it waits for or runs next, or NO_TREE */
  double held_us;   /* when that starts */
} Device;

typedef struct
{
  const GobanEarliestStartRules *rules;
  const GobanUnits *units;
  const GobanGraph *graph;
  const GobanTrees *trees;
  GobanListSchedule *schedule;
  guint n_devices;
  Device *devices;      /* (n_devices) */
  guint32 *n_missing;   /* (n_trees) inputs whose producers are not scheduled */
  guint32 *n_entries;   /* (n_trees) in all heaps */
  double *inputs_us;    /* (n_trees) when the last producer finishes */
  guint8 *is_scheduled; /* (n_trees) or carried along */
  guint32 *leaders;     /* (n_units) the lowest tree, or NO_TREE */
  guint8 *had_no_room;  /* (n_trees x n_devices) (nullable): for the record */
} Scheduler;

/* A node about to go to a device. */
typedef struct
{
  GobanNodeId node;
  GobanDeviceId device;
  double start_us;
  gboolean is_forced; /* it waits nowhere any more */
} Turn;

static double
level_of (const Scheduler *self, GobanNodeId v)
{
  return self->rules->levels != NULL ? self->rules->levels[v] : 0;
}

static void
enter (Scheduler *self, GobanNodeHeap *heap, GobanNodeId v, double key)
{
  goban_node_heap_push (heap, (GobanWaiting){ key, level_of (self, v), v });
  self->n_entries[v]++;
}

static GobanNodeId
leave (Scheduler *self, GobanNodeHeap *heap)
{
  GobanNodeId v = goban_node_heap_pop (heap).node;

  self->n_entries[v]--;
  return v;
}

/* The earliest start of the node turned to, INFINITY if it cannot go. */
static double
look_start (const Scheduler *self, guint device, GobanPlacement *placement)
{
  if (!goban_list_schedule_look (self->schedule, (GobanDeviceId) device, placement))
    return INFINITY;
  return MAX (placement->ready_us, self->devices[device].free_us);
}

static GobanNodeId
root_of (const Scheduler *self, guint32 tree)
{
  return self->trees->nodes[self->trees->offsets[tree + 1] - 1];
}

static guint32
unit_of (const Scheduler *self, guint32 tree)
{
  return self->units->unit_of[root_of (self, tree)];
}

static void
turn_to (const Scheduler *self, guint32 tree)
{
  guint32 first = self->trees->offsets[tree];
  guint n = self->trees->offsets[tree + 1] - first;

  if (n == 1)
    goban_list_schedule_turn_to (self->schedule, self->trees->nodes[first]);
  else
    goban_list_schedule_turn_to_tree (self->schedule, &self->trees->nodes[first], n);
}

static void
enter_everywhere (Scheduler *self, GobanNodeId v)
{
  turn_to (self, v);
  for (guint d = 0; d < self->n_devices; d++)
    {
      GobanPlacement placement;

      if (goban_list_schedule_look (self->schedule, (GobanDeviceId) d, &placement))
        enter (self, &self->devices[d].arriving, v, placement.ready_us);
    }
}

/* Pops scheduled nodes from the tops and admits those that have arrived. */
static void
tidy (Scheduler *self, Device *device)
{
  if (device->held != NO_TREE && self->is_scheduled[device->held])
    device->held = NO_TREE;

  while (device->arriving.n > 0
         && (device->arriving.entries[0].key <= device->free_us
             || self->is_scheduled[device->arriving.entries[0].node]))
    {
      GobanNodeId v = leave (self, &device->arriving);

      if (!self->is_scheduled[v])
        enter (self, &device->arrived, v, 0);
    }
  while (device->arrived.n > 0 && self->is_scheduled[device->arrived.entries[0].node])
    leave (self, &device->arrived);
}

/* The device's first, by a key that may be too early; %FALSE if nothing waits. */
static gboolean
peek (const Scheduler *self, const Device *device, GobanWaiting *first)
{
  if (device->held != NO_TREE)
    *first = (GobanWaiting){ device->held_us, level_of (self, device->held), device->held };
  else if (device->arrived.n > 0)
    {
      *first = device->arrived.entries[0];
      first->key = device->free_us;
    }
  else if (device->arriving.n > 0)
    *first = device->arriving.entries[0];
  else
    return FALSE;
  return TRUE;
}

static gboolean
find_first (Scheduler *self, Turn *turn)
{
  GobanWaiting best = { INFINITY, 0, NO_TREE };

  turn->device = GOBAN_NO_DEVICE;
  for (guint d = 0; d < self->n_devices; d++)
    {
      GobanWaiting first;

      tidy (self, &self->devices[d]);
      if (peek (self, &self->devices[d], &first)
          && (best.node == NO_TREE || goban_waiting_is_before (&first, &best)))
        {
          best = first;
          turn->device = (GobanDeviceId) d;
        }
    }
  turn->node = best.node;
  turn->start_us = best.key;
  turn->is_forced = FALSE;
  return best.node != NO_TREE;
}

/* Device for the current node if memory decides: among the devices with room, or that lack least,
 * the one that starts it first. */
static Turn
choose_by_room (const Scheduler *self, GobanNodeId v)
{
  Turn best = { v, GOBAN_NO_DEVICE, INFINITY, TRUE };
  GobanPlacement best_placement = { 0 };

  for (guint d = 0; d < self->n_devices; d++)
    {
      GobanPlacement placement;
      double start_us = look_start (self, d, &placement);
      int by_room;

      if (isinf (start_us))
        continue;
      by_room = goban_placement_compare_room (&placement, &best_placement);
      if (best.device == GOBAN_NO_DEVICE || by_room < 0
          || (by_room == 0 && start_us < best.start_us))
        {
          best = (Turn){ v, (GobanDeviceId) d, start_us, TRUE };
          best_placement = placement;
        }
    }
  return best;
}

/* Takes the entry that find_first() found off its heap. */
static void
take_off (Scheduler *self, Device *device, GobanNodeId v)
{
  if (device->arrived.n > 0 && device->arrived.entries[0].node == v)
    leave (self, &device->arrived);
  else if (device->arriving.n > 0 && device->arriving.entries[0].node == v)
    leave (self, &device->arriving);
}

/* Checks the first candidate again. %FALSE if its key was too low: it has been put back or
 * dropped. */
static gboolean
confirm (Scheduler *self, Turn *turn)
{
  Device *device = &self->devices[turn->device];
  GobanPlacement placement;
  double start_us;

  turn_to (self, turn->node);
  start_us = look_start (self, turn->device, &placement);
  if (start_us == turn->start_us && placement.room_bytes >= 0)
    return TRUE;

  take_off (self, device, turn->node);
  /* Its unit has been bound to another device meanwhile. That one may have had no room and dropped
   * it before, so a node without an entry must go there all the same. */
  if (isinf (start_us) && self->n_entries[turn->node] > 0)
    return FALSE;
  if (isinf (start_us) || placement.room_bytes < 0)
    {
      if (self->had_no_room != NULL && isfinite (start_us))
        self->had_no_room[(gsize) turn->node * self->n_devices + turn->device] = TRUE;
      *turn = choose_by_room (self, turn->node);
      /* Elsewhere it waits in line, unless this was its last entry. */
      return &self->devices[turn->device] == device || self->n_entries[turn->node] == 0;
    }
  enter (self, start_us > device->free_us ? &device->arriving : &device->arrived, turn->node,
         start_us > device->free_us ? start_us : 0);
  return FALSE;
}

/* --- favourite children ------------------------------------------------------------------ */

/* When the device could start its last node's favourite child, which it stays awake for at @now_us;
 * else INFINITY. */
static double
awake_until (Scheduler *self, guint d, double now_us, GobanNodeId *child)
{
  const Device *device = &self->devices[d];
  GobanPlacement placement;
  double own_us;

  if (device->last == NO_TREE)
    return INFINITY;
  *child = self->rules->favourites[device->last];
  if (*child == NO_TREE || self->is_scheduled[*child] || self->n_missing[*child] > 0
      || self->inputs_us[*child] > now_us)
    return INFINITY;

  turn_to (self, *child);
  own_us = look_start (self, d, &placement);
  if (isinf (own_us) || placement.room_bytes < 0)
    return INFINITY;
  for (guint other = 0; other < self->n_devices; other++)
    if (other != d && look_start (self, other, &placement) < own_us)
      return INFINITY;
  return own_us;
}

/* When a node could start wherever it is put; INFINITY if this device may not have it. */
static double
urgent_from (Scheduler *self, guint d, GobanNodeId v)
{
  GobanPlacement placement;
  double latest_us;

  turn_to (self, v);
  latest_us = look_start (self, d, &placement);
  if (isinf (latest_us) || placement.room_bytes < 0)
    return INFINITY;
  for (guint other = 0; other < self->n_devices; other++)
    {
      double start_us = look_start (self, other, &placement);

      if (isfinite (start_us))
        latest_us = MAX (latest_us, start_us);
    }
  return latest_us;
}

static void
ask_first_few (Scheduler *self, const GobanNodeHeap *heap, Turn *turn)
{
  for (guint i = 0; i < MIN (heap->n, N_ASKED); i++)
    {
      GobanNodeId v = heap->entries[i].node;
      double urgent_us;

      if (self->is_scheduled[v])
        continue;
      urgent_us = urgent_from (self, turn->device, v);
      if (urgent_us < turn->start_us)
        {
          turn->node = v;
          turn->start_us = urgent_us;
        }
    }
}

/* An awake device does not take @turn's node but an urgent one or the child it waits for. %FALSE
 * if that starts later: it has been put down for then. */
static gboolean
heed_favourite (Scheduler *self, Turn *turn)
{
  Device *device = &self->devices[turn->device];
  GobanNodeId child = NO_TREE;
  double child_us;
  Turn instead;

  if (self->rules->favourites == NULL || turn->is_forced)
    return TRUE;
  child_us = awake_until (self, turn->device, turn->start_us, &child);
  if (isinf (child_us) || child == turn->node)
    return TRUE;
  instead = (Turn){ child, turn->device, child_us, FALSE };

  ask_first_few (self, &device->arrived, &instead);
  ask_first_few (self, &device->arriving, &instead);
  if (instead.start_us > turn->start_us)
    {
      device->held = instead.node;
      device->held_us = instead.start_us;
      return FALSE;
    }
  /* It could have started before, but the device takes it now. */
  turn->node = instead.node;
  return TRUE;
}

/* Commits the tentative placement unless something has come between. */
static gboolean
redeem (Scheduler *self, Turn *turn)
{
  Device *device = &self->devices[turn->device];
  GobanPlacement placement;
  double start_us;

  device->held = NO_TREE;
  turn_to (self, turn->node);
  start_us = look_start (self, turn->device, &placement);
  return start_us <= turn->start_us && placement.room_bytes >= 0;
}

/* --- the schedule ----------------------------------------------------------------------- */

/* Records the alternatives for the current node. A device that had no room when its turn came was
 * passed over for good. */
static void
weigh_devices (const Scheduler *self, GobanNodeId v, GobanDeviceId chosen)
{
  for (guint d = 0; d < self->n_devices; d++)
    {
      GobanPlacement placement;
      double start_us = look_start (self, d, &placement);

      if (d != chosen && isfinite (start_us) && self->had_no_room[(gsize) v * self->n_devices + d])
        placement.room_bytes = MIN (placement.room_bytes, -1);
      goban_list_schedule_weigh (self->schedule, (GobanDeviceId) d,
                                 isfinite (start_us) ? &placement : NULL, start_us);
    }
}

static void
place (Scheduler *self, const Turn *turn)
{
  GobanDeviceId taken = turn->device;
  double start_us = turn->start_us;
  Device *device;

  turn_to (self, turn->node);
  if (goban_list_schedule_has_record (self->schedule))
    {
      GobanPlacement placement;

      weigh_devices (self, turn->node, turn->device);
      taken = goban_list_schedule_decide (
          self->schedule, turn->device,
          self->rules->levels != NULL ? level_of (self, turn->node) : (double) NAN, NULL);
      if (taken != turn->device)
        start_us = look_start (self, taken, &placement);
    }
  device = &self->devices[taken];
  goban_list_schedule_place (self->schedule, taken, start_us);
  self->is_scheduled[turn->node] = TRUE;
  device->free_us = goban_list_schedule_get_finishes (self->schedule)[root_of (self, turn->node)];
  device->last = turn->node;
}

/* --- dependencies ----------------------------------------------------------------------- */

/* One dependency of the tree is fulfilled. */
static void
release (Scheduler *self, guint32 tree, double finish_us)
{
  self->inputs_us[tree] = MAX (self->inputs_us[tree], finish_us);
  if (--self->n_missing[tree] == 0)
    enter_everywhere (self, tree);
}

static void
release_followers (Scheduler *self, guint32 tree)
{
  guint32 unit = unit_of (self, tree);
  const GobanUnits *units = self->units;

  if (self->leaders[unit] != tree)
    return;
  for (guint32 i = units->offsets[unit]; i < units->offsets[unit + 1]; i++)
    {
      guint32 follower = self->trees->tree_of[units->nodes[i]];

      if (units->nodes[i] == root_of (self, follower) && !self->is_scheduled[follower])
        release (self, follower, 0);
    }
}

static void
release_consumers (Scheduler *self, guint32 tree)
{
  GobanNodeId root = root_of (self, tree);
  GobanEdgeSpan out = goban_graph_get_out_edges (self->graph, root);
  double finish_us = goban_list_schedule_get_finishes (self->schedule)[root];

  for (guint i = 0; i < out.n; i++)
    release (self, self->trees->tree_of[goban_graph_get_edge (self->graph, out.ids[i])->head],
             finish_us);
  release_followers (self, tree);
}

static void
count_missing (Scheduler *self, guint32 tree)
{
  guint32 unit = unit_of (self, tree);

  for (guint32 k = self->trees->offsets[tree]; k < self->trees->offsets[tree + 1]; k++)
    {
      GobanEdgeSpan in = goban_graph_get_in_edges (self->graph, self->trees->nodes[k]);

      for (guint i = 0; i < in.n; i++)
        {
          GobanNodeId tail = goban_graph_get_edge (self->graph, in.ids[i])->tail;

          self->n_missing[tree] += self->trees->tree_of[tail] != tree
                                   && !goban_list_schedule_is_carried (self->schedule, tail);
        }
    }
  if (self->rules->leaders && self->leaders[unit] == NO_TREE)
    self->leaders[unit] = tree;
  else if (self->rules->leaders)
    self->n_missing[tree]++;
}

/* Returns how many trees there are to schedule. */
static guint
enter_sources (Scheduler *self)
{
  guint n = 0;

  for (guint u = 0; u < self->units->n_units; u++)
    self->leaders[u] = NO_TREE;
  for (guint32 t = 0; t < self->trees->n_trees; t++)
    {
      self->is_scheduled[t] = goban_list_schedule_is_carried (self->schedule, root_of (self, t));
      if (self->is_scheduled[t])
        continue;
      n++;
      count_missing (self, t);
    }
  for (guint32 t = 0; t < self->trees->n_trees; t++)
    if (!self->is_scheduled[t] && self->n_missing[t] == 0)
      enter_everywhere (self, t);
  return n;
}

static gboolean
run (Scheduler *self, const GobanPlacerOptions *options, GError **error)
{
  guint n_trees = enter_sources (self);
  guint n_scheduled = 0;
  Turn turn;

  if (!goban_policy_go_on (options, 0, n_trees, error))
    return FALSE;
  while (find_first (self, &turn))
    {
      gboolean is_held = self->devices[turn.device].held != NO_TREE;

      if (is_held ? !redeem (self, &turn) : !confirm (self, &turn) || !heed_favourite (self, &turn))
        continue;
      place (self, &turn);
      release_consumers (self, turn.node);
      if (!goban_policy_go_on (options, ++n_scheduled, n_trees, error))
        return FALSE;
    }
  g_assert (n_scheduled == n_trees);
  return TRUE;
}

static void
clear_scheduler (Scheduler *self)
{
  for (guint d = 0; d < self->n_devices; d++)
    {
      goban_node_heap_clear (&self->devices[d].arriving);
      goban_node_heap_clear (&self->devices[d].arrived);
    }
  g_free (self->devices);
  g_free (self->n_missing);
  g_free (self->n_entries);
  g_free (self->inputs_us);
  g_free (self->is_scheduled);
  g_free (self->leaders);
  g_free (self->had_no_room);
}

GobanListSchedule *
goban_earliest_start_schedule (const GobanEarliestStartRules *rules,
                               const GobanPlacerOptions *options, GError **error)
{
  const GobanUnits *units = rules->units;
  guint n_trees = rules->trees->n_trees;
  g_autoptr (GobanListSchedule) schedule = goban_list_schedule_new (units, rules->channels);
  Scheduler self = {
    .rules = rules,
    .units = units,
    .graph = units->graph,
    .trees = rules->trees,
    .schedule = schedule,
    .n_devices = units->n_devices,
    .devices = g_new0 (Device, units->n_devices),
    .n_missing = g_new0 (guint32, n_trees),
    .n_entries = g_new0 (guint32, n_trees),
    .inputs_us = g_new0 (double, n_trees),
    .is_scheduled = g_new0 (guint8, n_trees),
    .leaders = g_new (guint32, units->n_units),
  };
  gboolean is_done;

  if (rules->reserves_kept)
    goban_list_schedule_reserve_kept (schedule);
  goban_list_schedule_set_headroom (schedule, rules->attempt.headroom_bytes);
  if (rules->attempt.decisions != NULL)
    self.had_no_room = g_new0 (guint8, (gsize) n_trees * units->n_devices);
  goban_list_schedule_begin_record (schedule, rules->attempt.decisions, rules->words);
  for (guint d = 0; d < units->n_devices; d++)
    self.devices[d].last = self.devices[d].held = NO_TREE;
  is_done = run (&self, options, error);
  clear_scheduler (&self);
  return is_done ? g_steal_pointer (&schedule) : NULL;
}
