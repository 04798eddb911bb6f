/* The program's other files: what was read is written and read again, and says the same. */
#include "engine/core/bytes.h"
#include "engine/graph/graph-builder.h"
#include "engine/graph/workloads/workload.h"
#include "engine/io/packed.h"
#include "engine/io/traces/measured-times.h"
#include "engine/learn/nn/params.h"
#include "engine/machine/plan/plan-diff.h"
#include "engine/machine/plan/plan.h"
#include "engine/session/document/session-file.h"
#include "engine/study/analysis/array-file.h"
#include "engine/study/bench/bench-journal.h"
#include "engine/study/bench/suite.h"
#include "tests/fuzz/targets.h"
#include "tests/support/toys.h"

#include <math.h>
#include <string.h>

/* Of a spec's graph that is generated, too: larger ones would only take longer. */
#define MAX_NODES 600

/* --- network checkpoints -------------------------------------------------------------------- */

static GobanParams *
make_params (void)
{
  GobanParams *params = goban_params_new ("toy");
  GobanRng rng;

  goban_rng_init (&rng, 1);
  goban_params_add (params, "w", 2, 3, GOBAN_INIT_GLOROT);
  goban_params_add (params, "b", 1, 2, GOBAN_INIT_ZEROS);
  goban_params_finish (params, &rng);
  return params;
}

/* What a checkpoint says can be said in one way only: the same bytes are written again. */
static void
check_saved (const GobanParams *params, const guint8 *data, gsize size)
{
  char *path = fuzz_write ("", 0);
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;
  gsize saved_size;

  FUZZ_CHECK (goban_params_save (params, path, &error));
  FUZZ_CHECK (g_file_get_contents (path, &text, &saved_size, NULL));
  FUZZ_CHECK (saved_size == size && memcmp (text, data, size) == 0);
  fuzz_remove (path);
}

static void
read_params (const guint8 *data, gsize size, gboolean is_saved)
{
  g_autoptr (GobanParams) params = make_params ();
  g_autoptr (GobanParams) fresh = make_params ();
  g_autoptr (GError) error = NULL;
  gboolean good = goban_params_read (params, data, size, FUZZ_ORIGIN, &error);

  fuzz_check_outcome (good, error, FUZZ_ORIGIN);
  if (good && is_saved)
    check_saved (params, data, size);
  if (good)
    return;
  FUZZ_CHECK (params->n_steps == 0);
  for (guint t = 0; t < params->tensors->len; t++)
    FUZZ_CHECK (memcmp (goban_params_value (params, t), goban_params_value (fresh, t),
                        goban_params_get_size (params, t) * sizeof (float))
                == 0);
}

void
fuzz_params (const char *data, gsize size)
{
  g_autoptr (GByteArray) repaired = g_byte_array_new ();

  read_params ((const guint8 *) data, size, TRUE);
  if (size < GOBAN_SEAL_SIZE)
    return;
  /* No change survives the seal, so the numbers are tried under a right one, too. */
  g_byte_array_append (repaired, (const guint8 *) data, (guint) (size - GOBAN_SEAL_SIZE));
  goban_bytes_seal (repaired);
  /* Without saving: that waits for the disk. */
  read_params (repaired->data, size, FALSE);
}

/* --- recorded runs -------------------------------------------------------------------------- */

/* No text is larger than asked for, and none is without its zero. */
void
fuzz_packed (const char *data, gsize size)
{
  static const gsize limits[] = { 1 << 20, 100 };
  g_autoptr (GBytes) packed = g_bytes_new_static (data, size);

  for (guint i = 0; goban_packed_is (data, size) && i < G_N_ELEMENTS (limits); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (GBytes) text = goban_packed_unpack (packed, limits[i], FUZZ_ORIGIN, NULL, &error);

      fuzz_check_outcome (text != NULL, error, FUZZ_ORIGIN);
      if (text == NULL)
        continue;
      FUZZ_CHECK (g_bytes_get_size (text) <= limits[i]);
      FUZZ_CHECK (((const char *) g_bytes_get_data (text, NULL))[g_bytes_get_size (text)] == 0);
    }
}

/* No array is longer than the file has room for. */
void
fuzz_arrays (const char *data, gsize size)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) arrays = goban_array_file_parse (data, size, FUZZ_ORIGIN, &error);

  fuzz_check_outcome (arrays != NULL, error, FUZZ_ORIGIN);
  for (guint i = 0; arrays != NULL && i < arrays->len; i++)
    {
      const GobanNamedArray *array = g_ptr_array_index (arrays, i);

      FUZZ_CHECK (g_utf8_validate (array->name, -1, NULL));
      /* Deflate packs a thousand bytes into one; here each number took one. */
      FUZZ_CHECK (array->n <= 1100 * size);
    }
}

/* All members, those with the same bytes too; no name but text. */
void
fuzz_zip (const char *data, gsize size)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanZip) zip = NULL;

  goban_zip_is (data, size);
  zip = goban_zip_open (data, size, FUZZ_ORIGIN, &error);
  fuzz_check_outcome (zip != NULL, error, FUZZ_ORIGIN);
  for (guint i = 0; zip != NULL && i < goban_zip_get_n_members (zip); i++)
    {
      g_autoptr (GError) reason = NULL;
      g_autoptr (GBytes) bytes = goban_zip_unpack (zip, i, 1 << 16, NULL, &reason);

      FUZZ_CHECK (g_utf8_validate (goban_zip_get_name (zip, i), -1, NULL));
      fuzz_check_outcome (bytes != NULL, reason, FUZZ_ORIGIN);
      FUZZ_CHECK (bytes == NULL || g_bytes_get_size (bytes) <= 1 << 16);
    }
}

/* The graph of the run, and its times for a small model. */
void
fuzz_ort_profile (const char *data, gsize size)
{
  static const char *const kinds[] = { "cpu", NULL };
  char *path = fuzz_write (data, size);
  g_autoptr (GobanGraphBuilder) builder = goban_graph_builder_new ("model", "test");
  g_autoptr (GobanGraph) model = NULL;
  g_autoptr (GobanGraph) measured = NULL;
  g_autoptr (GError) error = NULL;

  fuzz_graph ("ort-profile", data, size);
  goban_graph_builder_add_node (builder, "conv", "Conv");
  goban_graph_builder_add_node (builder, "relu", "Relu");
  model = goban_graph_builder_finish (builder, NULL, NULL);
  measured = goban_graph_measure (model, path, kinds, NULL, NULL, &error);
  fuzz_check_outcome (measured != NULL, error, path);
  if (measured != NULL)
    fuzz_check_graph (measured);
  fuzz_remove (path);
}

/* --- clusters ------------------------------------------------------------------------------- */

void
fuzz_check_routes (const GobanCluster *cluster)
{
  GobanDeviceId n = goban_cluster_get_n_devices (cluster);

  FUZZ_CHECK (n > 0 && n <= GOBAN_MAX_DEVICES);
  for (GobanDeviceId a = 0; a < n; a++)
    {
      const char *name = goban_cluster_get_device (cluster, a)->name;

      FUZZ_CHECK (g_utf8_validate (name, -1, NULL));
      FUZZ_CHECK (goban_cluster_find_device (cluster, name) == a);
      for (GobanDeviceId b = 0; b < n; b++)
        if (a != b)
          {
            const GobanRoute *route = goban_cluster_get_route (cluster, a, b);

            FUZZ_CHECK (route->n_links > 0 && route->bytes_per_us > 0);
            FUZZ_CHECK (isfinite (route->latency_us) && route->latency_us >= 0);
          }
    }
}

void
fuzz_cluster (const char *data, gsize size)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanCluster) cluster
      = goban_cluster_new_from_json (data, (gssize) size, FUZZ_ORIGIN, &error);
  g_autoptr (GobanCluster) again = NULL;
  g_autofree char *text = NULL;
  g_autofree char *text_again = NULL;

  fuzz_check_outcome (cluster != NULL, error, FUZZ_ORIGIN);
  if (cluster == NULL)
    return;
  fuzz_check_routes (cluster);
  text = goban_cluster_to_json (cluster);
  again = goban_cluster_new_from_json (text, -1, FUZZ_ORIGIN, &error);
  if (again == NULL)
    fuzz_fail (error->message, text);
  text_again = goban_cluster_to_json (again);
  if (strcmp (text, text_again) != 0)
    fuzz_fail (text, text_again);
}

/* --- plans ---------------------------------------------------------------------------------- */

/* One for all inputs, since it never changes. */
static GobanCostModel *
get_costs (void)
{
  static GobanCostModel *costs = NULL;

  if (costs == NULL)
    {
      g_autoptr (GobanGraph) graph = toy_diamond ();

      costs = toy_costs (graph, "equal:2");
    }
  return costs;
}

static void
check_plan (const GobanPlan *plan, const char *path)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanPlan) again = NULL;
  g_autoptr (GobanPlanDiff) diff = NULL;

  for (GobanNodeId v = 0; v < goban_plan_get_n_nodes (plan); v++)
    FUZZ_CHECK (goban_plan_get_device (plan, v) < goban_plan_get_n_devices (plan));

  FUZZ_CHECK (goban_plan_save (plan, get_costs (), path, &error));
  again = goban_plan_load (path, get_costs (), &error);
  if (again == NULL)
    fuzz_fail (error->message, "");
  diff = goban_plan_diff (plan, again);
  FUZZ_CHECK (diff->n_moved == 0 && diff->n_reprioritised == 0 && diff->n_refused == 0);
  FUZZ_CHECK (diff->same_order && diff->same_transfers);
  FUZZ_CHECK (goban_plan_get_proven_bound_us (plan, get_costs ())
              == goban_plan_get_proven_bound_us (again, get_costs ()));
  FUZZ_CHECK (strcmp (goban_plan_get_policy (plan), goban_plan_get_policy (again)) == 0);
}

void
fuzz_plan (const char *data, gsize size)
{
  char *path = fuzz_write (data, size);
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanPlan) plan = goban_plan_load (path, get_costs (), &error);

  fuzz_check_outcome (plan != NULL, error, path);
  if (plan != NULL)
    check_plan (plan, path);
  fuzz_remove (path);
}

/* --- sessions ------------------------------------------------------------------------------- */

/* Whatever graph is named, this one is meant: no input opens files of its own choice. What was read
 * is written and read again as the same bytes. */
void
fuzz_session (const char *data, gsize size)
{
  GobanSnapshotOptions options = { .graph = goban_cost_model_get_graph (get_costs ()) };
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanSnapshot) read = goban_snapshot_read (data, size, FUZZ_ORIGIN, &options, &error);
  g_autoptr (GobanSnapshot) again = NULL;
  g_autofree char *text = NULL;
  g_autofree char *text_again = NULL;
  gsize text_size;

  goban_session_file_sniff (data != NULL ? data : "", size);
  fuzz_check_outcome (read != NULL, error, FUZZ_ORIGIN);
  if (read == NULL)
    return;
  text = goban_snapshot_to_text (read, NULL, &text_size, &error);
  FUZZ_CHECK (text != NULL);
  again = goban_snapshot_read (text, text_size, FUZZ_ORIGIN, &options, &error);
  if (again == NULL)
    fuzz_fail (error->message, text);
  text_again = goban_snapshot_to_text (again, NULL, &text_size, &error);
  if (strcmp (text, text_again) != 0)
    fuzz_fail (text, text_again);
}

/* --- suites --------------------------------------------------------------------------------- */

void
fuzz_suite (const char *data, gsize size)
{
  char *path = fuzz_write (data, size);
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanSuite) suite = goban_suite_load (path, &error);

  fuzz_check_outcome (suite != NULL, error, path);
  if (suite != NULL)
    {
      FUZZ_CHECK (suite->graphs->len > 0);
      FUZZ_CHECK (g_utf8_validate (suite->about, -1, NULL));
    }
  for (guint i = 0; suite != NULL && i < suite->graphs->len; i++)
    {
      const GobanSuiteGraph *graph = goban_suite_get_graph (suite, i);

      FUZZ_CHECK (*graph->name != '\0' && g_utf8_validate (graph->name, -1, NULL));
      FUZZ_CHECK (*graph->graph != '\0' && g_utf8_validate (graph->graph, -1, NULL));
      FUZZ_CHECK (graph->clusters[GOBAN_SUITE_TASK_PLACEMENT] != NULL
                  || graph->clusters[GOBAN_SUITE_TASK_JOINT] != NULL);
    }
  fuzz_remove (path);
}

/* --- journals of benches -------------------------------------------------------------------- */

/* Whatever it held, what is added to it is found again, and nothing is lost. */
static void
check_journal (const char *path, guint n_cells)
{
  const GobanBenchKey key = { .graph = "fuzz:“\n", .cluster = "equal:2", .policy = "heft" };
  const GobanBenchCell cell = { .state = GOBAN_CELL_VALID,
                                .why = "",
                                .makespan_us = 12.5,
                                .bound_us = 10,
                                .evaluations = 3,
                                .seconds = 0.25 };
  g_autoptr (GError) error = NULL;

  for (guint round = 0; round < 2; round++)
    {
      g_auto (GobanBenchCell) found = { 0 };
      g_autoptr (GobanBenchJournal) journal = goban_bench_journal_open (path, TRUE, &error);

      if (journal == NULL)
        fuzz_fail ("a journal cannot be gone on with", error->message);
      FUZZ_CHECK (goban_bench_journal_get_n_cells (journal) == n_cells + round);
      if (round == 0)
        FUZZ_CHECK (goban_bench_journal_add (journal, &key, &cell, &error));
      FUZZ_CHECK (goban_bench_journal_find (journal, &key, &found));
      FUZZ_CHECK (found.makespan_us == cell.makespan_us && found.evaluations == cell.evaluations);
    }
}

void
fuzz_bench_journal (const char *data, gsize size)
{
  char *path = fuzz_write (data, size);
  g_autoptr (GError) error = NULL;
  GobanBenchJournal *journal = goban_bench_journal_open (path, TRUE, &error);

  fuzz_check_outcome (journal != NULL, error, path);
  if (journal != NULL)
    {
      guint n_cells = goban_bench_journal_get_n_cells (journal);

      /* One holder at a time. */
      goban_bench_journal_unref (journal);
      check_journal (path, n_cells);
    }
  fuzz_remove (path);
}

/* --- specs of generated graphs -------------------------------------------------------------- */

void
fuzz_workload (const char *data, gsize size)
{
  g_autofree char *text = g_strndup (data != NULL ? data : "", size);
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanWorkloadSpec) spec = NULL;
  g_autoptr (GobanWorkloadSpec) again = NULL;
  g_autoptr (GobanGraph) graph = NULL;

  /* As the command line and the window hand it over: text. */
  if (!g_utf8_validate (text, -1, NULL))
    return;
  spec = goban_workload_spec_new (text, &error);
  fuzz_check_outcome (spec != NULL, error, NULL);
  if (spec == NULL)
    return;
  FUZZ_CHECK (goban_workload_is_spec (text) && goban_workload_is_spec (spec->text));
  again = goban_workload_spec_new (spec->text, NULL);
  FUZZ_CHECK (again != NULL && strcmp (again->text, spec->text) == 0);
  FUZZ_CHECK (spec->n_nodes > 0 && isfinite (spec->n_nodes));
  if (spec->n_nodes > MAX_NODES)
    return;
  graph = goban_workload_generate (text, &error);
  fuzz_check_outcome (graph != NULL, error, NULL);
  if (graph == NULL)
    return;
  FUZZ_CHECK (strcmp (goban_graph_get_name (graph), spec->text) == 0);
  fuzz_check_graph (graph);
}
