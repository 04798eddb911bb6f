/* treads.h: track of a slider over plans or decisions, with hit test.
 *
 * A tread is a plan, as high as its makespan is long, or a decision, in the colour and hatch of its
 * device. Treads after the one that is shown are grey. A knob is at the end of that one. Values are
 * asked for at most twice a pixel, however many treads there are. Plain values; any thread.
 */
#pragma once

#include "ui/draw/pen.h"

/* Height in design pixels. */
#define GOBAN_TREADS_HEIGHT 24.0

typedef struct
{
  guint n;
  int shown; /* a tread; -1: before the first */
  int hover; /* a tread, or -1 */
  /* Height of a tread, 0..1; NAN: the plan lacks memory. (nullable): all are whole. */
  double (*get_share) (guint tread, gpointer data);
  /* Device of a tread; G_MAXUINT: none. (nullable): treads have the colour of the selection. */
  guint (*get_device) (guint tread, gpointer data);
  gpointer data;
  GobanTheme theme;
  double ui_scale; /* device pixels per pixel of the design; 0: 1 */
} GobanTreads;

/* Fills the pen's surface. */
void goban_treads_paint (const GobanTreads *self, GobanPen *pen);

/* The tread at @x of a track @width wide, the nearest if @x is outside; and the middle of one. */
guint goban_treads_at (const GobanTreads *self, double width, double x);
double goban_treads_x (const GobanTreads *self, double width, guint tread);
