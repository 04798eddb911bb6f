#include "engine/io/dot/dot-attributes.h"

#include "engine/core/error.h"
#include "engine/core/quantity.h"
#include "engine/io/dot/dot-names.h"
#include "engine/io/text.h"

#include <math.h>
#include <string.h>

#define MAX_NAMES_LISTED 8

/* Other tools write "Weight" or "WEIGHT". Every spelling of the first name goes before the second
 * name, and the exact one before the others. */
static GobanDotAttribute
find_attribute (GobanDotAttributes *self, Agraph_t *dot, int kind, const char *const *names)
{
  GPtrArray *symbols = g_ptr_array_new ();

  for (guint i = 0; names[i] != NULL; i++)
    {
      guint first = symbols->len;

      for (Agsym_t *symbol = NULL; (symbol = agnxtattr (dot, kind, symbol)) != NULL;)
        if (strcmp (symbol->name, names[i]) == 0)
          g_ptr_array_insert (symbols, (int) first, symbol);
        else if (g_ascii_strcasecmp (symbol->name, names[i]) == 0)
          g_ptr_array_add (symbols, symbol);
    }
  g_ptr_array_add (symbols, NULL);
  g_ptr_array_add (self->symbols, symbols);
  return (GobanDotAttribute){ (Agsym_t *const *) symbols->pdata };
}

#define FIND(kind, ...) find_attribute (self, dot, kind, (const char *const[]){ __VA_ARGS__, NULL })

static void
find_attributes (GobanDotAttributes *self, Agraph_t *dot)
{
  self->op = FIND (AGNODE, GOBAN_DOT_OP);
  self->label = FIND (AGNODE, "label");
  self->time = FIND (AGNODE, GOBAN_DOT_TIMES);
  self->bytes = FIND (AGNODE, GOBAN_DOT_SIZES);
  self->memory = FIND (AGNODE, GOBAN_DOT_MEMORY);
  self->colocation = FIND (AGNODE, GOBAN_DOT_COLOCATION);
  self->phase = FIND (AGNODE, GOBAN_DOT_PHASE);
  self->time_source = FIND (AGNODE, GOBAN_DOT_TIME_SOURCE);
  self->size_source = FIND (AGNODE, GOBAN_DOT_SIZE_SOURCE);
  for (guint i = 0; i < GOBAN_N_NODE_FIELDS; i++)
    self->fields[i] = FIND (AGNODE, goban_node_fields[i].name);

  self->edge_time = FIND (AGEDGE, GOBAN_DOT_TIMES);
  self->edge_bytes = FIND (AGEDGE, GOBAN_DOT_SIZES);
  self->edge_tensor = FIND (AGEDGE, GOBAN_DOT_TENSOR);
  self->edge_control = FIND (AGEDGE, GOBAN_DOT_CONTROL);
}

static void
clear_kind_time (gpointer data)
{
  GobanDotKindTime *time = data;

  g_free (time->from);
  g_free (time->to);
}

/* The last time that is read counts, so the exact prefix comes last. */
static void
find_kinds (Agraph_t *dot, int kind, gboolean is_exact, GArray *found)
{
  gsize n = strlen (GOBAN_DOT_TIME_PREFIX);

  for (Agsym_t *symbol = NULL; (symbol = agnxtattr (dot, kind, symbol)) != NULL;)
    {
      g_auto (GStrv) parts = NULL;
      GobanDotKindTime time = { .symbol = symbol };

      if (g_ascii_strncasecmp (symbol->name, GOBAN_DOT_TIME_PREFIX, n) != 0
          || g_str_has_prefix (symbol->name, GOBAN_DOT_TIME_PREFIX) != is_exact)
        continue;
      parts = g_strsplit (symbol->name + n, ">", 2);
      if (parts[0] == NULL || (kind == AGEDGE) != (parts[1] != NULL))
        continue;
      time.from = g_strdup (parts[0]);
      time.to = g_strdup (parts[1]);
      g_array_append_val (found, time);
    }
}

static void
free_symbols (gpointer data)
{
  g_ptr_array_free (data, TRUE);
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
  self->symbols = g_ptr_array_new_with_free_func (free_symbols);
  find_attributes (self, dot);
  for (guint is_exact = 0; is_exact < 2; is_exact++)
    {
      find_kinds (dot, AGNODE, is_exact, self->node_kinds);
      find_kinds (dot, AGEDGE, is_exact, self->edge_kinds);
    }
}

void
goban_dot_attributes_clear (GobanDotAttributes *self)
{
  g_clear_pointer (&self->node_kinds, g_array_unref);
  g_clear_pointer (&self->edge_kinds, g_array_unref);
  g_clear_pointer (&self->symbols, g_ptr_array_unref);
}

char *
goban_dot_attributes_list (Agraph_t *dot, int kind)
{
  GString *list = g_string_new (NULL);
  guint n = 0;

  for (Agsym_t *symbol = NULL; (symbol = agnxtattr (dot, kind, symbol)) != NULL; n++)
    {
      g_autofree char *shown = goban_text_file_excerpt (symbol->name);

      if (n < MAX_NAMES_LISTED)
        g_string_append_printf (list, "%s“%s”", n > 0 ? ", " : "", shown);
      else if (n == MAX_NAMES_LISTED)
        g_string_append (list, ", …");
    }
  return g_string_free (list, FALSE);
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
  g_autofree char *name = goban_text_file_excerpt (agnameof (object));
  g_autofree char *shown = goban_text_file_excerpt (value);

  goban_set_error (error, GOBAN_ERROR_PARSE, "%s: node “%s”: “%s” is not a valid %s", self->path,
                   name, shown, what);
  return FALSE;
}

gboolean
goban_dot_fail_edge (const GobanDotAttributes *self, Agedge_t *object, GError **error,
                     const char *what, const char *value)
{
  g_autofree char *tail = goban_text_file_excerpt (agnameof (agtail (object)));
  g_autofree char *head = goban_text_file_excerpt (agnameof (aghead (object)));
  g_autofree char *shown = goban_text_file_excerpt (value);

  goban_set_error (error, GOBAN_ERROR_PARSE, "%s: edge “%s” -> “%s”: “%s” is not a valid %s",
                   self->path, tail, head, shown, what);
  return FALSE;
}

gboolean
goban_dot_parse_time (const GobanDotAttributes *self, const char *value, double *time_us)
{
  double number;

  if (goban_text_file_parse_amount (value, &number))
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
