/* simulator-private.h: state of the simulator, shared by its source files.
 *
 * Private to engine/sim. Three kinds of data, all flat arrays with 32-bit ids, allocated when the
 * simulator is made. The tables belong to the cost model and never change, but a plan that fuses
 * has its own (sim-tables.c); the layout belongs to one plan (sim-layout.c); the rest is the state
 * of one run (sim-loop.c). Arrays are as long as the cost model's tables need; a
 * plan's are never longer.
 *
 * A move is a tensor that crosses to one device. Moves are numbered by (tensor, device), so their
 * ids order them as the rules do. A holding is a tensor in the memory of one device: tensor t on
 * its producer's device is holding t, on the target of move m it is holding n_tensors + m.
 */
#pragma once

#include "engine/sim/fusion/contraction.h"
#include "engine/sim/sim-clock.h"
#include "engine/sim/sim-heap.h"
#include "engine/sim/sim-ready.h"
#include "engine/sim/sim-units.h"
#include "engine/sim/simulator.h"
#include "engine/sim/trace.h"

/* --- memory and the record of a run --------------------------------------- */

/* Decision E47 (engine/NOTES.md). */

/* Memory level since time_us; it is counted when time advances. */
typedef struct
{
  double level_bytes;
  double time_us;
  double peak_bytes;
  double peak_time_us;
  double capacity_bytes;
  double overflow_time_us; /* INFINITY: no overflow so far */
} SimMemory;

/* Counts the present level, because time advances. */
static inline void
sim_count_level (SimMemory *memory)
{
  if (memory->level_bytes > memory->peak_bytes)
    {
      memory->peak_bytes = memory->level_bytes;
      memory->peak_time_us = memory->time_us;
      if (memory->level_bytes > memory->capacity_bytes && memory->overflow_time_us == SIM_NEVER_US)
        memory->overflow_time_us = memory->time_us;
    }
}

/* Data that goban_simulator_run() records beyond the outcome; nullable all together. */
typedef struct
{
  GobanOpSpan *ops;     /* (n_nodes) */
  guint32 *previous_op; /* (n_nodes) op that ran on the device immediately before, or SIM_NONE */
  GobanOpSpan *moves;   /* (n_moves) */
  guint32 *blocker;     /* (n_moves) the move that a waiting one waited for */
  guint32 *order;       /* (n_moves) in the order in which they started */
  guint32 n_moves;
  /* (n_devices) of GobanMemoryPoint: the memory of each at every instant that changed it */
  GArray **levels;
} SimRecord;

/* Records the level up to now, unless it equals the previous one. */
static inline void
sim_record_level (GArray *levels, const SimMemory *memory)
{
  const GobanMemoryPoint point = { memory->time_us, memory->level_bytes };

  if (levels->len == 0
      || g_array_index (levels, GobanMemoryPoint, levels->len - 1).bytes != point.bytes)
    g_array_append_val (levels, point);
}

/* --- tables of the graph -------------------------------------------------- */

/* One set of tables belongs to the cost model and stays; a plan that fuses nodes has its own, made
 * of the graph with every cluster merged into one op. */

/* Node, tensor and edge data of a run. If a plan fuses, a node of these tables is an op of the
 * contraction. */
typedef struct
{
  guint n_nodes;
  guint n_tensors;
  guint n_edges;
  guint32 *first_tensor;  /* (n_nodes + 1) */
  guint32 *first_edge;    /* (n_tensors + 1) edges are numbered by (tensor, head) */
  guint32 *edge_head;     /* (n_edges) */
  guint32 *edge_input;    /* (n_edges) index of the edge among all inputs */
  guint32 *first_input;   /* (n_nodes + 1) */
  guint32 *tensor_node;   /* (n_tensors) its producer */
  guint32 *tensor_source; /* (n_tensors) the graph's tensor; NULL if it is the same */
  double *size_bytes;     /* (n_tensors) */
  double *tensor_bytes;   /* (n_tensors) rounded up */
  double tensors_bytes;   /* sum of them */
  double *output_bytes;   /* (n_nodes) */
  double *param_bytes;    /* (n_nodes) */
  double *time_us;        /* (n_nodes x n_columns) */
  guint n_columns;        /* one per class of devices, or one for all */
  const guint32 *column;  /* (n_devices) */
} SimTables;

/* Contraction of a fused plan, and memory for its tables. Allocated on first use. */
typedef struct
{
  GobanContraction *contraction;
  const GobanContracted *ops; /* of the plan laid out; NULL if it fuses nothing */
  double *size_bytes;         /* (n_tensors) */
  double *tensor_bytes;       /* (n_tensors) */
  guint32 *column;            /* (n_devices) zeroes */
} SimFused;

/* --- incremental layout --------------------------------------------------- */

/* Only nodes that differ from the previous plan are laid out again. A search asks for plans that
 * differ in a few nodes, and laying all of them out anew takes two fifths of the time of a run.
 * Here the places of what a node sets off do not depend on the plan: its consumers have as many as
 * it has edges, its moves one more, so that one node can be laid out again without the others.
 * Moves are still numbered by (tensor, device), with gaps.
 *
 * Only for plans that fuse nothing and leave transfers the priorities of their consumers.
 *
 * Decision E41 (engine/NOTES.md). */

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

/* --- the simulator -------------------------------------------------------- */

/* Kept small, because the loop is bound by cache misses on nodes and moves. */
typedef struct
{
  double duration_us; /* on its device */
  guint32 missing;    /* inputs not yet there */
  guint32 place;      /* among the ops of its device under PRIORITY, 0 is first */
} SimNode;

/* Effects of a node's finish: consumers on its own device, and moves to others. */
typedef struct
{
  guint32 first_near;
  guint32 end_near;
  guint32 first_move;
  guint32 end_move;
} SimOutput;

typedef struct
{
  double duration_us;
  guint32 first_far; /* consumers there, up to the next move's */
  GobanDeviceId from;
  GobanDeviceId to;
} SimMove;

struct _GobanSimulator
{
  GobanCostModel *costs;
  guint n_devices;
  guint n_words; /* of a set of devices */
  gboolean is_contention_free;

  SimTables own; /* of the costs */
  SimTables in;  /* of the plan: those of the costs, or of the contraction */
  SimFused fused;
  SimSlots slots;
  guint32 *device_class;     /* (n_devices) */
  double *lane_latency_us;   /* (n_devices^2) lane from x n_devices + to */
  double *lane_bytes_per_us; /* (n_devices^2) */
  gboolean has_given_moves;  /* some transfer times came with the graph */
  /* Only links that two pairs without a common end use; channels guard the others. */
  guint32 *pair_links;      /* NULL if there are none */
  guint32 *first_pair_link; /* (n_devices^2 + 1), or NULL */

  /* layout of the plan */
  GobanOrder order;
  const GobanDeviceId *device; /* (n_nodes) the plan's or the contraction's, only during a run */
  SimNode *nodes;              /* (n_nodes) */
  SimOutput *outputs;          /* (n_nodes) */
  SimMove *moves;              /* (n_moves + 1), or slots */
  guint32 *move_rank;          /* (n_moves + 1) of move m at m + 1, under PRIORITY */
  guint32 *move_tensor;        /* (n_moves) */
  guint32 *near;               /* consumers on their producer's device, by producer */
  guint32 *far;                /* consumers elsewhere, by move */
  guint32 *first_ready;        /* (n_devices + 1) where a device's ops begin */
  guint32 *node_at;            /* (n_nodes) by device and place, under PRIORITY */
  guint32 *lane_moves;         /* (n_devices^2) moves of each lane */
  guint32 *first_wait;         /* (n_devices^2 + 1) where a lane's heap begins */
  guint32 n_moves;
  guint32 *scratch;       /* (n_edges or n_nodes) */
  guint32 *device_count;  /* (n_devices + 1) */
  double *device_load;    /* (n_devices) */
  double *device_work_us; /* (n_devices) of all its ops */

  /* layout of memory, only where must_account */
  guint8 *accounts;       /* (n_devices) FALSE if the device cannot overflow */
  gboolean must_account;  /* any of them does */
  guint32 *input_holding; /* (n_edges) by input */
  guint32 *live;          /* (n_tensors + n_moves) consumers, and moves from home, to come */

  /* state of the run */
  double limit_us;  /* a run that cannot end by then may stop; SIM_NEVER_US: no limit */
  double *left_us;  /* (n_devices) of ops that have not started */
  guint32 n_rounds; /* rounds since the last check of the limit */
  double now_us;
  guint32 instant; /* number of distinct times before now */
  guint32 n_done;
  double end_us;
  SimClock clock;       /* devices, then send channels */
  SimPlaces *ready_at;  /* (n_devices) under PRIORITY */
  guint64 *place_bits;  /* all levels of them */
  gsize n_place_bits;   /* words */
  SimLine *ready_line;  /* (n_devices) under FIFO */
  guint64 *lines;       /* (n_nodes) of them */
  guint64 *late;        /* (n_nodes) of them */
  guint64 *waiting;     /* (n_edges) heaps of the lanes, from x n_devices + to */
  guint32 *n_waiting;   /* (n_devices^2) */
  guint32 *running;     /* (n_devices) or SIM_NONE */
  guint32 *last_op;     /* (n_devices) when recording */
  guint32 *sending;     /* (n_devices) move on its way, or SIM_NONE */
  guint32 *last_sent;   /* (n_devices) when recording */
  guint32 *last_got;    /* (n_devices) when recording */
  guint32 *link_holder; /* (n_links) move on its way, or SIM_NONE */
  guint32 *link_last;   /* (n_links) when recording */
  guint32 *due;         /* (2 n_devices) slots of the clock */
  guint64 *dirty_devices;
  guint64 *dirty_senders; /* lanes of these may have become able to start */
  guint64 *link_blocked;  /* senders with a lane that only a link holds up */
  guint64 *free_senders;
  guint64 *free_receivers;
  guint64 *receivers_of; /* (n_devices x n_words) per sender: lanes with something waiting */
  guint64 *senders_of;   /* the same per receiver */
  guint64 *candidates;   /* (n_devices^2) */
  Arrival *arrivals;     /* (n_edges) contention-free: under way */
  guint32 n_arrivals;
  guint32 *arrived; /* (n_edges) contention-free: take no time */
  guint32 n_arrived;
  SimMemory *memory; /* (n_devices) */
  SimRecord *record; /* NULL if only the outcome is needed */
};

/* The graph's tensor for a tensor of the active tables. */
static inline GobanTensorId
sim_source_of (const GobanSimulator *self, guint32 tensor)
{
  return self->in.tensor_source != NULL ? self->in.tensor_source[tensor] : tensor;
}

/* sim-tables.c */
void sim_tables_init (GobanSimulator *self);
void sim_tables_clear (GobanSimulator *self);

/* Contracts the plan's clusters, and activates the tables of the contraction. */
void sim_fused_use (GobanSimulator *self, const GobanPlan *plan);
/* The contraction, made on first use. */
GobanContraction *sim_fused_get_contraction (GobanSimulator *self);

/* sim-slots.c: lays @plan out. %FALSE, without any change, if slots do not support it. */
gboolean sim_slots_use (GobanSimulator *self, const GobanPlan *plan);
void sim_slots_clear (SimSlots *self);

/* sim-layout.c: binds the arrays to a plan, which must live until the run is over. Memory is
 * accounted for on devices that it could run out of, or on all if @account asks for it. O(N + E),
 * plus n_devices^2. */
void sim_layout_plan (GobanSimulator *self, const GobanPlan *plan, gboolean account);

/* sim-layout.c: slot layouts of the plan whose devices and order are set, of one of
 * its nodes, and of the lanes' heaps. */
void sim_layout_slots (GobanSimulator *self, const gint32 *priorities);
void sim_layout_slot (GobanSimulator *self, const gint32 *priorities, guint32 v);
void sim_layout_lanes (GobanSimulator *self);

/* sim-loop.c: runs the plan that is laid out. Returns the makespan, INFINITY if something never
 * finishes. */
double sim_loop_run (GobanSimulator *self);

/* trace.c: the trace of that run. Takes record->ops. (transfer full) */
GobanTrace *goban_trace_new_from_run (const GobanSimulator *sim, GobanPlan *plan,
                                      const GobanBounds *bounds, const SimRecord *record,
                                      GobanOutcome outcome) G_GNUC_WARN_UNUSED_RESULT;
