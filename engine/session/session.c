#include "engine/session/session.h"

#include "engine/core/error.h"
#include "engine/session/session-history.h"
#include "engine/session/session-log.h"
#include "engine/session/session-private.h"
#include "engine/session/view-time.h"
#include "engine/study/analysis/moments/moment-shown.h"

/* --- the run of the step that the view shows -------------------------------------------------- */

/* Background maker of the intermediate run that a session's view shows, with a small
 * cache.
 *
 * A session owns one. Its last result stays until the next is made, so that graph, timeline and
 * makespan always are of one plan. The step after the one that is shown is made ahead. Main thread.
 *
 * Decision U39 (ui/NOTES.md).
 */

typedef struct
{
  void (*shown) (gpointer user_data);  /* another run is to be shown */
  void (*before) (gpointer user_data); /* the run of the step before it is made */
  void (*failed) (const char *trouble, gpointer user_data);
} StepperEvents;

/* A run of 80,000 nodes has some 10 MB. */
#define MOST_KEPT 4

struct _GobanStepper
{
  GobanView *view; /* borrowed */
  StepperEvents events;
  gpointer user_data;
  GobanRun *base;            /* (nullable): whose moments are shown */
  GobanDecisions *decisions; /* (nullable): the base's, borrowed */
  GPtrArray *kept;           /* GobanRun of finished plans, used last at the end */
  GArray *moments;           /* of GobanMoment: which these are of */
  GobanRun *shown;           /* (nullable) */
  int moment;                /* of shown */
  GobanJob *job;             /* (nullable) */
  GobanMoment job_moment;    /* that the job makes */
};

/* (nullable): the run of a step of the base; borrowed. */
static GobanRun *
stepper_get_run (GobanStepper *self)
{
  return self->shown;
}

/* Slot of a moment's plan in the cache, or -1. */
static int
find_place (const GobanStepper *self, GobanMoment moment)
{
  for (guint i = 0; i < self->kept->len; i++)
    if (g_array_index (self->moments, GobanMoment, i) == moment)
      return (int) i;
  return -1;
}

/* (nullable): borrowed, and used last from now on. */
static GobanRun *
find_kept (GobanStepper *self, GobanMoment moment)
{
  int place = find_place (self, moment);
  GobanRun *run;

  if (moment == goban_run_get_moment (self->base))
    return self->base;
  if (place < 0)
    return NULL;
  run = g_ptr_array_steal_index (self->kept, (guint) place);
  g_array_remove_index (self->moments, (guint) place);
  g_ptr_array_add (self->kept, run);
  g_array_append_val (self->moments, moment);
  return run;
}

/* @run: (transfer full) */
static void
keep (GobanStepper *self, GobanMoment moment, GobanRun *run)
{
  if (self->kept->len == MOST_KEPT)
    {
      g_ptr_array_remove_index (self->kept, 0);
      g_array_remove_index (self->moments, 0);
    }
  g_ptr_array_add (self->kept, run);
  g_array_append_val (self->moments, moment);
}

static int
find_neighbour (const GobanStepper *self, int moment, int by)
{
  return (int) goban_decisions_next_stop (self->decisions, goban_view_get_level (self->view),
                                          goban_view_get_stops (self->view), (GobanMoment) moment,
                                          by);
}

/* (nullable): the run of the step before it, once it is made; borrowed. */
static GobanRun *
stepper_get_before (GobanStepper *self)
{
  int place;

  if (self->shown == NULL)
    return NULL;
  if (goban_run_is_unfinished (self->shown))
    return self->base;
  place = find_place (self, (GobanMoment) find_neighbour (self, self->moment, -1));
  return place >= 0 ? g_ptr_array_index (self->kept, place) : NULL;
}

static void
show (GobanStepper *self, GobanRun *run, int moment)
{
  gboolean is_another = self->shown != run;

  self->moment = moment;
  goban_run_set (&self->shown, run);
  if (is_another)
    self->events.shown (self->user_data);
}

/* Shows a moment, of which @finished is the run of the plan that it leads to. */
static void
show_moment (GobanStepper *self, int moment, GobanRun *finished)
{
  g_autoptr (GobanRun) run = NULL;

  if (self->shown != NULL && self->moment == moment)
    return;
  run = goban_moment_new_run_within (self->base, finished, (GobanMoment) moment, NULL);
  if (run != NULL)
    show (self, run, moment);
}

/* --- making ----------------------------------------------------------------------------------- */

static void follow (GobanStepper *self);

static void
made_cb (GobanJob *job, GobanStepper *self)
{
  g_autoptr (GError) error = NULL;
  GobanRun *run = goban_job_steal_result (job, &error);
  int wanted = goban_view_get_moment (self->view);

  g_clear_object (&self->job);
  if (run != NULL)
    {
      keep (self, self->job_moment, run);
      if (self->shown != NULL && stepper_get_before (self) == run)
        self->events.before (self->user_data);
    }
  else if (wanted != GOBAN_NO_MOMENT
           && goban_moment_find_plan (self->decisions, (GobanMoment) wanted) == self->job_moment)
    {
      self->events.failed (error->message, self->user_data);
      goban_view_set_moment (self->view, GOBAN_NO_MOMENT);
      return;
    }
  follow (self);
}

static void
start (GobanStepper *self, GobanMoment moment)
{
  self->job_moment = moment;
  self->job
      = goban_job_start ("Stepping", goban_moment_work,
                         goban_moment_new_work (goban_run_get_costs (self->base), self->decisions,
                                                goban_run_get_name (self->base), moment),
                         goban_moment_free_work, (GDestroyNotify) goban_run_unref);
  g_signal_connect (self->job, "done", G_CALLBACK (made_cb), self);
}

/* Makes the plan of the stop before the shown one, which is its ghost, then that of the next. */
static void
prepare_neighbours (GobanStepper *self, int moment)
{
  for (int by = -1; by <= 1 && self->job == NULL; by += 2)
    {
      GobanMoment finished = goban_moment_find_plan (
          self->decisions, (GobanMoment) find_neighbour (self, moment, by));

      if (find_kept (self, finished) == NULL)
        start (self, finished);
    }
}

/* Shows the requested moment as soon as its plan is made, and then makes those of its neighbours.
 */
static void
follow (GobanStepper *self)
{
  int moment = goban_view_get_moment (self->view);
  GobanMoment finished;
  GobanRun *run;

  if (moment == GOBAN_NO_MOMENT || self->decisions == NULL)
    {
      show (self, NULL, GOBAN_NO_MOMENT);
      return;
    }
  moment = MIN (moment, (int) goban_decisions_get_n_moments (self->decisions));
  finished = goban_moment_find_plan (self->decisions, (GobanMoment) moment);
  run = find_kept (self, finished);
  if (run != NULL)
    show_moment (self, moment, run);
  if (self->job != NULL)
    return;
  if (run == NULL)
    start (self, finished);
  else
    prepare_neighbours (self, moment);
}

/* --- construction and disposal ---------------------------------------------------------------- */

static void
drop_job (GobanStepper *self)
{
  if (self->job == NULL)
    return;
  g_signal_handlers_disconnect_by_data (self->job, self);
  goban_job_cancel (self->job);
  g_clear_object (&self->job);
}

/* Drops all runs, because another run's steps are to be shown. @base: (nullable) */
static void
stepper_set_base (GobanStepper *self, GobanRun *base)
{
  drop_job (self);
  g_ptr_array_set_size (self->kept, 0);
  g_array_set_size (self->moments, 0);
  goban_run_set (&self->base, base);
  self->decisions = base != NULL ? goban_run_get_decisions (base) : NULL;
  g_clear_pointer (&self->shown, goban_run_unref);
  self->moment = GOBAN_NO_MOMENT;
}

void
goban_stepper_extend_base (GobanStepper *self, GobanRun *base)
{
  drop_job (self);
  goban_run_set (&self->base, base);
  self->decisions = goban_run_get_decisions (base);
  follow (self);
}

/* Follows the step of @view, which outlives it. */
static GobanStepper *
stepper_new (GobanView *view, const StepperEvents *events, gpointer user_data)
{
  GobanStepper *self = g_new0 (GobanStepper, 1);

  self->view = view;
  self->events = *events;
  self->user_data = user_data;
  self->kept = goban_run_array_new ();
  self->moments = g_array_new (FALSE, FALSE, sizeof (GobanMoment));
  self->moment = GOBAN_NO_MOMENT;
  g_signal_connect_swapped (view, "notify::moment", G_CALLBACK (follow), self);
  g_signal_connect_swapped (view, "notify::level", G_CALLBACK (follow), self);
  return self;
}

static void
stepper_free (GobanStepper *self)
{
  g_signal_handlers_disconnect_by_data (self->view, self);
  stepper_set_base (self, NULL);
  g_ptr_array_unref (self->kept);
  g_array_unref (self->moments);
  g_free (self);
}

#define DEFAULT_CLUSTER "p100x4"

static GParamSpec *props[GOBAN_SESSION_N_PROPS];

G_DEFINE_FINAL_TYPE (GobanSession, goban_session, G_TYPE_OBJECT)

static void
goban_session_dispose (GObject *object)
{
  GobanSession *self = GOBAN_SESSION (object);

  if (self->job != NULL)
    {
      goban_job_cancel (self->job);
      g_signal_handlers_disconnect_by_data (self->job, self);
      g_clear_object (&self->job);
    }
  goban_session_end_live (self);
  while (goban_session_drop_edit (self))
    ;
  g_clear_pointer (&self->edits, goban_edit_queue_free);
  g_clear_pointer (&self->stepper, stepper_free);
  g_clear_object (&self->compared);
  g_list_store_remove_all (self->runs);
  G_OBJECT_CLASS (goban_session_parent_class)->dispose (object);
}

static void
goban_session_finalize (GObject *object)
{
  GobanSession *self = GOBAN_SESSION (object);

  g_clear_pointer (&self->before, g_ptr_array_unref);
  g_clear_pointer (&self->after, g_ptr_array_unref);
  g_clear_pointer (&self->history, goban_history_free);
  g_clear_pointer (&self->state, goban_state_unref);
  g_clear_pointer (&self->graph, goban_graph_unref);
  g_clear_pointer (&self->selection, goban_selection_unref);
  g_clear_pointer (&self->path, g_free);
  g_clear_pointer (&self->known, goban_cluster_unref);
  g_clear_pointer (&self->notes, g_ref_string_release);
  g_clear_object (&self->runs);
  g_clear_object (&self->view);
  g_clear_pointer (&self->log, g_ptr_array_unref);
  g_clear_pointer (&self->unworded, g_ptr_array_unref);
  G_OBJECT_CLASS (goban_session_parent_class)->finalize (object);
}

static void
goban_session_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  GobanSession *self = GOBAN_SESSION (object);

  switch (id)
    {
    case GOBAN_SESSION_PROP_GRAPH:
      g_value_set_pointer (value, self->graph);
      break;
    case GOBAN_SESSION_PROP_CLUSTER:
      g_value_set_pointer (value, self->state->cluster);
      break;
    case GOBAN_SESSION_PROP_CURRENT_RUN:
      g_value_set_boxed (value, goban_session_get_current_run (self));
      break;
    case GOBAN_SESSION_PROP_GHOST:
      g_value_set_boxed (value, self->state->ghost);
      break;
    case GOBAN_SESSION_PROP_PINNED:
      g_value_set_boxed (value, self->state->pinned);
      break;
    case GOBAN_SESSION_PROP_SELECTION:
      g_value_set_boxed (value, self->selection);
      break;
    case GOBAN_SESSION_PROP_UNDO_NAME:
      g_value_set_string (value, goban_session_get_undo_name (self));
      break;
    case GOBAN_SESSION_PROP_REDO_NAME:
      g_value_set_string (value, goban_session_get_redo_name (self));
      break;
    case GOBAN_SESSION_PROP_JOB:
      g_value_set_object (value, self->job);
      break;
    case GOBAN_SESSION_PROP_NOTES:
      g_value_set_string (value, self->notes);
      break;
    case GOBAN_SESSION_PROP_SCENES:
      g_value_set_pointer (value, self->state->scenes);
      break;
    case GOBAN_SESSION_PROP_SHOWN_RUN:
      g_value_set_boxed (value, goban_session_get_shown_run (self));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
goban_session_class_init (GobanSessionClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GParamFlags flags = G_PARAM_READABLE | G_PARAM_STATIC_STRINGS;

  object_class->dispose = goban_session_dispose;
  object_class->finalize = goban_session_finalize;
  object_class->get_property = goban_session_get_property;

  props[GOBAN_SESSION_PROP_GRAPH] = g_param_spec_pointer ("graph", NULL, NULL, flags);
  props[GOBAN_SESSION_PROP_CLUSTER] = g_param_spec_pointer ("cluster", NULL, NULL, flags);
  props[GOBAN_SESSION_PROP_CURRENT_RUN]
      = g_param_spec_boxed ("current-run", NULL, NULL, GOBAN_TYPE_RUN, flags);
  props[GOBAN_SESSION_PROP_GHOST] = g_param_spec_boxed ("ghost", NULL, NULL, GOBAN_TYPE_RUN, flags);
  props[GOBAN_SESSION_PROP_PINNED]
      = g_param_spec_boxed ("pinned", NULL, NULL, GOBAN_TYPE_SELECTION, flags);
  props[GOBAN_SESSION_PROP_SELECTION]
      = g_param_spec_boxed ("selection", NULL, NULL, GOBAN_TYPE_SELECTION, flags);
  props[GOBAN_SESSION_PROP_UNDO_NAME] = g_param_spec_string ("undo-name", NULL, NULL, NULL, flags);
  props[GOBAN_SESSION_PROP_REDO_NAME] = g_param_spec_string ("redo-name", NULL, NULL, NULL, flags);
  props[GOBAN_SESSION_PROP_JOB] = g_param_spec_object ("job", NULL, NULL, GOBAN_TYPE_JOB, flags);
  props[GOBAN_SESSION_PROP_NOTES] = g_param_spec_string ("notes", NULL, NULL, "", flags);
  props[GOBAN_SESSION_PROP_SCENES] = g_param_spec_pointer ("scenes", NULL, NULL, flags);
  props[GOBAN_SESSION_PROP_SHOWN_RUN]
      = g_param_spec_boxed ("shown-run", NULL, NULL, GOBAN_TYPE_RUN, flags);
  g_object_class_install_properties (object_class, GOBAN_SESSION_N_PROPS, props);

  g_signal_new ("replacing", GOBAN_TYPE_SESSION, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                G_TYPE_NONE, 0);
  g_signal_new ("message", GOBAN_TYPE_SESSION, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE,
                2, G_TYPE_BOOLEAN, G_TYPE_STRING | G_SIGNAL_TYPE_STATIC_SCOPE);
  g_signal_new ("zoom", GOBAN_TYPE_SESSION, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1,
                G_TYPE_STRING);
  g_signal_new ("log", GOBAN_TYPE_SESSION, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1,
                G_TYPE_UINT);
  g_signal_new ("pending-edit", GOBAN_TYPE_SESSION, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                G_TYPE_NONE, 2, GOBAN_TYPE_RUN, G_TYPE_POINTER);
}

void
goban_session_notify (GobanSession *self, guint property)
{
  g_object_notify_by_pspec (G_OBJECT (self), props[property]);
}

/* --- the step that is shown ------------------------------------------------------------------- */

static void
step_shown_cb (gpointer user_data)
{
  goban_session_notify (user_data, GOBAN_SESSION_PROP_SHOWN_RUN);
}

static void
step_before_cb (gpointer user_data)
{
  goban_session_notify (user_data, GOBAN_SESSION_PROP_GHOST);
}

static void
step_failed_cb (const char *trouble, gpointer user_data)
{
  goban_session_say (user_data, TRUE, "%s", trouble);
}

static const StepperEvents stepper_events = { step_shown_cb, step_before_cb, step_failed_cb };

static void
goban_session_init (GobanSession *self)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanCluster) cluster = goban_cluster_new_from_spec (DEFAULT_CLUSTER, &error);

  g_assert_no_error (error);
  self->state = goban_state_new (cluster, NULL);
  self->history = goban_history_new ();
  self->before = g_ptr_array_new_with_free_func (goban_aside_free);
  self->after = g_ptr_array_new_with_free_func (goban_aside_free);
  self->runs = g_list_store_new (GOBAN_TYPE_RUN_ROW);
  self->log = g_ptr_array_new_with_free_func (g_free);
  self->notes = g_ref_string_new ("");
  self->selection = goban_selection_new (NULL, 0);
  self->view = goban_view_new ();
  self->compared = goban_compare_set_new (G_LIST_MODEL (self->runs));
  g_signal_connect_object (self->view, "log", G_CALLBACK (goban_session_log), self,
                           G_CONNECT_SWAPPED);
  self->stepper = stepper_new (self->view, &stepper_events, self);
  g_signal_connect_object (self->compared, "log", G_CALLBACK (goban_session_log), self,
                           G_CONNECT_SWAPPED);
}

GobanSession *
goban_session_new (void)
{
  return g_object_new (GOBAN_TYPE_SESSION, NULL);
}

/* --- getters ---------------------------------------------------------------------------- */

GobanGraph *
goban_session_get_graph (GobanSession *self)
{
  g_return_val_if_fail (GOBAN_IS_SESSION (self), NULL);

  return self->graph;
}

const char *
goban_session_get_path (GobanSession *self)
{
  g_return_val_if_fail (GOBAN_IS_SESSION (self), NULL);

  return self->path;
}

GobanCluster *
goban_session_get_cluster (GobanSession *self)
{
  g_return_val_if_fail (GOBAN_IS_SESSION (self), NULL);

  return self->state->cluster;
}

GobanCostModel *
goban_session_get_costs (GobanSession *self)
{
  g_return_val_if_fail (GOBAN_IS_SESSION (self), NULL);

  return self->state->costs;
}

GListModel *
goban_session_get_runs (GobanSession *self)
{
  g_return_val_if_fail (GOBAN_IS_SESSION (self), NULL);

  return G_LIST_MODEL (self->runs);
}

GobanRun *
goban_session_get_current_run (GobanSession *self)
{
  GobanRun *live;

  g_return_val_if_fail (GOBAN_IS_SESSION (self), NULL);

  live = goban_session_get_live (self);
  return live != NULL ? live : self->state->current;
}

GobanRun *
goban_session_get_ghost (GobanSession *self)
{
  g_return_val_if_fail (GOBAN_IS_SESSION (self), NULL);

  return self->state->ghost;
}

GobanRun *
goban_session_get_shown_run (GobanSession *self)
{
  GobanRun *step;

  g_return_val_if_fail (GOBAN_IS_SESSION (self), NULL);

  step = self->stepper != NULL ? stepper_get_run (self->stepper) : NULL;
  return step != NULL ? step : goban_session_get_current_run (self);
}

GobanRun *
goban_session_get_shown_ghost (GobanSession *self)
{
  g_return_val_if_fail (GOBAN_IS_SESSION (self), NULL);

  if (self->stepper != NULL && stepper_get_run (self->stepper) != NULL)
    return stepper_get_before (self->stepper);
  return self->state->ghost;
}

GobanSelection *
goban_session_get_pinned (GobanSession *self)
{
  g_return_val_if_fail (GOBAN_IS_SESSION (self), NULL);

  return self->state->pinned;
}

GobanState *
goban_session_get_state (GobanSession *self)
{
  return self->state;
}

GobanSelection *
goban_session_get_selection (GobanSession *self)
{
  g_return_val_if_fail (GOBAN_IS_SESSION (self), NULL);

  return self->selection;
}

GobanView *
goban_session_get_view (GobanSession *self)
{
  g_return_val_if_fail (GOBAN_IS_SESSION (self), NULL);

  return self->view;
}

GobanCompareSet *
goban_session_get_compare_set (GobanSession *self)
{
  g_return_val_if_fail (GOBAN_IS_SESSION (self), NULL);

  return self->compared;
}

GobanCluster *
goban_session_get_origin (GobanSession *self)
{
  g_return_val_if_fail (GOBAN_IS_SESSION (self), NULL);

  return self->state->origin;
}

GobanJob *
goban_session_get_job (GobanSession *self)
{
  g_return_val_if_fail (GOBAN_IS_SESSION (self), NULL);

  return self->job;
}

/* --- the present --------------------------------------------------------------------------- */

static gboolean
is_in (GPtrArray *rows, guint from, gpointer row)
{
  for (guint i = from; i < rows->len; i++)
    if (g_ptr_array_index (rows, i) == row)
      return TRUE;
  return FALSE;
}

/* GobanRunRow of the runs: those of the list, if they are there. (transfer full) */
static GPtrArray *
find_rows (GListModel *list, GPtrArray *runs)
{
  GPtrArray *rows = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; i < runs->len; i++)
    {
      GobanRun *run = g_ptr_array_index (runs, i);
      guint place;

      g_ptr_array_add (rows, goban_run_list_find (list, run, &place)
                                 ? g_list_model_get_item (list, place)
                                 : goban_run_row_new (run));
    }
  return rows;
}

/* Updates the list model to @runs. Runs in both stay, unless the order differs, so that a change of
 * one run emits one or two changes of the list. Lists of plans are short. */
static void
show_runs (GobanSession *self, GPtrArray *runs)
{
  GListModel *list = G_LIST_MODEL (self->runs);
  g_autoptr (GPtrArray) rows = find_rows (list, runs);

  for (guint i = 0; i < rows->len || i < g_list_model_get_n_items (list);)
    {
      guint n_left = g_list_model_get_n_items (list) - i;
      guint n_gone = 0, n_new = 0;

      for (; n_gone < n_left; n_gone++)
        {
          g_autoptr (GobanRunRow) shown = g_list_model_get_item (list, i + n_gone);

          if (is_in (rows, i, shown))
            break;
        }
      while (i + n_new < rows->len
             && !g_list_store_find (self->runs, g_ptr_array_index (rows, i + n_new), NULL))
        n_new++;
      if (n_gone + n_new == 0)
        {
          g_autoptr (GobanRunRow) shown = g_list_model_get_item (list, i);

          if (shown != g_ptr_array_index (rows, i))
            {
              n_gone = n_left;
              n_new = rows->len - i;
            }
        }
      if (n_gone + n_new > 0)
        g_list_store_splice (self->runs, i, n_gone, rows->pdata + i, n_new);
      i += n_new + (n_gone + n_new == 0);
    }
}

void
goban_session_begin_steps (GobanSession *self, GobanRun *run)
{
  stepper_set_base (self->stepper, run);
  goban_view_play_moment (self->view, GOBAN_NO_MOMENT);
  goban_view_stop_at (self->view, NULL);
}

void
goban_session_become (GobanSession *self, GobanState *next)
{
  g_autoptr (GobanState) last = self->state;
  g_autoptr (GobanState) held = goban_state_ref (next);

  if (last->current != next->current)
    goban_session_end_live (self);
  self->state = next;
  if (last->current != next->current)
    goban_session_begin_steps (self, next->current);
  show_runs (self, next->runs);
  goban_compare_set_follow (self->compared, last, next);
  if (last->cluster != next->cluster)
    goban_session_notify (self, GOBAN_SESSION_PROP_CLUSTER);
  if (last->ghost != next->ghost)
    goban_session_notify (self, GOBAN_SESSION_PROP_GHOST);
  if (last->current != next->current)
    {
      goban_session_notify (self, GOBAN_SESSION_PROP_CURRENT_RUN);
      goban_session_notify (self, GOBAN_SESSION_PROP_SHOWN_RUN);
    }
  if (!goban_selection_equal (last->pinned, next->pinned))
    goban_session_notify (self, GOBAN_SESSION_PROP_PINNED);
  if (!goban_scene_list_equal (last->scenes, next->scenes))
    goban_session_notify (self, GOBAN_SESSION_PROP_SCENES);
}

void
goban_session_notify_names (GobanSession *self)
{
  goban_session_notify (self, GOBAN_SESSION_PROP_UNDO_NAME);
  goban_session_notify (self, GOBAN_SESSION_PROP_REDO_NAME);
}

void
goban_session_commit (GobanSession *self, const char *name, GobanState *next)
{
  /* A history is of a graph, and begins with it. */
  if (self->graph != NULL)
    {
      goban_history_record (self->history, name, self->state);
      g_ptr_array_set_size (self->after, 0);
    }
  goban_session_become (self, next);
  goban_session_notify_names (self);
}
