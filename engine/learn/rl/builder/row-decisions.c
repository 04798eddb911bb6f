#include "engine/learn/rl/builder/row-decisions.h"

#include "engine/learn/nn/vector.h"
#include "engine/learn/policy/pass.h"

struct _GobanRowDecisions
{
  const GobanRows *rows;
  GobanNodeId *nodes; /* (n_nodes) by row; first those of units that all allowed devices can run */
  guint32 *offsets;   /* (R + 1) into nodes */
  guint32 *n_free;    /* (R) number of the first ones */
};

/* All devices that the unit's row may have can run it. */
static gboolean
is_free (const GobanRows *rows, guint32 unit)
{
  const GobanUnits *units = rows->units;
  const guint8 *allowed
      = rows->allowed + (gsize) rows->row_of[units->nodes[units->offsets[unit]]] * rows->n_devices;

  for (guint d = 0; d < rows->n_devices; d++)
    if (allowed[d] && !goban_units_can_run (units, unit, (GobanDeviceId) d))
      return FALSE;
  return TRUE;
}

GobanRowDecisions *
goban_row_decisions_new (const GobanRows *rows)
{
  GobanRowDecisions *self = g_new0 (GobanRowDecisions, 1);
  const GobanUnits *units = rows->units;
  g_autofree guint32 *ends = g_new (guint32, rows->n_rows + 1);

  self->rows = rows;
  self->nodes = g_new (GobanNodeId, rows->n_nodes + 1);
  self->offsets = g_new0 (guint32, rows->n_rows + 1);
  self->n_free = g_new0 (guint32, rows->n_rows + 1);
  for (GobanNodeId v = 0; v < rows->n_nodes; v++)
    self->offsets[rows->row_of[v] + 1]++;
  for (guint r = 0; r < rows->n_rows; r++)
    self->offsets[r + 1] += self->offsets[r];
  memcpy (ends, self->offsets, (rows->n_rows + 1) * sizeof *ends);
  for (guint pass = 0; pass < 2; pass++)
    for (guint32 u = 0; u < units->n_units; u++)
      {
        guint row = rows->row_of[units->nodes[units->offsets[u]]];

        if (is_free (rows, u) != (pass == 0))
          continue;
        for (guint32 k = units->offsets[u]; k < units->offsets[u + 1]; k++)
          self->nodes[ends[row]++] = units->nodes[k];
        if (pass == 0)
          self->n_free[row] = ends[row] - self->offsets[row];
      }
  return self;
}

void
goban_row_decisions_free (GobanRowDecisions *self)
{
  g_free (self->nodes);
  g_free (self->offsets);
  g_free (self->n_free);
  g_free (self);
}

static void
carry (GobanDecisionsWriter *writer, guint row, const GobanNodeId *nodes, guint n_nodes,
       guint32 device)
{
  goban_decisions_writer_decide (writer,
                                 &(GobanDecisionHead){ .task = GOBAN_TASK_PLACEMENT,
                                                       .options = GOBAN_OPTION_DEVICE,
                                                       .nodes = nodes,
                                                       .n_nodes = n_nodes,
                                                       .row = row + 1,
                                                       .flags = GOBAN_DECISION_CARRIED },
                                 device);
}

/* Writes the devices of units that follow their row's. */
static void
carry_bound (const GobanRowDecisions *self, GobanDecisionsWriter *writer, guint row, guint32 device)
{
  const GobanUnits *units = self->rows->units;

  for (guint i = self->offsets[row] + self->n_free[row]; i < self->offsets[row + 1];)
    {
      guint32 unit = units->unit_of[self->nodes[i]];
      guint n = units->offsets[unit + 1] - units->offsets[unit];

      carry (writer, row, self->nodes + i, n,
             goban_units_find_host (units, unit, (GobanDeviceId) device));
      i += n;
    }
}

/* The rows that the network read with a row. */
static guint
list_attended (GobanRowEncoding *encoding, guint row, GobanAttended *attended)
{
  guint32 rows[GOBAN_N_ATTENDED];
  float shares[GOBAN_N_ATTENDED];
  guint n = goban_row_encoding_find_attended (encoding, row, GOBAN_N_ATTENDED, rows, shares);

  for (guint i = 0; i < n; i++)
    attended[i] = (GobanAttended){ rows[i] + 1, shares[i] };
  return n;
}

guint32
goban_row_decisions_choose (const GobanRowDecisions *self, GobanDecisionsWriter *writer,
                            const GobanBuildRecord *record, guint i, double temperature,
                            GobanRowEncoding *encoding)
{
  const GobanRows *rows = self->rows;
  guint D = rows->n_devices;
  guint row = g_array_index (record->rows, guint32, i);
  const float *chances = &g_array_index (record->chances, float, (gsize) i *D);
  const guint8 *can = &g_array_index (record->can, guint8, (gsize) i * D);
  double entropy = 0;
  GobanAttended attended[GOBAN_N_ATTENDED];
  guint n_attended = encoding != NULL ? list_attended (encoding, row, attended) : 0;
  GobanDecisionHead head
      = { .task = GOBAN_TASK_PLACEMENT,
          .options = GOBAN_OPTION_DEVICE,
          .score = GOBAN_SCORE_PROBABILITY,
          .nodes = self->nodes + self->offsets[row],
          .n_nodes = self->n_free[row],
          .row = row + 1,
          .attended = attended,
          .n_attended = n_attended,
          .n_options = D,
          .has_key = TRUE,
          .key = (float) rows->ranks_us[g_array_index (record->nodes, GobanNodeId, i)],
          .temperature = (float) temperature,
          .before_us = g_array_index (record->ends_us, double, i),
          .after_us = i + 1 < record->n_decisions ? g_array_index (record->ends_us, double, i + 1)
                                                  : record->end_us,
          .flags = temperature > 0 ? GOBAN_DECISION_SAMPLED : 0 };
  guint32 device;

  for (guint d = 0; d < D; d++)
    {
      gboolean is_allowed = rows->allowed[(gsize) row * D + d];

      goban_decisions_writer_score (writer, d, (double) chances[d],
                                    can[d]       ? 0
                                    : is_allowed ? GOBAN_REFUSAL_MEMORY
                                                 : GOBAN_REFUSAL_CANNOT_RUN);
      if (chances[d] > 0)
        entropy -= (double) chances[d] * goban_log ((double) chances[d]);
    }
  head.entropy = (float) entropy;
  device
      = goban_decisions_writer_decide (writer, &head, g_array_index (record->actions, guint32, i));
  carry_bound (self, writer, row, device);
  return device;
}

void
goban_row_decisions_carry (const GobanRowDecisions *self, GobanDecisionsWriter *writer,
                           const GobanBuildRecord *record, const guint32 *devices)
{
  guint n_rows = self->rows->n_rows;
  g_autofree guint8 *is_decided = g_new0 (guint8, n_rows + 1);

  for (guint i = 0; i < record->n_decisions; i++)
    is_decided[g_array_index (record->rows, guint32, i)] = 1;
  for (guint r = 0; r < n_rows; r++)
    {
      if (is_decided[r])
        continue;
      if (self->n_free[r] > 0)
        carry (writer, r, self->nodes + self->offsets[r], self->n_free[r], devices[r]);
      carry_bound (self, writer, r, devices[r]);
    }
}

/* Adds the nodes of a row that changes its device to changes (of GobanDecisionChange) and nodes. */
static void
add_changes (const GobanRowDecisions *self, const GobanRowChange *row, GArray *changes,
             GArray *nodes)
{
  const GobanUnits *units = self->rows->units;

  for (guint i = self->offsets[row->row]; i < self->offsets[row->row + 1]; i++)
    {
      GobanNodeId node = self->nodes[i];
      guint32 unit = units->unit_of[node];
      const GobanDecisionChange change
          = { GOBAN_TASK_PLACEMENT, node,
              goban_units_find_host (units, unit, (GobanDeviceId) row->from),
              goban_units_find_host (units, unit, (GobanDeviceId) row->to) };

      if (change.from == change.to)
        continue;
      g_array_append_val (changes, change);
      g_array_append_val (nodes, node);
    }
}

void
goban_row_decisions_change (const GobanRowDecisions *self, GobanDecisionsWriter *writer,
                            const GArray *changes)
{
  g_autoptr (GArray) of_nodes = g_array_new (FALSE, FALSE, sizeof (GobanDecisionChange));
  g_autoptr (GArray) nodes = g_array_new (FALSE, FALSE, sizeof (GobanNodeId));

  for (guint i = 0; i < changes->len;)
    {
      const GobanRowChange *first = &g_array_index (changes, GobanRowChange, i);
      GobanDecisionHead head = { .task = GOBAN_TASK_PLACEMENT,
                                 .options = GOBAN_OPTION_MOVE,
                                 .score = GOBAN_SCORE_GAIN,
                                 .row = first->row + 1,
                                 .n_options = 1,
                                 .before_us = first->before_us,
                                 .after_us = first->after_us };

      g_array_set_size (of_nodes, 0);
      g_array_set_size (nodes, 0);
      do
        add_changes (self, &g_array_index (changes, GobanRowChange, i++), of_nodes, nodes);
      while (i < changes->len && g_array_index (changes, GobanRowChange, i).is_with_last);
      head.changes = (const GobanDecisionChange *) (gpointer) of_nodes->data;
      head.n_changes = of_nodes->len;
      head.nodes = (const GobanNodeId *) (gpointer) nodes->data;
      head.n_nodes = nodes->len;
      goban_decisions_writer_score (writer, 0, 1 - first->after_us / first->before_us, 0);
      goban_decisions_writer_decide (writer, &head, 0);
    }
}
