#include "engine/session/history.h"

#include "engine/study/run/run-origin.h"

/* So many states on either side of the present keep their runs, so that undo and redo there
 * simulate nothing. */
#define N_NEAR 4
/* Estimated size of one stack; beyond it the oldest states are dropped, down to this many. */
#define MOST_BYTES ((gsize) 512 << 20)
#define N_LEAST 32
/* A distant state's own: its plan, as measured on a graph of 84,464 nodes, and what names it. */
#define NODE_BYTES 12
#define STATE_BYTES 4096

typedef struct
{
  char *name;
  GobanState *state;  /* on this side of the change, seen from the present; if distant, no runs */
  GPtrArray *sources; /* (nullable): of a distant state's runs */
  GobanRunSource *current; /* (nullable) */
  GobanRunSource *ghost;   /* (nullable) */
} Entry;

struct _GobanHistory
{
  GPtrArray *undo; /* Entry, the nearest last */
  GPtrArray *redo;
  gsize most_bytes;
};

static void
entry_free (gpointer data)
{
  Entry *entry = data;

  g_free (entry->name);
  goban_state_unref (entry->state);
  g_clear_pointer (&entry->sources, g_ptr_array_unref);
  g_clear_pointer (&entry->current, goban_run_source_unref);
  g_clear_pointer (&entry->ghost, goban_run_source_unref);
  g_free (entry);
}

GobanHistory *
goban_history_new (void)
{
  GobanHistory *self = g_new0 (GobanHistory, 1);

  self->undo = g_ptr_array_new_with_free_func (entry_free);
  self->redo = g_ptr_array_new_with_free_func (entry_free);
  self->most_bytes = MOST_BYTES;
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
goban_history_set_most_bytes (GobanHistory *self, gsize most_bytes)
{
  self->most_bytes = most_bytes;
}

void
goban_history_clear (GobanHistory *self)
{
  g_ptr_array_set_size (self->undo, 0);
  g_ptr_array_set_size (self->redo, 0);
}

void
goban_history_forget_redo (GobanHistory *self)
{
  g_ptr_array_set_size (self->redo, 0);
}

/* --- distant states --------------------------------------------------------------------------- */

/* (transfer full) (nullable) */
static GobanRunSource *
dup_source (GobanRun *run)
{
  return run != NULL ? goban_run_source_ref (goban_run_get_source (run)) : NULL;
}

/* Keeps the sources of a state's runs in place of the runs, whose traces take most memory. */
static void
drop_runs (Entry *entry)
{
  GobanState *whole = entry->state;

  if (entry->sources != NULL)
    return;

  entry->sources = g_ptr_array_new_with_free_func ((GDestroyNotify) goban_run_source_unref);
  for (guint i = 0; i < whole->runs->len; i++)
    g_ptr_array_add (entry->sources, dup_source (g_ptr_array_index (whole->runs, i)));
  entry->current = dup_source (whole->current);
  entry->ghost = dup_source (whole->ghost);
  entry->state = goban_state_copy (whole);
  g_ptr_array_set_size (entry->state->runs, 0);
  g_clear_pointer (&entry->state->current, goban_run_unref);
  g_clear_pointer (&entry->state->ghost, goban_run_unref);
  goban_state_unref (whole);
}

/* The state with its runs, simulated again unless they still exist. (transfer full) */
static GobanState *
dup_whole (const Entry *entry)
{
  GobanState *state;

  if (entry->sources == NULL)
    return goban_state_ref (entry->state);

  state = goban_state_copy (entry->state);
  for (guint i = 0; i < entry->sources->len; i++)
    g_ptr_array_add (state->runs, goban_run_source_get_run (entry->sources->pdata[i]));
  if (entry->current != NULL)
    state->current = goban_run_source_get_run (entry->current);
  if (entry->ghost != NULL)
    state->ghost = goban_run_source_get_run (entry->ghost);
  return state;
}

static gboolean
entry_has_run (const Entry *entry, GobanRun *run)
{
  return entry->sources != NULL
             ? g_ptr_array_find (entry->sources, goban_run_get_source (run), NULL)
             : goban_state_has_run (entry->state, run);
}

static gsize
estimate_bytes (const GobanState *state)
{
  guint n_nodes = state->costs != NULL
                      ? goban_graph_get_n_nodes (goban_cost_model_get_graph (state->costs))
                      : 0;

  return STATE_BYTES + (gsize) n_nodes * NODE_BYTES;
}

/* Makes room for one more state like @state. */
static void
forget_distant (GobanHistory *self, GPtrArray *stack, const GobanState *state)
{
  gsize most = MAX (self->most_bytes / estimate_bytes (state), N_LEAST);

  if (stack->len >= most)
    g_ptr_array_remove_range (stack, 0, (guint) (stack->len - most + 1));
}

static void
push (GobanHistory *self, GPtrArray *stack, const char *name, GobanState *state)
{
  Entry *entry = g_new0 (Entry, 1);

  forget_distant (self, stack, state);
  entry->name = g_strdup (name);
  entry->state = goban_state_ref (state);
  g_ptr_array_add (stack, entry);
  if (stack->len > N_NEAR)
    drop_runs (g_ptr_array_index (stack, stack->len - 1 - N_NEAR));
}

/* --- going ------------------------------------------------------------------------------------ */

static const char *
top_name (GPtrArray *stack)
{
  return stack->len > 0 ? ((Entry *) g_ptr_array_index (stack, stack->len - 1))->name : NULL;
}

/* Takes the nearest state off one stack, and leaves the present on the other. */
static GobanState *
step (GobanHistory *self, GPtrArray *from, GPtrArray *to, GobanState *present)
{
  Entry *entry;
  GobanState *state;

  if (from->len == 0)
    return NULL;

  entry = g_ptr_array_index (from, from->len - 1);
  state = dup_whole (entry);
  push (self, to, entry->name, present);
  g_ptr_array_set_size (from, (int) from->len - 1);
  return state;
}

void
goban_history_record (GobanHistory *self, const char *name, GobanState *before)
{
  push (self, self->undo, name, before);
  g_ptr_array_set_size (self->redo, 0);
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
    if (entry_has_run (g_ptr_array_index (stack, i), run))
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
  return step (self, self->undo, self->redo, present);
}

GobanState *
goban_history_redo (GobanHistory *self, GobanState *present)
{
  return step (self, self->redo, self->undo, present);
}
