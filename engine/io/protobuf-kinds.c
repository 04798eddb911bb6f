#include "engine/io/protobuf-kinds.h"

#include "engine/io/protobuf-check.h"

/* --- recognising ---------------------------------------------------------- */

/* Required fields in one message, which are bits of a set. */
#define MAX_FIELDS 64
/* The longest key and length of a field, which a file may end in. */
#define MAX_HEAD_BYTES 20

typedef struct
{
  guint n_signs;
} Probe;

static gboolean
is_text (const guint8 *data, gsize size)
{
  for (gsize i = 0; i < size; i++)
    if ((data[i] < ' ' && data[i] != '\t' && data[i] != '\n' && data[i] != '\r') || data[i] == 0x7f)
      return FALSE;
  return TRUE;
}

static gboolean
is_word (const guint8 *data, gsize size)
{
  for (gsize i = 0; i < size; i++)
    if (data[i] <= ' ' || data[i] == 0x7f)
      return FALSE;
  return size > 0;
}

/* Whether the bytes are the beginning of a field's key and length, and no more. */
static gboolean
ends_in_head (const guint8 *data, gsize size)
{
  gsize i = 0;

  while (i < size && (data[i] & 0x80))
    i++;
  if (i < size && (data[0] & 7) != 0 && (data[0] & 7) != 2)
    return FALSE;
  for (i++; i < size; i++)
    if ((data[i] & 0x80) == 0)
      return FALSE;
  return size < MAX_HEAD_BYTES;
}

static gboolean fits (Probe *self, const GobanProbeShape *shape, const guint8 *data, gsize size,
                      gboolean may_be_cut, gboolean is_top);

/* @content: what there is of the field's bytes */
static gboolean
field_fits (Probe *self, const GobanProbeField *known, const GobanProtobufField *field,
            const guint8 *content, gsize n)
{
  switch (known->kind)
    {
    case GOBAN_PROBE_NUMBER:
      return field->wire == 0 && (known->most == 0 || field->value <= known->most);
    case GOBAN_PROBE_NUMBERS:
      return field->wire == 0 || field->wire == 2;
    case GOBAN_PROBE_TEXT:
      return field->wire == 2 && is_text (content, n);
    case GOBAN_PROBE_WORD:
      return field->wire == 2 && (is_word (content, n) || (n == 0 && !field->whole));
    case GOBAN_PROBE_BYTES:
      return field->wire == 2;
    case GOBAN_PROBE_MESSAGE:
      return field->wire == 2 && fits (self, known->shape, content, n, !field->whole, FALSE);
    default:
      return FALSE;
    }
}

static gboolean
fits (Probe *self, const GobanProbeShape *shape, const guint8 *data, gsize size,
      gboolean may_be_cut, gboolean is_top)
{
  guint64 seen = 0;
  gsize at = 0;

  g_assert (shape->n_fields <= MAX_FIELDS);
  while (at < size)
    {
      GobanProtobufField field;
      gsize n;

      if (!goban_protobuf_next_field (data, size, &at, &field))
        {
          if (may_be_cut && ends_in_head (data + at, size - at))
            break;
          return FALSE;
        }
      if (field.tag > shape->last_tag || (!field.whole && !may_be_cut))
        return FALSE;
      n = field.wire == 0 ? 0 : MIN (field.value, size - field.start);
      for (gsize i = 0; i < shape->n_fields; i++)
        if (shape->fields[i].tag == field.tag)
          {
            if (!field_fits (self, &shape->fields[i], &field, data + field.start, n))
              return FALSE;
            seen |= G_GUINT64_CONSTANT (1) << i;
            self->n_signs += (shape->fields[i].flags & GOBAN_PROBE_SIGN) != 0;
            break;
          }
    }
  for (gsize i = 0; i < shape->n_fields; i++)
    if ((shape->fields[i].flags & GOBAN_PROBE_MUST) && (seen >> i & 1) == 0
        && (is_top || !may_be_cut))
      return FALSE;
  return TRUE;
}

gboolean
goban_protobuf_fits (const GobanProbeShape *shape, const guint8 *data, gsize size)
{
  Probe probe = { 0 };

  return fits (&probe, shape, data, size, FALSE, TRUE);
}

gboolean
goban_protobuf_probe (const GobanProbeShape *shape, const guint8 *data, gsize size)
{
  Probe probe = { 0 };

  return size > 0 && fits (&probe, shape, data, size, TRUE, TRUE) && probe.n_signs > 0;
}

/* --- shapes of all kinds -------------------------------------------------- */

#define MUST GOBAN_PROBE_MUST
#define SIGN GOBAN_PROBE_SIGN
#define FIELD(tag, kind, flags)                                                                    \
  {                                                                                                \
    tag, GOBAN_PROBE_##kind, flags, 0, NULL                                                        \
  }
#define AT_MOST(tag, flags, most)                                                                  \
  {                                                                                                \
    tag, GOBAN_PROBE_NUMBER, flags, most, NULL                                                     \
  }
#define INSIDE(tag, flags, shape)                                                                  \
  {                                                                                                \
    tag, GOBAN_PROBE_MESSAGE, flags, 0, shape                                                      \
  }

/* --- TensorFlow ------------------------------------------------------------------------------ */

static const GobanProbeField attr_fields[] = { FIELD (1, TEXT, MUST), FIELD (2, BYTES, 0) };
static const GobanProbeShape attr = GOBAN_PROBE_SHAPE (attr_fields, 2);

static const GobanProbeField node_def_fields[] = {
  FIELD (1, WORD, MUST), FIELD (2, WORD, MUST | SIGN), FIELD (3, WORD, 0),  FIELD (4, TEXT, 0),
  INSIDE (5, 0, &attr),  FIELD (6, BYTES, 0),          FIELD (7, BYTES, 0),
};

static const GobanProbeShape node_def = GOBAN_PROBE_SHAPE (node_def_fields, 63);

static const GobanProbeField graph_def_fields[] = {
  INSIDE (1, 0, &node_def), FIELD (2, BYTES, 0), FIELD (3, NUMBER, 0),
  FIELD (4, BYTES, 0),      FIELD (5, BYTES, 0),
};

const GobanProbeShape goban_probe_graph_def = GOBAN_PROBE_SHAPE (graph_def_fields, 63);

static const GobanProbeField meta_info_fields[] = {
  FIELD (1, TEXT, 0), FIELD (2, BYTES, 0), FIELD (3, BYTES, 0),  FIELD (4, TEXT, 0),
  FIELD (5, TEXT, 0), FIELD (6, TEXT, 0),  FIELD (7, NUMBER, 0), FIELD (8, BYTES, 0),
};

static const GobanProbeShape meta_info = GOBAN_PROBE_SHAPE (meta_info_fields, 15);

static const GobanProbeField meta_graph_fields[] = {
  INSIDE (1, 0, &meta_info), INSIDE (2, MUST, &goban_probe_graph_def),
  FIELD (3, BYTES, 0),       INSIDE (4, 0, &attr),
  INSIDE (5, 0, &attr),      FIELD (6, BYTES, 0),
  FIELD (7, BYTES, 0),
};

const GobanProbeShape goban_probe_meta_graph = GOBAN_PROBE_SHAPE (meta_graph_fields, 63);

static const GobanProbeField saved_model_fields[] = {
  AT_MOST (1, MUST, 100),
  INSIDE (2, MUST, &goban_probe_meta_graph),
};

const GobanProbeShape goban_probe_saved_model = GOBAN_PROBE_SHAPE (saved_model_fields, 2);

static const GobanProbeField input_info_fields[] = { FIELD (1, NUMBER, 0), FIELD (2, NUMBER, 0) };
static const GobanProbeShape input_info = GOBAN_PROBE_SHAPE (input_info_fields, 2);

static const GobanProbeField output_info_fields[]
    = { FIELD (1, NUMBER, 0), FIELD (2, NUMBER, 0), FIELD (3, BYTES, 0), FIELD (4, NUMBER, 0) };
static const GobanProbeShape output_info = GOBAN_PROBE_SHAPE (output_info_fields, 4);

/* Its numbers are fields that a GraphDef's nodes have as bytes or lack. */
static const GobanProbeField cost_node_fields[] = {
  FIELD (1, TEXT, 0),         FIELD (2, TEXT, 0),          FIELD (3, NUMBER, SIGN),
  INSIDE (4, 0, &input_info), INSIDE (5, 0, &output_info), FIELD (6, NUMBER, SIGN),
  FIELD (7, NUMBER, SIGN),    FIELD (8, NUMBERS, SIGN),    FIELD (9, NUMBER, SIGN),
  FIELD (10, NUMBER, SIGN),   FIELD (11, NUMBER, SIGN),    FIELD (12, NUMBER, SIGN),
  FIELD (14, NUMBER, SIGN),   FIELD (15, NUMBER, SIGN),    FIELD (16, NUMBER, SIGN),
  FIELD (17, NUMBER, SIGN),
};

static const GobanProbeShape cost_node = GOBAN_PROBE_SHAPE (cost_node_fields, 17);

static const GobanProbeField cost_graph_fields[] = {
  INSIDE (1, MUST, &cost_node),
  FIELD (2, BYTES, 0),
};

const GobanProbeShape goban_probe_cost_graph = GOBAN_PROBE_SHAPE (cost_graph_fields, 2);

/* --- XLA ------------------------------------------------------------------------------------- */

static const GobanProbeField instruction_fields[] = {
  FIELD (1, TEXT, 0),     FIELD (2, WORD, MUST | SIGN), FIELD (3, BYTES, 0),
  FIELD (7, BYTES, 0),    FIELD (35, NUMBER, 0),        FIELD (36, NUMBERS, 0),
  FIELD (37, NUMBERS, 0), FIELD (38, NUMBERS, 0),
};

static const GobanProbeShape instruction = GOBAN_PROBE_SHAPE (instruction_fields, 255);

static const GobanProbeField computation_fields[] = {
  FIELD (1, TEXT, 0),   INSIDE (2, MUST, &instruction), FIELD (4, BYTES, 0),
  FIELD (5, NUMBER, 0), FIELD (6, NUMBER, 0),
};

static const GobanProbeShape computation = GOBAN_PROBE_SHAPE (computation_fields, 31);

static const GobanProbeField hlo_module_fields[] = {
  FIELD (1, TEXT, 0),  FIELD (2, TEXT, 0),   INSIDE (3, MUST, &computation),
  FIELD (4, BYTES, 0), FIELD (5, NUMBER, 0), FIELD (6, NUMBER, 0),
};

const GobanProbeShape goban_probe_hlo_module = GOBAN_PROBE_SHAPE (hlo_module_fields, 63);

/* --- ONNX ------------------------------------------------------------------------------------ */

static const GobanProbeField onnx_node_fields[] = {
  FIELD (1, TEXT, 0),  FIELD (2, TEXT, 0), FIELD (3, TEXT, 0), FIELD (4, TEXT, SIGN),
  FIELD (5, BYTES, 0), FIELD (6, TEXT, 0), FIELD (7, TEXT, 0), FIELD (8, TEXT, 0),
};

static const GobanProbeShape onnx_node = GOBAN_PROBE_SHAPE (onnx_node_fields, 63);

static const GobanProbeField onnx_graph_fields[] = {
  INSIDE (1, 0, &onnx_node), FIELD (2, TEXT, 0),   FIELD (5, BYTES, 0),  FIELD (10, BYTES, 0),
  FIELD (11, BYTES, 0),      FIELD (12, BYTES, 0), FIELD (13, BYTES, 0), FIELD (14, BYTES, 0),
  FIELD (15, BYTES, 0),      FIELD (16, BYTES, 0),
};

static const GobanProbeShape onnx_graph = GOBAN_PROBE_SHAPE (onnx_graph_fields, 63);

static const GobanProbeField opset_fields[] = { FIELD (1, TEXT, 0), FIELD (2, NUMBER, SIGN) };
static const GobanProbeShape opset = GOBAN_PROBE_SHAPE (opset_fields, 7);

static const GobanProbeField onnx_model_fields[] = {
  AT_MOST (1, SIGN, 1000),
  FIELD (2, TEXT, 0),
  FIELD (3, TEXT, 0),
  FIELD (4, TEXT, 0),
  FIELD (5, NUMBER, 0),
  FIELD (6, BYTES, 0),
  INSIDE (7, MUST, &onnx_graph),
  INSIDE (8, 0, &opset),
  FIELD (14, BYTES, 0),
  FIELD (20, BYTES, 0),
  FIELD (25, BYTES, 0),
  FIELD (26, BYTES, 0),
};

const GobanProbeShape goban_probe_onnx_model = GOBAN_PROBE_SHAPE (onnx_model_fields, 63);

/* --- Chakra ---------------------------------------------------------------------------------- */

static const GobanProbeField chakra_attr_fields[] = { FIELD (1, TEXT, MUST) };
static const GobanProbeShape chakra_attr = GOBAN_PROBE_SHAPE (chakra_attr_fields, 63);

static const GobanProbeField chakra_metadata_fields[] = {
  FIELD (1, TEXT, 0),
  INSIDE (2, 0, &chakra_attr),
};

const GobanProbeShape goban_probe_chakra_metadata = GOBAN_PROBE_SHAPE (chakra_metadata_fields, 2);

/* Numbers of 0 are left out, so that no field must be there. */
static const GobanProbeField chakra_node_fields[] = {
  FIELD (1, NUMBER, 0),  FIELD (2, TEXT, SIGN),
  AT_MOST (3, SIGN, 31), FIELD (4, NUMBERS, 0),
  FIELD (5, NUMBERS, 0), FIELD (6, NUMBER, 0),
  FIELD (7, NUMBER, 0),  FIELD (8, BYTES, 0),
  FIELD (9, BYTES, 0),   INSIDE (10, SIGN, &chakra_attr),
};

const GobanProbeShape goban_probe_chakra_node = GOBAN_PROBE_SHAPE (chakra_node_fields, 15);

/* --- profiles of TensorFlow and JAX ---------------------------------------------------------- */

static const GobanProbeField map_fields[] = { FIELD (1, NUMBER, 0), FIELD (2, BYTES, 0) };
static const GobanProbeShape map = GOBAN_PROBE_SHAPE (map_fields, 2);

static const GobanProbeField line_fields[] = {
  FIELD (1, NUMBER, 0), FIELD (2, TEXT, 0),    FIELD (3, NUMBER, 0), FIELD (4, BYTES, 0),
  FIELD (9, NUMBER, 0), FIELD (10, NUMBER, 0), FIELD (11, TEXT, 0),
};

static const GobanProbeShape line = GOBAN_PROBE_SHAPE (line_fields, 15);

static const GobanProbeField plane_fields[] = {
  FIELD (1, NUMBER, 0),   FIELD (2, TEXT, MUST),  INSIDE (3, SIGN, &line),
  INSIDE (4, SIGN, &map), INSIDE (5, SIGN, &map), FIELD (6, BYTES, 0),
};

static const GobanProbeShape plane = GOBAN_PROBE_SHAPE (plane_fields, 6);

static const GobanProbeField xspace_fields[]
    = { INSIDE (1, MUST, &plane), FIELD (2, TEXT, 0), FIELD (3, TEXT, 0), FIELD (4, TEXT, 0) };
const GobanProbeShape goban_probe_xspace = GOBAN_PROBE_SHAPE (xspace_fields, 4);
