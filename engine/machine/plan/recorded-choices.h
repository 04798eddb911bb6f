/* recorded-choices.h: choices of a placement record: a growing draft, then columns to be read.
 *
 * A column that would be the same for all choices is left out, and arrays have no spare room: runs
 * keep their records as long as they live. Immutable once packed: any thread may read them.
 */
#pragma once

#include "engine/machine/plan/placement-record.h"

G_BEGIN_DECLS

/* --- an attempt to choose for all nodes ------------------------------------------------------- */

typedef struct _GobanChoiceDraft GobanChoiceDraft;

GobanChoiceDraft *goban_choice_draft_new (const GobanChoiceWords *words, guint n_nodes,
                                          guint n_devices) G_GNUC_WARN_UNUSED_RESULT;
void goban_choice_draft_free (GobanChoiceDraft *self);

/* Adds a choice. @candidates, @refusals: (n_devices) (nullable), in place of the choice's own, as
 * its length is; the oldest of them are dropped if there are too many. */
void goban_choice_draft_add (GobanChoiceDraft *self, const GobanPlacementChoice *choice,
                             const float *candidates, const guint8 *refusals);

/* --- its columns ------------------------------------------------------------------------------ */

typedef struct _GobanPackedChoices GobanPackedChoices;

/* Consumes the draft; @n_nodes: of the graph. (transfer full) */
GobanPackedChoices *goban_choice_draft_pack (GobanChoiceDraft *draft,
                                             guint n_nodes) G_GNUC_WARN_UNUSED_RESULT;
void goban_packed_choices_free (GobanPackedChoices *self);

guint goban_packed_choices_get_n (const GobanPackedChoices *self);
guint goban_packed_choices_get_n_dropped (const GobanPackedChoices *self);
const GobanChoiceWords *goban_packed_choices_get_words (const GobanPackedChoices *self);
/* Choice @i, from 0. */
GobanPlacementChoice goban_packed_choices_get (const GobanPackedChoices *self, guint i);
/* The choice that decided a node, from 1; 0: none. The first call indexes all, O(N). */
guint goban_packed_choices_find (const GobanPackedChoices *self, GobanNodeId node);
gsize goban_packed_choices_get_n_bytes (const GobanPackedChoices *self);

G_END_DECLS
