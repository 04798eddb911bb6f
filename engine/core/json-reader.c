#include "engine/core/json-stream.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "engine/core/error.h"
#include "engine/core/find-word.h"
#include "engine/core/i18n.h"
#include "engine/core/quantity.h"

struct _GobanJsonReader
{
  char *path;
  GBytes *bytes; /* (nullable): owned text */
  GobanJsonTape tape;
  /* In a stream, the path of the value on the tape: "name", or "nodes[17]". */
  char *root_key;      /* (nullable): the whole text is on the tape */
  gint64 root_index;   /* -1: it is not in a list */
  const char *counted; /* lines are counted from here, */
  guint line;          /* which is in this line */
};

/* Longer texts are cut in messages. */
#define EXCERPT_BYTES 40
/* Whole numbers up to here are exact as doubles. */
#define EXACT 0x1p53

/* --- life cycle ------------------------------------------------------------------------------- */

GobanJsonReader *
goban_json_reader_new (const char *data, gssize length, const char *path, GError **error)
{
  g_autoptr (GobanJsonReader) self = g_new0 (GobanJsonReader, 1);
  gsize size = length < 0 ? strlen (data) : (gsize) length;

  self->path = g_strdup (path);
  self->counted = data;
  self->line = 1;
  if (!goban_json_tape_init (&self->tape, size > 0 ? data : "", size, self->path, error)
      || !goban_json_tape_parse (&self->tape, TRUE, error))
    return NULL;
  return g_steal_pointer (&self);
}

GobanJsonReader *
goban_json_reader_new_for_file (const char *path, const GobanFileReading *reading, GError **error)
{
  g_autoptr (GBytes) bytes = goban_file_read_with (path, reading, error);
  gboolean is_stdin = !reading->only_regular && strcmp (path, "-") == 0;
  GobanJsonReader *self;
  const char *data;
  gsize size;

  if (bytes == NULL)
    return NULL;
  data = g_bytes_get_data (bytes, &size);
  self = goban_json_reader_new (data, (gssize) size, is_stdin ? "standard input" : path, error);
  if (self != NULL)
    self->bytes = g_steal_pointer (&bytes);
  return self;
}

void
goban_json_reader_free (GobanJsonReader *self)
{
  goban_json_tape_clear (&self->tape);
  g_clear_pointer (&self->bytes, g_bytes_unref);
  g_free (self->path);
  g_free (self);
}

const char *
goban_json_reader_get_path (const GobanJsonReader *self)
{
  return self->path;
}

GobanJsonValue
goban_json_reader_get_root (const GobanJsonReader *self)
{
  return (GobanJsonValue){ self, 0 };
}

/* --- mistakes --------------------------------------------------------------------------------- */

static const GobanJsonToken *
peek_token (GobanJsonValue value)
{
  return goban_json_tape_token (&value.reader->tape, value.token);
}

/* The number of line ends between the two. */
static guint
json_count_lines (const char *from, const char *to)
{
  guint n = 0;

  while (from < to && (from = memchr (from, '\n', (gsize) (to - from))) != NULL)
    {
      from++;
      n++;
    }
  return n;
}

static guint
find_line (GobanJsonValue value)
{
  const GobanJsonReader *self = value.reader;

  return self->line + json_count_lines (self->counted, self->tape.data + peek_token (value)->at);
}

/* The length of an excerpt of the text, whole characters. */
static int
measure_excerpt (const char *text, gsize size)
{
  if (size <= EXCERPT_BYTES)
    return (int) size;
  return (int) (g_utf8_find_prev_char (text, text + EXCERPT_BYTES + 1) - text);
}

static void
append_key (GString *path, const char *key)
{
  g_string_append_printf (path, "%s%.*s", path->len > 0 ? "." : "",
                          measure_excerpt (key, strlen (key)), key);
}

/* The token of the value in which @token is, among those in the object; its key is appended. */
static guint32
enter_object (const GobanJsonTape *tape, guint32 object, guint32 token, GString *path)
{
  guint32 key = object + 1;

  while (goban_json_tape_token (tape, key + 1)->next <= token)
    key = goban_json_tape_token (tape, key + 1)->next;
  append_key (path, goban_json_tape_text (tape, key));
  return token == key ? key : key + 1;
}

static guint32
enter_array (const GobanJsonTape *tape, guint32 array, guint32 token, GString *path)
{
  guint32 element = array + 1;
  guint i = 0;

  for (; goban_json_tape_token (tape, element)->next <= token; i++)
    element = goban_json_tape_token (tape, element)->next;
  g_string_append_printf (path, "[%u]", i);
  return element;
}

/* Only mistakes pay for paths: they are found by walking from the root to the token. (transfer
 * full) */
static char *
dup_path (GobanJsonValue value)
{
  const GobanJsonReader *self = value.reader;
  const GobanJsonTape *tape = &self->tape;
  g_autoptr (GString) path = g_string_new (self->root_key);

  if (self->root_key != NULL && self->root_index >= 0)
    g_string_append_printf (path, "[%" PRId64 "]", self->root_index);
  for (guint32 at = 0; at != value.token;)
    at = goban_json_tape_token (tape, at)->type == GOBAN_JSON_OBJECT
             ? enter_object (tape, at, value.token, path)
             : enter_array (tape, at, value.token, path);
  return g_string_free (g_steal_pointer (&path), FALSE);
}

char *
goban_json_dup_place (GobanJsonValue value)
{
  g_autofree char *path = dup_path (value);

  return g_strdup_printf ("%s:%u%s%s", value.reader->path, find_line (value),
                          *path != '\0' ? ": " : "", path);
}

gboolean
goban_json_refuse (GobanJsonValue value, GError **error, const char *format, ...)
{
  g_autofree char *place = goban_json_dup_place (value);
  g_autofree char *what = NULL;
  va_list args;

  va_start (args, format);
  what = g_strdup_vprintf (_ (format), args);
  va_end (args);
  return goban_refuse (error, GOBAN_ERROR_PARSE, "%s: %s", place, what);
}

/* The value as messages quote it. (transfer full) */
static char *
describe (GobanJsonValue value)
{
  const GobanJsonTape *tape = &value.reader->tape;
  const GobanJsonToken *token = peek_token (value);
  const char *text;

  switch (token->type)
    {
    case GOBAN_JSON_ARRAY:
      return g_strdup (_ ("a list"));
    case GOBAN_JSON_OBJECT:
      return g_strdup (_ ("an object"));
    case GOBAN_JSON_STRING:
      text = goban_json_tape_text (tape, value.token);
      return g_strdup_printf ("“%.*s”%s", measure_excerpt (text, strlen (text)), text,
                              strlen (text) > EXCERPT_BYTES ? "…" : "");
    default:
      text = tape->data + token->at;
      for (gsize n = 0;; n++)
        if (n == EXCERPT_BYTES || text + n == tape->end || strchr (" \t\r\n,]}", text[n]) != NULL)
          return g_strndup (text, n);
    }
}

gboolean
goban_json_refuse_value (GobanJsonValue value, const char *need, GError **error)
{
  g_autofree char *path = dup_path (value);
  g_autofree char *found = describe (value);

  return goban_refuse (error, GOBAN_ERROR_PARSE, "%s:%u: %s is %s: %s is needed",
                       value.reader->path, find_line (value),
                       *path != '\0' ? path : _ ("the top level"), found, _ (need));
}

gboolean
goban_json_refuse_missing (GobanJsonValue object, const char *key, GError **error)
{
  g_autofree char *path = dup_path (object);

  return goban_refuse (error, GOBAN_ERROR_PARSE, "%s:%u: %s%s%s is missing", object.reader->path,
                       find_line (object), path, *path != '\0' ? "." : "", key);
}

/* --- values ----------------------------------------------------------------------------------- */

GobanJsonType
goban_json_get_type (GobanJsonValue value)
{
  return goban_json_is_missing (value) ? GOBAN_JSON_NULL : peek_token (value)->type;
}

GobanJsonValue
goban_json_find (GobanJsonValue object, const char *key)
{
  const GobanJsonTape *tape = &object.reader->tape;
  GobanJsonValue missing = { object.reader, GOBAN_JSON_MISSING };
  guint32 end;

  if (goban_json_get_type (object) != GOBAN_JSON_OBJECT)
    return missing;
  end = peek_token (object)->next;
  for (guint32 at = object.token + 1; at < end; at = goban_json_tape_token (tape, at + 1)->next)
    if (*goban_json_tape_text (tape, at) == *key
        && strcmp (goban_json_tape_text (tape, at), key) == 0
        && goban_json_tape_token (tape, at)->type == GOBAN_JSON_STRING)
      return goban_json_tape_token (tape, at + 1)->type == GOBAN_JSON_NULL
                 ? missing
                 : (GobanJsonValue){ object.reader, at + 1 };
  return missing;
}

gboolean
goban_json_has (GobanJsonValue object, const char *key)
{
  return !goban_json_is_missing (goban_json_find (object, key));
}

gboolean
goban_json_is_number (GobanJsonValue value, double *number)
{
  GobanJsonType type = goban_json_get_type (value);

  if (type == GOBAN_JSON_INTEGER)
    *number = (double) peek_token (value)->integer;
  else if (type == GOBAN_JSON_REAL && isfinite (peek_token (value)->real))
    *number = peek_token (value)->real;
  else
    return FALSE;
  return TRUE;
}

const char *
goban_json_peek_digits (GobanJsonValue value, gsize *n)
{
  const GobanJsonTape *tape = &value.reader->tape;
  GobanJsonType type = goban_json_get_type (value);
  const char *digits;

  if (type != GOBAN_JSON_INTEGER && type != GOBAN_JSON_REAL)
    return NULL;
  digits = tape->data + peek_token (value)->at;
  for (*n = 0; digits + *n < tape->end && strchr (" \t\r\n,]}", digits[*n]) == NULL; ++*n)
    ;
  return digits;
}

const char *
goban_json_peek_text (GobanJsonValue value)
{
  return goban_json_get_type (value) == GOBAN_JSON_STRING
             ? goban_json_tape_text (&value.reader->tape, value.token)
             : NULL;
}

/* Needs like "a number from 0 to 1"; (nullable) limits are open. (transfer full) */
static char *
describe_range (const char *kind, const char *least, const char *most)
{
  if (least != NULL && most != NULL)
    return g_strdup_printf (_ ("%s from %s to %s"), _ (kind), least, most);
  if (least != NULL)
    return g_strdup_printf (_ ("%s of at least %s"), _ (kind), least);
  if (most != NULL)
    return g_strdup_printf (_ ("%s of at most %s"), _ (kind), most);
  return g_strdup (_ (kind));
}

gboolean
goban_json_read_number (GobanJsonValue value, GobanJsonRange range, double *number, GError **error)
{
  char least[GOBAN_QUANTITY_LEN], most[GOBAN_QUANTITY_LEN];
  g_autofree char *need = NULL;
  double found;

  if (goban_json_is_number (value, &found) && found >= range.least && found <= range.most)
    {
      *number = found;
      return TRUE;
    }
  need = describe_range (
      N_ ("a number"), range.least > -G_MAXDOUBLE ? goban_format_double (least, range.least) : NULL,
      range.most < G_MAXDOUBLE ? goban_format_double (most, range.most) : NULL);
  return goban_json_refuse_value (value, need, error);
}

/* Also 4.0 and 1e3, as long as doubles are exact. */
static gboolean
is_whole (GobanJsonValue value, gint64 *number)
{
  const GobanJsonToken *token = peek_token (value);

  if (token->type == GOBAN_JSON_INTEGER)
    {
      *number = token->integer;
      return TRUE;
    }
  if (token->type != GOBAN_JSON_REAL || !(fabs (token->real) < EXACT)
      || token->real != floor (token->real))
    return FALSE;
  *number = (gint64) token->real;
  return TRUE;
}

gboolean
goban_json_read_whole (GobanJsonValue value, GobanJsonWhole range, gint64 *number, GError **error)
{
  g_autofree char *least = NULL, *most = NULL, *need = NULL;
  gint64 found;

  if (is_whole (value, &found) && found >= range.least && found <= range.most)
    {
      *number = found;
      return TRUE;
    }
  if (range.least > G_MININT64)
    least = g_strdup_printf ("%" PRId64, range.least);
  if (range.most < G_MAXINT64)
    most = g_strdup_printf ("%" PRId64, range.most);
  need = describe_range (N_ ("a whole number"), least, most);
  return goban_json_refuse_value (value, need, error);
}

gboolean
goban_json_read_text (GobanJsonValue value, const char **text, GError **error)
{
  const char *found = goban_json_peek_text (value);

  if (found == NULL)
    return goban_json_refuse_value (value, N_ ("a text"), error);
  *text = found;
  return TRUE;
}

/* --- members of an object --------------------------------------------------------------------- */

/* Sets "a.json:3: devices[2].memroy is not known: did you mean memory?" and returns %FALSE. */
static gboolean
json_refuse_unknown (GobanJsonValue member, const char *name, const char *const *known,
                     GError **error)
{
  g_autofree char *place = goban_json_dup_place (member);
  g_autofree char *list = g_strjoinv (", ", (char **) known);
  int nearest = goban_find_nearest_word (known, g_strv_length ((char **) known), name);

  if (nearest >= 0)
    return goban_refuse (error, GOBAN_ERROR_PARSE, "%s is not known: did you mean %s?", place,
                         known[nearest]);
  return goban_refuse (error, GOBAN_ERROR_PARSE, "%s is not known; known are %s", place, list);
}

gboolean
goban_json_check_object (GobanJsonValue value, const char *const *keys, GError **error)
{
  g_autofree const char **known = NULL;
  const GobanJsonTape *tape = &value.reader->tape;
  guint32 end;
  guint n;

  if (goban_json_get_type (value) != GOBAN_JSON_OBJECT)
    return goban_json_refuse_value (value, N_ ("an object"), error);
  if (keys == NULL)
    return TRUE;
  n = g_strv_length ((char **) keys);
  known = g_new0 (const char *, n + 1);
  for (guint i = 0; i < n; i++)
    known[i] = keys[i] + (*keys[i] == '!');
  end = peek_token (value)->next;
  for (guint32 at = value.token + 1; at < end; at = goban_json_tape_token (tape, at + 1)->next)
    if (goban_find_word (known, n, goban_json_tape_text (tape, at)) < 0)
      return json_refuse_unknown ((GobanJsonValue){ value.reader, at },
                                  goban_json_tape_text (tape, at), known, error);
  for (guint i = 0; i < n; i++)
    if (*keys[i] == '!' && !goban_json_has (value, known[i]))
      return goban_json_refuse_missing (value, known[i], error);
  return TRUE;
}

gboolean
goban_json_get_number (GobanJsonValue object, const char *key, GobanJsonRange range, double *number,
                       GError **error)
{
  GobanJsonValue value = goban_json_find (object, key);

  return goban_json_is_missing (value) || goban_json_read_number (value, range, number, error);
}

gboolean
goban_json_get_whole (GobanJsonValue object, const char *key, GobanJsonWhole range, gint64 *number,
                      GError **error)
{
  GobanJsonValue value = goban_json_find (object, key);

  return goban_json_is_missing (value) || goban_json_read_whole (value, range, number, error);
}

gboolean
goban_json_get_boolean (GobanJsonValue object, const char *key, gboolean *value, GError **error)
{
  GobanJsonValue found = goban_json_find (object, key);
  gint64 number = -1;

  if (goban_json_is_missing (found))
    return TRUE;
  if (peek_token (found)->type == GOBAN_JSON_BOOLEAN)
    number = peek_token (found)->integer;
  else if (!is_whole (found, &number) || (number != 0 && number != 1))
    return goban_json_refuse_value (found, N_ ("true or false"), error);
  *value = number == 1;
  return TRUE;
}

gboolean
goban_json_is_true (GobanJsonValue value)
{
  return goban_json_get_type (value) == GOBAN_JSON_BOOLEAN && peek_token (value)->integer == 1;
}

gboolean
goban_json_get_text (GobanJsonValue object, const char *key, const char **text, GError **error)
{
  GobanJsonValue value = goban_json_find (object, key);

  return goban_json_is_missing (value) || goban_json_read_text (value, text, error);
}

gboolean
goban_json_get_name (GobanJsonValue object, const char *key, const char **name, GError **error)
{
  GobanJsonValue value = goban_json_find (object, key);
  const char *text = "";

  if (goban_json_is_missing (value))
    return TRUE;
  if (!goban_json_read_text (value, &text, error))
    return FALSE;
  if (*text == '\0')
    return goban_json_refuse_value (value, N_ ("a name"), error);
  *name = text;
  return TRUE;
}

gboolean
goban_json_get_word (GobanJsonValue object, const char *key, const char *const *words, guint *index,
                     GError **error)
{
  GobanJsonValue value = goban_json_find (object, key);
  const char *word = goban_json_peek_text (value);
  guint n = g_strv_length ((char **) words);
  int found = word != NULL ? goban_find_word (words, n, word) : -1;
  g_autofree char *list = NULL;
  g_autofree char *need = NULL;

  if (goban_json_is_missing (value))
    return TRUE;
  if (found >= 0)
    {
      *index = (guint) found;
      return TRUE;
    }
  list = g_strjoinv (", ", (char **) words);
  need = g_strdup_printf (_ ("one of %s"), list);
  return goban_json_refuse_value (value, need, error);
}

gboolean
goban_json_get_texts (GobanJsonValue object, const char *key, const char ***texts, GError **error)
{
  GobanJsonItems items;
  GobanJsonValue item;
  g_autofree const char **found = NULL;
  guint i = 0;

  if (!goban_json_get_list (object, key, &items, error))
    return FALSE;
  if (!goban_json_has (object, key))
    return TRUE;
  found = g_new0 (const char *, items.n + 1);
  while (goban_json_items_next (&items, &item))
    if (!goban_json_read_text (item, &found[i++], error))
      return FALSE;
  *texts = g_steal_pointer (&found);
  return TRUE;
}

/* --- lists ------------------------------------------------------------------------------------ */

static gboolean
open_container (GobanJsonValue value, GobanJsonType type, const char *need, GobanJsonItems *items,
                GError **error)
{
  *items = (GobanJsonItems){ .reader = value.reader };
  if (goban_json_is_missing (value))
    return TRUE;
  if (peek_token (value)->type != type)
    return goban_json_refuse_value (value, need, error);
  items->next = value.token + 1;
  items->end = peek_token (value)->next;
  items->n = peek_token (value)->n_inside;
  return TRUE;
}

gboolean
goban_json_read_list (GobanJsonValue value, GobanJsonItems *items, GError **error)
{
  return open_container (value, GOBAN_JSON_ARRAY, N_ ("a list"), items, error);
}

gboolean
goban_json_get_list (GobanJsonValue object, const char *key, GobanJsonItems *items, GError **error)
{
  return goban_json_read_list (goban_json_find (object, key), items, error);
}

gboolean
goban_json_items_next (GobanJsonItems *items, GobanJsonValue *value)
{
  if (items->next >= items->end)
    return FALSE;
  *value = (GobanJsonValue){ items->reader, items->next };
  items->next = peek_token (*value)->next;
  return TRUE;
}

GobanJsonValue
goban_json_get_element (GobanJsonValue object, const char *key, guint index)
{
  GobanJsonValue element = { object.reader, GOBAN_JSON_MISSING };
  GobanJsonItems items;

  if (!goban_json_get_list (object, key, &items, NULL)) /* not a list: no elements */
    return element;
  for (guint i = 0; i <= index; i++)
    if (!goban_json_items_next (&items, &element))
      return (GobanJsonValue){ object.reader, GOBAN_JSON_MISSING };
  return element;
}

gboolean
goban_json_read_members (GobanJsonValue value, GobanJsonItems *members, GError **error)
{
  return open_container (value, GOBAN_JSON_OBJECT, N_ ("an object"), members, error);
}

gboolean
goban_json_get_members (GobanJsonValue object, const char *key, GobanJsonItems *members,
                        GError **error)
{
  return goban_json_read_members (goban_json_find (object, key), members, error);
}

gboolean
goban_json_members_next (GobanJsonItems *members, const char **key, GobanJsonValue *value)
{
  GobanJsonValue name;

  do
    if (!goban_json_items_next (members, &name) || !goban_json_items_next (members, value))
      return FALSE;
  while (peek_token (name)->type == GOBAN_JSON_NULL);
  *key = goban_json_tape_text (&members->reader->tape, name.token);
  return TRUE;
}

/* --- streams -------------------------------------------------------------- */

/* For graphs of millions of nodes. The whole text is checked once, so that nothing afterwards meets
 * a mistake of grammar; then the stream holds one member of the root, or one element of a list in
 * the root, at a time. Values are read with the functions of json-reader.h, and are gone when the
 * stream goes on.
 *
 * Decision E37 (engine/NOTES.md). */

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
  return json_refuse_unknown (goban_json_reader_get_root (&self->reader), unknown, keys, error);
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
  reader->line += json_count_lines (reader->counted, begin);
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
