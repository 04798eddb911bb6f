/* share.h: runs of one graph as one self-contained HTML page.
 *
 * The page holds the graph, the timelines, the comparison and the decision steps, and the script
 * that shows them: zoom, details under the pointer, one selection in all pictures. It prints on
 * paper, with the graph of both compared plans. It loads nothing from elsewhere. Large graphs are
 * given in less detail: groups in place of nodes, and neighbouring short slices of a timeline as
 * one. Any thread; the same runs give the same bytes. Decisions U37 and U61 (ui/NOTES.md).
 */
#pragma once

#include "engine/core/progress.h"
#include "engine/study/run/run.h"

#include <gio/gio.h>

/* Nodes and closed groups together; of graphs that can be grouped. */
#define GOBAN_SHARE_ITEMS 3000
/* Slices of all timelines together, about. */
#define GOBAN_SHARE_SLICES 60000
/* Steps shown of the decisions that led to a plan. */
#define GOBAN_SHARE_STEPS 48
/* Plans on one page, and how many of them are explained as differences from the first. */
#define GOBAN_SHARE_PLANS 16
#define GOBAN_SHARE_DIFFERENCES 3

typedef struct
{
  GobanRun *const *runs; /* (n_runs) of one graph; the others are compared with the first */
  guint n_runs;
  guint shown;                   /* the one to begin with */
  gboolean has_own_devices;      /* exchangeable devices are not matched */
  const char *script;            /* (nullable) lines of Lua that make the runs again */
  const GobanProgress *progress; /* (nullable) */
} GobanShareOrder;

/* TRUE if @path ends in .html or .htm. */
gboolean goban_share_is_path (const char *path);
/* The same, or "-"; FALSE with %GOBAN_ERROR_UNSUPPORTED set, which says what to do instead. */
gboolean goban_share_check_path (const char *path, GError **error);

/* The page; (transfer full) (nullable): %NULL with %GOBAN_ERROR_INVALID set if there is no run, too
 * many, or one of another graph, or with %GOBAN_ERROR_CANCELLED. */
char *goban_share_new_page (const GobanShareOrder *order, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* The same as a file; "-" is standard output. */
gboolean goban_share_write (const GobanShareOrder *order, const char *path, GError **error);

/* --- in a worker ------------------------------------------------------------------------------ */

/* An order with its own runs, for a file. */
typedef struct
{
  GPtrArray *runs; /* GobanRun */
  guint shown;
  gboolean has_own_devices;
  char *script; /* (nullable) */
  char *path;
} GobanSharing;

/* Without runs yet. (transfer full) */
GobanSharing *goban_sharing_new (const char *path) G_GNUC_WARN_UNUSED_RESULT;
/* All runs of @rows (GobanRunRow); begins with @shown. (transfer full) */
GobanSharing *goban_sharing_new_of_rows (GListModel *rows, GobanRun *shown,
                                         const char *path) G_GNUC_WARN_UNUSED_RESULT;
void goban_sharing_free (gpointer self);
/* The work of a job: writes the file. (transfer full) (nullable): its path */
gpointer goban_sharing_run (const GobanProgress *progress, gpointer self, GError **error);
