/* The console of the real window with its real Lua: scripts without an end are stopped. */
#include "tests/support/folder.h"
#include "tests/ui/gui-prompt.h"
#include "tests/ui/gui-pulse.h"

#include "engine/session/chosen-folders.h"
#include "engine/session/session-graph.h"
#include "engine/session/session-history.h"
#include "engine/session/session-marks.h"
#include "engine/study/run/run-origin.h"
#include "engine/study/training/training-list.h"
#include "tests/support/shared-data.h"
#include "tests/support/test-program.h"
#include "tests/support/toys.h"
#include "ui/console/control-panel.h"
#include "ui/console/figure-view.h"
#include "ui/console/script-view.h"
#include "ui/console/sortable-table.h"
#include "ui/panels/command-palette.h"
#include "ui/panels/notice-bar.h"
#include "ui/panels/place-menu.h"
#include "ui/panels/status-bar.h"

#include <glib/gstdio.h>
#include <gtksourceview/gtksource.h>
#include <string.h>
#include <sys/stat.h>

#define TICK_MS 5
/* A loop that does not turn has one at most. */
#define N_TICKS 40
/* 100 ms are promised; other programs may have the processor meanwhile. */
#define MAX_ANSWER_MS 20000

typedef struct
{
  guint n_ticks;
  gint64 last_us;
  gint64 longest_us; /* between two ticks */
} Ticks;

static gboolean
tick_cb (gpointer user_data)
{
  Ticks *self = user_data;
  gint64 now_us = g_get_monotonic_time ();

  if (self->n_ticks++ > 0)
    self->longest_us = MAX (self->longest_us, now_us - self->last_us);
  self->last_us = now_us;
  return G_SOURCE_CONTINUE;
}

static gboolean
has_ticked (gpointer data)
{
  return ((Ticks *) data)->n_ticks >= N_TICKS;
}

/* --- stopping --------------------------------------------------------------------------------- */

/* The button of the console itself: its popups have others. */
static GtkWidget *
find_stop (GtkWidget *root)
{
  const char *tip = GTK_IS_BUTTON (root) ? gtk_widget_get_tooltip_text (root) : NULL;

  if (tip != NULL && g_str_has_prefix (tip, "Stop the running script"))
    return root;
  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    {
      GtkWidget *found = find_stop (child);

      if (found != NULL)
        return found;
    }
  return NULL;
}

static void
stop (GuiPrompt *self, gboolean by_key)
{
  GtkWidget *button = find_stop (GTK_WIDGET (self->console));

  g_assert_nonnull (button);
  g_assert_true (gtk_widget_is_visible (button));
  if (by_key)
    gui_press (self->input, GDK_KEY_c, GDK_CONTROL_MASK);
  else
    g_assert_true (gtk_widget_activate (button));
}

/* GTK shows a button as pressed for a while before it says so. */
static void
clicked_cb (gint64 *clicked_us)
{
  *clicked_us = g_get_monotonic_time ();
}

/* Types @line, lets it run for a while after it has printed @printed, stops it, and types
 * another. */
static void
check_stop (GuiWindow *f, const char *line, gboolean by_key, const char *printed)
{
  GuiPrompt self = gui_prompt_open (f);
  Ticks ticks = { 0 };
  GtkWidget *button = find_stop (GTK_WIDGET (self.console));
  gint64 stopped_us = 0, answer_ms;
  guint tick = 0;
  GuiPulse pulse;

  g_signal_connect_swapped (button, "clicked", G_CALLBACK (clicked_cb), &stopped_us);
  gui_pulse_begin (GTK_WIDGET (f->window));
  gui_prompt_type (&self, line);
  g_assert_true (goban_console_view_is_running (self.console));
  gui_prompt_wait (&self, printed);
  tick = g_timeout_add (TICK_MS, tick_cb, &ticks);
  gui_wait (has_ticked, &ticks, "the main loop has turned while the script runs");
  g_assert_true (goban_console_view_is_running (self.console));

  if (by_key)
    stopped_us = g_get_monotonic_time ();
  stop (&self, by_key);
  gui_wait (gui_prompt_is_done, &self, "the script is stopped");
  answer_ms = (g_get_monotonic_time () - stopped_us) / 1000;
  pulse = gui_pulse_take ();
  gui_pulse_end ();
  g_source_remove (tick);
  g_test_message ("stopped in %" G_GINT64_FORMAT " ms; longest gap between ticks %" G_GINT64_FORMAT
                  " us; longest turn %.1f ms, frame %.1f ms of processor",
                  answer_ms, ticks.longest_us, pulse.turn_ms, pulse.frame_ms);
  g_assert_cmpint (stopped_us, >, 0);
  g_assert_cmpint (answer_ms, <, MAX_ANSWER_MS);

  gui_prompt_wait (&self, "interrupted");
  gui_prompt_type (&self, "'after' .. 6 * 7");
  gui_prompt_wait (&self, "after42");
}

/* Whatever the drawer's other pages need. */
static void
test_prompt_is_seen (GuiWindow *f, gconstpointer data)
{
  GuiPrompt self = gui_prompt_open (f);
  GtkWidget *input = gui_find (GTK_WIDGET (self.console), GTK_SOURCE_TYPE_VIEW);
  GtkWidget *status = gui_find (GTK_WIDGET (f->window), GOBAN_TYPE_STATUS_BAR);
  graphene_rect_t typed, below;

  g_assert_true (gtk_widget_compute_bounds (input, GTK_WIDGET (f->window), &typed));
  g_assert_true (gtk_widget_compute_bounds (status, GTK_WIDGET (f->window), &below));
  g_assert_cmpfloat (typed.size.height, >, 0);
  g_assert_cmpfloat (typed.origin.y + typed.size.height, <=, below.origin.y);
}

static void
test_loop (GuiWindow *f, gconstpointer data)
{
  check_stop (f, "while true do end", FALSE, "");
}

static void
test_sort (GuiWindow *f, gconstpointer data)
{
  check_stop (f, "table.sort({ 3, 2, 1 }, function() while true do end end)", TRUE, "");
}

static void
test_pattern (GuiWindow *f, gconstpointer data)
{
  check_stop (f, "('a'):rep(30000):find(('a-'):rep(30) .. 'b')", FALSE, "");
}

/* Each prints "begun" and then stays in a function of its own, below one of the program's. */
static const struct
{
  const char *name;
  const char *code;
} endless[] = {
  { "sweep", "sweep{ n = { 1, 2 }, run = function() print 'begun' while true do end end }" },
  { "sweep-row", "sweep{ n = { 1, 2 }, run = function() return 1 end,"
                 " on_row = function() print 'begun' while true do end end }" },
  { "training", "assert(policy.train{ every = 0,"
                " settings = 'lessons=2,problems=1,validation=1,labels=5,imitations=1',"
                " output = 'goban-out/endless.net', steps = 1000,"
                " on_update = function() print 'begun' while true do end end }):wait()" },
  { "bench-row", "bench.run{ suite = 'quick', policies = { 'single' },"
                 " on_row = function() print 'begun' while true do end end }" },
  { "bench-policy", "policy.register('mine', function() print 'begun' while true do end end)"
                    " bench.run{ suite = 'quick', policies = { 'mine' } }" },
  { "compare-policy", "policy.register('mine', function() print 'begun' while true do end end)"
                      " compare.policies(g, { 'heft', 'mine' })" },
  { "decide", "policy.register('mine', function() print 'begun' while true do end end)"
              " policy.get 'mine':decide(g)" },
  { "slider", "ui.slider('x', 1, 9, 1, function() print 'begun' while true do end end)" },
  { "plot-field", "plot(g:nodes(), { x = 'cost', y = function() print 'begun' while true do end"
                  " end })" },
  { "plot-index", "print 'begun' plot(setmetatable({}, { __len = function() return 1 << 60 end,"
                  " __index = function() return 1 end }))" },
  { "plot-next", "plot(setmetatable({}, { __pairs = function() print 'begun' return function()"
                 " return 1, 1 end end, __len = function() print 'begun' while true do end end,"
                 " __index = function() print 'begun' while true do end end })) print 'begun'"
                 " while true do end" },
  { "show-index", "print 'begun' show(setmetatable({}, { __len = function() return 1 << 60 end,"
                  " __index = function() return { a = 1 } end })) while true do end" },
  { "index", "local t = setmetatable({}, { __index = function() print 'begun' while true do end end"
             " }) return t.x" },
  { "newindex", "local t = setmetatable({}, { __newindex = function() print 'begun' while true do"
                " end end }) t.x = 1" },
  { "less", "local m = { __lt = function() print 'begun' while true do end end } return"
            " setmetatable({}, m) < setmetatable({}, m)" },
  { "concat", "return setmetatable({}, { __concat = function() print 'begun' while true do end end"
              " }) .. 'x'" },
};

static void
test_endless (GuiWindow *f, gconstpointer data)
{
  const char *name = strrchr (g_test_get_path (), '/') + 1;

  /* Scripts of the window do not write over files of an earlier run. */
  g_remove ("goban-out/endless.net");
  g_remove ("goban-out/endless.net.run");
  for (gsize i = 0; i < G_N_ELEMENTS (endless); i++)
    if (g_str_equal (endless[i].name, name))
      check_stop (f, endless[i].code, i % 2 == 0, "\nbegun");
}

/* Nobody writes into the pipe: whoever opens it waits. */
static void
test_pipe (GuiWindow *f, gconstpointer data)
{
  g_autofree char *folder = g_dir_make_tmp ("goban-scripts-XXXXXX", NULL);
  g_autofree char *pipe = g_build_filename (folder, "pipe", NULL);
  g_autofree char *line = g_strdup_printf (
      "print(select(2, app.read '%s')) print 'opens' while true do pcall(graph.load, '%s') end",
      pipe, pipe);

  g_assert_cmpint (mkfifo (pipe, 0600), ==, 0);
  goban_chosen_folders_add (f->session, pipe);
  check_stop (f, line, TRUE, "is not a regular file\nopens\n");
  remove_folder (folder);
}

/* --- plots and tables ------------------------------------------------------------------------- */

static GtkWidget *
find_shown (GuiPrompt *self, GType type)
{
  gui_wait (gui_prompt_is_done, self, "the line has run");
  gui_draw (GTK_WIDGET (self->window->window));
  return gui_find (GTK_WIDGET (self->console), type);
}

static gboolean
has_one_selected (gpointer data)
{
  return gui_count_selected (data) == 1;
}

/* A click on a point selects its node; keys go from point to point; a run's bar shows the run. */
static void
test_plot (GuiWindow *f, gconstpointer data)
{
  GuiPrompt self = gui_prompt_open (f);
  guint n_runs = g_list_model_get_n_items (goban_session_get_runs (f->session));
  GobanFigurePoint point;
  GtkWidget *view;

  gui_prompt_type (&self, "plot(g:nodes(), { x = 'cost', y = 'memory' })");
  view = find_shown (&self, GOBAN_TYPE_FIGURE_VIEW);
  g_assert_nonnull (view);
  g_assert_cmpint (gtk_widget_get_height (view), >=, 150);
  gui_press (self.input, GDK_KEY_Up, GDK_CONTROL_MASK);
  g_assert_true (gtk_widget_has_focus (view));
  gui_press (view, GDK_KEY_Right, 0);
  gui_press (view, GDK_KEY_Right, 0);
  g_assert_true (goban_figure_view_get_point (GOBAN_FIGURE_VIEW (view), &point));
  g_assert_cmpuint (point.i, ==, 1);
  gui_press (view, GDK_KEY_Return, 0);
  g_assert_true (has_one_selected (f));
  g_assert_true (goban_selection_contains (goban_session_get_selection (f->session), 1));
  gui_press (view, GDK_KEY_Escape, 0);
  g_assert_false (goban_figure_view_get_point (GOBAN_FIGURE_VIEW (view), &point));

  goban_console_output_clear (goban_console_view_get_output (self.console));
  gui_prompt_type (&self, "show(plot{ sim.run(plan.random(g, 9)) }) print 'after'");
  gui_prompt_wait (&self, "after");
  view = find_shown (&self, GOBAN_TYPE_FIGURE_VIEW);
  goban_picture_click (GOBAN_PICTURE (view),
                       (GobanPoint){ goban_picture_get_width (GOBAN_PICTURE (view)) / 2,
                                     goban_picture_get_height (GOBAN_PICTURE (view)) / 2 },
                       1, 0);
  g_assert_cmpuint (g_list_model_get_n_items (goban_session_get_runs (f->session)), ==, n_runs + 1);
  g_assert_cmpstr (goban_run_get_name (goban_session_get_current_run (f->session)), ==, "random");
}

static gboolean
is_drawn (gpointer view)
{
  return gtk_picture_get_paintable (GTK_PICTURE (gui_find (view, GTK_TYPE_PICTURE))) != NULL;
}

/* A run is a picture of its timeline, and a click shows the run. */
static void
test_picture (GuiWindow *f, gconstpointer data)
{
  GuiPrompt self = gui_prompt_open (f);
  GtkWidget *view;

  gui_prompt_type (&self, "show(sim.run(plan.random(g, 9)))");
  view = find_shown (&self, GOBAN_TYPE_RENDERING_VIEW);
  gui_wait (is_drawn, view, "the picture is drawn");
  gui_press (view, GDK_KEY_Return, 0);
  g_assert_cmpstr (goban_run_get_name (goban_session_get_current_run (f->session)), ==, "random");
}

/* Whether the first column of the table of what @line gives takes the room that is left. */
static gboolean
is_first_column_wide (GuiWindow *f, const char *line)
{
  GuiPrompt self = gui_prompt_open (f);
  g_autoptr (GtkColumnViewColumn) first = NULL;
  GtkWidget *view;

  gui_prompt_type (&self, line);
  view = gui_find (find_shown (&self, GOBAN_TYPE_SORTABLE_TABLE), GTK_TYPE_COLUMN_VIEW);
  first = g_list_model_get_item (gtk_column_view_get_columns (GTK_COLUMN_VIEW (view)), 0);
  return gtk_column_view_column_get_expand (first);
}

/* A number is not far from its heading because texts follow it. */
static void
test_table_width (GuiWindow *f, gconstpointer data)
{
  g_assert_false (is_first_column_wide (f, "{ { a = 1, b = 'x' }, { a = 2, b = 'y' } }"));
}

/* With numbers alone a table is no wider than they need, and they share it. */
static void
test_numbers_width (GuiWindow *f, gconstpointer data)
{
  GtkWidget *table;
  int width;

  g_assert_true (is_first_column_wide (f, "{ { a = 1, b = 2 }, { a = 3, b = 4 } }"));
  table = gui_part (f, GOBAN_TYPE_SORTABLE_TABLE);
  gtk_widget_get_size_request (table, &width, NULL);
  g_assert_cmpint (width, <=, 240);
}

static gboolean
has_room (gpointer table)
{
  GtkWidget *view = gtk_widget_get_ancestor (table, GTK_TYPE_TEXT_VIEW);
  int width;

  gtk_widget_get_size_request (table, &width, NULL);
  return gtk_widget_get_width (view) < 900 && width < gtk_widget_get_width (view);
}

/* Long texts have the room that the pane has, also when it becomes narrower. */
static void
test_texts_width (GuiWindow *f, gconstpointer data)
{
  GuiPrompt self = gui_prompt_open (f);
  GtkWidget *table, *view;
  int width;

  gui_prompt_type (&self, "local t = {} for c = 1, 8 do t['column' .. c] = ('x'):rep(40) end "
                          "return { t, t }");
  table = find_shown (&self, GOBAN_TYPE_SORTABLE_TABLE);
  view = gtk_widget_get_ancestor (table, GTK_TYPE_TEXT_VIEW);
  gtk_widget_get_size_request (table, &width, NULL);
  g_assert_cmpint (gtk_widget_get_width (view), >, 1000);
  g_assert_cmpint (width, >, 900);
  g_assert_cmpint (width, <, gtk_widget_get_width (view));
  gui_act (f, "workspace", g_variant_new_string ("script"));
  gui_wait (has_room, table, "a table beside a script");
}

/* Records are a table: sorted by their numbers, and a row selects its node. */
static void
test_table (GuiWindow *f, gconstpointer data)
{
  GuiPrompt self = gui_prompt_open (f);
  g_autofree char *first = NULL;
  g_autofree char *last = NULL;
  GobanSortableTable *table;

  gui_prompt_type (&self, "{ { name = 'a', cost = 2e-3 }, { name = 'b', cost = 1e-5, node = "
                          "g:node(3) }, { name = 'c', cost = 3e-3 } }");
  table = GOBAN_SORTABLE_TABLE (find_shown (&self, GOBAN_TYPE_SORTABLE_TABLE));
  gui_sort (GTK_WIDGET (table), "cost", FALSE);
  first = goban_sortable_table_dup_cell (table, 0, 0);
  last = goban_sortable_table_dup_cell (table, 2, 0);
  g_assert_cmpstr (first, ==, "b");
  g_assert_cmpstr (last, ==, "10 µs");
  g_signal_emit_by_name (gui_child (table, "view"), "activate", 0);
  g_assert_true (has_one_selected (f));
  g_assert_true (goban_selection_contains (goban_session_get_selection (f->session), 3));
}

/* Results say so once the graph, the cluster or the plan they are of was replaced; undo takes that
 * back. What is clicked then does no harm. */
static void
test_stale (GuiWindow *f, gconstpointer data)
{
  GuiPrompt self = gui_prompt_open (f);
  g_autoptr (GobanSelection) none = goban_selection_new (NULL, 0);
  g_autoptr (GobanGraph) other = toy_diamond ();
  GtkWidget *table;

  gui_prompt_type (&self, "{ { name = 'a', node = g:node(3) }, { name = 'b', node = g:node(1) } }");
  table = find_shown (&self, GOBAN_TYPE_SORTABLE_TABLE);
  g_assert_false (gtk_widget_has_css_class (table, "stale"));
  gui_prompt_type (&self, "app.device('gpu:0', { memory = 5e9 })");
  gui_prompt_wait (&self, "↑ from before the cluster was changed");
  g_assert_true (gtk_widget_has_css_class (table, "stale"));
  g_assert_cmpstr (gtk_widget_get_tooltip_text (table), ==, "From before the cluster was changed");
  goban_session_undo (f->session);
  g_assert_false (gtk_widget_has_css_class (table, "stale"));

  goban_session_redo (f->session);
  g_signal_emit_by_name (gui_child (table, "view"), "activate", 0);
  g_assert_true (has_one_selected (f));
  goban_session_set_graph (f->session, other, NULL);
  g_assert_true (gtk_widget_has_css_class (table, "stale"));
  goban_session_set_selection (f->session, none);
  g_signal_emit_by_name (gui_child (table, "view"), "activate", 0);
  g_assert_cmpuint (gui_count_selected (f), ==, 0);
}

/* A derived graph is another graph, not another plan; there is one line, below the results. */
static void
test_stale_derived (GuiWindow *f, gconstpointer data)
{
  GuiPrompt self = gui_prompt_open (f);
  g_autofree char *text = NULL;
  const char *line, *typed;

  gui_prompt_type (&self, "'makes ' .. 6 * 7");
  gui_prompt_wait (&self, "makes 42");
  gui_prompt_type (&self, "view.derive(assert(g:pipeline{ micro_batches = 2 }))");
  gui_prompt_wait (&self, "↑ from before another graph was opened");
  gui_wait (gui_prompt_is_done, &self, "the line is done");
  text = goban_console_output_dup_text (goban_console_view_get_output (self.console));
  line = strstr (text, "↑");
  typed = strstr (text, "view.derive(assert(g:pipeline");
  g_assert_true (line != NULL && typed != NULL && line < typed);
  g_assert_null (strstr (line + 1, "↑"));
}

/* A sweep says how far it is; Stop ends it, and what it found is the last result. */
static void
test_sweep (GuiWindow *f, gconstpointer data)
{
  GuiPrompt self = gui_prompt_open (f);
  GtkWidget *progress = gui_find (GTK_WIDGET (self.console), GTK_TYPE_PROGRESS_BAR);

  gui_prompt_type (&self, "sweep{ n = { 1, 2, 3, 4 }, run = function(v) if v.n == 4 then "
                          "print 'last' while true do end end return v.n end }");
  gui_prompt_wait (&self, "\nlast");
  g_assert_true (gtk_widget_get_visible (progress));
  g_assert_cmpstr (gtk_progress_bar_get_text (GTK_PROGRESS_BAR (progress)), ==, "sweep: 3 of 4");
  stop (&self, FALSE);
  gui_prompt_wait (&self, "interrupted");
  g_assert_false (gtk_widget_get_visible (progress));
  gui_prompt_type (&self, "'found ' .. #_ .. ' ' .. plot(_).kind");
  gui_prompt_wait (&self, "found 3 lines");
}

/* --- controls --------------------------------------------------------------------------------- */

/* Fifty moves in one turn of the loop are at most a few calls, the last of them with the last
 * value; a line typed meanwhile waits for them, and a script does. What the function shows is in
 * one place. */
static void
test_slider (GuiWindow *f, gconstpointer data)
{
  GuiPrompt self = gui_prompt_open (f);
  GtkWidget *panel = gui_part (f, GOBAN_TYPE_CONTROL_PANEL), *scale;
  const GobanConsoleScript script = { .text = "print('script ' .. last)", .name = "script" };

  g_assert_false (gtk_widget_get_visible (panel));
  gui_prompt_type (&self, "ui.slider('GB/s', 1, 100, 12, function(v) n = (n or 0) + 1 last = v "
                          "show(plot{ v, 2 * v }) end)");
  gui_prompt_wait (&self, "Slider GB/s: 12");
  gui_wait (gui_prompt_is_done, &self, "the line has run");
  g_assert_true (gtk_widget_get_visible (panel));
  scale = gui_find (panel, GTK_TYPE_SCALE);
  for (int i = 11; i <= 60; i++)
    gtk_range_set_value (GTK_RANGE (scale), i);
  gui_prompt_type (&self, "print('last ' .. last .. ' ' .. tostring(n <= 4))");
  gui_prompt_wait (&self, "last 60 true");
  gui_wait (gui_prompt_is_done, &self, "the line has run");
  gui_draw (GTK_WIDGET (f->window));
  {
    GtkWidget *figure = gui_find (GTK_WIDGET (self.console), GOBAN_TYPE_FIGURE_VIEW);
    const GobanFigure *shown = goban_figure_view_get_figure (GOBAN_FIGURE_VIEW (figure));

    g_assert_cmpfloat (shown->series[0].y[1], ==, 120);
    for (GtkWidget *next = gtk_widget_get_next_sibling (figure); next != NULL;
         next = gtk_widget_get_next_sibling (next))
      g_assert_false (GOBAN_IS_FIGURE_VIEW (next));
  }
  for (int i = 61; i <= 70; i++)
    gtk_range_set_value (GTK_RANGE (scale), i);
  g_assert_true (goban_console_view_run_script (self.console, &script));
  gui_prompt_wait (&self, "script 70");
  gui_wait (gui_prompt_is_done, &self, "the script has run");
  gui_prompt_type (&self, "ui.clear()");
  gui_wait (gui_prompt_is_done, &self, "the line has run");
  g_assert_false (gtk_widget_get_visible (panel));
}

/* A button's function without an end is stopped as a script is. */
static void
test_button (GuiWindow *f, gconstpointer data)
{
  GuiPrompt self = gui_prompt_open (f);
  GtkWidget *panel = gui_part (f, GOBAN_TYPE_CONTROL_PANEL), *button;

  gui_prompt_type (&self, "ui.button('Forever', function() print 'begun' while true do end end)");
  gui_prompt_wait (&self, "Button Forever");
  gui_wait (gui_prompt_is_done, &self, "the line has run");
  gui_draw (GTK_WIDGET (f->window));
  button = gtk_widget_get_last_child (gtk_widget_get_first_child (panel));
  button = gui_find (button, GTK_TYPE_BUTTON);
  g_assert_cmpstr (gtk_button_get_label (GTK_BUTTON (button)), ==, "Forever");
  g_signal_emit_by_name (button, "clicked");
  gui_prompt_wait (&self, "\nbegun");
  gui_press (self.input, GDK_KEY_c, GDK_CONTROL_MASK);
  gui_prompt_wait (&self, "interrupted");
  gui_prompt_type (&self, "'after' .. 6 * 7");
  gui_prompt_wait (&self, "after42");
}

/* --- policies written in Lua ------------------------------------------------------------------ */

static GobanPlaceMenu *
open_place_menu (GuiWindow *f)
{
  GobanPlaceMenu *menu;

  gui_act (f, "choose-policy", NULL);
  menu = GOBAN_PLACE_MENU (gui_part (f, GOBAN_TYPE_PLACE_MENU));
  gui_wait (gui_is_mapped, menu, "the menu is open");
  return menu;
}

/* Registered at the prompt, it is in the menu and the palette, and leaves its decisions. */
static void
test_lua_policy (GuiWindow *f, gconstpointer data)
{
  GuiPrompt self = gui_prompt_open (f);
  g_autoptr (GPtrArray) commands = NULL;
  gboolean is_listed = FALSE;
  GobanRun *run;

  goban_place_menu_choose (open_place_menu (f), "round-robin");
  gui_wait (gui_has_settled, f, "a policy of the program has placed");
  gui_prompt_type (&self, "n = 0 policy.register('mine', function(_, state) n = n + 1 "
                          "return state.devices[n % 2 + 1] end)");
  gui_wait (gui_prompt_is_done, &self, "the policy is registered");
  goban_place_menu_choose (open_place_menu (f), "mine");
  gui_wait (gui_has_settled, f, "the policy has placed");

  run = goban_session_get_current_run (f->session);
  g_assert_cmpstr (goban_plan_get_policy (goban_run_get_plan (run)), ==, "mine");
  g_assert_cmpuint (goban_decisions_get_n_moments (goban_run_get_decisions (run)), ==, 12);
  g_assert_cmpstr (gui_last_line (f), ==, "view.show(sim.run(plan.mine(g)))");
  commands = goban_command_list_new (G_ACTION_GROUP (f->window));
  for (guint i = 0; i < commands->len; i++)
    is_listed |= g_str_equal (((GobanPaletteEntry *) commands->pdata[i])->label, "Place with mine");
  g_assert_true (is_listed);
  gui_prompt_type (&self, "'asked ' .. n");
  gui_prompt_wait (&self, "asked 12");
}

/* A mistake is a notice, with its traceback in the console; an endless loop leaves the window alive
 * and ends with "Stop". */
static void
test_lua_policy_stops (GuiWindow *f, gconstpointer data)
{
  GuiPrompt self = gui_prompt_open (f);
  Ticks ticks = { 0 };
  guint tick;

  gui_prompt_type (&self, "policy.register('wrong', function(node) return node.nme end)");
  gui_wait (gui_prompt_is_done, &self, "the policy is registered");
  goban_place_menu_choose (open_place_menu (f), "wrong");
  gui_wait_notice (f, "a Node has no field 'nme'");
  gui_prompt_wait (&self, "wrong: console[");

  gui_prompt_type (&self,
                   "policy.register('endless', function() print 'begun' while true do end end)");
  gui_wait (gui_prompt_is_done, &self, "the policy is registered");
  goban_place_menu_choose (open_place_menu (f), "endless");
  gui_prompt_wait (&self, "begun\n");
  tick = g_timeout_add (TICK_MS, tick_cb, &ticks);
  gui_wait (has_ticked, &ticks, "the main loop has turned while the policy runs");
  g_assert_nonnull (goban_session_get_job (f->session));
  gui_prompt_type (&self, "1 + 1");
  gui_prompt_wait (&self, "a policy written in Lua is running; stop it first");
  g_source_remove (tick);
  gui_act (f, "stop", NULL);
  gui_wait (gui_has_no_job, f, "the policy is stopped");
  gui_prompt_type (&self, "'after' .. 6 * 7");
  gui_prompt_wait (&self, "after42");
}

/* --- the script pane -------------------------------------------------------------------------- */

static GobanScriptView *
open_script (GuiWindow *f, const char *path)
{
  GobanScriptView *view = GOBAN_SCRIPT_VIEW (gui_part (f, GOBAN_TYPE_SCRIPT_VIEW));

  gui_act (f, "open-path", g_variant_new_string (path));
  gui_wait (gui_is_mapped, view, "the script pane is shown");
  g_assert_cmpstr (goban_script_view_get_path (view), ==, path);
  return view;
}

/* A script is opened, run whole and in part; its error has a mark at its line. */
static void
test_script_pane (GuiWindow *f, gconstpointer data)
{
  GuiPrompt self = gui_prompt_open (f);
  g_autofree char *folder = g_dir_make_tmp ("goban-scripts-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "try.lua", NULL);
  GobanScriptView *view;
  GobanNoticeBar *notice;
  GtkWidget *text;
  GtkTextBuffer *buffer;
  GtkTextIter iter;

  g_assert_true (g_file_set_contents (
      path, "print('begins ' .. #g)\nlocal x = 20\nprint(x + 1)\nreturn x.y.z\n", -1, NULL));
  view = open_script (f, path);
  gui_act (f, "run-script", NULL);
  gui_prompt_wait (&self, "begins 12\n21\ntry.lua:4: attempt to index a ");
  gui_wait (gui_prompt_is_done, &self, "the script has ended");
  g_assert_cmpint (goban_script_view_get_error_line (view), ==, 4);

  text = gui_find (GTK_WIDGET (view), GTK_SOURCE_TYPE_VIEW);
  buffer = gtk_text_view_get_buffer (GTK_TEXT_VIEW (text));
  gtk_text_buffer_get_iter_at_line (buffer, &iter, 2);
  gtk_text_buffer_place_cursor (buffer, &iter);
  gui_press (text, GDK_KEY_Return, GDK_CONTROL_MASK);
  gui_prompt_wait (&self, "try.lua:3: attempt to perform arithmetic on a nil value");
  gui_wait (gui_prompt_is_done, &self, "the line has ended");
  g_assert_cmpint (goban_script_view_get_error_line (view), ==, 3);

  /* What was changed is asked about before another script takes its place. */
  gtk_text_buffer_insert_at_cursor (buffer, "-- ", -1);
  g_assert_true (goban_script_view_is_modified (view));
  gui_act (f, "open-path", g_variant_new_string (path));
  notice = GOBAN_NOTICE_BAR (gui_part (f, GOBAN_TYPE_NOTICE_BAR));
  g_assert_nonnull (strstr (gui_get_question (notice), "changes that are not saved"));
  gui_act (f, "save-script", NULL);
  g_assert_false (goban_script_view_is_modified (view));
  gui_answer (notice, 1);
  gui_act (f, "run-script", NULL);
  gui_wait (gui_prompt_is_done, &self, "the script has ended");
  g_assert_cmpint (goban_script_view_get_error_line (view), ==, 4);
  remove_folder (folder);
}

static GtkWidget *
find_invitation (GtkWidget *root)
{
  GtkWidget *found = NULL;

  if (g_strcmp0 (gui_get_text (root), "Start from an example.") == 0)
    return root;
  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL && found == NULL;
       child = gtk_widget_get_next_sibling (child))
    found = find_invitation (child);
  return found;
}

/* An empty script takes what is typed, and offers the examples; one with a text does not. */
static void
test_first_example (GuiWindow *f, gconstpointer data)
{
  g_autofree char *folder = project_path ("scripts/examples");
  GobanScriptView *view = GOBAN_SCRIPT_VIEW (gui_part (f, GOBAN_TYPE_SCRIPT_VIEW));
  GtkWidget *invitation = find_invitation (GTK_WIDGET (view));
  GtkWidget *button = gtk_widget_get_next_sibling (invitation);
  g_autoptr (GVariant) target = NULL;

  gui_open_toy (f);
  gtk_widget_grab_focus (GTK_WIDGET (gui_graph_view (f)));
  gui_act (f, "workspace", g_variant_new_string ("script"));
  gui_draw (GTK_WIDGET (view));
  g_assert_true (gtk_widget_has_focus (gui_find (GTK_WIDGET (view), GTK_TYPE_TEXT_VIEW)));
  g_assert_false (gtk_widget_get_mapped (invitation));
  goban_window_set_examples (f->window, folder);
  gui_draw (GTK_WIDGET (view));
  g_assert_true (gtk_widget_get_mapped (invitation));
  target = g_menu_model_get_item_attribute_value (
      gtk_menu_button_get_menu_model (GTK_MENU_BUTTON (button)), 0, G_MENU_ATTRIBUTE_TARGET, NULL);
  g_assert_true (gtk_widget_activate_action_variant (button, "win.open-path", target));
  gui_draw (GTK_WIDGET (view));
  g_assert_true (g_str_has_suffix (goban_script_view_get_path (view), "01-first-steps.lua"));
  g_assert_false (gtk_widget_get_mapped (invitation));
  goban_script_view_set_text (view, "", NULL);
  g_assert_true (gtk_widget_get_mapped (invitation));
}

static void
test_examples (GuiWindow *f, gconstpointer data)
{
  GuiPrompt self = gui_prompt_open (f);
  g_autofree char *folder = project_path ("scripts/examples");
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  goban_window_set_examples (f->window, folder);
  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);
      g_autofree char *output = NULL;
      GobanScriptView *view;

      if (!g_str_has_suffix (name, ".lua"))
        continue;
      view = open_script (f, path);

      goban_console_output_clear (goban_console_view_get_output (self.console));
      gui_act (f, "run-script", NULL);
      g_assert_true (goban_console_view_is_running (self.console));
      gui_wait (gui_prompt_is_done, &self, name);
      output = goban_console_output_dup_text (goban_console_view_get_output (self.console));
      g_test_message ("%s", output);
      g_assert_cmpint (goban_script_view_get_error_line (view), ==, 0);
    }
}

static GListModel *
trainings_of (GuiWindow *f)
{
  return goban_training_list_of (G_OBJECT (f->session));
}

static gboolean
has_learning (gpointer data)
{
  g_autoptr (GobanTrainingJob) learning = g_list_model_get_item (trainings_of (data), 0);

  return learning != NULL
         && goban_training_log_get_n_points (goban_training_job_get_log (learning)) >= 2;
}

/* What a line of the console learns on a graph is among the trainings while it learns, and ends
 * with the line. */
static void
test_learning (GuiWindow *f, gconstpointer data)
{
  GuiPrompt self = gui_prompt_open (f);
  g_autoptr (GobanTrainingJob) learning = NULL;

  gui_prompt_type (&self, "plan.go_oneshot(graph.generate 'rnnlm:layers=2,steps=3', "
                          "{ cluster = 'p100x4', seconds = 3600 })");
  gui_wait (has_learning, f, "updates");
  learning = g_list_model_get_item (trainings_of (f), 0);
  g_assert_cmpint (goban_training_job_get_state (learning), ==, GOBAN_TRAINING_RUNNING);
  g_assert_cmpuint (goban_training_job_get_number_on_graph (learning), ==, 1);
  g_assert_null (goban_training_job_get_job (learning));
  stop (&self, TRUE);
  gui_wait (gui_prompt_is_done, &self, "the line is stopped");
  g_assert_cmpint (goban_training_job_get_state (learning), ==, GOBAN_TRAINING_STOPPED);
  gui_prompt_type (&self, "job.trainings()[1].state .. '!'");
  gui_prompt_wait (&self, "stopped!");
}

TEST_PROGRAM (scripts)
{
  int status;

  gtk_test_init (&argc, &argv, NULL);
  gui_window_begin ();
  gui_window_add ("/ui/scripts/pane", test_script_pane);
  gui_window_add ("/ui/scripts/first-example", test_first_example);
  gui_window_add ("/ui/scripts/examples", test_examples);
  gui_window_add ("/ui/scripts/policy", test_lua_policy);
  gui_window_add ("/ui/scripts/policy-stops", test_lua_policy_stops);
  gui_window_add ("/ui/scripts/prompt-is-seen", test_prompt_is_seen);
  gui_window_add ("/ui/scripts/loop", test_loop);
  gui_window_add ("/ui/scripts/learning", test_learning);
  gui_window_add ("/ui/scripts/sort", test_sort);
  gui_window_add ("/ui/scripts/pattern", test_pattern);
  gui_window_add ("/ui/scripts/pipe", test_pipe);
  for (gsize i = 0; i < G_N_ELEMENTS (endless); i++)
    {
      g_autofree char *path = g_strconcat ("/ui/scripts/endless/", endless[i].name, NULL);

      gui_window_add (path, test_endless);
    }
  gui_window_add ("/ui/scripts/plot", test_plot);
  gui_window_add ("/ui/scripts/picture", test_picture);
  gui_window_add ("/ui/scripts/table", test_table);
  gui_window_add ("/ui/scripts/table-width", test_table_width);
  gui_window_add ("/ui/scripts/texts-width", test_texts_width);
  gui_window_add ("/ui/scripts/numbers-width", test_numbers_width);
  gui_window_add ("/ui/scripts/stale", test_stale);
  gui_window_add ("/ui/scripts/stale-derived", test_stale_derived);
  gui_window_add ("/ui/scripts/sweep", test_sweep);
  gui_window_add ("/ui/scripts/slider", test_slider);
  gui_window_add ("/ui/scripts/button", test_button);
  status = g_test_run ();
  gui_window_end ();
  return status;
}
