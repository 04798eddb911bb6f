/* film-plans.h: plans of a graph by the networks of a training's film
 * (engine/study/training/training-film.h).
 */
#pragma once

#include "engine/study/run/policy-run.h"

/* The likeliest plan of a frame's network.
 * @policy: of goban_training_get_policy(); all strings are borrowed. */
GobanRunOptions goban_film_plan_options (const char *policy, const char *file, const char *name);
/* "a.net, update 3". @output: the training's network. (transfer full) */
char *goban_film_plan_dup_name (const char *output, guint step) G_GNUC_WARN_UNUSED_RESULT;

/**
 * goban_film_plans_new:
 * @output: the training's network, which need not be there yet
 *
 * Makes the plans of all frames, in the order of their updates. A frame without a plan is left out,
 * such as one that a running training has just removed.
 *
 * Returns: (transfer full) (nullable) (element-type GobanRun): %NULL with %GOBAN_ERROR_INVALID set
 *   if there is no plan at all, or %GOBAN_ERROR_CANCELLED
 */
GPtrArray *goban_film_plans_new (const char *output, GobanCostModel *costs,
                                 const GobanProgress *progress,
                                 GError **error) G_GNUC_WARN_UNUSED_RESULT;
