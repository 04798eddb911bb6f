#include "ui/dialogs/calibrate-dialog.h"

#include "engine/core/i18n.h"
#include "engine/core/jobs/job.h"
#include "engine/session/session-edit.h"
#include "engine/study/measure/iteration-fit.h"
#include "ui/widgets/template.h"
#include "ui/widgets/text.h"

struct _GobanCalibrateDialog
{
  GtkWindow parent;

  GobanSession *session;
  GobanJob *job;         /* (nullable): fits */
  GobanCluster *cluster; /* (nullable): the session's with the constants */

  GtkWidget *source;
  GtkWidget *open_graph;
  GtkWidget *progress;
  GtkWidget *text;
  GtkWidget *apply;
};

G_DEFINE_FINAL_TYPE (GobanCalibrateDialog, goban_calibrate_dialog, GTK_TYPE_WINDOW)

/* --- in the worker ---------------------------------------------------------------------------- */

typedef struct
{
  char *path;        /* (nullable): the times of the graph itself */
  GobanGraph *graph; /* (nullable) */
  GobanCluster *cluster;
} Question;

typedef struct
{
  char *text;
  GobanCluster *cluster;
} Answer;

static void
free_question (gpointer data)
{
  Question *question = data;

  g_clear_pointer (&question->graph, goban_graph_unref);
  goban_cluster_unref (question->cluster);
  g_free (question->path);
  g_free (question);
}

static void
free_answer (gpointer data)
{
  Answer *answer = data;

  goban_cluster_unref (answer->cluster);
  g_free (answer->text);
  g_free (answer);
}

static gpointer
fit_worker (const GobanProgress *progress, gpointer data, GError **error)
{
  const Question *question = data;
  g_autoptr (GobanCluster) fitted = NULL;
  GobanDeviceFit fit;
  Answer *answer;

  if (!goban_device_fit_file (question->path, question->graph, question->cluster, NULL, progress,
                              &fit, error))
    return NULL;
  fitted = goban_device_fit_apply (&fit, question->cluster, error);
  if (fitted == NULL)
    return NULL;
  answer = g_new (Answer, 1);
  *answer = (Answer){ goban_device_fit_to_text (&fit), g_steal_pointer (&fitted) };
  return answer;
}

/* --- fitting ---------------------------------------------------------------------------------- */

static void
drop_job (GobanCalibrateDialog *self)
{
  if (self->job == NULL)
    return;
  g_signal_handlers_disconnect_by_data (self->job, self);
  goban_job_cancel (self->job);
  g_clear_object (&self->job);
}

static void
show (GobanCalibrateDialog *self, const char *text, gboolean is_mistake)
{
  goban_show_progress (self->progress, self->job != NULL ? 0 : -1, "");
  gtk_widget_set_visible (self->text, self->job == NULL);
  goban_set_label_text (self->text, text);
  gtk_widget_set_css_classes (self->text,
                              (const char *[]){ is_mistake ? "mistake" : "monospace", NULL });
  gtk_widget_set_sensitive (self->apply, self->cluster != NULL);
}

static void
progress_cb (GobanCalibrateDialog *self)
{
  goban_show_progress (self->progress, MAX (goban_job_get_fraction (self->job), 0), NULL);
}

static void
done_cb (GobanJob *job, GobanCalibrateDialog *self)
{
  g_autoptr (GError) error = NULL;
  Answer *answer = goban_job_steal_result (job, &error);

  drop_job (self);
  if (answer == NULL)
    {
      show (self, error->message, TRUE);
      return;
    }
  self->cluster = goban_cluster_ref (answer->cluster);
  show (self, answer->text, FALSE);
  free_answer (answer);
}

void
goban_calibrate_dialog_set_file (GobanCalibrateDialog *self, const char *path)
{
  GobanGraph *graph;
  Question *question;

  g_return_if_fail (GOBAN_IS_CALIBRATE_DIALOG (self));

  graph = goban_session_get_graph (self->session);
  if (path == NULL && graph == NULL)
    return;
  drop_job (self);
  g_clear_pointer (&self->cluster, goban_cluster_unref);
  question = g_new0 (Question, 1);
  question->path = g_strdup (path);
  question->graph = graph != NULL ? goban_graph_ref (graph) : NULL;
  question->cluster = goban_cluster_ref (goban_session_get_cluster (self->session));
  goban_set_label_text (self->source, path != NULL ? path : _ ("Times of the open graph"));
  self->job = goban_job_start (_ ("Calibrating"), fit_worker, question, free_question, free_answer);
  GOBAN_CONNECT (self->job, "notify::fraction", progress_cb, self);
  g_signal_connect_object (self->job, "done", G_CALLBACK (done_cb), self, 0);
  show (self, "", FALSE);
}

static void
choose_file_cb (GobanCalibrateDialog *self)
{
  g_signal_emit_by_name (self, "choose-file");
}

static void
open_graph_cb (GobanCalibrateDialog *self)
{
  goban_calibrate_dialog_set_file (self, NULL);
}

static void
confirm (GobanCalibrateDialog *self)
{
  g_autoptr (GobanEdit) edit = NULL;

  if (self->cluster == NULL)
    return;
  edit = goban_edit_new (self->session, GOBAN_EDIT_CLUSTER, NULL);
  edit->cluster = goban_cluster_ref (self->cluster);
  goban_session_edit_async (self->session, edit, NULL, NULL, NULL);
  gtk_window_destroy (GTK_WINDOW (self));
}

static void
goban_calibrate_dialog_dispose (GObject *object)
{
  GobanCalibrateDialog *self = GOBAN_CALIBRATE_DIALOG (object);

  drop_job (self);
  g_clear_pointer (&self->cluster, goban_cluster_unref);
  g_clear_object (&self->session);
  G_OBJECT_CLASS (goban_calibrate_dialog_parent_class)->dispose (object);
}

static void
goban_calibrate_dialog_class_init (GobanCalibrateDialogClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = goban_calibrate_dialog_dispose;
  goban_template_set (widget_class, "dialogs/calibrate-dialog.ui");
  GOBAN_TEMPLATE_CHILDREN (widget_class, GobanCalibrateDialog, source, open_graph, progress, text,
                           apply);
  GOBAN_TEMPLATE_CALLBACKS (widget_class, choose_file_cb, open_graph_cb, confirm);
  goban_signal_add (klass, "choose-file", 0);
}

static void
goban_calibrate_dialog_init (GobanCalibrateDialog *self)
{
  goban_template_init (GTK_WIDGET (self));
}

GtkWidget *
goban_calibrate_dialog_new (GtkWindow *parent, GobanSession *session)
{
  GobanCalibrateDialog *self
      = g_object_new (GOBAN_TYPE_CALIBRATE_DIALOG, "transient-for", parent, NULL);

  self->session = g_object_ref (session);
  gtk_widget_set_sensitive (self->open_graph, goban_session_get_graph (session) != NULL);
  show (self, "", FALSE);
  return GTK_WIDGET (self);
}

/* --- for tests -------------------------------------------------------------------------------- */

gboolean
goban_calibrate_dialog_is_settled (GobanCalibrateDialog *self)
{
  g_return_val_if_fail (GOBAN_IS_CALIBRATE_DIALOG (self), FALSE);

  return self->job == NULL;
}
