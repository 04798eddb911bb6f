/* curve.h: learning curves of a training run: one row of values per step, with named columns.
 *
 * Code that writes, sends or draws a curve iterates over the columns, so that the list exists once.
 */
#pragma once

#include <glib.h>

typedef enum
{
  GOBAN_CURVE_MEAN,     /* mean makespan of the valid rollouts over the reference; NAN without */
  GOBAN_CURVE_BEST,     /* the best's */
  GOBAN_CURVE_VALID,    /* share of rollouts that fit into memory */
  GOBAN_CURVE_REWARD,   /* mean of all rollouts */
  GOBAN_CURVE_ENTROPY,  /* nats of a choice */
  GOBAN_CURVE_GRADIENT, /* norm before clipping */
  GOBAN_CURVE_CLIPPED,  /* share of ratios */
  GOBAN_CURVE_SECONDS,  /* of the update */
  /* largest share of the work on one device; NAN without a choice of devices */
  GOBAN_CURVE_TOP_SHARE,
  GOBAN_CURVE_N
} GobanCurveColumn;

typedef struct
{
  guint step;   /* from 1 */
  guint lesson; /* its number in the curriculum */
  double values[GOBAN_CURVE_N];
} GobanCurvePoint;

/* Receives the point of each update while a policy learns, in the policy's thread. */
typedef struct
{
  void (*add) (const GobanCurvePoint *point, gpointer user_data);
  gpointer user_data;
} GobanCurveSink;
