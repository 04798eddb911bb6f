#include "ui/documents/exports.h"

#include "engine/core/error.h"
#include "engine/core/file.h"
#include "engine/core/i18n.h"
#include "engine/core/lua-text.h"
#include "engine/core/quantity.h"
#include "engine/session/compare-set-difference.h"
#include "engine/session/navigation.h"
#include "engine/session/session-log.h"
#include "engine/session/view.h"
#include "engine/study/analysis/difference/change-rows.h"
#include "engine/study/analysis/difference/difference.h"
#include "engine/study/analysis/node-list.h"
#include "engine/study/run/graph-source.h"
#include "engine/study/run/run-list.h"
#include "ui/dialogs/export-dialog.h"
#include "ui/draw/export/film.h"
#include "ui/draw/figures/figure-painter.h"
#include "ui/draw/reports/share.h"
#include "ui/widgets/signals.h"

#include <string.h>

typedef gboolean (*WriteFunc) (GobanExports *self, const char *path, GError **error);

struct _GobanExports
{
  GObject parent;

  GobanSite site;
  GobanFileChooser *chooser;
  GobanPictures *pictures;
  GobanComparePage *compare;
  GobanNodeTable *table;
  GobanConsoleView *console;
  GobanFigure *figure; /* (nullable): that of the open dialog */
  GtkWidget *dialog;   /* the open export dialog, else NULL */
  WriteFunc write;     /* of the open file dialog */
  char *text;          /* (nullable): to be saved */
};

GOBAN_DEFINE_PART (GobanExports, goban_exports)

static void
tell (GobanExports *self, const char *path, const GError *error)
{
  g_autofree char *name = path != NULL ? g_filename_display_basename (path) : NULL;

  if (error == NULL)
    goban_session_say (self->site.session, FALSE, "Saved %s", name);
  else if (!g_error_matches (error, GOBAN_ERROR, GOBAN_ERROR_CANCELLED))
    goban_session_say (self->site.session, TRUE, "%s", error->message);
}

static void
exported_cb (GobanJob *job, GobanExports *self)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *path = goban_job_steal_result (job, &error);

  tell (self, path, error);
}

/* --- the line of the log ---------------------------------------------------------------------- */

static void
append_number (GString *line, const char *key, double value)
{
  char text[GOBAN_QUANTITY_LEN];

  if (value != 0)
    g_string_append_printf (line, ", %s = %s", key, goban_format_double (text, value));
}

/* Sides of a film are even. */
static int
get_side (double side)
{
  return (int) side / 2 * 2;
}

static void
append_film (GString *line, const GobanExportRequest *request, const char *quoted)
{
  const GobanExportOptions *options = &request->options;

  g_string_printf (line, "view.film(%s, { steps = %s", quoted,
                   request->what == GOBAN_EXPORT_STEPS ? "true" : "false");
  if (options->theme == GOBAN_THEME_DARK)
    g_string_append (line, ", theme = \"dark\"");
  append_number (line, "width", get_side (options->width));
  append_number (line, "height", get_side (options->height));
  g_string_append (line, " }");
}

/* The Lua line that draws the same picture anywhere. Times of scripts are seconds. */
static void
log_export (GobanExports *self, const GobanExportRequest *request, const char *path)
{
  const GobanExportOptions *options = &request->options;
  const GobanBox *region = &options->region;
  g_autofree char *quoted = goban_lua_text_quote (path);
  g_autoptr (GString) line = g_string_new (NULL);
  char text[4][GOBAN_QUANTITY_LEN];

  g_string_printf (line, "view.save(%s, { view = \"%s\"", quoted,
                   request->what == GOBAN_EXPORT_TIMELINE ? "timeline" : "graph");
  if (request->what == GOBAN_EXPORT_TABLE)
    g_string_printf (line, "view.save(%s", quoted);
  else if (request->what == GOBAN_EXPORT_PAGE)
    g_string_printf (line, "view.share(%s", quoted);
  else if (goban_export_is_film (request->what))
    append_film (line, request, quoted);
  else if (request->what == GOBAN_EXPORT_PLAN)
    g_string_printf (line, "r.plan:apply({ target = \"%s\", path = %s }",
                     goban_apply_get_name (request->target), quoted);
  else
    {
      if (options->theme == GOBAN_THEME_DARK)
        g_string_append (line, ", theme = \"dark\"");
      append_number (line, "width", options->width);
      append_number (line, "height", options->height);
      append_number (line, "scale", options->scale != 1 ? options->scale : 0);
      append_number (line, "from", options->from_us / 1e6);
      append_number (line, "to", options->to_us / 1e6);
      if (region->x1 > region->x0)
        g_string_append_printf (
            line, ", region = { %s, %s, %s, %s }", goban_format_double (text[0], region->x0),
            goban_format_double (text[1], region->y0), goban_format_double (text[2], region->x1),
            goban_format_double (text[3], region->y1));
      if (goban_site_get_toggle (&self->site, "critical-path"))
        g_string_append (line, ", critical = true");
      if (options->is_transparent)
        g_string_append (line, ", transparent = true");
      if (options->has_histogram)
        g_string_append (line, ", histogram = true");
      g_string_append (line, " }");
    }
  g_string_append_c (line, ')');
  goban_session_log (self->site.session, line->str);
}

/* --- writing ---------------------------------------------------------------------------------- */

/* At once: 80,000 lines take some tens of milliseconds, and who exports waits anyway. */
static void
save_table (GobanExports *self, gboolean only_seen, const char *path)
{
  GobanNodeContext context = { goban_session_get_costs (self->site.session),
                               goban_session_get_current_run (self->site.session) };
  GobanNodeModel *model = goban_node_columns_get_model (GOBAN_NODE_COLUMNS (self->table));
  const GobanNodeId *nodes = NULL;
  guint n = 0;
  g_autoptr (GError) error = NULL;
  g_autofree char *csv = NULL;

  if (only_seen && gtk_widget_get_visible (GTK_WIDGET (self->table)))
    nodes = goban_node_model_get_nodes (model, &n);
  csv = goban_node_csv_to_text (&context, nodes, n);
  goban_file_write (path, csv, strlen (csv), &error);
  tell (self, path, error);
}

/* --- plans for other frameworks --------------------------------------------------------------- */

typedef struct
{
  const GobanApplyTarget *target;
  GobanRun *run;
  char *source; /* (nullable) */
  char *path;
} Applying;

static void
applying_free (gpointer data)
{
  Applying *applying = data;

  goban_run_unref (applying->run);
  g_free (applying->source);
  g_free (applying->path);
  g_free (applying);
}

/* Returns: the path and, if there is one, the note */
static gpointer
apply_worker (const GobanProgress *progress, gpointer data, GError **error)
{
  const Applying *applying = data;
  GobanApplyRequest request = { .plan = goban_run_get_plan (applying->run),
                                .costs = goban_run_get_costs (applying->run),
                                .source = applying->source };
  char **result = g_new0 (char *, 3);

  if (goban_apply_save (applying->target, &request, applying->path, &result[1], error))
    result[0] = g_strdup (applying->path);
  else
    g_clear_pointer (&result, g_free);
  return result;
}

static void
applied_cb (GobanJob *job, GobanExports *self)
{
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) result = goban_job_steal_result (job, &error);

  tell (self, result != NULL ? result[0] : NULL, error);
  if (result != NULL && result[1] != NULL)
    goban_session_say (self->site.session, FALSE, "%s", result[1]);
}

static GobanJob *
start_plan (GobanExports *self, const GobanApplyTarget *target, const char *path)
{
  Applying *applying = g_new0 (Applying, 1);
  GobanJob *job;

  applying->target = target;
  applying->run = goban_run_ref (goban_session_get_current_run (self->site.session));
  applying->source = g_strdup (goban_session_get_path (self->site.session));
  applying->path = g_strdup (path);
  job = goban_job_start ("Writing the plan", apply_worker, applying, applying_free,
                         (GDestroyNotify) g_strfreev);
  g_signal_connect_object (job, "done", G_CALLBACK (applied_cb), self, 0);
  return job;
}

/* --- a page of all plans ---------------------------------------------------------------------- */

static GobanJob *
start_page (GobanExports *self, const char *path)
{
  GobanSharing *sharing
      = goban_sharing_new_of_rows (goban_session_get_runs (self->site.session),
                                   goban_session_get_current_run (self->site.session), path);
  GobanJob *job;

  g_ptr_array_set_size (sharing->runs, (int) MIN (sharing->runs->len, GOBAN_SHARE_PLANS));
  job = goban_job_start ("Writing a page", goban_sharing_run, sharing, goban_sharing_free, g_free);
  g_signal_connect_object (job, "done", G_CALLBACK (exported_cb), self, 0);
  return job;
}

/* --- the dialog ------------------------------------------------------------------------------- */

static void
find_part (GobanExports *self, GobanExportRequest *request)
{
  const GobanViewport *viewport
      = goban_view_get_viewport (goban_session_get_view (self->site.session));

  if (!request->only_seen)
    return;
  if (request->what == GOBAN_EXPORT_GRAPH && goban_viewport_is_set (viewport))
    request->options.region = (GobanBox){ viewport->x0, viewport->y0, viewport->x1, viewport->y1 };
  else if (request->what == GOBAN_EXPORT_TIMELINE)
    goban_timeline_view_get_span (goban_pictures_get_timeline (self->pictures),
                                  &request->options.from_us, &request->options.to_us);
}

/* NULL with a message if there are no steps. */
static GobanJob *
start_film (GobanExports *self, const GobanExportRequest *request, const char *path)
{
  GobanRun *run = goban_session_get_current_run (self->site.session);
  g_autoptr (GobanFilm) film = goban_film_new (path);
  g_autoptr (GError) error = NULL;
  GobanJob *job;

  film->theme = request->options.theme;
  film->width = get_side (request->options.width);
  film->height = get_side (request->options.height);
  if (request->what == GOBAN_EXPORT_FILM)
    g_ptr_array_add (film->runs, goban_run_ref (run));
  else if (!goban_film_add_steps (film, run, &error))
    {
      goban_session_say (self->site.session, TRUE, "%s", error->message);
      return NULL;
    }
  job = goban_job_start ("Filming", goban_film_run, g_steal_pointer (&film), goban_film_free,
                         g_free);
  g_signal_connect_object (job, "done", G_CALLBACK (exported_cb), self, 0);
  return job;
}

static GobanJob *
start_picture (GobanExports *self, GobanExportWhat what, const GobanExportOptions *options,
               const char *path)
{
  g_autoptr (GError) error = NULL;
  GobanJob *job = what == GOBAN_EXPORT_TIMELINE
                      ? goban_timeline_view_export (goban_pictures_get_timeline (self->pictures),
                                                    options, path, &error)
                      : goban_graph_view_export (goban_pictures_get_explored (self->pictures),
                                                 options, path, &error);

  if (job != NULL)
    g_signal_connect_object (job, "done", G_CALLBACK (exported_cb), self, 0);
  else
    goban_session_say (self->site.session, TRUE, "%s", error->message);
  return job;
}

void
goban_exports_start (GobanExports *self, const char *path, gboolean timeline)
{
  g_autoptr (GobanJob) job = NULL;

  g_return_if_fail (GOBAN_IS_EXPORTS (self));
  g_return_if_fail (path != NULL);

  job = start_picture (self, timeline ? GOBAN_EXPORT_TIMELINE : GOBAN_EXPORT_GRAPH, NULL, path);
}

static void
save_request (gpointer data, GFile *file)
{
  GobanExports *self = data;
  GobanExportDialog *dialog = GOBAN_EXPORT_DIALOG (self->dialog);
  g_autofree char *path = g_file_get_path (file);
  g_autoptr (GobanJob) job = NULL;
  GobanExportRequest request;

  if (dialog == NULL)
    return;
  request = goban_export_dialog_get_request (dialog);
  find_part (self, &request);
  if (request.what == GOBAN_EXPORT_TABLE)
    save_table (self, request.only_seen, path);
  else if (request.what == GOBAN_EXPORT_PAGE)
    job = goban_site_has_run (&self->site) ? start_page (self, path) : NULL;
  else if (goban_export_is_film (request.what))
    job = goban_site_has_run (&self->site) ? start_film (self, &request, path) : NULL;
  else if (request.what == GOBAN_EXPORT_PLAN)
    job = goban_site_has_run (&self->site) ? start_plan (self, request.target, path) : NULL;
  else
    job = start_picture (self, request.what, &request.options, path);
  if (request.what == GOBAN_EXPORT_TABLE || job != NULL)
    log_export (self, &request, path);
  if (job != NULL)
    goban_export_dialog_follow (dialog, job);
  else if (request.what == GOBAN_EXPORT_TABLE)
    gtk_window_destroy (GTK_WINDOW (dialog));
}

/* --- asking ----------------------------------------------------------------------------------- */

static void
choose_cb (GobanExportDialog *dialog, GobanExports *self)
{
  GobanExportRequest request = goban_export_dialog_get_request (dialog);
  const char *const titles[]
      = { _ ("Export the graph"),       _ ("Export the timeline"), _ ("Export the table of nodes"),
          _ ("Export a page to share"), _ ("Export a film"),       _ ("Export a film"),
          _ ("Export the plan") };
  g_autofree char *suffix
      = request.target != NULL
            ? goban_apply_dup_suffix (request.target, goban_session_get_path (self->site.session))
            : g_strconcat (request.what == GOBAN_EXPORT_TIMELINE ? "-timeline" : "", request.suffix,
                           NULL);

  if ((request.what == GOBAN_EXPORT_TIMELINE || request.what >= GOBAN_EXPORT_PAGE)
      && !goban_site_has_run (&self->site))
    return;
  goban_file_chooser_save (self->chooser, &(GobanFileTarget){ titles[request.what], suffix, NULL },
                           save_request, self);
}

static void
ask (GobanExports *self, guint what)
{
  if (self->dialog == NULL)
    {
      self->dialog = goban_export_dialog_new (GTK_WINDOW (self->site.window), self->site.settings);
      g_object_add_weak_pointer (G_OBJECT (self->dialog), (gpointer *) &self->dialog);
      g_signal_connect_object (self->dialog, "export", G_CALLBACK (choose_cb), self, 0);
    }
  goban_export_dialog_set_what (GOBAN_EXPORT_DIALOG (self->dialog), what);
  gtk_window_present (GTK_WINDOW (self->dialog));
}

static gboolean
has_graph (GobanExports *self)
{
  if (goban_session_get_graph (self->site.session) != NULL)
    return TRUE;

  goban_session_say (self->site.session, TRUE, "There is no graph to export: open one first");
  return FALSE;
}

static void
export_graph (GobanExports *self, GVariant *parameter)
{
  if (has_graph (self))
    ask (self, GOBAN_EXPORT_GRAPH);
}

static void
export_timeline (GobanExports *self, GVariant *parameter)
{
  if (goban_site_has_run (&self->site))
    ask (self, GOBAN_EXPORT_TIMELINE);
}

static void
export_table (GobanExports *self, GVariant *parameter)
{
  if (has_graph (self))
    ask (self, GOBAN_EXPORT_TABLE);
}

static void
export_page (GobanExports *self, GVariant *parameter)
{
  if (goban_site_has_run (&self->site))
    ask (self, GOBAN_EXPORT_PAGE);
}

static void
export_film (GobanExports *self, GVariant *parameter)
{
  if (goban_site_has_run (&self->site))
    ask (self, GOBAN_EXPORT_FILM);
}

/* The framework whose file the graph was read from; else the last, which takes every plan. */
static guint
find_target (const GobanGraph *graph)
{
  gsize n;
  const GobanApplyTarget *const *targets = goban_apply_targets (&n);

  for (guint i = 0; i < n; i++)
    if (g_strcmp0 (goban_apply_get_source_format (targets[i]), goban_graph_get_format (graph)) == 0)
      return i;
  return (guint) n - 1;
}

static void
export_plan (GobanExports *self, GVariant *parameter)
{
  if (goban_site_has_run (&self->site))
    ask (self, GOBAN_EXPORT_PLAN + find_target (goban_session_get_graph (self->site.session)));
}

/* --- files that are written at once ----------------------------------------------------------- */

static gboolean
write_trace (GobanExports *self, const char *path, GError **error)
{
  GobanRun *run = goban_session_get_current_run (self->site.session);

  return run != NULL && goban_run_save_trace (run, path, error);
}

static gboolean
write_plan (GobanExports *self, const char *path, GError **error)
{
  GobanRun *run = goban_session_get_current_run (self->site.session);

  return run != NULL
         && goban_plan_save (goban_run_get_plan (run), goban_run_get_costs (run), path, error);
}

static gboolean
write_graph (GobanExports *self, const char *path, GError **error)
{
  GobanGraph *graph = goban_session_get_graph (self->site.session);

  return graph != NULL && goban_graph_source_save (graph, path, "json", error);
}

static gboolean
write_plot (GobanExports *self, const char *path, GError **error)
{
  GobanPaintingOptions options = { .theme = GOBAN_THEME_LIGHT };

  return self->figure != NULL && goban_figure_write (self->figure, &options, path, error);
}

/* Nothing is said if what was to be written is gone. */
static void
write_chosen (gpointer data, GFile *file)
{
  GobanExports *self = data;
  g_autofree char *path = g_file_get_path (file);
  g_autoptr (GError) error = NULL;

  if (self->write (self, path, &error) || error != NULL)
    tell (self, path, error);
}

static void
choose (GobanExports *self, WriteFunc write, const char *title, const char *suffix)
{
  self->write = write;
  goban_file_chooser_save (self->chooser, &(GobanFileTarget){ title, suffix, NULL }, write_chosen,
                           self);
}

static void
choose_graph (GobanExports *self, GVariant *parameter)
{
  choose (self, write_graph, _ ("Save the graph as JSON"), ".json");
}

static void
choose_trace (GobanExports *self, GVariant *parameter)
{
  if (goban_site_has_run (&self->site))
    choose (self, write_trace, _ ("Export the trace"), ".trace.json");
}

static void
choose_plan (GobanExports *self, GVariant *parameter)
{
  if (goban_site_has_run (&self->site))
    choose (self, write_plan, _ ("Save the plan"), ".plan.json");
}

static void
choose_plot (GobanExports *self, GVariant *parameter)
{
  GobanFigure *figure
      = goban_console_output_get_figure (goban_console_view_get_output (self->console));

  if (figure == NULL)
    {
      goban_site_hint (&self->site, "%s", _ ("The console shows no plot yet"));
      return;
    }
  goban_figure_ref (figure);
  goban_figure_unref (self->figure);
  self->figure = figure;
  choose (self, write_plot, _ ("Export the plot as SVG, PNG, PDF or CSV"), "-plot.svg");
}

/* --- the compared pair ------------------------------------------------------------------------ */

/* Input of the worker that writes changes, sorted as in the list. */
typedef struct
{
  GobanDifference *difference;
  char *path;
  GobanChangeColumn column;
  gboolean is_descending;
} Task;

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
make_script (GobanExports *self, GobanDifference *difference)
{
  const GPtrArray *log = goban_session_get_log (self->site.session);
  GListModel *runs = goban_session_get_runs (self->site.session);
  GString *script = g_string_new (NULL);
  guint before = 0, after = 0;

  for (guint i = 0; i < log->len; i++)
    g_string_append_printf (script, "%s\n", (const char *) g_ptr_array_index (log, i));
  goban_run_list_find (runs, difference->before, &before);
  goban_run_list_find (runs, goban_difference_get_unmatched (difference), &after);
  g_string_append_printf (script, "compare(%u, %u)%s:report \"report.html\"", before + 1, after + 1,
                          difference->matching != NULL ? "" : ":unmatched()");
  return g_string_free (script, FALSE);
}

/* The pair's, at once: who asks for a file can wait 20 ms. Says why if there is none. */
static GobanDifference *
find_difference (GobanExports *self)
{
  g_autoptr (GError) error = NULL;
  GobanDifference *difference = goban_compare_set_make_difference (
      goban_session_get_compare_set (self->site.session), &error);

  if (difference == NULL)
    goban_session_say (self->site.session, TRUE, "Nothing to report: %s", error->message);
  return difference;
}

static GobanJob *
start_report (GobanExports *self, GobanDifference *difference, const char *path)
{
  GobanSharing *sharing = goban_sharing_new (path);

  g_ptr_array_add (sharing->runs, goban_run_ref (difference->before));
  g_ptr_array_add (sharing->runs, goban_run_ref (goban_difference_get_unmatched (difference)));
  sharing->shown = 1;
  sharing->has_own_devices = difference->matching == NULL;
  sharing->script = make_script (self, difference);
  return goban_job_start ("Writing a report", goban_sharing_run, sharing, goban_sharing_free,
                          g_free);
}

static GobanJob *
start_changes (GobanExports *self, GobanDifference *difference, const char *path)
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
goban_exports_start_comparison (GobanExports *self, const char *path, gboolean is_report)
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
  g_signal_connect_object (job, "done", G_CALLBACK (exported_cb), self, 0);
}

static void
save_report (gpointer data, GFile *file)
{
  g_autofree char *path = g_file_get_path (file);

  goban_exports_start_comparison (data, path, TRUE);
}

static void
save_changes (gpointer data, GFile *file)
{
  g_autofree char *path = g_file_get_path (file);

  goban_exports_start_comparison (data, path, FALSE);
}

static void
choose_report (GobanExports *self, GVariant *parameter)
{
  GobanFileTarget target = { _ ("Export a report as an HTML page"), "-report.html", NULL };

  if (find_difference (self) != NULL)
    goban_file_chooser_save (self->chooser, &target, save_report, self);
}

static void
choose_changes (GobanExports *self, GVariant *parameter)
{
  GobanFileTarget target = { _ ("Export the changes as CSV"), "-changes.csv", NULL };

  if (find_difference (self) != NULL)
    goban_file_chooser_save (self->chooser, &target, save_changes, self);
}

/* --- texts of which the window shows only a part: notices and notes --------------------------- */

static void
save_text (gpointer data, GFile *file)
{
  GobanExports *self = data;
  g_autofree char *text = g_steal_pointer (&self->text);
  g_autofree char *path = g_file_get_path (file);
  g_autofree char *name = path != NULL ? g_filename_display_basename (path) : NULL;
  g_autoptr (GError) error = NULL;

  if (path == NULL)
    goban_session_say (self->site.session, TRUE, "%s", _ ("Choose a folder of this machine"));
  else if (goban_file_write (path, text, strlen (text), &error))
    goban_session_say (self->site.session, FALSE, _ ("Saved %s"), name);
  else
    goban_session_say (self->site.session, TRUE, "%s", error->message);
}

static void
choose_text_cb (GobanExports *self, const char *text)
{
  g_free (self->text);
  self->text = g_strdup (text);
  goban_file_chooser_save (self->chooser,
                           &(GobanFileTarget){ .title = _ ("Save the text"), .suffix = ".txt" },
                           save_text, self);
}

static const GobanCommand commands[] = {
  { "export-graph", G_CALLBACK (export_graph) },
  { "export-timeline", G_CALLBACK (export_timeline) },
  { "export-plan", G_CALLBACK (export_plan) },
  { "export-film", G_CALLBACK (export_film) },
  { "export-page", G_CALLBACK (export_page) },
  { "export-plot", G_CALLBACK (choose_plot) },
  { "export-table", G_CALLBACK (export_table) },
  { "export-trace", G_CALLBACK (choose_trace) },
  { "save-graph", G_CALLBACK (choose_graph) },
  { "save-plan", G_CALLBACK (choose_plan) },
  { "export-report", G_CALLBACK (choose_report) },
  { "export-changes", G_CALLBACK (choose_changes) },
};

/* --- construction and disposal --------------------------------------------------------------- */

static void
goban_exports_clear (GobanExports *self)
{
  goban_site_drop_dialog (&self->dialog);
  g_clear_pointer (&self->figure, goban_figure_unref);
  g_clear_pointer (&self->text, g_free);
}

GobanExports *
goban_exports_new (const GobanSite *site, GobanFileChooser *chooser, GobanBody *body)
{
  GobanExports *self = g_object_new (GOBAN_TYPE_EXPORTS, NULL);
  GobanLowerPane *lower = goban_body_get_parts (body)->lower;
  GobanNotesView *notes = goban_lower_pane_get_parts (lower)->notes;

  self->site = *site;
  self->chooser = chooser;
  self->pictures = goban_body_get_parts (body)->pictures;
  self->compare = goban_body_get_parts (body)->compare;
  self->table = goban_lower_pane_get_parts (lower)->table;
  self->console = goban_lower_pane_get_parts (lower)->console;
  GOBAN_CONNECT (site->notice, "save", choose_text_cb, self);
  GOBAN_CONNECT (notes, "save", choose_text_cb, self);
  goban_site_connect (site, commands, G_N_ELEMENTS (commands), self);
  return self;
}
