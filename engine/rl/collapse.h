/* collapse.h: detection of a collapsed network in training.
 *
 * Either all its samples put everything on one device, or nothing is left to chance. A policy
 * gradient cannot leave such a state: all rollouts are alike, and none is better than its fellows.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* How many updates a collapse must last. */
#define GOBAN_COLLAPSE_WINDOW 20

/* Means over the rollouts of an update. */
typedef struct
{
  double entropy;   /* nats of a decision */
  double top_share; /* of the work on the device that has most */
} GobanCollapseSign;

/* signs (n): of the last updates in which whole plans were drawn. In words, or %NULL if all is well
 * or they are fewer than GOBAN_COLLAPSE_WINDOW. Static. */
const char *goban_collapse_describe (const GobanCollapseSign *signs, guint n);

G_END_DECLS
