/* Finding things in the real window: the search, the palette, the table of nodes, places, steps.
 * Needs a display: run by gui-run.sh. */
#include "tests/bench/bench-clock.h"
#include "tests/support/shared-data.h"
#include "tests/ui/gui-window.h"
#include "tests/ui/gui.h"

#include "engine/session/session-log.h"
#include "engine/session/view.h"
#include "tests/support/test-program.h"
#include "ui/graph/graph-view-private.h"
#include "ui/graph/graph-view.h"
#include "ui/panels/command-palette.h"
#include "ui/panels/inspector.h"
#include "ui/panels/search-bar.h"
#include "ui/panels/status-bar.h"
#include "ui/table/node-table.h"
#include "ui/widgets/actions.h"
#include "ui/widgets/short-label.h"

#include <string.h>

#define LARGE "gnmt:layers=8"
#define N_LARGE 84464

static GobanNodeId
get_selected (GuiWindow *f, guint *n)
{
  const GobanNodeId *ids = goban_selection_get_ids (goban_session_get_selection (f->session), n);

  return *n > 0 ? ids[0] : GOBAN_NO_NODE;
}

static const char *
get_selected_name (GuiWindow *f)
{
  guint n;
  GobanNodeId node = get_selected (f, &n);

  return n == 1 ? goban_graph_get_node (goban_session_get_graph (f->session), node)->name : "";
}

static const char *
get_last_line (GuiWindow *f)
{
  const GPtrArray *log = goban_session_get_log (f->session);

  return log->len > 0 ? g_ptr_array_index (log, log->len - 1) : "";
}

static const char *
get_hint (GuiWindow *f)
{
  return gui_child_text (gui_part (f, GOBAN_TYPE_STATUS_BAR), "hint");
}

static guint
count_hidden (GuiWindow *f)
{
  guint n;

  goban_selection_get_ids (goban_view_get_hidden (goban_session_get_view (f->session)), &n);
  return n;
}

static void
open_large (GuiWindow *f)
{
  gui_open_path (f, LARGE);
  gui_wait (gui_has_settled, f, "the large graph is open and placed");
  g_assert_cmpuint (goban_graph_get_n_nodes (goban_session_get_graph (f->session)), ==, N_LARGE);
  gui_draw (GTK_WIDGET (f->window));
}

/* --- search ----------------------------------------------------------------------------------- */

static gboolean
has_found (gpointer data)
{
  return !goban_search_bar_is_searching (data);
}

static GobanSearchBar *
search_for (GuiWindow *f, const char *text)
{
  GobanSearchBar *bar = GOBAN_SEARCH_BAR (gui_part (f, GOBAN_TYPE_SEARCH_BAR));

  gtk_editable_set_text (gui_child (bar, "entry"), text);
  gui_wait (has_found, bar, "the search is done");
  return bar;
}

static guint
count_marked (GuiWindow *f)
{
  GobanSelection *marked = GOBAN_GRAPH_VIEW (gui_part (f, GOBAN_TYPE_GRAPH_VIEW))->matches;
  guint n = 0;

  if (marked != NULL)
    goban_selection_get_ids (marked, &n);
  return n;
}

static void
test_search (GuiWindow *f, gconstpointer data)
{
  GobanSearchBar *bar;
  g_autofree char *first = NULL;

  gui_open_toy (f);
  gui_act (f, "search", NULL);
  bar = search_for (f, "conv");
  g_assert_true (gtk_widget_get_visible (GTK_WIDGET (bar)));
  g_assert_true (
      gtk_widget_is_ancestor (gtk_window_get_focus (GTK_WINDOW (f->window)), GTK_WIDGET (bar)));
  g_assert_cmpstr (gui_child_text (bar, "count"), ==, "2 matches");
  g_assert_cmpuint (count_marked (f), ==, 2);
  g_assert_cmpuint (gui_count_selected (f), ==, 0); /* looking is not choosing */

  gui_act (f, "next-match", NULL);
  g_assert_cmpstr (gui_child_text (bar, "count"), ==, "1 of 2");
  first = g_strdup (get_selected_name (f));
  g_assert_nonnull (strstr (first, "conv"));
  gui_act (f, "next-match", NULL);
  g_assert_cmpstr (gui_child_text (bar, "count"), ==, "2 of 2");
  g_assert_cmpstr (get_selected_name (f), !=, first);
  gui_act (f, "next-match", NULL);
  g_assert_cmpstr (gui_child_text (bar, "count"), ==, "1 of 2, from the start again");
  g_assert_cmpstr (get_selected_name (f), ==, first);
  gui_act (f, "previous-match", NULL);
  g_assert_cmpstr (gui_child_text (bar, "count"), ==, "2 of 2, from the end again");
  g_assert_true (g_str_has_prefix (get_last_line (f), "view.select(g:nodes{"));

  gui_act (f, "select-matches", NULL);
  g_assert_cmpuint (gui_count_selected (f), ==, 2);
  g_assert_cmpstr (gui_child_text (bar, "count"), ==, "2 matches");

  /* Escape: first the search, then the selection. */
  gui_act (f, "escape", NULL);
  g_assert_false (gtk_widget_get_visible (GTK_WIDGET (bar)));
  g_assert_cmpuint (count_marked (f), ==, 0);
  g_assert_cmpuint (gui_count_selected (f), ==, 2);
  gui_act (f, "escape", NULL);
  g_assert_cmpuint (gui_count_selected (f), ==, 0);
}

static void
test_search_says_mistakes (GuiWindow *f, gconstpointer data)
{
  GobanSearchBar *bar;

  gui_open_toy (f);
  gui_act (f, "search", NULL);
  bar = search_for (f, "cost > fast");
  g_assert_cmpstr (gui_child_text (bar, "mistake"), ==,
                   "column 8: cost is compared with a number, but “fast” is not a number");
  g_assert_null (goban_search_bar_get_matches (bar));
  g_assert_false (g_action_group_get_action_enabled (G_ACTION_GROUP (f->window), "filter-matches"));
  search_for (f, "cost > 0");
  g_assert_cmpstr (gui_child_text (bar, "mistake"), ==, "");
  g_assert_cmpuint (count_marked (f), >, 0);
  search_for (f, "nothing is called so and that is fine");
  g_assert_cmpstr (gui_child_text (bar, "mistake"), !=, "");
  search_for (f, "zebra");
  g_assert_cmpstr (gui_child_text (bar, "count"), ==, "no match");
  gui_act (f, "next-match", NULL);
  g_assert_cmpuint (gui_count_selected (f), ==, 0);
}

static void
test_filter (GuiWindow *f, gconstpointer data)
{
  GobanStatusBar *status;

  gui_open_toy (f);
  status = GOBAN_STATUS_BAR (gui_part (f, GOBAN_TYPE_STATUS_BAR));
  g_assert_false (gtk_widget_get_visible (gui_child (status, "hidden")));
  gui_act (f, "search", NULL);
  search_for (f, "/conv/");
  gui_act (f, "filter-matches", NULL);
  g_assert_cmpuint (count_hidden (f), ==, 10);
  g_assert_cmpstr (gui_child_text (status, "n_hidden"), ==, "10 nodes hidden");
  g_assert_true (g_str_has_prefix (get_last_line (f), "view.hide(g:nodes"));

  /* The search goes, what is hidden stays until somebody says so. */
  gui_act (f, "escape", NULL);
  g_assert_cmpuint (count_hidden (f), ==, 10);
  gui_act (f, "unhide", NULL);
  g_assert_cmpuint (count_hidden (f), ==, 0);
  g_assert_false (gtk_widget_get_visible (gui_child (status, "hidden")));
  g_assert_cmpstr (get_last_line (f), ==, "view.hide()");

  search_for (f, "conv");
  gui_act (f, "hide-matches", NULL);
  g_assert_cmpuint (count_hidden (f), ==, 2);
  gui_select (f, "fuse");
  gui_act (f, "hide", NULL);
  g_assert_cmpuint (count_hidden (f), ==, 3);
  g_assert_cmpstr (gui_child_text (status, "n_hidden"), ==, "3 nodes hidden");
}

/* What is hidden is not stepped to, unless there is nothing else. */
static void
test_steps_over_hidden (GuiWindow *f, gconstpointer data)
{
  GobanSearchBar *bar;

  gui_open_toy (f);
  gui_select (f, "image/conv1");
  gui_act (f, "hide", NULL);
  gui_act (f, "select-none", NULL);
  bar = search_for (f, "conv");
  for (guint i = 0; i < 3; i++)
    {
      goban_search_bar_step (bar, 1);
      g_assert_cmpstr (get_selected_name (f), !=, "image/conv1");
    }
  gui_act (f, "hide-matches", NULL);
  goban_search_bar_step (bar, 1);
  g_assert_cmpuint (gui_count_selected (f), ==, 1);
}

static void
test_search_follows_graph_and_plan (GuiWindow *f, gconstpointer data)
{
  GobanSearchBar *bar;
  g_autofree char *before = NULL;
  g_autofree char *path = project_path ("samples/rnnlm-coarse.json");

  gui_open_toy (f);
  bar = search_for (f, "device = gpu:0");
  before = g_strdup (gui_child_text (bar, "count"));
  gui_act (f, "place", g_variant_new_string ("single"));
  gui_wait (gui_has_settled, f, "the graph is placed on one device");
  gui_wait (has_found, bar, "the search is done");
  g_assert_cmpstr (gui_child_text (bar, "count"), !=, before);

  gui_open_path (f, path);
  gui_wait (gui_has_settled, f, "another graph is open and placed");
  gui_wait (has_found, bar, "the search is done");
  g_assert_cmpuint (count_marked (f), <=,
                    goban_graph_get_n_nodes (goban_session_get_graph (f->session)));
  gui_draw (GTK_WIDGET (f->window));
}

/* --- palette ---------------------------------------------------------------------------------- */

static GobanCommandPalette *
type_command (GuiWindow *f, const char *text)
{
  GobanCommandPalette *palette = GOBAN_COMMAND_PALETTE (gui_part (f, GOBAN_TYPE_COMMAND_PALETTE));

  gtk_editable_set_text (gui_child (palette, "entry"), text);
  gui_rest (); /* nodes are looked through */
  return palette;
}

/* The label of the result at @index, "" where there is none. (transfer full) */
static char *
dup_result (GobanCommandPalette *palette, guint index)
{
  g_autoptr (GobanPaletteEntry) command
      = g_list_model_get_item (gui_child (palette, "model"), index);

  return g_strdup (command != NULL ? command->label : "");
}

/* Enter in a search that finds no node goes on in the palette: the text may be a command. */
static void
test_commands_of_search (GuiWindow *f, gconstpointer data)
{
  GtkWidget *bar, *palette = gui_part (f, GOBAN_TYPE_COMMAND_PALETTE);
  g_autofree char *first = NULL;

  gui_open_toy (f);
  gui_act (f, "search", NULL);
  bar = GTK_WIDGET (search_for (f, "fuse"));
  g_assert_false (gtk_widget_get_visible (gui_child (bar, "commands")));
  search_for (f, "shortcuts");
  g_assert_true (gtk_widget_get_mapped (gui_child (bar, "commands")));
  g_signal_emit_by_name (gui_child (bar, "entry"), "activate");
  g_assert_false (gtk_widget_get_visible (bar));
  g_assert_true (gtk_widget_get_visible (palette));
  g_assert_cmpstr (gtk_editable_get_text (gui_child (palette, "entry")), ==, "shortcuts");
  first = dup_result (GOBAN_COMMAND_PALETTE (palette), 0);
  g_assert_cmpstr (first, ==, "Keyboard Shortcuts");
}

static void
test_palette (GuiWindow *f, gconstpointer data)
{
  GobanCommandPalette *palette;
  g_autoptr (GobanPaletteEntry) fit = NULL;
  g_autofree char *place = NULL;
  guint n_runs;

  gui_open_toy (f);
  gui_act (f, "palette", NULL);
  palette = type_command (f, "fit");
  g_assert_true (gtk_widget_get_visible (GTK_WIDGET (palette)));
  fit = g_list_model_get_item (gui_child (palette, "model"), 0);
  g_assert_cmpstr (fit->label, ==, "Fit");
  g_assert_cmpstr (fit->keys, ==, "Ctrl+0");
  g_assert_cmpstr (fit->lua, ==, "view.zoom \"fit\"");

  type_command (f, "pl cpop");
  place = dup_result (palette, 0);
  g_assert_cmpstr (place, ==, "Place with cpop");
  n_runs = g_list_model_get_n_items (goban_session_get_runs (f->session));
  g_signal_emit_by_name (gui_child (palette, "entry"), "activate");
  g_assert_false (gtk_widget_get_visible (GTK_WIDGET (palette)));
  gui_wait (gui_has_settled, f, "the command has run");
  g_assert_cmpuint (g_list_model_get_n_items (goban_session_get_runs (f->session)), ==, n_runs + 1);

  gui_act (f, "palette", NULL);
  type_command (f, "qqqqzzzz");
  g_assert_cmpuint (g_list_model_get_n_items (gui_child (palette, "model")), ==, 0);
  g_signal_emit_by_name (gui_child (palette, "entry"), "activate");
  g_assert_true (gtk_widget_get_visible (GTK_WIDGET (palette)));
}

/* Of what fits alike, what was run last; with nothing typed, that alone decides. */
static void
test_palette_remembers (GuiWindow *f, gconstpointer data)
{
  GobanCommandPalette *palette;
  g_autofree char *first = NULL;
  g_autofree char *slack = NULL;

  gui_open_toy (f);
  gui_act (f, "palette", NULL);
  palette = type_command (f, "by slack");
  slack = dup_result (palette, 0);
  g_assert_cmpstr (slack, ==, "Colour by slack");
  palette = type_command (f, "colour by priority");
  g_signal_emit_by_name (gui_child (palette, "entry"), "activate");
  g_assert_cmpstr (goban_view_get_color (goban_session_get_view (f->session)), ==, "priority");
  gui_act (f, "palette", NULL);
  first = dup_result (palette, 0);
  g_assert_cmpstr (first, ==, "Colour by Priority");
}

static gboolean
has_no_disabled (GuiWindow *f)
{
  g_autoptr (GPtrArray) list = goban_command_list_new (G_ACTION_GROUP (f->window));

  for (guint i = 0; i < list->len; i++)
    {
      GobanPaletteEntry *command = g_ptr_array_index (list, i);
      g_autofree char *name = NULL;
      g_autoptr (GVariant) target = NULL;

      g_assert_true (g_action_parse_detailed_name (command->action, &name, &target, NULL));
      g_assert_true (g_str_has_prefix (name, "win."));
      g_assert_null (strpbrk (command->lua, "\n"));
      if (!g_action_group_get_action_enabled (G_ACTION_GROUP (f->window), name + strlen ("win.")))
        return FALSE;
    }
  return list->len > 30;
}

static void
test_palette_offers_what_can_be_done (GuiWindow *f, gconstpointer data)
{
  GobanCommandPalette *palette;
  g_autofree char *first = NULL;

  g_assert_true (has_no_disabled (f));
  gui_act (f, "palette", NULL);
  palette = type_command (f, "place with heft");
  first = dup_result (palette, 0);
  g_assert_cmpstr (first, !=, "Place with heft"); /* there is no graph yet */
  gui_open_toy (f);
  g_assert_true (has_no_disabled (f));
}

static void
test_palette_finds_nodes (GuiWindow *f, gconstpointer data)
{
  GobanCommandPalette *palette;
  g_autoptr (GobanPaletteEntry) node = NULL;

  gui_open_toy (f);
  gui_act (f, "palette", NULL);
  palette = type_command (f, "@imgc1");
  node = g_list_model_get_item (gui_child (palette, "model"), 0);
  g_assert_cmpstr (node->label, ==, "image/conv1");
  g_assert_cmpstr (node->lua, ==, "view.select \"image/conv1\"");
  g_signal_emit_by_name (gui_child (palette, "entry"), "activate");
  g_assert_cmpstr (get_selected_name (f), ==, "image/conv1");
}

/* --- table ------------------------------------------------------------------------------------ */

static gboolean
is_sorted (gpointer data)
{
  return !goban_node_model_is_sorting (data);
}

static GobanNodeModel *
show_table (GuiWindow *f)
{
  GobanNodeTable *table = GOBAN_NODE_TABLE (gui_part (f, GOBAN_TYPE_NODE_TABLE));

  g_action_group_change_action_state (G_ACTION_GROUP (f->window), "table-pane",
                                      g_variant_new_boolean (TRUE));
  gui_wait (gui_is_mapped, table, "the table is shown");
  gui_wait (is_sorted, goban_node_columns_get_model (GOBAN_NODE_COLUMNS (table)),
            "the rows are there");
  return goban_node_columns_get_model (GOBAN_NODE_COLUMNS (table));
}

static const char *
get_row_name (GuiWindow *f, GobanNodeModel *model, guint row)
{
  g_autoptr (GobanNodeRow) item = g_list_model_get_item (G_LIST_MODEL (model), row);

  return goban_graph_get_node (goban_session_get_graph (f->session), goban_node_row_get_node (item))
      ->name;
}

typedef struct
{
  GtkAdjustment *adjustment;
  double from;
} Scrolled;

static gboolean
has_scrolled (gpointer data)
{
  Scrolled *scrolled = data;

  return gtk_adjustment_get_value (scrolled->adjustment) != scrolled->from;
}

/* What is selected elsewhere comes into sight. */
static void
test_table_scrolls (GuiWindow *f, gconstpointer data)
{
  g_autofree char *path = project_path ("samples/rnnlm-coarse.json");
  GobanNodeModel *model;
  GtkWidget *table;
  Scrolled scrolled;

  gui_open_path (f, path);
  gui_wait (gui_has_settled, f, "the graph is open and placed");
  model = show_table (f);
  table = gui_part (f, GOBAN_TYPE_NODE_TABLE);
  gui_draw (table);
  scrolled.adjustment = gtk_scrolled_window_get_vadjustment (
      GTK_SCROLLED_WINDOW (gui_find (table, GTK_TYPE_SCROLLED_WINDOW)));
  scrolled.from = 0;
  g_assert_cmpfloat (gtk_adjustment_get_value (scrolled.adjustment), ==, 0);
  gui_select (f, get_row_name (f, model, g_list_model_get_n_items (G_LIST_MODEL (model)) - 1));
  gui_wait (has_scrolled, &scrolled, "the table scrolls to the last row");
  scrolled.from = gtk_adjustment_get_value (scrolled.adjustment);
  gui_select (f, get_row_name (f, model, 0));
  gui_wait (has_scrolled, &scrolled, "the table scrolls to the first row");
}

static void
test_table (GuiWindow *f, gconstpointer data)
{
  GobanNodeTable *table;
  GobanNodeModel *model;
  g_autofree char *tsv = NULL;

  gui_open_toy (f);
  model = show_table (f);
  table = GOBAN_NODE_TABLE (gui_part (f, GOBAN_TYPE_NODE_TABLE));
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (model)), ==, 12);

  gui_sort (GTK_WIDGET (table), "Name", TRUE);
  gui_wait (is_sorted, model, "the rows are sorted");
  for (guint row = 1; row < 12; row++)
    {
      g_autofree char *before = g_strdup (get_row_name (f, model, row - 1));

      g_assert_cmpstr (before, >, get_row_name (f, model, row));
    }
  gui_sort (GTK_WIDGET (table), "Start", FALSE);
  gui_wait (is_sorted, model, "the rows are sorted");

  /* One selection, both ways. */
  gtk_selection_model_select_item (GTK_SELECTION_MODEL (model), 3, TRUE);
  g_assert_cmpstr (get_selected_name (f), ==, get_row_name (f, model, 3));
  gui_select (f, "fuse");
  g_assert_true (gtk_selection_model_is_selected (GTK_SELECTION_MODEL (model),
                                                  goban_node_model_find_selected (model)));
  g_assert_cmpstr (get_row_name (f, model, goban_node_model_find_selected (model)), ==, "fuse");
  tsv = goban_node_table_dup_tsv (table);
  g_assert_true (g_str_has_prefix (tsv, "name\top\tdevice\tprio\tcost_us\tmemory_bytes\tbytes\t"));
  g_assert_nonnull (strstr (tsv, "\nfuse\t"));
  g_assert_cmpint (strchr (strchr (tsv, (int) 10) + 1, (int) 10)[1], ==, 0); /* header and row */

  /* The search is its filter. */
  search_for (f, "conv");
  gui_wait (is_sorted, model, "the rows are filtered");
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (model)), ==, 2);
  search_for (f, "");
  gui_wait (is_sorted, model, "the rows are all there");
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (model)), ==, 12);
  gui_draw (GTK_WIDGET (table));
}

/* --- places and steps ------------------------------------------------------------------------- */

static void
test_back_and_forward (GuiWindow *f, gconstpointer data)
{
  GobanView *view;
  GobanViewport before;

  gui_open_toy (f);
  view = goban_session_get_view (f->session);
  g_assert_false (g_action_group_get_action_enabled (G_ACTION_GROUP (f->window), "back"));
  gui_select (f, "image/conv1");
  gui_act (f, "zoom-selection", NULL);
  before = *goban_view_get_viewport (view);
  g_assert_true (goban_viewport_is_set (&before));
  gui_select (f, "fuse");
  gui_act (f, "zoom-selection", NULL);
  g_assert_cmpfloat (goban_view_get_viewport (view)->y0, !=, before.y0);

  gui_act (f, "back", NULL);
  g_assert_cmpstr (get_selected_name (f), ==, "image/conv1");
  g_assert_cmpfloat_with_epsilon (goban_view_get_viewport (view)->x0, before.x0, 1e-6);
  g_assert_cmpfloat_with_epsilon (goban_view_get_viewport (view)->y1, before.y1, 1e-6);
  gui_act (f, "back", NULL);
  g_assert_cmpuint (gui_count_selected (f), ==, 0);
  g_assert_false (g_action_group_get_action_enabled (G_ACTION_GROUP (f->window), "back"));
  gui_act (f, "forward", NULL);
  gui_act (f, "forward", NULL);
  g_assert_cmpstr (get_selected_name (f), ==, "fuse");
  g_assert_false (g_action_group_get_action_enabled (G_ACTION_GROUP (f->window), "forward"));
}

static void
test_bookmarks (GuiWindow *f, gconstpointer data)
{
  GobanView *view;
  GobanViewport kept;

  gui_open_toy (f);
  view = goban_session_get_view (f->session);
  gui_act (f, "recall-view", g_variant_new_int32 (4));
  g_assert_cmpstr (get_hint (f), ==, "No view is kept as 4: Ctrl+Alt+4 keeps the one in sight");
  gui_select (f, "image/conv1");
  gui_act (f, "zoom-selection", NULL);
  kept = *goban_view_get_viewport (view);
  gui_act (f, "store-view", g_variant_new_int32 (4));
  g_assert_cmpstr (get_last_line (f), ==, "view.snapshot(4)");
  gui_act (f, "fit", NULL);
  gui_act (f, "color", g_variant_new_string ("priority"));
  g_assert_cmpfloat (goban_view_get_viewport (view)->x0, !=, kept.x0);
  gui_act (f, "recall-view", g_variant_new_int32 (4));
  g_assert_cmpfloat_with_epsilon (goban_view_get_viewport (view)->x0, kept.x0, 1e-6);
  g_assert_cmpfloat_with_epsilon (goban_view_get_viewport (view)->x1, kept.x1, 1e-6);
  g_assert_cmpstr (goban_view_get_color (view), ==, "device");
}

static void
test_steps (GuiWindow *f, gconstpointer data)
{
  g_autofree char *below = NULL;
  guint n_around = 0;

  gui_open_toy (f);
  g_assert_false (g_action_group_get_action_enabled (G_ACTION_GROUP (f->window), "neighbour"));
  gui_select (f, "image/conv1");
  gui_act (f, "walk", g_variant_new_string ("output"));
  below = g_strdup (get_selected_name (f));
  g_assert_cmpstr (below, !=, "image/conv1");
  gui_act (f, "walk", g_variant_new_string ("input"));
  g_assert_cmpstr (get_selected_name (f), ==, "image/conv1");

  /* Round all neighbours, and home again. */
  gui_select (f, "fuse");
  do
    {
      gui_act (f, "neighbour", g_variant_new_int32 (1));
      n_around++;
    }
  while (!g_str_equal (get_selected_name (f), "fuse"));
  g_assert_cmpuint (n_around, >, 2);
  g_assert_true (g_str_has_suffix (get_hint (f), "neighbours were seen"));
  gui_act (f, "neighbour", g_variant_new_int32 (1));
  g_assert_true (g_str_has_suffix (get_hint (f), "neighbours of fuse"));
  below = (g_free (below), g_strdup (get_selected_name (f)));
  gui_act (f, "neighbour", g_variant_new_int32 (1));
  gui_act (f, "neighbour", g_variant_new_int32 (-1));
  g_assert_cmpstr (get_selected_name (f), ==, below);
}

/* --- copies ----------------------------------------------------------------------------------- */

static void
test_inspector_copies (GuiWindow *f, gconstpointer data)
{
  GobanInspector *inspector;
  g_autofree char *whole = NULL;
  g_autofree char *text = NULL;
  g_autofree char *lua = NULL;
  g_autofree char *many = NULL;

  gui_open_toy (f);
  inspector = GOBAN_INSPECTOR (gui_part (f, GOBAN_TYPE_INSPECTOR));
  whole = goban_inspector_dup_lua (inspector);
  g_assert_cmpstr (whole, ==, "g");
  gui_select (f, "image/conv1");
  text = goban_inspector_dup_text (inspector);
  g_assert_true (g_str_has_prefix (text, "image/conv1\n\nNode\nop\tConv\n"));
  lua = goban_inspector_dup_lua (inspector);
  g_assert_cmpstr (lua, ==, "g:node \"image/conv1\"");
  gui_act (f, "select-inputs", g_variant_new_string ("outputs"));
  many = goban_inspector_dup_lua (inspector);
  g_assert_true (g_str_has_prefix (many, "g:nodes{\""));
  gui_act (f, "copy-text", NULL);
  gui_act (f, "copy-lua", NULL);
  gui_act (f, "copy-rows", NULL);
}

static gboolean
is_more_link (GtkWidget *widget)
{
  GtkWidget *child = GTK_IS_BUTTON (widget) ? gtk_button_get_child (GTK_BUTTON (widget)) : NULL;
  const char *text
      = GOBAN_IS_SHORT_LABEL (child) ? goban_short_label_get_text (GOBAN_SHORT_LABEL (child)) : "";

  return g_str_has_prefix (text, "and ") && g_str_has_suffix (text, " more");
}

static GtkWidget *
find_more_link (GtkWidget *root)
{
  if (is_more_link (root))
    return root;
  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    {
      GtkWidget *found = find_more_link (child);

      if (found != NULL)
        return found;
    }
  return NULL;
}

static gboolean
has_more_link (gpointer root)
{
  return find_more_link (root) != NULL;
}

/* "and 12 more" selects all of the neighbours it stands for. */
static void
test_inspector_selects_neighbours (GuiWindow *f, gconstpointer data)
{
  g_autofree char *path = project_path ("samples/inception-v3-coarse.json");
  GobanGraph *graph;
  GobanNodeId busiest = 0;
  GtkWidget *link;

  gui_open_path (f, path);
  gui_wait (gui_has_settled, f, "the graph is open and placed");
  graph = goban_session_get_graph (f->session);
  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (graph); v++)
    if (goban_graph_get_out_edges (graph, v).n > goban_graph_get_out_edges (graph, busiest).n)
      busiest = v;
  g_assert_cmpuint (goban_graph_get_out_edges (graph, busiest).n, >, 8);
  gui_select (f, goban_graph_get_node (graph, busiest)->name);
  gui_wait (has_more_link, gui_part (f, GOBAN_TYPE_INSPECTOR), "the inspector tells of the node");
  link = find_more_link (gui_part (f, GOBAN_TYPE_INSPECTOR));
  g_signal_emit_by_name (link, "clicked");
  g_assert_cmpuint (gui_count_selected (f), >, 8);
}

/* --- 84,464 nodes ----------------------------------------------------------------------------- */

static double
time_ms (double from_ms)
{
  return cpu_ms () - from_ms;
}

/* All of it, at the size it is for. Times of the main thread are told and not judged. */
static void
test_large (GuiWindow *f, gconstpointer data)
{
  static const char *const queries[]
      = { "l", "ls", "lst", "lstm", "/lstm.*[13]$/", "cost > 10us and device = gpu:1" };
  GobanNodeTable *table;
  GobanNodeModel *model;
  GobanCommandPalette *palette;
  double start_ms;

  open_large (f);
  gui_act (f, "search", NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (queries); i++)
    {
      start_ms = cpu_ms ();
      search_for (f, queries[i]);
      g_test_message ("search '%s': %.0f ms, %u matches", queries[i], time_ms (start_ms),
                      count_marked (f));
    }
  g_assert_cmpuint (count_marked (f), >, 0);
  start_ms = cpu_ms ();
  gui_act (f, "filter-matches", NULL);
  g_test_message ("filter: %.0f ms", time_ms (start_ms));
  g_assert_cmpuint (count_hidden (f) + count_marked (f), ==, N_LARGE);
  gui_act (f, "unhide", NULL);
  gui_act (f, "escape", NULL);

  table = GOBAN_NODE_TABLE (gui_part (f, GOBAN_TYPE_NODE_TABLE));
  start_ms = cpu_ms ();
  model = show_table (f);
  g_test_message ("table shown: %.0f ms", time_ms (start_ms));
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (model)), ==, N_LARGE);
  gui_draw (GTK_WIDGET (table));
  start_ms = cpu_ms ();
  gui_sort (GTK_WIDGET (table), "Name", FALSE);
  g_test_message ("sort asked for: %.0f ms", time_ms (start_ms));
  gui_wait (is_sorted, model, "the rows are sorted by name");
  g_test_message ("sorted by name: %.0f ms", time_ms (start_ms));
  start_ms = cpu_ms ();
  gui_sort (GTK_WIDGET (table), "Slack", TRUE);
  gui_wait (is_sorted, model, "the rows are sorted by slack");
  g_test_message ("sorted by slack: %.0f ms", time_ms (start_ms));
  gtk_selection_model_select_item (GTK_SELECTION_MODEL (model), 70000, TRUE);
  g_assert_cmpstr (get_selected_name (f), ==, get_row_name (f, model, 70000));
  start_ms = cpu_ms ();
  gui_act (f, "select-all", NULL);
  g_test_message ("all selected: %.0f ms", time_ms (start_ms));
  g_assert_true (gtk_selection_model_is_selected (GTK_SELECTION_MODEL (model), 80000));

  start_ms = cpu_ms ();
  gui_act (f, "palette", NULL);
  g_test_message ("palette: %.1f ms", time_ms (start_ms));
  start_ms = cpu_ms ();
  palette = type_command (f, "@declay3");
  g_test_message ("nodes by letters: %.0f ms", time_ms (start_ms));
  g_signal_emit_by_name (gui_child (palette, "entry"), "activate");
  g_assert_cmpuint (gui_count_selected (f), ==, 1);
}

static gboolean
has_no_hint (gpointer data)
{
  return *get_hint (data) == '\0';
}

/* The answer to a command goes after a while; here the clock is not waited for. */
static void
test_hint_passes (GuiWindow *f, gconstpointer data)
{
  GSource *source;

  gui_open_toy (f);
  gui_act (f, "lesson-next", NULL);
  g_assert_cmpstr (get_hint (f), ==, "No lesson is open");
  source = g_main_context_find_source_by_user_data (NULL, gui_part (f, GOBAN_TYPE_STATUS_BAR));
  g_assert_nonnull (source);
  g_source_set_ready_time (source, 0);
  gui_wait (has_no_hint, f, "the hint has passed");
}

TEST_PROGRAM (search_commands)
{
  int status;

  gtk_test_init (&argc, &argv, NULL);
  gui_window_begin ();
  gui_window_add ("/finding/search", test_search);
  gui_window_add ("/finding/search/mistakes", test_search_says_mistakes);
  gui_window_add ("/finding/search/steps-over-hidden", test_steps_over_hidden);
  gui_window_add ("/finding/search/follows-graph-and-plan", test_search_follows_graph_and_plan);
  gui_window_add ("/finding/filter", test_filter);
  gui_window_add ("/finding/palette", test_palette);
  gui_window_add ("/finding/commands-of-search", test_commands_of_search);
  gui_window_add ("/finding/palette/remembers", test_palette_remembers);
  gui_window_add ("/finding/palette/offers-what-can-be-done", test_palette_offers_what_can_be_done);
  gui_window_add ("/finding/palette/nodes", test_palette_finds_nodes);
  gui_window_add ("/finding/table", test_table);
  gui_window_add ("/finding/table/scrolls-to-the-selection", test_table_scrolls);
  gui_window_add ("/finding/places/back-and-forward", test_back_and_forward);
  gui_window_add ("/finding/places/bookmarks", test_bookmarks);
  gui_window_add ("/finding/steps", test_steps);
  gui_window_add ("/finding/inspector-copies", test_inspector_copies);
  gui_window_add ("/finding/inspector-selects-neighbours", test_inspector_selects_neighbours);
  gui_window_add ("/finding/hint-passes", test_hint_passes);
  gui_window_add ("/finding/large", test_large);
  status = g_test_run ();
  gui_window_end ();
  return status;
}
