/* pretrain-results.h: curves and scores of a pre-training. */
#pragma once

#include "engine/learn/rl/go/pretrain.h"

G_BEGIN_DECLS

/* Spent on updates and trials, in all sittings. */
double goban_pretrain_get_seconds (const GobanPretrain *self);
/* Progress of the whole run, in [0, 1]. */
double goban_pretrain_get_fraction (const GobanPretrain *self);
/* (element-type GobanCurvePoint), (element-type GobanCurveTrial): borrowed. */
const GArray *goban_pretrain_get_points (const GobanPretrain *self);
const GArray *goban_pretrain_get_trials (const GobanPretrain *self);

/* The geometric mean over the last trials of the ratio to the expert; NAN where there are none that
 * can be compared. */
double goban_pretrain_get_trial_mean (const GobanPretrain *self);

/* Score of the chosen network, and of the first one: the geometric mean, over the problems of
 * validation, of the likeliest plan's time and that of the best of 8 samples, over the reference.
 * NAN without validation. */
double goban_pretrain_get_score (const GobanPretrain *self);
double goban_pretrain_get_first_score (const GobanPretrain *self);
/* Whether the chosen one is the first one. */
gboolean goban_pretrain_has_kept_start (const GobanPretrain *self);
/* When it was chosen. */
guint goban_pretrain_get_best_step (const GobanPretrain *self);

/* In words, how the network has collapsed: engine/learn/rl/collapse.h. (nullable) static */
const char *goban_pretrain_get_warning (const GobanPretrain *self);

G_END_DECLS
