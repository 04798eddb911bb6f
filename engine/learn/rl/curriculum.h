/* curriculum.h: the training graphs and clusters of a policy (its lessons).
 *
 * A lesson is a graph on a cluster. The program's own curriculum has seven sizes of each of the six
 * families (engine/graph/workloads) on clusters of 2, 3, 4, 6 and 8 devices with links of 3 to 50
 * GB/s; none of GO's 14 graphs is among them. If a family is left out, none of its graphs is a
 * lesson; they are the trials instead, on which the network is measured regularly without learning
 * from them. If no family is left out, the trials are an eighth size of each family.
 *
 * Half of the drawn lessons are random networks (synthetic:seed=N). Other random networks are
 * validation problems, which alone select the network; they are neither lessons nor trials.
 *
 * Filled by one thread, then only read.
 */
#pragma once

#include "engine/core/rng.h"
#include "engine/machine/cluster/cost-model.h"

G_BEGIN_DECLS

typedef struct
{
  char *graph;   /* a spec of engine/graph/workloads, or a file for the loader */
  char *cluster; /* as goban_curriculum_new_cluster() says */
  char *family;  /* "gnmt"; for a file, its path */
} GobanLesson;

/* Reads a graph that is not generated. (transfer full) (nullable) */
typedef GobanGraph *(*GobanLessonLoader) (const char *graph, GError **error);

typedef struct _GobanCurriculum GobanCurriculum;

/**
 * goban_curriculum_new:
 * @left_out: (nullable): names of families, NULL-terminated
 *
 * Makes an empty curriculum; see goban_curriculum_add_built_in() and goban_curriculum_add().
 *
 * Returns: (transfer full) (nullable): %NULL with %GOBAN_ERROR_INVALID set for a name that is no
 *   family's
 */
GobanCurriculum *goban_curriculum_new (const char *const *left_out,
                                       GError **error) G_GNUC_WARN_UNUSED_RESULT;
void goban_curriculum_free (GobanCurriculum *self);

/* Sets the reader of files; without one, only generated graphs are accepted. */
void goban_curriculum_set_loader (GobanCurriculum *self, GobanLessonLoader loader);

/* Adds the program's own lessons and trials. */
void goban_curriculum_add_built_in (GobanCurriculum *self);
/* Adds random networks as lessons and validation problems, unless they are left out. */
void goban_curriculum_add_synthetic (GobanCurriculum *self);
/* Adds a lesson, or a trial if the family is left out. */
void goban_curriculum_add (GobanCurriculum *self, const char *graph, const char *cluster);
/* Adds a trial, whatever is left out. */
void goban_curriculum_add_trial (GobanCurriculum *self, const char *graph, const char *cluster);
/* Adds a validation problem. */
void goban_curriculum_add_validation (GobanCurriculum *self, const char *graph,
                                      const char *cluster);
/* Adds the built-in trials of the trained families, if there are no trials yet. */
void goban_curriculum_need_trials (GobanCurriculum *self);

guint goban_curriculum_get_n_lessons (const GobanCurriculum *self);
const GobanLesson *goban_curriculum_get_lesson (const GobanCurriculum *self, guint i);
guint goban_curriculum_get_n_trials (const GobanCurriculum *self);
const GobanLesson *goban_curriculum_get_trial (const GobanCurriculum *self, guint i);
guint goban_curriculum_get_n_validation (const GobanCurriculum *self);
const GobanLesson *goban_curriculum_get_validation (const GobanCurriculum *self, guint i);
/* NULL-terminated, sorted; borrowed. */
const char *const *goban_curriculum_get_left_out (const GobanCurriculum *self);

/**
 * goban_curriculum_draw:
 * @lessons: (out) (array length=n): distinct, families in turn, each lesson of a family as likely
 *
 * Returns: how many lessons were drawn: fewer than @n if there are not more
 */
guint goban_curriculum_draw (const GobanCurriculum *self, GobanRng *rng, guint *lessons, guint n);

/* Makes the graph and the cluster of a lesson or trial. (transfer full) (nullable): with an error
 * that names the graph */
GobanCostModel *goban_curriculum_load (const GobanCurriculum *self, const GobanLesson *lesson,
                                       GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* A cluster as programs know it ("p100x4", "equal:3", a file), or the devices of a preset in any
 * number and with other links: "p100xN" or "v100xN", with ",bandwidth=B/s" and ",latency=s" after
 * it. (transfer full) (nullable): with %GOBAN_ERROR_INVALID and others set */
GobanCluster *goban_curriculum_new_cluster (const char *spec,
                                            GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* A line for each lesson, then for each trial, then for each validation problem. (transfer full) */
char *goban_curriculum_to_text (const GobanCurriculum *self) G_GNUC_WARN_UNUSED_RESULT;

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanCurriculum, goban_curriculum_free)

G_END_DECLS
