/* With GTK_A11Y=test: what people hear who do not see the window. */
#include "tests/ui/gui-window.h"

#include "engine/session/controls.h"
#include "engine/session/session-marks.h"
#include "engine/session/teaching/glossary.h"
#include "tests/support/test-program.h"
#include "ui/graph/graph-view.h"
#include "ui/graph/minimap-view.h"
#include "ui/panels/place-menu.h"
#include "ui/panels/value-histogram.h"
#include "ui/timeline/timeline-view.h"
#include "ui/widgets/text.h"

#include <gtksourceview/gtksource.h>
#include <string.h>

/* --- names of controls ------------------------------------------------------------------------ */

static gboolean
has_name (GtkWidget *widget)
{
  GtkAccessible *accessible = GTK_ACCESSIBLE (widget);

  return gtk_test_accessible_has_property (accessible, GTK_ACCESSIBLE_PROPERTY_LABEL)
         || gtk_test_accessible_has_relation (accessible, GTK_ACCESSIBLE_RELATION_LABELLED_BY);
}

/* What people act upon, or what stands for a picture. */
static gboolean
is_control (GtkWidget *widget)
{
  return GTK_IS_BUTTON (widget) || GTK_IS_MENU_BUTTON (widget) || GTK_IS_ENTRY (widget)
         || GTK_IS_SEARCH_ENTRY (widget) || GTK_IS_TEXT_VIEW (widget) || GTK_IS_DROP_DOWN (widget)
         || GTK_IS_SPIN_BUTTON (widget) || GTK_IS_SWITCH (widget) || GTK_IS_SCALE (widget)
         || GTK_IS_LIST_VIEW (widget) || GTK_IS_COLUMN_VIEW (widget) || GTK_IS_LIST_BOX (widget)
         || GTK_IS_FLOW_BOX (widget) || GTK_IS_PROGRESS_BAR (widget) || GTK_IS_CHECK_BUTTON (widget)
         || gtk_accessible_get_accessible_role (GTK_ACCESSIBLE (widget)) == GTK_ACCESSIBLE_ROLE_IMG;
}

/* Of these GTK names the parts. */
static gboolean
is_whole (GtkWidget *widget)
{
  return GTK_IS_MENU_BUTTON (widget) || GTK_IS_ENTRY (widget) || GTK_IS_SEARCH_ENTRY (widget)
         || GTK_IS_TEXT_VIEW (widget) || GTK_IS_DROP_DOWN (widget) || GTK_IS_SPIN_BUTTON (widget)
         || GTK_IS_SCROLLBAR (widget) || GTK_IS_WINDOW_CONTROLS (widget)
         || GTK_IS_COLUMN_VIEW (widget) || GTK_IS_STACK_SWITCHER (widget)
         || GTK_IS_POPOVER_MENU (widget) || GTK_IS_BUTTON (widget);
}

static void
add_unnamed (GtkWidget *widget, const char *path, GString *unnamed)
{
  g_autofree char *here = g_strdup_printf ("%s/%s", path, G_OBJECT_TYPE_NAME (widget));
  gboolean is_decoration = GTK_IS_IMAGE (widget);

  if (is_control (widget) && !is_decoration && !has_name (widget))
    g_string_append_printf (unnamed, "\n  %s (%s)", here, gtk_widget_get_tooltip_text (widget));
  if (is_whole (widget) && !GTK_IS_MENU_BUTTON (widget))
    return;
  if (GTK_IS_MENU_BUTTON (widget))
    {
      if (gtk_menu_button_get_popover (GTK_MENU_BUTTON (widget)) != NULL)
        add_unnamed (GTK_WIDGET (gtk_menu_button_get_popover (GTK_MENU_BUTTON (widget))), here,
                     unnamed);
      return;
    }
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    add_unnamed (child, here, unnamed);
}

static void
check_windows (void)
{
  g_autoptr (GString) unnamed = g_string_new (NULL);
  GListModel *all = gtk_window_get_toplevels ();

  for (guint i = 0; i < g_list_model_get_n_items (all); i++)
    {
      g_autoptr (GtkWidget) window = g_list_model_get_item (all, i);

      add_unnamed (window, "", unnamed);
    }
  if (unnamed->len > 0)
    g_error ("controls without a name:%s", unnamed->str);
}

static void
test_start (GuiWindow *f, gconstpointer data)
{
  check_windows ();
}

static void
set_state (GuiWindow *f, const char *action, GVariant *state)
{
  g_action_group_change_action_state (G_ACTION_GROUP (f->window), action, state);
}

static void
test_work (GuiWindow *f, gconstpointer data)
{
  GobanControls *controls = goban_controls_of (G_OBJECT (f->session));

  gui_open_toy (f);
  goban_controls_add (
      controls, &(GobanControl){
                    .kind = GOBAN_CONTROL_SLIDER, .name = (char *) "GB/s", .max = 100, .step = 1 });
  goban_controls_add (controls, &(GobanControl){ .kind = GOBAN_CONTROL_CHOICE,
                                                 .name = (char *) "policy",
                                                 .choices = (char *[]){ (char *) "heft", NULL } });
  goban_controls_add (controls,
                      &(GobanControl){ .kind = GOBAN_CONTROL_BUTTON, .name = (char *) "Go" });
  set_state (f, "table-pane", g_variant_new_boolean (TRUE));
  set_state (f, "notes-pane", g_variant_new_boolean (TRUE));
  set_state (f, "color", g_variant_new_string ("cost"));
  gui_act (f, "search", NULL);
  gui_draw (GTK_WIDGET (f->window));
  check_windows ();
  gui_act (f, "select-all", NULL);
  gui_act (f, "palette", NULL);
  gui_draw (GTK_WIDGET (f->window));
  check_windows ();
}

static void
test_dialogs (GuiWindow *f, gconstpointer data)
{
  gui_open_toy (f);
  gui_act (f, "generate", NULL);
  gui_act (f, "export-graph", NULL);
  gui_draw (GTK_WIDGET (f->window));
  check_windows ();
}

/* --- terms in headers ------------------------------------------------------------------------- */

static void
add_unexplained (GtkWidget *widget, guint *n_explained, GString *unexplained)
{
  const char *text = goban_is_header (widget) ? gtk_label_get_text (GTK_LABEL (widget)) : "";
  const GobanGlossaryEntry *entry = goban_glossary_find_label (text);
  const char *tooltip = gtk_widget_get_tooltip_text (widget);

  if (entry != NULL && (tooltip == NULL || strstr (tooltip, entry->definition) == NULL))
    g_string_append_printf (unexplained, "\n  %s", text);
  else if (entry != NULL)
    (*n_explained)++;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    add_unexplained (child, n_explained, unexplained);
}

static guint
check_headers (void)
{
  g_autoptr (GString) unexplained = g_string_new (NULL);
  GListModel *all = gtk_window_get_toplevels ();
  guint n_explained = 0;

  for (guint i = 0; i < g_list_model_get_n_items (all); i++)
    {
      g_autoptr (GtkWidget) window = g_list_model_get_item (all, i);

      add_unexplained (window, &n_explained, unexplained);
    }
  if (unexplained->len > 0)
    g_error ("headers without the glossary's definition of their term:%s", unexplained->str);
  return n_explained;
}

/* Dialogs hold the session. */
static void
close_dialogs (GuiWindow *f)
{
  g_autoptr (GListModel) all = g_object_ref (gtk_window_get_toplevels ());

  for (guint i = g_list_model_get_n_items (all); i > 0; i--)
    {
      g_autoptr (GtkWindow) window = g_list_model_get_item (all, i - 1);

      if (window != NULL && window != GTK_WINDOW (f->window))
        gtk_window_destroy (window);
    }
}

/* What a header names and the glossary defines has the definition on hover: in tables, panes,
 * menus and dialogs. */
static void
test_headers (GuiWindow *f, gconstpointer data)
{
  guint n_panes;
  GtkWidget *menu;

  gui_open_toy (f);
  set_state (f, "table-pane", g_variant_new_boolean (TRUE));
  gui_act (f, "choose-policy", NULL);
  menu = gui_part (f, GOBAN_TYPE_PLACE_MENU);
  gui_wait (gui_is_mapped, menu, "the menu is open");
  n_panes = check_headers ();
  gtk_popover_popdown (GTK_POPOVER (menu));
  gui_wait (gui_is_unmapped, menu, "the menu is closed");
  g_assert_cmpuint (n_panes, >=, 6);
  gui_act (f, "workspace", g_variant_new_string ("compare"));
  gui_draw (GTK_WIDGET (f->window));
  g_assert_cmpuint (check_headers (), >=, n_panes);
  gui_act (f, "measure", NULL);
  gui_act (f, "networks", NULL);
  gui_act (f, "generate", NULL);
  gui_draw (GTK_WIDGET (f->window));
  g_assert_cmpuint (check_headers (), >=, n_panes);
  close_dialogs (f);
}

/* --- descriptions of pictures ----------------------------------------------------------------- */

/* (transfer full): what is said. A wrong guess is answered with the value. */
static char *
dup_property (GtkWidget *widget, GtkAccessibleProperty property)
{
  char *value = gtk_test_accessible_check_property (GTK_ACCESSIBLE (widget), property, "\001");

  return value != NULL ? value : g_strdup ("");
}

static char *
dup_said (GtkWidget *widget)
{
  g_autofree char *label = dup_property (widget, GTK_ACCESSIBLE_PROPERTY_LABEL);
  g_autofree char *description = dup_property (widget, GTK_ACCESSIBLE_PROPERTY_DESCRIPTION);

  return g_strconcat (label, " ", description, NULL);
}

static void
assert_says (GtkWidget *widget, const char *words)
{
  g_autofree char *said = dup_said (widget);

  if (strstr (said, words) == NULL)
    g_error ("%s says “%s”, and nothing of “%s”", G_OBJECT_TYPE_NAME (widget), said, words);
}

/* Each says something else once what it shows is something else. */
static void
test_pictures (GuiWindow *f, gconstpointer data)
{
  GtkWidget *graph = gui_part (f, GOBAN_TYPE_GRAPH_VIEW);
  GtkWidget *timeline = gui_part (f, GOBAN_TYPE_TIMELINE_VIEW);
  GtkWidget *map = gui_part (f, GOBAN_TYPE_MINIMAP_VIEW);
  GobanNodeId node = 0;
  g_autoptr (GobanSelection) one = goban_selection_new (&node, 1);
  const char *name;
  g_autofree char *before = NULL;
  g_autofree char *after = NULL;

  assert_says (graph, "nothing is open");
  assert_says (timeline, "no plan");
  gui_open_toy (f);
  name = goban_graph_get_node (goban_session_get_graph (f->session), 0)->name;
  assert_says (graph, " nodes");
  assert_says (timeline, " ms");
  assert_says (map, "Map");
  goban_session_set_selection (f->session, one);
  gui_draw (GTK_WIDGET (f->window));
  assert_says (graph, name);
  assert_says (timeline, name);

  set_state (f, "color", g_variant_new_string ("cost"));
  gui_draw (GTK_WIDGET (f->window));
  assert_says (graph, "ost");
  before = dup_said (gui_part (f, GOBAN_TYPE_VALUE_HISTOGRAM));
  set_state (f, "color", g_variant_new_string ("slack"));
  gui_draw (GTK_WIDGET (f->window));
  after = dup_said (gui_part (f, GOBAN_TYPE_VALUE_HISTOGRAM));
  g_assert_cmpstr (before, !=, after);

  before = (g_free (before), dup_said (map));
  gui_act (f, "zoom-in", NULL);
  gui_act (f, "zoom-in", NULL);
  gui_act (f, "zoom-in", NULL);
  gui_draw (GTK_WIDGET (f->window));
  after = (g_free (after), dup_said (map));
  g_assert_cmpstr (before, !=, after);
}

TEST_PROGRAM (access)
{
  int status;

  g_setenv ("GTK_A11Y", "test", TRUE);
  gtk_test_init (&argc, &argv, NULL);
  gui_window_begin ();
  gui_window_add ("/ui/access/start", test_start);
  gui_window_add ("/ui/access/work", test_work);
  gui_window_add ("/ui/access/dialogs", test_dialogs);
  gui_window_add ("/ui/access/headers", test_headers);
  gui_window_add ("/ui/access/pictures", test_pictures);
  status = g_test_run ();
  gui_window_end ();
  return status;
}
