#include "engine/study/analysis/difference/comparison.h"

#include "engine/core/error.h"
#include "engine/core/quantity.h"
#include "engine/study/run/run-list.h"
#include "engine/study/run/run-origin.h"

#include <math.h>
#include <string.h>

/* Gains below this share of the makespan are not worth a second device. */
#define WORTHWHILE_GAIN 0.02

struct _GobanComparison
{
  GPtrArray *runs; /* GobanRun */
  gboolean has_own_devices;
  GobanDeviceMatching *matching; /* (nullable) until it is asked for */
};

GobanComparison *
goban_comparison_new (GPtrArray *runs)
{
  GobanComparison *self = g_new0 (GobanComparison, 1);

  self->runs = goban_run_array_new ();
  for (guint i = 0; i < runs->len; i++)
    g_ptr_array_add (self->runs, goban_run_ref (g_ptr_array_index (runs, i)));
  return self;
}

void
goban_comparison_free (GobanComparison *self)
{
  g_clear_pointer (&self->matching, goban_device_matching_unref);
  g_clear_pointer (&self->runs, g_ptr_array_unref);
  g_free (self);
}

static gboolean
is_ended (const gint *finish)
{
  return finish != NULL && g_atomic_int_get (finish) != 0;
}

GobanComparison *
goban_compare_policies (GobanCostModel *costs, const char *const *policies,
                        const GobanRunOptions *options, GHashTable *failures, GError **error)
{
  g_autoptr (GPtrArray) runs = goban_run_array_new ();
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  const GobanProgress *progress = options != NULL ? options->progress : NULL;
  const gint *finish = options != NULL ? options->finish : NULL;

  for (guint i = 0; policies[i] != NULL; i++)
    g_ptr_array_add (names, (gpointer) policies[i]);
  if (!g_strv_contains (policies, "single"))
    g_ptr_array_add (names, (gpointer) "single");

  for (guint i = 0; i < names->len; i++)
    {
      const char *name = g_ptr_array_index (names, i);
      g_autoptr (GError) why = NULL;
      GobanPartProgress part;
      GobanRunOptions spending = options != NULL ? *options : (GobanRunOptions){ 0 };
      GobanRun *run;

      spending.progress = goban_part_progress_begin (&part, progress, i, names->len, name);
      if (!goban_progress_check (progress, error))
        return NULL;

      run = goban_run_new_from_policy (costs, name, &spending, &why);
      if (run != NULL)
        g_ptr_array_add (runs, run);
      if (run == NULL && failures != NULL && !is_ended (finish) && i + 1 < names->len
          && !g_error_matches (why, GOBAN_ERROR, GOBAN_ERROR_CANCELLED))
        g_hash_table_insert (failures, g_strdup (name), g_strdup (why->message));
      else if (run == NULL && (runs->len == 0 || !is_ended (finish)))
        {
          g_propagate_error (error, g_steal_pointer (&why));
          return NULL;
        }
      if (is_ended (finish))
        break;
    }
  return goban_comparison_new (runs);
}

guint
goban_comparison_get_n_runs (const GobanComparison *self)
{
  return self->runs->len;
}

GobanRun *
goban_comparison_get_run (const GobanComparison *self, guint i)
{
  g_return_val_if_fail (i < self->runs->len, NULL);

  return g_ptr_array_index (self->runs, i);
}

void
goban_comparison_set_own_devices (GobanComparison *self, gboolean has_own_devices)
{
  self->has_own_devices = has_own_devices;
}

gboolean
goban_comparison_has_own_devices (const GobanComparison *self)
{
  return self->has_own_devices;
}

GobanDeviceMatching *
goban_comparison_get_matching (GobanComparison *self)
{
  if (self->has_own_devices || self->runs->len < 2)
    return NULL;
  if (self->matching == NULL)
    self->matching = goban_device_matching_new (goban_comparison_get_run (self, 0),
                                                goban_comparison_get_run (self, 1));
  return self->matching;
}

static gboolean
is_valid (GobanRun *run)
{
  return goban_trace_is_valid (goban_run_get_trace (run));
}

GobanRun *
goban_comparison_get_best (const GobanComparison *self)
{
  GobanRun *best = NULL;

  for (guint i = 0; i < self->runs->len; i++)
    {
      GobanRun *run = g_ptr_array_index (self->runs, i);

      if (is_valid (run)
          && (best == NULL || goban_run_get_makespan_us (run) < goban_run_get_makespan_us (best)))
        best = run;
    }
  return best;
}

static GobanRun *
find_single (const GobanComparison *self)
{
  for (guint i = 0; i < self->runs->len; i++)
    {
      GobanRun *run = g_ptr_array_index (self->runs, i);

      if (strcmp (goban_plan_get_policy (goban_run_get_plan (run)), "single") == 0)
        return run;
    }
  return NULL;
}

/* FALSE if the bound says that no plan at all can be valid. */
static gboolean
has_room (const GobanComparison *self)
{
  GobanRun *run = goban_comparison_get_run (self, 0);

  return isfinite (goban_trace_get_bounds (goban_run_get_trace (run))->memory_us);
}

char *
goban_comparison_get_verdict (const GobanComparison *self)
{
  GobanRun *best = goban_comparison_get_best (self);
  GobanRun *single = find_single (self);
  char best_time[GOBAN_QUANTITY_LEN];
  char share[GOBAN_QUANTITY_LEN];
  g_autoptr (GString) text = g_string_new (NULL);
  g_autofree char *proof = NULL;
  double gain = 0;

  if (best == NULL)
    return g_strdup (has_room (self) ? "no plan is valid on this cluster"
                                     : "no plan is valid on this cluster: its memory cannot hold "
                                       "what has to be resident");

  goban_format_time (best_time, goban_run_get_makespan_us (best));
  g_string_printf (text, "%s is best with %s", goban_run_get_name (best), best_time);
  proof = goban_run_describe_proof (best);
  if (proof != NULL)
    g_string_append_printf (text, ", %s", proof);
  else if (goban_run_get_ratio (best) <= 1)
    g_string_append (text, ", the lower bound itself");
  else if (isfinite (goban_run_get_ratio (best)))
    g_string_append_printf (
        text, ", %s times the lower bound",
        g_ascii_formatd (share, sizeof share, "%.3g", goban_run_get_ratio (best)));

  if (single == NULL)
    return g_string_free (g_steal_pointer (&text), FALSE);
  if (!is_valid (single))
    {
      g_string_append (text, "; one device alone cannot run it");
      return g_string_free (g_steal_pointer (&text), FALSE);
    }

  /* Without work both take no time. */
  if (goban_run_get_makespan_us (single) > 0)
    gain = 1 - goban_run_get_makespan_us (best) / goban_run_get_makespan_us (single);
  g_ascii_formatd (share, sizeof share, "%.1f", gain * 100);
  if (best == single || gain <= 0)
    g_string_append (text, "; nothing here beats everything on one device");
  else if (gain < WORTHWHILE_GAIN)
    {
      g_ascii_formatd (share, sizeof share, "%.1f", gain / (1 - gain) * 100);
      g_string_append_printf (text, "; one device alone is only %s %% slower", share);
    }
  else
    g_string_append_printf (text, ", %s %% less than on one device", share);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

gboolean
goban_comparison_is_worse (const GobanComparison *self, guint i, double percent)
{
  GobanRun *reference = goban_comparison_get_run (self, 0);
  GobanRun *run = goban_comparison_get_run (self, i);

  if (!is_valid (run))
    return TRUE;
  return is_valid (reference)
         && goban_run_get_makespan_us (run)
                > goban_run_get_makespan_us (reference) * (1 + percent / 100);
}
