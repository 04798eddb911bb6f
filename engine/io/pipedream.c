/* pipedream.c: reads graph.txt, the layer profiles of PipeDream.
 *
 * A node line is "ID -- DESCRIPTION -- FIELDS[ -- stage_id=N]", an edge line a tab
 * and "ID -- ID". Nodes come in any order. The graph is the forward pass; with
 * options->with_backward every node gets a twin "grad/ID" with the backward time,
 * which reads what its node wrote and the gradients its consumers send back.
 */
#include "engine/core/file-read.h"
#include "engine/io/formats.h"
#include "engine/io/pipedream-fields.h"
#include "engine/io/text.h"

#include <string.h>

#define SEPARATOR " -- "
#define FIRST_FIELD "forward_compute_time="
#define LINES_PER_CHECK 1024

typedef struct
{
  guint32 tensor; /* of the activations */
  GobanPipedreamFields fields;
} Layer;

typedef struct
{
  char *tail;
  char *head;
  guint line;
} Link;

typedef struct
{
  GobanTextFile text;
  GobanGraphBuilder *builder;
  GHashTable *ids; /* id -> node + 1; the keys lie in text */
  GArray *layers;  /* Layer, one per node */
  GArray *links;   /* Link; the strings lie in text */
} Reader;

/* The description may hold anything, so the fields are sought from the back. */
static char *
find_fields (char *rest)
{
  char *found = NULL;

  for (char *p = rest; (p = strstr (p, SEPARATOR FIRST_FIELD)) != NULL; p++)
    found = p;
  return found;
}

static gboolean
read_node (Reader *self, char *line, GError **error)
{
  char *description = strstr (line, SEPARATOR);
  char *fields_text = description != NULL ? find_fields (description) : NULL;
  g_autofree char *problem = NULL;
  g_autofree char *op = NULL;
  Layer layer;
  char *stage;
  guint32 node;

  if (fields_text == NULL)
    return goban_text_file_fail (&self->text, error, "a node is “ID -- DESCRIPTION -- %s..., ...”",
                                 FIRST_FIELD);

  *description = '\0';
  description = fields_text > description ? description + strlen (SEPARATOR) : fields_text;
  *fields_text = '\0';
  fields_text += strlen (SEPARATOR);
  g_strstrip (line);
  stage = strstr (fields_text, SEPARATOR);
  if (stage != NULL)
    {
      *stage = '\0';
      goban_graph_builder_warn (self->builder, "the stage_id of its nodes, PipeDream's own "
                                               "placement, is left aside");
    }

  if (*line == '\0' || g_hash_table_contains (self->ids, line))
    return goban_text_file_fail (
        &self->text, error, *line == '\0' ? "the node has no id" : "node “%s” is here twice", line);
  if (!goban_pipedream_parse_fields (fields_text, &layer.fields, &problem))
    return goban_text_file_fail (&self->text, error, "node “%s”: %s", line, problem);

  op = goban_pipedream_dup_op (description);
  node = goban_graph_builder_add_node (self->builder, line, op);
  layer.tensor = goban_pipedream_fill_node (self->builder, node, &layer.fields);
  g_array_append_val (self->layers, layer);
  g_hash_table_insert (self->ids, line, GUINT_TO_POINTER (node + 1));
  return TRUE;
}

static gboolean
read_link (Reader *self, char *line, GError **error)
{
  char *separator = strstr (line, SEPARATOR);
  Link link = { .tail = line, .line = self->text.line };

  if (separator == NULL)
    return goban_text_file_fail (&self->text, error, "an edge is “ID -- ID”");

  *separator = '\0';
  link.head = g_strstrip (separator + strlen (SEPARATOR));
  g_strstrip (link.tail);
  g_array_append_val (self->links, link);
  return TRUE;
}

static gboolean
find_node (Reader *self, const char *id, guint32 *node, GError **error)
{
  gpointer found = g_hash_table_lookup (self->ids, id);

  if (found == NULL)
    {
      g_autofree char *shown = goban_text_file_excerpt (id);

      return goban_text_file_fail (&self->text, error,
                                   "the edge names node “%s”, which no line describes", shown);
    }
  *node = GPOINTER_TO_UINT (found) - 1;
  return TRUE;
}

/* Nodes n .. 2n-1 are the backward twins of nodes 0 .. n-1. */
static void
add_backward_nodes (Reader *self)
{
  guint n = self->layers->len;

  for (guint32 v = 0; v < n; v++)
    {
      const Layer *layer = &g_array_index (self->layers, Layer, v);
      const GobanNode *forward = goban_graph_builder_get_node (self->builder, v);
      g_autofree char *name = g_strconcat ("grad/", forward->name, NULL);
      guint32 twin = goban_graph_builder_add_node (self->builder, name, forward->op);

      goban_graph_builder_get_node (self->builder, twin)->phase = GOBAN_PHASE_BACKWARD;
      goban_graph_builder_set_time (self->builder, twin, "gpu", layer->fields.backward_us,
                                    GOBAN_SOURCE_MEASURED);
      goban_graph_builder_set_group (self->builder, v, v);
      goban_graph_builder_set_group (self->builder, twin, v);
      goban_graph_builder_add_edge (self->builder, layer->tensor, twin);
    }
}

static gboolean
add_links (Reader *self, gboolean with_backward, GError **error)
{
  guint n = self->layers->len;

  for (guint i = 0; i < self->links->len; i++)
    {
      const Link *link = &g_array_index (self->links, Link, i);
      const Layer *layer;
      guint32 tail = 0, head = 0;

      self->text.line = link->line;
      if (!find_node (self, link->tail, &tail, error)
          || !find_node (self, link->head, &head, error))
        return FALSE;

      layer = &g_array_index (self->layers, Layer, tail);
      goban_graph_builder_add_edge (self->builder, layer->tensor, head);
      if (with_backward)
        {
          /* Every consumer sends back a gradient as large as its input. */
          guint32 gradient = goban_graph_builder_add_tensor (self->builder, n + head,
                                                             layer->fields.activation_bytes);

          goban_graph_builder_add_edge (self->builder, gradient, n + tail);
        }
    }
  return TRUE;
}

static gboolean
read_lines (Reader *self, const GobanReadOptions *options, GError **error)
{
  char *line;

  while ((line = goban_text_file_next_line (&self->text)) != NULL)
    {
      gboolean is_link = *line == '\t' || *line == ' ';

      if (self->text.line % LINES_PER_CHECK == 0
          && !goban_progress_check (options->progress, error))
        return FALSE;
      if (line[strspn (line, " \t")] == '\0')
        continue;
      if (!(is_link ? read_link : read_node) (self, line, error))
        return FALSE;
    }
  if (options->with_backward)
    add_backward_nodes (self);
  return add_links (self, options->with_backward, error);
}

static GobanGraph *
read_pipedream (const char *data, gsize size, const char *path, const GobanReadOptions *options,
                GError **error)
{
  g_autofree char *name = goban_text_file_graph_name (path);
  g_autoptr (GobanGraphBuilder) builder = goban_graph_builder_new (name, "pipedream");
  g_autoptr (GHashTable) ids = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GArray) layers = g_array_new (FALSE, FALSE, sizeof (Layer));
  g_autoptr (GArray) links = g_array_new (FALSE, FALSE, sizeof (Link));
  Reader reader = { .builder = builder, .ids = ids, .layers = layers, .links = links };
  gboolean fine = goban_text_file_init (&reader.text, data, size, path, error);

  if (fine && options->may_forget)
    goban_file_forget (data, data + size); /* its lines are cut from a copy */
  fine = fine && read_lines (&reader, options, error);
  goban_text_file_clear (&reader.text);
  return fine ? goban_text_file_finish_graph (builder, path, error) : NULL;
}

static int
sniff_pipedream (const char *head, gsize size, const char *path)
{
  g_autofree char *text = goban_text_file_dup_start (head, size);

  return g_strstr_len (text, (gssize) strcspn (text, "\n"), SEPARATOR FIRST_FIELD) != NULL ? 95 : 0;
}

const GobanFormat goban_format_pipedream = {
  .name = "pipedream",
  .extensions = ".graph.txt .txt",
  .blurb = "layer profiles of PipeDream, measured milliseconds and bytes",
  .sniff = sniff_pipedream,
  .read = read_pipedream,
};
