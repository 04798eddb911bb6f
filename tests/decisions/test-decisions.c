/* test-decisions.c: records of random writers against a model that keeps every state whole. */
#include "engine/decisions/decisions-writer.h"
#include "engine/decisions/feed.h"
#include "engine/decisions/replay.h"

#include "engine/core/error.h"
#include "engine/core/rng.h"
#include "tests/support/decisions-check.h"
#include "tests/support/test-program.h"
#include "tests/support/toys.h"

#include <math.h>
#include <string.h>

#define N_NODES 12
#define N_DEVICES 4
#define MAX_DEPTH 3
#define N_TASK_NODES (GOBAN_N_TASKS * N_NODES)

/* A moment, and all choices after it. */
typedef struct
{
  guint32 choices[N_TASK_NODES];
  GobanMoment previous;
  GobanMoment decided_by[N_TASK_NODES];
  guint32 span;
  guint32 chosen;
  double after_us; /* 0: unknown */
  guint32 had;
  guint n_nodes;
  GobanNodeId nodes[3];
  guint8 refusals[N_DEVICES];
} ModelMoment;

typedef struct
{
  GobanRng rng;
  GobanDecisionsWriter *writers[MAX_DEPTH + 1];
  GobanMoment returns_to[MAX_DEPTH + 1];
  guint32 span_of[MAX_DEPTH + 1];
  guint depth, n_spans;
  GArray *makespans; /* of double: of the plan of a moment, NAN: none */
  GArray *befores;   /* of double by span */
  GArray *bases;     /* of GobanMoment by span */
  gsize max_bytes;
  GArray *moments; /* of ModelMoment; 0 is the beginning */
  GobanMoment present;
  GArray *rejected; /* of gboolean by span */
} Model;

static ModelMoment *
get_model (const Model *self, GobanMoment moment)
{
  return &g_array_index (self->moments, ModelMoment, moment);
}

static void
model_init (Model *self, guint64 seed, gsize max_bytes)
{
  const double unknown = (double) NAN;
  ModelMoment beginning = { .previous = 0 };

  *self = (Model){ .max_bytes = max_bytes };
  goban_rng_init (&self->rng, seed);
  memset (beginning.choices, 0xff, sizeof beginning.choices);
  self->moments = g_array_new (FALSE, FALSE, sizeof (ModelMoment));
  self->rejected = g_array_new (FALSE, TRUE, sizeof (gboolean));
  g_array_append_val (self->moments, beginning);
  self->makespans = g_array_new (FALSE, FALSE, sizeof (double));
  self->befores = g_array_new (FALSE, TRUE, sizeof (double));
  self->bases = g_array_new (FALSE, TRUE, sizeof (GobanMoment));
  g_array_append_val (self->makespans, unknown);
  self->writers[0] = goban_decisions_writer_new (&(GobanDecisionsOptions){
      .n_nodes = N_NODES, .n_devices = N_DEVICES, .max_bytes = max_bytes });
}

static void
model_clear (Model *self)
{
  g_array_unref (self->moments);
  g_array_unref (self->rejected);
  g_array_unref (self->makespans);
  g_array_unref (self->befores);
  g_array_unref (self->bases);
}

static void
model_decide (Model *self)
{
  GobanTask task = (GobanTask) goban_rng_below (&self->rng, GOBAN_N_TASKS);
  gboolean is_move = goban_rng_below (&self->rng, 4) == 0;
  guint n = 1 + goban_rng_below (&self->rng, 3);
  guint32 option = goban_rng_below (&self->rng, N_DEVICES);
  GobanDecisionChange changes[3];
  const double unknown = (double) NAN;
  ModelMoment moment = *get_model (self, self->present);

  g_assert_cmpuint (goban_decisions_writer_get_moment (self->writers[self->depth]), ==,
                    self->present);
  moment.previous = self->present;
  moment.span = self->span_of[self->depth];
  moment.chosen = option;
  moment.n_nodes = is_move ? 0 : n;
  moment.after_us = goban_rng_below (&self->rng, 3) == 0 ? 0 : 1 + goban_rng_uniform (&self->rng);
  for (guint k = 0; k < n; k++)
    {
      GobanNodeId node = (GobanNodeId) goban_rng_below (&self->rng, N_NODES);
      guint32 to = is_move ? goban_rng_below (&self->rng, 1000) : option;

      moment.nodes[k] = node;
      changes[k] = (GobanDecisionChange){ task, node, 0, to };
      if (k == 0)
        moment.had = is_move ? GOBAN_UNDECIDED : moment.choices[task * N_NODES + node];
      if (!is_move || moment.choices[task * N_NODES + node] != to)
        moment.decided_by[task * N_NODES + node] = self->moments->len;
      moment.choices[task * N_NODES + node] = to;
    }
  for (guint d = 0; d < N_DEVICES; d++)
    {
      moment.refusals[d] = d != option && goban_rng_below (&self->rng, 3) == 0 ? 1 << d : 0;
      goban_decisions_writer_score (self->writers[self->depth], d,
                                    goban_rng_uniform (&self->rng) + (d == option),
                                    moment.refusals[d]);
    }
  g_assert_cmpuint (
      goban_decisions_writer_decide (
          self->writers[self->depth],
          &(GobanDecisionHead){ .task = task,
                                .options = is_move ? GOBAN_OPTION_MOVE : GOBAN_OPTION_DEVICE,
                                .score = is_move ? GOBAN_SCORE_GAIN : GOBAN_SCORE_PROBABILITY,
                                .nodes = moment.nodes,
                                .n_nodes = moment.n_nodes,
                                .n_options = N_DEVICES,
                                .changes = changes,
                                .n_changes = is_move ? n : 0,
                                .after_us = moment.after_us,
                                .key = (float) self->moments->len,
                                .has_key = TRUE },
          option),
      ==, option);
  g_array_append_val (self->makespans, unknown);
  self->present = self->moments->len;
  g_array_append_val (self->moments, moment);
}

static void
model_open (Model *self)
{
  gboolean has_base = goban_rng_below (&self->rng, 3) == 0;
  GobanSpanHead head = { .name = "span",
                         .level = GOBAN_LEVEL_ROUND - self->depth,
                         .has_base = has_base,
                         .base = self->present };

  if (self->depth == MAX_DEPTH)
    return;
  /* A state on the way to the present one. */
  for (guint k = goban_rng_below (&self->rng, 6); has_base && k > 0; k--)
    head.base = get_model (self, head.base)->previous;
  if (head.base != self->present && self->max_bytes > 0)
    {
      g_autoptr (GobanDecisions) now = goban_decisions_writer_peek (self->writers[0]);

      if (!goban_decisions_has (now, head.base))
        head.base = self->present;
    }
  self->depth++;
  self->returns_to[self->depth] = self->present;
  self->writers[self->depth] = goban_decisions_writer_open (self->writers[self->depth - 1], &head);
  self->span_of[self->depth] = ++self->n_spans;
  g_array_set_size (self->rejected, self->n_spans + 1);
  g_array_set_size (self->befores, self->n_spans + 1);
  g_array_set_size (self->bases, self->n_spans + 1);
  g_array_index (self->bases, GobanMoment, self->n_spans) = head.base;
  g_array_index (self->befores, double, self->n_spans)
      = g_array_index (self->makespans, double, head.base);
  self->present = head.base;
}

static void
model_close (Model *self)
{
  gboolean is_accepted = goban_rng_below (&self->rng, 2) == 0;
  double us = goban_rng_below (&self->rng, 4) == 0 ? (double) NAN : 1 + self->present;

  if (self->depth == 0)
    return;
  goban_decisions_writer_close (self->writers[self->depth], &(GobanSpanResult){ .makespan_us = us },
                                is_accepted);
  g_array_index (self->rejected, gboolean, self->span_of[self->depth]) = !is_accepted;
  if (!isnan (us))
    g_array_index (self->makespans, double, self->present) = us;
  if (!is_accepted)
    self->present = self->returns_to[self->depth];
  self->depth--;
}

static GobanDecisions *
model_run (Model *self, guint n_moments)
{
  while (self->moments->len <= n_moments)
    switch (goban_rng_below (&self->rng, 8))
      {
      case 0:
        model_open (self);
        break;
      case 1:
        model_close (self);
        break;
      default:
        model_decide (self);
      }
  while (self->depth > 0)
    model_close (self);
  return goban_decisions_writer_end (self->writers[0]);
}

static void
assert_state (const Model *self, GobanMoment moment, const GobanDecisionState *state)
{
  for (guint task = 0; task < GOBAN_N_TASKS; task++)
    g_assert_cmpmem (state->choices[task], N_NODES * sizeof (guint32),
                     &get_model (self, moment)->choices[task * N_NODES],
                     N_NODES * sizeof (guint32));
}

static void
assert_changes (const Model *self, const GobanDecisions *decisions, GobanMoment a, GobanMoment b)
{
  g_autoptr (GArray) there = goban_decisions_list_changes (decisions, a, b);
  g_autoptr (GArray) back = goban_decisions_list_changes (decisions, b, a);
  guint n = 0;

  g_assert_cmpuint (there->len, ==, back->len);
  for (guint i = 0; i < N_TASK_NODES; i++)
    if (get_model (self, a)->choices[i] != get_model (self, b)->choices[i])
      {
        const GobanDecisionChange *change = &g_array_index (there, GobanDecisionChange, n);
        const GobanDecisionChange *undone = &g_array_index (back, GobanDecisionChange, n);

        g_assert_cmpuint (n++, <, there->len);
        g_assert_cmpuint (change->task * N_NODES + change->node, ==, i);
        g_assert_cmpuint (change->from, ==, get_model (self, a)->choices[i]);
        g_assert_cmpuint (change->to, ==, get_model (self, b)->choices[i]);
        g_assert_cmpuint (undone->from, ==, change->to);
        g_assert_cmpuint (undone->to, ==, change->from);
      }
  g_assert_cmpuint (n, ==, there->len);
}

/* All but its span, whose number changes when others are folded. */
static void
assert_moment_left (const Model *self, const GobanDecisions *decisions, GobanMoment moment)
{
  GobanDecisionRoom room = { 0 };
  GobanDecision decision;
  double sum = 0;

  g_assert_true (goban_decisions_get (decisions, moment, &room, &decision));
  g_assert_cmpuint (decision.number, ==, moment);
  g_assert_cmpuint (decision.chosen, ==, get_model (self, moment)->chosen);
  g_assert_cmpuint (decision.had, ==, get_model (self, moment)->had);
  g_assert_cmpmem (decision.nodes, decision.n_nodes * sizeof (GobanNodeId),
                   get_model (self, moment)->nodes,
                   get_model (self, moment)->n_nodes * sizeof (GobanNodeId));
  g_assert_cmpfloat (decision.key, ==, (float) moment);
  g_assert_cmpuint (goban_decisions_get_previous (decisions, moment), ==,
                    get_model (self, moment)->previous);
  g_assert_cmpint (decision.span != 0, ==, get_model (self, moment)->span != 0);
  if (decision.span != 0)
    {
      const GobanSpan *span = goban_decisions_get_span (decisions, decision.span);

      g_assert_cmpuint (span->base, ==,
                        g_array_index (self->bases, GobanMoment, get_model (self, moment)->span));
      g_assert_cmpuint (span->begin, <, moment);
    }
  for (guint d = 0; decision.scores != NULL && d < N_DEVICES; d++)
    {
      sum += (double) decision.scores[d];
      g_assert_cmpuint (decision.refusals != NULL ? decision.refusals[d] : 0, ==,
                        get_model (self, moment)->refusals[d]);
      if (decision.score == GOBAN_SCORE_PROBABILITY && decision.refusals != NULL
          && decision.refusals[d] != 0)
        g_assert_cmpfloat (decision.scores[d], ==, 0);
    }
  if (decision.scores != NULL && decision.score == GOBAN_SCORE_PROBABILITY)
    g_assert_cmpfloat_with_epsilon (sum, 1, 1e-6);
  goban_decision_room_clear (&room);
}

static void
assert_moment (const Model *self, const GobanDecisions *decisions, GobanMoment moment)
{
  GobanDecision decision;

  assert_moment_left (self, decisions, moment);
  g_assert_true (goban_decisions_get (decisions, moment, NULL, &decision));
  g_assert_cmpuint (decision.span, ==, get_model (self, moment)->span);
}

static gboolean
is_on_line (const Model *self, GobanMoment moment)
{
  GobanMoment at = self->present;

  while (at > moment)
    at = get_model (self, at)->previous;
  return at == moment;
}

static void
test_states (void)
{
  for (guint round = 0; round < 30; round++)
    {
      Model model;
      g_autoptr (GobanDecisions) decisions = NULL;
      GobanDecisionState state;
      guint n;

      model_init (&model, (guint64) g_test_rand_int (), 0);
      decisions = model_run (&model, 200);
      n = goban_decisions_get_n_moments (decisions);
      goban_decision_state_init (&state, N_NODES);
      g_assert_cmpuint (n, ==, model.moments->len - 1);
      g_assert_cmpuint (goban_decisions_get_last (decisions), ==, model.present);
      for (GobanMoment m = 0; m <= n; m++)
        {
          GobanMoment other = goban_rng_below (&model.rng, n + 1);
          guint node = goban_rng_below (&model.rng, N_NODES);
          guint task = goban_rng_below (&model.rng, GOBAN_N_TASKS);

          goban_decisions_fill_state (decisions, m, &state);
          assert_state (&model, m, &state);
          assert_changes (&model, decisions, m, other);
          g_assert_cmpuint (goban_decisions_find (decisions, node, task, m), ==,
                            get_model (&model, m)->decided_by[task * N_NODES + node]);
          g_assert_cmpint (goban_decisions_is_on_line (decisions, m), ==, is_on_line (&model, m));
          if (m > 0)
            assert_moment (&model, decisions, m);
        }
      goban_decision_state_clear (&state);
      model_clear (&model);
    }
}

static void
test_spans (void)
{
  Model model;
  g_autoptr (GobanDecisions) decisions = NULL;

  model_init (&model, (guint64) g_test_rand_int (), 0);
  decisions = model_run (&model, 500);
  g_assert_cmpuint (goban_decisions_get_n_spans (decisions), ==, model.n_spans);
  for (guint32 n = 1; n <= model.n_spans; n++)
    {
      const GobanSpan *span = goban_decisions_get_span (decisions, n);

      g_assert_false (span->is_open);
      g_assert_cmpint (span->is_accepted, ==, !g_array_index (model.rejected, gboolean, n));
      g_assert_cmpuint (span->begin, <=, span->end);
      g_assert_cmpuint (span->base, <=, span->begin);
      if (span->parent != 0)
        {
          const GobanSpan *parent = goban_decisions_get_span (decisions, span->parent);

          g_assert_cmpuint (span->parent, <, n);
          g_assert_cmpuint (parent->level, >, span->level);
          g_assert_cmpuint (parent->begin, <=, span->begin);
          g_assert_cmpuint (parent->end, >=, span->end);
        }
      g_assert_cmpuint (span->base, ==, g_array_index (model.bases, GobanMoment, n));
      if (isnan (g_array_index (model.befores, double, n)))
        g_assert_true (isnan (span->before_us));
      else
        g_assert_cmpfloat (span->before_us, ==, g_array_index (model.befores, double, n));
    }
  model_clear (&model);
}

static gboolean
is_accepted (const Model *self, const GobanDecisions *decisions, guint32 span)
{
  for (; span != 0; span = goban_decisions_get_span (decisions, span)->parent)
    if (g_array_index (self->rejected, gboolean, span))
      return FALSE;
  return TRUE;
}

/* Whether the moment's state is the plan of a span that is accepted, with all around it. */
static gboolean
has_accepted_span (const Model *self, const GobanDecisions *decisions, GobanLevel level,
                   GobanMoment last)
{
  for (guint32 s = 1; s <= self->n_spans; s++)
    {
      const GobanSpan *span = goban_decisions_get_span (decisions, s);

      if (span->level == level && span->last == last && is_accepted (self, decisions, s))
        return TRUE;
    }
  return FALSE;
}

static void
test_stops (void)
{
  Model model;
  g_autoptr (GobanDecisions) decisions = NULL;
  guint n;

  model_init (&model, (guint64) g_test_rand_int (), 0);
  decisions = model_run (&model, 300);
  n = goban_decisions_get_n_moments (decisions);
  for (guint level = 0; level < GOBAN_N_DECISION_LEVELS; level++)
    for (guint walk = GOBAN_STOPS_ALL; walk <= GOBAN_STOPS_LINE; walk++)
      {
        GobanMoment at = 0;
        g_autoptr (GArray) stops = g_array_new (FALSE, FALSE, sizeof (GobanMoment));

        for (;;)
          {
            GobanMoment next = goban_decisions_next_stop (decisions, level, walk, at, 1);

            g_array_append_val (stops, at);
            if (next == at)
              break;
            g_assert_cmpuint (next, >, at);
            if (walk == GOBAN_STOPS_LINE)
              g_assert_true (is_on_line (&model, next));
            if (walk == GOBAN_STOPS_ACCEPTED)
              g_assert_true (level == GOBAN_LEVEL_MOMENT
                                 ? is_accepted (&model, decisions, get_model (&model, next)->span)
                                 : has_accepted_span (&model, decisions, level, next));
            if (level == GOBAN_LEVEL_MOMENT && walk == GOBAN_STOPS_ALL)
              g_assert_cmpuint (next, ==, at + 1);
            at = next;
          }
        for (guint i = stops->len; i > 1; i--)
          g_assert_cmpuint (goban_decisions_next_stop (decisions, level, walk,
                                                       g_array_index (stops, GobanMoment, i - 1),
                                                       -1),
                            ==, g_array_index (stops, GobanMoment, i - 2));
        g_assert_cmpuint (goban_decisions_next_stop (decisions, level, walk, 0, (int) n + 1), ==,
                          at);
      }
  model_clear (&model);
}

/* Spans that were folded are counted by their next sibling, if their parent is left. */
static void
assert_span_counts (const GobanDecisions *decisions, guint n_spans)
{
  guint n = goban_decisions_get_n_spans (decisions);
  guint64 n_folded = 0;

  for (guint32 s = 1; s <= n; s++)
    {
      const GobanSpan *span = goban_decisions_get_span (decisions, s);

      g_assert_cmpuint (span->parent, <, s);
      if (span->parent != 0)
        {
          const GobanSpan *parent = goban_decisions_get_span (decisions, span->parent);

          g_assert_cmpuint (parent->begin, <=, span->begin);
          g_assert_cmpuint (span->end, <=, parent->end);
          g_assert_cmpint (parent->level, ==, span->level + 1);
        }
      n_folded += span->n_left_out;
    }
  g_assert_cmpuint (n + n_folded, <=, n_spans);
  g_assert_cmpint (n_folded > 0, ==, n < n_spans);
}

static void
change_state (const GobanDecisions *decisions, GobanMoment from, GobanMoment to,
              GobanDecisionState *state)
{
  g_autoptr (GArray) changes = goban_decisions_list_changes (decisions, from, to);

  for (guint i = 0; i < changes->len; i++)
    {
      const GobanDecisionChange *change = &g_array_index (changes, GobanDecisionChange, i);

      g_assert_cmpuint (state->choices[change->task][change->node], ==, change->from);
      state->choices[change->task][change->node] = change->to;
    }
}

/* All that is left after dropping is as in the model. */
static void
test_limit (void)
{
  /* The whole record has 2 MB; 64 KiB is the lowest limit that must hold. */
  const gsize limits[] = { 1400 << 10, 900 << 10, 420 << 10, 160 << 10, 64 << 10 };
  guint n_partly = 0;

  for (guint l = 0; l < G_N_ELEMENTS (limits); l++)
    {
      Model model;
      g_autoptr (GobanDecisions) decisions = NULL;
      GobanDecisionState state;
      GobanDecision decision;
      guint scores, moments, n_left = 0, n;

      model_init (&model, (guint64) g_test_rand_int (), limits[l]);
      decisions = model_run (&model, 5 * 4096);
      n = goban_decisions_get_n_moments (decisions);
      goban_decisions_count_left_out (decisions, &scores, &moments);
      goban_decision_state_init (&state, N_NODES);
      g_test_message ("limit %" G_GSIZE_FORMAT ": %" G_GSIZE_FORMAT
                      " bytes, without scores %u, dropped %u of %u",
                      limits[l], goban_decisions_get_n_bytes (decisions), scores, moments, n);
      n_partly += scores > 0 && moments < n;
      g_assert_cmpuint (goban_decisions_get_n_bytes (decisions), <=, limits[l]);
      g_assert_cmpuint (goban_decisions_get_n_bytes (decisions), >, limits[l] / 4);
      assert_span_counts (decisions, model.n_spans);
      g_assert_true (goban_decisions_has (decisions, goban_decisions_get_last (decisions)));
      for (GobanMoment m = 1; m <= n; m++)
        {
          gboolean has = goban_decisions_has (decisions, m);

          n_left += has;
          if (!has)
            continue;
          if (goban_decisions_get (decisions, m, NULL, &decision))
            assert_moment_left (&model, decisions, m);
          if (m % 97 != 0)
            continue;
          goban_decisions_fill_state (decisions, m, &state);
          assert_state (&model, m, &state);
          assert_changes (&model, decisions, m, goban_decisions_get_last (decisions));
        }
      /* From the state that the record begins with, whichever moment's that is. */
      goban_decisions_fill_state (decisions, 0, &state);
      change_state (decisions, 0, goban_decisions_get_last (decisions), &state);
      assert_state (&model, goban_decisions_get_last (decisions), &state);
      g_assert_cmpuint (n_left, >, 0);
      /* The state of the beginning may be there without its moment. */
      g_assert_cmpuint (n_left, <=, n - moments + 1);
      goban_decision_state_clear (&state);
      model_clear (&model);
    }
  g_assert_cmpuint (n_partly, ==, G_N_ELEMENTS (limits));
}

/* The least and most of a level's makespans in one of so many parts, by a scan of all; infinities
 * if there is none. */
static void
scan_part (const Model *self, const GobanDecisions *decisions, GobanLevel level, guint part,
           guint n_parts, double *low, double *high)
{
  guint n_moments = self->moments->len - 1;
  guint n = level == GOBAN_LEVEL_MOMENT ? n_moments : self->n_spans;

  *low = (double) INFINITY;
  *high = (double) -INFINITY;
  for (guint i = 1; i <= n; i++)
    {
      GobanMoment at = i;
      double us = get_model (self, MIN (i, n_moments))->after_us;

      if (level != GOBAN_LEVEL_MOMENT)
        {
          const GobanSpan *span = goban_decisions_get_span (decisions, i);

          at = span->last;
          us = span->level == level && span->last > span->begin ? span->after_us : 0;
        }
      if (us > 0 && (guint64) (at - 1) * n_parts / n_moments == part)
        {
          *low = MIN (*low, us);
          *high = MAX (*high, us);
        }
    }
}

static void
test_sample (void)
{
  Model model;
  g_autoptr (GobanDecisions) decisions = NULL;
  double least[37], most[37];

  model_init (&model, (guint64) g_test_rand_int (), 0);
  decisions = model_run (&model, 700);
  for (GobanLevel level = GOBAN_LEVEL_MOMENT; level < GOBAN_N_DECISION_LEVELS; level++)
    {
      guint n_known = 0;

      goban_decisions_sample (decisions, level, G_N_ELEMENTS (least), least, most);
      for (guint part = 0; part < G_N_ELEMENTS (least); part++)
        {
          double low, high;

          scan_part (&model, decisions, level, part, G_N_ELEMENTS (least), &low, &high);
          g_assert_cmpint (isnan (least[part]), ==, isinf (low) != 0);
          g_assert_cmpint (isnan (most[part]), ==, isinf (low) != 0);
          if (isinf (low))
            continue;
          g_assert_cmpfloat (least[part], ==, low);
          g_assert_cmpfloat (most[part], ==, high);
          n_known++;
        }
      g_assert_cmpuint (n_known, >, level == GOBAN_LEVEL_MOMENT ? 30 : 3);
    }
  model_clear (&model);
}

#define N_HEAVY 6000
#define N_HEAVY_MOMENTS 60

/* The part of which a heavy moment has thousands. */
typedef enum
{
  HEAVY_NODES,
  HEAVY_CHANGES,
  HEAVY_OPTIONS,
  HEAVY_ATTENTION,
  N_HEAVY_KINDS
} HeavyKind;

static GobanDecisions *
record_heavy (HeavyKind kind, gsize max_bytes)
{
  g_autofree GobanNodeId *nodes = g_new (GobanNodeId, N_HEAVY);
  g_autofree GobanDecisionChange *changes = g_new (GobanDecisionChange, N_HEAVY);
  g_autofree GobanAttended *attended = g_new (GobanAttended, N_HEAVY);
  GobanDecisionsWriter *writer = goban_decisions_writer_new (
      &(GobanDecisionsOptions){ .n_nodes = N_HEAVY, .n_devices = N_HEAVY, .max_bytes = max_bytes });

  for (guint m = 1; m <= N_HEAVY_MOMENTS; m++)
    {
      const GobanDecisionHead head = {
        .task = GOBAN_TASK_PLACEMENT,
        .options = kind == HEAVY_CHANGES ? GOBAN_OPTION_MOVE : GOBAN_OPTION_DEVICE,
        .score = kind == HEAVY_OPTIONS ? GOBAN_SCORE_GAIN : GOBAN_SCORE_NONE,
        .nodes = nodes,
        .n_nodes = kind == HEAVY_NODES     ? N_HEAVY
                   : kind == HEAVY_CHANGES ? 0
                                           : 1,
        .n_options = kind == HEAVY_OPTIONS ? N_HEAVY : 0,
        .changes = changes,
        .n_changes = kind == HEAVY_CHANGES ? N_HEAVY : 0,
        .attended = attended,
        .n_attended = kind == HEAVY_ATTENTION ? N_HEAVY : 0,
      };

      for (guint v = 0; v < N_HEAVY; v++)
        {
          nodes[v] = v;
          attended[v] = (GobanAttended){ v + m, 0.25f };
          changes[v] = (GobanDecisionChange){ GOBAN_TASK_PLACEMENT, v, 0, m };
          if (kind == HEAVY_OPTIONS)
            goban_decisions_writer_score (writer, v, v + m,
                                          (v + m) % 2 == 0 ? 0 : GOBAN_REFUSAL_RULE);
        }
      g_assert_cmpuint (goban_decisions_writer_decide (writer, &head, m), ==, m);
    }
  return goban_decisions_writer_end (writer);
}

/* Moments of thousands of nodes, changes, options or rows that were read make blocks of a few. */
static void
test_heavy (void)
{
  const gsize limit = 1 << 20;

  for (guint i = 0; i < 2 * N_HEAVY_KINDS; i++)
    {
      HeavyKind kind = i / 2;
      g_autoptr (GobanDecisions) decisions = record_heavy (kind, i % 2 == 0 ? 0 : limit);
      GobanDecisionState state = { 0 };
      GobanDecisionRoom room = { 0 };
      guint n_whole = 0;

      g_test_message ("%u: %" G_GSIZE_FORMAT " bytes", i, goban_decisions_get_n_bytes (decisions));
      if (i % 2 == 0)
        g_assert_cmpuint (goban_decisions_get_n_bytes (decisions), >, 3 * limit / 2);
      else
        g_assert_cmpuint (goban_decisions_get_n_bytes (decisions), <=, limit);
      goban_decision_state_init (&state, N_HEAVY);
      for (GobanMoment m = 1; m <= N_HEAVY_MOMENTS; m++)
        {
          GobanNodeId last = kind <= HEAVY_CHANGES ? N_HEAVY - 1 : 0;
          GobanDecision decision;

          if (!goban_decisions_has (decisions, m))
            continue;
          goban_decisions_fill_state (decisions, m, &state);
          g_assert_cmpuint (state.choices[GOBAN_TASK_PLACEMENT][last], ==, m);
          if (!goban_decisions_get (decisions, m, &room, &decision))
            continue;
          if (kind == HEAVY_NODES)
            g_assert_cmpuint (decision.nodes[last], ==, last);
          if (decision.scores != NULL)
            g_assert_cmpfloat (decision.scores[N_HEAVY - 1], ==, N_HEAVY - 1 + m);
          if (decision.refusals != NULL)
            g_assert_cmpuint (decision.refusals[N_HEAVY - 1], ==,
                              m % 2 != 0 ? 0 : GOBAN_REFUSAL_RULE);
          if (decision.attended != NULL)
            g_assert_cmpuint (decision.attended[N_HEAVY - 1].row, ==, N_HEAVY - 1 + m);
          n_whole += kind == HEAVY_OPTIONS     ? decision.scores != NULL
                     : kind == HEAVY_ATTENTION ? decision.attended != NULL
                                               : 1;
        }
      g_assert_cmpuint (n_whole, >=, i % 2 == 0 ? N_HEAVY_MOMENTS : 5);
      goban_decision_room_clear (&room);
      goban_decision_state_clear (&state);
    }
}

static guint32
decide_one (GobanDecisionsWriter *writer, GobanNodeId node, guint32 wanted, guint refusals)
{
  for (guint d = 0; d < N_DEVICES; d++)
    goban_decisions_writer_score (writer, d, d, d == 2 ? refusals : 0);
  return goban_decisions_writer_decide (writer,
                                        &(GobanDecisionHead){ .task = GOBAN_TASK_PLACEMENT,
                                                              .score = GOBAN_SCORE_FINISH_US,
                                                              .nodes = &node,
                                                              .n_nodes = 1,
                                                              .n_options = N_DEVICES },
                                        wanted);
}

static void
test_forcing (void)
{
  const GobanDecisionsOptions plain = { .n_nodes = N_NODES, .n_devices = N_DEVICES };
  GobanDecisionsOptions options = plain;
  GobanDecisionsWriter *writer = goban_decisions_writer_new (&plain);
  g_autoptr (GobanDecisions) decisions = NULL;
  g_autoptr (GobanDecisions) forced = NULL;
  GobanDecision decision;

  for (GobanNodeId v = 0; v < 3; v++)
    g_assert_cmpuint (decide_one (writer, v, 1, 0), ==, 1);
  decisions = goban_decisions_writer_end (writer);

  options.moment = 2;
  options.option = 2;
  options.expected = decisions;
  writer = goban_decisions_writer_new (&options);
  g_assert_cmpuint (decide_one (writer, 0, 1, 0), ==, 1);
  g_assert_cmpuint (decide_one (writer, 1, 1, GOBAN_REFUSAL_MEMORY), ==, 2);
  g_assert_cmpuint (decide_one (writer, 2, 3, 0), ==, 3);
  g_assert_null (goban_decisions_writer_get_problem (writer));
  forced = goban_decisions_writer_end (writer);
  g_assert_true (goban_decisions_get (forced, 2, NULL, &decision));
  g_assert_cmpuint (decision.chosen, ==, 2);
  g_assert_cmpuint (decision.flags, ==, GOBAN_DECISION_FORCED);

  /* A device that cannot run the node is not forced; another decision before it is a problem. */
  writer = goban_decisions_writer_new (&options);
  decide_one (writer, 0, 1, 0);
  g_assert_cmpuint (decide_one (writer, 1, 1, GOBAN_REFUSAL_CANNOT_RUN), ==, 1);
  g_assert_cmpstr (goban_decisions_writer_get_problem (writer), ==,
                   "option 2 of moment 2 cannot be taken: cannot run");
  goban_decisions_unref (goban_decisions_writer_end (writer));
  writer = goban_decisions_writer_new (&options);
  decide_one (writer, 0, 3, 0);
  g_assert_nonnull (goban_decisions_writer_get_problem (writer));
  goban_decisions_unref (goban_decisions_writer_end (writer));

  g_assert_cmpuint (goban_decisions_writer_decide (NULL, NULL, 7), ==, 7);
}

/* A plan that was drawn beside others and written after it was simulated. */
static void
test_forcing_beside (void)
{
  const GobanDecisionsOptions plain = { .n_nodes = N_NODES, .n_devices = N_DEVICES };
  GobanDecisionsOptions options = plain;
  GobanDecisionsWriter *first = goban_decisions_writer_new (&plain);
  GobanDecisionsWriter *span;
  g_autoptr (GobanDecisions) decisions = NULL;
  guint64 evaluation;
  guint32 option;
  guint index;

  g_assert_false (goban_decisions_writer_get_forced (NULL, &evaluation, &index, &option));
  g_assert_false (goban_decisions_writer_get_forced (first, &evaluation, &index, &option));
  decide_one (first, 0, 1, 0);
  span = goban_decisions_writer_open (
      first, &(GobanSpanHead){ .name = "sample", .level = GOBAN_LEVEL_PLAN, .evaluation = 17 });
  for (GobanNodeId v = 1; v < 4; v++)
    decide_one (span, v, 1, 0);
  goban_decisions_writer_close (span, NULL, TRUE);
  decisions = goban_decisions_writer_end (first);

  options.moment = 3;
  options.option = 2;
  options.expected = decisions;
  first = goban_decisions_writer_new (&options);
  g_assert_true (goban_decisions_writer_get_forced (first, &evaluation, &index, &option));
  g_assert_cmpuint (evaluation, ==, 17);
  g_assert_cmpuint (index, ==, 1);
  g_assert_cmpuint (option, ==, 2);
  goban_decisions_unref (goban_decisions_writer_end (first));

  /* It is found by the record, or not at all. */
  options.expected = NULL;
  first = goban_decisions_writer_new (&options);
  g_assert_false (goban_decisions_writer_get_forced (first, &evaluation, &index, &option));
  g_assert_nonnull (goban_decisions_writer_get_problem (first));
  goban_decisions_unref (goban_decisions_writer_end (first));
}

static void
test_replay (void)
{
  g_autoptr (GobanCostModel) costs = toy_costs (toy_two_chains (N_NODES / 2), "p100x4");
  const GobanGraph *graph = goban_cost_model_get_graph (costs);
  g_autoptr (GError) error = NULL;
  guint n_nodes = goban_graph_get_n_nodes (graph);
  g_autoptr (GobanPlan) plan = goban_plan_new (graph, N_DEVICES);
  g_autoptr (GobanPlan) again = NULL;
  g_autoptr (GobanDecisions) decisions = NULL;
  GobanDecisionsWriter *first = goban_decisions_writer_new (
      &(GobanDecisionsOptions){ .n_nodes = n_nodes, .n_devices = N_DEVICES });
  GobanDecisionsWriter *writer = goban_decisions_writer_open (
      first, &(GobanSpanHead){ .name = "attempt", .level = GOBAN_LEVEL_PLAN });

  for (GobanNodeId v = 0; v < n_nodes; v++)
    {
      decide_one (writer, v, v % N_DEVICES, 0);
      goban_plan_set_device (plan, v, (GobanDeviceId) (v % N_DEVICES));
      goban_plan_set_priority (plan, v, (gint32) (7 * v % 5));
    }
  goban_plan_set_device (plan, 0, 3);
  goban_plan_set_order (plan, GOBAN_ORDER_PRIORITY);
  goban_decisions_writer_settle (writer, plan);
  goban_decisions_writer_close (writer, NULL, TRUE);
  decisions = goban_decisions_writer_end (first);
  check_decisions (costs, plan, decisions);
  again = goban_replay_plan (costs, decisions, n_nodes, &error);
  g_assert_no_error (error);
  g_assert_cmpint (goban_plan_get_order (again), ==, GOBAN_ORDER_PRIORITY);
  g_assert_cmpmem (goban_plan_get_devices (again), n_nodes * sizeof (GobanDeviceId),
                   goban_plan_get_devices (plan), n_nodes * sizeof (GobanDeviceId));
  g_assert_cmpmem (goban_plan_get_priorities (again), n_nodes * sizeof (gint32),
                   goban_plan_get_priorities (plan), n_nodes * sizeof (gint32));
  g_assert_cmpuint (goban_decisions_get_span (decisions, 1)->digest, !=, 0);
  g_assert_cmpuint (goban_decisions_get_span (decisions, 1)->digest, ==,
                    goban_settling_digest_plan (again));
  goban_plan_set_priority (again, 0, 77);
  g_assert_cmpuint (goban_decisions_get_span (decisions, 1)->digest, !=,
                    goban_settling_digest_plan (again));
  g_clear_pointer (&again, goban_plan_unref);
  again = goban_replay_plan (costs, decisions, 2, &error);
  g_assert_cmpuint (goban_plan_get_device (again, 0), ==, 0);
  g_assert_cmpuint (goban_plan_get_device (again, 1), ==, 1);
  g_assert_cmpuint (goban_plan_get_device (again, 2), ==, 0);
  g_assert_null (goban_replay_plan (costs, decisions, n_nodes + 1, &error));
  g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_INVALID);
}

typedef struct
{
  GobanDecisionsFeed *feed;
  gint is_done;
  GPtrArray *snapshots;
} Watch;

static gpointer
peek_worker (gpointer data)
{
  Watch *watch = data;

  while (!g_atomic_int_get (&watch->is_done) && watch->snapshots->len < 200)
    g_ptr_array_add (watch->snapshots, goban_decisions_feed_peek (watch->feed));
  return NULL;
}

/* Snapshots of another thread are as the record was until then; once the writer has left, there are
 * none. */
static void
test_peek (void)
{
  Model model;
  g_autoptr (GobanDecisionsFeed) feed = goban_decisions_feed_new ();
  Watch watch = { feed, .snapshots
                        = g_ptr_array_new_with_free_func ((GDestroyNotify) goban_decisions_unref) };
  GThread *thread;
  guint n_checked = 0;
  GobanDecisionState state;

  model_init (&model, (guint64) g_test_rand_int (), 0);
  goban_decision_state_init (&state, N_NODES);
  g_assert_null (goban_decisions_feed_peek (feed));
  goban_decisions_feed_set (feed, model.writers[0]);
  thread = g_thread_new ("peek", peek_worker, &watch);
  while (model.moments->len < 20000)
    switch (goban_rng_below (&model.rng, 8))
      {
      case 0:
        model_open (&model);
        break;
      case 1:
        model_close (&model);
        break;
      default:
        model_decide (&model);
      }
  g_atomic_int_set (&watch.is_done, 1);
  g_thread_join (thread);
  g_ptr_array_add (watch.snapshots, goban_decisions_writer_peek (model.writers[0]));
  for (guint i = 0; i < watch.snapshots->len; i++)
    {
      const GobanDecisions *snapshot = g_ptr_array_index (watch.snapshots, i);
      guint n = goban_decisions_get_n_moments (snapshot);

      for (guint k = 0; k < 20 && n > 0; k++)
        {
          GobanMoment m = 1 + goban_rng_below (&model.rng, n);

          assert_moment (&model, snapshot, m);
          goban_decisions_fill_state (snapshot, m, &state);
          assert_state (&model, m, &state);
          n_checked++;
        }
    }
  g_assert_cmpuint (n_checked, >=, 20);
  while (model.depth > 0)
    model_close (&model);
  goban_decisions_feed_set (feed, NULL);
  g_assert_null (goban_decisions_feed_peek (feed));
  goban_decisions_unref (goban_decisions_writer_end (model.writers[0]));
  g_ptr_array_unref (watch.snapshots);
  goban_decision_state_clear (&state);
  model_clear (&model);
}

/* A long search takes the same time a trial to the end: this is quick, or takes minutes. */
static void
test_trials (void)
{
  const guint n_trials = 40000;
  GobanDecisionsWriter *first = goban_decisions_writer_new (
      &(GobanDecisionsOptions){ .n_nodes = N_NODES, .n_devices = N_DEVICES });
  g_autoptr (GobanDecisions) decisions = NULL;
  guint32 expected = GOBAN_UNDECIDED;
  GobanDecisionState state = { 0 };

  for (guint k = 0; k < n_trials; k++)
    {
      GobanDecisionsWriter *trial = goban_decisions_writer_open (
          first, &(GobanSpanHead){ .name = "trial", .level = GOBAN_LEVEL_PLAN });
      gboolean is_accepted = k % 3 == 0;

      decide_one (trial, k % N_NODES, k / N_NODES % N_DEVICES, 0);
      if (is_accepted && k % N_NODES == 0)
        expected = k / N_NODES % N_DEVICES;
      goban_decisions_writer_close (trial, &(GobanSpanResult){ .makespan_us = 1 + k }, is_accepted);
    }
  decisions = goban_decisions_writer_end (first);
  goban_decision_state_init (&state, N_NODES);
  goban_decisions_fill_state (decisions, goban_decisions_get_last (decisions), &state);
  g_assert_cmpuint (state.choices[GOBAN_TASK_PLACEMENT][0], ==, expected);
  g_assert_cmpfloat (goban_decisions_get_span (decisions, n_trials)->before_us, ==,
                     1 + (n_trials - 1) / 3 * 3 - ((n_trials - 1) % 3 == 0 ? 3 : 0));
  goban_decision_state_clear (&state);
}

/* A record like heft's on the largest graph: bytes, and the time of its longest walks. */
static void
test_large (void)
{
  const guint n_nodes = 84464;
  const guint n_devices = 8;
  GobanDecisionsWriter *writer = goban_decisions_writer_new (
      &(GobanDecisionsOptions){ .n_nodes = n_nodes, .n_devices = n_devices });
  g_autoptr (GobanDecisions) decisions = NULL;
  g_autoptr (GArray) changes = NULL;
  GobanDecisionState state;
  gint64 start, written, filled, listed;
  guint scores, moments;

  start = g_get_monotonic_time ();
  for (GobanNodeId v = 0; v < n_nodes; v++)
    {
      for (guint d = 0; d < n_devices; d++)
        goban_decisions_writer_score (writer, d, v + d, 0);
      goban_decisions_writer_decide (writer,
                                     &(GobanDecisionHead){ .task = GOBAN_TASK_PLACEMENT,
                                                           .score = GOBAN_SCORE_FINISH_US,
                                                           .takes_least = TRUE,
                                                           .nodes = &v,
                                                           .n_nodes = 1,
                                                           .n_options = n_devices,
                                                           .key = 1,
                                                           .has_key = TRUE },
                                     v % n_devices);
      goban_decisions_writer_set_times (writer, v, v + 1);
    }
  written = g_get_monotonic_time ();
  decisions = goban_decisions_writer_end (writer);
  goban_decision_state_init (&state, n_nodes);
  filled = g_get_monotonic_time ();
  goban_decisions_fill_state (decisions, n_nodes, &state);
  listed = g_get_monotonic_time ();
  changes = goban_decisions_list_changes (decisions, 0, n_nodes);
  g_test_message ("84,464 moments x 8: %.2f MiB, %.1f ms to write, %.2f ms to fill the last state, "
                  "%.2f ms to list all changes",
                  (double) goban_decisions_get_n_bytes (decisions) / (1 << 20),
                  (double) (written - start) / 1e3, (double) (listed - filled) / 1e3,
                  (double) (g_get_monotonic_time () - listed) / 1e3);
  g_assert_cmpuint (changes->len, ==, n_nodes);
  g_assert_cmpfloat (state.starts_us[n_nodes - 1], ==, n_nodes - 1);
  g_assert_cmpuint (goban_decisions_get_n_bytes (decisions), <, GOBAN_DECISIONS_MAX_BYTES);
  goban_decisions_count_left_out (decisions, &scores, &moments);
  g_assert_cmpuint (scores + moments, ==, 0);
  goban_decision_state_clear (&state);
}

TEST_PROGRAM (decisions)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/decisions/states", test_states);
  g_test_add_func ("/decisions/spans", test_spans);
  g_test_add_func ("/decisions/stops", test_stops);
  g_test_add_func ("/decisions/limit", test_limit);
  g_test_add_func ("/decisions/heavy", test_heavy);
  g_test_add_func ("/decisions/sample", test_sample);
  g_test_add_func ("/decisions/forcing", test_forcing);
  g_test_add_func ("/decisions/forcing-beside", test_forcing_beside);
  g_test_add_func ("/decisions/replay", test_replay);
  g_test_add_func ("/decisions/peek", test_peek);
  g_test_add_func ("/decisions/trials", test_trials);
  g_test_add_func ("/decisions/large", test_large);
  return g_test_run ();
}
