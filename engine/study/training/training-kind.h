/* training-kind.h: interface of a training to the code that runs it: one constant per network. */
#pragma once

#include "engine/learn/rl/builder/builder-training.h"
#include "engine/study/training/training-loop.h"

/* Options that not every training takes. */
typedef enum
{
  GOBAN_TRAINING_RESUME = 1 << 0,
  GOBAN_TRAINING_FROM = 1 << 1,
  GOBAN_TRAINING_CURVE = 1 << 2,
  GOBAN_TRAINING_SUITE = 1 << 3,
  GOBAN_TRAINING_LEAVE_OUT = 1 << 4,
  GOBAN_TRAINING_SETTINGS = 1 << 5,
  GOBAN_TRAINING_TASKS = 1 << 6,
  GOBAN_TRAINING_SECONDS = 1 << 7,
  GOBAN_TRAINING_ROLLOUTS = 1 << 8,
  GOBAN_TRAINING_EVERY = 1 << 9,
} GobanTrainingTakes;

/* Facts about the network that comes with the program. */
typedef struct
{
  const char *trained_on; /* marked for translation */
  guint n_updates;
  double score;
} GobanTrainingShipped;

struct _GobanTrainingKind
{
  const char *network;
  GobanTrainingShipped shipped;
  const char *purpose;      /* marked for translation */
  const char *policy;       /* that asks this network alone */
  const char *trial;        /* (nullable): settings with which it is soon at its first step */
  const char *const *users; /* policies whose network can be chosen, NULL-terminated */
  GobanTrainingTakes takes;
  const GobanTrainingSeries *series;
  guint n_series;

  /* (nullable) for a training without a run: all of it in one call, which writes the network. */
  GobanTrainingReport *(*run_at_once) (const GobanTrainingOptions *options, GobanTrainingLog *log,
                                       const GobanProgress *progress, GError **error);

  /* (nullable): all others have this, and what follows */
  const GobanLearningKind *run;
  /* (transfer full) (nullable): %NULL with an error set */
  gpointer (*begin) (const GobanTrainingOptions *options, GError **error);
  /* The step and the @values of all series, NAN for what was not measured, of a point of the run by
   * its index; GOBAN_LEARNING_FIRST: of the initial network, which has trials alone. */
  guint (*read_point) (gconstpointer run, int index, double *values);
  /* (nullable) static */
  const char *(*get_warning) (gpointer run);
  /* ", validation 0.93 of the splits": appended to "step 120 of 4000". */
  void (*describe) (gpointer run, GString *text);
  /* Parameters of the network in a file, which is read whole; 0 with an error set. */
  gsize (*count_parameters) (const char *path, GError **error);
  /* Fills the parts that differ between kinds: text and JSON. */
  void (*finish) (gpointer run, GobanTrainingReport *report);
};

/* The one whose rollouts can be changed between simulation and learning, and whose work the ranks
 * of a job share. */
extern const GobanTrainingKind goban_training_builder;
extern const GobanTrainingKind goban_training_moves;
extern const GobanTrainingKind goban_training_regal;

/* --- for kinds -------------------------------------------------------------------------------- */

/* Reads the @values of the last trial of an update; NAN without one. */
void goban_training_read_last_trial (const GobanTrainingKind *kind, const GobanLearningRun *run,
                                     double *values);
/* Names of lessons and trials, which are all drawn at random. (transfer full) */
char **goban_training_dup_names (void);

#define GOBAN_TRAINING_MOST_STEPS 1000000000

/* %FALSE with %GOBAN_ERROR_INVALID set if @value is above @most. @what: its plural noun, "steps" */
gboolean goban_training_check_count (const char *what, gint64 value, gint64 most, GError **error);

/* Changes @settings, those of @run by default, by the options. %FALSE with %GOBAN_ERROR_INVALID
 * set. */
gboolean goban_training_change_settings (const GobanTrainingOptions *options,
                                         const GobanLearningKind *run,
                                         GobanLearningSettings *settings, GError **error);

/* "network    FILE, 2041 parameters" and the line of the run, the beginning of every text. */
void goban_training_report_begin_text (const GobanTrainingReport *self, GString *text);
/* The warning of a training that has ended without a better network than it began with, marked for
 * translation. */
extern const char *const goban_training_kept_start;

/* Members that every JSON has. */
void goban_training_report_begin_json (const GobanTrainingReport *self, GString *json);
