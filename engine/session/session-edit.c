#include "engine/session/session-edit.h"

#include "engine/core/error.h"
#include "engine/core/i18n.h"
#include "engine/core/jobs/job.h"
#include "engine/core/lua-text.h"
#include "engine/session/attributor.h"
#include "engine/session/session-derived.h"
#include "engine/session/session-graph.h"
#include "engine/session/session-log.h"
#include "engine/session/session-private.h"
#include "engine/session/session-runs.h"
#include "engine/session/state.h"
#include "engine/session/view-time.h"
#include "engine/study/log/log-lines.h"
#include "engine/study/log/set-description.h"
#include "engine/study/run/policy-run.h"
#include "engine/study/run/run-origin.h"

/* --- reverting -------------------------------------------------------------------------------- */

/* Reverting a part of the difference of two plans, as a change of a session. */

static GobanRun *
listed_after (const GobanRevert *revert)
{
  return revert->listed != NULL ? revert->listed : revert->after;
}

/* The run's place in the list, from 1; 0 if it has none. */
static guint
find_place (const GobanState *state, GobanRun *run)
{
  guint place;

  return g_ptr_array_find (state->runs, run, &place) ? place + 1 : 0;
}

static char *
make_line (GobanSession *session, const GobanRevert *revert)
{
  const GobanState *state = goban_session_get_state (session);
  GobanSetDescription *words = goban_view_get_words (goban_session_get_view (session));
  g_autofree char *nodes = goban_set_description_to_lua (
      words, goban_run_get_graph (revert->after), revert->nodes,
      goban_run_get_source (goban_session_get_current_run (session)));
  g_autofree char *label = goban_lua_text_quote (revert->label);

  return g_strdup_printf ("compare.try(%u, %u, \"%s\", %s, %s)", find_place (state, revert->before),
                          find_place (state, listed_after (revert)),
                          goban_revert_kind_words[revert->kind], nodes, label);
}

gboolean
goban_session_add_revert (GobanSession *session, const GobanRevert *revert, GobanRun *run,
                          GError **error)
{
  GobanState *state = goban_session_get_state (session);
  GobanState *next;
  g_autoptr (GPtrArray) added = g_ptr_array_new ();
  g_autofree char *name = NULL;
  g_autofree char *line = NULL;

  if (find_place (state, revert->before) == 0 || find_place (state, listed_after (revert)) == 0)
    return goban_refuse (error, GOBAN_ERROR_INVALID,
                         "%s and %s are not both in the list of plans: nothing was taken back",
                         goban_run_get_name (revert->before), goban_run_get_name (revert->after));

  g_ptr_array_add (added, run);
  goban_session_name_runs (session, added);
  name = g_strdup_printf (_ ("take back %s"), revert->label);
  line = make_line (session, revert);
  next = goban_state_copy (state);
  goban_state_add_run (next, run);
  goban_state_set_current (next, run);
  goban_state_set_ghost (next, listed_after (revert));
  goban_session_commit (session, name, next);
  goban_session_log (session, line);
  return TRUE;
}

static void
reverted_cb (GobanJob *job, GobanSession *session)
{
  const GobanRevert *revert = g_object_get_data (G_OBJECT (job), "revert");
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanRun) run = goban_job_steal_result (job, &error);

  if (run == NULL || !goban_session_add_revert (session, revert, run, &error))
    goban_session_say (session, TRUE, "%s", error->message);
}

void
goban_session_try_revert (GobanSession *session, const GobanRevert *revert)
{
  g_autoptr (GobanJob) job = NULL;

  g_return_if_fail (GOBAN_IS_SESSION (session) && revert != NULL);

  job = goban_job_start ("Taking back a change", goban_revert_run, goban_revert_copy (revert),
                         (GDestroyNotify) goban_revert_free, (GDestroyNotify) goban_run_unref);
  g_object_set_data_full (G_OBJECT (job), "revert", goban_revert_copy (revert),
                          (GDestroyNotify) goban_revert_free);
  g_signal_connect_object (job, "done", G_CALLBACK (reverted_cb), session, 0);
}

/* --- drawing ---------------------------------------------------------------------------------- */

/* Fast, and it has decisions to step through. */
#define POLICY "heft"

static const char *const names[] = {
  [GOBAN_DRAW_ADD] = N_ ("add an op"),          [GOBAN_DRAW_SET] = N_ ("change an op"),
  [GOBAN_DRAW_REMOVE] = N_ ("delete an op"),    [GOBAN_DRAW_CONNECT] = N_ ("connect two ops"),
  [GOBAN_DRAW_DISCONNECT] = N_ ("cut an edge"),
};

gboolean
goban_session_is_drawing (GobanSession *self)
{
  GobanGraph *graph;

  g_return_val_if_fail (GOBAN_IS_SESSION (self), FALSE);

  graph = goban_session_get_graph (self);
  return graph != NULL && goban_drawing_is (graph);
}

gboolean
goban_session_draw (GobanSession *self, const GobanDrawChange *change, GError **error)
{
  GobanRunOptions options = { .decisions = GOBAN_TASKS_DEFAULT };
  g_autoptr (GobanGraph) changed = NULL;
  g_autoptr (GobanCostModel) costs = NULL;
  g_autoptr (GobanRun) run = NULL;
  g_autofree char *edit = NULL;
  g_autofree char *code = NULL;

  g_return_val_if_fail (goban_session_is_drawing (self), FALSE);

  changed = goban_drawing_change (goban_session_get_graph (self), change, error);
  if (changed == NULL)
    return FALSE;
  costs = goban_cost_model_new (changed, goban_session_get_cluster (self), GOBAN_EXECUTION_EVENTS);
  run = goban_run_new_from_policy (costs, POLICY, &options, error);
  if (run == NULL)
    return FALSE;
  edit = goban_drawing_dup_code (goban_session_get_graph (self), change);
  code = g_strdup_printf ("sim.run(plan." POLICY "(%s))", edit);
  goban_run_set_derivation (run, names[change->kind], code);
  goban_session_derive (self, run);
  return TRUE;
}

/* An edit that was asked for. */
typedef struct
{
  GobanEdit *edit;
  GCancellable *cancellable; /* (nullable) */
  GTask *task;               /* (nullable): of a caller that gets the result */
} Item;

/* Input and result of a worker. */
typedef struct
{
  GobanEdit *edit;
  GobanState *state; /* when its turn came */
  GobanRun *run;     /* (nullable): of the base; an edit of the cluster may have no base */
  GobanState *next;  /* (nullable): of another cluster, the plans of state on it */
  guint n_dropped;   /* plans that do not fit that cluster */
  char *note;        /* (nullable): side effects */
} Work;

struct _GobanEditQueue
{
  GobanSession *session;
  GQueue waiting;           /* of Item */
  Item *item;               /* (nullable): the one that is simulated, or to be committed */
  GobanJob *job;            /* (nullable): the simulating job */
  Work *work;               /* (nullable): its result, to be committed when nobody holds it */
  GobanEditHold *hold;      /* (nullable): of that work, borrowed */
  GCancellable *committing; /* (nullable): of the item that is committed now */
};

typedef struct _GobanEditQueue Queue;

static void
work_free (gpointer data)
{
  Work *work = data;

  goban_edit_free (work->edit);
  goban_state_unref (work->state);
  g_clear_pointer (&work->run, goban_run_unref);
  g_clear_pointer (&work->next, goban_state_unref);
  g_free (work->note);
  g_free (work);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Work, work_free)

static Work *
work_new (const GobanEdit *edit, GobanState *state)
{
  Work *work = g_new0 (Work, 1);

  work->edit = goban_edit_copy (edit);
  work->state = goban_state_ref (state);
  return work;
}

/* Gives the caller the result, and frees @item. @run: (nullable); @error: (nullable) (transfer
 * full) */
static void
complete (Queue *self, Item *item, GobanRun *run, GError *error)
{
  if (item->task != NULL && error != NULL)
    g_task_return_error (item->task, g_steal_pointer (&error));
  else if (item->task != NULL)
    g_task_return_pointer (item->task, goban_run_ref (run), (GDestroyNotify) goban_run_unref);
  else if (error != NULL && !g_error_matches (error, GOBAN_ERROR, GOBAN_ERROR_CANCELLED))
    goban_session_say (self->session, TRUE, "%s", error->message);
  g_clear_error (&error);
  goban_edit_free (item->edit);
  g_clear_object (&item->cancellable);
  g_clear_object (&item->task);
  g_free (item);
}

/* Without a result: it was taken back, or its graph or session is closed. */
static void
drop_item (Queue *self, Item *item)
{
  complete (self, item, NULL,
            g_error_new_literal (GOBAN_ERROR, GOBAN_ERROR_CANCELLED,
                                 "the change was taken back before it was made"));
}

/* --- holds ------------------------------------------------------------------------------------ */

struct _GobanEditHold
{
  guint n_refs;
  Queue *queue; /* (nullable): NULL when its edit was dropped */
};

static void commit_work (Queue *self);

GobanEditHold *
goban_edit_hold_ref (GobanEditHold *self)
{
  self->n_refs++;
  return self;
}

void
goban_edit_hold_unref (GobanEditHold *self)
{
  Queue *queue = self->queue;

  if (--self->n_refs > 0)
    return;
  g_free (self);
  if (queue == NULL)
    return;
  queue->hold = NULL;
  commit_work (queue);
}

/* Drops the running work, and what it would have become. */
static void
drop_work (Queue *self)
{
  if (self->job != NULL)
    g_signal_handlers_disconnect_by_data (self->job, self);
  g_clear_object (&self->job);
  g_clear_pointer (&self->work, work_free);
  if (self->hold != NULL)
    self->hold->queue = NULL;
  self->hold = NULL;
}

/* --- in a worker ------------------------------------------------------------------------------ */

/* The plans of the state on a cluster chosen by the user: one that does not fit it is left out with
 * the others that do not. */
static gboolean
choose_cluster (Work *work, GError **error)
{
  g_autofree char *warning = NULL; /* said when the cluster is taken */

  if (work->state->costs != NULL
      && !goban_cluster_check_times (
          work->edit->cluster, goban_cost_model_get_graph (work->state->costs), &warning, error))
    return FALSE;
  if (goban_what_if_is_same (work->edit->cluster, work->state->cluster))
    return TRUE;
  work->next = goban_state_with_cluster (work->state, work->edit->cluster, NULL, &work->n_dropped);
  /* A return to the original cluster is not a new choice of one. */
  if (work->edit->cluster != work->state->origin)
    goban_state_set_chosen (work->next);
  return TRUE;
}

/* Without a plan a number of the cluster can be changed all the same. */
static gboolean
change_number (Work *work, GError **error)
{
  const GobanWhatIf change = goban_edit_get_what_if (work->edit);
  g_autoptr (GobanCluster) cluster = NULL;

  if (work->edit->base == NULL)
    cluster = goban_what_if (work->state->cluster, work->state->origin, &change, error);
  else if ((work->run = goban_edit_run (work->edit, error)) != NULL)
    cluster = goban_cluster_ref (goban_run_get_cluster (work->run));
  if (cluster == NULL)
    return FALSE;
  if (cluster != work->state->cluster)
    work->next = goban_state_with_cluster (work->state, cluster, work->run, &work->n_dropped);
  return TRUE;
}

static gpointer
edit_worker (const GobanProgress *progress, gpointer data, GError **error)
{
  Work *asked = data;
  g_autoptr (Work) done = work_new (asked->edit, asked->state);
  gboolean is_done;

  if (done->edit->kind == GOBAN_EDIT_CLUSTER)
    is_done = choose_cluster (done, error);
  else if (goban_edit_is_of_cluster (done->edit))
    is_done = change_number (done, error);
  else
    {
      done->run = goban_edit_run (done->edit, error);
      is_done = done->run != NULL;
      if (is_done)
        done->note = goban_edit_explain (done->edit);
    }
  return is_done ? g_steal_pointer (&done) : NULL;
}

/* --- committing ------------------------------------------------------------------------------- */

/* For a cluster chosen by the user; changes of its numbers do not repeat the warning. */
static void
say_estimates (GobanSession *session)
{
  const GobanState *state = goban_session_get_state (session);
  GobanGraph *graph = goban_session_get_graph (session);
  g_autofree char *warning = NULL;

  if (graph == NULL || state->origin != state->cluster)
    return;
  goban_cluster_check_times (state->cluster, graph, &warning, NULL); /* refused before */
  if (warning != NULL)
    goban_session_say (session, FALSE, "%s", warning);
}

static void
commit_cluster (GobanSession *session, Work *work)
{
  const GobanWhatIf change = goban_edit_get_what_if (work->edit);
  gboolean is_choice = work->edit->kind == GOBAN_EDIT_CLUSTER;
  GobanCluster *old = work->state->cluster;
  g_autofree char *name = is_choice ? g_strdup_printf (_ ("take the cluster %s"),
                                                       goban_cluster_get_name (work->edit->cluster))
                                    : goban_what_if_name (old, &change);
  g_autofree char *line
      = is_choice ? goban_log_cluster (work->edit->cluster) : goban_log_what_if (old, &change);
  guint n_runs = work->state->runs->len;

  goban_session_commit (session, name, g_steal_pointer (&work->next));
  goban_session_log (session, line);
  say_estimates (session);
  if (work->n_dropped > 0)
    goban_session_say (session, FALSE,
                       "%u of %u plans do not fit the cluster %s and were left out; "
                       "undo brings them back",
                       work->n_dropped, n_runs,
                       goban_cluster_get_name (goban_session_get_cluster (session)));
}

static void
commit_plan (GobanSession *session, const Work *work)
{
  const GobanEdit *edit = work->edit;
  g_autofree char *name = goban_edit_describe (edit);
  g_autofree char *call = goban_edit_to_lua (edit);
  GobanState *next;

  if (work->run == edit->base)
    return;
  /* A line of the log refers to the shown run. */
  goban_session_set_current_run (session, edit->base);
  next = goban_state_copy (goban_session_get_state (session));
  if (goban_edit_is_by_hand (edit->base))
    goban_state_remove_run (next, edit->base);
  goban_state_add_run (next, work->run);
  goban_state_set_current (next, work->run);
  goban_state_set_ghost (next, edit->base);
  goban_session_commit (session, name, next);
  goban_session_log_nodes (session, "", edit->nodes, edit->base, call);
  if (work->note != NULL)
    goban_session_say (session, FALSE, "%s", work->note);
}

static void start_next (Queue *self);

static void
commit_work (Queue *self)
{
  GobanSession *session = self->session;
  g_autoptr (Work) work = g_steal_pointer (&self->work);
  Item *item = g_steal_pointer (&self->item);
  gboolean is_of_cluster = goban_edit_is_of_cluster (work->edit);

  if (g_cancellable_is_cancelled (item->cancellable))
    {
      drop_item (self, item);
      start_next (self);
      return;
    }
  /* If what it was simulated on has been replaced meanwhile, it applies to what there is now. */
  if (is_of_cluster ? work->state != goban_session_get_state (session)
                    : !goban_state_has_run (goban_session_get_state (session), work->edit->base))
    {
      g_queue_push_head (&self->waiting, item);
      start_next (self);
      return;
    }
  self->committing = item->cancellable;
  if (work->next != NULL)
    commit_cluster (session, work);
  else if (work->edit->kind == GOBAN_EDIT_CLUSTER)
    goban_session_prefer_cluster (session, work->edit->cluster);
  else if (!is_of_cluster)
    commit_plan (session, work);
  self->committing = NULL;
  complete (self, item, is_of_cluster ? goban_session_get_current_run (session) : work->run, NULL);
  start_next (self);
}

/* --- one after another ------------------------------------------------------------------------ */

static void
done_cb (GobanJob *job, Queue *self)
{
  GError *error = NULL;
  Work *work = goban_job_steal_result (job, &error);
  GobanEditHold *hold;

  drop_work (self);
  if (work == NULL)
    {
      complete (self, g_steal_pointer (&self->item), NULL, error);
      start_next (self);
      return;
    }
  self->work = work;
  self->hold = hold = g_new0 (GobanEditHold, 1);
  hold->n_refs = 1; /* ours, while handlers run */
  hold->queue = self;
  if (work->run != NULL && work->run != work->edit->base
      && work->edit->base == goban_session_get_current_run (self->session))
    g_signal_emit_by_name (self->session, "pending-edit", work->run, hold);
  goban_edit_hold_unref (hold);
}

/* Completes @edit with what the session has now. FALSE with @error set if it does not apply. */
static gboolean
apply_to_present (Queue *self, GobanEdit *edit, GError **error)
{
  GobanState *state = goban_session_get_state (self->session);

  if (goban_session_get_live (self->session) != NULL)
    return goban_refuse (error, GOBAN_ERROR_INVALID,
                         _ ("%s is still running: stop it, or wait for its plan, to change it"),
                         goban_run_get_name (goban_session_get_live (self->session)));
  if (edit->base != state->current)
    g_clear_pointer (&edit->run, goban_run_unref);
  goban_run_set (&edit->base, state->current);
  goban_selection_ref (state->pinned);
  g_clear_pointer (&edit->pinned, goban_selection_unref);
  edit->pinned = state->pinned;
  goban_cluster_ref (state->origin);
  g_clear_pointer (&edit->origin, goban_cluster_unref);
  edit->origin = state->origin;
  if (state->current == NULL && !goban_edit_is_of_cluster (edit))
    return goban_refuse (error, GOBAN_ERROR_INVALID, "%s",
                         _ ("There is no plan to change: place the graph first"));
  if (state->current != NULL && edit->kind != GOBAN_EDIT_CLUSTER && goban_edit_is_of_cluster (edit)
      && goban_run_get_cluster (state->current) != state->cluster)
    return goban_refuse (error, GOBAN_ERROR_INVALID,
                         "the plan %s is on another cluster than the one to change",
                         goban_run_get_name (state->current));
  return TRUE;
}

static void
start_next (Queue *self)
{
  GobanState *state;
  GError *error = NULL;
  GobanEdit *edit;

  if (self->item != NULL || g_queue_is_empty (&self->waiting))
    return;

  self->item = g_queue_pop_head (&self->waiting);
  edit = self->item->edit;
  state = goban_session_get_state (self->session);
  if (g_cancellable_is_cancelled (self->item->cancellable))
    {
      drop_item (self, g_steal_pointer (&self->item));
      start_next (self);
    }
  else if (!apply_to_present (self, edit, &error))
    {
      complete (self, g_steal_pointer (&self->item), NULL, error);
      start_next (self);
    }
  else if (edit->run != NULL || state->runs->len == 0)
    {
      /* Nothing is left to simulate. */
      if (edit->run != NULL)
        {
          self->work = work_new (edit, state);
          self->work->run = goban_run_ref (edit->run);
          self->work->note = goban_edit_explain (edit);
        }
      else
        self->work = edit_worker (NULL, &(Work){ .edit = edit, .state = state }, &error);
      if (self->work != NULL)
        commit_work (self);
      else
        {
          complete (self, g_steal_pointer (&self->item), NULL, error);
          start_next (self);
        }
    }
  else
    {
      self->job = goban_job_start ("Simulating a change", edit_worker, work_new (edit, state),
                                   work_free, work_free);
      g_signal_connect (self->job, "done", G_CALLBACK (done_cb), self);
    }
}

/* --- the session's queue ---------------------------------------------------------------------- */

/* Made at the first edit. */
static Queue *
queue_of (GobanSession *session)
{
  if (session->edits == NULL)
    {
      session->edits = g_new0 (Queue, 1);
      session->edits->session = session;
      g_queue_init (&session->edits->waiting);
    }
  return session->edits;
}

gboolean
goban_session_drop_edit (GobanSession *self)
{
  Queue *queue = self->edits;
  Item *item;

  if (queue == NULL || (queue->item == NULL && g_queue_is_empty (&queue->waiting)))
    return FALSE;
  item = g_queue_pop_tail (&queue->waiting);
  if (item == NULL)
    {
      drop_work (queue);
      item = g_steal_pointer (&queue->item);
    }
  drop_item (queue, item);
  return TRUE;
}

void
goban_edit_queue_free (GobanEditQueue *self)
{
  g_assert (self->item == NULL && g_queue_is_empty (&self->waiting));
  g_free (self);
}

void
goban_session_edit_async (GobanSession *self, const GobanEdit *edit, GCancellable *cancellable,
                          GAsyncReadyCallback callback, gpointer user_data)
{
  Queue *queue;
  Item *item;

  g_return_if_fail (GOBAN_IS_SESSION (self) && edit != NULL);

  queue = queue_of (self);
  item = g_new0 (Item, 1);
  item->edit = goban_edit_copy (edit);
  if (cancellable != NULL)
    item->cancellable = g_object_ref (cancellable);
  /* A source would keep the session alive. */
  if (callback != NULL)
    item->task = g_task_new (NULL, NULL, callback, user_data);
  /* The displayed moment is not the plan that would be changed. */
  if (edit->base != NULL && edit->nodes != NULL && edit->base == self->state->current
      && goban_view_get_moment (self->view) != GOBAN_NO_MOMENT)
    {
      complete (queue, item, NULL,
                g_error_new (GOBAN_ERROR, GOBAN_ERROR_INVALID,
                             _ ("A decision of %s is shown: keep its plan, or go back to the plan "
                                "itself, to change something"),
                             goban_run_get_name (edit->base)));
      return;
    }
  g_queue_push_tail (&queue->waiting, item);
  start_next (queue);
}

gboolean
goban_session_edit_finish (GAsyncResult *result, GobanRun **run, GError **error)
{
  GError *failure = NULL;
  g_autoptr (GobanRun) made = NULL;

  g_return_val_if_fail (g_task_is_valid (result, NULL), FALSE);

  made = g_task_propagate_pointer (G_TASK (result), &failure);
  if (failure != NULL)
    {
      g_propagate_error (error, failure);
      return FALSE;
    }
  if (run != NULL)
    *run = g_steal_pointer (&made);
  return TRUE;
}

gboolean
goban_session_has_pending_edit (GobanSession *self)
{
  g_return_val_if_fail (GOBAN_IS_SESSION (self), FALSE);

  return self->edits != NULL
         && (self->edits->item != NULL || !g_queue_is_empty (&self->edits->waiting));
}

GCancellable *
goban_session_get_committing (GobanSession *self)
{
  g_return_val_if_fail (GOBAN_IS_SESSION (self), NULL);

  return self->edits != NULL ? self->edits->committing : NULL;
}

GobanEdit *
goban_edit_new (GobanSession *session, GobanEditKind kind, GobanSelection *nodes)
{
  const GobanEdit edit = {
    .kind = kind,
    .base = goban_session_get_current_run (session),
    .nodes = nodes,
    .pinned = goban_session_get_pinned (session),
    .origin = goban_session_get_state (session)->origin,
  };

  return goban_edit_copy (&edit);
}
