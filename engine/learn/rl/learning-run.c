#include "engine/learn/rl/learning-run.h"

#include "engine/core/arrays.h"
#include "engine/core/error.h"
#include "engine/core/file-read.h"
#include "engine/core/file.h"
#include "engine/core/i18n.h"

#include <math.h>
#include <string.h>

#define MAGIC_SIZE 8
#define VERSION 1

void
goban_learning_run_init (GobanLearningRun *self, const GobanLearningKind *kind,
                         GobanLearningSettings *settings, gsize point_size)
{
  self->kind = kind;
  self->settings = settings;
  self->first_score = self->best_score = NAN;
  self->points = g_array_new (FALSE, FALSE, (guint) point_size);
  self->arrays = goban_arrays_new ();
}

void
goban_learning_run_begin (GobanLearningRun *self)
{
  goban_rng_init (&self->rng, self->settings->seed);
  self->net = self->kind->new_net (self, &self->rng);
  self->average = goban_scorer_net_copy (self->net);
  self->best = goban_scorer_net_copy (self->net);
}

void
goban_learning_run_free (gpointer run)
{
  GobanLearningRun *self = run;

  self->kind->clear (self);
  g_clear_pointer (&self->net, goban_scorer_net_free);
  g_clear_pointer (&self->average, goban_scorer_net_free);
  g_clear_pointer (&self->best, goban_scorer_net_free);
  g_array_unref (self->points);
  g_ptr_array_unref (self->arrays);
  g_free (self);
}

/* Whether the last update is to be tried, and was not: a trial can be cancelled. */
static gboolean
owes_trial (const GobanLearningRun *self)
{
  int n = (int) self->points->len;

  return n > 0 && isnan (self->kind->get_score (self, n - 1))
         && (self->n_done % self->settings->every == 0
             || self->n_done >= self->settings->n_updates);
}

gboolean
goban_learning_run_is_done (const GobanLearningRun *self)
{
  return self->n_done >= self->settings->n_updates && !owes_trial (self);
}

GobanScorerNet *
goban_learning_run_get_net (const GobanLearningRun *self)
{
  return isnan (self->best_score) || self->keeps_present ? self->average : self->best;
}

guint
goban_learning_run_get_kept_step (const GobanLearningRun *self)
{
  if (goban_learning_run_get_net (self) == self->average)
    return self->n_done;
  for (guint i = 0; self->best_score != self->first_score && i < self->points->len; i++)
    if (self->kind->get_score (self, (int) i) == self->best_score)
      return i + 1;
  return 0;
}

double
goban_learning_run_get_rate (const GobanLearningRun *self)
{
  double fraction = MIN (1, (double) self->n_done / self->settings->n_updates);

  return self->settings->rate * (1 - (1 - self->settings->last_rate) * fraction);
}

/* Tries the network of the last update, and keeps it if it is the best; until the first trial of an
 * update that is the initial one. On FALSE nothing has changed. */
static gboolean
try_last (GobanLearningRun *self, const GobanProgress *progress, GError **error)
{
  int last = (int) self->points->len - 1;
  double score;

  if (!self->kind->try (self, last, progress, error))
    return FALSE;
  score = self->kind->get_score (self, last);
  if (isnan (self->best_score))
    self->best_score = self->first_score;
  if (isnan (score) || (score >= self->best_score && !self->keeps_present))
    return TRUE;
  self->best_score = score;
  goban_scorer_net_average (self->best, self->average, 0);
  return TRUE;
}

gboolean
goban_learning_run_step (GobanLearningRun *self, const GobanProgress *progress, GError **error)
{
  g_return_val_if_fail (!goban_learning_run_is_done (self), FALSE);

  if (self->n_done == 0 && isnan (self->first_score))
    {
      if (!self->kind->try (self, GOBAN_LEARNING_FIRST, progress, error))
        return FALSE;
      self->first_score = self->kind->get_score (self, GOBAN_LEARNING_FIRST);
    }
  if (owes_trial (self))
    return try_last (self, progress, error);
  if (!goban_progress_check (progress, error) || !self->kind->update (self, progress, error))
    return FALSE;
  self->n_done++;
  /* The update stays when its trial is cancelled: the next step makes up for it. */
  if (owes_trial (self))
    try_last (self, progress, NULL);
  return TRUE;
}

/* --- writing ---------------------------------------------------------------------------------- */

void
goban_learning_run_put_rng (GByteArray *out, const GobanRng *rng)
{
  for (guint i = 0; i < G_N_ELEMENTS (rng->s); i++)
    goban_bytes_put_u64 (out, rng->s[i]);
}

void
goban_learning_run_put_nets (const GobanLearningRun *self, GByteArray *out)
{
  const GobanScorerNet *nets[] = { self->net, self->average, self->best };

  for (guint i = 0; i < G_N_ELEMENTS (nets); i++)
    {
      g_autoptr (GByteArray) bytes = goban_params_write (nets[i]->params);

      goban_bytes_put_u32 (out, bytes->len);
      g_byte_array_append (out, bytes->data, bytes->len);
    }
}

void
goban_learning_run_put_doubles (GByteArray *out, const double *values, gsize n)
{
  for (gsize i = 0; i < n; i++)
    goban_bytes_put_double (out, values[i]);
}

GByteArray *
goban_learning_run_write (const GobanLearningRun *self)
{
  GByteArray *out = g_byte_array_new ();
  g_autofree char *settings = goban_setting_table_to_text (&self->kind->settings, self->settings);

  g_byte_array_append (out, (const guint8 *) self->kind->magic, MAGIC_SIZE);
  goban_bytes_put_u32 (out, VERSION);
  goban_bytes_put_text (out, settings);
  self->kind->put (self, out);
  goban_bytes_seal (out);
  return out;
}

gboolean
goban_learning_run_save (const GobanLearningRun *self, const char *path, GError **error)
{
  g_autoptr (GByteArray) out = goban_learning_run_write (self);

  return goban_file_write (path, (const char *) out->data, out->len, error);
}

/* --- reading ---------------------------------------------------------------------------------- */

void
goban_learning_run_read_rng (GobanByteReader *reader, GobanRng *rng)
{
  for (guint i = 0; i < G_N_ELEMENTS (rng->s); i++)
    rng->s[i] = goban_byte_reader_read_u64 (reader);
}

gboolean
goban_learning_run_read_nets (GobanLearningRun *self, GobanByteReader *reader, const char *origin,
                              GError **error)
{
  GobanScorerNet **nets[] = { &self->net, &self->average, &self->best };
  GobanRng rng;

  goban_rng_init (&rng, 0);
  for (guint i = 0; i < G_N_ELEMENTS (nets); i++)
    {
      guint32 size = goban_byte_reader_read_u32 (reader);
      const guint8 *data = goban_byte_reader_read (reader, size);

      *nets[i] = self->kind->new_net (self, &rng);
      if (data == NULL || !goban_params_read ((*nets[i])->params, data, size, origin, error))
        return FALSE;
    }
  return TRUE;
}

void
goban_learning_run_read_doubles (GobanByteReader *reader, double *values, gsize n)
{
  for (gsize i = 0; i < n; i++)
    values[i] = goban_byte_reader_read_double (reader);
}

/* The problem of a file's beginning or end, or NULL. */
static const char *
open_file (GobanByteReader *reader, const GobanLearningKind *kind, const guint8 *data, gsize size)
{
  const guint8 *magic = goban_byte_reader_read (reader, MAGIC_SIZE);

  if (magic == NULL || memcmp (magic, kind->magic, MAGIC_SIZE) != 0)
    return _ (kind->problem);
  if (goban_byte_reader_read_u32 (reader) != VERSION)
    return _ ("it is of another version of the program");
  if (!goban_bytes_are_sealed (data, size))
    return _ ("it is damaged or cut off: its checksum does not match");
  return NULL;
}

gpointer
goban_learning_run_read (const GobanLearningKind *kind, const guint8 *data, gsize size,
                         const char *origin, GError **error)
{
  GobanByteReader reader
      = { .data = data, .left = size > GOBAN_SEAL_SIZE ? size - GOBAN_SEAL_SIZE : 0 };
  const char *problem = open_file (&reader, kind, data, size);
  g_autofree char *text = problem == NULL ? goban_byte_reader_read_text (&reader) : NULL;
  g_autofree gpointer settings = g_memdup2 (kind->settings.usual, kind->settings.size);
  g_autoptr (GError) inner = NULL;
  GobanLearningRun *self = NULL;

  if (problem == NULL && goban_setting_table_parse (&kind->settings, text, settings, &inner))
    self = kind->take (&reader, settings, origin, &inner);
  if (self != NULL)
    return self;
  if (problem == NULL)
    problem = inner != NULL ? inner->message : _ ("it ends too early");
  goban_set_error (error, GOBAN_ERROR_PARSE, "%s: %s", origin, problem);
  return NULL;
}

gpointer
goban_learning_run_load (const GobanLearningKind *kind, const char *path, GError **error)
{
  g_autoptr (GBytes) bytes = goban_file_read (path, GOBAN_FILE_RUN, error);

  return bytes != NULL ? goban_learning_run_read (kind, g_bytes_get_data (bytes, NULL),
                                                  g_bytes_get_size (bytes), path, error)
                       : NULL;
}
