/* lua-apply.c: plan:apply, plans as files of other frameworks. */
#include "app/lua/core/lua-handle.h"
#include "app/lua/core/lua-paths.h"
#include "app/lua/core/lua-state.h"
#include "app/lua/core/lua-thread.h"
#include "app/lua/core/lua-value.h"
#include "app/lua/core/lua-work.h"
#include "app/lua/model/lua-graph.h"
#include "app/lua/model/lua-plan.h"

#include "engine/io/apply/apply.h"

typedef struct
{
  const char *target;
  const char *path;
  const char *model;
  gint64 n_micro_batches;
  const char *schedule;
} ApplyOptions;

static const GobanLuaOption apply_options[] = {
  { "target", GOBAN_LUA_STRING, G_STRUCT_OFFSET (ApplyOptions, target) },
  { "path", GOBAN_LUA_STRING, G_STRUCT_OFFSET (ApplyOptions, path) },
  { "model", GOBAN_LUA_STRING, G_STRUCT_OFFSET (ApplyOptions, model) },
  { "micro_batches", GOBAN_LUA_INTEGER, G_STRUCT_OFFSET (ApplyOptions, n_micro_batches) },
  { "schedule", GOBAN_LUA_STRING, G_STRUCT_OFFSET (ApplyOptions, schedule) },
  { NULL },
};

typedef struct
{
  GobanSession *session;
  GobanGraph *graph;
  char *path; /* (nullable) */
} Opened;

/* The file of the graph, if it is the open one. */
static void
find_model_cb (gpointer data)
{
  Opened *self = data;

  if (goban_session_get_graph (self->session) == self->graph)
    self->path = g_strdup (goban_session_get_path (self->session));
}

/* Both files of the target. */
static gboolean
may_write (lua_State *L, const GobanApplyTarget *target, const char *path, GError **error)
{
  char *second = goban_apply_dup_second_path (target, path);
  gboolean may = goban_lua_may_write (L, path, error)
                 && (second == NULL || goban_lua_may_write (L, second, error));

  g_free (second);
  return may;
}

/* plan:apply{ target =, path =, model =, micro_batches = } */
static int
plan_apply (lua_State *L)
{
  GobanLuaPlan *plan = goban_lua_check_plan (L, 1);
  ApplyOptions options = { 0 };
  const GobanApplyTarget *target;
  GobanApplyRequest request;
  GobanCostModel *costs;
  GobanPlan *own;
  Opened opened = { goban_lua_get_session (L), goban_cost_model_get_graph (plan->costs), NULL };
  char *path, *model, *schedule, *note = NULL;
  gboolean is_saved;
  GError *error = NULL;

  lua_settop (L, 2);
  goban_lua_check_options (L, 2, "opts", apply_options, &options);
  luaL_argcheck (L, options.target != NULL, 2, "opts.target: which framework is it for?");
  luaL_argcheck (L, options.path != NULL, 2, "opts.path: where is it to be written?");
  luaL_argcheck (L, options.n_micro_batches <= G_MAXINT32, 2, "opts.micro_batches is too large");
  target = goban_apply_find (options.target, &error);
  if (target == NULL)
    return goban_lua_raise_argument (L, 2, error);
  if ((options.model != NULL && !goban_lua_may_copy (L, options.model, &error))
      || !may_write (L, target, options.path, &error))
    return goban_lua_fail (L, error);

  if (options.model == NULL)
    goban_lua_on_main (goban_lua_get_host (L), find_model_cb, &opened);
  model = options.model != NULL ? g_strdup (options.model) : opened.path;
  path = g_strdup (options.path);
  schedule = g_strdup (options.schedule);
  own = goban_lua_share_plan (plan);
  costs = goban_cost_model_ref (plan->costs);
  request = (GobanApplyRequest){ .plan = own,
                                 .costs = costs,
                                 .source = model,
                                 .n_micro_batches = (guint) options.n_micro_batches,
                                 .schedule = schedule };
  goban_lua_begin_work (L);
  is_saved = goban_apply_save (target, &request, path, &note, &error);
  goban_lua_end_work (L, &error);
  goban_cost_model_unref (costs);
  goban_plan_unref (own);
  g_free (schedule);
  g_free (path);
  g_free (model);
  if (!is_saved)
    return goban_lua_fail (L, error);
  goban_lua_raw_field (L, 2, "path");
  if (note == NULL)
    return 1;
  goban_lua_take_string (L, note);
  return 2;
}

static const GobanLuaEntry entries[] = {
  GOBAN_LUA_FUNCTION ("apply", plan_apply, "(opts)",
                      "Writes the plan as a file that another framework obeys; returns the path, "
                      "and what the framework does not take. opts: target ('ort', 'ort-names', "
                      "'tensorflow', 'accelerate', 'torch-pipelining', 'llama.cpp', 'openvino' or "
                      "'model-explorer'), path, model (the graph's file, for targets that copy it; "
                      "default: the open one), micro_batches and schedule ('gpipe', '1f1b', "
                      "'interleaved' or 'zero-bubble') of a pipeline.",
                      "p:apply{ target = \"ort\", path = \"placed.onnx\" }"),
  { NULL },
};

void
goban_lua_open_apply (lua_State *L)
{
  goban_lua_extend (L, "Plan", entries);
}
