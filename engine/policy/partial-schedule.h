/* partial-schedule.h: schedule that is extended op by op while rows get devices, with its features
 * per row.
 *
 * Ops are appended in the rows' order: an op starts when its inputs have arrived and its device is
 * free; a transfer when its tensor is there and both channels are free. That is coarser than the
 * simulator, which has queues, and quick enough to be asked after every decision.
 *
 * Features describe a device by its state alone: no number, no name. Sums over devices are taken in
 * the order of their values, so that exchanging two devices of a kind exchanges their features to
 * the bit.
 */
#pragma once

#include "engine/policy/rows.h"

G_BEGIN_DECLS

/* Of a device, for the row that is to be placed. "Late" is after the best device; times are in
 * units of the row's own time (log) or of the whole schedule. */
typedef enum
{
  GOBAN_CHOICE_LATE_START,        /* log, over the row's time */
  GOBAN_CHOICE_LATE_START_IN_ALL, /* over the schedule */
  GOBAN_CHOICE_LATE_INPUTS,       /* when all inputs are there; log, over the row's time */
  GOBAN_CHOICE_LATE_FREE,         /* when the device is free, over the schedule */
  GOBAN_CHOICE_LOAD_OVER_MEAN,    /* in ideal loads */
  GOBAN_CHOICE_LOAD,
  GOBAN_CHOICE_OVERLOAD,      /* beyond the ideal load with this row */
  GOBAN_CHOICE_INPUTS_HERE,   /* share of the input bytes */
  GOBAN_CHOICE_MOVING,        /* time of all transfers to it; log, over the row's time */
  GOBAN_CHOICE_MOVING_IN_ALL, /* in ideal loads */
  GOBAN_CHOICE_CHANNEL,       /* how long its receive channel is busy yet */
  GOBAN_CHOICE_MOVED,         /* time its channels have been busy, in ideal loads */
  GOBAN_CHOICE_MEMORY,        /* share of its memory with this row */
  GOBAN_CHOICE_MEMORY_SHORT,  /* 1 above 0.85 */
  GOBAN_CHOICE_WALKS, /* share of all placed rows that walks from the row reach, by length */
  GOBAN_CHOICE_LAST = GOBAN_CHOICE_WALKS + GOBAN_ROWS_N_WALKS, /* 1: took the row before */
  GOBAN_CHOICE_UNUSED,                                         /* 1: has no work yet */
  GOBAN_CHOICE_NEAREST,     /* 1: walks of 2 steps reach it most */
  GOBAN_CHOICE_NEAR,        /* chance of a walk of 1 step, not only among placed rows */
  GOBAN_CHOICE_FAR,         /* and of 8 steps */
  GOBAN_CHOICE_LATE_FINISH, /* of the row's work; log, over the row's time */
  GOBAN_CHOICE_SLOWNESS,    /* log of the row's time there over the fastest device's */
  GOBAN_CHOICE_N
} GobanChoiceFeature;

/* Of the row: what rows.h knows, and what has been decided so far. */
typedef enum
{
  GOBAN_CONTEXT_REACHED = GOBAN_ROW_N_STATIC, /* chance that walks end in placed rows, by length */
  GOBAN_CONTEXT_DONE = GOBAN_CONTEXT_REACHED + GOBAN_ROWS_N_WALKS, /* share of all work */
  GOBAN_CONTEXT_IMBALANCE, /* largest load over the mean, in ideal loads */
  GOBAN_CONTEXT_UNUSED,    /* share of the devices */
  GOBAN_CONTEXT_N
} GobanContextFeature;

#define GOBAN_NOT_PLACED G_MAXUINT32

typedef struct _GobanPartialSchedule GobanPartialSchedule;

/* Borrows the rows. One thread at a time. */
GobanPartialSchedule *goban_partial_schedule_new (const GobanRows *rows) G_GNUC_WARN_UNUSED_RESULT;
void goban_partial_schedule_free (GobanPartialSchedule *self);

/* Nothing is placed. @caution: what rows are expected to need of the memory is multiplied by it: 1,
 * or more if plans have lacked memory before, for copies that transfers make are not counted. */
void goban_partial_schedule_reset (GobanPartialSchedule *self, double caution);

/* (R) devices, GOBAN_NOT_PLACED; borrowed. */
const guint32 *goban_partial_schedule_get_devices (const GobanPartialSchedule *self);

/* Computes the features of all devices for the next row.
 *
 * x (D, GOBAN_CHOICE_N)  c (GOBAN_CONTEXT_N)
 * can (D): 1 if the row may go there: it can run there, and there is room for it unless no device
 * has room. */
void goban_partial_schedule_look (GobanPartialSchedule *self, guint row, float *x, float *c,
                                  guint8 *can);

void goban_partial_schedule_place (GobanPartialSchedule *self, guint row, guint32 device);

/* Appends an op of a placed row; its inputs must have been appended or be idle. Rows that follow
 * are placed with the op's row, or where @wanted (nullable, R) says. */
void goban_partial_schedule_append (GobanPartialSchedule *self, GobanNodeId node,
                                    const guint32 *wanted);

/* An idle op of a row that is not placed yet: there from the beginning. */
void goban_partial_schedule_skip (GobanPartialSchedule *self, GobanNodeId node);

/* Rows that nothing led to: where walks reach most, or where @wanted (nullable, R) says. */
void goban_partial_schedule_finish (GobanPartialSchedule *self, const guint32 *wanted);

/* When the last op so far ends. */
double goban_partial_schedule_get_end_us (const GobanPartialSchedule *self);

/* "late start", "share of memory": for tables and tests. Static. */
const char *goban_choice_feature_get_name (guint column);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanPartialSchedule, goban_partial_schedule_free)

G_END_DECLS
