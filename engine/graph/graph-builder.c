#include "engine/graph/graph-builder-private.h"

#include "engine/core/quantity.h"

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
