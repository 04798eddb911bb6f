/* train.h: training of REGAL's network in one call; train-go.h has GO's.
 *
 * A report is made whole and then only read.
 */
#pragma once

#include "engine/base/progress.h"

G_BEGIN_DECLS

typedef struct
{
  guint64 seed;
  guint n_steps;                 /* 0: as many as the program's own network took */
  const GobanProgress *progress; /* (nullable) */
} GobanTrainOptions;

typedef struct _GobanTrainReport GobanTrainReport;

/**
 * goban_train_policy:
 * @policy: "regal"
 * @path: where the network is to be; an older file is replaced when the new one is whole
 *
 * Any thread; whether @path can be written is found out before the work.
 *
 * Returns: (transfer full) (nullable): how it went, or %NULL with %GOBAN_ERROR_INVALID set for a
 *   policy that learns nothing beforehand, %GOBAN_ERROR_IO or %GOBAN_ERROR_CANCELLED; no file is
 *   written then
 */
GobanTrainReport *goban_train_policy (const char *policy, const char *path,
                                      const GobanTrainOptions *options,
                                      GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* To be asked before hours of work: whether a file of that name can be written or replaced. FALSE
 * with %GOBAN_ERROR_IO set, or INVALID for "-". */
gboolean goban_train_check_output (const char *path, GError **error);

/* FALSE with %GOBAN_ERROR_INVALID set if @value is above @most. @what: its plural noun, "steps" */
gboolean goban_train_check_count (const char *what, gint64 value, gint64 most, GError **error);

/* A training in progress is kept beside its network, under the network's name and this suffix. */
#define GOBAN_TRAINING_SUFFIX ".run"

/* Path of the network: @output, or that of the training @resume without its suffix. (transfer full)
 * (nullable): %NULL with %GOBAN_ERROR_INVALID set if neither names one. */
char *goban_train_choose_output (const char *output, const char *resume,
                                 GError **error) G_GNUC_WARN_UNUSED_RESULT;

void goban_train_report_free (GobanTrainReport *self);

/* For people, and for scripts. (transfer full) */
char *goban_train_report_to_text (const GobanTrainReport *self) G_GNUC_WARN_UNUSED_RESULT;
char *goban_train_report_to_json (const GobanTrainReport *self) G_GNUC_WARN_UNUSED_RESULT;

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanTrainReport, goban_train_report_free)

G_END_DECLS
