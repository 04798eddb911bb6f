/* lua-job.c: module job: long work in the background, and handles to watch and steer it.
 *
 * The list of jobs keeps those at work, so that a forgotten handle does not end its job. When Lua
 * closes, jobs are stopped and waited for: they save their progress.
 */
#include "app/lua/jobs/lua-job.h"

#include "app/lua/core/lua-handle.h"
#include "app/lua/core/lua-put.h"
#include "app/lua/core/lua-state.h"
#include "app/lua/core/lua-thread.h"
#include "app/lua/core/lua-value.h"
#include "app/lua/jobs/lua-training.h"

#include "engine/core/i18n.h"
#include "engine/study/run/training-log.h"
#include "engine/study/training/training-list.h"

#include <math.h>
#include <string.h>

#define NAP_MS 33

typedef struct
{
  GobanTrainingJob *training;
  gboolean is_looked_up; /* others steer it, too: it goes on without this handle */
} LuaJob;

static const GobanLuaType job_type;
/* Its address is the key of the list of jobs in the registry. */
static const char jobs_key;

static GobanJob *
job_of (const LuaJob *self)
{
  return goban_training_job_get_job (self->training);
}

static gboolean
is_done (const LuaJob *self)
{
  return goban_training_job_get_state (self->training) >= GOBAN_TRAINING_FINISHED;
}

static GobanTrainingLog *
log_of (const LuaJob *self)
{
  return goban_training_job_get_log (self->training);
}

static const GobanTrainingReport *
report_of (const LuaJob *self)
{
  return goban_training_job_get_report (self->training);
}

static void
clear_job (gpointer value)
{
  LuaJob *self = value;

  if (self->training == NULL)
    return;
  if (!self->is_looked_up && !goban_job_is_done (job_of (self)))
    goban_job_stop_and_join (job_of (self));
  g_clear_object (&self->training);
}

/* Without a window, only this function runs the main loop, which delivers events. */
static LuaJob *
check_job (lua_State *L)
{
  LuaJob *self = goban_lua_check_handle (L, 1, &job_type);

  if (!goban_lua_get_host (L)->is_threaded)
    while (g_main_context_iteration (NULL, FALSE))
      ;
  return self;
}

/* (nullable): %NULL if there is nothing left to steer. Raises for a learning that a script's own
 * call makes: who stops the script stops it. */
static GobanJob *
check_steered (lua_State *L, LuaJob *self)
{
  if (job_of (self) == NULL && !is_done (self))
    luaL_error (L, "a script learns here: it is stopped with the script");
  return job_of (self);
}

static void
set_paused (lua_State *L, gboolean is_paused)
{
  GobanJob *job = check_steered (L, check_job (L));

  if (job != NULL)
    goban_job_set_paused (job, is_paused);
}

/* --- the list ------------------------------------------------------------------------------ */

static void
push_jobs (lua_State *L)
{
  if (lua_rawgetp (L, LUA_REGISTRYINDEX, &jobs_key) == LUA_TTABLE)
    return;
  lua_pop (L, 1);
  lua_newtable (L);
  lua_pushvalue (L, -1);
  lua_rawsetp (L, LUA_REGISTRYINDEX, &jobs_key);
}

/* Replaces the list by one of those still at work, which is on top of the stack then. */
static int
job_list (lua_State *L)
{
  int n = 0;

  lua_newtable (L);
  push_jobs (L); /* new old */
  for (lua_Integer i = 1; lua_rawgeti (L, -1, i) != LUA_TNIL; i++)
    {
      LuaJob *self = goban_lua_test_handle (L, -1, &job_type);

      if (self != NULL && !is_done (self))
        lua_rawseti (L, -3, ++n);
      else
        lua_pop (L, 1);
    }
  lua_pop (L, 2); /* new */
  lua_pushvalue (L, -1);
  lua_rawsetp (L, LUA_REGISTRYINDEX, &jobs_key);
  return 1;
}

/* A copy, because a script may change it. */
static int
job_list_copy (lua_State *L)
{
  if (!goban_lua_get_host (L)->is_threaded)
    while (g_main_context_iteration (NULL, FALSE))
      ;
  job_list (L);
  lua_newtable (L);
  for (lua_Integer i = 1; lua_rawgeti (L, -2, i) != LUA_TNIL; i++)
    lua_rawseti (L, -2, i);
  lua_pop (L, 1);
  return 1;
}

/* The job is at @index, which is absolute. */
static void
keep_job (lua_State *L, int index)
{
  job_list (L);
  lua_pushvalue (L, index);
  lua_rawseti (L, -2, (lua_Integer) lua_rawlen (L, -2) + 1);
  lua_pop (L, 1);
}

/* --- training ------------------------------------------------------------------------------ */

static int
job_train (lua_State *L)
{
  GobanLuaTraining training;
  GError *error = NULL;
  LuaJob *self;

  goban_lua_check_training (L, 1, "builder", FALSE, &training);
  if (training.options.output == NULL && training.options.resume == NULL
      && training.options.follow == NULL)
    return luaL_error (L, "opts.output: where is the network to go?");
  self = goban_lua_push_handle (L, &job_type, 0);
  self->training = goban_lua_start_training (L, &training, &error);
  if (self->training == NULL)
    return goban_lua_fail (L, error);
  keep_job (L, lua_gettop (L));
  return 1;
}

/* All of the session, running or done, by whatever they were started. */
static int
job_trainings (lua_State *L)
{
  GListModel *list = goban_training_list_of (G_OBJECT (goban_lua_get_session (L)));
  guint n = g_list_model_get_n_items (list);

  lua_createtable (L, (int) n, 0);
  for (guint i = 0; i < n; i++)
    {
      LuaJob *self = goban_lua_push_handle (L, &job_type, 0);

      self->is_looked_up = TRUE;
      self->training = g_list_model_get_item (list, i);
      lua_rawseti (L, -2, (lua_Integer) i + 1);
    }
  return 1;
}

/* --- steering ------------------------------------------------------------------------------ */

static int
job_pause (lua_State *L)
{
  set_paused (L, TRUE);
  lua_settop (L, 1);
  return 1;
}

static int
job_resume (lua_State *L)
{
  set_paused (L, FALSE);
  lua_settop (L, 1);
  return 1;
}

static int
job_stop (lua_State *L)
{
  GobanJob *job = check_steered (L, check_job (L));

  if (job != NULL)
    goban_job_cancel (job);
  lua_settop (L, 1);
  return 1;
}

/* Results of wait after the end. */
static int
push_end (lua_State *L, const LuaJob *self)
{
  const GobanTrainingReport *report = report_of (self);

  if (report == NULL)
    {
      lua_pushstring (L, goban_training_job_get_error (self->training));
      return goban_lua_fail_with (L);
    }

  goban_lua_push_report (L, report, log_of (self));
  return 1;
}

static gboolean
wake_cb (gpointer user_data)
{
  return G_SOURCE_CONTINUE;
}

/* Condition of a wait; evaluated by the main thread, which owns the job. */
typedef struct
{
  LuaJob *job;
  gboolean is_done;
} Look;

static void
look_cb (gpointer data)
{
  Look *look = data;

  look->is_done = is_done (look->job);
}

/* Sleeps for a moment; without another thread, by a turn of the main loop, from which news come. */
static void
nap (GobanLuaHost *host)
{
  guint source;

  if (goban_lua_is_in_thread (host))
    {
      goban_lua_leave (host);
      g_usleep (NAP_MS * 1000);
      goban_lua_enter (host);
      return;
    }
  source = g_timeout_add (NAP_MS, wake_cb, NULL);
  goban_lua_leave (host);
  g_main_context_iteration (NULL, TRUE);
  goban_lua_enter (host);
  g_source_remove (source);
}

/* Until the job is done, the time is over or the script is stopped. */
static int
job_wait (lua_State *L)
{
  GobanLuaHost *host = goban_lua_get_host (L);
  double seconds = luaL_optnumber (L, 2, INFINITY);
  double end_us = (double) g_get_monotonic_time () + seconds * G_USEC_PER_SEC;
  Look look = { .job = goban_lua_check_handle (L, 1, &job_type) };

  for (;;)
    {
      goban_lua_on_main (host, look_cb, &look);
      if (look.is_done)
        return push_end (L, look.job);
      if ((double) g_get_monotonic_time () >= end_us || g_atomic_int_get (&host->is_interrupted))
        break;
      nap (host);
    }
  lua_pushboolean (L, FALSE);
  return 1;
}

/* --- curves -------------------------------------------------------------------------------- */

static int
job_curve (lua_State *L)
{
  lua_Integer first = luaL_optinteger (L, 2, 1);

  luaL_argcheck (L, first >= 1, 2, "a number from 1 is expected");
  return goban_lua_push_points (L, log_of (check_job (L)), FALSE, first - 1);
}

static int
job_trials (lua_State *L)
{
  return goban_lua_push_points (L, log_of (check_job (L)), TRUE, 0);
}

static int
job_csv (lua_State *L)
{
  goban_lua_take_string (L, goban_training_log_to_csv (log_of (check_job (L))));
  return 1;
}

static int
job_report (lua_State *L)
{
  LuaJob *self = check_job (L);

  if (report_of (self) != NULL)
    lua_pushstring (L, report_of (self)->text);
  else
    lua_pushnil (L);
  return 1;
}

/* --- fields -------------------------------------------------------------------------------- */

static int
get_state (lua_State *L)
{
  lua_pushstring (L, goban_training_job_get_state_name (check_job (L)->training));
  return 1;
}

static void
push_title (lua_State *L, const LuaJob *self)
{
  guint number = goban_training_job_get_number_on_graph (self->training);

  if (number > 0)
    lua_pushfstring (L, _ ("learning of %s on the graph, %d"),
                     goban_training_job_get_network (self->training), (int) number);
  else
    lua_pushstring (L, goban_job_get_title (job_of (self)));
}

static int
get_title (lua_State *L)
{
  push_title (L, check_job (L));
  return 1;
}

static int
get_what (lua_State *L)
{
  goban_lua_take_string (L, goban_training_job_dup_what (check_job (L)->training));
  return 1;
}

static int
get_output (lua_State *L)
{
  lua_pushstring (L, goban_training_job_get_output (check_job (L)->training));
  return 1;
}

static int
get_fraction (lua_State *L)
{
  GobanJob *job = job_of (check_job (L));
  double fraction = job != NULL ? goban_job_get_fraction (job) : -1;

  goban_lua_push_number (L, fraction >= 0 ? fraction : (double) NAN);
  return 1;
}

static int
get_left (lua_State *L)
{
  GobanJob *job = job_of (check_job (L));

  goban_lua_push_number (L, job != NULL ? goban_job_get_seconds_left (job) : (double) NAN);
  return 1;
}

static int
job_tostring (lua_State *L)
{
  LuaJob *self = check_job (L);
  const char *error = goban_training_job_get_error (self->training);

  lua_settop (L, 1);
  lua_pushliteral (L, "Job ");
  push_title (L, self);
  lua_pushfstring (L, ": %s", _ (goban_training_job_get_state_name (self->training)));
  if (error != NULL)
    lua_pushstring (L, error);
  else
    goban_lua_take_string (L, goban_training_job_dup_what (self->training));
  if (*lua_tostring (L, -1) == '\0')
    lua_pop (L, 1);
  else
    {
      lua_pushliteral (L, ", ");
      lua_insert (L, -2);
    }
  lua_concat (L, lua_gettop (L) - 1);
  return 1;
}

static const GobanLuaEntry entries[] = {
  GOBAN_LUA_FUNCTION (GOBAN_LUA_ON_MAIN "csv", job_csv, "()", "Both as CSV.",
                      "app.write(\"curve.csv\", j:csv())"),
  GOBAN_LUA_FUNCTION (
      GOBAN_LUA_ON_MAIN "curve", job_curve, "(first)",
      "A Table of all steps so far, or those from the first on: step, graph, "
      "mean_ratio, best_ratio, valid, reward, entropy, gradient_norm, clipped, "
      "seconds, top_share. Ratios are to the reference: the best of one device, the "
      "expert and m-ETF.",
      "pp(j:curve()[1])"),
  GOBAN_LUA_FUNCTION (GOBAN_LUA_ON_MAIN "pause", job_pause, "()",
                      "Holds it after the step it is at; returns the job."),
  GOBAN_LUA_FUNCTION (GOBAN_LUA_ON_MAIN "report", job_report, "()",
                      "How it went, as text; nil before the end.", "print(j:report())"),
  GOBAN_LUA_FUNCTION (GOBAN_LUA_ON_MAIN "resume", job_resume, "()",
                      "Lets it go on; returns the job."),
  GOBAN_LUA_FUNCTION (
      GOBAN_LUA_ON_MAIN "stop", job_stop, "()",
      "Asks it to end; it writes what it has, and job.train{ resume = ... } goes on "
      "with it. Returns the job.",
      "j:stop():wait()"),
  GOBAN_LUA_FUNCTION (GOBAN_LUA_ON_MAIN "trials", job_trials, "()",
                      "A Table of the likeliest plans for graphs it does not learn on: step, "
                      "graph, expert_ratio (to the expert's makespan), ratio.",
                      "print(j:trials())"),
  GOBAN_LUA_FUNCTION (
      "wait", job_wait, "(seconds)",
      "Waits for the end, or so long: false if it is still at work, nil and why if "
      "it failed, else a table of what came of it: finished, output, run, step, "
      "steps, seconds, parameters, score and score_before (validation, lower is "
      "better), kept_start (true: no later network was better than the one it began "
      "with, which is what was written), warning, expert_ratio_before, "
      "expert_ratio_after.",
      "print(assert(j:wait()).expert_ratio_after)"),
  GOBAN_LUA_FIELD (GOBAN_LUA_ON_MAIN "fraction", FUNCTION, get_fraction,
                   "How much is done, from 0 to 1; nil before it can tell."),
  GOBAN_LUA_FIELD (GOBAN_LUA_ON_MAIN "left", FUNCTION, get_left,
                   "About how many seconds are left; nil before it can tell."),
  GOBAN_LUA_FIELD (GOBAN_LUA_ON_MAIN "output", FUNCTION, get_output,
                   "The file of its network; nil of a policy that learns on a graph."),
  GOBAN_LUA_FIELD (GOBAN_LUA_ON_MAIN "state", FUNCTION, get_state,
                   "\"running\", \"paused\", \"finished\", \"stopped\" or \"failed\"."),
  GOBAN_LUA_FIELD (GOBAN_LUA_ON_MAIN "title", FUNCTION, get_title, "What it does."),
  GOBAN_LUA_FIELD (GOBAN_LUA_ON_MAIN "what", FUNCTION, get_what, "Where it is, in words.",
                   "print(j.what)"),
  GOBAN_LUA_META (GOBAN_LUA_ON_MAIN "__tostring", job_tostring),
  { NULL },
};

static const GobanLuaType job_type = {
  .name = "Job",
  .variable = "j",
  .sentence = "Work in the background. A script that ends stops its jobs, which save what they "
              "have.",
  .example = "while j:wait(1) == false do print(j.what) end",
  .size = sizeof (LuaJob),
  .clear = clear_job,
  .is_on_main = TRUE,
  .entries = entries,
};

static const GobanLuaEntry functions[] = {
  GOBAN_LUA_MODULE ("Long work that goes on while you do other things.", "pp(job.list())"),
  GOBAN_LUA_FUNCTION (GOBAN_LUA_ON_MAIN "list", job_list_copy, "()",
                      "The jobs that are at work or held.", "job.list()[1]:stop()"),
  GOBAN_LUA_FUNCTION (
      GOBAN_LUA_ON_MAIN "train", job_train, "(opts)",
      "Trains a network of policies and returns the job; opts: policy (builder, moves or regal; "
      "builder unless told), output, resume (a FILE.run), from (a network), curve (a CSV), "
      "leave_out (a family or a list), follow (a FILE.run that another process writes: its curves "
      "are shown, nothing is trained), settings (policy.settings tells them), steps, rollouts, "
      "seed, every (steps between "
      "trials), on_update (called by j:wait() with each update of j:curve() and the job).",
      "j = assert(job.train{ output = \"builder.net\", steps = 500 })"),
  GOBAN_LUA_FUNCTION (
      GOBAN_LUA_ON_MAIN "trainings", job_trainings, "()",
      "All trainings of this session as jobs, whoever started them; those that have "
      "ended, too. A policy that learns on the graph that it places (plan.go_one, "
      "plan.go_finetune, plan.hdp, plan.placeto, plan.post) is one without a "
      "network; of those that have ended the last eight stay.",
      "plot{ job.trainings()[1], job.trainings()[2] }"),
  { NULL },
};

void
goban_lua_open_job (lua_State *L)
{
  goban_lua_register (L, &job_type);
  goban_lua_module (L, "job", functions);
}
