/* The network: its table of tensors, copies and checkpoints. */
#include "engine/core/error.h"
#include "engine/core/file-read.h"
#include "engine/learn/policy/board.h"
#include "engine/learn/policy/net-private.h"

#include <string.h>

/* Contains the version of the format. Networks of version 1 had diverged biases by device
 * number. */
#define NETWORK_PREFIX "go-2:"
#define OLD_PREFIX "go:"
/* Pull of logits that engine/learn/rl/change-bias.h divides by 4. */
#define FIRST_PULL 8.0f
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

static GobanHeadTensors
add_head (const Builder *self, GobanTask task, const char *name)
{
  const GobanNetConfig *config = self->config;
  GobanHeadTensors tensors = { .gamma = GOBAN_NET_NO_TENSOR };
  gboolean is_level = task != GOBAN_TASK_PLACEMENT;
  guint W = self->W, A = is_level ? GOBAN_N_LEVELS : W;
  guint n_bias = is_level || config->is_numbered ? A : GOBAN_DEVICE_N_PROPERTIES;

  if (is_level && config->is_ordinal)
    tensors.head = add (self, 1, W, GOBAN_INIT_GLOROT, "%s.slope", name);
  else
    tensors.head = add (self, A, W, GOBAN_INIT_GLOROT, "%s.head", name);
  if (config->standardized || (is_level && config->is_ordinal))
    tensors.gamma = add (self, 1, 1, GOBAN_INIT_ONES, "%s.gamma", name);
  tensors.bias = add (self, 1, n_bias, GOBAN_INIT_ZEROS, "%s.bias", name);
  return tensors;
}

static GobanTaskTensors
add_task (const Builder *self, GobanTask task)
{
  const GobanNetConfig *config = self->config;
  const char *name = goban_task_get_name (task);
  g_autofree char *of_changes = g_strdup_printf ("%s.changes", name);
  GobanTaskTensors tensors = { .again = GOBAN_NET_NO_TENSOR };
  gboolean is_level = task != GOBAN_TASK_PLACEMENT;
  guint W = self->W, A = is_level ? GOBAN_N_LEVELS : W;

  tensors.heads[0] = add_head (self, task, name);
  tensors.heads[1] = config->has_two_heads ? add_head (self, task, of_changes) : tensors.heads[0];
  tensors.action
      = add (self, A, W, is_level ? GOBAN_INIT_EMBEDDING : GOBAN_INIT_GLOROT, "%s.action", name);
  if (config->n_iterations > 1)
    tensors.again
        = add (self, A, W, is_level ? GOBAN_INIT_EMBEDDING : GOBAN_INIT_GLOROT, "%s.again", name);
  if (!is_level)
    tensors.pair = add (self, 1, GOBAN_BOARD_N_PAIRS, GOBAN_INIT_ZEROS, "%s.pair", name);
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
begin_head (GobanNet *self, const GobanHeadTensors *tensors, gboolean is_ordinal)
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

/* Without values yet. */
static GobanNet *
new_unfinished (const GobanNetConfig *config)
{
  GobanNet *self = g_new0 (GobanNet, 1);
  g_autofree char *text = goban_net_config_to_text (config);
  g_autofree char *network = g_strconcat (NETWORK_PREFIX, text, NULL);

  self->config = *config;
  self->params = goban_params_new (network);
  goban_net_add_tensors (config, self->params, &self->tensors);
  return self;
}

GobanNet *
goban_net_new (const GobanNetConfig *config, GobanRng *rng)
{
  GobanNet *self;

  g_return_val_if_fail (goban_net_config_check (config, NULL), NULL);
  self = new_unfinished (config);
  goban_params_finish (self->params, rng);

  /* Sets the initial values that are not drawn by a rule of engine/learn/nn/params.h. */
  for (int task = 0; task < GOBAN_N_TASKS; task++)
    {
      const GobanTaskTensors *tensors = &self->tensors.tasks[task];
      gboolean is_level = task != GOBAN_TASK_PLACEMENT;

      if (!goban_net_config_has_task (&self->config, (GobanTask) task))
        continue;
      if (!is_level)
        {
          /* Initial weights for improving a plan: prefer the device of the neighbours and lower
           * load, and change rows with much credit first. */
          float *pair = goban_params_value (self->params, tensors->pair);

          pair[GOBAN_PAIR_NEAR] = FIRST_PULL;
          pair[GOBAN_PAIR_NEAR_HERE] = -FIRST_PULL;
          pair[GOBAN_PAIR_LOAD] = -FIRST_PULL / 8;
          pair[GOBAN_PAIR_BLAME] = FIRST_PULL / 4;
        }
      for (int i = 0; i < GOBAN_NET_N_HEADS; i++)
        begin_head (self, &tensors->heads[i], is_level && self->config.is_ordinal);
    }

  return self;
}

void
goban_net_free (GobanNet *self)
{
  goban_params_free (self->params);
  g_free (self);
}

GobanNet *
goban_net_copy (const GobanNet *self)
{
  GobanRng rng;
  GobanNet *copy = new_unfinished (&self->config);

  goban_rng_init (&rng, 0);
  goban_params_finish (copy->params, &rng);
  for (guint t = 0; t < goban_params_get_n_tensors (self->params); t++)
    {
      gsize size = goban_params_get_size (self->params, t) * sizeof (float);

      memcpy (goban_params_value (copy->params, t), goban_params_value (self->params, t), size);
      memcpy (goban_params_grad (copy->params, t), goban_params_grad (self->params, t), size);
      memcpy (goban_params_mean (copy->params, t), goban_params_mean (self->params, t), size);
      memcpy (goban_params_square (copy->params, t), goban_params_square (self->params, t), size);
    }
  goban_params_set_n_steps (copy->params, goban_params_get_n_steps (self->params));
  return copy;
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

/* --- checkpoints ---------------------------------------------------------------------------- */

gboolean
goban_net_save (GobanNet *self, const char *path, GError **error)
{
  return goban_params_save_values (self->params, path, error);
}

/* Reads the configuration from the header of a checkpoint; see engine/learn/nn/params.h. */
static gboolean
read_config (const guint8 *data, gsize size, const char *path, GobanNetConfig *config,
             GError **error)
{
  g_autofree char *name = goban_params_read_network (data, size, path, error);
  g_autoptr (GError) reason = NULL;

  if (name == NULL)
    return FALSE;
  if (g_str_has_prefix (name, OLD_PREFIX))
    {
      goban_set_error (
          error, GOBAN_ERROR_PARSE,
          "%s: this network is of version 1, which told devices apart by their numbers; this "
          "program reads version 2: make it anew with “goban-cli train go”",
          path);
      return FALSE;
    }
  if (!g_str_has_prefix (name, NETWORK_PREFIX))
    {
      g_autofree char *valid = g_utf8_make_valid (name, -1);

      goban_set_error (error, GOBAN_ERROR_PARSE,
                       "%s: it has the weights of a network “%.200s”, not of GO's", path, valid);
      return FALSE;
    }
  if (goban_net_config_parse (name + strlen (NETWORK_PREFIX), config, &reason))
    return TRUE;
  goban_set_error (error, GOBAN_ERROR_PARSE, "%s: %s", path, reason->message);
  return FALSE;
}

gboolean
goban_net_is_file (const char *path)
{
  GobanFileReading reading = { .kind = GOBAN_FILE_NETWORK, .only_regular = TRUE };
  g_autoptr (GBytes) bytes = goban_file_read_with (path, &reading, NULL);
  g_autofree char *name = NULL;
  const guint8 *data;
  gsize size;

  /* Errors are reported when it is loaded, and a pipe can be read only once. */
  if (bytes == NULL)
    return FALSE;
  data = g_bytes_get_data (bytes, &size);
  name = goban_params_read_network (data, size, path, NULL);
  return name != NULL
         && (g_str_has_prefix (name, NETWORK_PREFIX) || g_str_has_prefix (name, OLD_PREFIX));
}

GobanNet *
goban_net_load (const char *path, GError **error)
{
  g_autoptr (GBytes) bytes = goban_file_read (path, GOBAN_FILE_NETWORK, error);
  g_autoptr (GobanNet) self = NULL;
  GobanNetConfig config;
  GobanRng rng;
  gsize size;
  const guint8 *data;

  if (bytes == NULL)
    return NULL;
  data = g_bytes_get_data (bytes, &size);
  if (!read_config (data, size, path, &config, error))
    return NULL;
  self = new_unfinished (&config);
  /* Nothing is allocated that the file does not fill. */
  if (goban_params_get_total (self->params) > size / sizeof (float))
    {
      goban_set_error (error, GOBAN_ERROR_PARSE,
                       "%s: it is too short for the %zu parameters of its network", path,
                       goban_params_get_total (self->params));
      return NULL;
    }
  goban_rng_init (&rng, 0);
  goban_params_finish (self->params, &rng);
  if (!goban_params_read (self->params, data, size, path, error))
    return NULL;
  return g_steal_pointer (&self);
}
