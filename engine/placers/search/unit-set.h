/* unit-set.h: connected sets of units, grown along tensors, that searches move together.
 *
 * Starting anew takes no time in the number of units. One thread at a time.
 */
#pragma once

#include "engine/core/rng.h"
#include "engine/placers/search/unit-graph.h"

typedef struct
{
  const GobanUnits *units; /* borrowed */
  GobanUnitGraph *graph;
  GArray *members;  /* guint32, in the order in which they were added */
  GArray *frontier; /* GobanUnitLink: where the set may grow */
  guint32 *marks;   /* (n_units) equal to mark: in the set */
  guint32 mark;
} GobanUnitSet;

/* @units must outlive it. */
GobanUnitSet *goban_unit_set_new (const GobanUnits *units) G_GNUC_WARN_UNUSED_RESULT;
void goban_unit_set_free (GobanUnitSet *self);

/* Empties it. */
void goban_unit_set_start (GobanUnitSet *self);
void goban_unit_set_add (GobanUnitSet *self, guint32 unit);

/* Grows a connected set of @n_wanted units from the seed, all on its device in the plan: half of
 * the time along heavy edges, else along any. Smaller if no more are connected. */
void goban_unit_set_grow (GobanUnitSet *self, GobanRng *rng, const GobanPlan *plan, guint32 seed,
                          guint n_wanted);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanUnitSet, goban_unit_set_free)
