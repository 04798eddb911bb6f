#include "engine/io/tensorflow/tf-loops.h"

#include <string.h>

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

void
goban_tf_find_loops (GobanTfModel *model)
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
