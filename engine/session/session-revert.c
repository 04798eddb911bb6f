/* session-revert.c: reverting a part of the difference of two plans, as a change of a session. */
#include "engine/session/attributor.h"

#include "engine/core/error.h"
#include "engine/core/i18n.h"
#include "engine/core/lua-text.h"
#include "engine/session/session-log.h"
#include "engine/session/session-private.h"
#include "engine/session/session-runs.h"
#include "engine/study/log/set-description.h"

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
                          goban_revert_kind_get_word (revert->kind), nodes, label);
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
