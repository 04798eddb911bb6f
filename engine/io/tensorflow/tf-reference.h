/* tf-reference.h: inputs of TensorFlow nodes, parsed, in a graph or in a function. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* A parsed "NAME" or "NAME:PORT", in functions "ARG" or "NODE:OUTPUT:NUMBER". Owns its texts. */
typedef struct
{
  char *name;
  char *output; /* "" for none */
  guint32 port;
  gboolean is_control;
} GobanTfReference;

GobanTfReference goban_tf_reference_parse (const char *text) G_GNUC_WARN_UNUSED_RESULT;
void goban_tf_reference_clear (GobanTfReference *self);

/* The number of the first output of that name among those of an operator; 0 for names that are not
 * known here. */
guint32 goban_tf_find_output (const char *op, const char *name);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (GobanTfReference, goban_tf_reference_clear)

G_END_DECLS
