/* builder-lessons.h: random training and validation problems of the plan builder, drawn from a
 * seed.
 *
 * A lesson is a graph on a cluster, cut into rows. The graph is a random network (synthetic:seed=N)
 * or a small member of a model family. The cluster has 2 to 8 devices, equal or not, with links of
 * 1 to 50 GB/s; every fourth is short of memory. Rows are cells, in every fourth lesson connected
 * groups. GO's 14 test graphs and families that are left out never occur.
 */
#pragma once

#include "engine/core/rng.h"
#include "engine/learn/rl/builder/builder-problem.h"
#include "engine/learn/rl/curriculum.h"

G_BEGIN_DECLS

typedef struct
{
  char *graph;   /* a spec of engine/graph/workloads */
  char *cluster; /* as goban_curriculum_new_cluster() says */
  double memory; /* of all devices, divided by what one device would need; 0: the cluster's own */
  double slow;   /* speed of every second device, divided by the first's; 0: equal speeds */
  gboolean is_chain; /* short of memory in any case */
  GobanBuilderRows rows;
} GobanBuilderLesson;

/* Lessons beside plain random networks. */
typedef struct
{
  const GobanCurriculum *families; /* (nullable): every fourth lesson is taken from them */
  /* Every third lesson, and validation problems from number 64 on, are random structures as large
   * models have them: long recurrences, towers, chains that are short of memory. */
  gboolean structures;
} GobanBuilderLessonKinds;

void goban_builder_lesson_free (GobanBuilderLesson *self);

/**
 * goban_builder_lesson_draw:
 * @index: number of the lesson; negative numbers are validation problems, which are never lessons
 * @kinds: (nullable): %NULL: plain ones alone
 */
GobanBuilderLesson *
goban_builder_lesson_draw (guint64 seed, gint index,
                           const GobanBuilderLessonKinds *kinds) G_GNUC_WARN_UNUSED_RESULT;

/* Makes the graph and the cluster of the lesson. (transfer full) (nullable): %NULL with an error
 * set */
GobanCostModel *goban_builder_lesson_new_costs (const GobanBuilderLesson *self,
                                                GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* (transfer full) (nullable): %NULL with an error set that names the lesson */
GobanBuilderProblem *goban_builder_lesson_load (const GobanBuilderLesson *self,
                                                GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* "synthetic:seed=17 on p100x4, memory 1.5, rows 0.75 x 2": (transfer full) */
char *goban_builder_lesson_to_text (const GobanBuilderLesson *self) G_GNUC_WARN_UNUSED_RESULT;

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanBuilderLesson, goban_builder_lesson_free)

G_END_DECLS
