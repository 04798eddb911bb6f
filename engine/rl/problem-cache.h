/* problem-cache.h: cache of the most recent lessons' problems, bounded in memory.
 *
 * Boards, references and the simulators of a graph take longer to make than a step on it, and too
 * much room to keep for all. What is dropped is made again, to the same bytes. One thread at a
 * time.
 */
#pragma once

#include "engine/rl/curriculum.h"
#include "engine/rl/problem.h"

G_BEGIN_DECLS

typedef struct _GobanProblemCache GobanProblemCache;

/* Borrows the curriculum. @options: of all problems; without a start, for there is none for all
 * graphs */
GobanProblemCache *goban_problem_cache_new (const GobanCurriculum *curriculum,
                                            const GobanProblemOptions *options,
                                            gsize size_bytes) G_GNUC_WARN_UNUSED_RESULT;
void goban_problem_cache_free (GobanProblemCache *self);

void goban_problem_cache_set_size (GobanProblemCache *self, gsize size_bytes);

/**
 * goban_problem_cache_get:
 * @lesson: of the curriculum
 *
 * Returns: (nullable): the problem, borrowed until the next call; %NULL with an error set that
 *   names the lesson
 */
GobanProblem *goban_problem_cache_get (GobanProblemCache *self, const GobanLesson *lesson,
                                       const GobanProgress *progress, GError **error);

/* After work on the last problem, whose room is then known better. @config: of the network */
void goban_problem_cache_measure (GobanProblemCache *self, const GobanNetConfig *config);

guint goban_problem_cache_get_n_kept (const GobanProblemCache *self);
gsize goban_problem_cache_get_used_bytes (const GobanProblemCache *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanProblemCache, goban_problem_cache_free)

G_END_DECLS
