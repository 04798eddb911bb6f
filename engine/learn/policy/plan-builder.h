/* plan-builder.h: plans built row by row by a network that observes the decisions so far and their
 * schedule.
 *
 * A row is decided when its first op with work comes up in the order of upward ranks. The op is
 * then appended to a partial schedule (engine/learn/policy/plan-builder.h), whose features
 * determine the next decision:
 *
 *   p (device | row, decisions so far) = softmax (scores / temperature)
 *
 * over the devices that can run the row.
 *
 * Devices are exchangeable: scores depend on their state alone, so relabelling equal devices
 * relabels the probabilities, to the bit. Ties are broken by the lowest device number.
 *
 * Decisions G6 and G11 (engine/NOTES.md).
 */
#pragma once

#include "engine/learn/policy/builder-net.h"
#include "engine/learn/policy/row-encoding.h"
#include "engine/learn/policy/rows.h"

/* A schedule that is extended op by op while rows are placed, and its features.
 *
 * Ops are appended in the rows' order: an op starts when its inputs have arrived and its device is
 * free; a transfer starts when its tensor exists and both channels are free. This is coarser than
 * the simulator, which has queues, but fast enough to be used after every decision.
 *
 * Features describe a device by its state only, not by number or name. Sums over devices are taken
 * in the order of their values, so that exchanging two equal devices exchanges their features to
 * the bit.
 */

/* Features of a device for the next row. "Late" is relative to the best device; times are in units
 * of the row's own time (log) or of the whole schedule. */
typedef enum
{
  GOBAN_CHOICE_LATE_START,        /* log, over the row's time */
  GOBAN_CHOICE_LATE_START_IN_ALL, /* over the schedule */
  GOBAN_CHOICE_LATE_INPUTS,       /* arrival of the last input; log, over the row's time */
  GOBAN_CHOICE_LATE_FREE,         /* time at which the device is free, over the schedule */
  GOBAN_CHOICE_LOAD_OVER_MEAN,    /* in units of the ideal load */
  GOBAN_CHOICE_LOAD,
  GOBAN_CHOICE_OVERLOAD,      /* load beyond the ideal load with this row */
  GOBAN_CHOICE_INPUTS_HERE,   /* share of the input bytes on this device */
  GOBAN_CHOICE_MOVING,        /* time of all transfers to it; log, over the row's time */
  GOBAN_CHOICE_MOVING_IN_ALL, /* in ideal loads */
  GOBAN_CHOICE_CHANNEL,       /* remaining busy time of its receive channel */
  GOBAN_CHOICE_MOVED,         /* busy time of its channels, in ideal loads */
  GOBAN_CHOICE_MEMORY,        /* share of its memory with this row */
  GOBAN_CHOICE_MEMORY_SHORT,  /* 1 above 0.85 */
  /* share of the device in the placed rows that walks from the row reach, by length */
  GOBAN_CHOICE_WALKS,
  /* 1: the previous row was placed here */
  GOBAN_CHOICE_LAST = GOBAN_CHOICE_WALKS + GOBAN_ROWS_N_WALKS,
  GOBAN_CHOICE_UNUSED,      /* 1: has no work yet */
  GOBAN_CHOICE_NEAREST,     /* 1: the device that walks of 2 steps reach most */
  GOBAN_CHOICE_NEAR,        /* probability that a walk of 1 step ends there, among all rows */
  GOBAN_CHOICE_FAR,         /* the same for 8 steps */
  GOBAN_CHOICE_LATE_FINISH, /* of the row's work; log, over the row's time */
  GOBAN_CHOICE_SLOWNESS,    /* log of the row's time there over the fastest device's */
  GOBAN_CHOICE_N
} GobanChoiceFeature;

/* Features of the row: those of rows.h, and the state of the schedule. */
typedef enum
{
  /* probability that walks end in placed rows, by length */
  GOBAN_CONTEXT_REACHED = GOBAN_ROW_N_STATIC,
  GOBAN_CONTEXT_DONE = GOBAN_CONTEXT_REACHED + GOBAN_ROWS_N_WALKS, /* share of all work */
  GOBAN_CONTEXT_IMBALANCE, /* largest load over the mean, in ideal loads */
  GOBAN_CONTEXT_UNUSED,    /* share of the devices */
  GOBAN_CONTEXT_N
} GobanContextFeature;

#define GOBAN_NOT_PLACED G_MAXUINT32

typedef struct
{
  const GobanRows *rows;
  guint D;
  GPtrArray *arrays;  /* all that is allocated */
  guint32 *device_of; /* (R) or GOBAN_NOT_PLACED */
  double *finish_us;  /* (n_nodes) negative before it is appended */
  double *arrival_us; /* (n_tensors, D) of copies; likewise */
  double *free_us;    /* (D) when the device is */
  double *send_us;    /* (D) when its channels are */
  double *receive_us;
  double *load_us;                    /* (D) of placed rows */
  double *moved_us;                   /* (D) of its transfers */
  double *bytes;                      /* (D) of placed rows */
  float *reached[GOBAN_ROWS_N_WALKS]; /* (D, R) chance of a walk from a row to end there */
  double placed_us;                   /* work of placed rows */
  double end_us;                      /* of the last op so far */
  double caution;
  guint32 last; /* device of the row before, or GOBAN_NOT_PLACED */

  /* For the current row, each (D). */
  double *ready_us;
  double *start_us;
  double *finish_there_us;
  double *moving_us;
  double *inputs_bytes;
  double *sorted;
} GobanPartialSchedule;

/* Borrows the rows. One thread at a time. */
GobanPartialSchedule *goban_partial_schedule_new (const GobanRows *rows) G_GNUC_WARN_UNUSED_RESULT;
void goban_partial_schedule_free (GobanPartialSchedule *self);

/* Removes all placements. @caution: factor of the expected memory of rows: 1, or more if earlier
 * plans were short of memory, because copies by transfers are not counted. */
void goban_partial_schedule_reset (GobanPartialSchedule *self, double caution);

/* Computes the features of all devices for the next row.
 *
 * x (D, GOBAN_CHOICE_N)  c (GOBAN_CONTEXT_N)
 * can (D): 1 if the row may go there: it can run there, and there is room for it unless no device
 * has room. */
void goban_partial_schedule_look (GobanPartialSchedule *self, guint row, float *x, float *c,
                                  guint8 *can);

void goban_partial_schedule_place (GobanPartialSchedule *self, guint row, guint32 device);

/* Appends an op of a placed row; its inputs must have been appended or be idle. Rows that follow
 * others are placed with the op's row, or as in @wanted (nullable, R). */
void goban_partial_schedule_append (GobanPartialSchedule *self, GobanNodeId node,
                                    const guint32 *wanted);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanPartialSchedule, goban_partial_schedule_free)

/* All decisions of one plan, n of at most R, with their features, from which gradients are
 * computed. */
typedef struct
{
  guint n_decisions;
  guint n_devices;
  GArray *rows;     /* (n) guint32 */
  GArray *actions;  /* (n) guint32: devices */
  GArray *features; /* (n, D, GOBAN_CHOICE_N) float */
  GArray *contexts; /* (n, GOBAN_CONTEXT_N) float */
  /* set by the owner: features and contexts, which only learning needs, are left out */
  gboolean skips_features;
  /* (n, D) float: probabilities at the temperature of sampling, else at 1; 0 if not allowed */
  GArray *chances;
  GArray *can; /* (n, D) guint8: devices that were allowed */
  /* (n, D) float: shares of the row's attention, means over the heads; 0 without attention */
  GArray *attention;
  GArray *nodes;   /* (n) GobanNodeId: the ops at which rows were decided */
  GArray *ends_us; /* (n) double: of the schedule before the decision */
  GArray *devices; /* (R) guint32: of all rows at the end */
  double end_us;   /* of the whole schedule */
} GobanBuildRecord;

GobanBuildRecord *goban_build_record_new (void) G_GNUC_WARN_UNUSED_RESULT;
/* (transfer full) */
GobanBuildRecord *goban_build_record_copy (const GobanBuildRecord *self) G_GNUC_WARN_UNUSED_RESULT;
void goban_build_record_free (GobanBuildRecord *self);
/* Mean entropy of its decisions, in nats. The choice among equal unused devices does not count. */
double goban_build_record_get_entropy (const GobanBuildRecord *self);

typedef struct _GobanPlanBuilder GobanPlanBuilder;

/* Borrows the rows. One thread at a time. */
GobanPlanBuilder *goban_plan_builder_new (const GobanRows *rows) G_GNUC_WARN_UNUSED_RESULT;
void goban_plan_builder_free (GobanPlanBuilder *self);

typedef struct
{
  guint32 row, device;
} GobanForcedRow;

typedef struct
{
  double temperature;    /* 0: always the likeliest device */
  GobanRng *rng;         /* (nullable) for sampling */
  const guint32 *wanted; /* (nullable) (R): decisions to follow instead */
  /* (nullable): a row that gets another device than the drawn or likeliest one. Random numbers are
   * drawn all the same, so what the rows before it get does not change. */
  const GobanForcedRow *forced;
  double caution; /* factor of expected memory, as goban_partial_schedule_reset(); 0: 1 */
  /* (nullable): by the same network of the same rows, to make it only once; else a plan has its
   * own */
  const GobanRowEncoding *encoding;
  GobanBuildRecord *record; /* (nullable): overwritten with the decisions */
} GobanBuildOptions;

/* Builds a plan and writes the device of each row to devices (R). */
void goban_plan_builder_build (GobanPlanBuilder *self, const GobanBuilderNet *net,
                               const GobanBuildOptions *options, guint32 *devices);

/* The probabilities of n plans' decisions by another network than the one that built them, from
 * the recorded features: chances (all decisions, D). The plans are of the same rows.
 *
 * @encoding: (nullable): of the network, if it has an encoder */
void goban_build_records_find_chances (GobanBuildRecord *const *records, guint n,
                                       const GobanBuilderNet *net, const GobanRowEncoding *encoding,
                                       double temperature, float *chances);

/* Terms of the objective of a gradient, for one plan. */
typedef struct
{
  double advantage; /* weight of the mean log-likelihood of the decisions */
  double entropy;   /* weight of their mean entropy */
  /* (nullable) (D): classes of equal devices. For imitation: unused devices of one class count as
   * the chosen one. */
  const guint *classes;
} GobanBuildLesson;

/* Adds the gradients of -sum (advantage mean log p + entropy mean H) over n plans of the same rows
 * to the network's, for an optimiser that descends.
 *
 * @encoding: of a network with an encoder: that of the plans, which collects the gradients by row
 * for goban_row_encoding_backward(); else %NULL */
void goban_build_records_learn (GobanBuildRecord *const *records, const GobanBuildLesson *lessons,
                                guint n, GobanBuilderNet *net, GobanRowEncoding *encoding);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanBuildRecord, goban_build_record_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanPlanBuilder, goban_plan_builder_free)
