/* settling.h: the plans that policies make of their choices. */
#pragma once

#include "engine/decisions/decisions.h"
#include "engine/machine/plan/plan.h"

/* Parts of a plan beside the devices of a state, each an immutable array: whole numbers of a node,
 * or of a tensor for transfers; and the nodes that it has on other devices than the state. */
enum
{
  GOBAN_SETTLED_PRIORITIES,
  GOBAN_SETTLED_FUSIONS,
  GOBAN_SETTLED_TRANSFERS,
  GOBAN_SETTLED_MOVED, /* GobanMovedNode */
  GOBAN_N_SETTLED_COLUMNS
};

typedef struct
{
  GobanNodeId node;
  guint32 device;
} GobanMovedNode;

/* The plan of a moment. Equal columns of plans in a row are one. */
typedef struct
{
  GobanMoment moment;
  gboolean is_lost; /* dropped but for the digest */
  GobanOrder order;
  guint64 digest;
  double proven_bound_us;                   /* 0: nothing is proven */
  GBytes *columns[GOBAN_N_SETTLED_COLUMNS]; /* (nullable), of gint32: as in a new plan */
} GobanSettledPlan;

/* A hash of all that a simulation of the plan depends on; never 0. */
guint64 goban_settling_digest_plan (const GobanPlan *plan);
