#include "engine/study/bench/bench.h"

#include "engine/core/error.h"
#include "engine/core/file-read.h"
#include "engine/core/i18n.h"
#include "engine/core/ranks/work-queue.h"
#include "engine/learn/rl/learned-options.h"
#include "engine/learn/roster.h"
#include "engine/study/bench/bench-pace.h"
#include "engine/study/run/graph-source.h"
#include "engine/study/run/policy-run.h"
#include "engine/study/run/run-origin.h"
#include "engine/study/run/run.h"

#include <math.h>
#include <string.h>

struct _GobanBench
{
  gatomicrefcount ref_count;
  GobanBenchSettings settings;
  const GobanPlacer **placers; /* (n_policies) */
  GPtrArray *graphs;           /* GobanSuiteGraph *, of the suite */
  GobanPlacerOptions budget;   /* seed: the first one */
  GobanLearnedOptions learned; /* of the budget */
  char *network_hash;          /* (nullable): of the content of the network's file */
  GobanBenchJournal *journal;
  GobanRanks *ranks; /* (nullable) borrowed */
};

#define EXPERT "expert"

/* --- parts of a bench that several processes share -------------------------------------------- */

/* Some graphs of a bench in work.
 *
 * If the ranks of a job share the cells, rank 0 has the journal and the rows; a cell that another
 * rank has finished is in the journal as soon as it arrives. A cell is seconds to hours of work, so
 * they are given out one by one. */
typedef struct
{
  GobanBench *bench;
  guint first;   /* graph of the first row */
  guint n_cells; /* of a graph */
  /* Used by the working thread alone: the graph of the last cell. */
  GobanCostModel *costs; /* (nullable) */
  guint graph;
  /* Rank 0 alone: */
  GPtrArray *rows;
  GArray *keys;         /* of GobanBenchKey: of each row */
  GArray *open;         /* guint: cells that are not in the journal */
  GobanBenchPace *pace; /* (nullable) if they are shared */
  guint n_done;
  const GobanProgress *progress;
} Work;

/* (transfer full) (nullable) */
static GobanCostModel *
bench_load_costs (const GobanBench *self, guint i, const GobanProgress *progress, GError **error)
{
  const GobanSuiteGraph *entry = g_ptr_array_index (self->graphs, i);
  GobanLoadOptions loading = { .only_regular = TRUE, .progress = progress };
  g_autoptr (GobanCluster) cluster = NULL;
  g_autoptr (GobanGraph) graph = NULL;

  cluster = goban_cluster_new_from_inner_spec (entry->clusters[self->settings.task], error);
  if (cluster != NULL)
    graph = goban_graph_source_load (entry->graph, &loading, error);
  if (graph == NULL)
    {
      g_prefix_error (error, "%s: ", entry->name);
      return NULL;
    }
  return goban_cost_model_new (graph, cluster, GOBAN_EXECUTION_EVENTS);
}

static gboolean
load (Work *self, guint graph, const GobanProgress *progress, GError **error)
{
  if (self->costs != NULL && self->graph == graph)
    return TRUE;
  g_clear_pointer (&self->costs, goban_cost_model_unref);
  self->costs = bench_load_costs (self->bench, graph, progress, error);
  self->graph = graph;
  return self->costs != NULL;
}

static GobanBenchCell
read_run (GobanRun *run)
{
  GobanTrace *trace = goban_run_get_trace (run);
  GobanBenchCell cell = {
    .state = goban_trace_is_valid (trace)                    ? GOBAN_CELL_VALID
             : goban_trace_get_out_of_memory (trace) != NULL ? GOBAN_CELL_OUT_OF_MEMORY
                                                             : GOBAN_CELL_INVALID,
    .why = g_intern_string (goban_trace_get_why (trace)),
    .makespan_us = goban_run_get_makespan_us (run),
    .bound_us = goban_trace_get_bounds (trace)->bound_us,
    .proven_bound_us = goban_run_get_proven_bound_us (run),
    .is_fused = goban_plan_is_fused (goban_run_get_plan (run)),
    .evaluations = goban_run_get_origin (run)->evaluations,
    .improvements = g_array_ref ((GArray *) goban_run_get_origin (run)->improvements),
    .seconds = goban_run_get_origin (run)->seconds,
  };

  /* An infinite one is none, here and in a journal. */
  if (!isfinite (cell.makespan_us))
    cell.makespan_us = (double) NAN;
  if (!isfinite (cell.bound_us))
    cell.bound_us = (double) NAN;
  if (!isfinite (cell.proven_bound_us))
    cell.proven_bound_us = 0;
  return cell;
}

/* A failed policy is recorded in its cell; only cancellation ends the bench. */
static gboolean
bench_run_cell (const GobanBench *self, GobanCostModel *costs, const GobanBenchKey *key,
                const GobanProgress *progress, GobanBenchCell *cell, GError **error)
{
  GobanRunOptions spending = {
    .seed = key->seed,
    .max_evaluations = self->budget.max_evaluations,
    .max_seconds = self->budget.max_seconds,
    .fusing = self->settings.fusing,
    .progress = progress,
    .network = self->learned.network,
    .settings = self->budget.settings,
    .decisions = self->learned.decisions,
    .skips_record = TRUE,
  };
  g_autoptr (GError) local = NULL;
  g_autoptr (GobanRun) run = goban_run_new_from_policy (costs, key->policy, &spending, &local);

  if (g_error_matches (local, GOBAN_ERROR, GOBAN_ERROR_CANCELLED))
    {
      g_propagate_error (error, g_steal_pointer (&local));
      return FALSE;
    }
  if (run != NULL)
    *cell = read_run (run);
  else
    *cell = (GobanBenchCell){ .state = GOBAN_CELL_FAILED,
                              .why = g_intern_string (local->message),
                              .makespan_us = (double) NAN,
                              .bound_us = (double) NAN };
  /* A result after a cancellation may be incomplete. */
  return goban_progress_check (progress, error);
}

/* The policy and the seed of a cell. */
static void
set_cell (const Work *self, guint item, GobanBenchKey *key)
{
  guint cell = item % self->n_cells, n_seeds = self->bench->settings.n_seeds;

  key->policy = self->bench->settings.policies[cell / n_seeds];
  key->seed = self->bench->settings.first_seed + cell % n_seeds;
}

static GobanBenchRow *
get_row (const Work *self, guint item)
{
  return g_ptr_array_index (self->rows, item / self->n_cells - self->first);
}

static GobanBenchKey
get_key (const Work *self, guint item)
{
  GobanBenchKey key = g_array_index (self->keys, GobanBenchKey, item / self->n_cells - self->first);

  set_cell (self, item, &key);
  return key;
}

static GBytes *
work (guint item, const GobanProgress *progress, gpointer data, GError **error)
{
  Work *self = data;
  g_auto (GobanBenchCell) cell = { 0 };
  GobanProgress silent = progress != NULL ? *progress : (GobanProgress){ 0 };
  GobanBenchKey key = { 0 };
  char *text;

  silent.on_step = NULL; /* rank 0 counts results */
  if (!load (self, item / self->n_cells, &silent, error))
    return NULL;
  set_cell (self, item, &key);
  if (!bench_run_cell (self->bench, self->costs, &key, &silent, &cell, error))
    return NULL;
  text = goban_bench_cell_to_text (&cell);
  return g_bytes_new_take (text, strlen (text));
}

static gboolean
journal_cell (const Work *self, const GobanBenchKey *key, const GobanBenchCell *cell,
              GError **error)
{
  return self->bench->journal == NULL
         || goban_bench_journal_add (self->bench->journal, key, cell, error);
}

static gboolean
take (guint item, GBytes *result, gpointer data, GError **error)
{
  Work *self = data;
  GobanBenchRow *row = get_row (self, item);
  GobanBenchKey key = get_key (self, item);
  GobanBenchCell *cell = &row->cells[item % self->n_cells];
  gsize size;
  const char *text = g_bytes_get_data (result, &size);
  g_autofree char *what = NULL;

  if (!goban_bench_cell_from_text (text, size, cell))
    return goban_refuse (error, GOBAN_ERROR_PARSE, "a rank has sent what is not a result: %.*s",
                         (int) size, text);
  self->n_done++;
  what = g_strdup_printf (_ ("%u of %u results; %s on %s"), self->n_done, self->open->len,
                          key.policy, row->graph->name);
  goban_progress_step (self->progress, (double) self->n_done / self->open->len, what);
  return journal_cell (self, &key, cell, error);
}

static gboolean
find_in_journal (const Work *self, const GobanBenchKey *key, GobanBenchCell *cell)
{
  return self->bench->journal != NULL && goban_bench_journal_find (self->bench->journal, key, cell);
}

/* The open cells one after another. */
static gboolean
run_open (Work *self, GError **error)
{
  for (guint i = 0; i < self->open->len; i++)
    {
      guint item = g_array_index (self->open, guint, i);
      GobanBenchRow *row = get_row (self, item);
      GobanBenchCell *cell = &row->cells[item % self->n_cells];
      GobanBenchKey key = get_key (self, item);
      g_autofree char *what = g_strdup_printf (_ ("%s on %s"), key.policy, row->graph->name);

      if (find_in_journal (self, &key, cell)) /* meanwhile: of an equal graph, or another bench */
        continue;
      if (!load (self, item / self->n_cells, self->progress, error))
        return FALSE;
      goban_bench_pace_begin (self->pace, item % self->n_cells / self->bench->settings.n_seeds,
                              row->n_nodes, what);
      if (!bench_run_cell (self->bench, self->costs, &key,
                           goban_bench_pace_get_progress (self->pace), cell, error)
          || !journal_cell (self, &key, cell, error))
        return FALSE;
      goban_bench_pace_end (self->pace, cell->seconds);
    }
  return TRUE;
}

/* A row without results. */
static GobanBenchRow *
bench_row_new (GobanBench *self, guint i, GobanCostModel *costs)
{
  GobanGraph *graph = goban_cost_model_get_graph (costs);
  GobanBenchRow *row = g_new0 (GobanBenchRow, 1);

  row->bench = goban_bench_ref (self);
  row->settings = &self->settings;
  row->graph = g_ptr_array_index (self->graphs, i);
  row->cluster = row->graph->clusters[self->settings.task];
  row->n_devices = goban_cluster_get_n_devices (goban_cost_model_get_cluster (costs));
  row->n_nodes = goban_graph_get_n_nodes (graph);
  row->n_edges = goban_graph_get_n_edges (graph);
  row->bound_us = (double) NAN;
  row->cells = g_new0 (GobanBenchCell, (gsize) self->settings.n_policies * self->settings.n_seeds);
  return row;
}

/* The first eight bytes of a checksum of all that the cluster is. */
static guint64
hash_cluster (const GobanCluster *cluster)
{
  g_autofree char *json = goban_cluster_to_json (cluster);
  g_autofree char *sum = g_compute_checksum_for_string (G_CHECKSUM_SHA256, json, -1);

  sum[16] = '\0';
  return g_ascii_strtoull (sum, NULL, 16);
}

/* Without a policy and a seed; strings are borrowed. */
static GobanBenchKey
bench_make_key (const GobanBench *self, const GobanBenchRow *row, GobanCostModel *costs)
{
  return (GobanBenchKey){
    .graph = row->graph->graph,
    .graph_hash = goban_graph_get_hash (goban_cost_model_get_graph (costs)),
    .cluster = row->cluster,
    .cluster_hash = hash_cluster (goban_cost_model_get_cluster (costs)),
    .max_evaluations = self->budget.max_evaluations,
    .max_seconds = self->budget.max_seconds,
    .network_hash = self->network_hash,
    .settings = self->budget.settings,
    .decisions = self->learned.decisions,
    .fusion = goban_fusing_get_word (self->settings.fusing),
  };
}

/* Makes the rows, fills them from the journal, and lists the missing cells. Every graph is made for
 * its size before its turn, so that the time left is known from the start and a graph that does not
 * load is found before hours of work. */
static gboolean
prepare (Work *self, guint n_graphs, GError **error)
{
  GobanBench *bench = self->bench;

  for (guint i = self->first; i < self->first + n_graphs; i++)
    {
      GobanBenchRow *row;
      GobanBenchKey key;

      if (!load (self, i, self->progress, error) || !goban_progress_check (self->progress, error))
        return FALSE;
      row = bench_row_new (bench, i, self->costs);
      g_ptr_array_add (self->rows, row);
      key = bench_make_key (bench, row, self->costs);
      g_array_append_val (self->keys, key);
      for (guint c = 0; c < self->n_cells; c++)
        {
          guint item = i * self->n_cells + c;

          set_cell (self, item, &key);
          if (find_in_journal (self, &key, &row->cells[c]))
            continue;
          g_array_append_val (self->open, item);
          if (self->pace != NULL)
            goban_bench_pace_expect (self->pace, c / bench->settings.n_seeds, row->n_nodes, 1);
        }
    }
  return TRUE;
}

static void
work_clear (Work *self)
{
  g_clear_pointer (&self->costs, goban_cost_model_unref);
  g_clear_pointer (&self->rows, g_ptr_array_unref);
  g_clear_pointer (&self->keys, g_array_unref);
  g_clear_pointer (&self->open, g_array_unref);
  g_clear_pointer (&self->pace, goban_bench_pace_free);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Work, work_clear)

/* If a plan fuses ops, bounds of plans without fusion do not hold, nor do proofs, which are of
 * these. */
static void
bench_row_find_bound (GobanBenchRow *row, guint n_cells)
{
  gboolean is_fused = FALSE;

  for (guint i = 0; i < n_cells; i++)
    is_fused |= row->cells[i].is_fused;
  for (guint i = 0; i < n_cells; i++)
    {
      const GobanBenchCell *cell = &row->cells[i];

      if (cell->is_fused == is_fused)
        row->bound_us = fmax (row->bound_us, cell->bound_us); /* which leaves out NAN */
      if (!is_fused && cell->proven_bound_us > 0)
        row->bound_us = fmax (row->bound_us, cell->proven_bound_us);
    }
}

/* The rows of some graphs. (transfer full) (nullable) */
static GPtrArray *
run_graphs (GobanBench *bench, guint first, guint n_graphs, gboolean is_shared,
            const GobanProgress *progress, GError **error)
{
  g_auto (Work) self
      = { .bench = bench,
          .first = first,
          .n_cells = bench->settings.n_policies * bench->settings.n_seeds,
          .rows = g_ptr_array_new_with_free_func ((GDestroyNotify) goban_bench_row_free),
          .keys = g_array_new (FALSE, FALSE, sizeof (GobanBenchKey)),
          .open = g_array_new (FALSE, FALSE, sizeof (guint)),
          .progress = progress };
  GobanWorkQueue queue = { work, take, &self };

  if (!is_shared)
    self.pace = goban_bench_pace_new (bench->placers, bench->settings.n_policies, &bench->budget,
                                      progress);
  if ((!is_shared || goban_ranks_get_rank (bench->ranks) == 0) && !prepare (&self, n_graphs, error))
    return NULL;
  if (is_shared
          ? !goban_work_queue_run (bench->ranks, &queue, (const guint *) (void *) self.open->data,
                                   self.open->len, progress, error)
          : !run_open (&self, error))
    return NULL;
  for (guint i = 0; i < self.rows->len; i++)
    bench_row_find_bound (g_ptr_array_index (self.rows, i), self.n_cells);
  return g_steal_pointer (&self.rows);
}

/* --- making -------------------------------------------------------------------------------- */

static gboolean
has_placer (const GPtrArray *placers, const GobanPlacer *placer)
{
  for (guint i = 0; i < placers->len; i++)
    if (g_ptr_array_index (placers, i) == placer)
      return TRUE;
  return FALSE;
}

/* The requested policies, each once, and the experts'. (transfer full) (nullable) */
static GPtrArray *
choose_placers (const char *const *names, GError **error)
{
  g_autoptr (GPtrArray) chosen = g_ptr_array_new ();
  const GobanPlacer *expert = goban_roster_find (EXPERT, NULL); /* there may be none */
  gsize n;
  const GobanPlacer *const *roster = goban_roster (&n);

  for (guint i = 0; names != NULL && names[i] != NULL; i++)
    {
      const GobanPlacer *placer = goban_roster_find (names[i], error);

      if (placer == NULL)
        return NULL;
      if (!has_placer (chosen, placer))
        g_ptr_array_add (chosen, (gpointer) placer);
    }
  for (gsize i = 0; names == NULL && i < n; i++)
    if (roster[i]->effort == GOBAN_EFFORT_QUICK)
      g_ptr_array_add (chosen, (gpointer) roster[i]);

  if (expert != NULL && !has_placer (chosen, expert))
    g_ptr_array_insert (chosen, 0, (gpointer) expert);
  return g_steal_pointer (&chosen);
}

static gboolean
has_pattern (const char *pattern, const char *text)
{
  if (strpbrk (pattern, "*?") != NULL)
    return g_pattern_match_simple (pattern, text);
  return strstr (text, pattern) != NULL;
}

/* (transfer full) (nullable) */
static GPtrArray *
choose_graphs (const GobanBenchOptions *options, GError **error)
{
  g_autoptr (GPtrArray) chosen = g_ptr_array_new ();

  for (guint i = 0; i < options->suite->graphs->len; i++)
    {
      const GobanSuiteGraph *graph = goban_suite_get_graph (options->suite, i);

      if (options->pattern != NULL && !has_pattern (options->pattern, graph->name)
          && !has_pattern (options->pattern, graph->graph))
        continue;
      if (graph->clusters[options->task] == NULL)
        {
          goban_set_error (error, GOBAN_ERROR_INVALID, "%s: “%s” has no cluster for the task %s",
                           options->suite->name, graph->name,
                           goban_suite_task_names[options->task]);
          return NULL;
        }
      g_ptr_array_add (chosen, (gpointer) graph);
    }
  if (chosen->len > 0)
    return g_steal_pointer (&chosen);

  goban_set_error (error, GOBAN_ERROR_INVALID, "%s: no graph is called “%s”", options->suite->name,
                   options->pattern);
  return NULL;
}

/* A file trained on is another network under the same name. %FALSE with @error set. */
static gboolean
hash_network (const char *path, char **hash, GError **error)
{
  g_autoptr (GBytes) bytes = NULL;

  if (path == NULL)
    return TRUE;
  bytes = goban_file_read (path, GOBAN_FILE_NETWORK, error);
  if (bytes == NULL)
    return FALSE;
  *hash = g_compute_checksum_for_bytes (G_CHECKSUM_SHA256, bytes);
  (*hash)[16] = '\0';
  return TRUE;
}

GobanBench *
goban_bench_new (const GobanBenchOptions *options, GError **error)
{
  g_autoptr (GPtrArray) graphs = NULL;
  g_autoptr (GPtrArray) placers = NULL;
  g_autofree char *network_hash = NULL;
  GobanBench *self;

  g_return_val_if_fail (options->suite != NULL, NULL);

  placers = choose_placers (options->policies, error);
  if (placers == NULL)
    return NULL;
  graphs = choose_graphs (options, error);
  if (graphs == NULL || !hash_network (options->network, &network_hash, error))
    return NULL;

  self = g_new0 (GobanBench, 1);
  g_atomic_ref_count_init (&self->ref_count);
  self->settings = (GobanBenchSettings){
    .suite = goban_suite_ref (options->suite),
    .task = options->task,
    .decisions = options->decisions != 0 ? options->decisions : GOBAN_TASKS_DEFAULT,
    .fusing = options->fusing,
    .first_seed = options->first_seed,
    .n_seeds = MAX (options->n_seeds, 1),
    .policies = g_new0 (const char *, placers->len + 1),
    .n_policies = placers->len,
    .expert = placers->len,
    .n_graphs = graphs->len,
  };
  for (guint i = 0; i < placers->len; i++)
    {
      self->settings.policies[i] = ((const GobanPlacer *) g_ptr_array_index (placers, i))->name;
      if (strcmp (self->settings.policies[i], EXPERT) == 0)
        self->settings.expert = i;
    }
  self->placers = (const GobanPlacer **) g_ptr_array_free (g_steal_pointer (&placers), FALSE);
  self->graphs = g_steal_pointer (&graphs);
  self->learned = (GobanLearnedOptions){ .decisions = self->settings.decisions,
                                         .network = g_intern_string (options->network) };
  self->budget = (GobanPlacerOptions){ .seed = options->first_seed,
                                       .max_evaluations = options->max_evaluations,
                                       .max_seconds = options->max_seconds,
                                       .settings = g_intern_string (options->settings),
                                       .learned = &self->learned };
  self->network_hash = g_steal_pointer (&network_hash);
  self->ranks = options->ranks;
  self->journal = options->journal != NULL ? goban_bench_journal_ref (options->journal) : NULL;
  return self;
}

GobanBench *
goban_bench_ref (GobanBench *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
goban_bench_unref (GobanBench *self)
{
  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;

  g_clear_pointer (&self->journal, goban_bench_journal_unref);
  g_ptr_array_unref (self->graphs);
  g_free (self->network_hash);
  g_free (self->placers);
  g_free (self->settings.policies);
  goban_suite_unref (self->settings.suite);
  g_free (self);
}

void
goban_bench_row_free (GobanBenchRow *row)
{
  guint n_cells = row->settings->n_policies * row->settings->n_seeds;

  for (guint i = 0; i < n_cells; i++)
    goban_bench_cell_clear (&row->cells[i]);
  g_free (row->cells);
  goban_bench_unref (row->bench);
  g_free (row);
}

GobanBenchRow *
goban_bench_run_graph (GobanBench *self, guint i, const GobanProgress *progress, GError **error)
{
  g_autoptr (GPtrArray) rows = NULL;

  g_return_val_if_fail (i < self->graphs->len, NULL);

  rows = run_graphs (self, i, 1, FALSE, progress, error);
  return rows != NULL ? g_ptr_array_steal_index (rows, 0) : NULL;
}

GPtrArray *
goban_bench_run (GobanBench *self, const GobanProgress *progress, GError **error)
{
  return run_graphs (self, 0, self->graphs->len, goban_ranks_get_size (self->ranks) > 1, progress,
                     error);
}

const GobanBenchSettings *
goban_bench_get_settings (const GobanBench *self)
{
  return &self->settings;
}
