/* pretrain.h: GO's pre-training: one network trained on batches of many graphs.
 *
 * A batch of heterogeneous graphs is drawn from a curriculum; each step is one PPO update
 * (engine/rl/learner.h) on one graph of the batch in turn; after n_batch_steps another batch is
 * drawn (GO, section 4.1: 1000). Every lesson has its own baseline. The likeliest plans of the
 * curriculum's trials are measured regularly, without influence on the training. The result of a
 * run is the network with the best score on the curriculum's validation problems, if there are any;
 * rewards in training and trials do not select it.
 *
 * A run can be saved between two steps (engine/rl/training-file.h); a resumed run gives the same
 * bytes as one that was not interrupted. One thread at a time.
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
  guint n_steps;       /* number of updates; 0: limited by max_seconds only */
  double max_seconds;  /* 0: no limit. With a limit, schedules depend on the speed of the machine */
  guint n_graphs;      /* of a batch */
  guint n_batch_steps; /* before another is drawn */
  guint try_every;     /* steps between trials; 0: only at the end */
} GobanPretrainConfig;

GobanPretrainConfig goban_pretrain_config_paper (void);
GobanPretrainConfig goban_pretrain_config_goban (void);

/* All fields as "KEY=VALUE,...", read back as the same bytes. (transfer full) */
char *goban_pretrain_config_to_text (const GobanPretrainConfig *self) G_GNUC_WARN_UNUSED_RESULT;
/* FALSE with %GOBAN_ERROR_INVALID or PARSE set; fields left out are the preset's. */
gboolean goban_pretrain_config_parse (const char *text, GobanPretrainConfig *config,
                                      GError **error);

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
guint goban_pretrain_get_step (const GobanPretrain *self);
/* Time spent on updates and trials, over all sittings. */
double goban_pretrain_get_seconds (const GobanPretrain *self);
/* Elapsed share of the run, in [0, 1]. */
double goban_pretrain_get_fraction (const GobanPretrain *self);
/* (element-type GobanCurvePoint), (element-type GobanCurveTrial): borrowed. */
const GArray *goban_pretrain_get_points (const GobanPretrain *self);
const GArray *goban_pretrain_get_trials (const GobanPretrain *self);

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

/* Geometric mean, over the last trials, of the makespan over the expert's; NAN if none can be
 * compared. */
double goban_pretrain_get_trial_mean (const GobanPretrain *self);

/* Validation scores of the selected and of the initial network: the geometric mean, over validation
 * problems, of the makespans of the likeliest plan and of the best of 8 samples, over the
 * reference. NAN without validation. */
double goban_pretrain_get_score (const GobanPretrain *self);
double goban_pretrain_get_first_score (const GobanPretrain *self);
/* The step at which the selected network was saved. */
guint goban_pretrain_get_best_step (const GobanPretrain *self);

/* A description of the network's collapse (engine/rl/collapse.h), if it has collapsed. (nullable)
 * static */
const char *goban_pretrain_get_warning (const GobanPretrain *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanPretrain, goban_pretrain_free)

G_END_DECLS
