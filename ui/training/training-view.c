#include "ui/training/training-view.h"

#include "engine/core/clock.h"
#include "engine/core/i18n.h"
#include "engine/core/quantity.h"
#include "ui/training/film-view.h"
#include "ui/widgets/short-label.h"
#include "ui/widgets/template.h"
#include "ui/widgets/text.h"

#include <math.h>

/* A picture of all charts takes some milliseconds of processor time: it is made at most twice a
 * second, and no sooner than the process, which also trains, has taken so many times as much. So on
 * a machine with other work pictures are fewer, but not older than MOST_MS. */
#define UPDATE_MS 500
#define MOST_MS 2000
#define REST 99

/* Intervals between updates of the pictures, and limits of their cost. */
typedef struct
{
  guint update_id;      /* while it runs and can be seen */
  gint64 updated_us;    /* monotonic: of the last update */
  gint64 process_us;    /* processor time of the process by then */
  gint64 thread_us;     /* and of the main thread */
  gint64 cost_us;       /* of the last update and its frame, in processor time */
  GdkFrameClock *clock; /* (nullable): whose frame has the last update */
} Pace;

struct _GobanTrainingView
{
  GtkWidget parent;

  GListModel *trainings;
  GobanTrainingJob *shown; /* (nullable) */
  GPtrArray *others;       /* GobanTrainingJob: those that are drawn beside it */
  GtkWidget *choice;
  GtkWidget *compare;
  GtkWidget *box;
  GtkWidget *name; /* of a training that is alone; of several the choice has it */
  GtkWidget *text;
  GtkWidget *progress;
  GtkWidget *warning;
  struct
  {
    GtkWidget *by_graph;
    GtkWidget *pause;
    GtkWidget *stop;
  } buttons; /* whose state follows the training */
  GtkWidget *export;
  GtkWidget *use;
  GtkWidget *charts;
  GtkWidget *waiting; /* over charts without curves */
  GtkWidget *film;
  GobanFilmMaker *maker;
  gboolean is_filming;
  Pace pace;
};

G_DEFINE_FINAL_TYPE (GobanTrainingView, goban_training_view, GTK_TYPE_WIDGET)

/* --- words ------------------------------------------------------------------------------------ */

static gboolean
is_on_graph (GobanTrainingJob *training)
{
  return goban_training_job_get_number_on_graph (training) > 0;
}

/* The end of a policy that learns on the graph; its plan is in the list of plans. (transfer full)
 * */
static char *
describe_end_on_graph (const GobanTrainingReport *report)
{
  char n[GOBAN_QUANTITY_LEN];

  if (report->step == 1)
    return g_strdup (report->is_finished ? _ ("Learned on the graph in one update")
                                         : _ ("Cancelled after one update on the graph"));
  return g_strdup_printf (report->is_finished ? _ ("Learned on the graph in %s updates")
                                              : _ ("Cancelled after %s updates on the graph"),
                          goban_format_grouped (n, report->step));
}

/* (transfer full) */
static char *
describe (GobanTrainingJob *training)
{
  const GobanTrainingReport *report = goban_training_job_get_report (training);
  GobanJob *job = goban_training_job_get_job (training);
  g_autofree char *what = goban_training_job_dup_what (training);
  g_autofree char *left = NULL;
  char n[GOBAN_QUANTITY_LEN];

  if (report != NULL && is_on_graph (training))
    return describe_end_on_graph (report);
  switch (goban_training_job_get_state (training))
    {
    case GOBAN_TRAINING_RUNNING:
      left = goban_dup_time_left (job != NULL ? goban_job_get_seconds_left (job) : (double) NAN);
      return g_strconcat (what, *left != '\0' ? ", " : "", left, NULL);
    case GOBAN_TRAINING_PAUSED:
      return g_strdup_printf (_ ("Paused: %s"), what);
    case GOBAN_TRAINING_FINISHED:
      return g_strdup_printf (goban_i18n_get_plural ("Finished after %s step: %s",
                                                     "Finished after %s steps: %s", report->step),
                              goban_format_grouped (n, report->step), report->output);
    case GOBAN_TRAINING_STOPPED:
      return g_strdup_printf (goban_i18n_get_plural ("Stopped after %s step: %s",
                                                     "Stopped after %s steps: %s", report->step),
                              goban_format_grouped (n, report->step), report->output);
    case GOBAN_TRAINING_FAILED:
      break;
    }
  return g_strdup_printf (_ ("Failed: %s"), goban_training_job_get_error (training));
}

/* @warning: (nullable): static, begins as a part of a sentence. */
static void
show_warning (GobanTrainingView *self, const char *warning)
{
  g_autofree char *sentence = g_strdup (warning != NULL ? _ (warning) : "");

  *sentence = g_ascii_toupper (*sentence);
  goban_short_label_set_text (GOBAN_SHORT_LABEL (self->warning), sentence);
  goban_set_tooltip (self->warning, sentence);
  gtk_widget_set_visible (gtk_widget_get_parent (self->warning), warning != NULL);
}

static void
show_progress (GobanTrainingView *self)
{
  GobanJob *job = self->shown != NULL ? goban_training_job_get_job (self->shown) : NULL;
  double fraction = job != NULL ? goban_job_get_fraction (job) : -1;

  gtk_widget_set_visible (self->progress, fraction >= 0 && fraction < 1);
  gtk_progress_bar_set_fraction (GTK_PROGRESS_BAR (self->progress), CLAMP (fraction, 0, 1));
}

static void
update_words (GobanTrainingView *self)
{
  g_autofree char *text = self->shown != NULL ? describe (self->shown) : g_strdup ("");
  const char *warning
      = self->shown != NULL
            ? goban_training_log_get_warning (goban_training_job_get_log (self->shown))
            : NULL;

  goban_short_label_set_text (GOBAN_SHORT_LABEL (self->text), text);
  goban_set_tooltip (self->text, text);
  show_warning (self, warning);
  show_progress (self);
  gtk_widget_set_visible (
      self->waiting, goban_training_charts_get_n_charts (GOBAN_TRAINING_CHARTS (self->charts)) == 0
                         && self->shown != NULL
                         && goban_training_job_get_state (self->shown) == GOBAN_TRAINING_RUNNING);
}

/* GtkButton would be laid out anew by the same icon. */
static void
set_icon (GtkWidget *button, const char *name)
{
  if (g_strcmp0 (gtk_button_get_icon_name (GTK_BUTTON (button)), name) != 0)
    gtk_button_set_icon_name (GTK_BUTTON (button), name);
}

static gboolean
is_at_work (GobanTrainingView *self)
{
  return self->shown != NULL && goban_training_job_get_state (self->shown) <= GOBAN_TRAINING_PAUSED;
}

/* The policy learns in a script's own call: it ends with the script. */
static gboolean
is_of_script (GobanTrainingView *self)
{
  return is_at_work (self) && goban_training_job_get_job (self->shown) == NULL;
}

/* Why it cannot be paused; (nullable). */
static const char *
find_obstacle (GobanTrainingView *self)
{
  if (!is_at_work (self))
    return _ ("This training has ended");
  if (is_of_script (self))
    return _ ("A script runs this policy: it can be stopped, but not paused");
  return goban_training_job_is_followed (self->shown)
             ? _ ("Another process makes this training: it cannot be paused from here")
             : NULL;
}

static void
update_buttons (GobanTrainingView *self)
{
  GobanTrainingState state
      = self->shown != NULL ? goban_training_job_get_state (self->shown) : GOBAN_TRAINING_FAILED;
  gboolean is_paused = state == GOBAN_TRAINING_PAUSED;
  gboolean is_followed = self->shown != NULL && goban_training_job_is_followed (self->shown);
  gboolean is_placing = self->shown != NULL && is_on_graph (self->shown);
  gboolean is_kept
      = self->shown != NULL
        && goban_training_takes (goban_training_job_get_network (self->shown), "resume");
  const char *label = is_paused ? _ ("Continue") : _ ("Pause");
  const char *obstacle = find_obstacle (self);

  set_icon (self->buttons.pause,
            is_paused ? "media-playback-start-symbolic" : "media-playback-pause-symbolic");
  goban_set_accessible_label (self->buttons.pause, label);
  goban_set_tooltip (self->buttons.pause, obstacle != NULL ? obstacle : label);
  gtk_widget_set_sensitive (self->buttons.pause, obstacle == NULL);
  label = is_followed           ? _ ("Stop following")
          : is_of_script (self) ? _ ("Stop the script that runs this policy")
          : is_placing          ? _ ("Stop with the best plan so far")
          : is_kept             ? _ ("Stop and keep what was learned")
                                : _ ("Stop and keep nothing");
  goban_set_accessible_label (self->buttons.stop, label);
  goban_set_tooltip (self->buttons.stop, is_at_work (self) ? label : obstacle);
  gtk_widget_set_sensitive (self->buttons.stop, is_at_work (self));
  gtk_widget_set_visible (self->buttons.by_graph,
                          goban_training_charts_has_graphs (GOBAN_TRAINING_CHARTS (self->charts)));
  gtk_widget_set_visible (self->use, !is_placing);
  gtk_widget_set_sensitive (self->use,
                            state == GOBAN_TRAINING_FINISHED || state == GOBAN_TRAINING_STOPPED);
}

static char *
name_file (GobanTrainingJob *training)
{
  if (is_on_graph (training))
    return g_strdup_printf (_ ("on the graph, %u"),
                            goban_training_job_get_number_on_graph (training));
  return g_path_get_basename (goban_training_job_get_output (training));
}

/* "builder: my.net", "go-one: on the graph, 1" */
static char *
name_training (GobanTrainingJob *training)
{
  g_autofree char *file = name_file (training);

  return g_strdup_printf ("%s: %s", goban_training_job_get_network (training), file);
}

/* On the graph the policy's name is enough: the words beside it say the rest. */
static void
show_name (GobanTrainingView *self)
{
  g_autofree char *name = self->shown == NULL ? g_strdup ("")
                          : is_on_graph (self->shown)
                              ? g_strdup (goban_training_job_get_network (self->shown))
                              : name_training (self->shown);

  goban_short_label_set_text (GOBAN_SHORT_LABEL (self->name), name);
}

/* --- following a training --------------------------------------------------------------------- */

static gint64
get_cpu_us (clockid_t of)
{
  return goban_clock_read_ns (of) / 1000;
}

static void
stop_measuring (GobanTrainingView *self)
{
  if (self->pace.clock != NULL)
    g_signal_handlers_disconnect_by_data (self->pace.clock, self);
  g_clear_object (&self->pace.clock);
}

static void
painted_cb (GobanTrainingView *self)
{
  self->pace.cost_us = get_cpu_us (CLOCK_THREAD_CPUTIME_ID) - self->pace.thread_us;
  stop_measuring (self);
}

/* Takes the times at which an update begins; its cost is known when its frame is painted. */
static void
begin_measuring (GobanTrainingView *self)
{
  GdkFrameClock *clock = gtk_widget_get_frame_clock (GTK_WIDGET (self));

  self->pace.updated_us = g_get_monotonic_time ();
  self->pace.process_us = get_cpu_us (CLOCK_PROCESS_CPUTIME_ID);
  self->pace.thread_us = get_cpu_us (CLOCK_THREAD_CPUTIME_ID);
  stop_measuring (self);
  if (clock == NULL)
    return;
  self->pace.clock = g_object_ref (clock);
  g_signal_connect_swapped (clock, "after-paint", G_CALLBACK (painted_cb), self);
}

gboolean
goban_training_view_is_due (gint64 age_us, gint64 process_us, gint64 cost_us)
{
  return age_us >= MOST_MS * 1000 || process_us >= REST * cost_us;
}

/* The first curve is not waited for. */
static gboolean
is_due (GobanTrainingView *self)
{
  return goban_training_charts_get_n_charts (GOBAN_TRAINING_CHARTS (self->charts)) == 0
         || goban_training_view_is_due (
             g_get_monotonic_time () - self->pace.updated_us,
             get_cpu_us (CLOCK_PROCESS_CPUTIME_ID) - self->pace.process_us, self->pace.cost_us);
}

static void
update (GobanTrainingView *self)
{
  begin_measuring (self);
  goban_training_charts_update (GOBAN_TRAINING_CHARTS (self->charts));
  goban_film_maker_update (self->maker);
  update_words (self);
  update_buttons (self);
}

static gboolean
is_any_at_work (GobanTrainingView *self)
{
  gboolean is_any
      = self->shown != NULL && goban_training_job_get_state (self->shown) <= GOBAN_TRAINING_PAUSED;

  for (guint i = 0; i < self->others->len; i++)
    is_any |= goban_training_job_get_state (g_ptr_array_index (self->others, i))
              <= GOBAN_TRAINING_PAUSED;
  return is_any;
}

/* Once more after the last one has ended. */
static gboolean
update_cb (gpointer user_data)
{
  GobanTrainingView *self = user_data;
  gboolean goes_on = is_any_at_work (self);

  if (goes_on && !is_due (self))
    return TRUE;
  update (self);
  if (!goes_on)
    self->pace.update_id = 0;
  return goes_on;
}

/* Only a visible pane of a running training is updated. */
static void
update_timer (GobanTrainingView *self)
{
  gboolean is_needed = gtk_widget_get_mapped (GTK_WIDGET (self)) && is_any_at_work (self);

  if (is_needed && self->pace.update_id == 0)
    self->pace.update_id = g_timeout_add (UPDATE_MS, update_cb, self);
  else if (!is_needed)
    g_clear_handle_id (&self->pace.update_id, g_source_remove);
  update (self);
}

/* --- comparing -------------------------------------------------------------------------------- */

static void
draw_curves (GobanTrainingView *self)
{
  g_autoptr (GPtrArray) logs = g_ptr_array_new ();
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);

  if (self->shown != NULL)
    {
      g_ptr_array_add (logs, goban_training_job_get_log (self->shown));
      g_ptr_array_add (names, name_file (self->shown));
    }
  for (guint i = 0; i < self->others->len; i++)
    {
      g_ptr_array_add (logs, goban_training_job_get_log (g_ptr_array_index (self->others, i)));
      g_ptr_array_add (names, name_file (g_ptr_array_index (self->others, i)));
    }
  goban_training_charts_set_logs (GOBAN_TRAINING_CHARTS (self->charts),
                                  (GobanTrainingLog *const *) logs->pdata,
                                  (const char *const *) names->pdata, logs->len);
}

/* FALSE if nothing has changed; the shown training is always drawn. */
static gboolean
set_compared (GobanTrainingView *self, GobanTrainingJob *training, gboolean is_compared)
{
  if (training == NULL || training == self->shown
      || g_ptr_array_find (self->others, training, NULL) == is_compared)
    return FALSE;
  if (is_compared)
    g_ptr_array_add (self->others, g_object_ref (training));
  else
    g_ptr_array_remove (self->others, training);
  return TRUE;
}

static void
compare (GobanTrainingView *self, GobanTrainingJob *training, gboolean is_compared)
{
  if (!set_compared (self, training, is_compared))
    return;
  draw_curves (self);
  update_timer (self);
}

void
goban_training_view_compare (GobanTrainingView *self, guint i, gboolean is_compared)
{
  g_autoptr (GobanTrainingJob) training = NULL;

  g_return_if_fail (GOBAN_IS_TRAINING_VIEW (self));

  training = g_list_model_get_item (self->trainings, i);
  compare (self, training, is_compared);
}

GArray *
goban_training_view_dup_drawn (GobanTrainingView *self)
{
  GArray *drawn = g_array_new (FALSE, FALSE, sizeof (guint));

  g_return_val_if_fail (GOBAN_IS_TRAINING_VIEW (self), drawn);

  for (guint i = 0; i < g_list_model_get_n_items (self->trainings); i++)
    {
      g_autoptr (GobanTrainingJob) training = g_list_model_get_item (self->trainings, i);

      if (training == self->shown)
        g_array_prepend_val (drawn, i);
      else if (g_ptr_array_find (self->others, training, NULL))
        g_array_append_val (drawn, i);
    }
  return drawn;
}

static void
toggled_cb (GtkCheckButton *check, GobanTrainingView *self)
{
  compare (self, g_object_get_data (G_OBJECT (check), "training"),
           gtk_check_button_get_active (check));
  g_signal_emit_by_name (self, "compared");
}

/* A check for each training but the shown one. */
static void
fill_others (GobanTrainingView *self)
{
  goban_remove_children (self->box);
  for (guint i = 0; i < g_list_model_get_n_items (self->trainings); i++)
    {
      g_autoptr (GobanTrainingJob) training = g_list_model_get_item (self->trainings, i);
      g_autofree char *name = NULL;
      GtkWidget *check;

      if (training == self->shown)
        continue;
      name = name_training (training);
      check = gtk_check_button_new_with_label (name);
      g_object_set_data_full (G_OBJECT (check), "training", g_object_ref (training),
                              g_object_unref);
      gtk_check_button_set_active (GTK_CHECK_BUTTON (check),
                                   g_ptr_array_find (self->others, training, NULL));
      g_signal_connect (check, "toggled", G_CALLBACK (toggled_cb), self);
      gtk_box_append (GTK_BOX (self->box), check);
    }
}

void
goban_training_view_compare_all (GobanTrainingView *self)
{
  gboolean has_changed = FALSE;

  g_return_if_fail (GOBAN_IS_TRAINING_VIEW (self));

  for (guint i = 0; i < g_list_model_get_n_items (self->trainings); i++)
    {
      g_autoptr (GobanTrainingJob) training = g_list_model_get_item (self->trainings, i);

      has_changed |= set_compared (self, training, TRUE);
    }
  if (!has_changed)
    return;
  draw_curves (self);
  fill_others (self);
  update_timer (self);
}

/* --- the list -------------------------------------------------------------------------------- */

static void
show_training (GobanTrainingView *self, GobanTrainingJob *training)
{
  if (training == self->shown)
    return;
  if (self->shown != NULL)
    g_signal_handlers_disconnect_by_func (self->shown, update_timer, self);
  g_set_object (&self->shown, training);
  if (training != NULL)
    GOBAN_CONNECT (training, "notify::done", update_timer, self);
  g_ptr_array_remove (self->others, training);
  show_name (self);
  goban_film_maker_set_training (self->maker, training);
  draw_curves (self);
  fill_others (self);
  update_timer (self);
}

static void
chosen_cb (GobanTrainingView *self)
{
  guint i = gtk_drop_down_get_selected (GTK_DROP_DOWN (self->choice));
  g_autoptr (GobanTrainingJob) training
      = i != GTK_INVALID_LIST_POSITION ? g_list_model_get_item (self->trainings, i) : NULL;

  show_training (self, training);
}

/* A list of one needs no choice; a new training is shown at once. */
static void
list_changed_cb (GobanTrainingView *self, guint position, guint n_removed, guint n_added)
{
  guint n = g_list_model_get_n_items (self->trainings);

  gtk_widget_set_visible (self->choice, n > 1);
  gtk_widget_set_visible (self->name, n == 1);
  gtk_widget_set_visible (self->compare, n > 1);
  if (n_added > 0)
    gtk_drop_down_set_selected (GTK_DROP_DOWN (self->choice), position + n_added - 1);
  chosen_cb (self);
  fill_others (self);
}

/* --- film ------------------------------------------------------------------------------------- */

static void
film_changed_cb (GobanTrainingView *self)
{
  const GArray *pictures = goban_film_maker_get_pictures (self->maker);

  goban_film_view_set_pictures (GOBAN_FILM_VIEW (self->film), pictures);
  gtk_widget_set_visible (self->film, pictures->len > 0);
  gtk_widget_set_visible (self->export, pictures->len > 0 || self->is_filming);
}

static void
play_cb (GobanTrainingView *self, guint i, gboolean is_kept)
{
  g_signal_emit_by_name (self, "play", i, is_kept);
}

void
goban_training_view_set_costs (GobanTrainingView *self, GobanCostModel *costs)
{
  g_return_if_fail (GOBAN_IS_TRAINING_VIEW (self));

  goban_film_maker_set_costs (self->maker, costs);
}

GobanFilmMaker *
goban_training_view_get_film (GobanTrainingView *self)
{
  g_return_val_if_fail (GOBAN_IS_TRAINING_VIEW (self), NULL);

  return self->maker;
}

void
goban_training_view_set_filming (GobanTrainingView *self, GobanJob *filming)
{
  double fraction = filming != NULL ? goban_job_get_fraction (filming) : 0;
  g_autofree char *left
      = goban_dup_time_left (filming != NULL ? goban_job_get_seconds_left (filming) : (double) NAN);
  g_autofree char *percent = g_strdup_printf ("%.0f %%", 100 * CLAMP (fraction, 0, 1));
  g_autofree char *label = NULL;

  g_return_if_fail (GOBAN_IS_TRAINING_VIEW (self));

  self->is_filming = filming != NULL;
  label = filming != NULL ? g_strdup_printf (_ ("Cancel film, %s"), *left != '\0' ? left : percent)
                          : g_strdup (_ ("Film…"));
  gtk_button_set_label (GTK_BUTTON (self->export), label);
  film_changed_cb (self);
}

/* --- buttons ---------------------------------------------------------------------------------- */

void
goban_training_view_pause (GobanTrainingView *self, gboolean is_paused)
{
  g_return_if_fail (GOBAN_IS_TRAINING_VIEW (self));

  if (self->shown == NULL || goban_training_job_get_job (self->shown) == NULL)
    return;
  goban_job_set_paused (goban_training_job_get_job (self->shown), is_paused);
  update_timer (self);
}

void
goban_training_view_stop (GobanTrainingView *self)
{
  g_return_if_fail (GOBAN_IS_TRAINING_VIEW (self));

  if (!is_at_work (self))
    return;
  if (is_of_script (self))
    gtk_widget_activate_action (GTK_WIDGET (self), "win.stop", NULL);
  else if (is_on_graph (self->shown))
    g_signal_emit_by_name (self, "finish-placing");
  else
    goban_job_cancel (goban_training_job_get_job (self->shown));
}

static void
pause_cb (GobanTrainingView *self)
{
  if (self->shown != NULL && goban_training_job_get_job (self->shown) != NULL)
    goban_training_view_pause (self,
                               !goban_job_is_paused (goban_training_job_get_job (self->shown)));
}

static void
use_cb (GobanTrainingView *self)
{
  const GobanTrainingReport *report
      = self->shown != NULL ? goban_training_job_get_report (self->shown) : NULL;

  if (report != NULL && report->output != NULL)
    g_signal_emit_by_name (self, "use-network", report->output);
}

/* --- construction and disposal ---------------------------------------------------------------- */

static void
goban_training_view_dispose (GObject *object)
{
  GobanTrainingView *self = GOBAN_TRAINING_VIEW (object);

  g_clear_handle_id (&self->pace.update_id, g_source_remove);
  stop_measuring (self);
  g_clear_object (&self->shown);
  g_clear_pointer (&self->others, g_ptr_array_unref);
  if (self->film != NULL)
    goban_film_view_set_pictures (GOBAN_FILM_VIEW (self->film), NULL);
  g_clear_object (&self->maker);
  goban_remove_children (GTK_WIDGET (self));
  g_clear_object (&self->trainings);

  G_OBJECT_CLASS (goban_training_view_parent_class)->dispose (object);
}

static void
goban_training_view_class_init (GobanTrainingViewClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = goban_training_view_dispose;
  gtk_widget_class_set_css_name (widget_class, "trainingview");
  goban_signal_add (klass, "use-network", 1, G_TYPE_STRING);
  goban_signal_add (klass, "compared", 0);
  goban_signal_add (klass, "play", 2, G_TYPE_UINT, G_TYPE_BOOLEAN);
  goban_signal_add (klass, "finish-placing", 0);
  g_type_ensure (GOBAN_TYPE_FILM_VIEW);
  g_type_ensure (GOBAN_TYPE_TRAINING_CHARTS);
  goban_template_set (widget_class, "training/training-view.ui");
  GOBAN_TEMPLATE_CHILDREN (widget_class, GobanTrainingView, choice, name, progress, compare, text,
                           warning, export, use, charts, waiting, film);
  GOBAN_TEMPLATE_PART (widget_class, GobanTrainingView, buttons, by_graph, pause, stop);
  GOBAN_TEMPLATE_BIND (widget_class, GobanTrainingView, "others", box);
  GOBAN_TEMPLATE_CALLBACKS (widget_class, update_timer, name_training, chosen_cb, pause_cb, play_cb,
                            goban_training_view_stop, use_cb);
}

static void
goban_training_view_init (GobanTrainingView *self)
{
  self->others = g_ptr_array_new_with_free_func (g_object_unref);
  self->maker = goban_film_maker_new ();
  GOBAN_CONNECT (self->maker, "changed", film_changed_cb, self);
  goban_template_init (GTK_WIDGET (self));
}

GtkWidget *
goban_training_view_new (GListModel *trainings)
{
  GobanTrainingView *self = g_object_new (GOBAN_TYPE_TRAINING_VIEW, NULL);

  self->trainings = g_object_ref (trainings);
  gtk_drop_down_set_model (GTK_DROP_DOWN (self->choice), trainings);
  GOBAN_CONNECT (trainings, "items-changed", list_changed_cb, self);
  list_changed_cb (self, 0, 0, g_list_model_get_n_items (trainings));
  return GTK_WIDGET (self);
}

void
goban_training_view_set_theme (GobanTrainingView *self, GobanTheme theme)
{
  g_return_if_fail (GOBAN_IS_TRAINING_VIEW (self));

  goban_picture_set_theme (GOBAN_PICTURE (self->charts), theme);
  goban_picture_set_theme (GOBAN_PICTURE (self->film), theme);
}

GobanTrainingJob *
goban_training_view_get_training (GobanTrainingView *self)
{
  g_return_val_if_fail (GOBAN_IS_TRAINING_VIEW (self), NULL);

  return self->shown;
}

GobanTrainingCharts *
goban_training_view_get_charts (GobanTrainingView *self)
{
  g_return_val_if_fail (GOBAN_IS_TRAINING_VIEW (self), NULL);

  return GOBAN_TRAINING_CHARTS (self->charts);
}
