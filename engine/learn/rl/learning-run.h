/* learning-run.h: the common part of trainings: settings, three networks, trials on validation
 * problems, and the file from which a run is resumed.
 *
 * A training's struct begins with a GobanLearningRun, its settings with GobanLearningSettings.
 * Everybody may read the fields; the functions here and the training's own change them. A run can
 * be saved between two steps; a resumed run gives the same bytes as one that was not interrupted.
 * One thread at a time.
 */
#pragma once

#include "engine/core/bytes.h"
#include "engine/core/progress.h"
#include "engine/core/rng.h"
#include "engine/learn/policy/scorer-net.h"
#include "engine/learn/rl/setting-fields.h"

typedef struct
{
  guint64 seed;
  guint n_updates;
  guint n_lessons;
  guint n_validation; /* problems to choose the network by */
  guint every;        /* updates between trials of them */
  double rate;        /* of Adam at first */
  double last_rate;   /* as a share of it */
  double average;     /* share that the moving average keeps in a step of Adam */
} GobanLearningSettings;

typedef struct _GobanLearningRun GobanLearningRun;

/* The number of the initial network among points. */
#define GOBAN_LEARNING_FIRST (-1)

/* A kind of training. */
typedef struct
{
  const char *magic;   /* 8 characters, at the beginning of its files */
  const char *problem; /* "this is not a training run of ...": the error for other files */
  GobanSettingTable settings;

  GobanScorerNet *(*new_net) (const GobanLearningRun *run, GobanRng *rng);
  /* Makes one update and appends its point. On %FALSE with @error set the run is unchanged. */
  gboolean (*update) (GobanLearningRun *run, const GobanProgress *progress, GError **error);
  /* Tries the average of the weights, for the point of that number. Likewise. */
  gboolean (*try) (GobanLearningRun *run, int point, const GobanProgress *progress, GError **error);
  /* The score of a trial, the less the better; NAN: not tried. */
  double (*get_score) (const GobanLearningRun *run, int point);
  void (*clear) (GobanLearningRun *run);

  /* What follows the settings in a file. (transfer full) (nullable): %NULL for data that are not
   * whole, with an error set if it is another; @settings: of the kind */
  void (*put) (const GobanLearningRun *run, GByteArray *out);
  GobanLearningRun *(*take) (GobanByteReader *reader, gconstpointer settings, const char *origin,
                             GError **error);
} GobanLearningKind;

struct _GobanLearningRun
{
  const GobanLearningKind *kind;
  GobanLearningSettings *settings; /* the training's own */
  GobanScorerNet *net;             /* with Adam's moments */
  GobanScorerNet *average;         /* of its values */
  GobanScorerNet *best;            /* the average with the best score */
  double first_score;              /* of the initial network; NAN before it is tried */
  double best_score;               /* NAN before the first trial of an update */
  gboolean keeps_present;          /* trials do not say how good a network is */
  GobanRng rng;
  guint n_done;
  GArray *points;    /* of the curve, one for each update */
  GPtrArray *arrays; /* of the kind */
};

/* Without networks. */
void goban_learning_run_init (GobanLearningRun *self, const GobanLearningKind *kind,
                              GobanLearningSettings *settings, gsize point_size);
/* Makes the networks, with the seed of the settings. */
void goban_learning_run_begin (GobanLearningRun *self);
/* @run: of any kind */
void goban_learning_run_free (gpointer run);

gboolean goban_learning_run_is_done (const GobanLearningRun *self);
/* The network with the best score, which may be the initial one; the average as long as none is
 * known. Borrowed. */
GobanScorerNet *goban_learning_run_get_net (const GobanLearningRun *self);
/* The update after which that network was as it is; 0: the initial one. */
guint goban_learning_run_get_kept_step (const GobanLearningRun *self);
/* The rate of Adam now. */
double goban_learning_run_get_rate (const GobanLearningRun *self);

/**
 * goban_learning_run_step:
 *
 * Makes one update, and a trial if one is due. The run must not be done.
 *
 * Returns: %FALSE with an error set that names the lesson: %GOBAN_ERROR_INVALID if a number is not
 *   finite, or %GOBAN_ERROR_CANCELLED; the run is unchanged then
 */
gboolean goban_learning_run_step (GobanLearningRun *self, const GobanProgress *progress,
                                  GError **error);

/* --- files ------------------------------------------------------------------------------------ */

gboolean goban_learning_run_save (const GobanLearningRun *self, const char *path, GError **error);
/* (transfer full) (nullable): %NULL with %GOBAN_ERROR_IO or PARSE set, which names the path */
gpointer goban_learning_run_load (const GobanLearningKind *kind, const char *path,
                                  GError **error) G_GNUC_WARN_UNUSED_RESULT;
GByteArray *goban_learning_run_write (const GobanLearningRun *self) G_GNUC_WARN_UNUSED_RESULT;
gpointer goban_learning_run_read (const GobanLearningKind *kind, const guint8 *data, gsize size,
                                  const char *origin, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* Parts of files, for kinds. */
void goban_learning_run_put_rng (GByteArray *out, const GobanRng *rng);
void goban_learning_run_read_rng (GobanByteReader *reader, GobanRng *rng);
/* All three, with their moments. %FALSE with an error set, or none if the data are not whole. */
void goban_learning_run_put_nets (const GobanLearningRun *self, GByteArray *out);
gboolean goban_learning_run_read_nets (GobanLearningRun *self, GobanByteReader *reader,
                                       const char *origin, GError **error);
void goban_learning_run_put_doubles (GByteArray *out, const double *values, gsize n);
void goban_learning_run_read_doubles (GobanByteReader *reader, double *values, gsize n);
