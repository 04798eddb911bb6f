/* A device_map of Hugging Face Accelerate: JSON of module paths and their devices, the largest
 * modules that are on one device.
 *
 * An op of a module that is split has no entry. PyTorch computes it where its inputs are, so that
 * is where the plan must have it. The inputs of the model are moved to the first GPU.
 */
#include "engine/io/apply/target.h"

#include "engine/core/error.h"
#include "engine/core/i18n.h"
#include "engine/core/json-text.h"

static const GobanDeviceWord words[] = {
  { "gpu", "", TRUE },
  { "cpu", "cpu", FALSE },
  { NULL },
};

/* Whether the node is an op of the module or of one of its parts. */
static gboolean
is_inside (const GobanModules *modules, guint module, GobanNodeId node)
{
  guint i = modules->of_node[node];

  while (i != module && i != 0)
    i = goban_modules_get (modules, i)->parent;
  return i == module;
}

/* Another node of the module, which is split, is on another device. */
static gboolean
refuse_parameters (const GobanApplyWork *work, const GobanModules *modules, GobanNodeId node,
                   GError **error)
{
  guint module = modules->of_node[node];
  GobanDeviceId device = goban_plan_get_device (work->plan, node);
  GobanNodeId other = goban_modules_get (modules, module)->first;

  while (!is_inside (modules, module, other) || goban_plan_get_device (work->plan, other) == device)
    other++;
  return goban_refuse (error, GOBAN_ERROR_UNSUPPORTED,
                       "Accelerate places whole modules: of “%s”, node “%s” with parameters is on "
                       "%s, node “%s” on %s",
                       goban_modules_get_name (modules, module), goban_apply_node_name (work, node),
                       goban_apply_device_name (work, node), goban_apply_node_name (work, other),
                       goban_apply_device_name (work, other));
}

/* An op that no entry of the map decides. */
static gboolean
check_own_op (const GobanApplyWork *work, const GobanModules *modules, GobanDeviceId main,
              GobanNodeId node, GError **error)
{
  GobanDeviceId device = goban_plan_get_device (work->plan, node);
  GobanEdgeSpan in = goban_graph_get_in_edges (work->graph, node);
  gboolean has_input = FALSE;

  if (goban_graph_get_node (work->graph, node)->param_bytes > 0)
    return refuse_parameters (work, modules, node, error);
  for (guint i = 0; i < in.n; i++)
    {
      const GobanEdge *edge = goban_graph_get_edge (work->graph, in.ids[i]);

      if (goban_graph_get_tensor (work->graph, edge->tensor)->is_control)
        continue;
      has_input = TRUE;
      if (goban_plan_get_device (work->plan, edge->tail) != device)
        return goban_refuse (
            error, GOBAN_ERROR_UNSUPPORTED,
            "Accelerate moves the inputs of modules, not of single ops: node “%s” "
            "on %s reads node “%s” on %s, and the module of both is split",
            goban_apply_node_name (work, node), goban_apply_device_name (work, node),
            goban_apply_node_name (work, edge->tail), goban_apply_device_name (work, edge->tail));
    }
  if (!has_input && main == GOBAN_NO_DEVICE)
    return goban_refuse (error, GOBAN_ERROR_UNSUPPORTED,
                         "Accelerate places modules, the scopes of names such as "
                         "“layer/attention/MatMul”, but no module of the graph is on one device; "
                         "node “%s” is on %s",
                         goban_apply_node_name (work, node), goban_apply_device_name (work, node));
  return has_input || device == main
         || goban_refuse (error, GOBAN_ERROR_UNSUPPORTED,
                          "Accelerate moves the inputs of the model to its first GPU, %s: node "
                          "“%s”, which belongs to no whole module, is on %s",
                          goban_cluster_get_device (work->cluster, main)->name,
                          goban_apply_node_name (work, node), goban_apply_device_name (work, node));
}

/* Accelerate's main device: the first GPU of the map, or the CPU; GOBAN_NO_DEVICE if the map is
 * empty. */
static GobanDeviceId
find_main (const GobanApplyWork *work, const GobanModules *modules)
{
  GobanDeviceId main = GOBAN_NO_DEVICE;

  for (guint i = 0; i < modules->modules->len; i++)
    {
      GobanDeviceId device = goban_modules_get (modules, i)->device;

      if (device == GOBAN_MODULE_IS_SPLIT)
        continue;
      if (g_str_equal (goban_cluster_get_device (work->cluster, device)->kind, "gpu"))
        return device;
      main = device;
    }
  return main;
}

static void
append_module (GString *text, const GobanModule *module, const char *word)
{
  g_string_append (text, text->len > 2 ? ",\n  " : "  ");
  goban_json_append_string (text, module->path);
  g_string_append (text, ": ");
  if (g_ascii_isdigit (*word))
    g_string_append (text, word);
  else
    goban_json_append_string (text, word);
}

static gboolean
write_device_map (GobanApplyWork *work, GError **error)
{
  g_auto (GStrv) names = goban_device_names_new (work, words, "Accelerate", error);
  g_autoptr (GobanModules) modules = NULL;
  GobanDeviceId main;
  gboolean has_cpu = FALSE, has_gpu = FALSE;

  if (names == NULL || !goban_apply_check_forward (work, "Accelerate", error))
    return FALSE;
  modules = goban_modules_new (work);
  main = find_main (work, modules);
  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (work->graph); v++)
    if (goban_modules_get (modules, modules->of_node[v])->device == GOBAN_MODULE_IS_SPLIT
        && !check_own_op (work, modules, main, v, error))
      return FALSE;

  g_string_append (work->text, "{\n");
  for (guint i = 0; i < modules->modules->len; i++)
    {
      const GobanModule *module = goban_modules_get (modules, i);

      if (module->device == GOBAN_MODULE_IS_SPLIT
          || (i > 0
              && goban_modules_get (modules, module->parent)->device != GOBAN_MODULE_IS_SPLIT))
        continue;
      append_module (work->text, module, names[module->device]);
      has_cpu |= g_str_equal (names[module->device], "cpu");
      has_gpu |= !g_str_equal (names[module->device], "cpu");
    }
  g_string_append (work->text, "\n}\n");
  if (has_cpu && has_gpu)
    work->note = N_ ("beside a GPU, Accelerate keeps the weights of modules on “cpu” there, but "
                     "computes them on its first GPU");
  return TRUE;
}

const GobanApplyTarget goban_apply_accelerate = {
  .name = "accelerate",
  .framework = "Accelerate",
  .blurb = N_ ("device_map: the device of each module, named by the scopes of the graph"),
  .suffix = ".json",
  .write = write_device_map,
};
