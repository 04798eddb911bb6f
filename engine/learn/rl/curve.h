/* curve.h: learning curves of a training run: one row of values per step, with named columns.
 *
 * Code that writes, sends or draws a curve iterates over the columns, so that the list exists once.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

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
  /* largest share of the work on one device; NAN if plans are changed, not drawn */
  GOBAN_CURVE_TOP_SHARE,
  GOBAN_CURVE_N
} GobanCurveColumn;

typedef struct
{
  guint step;   /* from 1 */
  guint lesson; /* its number in the curriculum */
  double values[GOBAN_CURVE_N];
} GobanCurvePoint;

/* Result of a trial: the likeliest plan of a graph that is not learned on. */
typedef struct
{
  guint step;          /* number of steps made; 0: before the first */
  guint trial;         /* its number in the curriculum */
  double expert_ratio; /* makespan over the expert's; NAN if either plan does not fit in memory */
  double ratio;        /* makespan over the problem's reference; NAN if it does not fit in memory */
} GobanCurveTrial;

/* Receives the point of each update while a policy learns, in the policy's thread. */
typedef struct
{
  void (*add) (const GobanCurvePoint *point, gpointer user_data);
  gpointer user_data;
} GobanCurveSink;

/* "mean_ratio", "best_ratio", "valid", "reward", "entropy", "gradient_norm", "clipped", "seconds",
 * "top_share" */
const char *goban_curve_column_get_name (GobanCurveColumn column);

G_END_DECLS
