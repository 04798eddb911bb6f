#include "engine/placers/search/static-orders.h"

#include "engine/graph/levels.h"
#include "engine/placers/placed-ranks.h"

#include <string.h>

struct _GobanStaticOrders
{
  const GobanUnits *units;
  double *keys[GOBAN_N_STATIC_ORDERS]; /* (n_nodes) larger first; NULL: depends on the placement */
};

GobanStaticOrders *
goban_static_orders_new (const GobanUnits *units)
{
  GobanStaticOrders *self = g_new0 (GobanStaticOrders, 1);
  guint n_nodes = goban_graph_get_n_nodes (units->graph);
  g_autofree double *ones = g_new (double, n_nodes);

  self->units = units;
  self->keys[GOBAN_STATIC_DEPTH] = g_new (double, n_nodes);
  self->keys[GOBAN_STATIC_TIMES] = g_new (double, n_nodes);
  self->keys[GOBAN_STATIC_INDEX] = g_new (double, n_nodes);
  for (GobanNodeId v = 0; v < n_nodes; v++)
    {
      ones[v] = 1;
      self->keys[GOBAN_STATIC_INDEX][v] = -(double) v;
    }
  goban_graph_bottom_levels (units->graph, self->keys[GOBAN_STATIC_DEPTH], ones, NULL);
  goban_units_static_levels (units, self->keys[GOBAN_STATIC_TIMES]);
  return self;
}

void
goban_static_orders_free (GobanStaticOrders *self)
{
  for (guint i = 0; i < GOBAN_N_STATIC_ORDERS; i++)
    g_free (self->keys[i]);
  g_free (self);
}

gboolean
goban_static_orders_rank (const GobanStaticOrders *self, GobanStaticOrder order,
                          const GobanPlan *plan, double *ranks)
{
  if (self->keys[order] == NULL)
    goban_placed_ranks (self->units, plan, ranks);
  else
    memcpy (ranks, self->keys[order], goban_plan_get_n_nodes (plan) * sizeof *ranks);
  return order != GOBAN_STATIC_FIFO;
}

void
goban_static_orders_apply (const GobanStaticOrders *self, GobanStaticOrder order, GobanPlan *plan)
{
  g_autofree double *ranks = g_new (double, goban_plan_get_n_nodes (plan));
  gboolean counts = goban_static_orders_rank (self, order, plan, ranks);

  goban_plan_set_transfer_priorities (plan, NULL);
  goban_plan_set_order (plan, counts ? GOBAN_ORDER_PRIORITY : GOBAN_ORDER_FIFO);
  goban_plan_spread_priorities (plan, ranks);
}

guint
goban_static_orders_find (const GobanStaticOrders *self, const GobanPlan *plan)
{
  gsize size = goban_plan_get_n_nodes (plan) * sizeof (gint32);

  for (guint order = 0; order < GOBAN_N_STATIC_ORDERS; order++)
    {
      g_autoptr (GobanPlan) other = goban_plan_copy (plan);
      gboolean is_fifo = goban_plan_get_order (plan) == GOBAN_ORDER_FIFO;

      goban_static_orders_apply (self, (GobanStaticOrder) order, other);
      /* First in, first out does not look at priorities. */
      if (goban_plan_get_order (other) == goban_plan_get_order (plan)
          && (is_fifo || size == 0
              || memcmp (goban_plan_get_priorities (other), goban_plan_get_priorities (plan), size)
                     == 0))
        return order;
    }
  return GOBAN_N_STATIC_ORDERS;
}
