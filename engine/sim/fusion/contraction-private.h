/* contraction-private.h: the inside of a contraction, for the files that fill and check it.
 *
 * Private to engine/sim/fusion.
 */
#pragma once

#include "engine/sim/fusion/contraction.h"
#include "engine/sim/fusion/fusion-tables.h"

G_BEGIN_DECLS

/* Traffic of one node for tensors that never leave its cluster. */
typedef struct
{
  double read_bytes;
  double written_bytes;
} FusionTraffic;

struct _GobanContraction
{
  FusionTables *tables;
  GobanContracted all;
  guint32 *by_number;  /* (n_nodes) op of each fusion number */
  guint32 *number;     /* (n_nodes) compact numbers, if the plan's are large */
  guint64 *keys;       /* (n_nodes) */
  guint32 *cursor;     /* (n_nodes) */
  FusionTraffic *kept; /* (n_nodes) */
};

/* The time of the n members as one kernel, as contraction.h says; kept is by node. */
double fusion_time_us (const FusionTables *tables, const GobanNodeId *members, guint n, guint class,
                       const FusionTraffic *kept);

G_END_DECLS
