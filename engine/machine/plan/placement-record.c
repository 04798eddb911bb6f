#include "engine/machine/plan/placement-record-writer.h"

#include "engine/machine/plan/recorded-choices.h"

#include <math.h>
#include <string.h>

struct _GobanPlacementRecord
{
  gatomicrefcount n_references;
  GobanPlacementRecord *whole; /* (nullable) what this is a head of */
  guint n_choices;             /* of a head */
  guint n_plans;               /* of a head */

  guint n_nodes;
  guint n_devices;
  GobanChoiceDraft *draft;  /* (nullable) the present attempt; may be the kept one */
  GobanChoiceDraft *kept;   /* (nullable) */
  GobanPackedChoices *made; /* (nullable) the kept one, made in the end */
  float *weighed;           /* (n_devices) for the next choice */
  guint8 *refused;

  GobanPlanChain *plans; /* (nullable) */

  const GobanRecordTable *table; /* (nullable) */
  guint n_columns;
  GArray *values; /* (rows x n_columns) of double */
  guint64 n_folded_rows;
  const char *reason;
  GPtrArray *taken; /* (nullable) of memory */
};

/* --- construction and disposal ---------------------------------------------------------------- */

static void
forget_weighed (GobanPlacementRecord *self)
{
  for (guint d = 0; d < self->n_devices; d++)
    {
      self->weighed[d] = (float) NAN;
      self->refused[d] = 0;
    }
}

static void
drop_drafts (GobanPlacementRecord *self)
{
  if (self->draft != self->kept)
    goban_choice_draft_free (self->draft);
  self->draft = NULL;
  g_clear_pointer (&self->kept, goban_choice_draft_free);
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
  drop_drafts (self);
  g_clear_pointer (&self->made, goban_packed_choices_free);
  g_free (self->weighed);
  g_free (self->refused);
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
    goban_choice_draft_free (self->draft);
  self->draft = goban_choice_draft_new (words, self->n_nodes, self->n_devices);
  forget_weighed (self);
}

void
goban_placement_record_weigh (GobanPlacementRecord *self, GobanDeviceId device, double candidate,
                              guint refusals)
{
  self->weighed[device] = (float) candidate;
  self->refused[device] = (guint8) refusals;
}

void
goban_placement_record_choose (GobanPlacementRecord *self, const GobanPlacementChoice *choice)
{
  g_return_if_fail (self->draft != NULL);

  goban_choice_draft_add (self->draft, choice, self->weighed, self->refused);
  forget_weighed (self);
}

void
goban_placement_record_carry (GobanPlacementRecord *self, const GobanPlacementChoice *choice)
{
  g_return_if_fail (self->draft != NULL);

  goban_choice_draft_add (self->draft, choice, NULL, NULL);
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
    goban_choice_draft_free (self->kept);
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

void
goban_placement_record_finish (GobanPlacementRecord *self)
{
  if (self->kept == NULL && self->made == NULL)
    self->kept = self->draft;
  if (self->kept != NULL)
    {
      g_clear_pointer (&self->made, goban_packed_choices_free);
      self->draft = self->draft == self->kept ? NULL : self->draft;
      self->made = goban_choice_draft_pack (g_steal_pointer (&self->kept), self->n_nodes);
    }
  drop_drafts (self);
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
  return self->made != NULL ? goban_packed_choices_get_n (self->made) : 0;
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
  return goban_placement_record_get_words (self) != NULL
             ? goban_placement_record_get_n_choices (self)
             : goban_placement_record_get_n_plans (self);
}

const GobanChoiceWords *
goban_placement_record_get_words (const GobanPlacementRecord *self)
{
  const GobanPackedChoices *made = whole_of (self)->made;

  return made != NULL && goban_packed_choices_get_n (made) > 0
             ? goban_packed_choices_get_words (made)
             : NULL;
}

GobanPlacementChoice
goban_placement_record_get_choice (const GobanPlacementRecord *self, guint n)
{
  g_return_val_if_fail (n >= 1 && n <= goban_placement_record_get_n_choices (self),
                        (GobanPlacementChoice){ 0 });

  return goban_packed_choices_get (whole_of (self)->made, n - 1);
}

guint
goban_placement_record_find_choice (const GobanPlacementRecord *self, GobanNodeId node)
{
  const GobanPackedChoices *made = whole_of (self)->made;
  guint n = made != NULL ? goban_packed_choices_find (made, node) : 0;

  return n <= goban_placement_record_get_n_choices (self) ? n : 0;
}

guint
goban_placement_record_get_n_dropped (const GobanPlacementRecord *self)
{
  const GobanPackedChoices *made = whole_of (self)->made;

  return made != NULL ? goban_packed_choices_get_n_dropped (made) : 0;
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

gsize
goban_placement_record_get_n_bytes (const GobanPlacementRecord *self)
{
  const GobanPlacementRecord *whole = whole_of (self);
  gsize n_bytes = sizeof *whole + whole->values->len * sizeof (double);

  if (whole->made != NULL)
    n_bytes += goban_packed_choices_get_n_bytes (whole->made);
  return whole->plans != NULL ? n_bytes + goban_plan_chain_get_n_bytes (whole->plans) : n_bytes;
}
