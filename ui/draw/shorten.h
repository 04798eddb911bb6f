/* shorten.h: texts shortened to a width between their words and parts, never inside a word.
 *
 * A text is cut at a space, at a separator of names ("/", "_", ".", "-") or before a capital
 * that follows a small letter. Only one long word is cut inside, and then between characters as
 * people count them: a letter keeps its accents. Any thread.
 */
#pragma once

#include <pango/pango.h>

typedef enum
{
  GOBAN_KEEP_START, /* "Mixed_6c/branch…": sentences, and names that differ at their start */
  GOBAN_KEEP_END,   /* "…/branch7x7_3/relu": nodes, whose names differ at their end */
  GOBAN_KEEP_ENDS,  /* "incep…v3.onnx": files, cut inside words; of layouts alone */
} GobanKeep;

/* Width of bytes @from to @to of the text, in the unit of the room. More of a text is never
 * narrower. */
typedef double (*GobanExtent) (gsize from, gsize to, gpointer user_data);

/* @text, in valid UTF-8, shortened: of the pieces that are no wider than @room the longest one,
 * with an ellipsis, for which @room leaves out its width. At least one character stays. (transfer
 * full) */
char *goban_shorten (const char *text, GobanKeep keep, double room, GobanExtent extent,
                     gpointer user_data) G_GNUC_WARN_UNUSED_RESULT;

/* @text, of any bytes, in valid UTF-8 and with at most @max_chars characters of its kept end and an
 * ellipsis. For names from files, which can be megabytes long, before they are shown where Pango
 * would shape all of them. (transfer full) */
char *goban_cut_long (const char *text, GobanKeep keep, gsize max_chars) G_GNUC_WARN_UNUSED_RESULT;

/* More characters of a text than @width pixels show in a font of this size. */
gsize goban_count_shown_chars (double width, double font_px);

/* Width of a text, in the unit of the room. */
typedef double (*GobanMeasure) (const char *text, gpointer user_data);

/* A path shortened to @room: "…/block/relu", as many of its last parts as fit, or both ends of the
 * last part, "bran…bl_2". @max_chars: more than fit. (transfer full) */
char *goban_shorten_path (const char *name, double room, gsize max_chars, GobanMeasure width_of,
                          gpointer user_data) G_GNUC_WARN_UNUSED_RESULT;

/* @text, in valid UTF-8, with a zero-width space behind each separator of names: wrapped,
 * "gradients/coarse" breaks behind the "/". (transfer full) */
char *goban_dup_breakable (const char *text) G_GNUC_WARN_UNUSED_RESULT;

/* Sets the text of @layout, of one line, shortened if it is wider than @width pixels. Returns
 * whether it is. */
gboolean goban_shorten_layout (PangoLayout *layout, const char *text, GobanKeep keep, int width);
