#include "engine/core/disjoint.h"
#include "engine/graph/cells.h"

#include <string.h>

/* group_of (n_params): which group each parameter is in, numbered by their first parameters.
 * Returns how many there are. */
static guint
merge_params (const GobanCells *cells, guint n_groups, guint32 *group_of)
{
  g_autofree guint32 *parents = goban_disjoint_new (cells->n_params);
  g_autofree guint32 *number = g_new (guint32, cells->n_params);
  guint n = 0;

  for (guint i = 0; i + n_groups < cells->n_params; i++)
    parents[goban_disjoint_find (parents, cells->joins[i].gone)]
        = goban_disjoint_find (parents, cells->joins[i].kept);
  for (guint p = 0; p < cells->n_params; p++)
    number[p] = G_MAXUINT32;
  for (guint p = 0; p < cells->n_params; p++)
    {
      guint32 root = goban_disjoint_find (parents, p);

      if (number[root] == G_MAXUINT32)
        number[root] = n++;
      group_of[p] = number[root];
    }
  return n;
}

static guint32
find_slot (const GobanCells *cells, guint32 cell, guint n_slots)
{
  guint n_uses = cells->n_uses[cells->param_of[cell]];

  return (guint32) ((guint64) cells->use_of[cell] * n_slots / n_uses);
}

/* Pairs of group and slot that have a cell, in their order. */
static void
number_rows (GobanCellRows *self, const GobanCells *cells, const guint32 *group_of,
             guint32 *row_of_cell)
{
  gsize n_pairs = (gsize) self->n_groups * self->n_slots;
  g_autofree guint32 *row_of_pair = g_new0 (guint32, n_pairs);

  for (guint c = 0; c < cells->n_cells; c++)
    row_of_pair[(gsize) group_of[cells->param_of[c]] * self->n_slots
                + find_slot (cells, c, self->n_slots)]
        = 1;
  for (gsize i = 0; i < n_pairs; i++)
    if (row_of_pair[i])
      row_of_pair[i] = ++self->n_rows;
  self->group_of = g_new (guint32, self->n_rows);
  self->slot_of = g_new (guint32, self->n_rows);
  for (guint c = 0; c < cells->n_cells; c++)
    {
      guint32 group = group_of[cells->param_of[c]];
      guint32 slot = find_slot (cells, c, self->n_slots);
      guint32 row = row_of_pair[(gsize) group * self->n_slots + slot] - 1;

      row_of_cell[c] = row;
      self->group_of[row] = group;
      self->slot_of[row] = slot;
    }
}

static void
list_nodes (GobanCellRows *self, guint n_nodes)
{
  g_autofree guint32 *next = g_new (guint32, self->n_rows + 1);

  self->offsets = g_new0 (guint32, self->n_rows + 1);
  self->nodes = g_new (GobanNodeId, n_nodes);
  for (GobanNodeId v = 0; v < n_nodes; v++)
    self->offsets[self->row_of[v] + 1]++;
  for (guint r = 0; r < self->n_rows; r++)
    self->offsets[r + 1] += self->offsets[r];
  memcpy (next, self->offsets, (self->n_rows + 1) * sizeof *next);
  for (GobanNodeId v = 0; v < n_nodes; v++)
    self->nodes[next[self->row_of[v]]++] = v;
}

GobanCellRows *
goban_cell_rows_new (const GobanCells *cells, guint n_groups, guint n_slots)
{
  GobanCellRows *self = g_new0 (GobanCellRows, 1);
  g_autofree guint32 *group_of = g_new (guint32, cells->n_params + 1);
  g_autofree guint32 *row_of_cell = g_new (guint32, cells->n_cells + 1);

  self->n_groups = merge_params (cells, MAX (n_groups, 1), group_of);
  self->n_slots = MAX (n_slots, 1);
  number_rows (self, cells, group_of, row_of_cell);
  self->row_of = g_new (guint32, cells->n_nodes);
  for (GobanNodeId v = 0; v < cells->n_nodes; v++)
    self->row_of[v] = row_of_cell[cells->cell_of[v]];
  list_nodes (self, cells->n_nodes);
  return self;
}

void
goban_cell_rows_free (GobanCellRows *self)
{
  g_free (self->row_of);
  g_free (self->group_of);
  g_free (self->slot_of);
  g_free (self->offsets);
  g_free (self->nodes);
  g_free (self);
}
