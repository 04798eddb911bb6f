#include "engine/placers/m-sct-lp.h"
#include "engine/core/i18n.h"

#include <coin/Clp_C_Interface.h>

/* Weight of a microsecond of transfer if w does not depend on it. Small enough that all transfers
 * together do not outweigh the precision of w. */
#define SHARE_BONUS 1e-6

/* Times are scaled to this mean, CLP's tolerances being absolute. */
#define MEAN_TIME 100
/* Times that are smaller still are none. */
#define MAX_SCALE 1e300

/* Pivots between two questions whether to stop, at first: a restart costs a factorisation, so every
 * stretch is longer than the one before. */
#define PIVOTS 4000
#define MAX_STRETCHES 60

#define NO_ROW (-1)

/* States of rows and columns, with CLP's numbers. */
enum
{
  BASIC = 1,
  AT_UPPER = 2,
  AT_LOWER = 3,
};

typedef struct
{
  const GobanSctTasks *tasks;
  double scale;
  double *shares;
  double *starts_us; /* (n_tasks) by the shares found so far */
  double *tails_us;  /* (n_tasks) the longest path from a start to the end, all transfers paid */
  guint32 *offsets;  /* (n_tasks + 1) the edges out of a task */
} Solver;

/* A run of tasks, low .. high - 1, and the edges within it. */
typedef struct
{
  guint low;
  guint high;
  GArray *edges;     /* guint32 */
  double *ready_us;  /* (high - low) when inputs from earlier windows are there */
  double *beyond_us; /* (high - low) the longest path after a task's end that leaves the window */
} Window;

static void
init_window (Window *self, const Solver *solver, guint low, guint high)
{
  const GobanSctTasks *tasks = solver->tasks;

  self->low = low;
  self->high = high;
  self->edges = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->ready_us = g_new0 (double, high - low);
  self->beyond_us = g_new0 (double, high - low);
  for (guint32 e = 0; e < solver->offsets[high]; e++)
    {
      const GobanSctEdge *edge = &tasks->edges[e];

      if (edge->head < low || edge->head >= high)
        {
          if (edge->tail >= low && edge->head >= high)
            self->beyond_us[edge->tail - low] = MAX (self->beyond_us[edge->tail - low],
                                                     edge->cost_us + solver->tails_us[edge->head]);
        }
      else if (edge->tail < low)
        self->ready_us[edge->head - low]
            = MAX (self->ready_us[edge->head - low],
                   solver->starts_us[edge->tail] + tasks->times_us[edge->tail] + edge->cost_us);
      else
        g_array_append_val (self->edges, e);
    }
}

static void
clear_window (Window *self)
{
  g_array_unref (self->edges);
  g_free (self->ready_us);
  g_free (self->beyond_us);
}

/* --- the programme, by columns: s of every task, y of every edge, w ---------------------- */

typedef struct
{
  guint n_columns;
  guint n_rows;
  CoinBigIndex *starts; /* (n_columns + 1) into rows and values */
  GArray *rows;         /* int */
  GArray *values;       /* double */
  double *column_lower;
  double *column_upper;
  double *objective;
  double *row_lower;
  double *row_upper;
  int *last; /* (tasks of the window) the row of w >= s + p, or NO_ROW */
} Programme;

static void
add_entry (Programme *self, int row, double value)
{
  if (row == NO_ROW)
    return;
  g_array_append_val (self->rows, row);
  g_array_append_val (self->values, value);
}

static void
allocate_programme (Programme *self, guint n_columns, guint n_rows)
{
  self->n_columns = n_columns;
  self->n_rows = n_rows;
  self->starts = g_new (CoinBigIndex, n_columns + 1);
  self->rows = g_array_new (FALSE, FALSE, sizeof (int));
  self->values = g_array_new (FALSE, FALSE, sizeof (double));
  self->column_lower = g_new0 (double, n_columns);
  self->column_upper = g_new (double, n_columns);
  self->objective = g_new0 (double, n_columns);
  self->row_lower = g_new (double, n_rows);
  self->row_upper = g_new (double, n_rows);
  for (guint i = 0; i < n_columns; i++)
    self->column_upper[i] = G_MAXDOUBLE;
}

static void
clear_programme (Programme *self)
{
  g_free (self->starts);
  g_array_unref (self->rows);
  g_array_unref (self->values);
  g_free (self->column_lower);
  g_free (self->column_upper);
  g_free (self->objective);
  g_free (self->row_lower);
  g_free (self->row_upper);
  g_free (self->last);
}

static void
set_row (Programme *self, int row, double lower, double upper)
{
  self->row_lower[row] = lower;
  self->row_upper[row] = upper;
}

/* Rows of sums of shares, which a single edge does not need: NO_ROW there. ends says of every
 * edge of the window whose sum it is. */
static guint
number_sums (const Window *window, const guint32 *ends, int *sums, guint n_rows)
{
  guint n = window->high - window->low;
  g_autofree guint *counts = g_new0 (guint, n);

  for (guint i = 0; i < window->edges->len; i++)
    counts[ends[i]]++;
  for (guint t = 0; t < n; t++)
    sums[t] = counts[t] > 1 ? (int) n_rows++ : NO_ROW;
  return n_rows;
}

/* Edge i of the window is row i; tasks need a row below w if no path inside goes on. */
static void
fill_programme (Programme *self, const Solver *solver, const Window *window)
{
  const GobanSctTasks *tasks = solver->tasks;
  guint n = window->high - window->low;
  guint m = window->edges->len;
  guint n_rows = m;
  double k = solver->scale;
  g_autofree guint32 *tails = g_new (guint32, m);
  g_autofree guint32 *heads = g_new (guint32, m);
  g_autofree guint8 *goes_on = g_new0 (guint8, n);
  g_autofree int *sums_out = g_new (int, n);
  g_autofree int *sums_in = g_new (int, n);
  int *last = self->last = g_new (int, n);
  g_autoptr (GPtrArray) entries = g_ptr_array_new_with_free_func ((GDestroyNotify) g_array_unref);

  for (guint t = 0; t < n; t++)
    g_ptr_array_add (entries, g_array_new (FALSE, FALSE, sizeof (int)));
  for (guint i = 0; i < m; i++)
    {
      const GobanSctEdge *edge = &tasks->edges[g_array_index (window->edges, guint32, i)];
      int out = -1 - (int) i; /* row i with a minus sign, distinct from row i with a plus */
      int in = (int) i;

      tails[i] = edge->tail - window->low;
      heads[i] = edge->head - window->low;
      goes_on[tails[i]] = TRUE;
      g_array_append_val (g_ptr_array_index (entries, tails[i]), out);
      g_array_append_val (g_ptr_array_index (entries, heads[i]), in);
    }
  n_rows = number_sums (window, tails, sums_out, n_rows);
  n_rows = number_sums (window, heads, sums_in, n_rows);
  for (guint t = 0; t < n; t++)
    last[t] = !goes_on[t] || window->beyond_us[t] > 0 ? (int) n_rows++ : NO_ROW;

  allocate_programme (self, n + m + 1, n_rows);
  for (guint r = 0; r < n_rows; r++)
    set_row (self, (int) r, -G_MAXDOUBLE, 1);

  for (guint t = 0; t < n; t++)
    {
      const GArray *own = g_ptr_array_index (entries, t);

      self->starts[t] = (CoinBigIndex) self->rows->len;
      self->column_lower[t] = window->ready_us[t] * k;
      for (guint i = 0; i < own->len; i++)
        {
          int row = g_array_index (own, int, i);

          add_entry (self, row < 0 ? -1 - row : row, row < 0 ? -1 : 1);
        }
      add_entry (self, last[t], -1);
      if (last[t] != NO_ROW)
        set_row (self, last[t], (tasks->times_us[window->low + t] + window->beyond_us[t]) * k,
                 G_MAXDOUBLE);
    }
  for (guint i = 0; i < m; i++)
    {
      const GobanSctEdge *edge = &tasks->edges[g_array_index (window->edges, guint32, i)];
      guint column = n + i;

      self->starts[column] = (CoinBigIndex) self->rows->len;
      self->column_upper[column] = edge->cost_us > 0 ? 1 : 0;
      self->objective[column] = -SHARE_BONUS * edge->cost_us * k;
      set_row (self, (int) i, (tasks->times_us[edge->tail] + edge->cost_us) * k, G_MAXDOUBLE);
      add_entry (self, (int) i, edge->cost_us * k);
      add_entry (self, sums_out[tails[i]], 1);
      add_entry (self, sums_in[heads[i]], 1);
    }
  self->starts[n + m] = (CoinBigIndex) self->rows->len;
  self->objective[n + m] = 1;
  for (guint t = 0; t < n; t++)
    add_entry (self, last[t], 1);
  self->starts[n + m + 1] = (CoinBigIndex) self->rows->len;
}

/* --- start of the simplex method --------------------------------------------------------- */

/* The vertex to begin with: every task favours the child of its longest transfer, unless that has a
 * favourite parent already, and starts as early as possible. The last input fixes each start, the
 * longest path fixes w. Few favourites change afterwards: a third of the pivots of a start from
 * zero. */
typedef struct
{
  const Solver *solver;
  const Window *window;
  guint8 *is_favoured; /* (edges of the window) */
  double *starts_us;   /* (tasks of the window) */
  int *latest;         /* (tasks of the window) the edge that the start waits for, or NO_ROW */
  int longest;         /* the task that ends last, or NO_ROW */
} Vertex;

static const GobanSctEdge *
get_edge (const Vertex *self, guint i)
{
  return &self->solver->tasks->edges[g_array_index (self->window->edges, guint32, i)];
}

static int
compare_costs (gconstpointer a, gconstpointer b, gpointer data)
{
  guint i = *(const guint *) a;
  guint j = *(const guint *) b;
  double one = get_edge (data, i)->cost_us;
  double other = get_edge (data, j)->cost_us;

  if (one != other)
    return one > other ? -1 : 1;
  return (i > j) - (i < j);
}

static void
favour_children (Vertex *self)
{
  guint n = self->window->high - self->window->low;
  guint m = self->window->edges->len;
  g_autofree guint *order = g_new (guint, m);
  g_autofree guint8 *has_child = g_new0 (guint8, n);
  g_autofree guint8 *has_parent = g_new0 (guint8, n);

  for (guint i = 0; i < m; i++)
    order[i] = i;
  g_qsort_with_data (order, (int) m, sizeof *order, compare_costs, self);
  for (guint k = 0; k < m; k++)
    {
      const GobanSctEdge *edge = get_edge (self, order[k]);
      guint tail = edge->tail - self->window->low;
      guint head = edge->head - self->window->low;

      if (edge->cost_us <= 0 || has_child[tail] || has_parent[head])
        continue;
      has_child[tail] = has_parent[head] = TRUE;
      self->is_favoured[order[k]] = TRUE;
    }
}

/* Edges ascend with their tails, so a start is final when an edge leaves it. */
static void
start_early (Vertex *self, const int *last)
{
  const GobanSctTasks *tasks = self->solver->tasks;
  const Window *window = self->window;
  guint low = window->low;
  double end_us = -1;

  for (guint t = 0; t < window->high - low; t++)
    {
      self->starts_us[t] = window->ready_us[t];
      self->latest[t] = NO_ROW;
    }
  for (guint i = 0; i < window->edges->len; i++)
    {
      const GobanSctEdge *edge = get_edge (self, i);
      double there_us = self->starts_us[edge->tail - low] + tasks->times_us[edge->tail]
                        + (self->is_favoured[i] ? 0 : edge->cost_us);

      if (there_us <= self->starts_us[edge->head - low])
        continue;
      self->starts_us[edge->head - low] = there_us;
      self->latest[edge->head - low] = (int) i;
    }
  self->longest = NO_ROW;
  for (guint t = 0; t < window->high - low; t++)
    {
      double until_us = self->starts_us[t] + tasks->times_us[low + t] + window->beyond_us[t];

      if (last[t] == NO_ROW || until_us <= end_us)
        continue;
      self->longest = (int) t;
      end_us = until_us;
    }
}

static void
set_vertex (const Vertex *self, const Programme *programme, Clp_Simplex *model)
{
  guint n = self->window->high - self->window->low;
  guint m = self->window->edges->len;

  for (guint r = 0; r < programme->n_rows; r++)
    Clp_setRowStatus (model, (int) r, BASIC);
  for (guint t = 0; t < n; t++)
    {
      Clp_setColumnStatus (model, (int) t, self->latest[t] != NO_ROW ? BASIC : AT_LOWER);
      if (self->latest[t] != NO_ROW)
        Clp_setRowStatus (model, self->latest[t], AT_LOWER);
    }
  for (guint i = 0; i < m; i++)
    Clp_setColumnStatus (model, (int) (n + i), self->is_favoured[i] ? AT_UPPER : AT_LOWER);
  if (self->longest == NO_ROW)
    return;
  Clp_setColumnStatus (model, (int) (n + m), BASIC);
  Clp_setRowStatus (model, programme->last[self->longest], AT_LOWER);
}

static void
begin_at_vertex (const Solver *solver, const Window *window, const Programme *programme,
                 Clp_Simplex *model)
{
  guint n = window->high - window->low;
  g_autofree guint8 *is_favoured = g_new0 (guint8, window->edges->len);
  g_autofree double *starts_us = g_new (double, n);
  g_autofree int *latest = g_new (int, n);
  Vertex vertex = { solver, window, is_favoured, starts_us, latest, NO_ROW };

  favour_children (&vertex);
  start_early (&vertex, programme->last);
  set_vertex (&vertex, programme, model);
}

/* Runs CLP in stretches of pivots, so that it can be cancelled. If it does not finish within the
 * maximum, which has not been observed, the shares are those of the last stretch. */
static gboolean
run_clp (Clp_Simplex *model, const GobanProgress *progress, GError **error)
{
  gboolean goes_on = TRUE;
  int n_pivots = PIVOTS;

  for (guint i = 0; i < MAX_STRETCHES && (goes_on = goban_progress_check (progress, error)); i++)
    {
      Clp_setMaximumIterations (model, n_pivots);
      Clp_primal (model, 0);
      if (!Clp_isIterationLimitReached (model))
        break;
      n_pivots += n_pivots / 2;
    }
  return goes_on;
}

static Clp_Simplex *
new_model (const Programme *programme)
{
  Clp_Simplex *model = Clp_newModel ();

  Clp_setLogLevel (model, 0);
  Clp_loadProblem (model, (int) programme->n_columns, (int) programme->n_rows, programme->starts,
                   (const int *) (gpointer) programme->rows->data,
                   (const double *) (gpointer) programme->values->data, programme->column_lower,
                   programme->column_upper, programme->objective, programme->row_lower,
                   programme->row_upper);
  return model;
}

/* --- windows ---------------------------------------------------------------------------- */

/* Starts of the tasks low .. high - 1 from those before them and the shares. */
static void
update_starts (Solver *self, guint low, guint high)
{
  const GobanSctTasks *tasks = self->tasks;

  for (guint t = low; t < high; t++)
    self->starts_us[t] = 0;
  for (guint32 e = 0; e < self->offsets[high]; e++)
    {
      const GobanSctEdge *edge = &tasks->edges[e];

      if (edge->head >= low && edge->head < high)
        self->starts_us[edge->head] = MAX (self->starts_us[edge->head],
                                           self->starts_us[edge->tail] + tasks->times_us[edge->tail]
                                               + edge->cost_us * (1 - self->shares[e]));
    }
}

static gboolean
solve_window (Solver *self, guint low, guint high, const GobanProgress *progress, GError **error)
{
  Window window;
  Programme programme = { 0 };
  Clp_Simplex *model;
  gboolean is_solved;

  init_window (&window, self, low, high);
  fill_programme (&programme, self, &window);
  model = new_model (&programme);
  begin_at_vertex (self, &window, &programme, model);
  is_solved = run_clp (model, progress, error);
  for (guint i = 0; is_solved && i < window.edges->len; i++)
    self->shares[g_array_index (window.edges, guint32, i)]
        = CLAMP (Clp_getColSolution (model)[high - low + i], 0, 1);
  Clp_deleteModel (model);
  if (is_solved)
    update_starts (self, low, high);
  clear_programme (&programme);
  clear_window (&window);
  return is_solved;
}

/* Remainders of the tasks' sums for edges between windows, in the order of the edges. */
static void
share_the_rest (Solver *self, guint window)
{
  const GobanSctTasks *tasks = self->tasks;
  g_autofree double *out = g_new0 (double, tasks->n_tasks);
  g_autofree double *in = g_new0 (double, tasks->n_tasks);

  for (guint32 e = 0; e < tasks->n_edges; e++)
    {
      out[tasks->edges[e].tail] += self->shares[e];
      in[tasks->edges[e].head] += self->shares[e];
    }
  for (guint32 e = 0; e < tasks->n_edges; e++)
    {
      const GobanSctEdge *edge = &tasks->edges[e];
      double left = 1 - MAX (out[edge->tail], in[edge->head]);

      if (edge->tail / window == edge->head / window || left <= 0 || edge->cost_us == 0)
        continue;
      self->shares[e] = left;
      out[edge->tail] += left;
      in[edge->head] += left;
    }
}

static void
measure (Solver *self)
{
  const GobanSctTasks *tasks = self->tasks;
  double sum_us = 0;

  for (guint t = 0; t < tasks->n_tasks; t++)
    {
      sum_us += tasks->times_us[t];
      self->tails_us[t] = tasks->times_us[t];
    }
  for (guint32 e = tasks->n_edges; e-- > 0;)
    {
      const GobanSctEdge *edge = &tasks->edges[e];

      sum_us += edge->cost_us;
      self->tails_us[edge->tail]
          = MAX (self->tails_us[edge->tail],
                 tasks->times_us[edge->tail] + edge->cost_us + self->tails_us[edge->head]);
      self->offsets[edge->tail + 1]++;
    }
  for (guint t = 0; t < tasks->n_tasks; t++)
    self->offsets[t + 1] += self->offsets[t];
  if (sum_us > 0)
    self->scale = MIN (MEAN_TIME * (double) (tasks->n_tasks + tasks->n_edges) / sum_us, MAX_SCALE);
}

double
goban_sct_solve (const GobanSctTasks *tasks, guint n_whole, double *shares,
                 const GobanProgress *progress, GError **error)
{
  guint window = tasks->n_tasks <= n_whole ? MAX (tasks->n_tasks, 1) : (n_whole + 1) / 2;
  g_autofree double *starts_us = g_new0 (double, tasks->n_tasks);
  g_autofree double *tails_us = g_new0 (double, tasks->n_tasks);
  g_autofree guint32 *offsets = g_new0 (guint32, tasks->n_tasks + 1);
  Solver self = { tasks, 1, shares, starts_us, tails_us, offsets };
  double makespan_us = 0;

  for (guint32 e = 0; e < tasks->n_edges; e++)
    shares[e] = 0;
  measure (&self);
  for (guint low = 0; low < tasks->n_tasks; low += window)
    {
      goban_progress_step (progress, (double) low / tasks->n_tasks, _ ("solving"));
      if (!solve_window (&self, low, MIN (low + window, tasks->n_tasks), progress, error))
        return -1;
    }
  if (window < tasks->n_tasks)
    {
      share_the_rest (&self, window);
      update_starts (&self, 0, tasks->n_tasks);
    }
  for (guint t = 0; t < tasks->n_tasks; t++)
    makespan_us = MAX (makespan_us, starts_us[t] + tasks->times_us[t]);
  return makespan_us;
}
