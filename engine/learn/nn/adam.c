#include "engine/learn/nn/adam.h"

#include "engine/core/error.h"
#include "engine/learn/nn/vector.h"

#include <inttypes.h>
#include <math.h>

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

  for (guint t = 0; t < goban_params_get_n_tensors (params); t++)
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
                           goban_params_get_name (params, t), goban_params_get_network (params),
                           goban_params_get_n_steps (params) + 1);
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

  t = (double) goban_params_count_step (params);
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
  for (guint i = 0; i < goban_params_get_n_tensors (params); i++)
    update (goban_params_value (params, i), goban_params_mean (params, i),
            goban_params_square (params, i), goban_params_grad (params, i),
            goban_params_get_size (params, i),
            self->first_slow > 0 && i >= self->first_slow ? &slow : &step);
  return TRUE;
}
