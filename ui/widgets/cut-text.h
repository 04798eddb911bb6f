/* cut-text.h: the part of a long text that is shown.
 *
 * GTK takes seconds to lay out a text of megabytes, in the main thread. A text from a file, a
 * script or a program is cut before it becomes a label, a tooltip or output; whoever shows it
 * offers the whole where it can be seen or saved.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct
{
  gsize max_bytes;
  guint max_lines;
} GobanTextBounds;

/* Bounds of a label or a tooltip. */
extern const GobanTextBounds goban_label_bounds;
/* Bounds of a label of one line. */
extern const GobanTextBounds goban_line_bounds;

/* Bytes of the beginning of @text in the bounds: whole characters. Reads no more than those. */
gsize goban_find_cut (const char *text, const GobanTextBounds *bounds);
/* The first of the bytes at the end of @text in the bounds: whole characters. */
gsize goban_find_tail (const char *text, gsize n_bytes, const GobanTextBounds *bounds);

/* Valid UTF-8: @text, or its beginning and an ellipsis. (transfer full) */
char *goban_dup_cut (const char *text, const GobanTextBounds *bounds) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
