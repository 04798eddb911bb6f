#include "tests/draw/outlines.h"
#include "tests/support/graph-gen.h"
#include "tests/support/test-program.h"
#include "ui/draw/graph/graph-pick.h"

#include <math.h>

static GobanLayout *
any_layout (guint n_nodes)
{
  GraphGen gen = { .n_nodes = n_nodes, .edges_per_node = 1.6, .width = 12 };
  g_autoptr (GobanGraph) graph = graph_gen_new (&gen, (guint64) g_test_rand_int ());

  return outlines_lay_out_graph (graph, NULL, NULL);
}

/* The slow twin: every box is looked at. */
static GobanNodeId
nearest_of_all (const GobanLayout *layout, GobanPoint at, double reach)
{
  double least = reach * reach;
  GobanNodeId found = GOBAN_NO_NODE;

  for (guint v = 0; v < layout->n_nodes; v++)
    {
      GobanBox box = goban_layout_node_box (layout, v);
      double dx = MAX (MAX (box.x0 - at.x, at.x - box.x1), 0);
      double dy = MAX (MAX (box.y0 - at.y, at.y - box.y1), 0);

      if (dx * dx + dy * dy < least || (dx * dx + dy * dy == least && found == GOBAN_NO_NODE))
        {
          least = dx * dx + dy * dy;
          found = v;
        }
    }
  return found;
}

static void
test_at_equals_brute_force (void)
{
  guint n_hits = 0;

  for (guint round = 0; round < 12; round++)
    {
      g_autoptr (GobanLayout) layout = any_layout (round == 0 ? 0 : round * 40);
      g_autoptr (GobanPick) pick = goban_pick_new (layout);
      double scale = pow (10, g_test_rand_double_range (-2.5, 0.5));
      GobanCamera camera = { scale, 31, -17 };

      for (guint i = 0; i < 150; i++)
        {
          GobanPoint world
              = { g_test_rand_double_range (layout->bounds.x0 - 300, layout->bounds.x1 + 300),
                  g_test_rand_double_range (layout->bounds.y0 - 300, layout->bounds.y1 + 300) };
          GobanPoint screen = goban_camera_to_screen (&camera, world);
          GobanPoint back = goban_camera_to_world (&camera, screen);
          GobanNodeId found = goban_pick_at (pick, &camera, screen, 6);

          g_assert_cmpuint (found, ==, nearest_of_all (layout, back, 6 / scale));
          n_hits += found != GOBAN_NO_NODE;
        }
    }
  g_assert_cmpuint (n_hits, >, 100);
}

static void
test_inside_equals_brute_force (void)
{
  for (guint round = 1; round < 12; round++)
    {
      g_autoptr (GobanLayout) layout = any_layout (round * 40);
      g_autoptr (GobanPick) pick = goban_pick_new (layout);
      GobanBox bounds = layout->bounds;
      double x = g_test_rand_double_range (bounds.x0 - 100, bounds.x1);
      double y = g_test_rand_double_range (bounds.y0 - 100, bounds.y1);
      GobanBox box
          = { x, y, x + g_test_rand_double_range (0, 1500), y + g_test_rand_double_range (0, 900) };
      guint n, k = 0;
      g_autofree GobanNodeId *found = goban_pick_inside (pick, box, &n);

      for (guint v = 0; v < layout->n_nodes; v++)
        if (goban_box_intersects (goban_layout_node_box (layout, v), box))
          {
            g_assert_cmpuint (k, <, n);
            g_assert_cmpuint (found[k++], ==, v);
          }
      g_assert_cmpuint (k, ==, n);
    }
}

static void
test_specks_can_be_hit (void)
{
  g_autoptr (GobanLayout) layout = any_layout (200);
  g_autoptr (GobanPick) pick = goban_pick_new (layout);
  GobanCamera camera = { 0.001, 0, 0 };
  GobanPoint at = goban_camera_to_screen (&camera, (GobanPoint){ layout->x[7], layout->y[7] });

  at.x += 4;
  g_assert_cmpuint (goban_pick_at (pick, &camera, at, 6), !=, GOBAN_NO_NODE);
}

TEST_PROGRAM (graph_pick)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/draw/graph-pick/at-equals-brute-force", test_at_equals_brute_force);
  g_test_add_func ("/draw/graph-pick/inside-equals-brute-force", test_inside_equals_brute_force);
  g_test_add_func ("/draw/graph-pick/specks-can-be-hit", test_specks_can_be_hit);
  return g_test_run ();
}
