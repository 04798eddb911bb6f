#include "ui/training/training-dialog.h"

#include "engine/session/chosen-folders.h"
#include "engine/session/log-lines.h"
#include "ui/widgets/template.h"

#include <inttypes.h>

struct _GobanTrainingDialog
{
  GtkWindow parent;

  GtkWidget *network;
  GtkWidget *purpose;
  GtkWidget *steps;
  GtkWidget *seed;
  GtkWidget *output;
  char *path; /* of the options that were asked for last */
};

enum
{
  TRAIN,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (GobanTrainingDialog, goban_training_dialog, GTK_TYPE_WINDOW)

/* --- what is chosen --------------------------------------------------------------------------- */

static const char *
get_network (GobanTrainingDialog *self)
{
  return goban_training_get_networks ()[gtk_drop_down_get_selected (GTK_DROP_DOWN (self->network))];
}

GobanTrainingOptions
goban_training_dialog_get_options (GobanTrainingDialog *self)
{
  GobanTrainingOptions options = goban_training_options_new (NULL);

  g_return_val_if_fail (GOBAN_IS_TRAINING_DIALOG (self), options);

  g_free (self->path);
  self->path = g_strdup (gtk_editable_get_text (GTK_EDITABLE (self->output)));
  options.network = get_network (self);
  options.output = *self->path != '\0' ? self->path : NULL;
  options.n_steps = gtk_spin_button_get_value_as_int (GTK_SPIN_BUTTON (self->steps));
  options.seed = gtk_spin_button_get_value_as_int (GTK_SPIN_BUTTON (self->seed));
  return options;
}

char *
goban_training_dup_code (const GobanTrainingOptions *options)
{
  g_autoptr (GString) code = g_string_new ("job.train{");

  g_string_append_printf (code, " policy = \"%s\"", options->network);
  if (options->output != NULL)
    {
      g_string_append (code, ", output = ");
      goban_log_append_quoted (code, options->output);
    }
  if (options->n_steps > 0)
    g_string_append_printf (code, ", steps = %" PRId64, options->n_steps);
  if (options->seed >= 0)
    g_string_append_printf (code, ", seed = %" PRId64, options->seed);
  g_string_append (code, " }");
  return g_string_free (g_steal_pointer (&code), FALSE);
}

/* A file that is not there yet: "goban-out/builder-2.net". (transfer full) */
static char *
suggest_output (const char *network)
{
  char *path = g_strdup_printf (GOBAN_OUT_FOLDER "/%s.net", network);

  for (guint i = 2; g_file_test (path, G_FILE_TEST_EXISTS); i++)
    {
      g_free (path);
      path = g_strdup_printf (GOBAN_OUT_FOLDER "/%s-%u.net", network, i);
    }
  return path;
}

static void
network_changed_cb (GobanTrainingDialog *self)
{
  g_autofree char *path = suggest_output (get_network (self));

  gtk_label_set_text (GTK_LABEL (self->purpose), goban_training_get_purpose (get_network (self)));
  gtk_editable_set_text (GTK_EDITABLE (self->output), path);
}

void
goban_training_dialog_choose (GobanTrainingDialog *self, guint network)
{
  g_return_if_fail (GOBAN_IS_TRAINING_DIALOG (self));

  gtk_drop_down_set_selected (GTK_DROP_DOWN (self->network), network);
}

void
goban_training_dialog_set_steps (GobanTrainingDialog *self, guint n_steps)
{
  g_return_if_fail (GOBAN_IS_TRAINING_DIALOG (self));

  gtk_spin_button_set_value (GTK_SPIN_BUTTON (self->steps), n_steps);
}

void
goban_training_dialog_confirm (GobanTrainingDialog *self)
{
  g_return_if_fail (GOBAN_IS_TRAINING_DIALOG (self));

  g_signal_emit (self, signals[TRAIN], 0);
  gtk_window_close (GTK_WINDOW (self));
}

/* --- life ------------------------------------------------------------------------------------- */

static void
goban_training_dialog_finalize (GObject *object)
{
  g_free (GOBAN_TRAINING_DIALOG (object)->path);

  G_OBJECT_CLASS (goban_training_dialog_parent_class)->finalize (object);
}

static void
goban_training_dialog_class_init (GobanTrainingDialogClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = goban_training_dialog_finalize;
  signals[TRAIN] = g_signal_new ("train", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                 NULL, NULL, G_TYPE_NONE, 0);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Escape, 0, "window.close", NULL);
  goban_template_set (widget_class, "training/training-dialog.ui");
  gtk_widget_class_bind_template_child (widget_class, GobanTrainingDialog, network);
  gtk_widget_class_bind_template_child (widget_class, GobanTrainingDialog, purpose);
  gtk_widget_class_bind_template_child (widget_class, GobanTrainingDialog, steps);
  gtk_widget_class_bind_template_child (widget_class, GobanTrainingDialog, seed);
  gtk_widget_class_bind_template_child (widget_class, GobanTrainingDialog, output);
  gtk_widget_class_bind_template_callback (widget_class, network_changed_cb);
  gtk_widget_class_bind_template_callback (widget_class, goban_training_dialog_confirm);
}

static void
goban_training_dialog_init (GobanTrainingDialog *self)
{
  g_autoptr (GtkStringList) networks = gtk_string_list_new (goban_training_get_networks ());

  goban_template_init (GTK_WIDGET (self));
  gtk_drop_down_set_model (GTK_DROP_DOWN (self->network), G_LIST_MODEL (networks));
}

GtkWidget *
goban_training_dialog_new (GtkWindow *parent)
{
  return g_object_new (GOBAN_TYPE_TRAINING_DIALOG, "transient-for", parent, NULL);
}
