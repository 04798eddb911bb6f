/* window-private.h: state of the window, and the functions that its source files share. */
#pragma once

#include "ui/compare/compare-page.h"
#include "ui/console/console-view.h"
#include "ui/graph/graph-view.h"
#include "ui/graph/minimap-view.h"
#include "ui/shell/cluster-panel.h"
#include "ui/shell/command-palette.h"
#include "ui/shell/inspector.h"
#include "ui/shell/legend.h"
#include "ui/shell/notes-view.h"
#include "ui/shell/notice-bar.h"
#include "ui/shell/plan-list.h"
#include "ui/shell/search-bar.h"
#include "ui/shell/start-page.h"
#include "ui/shell/status-bar.h"
#include "ui/shell/window-commands.h"
#include "ui/shell/window-files.h"
#include "ui/steps/step-strip.h"
#include "ui/table/node-table.h"
#include "ui/timeline/timeline-view.h"

G_BEGIN_DECLS

typedef struct _GobanWindowFiles GobanWindowFiles;
typedef struct _GobanPending GobanPending;

struct _GobanWindow
{
  GtkApplicationWindow parent;

  GobanSession *session;
  GobanConsoleEvaluator *evaluator; /* (nullable) */
  GobanSettings *settings;          /* borrowed, (nullable) */
  GtkNativeDialog *dialog;          /* the file dialog that is open, else NULL */
  GtkWidget *generator;             /* the open dialog for a generated graph, else NULL */
  char *samples;                    /* (nullable) folder */
  GobanWindowFiles *files;          /* window-document.c's own */
  GobanPending *pending;            /* window-replace.c's own, (nullable) */
  GtkWidget *exporter;              /* the open export dialog, else NULL */
  GtkWidget *preferences;           /* the open preferences window, else NULL */
  GObject *scheme;                  /* (nullable): while the colours are the system's */

  GtkWidget *title;
  GtkWidget *subtitle;
  GtkWidget *cluster_button;
  GtkWidget *place_button;
  GtkWidget *undo_button;
  GtkWidget *redo_button;
  GMenuModel *menu; /* the main menu; its undo and redo labels are updated ... */
  guint label_id;   /* ... by this source, or 0 */

  GtkWidget *notice;
  GtkWidget *upper; /* a stack: "start", "work" or "compare" */
  GtkWidget *compare;
  GtkWidget *start;
  GtkWidget *left;
  GtkWidget *left_paned;
  GtkWidget *right_paned;
  GtkWidget *timeline_paned;
  GtkWidget *console_paned;
  GtkWidget *plans;
  GtkWidget *legend;
  GtkWidget *graph_view;
  GtkWidget *minimap;
  GtkWidget *steps; /* below the graph, if the plan has decision steps */
  GtkWidget *inspector;
  GtkWidget *devices; /* the panel of devices and links */
  GtkWidget *right;   /* stack of both */
  GtkWidget *right_pages;
  GtkWidget *timeline;
  GtkWidget *console;
  GtkWidget *status;

  GtkWidget *search_bar;
  GtkWidget *palette;
  GtkWidget *bottom; /* console, table and notes, in a stack */
  GtkWidget *stack;
  GtkWidget *switcher;
  GtkWidget *table;
  GtkWidget *notes;
  GobanNodeId walk_from; /* node whose neighbours are visited in turn, or GOBAN_NO_NODE */
  guint walk_at;
  gboolean is_walking; /* the present change of the selection comes from that walk */

  char *wanted_policy; /* (nullable): places the graph if no plan fits wanted_cluster ... */
  GobanCluster *wanted_cluster; /* ... once the session has it */
  guint device_key_id;          /* after the key D: timeout for the digit of the device */
  guint view_id;                /* pending update of the status line */
  gboolean has_picture;         /* a graph has been drawn */
  GobanPicture *last_picture;   /* last focused picture: target of zoom and fit */
};

/* window-header.c */
GtkWidget *goban_window_build_header (GobanWindow *self);
void goban_window_update_title (GobanWindow *self);

/* window.c */
void goban_window_update_panes (GobanWindow *self);
gboolean goban_window_get_toggle (GobanWindow *self, const char *action);

/* window-export.c */
void goban_window_drop_exporter (GobanWindow *self);
/* window-compare.c: shows the right page; applies a theme or a toggle to all pictures of the
 * comparison. */
void goban_window_follow_compare (GobanWindow *self);
void goban_window_update_page (GobanWindow *self);
void goban_window_each_compared (GobanWindow *self,
                                 void (*what) (GobanPicture *picture, gpointer data),
                                 gpointer data);

/* window-groups.c: updates the states of "group" and "layout" from the session's view */
void goban_window_follow_groups (GobanWindow *self);

/* window-focus.c: moves the focus to the picture if the focused widget was hidden, or if another
 * page was opened and the user is not typing or choosing by keys. */
void goban_window_keep_focus (GobanWindow *self);
void goban_window_focus_picture (GobanWindow *self);
void goban_window_follow_focus (GobanWindow *self);

/* window-edit.c */
void goban_window_update_history (GobanWindow *self);
void goban_window_watch_keys (GobanWindow *self);
void goban_window_stop_watching_keys (GobanWindow *self);

/* window-finding.c */
GtkWidget *goban_window_build_bottom (GobanWindow *self);
void goban_window_update_bottom (GobanWindow *self);
/* To be connected before anything that moves a camera when the selection changes. */
void goban_window_follow_places (GobanWindow *self);
void goban_window_follow_finding (GobanWindow *self);

/* window-actions.c: takes another cluster; (transfer none) */
void goban_window_adopt_cluster (GobanWindow *self, GobanCluster *cluster);
/* Places the graph again if no plan fits the session's new cluster. */
void goban_window_place_on_cluster (GobanWindow *self);
void goban_window_forget_wanted (GobanWindow *self);

/* window-steps.c */
void goban_window_update_steps (GobanWindow *self);
void goban_window_follow_steps (GobanWindow *self);
/* Whether the playback keys apply to the decision steps, and not to the timeline. */
gboolean goban_window_means_steps (GobanWindow *self);
/* Ends playback, else leaves the step; %FALSE if there was nothing to do */
gboolean goban_window_calm_steps (GobanWindow *self);

/* window-time.c: ends playback, else removes everything drawn over the lanes; %FALSE if there was
 * nothing to do */
gboolean goban_window_calm_timeline (GobanWindow *self);

G_END_DECLS
