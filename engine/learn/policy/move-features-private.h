/* move-features-private.h: data about a group and its target devices, shared by the files of
 * move-features.c. */
#pragma once

#include "engine/learn/policy/move-features.h"

G_BEGIN_DECLS

/* A node with its rank by start time. */
typedef struct
{
  guint32 place;
  GobanNodeId node;
} GobanPlacedNode;

/* A tensor that a node of the group reads from outside. */
typedef struct
{
  GobanTensorId tensor;
  GobanDeviceId from;
  double finish_us; /* of the producer */
} GobanGroupInput;

/* Consumers outside the group of one tensor on one device. */
typedef struct
{
  GobanTensorId tensor;
  GobanDeviceId to;
  guint n;
  double latest_us;         /* earliest of their latest starts */
  double critical_ready_us; /* when the critical one among them was ready; -1: none is critical */
} GobanGroupOutput;

/* A node of the group; offsets point to the first of its entries. */
typedef struct
{
  GobanNodeId node;
  const double *times_us; /* (n_classes) */
  double share;           /* of its own time that it takes as a part of a kernel */
  guint inputs;
  guint producers; /* in the group */
  guint outputs;
} GobanGroupMember;

/* A tensor that the group reads or makes. */
typedef struct
{
  GobanTensorId tensor;
  guint32 n_own; /* readers in the group */
  gboolean is_made;
  gboolean is_critical; /* read: an edge of the critical path on one device */
} GobanTouchedTensor;

/* Sums over a group that do not depend on the target device. */
typedef struct
{
  double work_us;
  double critical_us;
  double critical_wait_us;
  double least_slack_us;
  double slack_us2;
  double queue_us;
  double begin_us;
  double end_us;
  double bytes;
  double n_backward;
  double n_update;
  double saved_us; /* transfers that any move makes unnecessary */
} GobanGroupSums;

/* Data of one target device. */
typedef struct
{
  double work_us;
  double in_us; /* new transfers */
  double out_us;
  double cut_us; /* between critical ops */
  double begin_us;
  double end_us;
  double late_most_us;
  double late_us;
  guint n_late;
  double earlier_us;
  double shift_us;
} GobanMoveTiming;

struct _GobanMoveFeatures
{
  const GobanPlanProfile *profile;
  guint D;
  double *times_us;    /* (n_pairs, n_tensors) NULL if there are too many */
  guint32 *pair_of;    /* (D, D) */
  guint32 *unit_marks; /* (n_units) equal to mark: in the group */
  guint32 *tensor_marks;
  guint32 *touched_at; /* (n_tensors) index of marked tensors */
  guint32 mark;
  guint32 *member_of;   /* (n_nodes) index of the group's nodes */
  guint32 *n_in_kernel; /* (n_nodes) by lowest nodes of kernels: members in the group */
  GArray *placed;       /* GobanPlacedNode: the members before they are sorted */
  GArray *dealt;        /* GobanPlacedNode: working memory of the sort */
  GArray *members;      /* GobanGroupMember, by start, and one more for the ends */
  GArray *inputs;
  GArray *producers; /* guint32: members */
  GArray *outputs;
  GArray *touched;
  double *finish_us;  /* (n_nodes) of members: timed anew */
  double *traffic_us; /* (D) with groups of a device */
  double *critical_saved_us;
  double *transfers_us;   /* (D) */
  GobanMoveTiming *there; /* (D) */
  double *terms;          /* (D) */
  double *sorted;
};

/* --- move-features-group.c ------------------------------------------------------------------ */

/* Collects the nodes of the units, their inputs and their consumers. */
void goban_move_features_gather (GobanMoveFeatures *self, const guint32 *units, guint n);
GobanGroupSums goban_move_features_sum (const GobanMoveFeatures *self, const guint32 *units,
                                        guint n) G_GNUC_WARN_UNUSED_RESULT;

/* --- move-features-timing.c ----------------------------------------------------------------- */

/* Sums the new transfers for each target device, and the transfers that become unnecessary. there
 * (D): must be zero. */
void goban_move_features_weigh (GobanMoveFeatures *self, GobanDeviceId here, GobanGroupSums *group,
                                GobanMoveTiming *there);
/* Estimates when the members would finish on the device, and how late their consumers would be. */
void goban_move_features_time (GobanMoveFeatures *self, GobanDeviceId device,
                               GobanMoveTiming *there);

G_END_DECLS
