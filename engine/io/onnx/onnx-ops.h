/* onnx-ops.h: rules per ONNX operator: shapes, values and costs of its outputs.
 *
 * One table of rules, spread over the onnx-ops-*.c files by kind. A rule gets one node as a
 * GobanOnnxOp: its inputs as far as they are known, and its outputs, all unknown, to fill. A rule
 * never fails: it leaves unknown whatever it cannot derive. Files may be wrong; a rule checks ranks
 * and indices before it uses them.
 *
 * Costs count one operation per arithmetic step of the textbook formula and element, with exp, log,
 * sqrt, erf and the like as one step; a multiply-accumulate is two.
 */
#pragma once

#include "engine/io/onnx/onnx-tensor.h"

typedef struct
{
  const Onnx__NodeProto *node;
  gint64 opset; /* of the node's domain */
  guint n_in;
  const GobanOnnxValue **in; /* n_in of them; NULL for an input left out */
  guint n_out;
  GobanOnnxValue *out; /* n_out of them */

  /* The batch that the file was made for if another was requested, else 0; see Reshape. */
  gint64 old_batch;
  gint64 new_batch;
  gboolean adapted; /* the rule replaced the file's old_batch by new_batch */

  double flops;
  double macs;
} GobanOnnxOp;

typedef enum
{
  GOBAN_ONNX_TOUCH_ALL,    /* reads its inputs and writes its outputs whole */
  GOBAN_ONNX_TOUCH_NONE,   /* a view of its input, or made from its shape alone: no bytes move */
  GOBAN_ONNX_TOUCH_OUTPUT, /* reads as much as it writes: a slice, rows of a table */
} GobanOnnxTouch;

typedef struct _GobanOnnxRule GobanOnnxRule;

struct _GobanOnnxRule
{
  const char *op;
  void (*shape) (GobanOnnxOp *op);
  /* Fills flops and macs from shapes that are complete; NULL: @steps per element of output 0. */
  void (*cost) (GobanOnnxOp *op, const GobanOnnxRule *rule);
  double steps;
  GobanOnnxTouch touch;
  /* (nullable): the values of small outputs, see onnx-fold.h */
  void (*fold) (GobanOnnxOp *op);
};

typedef struct
{
  const GobanOnnxRule *rules;
  gsize n;
} GobanOnnxRules;

extern const GobanOnnxRules goban_onnx_rules_contrib;
extern const GobanOnnxRules goban_onnx_rules_conv;
extern const GobanOnnxRules goban_onnx_rules_element;
extern const GobanOnnxRules goban_onnx_rules_index;
extern const GobanOnnxRules goban_onnx_rules_matrix;
extern const GobanOnnxRules goban_onnx_rules_reduce;
extern const GobanOnnxRules goban_onnx_rules_sequence;
extern const GobanOnnxRules goban_onnx_rules_shape;

/* From op type to rule; g_hash_table_unref() it. */
GHashTable *goban_onnx_rules_new (void) G_GNUC_WARN_UNUSED_RESULT;
/* NULL if there is none, as for every domain but ONNX's own and ONNX Runtime's. */
const GobanOnnxRule *goban_onnx_rules_find (GHashTable *rules, const Onnx__NodeProto *node);

/* --- attributes ---------------------------------------------------------- */

const Onnx__AttributeProto *goban_onnx_attr (const GobanOnnxOp *op, const char *name);
gint64 goban_onnx_attr_int (const GobanOnnxOp *op, const char *name, gint64 fallback);
gboolean goban_onnx_attr_is (const GobanOnnxOp *op, const char *name, const char *value);
/* The i-th of a list, @fallback if the list is missing or shorter. */
gint64 goban_onnx_attr_at (const GobanOnnxOp *op, const char *name, gsize i, gint64 fallback);

/* --- inputs and outputs -------------------------------------------------- */

/* NULL if left out. */
const GobanOnnxValue *goban_onnx_in (const GobanOnnxOp *op, guint i);
/* NULL if left out or of unknown rank. */
const GobanOnnxValue *goban_onnx_in_ranked (const GobanOnnxOp *op, guint i);
/* The extent of an axis that may count from the end; -1 if unknown. */
gint64 goban_onnx_dim (const GobanOnnxValue *value, gint64 axis);
/* Into 0..rank-1; -1 if it is out of range. */
int goban_onnx_axis (double axis, guint rank);

/* Fills output @i, if the node has it. @n over GOBAN_ONNX_MAX_DIMS leaves it unknown. */
void goban_onnx_set (GobanOnnxOp *op, guint i, int dtype, const gint64 *dims, guint n);
/* The same with the shape of @like, which may be NULL: then only the type is known. */
void goban_onnx_set_like (GobanOnnxOp *op, guint i, int dtype, const GobanOnnxValue *like);
void goban_onnx_set_dtype (GobanOnnxOp *op, guint i, int dtype);
int goban_onnx_in_dtype (const GobanOnnxOp *op, guint i);

/* A list that older opsets have as attribute @name and newer ones as input @i. */
typedef struct
{
  gboolean is_present;
  gboolean is_known; /* present and all elements known */
  guint n;
  double values[GOBAN_ONNX_MAX_DIMS * 2];
} GobanOnnxList;

GobanOnnxList goban_onnx_list (const GobanOnnxOp *op, const char *name, guint i);
/* Axes of a value of @rank as a bit set; FALSE if unknown or out of range. */
gboolean goban_onnx_axes (const GobanOnnxList *list, guint rank, guint32 *axes);

/* Two extents broadcast as in numpy; -1 if unknown. */
gint64 goban_onnx_broadcast_extent (gint64 a, gint64 b);
/* Shape of inputs first..n_in-1 broadcast together; FALSE if a rank is unknown. */
gboolean goban_onnx_broadcast (const GobanOnnxOp *op, guint first, GobanOnnxValue *shape);

/* Output 0 is like input 0. */
void goban_onnx_shape_same (GobanOnnxOp *op);
/* @rule's steps per element of input 0. */
void goban_onnx_cost_input (GobanOnnxOp *op, const GobanOnnxRule *rule);
