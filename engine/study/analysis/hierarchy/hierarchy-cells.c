/* Groups by parameters and their uses, for graphs whose names say nothing: engine/graph/cells.h.
 *
 * Two levels: the parameters, and within each its uses; or the k-th uses of all parameters, and
 * within each use the parameters. Groups of one node are left out, and so is a group that holds
 * all of the one around it.
 */
#include "engine/graph/cells.h"
#include "engine/study/analysis/hierarchy/cell-names.h"
#include "engine/study/analysis/hierarchy/hierarchy-draft.h"
#include "engine/study/analysis/hierarchy/name-parts.h"

#include <string.h>

/* Parameters with one use belong to no step. */
#define ONCE_NAME "used once"

/* One level of groups: the group of each cell. */
typedef struct
{
  guint n_groups;
  guint32 *of;      /* (n_cells) */
  guint32 *n_nodes; /* (n_groups) */
  GobanNodeId *first;
  char **names; /* (n_groups + 1) */
} Level;

static void
level_clear (Level *self)
{
  g_free (self->of);
  g_free (self->n_nodes);
  g_free (self->first);
  g_strfreev (self->names);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Level, level_clear)

/* --- levels ------------------------------------------------------------------------------ */

static Level
level_of_params (const GobanGraph *graph, const GobanCells *cells)
{
  return (Level){ .n_groups = cells->n_params,
                  .of = g_memdup2 (cells->param_of, cells->n_cells * sizeof *cells->param_of),
                  .names = goban_cell_names_new (graph, cells) };
}

/* The last group has the nodes of parameters that are used once; it may stay empty. */
static Level
level_of_uses (const GobanCells *cells)
{
  guint n_uses = goban_cells_get_max_uses (cells);
  Level self = { .n_groups = n_uses + 1,
                 .of = g_new (guint32, cells->n_cells),
                 .names = g_new0 (char *, (gsize) n_uses + 2) };

  for (guint32 c = 0; c < cells->n_cells; c++)
    self.of[c] = cells->n_uses[cells->param_of[c]] > 1 ? cells->use_of[c] : n_uses;
  for (guint k = 0; k < n_uses; k++)
    self.names[k] = goban_cell_dup_use_name (k);
  self.names[n_uses] = g_strdup (ONCE_NAME);
  return self;
}

/* Each cell by itself: it is called like its group in @level, the other coordinate. */
static Level
level_of_cells (const GobanCells *cells, const Level *level)
{
  Level self = { .n_groups = cells->n_cells,
                 .of = g_new (guint32, cells->n_cells),
                 .names = g_new0 (char *, (gsize) cells->n_cells + 1) };

  for (guint32 c = 0; c < cells->n_cells; c++)
    {
      self.of[c] = c;
      self.names[c] = g_strdup (level->names[level->of[c]]);
    }
  return self;
}

static void
count_nodes (Level *self, const GobanCells *cells)
{
  self->n_nodes = g_new0 (guint32, self->n_groups);
  self->first = g_new0 (GobanNodeId, self->n_groups);
  for (GobanNodeId v = 0; v < cells->n_nodes; v++)
    {
      guint32 group = self->of[cells->cell_of[v]];

      if (self->n_nodes[group]++ == 0)
        self->first[group] = v;
    }
}

/* --- groups ------------------------------------------------------------------------------ */

static guint32
add_group (GobanHierarchyDraft *draft, guint32 parent, const Level *level, guint32 number)
{
  GobanGroupDraft group = { .parent = parent, .first = level->first[number] };
  const char *above = parent != 0 ? goban_draft_group (draft, parent)->path : NULL;
  const char *own = level->names[number];
  const char *name = own + goban_name_skip_separators (own, strlen (own), 0);
  g_autofree char *path = above != NULL ? g_strdup_printf ("%s/%s", above, name) : g_strdup (own);

  group.path = g_string_chunk_insert (draft->texts, path);
  group.name = group.path + strlen (path) - strlen (name);
  g_array_append_val (draft->groups, group);
  return draft->groups->len - 1;
}

/* The draft group of every cell. */
static guint32 *
add_groups (GobanHierarchyDraft *draft, const GobanCells *cells, const Level *outer,
            const Level *inner)
{
  g_autofree guint32 *numbers = g_new0 (guint32, outer->n_groups);
  guint32 *of = g_new (guint32, cells->n_cells);

  for (guint32 i = 0; i < outer->n_groups; i++)
    if (outer->n_nodes[i] > 1 && outer->n_nodes[i] < cells->n_nodes)
      numbers[i] = add_group (draft, 0, outer, i);
  for (guint32 c = 0; c < cells->n_cells; c++)
    {
      guint32 parent = outer->of[c];
      gboolean is_part = inner->n_nodes[c] > 1 && inner->n_nodes[c] < outer->n_nodes[parent];

      of[c] = is_part ? add_group (draft, numbers[parent], inner, c) : numbers[parent];
    }
  return of;
}

static void
group_cells (GobanHierarchyDraft *draft, const GobanCells *cells, Level *outer, Level *other)
{
  g_auto (Level) inner = level_of_cells (cells, other);
  g_autofree guint32 *of = NULL;

  count_nodes (outer, cells);
  count_nodes (&inner, cells);
  of = add_groups (draft, cells, outer, &inner);
  for (GobanNodeId v = 0; v < cells->n_nodes; v++)
    draft->of[v] = of[cells->cell_of[v]];
}

void
goban_draft_read_cells (GobanHierarchyDraft *self, GobanGrouping grouping)
{
  g_autoptr (GobanCells) cells = goban_cells_new_of_params (self->graph, NULL);
  g_auto (Level) params = { 0 };
  g_auto (Level) uses = { 0 };

  if (cells == NULL || (grouping == GOBAN_GROUPING_USE && goban_cells_get_max_uses (cells) < 2))
    return;

  params = level_of_params (self->graph, cells);
  uses = level_of_uses (cells);
  if (grouping == GOBAN_GROUPING_USE)
    group_cells (self, cells, &uses, &params);
  else
    group_cells (self, cells, &params, &uses);
}
