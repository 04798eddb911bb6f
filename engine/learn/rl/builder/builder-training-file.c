/* File of a training run (builder-training.h): "GOBANBLD", version, configuration, left-out
 * families, random number generator, counts, three networks with their moments, the curve, and a
 * checksum. */
#include "engine/learn/rl/builder/builder-training-private.h"

#include "engine/core/error.h"
#include "engine/core/file-read.h"
#include "engine/core/file.h"
#include "engine/learn/rl/builder/builder-training-file.h"
#include "engine/learn/rl/run-file.h"

static const GobanRunFormat format
    = { "GOBANBLD", 1, "this is not a training run of the plan builder" };

/* --- writing -------------------------------------------------------------------------------- */

static void
put_point (GByteArray *out, const GobanBuilderPoint *point)
{
  const double values[]
      = { point->reward,        point->entropy,      point->top_share, point->even_share,
          point->gradient_norm, point->valid_greedy, point->valid_best };

  goban_bytes_put_u32 (out, point->update);
  goban_bytes_put_u32 (out, (guint32) point->imitates);
  for (gsize i = 0; i < G_N_ELEMENTS (values); i++)
    goban_bytes_put_double (out, values[i]);
}

GByteArray *
goban_builder_training_write (GobanBuilderTraining *self)
{
  GByteArray *out = g_byte_array_new ();
  g_autofree char *config = goban_builder_training_config_to_text (&self->config);
  g_autofree char *left_out
      = g_strjoinv (",", (char **) goban_curriculum_get_left_out (self->families));

  goban_run_file_begin (out, &format);
  goban_bytes_put_text (out, config);
  goban_bytes_put_text (out, left_out);
  goban_run_file_put_rng (out, self->has_rollouts ? &self->earlier : &self->rng);
  goban_bytes_put_u32 (out, self->n_done);
  goban_bytes_put_double (out, self->best_score);
  goban_run_file_put_net (out, self->net);
  goban_run_file_put_net (out, self->average);
  goban_run_file_put_net (out, self->best);
  put_point (out, &self->first);
  goban_bytes_put_u32 (out, self->points->len);
  for (guint i = 0; i < self->points->len; i++)
    put_point (out, &g_array_index (self->points, GobanBuilderPoint, i));
  goban_bytes_seal (out);
  return out;
}

gboolean
goban_builder_training_save (GobanBuilderTraining *self, const char *path, GError **error)
{
  g_autoptr (GByteArray) out = goban_builder_training_write (self);

  return goban_file_write (path, (const char *) out->data, out->len, error);
}

/* --- reading -------------------------------------------------------------------------------- */

static GobanBuilderPoint
take_point (GobanByteReader *reader)
{
  GobanBuilderPoint point = { .update = goban_byte_reader_read_u32 (reader) };
  double *values[]
      = { &point.reward,        &point.entropy,      &point.top_share, &point.even_share,
          &point.gradient_norm, &point.valid_greedy, &point.valid_best };

  point.imitates = goban_byte_reader_read_u32 (reader) != 0;
  for (gsize i = 0; i < G_N_ELEMENTS (values); i++)
    *values[i] = goban_byte_reader_read_double (reader);
  return point;
}

/* (nullable) */
static GobanBuilderTraining *
take_head (GobanByteReader *reader, GError **error)
{
  g_autofree char *text = goban_byte_reader_read_text (reader);
  g_autofree char *names = goban_byte_reader_read_text (reader);
  g_auto (GStrv) left_out = g_strsplit (names, ",", -1);
  GobanBuilderTrainingConfig config = goban_builder_training_config_default ();

  if (!goban_builder_training_config_parse (text, &config, error))
    return NULL;
  return goban_builder_training_new_empty (&config, (const char *const *) left_out, error);
}

static gboolean
take_state (GobanByteReader *reader, GobanBuilderTraining *self, const char *origin, GError **error)
{
  GobanBuilderNet **nets[] = { &self->net, &self->average, &self->best };
  GobanRng rng;
  guint32 n;

  goban_rng_init (&rng, 0);
  goban_run_file_read_rng (reader, &self->rng);
  self->n_done = goban_byte_reader_read_u32 (reader);
  self->best_score = goban_byte_reader_read_double (reader);
  for (guint i = 0; i < G_N_ELEMENTS (nets); i++)
    {
      *nets[i]
          = goban_builder_net_new (goban_builder_training_config_get_parts (&self->config), &rng);
      if (!goban_run_file_read_net (reader, *nets[i], origin, error))
        return FALSE;
    }
  self->first = take_point (reader);
  n = goban_byte_reader_read_u32 (reader);
  for (guint32 i = 0; i < n && !reader->is_short; i++)
    {
      GobanBuilderPoint point = take_point (reader);

      g_array_append_val (self->points, point);
    }
  return !reader->is_short;
}

GobanBuilderTraining *
goban_builder_training_read (const guint8 *data, gsize size, const char *origin, GError **error)
{
  GobanByteReader reader;
  g_autoptr (GobanBuilderTraining) self = NULL;
  g_autoptr (GError) inner = NULL;

  if (!goban_run_file_open (&reader, data, size, &format, origin, error))
    return NULL;
  self = take_head (&reader, &inner);
  if (self == NULL || !take_state (&reader, self, origin, &inner))
    {
      goban_set_error (error, GOBAN_ERROR_PARSE, "%s: %s", origin,
                       inner != NULL ? inner->message : "it ends too early");
      return NULL;
    }
  return g_steal_pointer (&self);
}

GobanBuilderTraining *
goban_builder_training_load (const char *path, GError **error)
{
  g_autoptr (GBytes) bytes = goban_file_read (path, GOBAN_FILE_RUN, error);

  return bytes != NULL ? goban_builder_training_read (g_bytes_get_data (bytes, NULL),
                                                      g_bytes_get_size (bytes), path, error)
                       : NULL;
}
