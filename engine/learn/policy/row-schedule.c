#include "engine/learn/policy/row-schedule.h"

#include "engine/core/arrays.h"
#include "engine/core/key-sort.h"

#include <math.h>
#include <string.h>

#define NEVER (-1.0)

/* Gaps that a line remembers. */
#define N_GAPS 12

/* Turns of the search for a gap that two lines share. */
#define N_TURNS 16

/* Share of the changes that follow a row's inputs. */
#define FOLLOWING 0.5

/* Share of the changes that merge two devices. Chains are best on one device, which no change of a
 * single row leads to: each would only be cut off from its neighbours. */
#define MERGING 0.02

/* What one device, or one of its channels, does: busy until end_us, but for the last gaps. */
typedef struct
{
  double end_us;
  double from_us[N_GAPS];
  double to_us[N_GAPS];
  guint n_gaps; /* ever made; the oldest is overwritten */
} Line;

struct _GobanRowSchedule
{
  const GobanRows *rows;
  GPtrArray *arrays;  /* all below */
  double *begin_us;   /* (n_nodes) of those that are appended */
  double *finish_us;  /* (n_nodes) NEVER before it is appended */
  double *arrival_us; /* (n_tensors, D) of copies; NEVER */
  double *bytes;      /* (D) */
  Line *devices;      /* (D) */
  Line *sending;
  Line *receiving;
};

GobanRowSchedule *
goban_row_schedule_new (const GobanRows *rows)
{
  GobanRowSchedule *self = g_new0 (GobanRowSchedule, 1);
  guint D = rows->n_devices;

  self->rows = rows;
  self->arrays = goban_arrays_new ();
  self->begin_us = goban_own (self, double, rows->n_nodes + 1);
  self->finish_us = goban_own (self, double, rows->n_nodes + 1);
  self->arrival_us = goban_own (self, double, (gsize) rows->n_tensors *D + 1);
  self->bytes = goban_own (self, double, D);
  self->devices = goban_own (self, Line, D);
  self->sending = goban_own (self, Line, D);
  self->receiving = goban_own (self, Line, D);
  return self;
}

void
goban_row_schedule_free (GobanRowSchedule *self)
{
  g_ptr_array_unref (self->arrays);
  g_free (self);
}

/* --- lines ---------------------------------------------------------------------------------- */

/* The earliest time from ready_us on at which the line is free for time_us. */
static double
find_time (const Line *self, double ready_us, double time_us)
{
  double best_us = MAX (self->end_us, ready_us);

  for (guint i = 0; ready_us < self->end_us && i < MIN (self->n_gaps, N_GAPS); i++)
    {
      double at_us = MAX (self->from_us[i], ready_us);

      if (at_us < best_us && at_us + time_us <= self->to_us[i])
        best_us = at_us;
    }
  return best_us;
}

/* The same for two lines at once; behind both if they share none of a few gaps. */
static double
find_shared_time (const Line *a, const Line *b, double ready_us, double time_us)
{
  for (guint i = 0; i < N_TURNS; i++)
    {
      double of_a_us = find_time (a, ready_us, time_us);
      double of_b_us = find_time (b, of_a_us, time_us);

      if (of_b_us <= of_a_us)
        return of_a_us;
      ready_us = of_b_us;
    }
  return MAX (ready_us, MAX (a->end_us, b->end_us));
}

/* Occupies a time that find_time() found. Of a gap that it divides the larger part is kept. */
static void
take_time (Line *self, double at_us, double time_us)
{
  double end_us = at_us + time_us;

  if (at_us >= self->end_us)
    {
      guint i = self->n_gaps % N_GAPS;

      if (at_us > self->end_us)
        {
          self->from_us[i] = self->end_us;
          self->to_us[i] = at_us;
          self->n_gaps++;
        }
      self->end_us = end_us;
      return;
    }
  for (guint i = 0; i < MIN (self->n_gaps, N_GAPS); i++)
    if (at_us >= self->from_us[i] && end_us <= self->to_us[i])
      {
        if (at_us - self->from_us[i] >= self->to_us[i] - end_us)
          self->to_us[i] = at_us;
        else
          self->from_us[i] = end_us;
        return;
      }
}

/* --- schedule ------------------------------------------------------------------------------- */

static void
reset (GobanRowSchedule *self)
{
  const GobanRows *rows = self->rows;
  gsize n_copies = (gsize) rows->n_tensors * rows->n_devices;
  gsize size = rows->n_devices * sizeof (Line);

  for (guint v = 0; v < rows->n_nodes; v++)
    self->finish_us[v] = NEVER;
  for (gsize i = 0; i < n_copies; i++)
    self->arrival_us[i] = NEVER;
  memset (self->bytes, 0, rows->n_devices * sizeof *self->bytes);
  memset (self->devices, 0, size);
  memset (self->sending, 0, size);
  memset (self->receiving, 0, size);
}

/* Arrival of a tensor from another device; the first call sends it. */
static double
receive (GobanRowSchedule *self, GobanRowInput input, guint32 from, guint32 to)
{
  const GobanUnits *units = self->rows->units;
  double *arrival_us = &self->arrival_us[(gsize) input.tensor * self->rows->n_devices + to];
  double at_us = self->finish_us[input.producer];
  double transfer_us;

  if (*arrival_us >= 0)
    return *arrival_us;
  transfer_us = goban_cost_model_transfer_us (units->costs, input.tensor, (GobanDeviceId) from,
                                              (GobanDeviceId) to);
  if (goban_graph_get_tensor (units->graph, input.tensor)->size_bytes > 0)
    {
      at_us = find_shared_time (&self->sending[from], &self->receiving[to], at_us, transfer_us);
      take_time (&self->sending[from], at_us, transfer_us);
      take_time (&self->receiving[to], at_us, transfer_us);
    }
  return *arrival_us = at_us + transfer_us;
}

/* Appends an op and returns when it ends. */
static double
append (GobanRowSchedule *self, GobanNodeId node, const guint32 *devices)
{
  const GobanRows *rows = self->rows;
  guint32 device = devices[rows->row_of[node]];
  double time_us = rows->times_us[(gsize) node * rows->n_devices + device];
  double ready_us = 0;

  if (!isfinite (time_us)) /* its unit runs elsewhere */
    time_us = 0;
  for (guint k = rows->node_offsets[node]; k < rows->node_offsets[node + 1]; k++)
    {
      GobanRowInput input = rows->node_inputs[k];
      guint32 from = devices[rows->row_of[input.producer]];
      double done_us = self->finish_us[input.producer];

      if (done_us >= 0)
        ready_us = MAX (ready_us, from == device ? done_us : receive (self, input, from, device));
    }
  if (time_us > 0)
    {
      ready_us = find_time (&self->devices[device], ready_us, time_us);
      take_time (&self->devices[device], ready_us, time_us);
    }
  self->begin_us[node] = ready_us;
  return self->finish_us[node] = ready_us + time_us;
}

double
goban_row_schedule_find_end_us (GobanRowSchedule *self, const guint32 *devices,
                                const GobanNodeId *order, double caution)
{
  const GobanRows *rows = self->rows;
  gboolean is_overfull = FALSE;
  double end_us = 0;

  reset (self);
  for (guint i = 0; i < rows->n_nodes; i++)
    {
      double done_us = append (self, order != NULL ? order[i] : rows->order[i], devices);

      end_us = MAX (end_us, done_us);
    }
  for (guint r = 0; r < rows->n_rows; r++)
    self->bytes[devices[r]] += rows->row_bytes[r];
  for (guint d = 0; d < rows->n_devices; d++)
    is_overfull |= caution * self->bytes[d] > rows->capacity_bytes[d];
  return is_overfull ? 2 * end_us : end_us;
}

double
goban_row_schedule_sort (GobanRowSchedule *self, guint n_times, const guint32 *devices,
                         double caution, GobanNodeId *order)
{
  const GobanRows *rows = self->rows;
  double least_us = goban_row_schedule_find_end_us (self, devices, order, caution);
  g_autofree GobanNodeId *sorted = g_new (GobanNodeId, rows->n_nodes + 1);
  gboolean is_found = FALSE;

  for (guint i = 0; i < n_times; i++)
    {
      double end_us;

      /* An op that takes no time may begin with what it reads, which comes first in the rows'. */
      memcpy (sorted, rows->order, rows->n_nodes * sizeof *sorted);
      goban_key_sort (sorted, self->begin_us, rows->n_nodes);
      end_us = goban_row_schedule_find_end_us (self, devices, sorted, caution);
      if (end_us > least_us)
        continue;
      least_us = end_us;
      memcpy (order, sorted, rows->n_nodes * sizeof *order);
      is_found = TRUE;
    }
  return is_found ? least_us : (double) INFINITY;
}

/* --- refinement ----------------------------------------------------------------------------- */

/* Draws another device for a row; its own if it can go to no such one. */
static guint32
draw_device (const GobanRows *rows, guint row, const guint32 *devices, GobanRng *rng)
{
  guint first = rows->row_offsets[row];
  guint n_inputs = rows->row_offsets[row + 1] - first;
  guint32 to = goban_rng_below (rng, rows->n_devices);

  if (n_inputs > 0 && goban_rng_uniform (rng) < FOLLOWING)
    to = devices[rows->row_of[rows->row_inputs[first + goban_rng_below (rng, n_inputs)].producer]];
  return rows->allowed[(gsize) row * rows->n_devices + to] ? to : devices[row];
}

/* Changes the placement. FALSE if the draw is what it was. */
static gboolean
change (const GobanRows *rows, GobanRng *rng, guint32 *devices)
{
  guint row = goban_rng_below (rng, rows->n_rows);
  guint32 from = devices[row];
  guint32 to = draw_device (rows, row, devices, rng);

  if (to == from)
    return FALSE;
  if (goban_rng_uniform (rng) < MERGING)
    {
      /* Moves all rows of a device that can go to the other one. */
      for (guint r = 0; r < rows->n_rows; r++)
        if (devices[r] == from && rows->allowed[(gsize) r * rows->n_devices + to])
          devices[r] = to;
    }
  else
    devices[row] = to;
  return TRUE;
}

/* devices, tried (n_rows): before and after a change. */
static void
add_kept (GArray *kept, const guint32 *devices, const guint32 *tried, guint n_rows,
          double before_us, double after_us)
{
  GobanRowChange change = { .before_us = before_us, .after_us = after_us };

  for (change.row = 0; change.row < n_rows; change.row++)
    {
      change.from = devices[change.row];
      change.to = tried[change.row];
      if (change.from == change.to)
        continue;
      g_array_append_val (kept, change);
      change.is_with_last = TRUE;
    }
}

double
goban_row_schedule_refine (GobanRowSchedule *self, guint n_shaken, guint n_changes,
                           const GobanNodeId *order, double caution, GobanRng *rng,
                           guint32 *devices, GArray *kept)
{
  gsize size = self->rows->n_rows * sizeof *devices;
  g_autofree guint32 *tried = g_malloc (size + 1);
  double last_us = goban_row_schedule_find_end_us (self, devices, order, caution);

  for (guint i = 0; i < n_shaken + n_changes && self->rows->n_rows > 0; i++)
    {
      double end_us;

      memcpy (tried, devices, size);
      if (!change (self->rows, rng, tried))
        continue;
      end_us = goban_row_schedule_find_end_us (self, tried, order, caution);
      if (end_us >= last_us && i >= n_shaken)
        continue;
      if (kept != NULL)
        add_kept (kept, devices, tried, self->rows->n_rows, last_us, end_us);
      last_us = end_us;
      memcpy (devices, tried, size);
    }
  return last_us;
}
