/* node-values.h: one number per node of a graph, with its place on a colour ramp and in a
 * histogram.
 *
 * Immutable and reference-counted: any thread may read it. Every known value has a place on a ramp,
 * 0 at the least and 1 at the most, equal values one place, larger ones never a lower; bins of a
 * histogram divide that ramp evenly. NAN is an unknown value, and in no bin.
 *
 * Decision U15 (ui/NOTES.md).
 */
#pragma once

#include "engine/study/analysis/node-field.h"
#include "engine/study/run/selection.h"

typedef enum
{
  GOBAN_SCALE_LINEAR,
  GOBAN_SCALE_LOG,  /* if half of the positive values lie crowded at the lower end of the ramp */
  GOBAN_SCALE_RANK, /* by rank among the distinct values */
} GobanValueScale;

/* Read-only. */
typedef struct
{
  gatomicrefcount ref_count;
  char *name; /* the field's name, or the script's name for the values */
  GobanFieldKind kind;
  GobanValueScale scale;
  guint n_nodes;
  guint n_known;
  double *values; /* (n_nodes) NAN: unknown */
  guint32 *order; /* (n_known) nodes by value, equal ones by id */
  float *places;  /* (n_nodes) 0..1 on the ramp, NAN: unknown */
  double least;   /* least of the known values, as below; NAN if there are none */
  double most;
  double median;
  double floor;      /* of a logarithmic ramp: lower values are at 0 */
  double *different; /* (n_different) of a rank ramp: the distinct values, ascending; else NULL */
  guint n_different;
} GobanNodeValues;

/* The same, cached in the run; without a run, a new one. (transfer full) */
GobanNodeValues *goban_node_values_get (const GobanNodeField *field,
                                        const GobanNodeContext *context) G_GNUC_WARN_UNUSED_RESULT;

/* Whether the run has cached them. */
gboolean goban_node_values_are_kept (const GobanNodeField *field, GobanRun *run);

/* From other numbers, which are copied. @kind: their unit. Numbers that are not finite are unknown.
 * (transfer full) */
GobanNodeValues *goban_node_values_new_from_numbers (const char *name, GobanFieldKind kind,
                                                     const double *numbers,
                                                     guint n) G_GNUC_WARN_UNUSED_RESULT;

/* The same numbers on the ramp of others, which must include them all and must not be a rank ramp:
 * least and most are the ramp's. (transfer full) */
GobanNodeValues *goban_node_values_new_on (const GobanNodeValues *self,
                                           const GobanNodeValues *ramp) G_GNUC_WARN_UNUSED_RESULT;

GobanNodeValues *goban_node_values_ref (GobanNodeValues *self);
void goban_node_values_unref (GobanNodeValues *self);

/* The value at a position on the ramp: the least at 0, the most at 1. */
double goban_node_values_at (const GobanNodeValues *self, double place);

/* The bin of a node, below @n_bins; @n_bins if its value is unknown. */
guint goban_node_values_bin (const GobanNodeValues *self, GobanNodeId node, guint n_bins);
/* Writes the number of nodes per bin. */
void goban_node_values_count (const GobanNodeValues *self, guint *counts, guint n_bins);
/* The nodes of the bins @first to @last, both included. (transfer full) */
GobanSelection *goban_node_values_select (const GobanNodeValues *self, guint n_bins, guint first,
                                          guint last) G_GNUC_WARN_UNUSED_RESULT;
/* The least and the greatest value of these bins; FALSE if they are empty. */
gboolean goban_node_values_range (const GobanNodeValues *self, guint n_bins, guint first,
                                  guint last, double *from, double *to);

/* "1.2 ms", "48 MB", "12": a value with its unit; buffer of GOBAN_QUANTITY_LEN, returned. */
const char *goban_node_values_format (const GobanNodeValues *self, char *buffer, double value);

/* "Slack of 84464 nodes: 0 µs to 12 ms, median 1.2 ms, on a logarithmic scale; of 12
 * unknown". (transfer full) */
char *goban_node_values_describe (const GobanNodeValues *self) G_GNUC_WARN_UNUSED_RESULT;

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanNodeValues, goban_node_values_unref)
