#include "ui/graph/item-marks.h"

void
goban_item_marks_forget (GobanItemMarks *self)
{
  goban_outline_marks_clear (&self->marks);
  self->is_known = FALSE;
}

const GobanOutlineMarks *
goban_item_marks_get (GobanItemMarks *self, const GobanOutline *outline, const GobanNodeId *ids,
                      guint n)
{
  if (!self->is_known)
    self->marks = goban_outline_mark (outline, ids, n);
  self->is_known = TRUE;
  return &self->marks;
}
