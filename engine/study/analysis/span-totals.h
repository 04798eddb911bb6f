/* span-totals.h: device totals in a time span of a run: busy, idle, sending, bytes, longest ops.
 *
 * Immutable values made from a trace: any thread. An op or a transfer that is partly in the span
 * counts with that part of its time, and a transfer with that share of its bytes; one that takes no
 * time has all its bytes where it happens. The end of a span belongs to the next span, except at
 * the end of the run.
 */
#pragma once

#include "engine/sim/trace.h"
#include "engine/study/run/run.h"
#include "engine/study/run/selection.h"

#define GOBAN_N_TOP_OPS 10

typedef struct
{
  gboolean is_in; /* whether the device is included; else all is 0 */
  double busy_us;
  double idle_us;    /* idle time within the run */
  double sending_us; /* sum over its transfers, which may overlap */
  double receiving_us;
  double sent_bytes;
  double received_bytes;
  guint n_ops; /* kernels: fused ops count once */
} GobanDeviceTotals;

typedef struct
{
  GobanNodeId node; /* the lowest of a kernel */
  double busy_us;   /* within the span */
} GobanOpTotal;

typedef struct
{
  double from_us; /* within the run */
  double to_us;
  guint n_devices;
  GobanDeviceTotals *devices; /* (n_devices) */
  /* sum over the devices; bytes between two of them count as sent and as received */
  GobanDeviceTotals all;
  /* the ops with the most time in the span, ties to the lower node */
  GobanOpTotal top[GOBAN_N_TOP_OPS];
  guint n_top;
} GobanSpanTotals;

/* @devices: (nullable) (n_devices): whether each device is included; %NULL: all. (transfer full) */
GobanSpanTotals *goban_span_totals_new (GobanTrace *trace, double from_us, double to_us,
                                        const guint8 *devices) G_GNUC_WARN_UNUSED_RESULT;
void goban_span_totals_free (GobanSpanTotals *self);

/* A line for the total, one per device, and the top ops by their names in @trace. (transfer
 * full) */
char *goban_span_totals_describe (const GobanSpanTotals *self,
                                  GobanTrace *trace) G_GNUC_WARN_UNUSED_RESULT;

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanSpanTotals, goban_span_totals_free)

/* --- totals of links -------------------------------------------------------------------------- */

typedef struct
{
  double bytes;
  double busy_us; /* the sum of its transfers' times; without contention they overlap */
  guint n_transfers;
} GobanLinkTotal;

/* (n_links of the run's cluster): (transfer full) */
GobanLinkTotal *goban_link_totals_new (GobanRun *run) G_GNUC_WARN_UNUSED_RESULT;

/* A table of the links that carried something, and the same as a JSON list; (transfer full). */
char *goban_link_totals_to_text (GobanRun *run) G_GNUC_WARN_UNUSED_RESULT;
char *goban_link_totals_to_json (GobanRun *run) G_GNUC_WARN_UNUSED_RESULT;
