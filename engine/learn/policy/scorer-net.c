#include "engine/learn/policy/scorer-net.h"

#include "engine/core/data-file.h"
#include "engine/core/error.h"
#include "engine/core/file-read.h"

#include <string.h>

#define FOLDER "policies"

#define H GOBAN_SCORER_HIDDEN
#define K GOBAN_SCORER_SECOND

/* Parameters in the order of their files. */
static void
add_tensors (GobanParams *params, guint F, guint C)
{
  goban_params_add (params, "features", F, H, GOBAN_INIT_GLOROT);
  goban_params_add (params, "context", C, H, GOBAN_INIT_GLOROT);
  goban_params_add (params, "hidden", 1, H, GOBAN_INIT_ZEROS);
  goban_params_add (params, "second", H, K, GOBAN_INIT_GLOROT);
  goban_params_add (params, "second_bias", 1, K, GOBAN_INIT_ZEROS);
  goban_params_add (params, "out", 1, K, GOBAN_INIT_EMBEDDING);
  goban_params_add (params, "linear", 1, F, GOBAN_INIT_ZEROS);
}

/* The arrays in that order. */
static GobanScorer
point_at (const GobanScorerNet *self, float *(*get) (const GobanParams *, guint))
{
  const GobanParams *params = self->params;

  return (GobanScorer){
    .n_features = (int) self->kind->n_features,
    .n_context = (int) self->kind->n_context,
    .features = get (params, 0),
    .context = get (params, 1),
    .hidden = get (params, 2),
    .second = get (params, 3),
    .second_bias = get (params, 4),
    .out = get (params, 5),
    .linear = get (params, 6),
  };
}

GobanScorerNet *
goban_scorer_net_new (const GobanScorerNetKind *kind, GobanRng *rng)
{
  GobanScorerNet *self = g_new0 (GobanScorerNet, 1);

  self->kind = kind;
  self->params = goban_params_new (kind->kind);
  add_tensors (self->params, kind->n_features, kind->n_context);
  if (kind->add_tensors != NULL)
    self->more = kind->add_tensors (kind, self->params);
  goban_params_finish (self->params, rng);
  self->scorer = point_at (self, goban_params_value);
  self->gradients = point_at (self, goban_params_grad);
  if (kind->set_rule != NULL)
    kind->set_rule (self->scorer.linear);
  return self;
}

void
goban_scorer_net_free (GobanScorerNet *self)
{
  goban_params_free (self->params);
  g_free (self->more);
  g_free (self);
}

static GobanScorerNet *
new_plain (const GobanScorerNetKind *kind)
{
  GobanRng rng;

  goban_rng_init (&rng, 0);
  return goban_scorer_net_new (kind, &rng);
}

GobanScorerNet *
goban_scorer_net_copy (const GobanScorerNet *self)
{
  GobanScorerNet *copy = new_plain (self->kind);

  for (guint t = 0; t < self->params->tensors->len; t++)
    {
      gsize size = goban_params_get_size (self->params, t) * sizeof (float);

      memcpy (goban_params_value (copy->params, t), goban_params_value (self->params, t), size);
      memcpy (goban_params_mean (copy->params, t), goban_params_mean (self->params, t), size);
      memcpy (goban_params_square (copy->params, t), goban_params_square (self->params, t), size);
    }
  copy->params->n_steps = self->params->n_steps;
  return copy;
}

void
goban_scorer_net_adopt (GobanScorerNet *self, const GobanScorerNet *other)
{
  GobanParams *to = self->params, *from = other->params;

  for (guint t = 0; t < to->tensors->len; t++)
    for (guint s = 0; s < from->tensors->len; s++)
      if (strcmp (goban_params_get_tensor (to, t)->name, goban_params_get_tensor (from, s)->name)
              == 0
          && goban_params_get_tensor (to, t)->rows == goban_params_get_tensor (from, s)->rows
          && goban_params_get_tensor (to, t)->cols == goban_params_get_tensor (from, s)->cols)
        memcpy (goban_params_value (to, t), goban_params_value (from, s),
                goban_params_get_size (to, t) * sizeof (float));
}

void
goban_scorer_net_average (GobanScorerNet *self, const GobanScorerNet *other, double share)
{
  for (guint t = 0; t < self->params->tensors->len; t++)
    {
      float *mine = goban_params_value (self->params, t);
      const float *its = goban_params_value (other->params, t);

      for (gsize i = 0; i < goban_params_get_size (self->params, t); i++)
        mine[i] = (float) (share * (double) mine[i] + (1 - share) * (double) its[i]);
    }
}

gboolean
goban_scorer_net_save (const GobanScorerNet *self, const char *path, GError **error)
{
  return goban_params_save_values (self->params, path, error);
}

GobanScorerNet *
goban_scorer_net_load (const GobanScorerNetKind *kind, const char *path, GError **error)
{
  g_autoptr (GobanScorerNet) self = new_plain (kind);

  return goban_params_load (self->params, path, error) ? g_steal_pointer (&self) : NULL;
}

char *
goban_scorer_net_find_own (const char *file, const char *name, GError **error)
{
  char *own = goban_data_file_find (FOLDER, file);
  g_autofree char *folders = own == NULL ? goban_data_file_dup_folders (FOLDER) : NULL;

  if (own == NULL)
    goban_set_error (error, GOBAN_ERROR_IO,
                     "the network %s is in none of %s; install it again, or make one with "
                     "“goban-cli train %s -o FILE” and name it with --network",
                     file, folders, name);
  return own;
}

const GobanScorerNetKind *
goban_scorer_net_find_kind (const GobanScorerNetKind *kinds, guint n, const char *path)
{
  GobanFileReading reading = { .kind = GOBAN_FILE_NETWORK, .only_regular = TRUE };
  g_autoptr (GBytes) bytes = goban_file_read_with (path, &reading, NULL);
  g_autofree char *found = NULL;
  const guint8 *data;
  gsize size;

  /* Errors are reported when it is loaded, and a pipe can be read only once. */
  if (bytes == NULL)
    return NULL;
  data = g_bytes_get_data (bytes, &size);
  found = goban_params_read_network (data, size, path, NULL);
  for (guint i = 0; i < n; i++)
    if (g_strcmp0 (found, kinds[i].kind) == 0)
      return &kinds[i];
  return NULL;
}
