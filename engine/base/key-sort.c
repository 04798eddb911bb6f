#include "engine/base/key-sort.h"

#include <string.h>

/* From the lowest digit to the highest, each pass stable (Knuth, The Art of Computer Programming, volume 3,
 * section 5.2.5). Digits that all keys share are left out. The upper half of the bits comes first: few keys agree
 * in it that are not equal, and only those are sorted by the lower half as well. */
#define DIGIT_BITS 11
#define FIRST_UPPER 3
#define N_DIGITS 6
#define N_BUCKETS (1u << DIGIT_BITS)
#define UPPER_SHIFT (FIRST_UPPER * DIGIT_BITS)

/* Below this many the buckets cost more than comparing. */
#define FEW 64

typedef struct
{
  guint64 bits;
  guint32 number;
} Item;

/* Whole numbers in the order of the keys: of negative ones all bits are turned over, of others the sign. Adding 0
 * makes one zero of two. */
static guint64
order_bits (double key)
{
  guint64 bits;

  key += 0.0;
  memcpy (&bits, &key, sizeof bits);
  return bits >> 63 != 0 ? ~bits : bits | G_GUINT64_CONSTANT (1) << 63;
}

static void
insert_all (Item *items, guint n)
{
  for (guint i = 1; i < n; i++)
    {
      Item item = items[i];
      guint j = i;

      for (; j > 0 && items[j - 1].bits > item.bits; j--)
        items[j] = items[j - 1];
      items[j] = item;
    }
}

static guint
get_digit (const Item *item, guint digit)
{
  return (guint) (item->bits >> (digit * DIGIT_BITS)) & (N_BUCKETS - 1);
}

/* FALSE where all items share the digit, and nothing was moved. */
static gboolean
deal (Item *to, const Item *from, guint n, guint digit)
{
  guint32 starts[N_BUCKETS] = { 0 };
  guint32 sum = 0;

  for (guint i = 0; i < n; i++)
    starts[get_digit (&from[i], digit)]++;
  if (starts[get_digit (&from[0], digit)] == n)
    return FALSE;
  for (guint b = 0; b < N_BUCKETS; b++)
    {
      guint32 count = starts[b];

      starts[b] = sum;
      sum += count;
    }
  for (guint i = 0; i < n; i++)
    to[starts[get_digit (&from[i], digit)]++] = from[i];
  return TRUE;
}

/* By digits first .. end - 1, with room for as many beside them. */
static void
deal_all (Item *items, Item *room, guint n, guint first, guint end)
{
  Item *from = items, *to = room;

  for (guint digit = first; digit < end; digit++)
    if (deal (to, from, n, digit))
      {
        Item *swapped = from;

        from = to;
        to = swapped;
      }
  if (from != items)
    memcpy (items, from, n * sizeof *items);
}

/* Of items that are sorted by their upper bits: those that share them, by the lower. */
static void
settle_ties (Item *items, Item *room, guint n)
{
  for (guint first = 0, end; first < n; first = end)
    {
      for (end = first + 1;
           end < n && items[end].bits >> UPPER_SHIFT == items[first].bits >> UPPER_SHIFT; end++)
        ;
      if (end - first < FEW)
        insert_all (items + first, end - first);
      else
        deal_all (items + first, room, end - first, 0, FIRST_UPPER);
    }
}

void
goban_key_sort (guint32 *order, const double *keys, guint n)
{
  g_autofree Item *items = g_new (Item, 2 * (gsize) n);

  for (guint i = 0; i < n; i++)
    items[i] = (Item){ order_bits (keys[order[i]]), order[i] };
  if (n < FEW)
    insert_all (items, n);
  else
    {
      deal_all (items, items + n, n, FIRST_UPPER, N_DIGITS);
      settle_ties (items, items + n, n);
    }
  for (guint i = 0; i < n; i++)
    order[i] = items[i].number;
}
