/* grouping.h: the criteria by which nodes are put into groups, and their names.
 *
 * Decision E40 (engine/NOTES.md).
 */
#pragma once

#include <glib.h>

typedef enum
{
  GOBAN_GROUPING_AUTO, /* by module: scopes, layers or parameters at the depth that can be read */
  GOBAN_GROUPING_NONE,
  GOBAN_GROUPING_SCOPE,     /* the scopes of names, "decoder/layer_1" within "decoder" */
  GOBAN_GROUPING_LAYER,     /* numbered layers only */
  GOBAN_GROUPING_STEP,      /* time steps of an unrolled network */
  GOBAN_GROUPING_PARAMETER, /* the parameter that ops work for, and within it its uses */
  GOBAN_GROUPING_USE,       /* the k-th use of every parameter, and within it the parameters */
  GOBAN_GROUPING_CLUSTER,   /* the kernels of the current plan */
  GOBAN_N_GROUPINGS
} GobanGrouping;

/* Names as in scripts and files: "scope"; find: %FALSE if there is none of that name. */
extern const char *const goban_grouping_names[GOBAN_N_GROUPINGS];
gboolean goban_grouping_find (const char *name, GobanGrouping *grouping);
