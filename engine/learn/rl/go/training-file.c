#include "engine/learn/rl/go/training-file.h"

#include "engine/core/bytes.h"
#include "engine/core/error.h"
#include "engine/core/file-read.h"
#include "engine/core/file.h"
#include "engine/learn/rl/go/pretrain-private.h"

#include <math.h>
#include <string.h>

#define MAGIC "GOBANRUN"
#define MAGIC_SIZE 8
#define VERSION 2

/* --- writing ------------------------------------------------------------------------------- */

static void
put_lesson (GByteArray *out, const GobanLesson *lesson)
{
  goban_bytes_put_text (out, lesson->graph);
  goban_bytes_put_text (out, lesson->cluster);
}

/* Writes the length of the best network, 0 if there is none yet, and its bytes. */
static void
put_best (GByteArray *out, const GobanPretrain *run)
{
  g_autoptr (GByteArray) best
      = run->best != NULL ? goban_params_write (goban_net_get_params (run->best)) : NULL;

  goban_bytes_put_u32 (out, best != NULL ? best->len : 0);
  if (best != NULL)
    g_byte_array_append (out, best->data, best->len);
}

GByteArray *
goban_training_file_write (GobanPretrain *run)
{
  GByteArray *out = g_byte_array_new ();
  g_autofree char *config = goban_pretrain_config_to_text (&run->config);

  g_autoptr (GByteArray) net
      = goban_params_write (goban_net_get_params (goban_learner_get_net (run->learner)));

  g_byte_array_append (out, (const guint8 *) MAGIC, MAGIC_SIZE);
  goban_bytes_put_u32 (out, VERSION);
  goban_bytes_put_text (out, config);

  const GobanCurriculum *curriculum = run->curriculum;

  const char *const *left_out = goban_curriculum_get_left_out (curriculum);
  guint n_lessons = goban_curriculum_get_n_lessons (curriculum);
  guint n_trials = goban_curriculum_get_n_trials (curriculum);
  guint n_validation = goban_curriculum_get_n_validation (curriculum);

  goban_bytes_put_u32 (out, g_strv_length ((char **) left_out));
  for (guint i = 0; left_out[i] != NULL; i++)
    goban_bytes_put_text (out, left_out[i]);
  goban_bytes_put_u32 (out, n_lessons);
  goban_bytes_put_u32 (out, n_trials);
  goban_bytes_put_u32 (out, n_validation);
  for (guint i = 0; i < n_lessons; i++)
    put_lesson (out, goban_curriculum_get_lesson (curriculum, i));
  for (guint i = 0; i < n_trials; i++)
    put_lesson (out, goban_curriculum_get_trial (curriculum, i));
  for (guint i = 0; i < n_validation; i++)
    put_lesson (out, goban_curriculum_get_validation (curriculum, i));

  const GobanRng *streams[] = { &run->rng, goban_learner_get_rng (run->learner) };

  for (guint i = 0; i < G_N_ELEMENTS (streams); i++)
    for (guint k = 0; k < G_N_ELEMENTS (streams[i]->s); k++)
      goban_bytes_put_u64 (out, streams[i]->s[k]);
  goban_bytes_put_u32 (out, run->step);
  goban_bytes_put_u32 (out, run->tried_step);
  goban_bytes_put_double (out, run->spent_seconds);
  goban_bytes_put_double (out, run->first_score);
  goban_bytes_put_double (out, run->best_score);
  goban_bytes_put_u32 (out, run->best_step);
  goban_bytes_put_u32 (out, run->batch_step);
  goban_bytes_put_u32 (out, run->n_in_batch);
  for (guint i = 0; i < run->n_in_batch; i++)
    goban_bytes_put_u32 (out, run->batch[i]);
  for (guint i = 0; i < goban_curriculum_get_n_lessons (run->curriculum); i++)
    {
      goban_bytes_put_double (out, run->baselines[i].mean_reward);
      goban_bytes_put_u64 (out, run->baselines[i].n_rewards);
    }

  goban_bytes_put_u32 (out, run->points->len);
  for (guint i = 0; i < run->points->len; i++)
    {
      const GobanCurvePoint *point = &g_array_index (run->points, GobanCurvePoint, i);

      goban_bytes_put_u32 (out, point->step);
      goban_bytes_put_u32 (out, point->lesson);
      for (guint k = 0; k < GOBAN_CURVE_N; k++)
        goban_bytes_put_double (out, point->values[k]);
    }
  goban_bytes_put_u32 (out, run->trials->len);
  for (guint i = 0; i < run->trials->len; i++)
    {
      const GobanCurveTrial *trial = &g_array_index (run->trials, GobanCurveTrial, i);

      goban_bytes_put_u32 (out, trial->step);
      goban_bytes_put_u32 (out, trial->trial);
      goban_bytes_put_double (out, trial->expert_ratio);
      goban_bytes_put_double (out, trial->ratio);
    }

  put_best (out, run);
  g_byte_array_append (out, net->data, net->len);
  goban_bytes_seal (out);
  return out;
}

gboolean
goban_training_file_save (GobanPretrain *run, const char *path, GError **error)
{
  g_autoptr (GByteArray) out = goban_training_file_write (run);

  return goban_file_write (path, (const char *) out->data, out->len, error);
}

/* --- reading ------------------------------------------------------------------------------- */

/* Reads the curriculum. (transfer full) (nullable): %NULL if it is invalid. */
static GobanCurriculum *
take_curriculum (GobanByteReader *reader, GError **error)
{
  g_autoptr (GPtrArray) left_out = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GobanCurriculum) curriculum = NULL;
  guint32 n, n_lessons, n_trials, n_validation;

  n = goban_byte_reader_read_u32 (reader);
  for (guint32 i = 0; i < n && !reader->is_short; i++)
    g_ptr_array_add (left_out, goban_byte_reader_read_text (reader));
  g_ptr_array_add (left_out, NULL);
  n_lessons = goban_byte_reader_read_u32 (reader);
  n_trials = goban_byte_reader_read_u32 (reader);
  n_validation = goban_byte_reader_read_u32 (reader);
  if (reader->is_short)
    return NULL;
  curriculum = goban_curriculum_new ((const char *const *) left_out->pdata, error);
  if (curriculum == NULL)
    return NULL;
  for (guint64 i = 0; i < (guint64) n_lessons + n_trials + n_validation && !reader->is_short; i++)
    {
      g_autofree char *graph = goban_byte_reader_read_text (reader);
      g_autofree char *cluster = goban_byte_reader_read_text (reader);

      if (i < n_lessons)
        goban_curriculum_add (curriculum, graph, cluster);
      else if (i < (guint64) n_lessons + n_trials)
        goban_curriculum_add_trial (curriculum, graph, cluster);
      else
        goban_curriculum_add_validation (curriculum, graph, cluster);
    }
  /* A lesson of a left-out family would have become a trial. */
  reader->is_short = reader->is_short || goban_curriculum_get_n_lessons (curriculum) != n_lessons;
  return reader->is_short ? NULL : g_steal_pointer (&curriculum);
}

static void
take_rng (GobanByteReader *reader, GobanRng *rng)
{
  for (guint k = 0; k < G_N_ELEMENTS (rng->s); k++)
    rng->s[k] = goban_byte_reader_read_u64 (reader);
}

static gboolean
take_state (GobanByteReader *reader, GobanPretrain *run)
{
  guint n_lessons = goban_curriculum_get_n_lessons (run->curriculum);

  take_rng (reader, &run->rng);
  take_rng (reader, goban_learner_get_rng (run->learner));
  run->step = goban_byte_reader_read_u32 (reader);
  run->tried_step = goban_byte_reader_read_u32 (reader);
  run->spent_seconds = goban_byte_reader_read_double (reader);
  run->first_score = goban_byte_reader_read_double (reader);
  run->best_score = goban_byte_reader_read_double (reader);
  run->best_step = goban_byte_reader_read_u32 (reader);
  run->batch_step = goban_byte_reader_read_u32 (reader);
  run->n_in_batch = goban_byte_reader_read_u32 (reader);
  if (run->n_in_batch > n_lessons || !(run->spent_seconds >= 0 && isfinite (run->spent_seconds)))
    return FALSE;
  for (guint i = 0; i < run->n_in_batch; i++)
    {
      run->batch[i] = goban_byte_reader_read_u32 (reader);
      if (run->batch[i] >= n_lessons)
        return FALSE;
    }
  for (guint i = 0; i < n_lessons && !reader->is_short; i++)
    {
      run->baselines[i].mean_reward = goban_byte_reader_read_double (reader);
      run->baselines[i].n_rewards = goban_byte_reader_read_u64 (reader);
      if (!isfinite (run->baselines[i].mean_reward))
        return FALSE;
    }
  return !reader->is_short;
}

static gboolean
take_curves (GobanByteReader *reader, GobanPretrain *run)
{
  guint n_lessons = goban_curriculum_get_n_lessons (run->curriculum);
  guint n_trials = goban_curriculum_get_n_trials (run->curriculum);
  guint32 n = goban_byte_reader_read_u32 (reader);

  for (guint32 i = 0; i < n && !reader->is_short; i++)
    {
      GobanCurvePoint point = { .step = goban_byte_reader_read_u32 (reader) };

      point.lesson = goban_byte_reader_read_u32 (reader);
      for (guint k = 0; k < GOBAN_CURVE_N; k++)
        point.values[k] = goban_byte_reader_read_double (reader);
      if (point.lesson >= n_lessons)
        return FALSE;
      g_array_append_val (run->points, point);
    }
  n = goban_byte_reader_read_u32 (reader);
  for (guint32 i = 0; i < n && !reader->is_short; i++)
    {
      GobanCurveTrial trial = { .step = goban_byte_reader_read_u32 (reader) };

      trial.trial = goban_byte_reader_read_u32 (reader);
      trial.expert_ratio = goban_byte_reader_read_double (reader);
      trial.ratio = goban_byte_reader_read_double (reader);
      if (trial.trial >= n_trials)
        return FALSE;
      g_array_append_val (run->trials, trial);
    }
  return !reader->is_short;
}

static gboolean
take_best (GobanByteReader *reader, const char *origin, GobanPretrain *run, GError **error)
{
  guint32 size = goban_byte_reader_read_u32 (reader);
  const guint8 *data = goban_byte_reader_read (reader, size);

  if (reader->is_short || size == 0)
    return !reader->is_short;
  run->best = goban_net_copy (goban_learner_get_net (run->learner));
  return goban_params_read (goban_net_get_params (run->best), data, size, origin, error);
}

static GobanPretrain *
take_run (GobanByteReader *reader, const char *origin, GobanLessonLoader loader, GError **error)
{
  g_autofree char *text = goban_byte_reader_read_text (reader);
  g_autoptr (GobanCurriculum) curriculum = NULL;
  g_autoptr (GobanPretrain) run = NULL;
  GobanPretrainConfig config;

  if (reader->is_short || !goban_pretrain_config_parse (text, &config, error))
    return NULL;
  curriculum = take_curriculum (reader, error);
  if (curriculum == NULL)
    return NULL;
  goban_curriculum_set_loader (curriculum, loader);
  run = goban_pretrain_new (&config, g_steal_pointer (&curriculum), NULL, error);
  if (run == NULL || !take_state (reader, run) || !take_curves (reader, run)
      || !take_best (reader, origin, run, error)
      || !goban_params_read (goban_net_get_params (goban_learner_get_net (run->learner)),
                             reader->data, reader->left, origin, error))
    return NULL;
  return g_steal_pointer (&run);
}

/* Checks the header and the checksum. */
static gboolean
check_whole (const guint8 *data, gsize size, const char *origin, GError **error)
{
  GobanByteReader reader = { data, size, FALSE };
  const guint8 *magic = goban_byte_reader_read (&reader, MAGIC_SIZE);
  guint32 version = goban_byte_reader_read_u32 (&reader);

  if (magic == NULL || memcmp (magic, MAGIC, MAGIC_SIZE) != 0)
    {
      goban_set_error (error, GOBAN_ERROR_PARSE, "%s: this is not a training run", origin);
      return FALSE;
    }
  if (version != VERSION && !reader.is_short)
    {
      goban_set_error (error, GOBAN_ERROR_PARSE, "%s: its version is %u, this program reads %u",
                       origin, version, VERSION);
      return FALSE;
    }
  if (reader.left >= GOBAN_SEAL_SIZE && goban_bytes_are_sealed (data, size))
    return TRUE;
  goban_set_error (error, GOBAN_ERROR_PARSE,
                   "%s: it is damaged or cut off: its checksum does not match", origin);
  return FALSE;
}

GobanPretrain *
goban_training_file_read (const guint8 *data, gsize size, const char *origin,
                          GobanLessonLoader loader, GError **error)
{
  g_autoptr (GError) inner = NULL;
  GobanByteReader reader = { 0 };
  GobanPretrain *run;

  if (!check_whole (data, size, origin, error))
    return NULL;
  reader.data = data + MAGIC_SIZE + sizeof (guint32);
  reader.left = size - MAGIC_SIZE - sizeof (guint32) - GOBAN_SEAL_SIZE;
  run = take_run (&reader, origin, loader, &inner);
  if (run != NULL)
    return run;

  /* Errors of parts are reported as an error of this file. */
  if (inner == NULL)
    goban_set_error (error, GOBAN_ERROR_PARSE, "%s: it contradicts itself", origin);
  else if (g_str_has_prefix (inner->message, origin))
    g_propagate_error (error, g_steal_pointer (&inner));
  else
    goban_set_error (error, GOBAN_ERROR_PARSE, "%s: %s", origin, inner->message);
  return NULL;
}

GobanPretrain *
goban_training_file_load (const char *path, GobanLessonLoader loader, GError **error)
{
  g_autoptr (GBytes) bytes = goban_file_read (path, GOBAN_FILE_RUN, error);
  const guint8 *data;
  gsize size;

  if (bytes == NULL)
    return NULL;
  data = g_bytes_get_data (bytes, &size);
  return goban_training_file_read (data, size, path, loader, error);
}
