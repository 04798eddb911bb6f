/* pbtxt-edit.h: copies of protobuf's text format in which a field of nested messages is changed.
 *
 * All else keeps its characters, comments and unknown fields included.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The value of the field in the message number @i, quotes and all; (transfer full). */
typedef char *(*GobanPbtxtValue) (gsize i, gpointer user_data);

typedef struct
{
  const char *const *path;   /* names of nested messages, ended by NULL: "graph_def", "node" */
  gboolean is_first_only;    /* only the first message of the first name */
  const char *field;         /* "device" */
  const char *const *before; /* fields that it follows, ended by NULL: "name", "op" */
  GobanPbtxtValue get_value;
  gpointer user_data;
} GobanPbtxtEdit;

/* @text must be well-formed. (transfer full) */
GString *goban_pbtxt_edit (const char *text, gsize size,
                           const GobanPbtxtEdit *edit) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
