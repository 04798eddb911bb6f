/* session-edit.c: manual changes of a session: edits, pins, and numbers of the cluster. */
#include "engine/session/edit.h"

#include "engine/base/error.h"
#include "engine/session/cluster-work.h"
#include "engine/session/session-private.h"
#include "engine/session/set-words.h"
#include "engine/session/what-if.h"

/* --- edits ---------------------------------------------------------------------------------- */

static GobanState *
with_edited (GobanState *state, const GobanEdit *edit, GobanRun *run)
{
  GobanState *next = goban_state_copy (state);

  if (goban_edit_is_by_hand (edit->base))
    goban_state_remove_run (next, edit->base);
  goban_state_add_run (next, run);
  goban_state_set_current (next, run);
  goban_state_set_ghost (next, edit->base);
  return next;
}

/* For a cluster chosen by the user; changes of its numbers do not repeat the warning. */
static void
say_estimates (GobanSession *self)
{
  const GobanState *state = goban_session_get_state (self);
  GobanGraph *graph = goban_session_get_graph (self);
  g_autofree char *warning = NULL;

  if (graph == NULL || state->origin != state->cluster)
    return;
  goban_cluster_check_times (state->cluster, graph, &warning, NULL); /* refused before */
  if (warning != NULL)
    goban_session_say (self, FALSE, "%s", warning);
}

void
goban_session_commit_cluster (GobanSession *self, const char *name, const char *line,
                              GobanState *next, guint n_dropped)
{
  guint n_runs = goban_session_get_state (self)->runs->len;

  goban_session_commit (self, name, next);
  goban_session_log (self, line);
  say_estimates (self);
  if (n_dropped > 0)
    goban_session_say (self, FALSE, "%u of %u plans do not fit the cluster %s and were left out",
                       n_dropped, n_runs,
                       goban_cluster_get_name (goban_session_get_cluster (self)));
}

/* @known: (nullable): the current run on @cluster; @is_origin: the cluster is no change of the one before. */
static void
take_cluster (GobanSession *self, const char *name, const char *line, GobanCluster *cluster,
              GobanRun *known, gboolean is_origin)
{
  guint n_dropped;
  GobanState *next
      = goban_state_with_cluster (goban_session_get_state (self), cluster, known, &n_dropped);

  /* Back to what it began with is nobody's new choice. */
  if (is_origin && cluster != goban_session_get_origin (self))
    goban_state_set_chosen (next);
  goban_session_commit_cluster (self, name, line, next, n_dropped);
}

GobanEditWords
goban_edit_find_words (const GobanEdit *edit, GobanSetWords *words)
{
  return (GobanEditWords){
    .name = goban_edit_describe (edit),
    .line = goban_edit_to_lua (edit, words),
    .note = goban_edit_explain (edit),
  };
}

void
goban_edit_words_clear (GobanEditWords *self)
{
  g_clear_pointer (&self->name, g_free);
  g_clear_pointer (&self->line, g_free);
  g_clear_pointer (&self->note, g_free);
}

/* FALSE with @error set if the plan to change is not what it was. */
static gboolean
check_base (GobanSession *self, const GobanEdit *edit, const GobanRun *run, GError **error)
{
  if (!goban_state_has_run (goban_session_get_state (self), edit->base))
    return goban_refuse (error, GOBAN_ERROR_INVALID,
                         "the plan %s was changed or removed meanwhile: nothing was done to it",
                         goban_run_get_name (edit->base));
  if (run != edit->base && goban_edit_is_of_cluster (edit)
      && goban_run_get_cluster (edit->base) != goban_session_get_cluster (self))
    return goban_refuse (error, GOBAN_ERROR_INVALID,
                         "the plan %s is on another cluster than the one to change",
                         goban_run_get_name (edit->base));
  return TRUE;
}

gboolean
goban_session_add_worded_edit (GobanSession *self, const GobanEdit *edit, GobanRun *run,
                               const GobanEditWords *words, GError **error)
{
  if (!check_base (self, edit, run, error))
    return FALSE;
  if (run == edit->base)
    return TRUE;

  /* A line of the log is about what is shown. */
  goban_session_set_current_run (self, edit->base);
  if (goban_edit_is_of_cluster (edit))
    {
      take_cluster (self, words->name, words->line, goban_run_get_cluster (run), run,
                    edit->kind == GOBAN_EDIT_CLUSTER);
    }
  else
    {
      goban_session_commit (self, words->name,
                            with_edited (goban_session_get_state (self), edit, run));
      goban_session_log (self, words->line);
    }
  if (words->note != NULL)
    goban_session_say (self, FALSE, "%s", words->note);
  return TRUE;
}

gboolean
goban_session_add_edit (GobanSession *self, const GobanEdit *edit, GobanRun *run, GError **error)
{
  GobanEditWords words;
  gboolean is_taken;

  g_return_val_if_fail (GOBAN_IS_SESSION (self) && edit != NULL && GOBAN_IS_RUN (run), FALSE);

  words = goban_edit_find_words (edit, goban_view_get_words (goban_session_get_view (self)));
  is_taken = goban_session_add_worded_edit (self, edit, run, &words, error);
  goban_edit_words_clear (&words);
  return is_taken;
}

/* --- the cluster ------------------------------------------------------------------------------ */

/* FALSE, with a message, if no plan of the open graph would make sense on @cluster. */
static gboolean
check_chosen (GobanSession *self, GobanCluster *cluster)
{
  g_autofree char *warning = NULL;
  g_autoptr (GError) error = NULL;
  GobanGraph *graph = goban_session_get_graph (self);

  if (graph == NULL || goban_cluster_check_times (cluster, graph, &warning, &error))
    return TRUE;
  goban_session_say (self, TRUE, "%s", error->message);
  return FALSE;
}

void
goban_session_set_cluster (GobanSession *self, GobanCluster *cluster)
{
  g_autoptr (GobanClusterWork) work = NULL;

  g_return_if_fail (GOBAN_IS_SESSION (self) && cluster != NULL);

  if (!check_chosen (self, cluster))
    return;
  goban_session_prefer_cluster (self, cluster);
  work = goban_cluster_work_new (self);
  goban_cluster_work_add_cluster (work, cluster);
  goban_cluster_work_run (work);
  goban_cluster_work_take (work, self);
}

gboolean
goban_session_what_if (GobanSession *self, const GobanWhatIf *change, GError **error)
{
  g_autoptr (GobanClusterWork) work = goban_cluster_work_new (self);

  if (!goban_cluster_work_add (work, change, error))
    return FALSE;

  goban_cluster_work_run (work);
  goban_cluster_work_take (work, self);
  return TRUE;
}

gboolean
goban_session_set_device (GobanSession *self, GobanDeviceId device, const char *what, double value,
                          GError **error)
{
  const GobanWhatIf change = { .from = device, .what = what, .value = value };

  return goban_session_what_if (self, &change, error);
}

gboolean
goban_session_set_link (GobanSession *self, guint from, guint to, const char *what, double value,
                        GError **error)
{
  const GobanWhatIf change
      = { .is_link = TRUE, .from = from, .to = to, .what = what, .value = value };

  return goban_session_what_if (self, &change, error);
}

GobanCluster *
goban_session_get_origin (GobanSession *self)
{
  g_return_val_if_fail (GOBAN_IS_SESSION (self), NULL);

  return goban_session_get_state (self)->origin;
}

/* --- pins ------------------------------------------------------------------------------------- */

void
goban_session_pin (GobanSession *self, GobanSelection *nodes, gboolean is_pinned)
{
  GobanGraph *graph;
  GobanState *state;
  GobanState *next;
  g_autoptr (GobanSelection) pinned = NULL;
  g_autofree char *what = NULL;
  g_autofree char *name = NULL;
  g_autofree char *text = NULL;
  g_autofree char *line = NULL;

  g_return_if_fail (GOBAN_IS_SESSION (self) && nodes != NULL);

  graph = goban_session_get_graph (self);
  state = goban_session_get_state (self);
  pinned = is_pinned ? goban_selection_union (state->pinned, nodes)
                     : goban_selection_difference (state->pinned, nodes);
  if (goban_selection_equal (pinned, state->pinned))
    return;

  what = goban_edit_describe_nodes (graph, nodes);
  name = g_strdup_printf ("%s %s", is_pinned ? "pin" : "unpin", what);
  next = goban_state_copy (state);
  goban_state_set_pinned (next, pinned);
  goban_session_commit (self, name, next);

  text = goban_set_words_to_lua (goban_view_get_words (goban_session_get_view (self)), graph, nodes,
                                 goban_session_get_current_run (self));
  line = g_strdup_printf ("%s:%s()", text, is_pinned ? "pin" : "unpin");
  goban_session_log (self, line);
}
