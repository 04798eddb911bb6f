/* edit.h: a manual edit of a run's plan or cluster, simulated at once.
 *
 * An edit is plain values, so that a worker can have it: dragging asks for one edit after the other
 * (preview.h), and what is let go of becomes the session's (goban_session_add_edit()). Pinned nodes
 * stay where they are; policies take no notice of pins.
 */
#pragma once

#include "engine/session/session.h"
#include "engine/session/set-words.h"
#include "engine/session/what-if.h"

G_BEGIN_DECLS

typedef enum
{
  GOBAN_EDIT_MOVE,     /* nodes to device, with their colocation groups */
  GOBAN_EDIT_PRIORITY, /* of nodes: to priority */
  GOBAN_EDIT_URGENCY, /* nodes go before (+1) or behind (-1) the next op of a device, by a change of
                          priority that is the same for all of them and as small as can be */
  GOBAN_EDIT_FUSE,    /* nodes, and what they are fused with, become one kernel */
  GOBAN_EDIT_UNFUSE,  /* kernels of nodes are taken apart */
  GOBAN_EDIT_DEVICE,  /* device's number what becomes value: what-if.h */
  GOBAN_EDIT_LINK,    /* the same for what joins two vertices of the cluster */
  GOBAN_EDIT_CLUSTER, /* all plans go to another cluster */
} GobanEditKind;

typedef struct
{
  GobanEditKind kind;
  GobanRun *base; /* (nullable) for goban_session_edit(): the current one when its turn comes */
  GobanSelection *nodes;  /* (nullable): NULL for devices and links */
  GobanSelection *pinned; /* (nullable): nodes that do not move */
  GobanDeviceId device;   /* of base's cluster */
  gint32 priority;        /* or +1, -1 */
  guint from;             /* vertices of base's cluster */
  guint to;
  const char *what; /* a static string */
  double value;
  gboolean is_alike;     /* of DEVICE, LINK: what was like it in origin changes too */
  GobanCluster *origin;  /* (nullable): what the cluster began with; NULL: the base's own */
  GobanCluster *cluster; /* (nullable): of CLUSTER */
} GobanEdit;

/* Of the current run, with what is pinned now. @nodes: (nullable). (transfer full) */
GobanEdit *goban_edit_new (GobanSession *session, GobanEditKind kind,
                           GobanSelection *nodes) G_GNUC_WARN_UNUSED_RESULT;
/* Takes references. (transfer full) */
GobanEdit *goban_edit_copy (const GobanEdit *edit) G_GNUC_WARN_UNUSED_RESULT;
void goban_edit_free (GobanEdit *edit);

/* Whether it changes a number of the cluster, and not the plan. */
gboolean goban_edit_is_of_cluster (const GobanEdit *edit);

/**
 * goban_edit_run:
 *
 * Copies the base's plan, changes and simulates it; in any thread.
 *
 * Returns: (transfer full) (nullable): a run called "heft, by hand"; the base itself where the edit changes nothing; or
 *   %NULL with %GOBAN_ERROR_INVALID set if a node cannot run there, may not be fused, or all are pinned
 */
GobanRun *goban_edit_run (const GobanEdit *edit, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* What DEVICE and LINK change. */
GobanWhatIf goban_edit_get_what_if (const GobanEdit *edit);

/* "move 12 nodes to gpu:1", "fuse 2 nodes". (transfer full) */
char *goban_edit_describe (const GobanEdit *edit) G_GNUC_WARN_UNUSED_RESULT;
/* The same of nodes alone: "conv1", "12 nodes". (transfer full) */
char *goban_edit_describe_nodes (GobanGraph *graph,
                                 const GobanSelection *nodes) G_GNUC_WARN_UNUSED_RESULT;
/* g:nodes{"a"}:move "gpu:1". @words: (nullable): may say the nodes shorter. (transfer full) */
char *goban_edit_to_lua (const GobanEdit *edit, GobanSetWords *words) G_GNUC_WARN_UNUSED_RESULT;
/* What people may wonder about: what moved along, what stayed; (nullable). (transfer full) */
char *goban_edit_explain (const GobanEdit *edit) G_GNUC_WARN_UNUSED_RESULT;

/* Whether the run's plan was made by an edit, so that the next edit takes its place; and the name of the plan that was
 * the first to be edited, (transfer full) (nullable): NULL if it was not. */
gboolean goban_edit_is_by_hand (GobanRun *run);
char *goban_edit_dup_origin (GobanRun *run) G_GNUC_WARN_UNUSED_RESULT;

/* --- the session's commands ------------------------------------------------------------- */

/**
 * goban_session_add_edit:
 *
 * Takes the run that came of @edit, as one change with its name, logs it, and says what followed. A run that was itself
 * made by hand gives its place in the list to it, and a policy's keeps its own; base is the ghost. Nothing happens if the
 * run is the base. Another cluster has the other plans simulated on it here and now; goban_session_edit() does not.
 *
 * Returns: %TRUE; or %FALSE with %GOBAN_ERROR_INVALID set if the base is no run of the list any more
 */
gboolean goban_session_add_edit (GobanSession *session, const GobanEdit *edit, GobanRun *run,
                                 GError **error);

/* Simulates in a worker, for another cluster all plans of the list, then adds: what keys and menus do, and a slider that
 * is let go of. Edits asked for meanwhile wait for their turn, so that each builds on the one before. What fails is
 * said. */
void goban_session_edit (GobanSession *session, const GobanEdit *edit);

/* Pins nodes where they are, or lets go of them, as a change with its line. */
void goban_session_pin (GobanSession *session, GobanSelection *nodes, gboolean is_pinned);

/* Changes a number of the cluster, as a change with its line; all plans are simulated again, here and now. %FALSE with
 * %GOBAN_ERROR_INVALID set. */
gboolean goban_session_set_device (GobanSession *session, GobanDeviceId device, const char *what,
                                   double value, GError **error);
gboolean goban_session_set_link (GobanSession *session, guint from, guint to, const char *what,
                                 double value, GError **error);
gboolean goban_session_what_if (GobanSession *session, const GobanWhatIf *change, GError **error);
/* What the cluster was before numbers of it were changed; borrowed. */
GobanCluster *goban_session_get_origin (GobanSession *session);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanEdit, goban_edit_free)

G_END_DECLS
