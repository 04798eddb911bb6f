#include "engine/session/survey.h"

#include "engine/core/jobs/job.h"
#include "engine/core/quantity.h"

#include <math.h>

struct _GobanSurvey
{
  GObject parent_instance;

  GobanEdit *edit;
  GobanOutlook *outlooks; /* (n_devices) */
  guint n_devices;
  guint next;    /* the device that is simulated, or to be */
  GobanJob *job; /* (nullable) */
};

static guint changed_signal;

G_DEFINE_FINAL_TYPE (GobanSurvey, goban_survey, G_TYPE_OBJECT)

static void
end_job (GobanSurvey *self)
{
  if (self->job != NULL)
    {
      g_signal_handlers_disconnect_by_data (self->job, self);
      goban_job_cancel (self->job);
    }
  g_clear_object (&self->job);
}

static void
goban_survey_dispose (GObject *object)
{
  GobanSurvey *self = GOBAN_SURVEY (object);

  end_job (self);
  G_OBJECT_CLASS (goban_survey_parent_class)->dispose (object);
}

static void
goban_survey_finalize (GObject *object)
{
  GobanSurvey *self = GOBAN_SURVEY (object);

  for (guint d = 0; d < self->n_devices; d++)
    g_free (self->outlooks[d].trouble);
  g_free (self->outlooks);
  g_clear_pointer (&self->edit, goban_edit_free);
  G_OBJECT_CLASS (goban_survey_parent_class)->finalize (object);
}

static void
goban_survey_class_init (GobanSurveyClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = goban_survey_dispose;
  G_OBJECT_CLASS (klass)->finalize = goban_survey_finalize;
  changed_signal = g_signal_new ("changed", GOBAN_TYPE_SURVEY, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                 NULL, G_TYPE_NONE, 0);
}

static void
goban_survey_init (GobanSurvey *self)
{
}

static void
free_edit (gpointer edit)
{
  goban_edit_free (edit);
}

/* A run of 80,000 ops takes megabytes: only its figures are kept. */
static gpointer
survey_worker (const GobanProgress *progress, gpointer data, GError **error)
{
  GobanEdit *edit = data;
  g_autoptr (GobanRun) run = goban_edit_run (edit, error);
  GobanOutlook outlook = { .is_known = TRUE };

  if (run == NULL)
    return NULL;

  outlook.is_as_it_is = run == edit->base;
  outlook.effect = goban_effect_new (edit->base, run);
  outlook.peak_bytes = goban_trace_get_uses (goban_run_get_trace (run))[edit->device].peak_bytes;
  outlook.capacity_bytes
      = goban_cluster_get_device (goban_run_get_cluster (run), edit->device)->memory_bytes;
  return g_memdup2 (&outlook, sizeof outlook);
}

static void start_next (GobanSurvey *self);

static void
done_cb (GobanJob *job, GobanSurvey *self)
{
  g_autoptr (GError) error = NULL;
  g_autofree GobanOutlook *found = goban_job_steal_result (job, &error);
  GobanOutlook *outlook = &self->outlooks[self->next++];
  g_autoptr (GobanSurvey) held = g_object_ref (self);

  if (found != NULL)
    *outlook = *found;
  else
    *outlook = (GobanOutlook){ .is_known = TRUE, .trouble = g_strdup (error->message) };
  g_clear_object (&self->job);
  start_next (self);
  g_signal_emit (self, changed_signal, 0);
}

static void
start_next (GobanSurvey *self)
{
  GobanEdit *edit;

  if (self->next == self->n_devices)
    return;

  edit = goban_edit_copy (self->edit);
  edit->device = (GobanDeviceId) self->next;
  self->job
      = goban_job_start ("Simulating where nodes could go", survey_worker, edit, free_edit, g_free);
  g_signal_connect (self->job, "done", G_CALLBACK (done_cb), self);
}

GobanSurvey *
goban_survey_new (const GobanEdit *edit)
{
  GobanSurvey *self = g_object_new (GOBAN_TYPE_SURVEY, NULL);

  g_return_val_if_fail (edit->kind == GOBAN_EDIT_MOVE && edit->base != NULL, self);

  self->edit = goban_edit_copy (edit);
  self->n_devices
      = MIN (goban_cluster_get_n_devices (goban_run_get_cluster (edit->base)), GOBAN_SURVEY_MOST);
  self->outlooks = g_new0 (GobanOutlook, self->n_devices);
  start_next (self);
  return self;
}

guint
goban_survey_get_n_devices (GobanSurvey *self)
{
  g_return_val_if_fail (GOBAN_IS_SURVEY (self), 0);

  return self->n_devices;
}

const GobanOutlook *
goban_survey_get (GobanSurvey *self, guint device)
{
  g_return_val_if_fail (GOBAN_IS_SURVEY (self) && device < self->n_devices, NULL);

  return &self->outlooks[device];
}

char *
goban_survey_describe (GobanSurvey *self, guint device)
{
  const GobanOutlook *outlook = goban_survey_get (self, device);
  char peak[GOBAN_QUANTITY_LEN], capacity[GOBAN_QUANTITY_LEN];
  g_autofree char *effect = NULL;

  g_return_val_if_fail (outlook != NULL, NULL);

  if (!outlook->is_known)
    return g_strdup ("");
  if (outlook->trouble != NULL)
    return g_strdup (outlook->trouble);

  effect = outlook->is_as_it_is ? g_strdup ("as it is") : goban_effect_describe (&outlook->effect);
  goban_format_bytes (peak, outlook->peak_bytes);
  if (!isfinite (outlook->capacity_bytes))
    return g_strdup_printf ("%s, memory %s", effect, peak);
  return g_strdup_printf ("%s, memory %s of %s", effect, peak,
                          goban_format_bytes (capacity, outlook->capacity_bytes));
}

gboolean
goban_survey_is_busy (GobanSurvey *self)
{
  g_return_val_if_fail (GOBAN_IS_SURVEY (self), FALSE);

  return self->job != NULL;
}
