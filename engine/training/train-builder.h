/* train-builder.h: training of the network that builds plans row by row: from options to files, in one call.
 *
 * Two files come of it: OUTPUT, the network that policies load, chosen by validation; and OUTPUT.run, the run itself,
 * written every minute and from which a later call goes on to the same bytes.
 */
#pragma once

#include "engine/base/progress.h"

G_BEGIN_DECLS

/* What is not said (NULL, 0 or negative) is as always, or as the run that is gone on with has it. Strings are borrowed. */
typedef struct
{
  const char *output;          /* (nullable) if a run is gone on with: its name without ".run" */
  const char *resume;          /* OUTPUT.run: only the end may be another then */
  const char *curve;           /* CSV, kept up to date with the run */
  const char *const *left_out; /* families; says that the others are among the lessons */
  const char *settings;        /* "KEY=VALUE,..." of engine/rl/builder-training.h */
  gint64 n_steps;
  gint64 n_rollouts;
  gint64 seed;
  gint64 every;
} GobanBuilderOptions;

/* Nothing said. */
GobanBuilderOptions goban_builder_options_new (void);

typedef struct
{
  char *output;
  char *run;
  char *settings;
  char *warning; /* (nullable): in words, how the network has collapsed */
  gboolean is_finished;
  guint n_done;
  guint n_steps;
  gsize n_parameters;
  /* over contiguous splits at equal evaluations, on validation problems: at first */
  double first_greedy;
  double first_best;
  double greedy; /* and at last */
  double best;
  double score; /* sqrt (greedy best) of the network that was kept */
} GobanBuilderReport;

/**
 * goban_train_builder:
 *
 * Any thread. Asked to stop, it finishes its update, writes both files and says so in the report.
 *
 * Returns: (transfer full) (nullable): %NULL with %GOBAN_ERROR_INVALID set for options that cannot be,
 *   %GOBAN_ERROR_IO or PARSE for files, %GOBAN_ERROR_CANCELLED if it was stopped before the first update
 */
GobanBuilderReport *goban_train_builder (const GobanBuilderOptions *options,
                                         const GobanProgress *progress,
                                         GError **error) G_GNUC_WARN_UNUSED_RESULT;
void goban_builder_report_free (GobanBuilderReport *self);

/* For people, and for scripts. (transfer full) */
char *goban_builder_report_to_text (const GobanBuilderReport *self) G_GNUC_WARN_UNUSED_RESULT;
char *goban_builder_report_to_json (const GobanBuilderReport *self) G_GNUC_WARN_UNUSED_RESULT;

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanBuilderReport, goban_builder_report_free)

G_END_DECLS
