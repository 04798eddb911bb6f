/* name-parts.h: splitting of node names into scopes, and detection of numbered scopes.
 *
 *   "encoder/layer_3/lstm/MatMul"   a name with '/' is cut there and nowhere else
 *   "encoder.layer.3.query.bias"    one without is cut at dots; a number belongs to the word before
 *                                   it
 *   "net_stage2_conv3_fwd"          in a graph without any '/', after numbered words
 *
 * A scope's path is the beginning of the names in it, so a name is cut by offsets alone.
 */
#pragma once

#include <glib.h>

typedef enum
{
  GOBAN_CUT_NOWHERE,
  GOBAN_CUT_SLASHES,
  GOBAN_CUT_DOTS,
  GOBAN_CUT_WORDS,
} GobanNameCut;

/* @has_slashes: whether any name of the graph has a '/'. */
GobanNameCut goban_name_cut (const char *name, gsize length, gboolean has_slashes);

/* The end of the scope that begins at @from, with the separators before it; 0 if only the node's
 * own part is left. */
gsize goban_name_scope_end (const char *name, gsize length, gsize from, GobanNameCut cut);

/* The offset after the separators at @from. */
gsize goban_name_skip_separators (const char *name, gsize length, gsize from);

/* TRUE for "layer_3", "block2", "mixed_5b" and "3". @stem: (out): the length of the part before the
 * number. */
gboolean goban_name_is_numbered (const char *part, gsize length, gsize *stem);
/* TRUE if a numbered part of that stem is a time step: "step_3", "t3", "while_3". */
gboolean goban_name_is_step (const char *part, gsize stem);
