#include "engine/session/history.h"

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
  return state;
}

void
goban_history_record (GobanHistory *self, const char *name, GobanState *before)
{
  push (self->undo, name, before);
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
  return step (self->undo, self->redo, present);
}

GobanState *
goban_history_redo (GobanHistory *self, GobanState *present)
{
  return step (self->redo, self->undo, present);
}
