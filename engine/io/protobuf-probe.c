#include "engine/io/protobuf-probe.h"

#include "engine/io/protobuf-check.h"

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
