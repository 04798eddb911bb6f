/* A graph of 80,000 nodes in the window: the main loop goes round while workers work. How long it
 * is deaf at most is told and not judged: a loaded machine is no fault of ours.
 * Needs a display: run by gui-run.sh. */
#include "tests/support/folder.h"
#include "tests/ui/gui.h"

#include "engine/session/document/opening.h"
#include "engine/session/session-marks.h"
#include "tests/support/test-program.h"
#include "ui/graph/graph-view-private.h"
#include "ui/graph/graph-view.h"
#include "ui/shell/window.h"
#include "ui/timeline/timeline-view-private.h"
#include "ui/timeline/timeline-view.h"

#include <glib/gstdio.h>

#define N_NODES 80000
/* Enough for workers, and soon done. */
#define N_SOME 5000
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
         && goban_graph_view_is_ready (GOBAN_GRAPH_VIEW (view))
         && !goban_timeline_view_is_busy (
             GOBAN_TIMELINE_VIEW (gui_find (GTK_WIDGET (window), GOBAN_TYPE_TIMELINE_VIEW)));
}

static gboolean
exists (gpointer data)
{
  return g_file_test (data, G_FILE_TEST_EXISTS);
}

static char *
write_graph (const char *folder, guint n_nodes)
{
  char *path = g_build_filename (folder, "large.dot", NULL);
  g_autoptr (GString) text = g_string_new ("digraph large {\n");
  g_autoptr (GError) error = NULL;

  for (guint v = 0; v < n_nodes; v++)
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
  g_autofree char *path = write_graph (folder, N_NODES);
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

/* --- scenes from workers ---------------------------------------------------------------------- */

/* What the panes show is what is made of the current run here and now. */
static void
assert_shown (GobanWindow *window)
{
  GobanSession *session = goban_window_get_session (window);
  GobanRun *run = goban_session_get_current_run (session);
  GtkWidget *graph_view = gui_find (GTK_WIDGET (window), GOBAN_TYPE_GRAPH_VIEW);
  GobanTimelineView *timeline
      = GOBAN_TIMELINE_VIEW (gui_find (GTK_WIDGET (window), GOBAN_TYPE_TIMELINE_VIEW));
  g_autoptr (GobanGraphScene) base = goban_graph_scene_new (goban_session_get_graph (session), NULL,
                                                            NULL, goban_run_get_trace (run));
  g_autoptr (GobanTimelineScene) lanes = goban_timeline_scene_new (goban_run_get_trace (run));
  const GobanTimelineScene *shown_lanes;
  GobanGraphPicture picture;

  g_assert_true (goban_graph_view_describe (GOBAN_GRAPH_VIEW (graph_view), &picture));
  g_assert_cmpuint (picture.scene->n_nodes, ==, picture.layout->n_nodes);
  g_assert_cmpstr (picture.scene->subtitle, ==, base->subtitle);
  for (guint v = 0; v < picture.scene->n_nodes; v++)
    if (goban_graph_scene_get_group (picture.scene, v) == NULL)
      {
        const GobanSceneNode *node = &base->nodes[goban_graph_scene_get_id (picture.scene, v)];

        g_assert_cmpuint (picture.scene->nodes[v].device, ==, node->device);
        g_assert_cmpfloat (picture.scene->nodes[v].time_us, ==, node->time_us);
      }
  shown_lanes = goban_timeline_view_describe (timeline).scene;
  g_assert_cmpfloat (shown_lanes->end_us, ==, lanes->end_us);
  for (GobanNodeId v = 0; v < base->n_nodes; v++)
    {
      GobanSlicePlace at = goban_timeline_scene_find_op (lanes, v);
      GobanSlicePlace shown = goban_timeline_scene_find_op (shown_lanes, v);

      g_assert_cmpuint (shown_lanes->lanes[shown.lane].device, ==, lanes->lanes[at.lane].device);
      g_assert_cmpfloat (shown_lanes->lanes[shown.lane].slices[shown.slice].start_us, ==,
                         lanes->lanes[at.lane].slices[at.slice].start_us);
    }
}

static void
settle (GobanWindow *window)
{
  gui_draw (GTK_WIDGET (window)); /* a frame asks for what it lacks */
  gui_wait (has_settled, window, "all scenes are there");
}

static void
select_first (GobanSession *session, guint n)
{
  g_autofree GobanNodeId *ids = g_new (GobanNodeId, n);
  g_autoptr (GobanSelection) some = NULL;

  for (guint i = 0; i < n; i++)
    ids[i] = i;
  some = goban_selection_new (ids, n);
  goban_session_set_selection (session, some);
}

static gboolean
has_other_run (gpointer data)
{
  gpointer *pair = data;

  return goban_session_get_current_run (goban_window_get_session (pair[0])) != pair[1];
}

/* A window of a session of its own, whose reference is the caller's, with that graph placed. */
static GobanWindow *
open_window (gconstpointer application, const char *path)
{
  GobanWindow *window
      = goban_window_new ((GtkApplication *) application, goban_session_new (), NULL);

  gtk_window_present (GTK_WINDOW (window));
  gui_draw (GTK_WIDGET (window));
  act (window, "open-path", path);
  gui_wait (has_settled, window, "the graph is open and placed");
  return window;
}

static void
close_window (GobanWindow *window, GobanSession *session)
{
  gtk_window_destroy (GTK_WINDOW (window));
  gui_wait_finalized (session);
}

/* Whatever changes while scenes are made, the last is what is shown; a window that is closed
 * meanwhile leaves nothing. */
static void
test_scenes (gconstpointer data)
{
  g_autofree char *folder = g_dir_make_tmp ("goban-XXXXXX", NULL);
  g_autofree char *path = write_graph (folder, N_SOME);
  GobanWindow *window = open_window (data, path);
  GobanSession *session = goban_window_get_session (window);
  gpointer pair[2] = { window, NULL };

  settle (window);
  assert_shown (window);

  for (guint i = 0; i < 3; i++)
    {
      act (window, "next-plan", NULL);
      g_main_context_iteration (NULL, FALSE);
    }
  act (window, "color", "slack");
  settle (window);
  assert_shown (window);

  select_first (session, 300);
  pair[1] = goban_session_get_current_run (session);
  g_action_group_activate_action (G_ACTION_GROUP (window), "move-selection",
                                  g_variant_new_int32 (2));
  gui_wait (has_other_run, pair, "the nodes are moved");
  settle (window);
  assert_shown (window);
  act (window, "undo", NULL);
  act (window, "group", "none");
  settle (window);
  assert_shown (window);

  act (window, "next-plan", NULL);
  goban_timeline_view_fit (
      GOBAN_TIMELINE_VIEW (gui_find (GTK_WIDGET (window), GOBAN_TYPE_TIMELINE_VIEW)));
  act (window, "group", "scope");
  close_window (window, session);
  remove_folder (folder);
}

/* --- how many scenes -------------------------------------------------------------------------- */

typedef struct
{
  guint graph;
  guint timeline;
} Asked;

static Asked
count_asked (GobanWindow *window)
{
  return (Asked){
    GOBAN_GRAPH_VIEW (gui_find (GTK_WIDGET (window), GOBAN_TYPE_GRAPH_VIEW))->scenes.n_asked,
    GOBAN_TIMELINE_VIEW (gui_find (GTK_WIDGET (window), GOBAN_TYPE_TIMELINE_VIEW))->scenes.n_asked,
  };
}

static void
assert_asked_once (GobanWindow *window, Asked *before)
{
  Asked now;

  settle (window);
  assert_shown (window);
  now = count_asked (window);
  g_assert_cmpuint (now.graph - before->graph, ==, 1);
  g_assert_cmpuint (now.timeline - before->timeline, ==, 1);
  *before = now;
}

/* However often a view hears of a change, it asks once: for each edit, undo and redo a scene of
 * each pane. */
static void
test_asks_once (gconstpointer data)
{
  g_autofree char *folder = g_dir_make_tmp ("goban-XXXXXX", NULL);
  g_autofree char *path = write_graph (folder, N_SOME);
  GobanWindow *window = open_window (data, path);
  GobanSession *session = goban_window_get_session (window);
  gpointer pair[2] = { window, NULL };
  Asked asked;

  select_first (session, 300);
  settle (window);
  asked = count_asked (window);

  for (int device = 0; device < 4; device++)
    {
      pair[1] = goban_session_get_current_run (session);
      g_action_group_activate_action (G_ACTION_GROUP (window), "move-selection",
                                      g_variant_new_int32 (3 - device));
      gui_wait (has_other_run, pair, "the nodes are moved");
      assert_asked_once (window, &asked);
    }
  act (window, "undo", NULL);
  assert_asked_once (window, &asked);
  act (window, "redo", NULL);
  assert_asked_once (window, &asked);

  close_window (window, session);
  remove_folder (folder);
}

/* --- frames ----------------------------------------------------------------------------------- */

typedef struct
{
  GobanWindow *window;
  GobanRun *before; /* and what the graph pane showed of it */
  const GobanGraphScene *scene;
  guint n_frames; /* since the run is another one */
  guint n_torn;   /* of these, with a pane that shows the run before */
} Frames;

static const GobanGraphScene *
get_scene (GobanWindow *window)
{
  GtkWidget *view = gui_find (GTK_WIDGET (window), GOBAN_TYPE_GRAPH_VIEW);
  GobanGraphPicture picture;

  g_assert_true (goban_graph_view_describe (GOBAN_GRAPH_VIEW (view), &picture));
  return picture.scene;
}

static void
painted_cb (GdkFrameClock *clock, Frames *frames)
{
  GobanRun *run = goban_session_get_current_run (goban_window_get_session (frames->window));
  GobanTimelineView *timeline
      = GOBAN_TIMELINE_VIEW (gui_find (GTK_WIDGET (frames->window), GOBAN_TYPE_TIMELINE_VIEW));

  if (run == frames->before)
    return;
  frames->n_frames++;
  frames->n_torn += timeline->scenes.run != run || get_scene (frames->window) == frames->scene;
}

static void
act_and_watch (Frames *frames, const char *action, GVariant *parameter)
{
  gpointer pair[2] = { frames->window,
                       goban_session_get_current_run (goban_window_get_session (frames->window)) };

  settle (frames->window);
  frames->before = pair[1];
  frames->scene = get_scene (frames->window);
  g_action_group_activate_action (G_ACTION_GROUP (frames->window), action, parameter);
  gui_wait (has_other_run, pair, "there is another run");
  settle (frames->window);
}

/* Header and panes show an edit in one frame. Undo, which nobody prepares for, tells how many
 * frames that saves. */
static void
test_edits_do_not_tear (gconstpointer data)
{
  GobanWindow *window = open_window (data, "gnmt:layers=8");
  GobanSession *session = goban_window_get_session (window);
  GdkFrameClock *clock = gtk_widget_get_frame_clock (GTK_WIDGET (window));
  Frames frames = { .window = window };

  select_first (session, 300);
  settle (window);
  g_signal_connect (clock, "after-paint", G_CALLBACK (painted_cb), &frames);
  for (int i = 0; i < 4; i++)
    act_and_watch (&frames, "move-selection", g_variant_new_int32 (3 - i % 2));
  g_test_message ("edits: %u of %u frames are torn", frames.n_torn, frames.n_frames);
  g_assert_cmpuint (frames.n_frames, >=, 4);
  g_assert_cmpuint (frames.n_torn, ==, 0);

  frames.n_frames = frames.n_torn = 0;
  for (int i = 0; i < 4; i++)
    act_and_watch (&frames, "undo", NULL);
  g_test_message ("undone edits: %u of %u frames are torn", frames.n_torn, frames.n_frames);

  g_signal_handlers_disconnect_by_data (clock, &frames);
  close_window (window, session);
}

/* --- groups ----------------------------------------------------------------------------------- */

static void
regroup (GobanWindow *window, Pulse *pulse, const char *how)
{
  gint64 start_us = g_get_monotonic_time ();

  report (pulse, "before");
  act (window, "group", how);
  g_assert_false (has_settled (window));
  gui_wait (has_settled, window, "the groups are laid out");
  g_test_message ("by %s: laid out after %.0f ms", how,
                  (double) (g_get_monotonic_time () - start_us) / 1000);
  gui_draw (GTK_WIDGET (window));
  report (pulse, how);
}

/* Parameters and uses of 84,464 nodes are found and laid out by a worker: the command returns
 * before. */
static void
test_groups (gconstpointer data)
{
  GobanWindow *window = goban_window_new ((GtkApplication *) data, goban_session_new (), NULL);
  GobanSession *session = goban_window_get_session (window);
  Pulse pulse = { 0 };
  gboolean is_open;
  GobanBox box;
  guint pulse_id;

  gtk_window_present (GTK_WINDOW (window));
  gui_draw (GTK_WIDGET (window));
  goban_session_open_path (session, "gnmt:layers=8");
  gui_wait (has_settled, window, "the graph is open and placed");
  pulse.last_us = g_get_monotonic_time ();
  pulse_id = g_timeout_add (TICK_MS, tick_cb, &pulse);

  regroup (window, &pulse, "parameter");
  regroup (window, &pulse, "use");
  g_assert_true (goban_graph_view_locate_group (
      GOBAN_GRAPH_VIEW (gui_find (GTK_WIDGET (window), GOBAN_TYPE_GRAPH_VIEW)), "use 50", &is_open,
      &box));
  regroup (window, &pulse, "scope");

  g_source_remove (pulse_id);
  close_window (window, session);
}

TEST_PROGRAM (large)
{
  g_autoptr (GtkApplication) application = NULL;
  g_autoptr (GError) error = NULL;

  gtk_test_init (&argc, &argv, NULL);
  application = gtk_application_new ("org.goban.Test", G_APPLICATION_NON_UNIQUE);
  g_application_register (G_APPLICATION (application), NULL, &error);
  g_assert_no_error (error);
  goban_ui_init ();
  g_test_add_data_func ("/window/large-graph-keeps-answering", application, test_answers);
  g_test_add_data_func ("/window/scenes-from-workers", application, test_scenes);
  g_test_add_data_func ("/window/asks-for-one-scene-an-edit", application, test_asks_once);
  g_test_add_data_func ("/window/edits-do-not-tear", application, test_edits_do_not_tear);
  g_test_add_data_func ("/window/large-groups-from-workers", application, test_groups);
  return g_test_run ();
}
