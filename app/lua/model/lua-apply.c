/* lua-apply.c: plan:apply, plans as files of other frameworks. */
#include "app/lua/core/lua-handle.h"
#include "app/lua/core/lua-paths.h"
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

/* For the worker, which may not know Lua's. */
typedef struct
{
  const GobanApplyTarget *target;
  GobanPlan *plan;
  GobanCostModel *costs;
  char *model; /* (nullable) */
  char *path;
  guint n_micro_batches;
  char *schedule; /* (nullable) */
} Applying;

static void
free_applying (gpointer data)
{
  Applying *applying = data;

  goban_plan_unref (applying->plan);
  goban_cost_model_unref (applying->costs);
  g_free (applying->model);
  g_free (applying->path);
  g_free (applying->schedule);
  g_free (applying);
}

typedef struct
{
  char *path;
  char *note; /* (nullable) */
} Applied;

static void
free_applied (gpointer data)
{
  Applied *applied = data;

  g_free (applied->path);
  g_free (applied->note);
  g_free (applied);
}

static gpointer
run_applying (const GobanProgress *progress, gpointer data, GError **error)
{
  const Applying *applying = data;
  GobanApplyRequest request = { .plan = applying->plan,
                                .costs = applying->costs,
                                .source = applying->model,
                                .n_micro_batches = applying->n_micro_batches,
                                .schedule = applying->schedule };
  Applied *applied;
  char *note = NULL;

  if (!goban_apply_save (applying->target, &request, applying->path, &note, error))
    return NULL;
  applied = g_new0 (Applied, 1);
  applied->path = g_strdup (applying->path);
  applied->note = note;
  return applied;
}

static int
finish_applying (lua_State *L, gpointer result)
{
  Applied *applied = result;
  char *note = g_steal_pointer (&applied->note);

  goban_lua_take_string (L, g_steal_pointer (&applied->path));
  free_applied (applied);
  if (note == NULL)
    return 1;
  goban_lua_take_string (L, note);
  return 2;
}

/* The file of the graph, if the plan is one of the open graph. */
static const char *
find_model (lua_State *L, const GobanLuaPlan *plan)
{
  GobanSession *session = goban_lua_get_session (L);

  return goban_session_get_graph (session) == goban_cost_model_get_graph (plan->costs)
             ? goban_session_get_path (session)
             : NULL;
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
  Applying *applying;
  GError *error = NULL;

  lua_settop (L, 2);
  goban_lua_check_options (L, 2, "opts", apply_options, &options);
  luaL_argcheck (L, options.target != NULL, 2, "opts.target: which framework is it for?");
  luaL_argcheck (L, options.path != NULL, 2, "opts.path: where is it to be written?");
  luaL_argcheck (L, options.n_micro_batches <= G_MAXINT32, 2, "opts.micro_batches is too large");
  target = goban_apply_find (options.target, &error);
  if (target == NULL)
    return goban_lua_raise_argument (L, 2, error);
  if (options.model == NULL)
    options.model = find_model (L, plan);
  else if (!goban_lua_may_copy (L, options.model, &error))
    return goban_lua_fail (L, error);
  if (!may_write (L, target, options.path, &error))
    return goban_lua_fail (L, error);

  applying = g_new0 (Applying, 1);
  applying->target = target;
  applying->plan = goban_lua_share_plan (plan); /* a script may change it meanwhile */
  applying->costs = goban_cost_model_ref (plan->costs);
  applying->model = g_strdup (options.model);
  applying->path = g_strdup (options.path);
  applying->n_micro_batches = (guint) options.n_micro_batches;
  applying->schedule = g_strdup (options.schedule);
  return goban_lua_work (L, &(GobanLuaWork){ .title = "Writing the plan",
                                             .run = run_applying,
                                             .data = applying,
                                             .free_data = free_applying,
                                             .free_result = free_applied,
                                             .finish = finish_applying });
}

static const GobanLuaEntry entries[] = {
  GOBAN_LUA_FUNCTION (GOBAN_LUA_ON_MAIN "apply", plan_apply, "(opts)",
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
