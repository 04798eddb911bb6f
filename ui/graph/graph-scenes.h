/* graph-scenes.h: scenes of several runs of one graph, kept while they are looked at by turns.
 *
 * Making one of 80,000 nodes takes 20 ms, showing another that is there nothing. Reference-counted; main
 * thread.
 */
#pragma once

#include "engine/session/session.h"
#include "ui/draw/graph-plot.h"

G_BEGIN_DECLS

typedef struct _GobanGraphScenes GobanGraphScenes;

GobanGraphScenes *goban_graph_scenes_new (GobanSession *session) G_GNUC_WARN_UNUSED_RESULT;
GobanGraphScenes *goban_graph_scenes_ref (GobanGraphScenes *self);
void goban_graph_scenes_unref (GobanGraphScenes *self);

/* What @plot shows of @run, filled by what the session's view colours by; borrowed until one of the calls below. (nullable): %NULL
 * where the run is of another graph. */
GobanGraphScene *goban_graph_scenes_get (GobanGraphScenes *self, GobanRun *run, GobanPlot *plot);

/* Fills all anew. */
void goban_graph_scenes_recolour (GobanGraphScenes *self);
/* Forgets all but those of @runs (GobanRun). */
void goban_graph_scenes_keep (GobanGraphScenes *self, GPtrArray *runs);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanGraphScenes, goban_graph_scenes_unref)

G_END_DECLS
