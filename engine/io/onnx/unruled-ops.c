#include "engine/io/onnx/unruled-ops.h"

#include <stdlib.h>
#include <string.h>

#define MAX_SHOWN 20

static int
compare_ops (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

void
goban_unruled_ops_warn (GHashTable *ops, GobanGraphBuilder *builder)
{
  guint n;
  g_autofree gpointer *names = g_hash_table_get_keys_as_array (ops, &n);

  qsort (names, n, sizeof *names, compare_ops);
  for (guint i = 0; i < MIN (n, MAX_SHOWN); i++)
    goban_graph_builder_warn (builder, "no rule for op %s (%u of the nodes): its FLOPs count as 0",
                              (const char *) names[i],
                              GPOINTER_TO_UINT (g_hash_table_lookup (ops, names[i])));
  if (n > MAX_SHOWN)
    goban_graph_builder_warn (builder, "no rule for %u more ops: their FLOPs count as 0",
                              n - MAX_SHOWN);
}
