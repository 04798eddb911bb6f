#include "ui/dialogs/parallel-dialog.h"

#include "engine/core/i18n.h"
#include "engine/core/jobs/coalescing-worker.h"
#include "engine/core/quantity.h"
#include "engine/graph/workloads/workload.h"
#include "ui/draw/charts/memory-bars.h"
#include "ui/widgets/template.h"
#include "ui/widgets/text.h"
#include "ui/widgets/theme.h"

#include <math.h>
#include <string.h>

/* Larger graphs take too long to simulate after each change. */
#define MOST_LIVE_NODES 40000

/* In the order of the rows of the lists. */
static const char *const schedules[]
    = { "1f1b", "gpipe", "pipedream", "interleaved", "zero-bubble", "dualpipe-v", "none" };
#define FROM_FILE G_N_ELEMENTS (schedules)
static const char *const training_schedules[]
    = { "1f1b", "gpipe", "interleaved", "zero-bubble", "dualpipe-v" };
static const char *const recomputes[] = { "none", "selective", "full" };
static const char *const algorithms[] = { "ring", "tree" };

/* Names of the pages, by GobanParallelKind. */
static const char *const kinds[] = { "training", "pipeline", "copies", "collective" };

enum
{
  STAGES_BY_SCHEDULE,
  STAGES_FASTEST,
  STAGES_THIS_MANY,
  STAGES_COPIED,
};

typedef struct
{
  GtkWidget *tp;
  GtkWidget *pp;
  GtkWidget *dp;
  GtkWidget *ep_label;
  GtkWidget *ep;
  GtkWidget *zero;
  GtkWidget *micro_batch;
  GtkWidget *batch;
  GtkWidget *recompute;
  GtkWidget *schedule;
  GtkWidget *splits_sequence;
  gboolean is_split_sequence; /* the model's own ranks do, whatever is checked */
} TrainingControls;

typedef struct
{
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
  GtkWidget *operation;
  GtkWidget *algorithm;
  GtkWidget *size;
  GtkWidget *n_ranks;
} CollectiveControls;

struct _GobanParallelDialog
{
  GtkWindow parent;

  GobanSession *session;
  GobanCoalescingWorker *worker;
  guint serial;   /* of the present choice */
  guint answered; /* of the choice that the verdict is about */
  gboolean fails; /* the present choice, as far as is known */

  GtkWidget *kinds; /* a page for each of these, one of which is shown */
  TrainingControls training;
  PipelineControls pipeline;
  CopiesControls copies;
  CollectiveControls collective;

  GtkWidget *verdict;
  GtkWidget *memory;
  GobanParallelResult *result; /* (nullable): of a training, which is drawn */
  GobanTextCache *text;
  GtkWidget *make;
};

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

static GobanParallelKind
get_kind (GobanParallelDialog *self)
{
  const char *name = gtk_stack_get_visible_child_name (GTK_STACK (self->kinds));
  GobanParallelKind kind = 0;

  while (kind + 1 < GOBAN_N_PARALLEL_KINDS && g_strcmp0 (kinds[kind], name) != 0)
    kind++;
  return kind;
}

static void
read_training (GobanParallelDialog *self, GobanParallelOrder *order)
{
  const TrainingControls *controls = &self->training;

  order->shape = (GobanTrainingShape){
    .tp = get_number (controls->tp),
    .pp = get_number (controls->pp),
    .dp = get_number (controls->dp),
    .ep = gtk_widget_get_visible (controls->ep) ? get_number (controls->ep) : 0,
    .splits_sequence = is_checked (controls->splits_sequence),
    .micro_batch = get_number (controls->micro_batch),
    .batch = get_number (controls->batch),
    .zero = get_row (controls->zero),
  };
  order->recompute = g_strdup (recomputes[get_row (controls->recompute)]);
  order->schedule = g_strdup (training_schedules[get_row (controls->schedule)]);
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
  order->collective = g_strdup (goban_collective_names[get_row (self->collective.operation)]);
  if (gtk_widget_get_sensitive (self->collective.algorithm))
    order->algorithm = g_strdup (algorithms[get_row (self->collective.algorithm)]);
  order->bytes = 1e6 * get_number (self->collective.size);
  order->n = get_number (self->collective.n_ranks);
}

GobanParallelOrder *
goban_parallel_dialog_make_order (GobanParallelDialog *self)
{
  static void (*const readers[]) (GobanParallelDialog *, GobanParallelOrder *)
      = { read_training, read_pipeline, read_copies, read_collective };
  GobanParallelOrder *order;
  GobanParallelKind kind;
  GobanCostModel *costs;

  g_return_val_if_fail (GOBAN_IS_PARALLEL_DIALOG (self), NULL);

  kind = get_kind (self);
  costs = kind == GOBAN_PARALLEL_COLLECTIVE ? NULL : goban_session_get_costs (self->session);
  order = goban_parallel_order_new (kind, costs, goban_session_get_cluster (self->session));
  readers[kind](self, order);
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
  GobanParallelResult *result; /* (nullable) */
  char *trouble;               /* (nullable) */
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

  g_clear_pointer (&answer->result, goban_parallel_result_free);
  g_free (answer->trouble);
  g_free (answer);
}

static gpointer
preview_worker (const GobanProgress *progress, gpointer data, GError **error)
{
  const Question *question = data;
  g_autoptr (GError) trouble = NULL;
  Answer *answer = g_new0 (Answer, 1);

  answer->serial = question->serial;
  answer->result = goban_parallel_order_try (question->order, progress, &trouble);
  if (answer->result == NULL)
    answer->trouble = g_strdup (trouble->message);
  else if (!answer->result->is_feasible)
    answer->trouble = g_strdup (answer->result->text);
  return answer;
}

static GobanMemoryBars
get_bars (GobanParallelDialog *self, GPtrArray *names)
{
  GobanCluster *cluster = goban_run_get_cluster (self->result->run);

  for (guint d = 0; d < self->result->n_memory; d++)
    g_ptr_array_add (names, (char *) goban_cluster_get_device (cluster, (GobanDeviceId) d)->name);
  return (GobanMemoryBars){ .memory = self->result->memory,
                            .n = self->result->n_memory,
                            .names = (const char *const *) names->pdata,
                            .theme = goban_theme_of (self->memory),
                            .ui_scale = goban_text_scale_of (self->memory) };
}

static void
draw_memory_cb (GtkDrawingArea *area, cairo_t *cr, int width, int height, gpointer user_data)
{
  GobanParallelDialog *self = user_data;
  g_autoptr (GobanPen) pen = goban_pen_new_for_cairo (cr, width, height, self->text);
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  GobanMemoryBars bars;

  if (self->result == NULL)
    return;
  bars = get_bars (self, names);
  goban_memory_bars_paint (&bars, pen);
}

/* @result: (transfer full) (nullable) */
static void
show_memory (GobanParallelDialog *self, GobanParallelResult *result)
{
  gboolean is_visible = result != NULL && result->memory != NULL;

  g_clear_pointer (&self->result, goban_parallel_result_free);
  self->result = result;
  gtk_widget_set_visible (self->memory, is_visible);
  if (is_visible)
    {
      g_autoptr (GPtrArray) names = g_ptr_array_new ();
      GobanMemoryBars bars = get_bars (self, names);
      g_autofree char *words = goban_memory_bars_describe (&bars);
      int width = gtk_widget_get_width (self->kinds);

      goban_set_accessible_label (self->memory, words);
      goban_set_tooltip (self->memory, words);
      gtk_drawing_area_set_content_height (
          GTK_DRAWING_AREA (self->memory),
          (int) ceil (bars.ui_scale * goban_memory_bars_get_height (&bars, width / bars.ui_scale)));
    }
  gtk_widget_queue_draw (self->memory);
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

  if (answer->serial == self->serial || answer->trouble == NULL)
    {
      show_verdict (self, answer->trouble != NULL ? answer->trouble : answer->result->text,
                    answer->trouble != NULL);
      show_memory (self, g_steal_pointer (&answer->result));
    }
  self->answered = answer->serial;
  answer_free (answer);
}

static const GobanCoalescingWorkerKind preview
    = { "Simulating a choice", preview_worker, question_free, answer_free, take_answer };

/* A verdict on the present choice without a simulation. */
static void
say (GobanParallelDialog *self, const char *text, gboolean is_trouble)
{
  goban_coalescing_worker_forget (self->worker);
  show_verdict (self, text, is_trouble);
  show_memory (self, NULL);
  self->answered = self->serial;
}

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

      say (self, text, FALSE);
    }
  else if (order->kind == GOBAN_PARALLEL_PIPELINE && *order->schedule == '\0')
    say (self, _ ("Choose the file of the schedule"), TRUE);
  else
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

  gtk_button_set_label (GTK_BUTTON (self->make), get_kind (self) == GOBAN_PARALLEL_COLLECTIVE
                                                     ? _ ("_Simulate")
                                                     : _ ("_Make"));
  gtk_widget_set_sensitive (self->training.splits_sequence,
                            get_number (self->training.tp) > 1
                                && !self->training.is_split_sequence);
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

static void
confirm (GobanParallelDialog *self)
{
  if (self->fails)
    return;
  gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
  g_signal_emit_by_name (self, "make");
}

void
goban_parallel_dialog_refuse (GobanParallelDialog *self, const char *reason)
{
  g_return_if_fail (GOBAN_IS_PARALLEL_DIALOG (self) && reason != NULL);

  show_verdict (self, reason, TRUE);
  gtk_window_present (GTK_WINDOW (self));
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
  g_signal_emit_by_name (self, "choose-file");
}

static void
goban_parallel_dialog_dispose (GObject *object)
{
  GobanParallelDialog *self = GOBAN_PARALLEL_DIALOG (object);

  g_clear_pointer (&self->worker, goban_coalescing_worker_free);
  g_clear_pointer (&self->result, goban_parallel_result_free);
  g_clear_pointer (&self->text, goban_text_cache_free);
  g_clear_object (&self->session);
  G_OBJECT_CLASS (goban_parallel_dialog_parent_class)->dispose (object);
}

static void
goban_parallel_dialog_class_init (GobanParallelDialogClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = goban_parallel_dialog_dispose;
  goban_signal_add (klass, "make", 0);
  goban_signal_add (klass, "choose-file", 0);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Escape, 0, "window.close", NULL);
  goban_template_set (widget_class, "dialogs/parallel-dialog.ui");
  GOBAN_TEMPLATE_PART (widget_class, GobanParallelDialog, training, tp, pp, dp, ep_label, ep, zero,
                       micro_batch, batch, recompute, splits_sequence);
  GOBAN_TEMPLATE_BIND (widget_class, GobanParallelDialog, "training_schedule", training.schedule);
  GOBAN_TEMPLATE_PART (widget_class, GobanParallelDialog, pipeline, schedule, file_label, file_row,
                       file, stages, n_stages_label, n_stages, n_batches);
  GOBAN_TEMPLATE_BIND (widget_class, GobanParallelDialog, "split_pipeline", pipeline.is_split);
  GOBAN_TEMPLATE_BIND (widget_class, GobanParallelDialog, "plan_pipeline", pipeline.uses_plan);
  GOBAN_TEMPLATE_BIND (widget_class, GobanParallelDialog, "n_copies", copies.n);
  GOBAN_TEMPLATE_PART (widget_class, GobanParallelDialog, copies, algorithm, bucket, slowdown);
  GOBAN_TEMPLATE_BIND (widget_class, GobanParallelDialog, "add_backward", copies.adds_backward);
  GOBAN_TEMPLATE_BIND (widget_class, GobanParallelDialog, "split_copies", copies.is_split);
  GOBAN_TEMPLATE_BIND (widget_class, GobanParallelDialog, "plan_copies", copies.uses_plan);
  GOBAN_TEMPLATE_PART (widget_class, GobanParallelDialog, collective, operation, size, n_ranks);
  GOBAN_TEMPLATE_BIND (widget_class, GobanParallelDialog, "collective_algorithm",
                       collective.algorithm);
  GOBAN_TEMPLATE_CHILDREN (widget_class, GobanParallelDialog, kinds, memory, verdict, make);
  GOBAN_TEMPLATE_CALLBACKS (widget_class, changed_cb, choose_file_cb, confirm);
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
  self->text = goban_text_cache_new ();
  gtk_drawing_area_set_draw_func (GTK_DRAWING_AREA (self->memory), draw_memory_cb, self, NULL);
  goban_theme_connect (self->memory, self->memory, G_CALLBACK (gtk_widget_queue_draw));
  goban_set_accessible_label (self->pipeline.file, _ ("File of the schedule"));
}

/* The number of a family's knob, or 0. */
static guint
find_value (const GobanWorkloadSpec *spec, const char *name)
{
  gsize i;

  return spec != NULL && goban_family_find_knob (spec->family, name, &i) ? (guint) spec->values[i]
                                                                         : 0;
}

static void
set_number (GtkWidget *spin, guint value)
{
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (spin), MAX (value, 1));
}

/* Ranks of a generated graph are those that it was generated for; the others are copies. */
static void
fill_training (GobanParallelDialog *self, GobanGraph *graph, guint n_devices)
{
  TrainingControls *controls = &self->training;
  gboolean is_generated
      = graph != NULL && strcmp (goban_graph_get_format (graph), "generated") == 0;
  g_autoptr (GobanWorkloadSpec) spec
      = is_generated ? goban_workload_spec_new (goban_graph_get_name (graph), NULL) : NULL;
  guint tp = MAX (find_value (spec, "tp"), 1), ep = find_value (spec, "ep");

  set_number (controls->tp, tp);
  set_number (controls->dp, n_devices / tp);
  set_number (controls->ep, ep);
  set_row_visible (controls->ep_label, controls->ep, ep > 0);
  set_number (controls->micro_batch, find_value (spec, "batch"));
  controls->is_split_sequence = find_value (spec, "sp") > 0;
  gtk_check_button_set_active (GTK_CHECK_BUTTON (controls->splits_sequence),
                               controls->is_split_sequence);
}

GtkWidget *
goban_parallel_dialog_new (GtkWindow *parent, GobanSession *session, GobanParallelKind kind)
{
  GobanParallelDialog *self
      = g_object_new (GOBAN_TYPE_PARALLEL_DIALOG, "transient-for", parent, NULL);
  GtkWidget *const firsts[]
      = { self->training.tp, self->pipeline.schedule, self->copies.n, self->collective.operation };
  guint n_devices;
  GobanCluster *cluster = goban_session_get_cluster (session);
  g_autofree GobanDeviceId *ranks = goban_cluster_get_ranks (cluster, &n_devices);
  GobanGraph *graph = goban_session_get_graph (session);

  if (n_devices == 0)
    n_devices = goban_cluster_get_n_devices (cluster);
  if (graph == NULL)
    kind = GOBAN_PARALLEL_COLLECTIVE;
  for (guint k = 0; graph == NULL && k < GOBAN_PARALLEL_COLLECTIVE; k++)
    gtk_widget_set_visible (gtk_stack_get_child_by_name (GTK_STACK (self->kinds), kinds[k]), FALSE);
  gtk_widget_set_visible (self->copies.adds_backward,
                          graph != NULL && goban_parallel_is_inference (graph));
  gtk_stack_set_visible_child_name (GTK_STACK (self->kinds), kinds[kind]);
  set_number (self->pipeline.n_stages, n_devices);
  set_number (self->copies.n, n_devices);
  set_number (self->collective.n_ranks, n_devices);
  fill_training (self, graph, n_devices);
  self->session = g_object_ref (session);
  GOBAN_CONNECT (session, "notify::cluster", changed_cb, self);
  GOBAN_CONNECT (session, "notify::current-run", changed_cb, self);
  changed_cb (self);
  gtk_widget_grab_focus (firsts[kind]);
  return GTK_WIDGET (self);
}
