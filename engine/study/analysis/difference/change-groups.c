#include "engine/study/analysis/difference/change-groups.h"

#include "engine/core/disjoint.h"
#include "engine/study/analysis/scopes.h"

static void
clear_group (gpointer data)
{
  GobanChangeGroup *group = data;

  g_free (group->name);
  goban_selection_unref (group->nodes);
}

/* Nodes of equal keys, less than @n_keys, follow the first of them; others have G_MAXUINT32. */
static void
join_scopes (GobanScopes *scopes, const guint32 *keys, guint n, guint n_keys)
{
  g_autofree guint *scope_of_key = g_new (guint, (gsize) n_keys + 1);

  for (guint i = 0; i < n_keys; i++)
    scope_of_key[i] = G_MAXUINT;
  for (guint i = 0; i < n; i++)
    {
      if (keys[i] >= n_keys)
        continue;
      if (scope_of_key[keys[i]] == G_MAXUINT)
        scope_of_key[keys[i]] = scopes->of[i];
      scopes->sizes[scopes->of[i]]--;
      scopes->of[i] = scope_of_key[keys[i]];
      scopes->sizes[scopes->of[i]]++;
    }
}

/* Both plans keep a colocation group together, so it has moved as a whole and must go back as
 * one. */
static void
join_colocated (GobanScopes *scopes, GobanGraph *graph, const GobanNodeId *ids, guint n)
{
  g_autofree guint32 *keys = g_new (guint32, (gsize) n + 1);

  G_STATIC_ASSERT (GOBAN_NO_GROUP == G_MAXUINT32);
  for (guint i = 0; i < n; i++)
    keys[i] = goban_graph_get_node (graph, ids[i])->group;
  join_scopes (scopes, keys, n, goban_graph_get_n_groups (graph));
}

/* Kernels that have a member in common, of whichever plan, are taken back as one: the others'
 * members are in none. */
static void
join_kernels (GobanScopes *scopes, GobanRun *const runs[2], const GobanNodeId *ids, guint n)
{
  g_autofree guint32 *parents = goban_disjoint_new (n);

  for (guint k = 0; k < 2; k++)
    {
      const gint32 *fusions = goban_plan_get_fusions (goban_run_get_plan (runs[k]));
      g_autoptr (GHashTable) firsts = g_hash_table_new (NULL, NULL);

      for (guint32 i = 0; i < n; i++)
        {
          gpointer kernel = GINT_TO_POINTER (fusions[ids[i]]);
          gpointer first;

          if (fusions[ids[i]] == GOBAN_NO_FUSION)
            continue;
          if (g_hash_table_lookup_extended (firsts, kernel, NULL, &first))
            parents[goban_disjoint_find (parents, i)]
                = goban_disjoint_find (parents, GPOINTER_TO_UINT (first));
          else
            g_hash_table_insert (firsts, kernel, GUINT_TO_POINTER (i));
        }
    }
  for (guint32 i = 0; i < n; i++)
    parents[i] = goban_disjoint_find (parents, i);
  join_scopes (scopes, parents, n, n);
}

/* The common target device, or NULL. */
static const char *
find_target (GobanRun *after, const GobanNodeId *ids, guint n)
{
  const GobanDeviceId *devices = goban_plan_get_devices (goban_run_get_plan (after));

  for (guint i = 1; i < n; i++)
    if (devices[ids[i]] != devices[ids[0]])
      return NULL;
  return n > 0 ? goban_cluster_get_device (goban_run_get_cluster (after), devices[ids[0]])->name
               : NULL;
}

GArray *
goban_change_groups_new (const GobanDifference *difference, GobanChange change)
{
  GobanRun *const runs[]
      = { goban_difference_get_before (difference), goban_difference_get_after (difference) };
  GobanGraph *graph = goban_run_get_graph (runs[1]);
  GArray *groups = g_array_new (FALSE, FALSE, sizeof (GobanChangeGroup));
  guint n;
  const GobanNodeId *ids
      = goban_selection_get_ids (goban_difference_get_nodes (difference, change), &n);
  g_autoptr (GobanScopes) scopes = goban_scopes_new (graph, ids, n, 0);
  g_autofree GobanNodeId *members = g_new (GobanNodeId, (gsize) n + 1);

  g_array_set_clear_func (groups, clear_group);
  if (change == GOBAN_CHANGE_DEVICE)
    join_colocated (scopes, graph, ids, n);
  else if (change == GOBAN_CHANGE_FUSION)
    join_kernels (scopes, runs, ids, n);

  for (guint s = 0; s < scopes->n_scopes; s++)
    {
      GobanChangeGroup group = { .n_nodes = 0 };

      for (guint i = 0; i < n; i++)
        if (scopes->of[i] == s)
          members[group.n_nodes++] = ids[i];
      if (group.n_nodes == 0)
        continue;
      group.name = g_strdup (scopes->names[s]);
      group.nodes = goban_selection_new (members, group.n_nodes);
      if (change == GOBAN_CHANGE_DEVICE)
        group.target = find_target (runs[1], members, group.n_nodes);
      g_array_append_val (groups, group);
    }
  return groups;
}
