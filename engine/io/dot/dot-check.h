/* dot-check.h: checks of a DOT text before it is passed to cgraph.
 *
 * cgraph trusts its input: it parses groups by recursion, keeps a slot on every node for every
 * attribute named anywhere, and makes n * m edges of {n nodes} -> {m nodes}. A few hundred bytes
 * could ask for gigabytes, so the text is scanned once first. A node takes 700 bytes while
 * it is read, and those of the text: the number of nodes has a bound of its own. Chains and strings
 * that are too long for cgraph are changed as dot-check.c describes.
 *
 * Decision E10 (engine/NOTES.md).
 */
#pragma once

#include <glib.h>

/* Different nodes of a file of DOT or GXL. */
#define GOBAN_DOT_MAX_NODES 1000000

/* Sets %GOBAN_ERROR_UNSUPPORTED, with the bound. Returns %FALSE. */
gboolean goban_dot_refuse_nodes (const char *path, GError **error);

typedef struct
{
  gsize end; /* of the first graph */
  GString
      *split; /* (nullable): an equal text, which cgraph can read where it cannot read this one */
} GobanDotChecked;

/**
 * goban_dot_check:
 * @checked: (out): to be cleared if there is no error
 *
 * Brackets, strings and comments end, groups are nested at most a few hundred deep, there are at
 * most GOBAN_DOT_MAX_NODES nodes, and the graph is not out of all proportion to the text. Says
 * nothing of the syntax otherwise.
 *
 * Returns: %FALSE with %GOBAN_ERROR_PARSE or %GOBAN_ERROR_UNSUPPORTED set
 */
gboolean goban_dot_check (const char *text, gsize size, const char *path, GobanDotChecked *checked,
                          GError **error);
void goban_dot_checked_clear (GobanDotChecked *self);

/* Start of the first token, past spaces, comments and lines of the preprocessor. */
gsize goban_dot_skip_blanks (const char *text, gsize size, gsize start);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (GobanDotChecked, goban_dot_checked_clear)
