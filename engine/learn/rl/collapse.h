/* collapse.h: detection of a collapsed network in training.
 *
 * A network has collapsed if all its samples put everything on one device, or if its decisions have
 * no entropy left. A policy gradient cannot leave such a state: all rollouts are equal, so every
 * advantage is 0.
 */
#pragma once

#include <glib.h>

/* How many updates a collapse must last. */
#define GOBAN_COLLAPSE_WINDOW 20

/* Means over the rollouts of an update. */
typedef struct
{
  double entropy;   /* nats of a decision */
  double top_share; /* of the work on the device that has most */
} GobanCollapseSign;

/* Returns a description of the collapse, or %NULL if there is none or if n is below
 * GOBAN_COLLAPSE_WINDOW. signs (n): of the last updates that drew whole plans. Static, marked for
 * translation. */
const char *goban_collapse_describe (const GobanCollapseSign *signs, guint n);

/* For regressions, which have no chance that could collapse: a description of a network that
 * predicted the last updates no better than a constant does, on average, or %NULL. errors,
 * constant_errors (n): squared errors. Static, marked for translation. */
const char *goban_collapse_describe_errors (const double *errors, const double *constant_errors,
                                            guint n);
