#include "engine/graph/graph-builder.h"

#include <math.h>
#include <string.h>

#include "engine/core/error.h"
#include "engine/core/quantity.h"
#include "engine/graph/file-devices.h"
#include "engine/graph/graph-private.h"

typedef struct
{
  double size_bytes;
  const char *dtype;
  guint32 producer;
  guint32 first_dim; /* into dims */
  guint n_dims : 30;
  guint has_shape : 1;
  guint is_control : 1;
} BuilderTensor;

typedef struct
{
  guint32 tensor;
  guint32 head;
} BuilderEdge;

typedef struct
{
  guint32 tensor;
  guint32 from_kind;
  guint32 to_kind;
  double time_us;
} BuilderTransfer;

typedef struct
{
  guint32 node;
  guint32 kind;
  double time_us;
} BuilderTime;

typedef struct
{
  guint32 node;
  const char *name;
} BuilderDevice;

struct _GobanGraphBuilder
{
  char *name;
  char *format;
  GPtrArray *warnings;
  char *cluster_spec;   /* (nullable) */
  GArray *nodes;        /* GobanNode */
  GArray *tensors;      /* BuilderTensor */
  GArray *edges;        /* BuilderEdge */
  GArray *dims;         /* gint64 */
  GArray *times;        /* BuilderTime */
  GArray *transfers;    /* BuilderTransfer */
  GArray *file_devices; /* BuilderDevice */
  GArray *collectives;  /* GobanNodeCollective */
  GArray *controls;     /* guint32 per node: its control tensor, or GOBAN_NO_TENSOR */
  GPtrArray *kinds;
  GHashTable *names;  /* name -> number of nodes that requested it */
  GHashTable *groups; /* key -> group number + 1 */
  GStringChunk *strings;
};

static inline GobanNode *
builder_node (GobanGraphBuilder *self, guint32 node)
{
  return &g_array_index (self->nodes, GobanNode, node);
}

static inline BuilderTensor *
builder_tensor (GobanGraphBuilder *self, guint32 tensor)
{
  return &g_array_index (self->tensors, BuilderTensor, tensor);
}

static inline guint32
builder_edge_tail (GobanGraphBuilder *self, const BuilderEdge *edge)
{
  return builder_tensor (self, edge->tensor)->producer;
}

GobanGraphBuilder *
goban_graph_builder_new (const char *name, const char *format)
{
  GobanGraphBuilder *self = g_new0 (GobanGraphBuilder, 1);

  self->name = g_utf8_make_valid (name, -1);
  self->format = g_strdup (format);
  self->warnings = g_ptr_array_new_with_free_func (g_free);
  self->nodes = g_array_new (FALSE, TRUE, sizeof (GobanNode));
  self->tensors = g_array_new (FALSE, TRUE, sizeof (BuilderTensor));
  self->edges = g_array_new (FALSE, FALSE, sizeof (BuilderEdge));
  self->dims = g_array_new (FALSE, FALSE, sizeof (gint64));
  self->times = g_array_new (FALSE, FALSE, sizeof (BuilderTime));
  self->transfers = g_array_new (FALSE, FALSE, sizeof (BuilderTransfer));
  self->file_devices = g_array_new (FALSE, FALSE, sizeof (BuilderDevice));
  self->collectives = g_array_new (FALSE, FALSE, sizeof (GobanNodeCollective));
  self->controls = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->kinds = g_ptr_array_new_with_free_func (g_free);
  self->names = g_hash_table_new (g_str_hash, g_str_equal);
  self->groups = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  self->strings = g_string_chunk_new (4096);
  return self;
}

void
goban_graph_builder_free (GobanGraphBuilder *self)
{
  g_free (self->name);
  g_free (self->format);
  g_free (self->cluster_spec);
  g_clear_pointer (&self->warnings, g_ptr_array_unref);
  g_clear_pointer (&self->nodes, g_array_unref);
  g_clear_pointer (&self->tensors, g_array_unref);
  g_clear_pointer (&self->edges, g_array_unref);
  g_clear_pointer (&self->dims, g_array_unref);
  g_clear_pointer (&self->times, g_array_unref);
  g_clear_pointer (&self->transfers, g_array_unref);
  g_clear_pointer (&self->file_devices, g_array_unref);
  g_clear_pointer (&self->collectives, g_array_unref);
  g_clear_pointer (&self->controls, g_array_unref);
  g_clear_pointer (&self->kinds, g_ptr_array_unref);
  g_clear_pointer (&self->names, g_hash_table_unref);
  g_clear_pointer (&self->groups, g_hash_table_unref);
  g_clear_pointer (&self->strings, g_string_chunk_free);
  g_free (self);
}

void
goban_graph_builder_set_cluster_spec (GobanGraphBuilder *self, const char *spec)
{
  g_free (self->cluster_spec);
  self->cluster_spec = g_strdup (spec);
}

void
goban_graph_builder_warn (GobanGraphBuilder *self, const char *format, ...)
{
  g_autofree char *text = NULL;
  g_autofree char *valid = NULL;
  va_list args;

  va_start (args, format);
  text = g_strdup_vprintf (format, args);
  va_end (args);

  valid = g_utf8_make_valid (text, -1);
  if (!g_ptr_array_find_with_equal_func (self->warnings, valid, g_str_equal, NULL))
    g_ptr_array_add (self->warnings, g_steal_pointer (&valid));
}

/* Keeps a text of a file, which may be any bytes: in a graph all texts are UTF-8. */
static const char *
keep_text (GobanGraphBuilder *self, const char *text)
{
  g_autofree char *valid = NULL;

  if (text == NULL)
    return "";
  if (g_utf8_validate (text, -1, NULL))
    return g_string_chunk_insert_const (self->strings, text);

  valid = g_utf8_make_valid (text, -1);
  return g_string_chunk_insert_const (self->strings, valid);
}

/* "base_7". Large traces have thousands of each name, for which printf() takes long. */
static const char *
keep_numbered (GobanGraphBuilder *self, const char *base, guint number)
{
  g_autofree char *text = g_malloc (strlen (base) + 1 + GOBAN_QUANTITY_LEN);
  char *end = g_stpcpy (text, base);

  *end++ = '_';
  end = goban_put_number (end, number);
  return g_string_chunk_insert_len (self->strings, text, end - text);
}

/* Counts the requests of each name, so that the n-th "add" does not try n suffixes. Every name
 * that was asked for is a key, so that the texts of names need no table of their own. */
static const char *
make_unique_name (GobanGraphBuilder *self, const char *wanted)
{
  g_autofree char *valid = NULL;
  gpointer base, n_before;
  const char *name;
  guint n_asked;

  if (wanted == NULL || *wanted == '\0')
    wanted = "node";
  else if (!g_utf8_validate (wanted, -1, NULL))
    wanted = valid = g_utf8_make_valid (wanted, -1);
  if (g_hash_table_lookup_extended (self->names, wanted, &base, &n_before))
    {
      n_asked = GPOINTER_TO_UINT (n_before);
      do
        {
          name = keep_numbered (self, base, n_asked++);
        }
      while (g_hash_table_contains (self->names, name));
      g_hash_table_insert (self->names, base, GUINT_TO_POINTER (n_asked));
    }
  else
    name = g_string_chunk_insert (self->strings, wanted);

  g_hash_table_insert (self->names, (gpointer) name, GUINT_TO_POINTER (1));
  return name;
}

guint32
goban_graph_builder_add_node (GobanGraphBuilder *self, const char *name, const char *op)
{
  GobanNode node = {
    .name = make_unique_name (self, name),
    .op = keep_text (self, op),
    .group = GOBAN_NO_GROUP,
    .lane = GOBAN_NO_LANE,
    .micro_batch = GOBAN_NO_BATCH,
    .time_source = GOBAN_SOURCE_ESTIMATED,
    .size_source = GOBAN_SOURCE_ESTIMATED,
  };
  guint32 no_control = GOBAN_NO_TENSOR;

  g_array_append_val (self->nodes, node);
  g_array_append_val (self->controls, no_control);
  return self->nodes->len - 1;
}

guint32
goban_graph_builder_add_copy (GobanGraphBuilder *self, const GobanNode *source, const char *name)
{
  guint32 id = goban_graph_builder_add_node (self, name, source->op);
  GobanNode *copy = builder_node (self, id);
  const char *own_name = copy->name, *own_op = copy->op;

  *copy = *source;
  copy->name = own_name;
  copy->op = own_op;
  copy->group = GOBAN_NO_GROUP;
  copy->origin = NULL;
  if (source->origin != NULL || !g_str_equal (source->name, own_name))
    goban_graph_builder_set_origin (self, id,
                                    source->origin != NULL ? source->origin : source->name);
  return id;
}

void
goban_graph_builder_set_origin (GobanGraphBuilder *self, guint32 node, const char *origin)
{
  g_return_if_fail (node < self->nodes->len);

  builder_node (self, node)->origin = keep_text (self, origin);
}

GobanNode *
goban_graph_builder_get_node (GobanGraphBuilder *self, guint32 node)
{
  g_return_val_if_fail (node < self->nodes->len, NULL);

  return builder_node (self, node);
}

guint
goban_graph_builder_get_n_nodes (const GobanGraphBuilder *self)
{
  return self->nodes->len;
}

guint32
goban_graph_builder_add_tensor (GobanGraphBuilder *self, guint32 producer, double size_bytes)
{
  BuilderTensor tensor = { .producer = producer, .size_bytes = size_bytes, .dtype = "" };

  g_return_val_if_fail (producer < self->nodes->len, GOBAN_NO_TENSOR);

  g_array_append_val (self->tensors, tensor);
  return self->tensors->len - 1;
}

void
goban_graph_builder_set_tensor_size (GobanGraphBuilder *self, guint32 tensor, double size_bytes)
{
  g_return_if_fail (tensor < self->tensors->len);

  builder_tensor (self, tensor)->size_bytes = size_bytes;
}

void
goban_graph_builder_set_tensor_shape (GobanGraphBuilder *self, guint32 tensor, const char *dtype,
                                      const gint64 *dims, guint n_dims)
{
  BuilderTensor *t;

  g_return_if_fail (tensor < self->tensors->len);

  t = builder_tensor (self, tensor);
  t->dtype = keep_text (self, dtype);
  t->has_shape = TRUE;
  t->first_dim = self->dims->len;
  t->n_dims = n_dims;
  if (n_dims > 0)
    g_array_append_vals (self->dims, dims, n_dims);
}

void
goban_graph_builder_add_edge (GobanGraphBuilder *self, guint32 tensor, guint32 head)
{
  BuilderEdge edge = { tensor, head };

  g_return_if_fail (tensor < self->tensors->len && head < self->nodes->len);

  g_array_append_val (self->edges, edge);
}

guint32
goban_graph_builder_add_control_tensor (GobanGraphBuilder *self, guint32 producer)
{
  guint32 control;

  g_return_val_if_fail (producer < self->nodes->len, GOBAN_NO_TENSOR);

  control = g_array_index (self->controls, guint32, producer);
  if (control == GOBAN_NO_TENSOR)
    {
      control = goban_graph_builder_add_tensor (self, producer, 0);
      builder_tensor (self, control)->is_control = TRUE;
      g_array_index (self->controls, guint32, producer) = control;
    }
  return control;
}

void
goban_graph_builder_add_control_edge (GobanGraphBuilder *self, guint32 tail, guint32 head)
{
  g_return_if_fail (tail < self->nodes->len && head < self->nodes->len);

  goban_graph_builder_add_edge (self, goban_graph_builder_add_control_tensor (self, tail), head);
}

void
goban_graph_builder_set_group (GobanGraphBuilder *self, guint32 node, guint64 key)
{
  guint number;

  g_return_if_fail (node < self->nodes->len);

  number = GPOINTER_TO_UINT (g_hash_table_lookup (self->groups, &key));
  if (number == 0)
    {
      number = g_hash_table_size (self->groups) + 1;
      g_hash_table_insert (self->groups, g_memdup2 (&key, sizeof key), GUINT_TO_POINTER (number));
    }
  builder_node (self, node)->group = number - 1;
}

static guint
find_or_add_kind (GobanGraphBuilder *self, const char *kind)
{
  guint index;

  if (!g_ptr_array_find_with_equal_func (self->kinds, kind, g_str_equal, &index))
    {
      index = self->kinds->len;
      g_ptr_array_add (self->kinds, g_strdup (kind));
    }
  return index;
}

void
goban_graph_builder_add_kind (GobanGraphBuilder *self, const char *kind)
{
  find_or_add_kind (self, kind);
}

void
goban_graph_builder_set_time (GobanGraphBuilder *self, guint32 node, const char *kind,
                              double time_us, GobanSource source)
{
  BuilderTime time = { node, find_or_add_kind (self, kind), time_us };

  g_return_if_fail (node < self->nodes->len);

  g_array_append_val (self->times, time);
  builder_node (self, node)->time_source = source;
}

void
goban_graph_builder_set_transfer (GobanGraphBuilder *self, guint32 tensor, const char *from_kind,
                                  const char *to_kind, double time_us)
{
  BuilderTransfer transfer
      = { tensor, find_or_add_kind (self, from_kind), find_or_add_kind (self, to_kind), time_us };

  g_return_if_fail (tensor < self->tensors->len);

  g_array_append_val (self->transfers, transfer);
}

void
goban_graph_builder_set_collective (GobanGraphBuilder *self, GobanNodeCollective collective)
{
  g_return_if_fail (collective.node < self->nodes->len && isfinite (collective.bytes)
                    && collective.bytes >= 0);

  collective.rank_step = collective.n_ranks > 0 ? MAX (collective.rank_step, 1) : 0;
  if (collective.group != NULL)
    collective.group = g_string_chunk_insert_const (self->strings, collective.group);
  g_array_append_val (self->collectives, collective);
}

void
goban_graph_builder_set_file_device (GobanGraphBuilder *self, guint32 node, const char *device)
{
  BuilderDevice row = { node, NULL };

  g_return_if_fail (node < self->nodes->len);

  row.name = g_string_chunk_insert_const (self->strings, device);
  g_array_append_val (self->file_devices, row);
}

const char *
goban_graph_get_file_device (const GobanGraph *self, GobanNodeId node)
{
  g_return_val_if_fail (node < self->n_nodes, "");

  return self->file_devices != NULL ? self->file_devices[node] : "";
}

gboolean
goban_graph_has_file_devices (const GobanGraph *self)
{
  return self->file_devices != NULL;
}

/* --- numbering ------------------------------------------------------------ */

#define MAX_NAMES_IN_CYCLE 8

static gboolean
is_topological (GobanGraphBuilder *self)
{
  for (guint e = 0; e < self->edges->len; e++)
    {
      const BuilderEdge *edge = &g_array_index (self->edges, BuilderEdge, e);

      if (builder_edge_tail (self, edge) >= edge->head)
        return FALSE;
    }
  return TRUE;
}

/* A binary min-heap of node numbers: the lowest ready one comes next, so that the order
 * stays as near to the file's as the edges allow. */
static void
heap_push (GArray *heap, guint32 value)
{
  guint i = heap->len;
  guint32 *h;

  g_array_append_val (heap, value);
  h = (guint32 *) (gpointer) heap->data;
  for (; i > 0 && h[(i - 1) / 2] > value; i = (i - 1) / 2)
    h[i] = h[(i - 1) / 2];
  h[i] = value;
}

static guint32
heap_pop (GArray *heap)
{
  guint32 *h = (guint32 *) (gpointer) heap->data;
  guint32 top = h[0];
  guint32 last = h[heap->len - 1];
  guint n = heap->len - 1;
  guint i = 0;

  g_array_set_size (heap, n);
  while (2 * i + 1 < n)
    {
      guint child = 2 * i + 1;

      if (child + 1 < n && h[child + 1] < h[child])
        child++;
      if (h[child] >= last)
        break;
      h[i] = h[child];
      i = child;
    }
  if (n > 0)
    h[i] = last;
  return top;
}

/* Every node left has a predecessor that is left, so walking backwards must close a cycle. */
static void
report_cycle (GobanGraphBuilder *self, const guint32 *n_waiting, GError **error)
{
  guint n_nodes = self->nodes->len;
  g_autofree guint32 *previous = g_new (guint32, n_nodes);
  g_autofree gboolean *seen = g_new0 (gboolean, n_nodes);
  g_autoptr (GString) names = g_string_new (NULL);
  g_autoptr (GArray) cycle = g_array_new (FALSE, FALSE, sizeof (guint32));
  guint32 v = 0;

  for (guint e = 0; e < self->edges->len; e++)
    {
      const BuilderEdge *edge = &g_array_index (self->edges, BuilderEdge, e);

      if (n_waiting[builder_edge_tail (self, edge)] > 0)
        previous[edge->head] = builder_edge_tail (self, edge);
    }

  while (n_waiting[v] == 0)
    v++;
  for (; !seen[v]; v = previous[v])
    seen[v] = TRUE;

  for (guint32 u = v; cycle->len == 0 || u != v; u = previous[u])
    g_array_append_val (cycle, u);

  /* The walk went against the edges: name the nodes in their direction. */
  g_string_append (names, builder_node (self, v)->name);
  for (guint i = cycle->len; i-- > 0;)
    {
      if (cycle->len - i > MAX_NAMES_IN_CYCLE)
        {
          g_string_append_printf (names, " → … (%u nodes) → %s", cycle->len,
                                  builder_node (self, v)->name);
          break;
        }
      g_string_append_printf (names, " → %s",
                              builder_node (self, g_array_index (cycle, guint32, i))->name);
    }
  goban_set_error (error, GOBAN_ERROR_INVALID_GRAPH, "the graph has a cycle: %s", names->str);
}

/* @new_ids: (out) (array length=n_nodes): where each of the builder's nodes goes
 *
 * Kahn's algorithm, the lowest ready node first, so that the order stays as near to the file's as
 * the edges allow. O((N + E) log N), O(E) for a file in topological order.
 *
 * Returns: %FALSE with %GOBAN_ERROR_INVALID_GRAPH set, which names the nodes of a cycle
 */
static gboolean
graph_builder_number (GobanGraphBuilder *self, guint32 *new_ids, GError **error)
{
  guint n_nodes = self->nodes->len;
  guint n_edges = self->edges->len;
  g_autofree guint32 *offsets = g_new0 (guint32, n_nodes + 1);
  g_autofree guint32 *heads = g_new (guint32, n_edges);
  g_autofree guint32 *n_waiting = g_new0 (guint32, n_nodes);
  g_autoptr (GArray) ready = g_array_new (FALSE, FALSE, sizeof (guint32));
  guint n_numbered = 0;

  if (is_topological (self))
    {
      for (guint v = 0; v < n_nodes; v++)
        new_ids[v] = v;
      return TRUE;
    }

  for (guint e = 0; e < n_edges; e++)
    offsets[builder_edge_tail (self, &g_array_index (self->edges, BuilderEdge, e)) + 1]++;
  for (guint v = 0; v < n_nodes; v++)
    offsets[v + 1] += offsets[v];
  for (guint e = n_edges; e-- > 0;)
    {
      const BuilderEdge *edge = &g_array_index (self->edges, BuilderEdge, e);
      guint32 tail = builder_edge_tail (self, edge);

      heads[--offsets[tail + 1]] = edge->head;
      n_waiting[edge->head]++;
    }
  /* Filling from the back left every offset one place to the left of where it began. */

  for (guint32 v = 0; v < n_nodes; v++)
    if (n_waiting[v] == 0)
      heap_push (ready, v);

  while (ready->len > 0)
    {
      guint32 v = heap_pop (ready);
      guint end = v + 2 <= n_nodes ? offsets[v + 2] : n_edges;

      new_ids[v] = n_numbered++;
      for (guint i = offsets[v + 1]; i < end; i++)
        if (--n_waiting[heads[i]] == 0)
          heap_push (ready, heads[i]);
    }

  if (n_numbered == n_nodes)
    return TRUE;

  report_cycle (self, n_waiting, error);
  return FALSE;
}

/* --- checking and filling ------------------------------------------------- */

static gboolean
is_amount (double value)
{
  return isfinite (value) && value >= 0;
}

static gboolean
check_node (const GobanNode *node, GError **error)
{
  if (is_amount (node->flops) && is_amount (node->macs) && is_amount (node->read_bytes)
      && is_amount (node->written_bytes) && is_amount (node->param_bytes)
      && is_amount (node->param_count))
    return TRUE;

  return goban_refuse (error, GOBAN_ERROR_INVALID_GRAPH, "node “%s” has a negative or endless size",
                       node->name);
}

static gboolean
check_amounts (GobanGraphBuilder *self, GError **error)
{
  for (guint v = 0; v < self->nodes->len; v++)
    if (!check_node (builder_node (self, v), error))
      return FALSE;

  for (guint t = 0; t < self->tensors->len; t++)
    if (!is_amount (builder_tensor (self, t)->size_bytes))
      return goban_refuse (error, GOBAN_ERROR_INVALID_GRAPH,
                           "a tensor of node “%s” has a negative or endless size",
                           builder_node (self, builder_tensor (self, t)->producer)->name);

  for (guint i = 0; i < self->times->len; i++)
    {
      const BuilderTime *time = &g_array_index (self->times, BuilderTime, i);

      /* Infinity says that the node cannot run on that kind. */
      if (isnan (time->time_us) || time->time_us < 0)
        return goban_refuse (error, GOBAN_ERROR_INVALID_GRAPH,
                             "node “%s” has a time that is negative or no number",
                             builder_node (self, time->node)->name);
    }

  for (guint i = 0; i < self->transfers->len; i++)
    {
      const BuilderTransfer *transfer = &g_array_index (self->transfers, BuilderTransfer, i);

      if (!is_amount (transfer->time_us))
        return goban_refuse (
            error, GOBAN_ERROR_INVALID_GRAPH,
            "a transfer from node “%s” has a negative or endless time",
            builder_node (self, builder_tensor (self, transfer->tensor)->producer)->name);
    }
  return TRUE;
}

/* new_tensors (n_tensors): tensors ascend with their producer, then in the order of adding. */
static void
fill_tensors (GobanGraphBuilder *self, GobanGraph *graph, const guint32 *new_ids,
              guint32 *new_tensors)
{
  guint n_tensors = self->tensors->len;
  guint32 *offsets = g_new0 (guint32, graph->n_nodes + 1);

  for (guint t = 0; t < n_tensors; t++)
    offsets[new_ids[builder_tensor (self, t)->producer] + 1]++;
  for (guint v = 0; v < graph->n_nodes; v++)
    offsets[v + 1] += offsets[v];

  graph->n_tensors = n_tensors;
  graph->tensors = g_new0 (GobanTensor, n_tensors);
  graph->dims = (gint64 *) (gpointer) g_array_free (g_steal_pointer (&self->dims), FALSE);
  for (guint t = 0; t < n_tensors; t++)
    {
      const BuilderTensor *old = builder_tensor (self, t);
      guint32 producer = new_ids[old->producer];

      new_tensors[t] = offsets[producer]++;
      graph->tensors[new_tensors[t]] = (GobanTensor){
        .producer = producer,
        .size_bytes = old->size_bytes,
        .dtype = old->dtype,
        .dims = old->n_dims > 0 ? graph->dims + old->first_dim : NULL,
        .n_dims = old->n_dims,
        .has_shape = old->has_shape,
        .is_control = old->is_control,
      };
    }

  /* Each offset has moved to where the next node begins: shift them back by one. */
  memmove (offsets + 1, offsets, graph->n_nodes * sizeof *offsets);
  offsets[0] = 0;
  graph->tensor_offsets = offsets;
}

/* order (n): a stable counting sort of the permutation in by keys below n_keys. */
static void
counting_sort (guint32 *order, const guint32 *in, const guint32 *keys, guint n, guint n_keys)
{
  g_autofree guint32 *offsets = g_new0 (guint32, n_keys + 1);

  for (guint i = 0; i < n; i++)
    offsets[keys[i] + 1]++;
  for (guint k = 0; k < n_keys; k++)
    offsets[k + 1] += offsets[k];
  for (guint i = 0; i < n; i++)
    order[offsets[keys[in[i]]]++] = in[i];
}

static void
fill_edges (GobanGraphBuilder *self, GobanGraph *graph, const guint32 *new_ids,
            const guint32 *new_tensors)
{
  guint n = self->edges->len;
  g_autofree guint32 *heads = g_new (guint32, n);
  g_autofree guint32 *tensors = g_new (guint32, n);
  g_autofree guint32 *given = g_new (guint32, n);
  g_autofree guint32 *by_head = g_new (guint32, n);
  g_autofree guint32 *sorted = g_new (guint32, n);
  g_autofree guint32 *edge_of = g_new (guint32, n); /* the final id of each added edge */
  guint n_edges = 0;

  for (guint i = 0; i < n; i++)
    {
      const BuilderEdge *edge = &g_array_index (self->edges, BuilderEdge, i);

      given[i] = i;
      heads[i] = new_ids[edge->head];
      tensors[i] = new_tensors[edge->tensor];
    }
  counting_sort (by_head, given, heads, n, graph->n_nodes);
  counting_sort (sorted, by_head, tensors, n, graph->n_tensors);

  graph->edges = g_new (GobanEdge, n);
  graph->in_offsets = g_new0 (guint32, graph->n_nodes + 1);
  for (guint i = 0; i < n; i++)
    {
      guint32 t = tensors[sorted[i]];
      guint32 head = heads[sorted[i]];

      /* Equal pairs are neighbours now: the later ones are the same edge again. */
      if (n_edges == 0 || graph->edges[n_edges - 1].tensor != t
          || graph->edges[n_edges - 1].head != head)
        {
          graph->edges[n_edges++] = (GobanEdge){ graph->tensors[t].producer, head, t };
          graph->in_offsets[head + 1]++;
        }
      edge_of[sorted[i]] = n_edges - 1;
    }
  graph->n_edges = n_edges;

  for (guint v = 0; v < graph->n_nodes; v++)
    graph->in_offsets[v + 1] += graph->in_offsets[v];

  /* Inputs keep the order in which they were added: walk the added edges, each final id once. */
  {
    g_autofree guint32 *next
        = g_memdup2 (graph->in_offsets, (graph->n_nodes + 1) * sizeof (guint32));
    g_autofree gboolean *taken = g_new0 (gboolean, n_edges);

    graph->in_edges = g_new (GobanEdgeId, n_edges + 1);
    graph->added_edges = g_new (GobanEdgeId, n_edges + 1);
    for (guint i = 0, n_added = 0; i < n; i++)
      if (!taken[edge_of[i]])
        {
          taken[edge_of[i]] = TRUE;
          graph->in_edges[next[heads[i]]++] = edge_of[i];
          graph->added_edges[n_added++] = edge_of[i];
        }
  }
}

static void
fill_times (GobanGraphBuilder *self, GobanGraph *graph, const guint32 *new_ids,
            const guint32 *new_tensors)
{
  gsize k = self->kinds->len;

  graph->n_kinds = k;
  g_ptr_array_add (self->kinds, NULL);
  graph->kinds = (char **) g_ptr_array_free (g_steal_pointer (&self->kinds), FALSE);
  if (k == 0)
    return;

  graph->times_us = g_new (double, graph->n_nodes *k);
  for (gsize i = 0; i < graph->n_nodes * k; i++)
    graph->times_us[i] = (double) NAN;
  for (guint i = 0; i < self->times->len; i++)
    {
      const BuilderTime *time = &g_array_index (self->times, BuilderTime, i);

      graph->times_us[new_ids[time->node] * k + time->kind] = time->time_us;
    }

  if (self->transfers->len == 0)
    return;

  graph->transfers_us = g_new (double, graph->n_tensors *k *k);
  for (gsize i = 0; i < graph->n_tensors * k * k; i++)
    graph->transfers_us[i] = (double) NAN;
  for (guint i = 0; i < self->transfers->len; i++)
    {
      const BuilderTransfer *transfer = &g_array_index (self->transfers, BuilderTransfer, i);
      gsize row = new_tensors[transfer->tensor] * k + transfer->from_kind;

      graph->transfers_us[row * k + transfer->to_kind] = transfer->time_us;
    }
}

static void
fill_file_devices (GobanGraphBuilder *self, GobanGraph *graph, const guint32 *new_ids)
{
  if (self->file_devices->len == 0)
    return;

  graph->file_devices = g_new (const char *, graph->n_nodes);
  for (guint v = 0; v < graph->n_nodes; v++)
    graph->file_devices[v] = "";
  for (guint i = 0; i < self->file_devices->len; i++)
    {
      const BuilderDevice *row = &g_array_index (self->file_devices, BuilderDevice, i);

      graph->file_devices[new_ids[row->node]] = row->name;
    }
}

static int
compare_collectives (gconstpointer a, gconstpointer b)
{
  const GobanNodeCollective *x = a, *y = b;

  return (x->node > y->node) - (x->node < y->node);
}

GobanGraph *
goban_graph_builder_finish (GobanGraphBuilder *self, GobanNodeId **node_ids, GError **error)
{
  g_autofree guint32 *new_ids = g_new (guint32, self->nodes->len);
  g_autofree guint32 *new_tensors = g_new (guint32, self->tensors->len);
  GobanGraph *graph;

  if (!check_amounts (self, error) || !graph_builder_number (self, new_ids, error))
    return NULL;

  graph = g_new0 (GobanGraph, 1);
  g_atomic_ref_count_init (&graph->refs);
  graph->name = g_steal_pointer (&self->name);
  graph->format = g_steal_pointer (&self->format);
  graph->cluster_spec
      = self->cluster_spec != NULL ? g_steal_pointer (&self->cluster_spec) : g_strdup ("");
  graph->n_groups = g_hash_table_size (self->groups);

  graph->n_nodes = self->nodes->len;
  graph->nodes = g_new (GobanNode, graph->n_nodes);
  for (guint v = 0; v < graph->n_nodes; v++)
    graph->nodes[new_ids[v]] = *builder_node (self, v);

  fill_tensors (self, graph, new_ids, new_tensors);

  /* Frees everything that the graph has copies of: 170 MB for a million nodes, which would
   * otherwise remain while edges are sorted. */
  g_clear_pointer (&self->nodes, g_array_unref);
  g_clear_pointer (&self->tensors, g_array_unref);
  g_clear_pointer (&self->names, g_hash_table_unref);

  fill_edges (self, graph, new_ids, new_tensors);
  fill_times (self, graph, new_ids, new_tensors);
  fill_file_devices (self, graph, new_ids);

  /* If a collective was set twice for a node, any one is kept. */
  guint n = 0;

  for (guint i = 0; i < self->collectives->len; i++)
    {
      GobanNodeCollective *row = &g_array_index (self->collectives, GobanNodeCollective, i);

      row->node = new_ids[row->node];
    }
  g_array_sort (self->collectives, compare_collectives);
  graph->collectives = g_new (GobanNodeCollective, self->collectives->len + 1);
  for (guint i = 0; i < self->collectives->len; i++)
    {
      const GobanNodeCollective *row = &g_array_index (self->collectives, GobanNodeCollective, i);

      if (n == 0 || graph->collectives[n - 1].node != row->node)
        graph->collectives[n++] = *row;
    }
  graph->n_collectives = n;

  g_ptr_array_add (self->warnings, NULL);
  graph->warnings = (char **) g_ptr_array_free (g_steal_pointer (&self->warnings), FALSE);
  graph->strings = g_steal_pointer (&self->strings);
  goban_graph_seal (graph);

  if (node_ids != NULL)
    *node_ids = g_steal_pointer (&new_ids);
  return graph;
}
