#include "engine/study/analysis/moments/moment-words.h"

#include "engine/core/i18n.h"
#include "engine/core/quantity.h"
#include "engine/study/analysis/moments/moment-state.h"
#include "engine/study/analysis/scopes.h"

#include <math.h>
#include <string.h>

/* Scores are single precision. */
#define TOLERANCE 1e-5

/* The chosen device beside the best of the others that were allowed. */
typedef struct
{
  const GobanCostModel *costs;
  const GobanDecision *decision;
  GobanDeviceId chosen, other;
  double gap;               /* of their scores, above 0 if the chosen one is better */
  GobanDecisionState state; /* after the moment */
} Comparison;

/* The least score among the options but @but that are allowed, or refused; n_options: none. */
static guint32
find_least (const GobanDecision *decision, guint32 but, gboolean allowed)
{
  guint32 least = decision->n_options;

  for (guint32 k = 0; k < decision->n_options; k++)
    if (k != but && goban_option_is_allowed (decision, k) == allowed
        && isfinite (decision->scores[k])
        && (least == decision->n_options || decision->scores[k] < decision->scores[least]))
      least = k;
  return least;
}

/* --- proof by the costs -------------------------------------------------------------------- */

static double
sum_times (const Comparison *self, GobanDeviceId device)
{
  double time_us = 0;

  for (guint k = 0; k < self->decision->n_nodes; k++)
    time_us += goban_cost_model_time_us (self->costs, self->decision->nodes[k], device);
  return time_us;
}

static double
find_start (const Comparison *self, GobanDeviceId device)
{
  double score_us = (double) self->decision->scores[device];

  return self->decision->score == GOBAN_SCORE_FINISH_US ? score_us - sum_times (self, device)
                                                        : score_us;
}

/* The producer on the chosen device whose output reaches the other one last: at @arrival_us at the
 * earliest. GOBAN_NO_NODE without one. */
static GobanNodeId
find_input (const Comparison *self, double *arrival_us)
{
  const GobanGraph *graph = goban_cost_model_get_graph (self->costs);
  GobanNodeId last = GOBAN_NO_NODE;

  *arrival_us = -INFINITY;
  for (guint k = 0; k < self->decision->n_nodes; k++)
    {
      GobanEdgeSpan in = goban_graph_get_in_edges (graph, self->decision->nodes[k]);

      for (guint i = 0; i < in.n; i++)
        {
          const GobanEdge *edge = goban_graph_get_edge (graph, in.ids[i]);
          double finish_us = (double) self->state.finishes_us[edge->tail];
          double sent_us = finish_us
                           + goban_cost_model_transfer_us (self->costs, edge->tensor, self->chosen,
                                                           self->other);

          if (self->state.choices[GOBAN_TASK_PLACEMENT][edge->tail] == self->chosen
              && sent_us > finish_us && sent_us > *arrival_us)
            {
              *arrival_us = sent_us;
              last = edge->tail;
            }
        }
    }
  return last;
}

/* The op with which the other device is busy until @start_us. */
static GobanNodeId
find_busy (const Comparison *self, double start_us, double tolerance_us)
{
  for (guint v = 0; v < self->state.n_nodes; v++)
    if (self->state.choices[GOBAN_TASK_PLACEMENT][v] == self->other
        && fabs ((double) self->state.finishes_us[v] - start_us) <= tolerance_us
        && self->state.finishes_us[v] > self->state.starts_us[v])
      return v;
  return GOBAN_NO_NODE;
}

/* Another op or its output is why the other device starts later. */
static void
append_cause (GString *text, const Comparison *self, double start_us, double tolerance_us)
{
  const GobanGraph *graph = goban_cost_model_get_graph (self->costs);
  double arrival_us;
  GobanNodeId input = find_input (self, &arrival_us);
  GobanNodeId busy;

  if (input != GOBAN_NO_NODE && arrival_us >= start_us - tolerance_us)
    g_string_append_printf (text, _ (", because the input from %s is there"),
                            goban_graph_get_node (graph, input)->name);
  else if ((busy = find_busy (self, start_us, tolerance_us)) != GOBAN_NO_NODE)
    g_string_append_printf (
        text, _ (", because %s is busy with %s until then"),
        goban_cluster_get_device (goban_cost_model_get_cluster (self->costs), self->other)->name,
        goban_graph_get_node (graph, busy)->name);
}

/* ", because …" if the start or the time of the op on the two devices explains the whole gap. */
static void
append_proof (GString *text, Comparison *self, const GobanDecisions *decisions)
{
  double chosen_us = sum_times (self, self->chosen), other_us = sum_times (self, self->other);
  double start_us = find_start (self, self->other);
  double tolerance_us = TOLERANCE * fabs ((double) self->decision->scores[self->other]);
  char time[GOBAN_QUANTITY_LEN];

  if (self->decision->score == GOBAN_SCORE_FINISH_US
      && other_us - chosen_us >= self->gap - tolerance_us)
    {
      g_string_append_printf (text, _ (", because the op runs %s faster there"),
                              goban_format_time (time, other_us - chosen_us));
      return;
    }
  if (start_us - find_start (self, self->chosen) < self->gap - tolerance_us)
    return;
  /* It takes milliseconds of a large graph. */
  goban_decision_state_init (&self->state, goban_decisions_get_n_nodes (decisions));
  goban_decisions_fill_state (decisions, self->decision->number, &self->state);
  append_cause (text, self, start_us, tolerance_us);
  goban_decision_state_clear (&self->state);
}

/* --- sentences ------------------------------------------------------------------------------ */

/* "gpu:2 finishes 19 µs earlier than gpu:0"; an option that was not taken would. */
static void
append_better (GString *text, const GobanCostModel *costs, const GobanDecision *decision,
               guint32 better, guint32 other)
{
  gboolean is_taken = better == decision->chosen;
  double gap_of = (double) decision->scores[other] - (double) decision->scores[better];
  g_autofree char *a = goban_option_dup_name (costs, decision, better);
  g_autofree char *b = goban_option_dup_name (costs, decision, other);
  g_autofree char *gap = goban_score_describe (decision->score, gap_of);

  if (decision->score == GOBAN_SCORE_FINISH_US)
    g_string_append_printf (text,
                            is_taken ? _ ("%s finishes %s earlier than %s")
                                     : _ ("%s would finish %s earlier than %s"),
                            a, gap, b);
  else if (decision->score == GOBAN_SCORE_START_US)
    g_string_append_printf (text,
                            is_taken ? _ ("%s starts %s earlier than %s")
                                     : _ ("%s would start %s earlier than %s"),
                            a, gap, b);
  else if (decision->options == GOBAN_OPTION_RULE)
    g_string_append_printf (
        text, is_taken ? _ ("%s: better by %s than %s") : _ ("%s would be better by %s than %s"), a,
        gap, b);
  else
    g_string_append_printf (
        text, is_taken ? _ ("%s is better than %s by %s") : _ ("%s would be better than %s by %s"),
        a, b, gap);
}

/* Two options of the same score; @ties: (nullable): which of them the policy takes. */
static void
append_tie (GString *text, const GobanCostModel *costs, const GobanDecision *decision,
            guint32 other, const char *ties)
{
  g_autofree char *a = goban_option_dup_name (costs, decision, decision->chosen);
  g_autofree char *b = goban_option_dup_name (costs, decision, other);

  g_string_append_printf (text,
                          decision->score == GOBAN_SCORE_FINISH_US
                              ? _ ("%s finishes as early as %s")
                          : decision->score == GOBAN_SCORE_START_US ? _ ("%s starts as early as %s")
                                                                    : _ ("%s is as good as %s"),
                          a, b);
  if (ties != NULL)
    g_string_append_printf (text, _ (", and the policy takes %s"), ties);
}

/* The options that were refused, and why: "gpu:1: memory; cpu: cannot run". */
static void
append_refused (GString *text, const GobanCostModel *costs, const GobanDecision *decision)
{
  const char *separator = "";

  for (guint32 k = 0; k < decision->n_options; k++)
    if (!goban_option_is_allowed (decision, k))
      {
        g_autofree char *name = goban_option_dup_name (costs, decision, k);
        g_autofree char *why = goban_refusals_describe (decision->refusals[k]);

        g_string_append_printf (text, "%s%s: %s", separator, name, why);
        separator = "; ";
      }
}

static void
explain_least (GString *text, const GobanCostModel *costs, const GobanDecisions *decisions,
               const GobanDecision *decision)
{
  guint32 none = decision->n_options;
  guint32 other = find_least (decision, decision->chosen, TRUE);
  guint32 refused = find_least (decision, decision->chosen, FALSE);
  float score = decision->scores[decision->chosen];
  const GobanSpan *span
      = decision->span != 0 ? goban_decisions_get_span (decisions, decision->span) : NULL;
  Comparison comparison;

  if (refused != none && decision->scores[refused] < score)
    {
      g_autofree char *why = goban_refusals_describe (decision->refusals[refused]);

      append_better (text, costs, decision, refused, decision->chosen);
      g_string_append_printf (text, _ (", but is not available: %s"), why);
    }
  else if (other != none && decision->scores[other] < score)
    {
      append_better (text, costs, decision, other, decision->chosen);
      if (decision->note != NULL)
        g_string_append_printf (text, _ ("; the choice has another reason: %s"), decision->note);
    }
  else if (other != none && decision->scores[other] == score)
    append_tie (text, costs, decision, other, span != NULL ? span->ties : NULL);
  else if (other != none)
    {
      append_better (text, costs, decision, decision->chosen, other);
      if (decision->options != GOBAN_OPTION_DEVICE
          || (decision->score != GOBAN_SCORE_FINISH_US && decision->score != GOBAN_SCORE_START_US))
        return;
      comparison = (Comparison){ .costs = costs,
                                 .decision = decision,
                                 .chosen = (GobanDeviceId) decision->chosen,
                                 .other = (GobanDeviceId) other,
                                 .gap = (double) decision->scores[other] - (double) score };
      append_proof (text, &comparison, decisions);
    }
}

static void
explain_probability (GString *text, const GobanCostModel *costs, const GobanDecision *decision)
{
  guint32 most = decision->chosen;
  guint n_allowed = 0;
  gboolean is_tie = FALSE;

  for (guint32 k = 0; k < decision->n_options; k++)
    {
      n_allowed += goban_option_is_allowed (decision, k);
      if (decision->scores[k] > decision->scores[most])
        most = k;
    }
  for (guint32 k = 0; k < decision->n_options; k++)
    is_tie |= k != most && decision->scores[k] == decision->scores[most];
  if (most == decision->chosen)
    g_string_append_printf (
        text, is_tie ? _ ("as likely as others of %u options") : _ ("the likeliest of %u options"),
        n_allowed);
  else
    {
      g_autofree char *name = goban_option_dup_name (costs, decision, most);
      g_autofree char *score
          = goban_score_describe (decision->score, (double) decision->scores[most]);

      g_string_append_printf (text,
                              (decision->flags & GOBAN_DECISION_SAMPLED) != 0
                                  ? _ ("drawn by chance; %s was likelier, %s")
                                  : _ ("%s was likelier, %s"),
                              name, score);
    }
}

char *
goban_moment_explain (const GobanCostModel *costs, const GobanDecisions *decisions,
                      GobanMoment moment)
{
  g_autoptr (GString) text = g_string_new (NULL);
  GobanDecisionRoom room = { 0 };
  GobanDecision decision;
  guint n_allowed = 0;

  if (moment == 0 || !goban_decisions_get (decisions, moment, &room, &decision))
    return NULL;
  for (guint32 k = 0; k < decision.n_options; k++)
    n_allowed += goban_option_is_allowed (&decision, k);
  if ((decision.flags & GOBAN_DECISION_FORCED) != 0)
    g_string_append (text, _ ("taken in place of the policy's choice"));
  else if (n_allowed == 1 && decision.n_options > 1
           && goban_option_is_allowed (&decision, decision.chosen))
    {
      g_string_append (text, _ ("the only option left; "));
      append_refused (text, costs, &decision);
    }
  else if (decision.scores != NULL && decision.score == GOBAN_SCORE_PROBABILITY)
    explain_probability (text, costs, &decision);
  else if (decision.scores != NULL && decision.takes_least
           && isfinite (decision.scores[decision.chosen]))
    explain_least (text, costs, decisions, &decision);
  goban_decision_room_clear (&room);
  return text->len > 0 ? g_string_free (g_steal_pointer (&text), FALSE) : NULL;
}

/* Below it a probability is shown as a bound. */
#define LEAST_SHOWN 0.001
/* Devices that a change of many nodes names. */
#define MAX_WAYS 3

/* A shorter common beginning of two parts of names says nothing. */
#define LEAST_COMMON 3
/* Modules that a title names if the nodes have no scope in common. */
#define MAX_MODULES 2

/* --- names ---------------------------------------------------------------------------------- */

typedef struct
{
  const char *word;
  const char *name; /* (nullable): in files */
} ScoreWords;

static const ScoreWords score_words[] = {
  [GOBAN_SCORE_NONE] = { "", NULL },
  [GOBAN_SCORE_PROBABILITY] = { N_ ("probability"), "probability" },
  [GOBAN_SCORE_FINISH_US] = { N_ ("finish"), "finish_us" },
  [GOBAN_SCORE_START_US] = { N_ ("start"), "start_us" },
  [GOBAN_SCORE_TIME_US] = { N_ ("time"), "time_us" },
  [GOBAN_SCORE_BYTES] = { N_ ("size"), "bytes" },
  [GOBAN_SCORE_MAKESPAN_US] = { N_ ("makespan"), "makespan_us" },
  [GOBAN_SCORE_EXPECTED_US] = { N_ ("expected makespan"), "expected_us" },
  [GOBAN_SCORE_GAIN] = { N_ ("gain"), "gain" },
  [GOBAN_SCORE_BOUND_US] = { N_ ("bound"), "bound_us" },
};

const char *
goban_score_get_name (GobanScoreKind kind)
{
  return score_words[kind].name;
}

const char *
goban_score_get_word (GobanScoreKind kind)
{
  return *score_words[kind].word != '\0' ? _ (score_words[kind].word) : "";
}

char *
goban_score_describe (GobanScoreKind kind, double score)
{
  char buffer[GOBAN_QUANTITY_LEN];

  switch (kind)
    {
    case GOBAN_SCORE_NONE:
      return g_strdup ("");
    case GOBAN_SCORE_PROBABILITY:
      if (score > 0 && score < LEAST_SHOWN)
        return g_strdup ("< 0.001");
      return g_strdup (g_ascii_formatd (buffer, sizeof buffer, "%.3g", score));
    case GOBAN_SCORE_GAIN:
      return g_strdup (g_ascii_formatd (buffer, sizeof buffer, "%.4g", score));
    case GOBAN_SCORE_BYTES:
      return g_strdup (goban_format_bytes (buffer, score));
    default:
      return g_strdup (goban_format_time (buffer, score));
    }
}

static const char *
get_device_name (const GobanCostModel *costs, guint32 device)
{
  return goban_cluster_get_device (goban_cost_model_get_cluster (costs), (GobanDeviceId) device)
      ->name;
}

char *
goban_choice_dup_name (const GobanCostModel *costs, GobanTask task, guint32 choice)
{
  if (choice == GOBAN_UNDECIDED)
    return NULL;
  if (task == GOBAN_TASK_PLACEMENT)
    return g_strdup (get_device_name (costs, choice));
  /* A level, or any other priority. */
  return g_strdup_printf (_ ("level %d"), (gint32) choice);
}

/* What rules' single words in a record mean. */
static const struct
{
  const char *name, *words;
} rules[] = {
  { "transfers", N_ ("longest path") },
  { "depth", N_ ("most ops after it") },
  { "times", N_ ("path without transfers") },
  { "fifo", N_ ("first in, first out") },
  { "index", N_ ("graph's order") },
  { "schedule", N_ ("scheduled") },
  { "kernels", N_ ("path of kernels") },
  { "keys", N_ ("own priorities") },
  { "nothing", N_ ("no op") },
  { "default", N_ ("XLA's rules") },
  { "alike", N_ ("every op that can be") },
  { "traffic", N_ ("most traffic saved first") },
  { "as it is", N_ ("as it is") },
};

/* The note of a decision among rules lists them. (transfer full) (nullable) */
static char *
dup_rule_name (const GobanDecision *decision, guint32 option)
{
  g_auto (GStrv) names = NULL;

  if (decision->options != GOBAN_OPTION_RULE || decision->note == NULL || decision->n_options < 2)
    return NULL;
  names = g_strsplit (decision->note, ", ", -1);
  return g_strv_length (names) == decision->n_options && option < decision->n_options
             ? g_strdup (names[option])
             : NULL;
}

/* For people. (transfer full) (nullable) */
static char *
dup_rule_words (const GobanDecision *decision, guint32 option)
{
  g_autofree char *name = dup_rule_name (decision, option);
  char number[GOBAN_QUANTITY_LEN];

  if (name != NULL && g_str_has_suffix (name, " groups"))
    {
      guint n = (guint) g_ascii_strtoull (name, NULL, 10);

      return g_strdup_printf (goban_i18n_get_plural ("%s group", "%s groups", n),
                              goban_format_grouped (number, n));
    }
  for (gsize i = 0; name != NULL && i < G_N_ELEMENTS (rules); i++)
    if (g_str_equal (name, rules[i].name))
      return g_strdup (_ (rules[i].words));
  return g_steal_pointer (&name);
}

char *
goban_option_dup_name (const GobanCostModel *costs, const GobanDecision *decision, guint32 option)
{
  char *rule;

  if (costs == NULL)
    return dup_rule_name (decision, option);
  switch (decision->options)
    {
    case GOBAN_OPTION_RULE:
      rule = dup_rule_words (decision, option);
      return rule != NULL ? rule : g_strdup_printf (_ ("rule %u"), option + 1);
    case GOBAN_OPTION_MOVE:
      return g_strdup_printf (_ ("move %u"), option + 1);
    case GOBAN_OPTION_PLAN:
      return g_strdup_printf (_ ("plan %u"), option + 1);
    default:
      return goban_choice_dup_name (
          costs,
          decision->options == GOBAN_OPTION_DEVICE ? GOBAN_TASK_PLACEMENT : GOBAN_TASK_SCHEDULING,
          option);
    }
}

gboolean
goban_option_is_allowed (const GobanDecision *decision, guint32 option)
{
  return decision->refusals == NULL || decision->refusals[option] == 0;
}

/* --- titles --------------------------------------------------------------------------------- */

gsize
goban_node_get_module_length (const char *name)
{
  return goban_scopes_get_prefix_length (name, 1);
}

static const char *
get_name (const GobanCostModel *costs, GobanNodeId node)
{
  return goban_graph_get_node (goban_cost_model_get_graph (costs), node)->name;
}

static gsize
find_common_length (const GobanCostModel *costs, const GobanNodeId *nodes, guint n)
{
  const char *first = get_name (costs, nodes[0]);
  gsize length = strlen (first);

  for (guint i = 1; i < n; i++)
    {
      const char *other = get_name (costs, nodes[i]);
      gsize same = 0;

      while (same < length && first[same] == other[same])
        same++;
      length = same;
    }
  return length;
}

/* The last two parts of a name. */
static const char *
find_end (const char *name)
{
  const char *last = strrchr (name, '/');

  while (last != NULL && last > name && *--last != '/')
    ;
  return last != NULL && *last == '/' ? last + 1 : name;
}

/* "maxpool2, Mixed_5b and 1 more", or "maxpool2 +2". */
static void
append_modules (GString *text, const GobanCostModel *costs, const GobanNodeId *nodes, guint n,
                GobanTitleStyle style)
{
  guint max_modules = style == GOBAN_TITLE_SHORT ? 1 : MAX_MODULES;
  g_autoptr (GHashTable) modules = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  guint n_modules;

  for (guint i = 0; i < n; i++)
    {
      const char *name = get_name (costs, nodes[i]);
      char *module = g_strndup (name, goban_node_get_module_length (name));

      if (!g_hash_table_contains (modules, module) && g_hash_table_size (modules) < max_modules)
        g_string_append_printf (text, "%s%s", text->len > 0 ? ", " : "", module);
      g_hash_table_add (modules, module);
    }
  n_modules = g_hash_table_size (modules);
  if (n_modules > max_modules)
    g_string_append_printf (text, style == GOBAN_TITLE_SHORT ? " +%u" : _ (" and %u more"),
                            n_modules - max_modules);
}

static void
append_n_ops (GString *text, guint n)
{
  char number[GOBAN_QUANTITY_LEN];

  g_string_append_printf (text, goban_i18n_get_plural ("%s op", "%s ops", n),
                          goban_format_grouped (number, n));
}

static void
append_common (GString *text, const GobanCostModel *costs, const GobanNodeId *nodes, guint n,
               GobanTitleStyle style)
{
  gboolean is_short = style == GOBAN_TITLE_SHORT;
  const char *first = get_name (costs, nodes[0]);
  gsize length, end;
  g_autofree char *scope = NULL;
  g_autofree char *part = NULL;

  if (n == 1)
    {
      g_string_append (text, is_short ? find_end (first) : first);
      return;
    }
  end = find_common_length (costs, nodes, n);
  for (length = end; length > 0 && first[length - 1] != '/';)
    length--;
  while (end > length && !g_ascii_isalnum (first[end - 1]))
    end--;
  if (end < length + LEAST_COMMON)
    end = length;
  /* Half a module is no scope. */
  if (length == 0)
    {
      append_modules (text, costs, nodes, n, style);
      return;
    }
  scope = g_strndup (first, length - 1);
  part = g_strndup (first + length, end - length);
  g_string_append (text, is_short ? find_end (scope) : scope);
  if (*part != '\0')
    g_string_append_printf (text, "%s%s", is_short ? " " : " · ", part);
  else if (is_short)
    {
      g_string_append (text, " · ");
      append_n_ops (text, n);
    }
}

/* "fusion rule", or "groups of ops", each of which is placed as one. (transfer full) */
static char *
dup_rule_title (const GobanDecision *decision)
{
  return decision->task == GOBAN_TASK_PLACEMENT
             ? g_strdup (_ ("groups of ops"))
             : g_strdup_printf (_ ("%s rule"), _ (goban_task_get_name (decision->task)));
}

/* A move, a plan or a rule. */
static void
append_change (GString *text, const GobanDecisions *decisions, const GobanDecision *decision)
{
  g_autoptr (GobanSelection) changed = NULL;
  guint n;

  if (decision->options == GOBAN_OPTION_RULE)
    {
      g_autofree char *rule = dup_rule_title (decision);

      g_string_append (text, rule);
      return;
    }
  changed = goban_moment_dup_changed (decisions, decision->number, GOBAN_N_TASKS);
  goban_selection_get_ids (changed, &n);
  if (n == 0)
    g_string_append (text, _ ("no change"));
  else
    {
      g_string_append (text,
                       decision->options == GOBAN_OPTION_MOVE ? _ ("move of ") : _ ("plan of "));
      append_n_ops (text, n);
    }
}

char *
goban_moment_dup_title (const GobanCostModel *costs, const GobanDecisions *decisions,
                        const GobanDecision *decision, GobanTitleStyle style)
{
  GString *text = g_string_new (NULL);
  char first[8] = "";

  if (goban_option_is_choice (decision->options) && decision->n_nodes > 0)
    {
      append_common (text, costs, decision->nodes, decision->n_nodes, style);
      return g_string_free (text, FALSE);
    }
  append_change (text, decisions, decision);
  first[g_unichar_to_utf8 (g_unichar_toupper (g_utf8_get_char (text->str)), first)] = '\0';
  g_string_erase (text, 0, g_utf8_next_char (text->str) - text->str);
  g_string_prepend (text, first);
  return g_string_free (text, FALSE);
}

/* --- changes -------------------------------------------------------------------------------- */

/* Nodes that go the same way. */
typedef struct
{
  GobanTask task;
  guint32 to; /* device; 0 of the other tasks, which are counted together */
  guint n;
} Way;

static int
compare_ways (gconstpointer a, gconstpointer b)
{
  const Way *x = a;
  const Way *y = b;

  if (x->task != y->task) /* devices first */
    return x->task == GOBAN_TASK_PLACEMENT   ? -1
           : y->task == GOBAN_TASK_PLACEMENT ? 1
                                             : (int) x->task - (int) y->task;
  if (x->n != y->n)
    return x->n > y->n ? -1 : 1;
  return (x->to > y->to) - (x->to < y->to);
}

/* The changes of a moment, counted by where they lead; most first. (transfer full) */
static GArray *
list_ways (const GobanDecisions *decisions, GobanMoment moment)
{
  GArray *ways = g_array_new (FALSE, FALSE, sizeof (Way));
  g_autoptr (GArray) changes = goban_moment_list_changes (decisions, moment);

  for (guint i = 0; i < changes->len; i++)
    {
      const GobanDecisionChange *change = &g_array_index (changes, GobanDecisionChange, i);
      const Way way = { change->task, change->task == GOBAN_TASK_PLACEMENT ? change->to : 0, 1 };
      guint w = 0;

      while (w < ways->len
             && (g_array_index (ways, Way, w).task != way.task
                 || g_array_index (ways, Way, w).to != way.to))
        w++;
      if (w < ways->len)
        g_array_index (ways, Way, w).n++;
      else
        g_array_append_val (ways, way);
    }
  g_array_sort (ways, compare_ways);
  return ways;
}

static void
append_ops (GString *text, GobanTask task, guint n_ops)
{
  char n[GOBAN_QUANTITY_LEN];

  g_string_append_printf (
      text,
      task == GOBAN_TASK_SCHEDULING
          ? goban_i18n_get_plural ("%s op with another priority", "%s ops with another priority",
                                   n_ops)
          : goban_i18n_get_plural ("%s op fused otherwise", "%s ops fused otherwise", n_ops),
      goban_format_grouped (n, n_ops));
}

/* "7 ops to gpu:2, 3 ops to gpu:1, 12 ops with another priority"; nothing if there are none. */
static void
append_changes (GString *text, const GobanCostModel *costs, const GobanDecisions *decisions,
                const GobanDecision *decision)
{
  g_autoptr (GArray) ways = list_ways (decisions, decision->number);
  guint n_devices = 0, n_elsewhere = 0;
  char n[GOBAN_QUANTITY_LEN];

  for (guint w = 0; w < ways->len; w++)
    n_devices += g_array_index (ways, Way, w).task == GOBAN_TASK_PLACEMENT;
  for (guint w = 0; w < ways->len; w++)
    {
      const Way *way = &g_array_index (ways, Way, w);
      gboolean is_device = way->task == GOBAN_TASK_PLACEMENT;

      if (is_device && w >= MAX_WAYS && n_devices > MAX_WAYS + 1)
        n_elsewhere += way->n;
      else
        g_string_append (text, w > 0 ? ", " : "");
      if (!is_device)
        append_ops (text, way->task, way->n);
      else if (n_elsewhere == 0)
        g_string_append_printf (text, goban_i18n_get_plural ("%s op to %s", "%s ops to %s", way->n),
                                goban_format_grouped (n, way->n), get_device_name (costs, way->to));
      if (w + 1 == n_devices && n_elsewhere > 0)
        g_string_append_printf (text, _ (", %s elsewhere"), goban_format_grouped (n, n_elsewhere));
    }
  /* Priorities and kernels that a move changes are in its plan alone. */
  if (ways->len == 0 && decision->n_nodes > 0 && decision->task != GOBAN_TASK_PLACEMENT)
    append_ops (text, decision->task, decision->n_nodes);
}

/* --- description ---------------------------------------------------------------------------- */

/* "conv1", "conv1 and 2 more", "row 164 (31 ops)". */
static void
append_nodes (GString *text, const GobanCostModel *costs, const GobanDecision *decision)
{
  char n[GOBAN_QUANTITY_LEN];

  if (decision->row > 0)
    g_string_append_printf (text, _ ("row %s"), goban_format_grouped (n, decision->row));
  if (decision->row > 0 && decision->n_nodes > 0)
    g_string_append_printf (text,
                            goban_i18n_get_plural (" (%s op)", " (%s ops)", decision->n_nodes),
                            goban_format_grouped (n, decision->n_nodes));
  if (decision->row > 0)
    return;
  if (decision->n_nodes > 0)
    g_string_append (
        text, goban_graph_get_node (goban_cost_model_get_graph (costs), decision->nodes[0])->name);
  if (decision->n_nodes > 1)
    g_string_append_printf (text, _ (" and %s more"),
                            goban_format_grouped (n, decision->n_nodes - 1));
}

/* ", 612 → 598 ms": a unit that both have stands once. */
static void
append_times (GString *text, double before_us, double after_us)
{
  char before[GOBAN_QUANTITY_LEN], after[GOBAN_QUANTITY_LEN];
  const char *unit_before, *unit_after;
  gboolean is_same;

  if (isnan (after_us))
    return;
  unit_after = strchr (goban_format_time (after, after_us), ' ');
  if (isnan (before_us) || before_us == after_us)
    {
      g_string_append_printf (text, ", %s", after);
      return;
    }
  unit_before = strchr (goban_format_time (before, before_us), ' ');
  is_same = unit_before != NULL && g_strcmp0 (unit_before, unit_after) == 0;
  g_string_append_printf (text, ", %.*s → %s",
                          is_same ? (int) (unit_before - before) : (int) strlen (before), before,
                          after);
}

/* The memory that the plan of a span which ends in the decision lacks. */
static void
append_overflow (GString *text, const GobanDecisions *decisions, const GobanDecision *decision)
{
  char bytes[GOBAN_QUANTITY_LEN];

  for (guint32 s = decision->span; s != 0; s = goban_decisions_get_span (decisions, s)->parent)
    {
      const GobanSpan *span = goban_decisions_get_span (decisions, s);

      if (span->is_open || span->last != decision->number)
        return;
      if (span->overflow_bytes > 0)
        {
          g_string_append_printf (text, _ (", lacks %s of memory"),
                                  goban_format_bytes (bytes, span->overflow_bytes));
          return;
        }
    }
}

/* FALSE within a span from whose plan the policy did not go on. */
static gboolean
is_kept (const GobanDecisions *decisions, guint32 s)
{
  for (; s != 0; s = goban_decisions_get_span (decisions, s)->parent)
    if (!goban_decisions_get_span (decisions, s)->is_accepted
        && !goban_decisions_get_span (decisions, s)->is_open)
      return FALSE;
  return TRUE;
}

static void
append_score (GString *text, const GobanDecision *decision)
{
  g_autofree char *score = NULL;

  if (decision->scores == NULL || decision->score == GOBAN_SCORE_NONE
      || decision->chosen >= decision->n_options || !isfinite (decision->scores[decision->chosen]))
    return;
  score = goban_score_describe (decision->score, (double) decision->scores[decision->chosen]);
  g_string_append_printf (text, ", %s %s", goban_score_get_word (decision->score), score);
}

static void
append_choice (GString *text, const GobanCostModel *costs, const GobanDecision *decision)
{
  g_autofree char *name = goban_option_dup_name (costs, decision, decision->chosen);

  append_nodes (text, costs, decision);
  if (decision->options == GOBAN_OPTION_DEVICE)
    g_string_append_printf (text, _ (" to %s"), name);
  else
    g_string_append_printf (text, _ (" to %s %s"), _ (goban_task_get_name (decision->task)), name);
  append_score (text, decision);
}

/* The last option is none of the moves, if there are several. */
static gboolean
is_none (const GobanDecision *decision, const char *changes)
{
  return *changes == '\0' && decision->chosen + 1 == decision->n_options;
}

static void
append_move (GString *text, const GobanDecision *decision, const char *changes)
{
  guint n_moves = MAX (decision->n_options, 2) - 1;
  char n[GOBAN_QUANTITY_LEN], of[GOBAN_QUANTITY_LEN];

  if (is_none (decision, changes))
    g_string_append_printf (
        text, goban_i18n_get_plural ("%s move, not taken", "%s moves, none taken", n_moves),
        goban_format_grouped (n, n_moves));
  else if (*changes != '\0')
    g_string_append_printf (text, _ ("move of %s"), changes);
  else
    g_string_append_printf (text, _ ("move %s of %s: same devices"),
                            goban_format_grouped (n, decision->chosen + 1),
                            goban_format_grouped (of, decision->n_options));
}

/* A plan or a rule, which is one of several, or has no others beside it. */
static void
append_plan (GString *text, const GobanDecision *decision, const char *changes, gboolean is_whole,
             gboolean is_timed)
{
  char n[GOBAN_QUANTITY_LEN], of[GOBAN_QUANTITY_LEN];
  g_autofree char *title
      = decision->options == GOBAN_OPTION_RULE ? dup_rule_title (decision) : NULL;

  goban_format_grouped (n, decision->chosen + 1);
  goban_format_grouped (of, decision->n_options);
  if (title != NULL)
    g_string_append (text, title);
  else
    g_string_append (text, decision->n_options > 1 ? _ ("plan")
                           : is_whole              ? _ ("whole plan")
                                                   : _ ("new plan"));
  if (decision->n_options > 1)
    {
      g_autofree char *rule = dup_rule_words (decision, decision->chosen);

      g_string_append_printf (text, _ (" %s of %s"), n, of);
      if (rule != NULL)
        g_string_append_printf (text, " (%s)", rule);
      if (!is_timed || decision->score != GOBAN_SCORE_MAKESPAN_US)
        append_score (text, decision);
    }
  if (*changes != '\0')
    g_string_append_printf (text, ": %s", changes);
  else if (decision->n_options < 2)
    g_string_append (text, _ (": same devices"));
}

static void
append_flags (GString *text, const GobanDecision *decision)
{
  g_autofree char *rule = dup_rule_name (decision, 0);

  if ((decision->flags & GOBAN_DECISION_SAMPLED) != 0)
    g_string_append (text, _ (", sampled"));
  if ((decision->flags & GOBAN_DECISION_CARRIED) != 0)
    g_string_append (text, _ (", follows from another decision"));
  if ((decision->flags & GOBAN_DECISION_FORCED) != 0)
    g_string_append (text, _ (", forced"));
  if (decision->note != NULL && *decision->note != '\0' && rule == NULL)
    g_string_append_printf (text, ", %s", decision->note);
}

char *
goban_moment_describe (const GobanCostModel *costs, const GobanDecisions *decisions,
                       GobanMoment moment)
{
  GString *text = g_string_new (NULL);
  g_autoptr (GString) changes = g_string_new (NULL);
  GobanDecisionRoom room = { 0 };
  GobanDecision decision;
  gboolean is_choice;
  double before_us, after_us;

  if (moment == 0 || !goban_decisions_get (decisions, moment, &room, &decision))
    {
      g_string_append (text, moment == 0 ? _ ("the beginning: nothing is decided yet")
                                         : _ ("dropped to save memory"));
      return g_string_free (text, FALSE);
    }
  goban_decision_get_times (decisions, &decision, &before_us, &after_us);
  is_choice = goban_option_is_choice (decision.options);
  if (!is_choice)
    append_changes (changes, costs, decisions, &decision);
  if (is_choice)
    append_choice (text, costs, &decision);
  else if (decision.options == GOBAN_OPTION_MOVE)
    append_move (text, &decision, changes->str);
  else
    append_plan (text, &decision, changes->str,
                 goban_decisions_get_previous (decisions, moment) == 0, !isnan (after_us));
  append_flags (text, &decision);
  /* A choice of a policy that builds its plan has its own time, the score. */
  if (!is_choice || !isnan (before_us))
    append_times (text, before_us, after_us);
  append_overflow (text, decisions, &decision);
  if (decision.options == GOBAN_OPTION_MOVE && !is_none (&decision, changes->str))
    g_string_append (text, is_kept (decisions, decision.span) ? _ (", taken") : _ (", not taken"));
  goban_decision_room_clear (&room);
  return g_string_free (text, FALSE);
}
