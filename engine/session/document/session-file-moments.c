#include "engine/session/document/session-file-moments.h"

#include "engine/core/error.h"
#include "engine/decisions/decisions-parts.h"
#include "engine/decisions/replay.h"
#include "engine/decisions/settling.h"
#include "engine/session/document/session-file.h"
#include "engine/session/document/session-values.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#define VERSION 1
/* In a line of base64: divisible by the size of each number. */
#define LINE_BYTES 24576

/* --- tables ----------------------------------------------------------------------------------- */

typedef enum
{
  FIELD_NUMBER, /* of 32 bits */
  FIELD_STEP,   /* the same, as the difference from the item before */
  FIELD_WORD,   /* interned text (nullable) */
  FIELD_SINGLE, /* this and the following as bytes; NAN if unknown */
  FIELD_DOUBLE,
  FIELD_LONG, /* 64 bits that are 0 if unknown */
  FIELD_PART, /* scores or refusals, of any width */
} FieldKind;

typedef struct
{
  const char *key;
  gsize offset;
  FieldKind kind;
  guint32 below; /* numbers are less; 0: any */
} Field;

/* Items of one type; each field is a column. */
typedef struct
{
  const char *key;
  gsize size;
  const Field *fields; /* the first one is always written, others if they are not 0 or unknown */
  guint n_fields;
} Table;

#define TABLE(key, type, fields)                                                                   \
  {                                                                                                \
    key, sizeof (type), fields, G_N_ELEMENTS (fields)                                              \
  }

static const Field score_field = { .kind = FIELD_SINGLE };

/* A moment with the numbers of its parts, which are in tables of their own. */
typedef struct
{
  GobanLoadedMoment own;
  guint32 marks;
} Moment;

enum
{
  MARK_SCORES = 1 << 0,
  MARK_LOST_SCORES = 1 << 1,
  MARK_REFUSALS = 1 << 2,
  MARK_TAKES_LEAST = 1 << 3,
};

#define OF_MOMENT(member) G_STRUCT_OFFSET (Moment, own.decision.member)
static const Field moment_fields[] = {
  { "number", OF_MOMENT (number), FIELD_STEP, 0 },
  { "after_us", OF_MOMENT (after_us), FIELD_DOUBLE, 0 },
  { "attended", OF_MOMENT (n_attended), FIELD_NUMBER, 0 },
  { "before_us", OF_MOMENT (before_us), FIELD_DOUBLE, 0 },
  { "changes", G_STRUCT_OFFSET (Moment, own.n_changes), FIELD_NUMBER, 0 },
  { "chosen", OF_MOMENT (chosen), FIELD_NUMBER, 0 },
  { "entropy", OF_MOMENT (entropy), FIELD_SINGLE, 0 },
  { "finish_us", OF_MOMENT (finish_us), FIELD_SINGLE, 0 },
  { "flags", OF_MOMENT (flags), FIELD_NUMBER, GOBAN_DECISION_FORCED << 1 },
  { "key", OF_MOMENT (key), FIELD_SINGLE, 0 },
  { "marks", G_STRUCT_OFFSET (Moment, marks), FIELD_NUMBER, MARK_TAKES_LEAST << 1 },
  { "nodes", OF_MOMENT (n_nodes), FIELD_NUMBER, 0 },
  { "note", OF_MOMENT (note), FIELD_WORD, 0 },
  { "option_kind", OF_MOMENT (options), FIELD_NUMBER, GOBAN_OPTION_PLAN + 1 },
  { "options", OF_MOMENT (n_options), FIELD_NUMBER, 0 },
  { "previous", G_STRUCT_OFFSET (Moment, own.previous), FIELD_STEP, 0 },
  { "row", OF_MOMENT (row), FIELD_NUMBER, 0 },
  { "score_kind", OF_MOMENT (score), FIELD_NUMBER, GOBAN_SCORE_BOUND_US + 1 },
  { "span", OF_MOMENT (span), FIELD_NUMBER, 0 },
  { "start_us", OF_MOMENT (start_us), FIELD_SINGLE, 0 },
  { "task", OF_MOMENT (task), FIELD_NUMBER, GOBAN_N_TASKS },
  { "temperature", OF_MOMENT (temperature), FIELD_SINGLE, 0 },
};
static const Table moment_table = TABLE ("moments", Moment, moment_fields);

static const Field node_fields[] = { { "node", 0, FIELD_NUMBER, 0 } };
static const Table node_table = TABLE ("nodes", GobanNodeId, node_fields);

static const Field change_fields[] = {
  { "node", G_STRUCT_OFFSET (GobanDecisionChange, node), FIELD_NUMBER, 0 },
  { "task", G_STRUCT_OFFSET (GobanDecisionChange, task), FIELD_NUMBER, GOBAN_N_TASKS },
  { "to", G_STRUCT_OFFSET (GobanDecisionChange, to), FIELD_NUMBER, 0 },
};
static const Table change_table = TABLE ("changes", GobanDecisionChange, change_fields);

static const Field attended_fields[] = {
  { "row", G_STRUCT_OFFSET (GobanAttended, row), FIELD_NUMBER, 0 },
  { "weight", G_STRUCT_OFFSET (GobanAttended, weight), FIELD_SINGLE, 0 },
};
static const Table attended_table = TABLE ("attended", GobanAttended, attended_fields);

static const Field span_fields[] = {
  { "begin", G_STRUCT_OFFSET (GobanSpan, begin), FIELD_STEP, 0 },
  { "accepted", G_STRUCT_OFFSET (GobanSpan, is_accepted), FIELD_NUMBER, 2 },
  { "after_us", G_STRUCT_OFFSET (GobanSpan, after_us), FIELD_DOUBLE, 0 },
  { "base", G_STRUCT_OFFSET (GobanSpan, base), FIELD_STEP, 0 },
  { "before_us", G_STRUCT_OFFSET (GobanSpan, before_us), FIELD_DOUBLE, 0 },
  { "digest", G_STRUCT_OFFSET (GobanSpan, digest), FIELD_LONG, 0 },
  { "end", G_STRUCT_OFFSET (GobanSpan, end), FIELD_STEP, 0 },
  { "evaluation", G_STRUCT_OFFSET (GobanSpan, evaluation), FIELD_LONG, 0 },
  { "key", G_STRUCT_OFFSET (GobanSpan, key), FIELD_WORD, 0 },
  { "last", G_STRUCT_OFFSET (GobanSpan, last), FIELD_STEP, 0 },
  { "left_out", G_STRUCT_OFFSET (GobanSpan, n_left_out), FIELD_LONG, 0 },
  { "level", G_STRUCT_OFFSET (GobanSpan, level), FIELD_NUMBER, GOBAN_N_DECISION_LEVELS },
  { "name", G_STRUCT_OFFSET (GobanSpan, name), FIELD_WORD, 0 },
  { "overflow_bytes", G_STRUCT_OFFSET (GobanSpan, overflow_bytes), FIELD_LONG, 0 },
  { "parent", G_STRUCT_OFFSET (GobanSpan, parent), FIELD_NUMBER, 0 },
  { "ties", G_STRUCT_OFFSET (GobanSpan, ties), FIELD_WORD, 0 },
  { "why", G_STRUCT_OFFSET (GobanSpan, why), FIELD_WORD, 0 },
};
static const Table span_table = TABLE ("spans", GobanSpan, span_fields);

/* A settled plan, whose columns are numbers of columns in the file, from 1. */
typedef struct
{
  GobanSettledPlan own;
  guint32 columns[GOBAN_N_SETTLED_COLUMNS];
} Settled;

static const Field settled_fields[] = {
  { "moment", G_STRUCT_OFFSET (Settled, own.moment), FIELD_STEP, 0 },
  { "digest", G_STRUCT_OFFSET (Settled, own.digest), FIELD_LONG, 0 },
  { "fusions", G_STRUCT_OFFSET (Settled, columns[GOBAN_SETTLED_FUSIONS]), FIELD_NUMBER, 0 },
  { "lost", G_STRUCT_OFFSET (Settled, own.is_lost), FIELD_NUMBER, 2 },
  { "moved", G_STRUCT_OFFSET (Settled, columns[GOBAN_SETTLED_MOVED]), FIELD_NUMBER, 0 },
  { "order", G_STRUCT_OFFSET (Settled, own.order), FIELD_NUMBER, GOBAN_ORDER_PRIORITY + 1 },
  { "priorities", G_STRUCT_OFFSET (Settled, columns[GOBAN_SETTLED_PRIORITIES]), FIELD_NUMBER, 0 },
  { "proven_bound_us", G_STRUCT_OFFSET (Settled, own.proven_bound_us), FIELD_LONG, 0 },
  { "transfers", G_STRUCT_OFFSET (Settled, columns[GOBAN_SETTLED_TRANSFERS]), FIELD_NUMBER, 0 },
};
static const Table settled_table = TABLE ("settled", Settled, settled_fields);

/* A node in the state with which the record begins. */
typedef struct
{
  guint32 choices[GOBAN_N_TASKS];
  float start_us, finish_us;
} Begun;

static const Field begun_fields[] = {
  { "placement", G_STRUCT_OFFSET (Begun, choices[GOBAN_TASK_PLACEMENT]), FIELD_NUMBER, 0 },
  { "finish_us", G_STRUCT_OFFSET (Begun, finish_us), FIELD_SINGLE, 0 },
  { "fusion", G_STRUCT_OFFSET (Begun, choices[GOBAN_TASK_FUSION]), FIELD_NUMBER, 0 },
  { "scheduling", G_STRUCT_OFFSET (Begun, choices[GOBAN_TASK_SCHEDULING]), FIELD_NUMBER, 0 },
  { "start_us", G_STRUCT_OFFSET (Begun, start_us), FIELD_SINGLE, 0 },
};
static const Table begun_table = TABLE ("beginning", Begun, begun_fields);

static guint
get_width (FieldKind kind)
{
  return kind == FIELD_DOUBLE || kind == FIELD_LONG ? 8 : 4;
}

/* The bits of an unknown number: the usual NAN, or 0. */
static guint64
get_unknown (FieldKind kind)
{
  return kind == FIELD_SINGLE   ? G_GUINT64_CONSTANT (0x7fc00000)
         : kind == FIELD_DOUBLE ? G_GUINT64_CONSTANT (0x7ff8000000000000)
                                : 0;
}

/* Little-endian. */
static void
append_bits (GByteArray *bytes, guint64 bits, guint width)
{
  guint8 own[8];

  for (guint i = 0; i < width; i++)
    own[i] = (guint8) (bits >> (8 * i));
  g_byte_array_append (bytes, own, width);
}

static guint64
peek_bits (const guint8 *bytes, guint width)
{
  guint64 bits = 0;

  for (guint i = 0; i < width; i++)
    bits |= (guint64) bytes[i] << (8 * i);
  return bits;
}

/* --- writing ---------------------------------------------------------------------------------- */

typedef struct
{
  GobanWriter *writer;
  const GobanDecisions *decisions;
  GobanDecisionsBeginning beginning;
  GPtrArray *words;    /* interned */
  GHashTable *numbers; /* of words, from 1 */
} Writing;

static guint32
number_word (const Writing *self, const char *word)
{
  guint number;

  if (word == NULL)
    return 0;
  number = GPOINTER_TO_UINT (g_hash_table_lookup (self->numbers, word));
  if (number == 0)
    {
      g_ptr_array_add (self->words, (gpointer) word);
      number = self->words->len;
      g_hash_table_insert (self->numbers, (gpointer) word, GUINT_TO_POINTER (number));
    }
  return number;
}

/* The bits of a field: all unknown numbers have the same. */
static guint64
get_bits (const Writing *self, const Field *field, const char *item)
{
  const char *place = item + field->offset;
  const char *word;
  guint64 bits = 0;
  guint32 half;
  double value = 0;
  float single;

  if (field->kind == FIELD_WORD)
    {
      memcpy (&word, place, sizeof word);
      return number_word (self, word);
    }
  if (get_width (field->kind) == sizeof bits)
    memcpy (&bits, place, sizeof bits);
  else
    {
      memcpy (&half, place, sizeof half);
      bits = half;
    }
  if (field->kind == FIELD_DOUBLE)
    memcpy (&value, place, sizeof value);
  if (field->kind == FIELD_SINGLE)
    {
      memcpy (&single, place, sizeof single);
      value = (double) single;
    }
  return isnan (value) ? get_unknown (field->kind) : bits;
}

/* A column of numbers that are all unknown is left out, and such a line of it is empty. */
static void
write_bytes (GobanWriter *self, const char *key, const GByteArray *bytes, FieldKind kind)
{
  g_autoptr (GPtrArray) lines = g_ptr_array_new_with_free_func (g_free);
  guint width = get_width (kind);
  gboolean is_any = FALSE;

  for (guint at = 0; at < bytes->len; at += LINE_BYTES)
    {
      guint n = MIN (bytes->len - at, LINE_BYTES);
      gboolean is_known = kind == FIELD_PART;

      for (guint i = 0; !is_known && i < n; i += width)
        is_known = peek_bits (bytes->data + at + i, width) != get_unknown (kind);
      g_ptr_array_add (lines, is_known ? g_base64_encode (bytes->data + at, n) : g_strdup (""));
      is_any |= is_known;
    }
  g_ptr_array_add (lines, NULL);
  if (is_any)
    goban_writer_add_texts (self, key, (const char *const *) lines->pdata);
}

static void
write_table (const Writing *self, const Table *table, const GArray *items)
{
  g_autofree gint32 *numbers = g_new (gint32, items->len + 1);

  if (items->len == 0)
    return;
  goban_writer_add_key (self->writer, table->key);
  goban_writer_open (self->writer, '{');
  for (guint f = 0; f < table->n_fields; f++)
    {
      const Field *field = &table->fields[f];
      g_autoptr (GByteArray) bytes = g_byte_array_new ();
      guint32 before = 0;
      gboolean is_any = f == 0;

      for (guint i = 0; i < items->len; i++)
        {
          guint64 bits = get_bits (self, field, items->data + i * table->size);

          if (field->kind > FIELD_WORD)
            append_bits (bytes, bits, get_width (field->kind));
          numbers[i] = (gint32) ((guint32) bits - before);
          is_any |= numbers[i] != 0;
          if (field->kind == FIELD_STEP)
            before = (guint32) bits;
        }
      if (field->kind > FIELD_WORD)
        write_bytes (self->writer, field->key, bytes, field->kind);
      else if (is_any)
        goban_writer_add_rows (self->writer, field->key, numbers, items->len);
    }
  goban_writer_close (self->writer, '}');
}

/* The moments that are written, and their parts. */
typedef struct
{
  GArray *moments;  /* of Moment */
  GArray *nodes;    /* of GobanNodeId */
  GArray *changes;  /* of GobanDecisionChange */
  GArray *attended; /* of GobanAttended */
  GByteArray *scores, *refusals;
} Parts;

static void
parts_init (Parts *self)
{
  *self = (Parts){ g_array_new (FALSE, TRUE, sizeof (Moment)),
                   g_array_new (FALSE, TRUE, sizeof (GobanNodeId)),
                   g_array_new (FALSE, TRUE, sizeof (GobanDecisionChange)),
                   g_array_new (FALSE, TRUE, sizeof (GobanAttended)),
                   g_byte_array_new (),
                   g_byte_array_new () };
}

static void
parts_clear (Parts *self)
{
  g_array_unref (self->moments);
  g_array_unref (self->nodes);
  g_array_unref (self->changes);
  g_array_unref (self->attended);
  g_clear_pointer (&self->scores, g_byte_array_unref);
  g_clear_pointer (&self->refusals, g_byte_array_unref);
}

/* Appends those of the moment's changes that its nodes do not give: they come first. Returns their
 * number. */
static guint
add_changes (const Writing *self, const GobanDecision *decision, GArray *changes)
{
  guint node = goban_option_is_choice (decision->options) ? decision->n_nodes : 0;
  guint first = changes->len;
  guint n;

  goban_decisions_append_own_changes (self->decisions, decision->number, changes);
  for (n = changes->len; n > first && node > 0; n--)
    {
      const GobanDecisionChange *change = &g_array_index (changes, GobanDecisionChange, n - 1);

      if (change->task != decision->task || change->to != decision->chosen)
        break;
      while (node > 0 && decision->nodes[node - 1] != change->node)
        node--;
      if (node == 0)
        break;
      node--;
    }
  g_array_set_size (changes, n);
  return n - first;
}

static void
add_moment (const Writing *self, const GobanDecision *decision, Parts *parts)
{
  const Moment moment = {
    .own = { .decision = *decision,
             .previous = goban_decisions_get_previous (self->decisions, decision->number),
             .n_changes = add_changes (self, decision, parts->changes) },
    .marks
    = (decision->scores != NULL ? MARK_SCORES : 0)
      | (decision->refusals != NULL ? MARK_REFUSALS : 0)
      | (decision->takes_least ? MARK_TAKES_LEAST : 0)
      | (goban_decisions_has_lost_scores (self->decisions, decision->number) ? MARK_LOST_SCORES
                                                                             : 0),
  };

  if (decision->n_nodes > 0)
    g_array_append_vals (parts->nodes, decision->nodes, decision->n_nodes);
  if (decision->n_attended > 0)
    g_array_append_vals (parts->attended, decision->attended, decision->n_attended);
  for (guint k = 0; decision->scores != NULL && k < decision->n_options; k++)
    if (decision->score == GOBAN_SCORE_PROBABILITY)
      append_bits (parts->scores, (guint64) lroundf (decision->scores[k] * G_MAXUINT16),
                   sizeof (guint16));
    else
      append_bits (parts->scores,
                   get_bits (self, &score_field, (const char *) &decision->scores[k]),
                   sizeof (float));
  if (decision->refusals != NULL)
    g_byte_array_append (parts->refusals, decision->refusals, decision->n_options);
  g_array_append_val (parts->moments, moment);
}

static void
add_moments (const Writing *self, Parts *parts)
{
  g_autoptr (GArray) left = goban_decisions_list_left (self->decisions);
  GobanDecisionRoom room = { 0 };
  GobanDecision decision;

  for (guint i = 0; i < left->len; i++)
    if (goban_decisions_get (self->decisions, g_array_index (left, GobanMoment, i), &room,
                             &decision))
      add_moment (self, &decision, parts);
  goban_decision_room_clear (&room);
}

static void
write_beginning (const Writing *self)
{
  const GobanDecisionState *state = self->beginning.state;
  g_autoptr (GArray) nodes = g_array_new (FALSE, FALSE, sizeof (Begun));

  if (self->beginning.folded == 0)
    return;
  for (guint v = 0; v < state->n_nodes; v++)
    {
      Begun node = { .start_us = state->starts_us[v], .finish_us = state->finishes_us[v] };

      for (guint task = 0; task < GOBAN_N_TASKS; task++)
        node.choices[task] = state->choices[task][v];
      g_array_append_val (nodes, node);
    }
  write_table (self, &begun_table, nodes);
}

/* @columns: gets those of the plans, borrowed. */
static void
list_settled (const Writing *self, GArray *plans, GPtrArray *columns)
{
  const GArray *settled = goban_decisions_get_settled (self->decisions);
  guint last[GOBAN_N_SETTLED_COLUMNS] = { 0 };

  for (guint i = 0; i < settled->len; i++)
    {
      Settled plan = { .own = g_array_index (settled, GobanSettledPlan, i) };

      for (guint c = 0; c < GOBAN_N_SETTLED_COLUMNS; c++)
        {
          if (plan.own.columns[c] == NULL)
            continue;
          if (last[c] == 0
              || !g_bytes_equal (g_ptr_array_index (columns, last[c] - 1), plan.own.columns[c]))
            {
              g_ptr_array_add (columns, plan.own.columns[c]);
              last[c] = columns->len;
            }
          plan.columns[c] = last[c];
        }
      g_array_append_val (plans, plan);
    }
}

static void
write_columns (GobanWriter *self, const GPtrArray *all)
{
  if (all->len == 0)
    return;
  goban_writer_add_key (self, "columns");
  goban_writer_open (self, '[');
  for (guint i = 0; i < all->len; i++)
    {
      gsize n_bytes;
      const gint32 *numbers = g_bytes_get_data (g_ptr_array_index (all, i), &n_bytes);
      guint n = (guint) (n_bytes / sizeof *numbers);

      goban_writer_begin_line (self);
      goban_writer_open (self, '{');
      goban_writer_add_count (self, "n", n);
      goban_writer_add_rows (self, "rows", numbers, n);
      goban_writer_close (self, '}');
    }
  goban_writer_close (self, ']');
}

static void
write_counts (const Writing *self, guint n_settled)
{
  GobanWriter *writer = self->writer;
  guint scores, moments;

  goban_decisions_count_left_out (self->decisions, &scores, &moments);
  goban_writer_add_key (writer, "left_out");
  goban_writer_open (writer, '{');
  goban_writer_add_count (writer, "moments", moments);
  goban_writer_add_count (writer, "scores", scores);
  goban_writer_close (writer, '}');
  goban_writer_add_count (writer, "n_moments", goban_decisions_get_n_moments (self->decisions));
  goban_writer_add_count (writer, "n_settled", n_settled);
  goban_writer_add_count (writer, "n_spans", goban_decisions_get_n_spans (self->decisions));
}

/* Keys ascend, but for the counts. */
static void
write_record (const Writing *self, const GobanCostModel *costs)
{
  GobanWriter *writer = self->writer;
  g_autoptr (GArray) spans = g_array_new (FALSE, FALSE, sizeof (GobanSpan));
  g_autoptr (GArray) plans = g_array_new (FALSE, FALSE, sizeof (Settled));
  g_autoptr (GPtrArray) columns = g_ptr_array_new ();
  gboolean is_proven = FALSE;
  Parts parts;

  parts_init (&parts);
  add_moments (self, &parts);
  list_settled (self, plans, columns);
  for (guint s = 1; s <= goban_decisions_get_n_spans (self->decisions); s++)
    g_array_append_vals (spans, goban_decisions_get_span (self->decisions, s), 1);
  for (guint i = 0; i < plans->len; i++)
    is_proven |= g_array_index (plans, Settled, i).own.proven_bound_us > 0;

  goban_writer_add_key (writer, "moments");
  goban_writer_open (writer, '{');
  write_table (self, &attended_table, parts.attended);
  write_beginning (self);
  if (self->beginning.folded > 0)
    goban_writer_add_count (writer, "begins_after", self->beginning.moment);
  write_table (self, &change_table, parts.changes);
  write_columns (writer, columns);
  if (self->beginning.folded > 0)
    goban_writer_add_count (writer, "folded", self->beginning.folded);
  goban_writer_add_count (writer, "last", goban_decisions_get_last (self->decisions));
  write_counts (self, plans->len);
  write_table (self, &moment_table, parts.moments);
  write_table (self, &node_table, parts.nodes);
  if (is_proven)
    {
      g_autofree char *mark = goban_plan_make_fingerprint (costs);

      goban_writer_add_text (writer, "proven_for", mark);
    }
  write_bytes (writer, "refusals", parts.refusals, FIELD_PART);
  write_bytes (writer, "scores", parts.scores, FIELD_PART);
  write_table (self, &settled_table, plans);
  write_table (self, &span_table, spans);
  goban_writer_add_count (writer, "version", VERSION);
  g_ptr_array_add (self->words, NULL);
  goban_writer_add_texts (writer, "words", (const char *const *) self->words->pdata);
  goban_writer_close (writer, '}');
  parts_clear (&parts);
}

gboolean
goban_session_write_moments (GobanWriter *self, GobanRun *run, gsize max_bytes)
{
  g_autoptr (GobanDecisions) decisions = NULL;
  gsize before = self->text->len;
  gboolean had_before = self->has_before;

  if (goban_run_get_decisions (run) == NULL)
    return TRUE;
  decisions = goban_decisions_ref (goban_run_get_decisions (run));
  for (;;)
    {
      g_autoptr (GPtrArray) words = g_ptr_array_new ();
      g_autoptr (GHashTable) numbers = g_hash_table_new (NULL, NULL);
      g_autoptr (GobanDecisions) larger = NULL;
      Writing writing
          = { .writer = self, .decisions = decisions, .words = words, .numbers = numbers };
      gsize n_bytes = goban_decisions_get_n_bytes (decisions);
      gsize n_written;

      goban_decisions_get_beginning (decisions, &writing.beginning);
      write_record (&writing, goban_run_get_costs (run));
      n_written = self->text->len - before;
      if (n_written <= max_bytes)
        return TRUE;
      g_string_truncate (self->text, before);
      self->has_before = had_before;
      larger = g_steal_pointer (&decisions);
      decisions = goban_decisions_new_within (
          larger, (gsize) (0.95 * (double) n_bytes * (double) max_bytes / (double) n_written));
      if (goban_decisions_get_n_bytes (decisions) >= n_bytes)
        break;
    }
  goban_writer_add_count (self, "moments_left_out", goban_decisions_get_n_moments (decisions));
  return FALSE;
}

/* --- reading ---------------------------------------------------------------------------------- */

typedef struct
{
  GobanJsonValue place;
  guint n_nodes, n_devices, n_tensors;
  const char **words;
  guint n_words;
} Reading;

/* @n bytes; memory is taken for no more than the lines have. (transfer full) (nullable) */
static GByteArray *
read_bytes (GobanJsonValue place, const char *key, guint64 n, FieldKind kind, GError **error)
{
  g_autofree const char **lines = NULL;
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  guint width = get_width (kind);
  guint n_lines;

  if (!goban_json_get_texts (place, key, &lines, error))
    return NULL;
  n_lines = lines != NULL ? g_strv_length ((char **) lines) : 0;
  if (n_lines != (n + LINE_BYTES - 1) / LINE_BYTES && (lines != NULL || kind == FIELD_PART))
    {
      goban_json_refuse (place, error, "%s: there are %u lines for %" PRIu64 " bytes", key, n_lines,
                         n);
      return NULL;
    }
  for (guint i = 0; bytes->len < n; i++)
    {
      guint size = (guint) MIN (n - bytes->len, LINE_BYTES);
      gsize n_decoded = 0;
      g_autofree guchar *decoded = NULL;

      if (kind != FIELD_PART && (lines == NULL || *lines[i] == '\0'))
        {
          for (guint k = 0; k < size; k += width)
            append_bits (bytes, get_unknown (kind), width);
          continue;
        }
      decoded = *lines[i] != '\0' ? g_base64_decode (lines[i], &n_decoded) : NULL;
      if (n_decoded != size)
        {
          goban_json_refuse (goban_json_get_element (place, key, i), error,
                             "there are %u bytes, not %u", (guint) n_decoded, size);
          return NULL;
        }
      g_byte_array_append (bytes, decoded, size);
    }
  return g_steal_pointer (&bytes);
}

/* Sets a field of all items. */
static gboolean
read_numbers (const Reading *self, GobanJsonValue place, const Table *table, const Field *field,
              guint n, GArray *items, GError **error)
{
  g_autofree gint32 *numbers = NULL;
  guint32 number = 0;

  if (!goban_reader_read_rows (place, field->key, n, &numbers, error))
    return FALSE;
  if (numbers == NULL && field == table->fields)
    return goban_json_refuse_missing (place, field->key, error);
  /* Now that there are so many numbers, memory may be taken. */
  g_array_set_size (items, n);
  for (guint i = 0; numbers != NULL && i < n; i++)
    {
      char *at = items->data + i * table->size + field->offset;
      const char *word;

      number = (guint32) numbers[i] + (field->kind == FIELD_STEP ? number : 0);
      if ((field->below > 0 && number >= field->below)
          || (field->kind == FIELD_WORD && number > self->n_words))
        return goban_json_refuse (goban_json_get_element (place, field->key, i / GOBAN_SESSION_ROW),
                                  error, "%u is not possible", number);
      word = field->kind == FIELD_WORD && number > 0 ? g_intern_string (self->words[number - 1])
                                                     : NULL;
      if (field->kind == FIELD_WORD)
        memcpy (at, &word, sizeof word);
      else
        memcpy (at, &number, sizeof number);
    }
  return TRUE;
}

/* Sets @n items. */
static gboolean
read_table (const Reading *self, const Table *table, guint64 n, GArray *items, GError **error)
{
  const char *keys[G_N_ELEMENTS (moment_fields) + 1] = { NULL };
  GobanJsonValue place = goban_json_find (self->place, table->key);

  for (guint f = 0; f < table->n_fields; f++)
    keys[f] = table->fields[f].key;
  if (n == 0 && goban_json_is_missing (place))
    return TRUE;
  if (n > G_MAXINT32)
    return goban_json_refuse (self->place, error, "%s: there are not so many: %" PRIu64, table->key,
                              n);
  if (!goban_json_check_object (place, keys, error))
    return FALSE;
  for (guint f = 0; f < table->n_fields; f++)
    {
      const Field *field = &table->fields[f];
      guint width = get_width (field->kind);
      g_autoptr (GByteArray) bytes = NULL;

      if (field->kind <= FIELD_WORD)
        {
          if (!read_numbers (self, place, table, field, (guint) n, items, error))
            return FALSE;
          continue;
        }
      bytes = read_bytes (place, field->key, n * width, field->kind, error);
      if (bytes == NULL)
        return FALSE;
      for (guint i = 0; i < n; i++)
        {
          char *at = items->data + i * table->size + field->offset;
          guint64 bits = peek_bits (bytes->data + i * width, width);
          guint32 half = (guint32) bits;

          if (width == sizeof bits)
            memcpy (at, &bits, sizeof bits);
          else
            memcpy (at, &half, sizeof half);
        }
    }
  return TRUE;
}

/* Reads the moments, and their parts by the counts that they have. */
static gboolean
read_parts (const Reading *self, guint64 n_moments, Parts *parts, GError **error)
{
  guint64 n_nodes = 0, n_changes = 0, n_attended = 0, n_refusals = 0, n_scores = 0;

  if (!read_table (self, &moment_table, n_moments, parts->moments, error))
    return FALSE;
  for (guint i = 0; i < parts->moments->len; i++)
    {
      const Moment *moment = &g_array_index (parts->moments, Moment, i);
      const GobanDecision *decision = &moment->own.decision;
      guint width = decision->score == GOBAN_SCORE_PROBABILITY ? 2 : 4;

      n_nodes += decision->n_nodes;
      n_changes += moment->own.n_changes;
      n_attended += decision->n_attended;
      n_refusals += (moment->marks & MARK_REFUSALS) != 0 ? decision->n_options : 0;
      n_scores += (moment->marks & MARK_SCORES) != 0 ? (guint64) decision->n_options * width : 0;
    }
  if (!read_table (self, &node_table, n_nodes, parts->nodes, error)
      || !read_table (self, &change_table, n_changes, parts->changes, error)
      || !read_table (self, &attended_table, n_attended, parts->attended, error))
    return FALSE;
  g_clear_pointer (&parts->refusals, g_byte_array_unref);
  g_clear_pointer (&parts->scores, g_byte_array_unref);
  parts->refusals = read_bytes (self->place, "refusals", n_refusals, FIELD_PART, error);
  if (parts->refusals == NULL)
    return FALSE;
  parts->scores = read_bytes (self->place, "scores", n_scores, FIELD_PART, error);
  return parts->scores != NULL;
}

/* *bytes: after those of @n options. %FALSE if they are probabilities that do not sum to 1; all are
 * 0 if all options are refused. */
static gboolean
take_scores (const guint8 **bytes, GobanScoreKind kind, guint n, GArray *scores)
{
  guint width = kind == GOBAN_SCORE_PROBABILITY ? 2 : 4;
  guint64 sum = 0;

  g_array_set_size (scores, n);
  for (guint k = 0; k < n; k++, *bytes += width)
    {
      guint32 bits = (guint32) peek_bits (*bytes, width);

      sum += bits;
      if (kind == GOBAN_SCORE_PROBABILITY)
        g_array_index (scores, float, k) = (float) bits / G_MAXUINT16;
      else
        memcpy (&g_array_index (scores, float, k), &bits, sizeof bits);
    }
  return kind != GOBAN_SCORE_PROBABILITY || sum == 0 || sum == G_MAXUINT16;
}

static gboolean
load_moments (const Reading *self, GobanDecisionsLoader *loader, const Parts *parts, GError **error)
{
  g_autoptr (GArray) scores = g_array_new (FALSE, FALSE, sizeof (float));
  const GobanNodeId *nodes = (const GobanNodeId *) (gpointer) parts->nodes->data;
  const GobanDecisionChange *changes
      = (const GobanDecisionChange *) (gpointer) parts->changes->data;
  const GobanAttended *attended = (const GobanAttended *) (gpointer) parts->attended->data;
  const guint8 *refusals = parts->refusals->data;
  const guint8 *score = parts->scores->data;

  for (guint i = 0; i < parts->moments->len; i++)
    {
      Moment *moment = &g_array_index (parts->moments, Moment, i);
      GobanDecision *decision = &moment->own.decision;
      gboolean is_right = TRUE;

      decision->takes_least = (moment->marks & MARK_TAKES_LEAST) != 0;
      moment->own.has_lost_scores = (moment->marks & MARK_LOST_SCORES) != 0;
      decision->nodes = nodes;
      nodes += decision->n_nodes;
      moment->own.changes = changes;
      changes += moment->own.n_changes;
      decision->attended = attended;
      attended += decision->n_attended;
      if ((moment->marks & MARK_SCORES) != 0)
        {
          is_right = take_scores (&score, decision->score, decision->n_options, scores);
          decision->scores = (const float *) (gpointer) scores->data;
        }
      if ((moment->marks & MARK_REFUSALS) != 0)
        {
          decision->refusals = refusals;
          refusals += decision->n_options;
          for (guint k = 0; k < decision->n_options; k++)
            is_right &= decision->refusals[k] < 1u << GOBAN_N_REFUSALS;
        }
      if (!is_right)
        return goban_json_refuse (self->place, error,
                                  "the probabilities or refusals of moment %u are not possible",
                                  decision->number);
      if (!goban_decisions_loader_add (loader, &moment->own, error))
        return FALSE;
    }
  return TRUE;
}

/* (transfer full) (nullable) */
static GobanDecisionsLoader *
read_beginning (const Reading *self, GError **error)
{
  guint64 folded = 0, moment = 0;
  g_autoptr (GArray) nodes = g_array_new (FALSE, TRUE, sizeof (Begun));
  GobanDecisionState state;
  GobanDecisionsLoader *loader = NULL;
  gboolean is_right = TRUE;

  if (!goban_reader_read_count (self->place, "folded", &folded, error)
      || !goban_reader_read_count (self->place, "begins_after", &moment, error)
      || (folded > 0 && !read_table (self, &begun_table, self->n_nodes, nodes, error)))
    return NULL;
  goban_decision_state_init (&state, self->n_nodes);
  for (guint v = 0; v < nodes->len; v++)
    {
      const Begun *node = &g_array_index (nodes, Begun, v);
      guint32 device = node->choices[GOBAN_TASK_PLACEMENT];

      is_right &= device == GOBAN_UNDECIDED || device < self->n_devices;
      for (guint task = 0; task < GOBAN_N_TASKS; task++)
        state.choices[task][v] = node->choices[task];
      state.starts_us[v] = node->start_us;
      state.finishes_us[v] = node->finish_us;
    }
  if (is_right && folded <= GOBAN_DECISIONS_MAX_LOADED && moment <= folded)
    loader = goban_decisions_loader_new (
        self->n_nodes, self->n_devices,
        &(GobanDecisionsBeginning){ (GobanMoment) folded, (GobanMoment) moment, &state });
  else
    goban_json_refuse (self->place, error, "it cannot begin after moment %" PRIu64 " of %" PRIu64,
                       moment, folded);
  goban_decision_state_clear (&state);
  return loader;
}

/* @columns: gets GBytes. */
static gboolean
read_columns (const Reading *self, GPtrArray *columns, GError **error)
{
  static const char *const keys[] = { "!n", "!rows", NULL };
  GobanJsonItems items;
  GobanJsonValue item;

  if (!goban_json_get_list (self->place, "columns", &items, error))
    return FALSE;
  while (goban_json_items_next (&items, &item))
    {
      gint64 n = 0;
      gint32 *numbers = NULL;

      if (!goban_json_check_object (item, keys, error)
          || !goban_json_get_whole (item, "n", (GobanJsonWhole){ 1, G_MAXINT32 }, &n, error)
          || !goban_reader_read_rows (item, "rows", (guint) n, &numbers, error))
        return FALSE;
      g_ptr_array_add (columns, g_bytes_new_take (numbers, (gsize) n * sizeof *numbers));
    }
  return TRUE;
}

/* Bounds are kept if the costs are those for which they were proven. */
static gboolean
load_settled (const Reading *self, GobanDecisionsLoader *loader, const GobanCostModel *costs,
              GError **error)
{
  g_autoptr (GArray) plans = g_array_new (FALSE, TRUE, sizeof (Settled));
  g_autoptr (GPtrArray) columns = g_ptr_array_new_with_free_func ((GDestroyNotify) g_bytes_unref);
  const char *mark = NULL;
  g_autofree char *own = NULL;
  guint64 n = 0;

  if (!goban_reader_read_count (self->place, "n_settled", &n, error)
      || !goban_json_get_text (self->place, "proven_for", &mark, error)
      || !read_columns (self, columns, error)
      || !read_table (self, &settled_table, n, plans, error))
    return FALSE;
  own = mark != NULL ? goban_plan_make_fingerprint (costs) : NULL;
  for (guint i = 0; i < plans->len; i++)
    {
      Settled *plan = &g_array_index (plans, Settled, i);
      gboolean is_right = TRUE;

      if (own == NULL || !g_str_equal (own, mark) || !(plan->own.proven_bound_us > 0))
        plan->own.proven_bound_us = 0;
      for (guint c = 0; c < GOBAN_N_SETTLED_COLUMNS; c++)
        {
          is_right &= plan->columns[c] <= columns->len;
          if (plan->columns[c] > 0 && is_right)
            plan->own.columns[c] = g_ptr_array_index (columns, plan->columns[c] - 1);
        }
      if (is_right && plan->own.columns[GOBAN_SETTLED_TRANSFERS] != NULL)
        is_right = g_bytes_get_size (plan->own.columns[GOBAN_SETTLED_TRANSFERS])
                   == self->n_tensors * sizeof (gint32);
      if (!is_right)
        return goban_json_refuse (self->place, error,
                                  "the plan of moment %u has columns that are not there",
                                  plan->own.moment);
      if (!goban_decisions_loader_settle (loader, &plan->own, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
load_spans (const Reading *self, GobanDecisionsLoader *loader, GError **error)
{
  g_autoptr (GArray) spans = g_array_new (FALSE, TRUE, sizeof (GobanSpan));
  guint64 n = 0;

  if (!goban_reader_read_count (self->place, "n_spans", &n, error)
      || !read_table (self, &span_table, n, spans, error))
    return FALSE;
  for (guint i = 0; i < spans->len; i++)
    if (!goban_decisions_loader_add_span (loader, &g_array_index (spans, GobanSpan, i), error))
      return FALSE;
  return TRUE;
}

/* Whether the record leads to the plan, by devices that can run their nodes. */
static gboolean
check_plan (const GobanDecisions *decisions, const GobanPlan *plan, GobanMoment moment,
            const GobanCostModel *costs, GError **error)
{
  g_autoptr (GobanPlan) replayed = NULL;
  g_autoptr (GArray) left = goban_decisions_list_left (decisions);
  g_autoptr (GArray) changes = g_array_new (FALSE, FALSE, sizeof (GobanDecisionChange));

  for (guint i = 0; i < left->len; i++)
    goban_decisions_append_own_changes (decisions, g_array_index (left, GobanMoment, i), changes);
  for (guint i = 0; i < changes->len; i++)
    {
      const GobanDecisionChange *change = &g_array_index (changes, GobanDecisionChange, i);

      if (change->task == GOBAN_TASK_PLACEMENT && change->to != GOBAN_UNDECIDED
          && !goban_cost_model_can_run (costs, change->node, (GobanDeviceId) change->to))
        return goban_refuse (error, GOBAN_ERROR_INVALID,
                             "node %u is put on device %u, which cannot run it", change->node,
                             change->to);
    }
  replayed = goban_replay_plan (costs, decisions,
                                moment > 0 ? moment : goban_decisions_get_last (decisions), error);
  if (replayed == NULL)
    return FALSE;
  return goban_settling_digest_plan (replayed) == goban_settling_digest_plan (plan)
         || goban_refuse (error, GOBAN_ERROR_INVALID, "they lead to another plan");
}

/* (transfer full) (nullable) */
static GobanDecisions *
read_record (Reading *self, const GobanPlan *plan, GobanMoment moment, const GobanCostModel *costs,
             GError **error)
{
  static const char *const keys[]
      = { "attended",  "beginning", "begins_after", "changes",   "columns",  "folded", "!last",
          "!left_out", "moments",   "n_moments",    "n_settled", "n_spans",  "nodes",  "proven_for",
          "refusals",  "scores",    "settled",      "spans",     "!version", "words",  NULL };
  GobanJsonValue left_out = goban_json_find (self->place, "left_out");
  g_autoptr (GobanDecisionsLoader) loader = NULL;
  g_autoptr (GobanDecisions) decisions = NULL;
  guint64 version = 0, n = 0, last = 0, n_left_out = 0, n_scores = 0;
  guint scores, moments;
  Parts parts;
  gboolean is_loaded;

  if (!goban_json_check_object (self->place, keys, error)
      || !goban_reader_read_count (self->place, "version", &version, error))
    return NULL;
  if (version != VERSION)
    {
      goban_json_refuse (goban_json_find (self->place, "version"), error,
                         "only version %d can be read", VERSION);
      return NULL;
    }
  if (!goban_json_get_texts (self->place, "words", &self->words, error)
      || !goban_reader_read_count (self->place, "n_moments", &n, error)
      || !goban_reader_read_count (self->place, "last", &last, error)
      || !goban_reader_read_count (left_out, "moments", &n_left_out, error)
      || !goban_reader_read_count (left_out, "scores", &n_scores, error))
    return NULL;
  self->n_words = self->words != NULL ? g_strv_length ((char **) self->words) : 0;
  loader = read_beginning (self, error);
  if (loader == NULL || !load_spans (self, loader, error))
    return NULL;
  parts_init (&parts);
  is_loaded = read_parts (self, n - MIN (n, n_left_out), &parts, error)
              && load_moments (self, loader, &parts, error)
              && load_settled (self, loader, costs, error);
  parts_clear (&parts);
  if (!is_loaded)
    return NULL;
  decisions
      = goban_decisions_loader_end (g_steal_pointer (&loader), (GobanMoment) MIN (n, G_MAXUINT32),
                                    (GobanMoment) MIN (last, G_MAXUINT32), error);
  if (decisions == NULL || !check_plan (decisions, plan, moment, costs, error))
    return NULL;
  goban_decisions_count_left_out (decisions, &scores, &moments);
  if (n_left_out == moments && n_scores == scores)
    return g_steal_pointer (&decisions);
  goban_json_refuse (left_out, error, "%u moments are without scores, not %" PRIu64, scores,
                     n_scores);
  return NULL;
}

GobanDecisions *
goban_session_read_moments (GobanJsonValue place, const GobanPlan *plan, GobanMoment moment,
                            const GobanCostModel *costs, GError **error)
{
  Reading reading = { .place = place,
                      .n_nodes = goban_plan_get_n_nodes (plan),
                      .n_devices = goban_plan_get_n_devices (plan),
                      .n_tensors = goban_plan_get_n_tensors (plan) };
  GobanDecisions *decisions = read_record (&reading, plan, moment, costs, error);

  g_free (reading.words);
  return decisions;
}
