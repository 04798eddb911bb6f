/* A bench: what its numbers are, that it goes on where it stopped, that its reports are the
 * same. */
#include "engine/core/csv-text.h"
#include "engine/core/error.h"
#include "engine/session/session.h"
#include "engine/study/bench/bench-pace.h"
#include "engine/study/bench/bench-table.h"
#include "engine/study/report/bench-report.h"
#include "engine/study/run/run-origin.h"
#include "tests/support/folder.h"
#include "tests/support/shared-data.h"
#include "tests/support/test-program.h"
#include "tests/support/thread-ranks.h"

#include <glib/gstdio.h>
#include <json-glib/json-glib.h>
#include <math.h>
#include <string.h>

typedef struct
{
  char *folder;
  char *journal; /* a path */
  GobanSuite *suite;
} Fixture;

/* A device that has no room for any tensor of the toy. */
static const char tiny[]
    = "{\"name\": \"tiny\", \"devices\": [{\"name\": \"a\", \"kind\": \"gpu\", \"tflops\": 1, "
      "\"memory_bandwidth\": \"100 GB/s\", \"memory\": \"1 kB\"}]}";

static char *
write_file (Fixture *fixture, const char *name, const char *text)
{
  g_autoptr (GError) error = NULL;
  char *path = g_build_filename (fixture->folder, name, NULL);

  g_file_set_contents (path, text, -1, &error);
  g_assert_no_error (error);
  return path;
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *toy = project_path ("samples/toy.dot");
  g_autofree char *resnet = project_path ("samples/resnet-50.onnx");
  g_autofree char *text = g_strdup_printf (
      "{\"graphs\": [\n"
      "{\"name\": \"toy\", \"graph\": \"%s\", \"placement\": \"p100x2\", \"joint\": \"v100x2\"},\n"
      "{\"name\": \"ResNet, small\", \"graph\": \"%s\", \"placement\": \"p100x4\"},\n"
      "{\"name\": \"full\", \"graph\": \"%s\", \"placement\": \"tiny.json\"}]}\n",
      toy, resnet, toy);
  g_autofree char *cluster = NULL;
  g_autofree char *path = NULL;

  fixture->folder = g_dir_make_tmp ("goban-bench-XXXXXX", &error);
  g_assert_no_error (error);
  cluster = write_file (fixture, "tiny.json", tiny);
  path = write_file (fixture, "suite.json", text);
  fixture->journal = g_build_filename (fixture->folder, "journal.jsonl", NULL);
  fixture->suite = goban_suite_load (path, &error);
  g_assert_no_error (error);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  remove_folder (fixture->folder);
  g_free (fixture->folder);
  g_free (fixture->journal);
  goban_suite_unref (fixture->suite);
}

static const char *const usual[] = { "single", "heft", "random", NULL };

static GobanBenchOptions
make_options (Fixture *fixture)
{
  return (GobanBenchOptions){ .suite = fixture->suite, .policies = usual };
}

static GobanBench *
make_bench (const GobanBenchOptions *options)
{
  g_autoptr (GError) error = NULL;
  GobanBench *bench = goban_bench_new (options, &error);

  g_assert_no_error (error);
  return bench;
}

static GPtrArray *
run_bench (const GobanBenchOptions *options)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanBench) bench = make_bench (options);
  GPtrArray *rows = goban_bench_run (bench, NULL, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (rows->len, ==, goban_bench_get_settings (bench)->n_graphs);
  return rows;
}

static GobanBenchJournal *
open_journal (Fixture *fixture, gboolean go_on)
{
  g_autoptr (GError) error = NULL;
  GobanBenchJournal *journal = goban_bench_journal_open (fixture->journal, go_on, &error);

  g_assert_no_error (error);
  return journal;
}

static guint
find_policy (GobanBench *bench, const char *name)
{
  for (guint i = 0; i < goban_bench_get_settings (bench)->n_policies; i++)
    if (strcmp (goban_bench_get_settings (bench)->policies[i], name) == 0)
      return i;
  g_assert_not_reached ();
}

/* --- numbers ------------------------------------------------------------------------------- */

/* The toy takes 1810 us on one device, and two do it in the 1070 us that bound it. */
static void
test_ratios (Fixture *fixture, gconstpointer data)
{
  GobanBenchOptions options = make_options (fixture);
  static const char *const two[] = { "single", "heft", NULL };
  g_autoptr (GPtrArray) rows = NULL;
  const GobanBenchRow *toy;
  guint single, heft, expert;
  double expert_ms;

  options.policies = two;
  options.pattern = "toy";
  rows = run_bench (&options);
  toy = g_ptr_array_index (rows, 0);
  single = find_policy (toy->bench, "single");
  heft = find_policy (toy->bench, "heft");

  g_assert_cmpfloat (goban_bench_row_get_value (toy, single, GOBAN_METRIC_MAKESPAN_MS), ==, 1.81);
  g_assert_cmpfloat (goban_bench_row_get_value (toy, heft, GOBAN_METRIC_MAKESPAN_MS), ==, 1.07);
  g_assert_cmpfloat (toy->bound_us, ==, 1070);
  g_assert_cmpfloat (goban_bench_row_get_value (toy, heft, GOBAN_METRIC_RATIO_TO_BOUND), ==, 1);
  g_assert_cmpfloat (goban_bench_row_get_value (toy, single, GOBAN_METRIC_RATIO_TO_BOUND), ==,
                     1810.0 / 1070);
  /* The experts' plan is there unasked: ratios are to it. */
  expert = goban_bench_get_settings (toy->bench)->expert;
  g_assert_cmpuint (goban_bench_get_settings (toy->bench)->n_policies, ==, 3);
  g_assert_cmpstr (goban_bench_get_settings (toy->bench)->policies[expert], ==, "expert");
  expert_ms = goban_bench_row_get_value (toy, expert, GOBAN_METRIC_MAKESPAN_MS);
  g_assert_cmpfloat (goban_bench_row_get_value (toy, expert, GOBAN_METRIC_RATIO_TO_EXPERT), ==, 1);
  g_assert_cmpfloat_with_epsilon (
      goban_bench_row_get_value (toy, heft, GOBAN_METRIC_RATIO_TO_EXPERT), 1.07 / expert_ms, 1e-12);
  /* The best of the others: a policy is not measured by itself. */
  g_assert_cmpfloat_with_epsilon (
      goban_bench_row_get_value (toy, single, GOBAN_METRIC_RATIO_TO_BEST),
      1.81 / fmin (1.07, expert_ms), 1e-12);
  g_assert_cmpfloat_with_epsilon (goban_bench_row_get_value (toy, heft, GOBAN_METRIC_RATIO_TO_BEST),
                                  1.07 / fmin (1.81, expert_ms), 1e-12);
}

/* Of a search its curve; of a policy that tries nothing, the plan itself. */
static void
test_improvements (Fixture *fixture, gconstpointer data)
{
  GobanBenchOptions options = make_options (fixture);
  static const char *const two[] = { "heft", "local-search", NULL };
  g_autoptr (GPtrArray) rows = NULL;
  const GobanBenchRow *row;
  const GobanBenchCell *heft, *search;
  const GobanImprovement *last;

  options.policies = two;
  options.pattern = "ResNet";
  options.max_evaluations = 120;
  rows = run_bench (&options);
  row = g_ptr_array_index (rows, 0);
  heft = goban_bench_row_get_cell (row, find_policy (row->bench, "heft"), 0);
  search = goban_bench_row_get_cell (row, find_policy (row->bench, "local-search"), 0);
  g_assert_cmpuint (heft->improvements->len, ==, 1);
  g_assert_cmpuint (goban_bench_cell_get_best_evaluation (heft), ==, 1);
  g_assert_cmpuint (search->improvements->len, >, 1);
  last = &g_array_index (search->improvements, GobanImprovement, search->improvements->len - 1);
  g_assert_cmpfloat (last->makespan_us, ==, search->makespan_us);
  g_assert_cmpuint (last->evaluation, <=, 120);
  g_assert_cmpfloat (goban_bench_row_get_value (row, find_policy (row->bench, "local-search"),
                                                GOBAN_METRIC_BEST_EVALUATION),
                     ==, (double) last->evaluation);
}

/* Fused plans are faster and measured by a lower bound; a journal of the others does not hold
 * them. */
static void
test_fusing (Fixture *fixture, gconstpointer data)
{
  GobanBenchOptions options = make_options (fixture);
  g_autoptr (GobanBenchJournal) journal = open_journal (fixture, FALSE);
  g_autoptr (GPtrArray) plain = NULL;
  g_autoptr (GPtrArray) fused = NULL;
  g_autofree char *json = NULL;
  const GobanBenchRow *before, *after;
  guint n_cells;

  options.pattern = "ResNet*";
  options.journal = journal;
  plain = run_bench (&options);
  n_cells = goban_bench_journal_get_n_cells (journal);
  options.fusing = GOBAN_FUSE_DEFAULT;
  fused = run_bench (&options);
  g_assert_cmpuint (goban_bench_journal_get_n_cells (journal), ==, 2 * n_cells);

  before = g_ptr_array_index (plain, 0);
  after = g_ptr_array_index (fused, 0);
  g_assert_cmpfloat (after->bound_us, <, before->bound_us);
  for (guint p = 0; p < goban_bench_get_settings (after->bench)->n_policies; p++)
    {
      g_assert_cmpfloat (after->cells[p].makespan_us, <, before->cells[p].makespan_us);
      g_assert_cmpfloat (after->cells[p].makespan_us, >=, after->bound_us);
    }
  json = goban_bench_to_json (fused);
  g_assert_nonnull (strstr (json, "\"fusion\": \"default\""));
}

/* What does not fit is marked, has no ratio, and is not in the mean. */
static void
test_out_of_memory (Fixture *fixture, gconstpointer data)
{
  GobanBenchOptions options = make_options (fixture);
  g_autoptr (GPtrArray) rows = run_bench (&options);
  const GobanBenchRow *full = g_ptr_array_index (rows, 2);
  guint heft = find_policy (full->bench, "heft");
  g_autofree char *text = goban_bench_to_text (rows);
  double product;
  guint n_bad, n;

  g_assert_cmpint (goban_bench_row_get_state (full, heft, &n_bad), ==, GOBAN_CELL_OUT_OF_MEMORY);
  g_assert_cmpuint (n_bad, ==, 1);
  g_assert_true (isnan (goban_bench_row_get_value (full, heft, GOBAN_METRIC_MAKESPAN_MS)));
  g_assert_cmpfloat (goban_bench_row_get_value (full, heft, GOBAN_METRIC_EVALUATIONS), >=, 1);
  product = goban_bench_row_get_value (rows->pdata[0], heft, GOBAN_METRIC_RATIO_TO_BOUND)
            * goban_bench_row_get_value (rows->pdata[1], heft, GOBAN_METRIC_RATIO_TO_BOUND);
  g_assert_cmpfloat_with_epsilon (
      goban_bench_get_mean (rows, heft, GOBAN_METRIC_RATIO_TO_BOUND, &n), sqrt (product), 1e-12);
  g_assert_cmpuint (n, ==, 2);
  g_assert_true (isnan (full->bound_us));
  g_assert_nonnull (strstr (text, "OOM"));
  g_assert_nonnull (strstr (text, "2/3"));
}

static void
test_seeds (Fixture *fixture, gconstpointer data)
{
  GobanBenchOptions options = make_options (fixture);
  g_autoptr (GPtrArray) rows = NULL;
  const GobanBenchRow *row;
  double product = 1;
  guint random;

  options.pattern = "ResNet";
  options.n_seeds = 3;
  options.first_seed = 5;
  rows = run_bench (&options);
  row = g_ptr_array_index (rows, 0);
  random = find_policy (row->bench, "random");
  for (guint s = 0; s < 3; s++)
    {
      const GobanBenchCell *cell = goban_bench_row_get_cell (row, random, s);
      g_autoptr (GPtrArray) alone = NULL;
      GobanBenchOptions one = options;

      product *= cell->makespan_us / 1e3;
      one.n_seeds = 1;
      one.first_seed = 5 + s;
      alone = run_bench (&one);
      g_assert_cmpfloat (goban_bench_row_get_cell (alone->pdata[0], random, 0)->makespan_us, ==,
                         cell->makespan_us);
    }
  g_assert_cmpfloat_with_epsilon (goban_bench_row_get_value (row, random, GOBAN_METRIC_MAKESPAN_MS),
                                  cbrt (product), 1e-9);
}

/* Nobody is made to wait for hours by asking for nothing. */
static void
test_defaults_are_quick (Fixture *fixture, gconstpointer data)
{
  GobanBenchOptions options = make_options (fixture);
  g_autoptr (GobanBench) bench = NULL;

  options.policies = NULL;
  options.pattern = "toy";
  bench = make_bench (&options);
  g_assert_cmpuint (goban_bench_get_settings (bench)->n_policies, >=, 8);
  for (guint i = 0; i < goban_bench_get_settings (bench)->n_policies; i++)
    {
      GobanPolicyInfo info;

      g_assert_true (
          goban_policy_find (goban_bench_get_settings (bench)->policies[i], &info, NULL));
      g_assert_cmpstr (info.effort, ==, "quick");
    }
}

static void
test_mistakes_are_named (Fixture *fixture, gconstpointer data)
{
  static const char *const unknown[] = { "heft", "heffed", NULL };
  GobanBenchOptions options = make_options (fixture);
  g_autoptr (GError) error = NULL;

  options.policies = unknown;
  g_assert_null (goban_bench_new (&options, &error));
  g_assert_true (g_str_has_prefix (error->message, "there is no policy “heffed”"));
  g_clear_error (&error);

  options.policies = usual;
  options.pattern = "nobody";
  g_assert_null (goban_bench_new (&options, &error));
  g_assert_cmpstr (error->message, ==, "suite: no graph is called “nobody”");
  g_clear_error (&error);

  options.pattern = "ResNet*";
  options.task = GOBAN_SUITE_TASK_JOINT;
  g_assert_null (goban_bench_new (&options, &error));
  g_assert_cmpstr (error->message, ==, "suite: “ResNet, small” has no cluster for the task joint");
}

/* --- the journal --------------------------------------------------------------------------- */

/* Stops when the journal holds so many cells. */
typedef struct
{
  GobanBenchJournal *journal;
  guint n_cells;
} Stop;

static gboolean
stop_cb (gpointer user_data)
{
  const Stop *stop = user_data;

  return goban_bench_journal_get_n_cells (stop->journal) >= stop->n_cells;
}

static void
assert_same_curve (const GArray *a, const GArray *b)
{
  g_assert_cmpuint (a != NULL ? a->len : 0, ==, b != NULL ? b->len : 0);
  for (guint i = 0; a != NULL && i < a->len; i++)
    {
      const GobanImprovement *x = &g_array_index (a, GobanImprovement, i);
      const GobanImprovement *y = &g_array_index (b, GobanImprovement, i);

      g_assert_cmpuint (x->evaluation, ==, y->evaluation);
      g_assert_cmpfloat (x->makespan_us, ==, y->makespan_us);
    }
}

/* But for the seconds. */
static void
assert_same_rows (const GPtrArray *of_a, const GPtrArray *of_b, guint n_cells)
{
  for (guint i = 0; i < of_a->len; i++)
    for (guint c = 0; c < n_cells / of_a->len; c++)
      {
        const GobanBenchCell *a = &((GobanBenchRow *) of_a->pdata[i])->cells[c];
        const GobanBenchCell *b = &((GobanBenchRow *) of_b->pdata[i])->cells[c];

        g_assert_cmpint (a->state, ==, b->state);
        g_assert_cmpstr (a->why, ==, b->why);
        g_assert_true (a->makespan_us == b->makespan_us || isnan (a->makespan_us));
        g_assert_true (a->bound_us == b->bound_us || !isfinite (a->bound_us));
        g_assert_cmpuint (a->evaluations, ==, b->evaluations);
        assert_same_curve (a->improvements, b->improvements);
      }
}

/* Stopped anywhere, it goes on to the same rows, and what was done is not done again. */
static void
test_resumes (Fixture *fixture, gconstpointer data)
{
  GobanBenchOptions options = make_options (fixture);
  g_autoptr (GPtrArray) whole = NULL;
  guint n_cells;

  options.n_seeds = 2;
  whole = run_bench (&options);
  n_cells = whole->len
            * goban_bench_get_settings (((GobanBenchRow *) whole->pdata[0])->bench)->n_policies * 2;
  for (guint n = 0; n < n_cells; n += 3)
    {
      g_autoptr (GobanBenchJournal) first = open_journal (fixture, FALSE);
      g_autoptr (GobanBenchJournal) second = NULL;
      Stop stop = { first, n };
      GobanProgress progress = { NULL, stop_cb, &stop };
      g_autoptr (GError) error = NULL;
      g_autoptr (GobanBench) bench = NULL;
      g_autoptr (GPtrArray) rows = NULL;

      options.journal = first;
      bench = make_bench (&options);
      g_assert_null (goban_bench_run (bench, &progress, &error));
      g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_CANCELLED);
      g_clear_pointer (&bench, goban_bench_unref);
      g_clear_pointer (&first, goban_bench_journal_unref);

      options.journal = second = open_journal (fixture, TRUE);
      g_assert_cmpuint (goban_bench_journal_get_n_cells (second), ==, n);
      rows = run_bench (&options);
      g_assert_cmpuint (goban_bench_journal_get_n_cells (second), ==, n_cells);
      assert_same_rows (whole, rows, n_cells);
      options.journal = NULL;
      g_clear_pointer (&second, goban_bench_journal_unref);
      g_unlink (fixture->journal);
    }
}

typedef struct
{
  GobanBenchOptions options;
  GobanBenchJournal *journal; /* of rank 0 */
  GPtrArray *rows;            /* of rank 0 */
} Shared;

static void
bench_in_ranks (GobanRanks *ranks, gpointer data)
{
  Shared *self = data;
  GobanBenchOptions options = self->options;
  gboolean is_first = goban_ranks_get_rank (ranks) == 0;
  g_autoptr (GobanBench) bench = NULL;
  g_autoptr (GError) error = NULL;
  GPtrArray *rows;

  options.ranks = ranks;
  options.journal = is_first ? self->journal : NULL;
  bench = make_bench (&options);
  rows = goban_bench_run (bench, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (rows->len, ==, is_first ? goban_bench_get_settings (bench)->n_graphs : 0);
  if (is_first)
    self->rows = rows;
  else
    g_ptr_array_unref (rows);
}

/* Shared by any number of ranks: the same rows, also if some are in the journal of one process. */
static void
test_ranks (Fixture *fixture, gconstpointer data)
{
  Shared shared = { .options = make_options (fixture) };
  g_autoptr (GPtrArray) whole = NULL;
  guint n_cells;

  shared.options.n_seeds = 2;
  whole = run_bench (&shared.options);
  n_cells = whole->len
            * goban_bench_get_settings (((GobanBenchRow *) whole->pdata[0])->bench)->n_policies * 2;
  for (guint size = 2; size <= 5; size += 3)
    {
      shared.journal = open_journal (fixture, FALSE);
      thread_ranks_run (size, bench_in_ranks, &shared);
      assert_same_rows (whole, shared.rows, n_cells);
      g_assert_cmpuint (goban_bench_journal_get_n_cells (shared.journal), ==, n_cells);
      g_clear_pointer (&shared.rows, g_ptr_array_unref);
      g_clear_pointer (&shared.journal, goban_bench_journal_unref);
      /* Nothing is left to do: what was sent has come into the file. */
      shared.journal = open_journal (fixture, TRUE);
      g_assert_cmpuint (goban_bench_journal_get_n_cells (shared.journal), ==, n_cells);
      thread_ranks_run (size, bench_in_ranks, &shared);
      assert_same_rows (whole, shared.rows, n_cells);
      g_clear_pointer (&shared.rows, g_ptr_array_unref);
      g_clear_pointer (&shared.journal, goban_bench_journal_unref);
      g_unlink (fixture->journal);
    }
}

static const GobanBenchKey key = { .graph = "rnnlm:layers=2",
                                   .graph_hash = G_MAXUINT64,
                                   .cluster = "p100x2",
                                   .cluster_hash = 1,
                                   .policy = "heft",
                                   .seed = G_MAXUINT64 - 1 };

static const GobanBenchCell made = { .state = GOBAN_CELL_VALID,
                                     .why = "\n, \"state\": ",
                                     .makespan_us = 1 / 3.0,
                                     .bound_us = 0.1,
                                     .proven_bound_us = 0.2,
                                     .evaluations = 5001,
                                     .seconds = 1.5 };

static void
test_journal_keeps_all (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GobanBenchJournal) journal = open_journal (fixture, FALSE);
  g_autoptr (GError) error = NULL;
  GobanBenchKey others[] = { key, key, key, key, key, key, key, key, key, key, key, key, key };
  static const GobanImprovement steps[] = { { 1, 1e9 }, { 77, 2 / 3.0 }, { 5001, 1 / 3.0 } };
  g_autoptr (GArray) curve = g_array_new (FALSE, FALSE, sizeof (GobanImprovement));
  g_auto (GobanBenchCell) cell = { 0 };
  GobanBenchCell written = made;
  GobanBenchKey by_default = key;

  others[0].graph = "rnnlm:layers=4";
  others[1].graph_hash = 2;
  others[2].cluster = "p100x4";
  others[3].cluster_hash = 2;
  others[4].policy = "metis";
  others[5].seed = G_MAXUINT64; /* no double tells them apart */
  others[6].max_evaluations = 1;
  others[7].max_seconds = 1;
  others[8].network_hash = "0123456789abcdef";
  others[9].settings = "credit=0";
  others[10].settings = "";
  others[11].decisions = GOBAN_TASKS_ALL;
  others[12].fusion = "default";
  by_default.decisions = GOBAN_TASKS_DEFAULT;
  g_array_append_vals (curve, steps, G_N_ELEMENTS (steps));
  written.improvements = curve;
  written.is_fused = TRUE;
  g_assert_true (goban_bench_journal_add (journal, &key, &written, &error));
  g_clear_pointer (&journal, goban_bench_journal_unref);

  journal = open_journal (fixture, TRUE);
  g_assert_true (goban_bench_journal_find (journal, &key, &cell));
  g_assert_cmpint (cell.state, ==, made.state);
  g_assert_cmpstr (cell.why, ==, made.why);
  g_assert_cmpfloat (cell.makespan_us, ==, made.makespan_us);
  g_assert_cmpfloat (cell.bound_us, ==, made.bound_us);
  g_assert_cmpfloat (cell.proven_bound_us, ==, made.proven_bound_us);
  g_assert_cmpuint (cell.evaluations, ==, made.evaluations);
  g_assert_cmpfloat (cell.seconds, ==, made.seconds);
  g_assert_true (cell.is_fused);
  assert_same_curve (cell.improvements, curve);
  g_assert_cmpuint (goban_bench_cell_get_best_evaluation (&cell), ==, 5001);
  g_assert_true (goban_bench_journal_has (journal, &by_default));
  for (guint i = 0; i < G_N_ELEMENTS (others); i++)
    g_assert_false (goban_bench_journal_has (journal, &others[i]));
}

/* One of before there were curves: all else is as it was. */
static void
test_journal_of_old (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GobanBenchJournal) journal = open_journal (fixture, FALSE);
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;
  g_autofree char *path = NULL;
  g_autoptr (GString) old = NULL;
  g_auto (GobanBenchCell) cell = { 0 };

  goban_bench_journal_add (journal, &key, &made, &error);
  g_clear_pointer (&journal, goban_bench_journal_unref);
  g_assert_true (g_file_get_contents (fixture->journal, &text, NULL, NULL));
  old = g_string_new (text);
  g_assert_cmpuint (g_string_replace (old, ", \"improvements\": []", "", 0), ==, 1);
  g_assert_cmpuint (g_string_replace (old, ", \"fused\": false", "", 0), ==, 1);
  path = write_file (fixture, "journal.jsonl", old->str);
  journal = open_journal (fixture, TRUE);
  g_assert_true (goban_bench_journal_find (journal, &key, &cell));
  g_assert_cmpuint (cell.evaluations, ==, made.evaluations);
  g_assert_cmpuint (goban_bench_cell_get_best_evaluation (&cell), ==, 0);
}

/* Killed while it wrote: wherever the line was cut, the rest is there and can be added to. */
static void
test_torn_line (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GobanBenchJournal) journal = open_journal (fixture, FALSE);
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;
  GobanBenchKey second = key;
  const char *line_end;
  gsize size;

  second.seed = 1;
  goban_bench_journal_add (journal, &key, &made, &error);
  goban_bench_journal_add (journal, &second, &made, &error);
  g_clear_pointer (&journal, goban_bench_journal_unref);
  g_assert_true (g_file_get_contents (fixture->journal, &text, &size, NULL));
  line_end = strchr (text, '\n');
  for (gsize cut = line_end + 1 - text; cut < size; cut += 7)
    {
      g_autoptr (GobanBenchJournal) torn = NULL;
      g_auto (GobanBenchCell) cell = { 0 };

      g_assert_true (g_file_set_contents (fixture->journal, text, cut, NULL));
      torn = open_journal (fixture, TRUE);
      g_assert_cmpuint (goban_bench_journal_get_n_cells (torn), ==, 1);
      g_assert_true (goban_bench_journal_add (torn, &second, &made, &error));
      g_clear_pointer (&torn, goban_bench_journal_unref);
      torn = open_journal (fixture, TRUE);
      g_assert_cmpuint (goban_bench_journal_get_n_cells (torn), ==, 2);
      g_assert_true (goban_bench_journal_find (torn, &second, &cell));
    }
}

#define STRANGE_CURVE(curve)                                                                       \
  "{\"graph\": \"\", \"state\": \"valid\", \"why\": \"\", \"makespan_us\": 5, \"bound_us\": 5, "   \
  "\"proven_bound_us\": 0, \"evaluations\": 9, \"seconds\": 1, \"improvements\": " curve "}\n"

/* Where one plan fuses, what bounds and what is proven of the others is no bound. */
static void
test_bound_of_fused (Fixture *fixture, gconstpointer data)
{
  static const char *const two[] = { "single", "exact", NULL };
  GobanBenchOptions options = make_options (fixture);
  g_autoptr (GobanBenchJournal) journal = open_journal (fixture, FALSE);
  g_autoptr (GPtrArray) unfused = NULL;
  g_autoptr (GPtrArray) rows = NULL;
  g_autofree char *text = NULL;
  g_autofree char *path = NULL;
  g_auto (GStrv) lines = NULL;
  g_autoptr (GString) fused = g_string_new (NULL);
  const GobanBenchRow *row;

  options.policies = two;
  options.pattern = "toy";
  options.journal = journal;
  unfused = run_bench (&options);
  row = g_ptr_array_index (unfused, 0);
  g_assert_cmpfloat (row->bound_us, ==, 1070);
  g_clear_pointer (&unfused, g_ptr_array_unref);
  g_clear_pointer (&journal, goban_bench_journal_unref);

  g_assert_true (g_file_get_contents (fixture->journal, &text, NULL, NULL));
  lines = g_strsplit (text, "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++)
    {
      g_autoptr (GString) line = g_string_new (lines[i]);

      /* The graph that is full has no bound. */
      if (strstr (line->str, "\"policy\": \"single\"") != NULL
          && g_string_replace (line, "\"bound_us\": 1070", "\"bound_us\": 600", 1) == 1)
        g_assert_cmpuint (g_string_replace (line, "\"fused\": false", "\"fused\": true", 1), ==, 1);
      g_string_append_printf (fused, "%s%s", i > 0 ? "\n" : "", line->str);
    }
  path = write_file (fixture, "journal.jsonl", fused->str);
  options.journal = journal = open_journal (fixture, TRUE);
  rows = run_bench (&options);
  row = g_ptr_array_index (rows, 0);
  g_assert_cmpfloat (row->bound_us, ==, 600);
  g_assert_cmpfloat (goban_bench_row_get_value (row, find_policy (row->bench, "exact"),
                                                GOBAN_METRIC_RATIO_TO_BOUND),
                     ==, 1070.0 / 600);
}

/* A file that is somebody's is told of and stays as it is. */
static void
test_strange_journals (Fixture *fixture, gconstpointer data)
{
  static const char *const strange[] = { "my diary",
                                         "my diary\nof two lines\n",
                                         "{}\n",
                                         "[1]\n",
                                         "{\"graph\": 1, \"state\": \"x\"}\n",
                                         "{\"graphs\": []}",
                                         STRANGE_CURVE ("3"),
                                         STRANGE_CURVE ("[3]"),
                                         STRANGE_CURVE ("[[0, 5]]"),
                                         STRANGE_CURVE ("[[1, \"5\"]]"),
                                         STRANGE_CURVE ("[[1, 2, 3]]") };

  for (guint i = 0; i < G_N_ELEMENTS (strange); i++)
    {
      g_autofree char *path = write_file (fixture, "journal.jsonl", strange[i]);
      g_autofree char *says = g_strdup_printf ("%s:1: this is not a line of a bench journal", path);
      g_autofree char *after = NULL;
      g_autoptr (GError) error = NULL;

      g_assert_null (goban_bench_journal_open (path, TRUE, &error));
      g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_PARSE);
      g_assert_cmpstr (error->message, ==, says);
      g_clear_error (&error);
      g_assert_null (goban_bench_journal_open (path, FALSE, &error));
      g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_INVALID);
      g_assert_true (g_file_get_contents (path, &after, NULL, NULL));
      g_assert_cmpstr (after, ==, strange[i]);
    }
}

static void
test_one_writer (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GobanBenchJournal) journal = open_journal (fixture, FALSE);
  g_autoptr (GError) error = NULL;

  g_assert_null (goban_bench_journal_open (fixture->journal, TRUE, &error));
  g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_INVALID);
  g_assert_nonnull (strstr (error->message, "another bench is writing it"));
}

/* --- time left ----------------------------------------------------------------------------- */

typedef struct
{
  guint n_steps;
  double fraction;
  char *what;
} Steps;

static void
step_cb (double fraction, const char *what, gpointer user_data)
{
  Steps *steps = user_data;

  steps->n_steps++;
  g_assert_cmpfloat (fraction, >=, 0);
  g_assert_cmpfloat (fraction, <=, 1);
  g_free (steps->what);
  steps->what = g_strdup (what);
}

/* A policy goes on as fast per node as it went so far; one without a time is guessed by its
 * budget. */
static void
test_time_left (void)
{
  const GobanPlacer quick = { .name = "quick", .effort = GOBAN_EFFORT_QUICK };
  const GobanPlacer search
      = { .name = "search", .effort = GOBAN_EFFORT_SEARCH, .default_evaluations = 1000 };
  const GobanPlacer *const placers[] = { &quick, &search };
  GobanPlacerOptions budget = { 0 };
  Steps steps = { 0 };
  GobanProgress outer = { step_cb, NULL, &steps };
  g_autoptr (GobanBenchPace) pace = goban_bench_pace_new (placers, 2, &budget, &outer);
  double before;

  goban_bench_pace_expect (pace, 0, 1000, 2);
  goban_bench_pace_expect (pace, 0, 5000, 1);
  g_assert_cmpfloat (goban_bench_pace_get_left (pace), >, 0);
  goban_bench_pace_begin (pace, 0, 1000, "quick on a");
  g_assert_cmpstr (steps.what, ==, "quick on a, 1 of 3");
  goban_bench_pace_end (pace, 2);
  g_assert_cmpfloat_with_epsilon (goban_bench_pace_get_left (pace), 12, 1e-9);
  goban_bench_pace_begin (pace, 0, 1000, "quick on a");
  goban_bench_pace_end (pace, 4);
  g_assert_cmpfloat_with_epsilon (goban_bench_pace_get_left (pace), 15, 1e-9);

  before = goban_bench_pace_get_left (pace);
  goban_bench_pace_expect (pace, 1, 1000, 1);
  g_assert_cmpfloat (goban_bench_pace_get_left (pace) - before, >, 0.1);
  budget.max_seconds = 0.25;
  g_assert_cmpfloat_with_epsilon (goban_bench_pace_get_left (pace) - before, 0.25, 1e-9);
  g_free (steps.what);
}

/* --- reports ------------------------------------------------------------------------------- */

/* From one journal everything comes out the same, the seconds too. */
static void
test_same_results_same_bytes (Fixture *fixture, gconstpointer data)
{
  GobanBenchOptions options = make_options (fixture);
  char *reports[2][3];

  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (GobanBenchJournal) journal = open_journal (fixture, i > 0);
      g_autoptr (GPtrArray) rows = NULL;

      options.journal = journal;
      rows = run_bench (&options);
      reports[i][0] = goban_bench_to_text (rows);
      reports[i][1] = goban_bench_to_json (rows);
      reports[i][2] = goban_bench_to_csv (rows);
    }
  for (guint i = 0; i < 3; i++)
    {
      g_assert_cmpstr (reports[0][i], ==, reports[1][i]);
      g_free (reports[0][i]);
      g_free (reports[1][i]);
    }
}

/* A line's ratios are those of its own seed, and a policy's is the geometric mean of its lines'. */
static void
assert_ratios (const GPtrArray *rows, char *const *lines)
{
  enum
  {
    MAKESPAN_US = 10,
    BOUND_US = 11,
    TO_EXPERT = 13,
    TO_BOUND = 15
  };
  guint line = 1;

  for (guint i = 0; i < rows->len; i++)
    {
      const GobanBenchRow *row = rows->pdata[i];

      for (guint p = 0; p < row->settings->n_policies; p++)
        {
          double product = 1;

          for (guint s = 0; s < 2; s++)
            {
              g_autoptr (GPtrArray) cells = goban_csv_split (lines[line++]);
              double makespan_us = g_ascii_strtod (cells->pdata[MAKESPAN_US], NULL);
              double bound_us = g_ascii_strtod (cells->pdata[BOUND_US], NULL);
              double ratio = g_ascii_strtod (cells->pdata[TO_BOUND], NULL);

              /* Without enough memory there is no bound. */
              g_assert_cmpfloat_with_epsilon (ratio, bound_us > 0 ? makespan_us / bound_us : 0,
                                              1e-12);
              product *= g_ascii_strtod (cells->pdata[TO_EXPERT], NULL);
              if (p == row->settings->expert && ratio > 0)
                g_assert_cmpstr (cells->pdata[TO_EXPERT], ==, "1");
            }
          if (product > 0)
            g_assert_cmpfloat_with_epsilon (
                sqrt (product), goban_bench_row_get_value (row, p, GOBAN_METRIC_RATIO_TO_EXPERT),
                1e-9);
        }
    }
}

static void
test_reports_agree (Fixture *fixture, gconstpointer data)
{
  GobanBenchOptions options = make_options (fixture);
  g_autoptr (GPtrArray) rows = NULL;
  g_autofree char *json = NULL;
  g_autofree char *csv = NULL;
  g_auto (GStrv) lines = NULL;
  g_autoptr (JsonNode) root = NULL;
  g_autoptr (GError) error = NULL;
  JsonObject *object;
  guint n_policies;

  options.n_seeds = 2;
  rows = run_bench (&options);
  n_policies = goban_bench_get_settings (((GobanBenchRow *) rows->pdata[0])->bench)->n_policies;
  json = goban_bench_to_json (rows);
  csv = goban_bench_to_csv (rows);
  root = json_from_string (json, &error);
  g_assert_no_error (error);
  object = json_node_get_object (root);
  g_assert_cmpstr (json_object_get_string_member (object, "suite"), ==, "suite");
  g_assert_cmpuint (json_array_get_length (json_object_get_array_member (object, "means")), ==,
                    n_policies);
  object = json_array_get_object_element (json_object_get_array_member (object, "graphs"), 1);
  g_assert_cmpuint (json_array_get_length (json_object_get_array_member (object, "results")), ==,
                    n_policies * 2);

  lines = g_strsplit (csv, "\n", -1);
  g_assert_cmpuint (g_strv_length (lines), ==, 1 + rows->len * n_policies * 2 + 1);
  g_assert_true (g_str_has_prefix (lines[1 + n_policies * 2], "\"ResNet, small\","));
  assert_ratios (rows, lines);
}

static void
test_proofs (void)
{
  g_autofree char *exact = goban_describe_proof (1070, 1070, 1070);
  g_autofree char *delayed = goban_describe_proof (1070, 1070, 1069);
  g_autofree char *rounded = goban_describe_proof (1070, 1070 * (1 - 1e-10), 1070 * (1 - 1e-10));
  g_autofree char *close = goban_describe_proof (1070, 1070 * (1 - 1e-8), 1070 * (1 - 1e-8));
  g_autofree char *far = goban_describe_proof (110, 100, 90);

  g_assert_cmpstr (exact, ==, "optimal (proven)");
  g_assert_cmpstr (rounded, ==, "optimal (proven)");
  g_assert_cmpstr (close, ==, "within 0.1 % of the proven bound");
  g_assert_cmpstr (delayed, ==, "optimal among non-delay schedules (proven)");
  g_assert_cmpstr (far, ==, "within 10.0 % of the proven bound of non-delay schedules");
  g_assert_null (goban_describe_proof (110, 0, 90));
  g_assert_null (goban_describe_proof (INFINITY, 100, 90));
  g_assert_null (goban_describe_proof ((double) NAN, 100, 90));
}

static void
add (const char *path, void (*test) (Fixture *f, gconstpointer data))
{
  g_test_add (path, Fixture, NULL, set_up, test, tear_down);
}

TEST_PROGRAM (bench)
{
  g_test_init (&argc, &argv, NULL);
  add ("/bench/bench/ratios", test_ratios);
  add ("/bench/bench/fusing", test_fusing);
  add ("/bench/bench/out-of-memory", test_out_of_memory);
  add ("/bench/bench/seeds", test_seeds);
  add ("/bench/bench/defaults-are-quick", test_defaults_are_quick);
  add ("/bench/bench/mistakes-are-named", test_mistakes_are_named);
  add ("/bench/bench/resumes", test_resumes);
  add ("/bench/bench/ranks", test_ranks);
  add ("/bench/bench/journal/keeps-all", test_journal_keeps_all);
  add ("/bench/bench/journal/of-old", test_journal_of_old);
  add ("/bench/bench/improvements", test_improvements);
  add ("/bench/bench/bound-of-fused", test_bound_of_fused);
  add ("/bench/bench/journal/torn-line", test_torn_line);
  add ("/bench/bench/journal/strange", test_strange_journals);
  add ("/bench/bench/journal/one-writer", test_one_writer);
  add ("/bench/bench/same-results-same-bytes", test_same_results_same_bytes);
  add ("/bench/bench/reports-agree", test_reports_agree);
  g_test_add_func ("/bench/bench/time-left", test_time_left);
  g_test_add_func ("/session/proof/words", test_proofs);
  return g_test_run ();
}
