#include "tests/io/json-members.h"

#include "engine/core/error.h"
#include "engine/io/text.h"

#include <math.h>
#include <string.h>

/* The end of the string that begins at data[i], or size if there is none. */
static gsize
skip_string (const char *data, gsize size, gsize i)
{
  for (i++; i < size && data[i] != '"'; i++)
    if (data[i] == '\\')
      i++;
  return MIN (i, size);
}

/* json-glib accepts more than JSON; the texts of the tests are JSON, or refused by both. */
JsonObject *
json_members_parse_object (const char *data, gsize size, const char *path, GError **error)
{
  g_autoptr (JsonParser) parser = json_parser_new ();
  g_autoptr (GError) local = NULL;
  JsonNode *root;

  if (!goban_text_file_check (data, size, path, error))
    return NULL;
  if (!json_parser_load_from_data (parser, data, (gssize) size, &local))
    {
      goban_refuse (error, GOBAN_ERROR_PARSE, "%s: %s", path, local->message);
      return NULL;
    }
  root = json_parser_get_root (parser);
  if (root == NULL || !JSON_NODE_HOLDS_OBJECT (root))
    {
      goban_refuse (error, GOBAN_ERROR_PARSE, "%s:1: the top-level value is not an object", path);
      return NULL;
    }
  return json_object_ref (json_node_get_object (root));
}

/* The line of the place, found by walking the text again: only mistakes pay for it. */
static guint
find_line (const JsonMembersPlace *place)
{
  const char *data = place->data;
  gsize name_length = place->section != NULL ? strlen (place->section) : 0;
  gboolean inside = FALSE;
  guint depth = 0, index = 0;

  for (gsize i = 0; i < place->size; i++)
    {
      char c = data[i];

      if (inside && depth == 2 && index == place->index && !g_ascii_isspace (c))
        return goban_text_file_line_at (data, place->size, i);
      if (c == '"')
        {
          gsize end = skip_string (data, place->size, i);

          if (depth == 1)
            inside = end - i - 1 == name_length
                     && strncmp (data + i + 1, place->section, name_length) == 0;
          i = end;
        }
      else if (c == '{' || c == '[')
        depth++;
      else if (c == '}' || c == ']')
        depth--;
      else if (c == ',' && inside && depth == 2)
        index++;
    }
  return 1;
}

gboolean
json_members_fail (const JsonMembersPlace *place, GError **error, const char *format, ...)
{
  g_autofree char *message = NULL;
  va_list args;

  va_start (args, format);
  message = g_strdup_vprintf (format, args);
  va_end (args);

  if (place->section == NULL)
    goban_set_error (error, GOBAN_ERROR_PARSE, "%s: %s", place->path, message);
  else
    goban_set_error (error, GOBAN_ERROR_PARSE, "%s:%u: %s[%u]: %s", place->path,
                     place->line > 0 ? place->line : find_line (place), place->section,
                     place->index, message);
  return FALSE;
}

/* The member, or NULL if it is missing or null. */
static JsonNode *
get_member (JsonObject *object, const char *member)
{
  JsonNode *node = json_object_get_member (object, member);

  return node != NULL && !JSON_NODE_HOLDS_NULL (node) ? node : NULL;
}

gboolean
json_members_node_number (JsonNode *node, double *value)
{
  GType type = JSON_NODE_HOLDS_VALUE (node) ? json_node_get_value_type (node) : G_TYPE_INVALID;
  double number;

  if (type != G_TYPE_INT64 && type != G_TYPE_DOUBLE)
    return FALSE;

  number = json_node_get_double (node);
  if (!isfinite (number))
    return FALSE;
  *value = number;
  return TRUE;
}

gboolean
json_members_get_number (const JsonMembersPlace *place, JsonObject *object, const char *member,
                         double *value, GError **error)
{
  JsonNode *node = get_member (object, member);

  if (node == NULL || json_members_node_number (node, value))
    return TRUE;
  return json_members_fail (place, error, "“%s” is no number", member);
}

gboolean
json_members_get_amount (const JsonMembersPlace *place, JsonObject *object, const char *member,
                         double *value, GError **error)
{
  double number = *value;

  if (!json_members_get_number (place, object, member, &number, error))
    return FALSE;
  if (number < 0)
    return json_members_fail (place, error, "“%s” is negative", member);
  *value = number;
  return TRUE;
}

gboolean
json_members_get_boolean (const JsonMembersPlace *place, JsonObject *object, const char *member,
                          gboolean *value, GError **error)
{
  JsonNode *node = get_member (object, member);
  double number = -1;

  if (node == NULL)
    return TRUE;
  if (JSON_NODE_HOLDS_VALUE (node) && json_node_get_value_type (node) == G_TYPE_BOOLEAN)
    {
      *value = json_node_get_boolean (node);
      return TRUE;
    }
  if (!json_members_node_number (node, &number) || (number != 0 && number != 1))
    return json_members_fail (place, error, "“%s” is neither true nor false", member);
  *value = number == 1;
  return TRUE;
}

gboolean
json_members_get_string (const JsonMembersPlace *place, JsonObject *object, const char *member,
                         const char **value, GError **error)
{
  JsonNode *node = get_member (object, member);

  if (node == NULL)
    return TRUE;
  if (!JSON_NODE_HOLDS_VALUE (node) || json_node_get_value_type (node) != G_TYPE_STRING)
    return json_members_fail (place, error, "“%s” is no string", member);
  *value = json_node_get_string (node);
  return TRUE;
}

gboolean
json_members_get_array (const JsonMembersPlace *place, JsonObject *object, const char *member,
                        JsonArray **value, GError **error)
{
  JsonNode *node = get_member (object, member);

  if (node == NULL)
    return TRUE;
  if (!JSON_NODE_HOLDS_ARRAY (node))
    return json_members_fail (place, error, "“%s” is no array", member);
  *value = json_node_get_array (node);
  return TRUE;
}

gboolean
json_members_get_object (const JsonMembersPlace *place, JsonObject *object, const char *member,
                         JsonObject **value, GError **error)
{
  JsonNode *node = get_member (object, member);

  if (node == NULL)
    return TRUE;
  if (!JSON_NODE_HOLDS_OBJECT (node))
    return json_members_fail (place, error, "“%s” is no object", member);
  *value = json_node_get_object (node);
  return TRUE;
}

gboolean
json_members_check_keys (const JsonMembersPlace *place, JsonObject *object, const char *const *keys,
                         GError **error)
{
  JsonObjectIter iter;
  const char *member;

  json_object_iter_init_ordered (&iter, object);
  while (json_object_iter_next_ordered (&iter, &member, NULL))
    if (!g_strv_contains (keys, member))
      return json_members_fail (place, error, "“%s” is not known", member);
  return TRUE;
}
