/* A Python module for OpenVINO's HETERO device. OpenVINO makes ops of its own from those of the
 * file: constants, parameters, and parts of an op. These go with an op that reads them, or else
 * with one that they read; the module refuses a model of which an op would be left over.
 */
#include "engine/io/apply/target.h"

#include "engine/core/i18n.h"
#include "engine/core/json-text.h"

static const char head[] = "\"\"\"Devices of the ops of a model, for OpenVINO.\n"
                           "\n"
                           "    model = openvino.Core().read_model(path)\n"
                           "    set_affinity(model)\n"
                           "    compiled = openvino.Core().compile_model(model, TARGET)\n"
                           "\"\"\"\n"
                           "\n"
                           "DEVICES = {\n";

static const char functions[]
    = "\n"
      "\n"
      "def set_affinity(model):\n"
      "    \"\"\"Gives every op its device, or raises ValueError. Returns the ops of the plan "
      "that\n"
      "    the model lacks: OpenVINO leaves out those without effect.\"\"\"\n"
      "    ops = model.get_ordered_ops()\n"
      "    found, left = {}, set(DEVICES)\n"
      "    for op in ops:\n"
      "        name = op.get_friendly_name().lstrip(\"/\")\n"
      "        if name in DEVICES:\n"
      "            found[op.get_friendly_name()] = DEVICES[name]\n"
      "            left.discard(name)\n"
      "    for op in reversed(ops):\n"
      "        readers = (i.get_node() for o in op.outputs() for i in o.get_target_inputs())\n"
      "        copy_device(found, op, readers)\n"
      "    for op in ops:\n"
      "        copy_device(found, op, (i.get_source_output().get_node() for i in op.inputs()))\n"
      "    for op in ops:\n"
      "        if op.get_friendly_name() not in found:\n"
      "            raise ValueError(f\"{op.get_friendly_name()} is not in the plan\")\n"
      "        op.get_rt_info()[\"affinity\"] = found[op.get_friendly_name()]\n"
      "    return sorted(left)\n"
      "\n"
      "\n"
      "def copy_device(found, op, neighbours):\n"
      "    for other in neighbours:\n"
      "        if other.get_friendly_name() in found:\n"
      "            found.setdefault(op.get_friendly_name(), found[other.get_friendly_name()])\n";

static const GobanDeviceWord words[] = {
  { "gpu", "GPU.", TRUE },
  { "cpu", "CPU", FALSE },
  { "npu", "NPU", FALSE },
  { NULL },
};

static gboolean
write_module (GobanApplyWork *work, GError **error)
{
  g_auto (GStrv) names = goban_device_names_new (work, words, "OpenVINO", error);
  g_autoptr (GString) target = g_string_new ("HETERO:");

  if (names == NULL || !goban_apply_check_forward (work, "OpenVINO", error))
    return FALSE;
  g_string_append (work->text, head);
  /* A string of JSON is one of Python. */
  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (work->graph); v++)
    {
      g_string_append (work->text, "    ");
      goban_json_append_string (work->text, goban_apply_node_name (work, v));
      g_string_append_printf (work->text, ": \"%s\",\n",
                              names[goban_plan_get_device (work->plan, v)]);
    }
  for (guint d = 0; names[d] != NULL; d++)
    if (*names[d] != '\0')
      g_string_append_printf (target, "%s%s", g_str_has_suffix (target->str, ":") ? "" : ",",
                              names[d]);
  g_string_append_printf (work->text, "}\nTARGET = \"%s\"\n%s", target->str, functions);
  return TRUE;
}

const GobanApplyTarget goban_apply_openvino = {
  .name = "openvino",
  .framework = "OpenVINO",
  .blurb = N_ ("a Python module that sets the affinity of every op"),
  .suffix = ".py",
  .write = write_module,
};
