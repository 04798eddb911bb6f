#include "engine/session/session-graph.h"

#include "engine/machine/cluster/what-if.h"
#include "engine/session/compare-set-graphs.h"
#include "engine/session/session-log.h"
#include "engine/session/session-marks.h"
#include "engine/session/session-private.h"
#include "engine/session/state-cluster.h"

static void
keep_known (GobanSession *self, GobanCluster *own)
{
  goban_cluster_ref (own);
  g_clear_pointer (&self->known, goban_cluster_unref);
  self->known = own;
}

GobanCluster *
goban_session_get_known_cluster (GobanSession *self)
{
  return self->known;
}

GobanCluster *
goban_session_get_cluster_for (GobanSession *self, GobanGraph *graph)
{
  g_autoptr (GobanCluster) own = NULL;

  g_return_val_if_fail (GOBAN_IS_SESSION (self) && graph != NULL, NULL);

  if (graph == self->graph)
    return self->state->cluster;
  if (!self->state->is_chosen)
    own = goban_own_cluster_dup (graph, self->known);
  if (own == NULL)
    return self->state->usual != NULL ? self->state->usual : self->state->cluster;

  keep_known (self, own);
  return self->known;
}

void
goban_session_prefer_cluster (GobanSession *self, GobanCluster *cluster)
{
  GobanState *next;

  g_return_if_fail (GOBAN_IS_SESSION (self) && cluster != NULL);

  if (!goban_what_if_is_same (self->state->cluster, cluster))
    return;

  next = goban_state_copy (self->state);
  goban_state_set_chosen (next);
  goban_session_become (self, next);
}

void
goban_session_set_usual_cluster (GobanSession *self, GobanCluster *cluster)
{
  g_return_if_fail (GOBAN_IS_SESSION (self) && cluster != NULL);

  goban_session_become (self, goban_state_with_usual_cluster (self->state, cluster));
}

void
goban_session_replace_graph (GobanSession *self, GobanGraph *graph, const char *path,
                             GobanState *fresh)
{
  g_autoptr (GobanSelection) nothing = goban_selection_new (NULL, 0);
  GobanState *empty;

  if (self->graph == NULL || goban_graph_get_n_nodes (self->graph) <= GOBAN_COMPARE_OTHER_NODES)
    goban_compare_set_keep_other (self->compared, self->state->current, graph);
  goban_session_get_log (self); /* while the words for its nodes are known */
  /* Whatever points into the old graph goes before the graph does. */
  while (goban_session_drop_edit (self))
    ;
  empty = goban_state_copy (self->state);
  goban_state_clear (empty);
  goban_compare_set_reset (self->compared);
  goban_session_become (self, empty);
  goban_session_keep_selection (self, nothing);
  goban_view_reset (self->view);
  self->has_draft = FALSE;
  /* A graph that is read again is the one that the notes are about. */
  if (self->graph == NULL || goban_graph_get_hash (self->graph) != goban_graph_get_hash (graph))
    goban_session_keep_notes (self, "");

  goban_graph_ref (graph);
  g_clear_pointer (&self->graph, goban_graph_unref);
  self->graph = graph;
  g_free (self->path);
  self->path = g_strdup (path);
  if (fresh->usual != NULL)
    keep_known (self, fresh->cluster);
  goban_session_become (self, fresh);
  goban_session_notify (self, GOBAN_SESSION_PROP_GRAPH);
  goban_session_notify_names (self);
}

void
goban_session_take_graph (GobanSession *self, GobanGraph *graph, const char *path,
                          GobanState *fresh)
{
  if (self->graph != NULL)
    g_signal_emit_by_name (self, "replacing");
  goban_session_forget_derived (self);
  goban_history_clear (self->history);
  goban_session_replace_graph (self, graph, path, fresh);
}

void
goban_session_set_graph (GobanSession *self, GobanGraph *graph, const char *path)
{
  g_return_if_fail (GOBAN_IS_SESSION (self) && graph != NULL);

  goban_session_take_graph (self, graph, path,
                            goban_state_for_graph (self->state, graph, self->known, FALSE));
}

void
goban_session_restore (GobanSession *self, GobanGraph *graph, const char *path,
                       const GobanState *state)
{
  g_autoptr (GobanCluster) origin = goban_what_if_guess_origin (state->cluster);
  GobanState *own = goban_state_copy (state);

  goban_state_set_origin (own, origin);
  goban_session_set_graph (self, graph, path);
  own->is_chosen = self->state->is_chosen;
  if (self->state->usual != NULL && goban_what_if_is_same (origin, self->state->origin))
    own->usual = goban_cluster_ref (self->state->usual);
  else if (self->state->usual != NULL)
    own->is_chosen = TRUE;
  goban_session_become (self, own);
}
