/* torch-sizes.h: open extents of an exported program of PyTorch: names and expressions of them.
 *
 * An extent is a number, or an expression such as "2*s0 + 1" with the value that it had for the
 * example inputs. A name has the value of its example; without one, 1 if it is the batch and else
 * 128, within the range that the file allows. A batch that is asked for replaces the value of the
 * first extent of the first input, and so of all expressions with it.
 */
#pragma once

#include "engine/core/json-reader.h"
#include "engine/graph/graph-builder.h"

G_BEGIN_DECLS

typedef struct
{
  GHashTable *names; /* to a gint64 */
  GPtrArray *order;  /* the names as they came, owned by the table */
  guint n_unknown;   /* expressions that could not be evaluated */
  guint n_kept;      /* the same, but with the example's value, which is of another batch */
  gboolean is_other; /* the batch is not the example's */
} GobanTorchSizes;

void goban_torch_sizes_init (GobanTorchSizes *self);
void goban_torch_sizes_clear (GobanTorchSizes *self);

/* Notes the name of @size, `{"as_expr": {"expr_str", "hint"}}`, if it is a single one. @ranges: the
 * file's `range_constraints`, which may be missing. */
void goban_torch_sizes_add (GobanTorchSizes *self, GobanJsonValue size, GobanJsonValue ranges);

/* Sets a name's value, for the batch. FALSE if @size is not a single name. */
gboolean goban_torch_sizes_set (GobanTorchSizes *self, GobanJsonValue size, gint64 value);

/* The extent that @size is; -1 if it is unknown. FALSE with an error if it is no extent. */
gboolean goban_torch_sizes_read (GobanTorchSizes *self, GobanJsonValue size, gint64 *extent,
                                 GError **error);

/* Reports the values of open extents. */
void goban_torch_sizes_warn (const GobanTorchSizes *self, GobanGraphBuilder *builder);

G_END_DECLS
