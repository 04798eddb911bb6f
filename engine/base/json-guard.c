#include "engine/base/json-guard.h"

#include "engine/base/error.h"

#include <stdio.h>
#include <string.h>

typedef struct
{
  guint line; /* from 1 */
  guint column;
} Place;

/* Where a byte stands; columns count characters. */
static Place
find_place (const char *data, const char *at)
{
  Place place = { 1, 1 };

  for (const char *p = data; p < at; p++)
    {
      if (*p == '\n')
        place = (Place){ place.line + 1, 1 };
      else if (((guchar) *p & 0xc0) != 0x80)
        place.column++;
    }
  return place;
}

gboolean
goban_json_refuse_at (const char *data, const char *at, const char *path, const char *what,
                      GError **error)
{
  Place place = find_place (data, at);

  g_set_error (error, GOBAN_ERROR, GOBAN_ERROR_PARSE, "%s:%u:%u: %s", path, place.line,
               place.column, what);
  return FALSE;
}

/* The first byte behind the string that starts at p, or the end. */
static const char *
skip_string (const char *p, const char *end)
{
  for (p++; p < end && *p != '"'; p++)
    if (*p == '\\')
      p++;
  return p < end ? p + 1 : end;
}

/* The value of the four hexadecimal digits after "\\u" at p, or 0. */
static guint
escaped_unit (const char *p, const char *end)
{
  guint value = 0;

  if (end - p < 6 || p[0] != '\\' || p[1] != 'u')
    return 0;
  for (p += 2, end = p + 4; p < end; p++)
    {
      if (!g_ascii_isxdigit (*p))
        return 0;
      value = value * 16 + g_ascii_xdigit_value (*p);
    }
  return value;
}

/* json-glib lets escapes through that name no character: a zero, half of a surrogate pair, and
 * bytes in octal, as C has them.
 * (nullable): the first of them from p to the end of its string. */
static const char *
find_unsound_escape (const char *p, const char *end)
{
  for (; p < end; p++)
    {
      guint unit;

      if (*p != '\\')
        continue;
      if (end - p > 1 && strchr ("\"\\/bfnrtu", p[1]) == NULL)
        return p;
      if (end - p > 1 && p[1] == 'u')
        {
          unit = escaped_unit (p, end);
          if (unit == 0 || (unit >= 0xdc00 && unit < 0xe000))
            return p;
          if (unit >= 0xd800 && unit < 0xdc00)
            {
              guint low = escaped_unit (p + 6, end);

              if (low < 0xdc00 || low >= 0xe000)
                return p;
              p += 6;
            }
        }
      p++;
    }
  return NULL;
}

/* Outside strings. */
static inline gboolean
may_stand_outside (char c)
{
  switch (c)
    {
    case ' ':
    case '\t':
    case '\r':
    case '\n':
    case '{':
    case '}':
    case '[':
    case ']':
    case ':':
    case ',':
    case '+':
    case '-':
    case '.':
    case '_':
      return TRUE;
    default:
      return g_ascii_isalnum (c);
    }
}

gboolean
goban_json_check_text (const char *data, gsize length, const char *path, GError **error)
{
  const char *end = data + length;
  const char *bad;
  gboolean is_closed = FALSE; /* the root's last bracket is behind us */
  guint depth = 0;

  if (!g_utf8_validate_len (data, length, &bad))
    return goban_json_refuse_at (data, bad, path, "this is not UTF-8 text", error);

  for (const char *p = data; p < end;)
    {
      if (is_closed && !g_ascii_isspace (*p))
        return goban_json_refuse_at (data, p, path, "there is more behind the end of the JSON",
                                     error);
      if (*p == '"')
        {
          const char *behind = skip_string (p, end);

          bad = find_unsound_escape (p, behind);
          if (bad != NULL)
            return goban_json_refuse_at (data, bad, path, "a string escapes what is no character",
                                         error);
          p = behind;
          continue;
        }
      if (*p == '{' || *p == '[')
        {
          if (++depth > GOBAN_JSON_MAX_DEPTH)
            return goban_json_refuse_at (data, p, path, "this nests too deeply", error);
        }
      else if ((*p == '}' || *p == ']') && depth > 0)
        is_closed = --depth == 0;
      else if (!may_stand_outside (*p))
        {
          g_autofree char *what
              = g_strdup_printf ("“%.*s” is no JSON", (int) (g_utf8_next_char (p) - p), p);

          return goban_json_refuse_at (data, p, path, what, error);
        }
      p++;
    }
  return TRUE;
}

/* json-glib writes "<data>:line:column: Parse error: unexpected `x', expected `y'", in which y is
 * often wrong. The message keeps the place and x, and adds the file's name. */
static void
translate_error (const GError *json_error, const char *path, GError **error)
{
  static const char before[] = "Parse error: ";
  const char *found = strstr (json_error->message, before);
  const char *what = found != NULL ? found + strlen (before) : json_error->message;
  const char *expected = strstr (what, ", expected ");
  g_autoptr (GString) text
      = g_string_new_len (what, expected != NULL ? expected - what : (gssize) strlen (what));
  g_autofree char *valid = NULL;
  Place place = { 1, 1 };

  if (sscanf (json_error->message, "%*[^:]:%u:%u", &place.line, &place.column) != 2)
    place = (Place){ 1, 1 };
  g_string_replace (text, "`", "“", 0);
  g_string_replace (text, "'", "”", 0);
  /* x is a single byte, perhaps of a longer character. */
  valid = g_utf8_make_valid (text->str, -1);
  g_set_error (error, GOBAN_ERROR, GOBAN_ERROR_PARSE, "%s:%u:%u: %s", path, MAX (place.line, 1),
               MAX (place.column, 1), valid);
}

JsonNode *
goban_json_parse (const char *data, gssize length, const char *path, GError **error)
{
  g_autoptr (JsonParser) parser = json_parser_new ();
  g_autoptr (GError) local = NULL;
  gsize size = length < 0 ? strlen (data) : (gsize) length;
  JsonNode *root;

  if (size == 0)
    data = ""; /* no bytes may have no address */
  if (!goban_json_check_text (data, size, path, error))
    return NULL;
  if (!json_parser_load_from_data (parser, data, (gssize) size, &local))
    {
      translate_error (local, path, error);
      return NULL;
    }
  root = json_parser_steal_root (parser);
  if (root == NULL)
    g_set_error (error, GOBAN_ERROR, GOBAN_ERROR_PARSE, "%s:1:1: the file is empty", path);
  return root;
}

gboolean
goban_json_check_keys (JsonObject *object, const char *where, const char *const *known,
                       GError **error)
{
  g_autofree char *list = NULL;
  const char *unknown = NULL; /* the first by name, whatever the order of the table */
  JsonObjectIter iter;
  const char *key;

  json_object_iter_init (&iter, object);
  while (json_object_iter_next (&iter, &key, NULL))
    if (!g_strv_contains (known, key) && (unknown == NULL || strcmp (key, unknown) < 0))
      unknown = key;
  if (unknown == NULL)
    return TRUE;

  list = g_strjoinv (", ", (char **) known);
  g_set_error (error, GOBAN_ERROR, GOBAN_ERROR_PARSE, "%s: unknown key “%s”; known are %s", where,
               unknown, list);
  return FALSE;
}
