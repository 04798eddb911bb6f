/* train-regal.c: training of REGAL's network (regal-train.h): a few minutes, without a run that
 * could be resumed.
 */
#include "engine/core/i18n.h"
#include "engine/core/json-text.h"
#include "engine/learn/rl/baselines/regal-train.h"
#include "engine/learn/rl/baselines/regal.h"
#include "engine/learn/rl/collapse.h"
#include "engine/study/training/training-kind.h"

#include <string.h>

#define N_STEPS 400 /* of the network that comes with the program */

enum
{
  RATIO,
  BEST_RATIO,
  ENTROPY,
  GRADIENT,
  CRITIC_ERROR,
  SECONDS,
  HELD_OUT,
  N_SERIES
};

static const GobanTrainingSeries series[N_SERIES] = {
  [RATIO] = { "ratio", N_ ("Over plain search"), GOBAN_SERIES_RATIO, FALSE },
  [BEST_RATIO] = { "best_ratio", N_ ("Best sample"), GOBAN_SERIES_RATIO, FALSE },
  [ENTROPY] = { "entropy", N_ ("Entropy"), GOBAN_SERIES_ENTROPY, FALSE },
  [GRADIENT] = { "gradient_norm", N_ ("Gradient norm"), GOBAN_SERIES_GRADIENT, FALSE },
  [CRITIC_ERROR] = { "critic_error", N_ ("Expected reward"), GOBAN_SERIES_ERROR, FALSE },
  [SECONDS] = { "seconds", N_ ("Per update"), GOBAN_SERIES_SECONDS, FALSE },
  [HELD_OUT] = { "held_out", N_ ("Held out"), GOBAN_SERIES_RATIO, TRUE },
};

/* The log, and figures that show a collapse. */
typedef struct
{
  GobanTrainingLog *log;
  GobanCollapseSign signs[GOBAN_COLLAPSE_WINDOW]; /* of the last steps */
  guint n_signs;
} Watch;

/* The search makes the plans, so nothing is known of the busiest device. */
static void
note_sign (Watch *self, double entropy)
{
  if (self->n_signs == GOBAN_COLLAPSE_WINDOW)
    memmove (self->signs, self->signs + 1, --self->n_signs * sizeof *self->signs);
  self->signs[self->n_signs++] = (GobanCollapseSign){ .entropy = entropy };
  goban_training_log_set_warning (self->log, goban_collapse_describe (self->signs, self->n_signs));
}

static void
add_step_worker (const GobanRegalStep *step, gpointer user_data)
{
  Watch *self = user_data;
  GobanTrainingPoint point = goban_training_point_new (step->step, 0, FALSE);

  point.values[RATIO] = step->ratio;
  point.values[BEST_RATIO] = step->best_ratio;
  point.values[ENTROPY] = step->entropy;
  point.values[GRADIENT] = step->gradient_norm;
  point.values[CRITIC_ERROR] = step->critic_error;
  point.values[SECONDS] = step->seconds;
  goban_training_log_add (self->log, &point);
  note_sign (self, step->entropy);
}

static void
add_measured_worker (guint n_steps, double ratio, gpointer user_data)
{
  Watch *self = user_data;
  GobanTrainingPoint point = goban_training_point_new (n_steps, 1, TRUE);

  point.values[HELD_OUT] = ratio;
  goban_training_log_add (self->log, &point);
}

static char *
make_text (const GobanTrainingReport *report, const GobanRegalReport *regal)
{
  GString *text = g_string_new (NULL);

  g_string_append_printf (text, "%-10s %s, %" G_GSIZE_FORMAT " parameters, %.0f s\n", "network",
                          report->output, report->n_parameters, report->seconds);
  g_string_append_printf (text, "%-10s %u graphs it was not taught on, to the search without it\n",
                          "measured", regal->n_held_out);
  if (report->warning != NULL)
    g_string_append_printf (text, "%-10s %s\n", "warning", report->warning);
  g_string_append_printf (text, "%-10s %.3f\n%-10s %.3f, %.3f at worst\n\n", "before",
                          regal->ratio_before, "after", regal->ratio_after, regal->worst_after);
  g_string_append (text, "  step  ratio  entropy\n");
  for (guint i = 0; i < regal->curve->len; i++)
    {
      const GobanRegalPoint *point = &g_array_index (regal->curve, GobanRegalPoint, i);

      g_string_append_printf (text, "%6u  %5.3f  %7.3f\n", point->step, point->ratio,
                              point->entropy);
    }
  return g_string_free (text, FALSE);
}

static char *
make_json (const GobanTrainingReport *report, const GobanRegalReport *regal, guint64 seed)
{
  GString *json = g_string_new ("{");

  goban_json_add_string (json, "policy", report->network);
  goban_json_add_string (json, "output", report->output);
  goban_json_add_number (json, "seed", seed);
  goban_json_add_number (json, "parameters", report->n_parameters);
  goban_json_add_number (json, "seconds", report->seconds);
  goban_json_add_boolean (json, "kept_start", report->kept_start);
  goban_json_add_number (json, "held_out", regal->n_held_out);
  goban_json_add_number (json, "ratio_before", regal->ratio_before);
  goban_json_add_number (json, "ratio_after", regal->ratio_after);
  goban_json_add_number (json, "worst_after", regal->worst_after);
  g_string_append (json, ",\"curve\":[");
  for (guint i = 0; i < regal->curve->len; i++)
    {
      const GobanRegalPoint *point = &g_array_index (regal->curve, GobanRegalPoint, i);

      g_string_append (json, i > 0 ? ",{" : "{");
      goban_json_add_number (json, "step", point->step);
      goban_json_add_number (json, "ratio", point->ratio);
      goban_json_add_number (json, "entropy", point->entropy);
      g_string_append_c (json, '}');
    }
  g_string_append (json, "]}\n");
  return g_string_free (json, FALSE);
}

static GobanTrainingReport *
run_at_once (const GobanTrainingOptions *options, GobanTrainingLog *log,
             const GobanProgress *progress, GError **error)
{
  g_auto (GStrv) names = goban_training_dup_names ();
  Watch watch = { .log = log };
  GobanRegalWatcher watcher = { add_step_worker, add_measured_worker, &watch };
  GobanRegalTraining training = {
    .seed = (guint64) MAX (options->seed, 0),
    .n_steps = options->n_steps > 0 ? (guint) options->n_steps : N_STEPS,
    .progress = progress,
    .watcher = &watcher,
  };
  g_auto (GobanRegalNet) net = { 0 };
  g_auto (GobanRegalReport) regal = { 0 };
  gint64 begun_us = g_get_monotonic_time ();
  GobanTrainingReport *report;

  if (!goban_training_check_count ("steps", options->n_steps, G_MAXINT, error))
    return NULL;
  goban_training_log_begin (log, series, N_SERIES, (const char *const *) names);
  if (!goban_regal_train (&training, &net, &regal, error) || !goban_progress_check (progress, error)
      || !goban_params_save (net.params, options->output, error))
    return NULL;

  report = g_new0 (GobanTrainingReport, 1);
  report->network = g_strdup (options->network);
  report->output = g_strdup (options->output);
  report->is_finished = TRUE;
  report->step = report->n_steps = training.n_steps;
  report->seconds = (double) (g_get_monotonic_time () - begun_us) / G_USEC_PER_SEC;
  report->n_parameters = goban_params_get_total (net.params);
  report->score = regal.kept_start ? regal.ratio_before : regal.ratio_after;
  report->first_score = regal.ratio_before;
  report->kept_start = regal.kept_start;
  report->kept_step = regal.kept_start ? 0 : report->step;
  if (regal.kept_start)
    goban_training_log_set_warning (log, goban_training_kept_start);
  report->warning = g_strdup (goban_training_log_get_warning (log));
  report->text = make_text (report, &regal);
  report->json = make_json (report, &regal, training.seed);
  return report;
}

static gsize
count_parameters (const char *path, GError **error)
{
  g_auto (GobanRegalNet) net = { 0 };

  return goban_regal_net_load (&net, path, error) ? goban_params_get_total (net.params) : 0;
}

static const char *const users[] = { "regal", NULL };

const GobanTrainingKind goban_training_regal = {
  .network = "regal",
  .shipped = { N_ ("128 random networks"), 400, 0.799 },
  .count_parameters = count_parameters,
  .purpose = N_ ("Steers a genetic search: regal"),
  .policy = "regal",
  .users = users,
  .series = series,
  .n_series = N_SERIES,
  .run_at_once = run_at_once,
};
