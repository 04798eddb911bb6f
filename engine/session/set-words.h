/* set-words.h: shortest exact description of a set of nodes, for lines of the log.
 *
 * Names where there are few, else ranges of ids; where those are long, what is shorter: groups by
 * scope or those that are shown, the query that found the set, or all but some. Each replays to the
 * same set: groups are of the graph alone, and a query that asks for a run is used only while that
 * run is the one in view. A view owns one (view.h). Main thread.
 */
#pragma once

#include "engine/session/hierarchy.h"
#include "engine/session/run.h"

G_BEGIN_DECLS

GobanSetWords *goban_set_words_new (void) G_GNUC_WARN_UNUSED_RESULT;
void goban_set_words_free (GobanSetWords *self);

/* The groups by scope of @graph, made if they are not known; borrowed until another graph's are asked for. */
GobanHierarchy *goban_set_words_get_scopes (GobanSetWords *self, GobanGraph *graph);
/* The same by another grouping that depends on the graph alone, see goban_set_words_knows(). (transfer full) */
GobanHierarchy *goban_set_words_ref_groups (GobanSetWords *self, GobanGraph *graph,
                                            GobanGrouping grouping) G_GNUC_WARN_UNUSED_RESULT;
/* Whether the log may name groups of that kind: fusions change with the plan, and AUTO with the program. */
gboolean goban_set_words_knows (GobanGrouping grouping);

/* What is shown now: its groups are known from here on, and named if they are of a kind that may be. */
void goban_set_words_offer_groups (GobanSetWords *self, GobanGraph *graph,
                                   GobanHierarchy *hierarchy);

/* @nodes of @graph are all that @query finds, of @run (nullable) if it asks for one. The latest is remembered. */
void goban_set_words_remember (GobanSetWords *self, GobanGraph *graph, GobanSelection *nodes,
                               const char *query, GobanRun *run);

/* "g:nodes{\"a\"}", "g:inside{\"enc\", \"dec\"}", "g:inside(\"use 3\", \"use\")", "(g:nodes() - g:nodes \"3-5\")", of nodes in @run (nullable).
 * @self: (nullable): then names or ranges. (transfer full) */
char *goban_set_words_to_lua (GobanSetWords *self, GobanGraph *graph, const GobanSelection *nodes,
                              GobanRun *run) G_GNUC_WARN_UNUSED_RESULT;

/* For a worker that speaks of nodes of @graph in @run (nullable): what is known now and holds for them. (transfer full) */
GobanSetWords *goban_set_words_copy_for (GobanSetWords *self, GobanGraph *graph,
                                         GobanRun *run) G_GNUC_WARN_UNUSED_RESULT;

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanSetWords, goban_set_words_free)

G_END_DECLS
