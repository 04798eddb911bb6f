#include "engine/core/key-sort.h"

#include <string.h>

/* From the lowest digit to the highest, each pass stable (Knuth, The Art of Computer Programming,
 * volume 3, section 5.2.5). Digits that all keys share are left out. The upper half of the bits
 * comes first, in items of half the size: few keys agree in it that are not equal, and only those
 * are sorted by the lower half as well. */
#define DIGIT_BITS 11
#define N_DIGITS 3 /* of either half */
#define N_BUCKETS (1u << DIGIT_BITS)
#define LOWER_BITS (N_DIGITS * DIGIT_BITS)

/* Below this many the buckets cost more than comparing. */
#define FEW 64

typedef struct
{
  guint64 bits;
  guint32 number;
} Item;

/* Whole numbers in the order of the keys: of negative ones all bits are turned over, of others the
 * sign. Adding 0 makes one zero of two. */
static guint64
order_bits (double key)
{
  guint64 bits;

  key += 0.0;
  memcpy (&bits, &key, sizeof bits);
  return bits >> 63 != 0 ? ~bits : bits | G_GUINT64_CONSTANT (1) << 63;
}

/* --- by the upper half: its bits above 32, the number below --------------------------------- */

typedef guint32 Counts[N_DIGITS][N_BUCKETS];

static guint
get_digit (guint64 bits, guint digit)
{
  return (guint) (bits >> (digit * DIGIT_BITS)) & (N_BUCKETS - 1);
}

/* From how many there are in each bucket to where each begins. */
static void
find_starts (guint32 *counts)
{
  guint32 sum = 0;

  for (guint b = 0; b < N_BUCKETS; b++)
    {
      guint32 count = counts[b];

      counts[b] = sum;
      sum += count;
    }
}

/* --- by the lower half ---------------------------------------------------------------------- */

static Item *
deal_lowers (Item *from, Item *to, guint n)
{
  for (guint digit = 0; digit < N_DIGITS; digit++)
    {
      guint32 starts[N_BUCKETS] = { 0 };
      Item *swapped = from;

      for (guint i = 0; i < n; i++)
        starts[get_digit (from[i].bits, digit)]++;
      if (starts[get_digit (from[0].bits, digit)] == n)
        continue;
      find_starts (starts);
      for (guint i = 0; i < n; i++)
        to[starts[get_digit (from[i].bits, digit)]++] = from[i];
      from = to;
      to = swapped;
    }
  return from;
}

static void
fill_items (Item *items, const guint32 *order, const double *keys, guint n)
{
  for (guint i = 0; i < n; i++)
    items[i] = (Item){ order_bits (keys[order[i]]), order[i] };
}

static void
take_numbers (guint32 *order, const Item *items, guint n)
{
  for (guint i = 0; i < n; i++)
    order[i] = items[i].number;
}

static void
sort_few (guint32 *order, const double *keys, guint n)
{
  Item items[FEW];

  fill_items (items, order, keys, n);
  for (guint i = 1; i < n; i++)
    {
      Item item = items[i];
      guint j = i;

      for (; j > 0 && items[j - 1].bits > item.bits; j--)
        items[j] = items[j - 1];
      items[j] = item;
    }

  take_numbers (order, items, n);
}

static void
sort_by_lowers (guint32 *order, const double *keys, guint n)
{
  g_autofree Item *items = g_new (Item, 2 * (gsize) n);

  fill_items (items, order, keys, n);
  take_numbers (order, deal_lowers (items, items + n, n), n);
}

void
goban_key_sort (guint32 *order, const double *keys, guint n)
{
  g_autofree guint64 *room = NULL;
  Counts counts = { { 0 } };
  const guint64 *uppers;

  if (n < FEW)
    {
      sort_few (order, keys, n);
      return;
    }
  room = g_new (guint64, 2 * (gsize) n);
  for (guint i = 0; i < n; i++)
    {
      guint64 upper = order_bits (keys[order[i]]) >> LOWER_BITS;

      room[i] = upper << 32 | order[i];
      for (guint digit = 0; digit < N_DIGITS; digit++)
        counts[digit][get_digit (upper, digit)]++;
    }

  /* Returns the one of the two arrays where the sorted ones are. */
  guint64 *from = room;
  guint64 *to = room + n;

  for (guint digit = 0; digit < N_DIGITS; digit++)
    {
      guint32 *starts = counts[digit];
      guint64 *swapped = from;

      if (starts[get_digit (from[0] >> 32, digit)] == n)
        continue;
      find_starts (starts);
      for (guint i = 0; i < n; i++)
        to[starts[get_digit (from[i] >> 32, digit)]++] = from[i];
      from = to;
      to = swapped;
    }
  uppers = from;

  for (guint i = 0; i < n; i++)
    order[i] = (guint32) uppers[i];
  for (guint first = 0, end; first < n; first = end)
    {
      for (end = first + 1; end < n && uppers[end] >> 32 == uppers[first] >> 32; end++)
        ;
      if (end - first >= FEW)
        sort_by_lowers (order + first, keys, end - first);
      else if (end - first > 1)
        sort_few (order + first, keys, end - first);
    }
}
