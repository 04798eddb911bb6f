#include "engine/document/session-reader.h"

#include "engine/base/error.h"
#include "engine/base/json-guard.h"
#include "engine/base/json-place.h"
#include "engine/run/remap.h"

#include <math.h>
#include <string.h>

gboolean
goban_reader_refuse (const GobanReader *self, GError **error, const char *where, const char *format,
                     ...)
{
  g_autofree char *what = NULL;
  va_list args;

  va_start (args, format);
  what = g_strdup_vprintf (format, args);
  va_end (args);
  return goban_refuse (error, GOBAN_ERROR_PARSE, "%s:%u: %s%s%s", self->path,
                       goban_json_find_line (self->data, self->size, where), where,
                       *where != '\0' ? ": " : "", what);
}

void
goban_reader_warn (GobanReader *self, const char *format, ...)
{
  g_autofree char *what = NULL;
  va_list args;

  va_start (args, format);
  what = g_strdup_vprintf (format, args);
  va_end (args);
  g_ptr_array_add (self->snapshot->warnings, g_strdup_printf ("%s: %s", self->path, what));
}

/* --- values --------------------------------------------------------------------------------------- */

void
goban_reader_place_clear (GobanReaderPlace *place)
{
  g_free (place->where);
}

char *
goban_reader_name_key (const GobanReaderPlace *place, const char *key)
{
  return *place->where != '\0' ? g_strdup_printf ("%s.%s", place->where, key) : g_strdup (key);
}

gboolean
goban_reader_check_keys (const GobanReader *self, const GobanReaderPlace *place,
                         const char *const *known, GError **error)
{
  g_autofree char *where = g_strdup_printf (
      "%s:%u%s%s", self->path, goban_json_find_line (self->data, self->size, place->where),
      *place->where != '\0' ? ": " : "", place->where);

  return goban_json_check_keys (place->object, where, known, error);
}

gboolean
goban_reader_enter (const GobanReader *self, const GobanReaderPlace *place, const char *key,
                    const char *const *known, GobanReaderPlace *inner, GError **error)
{
  JsonNode *node = json_object_get_member (place->object, key);

  inner->where = goban_reader_name_key (place, key);
  if (node == NULL)
    return goban_reader_refuse (self, error, place->where, "%s is missing", key);
  if (!JSON_NODE_HOLDS_OBJECT (node))
    return goban_reader_refuse (self, error, inner->where, "an object is expected");
  inner->object = json_node_get_object (node);
  return goban_reader_check_keys (self, inner, known, error);
}

static GType
get_type (JsonNode *node)
{
  return JSON_NODE_HOLDS_VALUE (node) ? json_node_get_value_type (node) : G_TYPE_INVALID;
}

gboolean
goban_reader_read_text (const GobanReader *self, const GobanReaderPlace *place, const char *key,
                        const char **text, GError **error)
{
  JsonNode *node = json_object_get_member (place->object, key);
  g_autofree char *where = goban_reader_name_key (place, key);

  if (node == NULL)
    return TRUE;
  if (get_type (node) != G_TYPE_STRING)
    return goban_reader_refuse (self, error, where, "a text is expected");
  *text = json_node_get_string (node);
  return TRUE;
}

gboolean
goban_reader_read_path (const GobanReader *self, const GobanReaderPlace *place, const char *key,
                        char **path, GError **error)
{
  g_autofree char *bytes_key = g_strconcat (key, "_bytes", NULL);
  const char *text = NULL, *encoded = NULL;
  g_autofree char *found = NULL;

  if (!goban_reader_read_text (self, place, key, &text, error)
      || !goban_reader_read_text (self, place, bytes_key, &encoded, error))
    return FALSE;
  if (text != NULL && encoded != NULL)
    return goban_reader_refuse (self, error, place->where, "only one of %s and %s is expected", key,
                                bytes_key);
  if (text == NULL && encoded == NULL)
    return TRUE;
  found = text != NULL ? g_strdup (text) : g_uri_unescape_string (encoded, NULL);
  if (found == NULL || *found == '\0')
    {
      g_autofree char *where = goban_reader_name_key (place, text != NULL ? key : bytes_key);

      return goban_reader_refuse (self, error, where, "the name of a file is expected");
    }
  g_free (*path);
  *path = g_steal_pointer (&found);
  return TRUE;
}

gboolean
goban_reader_read_number (const GobanReader *self, const GobanReaderPlace *place, const char *key,
                          double *number, GError **error)
{
  JsonNode *node = json_object_get_member (place->object, key);
  g_autofree char *where = goban_reader_name_key (place, key);
  GType type;

  if (node == NULL)
    return TRUE;
  type = get_type (node);
  if ((type != G_TYPE_INT64 && type != G_TYPE_DOUBLE) || !isfinite (json_node_get_double (node))
      || json_node_get_double (node) < 0)
    return goban_reader_refuse (self, error, where, "a number that is not negative is expected");
  *number = json_node_get_double (node);
  return TRUE;
}

gboolean
goban_reader_read_count (const GobanReader *self, const GobanReaderPlace *place, const char *key,
                         guint64 *count, GError **error)
{
  JsonNode *node = json_object_get_member (place->object, key);
  g_autofree char *where = goban_reader_name_key (place, key);

  if (node == NULL)
    return TRUE;
  /* Seeds use all bits, more than numbers of JSON have. */
  if (get_type (node) == G_TYPE_STRING
      && g_ascii_string_to_unsigned (json_node_get_string (node), 10, 0, G_MAXUINT64, count, NULL))
    return TRUE;
  if (get_type (node) != G_TYPE_INT64 || json_node_get_int (node) < 0)
    return goban_reader_refuse (self, error, where,
                                "a whole number from 0 to %" G_GINT64_FORMAT " is expected",
                                G_MAXINT64);
  *count = (guint64) json_node_get_int (node);
  return TRUE;
}

gboolean
goban_reader_read_boolean (const GobanReader *self, const GobanReaderPlace *place, const char *key,
                           gboolean *value, GError **error)
{
  JsonNode *node = json_object_get_member (place->object, key);
  g_autofree char *where = goban_reader_name_key (place, key);

  if (node == NULL)
    return TRUE;
  if (get_type (node) != G_TYPE_BOOLEAN)
    return goban_reader_refuse (self, error, where, "true or false is expected");
  *value = json_node_get_boolean (node);
  return TRUE;
}

gboolean
goban_reader_read_texts (const GobanReader *self, const GobanReaderPlace *place, const char *key,
                         const char ***texts, GError **error)
{
  JsonNode *node = json_object_get_member (place->object, key);
  g_autofree char *where = goban_reader_name_key (place, key);
  g_autofree const char **found = NULL;
  JsonArray *array;
  guint n;

  if (node == NULL)
    return TRUE;
  if (!JSON_NODE_HOLDS_ARRAY (node))
    return goban_reader_refuse (self, error, where, "a list of texts is expected");
  array = json_node_get_array (node);
  n = json_array_get_length (array);
  found = g_new0 (const char *, n + 1);
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *item = g_strdup_printf ("%s[%u]", where, i);

      if (get_type (json_array_get_element (array, i)) != G_TYPE_STRING)
        return goban_reader_refuse (self, error, item, "a text is expected");
      found[i] = json_array_get_string_element (array, i);
    }
  *texts = g_steal_pointer (&found);
  return TRUE;
}

/* --- nodes and rows --------------------------------------------------------------------------------- */

/* A whole number at *p, which goes behind it. */
static gboolean
scan_int (const char **p, gint64 *value)
{
  const char *from = *p;
  char *end;

  if (!g_ascii_isdigit (*from) && !(*from == '-' && g_ascii_isdigit (from[1])))
    return FALSE;
  *value = g_ascii_strtoll (from, &end, 10);
  *p = end;
  return end - from <= 12;
}

static gboolean
scan_range (const char *text, guint n_nodes, guint *first, guint *last)
{
  gint64 a, b;

  if (!scan_int (&text, &a))
    return FALSE;
  b = a;
  if (*text == '-')
    {
      text++;
      if (!scan_int (&text, &b))
        return FALSE;
    }
  if (*text != '\0' || a < 0 || b < a || b >= n_nodes)
    return FALSE;
  *first = (guint) a;
  *last = (guint) b;
  return TRUE;
}

gboolean
goban_reader_read_nodes (const GobanReader *self, const GobanReaderPlace *place, const char *key,
                         GobanSelection **nodes, GError **error)
{
  g_autofree const char **ranges = NULL;
  GobanGraph *graph = self->old != NULL ? self->old : self->snapshot->graph;
  guint n_nodes = goban_graph_get_n_nodes (graph);
  g_autoptr (GobanSelection) meant = NULL;
  g_autoptr (GArray) ids = g_array_new (FALSE, FALSE, sizeof (GobanNodeId));

  if (!goban_reader_read_texts (self, place, key, &ranges, error))
    return FALSE;
  if (ranges == NULL || (!self->has_same_nodes && self->old == NULL))
    return TRUE;
  for (guint i = 0; ranges[i] != NULL; i++)
    {
      guint first, last;

      if (!scan_range (ranges[i], n_nodes, &first, &last) || ids->len + (last - first) >= n_nodes)
        {
          g_autofree char *name = goban_reader_name_key (place, key);
          g_autofree char *where = g_strdup_printf ("%s[%u]", name, i);

          return goban_reader_refuse (
              self, error, where,
              "“%s” are no nodes of this graph, which has numbers from 0 to %u, each once",
              ranges[i], n_nodes - 1);
        }
      for (guint v = first; v <= last; v++)
        g_array_append_val (ids, v);
    }
  meant = goban_selection_new ((const GobanNodeId *) ids->data, ids->len);
  goban_selection_unref (*nodes);
  *nodes = self->old != NULL ? goban_remap_nodes (graph, self->snapshot->graph, meant)
                             : g_steal_pointer (&meant);
  return TRUE;
}

/* "12*0 1 2" into exactly @n values. */
static gboolean
scan_row (const char *text, gint32 *values, guint n)
{
  guint filled = 0;

  while (filled < n)
    {
      gint64 value, count = 1;

      if (!scan_int (&text, &value))
        return FALSE;
      if (*text == '*')
        {
          text++;
          count = value;
          if (!scan_int (&text, &value))
            return FALSE;
        }
      if (count < 1 || count > n - filled || value < G_MININT32 || value > G_MAXINT32)
        return FALSE;
      while (count-- > 0)
        values[filled++] = (gint32) value;
      if (filled < n && *text++ != ' ')
        return FALSE;
    }
  return *text == '\0';
}

gboolean
goban_reader_read_rows (const GobanReader *self, const GobanReaderPlace *place, const char *key,
                        guint n, gint32 **values, GError **error)
{
  g_autofree const char **rows = NULL;
  g_autofree gint32 *found = NULL;
  guint n_rows = n / GOBAN_SESSION_ROW + (n % GOBAN_SESSION_ROW != 0);
  g_autofree char *where = goban_reader_name_key (place, key);

  if (!goban_reader_read_texts (self, place, key, &rows, error))
    return FALSE;
  if (rows == NULL)
    return TRUE;
  if (g_strv_length ((char **) rows) != n_rows)
    return goban_reader_refuse (self, error, where,
                                "%u rows of %d are expected, for %u values, but there are %u",
                                n_rows, GOBAN_SESSION_ROW, n, g_strv_length ((char **) rows));
  found = g_new0 (gint32, MAX (n, 1));
  for (guint i = 0; i < n_rows; i++)
    {
      guint from = i * GOBAN_SESSION_ROW;

      if (!scan_row (rows[i], found + from, MIN (n - from, GOBAN_SESSION_ROW)))
        {
          g_autofree char *item = g_strdup_printf ("%s[%u]", where, i);

          return goban_reader_refuse (self, error, item,
                                      "these are not the %u whole numbers of a row: “%.60s”",
                                      MIN (n - from, GOBAN_SESSION_ROW), rows[i]);
        }
    }
  *values = g_steal_pointer (&found);
  return TRUE;
}
