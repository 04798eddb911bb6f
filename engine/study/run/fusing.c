#include "engine/study/run/fusing.h"

#include "engine/core/error.h"
#include "engine/sim/fusion/contraction.h"
#include "engine/sim/fusion/fusion.h"

#include <string.h>

gboolean
goban_fusing_parse (const char *word, GobanFusing *fusing, GError **error)
{
  if (word == NULL)
    *fusing = GOBAN_FUSE_AS_IS;
  else if (strcmp (word, "none") == 0)
    *fusing = GOBAN_FUSE_NONE;
  else if (strcmp (word, "default") == 0)
    *fusing = GOBAN_FUSE_DEFAULT;
  else
    return goban_refuse (error, GOBAN_ERROR_INVALID,
                         "there is no way of fusing “%s”: say none or default", word);
  return TRUE;
}

const char *
goban_fusing_get_word (GobanFusing fusing)
{
  return fusing == GOBAN_FUSE_AS_IS ? NULL : fusing == GOBAN_FUSE_NONE ? "none" : "default";
}

GobanPlan *
goban_fusing_apply (GobanFusing fusing, GobanCostModel *costs, GobanPlan *plan)
{
  GobanPlan *copy;

  if (fusing == GOBAN_FUSE_AS_IS || (fusing == GOBAN_FUSE_NONE && !goban_plan_is_fused (plan)))
    return goban_plan_ref (plan);

  copy = goban_plan_copy (plan);
  if (fusing == GOBAN_FUSE_DEFAULT)
    {
      goban_fusion_default (costs, copy);
      return copy;
    }
  for (GobanNodeId v = 0; v < goban_plan_get_n_nodes (copy); v++)
    goban_plan_set_fusion (copy, v, GOBAN_NO_FUSION);
  return copy;
}

gboolean
goban_fusing_check (const GobanPlan *plan, GobanCostModel *costs, GError **error)
{
  return goban_plan_check (plan, costs, error) && goban_fusion_check (plan, costs, error);
}

guint
goban_fusing_count_kernels (const GobanPlan *plan)
{
  const gint32 *fusions = goban_plan_get_fusions (plan);
  g_autoptr (GHashTable) seen = g_hash_table_new (NULL, NULL);
  guint n_alone = 0;

  for (GobanNodeId v = 0; v < goban_plan_get_n_nodes (plan); v++)
    if (fusions[v] == GOBAN_NO_FUSION)
      n_alone++;
    else
      g_hash_table_add (seen, GINT_TO_POINTER (fusions[v]));
  return n_alone + g_hash_table_size (seen);
}
