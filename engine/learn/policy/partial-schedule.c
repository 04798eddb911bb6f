#include "engine/learn/policy/partial-schedule.h"

#include "engine/core/sorted-sum.h"
#include "engine/learn/nn/vector.h"

#include <math.h>

#define NEVER (-1.0)
#define MEMORY_SHORT 0.85

struct _GobanPartialSchedule
{
  const GobanRows *rows;
  guint D;
  guint32 *device_of; /* (R) */
  double *finish_us;  /* (n_nodes) NEVER before it is appended */
  double *arrival_us; /* (n_tensors, D) of copies; NEVER */
  double *free_us;    /* (D) when the device is */
  double *send_us;    /* (D) when its channels are */
  double *receive_us;
  double *load_us;                    /* (D) of placed rows */
  double *moved_us;                   /* (D) of its transfers */
  double *bytes;                      /* (D) of placed rows */
  float *reached[GOBAN_ROWS_N_WALKS]; /* (D, R) chance of a walk from a row to end there */
  double placed_us;                   /* work of placed rows */
  double end_us;
  double caution;
  guint32 last; /* device of the row before, or GOBAN_NOT_PLACED */

  /* For the current row, each (D). */
  double *ready_us;
  double *start_us;
  double *finish_there_us;
  double *moving_us;
  double *inputs_bytes;
  double *sorted;
};

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
  self->D = D;
  self->device_of = g_new (guint32, rows->n_rows + 1);
  self->finish_us = g_new (double, rows->n_nodes + 1);
  self->arrival_us = g_new (double, (gsize) rows->n_tensors *D + 1);
  for (gsize i = 0; i < G_N_ELEMENTS (of_devices); i++)
    *of_devices[i] = g_new0 (double, D);
  for (guint k = 0; k < GOBAN_ROWS_N_WALKS; k++)
    self->reached[k] = g_new (float, (gsize) rows->n_rows *D + 1);
  goban_partial_schedule_reset (self, 1);
  return self;
}

void
goban_partial_schedule_free (GobanPartialSchedule *self)
{
  double *of_devices[]
      = { self->free_us,   self->send_us,         self->receive_us, self->load_us,
          self->moved_us,  self->bytes,           self->ready_us,   self->start_us,
          self->moving_us, self->finish_there_us, self->sorted,     self->inputs_bytes };

  for (gsize i = 0; i < G_N_ELEMENTS (of_devices); i++)
    g_free (of_devices[i]);
  for (guint k = 0; k < GOBAN_ROWS_N_WALKS; k++)
    g_free (self->reached[k]);
  g_free (self->device_of);
  g_free (self->finish_us);
  g_free (self->arrival_us);
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

const guint32 *
goban_partial_schedule_get_devices (const GobanPartialSchedule *self)
{
  return self->device_of;
}

double
goban_partial_schedule_get_end_us (const GobanPartialSchedule *self)
{
  return self->end_us;
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

void
goban_partial_schedule_skip (GobanPartialSchedule *self, GobanNodeId node)
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

void
goban_partial_schedule_finish (GobanPartialSchedule *self, const guint32 *wanted)
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
