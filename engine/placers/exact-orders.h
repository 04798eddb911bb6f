/* exact-orders.h: whether decisions of a search can all come from one list of priorities.
 *
 * An order says that the highest priority in one set exceeds, or at least reaches, the highest in
 * another. Ops of a device that are ready together give orders of single nodes; transfers that
 * want one channel give orders of their consumers. There is a list of different priorities that meets
 * them all if and only if greed finds it: whatever may stand on top of all that is left can be
 * put there without harm, since it only meets orders and touches no other.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct
{
  guint64 above;
  guint64 below;
  gboolean is_strict; /* the same highest on both sides will not do */
} ExactOrder;

/* rank (n) (nullable): set to 0 for what comes first. %FALSE where no list will do. */
gboolean exact_orders_solve (const ExactOrder *orders, guint n_orders, guint n, guint8 *rank);

G_END_DECLS
