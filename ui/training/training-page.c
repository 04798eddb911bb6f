#include "ui/training/training-page.h"

#include "engine/core/i18n.h"
#include "engine/core/lua-text.h"
#include "engine/session/chosen-folders.h"
#include "engine/study/bench/suite.h"
#include "engine/study/training/networks.h"
#include "engine/study/training/training-list.h"
#include "ui/widgets/template.h"
#include "ui/widgets/text.h"

#include <inttypes.h>

struct _GobanTrainingPage
{
  GtkWidget parent;

  GtkWidget *network;
  GtkWidget *purpose;
  GtkWidget *steps;
  GtkWidget *minutes; /* of networks that take them, as the next three */
  GtkWidget *suite;
  GtkWidget *tasks;
  GtkWidget *from;
  struct
  {
    GtkWidget *minutes;
    GtkWidget *suite;
    GtkWidget *tasks;
    GtkWidget *from;
  } labels;
  GtkWidget *seed;
  GtkWidget *output;
  GtkWidget *duration;
  char **suites;       /* names */
  GobanJob *trial;     /* (nullable): measures a step of the chosen network */
  double step_s;       /* of the chosen network; 0: not measured yet */
  GobanJob *job;       /* reads networks to begin with; NULL when it has */
  GPtrArray *networks; /* GobanNetworkInfo; none before */
  char *path;          /* of the options that were asked for last */
};

G_DEFINE_FINAL_TYPE (GobanTrainingPage, goban_training_page, GTK_TYPE_WIDGET)

/* --- choices ---------------------------------------------------------------------------------- */

static const char *
get_network (GobanTrainingPage *self)
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
get_from (GobanTrainingPage *self)
{
  return get_text (self->from); /* files, after nothing */
}

GobanTrainingOptions
goban_training_page_get_options (GobanTrainingPage *self)
{
  GobanTrainingOptions options = goban_training_options_new (NULL);

  g_return_val_if_fail (GOBAN_IS_TRAINING_PAGE (self), options);

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
show_row (GobanTrainingPage *self, GtkWidget *widget, GtkWidget *label, const char *option)
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
list_networks (GobanTrainingPage *self)
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

/* --- how long it takes ------------------------------------------------------------------------ */

static void
update_duration (GobanTrainingPage *self)
{
  double limit_s = 60 * get_number (self->minutes);
  double seconds = self->step_s * gtk_spin_button_get_value (GTK_SPIN_BUTTON (self->steps));
  g_autofree char *duration = goban_dup_duration (limit_s > 0 ? MIN (limit_s, seconds) : seconds);
  g_autofree char *text = self->step_s > 0
                              ? g_strdup_printf (_ ("About %s on this computer"), duration)
                              : g_strdup (_ ("Measuring how long it takes…"));

  goban_set_label_text (self->duration, text);
}

static void
end_trial (GobanTrainingPage *self)
{
  if (self->trial != NULL)
    goban_job_cancel (self->trial);
  g_clear_object (&self->trial);
}

static void
tried_cb (GobanTrainingPage *self, GobanJob *job)
{
  g_autofree double *step_s = NULL;

  if (job != self->trial)
    return;
  step_s = goban_job_steal_result (job, NULL);
  g_clear_object (&self->trial);
  if (step_s != NULL)
    self->step_s = *step_s;
  update_duration (self);
}

/* Only while the page is seen: the trial takes a processor for three seconds. */
static void
begin_trial (GobanTrainingPage *self)
{
  end_trial (self);
  self->step_s = 0;
  update_duration (self);
  if (!gtk_widget_get_mapped (GTK_WIDGET (self)))
    return;
  self->trial = goban_training_start_trial (get_network (self));
  GOBAN_CONNECT (self->trial, "done", tried_cb, self);
}

/* --- rows ------------------------------------------------------------------------------------- */

static void
network_changed_cb (GobanTrainingPage *self)
{
  g_autofree char *path
      = goban_training_list_dup_free_output (NULL, GOBAN_OUT_FOLDER, get_network (self));

  show_row (self, self->minutes, self->labels.minutes, "seconds");
  show_row (self, self->suite, self->labels.suite, "suite");
  show_row (self, self->tasks, self->labels.tasks, "tasks");
  show_row (self, self->from, self->labels.from, "from");
  list_networks (self);
  goban_set_label_text (self->purpose, goban_training_get_purpose (get_network (self)));
  gtk_editable_set_text (GTK_EDITABLE (self->output), path);
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (self->steps),
                             goban_training_get_n_steps (get_network (self)));
  begin_trial (self);
}

static void
listed_cb (GobanTrainingPage *self, GobanJob *job)
{
  if (job != self->job)
    return;
  g_ptr_array_unref (self->networks);
  self->networks = goban_job_steal_result (job, NULL); /* which is empty at worst */
  g_clear_object (&self->job);
  list_networks (self);
}

gboolean
goban_training_page_has_networks (GobanTrainingPage *self)
{
  g_return_val_if_fail (GOBAN_IS_TRAINING_PAGE (self), FALSE);

  return self->job == NULL;
}

void
goban_training_page_confirm (GobanTrainingPage *self)
{
  g_return_if_fail (GOBAN_IS_TRAINING_PAGE (self));

  g_signal_emit_by_name (self, "train");
  gtk_widget_hide (GTK_WIDGET (self));
}

static void
cancel_cb (GobanTrainingPage *self)
{
  g_signal_emit_by_name (self, "cancelled");
}

/* A file that is free now, and networks that have been trained meanwhile. */
static void
goban_training_page_map (GtkWidget *widget)
{
  static const char *const folders[] = { GOBAN_OUT_FOLDER, NULL };
  GobanTrainingPage *self = GOBAN_TRAINING_PAGE (widget);

  GTK_WIDGET_CLASS (goban_training_page_parent_class)->map (widget);
  self->job = goban_networks_start_list (folders);
  GOBAN_CONNECT (self->job, "done", listed_cb, self);
  network_changed_cb (self);
  gtk_widget_grab_focus (self->network);
}

static void
end_jobs (GobanTrainingPage *self)
{
  if (self->job != NULL)
    goban_job_cancel (self->job);
  g_clear_object (&self->job);
  end_trial (self);
}

static void
goban_training_page_unmap (GtkWidget *widget)
{
  end_jobs (GOBAN_TRAINING_PAGE (widget));
  GTK_WIDGET_CLASS (goban_training_page_parent_class)->unmap (widget);
}

/* --- construction and disposal ---------------------------------------------------------------- */

static void
goban_training_page_dispose (GObject *object)
{
  GobanTrainingPage *self = GOBAN_TRAINING_PAGE (object);

  end_jobs (self);
  goban_remove_children (GTK_WIDGET (self));
  g_clear_pointer (&self->path, g_free);
  g_clear_pointer (&self->suites, g_strfreev);
  g_clear_pointer (&self->networks, g_ptr_array_unref);

  G_OBJECT_CLASS (goban_training_page_parent_class)->dispose (object);
}

static void
goban_training_page_class_init (GobanTrainingPageClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = goban_training_page_dispose;
  goban_signal_add (klass, "train", 0);
  g_signal_new ("cancelled", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST | G_SIGNAL_ACTION, 0,
                NULL, NULL, NULL, G_TYPE_NONE, 0);
  widget_class->map = goban_training_page_map;
  widget_class->unmap = goban_training_page_unmap;
  gtk_widget_class_set_css_name (widget_class, "trainingpage");
  gtk_widget_class_add_binding_signal (widget_class, GDK_KEY_Escape, 0, "cancelled", NULL);
  goban_template_set (widget_class, "training/training-page.ui");
  GOBAN_TEMPLATE_CHILDREN (widget_class, GobanTrainingPage, network, purpose, steps, minutes, suite,
                           tasks, from, seed, output, duration);
  GOBAN_TEMPLATE_BIND (widget_class, GobanTrainingPage, "minutes_label", labels.minutes);
  GOBAN_TEMPLATE_BIND (widget_class, GobanTrainingPage, "suite_label", labels.suite);
  GOBAN_TEMPLATE_BIND (widget_class, GobanTrainingPage, "tasks_label", labels.tasks);
  GOBAN_TEMPLATE_BIND (widget_class, GobanTrainingPage, "from_label", labels.from);
  GOBAN_TEMPLATE_CALLBACKS (widget_class, network_changed_cb, update_duration, cancel_cb,
                            goban_training_page_confirm);
}

static void
goban_training_page_init (GobanTrainingPage *self)
{
  g_autoptr (GtkStringList) networks = gtk_string_list_new (goban_training_get_networks ());

  static const char *const tasks[]
      = { "placement,scheduling", "placement,scheduling,fusion", NULL };

  goban_template_init (GTK_WIDGET (self));
  self->suites = goban_suite_names ();
  self->networks = g_ptr_array_new ();
  set_choices (self->suite, _ ("Built-in curriculum"), (const char *const *) self->suites);
  set_choices (self->tasks, _ ("Placement"), tasks);
  gtk_drop_down_set_model (GTK_DROP_DOWN (self->network), G_LIST_MODEL (networks));
}

GtkWidget *
goban_training_page_new (void)
{
  return g_object_new (GOBAN_TYPE_TRAINING_PAGE, NULL);
}
