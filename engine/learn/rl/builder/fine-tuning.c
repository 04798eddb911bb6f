#include "engine/learn/rl/builder/fine-tuning.h"

#include "engine/learn/nn/adam.h"
#include "engine/learn/nn/vector.h"
#include "engine/learn/rl/builder/builder-training-private.h"

#include <math.h>

/* As in training. */
#define BETA2 0.99
#define ENCODER_SHARE 0.25
#define RISK 1.5
#define GRADIENT_SCALE 10

/* The bonus of entropy is raised by at most this factor. */
#define MOST_RAISED 20

/* How often a step is shortened; then it is not made. */
#define MOST_CUTS 6

struct _GobanFineTuning
{
  GobanFineTuningSettings settings;
  GobanBuilderNet *net;    /* with Adam's moments */
  GobanBuilderNet *before; /* before the last step */
  GobanBuilderNet *kept;   /* with the best likeliest plan */
  double kept_us;
  guint32 *best; /* (nullable) (R) the best plan so far */
  double best_us;
};

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
goban_fine_tuning_new (const GobanBuilderNet *net, const GobanFineTuningSettings *settings)
{
  GobanFineTuning *self = g_new0 (GobanFineTuning, 1);

  self->settings = *settings;
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
  g_free (self->best);
  g_free (self);
}

const GobanBuilderNet *
goban_fine_tuning_get_net (const GobanFineTuning *self)
{
  return self->net;
}

/* Keeps the decisions of the best plan; rows that are not decided are never asked for. */
static void
keep_best (GobanFineTuning *self, const GobanRows *rows, GobanBuildRecord *const *records,
           const double *scores_us, guint n)
{
  for (guint k = 0; k < n; k++)
    {
      if (scores_us[k] >= self->best_us)
        continue;
      self->best_us = scores_us[k];
      if (self->best == NULL)
        self->best = g_new0 (guint32, rows->n_rows + 1);
      memcpy (self->best, records[k]->devices->data, rows->n_rows * sizeof *self->best);
    }
}

/* The gradient of an update. */
static void
differentiate (GobanFineTuning *self, GobanPlanBuilder *builder, GobanBuildRecord *const *records,
               const double *scores_us, guint n, GobanRowEncoding *encoding)
{
  const GobanFineTuningSettings *settings = &self->settings;
  const GobanRows *rows = goban_plan_builder_get_rows (builder);
  g_autofree double *advantages = g_new (double, n);
  g_autofree GobanBuildLesson *lessons = g_new0 (GobanBuildLesson, n);
  g_autofree guint32 *devices = g_new (guint32, rows->n_rows + 1);
  g_autoptr (GobanBuildRecord) best = goban_build_record_new ();
  GobanBuildRecord *records_of_best[] = { best };
  GobanBuildLesson of_best
      = { .advantage = GRADIENT_SCALE * settings->store, .classes = rows->units->classes };
  double entropy = 0;

  for (guint k = 0; k < n; k++)
    {
      advantages[k] = -goban_log (MAX (scores_us[k], 1e-9));
      entropy += goban_build_record_get_entropy (records[k]) / n;
    }
  goban_builder_training_weigh (advantages, n, RISK);
  for (guint k = 0; k < n; k++)
    {
      double raised = CLAMP (settings->entropy_floor / MAX (entropy, 1e-9), 1, MOST_RAISED);

      lessons[k].advantage = GRADIENT_SCALE * advantages[k] / n;
      lessons[k].entropy = GRADIENT_SCALE * settings->entropy * raised / n;
    }
  goban_build_records_learn (records, lessons, n, self->net, encoding);
  if (settings->store > 0)
    {
      goban_plan_builder_build (
          builder, self->net,
          &(GobanBuildOptions){ .wanted = self->best, .encoding = encoding, .record = best },
          devices);
      goban_build_records_learn (records_of_best, &of_best, 1, self->net, encoding);
    }
  if (encoding != NULL)
    goban_row_encoding_backward (encoding, self->net);
}

/* Mean KL divergence of the plans' decisions, in nats, of the network from what it was. */
static double
find_kl (GobanFineTuning *self, GobanPlanBuilder *builder, GobanBuildRecord *const *records,
         guint n, GobanRowEncoding *encoding)
{
  const GobanRows *rows = goban_plan_builder_get_rows (builder);
  g_autofree guint32 *devices = g_new (guint32, rows->n_rows + 1);
  g_autoptr (GobanBuildRecord) again = goban_build_record_new ();
  double sum = 0;
  guint n_decisions = 0;

  again->skips_features = TRUE;
  for (guint k = 0; k < n; k++)
    {
      const GobanBuildOptions options
          = { .temperature = self->settings.temperature,
              .wanted = (const guint32 *) (const void *) records[k]->devices->data,
              .encoding = encoding,
              .record = again };

      goban_plan_builder_build (builder, self->net, &options, devices);
      for (guint i = 0; i < again->n_decisions * rows->n_devices; i++)
        {
          double p = (double) g_array_index (records[k]->chances, float, i);
          double q = (double) g_array_index (again->chances, float, i);

          if (p > 0)
            sum += p * (goban_log (p) - goban_log (MAX (q, 1e-9)));
        }
      n_decisions += again->n_decisions;
    }
  return n_decisions > 0 ? sum / n_decisions : 0;
}

gboolean
goban_fine_tuning_update (GobanFineTuning *self, GobanPlanBuilder *builder,
                          GobanBuildRecord *const *records, const double *scores_us, guint n,
                          GobanRowEncoding *encoding, double *norm, GError **error)
{
  GobanParams *params = goban_builder_net_get_params (self->net);
  GobanAdam adam = goban_adam_new (self->settings.rate);

  keep_best (self, goban_plan_builder_get_rows (builder), records, scores_us, n);
  *norm = 0;
  if (self->settings.rate <= 0)
    return TRUE;
  goban_params_zero_grad (params);
  differentiate (self, builder, records, scores_us, n, encoding);
  goban_builder_net_average (self->before, self->net, 0);
  adam.beta2 = BETA2;
  adam.first_slow = GOBAN_SCORER_NET_N_TENSORS;
  adam.slow_share = ENCODER_SHARE;
  if (!goban_adam_step (&adam, params, norm, error))
    return FALSE;
  for (guint cut = 0;; cut++)
    {
      double kl;

      if (encoding != NULL)
        goban_row_encoding_embed (encoding, self->net);
      if (cut > MOST_CUTS)
        return TRUE;
      kl = find_kl (self, builder, records, n, encoding);
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
