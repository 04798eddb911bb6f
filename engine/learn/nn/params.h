/* params.h: the parameters of a network: ONE table of names and shapes.
 *
 * The table drives sizes, offsets, gradients, Adam's moments, the initial values and the
 * checkpoint file, so that they cannot disagree. Filled by goban_params_add(), closed by
 * goban_params_finish(); values and gradients exist from then on. One thread at a time writes;
 * any number may read the values meanwhile nobody does.
 *
 *   self->w = goban_params_add (params, "head.w", O, I, GOBAN_INIT_GLOROT);
 *   self->b = goban_params_add (params, "head.b", 1, O, GOBAN_INIT_ZEROS);
 *   goban_params_finish (params, &rng);
 *   goban_linear_forward (y, x, goban_params_value (params, self->w), ...);
 */
#pragma once

#include "engine/core/rng.h"

/* What a tensor (rows, cols) starts as. */
typedef enum
{
  GOBAN_INIT_ZEROS,
  GOBAN_INIT_ONES,
  GOBAN_INIT_GLOROT,    /* uniform, |x| < sqrt (6 / (rows + cols)): for tanh, sigmoid, softmax */
  GOBAN_INIT_HE,        /* uniform, |x| < sqrt (6 / cols): before a relu, cols being its inputs */
  GOBAN_INIT_EMBEDDING, /* uniform, |x| < 0.1 */
} GobanInit;

typedef struct
{
  char *name;
  guint rows;
  guint cols;
  GobanInit init;
  gsize offset;
} GobanTensorSpec;

/* Only read from outside. */
typedef struct
{
  char *network;
  GArray *tensors; /* of GobanTensorSpec */
  gsize n_floats;  /* with the gaps between tensors */
  guint64 n_steps; /* of the optimiser */
  float *values;   /* (n_floats) NULL before finish; the other three lie behind it */
  float *grads;
  float *means;
  float *squares;
} GobanParams;

/* @network: what it is a network of, "hdp": a checkpoint of another is refused. */
GobanParams *goban_params_new (const char *network) G_GNUC_WARN_UNUSED_RESULT;
void goban_params_free (GobanParams *self);

/* Names are unique and at most 200 bytes long. Returns the tensor's number: 0, 1, 2, ... */
guint goban_params_add (GobanParams *self, const char *name, guint rows, guint cols,
                        GobanInit init);

/* Allocates everything and draws the initial values, tensor by tensor. Once. */
void goban_params_finish (GobanParams *self, GobanRng *rng);

const GobanTensorSpec *goban_params_get_tensor (const GobanParams *self, guint tensor);
/* rows x cols */
gsize goban_params_get_size (const GobanParams *self, guint tensor);
/* All tensors' sizes together. */
gsize goban_params_get_total (const GobanParams *self);

/* (rows x cols) row-major, borrowed, at the same address as long as @self lives. */
float *goban_params_value (const GobanParams *self, guint tensor);
float *goban_params_grad (const GobanParams *self, guint tensor);
/* Adam's running means of the gradient and of its square. */
float *goban_params_mean (const GobanParams *self, guint tensor);
float *goban_params_square (const GobanParams *self, guint tensor);

void goban_params_zero_grad (GobanParams *self);

/* --- checkpoints --------------------------------------------------------------------------
 *
 * Little-endian: "GOBANNET", version, network, count of steps, count of tensors, then for each
 * its name, shape, values and (version 1) moments, and a SHA-256 of all before it. */

gboolean goban_params_save (const GobanParams *self, const char *path, GError **error);
/* Saves the values without Adam's moments (version 2 of the file): a third of the size, for
 * networks that are only used. A network that is read from it counts no steps. */
gboolean goban_params_save_values (const GobanParams *self, const char *path, GError **error);
/* The bytes of such a file. (transfer full) */
GByteArray *goban_params_write (const GobanParams *self) G_GNUC_WARN_UNUSED_RESULT;

/**
 * goban_params_load:
 *
 * The file must have this table's network, names and shapes, in this order, and nothing else.
 *
 * Returns: %FALSE with %GOBAN_ERROR_IO or %GOBAN_ERROR_PARSE set, which names the path and the
 *   tensor at fault, and @self untouched
 */
gboolean goban_params_load (GobanParams *self, const char *path, GError **error);

/* The same for bytes; @origin names them in messages. */
gboolean goban_params_read (GobanParams *self, const guint8 *data, gsize size, const char *origin,
                            GError **error);

/**
 * goban_params_read_network:
 *
 * Returns: (transfer full) (nullable): what such a file says it has the weights of, unchecked and
 *   in whatever bytes it says so; %NULL with %GOBAN_ERROR_PARSE set if it does not say
 */
char *goban_params_read_network (const guint8 *data, gsize size, const char *origin,
                                 GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanParams, goban_params_free)

/* The optimiser: Kingma and Ba, Adam, 2015, with its gradient clipped by norm.
 *
 *   g <- g min (1, clip_norm / |g|)      |g| over all tensors
 *   m <- beta1 m + (1 - beta1) g         v <- beta2 v + (1 - beta2) g^2
 *   w <- w - rate (m / (1 - beta1^t) / (sqrt (v / (1 - beta2^t)) + epsilon) + weight_decay w)
 */

typedef struct
{
  double rate;
  double beta1;
  double beta2;
  double epsilon;
  double clip_norm; /* 0: the gradient is taken as it is */
  double weight_decay;
  /* Tensors from this number on move at this share of the rate. 0: all move alike. */
  guint first_slow;
  double slow_share;
} GobanAdam;

/* The paper's constants, no clipping and no decay. */
GobanAdam goban_adam_new (double rate);

/**
 * goban_adam_step:
 * @norm: (out) (nullable): the gradient's norm before it was clipped
 *
 * Moves the values down the gradient, which it leaves as it is.
 *
 * Returns: %FALSE with %GOBAN_ERROR_INVALID set, which names the tensor, if the gradient is not
 *   finite; nothing has changed then
 */
gboolean goban_adam_step (const GobanAdam *self, GobanParams *params, double *norm, GError **error);
