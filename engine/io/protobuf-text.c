#include "engine/io/protobuf-text.h"

#include "engine/core/error.h"
#include "engine/io/text.h"

#include <string.h>

#define MAX_DEPTH 96
/* A length is written before the bytes that it counts, so room for the largest length is
 * reserved. */
#define LENGTH_BYTES 5
#define MOST_BYTES ((gsize) G_MAXINT32)

enum
{
  WIRE_VARINT = 0,
  WIRE_64 = 1,
  WIRE_BYTES = 2,
  WIRE_32 = 5
};

typedef struct
{
  const char *begin;
  const char *at;
  const char *end;
  const char *path;
  GByteArray *out;
  GString *scratch; /* a string without its escapes */
  GError **error;
} Reader;

G_GNUC_PRINTF (2, 3)
static gboolean
fail (const Reader *self, const char *format, ...)
{
  g_autofree char *message = NULL;
  va_list args;

  va_start (args, format);
  message = g_strdup_vprintf (format, args);
  va_end (args);
  return goban_refuse (self->error, GOBAN_ERROR_PARSE, "%s:%u: %s", self->path,
                       goban_text_file_line_at (self->begin, (gsize) (self->end - self->begin),
                                                (gsize) (self->at - self->begin)),
                       message);
}

/* --- bytes ----------------------------------------------------------------------------------- */

static void
put_varint (Reader *self, guint64 value)
{
  guint8 bytes[10];
  guint n = 0;

  do
    {
      bytes[n++] = (guint8) ((value & 0x7f) | (value > 0x7f ? 0x80 : 0));
      value >>= 7;
    }
  while (value > 0);
  g_byte_array_append (self->out, bytes, n);
}

static void
put_key (Reader *self, const ProtobufCFieldDescriptor *field, guint wire)
{
  put_varint (self, (guint64) field->id << 3 | wire);
}

/* Returns: the place of the length, for close_length() */
static guint
open_length (Reader *self, const ProtobufCFieldDescriptor *field)
{
  put_key (self, field, WIRE_BYTES);
  g_byte_array_set_size (self->out, self->out->len + LENGTH_BYTES);
  return self->out->len - LENGTH_BYTES;
}

static void
close_length (Reader *self, guint place)
{
  guint32 length = self->out->len - place - LENGTH_BYTES;

  for (guint i = 0; i < LENGTH_BYTES; i++, length >>= 7)
    self->out->data[place + i] = (guint8) ((length & 0x7f) | (i + 1 < LENGTH_BYTES ? 0x80 : 0));
}

/* --- words ----------------------------------------------------------------------------------- */

static void
skip_blanks (Reader *self)
{
  while (self->at < self->end)
    {
      if (*self->at == '#')
        {
          const char *line_end = memchr (self->at, '\n', (gsize) (self->end - self->at));

          self->at = line_end != NULL ? line_end : self->end;
        }
      else if (g_ascii_isspace (*self->at))
        self->at++;
      else
        return;
    }
}

/* The next character that is not blank; 0 at the end. */
static char
peek (Reader *self)
{
  skip_blanks (self);
  return self->at < self->end ? *self->at : '\0';
}

static gboolean
take (Reader *self, char c)
{
  if (peek (self) != c)
    return FALSE;
  self->at++;
  return TRUE;
}

static gboolean
is_word (char c)
{
  return g_ascii_isalnum (c) || c == '_' || c == '.' || c == '+' || c == '-';
}

/* A name or a number; empty if none is here. */
static gsize
take_word (Reader *self, const char **word)
{
  skip_blanks (self);
  *word = self->at;
  while (self->at < self->end && is_word (*self->at))
    self->at++;
  return (gsize) (self->at - *word);
}

/* At a backslash. */
static gboolean
take_escape (Reader *self)
{
  static const char from[] = "abfnrtv", to[] = "\a\b\f\n\r\t\v";
  const char *found;
  gboolean is_hex;
  guint value = 0, n = 0;

  if (++self->at == self->end)
    return fail (self, "the string does not end");
  is_hex = *self->at == 'x' || *self->at == 'X';
  if (!is_hex && (*self->at < '0' || *self->at > '7'))
    {
      found = *self->at != '\0' ? strchr (from, *self->at) : NULL;
      g_string_append_c (self->scratch, found != NULL ? to[found - from] : *self->at);
      self->at++;
      return TRUE;
    }
  self->at += is_hex ? 1 : 0;
  for (; n < (is_hex ? 2 : 3) && self->at < self->end; n++, self->at++)
    {
      int digit = g_ascii_xdigit_value (*self->at);

      if (digit < 0 || (!is_hex && digit > 7))
        break;
      value = value * (is_hex ? 16 : 8) + (guint) digit;
    }
  g_string_append_c (self->scratch, (char) (value & 0xff));
  return TRUE;
}

/* Strings side by side are one. */
static gboolean
take_string (Reader *self)
{
  char quote = peek (self);

  g_string_truncate (self->scratch, 0);
  while (quote == '"' || quote == '\'')
    {
      const char *start = self->at++;

      while (self->at < self->end && *self->at != quote && *self->at != '\n')
        {
          if (*self->at == '\\')
            {
              if (!take_escape (self))
                return FALSE;
            }
          else
            g_string_append_c (self->scratch, *self->at++);
        }
      if (self->at == self->end || *self->at != quote)
        {
          self->at = start;
          return fail (self, "the string does not end on its line");
        }
      self->at++;
      quote = peek (self);
    }
  return TRUE;
}

/* --- values ---------------------------------------------------------------------------------- */

static gboolean
put_string (Reader *self, const ProtobufCFieldDescriptor *field)
{
  if (!take_string (self))
    return FALSE;
  if (field == NULL)
    return TRUE;
  if (field->type != PROTOBUF_C_TYPE_STRING && field->type != PROTOBUF_C_TYPE_BYTES)
    return fail (self, "“%s” is not a string", field->name);
  if (field->type == PROTOBUF_C_TYPE_STRING
      && memchr (self->scratch->str, '\0', self->scratch->len) != NULL)
    return fail (self, "“%s” holds a zero byte", field->name);
  put_key (self, field, WIRE_BYTES);
  put_varint (self, self->scratch->len);
  g_byte_array_append (self->out, (const guint8 *) self->scratch->str, (guint) self->scratch->len);
  return TRUE;
}

static gboolean
put_enum (Reader *self, const ProtobufCFieldDescriptor *field, const char *word)
{
  const ProtobufCEnumValue *value = protobuf_c_enum_descriptor_get_value_by_name (
      (const ProtobufCEnumDescriptor *) field->descriptor, word);
  gint64 number;

  if (value != NULL)
    number = value->value;
  else if (!g_ascii_string_to_signed (word, 10, G_MININT32, G_MAXINT32, &number, NULL))
    return TRUE; /* a name newer than the descriptor */
  put_key (self, field, WIRE_VARINT);
  put_varint (self, (guint64) number);
  return TRUE;
}

static gboolean
put_integer (Reader *self, const ProtobufCFieldDescriptor *field, const char *word)
{
  gboolean is_negative = *word == '-';
  char *end;
  guint64 value;

  if (strcmp (word, "true") == 0 || strcmp (word, "false") == 0)
    value = *word == 't';
  else
    {
      value = g_ascii_strtoull (word + is_negative, &end, 0);
      if (!g_ascii_isdigit (word[is_negative]) || *end != '\0')
        return fail (self, "“%s” is not a whole number, which “%s” is", word, field->name);
    }
  put_key (self, field, WIRE_VARINT);
  put_varint (self, is_negative ? (guint64) 0 - value : value);
  return TRUE;
}

static gboolean
put_real (Reader *self, const ProtobufCFieldDescriptor *field, const char *word)
{
  gboolean is_float = field->type == PROTOBUF_C_TYPE_FLOAT;
  char *end;
  double value = g_ascii_strtod (word, &end);
  float narrow = (float) CLAMP (value, -G_MAXFLOAT, G_MAXFLOAT);
  guint64 bits;
  guint32 narrow_bits;

  if (end == word || (*end != '\0' && strcmp (end, "f") != 0))
    return fail (self, "“%s” is not a number, which “%s” is", word, field->name);
  memcpy (&bits, &value, sizeof bits);
  memcpy (&narrow_bits, &narrow, sizeof narrow_bits);
  put_key (self, field, is_float ? WIRE_32 : WIRE_64);
  for (guint i = 0; i < (is_float ? 4u : 8u); i++)
    {
      guint8 byte = (guint8) ((is_float ? narrow_bits : bits) >> (8 * i));

      g_byte_array_append (self->out, &byte, 1);
    }
  return TRUE;
}

static gboolean
put_scalar (Reader *self, const ProtobufCFieldDescriptor *field)
{
  g_autofree char *word = NULL;
  const char *start;
  gsize n;

  if (peek (self) == '"' || peek (self) == '\'')
    return put_string (self, field);
  n = take_word (self, &start);
  if (n == 0)
    return fail (self, "a value is missing%s%s", field != NULL ? " for " : "",
                 field != NULL ? field->name : "");
  if (field == NULL)
    return TRUE;
  word = g_strndup (start, n);
  switch (field->type)
    {
    case PROTOBUF_C_TYPE_ENUM:
      return put_enum (self, field, word);
    case PROTOBUF_C_TYPE_FLOAT:
    case PROTOBUF_C_TYPE_DOUBLE:
      return put_real (self, field, word);
    case PROTOBUF_C_TYPE_INT32:
    case PROTOBUF_C_TYPE_UINT32:
    case PROTOBUF_C_TYPE_INT64:
    case PROTOBUF_C_TYPE_UINT64:
    case PROTOBUF_C_TYPE_BOOL:
      return put_integer (self, field, word);
    default:
      return fail (self, "“%s” is not what “%s” may be", word, field->name);
    }
}

/* --- messages -------------------------------------------------------------------------------- */

static gboolean read_fields (Reader *self, const ProtobufCMessageDescriptor *descriptor, char close,
                             guint depth);

/* A message in brackets. @field: (nullable): to skip it */
static gboolean
put_message (Reader *self, const ProtobufCFieldDescriptor *field, guint depth)
{
  char close = *self->at++ == '{' ? '}' : '>';
  guint place = 0;

  if (depth > MAX_DEPTH)
    return fail (self, "messages nest more than %d deep", MAX_DEPTH);
  if (field != NULL && field->type != PROTOBUF_C_TYPE_MESSAGE)
    return fail (self, "“%s” is not a message", field->name);
  if (field != NULL)
    place = open_length (self, field);
  if (!read_fields (self, field != NULL ? field->descriptor : NULL, close, depth))
    return FALSE;
  if (field != NULL)
    close_length (self, place);
  return TRUE;
}

static gboolean
put_value (Reader *self, const ProtobufCFieldDescriptor *field, guint depth)
{
  char c = peek (self);

  if (c == '{' || c == '<')
    return put_message (self, field, depth + 1);
  return put_scalar (self, field);
}

static gboolean
put_list (Reader *self, const ProtobufCFieldDescriptor *field, guint depth)
{
  if (take (self, ']'))
    return TRUE;
  do
    if (!put_value (self, field, depth))
      return FALSE;
  while (take (self, ','));
  return take (self, ']') || fail (self, "the list does not end");
}

/* The name of an extension stands in brackets; none of them is known. */
static gboolean
take_field_name (Reader *self, const ProtobufCMessageDescriptor *descriptor,
                 const ProtobufCFieldDescriptor **field)
{
  char name[64];
  const char *start;
  gsize n;

  *field = NULL;
  if (take (self, '['))
    {
      const char *end = memchr (self->at, ']', (gsize) (self->end - self->at));

      if (end == NULL)
        return fail (self, "the name of an extension does not end");
      self->at = end + 1;
      return TRUE;
    }
  n = take_word (self, &start);
  if (n == 0 || !(g_ascii_isalpha (*start) || *start == '_'))
    return fail (self, "the name of a field is missing");
  if (descriptor == NULL || n >= sizeof name)
    return TRUE;
  memcpy (name, start, n);
  name[n] = '\0';
  *field = protobuf_c_message_descriptor_get_field_by_name (descriptor, name);
  return TRUE;
}

/* Up to @close, or the end of the text if that is 0. */
static gboolean
read_fields (Reader *self, const ProtobufCMessageDescriptor *descriptor, char close, guint depth)
{
  while (peek (self) != close || (close == '\0' && self->at < self->end))
    {
      const ProtobufCFieldDescriptor *field;
      gboolean has_colon;

      if (self->at == self->end)
        return fail (self, "the message does not end: a “%c” is missing", close);
      if (!take_field_name (self, descriptor, &field))
        return FALSE;
      has_colon = take (self, ':');
      if (take (self, '['))
        {
          if (!put_list (self, field, depth))
            return FALSE;
        }
      else if (!has_colon && peek (self) != '{' && peek (self) != '<')
        return fail (self, "a “:” or a “{” is missing");
      else if (!put_value (self, field, depth))
        return FALSE;
      if (!take (self, ','))
        take (self, ';');
    }
  self->at += close != '\0' ? 1 : 0;
  return TRUE;
}

GByteArray *
goban_protobuf_text_encode (const ProtobufCMessageDescriptor *descriptor, const char *data,
                            gsize size, const char *path, GError **error)
{
  g_autoptr (GByteArray) out = g_byte_array_new ();
  g_autoptr (GString) scratch = g_string_new (NULL);
  Reader self = { data, data, data, path, out, scratch, error };

  if (!goban_text_file_check (data, size, path, error))
    return NULL;
  self.end += size;
  /* An empty message of three characters takes at most twelve bytes. */
  if (size > MOST_BYTES / 4)
    {
      goban_refuse (error, GOBAN_ERROR_UNSUPPORTED,
                    "%s: the text is too large; store the graph in binary form", path);
      return NULL;
    }
  return read_fields (&self, descriptor, '\0', 0) ? g_steal_pointer (&out) : NULL;
}

void
goban_protobuf_text_first_field (const char *data, gsize size, char *name, gsize n)
{
  Reader self = { .begin = data, .at = data, .end = data };
  const char *start;
  gsize length;

  *name = '\0';
  if (size == 0)
    return;
  self.end += size;
  length = take_word (&self, &start);
  if (length == 0 || length >= n || (peek (&self) != '{' && peek (&self) != ':'))
    return;
  memcpy (name, start, length);
  name[length] = '\0';
}
