/* Node data of Model Explorer:
 *
 *   { "main": { "results": { "NODE": { "value": "gpu:0", "bgColor": "#rrggbb" }, ... } } }
 *
 * "main" and the nodes' names are the ids of engine/io/model-explorer.c.
 */
#include "engine/io/apply/target.h"

#include "engine/core/i18n.h"
#include "engine/core/json-text.h"

/* Light enough for black text. */
static const char *const colors[]
    = { "#8ecae6", "#ffb703", "#95d5b2", "#f4acb7", "#cdb4db", "#e9c46a", "#adb5bd", "#d4a373" };

static gboolean
write_node_data (GobanApplyWork *work, GError **error)
{
  g_string_append (work->text, "{\"main\": {\"results\": {");
  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (work->graph); v++)
    {
      g_string_append (work->text, v > 0 ? ",\n" : "\n");
      goban_json_append_string (work->text, goban_apply_node_name (work, v));
      g_string_append (work->text, ": {\"value\": ");
      goban_json_append_string (work->text, goban_apply_device_name (work, v));
      g_string_append_printf (
          work->text, ", \"bgColor\": \"%s\"}",
          colors[goban_plan_get_device (work->plan, v) % G_N_ELEMENTS (colors)]);
    }
  g_string_append (work->text, "\n}}}\n");
  return TRUE;
}

const GobanApplyTarget goban_apply_model_explorer = {
  .name = "model-explorer",
  .framework = "Model Explorer",
  .blurb = N_ ("node data: devices as colours on the graph that Goban converted"),
  .suffix = ".json",
  .write = write_node_data,
};
