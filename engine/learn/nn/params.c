#include "engine/learn/nn/params.h"

#include <math.h>
#include <string.h>

#define MAX_NAME 200
#define EMBEDDING_RANGE 0.1

/* Tensors begin at multiples of this many floats, a cache line. */
#define ALIGNMENT 16

typedef struct
{
  char *name;
  guint rows;
  guint cols;
  GobanInit init;
  gsize offset;
} Tensor;

struct _GobanParams
{
  char *network;
  GArray *tensors; /* of Tensor */
  gsize n_floats;  /* with the gaps between tensors */
  guint64 n_steps;
  float *values; /* (n_floats) NULL before finish; the other three lie behind it */
  float *grads;
  float *means;
  float *squares;
};

static void
clear_tensor (gpointer data)
{
  Tensor *tensor = data;

  g_free (tensor->name);
}

static const Tensor *
get_tensor (const GobanParams *self, guint tensor)
{
  g_assert (tensor < self->tensors->len);
  return &g_array_index (self->tensors, Tensor, tensor);
}

static void
draw_uniform (float *values, gsize n, double range, GobanRng *rng)
{
  for (gsize i = 0; i < n; i++)
    values[i] = (float) (range * (2 * goban_rng_uniform (rng) - 1));
}

static void
initialise (float *values, const Tensor *tensor, GobanRng *rng)
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
  self->tensors = g_array_new (FALSE, FALSE, sizeof (Tensor));
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
  Tensor tensor = { g_strdup (name), rows, cols, init, self->n_floats };
  gsize size = (gsize) rows * cols;

  g_assert (self->values == NULL && strlen (name) <= MAX_NAME && size > 0);
  for (guint t = 0; t < self->tensors->len; t++)
    g_assert (strcmp (get_tensor (self, t)->name, name) != 0);

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
    initialise (goban_params_value (self, t), get_tensor (self, t), rng);
}

const char *
goban_params_get_network (const GobanParams *self)
{
  return self->network;
}

guint
goban_params_get_n_tensors (const GobanParams *self)
{
  return self->tensors->len;
}

const char *
goban_params_get_name (const GobanParams *self, guint tensor)
{
  return get_tensor (self, tensor)->name;
}

guint
goban_params_get_rows (const GobanParams *self, guint tensor)
{
  return get_tensor (self, tensor)->rows;
}

guint
goban_params_get_cols (const GobanParams *self, guint tensor)
{
  return get_tensor (self, tensor)->cols;
}

gsize
goban_params_get_size (const GobanParams *self, guint tensor)
{
  const Tensor *t = get_tensor (self, tensor);

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

guint64
goban_params_get_n_steps (const GobanParams *self)
{
  return self->n_steps;
}

float *
goban_params_value (const GobanParams *self, guint tensor)
{
  return self->values + get_tensor (self, tensor)->offset;
}

float *
goban_params_grad (const GobanParams *self, guint tensor)
{
  return self->grads + get_tensor (self, tensor)->offset;
}

float *
goban_params_mean (const GobanParams *self, guint tensor)
{
  return self->means + get_tensor (self, tensor)->offset;
}

float *
goban_params_square (const GobanParams *self, guint tensor)
{
  return self->squares + get_tensor (self, tensor)->offset;
}

void
goban_params_zero_grad (GobanParams *self)
{
  memset (self->grads, 0, self->n_floats * sizeof *self->grads);
}

guint64
goban_params_count_step (GobanParams *self)
{
  return ++self->n_steps;
}

void
goban_params_set_n_steps (GobanParams *self, guint64 n_steps)
{
  self->n_steps = n_steps;
}
