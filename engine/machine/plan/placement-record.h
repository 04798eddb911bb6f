/* placement-record.h: record of the decisions that led to a policy's plan.
 *
 * A policy that builds its plan leaves choices: which nodes went to which device, in which order,
 * by which key, and what was known of the other devices. A search leaves the successive best plans
 * (plan-chain.h). Both may leave a table of numbers: moves tried, generations, bounds. A policy
 * that decides everything at once leaves the reason why there are no steps.
 *
 * Times are single-precision: 84,464 nodes on 8 devices take about 6 MB. Rows of the table and
 * candidates of choices are bounded; the oldest are dropped and counted.
 *
 * Counted. The policy writes it; after goban_placement_record_finish() it is immutable, and any
 * thread may read it. GO's policies have a log of their own beside it
 * (engine/learn/policy/decision-log.h); engine/study/analysis/steps/step.h reads both.
 */
#pragma once

#include "engine/machine/plan/plan-chain.h"
#include "engine/machine/plan/refusal.h"

G_BEGIN_DECLS

/* Candidates of all choices together, of each device one. */
#define GOBAN_RECORD_MAX_CANDIDATES (1u << 22)
#define GOBAN_RECORD_MAX_ROWS (1u << 14)
#define GOBAN_RECORD_MAX_COLUMNS 6

/* Meaning of the numbers of all choices; static. */
typedef struct
{
  const char *key;       /* (nullable) what the nodes were taken by, for example "upward_rank_us" */
  const char *candidate; /* (nullable) measure of each device's candidate: "finish_us" */
  gboolean takes_least; /* the device with the least candidate is chosen, among those not refused */
  const char *ties;     /* (nullable) which of several with the least candidate */
} GobanChoiceWords;

/* Nodes that were decided together, in most cases one. */
typedef struct
{
  const GobanNodeId *nodes;
  guint n_nodes;
  GobanDeviceId device;
  float key;               /* NAN without one */
  float start_us;          /* in the policy's own schedule; NAN without one */
  float finish_us;         /* of the last of the nodes */
  float length_us;         /* of the policy's own schedule so far */
  const char *note;        /* (nullable) static: "carried along", "critical path" */
  const float *candidates; /* (n_devices) NAN if unknown; (nullable): dropped, or there were none */
  const guint8 *refusals;  /* (n_devices) GobanRefusal; (nullable), as candidates */
} GobanPlacementChoice;

/* Columns of the table; static. */
typedef struct
{
  const char *names[GOBAN_RECORD_MAX_COLUMNS + 1]; /* ends with NULL */
  const char *const *kinds; /* (nullable) names of the values in a column "kind"; ends with NULL */
} GobanRecordTable;

typedef struct _GobanPlacementRecord GobanPlacementRecord;

/* The record after its first @n steps; shares the data. (transfer full) */
GobanPlacementRecord *goban_placement_record_new_head (GobanPlacementRecord *self,
                                                       guint n) G_GNUC_WARN_UNUSED_RESULT;

GobanPlacementRecord *goban_placement_record_ref (GobanPlacementRecord *self);
void goban_placement_record_unref (GobanPlacementRecord *self);

guint goban_placement_record_get_n_nodes (const GobanPlacementRecord *self);
guint goban_placement_record_get_n_devices (const GobanPlacementRecord *self);

/* Steps are choices, or without choices plans. */
guint goban_placement_record_get_n_steps (const GobanPlacementRecord *self);
guint goban_placement_record_get_n_choices (const GobanPlacementRecord *self);
guint goban_placement_record_get_n_plans (const GobanPlacementRecord *self);

/* (nullable): %NULL without choices. */
const GobanChoiceWords *goban_placement_record_get_words (const GobanPlacementRecord *self);
/* Choice @n, from 1. */
GobanPlacementChoice goban_placement_record_get_choice (const GobanPlacementRecord *self, guint n);
/* The choice that decided a node, from 1; 0: none so far. */
guint goban_placement_record_find_choice (const GobanPlacementRecord *self, GobanNodeId node);
/* The number of choices whose candidates were dropped. */
guint goban_placement_record_get_n_dropped (const GobanPlacementRecord *self);

/* (nullable): the plans of a search; has at least goban_placement_record_get_n_plans() steps. */
const GobanPlanChain *goban_placement_record_get_plans (const GobanPlacementRecord *self);

/* (nullable): %NULL without one. */
const GobanRecordTable *goban_placement_record_get_table (const GobanPlacementRecord *self);
guint goban_placement_record_get_n_columns (const GobanPlacementRecord *self);
guint goban_placement_record_get_n_rows (const GobanPlacementRecord *self);
guint64 goban_placement_record_get_n_folded_rows (const GobanPlacementRecord *self);
/* Row @row, from 0: as many values as columns; borrowed. */
const double *goban_placement_record_get_row (const GobanPlacementRecord *self, guint row);

/* (nullable): %NULL if there are steps. */
const char *goban_placement_record_get_reason (const GobanPlacementRecord *self);

/* About the memory that it takes. */
gsize goban_placement_record_get_n_bytes (const GobanPlacementRecord *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanPlacementRecord, goban_placement_record_unref)

G_END_DECLS
