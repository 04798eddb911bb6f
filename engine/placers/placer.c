#include "engine/placers/placer.h"

#include "engine/core/error.h"
#include "engine/core/find-word.h"
#include "engine/core/i18n.h"
#include "engine/core/key-sort.h"
#include "engine/placers/policies.h"

#include <math.h>
#include <string.h>

#define STEPS_BETWEEN_CHECKS 2048

GobanPlan *
goban_placer_place (const GobanPlacer *placer, GobanCostModel *costs,
                    const GobanPlacerOptions *options, guint64 *evaluations, GError **error)
{
  static const GobanPlacerOptions defaults = { .seed = 0 };
  guint64 ignored = 0;
  GobanPlacerOptions own;
  GError *why = NULL;
  GobanPlan *plan;

  g_return_val_if_fail (placer != NULL && costs != NULL, NULL);

  if (options == NULL)
    options = &defaults;
  if (!goban_progress_check (options->progress, error))
    return NULL;

  own = *options;
  own.placer = placer;
  plan = placer->place (costs, &own, evaluations != NULL ? evaluations : &ignored, &why);
  if (plan != NULL)
    goban_plan_set_policy (plan, placer->name);
  else if (why == NULL)
    goban_set_error (error, GOBAN_ERROR_INFEASIBLE, "%s has found no plan before its time was over",
                     placer->name);
  if (why != NULL)
    g_propagate_error (error, why);
  return plan;
}

gboolean
goban_placer_try (const GobanPlacer *placer, GobanCostModel *costs,
                  const GobanPlacerOptions *options, GobanPlan **plan, GError **error)
{
  g_autoptr (GError) refusal = NULL;
  guint64 evaluations = 0;

  *plan = goban_placer_place (placer, costs, options, &evaluations, &refusal);
  if (*plan != NULL || !g_error_matches (refusal, GOBAN_ERROR, GOBAN_ERROR_CANCELLED))
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&refusal));
  return FALSE;
}

/* The value of the setting @word, or NULL if it is one of another key. */
static const char *
find_value (const char *word, const char *key)
{
  gsize length = strlen (key);

  return strncmp (word, key, length) == 0 && word[length] == '=' ? word + length + 1 : NULL;
}

gboolean
goban_placer_choose (const char *settings, const char *key, const char *const *words, guint *choice,
                     GError **error)
{
  g_auto (GStrv) given = g_strsplit (settings != NULL ? settings : "", ",", -1);

  *choice = 0;
  for (guint i = 0; given[i] != NULL; i++)
    {
      const char *value = find_value (g_strstrip (given[i]), key);
      int found;

      if (value == NULL)
        continue;
      found = goban_find_word (words, g_strv_length ((char **) words), value);
      if (found < 0)
        {
          g_autofree char *known = g_strjoinv (" or ", (char **) words);

          return goban_refuse (error, GOBAN_ERROR_INVALID,
                               "“%s” is not a value of the setting “%s”: write %s", value, key,
                               known);
        }
      *choice = (guint) found;
    }
  return TRUE;
}

gboolean
goban_policy_go_on (const GobanPlacerOptions *options, guint i, guint n, GError **error)
{
  if (i % STEPS_BETWEEN_CHECKS != 0)
    return TRUE;

  goban_progress_step (options->progress, (double) i / n, _ ("placing"));
  return goban_progress_check (options->progress, error);
}

GobanUnitDecisions
goban_unit_decisions_begin (const GobanPlacerOptions *options, const GobanUnits *units,
                            const GobanChoiceWords *words, guint64 evaluation)
{
  const GobanSpanHead head = { .name = "plan",
                               .level = GOBAN_LEVEL_PLAN,
                               .evaluation = evaluation,
                               .key = words->key,
                               .ties = words->ties,
                               .has_base = TRUE };

  return (GobanUnitDecisions){ units, words,
                               goban_decisions_writer_open (options->decisions, &head) };
}

void
goban_unit_decisions_weigh (const GobanUnitDecisions *self, GobanDeviceId device, double candidate,
                            guint refusals)
{
  goban_decisions_writer_score (self->span, device, candidate, refusals);
}

GobanDeviceId
goban_unit_decisions_make (const GobanUnitDecisions *self, guint32 unit, GobanDeviceId wanted,
                           const char *note)
{
  const GobanUnits *units = self->units;
  guint32 first = units->offsets[unit];
  const GobanDecisionHead head = { .task = GOBAN_TASK_PLACEMENT,
                                   .options = GOBAN_OPTION_DEVICE,
                                   .score = self->words->score,
                                   .takes_least = self->words->takes_least,
                                   .nodes = &units->nodes[first],
                                   .n_nodes = units->offsets[unit + 1] - first,
                                   .n_options = units->n_devices,
                                   .note = note };

  if (self->span == NULL)
    return wanted;
  for (guint d = 0; d < units->n_devices; d++)
    if (!goban_units_can_run (units, unit, (GobanDeviceId) d))
      goban_unit_decisions_weigh (self, (GobanDeviceId) d, (double) NAN, GOBAN_REFUSAL_CANNOT_RUN);
  return (GobanDeviceId) goban_decisions_writer_decide (self->span, &head, wanted);
}

void
goban_unit_decisions_end (const GobanUnitDecisions *self, const GobanPlan *plan,
                          const GobanSpanResult *result, gboolean is_taken)
{
  goban_decisions_writer_settle (self->span, plan);
  goban_decisions_writer_close (self->span, result, is_taken);
}

void
goban_policy_sort_by_rank (GobanNodeId *order, const double *ranks, guint n_nodes)
{
  g_autofree double *keys = g_new (double, n_nodes);

  for (GobanNodeId v = 0; v < n_nodes; v++)
    {
      keys[v] = -ranks[v];
      order[v] = v;
    }
  goban_key_sort (order, keys, n_nodes);
}
