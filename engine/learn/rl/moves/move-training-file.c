/* File of a training run (move-training.h): "GOBANMOV", version, configuration, random number
 * generator, counts, three networks with their moments, the labelled states, the curve, the score
 * of the initial network, and a checksum. */
#include "engine/learn/rl/moves/move-training-private.h"

#include "engine/core/error.h"
#include "engine/core/file-read.h"
#include "engine/core/file.h"
#include "engine/learn/rl/moves/move-training-file.h"
#include "engine/learn/rl/run-file.h"

#include <string.h>

static const GobanRunFormat format
    = { "GOBANMOV", 1, "this is not a training run of the network of moves" };

/* --- writing -------------------------------------------------------------------------------- */

static void
put_floats (GByteArray *out, const float *values, gsize n)
{
  for (gsize i = 0; i < n; i++)
    {
      guint32 bits;

      memcpy (&bits, &values[i], sizeof bits);
      goban_bytes_put_u32 (out, bits);
    }
}

static void
put_point (GByteArray *out, const GobanMovePoint *point)
{
  const double values[]
      = { point->error,         point->constant_error, point->improving, point->best_gain,
          point->gradient_norm, point->valid[0],       point->valid[1] };

  goban_bytes_put_u32 (out, point->update);
  for (gsize i = 0; i < G_N_ELEMENTS (values); i++)
    goban_bytes_put_double (out, values[i]);
}

GByteArray *
goban_move_training_write (GobanMoveTraining *self)
{
  GByteArray *out = g_byte_array_new ();
  g_autofree char *config = goban_move_training_config_to_text (&self->config);

  goban_run_file_begin (out, &format);
  goban_bytes_put_text (out, config);
  goban_run_file_put_rng (out, &self->rng);
  goban_bytes_put_u32 (out, self->n_done);
  goban_bytes_put_u64 (out, self->n_labels);
  goban_bytes_put_double (out, self->best_score);
  goban_run_file_put_net (out, self->net);
  goban_run_file_put_net (out, self->average);
  goban_run_file_put_net (out, self->best);
  goban_bytes_put_u32 (out, self->n_kept);
  goban_bytes_put_u32 (out, self->next);
  for (guint i = 0; i < self->n_kept; i++)
    {
      const GobanLabelledState *state = &self->states[i];

      goban_bytes_put_u32 (out, state->n);
      put_floats (out, state->facts, GOBAN_PROFILE_N);
      put_floats (out, state->x, (gsize) state->n * GOBAN_MOVE_N_FEATURES);
      put_floats (out, state->target, state->n);
    }
  goban_bytes_put_u32 (out, self->points->len);
  for (guint i = 0; i < self->points->len; i++)
    put_point (out, &g_array_index (self->points, GobanMovePoint, i));
  goban_bytes_put_double (out, self->first_score);
  goban_bytes_seal (out);
  return out;
}

gboolean
goban_move_training_save (GobanMoveTraining *self, const char *path, GError **error)
{
  g_autoptr (GByteArray) out = goban_move_training_write (self);

  return goban_file_write (path, (const char *) out->data, out->len, error);
}

/* --- reading -------------------------------------------------------------------------------- */

static void
take_floats (GobanByteReader *reader, float *values, gsize n)
{
  for (gsize i = 0; i < n; i++)
    {
      guint32 bits = goban_byte_reader_read_u32 (reader);

      memcpy (&values[i], &bits, sizeof bits);
    }
}

static gboolean
take_state (GobanByteReader *reader, const GobanMoveTrainingConfig *config,
            GobanLabelledState *state)
{
  guint32 n = goban_byte_reader_read_u32 (reader);

  if (n == 0 || n > config->n_labels)
    return FALSE;
  state->n = n;
  state->x = g_new (float, (gsize) n *GOBAN_MOVE_N_FEATURES);
  state->target = g_new (float, n);
  take_floats (reader, state->facts, GOBAN_PROFILE_N);
  take_floats (reader, state->x, (gsize) n * GOBAN_MOVE_N_FEATURES);
  take_floats (reader, state->target, n);
  return !reader->is_short;
}

static GobanMovePoint
take_point (GobanByteReader *reader)
{
  GobanMovePoint point = { .update = goban_byte_reader_read_u32 (reader) };
  double *values[]
      = { &point.error,         &point.constant_error, &point.improving, &point.best_gain,
          &point.gradient_norm, &point.valid[0],       &point.valid[1] };

  for (gsize i = 0; i < G_N_ELEMENTS (values); i++)
    *values[i] = goban_byte_reader_read_double (reader);
  return point;
}

static gboolean
take_nets (GobanByteReader *reader, GobanMoveTraining *self, const char *origin, GError **error)
{
  GobanScorerNet **nets[] = { &self->net, &self->average, &self->best };
  GobanRng rng;

  goban_rng_init (&rng, 0);
  for (guint i = 0; i < G_N_ELEMENTS (nets); i++)
    {
      *nets[i] = goban_move_net_new (&rng);
      if (!goban_run_file_read_net (reader, *nets[i], origin, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
take_lists (GobanByteReader *reader, GobanMoveTraining *self)
{
  guint32 n;

  self->n_kept = goban_byte_reader_read_u32 (reader);
  self->next = goban_byte_reader_read_u32 (reader);
  if (self->n_kept > self->config.n_states || self->next >= self->config.n_states)
    return FALSE;
  for (guint i = 0; i < self->n_kept; i++)
    if (!take_state (reader, &self->config, &self->states[i]))
      return FALSE;
  n = goban_byte_reader_read_u32 (reader);
  for (guint32 i = 0; i < n && !reader->is_short; i++)
    {
      GobanMovePoint point = take_point (reader);

      g_array_append_val (self->points, point);
    }
  if (reader->left > 0) /* older files end here */
    self->first_score = goban_byte_reader_read_double (reader);
  return !reader->is_short;
}

/* (nullable) */
static GobanMoveTraining *
take_all (GobanByteReader *reader, const char *origin, GError **error)
{
  g_autofree char *text = goban_byte_reader_read_text (reader);
  GobanMoveTrainingConfig config = goban_move_training_config_default ();
  g_autoptr (GobanMoveTraining) self = NULL;

  if (!goban_move_training_config_parse (text, &config, error))
    return NULL;
  self = goban_move_training_new_empty (&config);
  goban_run_file_read_rng (reader, &self->rng);
  self->n_done = goban_byte_reader_read_u32 (reader);
  self->n_labels = goban_byte_reader_read_u64 (reader);
  self->best_score = goban_byte_reader_read_double (reader);
  if (!take_nets (reader, self, origin, error) || !take_lists (reader, self))
    return NULL;
  return g_steal_pointer (&self);
}

GobanMoveTraining *
goban_move_training_read (const guint8 *data, gsize size, const char *origin, GError **error)
{
  GobanByteReader reader;
  GobanMoveTraining *self;
  g_autoptr (GError) inner = NULL;

  if (!goban_run_file_open (&reader, data, size, &format, origin, error))
    return NULL;
  self = take_all (&reader, origin, &inner);
  if (self == NULL)
    goban_set_error (error, GOBAN_ERROR_PARSE, "%s: %s", origin,
                     inner != NULL ? inner->message : "it ends too early");
  return self;
}

GobanMoveTraining *
goban_move_training_load (const char *path, GError **error)
{
  g_autoptr (GBytes) bytes = goban_file_read (path, GOBAN_FILE_RUN, error);

  return bytes != NULL ? goban_move_training_read (g_bytes_get_data (bytes, NULL),
                                                   g_bytes_get_size (bytes), path, error)
                       : NULL;
}
