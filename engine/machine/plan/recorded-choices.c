#include "engine/machine/plan/recorded-choices.h"

#include <math.h>

#define NO_NOTE G_MAXUINT8
#define BLOCK 64

typedef struct
{
  guint32 first_node; /* into nodes */
  float key;
  float start_us;
  float finish_us;
  GobanDeviceId device;
  guint8 note; /* into notes, or NO_NOTE */
  guint8 has_row;
} Choice;

struct _GobanChoiceDraft
{
  const GobanChoiceWords *words;
  guint n_devices;
  GArray *choices;    /* of Choice */
  GArray *nodes;      /* of GobanNodeId */
  GArray *candidates; /* (rows x n_devices) of float */
  GArray *refusals;   /* (rows x n_devices) of guint8 */
  guint n_dropped;    /* rows before the first */
  GPtrArray *notes;   /* static strings */
};

/* Summary of BLOCK choices: sums over all choices before them, and which of them have candidates.
 * */
typedef struct
{
  guint64 has_row;
  guint32 row; /* of the first that has, the dropped ones counted */
  float length_us;
} Block;

struct _GobanPackedChoices
{
  const GobanChoiceWords *words;
  guint n_nodes; /* of the graph */
  guint n_devices;
  guint n;
  guint n_chosen; /* nodes of all choices */
  guint n_rows;
  guint n_dropped;
  Block *blocks;
  GobanDeviceId *devices; /* (n) */
  GobanNodeId *nodes;     /* (n_chosen) */
  guint32 *firsts;        /* (n) into nodes; NULL: each choice has one node */
  float *keys;            /* (n) NULL: all NAN, as of the next two */
  float *starts_us;
  float *finishes_us;
  guint8 *note_of;    /* (n) into notes, or NO_NOTE; NULL: no choice has one */
  const char **notes; /* static strings */
  float *candidates;  /* (n_rows, n_devices), or a row of NAN for all */
  guint8 *refusals;   /* the same, or a row of 0 for all */
  gboolean has_candidates;
  gboolean has_refusals;
  guint32 *choice_of; /* (n_nodes) from 1; 0: none; atomic, NULL until it is needed */
};

/* --- the draft -------------------------------------------------------------------------------- */

/* Room for a choice of each node, so that nothing is moved while it grows. */
GobanChoiceDraft *
goban_choice_draft_new (const GobanChoiceWords *words, guint n_nodes, guint n_devices)
{
  GobanChoiceDraft *self = g_new0 (GobanChoiceDraft, 1);
  gsize n_all = (gsize) n_nodes * n_devices;
  guint n_candidates = (guint) MIN (n_all, GOBAN_RECORD_MAX_CANDIDATES + n_devices);

  self->words = words;
  self->n_devices = n_devices;
  self->choices = g_array_sized_new (FALSE, FALSE, sizeof (Choice), n_nodes);
  self->nodes = g_array_sized_new (FALSE, FALSE, sizeof (GobanNodeId), n_nodes);
  self->candidates = g_array_sized_new (FALSE, FALSE, sizeof (float), n_candidates);
  self->refusals = g_array_sized_new (FALSE, FALSE, sizeof (guint8), n_candidates);
  self->notes = g_ptr_array_new ();
  return self;
}

void
goban_choice_draft_free (GobanChoiceDraft *self)
{
  if (self == NULL)
    return;
  g_clear_pointer (&self->choices, g_array_unref);
  g_clear_pointer (&self->nodes, g_array_unref);
  g_clear_pointer (&self->candidates, g_array_unref);
  g_clear_pointer (&self->refusals, g_array_unref);
  g_clear_pointer (&self->notes, g_ptr_array_unref);
  g_free (self);
}

static guint8
find_note (GobanChoiceDraft *self, const char *note)
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

void
goban_choice_draft_add (GobanChoiceDraft *self, const GobanPlacementChoice *choice,
                        const float *candidates, const guint8 *refusals)
{
  Choice entry = {
    .first_node = self->nodes->len,
    .key = choice->key,
    .start_us = choice->start_us,
    .finish_us = choice->finish_us,
    .device = choice->device,
    .note = find_note (self, choice->note),
    .has_row = candidates != NULL,
  };

  g_array_append_vals (self->nodes, choice->nodes, choice->n_nodes);
  g_array_append_val (self->choices, entry);
  if (candidates == NULL)
    return;
  g_array_append_vals (self->candidates, candidates, self->n_devices);
  g_array_append_vals (self->refusals, refusals, self->n_devices);

  /* Drops the older half, so that each row is moved once. */
  guint n_rows = self->refusals->len / self->n_devices;

  if (self->refusals->len <= GOBAN_RECORD_MAX_CANDIDATES || n_rows < 2)
    return;
  g_array_remove_range (self->candidates, 0, n_rows / 2 * self->n_devices);
  g_array_remove_range (self->refusals, 0, n_rows / 2 * self->n_devices);
  self->n_dropped += n_rows / 2;
}

/* --- packing ---------------------------------------------------------------------------------- */

/* The array's data, without spare room. (transfer full) (nullable) */
static gpointer
steal_exact (GArray **array)
{
  gsize n_bytes = (gsize) (*array)->len * g_array_get_element_size (*array);

  return g_realloc (g_array_free (g_steal_pointer (array), FALSE), n_bytes);
}

/* The numbers at that place of all choices; NULL: all NAN. */
static float *
pack_numbers (const GArray *choices, gsize place)
{
  g_autofree float *numbers = g_new (float, choices->len);
  gboolean is_known = FALSE;

  for (guint i = 0; i < choices->len; i++)
    {
      numbers[i] = G_STRUCT_MEMBER (float, &g_array_index (choices, Choice, i), place);
      is_known = is_known || !isnan (numbers[i]);
    }
  return is_known ? g_steal_pointer (&numbers) : NULL;
}

static gboolean
are_single_nodes (const GobanChoiceDraft *draft)
{
  for (guint i = 0; i < draft->choices->len; i++)
    if (g_array_index (draft->choices, Choice, i).first_node != i)
      return FALSE;
  return draft->nodes->len == draft->choices->len;
}

GobanPackedChoices *
goban_choice_draft_pack (GobanChoiceDraft *draft, guint n_nodes)
{
  GobanPackedChoices *self = g_new0 (GobanPackedChoices, 1);

  self->words = draft->words;
  self->n_nodes = n_nodes;
  self->n_devices = draft->n_devices;
  self->n = draft->choices->len;
  self->n_chosen = draft->nodes->len;

  gboolean has_notes = draft->notes->len > 0;

  self->devices = g_new (GobanDeviceId, self->n);
  self->firsts = are_single_nodes (draft) ? NULL : g_new (guint32, self->n);
  self->note_of = has_notes ? g_new (guint8, self->n) : NULL;
  for (guint i = 0; i < self->n; i++)
    {
      const Choice *choice = &g_array_index (draft->choices, Choice, i);

      self->devices[i] = choice->device;
      if (self->firsts != NULL)
        self->firsts[i] = choice->first_node;
      if (has_notes)
        self->note_of[i] = choice->note;
    }
  self->keys = pack_numbers (draft->choices, G_STRUCT_OFFSET (Choice, key));
  self->starts_us = pack_numbers (draft->choices, G_STRUCT_OFFSET (Choice, start_us));
  self->finishes_us = pack_numbers (draft->choices, G_STRUCT_OFFSET (Choice, finish_us));

  guint32 row = 0;
  float length_us = 0;

  self->blocks = g_new0 (Block, self->n / BLOCK + 1);
  for (guint i = 0; i < self->n; i++)
    {
      const Choice *choice = &g_array_index (draft->choices, Choice, i);
      Block *block = &self->blocks[i / BLOCK];

      if (i % BLOCK == 0)
        *block = (Block){ .row = row, .length_us = length_us };
      if (choice->has_row)
        {
          block->has_row |= G_GUINT64_CONSTANT (1) << i % BLOCK;
          row++;
        }
      if (choice->finish_us > length_us)
        length_us = choice->finish_us;
    }

  for (guint i = 0; i < draft->candidates->len; i++)
    {
      self->has_candidates
          = self->has_candidates || !isnan (g_array_index (draft->candidates, float, i));
      self->has_refusals = self->has_refusals || g_array_index (draft->refusals, guint8, i) != 0;
    }
  self->n_rows = draft->refusals->len / MAX (self->n_devices, 1);
  self->n_dropped = draft->n_dropped;
  if (!self->has_candidates)
    g_array_set_size (draft->candidates, MIN (draft->candidates->len, self->n_devices));
  if (!self->has_refusals)
    g_array_set_size (draft->refusals, MIN (draft->refusals->len, self->n_devices));
  self->candidates = steal_exact (&draft->candidates);
  self->refusals = steal_exact (&draft->refusals);

  self->nodes = steal_exact (&draft->nodes);
  self->notes = g_memdup2 (draft->notes->pdata, draft->notes->len * sizeof *draft->notes->pdata);
  goban_choice_draft_free (draft);
  return self;
}

void
goban_packed_choices_free (GobanPackedChoices *self)
{
  if (self == NULL)
    return;
  g_free (self->blocks);
  g_free (self->devices);
  g_free (self->nodes);
  g_free (self->firsts);
  g_free (self->keys);
  g_free (self->starts_us);
  g_free (self->finishes_us);
  g_free (self->note_of);
  g_free (self->notes);
  g_free (self->candidates);
  g_free (self->refusals);
  g_free (self->choice_of);
  g_free (self);
}

/* --- reading ---------------------------------------------------------------------------------- */

guint
goban_packed_choices_get_n (const GobanPackedChoices *self)
{
  return self->n;
}

guint
goban_packed_choices_get_n_dropped (const GobanPackedChoices *self)
{
  return self->n_dropped;
}

const GobanChoiceWords *
goban_packed_choices_get_words (const GobanPackedChoices *self)
{
  return self->words;
}

static guint
get_first (const GobanPackedChoices *self, guint i)
{
  if (i == self->n)
    return self->n_chosen;
  return self->firsts != NULL ? self->firsts[i] : i;
}

static float
get_length_us (const GobanPackedChoices *self, guint i)
{
  float length_us = self->blocks[i / BLOCK].length_us;

  for (guint k = i / BLOCK * BLOCK; self->finishes_us != NULL && k <= i; k++)
    if (self->finishes_us[k] > length_us)
      length_us = self->finishes_us[k];
  return length_us;
}

static void
add_row (const GobanPackedChoices *self, guint i, GobanPlacementChoice *choice)
{
  const Block *block = &self->blocks[i / BLOCK];
  guint64 bit = G_GUINT64_CONSTANT (1) << i % BLOCK;
  guint row = block->row + (guint) __builtin_popcountll (block->has_row & (bit - 1));

  if ((block->has_row & bit) == 0 || row < self->n_dropped)
    return;
  row -= self->n_dropped;
  choice->candidates
      = self->candidates + (self->has_candidates ? (gsize) row * self->n_devices : 0);
  choice->refusals = self->refusals + (self->has_refusals ? (gsize) row * self->n_devices : 0);
}

GobanPlacementChoice
goban_packed_choices_get (const GobanPackedChoices *self, guint i)
{
  guint first = get_first (self, i);
  guint8 note = self->note_of != NULL ? self->note_of[i] : NO_NOTE;
  GobanPlacementChoice choice = {
    .nodes = self->nodes + first,
    .n_nodes = get_first (self, i + 1) - first,
    .device = self->devices[i],
    .key = self->keys != NULL ? self->keys[i] : (float) NAN,
    .start_us = self->starts_us != NULL ? self->starts_us[i] : (float) NAN,
    .finish_us = self->finishes_us != NULL ? self->finishes_us[i] : (float) NAN,
    .length_us = get_length_us (self, i),
    .note = note != NO_NOTE ? self->notes[note] : NULL,
  };

  add_row (self, i, &choice);
  return choice;
}

/* (transfer full) */
static guint32 *
index_nodes (const GobanPackedChoices *self)
{
  guint32 *choice_of = g_new0 (guint32, MAX (self->n_nodes, 1));

  for (guint i = 0; i < self->n; i++)
    for (guint k = get_first (self, i); k < get_first (self, i + 1); k++)
      choice_of[self->nodes[k]] = i + 1;
  return choice_of;
}

guint
goban_packed_choices_find (const GobanPackedChoices *self, GobanNodeId node)
{
  /* Threads that come here at once make the same; one of them keeps it. */
  guint32 **place = (guint32 **) &self->choice_of;
  guint32 *choice_of = g_atomic_pointer_get (place);

  if (node >= self->n_nodes)
    return 0;
  if (choice_of == NULL)
    {
      choice_of = index_nodes (self);
      if (!g_atomic_pointer_compare_and_exchange (place, NULL, choice_of))
        {
          g_free (choice_of);
          choice_of = g_atomic_pointer_get (place);
        }
    }
  return choice_of[node];
}

static gsize
count_numbers (const GobanPackedChoices *self, const float *numbers)
{
  return numbers != NULL ? self->n * sizeof *numbers : 0;
}

gsize
goban_packed_choices_get_n_bytes (const GobanPackedChoices *self)
{
  gsize n_bytes = sizeof *self + (self->n / BLOCK + 1) * sizeof *self->blocks
                  + self->n * sizeof *self->devices + self->n_chosen * sizeof *self->nodes;
  gsize n_cells = (gsize) self->n_rows * self->n_devices;
  /* GLib's macro reads into a variable of the same type, which clang refuses if it is const. */
  guint32 **choice_of = (guint32 **) &self->choice_of;

  n_bytes += self->firsts != NULL ? self->n * sizeof *self->firsts : 0;
  n_bytes += count_numbers (self, self->keys) + count_numbers (self, self->starts_us)
             + count_numbers (self, self->finishes_us);
  n_bytes += self->note_of != NULL ? self->n : 0;
  n_bytes += (self->has_candidates ? n_cells : self->n_devices) * sizeof *self->candidates;
  n_bytes += self->has_refusals ? n_cells : self->n_devices;
  return n_bytes
         + (g_atomic_pointer_get (choice_of) != NULL ? self->n_nodes * sizeof **choice_of : 0);
}
