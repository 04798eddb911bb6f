/* dot-label.h: parser of the node labels in DOT files written by XLA and PipeDream.
 *
 * XLA: "convert.1402 \n f32[30522,16]", the name, a backslash and an n, the shape and sometimes the
 * start of the instruction. PipeDream: a description, a line end, and
 * "[forward_compute_time=...,...]". Any other label is ignored.
 */
#pragma once

#include "engine/io/pipedream-fields.h"

G_BEGIN_DECLS

#define GOBAN_DOT_MAX_DIMS 32

typedef struct
{
  char *op; /* owned, (nullable) */
  gboolean has_fields;
  GobanPipedreamFields fields; /* of PipeDream */
  gboolean has_shape;
  double size_bytes; /* of XLA; of all parts if it is a tuple */
  char dtype[8];     /* "" for a tuple */
  gint64 dims[GOBAN_DOT_MAX_DIMS];
  guint n_dims;
} GobanDotLabel;

/* Never fails: unknown parts are ignored. Clear @self afterwards. */
void goban_dot_label_parse (GobanDotLabel *self, const char *label);
void goban_dot_label_clear (GobanDotLabel *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (GobanDotLabel, goban_dot_label_clear)

G_END_DECLS
