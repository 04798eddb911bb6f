#include "engine/io/pipedream-fields.h"

#include "engine/io/text.h"

#include <string.h>

#define US_PER_MS 1e3
#define BYTES_PER_PARAMETER 4

typedef struct
{
  const char *name;
  gsize offset;
  double factor;
} Field;

static const Field table[] = {
  { "forward_compute_time", G_STRUCT_OFFSET (GobanPipedreamFields, forward_us), US_PER_MS },
  { "backward_compute_time", G_STRUCT_OFFSET (GobanPipedreamFields, backward_us), US_PER_MS },
  { "activation_size", G_STRUCT_OFFSET (GobanPipedreamFields, activation_bytes), 1 },
  { "parameter_size", G_STRUCT_OFFSET (GobanPipedreamFields, param_bytes), 1 },
};

/* Sums "12.0" or "[12.0; 4.0]"; writes into @text. */
static gboolean
parse_sum (char *text, double *sum)
{
  g_auto (GStrv) parts = NULL;
  gsize n;

  g_strstrip (text);
  n = strlen (text);
  if (*text != '[')
    return goban_text_file_parse_amount (text, sum);
  if (text[n - 1] != ']')
    return FALSE;

  text[n - 1] = '\0';
  parts = g_strsplit_set (text + 1, ";,", -1);
  *sum = 0;
  for (guint i = 0; parts[i] != NULL; i++)
    {
      double part;

      if (!goban_text_file_parse_amount (parts[i], &part))
        return FALSE;
      *sum += part;
    }
  return TRUE;
}

/* Cuts at the next comma outside brackets; returns where the rest begins, or NULL. */
static char *
cut_at_comma (char *text)
{
  int depth = 0;

  for (char *p = text; *p != '\0'; p++)
    {
      if (*p == '[')
        depth++;
      else if (*p == ']')
        depth--;
      else if (*p == ',' && depth == 0)
        {
          *p = '\0';
          return p + 1;
        }
    }
  return NULL;
}

gboolean
goban_pipedream_parse_fields (const char *text, GobanPipedreamFields *fields, char **problem)
{
  g_autofree char *copy = g_strdup (text);
  GobanPipedreamFields found = { 0 };
  gboolean seen[G_N_ELEMENTS (table)] = { FALSE };

  for (char *part = copy, *next; part != NULL; part = next)
    {
      char *equals;

      next = cut_at_comma (part);
      equals = strchr (part, '=');
      if (equals == NULL)
        continue;
      *equals = '\0';
      g_strstrip (part);
      for (guint i = 0; i < G_N_ELEMENTS (table); i++)
        {
          double *value = (double *) G_STRUCT_MEMBER_P (&found, table[i].offset);
          g_autofree char *shown = NULL;

          if (strcmp (part, table[i].name) != 0)
            continue;
          shown = goban_text_file_excerpt (equals + 1);
          if (!parse_sum (equals + 1, value))
            {
              *problem = g_strdup_printf ("%s is “%s”, not an amount", part, shown);
              return FALSE;
            }
          *value *= table[i].factor;
          seen[i] = TRUE;
        }
    }

  for (guint i = 0; i < G_N_ELEMENTS (table); i++)
    if (!seen[i])
      {
        *problem = g_strdup_printf ("%s is missing", table[i].name);
        return FALSE;
      }
  *fields = found;
  return TRUE;
}

char *
goban_pipedream_dup_op (const char *description)
{
  return g_strstrip (g_strndup (description, strcspn (description, "(\n")));
}

guint32
goban_pipedream_fill_node (GobanGraphBuilder *builder, guint32 node,
                           const GobanPipedreamFields *fields)
{
  GobanNode *filled = goban_graph_builder_get_node (builder, node);

  filled->param_bytes = fields->param_bytes;
  filled->param_count = fields->param_bytes / BYTES_PER_PARAMETER;
  filled->size_source = GOBAN_SOURCE_MEASURED;
  goban_graph_builder_set_time (builder, node, "gpu", fields->forward_us, GOBAN_SOURCE_MEASURED);
  return goban_graph_builder_add_tensor (builder, node, fields->activation_bytes);
}
