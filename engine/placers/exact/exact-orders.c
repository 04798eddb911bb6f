#include "engine/placers/exact/exact-orders.h"

/* Elements that would break an order if they were on top: those only below, and those on both sides
 * of a strict one. */
static guint64
find_forbidden (const ExactOrder *orders, guint n_orders, guint64 placed, gboolean *any)
{
  guint64 forbidden = 0;

  *any = FALSE;
  for (guint i = 0; i < n_orders; i++)
    if ((orders[i].above & placed) == 0)
      {
        forbidden |= orders[i].is_strict ? orders[i].below : orders[i].below & ~orders[i].above;
        *any = TRUE;
      }
  return forbidden;
}

gboolean
exact_orders_solve (const ExactOrder *orders, guint n_orders, guint n, guint8 *rank)
{
  guint64 all = n == 64 ? G_MAXUINT64 : (G_GUINT64_CONSTANT (1) << n) - 1;
  guint64 placed = 0;
  guint8 n_placed = 0;

  while (placed != all)
    {
      gboolean any;
      guint64 next = all & ~placed & ~find_forbidden (orders, n_orders, placed, &any);

      if (next == 0)
        return FALSE;
      if (rank == NULL && !any)
        return TRUE;
      placed |= next;
      for (; rank != NULL && next != 0; next &= next - 1)
        rank[__builtin_ctzll (next)] = n_placed++;
    }
  return TRUE;
}
