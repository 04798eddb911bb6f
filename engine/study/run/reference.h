/* reference.h: the nodes or the run behind a point of a figure or a row of a table.
 *
 * Owned by its list; not changed once it is shared. Any thread.
 */
#pragma once

#include "engine/study/run/run.h"
#include "engine/study/run/selection.h"

typedef struct _GobanReference
{
  GobanGraph *graph;     /* (nullable): of the nodes */
  GobanSelection *nodes; /* (nullable) */
  GobanRun *run;         /* (nullable) */
} GobanReference;

/* References are taken. @graph and @nodes (nullable): both or none. @run: (nullable) */
GobanReference *goban_reference_new (GobanGraph *graph, GobanSelection *nodes,
                                     GobanRun *run) G_GNUC_WARN_UNUSED_RESULT;
void goban_reference_free (GobanReference *self);

/* A list of references, some of which may be NULL. (transfer full) */
GPtrArray *goban_references_new (void) G_GNUC_WARN_UNUSED_RESULT;

/* All nodes of some references (borrowed, nullable), if they are of one graph; else, the first
 * reference. (transfer full) (nullable): NULL if there is nothing behind any of them. */
GobanReference *goban_reference_new_union (const GobanReference *const *references,
                                           guint n) G_GNUC_WARN_UNUSED_RESULT;
