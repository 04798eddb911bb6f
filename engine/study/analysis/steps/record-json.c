#include "engine/study/analysis/steps/record-json.h"

#include "engine/core/json-text.h"
#include "engine/core/quantity.h"
#include "engine/machine/plan/placement-record.h"
#include "engine/study/run/run-origin.h"

#include <math.h>
#include <string.h>

typedef struct
{
  GobanRun *run;
  GobanPlacementRecord *record;
  GString *json;
} Writer;

static void
begin_list (const Writer *self, const char *key)
{
  goban_json_append_key (self->json, key);
  g_string_append_c (self->json, '[');
}

static void
begin_line (const Writer *self, guint index)
{
  g_string_append (self->json, index > 0 ? ",\n  " : "\n  ");
}

static void
append_single (const Writer *self, float value)
{
  char buffer[GOBAN_QUANTITY_LEN];

  g_string_append (self->json, isfinite (value) ? goban_format_float (buffer, value) : "null");
}

static void
add_single (const Writer *self, const char *key, float value)
{
  goban_json_append_key (self->json, key);
  append_single (self, value);
}

static void
add_text (const Writer *self, const char *key, const char *text)
{
  goban_json_append_key (self->json, key);
  if (text != NULL)
    goban_json_append_string (self->json, text);
  else
    g_string_append (self->json, "null");
}

static const char *
name_node (const Writer *self, GobanNodeId node)
{
  return goban_graph_get_node (goban_run_get_graph (self->run), node)->name;
}

static const char *
name_device (const Writer *self, guint device)
{
  return goban_cluster_get_device (goban_run_get_cluster (self->run), (GobanDeviceId) device)->name;
}

/* --- choices ---------------------------------------------------------------------------------- */

/* ["group", "memory"] */
static void
append_refusals (const Writer *self, guint refusals)
{
  gboolean is_first = TRUE;

  g_string_append_c (self->json, '[');
  for (guint bit = 0; bit < GOBAN_N_REFUSALS; bit++)
    if ((refusals & 1u << bit) != 0)
      {
        g_string_append (self->json, is_first ? "" : ", ");
        goban_json_append_string (self->json, goban_refusal_get_name (bit));
        is_first = FALSE;
      }
  g_string_append_c (self->json, ']');
}

/* Only refused devices are in "refused". */
static void
add_candidates (const Writer *self, const GobanPlacementChoice *choice)
{
  guint n_devices = goban_placement_record_get_n_devices (self->record);
  gboolean is_first = TRUE;

  goban_json_append_key (self->json, "candidates");
  for (guint d = 0; d < n_devices; d++)
    {
      g_string_append (self->json, d > 0 ? ", " : "[");
      append_single (self, choice->candidates[d]);
    }
  g_string_append_c (self->json, ']');
  goban_json_append_key (self->json, "refused");
  g_string_append_c (self->json, '{');
  for (guint d = 0; d < n_devices; d++)
    if (choice->refusals[d] != 0)
      {
        g_string_append (self->json, is_first ? "" : ", ");
        goban_json_append_string (self->json, name_device (self, d));
        g_string_append (self->json, ": ");
        append_refusals (self, choice->refusals[d]);
        is_first = FALSE;
      }
  g_string_append_c (self->json, '}');
}

static void
append_choice (const Writer *self, const GobanPlacementChoice *choice)
{
  g_string_append_c (self->json, '{');
  begin_list (self, "nodes");
  for (guint i = 0; i < choice->n_nodes; i++)
    {
      g_string_append (self->json, i > 0 ? ", " : "");
      goban_json_append_string (self->json, name_node (self, choice->nodes[i]));
    }
  g_string_append_c (self->json, ']');
  goban_json_add_string (self->json, "device", name_device (self, choice->device));
  add_single (self, "key", choice->key);
  add_single (self, "start_us", choice->start_us);
  add_single (self, "finish_us", choice->finish_us);
  add_text (self, "note", choice->note);
  if (choice->candidates != NULL)
    add_candidates (self, choice);
  g_string_append_c (self->json, '}');
}

static void
add_choices (const Writer *self)
{
  const GobanChoiceWords *words = goban_placement_record_get_words (self->record);
  guint n = goban_placement_record_get_n_choices (self->record);

  if (words == NULL)
    return;
  add_text (self, "key", words->key);
  add_text (self, "candidate", words->candidate);
  goban_json_append_key (self->json, "takes_least");
  g_string_append (self->json, words->takes_least ? "true" : "false");
  add_text (self, "ties", words->ties);
  goban_json_add_number (self->json, "without_candidates",
                         goban_placement_record_get_n_dropped (self->record));
  begin_list (self, "devices");
  for (guint d = 0; d < goban_placement_record_get_n_devices (self->record); d++)
    {
      g_string_append (self->json, d > 0 ? ", " : "");
      goban_json_append_string (self->json, name_device (self, d));
    }
  g_string_append (self->json, "],\n ");
  begin_list (self, "choices");
  for (guint k = 1; k <= n; k++)
    {
      GobanPlacementChoice choice = goban_placement_record_get_choice (self->record, k);

      begin_line (self, k - 1);
      append_choice (self, &choice);
    }
  g_string_append (self->json, "],\n ");
}

/* --- plans ------------------------------------------------------------------------------------ */

static void
append_changes (const Writer *self, guint n)
{
  const GobanPlanChain *plans = goban_placement_record_get_plans (self->record);
  g_autoptr (GArray) changes = goban_plan_chain_list_changes (plans, n);

  begin_list (self, "changes");
  for (guint i = 0; i < changes->len; i++)
    {
      const GobanPlanChange *change = &g_array_index (changes, GobanPlanChange, i);

      g_string_append (self->json, i > 0 ? ", " : "");
      g_string_append_c (self->json, '{');
      goban_json_add_string (self->json, "node", name_node (self, change->node));
      goban_json_add_string (self->json, "device", name_device (self, change->device));
      goban_json_add_number (self->json, "priority", change->priority);
      g_string_append_c (self->json, '}');
    }
  g_string_append_c (self->json, ']');
}

static void
add_plans (const Writer *self)
{
  const GobanPlanChain *plans = goban_placement_record_get_plans (self->record);
  guint n = goban_placement_record_get_n_plans (self->record);

  if (n == 0 || goban_placement_record_get_words (self->record) != NULL)
    return;
  goban_json_add_number (self->json, "folded", goban_plan_chain_get_n_folded (plans));
  begin_list (self, "plans");
  for (guint k = 1; k <= n; k++)
    {
      const GobanPlanStep *step = goban_plan_chain_get_step (plans, k);

      begin_line (self, k - 1);
      g_string_append_c (self->json, '{');
      goban_json_add_number (self->json, "evaluation", (double) step->evaluation);
      goban_json_add_number (self->json, "before_us", step->before_us);
      goban_json_add_number (self->json, "after_us", step->after_us);
      add_text (self, "note", step->note);
      append_changes (self, k);
      g_string_append_c (self->json, '}');
    }
  g_string_append (self->json, "],\n ");
}

/* --- table ------------------------------------------------------------------------------------ */

static void
append_value (const Writer *self, guint column, double value)
{
  const GobanRecordTable *table = goban_placement_record_get_table (self->record);

  if (table->kinds != NULL && strcmp (table->names[column], "kind") == 0)
    goban_json_append_string (self->json, table->kinds[(guint) value]);
  else
    goban_json_append_number (self->json, value);
}

static void
add_table (const Writer *self)
{
  const GobanRecordTable *table = goban_placement_record_get_table (self->record);
  guint n_columns = goban_placement_record_get_n_columns (self->record);
  guint n_rows = goban_placement_record_get_n_rows (self->record);

  if (n_rows == 0)
    return;
  goban_json_append_key (self->json, "table");
  g_string_append_c (self->json, '{');
  begin_list (self, "columns");
  for (guint c = 0; c < n_columns; c++)
    {
      g_string_append (self->json, c > 0 ? ", " : "");
      goban_json_append_string (self->json, table->names[c]);
    }
  g_string_append_c (self->json, ']');
  goban_json_add_number (self->json, "folded",
                         (double) goban_placement_record_get_n_folded_rows (self->record));
  begin_list (self, "rows");
  for (guint r = 0; r < n_rows; r++)
    {
      const double *row = goban_placement_record_get_row (self->record, r);

      begin_line (self, r);
      for (guint c = 0; c < n_columns; c++)
        {
          g_string_append (self->json, c > 0 ? ", " : "[");
          append_value (self, c, row[c]);
        }
      g_string_append_c (self->json, ']');
    }
  g_string_append (self->json, "]},\n ");
}

char *
goban_record_to_json (GobanRun *run)
{
  Writer self = { run, goban_run_get_record (run), NULL };
  g_autoptr (GString) json = NULL;

  if (self.record == NULL)
    return NULL;
  self.json = json = g_string_new ("{");
  goban_json_add_string (json, "graph", goban_graph_get_name (goban_run_get_graph (run)));
  goban_json_add_string (json, "cluster", goban_cluster_get_name (goban_run_get_cluster (run)));
  goban_json_add_string (json, "policy", goban_run_get_name (run));
  add_choices (&self);
  add_plans (&self);
  add_table (&self);
  add_text (&self, "reason", goban_placement_record_get_reason (self.record));
  g_string_append (json, "}\n");
  return g_string_free (g_steal_pointer (&json), FALSE);
}
