/* placement-record-writer.h: writing of a placement record by one policy, before it is shared. */
#pragma once

#include "engine/machine/plan/placement-record.h"

G_BEGIN_DECLS

/* (transfer full): an empty record. */
GobanPlacementRecord *goban_placement_record_new (guint n_nodes,
                                                  guint n_devices) G_GNUC_WARN_UNUSED_RESULT;

/* Begins an attempt to choose for all nodes, and drops the last attempt unless it was kept. */
void goban_placement_record_begin (GobanPlacementRecord *self, const GobanChoiceWords *words);

/* Sets the candidate of a device for the next choice. A device without this call is unknown. */
void goban_placement_record_weigh (GobanPlacementRecord *self, GobanDeviceId device,
                                   double candidate, guint refusals);

/* Adds a choice with the candidates weighed since the last one; @choice's own candidates, refusals
 * and length are ignored. */
void goban_placement_record_choose (GobanPlacementRecord *self, const GobanPlacementChoice *choice);

/* Adds a choice without candidates; those weighed wait for the next choice. */
void goban_placement_record_carry (GobanPlacementRecord *self, const GobanPlacementChoice *choice);

/* Adds a choice with the weighed candidates, without key and times. */
void goban_placement_record_choose_device (GobanPlacementRecord *self, const GobanNodeId *nodes,
                                           guint n_nodes, GobanDeviceId device, const char *note);

/* The present attempt is the best so far. */
void goban_placement_record_keep (GobanPlacementRecord *self);

/* Adds a best plan of a search. @makespan_us: NAN if it exceeds the memory; @note: (nullable)
 * static. */
void goban_placement_record_add_plan (GobanPlacementRecord *self, guint64 evaluation,
                                      const GobanPlan *plan, double makespan_us, const char *note);

/* Drops the rows, unless this is the table already. */
void goban_placement_record_set_table (GobanPlacementRecord *self, const GobanRecordTable *table);

/* Adds a row, unless the record has another table by now. */
void goban_placement_record_add_row (GobanPlacementRecord *self, const GobanRecordTable *table,
                                     const double *values);

/* Why there are no steps, static; for policies that decide everything at once. */
void goban_placement_record_set_reason (GobanPlacementRecord *self, const char *reason);

/* For records from files. */
void goban_placement_record_set_folded (GobanPlacementRecord *self, guint n_plans, guint64 n_rows);
/* Frees @memory by g_free() with the record: words that are not static; returns it. */
gpointer goban_placement_record_take (GobanPlacementRecord *self, gpointer memory);

/* Ends the writing: keeps the last attempt if none was kept. */
void goban_placement_record_finish (GobanPlacementRecord *self);

G_END_DECLS
