/* dot.c: reads DOT through cgraph; dot-names.h lists the attributes, dot-label.h the labels.
 *
 * The text is first checked by dot-check.c, since cgraph trusts its input. Groups and
 * clusters are passed over, and the edges of undirected graphs go from left to right.
 */
#include "engine/base/error.h"
#include "engine/base/quantity.h"
#include "engine/io/dot-check.h"
#include "engine/io/dot-label.h"
#include "engine/io/dot-lock.h"
#include "engine/io/dot-names.h"
#include "engine/io/dot-write.h"
#include "engine/io/formats.h"
#include "engine/io/node-fields.h"
#include "engine/io/text.h"

#include <graphviz/cgraph.h>
#include <math.h>
#include <string.h>

#define OBJECTS_PER_CHECK 1024
#define MAX_ALIASES 3

/* An attribute under its names, the first that is set counts. */
typedef struct
{
  Agsym_t *symbols[MAX_ALIASES + 1];
} Attribute;

/* "time:gpu" of nodes, "time:gpu>cpu" of edges. */
typedef struct
{
  Agsym_t *symbol;
  char *from; /* owned; the kind itself for nodes */
  char *to;   /* owned; NULL for nodes */
} KindTime;

/* What a node of the file has become. */
typedef struct
{
  guint32 first_tensor; /* of the outputs it declares, or of the shared one once needed */
  guint n_tensors;
  double size_bytes; /* of the first, declared but perhaps not made yet */
  gboolean is_xla;   /* its bytes come from a shape: what it moves can be estimated */
} Made;

typedef struct
{
  Agraph_t *dot;
  const char *path;
  double unit_us;
  const GobanProgress *progress;
  GobanGraphBuilder *builder;
  GHashTable *nodes;       /* Agnode_t -> node + 1 */
  GHashTable *colocations; /* word -> key */
  GArray *made;            /* Made, one per node */
  GArray *node_kinds;      /* KindTime */
  GArray *edge_kinds;      /* KindTime */
  guint n_tensors;
  guint n_edges;

  Attribute op, label, time, bytes, memory, colocation, phase, time_source, size_source;
  Attribute fields[GOBAN_N_NODE_FIELDS];
  Attribute edge_time, edge_bytes, edge_tensor, edge_control;
} Reader;

/* --- attributes ------------------------------------------------------------- */

static Attribute
find_attribute (Agraph_t *dot, int kind, const char *first, const char *second, const char *third)
{
  const char *names[] = { first, second, third };
  Attribute attribute = { { NULL } };
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

/* The value, or NULL where it is not set. */
static const char *
get_value (void *object, const Attribute *attribute)
{
  for (guint i = 0; attribute->symbols[i] != NULL; i++)
    {
      const char *value = agxget (object, attribute->symbols[i]);

      if (value != NULL && *value != '\0')
        return value;
    }
  return NULL;
}

static void
find_attributes (Reader *self)
{
  self->op = find_attribute (self->dot, AGNODE, GOBAN_DOT_OP, NULL, NULL);
  self->label = find_attribute (self->dot, AGNODE, "label", NULL, NULL);
  self->time = find_attribute (self->dot, AGNODE, GOBAN_DOT_TIME, "weight", "cost");
  self->bytes = find_attribute (self->dot, AGNODE, GOBAN_DOT_BYTES, "size", NULL);
  self->memory = find_attribute (self->dot, AGNODE, GOBAN_DOT_MEMORY, NULL, NULL);
  self->colocation = find_attribute (self->dot, AGNODE, GOBAN_DOT_COLOCATION, NULL, NULL);
  self->phase = find_attribute (self->dot, AGNODE, GOBAN_DOT_PHASE, NULL, NULL);
  self->time_source = find_attribute (self->dot, AGNODE, GOBAN_DOT_TIME_SOURCE, NULL, NULL);
  self->size_source = find_attribute (self->dot, AGNODE, GOBAN_DOT_SIZE_SOURCE, NULL, NULL);
  for (guint i = 0; i < GOBAN_N_NODE_FIELDS; i++)
    self->fields[i] = find_attribute (self->dot, AGNODE, goban_node_fields[i].name, NULL, NULL);

  self->edge_time = find_attribute (self->dot, AGEDGE, GOBAN_DOT_TIME, "weight", "cost");
  self->edge_bytes = find_attribute (self->dot, AGEDGE, GOBAN_DOT_BYTES, "size", NULL);
  self->edge_tensor = find_attribute (self->dot, AGEDGE, GOBAN_DOT_TENSOR, NULL, NULL);
  self->edge_control = find_attribute (self->dot, AGEDGE, GOBAN_DOT_CONTROL, NULL, NULL);
}

static void
clear_kind_time (gpointer data)
{
  KindTime *time = data;

  g_free (time->from);
  g_free (time->to);
}

static void
find_kinds (Reader *self, int kind, GArray *found)
{
  for (Agsym_t *symbol = NULL; (symbol = agnxtattr (self->dot, kind, symbol)) != NULL;)
    {
      g_auto (GStrv) parts = NULL;
      KindTime time = { .symbol = symbol };

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

static gboolean
fail_node (Reader *self, Agnode_t *object, GError **error, const char *what, const char *value)
{
  g_autofree char *name = goban_text_excerpt (agnameof (object));
  g_autofree char *shown = goban_text_excerpt (value);

  g_set_error (error, GOBAN_ERROR, GOBAN_ERROR_PARSE, "%s: node “%s”: “%s” is no %s", self->path,
               name, shown, what);
  return FALSE;
}

static gboolean
fail_edge (Reader *self, Agedge_t *object, GError **error, const char *what, const char *value)
{
  g_autofree char *tail = goban_text_excerpt (agnameof (agtail (object)));
  g_autofree char *head = goban_text_excerpt (agnameof (aghead (object)));
  g_autofree char *shown = goban_text_excerpt (value);

  g_set_error (error, GOBAN_ERROR, GOBAN_ERROR_PARSE, "%s: edge “%s” -> “%s”: “%s” is no %s",
               self->path, tail, head, shown, what);
  return FALSE;
}

/* A number in the reader's unit, or one with a unit of its own. */
static gboolean
parse_time (Reader *self, const char *value, double *time_us)
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

static gboolean
parse_bytes (const char *value, double *size_bytes)
{
  return goban_parse_bytes (value, size_bytes, NULL /* the caller says it better */)
         && isfinite (*size_bytes);
}

/* --- nodes --------------------------------------------------------------------- */

static gboolean
set_time (Reader *self, Agnode_t *object, guint32 node, const char *kind, const char *value,
          GError **error)
{
  double time_us = INFINITY;

  if (strcmp (value, GOBAN_DOT_NEVER) != 0 && !parse_time (self, value, &time_us))
    return fail_node (self, object, error, "time", value);
  goban_graph_builder_set_time (self->builder, node, kind, time_us, GOBAN_SOURCE_GIVEN);
  return TRUE;
}

static gboolean
read_times (Reader *self, Agnode_t *object, guint32 node, GError **error)
{
  const char *value = get_value (object, &self->time);

  if (value != NULL && !set_time (self, object, node, GOBAN_ANY_KIND, value, error))
    return FALSE;

  for (guint i = 0; i < self->node_kinds->len; i++)
    {
      const KindTime *time = &g_array_index (self->node_kinds, KindTime, i);

      value = agxget (object, time->symbol);
      if (*value != '\0' && !set_time (self, object, node, time->from, value, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
read_numbers (Reader *self, Agnode_t *object, guint32 node, GError **error)
{
  GobanNode *filled = goban_graph_builder_get_node (self->builder, node);
  const char *value = get_value (object, &self->memory);

  if (value != NULL)
    {
      if (!parse_bytes (value, &filled->param_bytes))
        return fail_node (self, object, error, "size", value);
      filled->size_source = GOBAN_SOURCE_GIVEN;
    }
  for (guint i = 0; i < GOBAN_N_NODE_FIELDS; i++)
    {
      value = get_value (object, &self->fields[i]);
      if (value == NULL)
        continue;
      if (!goban_text_parse_amount (
              value, (double *) G_STRUCT_MEMBER_P (filled, goban_node_fields[i].offset)))
        return fail_node (self, object, error, goban_node_fields[i].name, value);
      filled->size_source = GOBAN_SOURCE_GIVEN;
    }
  return TRUE;
}

static gboolean
read_word (Reader *self, Agnode_t *object, const Attribute *attribute, const char *const *words,
           guint n_words)
{
  const char *value = get_value (object, attribute);

  return value != NULL ? goban_find_word (words, n_words, value) : -1;
}

/* Words that are not ours, such as another tool's "phase", are passed over. */
static void
read_marks (Reader *self, Agnode_t *object, guint32 node)
{
  GobanNode *filled = goban_graph_builder_get_node (self->builder, node);
  const char *colocation = get_value (object, &self->colocation);
  int time_source
      = read_word (self, object, &self->time_source, goban_source_names, GOBAN_N_SOURCES);
  int size_source
      = read_word (self, object, &self->size_source, goban_source_names, GOBAN_N_SOURCES);
  int phase = read_word (self, object, &self->phase, goban_phase_names, GOBAN_N_PHASES);

  if (time_source >= 0)
    filled->time_source = time_source;
  if (size_source >= 0)
    filled->size_source = size_source;
  if (phase >= 0)
    filled->phase = phase;
  if (colocation != NULL)
    {
      gpointer key = g_hash_table_lookup (self->colocations, colocation);

      if (key == NULL)
        {
          key = GUINT_TO_POINTER (g_hash_table_size (self->colocations) + 1);
          g_hash_table_insert (self->colocations, g_strdup (colocation), key);
        }
      goban_graph_builder_set_group (self->builder, node, GPOINTER_TO_UINT (key));
    }
}

static guint32
add_tensor (Reader *self, guint32 node, double size_bytes)
{
  self->n_tensors++;
  return goban_graph_builder_add_tensor (self->builder, node, size_bytes);
}

/* "64" or "64,128": one output waits until an edge needs it, several are made at once. */
static gboolean
read_outputs (Reader *self, Agnode_t *object, guint32 node, Made *made, GError **error)
{
  const char *value = get_value (object, &self->bytes);
  g_auto (GStrv) parts = NULL;

  if (value == NULL)
    return TRUE;

  goban_graph_builder_get_node (self->builder, node)->size_source = GOBAN_SOURCE_GIVEN;
  parts = g_strsplit (value, ",", -1);
  for (guint i = 0; parts[i] != NULL; i++)
    {
      double size_bytes;
      guint32 tensor;

      if (!parse_bytes (parts[i], &size_bytes))
        return fail_node (self, object, error, "size", value);
      if (i == 0)
        made->size_bytes = size_bytes;
      if (parts[1] == NULL)
        continue;
      tensor = add_tensor (self, node, size_bytes);
      if (i == 0)
        made->first_tensor = tensor;
      made->n_tensors++;
    }
  return TRUE;
}

static void
use_label (Reader *self, guint32 node, const GobanDotLabel *label, Made *made)
{
  if (label->has_fields)
    {
      made->first_tensor = goban_pipedream_fill_node (self->builder, node, &label->fields);
      made->n_tensors = 1;
      made->size_bytes = label->fields.activation_bytes;
      self->n_tensors++;
    }
  else if (label->has_shape)
    {
      made->first_tensor = add_tensor (self, node, label->size_bytes);
      made->n_tensors = 1;
      made->size_bytes = label->size_bytes;
      made->is_xla = TRUE;
      if (*label->dtype != '\0')
        goban_graph_builder_set_tensor_shape (self->builder, made->first_tensor, label->dtype,
                                              label->dims, label->n_dims);
      goban_graph_builder_get_node (self->builder, node)->size_source = GOBAN_SOURCE_GIVEN;
    }
}

static gboolean
read_node (Reader *self, Agnode_t *object, GError **error)
{
  const char *name = agnameof (object);
  const char *op = get_value (object, &self->op);
  const char *text = get_value (object, &self->label);
  g_autofree char *stem = goban_text_dup_stem (name);
  g_auto (GobanDotLabel) label = { 0 };
  Made made = { .first_tensor = GOBAN_NO_TENSOR };
  guint32 node;

  if (text != NULL)
    goban_dot_label_parse (&label, text);
  node = goban_graph_builder_add_node (self->builder, name,
                                       op != NULL         ? op
                                       : label.op != NULL ? label.op
                                                          : stem);
  g_hash_table_insert (self->nodes, object, GUINT_TO_POINTER (node + 1));

  if (get_value (object, &self->bytes) == NULL)
    use_label (self, node, &label, &made);
  if (!read_outputs (self, object, node, &made, error) || !read_numbers (self, object, node, error)
      || !read_times (self, object, node, error))
    return FALSE;
  read_marks (self, object, node);
  g_array_append_val (self->made, made);
  return TRUE;
}

/* --- edges ----------------------------------------------------------------------- */

static gboolean
has_own_times (Reader *self, Agedge_t *object)
{
  for (guint i = 0; i < self->edge_kinds->len; i++)
    if (*agxget (object, g_array_index (self->edge_kinds, KindTime, i).symbol) != '\0')
      return TRUE;
  return get_value (object, &self->edge_time) != NULL;
}

static gboolean
read_transfers (Reader *self, Agedge_t *object, guint32 tensor, GError **error)
{
  const char *value = get_value (object, &self->edge_time);
  double time_us;

  if (value != NULL)
    {
      if (!parse_time (self, value, &time_us))
        return fail_edge (self, object, error, "time", value);
      goban_graph_builder_set_transfer (self->builder, tensor, GOBAN_ANY_KIND, GOBAN_ANY_KIND,
                                        time_us);
    }
  for (guint i = 0; i < self->edge_kinds->len; i++)
    {
      const KindTime *time = &g_array_index (self->edge_kinds, KindTime, i);

      value = agxget (object, time->symbol);
      if (*value == '\0')
        continue;
      if (!parse_time (self, value, &time_us))
        return fail_edge (self, object, error, "time", value);
      goban_graph_builder_set_transfer (self->builder, tensor, time->from, time->to, time_us);
    }
  return TRUE;
}

/* The tensor that the edges of a node share unless they say otherwise. */
static guint32
get_shared_tensor (Reader *self, guint32 node)
{
  Made *made = &g_array_index (self->made, Made, node);

  if (made->n_tensors == 0)
    {
      made->first_tensor = add_tensor (self, node, made->size_bytes);
      made->n_tensors = 1;
    }
  return made->first_tensor;
}

static gboolean
find_tensor (Reader *self, Agedge_t *object, guint32 tail, guint32 *tensor, GError **error)
{
  const Made *made = &g_array_index (self->made, Made, tail);
  const char *index_text = get_value (object, &self->edge_tensor);
  const char *bytes_text = get_value (object, &self->edge_bytes);
  double size_bytes = made->size_bytes;
  guint64 index = 0;

  if (bytes_text != NULL && !parse_bytes (bytes_text, &size_bytes))
    return fail_edge (self, object, error, "size", bytes_text);

  if (index_text != NULL)
    {
      if (!goban_text_parse_id (index_text, &index) || index >= MAX (made->n_tensors, 1))
        return fail_edge (self, object, error, "output of its tail", index_text);
      *tensor = get_shared_tensor (self, tail) + (guint32) index;
      if (bytes_text != NULL)
        goban_graph_builder_set_tensor_size (self->builder, *tensor, size_bytes);
    }
  else if (bytes_text != NULL || has_own_times (self, object))
    *tensor = add_tensor (self, tail, size_bytes);
  else
    *tensor = get_shared_tensor (self, tail);
  return TRUE;
}

static gboolean
read_edge (Reader *self, Agedge_t *object, guint32 tail, GError **error)
{
  guint32 head = GPOINTER_TO_UINT (g_hash_table_lookup (self->nodes, aghead (object))) - 1;
  const char *control = get_value (object, &self->edge_control);
  guint32 tensor = GOBAN_NO_TENSOR;

  if (++self->n_edges % OBJECTS_PER_CHECK == 0 && !goban_progress_check (self->progress, error))
    return FALSE;

  if (control != NULL && strcmp (control, "true") == 0)
    tensor = goban_graph_builder_add_control_tensor (self->builder, tail);
  else if (!find_tensor (self, object, tail, &tensor, error))
    return FALSE;
  goban_graph_builder_add_edge (self->builder, tensor, head);
  return read_transfers (self, object, tensor, error);
}

/* --- the whole ------------------------------------------------------------------- */

/* XLA's graphs have shapes and no times: what every instruction reads and writes is known,
 * so its time can be estimated. What has no inputs, a parameter or constant, moves nothing. */
static void
estimate_traffic (Reader *self)
{
  for (Agnode_t *object = agfstnode (self->dot); object != NULL;
       object = agnxtnode (self->dot, object))
    {
      guint32 tail = GPOINTER_TO_UINT (g_hash_table_lookup (self->nodes, object)) - 1;
      const Made *made = &g_array_index (self->made, Made, tail);

      for (Agedge_t *edge = agfstout (self->dot, object); edge != NULL && made->is_xla;
           edge = agnxtout (self->dot, edge))
        {
          guint32 head = GPOINTER_TO_UINT (g_hash_table_lookup (self->nodes, aghead (edge))) - 1;
          GobanNode *reader = goban_graph_builder_get_node (self->builder, head);
          const Made *read = &g_array_index (self->made, Made, head);

          if (!read->is_xla)
            continue;
          reader->read_bytes += made->size_bytes;
          reader->written_bytes = read->size_bytes;
        }
    }
}

static void
note_oddities (Reader *self)
{
  guint n_nodes = self->made->len;
  guint n_timed = 0;
  guint n_xla = 0;

  for (guint v = 0; v < n_nodes; v++)
    {
      const GobanNode *node = goban_graph_builder_get_node (self->builder, v);

      n_timed += node->time_source != GOBAN_SOURCE_ESTIMATED;
      n_xla += g_array_index (self->made, Made, v).is_xla;
    }
  if (n_timed > 0 && n_timed < n_nodes)
    goban_graph_builder_warn (self->builder, "%u of its %u nodes have no time", n_nodes - n_timed,
                              n_nodes);
  if (n_timed == 0 && n_xla > 0)
    goban_graph_builder_warn (self->builder, "it has shapes and no times: times are estimated "
                                             "from the bytes each node reads and writes");
  if (!agisdirected (self->dot))
    goban_graph_builder_warn (self->builder, "the graph is undirected; its edges are read from "
                                             "left to right");
}

static gboolean
read_objects (Reader *self, GError **error)
{
  for (Agnode_t *object = agfstnode (self->dot); object != NULL;
       object = agnxtnode (self->dot, object))
    if ((self->made->len % OBJECTS_PER_CHECK == 0 && !goban_progress_check (self->progress, error))
        || !read_node (self, object, error))
      return FALSE;

  for (Agnode_t *object = agfstnode (self->dot); object != NULL;
       object = agnxtnode (self->dot, object))
    {
      guint32 tail = GPOINTER_TO_UINT (g_hash_table_lookup (self->nodes, object)) - 1;

      for (Agedge_t *edge = agfstout (self->dot, object); edge != NULL;
           edge = agnxtout (self->dot, edge))
        if (!read_edge (self, edge, tail, error))
          return FALSE;
      /* Declared, and read by nobody: it takes memory all the same. */
      if (agfstout (self->dot, object) == NULL
          && g_array_index (self->made, Made, tail).size_bytes > 0)
        get_shared_tensor (self, tail);
    }
  estimate_traffic (self);
  note_oddities (self);
  return TRUE;
}

static gboolean
read_graph (Reader *self, GError **error)
{
  g_autoptr (GHashTable) kinds = g_hash_table_new (g_str_hash, g_str_equal);

  find_attributes (self);
  find_kinds (self, AGNODE, self->node_kinds);
  find_kinds (self, AGEDGE, self->edge_kinds);

  g_hash_table_add (kinds, (gpointer) GOBAN_ANY_KIND);
  for (guint i = 0; i < self->node_kinds->len; i++)
    g_hash_table_add (kinds, g_array_index (self->node_kinds, KindTime, i).from);
  for (guint i = 0; i < self->edge_kinds->len; i++)
    {
      g_hash_table_add (kinds, g_array_index (self->edge_kinds, KindTime, i).from);
      g_hash_table_add (kinds, g_array_index (self->edge_kinds, KindTime, i).to);
    }

  return goban_text_check_kinds (self->path, g_hash_table_size (kinds), 0, error)
         && read_objects (self, error)
         && goban_text_check_kinds (self->path, g_hash_table_size (kinds), self->n_tensors, error);
}

/* cgraph says "Error: syntax error in line 3 near '...'": the line is moved to the front. */
static void
set_syntax_error (const char *path, const char *messages, GError **error)
{
  g_autofree char *text = g_strstrip (g_strdup (messages));
  char *start = g_str_has_prefix (text, "Error: ") ? text + strlen ("Error: ") : text;
  char *line = strstr (start, " in line ");
  char *rest;
  guint64 number;

  start[strcspn (start, "\n")] = '\0';
  if (line == NULL || (number = g_ascii_strtoull (line + strlen (" in line "), &rest, 10)) == 0)
    {
      g_set_error (error, GOBAN_ERROR, GOBAN_ERROR_PARSE, "%s: %s", path,
                   *start != '\0' ? start : "there is no graph in it");
      return;
    }
  *line = '\0';
  g_set_error (error, GOBAN_ERROR, GOBAN_ERROR_PARSE, "%s:%" G_GUINT64_FORMAT ": %s%s", path,
               number, start, rest);
}

static GobanGraph *
read_dot (const char *data, gsize size, const char *path, const GobanReadOptions *options,
          GError **error)
{
  g_autofree char *text = NULL;
  g_autofree char *messages = NULL;
  g_autofree char *name = goban_text_graph_name (path);
  g_autoptr (GobanGraphBuilder) builder = goban_graph_builder_new (name, "dot");
  Reader reader = {
    .path = path,
    .unit_us = options->time_unit_us > 0 ? options->time_unit_us : 1,
    .progress = options->progress,
    .builder = builder,
  };
  gboolean ok = FALSE;

  if (!goban_text_check (data, size, path, error) || !goban_dot_check (data, size, path, error))
    return NULL;

  text = g_strndup (data, size);
  reader.nodes = g_hash_table_new (NULL, NULL);
  reader.colocations = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  reader.made = g_array_new (FALSE, FALSE, sizeof (Made));
  reader.node_kinds = g_array_new (FALSE, FALSE, sizeof (KindTime));
  reader.edge_kinds = g_array_new (FALSE, FALSE, sizeof (KindTime));
  g_array_set_clear_func (reader.node_kinds, clear_kind_time);
  g_array_set_clear_func (reader.edge_kinds, clear_kind_time);

  goban_dot_lock ();
  reader.dot = agmemread (text);
  if (reader.dot != NULL)
    {
      ok = read_graph (&reader, error);
      agclose (reader.dot);
    }
  messages = goban_dot_unlock ();
  if (reader.dot == NULL)
    set_syntax_error (path, messages, error);

  g_hash_table_unref (reader.nodes);
  g_hash_table_unref (reader.colocations);
  g_array_unref (reader.made);
  g_array_unref (reader.node_kinds);
  g_array_unref (reader.edge_kinds);
  return ok ? goban_text_finish_graph (builder, path, error) : NULL;
}

/* [strict] graph|digraph [name] { */
static int
sniff_dot (const char *head, gsize size, const char *path)
{
  static const char *const words[] = { "strict", "digraph", "graph" };
  gsize at = g_str_has_prefix (head, "\xef\xbb\xbf") ? 3 : 0;

  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    {
      gsize n = strlen (words[i]);

      at = goban_dot_skip_blanks (head, size, at);
      if (size - at <= n || g_ascii_strncasecmp (head + at, words[i], n) != 0
          || strchr (" \t\r\n\"{/", head[at + n]) == NULL)
        continue;
      at += n;
      if (i > 0)
        return 90;
    }
  return 0;
}

const GobanFormat goban_format_dot = {
  .name = "dot",
  .extensions = ".dot .gv",
  .blurb = "Graphviz DOT: times and bytes as attributes, labels of XLA and PipeDream",
  .sniff = sniff_dot,
  .read = read_dot,
  .write = goban_dot_write,
};
