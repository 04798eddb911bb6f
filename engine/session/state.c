#include "engine/session/state.h"

#include "engine/machine/cluster/given-times.h"
#include "engine/machine/cluster/what-if.h"
#include "engine/study/run/run-list.h"
#include "engine/study/run/run-origin.h"

GobanState *
goban_state_new (GobanCluster *cluster, GobanGraph *graph)
{
  GobanState *self = g_new0 (GobanState, 1);

  g_atomic_ref_count_init (&self->ref_count);
  self->cluster = goban_cluster_ref (cluster);
  self->origin = goban_cluster_ref (cluster);
  self->costs
      = graph != NULL ? goban_cost_model_new (graph, cluster, GOBAN_EXECUTION_EVENTS) : NULL;
  self->runs = goban_run_array_new ();
  self->pinned = goban_selection_new (NULL, 0);
  self->scenes = goban_scene_list_new ();
  return self;
}

GobanCluster *
goban_own_cluster_dup (GobanGraph *graph, GobanCluster *known)
{
  /* The name of such a cluster is its origin's. */
  if (known != NULL
      && g_str_equal (goban_cluster_get_name (known), goban_graph_get_cluster_spec (graph)))
    return goban_cluster_ref (known);
  return goban_cluster_new_for_graph (graph, NULL); /* checked by the loader */
}

GobanState *
goban_state_for_graph (const GobanState *last, GobanGraph *graph, GobanCluster *known,
                       gboolean is_again)
{
  gboolean was_own = last->usual != NULL;
  g_autoptr (GobanCluster) own = is_again && !was_own ? NULL : goban_own_cluster_dup (graph, known);
  GobanCluster *usual = was_own ? last->usual : last->cluster;
  GobanState *self = goban_state_new (own != NULL ? own : usual, graph);

  self->is_chosen = last->is_chosen;
  if (own != NULL)
    self->usual = goban_cluster_ref (usual);
  else
    {
      g_autoptr (GobanCluster) origin
          = was_own ? goban_what_if_guess_origin (usual) : goban_cluster_ref (last->origin);

      goban_state_set_origin (self, origin);
    }
  return self;
}

GobanState *
goban_state_ref (GobanState *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
goban_state_unref (GobanState *self)
{
  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;

  g_clear_pointer (&self->ghost, goban_run_unref);
  g_clear_pointer (&self->current, goban_run_unref);
  g_ptr_array_unref (self->runs);
  goban_selection_unref (self->pinned);
  goban_scene_list_unref (self->scenes);
  g_clear_pointer (&self->costs, goban_cost_model_unref);
  g_clear_pointer (&self->usual, goban_cluster_unref);
  goban_cluster_unref (self->origin);
  goban_cluster_unref (self->cluster);
  g_free (self);
}

GobanState *
goban_state_copy (const GobanState *self)
{
  GobanState *copy = g_new0 (GobanState, 1);

  g_atomic_ref_count_init (&copy->ref_count);
  copy->cluster = goban_cluster_ref (self->cluster);
  copy->origin = goban_cluster_ref (self->origin);
  copy->usual = self->usual != NULL ? goban_cluster_ref (self->usual) : NULL;
  copy->is_chosen = self->is_chosen;
  copy->costs = self->costs != NULL ? goban_cost_model_ref (self->costs) : NULL;
  copy->runs = goban_run_array_copy (self->runs);
  copy->pinned = goban_selection_ref (self->pinned);
  copy->scenes = goban_scene_list_ref (self->scenes);
  copy->current = goban_run_ref (self->current);
  copy->ghost = goban_run_ref (self->ghost);
  return copy;
}

gboolean
goban_state_has_run (const GobanState *self, GobanRun *run)
{
  return g_ptr_array_find (self->runs, run, NULL);
}

static gboolean
is_draft (GobanState *self)
{
  return g_atomic_ref_count_compare (&self->ref_count, 1);
}

void
goban_state_clear (GobanState *self)
{
  g_return_if_fail (is_draft (self));

  g_ptr_array_set_size (self->runs, 0);
  g_clear_pointer (&self->current, goban_run_unref);
  g_clear_pointer (&self->ghost, goban_run_unref);
  goban_selection_unref (self->pinned);
  self->pinned = goban_selection_new (NULL, 0);
  goban_scene_list_unref (self->scenes);
  self->scenes = goban_scene_list_new ();
}

/* After all equal elements: of two alike, the older one is first. */
static guint
find_place (const GobanState *self, GobanRun *run)
{
  guint place = self->runs->len;

  while (place > 0 && goban_run_compare (g_ptr_array_index (self->runs, place - 1), run) > 0)
    place--;
  return place;
}

void
goban_state_add_run (GobanState *self, GobanRun *run)
{
  g_return_if_fail (is_draft (self));

  if (!goban_state_has_run (self, run))
    g_ptr_array_insert (self->runs, (int) find_place (self, run), goban_run_ref (run));
}

void
goban_state_remove_run (GobanState *self, GobanRun *run)
{
  g_return_if_fail (is_draft (self));

  if (!g_ptr_array_remove (self->runs, run) || run != self->current)
    return;

  goban_state_set_current (self, self->runs->len > 0 ? g_ptr_array_index (self->runs, 0) : NULL);
}

/* The other one of a measured run and the simulated one of the same plan; (nullable). */
static GobanRun *
find_twin (const GobanState *self, GobanRun *run)
{
  for (guint i = 0; run != NULL && i < self->runs->len; i++)
    {
      GobanRun *other = g_ptr_array_index (self->runs, i);

      if (goban_run_get_plan (other) == goban_run_get_plan (run)
          && goban_run_is_recorded (other) != goban_run_is_recorded (run))
        return other;
    }
  return NULL;
}

void
goban_state_set_current (GobanState *self, GobanRun *run)
{
  g_return_if_fail (is_draft (self));

  if (goban_run_set (&self->current, run))
    goban_run_set (&self->ghost, find_twin (self, run));
}

void
goban_state_set_ghost (GobanState *self, GobanRun *run)
{
  g_return_if_fail (is_draft (self));

  goban_run_set (&self->ghost, run);
}

void
goban_state_set_pinned (GobanState *self, GobanSelection *pinned)
{
  g_return_if_fail (is_draft (self));

  goban_selection_ref (pinned);
  goban_selection_unref (self->pinned);
  self->pinned = pinned;
}

void
goban_state_set_scenes (GobanState *self, GobanSceneList *scenes)
{
  g_return_if_fail (is_draft (self));

  goban_scene_list_ref (scenes);
  goban_scene_list_unref (self->scenes);
  self->scenes = scenes;
}

void
goban_state_set_origin (GobanState *self, GobanCluster *origin)
{
  g_return_if_fail (is_draft (self));

  goban_cluster_ref (origin);
  goban_cluster_unref (self->origin);
  self->origin = origin;
}

GobanState *
goban_state_with_usual_cluster (const GobanState *self, GobanCluster *cluster)
{
  GobanState *next;
  guint n_dropped;

  if (self->usual == NULL)
    {
      next = goban_state_with_cluster (self, cluster, NULL, &n_dropped);
      goban_state_set_origin (next, cluster);
      return next;
    }

  next = goban_state_copy (self);
  goban_cluster_ref (cluster);
  goban_cluster_unref (next->usual);
  next->usual = cluster;
  return next;
}

void
goban_state_set_chosen (GobanState *self)
{
  g_return_if_fail (is_draft (self));

  goban_state_set_origin (self, self->cluster);
  g_clear_pointer (&self->usual, goban_cluster_unref);
  self->is_chosen = TRUE;
}

/* Whether a schedule on the one can be drawn over a schedule on the other. */
static gboolean
have_same_devices (GobanCluster *a, GobanCluster *b)
{
  guint n = goban_cluster_get_n_devices (a);

  if (n != goban_cluster_get_n_devices (b))
    return FALSE;
  for (guint d = 0; d < n; d++)
    if (!g_str_equal (goban_cluster_get_device (a, (GobanDeviceId) d)->name,
                      goban_cluster_get_device (b, (GobanDeviceId) d)->name))
      return FALSE;
  return TRUE;
}

/* The same decisions, each device @to of its number instead. (transfer full) */
static GobanPlan *
copy_plan_onto (GobanPlan *plan, GobanGraph *graph, const GobanDeviceId *to, guint n_devices)
{
  GobanPlan *copy = goban_plan_new (graph, n_devices);

  for (GobanNodeId v = 0; v < goban_plan_get_n_nodes (plan); v++)
    {
      goban_plan_set_device (copy, v, to[goban_plan_get_device (plan, v)]);
      goban_plan_set_priority (copy, v, goban_plan_get_priority (plan, v));
      goban_plan_set_fusion (copy, v, goban_plan_get_fusions (plan)[v]);
    }
  goban_plan_set_transfer_priorities (copy, goban_plan_get_transfer_priorities (plan));
  goban_plan_set_order (copy, goban_plan_get_order (plan));
  goban_plan_set_policy (copy, goban_plan_get_policy (plan));
  return copy;
}

/* The plan for another number of devices, if those that it uses are there by name; else the plan
 * itself, which then does not fit. (transfer full) */
static GobanPlan *
dup_plan_onto (GobanRun *run, GobanCluster *cluster)
{
  GobanPlan *plan = goban_run_get_plan (run);
  GobanCluster *own = goban_run_get_cluster (run);
  guint n = goban_cluster_get_n_devices (own), n_new = goban_cluster_get_n_devices (cluster);
  GobanDeviceId to[GOBAN_MAX_DEVICES];

  if (n == n_new)
    return goban_plan_ref (plan);
  for (guint d = 0; d < n; d++)
    {
      const GobanDevice *device = goban_cluster_get_device (own, (GobanDeviceId) d);

      to[d] = goban_cluster_find_device (cluster, device->name);
    }
  for (GobanNodeId v = 0; v < goban_plan_get_n_nodes (plan); v++)
    if (to[goban_plan_get_device (plan, v)] == GOBAN_NO_DEVICE)
      return goban_plan_ref (plan);
  return copy_plan_onto (plan, goban_run_get_graph (run), to, n_new);
}

GobanRun *
goban_rerun (GobanRun *run, GobanCostModel *costs, GError **error)
{
  g_autoptr (GobanPlan) plan = dup_plan_onto (run, goban_cost_model_get_cluster (costs));
  g_autofree char *name = goban_run_dup_plan_name (run);

  return goban_plan_check (plan, costs, error) ? goban_run_new (costs, plan, name) : NULL;
}

GobanState *
goban_state_with_cluster (const GobanState *self, GobanCluster *cluster, GobanRun *known,
                          guint *n_dropped)
{
  GobanState *next;

  next = goban_state_new (cluster, NULL);
  if (known != NULL && goban_run_get_cluster (known) == cluster)
    next->costs = goban_cost_model_ref (goban_run_get_costs (known));
  else
    {
      known = NULL;
      if (self->costs != NULL)
        next->costs = goban_cost_model_new_on (self->costs, cluster, GOBAN_EXECUTION_EVENTS);
    }
  goban_state_set_pinned (next, self->pinned);
  goban_state_set_scenes (next, self->scenes);
  goban_state_set_origin (next, self->origin);
  next->usual = self->usual != NULL ? goban_cluster_ref (self->usual) : NULL;
  next->is_chosen = self->is_chosen;

  *n_dropped = 0;
  for (guint i = 0; i < self->runs->len; i++)
    {
      GobanRun *run = g_ptr_array_index (self->runs, i);
      g_autoptr (GobanRun) fresh = NULL;

      if (goban_run_is_recorded (run) && !(run == self->current && known != NULL))
        continue;
      if (run == self->current && known != NULL)
        fresh = goban_run_ref (known);
      else
        fresh = goban_rerun (run, next->costs, NULL); /* a yes or no */
      if (fresh == NULL)
        {
          (*n_dropped)++;
          continue;
        }
      goban_state_add_run (next, fresh);
      if (run == self->current)
        goban_run_set (&next->current, fresh);
    }

  /* If the shown one does not fit, the best of those that do is shown. */
  if (next->current == NULL && self->current != NULL && next->runs->len > 0)
    goban_run_set (&next->current, g_ptr_array_index (next->runs, 0));
  else if (next->current != NULL && have_same_devices (self->cluster, cluster))
    goban_run_set (&next->ghost, self->current);
  return next;
}
