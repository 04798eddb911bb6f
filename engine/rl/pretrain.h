/* pretrain.h: GO's pre-training: one network trained on batches of many graphs.
 *
 * A batch of heterogeneous graphs is drawn from a curriculum; each step is one PPO update
 * (engine/rl/learner.h) on one graph of the batch in turn; after so many steps another batch is
 * drawn (GO, section 4.1: 1000). Every lesson has its own baseline. Now and then the likeliest
 * plans of the curriculum's trials are measured, which changes nothing: a run with trials learns
 * the same as one without. The network of a run is the one that was best on the curriculum's
 * validation, if it has any: never by rewards in training, nor by trials.
 *
 * A run is a value that can be written down whole between two steps (engine/rl/training-file.h):
 * stopped and gone on with, it makes the same bytes as in one go. One thread at a time.
 */
#pragma once

#include "engine/rl/curriculum.h"
#include "engine/rl/curve.h"
#include "engine/rl/go-settings.h"
#include "engine/rl/pretrain-config.h"

G_BEGIN_DECLS

typedef struct _GobanPretrain GobanPretrain;

/**
 * goban_pretrain_new:
 * @curriculum: (transfer full)
 * @from: (transfer full) (nullable): a network to go on with; its moments and its count of steps are
 *   forgotten, for they are of other graphs, and its configuration replaces that of @config
 *
 * Returns: (transfer full) (nullable): %NULL with %GOBAN_ERROR_INVALID set where there is no lesson, neither
 *   steps nor seconds, or @from decides other tasks than @config
 */
GobanPretrain *goban_pretrain_new (const GobanPretrainConfig *config, GobanCurriculum *curriculum,
                                   GobanNet *from, GError **error) G_GNUC_WARN_UNUSED_RESULT;
void goban_pretrain_free (GobanPretrain *self);

const GobanPretrainConfig *goban_pretrain_get_config (const GobanPretrain *self);
const GobanCurriculum *goban_pretrain_get_curriculum (const GobanPretrain *self);
/* The best by validation; the last one before the first validation, and where there is none. Borrowed. */
GobanNet *goban_pretrain_get_net (GobanPretrain *self);
guint goban_pretrain_get_step (const GobanPretrain *self);

/* Another end than the one it was begun with: schedules go on as far as it says. */
void goban_pretrain_set_end (GobanPretrain *self, guint n_steps, double max_seconds);

/* What to keep of problems in memory, roughly; by default 1 GB. The one that is worked on stays. */
void goban_pretrain_set_cache (GobanPretrain *self, gsize size_bytes);

gboolean goban_pretrain_is_done (const GobanPretrain *self);
/* TRUE after the last step, and after every try_every-th, until goban_pretrain_try() has been called. */
gboolean goban_pretrain_wants_trials (const GobanPretrain *self);

/**
 * goban_pretrain_step:
 *
 * One update. It must not be done.
 *
 * Returns: %FALSE with an error set that names the lesson: %GOBAN_ERROR_INVALID where something is not finite,
 *   those of the graph where it cannot be learned on, or %GOBAN_ERROR_CANCELLED. The run is as it was then.
 */
gboolean goban_pretrain_step (GobanPretrain *self, const GobanProgress *progress, GError **error);

/* Measures all trials. FALSE as above, with nothing kept of them. */
gboolean goban_pretrain_try (GobanPretrain *self, const GobanProgress *progress, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanPretrain, goban_pretrain_free)

G_END_DECLS
