/* protobuf-kinds.h: recognisers of protobuf messages by their structure, and all kinds known here.
 *
 * Protobuf has no magic number, and a message may have its fields in any order. A shape says what a
 * message of one kind must look like: which numbers have which wire types, and what is inside of
 * nested messages. The whole top level has to fit, whatever its order. A file that is cut off fits
 * up to its end.
 *
 * All shapes stand together because each must leave the files of all others alone. Field numbers
 * are those of the formats' own schemas.
 */
#pragma once

#include <glib.h>

typedef enum
{
  GOBAN_PROBE_NUMBER,  /* a varint of at most `most` */
  GOBAN_PROBE_NUMBERS, /* repeated varints, packed or not */
  GOBAN_PROBE_TEXT,    /* without control characters; may be empty */
  GOBAN_PROBE_WORD,    /* text without blanks; not empty */
  GOBAN_PROBE_BYTES,   /* anything with a length */
  GOBAN_PROBE_MESSAGE, /* fits `shape` */
} GobanProbeKind;

typedef enum
{
  GOBAN_PROBE_PLAIN = 0,
  GOBAN_PROBE_MUST = 1 << 0, /* a message without it is of another kind */
  GOBAN_PROBE_SIGN = 1 << 1, /* the file has at least one field that is a sign, at any depth */
} GobanProbeFlags;

typedef struct _GobanProbeShape GobanProbeShape;

typedef struct
{
  guint32 tag;
  GobanProbeKind kind;
  GobanProbeFlags flags;
  guint64 most;                 /* of a number; 0: any */
  const GobanProbeShape *shape; /* of a message */
} GobanProbeField;

struct _GobanProbeShape
{
  const GobanProbeField *fields;
  gsize n_fields;
  guint32 last_tag; /* larger numbers are of another kind; smaller unknown ones may be anything */
};

#define GOBAN_PROBE_SHAPE(fields, last_tag)                                                        \
  {                                                                                                \
    fields, G_N_ELEMENTS (fields), last_tag                                                        \
  }

extern const GobanProbeShape goban_probe_chakra_metadata; /* without signs: it may be empty */
extern const GobanProbeShape goban_probe_chakra_node;
extern const GobanProbeShape goban_probe_cost_graph;
extern const GobanProbeShape goban_probe_graph_def;
extern const GobanProbeShape goban_probe_hlo_module;
extern const GobanProbeShape goban_probe_meta_graph;
extern const GobanProbeShape goban_probe_onnx_model;
extern const GobanProbeShape goban_probe_saved_model;
extern const GobanProbeShape goban_probe_xspace;

/* Whether the bytes are a message of that shape, with a sign or without any. */
gboolean goban_protobuf_fits (const GobanProbeShape *shape, const guint8 *data, gsize size);
/* The same of a file, which has a sign. */
gboolean goban_protobuf_probe (const GobanProbeShape *shape, const guint8 *data, gsize size);
