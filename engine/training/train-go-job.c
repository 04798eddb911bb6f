/* train-go-job.c: GO's pre-training in a worker, with options of its own to keep. */
#include "engine/training/train-go.h"

typedef struct
{
  GobanGoTraining options;
  GobanTrainLog *log;
  GPtrArray *texts; /* that the options point at */
  char **left_out;
} Teaching;

static void
teaching_free (gpointer data)
{
  Teaching *self = data;

  g_ptr_array_unref (self->texts);
  g_strfreev (self->left_out);
  goban_train_log_unref (self->log);
  g_free (self);
}

static void
keep (Teaching *self, const char **text)
{
  char *copy = g_strdup (*text);

  g_ptr_array_add (self->texts, copy);
  *text = copy;
}

static gpointer
teach_worker (const GobanProgress *progress, gpointer data, GError **error)
{
  const Teaching *self = data;

  return goban_train_go (&self->options, self->log, progress, error);
}

GobanJob *
goban_train_go_start (const GobanGoTraining *options, GobanTrainLog *log)
{
  Teaching *self = g_new0 (Teaching, 1);
  GobanGoTraining *own = &self->options;
  const char **texts[] = { &own->output, &own->resume, &own->from,     &own->curve,
                           &own->suite,  &own->preset, &own->settings, &own->tasks };

  *own = *options;
  self->texts = g_ptr_array_new_with_free_func (g_free);
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    keep (self, texts[i]);
  self->left_out = g_strdupv ((char **) options->left_out);
  own->left_out = (const char *const *) self->left_out;
  self->log = log != NULL ? goban_train_log_ref (log) : goban_train_log_new ();
  return goban_job_start ("teaching go", teach_worker, self, teaching_free,
                          (GDestroyNotify) goban_go_report_free);
}
