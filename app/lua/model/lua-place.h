/* lua-place.h: plans made by policies, plan.heft and its like, and their options. */
#pragma once

#include "app/lua/core/lua-state.h"

/* Options of a policy; cluster is a stack index, 0 for the session's. */
typedef struct
{
  int cluster;
  gint64 seed;
  gint64 evals;
  const char *tasks; /* (nullable) */
  double seconds;
  gboolean contention_free;
  const char *network;
  const char *settings;
  int start;       /* a stack index of a plan, 0 for none */
  gboolean pinned; /* pinned nodes keep their devices in the shown run */
} GobanLuaPlaceOptions;

void goban_lua_open_place (lua_State *L);

/* A seed, a cluster, or a table of options at @index; returns the cluster for @graph, borrowed. */
GobanCluster *goban_lua_check_place_options (lua_State *L, int index, GobanGraph *graph,
                                             GobanLuaPlaceOptions *options);
/* The run options they come to, for a worker: a copy as of goban_run_options_dup(). */
GobanRunOptions goban_lua_dup_run_options (lua_State *L, const GobanLuaPlaceOptions *options);

/* "placement,scheduling", or NULL, which is 0: the default. */
GobanTasks goban_lua_check_tasks (lua_State *L, const char *tasks);

/* The nodes that are pinned in the open graph, and the shown plan, if that is of @graph. */
void goban_lua_set_pinned (lua_State *L, GobanGraph *graph, GobanRunOptions *options);

/* Pushes a handle of all policies: a slot of n GobanPolicyInfo, to be freed by g_free() after use:
 * at the limit of the memory the collector could not. */
gpointer *goban_lua_push_policies (lua_State *L, gsize *n);

/* Warns of settings (nullable) that none of these policies reads; they are passed over. */
void goban_lua_warn_of_settings (lua_State *L, const char *const *policies, const char *settings);

/* Adds plan.NAME for a policy. */
void goban_lua_add_place (lua_State *L, const char *policy, const char *blurb);

/* Places a graph with a policy of the list; options at @index. Returns as a bound function. */
int goban_lua_place (lua_State *L, const char *policy, GobanGraph *graph, int index);
