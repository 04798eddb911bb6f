#include "engine/study/analysis/moments/moment-state.h"

#include "engine/core/i18n.h"
#include "engine/core/quantity.h"

#include <math.h>

/* --- paths ------------------------------------------------------------------------------------ */

/* The place of a span among those of its name in the same span. */
typedef struct
{
  guint64 number, total; /* from 1 */
  guint32 previous;      /* span of the same parent, of any name; 0: none */
  guint32 same;          /* the same, of the same name */
  gboolean is_alone;
} Place;

struct _GobanMomentPaths
{
  const GobanDecisions *decisions;
  gboolean is_translated;
  GArray *places; /* of Place by span; 0: of moments outside all spans */
};

/* Names of spans, for the translation. */
static G_GNUC_UNUSED const char *const known_names[] = {
  N_ ("attempt"), N_ ("batch"),   N_ ("best"),       N_ ("build"),     N_ ("cut"),
  N_ ("draft"),   N_ ("episode"), N_ ("generation"), N_ ("incumbent"), N_ ("move"),
  N_ ("moves"),   N_ ("plan"),    N_ ("refinement"), N_ ("rollout"),   N_ ("round"),
  N_ ("rules"),   N_ ("sample"),  N_ ("settling"),   N_ ("start"),     N_ ("union"),
  N_ ("update"),
};

static Place *
get_place (const GobanMomentPaths *self, guint32 span)
{
  return &g_array_index (self->places, Place, span);
}

/* A span with all moments of the one around it. */
static gboolean
is_whole (const GobanDecisions *decisions, const GobanSpan *span)
{
  const GobanSpan *parent
      = span->parent != 0 ? goban_decisions_get_span (decisions, span->parent) : NULL;

  return parent == NULL || (span->begin == parent->begin && span->end == parent->end);
}

GobanMomentPaths *
goban_moment_paths_new (const GobanDecisions *decisions, gboolean is_translated)
{
  GobanMomentPaths *self = g_new (GobanMomentPaths, 1);
  guint n = goban_decisions_get_n_spans (decisions);
  g_autofree guint32 *last_child = g_new0 (guint32, n + 1);

  *self = (GobanMomentPaths){ decisions, is_translated,
                              g_array_sized_new (FALSE, TRUE, sizeof (Place), n + 1) };
  g_array_set_size (self->places, n + 1);
  for (guint32 s = 1; s <= n; s++)
    {
      const GobanSpan *span = goban_decisions_get_span (decisions, s);
      Place *place = get_place (self, s);

      place->previous = last_child[span->parent];
      place->is_alone = place->previous == 0 && span->n_left_out == 0 && is_whole (decisions, span);
      if (place->previous != 0)
        get_place (self, place->previous)->is_alone = FALSE;
      last_child[span->parent] = s;
      for (guint32 other = place->previous; other != 0 && place->same == 0;
           other = get_place (self, other)->previous)
        if (goban_decisions_get_span (decisions, other)->name == span->name)
          place->same = other;
      place->number = span->n_left_out + 1;
      if (place->same != 0)
        place->number += get_place (self, place->same)->number;
    }
  /* The last one of a name has the total; it hands it to the one before. */
  for (guint32 s = n; s > 0; s--)
    {
      Place *place = get_place (self, s);

      place->total = MAX (place->total, place->number);
      if (place->same != 0)
        get_place (self, place->same)->total = place->total;
    }
  return self;
}

void
goban_moment_paths_free (GobanMomentPaths *self)
{
  g_array_unref (self->places);
  g_free (self);
}

static guint32
find_span (const GobanDecisions *decisions, GobanMoment moment)
{
  GobanDecision decision;

  if (goban_decisions_get (decisions, moment, NULL, &decision))
    return decision.span;
  for (guint32 s = goban_decisions_get_n_spans (decisions); s > 0; s--)
    {
      const GobanSpan *span = goban_decisions_get_span (decisions, s);

      if (span->begin < moment && moment <= span->end)
        return s;
    }
  return 0;
}

/* "Plan 5 of 17", in front of what is there. */
static void
prepend_part (const GobanMomentPaths *self, GString *text, const char *name, guint64 number,
              guint64 total)
{
  const char *word = self->is_translated ? goban_i18n_get (name) : name;
  char first[8] = "";
  char of[GOBAN_QUANTITY_LEN], all[GOBAN_QUANTITY_LEN];
  g_autofree char *title = NULL;
  g_autofree char *part = NULL;

  first[g_unichar_to_utf8 (g_unichar_toupper (g_utf8_get_char (word)), first)] = '\0';
  title = g_strconcat (first, g_utf8_next_char (word), NULL);
  goban_format_grouped (of, number);
  goban_format_grouped (all, total);
  part = total == 1 ? g_strdup (title)
                    : g_strdup_printf (self->is_translated ? _ ("%s %s of %s") : "%s %s of %s",
                                       title, of, all);
  if (text->len > 0)
    g_string_prepend (text, " › ");
  g_string_prepend (text, part);
}

char *
goban_moment_paths_describe (const GobanMomentPaths *self, GobanMoment moment)
{
  GString *text = g_string_new (NULL);
  guint32 inner = moment > 0 ? find_span (self->decisions, moment) : 0;
  GobanMoment begin = 0;
  GobanMoment end = goban_decisions_get_n_moments (self->decisions);

  if (inner != 0)
    {
      begin = goban_decisions_get_span (self->decisions, inner)->begin;
      end = goban_decisions_get_span (self->decisions, inner)->end;
    }
  if (moment > 0 && end - begin > 1)
    prepend_part (self, text, N_ ("decision"), moment - begin, end - begin);
  for (guint32 s = inner; s != 0; s = goban_decisions_get_span (self->decisions, s)->parent)
    if (!get_place (self, s)->is_alone)
      prepend_part (self, text, goban_decisions_get_span (self->decisions, s)->name,
                    get_place (self, s)->number, get_place (self, s)->total);
  if (moment > 0 && text->len == 0)
    prepend_part (self, text, N_ ("decision"), 1, 1);
  return g_string_free (text, FALSE);
}

char *
goban_moment_describe_path (const GobanDecisions *decisions, GobanMoment moment)
{
  g_autoptr (GobanMomentPaths) paths = goban_moment_paths_new (decisions, TRUE);

  return goban_moment_paths_describe (paths, moment);
}

/* --- stops ------------------------------------------------------------------------------------ */

gboolean
goban_moments_can_be_walked (const GobanDecisions *decisions)
{
  return decisions != NULL && goban_decisions_get_n_moments (decisions) > 1;
}

const char *
goban_moments_get_reason (const GobanDecisions *decisions)
{
  for (guint32 s = decisions != NULL ? goban_decisions_get_n_spans (decisions) : 0; s > 0; s--)
    {
      const char *why = goban_decisions_get_span (decisions, s)->why;

      if (why != NULL)
        return why;
    }
  return NULL;
}

gboolean
goban_moments_have_level (const GobanDecisions *decisions, GobanLevel level)
{
  guint n = 0;

  if (level == GOBAN_LEVEL_MOMENT)
    return TRUE;
  for (guint32 s = 1; s <= goban_decisions_get_n_spans (decisions); s++)
    n += goban_decisions_get_span (decisions, s)->level == level;
  /* The one plan is the last moment. */
  return n > 1;
}

static int
compare_moments (gconstpointer a, gconstpointer b)
{
  GobanMoment x = *(const GobanMoment *) a, y = *(const GobanMoment *) b;

  return (x > y) - (x < y);
}

GArray *
goban_moments_list_stops (const GobanDecisions *decisions, GobanLevel level, GobanStops which)
{
  GArray *stops = g_array_new (FALSE, FALSE, sizeof (GobanMoment));
  GobanMoment at = 0, last = goban_decisions_get_last (decisions);

  for (;;)
    {
      GobanMoment next = goban_decisions_next_stop (decisions, level, which, at, 1);

      g_array_append_val (stops, at);
      if (next == at)
        break;
      at = next;
    }
  if (g_array_index (stops, GobanMoment, goban_moments_find_stop (stops, last)) != last)
    {
      g_array_append_val (stops, last);
      g_array_sort (stops, compare_moments);
    }
  return stops;
}

guint
goban_moments_find_stop (const GArray *stops, GobanMoment moment)
{
  guint low = 0, high = stops->len;

  while (high - low > 1)
    {
      guint middle = low + (high - low) / 2;

      if (g_array_index (stops, GobanMoment, middle) <= moment)
        low = middle;
      else
        high = middle;
    }
  return low;
}

double *
goban_moments_dup_lengths_us (const GobanDecisions *decisions, const GArray *stops)
{
  guint n = goban_decisions_get_n_moments (decisions);
  g_autofree double *lengths_us = g_new (double, n + 1);
  double *at_stops_us = g_new (double, MAX (stops->len, 1));

  lengths_us[0] = (double) NAN;
  for (GobanMoment m = 1; m <= n; m++)
    {
      double so_far_us = lengths_us[goban_decisions_get_previous (decisions, m)];
      double before_us, after_us;
      GobanDecision decision;

      lengths_us[m] = so_far_us;
      if (!goban_decisions_get (decisions, m, NULL, &decision))
        continue;
      goban_decision_get_times (decisions, &decision, &before_us, &after_us);
      if (!isnan (after_us))
        lengths_us[m] = after_us;
      else if (isfinite (decision.finish_us))
        lengths_us[m] = fmax (so_far_us, (double) decision.finish_us);
    }
  for (guint i = 0; i < stops->len; i++)
    at_stops_us[i] = lengths_us[g_array_index (stops, GobanMoment, i)];
  return at_stops_us;
}

/* --- times ---------------------------------------------------------------------------------- */

void
goban_decision_get_times (const GobanDecisions *decisions, const GobanDecision *decision,
                          double *before_us, double *after_us)
{
  *before_us = decision->before_us;
  *after_us = decision->after_us;
  for (guint32 s = decision->span; s != 0 && isnan (*after_us);)
    {
      const GobanSpan *span = goban_decisions_get_span (decisions, s);

      if (span->is_open || span->last != decision->number)
        break;
      *after_us = span->after_us;
      if (isnan (*before_us))
        *before_us = span->before_us;
      s = span->parent;
    }
}

/* --- nodes ---------------------------------------------------------------------------------- */

GArray *
goban_moment_list_changes (const GobanDecisions *decisions, GobanMoment moment)
{
  GobanMoment previous = moment > 0 ? goban_decisions_get_previous (decisions, moment) : 0;

  /* The state before a moment may be dropped, and moment 0 be a later one then. */
  return goban_decisions_list_changes (
      decisions, goban_decisions_has (decisions, previous) ? previous : moment, moment);
}

GobanDeviceId *
goban_moment_dup_had (const GobanDecisions *decisions, GobanMoment moment)
{
  guint n_nodes = goban_decisions_get_n_nodes (decisions);
  GobanDeviceId *had = g_new (GobanDeviceId, MAX (n_nodes, 1));
  g_autoptr (GArray) changes = goban_moment_list_changes (decisions, moment);

  for (guint v = 0; v < n_nodes; v++)
    had[v] = GOBAN_NO_DEVICE;
  for (guint i = 0; i < changes->len; i++)
    {
      const GobanDecisionChange *change = &g_array_index (changes, GobanDecisionChange, i);

      if (change->task == GOBAN_TASK_PLACEMENT && change->from != GOBAN_UNDECIDED)
        had[change->node] = (GobanDeviceId) change->from;
    }
  return had;
}

GobanSelection *
goban_moment_dup_changed (const GobanDecisions *decisions, GobanMoment moment, GobanTask task)
{
  g_autoptr (GArray) changes = goban_moment_list_changes (decisions, moment);
  g_autoptr (GArray) nodes = g_array_new (FALSE, FALSE, sizeof (GobanNodeId));

  for (guint i = 0; i < changes->len; i++)
    {
      const GobanDecisionChange *change = &g_array_index (changes, GobanDecisionChange, i);

      if (task == GOBAN_N_TASKS || task == change->task)
        g_array_append_val (nodes, change->node);
    }
  return goban_selection_new ((const GobanNodeId *) (gpointer) nodes->data, nodes->len);
}

GobanNodeId
goban_moment_find_node (const GobanDecisions *decisions, GobanMoment moment)
{
  g_autoptr (GArray) changes = goban_moment_list_changes (decisions, moment);
  GobanDecision decision;

  if (changes->len > 0)
    return g_array_index (changes, GobanDecisionChange, 0).node;
  if (moment > 0 && goban_decisions_get (decisions, moment, NULL, &decision)
      && decision.n_nodes > 0)
    return decision.nodes[0];
  return GOBAN_NO_NODE;
}

GArray *
goban_moments_list_of_node (const GobanDecisions *decisions, GobanNodeId node, GobanMoment until)
{
  GArray *moments = g_array_new (FALSE, FALSE, sizeof (GobanMoment));

  for (guint task = 0; task < GOBAN_N_TASKS; task++)
    {
      GobanMoment moment = goban_decisions_find (decisions, node, (GobanTask) task, until);

      if (moment != 0)
        g_array_append_val (moments, moment);
    }
  return moments;
}

/* --- states --------------------------------------------------------------------------------- */

/* Whether the next decision goes on from the moment with a node that has no device there. */
static gboolean
is_built_on (const GobanDecisions *decisions, GobanMoment moment)
{
  g_autoptr (GArray) changes = NULL;

  if (moment >= goban_decisions_get_n_moments (decisions)
      || !goban_decisions_has (decisions, moment + 1)
      || goban_decisions_get_previous (decisions, moment + 1) != moment)
    return FALSE;
  changes = goban_moment_list_changes (decisions, moment + 1);
  for (guint i = 0; i < changes->len; i++)
    {
      const GobanDecisionChange *change = &g_array_index (changes, GobanDecisionChange, i);

      if (change->task == GOBAN_TASK_PLACEMENT && change->from == GOBAN_UNDECIDED)
        return TRUE;
    }
  return FALSE;
}

/* Whether the record is that of a policy that is still within a span. */
static gboolean
is_running (const GobanDecisions *decisions)
{
  for (guint32 s = goban_decisions_get_n_spans (decisions); s > 0; s--)
    if (goban_decisions_get_span (decisions, s)->is_open)
      return TRUE;
  return FALSE;
}

gboolean
goban_moment_is_finished (const GobanDecisions *decisions, GobanMoment moment)
{
  guint n_nodes = goban_decisions_get_n_nodes (decisions);
  GobanDecisionState state = { 0 };
  gboolean is_whole = TRUE;

  if (moment == goban_decisions_get_last (decisions) && !is_running (decisions))
    return TRUE;
  /* The state of a large graph takes milliseconds, and a player asks at each step. */
  if (!goban_decisions_has (decisions, moment) || is_built_on (decisions, moment))
    return FALSE;
  goban_decision_state_init (&state, n_nodes);
  goban_decisions_fill_state (decisions, moment, &state);
  for (GobanNodeId v = 0; v < n_nodes && is_whole; v++)
    is_whole = state.choices[GOBAN_TASK_PLACEMENT][v] != GOBAN_UNDECIDED;
  goban_decision_state_clear (&state);
  return is_whole;
}

GobanSelection *
goban_moment_dup_undecided (const GobanDecisions *decisions, GobanMoment moment)
{
  guint n_nodes = goban_decisions_get_n_nodes (decisions);
  g_autoptr (GArray) nodes = g_array_new (FALSE, FALSE, sizeof (GobanNodeId));
  GobanDecisionState state = { 0 };

  goban_decision_state_init (&state, n_nodes);
  goban_decisions_fill_state (decisions, moment, &state);
  for (GobanNodeId v = 0; v < n_nodes; v++)
    if (state.choices[GOBAN_TASK_PLACEMENT][v] == GOBAN_UNDECIDED)
      g_array_append_val (nodes, v);
  goban_decision_state_clear (&state);
  return goban_selection_new ((const GobanNodeId *) (gpointer) nodes->data, nodes->len);
}

/* Nodes of a decision run one after another. */
static void
spread_nodes (const GobanCostModel *costs, const GobanDecision *decision, GobanOpSpan *spans)
{
  double start_us = (double) decision->start_us;

  for (guint i = 0; i < decision->n_nodes; i++)
    {
      GobanNodeId v = decision->nodes[i];
      double finish_us = start_us + goban_cost_model_time_us (costs, v, decision->chosen);

      if (i + 1 == decision->n_nodes)
        finish_us = (double) decision->finish_us;
      spans[v] = (GobanOpSpan){ start_us, start_us, finish_us };
      start_us = finish_us;
    }
}

GobanOpSpan *
goban_moment_dup_spans (const GobanCostModel *costs, const GobanDecisions *decisions,
                        GobanMoment moment)
{
  guint n_nodes = goban_decisions_get_n_nodes (decisions);
  g_autofree GobanOpSpan *spans = g_new (GobanOpSpan, MAX (n_nodes, 1));
  GobanDecisionState state = { 0 };
  GobanDecision last;
  gboolean is_any = FALSE;

  if (moment == 0
      || (goban_decisions_get (decisions, moment, NULL, &last)
          && last.options != GOBAN_OPTION_DEVICE && last.options != GOBAN_OPTION_LEVEL))
    return NULL;
  goban_decision_state_init (&state, n_nodes);
  goban_decisions_fill_state (decisions, moment, &state);
  for (GobanNodeId v = 0; v < n_nodes; v++)
    {
      double start_us = (double) state.starts_us[v];

      spans[v] = (GobanOpSpan){ start_us, start_us, (double) state.finishes_us[v] };
      is_any |= !isnan (start_us);
    }
  for (GobanMoment m = is_any ? moment : 0; m > 0; m = goban_decisions_get_previous (decisions, m))
    {
      GobanDecision decision;

      if (goban_decisions_get (decisions, m, NULL, &decision) && decision.n_nodes > 1
          && !isnan (decision.start_us)
          /* Later decisions of the nodes are on the chain, too. */
          && state.starts_us[decision.nodes[0]] == decision.start_us
          && state.choices[GOBAN_TASK_PLACEMENT][decision.nodes[0]] == decision.chosen)
        spread_nodes (costs, &decision, spans);
    }
  goban_decision_state_clear (&state);
  return is_any ? g_steal_pointer (&spans) : NULL;
}
