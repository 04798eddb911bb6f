/* train-go-report.c: report of GO's pre-training, as text and as JSON. */
#include "engine/study/run/training-log-summary.h"
#include "engine/study/training/train-go.h"

#include "engine/core/json-text.h"
#include "engine/learn/rl/go/pretrain-results.h"

#include <math.h>

#define N_WINDOWS 20 /* of the curve in the text; the CSV has all of it */

/* Figures of the text and the JSON. */
typedef struct
{
  const GobanTrainingReport *report;
  GobanPretrain *run;
  const GobanCurriculum *curriculum;
  GobanTrainingLog *log;
  GArray *updates; /* GobanTrainingPoint */
  GArray *trials;  /* of the last round */
  char *left_out;  /* "gnmt, wavenet", "" */
} Source;

static void
source_init (Source *self, GobanPretrain *run, GobanTrainingLog *log,
             const GobanTrainingReport *report)
{
  GobanTrainingPoint point;
  guint n_trials;

  self->report = report;
  self->run = run;
  self->curriculum = goban_pretrain_get_curriculum (run);
  self->log = log;
  self->left_out = g_strjoinv (", ", (char **) goban_curriculum_get_left_out (self->curriculum));
  self->updates = g_array_new (FALSE, FALSE, sizeof (GobanTrainingPoint));
  self->trials = g_array_new (FALSE, FALSE, sizeof (GobanTrainingPoint));
  for (guint i = 0; goban_training_log_read (log, i, &point, 1) > 0; i++)
    g_array_append_val (point.is_trial ? self->trials : self->updates, point);
  n_trials = goban_curriculum_get_n_trials (self->curriculum);
  if (self->trials->len > n_trials)
    g_array_remove_range (self->trials, 0, self->trials->len - n_trials);
}

static void
source_clear (Source *self)
{
  g_array_unref (self->updates);
  g_array_unref (self->trials);
  g_free (self->left_out);
}

static const GobanTrainingPoint *
get (const GArray *points, guint i)
{
  return &g_array_index (points, GobanTrainingPoint, i);
}

/* --- text ----------------------------------------------------------------------------------- */

static void
append_ratio (GString *text, double ratio)
{
  if (isfinite (ratio))
    g_string_append_printf (text, "%7.3f", ratio);
  else
    g_string_append_printf (text, "%7s", "-");
}

static void
append_choice (GString *text, const Source *self)
{
  if (isfinite (self->report->score))
    g_string_append_printf (text,
                            "%-10s the network after %u steps: %.3f of the reference on %u graphs "
                            "of validation (%.3f the first time)\n",
                            "chosen", goban_pretrain_get_best_step (self->run), self->report->score,
                            goban_curriculum_get_n_validation (self->curriculum),
                            self->report->first_score);
  if (self->report->warning != NULL)
    g_string_append_printf (text, "%-10s %s\n", "warning", self->report->warning);
}

static void
append_trials (GString *text, const Source *self)
{
  double before
      = goban_training_log_get_trial_mean (self->log, GOBAN_CURVE_LOG_EXPERT_RATIO, FALSE);
  double after = goban_training_log_get_trial_mean (self->log, GOBAN_CURVE_LOG_EXPERT_RATIO, TRUE);

  if (self->trials->len == 0)
    return;
  g_string_append_printf (text, "%-10s %u graphs that it did not learn on: ", "tried on",
                          self->trials->len);
  g_string_append_printf (text, "%.3f of the expert's time (%.3f the first time)\n\n", after,
                          before);
  g_string_append (text, " expert     ref  graph\n");
  for (guint i = 0; i < self->trials->len; i++)
    {
      const GobanTrainingPoint *trial = get (self->trials, i);

      append_ratio (text, trial->values[GOBAN_CURVE_LOG_EXPERT_RATIO]);
      g_string_append_c (text, ' ');
      append_ratio (text, trial->values[GOBAN_CURVE_LOG_RATIO]);
      g_string_append_printf (text, "  %s\n",
                              goban_training_log_get_name (self->log, trial->subject));
    }
}

/* The geometric mean of the mean ratios of updates first .. end - 1; NAN without any. */
static double
get_mean (const Source *self, guint first, guint end)
{
  double sum = 0;
  guint n = 0;

  for (guint i = first; i < end; i++)
    {
      double ratio = get (self->updates, i)->values[GOBAN_CURVE_MEAN];

      if (!(ratio > 0) || !isfinite (ratio))
        continue;
      sum += log (ratio);
      n++;
    }
  return n > 0 ? exp (sum / n) : (double) NAN;
}

static void
append_curve (GString *text, const Source *self)
{
  guint n = self->updates->len;
  guint n_windows = MIN (n, N_WINDOWS);

  g_string_append (text, "\n  step   mean  entropy\n");
  for (guint w = 0; w < n_windows; w++)
    {
      guint first = (guint) ((guint64) n * w / n_windows);
      guint end = (guint) ((guint64) n * (w + 1) / n_windows);
      const GobanTrainingPoint *last = get (self->updates, end - 1);

      g_string_append_printf (text, "%6u", last->step);
      append_ratio (text, get_mean (self, first, end));
      g_string_append_printf (text, "  %7.3f\n", last->values[GOBAN_CURVE_ENTROPY]);
    }
}

static char *
make_text (const Source *self)
{
  GString *text = g_string_new (NULL);

  goban_training_report_begin_text (self->report, text);
  g_string_append_printf (text, "%-10s %u graphs on clusters%s%s\n", "learned on",
                          goban_curriculum_get_n_lessons (self->curriculum),
                          *self->left_out != '\0' ? ", none of " : "", self->left_out);
  append_choice (text, self);
  append_trials (text, self);
  append_curve (text, self);
  return g_string_free (text, FALSE);
}

/* --- JSON ----------------------------------------------------------------------------------- */

static void
add_trials (GString *json, const Source *self)
{
  g_string_append (json, ",\"trials\":[");
  for (guint i = 0; i < self->trials->len; i++)
    {
      const GobanTrainingPoint *trial = get (self->trials, i);

      g_string_append (json, i > 0 ? ",{" : "{");
      goban_json_add_string (json, "graph",
                             goban_training_log_get_name (self->log, trial->subject));
      goban_json_add_number (json, "step", trial->step);
      goban_json_add_number (json, "expert_ratio", trial->values[GOBAN_CURVE_LOG_EXPERT_RATIO]);
      goban_json_add_number (json, "ratio", trial->values[GOBAN_CURVE_LOG_RATIO]);
      g_string_append_c (json, '}');
    }
  g_string_append_c (json, ']');
}

static void
add_curve (GString *json, const Source *self)
{
  g_string_append (json, ",\"curve\":[");
  for (guint i = 0; i < self->updates->len; i++)
    {
      const GobanTrainingPoint *point = get (self->updates, i);

      g_string_append (json, i > 0 ? ",\n{" : "\n{");
      goban_json_add_number (json, "step", point->step);
      goban_json_add_string (json, "graph",
                             goban_training_log_get_name (self->log, point->subject));
      for (guint k = 0; k < GOBAN_CURVE_N; k++)
        goban_json_add_number (json, goban_curve_column_get_name (k), point->values[k]);
      g_string_append_c (json, '}');
    }
  g_string_append_c (json, ']');
}

static char *
make_json (const Source *self)
{
  const GobanTrainingReport *report = self->report;
  g_autofree char *settings = goban_pretrain_config_to_text (goban_pretrain_get_config (self->run));
  GString *json = g_string_new ("{");

  goban_training_report_begin_json (report, json);
  goban_json_add_number (json, "lessons", goban_curriculum_get_n_lessons (self->curriculum));
  goban_json_add_string (json, "left_out", self->left_out);
  goban_json_add_string (json, "settings", settings);
  goban_json_add_number (json, "validation", report->score);
  goban_json_add_number (json, "validation_before", report->first_score);
  goban_json_add_number (json, "chosen_step", goban_pretrain_get_best_step (self->run));
  goban_json_add_string (json, "warning", report->warning != NULL ? report->warning : "");
  goban_json_add_number (
      json, "expert_ratio_before",
      goban_training_log_get_trial_mean (self->log, GOBAN_CURVE_LOG_EXPERT_RATIO, FALSE));
  goban_json_add_number (
      json, "expert_ratio_after",
      goban_training_log_get_trial_mean (self->log, GOBAN_CURVE_LOG_EXPERT_RATIO, TRUE));
  add_trials (json, self);
  add_curve (json, self);
  g_string_append (json, "}\n");
  return g_string_free (json, FALSE);
}

void
goban_go_training_finish (gpointer run, GobanTrainingLog *log, GobanTrainingReport *report)
{
  GobanNet *net = goban_pretrain_get_net (run);
  Source source;

  report->seconds = goban_pretrain_get_seconds (run);
  report->n_parameters = goban_params_get_total (goban_net_get_params (net));
  report->score = goban_pretrain_get_score (run);
  report->first_score = goban_pretrain_get_first_score (run);
  source_init (&source, run, log, report);
  report->text = make_text (&source);
  report->json = make_json (&source);
  source_clear (&source);
}
