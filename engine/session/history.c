#include "engine/session/history.h"

#include "engine/run/resting.h"

/* Runs of so many states on either side of the present stay awake: going there is as fast as can
 * be. */
#define N_AWAKE 4

typedef struct
{
  char *name;
  GobanState *state; /* on this side of the change, seen from the present */
} Entry;

struct _GobanHistory
{
  GPtrArray *undo; /* Entry, the nearest last */
  GPtrArray *redo;
};

static void
entry_free (gpointer data)
{
  Entry *entry = data;

  g_free (entry->name);
  goban_state_unref (entry->state);
  g_free (entry);
}

GobanHistory *
goban_history_new (void)
{
  GobanHistory *self = g_new0 (GobanHistory, 1);

  self->undo = g_ptr_array_new_with_free_func (entry_free);
  self->redo = g_ptr_array_new_with_free_func (entry_free);
  return self;
}

void
goban_history_free (GobanHistory *self)
{
  g_ptr_array_unref (self->undo);
  g_ptr_array_unref (self->redo);
  g_free (self);
}

void
goban_history_clear (GobanHistory *self)
{
  g_ptr_array_set_size (self->undo, 0);
  g_ptr_array_set_size (self->redo, 0);
}

static void
push (GPtrArray *stack, const char *name, GobanState *state)
{
  Entry *entry = g_new (Entry, 1);

  entry->name = g_strdup (name);
  entry->state = goban_state_ref (state);
  g_ptr_array_add (stack, entry);
}

/* --- resting ---------------------------------------------------------------------------------- */

typedef void (*RunFunc) (GobanRun *run, gpointer user_data);

/* Once for every reference that the state has. */
static void
for_each_reference (const GobanState *state, RunFunc func, gpointer user_data)
{
  for (guint i = 0; i < state->runs->len; i++)
    func (g_ptr_array_index (state->runs, i), user_data);
  if (state->current != NULL)
    func (state->current, user_data);
  if (state->ghost != NULL)
    func (state->ghost, user_data);
}

/* @counts: by run, how many references the history has. */
static void
count_reference (GobanRun *run, gpointer counts)
{
  guint n = GPOINTER_TO_UINT (g_hash_table_lookup (counts, run));

  g_hash_table_insert (counts, run, GUINT_TO_POINTER (n + 1));
}

/* A state that is referenced elsewhere, such as by a worker, keeps its runs awake. */
static void
count_references (GPtrArray *stack, GHashTable *counts)
{
  for (guint i = 0; i < stack->len; i++)
    {
      GobanState *state = ((Entry *) g_ptr_array_index (stack, i))->state;

      if (g_atomic_ref_count_compare (&state->ref_count, 1))
        for_each_reference (state, count_reference, counts);
    }
}

static void
forget (GobanRun *run, gpointer counts)
{
  g_hash_table_remove (counts, run);
}

static void
forget_near (GPtrArray *stack, GHashTable *counts)
{
  for (guint i = stack->len; i > 0 && i + N_AWAKE > stack->len; i--)
    for_each_reference (((Entry *) g_ptr_array_index (stack, i - 1))->state, forget, counts);
}

/* Puts distant runs to rest if only the history references them: every other user, such as the
 * present, a list or a script, has a reference of its own, or has borrowed from someone who
 * does. */
static void
rest (GobanHistory *self)
{
  g_autoptr (GHashTable) counts = NULL;
  GHashTableIter iter;
  gpointer run, n;

  if (self->undo->len <= N_AWAKE && self->redo->len <= N_AWAKE)
    return;

  counts = g_hash_table_new (NULL, NULL);
  count_references (self->undo, counts);
  count_references (self->redo, counts);
  forget_near (self->undo, counts);
  forget_near (self->redo, counts);
  g_hash_table_iter_init (&iter, counts);
  while (g_hash_table_iter_next (&iter, &run, &n))
    if ((guint) g_atomic_int_get ((gint *) &G_OBJECT (run)->ref_count) == GPOINTER_TO_UINT (n))
      goban_run_rest (run);
}

static void
wake (GobanRun *run, gpointer user_data)
{
  goban_run_wake (run);
}

/* --- going ------------------------------------------------------------------------------------ */

static const char *
top_name (GPtrArray *stack)
{
  return stack->len > 0 ? ((Entry *) g_ptr_array_index (stack, stack->len - 1))->name : NULL;
}

/* Takes the nearest state off one stack, and leaves the present on the other. */
static GobanState *
step (GPtrArray *from, GPtrArray *to, GobanState *present)
{
  Entry *entry;
  GobanState *state;

  if (from->len == 0)
    return NULL;

  entry = g_ptr_array_index (from, from->len - 1);
  state = goban_state_ref (entry->state);
  push (to, entry->name, present);
  g_ptr_array_set_size (from, (int) from->len - 1);
  for_each_reference (state, wake, NULL);
  return state;
}

void
goban_history_record (GobanHistory *self, const char *name, GobanState *before)
{
  push (self->undo, name, before);
  g_ptr_array_set_size (self->redo, 0);
  rest (self);
}

const char *
goban_history_get_undo_name (GobanHistory *self)
{
  return top_name (self->undo);
}

const char *
goban_history_get_redo_name (GobanHistory *self)
{
  return top_name (self->redo);
}

static gboolean
stack_has_run (GPtrArray *stack, GobanRun *run)
{
  for (guint i = 0; i < stack->len; i++)
    if (goban_state_has_run (((Entry *) g_ptr_array_index (stack, i))->state, run))
      return TRUE;
  return FALSE;
}

gboolean
goban_history_has_run (GobanHistory *self, GobanRun *run)
{
  return stack_has_run (self->undo, run) || stack_has_run (self->redo, run);
}

GobanState *
goban_history_undo (GobanHistory *self, GobanState *present)
{
  GobanState *state = step (self->undo, self->redo, present);

  rest (self);
  return state;
}

GobanState *
goban_history_redo (GobanHistory *self, GobanState *present)
{
  GobanState *state = step (self->redo, self->undo, present);

  rest (self);
  return state;
}
