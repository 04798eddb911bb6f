/* The network: its table of tensors, and their initial values. */
#include "engine/learn/policy/network.h"

#include "engine/core/error.h"
#include "engine/learn/policy/board.h"

#include <string.h>

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
    if (goban_tasks_have (config->decisions, (GobanTask) task))
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

      if (goban_tasks_have (self->config.decisions, (GobanTask) task))
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

GobanNetConfig
goban_net_config_paper (void)
{
  return (GobanNetConfig){
    .width = 128,
    .n_sage = 3,
    .graph_embedding = TRUE,
    .n_attention = 2,
    .n_heads = 4,
    .ffn = 512,
    .segment = 256,
    .stops_gradient = TRUE,
    .modulation = TRUE,
    .is_numbered = TRUE,
    .paper_features = TRUE,
    .is_sampled = TRUE,
    .n_iterations = 1,
    .decisions = GOBAN_TASKS_DEFAULT,
  };
}

GobanNetConfig
goban_net_config_goban (void)
{
  return (GobanNetConfig){
    .width = 64,
    .n_sage = 3,
    .is_directed = TRUE,
    .graph_embedding = TRUE,
    .n_attention = 1,
    .n_heads = 4,
    .ffn = 128,
    .segment = 128,
    .alternates = TRUE,
    .modulation = TRUE,
    .standardized = TRUE,
    .is_ordinal = TRUE,
    .n_iterations = 1,
    .decisions = GOBAN_TASKS_DEFAULT,
  };
}

int
goban_net_config_get_n_features (const GobanNetConfig *self)
{
  return self->paper_features ? GOBAN_BOARD_N_PAPER : GOBAN_BOARD_N_FEATURES;
}

int
goban_net_config_get_n_device_features (const GobanNetConfig *self)
{
  return self->is_numbered ? GOBAN_DEVICE_N_FEATURES : GOBAN_DEVICE_PLACE;
}

int
goban_net_config_get_n_directions (const GobanNetConfig *self)
{
  if (!self->graph_embedding)
    return 0;
  return self->is_directed ? 2 : 1;
}

/* --- text ----------------------------------------------------------------------------------- */

typedef struct
{
  const char *name;
  gsize offset; /* of an int, which gboolean is, too */
  int lowest, highest;
} Field;

/* The bounds keep all products of sizes small. */
static const Field fields[] = {
  { "width", G_STRUCT_OFFSET (GobanNetConfig, width), 1, 1024 },
  { "sage", G_STRUCT_OFFSET (GobanNetConfig, n_sage), 0, GOBAN_NET_MAX_LAYERS },
  { "directed", G_STRUCT_OFFSET (GobanNetConfig, is_directed), 0, 1 },
  { "graph", G_STRUCT_OFFSET (GobanNetConfig, graph_embedding), 0, 1 },
  { "attention", G_STRUCT_OFFSET (GobanNetConfig, n_attention), 0, GOBAN_NET_MAX_LAYERS },
  { "heads", G_STRUCT_OFFSET (GobanNetConfig, n_heads), 1, 64 },
  { "ffn", G_STRUCT_OFFSET (GobanNetConfig, ffn), 1, 8192 },
  { "segment", G_STRUCT_OFFSET (GobanNetConfig, segment), 1, 4096 },
  { "stops", G_STRUCT_OFFSET (GobanNetConfig, stops_gradient), 0, 1 },
  { "alternates", G_STRUCT_OFFSET (GobanNetConfig, alternates), 0, 1 },
  { "modulation", G_STRUCT_OFFSET (GobanNetConfig, modulation), 0, 1 },
  { "standardized", G_STRUCT_OFFSET (GobanNetConfig, standardized), 0, 1 },
  { "numbered", G_STRUCT_OFFSET (GobanNetConfig, is_numbered), 0, 1 },
  { "ordinal", G_STRUCT_OFFSET (GobanNetConfig, is_ordinal), 0, 1 },
  { "paper-features", G_STRUCT_OFFSET (GobanNetConfig, paper_features), 0, 1 },
  { "sampled", G_STRUCT_OFFSET (GobanNetConfig, is_sampled), 0, 1 },
  { "iterations", G_STRUCT_OFFSET (GobanNetConfig, n_iterations), 1, GOBAN_NET_MAX_ITERATIONS },
};
static const char decisions_name[] = "decisions";

static int *
get_field (const Field *field, const GobanNetConfig *config)
{
  return &G_STRUCT_MEMBER (int, config, field->offset);
}

char *
goban_net_config_to_text (const GobanNetConfig *self)
{
  GString *text = g_string_new (NULL);
  g_autofree char *decisions = goban_tasks_to_text (self->decisions);

  for (gsize i = 0; i < G_N_ELEMENTS (fields); i++)
    g_string_append_printf (text, "%s=%d,", fields[i].name, *get_field (&fields[i], self));
  g_string_append_printf (text, "%s=%s", decisions_name, g_strdelimit (decisions, ",", '+'));
  return g_string_free (text, FALSE);
}

static gboolean
fail (GError **error, const char *name, const char *what)
{
  return goban_refuse (error, GOBAN_ERROR_PARSE, "a network's “%s” %s", name, what);
}

gboolean
goban_net_config_check (const GobanNetConfig *self, GError **error)
{
  for (gsize i = 0; i < G_N_ELEMENTS (fields); i++)
    {
      const Field *field = &fields[i];
      int value = *get_field (field, self);

      if (value < field->lowest || value > field->highest)
        return goban_refuse (error, GOBAN_ERROR_PARSE,
                             "a network's “%s” is %d, which is not from %d to %d", field->name,
                             value, field->lowest, field->highest);
    }
  if (self->width % self->n_heads != 0)
    return fail (error, "width", "is not a multiple of its heads");
  if (self->decisions == 0 || (self->decisions & ~GOBAN_TASKS_ALL) != 0)
    return fail (error, decisions_name, "is empty or has an unknown decision");
  return TRUE;
}

static gboolean
parse_decisions (const char *value, GobanTasks *decisions, GError **error)
{
  g_autofree char *list = g_strdelimit (g_strdup (value), "+", ',');
  g_autoptr (GError) reason = NULL;

  if (goban_tasks_parse (list, decisions, &reason))
    return TRUE;
  return goban_refuse (error, GOBAN_ERROR_PARSE, "a network's “%s” are wrong: %s", decisions_name,
                       reason->message);
}

/* Parses "width=64" into its field; @seen has a bit for each field seen before. */
static gboolean
parse_pair (const char *pair, GobanNetConfig *config, guint *seen, GError **error)
{
  const char *sign = strchr (pair, '=');
  g_autofree char *name = sign != NULL ? g_strndup (pair, (gsize) (sign - pair)) : g_strdup (pair);
  gint64 value;

  if (sign == NULL)
    return fail (error, name, "has no value");
  for (gsize i = 0; i <= G_N_ELEMENTS (fields); i++)
    {
      const char *known = i < G_N_ELEMENTS (fields) ? fields[i].name : decisions_name;

      if (strcmp (name, known) != 0)
        continue;
      if ((*seen & (1u << i)) != 0)
        return fail (error, name, "is given twice");
      *seen |= 1u << i;
      if (i == G_N_ELEMENTS (fields))
        return parse_decisions (sign + 1, &config->decisions, error);
      if (!g_ascii_string_to_signed (sign + 1, 10, fields[i].lowest, fields[i].highest, &value,
                                     NULL)) /* the message below says more */
        return goban_refuse (error, GOBAN_ERROR_PARSE,
                             "a network's “%s” is “%s”, which is not a number from %d to %d", name,
                             sign + 1, fields[i].lowest, fields[i].highest);
      *get_field (&fields[i], config) = (int) value;
      return TRUE;
    }
  return fail (error, name, "is unknown");
}

gboolean
goban_net_config_parse (const char *text, GobanNetConfig *config, GError **error)
{
  g_auto (GStrv) pairs = g_strsplit (text, ",", -1);
  GobanNetConfig parsed = *config;
  guint seen = 0;

  for (gsize i = 0; pairs[i] != NULL && *text != '\0'; i++)
    if (!parse_pair (pairs[i], &parsed, &seen, error))
      return FALSE;
  if (!goban_net_config_check (&parsed, error))
    return FALSE;
  *config = parsed;
  return TRUE;
}
