/* session-graph.h: opening graphs in a session, and the cluster that each is opened on. */
#pragma once

#include "engine/session/session.h"
#include "engine/session/state.h"

/* Opens @graph, without runs and selection. The cluster is the one that the graph's file names. If
 * it names none, the present one stays, or the one from before a graph with its own cluster. @path
 * (nullable) is displayed. */
void goban_session_set_graph (GobanSession *self, GobanGraph *graph, const char *path);
/* The default cluster for plans of @graph. For the open graph it is the present cluster. For others
 * it is the one chosen by the user, else the one that the graph's file names, else the usual one.
 * Borrowed until the next call. */
GobanCluster *goban_session_get_cluster_for (GobanSession *self, GobanGraph *graph);
/* Marks @cluster, if it is already the present one, as chosen by the user. */
void goban_session_prefer_cluster (GobanSession *self, GobanCluster *cluster);
/* Sets the default cluster for graphs whose files name none. Does not count as a choice of the
 * user, and is not logged. */
void goban_session_set_usual_cluster (GobanSession *self, GobanCluster *cluster);

/* Opens @graph like goban_session_set_graph(). @fresh: (transfer full): the state that
 * goban_state_for_graph() made of it, in any thread */
void goban_session_take_graph (GobanSession *self, GobanGraph *graph, const char *path,
                               GobanState *fresh);

/* (nullable): the last cluster named by a graph's file, borrowed. */
GobanCluster *goban_session_get_known_cluster (GobanSession *self);

/* Opens @graph with a copy of @state as the present of an empty history. @state: of that graph */
void goban_session_restore (GobanSession *self, GobanGraph *graph, const char *path,
                            const GobanState *state);
