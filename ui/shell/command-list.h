/* command-list.h: entries of the command palette: commands, policies, clusters, files, nodes.
 *
 * A command is something the window's actions do; what it is called in Lua stands beside it.
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
  char *note;       /* what it does */
  char *keys;       /* "Ctrl+O" */
  char *lua;        /* what a script says for it */
  char *action;     /* detailed: "win.color::device" */
  GobanNodeId node; /* to select instead of an action, or GOBAN_NO_NODE */

  int score;   /* of the last search */
  guint order; /* in the list */
};

/* What can be done now: rows of the table of actions that are enabled and lack nothing, "Place with" each
 * policy, clusters, files used lately. (transfer full) (element-type GobanCommand) */
GPtrArray *goban_command_list_new (GActionGroup *actions) G_GNUC_WARN_UNUSED_RESULT;
/* Adds a command to go to each mark of the timeline. */
void goban_command_list_add_marks (GPtrArray *list, GobanView *view);

/* To select a node and go there. (transfer full) */
GobanCommand *goban_command_new_for_node (GobanGraph *graph, GobanRun *run,
                                          GobanNodeId node) G_GNUC_WARN_UNUSED_RESULT;

/* How well it fits what is typed; 0: it does not. */
int goban_command_score (GobanCommand *self, const char *typed);

G_END_DECLS
