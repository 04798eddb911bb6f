#include "engine/learn/rl/builder/fine-tuning.h"

#include "engine/learn/nn/vector.h"
#include "engine/learn/rl/builder/builder-training.h"

#include <math.h>

/* As in training. */
#define ENCODER_SHARE 0.25
#define RISK 1.5

/* How often a step is shortened; then it is not made. */
#define MOST_CUTS 6

GobanFineTuningSettings
goban_fine_tuning_settings_default (void)
{
  return (GobanFineTuningSettings){ .rate = 4e-3,
                                    .temperature = 2,
                                    .entropy = 0.012,
                                    .entropy_floor = 0.2,
                                    .most_kl = 0.03,
                                    .store = 0.3 };
}

GobanFineTuning *
goban_fine_tuning_new (const GobanBuilderNet *net, const guint *classes,
                       const GobanFineTuningSettings *settings)
{
  GobanFineTuning *self = g_new0 (GobanFineTuning, 1);

  self->settings = *settings;
  self->classes = classes;
  self->net = goban_builder_net_copy (net);
  self->before = goban_builder_net_copy (net);
  self->kept = goban_builder_net_copy (net);
  self->kept_us = INFINITY;
  self->best_us = INFINITY;
  return self;
}

void
goban_fine_tuning_free (GobanFineTuning *self)
{
  goban_builder_net_free (self->net);
  goban_builder_net_free (self->before);
  goban_builder_net_free (self->kept);
  g_clear_pointer (&self->best, goban_build_record_free);
  g_free (self);
}

static void
keep_best (GobanFineTuning *self, GobanBuildRecord *const *records, const double *scores_us,
           guint n)
{
  for (guint k = 0; k < n; k++)
    {
      if (scores_us[k] >= self->best_us)
        continue;
      self->best_us = scores_us[k];
      g_clear_pointer (&self->best, goban_build_record_free);
      self->best = goban_build_record_copy (records[k]);
    }
}

/* The gradient of an update. */
static void
differentiate (GobanFineTuning *self, GobanBuildRecord *const *records, const double *scores_us,
               guint n, GobanRowEncoding *encoding)
{
  const GobanFineTuningSettings *settings = &self->settings;
  g_autofree double *advantages = g_new (double, n);
  g_autofree GobanBuildLesson *lessons = g_new0 (GobanBuildLesson, n);
  GobanBuildLesson of_best
      = { .advantage = GOBAN_BUILDER_GRADIENT_SCALE * settings->store, .classes = self->classes };
  double entropy = 0, raised;

  for (guint k = 0; k < n; k++)
    {
      advantages[k] = -goban_log (MAX (scores_us[k], 1e-9));
      entropy += goban_build_record_get_entropy (records[k]) / n;
    }
  raised = goban_builder_training_raise_entropy (entropy, settings->entropy_floor);
  goban_builder_training_weigh (advantages, n, RISK);
  for (guint k = 0; k < n; k++)
    {
      lessons[k].advantage = GOBAN_BUILDER_GRADIENT_SCALE * advantages[k] / n;
      lessons[k].entropy = GOBAN_BUILDER_GRADIENT_SCALE * settings->entropy * raised / n;
    }
  goban_build_records_learn (records, lessons, n, self->net, encoding);
  if (settings->store > 0 && self->best != NULL)
    {
      goban_build_records_find_chances (&self->best, 1, self->net, encoding, 1,
                                        (float *) (void *) self->best->chances->data);
      goban_build_records_learn (&self->best, &of_best, 1, self->net, encoding);
    }
  if (encoding != NULL)
    goban_row_encoding_backward (encoding, self->net);
}

/* Mean KL divergence of the plans' decisions, in nats, of the network from what it was. */
static double
find_kl (const GobanFineTuning *self, GobanBuildRecord *const *records, guint n,
         const GobanRowEncoding *encoding)
{
  guint n_decisions = 0;
  g_autofree float *chances = NULL;
  const float *next;
  double sum = 0;

  for (guint k = 0; k < n; k++)
    n_decisions += records[k]->n_decisions;
  if (n_decisions == 0)
    return 0;
  next = chances = g_new (float, (gsize) n_decisions *records[0]->n_devices);
  goban_build_records_find_chances (records, n, self->net, encoding, self->settings.temperature,
                                    chances);
  for (guint k = 0; k < n; k++)
    for (guint i = 0; i < records[k]->n_decisions * records[k]->n_devices; i++, next++)
      {
        double p = (double) g_array_index (records[k]->chances, float, i);

        if (p > 0)
          sum += p * (goban_log (p) - goban_log (MAX ((double) *next, 1e-9)));
      }
  return sum / n_decisions;
}

gboolean
goban_fine_tuning_update (GobanFineTuning *self, GobanBuildRecord *const *records,
                          const double *scores_us, guint n, GobanRowEncoding *encoding,
                          double *norm, GError **error)
{
  GobanParams *params = self->net->params;
  GobanAdam adam = goban_builder_training_new_adam (self->settings.rate, ENCODER_SHARE);

  keep_best (self, records, scores_us, n);
  *norm = 0;
  if (self->settings.rate <= 0)
    return TRUE;
  goban_params_zero_grad (params);
  differentiate (self, records, scores_us, n, encoding);
  goban_builder_net_average (self->before, self->net, 0);
  if (!goban_adam_step (&adam, params, norm, error))
    return FALSE;
  for (guint cut = 0;; cut++)
    {
      double kl;

      if (encoding != NULL)
        goban_row_encoding_embed (encoding, self->net);
      if (cut > MOST_CUTS)
        return TRUE;
      kl = find_kl (self, records, n, encoding);
      if (kl <= self->settings.most_kl)
        return TRUE;
      /* The divergence grows with the square of the step. */
      goban_builder_net_average (self->net, self->before,
                                 cut < MOST_CUTS ? sqrt (self->settings.most_kl / kl) : 0);
    }
}

void
goban_fine_tuning_keep (GobanFineTuning *self, double score_us)
{
  if (score_us >= self->kept_us)
    return;
  self->kept_us = score_us;
  goban_builder_net_average (self->kept, self->net, 0);
}

void
goban_fine_tuning_go_back (GobanFineTuning *self)
{
  goban_builder_net_average (self->net, self->kept, 0);
}
