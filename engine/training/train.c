#include "engine/training/train.h"

#include "engine/base/error.h"
#include "engine/base/json-text.h"
#include "engine/rl/regal-train.h"
#include "engine/roster/roster.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#define REGAL_STEPS 400

struct _GobanTrainReport
{
  char *policy;
  char *path;
  guint64 seed;
  double seconds;
  gsize n_parameters;
  GobanRegalReport regal;
};

void
goban_train_report_free (GobanTrainReport *self)
{
  goban_regal_report_clear (&self->regal);
  g_free (self->policy);
  g_free (self->path);
  g_free (self);
}

static gboolean
check_policy (const char *policy, GError **error)
{
  if (strcmp (policy, "regal") == 0)
    return TRUE;
  if (goban_roster_find (policy, error) != NULL)
    goban_set_error (error, GOBAN_ERROR_INVALID, "%s learns nothing beforehand; go and regal do",
                     policy);
  return FALSE;
}

gboolean
goban_train_check_count (const char *what, gint64 value, gint64 most, GError **error)
{
  if (value <= most)
    return TRUE;
  goban_set_error (error, GOBAN_ERROR_INVALID,
                   "%" PRId64 " %s are too many: %" PRId64 " is the most", value, what, most);
  return FALSE;
}

char *
goban_train_choose_output (const char *output, const char *resume, GError **error)
{
  gsize n_suffix = strlen (GOBAN_TRAINING_SUFFIX);

  if (output != NULL)
    return g_strdup (output);
  if (resume != NULL && g_str_has_suffix (resume, GOBAN_TRAINING_SUFFIX)
      && strlen (resume) > n_suffix)
    return g_strndup (resume, strlen (resume) - n_suffix);
  goban_set_error (error, GOBAN_ERROR_INVALID, "where is the network to go? name a file");
  return NULL;
}

gboolean
goban_train_check_output (const char *path, GError **error)
{
  g_autofree char *folder = g_path_get_dirname (path);

  if (strcmp (path, "-") == 0)
    {
      goban_set_error (error, GOBAN_ERROR_INVALID,
                       "a network cannot be written to standard output; name a file");
      return FALSE;
    }
  if (access (g_file_test (path, G_FILE_TEST_EXISTS) ? path : folder, W_OK) == 0
      && !g_file_test (path, G_FILE_TEST_IS_DIR))
    return TRUE;
  goban_set_error (error, GOBAN_ERROR_IO, "%s: it cannot be written: %s", path,
                   g_file_test (path, G_FILE_TEST_IS_DIR) ? "it is a folder" : g_strerror (errno));
  return FALSE;
}

GobanTrainReport *
goban_train_policy (const char *policy, const char *path, const GobanTrainOptions *options,
                    GError **error)
{
  GobanRegalTraining training
      = { options->seed, options->n_steps > 0 ? options->n_steps : REGAL_STEPS, options->progress };
  g_auto (GobanRegalNet) net = { 0 };
  g_autoptr (GobanTrainReport) self = NULL;
  gint64 started_us = g_get_monotonic_time ();

  g_return_val_if_fail (policy != NULL && path != NULL, NULL);

  if (!check_policy (policy, error) || !goban_train_check_output (path, error))
    return NULL;
  self = g_new0 (GobanTrainReport, 1);
  if (!goban_regal_train (&training, &net, &self->regal, error)
      || !goban_progress_check (options->progress, error)
      || !goban_params_save (net.params, path, error))
    return NULL;

  self->policy = g_strdup (policy);
  self->path = g_strdup (path);
  self->seed = options->seed;
  self->n_parameters = goban_params_get_total (net.params);
  self->seconds = (double) (g_get_monotonic_time () - started_us) / G_USEC_PER_SEC;
  return g_steal_pointer (&self);
}

char *
goban_train_report_to_text (const GobanTrainReport *self)
{
  const GobanRegalReport *regal = &self->regal;
  g_autoptr (GString) text = g_string_new (NULL);

  g_string_append_printf (text, "%-10s %s, %" G_GSIZE_FORMAT " parameters, %.0f s\n", "network",
                          self->path, self->n_parameters, self->seconds);
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
  return g_string_free (g_steal_pointer (&text), FALSE);
}

char *
goban_train_report_to_json (const GobanTrainReport *self)
{
  const GobanRegalReport *regal = &self->regal;
  g_autoptr (GString) json = g_string_new ("{");

  goban_json_add_string (json, "policy", self->policy);
  goban_json_add_string (json, "output", self->path);
  goban_json_add_number (json, "seed", self->seed);
  goban_json_add_number (json, "parameters", self->n_parameters);
  goban_json_add_number (json, "seconds", self->seconds);
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
  return g_string_free (g_steal_pointer (&json), FALSE);
}
