/* train-go.h: pre-training of GO's network: from options to files, in one call that can be
 * stopped.
 *
 * Two files come of it: OUTPUT, the network, which the policies load; and OUTPUT.run, the run
 * itself, which is kept up to date every minute and from which a later call goes on to the same
 * bytes. A report is made whole and then only read.
 */
#pragma once

#include "engine/jobs/job.h"
#include "engine/training/train-log.h"

G_BEGIN_DECLS

/* What is not said (NULL, 0 or, where 0 means something, negative) is as the preset has it, or the
 * run gone on with. Strings are borrowed. */
typedef struct
{
  const char *output;          /* (nullable) where to go on: the run's without ".run" */
  const char *resume;          /* a file OUTPUT.run: nothing but the end may be said then */
  const char *from;            /* a network to begin with: fine-tuning on many graphs */
  const char *curve;           /* CSV, kept up to date with the run */
  const char *suite;           /* learn on its graphs and not on ours */
  const char *const *left_out; /* families */
  const char *preset;          /* "goban" or "paper" */
  const char *settings;        /* "KEY=VALUE,..." of engine/rl/pretrain.h */
  const char *tasks;           /* "placement,scheduling" */
  gint64 n_steps;
  double seconds; /* without steps, the only end there is */
  gint64 n_rollouts;
  gint64 n_rows; /* negative: not said */
  gint64 seed;   /* likewise */
  gint64 every;  /* likewise: steps between trials */
} GobanGoTraining;

/* Nothing said. */
GobanGoTraining goban_go_training_new (void);

/* The lessons and trials of these options, a line each: (transfer full) (nullable) */
char *goban_go_training_list (const GobanGoTraining *options,
                              GError **error) G_GNUC_WARN_UNUSED_RESULT;

typedef struct _GobanGoReport GobanGoReport;

/**
 * goban_train_go:
 * @log: (nullable): is told of every step as it is made
 *
 * Any thread. Asked to stop, it finishes its step, writes both files and says so in the report.
 *
 * Returns: (transfer full) (nullable): %NULL with %GOBAN_ERROR_INVALID set for options that cannot
 *   be, %GOBAN_ERROR_IO or PARSE for files, %GOBAN_ERROR_CANCELLED if it was stopped before a step
 *   was made: then nothing is written
 */
GobanGoReport *goban_train_go (const GobanGoTraining *options, GobanTrainLog *log,
                               const GobanProgress *progress,
                               GError **error) G_GNUC_WARN_UNUSED_RESULT;
void goban_go_report_free (GobanGoReport *self);

/**
 * goban_train_go_start:
 * @options: copied
 * @log: (nullable): a reference is taken
 *
 * The same as a job, whose result is the #GobanGoReport: cancelled, it writes its files and has one
 * all the same; held, it rests between two steps.
 */
GobanJob *goban_train_go_start (const GobanGoTraining *options,
                                GobanTrainLog *log) G_GNUC_WARN_UNUSED_RESULT;

/* FALSE if it was stopped. */
gboolean goban_go_report_is_finished (const GobanGoReport *self);
const char *goban_go_report_get_output (const GobanGoReport *self);
const char *goban_go_report_get_run (const GobanGoReport *self);
guint goban_go_report_get_step (const GobanGoReport *self);
guint goban_go_report_get_n_steps (const GobanGoReport *self); /* 0: it ends by the clock */
/* Of all sittings. */
double goban_go_report_get_seconds (const GobanGoReport *self);
gsize goban_go_report_get_n_parameters (const GobanGoReport *self);

/* For people, and for scripts. (transfer full) */
char *goban_go_report_to_text (const GobanGoReport *self) G_GNUC_WARN_UNUSED_RESULT;
char *goban_go_report_to_json (const GobanGoReport *self) G_GNUC_WARN_UNUSED_RESULT;

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanGoReport, goban_go_report_free)

G_END_DECLS
