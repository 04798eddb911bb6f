/* Lines that people write: specs of clusters, settings, sizes and times, queries. */
#include "engine/core/quantity.h"
#include "engine/graph/graph-builder.h"
#include "engine/io/text.h"
#include "engine/learn/rl/builder/builder-training.h"
#include "engine/learn/rl/go/learner.h"
#include "engine/learn/roster.h"
#include "engine/machine/cluster/cost-model.h"
#include "engine/machine/parallel/schedule-csv.h"
#include "engine/sim/simulator.h"
#include "engine/study/analysis/query.h"
#include "tests/fuzz/targets.h"
#include "tests/support/toys.h"

#include <math.h>
#include <string.h>

/* More devices than this only take longer. */
#define MAX_DEVICES 8

/* As the command line and the window hand it over; NULL: what is no text never gets so far. */
static char *
take_text (const char *data, gsize size)
{
  g_autofree char *text = g_strndup (data != NULL ? data : "", size);

  return g_utf8_validate (text, -1, NULL) ? g_steal_pointer (&text) : NULL;
}

/* --- clusters ------------------------------------------------------------------------------- */

/* The simplest plans of a few small and large ops take as long as can be counted. */
static void
simulate (GobanCluster *cluster, double amount)
{
  static const char *const policies[] = { "single", "heft", "m-etf", "m-sct", "metis" };
  g_autoptr (GobanGraphBuilder) builder = goban_graph_builder_new ("fuzz", "test");
  g_autoptr (GobanGraph) graph = NULL;
  g_autoptr (GobanCostModel) costs = NULL;
  g_autoptr (GobanSimulator) simulator = NULL;

  for (guint v = 0; v < 4; v++)
    {
      guint32 tensor;

      goban_graph_builder_add_node (builder, "", "Op");
      goban_graph_builder_get_node (builder, v)->flops = amount;
      goban_graph_builder_get_node (builder, v)->read_bytes = amount;
      tensor = goban_graph_builder_add_tensor (builder, v, amount);
      if (v > 0)
        goban_graph_builder_add_edge (builder, tensor / 2, v);
    }
  graph = goban_graph_builder_finish (builder, NULL, NULL);
  FUZZ_CHECK (graph != NULL);
  costs = goban_cost_model_new (graph, cluster, GOBAN_EXECUTION_EVENTS);
  simulator = goban_simulator_new (costs);
  for (guint i = 0; i < G_N_ELEMENTS (policies); i++)
    {
      const GobanPlacer *placer = goban_roster_find (policies[i], NULL);
      GobanPlacerOptions options = { 0 };
      guint64 n_evaluations = 0;
      g_autoptr (GError) error = NULL;
      g_autoptr (GobanPlan) plan
          = goban_placer_place (placer, costs, &options, &n_evaluations, &error);

      fuzz_check_outcome (plan != NULL, error, NULL);
      if (plan != NULL)
        FUZZ_CHECK (isfinite (goban_simulator_evaluate (simulator, plan).makespan_us));
    }
}

void
fuzz_cluster_spec (const char *data, gsize size)
{
  g_autofree char *text = take_text (data, size);
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanCluster) cluster = NULL;

  /* No input opens files of its own choice. */
  if (text == NULL || !(g_str_has_prefix (text, "equal:") || g_str_has_prefix (text, "msr:")))
    return;
  cluster = goban_cluster_new_from_spec (text, &error);
  fuzz_check_outcome (cluster != NULL, error, text);
  if (cluster == NULL)
    return;
  FUZZ_CHECK (strcmp (goban_cluster_get_name (cluster), text) == 0);
  if (goban_cluster_get_n_devices (cluster) > MAX_DEVICES)
    return;
  fuzz_check_routes (cluster);
  simulate (cluster, 0);
  simulate (cluster, 5e-324);
  simulate (cluster, 1e6);
  simulate (cluster, GOBAN_TEXT_MAX_AMOUNT);
}

/* --- settings ------------------------------------------------------------------------------- */

/* What was read is written, and means the same again. */
void
fuzz_settings (const char *data, gsize size)
{
  g_autofree char *text = take_text (data, size);
  g_autoptr (GError) error = NULL;
  g_autoptr (GError) run_error = NULL;
  GobanGoSettings settings, again;
  GobanBuilderTrainingConfig config = goban_builder_training_config_default ();
  GobanBuilderTrainingConfig config_again = config;
  gboolean good;

  if (text == NULL)
    return;
  good = goban_go_settings_parse (&settings, text, &error);
  fuzz_check_outcome (good, error, NULL);
  if (good)
    {
      g_autofree char *written = goban_go_settings_to_text (&settings);
      g_autofree char *written_again = NULL;

      FUZZ_CHECK (goban_go_settings_parse (&again, written, NULL));
      written_again = goban_go_settings_to_text (&again);
      if (strcmp (written, written_again) != 0)
        fuzz_fail (written, written_again);
    }
  good = goban_setting_table_parse (&goban_builder_training_kind.settings, text, &config,
                                    &run_error);
  fuzz_check_outcome (good, run_error, NULL);
  if (good)
    {
      g_autofree char *written
          = goban_setting_table_to_text (&goban_builder_training_kind.settings, &config);
      g_autofree char *written_again = NULL;

      FUZZ_CHECK (goban_setting_table_parse (&goban_builder_training_kind.settings, written,
                                             &config_again, NULL));
      written_again
          = goban_setting_table_to_text (&goban_builder_training_kind.settings, &config_again);
      if (strcmp (written, written_again) != 0)
        fuzz_fail (written, written_again);
    }
}

/* --- sizes and times ------------------------------------------------------------------------ */

static void
check_quantity (const char *text, gboolean (*parse) (const char *, double *, GError **),
                const char *(*format) (char *, double), gboolean may_be_unlimited)
{
  g_autoptr (GError) error = NULL;
  char written[GOBAN_QUANTITY_LEN];
  double value = -1, again;
  gboolean good = parse (text, &value, &error);

  fuzz_check_outcome (good, error, NULL);
  if (!good)
    {
      FUZZ_CHECK (value == -1);
      return;
    }
  FUZZ_CHECK (value >= 0 && (isfinite (value) || may_be_unlimited));
  format (written, value);
  FUZZ_CHECK (strlen (written) < GOBAN_QUANTITY_LEN - 1);
  /* Four digits of it. */
  FUZZ_CHECK (parse (written, &again, NULL));
  FUZZ_CHECK (again == value || fabs (again - value) <= 1e-3 * value);
}

void
fuzz_quantity (const char *data, gsize size)
{
  g_autofree char *text = take_text (data, size);
  const char *end;
  double value;
  guint64 id;

  if (text == NULL)
    return;
  check_quantity (text, goban_parse_time, goban_format_time, FALSE);
  check_quantity (text, goban_parse_bytes, goban_format_bytes, TRUE);
  if (goban_scan_number (text, &value, &end))
    {
      g_autofree char *number = g_strndup (text, end - text);

      FUZZ_CHECK (end > text && end <= text + strlen (text) && !isnan (value));
      FUZZ_CHECK (goban_parse_number (number, &value) == (isfinite (value) != 0));
    }
  if (goban_text_file_parse_number (text, &value))
    FUZZ_CHECK (isfinite (value));
  if (goban_text_file_parse_id (text, &id))
    FUZZ_CHECK (id < (guint64) 1 << 53);
}

/* --- queries -------------------------------------------------------------------------------- */

void
fuzz_query (const char *data, gsize size)
{
  static GobanCostModel *costs = NULL;
  g_autofree char *text = take_text (data, size);
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanQuery) query = NULL;
  g_autoptr (GobanSelection) selection = NULL;

  if (text == NULL)
    return;
  if (costs == NULL)
    {
      g_autoptr (GobanGraph) graph = toy_mixed (30, 1);

      costs = toy_costs (graph, TOY_MIXED_CLUSTER);
    }
  query = goban_query_new (text, &error);
  fuzz_check_outcome (query != NULL, error, "query, column ");
  if (query == NULL)
    return;
  if (goban_query_needs_run (query) == NULL)
    {
      GobanNodeContext context = { .costs = costs };
      g_autoptr (GobanSelection) again = NULL;

      selection = goban_query_select (query, &context);
      again = goban_query_search (query, &context, NULL, &error);
      FUZZ_CHECK (selection != NULL && again != NULL);
      FUZZ_CHECK (goban_selection_equal (selection, again));
    }
}

/* --- schedules of pipelines ----------------------------------------------------------------- */

/* What is written is read as the same, and written again it has the same bytes. */
void
fuzz_schedule (const char *data, gsize size)
{
  g_autoptr (GError) error = NULL;
  GobanScheduleStyle style;
  g_autoptr (GobanSchedule) self = goban_schedule_parse (data, size, FUZZ_ORIGIN, &style, &error);
  g_autoptr (GobanSchedule) read = NULL;
  g_autofree char *written = NULL;
  g_autofree char *again = NULL;

  fuzz_check_outcome (self != NULL, error, FUZZ_ORIGIN);
  if (self == NULL)
    return;
  written = goban_schedule_to_csv (self, &style);
  read = goban_schedule_parse (written, strlen (written), FUZZ_ORIGIN, &style, NULL);
  FUZZ_CHECK (read != NULL);
  again = goban_schedule_to_csv (read, &style);
  FUZZ_CHECK (strcmp (written, again) == 0);
}
