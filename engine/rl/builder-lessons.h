/* builder-lessons.h: random training and validation problems of the plan builder, drawn from a
 * seed.
 *
 * A lesson is a random network (synthetic:seed=N) or a small member of a model family, on 2 to 8
 * devices, equal or not, joined at 1 to 50 GB/s, in every fourth with little memory, cut into a
 * random number of rows: cells, or in every fourth connected groups. None of the 14 graphs that GO
 * was judged on is among them, and no family that is left out.
 */
#pragma once

#include "engine/base/rng.h"
#include "engine/rl/builder-problem.h"
#include "engine/rl/curriculum.h"

G_BEGIN_DECLS

typedef struct
{
  char *graph;   /* a spec of engine/workloads */
  char *cluster; /* as goban_curriculum_new_cluster() says */
  double memory; /* of all devices together over what one would need; 0: the cluster's own */
  double slow;   /* speed of every other device over the first's; 0: the same */
  GobanBuilderRows rows;
} GobanBuilderLesson;

void goban_builder_lesson_free (GobanBuilderLesson *self);

/**
 * goban_builder_lesson_draw:
 * @index: lessons of a run have different ones; below 0: for validation, which are never lessons
 * @families: (nullable): of which every fourth lesson is one; %NULL: all are synthetic
 */
GobanBuilderLesson *
goban_builder_lesson_draw (guint64 seed, gint index,
                           const GobanCurriculum *families) G_GNUC_WARN_UNUSED_RESULT;

/* Its graph on its cluster. (transfer full) (nullable): %NULL with an error set */
GobanCostModel *goban_builder_lesson_new_costs (const GobanBuilderLesson *self,
                                                GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* (transfer full) (nullable): %NULL with an error set that names the lesson */
GobanBuilderProblem *goban_builder_lesson_load (const GobanBuilderLesson *self,
                                                GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* "synthetic:seed=17 on p100x4, memory 1.5, rows 0.75 x 2": (transfer full) */
char *goban_builder_lesson_to_text (const GobanBuilderLesson *self) G_GNUC_WARN_UNUSED_RESULT;

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanBuilderLesson, goban_builder_lesson_free)

G_END_DECLS
