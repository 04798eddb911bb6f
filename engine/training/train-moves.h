/* train-moves.h: training of the network that proposes moves of a plan: from options to files, in one call.
 *
 * The files are those of any sitting (train-sitting.h); the network is chosen by validation.
 */
#pragma once

#include "engine/base/progress.h"

G_BEGIN_DECLS

/* What is not said (NULL, 0 or negative) is as always, or as the run that is gone on with has it. Strings are borrowed. */
typedef struct
{
  const char *output;   /* (nullable) if a run is gone on with: its name without ".run" */
  const char *resume;   /* OUTPUT.run: only the end may be another then */
  const char *curve;    /* CSV, kept up to date with the run */
  const char *settings; /* "KEY=VALUE,..." of engine/rl/move-training.h */
  gint64 n_steps;
  gint64 seed;
  gint64 every;
} GobanMovesOptions;

/* Nothing said. */
GobanMovesOptions goban_moves_options_new (void);

typedef struct
{
  char *output;
  char *run;
  char *settings;
  gboolean is_finished;
  guint n_done;
  guint n_steps;
  gsize n_parameters;
  guint64 n_labels; /* moves simulated to learn from */
  /* makespan over that of uniform moves, on validation problems, after 17 evaluations: at last */
  double few;
  double many;  /* after 64 */
  double score; /* sqrt (few many) of the network that was kept */
} GobanMovesReport;

/**
 * goban_train_moves:
 *
 * Any thread. Asked to stop, it finishes its step, writes both files and says so in the report.
 *
 * Returns: (transfer full) (nullable): %NULL with %GOBAN_ERROR_INVALID set for options that cannot be,
 *   %GOBAN_ERROR_IO or PARSE for files, %GOBAN_ERROR_CANCELLED if it was stopped before the first step
 */
GobanMovesReport *goban_train_moves (const GobanMovesOptions *options,
                                     const GobanProgress *progress,
                                     GError **error) G_GNUC_WARN_UNUSED_RESULT;
void goban_moves_report_free (GobanMovesReport *self);

/* For people, and for scripts. (transfer full) */
char *goban_moves_report_to_text (const GobanMovesReport *self) G_GNUC_WARN_UNUSED_RESULT;
char *goban_moves_report_to_json (const GobanMovesReport *self) G_GNUC_WARN_UNUSED_RESULT;

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanMovesReport, goban_moves_report_free)

G_END_DECLS
