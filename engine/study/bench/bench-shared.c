/* bench-shared.c: a bench whose cells are shared by the ranks of a job.
 *
 * Rank 0 has the journal and the rows; a cell that another rank has finished is in the journal as
 * soon as it arrives. A cell is seconds to hours of work, so they are given out one by one. */
#include "engine/study/bench/bench-private.h"

#include "engine/core/error.h"
#include "engine/core/ranks/work-queue.h"

#include <string.h>

typedef struct
{
  GobanBench *bench;
  guint n_cells; /* of a graph */

  /* Used by the working thread alone: the graph of the last cell. */
  GobanCostModel *costs; /* (nullable) */
  guint graph;

  /* Rank 0 alone: */
  GPtrArray *rows;
  GArray *keys; /* of GobanBenchKey: of each row */
  GArray *open; /* guint: cells that are not in the journal */
  guint n_done;
  const GobanProgress *progress;
} Shared;

static void
set_cell (const Shared *self, guint cell, GobanBenchKey *key)
{
  guint n_seeds = self->bench->settings.n_seeds;

  key->policy = self->bench->placers[cell / n_seeds]->name;
  key->seed = self->bench->budget.seed + cell % n_seeds;
}

/* --- working ---------------------------------------------------------------------------------- */

static gboolean
load (Shared *self, guint graph, const GobanProgress *progress, GError **error)
{
  if (self->costs != NULL && self->graph == graph)
    return TRUE;
  g_clear_pointer (&self->costs, goban_cost_model_unref);
  self->costs = goban_bench_load_costs (self->bench, graph, progress, error);
  self->graph = graph;
  return self->costs != NULL;
}

static GBytes *
work (guint item, const GobanProgress *progress, gpointer data, GError **error)
{
  Shared *self = data;
  g_auto (GobanBenchCell) cell = { 0 };
  GobanProgress silent = progress != NULL ? *progress : (GobanProgress){ 0 };
  GobanBenchKey key = { 0 };
  char *text;

  silent.on_step = NULL; /* rank 0 counts results */
  if (!load (self, item / self->n_cells, &silent, error))
    return NULL;
  set_cell (self, item % self->n_cells, &key);
  if (!goban_bench_run_cell (self->bench, self->costs, &key, &silent, &cell, error))
    return NULL;
  text = goban_bench_cell_to_text (&cell);
  return g_bytes_new_take (text, strlen (text));
}

/* --- collecting ------------------------------------------------------------------------------- */

static gboolean
take (guint item, GBytes *result, gpointer data, GError **error)
{
  Shared *self = data;
  GobanBenchRow *row = g_ptr_array_index (self->rows, item / self->n_cells);
  GobanBenchKey key = g_array_index (self->keys, GobanBenchKey, item / self->n_cells);
  GobanBenchCell *cell = &row->cells[item % self->n_cells];
  gsize size;
  const char *text = g_bytes_get_data (result, &size);
  g_autofree char *what = NULL;

  if (!goban_bench_cell_from_text (text, size, cell))
    return goban_refuse (error, GOBAN_ERROR_PARSE, "a rank has sent what is not a result: %.*s",
                         (int) size, text);
  set_cell (self, item % self->n_cells, &key);
  self->n_done++;
  what = g_strdup_printf ("%u of %u results; %s on %s", self->n_done, self->open->len, key.policy,
                          row->graph->name);
  goban_progress_step (self->progress, (double) self->n_done / self->open->len, what);
  return self->bench->journal == NULL
         || goban_bench_journal_add (self->bench->journal, &key, cell, error);
}

/* Makes the rows, fills them from the journal, and lists the missing cells. */
static gboolean
prepare (Shared *self, GError **error)
{
  GobanBench *bench = self->bench;

  for (guint i = 0; i < bench->graphs->len; i++)
    {
      g_autoptr (GobanCostModel) costs = goban_bench_load_costs (bench, i, self->progress, error);
      GobanBenchRow *row;
      GobanBenchKey key;

      if (costs == NULL || !goban_progress_check (self->progress, error))
        return FALSE;
      row = goban_bench_row_new (bench, i, costs);
      g_ptr_array_add (self->rows, row);
      key = goban_bench_make_key (bench, row, costs);
      g_array_append_val (self->keys, key);
      for (guint c = 0; c < self->n_cells; c++)
        {
          guint item = i * self->n_cells + c;

          set_cell (self, c, &key);
          if (bench->journal == NULL
              || !goban_bench_journal_find (bench->journal, &key, &row->cells[c]))
            g_array_append_val (self->open, item);
        }
    }
  return TRUE;
}

static void
shared_clear (Shared *self)
{
  g_clear_pointer (&self->costs, goban_cost_model_unref);
  g_clear_pointer (&self->rows, g_ptr_array_unref);
  g_clear_pointer (&self->keys, g_array_unref);
  g_clear_pointer (&self->open, g_array_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Shared, shared_clear)

GPtrArray *
goban_bench_run_shared (GobanBench *bench, const GobanProgress *progress, GError **error)
{
  g_auto (Shared) self
      = { .bench = bench,
          .n_cells = bench->n_policies * bench->settings.n_seeds,
          .rows = g_ptr_array_new_with_free_func ((GDestroyNotify) goban_bench_row_free),
          .keys = g_array_new (FALSE, FALSE, sizeof (GobanBenchKey)),
          .open = g_array_new (FALSE, FALSE, sizeof (guint)),
          .progress = progress };
  GobanWorkQueue queue = { work, take, &self };

  if (goban_ranks_get_rank (bench->ranks) == 0 && !prepare (&self, error))
    return NULL;
  if (!goban_work_queue_run (bench->ranks, &queue, (const guint *) (void *) self.open->data,
                             self.open->len, progress, error))
    return NULL;
  for (guint i = 0; i < self.rows->len; i++)
    goban_bench_row_find_bound (g_ptr_array_index (self.rows, i), self.n_cells);
  return g_steal_pointer (&self.rows);
}
