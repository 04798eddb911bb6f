/* plan-builder.h: plans built row by row by a network that observes the decisions so far and their
 * schedule.
 *
 * Rows are decided when their first op with work is due in the order of upward ranks; the op is
 * then appended to a partial schedule (engine/policy/partial-schedule.h), whose features are what
 * the next row's decision is made by:
 *
 *   p (device | row, decisions so far) = softmax (scores / temperature)
 *
 * over the devices where the row may go.
 *
 * Devices are exchangeable: scores depend on their state alone, so relabelling equal devices
 * relabels the probabilities, to the bit. Among equal scores the lowest number is taken.
 *
 * Decision G11 (engine/NOTES.md).
 */
#pragma once

#include "engine/policy/builder-net.h"
#include "engine/policy/partial-schedule.h"

G_BEGIN_DECLS

/* All decisions of one plan, with what they were made by: what gradients are computed from. */
typedef struct
{
  guint n_decisions;
  guint n_devices;
  GArray *rows;     /* (n) guint32 */
  GArray *actions;  /* (n) guint32: devices */
  GArray *features; /* (n, D, GOBAN_CHOICE_N) float */
  GArray *contexts; /* (n, GOBAN_CONTEXT_N) float */
  /* (n, D) float: p at the temperature of the samples, else at 1; 0 if not allowed */
  GArray *chances;
} GobanBuildRecord;

GobanBuildRecord *goban_build_record_new (void) G_GNUC_WARN_UNUSED_RESULT;
void goban_build_record_free (GobanBuildRecord *self);
/* Mean of the entropies of its decisions, in nats; which of several unused devices that look alike
 * is taken is none. */
double goban_build_record_get_entropy (const GobanBuildRecord *self);

typedef struct _GobanPlanBuilder GobanPlanBuilder;

/* Borrows the rows. One thread at a time. */
GobanPlanBuilder *goban_plan_builder_new (const GobanRows *rows) G_GNUC_WARN_UNUSED_RESULT;
void goban_plan_builder_free (GobanPlanBuilder *self);

typedef struct
{
  double temperature;       /* 0: the likeliest device each time */
  GobanRng *rng;            /* (nullable) of samples */
  const guint32 *wanted;    /* (nullable) (R): decisions to follow instead */
  double caution;           /* with memory: 0 is 1; more if plans have lacked it */
  GobanBuildRecord *record; /* (nullable): filled anew */
} GobanBuildOptions;

/* devices (R): of every row. */
void goban_plan_builder_build (GobanPlanBuilder *self, const GobanBuilderNet *net,
                               const GobanBuildOptions *options, guint32 *devices);

/* What a gradient is of. */
typedef struct
{
  double advantage; /* weight of the mean log-likelihood of the decisions */
  double entropy;   /* and of their mean entropy */
  /* of imitation: devices of a kind that are unused yet count as the one that was taken */
  gboolean pools;
} GobanBuildLesson;

/* Adds to the network's gradients, downhill: those of -(advantage mean log p + entropy mean H).
 * classes (D) (nullable): kinds of devices, for pooling. */
void goban_build_record_learn (const GobanBuildRecord *self, GobanBuilderNet *net,
                               const GobanBuildLesson *lesson, const guint *classes);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanBuildRecord, goban_build_record_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanPlanBuilder, goban_plan_builder_free)

G_END_DECLS
