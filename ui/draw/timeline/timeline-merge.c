#include "ui/draw/timeline/timeline-merge.h"

#include <math.h>
#include <string.h>

void
goban_merge_start (GobanMerge *self, GobanColumn *columns, guint n_columns, double start_us,
                   double us_per_px)
{
  memset (self, 0, sizeof *self);
  memset (columns, 0, n_columns * sizeof *columns);
  self->start_us = start_us;
  self->us_per_px = us_per_px;
  self->columns = columns;
  self->n_columns = n_columns;
}

static void
write_column (GobanMerge *self)
{
  double most = 0;
  double sum = 0;
  guint16 colour = 0;

  for (guint i = 0; i < self->n_used; i++)
    {
      guint16 c = self->used[i];

      sum += self->tally[c];
      if (self->tally[c] > most || (self->tally[c] == most && c < colour))
        {
          most = self->tally[c];
          colour = c;
        }
      self->tally[c] = 0;
    }
  if (self->n_used > 0 && self->at < self->n_columns)
    self->columns[self->at] = (GobanColumn){ (float) MIN (sum / self->us_per_px, 1), colour,
                                             (guint8) self->is_critical };
  self->n_used = 0;
  self->is_critical = FALSE;
}

static guint16
colour_of (const GobanMerge *self, const GobanSlice *slice)
{
  if (self->levels != NULL)
    return self->levels[slice->node];

  return (self->by_family ? slice->family : slice->device) % GOBAN_MAX_DEVICES;
}

void
goban_merge_add (GobanMerge *self, const GobanSlice *slice)
{
  double from = (slice->start_us - self->start_us) / self->us_per_px;
  double to = (slice->finish_us - self->start_us) / self->us_per_px;
  guint16 colour = colour_of (self, slice);

  from = MAX (from, 0);
  to = MIN (to, self->n_columns);
  while (from < to)
    {
      guint column = (guint) from;
      double end = MIN (to, column + 1.0);

      if (column != self->at)
        {
          write_column (self);
          self->at = column;
        }
      if (self->tally[colour] == 0 && self->n_used < GOBAN_MAX_DEVICES)
        self->used[self->n_used++] = colour;
      self->tally[colour] += (end - from) * self->us_per_px;
      self->is_critical |= slice->is_critical;
      from = end;
    }
}

void
goban_merge_finish (GobanMerge *self)
{
  write_column (self);
}
