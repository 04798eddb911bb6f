#include "ui/table/row-notifier.h"

/* Rows just outside the viewport are updated with those inside. */
#define MARGIN 4
#define SHORT_TABLE 32

static void
tell_between (GobanRowNotifier *self, guint first, guint end)
{
  if (first < end)
    self->tell (first, end - first, self->user_data);
}

void
goban_row_notifier_notify (GobanRowNotifier *self, guint n_rows)
{
  gboolean is_all = !self->has_range || n_rows <= SHORT_TABLE;

  self->n_rows = n_rows;
  self->first = is_all ? 0 : MIN (self->range_first, n_rows);
  self->end = is_all ? n_rows : MIN (self->range_end, n_rows);
  tell_between (self, self->first, self->end);
}

void
goban_row_notifier_set_visible (GobanRowNotifier *self, guint first, guint n)
{
  guint end = MIN (first + n + MARGIN, self->n_rows);
  guint told_first = self->first;
  guint told_end = self->end;

  self->has_range = TRUE;
  self->range_first = first - MIN (first, MARGIN);
  self->range_end = first + n + MARGIN;
  first = MIN (self->range_first, self->n_rows);
  if (first > told_end || end < told_first)
    {
      /* After a leap, rows that were updated before are far away. */
      self->first = first;
      self->end = end;
      tell_between (self, first, end);
      return;
    }

  self->first = MIN (first, told_first);
  self->end = MAX (end, told_end);
  tell_between (self, first, told_first);
  tell_between (self, told_end, end);
}
