#include "engine/learn/nn/params.h"

#include "engine/core/bytes.h"
#include "engine/core/error.h"
#include "engine/core/file-read.h"
#include "engine/core/file.h"
#include "engine/core/i18n.h"
#include "engine/learn/nn/vector.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#define MAX_NAME 200
#define EMBEDDING_RANGE 0.1

/* Tensors begin at multiples of this many floats, a cache line. */
#define ALIGNMENT 16

static void
clear_tensor (gpointer data)
{
  GobanTensorSpec *tensor = data;

  g_free (tensor->name);
}

const GobanTensorSpec *
goban_params_get_tensor (const GobanParams *self, guint tensor)
{
  g_assert (tensor < self->tensors->len);
  return &g_array_index (self->tensors, GobanTensorSpec, tensor);
}

static void
draw_uniform (float *values, gsize n, double range, GobanRng *rng)
{
  for (gsize i = 0; i < n; i++)
    values[i] = (float) (range * (2 * goban_rng_uniform (rng) - 1));
}

static void
initialise (float *values, const GobanTensorSpec *tensor, GobanRng *rng)
{
  gsize n = (gsize) tensor->rows * tensor->cols;

  switch (tensor->init)
    {
    case GOBAN_INIT_ZEROS:
      break;
    case GOBAN_INIT_ONES:
      for (gsize i = 0; i < n; i++)
        values[i] = 1;
      break;
    case GOBAN_INIT_GLOROT:
      draw_uniform (values, n, sqrt (6.0 / ((double) tensor->rows + tensor->cols)), rng);
      break;
    case GOBAN_INIT_HE:
      draw_uniform (values, n, sqrt (6.0 / tensor->cols), rng);
      break;
    case GOBAN_INIT_EMBEDDING:
      draw_uniform (values, n, EMBEDDING_RANGE, rng);
      break;
    }
}

GobanParams *
goban_params_new (const char *network)
{
  GobanParams *self = g_new0 (GobanParams, 1);

  self->network = g_strdup (network);
  self->tensors = g_array_new (FALSE, FALSE, sizeof (GobanTensorSpec));
  g_array_set_clear_func (self->tensors, clear_tensor);
  return self;
}

void
goban_params_free (GobanParams *self)
{
  g_free (self->network);
  g_array_unref (self->tensors);
  g_free (self->values);
  g_free (self);
}

guint
goban_params_add (GobanParams *self, const char *name, guint rows, guint cols, GobanInit init)
{
  GobanTensorSpec tensor = { g_strdup (name), rows, cols, init, self->n_floats };
  gsize size = (gsize) rows * cols;

  g_assert (self->values == NULL && strlen (name) <= MAX_NAME && size > 0);
  for (guint t = 0; t < self->tensors->len; t++)
    g_assert (strcmp (goban_params_get_tensor (self, t)->name, name) != 0);

  g_array_append_val (self->tensors, tensor);
  self->n_floats += (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  return self->tensors->len - 1;
}

void
goban_params_finish (GobanParams *self, GobanRng *rng)
{
  g_assert (self->values == NULL && self->n_floats > 0);
  self->values = g_new0 (float, 4 * self->n_floats);
  self->grads = self->values + self->n_floats;
  self->means = self->grads + self->n_floats;
  self->squares = self->means + self->n_floats;
  for (guint t = 0; t < self->tensors->len; t++)
    initialise (goban_params_value (self, t), goban_params_get_tensor (self, t), rng);
}

gsize
goban_params_get_size (const GobanParams *self, guint tensor)
{
  const GobanTensorSpec *t = goban_params_get_tensor (self, tensor);

  return (gsize) t->rows * t->cols;
}

gsize
goban_params_get_total (const GobanParams *self)
{
  gsize total = 0;

  for (guint t = 0; t < self->tensors->len; t++)
    total += goban_params_get_size (self, t);
  return total;
}

float *
goban_params_value (const GobanParams *self, guint tensor)
{
  return self->values + goban_params_get_tensor (self, tensor)->offset;
}

float *
goban_params_grad (const GobanParams *self, guint tensor)
{
  return self->grads + goban_params_get_tensor (self, tensor)->offset;
}

float *
goban_params_mean (const GobanParams *self, guint tensor)
{
  return self->means + goban_params_get_tensor (self, tensor)->offset;
}

float *
goban_params_square (const GobanParams *self, guint tensor)
{
  return self->squares + goban_params_get_tensor (self, tensor)->offset;
}

void
goban_params_zero_grad (GobanParams *self)
{
  memset (self->grads, 0, self->n_floats * sizeof *self->grads);
}

typedef struct
{
  float scale; /* of the gradient, by clipping */
  float beta1;
  float beta2;
  float rate;       /* with the bias of the mean taken out */
  float correction; /* of the square */
  float epsilon;
  float keep; /* 1 - rate * weight_decay */
} Step;

GobanAdam
goban_adam_new (double rate)
{
  return (GobanAdam){ .rate = rate, .beta1 = 0.9, .beta2 = 0.999, .epsilon = 1e-8 };
}

/* NAN with @error set if a tensor's gradient is not finite. */
static double
find_norm (const GobanParams *params, GError **error)
{
  double total = 0;

  for (guint t = 0; t < params->tensors->len; t++)
    {
      const float *values = goban_params_grad (params, t);
      gsize n = goban_params_get_size (params, t);
      double sum = 0;

      for (gsize i = 0; i < n; i++)
        sum += (double) values[i] * (double) values[i];

      if (!isfinite (sum))
        {
          goban_set_error (error, GOBAN_ERROR_INVALID,
                           "the gradient of tensor “%s” of network “%s” is not finite at step "
                           "%" PRIu64,
                           goban_params_get_tensor (params, t)->name, params->network,
                           params->n_steps + 1);
          return (double) NAN;
        }
      total += sum;
    }
  return sqrt (total);
}

GOBAN_VECTOR static void
update (float *w, float *m, float *v, const float *g, gsize n, const Step *step)
{
  Step s = *step;

  for (gsize i = 0; i < n; i++)
    {
      float gradient = goban_flush (g[i] * s.scale);

      m[i] = goban_flush (s.beta1 * m[i] + (1.0f - s.beta1) * gradient);
      v[i] = s.beta2 * v[i] + (1.0f - s.beta2) * gradient * gradient;
      w[i] = s.keep * w[i] - s.rate * m[i] / (sqrtf (v[i] * s.correction) + s.epsilon);
    }
}

gboolean
goban_adam_step (const GobanAdam *self, GobanParams *params, double *norm, GError **error)
{
  double length = find_norm (params, error);
  double t;
  Step step, slow;

  if (!isfinite (length))
    return FALSE;
  if (norm != NULL)
    *norm = length;

  t = (double) ++params->n_steps;
  step = (Step){
    .scale
    = self->clip_norm > 0 && length > self->clip_norm ? (float) (self->clip_norm / length) : 1,
    .beta1 = (float) self->beta1,
    .beta2 = (float) self->beta2,
    .rate = (float) (self->rate / (1 - pow (self->beta1, t))),
    .correction = (float) (1 / (1 - pow (self->beta2, t))),
    .epsilon = (float) self->epsilon,
    .keep = (float) (1 - self->rate * self->weight_decay),
  };
  slow = step;
  slow.rate *= (float) self->slow_share;
  for (guint i = 0; i < params->tensors->len; i++)
    update (goban_params_value (params, i), goban_params_mean (params, i),
            goban_params_square (params, i), goban_params_grad (params, i),
            goban_params_get_size (params, i),
            self->first_slow > 0 && i >= self->first_slow ? &slow : &step);
  return TRUE;
}

/* Checkpoints: the table of params.h as bytes, and back from any bytes at all. */

#define MAGIC "GOBANNET"
#define MAGIC_SIZE 8
#define VERSION 1           /* with Adam's moments */
#define VERSION_OF_VALUES 2 /* without */
#define N_PARTS 3           /* values, means, squares */

/* --- writing ------------------------------------------------------------------------------ */

/* The parts of a tensor in the order of the file. */
static float *
get_part (const GobanParams *self, guint tensor, guint part)
{
  switch (part)
    {
    case 0:
      return goban_params_value (self, tensor);
    case 1:
      return goban_params_mean (self, tensor);
    default:
      return goban_params_square (self, tensor);
    }
}

static GByteArray *
write_parts (const GobanParams *self, guint n_parts)
{
  GByteArray *out = g_byte_array_new ();

  g_byte_array_append (out, (const guint8 *) MAGIC, MAGIC_SIZE);
  goban_bytes_put_u32 (out, n_parts == N_PARTS ? VERSION : VERSION_OF_VALUES);
  goban_bytes_put_text (out, self->network);
  goban_bytes_put_u64 (out, n_parts == N_PARTS ? self->n_steps : 0);
  goban_bytes_put_u32 (out, self->tensors->len);
  for (guint t = 0; t < self->tensors->len; t++)
    {
      goban_bytes_put_text (out, goban_params_get_tensor (self, t)->name);
      goban_bytes_put_u32 (out, goban_params_get_tensor (self, t)->rows);
      goban_bytes_put_u32 (out, goban_params_get_tensor (self, t)->cols);
      for (guint part = 0; part < n_parts; part++)
        {
          const float *values = get_part (self, t, part);
          gsize n = goban_params_get_size (self, t);

          for (gsize i = 0; i < n; i++)
            goban_bytes_put_float (out, values[i]);
        }
    }
  goban_bytes_seal (out);
  return out;
}

GByteArray *
goban_params_write (const GobanParams *self)
{
  return write_parts (self, N_PARTS);
}

gboolean
goban_params_save (const GobanParams *self, const char *path, GError **error)
{
  g_autoptr (GByteArray) out = goban_params_write (self);

  return goban_file_write (path, (const char *) out->data, out->len, error);
}

gboolean
goban_params_save_values (const GobanParams *self, const char *path, GError **error)
{
  g_autoptr (GByteArray) out = write_parts (self, 1);

  return goban_file_write (path, (const char *) out->data, out->len, error);
}

/* --- reading ------------------------------------------------------------------------------ */

typedef struct
{
  GobanByteReader bytes; /* without the seal */
  const char *origin;
  guint n_parts; /* of a tensor */
} Reader;

static gboolean fail (const Reader *reader, GError **error, const char *format, ...)
    G_GNUC_PRINTF (3, 4);

static gboolean
fail (const Reader *reader, GError **error, const char *format, ...)
{
  g_autofree char *what = NULL;
  va_list args;

  va_start (args, format);
  what = g_strdup_vprintf (format, args);
  va_end (args);
  return goban_refuse (error, GOBAN_ERROR_PARSE, "%s: %s", reader->origin, what);
}

/* Whether the next text is @expected; FALSE with what was found in *found (printable) else. */
static gboolean
take_expected (GobanByteReader *bytes, const char *expected, char **found)
{
  guint32 length = goban_byte_reader_read_u32 (bytes);
  const guint8 *text = goban_byte_reader_read (bytes, length);
  g_autofree char *start = NULL;

  *found = NULL;
  if (text == NULL)
    return FALSE;
  if (length == strlen (expected) && memcmp (text, expected, length) == 0)
    return TRUE;
  start = g_strndup ((const char *) text, MIN (length, 200));
  *found = g_utf8_make_valid (start, -1);
  return FALSE;
}

static gboolean
read_head (Reader *reader, const GobanParams *self, guint64 *n_steps, GError **error)
{
  GobanByteReader *bytes = &reader->bytes;
  const guint8 *magic = goban_byte_reader_read (bytes, MAGIC_SIZE);
  guint32 version = goban_byte_reader_read_u32 (bytes);
  const char *network = self->network;
  g_autofree char *found = NULL;
  guint32 n_tensors;

  if (magic == NULL || memcmp (magic, MAGIC, MAGIC_SIZE) != 0)
    return fail (reader, error, _ ("this is not a file of network weights"));
  if (version != VERSION && version != VERSION_OF_VALUES && !bytes->is_short)
    return fail (reader, error, _ ("its version is %u, this program reads %u and %u"), version,
                 VERSION, VERSION_OF_VALUES);
  reader->n_parts = version == VERSION ? N_PARTS : 1;
  if (!take_expected (bytes, network, &found) && found != NULL)
    return fail (reader, error, _ ("it has the weights of a network “%s”, not of “%s”"), found,
                 network);
  *n_steps = goban_byte_reader_read_u64 (bytes);
  n_tensors = goban_byte_reader_read_u32 (bytes);
  if (bytes->is_short)
    return fail (reader, error, _ ("it ends within its head"));
  if (n_tensors != self->tensors->len)
    return fail (reader, error, _ ("it has %u tensors, the network %u"), n_tensors,
                 self->tensors->len);
  return TRUE;
}

static gboolean
read_shape (Reader *reader, const GobanParams *self, guint tensor, GError **error)
{
  GobanByteReader *bytes = &reader->bytes;
  const char *name = goban_params_get_tensor (self, tensor)->name;
  g_autofree char *found = NULL;
  guint32 rows, cols;

  if (!take_expected (bytes, name, &found))
    {
      if (found == NULL)
        return fail (reader, error, _ ("it ends before tensor “%s”"), name);
      return fail (reader, error, _ ("tensor “%s” stands where “%s” should be"), found, name);
    }
  rows = goban_byte_reader_read_u32 (bytes);
  cols = goban_byte_reader_read_u32 (bytes);
  if (bytes->is_short)
    return fail (reader, error, _ ("it ends within tensor “%s”"), name);
  if (rows != goban_params_get_tensor (self, tensor)->rows
      || cols != goban_params_get_tensor (self, tensor)->cols)
    return fail (reader, error, _ ("tensor “%s” is %u x %u, the network's is %u x %u"), name, rows,
                 cols, goban_params_get_tensor (self, tensor)->rows,
                 goban_params_get_tensor (self, tensor)->cols);
  return TRUE;
}

/* Checks the numbers of one part, and keeps them if @values is not NULL. */
static gboolean
read_part (Reader *reader, const GobanParams *self, guint tensor, float *values, GError **error)
{
  const char *name = goban_params_get_tensor (self, tensor)->name;
  gsize n = goban_params_get_size (self, tensor);

  if (n > reader->bytes.left / sizeof (float))
    return fail (reader, error, _ ("it ends within tensor “%s”"), name);
  for (gsize i = 0; i < n; i++)
    {
      float value = goban_byte_reader_read_float (&reader->bytes);

      if (!isfinite (value))
        return fail (reader, error, _ ("tensor “%s” has a number that is not finite"), name);
      if (values != NULL)
        values[i] = value;
    }
  return TRUE;
}

static gboolean
read_tensors (Reader *reader, GobanParams *self, gboolean keep, GError **error)
{
  for (guint t = 0; t < self->tensors->len; t++)
    {
      if (!read_shape (reader, self, t, error))
        return FALSE;
      for (guint part = 0; part < reader->n_parts; part++)
        if (!read_part (reader, self, t, keep ? get_part (self, t, part) : NULL, error))
          return FALSE;
      for (guint part = reader->n_parts; keep && part < N_PARTS; part++)
        memset (get_part (self, t, part), 0, goban_params_get_size (self, t) * sizeof (float));
    }
  return TRUE;
}

gboolean
goban_params_read (GobanParams *self, const guint8 *data, gsize size, const char *origin,
                   GError **error)
{
  Reader reader
      = { { data, size > GOBAN_SEAL_SIZE ? size - GOBAN_SEAL_SIZE : 0, FALSE }, origin, N_PARTS };
  GobanByteReader tensors;
  guint64 n_steps = 0;

  if (!read_head (&reader, self, &n_steps, error))
    return FALSE;
  tensors = reader.bytes;
  if (!read_tensors (&reader, self, FALSE, error))
    return FALSE;
  if (reader.bytes.left > 0)
    return fail (&reader, error, "%" G_GSIZE_FORMAT " bytes follow the last tensor",
                 reader.bytes.left);
  if (!goban_bytes_are_sealed (data, size))
    return fail (&reader, error, _ ("it is damaged: its checksum does not match its numbers"));

  /* The second pass repeats what has just gone well, so it cannot fail half-way. */
  reader.bytes = tensors;
  self->n_steps = n_steps;
  return read_tensors (&reader, self, TRUE, error);
}

/* What the head says that the weights are of: no more than this has been looked at. */
char *
goban_params_read_network (const guint8 *data, gsize size, const char *origin, GError **error)
{
  Reader reader = { { data, size, FALSE }, origin, N_PARTS };
  const guint8 *magic = goban_byte_reader_read (&reader.bytes, MAGIC_SIZE);
  const guint8 *text;
  guint32 length;

  goban_byte_reader_read_u32 (&reader.bytes); /* the version, which goban_params_read() judges */
  length = goban_byte_reader_read_u32 (&reader.bytes);
  if (reader.bytes.is_short || memcmp (magic, MAGIC, MAGIC_SIZE) != 0)
    {
      fail (&reader, error, _ ("this is not a file of network weights"));
      return NULL;
    }
  text = goban_byte_reader_read (&reader.bytes, length);
  if (text == NULL)
    {
      fail (&reader, error, _ ("it ends within its head"));
      return NULL;
    }
  return g_strndup ((const char *) text, length);
}

gboolean
goban_params_load (GobanParams *self, const char *path, GError **error)
{
  g_autoptr (GBytes) bytes = goban_file_read (path, GOBAN_FILE_NETWORK, error);
  gsize size;
  const guint8 *data;

  if (bytes == NULL)
    return FALSE;
  data = g_bytes_get_data (bytes, &size);
  return goban_params_read (self, data, size, path, error);
}
