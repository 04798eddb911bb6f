#include "ui/commands/parallel-commands.h"

#include "engine/core/error.h"
#include "engine/core/i18n.h"
#include "engine/session/session-derived.h"
#include "engine/session/session-jobs.h"
#include "engine/session/session-log.h"
#include "ui/dialogs/parallel-dialog.h"

struct _GobanParallelCommands
{
  GObject parent;

  GobanSite site;
  GobanFileChooser *chooser;
  GtkWidget *dialog;      /* (nullable): kept hidden while its order is carried out */
  GobanParallelKind kind; /* that is made */
};

G_DEFINE_FINAL_TYPE (GobanParallelCommands, goban_parallel_commands, G_TYPE_OBJECT)

/* --- the job ---------------------------------------------------------------------------------- */

static void
take_result (GobanParallelCommands *self, GobanParallelResult *result)
{
  GobanSession *session = self->site.session;

  goban_session_derive (session, result->run);
  if (self->kind <= GOBAN_PARALLEL_PIPELINE)
    goban_view_set_color (goban_session_get_view (session), "micro_batch");
  if (goban_session_can_return (session))
    goban_session_say (session, FALSE, _ ("%s Undo goes back."), result->text);
  else
    goban_session_say (session, FALSE, "%s", result->text);
}

static void
made_cb (GobanJob *job, GobanParallelCommands *self)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanParallelResult) result = NULL;

  if (job != goban_session_get_job (self->site.session))
    return;
  result = goban_job_steal_result (job, &error);
  goban_session_take_job (self->site.session, NULL);
  if (result == NULL && self->dialog != NULL
      && !g_error_matches (error, GOBAN_ERROR, GOBAN_ERROR_CANCELLED))
    {
      goban_parallel_dialog_refuse (GOBAN_PARALLEL_DIALOG (self->dialog), error->message);
      return;
    }
  goban_site_drop_dialog (&self->dialog);
  if (result != NULL)
    take_result (self, result);
  else
    goban_session_say (self->site.session,
                       !g_error_matches (error, GOBAN_ERROR, GOBAN_ERROR_CANCELLED), "%s",
                       error->message);
}

static void
make_cb (GobanParallelDialog *dialog, GobanParallelCommands *self)
{
  const char *const titles[] = { _ ("Training in parallel"), _ ("Making a pipeline"),
                                 _ ("Copying the model"), _ ("Simulating a collective") };
  GobanSession *session = self->site.session;
  GobanParallelOrder *order = goban_parallel_dialog_make_order (dialog);
  GobanJob *job;

  self->kind = order->kind;
  goban_session_cancel_job (session);
  job = goban_job_start (titles[self->kind], goban_parallel_order_run, order,
                         (GDestroyNotify) goban_parallel_order_free,
                         (GDestroyNotify) goban_parallel_result_free);
  g_signal_connect_object (job, "done", G_CALLBACK (made_cb), self, 0);
  goban_session_take_job (session, job);
}

/* --- asking ----------------------------------------------------------------------------------- */

static void
file_chosen_cb (gpointer data, GFile *file)
{
  GobanParallelCommands *self = data;
  g_autofree char *path = g_file_get_path (file);

  if (self->dialog != NULL && path != NULL)
    goban_parallel_dialog_set_file (GOBAN_PARALLEL_DIALOG (self->dialog), path);
}

static void
choose_file_cb (GobanParallelCommands *self)
{
  goban_file_chooser_open (self->chooser, _ ("Open a schedule"), file_chosen_cb, self);
}

static void
ask (GobanParallelCommands *self, GobanParallelKind kind)
{
  goban_site_drop_dialog (&self->dialog);
  self->dialog
      = goban_parallel_dialog_new (GTK_WINDOW (self->site.window), self->site.session, kind);
  g_object_add_weak_pointer (G_OBJECT (self->dialog), (gpointer *) &self->dialog);
  g_signal_connect_object (self->dialog, "make", G_CALLBACK (make_cb), self, 0);
  g_signal_connect_object (self->dialog, "choose-file", G_CALLBACK (choose_file_cb), self,
                           G_CONNECT_SWAPPED);
  gtk_window_present (GTK_WINDOW (self->dialog));
}

static void
train_in_parallel (GobanParallelCommands *self, GVariant *parameter)
{
  ask (self, GOBAN_PARALLEL_TRAINING);
}

static void
make_pipeline (GobanParallelCommands *self, GVariant *parameter)
{
  ask (self, GOBAN_PARALLEL_PIPELINE);
}

static void
copy_model (GobanParallelCommands *self, GVariant *parameter)
{
  ask (self, GOBAN_PARALLEL_COPIES);
}

static void
simulate_collective (GobanParallelCommands *self, GVariant *parameter)
{
  ask (self, GOBAN_PARALLEL_COLLECTIVE);
}

static void
go_back (GobanParallelCommands *self, GVariant *parameter)
{
  goban_session_return (self->site.session);
}

static void
graph_changed_cb (GobanParallelCommands *self)
{
  static const char *const back[] = { "back-to-model", NULL };

  goban_site_drop_dialog (&self->dialog);
  goban_site_set_enabled (&self->site, back, goban_session_can_return (self->site.session));
}

static const GobanCommand commands[] = {
  { "in-parallel", G_CALLBACK (train_in_parallel) },
  { "make-pipeline", G_CALLBACK (make_pipeline) },
  { "copy-model", G_CALLBACK (copy_model) },
  { "simulate-collective", G_CALLBACK (simulate_collective) },
  { "back-to-model", G_CALLBACK (go_back) },
};

/* --- construction and disposal ---------------------------------------------------------------- */

static void
goban_parallel_commands_dispose (GObject *object)
{
  goban_site_drop_dialog (&GOBAN_PARALLEL_COMMANDS (object)->dialog);
  G_OBJECT_CLASS (goban_parallel_commands_parent_class)->dispose (object);
}

static void
goban_parallel_commands_class_init (GobanParallelCommandsClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = goban_parallel_commands_dispose;
}

static void
goban_parallel_commands_init (GobanParallelCommands *self)
{
}

GobanParallelCommands *
goban_parallel_commands_new (const GobanSite *site, GobanFileChooser *chooser)
{
  GobanParallelCommands *self = g_object_new (GOBAN_TYPE_PARALLEL_COMMANDS, NULL);

  self->site = *site;
  self->chooser = chooser;
  goban_site_connect (site, commands, G_N_ELEMENTS (commands), self);
  g_signal_connect_object (site->session, "notify::graph", G_CALLBACK (graph_changed_cb), self,
                           G_CONNECT_SWAPPED);
  graph_changed_cb (self);
  return self;
}
