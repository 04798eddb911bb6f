#include "engine/study/analysis/node-values.h"

#include "engine/core/key-sort.h"
#include "engine/core/quantity.h"

#include <math.h>
#include <string.h>

/* A logarithmic ramp is suggested if half of the positive values lie within this share of the
 * range. */
#define CROWDED (1.0 / 16)
/* Decades beyond these, below the most, are all at the ramp's end: rounding can leave 1e-12 us. */
#define LOG_SPAN 1e6

/* --- making -------------------------------------------------------------------------------- */

static void
sort_known (GobanNodeValues *self)
{
  for (guint v = 0; v < self->n_nodes; v++)
    if (isfinite (self->values[v]))
      self->order[self->n_known++] = v;
    else
      self->values[v] = NAN;
  goban_key_sort (self->order, self->values, self->n_known);
}

static double
value_at (const GobanNodeValues *self, guint i)
{
  return self->values[self->order[i]];
}

static double
median_from (const GobanNodeValues *self, guint first)
{
  guint n = self->n_known - first;
  guint middle = first + n / 2;

  return n % 2 == 1 ? value_at (self, middle)
                    : value_at (self, middle - 1) / 2 + value_at (self, middle) / 2;
}

/* The first of the order that is above zero. */
static guint
find_positive (const GobanNodeValues *self)
{
  guint low = 0;
  guint high = self->n_known;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (value_at (self, middle) > 0)
        high = middle;
      else
        low = middle + 1;
    }
  return low;
}

static void
choose_scale (GobanNodeValues *self)
{
  guint first = find_positive (self);

  self->scale = GOBAN_SCALE_LINEAR;
  if (self->least < 0 || first == self->n_known || median_from (self, first) > self->most * CROWDED)
    return;

  self->scale = GOBAN_SCALE_LOG;
  self->floor = MAX (value_at (self, first), self->most / LOG_SPAN);
}

static void
find_different (GobanNodeValues *self)
{
  self->scale = GOBAN_SCALE_RANK;
  self->different = g_new (double, MAX (self->n_known, 1));
  for (guint i = 0; i < self->n_known; i++)
    if (i == 0 || value_at (self, i) != value_at (self, i - 1))
      self->different[self->n_different++] = value_at (self, i);
}

static double
place_of (const GobanNodeValues *self, double value, guint rank)
{
  if (self->least == self->most)
    return 0.5;
  if (self->scale == GOBAN_SCALE_RANK)
    return (double) rank / (self->n_different - 1);
  if (self->scale == GOBAN_SCALE_LOG)
    return value <= self->floor ? 0 : log (value / self->floor) / log (self->most / self->floor);
  /* Halves, for the range itself may be more than a double holds. */
  return (value / 2 - self->least / 2) / (self->most / 2 - self->least / 2);
}

/* By value, so that equal ones are asked once and the order is kept whatever rounding does. */
static void
fill_places (GobanNodeValues *self)
{
  double place = 0;
  guint rank = 0;

  for (guint v = 0; self->n_known < self->n_nodes && v < self->n_nodes; v++)
    self->places[v] = NAN;
  for (guint i = 0; i < self->n_known; i++)
    {
      if (i == 0 || value_at (self, i) != value_at (self, i - 1))
        {
          rank += i > 0;
          place = MAX (place, MIN (place_of (self, value_at (self, i), rank), 1));
        }
      self->places[self->order[i]] = (float) place;
    }
}

static GobanNodeValues *
new_empty (const char *name, GobanFieldKind kind, guint n_nodes)
{
  GobanNodeValues *self = g_new0 (GobanNodeValues, 1);

  g_atomic_ref_count_init (&self->ref_count);
  self->name = g_strdup (name);
  self->kind = kind;
  self->n_nodes = n_nodes;
  self->values = g_new (double, MAX (n_nodes, 1));
  self->order = g_new (guint32, MAX (n_nodes, 1));
  self->places = g_new (float, MAX (n_nodes, 1));
  self->least = self->most = self->median = NAN;
  return self;
}

/* Once the values are there. */
static void
finish (GobanNodeValues *self, gboolean by_rank)
{
  sort_known (self);
  if (self->n_known > 0)
    {
      self->least = value_at (self, 0);
      self->most = value_at (self, self->n_known - 1);
      self->median = median_from (self, 0);
      if (by_rank)
        find_different (self);
      else
        choose_scale (self);
    }
  fill_places (self);
}

/**
 * node_values_new:
 * @field: one that is a number
 *
 * Reads the field of every node. O(N) plus the cost of the field; a few milliseconds for 80,000
 * nodes. Priorities are ranked, because only their order has a meaning.
 *
 * Returns: (transfer full)
 */
static GobanNodeValues *
node_values_new (const GobanNodeField *field, const GobanNodeContext *context)
{
  guint n = goban_graph_get_n_nodes (goban_cost_model_get_graph (context->costs));
  GobanNodeValues *self;

  g_return_val_if_fail (field->number != NULL, NULL);

  self = new_empty (field->name, field->kind, n);
  for (guint v = 0; v < n; v++)
    self->values[v] = field->number (context, v);
  finish (self, field->is_rank);
  return self;
}

GobanNodeValues *
goban_node_values_new_from_numbers (const char *name, GobanFieldKind kind, const double *numbers,
                                    guint n)
{
  GobanNodeValues *self = new_empty (name, kind, n);

  if (n > 0)
    memcpy (self->values, numbers, n * sizeof *numbers);
  finish (self, FALSE);
  return self;
}

GobanNodeValues *
goban_node_values_new_on (const GobanNodeValues *self, const GobanNodeValues *ramp)
{
  GobanNodeValues *moved;

  g_return_val_if_fail (ramp->scale != GOBAN_SCALE_RANK, NULL);

  moved = new_empty (self->name, self->kind, self->n_nodes);
  if (self->n_nodes > 0)
    memcpy (moved->values, self->values, self->n_nodes * sizeof *self->values);
  if (self->n_known > 0)
    memcpy (moved->order, self->order, self->n_known * sizeof *self->order);
  moved->n_known = self->n_known;
  moved->median = self->median;
  moved->scale = ramp->scale;
  moved->least = ramp->least;
  moved->most = ramp->most;
  moved->floor = ramp->floor;
  fill_places (moved);
  return moved;
}

static GQuark
quark_of (const GobanNodeField *field)
{
  g_autofree char *key = g_strconcat ("goban-node-values-", field->name, NULL);

  return g_quark_from_string (key);
}

gboolean
goban_node_values_are_kept (const GobanNodeField *field, GobanRun *run)
{
  return goban_run_get_derived (run, quark_of (field)) != NULL;
}

GobanNodeValues *
goban_node_values_get (const GobanNodeField *field, const GobanNodeContext *context)
{
  GobanNodeValues *values;
  GQuark quark;

  if (context->run == NULL)
    return node_values_new (field, context);

  quark = quark_of (field);
  values = goban_run_get_derived (context->run, quark);
  if (values == NULL)
    values = goban_run_keep_derived (context->run, quark, node_values_new (field, context),
                                     (GDestroyNotify) goban_node_values_unref);
  return goban_node_values_ref (values);
}

GobanNodeValues *
goban_node_values_ref (GobanNodeValues *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
goban_node_values_unref (GobanNodeValues *self)
{
  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;
  g_free (self->name);
  g_free (self->values);
  g_free (self->order);
  g_free (self->places);
  g_free (self->different);
  g_free (self);
}

/* --- bins ---------------------------------------------------------------------------------- */

double
goban_node_values_at (const GobanNodeValues *self, double place)
{
  if (self->n_known == 0)
    return NAN;
  if (!(place > 0) || place >= 1)
    return place >= 1 ? self->most : self->least;
  if (self->scale == GOBAN_SCALE_RANK)
    return self->different[(guint) (place * (self->n_different - 1) + 0.5)];
  if (self->scale == GOBAN_SCALE_LOG)
    return self->floor * pow (self->most / self->floor, place);
  return self->least * (1 - place) + self->most * place;
}

guint
goban_node_values_bin (const GobanNodeValues *self, GobanNodeId node, guint n_bins)
{
  double place = (double) self->places[node];

  return isnan (place) ? n_bins : MIN ((guint) (place * n_bins), n_bins - 1);
}

/* The first of the order whose bin is @bin or a later one: bins grow with the order. */
static guint
find_bin (const GobanNodeValues *self, guint n_bins, guint bin)
{
  guint low = 0;
  guint high = self->n_known;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (goban_node_values_bin (self, self->order[middle], n_bins) >= bin)
        high = middle;
      else
        low = middle + 1;
    }
  return low;
}

void
goban_node_values_count (const GobanNodeValues *self, guint *counts, guint n_bins)
{
  guint first = 0;

  for (guint bin = 0; bin < n_bins; bin++)
    {
      guint end = find_bin (self, n_bins, bin + 1);

      counts[bin] = end - first;
      first = end;
    }
}

GobanSelection *
goban_node_values_select (const GobanNodeValues *self, guint n_bins, guint first, guint last)
{
  guint from = find_bin (self, n_bins, first);
  guint end = find_bin (self, n_bins, last + 1);

  return goban_selection_new (self->order + from, end > from ? end - from : 0);
}

gboolean
goban_node_values_range (const GobanNodeValues *self, guint n_bins, guint first, guint last,
                         double *from, double *to)
{
  guint begin = find_bin (self, n_bins, first);
  guint end = find_bin (self, n_bins, last + 1);

  if (end <= begin)
    return FALSE;

  *from = value_at (self, begin);
  *to = value_at (self, end - 1);
  return TRUE;
}

/* --- display ------------------------------------------------------------------------------- */

const char *
goban_node_values_format (const GobanNodeValues *self, char *buffer, double value)
{
  return self->kind == GOBAN_FIELD_TIME    ? goban_format_time (buffer, value)
         : self->kind == GOBAN_FIELD_BYTES ? goban_format_bytes (buffer, value)
                                           : goban_format_count (buffer, value);
}

char *
goban_node_values_describe (const GobanNodeValues *self)
{
  static const char *const scales[] = { "", ", on a logarithmic scale", ", by rank" };
  const GobanNodeField *field = goban_node_field_find (self->name, NULL); /* or of a script */
  GString *text = g_string_new (field != NULL ? field->title : self->name);
  char least[GOBAN_QUANTITY_LEN], most[GOBAN_QUANTITY_LEN], median[GOBAN_QUANTITY_LEN];

  g_string_append_printf (text, " of %s nodes", goban_format_grouped (least, self->n_known));
  if (self->n_known > 0)
    g_string_append_printf (
        text, ": %s to %s, median %s%s", goban_node_values_format (self, least, self->least),
        goban_node_values_format (self, most, self->most),
        goban_node_values_format (self, median, self->median), scales[self->scale]);
  if (self->n_known < self->n_nodes)
    g_string_append_printf (text, "; of %s unknown",
                            goban_format_grouped (least, self->n_nodes - self->n_known));
  return g_string_free (text, FALSE);
}
