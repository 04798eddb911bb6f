/* decision-bars.h: cards of decisions (moment-card.h) as columns, with hit test.
 *
 * A card is a heading and a column for each option, with a bar from the base line: its probability,
 * or how much worse it is than the best by the policy's own measure. The chosen column has a frame
 * and a mark, the best a star, so that colour is never alone; one that was not allowed is empty and
 * says why. Plain values; any thread.
 */
#pragma once

#include "engine/study/analysis/moments/moment-card.h"
#include "ui/draw/pen.h"

G_BEGIN_DECLS

/* Preferred height in design pixels. */
#define GOBAN_DECISION_BARS_HEIGHT 92.0

typedef struct
{
  const GPtrArray *cards; /* of GobanMomentCard */
  int hover;              /* a column, counted over all cards, or -1 */
  GobanTheme theme;
  double ui_scale; /* device pixels per pixel of the design; 0: 1 */
} GobanDecisionBars;

/* Fills the pen's surface. */
void goban_decision_bars_paint (const GobanDecisionBars *self, GobanPen *pen);

/* The column at @at in a picture of @width design pixels, or -1; and the box of a column in one of
 * @width x @height. */
int goban_decision_bars_find (const GobanDecisionBars *self, double width, GobanPoint at);
GobanBox goban_decision_bars_locate (const GobanDecisionBars *self, double width, double height,
                                     guint column);

/* FALSE if no option has a number or a reason why it was not allowed: there is nothing to draw. */
gboolean goban_decision_bars_have_numbers (const GobanDecisionBars *self);

/* A column and its card; (nullable), borrowed. */
const GobanCardOption *goban_decision_bars_get (const GobanDecisionBars *self, guint column,
                                                const GobanMomentCard **card);

G_END_DECLS
