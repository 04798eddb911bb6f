#include "engine/io/tensorflow/tf-served.h"

#include <string.h>

#define SERVING "serving_default"

const GobanTf__NamedSignature *
goban_tf_served_find (const GobanTf__MetaGraph *meta)
{
  const GobanTf__NamedSignature *found = NULL;

  for (gsize i = 0; meta != NULL && i < meta->n_signature_def; i++)
    {
      const GobanTf__NamedSignature *named = meta->signature_def[i];

      if (named->value == NULL || named->value->n_outputs == 0)
        continue;
      if (strcmp (named->key, SERVING) == 0)
        return named;
      /* "__saved_model_init_op" initialises tables. */
      if (found == NULL && !g_str_has_prefix (named->key, "__"))
        found = named;
    }
  return found;
}

/* The number of the node that "NAME", "NAME:PORT" or "^NAME" is of, + 1; 0 if there is none. */
static guint
find_node (GHashTable *by_name, const char *input)
{
  const char *start = *input == '^' ? input + 1 : input;
  g_autofree char *name = g_strndup (start, strcspn (start, ":"));

  return GPOINTER_TO_UINT (g_hash_table_lookup (by_name, name));
}

static void
need (GHashTable *by_name, const char *input, guint8 *is_needed, GArray *queue)
{
  guint found = find_node (by_name, input);
  guint32 node = found - 1;

  if (found == 0 || is_needed[node])
    return;
  is_needed[node] = TRUE;
  g_array_append_val (queue, node);
}

gboolean
goban_tf_served_keep (GPtrArray *nodes, const GPtrArray *outputs, guint *n_removed)
{
  g_autoptr (GHashTable) by_name = g_hash_table_new (g_str_hash, g_str_equal);
  g_autofree guint8 *is_needed = g_new0 (guint8, nodes->len + 1);
  g_autoptr (GArray) queue = g_array_new (FALSE, FALSE, sizeof (guint32));
  guint n_before = nodes->len;
  guint n_kept = 0;

  for (guint i = 0; i < nodes->len; i++)
    g_hash_table_insert (by_name, ((GobanTf__Node *) nodes->pdata[i])->name,
                         GUINT_TO_POINTER (i + 1));
  for (guint i = 0; i < outputs->len; i++)
    need (by_name, outputs->pdata[i], is_needed, queue);
  for (guint at = 0; at < queue->len; at++)
    {
      const GobanTf__Node *node = nodes->pdata[g_array_index (queue, guint32, at)];

      for (gsize i = 0; i < node->n_input; i++)
        need (by_name, node->input[i], is_needed, queue);
    }
  if (queue->len == 0)
    return FALSE;
  for (guint i = 0; i < n_before; i++)
    if (is_needed[i])
      {
        gpointer node = nodes->pdata[i];

        nodes->pdata[i] = nodes->pdata[n_kept];
        nodes->pdata[n_kept++] = node;
      }
  g_ptr_array_set_size (nodes, (int) n_kept);
  *n_removed = n_before - n_kept;
  return TRUE;
}

GPtrArray *
goban_tf_served_nodes (const GobanTf__GraphDef *proto, const GobanTf__NamedSignature *signature,
                       guint *n_removed)
{
  g_autoptr (GPtrArray) nodes = g_ptr_array_new ();
  g_autoptr (GPtrArray) outputs = g_ptr_array_new ();

  for (gsize i = 0; i < proto->n_node; i++)
    g_ptr_array_add (nodes, proto->node[i]);
  for (gsize i = 0; i < signature->value->n_outputs; i++)
    if (signature->value->outputs[i]->value != NULL)
      g_ptr_array_add (outputs, signature->value->outputs[i]->value->name);
  return goban_tf_served_keep (nodes, outputs, n_removed) ? g_steal_pointer (&nodes) : NULL;
}
