#include "engine/study/analysis/steps/record-step.h"

#include "engine/core/i18n.h"
#include "engine/core/quantity.h"
#include "engine/machine/plan/placement-record.h"
#include "engine/sim/fusion/fusion.h"
#include "engine/study/analysis/steps/step-choices.h"
#include "engine/study/analysis/steps/step.h"
#include "engine/study/run/run-origin.h"

#include <math.h>
#include <string.h>

/* (nullable): the record that gives the run its steps. */
static GobanPlacementRecord *
get_record (GobanRun *run)
{
  return goban_run_get_log (run) == NULL ? goban_run_get_record (run) : NULL;
}

static gboolean
are_choices (GobanRun *run)
{
  return get_record (run) != NULL && goban_placement_record_get_words (get_record (run)) != NULL;
}

guint
goban_record_steps_count (GobanRun *run)
{
  const GobanPlacementRecord *record = get_record (run);

  return record != NULL ? goban_placement_record_get_n_steps (record) : 0;
}

guint
goban_record_steps_get_n_folded (GobanRun *run)
{
  if (goban_record_steps_count (run) == 0 || are_choices (run))
    return 0;
  return goban_plan_chain_get_n_folded (goban_placement_record_get_plans (get_record (run)));
}

/* (nullable): a step of a search. */
static const GobanPlanStep *
get_plan_step (GobanRun *run, guint n)
{
  if (are_choices (run) || n < 1 || n > goban_record_steps_count (run))
    return NULL;
  return goban_plan_chain_get_step (goban_placement_record_get_plans (get_record (run)), n);
}

double
goban_record_steps_get_before_us (GobanRun *run, guint n)
{
  const GobanPlanStep *step = get_plan_step (run, n);

  return step != NULL ? step->before_us : (double) NAN;
}

double
goban_record_steps_get_makespan_us (GobanRun *run, guint n)
{
  const GobanPlanStep *step = get_plan_step (run, n);
  GobanPlacementChoice choice;

  if (step != NULL)
    return step->after_us;
  if (n < 1 || n > goban_record_steps_count (run))
    return (double) NAN;
  choice = goban_placement_record_get_choice (get_record (run), n);
  return choice.length_us > 0 ? (double) choice.length_us : (double) NAN;
}

/* --- runs ------------------------------------------------------------------------------------- */

/* The run's own plan may be a fused one of the last. (transfer full) */
static GobanPlan *
new_plan (GobanRun *run, guint n)
{
  const GobanPlanChain *plans = goban_placement_record_get_plans (get_record (run));
  GobanPlan *plan;

  if (n == goban_record_steps_count (run))
    return goban_plan_ref (goban_run_get_plan (run));
  plan = goban_plan_chain_new_plan (plans, n);
  if (goban_plan_is_fused (goban_run_get_plan (run)) && !goban_plan_is_fused (plan))
    goban_fusion_default (goban_run_get_costs (run), plan);
  return plan;
}

GobanRun *
goban_record_steps_new_run (GobanRun *run, guint n)
{
  g_autoptr (GobanPlacementRecord) head = goban_placement_record_new_head (get_record (run), n);
  g_autofree char *name
      = g_strdup_printf ("%s, step %u", goban_run_get_name (run), goban_steps_get_number (run, n));
  const GobanRunOrigin origin = { .evaluations = 1, .record = head };
  g_autoptr (GobanPlan) plan = NULL;

  if (are_choices (run))
    return goban_run_new_head (run, name, head);
  plan = new_plan (run, n);
  return goban_run_new_kept (goban_run_get_costs (run), plan, name, &origin);
}

/* --- changes of a step ---------------------------------------------------------------------- */

/* (element-type GobanPlanChange) of a search's step; (nullable) @before: the plan before it. */
static GArray *
list_changes (GobanRun *run, guint n, GobanPlan **before)
{
  const GobanPlanChain *plans = goban_placement_record_get_plans (get_record (run));

  *before = n > 1 ? goban_plan_chain_new_plan (plans, n - 1) : NULL;
  return goban_plan_chain_list_changes (plans, n);
}

static gboolean
is_moved (const GobanPlan *before, const GobanPlanChange *change)
{
  return before == NULL || goban_plan_get_device (before, change->node) != change->device;
}

static gboolean
is_reprioritised (const GobanPlan *before, const GobanPlanChange *change)
{
  return before != NULL && goban_plan_get_priority (before, change->node) != change->priority;
}

GobanSelection *
goban_record_steps_dup_changed (GobanRun *run, guint n, GobanTask task)
{
  g_autoptr (GArray) changes = NULL;
  g_autoptr (GArray) nodes = g_array_new (FALSE, FALSE, sizeof (GobanNodeId));
  g_autoptr (GobanPlan) before = NULL;

  if (n < 1 || n > goban_record_steps_count (run) || task == GOBAN_TASK_FUSION)
    return goban_selection_new (NULL, 0);
  if (are_choices (run))
    {
      GobanPlacementChoice choice = goban_placement_record_get_choice (get_record (run), n);

      return task == GOBAN_TASK_SCHEDULING ? goban_selection_new (NULL, 0)
                                           : goban_selection_new (choice.nodes, choice.n_nodes);
    }
  changes = list_changes (run, n, &before);
  for (guint i = 0; i < changes->len; i++)
    {
      const GobanPlanChange *change = &g_array_index (changes, GobanPlanChange, i);

      if ((task != GOBAN_TASK_SCHEDULING && is_moved (before, change))
          || (task != GOBAN_TASK_PLACEMENT && is_reprioritised (before, change)))
        g_array_append_val (nodes, change->node);
    }
  return goban_selection_new ((const GobanNodeId *) (gpointer) nodes->data, nodes->len);
}

void
goban_record_steps_fill_had (GobanRun *run, guint n, GobanDeviceId *had)
{
  g_autoptr (GArray) changes = NULL;
  g_autoptr (GobanPlan) before = NULL;

  if (get_plan_step (run, n) == NULL || n < 2)
    return;
  changes = list_changes (run, n, &before);
  for (guint i = 0; i < changes->len; i++)
    {
      const GobanPlanChange *change = &g_array_index (changes, GobanPlanChange, i);

      if (is_moved (before, change))
        had[change->node] = goban_plan_get_device (before, change->node);
    }
}

/* --- choices ---------------------------------------------------------------------------------- */

const char *
goban_steps_get_reason (GobanRun *run)
{
  const GobanPlacementRecord *record = get_record (run);

  return record != NULL ? goban_placement_record_get_reason (record) : NULL;
}

gboolean
goban_steps_are_choices (GobanRun *run)
{
  return are_choices (run);
}

static guint
find_choice (GobanRun *run, GobanNodeId node)
{
  return goban_placement_record_find_choice (get_record (run), node);
}

gboolean
goban_steps_is_decided (GobanRun *run, guint n, GobanNodeId node)
{
  guint found;

  if (!are_choices (run))
    return TRUE;
  found = find_choice (run, node);
  return found >= 1 && found <= n;
}

void
goban_steps_compute_states (GobanRun *run, guint n, guint8 *states)
{
  guint n_nodes = goban_graph_get_n_nodes (goban_run_get_graph (run));

  for (GobanNodeId v = 0; v < n_nodes; v++)
    {
      guint found = are_choices (run) ? find_choice (run, v) : 0;

      states[v] = !goban_steps_is_decided (run, n, v) ? GOBAN_NODE_WAITING
                  : found == n && n > 0               ? GOBAN_NODE_RUNNING
                                                      : GOBAN_NODE_DONE;
    }
}

guint32
goban_record_steps_get_choice (GobanRun *run, guint n, GobanTask task, GobanNodeId node)
{
  if (task != GOBAN_TASK_PLACEMENT || !are_choices (run) || !goban_steps_is_decided (run, n, node))
    return GOBAN_NOT_CHOSEN;
  return goban_placement_record_get_choice (get_record (run), find_choice (run, node)).device;
}

GobanSelection *
goban_steps_dup_undecided (GobanRun *run, guint n)
{
  g_autoptr (GArray) nodes = g_array_new (FALSE, FALSE, sizeof (GobanNodeId));

  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (goban_run_get_graph (run)); v++)
    if (!goban_steps_is_decided (run, n, v))
      g_array_append_val (nodes, v);
  return goban_selection_new ((const GobanNodeId *) (gpointer) nodes->data, nodes->len);
}

/* Nodes of a choice run one after another. */
static void
fill_spans (GobanRun *run, const GobanPlacementChoice *choice, GobanOpSpan *spans)
{
  double start_us = (double) choice->start_us;

  for (guint i = 0; i < choice->n_nodes; i++)
    {
      GobanNodeId v = choice->nodes[i];
      double finish_us
          = start_us + goban_cost_model_time_us (goban_run_get_costs (run), v, choice->device);

      if (i + 1 == choice->n_nodes)
        finish_us = (double) choice->finish_us;
      spans[v] = (GobanOpSpan){ start_us, start_us, finish_us };
      start_us = finish_us;
    }
}

GobanOpSpan *
goban_steps_dup_spans (GobanRun *run, guint n)
{
  guint n_nodes = goban_graph_get_n_nodes (goban_run_get_graph (run));
  guint n_choices = are_choices (run) ? MIN (n, goban_record_steps_count (run)) : 0;
  g_autofree GobanOpSpan *spans = g_new (GobanOpSpan, MAX (n_nodes, 1));

  if (n_choices == 0)
    return NULL;
  for (GobanNodeId v = 0; v < n_nodes; v++)
    spans[v] = (GobanOpSpan){ (double) NAN, (double) NAN, (double) NAN };
  for (guint k = 1; k <= n_choices; k++)
    {
      GobanPlacementChoice choice = goban_placement_record_get_choice (get_record (run), k);

      if (isnan (choice.start_us))
        return NULL;
      fill_spans (run, &choice, spans);
    }
  return g_steal_pointer (&spans);
}

/* --- words ------------------------------------------------------------------------------------ */

static const char *
name_device (GobanRun *run, guint device)
{
  return goban_cluster_get_device (goban_run_get_cluster (run), (GobanDeviceId) device)->name;
}

/* What policies record of a choice, for the translation. */
static const char *const known_names[] = { N_ ("finish"), N_ ("start"), N_ ("static level"),
                                           N_ ("time"),   N_ ("used"),  N_ ("upward rank") };

void
goban_record_append_name (GString *text, const char *name)
{
  gsize length = strlen (name);
  g_autofree char *words = NULL;

  if (g_str_has_suffix (name, "_us") || g_str_has_suffix (name, "_bytes"))
    length = (gsize) (strrchr (name, '_') - name);
  words = g_strndup (name, length);
  g_strdelimit (words, "_", ' ');
  for (gsize i = 0; i < G_N_ELEMENTS (known_names); i++)
    if (g_str_equal (words, known_names[i]))
      {
        g_string_append (text, _ (known_names[i]));
        return;
      }
  g_string_append (text, words);
}

void
goban_record_append_amount (GString *text, const char *name, double value)
{
  char buffer[GOBAN_QUANTITY_LEN];

  if (g_str_has_suffix (name, "_us"))
    goban_format_time (buffer, value);
  else if (g_str_has_suffix (name, "_bytes"))
    goban_format_bytes (buffer, value);
  else
    goban_format_double (buffer, value);
  g_string_append (text, buffer);
}

void
goban_record_append_number (GString *text, const char *name, double value)
{
  goban_record_append_name (text, name);
  g_string_append_c (text, ' ');
  goban_record_append_amount (text, name, value);
}

static void
append_choice (GString *text, GobanRun *run, const GobanPlacementChoice *choice)
{
  const GobanChoiceWords *words = goban_placement_record_get_words (get_record (run));

  g_string_append (text, goban_graph_get_node (goban_run_get_graph (run), choice->nodes[0])->name);
  if (choice->n_nodes > 1)
    g_string_append_printf (text, _ (" and %u more"), choice->n_nodes - 1);
  g_string_append_printf (text, _ (" to %s"), name_device (run, choice->device));
  if (choice->candidates != NULL && words->candidate != NULL
      && isfinite (choice->candidates[choice->device]))
    {
      g_string_append (text, ", ");
      goban_record_append_number (text, words->candidate,
                                  (double) choice->candidates[choice->device]);
    }
  if (choice->note != NULL)
    g_string_append_printf (text, ", %s", choice->note);
  if (words->key != NULL && isfinite (choice->key))
    {
      g_string_append (text, ", ");
      goban_record_append_number (text, words->key, (double) choice->key);
    }
}

static void
append_changes (GString *text, GobanRun *run, guint n, const char *note)
{
  g_autoptr (GobanPlan) before = NULL;
  g_autoptr (GArray) changes = list_changes (run, n, &before);
  guint n_moved = 0, n_reprioritised = 0;

  for (guint i = 0; i < changes->len; i++)
    {
      const GobanPlanChange *change = &g_array_index (changes, GobanPlanChange, i);

      n_moved += is_moved (before, change);
      n_reprioritised += is_reprioritised (before, change);
    }
  if (before == NULL)
    g_string_append (text, _ ("the first plan"));
  else
    g_string_append_printf (text,
                            goban_i18n_get_plural ("%u node moved, %u with another priority",
                                                   "%u nodes moved, %u with another priority",
                                                   n_moved),
                            n_moved, n_reprioritised);
  if (note != NULL)
    g_string_append_printf (text, " (%s)", note);
}

void
goban_record_steps_append (GString *text, GobanRun *run, guint n)
{
  GobanPlacementChoice choice;

  if (n < 1 || n > goban_record_steps_count (run))
    g_string_append (text, _ ("nothing was chosen yet"));
  else if (!are_choices (run))
    append_changes (text, run, n, get_plan_step (run, n)->note);
  else
    {
      choice = goban_placement_record_get_choice (get_record (run), n);
      append_choice (text, run, &choice);
    }
}

char *
goban_steps_explain (GobanRun *run, guint n, GobanNodeId node)
{
  const GobanChoiceWords *words;
  GobanPlacementChoice choice;
  GString *text;

  if (!are_choices (run) || !goban_steps_is_decided (run, n, node))
    return NULL;
  words = goban_placement_record_get_words (get_record (run));
  choice = goban_placement_record_get_choice (get_record (run), find_choice (run, node));
  text = g_string_new (NULL);
  g_string_append_printf (text, "step %u: ", find_choice (run, node));
  append_choice (text, run, &choice);
  for (guint d = 0;
       choice.candidates != NULL && d < goban_placement_record_get_n_devices (get_record (run));
       d++)
    {
      gboolean is_known = words->candidate != NULL && isfinite (choice.candidates[d]);
      g_autofree char *refusals = goban_refusals_describe (choice.refusals[d]);

      if (d == choice.device || (!is_known && choice.refusals[d] == 0))
        continue;
      g_string_append_printf (text, "; %s: ", name_device (run, d));
      g_string_append (text, refusals);
      if (is_known)
        {
          g_string_append (text, choice.refusals[d] != 0 ? ", " : "");
          goban_record_append_number (text, words->candidate, (double) choice.candidates[d]);
        }
    }
  return g_string_free (text, FALSE);
}
