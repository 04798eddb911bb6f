/* curriculum.h: the training graphs and clusters of a policy (its lessons).
 *
 * A lesson is a graph on a cluster. The program's own curriculum has seven sizes of each of the six
 * families (engine/workloads) on clusters of 2, 3, 4, 6 and 8 devices with links of 3 to 50 GB/s;
 * none of GO's 14 graphs is among them. A family that is left out is left out whole: no lesson is
 * of it, and its graphs are the trials instead, on which what was learned is tried now and then
 * without learning from them. Where nothing is left out, an eighth size of each family is.
 *
 * Random networks (synthetic:seed=N) are half of what is drawn. Others of them are for validation:
 * the network is chosen by them, and by nothing else. They are neither lessons nor trials.
 *
 * Filled by one thread, then only read.
 */
#pragma once

#include "engine/base/rng.h"
#include "engine/cluster/cost-model.h"

G_BEGIN_DECLS

typedef struct
{
  char *graph;   /* a spec of engine/workloads, or what the loader knows: a file */
  char *cluster; /* as goban_curriculum_new_cluster() says */
  char *family;  /* "gnmt"; of a file, the file */
} GobanLesson;

/* Reads a graph that is not generated. (transfer full) (nullable) */
typedef GobanGraph *(*GobanLessonLoader) (const char *graph, GError **error);

typedef struct _GobanCurriculum GobanCurriculum;

/**
 * goban_curriculum_new:
 * @left_out: (nullable): names of families, NULL-terminated
 *
 * Without a lesson yet: goban_curriculum_add_built_in() or goban_curriculum_add().
 *
 * Returns: (transfer full) (nullable): %NULL with %GOBAN_ERROR_INVALID set for a name that is no
 *   family's
 */
GobanCurriculum *goban_curriculum_new (const char *const *left_out,
                                       GError **error) G_GNUC_WARN_UNUSED_RESULT;
void goban_curriculum_free (GobanCurriculum *self);

/* Without one, graphs are generated or refused. */
void goban_curriculum_set_loader (GobanCurriculum *self, GobanLessonLoader loader);

/* All of the program's own lessons and trials. */
void goban_curriculum_add_built_in (GobanCurriculum *self);
/* Random networks, as lessons and for validation, unless they are left out. */
void goban_curriculum_add_synthetic (GobanCurriculum *self);
/* One more lesson; where its family is left out, one more trial. */
void goban_curriculum_add (GobanCurriculum *self, const char *graph, const char *cluster);
/* One more trial, whatever is left out. */
void goban_curriculum_add_trial (GobanCurriculum *self, const char *graph, const char *cluster);
/* One more to choose a network by. */
void goban_curriculum_add_validation (GobanCurriculum *self, const char *graph,
                                      const char *cluster);
/* The built-in trials of families that are taught, unless there are trials. */
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
 * Returns: how many there are: fewer than @n where there are no more lessons
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

/* A line for each lesson, then for each trial, then for each of validation. (transfer full) */
char *goban_curriculum_to_text (const GobanCurriculum *self) G_GNUC_WARN_UNUSED_RESULT;

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanCurriculum, goban_curriculum_free)

G_END_DECLS
