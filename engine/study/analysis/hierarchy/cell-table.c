#include "engine/study/analysis/hierarchy/cell-table.h"

#include "engine/study/analysis/hierarchy/cell-names.h"

#include <stdlib.h>

typedef struct
{
  guint32 group;
  guint32 slot;
  GobanNodeId node;
} Entry;

/* Groups of merged parameters. */
typedef struct
{
  guint n;
  guint32 *of;    /* (n_params) */
  guint32 *first; /* (n) the first parameter */
  guint *sizes;   /* (n) */
} Groups;

static void
groups_clear (Groups *self)
{
  g_free (self->of);
  g_free (self->first);
  g_free (self->sizes);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Groups, groups_clear)

static Groups
merge_params (const GobanCells *cells, guint n_groups)
{
  g_autoptr (GobanCellRows) merged = goban_cell_rows_new (cells, n_groups, 1);
  Groups self = { .n = merged->n_groups,
                  .of = g_new (guint32, cells->n_params),
                  .first = g_new (guint32, merged->n_groups),
                  .sizes = g_new0 (guint, merged->n_groups) };

  for (GobanNodeId v = 0; v < cells->n_nodes; v++)
    self.of[cells->param_of[cells->cell_of[v]]] = merged->group_of[merged->row_of[v]];
  for (guint32 p = 0; p < cells->n_params; p++)
    if (self.sizes[self.of[p]]++ == 0)
      self.first[self.of[p]] = p;
  return self;
}

static int
compare_entries (const void *a, const void *b)
{
  const Entry *x = a;
  const Entry *y = b;

  if (x->group != y->group)
    return x->group < y->group ? -1 : 1;
  if (x->slot != y->slot)
    return x->slot < y->slot ? -1 : 1;
  return (x->node > y->node) - (x->node < y->node);
}

static Entry *
sort_nodes (const GobanCells *cells, const Groups *groups, guint n_slots)
{
  Entry *entries = g_new (Entry, cells->n_nodes);

  for (GobanNodeId v = 0; v < cells->n_nodes; v++)
    {
      guint32 cell = cells->cell_of[v];
      guint32 param = cells->param_of[cell];
      guint64 use = cells->use_of[cell];
      guint64 slot = n_slots > 0 ? use * n_slots / cells->n_uses[param] : use;

      entries[v] = (Entry){ groups->of[param], (guint32) slot, v };
    }
  qsort (entries, cells->n_nodes, sizeof *entries, compare_entries);
  return entries;
}

static char *
dup_group_name (const Groups *groups, char **names, guint32 group)
{
  const char *first = names[groups->first[group]];

  return groups->sizes[group] == 1 ? g_strdup (first)
                                   : g_strdup_printf ("%s +%u", first, groups->sizes[group] - 1);
}

static GobanCellTableRow
make_row (const Entry *entries, guint n)
{
  GobanCellTableRow row = { .use = entries[0].slot, .n_nodes = n, .nodes = g_new (GobanNodeId, n) };

  for (guint i = 0; i < n; i++)
    row.nodes[i] = entries[i].node;
  return row;
}

static GArray *
make_rows (const Entry *entries, guint n_nodes, const Groups *groups, char **names)
{
  GArray *rows = g_array_new (FALSE, FALSE, sizeof (GobanCellTableRow));
  g_autofree guint *n_rows_of = g_new0 (guint, groups->n);

  for (guint i = 0, end; i < n_nodes; i = end)
    {
      guint32 group = entries[i].group;
      GobanCellTableRow row;

      for (end = i + 1;
           end < n_nodes && entries[end].group == group && entries[end].slot == entries[i].slot;)
        end++;
      row = make_row (entries + i, end - i);
      row.parameter = dup_group_name (groups, names, group);
      row.n_params = groups->sizes[group];
      n_rows_of[group]++;
      g_array_append_val (rows, row);
    }
  for (guint i = 0, group = 0, n = 0; i < rows->len; i++)
    {
      if (n == n_rows_of[group])
        {
          group++;
          n = 0;
        }
      g_array_index (rows, GobanCellTableRow, i).n_uses = n_rows_of[group];
      n++;
    }
  return rows;
}

GobanCellTable *
goban_cell_table_new (const GobanCostModel *costs, guint n_groups, guint n_slots)
{
  GobanGraph *graph = goban_cost_model_get_graph (costs);
  g_autofree double *work = g_new0 (double, MAX (goban_graph_get_n_nodes (graph), 1));
  g_autoptr (GobanCells) cells = NULL;
  g_autofree Entry *entries = NULL;
  g_auto (Groups) groups = { 0 };
  g_auto (GStrv) names = NULL;
  g_autoptr (GArray) rows = NULL;
  GobanCellTable *self;

  goban_cost_model_mean_times (costs, work);
  cells = goban_cells_new_of_params (graph, n_groups > 0 ? work : NULL);
  if (cells == NULL)
    return NULL;

  groups = merge_params (cells, n_groups > 0 ? n_groups : cells->n_params);
  entries = sort_nodes (cells, &groups, n_slots);
  names = goban_cell_names_new (graph, cells);
  rows = make_rows (entries, cells->n_nodes, &groups, names);
  self = g_new (GobanCellTable, 1);
  self->n_rows = rows->len;
  self->rows = (GobanCellTableRow *) (gpointer) g_array_free (g_steal_pointer (&rows), FALSE);
  return self;
}

void
goban_cell_table_free (GobanCellTable *self)
{
  for (guint i = 0; i < self->n_rows; i++)
    {
      g_free (self->rows[i].parameter);
      g_free (self->rows[i].nodes);
    }
  g_free (self->rows);
  g_free (self);
}
