#include "ui/dialogs/parallel-dialog.h"

#include "engine/core/i18n.h"
#include "engine/core/jobs/coalescing-worker.h"
#include "engine/core/quantity.h"
#include "ui/widgets/template.h"
#include "ui/widgets/term.h"
#include "ui/widgets/text.h"

#include <string.h>

/* Larger graphs take too long to simulate after each change. */
#define MOST_LIVE_NODES 40000

/* In the order of the rows of the lists. */
static const char *const schedules[]
    = { "1f1b", "gpipe", "pipedream", "interleaved", "zero-bubble", "dualpipe-v", "none" };
#define FROM_FILE G_N_ELEMENTS (schedules)
static const char *const algorithms[] = { "ring", "tree" };
static const char *const operations[]
    = { "all-reduce", "reduce-scatter", "all-gather", "all-to-all", "broadcast", "send" };

enum
{
  STAGES_BY_SCHEDULE,
  STAGES_FASTEST,
  STAGES_THIS_MANY,
  STAGES_COPIED,
};

typedef struct
{
  GtkWidget *page;
  GtkWidget *schedule;
  GtkWidget *file_label;
  GtkWidget *file_row;
  GtkWidget *file;
  GtkWidget *stages;
  GtkWidget *n_stages_label;
  GtkWidget *n_stages;
  GtkWidget *n_batches;
  GtkWidget *is_split;
  GtkWidget *uses_plan;
} PipelineControls;

typedef struct
{
  GtkWidget *page;
  GtkWidget *n;
  GtkWidget *algorithm;
  GtkWidget *bucket;
  GtkWidget *slowdown;
  GtkWidget *adds_backward;
  GtkWidget *is_split;
  GtkWidget *uses_plan;
} CopiesControls;

typedef struct
{
  GtkWidget *page;
  GtkWidget *operation;
  GtkWidget *algorithm;
  GtkWidget *size;
  GtkWidget *n_ranks;
} CollectiveControls;

struct _GobanParallelDialog
{
  GtkWindow parent;

  GobanSession *session;
  GobanParallelKind kind;
  GobanCoalescingWorker *worker;
  guint serial;   /* of the present choice */
  guint answered; /* of the choice that the verdict is about */
  gboolean fails; /* the present choice, as far as is known */

  /* One of them is shown. */
  PipelineControls pipeline;
  CopiesControls copies;
  CollectiveControls collective;

  GtkWidget *verdict;
  GtkWidget *make;
};

enum
{
  MAKE,
  CHOOSE_FILE,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (GobanParallelDialog, goban_parallel_dialog, GTK_TYPE_WINDOW)

/* --- choices ---------------------------------------------------------------------------------- */

static guint
get_number (GtkWidget *spin)
{
  return (guint) gtk_spin_button_get_value_as_int (GTK_SPIN_BUTTON (spin));
}

static guint
get_row (GtkWidget *list)
{
  return gtk_drop_down_get_selected (GTK_DROP_DOWN (list));
}

static gboolean
is_checked (GtkWidget *check)
{
  return gtk_check_button_get_active (GTK_CHECK_BUTTON (check)) && gtk_widget_get_sensitive (check);
}

static void
take_shown_plan (GobanParallelDialog *self, GobanParallelOrder *order, GtkWidget *check)
{
  GobanRun *run = goban_session_get_current_run (self->session);

  if (is_checked (check) && run != NULL)
    order->plan = goban_plan_ref (goban_run_get_plan (run));
}

/* A file says its numbers, and so does a plan. */
static void
read_pipeline (GobanParallelDialog *self, GobanParallelOrder *order)
{
  gboolean is_file = get_row (self->pipeline.schedule) == FROM_FILE;

  order->schedule = g_strdup (is_file ? gtk_editable_get_text (GTK_EDITABLE (self->pipeline.file))
                                      : schedules[get_row (self->pipeline.schedule)]);
  order->is_split = is_checked (self->pipeline.is_split);
  take_shown_plan (self, order, self->pipeline.uses_plan);
  order->n_batches = is_file ? 0 : get_number (self->pipeline.n_batches);
  if (is_file || order->plan != NULL)
    return;
  order->chooses_stages = get_row (self->pipeline.stages) == STAGES_FASTEST;
  order->copies_stages = get_row (self->pipeline.stages) == STAGES_COPIED;
  order->n = get_row (self->pipeline.stages) == STAGES_THIS_MANY
                 ? get_number (self->pipeline.n_stages)
                 : 0;
}

static void
read_copies (GobanParallelDialog *self, GobanParallelOrder *order)
{
  order->n = get_number (self->copies.n);
  order->algorithm = g_strdup (algorithms[get_row (self->copies.algorithm)]);
  order->bucket_bytes = 1e6 * get_number (self->copies.bucket);
  order->slowdown = gtk_range_get_value (GTK_RANGE (self->copies.slowdown));
  order->adds_backward = gtk_widget_get_visible (self->copies.adds_backward)
                         && is_checked (self->copies.adds_backward);
  order->is_split = is_checked (self->copies.is_split);
  take_shown_plan (self, order, self->copies.uses_plan);
}

static void
read_collective (GobanParallelDialog *self, GobanParallelOrder *order)
{
  order->collective = g_strdup (operations[get_row (self->collective.operation)]);
  if (gtk_widget_get_sensitive (self->collective.algorithm))
    order->algorithm = g_strdup (algorithms[get_row (self->collective.algorithm)]);
  order->bytes = 1e6 * get_number (self->collective.size);
  order->n = get_number (self->collective.n_ranks);
}

GobanParallelOrder *
goban_parallel_dialog_make_order (GobanParallelDialog *self)
{
  static void (*const readers[]) (GobanParallelDialog *, GobanParallelOrder *)
      = { read_pipeline, read_copies, read_collective };
  GobanParallelOrder *order;
  GobanCostModel *costs;

  g_return_val_if_fail (GOBAN_IS_PARALLEL_DIALOG (self), NULL);

  costs = self->kind == GOBAN_PARALLEL_COLLECTIVE ? NULL : goban_session_get_costs (self->session);
  order = goban_parallel_order_new (self->kind, costs, goban_session_get_cluster (self->session));
  readers[self->kind](self, order);
  return order;
}

/* --- the live result -------------------------------------------------------------------------- */

typedef struct
{
  GobanParallelOrder *order;
  guint serial;
} Question;

typedef struct
{
  char *text;
  gboolean is_trouble;
  guint serial;
} Answer;

static void
question_free (gpointer data)
{
  Question *question = data;

  goban_parallel_order_free (question->order);
  g_free (question);
}

static void
answer_free (gpointer data)
{
  Answer *answer = data;

  g_free (answer->text);
  g_free (answer);
}

static gpointer
preview_worker (const GobanProgress *progress, gpointer data, GError **error)
{
  const Question *question = data;
  g_autoptr (GError) trouble = NULL;
  g_autoptr (GobanParallelResult) result
      = goban_parallel_order_run (progress, question->order, &trouble);
  Answer *answer = g_new0 (Answer, 1);

  answer->serial = question->serial;
  answer->is_trouble = result == NULL;
  answer->text = g_strdup (result != NULL ? result->text : trouble->message);
  return answer;
}

static void
show_verdict (GobanParallelDialog *self, const char *text, gboolean is_trouble)
{
  g_autofree char *sentence = g_strdup (text);

  *sentence = g_ascii_toupper (*sentence);
  goban_set_label_text (self->verdict, sentence);
  if (is_trouble)
    gtk_widget_add_css_class (self->verdict, "mistake");
  else
    gtk_widget_remove_css_class (self->verdict, "mistake");
  self->fails = is_trouble;
  gtk_widget_set_sensitive (self->make, !is_trouble);
}

/* While a slider moves an older result is better than none, but it does not enable the button. */
static void
take_answer (gpointer data, gpointer user_data)
{
  GobanParallelDialog *self = user_data;
  Answer *answer = data;

  if (answer->serial == self->serial || !answer->is_trouble)
    show_verdict (self, answer->text, answer->is_trouble);
  self->answered = answer->serial;
  answer_free (answer);
}

static const GobanCoalescingWorkerKind preview
    = { "Simulating a choice", preview_worker, question_free, answer_free, take_answer };

static void
ask (GobanParallelDialog *self)
{
  g_autoptr (GobanParallelOrder) order = goban_parallel_dialog_make_order (self);
  guint64 n_nodes = goban_parallel_order_count_nodes (order);
  char count[GOBAN_QUANTITY_LEN];

  self->serial++;
  self->fails = FALSE;
  gtk_widget_set_sensitive (self->make, TRUE);
  if (n_nodes > MOST_LIVE_NODES)
    {
      g_autofree char *text
          = g_strdup_printf (_ ("A graph of about %s nodes: it is simulated when it is made."),
                             goban_format_grouped (count, n_nodes));

      goban_coalescing_worker_forget (self->worker);
      show_verdict (self, text, FALSE);
      self->answered = self->serial;
      return;
    }
  if (self->kind == GOBAN_PARALLEL_PIPELINE && *order->schedule == '\0')
    {
      goban_coalescing_worker_forget (self->worker);
      show_verdict (self, _ ("Choose the file of the schedule"), TRUE);
      self->answered = self->serial;
      return;
    }
  goban_coalescing_worker_ask (
      self->worker,
      g_memdup2 (&(Question){ g_steal_pointer (&order), self->serial }, sizeof (Question)));
}

static void
set_row_visible (GtkWidget *label, GtkWidget *control, gboolean is_visible)
{
  gtk_widget_set_visible (label, is_visible);
  gtk_widget_set_visible (control, is_visible);
}

/* Controls that the others leave without effect are hidden or insensitive. */
static void
follow (GobanParallelDialog *self)
{
  gboolean has_run = goban_session_get_current_run (self->session) != NULL;
  gboolean is_file = get_row (self->pipeline.schedule) == FROM_FILE;
  gboolean has_stages = !is_file && !is_checked (self->pipeline.uses_plan);

  gtk_widget_set_sensitive (self->pipeline.uses_plan, has_run);
  /* The plan that is shown has no devices for nodes that are added. */
  gtk_widget_set_sensitive (self->copies.uses_plan,
                            has_run
                                && !(gtk_widget_get_visible (self->copies.adds_backward)
                                     && is_checked (self->copies.adds_backward)));
  set_row_visible (self->pipeline.file_label, self->pipeline.file_row, is_file);
  gtk_widget_set_sensitive (self->pipeline.stages, has_stages);
  gtk_widget_set_sensitive (self->pipeline.n_batches, !is_file);
  set_row_visible (self->pipeline.n_stages_label, self->pipeline.n_stages,
                   has_stages && get_row (self->pipeline.stages) == STAGES_THIS_MANY);
  gtk_widget_set_sensitive (self->collective.algorithm, get_row (self->collective.operation) == 0);
}

static void
changed_cb (GobanParallelDialog *self)
{
  if (self->session == NULL) /* while the template is built */
    return;
  follow (self);
  ask (self);
}

/* --- answers ---------------------------------------------------------------------------------- */

void
goban_parallel_dialog_confirm (GobanParallelDialog *self)
{
  g_return_if_fail (GOBAN_IS_PARALLEL_DIALOG (self));

  if (self->fails)
    return;
  gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
  g_signal_emit (self, signals[MAKE], 0);
}

void
goban_parallel_dialog_refuse (GobanParallelDialog *self, const char *reason)
{
  g_return_if_fail (GOBAN_IS_PARALLEL_DIALOG (self) && reason != NULL);

  show_verdict (self, reason, TRUE);
  gtk_window_present (GTK_WINDOW (self));
}

const char *
goban_parallel_dialog_get_verdict (GobanParallelDialog *self)
{
  g_return_val_if_fail (GOBAN_IS_PARALLEL_DIALOG (self), NULL);

  return gtk_label_get_text (GTK_LABEL (self->verdict));
}

gboolean
goban_parallel_dialog_is_settled (GobanParallelDialog *self)
{
  g_return_val_if_fail (GOBAN_IS_PARALLEL_DIALOG (self), FALSE);

  return self->answered == self->serial;
}

void
goban_parallel_dialog_set_file (GobanParallelDialog *self, const char *path)
{
  g_return_if_fail (GOBAN_IS_PARALLEL_DIALOG (self) && path != NULL);

  gtk_drop_down_set_selected (GTK_DROP_DOWN (self->pipeline.schedule), FROM_FILE);
  gtk_editable_set_text (GTK_EDITABLE (self->pipeline.file), path);
}

static void
choose_file_cb (GobanParallelDialog *self)
{
  g_signal_emit (self, signals[CHOOSE_FILE], 0);
}

/* --- construction and disposal ---------------------------------------------------------------- */

static void
goban_parallel_dialog_dispose (GObject *object)
{
  GobanParallelDialog *self = GOBAN_PARALLEL_DIALOG (object);

  g_clear_pointer (&self->worker, goban_coalescing_worker_free);
  g_clear_object (&self->session);
  G_OBJECT_CLASS (goban_parallel_dialog_parent_class)->dispose (object);
}

static void
bind_children (GtkWidgetClass *widget_class)
{
  GOBAN_TEMPLATE_BIND (widget_class, GobanParallelDialog, "pipeline", pipeline.page);
  GOBAN_TEMPLATE_BIND (widget_class, GobanParallelDialog, "copies", copies.page);
  GOBAN_TEMPLATE_BIND (widget_class, GobanParallelDialog, "collective", collective.page);
  GOBAN_TEMPLATE_BIND (widget_class, GobanParallelDialog, "schedule", pipeline.schedule);
  GOBAN_TEMPLATE_BIND (widget_class, GobanParallelDialog, "file_label", pipeline.file_label);
  GOBAN_TEMPLATE_BIND (widget_class, GobanParallelDialog, "file_row", pipeline.file_row);
  GOBAN_TEMPLATE_BIND (widget_class, GobanParallelDialog, "file", pipeline.file);
  GOBAN_TEMPLATE_BIND (widget_class, GobanParallelDialog, "stages", pipeline.stages);
  GOBAN_TEMPLATE_BIND (widget_class, GobanParallelDialog, "n_stages_label",
                       pipeline.n_stages_label);
  GOBAN_TEMPLATE_BIND (widget_class, GobanParallelDialog, "n_stages", pipeline.n_stages);
  GOBAN_TEMPLATE_BIND (widget_class, GobanParallelDialog, "n_batches", pipeline.n_batches);
  GOBAN_TEMPLATE_BIND (widget_class, GobanParallelDialog, "split_pipeline", pipeline.is_split);
  GOBAN_TEMPLATE_BIND (widget_class, GobanParallelDialog, "plan_pipeline", pipeline.uses_plan);
  GOBAN_TEMPLATE_BIND (widget_class, GobanParallelDialog, "n_copies", copies.n);
  GOBAN_TEMPLATE_BIND (widget_class, GobanParallelDialog, "algorithm", copies.algorithm);
  GOBAN_TEMPLATE_BIND (widget_class, GobanParallelDialog, "bucket", copies.bucket);
  GOBAN_TEMPLATE_BIND (widget_class, GobanParallelDialog, "slowdown", copies.slowdown);
  GOBAN_TEMPLATE_BIND (widget_class, GobanParallelDialog, "add_backward", copies.adds_backward);
  GOBAN_TEMPLATE_BIND (widget_class, GobanParallelDialog, "split_copies", copies.is_split);
  GOBAN_TEMPLATE_BIND (widget_class, GobanParallelDialog, "plan_copies", copies.uses_plan);
  GOBAN_TEMPLATE_BIND (widget_class, GobanParallelDialog, "operation", collective.operation);
  GOBAN_TEMPLATE_BIND (widget_class, GobanParallelDialog, "collective_algorithm",
                       collective.algorithm);
  GOBAN_TEMPLATE_BIND (widget_class, GobanParallelDialog, "size", collective.size);
  GOBAN_TEMPLATE_BIND (widget_class, GobanParallelDialog, "n_ranks", collective.n_ranks);
  gtk_widget_class_bind_template_child (widget_class, GobanParallelDialog, verdict);
  gtk_widget_class_bind_template_child (widget_class, GobanParallelDialog, make);
}

static void
goban_parallel_dialog_class_init (GobanParallelDialogClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = goban_parallel_dialog_dispose;
  signals[MAKE] = g_signal_new ("make", GOBAN_TYPE_PARALLEL_DIALOG, G_SIGNAL_RUN_LAST, 0, NULL,
                                NULL, NULL, G_TYPE_NONE, 0);
  signals[CHOOSE_FILE] = g_signal_new ("choose-file", GOBAN_TYPE_PARALLEL_DIALOG, G_SIGNAL_RUN_LAST,
                                       0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Escape, 0, "window.close", NULL);
  goban_template_set (widget_class, "dialogs/parallel-dialog.ui");
  bind_children (widget_class);
  gtk_widget_class_bind_template_callback (widget_class, changed_cb);
  gtk_widget_class_bind_template_callback (widget_class, choose_file_cb);
  gtk_widget_class_bind_template_callback (widget_class, goban_parallel_dialog_confirm);
}

/* Labels whose name is a term of the glossary have its definition on hover. */
static void
explain (GtkWidget *widget)
{
  if (GTK_IS_LABEL (widget))
    goban_explain_term (widget, gtk_widget_get_name (widget));
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    explain (child);
}

static void
goban_parallel_dialog_init (GobanParallelDialog *self)
{
  self->worker = goban_coalescing_worker_new (&preview, self);
  goban_template_init (GTK_WIDGET (self));
  explain (GTK_WIDGET (self));
  goban_set_accessible_label (self->pipeline.file, _ ("File of the schedule"));
}

/* As many as there are devices that are not CPUs. */
static guint
count_devices (GobanCluster *cluster)
{
  guint n_devices = goban_cluster_get_n_devices (cluster);
  guint n = 0;

  for (guint d = 0; d < n_devices; d++)
    n += strcmp (goban_cluster_get_device (cluster, (GobanDeviceId) d)->kind, "cpu") != 0;
  return n > 0 ? n : n_devices;
}

GtkWidget *
goban_parallel_dialog_new (GtkWindow *parent, GobanSession *session, GobanParallelKind kind)
{
  GobanParallelDialog *self
      = g_object_new (GOBAN_TYPE_PARALLEL_DIALOG, "transient-for", parent, NULL);
  const char *const titles[]
      = { _ ("Make a pipeline"), _ ("Copies of the model"), _ ("Simulate a collective") };
  const char *const verbs[] = { _ ("_Make"), _ ("_Make"), _ ("_Simulate") };
  GtkWidget *const pages[] = { self->pipeline.page, self->copies.page, self->collective.page };
  GtkWidget *const firsts[]
      = { self->pipeline.schedule, self->copies.n, self->collective.operation };
  guint n_devices = count_devices (goban_session_get_cluster (session));
  GobanGraph *graph = goban_session_get_graph (session);

  self->kind = kind;
  gtk_widget_set_visible (self->copies.adds_backward,
                          graph != NULL && goban_parallel_is_inference (graph));
  gtk_window_set_title (GTK_WINDOW (self), titles[kind]);
  gtk_button_set_label (GTK_BUTTON (self->make), verbs[kind]);
  gtk_widget_set_visible (pages[kind], TRUE);
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (self->pipeline.n_stages), n_devices);
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (self->copies.n), n_devices);
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (self->collective.n_ranks), n_devices);
  self->session = g_object_ref (session);
  g_signal_connect_object (session, "notify::cluster", G_CALLBACK (changed_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "notify::current-run", G_CALLBACK (changed_cb), self,
                           G_CONNECT_SWAPPED);
  changed_cb (self);
  gtk_widget_grab_focus (firsts[kind]);
  return GTK_WIDGET (self);
}
