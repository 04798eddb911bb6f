/* time-shares.h: the whole time of every device in a span of a run, as a sum of five kinds.
 *
 * A gap between two ops of a device is explained backwards from the op that ends it: while that op
 * or one of its ancestors is computed elsewhere or sent, the device waits for data; while a
 * transfer waits for a channel or link, for that; while an op on the way is ready and its device
 * runs another one first, for that op. The five sum to the span on every device.
 *
 * Immutable values made from a trace: any thread. O(nodes x devices + edges + transfers).
 */
#pragma once

#include "engine/sim/trace.h"
#include "engine/study/run/selection.h"

typedef enum
{
  GOBAN_TIME_COMPUTING,
  GOBAN_TIME_DATA,     /* waits for ops on other devices, or for tensors in transit */
  GOBAN_TIME_CHANNEL,  /* waits for a transfer that waits for its channel or link */
  GOBAN_TIME_PRIORITY, /* waits for an op that another op goes before */
  GOBAN_TIME_ENDS,     /* before the device's first op and after its last one */
  GOBAN_N_TIME_KINDS
} GobanTimeKind;

/* "computing", "data", "channel", "priority", "ends"; and for display: "waits for data". Static. */
const char *goban_time_kind_get_word (GobanTimeKind kind);
const char *goban_time_kind_get_label (GobanTimeKind kind);

/* Total time of the ops of one type or group, or of the transfers of one link. */
typedef struct
{
  char *name;
  guint n;               /* kernels or transfers in the span */
  double busy_us;        /* within the span; of a link without contention, transfers overlap */
  double bytes;          /* of a link */
  GobanSelection *nodes; /* of a type or group: all its nodes in the span; of a link %NULL */
} GobanTimeRow;

typedef struct
{
  double from_us; /* within the run */
  double to_us;
  guint n_devices;
  double (*devices_us)[GOBAN_N_TIME_KINDS]; /* (n_devices) each sums to the span */
  double all_us[GOBAN_N_TIME_KINDS];
  /* of GobanTimeRow, the most time first; links in the order of the cluster, without idle ones */
  GArray *types;
  GArray *groups; /* scopes of names (scopes.h) */
  GArray *links;
} GobanTimeShares;

/* (transfer full) */
GobanTimeShares *goban_time_shares_new (GobanTrace *trace, double from_us,
                                        double to_us) G_GNUC_WARN_UNUSED_RESULT;
/* The same of the devices alone: the tables are empty. Takes no time for each type and name. */
GobanTimeShares *goban_time_shares_new_of_devices (GobanTrace *trace, double from_us,
                                                   double to_us) G_GNUC_WARN_UNUSED_RESULT;
void goban_time_shares_free (GobanTimeShares *self);

/* "gpu:0: computing 61.2 %, waits for data 30 %, ends 8.8 %". (transfer full) */
char *goban_time_shares_describe_device (const GobanTimeShares *self, GobanTrace *trace,
                                         guint device) G_GNUC_WARN_UNUSED_RESULT;
/* The devices with a 1 in devices (n_devices), and the largest types, groups and links, a line
 * each. (transfer full) */
char *goban_time_shares_describe (const GobanTimeShares *self, GobanTrace *trace,
                                  const guint8 *devices) G_GNUC_WARN_UNUSED_RESULT;
/* A table of the devices, and of types, groups and links. (transfer full) */
char *goban_time_shares_to_text (const GobanTimeShares *self,
                                 GobanTrace *trace) G_GNUC_WARN_UNUSED_RESULT;

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanTimeShares, goban_time_shares_free)
