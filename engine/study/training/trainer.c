#include "engine/study/training/trainer.h"

#include "engine/core/error.h"
#include "engine/study/training/training-loop.h"

/* --- requests --------------------------------------------------------------------------------- */

static gboolean
update (gpointer loop, const GobanProgress *progress, gpointer data, GError **error)
{
  gboolean *is_made = data;
  const GobanTrainingKind *kind = goban_training_loop_get_kind (loop);
  gpointer run = goban_training_loop_get_run (loop);
  guint before = kind->get_step (run);

  *is_made = FALSE;
  while (!kind->is_done (run) && !*is_made)
    {
      if (!goban_training_loop_advance (loop, progress, error))
        return FALSE;
      *is_made = kind->get_step (run) > before;
    }
  return TRUE;
}

gboolean
goban_trainer_update (GobanTrainer *self, gboolean *is_made, const GobanProgress *progress,
                      GError **error)
{
  return goban_trainer_ask (self, update, is_made, progress, error);
}

typedef struct
{
  const char *path; /* (nullable) */
  gboolean is_present;
} Saving;

static gboolean
save (gpointer loop, const GobanProgress *progress, gpointer data, GError **error)
{
  const Saving *saving = data;

  return goban_training_loop_save_as (loop, saving->path, saving->is_present, error);
}

gboolean
goban_trainer_save (GobanTrainer *self, const char *path, gboolean is_present,
                    const GobanProgress *progress, GError **error)
{
  return goban_trainer_ask (self, save, &(Saving){ path, is_present }, progress, error);
}

static gboolean
report (gpointer loop, const GobanProgress *progress, gpointer data, GError **error)
{
  *(GobanTrainingReport **) data = goban_training_loop_report (loop);
  return TRUE;
}

GobanTrainingReport *
goban_trainer_report (GobanTrainer *self, const GobanProgress *progress, GError **error)
{
  GobanTrainingReport *made = NULL;

  return goban_trainer_ask (self, report, &made, progress, error) ? made : NULL;
}

/* --- rollouts --------------------------------------------------------------------------------- */

/* (nullable): %NULL with an error set for trainings that do not show theirs. */
static const GobanTrainingRollouts *
find_rollouts (gpointer loop, GError **error)
{
  const GobanTrainingKind *kind = goban_training_loop_get_kind (loop);

  if (kind->rollouts == NULL)
    goban_set_error (error, GOBAN_ERROR_INVALID,
                     "the training of %s keeps its lessons and rollouts to itself; that of "
                     "builder shows them",
                     kind->network);
  return kind->rollouts;
}

static gboolean
measure (gpointer loop, const GobanProgress *progress, gpointer data, GError **error)
{
  const GobanTrainingRollouts *rollouts = find_rollouts (loop, error);

  return rollouts != NULL
         && rollouts->measure (goban_training_loop_get_run (loop), data, progress, error);
}

gboolean
goban_trainer_measure (GobanTrainer *self, GobanTrainingPoint *point, const GobanProgress *progress,
                       GError **error)
{
  return goban_trainer_ask (self, measure, point, progress, error);
}

static gboolean
roll_out (gpointer loop, const GobanProgress *progress, gpointer data, GError **error)
{
  const GobanTrainingRollouts *rollouts = find_rollouts (loop, error);
  gpointer run = goban_training_loop_get_run (loop);

  if (rollouts == NULL)
    return FALSE;
  return goban_training_loop_get_kind (loop)->is_done (run)
         || rollouts->roll_out (run, data, progress, error);
}

static void
clear_rollout (gpointer data)
{
  g_free (((GobanTrainerRollout *) data)->lesson);
}

GArray *
goban_trainer_roll_out (GobanTrainer *self, const GobanProgress *progress, GError **error)
{
  g_autoptr (GArray) rollouts = g_array_new (FALSE, FALSE, sizeof (GobanTrainerRollout));

  g_array_set_clear_func (rollouts, clear_rollout);
  return goban_trainer_ask (self, roll_out, rollouts, progress, error) ? g_steal_pointer (&rollouts)
                                                                       : NULL;
}

typedef struct
{
  guint index;
  GobanPlan *plan;
  GobanCostModel *costs;
} PlanRequest;

static gboolean
dup_plan (gpointer loop, const GobanProgress *progress, gpointer data, GError **error)
{
  const GobanTrainingRollouts *rollouts = find_rollouts (loop, error);
  PlanRequest *wanted = data;

  if (rollouts == NULL)
    return FALSE;
  wanted->plan = rollouts->dup_plan (goban_training_loop_get_run (loop), wanted->index,
                                     &wanted->costs, error);
  return wanted->plan != NULL;
}

GobanPlan *
goban_trainer_dup_plan (GobanTrainer *self, guint index, GobanCostModel **costs, GError **error)
{
  PlanRequest wanted = { .index = index };

  if (!goban_trainer_ask (self, dup_plan, &wanted, NULL, error))
    return NULL;
  *costs = wanted.costs;
  return wanted.plan;
}

typedef struct
{
  const double *values;
  guint n;
} Rewards;

static gboolean
set_rewards (gpointer loop, const GobanProgress *progress, gpointer data, GError **error)
{
  const GobanTrainingRollouts *rollouts = find_rollouts (loop, error);
  const Rewards *rewards = data;

  return rollouts != NULL
         && rollouts->set_rewards (goban_training_loop_get_run (loop), rewards->values, rewards->n,
                                   error);
}

gboolean
goban_trainer_set_rewards (GobanTrainer *self, const double *rewards, guint n, GError **error)
{
  Rewards all = { rewards, n };

  return goban_trainer_ask (self, set_rewards, &all, NULL, error);
}

static gboolean
get_n_lessons (gpointer loop, const GobanProgress *progress, gpointer data, GError **error)
{
  const GobanTrainingRollouts *rollouts = find_rollouts (loop, error);
  guint *n = data;

  if (rollouts == NULL)
    return FALSE;
  *n = rollouts->get_n_lessons (goban_training_loop_get_run (loop));
  return TRUE;
}

gboolean
goban_trainer_get_n_lessons (GobanTrainer *self, guint *n, GError **error)
{
  return goban_trainer_ask (self, get_n_lessons, n, NULL, error);
}

typedef struct
{
  GobanCostModel *const *costs;
  guint n;
} Lessons;

static gboolean
teach (gpointer loop, const GobanProgress *progress, gpointer data, GError **error)
{
  const GobanTrainingRollouts *rollouts = find_rollouts (loop, error);
  const Lessons *lessons = data;

  return rollouts != NULL
         && rollouts->teach (goban_training_loop_get_run (loop), lessons->costs, lessons->n, error);
}

gboolean
goban_trainer_teach (GobanTrainer *self, GobanCostModel *const *costs, guint n,
                     const GobanProgress *progress, GError **error)
{
  Lessons lessons = { costs, n };

  return goban_trainer_ask (self, teach, &lessons, progress, error);
}

static gboolean
set_validation (gpointer loop, const GobanProgress *progress, gpointer data, GError **error)
{
  const GobanTrainingRollouts *rollouts = find_rollouts (loop, error);
  const Lessons *lessons = data;

  return rollouts != NULL
         && rollouts->set_validation (goban_training_loop_get_run (loop), lessons->costs,
                                      lessons->n, error);
}

gboolean
goban_trainer_set_validation (GobanTrainer *self, GobanCostModel *const *costs, guint n,
                              const GobanProgress *progress, GError **error)
{
  Lessons lessons = { costs, n };

  return goban_trainer_ask (self, set_validation, &lessons, progress, error);
}
