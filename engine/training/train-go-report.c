/* train-go-report.c: report of a pre-training run, as text and as JSON. */
#include "engine/training/train-go-private.h"

#include "engine/base/json-text.h"
#include "engine/rl/pretrain-results.h"

#include <math.h>

#define N_WINDOWS 20 /* of the curve as it is told; all of it is in the CSV */

struct _GobanGoReport
{
  char *output;
  char *run_path;
  char *config;
  char *left_out; /* "gnmt, wavenet", "" */
  gboolean is_finished;
  guint step;
  guint n_steps;
  guint n_lessons;
  guint n_trials;
  double seconds;
  gsize n_parameters;
  guint n_validation;
  guint best_step;
  double score, first_score; /* of validation; NAN without */
  const char *warning;       /* (nullable): in words, how the network has collapsed */
  GobanTrainLog *log;
};

char *
goban_go_dup_lesson_name (const GobanLesson *lesson)
{
  return g_strdup_printf ("%s on %s", lesson->graph, lesson->cluster);
}

GobanGoReport *
goban_go_report_new (GobanPretrain *run, GobanTrainLog *log, const char *output,
                     const char *run_path, gboolean is_finished)
{
  const GobanCurriculum *curriculum = goban_pretrain_get_curriculum (run);
  const GobanPretrainConfig *config = goban_pretrain_get_config (run);
  GobanGoReport *self = g_new0 (GobanGoReport, 1);

  self->output = g_strdup (output);
  self->run_path = g_strdup (run_path);
  self->config = goban_pretrain_config_to_text (config);
  self->left_out = g_strjoinv (", ", (char **) goban_curriculum_get_left_out (curriculum));
  self->is_finished = is_finished;
  self->step = goban_pretrain_get_step (run);
  self->n_steps = config->n_steps;
  self->n_lessons = goban_curriculum_get_n_lessons (curriculum);
  self->n_trials = goban_curriculum_get_n_trials (curriculum);
  self->seconds = goban_pretrain_get_seconds (run);
  self->n_parameters = goban_params_get_total (goban_net_get_params (goban_pretrain_get_net (run)));
  self->n_validation = goban_curriculum_get_n_validation (curriculum);
  self->best_step = goban_pretrain_get_best_step (run);
  self->score = goban_pretrain_get_score (run);
  self->first_score = goban_pretrain_get_first_score (run);
  self->warning = goban_pretrain_get_warning (run);
  self->log = goban_train_log_ref (log);
  return self;
}

void
goban_go_report_free (GobanGoReport *self)
{
  g_free (self->output);
  g_free (self->run_path);
  g_free (self->config);
  g_free (self->left_out);
  goban_train_log_unref (self->log);
  g_free (self);
}

gboolean
goban_go_report_is_finished (const GobanGoReport *self)
{
  return self->is_finished;
}

const char *
goban_go_report_get_output (const GobanGoReport *self)
{
  return self->output;
}

const char *
goban_go_report_get_run (const GobanGoReport *self)
{
  return self->run_path;
}

guint
goban_go_report_get_step (const GobanGoReport *self)
{
  return self->step;
}

guint
goban_go_report_get_n_steps (const GobanGoReport *self)
{
  return self->n_steps;
}

double
goban_go_report_get_seconds (const GobanGoReport *self)
{
  return self->seconds;
}

gsize
goban_go_report_get_n_parameters (const GobanGoReport *self)
{
  return self->n_parameters;
}

/* --- text -------------------------------------------------------------------------------------- */

static void
append_ratio (GString *text, double ratio)
{
  if (isfinite (ratio))
    g_string_append_printf (text, "%7.3f", ratio);
  else
    g_string_append_printf (text, "%7s", "-");
}

/* Trials stand at the end of the log in whole rounds: the last round's. */
static guint
get_first_trial (const GobanGoReport *self, guint *end)
{
  *end = goban_train_log_get_n_trials (self->log);
  return *end >= self->n_trials ? *end - self->n_trials : *end;
}

static void
append_choice (GString *text, const GobanGoReport *self)
{
  if (isfinite (self->score))
    g_string_append_printf (
        text,
        "%-10s the network after %u steps: %.3f of the reference on %u graphs of "
        "validation (%.3f the first time)\n",
        "chosen", self->best_step, self->score, self->n_validation, self->first_score);
  if (self->warning != NULL)
    g_string_append_printf (text, "%-10s %s\n", "warning", self->warning);
}

static void
append_trials (GString *text, const GobanGoReport *self)
{
  double before = goban_train_log_get_trial_ratio (self->log, FALSE);
  double after = goban_train_log_get_trial_ratio (self->log, TRUE);
  guint end, first = get_first_trial (self, &end);

  if (first == end)
    return;
  g_string_append_printf (text, "%-10s %u graphs that it did not learn on: ", "tried on",
                          self->n_trials);
  g_string_append_printf (text, "%.3f of the expert's time (%.3f the first time)\n\n", after,
                          before);
  g_string_append (text, " expert     ref  graph\n");
  for (guint i = first; i < end; i++)
    {
      GobanCurveTrial trial;
      const char *name = goban_train_log_get_trial (self->log, i, &trial);

      append_ratio (text, trial.expert_ratio);
      g_string_append_c (text, ' ');
      append_ratio (text, trial.ratio);
      g_string_append_printf (text, "  %s\n", name);
    }
}

static void
append_curve (GString *text, const GobanGoReport *self)
{
  guint n = goban_train_log_get_n_points (self->log);
  guint n_windows = MIN (n, N_WINDOWS);

  g_string_append (text, "\n  step   mean  entropy\n");
  for (guint w = 0; w < n_windows; w++)
    {
      guint first = (guint) ((guint64) n * w / n_windows);
      guint end = (guint) ((guint64) n * (w + 1) / n_windows);
      GobanCurvePoint point;

      goban_train_log_get_point (self->log, end - 1, &point);
      g_string_append_printf (text, "%6u", point.step);
      append_ratio (text, goban_train_log_get_ratio (self->log, first, end));
      g_string_append_printf (text, "  %7.3f\n", point.values[GOBAN_CURVE_ENTROPY]);
    }
}

char *
goban_go_report_to_text (const GobanGoReport *self)
{
  GString *text = g_string_new (NULL);

  g_string_append_printf (text, "%-10s %s, %" G_GSIZE_FORMAT " parameters\n", "network",
                          self->output, self->n_parameters);
  g_string_append_printf (text, "%-10s %s, %u", "run", self->run_path, self->step);
  if (self->n_steps > 0)
    g_string_append_printf (text, " of %u", self->n_steps);
  g_string_append_printf (text, " steps in %.0f s\n", self->seconds);
  g_string_append_printf (text, "%-10s %u graphs on clusters%s%s\n", "learned on", self->n_lessons,
                          *self->left_out != '\0' ? ", none of " : "", self->left_out);
  append_choice (text, self);
  append_trials (text, self);
  append_curve (text, self);
  return g_string_free (text, FALSE);
}

/* --- JSON -------------------------------------------------------------------------------------- */

static void
add_trials (GString *json, const GobanGoReport *self)
{
  guint end, first = get_first_trial (self, &end);

  g_string_append (json, ",\"trials\":[");
  for (guint i = first; i < end; i++)
    {
      GobanCurveTrial trial;
      const char *name = goban_train_log_get_trial (self->log, i, &trial);

      g_string_append (json, i > first ? ",{" : "{");
      goban_json_add_string (json, "graph", name);
      goban_json_add_number (json, "step", trial.step);
      goban_json_add_number (json, "expert_ratio", trial.expert_ratio);
      goban_json_add_number (json, "ratio", trial.ratio);
      g_string_append_c (json, '}');
    }
  g_string_append_c (json, ']');
}

static void
add_curve (GString *json, const GobanGoReport *self)
{
  g_string_append (json, ",\"curve\":[");
  for (guint i = 0; i < goban_train_log_get_n_points (self->log); i++)
    {
      GobanCurvePoint point;
      const char *name = goban_train_log_get_point (self->log, i, &point);

      g_string_append (json, i > 0 ? ",\n{" : "\n{");
      goban_json_add_number (json, "step", point.step);
      goban_json_add_string (json, "graph", name);
      for (guint k = 0; k < GOBAN_CURVE_N; k++)
        goban_json_add_number (json, goban_curve_column_get_name (k), point.values[k]);
      g_string_append_c (json, '}');
    }
  g_string_append_c (json, ']');
}

char *
goban_go_report_to_json (const GobanGoReport *self)
{
  GString *json = g_string_new ("{");

  goban_json_add_string (json, "policy", "go");
  goban_json_add_string (json, "output", self->output);
  goban_json_add_string (json, "run", self->run_path);
  goban_json_add_boolean (json, "finished", self->is_finished);
  goban_json_add_number (json, "step", self->step);
  goban_json_add_number (json, "steps", self->n_steps);
  goban_json_add_number (json, "seconds", self->seconds);
  goban_json_add_number (json, "parameters", self->n_parameters);
  goban_json_add_number (json, "lessons", self->n_lessons);
  goban_json_add_string (json, "left_out", self->left_out);
  goban_json_add_string (json, "settings", self->config);
  goban_json_add_number (json, "validation", self->score);
  goban_json_add_number (json, "validation_before", self->first_score);
  goban_json_add_number (json, "chosen_step", self->best_step);
  goban_json_add_string (json, "warning", self->warning != NULL ? self->warning : "");
  goban_json_add_number (json, "expert_ratio_before",
                         goban_train_log_get_trial_ratio (self->log, FALSE));
  goban_json_add_number (json, "expert_ratio_after",
                         goban_train_log_get_trial_ratio (self->log, TRUE));
  add_trials (json, self);
  add_curve (json, self);
  g_string_append (json, "}\n");
  return g_string_free (json, FALSE);
}
