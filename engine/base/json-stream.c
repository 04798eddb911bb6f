#include "engine/base/json-stream.h"

#include "engine/base/error.h"
#include "engine/base/i18n.h"
#include "engine/base/json-reader-private.h"

#include <string.h>

#define FORGET_BYTES ((gsize) 1 << 22)

struct _GobanJsonStream
{
  GobanJsonReader reader; /* of the member or element that is on its tape */
  GHashTable *members;    /* key -> position of its value in the text */
  const char *next;       /* the list's next element, or the one before it */
  GArray *lines;          /* guint32: of the list's elements, from 1 */
  const char *forgotten;  /* text before it is gone */
};

static void
add_member (const char *key, const char *value, gpointer members)
{
  g_hash_table_insert (members, g_strdup (key), (gpointer) value);
}

/* The root of the text begins with @open; otherwise @need is needed. */
static GobanJsonStream *
check_text (const char *data, gsize size, const char *path, char open, const char *need,
            GError **error)
{
  g_autoptr (GobanJsonStream) self = g_new0 (GobanJsonStream, 1);
  GobanJsonReader *reader = &self->reader;

  reader->path = g_strdup (path);
  reader->counted = self->forgotten = data;
  reader->line = 1;
  self->members = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->lines = g_array_new (FALSE, FALSE, sizeof (guint32));
  if (!goban_json_tape_init (&reader->tape, data, size, reader->path, error)
      || !goban_json_tape_parse_members (&reader->tape, add_member, self->members, error))
    return NULL;
  if (data[strspn (data, " \t\r\n")] != open)
    {
      goban_json_tape_read (&reader->tape, TRUE);
      goban_json_refuse_value (goban_json_reader_get_root (reader), need, error);
      return NULL;
    }
  return g_steal_pointer (&self);
}

GobanJsonStream *
goban_json_stream_new (const char *data, gsize size, const char *path, GError **error)
{
  return check_text (data, size, path, '{', N_ ("an object"), error);
}

GobanJsonStream *
goban_json_stream_new_list (const char *data, gsize size, const char *path, GError **error)
{
  GobanJsonStream *self = check_text (data, size, path, '[', N_ ("a list"), error);

  if (self == NULL)
    return NULL;
  goban_json_tape_take (&self->reader.tape, '[');
  self->reader.root_key = g_strdup ("");
  self->reader.root_index = -1;
  self->next = self->reader.tape.at;
  return self;
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
