/* A run of builder-training.h as a file: "GOBANBLD", version, configuration, families left out, chance, counts, three
 * networks with their moments, the curve, and a seal. */
#include "engine/rl/builder-training-private.h"

#include "engine/base/bytes.h"
#include "engine/base/error.h"
#include "engine/base/file-read.h"
#include "engine/base/file.h"

#include <string.h>

#define MAGIC "GOBANBLD"
#define MAGIC_SIZE 8
#define VERSION 1

/* --- writing ------------------------------------------------------------------------------------ */

static void
put_net (GByteArray *out, const GobanBuilderNet *net)
{
  g_autoptr (GByteArray) bytes = goban_params_write (goban_builder_net_get_params (net));

  goban_bytes_put_u32 (out, bytes->len);
  g_byte_array_append (out, bytes->data, bytes->len);
}

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

  g_byte_array_append (out, (const guint8 *) MAGIC, MAGIC_SIZE);
  goban_bytes_put_u32 (out, VERSION);
  goban_bytes_put_text (out, config);
  goban_bytes_put_text (out, left_out);
  for (guint i = 0; i < G_N_ELEMENTS (self->rng.s); i++)
    goban_bytes_put_u64 (out, self->rng.s[i]);
  goban_bytes_put_u32 (out, self->n_done);
  goban_bytes_put_double (out, self->best_score);
  put_net (out, self->net);
  put_net (out, self->average);
  put_net (out, self->best);
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

/* --- reading ------------------------------------------------------------------------------------ */

static GobanBuilderNet *
take_net (GobanByteReader *reader, const char *origin, GError **error)
{
  guint32 size = goban_byte_reader_take_u32 (reader);
  const guint8 *data = goban_byte_reader_take (reader, size);
  GobanRng rng;
  g_autoptr (GobanBuilderNet) net = NULL;

  goban_rng_init (&rng, 0);
  net = goban_builder_net_new (&rng);
  if (data == NULL
      || !goban_params_read (goban_builder_net_get_params (net), data, size, origin, error))
    return NULL;
  return g_steal_pointer (&net);
}

static GobanBuilderPoint
take_point (GobanByteReader *reader)
{
  GobanBuilderPoint point = { .update = goban_byte_reader_take_u32 (reader) };
  double *values[]
      = { &point.reward,        &point.entropy,      &point.top_share, &point.even_share,
          &point.gradient_norm, &point.valid_greedy, &point.valid_best };

  point.imitates = goban_byte_reader_take_u32 (reader) != 0;
  for (gsize i = 0; i < G_N_ELEMENTS (values); i++)
    *values[i] = goban_byte_reader_take_double (reader);
  return point;
}

/* (nullable) */
static GobanBuilderTraining *
take_head (GobanByteReader *reader, GError **error)
{
  g_autofree char *text = goban_byte_reader_take_text (reader);
  g_autofree char *names = goban_byte_reader_take_text (reader);
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
  guint32 n;

  for (guint i = 0; i < G_N_ELEMENTS (self->rng.s); i++)
    self->rng.s[i] = goban_byte_reader_take_u64 (reader);
  self->n_done = goban_byte_reader_take_u32 (reader);
  self->best_score = goban_byte_reader_take_double (reader);
  for (guint i = 0; i < G_N_ELEMENTS (nets); i++)
    {
      *nets[i] = take_net (reader, origin, error);
      if (*nets[i] == NULL)
        return FALSE;
    }
  self->first = take_point (reader);
  n = goban_byte_reader_take_u32 (reader);
  for (guint32 i = 0; i < n && !reader->is_short; i++)
    {
      GobanBuilderPoint point = take_point (reader);

      g_array_append_val (self->points, point);
    }
  return !reader->is_short;
}

static gboolean
check_magic (GobanByteReader *reader, const guint8 *data, gsize size, const char *origin,
             GError **error)
{
  const guint8 *magic = goban_byte_reader_take (reader, MAGIC_SIZE);
  const char *problem = NULL;

  if (magic == NULL || memcmp (magic, MAGIC, MAGIC_SIZE) != 0)
    problem = "this is not a training run of the plan builder";
  else if (goban_byte_reader_take_u32 (reader) != VERSION)
    problem = "it is of another version of the program";
  else if (!goban_bytes_are_sealed (data, size))
    problem = "it is damaged or cut off: its checksum does not match";
  if (problem != NULL)
    g_set_error (error, GOBAN_ERROR, GOBAN_ERROR_PARSE, "%s: %s", origin, problem);
  return problem == NULL;
}

GobanBuilderTraining *
goban_builder_training_read (const guint8 *data, gsize size, const char *origin, GError **error)
{
  GobanByteReader reader
      = { .data = data, .left = size > GOBAN_SEAL_SIZE ? size - GOBAN_SEAL_SIZE : 0 };
  g_autoptr (GobanBuilderTraining) self = NULL;
  g_autoptr (GError) inner = NULL;

  if (!check_magic (&reader, data, size, origin, error))
    return NULL;
  self = take_head (&reader, &inner);
  if (self == NULL || !take_state (&reader, self, origin, &inner))
    {
      g_set_error (error, GOBAN_ERROR, GOBAN_ERROR_PARSE, "%s: %s", origin,
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
