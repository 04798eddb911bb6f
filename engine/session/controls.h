/* controls.h: the controls that a script has defined: sliders, choices and buttons.
 *
 * A list that belongs to a session, as its trainings do: scripts add to it and a panel shows it; a
 * value set by either reaches the other. Main thread. Decision U59 (ui/NOTES.md).
 *
 * Signals: "changed": a control was added or removed; "moved" (guint id): its value was set.
 */
#pragma once

#include <glib-object.h>

typedef enum
{
  GOBAN_CONTROL_SLIDER,
  GOBAN_CONTROL_CHOICE,
  GOBAN_CONTROL_BUTTON,
} GobanControlKind;

typedef struct
{
  guint id; /* from 1 */
  GobanControlKind kind;
  char *name;
  double min; /* of a slider */
  double max;
  double step;
  char **choices; /* of a choice: at least one */
  double value;   /* a place in the choices, from 0; of a button, how often it was pressed */
} GobanControl;

#define GOBAN_TYPE_CONTROLS (goban_controls_get_type ())
G_DECLARE_FINAL_TYPE (GobanControls, goban_controls, GOBAN, CONTROLS, GObject)

/* The controls of @owner, a session; none at first. They live as long as @owner. Borrowed. */
GobanControls *goban_controls_of (GObject *owner);

/* Adds a copy of @control, in the place of one of the same kind and name, and returns its id. */
guint goban_controls_add (GobanControls *self, const GobanControl *control);
/* Borrowed; NULL if there is none. */
const GobanControl *goban_controls_find (GobanControls *self, guint id);
const GobanControl *goban_controls_get (GobanControls *self, guint i);
guint goban_controls_get_n (GobanControls *self);

/* Clamps the value to the control's range. No effect if it is the present value, or if the control
 * is gone. */
void goban_controls_set_value (GobanControls *self, guint id, double value);
void goban_controls_remove (GobanControls *self, guint id);
void goban_controls_clear (GobanControls *self);
