#include "engine/io/tensorflow/tf-model.h"

#include <string.h>

#include "engine/core/error.h"
#include "engine/io/text.h"

/* --- loops ---------------------------------------------------------------- */

/* A frame is the scope of one loop. Values come in through Enter and leave through Exit, into the
 * frame around it. */
typedef struct
{
  char *name;
  guint32 parent; /* the frame around it, or GOBAN_TF_NONE */
  GArray *exits;  /* (nullable): guint32, nodes that wait for the parent */
} Frame;

typedef struct
{
  GobanTfModel *model;
  GArray *frames;      /* Frame */
  guint32 *frame_of;   /* of the nodes, or GOBAN_TF_NONE */
  GArray *queue;       /* guint32: nodes whose frame is new */
  GHashTable *by_name; /* of frames: name to number + 1 */
} Search;

static gboolean
is_op (const GobanTfModel *model, guint32 v, const char *op)
{
  const char *own = model->nodes[v].proto->op;

  return strcmp (own, op) == 0 || (strncmp (own, "Ref", 3) == 0 && strcmp (own + 3, op) == 0);
}

static Frame *
get_frame (const Search *self, guint32 frame)
{
  return &g_array_index (self->frames, Frame, frame);
}

static void
put_in_frame (Search *self, guint32 v, guint32 frame)
{
  if (self->frame_of[v] != GOBAN_TF_NONE)
    return;
  self->frame_of[v] = frame;
  g_array_append_val (self->queue, v);
}

static void
add_enter (Search *self, guint32 v)
{
  const GobanTf__Value *attr = goban_tf_attr (self->model->nodes[v].proto, "frame_name");
  g_autofree char *name = goban_tf_dup_text (attr != NULL ? &attr->s : NULL);
  guint number = GPOINTER_TO_UINT (g_hash_table_lookup (self->by_name, name));

  if (number == 0)
    {
      Frame frame = { .parent = GOBAN_TF_NONE };

      number = self->frames->len + 1;
      frame.name = g_strdup (name);
      g_hash_table_insert (self->by_name, frame.name, GUINT_TO_POINTER (number));
      g_array_append_val (self->frames, frame);
    }
  put_in_frame (self, v, number - 1);
}

/* The frame that the outputs of @v are in. */
static guint32
get_outer (const Search *self, guint32 v)
{
  guint32 frame = self->frame_of[v];

  return is_op (self->model, v, "Exit") ? get_frame (self, frame)->parent : frame;
}

/* Exits of a frame could not be resolved before its parent was known. */
static void
set_parent (Search *self, guint32 frame, guint32 parent)
{
  Frame *f = get_frame (self, frame);

  if (f->parent != GOBAN_TF_NONE || frame == parent)
    return;
  f->parent = parent;
  if (f->exits != NULL)
    g_array_append_vals (self->queue, f->exits->data, f->exits->len);
  g_clear_pointer (&f->exits, g_array_unref);
}

static void
wait_for_parent (Search *self, guint32 v)
{
  Frame *f = get_frame (self, self->frame_of[v]);

  if (!is_op (self->model, v, "Exit"))
    return;
  if (f->exits == NULL)
    f->exits = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_array_append_val (f->exits, v);
}

static void
visit (Search *self, guint32 v)
{
  const GobanTfModel *model = self->model;
  guint32 frame = get_outer (self, v);

  if (frame == GOBAN_TF_NONE)
    {
      wait_for_parent (self, v);
      return;
    }
  for (guint32 k = model->first_head[v]; k < model->first_head[v + 1]; k++)
    {
      guint32 head = model->heads[k];

      if (is_op (model, head, "Enter"))
        set_parent (self, self->frame_of[head], frame);
      else
        put_in_frame (self, head, frame);
    }
}

/* The outermost frame around each, found once for all. A damaged file may nest frames in a ring,
 * which counts as one. */
static guint32 *
find_roots (const Search *self)
{
  guint n = self->frames->len;
  guint32 *root = g_new (guint32, n + 1);
  g_autofree guint32 *path = g_new (guint32, n + 1);
  g_autofree gboolean *is_on_path = g_new0 (gboolean, n + 1);

  for (guint32 f = 0; f < n; f++)
    root[f] = GOBAN_TF_NONE;
  for (guint32 f = 0; f < n; f++)
    {
      guint32 at = f, found;
      guint n_path = 0;

      while (root[at] == GOBAN_TF_NONE && !is_on_path[at])
        {
          is_on_path[at] = TRUE;
          path[n_path++] = at;
          if (get_frame (self, at)->parent == GOBAN_TF_NONE)
            break;
          at = get_frame (self, at)->parent;
        }
      found = root[at] != GOBAN_TF_NONE ? root[at] : at;
      while (n_path > 0)
        root[path[--n_path]] = found;
    }
  return root;
}

/* Regions are numbered by the first of their nodes in the file. */
static void
set_regions (Search *self)
{
  g_autofree guint32 *root = find_roots (self);
  g_autofree guint32 *region_of = g_new (guint32, self->frames->len + 1);

  for (guint32 f = 0; f < self->frames->len; f++)
    region_of[f] = GOBAN_TF_NONE;
  for (guint32 v = 0; v < self->model->n_nodes; v++)
    {
      guint32 frame = self->frame_of[v];

      if (frame == GOBAN_TF_NONE)
        continue;
      frame = root[frame];
      if (region_of[frame] == GOBAN_TF_NONE)
        {
          region_of[frame] = self->model->regions->len;
          g_ptr_array_add (self->model->regions, g_strdup (get_frame (self, frame)->name));
        }
      self->model->nodes[v].region = region_of[frame];
    }
}

static void
clear_frame (gpointer frame)
{
  Frame *self = frame;

  g_clear_pointer (&self->exits, g_array_unref);
  g_clear_pointer (&self->name, g_free);
}

/* Fills `region` of every node, and the model's regions. O(nodes + inputs). */
static void
tf_find_loops (GobanTfModel *model)
{
  g_autoptr (GArray) frames = g_array_new (FALSE, FALSE, sizeof (Frame));
  g_autoptr (GArray) queue = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autoptr (GHashTable) by_name = g_hash_table_new (g_str_hash, g_str_equal);
  g_autofree guint32 *frame_of = g_new (guint32, model->n_nodes + 1);
  Search self = { model, frames, frame_of, queue, by_name };

  g_array_set_clear_func (frames, clear_frame);
  for (guint32 v = 0; v < model->n_nodes; v++)
    frame_of[v] = GOBAN_TF_NONE;
  for (guint32 v = 0; v < model->n_nodes; v++)
    if (is_op (model, v, "Enter"))
      add_enter (&self, v);
  for (guint at = 0; at < queue->len; at++)
    visit (&self, g_array_index (queue, guint32, at));
  set_regions (&self);
}

/* --- the model ------------------------------------------------------------ */

const GobanTf__Value *
goban_tf_attr (const GobanTf__Node *node, const char *name)
{
  for (gsize i = 0; i < node->n_attr; i++)
    if (strcmp (node->attr[i]->key, name) == 0)
      return node->attr[i]->value;
  return NULL;
}

gboolean
goban_tf_attr_is (const GobanTf__Node *node, const char *name, const char *value)
{
  const GobanTf__Value *attr = goban_tf_attr (node, name);
  gsize n = strlen (value);

  return attr != NULL && attr->s.len == n && memcmp (attr->s.data, value, n) == 0;
}

char *
goban_tf_dup_text (const ProtobufCBinaryData *bytes)
{
  if (bytes == NULL || bytes->len == 0)
    return g_strdup ("");
  return g_strndup ((const char *) bytes->data, bytes->len);
}

/* Text of a file for a message. (transfer full) */
static char *
show (const char *text)
{
  g_autofree char *valid = g_utf8_make_valid (text, -1);

  return goban_text_file_excerpt (valid);
}

static gboolean
index_names (GobanTfModel *self, GError **error)
{
  for (guint32 i = 0; i < self->n_nodes; i++)
    {
      const char *name = self->nodes[i].proto->name;

      if (*name == '\0')
        return goban_refuse (error, GOBAN_ERROR_PARSE, "%s: node %u has no name", self->path, i);
      if (*self->nodes[i].proto->op == '\0')
        {
          g_autofree char *shown = show (name);

          return goban_refuse (error, GOBAN_ERROR_PARSE,
                               "%s: node “%s” has no op; if this is a CostGraphDef, whose nodes "
                               "have none, read it with --format cost-graph",
                               self->path, shown);
        }
      if (!g_hash_table_insert (self->by_name, (gpointer) name, GUINT_TO_POINTER (i + 1)))
        {
          g_autofree char *shown = show (name);

          return goban_refuse (error, GOBAN_ERROR_PARSE, "%s: two nodes have the name “%s”",
                               self->path, shown);
        }
    }
  return TRUE;
}

/* "name", "name:port" or "^name". Functions also write "name:output:index". */
static gboolean
split_input (const char *text, GString *name, guint32 *port)
{
  const char *colon = strchr (text, ':');
  const char *last = strrchr (text, ':');
  guint64 number = 0;

  *port = 0;
  if (*text == '^')
    {
      *port = GOBAN_TF_CONTROL;
      g_string_assign (name, text + 1);
      return TRUE;
    }
  g_string_truncate (name, 0);
  g_string_append_len (name, text, colon != NULL ? colon - text : (gssize) strlen (text));
  if (colon == NULL)
    return TRUE;
  if (!g_ascii_string_to_unsigned (last + 1, 10, 0, GOBAN_TF_MAX_PORT, &number, NULL))
    return FALSE;
  *port = (guint32) number;
  return TRUE;
}

static gboolean
find_input (GobanTfModel *self, const GobanTfNode *node, gsize i, GString *name, GError **error)
{
  GobanTfInput *input = &self->inputs[node->first_input + i];
  gboolean is_sound = split_input (node->proto->input[i], name, &input->port);
  guint found = is_sound ? GPOINTER_TO_UINT (g_hash_table_lookup (self->by_name, name->str)) : 0;
  g_autofree char *reader = NULL;
  g_autofree char *shown = NULL;

  if (found > 0)
    {
      input->tail = found - 1;
      return TRUE;
    }
  reader = show (node->proto->name);
  shown = show (node->proto->input[i]);
  if (!is_sound)
    return goban_refuse (error, GOBAN_ERROR_PARSE,
                         "%s: node “%s”: the input “%s” is not “NAME”, “NAME:PORT” or “^NAME”",
                         self->path, reader, shown);
  return goban_refuse (error, GOBAN_ERROR_PARSE,
                       "%s: node “%s” reads “%s”, which is not in the file", self->path, reader,
                       shown);
}

static gboolean
find_inputs (GobanTfModel *self, GError **error)
{
  g_autoptr (GString) name = g_string_new (NULL);

  for (guint32 v = 0; v < self->n_nodes; v++)
    for (gsize i = 0; i < self->nodes[v].proto->n_input; i++)
      if (!find_input (self, &self->nodes[v], i, name, error))
        return FALSE;
  return TRUE;
}

static void
find_heads (GobanTfModel *self, gsize n_inputs)
{
  g_autofree guint32 *next = NULL;

  self->first_head = g_new0 (guint32, self->n_nodes + 1);
  self->heads = g_new (guint32, n_inputs + 1);
  for (gsize i = 0; i < n_inputs; i++)
    self->first_head[self->inputs[i].tail + 1]++;
  for (guint32 v = 0; v < self->n_nodes; v++)
    self->first_head[v + 1] += self->first_head[v];
  next = g_memdup2 (self->first_head, (self->n_nodes + 1) * sizeof *next);
  for (guint32 v = 0; v < self->n_nodes; v++)
    for (gsize i = 0; i < self->nodes[v].proto->n_input; i++)
      self->heads[next[goban_tf_model_input (self, &self->nodes[v], i)->tail]++] = v;
}

gboolean
goban_tf_model_init (GobanTfModel *self, const GobanTf__GraphDef *proto, const char *path,
                     GError **error)
{
  gsize n_inputs = 0;

  *self = (GobanTfModel){ .path = path, .proto = proto };
  if (proto->n_node >= GOBAN_TF_NONE)
    return goban_refuse (error, GOBAN_ERROR_UNSUPPORTED, "%s: too many nodes", path);
  self->n_nodes = (guint) proto->n_node;
  self->by_name = g_hash_table_new (g_str_hash, g_str_equal);
  self->regions = g_ptr_array_new_with_free_func (g_free);
  self->nodes = g_new0 (GobanTfNode, self->n_nodes + 1);
  for (guint32 v = 0; v < self->n_nodes; v++)
    {
      self->nodes[v].proto = proto->node[v];
      self->nodes[v].first_input = (guint32) n_inputs;
      self->nodes[v].region = GOBAN_TF_NONE;
      n_inputs += proto->node[v]->n_input;
      if (n_inputs >= GOBAN_TF_NONE)
        return goban_refuse (error, GOBAN_ERROR_UNSUPPORTED, "%s: too many inputs", path);
    }
  self->inputs = g_new0 (GobanTfInput, n_inputs + 1);
  if (!index_names (self, error) || !find_inputs (self, error))
    return FALSE;
  find_heads (self, n_inputs);
  tf_find_loops (self);
  return TRUE;
}

void
goban_tf_model_clear (GobanTfModel *self)
{
  for (guint32 v = 0; self->nodes != NULL && v < self->n_nodes; v++)
    {
      for (guint i = 0; i < self->nodes[v].n_out; i++)
        goban_onnx_value_clear (&self->nodes[v].out[i]);
      g_free (self->nodes[v].out);
    }
  g_clear_pointer (&self->nodes, g_free);
  g_clear_pointer (&self->inputs, g_free);
  g_clear_pointer (&self->first_head, g_free);
  g_clear_pointer (&self->heads, g_free);
  g_clear_pointer (&self->by_name, g_hash_table_unref);
  g_clear_pointer (&self->regions, g_ptr_array_unref);
}

/* --- order ----------------------------------------------------------------------------------- */

static gboolean
is_back (const GobanTfModel *self, guint32 tail)
{
  const char *op = self->nodes[tail].proto->op;

  return strcmp (op, "NextIteration") == 0 || strcmp (op, "RefNextIteration") == 0;
}

guint32 *
goban_tf_model_dup_order (const GobanTfModel *self, guint *n)
{
  guint32 *order = g_new (guint32, self->n_nodes + 1);
  g_autofree guint32 *waits = g_new0 (guint32, self->n_nodes + 1);
  guint n_order = 0;

  for (guint32 v = 0; v < self->n_nodes; v++)
    {
      for (gsize i = 0; i < self->nodes[v].proto->n_input; i++)
        waits[v] += !is_back (self, goban_tf_model_input (self, &self->nodes[v], i)->tail);
      if (waits[v] == 0)
        order[n_order++] = v;
    }
  for (guint at = 0; at < n_order; at++)
    {
      guint32 v = order[at];

      for (guint32 k = self->first_head[v]; !is_back (self, v) && k < self->first_head[v + 1]; k++)
        if (--waits[self->heads[k]] == 0)
          order[n_order++] = self->heads[k];
    }
  *n = n_order;
  return order;
}
