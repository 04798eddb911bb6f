#include "engine/study/analysis/difference/compare-values.h"

#include "engine/study/analysis/coloring.h"

#include <string.h>

static void
unref_values (gpointer values)
{
  if (values != NULL)
    goban_node_values_unref (values);
}

/* (transfer full) (nullable): all numbers of all runs together, for their ramp. */
static GobanNodeValues *
join (const GPtrArray *values)
{
  const GobanNodeValues *first = NULL;
  g_autofree double *numbers = NULL;
  gsize n = 0;

  for (guint i = 0; i < values->len; i++)
    {
      const GobanNodeValues *one = g_ptr_array_index (values, i);

      if (one == NULL)
        continue;
      if (one->scale == GOBAN_SCALE_RANK)
        return NULL;
      first = first != NULL ? first : one;
      n += one->n_nodes;
    }
  if (first == NULL || n > G_MAXUINT32)
    return NULL;

  numbers = g_new (double, MAX (n, 1));
  n = 0;
  for (guint i = 0; i < values->len; i++)
    {
      const GobanNodeValues *one = g_ptr_array_index (values, i);

      if (one == NULL || one->n_nodes == 0)
        continue;
      memcpy (numbers + n, one->values, one->n_nodes * sizeof *numbers);
      n += one->n_nodes;
    }
  return goban_node_values_new_from_numbers (first->name, first->kind, numbers, (guint) n);
}

GPtrArray *
goban_compare_values_new (const char *color, GPtrArray *runs, gboolean has_own_scales)
{
  GPtrArray *all = g_ptr_array_new_with_free_func (unref_values);
  g_autoptr (GobanNodeValues) ramp = NULL;

  for (guint i = 0; i < runs->len; i++)
    {
      GobanRun *run = g_ptr_array_index (runs, i);
      GobanNodeContext context = { goban_run_get_costs (run), run };

      g_ptr_array_add (all, goban_color_get_values (color, &context));
    }
  ramp = has_own_scales || runs->len < 2 ? NULL : join (all);
  for (guint i = 0; ramp != NULL && i < all->len; i++)
    {
      GobanNodeValues *own = all->pdata[i];

      if (own == NULL)
        continue;
      all->pdata[i] = goban_node_values_new_on (own, ramp);
      goban_node_values_unref (own);
    }
  return all;
}
