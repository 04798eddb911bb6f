#include "engine/learn/policy/board-private.h"

#include "engine/placers/search/unit-groups.h"

/* --- rows --------------------------------------------------------------------------------- */

static void
number_rows (GobanBoard *self, guint n_wanted)
{
  const GobanUnits *units = self->units;
  guint n_nodes = goban_graph_get_n_nodes (units->graph);

  self->n_rows = units->n_units;
  self->row_of = g_memdup2 (units->unit_of, n_nodes * sizeof *self->row_of);
  if (n_wanted > 0 && n_wanted < units->n_units)
    {
      g_autoptr (GobanUnitGroups) groups = goban_unit_groups_new_even (units, n_wanted);

      self->n_rows = groups->n_groups;
      for (GobanNodeId v = 0; v < n_nodes; v++)
        self->row_of[v] = groups->group_of[self->row_of[v]];
    }
}

static void
list_nodes (GobanBoard *self)
{
  guint n_nodes = goban_graph_get_n_nodes (self->units->graph);
  g_autofree guint32 *next = NULL;

  self->offsets = goban_neighbours_count (self->row_of, n_nodes, self->n_rows);
  self->nodes = g_new (GobanNodeId, n_nodes);
  next = g_memdup2 (self->offsets, (self->n_rows + 1) * sizeof *next);
  for (GobanNodeId v = 0; v < n_nodes; v++)
    self->nodes[next[self->row_of[v]]++] = v;
}

/* --- neighbours --------------------------------------------------------------------------- */

/* The distinct readers of each row, in the order of their first edges. */
static GobanNeighbours
gather_outputs (const GobanBoard *self, const guint32 *row_of_unit)
{
  const GobanGraph *graph = self->units->graph;
  const GobanBoardFacts *facts = self->facts;
  guint32 *offsets = g_new0 (guint32, self->n_rows + 1);
  guint32 *heads = g_new (guint32, facts->first_reader[goban_graph_get_n_tensors (graph)] + 1);
  g_autofree guint32 *seen_by = g_new (guint32, self->n_rows);
  guint32 n = 0;

  for (guint r = 0; r < self->n_rows; r++)
    seen_by[r] = G_MAXUINT32;
  for (guint r = 0; r < self->n_rows; r++)
    {
      for (guint i = self->offsets[r]; i < self->offsets[r + 1]; i++)
        {
          guint n_tensors;
          GobanTensorId first = goban_graph_get_node_tensors (graph, self->nodes[i], &n_tensors);
          guint32 end = facts->first_reader[first + n_tensors];

          for (guint32 j = facts->first_reader[first]; j < end; j++)
            {
              guint32 head = row_of_unit[facts->readers[j]];

              if (head == r || seen_by[head] == r)
                continue;
              seen_by[head] = r;
              heads[n++] = head;
            }
        }
      offsets[r + 1] = n;
    }
  return (GobanNeighbours){ offsets, heads, self->n_rows };
}

/* --- sums --------------------------------------------------------------------------------- */

static void
sum_times (GobanBoard *self, const guint32 *row_of_unit, GobanBoardSums *sums)
{
  const GobanUnits *units = self->units;
  guint n_classes = units->n_classes;

  sums->n_classes = n_classes;
  sums->class_us = g_new0 (double, (gsize) self->n_rows *n_classes);
  sums->times_us = g_new0 (double, self->n_rows);
  for (guint u = 0; u < units->n_units; u++)
    {
      for (guint c = 0; c < n_classes; c++)
        sums->class_us[(gsize) row_of_unit[u] * n_classes + c]
            += units->times_us[(gsize) u * n_classes + c];
    }

  for (guint r = 0; r < self->n_rows; r++)
    {
      guint n = 0;

      for (guint d = 0; d < self->n_devices; d++)
        {
          double time_us = sums->class_us[(gsize) r * n_classes + units->classes[d]];

          if (!isfinite (time_us))
            continue;
          self->allowed[(gsize) r * self->n_devices + d] = 1;
          sums->times_us[r] += time_us;
          n++;
        }
      sums->times_us[r] /= n;
      sums->total_us += sums->times_us[r];
    }
  for (guint r = 0; r < self->n_rows; r++)
    self->weights[r]
        = (float) (sums->total_us > 0 ? sums->times_us[r] / sums->total_us : 1.0 / self->n_rows);
}

static gboolean
leaves_row (const GobanBoardFacts *facts, const guint32 *row_of_unit, GobanTensorId tensor,
            guint32 row)
{
  for (guint32 i = facts->first_reader[tensor]; i < facts->first_reader[tensor + 1]; i++)
    if (row_of_unit[facts->readers[i]] != row)
      return TRUE;
  return FALSE;
}

/* --- construction and disposal ------------------------------------------------------------ */

/* Fills all fields but the eigenvectors, for numbered rows. */
static void
fill (GobanBoard *self)
{
  const GobanUnits *units = self->units;
  g_autofree guint32 *row_of_unit = g_new (guint32, units->n_units);
  GobanBoardSums sums = { 0 };

  for (guint u = 0; u < units->n_units; u++)
    row_of_unit[u] = self->row_of[units->nodes[units->offsets[u]]];
  self->n_devices = units->n_devices;
  list_nodes (self);

  GobanNeighbours met = gather_outputs (self, row_of_unit);
  GobanNeighbours inputs = goban_neighbours_transpose (&met);
  GobanNeighbours outputs = goban_neighbours_transpose (&inputs);
  GobanNeighbours both = goban_neighbours_unite (&inputs, &outputs);

  self->inputs = goban_neighbours_get_segments (&inputs);
  self->outputs = goban_neighbours_get_segments (&outputs);
  self->both = goban_neighbours_get_segments (&both);
  self->neighbours[0] = inputs;
  self->neighbours[1] = outputs;
  self->neighbours[2] = both;
  goban_neighbours_clear (&met);

  self->allowed = g_new0 (guint8, (gsize) self->n_rows * self->n_devices);
  self->weights = g_new0 (float, self->n_rows);
  self->x = g_new0 (float, (gsize) self->n_rows *GOBAN_BOARD_N_FEATURES);
  self->devices = g_new0 (float, (gsize) self->n_devices *GOBAN_DEVICE_N_FEATURES);
  sum_times (self, row_of_unit, &sums);

  /* Sums the transfers to other rows; a tensor counts once, however many nodes read it. */
  const GobanGraph *graph = self->units->graph;
  const double *transfers_us = self->facts->transfers_us;

  sums.sent_us = g_new0 (double, self->n_rows);
  for (GobanTensorId t = 0; t < goban_graph_get_n_tensors (graph); t++)
    {
      guint32 row = self->row_of[goban_graph_get_tensor (graph, t)->producer];

      if (!isfinite (transfers_us[t]) || !leaves_row (self->facts, row_of_unit, t, row))
        continue;
      sums.sent_us[row] += transfers_us[t];
      sums.all_sent_us += transfers_us[t];
    }

  goban_board_fill_features (self, &sums);
  goban_board_fill_devices (self, &sums);

  g_free (sums.class_us);
  g_free (sums.times_us);
  g_free (sums.sent_us);
}

GobanBoard *
goban_board_new (GobanCostModel *costs, guint n_wanted, GError **error)
{
  GobanUnits *units = goban_units_new (costs, error);
  GobanBoard *self;

  if (units == NULL)
    return NULL;

  self = g_new0 (GobanBoard, 1);
  self->units = units;
  self->facts = goban_board_facts_new (units);
  self->owns_units = TRUE;
  number_rows (self, n_wanted);
  fill (self);
  goban_board_fill_eigenvectors (self);
  return self;
}

GobanBoard *
goban_board_new_grouped (const GobanBoard *fine, const guint32 *group_of, guint n_groups)
{
  guint n_nodes = goban_graph_get_n_nodes (fine->units->graph);
  GobanBoard *self = g_new0 (GobanBoard, 1);
  g_autofree guint32 *number = g_new (guint32, n_groups);
  g_autofree guint32 *row_of = g_new (guint32, fine->n_rows);

  for (guint g = 0; g < n_groups; g++)
    number[g] = G_MAXUINT32;
  for (guint r = 0; r < fine->n_rows; r++)
    {
      if (number[group_of[r]] == G_MAXUINT32)
        number[group_of[r]] = self->n_rows++;
      row_of[r] = number[group_of[r]];
    }
  self->units = fine->units;
  self->facts = fine->facts;
  self->row_of = g_new (guint32, n_nodes);
  for (GobanNodeId v = 0; v < n_nodes; v++)
    self->row_of[v] = row_of[fine->row_of[v]];
  fill (self);
  goban_board_pool_eigenvectors (self, fine, row_of);
  return self;
}

guint
goban_board_get_n_actions (const GobanBoard *self, GobanTask task)
{
  return task == GOBAN_TASK_PLACEMENT ? self->n_devices : GOBAN_N_LEVELS;
}

void
goban_board_spread_choices (const GobanBoard *self, const guint32 *chosen, guint32 *values)
{
  const GobanUnits *units = self->units;

  for (guint u = 0; u < units->n_units; u++)
    values[u] = chosen[self->row_of[units->nodes[units->offsets[u]]]];
}

void
goban_board_free (GobanBoard *self)
{
  if (self->owns_units)
    {
      goban_units_free (self->units);
      goban_board_facts_free (self->facts);
    }
  for (guint k = 0; k < G_N_ELEMENTS (self->neighbours); k++)
    goban_neighbours_clear (&self->neighbours[k]);
  g_free (self->row_of);
  g_free (self->offsets);
  g_free (self->nodes);
  g_free (self->x);
  g_free (self->devices);
  g_free (self->allowed);
  g_free (self->weights);
  g_free (self);
}
