/* small-run.h: pre-training of a few steps on graphs of a few nodes, for tests of it and of its
 * file. */
#pragma once

#include "engine/learn/rl/go/pretrain.h"

G_BEGIN_DECLS

#define SMALL_RUN_STEPS 6
#define SMALL_RUN_ROLLOUTS 4

/* @settings (nullable) over those of a small run. */
GobanPretrainConfig small_run_config (const char *settings);
/* Three lessons of three families on two to four devices, and a trial; @left_out (nullable) become
 * trials. */
GobanCurriculum *small_run_curriculum (const char *const *left_out) G_GNUC_WARN_UNUSED_RESULT;
GobanPretrain *small_run_new (const char *settings,
                              const char *const *left_out) G_GNUC_WARN_UNUSED_RESULT;

/* The same with two graphs of validation. */
GobanPretrain *small_run_new_validated (const char *settings) G_GNUC_WARN_UNUSED_RESULT;

/* Makes so many more steps at most, and all trials that are wanted meanwhile. */
void small_run_make (GobanPretrain *run, guint n_steps);

/* The same parameters and moments, to the bit; the same values alone. */
gboolean small_run_is_same (GobanPretrain *a, GobanPretrain *b);
gboolean small_run_is_same_values (GobanPretrain *a, GobanPretrain *b);

G_END_DECLS
