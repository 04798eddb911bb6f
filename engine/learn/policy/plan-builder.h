/* plan-builder.h: plans built row by row by a network that observes the decisions so far and their
 * schedule.
 *
 * A row is decided when its first op with work comes up in the order of upward ranks. The op is
 * then appended to a partial schedule (engine/learn/policy/partial-schedule.h), whose features
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
#include "engine/learn/policy/partial-schedule.h"
#include "engine/learn/policy/row-encoding.h"

G_BEGIN_DECLS

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

G_END_DECLS
