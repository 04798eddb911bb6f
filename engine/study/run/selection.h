/* selection.h: a set of nodes: an immutable, reference-counted, ascending list of ids. */
#pragma once

#include "engine/graph/graph.h"

#include <glib-object.h>

typedef struct _GobanSelection GobanSelection;

#define GOBAN_TYPE_SELECTION (goban_selection_get_type ())
GType goban_selection_get_type (void);

/* Copies, sorts and removes duplicates. (transfer full) */
GobanSelection *goban_selection_new (const GobanNodeId *ids, guint n) G_GNUC_WARN_UNUSED_RESULT;
GobanSelection *goban_selection_ref (GobanSelection *self);
void goban_selection_unref (GobanSelection *self);

const GobanNodeId *goban_selection_get_ids (const GobanSelection *self, guint *n);
gboolean goban_selection_contains (const GobanSelection *self, GobanNodeId node);
gboolean goban_selection_equal (const GobanSelection *a, const GobanSelection *b);

/* Set operations. (transfer full) */
GobanSelection *goban_selection_union (const GobanSelection *a,
                                       const GobanSelection *b) G_GNUC_WARN_UNUSED_RESULT;
GobanSelection *goban_selection_intersection (const GobanSelection *a,
                                              const GobanSelection *b) G_GNUC_WARN_UNUSED_RESULT;
GobanSelection *goban_selection_difference (const GobanSelection *a,
                                            const GobanSelection *b) G_GNUC_WARN_UNUSED_RESULT;
/* The nodes of 0..n_nodes-1 that are not in @self. */
GobanSelection *goban_selection_complement (const GobanSelection *self,
                                            guint n_nodes) G_GNUC_WARN_UNUSED_RESULT;

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanSelection, goban_selection_unref)
