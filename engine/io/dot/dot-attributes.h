/* dot-attributes.h: lookup and parsing of the attributes of a cgraph graph that dot-names.h
 * lists.
 *
 * Borrows from the graph: valid while it is open, under the lock of dot-lock.h.
 */
#pragma once

#include "engine/io/node-fields.h"

#include <graphviz/cgraph.h>

G_BEGIN_DECLS

/* An attribute under its names, of which the first that is set counts. */
typedef struct
{
  Agsym_t *const *symbols; /* NULL-terminated */
} GobanDotAttribute;

/* "time:gpu" of nodes, "time:gpu>cpu" of edges. */
typedef struct
{
  Agsym_t *symbol;
  char *from; /* owned; the kind itself for nodes */
  char *to;   /* owned; NULL for nodes */
} GobanDotKindTime;

typedef struct
{
  const char *path; /* borrowed, for messages */
  double unit_us;   /* of times without a unit */
  GobanDotAttribute op, label, time, bytes, memory, colocation, phase, time_source, size_source;
  GobanDotAttribute fields[GOBAN_N_NODE_FIELDS];
  GobanDotAttribute edge_time, edge_bytes, edge_tensor, edge_control;
  GPtrArray *symbols; /* GPtrArray, those of all attributes */
  GArray *node_kinds; /* GobanDotKindTime */
  GArray *edge_kinds; /* GobanDotKindTime */
} GobanDotAttributes;

void goban_dot_attributes_init (GobanDotAttributes *self, Agraph_t *dot, const char *path,
                                double unit_us);
void goban_dot_attributes_clear (GobanDotAttributes *self);

/* The number of kinds of device named, "*" among them. */
guint goban_dot_attributes_count_kinds (const GobanDotAttributes *self);

/* The names of all attributes of nodes or edges in the file, as displayed, "" for none. */
char *goban_dot_attributes_list (Agraph_t *dot, int kind) G_GNUC_WARN_UNUSED_RESULT;

/* The value of a node or edge, or NULL if it is not set. */
const char *goban_dot_get_value (void *object, const GobanDotAttribute *attribute);

/* A number in the reader's unit, or one with a unit of its own. */
gboolean goban_dot_parse_time (const GobanDotAttributes *self, const char *value, double *time_us);
gboolean goban_dot_parse_bytes (const char *value, double *size_bytes);

/* Set a %GOBAN_ERROR_PARSE "path: node “a”: “value” is not a valid what" and return %FALSE. */
gboolean goban_dot_fail_node (const GobanDotAttributes *self, Agnode_t *object, GError **error,
                              const char *what, const char *value);
gboolean goban_dot_fail_edge (const GobanDotAttributes *self, Agedge_t *object, GError **error,
                              const char *what, const char *value);

G_END_DECLS
