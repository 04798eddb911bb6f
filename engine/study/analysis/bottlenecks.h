/* bottlenecks.h: the makespan of one run as a sum of causes along its critical path.
 *
 * The critical path leads without a gap from the start of the run to its end. Each of its ops and
 * transfers counts for its group or route, except for the time in which the next step of the path
 * was already ready and waited for the same device or channel: that counts as waiting for it.
 * Steps that take no time are folded into the chain. On more than four devices, transfers are
 * summed by their senders.
 *
 * Made in any thread. O(nodes of the path).
 *
 * Decision E56 (engine/NOTES.md).
 */
#pragma once

#include "engine/sim/trace.h"
#include "engine/study/run/selection.h"

/* Causes that are named; the rest is one. */
#define GOBAN_BOTTLENECKS_MOST 10

typedef enum
{
  GOBAN_BOTTLENECK_COMPUTE,  /* ops of a group */
  GOBAN_BOTTLENECK_DEVICE,   /* ops that hold a device for which the next one waits */
  GOBAN_BOTTLENECK_TRANSFER, /* transfers between two devices */
  GOBAN_BOTTLENECK_CHANNEL, /* transfers that hold a channel or link for which the next one waits */
  GOBAN_BOTTLENECK_IDLE,    /* nothing: the run waits for a turn */
  GOBAN_BOTTLENECK_OTHERS,  /* all smaller causes */
  GOBAN_N_BOTTLENECK_KINDS
} GobanBottleneckKind;

typedef struct
{
  GobanBottleneckKind kind;
  char *label; /* "decoder computing", "waits for gpu:0", "transfer gpu:0 → gpu:1" */
  double time_us;
  guint permille;        /* of the makespan; those of all causes sum to 1000 */
  GobanSelection *nodes; /* ops, or producers of the tensors sent */
  guint n_nodes;
} GobanBottleneck;

typedef struct
{
  GobanBottleneck *causes; /* (n_causes) the longest first, OTHERS last */
  guint n_causes;          /* 0 if the run did not take place, or took no time */
  double makespan_us;      /* the sum */
} GobanBottlenecks;

/* @n_most: number of causes before they are joined to OTHERS. (transfer full) */
GobanBottlenecks *goban_bottlenecks_new (GobanTrace *trace, guint n_most) G_GNUC_WARN_UNUSED_RESULT;
void goban_bottlenecks_free (GobanBottlenecks *self);

/* "compute", "device", "transfer", "channel", "idle", "others". */
extern const char *const goban_bottleneck_kind_words[GOBAN_N_BOTTLENECK_KINDS];
/* "41.3 % decoder computing": (transfer full). */
char *goban_bottleneck_describe (const GobanBottleneck *self) G_GNUC_WARN_UNUSED_RESULT;
/* A line for each cause, with its time and number of nodes. (transfer full) */
char *goban_bottlenecks_to_text (const GobanBottlenecks *self) G_GNUC_WARN_UNUSED_RESULT;

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanBottlenecks, goban_bottlenecks_free)
