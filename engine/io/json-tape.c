#include "engine/io/json-tape.h"

#include "engine/base/error.h"
#include "engine/base/json-guard.h"
#include "engine/base/quantity.h"
#include "engine/io/text.h"

#include <math.h>
#include <string.h>

/* Objects with more members than this have their keys looked up in a table to find those given twice. */
#define FEW_MEMBERS 16

/* --- reading ------------------------------------------------------------------------------------ */

static void
skip_blanks (GobanJsonTape *self)
{
  while (self->at < self->end
         && (*self->at == ' ' || *self->at == '\n' || *self->at == '\t' || *self->at == '\r'))
    self->at++;
}

static gboolean
refuse (const GobanJsonTape *self, const char *expected, GError **error)
{
  if (self->at == self->end)
    return goban_json_refuse_at (self->data, self->at, self->path,
                                 "unexpected end of file; is the file complete?", error);
  else
    {
      gsize n = g_utf8_next_char (self->at) - self->at;
      g_autofree char *what
          = g_strdup_printf ("unexpected “%.*s”; %s is expected", (int) n, self->at, expected);

      return goban_json_refuse_at (self->data, self->at, self->path, what, error);
    }
}

/* Steps over that byte, if it is the next but for blanks. */
static gboolean
take (GobanJsonTape *self, char byte)
{
  skip_blanks (self);
  if (self->at == self->end || *self->at != byte)
    return FALSE;
  self->at++;
  return TRUE;
}

static guint32
add_token (GobanJsonTape *self, GobanJsonType type)
{
  GobanJsonToken token = { .type = type, .next = self->tokens->len + 1 };

  g_array_append_val (self->tokens, token);
  return self->tokens->len - 1;
}

static GobanJsonToken *
get_token (GobanJsonTape *self, guint32 token)
{
  return &g_array_index (self->tokens, GobanJsonToken, token);
}

static guint
read_hex (const char *p)
{
  guint value = 0;

  for (guint i = 0; i < 4; i++)
    value = value * 16 + (guint) g_ascii_xdigit_value (p[i]);
  return value;
}

/* Appends the character that the escape at p stands for, and returns what is behind it. The guard has found every
 * escape sound. */
static const char *
append_escape (GByteArray *texts, const char *p)
{
  static const char letters[] = "\"\\/bfnrt";
  static const char bytes[] = "\"\\/\b\f\n\r\t";
  char utf8[6];
  gunichar c;

  if (p[1] != 'u')
    {
      g_byte_array_append (texts, (const guint8 *) bytes + (strchr (letters, p[1]) - letters), 1);
      return p + 2;
    }
  c = read_hex (p + 2);
  p += 6;
  if (c >= 0xd800 && c < 0xdc00)
    {
      c = 0x10000 + ((c - 0xd800) << 10) + (read_hex (p + 2) - 0xdc00);
      p += 6;
    }
  g_byte_array_append (texts, (const guint8 *) utf8, (guint) g_unichar_to_utf8 (c, utf8));
  return p;
}

/* At a quote. Without @keeps the string is only stepped over. */
static gboolean
read_string (GobanJsonTape *self, gboolean keeps, GError **error)
{
  const char *p = ++self->at;
  const char *from = p;
  guint32 token = 0;

  if (keeps)
    {
      token = add_token (self, GOBAN_JSON_STRING);
      get_token (self, token)->text = self->texts->len;
    }
  while (p < self->end && *p != '"')
    {
      if (*p != '\\')
        {
          p++;
          continue;
        }
      if (!keeps)
        {
          p += p + 1 < self->end ? 2 : 1;
          continue;
        }
      g_byte_array_append (self->texts, (const guint8 *) from, (guint) (p - from));
      p = from = append_escape (self->texts, p);
    }
  self->at = p;
  if (p == self->end)
    return refuse (self, "", error);
  if (keeps)
    {
      g_byte_array_append (self->texts, (const guint8 *) from, (guint) (p - from));
      g_byte_array_append (self->texts, (const guint8 *) "", 1);
    }
  self->at = p + 1;
  return TRUE;
}

static const char *
skip_digits (const char *p, const char *end)
{
  while (p < end && g_ascii_isdigit (*p))
    p++;
  return p;
}

static void
keep_number (GobanJsonTape *self, const char *from, gboolean is_whole)
{
  g_autofree char *text = g_strndup (from, self->at - from);
  guint32 token = add_token (self, GOBAN_JSON_REAL);
  gint64 integer;

  if (is_whole && g_ascii_string_to_signed (text, 10, G_MININT64, G_MAXINT64, &integer, NULL))
    {
      get_token (self, token)->type = GOBAN_JSON_INTEGER;
      get_token (self, token)->integer = integer;
    }
  else
    get_token (self, token)->real = g_ascii_strtod (text, NULL);
}

/* Most numbers are short and whole. */
static gboolean
keep_short_number (GobanJsonTape *self, const char *from)
{
  gint64 integer = 0;

  if (*from == '-' || self->at - from > 18)
    return FALSE;
  for (const char *p = from; p < self->at; p++)
    integer = integer * 10 + (*p - '0');
  get_token (self, add_token (self, GOBAN_JSON_INTEGER))->integer = integer;
  return TRUE;
}

static gboolean
read_number (GobanJsonTape *self, gboolean keeps, GError **error)
{
  const char *from = self->at;
  const char *p = from + (*from == '-');
  const char *behind = skip_digits (p, self->end);
  gboolean is_whole = TRUE;

  self->at = p;
  if (behind == p || (*p == '0' && behind - p > 1))
    return refuse (self, "a number", error);
  if (behind < self->end && *behind == '.')
    {
      is_whole = FALSE;
      self->at = behind + 1;
      behind = skip_digits (self->at, self->end);
      if (behind == self->at)
        return refuse (self, "a digit", error);
    }
  if (behind < self->end && (*behind == 'e' || *behind == 'E'))
    {
      is_whole = FALSE;
      self->at = behind + 1;
      if (self->at < self->end && (*self->at == '-' || *self->at == '+'))
        self->at++;
      behind = skip_digits (self->at, self->end);
      if (behind == self->at)
        return refuse (self, "a digit", error);
    }
  self->at = behind;
  if (keeps && !(is_whole && keep_short_number (self, from)))
    keep_number (self, from, is_whole);
  return TRUE;
}

static gboolean
read_word (GobanJsonTape *self, gboolean keeps, GError **error)
{
  static const char *const words[] = { "null", "false", "true" };

  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    {
      gsize n = strlen (words[i]);

      if ((gsize) (self->end - self->at) < n || strncmp (self->at, words[i], n) != 0)
        continue;
      self->at += n;
      if (keeps)
        {
          guint32 token = add_token (self, i == 0 ? GOBAN_JSON_NULL : GOBAN_JSON_BOOLEAN);

          get_token (self, token)->integer = i == 2;
        }
      return TRUE;
    }
  return refuse (self, "a value", error);
}

/* (nullable): the key token among those from @first to before @key that has the same text. */
static GobanJsonToken *
find_twin (GobanJsonTape *self, guint32 first, guint32 key)
{
  const char *text = goban_json_tape_text (self, key);

  for (guint32 other = first; other < key; other = get_token (self, other + 1)->next)
    if (strcmp (goban_json_tape_text (self, other), text) == 0
        && get_token (self, other)->type == GOBAN_JSON_STRING)
      return get_token (self, other);
  return NULL;
}

/* The key of a member that a later one replaces becomes null, and so is never found. */
static void
drop_replaced (GobanJsonTape *self, guint32 object)
{
  guint32 n = get_token (self, object)->n_inside;
  g_autoptr (GHashTable) seen = n > FEW_MEMBERS ? g_hash_table_new (g_str_hash, g_str_equal) : NULL;

  for (guint32 i = 0, key = object + 1; i < n; i++)
    {
      GobanJsonToken *earlier;

      if (seen == NULL)
        earlier = find_twin (self, object + 1, key);
      else
        {
          char *text = (char *) self->texts->data + get_token (self, key)->text;
          guint32 found = GPOINTER_TO_UINT (g_hash_table_lookup (seen, text));

          earlier = found != 0 ? get_token (self, found) : NULL;
          g_hash_table_insert (seen, text, GUINT_TO_POINTER (key));
        }
      if (earlier != NULL)
        earlier->type = GOBAN_JSON_NULL;
      key = get_token (self, key + 1)->next;
    }
}

static gboolean read_value (GobanJsonTape *self, gboolean keeps, GError **error);

static gboolean
read_member (GobanJsonTape *self, gboolean keeps, GError **error)
{
  skip_blanks (self);
  if (self->at == self->end || *self->at != '"')
    return refuse (self, "a name in quotes", error);
  if (!read_string (self, keeps, error))
    return FALSE;
  return take (self, ':') ? read_value (self, keeps, error) : refuse (self, "“:”", error);
}

/* At the bracket that opens an array or an object; the guard bounds how deep they nest. */
static gboolean
read_inside (GobanJsonTape *self, gboolean is_object, gboolean keeps, GError **error)
{
  guint32 token = keeps ? add_token (self, is_object ? GOBAN_JSON_OBJECT : GOBAN_JSON_ARRAY) : 0;
  char closing = is_object ? '}' : ']';
  guint32 n = 0;

  self->at++;
  if (!take (self, closing))
    do
      {
        n++;
        if (!(is_object ? read_member (self, keeps, error) : read_value (self, keeps, error)))
          return FALSE;
      }
    while (take (self, ','));
  if (n > 0 && !take (self, closing))
    return refuse (self, is_object ? "“,” or “}”" : "“,” or “]”", error);
  if (!keeps)
    return TRUE;
  get_token (self, token)->n_inside = n;
  get_token (self, token)->next = self->tokens->len;
  if (is_object)
    drop_replaced (self, token);
  return TRUE;
}

static gboolean
read_value (GobanJsonTape *self, gboolean keeps, GError **error)
{
  skip_blanks (self);
  if (self->at == self->end)
    return refuse (self, "", error);
  switch (*self->at)
    {
    case '{':
    case '[':
      return read_inside (self, *self->at == '{', keeps, error);
    case '"':
      return read_string (self, keeps, error);
    case '-':
      return read_number (self, keeps, error);
    default:
      return g_ascii_isdigit (*self->at) ? read_number (self, keeps, error)
                                         : read_word (self, keeps, error);
    }
}

gboolean
goban_json_tape_init (GobanJsonTape *self, const char *data, gsize size, const char *path,
                      GError **error)
{
  *self = (GobanJsonTape){ .path = path, .data = data, .end = data + size, .at = data };
  self->tokens = g_array_new (FALSE, FALSE, sizeof (GobanJsonToken));
  self->texts = g_byte_array_new ();
  if (!goban_text_check (data, size, path, error)
      || !goban_json_check_text (data, size, path, error) || !read_value (self, FALSE, error))
    return FALSE;
  skip_blanks (self);
  if (self->at < self->end)
    return refuse (self, "the end of the file", error);
  self->at = data;
  return TRUE;
}

void
goban_json_tape_clear (GobanJsonTape *self)
{
  g_clear_pointer (&self->tokens, g_array_unref);
  g_clear_pointer (&self->texts, g_byte_array_unref);
}

/* --- walking --------------------------------------------------------------------------------- */

/* What has been checked once cannot fail again. */
static void
read_checked (GobanJsonTape *self, gboolean keeps)
{
  g_autoptr (GError) error = NULL;

  if (!read_value (self, keeps, &error))
    g_error ("%s", error->message);
}

static void
start_tape (GobanJsonTape *self)
{
  g_array_set_size (self->tokens, 0);
  g_byte_array_set_size (self->texts, 0);
}

gboolean
goban_json_tape_is_object (GobanJsonTape *self)
{
  skip_blanks (self);
  return *self->at == '{';
}

void
goban_json_tape_find_members (GobanJsonTape *self, const char *const *names, guint n,
                              GobanJsonSpan *values)
{
  memset (values, 0, n * sizeof *values);
  self->at = self->data;
  if (!take (self, '{') || take (self, '}'))
    return;
  do
    {
      GobanJsonSpan value;
      const char *key;

      start_tape (self);
      read_checked (self, TRUE);
      key = goban_json_tape_text (self, 0);
      take (self, ':');
      skip_blanks (self);
      value.begin = self->at;
      read_checked (self, FALSE);
      value.end = self->at;
      for (guint i = 0; i < n; i++)
        if (strcmp (key, names[i]) == 0)
          values[i] = value;
    }
  while (take (self, ','));
}

void
goban_json_tape_enter (GobanJsonTape *self, const GobanJsonSpan *span)
{
  self->at = span->begin + 1;
}

gboolean
goban_json_tape_next (GobanJsonTape *self)
{
  skip_blanks (self);
  if (*self->at == ']')
    return FALSE;
  if (*self->at == ',')
    self->at++;
  skip_blanks (self);
  self->begin = self->at;
  start_tape (self);
  read_checked (self, TRUE);
  return TRUE;
}

void
goban_json_tape_read (GobanJsonTape *self, const GobanJsonSpan *span)
{
  self->at = span->begin;
  start_tape (self);
  read_checked (self, TRUE);
}

/* --- what is on the tape --------------------------------------------------------------------- */

gboolean
goban_json_tape_is (const GobanJsonTape *self, guint32 token, GobanJsonType type)
{
  return goban_json_tape_token (self, token)->type == type;
}

gboolean
goban_json_tape_number (const GobanJsonTape *self, guint32 token, double *value)
{
  const GobanJsonToken *number = goban_json_tape_token (self, token);

  if (number->type == GOBAN_JSON_INTEGER)
    *value = (double) number->integer;
  else if (number->type == GOBAN_JSON_REAL && isfinite (number->real))
    *value = number->real;
  else
    return FALSE;
  return TRUE;
}

/* The value of that member; 0 if it is missing or null. */
static guint32
find_member (const GobanJsonTape *self, guint32 object, const char *member)
{
  guint32 end = goban_json_tape_token (self, object)->next;

  for (guint32 key = object + 1; key < end; key = goban_json_tape_token (self, key + 1)->next)
    if (goban_json_tape_is (self, key, GOBAN_JSON_STRING)
        && strcmp (goban_json_tape_text (self, key), member) == 0)
      return goban_json_tape_is (self, key + 1, GOBAN_JSON_NULL) ? 0 : key + 1;
  return 0;
}

gboolean
goban_json_tape_get_number (const GobanJsonTape *self, const GobanJsonPlace *place, guint32 object,
                            const char *member, double *value, GError **error)
{
  guint32 found = find_member (self, object, member);

  if (found == 0 || goban_json_tape_number (self, found, value))
    return TRUE;
  return goban_json_fail (place, error, "“%s” is no number", member);
}

gboolean
goban_json_tape_get_amount (const GobanJsonTape *self, const GobanJsonPlace *place, guint32 object,
                            const char *member, double *value, GError **error)
{
  double number = *value;

  if (!goban_json_tape_get_number (self, place, object, member, &number, error))
    return FALSE;
  if (number < 0)
    return goban_json_fail (place, error, "“%s” is negative", member);
  *value = number;
  return TRUE;
}

gboolean
goban_json_tape_get_boolean (const GobanJsonTape *self, const GobanJsonPlace *place, guint32 object,
                             const char *member, gboolean *value, GError **error)
{
  guint32 found = find_member (self, object, member);
  double number = -1;

  if (found == 0)
    return TRUE;
  if (goban_json_tape_is (self, found, GOBAN_JSON_BOOLEAN))
    number = (double) goban_json_tape_token (self, found)->integer;
  else if (!goban_json_tape_number (self, found, &number) || (number != 0 && number != 1))
    return goban_json_fail (place, error, "“%s” is neither true nor false", member);
  *value = number == 1;
  return TRUE;
}

/* FALSE with @error set if the member is there and of another type. */
static gboolean
get_typed (const GobanJsonTape *self, const GobanJsonPlace *place, guint32 object,
           const char *member, GobanJsonType type, guint32 *value, GError **error)
{
  guint32 found = find_member (self, object, member);

  if (found == 0)
    return TRUE;
  if (!goban_json_tape_is (self, found, type))
    return goban_json_fail (place, error, "“%s” is no %s", member,
                            type == GOBAN_JSON_STRING  ? "string"
                            : type == GOBAN_JSON_ARRAY ? "array"
                                                       : "object");
  *value = found;
  return TRUE;
}

gboolean
goban_json_tape_get_string (const GobanJsonTape *self, const GobanJsonPlace *place, guint32 object,
                            const char *member, const char **value, GError **error)
{
  guint32 found = 0;

  if (!get_typed (self, place, object, member, GOBAN_JSON_STRING, &found, error))
    return FALSE;
  if (found != 0)
    *value = goban_json_tape_text (self, found);
  return TRUE;
}

gboolean
goban_json_tape_get_array (const GobanJsonTape *self, const GobanJsonPlace *place, guint32 object,
                           const char *member, guint32 *value, GError **error)
{
  return get_typed (self, place, object, member, GOBAN_JSON_ARRAY, value, error);
}

gboolean
goban_json_tape_get_object (const GobanJsonTape *self, const GobanJsonPlace *place, guint32 object,
                            const char *member, guint32 *value, GError **error)
{
  return get_typed (self, place, object, member, GOBAN_JSON_OBJECT, value, error);
}
