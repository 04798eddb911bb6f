#include "engine/session/controls.h"

#include "engine/core/attached-object.h"

#include <math.h>

struct _GobanControls
{
  GObject parent_instance;

  GPtrArray *all; /* GobanControl */
  guint last_id;
};

G_DEFINE_FINAL_TYPE (GobanControls, goban_controls, G_TYPE_OBJECT)

static guint changed_signal, moved_signal;

static void
control_free (gpointer data)
{
  GobanControl *control = data;

  g_free (control->name);
  g_strfreev (control->choices);
  g_free (control);
}

static GobanControl *
find (GobanControls *self, guint id)
{
  for (guint i = 0; i < self->all->len; i++)
    {
      GobanControl *control = g_ptr_array_index (self->all, i);

      if (control->id == id)
        return control;
    }
  return NULL;
}

static double
clamp (const GobanControl *control, double value)
{
  switch (control->kind)
    {
    case GOBAN_CONTROL_SLIDER:
      return CLAMP (value, control->min, control->max);
    case GOBAN_CONTROL_CHOICE:
      return CLAMP (floor (value), 0, (double) g_strv_length (control->choices) - 1);
    case GOBAN_CONTROL_BUTTON:
      break;
    }
  return value;
}

guint
goban_controls_add (GobanControls *self, const GobanControl *control)
{
  GobanControl *copy = g_new0 (GobanControl, 1);
  guint place = self->all->len;

  g_return_val_if_fail (GOBAN_IS_CONTROLS (self), 0);

  *copy = *control;
  copy->id = ++self->last_id;
  copy->name = g_strdup (control->name);
  copy->choices = g_strdupv (control->choices);
  copy->value = clamp (copy, control->value);
  for (guint i = 0; i < self->all->len; i++)
    {
      const GobanControl *other = g_ptr_array_index (self->all, i);

      if (other->kind == copy->kind && g_str_equal (other->name, copy->name))
        place = i;
    }
  if (place < self->all->len)
    g_ptr_array_remove_index (self->all, place);
  g_ptr_array_insert (self->all, (int) place, copy);
  g_signal_emit (self, changed_signal, 0);
  return copy->id;
}

const GobanControl *
goban_controls_find (GobanControls *self, guint id)
{
  g_return_val_if_fail (GOBAN_IS_CONTROLS (self), NULL);

  return find (self, id);
}

const GobanControl *
goban_controls_get (GobanControls *self, guint i)
{
  g_return_val_if_fail (GOBAN_IS_CONTROLS (self), NULL);

  return i < self->all->len ? g_ptr_array_index (self->all, i) : NULL;
}

guint
goban_controls_get_n (GobanControls *self)
{
  g_return_val_if_fail (GOBAN_IS_CONTROLS (self), 0);

  return self->all->len;
}

void
goban_controls_set_value (GobanControls *self, guint id, double value)
{
  GobanControl *control;

  g_return_if_fail (GOBAN_IS_CONTROLS (self));

  control = find (self, id);
  if (control == NULL || isnan (value) || clamp (control, value) == control->value)
    return;
  control->value = clamp (control, value);
  g_signal_emit (self, moved_signal, 0, id);
}

void
goban_controls_remove (GobanControls *self, guint id)
{
  GobanControl *control;

  g_return_if_fail (GOBAN_IS_CONTROLS (self));

  control = find (self, id);
  if (control == NULL)
    return;
  g_ptr_array_remove (self->all, control);
  g_signal_emit (self, changed_signal, 0);
}

void
goban_controls_clear (GobanControls *self)
{
  g_return_if_fail (GOBAN_IS_CONTROLS (self));

  if (self->all->len == 0)
    return;
  g_ptr_array_set_size (self->all, 0);
  g_signal_emit (self, changed_signal, 0);
}

/* --- construction and disposal ---------------------------------------------------------------- */

static void
goban_controls_finalize (GObject *object)
{
  g_ptr_array_unref (GOBAN_CONTROLS (object)->all);
  G_OBJECT_CLASS (goban_controls_parent_class)->finalize (object);
}

static void
goban_controls_class_init (GobanControlsClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = goban_controls_finalize;
  changed_signal = g_signal_new ("changed", GOBAN_TYPE_CONTROLS, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                 NULL, G_TYPE_NONE, 0);
  moved_signal = g_signal_new ("moved", GOBAN_TYPE_CONTROLS, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                               G_TYPE_NONE, 1, G_TYPE_UINT);
}

static void
goban_controls_init (GobanControls *self)
{
  self->all = g_ptr_array_new_with_free_func (control_free);
}

static GObject *
new_controls (GObject *owner)
{
  return g_object_new (GOBAN_TYPE_CONTROLS, NULL);
}

GobanControls *
goban_controls_of (GObject *owner)
{
  return goban_attached_object (owner, "goban-controls", new_controls);
}
