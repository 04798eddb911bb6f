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

/* Columns of a search that learns which moves improve a plan (move-curve.h). NAN: not measured, or
 * without proposals. */
typedef enum
{
  GOBAN_MOVE_CURVE_MEAN,      /* mean makespan of the valid plans tried over the reference */
  GOBAN_MOVE_CURVE_BEST,      /* the search's best plan so far over the reference */
  GOBAN_MOVE_CURVE_VALID,     /* share of plans that fit into memory */
  GOBAN_MOVE_CURVE_OWN_GAINS, /* share of the learner's proposals that improve the plan */
  GOBAN_MOVE_CURVE_NET_GAINS, /* share of the network's */
  GOBAN_MOVE_CURVE_OWN_TURNS, /* share of the proposals that are the learner's */
  GOBAN_MOVE_CURVE_ERROR,     /* mean square error of the next gains, before they are learned */
  GOBAN_MOVE_CURVE_ENTROPY,   /* nats of the devices that are proposed */
  GOBAN_MOVE_CURVE_TOP_SHARE, /* mean of the largest share of the work on one device */
  GOBAN_MOVE_CURVE_SECONDS,   /* of the update */
  GOBAN_MOVE_CURVE_N
} GobanMoveCurveColumn;

typedef struct
{
  guint step; /* from 1 */
  double values[GOBAN_MOVE_CURVE_N];
} GobanMoveCurvePoint;

/* Receives the point of each update while a policy learns, in the policy's thread. A policy calls
 * one of the functions. */
typedef struct
{
  void (*add) (const GobanCurvePoint *point, gpointer user_data);
  void (*add_moves) (const GobanMoveCurvePoint *point, gpointer user_data);
  gpointer user_data;
} GobanCurveSink;

/* "mean_ratio", "best_ratio", "valid", "reward", "entropy", "gradient_norm", "clipped", "seconds",
 * "top_share" */
const char *goban_curve_column_get_name (GobanCurveColumn column);

G_END_DECLS
