/* hand-over.h: the time from the end of an op on one core to the start of the next one on another.
 *
 * Probes are chains of small ops on tensors of several sizes, run twice: on one core as one
 * session, and from core to core. The difference, per link of the chain, is what a hand-over
 * takes: the end of a session's call, the signal, the beginning of the next call, and the tensor's
 * way from one core's cache to the other's. A line through the sizes gives latency and bandwidth.
 *
 * Decision E61 (engine/NOTES.md).
 */
#pragma once

#include "engine/study/measure/spread.h"

G_BEGIN_DECLS

typedef struct _GobanOrt GobanOrt;
typedef struct _GobanTimingOptions GobanTimingOptions;

typedef struct
{
  double bytes;
  GobanSpread us; /* per hand-over; less than 0 if it is lost in the noise */
} GobanHandOverProbe;

#define GOBAN_N_HAND_OVER_PROBES 4

typedef struct
{
  GobanHandOverProbe probes[GOBAN_N_HAND_OVER_PROBES];
  double latency_us;
  double bytes_per_us; /* INFINITY if size does not matter */
} GobanHandOver;

/* @options: two processors, at least. %FALSE with @error set. */
gboolean goban_hand_over_measure (GobanHandOver *self, GobanOrt *ort,
                                  const GobanTimingOptions *options, GError **error);

G_END_DECLS
