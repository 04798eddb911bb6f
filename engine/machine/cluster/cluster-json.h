/* cluster-json.h: reader of a cluster inside another JSON text, such as a session. */
#pragma once

#include "engine/core/json-reader.h"
#include "engine/machine/cluster/cluster.h"

/* Whether a file that begins with @head is a cluster: its devices are objects, those of a plan are
 * names. */
gboolean goban_cluster_json_sniff (const char *head);

/* As goban_cluster_new_from_json(). Without a name of its own it gets that of the text. */
GobanCluster *goban_cluster_new_from_value (GobanJsonValue value,
                                            GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* "312 TFLOP/s", "624 TOP/s", "312T"; @flops_per_us is one in 1e6 of it. */
gboolean goban_parse_flops (const char *text, double *flops_per_us, GError **error);
