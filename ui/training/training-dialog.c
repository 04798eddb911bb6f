#include "ui/training/training-dialog.h"

#include "engine/core/i18n.h"
#include "engine/core/lua-text.h"
#include "engine/session/chosen-folders.h"
#include "engine/study/bench/suite.h"
#include "engine/study/training/networks.h"
#include "engine/study/training/training-list.h"
#include "ui/widgets/template.h"
#include "ui/widgets/text.h"

#include <inttypes.h>

struct _GobanTrainingDialog
{
  GtkWindow parent;

  GtkWidget *network;
  GtkWidget *purpose;
  GtkWidget *steps;
  GtkWidget *minutes; /* of networks that take them, as the next three */
  GtkWidget *minutes_label;
  GtkWidget *suite;
  GtkWidget *suite_label;
  GtkWidget *tasks;
  GtkWidget *tasks_label;
  GtkWidget *from;
  GtkWidget *from_label;
  GtkWidget *seed;
  GtkWidget *output;
  char **suites;       /* names */
  GobanJob *job;       /* reads networks to begin with; NULL when it has */
  GPtrArray *networks; /* GobanNetworkInfo; none before */
  char *path;          /* of the options that were asked for last */
};

enum
{
  TRAIN,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (GobanTrainingDialog, goban_training_dialog, GTK_TYPE_WINDOW)

/* --- choices ---------------------------------------------------------------------------------- */

static const char *
get_network (GobanTrainingDialog *self)
{
  return goban_training_get_networks ()[gtk_drop_down_get_selected (GTK_DROP_DOWN (self->network))];
}

/* Rows that the network does not take are hidden, and then say nothing. */
static double
get_number (GtkWidget *spin)
{
  return gtk_widget_get_visible (spin) ? gtk_spin_button_get_value (GTK_SPIN_BUTTON (spin)) : 0;
}

/* (nullable): of the first choice, which is the default. Borrowed from the list. */
static const char *
get_text (GtkWidget *drop_down)
{
  guint i = gtk_drop_down_get_selected (GTK_DROP_DOWN (drop_down));

  return gtk_widget_get_visible (drop_down) && i > 0 && i != GTK_INVALID_LIST_POSITION
             ? gtk_string_list_get_string (
                 GTK_STRING_LIST (gtk_drop_down_get_model (GTK_DROP_DOWN (drop_down))), i)
             : NULL;
}

/* (nullable): the chosen network's file. */
static const char *
get_from (GobanTrainingDialog *self)
{
  return get_text (self->from); /* files, after nothing */
}

GobanTrainingOptions
goban_training_dialog_get_options (GobanTrainingDialog *self)
{
  GobanTrainingOptions options = goban_training_options_new (NULL);

  g_return_val_if_fail (GOBAN_IS_TRAINING_DIALOG (self), options);

  g_free (self->path);
  self->path = g_strdup (gtk_editable_get_text (GTK_EDITABLE (self->output)));
  options.network = get_network (self);
  options.seconds = 60.0 * get_number (self->minutes);
  options.suite = get_text (self->suite);
  options.tasks = get_text (self->tasks);
  options.from = get_from (self);
  options.output = *self->path != '\0' ? self->path : NULL;
  options.n_steps = gtk_spin_button_get_value_as_int (GTK_SPIN_BUTTON (self->steps));
  options.seed = gtk_spin_button_get_value_as_int (GTK_SPIN_BUTTON (self->seed));
  return options;
}

/* @text: (nullable) */
static void
append_text (GString *code, const char *key, const char *text)
{
  if (text == NULL)
    return;
  g_string_append_printf (code, ", %s = ", key);
  goban_lua_text_append (code, text);
}

char *
goban_training_dup_code (const GobanTrainingOptions *options)
{
  g_autoptr (GString) code = g_string_new ("job.train{");

  if (options->follow != NULL)
    {
      g_string_append (code, " follow = ");
      goban_lua_text_append (code, options->follow);
      g_string_append (code, " }");
      return g_string_free (g_steal_pointer (&code), FALSE);
    }
  g_string_append_printf (code, " policy = \"%s\"", options->network);
  if (options->output != NULL)
    {
      g_string_append (code, ", output = ");
      goban_lua_text_append (code, options->output);
    }
  append_text (code, "suite", options->suite);
  append_text (code, "tasks", options->tasks);
  append_text (code, "from", options->from);
  if (options->seconds > 0)
    g_string_append_printf (code, ", seconds = %.0f", options->seconds);
  if (options->n_steps > 0)
    g_string_append_printf (code, ", steps = %" PRId64, options->n_steps);
  if (options->seed >= 0)
    g_string_append_printf (code, ", seed = %" PRId64, options->seed);
  g_string_append (code, " }");
  return g_string_free (g_steal_pointer (&code), FALSE);
}

static void
show_row (GobanTrainingDialog *self, GtkWidget *widget, GtkWidget *label, const char *option)
{
  gboolean is_taken = goban_training_takes (get_network (self), option);

  gtk_widget_set_visible (widget, is_taken);
  gtk_widget_set_visible (label, is_taken);
}

static void
set_choices (GtkWidget *drop_down, const char *first, const char *const *others)
{
  g_autoptr (GtkStringList) list = gtk_string_list_new (NULL);

  gtk_string_list_append (list, first);
  for (guint i = 0; others != NULL && others[i] != NULL; i++)
    gtk_string_list_append (list, others[i]);
  gtk_drop_down_set_model (GTK_DROP_DOWN (drop_down), G_LIST_MODEL (list));
}

/* Networks of the chosen kind. */
static void
list_networks (GobanTrainingDialog *self)
{
  g_autoptr (GPtrArray) files = g_ptr_array_new ();

  for (guint i = 0; i < self->networks->len; i++)
    {
      const GobanNetworkInfo *info = g_ptr_array_index (self->networks, i);

      if (g_str_equal (info->network, get_network (self)))
        g_ptr_array_add (files, info->file);
    }
  g_ptr_array_add (files, NULL);
  set_choices (self->from, _ ("Untrained"), (const char *const *) files->pdata);
}

static void
network_changed_cb (GobanTrainingDialog *self)
{
  g_autofree char *path
      = goban_training_list_dup_free_output (NULL, GOBAN_OUT_FOLDER, get_network (self));

  show_row (self, self->minutes, self->minutes_label, "seconds");
  show_row (self, self->suite, self->suite_label, "suite");
  show_row (self, self->tasks, self->tasks_label, "tasks");
  show_row (self, self->from, self->from_label, "from");
  list_networks (self);
  goban_set_label_text (self->purpose, goban_training_get_purpose (get_network (self)));
  gtk_editable_set_text (GTK_EDITABLE (self->output), path);
}

static void
listed_cb (GobanTrainingDialog *self, GobanJob *job)
{
  if (job != self->job)
    return;
  g_ptr_array_unref (self->networks);
  self->networks = goban_job_steal_result (job, NULL); /* which is empty at worst */
  g_clear_object (&self->job);
  list_networks (self);
}

gboolean
goban_training_dialog_has_networks (GobanTrainingDialog *self)
{
  g_return_val_if_fail (GOBAN_IS_TRAINING_DIALOG (self), FALSE);

  return self->job == NULL;
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

gboolean
goban_training_dialog_set (GobanTrainingDialog *self, const char *row, guint value)
{
  GtkWidget *widget;

  g_return_val_if_fail (GOBAN_IS_TRAINING_DIALOG (self), FALSE);

  widget = GTK_WIDGET (
      gtk_widget_get_template_child (GTK_WIDGET (self), GOBAN_TYPE_TRAINING_DIALOG, row));
  if (!gtk_widget_get_visible (widget))
    return FALSE;
  if (GTK_IS_SPIN_BUTTON (widget))
    gtk_spin_button_set_value (GTK_SPIN_BUTTON (widget), value);
  else
    gtk_drop_down_set_selected (GTK_DROP_DOWN (widget), value);
  return TRUE;
}

void
goban_training_dialog_confirm (GobanTrainingDialog *self)
{
  g_return_if_fail (GOBAN_IS_TRAINING_DIALOG (self));

  g_signal_emit (self, signals[TRAIN], 0);
  gtk_window_close (GTK_WINDOW (self));
}

/* --- construction and disposal ---------------------------------------------------------------- */

static void
goban_training_dialog_dispose (GObject *object)
{
  GobanTrainingDialog *self = GOBAN_TRAINING_DIALOG (object);

  if (self->job != NULL)
    goban_job_cancel (self->job);
  g_clear_object (&self->job);

  G_OBJECT_CLASS (goban_training_dialog_parent_class)->dispose (object);
}

static void
goban_training_dialog_finalize (GObject *object)
{
  GobanTrainingDialog *self = GOBAN_TRAINING_DIALOG (object);

  g_free (self->path);
  g_strfreev (self->suites);
  g_ptr_array_unref (self->networks);

  G_OBJECT_CLASS (goban_training_dialog_parent_class)->finalize (object);
}

static void
goban_training_dialog_class_init (GobanTrainingDialogClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = goban_training_dialog_dispose;
  G_OBJECT_CLASS (klass)->finalize = goban_training_dialog_finalize;
  signals[TRAIN] = g_signal_new ("train", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                 NULL, NULL, G_TYPE_NONE, 0);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Escape, 0, "window.close", NULL);
  goban_template_set (widget_class, "training/training-dialog.ui");
  gtk_widget_class_bind_template_child (widget_class, GobanTrainingDialog, network);
  gtk_widget_class_bind_template_child (widget_class, GobanTrainingDialog, purpose);
  gtk_widget_class_bind_template_child (widget_class, GobanTrainingDialog, steps);
  gtk_widget_class_bind_template_child (widget_class, GobanTrainingDialog, minutes);
  gtk_widget_class_bind_template_child (widget_class, GobanTrainingDialog, minutes_label);
  gtk_widget_class_bind_template_child (widget_class, GobanTrainingDialog, suite);
  gtk_widget_class_bind_template_child (widget_class, GobanTrainingDialog, suite_label);
  gtk_widget_class_bind_template_child (widget_class, GobanTrainingDialog, tasks);
  gtk_widget_class_bind_template_child (widget_class, GobanTrainingDialog, tasks_label);
  gtk_widget_class_bind_template_child (widget_class, GobanTrainingDialog, from);
  gtk_widget_class_bind_template_child (widget_class, GobanTrainingDialog, from_label);
  gtk_widget_class_bind_template_child (widget_class, GobanTrainingDialog, seed);
  gtk_widget_class_bind_template_child (widget_class, GobanTrainingDialog, output);
  gtk_widget_class_bind_template_callback (widget_class, network_changed_cb);
  gtk_widget_class_bind_template_callback (widget_class, goban_training_dialog_confirm);
}

static void
goban_training_dialog_init (GobanTrainingDialog *self)
{
  g_autoptr (GtkStringList) networks = gtk_string_list_new (goban_training_get_networks ());

  static const char *const folders[] = { GOBAN_OUT_FOLDER, NULL };
  static const char *const tasks[]
      = { "placement,scheduling", "placement,scheduling,fusion", NULL };

  goban_template_init (GTK_WIDGET (self));
  self->suites = goban_suite_names ();
  self->networks = g_ptr_array_new ();
  self->job = goban_networks_start_list (folders);
  g_signal_connect_object (self->job, "done", G_CALLBACK (listed_cb), self, G_CONNECT_SWAPPED);
  set_choices (self->suite, _ ("Built-in curriculum"), (const char *const *) self->suites);
  set_choices (self->tasks, _ ("Placement"), tasks);
  gtk_drop_down_set_model (GTK_DROP_DOWN (self->network), G_LIST_MODEL (networks));
}

GtkWidget *
goban_training_dialog_new (GtkWindow *parent)
{
  return g_object_new (GOBAN_TYPE_TRAINING_DIALOG, "transient-for", parent, NULL);
}
