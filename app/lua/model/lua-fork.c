/* lua-fork.c: run:fork, a search that goes on from a step of a run's decisions. */
#include "app/lua/core/lua-handle.h"
#include "app/lua/core/lua-value.h"
#include "app/lua/core/lua-work.h"
#include "app/lua/model/lua-place.h"
#include "app/lua/model/lua-run.h"

#include "engine/study/analysis/steps/fork.h"
#include "engine/study/analysis/steps/step.h"

typedef struct
{
  gint64 seed;
  gint64 evals;
  double seconds;
  const char *settings; /* (nullable) */
  gboolean pinned;
} ForkOptions;

static const GobanLuaOption fork_options[] = {
  { "seed", GOBAN_LUA_INTEGER, G_STRUCT_OFFSET (ForkOptions, seed) },
  { "evals", GOBAN_LUA_INTEGER, G_STRUCT_OFFSET (ForkOptions, evals) },
  { "seconds", GOBAN_LUA_NUMBER, G_STRUCT_OFFSET (ForkOptions, seconds) },
  { "settings", GOBAN_LUA_STRING, G_STRUCT_OFFSET (ForkOptions, settings) },
  { "pinned", GOBAN_LUA_BOOLEAN, G_STRUCT_OFFSET (ForkOptions, pinned) },
  { NULL },
};

typedef struct
{
  GobanRun *run;
  guint step;
  char *policy;
  GobanRunOptions options;
} Forking;

static void
free_forking (gpointer data)
{
  Forking *forking = data;

  goban_run_unref (forking->run);
  goban_run_options_clear (&forking->options);
  g_free (forking->policy);
  g_free (forking);
}

static gpointer
run_forking (const GobanProgress *progress, gpointer data, GError **error)
{
  Forking *forking = data;

  forking->options.progress = progress;
  return goban_fork_new_run (forking->run, forking->step, forking->policy, &forking->options,
                             error);
}

static int
finish_forking (lua_State *L, gpointer result)
{
  goban_lua_fill_run (L, result);
  goban_lua_charge_run (L, -1, result);
  return 1;
}

static int
run_fork (lua_State *L)
{
  GobanRun *run = goban_lua_check_run (L, 1);
  lua_Integer step = luaL_checkinteger (L, 2);
  const char *policy = luaL_checkstring (L, 3);
  ForkOptions options = { 0 };
  GError *error = NULL;
  Forking *forking;

  luaL_argcheck (L, step >= 0 && step <= (lua_Integer) goban_steps_count (run), 2,
                 "the run has no such step");
  if (!goban_fork_check_policy (policy, &error))
    return goban_lua_raise_argument (L, 3, error);
  goban_lua_check_options (L, 4, "opts", fork_options, &options);
  goban_lua_warn_of_settings (L, (const char *const[]){ policy, NULL }, options.settings);
  goban_lua_push_empty_run (L);
  forking = g_new0 (Forking, 1);
  forking->run = goban_run_ref (run);
  forking->step = (guint) step;
  forking->policy = g_strdup (policy);
  forking->options
      = goban_run_options_dup (&(GobanRunOptions){ .seed = (guint64) options.seed,
                                                   .max_evaluations = (guint64) options.evals,
                                                   .max_seconds = options.seconds,
                                                   .settings = options.settings });
  if (options.pinned)
    goban_lua_set_pinned (L, goban_run_get_graph (run), &forking->options);
  return goban_lua_work (L, &(GobanLuaWork){ .title = "Going on",
                                             .run = run_forking,
                                             .data = forking,
                                             .free_data = free_forking,
                                             .free_result = (GDestroyNotify) goban_run_unref,
                                             .finish = finish_forking });
}

static const GobanLuaEntry run_entries[] = {
  GOBAN_LUA_FUNCTION ("fork", run_fork, "(n, policy, opts)",
                      "Goes on from the plan after n decisions with a search: anneal, local-search "
                      "or go-improve, whose first plan that is; opts: seed, evals, seconds, "
                      "settings, pinned.",
                      "r:fork(12, \"anneal\", { evals = 500 })"),
  { NULL },
};

void
goban_lua_open_fork (lua_State *L)
{
  goban_lua_extend (L, "Run", run_entries);
}
