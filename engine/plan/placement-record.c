#include "engine/plan/placement-record-writer.h"

#include <math.h>
#include <string.h>

#define NO_ROW G_MAXUINT32
#define NO_NOTE G_MAXUINT8

typedef struct
{
  guint32 first_node; /* into nodes */
  guint32 row;        /* of candidates, the dropped ones counted; NO_ROW: none */
  float key;
  float start_us;
  float finish_us;
  float length_us;
  GobanDeviceId device;
  guint8 note; /* into notes, or NO_NOTE */
} Choice;

/* An attempt to choose for all nodes. */
typedef struct
{
  const GobanChoiceWords *words;
  GArray *choices;    /* of Choice */
  GArray *nodes;      /* of GobanNodeId */
  GArray *candidates; /* (rows x n_devices) of float */
  GArray *refusals;   /* (rows x n_devices) of guint8 */
  guint n_dropped;    /* rows before the first */
  GPtrArray *notes;   /* static strings */
  float length_us;
} Attempt;

struct _GobanPlacementRecord
{
  gatomicrefcount n_references;
  GobanPlacementRecord *whole; /* (nullable) what this is a head of */
  guint n_choices;             /* of a head */
  guint n_plans;               /* of a head */

  guint n_nodes;
  guint n_devices;
  Attempt *draft; /* (nullable) the present one; may be the kept one */
  Attempt *kept;  /* (nullable) */
  float *weighed; /* (n_devices) for the next choice */
  guint8 *refused;
  guint32 *choice_of; /* (n_nodes) (nullable) from 1; 0: none; made in the end */

  GobanPlanChain *plans; /* (nullable) */

  const GobanRecordTable *table; /* (nullable) */
  guint n_columns;
  GArray *values; /* (rows x n_columns) of double */
  guint64 n_folded_rows;
  const char *reason;
  GPtrArray *taken; /* (nullable) of memory */
};

/* --- attempts --------------------------------------------------------------------------------- */

/* Room for a choice of each node, so that nothing is moved while it grows. */
static Attempt *
attempt_new (const GobanChoiceWords *words, guint n_nodes, guint n_devices)
{
  Attempt *self = g_new0 (Attempt, 1);
  gsize n_all = (gsize) n_nodes * n_devices;
  guint n_candidates = (guint) MIN (n_all, GOBAN_RECORD_MAX_CANDIDATES + n_devices);

  self->words = words;
  self->choices = g_array_sized_new (FALSE, FALSE, sizeof (Choice), n_nodes);
  self->nodes = g_array_sized_new (FALSE, FALSE, sizeof (GobanNodeId), n_nodes);
  self->candidates = g_array_sized_new (FALSE, FALSE, sizeof (float), n_candidates);
  self->refusals = g_array_sized_new (FALSE, FALSE, sizeof (guint8), n_candidates);
  self->notes = g_ptr_array_new ();
  return self;
}

static void
attempt_free (Attempt *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->choices);
  g_array_unref (self->nodes);
  g_array_unref (self->candidates);
  g_array_unref (self->refusals);
  g_ptr_array_unref (self->notes);
  g_free (self);
}

static guint8
find_note (Attempt *self, const char *note)
{
  if (note == NULL)
    return NO_NOTE;
  for (guint i = 0; i < self->notes->len; i++)
    if (self->notes->pdata[i] == note)
      return (guint8) i;
  g_return_val_if_fail (self->notes->len < NO_NOTE, NO_NOTE);
  g_ptr_array_add (self->notes, (gpointer) note);
  return (guint8) (self->notes->len - 1);
}

/* Drops the older half, so that each row is moved once. */
static void
bound_rows (Attempt *self, guint n_devices)
{
  guint n_rows = self->refusals->len / n_devices;

  if (self->refusals->len <= GOBAN_RECORD_MAX_CANDIDATES || n_rows < 2)
    return;
  g_array_remove_range (self->candidates, 0, n_rows / 2 * n_devices);
  g_array_remove_range (self->refusals, 0, n_rows / 2 * n_devices);
  self->n_dropped += n_rows / 2;
}

/* --- life ------------------------------------------------------------------------------------- */

static void
forget_weighed (GobanPlacementRecord *self)
{
  for (guint d = 0; d < self->n_devices; d++)
    {
      self->weighed[d] = (float) NAN;
      self->refused[d] = 0;
    }
}

GobanPlacementRecord *
goban_placement_record_new (guint n_nodes, guint n_devices)
{
  GobanPlacementRecord *self = g_new0 (GobanPlacementRecord, 1);

  g_atomic_ref_count_init (&self->n_references);
  self->n_nodes = n_nodes;
  self->n_devices = n_devices;
  self->weighed = g_new (float, MAX (n_devices, 1));
  self->refused = g_new (guint8, MAX (n_devices, 1));
  forget_weighed (self);
  self->values = g_array_new (FALSE, FALSE, sizeof (double));
  return self;
}

GobanPlacementRecord *
goban_placement_record_new_head (GobanPlacementRecord *self, guint n)
{
  GobanPlacementRecord *whole = self->whole != NULL ? self->whole : self;
  GobanPlacementRecord *head = g_new0 (GobanPlacementRecord, 1);

  g_atomic_ref_count_init (&head->n_references);
  head->whole = goban_placement_record_ref (whole);
  head->n_choices = MIN (n, goban_placement_record_get_n_choices (self));
  head->n_plans = MIN (n, goban_placement_record_get_n_plans (self));
  return head;
}

GobanPlacementRecord *
goban_placement_record_ref (GobanPlacementRecord *self)
{
  g_atomic_ref_count_inc (&self->n_references);
  return self;
}

void
goban_placement_record_unref (GobanPlacementRecord *self)
{
  if (self == NULL || !g_atomic_ref_count_dec (&self->n_references))
    return;
  g_clear_pointer (&self->whole, goban_placement_record_unref);
  if (self->draft != self->kept)
    attempt_free (self->draft);
  attempt_free (self->kept);
  g_free (self->weighed);
  g_free (self->refused);
  g_free (self->choice_of);
  g_clear_pointer (&self->plans, goban_plan_chain_free);
  g_clear_pointer (&self->values, g_array_unref);
  g_clear_pointer (&self->taken, g_ptr_array_unref);
  g_free (self);
}

/* --- choices ---------------------------------------------------------------------------------- */

void
goban_placement_record_begin (GobanPlacementRecord *self, const GobanChoiceWords *words)
{
  if (self->draft != self->kept)
    attempt_free (self->draft);
  self->draft = attempt_new (words, self->n_nodes, self->n_devices);
  forget_weighed (self);
}

void
goban_placement_record_weigh (GobanPlacementRecord *self, GobanDeviceId device, double candidate,
                              guint refusals)
{
  self->weighed[device] = (float) candidate;
  self->refused[device] = (guint8) refusals;
}

static void
add_choice (GobanPlacementRecord *self, const GobanPlacementChoice *choice, guint32 row)
{
  Attempt *draft = self->draft;
  Choice entry = {
    .first_node = draft->nodes->len,
    .row = row,
    .key = choice->key,
    .start_us = choice->start_us,
    .finish_us = choice->finish_us,
    .device = choice->device,
    .note = find_note (draft, choice->note),
  };

  if (choice->finish_us > draft->length_us)
    draft->length_us = choice->finish_us;
  entry.length_us = draft->length_us;
  g_array_append_vals (draft->nodes, choice->nodes, choice->n_nodes);
  g_array_append_val (draft->choices, entry);
}

void
goban_placement_record_choose (GobanPlacementRecord *self, const GobanPlacementChoice *choice)
{
  Attempt *draft = self->draft;

  g_return_if_fail (draft != NULL);

  add_choice (self, choice, draft->n_dropped + draft->refusals->len / self->n_devices);
  g_array_append_vals (draft->candidates, self->weighed, self->n_devices);
  g_array_append_vals (draft->refusals, self->refused, self->n_devices);
  bound_rows (draft, self->n_devices);
  forget_weighed (self);
}

void
goban_placement_record_carry (GobanPlacementRecord *self, const GobanPlacementChoice *choice)
{
  g_return_if_fail (self->draft != NULL);

  add_choice (self, choice, NO_ROW);
}

void
goban_placement_record_choose_device (GobanPlacementRecord *self, const GobanNodeId *nodes,
                                      guint n_nodes, GobanDeviceId device, const char *note)
{
  const GobanPlacementChoice choice = {
    .nodes = nodes,
    .n_nodes = n_nodes,
    .device = device,
    .key = (float) NAN,
    .start_us = (float) NAN,
    .finish_us = (float) NAN,
    .note = note,
  };

  goban_placement_record_choose (self, &choice);
}

void
goban_placement_record_keep (GobanPlacementRecord *self)
{
  if (self->kept != self->draft)
    attempt_free (self->kept);
  self->kept = self->draft;
}

/* --- plans and the table ---------------------------------------------------------------------- */

void
goban_placement_record_add_plan (GobanPlacementRecord *self, guint64 evaluation,
                                 const GobanPlan *plan, double makespan_us, const char *note)
{
  const GobanPlanStep step = { .evaluation = evaluation, .after_us = makespan_us, .note = note };

  if (self->plans == NULL)
    self->plans = goban_plan_chain_new ();
  goban_plan_chain_add (self->plans, plan, &step);
}

void
goban_placement_record_set_table (GobanPlacementRecord *self, const GobanRecordTable *table)
{
  if (self->table == table)
    return;
  self->table = table;
  self->n_columns = 0;
  while (table->names[self->n_columns] != NULL)
    self->n_columns++;
  g_array_set_size (self->values, 0);
  self->n_folded_rows = 0;
}

void
goban_placement_record_add_row (GobanPlacementRecord *self, const GobanRecordTable *table,
                                const double *values)
{
  guint n_rows = goban_placement_record_get_n_rows (self);

  if (self->table != table)
    return;
  if (n_rows == GOBAN_RECORD_MAX_ROWS)
    {
      g_array_remove_range (self->values, 0, n_rows / 2 * self->n_columns);
      self->n_folded_rows += n_rows / 2;
    }
  g_array_append_vals (self->values, values, self->n_columns);
}

void
goban_placement_record_set_reason (GobanPlacementRecord *self, const char *reason)
{
  self->reason = reason;
}

void
goban_placement_record_set_folded (GobanPlacementRecord *self, guint n_plans, guint64 n_rows)
{
  if (self->plans != NULL)
    goban_plan_chain_set_folded (self->plans, n_plans);
  self->n_folded_rows = n_rows;
}

gpointer
goban_placement_record_take (GobanPlacementRecord *self, gpointer memory)
{
  if (self->taken == NULL)
    self->taken = g_ptr_array_new_with_free_func (g_free);
  g_ptr_array_add (self->taken, memory);
  return memory;
}

static void
index_choices (GobanPlacementRecord *self)
{
  guint n = goban_placement_record_get_n_choices (self);

  g_clear_pointer (&self->choice_of, g_free);
  if (n == 0)
    return;
  self->choice_of = g_new0 (guint32, self->n_nodes);
  for (guint k = 1; k <= n; k++)
    {
      GobanPlacementChoice choice = goban_placement_record_get_choice (self, k);

      for (guint i = 0; i < choice.n_nodes; i++)
        self->choice_of[choice.nodes[i]] = k;
    }
}

void
goban_placement_record_finish (GobanPlacementRecord *self)
{
  if (self->kept == NULL)
    self->kept = self->draft;
  else if (self->draft != self->kept)
    attempt_free (self->draft);
  self->draft = self->kept;
  index_choices (self);
}

/* --- reading ---------------------------------------------------------------------------------- */

static const GobanPlacementRecord *
whole_of (const GobanPlacementRecord *self)
{
  return self->whole != NULL ? self->whole : self;
}

guint
goban_placement_record_get_n_nodes (const GobanPlacementRecord *self)
{
  return whole_of (self)->n_nodes;
}

guint
goban_placement_record_get_n_devices (const GobanPlacementRecord *self)
{
  return whole_of (self)->n_devices;
}

guint
goban_placement_record_get_n_choices (const GobanPlacementRecord *self)
{
  if (self->whole != NULL)
    return self->n_choices;
  return self->kept != NULL ? self->kept->choices->len : 0;
}

guint
goban_placement_record_get_n_plans (const GobanPlacementRecord *self)
{
  if (self->whole != NULL)
    return self->n_plans;
  return self->plans != NULL ? goban_plan_chain_get_n_steps (self->plans) : 0;
}

guint
goban_placement_record_get_n_steps (const GobanPlacementRecord *self)
{
  const Attempt *kept = whole_of (self)->kept;

  return kept != NULL && kept->choices->len > 0 ? goban_placement_record_get_n_choices (self)
                                                : goban_placement_record_get_n_plans (self);
}

const GobanChoiceWords *
goban_placement_record_get_words (const GobanPlacementRecord *self)
{
  const Attempt *kept = whole_of (self)->kept;

  return kept != NULL && kept->choices->len > 0 ? kept->words : NULL;
}

GobanPlacementChoice
goban_placement_record_get_choice (const GobanPlacementRecord *self, guint n)
{
  const GobanPlacementRecord *whole = whole_of (self);
  const Attempt *kept = whole->kept;
  const Choice *entry;
  GobanPlacementChoice choice = { 0 };
  guint end;

  g_return_val_if_fail (n >= 1 && n <= goban_placement_record_get_n_choices (self), choice);

  entry = &g_array_index (kept->choices, Choice, n - 1);
  end = n < kept->choices->len ? g_array_index (kept->choices, Choice, n).first_node
                               : kept->nodes->len;
  choice = (GobanPlacementChoice){
    .nodes = &g_array_index (kept->nodes, GobanNodeId, entry->first_node),
    .n_nodes = end - entry->first_node,
    .device = entry->device,
    .key = entry->key,
    .start_us = entry->start_us,
    .finish_us = entry->finish_us,
    .length_us = entry->length_us,
    .note = entry->note != NO_NOTE ? kept->notes->pdata[entry->note] : NULL,
  };
  if (entry->row != NO_ROW && entry->row >= kept->n_dropped)
    {
      gsize first = (gsize) (entry->row - kept->n_dropped) * whole->n_devices;

      choice.candidates = &g_array_index (kept->candidates, float, first);
      choice.refusals = &g_array_index (kept->refusals, guint8, first);
    }
  return choice;
}

guint
goban_placement_record_find_choice (const GobanPlacementRecord *self, GobanNodeId node)
{
  const GobanPlacementRecord *whole = whole_of (self);
  guint n = whole->choice_of != NULL && node < whole->n_nodes ? whole->choice_of[node] : 0;

  return n <= goban_placement_record_get_n_choices (self) ? n : 0;
}

guint
goban_placement_record_get_n_dropped (const GobanPlacementRecord *self)
{
  const Attempt *kept = whole_of (self)->kept;

  return kept != NULL ? kept->n_dropped : 0;
}

const GobanPlanChain *
goban_placement_record_get_plans (const GobanPlacementRecord *self)
{
  return whole_of (self)->plans;
}

const GobanRecordTable *
goban_placement_record_get_table (const GobanPlacementRecord *self)
{
  return whole_of (self)->table;
}

guint
goban_placement_record_get_n_columns (const GobanPlacementRecord *self)
{
  return whole_of (self)->n_columns;
}

guint
goban_placement_record_get_n_rows (const GobanPlacementRecord *self)
{
  const GobanPlacementRecord *whole = whole_of (self);

  return whole->n_columns > 0 ? whole->values->len / whole->n_columns : 0;
}

guint64
goban_placement_record_get_n_folded_rows (const GobanPlacementRecord *self)
{
  return whole_of (self)->n_folded_rows;
}

const double *
goban_placement_record_get_row (const GobanPlacementRecord *self, guint row)
{
  const GobanPlacementRecord *whole = whole_of (self);

  g_return_val_if_fail (row < goban_placement_record_get_n_rows (self), NULL);

  return &g_array_index (whole->values, double, (gsize) row * whole->n_columns);
}

const char *
goban_placement_record_get_reason (const GobanPlacementRecord *self)
{
  return goban_placement_record_get_n_steps (whole_of (self)) == 0 ? whole_of (self)->reason : NULL;
}

static gsize
count_attempt (const Attempt *self)
{
  return self->choices->len * sizeof (Choice) + self->nodes->len * sizeof (GobanNodeId)
         + self->candidates->len * sizeof (float) + self->refusals->len;
}

gsize
goban_placement_record_get_n_bytes (const GobanPlacementRecord *self)
{
  const GobanPlacementRecord *whole = whole_of (self);
  gsize n_bytes = sizeof *whole + whole->values->len * sizeof (double);

  if (whole->kept != NULL)
    n_bytes += count_attempt (whole->kept);
  if (whole->choice_of != NULL)
    n_bytes += whole->n_nodes * sizeof *whole->choice_of;
  return whole->plans != NULL ? n_bytes + goban_plan_chain_get_n_bytes (whole->plans) : n_bytes;
}
