/* hlo-module.h: an XLA module with names and ids resolved to numbers, from text or bytes.
 *
 * Belongs to one reading. Instructions of a computation are consecutive. A tuple's parts are the
 * shapes of its elements; tuples inside tuples count as one part of their total size.
 */
#pragma once

#include <glib.h>

#include "engine/io/hlo.pb-c.h"

#define GOBAN_HLO_NONE G_MAXUINT32
#define GOBAN_HLO_MAX_DIMS 12

typedef struct
{
  char dtype[12]; /* "f32", "" for a tuple or a token */
  guint bits;     /* of an element */
  guint n_dims;
  gint64 dims[GOBAN_HLO_MAX_DIMS]; /* -1: unknown */
  gboolean has_dims;               /* FALSE for tuples, and for more than MAX_DIMS */
  double elements;                 /* NAN if unknown; of a tuple, the sum of its parts */
  double bytes;
} GobanHloShape;

typedef struct
{
  const char *name;
  const char *opcode;
  const char *scope; /* "" or the framework's name of the operation, "jit(f)/layer/dot_general" */
  GobanHloShape shape;
  guint32 first_part; /* among the module's parts */
  guint32 n_parts;    /* 0: not a tuple */
  guint32 first_operand;
  guint32 n_operands;
  guint32 n_controls;   /* control predecessors, behind the operands */
  guint32 first_called; /* among the module's called computations */
  guint32 n_called;
  gint64 tuple_index;
  guint32 contracting;  /* set of the left operand's dimensions that a dot sums over */
  int kernel_output;    /* dimension of a convolution's weights; -1: unknown */
  double window;        /* elements under a window; 1 without */
  gint64 device;        /* the one it is put on, or -1 */
  gboolean is_sharded;  /* over several devices */
  const char *target;   /* "" or what a custom call calls */
  double n_trips;       /* of a loop; 0 if unknown */
  gboolean lacks_shape; /* the text left it out */
} GobanHloInstruction;

typedef struct
{
  const char *name;
  guint32 first; /* instruction */
  guint32 n;
} GobanHloComputation;

typedef struct
{
  const char *path;
  const char *name;
  GStringChunk *texts;
  GArray *computations; /* GobanHloComputation */
  GArray *instructions; /* GobanHloInstruction */
  GArray *parts;        /* GobanHloShape */
  GArray *operands;     /* guint32: instructions */
  GArray *called;       /* guint32: computations */
  guint32 entry;        /* computation */
} GobanHloModule;

void goban_hlo_module_init (GobanHloModule *self, const char *path);
void goban_hlo_module_clear (GobanHloModule *self);

static inline GobanHloInstruction *
goban_hlo_instruction (const GobanHloModule *self, guint32 i)
{
  return &g_array_index (self->instructions, GobanHloInstruction, i);
}

static inline GobanHloComputation *
goban_hlo_computation (const GobanHloModule *self, guint32 i)
{
  return &g_array_index (self->computations, GobanHloComputation, i);
}

static inline guint32
goban_hlo_operand (const GobanHloModule *self, const GobanHloInstruction *from, guint32 i)
{
  return g_array_index (self->operands, guint32, from->first_operand + i);
}

/* Whether a text has a module's first line, behind a byte order mark, comments and tables, or else
 * begins with a computation. */
gboolean goban_hlo_is_text (const char *data, gsize size);

/* Each fills a module that goban_hlo_module_init() has made. %FALSE with an error that names the
 * line, or the instruction. */
gboolean goban_hlo_read_text (GobanHloModule *self, const char *data, gsize size, GError **error);
gboolean goban_hlo_read_proto (GobanHloModule *self, const GobanHlo__Module *proto, GError **error);
