#include "engine/study/measure/iteration-fit.h"

#include "engine/core/csv-text.h"
#include "engine/core/error.h"
#include "engine/core/file-read.h"
#include "engine/core/pattern-search.h"
#include "engine/core/quantity.h"
#include "engine/graph/collectives.h"
#include "engine/study/measure/spread.h"
#include "engine/study/run/graph-source.h"
#include "engine/study/run/parallel-training.h"

#include <math.h>
#include <string.h>

#define LEAST_NODES 3
/* So many nodes at equal distances are enough to search with: errors are those of all. */
#define MOST_SEARCHED 4000

enum
{
  COMPUTE,
  MEMORY,
  LAUNCH,
  N_CONSTANTS
};

/* What the data sheet says of a node. */
typedef struct
{
  double compute_us;
  double memory_us;
  double measured_us;
} Sample;

typedef struct
{
  const Sample *samples;
  guint n;
  guint stride;
} Samples;

static double
estimate_us (const Sample *sample, const double *constants)
{
  return MAX (sample->compute_us / constants[COMPUTE], sample->memory_us / constants[MEMORY])
         + constants[LAUNCH];
}

static double
find_device_error (const double *constants, gpointer data)
{
  const Samples *self = data;
  double sum = 0;
  guint n = 0;

  for (guint i = 0; i < self->n; i += self->stride, n++)
    sum += fabs (log (estimate_us (&self->samples[i], constants) / self->samples[i].measured_us));
  return sum / n;
}

/* Sorts errors (n). */
static GobanFitErrors
fit_errors_new (double *errors, guint n)
{
  GobanFitErrors found = { 0 };
  GobanSpread spread;

  for (guint i = 0; i < n; i++)
    found.mean += errors[i] / n;
  spread = goban_spread_new (errors, n);
  found.median = spread.median;
  found.high = spread.high;
  return found;
}

static GobanFitErrors
find_device_errors (const Samples *self, const double *constants)
{
  g_autofree double *errors = g_new (double, self->n);

  for (guint i = 0; i < self->n; i++)
    errors[i]
        = fabs (estimate_us (&self->samples[i], constants) / self->samples[i].measured_us - 1);
  return fit_errors_new (errors, self->n);
}

static GArray *
gather (const GobanCostModel *costs, GobanDeviceId device_id)
{
  GobanGraph *graph = goban_cost_model_get_graph (costs);
  const GobanDevice *device
      = goban_cluster_get_device (goban_cost_model_get_cluster (costs), device_id);
  GArray *samples = g_array_new (FALSE, FALSE, sizeof (Sample));

  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (graph); v++)
    {
      const GobanNode *node = goban_graph_get_node (graph, v);
      const Sample sample = {
        node->flops / goban_cost_model_get_peak_flops (costs, v, device_id),
        (node->read_bytes + node->written_bytes) / device->memory_bytes_per_us,
        goban_cost_model_time_us (costs, v, device_id),
      };

      if (goban_cost_model_get_source (costs, v, device_id) != GOBAN_SOURCE_ESTIMATED
          && isfinite (sample.measured_us) && sample.measured_us > 0
          && sample.compute_us + sample.memory_us > 0
          && goban_graph_find_collective (graph, v) == NULL)
        g_array_append_val (samples, sample);
    }
  return samples;
}

/* The error has several minima, as which of the two bounds a node changes: so the search begins at
 * several places. */
static void
search (Samples *self, double launch_us, double *best)
{
  static const double shares[] = { 1, 0.3, 0.08 };
  double least = INFINITY;

  for (gsize i = 0; i < G_N_ELEMENTS (shares) * G_N_ELEMENTS (shares); i++)
    {
      const double start[N_CONSTANTS]
          = { shares[i / G_N_ELEMENTS (shares)], shares[i % G_N_ELEMENTS (shares)], launch_us };
      double found[N_CONSTANTS];
      double error = goban_pattern_search (start, N_CONSTANTS, find_device_error, self, found);

      if (error < least)
        memcpy (best, found, sizeof found);
      least = MIN (least, error);
    }
  /* No factor leads to 0. */
  const double without[N_CONSTANTS] = { best[COMPUTE], best[MEMORY], 0 };

  if (find_device_error (without, self) <= least)
    best[LAUNCH] = 0;
}

/* The first device of that kind or, if it is NULL, of one that the costs have a measured time for;
 * GOBAN_NO_DEVICE if there is none. */
static GobanDeviceId
find_device (const GobanCostModel *costs, const char *kind)
{
  const GobanCluster *cluster = goban_cost_model_get_cluster (costs);
  guint n_nodes = goban_graph_get_n_nodes (goban_cost_model_get_graph (costs));

  for (guint d = 0; d < goban_cluster_get_n_devices (cluster); d++)
    {
      GobanDeviceId device = (GobanDeviceId) d;
      gboolean is_found
          = kind != NULL && strcmp (goban_cluster_get_device (cluster, device)->kind, kind) == 0;

      for (GobanNodeId v = 0; kind == NULL && v < n_nodes && !is_found; v++)
        is_found = goban_cost_model_get_source (costs, v, device) != GOBAN_SOURCE_ESTIMATED;
      if (is_found)
        return device;
    }
  return GOBAN_NO_DEVICE;
}

gboolean
goban_device_fit (const GobanCostModel *costs, const char *kind, GobanDeviceFit *fit,
                  GError **error)
{
  const GobanCluster *cluster = goban_cost_model_get_cluster (costs);
  GobanDeviceId id = find_device (costs, kind);
  g_autoptr (GArray) list = NULL;
  const GobanDevice *device;
  double least_us = INFINITY;
  double best[N_CONSTANTS], sheet[N_CONSTANTS] = { 1, 1, 0 };
  Samples samples = { .stride = 1 };

  if (id == GOBAN_NO_DEVICE && kind != NULL)
    return goban_refuse (error, GOBAN_ERROR_INVALID, "%s has no device of the kind “%s”",
                         goban_cluster_get_name (cluster), kind);
  if (id == GOBAN_NO_DEVICE)
    return goban_refuse (error, GOBAN_ERROR_INVALID,
                         "no op has a measured time on a device of %s: choose another cluster, or "
                         "take times from a profile",
                         goban_cluster_get_name (cluster));
  list = gather (costs, id);
  samples.samples = (const Sample *) (gpointer) list->data;
  samples.n = list->len;
  device = goban_cluster_get_device (cluster, id);
  sheet[LAUNCH] = device->launch_us;
  if (samples.n < LEAST_NODES)
    return goban_refuse (error, GOBAN_ERROR_INVALID,
                         "%s: %u nodes have FLOPs or bytes and a measured time on the kind %s; at "
                         "least %d are needed",
                         goban_graph_get_name (goban_cost_model_get_graph (costs)), samples.n,
                         device->kind, LEAST_NODES);
  for (guint i = 0; i < samples.n; i++)
    least_us = MIN (least_us, samples.samples[i].measured_us);
  samples.stride = samples.n / MOST_SEARCHED + 1;
  search (&samples, least_us / 2, best);

  *fit = (GobanDeviceFit){
    .kind = device->kind,
    .n_nodes = samples.n,
    .compute_efficiency = best[COMPUTE],
    .memory_efficiency = best[MEMORY],
    .launch_us = best[LAUNCH],
    .fitted = find_device_errors (&samples, best),
    .sheet = find_device_errors (&samples, sheet),
  };
  for (guint i = 0; i < samples.n; i++)
    fit->n_compute += samples.samples[i].compute_us / best[COMPUTE]
                      > samples.samples[i].memory_us / best[MEMORY];
  return TRUE;
}

GobanCluster *
goban_device_fit_apply (const GobanDeviceFit *self, const GobanCluster *cluster, GError **error)
{
  const struct
  {
    const char *field;
    double value;
  } constants[] = {
    { "compute_efficiency", self->compute_efficiency },
    { "memory_efficiency", self->memory_efficiency },
    { "launch_us", self->launch_us },
  };
  GobanCluster *changed = goban_cluster_ref ((GobanCluster *) cluster);

  for (gsize i = 0; i < G_N_ELEMENTS (constants) && changed != NULL; i++)
    {
      g_autoptr (GobanCluster) old = changed;

      changed = goban_cluster_with_kind (old, self->kind, constants[i].field, constants[i].value,
                                         error);
    }
  return changed;
}

char *
goban_device_fit_to_text (const GobanDeviceFit *self)
{
  GString *text = g_string_new (NULL);
  char launch[GOBAN_QUANTITY_LEN];
  const GobanFitErrors *fitted = &self->fitted, *sheet = &self->sheet;

  if (self->is_of_iterations)
    g_string_append_printf (text, "calibrated  %s, %u iterations\n", self->kind, self->n_nodes);
  else
    g_string_append_printf (text, "calibrated  %s, %u ops, of which arithmetic bounds %u\n",
                            self->kind, self->n_nodes, self->n_compute);
  g_string_append_printf (
      text,
      "compute     %.4g of the peak%s\n"
      "memory      %.4g of the bandwidth%s\n"
      "launch      %s\n"
      "error       mean %.1f %%, median %.1f %%, 90th percentile %.1f %%\n"
      "data sheet  mean %.1f %%, median %.1f %%, 90th percentile %.1f %%\n",
      self->compute_efficiency, self->n_compute > 0 ? "" : ": unknown, it bounds no op",
      self->memory_efficiency,
      self->n_compute < self->n_nodes || self->is_of_iterations ? "" : ": unknown, it bounds no op",
      goban_format_time (launch, self->launch_us), 100 * fitted->mean, 100 * fitted->median,
      100 * fitted->high, 100 * sheet->mean, 100 * sheet->median, 100 * sheet->high);
  return g_string_free (text, FALSE);
}

/* Shares of the data sheet, from the largest. */
static const double compute_shares[] = { 1, 0.9, 0.8, 0.7 };
static const double memory_shares[] = { 1, 0.75, 0.6, 0.45 };
#define N_SHARES G_N_ELEMENTS (compute_shares)

typedef struct
{
  char *model;
  char *recompute; /* (nullable) */
  char *schedule;  /* (nullable) */
  GobanTrainingShape shape;
  double measured_us;
  double flops;
  guint n_devices;
  double times_us[N_SHARES][N_SHARES]; /* by shares of compute and memory */
} Row;

struct _GobanIterations
{
  GArray *rows;
  char *kind; /* (nullable) before they are simulated */
  double launch_us;
};

static void
row_clear (gpointer data)
{
  Row *row = data;

  g_free (row->model);
  g_free (row->recompute);
  g_free (row->schedule);
}

void
goban_iterations_free (GobanIterations *self)
{
  g_array_unref (self->rows);
  g_free (self->kind);
  g_free (self);
}

static Row *
get_row (const GobanIterations *self, guint i)
{
  return &g_array_index (self->rows, Row, i);
}

/* --- the table ------------------------------------------------------------------------------- */

typedef struct
{
  const char *origin;
  guint line;
  GString *knobs; /* of the model */
} Reader;

static gboolean
read_whole (const Reader *self, const char *column, const char *cell, guint *value, GError **error)
{
  guint64 number;

  if (!g_ascii_string_to_unsigned (cell, 10, 0, G_MAXINT, &number, NULL))
    return goban_refuse (error, GOBAN_ERROR_INVALID,
                         "%s: line %u: “%s” is not a whole number, as %s is", self->origin,
                         self->line, cell, column);
  *value = (guint) number;
  return TRUE;
}

static gboolean
read_cell (Reader *self, const char *column, const char *cell, Row *row, GError **error)
{
  GobanTrainingShape *shape = &row->shape;
  guint splits_sequence = shape->splits_sequence;
  const struct
  {
    const char *column;
    guint *value;
  } wholes[] = {
    { "tp", &shape->tp },       { "pp", &shape->pp },       { "dp", &shape->dp },
    { "ep", &shape->ep },       { "sp", &splits_sequence }, { "micro_batch", &shape->micro_batch },
    { "batch", &shape->batch }, { "zero", &shape->zero },   { "chunks", &shape->n_chunks },
  };
  char *end;

  if (strcmp (column, "seconds") == 0)
    {
      row->measured_us = 1e6 * g_ascii_strtod (cell, &end);
      return (*end == '\0' && end > cell && isfinite (row->measured_us) && row->measured_us > 0)
             || goban_refuse (error, GOBAN_ERROR_INVALID,
                              "%s: line %u: “%s” is not a time in seconds", self->origin,
                              self->line, cell);
    }
  if (*cell == '\0')
    return TRUE;
  if (strcmp (column, "model") == 0)
    row->model = g_strdup (cell);
  else if (strcmp (column, "recompute") == 0)
    row->recompute = g_strdup (cell);
  else if (strcmp (column, "schedule") == 0)
    row->schedule = g_strdup (cell);
  else
    {
      for (gsize i = 0; i < G_N_ELEMENTS (wholes); i++)
        if (strcmp (column, wholes[i].column) == 0)
          {
            if (!read_whole (self, column, cell, wholes[i].value, error))
              return FALSE;
            shape->splits_sequence = splits_sequence > 0;
            return TRUE;
          }
      g_string_append_printf (self->knobs, "%s%s=%s", self->knobs->len > 0 ? "," : "", column,
                              cell);
    }
  return TRUE;
}

static gboolean
read_row (Reader *self, const GPtrArray *columns, const GPtrArray *cells, GArray *rows,
          GError **error)
{
  Row row = { 0 };
  gboolean is_read = TRUE;

  g_string_truncate (self->knobs, 0);
  if (cells->len > columns->len)
    is_read = goban_refuse (error, GOBAN_ERROR_INVALID, "%s: line %u has %u cells for %u columns",
                            self->origin, self->line, cells->len, columns->len);
  for (guint i = 0; i < columns->len && is_read; i++)
    is_read = i < cells->len
                  ? read_cell (self, columns->pdata[i], cells->pdata[i], &row, error)
                  : goban_refuse (error, GOBAN_ERROR_INVALID,
                                  "%s: line %u: there is no cell for the column %s", self->origin,
                                  self->line, (const char *) columns->pdata[i]);
  if (is_read && row.model == NULL)
    is_read = goban_refuse (error, GOBAN_ERROR_INVALID, "%s: line %u has no model", self->origin,
                            self->line);
  if (is_read && self->knobs->len > 0)
    {
      g_autofree char *own = g_steal_pointer (&row.model);

      row.model = g_strdup_printf ("%s%c%s", own, strchr (own, ':') != NULL ? ',' : ':',
                                   self->knobs->str);
    }
  g_array_append_val (rows, row);
  return is_read;
}

GobanIterations *
goban_iterations_parse (const char *text, const char *origin, GError **error)
{
  static const char *const needed[] = { "seconds", "model" };
  g_autoptr (GobanIterations) self = g_new0 (GobanIterations, 1);
  g_autoptr (GString) knobs = g_string_new (NULL);
  /* An empty text would have no line at all. */
  g_auto (GStrv) lines = g_strsplit (*text != '\0' ? text : "\n", "\n", -1);
  g_autoptr (GPtrArray) columns = goban_csv_split (lines[0]);
  Reader reader = { origin, 1, knobs };

  self->rows = g_array_new (FALSE, TRUE, sizeof (Row));
  g_array_set_clear_func (self->rows, row_clear);
  for (guint i = 0; i < G_N_ELEMENTS (needed); i++)
    if (!g_ptr_array_find_with_equal_func (columns, needed[i], g_str_equal, NULL))
      {
        goban_set_error (error, GOBAN_ERROR_INVALID,
                         "%s: there is no column “%s” in “%s”: commas part columns, and numbers "
                         "have a decimal point",
                         origin, needed[i], g_strstrip (lines[0]));
        return NULL;
      }
  while (lines[reader.line] != NULL)
    {
      char *line = lines[reader.line++];
      g_autoptr (GPtrArray) cells = NULL;

      if (*g_strstrip (line) == '\0')
        continue;
      cells = goban_csv_split (line);
      if (!read_row (&reader, columns, cells, self->rows, error))
        return NULL;
    }
  return g_steal_pointer (&self);
}

/* --- simulating ------------------------------------------------------------------------------ */

static GobanCluster *
make_cluster (const GobanIterations *self, const GobanCluster *cluster, double compute,
              double memory, GError **error)
{
  const GobanDeviceFit fit = { .kind = self->kind,
                               .compute_efficiency = compute,
                               .memory_efficiency = memory,
                               .launch_us = self->launch_us };

  return goban_device_fit_apply (&fit, cluster, error);
}

static gboolean
simulate_row (Row *row, GobanCluster *cluster, double *time_us, GError **error)
{
  g_autoptr (GobanParallelTraining) training = NULL;
  const GobanTrainingFigures *figures;

  row->shape.recompute = row->recompute;
  row->shape.schedule = row->schedule;
  training = goban_parallel_training_new (row->model, NULL, cluster, &row->shape, error);
  if (training == NULL)
    return FALSE;
  figures = &training->figures;
  row->flops = figures->flops;
  row->n_devices = figures->n_devices;
  *time_us = goban_run_get_makespan_us (training->run);
  return isfinite (*time_us)
         || goban_refuse (error, GOBAN_ERROR_INVALID, "it does not fit into memory");
}

gboolean
goban_iterations_simulate (GobanIterations *self, const GobanCluster *cluster, const char *kind,
                           const GobanProgress *progress, GError **error)
{
  guint n = self->rows->len;

  g_free (self->kind);
  self->kind = g_strdup (kind != NULL ? kind : goban_cluster_get_device (cluster, 0)->kind);
  for (guint d = goban_cluster_get_n_devices (cluster); d-- > 0;)
    if (strcmp (goban_cluster_get_device (cluster, d)->kind, self->kind) == 0)
      self->launch_us = goban_cluster_get_device (cluster, d)->launch_us;
  for (guint k = 0; k < N_SHARES * N_SHARES; k++)
    {
      guint c = k / N_SHARES, m = k % N_SHARES;
      g_autoptr (GobanCluster) changed
          = make_cluster (self, cluster, compute_shares[c], memory_shares[m], error);

      if (changed == NULL)
        return FALSE;
      for (guint i = 0; i < n; i++)
        {
          goban_progress_step (progress, (double) (k * n + i) / (N_SHARES * N_SHARES * n), "");
          if (!goban_progress_check (progress, error))
            return FALSE;
          if (!simulate_row (get_row (self, i), changed, &get_row (self, i)->times_us[c][m], error))
            {
              g_prefix_error (error, "row %u, %s: ", i + 1, get_row (self, i)->model);
              return FALSE;
            }
        }
    }
  return TRUE;
}

/* --- fitting --------------------------------------------------------------------------------- */

/* The place of a share among those of the grid, in inverses: a row and the way to the next one. */
static guint
locate (const double *shares, double share, double *way)
{
  guint i = 0;

  while (i < N_SHARES - 2 && share < shares[i + 1])
    i++;
  *way = (1 / share - 1 / shares[i]) / (1 / shares[i + 1] - 1 / shares[i]);
  return i;
}

double
goban_iterations_predict_us (const GobanIterations *self, guint row, double compute, double memory)
{
  const double (*t)[N_SHARES] = get_row (self, row)->times_us;
  double x, y;
  guint i = locate (compute_shares, compute, &x), j = locate (memory_shares, memory, &y);

  return (1 - x) * ((1 - y) * t[i][j] + y * t[i][j + 1])
         + x * ((1 - y) * t[i + 1][j] + y * t[i + 1][j + 1]);
}

typedef struct
{
  const GobanIterations *iterations;
  const guint *rows;
  guint n;
} Search;

static guint
find_row (const Search *self, guint i)
{
  return self->rows != NULL ? self->rows[i] : i;
}

static double
find_error (const double *constants, gpointer data)
{
  const Search *self = data;
  double sum = 0;

  if (MAX (constants[0], constants[1]) > 1)
    return INFINITY;
  for (guint i = 0; i < self->n; i++)
    {
      guint row = find_row (self, i);

      sum += fabs (
          log (goban_iterations_predict_us (self->iterations, row, constants[0], constants[1])
               / get_row (self->iterations, row)->measured_us));
    }
  return sum / self->n;
}

static GobanFitErrors
find_errors (const Search *self, double compute, double memory)
{
  g_autofree double *errors = g_new (double, self->n);

  for (guint i = 0; i < self->n; i++)
    {
      guint row = find_row (self, i);

      errors[i] = fabs (goban_iterations_predict_us (self->iterations, row, compute, memory)
                            / get_row (self->iterations, row)->measured_us
                        - 1);
    }
  return fit_errors_new (errors, self->n);
}

gboolean
goban_iterations_fit (const GobanIterations *self, const guint *rows, guint n, GobanDeviceFit *fit,
                      GError **error)
{
  static const double start[] = { 0.8, 0.6 };
  Search search = { self, rows, rows != NULL ? n : self->rows->len };
  double best[2];

  if (search.n < GOBAN_LEAST_ITERATIONS)
    return goban_refuse (error, GOBAN_ERROR_INVALID,
                         "%u measured iterations cannot be fitted to: at least %d are needed",
                         search.n, GOBAN_LEAST_ITERATIONS);
  goban_pattern_search (start, 2, find_error, &search, best);
  *fit = (GobanDeviceFit){
    .kind = self->kind,
    .n_nodes = search.n,
    .n_compute = search.n,
    .is_of_iterations = TRUE,
    .compute_efficiency = best[0],
    .memory_efficiency = best[1],
    .launch_us = self->launch_us,
    .fitted = find_errors (&search, best[0], best[1]),
    .sheet = find_errors (&search, 1, 1),
  };
  return TRUE;
}

/* --- rows ------------------------------------------------------------------------------------ */

guint
goban_iterations_get_n (const GobanIterations *self)
{
  return self->rows->len;
}

double
goban_iterations_get_measured_us (const GobanIterations *self, guint row)
{
  return get_row (self, row)->measured_us;
}

double
goban_iterations_get_flops (const GobanIterations *self, guint row)
{
  return get_row (self, row)->flops;
}

guint
goban_iterations_get_n_devices (const GobanIterations *self, guint row)
{
  return get_row (self, row)->n_devices;
}

/* --- files ----------------------------------------------------------------------------------- */

static gboolean
fit_table (const char *path, GobanCluster *cluster, const char *kind, const GobanProgress *progress,
           GobanDeviceFit *fit, GError **error)
{
  g_autoptr (GBytes) bytes = goban_file_read (path, GOBAN_FILE_TEXT, error);
  g_autoptr (GobanIterations) self = NULL;

  if (bytes != NULL)
    self = goban_iterations_parse (g_bytes_get_data (bytes, NULL), path, error);
  if (self == NULL || !goban_iterations_simulate (self, cluster, kind, progress, error)
      || !goban_iterations_fit (self, NULL, 0, fit, error))
    return FALSE;
  fit->kind = g_intern_string (fit->kind);
  return TRUE;
}

gboolean
goban_device_fit_file (const char *path, GobanGraph *graph, GobanCluster *cluster, const char *kind,
                       const GobanProgress *progress, GobanDeviceFit *fit, GError **error)
{
  g_autoptr (GobanGraph) timed = NULL;
  g_autoptr (GobanCostModel) costs = NULL;

  if (path != NULL && g_str_has_suffix (path, ".csv"))
    return fit_table (path, cluster, kind, progress, fit, error);
  if (path == NULL)
    timed = goban_graph_ref (graph);
  else if (graph != NULL && goban_graph_source_is_profile (path))
    timed = goban_graph_source_measure (graph, path, cluster, progress, error);
  else
    timed = goban_graph_source_load (path, &(GobanLoadOptions){ .progress = progress }, error);
  if (timed == NULL)
    return FALSE;
  costs = goban_cost_model_new (timed, cluster, GOBAN_EXECUTION_EVENTS);
  if (!goban_device_fit (costs, kind, fit, error))
    return FALSE;
  fit->kind = g_intern_string (fit->kind);
  return TRUE;
}
