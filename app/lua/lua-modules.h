/* lua-modules.h: Lua modules that scripts can use, one file each, and the functions they share.
 *
 * Every goban_lua_open_ function registers a module's types and functions once. The push
 * functions take a reference of their own; what check functions return is borrowed from Lua.
 */
#pragma once

#include "app/lua/lua-bound.h"
#include "app/lua/lua-handle.h"
#include "app/lua/lua-value.h"
#include "engine/session/session.h"

G_BEGIN_DECLS

/* --- values -------------------------------------------------------------------- */

/* Nodes and sets keep their cost model, and the run they were taken from. */
typedef struct
{
  GobanCostModel *costs;
  GobanRun *run; /* (nullable) */
  GobanNodeId id;
} GobanLuaNode;

typedef struct
{
  GobanCostModel *costs;
  GobanRun *run;    /* (nullable) */
  GobanNodeId *ids; /* in an order that means something, each once */
  guint n;
} GobanLuaSet;

typedef struct
{
  GobanPlan *plan;
  GobanCostModel *costs;
  gboolean is_shared;           /* shared: copy before a change */
  char *recipe;                 /* (nullable): Lua expression that makes it of g: "plan.heft(g)" */
  GobanDecisionLog *decisions;  /* (nullable): how its policy came to it */
  GobanPlacementRecord *record; /* (nullable): the same of policies without a log */
} GobanLuaPlan;

typedef struct
{
  GobanCluster *cluster; /* replaced when a script sets a number */
} GobanLuaCluster;

void goban_lua_push_graph (lua_State *L, GobanGraph *graph);
/* The slot of the handle pushed, to be filled with a graph of the caller's. */
GobanGraph **goban_lua_push_empty_graph (lua_State *L);
GobanGraph *goban_lua_check_graph (lua_State *L, int index);
/* Charges the account with a graph, plan or run that was made for the handle at @index. */
void goban_lua_charge_graph (lua_State *L, int index, GobanGraph *graph);
void goban_lua_charge_plan (lua_State *L, int index, GobanGraph *graph);
void goban_lua_charge_run (lua_State *L, int index, GobanRun *run);
/* Logs that a graph has been opened, with the expression that loads it, if known. */
void goban_lua_log_open (lua_State *L, GobanGraph *graph);
/* (nullable): expression that makes the graph, if this host has it: "graph.load(...)". Never
 * raises. (transfer full) */
char *goban_lua_dup_graph_recipe (lua_State *L, GobanGraph *graph);
/* Remembers that a graph can be made again by its name. */
void goban_lua_keep_spec (lua_State *L, GobanGraph *graph);

/* Costs of a graph on its cluster: goban_session_get_cluster_for(). Borrowed until the next call. Never raises. */
GobanCostModel *goban_lua_get_costs (lua_State *L, GobanGraph *graph);
/* The session's current run if it is of this graph, else NULL. Never raises. */
GobanRun *goban_lua_get_run (lua_State *L, GobanGraph *graph);

void goban_lua_push_node (lua_State *L, GobanCostModel *costs, GobanRun *run, GobanNodeId id);
/* A node by handle or name, of this graph, or raises. */
GobanNodeId goban_lua_check_node_of (lua_State *L, int index, GobanGraph *graph);

/* Pushes a set with room for @n ids, which the caller writes at once. */
GobanLuaSet *goban_lua_push_set (lua_State *L, GobanCostModel *costs, GobanRun *run, guint n);
GobanLuaSet *goban_lua_check_set (lua_State *L, int index);
GobanLuaSet *goban_lua_test_set (lua_State *L, int index);
void goban_lua_push_selection (lua_State *L, GobanGraph *graph, GobanSelection *selection);
/* Pushes the nodes of a query at @index: a string, a table of fields, a function, or nil for all. */
int goban_lua_query (lua_State *L, int index, GobanCostModel *costs, GobanRun *run);

void goban_lua_push_cluster (lua_State *L, GobanCluster *cluster);
/* A cluster, or a string that names one; at @index none or nil: the session's. The answer is
 * borrowed from the stack or the session. */
GobanCluster *goban_lua_opt_cluster (lua_State *L, int index);
/* The same for plans of @graph, whose own it is at none or nil, borrowed until the next call: raises if the graph has no times
 * for its devices, and warns if they are estimated. */
GobanCluster *goban_lua_opt_cluster_for (lua_State *L, int index, GobanGraph *graph);
/* A device by name, or raises with the names there are. */
GobanDeviceId goban_lua_check_device (lua_State *L, int index, GobanCluster *cluster);

void goban_lua_push_plan (lua_State *L, GobanPlan *plan, GobanCostModel *costs);
GobanLuaPlan *goban_lua_check_plan (lua_State *L, int index);
GobanLuaPlan *goban_lua_test_plan (lua_State *L, int index);
/* The costs of a graph on a cluster: the plan's own, the session's, or new. (transfer full) */
GobanCostModel *goban_lua_dup_costs (lua_State *L, GobanGraph *graph, GobanCluster *cluster,
                                     GobanExecution execution);
/* The execution model from options: by name (nullable), else by the shorthand. Raises. */
GobanExecution goban_lua_check_execution (lua_State *L, const char *model,
                                          gboolean contention_free);

/* Options of a policy; cluster is a stack index, 0 for the session's. */
typedef struct
{
  int cluster;
  gint64 seed;
  gint64 evals;
  const char *tasks; /* (nullable) */
  double seconds;
  gboolean contention_free;
  const char *model;
  const char *network;
  const char *settings;
  int start;       /* a stack index of a plan, 0 for none */
  gboolean pinned; /* pinned nodes keep their devices in the shown run */
} GobanLuaPlaceOptions;

/* A seed, a cluster, or a table of options at @index; returns the cluster for @graph, borrowed. */
GobanCluster *goban_lua_check_place_options (lua_State *L, int index, GobanGraph *graph,
                                             GobanLuaPlaceOptions *options);

/* The run options they come to. Strings and the plan are owned: goban_lua_clear_run_options(). */
GobanRunOptions goban_lua_dup_run_options (lua_State *L, const GobanLuaPlaceOptions *options);
void goban_lua_clear_run_options (GobanRunOptions *options);
/* "placement,scheduling", or NULL, which is 0: the default. */
GobanDecisions goban_lua_check_tasks (lua_State *L, const char *tasks);

/* Places a graph with a policy of the table; options at @index. Returns as a bound function. */
int goban_lua_place (lua_State *L, const char *policy, GobanGraph *graph, int index);

void goban_lua_push_run (lua_State *L, GobanRun *run);
/* A handle without a run, for one that is yet to be made: fill puts it into the handle on top of the stack, and never
 * raises. @run: (transfer full) */
void goban_lua_push_empty_run (lua_State *L);
void goban_lua_fill_run (lua_State *L, GobanRun *run);
/* Gives the plan handle on top of the stack references to the decisions (both nullable) that led to its plan. */
void goban_lua_keep_decisions (lua_State *L, const GobanDecisionLog *decisions,
                               GobanPlacementRecord *record);
/* Pushes a handle of the run's record, which it must have. */
void goban_lua_push_record (lua_State *L, GobanRun *run);
/* What makes the run's plan of g, in Lua, for the log; NULL if a script made it by hand. */
const char *goban_lua_get_recipe (GobanRun *run);
void goban_lua_set_recipe (GobanRun *run, const char *recipe);
/* Adds a run to the session, makes it the current one, and logs it. */
void goban_lua_show_run (lua_State *L, GobanRun *run);
GobanRun *goban_lua_check_run (lua_State *L, int index);
GobanRun *goban_lua_test_run (lua_State *L, int index);

/* What nodes are put together by, as a word. Raises. */
GobanGrouping goban_lua_check_grouping (lua_State *L, int index);

/* The first two runs of the comparison at 1, or raises if they have no difference. Borrowed. */
gboolean goban_lua_check_diff (lua_State *L, GobanRun **before, GobanRun **after);
/* Their report as a file of pages. Raises. */
int goban_lua_write_report (lua_State *L, GobanRun *before, GobanRun *after, const char *path);

/* A word for a colouring, or raises with the words there are. */
const char *goban_lua_check_color (lua_State *L, const char *color);
/* The values that colour a picture, NULL if there are none; @color NULL is the view's own. For
 * another colouring it raises an error if its values are unknown. (transfer full) (nullable) */
GobanNodeValues *goban_lua_dup_color_values (lua_State *L, const char *color, GobanGraph *graph,
                                             GobanRun *run);

/* --- opening ---------------------------------------------------------------------- */

void goban_lua_open_modules (lua_State *L); /* all of those below: lua-modules.c */
void goban_lua_open_bench (lua_State *L);
void goban_lua_open_graph (lua_State *L);
void goban_lua_open_node (lua_State *L);
void goban_lua_open_set (lua_State *L);
void goban_lua_open_causes (lua_State *L);
void goban_lua_open_totals (lua_State *L);
void goban_lua_open_cells (lua_State *L);
void goban_lua_open_cluster (lua_State *L);
void goban_lua_open_decisions (lua_State *L);
void goban_lua_open_edit (lua_State *L);
void goban_lua_open_hierarchy (lua_State *L);
void goban_lua_open_job (lua_State *L);
void goban_lua_open_plan (lua_State *L);
void goban_lua_open_policy (lua_State *L);
void goban_lua_open_sim (lua_State *L);
void goban_lua_open_compare (lua_State *L);
void goban_lua_open_compare_set (lua_State *L);
void goban_lua_open_look (lua_State *L);
void goban_lua_open_shares (lua_State *L);
void goban_lua_open_view (lua_State *L);
void goban_lua_open_app (lua_State *L);

/* The Lua half: scripts/prelude, compiled in: lua-prelude.c. */
void goban_lua_open_prelude (lua_State *L);
/* Pushes something the prelude keeps for us. */
void goban_lua_push_prelude (lua_State *L, const char *name);

G_END_DECLS
