/* window-export.c: pictures and tables of what the window shows, as files. */
#include "ui/shell/window-private.h"

#include "engine/analysis/node-csv.h"
#include "engine/base/error.h"
#include "engine/base/file.h"
#include "engine/base/i18n.h"
#include "engine/base/quantity.h"
#include "engine/session/log-lines.h"
#include "engine/session/session-log.h"
#include "engine/session/view-sight.h"
#include "ui/shell/export-dialog.h"

#include <string.h>

static void
tell (GobanWindow *self, const char *path, const GError *error)
{
  g_autofree char *name = path != NULL ? g_filename_display_basename (path) : NULL;

  if (error == NULL)
    goban_session_say (self->session, FALSE, "Saved %s", name);
  else if (!g_error_matches (error, GOBAN_ERROR, GOBAN_ERROR_CANCELLED))
    goban_session_say (self->session, TRUE, "%s", error->message);
}

static void
exported_cb (GobanJob *job, GobanWindow *self)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *path = goban_job_steal_result (job, &error);

  tell (self, path, error);
}

/* --- the line of the log ------------------------------------------------------------------------ */

static void
append_number (GString *line, const char *key, double value)
{
  char text[GOBAN_QUANTITY_LEN];

  if (value != 0)
    g_string_append_printf (line, ", %s = %s", key, goban_format_double (text, value));
}

/* What the same picture would be drawn by, anywhere. Times of scripts are seconds. */
static void
log_export (GobanWindow *self, const GobanExportRequest *request, const char *path)
{
  const GobanExportOptions *options = &request->options;
  const GobanBox *region = &options->region;
  g_autofree char *quoted = goban_log_quote (path);
  g_autoptr (GString) line = g_string_new (NULL);
  char text[4][GOBAN_QUANTITY_LEN];

  g_string_printf (line, "view.save(%s, { view = \"%s\"", quoted,
                   request->what == GOBAN_EXPORT_TIMELINE ? "timeline" : "graph");
  if (request->what == GOBAN_EXPORT_TABLE)
    g_string_printf (line, "view.save(%s", quoted);
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
      if (goban_window_get_toggle (self, "critical-path"))
        g_string_append (line, ", critical = true");
      if (options->is_transparent)
        g_string_append (line, ", transparent = true");
      if (options->has_histogram)
        g_string_append (line, ", histogram = true");
      g_string_append (line, " }");
    }
  g_string_append_c (line, ')');
  goban_session_log (self->session, line->str);
}

/* --- writing ------------------------------------------------------------------------------------ */

/* At once: 80,000 lines take some tens of milliseconds, and who exports waits anyway. */
static void
save_table (GobanWindow *self, gboolean only_seen, const char *path)
{
  GobanNodeContext context
      = { goban_session_get_costs (self->session), goban_session_get_current_run (self->session) };
  GobanNodeModel *model = goban_node_columns_get_model (GOBAN_NODE_COLUMNS (self->table));
  const GobanNodeId *nodes = NULL;
  guint n = 0;
  g_autoptr (GError) error = NULL;
  g_autofree char *csv = NULL;

  if (only_seen && gtk_widget_get_visible (self->table))
    nodes = goban_node_model_get_nodes (model, &n);
  csv = goban_node_csv_to_text (&context, nodes, n);
  goban_file_write (path, csv, strlen (csv), &error);
  tell (self, path, error);
}

static void
find_part (GobanWindow *self, GobanExportRequest *request)
{
  const GobanViewport *sight = goban_view_get_sight (goban_session_get_view (self->session));

  if (!request->only_seen)
    return;
  if (request->what == GOBAN_EXPORT_GRAPH && goban_viewport_is_set (sight))
    request->options.region = (GobanBox){ sight->x0, sight->y0, sight->x1, sight->y1 };
  else if (request->what == GOBAN_EXPORT_TIMELINE)
    goban_timeline_view_get_span (GOBAN_TIMELINE_VIEW (self->timeline), &request->options.from_us,
                                  &request->options.to_us);
}

static GobanJob *
start_picture (GobanWindow *self, GobanExportWhat what, const GobanExportOptions *options,
               const char *path)
{
  g_autoptr (GError) error = NULL;
  GobanJob *job
      = what == GOBAN_EXPORT_TIMELINE
            ? goban_timeline_view_export (GOBAN_TIMELINE_VIEW (self->timeline), options, path,
                                          &error)
            : goban_graph_view_export (GOBAN_GRAPH_VIEW (self->graph_view), options, path, &error);

  if (job != NULL)
    g_signal_connect_object (job, "done", G_CALLBACK (exported_cb), self, 0);
  else
    goban_session_say (self->session, TRUE, "%s", error->message);
  return job;
}

void
goban_window_export (GobanWindow *self, const char *path, gboolean timeline)
{
  g_autoptr (GobanJob) job = NULL;

  g_return_if_fail (GOBAN_IS_WINDOW (self));
  g_return_if_fail (path != NULL);

  job = start_picture (self, timeline ? GOBAN_EXPORT_TIMELINE : GOBAN_EXPORT_GRAPH, NULL, path);
}

static void
save_request (GobanWindow *self, GFile *file)
{
  GobanExportDialog *dialog = GOBAN_EXPORT_DIALOG (self->exporter);
  g_autofree char *path = g_file_get_path (file);
  g_autoptr (GobanJob) job = NULL;
  GobanExportRequest request;

  if (dialog == NULL)
    return;
  request = goban_export_dialog_get_request (dialog);
  find_part (self, &request);
  if (request.what == GOBAN_EXPORT_TABLE)
    save_table (self, request.only_seen, path);
  else
    job = start_picture (self, request.what, &request.options, path);
  if (request.what == GOBAN_EXPORT_TABLE || job != NULL)
    log_export (self, &request, path);
  if (job != NULL)
    goban_export_dialog_follow (dialog, job);
  else if (request.what == GOBAN_EXPORT_TABLE)
    gtk_window_destroy (GTK_WINDOW (dialog));
}

/* --- asking ------------------------------------------------------------------------------------- */

static void
choose_cb (GobanExportDialog *dialog, GobanWindow *self)
{
  GobanExportRequest request = goban_export_dialog_get_request (dialog);
  const char *const titles[]
      = { _ ("Export the graph"), _ ("Export the timeline"), _ ("Export the table of nodes") };
  g_autofree char *suffix = g_strconcat (request.what == GOBAN_EXPORT_TIMELINE ? "-timeline" : "",
                                         request.suffix, NULL);

  if (request.what == GOBAN_EXPORT_TIMELINE && !goban_window_has_run (self))
    return;
  goban_window_choose_target (self, titles[request.what], suffix, NULL, save_request);
}

static void
ask (GobanWindow *self, GobanExportWhat what)
{
  if (self->exporter == NULL)
    {
      self->exporter = goban_export_dialog_new (GTK_WINDOW (self), self->settings);
      g_object_add_weak_pointer (G_OBJECT (self->exporter), (gpointer *) &self->exporter);
      g_signal_connect_object (self->exporter, "export", G_CALLBACK (choose_cb), self, 0);
    }
  goban_export_dialog_set_what (GOBAN_EXPORT_DIALOG (self->exporter), what);
  gtk_window_present (GTK_WINDOW (self->exporter));
}

static gboolean
has_graph (GobanWindow *self)
{
  if (goban_session_get_graph (self->session) != NULL)
    return TRUE;

  goban_session_say (self->session, TRUE, "There is no graph to export: open one first");
  return FALSE;
}

void
goban_window_export_graph (GobanWindow *self, GVariant *parameter)
{
  if (has_graph (self))
    ask (self, GOBAN_EXPORT_GRAPH);
}

void
goban_window_export_timeline (GobanWindow *self, GVariant *parameter)
{
  if (goban_window_has_run (self))
    ask (self, GOBAN_EXPORT_TIMELINE);
}

void
goban_window_export_table (GobanWindow *self, GVariant *parameter)
{
  if (has_graph (self))
    ask (self, GOBAN_EXPORT_TABLE);
}

void
goban_window_drop_exporter (GobanWindow *self)
{
  if (self->exporter != NULL)
    gtk_window_destroy (GTK_WINDOW (self->exporter));
}
