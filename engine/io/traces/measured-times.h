/* measured-times.h: measured times of a graph's nodes, from a profile of a run.
 *
 * An ONNX Runtime profile or a Chrome trace has operations by name; the median of an operation's
 * runs is the time of the node of that name. Operations of other names are joined by the index of
 * their node in the model, if the types of the operations agree. What was not joined is listed with
 * its share of the measured time.
 */
#pragma once

#include "engine/core/progress.h"
#include "engine/graph/graph.h"

typedef struct
{
  guint n_ops; /* different ones of the profile */
  guint n_by_name;
  guint n_by_index;
  double total_us;  /* sum of the medians */
  double joined_us; /* of those that were joined */
} GobanTimesJoin;

/**
 * goban_graph_measure:
 * @path: a profile, packed or not
 * @kinds: (array zero-terminated=1): kinds of device of the cluster; times measured on other kinds
 *   count for every device
 * @join: (out) (optional)
 *
 * Returns: (transfer full) (nullable): a copy of @graph with measured times, whose warnings tell
 *   what was joined; %NULL with @error set: %GOBAN_ERROR_INVALID if nothing could be joined
 */
GobanGraph *goban_graph_measure (const GobanGraph *graph, const char *path,
                                 const char *const *kinds, GobanTimesJoin *join,
                                 const GobanProgress *progress,
                                 GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* Whether the first bytes of the file, unpacked if need be, look like those of a profile. */
gboolean goban_is_profile (const char *path);
