#include "engine/graph/cells-private.h"

#include <math.h>
#include <stdlib.h>

/* With fewer cells, coordinates say too little to place by. */
#define LEAST_CELLS 16

/* Repeated uses are worth slots of their own from this share of the work on. */
#define LEAST_SHARED 0.3

#define N_GROUPS_OF_SHARED 24
#define N_SLOTS_OF_SHARED 8
#define N_GROUPS_OF_OTHERS 128

/* Cells while they are numbered by their first uses, before those without nodes are left out. */
typedef struct
{
  guint n_cells;
  guint n_params;
  guint32 *param_of; /* (n_cells) */
  guint32 *use_of;   /* (n_cells) */
  guint32 *n_uses;   /* (n_params) */
  guint32 *first;    /* (n_params) the first of its uses */
  guint32 *holder;   /* (n_params) */
} Draft;

static void
draft_clear (Draft *self)
{
  g_free (self->param_of);
  g_free (self->use_of);
  g_free (self->n_uses);
  g_free (self->first);
  g_free (self->holder);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Draft, draft_clear)

/* --- from uses to cells --------------------------------------------------------------------- */

/* Uses of the same parameter by the same op are one run. */
static gboolean
begins_run (const GobanGraph *graph, const GArray *uses, guint i)
{
  const CellUse *use = &g_array_index (uses, CellUse, i);

  return i == 0 || use[-1].param != use->param
         || !g_str_equal (goban_graph_get_node (graph, use[-1].node)->op,
                          goban_graph_get_node (graph, use->node)->op);
}

static void
seed (Draft *draft, const GobanGraph *graph, const GArray *uses, guint32 *cell_of)
{
  guint32 use_of = 0;

  draft->param_of = g_new (guint32, MAX (uses->len, 1));
  draft->use_of = g_new (guint32, MAX (uses->len, 1));
  draft->n_uses = g_new (guint32, MAX (uses->len, 1));
  draft->first = g_new (guint32, MAX (uses->len, 1));
  draft->holder = g_new (guint32, MAX (uses->len, 1));
  for (guint i = 0; i < uses->len; i++)
    {
      GobanNodeId node = g_array_index (uses, CellUse, i).node;

      if (begins_run (graph, uses, i))
        {
          draft->holder[draft->n_params] = g_array_index (uses, CellUse, i).param;
          draft->first[draft->n_params++] = node;
          use_of = 0;
        }
      draft->first[draft->n_params - 1] = MIN (draft->first[draft->n_params - 1], node);
      draft->param_of[i] = draft->n_params - 1;
      draft->use_of[i] = use_of++;
      draft->n_uses[draft->n_params - 1] = use_of;
      cell_of[node] = i;
    }
  draft->n_cells = uses->len;
}

/* --- colocation groups ---------------------------------------------------------------------- */

typedef struct
{
  guint32 group;
  guint32 cell;
  double bytes;
} Member;

static int
compare_members (const void *a, const void *b)
{
  const Member *x = a;
  const Member *y = b;

  if (x->group != y->group)
    return x->group < y->group ? -1 : 1;
  return (x->cell > y->cell) - (x->cell < y->cell);
}

/* chosen (n_groups): the cell of the group's largest parameter, or CELLS_NONE. */
static void
choose_by_params (const GobanGraph *graph, const guint32 *cell_of, guint32 *chosen)
{
  guint n_groups = goban_graph_get_n_groups (graph);
  g_autofree double *largest = g_new0 (double, n_groups);

  for (guint i = 0; i < n_groups; i++)
    chosen[i] = CELLS_NONE;
  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (graph); v++)
    {
      const GobanNode *node = goban_graph_get_node (graph, v);

      if (node->group == GOBAN_NO_GROUP || node->param_bytes <= largest[node->group])
        continue;
      largest[node->group] = node->param_bytes;
      chosen[node->group] = cell_of[v];
    }
}

/* The others': the cell that most of the group's bytes are in. */
static void
choose_by_bytes (const GobanGraph *graph, const guint32 *cell_of, guint32 *chosen)
{
  g_autoptr (GArray) members = g_array_new (FALSE, FALSE, sizeof (Member));
  double most = 0;

  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (graph); v++)
    {
      Member member = { goban_graph_get_node (graph, v)->group, cell_of[v],
                        goban_graph_get_output_bytes (graph, v) + 1 };

      if (member.group != GOBAN_NO_GROUP && chosen[member.group] == CELLS_NONE)
        g_array_append_val (members, member);
    }
  g_array_sort (members, compare_members);
  for (guint i = 0, end; i < members->len; i = end)
    {
      Member sum = g_array_index (members, Member, i);

      for (end = i + 1;
           end < members->len && compare_members (&sum, &g_array_index (members, Member, end)) == 0;
           end++)
        sum.bytes += g_array_index (members, Member, end).bytes;
      if (chosen[sum.group] == CELLS_NONE || sum.bytes > most)
        {
          chosen[sum.group] = sum.cell;
          most = sum.bytes;
        }
    }
}

static void
keep_groups_whole (const GobanGraph *graph, guint32 *cell_of)
{
  g_autofree guint32 *chosen = g_new (guint32, goban_graph_get_n_groups (graph) + 1);

  choose_by_params (graph, cell_of, chosen);
  choose_by_bytes (graph, cell_of, chosen);
  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (graph); v++)
    {
      guint32 group = goban_graph_get_node (graph, v)->group;

      if (group != GOBAN_NO_GROUP)
        cell_of[v] = chosen[group];
    }
}

/* --- numbers -------------------------------------------------------------------------------- */

typedef struct
{
  guint32 first; /* sort key of parameters */
  guint32 param;
  guint32 use;
  guint32 cell;
} Numbered;

static int
compare_numbered (const void *a, const void *b)
{
  const Numbered *x = a;
  const Numbered *y = b;

  if (x->first != y->first)
    return x->first < y->first ? -1 : 1;
  if (x->param != y->param)
    return x->param < y->param ? -1 : 1;
  return (x->use > y->use) - (x->use < y->use);
}

/* Cells with nodes, by parameter in the order of their first nodes, then by use. */
static GArray *
sort_cells (const Draft *draft, const guint32 *cell_of, guint n_nodes)
{
  GArray *numbered = g_array_new (FALSE, FALSE, sizeof (Numbered));
  g_autofree guint8 *is_there = g_new0 (guint8, draft->n_cells);

  for (GobanNodeId v = 0; v < n_nodes; v++)
    is_there[cell_of[v]] = TRUE;
  for (guint c = 0; c < draft->n_cells; c++)
    {
      Numbered cell = { draft->first[draft->param_of[c]], draft->param_of[c], draft->use_of[c], c };

      if (is_there[c])
        g_array_append_val (numbered, cell);
    }
  g_array_sort (numbered, compare_numbered);
  return numbered;
}

/* Uses without a node are skipped: their ops went with a colocation group. */
static void
number_cells (GobanCells *self, const Draft *draft, const guint32 *drafts)
{
  g_autoptr (GArray) numbered = sort_cells (draft, drafts, self->n_nodes);
  g_autofree guint32 *number = g_new (guint32, MAX (draft->n_cells, 1));

  self->n_cells = numbered->len;
  self->param_of = g_new (guint32, numbered->len);
  self->use_of = g_new (guint32, numbered->len);
  self->n_uses = g_new0 (guint32, numbered->len);
  self->holder_of = g_new (GobanNodeId, numbered->len);
  self->user_of = g_new (GobanNodeId, numbered->len);
  for (guint c = 0; c < numbered->len; c++)
    {
      const Numbered *cell = &g_array_index (numbered, Numbered, c);

      if (c > 0 && cell[-1].param != cell->param)
        self->n_params++;
      number[cell->cell] = c;
      self->param_of[c] = self->n_params;
      self->use_of[c] = cell->use;
      self->n_uses[self->n_params] = draft->n_uses[cell->param];
      self->holder_of[self->n_params] = draft->holder[cell->param];
      self->user_of[self->n_params] = draft->first[cell->param];
    }
  self->n_params += numbered->len > 0;
  for (GobanNodeId v = 0; v < self->n_nodes; v++)
    self->cell_of[v] = number[drafts[v]];
}

/* --- graphs without parameters -------------------------------------------------------------- */

/* Each colocation group and each other node, by its first node. Returns how many there are. */
static guint
number_units (const GobanGraph *graph, guint32 *unit_of)
{
  guint n_groups = goban_graph_get_n_groups (graph);
  g_autofree guint32 *of_groups = g_new (guint32, n_groups + 1);
  guint n = 0;

  for (guint i = 0; i < n_groups; i++)
    of_groups[i] = CELLS_NONE;
  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (graph); v++)
    {
      guint32 group = goban_graph_get_node (graph, v)->group;

      if (group != GOBAN_NO_GROUP && of_groups[group] != CELLS_NONE)
        unit_of[v] = of_groups[group];
      else
        unit_of[v] = n++;
      if (group != GOBAN_NO_GROUP)
        of_groups[group] = unit_of[v];
    }
  return n;
}

/* --- construction and disposal -------------------------------------------------------------- */

static double
find_shared (const GobanCells *self, const double *work)
{
  g_autofree double *of_cells = g_new0 (double, self->n_cells + 1);
  g_autofree double *heaviest = g_new0 (double, self->n_params + 1);
  double total = 0;
  double alone = 0;

  for (GobanNodeId v = 0; v < self->n_nodes; v++)
    if (isfinite (work[v]))
      {
        of_cells[self->cell_of[v]] += work[v];
        total += work[v];
      }
  for (guint c = 0; c < self->n_cells; c++)
    heaviest[self->param_of[c]] = MAX (heaviest[self->param_of[c]], of_cells[c]);
  for (guint p = 0; p < self->n_params; p++)
    alone += heaviest[p];
  return total > 0 ? 1 - alone / total : 0;
}

/* Whether there are at least so many; else nothing is set. */
static gboolean
find_cells (GobanCells *self, const GobanGraph *graph, guint least)
{
  g_auto (CellUses) uses = { NULL };
  g_auto (Draft) draft = { 0 };
  g_autofree guint32 *drafts = g_new (guint32, self->n_nodes);

  cell_uses_find (&uses, graph);
  for (GobanNodeId v = 0; v < self->n_nodes; v++)
    drafts[v] = CELLS_NONE;
  seed (&draft, graph, uses.uses, drafts);
  if (draft.n_cells < least)
    return FALSE;

  cells_spread (graph, &uses, drafts, draft.n_cells);
  keep_groups_whole (graph, drafts);
  number_cells (self, &draft, drafts);
  self->has_params = TRUE;
  return TRUE;
}

static void
find_joins (GobanCells *self, const GobanGraph *graph, const double *work)
{
  g_autofree guint32 *params = g_new (guint32, self->n_nodes);

  for (GobanNodeId v = 0; v < self->n_nodes; v++)
    params[v] = self->param_of[self->cell_of[v]];
  self->shared = find_shared (self, work);
  self->joins = g_new (GobanCellJoin, MAX (self->n_params, 1));
  cells_merge (graph, params, self->n_params, work, self->joins);
}

static GobanCells *
new_empty (const GobanGraph *graph)
{
  GobanCells *self = g_new0 (GobanCells, 1);

  self->n_nodes = goban_graph_get_n_nodes (graph);
  self->cell_of = g_new (guint32, self->n_nodes);
  return self;
}

GobanCells *
goban_cells_new (const GobanGraph *graph, const double *work)
{
  GobanCells *self = new_empty (graph);

  if (!find_cells (self, graph, LEAST_CELLS))
    {
      guint n = number_units (graph, self->cell_of);

      self->n_cells = n;
      self->n_params = n;
      self->param_of = g_new (guint32, n);
      self->use_of = g_new0 (guint32, n);
      self->n_uses = g_new (guint32, n);
      self->holder_of = g_new (GobanNodeId, n);
      self->user_of = g_new (GobanNodeId, n);
      for (guint c = 0; c < n; c++)
        {
          self->param_of[c] = c;
          self->n_uses[c] = 1;
        }
      for (GobanNodeId v = self->n_nodes; v-- > 0;)
        self->holder_of[self->cell_of[v]] = self->user_of[self->cell_of[v]] = v;
    }
  find_joins (self, graph, work);
  return self;
}

GobanCells *
goban_cells_new_of_params (const GobanGraph *graph, const double *work)
{
  g_autoptr (GobanCells) self = new_empty (graph);

  if (!find_cells (self, graph, 1))
    return NULL;
  if (work != NULL)
    find_joins (self, graph, work);
  return g_steal_pointer (&self);
}

void
goban_cells_free (GobanCells *self)
{
  g_free (self->cell_of);
  g_free (self->param_of);
  g_free (self->use_of);
  g_free (self->n_uses);
  g_free (self->holder_of);
  g_free (self->user_of);
  g_free (self->joins);
  g_free (self);
}

guint
goban_cells_get_max_uses (const GobanCells *self)
{
  guint max = 1;

  for (guint p = 0; p < self->n_params; p++)
    max = MAX (max, self->n_uses[p]);
  return max;
}

void
goban_cells_choose (const GobanCells *self, guint n_devices, guint *n_groups, guint *n_slots)
{
  if (self->shared < LEAST_SHARED)
    {
      *n_groups = N_GROUPS_OF_OTHERS;
      *n_slots = 1;
      return;
    }
  *n_groups = N_GROUPS_OF_SHARED;
  *n_slots = MIN (MAX (N_SLOTS_OF_SHARED, n_devices), goban_cells_get_max_uses (self));
}
