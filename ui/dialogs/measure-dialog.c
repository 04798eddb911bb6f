#include "ui/dialogs/measure-dialog.h"

#include "engine/core/i18n.h"
#include "engine/core/quantity.h"
#include "engine/study/log/measure-line.h"
#include "engine/study/run/policy-run.h"
#include "engine/study/run/run-list.h"
#include "engine/study/run/run-origin.h"
#include "ui/widgets/template.h"
#include "ui/widgets/text.h"

#include <string.h>

/* A check button and its plan or policy. */
typedef struct
{
  GtkWidget *check;
  char *name;
  GobanRun *run; /* (nullable): of the list; else a policy */
  guint place;   /* in the list, from 1 */
} Choice;

struct _GobanMeasureDialog
{
  GtkWindow parent;

  GobanSession *session;
  GPtrArray *plans; /* Choice */
  gboolean is_forced;
  gboolean has_runtime;

  GtkWidget *runtime;
  GtkWidget *cores;
  GtkWidget *repeats;
  GtkWidget *choices;
  GtkWidget *refusal;
  GtkWidget *anyway;
  GtkWidget *measure;
};

G_DEFINE_FINAL_TYPE (GobanMeasureDialog, goban_measure_dialog, GTK_TYPE_WINDOW)

static void
choice_free (gpointer data)
{
  Choice *choice = data;

  g_free (choice->name);
  g_clear_pointer (&choice->run, goban_run_unref);
  g_free (choice);
}

/* --- choices ---------------------------------------------------------------------------------- */

static guint
get_number (GtkWidget *spin)
{
  return (guint) gtk_spin_button_get_value_as_int (GTK_SPIN_BUTTON (spin));
}

static gboolean
is_chosen (const Choice *choice)
{
  return gtk_check_button_get_active (GTK_CHECK_BUTTON (choice->check))
         && gtk_widget_get_sensitive (choice->check);
}

static guint
count_chosen (GobanMeasureDialog *self)
{
  guint n = 0;

  for (guint i = 0; i < self->plans->len; i++)
    n += is_chosen (g_ptr_array_index (self->plans, i));
  return n;
}

static void
update (GobanMeasureDialog *self)
{
  gboolean can_measure = self->has_runtime && count_chosen (self) > 0;

  gtk_widget_set_sensitive (self->measure, can_measure);
  gtk_widget_set_sensitive (self->anyway, can_measure);
}

/* A plan is for a number of devices. */
static void
cores_changed_cb (GobanMeasureDialog *self)
{
  for (guint i = 0; i < self->plans->len; i++)
    {
      const Choice *choice = g_ptr_array_index (self->plans, i);

      if (choice->run != NULL)
        gtk_widget_set_sensitive (choice->check,
                                  goban_plan_get_n_devices (goban_run_get_plan (choice->run))
                                      == get_number (self->cores));
    }
  update (self);
}

GobanMeasureOrder *
goban_measure_dialog_make_order (GobanMeasureDialog *self)
{
  GobanMeasureOrder *order;
  g_autoptr (GPtrArray) policies = g_ptr_array_new ();
  g_autoptr (GArray) places = g_array_new (FALSE, FALSE, sizeof (guint));

  g_return_val_if_fail (GOBAN_IS_MEASURE_DIALOG (self), NULL);

  order = goban_measure_order_new (goban_session_get_path (self->session));
  order->graph = goban_graph_ref (goban_session_get_graph (self->session));
  order->runs = goban_run_array_new ();
  for (guint i = 0; i < self->plans->len; i++)
    {
      const Choice *choice = g_ptr_array_index (self->plans, i);

      if (!is_chosen (choice))
        continue;
      if (choice->run == NULL)
        g_ptr_array_add (policies, choice->name);
      else
        {
          g_ptr_array_add (order->runs, goban_run_ref (choice->run));
          g_array_append_val (places, choice->place);
        }
    }
  g_ptr_array_add (policies, NULL);
  order->policies = g_strdupv ((char **) policies->pdata);
  order->options = (GobanMeasureOptions){ .n_cores = get_number (self->cores),
                                          .n_runs = get_number (self->repeats),
                                          .is_forced = self->is_forced };
  order->code = goban_log_measure (&(GobanMeasureWords){
      .model = order->model,
      .policies = (const char *const *) order->policies,
      .places = places,
      .n_cores = order->options.n_cores,
      .n_runs = order->options.n_runs,
      .is_forced = order->options.is_forced,
  });
  return order;
}

/* --- answers ---------------------------------------------------------------------------------- */

/* "Measure Anyway" repeats a refused order, whatever others do. */
static void
confirm_cb (GobanMeasureDialog *self, GtkWidget *button)
{
  if (!self->has_runtime || count_chosen (self) == 0)
    return;
  self->is_forced = button == self->anyway;
  gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
  g_signal_emit_by_name (self, "measure");
}

void
goban_measure_dialog_refuse (GobanMeasureDialog *self, const char *reason)
{
  g_autofree char *sentence = g_strdup (reason);

  g_return_if_fail (GOBAN_IS_MEASURE_DIALOG (self));

  *sentence = g_ascii_toupper (*sentence);
  goban_set_label_text (self->refusal, sentence);
  gtk_widget_set_visible (self->refusal, TRUE);
  gtk_widget_set_visible (self->anyway, TRUE);
  gtk_window_present (GTK_WINDOW (self));
}

/* --- rows ------------------------------------------------------------------------------------- */

/* @label: (transfer full) */
static Choice *
add_choice (GobanMeasureDialog *self, const char *name, char *label)
{
  Choice *choice = g_new0 (Choice, 1);

  choice->name = g_strdup (name);
  choice->check = gtk_check_button_new_with_label (label);
  g_signal_connect_swapped (choice->check, "toggled", G_CALLBACK (update), self);
  gtk_box_append (GTK_BOX (self->choices), choice->check);
  g_ptr_array_add (self->plans, choice);
  g_free (label);
  return choice;
}

/* Offers the quick policies and checks the usual comparison. */
static void
add_policies (GobanMeasureDialog *self)
{
  static const char *const usual[] = { "single", "heft", "metis", "critical-path", NULL };
  gsize n;
  g_autofree GobanPolicyInfo *policies = goban_policies (&n);

  for (gsize i = 0; i < n; i++)
    if (g_str_equal (policies[i].effort, "quick"))
      {
        Choice *choice = add_choice (self, policies[i].name,
                                     g_strdup_printf (_ ("%s, planned anew"), policies[i].name));

        gtk_check_button_set_active (GTK_CHECK_BUTTON (choice->check),
                                     g_strv_contains (usual, policies[i].name));
      }
}

static void
add_runs (GobanMeasureDialog *self, guint most_cores)
{
  GListModel *runs = goban_session_get_runs (self->session);

  for (guint i = 0; i < g_list_model_get_n_items (runs); i++)
    {
      GobanRun *run = goban_run_list_get (runs, i);
      guint n_devices = goban_plan_get_n_devices (goban_run_get_plan (run));
      char makespan[GOBAN_QUANTITY_LEN];
      Choice *choice;

      if (n_devices > most_cores || goban_run_is_recorded (run)
          || !goban_trace_is_valid (goban_run_get_trace (run))
          || goban_trace_is_fused (goban_run_get_trace (run)))
        continue;
      goban_format_time (makespan, goban_run_get_makespan_us (run));
      choice = add_choice (self, goban_run_get_name (run),
                           g_strdup_printf (_ ("%s of the list, %s, cores: %u"),
                                            goban_run_get_name (run), makespan, n_devices));
      choice->run = goban_run_ref (run);
      choice->place = i + 1;
    }
}

static void
find_runtime (GobanMeasureDialog *self)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *version = goban_measure_find_runtime (&error);
  g_autofree char *text = version != NULL
                              ? g_strdup_printf (_ ("ONNX Runtime %s runs the model."), version)
                              : g_strdup (error->message);

  *text = g_ascii_toupper (*text);
  self->has_runtime = version != NULL;
  goban_set_label_text (self->runtime, text);
  gtk_widget_add_css_class (self->runtime, version != NULL ? "dim-label" : "mistake");
}

static void
goban_measure_dialog_dispose (GObject *object)
{
  GobanMeasureDialog *self = GOBAN_MEASURE_DIALOG (object);

  g_clear_object (&self->session);
  G_OBJECT_CLASS (goban_measure_dialog_parent_class)->dispose (object);
}

static void
goban_measure_dialog_finalize (GObject *object)
{
  g_ptr_array_unref (GOBAN_MEASURE_DIALOG (object)->plans);
  G_OBJECT_CLASS (goban_measure_dialog_parent_class)->finalize (object);
}

static void
goban_measure_dialog_class_init (GobanMeasureDialogClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = goban_measure_dialog_dispose;
  G_OBJECT_CLASS (klass)->finalize = goban_measure_dialog_finalize;
  goban_signal_add (klass, "measure", 0);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Escape, 0, "window.close", NULL);
  goban_template_set (widget_class, "dialogs/measure-dialog.ui");
  GOBAN_TEMPLATE_CHILDREN (widget_class, GobanMeasureDialog, runtime, cores, repeats, choices,
                           refusal, anyway, measure);
  GOBAN_TEMPLATE_CALLBACKS (widget_class, cores_changed_cb, confirm_cb);
}

static void
goban_measure_dialog_init (GobanMeasureDialog *self)
{
  self->plans = g_ptr_array_new_with_free_func (choice_free);
  goban_template_init (GTK_WIDGET (self));
}

GtkWidget *
goban_measure_dialog_new (GtkWindow *parent, GobanSession *session)
{
  GobanMeasureDialog *self
      = g_object_new (GOBAN_TYPE_MEASURE_DIALOG, "transient-for", parent, NULL);
  guint n_cores = CLAMP (g_get_num_processors (), 1, GOBAN_MAX_DEVICES);

  self->session = g_object_ref (session);
  gtk_spin_button_set_range (GTK_SPIN_BUTTON (self->cores), 1, n_cores);
  find_runtime (self);
  add_policies (self);
  add_runs (self, n_cores);
  cores_changed_cb (self);
  return GTK_WIDGET (self);
}
