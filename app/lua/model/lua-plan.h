/* lua-plan.h: Lua's Plan. */
#pragma once

#include "app/lua/core/lua-state.h"
#include "engine/decisions/decisions.h"
#include "engine/machine/plan/plan.h"
#include "engine/study/run/run.h"

typedef struct
{
  GobanPlan *plan;
  GobanCostModel *costs;
  gboolean is_shared;        /* shared: copy before a change */
  char *recipe;              /* (nullable): Lua expression that makes it of g: "plan.heft(g)" */
  GobanDecisions *decisions; /* (nullable): how its policy came to it */
  GobanRunOptions *request;  /* (nullable): with which options; shared */
  guint64 n_evaluations;     /* simulations that its policy spent; 0: made by hand */
} GobanLuaPlan;

void goban_lua_open_plan (lua_State *L);
void goban_lua_open_apply (lua_State *L);

void goban_lua_push_plan (lua_State *L, GobanPlan *plan, GobanCostModel *costs);
/* An empty handle, to be filled. */
GobanLuaPlan *goban_lua_push_empty_plan (lua_State *L);
/* A plan of all nodes on the first device. */
GobanLuaPlan *goban_lua_push_new_plan (lua_State *L, GobanGraph *graph, GobanCluster *cluster);
GobanLuaPlan *goban_lua_check_plan (lua_State *L, int index);
GobanLuaPlan *goban_lua_test_plan (lua_State *L, int index);
/* The plan of @graph that an option "plan" has at @index; 0, none: NULL. Raises. */
GobanLuaPlan *goban_lua_opt_plan_of (lua_State *L, int index, GobanGraph *graph);
/* The handle's plan for others, who may read it in another thread: the handle changes a copy from
 * now on. (transfer full) */
GobanPlan *goban_lua_share_plan (GobanLuaPlan *self) G_GNUC_WARN_UNUSED_RESULT;
/* The handle's plan for a change, copied first if it is shared. */
GobanPlan *goban_lua_own_plan (GobanLuaPlan *self);
/* Charges the account with a plan that was made for the handle at @index. */
void goban_lua_charge_plan (lua_State *L, int index, GobanGraph *graph);
/* Gives the plan handle on top of the stack references to the decisions that led to its plan, and
 * to the options of its policy; both (nullable). */
void goban_lua_keep_decisions (lua_State *L, GobanDecisions *decisions, GobanRunOptions *request);
