#include "engine/study/run/run-private.h"

#include "engine/sim/trace-json.h"

#include <math.h>
#include <string.h>

G_DEFINE_BOXED_TYPE (GobanRun, goban_run, goban_run_ref, goban_run_unref)

GobanRun *
goban_run_simulate (GobanCostModel *costs, GobanPlan *plan, const char *name, gint64 started_us,
                    guint64 evaluations)
{
  g_autoptr (GobanRunSource) source = goban_run_source_new (costs, plan, name);
  GobanRun *self = goban_run_source_get_run (source);

  source->origin.evaluations = MAX (evaluations, 1);
  source->origin.seconds = (g_get_monotonic_time () - started_us) / 1e6;
  return self;
}

GobanRun *
goban_run_new (GobanCostModel *costs, GobanPlan *plan, const char *name)
{
  g_return_val_if_fail (costs != NULL && plan != NULL, NULL);

  return goban_run_simulate (costs, plan, name, g_get_monotonic_time (), 0);
}

GobanRun *
goban_run_ref (GobanRun *self)
{
  if (self != NULL)
    g_atomic_int_inc (&self->ref_count);
  return self;
}

void
goban_run_unref (GobanRun *self)
{
  g_return_if_fail (self != NULL);

  if (!g_atomic_int_dec_and_test (&self->ref_count))
    return;

  goban_run_source_drop_run (self->source, self);
  g_datalist_clear (&self->derived);
  goban_trace_unref (self->parts.trace);
  goban_run_source_unref (self->source);
  g_free (self);
}

gboolean
goban_run_set (GobanRun **slot, GobanRun *run)
{
  GobanRun *last = *slot;

  if (last == run)
    return FALSE;

  *slot = goban_run_ref (run);
  if (last != NULL)
    goban_run_unref (last);
  return TRUE;
}

gboolean
goban_run_save_trace (GobanRun *self, const char *path, GError **error)
{
  g_return_val_if_fail (self != NULL, FALSE);

  return goban_trace_save (self->parts.trace, path, error);
}

/* --- derived values --------------------------------------------------------------------------- */

gpointer
goban_run_get_derived (GobanRun *self, GQuark key)
{
  g_return_val_if_fail (self != NULL, NULL);

  return g_datalist_id_get_data (&self->derived, key);
}

gpointer
goban_run_keep_derived (GobanRun *self, GQuark key, gpointer value, GDestroyNotify destroy)
{
  g_return_val_if_fail (self != NULL && value != NULL, NULL);

  if (g_datalist_id_replace_data (&self->derived, key, NULL, value, destroy, NULL))
    return value;
  destroy (value);
  return g_datalist_id_get_data (&self->derived, key);
}

/* --- getters ---------------------------------------------------------------------------------- */

const GobanRunParts *
goban_run_get_parts (GobanRun *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return &self->parts;
}

const char *
goban_run_get_name (GobanRun *self)
{
  const char *name;

  g_return_val_if_fail (self != NULL, NULL);

  name = g_atomic_pointer_get (&self->source->new_name);
  return name != NULL ? name : self->source->name;
}

void
goban_run_rename (GobanRun *self, const char *name)
{
  g_return_if_fail (self != NULL && name != NULL);

  g_atomic_pointer_set (&self->source->new_name, g_intern_string (name));
}

GobanGraph *
goban_run_get_graph (GobanRun *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->parts.graph;
}

GobanCluster *
goban_run_get_cluster (GobanRun *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->parts.cluster;
}

GobanCostModel *
goban_run_get_costs (GobanRun *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->parts.costs;
}

GobanPlan *
goban_run_get_plan (GobanRun *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->parts.plan;
}

GobanTrace *
goban_run_get_trace (GobanRun *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->parts.trace;
}

double
goban_run_get_makespan_us (GobanRun *self)
{
  g_return_val_if_fail (self != NULL, (double) NAN);

  return goban_trace_get_makespan (self->parts.trace);
}

double
goban_run_get_ratio (GobanRun *self)
{
  double bound_us, makespan_us;

  g_return_val_if_fail (self != NULL, (double) NAN);

  bound_us = goban_trace_get_bounds (self->parts.trace)->bound_us;
  makespan_us = goban_trace_get_makespan (self->parts.trace);
  if (!(bound_us > 0) || !isfinite (bound_us) || !isfinite (makespan_us))
    return (double) NAN;
  return makespan_us / bound_us;
}

int
goban_run_compare (gconstpointer a, gconstpointer b)
{
  const GobanRun *left = a, *right = b;
  gboolean left_valid = goban_trace_is_valid (left->parts.trace);
  gboolean right_valid = goban_trace_is_valid (right->parts.trace);
  double left_us = goban_trace_get_makespan (left->parts.trace);
  double right_us = goban_trace_get_makespan (right->parts.trace);

  if (left_valid != right_valid)
    return left_valid ? -1 : 1;
  if (left_us != right_us)
    return left_us < right_us ? -1 : 1;
  return strcmp (goban_run_get_name ((GobanRun *) left), goban_run_get_name ((GobanRun *) right));
}
