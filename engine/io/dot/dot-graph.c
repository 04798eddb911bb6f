#include "engine/io/dot/dot-graph.h"
#include "engine/core/error.h"
#include "engine/core/find-word.h"
#include "engine/io/dot/dot-attributes.h"
#include "engine/io/dot/dot-label.h"
#include "engine/io/dot/dot-names.h"
#include "engine/io/dot/dot-op.h"
#include "engine/io/node-fields.h"
#include "engine/io/text.h"

#include <math.h>
#include <string.h>

#define OBJECTS_PER_CHECK 1024

/* State of a node of the file. */
typedef struct
{
  guint32 first_tensor; /* of the outputs it declares, or of the one its edges share */
  guint n_tensors;
  double size_bytes;    /* of the first of them, made or not */
  gboolean is_declared; /* the file says that size */
  gboolean is_shared;   /* some edge carries the first output */
  gboolean has_own;     /* some edge carries a tensor of its own */
  gboolean is_xla;      /* its bytes come from a shape, so its memory traffic can be estimated */
} Made;

typedef struct
{
  Agraph_t *dot;
  const char *path;
  const GobanProgress *progress;
  GobanGraphBuilder *builder;
  GHashTable *nodes;       /* Agnode_t -> node + 1 */
  GHashTable *colocations; /* word -> key */
  GArray *made;            /* Made, one per node */
  GPtrArray *edges;        /* Agedge_t, in the order of the file */
  guint n_tensors;

  GobanDotAttributes attributes;
} Reader;

/* --- nodes --------------------------------------------------------------------- */

static gboolean
set_time (Reader *self, Agnode_t *object, guint32 node, const char *kind, const char *value,
          GError **error)
{
  double time_us = INFINITY;

  if (strcmp (value, GOBAN_DOT_NEVER) != 0
      && !goban_dot_parse_time (&self->attributes, value, &time_us))
    return goban_dot_fail_node (&self->attributes, object, error, "time", value);
  goban_graph_builder_set_time (self->builder, node, kind, time_us, GOBAN_SOURCE_GIVEN);
  return TRUE;
}

static gboolean
read_times (Reader *self, Agnode_t *object, guint32 node, GError **error)
{
  const char *value = goban_dot_get_value (object, &self->attributes.time);

  if (value != NULL && !set_time (self, object, node, GOBAN_ANY_KIND, value, error))
    return FALSE;

  for (guint i = 0; i < self->attributes.node_kinds->len; i++)
    {
      const GobanDotKindTime *time
          = &g_array_index (self->attributes.node_kinds, GobanDotKindTime, i);

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
  const char *value = goban_dot_get_value (object, &self->attributes.memory);

  if (value != NULL)
    {
      if (!goban_dot_parse_bytes (value, &filled->param_bytes))
        return goban_dot_fail_node (&self->attributes, object, error, "size", value);
      filled->size_source = GOBAN_SOURCE_GIVEN;
    }
  for (guint i = 0; i < GOBAN_N_NODE_FIELDS; i++)
    {
      value = goban_dot_get_value (object, &self->attributes.fields[i]);
      if (value == NULL)
        continue;
      if (!goban_text_file_parse_amount (
              value, (double *) G_STRUCT_MEMBER_P (filled, goban_node_fields[i].offset)))
        return goban_dot_fail_node (&self->attributes, object, error, goban_node_fields[i].name,
                                    value);
      filled->size_source = GOBAN_SOURCE_GIVEN;
    }
  return TRUE;
}

static int
read_word (Agnode_t *object, const GobanDotAttribute *attribute, const char *const *words,
           guint n_words)
{
  const char *value = goban_dot_get_value (object, attribute);

  return value != NULL ? goban_find_word (words, n_words, value) : -1;
}

/* Words that are not ours, such as another tool's "phase", are passed over. */
static void
read_marks (Reader *self, Agnode_t *object, guint32 node)
{
  GobanNode *filled = goban_graph_builder_get_node (self->builder, node);
  const char *colocation = goban_dot_get_value (object, &self->attributes.colocation);
  int time_source
      = read_word (object, &self->attributes.time_source, goban_source_names, GOBAN_N_SOURCES);
  int size_source
      = read_word (object, &self->attributes.size_source, goban_source_names, GOBAN_N_SOURCES);
  int phase = read_word (object, &self->attributes.phase, goban_phase_names, GOBAN_N_PHASES);

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

/* "64" or "64,128": several are made at once, one waits for what the edges say. */
static gboolean
read_outputs (Reader *self, Agnode_t *object, guint32 node, Made *made, GError **error)
{
  const char *value = goban_dot_get_value (object, &self->attributes.bytes);
  g_auto (GStrv) parts = NULL;

  if (value == NULL)
    return TRUE;

  goban_graph_builder_get_node (self->builder, node)->size_source = GOBAN_SOURCE_GIVEN;
  parts = g_strsplit (value, ",", -1);
  for (guint i = 0; parts[i] != NULL; i++)
    {
      double size_bytes;
      guint32 tensor;

      if (!goban_dot_parse_bytes (parts[i], &size_bytes))
        return goban_dot_fail_node (&self->attributes, object, error, "size", value);
      if (i == 0)
        made->size_bytes = size_bytes;
      made->is_declared = TRUE;
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
  const char *op = goban_dot_get_value (object, &self->attributes.op);
  const char *text = goban_dot_get_value (object, &self->attributes.label);
  g_autofree char *likely = NULL;
  g_auto (GobanDotLabel) label = { 0 };
  Made made = { .first_tensor = GOBAN_NO_TENSOR };
  guint32 node;

  if (text != NULL)
    goban_dot_label_parse (&label, text);
  if (op == NULL && label.op == NULL)
    likely = goban_dot_dup_op (name, text, text != NULL && aghtmlstr ((char *) text));
  node = goban_graph_builder_add_node (self->builder, name,
                                       op != NULL         ? op
                                       : label.op != NULL ? label.op
                                                          : likely);
  g_hash_table_insert (self->nodes, object, GUINT_TO_POINTER (node + 1));

  if (goban_dot_get_value (object, &self->attributes.bytes) == NULL)
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
  for (guint i = 0; i < self->attributes.edge_kinds->len; i++)
    if (*agxget (object, g_array_index (self->attributes.edge_kinds, GobanDotKindTime, i).symbol)
        != '\0')
      return TRUE;
  return goban_dot_get_value (object, &self->attributes.edge_time) != NULL;
}

static gboolean
read_transfers (Reader *self, Agedge_t *object, guint32 tensor, GError **error)
{
  const char *value = goban_dot_get_value (object, &self->attributes.edge_time);
  double time_us;

  if (value != NULL)
    {
      if (!goban_dot_parse_time (&self->attributes, value, &time_us))
        return goban_dot_fail_edge (&self->attributes, object, error, "time", value);
      goban_graph_builder_set_transfer (self->builder, tensor, GOBAN_ANY_KIND, GOBAN_ANY_KIND,
                                        time_us);
    }
  for (guint i = 0; i < self->attributes.edge_kinds->len; i++)
    {
      const GobanDotKindTime *time
          = &g_array_index (self->attributes.edge_kinds, GobanDotKindTime, i);

      value = agxget (object, time->symbol);
      if (*value == '\0')
        continue;
      if (!goban_dot_parse_time (&self->attributes, value, &time_us))
        return goban_dot_fail_edge (&self->attributes, object, error, "time", value);
      goban_graph_builder_set_transfer (self->builder, tensor, time->from, time->to, time_us);
    }
  return TRUE;
}

static gboolean
is_control (Reader *self, Agedge_t *object)
{
  const char *control = goban_dot_get_value (object, &self->attributes.edge_control);

  return control != NULL && strcmp (control, "true") == 0;
}

static guint32
tail_of (Reader *self, Agedge_t *object)
{
  return GPOINTER_TO_UINT (g_hash_table_lookup (self->nodes, agtail (object))) - 1;
}

/* Learns which nodes' edges share a tensor, and makes it before any edge is read, so that
 * outputs come in the same order whatever that of the edges. */
static void
make_shared_tensors (Reader *self)
{
  for (guint i = 0; i < self->edges->len; i++)
    {
      Agedge_t *object = g_ptr_array_index (self->edges, i);
      Made *made = &g_array_index (self->made, Made, tail_of (self, object));

      if (is_control (self, object))
        continue;
      if (goban_dot_get_value (object, &self->attributes.edge_tensor) == NULL
          && (goban_dot_get_value (object, &self->attributes.edge_bytes) != NULL
              || has_own_times (self, object)))
        made->has_own = TRUE;
      else
        made->is_shared = TRUE;
    }

  for (guint32 v = 0; v < self->made->len; v++)
    {
      Made *made = &g_array_index (self->made, Made, v);

      /* An output without readers takes memory all the same if it is declared; one that only states
       * the size of edges with times of their own does not. */
      if (made->n_tensors == 0 && (made->is_shared || (made->is_declared && !made->has_own)))
        {
          made->first_tensor = add_tensor (self, v, made->size_bytes);
          made->n_tensors = 1;
        }
    }
}

static gboolean
find_tensor (Reader *self, Agedge_t *object, guint32 tail, guint32 *tensor, GError **error)
{
  const Made *made = &g_array_index (self->made, Made, tail);
  const char *index_text = goban_dot_get_value (object, &self->attributes.edge_tensor);
  const char *bytes_text = goban_dot_get_value (object, &self->attributes.edge_bytes);
  double size_bytes = made->size_bytes;
  guint64 index = 0;

  if (bytes_text != NULL && !goban_dot_parse_bytes (bytes_text, &size_bytes))
    return goban_dot_fail_edge (&self->attributes, object, error, "size", bytes_text);

  if (index_text != NULL)
    {
      if (!goban_text_file_parse_id (index_text, &index) || index >= made->n_tensors)
        return goban_dot_fail_edge (&self->attributes, object, error, "output of its tail",
                                    index_text);
      *tensor = made->first_tensor + (guint32) index;
      if (bytes_text != NULL)
        goban_graph_builder_set_tensor_size (self->builder, *tensor, size_bytes);
    }
  else if (bytes_text != NULL || has_own_times (self, object))
    *tensor = add_tensor (self, tail, size_bytes);
  else
    *tensor = made->first_tensor;
  return TRUE;
}

static gboolean
read_edge (Reader *self, Agedge_t *object, GError **error)
{
  guint32 tail = tail_of (self, object);
  guint32 head = GPOINTER_TO_UINT (g_hash_table_lookup (self->nodes, aghead (object))) - 1;
  guint32 tensor = GOBAN_NO_TENSOR;

  if (is_control (self, object))
    tensor = goban_graph_builder_add_control_tensor (self->builder, tail);
  else if (!find_tensor (self, object, tail, &tensor, error))
    return FALSE;
  goban_graph_builder_add_edge (self->builder, tensor, head);
  return read_transfers (self, object, tensor, error);
}

static int
compare_edges (gconstpointer a, gconstpointer b)
{
  const Agedge_t *x = *(Agedge_t *const *) a, *y = *(Agedge_t *const *) b;

  return AGSEQ (x) < AGSEQ (y) ? -1 : AGSEQ (x) > AGSEQ (y);
}

/* cgraph hands out the edges of a node by their heads; the inputs of a node are to keep
 * the order of the file. */
static void
gather_edges (Reader *self)
{
  for (Agnode_t *object = agfstnode (self->dot); object != NULL;
       object = agnxtnode (self->dot, object))
    for (Agedge_t *edge = agfstout (self->dot, object); edge != NULL;
         edge = agnxtout (self->dot, edge))
      g_ptr_array_add (self->edges, edge);
  g_ptr_array_sort (self->edges, compare_edges);
}

/* --- the whole ------------------------------------------------------------------- */

/* XLA's graphs have shapes and no times: the bytes that an instruction reads and writes are known,
 * so its time can be estimated. An instruction without inputs (a parameter or constant) moves
 * nothing. */
static void
estimate_traffic (Reader *self)
{
  for (guint i = 0; i < self->edges->len; i++)
    {
      Agedge_t *object = g_ptr_array_index (self->edges, i);
      guint32 head = GPOINTER_TO_UINT (g_hash_table_lookup (self->nodes, aghead (object))) - 1;
      const Made *from = &g_array_index (self->made, Made, tail_of (self, object));
      const Made *to = &g_array_index (self->made, Made, head);
      GobanNode *reader = goban_graph_builder_get_node (self->builder, head);

      if (!from->is_xla || !to->is_xla)
        continue;
      reader->read_bytes += from->size_bytes;
      reader->written_bytes = to->size_bytes;
    }
}

/* Every run of such a graph takes no time at all, which is hardly intended. */
static void
warn_of_no_weights (Reader *self)
{
  g_autofree char *names = goban_dot_attributes_list (self->dot, AGNODE);

  goban_graph_builder_warn (
      self->builder,
      "no node has a weight that is known here, so all run in no time: times are "
      "“time”, “weight” or “cost”, sizes “bytes” or “size”; %s%s",
      *names != '\0' ? "its nodes have " : "its nodes have no attributes", names);
}

static void
note_oddities (Reader *self)
{
  guint n_nodes = self->made->len;
  guint n_timed = 0;
  guint n_xla = 0;
  guint n_bare = 0;

  for (guint v = 0; v < n_nodes; v++)
    {
      const GobanNode *node = goban_graph_builder_get_node (self->builder, v);

      n_timed += node->time_source != GOBAN_SOURCE_ESTIMATED;
      n_xla += g_array_index (self->made, Made, v).is_xla;
      n_bare += node->time_source == GOBAN_SOURCE_ESTIMATED
                && node->size_source == GOBAN_SOURCE_ESTIMATED;
    }
  if (n_timed > 0 && n_timed < n_nodes)
    goban_graph_builder_warn (self->builder, "%u of its %u nodes have no time", n_nodes - n_timed,
                              n_nodes);
  if (n_timed == 0 && n_xla > 0)
    goban_graph_builder_warn (self->builder, "it has shapes and no times: times are estimated "
                                             "from the bytes each node reads and writes");
  if (n_timed == 0 && n_bare == n_nodes)
    warn_of_no_weights (self);
  else if (n_timed == 0 && n_bare > 0)
    goban_graph_builder_warn (self->builder, "%u of its %u nodes have neither time nor size",
                              n_bare, n_nodes);
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

  gather_edges (self);
  make_shared_tensors (self);
  for (guint i = 0; i < self->edges->len; i++)
    if ((i % OBJECTS_PER_CHECK == 0 && !goban_progress_check (self->progress, error))
        || !read_edge (self, g_ptr_array_index (self->edges, i), error))
      return FALSE;

  estimate_traffic (self);
  note_oddities (self);
  return TRUE;
}

static gboolean
read_graph (Reader *self, double unit_us, GError **error)
{
  guint n_kinds;
  gboolean ok;

  goban_dot_attributes_init (&self->attributes, self->dot, self->path, unit_us);
  n_kinds = goban_dot_attributes_count_kinds (&self->attributes);
  ok = goban_text_file_check_kinds (self->path, n_kinds, 0, error) && read_objects (self, error)
       && goban_text_file_check_kinds (self->path, n_kinds, self->n_tensors, error);
  goban_dot_attributes_clear (&self->attributes);
  return ok;
}

gboolean
goban_dot_read_graph (Agraph_t *dot, const char *path, const GobanReadOptions *options,
                      GobanGraphBuilder *builder, GError **error)
{
  g_autoptr (GHashTable) nodes = g_hash_table_new (NULL, NULL);
  g_autoptr (GHashTable) colocations
      = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GArray) made = g_array_new (FALSE, FALSE, sizeof (Made));
  g_autoptr (GPtrArray) edges = g_ptr_array_new ();
  Reader reader = {
    .dot = dot,
    .path = path,
    .progress = options->progress,
    .builder = builder,
    .nodes = nodes,
    .colocations = colocations,
    .made = made,
    .edges = edges,
  };

  return read_graph (&reader, options->time_unit_us > 0 ? options->time_unit_us : 1, error);
}
