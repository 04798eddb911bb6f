/* command-list.h: entries of the command palette: commands, policies, clusters, files, nodes.
 *
 * A command activates one of the window's actions, and shows the equivalent Lua.
 */
#pragma once

#include "engine/session/session.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define GOBAN_TYPE_COMMAND (goban_command_get_type ())
G_DECLARE_FINAL_TYPE (GobanCommand, goban_command, GOBAN, COMMAND, GObject)

/* Text is owned; "" if there is none. */
struct _GobanCommand
{
  GObject parent;

  char *label;
  char *note;       /* description */
  char *keys;       /* "Ctrl+O" */
  char *lua;        /* equivalent Lua */
  char *action;     /* detailed: "win.color::device" */
  GobanNodeId node; /* to select instead of an action, or GOBAN_NO_NODE */

  int score;   /* of the last search */
  guint order; /* in the list */
};

/* The available commands: enabled actions without a missing parameter, "Place with" each policy,
 * clusters, recent files. (transfer full) (element-type GobanCommand) */
GPtrArray *goban_command_list_new (GActionGroup *actions) G_GNUC_WARN_UNUSED_RESULT;
/* Adds a command to go to each mark of the timeline. */
void goban_command_list_add_marks (GPtrArray *list, GobanView *view);

/* A command that selects and shows a node. (transfer full) */
GobanCommand *goban_command_new_for_node (GobanGraph *graph, GobanRun *run,
                                          GobanNodeId node) G_GNUC_WARN_UNUSED_RESULT;

/* The score of the match with the typed text; 0: no match. */
int goban_command_score (GobanCommand *self, const char *typed);

G_END_DECLS
