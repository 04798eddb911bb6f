/* A graph of 80,000 nodes in the window: the main loop goes round while workers work. How long it
 * is deaf at most is told and not judged: a loaded machine is no fault of ours.
 * Needs a display: run by gui-run.sh. */
#include "tests/ui/gui.h"

#include "ui/graph/graph-view.h"
#include "ui/shell/window.h"

#include <glib/gstdio.h>

#define N_NODES 80000
#define TICK_MS 2
/* What is done on the main thread in one piece lets through no beat at all. */
#define MIN_BEATS 5

typedef struct
{
  gint64 last_us;
  gint64 longest_us;
  guint n_beats;
} Pulse;

static gboolean
tick_cb (gpointer user_data)
{
  Pulse *pulse = user_data;
  gint64 now_us = g_get_monotonic_time ();

  pulse->longest_us = MAX (pulse->longest_us, now_us - pulse->last_us);
  pulse->last_us = now_us;
  pulse->n_beats++;
  return G_SOURCE_CONTINUE;
}

static void
report (Pulse *pulse, const char *what)
{
  tick_cb (pulse);
  g_test_message ("%s: the main loop was deaf for %.0f ms at most", what,
                  (double) pulse->longest_us / 1000);
  pulse->longest_us = 0;
  pulse->n_beats = 0;
}

static gboolean
has_settled (gpointer data)
{
  GobanWindow *window = data;
  GobanSession *session = goban_window_get_session (window);
  GtkWidget *view = gui_find (GTK_WIDGET (window), GOBAN_TYPE_GRAPH_VIEW);

  return goban_session_get_current_run (session) != NULL && goban_session_get_job (session) == NULL
         && goban_graph_view_is_ready (GOBAN_GRAPH_VIEW (view));
}

static gboolean
exists (gpointer data)
{
  return g_file_test (data, G_FILE_TEST_EXISTS);
}

static char *
write_graph (const char *folder)
{
  char *path = g_build_filename (folder, "large.dot", NULL);
  g_autoptr (GString) text = g_string_new ("digraph large {\n");
  g_autoptr (GError) error = NULL;

  for (guint v = 0; v < N_NODES; v++)
    {
      g_string_append_printf (text, "n%u [weight=%u];\n", v, 5 + v % 89);
      if (v > 0)
        g_string_append_printf (text, "n%u -> n%u [weight=%u];\n", v - 1 - v * 7 % MIN (v, 40), v,
                                1 + v % 13);
    }
  g_string_append (text, "}\n");
  g_file_set_contents (path, text->str, (gssize) text->len, &error);
  g_assert_no_error (error);
  return path;
}

static void
act (GobanWindow *window, const char *name, const char *parameter)
{
  g_action_group_activate_action (G_ACTION_GROUP (window), name,
                                  parameter != NULL ? g_variant_new_string (parameter) : NULL);
}

static void
test_answers (gconstpointer data)
{
  GtkApplication *application = (GtkApplication *) data;
  g_autofree char *folder = g_dir_make_tmp ("goban-XXXXXX", NULL);
  g_autofree char *path = write_graph (folder);
  g_autofree char *picture = g_build_filename (folder, "large.png", NULL);
  g_autoptr (GobanSession) session = goban_session_new ();
  GobanWindow *window = goban_window_new (application, session, NULL);
  Pulse pulse = { .last_us = g_get_monotonic_time () };
  guint pulse_id;

  gtk_window_present (GTK_WINDOW (window));
  gui_draw (GTK_WIDGET (window));
  pulse.last_us = g_get_monotonic_time ();
  pulse_id = g_timeout_add (TICK_MS, tick_cb, &pulse);

  act (window, "open-path", path);
  gui_wait (has_settled, window, "the large graph is open and placed");
  g_assert_cmpuint (pulse.n_beats, >=, MIN_BEATS);
  gui_draw (GTK_WIDGET (window));
  report (&pulse, "opening");
  act (window, "next-plan", NULL);
  gui_draw (GTK_WIDGET (window));
  report (&pulse, "another plan");
  act (window, "color", "priority");
  gui_draw (GTK_WIDGET (window));
  report (&pulse, "another colour");
  act (window, "select-all", NULL);
  gui_draw (GTK_WIDGET (window));
  report (&pulse, "selecting all");
  pulse.n_beats = 0;
  goban_window_export (window, picture, FALSE);
  gui_wait (exists, picture, "the picture is written");
  g_assert_cmpuint (pulse.n_beats, >=, MIN_BEATS);
  report (&pulse, "exporting");

  g_source_remove (pulse_id);
  gtk_window_destroy (GTK_WINDOW (window));
  g_unlink (picture);
  g_unlink (path);
  g_rmdir (folder);
}

int
main (int argc, char **argv)
{
  g_autoptr (GtkApplication) application = NULL;
  g_autoptr (GError) error = NULL;

  gtk_test_init (&argc, &argv, NULL);
  application = gtk_application_new ("org.goban.Test", G_APPLICATION_NON_UNIQUE);
  g_application_register (G_APPLICATION (application), NULL, &error);
  g_assert_no_error (error);
  goban_ui_init ();
  g_test_add_data_func ("/window/large-graph-keeps-answering", application, test_answers);
  return g_test_run ();
}
