/* tape-private.h: recorded ops and gradients of a tape.
 *
 * tape.c records and reads the records backwards; the ops of tape-*.c add to them.
 */
#pragma once

#include "engine/graph/workloads/tape.h"

typedef struct
{
  Shape shape;
  const char *dtype;
  double size_bytes;
  guint32 tensor;   /* the builder's */
  guint32 node;     /* the builder's */
  guint32 gradient; /* the newest of its gradients so far, into gradients, or NO_VALUE */
  guint32 group;    /* of what reads it, or NO_VALUE */
  gboolean needs_gradient;
} TapeValue;

/* One gradient of a value: dense, or rows of a table with their indices. */
typedef struct
{
  Value dx;
  Value indices; /* NO_VALUE: dense */
  guint32 next;  /* an older one of the same value */
} TapeGradientPart;

typedef struct
{
  TapeCall call;         /* without what its caller owns */
  guint32 first_input;   /* into operands */
  const char *node_name; /* the graph's, or an alias's */
} TapeRecord;

typedef struct
{
  const char *name;
  guint32 node;
  Value handle;
  Value value; /* NO_VALUE until it is read */
  Shape shape;
  double element_bytes;
} TapeVariable;

/* What a gradient function has sent, before it is gated. */
typedef struct
{
  Value input;
  Value dx;
  Value indices;
} TapeSent;

/* Edge between two of the builder's nodes. */
typedef struct
{
  guint32 tail;
  guint32 head;
} TapeEdge;

struct _Tape
{
  GobanGraphBuilder *builder;
  gboolean is_training;
  gboolean is_recording;
  gboolean is_modern;
  const char *dtype; /* where a call names none */
  GobanPhase phase;
  GString *scope;        /* ends in '/' unless empty */
  GArray *scope_lengths; /* gsize: before each push */
  GArray *values;        /* TapeValue */
  GArray *records;       /* TapeRecord */
  GArray *operands;      /* Value */
  GArray *variables;     /* TapeVariable */
  GArray *gradients;     /* TapeGradientPart */
  GArray *sent;          /* TapeSent */
  GArray *edges;         /* TapeEdge, in the order of their heads */
  GStringChunk *names;   /* of aliases */
};

static inline TapeValue *
tape_value (const Tape *tape, Value value)
{
  return &g_array_index (tape->values, TapeValue, value);
}

/* The node that was added last. */
static inline guint32
tape_last_node (const Tape *tape)
{
  return goban_graph_builder_get_n_nodes (tape->builder) - 1;
}

/* Sends the part of @dy that is as large as the first input back to it. @begin: name of the
 * constant that says where it begins. */
void tape_send_part (Tape *tape, const TapeCall *call, Value dy, const char *begin);
