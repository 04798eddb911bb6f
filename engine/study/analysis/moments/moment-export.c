#include "engine/study/analysis/moments/moment-export.h"

#include "engine/core/csv-text.h"
#include "engine/core/error.h"
#include "engine/core/file.h"
#include "engine/core/json-text.h"
#include "engine/core/quantity.h"
#include "engine/study/analysis/moments/moment-state.h"
#include "engine/study/analysis/moments/moment-words.h"
#include "engine/study/analysis/node-list.h"
#include "engine/study/run/run-origin.h"

#include <math.h>
#include <string.h>

static const char *const level_names[] = { "moment", "pass", "plan", "round" };
static const char *const kind_names[] = { "device", "level", "rule", "move", "plan" };
static const char *const flag_names[] = { "sampled", "carried", "at once", "forced" };

/* A moment with all that its line has. */
typedef struct
{
  GobanRun *run;
  const GobanDecisions *decisions;
  const GobanMomentPaths *paths;
  GString *text;
  gboolean is_csv;

  GobanDecisionRoom room;
  GobanDecision decision;
  GArray *changes; /* of GobanDecisionChange */
  double before_us, after_us;
  char *path;
} Line;

/* FALSE if the moment was dropped. */
static gboolean
line_read (Line *self, GobanMoment moment)
{
  if (!goban_decisions_get (self->decisions, moment, &self->room, &self->decision))
    return FALSE;
  self->changes = goban_moment_list_changes (self->decisions, moment);
  self->path = goban_moment_paths_describe (self->paths, moment);
  goban_decision_get_times (self->decisions, &self->decision, &self->before_us, &self->after_us);
  return TRUE;
}

static void
line_clear (Line *self)
{
  g_clear_pointer (&self->changes, g_array_unref);
  g_clear_pointer (&self->path, g_free);
}

static const char *
name_node (const Line *self, GobanNodeId node)
{
  return goban_graph_get_node (goban_run_get_graph (self->run), node)->name;
}

/* NULL for what is not a device. */
static const char *
name_device (const Line *self, guint32 device)
{
  GobanCluster *cluster = goban_run_get_cluster (self->run);

  return device < goban_cluster_get_n_devices (cluster)
             ? goban_cluster_get_device (cluster, (GobanDeviceId) device)->name
             : NULL;
}

/* A device or a rule by name, another option by number. (transfer full) */
static char *
dup_option (const Line *self, guint32 option)
{
  char *name = self->decision.options == GOBAN_OPTION_DEVICE
                   ? g_strdup (name_device (self, option))
                   : goban_option_dup_name (NULL, &self->decision, option);

  return name != NULL || self->decision.options == GOBAN_OPTION_DEVICE
             ? name
             : g_strdup_printf ("%u", option);
}

/* --- fields of both formats ------------------------------------------------------------------- */

static void
begin_field (const Line *self, const char *key)
{
  if (!self->is_csv)
    goban_json_append_key (self->text, key);
  else if (self->text->str[self->text->len - 1] != '\n')
    g_string_append_c (self->text, ',');
}

/* Unknown numbers are null, or empty in CSV. */
static void
add_number (const Line *self, const char *key, double value)
{
  char buffer[GOBAN_QUANTITY_LEN];

  begin_field (self, key);
  if (!self->is_csv || isfinite (value))
    g_string_append (self->text, goban_format_double (buffer, value));
}

static void
add_float (const Line *self, const char *key, float value)
{
  char buffer[GOBAN_QUANTITY_LEN];

  begin_field (self, key);
  if (!self->is_csv || isfinite (value))
    g_string_append (self->text, goban_format_float (buffer, value));
}

static void
add_text (const Line *self, const char *key, const char *text)
{
  begin_field (self, key);
  if (!self->is_csv)
    goban_json_append_string (self->text, text);
  else
    goban_csv_append_text (self->text, text != NULL ? text : "");
}

/* A device by name, a level, priority or other option by number. */
static void
add_choice (const Line *self, const char *key, gboolean is_device, guint32 choice)
{
  if (is_device || choice == GOBAN_UNDECIDED)
    add_text (self, key, name_device (self, choice));
  else
    add_number (self, key, (gint32) choice);
}

static void
add_nodes (const Line *self)
{
  const GobanDecision *decision = &self->decision;
  /* A move, plan or rule has those that it changed. */
  guint n = decision->n_nodes > 0 ? decision->n_nodes : self->changes->len;
  g_autoptr (GString) names = g_string_new (NULL);

  begin_field (self, "nodes");
  for (guint i = 0; i < n; i++)
    {
      const char *name = name_node (
          self, decision->n_nodes > 0 ? decision->nodes[i]
                                      : g_array_index (self->changes, GobanDecisionChange, i).node);

      if (i > 0)
        g_string_append (names, self->is_csv ? "; " : ", ");
      if (self->is_csv)
        g_string_append (names, name);
      else
        goban_json_append_string (names, name);
    }
  if (self->is_csv)
    goban_csv_append_text (self->text, names->str);
  else
    g_string_append_printf (self->text, "[%s]", names->str);
}

#define HEADINGS                                                                                   \
  "number,path,level,span,task,kind,row,nodes,had,chosen,by,score,options,probability,entropy,"    \
  "temperature,key,start_us,finish_us,before_us,after_us,note,scores\r\n"

/* CSV has all options in one cell: "gpu:0 612.5; cpu:0 refused". */
static void
add_option_cell (const Line *self)
{
  const GobanDecision *decision = &self->decision;
  g_autoptr (GString) cell = g_string_new (NULL);
  char buffer[GOBAN_QUANTITY_LEN];

  for (guint32 k = 0; decision->scores != NULL && k < decision->n_options; k++)
    {
      g_autofree char *name = dup_option (self, k);
      gboolean is_refused = decision->refusals != NULL && decision->refusals[k] != 0;

      g_string_append_printf (cell, "%s%s %s", k > 0 ? "; " : "", name,
                              is_refused ? "refused"
                                         : goban_format_float (buffer, decision->scores[k]));
    }
  add_text (self, "scores", cell->str);
}

static void
add_fields (const Line *self)
{
  const GobanDecision *decision = &self->decision;
  const GobanSpan *span
      = decision->span != 0 ? goban_decisions_get_span (self->decisions, decision->span) : NULL;
  float score = decision->scores != NULL && decision->chosen < decision->n_options
                    ? decision->scores[decision->chosen]
                    : (float) NAN;
  g_autofree char *rule = goban_option_dup_name (NULL, decision, decision->chosen);

  add_number (self, "number", decision->number);
  add_text (self, "path", self->path);
  add_text (self, "level", level_names[span != NULL ? span->level : GOBAN_LEVEL_MOMENT]);
  add_number (self, "span", decision->span);
  add_text (self, "task", goban_task_get_name (decision->task));
  add_text (self, "kind", kind_names[decision->options]);
  add_number (self, "row", decision->row > 0 ? decision->row : (double) NAN);
  add_nodes (self);
  add_choice (self, "had", decision->task == GOBAN_TASK_PLACEMENT, decision->had);
  if (rule != NULL)
    add_text (self, "chosen", rule);
  else
    add_choice (self, "chosen", decision->options == GOBAN_OPTION_DEVICE, decision->chosen);
  add_text (self, "by", goban_score_get_name (decision->score));
  add_float (self, "score", score);
  add_number (self, "options", decision->n_options);
  add_float (self, "probability", decision->score == GOBAN_SCORE_PROBABILITY ? score : (float) NAN);
  add_float (self, "entropy", decision->entropy);
  add_float (self, "temperature", decision->temperature);
  add_float (self, "key", decision->key);
  add_float (self, "start_us", decision->start_us);
  add_float (self, "finish_us", decision->finish_us);
  add_number (self, "before_us", self->before_us);
  add_number (self, "after_us", self->after_us);
  add_text (self, "note", decision->note);
  if (self->is_csv)
    add_option_cell (self);
}

/* --- details of JSON ------------------------------------------------------------------------ */

static void
add_scores (const Line *self)
{
  char buffer[GOBAN_QUANTITY_LEN];

  goban_json_append_key (self->text, "names");
  for (guint32 k = 0; k < self->decision.n_options; k++)
    {
      g_autofree char *name = dup_option (self, k);

      g_string_append (self->text, k > 0 ? ", " : "[");
      goban_json_append_string (self->text, name);
    }
  g_string_append_c (self->text, ']');
  goban_json_append_key (self->text, "scores");
  for (guint32 k = 0; k < self->decision.n_options; k++)
    g_string_append_printf (self->text, "%s%s", k > 0 ? ", " : "[",
                            goban_format_float (buffer, self->decision.scores[k]));
  g_string_append_c (self->text, ']');
}

/* Only refused options are in "refused": { "cpu": ["cannot run"] }. */
static void
add_refusals (const Line *self)
{
  const GobanDecision *decision = &self->decision;

  goban_json_begin (self->text, "refused", '{');
  for (guint32 k = 0; k < decision->n_options; k++)
    if (decision->refusals[k] != 0)
      {
        const char *names[GOBAN_N_REFUSALS + 1] = { NULL };
        g_autofree char *name = dup_option (self, k);
        guint n = 0;

        for (guint bit = 0; bit < GOBAN_N_REFUSALS; bit++)
          if ((decision->refusals[k] & 1u << bit) != 0)
            names[n++] = goban_refusal_get_name (bit);
        goban_json_add_strings (self->text, name, names);
      }
  g_string_append_c (self->text, '}');
}

static void
add_attended (const Line *self)
{
  goban_json_append_key (self->text, "attended");
  for (guint i = 0; i < self->decision.n_attended; i++)
    {
      g_string_append (self->text, i > 0 ? ", {" : "[{");
      add_number (self, "row", self->decision.attended[i].row);
      add_float (self, "weight", self->decision.attended[i].weight);
      g_string_append_c (self->text, '}');
    }
  g_string_append_c (self->text, ']');
}

static void
add_changes (const Line *self)
{
  goban_json_begin (self->text, "changes", '[');
  for (guint i = 0; i < self->changes->len; i++)
    {
      const GobanDecisionChange *change = &g_array_index (self->changes, GobanDecisionChange, i);

      g_string_append (self->text, i > 0 ? ", {" : "{");
      add_text (self, "task", goban_task_get_name (change->task));
      add_text (self, "node", name_node (self, change->node));
      add_choice (self, "from", change->task == GOBAN_TASK_PLACEMENT, change->from);
      add_choice (self, "to", change->task == GOBAN_TASK_PLACEMENT, change->to);
      g_string_append_c (self->text, '}');
    }
  g_string_append_c (self->text, ']');
}

static void
add_details (const Line *self)
{
  const GobanDecision *decision = &self->decision;
  const char *flags[G_N_ELEMENTS (flag_names) + 1] = { NULL };
  guint n_flags = 0;

  if (decision->scores != NULL)
    add_scores (self);
  if (decision->refusals != NULL)
    add_refusals (self);
  if (decision->n_attended > 0)
    add_attended (self);
  for (guint bit = 0; bit < G_N_ELEMENTS (flag_names); bit++)
    if ((decision->flags & 1u << bit) != 0)
      flags[n_flags++] = flag_names[bit];
  if (n_flags > 0)
    goban_json_add_strings (self->text, "flags", flags);
  if (decision->options != GOBAN_OPTION_DEVICE && decision->options != GOBAN_OPTION_LEVEL)
    add_changes (self);
}

static void
append_span (GString *json, const GobanDecisions *decisions, guint32 n)
{
  const GobanSpan *span = goban_decisions_get_span (decisions, n);

  goban_json_add_number (json, "span", n);
  goban_json_add_string (json, "name", span->name);
  goban_json_add_string (json, "level", level_names[span->level]);
  goban_json_add_number (json, "parent", span->parent);
  goban_json_add_number (json, "first", span->begin + 1);
  goban_json_add_number (json, "last", span->end);
  goban_json_add_number (json, "base", span->base);
  goban_json_add_number (json, "plan", span->last);
  goban_json_add_number (json, "evaluation", (double) span->evaluation);
  goban_json_add_number (json, "left_out", (double) span->n_left_out);
  goban_json_add_number (json, "before_us", span->before_us);
  goban_json_add_number (json, "after_us", span->after_us);
  goban_json_add_number (json, "overflow_bytes", span->overflow_bytes);
  goban_json_add_boolean (json, "accepted", span->is_accepted);
  goban_json_add_string (json, "why", span->why);
  goban_json_add_string (json, "key", span->key);
  goban_json_add_string (json, "ties", span->ties);
}

static void
append_head (GString *json, GobanRun *run, const GobanDecisions *decisions)
{
  GobanCluster *cluster = goban_run_get_cluster (run);
  guint n_devices = goban_cluster_get_n_devices (cluster);
  g_autofree const char **devices = g_new0 (const char *, n_devices + 1);
  guint n_scores, n_moments;

  for (guint d = 0; d < n_devices; d++)
    devices[d] = goban_cluster_get_device (cluster, (GobanDeviceId) d)->name;
  goban_decisions_count_left_out (decisions, &n_scores, &n_moments);
  goban_json_add_string (json, "graph", goban_graph_get_name (goban_run_get_graph (run)));
  goban_json_add_string (json, "cluster", goban_cluster_get_name (cluster));
  goban_json_add_string (json, "policy", goban_run_get_name (run));
  goban_json_add_strings (json, "devices", devices);
  goban_json_add_number (json, "moments", goban_decisions_get_n_moments (decisions));
  goban_json_add_number (json, "last", goban_decisions_get_last (decisions));
  goban_json_add_number (json, "without_scores", n_scores);
  goban_json_add_number (json, "left_out", n_moments);
}

/* --- all moments ---------------------------------------------------------------------------- */

/* A line a moment that was not dropped. */
static void
append_moments (GString *text, GobanRun *run, const GobanDecisions *decisions, gboolean is_csv)
{
  g_autoptr (GobanMomentPaths) paths = goban_moment_paths_new (decisions, FALSE);
  Line line
      = { .run = run, .decisions = decisions, .paths = paths, .text = text, .is_csv = is_csv };
  const char *separator = "\n  {";

  for (GobanMoment m = 1; m <= goban_decisions_get_n_moments (decisions); m++)
    {
      if (!line_read (&line, m))
        continue;
      g_string_append (text, is_csv ? "" : separator);
      add_fields (&line);
      if (!is_csv)
        add_details (&line);
      g_string_append (text, is_csv ? "\r\n" : "}");
      separator = ",\n  {";
      line_clear (&line);
    }
  goban_decision_room_clear (&line.room);
}

char *
goban_moments_to_json (GobanRun *run)
{
  const GobanDecisions *decisions = goban_run_get_decisions (run);
  GString *json;

  if (decisions == NULL)
    return NULL;
  json = g_string_new ("{");
  append_head (json, run, decisions);
  g_string_append (json, ",\n ");
  goban_json_begin (json, "spans", '[');
  for (guint32 s = 1; s <= goban_decisions_get_n_spans (decisions); s++)
    {
      g_string_append (json, s > 1 ? ",\n  {" : "\n  {");
      append_span (json, decisions, s);
      g_string_append_c (json, '}');
    }
  g_string_append (json, "],\n ");
  goban_json_begin (json, "decisions", '[');
  append_moments (json, run, decisions, FALSE);
  g_string_append (json, "]}\n");
  return g_string_free (json, FALSE);
}

char *
goban_moments_to_csv (GobanRun *run)
{
  const GobanDecisions *decisions = goban_run_get_decisions (run);
  GString *csv;

  if (decisions == NULL)
    return NULL;
  csv = g_string_new (HEADINGS);
  append_moments (csv, run, decisions, TRUE);
  return g_string_free (csv, FALSE);
}

gboolean
goban_decisions_save (GobanRun *run, const char *path, GError **error)
{
  g_autofree char *text
      = goban_node_csv_is_path (path) ? goban_moments_to_csv (run) : goban_moments_to_json (run);

  if (text != NULL)
    return goban_file_write (path, text, strlen (text), error);
  return goban_refuse (error, GOBAN_ERROR_INVALID,
                       "%s has recorded no decisions: a policy's run does, a plan made by hand or "
                       "read from a file does not",
                       goban_run_get_name (run));
}
