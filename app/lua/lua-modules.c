#include "app/lua/lua-modules.h"

#include "app/lua/core/lua-sandbox.h"
#include "app/lua/core/lua-unknown.h"
#include "app/lua/jobs/lua-bench.h"
#include "app/lua/jobs/lua-job.h"
#include "app/lua/jobs/lua-measure.h"
#include "app/lua/jobs/lua-networks.h"
#include "app/lua/jobs/lua-trainer.h"
#include "app/lua/lua-app.h"
#include "app/lua/lua-globals.h"
#include "app/lua/lua-policy.h"
#include "app/lua/lua-prelude.h"
#include "app/lua/model/lua-cluster.h"
#include "app/lua/model/lua-decisions.h"
#include "app/lua/model/lua-graph.h"
#include "app/lua/model/lua-node.h"
#include "app/lua/model/lua-place.h"
#include "app/lua/model/lua-plan.h"
#include "app/lua/model/lua-run.h"
#include "app/lua/model/lua-search.h"
#include "app/lua/model/lua-set.h"
#include "app/lua/view/lua-color.h"
#include "app/lua/view/lua-compare.h"
#include "app/lua/view/lua-controls.h"
#include "app/lua/view/lua-figure.h"
#include "app/lua/view/lua-picture.h"
#include "app/lua/view/lua-view.h"

/* In this order: a type stands before the files that extend it. */
static const GobanLuaOpen openers[] = {
  goban_lua_open_sandbox,     goban_lua_open_patterns,    goban_lua_open_tables,
  goban_lua_open_coroutine,   goban_lua_open_cluster,     goban_lua_open_node,
  goban_lua_open_set,         goban_lua_open_graph,       goban_lua_open_graph_nodes,
  goban_lua_open_graph_load,  goban_lua_open_array,       goban_lua_open_generate,
  goban_lua_open_cells,       goban_lua_open_plan,        goban_lua_open_apply,
  goban_lua_open_place,       goban_lua_open_policy,      goban_lua_open_search,
  goban_lua_open_run,         goban_lua_open_causes,      goban_lua_open_decisions,
  goban_lua_open_moment,      goban_lua_open_totals,      goban_lua_open_playback_state,
  goban_lua_open_time_events, goban_lua_open_pipeline,    goban_lua_open_replicas,
  goban_lua_open_compare,     goban_lua_open_diff_report, goban_lua_open_parts,
  goban_lua_open_compare_set, goban_lua_open_bench,       goban_lua_open_measure,
  goban_lua_open_job,         goban_lua_open_trainer,     goban_lua_open_networks,
  goban_lua_open_view,        goban_lua_open_look,        goban_lua_open_save,
  goban_lua_open_film,        goban_lua_open_share,       goban_lua_open_color,
  goban_lua_open_hierarchy,   goban_lua_open_edit,        goban_lua_open_app,
  goban_lua_open_controls,    goban_lua_open_figure,      goban_lua_open_picture,
  goban_lua_open_globals,     goban_lua_open_lesson,      goban_lua_open_scene,
  goban_lua_open_prelude,     goban_lua_open_unknown,
};

void
goban_lua_open_modules (lua_State *L)
{
  for (gsize i = 0; i < G_N_ELEMENTS (openers); i++)
    openers[i](L);
}
