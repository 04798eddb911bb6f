#include "tests/ui/gui-window.h"

#include "tests/support/shared-data.h"

#include "engine/session/session-history.h"
#include "engine/session/session-log.h"
#include "engine/session/session-marks.h"
#include "ui/graph/graph-view.h"
#include "ui/panels/notice-bar.h"
#include "ui/timeline/timeline-view-private.h"
#include "ui/widgets/actions.h"

#include <string.h>

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

GobanWindow *
gui_window_new (GobanSession *session)
{
  return goban_window_new (application, session, NULL);
}

static void
set_up (GuiWindow *f, gconstpointer data)
{
  f->session = goban_session_new ();
  f->window = gui_window_new (f->session);
  gtk_window_present (GTK_WINDOW (f->window));
  gui_wait (gui_is_mapped, f->window, "the window is mapped");
}

static void
tear_down (GuiWindow *f, gconstpointer data)
{
  GObject *window = g_object_ref (G_OBJECT (f->window));

  gtk_window_destroy (GTK_WINDOW (f->window));
  gui_wait_finalized (window);
  gui_wait_finalized (f->session);
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

GtkWidget *
gui_dialog (GuiWindow *f, GType type)
{
  g_autoptr (GListModel) all = g_object_ref (gtk_window_get_toplevels ());

  for (guint i = 0; i < g_list_model_get_n_items (all); i++)
    {
      g_autoptr (GtkWindow) window = g_list_model_get_item (all, i);

      if (G_TYPE_CHECK_INSTANCE_TYPE (window, type)
          && gtk_window_get_transient_for (window) == GTK_WINDOW (f->window))
        return GTK_WIDGET (window);
    }
  return NULL;
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

static gboolean
has_toy (gpointer data)
{
  const char *path = goban_session_get_path (((GuiWindow *) data)->session);

  return path != NULL && g_str_has_suffix (path, "toy.dot") && gui_has_settled (data);
}

void
gui_open_toy (GuiWindow *f)
{
  g_autofree char *path = project_path ("samples/toy.dot");

  gui_open_path (f, path);
  gui_wait (has_toy, f, "the sample is open and placed");
  /* The panes beside the picture take their sizes after the first frame. */
  gui_draw (GTK_WIDGET (f->window));
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
gui_has_no_job (gpointer data)
{
  return goban_session_get_job (((GuiWindow *) data)->session) == NULL;
}

const char *
gui_get_question (GobanNoticeBar *bar)
{
  return gtk_widget_get_visible (gui_child (bar, "question"))
             ? gui_child_text (bar, "question_text")
             : NULL;
}

void
gui_answer (GobanNoticeBar *bar, int choice)
{
  GtkWidget *button = gtk_widget_get_first_child (gui_child (bar, "buttons"));

  g_assert_nonnull (gui_get_question (bar));
  while (choice-- > 0)
    button = gtk_widget_get_next_sibling (button);
  g_signal_emit_by_name (button, "clicked");
}

gboolean
gui_has_notice (GuiWindow *f, const char *words)
{
  GtkWidget *bar = gui_part (f, GOBAN_TYPE_NOTICE_BAR);

  return gtk_widget_get_visible (gui_child (bar, "notice"))
         && strstr (gui_child_text (bar, "label"), words) != NULL;
}

typedef struct
{
  GuiWindow *window;
  const char *words;
} Words;

static gboolean
has_words (gpointer data)
{
  Words *notice = data;

  return gui_has_notice (notice->window, notice->words);
}

void
gui_wait_notice (GuiWindow *f, const char *words)
{
  Words notice = { f, words };
  g_autofree char *what = g_strdup_printf ("the notice bar says “%s”", words);

  gui_wait (has_words, &notice, what);
}

static gboolean
is_undone_by_name (gpointer data)
{
  const Words *change = data;

  return g_strcmp0 (goban_session_get_undo_name (change->window->session), change->words) == 0;
}

void
gui_wait_undo (GuiWindow *f, const char *name)
{
  gui_wait (is_undone_by_name, &(Words){ f, name }, name);
}

void
gui_select (GuiWindow *f, const char *name)
{
  GobanNodeId node = goban_graph_find_node (goban_session_get_graph (f->session), name);
  g_autoptr (GobanSelection) one = goban_selection_new (&node, 1);

  g_assert_cmpuint (node, !=, GOBAN_NO_NODE);
  goban_session_set_selection (f->session, one);
}

GobanGraphView *
gui_graph_view (GuiWindow *f)
{
  return GOBAN_GRAPH_VIEW (gui_part (f, GOBAN_TYPE_GRAPH_VIEW));
}

void
gui_settle (GuiWindow *f)
{
  gui_wait (gui_has_settled, f, "the graph is laid out");
  gui_draw (GTK_WIDGET (f->window));
}

guint
gui_count_selected (GuiWindow *f)
{
  guint n;

  goban_selection_get_ids (goban_session_get_selection (f->session), &n);
  return n;
}

const char *
gui_last_line (GuiWindow *f)
{
  const GPtrArray *log = goban_session_get_log (f->session);

  g_assert_cmpuint (log->len, >, 0);
  return g_ptr_array_index (log, log->len - 1);
}

/* The middle of a lane, at a time. */
static GobanPoint
point_of (GobanTimelineView *view, const GobanLane *lane, double time_us)
{
  double ui = goban_picture_get_ui_scale (GOBAN_PICTURE (view));

  return (GobanPoint){ GOBAN_TIMELINE_HEADER * ui + goban_time_camera_to_x (&view->camera, time_us),
                       goban_timeline_view_get_lane_top (view, lane) + lane->height * ui / 2 };
}

gboolean
gui_locate_op (GobanTimelineView *view, GobanNodeId node, GobanPoint *at)
{
  const GobanTimelineScene *scene;
  GobanSlicePlace place;

  scene = goban_timeline_view_get_scene (view);
  place = scene != NULL ? goban_timeline_scene_find_op (scene, node)
                        : (GobanSlicePlace){ GOBAN_NO_LANE, 0 };
  if (place.lane == GOBAN_NO_LANE)
    return FALSE;

  *at = point_of (view, &scene->lanes[place.lane],
                  (scene->lanes[place.lane].slices[place.slice].start_us
                   + scene->lanes[place.lane].slices[place.slice].finish_us)
                      / 2);
  return TRUE;
}

gboolean
gui_locate_lane (GobanTimelineView *view, const char *lane, double time_us, GobanPoint *at)
{
  const GobanTimelineScene *scene;
  guint found;

  scene = goban_timeline_view_get_scene (view);
  found = scene != NULL ? goban_timeline_scene_find_lane (scene, lane) : GOBAN_NO_LANE;
  if (found == GOBAN_NO_LANE || scene->lanes[found].height <= 0)
    return FALSE;

  *at = point_of (view, &scene->lanes[found], time_us);
  return TRUE;
}
