/* note-links.h: candidate links in the text of notes: words and bracketed names. Plain values; any
 * thread. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct
{
  gsize from; /* in bytes, of the whole mention with brackets and "plan:" */
  gsize to;
  char *name;
  gboolean is_plan;
  gboolean is_bracketed;
} GobanNoteName;

/* (element-type GobanNoteName) (transfer full): every word and every bracketed text, in order. A
 * dot or a colon at the end of a word is punctuation. */
GArray *goban_note_names (const char *text) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
