/* lua-trainer.c: Lua's Trainer: a training whose loop is a script's.
 *
 * policy.trainer() and the methods that call functions of the script are the prelude's; what it
 * needs is in its core. Requests are made in the chunk's thread and answered by the training's
 * worker, so the main thread never waits.
 */
#include "app/lua/jobs/lua-trainer.h"

#include "app/lua/core/lua-handle.h"
#include "app/lua/core/lua-paths.h"
#include "app/lua/core/lua-put.h"
#include "app/lua/core/lua-value.h"
#include "app/lua/core/lua-work.h"
#include "app/lua/jobs/lua-training.h"
#include "app/lua/model/lua-cluster.h"
#include "app/lua/model/lua-graph.h"
#include "app/lua/model/lua-plan.h"

#include "engine/session/chosen-folders.h"
#include "engine/study/run/training-log.h"
#include "engine/study/training/training-list.h"
#include "engine/study/training/training-loop.h"

#include <math.h>

typedef struct
{
  GobanTrainer *trainer;
  GobanTrainingJob *job; /* of the main thread; NULL if it could not be started */
  GobanTrainingLog *log;
} LuaTrainer;

static const GobanLuaType trainer_type;

/* The job is in the session's list, too: it ends when its worker has written its state. */
static void
clear_trainer (gpointer value)
{
  LuaTrainer *self = value;

  goban_trainer_close (self->trainer);
  g_clear_pointer (&self->trainer, goban_trainer_unref);
  g_clear_pointer (&self->log, goban_training_log_unref);
  g_clear_object (&self->job);
}

static LuaTrainer *
check_trainer (lua_State *L)
{
  return goban_lua_check_handle (L, 1, &trainer_type);
}

/* --- making -------------------------------------------------------------------------------- */

static int
make_trainer (lua_State *L)
{
  GobanLuaTraining training;
  GError *error = NULL;
  LuaTrainer *self;
  char *name, *output = NULL;

  goban_lua_check_training (L, 1, "builder", TRUE, &training);
  self = goban_lua_push_handle (L, &trainer_type, 0);
  self->trainer = goban_trainer_new ();
  training.options.trainer = self->trainer;
  /* Lists and plots name a training by its file. */
  name = g_strconcat (training.options.network, training.reward != 0 ? "-own-reward" : "",
                      training.lessons != 0 ? "-own-lessons" : "", NULL);
  if (training.options.output == NULL && training.options.resume == NULL)
    training.options.output = output = goban_training_list_dup_free_output (
        G_OBJECT (goban_lua_get_session (L)), GOBAN_OUT_FOLDER, name);
  g_free (name);
  self->job = goban_lua_start_training (L, &training, &error);
  g_free (output);
  if (self->job == NULL)
    return goban_lua_fail (L, error);
  self->log = goban_training_log_ref (goban_training_job_get_log (self->job));
  return 1;
}

/* (opts): a Trainer, or nil and why. */
static int
core_trainer_new (lua_State *L)
{
  return goban_lua_call_on_main (L, make_trainer);
}

/* --- requests ------------------------------------------------------------------------------ */

/* The worker is asked between the two; a policy may close the trainer meanwhile. */
static GobanTrainer *
begin_request (lua_State *L, const GobanProgress **progress)
{
  GobanTrainer *trainer = goban_trainer_ref (check_trainer (L)->trainer);

  *progress = goban_lua_begin_work (L);
  return trainer;
}

static void
end_request (lua_State *L, GobanTrainer *trainer, GError **error)
{
  goban_trainer_unref (trainer);
  goban_lua_end_work (L, error);
}

/* --- updates ------------------------------------------------------------------------------- */

/* (t): the last update as j:curve() has it; nil if all were made before. */
static int
core_trainer_update (lua_State *L)
{
  GobanTrainingPoint point = { .is_trial = TRUE };
  const GobanProgress *progress;
  GobanTrainer *trainer = begin_request (L, &progress);
  GError *error = NULL;
  gboolean is_made = FALSE, is_fine = goban_trainer_update (trainer, &is_made, progress, &error);
  LuaTrainer *self;
  guint i;

  end_request (L, trainer, &error);
  if (!is_fine)
    return goban_lua_fail (L, error);
  self = check_trainer (L);
  i = is_made ? goban_training_log_get_n_points (self->log) : 0;
  while (i > 0 && point.is_trial)
    goban_training_log_read (self->log, --i, &point, 1);
  if (point.is_trial)
    lua_pushnil (L);
  else
    goban_lua_push_point (L, self->log, &point);
  return 1;
}

static int
trainer_evaluate (lua_State *L)
{
  const GobanProgress *progress;
  GobanTrainer *trainer = begin_request (L, &progress);
  GobanTrainingPoint point;
  GError *error = NULL;
  gboolean is_fine = goban_trainer_measure (trainer, &point, progress, &error);

  end_request (L, trainer, &error);
  if (!is_fine)
    return goban_lua_fail (L, error);
  goban_lua_push_point (L, check_trainer (L)->log, &point);
  return 1;
}

static int get_output (lua_State *L);

static int
trainer_save (lua_State *L)
{
  static const char *const which[] = { "present", "kept", NULL };
  const GobanProgress *progress;
  GobanTrainer *trainer;
  GError *error = NULL;
  gboolean is_present, is_saved;
  const char *path;

  check_trainer (L);
  path = luaL_optstring (L, 2, NULL);
  is_present = luaL_checkoption (L, 3, "present", which) == 0;
  goban_lua_check_write (L, path);
  trainer = begin_request (L, &progress);
  is_saved = goban_trainer_save (trainer, path, is_present, progress, &error);
  end_request (L, trainer, &error);
  if (!is_saved)
    return goban_lua_fail (L, error);
  if (path == NULL)
    return get_output (L);
  lua_pushvalue (L, 2);
  return 1;
}

static int
trainer_report (lua_State *L)
{
  gpointer *kept = goban_lua_push_kept (L, (GDestroyNotify) goban_training_report_free);
  const GobanProgress *progress;
  GobanTrainer *trainer = begin_request (L, &progress);
  GError *error = NULL;

  *kept = goban_trainer_report (trainer, progress, &error);
  end_request (L, trainer, &error);
  if (*kept == NULL)
    return goban_lua_fail (L, error);
  goban_lua_push_report (L, *kept, check_trainer (L)->log);
  return 1;
}

/* --- rollouts ------------------------------------------------------------------------------ */

/* (t): a list of { lesson =, time =, reference =, reward =, entropy =, top_share = }. */
static int
core_trainer_roll_out (lua_State *L)
{
  gpointer *kept = goban_lua_push_kept (L, (GDestroyNotify) g_array_unref);
  const GobanProgress *progress;
  GobanTrainer *trainer = begin_request (L, &progress);
  GError *error = NULL;
  GArray *rollouts = *kept = goban_trainer_roll_out (trainer, progress, &error);

  end_request (L, trainer, &error);
  if (rollouts == NULL)
    return goban_lua_fail (L, error);
  lua_createtable (L, (int) rollouts->len, 0);
  for (guint i = 0; i < rollouts->len; i++)
    {
      const GobanTrainerRollout *rollout = &g_array_index (rollouts, GobanTrainerRollout, i);

      lua_createtable (L, 0, 7);
      goban_lua_put_text (L, "lesson", rollout->lesson);
      goban_lua_put_number (L, "time", rollout->time_us / 1e6);
      goban_lua_put_number (L, "reference", rollout->reference_us / 1e6);
      goban_lua_put_number (L, "reward", rollout->reward);
      goban_lua_put_number (L, "entropy", rollout->entropy);
      goban_lua_put_number (L, "top_share", rollout->top_share);
      lua_rawseti (L, -2, i + 1);
    }
  return 1;
}

/* (t, i): the plan of rollout i. */
static int
core_trainer_plan (lua_State *L)
{
  LuaTrainer *self = check_trainer (L);
  lua_Integer i = luaL_checkinteger (L, 2);
  GobanLuaPlan *plan = goban_lua_push_empty_plan (L);
  GError *error = NULL;

  plan->plan = goban_trainer_dup_plan (self->trainer, (guint) (i - 1), &plan->costs, &error);
  if (plan->plan == NULL)
    return goban_lua_fail (L, error);
  goban_lua_charge_plan (L, -1, goban_cost_model_get_graph (plan->costs));
  return 1;
}

/* (t, rewards): finite numbers, which the caller has checked. */
static int
core_trainer_reward (lua_State *L)
{
  LuaTrainer *self = check_trainer (L);
  guint n = (guint) lua_rawlen (L, 2);
  double *rewards = lua_newuserdatauv (L, MAX (n, 1) * sizeof *rewards, 0);
  GobanTrainer *trainer;
  GError *error = NULL;
  gboolean is_fine;

  for (guint i = 0; i < n; i++, lua_pop (L, 1))
    rewards[i] = lua_rawgeti (L, 2, (lua_Integer) i + 1) == LUA_TNUMBER ? lua_tonumber (L, -1) : 0;
  trainer = goban_trainer_ref (self->trainer);
  goban_lua_begin_work (L);
  is_fine = goban_trainer_set_rewards (trainer, rewards, n, &error);
  end_request (L, trainer, &error);
  return goban_lua_answer (L, is_fine, &error);
}

/* --- lessons ------------------------------------------------------------------------------- */

typedef gboolean Take (GobanTrainer *trainer, GobanCostModel *const *costs, guint n,
                       const GobanProgress *progress, GError **error);

/* (t, graph, cluster, graph, cluster, ...) */
static int
ask_with_costs (lua_State *L, Take *take)
{
  int n = (lua_gettop (L) - 1) / 2;
  gpointer *kept = goban_lua_push_kept (L, (GDestroyNotify) g_ptr_array_unref);
  GPtrArray *costs = *kept
      = g_ptr_array_new_with_free_func ((GDestroyNotify) goban_cost_model_unref);
  const GobanProgress *progress;
  GobanTrainer *trainer;
  GError *error = NULL;
  gboolean is_fine;

  for (int i = 0; i < n; i++)
    {
      GobanGraph *graph = goban_lua_check_graph (L, 2 + 2 * i);
      GobanCluster *cluster = goban_lua_opt_cluster_for (L, 3 + 2 * i, graph);

      g_ptr_array_add (costs, goban_cost_model_new (graph, cluster, GOBAN_EXECUTION_EVENTS));
    }
  trainer = begin_request (L, &progress);
  is_fine = take (trainer, (GobanCostModel *const *) costs->pdata, costs->len, progress, &error);
  end_request (L, trainer, &error);
  return goban_lua_answer (L, is_fine, &error);
}

/* All lessons of the next update. */
static int
core_trainer_teach (lua_State *L)
{
  return ask_with_costs (L, goban_trainer_teach);
}

/* All problems of the validation. */
static int
core_trainer_validate (lua_State *L)
{
  return ask_with_costs (L, goban_trainer_set_validation);
}

/* (t): how many lessons an update has. */
static int
core_trainer_n_lessons (lua_State *L)
{
  LuaTrainer *self = check_trainer (L);
  GError *error = NULL;
  guint n;

  if (!goban_trainer_get_n_lessons (self->trainer, &n, &error))
    return goban_lua_fail (L, error);
  lua_pushinteger (L, n);
  return 1;
}

/* (function): "file.lua:12", the line that it begins in. */
static int
core_trainer_where (lua_State *L)
{
  lua_Debug ar;

  luaL_checktype (L, 1, LUA_TFUNCTION);
  lua_settop (L, 1);
  lua_getinfo (L, ">S", &ar);
  lua_pushfstring (L, "%s:%d", ar.short_src, ar.linedefined);
  return 1;
}

/* --- curves and fields --------------------------------------------------------------------- */

static int
trainer_curve (lua_State *L)
{
  lua_Integer first = luaL_optinteger (L, 2, 1);

  luaL_argcheck (L, first >= 1, 2, "a number from 1 is expected");
  return goban_lua_push_points (L, check_trainer (L)->log, FALSE, first - 1);
}

static int
trainer_trials (lua_State *L)
{
  return goban_lua_push_points (L, check_trainer (L)->log, TRUE, 0);
}

static int
trainer_csv (lua_State *L)
{
  goban_lua_take_string (L, goban_training_log_to_csv (check_trainer (L)->log));
  return 1;
}

static int
trainer_close (lua_State *L)
{
  goban_trainer_close (check_trainer (L)->trainer);
  return 0;
}

static int
get_output (lua_State *L)
{
  lua_pushstring (L, goban_training_job_get_output (check_trainer (L)->job));
  return 1;
}

static int
get_policy (lua_State *L)
{
  lua_pushstring (L, goban_training_job_get_network (check_trainer (L)->job));
  return 1;
}

static int
get_step (lua_State *L)
{
  lua_pushinteger (L, goban_training_log_get_last_step (check_trainer (L)->log));
  return 1;
}

static int
get_warning (lua_State *L)
{
  lua_pushstring (L, goban_training_log_get_warning (check_trainer (L)->log));
  return 1;
}

static int
trainer_tostring (lua_State *L)
{
  LuaTrainer *self = check_trainer (L);

  lua_pushfstring (L, "Trainer of %s, step ", goban_training_job_get_network (self->job));
  get_step (L);
  lua_concat (L, 2);
  return 1;
}

static const GobanLuaEntry entries[] = {
  GOBAN_LUA_FUNCTION ("close", trainer_close, "()",
                      "Ends the training, which writes the network that it keeps (t:kept), and "
                      "its run."),
  GOBAN_LUA_FUNCTION ("csv", trainer_csv, "()", "Both as CSV.",
                      "app.write(\"curve.csv\", t:csv())"),
  GOBAN_LUA_FUNCTION ("curve", trainer_curve, "(first)",
                      "A Table of all updates so far, or those from the first on.",
                      "plot(t:curve())"),
  GOBAN_LUA_FUNCTION ("evaluate", trainer_evaluate, "()",
                      "Measures the network on validation problems, without influence on the "
                      "training: valid_greedy and valid_best over the reference.",
                      "print(t:evaluate().valid_best)"),
  GOBAN_LUA_FUNCTION ("report", trainer_report, "()",
                      "What j:wait() of such a training would return if it ended now: kept_start, "
                      "kept_step, score, score_before, warning and others.",
                      "t:report().kept_step"),
  GOBAN_LUA_FUNCTION (
      "save", trainer_save, "(path, which)",
      "Writes the network as it is now to a file, or which = \"kept\" (t:kept), and "
      "the run beside it as FILE.run; without a path to t.output. Returns the path.",
      "t:save(\"goban-out/mine.net\")"),
  GOBAN_LUA_FUNCTION ("trials", trainer_trials, "()",
                      "A Table of what was measured on problems it does not learn from.",
                      "print(t:trials())"),
  GOBAN_LUA_FIELD ("output", FUNCTION, get_output, "The file of its network."),
  GOBAN_LUA_FIELD ("policy", FUNCTION, get_policy, "Which network it trains."),
  GOBAN_LUA_FIELD ("step", FUNCTION, get_step, "How many updates were made."),
  GOBAN_LUA_FIELD ("warning", FUNCTION, get_warning,
                   "How the network has collapsed, or that it learns nothing or gets worse, in "
                   "words; else nil."),
  GOBAN_LUA_META ("__tostring", trainer_tostring),
  { NULL },
};

static const GobanLuaType trainer_type = {
  .name = "Trainer",
  .variable = "t",
  .sentence = "A training that makes its steps when you ask for them.",
  .example = "while t:update() do print(t.step) end",
  .size = sizeof (LuaTrainer),
  .clear = clear_trainer,
  .is_on_main = TRUE,
  .entries = entries,
};

static const luaL_Reg core[] = {
  { "trainer_n_lessons", core_trainer_n_lessons }, { "trainer_new", core_trainer_new },
  { "trainer_plan", core_trainer_plan },           { "trainer_reward", core_trainer_reward },
  { "trainer_roll_out", core_trainer_roll_out },   { "trainer_teach", core_trainer_teach },
  { "trainer_update", core_trainer_update },       { "trainer_validate", core_trainer_validate },
  { "trainer_where", core_trainer_where },         { NULL, NULL },
};

void
goban_lua_add_trainer_core (lua_State *L)
{
  luaL_setfuncs (L, core, 0);
}

void
goban_lua_open_trainer (lua_State *L)
{
  goban_lua_register (L, &trainer_type);
}
