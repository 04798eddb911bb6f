/* gui-window.h: a fixture for tests of the whole window: one over a session of its own. */
#pragma once

#include "tests/ui/gui.h"

#include "ui/graph/graph-view.h"
#include "ui/panels/notice-bar.h"
#include "ui/shell/window.h"
#include "ui/timeline/timeline-view.h"

typedef struct
{
  GobanSession *session;
  GobanWindow *window;
} GuiWindow;

/* Around all tests of a program: a program registers once. Begin after gtk_test_init(). */
void gui_window_begin (void);
void gui_window_end (void);
/* Adds a test with a window of its own, which must leave nothing behind. */
void gui_window_add (const char *path, void (*test) (GuiWindow *f, gconstpointer data));

/* A window of the program's application, for who looks after it alone. */
GobanWindow *gui_window_new (GobanSession *session);

/* The part of the window of that type. */
GtkWidget *gui_part (GuiWindow *f, GType type);
/* The dialog of the window of that type, or NULL. */
GtkWidget *gui_dialog (GuiWindow *f, GType type);
void gui_act (GuiWindow *f, const char *action, GVariant *parameter);

void gui_open_path (GuiWindow *f, const char *path);
/* Opens samples/toy.dot and waits until it is placed and shown. */
void gui_open_toy (GuiWindow *f);

/* The question that the notice bar shows, or NULL; and its answer by the button at @choice. */
const char *gui_get_question (GobanNoticeBar *bar);
void gui_answer (GobanNoticeBar *bar, int choice);
/* Waits until the notice bar's text has @words in it. */
void gui_wait_notice (GuiWindow *f, const char *words);
gboolean gui_has_notice (GuiWindow *f, const char *words);

/* Waits until what can be undone has that name. */
void gui_wait_undo (GuiWindow *f, const char *name);
/* Selects the node of that name alone. */
void gui_select (GuiWindow *f, const char *name);

/* For gui_wait(): @data is the GuiWindow. */
gboolean gui_has_settled (gpointer data);
gboolean gui_has_no_job (gpointer data);

GobanGraphView *gui_graph_view (GuiWindow *f);
/* The centre of an op's slice in device pixels; FALSE if there is none. */
gboolean gui_locate_op (GobanTimelineView *view, GobanNodeId node, GobanPoint *at);
/* The same of a lane, at a time. */
gboolean gui_locate_lane (GobanTimelineView *view, const char *lane, double time_us,
                          GobanPoint *at);
/* Waits until the graph is laid out, and draws it. */
void gui_settle (GuiWindow *f);

guint gui_count_selected (GuiWindow *f);
/* The last line of the session's log. Borrowed. */
const char *gui_last_line (GuiWindow *f);
