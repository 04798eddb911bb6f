/* run-list.h: arrays of runs, and list models of them for views. */
#pragma once

#include "engine/study/run/run.h"

#include <gio/gio.h>

/* Arrays that own their runs. (transfer full) */
GPtrArray *goban_run_array_new (void) G_GNUC_WARN_UNUSED_RESULT;
GPtrArray *goban_run_array_copy (GPtrArray *runs) G_GNUC_WARN_UNUSED_RESULT;

/* An item of a list model: a run as a GObject of the main thread. */
#define GOBAN_TYPE_RUN_ROW (goban_run_row_get_type ())
G_DECLARE_FINAL_TYPE (GobanRunRow, goban_run_row, GOBAN, RUN_ROW, GObject)

GobanRunRow *goban_run_row_new (GobanRun *run) G_GNUC_WARN_UNUSED_RESULT;
/* Borrowed from the row; %NULL for %NULL. */
GobanRun *goban_run_row_get_run (GobanRunRow *self);

/* The run in row @i of @rows, borrowed from the row; (nullable). */
GobanRun *goban_run_list_get (GListModel *rows, guint i);
/* @place: (out) (optional): the row of @run; unchanged if there is none. */
gboolean goban_run_list_find (GListModel *rows, GobanRun *run, guint *place);
