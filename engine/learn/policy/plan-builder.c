#include "engine/learn/policy/plan-builder.h"

#include "engine/core/arrays.h"
#include "engine/core/sorted-sum.h"
#include "engine/learn/nn/softmax.h"
#include "engine/learn/nn/vector.h"

#include <math.h>

#define NEVER (-1.0)
#define MEMORY_SHORT 0.85

GobanPartialSchedule *
goban_partial_schedule_new (const GobanRows *rows)
{
  GobanPartialSchedule *self = g_new0 (GobanPartialSchedule, 1);
  guint D = rows->n_devices;
  double **of_devices[]
      = { &self->free_us,   &self->send_us,         &self->receive_us, &self->load_us,
          &self->moved_us,  &self->bytes,           &self->ready_us,   &self->start_us,
          &self->moving_us, &self->finish_there_us, &self->sorted,     &self->inputs_bytes };

  self->rows = rows;
  self->arrays = goban_arrays_new ();
  self->D = D;
  self->device_of = goban_own (self, guint32, rows->n_rows + 1);
  self->finish_us = goban_own (self, double, rows->n_nodes + 1);
  self->arrival_us = goban_own (self, double, (gsize) rows->n_tensors *D + 1);
  for (gsize i = 0; i < G_N_ELEMENTS (of_devices); i++)
    *of_devices[i] = goban_own (self, double, D);
  for (guint k = 0; k < GOBAN_ROWS_N_WALKS; k++)
    self->reached[k] = goban_own (self, float, (gsize) rows->n_rows *D + 1);
  goban_partial_schedule_reset (self, 1);
  return self;
}

void
goban_partial_schedule_free (GobanPartialSchedule *self)
{
  g_ptr_array_unref (self->arrays);
  g_free (self);
}

void
goban_partial_schedule_reset (GobanPartialSchedule *self, double caution)
{
  const GobanRows *rows = self->rows;
  double *zero[] = { self->free_us, self->send_us,  self->receive_us,
                     self->load_us, self->moved_us, self->bytes };

  for (guint r = 0; r < rows->n_rows; r++)
    self->device_of[r] = GOBAN_NOT_PLACED;
  for (guint v = 0; v < rows->n_nodes; v++)
    self->finish_us[v] = NEVER;
  for (gsize i = 0; i < (gsize) rows->n_tensors * self->D; i++)
    self->arrival_us[i] = NEVER;
  for (gsize i = 0; i < G_N_ELEMENTS (zero); i++)
    memset (zero[i], 0, self->D * sizeof (double));
  for (guint k = 0; k < GOBAN_ROWS_N_WALKS; k++)
    memset (self->reached[k], 0, (gsize) rows->n_rows * self->D * sizeof (float));
  self->caution = caution;
  self->placed_us = 0;
  self->end_us = 0;
  self->last = GOBAN_NOT_PLACED;
}

/* --- appending ops -------------------------------------------------------------------------- */

static void
bind_row (GobanPartialSchedule *self, guint row, guint32 device)
{
  const GobanRows *rows = self->rows;
  gsize R = rows->n_rows;

  g_assert (self->device_of[row] == GOBAN_NOT_PLACED && device < self->D);
  self->device_of[row] = device;
  self->load_us[device] += rows->row_times_us[(gsize) row * self->D + device];
  self->bytes[device] += rows->row_bytes[row];
  self->placed_us += rows->row_work_us[row];
  for (guint k = 0; k < GOBAN_ROWS_N_WALKS; k++)
    {
      const float *walk = rows->walks[k] + row * R;
      float *reached = self->reached[k] + device * R;

      for (gsize q = 0; q < R; q++)
        reached[q] += walk[q];
    }
}

void
goban_partial_schedule_place (GobanPartialSchedule *self, guint row, guint32 device)
{
  bind_row (self, row, device);
  self->last = device;
}

/* Arrival of a tensor from another device; the first call sends it. */
static double
receive (GobanPartialSchedule *self, GobanRowInput input, guint32 from, guint32 to)
{
  double *arrival_us = &self->arrival_us[(gsize) input.tensor * self->D + to];
  double ready_us = self->finish_us[input.producer];
  double transfer_us;

  if (*arrival_us >= 0)
    return *arrival_us;
  transfer_us = goban_cost_model_transfer_us (self->rows->units->costs, input.tensor,
                                              (GobanDeviceId) from, (GobanDeviceId) to);
  if (goban_graph_get_tensor (self->rows->units->graph, input.tensor)->size_bytes <= 0)
    return *arrival_us = ready_us + transfer_us;
  *arrival_us = MAX (ready_us, MAX (self->send_us[from], self->receive_us[to])) + transfer_us;
  self->send_us[from] = *arrival_us;
  self->receive_us[to] = *arrival_us;
  self->moved_us[from] += transfer_us;
  self->moved_us[to] += transfer_us;
  return *arrival_us;
}

/* The device of a producer's row; places the row if necessary. */
static guint32
find_producer (GobanPartialSchedule *self, guint row, guint32 reader, const guint32 *wanted)
{
  const GobanRows *rows = self->rows;

  if (self->device_of[row] == GOBAN_NOT_PLACED && rows->follows[row])
    {
      if (wanted != NULL)
        bind_row (self, row, wanted[row]);
      else if (rows->allowed[(gsize) row * self->D + reader])
        bind_row (self, row, reader);
    }
  return self->device_of[row];
}

void
goban_partial_schedule_append (GobanPartialSchedule *self, GobanNodeId node, const guint32 *wanted)
{
  const GobanRows *rows = self->rows;
  guint32 device = self->device_of[rows->row_of[node]];
  double time_us = rows->times_us[(gsize) node * self->D + device];
  double ready_us = 0;
  double start_us;

  if (!isfinite (time_us)) /* its unit runs elsewhere */
    time_us = 0;
  for (guint k = rows->node_offsets[node]; k < rows->node_offsets[node + 1]; k++)
    {
      GobanRowInput input = rows->node_inputs[k];
      guint32 from = find_producer (self, rows->row_of[input.producer], device, wanted);

      if (from == GOBAN_NOT_PLACED || self->finish_us[input.producer] < 0)
        continue;
      ready_us = MAX (ready_us, from == device ? self->finish_us[input.producer]
                                               : receive (self, input, from, device));
    }
  start_us = MAX (ready_us, self->free_us[device]);
  self->finish_us[node] = start_us + time_us;
  if (time_us > 0)
    self->free_us[device] = self->finish_us[node];
  self->end_us = MAX (self->end_us, self->finish_us[node]);
}

/* Marks an idle op of an unplaced row as available from the start. */
static void
skip (GobanPartialSchedule *self, GobanNodeId node)
{
  self->finish_us[node] = 0;
}

static guint32
find_nearest (const GobanPartialSchedule *self, guint row)
{
  const GobanRows *rows = self->rows;
  guint32 best = GOBAN_NOT_PLACED;

  for (guint32 d = 0; d < self->D; d++)
    if (rows->allowed[(gsize) row * self->D + d]
        && (best == GOBAN_NOT_PLACED
            || self->reached[0][(gsize) d * rows->n_rows + row]
                   > self->reached[0][(gsize) best * rows->n_rows + row]))
      best = d;
  return best;
}

/* Places the remaining rows: where walks reach most, or as in @wanted (nullable, R). */
static void
place_rest (GobanPartialSchedule *self, const guint32 *wanted)
{
  for (guint r = 0; r < self->rows->n_rows; r++)
    if (self->device_of[r] == GOBAN_NOT_PLACED)
      bind_row (self, r, wanted != NULL ? wanted[r] : find_nearest (self, r));
}

/* --- features ------------------------------------------------------------------------------- */

static double
least (const double *values, guint n)
{
  double result = values[0];

  for (guint i = 1; i < n; i++)
    result = MIN (result, values[i]);
  return result;
}

static double
largest (const double *values, guint n)
{
  double result = values[0];

  for (guint i = 1; i < n; i++)
    result = MAX (result, values[i]);
  return result;
}

/* Compresses x >= 0 to log (1 + x) / 3. */
static float
squeeze (double x)
{
  return (float) (goban_log (1 + x) / 3);
}

static float
clip (double x, double limit)
{
  return (float) CLAMP (x, -limit, limit);
}

/* Computes when the row's inputs would arrive on each device, and the transfer times; sends
 * nothing. */
static double
weigh_inputs (GobanPartialSchedule *self, guint row)
{
  const GobanRows *rows = self->rows;
  double total_bytes = 0;
  guint D = self->D;

  memset (self->ready_us, 0, D * sizeof (double));
  memset (self->moving_us, 0, D * sizeof (double));
  memset (self->inputs_bytes, 0, D * sizeof (double));
  for (guint k = rows->row_offsets[row]; k < rows->row_offsets[row + 1]; k++)
    {
      GobanRowInput input = rows->row_inputs[k];
      guint32 from = self->device_of[rows->row_of[input.producer]];
      double done_us = self->finish_us[input.producer];
      double bytes;

      if (from == GOBAN_NOT_PLACED || done_us < 0)
        continue;
      bytes = goban_graph_get_tensor (rows->units->graph, input.tensor)->size_bytes;
      self->inputs_bytes[from] += bytes;
      total_bytes += bytes;
      for (guint32 d = 0; d < D; d++)
        {
          double arrival_us = from == d ? done_us : self->arrival_us[(gsize) input.tensor * D + d];

          if (arrival_us < 0)
            {
              double transfer_us = goban_cost_model_transfer_us (
                  rows->units->costs, input.tensor, (GobanDeviceId) from, (GobanDeviceId) d);

              arrival_us
                  = MAX (done_us, MAX (self->send_us[from], self->receive_us[d])) + transfer_us;
              self->moving_us[d] += transfer_us;
            }
          self->ready_us[d] = MAX (self->ready_us[d], arrival_us);
        }
    }
  return total_bytes;
}

/* Figures that are compared between devices. */
typedef struct
{
  double unit_us; /* of times: about the row's */
  double total_bytes;
  double least_ready_us;
  double least_start_us;
  double least_finish_us;
  double least_free_us;
  double least_time_us;
  double mean_load_us;
  double reached[GOBAN_ROWS_N_WALKS];
  float nearest;
} View;

static View
compare (GobanPartialSchedule *self, guint row)
{
  const GobanRows *rows = self->rows;
  const double *times_us = rows->row_times_us + (gsize) row * self->D;
  guint D = self->D;
  View view = { .unit_us = rows->row_work_us[row] + 0.1 * rows->mean_row_us };

  view.total_bytes = weigh_inputs (self, row) + 1e-9;
  for (guint d = 0; d < D; d++)
    {
      self->start_us[d] = MAX (self->ready_us[d], self->free_us[d]);
      self->finish_there_us[d] = self->start_us[d] + times_us[d];
    }
  view.least_ready_us = least (self->ready_us, D);
  view.least_start_us = least (self->start_us, D);
  view.least_finish_us = least (self->finish_there_us, D);
  view.least_free_us = least (self->free_us, D);
  view.least_time_us = least (times_us, D);
  view.mean_load_us = goban_sorted_sum (self->load_us, D, self->sorted) / D;
  return view;
}

/* Compares walks from the row; also computes the probability that they end in any placed row. */
static void
compare_walks (GobanPartialSchedule *self, guint row, View *view)
{
  g_autofree double *values = g_new (double, self->D);

  for (guint k = 0; k < GOBAN_ROWS_N_WALKS; k++)
    {
      for (guint d = 0; d < self->D; d++)
        values[d] = (double) self->reached[k][(gsize) d * self->rows->n_rows + row];
      view->reached[k] = goban_sorted_sum (values, self->D, self->sorted) + 1e-6;
      if (k == 1)
        view->nearest = (float) largest (values, self->D);
    }
}

static void
describe_times (const GobanPartialSchedule *self, guint row, guint d, const View *view, float *x)
{
  const GobanRows *rows = self->rows;
  double time_us = rows->row_times_us[(gsize) row * self->D + d];
  double late_us = self->start_us[d] - view->least_start_us;
  double loaded_us = self->load_us[d] + time_us;

  x[GOBAN_CHOICE_LATE_START] = squeeze (late_us / view->unit_us);
  x[GOBAN_CHOICE_LATE_START_IN_ALL] = clip (late_us / rows->scale_us * 5, 3);
  x[GOBAN_CHOICE_LATE_INPUTS]
      = squeeze ((self->ready_us[d] - view->least_ready_us) / view->unit_us);
  x[GOBAN_CHOICE_LATE_FREE]
      = clip ((self->free_us[d] - view->least_free_us) / rows->scale_us * 5, 3);
  x[GOBAN_CHOICE_LATE_FINISH]
      = squeeze ((self->finish_there_us[d] - view->least_finish_us) / view->unit_us);
  x[GOBAN_CHOICE_LOAD_OVER_MEAN]
      = clip ((self->load_us[d] - view->mean_load_us) / rows->ideal_us, 2);
  x[GOBAN_CHOICE_LOAD] = clip (self->load_us[d] / rows->ideal_us, 3);
  x[GOBAN_CHOICE_OVERLOAD] = clip (MAX (0, loaded_us - rows->ideal_us) / rows->ideal_us, 2);
  x[GOBAN_CHOICE_MOVING] = squeeze (self->moving_us[d] / view->unit_us);
  x[GOBAN_CHOICE_MOVING_IN_ALL] = clip (self->moving_us[d] / rows->ideal_us * 10, 3);
  x[GOBAN_CHOICE_CHANNEL]
      = clip (MAX (0, self->receive_us[d] - view->least_start_us) / rows->scale_us * 5, 3);
  x[GOBAN_CHOICE_MOVED] = clip (self->moved_us[d] / rows->ideal_us, 3);
  x[GOBAN_CHOICE_SLOWNESS] = (float) goban_log ((time_us + 1e-9) / (view->least_time_us + 1e-9));
}

/* Share of the device's memory in use with the row. */
static double
find_fill (const GobanPartialSchedule *self, guint row, guint d)
{
  double capacity = self->rows->capacity_bytes[d];

  return isfinite (capacity) && capacity > 0
             ? self->caution * (self->bytes[d] + self->rows->row_bytes[row]) / capacity
             : 0;
}

static void
describe_place (const GobanPartialSchedule *self, guint row, guint d, const View *view, float *x)
{
  gsize at = (gsize) d * self->rows->n_rows + row;
  double fill = find_fill (self, row, d);

  x[GOBAN_CHOICE_INPUTS_HERE] = (float) (self->inputs_bytes[d] / view->total_bytes);
  x[GOBAN_CHOICE_MEMORY] = clip (fill, 2);
  x[GOBAN_CHOICE_MEMORY_SHORT] = fill > MEMORY_SHORT;
  for (guint k = 0; k < GOBAN_ROWS_N_WALKS; k++)
    x[GOBAN_CHOICE_WALKS + k] = (float) ((double) self->reached[k][at] / view->reached[k]);
  x[GOBAN_CHOICE_LAST] = self->last == d;
  x[GOBAN_CHOICE_UNUSED] = self->load_us[d] <= 0;
  x[GOBAN_CHOICE_NEAREST] = view->reached[1] > 1e-5 && self->reached[1][at] >= view->nearest;
  x[GOBAN_CHOICE_NEAR] = self->reached[0][at];
  x[GOBAN_CHOICE_FAR] = self->reached[2][at];
}

void
goban_partial_schedule_look (GobanPartialSchedule *self, guint row, float *x, float *c, guint8 *can)
{
  View view = compare (self, row);

  compare_walks (self, row, &view);
  for (guint d = 0; d < self->D; d++)
    {
      describe_times (self, row, d, &view, x + (gsize) d * GOBAN_CHOICE_N);
      describe_place (self, row, d, &view, x + (gsize) d * GOBAN_CHOICE_N);
    }

  const GobanRows *rows = self->rows;
  guint n_unused = 0;

  memcpy (c, rows->facts + (gsize) row * GOBAN_ROW_N_STATIC, GOBAN_ROW_N_STATIC * sizeof *c);
  for (guint k = 0; k < GOBAN_ROWS_N_WALKS; k++)
    c[GOBAN_CONTEXT_REACHED + k] = (float) MIN (view.reached[k], 1);
  for (guint d = 0; d < self->D; d++)
    n_unused += self->load_us[d] <= 0;
  c[GOBAN_CONTEXT_DONE] = (float) (self->placed_us / rows->total_us);
  c[GOBAN_CONTEXT_IMBALANCE]
      = clip ((largest (self->load_us, self->D) - view.mean_load_us) / rows->ideal_us, 2);
  c[GOBAN_CONTEXT_UNUSED] = (float) n_unused / (float) self->D;

  gboolean has_room = FALSE;

  for (guint d = 0; d < self->D; d++)
    has_room |= self->rows->allowed[(gsize) row * self->D + d] && find_fill (self, row, d) <= 1;
  for (guint d = 0; d < self->D; d++)
    can[d] = self->rows->allowed[(gsize) row * self->D + d]
             && (!has_room || find_fill (self, row, d) <= 1);
}

struct _GobanPlanBuilder
{
  const GobanRows *rows;
  GobanPartialSchedule *schedule;
  GPtrArray *arrays; /* the next six */
  float *features;   /* (D, GOBAN_CHOICE_N) */
  float *context;    /* (GOBAN_CONTEXT_N) */
  float *scores;     /* (D) */
  float *chances;    /* (D) */
  float *sorted;     /* (D) */
  guint8 *can;       /* (D) */
  GobanDecoderState state;

  /* For the plan being built: */
  GobanDecoder decoder;
  const GobanRowEncoding *encoding; /* (nullable) */
};

GobanPlanBuilder *
goban_plan_builder_new (const GobanRows *rows)
{
  GobanPlanBuilder *self = g_new0 (GobanPlanBuilder, 1);
  guint D = rows->n_devices;

  self->rows = rows;
  self->arrays = goban_arrays_new ();
  self->schedule = goban_partial_schedule_new (rows);
  self->features = goban_own (self, float, (gsize) D *GOBAN_CHOICE_N);
  self->context = goban_own (self, float, GOBAN_CONTEXT_N);
  self->scores = goban_own (self, float, D);
  self->chances = goban_own (self, float, D);
  self->sorted = goban_own (self, float, D);
  self->can = goban_own (self, guint8, D);
  goban_decoder_state_init (&self->state, D);
  return self;
}

void
goban_plan_builder_free (GobanPlanBuilder *self)
{
  goban_partial_schedule_free (self->schedule);
  g_ptr_array_unref (self->arrays);
  goban_decoder_state_clear (&self->state);
  g_free (self);
}

/* --- records -------------------------------------------------------------------------------- */

GobanBuildRecord *
goban_build_record_new (void)
{
  GobanBuildRecord *self = g_new0 (GobanBuildRecord, 1);

  self->rows = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->actions = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->features = g_array_new (FALSE, FALSE, sizeof (float));
  self->contexts = g_array_new (FALSE, FALSE, sizeof (float));
  self->chances = g_array_new (FALSE, FALSE, sizeof (float));
  self->can = g_array_new (FALSE, FALSE, 1);
  self->attention = g_array_new (FALSE, TRUE, sizeof (float));
  self->nodes = g_array_new (FALSE, FALSE, sizeof (GobanNodeId));
  self->ends_us = g_array_new (FALSE, FALSE, sizeof (double));
  self->devices = g_array_new (FALSE, FALSE, sizeof (guint32));
  return self;
}

GobanBuildRecord *
goban_build_record_copy (const GobanBuildRecord *self)
{
  GobanBuildRecord *copy = g_memdup2 (self, sizeof *self);

  copy->rows = g_array_copy (self->rows);
  copy->actions = g_array_copy (self->actions);
  copy->features = g_array_copy (self->features);
  copy->contexts = g_array_copy (self->contexts);
  copy->chances = g_array_copy (self->chances);
  copy->can = g_array_copy (self->can);
  copy->attention = g_array_copy (self->attention);
  copy->nodes = g_array_copy (self->nodes);
  copy->ends_us = g_array_copy (self->ends_us);
  copy->devices = g_array_copy (self->devices);
  return copy;
}

void
goban_build_record_free (GobanBuildRecord *self)
{
  g_array_unref (self->rows);
  g_array_unref (self->actions);
  g_array_unref (self->features);
  g_array_unref (self->contexts);
  g_array_unref (self->chances);
  g_array_unref (self->can);
  g_array_unref (self->attention);
  g_array_unref (self->nodes);
  g_array_unref (self->ends_us);
  g_array_unref (self->devices);
  g_free (self);
}

static void
clear_record (GobanBuildRecord *self, const GobanRows *rows)
{
  self->n_decisions = 0;
  self->n_devices = rows->n_devices;
  g_array_set_size (self->features, 0);
  g_array_set_size (self->contexts, 0);
  g_array_set_size (self->rows, rows->n_rows);
  g_array_set_size (self->actions, rows->n_rows);
  g_array_set_size (self->chances, rows->n_rows * rows->n_devices);
  g_array_set_size (self->can, rows->n_rows * rows->n_devices);
  g_array_set_size (self->attention, rows->n_rows * rows->n_devices);
  g_array_set_size (self->nodes, rows->n_rows);
  g_array_set_size (self->ends_us, rows->n_rows);
}

static void
note (GobanBuildRecord *self, const GobanPlanBuilder *builder, GobanNodeId node, guint32 action)
{
  guint D = self->n_devices;
  guint i = self->n_decisions++;

  g_array_index (self->rows, guint32, i) = builder->rows->row_of[node];
  g_array_index (self->actions, guint32, i) = action;
  g_array_index (self->nodes, GobanNodeId, i) = node;
  g_array_index (self->ends_us, double, i) = builder->schedule->end_us;
  memcpy (&g_array_index (self->chances, float, (gsize) i *D), builder->chances,
          D * sizeof (float));
  memcpy (&g_array_index (self->can, guint8, (gsize) i * D), builder->can, D);
  for (guint d = 0; d < D; d++)
    {
      float share = 0;

      for (guint h = 0; h < GOBAN_DECODER_HEADS; h++)
        share += builder->state.attention[(gsize) h * D + d] / GOBAN_DECODER_HEADS;
      g_array_index (self->attention, float, (gsize) i *D + d)
          = builder->decoder.attended != NULL ? share : 0;
    }
  if (self->skips_features)
    return;
  g_array_append_vals (self->features, builder->features, D * GOBAN_CHOICE_N);
  g_array_append_vals (self->contexts, builder->context, GOBAN_CONTEXT_N);
}

/* Entropy of one decision. Equal unused devices count as one choice, because choosing among them
 * makes no difference. */
static double
find_entropy (const float *p, const float *x, guint n)
{
  double entropy = 0;

  for (guint d = 0; d < n; d++)
    {
      gboolean is_unused = x[(gsize) d * GOBAN_CHOICE_N + GOBAN_CHOICE_UNUSED] > 0;
      guint n_alike = 1;
      guint n_before = 0;

      for (guint e = 0; is_unused && e < n; e++)
        if (e != d && x[(gsize) e * GOBAN_CHOICE_N + GOBAN_CHOICE_UNUSED] > 0 && p[e] == p[d])
          {
            n_alike++;
            n_before += e < d;
          }
      if (p[d] > 0 && n_before == 0)
        entropy -= n_alike * (double) p[d] * goban_log (n_alike * (double) p[d]);
    }
  return entropy;
}

double
goban_build_record_get_entropy (const GobanBuildRecord *self)
{
  const float *chances = (const float *) (const void *) self->chances->data;
  const float *features = (const float *) (const void *) self->features->data;
  guint D = self->n_devices;
  double sum = 0;

  for (guint i = 0; i < self->n_decisions; i++)
    sum += find_entropy (chances + (gsize) i * D, features + (gsize) i * D * GOBAN_CHOICE_N, D);
  return self->n_decisions > 0 ? sum / self->n_decisions : 0;
}

/* --- decisions ------------------------------------------------------------------------------ */

static guint32
find_likeliest (const GobanPlanBuilder *self)
{
  guint32 best = GOBAN_NOT_PLACED;

  for (guint32 d = 0; d < self->rows->n_devices; d++)
    if (self->can[d] && (best == GOBAN_NOT_PLACED || self->scores[d] > self->scores[best]))
      best = d;
  return best;
}

/* chances (D) = softmax (scores / temperature), summed in ascending order, so that the bits do not
 * depend on the order of devices. */
static void
find_chances (GobanPlanBuilder *self, double temperature)
{
  guint D = self->rows->n_devices;
  float most = self->scores[find_likeliest (self)];
  float sum = 0;

  for (guint d = 0; d < D; d++)
    {
      guint j = d;

      self->chances[d]
          = self->can[d] ? goban_exp_below ((self->scores[d] - most) / (float) temperature) : 0;
      for (; j > 0 && self->sorted[j - 1] > self->chances[d]; j--)
        self->sorted[j] = self->sorted[j - 1];
      self->sorted[j] = self->chances[d];
    }
  for (guint d = 0; d < D; d++)
    sum += self->sorted[d];
  for (guint d = 0; d < D; d++)
    self->chances[d] /= sum;
}

/* Borrowed. */
static GobanDecoderRow
get_row (const GobanRowEncoding *self, guint row)
{
  GobanDecoderRow result = { .share = self->shares[row] };

  for (guint k = 0; k < GOBAN_N_ROW_VECTORS; k++)
    if (self->vectors[k] != NULL)
      result.vectors[k]
          = self->vectors[k] + (gsize) row * goban_row_encoder_get_width (self->encoder, k);
  return result;
}

/* The device of the row of @node, the first op of it. */
static guint32
decide (GobanPlanBuilder *self, const GobanBuildOptions *options, GobanNodeId node)
{
  guint row = self->rows->row_of[node];
  GobanDecoderRow vectors = self->encoding != NULL
                                ? get_row (self->encoding, row)
                                : (GobanDecoderRow){ { self->decoder.scorer.hidden }, 0 };
  gboolean is_drawn = options->wanted == NULL && options->temperature > 0;
  guint32 action;

  goban_partial_schedule_look (self->schedule, row, self->features, self->context, self->can);
  goban_decoder_score (&self->decoder, &self->state, &vectors, self->features, self->context,
                       self->scores);
  if (options->wanted != NULL)
    action = options->wanted[row];
  else if (is_drawn)
    {
      find_chances (self, options->temperature);

      GobanRng *rng = options->rng;
      double left = goban_rng_uniform (rng);
      guint32 drawn = GOBAN_NOT_PLACED;

      for (guint32 d = 0; d < self->rows->n_devices; d++)
        {
          if (self->chances[d] <= 0)
            continue;
          drawn = d;
          left -= (double) self->chances[d];
          if (left < 0)
            break;
        }
      action = drawn;
    }
  else
    action = find_likeliest (self);
  if (options->forced != NULL && options->forced->row == row)
    action = options->forced->device;
  if (options->record != NULL)
    {
      /* A wanted device without room is allowed all the same. */
      if (!is_drawn || !self->can[action])
        {
          self->can[action] = 1;
          find_chances (self, options->temperature > 0 ? options->temperature : 1);
        }
      note (options->record, self, node, action);
    }
  goban_decoder_take (&self->decoder, &self->state, &vectors, action);
  return action;
}

void
goban_plan_builder_build (GobanPlanBuilder *self, const GobanBuilderNet *net,
                          const GobanBuildOptions *options, guint32 *devices)
{
  const GobanRows *rows = self->rows;
  const guint32 *placed = self->schedule->device_of;
  g_autoptr (GobanRowEncoding) own
      = options->encoding == NULL ? goban_row_encoding_new (net, rows) : NULL;

  self->encoding = own != NULL ? own : options->encoding;
  self->decoder = goban_builder_net_get_decoder (net);
  goban_decoder_state_reset (&self->state);
  if (options->record != NULL)
    clear_record (options->record, rows);
  goban_partial_schedule_reset (self->schedule, options->caution > 0 ? options->caution : 1);
  for (guint i = 0; i < rows->n_nodes; i++)
    {
      GobanNodeId v = rows->order[i];
      guint row = rows->row_of[v];

      if (placed[row] == GOBAN_NOT_PLACED)
        {
          if (rows->is_idle[v])
            {
              skip (self->schedule, v);
              continue;
            }
          goban_partial_schedule_place (self->schedule, row, decide (self, options, v));
        }
      goban_partial_schedule_append (self->schedule, v, options->wanted);
    }
  place_rest (self->schedule, options->wanted);
  if (options->record != NULL)
    {
      options->record->end_us = self->schedule->end_us;
      g_array_set_size (options->record->devices, 0);
      g_array_append_vals (options->record->devices, placed, rows->n_rows);
    }
  memcpy (devices, placed, rows->n_rows * sizeof *devices);
  self->encoding = NULL;
}

/* --- all decisions of some plans ------------------------------------------------------------ */

/* Decisions of several plans, one after another. */
typedef struct
{
  guint n;
  guint *ends;
  float *x, *c;
  guint32 *rows, *actions;
} Decisions;

static Decisions
join (GobanBuildRecord *const *records, guint n_plans)
{
  guint D = n_plans > 0 ? records[0]->n_devices : 0;
  Decisions self = { .ends = g_new (guint, n_plans + 1) };

  for (guint k = 0; k < n_plans; k++)
    self.ends[k] = self.n += records[k]->n_decisions;
  self.x = g_new (float, (gsize) self.n *D *GOBAN_CHOICE_N + 1);
  self.c = g_new (float, (gsize) self.n *GOBAN_CONTEXT_N + 1);
  self.rows = g_new (guint32, self.n + 1);
  self.actions = g_new (guint32, self.n + 1);
  for (guint k = 0; k < n_plans; k++)
    {
      const GobanBuildRecord *record = records[k];
      gsize size = record->n_decisions, first = self.ends[k] - size;

      if (size == 0)
        continue;
      memcpy (self.x + first * D * GOBAN_CHOICE_N, record->features->data,
              size * D * GOBAN_CHOICE_N * sizeof *self.x);
      memcpy (self.c + first * GOBAN_CONTEXT_N, record->contexts->data,
              size * GOBAN_CONTEXT_N * sizeof *self.c);
      memcpy (self.rows + first, record->rows->data, size * sizeof *self.rows);
      memcpy (self.actions + first, record->actions->data, size * sizeof *self.actions);
    }
  return self;
}

static void
decisions_clear (Decisions *self)
{
  g_free (self->ends);
  g_free (self->x);
  g_free (self->c);
  g_free (self->rows);
  g_free (self->actions);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Decisions, decisions_clear)

/* The decisions for the decoder, forward. encoding: (nullable) */
static GobanDecoderBatch
make_batch (const Decisions *self, guint n_plans, guint n_devices, const GobanDecoder *decoder,
            const GobanRowEncoding *encoding)
{
  GobanDecoderBatch batch = { .n_plans = n_plans,
                              .ends = self->ends,
                              .n_devices = (int) n_devices,
                              .x = self->x,
                              .c = self->c,
                              .rows = self->rows,
                              .actions = self->actions,
                              .vectors = { decoder->scorer.hidden } };

  if (encoding == NULL)
    return batch;
  batch.shares = encoding->shares;
  for (guint k = 0; k < GOBAN_N_ROW_VECTORS; k++)
    batch.vectors[k] = encoding->vectors[k];
  return batch;
}

void
goban_build_records_find_chances (GobanBuildRecord *const *records, guint n,
                                  const GobanBuilderNet *net, const GobanRowEncoding *encoding,
                                  double temperature, float *chances)
{
  guint D = n > 0 ? records[0]->n_devices : 0;
  GobanDecoder decoder = goban_builder_net_get_decoder (net);
  g_auto (Decisions) all = join (records, n);
  GobanDecoderBatch batch = make_batch (&all, n, D, &decoder, encoding);
  float *next = chances;

  goban_decoder_score_all (&decoder, &batch, chances);
  for (guint k = 0; k < n; k++)
    for (guint i = 0; i < records[k]->n_decisions * D; i++, next++)
      *next = g_array_index (records[k]->can, guint8, i) ? *next / (float) temperature : -INFINITY;
  goban_softmax_forward (chances, chances, (int) all.n, (int) D);
}

/* --- learning ------------------------------------------------------------------------------- */

/* Target distribution (D): the chosen device; or all equal unused devices, in proportion to their
 * present probabilities. classes: (nullable) */
static void
set_target (const GobanBuildRecord *self, guint i, const guint *classes, float *target)
{
  guint D = self->n_devices;
  guint32 action = g_array_index (self->actions, guint32, i);
  const float *x
      = (const float *) (const void *) self->features->data + (gsize) i * D * GOBAN_CHOICE_N;
  const float *p = (const float *) (const void *) self->chances->data + (gsize) i * D;
  gboolean pools = classes != NULL && x[action * GOBAN_CHOICE_N + GOBAN_CHOICE_UNUSED] > 0;
  float sum = 0;

  memset (target, 0, D * sizeof *target);
  target[action] = 1;
  if (!pools)
    return;
  for (guint d = 0; d < D; d++)
    if (classes[d] == classes[action] && x[d * GOBAN_CHOICE_N + GOBAN_CHOICE_UNUSED] > 0)
      sum += p[d];
  for (guint d = 0; d < D; d++)
    if (sum > 0)
      target[d] = classes[d] == classes[action] && x[d * GOBAN_CHOICE_N + GOBAN_CHOICE_UNUSED] > 0
                      ? p[d] / sum
                      : 0;
}

/* forward: L = -(w sum_d t_d log p_d + e H), p = softmax (z). So dL/dz_d = -w (t_d - p_d) + e p_d
 * (log p_d + H). */
static void
differentiate (const float *p, const float *target, const GobanBuildLesson *lesson, guint D,
               float *dscores)
{
  /* In nats, of p (n). */
  double entropy = 0;

  for (guint i = 0; i < D; i++)
    if (p[i] > 0)
      entropy -= (double) p[i] * goban_log ((double) p[i]);

  for (guint d = 0; d < D; d++)
    {
      double log_p = p[d] > 0 ? goban_log ((double) p[d]) : 0;

      dscores[d] = (float) (-lesson->advantage * (double) (target[d] - p[d])
                            + lesson->entropy * (double) p[d] * (log_p + entropy));
    }
}

/* Writes the gradient by the scores of all decisions of a plan (n,D). */
static void
differentiate_plan (const GobanBuildRecord *self, const GobanBuildLesson *lesson, float *dscores)
{
  guint D = self->n_devices;
  g_autofree float *target = g_new (float, D + 1);
  GobanBuildLesson share = *lesson;

  share.advantage /= MAX (self->n_decisions, 1);
  share.entropy /= MAX (self->n_decisions, 1);
  for (guint i = 0; i < self->n_decisions; i++)
    {
      set_target (self, i, lesson->classes, target);
      differentiate ((const float *) (const void *) self->chances->data + (gsize) i * D, target,
                     &share, D, dscores + (gsize) i * D);
    }
}

void
goban_build_records_learn (GobanBuildRecord *const *records, const GobanBuildLesson *lessons,
                           guint n, GobanBuilderNet *net, GobanRowEncoding *encoding)
{
  guint D = n > 0 ? records[0]->n_devices : 0;
  GobanDecoder decoder = goban_builder_net_get_decoder (net);
  GobanDecoder gradients = goban_builder_net_get_gradients (net);
  g_auto (Decisions) all = join (records, n);
  g_autofree float *dscores = g_new (float, (gsize) all.n *D + 1);
  GobanDecoderBatch batch = make_batch (&all, n, D, &decoder, encoding);

  g_assert ((encoding != NULL) == (goban_builder_net_get_encoder (net) != NULL));
  for (guint k = 0; k < n; k++)
    differentiate_plan (records[k], &lessons[k],
                        dscores + (gsize) (all.ends[k] - records[k]->n_decisions) * D);
  batch.dscores = dscores;
  batch.dvectors[GOBAN_ROW_HIDDEN] = gradients.scorer.hidden;
  for (guint k = 0; k < GOBAN_N_ROW_VECTORS && encoding != NULL; k++)
    batch.dvectors[k] = encoding->dvectors[k];
  goban_decoder_backward (&decoder, &gradients, &batch);
}
