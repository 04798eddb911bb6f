#include "ui/table/node-model.h"

#include "engine/session/session-graph.h"
#include "engine/session/session-marks.h"
#include "tests/support/test-program.h"
#include "tests/support/toys.h"

typedef struct
{
  GobanSession *session;
  GobanGraph *graph;
  GobanNodeModel *model;
  GString *events; /* what the model said */
} Fixture;

static void
changed_cb (GListModel *model, guint position, guint removed, guint added, gpointer user_data)
{
  g_string_append_printf (user_data, "-%u+%u@%u ", removed, added, position);
}

static void
nodes_cb (GobanNodeModel *model, gpointer user_data)
{
  g_string_append (user_data, "c ");
}

static void
selection_cb (GtkSelectionModel *model, guint position, guint n, gpointer user_data)
{
  g_string_append_printf (user_data, "s%u ", n);
}

static void
set_up (Fixture *f, gconstpointer data)
{
  f->session = goban_session_new ();
  f->graph = toy_two_chains (4);
  f->model = goban_node_model_new (f->session);
  f->events = g_string_new (NULL);
  g_signal_connect (f->model, "items-changed", G_CALLBACK (changed_cb), f->events);
  g_signal_connect (f->model, "selection-changed", G_CALLBACK (selection_cb), f->events);
  g_signal_connect (f->model, "changed", G_CALLBACK (nodes_cb), f->events);
}

static void
tear_down (Fixture *f, gconstpointer data)
{
  g_assert_cmpstr (f->events->str, ==, "");
  g_string_free (f->events, TRUE);
  goban_graph_unref (f->graph);
  g_assert_finalize_object (f->model);
  g_assert_finalize_object (f->session);
}

static void
assert_events (Fixture *f, const char *expected)
{
  g_assert_cmpstr (f->events->str, ==, expected);
  g_string_truncate (f->events, 0);
}

static void
wait (Fixture *f)
{
  while (goban_node_model_is_sorting (f->model))
    g_main_context_iteration (NULL, TRUE);
}

/* "7 6 5": the nodes of the rows. */
static void
assert_rows (Fixture *f, const char *expected)
{
  g_autoptr (GString) text = g_string_new (NULL);
  guint n = g_list_model_get_n_items (G_LIST_MODEL (f->model));

  for (guint i = 0; i < n; i++)
    {
      g_autoptr (GobanNodeRow) row = g_list_model_get_item (G_LIST_MODEL (f->model), i);

      g_string_append_printf (text, "%s%u", i > 0 ? " " : "", goban_node_row_get_node (row));
      g_assert_cmpuint (goban_node_model_find (f->model, goban_node_row_get_node (row)), ==, i);
    }
  g_assert_cmpstr (text->str, ==, expected);
  g_assert_null (g_list_model_get_item (G_LIST_MODEL (f->model), n));
}

static void
open_graph (Fixture *f)
{
  goban_node_model_set_active (f->model, TRUE);
  goban_session_set_graph (f->session, f->graph, NULL);
  wait (f);
  g_string_truncate (f->events, 0);
}

/* Nobody looks: nothing is sorted. Who looks later gets the newest. */
static void
test_sleeps (Fixture *f, gconstpointer data)
{
  goban_session_set_graph (f->session, f->graph, NULL);
  goban_node_model_sort (f->model, goban_node_field_find ("index", NULL), TRUE);
  g_assert_false (goban_node_model_is_sorting (f->model));
  assert_events (f, "c ");
  goban_node_model_set_active (f->model, TRUE);
  wait (f);
  assert_events (f, "-0+8@0 s8 c ");
  assert_rows (f, "7 6 5 4 3 2 1 0");
}

static void
test_sorts_and_filters (Fixture *f, gconstpointer data)
{
  const GobanNodeId ids[] = { 1, 5, 6 };
  g_autoptr (GobanSelection) some = goban_selection_new (ids, 3);
  g_autoptr (GobanSelection) nothing = goban_selection_new (NULL, 0);

  open_graph (f);
  assert_rows (f, "0 1 2 3 4 5 6 7");
  goban_node_model_filter (f->model, some);
  goban_node_model_sort (f->model, goban_node_field_find ("index", NULL), TRUE);
  wait (f);
  assert_events (f, "-5+0@3 s3 c "); /* the newest alone */
  assert_rows (f, "6 5 1");
  g_assert_cmpuint (goban_node_model_find (f->model, 0), ==, GTK_INVALID_LIST_POSITION);
  g_assert_cmpuint (goban_node_model_find (f->model, 99), ==, GTK_INVALID_LIST_POSITION);

  goban_node_model_filter (f->model, nothing);
  wait (f);
  assert_rows (f, "");
  goban_node_model_filter (f->model, NULL);
  wait (f);
  assert_rows (f, "7 6 5 4 3 2 1 0");
  assert_events (f, "-3+0@0 c -0+8@0 s8 c ");

  /* Another order is no other list. */
  goban_node_model_sort (f->model, NULL, FALSE);
  wait (f);
  assert_rows (f, "0 1 2 3 4 5 6 7");
  assert_events (f, "s8 c ");
}

static void
assert_selected (Fixture *f, GobanNodeId first, guint n)
{
  guint n_ids;
  const GobanNodeId *ids
      = goban_selection_get_ids (goban_session_get_selection (f->session), &n_ids);

  g_assert_cmpuint (n_ids, ==, n);
  if (n > 0)
    g_assert_cmpuint (ids[0], ==, first);
}

/* Rows and session have one selection. */
static void
test_selection (Fixture *f, gconstpointer data)
{
  GtkSelectionModel *model = GTK_SELECTION_MODEL (f->model);
  const GobanNodeId ids[] = { 2, 7 };
  g_autoptr (GobanSelection) two = goban_selection_new (ids, 2);
  g_autoptr (GtkBitset) rows = NULL;
  g_autoptr (GtkBitset) part = NULL;

  open_graph (f);
  goban_node_model_sort (f->model, goban_node_field_find ("index", NULL), TRUE);
  wait (f);
  g_string_truncate (f->events, 0);
  g_assert_cmpuint (goban_node_model_find_selected (f->model), ==, GTK_INVALID_LIST_POSITION);
  goban_session_set_selection (f->session, two);
  assert_events (f, "s8 ");
  g_assert_true (gtk_selection_model_is_selected (model, 0));
  g_assert_true (gtk_selection_model_is_selected (model, 5));
  g_assert_false (gtk_selection_model_is_selected (model, 1));
  g_assert_cmpuint (goban_node_model_find_selected (f->model), ==, 0);
  rows = gtk_selection_model_get_selection (model);
  g_assert_cmpuint (gtk_bitset_get_size (rows), ==, 2);
  part = gtk_selection_model_get_selection_in_range (model, 1, 5);
  g_assert_cmpuint (gtk_bitset_get_size (part), ==, 1);

  gtk_selection_model_select_item (model, 1, FALSE);
  assert_selected (f, 2, 3);
  gtk_selection_model_unselect_item (model, 5);
  assert_selected (f, 6, 2);
  gtk_selection_model_select_item (model, 7, TRUE);
  assert_selected (f, 0, 1);
  gtk_selection_model_select_range (model, 2, 3, FALSE);
  assert_selected (f, 0, 4);
  gtk_selection_model_select_all (model);
  assert_selected (f, 0, 8);
  gtk_selection_model_unselect_all (model);
  assert_selected (f, 0, 0);
  assert_events (f, "s8 s8 s8 s8 s8 s8 ");
}

/* What is filtered out is not what a click on a row means. */
static void
test_selection_of_filtered (Fixture *f, gconstpointer data)
{
  const GobanNodeId ids[] = { 4, 5 };
  GobanNodeId outside = 1;
  g_autoptr (GobanSelection) some = goban_selection_new (ids, 2);
  g_autoptr (GobanSelection) other = goban_selection_new (&outside, 1);

  open_graph (f);
  goban_node_model_filter (f->model, some);
  wait (f);
  goban_session_set_selection (f->session, other);
  g_string_truncate (f->events, 0);
  gtk_selection_model_select_item (GTK_SELECTION_MODEL (f->model), 1, FALSE);
  assert_selected (f, 1, 2); /* Ctrl+click adds */
  gtk_selection_model_select_item (GTK_SELECTION_MODEL (f->model), 0, TRUE);
  assert_selected (f, 4, 1);
  g_string_truncate (f->events, 0);
}

static void
test_other_graph (Fixture *f, gconstpointer data)
{
  g_autoptr (GobanGraph) other = toy_chain ();

  open_graph (f);
  goban_session_set_graph (f->session, other, NULL);
  assert_events (f, "-8+0@0 c ");
  assert_rows (f, "");
  wait (f);
  assert_events (f, "-0+4@0 s4 c ");
}

static void
add (const char *path, void (*test) (Fixture *, gconstpointer))
{
  g_test_add (path, Fixture, NULL, set_up, test, tear_down);
}

TEST_PROGRAM (node_model)
{
  g_test_init (&argc, &argv, NULL);
  add ("/node-model/sleeps", test_sleeps);
  add ("/node-model/sorts-and-filters", test_sorts_and_filters);
  add ("/node-model/selection", test_selection);
  add ("/node-model/selection/of-filtered", test_selection_of_filtered);
  add ("/node-model/other-graph", test_other_graph);
  return g_test_run ();
}
