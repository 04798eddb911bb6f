#include "app/lua/jobs/lua-training.h"

#include "app/lua/core/lua-paths.h"
#include "app/lua/core/lua-put.h"
#include "app/lua/core/lua-value.h"

#include "engine/study/run/training-log.h"
#include "engine/study/training/training-list.h"

#include <math.h>

/* --- options ------------------------------------------------------------------------------- */

#define TRAINING(field) G_STRUCT_OFFSET (GobanLuaTraining, options.field)

/* First those of policy.trainer alone. */
#define N_OF_TRAINER 3

static const GobanLuaOption train_options[] = {
  { "lessons", GOBAN_LUA_ANY, G_STRUCT_OFFSET (GobanLuaTraining, lessons) },
  { "reward", GOBAN_LUA_ANY, G_STRUCT_OFFSET (GobanLuaTraining, reward) },
  { "validation", GOBAN_LUA_ANY, G_STRUCT_OFFSET (GobanLuaTraining, validation) },
  { "policy", GOBAN_LUA_STRING, TRAINING (network) },
  { "output", GOBAN_LUA_STRING, TRAINING (output) },
  { "resume", GOBAN_LUA_STRING, TRAINING (resume) },
  { "from", GOBAN_LUA_STRING, TRAINING (from) },
  { "follow", GOBAN_LUA_STRING, TRAINING (follow) },
  { "curve", GOBAN_LUA_STRING, TRAINING (curve) },
  { "leave_out", GOBAN_LUA_ANY, G_STRUCT_OFFSET (GobanLuaTraining, left_out) },
  { "settings", GOBAN_LUA_STRING, TRAINING (settings) },
  { "steps", GOBAN_LUA_INTEGER, TRAINING (n_steps) },
  { "rollouts", GOBAN_LUA_INTEGER, TRAINING (n_rollouts) },
  { "seed", GOBAN_LUA_INTEGER, TRAINING (seed) },
  { "every", GOBAN_LUA_INTEGER, TRAINING (every) },
  { NULL },
};

/* Raises unless there is one text or a list of texts. */
static void
check_left_out (lua_State *L, int index)
{
  if (index == 0 || lua_type (L, index) == LUA_TSTRING)
    return;
  if (lua_type (L, index) != LUA_TTABLE)
    luaL_error (L, "opts.leave_out: string or list expected, got %s", luaL_typename (L, index));
  goban_lua_check_texts (L, index, "opts.leave_out");
}

/* (transfer full) (nullable): of what has been checked; never raises. */
static char **
dup_left_out (lua_State *L, int index)
{
  if (index == 0 || lua_type (L, index) == LUA_TTABLE)
    return index != 0 ? goban_lua_dup_texts (L, index) : NULL;
  return g_strsplit (lua_tostring (L, index), "\n", 1);
}

void
goban_lua_check_training (lua_State *L, int index, const char *network, gboolean is_trainer,
                          GobanLuaTraining *self)
{
  luaL_checktype (L, index, LUA_TTABLE);
  *self = (GobanLuaTraining){ .options = goban_training_options_new (network) };
  goban_lua_check_options (L, index, "opts", train_options + (is_trainer ? 0 : N_OF_TRAINER), self);
  check_left_out (L, self->left_out);
  goban_lua_check_write (L, self->options.output);
  goban_lua_check_write (L, self->options.resume); /* it is written again */
  goban_lua_check_write (L, self->options.curve);
}

/* Refuses at once everything that can be checked here. A caller that may show the session may show
 * the training. */
GobanTrainingJob *
goban_lua_start_training (lua_State *L, GobanLuaTraining *self, GError **error)
{
  char **left_out = dup_left_out (L, self->left_out);
  GobanTrainingJob *training;

  self->options.left_out = (const char *const *) left_out;
  training = goban_training_job_start (&self->options, error);
  if (training != NULL)
    goban_training_list_add (G_OBJECT (goban_lua_get_session (L)), training);
  g_strfreev (left_out);
  return training;
}

/* --- curves -------------------------------------------------------------------------------- */

void
goban_lua_push_point (lua_State *L, GobanTrainingLog *log, const GobanTrainingPoint *point)
{
  guint n_series;
  const GobanTrainingSeries *series = goban_training_log_get_series (log, &n_series);

  lua_createtable (L, 0, 2 + (int) n_series);
  goban_lua_put_count (L, "step", point->step);
  goban_lua_put_text (L, "graph", goban_training_log_get_name (log, point->subject));
  for (guint k = 0; k < n_series; k++)
    if (series[k].is_trial == point->is_trial)
      goban_lua_put_number (L, series[k].name, point->values[k]);
}

int
goban_lua_push_points (lua_State *L, GobanTrainingLog *log, gboolean is_trial,
                       lua_Integer n_skipped)
{
  lua_Integer n = 0;
  GobanTrainingPoint point;

  lua_newtable (L);
  for (guint i = 0; goban_training_log_read (log, i, &point, 1) > 0; i++)
    {
      if (point.is_trial != is_trial || n_skipped-- > 0)
        continue;
      goban_lua_push_point (L, log, &point);
      lua_rawseti (L, -2, ++n);
    }
  return 1;
}

/* --- reports ------------------------------------------------------------------------------- */

/* "expert_ratio_before", "expert_ratio_after" and so on: the series of trials, first and last. */
static void
put_trial_means (lua_State *L, GobanTrainingLog *log)
{
  guint n;
  const GobanTrainingSeries *series = goban_training_log_get_series (log, &n);

  for (guint k = 0; k < n; k++)
    {
      if (!series[k].is_trial)
        continue;
      lua_pushfstring (L, "%s_before", series[k].name);
      goban_lua_push_number (L, goban_training_log_get_trial_mean (log, k, FALSE));
      lua_rawset (L, -3);
      lua_pushfstring (L, "%s_after", series[k].name);
      goban_lua_push_number (L, goban_training_log_get_trial_mean (log, k, TRUE));
      lua_rawset (L, -3);
    }
}

void
goban_lua_push_report (lua_State *L, const GobanTrainingReport *report, GobanTrainingLog *log)
{
  lua_createtable (L, 0, 16);
  goban_lua_put_text (L, "policy", report->network);
  goban_lua_put_boolean (L, "finished", report->is_finished);
  goban_lua_put_text (L, "output", report->output);
  goban_lua_put_text (L, "run", report->run);
  goban_lua_put_boolean (L, "kept_start", report->kept_start);
  goban_lua_put_text (L, "warning", report->warning);
  goban_lua_put_count (L, "kept_step", report->kept_step);
  goban_lua_put_count (L, "step", report->step);
  goban_lua_put_count (L, "steps", report->n_steps);
  goban_lua_put_count (L, "parameters", (double) report->n_parameters);
  goban_lua_put_number (L, "seconds", report->seconds);
  goban_lua_put_number (L, "score", report->score);
  goban_lua_put_number (L, "score_before", report->first_score);
  put_trial_means (L, log);
}
