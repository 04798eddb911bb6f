/* A small graph drawn by hand: by the pointer and by commands, placed at once, undone, and
 * logged as lines of Lua. Needs a display: run by gui-run.sh. */
#include "tests/ui/gui-window.h"

#include "engine/session/session-edit.h"
#include "engine/session/session-history.h"
#include "engine/session/session-log.h"
#include "engine/study/analysis/moments/moment-state.h"
#include "engine/study/run/run-origin.h"
#include "tests/support/test-program.h"
#include "ui/graph/graph-drag.h"
#include "ui/widgets/op-popover.h"

#include <string.h>

/* From the middle of an op's box to just inside its border, at scale 1. */
#define EDGE_OFFSET 17

static GobanGraph *
get_graph (GuiWindow *f)
{
  return goban_session_get_graph (f->session);
}

/* Not the file of the first op: what is drawn has no file yet. */
static void
assert_untitled (GuiWindow *f, const char *title)
{
  g_assert_cmpstr (gtk_window_get_title (GTK_WINDOW (f->window)), ==, title);
}

static void
begin (GuiWindow *f)
{
  gui_act (f, "draw-graph", NULL);
  gui_wait (gui_has_settled, f, "the first op is there");
  gui_settle (f);
  g_assert_true (goban_session_is_drawing (f->session));
  g_assert_cmpuint (goban_graph_get_n_nodes (get_graph (f)), ==, 1);
  assert_untitled (f, "Untitled graph – Goban");
}

/* The popover is open: a name is typed, and Enter adds the op. */
static void
add (GuiWindow *f, const char *name)
{
  GtkWidget *popover = gui_part (f, GOBAN_TYPE_OP_POPOVER);
  GtkWidget *entry
      = GTK_WIDGET (gtk_widget_get_template_child (popover, GOBAN_TYPE_OP_POPOVER, "name"));

  gui_wait (gui_is_mapped, popover, "the popover");
  gtk_editable_set_text (GTK_EDITABLE (entry), name);
  g_signal_emit_by_name (gui_find_button (popover, "_Add"), "clicked");
  gui_wait (gui_is_unmapped, popover, "the popover closes");
  gui_settle (f);
}

static GobanPoint
place_of (GuiWindow *f, const char *name)
{
  GobanPoint at = { 0, 0 };

  gui_settle (f);
  g_assert_true (goban_graph_view_locate (gui_graph_view (f),
                                          goban_graph_find_node (get_graph (f), name), &at));
  return at;
}

/* From just inside the upper border of a box, which is 16 pixels above its middle at this zoom, to
 * the middle of another. */
static void
drag_edge (GuiWindow *f, const char *from, const char *to)
{
  GobanPicture *picture = GOBAN_PICTURE (gui_graph_view (f));
  GobanPoint start = place_of (f, from);
  GobanPoint end = place_of (f, to);

  start.y -= EDGE_OFFSET * goban_graph_view_get_scale (gui_graph_view (f));
  g_assert_true (GOBAN_PICTURE_GET_CLASS (picture)->drag_begin (picture, start, start, 0));
  g_assert_false (goban_graph_targets_is_open (goban_graph_view_get_targets (gui_graph_view (f))));
  GOBAN_PICTURE_GET_CLASS (picture)->drag_update (picture, end);
  gui_draw (GTK_WIDGET (picture));
  GOBAN_PICTURE_GET_CLASS (picture)->drag_end (picture, end, FALSE);
  gui_settle (f);
}

static void
test_pointer (GuiWindow *f, gconstpointer data)
{
  GobanPicture *picture;
  GobanDecisions *decisions;

  begin (f);
  picture = GOBAN_PICTURE (gui_graph_view (f));
  goban_picture_click (picture, (GobanPoint){ 20, 200 }, 2, 0);
  add (f, "left");
  goban_picture_click (picture, (GobanPoint){ 20, 200 }, 2, 0);
  add (f, "right");
  g_assert_cmpuint (goban_graph_get_n_nodes (get_graph (f)), ==, 3);
  drag_edge (f, "op1", "left");
  drag_edge (f, "op1", "right");
  g_assert_cmpuint (goban_graph_get_n_edges (get_graph (f)), ==, 2);

  /* Placed at once, with decisions to walk through. */
  decisions = goban_run_get_decisions (goban_session_get_current_run (f->session));
  g_assert_nonnull (decisions);
  g_assert_true (goban_moments_can_be_walked (decisions));

  /* The same drag cuts the edge; undo brings it back. */
  drag_edge (f, "op1", "right");
  g_assert_cmpuint (goban_graph_get_n_edges (get_graph (f)), ==, 1);
  gui_act (f, "undo", NULL);
  gui_settle (f);
  g_assert_cmpuint (goban_graph_get_n_edges (get_graph (f)), ==, 2);

  /* A cycle is refused in words. */
  drag_edge (f, "left", "op1");
  gui_wait_notice (f, "cycle");
  g_assert_cmpuint (goban_graph_get_n_edges (get_graph (f)), ==, 2);
}

/* By commands; each change is a line of the log. */
static void
test_commands (GuiWindow *f, gconstpointer data)
{
  const GPtrArray *log = goban_session_get_log (f->session);
  guint n = 0;

  begin (f);
  gui_act (f, "draw-op", NULL);
  add (f, "b");
  assert_untitled (f, "• Untitled graph – Goban");
  gui_act (f, "select-all", NULL);
  gui_act (f, "draw-connect", NULL);
  gui_settle (f);
  g_assert_cmpuint (goban_graph_get_n_edges (get_graph (f)), ==, 1);
  g_assert_nonnull (strstr (gui_last_line (f), "view.derive(assert(sim.run(plan.heft(g:edit{ "
                                               "rewire = { { \"b\", input = 1, from = "
                                               "\"op1\" } } }"));
  gui_select (f, "b");
  gui_act (f, "draw-delete", NULL);
  gui_settle (f);
  g_assert_cmpuint (goban_graph_get_n_nodes (get_graph (f)), ==, 1);
  for (guint i = 0; i < log->len; i++)
    n += strstr (g_ptr_array_index (log, i), "view.derive(") != NULL;
  g_assert_cmpuint (n, ==, 3);
}

TEST_PROGRAM (draw)
{
  int status;

  gtk_test_init (&argc, &argv, NULL);
  gui_window_begin ();
  gui_window_add ("/draw/pointer", test_pointer);
  gui_window_add ("/draw/commands", test_commands);
  status = g_test_run ();
  gui_window_end ();
  return status;
}
