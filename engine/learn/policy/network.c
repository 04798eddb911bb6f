/* The network: its table of tensors, and their initial values. */
#include "engine/learn/policy/board.h"
#include "engine/learn/policy/net-private.h"

/* Initial deviation of standardised logits. */
#define FIRST_GAMMA 2.0f

/* --- the table ------------------------------------------------------------------------------ */

typedef struct
{
  GobanParams *params;
  const GobanNetConfig *config;
  guint W;
} Builder;

static guint add (const Builder *self, guint rows, guint cols, GobanInit init, const char *format,
                  ...) G_GNUC_PRINTF (5, 6);

static guint
add (const Builder *self, guint rows, guint cols, GobanInit init, const char *format, ...)
{
  g_autofree char *name = NULL;
  va_list args;

  va_start (args, format);
  name = g_strdup_vprintf (format, args);
  va_end (args);
  return goban_params_add (self->params, name, rows, cols, init);
}

static GobanSageTensors
add_sage (const Builder *self, int l)
{
  static const char *const names[2][2] = { { "both", "" }, { "inputs", "outputs" } };
  int n = goban_net_config_get_n_directions (self->config);
  GobanSageTensors tensors = { .gamma = GOBAN_NET_NO_TENSOR, .beta = GOBAN_NET_NO_TENSOR };
  guint W = self->W;

  for (int i = 0; i < n; i++)
    {
      const char *name = names[n - 1][i];

      tensors.pool_w[i] = add (self, W, W, GOBAN_INIT_GLOROT, "sage.%d.pool.%s.w", l, name);
      tensors.pool_b[i] = add (self, 1, W, GOBAN_INIT_ZEROS, "sage.%d.pool.%s.b", l, name);
      tensors.heard_w[i] = add (self, W, W, GOBAN_INIT_GLOROT, "sage.%d.heard.%s.w", l, name);
    }
  tensors.self_w = add (self, W, W, GOBAN_INIT_HE, "sage.%d.self.w", l);
  tensors.b = add (self, 1, W, GOBAN_INIT_ZEROS, "sage.%d.b", l);
  if (self->config->is_directed)
    {
      tensors.gamma = add (self, 1, W, GOBAN_INIT_ONES, "sage.%d.norm.gamma", l);
      tensors.beta = add (self, 1, W, GOBAN_INIT_ZEROS, "sage.%d.norm.beta", l);
    }
  return tensors;
}

static GobanLayerTensors
add_layer (const Builder *self, const char *name)
{
  GobanLayerTensors tensors = { 0 };
  guint W = self->W, F = (guint) self->config->ffn;

  if (self->config->n_attention > 0)
    {
      tensors.q = add (self, W, W, GOBAN_INIT_GLOROT, "%s.q", name);
      tensors.k = add (self, W, W, GOBAN_INIT_GLOROT, "%s.k", name);
      tensors.v = add (self, W, W, GOBAN_INIT_GLOROT, "%s.v", name);
      tensors.o = add (self, W, W, GOBAN_INIT_GLOROT, "%s.o.w", name);
      tensors.o_b = add (self, 1, W, GOBAN_INIT_ZEROS, "%s.o.b", name);
    }
  for (int i = 0; i < 2; i++)
    {
      tensors.gamma[i] = add (self, 1, W, GOBAN_INIT_ONES, "%s.norm%d.gamma", name, i + 1);
      tensors.beta[i] = add (self, 1, W, GOBAN_INIT_ZEROS, "%s.norm%d.beta", name, i + 1);
    }
  tensors.in_w = add (self, F, W, GOBAN_INIT_HE, "%s.ffn.in.w", name);
  tensors.in_b = add (self, 1, F, GOBAN_INIT_ZEROS, "%s.ffn.in.b", name);
  tensors.out_w = add (self, W, F, GOBAN_INIT_GLOROT, "%s.ffn.out.w", name);
  tensors.out_b = add (self, 1, W, GOBAN_INIT_ZEROS, "%s.ffn.out.b", name);
  return tensors;
}

static GobanTaskTensors
add_task (const Builder *self, GobanTask task)
{
  const GobanNetConfig *config = self->config;
  const char *name = goban_task_get_name (task);
  GobanTaskTensors tensors = { .gamma = GOBAN_NET_NO_TENSOR, .again = GOBAN_NET_NO_TENSOR };
  gboolean is_level = task != GOBAN_TASK_PLACEMENT;
  guint W = self->W, A = is_level ? GOBAN_N_LEVELS : W;
  guint n_bias = is_level || config->is_numbered ? A : GOBAN_DEVICE_N_PROPERTIES;
  GobanInit init = is_level ? GOBAN_INIT_EMBEDDING : GOBAN_INIT_GLOROT;

  if (is_level && config->is_ordinal)
    tensors.head = add (self, 1, W, GOBAN_INIT_GLOROT, "%s.slope", name);
  else
    tensors.head = add (self, A, W, GOBAN_INIT_GLOROT, "%s.head", name);
  if (config->standardized || (is_level && config->is_ordinal))
    tensors.gamma = add (self, 1, 1, GOBAN_INIT_ONES, "%s.gamma", name);
  tensors.bias = add (self, 1, n_bias, GOBAN_INIT_ZEROS, "%s.bias", name);
  tensors.action = add (self, A, W, init, "%s.action", name);
  if (config->n_iterations > 1)
    tensors.again = add (self, A, W, init, "%s.again", name);
  return tensors;
}

void
goban_net_add_trunk (const GobanNetConfig *config, guint n_features, GobanParams *params,
                     GobanNetTensors *tensors)
{
  Builder self = { params, config, (guint) config->width };
  guint W = self.W;

  *tensors = (GobanNetTensors){ .c_w = GOBAN_NET_NO_TENSOR, .c_b = GOBAN_NET_NO_TENSOR };
  tensors->x_w = add (&self, W, n_features, GOBAN_INIT_GLOROT, "x.w");
  tensors->x_b = add (&self, 1, W, GOBAN_INIT_ZEROS, "x.b");
  for (int l = 0; l < config->n_sage; l++)
    tensors->sage[l] = add_sage (&self, l);
  if (config->modulation)
    {
      tensors->c_w = add (&self, W, W, GOBAN_INIT_ZEROS, "modulation.w");
      tensors->c_b = add (&self, 1, W, GOBAN_INIT_ZEROS, "modulation.b");
    }
  for (int l = 0; l < config->n_attention; l++)
    {
      g_autofree char *name = g_strdup_printf ("attention.%d", l);

      tensors->layers[l] = add_layer (&self, name);
    }
}

void
goban_net_add_tensors (const GobanNetConfig *config, GobanParams *params, GobanNetTensors *tensors)
{
  Builder self = { params, config, (guint) config->width };
  guint W = self.W;

  goban_net_add_trunk (config, (guint) goban_net_config_get_n_features (config), params, tensors);
  tensors->gamma = add (&self, 1, W, GOBAN_INIT_ONES, "tasks.norm.gamma");
  tensors->beta = add (&self, 1, W, GOBAN_INIT_ZEROS, "tasks.norm.beta");
  tensors->layers[config->n_attention] = add_layer (&self, "tasks");
  tensors->device_w[0] = add (&self, W, (guint) goban_net_config_get_n_device_features (config),
                              GOBAN_INIT_HE, "device.0.w");
  tensors->device_b[0] = add (&self, 1, W, GOBAN_INIT_ZEROS, "device.0.b");
  tensors->device_w[1] = add (&self, W, W, GOBAN_INIT_GLOROT, "device.1.w");
  tensors->device_b[1] = add (&self, 1, W, GOBAN_INIT_ZEROS, "device.1.b");
  for (int task = 0; task < GOBAN_N_TASKS; task++)
    if (goban_net_config_has_task (config, (GobanTask) task))
      tensors->tasks[task] = add_task (&self, (GobanTask) task);
}

/* --- construction and disposal -------------------------------------------------------------- */

static void
begin_task (GobanNet *self, const GobanTaskTensors *tensors, gboolean is_ordinal)
{
  if (tensors->gamma != GOBAN_NET_NO_TENSOR)
    *goban_params_value (self->params, tensors->gamma) = FIRST_GAMMA;
  /* Extreme levels are rare at first: most rows stay in the middle, where levels change little. */
  for (int l = 0; is_ordinal && l < GOBAN_N_LEVELS; l++)
    {
      float level = 2.0f * (float) l / (GOBAN_N_LEVELS - 1) - 1.0f;

      goban_params_value (self->params, tensors->bias)[l] = -2.0f * level * level;
    }
}

GobanNet *
goban_net_new (const GobanNetConfig *config, GobanRng *rng)
{
  GobanNet *self;

  g_return_val_if_fail (goban_net_config_check (config, NULL), NULL);
  self = g_new0 (GobanNet, 1);
  self->config = *config;
  self->params = goban_params_new ("go-oneshot");
  goban_net_add_tensors (config, self->params, &self->tensors);
  goban_params_finish (self->params, rng);

  /* Sets the initial values that are not drawn by a rule of engine/learn/nn/params.h. */
  for (int task = 0; task < GOBAN_N_TASKS; task++)
    {
      gboolean is_level = task != GOBAN_TASK_PLACEMENT;

      if (goban_net_config_has_task (&self->config, (GobanTask) task))
        begin_task (self, &self->tensors.tasks[task], is_level && self->config.is_ordinal);
    }

  return self;
}

void
goban_net_free (GobanNet *self)
{
  goban_params_free (self->params);
  g_free (self);
}

const GobanNetConfig *
goban_net_get_config (const GobanNet *self)
{
  return &self->config;
}

GobanParams *
goban_net_get_params (GobanNet *self)
{
  return self->params;
}
