/* edit.h: a manual edit of a run's plan or cluster, simulated at once.
 *
 * An edit is plain values, so that a worker can use it: a drag requests one preview after the other
 * (preview.h), and its release gives the edit to the session (session-edit.h). Pinned nodes
 * keep their devices, also when a policy places the graph in the window.
 *
 * Decision E29 (engine/NOTES.md).
 */
#pragma once

#include "engine/machine/cluster/what-if.h"
#include "engine/study/run/run.h"
#include "engine/study/run/selection.h"

typedef enum
{
  GOBAN_EDIT_MOVE,     /* nodes to device, with their colocation groups */
  GOBAN_EDIT_PRIORITY, /* of nodes: to priority */
  GOBAN_EDIT_URGENCY,  /* nodes go before (+1) or behind (-1) the next op of a device; all of them
                         get the same, smallest possible change of priority */
  GOBAN_EDIT_FUSE,     /* nodes, and those they are fused with, become one kernel */
  GOBAN_EDIT_UNFUSE,   /* the kernels of nodes are dissolved */
  GOBAN_EDIT_DEVICE,   /* number @what of device becomes @value: what-if.h */
  GOBAN_EDIT_LINK,     /* the same for the link between two vertices of the cluster */
  GOBAN_EDIT_CLUSTER,  /* all plans are simulated on another cluster */
} GobanEditKind;

typedef struct
{
  GobanEditKind kind;
  GobanRun *base;         /* NULL only for goban_session_edit_async() */
  GobanRun *run;          /* (nullable): goban_edit_run() of it, if that is known */
  GobanSelection *nodes;  /* (nullable): NULL for devices and links */
  GobanSelection *pinned; /* (nullable): nodes that do not move */
  GobanDeviceId device;   /* of base's cluster */
  gint32 priority;        /* or +1, -1 */
  guint from;             /* vertices of base's cluster */
  guint to;
  const char *what; /* a static string */
  double value;
  gboolean is_alike;     /* DEVICE, LINK: also change those that were equal to it in origin */
  GobanCluster *origin;  /* (nullable): the original cluster; NULL: the base's own */
  GobanCluster *cluster; /* (nullable): of CLUSTER */
} GobanEdit;

/* Takes references. (transfer full) */
GobanEdit *goban_edit_copy (const GobanEdit *edit) G_GNUC_WARN_UNUSED_RESULT;
void goban_edit_free (GobanEdit *edit);

/* Whether it changes the cluster, and not the plan. */
gboolean goban_edit_is_of_cluster (const GobanEdit *edit);

/**
 * goban_edit_run:
 *
 * Copies the base's plan, changes and simulates it; in any thread.
 *
 * Returns: (transfer full) (nullable): a run called "heft, by hand"; the base itself if the edit
 *   changes nothing; or %NULL with %GOBAN_ERROR_INVALID set if a node cannot run there, may not be
 *   fused, or all are pinned
 */
GobanRun *goban_edit_run (const GobanEdit *edit, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* The change of the cluster, for DEVICE and LINK. */
GobanWhatIf goban_edit_get_what_if (const GobanEdit *edit);

/* "move 12 nodes to gpu:1", "fuse 2 nodes". (transfer full) */
char *goban_edit_describe (const GobanEdit *edit) G_GNUC_WARN_UNUSED_RESULT;
/* The nodes alone: "conv1", "12 nodes". (transfer full) */
char *goban_edit_describe_nodes (GobanGraph *graph,
                                 const GobanSelection *nodes) G_GNUC_WARN_UNUSED_RESULT;
/* ":move \"gpu:1\"": the Lua call after the expression of the nodes; not of edits of the cluster.
 * (transfer full) */
char *goban_edit_to_lua (const GobanEdit *edit) G_GNUC_WARN_UNUSED_RESULT;
/* A note about side effects: nodes that moved along or stayed; (nullable). (transfer full) */
char *goban_edit_explain (const GobanEdit *edit) G_GNUC_WARN_UNUSED_RESULT;

/* Whether the run's plan was made by an edit, so that the next edit replaces it. The other: the
 * name of the plan that was edited first, (transfer full) (nullable): NULL if there was none. */
gboolean goban_edit_is_by_hand (GobanRun *run);
char *goban_edit_dup_origin (GobanRun *run) G_GNUC_WARN_UNUSED_RESULT;

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanEdit, goban_edit_free)
