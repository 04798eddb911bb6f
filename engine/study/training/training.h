/* training.h: training of a policy's network: from options to files, in one call that can be
 * stopped, with curves that can be read meanwhile.
 *
 * Two files come of it: OUTPUT, the network that policies load; and OUTPUT.run, the run itself,
 * written every minute, from which a later call goes on to the same bytes. REGAL's short training
 * has no run. A report is made whole and then only read.
 */
#pragma once

#include "engine/core/jobs/job.h"
#include "engine/core/ranks/ranks.h"
#include "engine/study/run/training-log.h"

/* Requests to a training: training-loop.h. */
typedef struct _GobanTrainer GobanTrainer;

/* A training in progress is kept beside its network, under the network's name and this suffix. */
#define GOBAN_TRAINING_SUFFIX ".run"

/* An option that is not given (NULL, 0 or, where 0 means something, negative) has the training's
 * default, or the value of the run that is resumed. Strings are borrowed. */
typedef struct
{
  const char *network;         /* which is trained: "builder", "moves" or "regal" */
  const char *output;          /* (nullable) if a run is resumed: its name without ".run" */
  const char *resume;          /* a file OUTPUT.run: only the end may differ from the run's */
  const char *from;            /* a network to begin with */
  const char *follow;          /* only show the curves of this run, which another process makes */
  const char *curve;           /* CSV, kept up to date with the run */
  const char *suite;           /* learn on its graphs in place of the built-in ones */
  const char *const *left_out; /* families that are not learned on */
  const char *settings;        /* "KEY=VALUE,..." of the training's own config */
  const char *tasks;           /* "placement,scheduling" */
  gint64 n_steps;
  double seconds; /* without steps, the only end there is */
  gint64 n_rollouts;
  gint64 seed;  /* negative: not given */
  gint64 every; /* likewise: steps between trials */
  gboolean
      has_film; /* networks of earlier updates are kept: engine/study/training/training-film.h */
  GobanRanks *ranks;     /* (nullable) borrowed: shares the work; rank 0 alone writes files */
  GobanTrainer *trainer; /* (nullable): asks for the steps; without one they follow each other */
} GobanTrainingOptions;

/* Nothing given but the network. */
GobanTrainingOptions goban_training_options_new (const char *network);

/* The networks that can be trained, NULL-terminated, the most useful first. Static. */
const char *const *goban_training_get_networks (void);

/* Whether the training of the network takes an option: "from", "suite", "tasks", "seconds", ... */
gboolean goban_training_takes (const char *network, const char *option);

/* (nullable) what can be set, a line each: key, tab, value by default, tab, meaning; %NULL for a
 * network without settings. (transfer full) */
char *goban_training_describe_settings (const char *network) G_GNUC_WARN_UNUSED_RESULT;

/* The steps of the network that comes with the program; 0 for an unknown name. */
guint goban_training_get_n_steps (const char *network);

/* A line on the policies that use the network, translated; %NULL for an unknown name. Static. */
const char *goban_training_get_purpose (const char *network);

/* The policy that places with nothing but the network; %NULL for an unknown name. Static. */
const char *goban_training_get_policy (const char *network);

/* The check of options that follow a run: the network that the run is of; %NULL with
 * %GOBAN_ERROR_INVALID set if the file is not a run, or there are other options. Static. */
const char *goban_training_check_followed (const GobanTrainingOptions *options, GError **error);

/* Everything that can be found out before the work: names, options that the network takes, numbers,
 * whether files can be written. %FALSE with %GOBAN_ERROR_INVALID or IO set. */
gboolean goban_training_check (const GobanTrainingOptions *options, GError **error);

typedef struct
{
  char *network;
  char *output;
  char *run;            /* (nullable): "" has none: it cannot be resumed */
  char *warning;        /* (nullable): in words, how the network has collapsed */
  gboolean is_finished; /* FALSE if it was stopped */
  guint step;
  guint n_steps;
  guint kept_step; /* after which the network was as it is written */
  double seconds;  /* of all processes that continued the run, if it counts them */
  gsize n_parameters;
  double score;        /* validation figure that chose the network, lower is better; NAN without */
  double first_score;  /* of the network that it began with; NAN if it was not measured */
  gboolean kept_start; /* no later network had a better score: the first one is written */
  char *text;          /* for people */
  char *scaling;       /* (nullable): number of ranks that the steps were worth, as text */
  char *json;          /* for scripts */
} GobanTrainingReport;

/**
 * goban_training_run:
 * @log: (nullable): is told of every step as it is made; empty
 *
 * Any thread. Asked to stop, it finishes its step, writes both files and says so in the report.
 *
 * Returns: (transfer full) (nullable): %NULL with %GOBAN_ERROR_INVALID set for options that cannot
 *   be, %GOBAN_ERROR_IO or PARSE for files, %GOBAN_ERROR_CANCELLED if it was stopped before a step
 *   was made: then nothing is written
 */
GobanTrainingReport *goban_training_run (const GobanTrainingOptions *options, GobanTrainingLog *log,
                                         const GobanProgress *progress,
                                         GError **error) G_GNUC_WARN_UNUSED_RESULT;
void goban_training_report_free (GobanTrainingReport *self);

/**
 * goban_training_start:
 * @options: copied
 * @log: (nullable): a reference is taken
 *
 * The same as a job, whose result is the #GobanTrainingReport: cancelled, it writes its files and
 * has a report all the same; paused, it rests between two steps.
 */
GobanJob *goban_training_start (const GobanTrainingOptions *options,
                                GobanTrainingLog *log) G_GNUC_WARN_UNUSED_RESULT;

/**
 * goban_training_start_trial:
 * @network: a name of goban_training_get_networks()
 *
 * Measures how long a step takes on this computer: trains for about three seconds, in a folder that
 * goes again.
 *
 * Returns: (transfer full): a job whose result is a double, the seconds of a step; to be freed by
 *   g_free()
 */
GobanJob *goban_training_start_trial (const char *network) G_GNUC_WARN_UNUSED_RESULT;

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanTrainingReport, goban_training_report_free)
