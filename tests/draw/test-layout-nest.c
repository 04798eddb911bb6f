#include "engine/core/error.h"
#include "tests/draw/outlines.h"
#include "tests/support/scoped-graph.h"
#include "tests/support/test-program.h"

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
  g_autoptr (GobanLayout) a = goban_layout_new (graph, NULL, NULL);
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

TEST_PROGRAM (layout_nest)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/draw/layout-nest/properties", test_properties);
  g_test_add_func ("/draw/layout-nest/same-bytes", test_same_bytes);
  g_test_add_func ("/draw/layout-nest/plain-is-as-before", test_plain_is_as_before);
  g_test_add_func ("/draw/layout-nest/opening-keeps-the-order", test_opening_keeps_the_order);
  g_test_add_func ("/draw/layout-nest/cancel", test_cancel);
  g_test_add_func ("/draw/layout-nest/lanes", test_lanes);
  g_test_add_func ("/draw/layout-nest/blend", test_blend);
  return g_test_run ();
}
