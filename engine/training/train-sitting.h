/* train-sitting.h: one sitting of a training run: steps until it is done or stopped, with files
 * kept up to date.
 *
 * Two files come of it: OUTPUT, the network that policies load, and OUTPUT.run, the run itself,
 * written every minute and from which a later sitting goes on to the same bytes.
 */
#pragma once

#include "engine/base/progress.h"

G_BEGIN_DECLS

/* Which training it is; static. */
typedef struct
{
  gpointer (*load) (const char *path, GError **error);
  void (*free) (gpointer run);
  gboolean (*step) (gpointer run, const GobanProgress *progress, GError **error);
  guint (*get_n_done) (gpointer run);
  guint (*get_n_steps) (gpointer run);
  guint (*get_every) (gpointer run); /* steps between trials */
  /* ", validation 0.93 of the splits": appended to "step 120 of 4000". */
  void (*describe) (gpointer run, GString *text);
  gboolean (*save_run) (gpointer run, const char *path, GError **error);
  gboolean (*save_net) (gpointer run, const char *path, GError **error);
  char *(*to_csv) (gpointer run);
} GobanTrainingKind;

typedef struct
{
  const GobanTrainingKind *kind;
  gpointer run;       /* owned */
  const char *resume; /* (nullable) of the options: borrowed, as these */
  const char *curve;
  const GobanProgress *progress;
  char *output;
  char *run_path;
  gint64 saved_us;
  gboolean is_stopped;
} GobanSitting;

void goban_sitting_clear (GobanSitting *self);

/* Where network and run go: @output (nullable), or what the run that is gone on with says. FALSE
 * with an error set. */
gboolean goban_sitting_choose_files (GobanSitting *self, const char *output, GError **error);

/* FALSE with %GOBAN_ERROR_INVALID set if a run that was stopped would be overwritten. */
gboolean goban_sitting_check_nothing_is_lost (const GobanSitting *self, GError **error);

/* Steps until the run is done or cancelled; cancellation after the first step is not an error.
 * Writes all files. */
gboolean goban_sitting_learn (GobanSitting *self, GError **error);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (GobanSitting, goban_sitting_clear)

G_END_DECLS
