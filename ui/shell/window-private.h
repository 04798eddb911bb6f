/* window-private.h: what the window's files share: its parts, and the commands of actions.c. */
#pragma once

#include "ui/console/console-view.h"
#include "ui/graph/graph-view.h"
#include "ui/graph/minimap-view.h"
#include "ui/shell/command-palette.h"
#include "ui/shell/inspector.h"
#include "ui/shell/legend.h"
#include "ui/shell/notice-bar.h"
#include "ui/shell/plan-list.h"
#include "ui/shell/search-bar.h"
#include "ui/shell/start-page.h"
#include "ui/shell/status-bar.h"
#include "ui/shell/window-files.h"
#include "ui/shell/window.h"
#include "ui/table/node-table.h"
#include "ui/timeline/timeline-view.h"

G_BEGIN_DECLS

typedef struct _GobanWindowFiles GobanWindowFiles;

struct _GobanWindow
{
  GtkApplicationWindow parent;

  GobanSession *session;
  GobanConsoleEvaluator *evaluator; /* (nullable) */
  GobanSettings *settings;          /* borrowed, (nullable) */
  GtkNativeDialog *dialog;          /* the file dialog that is open, else NULL */
  GtkWidget *generator;             /* the dialog that asks for a generated graph, else NULL */
  char *samples;                    /* (nullable) folder */
  GobanWindowFiles *files;          /* window-document.c's own */
  GtkWidget *preferences;           /* the window of them that is open, else NULL */
  GObject *scheme;                  /* (nullable): while the colours are the system's */

  GtkWidget *title;
  GtkWidget *subtitle;
  GtkWidget *cluster_button;
  GtkWidget *place_button;
  GtkWidget *undo_button;
  GtkWidget *redo_button;
  GMenuModel *menu; /* the main menu, whose labels follow the history */

  GtkWidget *notice;
  GtkWidget *upper; /* a stack: "start" or "work" */
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
  GtkWidget *inspector;
  GtkWidget *timeline;
  GtkWidget *console;
  GtkWidget *status;

  GtkWidget *search_bar;
  GtkWidget *palette;
  GtkWidget *bottom; /* console and table, in a stack of which one is seen */
  GtkWidget *stack;
  GtkWidget *switcher;
  GtkWidget *table;
  GobanNodeId walk_from; /* whose neighbours are gone through, or GOBAN_NO_NODE */
  guint walk_at;
  gboolean is_walking; /* the selection changes by going through them */

  guint device_key_id;        /* D was pressed: a digit says to which device, until this goes off */
  guint view_id;              /* the status line is told of a new picture soon */
  GobanPicture *last_picture; /* the one that had the focus last: what zoom and fit mean */
};

/* window-header.c */
GtkWidget *goban_window_build_header (GobanWindow *self);
void goban_window_update_title (GobanWindow *self);

/* window.c */
void goban_window_update_panes (GobanWindow *self);
gboolean goban_window_get_toggle (GobanWindow *self, const char *action);

/* window-groups.c: keeps the states of "group" and "layout" as the session's view has them */
void goban_window_follow_groups (GobanWindow *self);

/* window-edit.c */
void goban_window_update_history (GobanWindow *self);
void goban_window_watch_keys (GobanWindow *self);
void goban_window_stop_watching_keys (GobanWindow *self);

/* window-finding.c */
GtkWidget *goban_window_build_bottom (GobanWindow *self);
void goban_window_update_bottom (GobanWindow *self);
/* Before anything that moves a camera when the selection changes. */
void goban_window_follow_places (GobanWindow *self);
void goban_window_follow_finding (GobanWindow *self);

/* The commands of actions.c; the parameter is NULL where there is none. */
void goban_window_generate (GobanWindow *self, GVariant *parameter);
void goban_window_choose_file (GobanWindow *self, GVariant *parameter);
void goban_window_open_path (GobanWindow *self, GVariant *parameter);
void goban_window_reload (GobanWindow *self, GVariant *parameter);
void goban_window_save_plan (GobanWindow *self, GVariant *parameter);
void goban_window_export_graph (GobanWindow *self, GVariant *parameter);
void goban_window_export_timeline (GobanWindow *self, GVariant *parameter);
void goban_window_export_trace (GobanWindow *self, GVariant *parameter);
void goban_window_choose_cluster_file (GobanWindow *self, GVariant *parameter);

void goban_window_place (GobanWindow *self, GVariant *parameter);
void goban_window_place_with (GobanWindow *self, GVariant *parameter);
void goban_window_place_quick (GobanWindow *self, GVariant *parameter);
void goban_window_choose_policy (GobanWindow *self, GVariant *parameter);
/* Takes another cluster; (transfer none). */
void goban_window_adopt_cluster (GobanWindow *self, GobanCluster *cluster);
void goban_window_choose_preset (GobanWindow *self, GVariant *parameter);
void goban_window_next_plan (GobanWindow *self, GVariant *parameter);
void goban_window_previous_plan (GobanWindow *self, GVariant *parameter);
void goban_window_remove_plan (GobanWindow *self, GVariant *parameter);
void goban_window_stop (GobanWindow *self, GVariant *parameter);
void goban_window_close_group (GobanWindow *self, GVariant *parameter);
void goban_window_close_groups (GobanWindow *self, GVariant *parameter);
void goban_window_undo (GobanWindow *self, GVariant *parameter);
void goban_window_redo (GobanWindow *self, GVariant *parameter);
void goban_window_move_selection (GobanWindow *self, GVariant *parameter);
void goban_window_device_key (GobanWindow *self, GVariant *parameter);
void goban_window_change_urgency (GobanWindow *self, GVariant *parameter);
void goban_window_fuse (GobanWindow *self, GVariant *parameter);
void goban_window_pin (GobanWindow *self, GVariant *parameter);
void goban_window_hide (GobanWindow *self, GVariant *parameter);
void goban_window_unhide (GobanWindow *self, GVariant *parameter);
void goban_window_fit (GobanWindow *self, GVariant *parameter);
void goban_window_morph (GobanWindow *self, GVariant *parameter);
void goban_window_open_group (GobanWindow *self, GVariant *parameter);
void goban_window_zoom_selection (GobanWindow *self, GVariant *parameter);
void goban_window_zoom_in (GobanWindow *self, GVariant *parameter);
void goban_window_zoom_out (GobanWindow *self, GVariant *parameter);
void goban_window_pan (GobanWindow *self, GVariant *parameter);
void goban_window_select_all (GobanWindow *self, GVariant *parameter);
void goban_window_select_none (GobanWindow *self, GVariant *parameter);
void goban_window_select_neighbours (GobanWindow *self, GVariant *parameter);
void goban_window_step (GobanWindow *self, GVariant *parameter);
/* window-time.c */
void goban_window_centre (GobanWindow *self, GVariant *parameter);
void goban_window_play (GobanWindow *self, GVariant *parameter);
void goban_window_play_speed (GobanWindow *self, GVariant *parameter);
void goban_window_seek (GobanWindow *self, GVariant *parameter);
void goban_window_no_time (GobanWindow *self, GVariant *parameter);
void goban_window_why (GobanWindow *self, GVariant *parameter);
void goban_window_arrows (GobanWindow *self, GVariant *parameter);
void goban_window_all_lanes (GobanWindow *self, GVariant *parameter);
/* Ends playing, else takes away what lies over the lanes; FALSE where there is nothing of that. */
gboolean goban_window_calm_timeline (GobanWindow *self);

void goban_window_escape (GobanWindow *self, GVariant *parameter);
void goban_window_search (GobanWindow *self, GVariant *parameter);
void goban_window_close_search (GobanWindow *self, GVariant *parameter);
void goban_window_next_match (GobanWindow *self, GVariant *parameter);
void goban_window_previous_match (GobanWindow *self, GVariant *parameter);
void goban_window_select_matches (GobanWindow *self, GVariant *parameter);
void goban_window_filter_matches (GobanWindow *self, GVariant *parameter);
void goban_window_hide_matches (GobanWindow *self, GVariant *parameter);
void goban_window_palette (GobanWindow *self, GVariant *parameter);
void goban_window_back (GobanWindow *self, GVariant *parameter);
void goban_window_forward (GobanWindow *self, GVariant *parameter);
void goban_window_store_view (GobanWindow *self, GVariant *parameter);
void goban_window_recall_view (GobanWindow *self, GVariant *parameter);
void goban_window_walk (GobanWindow *self, GVariant *parameter);
void goban_window_neighbour (GobanWindow *self, GVariant *parameter);
void goban_window_copy_text (GobanWindow *self, GVariant *parameter);
void goban_window_copy_lua (GobanWindow *self, GVariant *parameter);
void goban_window_copy_rows (GobanWindow *self, GVariant *parameter);
void goban_window_show_shortcuts (GobanWindow *self, GVariant *parameter);
void goban_window_show_about (GobanWindow *self, GVariant *parameter);
void goban_window_close (GobanWindow *self, GVariant *parameter);
void goban_window_quit (GobanWindow *self, GVariant *parameter);

/* Changes of state, already stored in the action. */
void goban_window_color_changed (GobanWindow *self, GVariant *state);
void goban_window_critical_changed (GobanWindow *self, GVariant *state);
void goban_window_dark_changed (GobanWindow *self, GVariant *state);
void goban_window_minimap_changed (GobanWindow *self, GVariant *state);
void goban_window_group_changed (GobanWindow *self, GVariant *state);
void goban_window_layout_changed (GobanWindow *self, GVariant *state);
void goban_window_pane_changed (GobanWindow *self, GVariant *state);
void goban_window_table_changed (GobanWindow *self, GVariant *state);
void goban_window_fullscreen_changed (GobanWindow *self, GVariant *state);

G_END_DECLS
