#include "ui/commands/commands-private.h"

#include "engine/core/error.h"
#include "engine/core/i18n.h"
#include "engine/core/lua-text.h"
#include "engine/session/chosen-folders.h"
#include "engine/session/session-jobs.h"
#include "engine/session/session-log.h"
#include "engine/session/session-runs.h"
#include "engine/study/training/training-list.h"
#include "ui/draw/export/film.h"
#include "ui/training/networks-dialog.h"
#include "ui/widgets/signals.h"

static GobanTrainingView *
get_view (GobanCommands *self)
{
  return goban_lower_pane_get_parts (self->lower)->training;
}

/* --- starting --------------------------------------------------------------------------------- */

static void
show (GobanCommands *self)
{
  goban_site_activate (&self->site, "workspace", g_variant_new_string ("train"));
}

/* Starts a training, logs its Lua line and shows it; on failure shows the reason. */
static void
start (GobanCommands *self, const GobanTrainingOptions *options)
{
  g_autoptr (GobanTrainingJob) training = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *code = goban_training_dup_code (options);

  training = goban_training_job_start (options, &error);
  if (training == NULL)
    {
      goban_session_say (self->site.session, TRUE, "%s", error->message);
      return;
    }
  goban_session_log (self->site.session, code);
  goban_training_list_add (G_OBJECT (self->site.session), training);
  show (self);
}

static void
train_cb (GobanCommands *self, GobanTrainingPage *page)
{
  GobanTrainingOptions options = goban_training_page_get_options (page);

  start (self, &options);
}

static void
train (GobanCommands *self, GVariant *parameter)
{
  show (self);
  gtk_widget_show (goban_lower_pane_get_parts (self->lower)->new_training);
}

static void
follow_chosen (gpointer data, GFile *file)
{
  GobanTrainingOptions options = goban_training_options_new (NULL);
  g_autofree char *path = g_file_get_path (file);

  if (path == NULL)
    return;
  options.follow = path;
  start (data, &options);
}

static void
follow (GobanCommands *self, GVariant *parameter)
{
  goban_file_chooser_open (self->parts.chooser, _ ("Follow a training: open its FILE.run"),
                           follow_chosen, self);
}

/* --- the pane --------------------------------------------------------------------------------- */

/* A policy that learns on the graph is shown as a training once it has made an update. */
static void
job_changed_cb (GobanCommands *self)
{
  const char *policy;
  GobanTrainingLog *log = goban_session_get_learning (self->site.session, &policy);

  if (log != NULL)
    goban_training_list_watch (G_OBJECT (self->site.session), policy, log,
                               goban_session_get_job (self->site.session));
}

/* The button of a learning on the graph, if it is the one that runs. */
static void
finish_placing_cb (GobanCommands *self, GobanTrainingView *view)
{
  GobanTrainingJob *training = goban_training_view_get_training (view);

  if (goban_training_job_get_job (training) == goban_session_get_job (self->site.session))
    goban_session_finish_job (self->site.session);
}

/* "plot{ job.trainings()[2], job.trainings()[1] }": the curves of the pane. */
static void
compared_cb (GobanCommands *self)
{
  GobanTrainingView *view = get_view (self);
  g_autoptr (GArray) drawn = goban_training_view_dup_drawn (view);
  g_autoptr (GString) code = g_string_new ("plot{");

  for (guint i = 0; i < drawn->len; i++)
    g_string_append_printf (code, "%s job.trainings()[%u]", i > 0 ? "," : "",
                            g_array_index (drawn, guint, i) + 1);
  g_string_append (code, " }");
  goban_session_log (self->site.session, code->str);
}

static void
compare_trainings (GobanCommands *self, GVariant *parameter)
{
  if (g_list_model_get_n_items (goban_training_list_of (G_OBJECT (self->site.session))) < 2)
    {
      goban_site_hint (&self->site, "%s", _ ("To compare trainings, run a second one first"));
      return;
    }
  show (self);
  goban_training_view_compare_all (get_view (self));
  compared_cb (self);
}

/* A chart for each graph. */
static void
by_graph_changed (GobanCommands *self, GVariant *state)
{
  GobanTrainingCharts *charts = goban_training_view_get_charts (get_view (self));
  gboolean is_by_graph = g_variant_get_boolean (state);

  goban_training_charts_set_by_graph (charts, is_by_graph);
  if (is_by_graph && !goban_training_charts_has_graphs (charts))
    goban_site_hint (&self->site, "%s",
                     _ ("The training that is shown has no curves of several graphs"));
}

/* --- networks --------------------------------------------------------------------------------- */

static gboolean
is_used (const GobanNetworkInfo *info, gpointer user_data)
{
  GobanSession *session = user_data;

  for (guint i = 0; info->users[i] != NULL; i++)
    {
      const char *file = goban_chosen_networks_get (session, info->users[i]);

      if (g_strcmp0 (file, info->file) == 0)
        return TRUE;
    }
  return FALSE;
}

static void
choose_cb (GobanNetworksDialog *dialog, const char *file, GobanCommands *self)
{
  const GobanNetworkInfo *info = goban_networks_dialog_get_selected (dialog);
  g_autoptr (GString) code = g_string_new ("app.use_network ");

  if (info == NULL || !g_file_test (file, G_FILE_TEST_EXISTS))
    {
      goban_session_say (self->site.session, TRUE, _ ("%s cannot be read any more"), file);
      return;
    }
  goban_chosen_networks_set (self->site.session, info->users, file);
  goban_networks_dialog_mark (dialog, is_used, self->site.session);
  goban_lua_text_append (code, file);
  goban_session_log (self->site.session, code->str);
  goban_site_hint (&self->site, _ ("The Place menu uses %s for %s"), info->name, info->users[0]);
}

static void
show_networks (GobanCommands *self, GVariant *parameter)
{
  g_auto (GStrv) folders
      = goban_training_list_dup_folders (G_OBJECT (self->site.session), GOBAN_OUT_FOLDER);
  GtkWidget *dialog
      = goban_networks_dialog_new (GTK_WINDOW (self->site.window), (const char *const *) folders);

  goban_networks_dialog_mark (GOBAN_NETWORKS_DIALOG (dialog), is_used, self->site.session);
  g_signal_connect_object (dialog, "use", G_CALLBACK (choose_cb), self, 0);
  gtk_window_present (GTK_WINDOW (dialog));
}

/* --- placing ---------------------------------------------------------------------------------- */

static void
use_network_cb (GobanCommands *self, const char *path)
{
  GobanTrainingJob *training = goban_training_view_get_training (get_view (self));
  const char *const policies[]
      = { goban_training_get_policy (goban_training_job_get_network (training)), NULL };
  GobanRunOptions options = { .network = path };

  if (goban_session_get_graph (self->site.session) == NULL)
    goban_site_hint (&self->site, "%s", _ ("Open a graph first"));
  else
    goban_session_place_with (self->site.session, policies, &options);
}

/* --- film ------------------------------------------------------------------------------------- */

/* Played, a plan is only shown; kept, it is one of the list. */
static void
play_cb (GobanCommands *self, guint i, gboolean is_kept)
{
  GobanFilmMaker *film = goban_training_view_get_film (get_view (self));
  GobanRun *run = goban_film_maker_get_run (film, i);
  g_autofree char *code = NULL;

  if (run != NULL && !is_kept)
    goban_session_set_current_run (self->site.session, run);
  else if (is_kept && run == NULL)
    goban_film_maker_place (film, i, self->site.session);
  if (run == NULL || !is_kept)
    return;
  code = goban_film_maker_dup_code (film, i);
  if (!goban_run_list_find (goban_session_get_runs (self->site.session), run, NULL))
    goban_session_log (self->site.session, code);
  goban_session_add_run (self->site.session, run);
}

/* --- film as a file --------------------------------------------------------------------------- */

static void
filming_cb (GobanCommands *self)
{
  goban_training_view_set_filming (get_view (self), self->filming);
}

static void
filmed_cb (GobanCommands *self, GobanJob *job)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *path = goban_job_steal_result (job, &error);
  g_autofree char *name = path != NULL ? g_filename_display_basename (path) : NULL;

  if (job == self->filming)
    g_clear_object (&self->filming);
  filming_cb (self);
  if (error == NULL)
    goban_session_say (self->site.session, FALSE, "Saved %s", name);
  else if (!g_error_matches (error, GOBAN_ERROR, GOBAN_ERROR_CANCELLED))
    goban_session_say (self->site.session, TRUE, "%s", error->message);
}

/* view.film("a.gif", { training = "goban-out/a.net" }) */
static void
log_film (GobanCommands *self, const GobanFilm *film)
{
  g_autoptr (GString) code = g_string_new ("view.film(");

  goban_lua_text_append (code, film->path);
  g_string_append (code, ", { training = ");
  goban_lua_text_append (code, film->training);
  if (film->theme == GOBAN_THEME_DARK)
    g_string_append (code, ", theme = \"dark\"");
  g_string_append (code, " })");
  goban_session_log (self->site.session, code->str);
}

void
goban_commands_film_training (GobanCommands *self, const char *path)
{
  GobanTrainingJob *training;
  GobanCostModel *costs;
  const char *output;
  GobanFilm *film;

  g_return_if_fail (GOBAN_IS_COMMANDS (self) && path != NULL);

  training = goban_training_view_get_training (get_view (self));
  costs = goban_session_get_costs (self->site.session);
  output = training != NULL ? goban_training_job_get_output (training) : NULL;
  if (output == NULL || costs == NULL || self->filming != NULL)
    return; /* the window has changed while the file was chosen */
  film = goban_film_new (path);
  film->theme
      = goban_picture_get_theme (GOBAN_PICTURE (goban_training_view_get_charts (get_view (self))));
  goban_film_set_training (film, output, costs);
  log_film (self, film);
  self->filming = goban_job_start ("Filming", goban_film_run, film, goban_film_free, g_free);
  GOBAN_CONNECT (self->filming, "notify::fraction", filming_cb, self);
  GOBAN_CONNECT (self->filming, "done", filmed_cb, self);
  filming_cb (self);
}

static void
film_chosen (gpointer data, GFile *file)
{
  g_autofree char *path = g_file_get_path (file);

  if (path != NULL)
    goban_commands_film_training (data, path);
}

static void
export_film (GobanCommands *self, GVariant *parameter)
{
  GobanFilmMaker *maker = goban_training_view_get_film (get_view (self));

  if (self->filming != NULL)
    goban_job_cancel (self->filming);
  else if (goban_film_maker_get_pictures (maker)->len == 0)
    goban_site_hint (&self->site, "%s",
                     _ ("There is no film: open a graph, and train a network in this window"));
  else
    goban_file_chooser_save (
        self->parts.chooser,
        &(GobanFileTarget){ _ ("Export a film"), goban_film_get_usual_ending (), NULL },
        film_chosen, self);
}

static void
graph_changed_cb (GobanCommands *self)
{
  goban_training_view_set_costs (get_view (self), goban_session_get_costs (self->site.session));
}

static const GobanCommand commands[] = {
  { "export-training-film", G_CALLBACK (export_film) },
  { "compare-trainings", G_CALLBACK (compare_trainings) },
  { "networks", G_CALLBACK (show_networks) },
  { "train", G_CALLBACK (train) },
  { "follow-training", G_CALLBACK (follow) },
  { "training-by-graph", G_CALLBACK (by_graph_changed) },
};

void
goban_commands_connect_training (GobanCommands *self)
{
  GobanSession *session = self->site.session;
  GobanTrainingView *view = get_view (self);

  GOBAN_CONNECT (goban_lower_pane_get_parts (self->lower)->new_training, "train", train_cb, self);
  GOBAN_CONNECT (view, "compared", compared_cb, self);
  GOBAN_CONNECT (session, "notify::graph", graph_changed_cb, self);
  GOBAN_CONNECT (session, "notify::cluster", graph_changed_cb, self);
  GOBAN_CONNECT (view, "play", play_cb, self);
  GOBAN_CONNECT (session, "notify::job", job_changed_cb, self);
  GOBAN_CONNECT (view, "finish-placing", finish_placing_cb, self);
  GOBAN_CONNECT (view, "use-network", use_network_cb, self);
  graph_changed_cb (self);
  goban_site_connect (&self->site, commands, G_N_ELEMENTS (commands), self);
}
