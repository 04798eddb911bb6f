/* curriculum.h: the model families' graphs that trainings learn on, and clusters for lessons.
 *
 * Seven sizes of each of six families (engine/graph/workloads); none of GO's 14 graphs is among
 * them. None is of a family that is left out.
 *
 * Only read once it is made.
 */
#pragma once

#include "engine/machine/cluster/cluster.h"

G_BEGIN_DECLS

typedef struct _GobanCurriculum GobanCurriculum;

/**
 * goban_curriculum_new:
 * @left_out: (nullable): names of families, NULL-terminated
 *
 * Returns: (transfer full) (nullable): %NULL with %GOBAN_ERROR_INVALID set for a name that is no
 *   family's
 */
GobanCurriculum *goban_curriculum_new (const char *const *left_out,
                                       GError **error) G_GNUC_WARN_UNUSED_RESULT;
void goban_curriculum_free (GobanCurriculum *self);

guint goban_curriculum_get_n_graphs (const GobanCurriculum *self);
/* A spec of engine/graph/workloads. Borrowed. */
const char *goban_curriculum_get_graph (const GobanCurriculum *self, guint i);
/* NULL-terminated, sorted; borrowed. */
const char *const *goban_curriculum_get_left_out (const GobanCurriculum *self);

/* A cluster as programs know it ("p100x4", "equal:3", a file), or the devices of a preset in any
 * number and with other links: "p100xN" or "v100xN", with ",bandwidth=B/s" and ",latency=s" after
 * it. (transfer full) (nullable): with %GOBAN_ERROR_INVALID and others set */
GobanCluster *goban_curriculum_new_cluster (const char *spec,
                                            GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanCurriculum, goban_curriculum_free)

G_END_DECLS
