/* Groups of names: examples, the largest workload, and what must hold whatever names are. */
#include "engine/study/analysis/hierarchy/hierarchy.h"

#include "engine/core/rng.h"
#include "engine/graph/graph-builder.h"
#include "engine/graph/workloads/workload.h"
#include "engine/io/io.h"
#include "engine/study/analysis/hierarchy/name-parts.h"
#include "tests/sim/scenario.h"
#include "tests/support/shared-data.h"
#include "tests/support/test-program.h"
#include "tests/support/toys.h"

#include <string.h>

/* Names separated by spaces; "layer_{1-8}" stands for eight names. */
static GobanGraph *
graph_of (const char *text)
{
  g_auto (GStrv) words = g_strsplit (text, " ", -1);
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  GobanGraph *graph;

  for (char **word = words; *word != NULL; word++)
    {
      char *brace = strchr (*word, '{');
      char *dash = brace != NULL ? strchr (brace, '-') : NULL;
      guint first = brace != NULL ? (guint) g_ascii_strtoull (brace + 1, NULL, 10) : 0;
      guint last = dash != NULL ? (guint) g_ascii_strtoull (dash + 1, NULL, 10) : 0;

      if (brace == NULL)
        g_ptr_array_add (names, g_strdup (*word));
      for (guint i = first; brace != NULL && i <= last; i++)
        g_ptr_array_add (names, g_strdup_printf ("%.*s%u%s", (int) (brace - *word), *word, i,
                                                 strchr (brace, '}') + 1));
    }
  g_ptr_array_add (names, NULL);
  graph = toy_of_names ((const char *const *) names->pdata);
  return graph;
}

static void
assert_text (GobanGraph *graph, GobanGrouping grouping, const char *expected)
{
  g_autoptr (GobanHierarchy) hierarchy = goban_hierarchy_new (graph, grouping, NULL);
  g_autofree char *text = goban_hierarchy_to_text (hierarchy, G_MAXUINT);

  g_assert_cmpstr (text, ==, expected);
}

static void
assert_groups (const char *names, GobanGrouping grouping, const char *expected)
{
  g_autoptr (GobanGraph) graph = graph_of (names);

  assert_text (graph, grouping, expected);
}

/* --- examples ------------------------------------------------------------------------------- */

static void
test_scopes (void)
{
  assert_groups ("in enc/a enc/b enc/l/x enc/l/y dec/m/n/p dec/m/n/q out/one", GOBAN_GROUPING_SCOPE,
                 "all  8 nodes, 2 groups, 2 loose\n"
                 "  enc  4 nodes, 1 groups, 2 loose\n"
                 "    l  2 nodes\n"
                 "  dec/m/n  2 nodes\n");
  /* Everything in one scope says nothing; a node called like a scope is in it. */
  assert_groups ("/model/a/x /model/a/y /model/b /model/b/c", GOBAN_GROUPING_SCOPE,
                 "all  4 nodes, 2 groups\n"
                 "  a  2 nodes\n"
                 "  b  2 nodes\n");
  assert_groups ("x y z", GOBAN_GROUPING_SCOPE, "all  3 nodes\n");
  assert_groups ("a/x a/y b", GOBAN_GROUPING_NONE, "all  3 nodes\n");
}

static void
test_names_without_slashes (void)
{
  assert_groups ("net_stage1_conv1_fwd net_stage1_conv1_bias net_stage2_conv1_fwd "
                 "net_stage2_conv1_bias net_stage2_conv2d_12 net_stage2_conv2d_13",
                 GOBAN_GROUPING_SCOPE,
                 "all  6 nodes, 2 groups\n"
                 "  net_stage1_conv1  2 nodes\n"
                 "  net_stage2  4 nodes, 1 groups, 2 loose\n"
                 "    conv1  2 nodes\n");
  assert_groups ("bert.layer.0.query.weight bert.layer.0.query.bias bert.layer.1.query.weight "
                 "bert.layer.1.norm reduce.736 reduce.737",
                 GOBAN_GROUPING_SCOPE,
                 "all  6 nodes, 1 groups, 2 loose\n"
                 "  bert  4 nodes, 2 groups\n"
                 "    layer.0.query  2 nodes\n"
                 "    layer.1  2 nodes\n");
  /* With slashes about, an underscore is only a letter. */
  assert_groups ("Conv_1_a Conv_1_b s/x s/y", GOBAN_GROUPING_SCOPE,
                 "all  4 nodes, 1 groups, 2 loose\n"
                 "  s  2 nodes\n");
}

static void
test_folds (void)
{
  assert_groups ("e/layer_{1-8}/a e/layer_{1-8}/b e/in", GOBAN_GROUPING_SCOPE,
                 "all  17 nodes, 1 groups, 1 loose\n"
                 "  layer_[1-8]  16 nodes, 8 groups, fold\n"
                 "    layer_1  2 nodes\n"
                 "    layer_2  2 nodes\n"
                 "    layer_3  2 nodes\n"
                 "    layer_4  2 nodes\n"
                 "    layer_5  2 nodes\n"
                 "    layer_6  2 nodes\n"
                 "    layer_7  2 nodes\n"
                 "    layer_8  2 nodes\n");
}

static void
test_what_does_not_fold (void)
{
  /* Four are few; a fold of everything is one more click; ops differ; the root's numbers only
   * count. */
  assert_groups ("a/x a/layer_{1-4}", GOBAN_GROUPING_SCOPE, "all  5 nodes\n");
  assert_groups ("b a/layer_{1-9}", GOBAN_GROUPING_SCOPE,
                 "all  10 nodes, 1 groups, 1 loose\n"
                 "  a  9 nodes\n");
  assert_groups ("b c Conv{1-9} s/x s/y", GOBAN_GROUPING_SCOPE,
                 "all  13 nodes, 1 groups, 11 loose\n"
                 "  s  2 nodes\n");
  assert_groups ("b a/x a/n{1-5}", GOBAN_GROUPING_SCOPE,
                 "all  7 nodes, 1 groups, 1 loose\n"
                 "  a  6 nodes, 1 groups, 1 loose\n"
                 "    n[1-5]  5 nodes, fold\n");
}

/* Two numbers a name: the larger family takes what it can. */
static void
test_larger_families_first (void)
{
  g_autoptr (GobanGraph) graph
      = graph_of ("r a/x a/l1_s{1-7} a/l2_s{1-7} a/l3_s{1-7} a/l4_s{1-7} a/l5_s{1-7}");

  assert_text (graph, GOBAN_GROUPING_SCOPE,
               "all  37 nodes, 1 groups, 1 loose\n"
               "  a  36 nodes, 5 groups, 1 loose\n"
               "    l1_s[1-7]  7 nodes, fold\n"
               "    l2_s[1-7]  7 nodes, fold\n"
               "    l3_s[1-7]  7 nodes, fold\n"
               "    l4_s[1-7]  7 nodes, fold\n"
               "    l5_s[1-7]  7 nodes, fold\n");
}

#define UNROLLED                                                                                   \
  "in enc/layer_1/w enc/layer_2/w enc/layer_1/step_1/a enc/layer_1/step_2/a "                      \
  "enc/layer_2/step_1/a enc/layer_2/step_2/a soft/step_1/p soft/step_1/q soft/step_2/p "           \
  "soft/step_2/q loss/x loss/y"

static void
test_layers_and_steps (void)
{
  assert_groups (UNROLLED, GOBAN_GROUPING_LAYER,
                 "all  13 nodes, 4 groups, 1 loose\n"
                 "  enc/layer_1  3 nodes\n"
                 "  enc/layer_2  3 nodes\n"
                 "  soft  4 nodes\n"
                 "  loss  2 nodes\n");
  assert_groups (UNROLLED, GOBAN_GROUPING_STEP,
                 "all  13 nodes, 6 groups, 1 loose\n"
                 "  enc  2 nodes\n"
                 "  enc/step_1  2 nodes\n"
                 "  enc/step_2  2 nodes\n"
                 "  soft/step_1  2 nodes\n"
                 "  soft/step_2  2 nodes\n"
                 "  loss  2 nodes\n");
  /* One number alone is no row of layers. */
  assert_groups ("resnet50/a resnet50/b c", GOBAN_GROUPING_LAYER, "all  3 nodes\n");
}

static void
test_clusters (void)
{
  g_autoptr (GobanGraph) graph = graph_of ("a s/b s/c d");
  g_autoptr (GobanPlan) plan = goban_plan_new (graph, 1);
  g_autoptr (GobanHierarchy) hierarchy = NULL;
  g_autofree char *text = NULL;

  assert_text (graph, GOBAN_GROUPING_CLUSTER, "all  4 nodes\n");
  goban_plan_set_fusion (plan, 1, 7);
  goban_plan_set_fusion (plan, 3, 7);
  goban_plan_set_fusion (plan, 2, 3);
  hierarchy = goban_hierarchy_new (graph, GOBAN_GROUPING_CLUSTER, plan);
  text = goban_hierarchy_to_text (hierarchy, G_MAXUINT);
  g_assert_cmpstr (text, ==,
                   "all  4 nodes, 1 groups, 2 loose\n"
                   "  b +1  2 nodes\n");
  g_assert_cmpuint (goban_hierarchy_find (hierarchy, "s/b"), ==, 1);
}

/* A scope keeps its path, a fold that is called the same gets another. */
static void
test_clash (void)
{
  g_autoptr (GobanGraph) graph
      = graph_of ("r a/x a/l_{1-5}/p a/l_{1-5}/q a/l_[1-5]/p a/l_[1-5]/q a/1-1000/p a/1-1000/q");
  g_autoptr (GobanHierarchy) hierarchy = goban_hierarchy_new (graph, GOBAN_GROUPING_SCOPE, NULL);
  guint32 scope = goban_hierarchy_find (hierarchy, "a/l_[1-5]");
  guint32 fold = goban_hierarchy_find (hierarchy, "a/l_[1-5] (2)");

  g_assert_cmpuint (scope, !=, GOBAN_NO_SUCH_GROUP);
  g_assert_false (goban_hierarchy_get_group (hierarchy, scope)->is_fold);
  g_assert_cmpuint (fold, !=, GOBAN_NO_SUCH_GROUP);
  g_assert_true (goban_hierarchy_get_group (hierarchy, fold)->is_fold);
  g_assert_cmpuint (goban_hierarchy_find (hierarchy, "a/l"), ==, GOBAN_NO_SUCH_GROUP);
}

static void
test_labels (void)
{
  g_autoptr (GobanGraph) graph = graph_of ("r a a/x a/l_{1-5}/p a/l_{1-5}/q");
  g_autoptr (GobanHierarchy) hierarchy = goban_hierarchy_new (graph, GOBAN_GROUPING_SCOPE, NULL);

  g_assert_cmpstr (goban_hierarchy_get_label_of (hierarchy, 0), ==, "r");
  g_assert_cmpstr (goban_hierarchy_get_label_of (hierarchy, 1), ==, "a");
  g_assert_cmpstr (goban_hierarchy_get_label_of (hierarchy, 2), ==, "x");
  g_assert_cmpstr (goban_hierarchy_get_label_of (hierarchy, 3), ==, "p");
}

static void
test_ranges (void)
{
  g_autoptr (GobanGraph) graph = graph_of ("s/x s/y n{1-2500}");

  assert_text (graph, GOBAN_GROUPING_SCOPE,
               "all  2502 nodes, 3 groups\n"
               "  1-833  834 nodes, 1 groups, 832 loose, fold\n"
               "    s  2 nodes\n"
               "  834-1667  834 nodes, fold\n"
               "  1668-2501  834 nodes, fold\n");
}

/* --- real names ----------------------------------------------------------------------------- */

static guint
count_boxes (const GobanHierarchy *hierarchy)
{
  const GobanGroup *root = goban_hierarchy_get_group (hierarchy, 0);

  return root->n_groups + root->n_own;
}

static void
test_large (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanGraph) graph = goban_workload_generate ("gnmt:layers=8", &error);
  g_autoptr (GobanHierarchy) hierarchy = NULL;
  g_autofree char *text = NULL;

  g_assert_no_error (error);
  hierarchy = goban_hierarchy_new (graph, GOBAN_GROUPING_SCOPE, NULL);
  text = goban_hierarchy_to_text (hierarchy, 3);
  golden_assert ("hierarchy-gnmt.txt", text);
}

/* By module, layers that a scope folds are boxes of their own, with the scope in their names. */
static void
test_modules (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanGraph) graph = goban_workload_generate ("gnmt:layers=8", &error);
  g_autoptr (GobanHierarchy) hierarchy = NULL;
  const GobanGroup *layer;

  g_assert_no_error (error);
  hierarchy = goban_hierarchy_new (graph, GOBAN_GROUPING_AUTO, NULL);
  g_assert_cmpint (goban_hierarchy_get_grouping (hierarchy), ==, GOBAN_GROUPING_SCOPE);
  g_assert_cmpuint (count_boxes (hierarchy), ==, 31);
  g_assert_cmpuint (goban_hierarchy_find (hierarchy, "encoder"), ==, GOBAN_NO_SUCH_GROUP);
  g_assert_cmpuint (goban_hierarchy_find (hierarchy, "decoder/layer_8"), !=, GOBAN_NO_SUCH_GROUP);
  layer
      = goban_hierarchy_get_group (hierarchy, goban_hierarchy_find (hierarchy, "decoder/layer_8"));
  g_assert_cmpstr (layer->name, ==, "decoder/layer_8");
  g_assert_cmpuint (layer->depth, ==, 1);
}

static void
test_sample (void)
{
  g_autofree char *path = project_path ("samples/resnet-50.onnx");
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanGraph) graph = goban_graph_load (path, NULL, NULL, &error);
  g_autoptr (GobanHierarchy) hierarchy = NULL;
  g_autofree char *text = NULL;

  g_assert_no_error (error);
  hierarchy = goban_hierarchy_new (graph, GOBAN_GROUPING_AUTO, NULL);
  g_assert_cmpuint (count_boxes (hierarchy), ==, 20);
  g_clear_pointer (&hierarchy, goban_hierarchy_unref);
  hierarchy = goban_hierarchy_new (graph, GOBAN_GROUPING_SCOPE, NULL);
  text = goban_hierarchy_to_text (hierarchy, G_MAXUINT);
  golden_assert ("hierarchy-resnet-50.txt", text);
}

/* --- whatever names are --------------------------------------------------------------------- */

static char *
random_name (GobanRng *rng)
{
  static const char *const parts[]
      = { "a", "b", "layer_", "step_", "t", "x[1-5]", "stage", "1-1000", ".", "", "+", "net_" };
  static const char *const separators[] = { "/", "/", "/", ".", "_", "//" };
  GString *name = g_string_new (goban_rng_below (rng, 20) == 0 ? "/" : NULL);
  guint n = 1 + goban_rng_below (rng, 5);

  for (guint i = 0; i < n; i++)
    {
      if (i > 0)
        g_string_append (name, separators[goban_rng_below (rng, G_N_ELEMENTS (separators))]);
      g_string_append (name, parts[goban_rng_below (rng, G_N_ELEMENTS (parts))]);
      if (goban_rng_below (rng, 2) == 0)
        g_string_append_printf (name, "%u", goban_rng_below (rng, 12));
    }
  return g_string_free (name, FALSE);
}

static GobanGraph *
random_names (guint n, GobanRng *rng)
{
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GPtrArray) names = g_ptr_array_new ();

  for (guint i = 0; i < n || names->len == 0; i++)
    {
      char *name = random_name (rng);

      if (*name != '\0' && !g_hash_table_contains (seen, name))
        g_ptr_array_add (names, name);
      else
        {
          g_free (name);
          continue;
        }
      g_hash_table_add (seen, name);
    }
  g_ptr_array_add (names, NULL);
  return toy_of_names ((const char *const *) names->pdata);
}

/* Preorder, depths, children in the order of first nodes, and counts that add up. */
static void
check_tree (const GobanHierarchy *self)
{
  guint n = goban_hierarchy_get_n_groups (self);

  for (guint32 g = 0; g < n; g++)
    {
      const GobanGroup *group = goban_hierarchy_get_group (self, g);
      guint n_children, n_own;
      const guint32 *children = goban_hierarchy_get_children (self, g, &n_children);
      const GobanNodeId *own = goban_hierarchy_get_own (self, g, &n_own);
      guint32 next = g + 1;
      guint sum = n_own;
      GobanNodeId before = 0;

      g_assert_cmpuint (n_children, ==, group->n_groups);
      g_assert_cmpuint (n_own, ==, group->n_own);
      for (guint i = 0; i < n_children; i++)
        {
          const GobanGroup *child = goban_hierarchy_get_group (self, children[i]);
          g_autoptr (GobanSelection) nodes = goban_hierarchy_dup_nodes (self, children[i]);
          guint n_nodes;
          const GobanNodeId *ids = goban_selection_get_ids (nodes, &n_nodes);

          g_assert_cmpuint (children[i], ==, next);
          next = child->end;
          g_assert_cmpuint (child->parent, ==, g);
          g_assert_cmpuint (child->depth, ==, group->depth + 1);
          g_assert_cmpuint (child->n_nodes, ==, n_nodes);
          g_assert_true (i == 0 || ids[0] > before);
          before = ids[0];
          sum += child->n_nodes;
        }
      g_assert_cmpuint (group->end, ==, next);
      g_assert_cmpuint (group->n_nodes, ==, sum);
      for (guint i = 0; i < n_own; i++)
        {
          g_assert_cmpuint (goban_hierarchy_get_group_of (self, own[i]), ==, g);
          g_assert_true (i == 0 || own[i] > own[i - 1]);
        }
    }
}

/* Paths lead back; groups are worth a box; nothing is too long. */
static void
check_groups (const GobanHierarchy *self)
{
  guint n = goban_hierarchy_get_n_groups (self);

  for (guint32 g = 0; g < n; g++)
    {
      const GobanGroup *group = goban_hierarchy_get_group (self, g);

      g_assert_cmpuint (goban_hierarchy_find (self, group->path), ==, g);
      g_assert_cmpuint (group->n_groups + group->n_own, <=, GOBAN_GROUP_MOST);
      if (g == 0)
        continue;
      g_assert_cmpuint (group->n_nodes, >=, 2);
      g_assert_false (group->n_own == 0 && group->n_groups == 1);
      if (group->is_fold)
        g_assert_cmpuint (group->n_groups + group->n_own, >=, GOBAN_FOLD_LEAST);
    }
}

static char *
dump (GobanGraph *graph, const GobanHierarchy *self)
{
  GString *text = g_string_new (NULL);

  for (guint32 g = 0; g < goban_hierarchy_get_n_groups (self); g++)
    g_string_append_printf (text, "%s|%s\n", goban_hierarchy_get_group (self, g)->path,
                            goban_hierarchy_get_group (self, g)->name);
  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (graph); v++)
    g_string_append_printf (text, "%u %s\n", goban_hierarchy_get_group_of (self, v),
                            goban_hierarchy_get_label_of (self, v));
  return g_string_free (text, FALSE);
}

static GobanPlan *
random_fusions (GobanGraph *graph, GobanRng *rng)
{
  GobanPlan *plan = goban_plan_new (graph, 1);

  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (graph); v++)
    {
      gint32 fusion = (gint32) goban_rng_below (rng, 40) - 10;

      goban_plan_set_fusion (plan, v, MAX (fusion, GOBAN_NO_FUSION));
    }
  return plan;
}

static void
test_random_names (void)
{
  for (guint round = 0; round < 60; round++)
    {
      GobanRng rng;
      g_autoptr (GobanGraph) graph = NULL;
      g_autoptr (GobanPlan) plan = NULL;

      goban_rng_init (&rng, (guint64) g_test_rand_int ());
      graph = random_names (round == 0 ? 1 : 1 + goban_rng_below (&rng, 400), &rng);
      plan = random_fusions (graph, &rng);
      for (int i = 0; i < GOBAN_N_GROUPINGS; i++)
        {
          g_autoptr (GobanHierarchy) hierarchy
              = goban_hierarchy_new (graph, (GobanGrouping) i, plan);
          g_autoptr (GobanHierarchy) again = goban_hierarchy_new (graph, (GobanGrouping) i, plan);
          g_autofree char *text = dump (graph, hierarchy);
          g_autofree char *other = dump (graph, again);

          check_tree (hierarchy);
          check_groups (hierarchy);
          g_assert_cmpstr (text, ==, other);
          g_assert_cmpint (goban_hierarchy_get_grouping (hierarchy), !=, GOBAN_GROUPING_AUTO);
        }
    }
}

/* --- the depth of modules -------------------------------------------------------------------- */

/* Names in a tree of scopes of random depth and width. */
static GobanGraph *
random_scopes (GobanRng *rng)
{
  guint n = 1 + goban_rng_below (rng, goban_rng_below (rng, 2) == 0 ? 60 : 900);
  guint depth = 1 + goban_rng_below (rng, 5);
  guint wide[5];
  g_autoptr (GPtrArray) names = g_ptr_array_new ();

  for (guint i = 0; i < depth; i++)
    wide[i] = 1 + goban_rng_below (rng, goban_rng_below (rng, 3) == 0 ? 70 : 7);
  for (guint v = 0; v < n; v++)
    {
      GString *name = g_string_new (NULL);
      guint deep = goban_rng_below (rng, 8) == 0 ? goban_rng_below (rng, depth) : depth;

      for (guint i = 0; i < deep; i++)
        g_string_append_printf (name, "%c%u/", goban_rng_below (rng, 2) == 0 ? 'a' : 'b',
                                goban_rng_below (rng, wide[i]));
      g_string_append_printf (name, "op%u", v);
      g_ptr_array_add (names, g_string_free (name, FALSE));
    }
  g_ptr_array_add (names, NULL);
  return toy_of_names ((const char *const *) names->pdata);
}

/* Boxes with all groups above a depth open, by the tree as it is. */
static guint
count_at (const GobanHierarchy *self, guint32 depth)
{
  guint n = 0;

  for (guint32 g = 0; g < goban_hierarchy_get_n_groups (self); g++)
    {
      const GobanGroup *group = goban_hierarchy_get_group (self, g);

      if (g != 0 && (group->depth == depth || (group->depth < depth && group->n_groups == 0)))
        n++;
      else if (group->depth < depth)
        n += group->n_own;
    }
  return n;
}

static double
miss (guint n)
{
  return n < 12 ? 12.0 / n : MAX (n / 60.0, 1);
}

/* The number of boxes that comes nearest to 12 to 60, at any depth of what AUTO tries; 0: there
 * are no groups. */
static guint
find_nearest (GobanGraph *graph)
{
  static const GobanGrouping tried[]
      = { GOBAN_GROUPING_SCOPE, GOBAN_GROUPING_LAYER, GOBAN_GROUPING_PARAMETER };
  guint nearest = 0;

  for (gsize i = 0; i < G_N_ELEMENTS (tried); i++)
    {
      g_autoptr (GobanHierarchy) tree = goban_hierarchy_new (graph, tried[i], NULL);
      guint32 deepest = 0;

      for (guint32 g = 0; g < goban_hierarchy_get_n_groups (tree); g++)
        deepest = MAX (deepest, goban_hierarchy_get_group (tree, g)->depth);
      for (guint32 d = 1; d <= deepest; d++)
        if (nearest == 0 || miss (count_at (tree, d)) < miss (nearest))
          nearest = count_at (tree, d);
    }
  return nearest;
}

/* What AUTO shows of its grouping is as that grouping has it. */
static void
check_chosen (GobanGraph *graph, const GobanHierarchy *modules)
{
  g_autoptr (GobanHierarchy) whole
      = goban_hierarchy_new (graph, goban_hierarchy_get_grouping (modules), NULL);

  for (guint32 g = 1; g < goban_hierarchy_get_n_groups (modules); g++)
    {
      const GobanGroup *group = goban_hierarchy_get_group (modules, g);
      guint32 other = goban_hierarchy_find (whole, group->path);

      g_assert_cmpuint (other, !=, GOBAN_NO_SUCH_GROUP);
      g_assert_cmpuint (group->n_nodes, ==, goban_hierarchy_get_group (whole, other)->n_nodes);
      g_assert_cmpuint (group->n_own, ==, goban_hierarchy_get_group (whole, other)->n_own);
    }
}

static void
test_depth (void)
{
  guint n_right = 0, n_nearest = 0;

  for (guint round = 0; round < 200; round++)
    {
      GobanRng rng;
      g_autoptr (GobanGraph) graph = NULL;
      g_autoptr (GobanHierarchy) modules = NULL;
      guint n_nodes, nearest;

      goban_rng_init (&rng, (guint64) g_test_rand_int ());
      graph = round % 4 == 0 ? random_names (1 + goban_rng_below (&rng, 400), &rng)
                             : random_scopes (&rng);
      n_nodes = goban_graph_get_n_nodes (graph);
      modules = goban_hierarchy_new (graph, GOBAN_GROUPING_AUTO, NULL);
      nearest = n_nodes > 12 ? find_nearest (graph) : 0;
      check_tree (modules);
      check_chosen (graph, modules);
      g_assert_cmpuint (goban_hierarchy_get_group (modules, 0)->n_nodes, ==, n_nodes);
      g_assert_cmpuint (count_boxes (modules), <=, n_nodes);
      if (nearest == 0)
        g_assert_cmpuint (goban_hierarchy_get_n_groups (modules), ==, 1);
      else if (nearest > 60)
        g_assert_cmpuint (count_boxes (modules), ==, nearest);
      else
        {
          /* Folds may be open as far as there is room. */
          g_assert_cmpuint (count_boxes (modules), >=, nearest < 12 ? nearest : 12);
          g_assert_cmpuint (count_boxes (modules), <=, 60);
        }
      n_right += nearest >= 12 && nearest <= 60;
      n_nearest += nearest > 0 && (nearest < 12 || nearest > 60);
    }
  g_assert_cmpuint (n_right, >, 20);
  g_assert_cmpuint (n_nearest, >, 20);
}

/* In a scope of names with slashes is what begins with its path. */
static void
test_scopes_hold_what_they_say (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanGraph) graph = goban_workload_generate ("transformer-xl", &error);
  g_autoptr (GobanHierarchy) hierarchy = goban_hierarchy_new (graph, GOBAN_GROUPING_SCOPE, NULL);

  check_tree (hierarchy);
  check_groups (hierarchy);
  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (graph); v++)
    {
      const char *name = goban_graph_get_node (graph, v)->name;
      guint32 g = goban_hierarchy_get_group_of (hierarchy, v);

      for (; g != 0; g = goban_hierarchy_get_group (hierarchy, g)->parent)
        {
          const GobanGroup *group = goban_hierarchy_get_group (hierarchy, g);

          g_assert_true (group->is_fold || g_str_has_prefix (name, group->path));
          g_assert_true (group->is_fold || name[strlen (group->path)] == '/'
                         || name[strlen (group->path)] == '\0');
        }
    }
}

static void
test_numbered_parts (void)
{
  static const struct
  {
    const char *part;
    int stem; /* -1: not numbered */
    gboolean is_step;
  } rows[] = { { "layer_3", 6, FALSE }, { "block2", 5, FALSE },       { "mixed_5b", 6, FALSE },
               { "12", 0, FALSE },      { "lstm", -1, FALSE },        { "step_12", 5, TRUE },
               { "T7", 1, TRUE },       { "time-step_1", 10, FALSE }, { "while.3", 6, TRUE },
               { "conv2ab", -1, FALSE } };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      gsize stem;
      gboolean is_numbered = goban_name_is_numbered (rows[i].part, strlen (rows[i].part), &stem);

      g_assert_cmpint (is_numbered ? (int) stem : -1, ==, rows[i].stem);
      if (is_numbered)
        g_assert_cmpint (goban_name_is_step (rows[i].part, stem), ==, rows[i].is_step);
    }
}

static void
test_no_nodes (void)
{
  g_autoptr (GobanGraphBuilder) builder = goban_graph_builder_new ("none", "random");
  g_autoptr (GobanGraph) graph = goban_graph_builder_finish (builder, NULL, NULL);

  for (GobanGrouping grouping = 0; grouping < GOBAN_N_GROUPINGS; grouping++)
    {
      g_autoptr (GobanHierarchy) hierarchy = goban_hierarchy_new (graph, grouping, NULL);

      g_assert_cmpuint (goban_hierarchy_get_n_groups (hierarchy), ==, 1);
      g_assert_cmpstr (goban_hierarchy_get_group (hierarchy, 0)->path, ==, "");
    }
}

TEST_PROGRAM (hierarchy)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/analysis/hierarchy/scopes", test_scopes);
  g_test_add_func ("/analysis/hierarchy/names-without-slashes", test_names_without_slashes);
  g_test_add_func ("/analysis/hierarchy/folds", test_folds);
  g_test_add_func ("/analysis/hierarchy/what-does-not-fold", test_what_does_not_fold);
  g_test_add_func ("/analysis/hierarchy/larger-families-first", test_larger_families_first);
  g_test_add_func ("/analysis/hierarchy/layers-and-steps", test_layers_and_steps);
  g_test_add_func ("/analysis/hierarchy/clusters", test_clusters);
  g_test_add_func ("/analysis/hierarchy/clash", test_clash);
  g_test_add_func ("/analysis/hierarchy/labels", test_labels);
  g_test_add_func ("/analysis/hierarchy/ranges", test_ranges);
  g_test_add_func ("/analysis/hierarchy/large", test_large);
  g_test_add_func ("/analysis/hierarchy/modules", test_modules);
  g_test_add_func ("/analysis/hierarchy/depth", test_depth);
  g_test_add_func ("/analysis/hierarchy/sample", test_sample);
  g_test_add_func ("/analysis/hierarchy/random-names", test_random_names);
  g_test_add_func ("/analysis/hierarchy/scopes-hold-what-they-say", test_scopes_hold_what_they_say);
  g_test_add_func ("/analysis/hierarchy/numbered-parts", test_numbered_parts);
  g_test_add_func ("/analysis/hierarchy/no-nodes", test_no_nodes);
  return g_test_run ();
}
