/* file-groups.h: kinds of files by their content, and files that are named together.
 *
 * Plans, clusters, profiles and scripts belong to the graph that is named with them. */
#pragma once

#include <gio/gio.h>

/* In the order in which files of a group are opened: a plan is for the devices of its cluster. */
typedef enum
{
  GOBAN_FILE_IS_GRAPH, /* or a file that cannot be read: opening it says why */
  GOBAN_FILE_IS_SESSION,
  GOBAN_FILE_IS_CLUSTER,
  GOBAN_FILE_IS_PLAN,
  GOBAN_FILE_IS_PROFILE,
  GOBAN_FILE_IS_SCRIPT,
} GobanFileIs;

GobanFileIs goban_file_find_kind (GFile *file);

/* The spec of a generated graph on a command line, "gnmt:layers=2", looks like a file here or like
 * an address of an unknown scheme. (transfer full) (nullable) */
char *goban_file_dup_spec (GFile *file) G_GNUC_WARN_UNUSED_RESULT;

/* Groups for a window each: a graph or session first, and what was named behind it; what was named
 * before the first graph belongs to that. A profile is a graph of its own, unless one stands before
 * it. A plan that fits another of several graphs than the one before it belongs to that other,
 * which needs the graphs read. (transfer full) (element-type GPtrArray) of GFile */
GPtrArray *goban_file_groups_new (GFile *const *files, guint n) G_GNUC_WARN_UNUSED_RESULT;
/* The same in a worker. g_task_propagate_pointer() returns the groups, %NULL if @cancellable
 * (nullable) is cancelled. */
void goban_file_groups_find (GFile *const *files, guint n, GCancellable *cancellable,
                             GAsyncReadyCallback callback, gpointer user_data);

/* Whether a group begins with a graph or session. */
gboolean goban_file_group_has_graph (const GPtrArray *group);
