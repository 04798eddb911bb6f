/* Pages of a report: where things are and what they say, and the same bytes for the same values. */
#include "engine/core/error.h"
#include "tests/draw/draw-golden.h"
#include "tests/support/folder.h"
#include "tests/support/graph-gen.h"
#include "tests/support/shared-data.h"
#include "ui/draw/reports/report-page.h"

#include "engine/session/session.h"
#include "engine/study/run/graph-source.h"
#include "tests/support/test-program.h"

#include <string.h>

/* Two policies on the sample, which is small enough to be looked at. */
static GobanDiffReport *
new_report (const char *cluster_name)
{
  g_autofree char *path = project_path ("samples/toy.dot");
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanGraph) graph = goban_graph_source_load (path, NULL, &error);
  g_autoptr (GobanCluster) cluster = goban_cluster_new_from_spec (cluster_name, &error);
  g_autoptr (GobanCostModel) costs = goban_cost_model_new (graph, cluster, GOBAN_EXECUTION_EVENTS);
  g_autoptr (GobanRun) a = goban_run_new_from_policy (costs, "single", NULL, &error);
  g_autoptr (GobanRun) b = goban_run_new_from_policy (costs, "heft", NULL, &error);
  g_autoptr (GobanDifference) difference = goban_difference_new (a, b, 100, &error);
  g_autoptr (GobanBreakdown) breakdown = goban_breakdown_new (difference, NULL, &error);
  GobanDiffReportOptions options
      = { breakdown, "g = graph.load \"toy.dot\"\ncompare(a, b):report \"report.pdf\"\n", NULL };
  GobanDiffReport *report = goban_diff_report_new (difference, &options, &error);

  g_assert_no_error (error);
  return report;
}

static void
test_pages (void)
{
  g_autoptr (GobanDiffReport) report = new_report ("p100x4");
  GobanReportLayout layout = goban_report_page_lay_out (report);
  g_autofree char *text = goban_report_page_describe (report, &layout);

  draw_golden_check_text (text, "report-pages");
}

/* Whatever there is of it, no block leaves its page or lies upon another. */
static void
check_layout (const GobanDiffReport *report)
{
  GobanReportLayout layout = goban_report_page_lay_out (report);

  for (guint i = 0; i < layout.n_blocks; i++)
    {
      GobanBox box = layout.blocks[i].box;

      g_assert_cmpfloat (box.x0, >=, 0);
      g_assert_cmpfloat (box.y0, >=, 0);
      g_assert_cmpfloat (box.x1, <=, GOBAN_REPORT_WIDTH);
      g_assert_cmpfloat (box.y1, <=, GOBAN_REPORT_HEIGHT);
      g_assert_cmpuint (layout.blocks[i].page, <, layout.n_pages);
      for (guint k = 0; k < i; k++)
        if (layout.blocks[k].page == layout.blocks[i].page)
          {
            GobanBox other = layout.blocks[k].box;

            g_assert_true (box.x0 >= other.x1 || other.x0 >= box.x1 || box.y0 >= other.y1
                           || other.y0 >= box.y1);
          }
    }
}

static void
test_fits (gconstpointer data)
{
  g_autoptr (GobanDiffReport) report = new_report (data);

  check_layout (report);
}

static void
test_hand_made (void)
{
  g_autoptr (GobanDiffReport) report = goban_diff_report_new_empty ();
  g_autoptr (GStrvBuilder) names = g_strv_builder_new ();

  report->title = g_strdup ("a");
  report->moves.n_devices = 40;
  report->moves.counts = g_new0 (guint, 1600);
  report->moves.counts[41 * 20 + 1] = 9;
  for (guint d = 0; d < report->moves.n_devices; d++)
    g_strv_builder_add (names, "gpu");
  report->moves.devices = g_strv_builder_end (names);
  check_layout (report);
}

/* With a clock between the two: what is written does not know when. */
static void
test_bytes (gconstpointer data)
{
  g_autofree char *folder = g_dir_make_tmp ("goban-report-XXXXXX", NULL);
  g_autofree char *first = g_strdup_printf ("%s/a%s", folder, (const char *) data);
  g_autofree char *second = g_strdup_printf ("%s/b%s", folder, (const char *) data);
  g_autofree char *bytes = NULL;
  g_autofree char *again = NULL;
  gsize size = 0, size_again = 0;

  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (GobanDiffReport) report = new_report ("p100x4");
      g_autoptr (GError) error = NULL;

      goban_report_page_write (report, i == 0 ? first : second, &error);
      g_assert_no_error (error);
    }
  g_assert_true (g_file_get_contents (first, &bytes, &size, NULL));
  g_assert_true (g_file_get_contents (second, &again, &size_again, NULL));
  g_assert_cmpmem (bytes, size, again, size_again);
  g_assert_cmpuint (size, >, 5000);
  g_assert_null (memmem (bytes, size, "CreationDate", 12));
  remove_folder (folder);
}

static void
test_refusals (void)
{
  g_autoptr (GobanDiffReport) report = new_report ("p100x2");
  g_autoptr (GError) error = NULL;

  g_assert_false (goban_report_page_write (report, "report.gif", &error));
  g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_UNSUPPORTED);
  g_clear_error (&error);
  g_assert_false (goban_report_page_write (report, "/nowhere/at/all/report.svg", &error));
  g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_IO);
}

TEST_PROGRAM (report)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/draw/report/pages", test_pages);
  g_test_add_data_func ("/draw/report/fits/two", "p100x2", test_fits);
  g_test_add_data_func ("/draw/report/fits/eight", "p100x8", test_fits);
  g_test_add_data_func ("/draw/report/fits/sixteen", "equal:16", test_fits);
  g_test_add_func ("/draw/report/fits/hand-made", test_hand_made);
  g_test_add_data_func ("/draw/report/bytes/pdf", ".pdf", test_bytes);
  g_test_add_data_func ("/draw/report/bytes/svg", ".svg", test_bytes);
  g_test_add_data_func ("/draw/report/bytes/png", ".png", test_bytes);
  g_test_add_func ("/draw/report/refusals", test_refusals);
  return g_test_run ();
}
