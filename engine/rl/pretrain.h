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
 *
 * Decision G10 (engine/NOTES.md).
 */
#pragma once

#include "engine/rl/curriculum.h"
#include "engine/rl/curve.h"
#include "engine/rl/go-settings.h"

G_BEGIN_DECLS

typedef struct
{
  GobanGoSettings go;
  guint64 seed;
  guint n_steps;       /* updates; 0: as many as fit into the seconds */
  double max_seconds;  /* 0: no limit. With one the machine decides how far schedules get */
  guint n_graphs;      /* of a batch */
  guint n_batch_steps; /* before another is drawn */
  guint try_every;     /* steps between trials; 0: only at the end */
} GobanPretrainConfig;

GobanPretrainConfig goban_pretrain_config_paper (void);
GobanPretrainConfig goban_pretrain_config_goban (void);

/* All fields as "KEY=VALUE,...", read back as the same bytes. (transfer full) */
char *goban_pretrain_config_to_text (const GobanPretrainConfig *self) G_GNUC_WARN_UNUSED_RESULT;
/* FALSE with %GOBAN_ERROR_INVALID or PARSE set; what is left out is as the preset says. */
gboolean goban_pretrain_config_parse (const char *text, GobanPretrainConfig *config,
                                      GError **error);

typedef struct _GobanPretrain GobanPretrain;

/**
 * goban_pretrain_new:
 * @curriculum: (transfer full)
 * @from: (transfer full) (nullable): a network to go on with; its moments and its count of steps
 *   are forgotten, for they are of other graphs, and its configuration replaces that of @config
 *
 * Returns: (transfer full) (nullable): %NULL with %GOBAN_ERROR_INVALID set where there is no
 *   lesson, neither steps nor seconds, or @from decides other tasks than @config
 */
GobanPretrain *goban_pretrain_new (const GobanPretrainConfig *config, GobanCurriculum *curriculum,
                                   GobanNet *from, GError **error) G_GNUC_WARN_UNUSED_RESULT;
void goban_pretrain_free (GobanPretrain *self);

const GobanPretrainConfig *goban_pretrain_get_config (const GobanPretrain *self);
const GobanCurriculum *goban_pretrain_get_curriculum (const GobanPretrain *self);
/* The best by validation; the last one before the first validation, and where there is none.
 * Borrowed. */
GobanNet *goban_pretrain_get_net (GobanPretrain *self);
guint goban_pretrain_get_step (const GobanPretrain *self);
/* Spent on updates and trials, in all sittings. */
double goban_pretrain_get_seconds (const GobanPretrain *self);
/* Of the whole run, in [0, 1]. */
double goban_pretrain_get_fraction (const GobanPretrain *self);
/* (element-type GobanCurvePoint), (element-type GobanCurveTrial): borrowed. */
const GArray *goban_pretrain_get_points (const GobanPretrain *self);
const GArray *goban_pretrain_get_trials (const GobanPretrain *self);

/* Another end than the one it was begun with: schedules go on as far as it says. */
void goban_pretrain_set_end (GobanPretrain *self, guint n_steps, double max_seconds);

/* What to keep of problems in memory, roughly; by default 1 GB. The one that is worked on stays. */
void goban_pretrain_set_cache (GobanPretrain *self, gsize size_bytes);

gboolean goban_pretrain_is_done (const GobanPretrain *self);
/* TRUE after the last step, and after every try_every-th, until goban_pretrain_try() has been
 * called. */
gboolean goban_pretrain_wants_trials (const GobanPretrain *self);

/**
 * goban_pretrain_step:
 *
 * One update. It must not be done.
 *
 * Returns: %FALSE with an error set that names the lesson: %GOBAN_ERROR_INVALID where something is
 *   not finite, those of the graph where it cannot be learned on, or %GOBAN_ERROR_CANCELLED. The
 *   run is as it was then.
 */
gboolean goban_pretrain_step (GobanPretrain *self, const GobanProgress *progress, GError **error);

/* Measures all trials. FALSE as above, with nothing kept of them. */
gboolean goban_pretrain_try (GobanPretrain *self, const GobanProgress *progress, GError **error);

/* The geometric mean over the last trials of the ratio to the expert; NAN where there are none that
 * can be compared. */
double goban_pretrain_get_trial_mean (const GobanPretrain *self);

/* Of the network that was chosen, and of the first one: the geometric mean, over the problems of
 * validation, of the likeliest plan's time and that of the best of 8 samples, over the reference.
 * NAN without validation. */
double goban_pretrain_get_score (const GobanPretrain *self);
double goban_pretrain_get_first_score (const GobanPretrain *self);
/* When it was chosen. */
guint goban_pretrain_get_best_step (const GobanPretrain *self);

/* In words, how the network has collapsed: engine/rl/collapse.h. (nullable) static */
const char *goban_pretrain_get_warning (const GobanPretrain *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanPretrain, goban_pretrain_free)

G_END_DECLS
