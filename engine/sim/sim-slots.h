/* sim-slots.h: incremental layout of a plan: only nodes that differ from the previous plan are laid
 * out again.
 *
 * Private to engine/sim. A search asks for plans that differ in a few nodes, and laying all of them
 * out anew takes two fifths of the time of a run. Here the places of what a node sets off do not
 * depend on the plan: its consumers have as many as it has edges, its moves one more, so that one
 * node can be laid out again without the others. Moves are still numbered by (tensor, device), with
 * gaps.
 *
 * Only for plans that fuse nothing and leave transfers the priorities of their consumers.
 *
 * Decision E41 (engine/NOTES.md).
 */
#pragma once

#include "engine/sim/simulator.h"

G_BEGIN_DECLS

typedef struct
{
  gboolean is_known;    /* a plan has been evaluated: it is below */
  gboolean is_laid_out; /* and the layout is that of it */
  guint n_far;          /* number of consecutive plans that differ much from their predecessor */
  GobanOrder order;
  GobanDeviceId *device; /* (n_nodes) the plan's */
  gint32 *priority;      /* (n_nodes) likewise */
  guint32 *live;         /* (n_tensors + n_slots) at the beginning of a run */
  double *made_bytes;    /* (n_devices) of tensors that are made there or arrive */
  guint32 *node_at;      /* (n_nodes) scratch for the next ranking */

  guint32 *input_node; /* (n_edges) producer of each input */
  gboolean is_exact;   /* sums of bytes do not depend on their order */
  gboolean has_room;   /* every device can hold everything at once: memory is not accounted for */

  guint n_changes; /* of nodes since the work of devices was summed */

  GArray *changed; /* GobanNodeId: nodes that differ */
  GArray *again;   /* GobanNodeId: nodes to be laid out again */
  GArray *turns;   /* SimTurn: nodes that enter or leave a ranking */
  guint32 *mark;   /* (n_nodes) equal to n_marks: in again */
  guint32 n_marks;
} SimSlots;

/* Lays @plan out. %FALSE, without any change, if slots do not support it. */
gboolean sim_slots_use (GobanSimulator *self, const GobanPlan *plan);
void sim_slots_clear (SimSlots *self);

G_END_DECLS
