#include "engine/core/error.h"
#include "engine/graph/graph-builder.h"
#include "tests/draw/outlines.h"
#include "tests/support/scoped-graph.h"
#include "tests/support/test-program.h"
#include "tests/support/toys.h"

#include <math.h>
#include <string.h>

#define SLACK 0.5 /* floats */

static gboolean
is_inside (GobanBox inner, GobanBox outer)
{
  return inner.x0 >= outer.x0 - SLACK && inner.x1 <= outer.x1 + SLACK
         && inner.y0 >= outer.y0 - SLACK && inner.y1 <= outer.y1 + SLACK;
}

static gboolean
overlap (GobanBox a, GobanBox b)
{
  return a.x0 < b.x1 - SLACK && b.x0 < a.x1 - SLACK && a.y0 < b.y1 - SLACK && b.y0 < a.y1 - SLACK;
}

/* Boxes of one hull lie in it, below its head, and do not touch; so none of any two do. */
static void
check_boxes (const GobanOutline *outline, const GobanLayout *layout)
{
  guint n = outline->n_items + outline->n_hulls;

  for (guint i = 0; i < n; i++)
    {
      gboolean is_item = i < outline->n_items;
      guint32 hull = is_item ? outline->items[i].hull : outline->hulls[i - outline->n_items].parent;
      GobanBox box
          = is_item ? goban_layout_node_box (layout, i) : layout->hulls[i - outline->n_items];
      GobanBox around = layout->hulls[hull];

      if (i == outline->n_items)
        continue;
      if (hull != 0)
        around.y0 += GOBAN_HEAD_HEIGHT;
      g_assert_true (is_inside (box, around));
      g_assert_true (is_inside (box, layout->bounds));
      for (guint j = i + 1; j < n; j++)
        {
          gboolean is_other_item = j < outline->n_items;
          guint32 other = is_other_item ? outline->items[j].hull
                                        : outline->hulls[j - outline->n_items].parent;

          if (other == hull && j != outline->n_items)
            g_assert_false (overlap (box, is_other_item ? goban_layout_node_box (layout, j)
                                                        : layout->hulls[j - outline->n_items]));
        }
    }
}

static void
check_end (GobanPoint point, GobanBox box)
{
  g_assert_cmpfloat_with_epsilon (point.x, (box.x0 + box.x1) / 2, SLACK);
  g_assert_true (fabs (point.y - box.y0) < SLACK || fabs (point.y - box.y1) < SLACK);
}

typedef struct
{
  const GobanLayout *layout;
  guint8 *is_used;
  guint n;
} Walk;

static void
walk_wire (guint wire, gpointer data)
{
  Walk *walk = data;

  g_assert_cmpuint (wire, <, walk->layout->n_wires);
  walk->is_used[wire] = TRUE;
  walk->n++;
}

/* Edges begin and end at their items, and are made of wires that lie in their boxes. */
static void
check_edges (const GobanOutline *outline, const GobanLayout *layout)
{
  g_autofree guint8 *is_used = g_malloc0 (layout->n_wires + 1);
  GobanPoint points[GOBAN_MAX_ROUTE];

  for (guint e = 0; e < outline->n_edges; e++)
    {
      guint32 tail = outline->edges[e].tail;
      guint32 head = outline->edges[e].head;
      guint n = goban_layout_route (layout, e, tail, head, points);
      Walk walk = { layout, is_used, 0 };

      g_assert_cmpuint (n, >=, 2);
      g_assert_cmpuint (n, <=, GOBAN_MAX_ROUTE);
      check_end (points[0], goban_layout_node_box (layout, tail));
      check_end (points[n - 1], goban_layout_node_box (layout, head));
      goban_layout_each_wire (layout, e, walk_wire, &walk);
      g_assert_cmpuint (
          walk.n, ==,
          1 + outline->hulls[outline->items[tail].hull].depth
              + outline->hulls[outline->items[head].hull].depth
              - 2
                    * outline
                          ->hulls[goban_outline_meet (outline, outline->items[tail].hull,
                                                      outline->items[head].hull)]
                          .depth);
    }
  for (guint w = 0; w < layout->n_wires; w++)
    {
      const float *box = layout->wire_boxes + 4 * (gsize) w;
      guint n = goban_layout_route_wire (layout, w, points);

      g_assert_true (is_used[w]);
      for (guint i = 0; i < n; i++)
        g_assert_true (is_inside (
            (GobanBox){ points[i].x, points[i].y, points[i].x, points[i].y },
            (GobanBox){ (double) box[0], (double) box[1], (double) box[2], (double) box[3] }));
    }
}

static void
test_properties (void)
{
  for (guint round = 0; round < 40; round++)
    {
      guint n = round < 3 ? round : (guint) g_test_rand_int_range (3, 350);
      g_autoptr (GobanOutline) outline = outlines_new_any (n, round * 3, round % 5 * 10);
      GobanLayoutOptions options
          = { .kind = round % 3, .room = { (float) (round % 2), (float) (round % 2) } };
      g_autoptr (GobanLayout) layout = goban_layout_new_for_outline (outline, &options, NULL);

      g_assert_cmpuint (layout->n_nodes, ==, outline->n_items);
      g_assert_cmpuint (layout->n_edges, ==, outline->n_edges);
      if (layout->n_hulls == 0)
        continue;
      check_boxes (outline, layout);
      check_edges (outline, layout);
    }
}

static void
test_same_bytes (void)
{
  for (guint round = 0; round < 4; round++)
    {
      g_autoptr (GobanOutline) outline = outlines_new_any (300, 60, 5);
      g_autoptr (GobanLayout) a = goban_layout_new_for_outline (outline, NULL, NULL);
      g_autoptr (GobanLayout) b = goban_layout_new_for_outline (outline, NULL, NULL);

      g_assert_cmpmem (a->x, a->n_nodes * sizeof (float), b->x, b->n_nodes * sizeof (float));
      g_assert_cmpmem (a->y, a->n_nodes * sizeof (float), b->y, b->n_nodes * sizeof (float));
      g_assert_cmpmem (a->hulls, a->n_hulls * sizeof (GobanBox), b->hulls,
                       b->n_hulls * sizeof (GobanBox));
      g_assert_cmpmem (a->wire_boxes, 4 * a->n_wires * sizeof (float), b->wire_boxes,
                       4 * b->n_wires * sizeof (float));
    }
}

/* Without groups, an outline is laid out as its graph is. */
static void
test_plain_is_as_before (void)
{
  g_autoptr (GobanGraph) graph = scoped_graph_new (300, 9);
  g_autoptr (GobanOutline) outline = goban_outline_new (graph, NULL, NULL, NULL);
  g_autoptr (GobanLayout) a = outlines_lay_out_graph (graph, NULL, NULL);
  g_autoptr (GobanLayout) b = goban_layout_new_for_outline (outline, NULL, NULL);

  g_assert_null (b->sizes);
  g_assert_cmpmem (a->x, 300 * sizeof (float), b->x, 300 * sizeof (float));
  g_assert_cmpmem (a->y, 300 * sizeof (float), b->y, 300 * sizeof (float));
}

/* Opening a group moves no other box of the outermost level to another row, nor past another in
 * one. */
static void
test_opening_keeps_the_order (void)
{
  g_autoptr (GobanGraph) graph = scoped_graph_new (120, 4);
  g_autoptr (GobanHierarchy) hierarchy = goban_hierarchy_new (graph, GOBAN_GROUPING_SCOPE, NULL);
  const char *open[] = { "decoder", NULL };
  g_autoptr (GobanOutline) closed = goban_outline_new (graph, hierarchy, NULL, NULL);
  g_autoptr (GobanOutline) opened = goban_outline_new (graph, hierarchy, open, NULL);
  GobanLayoutOptions options = { .kind = GOBAN_LAYOUT_LAYERED };
  g_autoptr (GobanLayout) before = goban_layout_new_for_outline (closed, &options, NULL);
  g_autoptr (GobanLayout) after = goban_layout_new_for_outline (opened, &options, NULL);

  for (guint a = 0; a < closed->n_items; a++)
    for (guint b = 0; b < closed->n_items; b++)
      {
        guint32 a_after = opened->item_of[closed->items[a].first];
        guint32 b_after = opened->item_of[closed->items[b].first];
        GobanBox old_a = goban_layout_node_box (before, a);
        GobanBox old_b = goban_layout_node_box (before, b);

        if (opened->items[a_after].hull != 0 || opened->items[b_after].hull != 0 || a == b)
          continue;
        if (old_a.y0 == old_b.y0)
          {
            g_assert_cmpfloat (goban_layout_node_box (after, a_after).y0, ==,
                               goban_layout_node_box (after, b_after).y0);
            g_assert_cmpint (before->x[a] < before->x[b], ==,
                             after->x[a_after] < after->x[b_after]);
          }
        else
          g_assert_cmpint (old_a.y0 < old_b.y0, ==,
                           goban_layout_node_box (after, a_after).y0
                               < goban_layout_node_box (after, b_after).y0);
      }
}

static gboolean
stop_cb (gpointer data)
{
  guint *n_questions = data;

  return ++*n_questions > 1;
}

static void
test_cancel (void)
{
  guint n_questions = 0;
  GobanProgress progress = { .should_stop = stop_cb, .user_data = &n_questions };
  GobanLayoutOptions options = { .progress = &progress };
  g_autoptr (GobanOutline) outline = outlines_new_any (300, 100, 0);
  g_autoptr (GError) error = NULL;

  g_assert_null (goban_layout_new_for_outline (outline, &options, &error));
  g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_CANCELLED);
}

/* --- lanes ---------------------------------------------------------------------------------- */

static void
test_lanes (void)
{
  for (guint round = 0; round < 12; round++)
    {
      g_autoptr (GobanOutline) outline = outlines_new_any (200, round * 9, 0);
      guint n = goban_graph_get_n_nodes (outline->graph);
      g_autofree double *start_us = g_new (double, n);
      g_autofree GobanDeviceId *devices = g_new (GobanDeviceId, n);
      GobanLanesInput input = { start_us, devices, 1000, 3 };
      g_autoptr (GobanLayout) layout = NULL;

      for (guint v = 0; v < n; v++)
        {
          start_us[v] = g_test_rand_double_range (0, 1000);
          devices[v] = (GobanDeviceId) g_test_rand_int_range (0, 3);
        }
      layout = goban_layout_new_lanes (outline, &input);
      g_assert_cmpuint (layout->n_lanes, ==, 3);
      for (guint a = 0; a < outline->n_items; a++)
        {
          GobanBox box = goban_layout_node_box (layout, a);

          if (outline->items[a].group == GOBAN_NO_GROUP)
            g_assert_true (is_inside (box, layout->lanes[devices[outline->items[a].first]]));
          g_assert_true (is_inside (box, layout->bounds));
          for (guint b = a + 1; b < outline->n_items; b++)
            {
              GobanNodeId va = outline->items[a].first;
              GobanNodeId vb = outline->items[b].first;

              g_assert_false (overlap (box, goban_layout_node_box (layout, b)));
              if (outline->items[a].group == GOBAN_NO_GROUP
                  && outline->items[b].group == GOBAN_NO_GROUP
                  && fabs (start_us[va] - start_us[vb]) > 1)
                g_assert_cmpint (box.x0 < goban_layout_node_box (layout, b).x0, ==,
                                 start_us[va] < start_us[vb]);
            }
        }
    }
}

static void
test_blend (void)
{
  g_autoptr (GobanOutline) outline = outlines_new_any (100, 50, 0);
  guint n = goban_graph_get_n_nodes (outline->graph);
  g_autofree double *start_us = g_new0 (double, n);
  g_autofree GobanDeviceId *devices = g_new0 (GobanDeviceId, n);
  GobanLanesInput input = { start_us, devices, 0, 1 };
  g_autoptr (GobanLayout) a = goban_layout_new_for_outline (outline, NULL, NULL);
  g_autoptr (GobanLayout) b = goban_layout_new_lanes (outline, &input);
  g_autoptr (GobanLayout) begin = goban_layout_blend (a, b, outline, 0);
  g_autoptr (GobanLayout) half = goban_layout_blend (a, b, outline, 0.5);
  g_autoptr (GobanLayout) end = goban_layout_blend (a, b, outline, 1);

  for (guint i = 0; i < outline->n_items; i++)
    {
      g_assert_cmpfloat (begin->x[i], ==, a->x[i]);
      g_assert_cmpfloat_with_epsilon (end->y[i], b->y[i], 0.01f);
      g_assert_cmpfloat_with_epsilon (half->x[i], (a->x[i] + b->x[i]) / 2, 0.01f);
    }
}

#define LAYER_NODES 8

/* A chain of layers, half of each in a group of its own, that differ in where an edge of each node
 * leads, or comes from. */
static GobanGraph *
new_layers (guint n_layers, gboolean by_heads)
{
  g_autoptr (GobanGraphBuilder) builder = goban_graph_builder_new ("layers", "test");

  for (guint32 v = 0; v < n_layers * LAYER_NODES; v++)
    {
      guint32 i = v % LAYER_NODES;
      g_autofree char *name = g_strdup_printf ("layer_%u/%s%c", v / LAYER_NODES,
                                               i < LAYER_NODES / 2 ? "in/" : "", 'a' + (char) i);

      goban_graph_builder_add_tensor (builder, goban_graph_builder_add_node (builder, name, "Add"),
                                      8);
    }
  for (guint32 v = 0; v < n_layers * LAYER_NODES; v++)
    {
      guint32 first = v - v % LAYER_NODES;
      gint32 least = (gint32) (by_heads ? v + 1 : first);
      gint32 end = (gint32) (by_heads ? first + LAYER_NODES : v);

      if (v == first && v > 0)
        goban_graph_builder_add_edge (builder, v - 1, v);
      if (least < end)
        {
          guint32 other = (guint32) g_test_rand_int_range (least, MIN (end, least + 2));

          goban_graph_builder_add_edge (builder, by_heads ? v : other, by_heads ? other : v);
        }
    }
  return toy_finish (builder);
}

static void
check_same_hull (const GobanOutline *one, const GobanLayout *a, const GobanOutline *other,
                 const GobanLayout *b, const char *path)
{
  guint32 item, h, k;

  g_assert_true (goban_outline_find_group (one, path, &item, &h));
  g_assert_true (goban_outline_find_group (other, path, &item, &k));
  g_assert_cmpfloat_with_epsilon (a->hulls[h].x1 - a->hulls[h].x0, b->hulls[k].x1 - b->hulls[k].x0,
                                  0.01);
  g_assert_cmpfloat_with_epsilon (a->hulls[h].y1 - a->hulls[h].y0, b->hulls[k].y1 - b->hulls[k].y0,
                                  0.01);
  for (guint v = 0; v < goban_graph_get_n_nodes (one->graph); v++)
    {
      guint32 i = one->item_of[v], j = other->item_of[v];

      if (one->items[i].hull != h)
        continue;
      g_assert_cmpfloat_with_epsilon ((double) a->x[i] - a->hulls[h].x0,
                                      (double) b->x[j] - b->hulls[k].x0, 0.01);
      g_assert_cmpfloat_with_epsilon ((double) a->y[i] - a->hulls[h].y0,
                                      (double) b->y[j] - b->hulls[k].y0, 0.01);
    }
}

/* A layer among others that are like it, or nearly, looks as if it were the only open one. */
static void
test_repeated_layers (void)
{
  const guint n_layers = 12;

  for (guint round = 0; round < 10; round++)
    {
      g_autoptr (GobanGraph) graph = new_layers (n_layers, round % 2 == 0);
      g_autoptr (GobanHierarchy) hierarchy
          = goban_hierarchy_new (graph, GOBAN_GROUPING_SCOPE, NULL);
      g_auto (GStrv) paths = outlines_open_some (hierarchy, 100);
      g_autoptr (GobanOutline) all
          = goban_outline_new (graph, hierarchy, (const char *const *) paths, NULL);
      g_autoptr (GobanLayout) layout = goban_layout_new_for_outline (all, NULL, NULL);

      for (guint l = 0; l < n_layers; l++)
        {
          g_autofree char *layer = g_strdup_printf ("layer_%u", l);
          g_autofree char *inner = g_strdup_printf ("layer_%u/in", l);
          const char *const open[] = { layer, inner, NULL };
          g_autoptr (GobanOutline) outline = goban_outline_new (graph, hierarchy, open, NULL);
          g_autoptr (GobanLayout) alone = goban_layout_new_for_outline (outline, NULL, NULL);

          check_same_hull (all, layout, outline, alone, layer);
          check_same_hull (all, layout, outline, alone, inner);
        }
    }
}

TEST_PROGRAM (layout_nest)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/draw/layout-nest/properties", test_properties);
  g_test_add_func ("/draw/layout-nest/same-bytes", test_same_bytes);
  g_test_add_func ("/draw/layout-nest/repeated-layers", test_repeated_layers);
  g_test_add_func ("/draw/layout-nest/plain-is-as-before", test_plain_is_as_before);
  g_test_add_func ("/draw/layout-nest/opening-keeps-the-order", test_opening_keeps_the_order);
  g_test_add_func ("/draw/layout-nest/cancel", test_cancel);
  g_test_add_func ("/draw/layout-nest/lanes", test_lanes);
  g_test_add_func ("/draw/layout-nest/blend", test_blend);
  return g_test_run ();
}
