#include "engine/session/edit.h"

#include "engine/core/error.h"
#include "engine/core/i18n.h"
#include "engine/core/quantity.h"
#include "engine/machine/cluster/given-times.h"
#include "engine/machine/cluster/what-if.h"
#include "engine/machine/plan/plan-diff.h"
#include "engine/session/state.h"
#include "engine/sim/fusion/contraction.h"
#include "engine/study/log/log-lines.h"
#include "engine/study/run/run-origin.h"

#include <string.h>

#define BY_HAND ", by hand"

GobanEdit *
goban_edit_copy (const GobanEdit *edit)
{
  GobanEdit *copy = g_memdup2 (edit, sizeof *edit);

  goban_run_ref (copy->base);
  goban_run_ref (copy->run);
  if (copy->nodes != NULL)
    goban_selection_ref (copy->nodes);
  if (copy->pinned != NULL)
    goban_selection_ref (copy->pinned);
  if (copy->origin != NULL)
    goban_cluster_ref (copy->origin);
  if (copy->cluster != NULL)
    goban_cluster_ref (copy->cluster);
  return copy;
}

void
goban_edit_free (GobanEdit *edit)
{
  g_clear_pointer (&edit->base, goban_run_unref);
  g_clear_pointer (&edit->run, goban_run_unref);
  g_clear_pointer (&edit->nodes, goban_selection_unref);
  g_clear_pointer (&edit->pinned, goban_selection_unref);
  g_clear_pointer (&edit->origin, goban_cluster_unref);
  g_clear_pointer (&edit->cluster, goban_cluster_unref);
  g_free (edit);
}

gboolean
goban_edit_is_of_cluster (const GobanEdit *edit)
{
  return edit->kind >= GOBAN_EDIT_DEVICE;
}

/* --- moving --------------------------------------------------------------------------------- */

/* Constraints of colocation on a group of which some nodes are to be moved. */
enum
{
  GROUP_IS_ASKED = 1,
  GROUP_IS_PINNED = 2,
};

/* (transfer full): GROUP_ flags of every group for @edit. */
static guint8 *
mark_groups (const GobanEdit *edit)
{
  GobanGraph *graph = goban_run_get_graph (edit->base);
  guint8 *marks = g_new0 (guint8, goban_graph_get_n_groups (graph) + 1);
  GobanSelection *const sets[] = { edit->nodes, edit->pinned };
  static const guint8 flags[] = { GROUP_IS_ASKED, GROUP_IS_PINNED };

  for (gsize s = 0; s < G_N_ELEMENTS (sets); s++)
    {
      guint n = 0;
      const GobanNodeId *ids = sets[s] != NULL ? goban_selection_get_ids (sets[s], &n) : NULL;

      for (guint i = 0; i < n; i++)
        {
          guint32 group = goban_graph_get_node (graph, ids[i])->group;

          if (group != GOBAN_NO_GROUP)
            marks[group] |= flags[s];
        }
    }
  return marks;
}

/* The requested nodes and those that colocation keeps with them, without pinned ones; a group with
 * a pinned node stays as a whole. (transfer full) */
static GobanSelection *
find_moving (const GobanEdit *edit)
{
  GobanGraph *graph = goban_run_get_graph (edit->base);
  g_autofree guint8 *marks = mark_groups (edit);
  g_autoptr (GArray) ids = g_array_new (FALSE, FALSE, sizeof (GobanNodeId));
  guint n;
  const GobanNodeId *asked = goban_selection_get_ids (edit->nodes, &n);

  for (guint i = 0; i < n; i++)
    if (goban_graph_get_node (graph, asked[i])->group == GOBAN_NO_GROUP
        && (edit->pinned == NULL || !goban_selection_contains (edit->pinned, asked[i])))
      g_array_append_val (ids, asked[i]);

  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (graph); v++)
    {
      guint32 group = goban_graph_get_node (graph, v)->group;

      if (group != GOBAN_NO_GROUP && marks[group] == GROUP_IS_ASKED)
        g_array_append_val (ids, v);
    }
  return goban_selection_new ((const GobanNodeId *) (const void *) ids->data, ids->len);
}

static gboolean
move_nodes (const GobanEdit *edit, GobanPlan *plan, GError **error)
{
  g_autoptr (GobanSelection) moving = find_moving (edit);
  guint n, n_asked;
  const GobanNodeId *ids = goban_selection_get_ids (moving, &n);
  const GobanNodeId *asked = goban_selection_get_ids (edit->nodes, &n_asked);

  if (n == 0 && n_asked > 0)
    {
      const char *first = goban_graph_get_node (goban_run_get_graph (edit->base), asked[0])->name;

      if (n_asked == 1)
        return goban_refuse (error, GOBAN_ERROR_INVALID,
                             "“%s” stays where it is: it is pinned, or held by a node that is",
                             first);
      return goban_refuse (
          error, GOBAN_ERROR_INVALID,
          "all %u nodes stay where they are: they are pinned, or held by nodes that are", n_asked);
    }

  /* An edit may have waited for one that changed the cluster. */
  if (edit->device >= goban_cluster_get_n_devices (goban_run_get_cluster (edit->base)))
    return goban_refuse (error, GOBAN_ERROR_INVALID, "the cluster %s has no device %u any more",
                         goban_cluster_get_name (goban_run_get_cluster (edit->base)), edit->device);
  for (guint i = 0; i < n; i++)
    goban_plan_set_device (plan, ids[i], edit->device);
  goban_fusion_dissolve_split (plan);
  return TRUE;
}

/* --- priorities ----------------------------------------------------------------------------- */

/* An op in the order of its device. */
typedef struct
{
  GobanDeviceId device;
  gint32 priority;
  GobanNodeId id;
} Turn;

static int
compare_turns (gconstpointer a, gconstpointer b)
{
  const Turn *left = a;
  const Turn *right = b;

  if (left->device != right->device)
    return left->device < right->device ? -1 : 1;
  if (left->priority != right->priority)
    return left->priority > right->priority ? -1 : 1;
  return left->id < right->id ? -1 : left->id > right->id;
}

/* Ops of all devices in the order of their priorities; (transfer full). */
static GArray *
list_turns (GobanPlan *plan)
{
  guint n = goban_plan_get_n_nodes (plan);
  GArray *turns = g_array_sized_new (FALSE, FALSE, sizeof (Turn), n);

  for (GobanNodeId v = 0; v < n; v++)
    g_array_append_val (
        turns, ((Turn){ goban_plan_get_device (plan, v), goban_plan_get_priority (plan, v), v }));
  g_array_sort (turns, compare_turns);
  return turns;
}

/* The least change of the selected ops' priorities that takes one of them past the next op of its
 * device; 0 if they are first, or last, already. Of equal priorities the lower id goes first. */
static gint64
find_step (GobanPlan *plan, const GobanSelection *nodes, gboolean is_up)
{
  g_autoptr (GArray) turns = list_turns (plan);
  const Turn *other = NULL;
  gint64 step = G_MAXINT64;

  for (guint i = 0; i < turns->len; i++)
    {
      const Turn *turn = &g_array_index (turns, Turn, is_up ? i : turns->len - 1 - i);
      gint64 distance;

      if (!goban_selection_contains (nodes, turn->id))
        {
          other = turn;
          continue;
        }
      if (other == NULL || other->device != turn->device)
        continue;
      distance = ABS ((gint64) other->priority - turn->priority);
      if ((turn->id < other->id) != is_up)
        distance++;
      step = MIN (step, distance);
    }
  if (step == G_MAXINT64)
    return 0;
  return is_up ? step : -step;
}

static void
set_priorities (const GobanEdit *edit, GobanPlan *plan)
{
  guint n;
  const GobanNodeId *ids = goban_selection_get_ids (edit->nodes, &n);
  gint64 step
      = edit->kind == GOBAN_EDIT_URGENCY ? find_step (plan, edit->nodes, edit->priority > 0) : 0;

  for (guint i = 0; i < n; i++)
    {
      gint64 priority = edit->kind == GOBAN_EDIT_URGENCY
                            ? goban_plan_get_priority (plan, ids[i]) + step
                            : edit->priority;

      goban_plan_set_priority (plan, ids[i], (gint32) CLAMP (priority, G_MININT32, G_MAXINT32));
    }
}

/* --- fusing --------------------------------------------------------------------------------- */

/* The kernels that nodes of @nodes are in. (transfer full) */
static GHashTable *
find_kernels (const GobanPlan *plan, const GobanSelection *nodes)
{
  GHashTable *kernels = g_hash_table_new (NULL, NULL);
  const gint32 *fusions = goban_plan_get_fusions (plan);
  guint n;
  const GobanNodeId *ids = goban_selection_get_ids (nodes, &n);

  for (guint i = 0; i < n; i++)
    if (fusions[ids[i]] != GOBAN_NO_FUSION)
      g_hash_table_add (kernels, GINT_TO_POINTER (fusions[ids[i]]));
  return kernels;
}

/* Every kernel is named by its lowest node, as in the executors, so that a new name is unused. */
static void
name_kernels (GobanPlan *plan)
{
  g_autoptr (GHashTable) names = g_hash_table_new (NULL, NULL);

  for (GobanNodeId v = 0; v < goban_plan_get_n_nodes (plan); v++)
    {
      gpointer old = GINT_TO_POINTER (goban_plan_get_fusions (plan)[v]);
      gpointer name;

      if (old == GINT_TO_POINTER (GOBAN_NO_FUSION))
        continue;
      if (!g_hash_table_lookup_extended (names, old, NULL, &name))
        g_hash_table_insert (names, old, name = GINT_TO_POINTER ((gint32) v));
      goban_plan_set_fusion (plan, v, GPOINTER_TO_INT (name));
    }
}

static gboolean
fuse_nodes (const GobanEdit *edit, GobanPlan *plan, GError **error)
{
  g_autoptr (GHashTable) kernels = NULL;
  guint n;
  const GobanNodeId *ids = goban_selection_get_ids (edit->nodes, &n);
  gint32 name = n > 0 ? (gint32) ids[0] : GOBAN_NO_FUSION;

  if (n < 2)
    return goban_refuse (error, GOBAN_ERROR_INVALID, "a kernel is fused of two nodes or more");

  name_kernels (plan);
  kernels = find_kernels (plan, edit->nodes);
  for (GobanNodeId v = 0; v < goban_plan_get_n_nodes (plan); v++)
    {
      gint32 fusion = goban_plan_get_fusions (plan)[v];

      if (fusion != GOBAN_NO_FUSION && g_hash_table_contains (kernels, GINT_TO_POINTER (fusion)))
        {
          name = MIN (name, (gint32) v);
          goban_plan_set_fusion (plan, v, name);
        }
    }
  for (guint i = 0; i < n; i++)
    goban_plan_set_fusion (plan, ids[i], name);
  goban_plan_set_proven_bound_us (plan, NULL, 0); /* it was of plans that fuse nothing */
  return TRUE;
}

static gboolean
unfuse_nodes (const GobanEdit *edit, GobanPlan *plan, GError **error)
{
  g_autoptr (GHashTable) kernels = find_kernels (plan, edit->nodes);

  if (g_hash_table_size (kernels) == 0)
    return goban_refuse (error, GOBAN_ERROR_INVALID, "none of these nodes is fused with another");
  for (GobanNodeId v = 0; v < goban_plan_get_n_nodes (plan); v++)
    if (g_hash_table_contains (kernels, GINT_TO_POINTER (goban_plan_get_fusions (plan)[v])))
      goban_plan_set_fusion (plan, v, GOBAN_NO_FUSION);
  return TRUE;
}

/* --- running -------------------------------------------------------------------------------- */

static gboolean
change_plan (const GobanEdit *edit, GobanPlan *plan, GError **error)
{
  switch (edit->kind)
    {
    case GOBAN_EDIT_MOVE:
      return move_nodes (edit, plan, error);
    case GOBAN_EDIT_PRIORITY:
    case GOBAN_EDIT_URGENCY:
      set_priorities (edit, plan);
      return TRUE;
    case GOBAN_EDIT_FUSE:
      return fuse_nodes (edit, plan, error);
    case GOBAN_EDIT_UNFUSE:
      return unfuse_nodes (edit, plan, error);
    case GOBAN_EDIT_DEVICE:
    case GOBAN_EDIT_LINK:
    case GOBAN_EDIT_CLUSTER:
      break;
    }
  g_return_val_if_reached (FALSE);
}

gboolean
goban_edit_is_by_hand (GobanRun *run)
{
  const char *name = goban_run_get_name (run);

  /* A file's plan has its name from the file. */
  return g_str_has_suffix (name, BY_HAND)
         && g_str_equal (name, goban_plan_get_policy (goban_run_get_plan (run)));
}

char *
goban_edit_dup_origin (GobanRun *run)
{
  const char *name = goban_run_get_name (run);

  return goban_edit_is_by_hand (run) ? g_strndup (name, strlen (name) - strlen (BY_HAND)) : NULL;
}

GobanWhatIf
goban_edit_get_what_if (const GobanEdit *edit)
{
  gboolean is_link = edit->kind == GOBAN_EDIT_LINK;

  return (GobanWhatIf){
    .is_link = is_link,
    .from = is_link ? edit->from : edit->device,
    .to = edit->to,
    .is_alike = edit->is_alike,
    .what = edit->what,
    .value = edit->value,
  };
}

/* (transfer full) (nullable) */
static GobanCluster *
change_cluster (const GobanEdit *edit, GError **error)
{
  GobanCluster *old = goban_run_get_cluster (edit->base);
  GobanWhatIf change = goban_edit_get_what_if (edit);

  if (edit->kind == GOBAN_EDIT_CLUSTER)
    return goban_cluster_ref (edit->cluster);
  return goban_what_if (old, edit->origin != NULL ? edit->origin : old, &change, error);
}

static GobanRun *
run_on_cluster (const GobanEdit *edit, GError **error)
{
  g_autoptr (GobanCluster) cluster = change_cluster (edit, error);
  g_autoptr (GobanCostModel) costs = NULL;

  if (cluster == NULL)
    return NULL;
  costs
      = goban_cost_model_new_on (goban_run_get_costs (edit->base), cluster, GOBAN_EXECUTION_EVENTS);
  return goban_rerun (edit->base, costs, error);
}

GobanRun *
goban_edit_run (const GobanEdit *edit, GError **error)
{
  g_autoptr (GobanPlan) plan = NULL;
  g_autoptr (GobanRun) run = NULL;
  g_autofree char *base_name = NULL, *name = NULL;
  const GobanRunParts *parts;

  g_return_val_if_fail (edit->base != NULL, NULL);

  if (goban_edit_is_of_cluster (edit))
    return run_on_cluster (edit, error);

  parts = goban_run_get_parts (edit->base);
  plan = goban_plan_copy (parts->plan);
  if (!change_plan (edit, plan, error))
    return NULL;
  if (goban_plan_decides_same (parts->plan, plan))
    return goban_run_ref (edit->base);

  base_name = goban_run_dup_plan_name (edit->base);
  name = goban_edit_is_by_hand (edit->base) ? g_steal_pointer (&base_name)
                                            : g_strconcat (base_name, BY_HAND, NULL);
  goban_plan_set_policy (plan, name);
  if (edit->kind == GOBAN_EDIT_FUSE && !goban_fusing_check (plan, parts->costs, error))
    return NULL;
  run = goban_run_new (parts->costs, plan, name);
  /* A simulator checks its plan, so one that has run is not checked again. */
  if (goban_trace_get_ops (goban_run_get_trace (run)) == NULL
      && !goban_plan_check (plan, parts->costs, error))
    return NULL;
  return g_steal_pointer (&run);
}

/* --- words ---------------------------------------------------------------------------------- */

char *
goban_edit_describe_nodes (GobanGraph *graph, const GobanSelection *nodes)
{
  guint n;
  const GobanNodeId *ids = goban_selection_get_ids (nodes, &n);
  char number[GOBAN_QUANTITY_LEN];

  return n == 1 ? g_strdup (goban_graph_get_node (graph, ids[0])->name)
                : g_strdup_printf (_ ("%s nodes"), goban_format_grouped (number, n));
}

static const char *
device_name (const GobanEdit *edit)
{
  return goban_cluster_get_device (goban_run_get_cluster (edit->base), edit->device)->name;
}

char *
goban_edit_describe (const GobanEdit *edit)
{
  g_autofree char *nodes
      = edit->nodes != NULL
            ? goban_edit_describe_nodes (goban_run_get_graph (edit->base), edit->nodes)
            : NULL;
  GobanCluster *cluster = goban_run_get_cluster (edit->base);
  GobanWhatIf change = goban_edit_get_what_if (edit);

  switch (edit->kind)
    {
    case GOBAN_EDIT_MOVE:
      return g_strdup_printf (_ ("move %s to %s"), nodes, device_name (edit));
    case GOBAN_EDIT_PRIORITY:
      return g_strdup_printf (_ ("give %s priority %d"), nodes, edit->priority);
    case GOBAN_EDIT_URGENCY:
      return g_strdup_printf (edit->priority > 0 ? _ ("raise the priority of %s")
                                                 : _ ("lower the priority of %s"),
                              nodes);
    case GOBAN_EDIT_FUSE:
      return g_strdup_printf (_ ("fuse %s"), nodes);
    case GOBAN_EDIT_UNFUSE:
      return g_strdup_printf (_ ("unfuse %s"), nodes);
    case GOBAN_EDIT_DEVICE:
    case GOBAN_EDIT_LINK:
      return goban_what_if_name (cluster, &change);
    case GOBAN_EDIT_CLUSTER:
      return g_strdup_printf (_ ("take the cluster %s"), goban_cluster_get_name (edit->cluster));
    }
  g_return_val_if_reached (NULL);
}

char *
goban_edit_to_lua (const GobanEdit *edit)
{
  g_autofree char *device = NULL;

  switch (edit->kind)
    {
    case GOBAN_EDIT_MOVE:
      device = goban_lua_text_quote (device_name (edit));
      return g_strconcat (":move ", device, NULL);
    case GOBAN_EDIT_PRIORITY:
      return g_strdup_printf (":prio(%d)", edit->priority);
    case GOBAN_EDIT_URGENCY:
      return g_strdup (edit->priority > 0 ? ":prio \"up\"" : ":prio \"down\"");
    case GOBAN_EDIT_FUSE:
      return g_strdup (":fuse()");
    case GOBAN_EDIT_UNFUSE:
      return g_strdup (":unfuse()");
    case GOBAN_EDIT_DEVICE:
    case GOBAN_EDIT_LINK:
    case GOBAN_EDIT_CLUSTER:
      break;
    }
  g_return_val_if_reached (NULL);
}

/* Appends a sentence that begins with how many, if there are any. */
static void
append_sentence (GString *text, guint n, const char *one, const char *many)
{
  if (n == 0)
    return;

  if (text->len > 0)
    g_string_append (text, "; ");
  g_string_append_printf (text, "%u %s", n, n == 1 ? one : many);
}

static void
explain_move (const GobanEdit *edit, GString *text)
{
  g_autoptr (GobanSelection) moving = find_moving (edit);
  g_autoptr (GobanSelection) staying = goban_selection_difference (edit->nodes, moving);
  g_autoptr (GobanSelection) more = goban_selection_difference (moving, edit->nodes);
  guint n_staying, n_more;

  goban_selection_get_ids (staying, &n_staying);
  goban_selection_get_ids (more, &n_more);
  append_sentence (text, n_staying, "node stayed: it is pinned, or held by one that is",
                   "nodes stayed: they are pinned, or held by ones that are");
  append_sentence (text, n_more, "more node moved along: colocation keeps them on one device",
                   "more nodes moved along: colocation keeps them on one device");
}

/* Whole kernels are joined and taken apart. */
static void
explain_kernels (const GobanEdit *edit, GString *text)
{
  GobanPlan *plan = goban_run_get_plan (edit->base);
  g_autoptr (GHashTable) kernels = find_kernels (plan, edit->nodes);
  guint n_more = 0;

  for (GobanNodeId v = 0; v < goban_plan_get_n_nodes (plan); v++)
    if (g_hash_table_contains (kernels, GINT_TO_POINTER (goban_plan_get_fusions (plan)[v]))
        && !goban_selection_contains (edit->nodes, v))
      n_more++;
  if (edit->kind == GOBAN_EDIT_FUSE)
    append_sentence (text, n_more, "more node came along: it was fused with one of them",
                     "more nodes came along: they were fused with some of them");
  else
    append_sentence (text, n_more, "more node is free: kernels are taken apart as a whole",
                     "more nodes are free: kernels are taken apart as a whole");
}

char *
goban_edit_explain (const GobanEdit *edit)
{
  g_autoptr (GString) text = g_string_new (NULL);

  switch (edit->kind)
    {
    case GOBAN_EDIT_MOVE:
      explain_move (edit, text);
      break;
    case GOBAN_EDIT_PRIORITY:
    case GOBAN_EDIT_URGENCY:
      if (goban_plan_get_order (goban_run_get_plan (edit->base)) == GOBAN_ORDER_FIFO)
        g_string_append (text, "This plan's devices take ops as they become ready, "
                               "whatever their priorities");
      break;
    case GOBAN_EDIT_FUSE:
    case GOBAN_EDIT_UNFUSE:
      explain_kernels (edit, text);
      break;
    case GOBAN_EDIT_DEVICE:
    case GOBAN_EDIT_LINK:
    case GOBAN_EDIT_CLUSTER:
      break;
    }
  return text->len > 0 ? g_string_free (g_steal_pointer (&text), FALSE) : NULL;
}
