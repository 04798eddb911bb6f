/* node-fields.h: the plain numbers of a node, under the names our own files give them.
 *
 * One table for the readers and writers that keep them all (JSON, DOT).
 */
#pragma once

#include "engine/graph/graph.h"

typedef struct
{
  const char *name;
  gsize offset; /* of a double in GobanNode */
} GobanNodeField;

#define GOBAN_N_NODE_FIELDS 6

extern const GobanNodeField goban_node_fields[GOBAN_N_NODE_FIELDS];

/* "measured", "given", "estimated", indexed by GobanSource; and the phases. NULL-terminated. */
extern const char *const goban_source_names[GOBAN_N_SOURCES + 1];
#define GOBAN_N_PHASES 3
extern const char *const goban_phase_names[GOBAN_N_PHASES + 1];
