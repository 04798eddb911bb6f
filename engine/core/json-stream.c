#include "engine/core/json-stream.h"

#include "engine/core/error.h"
#include "engine/core/i18n.h"
#include "engine/core/json-reader-private.h"

#include <string.h>

#define FORGET_BYTES ((gsize) 1 << 22)

struct _GobanJsonStream
{
  GobanJsonReader reader; /* of the member or element that is on its tape */
  GHashTable *members;    /* key -> position of its value in the text */
  const char *next;       /* the list's next element, or the one before it */
  GArray *lines;          /* guint32: of the list's elements, from 1 */
  const char *forgotten;  /* text before it is gone */
  gboolean is_cut;
};

static void
add_member (const char *key, const char *value, gpointer members)
{
  g_hash_table_insert (members, g_strdup (key), (gpointer) value);
}

/* Whether anything but blanks and commas lies behind the last whole value. */
static gboolean
is_cut (const GobanJsonTape *tape, const char *end)
{
  const char *p = tape->end;

  while (p < end && (g_ascii_isspace (*p) || *p == ','))
    p++;
  return p < end;
}

static gboolean
is_left_out (gpointer key, gpointer value, gpointer end)
{
  return (const char *) value >= (const char *) end;
}

static GobanJsonStream *
check_text (const char *data, gsize size, const char *path, gboolean is_lenient, GError **error)
{
  g_autoptr (GobanJsonStream) self = g_new0 (GobanJsonStream, 1);
  GobanJsonReader *reader = &self->reader;

  reader->path = g_strdup (path);
  reader->counted = self->forgotten = data;
  reader->line = 1;
  reader->tape.is_lenient = is_lenient;
  self->members = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->lines = g_array_new (FALSE, FALSE, sizeof (guint32));
  if (!goban_json_tape_init (&reader->tape, data, size, reader->path, error)
      || !goban_json_tape_parse_members (&reader->tape, add_member, self->members, error))
    return NULL;
  self->is_cut = is_cut (&reader->tape, data + size);
  g_hash_table_foreach_remove (self->members, is_left_out, (gpointer) reader->tape.end);
  return g_steal_pointer (&self);
}

static void
refuse_root (GobanJsonStream *self, const char *need, GError **error)
{
  goban_json_tape_read (&self->reader.tape, TRUE);
  goban_json_refuse_value (goban_json_reader_get_root (&self->reader), need, error);
}

/* The root must begin with @open; otherwise @need is needed. */
static GobanJsonStream *
check_root (const char *data, gsize size, const char *path, char open, const char *need,
            GError **error)
{
  g_autoptr (GobanJsonStream) self = check_text (data, size, path, open == '[', error);

  if (self == NULL)
    return NULL;
  if (data[strspn (data, " \t\r\n")] != open)
    {
      refuse_root (self, need, error);
      return NULL;
    }
  return g_steal_pointer (&self);
}

static void
enter_root (GobanJsonStream *self)
{
  goban_json_tape_take (&self->reader.tape, '[');
  self->reader.root_key = g_strdup ("");
  self->reader.root_index = -1;
  self->next = self->reader.tape.at;
}

GobanJsonStream *
goban_json_stream_new (const char *data, gsize size, const char *path, GError **error)
{
  return check_root (data, size, path, '{', N_ ("an object"), error);
}

GobanJsonStream *
goban_json_stream_new_list (const char *data, gsize size, const char *path, GError **error)
{
  GobanJsonStream *self = check_root (data, size, path, '[', N_ ("a list"), error);

  if (self != NULL)
    enter_root (self);
  return self;
}

GobanJsonStream *
goban_json_stream_new_lenient (const char *data, gsize size, const char *path, GError **error)
{
  GobanJsonStream *self = check_text (data, size, path, TRUE, error);

  if (self == NULL)
    return NULL;
  if (data[strspn (data, " \t\r\n")] == '[')
    enter_root (self);
  else if (data[strspn (data, " \t\r\n")] != '{')
    {
      refuse_root (self, N_ ("an object"), error);
      g_clear_pointer (&self, goban_json_stream_free);
    }
  return self;
}

gboolean
goban_json_stream_is_cut (const GobanJsonStream *self)
{
  return self->is_cut;
}

guint
goban_json_stream_count_not_numbers (const GobanJsonStream *self)
{
  return self->reader.tape.n_not_numbers;
}

void
goban_json_stream_free (GobanJsonStream *self)
{
  goban_json_tape_clear (&self->reader.tape);
  g_hash_table_unref (self->members);
  g_array_unref (self->lines);
  g_free (self->reader.root_key);
  g_free (self->reader.path);
  g_free (self);
}

static void
set_root (GobanJsonStream *self, const char *key, gint64 index)
{
  g_free (self->reader.root_key);
  self->reader.root_key = g_strdup (key);
  self->reader.root_index = index;
}

GobanJsonValue
goban_json_stream_read (GobanJsonStream *self, const char *key)
{
  GobanJsonTape *tape = &self->reader.tape;
  GobanJsonValue value = goban_json_reader_get_root (&self->reader);

  tape->at = g_hash_table_lookup (self->members, key);
  if (tape->at == NULL)
    return (GobanJsonValue){ &self->reader, GOBAN_JSON_MISSING };
  goban_json_tape_read (tape, TRUE);
  set_root (self, key, -1);
  return goban_json_get_type (value) == GOBAN_JSON_NULL
             ? (GobanJsonValue){ &self->reader, GOBAN_JSON_MISSING }
             : value;
}

gboolean
goban_json_stream_check_members (GobanJsonStream *self, const char *const *keys, GError **error)
{
  GHashTableIter iter;
  gpointer key, value;
  const char *first = NULL, *unknown = NULL;

  g_hash_table_iter_init (&iter, self->members);
  while (g_hash_table_iter_next (&iter, &key, &value))
    if (!g_strv_contains (keys, key) && (first == NULL || (const char *) value < first))
      {
        first = value;
        unknown = key;
      }
  if (unknown == NULL)
    return TRUE;
  goban_json_stream_read (self, unknown);
  return goban_json_refuse_unknown (goban_json_reader_get_root (&self->reader), unknown, keys,
                                    error);
}

gboolean
goban_json_stream_enter (GobanJsonStream *self, const char *key, GError **error)
{
  GobanJsonTape *tape = &self->reader.tape;
  const char *begin = g_hash_table_lookup (self->members, key);

  /* Only its bracket is looked at: on the tape the list would be as large as in the file. */
  tape->at = begin;
  if (begin != NULL && goban_json_tape_take (tape, '['))
    {
      set_root (self, key, -1);
      self->next = tape->at;
      return TRUE;
    }
  if (begin != NULL && *tape->at != 'n')
    return goban_json_refuse_value (goban_json_stream_read (self, key), N_ ("a list"), error);
  return goban_refuse (error, GOBAN_ERROR_PARSE, "%s:1: %s is missing", self->reader.path, key);
}

gboolean
goban_json_stream_next (GobanJsonStream *self, GobanJsonValue *element)
{
  GobanJsonReader *reader = &self->reader;
  GobanJsonTape *tape = &reader->tape;
  const char *begin;

  tape->at = self->next;
  goban_json_tape_take (tape, ',');
  if (goban_json_tape_take (tape, ']'))
    return FALSE;
  goban_json_tape_read (tape, TRUE);
  begin = tape->data + goban_json_tape_token (tape, 0)->at;
  self->next = tape->at;
  reader->line += goban_json_count_lines (reader->counted, begin);
  reader->counted = begin;
  reader->root_index = self->lines->len;
  g_array_append_val (self->lines, reader->line);
  *element = goban_json_reader_get_root (reader);
  return TRUE;
}

void
goban_json_stream_forget (GobanJsonStream *self)
{
  if ((gsize) (self->reader.counted - self->forgotten) < FORGET_BYTES)
    return;
  goban_file_forget (self->forgotten, self->reader.counted);
  self->forgotten = self->reader.counted;
}

gboolean
goban_json_stream_refuse (const GobanJsonStream *self, guint element, GError **error,
                          const char *format, ...)
{
  g_autofree char *what = NULL;
  va_list args;

  va_start (args, format);
  what = g_strdup_vprintf (_ (format), args);
  va_end (args);
  return goban_refuse (error, GOBAN_ERROR_PARSE, "%s:%u: %s[%u]: %s", self->reader.path,
                       g_array_index (self->lines, guint32, element), self->reader.root_key,
                       element, what);
}
