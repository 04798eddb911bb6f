/* problem-cache.h: cache of the most recent lessons' problems, bounded in memory.
 *
 * Making the board, reference and simulators of a graph takes longer than a training step, but
 * keeping those of all graphs takes too much memory. A dropped problem is made again when needed,
 * with the same bytes. One thread at a time.
 */
#pragma once

#include "engine/learn/rl/curriculum.h"
#include "engine/learn/rl/go/problem.h"

G_BEGIN_DECLS

typedef struct _GobanProblemCache GobanProblemCache;

/* Borrows the curriculum. @options: for all problems; the start must be %NULL, because a start
 * belongs to one graph */
GobanProblemCache *goban_problem_cache_new (const GobanCurriculum *curriculum,
                                            const GobanProblemOptions *options,
                                            gsize size_bytes) G_GNUC_WARN_UNUSED_RESULT;
void goban_problem_cache_free (GobanProblemCache *self);

void goban_problem_cache_set_size (GobanProblemCache *self, gsize size_bytes);
/* The last @n problems that were got are kept, whatever their size; 1 at first. */
void goban_problem_cache_set_n_held (GobanProblemCache *self, guint n);

/**
 * goban_problem_cache_get:
 * @lesson: of the curriculum
 *
 * Returns: (nullable): the problem, borrowed until the next call, or as many calls as
 *   problems are held; %NULL with an error set that
 *   names the lesson
 */
GobanProblem *goban_problem_cache_get (GobanProblemCache *self, const GobanLesson *lesson,
                                       const GobanProgress *progress, GError **error);

/* Updates the measured size of the last problem after it was used. @config: of the network */
void goban_problem_cache_measure (GobanProblemCache *self, const GobanNetConfig *config);

guint goban_problem_cache_get_n_kept (const GobanProblemCache *self);
gsize goban_problem_cache_get_used_bytes (const GobanProblemCache *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanProblemCache, goban_problem_cache_free)

G_END_DECLS
