/* shorten.h: texts shortened to a width between their words and parts, never inside a word.
 *
 * A text is cut at a space, at a separator of names ("/", "_", ".", "-") or before a capital
 * that follows a small letter. Only one long word is cut inside, and then between characters as
 * people count them: a letter keeps its accents. Any thread.
 */
#pragma once

#include <pango/pango.h>

G_BEGIN_DECLS

typedef enum
{
  GOBAN_KEEP_START, /* "Mixed_6c/branch…": sentences, and names that differ at their start */
  GOBAN_KEEP_END,   /* "…/branch7x7_3/relu": nodes, whose names differ at their end */
} GobanKeep;

/* Width of bytes @from to @to of the text, in the unit of the room. */
typedef double (*GobanExtent) (gsize from, gsize to, gpointer user_data);

/* @text, in valid UTF-8, shortened: of the pieces that are no wider than @room the longest one,
 * with an ellipsis, for which @room leaves out its width. At least one character stays. (transfer
 * full) */
char *goban_shorten (const char *text, GobanKeep keep, double room, GobanExtent extent,
                     gpointer user_data) G_GNUC_WARN_UNUSED_RESULT;

/* @text, in valid UTF-8, with a zero-width space behind each separator of names: wrapped,
 * "gradients/coarse" breaks behind the "/". (transfer full) */
char *goban_dup_breakable (const char *text) G_GNUC_WARN_UNUSED_RESULT;

/* Sets the text of @layout, of one line, shortened if it is wider than @width pixels. Returns
 * whether it is. */
gboolean goban_shorten_layout (PangoLayout *layout, const char *text, GobanKeep keep, int width);

G_END_DECLS
