/* gui-pulse.h: main loop latency: the longest turn of the main loop, in processor time of the main
 * thread.
 *
 * Processor time keeps the influence of other programs on a busy machine small. A turn is the work
 * between two waits for an event. Drawing a frame is measured separately: it has a budget of its
 * own.
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
