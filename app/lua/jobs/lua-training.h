/* lua-training.h: options, learning curves and reports of trainings, for jobs and trainers. */
#pragma once

#include "app/lua/core/lua-state.h"
#include "engine/study/training/training-list.h"

typedef struct
{
  GobanTrainingOptions options; /* strings are borrowed from the stack */
  int left_out;
  /* Options of policy.trainer, whose prelude checks and uses them: 0 without one. */
  int lessons, reward, validation;
} GobanLuaTraining;

/* Reads the table at @index; @network: which is trained without an option. Raises. */
void goban_lua_check_training (lua_State *L, int index, const char *network, gboolean is_trainer,
                               GobanLuaTraining *self);
/* Starts it and adds it to the session's list. Never raises. (transfer full) (nullable) */
GobanTrainingJob *goban_lua_start_training (lua_State *L, GobanLuaTraining *self, GError **error);

/* Pushes a point as a table: step, graph and the measured series. */
void goban_lua_push_point (lua_State *L, GobanTrainingLog *log, const GobanTrainingPoint *point);
/* Pushes the points of one kind as a list, without the first @n_skipped; returns 1. */
int goban_lua_push_points (lua_State *L, GobanTrainingLog *log, gboolean is_trial,
                           lua_Integer n_skipped);

/* Pushes a report as a table, with the means of all trials of the log. */
void goban_lua_push_report (lua_State *L, const GobanTrainingReport *report, GobanTrainingLog *log);
