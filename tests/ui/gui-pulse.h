/* gui-pulse.h: how long the main loop is kept from going round, in processor time of the main thread, so that a busy
 * machine disturbs it as little as it can.
 *
 * A turn is what is done between two waits for something to happen. Drawing a frame is measured apart: it has a budget
 * of its own.
 */
#pragma once

#include <gtk/gtk.h>

typedef struct
{
  double turn_ms;  /* the longest turn, frames left out */
  double frame_ms; /* the longest frame: sizes, pictures, and what GTK makes of them */
  guint n_turns;
  guint n_frames;
} GuiPulse;

/* From now on; one window at a time, which is mapped. */
void gui_pulse_begin (GtkWidget *window);
/* What was longest since it began or was last asked. */
GuiPulse gui_pulse_take (void);
void gui_pulse_end (void);
