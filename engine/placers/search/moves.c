#include "engine/placers/search/moves.h"

#include "engine/placers/placed-ranks.h"
#include "engine/placers/search/critical-ops.h"
#include "engine/placers/search/name-words.h"
#include "engine/placers/search/unit-groups.h"
#include "engine/placers/search/unit-set.h"

#include <math.h>
#include <string.h>

/* Into how many groups the units are matched, from coarse to fine. */
static const guint cluster_counts[] = { 24, 64, 160, 400 };

#define N_CLUSTERINGS G_N_ELEMENTS (cluster_counts)

struct _GobanMoves
{
  const GobanUnits *units;
  GobanNameWords *scopes;
  GobanUnitGroups *clusters[N_CLUSTERINGS];
  GobanRng rng;
  double reach;

  GobanCriticalOps *critical_ops;
  GobanUnitSet *set; /* the units gathered for the move at hand */
};

/* --- moves --------------------------------------------------------------------------- */

void
goban_move_init (GobanMove *self)
{
  *self = (GobanMove){ .changes = g_array_new (FALSE, FALSE, sizeof (GobanChange)) };
}

void
goban_move_clear (GobanMove *self)
{
  g_clear_pointer (&self->changes, g_array_unref);
}

void
goban_move_apply (const GobanMove *self, GobanPlan *plan)
{
  for (guint i = 0; i < self->changes->len; i++)
    {
      const GobanChange *change = &g_array_index (self->changes, GobanChange, i);

      goban_plan_set_device (plan, change->node, change->new_device);
      goban_plan_set_priority (plan, change->node, change->new_priority);
    }
}

void
goban_move_undo (const GobanMove *self, GobanPlan *plan)
{
  for (guint i = 0; i < self->changes->len; i++)
    {
      const GobanChange *change = &g_array_index (self->changes, GobanChange, i);

      goban_plan_set_device (plan, change->node, change->old_device);
      goban_plan_set_priority (plan, change->node, change->old_priority);
    }
}

/* --- construction and disposal ------------------------------------------------------- */

GobanMoves *
goban_moves_new (const GobanUnits *units, guint64 seed)
{
  GobanMoves *self = g_new0 (GobanMoves, 1);

  self->units = units;
  self->scopes = goban_name_words_new (units);
  for (guint level = 0; level < N_CLUSTERINGS; level++)
    self->clusters[level] = goban_unit_groups_new (units, cluster_counts[level]);
  self->reach = 1;
  self->critical_ops = goban_critical_ops_new (units);
  self->set = goban_unit_set_new (units);
  goban_rng_init (&self->rng, seed);
  return self;
}

void
goban_moves_free (GobanMoves *self)
{
  goban_name_words_free (self->scopes);
  for (guint level = 0; level < N_CLUSTERINGS; level++)
    goban_unit_groups_free (self->clusters[level]);
  goban_critical_ops_free (self->critical_ops);
  goban_unit_set_free (self->set);
  g_free (self);
}

GobanRng *
goban_moves_get_rng (GobanMoves *self)
{
  return &self->rng;
}

void
goban_moves_set_reach (GobanMoves *self, double reach)
{
  self->reach = reach;
}

/* --- chance -------------------------------------------------------------------------- */

static GobanDeviceId
device_of (const GobanMoves *self, const GobanPlan *plan, guint32 unit)
{
  return goban_plan_get_devices (plan)[self->units->nodes[self->units->offsets[unit]]];
}

/* 1..n, small numbers as likely as large ones of the same ratio. */
static guint
draw_size (GobanMoves *self, guint n)
{
  double size = exp (goban_rng_uniform (&self->rng) * log ((double) n + 1));

  return CLAMP ((guint) size, 1, n);
}

static guint
largest_group (const GobanMoves *self)
{
  double n = self->reach * self->units->n_units / self->units->n_devices;

  return MAX ((guint) n, 1);
}

static guint32
draw_unit (GobanMoves *self)
{
  return goban_rng_below (&self->rng, self->units->n_units);
}

/* Any device but @from. */
static GobanDeviceId
draw_other_device (GobanMoves *self, GobanDeviceId from)
{
  guint n = self->units->n_devices;

  if (n < 2)
    return from;
  return (GobanDeviceId) ((from + 1 + goban_rng_below (&self->rng, n - 1)) % n);
}

/* With probability 1/2 the device of a unit that the set exchanges tensors with, if that is another
 * one. */
static GobanDeviceId
draw_target (GobanMoves *self, const GobanPlan *plan, GobanDeviceId from)
{
  guint32 unit = g_array_index (self->set->members, guint32,
                                goban_rng_below (&self->rng, self->set->members->len));
  guint32 first = self->set->graph->offsets[unit];
  guint32 n = self->set->graph->offsets[unit + 1] - first;

  if (n > 0 && goban_rng_below (&self->rng, 2) == 0)
    {
      guint32 neighbour = self->set->graph->links[first + goban_rng_below (&self->rng, n)].unit;
      GobanDeviceId device = device_of (self, plan, neighbour);

      if (device != from)
        return device;
    }
  return draw_other_device (self, from);
}

/* --- changes ------------------------------------------------------------------------- */

static void
change_unit (GobanMoves *self, const GobanPlan *plan, guint32 unit, GobanDeviceId device,
             GobanMove *move)
{
  const GobanUnits *units = self->units;

  if (device_of (self, plan, unit) == device || !goban_units_can_run (units, unit, device))
    return;
  for (guint i = units->offsets[unit]; i < units->offsets[unit + 1]; i++)
    {
      gint32 priority = goban_plan_get_priorities (plan)[units->nodes[i]];
      GobanChange change = { units->nodes[i], goban_plan_get_devices (plan)[units->nodes[i]],
                             device, priority, priority };

      g_array_append_val (move->changes, change);
    }
}

/* The set from its @first member on. */
static void
change_set (GobanMoves *self, const GobanPlan *plan, guint first, GobanDeviceId device,
            GobanMove *move)
{
  for (guint i = first; i < self->set->members->len; i++)
    change_unit (self, plan, g_array_index (self->set->members, guint32, i), device, move);
}

static void
shift_set (GobanMoves *self, const GobanPlan *plan, gint64 by, GobanMove *move)
{
  const GobanUnits *units = self->units;

  for (guint i = 0; i < self->set->members->len; i++)
    {
      guint32 unit = g_array_index (self->set->members, guint32, i);

      for (guint j = units->offsets[unit]; j < units->offsets[unit + 1]; j++)
        {
          GobanNodeId node = units->nodes[j];
          GobanDeviceId device = goban_plan_get_devices (plan)[node];
          gint32 priority = goban_plan_get_priorities (plan)[node];
          gint64 shifted = CLAMP (priority + by, G_MININT32 / 2, G_MAXINT32 / 2);
          GobanChange change = { node, device, device, priority, (gint32) shifted };

          g_array_append_val (move->changes, change);
        }
    }
}

/* --- the kinds ----------------------------------------------------------------------- */

static void
draw_unit_move (GobanMoves *self, const GobanPlan *plan, GobanMove *move)
{
  guint32 unit = draw_unit (self);

  goban_unit_set_add (self->set, unit);
  change_set (self, plan, 0, draw_target (self, plan, device_of (self, plan, unit)), move);
}

static void
draw_pair_move (GobanMoves *self, const GobanPlan *plan, GobanMove *move)
{
  guint32 one = draw_unit (self);
  guint32 first = self->set->graph->offsets[one];
  guint32 n = self->set->graph->offsets[one + 1] - first;
  guint32 other = draw_unit (self);

  if (n > 0 && goban_rng_below (&self->rng, 2) == 0)
    other = self->set->graph->links[first + goban_rng_below (&self->rng, n)].unit;
  change_unit (self, plan, one, draw_other_device (self, device_of (self, plan, one)), move);
  if (other != one)
    change_unit (self, plan, other, draw_other_device (self, device_of (self, plan, other)), move);
}

static void
draw_group_move (GobanMoves *self, const GobanPlan *plan, GobanMove *move)
{
  guint32 seed = draw_unit (self);

  goban_unit_set_grow (self->set, &self->rng, plan, seed, draw_size (self, largest_group (self)));
  change_set (self, plan, 0, draw_target (self, plan, device_of (self, plan, seed)), move);
}

static void
draw_cluster_move (GobanMoves *self, const GobanPlan *plan, GobanMove *move)
{
  const GobanUnitGroups *clusters = self->clusters[goban_rng_below (&self->rng, N_CLUSTERINGS)];
  guint32 seed = draw_unit (self);
  guint32 group = clusters->group_of[seed];

  for (guint32 i = clusters->offsets[group]; i < clusters->offsets[group + 1]; i++)
    goban_unit_set_add (self->set, clusters->units[i]);
  change_set (self, plan, 0, draw_target (self, plan, device_of (self, plan, seed)), move);
}

/* Down the graph: units are numbered in topological order. */
static void
draw_path_move (GobanMoves *self, const GobanPlan *plan, GobanMove *move)
{
  guint n_wanted = draw_size (self, largest_group (self));
  guint32 unit = draw_unit (self);
  GobanDeviceId from = device_of (self, plan, unit);

  goban_unit_set_add (self->set, unit);
  while (self->set->members->len < n_wanted)
    {
      guint32 first = self->set->graph->offsets[unit];
      guint32 n = self->set->graph->offsets[unit + 1] - first;
      guint32 next = unit;

      for (guint i = 0; i < 4 && n > 0 && next <= unit; i++)
        next = self->set->graph->links[first + goban_rng_below (&self->rng, MIN (n, 4u << i))].unit;
      if (next <= unit)
        break;
      goban_unit_set_add (self->set, next);
      unit = next;
    }
  change_set (self, plan, 0, draw_target (self, plan, from), move);
}

static void
draw_scope_move (GobanMoves *self, const GobanPlan *plan, GobanMove *move)
{
  const GobanNameWords *scopes = self->scopes;
  guint32 seed = draw_unit (self);
  guint32 n_words = scopes->unit_offsets[seed + 1] - scopes->unit_offsets[seed];
  guint32 n_nearest = G_MAXUINT32;
  gboolean only_here = goban_rng_below (&self->rng, 2) == 0;
  GobanDeviceId from = device_of (self, plan, seed);
  guint32 word;

  if (n_words == 0)
    return;
  word = scopes->words[scopes->unit_offsets[seed] + goban_rng_below (&self->rng, n_words)];
  if (goban_rng_below (&self->rng, 2) == 0)
    n_nearest = draw_size (self, self->units->n_units);

  for (guint i = scopes->word_offsets[word]; i < scopes->word_offsets[word + 1]; i++)
    {
      guint32 unit = scopes->units[i];
      guint32 distance = unit > seed ? unit - seed : seed - unit;

      if (distance <= n_nearest && (!only_here || device_of (self, plan, unit) == from))
        goban_unit_set_add (self->set, unit);
    }
  change_set (self, plan, 0, draw_target (self, plan, from), move);
}

static void
draw_window_move (GobanMoves *self, const GobanPlan *plan, GobanMove *move)
{
  guint32 first = draw_unit (self);
  guint n = draw_size (self, largest_group (self));
  GobanDeviceId from = device_of (self, plan, first);

  for (guint32 unit = first; unit < self->units->n_units && self->set->members->len < n; unit++)
    if (device_of (self, plan, unit) == from)
      goban_unit_set_add (self->set, unit);
  change_set (self, plan, 0, draw_target (self, plan, from), move);
}

static void
draw_swap_move (GobanMoves *self, const GobanPlan *plan, GobanMove *move)
{
  guint n = draw_size (self, largest_group (self));
  guint32 one = draw_unit (self);
  GobanDeviceId here = device_of (self, plan, one);
  GobanDeviceId there = here;
  guint32 other = one;
  guint n_ones;

  for (guint i = 0; i < 8 && there == here; i++)
    {
      other = draw_unit (self);
      there = device_of (self, plan, other);
    }
  if (there == here)
    return;

  goban_unit_set_grow (self->set, &self->rng, plan, one, n);
  n_ones = self->set->members->len;
  goban_unit_set_grow (self->set, &self->rng, plan, other, n);
  change_set (self, plan, n_ones, here, move);
  g_array_set_size (self->set->members, n_ones);
  change_set (self, plan, 0, there, move);
}

static void
draw_critical_move (GobanMoves *self, const GobanPlan *plan, GobanMove *move)
{
  const GobanCriticalOp *critical_op = goban_critical_ops_draw (self->critical_ops, &self->rng);
  GobanDeviceId from;
  GobanDeviceId target;

  if (critical_op == NULL)
    return;
  from = device_of (self, plan, critical_op->unit);
  target = critical_op->device;
  goban_unit_set_grow (self->set, &self->rng, plan, critical_op->unit,
                       draw_size (self, largest_group (self)));
  if (target == GOBAN_NO_DEVICE || target == from)
    target = draw_target (self, plan, from);
  change_set (self, plan, 0, target, move);
}

/* To just before or after another of the same device, or by any distance. */
static void
draw_priority_move (GobanMoves *self, const GobanPlan *plan, GobanMove *move)
{
  const gint32 *priorities = goban_plan_get_priorities (plan);
  const GobanCriticalOp *critical_op
      = goban_rng_below (&self->rng, 2) == 0
            ? goban_critical_ops_draw (self->critical_ops, &self->rng)
            : NULL;
  guint32 seed = critical_op != NULL ? critical_op->unit : draw_unit (self);
  guint32 other = draw_unit (self);
  GobanNodeId first = self->units->nodes[self->units->offsets[seed]];
  gint64 by;

  for (guint i = 0;
       i < 4 && (other == seed || device_of (self, plan, other) != device_of (self, plan, seed));
       i++)
    other = draw_unit (self);
  by = (gint64) priorities[self->units->nodes[self->units->offsets[other]]] - priorities[first];
  by += by > 0 ? 1 : -1;
  if (goban_rng_below (&self->rng, 2) == 0)
    {
      guint most = MIN (goban_plan_get_n_nodes (plan), 1u << 20) * GOBAN_PRIORITY_SPREAD;

      by = draw_size (self, most);
      if (goban_rng_below (&self->rng, 2) > 0)
        by = -by;
    }
  goban_unit_set_grow (self->set, &self->rng, plan, seed, draw_size (self, largest_group (self)));
  shift_set (self, plan, by, move);
}

static void
draw_ranks_move (GobanMoves *self, const GobanPlan *plan, GobanMove *move)
{
  guint n_nodes = goban_plan_get_n_nodes (plan);
  const gint32 *old = goban_plan_get_priorities (plan);
  g_autoptr (GobanPlan) ranked = goban_plan_copy (plan);
  g_autofree double *ranks_us = g_new (double, n_nodes);

  goban_placed_ranks (self->units, plan, ranks_us);
  goban_plan_spread_priorities (ranked, ranks_us);
  for (GobanNodeId v = 0; v < n_nodes; v++)
    {
      GobanDeviceId device = goban_plan_get_devices (plan)[v];
      GobanChange change = { v, device, device, old[v], goban_plan_get_priorities (ranked)[v] };

      if (change.old_priority != change.new_priority)
        g_array_append_val (move->changes, change);
    }
}

static GobanMoveKind
draw_kind (GobanMoves *self, const double *weights)
{
  double sum = 0;
  double at;

  for (guint k = 0; k < GOBAN_N_MOVE_KINDS; k++)
    sum += weights[k];
  at = goban_rng_uniform (&self->rng) * sum;
  for (guint k = 0; k < GOBAN_N_MOVE_KINDS; k++)
    {
      if (at < weights[k])
        return (GobanMoveKind) k;
      at -= weights[k];
    }
  return GOBAN_MOVE_UNIT;
}

void
goban_moves_draw (GobanMoves *self, const GobanPlan *plan, const double *weights, GobanMove *move)
{
  static void (*const draw[GOBAN_N_MOVE_KINDS]) (GobanMoves *, const GobanPlan *, GobanMove *) = {
    [GOBAN_MOVE_CLUSTER] = draw_cluster_move,   [GOBAN_MOVE_UNIT] = draw_unit_move,
    [GOBAN_MOVE_PAIR] = draw_pair_move,         [GOBAN_MOVE_GROUP] = draw_group_move,
    [GOBAN_MOVE_PATH] = draw_path_move,         [GOBAN_MOVE_SCOPE] = draw_scope_move,
    [GOBAN_MOVE_WINDOW] = draw_window_move,     [GOBAN_MOVE_SWAP] = draw_swap_move,
    [GOBAN_MOVE_CRITICAL] = draw_critical_move, [GOBAN_MOVE_PRIORITY] = draw_priority_move,
    [GOBAN_MOVE_RANKS] = draw_ranks_move,
  };

  g_array_set_size (move->changes, 0);
  if (self->units->n_units == 0)
    return;
  move->kind = draw_kind (self, weights);
  goban_unit_set_start (self->set);
  draw[move->kind](self, plan, move);
  for (guint i = 0; i < 4 && move->changes->len == 0; i++)
    {
      move->kind = self->units->n_devices > 1 ? GOBAN_MOVE_UNIT : GOBAN_MOVE_PRIORITY;
      goban_unit_set_start (self->set);
      draw[move->kind](self, plan, move);
    }
}

void
goban_moves_learn (GobanMoves *self, const GobanTrace *trace)
{
  goban_critical_ops_learn (self->critical_ops, trace);
}
