/* train-regal.c: training of REGAL's network (engine/rl/regal-train.h): a few minutes, without a
 * run that could be resumed.
 */
#include "engine/base/i18n.h"
#include "engine/base/json-text.h"
#include "engine/rl/regal-train.h"
#include "engine/rl/regal.h"
#include "engine/training/training-kind.h"

#include <math.h>

#define N_STEPS 400 /* of the network that comes with the program */

enum
{
  RATIO,
  ENTROPY,
  N_SERIES
};

static const GobanTrainingSeries series[N_SERIES] = {
  [RATIO] = { "ratio", N_ ("Over the plain search"), GOBAN_SERIES_RATIO, FALSE },
  [ENTROPY] = { "entropy", N_ ("Entropy"), GOBAN_SERIES_ENTROPY, FALSE },
};

static void
fill_log (GobanTrainingLog *log, const GobanRegalReport *regal)
{
  goban_training_log_begin (log, series, N_SERIES, NULL);
  for (guint i = 0; i < regal->curve->len; i++)
    {
      const GobanRegalPoint *from = &g_array_index (regal->curve, GobanRegalPoint, i);
      GobanTrainingPoint point = goban_training_point_new (from->step, 0, FALSE);

      point.values[RATIO] = from->ratio;
      point.values[ENTROPY] = from->entropy;
      goban_training_log_add (log, &point);
    }
}

static char *
make_text (const GobanTrainingReport *report, const GobanRegalReport *regal)
{
  GString *text = g_string_new (NULL);

  g_string_append_printf (text, "%-10s %s, %" G_GSIZE_FORMAT " parameters, %.0f s\n", "network",
                          report->output, report->n_parameters, report->seconds);
  g_string_append_printf (text, "%-10s %u graphs it was not taught on, to the search without it\n",
                          "measured", regal->n_held_out);
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
  GobanRegalTraining training = {
    .seed = (guint64) MAX (options->seed, 0),
    .n_steps = options->n_steps > 0 ? (guint) options->n_steps : N_STEPS,
    .progress = progress,
  };
  g_auto (GobanRegalNet) net = { 0 };
  g_auto (GobanRegalReport) regal = { 0 };
  gint64 begun_us = g_get_monotonic_time ();
  GobanTrainingReport *report;

  if (!goban_training_check_count ("steps", options->n_steps, G_MAXINT, error)
      || !goban_regal_train (&training, &net, &regal, error)
      || !goban_progress_check (progress, error)
      || !goban_params_save (net.params, options->output, error))
    return NULL;

  fill_log (log, &regal);
  report = g_new0 (GobanTrainingReport, 1);
  report->network = g_strdup (options->network);
  report->output = g_strdup (options->output);
  report->is_finished = TRUE;
  report->step = report->n_steps = training.n_steps;
  report->seconds = (double) (g_get_monotonic_time () - begun_us) / G_USEC_PER_SEC;
  report->n_parameters = goban_params_get_total (net.params);
  report->score = regal.ratio_after;
  report->first_score = regal.ratio_before;
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
