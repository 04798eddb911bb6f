/* Arguments -ot of llama.cpp: "PATTERN=BUFFER", separated by commas; of each tensor the first
 * pattern that is found in its name counts.
 *
 * The tensors of the node "output_norm" are "output_norm.weight" and the like. Those of a block,
 * "blk.3.attn_q.weight", go with the block: its ops without weights, such as attention, have no
 * name that a pattern could match. A comma or an equals sign would end a pattern, so it is written
 * by its code.
 */
#include "engine/io/apply/target.h"

#include "engine/core/error.h"
#include "engine/core/i18n.h"

#include <string.h>

#define BLOCK "blk."
#define NO_BLOCK G_MAXUINT

static const GobanDeviceWord words[] = {
  { "gpu", "CUDA", TRUE },
  { "cpu", "CPU", FALSE },
  { NULL },
};

typedef struct
{
  char *name; /* as llama.cpp spells it, with dots */
  GobanNodeId node;
  guint block;
} Tensor;

static void
clear_tensor (gpointer data)
{
  g_free (((Tensor *) data)->name);
}

/* 3 of "blk.3" and "blk.3.attn_q". */
static guint
read_block (const char *name)
{
  guint64 number;
  g_autofree char *digits = NULL;
  const char *start = name + strlen (BLOCK);
  gsize n;

  if (!g_str_has_prefix (name, BLOCK))
    return NO_BLOCK;
  n = strcspn (start, ".");
  digits = g_strndup (start, n);
  return g_ascii_string_to_unsigned (digits, 10, 0, G_MAXUINT16, &number, NULL) ? (guint) number
                                                                                : NO_BLOCK;
}

static int
compare_lengths (gconstpointer a, gconstpointer b)
{
  const Tensor *x = a, *y = b;
  gsize n = strlen (x->name), m = strlen (y->name);

  if (n != m)
    return n > m ? -1 : 1;
  return strcmp (x->name, y->name);
}

/* Names and devices of two nodes, in the order of the graph, for a message. */
#define NAME_PAIR(work, a, b)                                                                      \
  goban_apply_node_name (work, MIN (a, b)), goban_apply_device_name (work, MIN (a, b)),            \
      goban_apply_node_name (work, MAX (a, b)), goban_apply_device_name (work, MAX (a, b))

/* The longest name first: "a.b" before "a", whose pattern is found in it, too. */
static GArray *
gather_tensors (const GobanApplyWork *work)
{
  GArray *tensors = g_array_new (FALSE, FALSE, sizeof (Tensor));

  g_array_set_clear_func (tensors, clear_tensor);
  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (work->graph); v++)
    {
      Tensor tensor = { g_strdup (goban_apply_node_name (work, v)), v, NO_BLOCK };

      g_strdelimit (tensor.name, "/", '.');
      tensor.block = read_block (tensor.name);
      g_array_append_val (tensors, tensor);
    }
  g_array_sort (tensors, compare_lengths);
  return tensors;
}

/* @firsts: block + 1 to node + 1 */
static gboolean
check_block (const GobanApplyWork *work, const Tensor *tensor, GHashTable *firsts, GError **error)
{
  gpointer key = GUINT_TO_POINTER (tensor->block + 1);
  guint first = GPOINTER_TO_UINT (g_hash_table_lookup (firsts, key));

  if (first == 0)
    {
      g_hash_table_insert (firsts, key, GUINT_TO_POINTER (tensor->node + 1));
      return TRUE;
    }
  return goban_plan_get_device (work->plan, first - 1)
             == goban_plan_get_device (work->plan, tensor->node)
         || goban_refuse (error, GOBAN_ERROR_UNSUPPORTED,
                          "llama.cpp places whole blocks: “%s” is on %s, “%s” on %s",
                          NAME_PAIR (work, first - 1, tensor->node));
}

/* An op without weights runs beside one that it reads, or that reads it. */
static gboolean
check_free_op (const GobanApplyWork *work, GobanNodeId node, GError **error)
{
  GobanDeviceId device = goban_plan_get_device (work->plan, node);
  GobanEdgeSpan in = goban_graph_get_in_edges (work->graph, node);
  GobanEdgeSpan out = goban_graph_get_out_edges (work->graph, node);
  GobanNodeId other = GOBAN_NO_NODE;

  if (goban_graph_get_node (work->graph, node)->param_bytes > 0)
    return TRUE;
  for (guint i = 0; i < in.n + out.n; i++)
    {
      other = i < in.n ? goban_graph_get_edge (work->graph, in.ids[i])->tail
                       : goban_graph_get_edge (work->graph, out.ids[i - in.n])->head;
      if (goban_plan_get_device (work->plan, other) == device)
        return TRUE;
    }
  return other == GOBAN_NO_NODE
         || goban_refuse (error, GOBAN_ERROR_UNSUPPORTED,
                          "llama.cpp runs an op without weights beside one of its neighbours: “%s” "
                          "is on %s, “%s” on %s",
                          NAME_PAIR (work, node, other));
}

static gboolean
check_tensors (const GobanApplyWork *work, const GArray *tensors, GError **error)
{
  g_autoptr (GHashTable) firsts = g_hash_table_new (NULL, NULL);

  for (guint i = 0; i < tensors->len; i++)
    {
      const Tensor *tensor = &g_array_index (tensors, Tensor, i);
      const Tensor *last = i > 0 ? &g_array_index (tensors, Tensor, i - 1) : NULL;

      if (last != NULL && g_str_equal (last->name, tensor->name)
          && goban_plan_get_device (work->plan, last->node)
                 != goban_plan_get_device (work->plan, tensor->node))
        return goban_refuse (error, GOBAN_ERROR_UNSUPPORTED,
                             "llama.cpp separates the parts of a name by dots, so that these are "
                             "one: “%s” is on %s, “%s” on %s",
                             NAME_PAIR (work, last->node, tensor->node));
      if (tensor->block != NO_BLOCK ? !check_block (work, tensor, firsts, error)
                                    : !check_free_op (work, tensor->node, error))
        return FALSE;
    }
  return g_hash_table_size (firsts) > 0
         || goban_refuse (error, GOBAN_ERROR_UNSUPPORTED,
                          "no node is named as llama.cpp names its blocks, “blk.0” or "
                          "“blk.0.attn_q”; the first node is “%s”",
                          goban_apply_node_name (work, 0));
}

/* --- writing --------------------------------------------------------------------------------- */

static void
append_escaped (GString *out, const char *name)
{
  for (; *name != '\0'; name++)
    {
      if (*name == ',' || *name == '=' || g_ascii_iscntrl (*name))
        g_string_append_printf (out, "\\x%02x", (guint) *name);
      else
        {
          if (strchr ("\\^$.|?*+()[]{}", *name) != NULL)
            g_string_append_c (out, '\\');
          g_string_append_c (out, *name);
        }
    }
}

static void
append_tensor (GString *out, const char *name, const char *word)
{
  g_string_append (out, out->len > 0 ? ",^" : "^");
  append_escaped (out, name);
  g_string_append_printf (out, "(\\.|$)=%s", word);
}

static int
compare_numbers (gconstpointer a, gconstpointer b)
{
  guint x = *(const guint *) a, y = *(const guint *) b;

  return x < y ? -1 : x > y;
}

/* The blocks of one device in one pattern. */
static void
append_blocks (GString *out, const GobanApplyWork *work, const GArray *tensors,
               GobanDeviceId device, const char *word)
{
  g_autoptr (GArray) blocks = g_array_new (FALSE, FALSE, sizeof (guint));
  guint last = NO_BLOCK;

  for (guint i = 0; i < tensors->len; i++)
    {
      const Tensor *tensor = &g_array_index (tensors, Tensor, i);

      if (tensor->block != NO_BLOCK && goban_plan_get_device (work->plan, tensor->node) == device)
        g_array_append_val (blocks, tensor->block);
    }
  if (blocks->len == 0)
    return;
  g_array_sort (blocks, compare_numbers);
  g_string_append (out, out->len > 0 ? ",^blk\\.(" : "^blk\\.(");
  for (guint i = 0; i < blocks->len; i++)
    {
      guint block = g_array_index (blocks, guint, i);

      if (block != last)
        g_string_append_printf (out, last != NO_BLOCK ? "|%u" : "%u", block);
      last = block;
    }
  g_string_append_printf (out, ")(\\.|$)=%s", word);
}

static gboolean
write_arguments (GobanApplyWork *work, GError **error)
{
  g_auto (GStrv) names = goban_device_names_new (work, words, "llama.cpp", error);
  g_autoptr (GArray) tensors = NULL;
  g_autoptr (GString) patterns = g_string_new (NULL);
  g_autofree char *quoted = NULL;

  if (names == NULL || !goban_apply_check_forward (work, "llama.cpp", error))
    return FALSE;
  tensors = gather_tensors (work);
  if (!check_tensors (work, tensors, error))
    return FALSE;

  for (guint d = 0; names[d] != NULL; d++)
    append_blocks (patterns, work, tensors, (GobanDeviceId) d, names[d]);
  for (guint i = 0; i < tensors->len; i++)
    {
      const Tensor *tensor = &g_array_index (tensors, Tensor, i);

      if (tensor->block == NO_BLOCK)
        append_tensor (patterns, tensor->name,
                       names[goban_plan_get_device (work->plan, tensor->node)]);
    }
  quoted = g_shell_quote (patterns->str);
  g_string_append_printf (work->text, "-ot %s\n", quoted);
  return TRUE;
}

const GobanApplyTarget goban_apply_llama_cpp = {
  .name = "llama.cpp",
  .framework = "llama.cpp",
  .blurb = N_ ("the argument -ot: patterns of tensors and their buffers"),
  .suffix = ".txt",
  .write = write_arguments,
};
