/* item-marks.h: marked items of a plot, computed when they are first asked for. */
#pragma once

#include "ui/draw/graph/outline.h"

G_BEGIN_DECLS

typedef struct
{
  GobanOutlineMarks marks; /* valid with is_known */
  gboolean is_known;
} GobanItemMarks;

/* To be called when the nodes or the outline have changed. */
void goban_item_marks_forget (GobanItemMarks *self);
const GobanOutlineMarks *goban_item_marks_get (GobanItemMarks *self, const GobanOutline *outline,
                                               const GobanNodeId *ids, guint n);

G_END_DECLS
