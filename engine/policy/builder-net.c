#include "engine/policy/builder-net.h"

#include "engine/policy/partial-schedule.h"

#include <string.h>

#define F GOBAN_CHOICE_N
#define C GOBAN_CONTEXT_N
#define H GOBAN_SCORER_HIDDEN
#define K GOBAN_SCORER_SECOND

struct _GobanBuilderNet
{
  GobanParams *params;
  GobanScorer scorer;
  GobanScorer gradients;
};

static const struct
{
  const char *name;
  guint rows;
  guint cols;
  GobanInit init;
} tensors[] = {
  { "features", F, H, GOBAN_INIT_GLOROT },   { "context", C, H, GOBAN_INIT_GLOROT },
  { "hidden", 1, H, GOBAN_INIT_ZEROS },      { "second", H, K, GOBAN_INIT_GLOROT },
  { "second_bias", 1, K, GOBAN_INIT_ZEROS }, { "out", 1, K, GOBAN_INIT_EMBEDDING },
  { "linear", 1, F, GOBAN_INIT_ZEROS },
};

/* A row goes where it starts first, costs little to move to and has its neighbours. */
static void
set_rule (float *linear)
{
  linear[GOBAN_CHOICE_LATE_START] = -4;
  linear[GOBAN_CHOICE_MOVING] = -2;
  linear[GOBAN_CHOICE_LOAD_OVER_MEAN] = -1;
  linear[GOBAN_CHOICE_MEMORY_SHORT] = -5;
  linear[GOBAN_CHOICE_WALKS + 1] = 2;
  linear[GOBAN_CHOICE_WALKS + 2] = 1;
  linear[GOBAN_CHOICE_SLOWNESS] = -1;
}

/* The table's arrays in its order. */
static GobanScorer
point_at (GobanParams *params, float *(*get) (const GobanParams *, guint))
{
  return (GobanScorer){
    .n_features = F,
    .n_context = C,
    .features = get (params, 0),
    .context = get (params, 1),
    .hidden = get (params, 2),
    .second = get (params, 3),
    .second_bias = get (params, 4),
    .out = get (params, 5),
    .linear = get (params, 6),
  };
}

GobanBuilderNet *
goban_builder_net_new (GobanRng *rng)
{
  GobanBuilderNet *self = g_new0 (GobanBuilderNet, 1);

  self->params = goban_params_new (GOBAN_BUILDER_NET_KIND);
  for (guint t = 0; t < G_N_ELEMENTS (tensors); t++)
    goban_params_add (self->params, tensors[t].name, tensors[t].rows, tensors[t].cols,
                      tensors[t].init);
  goban_params_finish (self->params, rng);
  self->scorer = point_at (self->params, goban_params_value);
  self->gradients = point_at (self->params, goban_params_grad);
  set_rule (self->scorer.linear);
  return self;
}

void
goban_builder_net_free (GobanBuilderNet *self)
{
  goban_params_free (self->params);
  g_free (self);
}

static GobanBuilderNet *
new_plain (void)
{
  GobanRng rng;

  goban_rng_init (&rng, 0);
  return goban_builder_net_new (&rng);
}

GobanBuilderNet *
goban_builder_net_copy (const GobanBuilderNet *self)
{
  GobanBuilderNet *copy = new_plain ();

  for (guint t = 0; t < G_N_ELEMENTS (tensors); t++)
    {
      gsize size = goban_params_get_size (self->params, t) * sizeof (float);

      memcpy (goban_params_value (copy->params, t), goban_params_value (self->params, t), size);
      memcpy (goban_params_mean (copy->params, t), goban_params_mean (self->params, t), size);
      memcpy (goban_params_square (copy->params, t), goban_params_square (self->params, t), size);
    }
  goban_params_set_n_steps (copy->params, goban_params_get_n_steps (self->params));
  return copy;
}

GobanParams *
goban_builder_net_get_params (const GobanBuilderNet *self)
{
  return self->params;
}

const GobanScorer *
goban_builder_net_get_scorer (const GobanBuilderNet *self)
{
  return &self->scorer;
}

GobanScorer *
goban_builder_net_get_gradients (GobanBuilderNet *self)
{
  return &self->gradients;
}

void
goban_builder_net_average (GobanBuilderNet *self, const GobanBuilderNet *other, double share)
{
  for (guint t = 0; t < G_N_ELEMENTS (tensors); t++)
    {
      float *mine = goban_params_value (self->params, t);
      const float *its = goban_params_value (other->params, t);

      for (gsize i = 0; i < goban_params_get_size (self->params, t); i++)
        mine[i] = (float) (share * (double) mine[i] + (1 - share) * (double) its[i]);
    }
}

gboolean
goban_builder_net_save (GobanBuilderNet *self, const char *path, GError **error)
{
  return goban_params_save (self->params, path, error);
}

GobanBuilderNet *
goban_builder_net_load (const char *path, GError **error)
{
  g_autoptr (GobanBuilderNet) self = new_plain ();

  return goban_params_load (self->params, path, error) ? g_steal_pointer (&self) : NULL;
}

gboolean
goban_builder_net_is_file (const char *path)
{
  g_autofree char *data = NULL;
  g_autofree char *kind = NULL;
  gsize size;

  /* Whoever loads it says what is wrong with it. */
  if (!g_file_get_contents (path, &data, &size, NULL))
    return FALSE;
  kind = goban_params_read_network ((const guint8 *) data, size, path, NULL);
  return g_strcmp0 (kind, GOBAN_BUILDER_NET_KIND) == 0;
}
