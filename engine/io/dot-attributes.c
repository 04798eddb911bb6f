#include "engine/io/dot-attributes.h"

#include "engine/base/error.h"
#include "engine/base/quantity.h"
#include "engine/io/dot-names.h"
#include "engine/io/text.h"

#include <math.h>
#include <string.h>

static GobanDotAttribute
find_attribute (Agraph_t *dot, int kind, const char *first, const char *second, const char *third)
{
  const char *names[] = { first, second, third };
  GobanDotAttribute attribute = { { NULL } };
  guint n = 0;

  for (guint i = 0; i < G_N_ELEMENTS (names) && names[i] != NULL; i++)
    {
      /* A NULL value asks; cgraph does not write to the name. */
      Agsym_t *symbol = agattr (dot, kind, (char *) names[i], NULL);

      if (symbol != NULL)
        attribute.symbols[n++] = symbol;
    }
  return attribute;
}

static void
find_attributes (GobanDotAttributes *self, Agraph_t *dot)
{
  self->op = find_attribute (dot, AGNODE, GOBAN_DOT_OP, NULL, NULL);
  self->label = find_attribute (dot, AGNODE, "label", NULL, NULL);
  self->time = find_attribute (dot, AGNODE, GOBAN_DOT_TIME, "weight", "cost");
  self->bytes = find_attribute (dot, AGNODE, GOBAN_DOT_BYTES, "size", NULL);
  self->memory = find_attribute (dot, AGNODE, GOBAN_DOT_MEMORY, NULL, NULL);
  self->colocation = find_attribute (dot, AGNODE, GOBAN_DOT_COLOCATION, NULL, NULL);
  self->phase = find_attribute (dot, AGNODE, GOBAN_DOT_PHASE, NULL, NULL);
  self->time_source = find_attribute (dot, AGNODE, GOBAN_DOT_TIME_SOURCE, NULL, NULL);
  self->size_source = find_attribute (dot, AGNODE, GOBAN_DOT_SIZE_SOURCE, NULL, NULL);
  for (guint i = 0; i < GOBAN_N_NODE_FIELDS; i++)
    self->fields[i] = find_attribute (dot, AGNODE, goban_node_fields[i].name, NULL, NULL);

  self->edge_time = find_attribute (dot, AGEDGE, GOBAN_DOT_TIME, "weight", "cost");
  self->edge_bytes = find_attribute (dot, AGEDGE, GOBAN_DOT_BYTES, "size", NULL);
  self->edge_tensor = find_attribute (dot, AGEDGE, GOBAN_DOT_TENSOR, NULL, NULL);
  self->edge_control = find_attribute (dot, AGEDGE, GOBAN_DOT_CONTROL, NULL, NULL);
}

static void
clear_kind_time (gpointer data)
{
  GobanDotKindTime *time = data;

  g_free (time->from);
  g_free (time->to);
}

static void
find_kinds (Agraph_t *dot, int kind, GArray *found)
{
  for (Agsym_t *symbol = NULL; (symbol = agnxtattr (dot, kind, symbol)) != NULL;)
    {
      g_auto (GStrv) parts = NULL;
      GobanDotKindTime time = { .symbol = symbol };

      if (!g_str_has_prefix (symbol->name, GOBAN_DOT_TIME_PREFIX))
        continue;
      parts = g_strsplit (symbol->name + strlen (GOBAN_DOT_TIME_PREFIX), ">", 2);
      if (parts[0] == NULL || (kind == AGEDGE) != (parts[1] != NULL))
        continue;
      time.from = g_strdup (parts[0]);
      time.to = g_strdup (parts[1]);
      g_array_append_val (found, time);
    }
}

void
goban_dot_attributes_init (GobanDotAttributes *self, Agraph_t *dot, const char *path,
                           double unit_us)
{
  *self = (GobanDotAttributes){ .path = path, .unit_us = unit_us };
  self->node_kinds = g_array_new (FALSE, FALSE, sizeof (GobanDotKindTime));
  self->edge_kinds = g_array_new (FALSE, FALSE, sizeof (GobanDotKindTime));
  g_array_set_clear_func (self->node_kinds, clear_kind_time);
  g_array_set_clear_func (self->edge_kinds, clear_kind_time);
  find_attributes (self, dot);
  find_kinds (dot, AGNODE, self->node_kinds);
  find_kinds (dot, AGEDGE, self->edge_kinds);
}

void
goban_dot_attributes_clear (GobanDotAttributes *self)
{
  g_clear_pointer (&self->node_kinds, g_array_unref);
  g_clear_pointer (&self->edge_kinds, g_array_unref);
}

guint
goban_dot_attributes_count_kinds (const GobanDotAttributes *self)
{
  g_autoptr (GHashTable) kinds = g_hash_table_new (g_str_hash, g_str_equal);

  g_hash_table_add (kinds, (gpointer) GOBAN_ANY_KIND);
  for (guint i = 0; i < self->node_kinds->len; i++)
    g_hash_table_add (kinds, g_array_index (self->node_kinds, GobanDotKindTime, i).from);
  for (guint i = 0; i < self->edge_kinds->len; i++)
    {
      g_hash_table_add (kinds, g_array_index (self->edge_kinds, GobanDotKindTime, i).from);
      g_hash_table_add (kinds, g_array_index (self->edge_kinds, GobanDotKindTime, i).to);
    }
  return g_hash_table_size (kinds);
}

const char *
goban_dot_get_value (void *object, const GobanDotAttribute *attribute)
{
  for (guint i = 0; attribute->symbols[i] != NULL; i++)
    {
      const char *value = agxget (object, attribute->symbols[i]);

      if (value != NULL && *value != '\0')
        return value;
    }
  return NULL;
}

gboolean
goban_dot_fail_node (const GobanDotAttributes *self, Agnode_t *object, GError **error,
                     const char *what, const char *value)
{
  g_autofree char *name = goban_text_excerpt (agnameof (object));
  g_autofree char *shown = goban_text_excerpt (value);

  g_set_error (error, GOBAN_ERROR, GOBAN_ERROR_PARSE, "%s: node “%s”: “%s” is no %s", self->path,
               name, shown, what);
  return FALSE;
}

gboolean
goban_dot_fail_edge (const GobanDotAttributes *self, Agedge_t *object, GError **error,
                     const char *what, const char *value)
{
  g_autofree char *tail = goban_text_excerpt (agnameof (agtail (object)));
  g_autofree char *head = goban_text_excerpt (agnameof (aghead (object)));
  g_autofree char *shown = goban_text_excerpt (value);

  g_set_error (error, GOBAN_ERROR, GOBAN_ERROR_PARSE, "%s: edge “%s” -> “%s”: “%s” is no %s",
               self->path, tail, head, shown, what);
  return FALSE;
}

gboolean
goban_dot_parse_time (const GobanDotAttributes *self, const char *value, double *time_us)
{
  double number;

  if (goban_text_parse_amount (value, &number))
    {
      *time_us = number * self->unit_us;
      return isfinite (*time_us);
    }
  return goban_parse_time (value, time_us, NULL /* the caller says it better */)
         && isfinite (*time_us);
}

gboolean
goban_dot_parse_bytes (const char *value, double *size_bytes)
{
  return goban_parse_bytes (value, size_bytes, NULL /* the caller says it better */)
         && isfinite (*size_bytes);
}
