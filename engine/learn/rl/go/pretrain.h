/* pretrain.h: GO's pre-training: one network trained on batches of many graphs.
 *
 * A batch of heterogeneous graphs is drawn from a curriculum; each step is one PPO update
 * (engine/learn/rl/go/learner.h) on one graph of the batch in turn; after n_batch_steps another
 * batch is drawn (GO, section 4.1: 1000). Every lesson has its own baseline. The likeliest plans of
 * the curriculum's trials are measured regularly, without influence on the training. The result of
 * a run is the network with the best score on the curriculum's validation problems, if there are
 * any; rewards in training and trials do not select it.
 *
 * A run can be saved between two steps (engine/learn/rl/go/training-file.h); a resumed run gives
 * the same bytes as one that was not interrupted. One thread at a time.
 *
 * Decision G10 (engine/NOTES.md).
 */
#pragma once

#include "engine/core/ranks/ranks.h"
#include "engine/core/ranks/scaling.h"
#include "engine/learn/rl/curriculum.h"
#include "engine/learn/rl/curve.h"
#include "engine/learn/rl/go/go-settings.h"
#include "engine/learn/rl/go/pretrain-config.h"

G_BEGIN_DECLS

typedef struct _GobanPretrain GobanPretrain;

/**
 * goban_pretrain_new:
 * @curriculum: (transfer full)
 * @from: (transfer full) (nullable): a network to continue from; its moments and its count of steps
 *   are dropped, because they belong to other graphs, and its configuration replaces that of
 *   @config
 *
 * Returns: (transfer full) (nullable): %NULL with %GOBAN_ERROR_INVALID set if there is no lesson,
 *   neither steps nor seconds are limited, or @from decides other tasks than @config
 */
GobanPretrain *goban_pretrain_new (const GobanPretrainConfig *config, GobanCurriculum *curriculum,
                                   GobanNet *from, GError **error) G_GNUC_WARN_UNUSED_RESULT;
void goban_pretrain_free (GobanPretrain *self);

const GobanPretrainConfig *goban_pretrain_get_config (const GobanPretrain *self);
const GobanCurriculum *goban_pretrain_get_curriculum (const GobanPretrain *self);
/* The network with the best validation score; the current one if there is no validation yet.
 * Borrowed. */
GobanNet *goban_pretrain_get_net (GobanPretrain *self);
/* The network as it is now. Borrowed. */
GobanNet *goban_pretrain_get_present (GobanPretrain *self);
guint goban_pretrain_get_step (const GobanPretrain *self);

/* What its steps on several graphs have taken. Borrowed. */
const GobanScaling *goban_pretrain_get_scaling (const GobanPretrain *self);
/* Shares trials, and the graphs of a step if it learns on several, with the other ranks, which make
 * the same calls. (nullable): alone. Borrowed. */
void goban_pretrain_set_ranks (GobanPretrain *self, GobanRanks *ranks);
/* Changes the end of the run; schedules follow it. */
void goban_pretrain_set_end (GobanPretrain *self, guint n_steps, double max_seconds);

/* Sets the memory for cached problems, roughly; by default 1 GB. The current problem is always
 * kept. */
void goban_pretrain_set_cache (GobanPretrain *self, gsize size_bytes);

gboolean goban_pretrain_is_done (const GobanPretrain *self);
/* TRUE after the last step, and after every try_every-th, until goban_pretrain_try() has been
 * called. */
gboolean goban_pretrain_wants_trials (const GobanPretrain *self);

/**
 * goban_pretrain_step:
 *
 * Makes one update. The run must not be done.
 *
 * Returns: %FALSE with an error set that names the lesson: %GOBAN_ERROR_INVALID if a number is not
 *   finite, an error of the graph if it cannot be used, or %GOBAN_ERROR_CANCELLED. The run is
 *   unchanged then.
 */
gboolean goban_pretrain_step (GobanPretrain *self, const GobanProgress *progress, GError **error);

/* Measures all trials. On FALSE, with an error as above, no result is stored. */
gboolean goban_pretrain_try (GobanPretrain *self, const GobanProgress *progress, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanPretrain, goban_pretrain_free)

G_END_DECLS
