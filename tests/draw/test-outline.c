#include "tests/draw/outlines.h"
#include "tests/support/scoped-graph.h"
#include "tests/support/test-program.h"

#include <string.h>

static gboolean
is_in_group (const GobanOutline *outline, GobanNodeId node, guint32 group)
{
  guint32 at = goban_hierarchy_get_group_of (outline->hierarchy, node);

  while (at != group && at != 0)
    at = goban_hierarchy_get_group (outline->hierarchy, at)->parent;
  return at == group;
}

/* Every node that is not hidden is in one item, which is the node itself or a closed group of it;
 * its counts are right and its hull is the innermost open group around it. */
static void
check_items (const GobanOutline *outline, const GobanSelection *hidden)
{
  guint n_nodes = goban_graph_get_n_nodes (outline->graph);
  g_autofree guint *count = g_new0 (guint, outline->n_items + 1);
  g_autofree guint *in_hull = g_new0 (guint, outline->n_hulls);
  guint n_closed = 0;
  guint32 last = 0;

  for (guint v = 0; v < n_nodes; v++)
    {
      guint32 item = outline->item_of[v];

      g_assert_cmpint (item == GOBAN_NO_ITEM, ==, goban_selection_contains (hidden, v));
      if (item == GOBAN_NO_ITEM)
        continue;
      g_assert_cmpuint (item, <, outline->n_items);
      if (outline->items[item].group == GOBAN_NO_GROUP)
        g_assert_cmpuint (outline->items[item].first, ==, v);
      else
        g_assert_true (is_in_group (outline, v, outline->items[item].group));
      g_assert_true (is_in_group (outline, v, outline->hulls[outline->items[item].hull].group));
      count[item]++;
      for (guint32 h = outline->items[item].hull; h != 0; h = outline->hulls[h].parent)
        in_hull[h]++;
      in_hull[0]++;
    }
  for (guint i = 0; i < outline->n_items; i++)
    {
      g_assert_cmpuint (outline->items[i].n_nodes, ==, count[i]);
      g_assert_cmpuint (count[i], >, 0);
      g_assert_cmpuint (outline->item_of[outline->items[i].first], ==, i);
      g_assert_cmpuint (outline->item_of[outline->items[i].early], ==, i);
      g_assert_true (i == 0 || outline->items[i].first > last);
      last = outline->items[i].first;
      n_closed += outline->items[i].group != GOBAN_NO_GROUP;
    }
  g_assert_cmpuint (outline->n_closed, ==, n_closed);
  for (guint h = 0; h < outline->n_hulls; h++)
    {
      g_assert_cmpuint (outline->hulls[h].n_nodes, ==, in_hull[h]);
      g_assert_true (h == 0 || outline->hulls[h].parent < h);
      g_assert_true (h == 0 || in_hull[h] > 0);
    }
}

static void
check_edges (const GobanOutline *outline)
{
  g_autofree guint *count = g_new0 (guint, outline->n_edges + 1);
  g_autofree double *bytes = g_new0 (double, outline->n_edges + 1);

  for (guint e = 0; e < goban_graph_get_n_edges (outline->graph); e++)
    {
      const GobanEdge *edge = goban_graph_get_edge (outline->graph, e);
      guint32 tail = outline->item_of[edge->tail];
      guint32 head = outline->item_of[edge->head];
      guint32 at = outline->edge_of[e];

      g_assert_cmpint (at == GOBAN_NO_ITEM, ==,
                       tail == GOBAN_NO_ITEM || head == GOBAN_NO_ITEM || tail == head);
      if (at == GOBAN_NO_ITEM)
        continue;
      g_assert_cmpuint (outline->edges[at].tail, ==, tail);
      g_assert_cmpuint (outline->edges[at].head, ==, head);
      count[at]++;
      bytes[at] += goban_graph_get_tensor (outline->graph, edge->tensor)->size_bytes;
    }
  for (guint i = 0; i < outline->n_edges; i++)
    {
      g_assert_cmpuint (outline->edges[i].n_edges, ==, count[i]);
      g_assert_cmpfloat (outline->edges[i].bytes, ==, bytes[i]);
      if (i > 0 && !outline->is_whole)
        g_assert_true (outline->edges[i - 1].tail < outline->edges[i].tail
                       || (outline->edges[i - 1].tail == outline->edges[i].tail
                           && outline->edges[i - 1].head < outline->edges[i].head));
    }
}

static void
test_properties (void)
{
  for (guint round = 0; round < 60; round++)
    {
      guint n = round < 3 ? round : (guint) g_test_rand_int_range (3, 400);
      g_autoptr (GobanGraph) graph = scoped_graph_new (n, (guint64) g_test_rand_int ());
      GobanGrouping grouping = round % 4 == 0 ? GOBAN_GROUPING_NONE : GOBAN_GROUPING_SCOPE;
      g_autoptr (GobanHierarchy) hierarchy = goban_hierarchy_new (graph, grouping, NULL);
      g_auto (GStrv) open = outlines_open_some (hierarchy, round * 2);
      g_autoptr (GobanSelection) hidden = outlines_hide_some (n, round % 3 == 0 ? 0 : round);
      g_autoptr (GobanOutline) outline
          = goban_outline_new (graph, hierarchy, (const char *const *) open, hidden);

      if (outline->hierarchy != NULL)
        check_items (outline, hidden);
      check_edges (outline);
    }
}

/* Without groups and with nothing hidden it is the graph, ids and all. */
static void
test_whole (void)
{
  g_autoptr (GobanGraph) graph = scoped_graph_new (50, 3);
  g_autoptr (GobanHierarchy) hierarchy = goban_hierarchy_new (graph, GOBAN_GROUPING_NONE, NULL);
  g_autoptr (GobanOutline) outline = goban_outline_new (graph, hierarchy, NULL, NULL);

  g_assert_true (outline->is_whole);
  g_assert_cmpuint (outline->n_items, ==, 50);
  g_assert_cmpuint (outline->n_edges, ==, goban_graph_get_n_edges (graph));
  for (guint v = 0; v < 50; v++)
    g_assert_cmpuint (outline->item_of[v], ==, v);
  for (guint e = 0; e < outline->n_edges; e++)
    g_assert_cmpuint (outline->edge_of[e], ==, e);
}

static void
test_hidden_groups_vanish (void)
{
  g_autoptr (GobanGraph) graph = scoped_graph_new (200, 5);
  g_autoptr (GobanHierarchy) hierarchy = goban_hierarchy_new (graph, GOBAN_GROUPING_SCOPE, NULL);
  guint32 encoder = goban_hierarchy_find (hierarchy, "encoder");
  g_autoptr (GobanSelection) nodes = NULL;
  g_autoptr (GobanOutline) outline = NULL;
  const char *open[] = { "encoder", NULL };
  guint32 item, hull;

  g_assert_cmpuint (encoder, !=, G_MAXUINT32);
  nodes = goban_hierarchy_dup_nodes (hierarchy, encoder);
  outline = goban_outline_new (graph, hierarchy, NULL, nodes);
  g_assert_false (goban_outline_find_group (outline, "encoder", &item, &hull));
  g_clear_pointer (&outline, goban_outline_unref);
  outline = goban_outline_new (graph, hierarchy, open, nodes);
  g_assert_false (goban_outline_find_group (outline, "encoder", &item, &hull));
  g_clear_pointer (&outline, goban_outline_unref);

  outline = goban_outline_new (graph, hierarchy, NULL, NULL);
  g_assert_true (goban_outline_find_group (outline, "encoder", &item, &hull));
  g_assert_cmpuint (hull, ==, GOBAN_NO_ITEM);
  {
    g_autoptr (GobanSelection) of_item = goban_outline_dup_item_nodes (outline, item);

    g_assert_true (goban_selection_equal (of_item, nodes));
  }
  g_clear_pointer (&outline, goban_outline_unref);
  outline = goban_outline_new (graph, hierarchy, open, NULL);
  g_assert_true (goban_outline_find_group (outline, "encoder", &item, &hull));
  g_assert_cmpuint (item, ==, GOBAN_NO_ITEM);
  {
    g_autoptr (GobanSelection) of_hull = goban_outline_dup_hull_nodes (outline, hull);

    g_assert_true (goban_selection_equal (of_hull, nodes));
  }
}

/* An item is marked where any of its nodes is, and marked as a part where not all are. */
static void
test_marks (void)
{
  for (guint round = 0; round < 20; round++)
    {
      g_autoptr (GobanOutline) outline = outlines_new_any (150, round * 5, 10);
      g_autoptr (GobanSelection) chosen = outlines_hide_some (150, 5 + round * 4);
      guint n_ids;
      const GobanNodeId *ids = goban_selection_get_ids (chosen, &n_ids);
      GobanOutlineMarks marks = goban_outline_mark (outline, ids, n_ids);
      g_autofree guint *count = g_new0 (guint, outline->n_items + 1);
      guint n_touched = 0;

      for (guint i = 0; i < n_ids; i++)
        if (outline->item_of[ids[i]] != GOBAN_NO_ITEM)
          n_touched += count[outline->item_of[ids[i]]]++ == 0;
      g_assert_cmpuint (marks.n, ==, n_touched);
      for (guint i = 0; i < marks.n; i++)
        {
          guint32 item = marks.items[i];

          g_assert_cmpuint (count[item], >, 0);
          g_assert_cmpint (count[item] == outline->items[item].n_nodes, ==, i < marks.n_whole);
        }
      goban_outline_marks_clear (&marks);
    }
}

static void
test_meet (void)
{
  g_autoptr (GobanOutline) outline = outlines_new_any (300, 100, 0);

  g_assert_cmpuint (outline->n_hulls, >, 5);
  for (guint a = 0; a < outline->n_hulls; a++)
    for (guint b = 0; b < outline->n_hulls; b++)
      {
        guint32 meet = goban_outline_meet (outline, a, b);

        g_assert_true (goban_outline_is_within (outline, a, meet));
        g_assert_true (goban_outline_is_within (outline, b, meet));
        for (guint inner = meet + 1; inner < outline->n_hulls; inner++)
          g_assert_false (goban_outline_is_within (outline, a, inner)
                          && goban_outline_is_within (outline, b, inner));
      }
}

TEST_PROGRAM (outline)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/draw/outline/properties", test_properties);
  g_test_add_func ("/draw/outline/whole", test_whole);
  g_test_add_func ("/draw/outline/hidden-groups-vanish", test_hidden_groups_vanish);
  g_test_add_func ("/draw/outline/marks", test_marks);
  g_test_add_func ("/draw/outline/meet", test_meet);
  return g_test_run ();
}
