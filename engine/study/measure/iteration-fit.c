#include "engine/study/measure/iteration-fit.h"

#include "engine/core/csv-text.h"
#include "engine/core/error.h"
#include "engine/core/file-read.h"
#include "engine/core/pattern-search.h"
#include "engine/study/run/graph-source.h"
#include "engine/study/run/parallel-training.h"

#include <math.h>
#include <string.h>

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
        goban_set_error (error, GOBAN_ERROR_INVALID, "%s: there is no column “%s”", origin,
                         needed[i]);
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
  figures = goban_parallel_training_get_figures (training);
  row->flops = figures->flops;
  row->n_devices = figures->n_devices;
  *time_us = goban_run_get_makespan_us (goban_parallel_training_get_run (training));
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
  return goban_fit_errors_new (errors, self->n);
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
