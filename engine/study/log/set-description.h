/* set-description.h: shortest exact description of a set of nodes, for lines of the log.
 *
 * Names if there are few, else ranges of ids; if those are long, the shortest of: groups by scope
 * or those that are shown, the query that found the set, or all but some. Each replays to the same
 * set: groups are of the graph alone, and a query that asks for a run is used only while that run
 * is the one in view. A view owns one (view.h). Main thread.
 *
 * Decision E32 (engine/NOTES.md).
 */
#pragma once

#include "engine/study/analysis/hierarchy/hierarchy.h"
#include "engine/study/run/run-origin.h"

typedef struct _GobanSetDescription GobanSetDescription;

GobanSetDescription *goban_set_description_new (void) G_GNUC_WARN_UNUSED_RESULT;
void goban_set_description_free (GobanSetDescription *self);

/* The groups of @graph by scope, computed on first use; borrowed until another graph's are
 * requested. */
GobanHierarchy *goban_set_description_get_scopes (GobanSetDescription *self, GobanGraph *graph);
/* The same for another grouping that depends on the graph alone, see goban_set_description_has().
 * (transfer full) */
GobanHierarchy *goban_set_description_ref_groups (GobanSetDescription *self, GobanGraph *graph,
                                                  GobanGrouping grouping) G_GNUC_WARN_UNUSED_RESULT;
/* Whether the log may use groups of that kind. It may not use those of CLUSTER, which change with
 * the plan, and of AUTO, which may change with the version of the program. */
gboolean goban_set_description_has (GobanGrouping grouping);

/* Sets the hierarchy on display: its groups can be named in the log if they are of an allowed
 * kind. */
void goban_set_description_offer_groups (GobanSetDescription *self, GobanGraph *graph,
                                         GobanHierarchy *hierarchy);

/* Stores the latest query: @nodes of @graph are its result, in @run (nullable) if it needs one. */
void goban_set_description_store (GobanSetDescription *self, GobanGraph *graph,
                                  GobanSelection *nodes, const char *query, GobanRun *run);

/* Returns the shortest expression: "g:nodes{\"a\"}", "g:inside{\"enc\", \"dec\"}", "g:inside(\"use
 * 3\", \"use\")", "(g:nodes() - g:nodes \"3-5\")", of nodes in @run (nullable). @self: (nullable):
 * NULL uses names or ranges only. (transfer full) */
char *goban_set_description_to_lua (GobanSetDescription *self, GobanGraph *graph,
                                    const GobanSelection *nodes,
                                    const GobanRunSource *run) G_GNUC_WARN_UNUSED_RESULT;

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanSetDescription, goban_set_description_free)
