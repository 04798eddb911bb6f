/* name-words.h: index of the units by the words of their names.
 *
 * A node named "decoder/layer_2/step_7/MatMul" is under the words "decoder", "layer_2" and
 * "step_7", at any position in the name. So a word gathers a layer over all steps, or a step over
 * all layers. The last part of a name is the op's own. Read-only once made.
 */
#pragma once

#include "engine/placers/units.h"

G_BEGIN_DECLS

typedef struct
{
  guint n_words;
  guint32 *word_offsets; /* (n_words + 1) into units */
  guint32 *units;        /* under each word, ascending */
  guint32 *unit_offsets; /* (n_units + 1) into words */
  guint32 *words;        /* of each unit; words are numbered as they are met */
} GobanNameWords;

/* O(length of all names). */
GobanNameWords *goban_name_words_new (const GobanUnits *units) G_GNUC_WARN_UNUSED_RESULT;
void goban_name_words_free (GobanNameWords *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanNameWords, goban_name_words_free)

G_END_DECLS
