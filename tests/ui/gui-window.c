#include "tests/ui/gui-window.h"

#include "tests/support/shared-data.h"

#include "ui/graph/graph-view.h"
#include "ui/shell/actions.h"
#include "ui/shell/notice-bar.h"

static GtkApplication *application;

void
gui_window_begin (void)
{
  g_autoptr (GError) error = NULL;

  application = gtk_application_new ("org.goban.Test", G_APPLICATION_NON_UNIQUE);
  g_application_register (G_APPLICATION (application), NULL, &error);
  g_assert_no_error (error);
  goban_ui_init ();
  goban_actions_add_accels (application);
}

void
gui_window_end (void)
{
  g_clear_object (&application);
}

static gboolean
is_mapped (gpointer data)
{
  return gtk_widget_get_mapped (data) && gtk_widget_get_width (data) > 0;
}

static void
set_up (GuiWindow *f, gconstpointer data)
{
  f->session = goban_session_new ();
  f->window = goban_window_new (application, f->session, NULL);
  gtk_window_present (GTK_WINDOW (f->window));
  gui_wait (is_mapped, f->window, "the window is mapped");
}

static void
tear_down (GuiWindow *f, gconstpointer data)
{
  GObject *window = g_object_ref (G_OBJECT (f->window));

  gtk_window_destroy (GTK_WINDOW (f->window));
  gui_settle (30);
  g_assert_finalize_object (window);
  g_assert_finalize_object (f->session);
}

void
gui_window_add (const char *path, void (*test) (GuiWindow *f, gconstpointer data))
{
  g_test_add (path, GuiWindow, NULL, set_up, test, tear_down);
}

GtkWidget *
gui_part (GuiWindow *f, GType type)
{
  GtkWidget *found = gui_find (GTK_WIDGET (f->window), type);

  g_assert_nonnull (found);
  return found;
}

void
gui_act (GuiWindow *f, const char *action, GVariant *parameter)
{
  g_action_group_activate_action (G_ACTION_GROUP (f->window), action, parameter);
}

void
gui_open_path (GuiWindow *f, const char *path)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);

  goban_window_open_file (f->window, file);
}

void
gui_open_toy (GuiWindow *f)
{
  g_autofree char *path = project_path ("samples/toy.dot");

  gui_open_path (f, path);
  gui_wait (gui_has_settled, f, "the sample is open and placed");
  /* The panes beside the picture take their sizes after the first frame. */
  gui_settle (200);
}

gboolean
gui_has_settled (gpointer data)
{
  GuiWindow *f = data;

  return goban_session_get_current_run (f->session) != NULL
         && goban_session_get_job (f->session) == NULL
         && goban_graph_view_is_ready (GOBAN_GRAPH_VIEW (gui_part (f, GOBAN_TYPE_GRAPH_VIEW)));
}

gboolean
gui_has_notice (gpointer data)
{
  return goban_notice_bar_get_text (data) != NULL;
}
