/* record-step.h: steps of runs that have a record of their policy
 * (engine/machine/plan/placement-record.h).
 *
 * The part of step.h for such runs, which documents these functions. Runs with a decision log, and
 * runs without either, have no steps here.
 */
#pragma once

#include "engine/machine/plan/task.h"
#include "engine/study/run/run.h"
#include "engine/study/run/selection.h"

G_BEGIN_DECLS

guint goban_record_steps_count (GobanRun *run);
guint goban_record_steps_get_n_folded (GobanRun *run);

/* Makespans before and after step @n, of plans; the length of the schedule, after choices. */
double goban_record_steps_get_before_us (GobanRun *run, guint n);
double goban_record_steps_get_makespan_us (GobanRun *run, guint n);

/* The choice for @node after step @n; GOBAN_NOT_CHOSEN for plans, and before a node is decided. */
guint32 goban_record_steps_get_choice (GobanRun *run, guint n, GobanTask task, GobanNodeId node);

/* @n: an existing step. (transfer full) */
GobanRun *goban_record_steps_new_run (GobanRun *run, guint n) G_GNUC_WARN_UNUSED_RESULT;

/* @task: fusion is not compared; all of them: GOBAN_N_TASKS. (transfer full) */
GobanSelection *goban_record_steps_dup_changed (GobanRun *run, guint n,
                                                GobanTask task) G_GNUC_WARN_UNUSED_RESULT;

/* had (n_nodes): sets the device before step @n of the nodes that it moved. */
void goban_record_steps_fill_had (GobanRun *run, guint n, GobanDeviceId *had);

/* A number of a record in words: the name without its unit, "upward rank" of "upward_rank_us", and
 * the value with it, "26 µs", "3 GB", "3". */
void goban_record_append_name (GString *text, const char *name);
void goban_record_append_amount (GString *text, const char *name, double value);
/* Both: "finish 26 µs" of "finish_us". */
void goban_record_append_number (GString *text, const char *name, double value);

/* Appends a description of step @n: "conv1 to gpu:1, finish 26 µs". */
void goban_record_steps_append (GString *text, GobanRun *run, guint n);

G_END_DECLS
