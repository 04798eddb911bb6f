#include "engine/placers/idle-gaps.h"

#include "engine/core/rng.h"

#include <math.h>

/* Gap 0 is none: shorter than any op, so that searches end there. */
#define NO_GAP 0

typedef struct
{
  double start_us;
  double end_us;
  double longest_us; /* of the subtree */
  guint32 left;
  guint32 right;
  guint64 weight; /* a parent's is at least its children's; random, which keeps the tree flat */
} Gap;

struct _GobanIdleGaps
{
  GArray *gaps; /* Gap */
  guint32 root;
  GobanRng rng;
};

static Gap *
gap_at (const GobanIdleGaps *self, guint32 gap)
{
  return &g_array_index (self->gaps, Gap, gap);
}

static guint32
add_gap (GobanIdleGaps *self, double start_us, double end_us)
{
  Gap gap = {
    .start_us = start_us,
    .end_us = end_us,
    .longest_us = end_us - start_us,
    .weight = goban_rng_next (&self->rng),
  };

  g_array_append_val (self->gaps, gap);
  return self->gaps->len - 1;
}

GobanIdleGaps *
goban_idle_gaps_new (void)
{
  GobanIdleGaps *self = g_new0 (GobanIdleGaps, 1);
  Gap none = { .longest_us = -1 };

  self->gaps = g_array_new (FALSE, FALSE, sizeof (Gap));
  g_array_append_val (self->gaps, none);
  goban_rng_init (&self->rng, 1);
  self->root = add_gap (self, 0, INFINITY);
  return self;
}

void
goban_idle_gaps_free (GobanIdleGaps *self)
{
  g_clear_pointer (&self->gaps, g_array_unref);
  g_free (self);
}

/* Only one gap is cut by @ready_us; of those before it only the way past them is walked. */
static guint32
find_first (const GobanIdleGaps *self, guint32 root, double ready_us, double time_us)
{
  const Gap *gap = gap_at (self, root);

  if (gap->longest_us < time_us)
    return NO_GAP;

  if (gap->end_us >= ready_us)
    {
      guint32 earlier = find_first (self, gap->left, ready_us, time_us);

      if (earlier != NO_GAP)
        return earlier;
      if (gap->end_us - MAX (gap->start_us, ready_us) >= time_us)
        return root;
    }
  return find_first (self, gap->right, ready_us, time_us);
}

GobanIdleGap
goban_idle_gaps_find (const GobanIdleGaps *self, double ready_us, double time_us)
{
  GobanIdleGap slot;

  slot.gap = find_first (self, self->root, ready_us, time_us);
  g_assert (slot.gap != NO_GAP);
  slot.start_us = MAX (gap_at (self, slot.gap)->start_us, ready_us);
  return slot;
}

static void
refresh (GobanIdleGaps *self, guint32 root)
{
  Gap *gap = gap_at (self, root);
  double longest_us = gap->end_us - gap->start_us;

  longest_us = MAX (longest_us, gap_at (self, gap->left)->longest_us);
  gap->longest_us = MAX (longest_us, gap_at (self, gap->right)->longest_us);
}

static guint32
insert_gap (GobanIdleGaps *self, guint32 root, guint32 added)
{
  gboolean goes_left;
  guint32 *link;
  guint32 child;

  if (root == NO_GAP)
    return added;

  /* Gaps that start together were parted by ops of no time; the new one is the first of them. */
  goes_left = gap_at (self, added)->start_us <= gap_at (self, root)->start_us;
  link = goes_left ? &gap_at (self, root)->left : &gap_at (self, root)->right;
  child = insert_gap (self, *link, added);
  *link = child;
  if (gap_at (self, child)->weight > gap_at (self, root)->weight)
    {
      /* Turn the child up: the subtree between the two changes parents. */
      guint32 *inner = goes_left ? &gap_at (self, child)->right : &gap_at (self, child)->left;

      *link = *inner;
      *inner = root;
      refresh (self, root);
      root = child;
    }
  refresh (self, root);
  return root;
}

void
goban_idle_gaps_occupy (GobanIdleGaps *self, GobanIdleGap slot, double time_us)
{
  Gap *gap = gap_at (self, slot.gap);
  double end_us = gap->end_us;
  double finish_us = MIN (slot.start_us + time_us, end_us);

  /* An op of no time at the edge of a gap leaves it as it was; within, it divides it. */
  if (finish_us <= gap->start_us || (finish_us == slot.start_us && finish_us == end_us))
    return;

  /* The rest before the op stays this gap, which is on the new one's way into the tree, so that the
   * insertion refreshes both. */
  gap->end_us = slot.start_us;
  self->root = insert_gap (self, self->root, add_gap (self, finish_us, end_us));
}
