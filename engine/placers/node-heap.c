#include "engine/placers/node-heap.h"

void
goban_node_heap_clear (GobanNodeHeap *self)
{
  g_clear_pointer (&self->entries, g_free);
  self->n = self->n_allocated = 0;
}

gboolean
goban_waiting_is_before (const GobanWaiting *a, const GobanWaiting *b)
{
  if (a->key != b->key)
    return a->key < b->key;
  if (a->level != b->level)
    return a->level > b->level;
  return a->node < b->node;
}

void
goban_node_heap_push (GobanNodeHeap *self, GobanWaiting entry)
{
  guint i = self->n++;

  if (self->n > self->n_allocated)
    {
      self->n_allocated = MAX (64, 2 * self->n_allocated);
      self->entries = g_renew (GobanWaiting, self->entries, self->n_allocated);
    }
  while (i > 0 && goban_waiting_is_before (&entry, &self->entries[(i - 1) / 2]))
    {
      self->entries[i] = self->entries[(i - 1) / 2];
      i = (i - 1) / 2;
    }
  self->entries[i] = entry;
}

GobanWaiting
goban_node_heap_pop (GobanNodeHeap *self)
{
  GobanWaiting top = self->entries[0];
  GobanWaiting last = self->entries[--self->n];
  guint i = 0;

  for (;;)
    {
      guint child = 2 * i + 1;

      if (child >= self->n)
        break;
      if (child + 1 < self->n
          && goban_waiting_is_before (&self->entries[child + 1], &self->entries[child]))
        child++;
      if (!goban_waiting_is_before (&self->entries[child], &last))
        break;
      self->entries[i] = self->entries[child];
      i = child;
    }
  if (self->n > 0)
    self->entries[i] = last;
  return top;
}
