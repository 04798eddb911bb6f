/* dot-edits.h: insertions into a DOT text after which cgraph can parse it.
 *
 * cgraph's parser keeps every link of a chain "a -> b -> c" on a stack of 10,000 entries, and its
 * scanner takes time by the square of a string's length. Equal texts without these limits:
 * - "a -> b [w=1]; b -> c [w=1]" for a chain. A group in braces is repeated by its name, without
 *   its contents: "a -> subgraph x {b c} -> d" becomes "a -> subgraph x {b c}; subgraph x {} -> d".
 * - a backslash and a line end within a string, which the scanner skips.
 * "#line" restores the number of the line wherever line ends were inserted.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define GOBAN_DOT_NO_STATEMENT G_MAXUINT32

/* The last operand of a chain that was read: nodes, or a group. */
typedef struct
{
  gsize from;
  gsize to;
  gsize brace; /* of a group: where it opens */
  gboolean is_group;
  gboolean is_subgraph; /* begins with that word */
  gboolean is_named;
} GobanDotOperand;

typedef struct
{
  GArray *edits;
  GArray *statements; /* attributes of those that are cut */
  guint n_groups;     /* that were given a name */
} GobanDotEdits;

void goban_dot_edits_init (GobanDotEdits *self);
void goban_dot_edits_clear (GobanDotEdits *self);

/* Inserts the @text, which is borrowed, if it is not %NULL; then the number of the line, unless a
 * break follows. */
void goban_dot_edits_break (GobanDotEdits *self, gsize at, const char *text, gboolean ends_line);

/* Cuts the chain behind @operand, which the next piece repeats. @statement: (inout): of the chain,
 * or GOBAN_DOT_NO_STATEMENT before its first cut. */
void goban_dot_edits_cut (GobanDotEdits *self, const GobanDotOperand *operand, guint32 *statement);

/* The attributes of a chain, in brackets, which all its pieces have. */
void goban_dot_edits_set_attributes (GobanDotEdits *self, guint32 statement, gsize from, gsize to);

/**
 * goban_dot_edits_apply:
 * @size: of the text up to the end of the graph
 *
 * Returns: (transfer full) (nullable): %NULL if nothing is inserted, and with
 *   %GOBAN_ERROR_UNSUPPORTED set if the text would grow out of proportion
 */
GString *goban_dot_edits_apply (GobanDotEdits *self, const char *text, gsize size, const char *path,
                                GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (GobanDotEdits, goban_dot_edits_clear)

G_END_DECLS
