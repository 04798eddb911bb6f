/* step-curve.h: staircase curve of a policy's makespans per step, with hit test.
 *
 * A step is a tread: what its plan takes is how high it is, and where it is asked for the nearest
 * tread answers. Treads up to the one that is shown are filled; a plan that lacks memory is a gap
 * with a cross. Plain values; any thread.
 */
#pragma once

#include "ui/draw/pen.h"

G_BEGIN_DECLS

/* Preferred height in design pixels. */
#define GOBAN_STEP_CURVE_HEIGHT 46.0

typedef struct
{
  const double *makespans_us; /* (n) NAN: exceeds the memory */
  guint n;                    /* treads */
  int shown;                  /* a tread, or -1 */
  int hover;                  /* the same */
  GobanTheme theme;
  double ui_scale; /* device pixels per pixel of the design; 0: 1 */
} GobanStepCurve;

/* Fills the pen's surface. */
void goban_step_curve_paint (const GobanStepCurve *self, GobanPen *pen);

/* The tread at @x of a curve @width wide, the nearest if @x is outside; and the centre of a
 * tread. */
guint goban_step_curve_at (const GobanStepCurve *self, double width, double x);
double goban_step_curve_x (const GobanStepCurve *self, double width, guint tread);

G_END_DECLS
