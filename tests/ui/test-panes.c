/* Texts of the panes for a small run, and stored settings: without a display. */
#include "tests/ui/small-run.h"

#include "engine/core/quantity.h"
#include "tests/support/test-program.h"
#include "ui/panels/inspector-rows.h"
#include "ui/timeline/timeline-reasons.h"
#include "ui/widgets/settings.h"
#include "ui/widgets/text.h"

#include <string.h>

/* Where the compiled schema is: the first argument. */
static const char *schema_dir;

static const char *
find_value (GArray *rows, const char *key)
{
  for (guint i = 0; i < rows->len; i++)
    {
      const GobanInspectorRow *row = &g_array_index (rows, GobanInspectorRow, i);

      if (row->value != NULL && g_str_equal (row->key, key))
        return row->value;
    }
  return NULL;
}

static void
test_node_rows (void)
{
  g_autoptr (GobanRun) run = small_run_new ();
  GobanNodeId c = goban_graph_find_node (goban_run_get_graph (run), "c");
  g_autoptr (GArray) rows = goban_inspector_rows_for_node (goban_run_get_costs (run), run, c);

  g_assert_cmpstr (find_value (rows, "op"), ==, "Add");
  g_assert_cmpstr (find_value (rows, "device"), ==, "gpu:0");
  g_assert_cmpstr (find_value (rows, "takes"), ==, "10 µs");
  g_assert_nonnull (find_value (rows, "starts"));
  /* Its input can be followed. */
  g_assert_cmpstr (find_value (rows, ""), ==, "b");
}

static void
test_many_rows (void)
{
  g_autoptr (GobanRun) run = small_run_new ();
  g_autoptr (GobanSelection) selection
      = goban_selection_new ((const GobanNodeId[]){ 0, 1, 2, 3 }, 4);
  g_autoptr (GArray) rows
      = goban_inspector_rows_for_many (goban_run_get_costs (run), run, selection);

  g_assert_cmpstr (find_value (rows, "nodes"), ==, "4");
  g_assert_cmpstr (find_value (rows, "gpu:0"), ==, "3");
  g_assert_cmpstr (find_value (rows, "gpu:1"), ==, "1");
  g_assert_cmpstr (find_value (rows, "Add"), ==, "4");
  g_assert_cmpstr (find_value (rows, "time"), ==, "40 µs");
}

static void
test_graph_rows (void)
{
  g_autoptr (GobanRun) run = small_run_new ();
  g_autoptr (GArray) with = goban_inspector_rows_for_graph (goban_run_get_costs (run), run);
  g_autoptr (GArray) without = goban_inspector_rows_for_graph (goban_run_get_costs (run), NULL);
  double percent = 0;

  g_assert_cmpstr (find_value (with, "nodes"), ==, "4");
  g_assert_cmpstr (find_value (with, "times"), ==, "given in the file");
  g_assert_nonnull (find_value (with, "makespan"));
  for (guint i = 0; i < with->len; i++)
    {
      const GobanInspectorRow *row = &g_array_index (with, GobanInspectorRow, i);

      if (row->nodes == NULL)
        continue;
      percent += g_ascii_strtod (row->value, NULL);
    }
  g_assert_cmpfloat_with_epsilon (percent, 100, 1e-9);
  g_assert_null (find_value (without, "makespan"));
}

static void
test_reasons (void)
{
  g_autoptr (GobanRun) run = small_run_new ();
  GobanTrace *trace = goban_run_get_trace (run);
  GobanGraph *graph = goban_run_get_graph (run);
  g_autofree char *a = goban_describe_op_wait (trace, goban_graph_find_node (graph, "a"));
  g_autofree char *b = goban_describe_op_wait (trace, goban_graph_find_node (graph, "b"));
  g_autofree char *d = goban_describe_op_wait (trace, goban_graph_find_node (graph, "d"));
  g_autofree char *sent = goban_describe_transfer_wait (trace, 0);

  g_assert_cmpstr (a, ==, "nothing to wait for");
  g_assert_cmpstr (b, ==, "starts when a arrives from gpu:0");
  g_assert_cmpstr (d, ==, "waited 10 µs for gpu:0, busy with a");
  g_assert_cmpstr (sent, ==, "starts when a ends");
}

static void
test_text (void)
{
  g_autoptr (GobanRun) run = small_run_new ();
  g_autofree char *text = goban_describe_node (goban_run_get_graph (run), run, 0);

  g_assert_nonnull (strstr (text, "gpu:0"));
}

/* Defaults in the code and in the schema are the same. */
static void
test_settings (void)
{
  static const char *const ints[] = { GOBAN_SETTING_WIDTH, GOBAN_SETTING_HEIGHT,
                                      GOBAN_SETTING_RECENT_LIMIT, GOBAN_SETTING_CONSOLE_FONT };
  static const char *const booleans[] = { GOBAN_SETTING_MAXIMIZED, GOBAN_SETTING_DARK,
                                          GOBAN_SETTING_AUTOSAVE, GOBAN_SETTING_FOLLOW_SYSTEM };
  static const char *const layouts[]
      = { GOBAN_SETTING_LAYOUT_EXPLORE, GOBAN_SETTING_LAYOUT_DECISIONS,
          GOBAN_SETTING_LAYOUT_COMPARE, GOBAN_SETTING_LAYOUT_TRAIN, GOBAN_SETTING_LAYOUT_SCRIPT };
  g_autoptr (GobanSettings) plain = goban_settings_new ("/nonexistent");
  g_autoptr (GobanSettings) kept = goban_settings_new (schema_dir);
  g_auto (GStrv) rows = NULL;
  g_auto (GStrv) kept_rows = NULL;
  g_autofree char *a = NULL;
  g_autofree char *b = NULL;

  g_assert_false (goban_settings_is_persistent (plain));
  g_assert_true (goban_settings_is_persistent (kept));
  for (gsize i = 0; i < G_N_ELEMENTS (ints); i++)
    g_assert_cmpint (goban_settings_get_int (plain, ints[i]), ==,
                     goban_settings_get_int (kept, ints[i]));
  for (gsize i = 0; i < G_N_ELEMENTS (booleans); i++)
    g_assert_cmpint (goban_settings_get_boolean (plain, booleans[i]), ==,
                     goban_settings_get_boolean (kept, booleans[i]));
  rows = goban_settings_dup_names (plain, GOBAN_SETTING_TIMELINE_ROWS);
  kept_rows = goban_settings_dup_names (kept, GOBAN_SETTING_TIMELINE_ROWS);
  g_assert_cmpstrv (rows, kept_rows);
  for (gsize i = 0; i < G_N_ELEMENTS (layouts); i++)
    {
      g_autoptr (GVariant) here = goban_settings_dup_layout (plain, layouts[i]);
      g_autoptr (GVariant) there = goban_settings_dup_layout (kept, layouts[i]);

      g_assert_true (g_variant_equal (here, there));
    }
  a = goban_settings_dup_string (plain, GOBAN_SETTING_CLUSTER);
  b = goban_settings_dup_string (kept, GOBAN_SETTING_CLUSTER);
  g_assert_cmpstr (a, ==, b);

  goban_settings_set_int (plain, GOBAN_SETTING_WIDTH, 777);
  g_assert_cmpint (goban_settings_get_int (plain, GOBAN_SETTING_WIDTH), ==, 777);
  goban_settings_set_boolean (kept, GOBAN_SETTING_DARK, TRUE);
  g_assert_true (goban_settings_get_boolean (kept, GOBAN_SETTING_DARK));
}

static void
assert_layout (GVariant *layout, const char *slot, int value)
{
  int found = -1;

  g_assert_true (g_variant_lookup (layout, slot, "i", &found));
  g_assert_cmpint (found, ==, value);
}

/* What an older version stored for the whole window is Explore's, until that has its own. */
static void
test_old_settings (void)
{
  g_autoptr (GSettingsSchemaSource) source
      = g_settings_schema_source_new_from_directory (schema_dir, NULL, FALSE, NULL);
  g_autoptr (GSettingsSchema) schema
      = g_settings_schema_source_lookup (source, "org.goban.Goban", FALSE);
  g_autoptr (GSettings) old = g_settings_new_full (schema, NULL, NULL);
  g_autoptr (GobanSettings) settings = goban_settings_new (schema_dir);
  g_autoptr (GVariant) explore = NULL;
  g_autoptr (GVariant) script = NULL;
  g_autoptr (GVariant) mine = g_variant_ref_sink (g_variant_new_parsed ("{'left': 300}"));
  g_autoptr (GVariant) stored = NULL;

  g_settings_set_int (old, "left-width", 345);
  g_settings_set_boolean (old, "right-pane", FALSE);
  explore = goban_settings_dup_layout (settings, GOBAN_SETTING_LAYOUT_EXPLORE);
  assert_layout (explore, "left", 345);
  assert_layout (explore, "right-shown", 0);
  g_assert_cmpuint (g_variant_n_children (explore), ==, 2);
  script = goban_settings_dup_layout (settings, GOBAN_SETTING_LAYOUT_SCRIPT);
  g_assert_cmpuint (g_variant_n_children (script), ==, 0);
  goban_settings_set_layout (settings, GOBAN_SETTING_LAYOUT_EXPLORE, mine);
  stored = goban_settings_dup_layout (settings, GOBAN_SETTING_LAYOUT_EXPLORE);
  g_assert_true (g_variant_equal (stored, mine));
}

/* Windows have no flags. */
static void
test_no_flags (void)
{
  g_autofree char *text = goban_dup_without_flags (
      "begins at one; with --set start=cells at the best. --tasks adds order -- and more");

  g_assert_cmpstr (text, ==,
                   "begins at one; with start=cells at the best. tasks adds order -- and more");
}

TEST_PROGRAM (panes)
{
  g_test_init (&argc, &argv, NULL);
  schema_dir = argc > 1 ? argv[1] : NULL;
  g_test_add_func ("/panes/inspector/node", test_node_rows);
  g_test_add_func ("/panes/inspector/many", test_many_rows);
  g_test_add_func ("/panes/inspector/graph", test_graph_rows);
  g_test_add_func ("/panes/timeline/reasons", test_reasons);
  g_test_add_func ("/panes/text", test_text);
  g_test_add_func ("/panes/settings", test_settings);
  g_test_add_func ("/panes/old-settings", test_old_settings);
  g_test_add_func ("/panes/no-flags", test_no_flags);
  return g_test_run ();
}
