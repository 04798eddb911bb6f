#include "ui/training/film-maker.h"

#include "engine/session/session-jobs.h"
#include "engine/study/log/log-lines.h"
#include "engine/study/run/policy-run.h"
#include "engine/study/training/film-plans.h"
#include "engine/study/training/training-film.h"
#include "ui/widgets/signals.h"

#include <math.h>

#define MAX_KEPT 20000 /* nodes of a graph whose runs are kept, a megabyte or two each */
#define REST 99        /* times as long as the work, while a training runs */

typedef struct
{
  guint step;
  char *file;
  GobanFilmPicture picture;
  GobanRun *run;      /* (nullable): of a graph that is not too large */
  gboolean has_tried; /* its plan is made, or never will be */
} Frame;

struct _GobanFilmMaker
{
  GObject parent;

  GobanTrainingJob *training; /* (nullable) */
  GobanCostModel *costs;      /* (nullable) */
  GPtrArray *frames;          /* Frame */
  GArray *pictures;           /* GobanFilmPicture, borrowed from the frames */
  GobanJob *looking;          /* (nullable): lists the files, whose disk may be slow */
  GobanJob *job;              /* (nullable): makes a plan */
  gint64 begun_us;
  gint64 next_us;
};

G_DEFINE_FINAL_TYPE (GobanFilmMaker, goban_film_maker, G_TYPE_OBJECT)

/* --- frames ----------------------------------------------------------------------------------- */

static void
frame_free (gpointer data)
{
  Frame *self = data;

  goban_film_picture_clear (&self->picture);
  g_clear_pointer (&self->run, goban_run_unref);
  g_free (self->file);
  g_free (self);
}

static Frame *
get_frame (GobanFilmMaker *self, guint i)
{
  return g_ptr_array_index (self->frames, i);
}

/* (nullable) (transfer full): the frame of that update, out of the list. */
static Frame *
steal_frame (GobanFilmMaker *self, guint step)
{
  for (guint i = 0; i < self->frames->len; i++)
    if (get_frame (self, i)->step == step)
      return g_ptr_array_steal_index (self->frames, i);
  return NULL;
}

static void
list_pictures (GobanFilmMaker *self)
{
  g_array_set_size (self->pictures, 0);
  for (guint i = 0; i < self->frames->len; i++)
    g_array_append_val (self->pictures, get_frame (self, i)->picture);
  g_signal_emit_by_name (self, "changed");
}

/* Takes over the list of files; plans that are made stay. */
static void
take_files (GobanFilmMaker *self, const GArray *found)
{
  g_autoptr (GPtrArray) frames = g_ptr_array_new_with_free_func (frame_free);
  gboolean is_same = found->len == self->frames->len;

  for (guint i = 0; i < found->len; i++)
    {
      const GobanTrainingFilmFrame *from = &g_array_index (found, GobanTrainingFilmFrame, i);
      Frame *frame;

      is_same = is_same && get_frame (self, 0)->step == from->step;
      frame = steal_frame (self, from->step);
      if (frame == NULL)
        {
          frame = g_new0 (Frame, 1);
          frame->step = from->step;
          frame->file = g_strdup (from->file);
          frame->picture = goban_film_picture_new_empty (from->step);
        }
      g_ptr_array_add (frames, frame);
    }
  g_ptr_array_unref (self->frames);
  self->frames = g_steal_pointer (&frames);
  if (!is_same)
    list_pictures (self);
}

static void
forget (GobanFilmMaker *self)
{
  g_clear_object (&self->looking);
  if (self->job != NULL)
    goban_job_cancel (self->job);
  g_clear_object (&self->job);
  self->next_us = 0;
  g_ptr_array_set_size (self->frames, 0);
  list_pictures (self);
}

/* --- plans ------------------------------------------------------------------------------------ */

typedef struct
{
  GobanCostModel *costs;
  const char *policy; /* static */
  char *file;
  char *name;
} Task;

static void
task_free (gpointer data)
{
  Task *self = data;

  goban_cost_model_unref (self->costs);
  g_free (self->file);
  g_free (self->name);
  g_free (self);
}

static gpointer
make_plan (const GobanProgress *progress, gpointer data, GError **error)
{
  const Task *task = data;
  GobanRunOptions options = goban_film_plan_options (task->policy, task->file, task->name);

  options.progress = progress;
  return goban_run_new_from_policy (task->costs, task->policy, &options, error);
}

static char *
name_plan (GobanFilmMaker *self, const Frame *frame)
{
  return goban_film_plan_dup_name (goban_training_job_get_output (self->training), frame->step);
}

static const char *
get_policy (GobanFilmMaker *self)
{
  return goban_training_get_policy (goban_training_job_get_network (self->training));
}

static gboolean
is_training (GobanFilmMaker *self)
{
  return goban_training_job_get_state (self->training) == GOBAN_TRAINING_RUNNING;
}

gint64
goban_film_maker_get_next_us (gint64 begun_us, gint64 ended_us, gboolean is_training)
{
  return is_training ? ended_us + REST * (ended_us - begun_us) : ended_us;
}

static void
take_run (Frame *frame, GobanRun *run)
{
  goban_film_picture_clear (&frame->picture);
  frame->picture = goban_film_picture_new (run, frame->step);
  if (goban_graph_get_n_nodes (goban_run_get_graph (run)) <= MAX_KEPT)
    frame->run = goban_run_ref (run);
}

static void
made_cb (GobanFilmMaker *self, GParamSpec *pspec, GobanJob *job)
{
  g_autoptr (GobanRun) run = NULL;
  guint step = GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (job), "step"));

  if (job != self->job)
    return;                                 /* of another training or graph */
  run = goban_job_steal_result (job, NULL); /* a plan that cannot be made has no picture */
  self->next_us
      = goban_film_maker_get_next_us (self->begun_us, g_get_monotonic_time (), is_training (self));
  for (guint i = 0; i < self->frames->len && run != NULL; i++)
    if (get_frame (self, i)->step == step)
      take_run (get_frame (self, i), run);
  g_clear_object (&self->job);
  list_pictures (self);
  goban_film_maker_update (self);
}

/* (nullable): the newest one without a plan; a network that is gone since has none. */
static Frame *
find_next (GobanFilmMaker *self)
{
  for (guint i = self->frames->len; i > 0; i--)
    if (!get_frame (self, i - 1)->has_tried)
      return get_frame (self, i - 1);
  return NULL;
}

static void
make_next (GobanFilmMaker *self)
{
  Frame *frame;
  Task *task;

  frame = find_next (self);
  if (self->job != NULL || frame == NULL
      || (is_training (self) && g_get_monotonic_time () < self->next_us))
    return;
  frame->has_tried = TRUE;
  task = g_new (Task, 1);
  *task = (Task){ goban_cost_model_ref (self->costs), get_policy (self), g_strdup (frame->file),
                  name_plan (self, frame) };
  self->begun_us = g_get_monotonic_time ();
  self->job
      = goban_job_start ("film", make_plan, task, task_free, (GDestroyNotify) goban_run_unref);
  g_object_set_data (G_OBJECT (self->job), "step", GUINT_TO_POINTER (frame->step));
  GOBAN_CONNECT (self->job, "notify::done", made_cb, self);
}

/* --- files ------------------------------------------------------------------------------------ */

static gpointer
list_worker (const GobanProgress *progress, gpointer data, GError **error)
{
  return goban_training_film_list (data);
}

static void
listed_cb (GobanFilmMaker *self, GobanJob *job)
{
  g_autoptr (GArray) found = NULL;

  if (job != self->looking)
    return;                                   /* of another training or graph */
  found = goban_job_steal_result (job, NULL); /* which is empty at worst */
  g_clear_object (&self->looking);
  take_files (self, found);
  make_next (self);
}

void
goban_film_maker_update (GobanFilmMaker *self)
{
  const char *output;

  g_return_if_fail (GOBAN_IS_FILM_MAKER (self));

  output = self->training != NULL ? goban_training_job_get_output (self->training) : NULL;
  if (output == NULL || self->costs == NULL || self->looking != NULL)
    return; /* frames so far are dropped */
  self->looking = goban_job_start ("film", list_worker, g_strdup (output), g_free,
                                   (GDestroyNotify) g_array_unref);
  GOBAN_CONNECT (self->looking, "done", listed_cb, self);
}

/* --- sources -------------------------------------------------------------------------------- */

void
goban_film_maker_set_training (GobanFilmMaker *self, GobanTrainingJob *training)
{
  g_return_if_fail (GOBAN_IS_FILM_MAKER (self));

  if (!g_set_object (&self->training, training))
    return;
  forget (self);
  goban_film_maker_update (self);
}

void
goban_film_maker_set_costs (GobanFilmMaker *self, GobanCostModel *costs)
{
  g_return_if_fail (GOBAN_IS_FILM_MAKER (self));

  if (costs == self->costs)
    return;
  g_clear_pointer (&self->costs, goban_cost_model_unref);
  if (costs != NULL)
    self->costs = goban_cost_model_ref (costs);
  forget (self);
  goban_film_maker_update (self);
}

const GArray *
goban_film_maker_get_pictures (GobanFilmMaker *self)
{
  g_return_val_if_fail (GOBAN_IS_FILM_MAKER (self), NULL);

  return self->pictures;
}

GobanRun *
goban_film_maker_get_run (GobanFilmMaker *self, guint i)
{
  g_return_val_if_fail (GOBAN_IS_FILM_MAKER (self), NULL);

  return i < self->frames->len ? get_frame (self, i)->run : NULL;
}

void
goban_film_maker_place (GobanFilmMaker *self, guint i, GobanSession *session)
{
  const char *policies[2] = { NULL };
  g_autofree char *name = NULL;
  GobanRunOptions options;

  g_return_if_fail (GOBAN_IS_FILM_MAKER (self) && i < self->frames->len);

  policies[0] = get_policy (self);
  name = name_plan (self, get_frame (self, i));
  options = goban_film_plan_options (policies[0], get_frame (self, i)->file, name);
  goban_session_place_with (session, policies, &options);
}

char *
goban_film_maker_dup_code (GobanFilmMaker *self, guint i)
{
  g_autofree char *name = name_plan (self, get_frame (self, i));
  GobanRunOptions options
      = goban_film_plan_options (get_policy (self), get_frame (self, i)->file, NULL);
  g_autofree char *plan = goban_log_policy (get_policy (self), &options);
  g_autofree char *run = goban_log_run (plan, name);

  return g_strdup_printf ("view.show(%s)", run);
}

/* --- construction and disposal ---------------------------------------------------------------- */

static void
goban_film_maker_dispose (GObject *object)
{
  GobanFilmMaker *self = GOBAN_FILM_MAKER (object);

  g_clear_object (&self->looking);
  if (self->job != NULL)
    goban_job_cancel (self->job);
  g_clear_object (&self->job);
  g_clear_object (&self->training);
  g_clear_pointer (&self->frames, g_ptr_array_unref);
  g_clear_pointer (&self->pictures, g_array_unref);
  g_clear_pointer (&self->costs, goban_cost_model_unref);

  G_OBJECT_CLASS (goban_film_maker_parent_class)->dispose (object);
}

static void
goban_film_maker_class_init (GobanFilmMakerClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->dispose = goban_film_maker_dispose;
  goban_signal_add (klass, "changed", 0);
}

static void
goban_film_maker_init (GobanFilmMaker *self)
{
  self->frames = g_ptr_array_new_with_free_func (frame_free);
  self->pictures = g_array_new (FALSE, FALSE, sizeof (GobanFilmPicture));
}

GobanFilmMaker *
goban_film_maker_new (void)
{
  return g_object_new (GOBAN_TYPE_FILM_MAKER, NULL);
}
