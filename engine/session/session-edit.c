#include "engine/session/session-edit.h"

#include "engine/core/error.h"
#include "engine/session/cluster-work.h"
#include "engine/session/session-log.h"
#include "engine/session/session-private.h"
#include "engine/session/session-runs.h"
#include "engine/session/state-cluster.h"

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

/* @known: (nullable): the current run on @cluster; @is_origin: the cluster is no change of the one
 * before. */
static void
take_cluster (GobanSession *self, const char *name, const char *line, GobanCluster *cluster,
              GobanRun *known, gboolean is_origin)
{
  guint n_dropped;
  GobanState *next
      = goban_state_with_cluster (goban_session_get_state (self), cluster, known, &n_dropped);

  /* A return to the original cluster is not a new choice of one. */
  if (is_origin && cluster != goban_session_get_state (self)->origin)
    goban_state_set_chosen (next);
  goban_session_commit_cluster (self, name, line, next, n_dropped);
}

GobanEditWords
goban_edit_find_words (const GobanEdit *edit, GobanSetDescription *words)
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

/* FALSE with @error set if the plan to change has changed meanwhile. */
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

  /* A line of the log refers to the shown run. */
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

  g_return_val_if_fail (GOBAN_IS_SESSION (self) && edit != NULL && run != NULL, FALSE);

  words = goban_edit_find_words (edit, goban_view_get_words (goban_session_get_view (self)));
  is_taken = goban_session_add_worded_edit (self, edit, run, &words, error);
  goban_edit_words_clear (&words);
  return is_taken;
}

/* --- pins ------------------------------------------------------------------------------------- */

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
