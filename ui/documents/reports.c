#include "ui/documents/reports.h"

#include "engine/core/file.h"
#include "engine/core/i18n.h"
#include "engine/session/compare-set-difference.h"
#include "engine/session/session-log.h"
#include "engine/study/analysis/difference/change-rows.h"
#include "engine/study/analysis/difference/difference.h"
#include "engine/study/run/run-list.h"
#include "ui/draw/reports/share.h"

#include <string.h>

/* Input of the worker that writes changes, sorted as in the list. */
typedef struct
{
  GobanDifference *difference;
  char *path;
  GobanChangeColumn column;
  gboolean is_descending;
} Task;

struct _GobanReports
{
  GObject parent;

  GobanSite site;
  GobanFileChooser *chooser;
  GobanComparePage *compare;
};

G_DEFINE_FINAL_TYPE (GobanReports, goban_reports, G_TYPE_OBJECT)

static void
task_free (gpointer data)
{
  Task *task = data;

  goban_difference_unref (task->difference);
  g_free (task->path);
  g_free (task);
}

static gpointer
changes_worker (const GobanProgress *progress, gpointer data, GError **error)
{
  const Task *task = data;
  guint n;
  g_autofree GobanNodeId *nodes = goban_change_rows_sort (task->difference, task->column,
                                                          task->is_descending, progress, &n, error);
  g_autofree char *csv = NULL;

  if (nodes == NULL)
    return NULL;
  csv = goban_change_rows_to_csv (task->difference, nodes, n);
  return goban_file_write (task->path, csv, strlen (csv), error) ? g_strdup (task->path) : NULL;
}

/* All that has been done, and the report of the two plans by their places in the list. (transfer
 * full) */
static char *
make_script (GobanReports *self, GobanDifference *difference)
{
  const GPtrArray *log = goban_session_get_log (self->site.session);
  GListModel *runs = goban_session_get_runs (self->site.session);
  GString *script = g_string_new (NULL);
  guint before = 0, after = 0;

  for (guint i = 0; i < log->len; i++)
    g_string_append_printf (script, "%s\n", (const char *) g_ptr_array_index (log, i));
  goban_run_list_find (runs, goban_difference_get_before (difference), &before);
  goban_run_list_find (runs, goban_difference_get_unmatched (difference), &after);
  g_string_append_printf (script, "compare(%u, %u)%s:report \"report.html\"", before + 1, after + 1,
                          goban_difference_get_matching (difference) != NULL ? "" : ":unmatched()");
  return g_string_free (script, FALSE);
}

static void
written_cb (GobanJob *job, GobanReports *self)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *path = goban_job_steal_result (job, &error);
  g_autofree char *name = path != NULL ? g_filename_display_basename (path) : NULL;

  if (path != NULL)
    goban_session_say (self->site.session, FALSE, "Saved %s", name);
  else
    goban_session_say (self->site.session, TRUE, "%s", error->message);
}

/* The pair's, at once: who asks for a file can wait 20 ms. Says why if there is none. */
static GobanDifference *
find_difference (GobanReports *self)
{
  g_autoptr (GError) error = NULL;
  GobanDifference *difference = goban_compare_set_make_difference (
      goban_session_get_compare_set (self->site.session), &error);

  if (difference == NULL)
    goban_session_say (self->site.session, TRUE, "Nothing to report: %s", error->message);
  return difference;
}

static GobanJob *
start_report (GobanReports *self, GobanDifference *difference, const char *path)
{
  GobanSharing *sharing = goban_sharing_new (path);

  g_ptr_array_add (sharing->runs, goban_run_ref (goban_difference_get_before (difference)));
  g_ptr_array_add (sharing->runs, goban_run_ref (goban_difference_get_unmatched (difference)));
  sharing->shown = 1;
  sharing->has_own_devices = goban_difference_get_matching (difference) == NULL;
  sharing->script = make_script (self, difference);
  return goban_job_start ("Writing a report", goban_sharing_run, sharing, goban_sharing_free,
                          g_free);
}

static GobanJob *
start_changes (GobanReports *self, GobanDifference *difference, const char *path)
{
  GobanComparePanels *panels = goban_compare_page_get_panels (self->compare);
  Task *task = g_new (Task, 1);

  task->difference = goban_difference_ref (difference);
  task->path = g_strdup (path);
  task->column = goban_change_list_get_order (goban_compare_panels_get_changes (panels),
                                              &task->is_descending);
  return goban_job_start ("Writing changes", changes_worker, task, task_free, g_free);
}

void
goban_reports_start (GobanReports *self, const char *path, gboolean is_report)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanJob) job = NULL;
  GobanDifference *difference;

  if (is_report && !goban_share_check_path (path, &error))
    {
      goban_session_say (self->site.session, TRUE, "%s", error->message);
      return;
    }
  difference = find_difference (self);
  if (difference == NULL)
    return;
  job = is_report ? start_report (self, difference, path) : start_changes (self, difference, path);
  g_signal_connect_object (job, "done", G_CALLBACK (written_cb), self, 0);
}

static void
save_report (gpointer data, GFile *file)
{
  g_autofree char *path = g_file_get_path (file);

  goban_reports_start (data, path, TRUE);
}

static void
save_changes (gpointer data, GFile *file)
{
  g_autofree char *path = g_file_get_path (file);

  goban_reports_start (data, path, FALSE);
}

static void
export_report (GobanReports *self, GVariant *parameter)
{
  GobanFileTarget target = { _ ("Export a report as an HTML page"), "-report.html", NULL };

  if (find_difference (self) != NULL)
    goban_file_chooser_save (self->chooser, &target, save_report, self);
}

static void
export_changes (GobanReports *self, GVariant *parameter)
{
  GobanFileTarget target = { _ ("Export the changes as CSV"), "-changes.csv", NULL };

  if (find_difference (self) != NULL)
    goban_file_chooser_save (self->chooser, &target, save_changes, self);
}

static const GobanCommand commands[] = {
  { "export-report", G_CALLBACK (export_report) },
  { "export-changes", G_CALLBACK (export_changes) },
};

/* --- construction and disposal --------------------------------------------------------------- */

static void
goban_reports_class_init (GobanReportsClass *klass)
{
}

static void
goban_reports_init (GobanReports *self)
{
}

GobanReports *
goban_reports_new (const GobanSite *site, GobanFileChooser *chooser, GobanComparePage *compare)
{
  GobanReports *self = g_object_new (GOBAN_TYPE_REPORTS, NULL);

  self->site = *site;
  self->chooser = chooser;
  self->compare = compare;
  goban_site_connect (site, commands, G_N_ELEMENTS (commands), self);
  return self;
}
