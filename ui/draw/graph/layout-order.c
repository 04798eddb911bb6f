#include "ui/draw/graph/layout-work.h"

#include <string.h>

/* Above this many items a sweep costs more than the crossings it would still remove. */
#define SMALL 30000
#define SWEEPS_SMALL 12
#define SWEEPS_LARGE 4

typedef struct
{
  float key;
  guint32 item;
} Keyed;

/* A stable merge sort: ties keep their order, and no comparison is a call. */
static void
sort_keyed (Keyed *a, Keyed *scratch, guint n)
{
  const guint run = 8;

  for (guint from = 0; from < n; from += run)
    for (guint i = from + 1; i < MIN (from + run, n); i++)
      {
        Keyed moved = a[i];
        guint j = i;

        for (; j > from && a[j - 1].key > moved.key; j--)
          a[j] = a[j - 1];
        a[j] = moved;
      }
  for (guint width = run; width < n; width *= 2)
    {
      for (guint from = 0; from < n; from += 2 * width)
        {
          guint middle = MIN (from + width, n), end = MIN (from + 2 * width, n);
          guint i = from, j = middle;

          for (guint k = from; k < end; k++)
            scratch[k] = i < middle && (j >= end || a[i].key <= a[j].key) ? a[i++] : a[j++];
        }
      memcpy (a, scratch, n * sizeof *a);
    }
}

/* Places count from the middle of a row, so that rows of different lengths compare. */
static inline float
centred (const LayoutWork *work, guint item)
{
  guint row = work->row_of[item];

  return work->place[item] - 0.5f * (work->row_first[row + 1] - work->row_first[row] - 1);
}

/* Sorts a row by the mean place of its neighbours above or below. */
static void
sort_row (LayoutWork *work, guint row, gboolean by_upper, Keyed *keyed, Keyed *scratch)
{
  const guint32 *first = by_upper ? work->up_first : work->down_first;
  const guint32 *neighbours = by_upper ? work->up : work->down;
  guint n = work->row_first[row + 1] - work->row_first[row];
  guint32 *items = work->items + work->row_first[row];

  for (guint i = 0; i < n; i++)
    {
      guint item = items[i];
      float sum = 0;

      for (guint k = first[item]; k < first[item + 1]; k++)
        sum += centred (work, neighbours[k]);
      keyed[i].item = item;
      keyed[i].key = first[item + 1] > first[item] ? sum / (first[item + 1] - first[item])
                                                   : centred (work, item);
    }
  sort_keyed (keyed, scratch, n);
  for (guint i = 0; i < n; i++)
    {
      items[i] = keyed[i].item;
      work->place[items[i]] = i;
    }
}

static void
sweep (LayoutWork *work, gboolean downwards, Keyed *keyed, Keyed *scratch)
{
  for (guint i = 1; i < work->n_rows; i++)
    sort_row (work, downwards ? i : work->n_rows - 1 - i, downwards, keyed, scratch);
}

static int
compare_places (gconstpointer pa, gconstpointer pb)
{
  guint32 a = *(const guint32 *) pa;
  guint32 b = *(const guint32 *) pb;

  return a < b ? -1 : a > b;
}

/* Inversions between a row and the next, by a binary indexed tree over the lower row's places. */
static guint64
count_row (const LayoutWork *work, guint row, guint32 *tree, guint32 *places)
{
  guint n_below = work->row_first[row + 2] - work->row_first[row + 1];
  guint64 crossings = 0;
  guint n_seen = 0;

  memset (tree, 0, ((gsize) n_below + 1) * sizeof *tree);
  for (guint i = work->row_first[row]; i < work->row_first[row + 1]; i++)
    {
      guint item = work->items[i];
      guint n = work->down_first[item + 1] - work->down_first[item];

      for (guint k = 0; k < n; k++)
        places[k] = work->place[work->down[work->down_first[item] + k]];
      qsort (places, n, sizeof *places, compare_places);
      for (guint k = 0; k < n; k++)
        {
          guint n_before = 0;

          for (guint at = places[k] + 1; at > 0; at -= at & -at)
            n_before += tree[at];
          crossings += n_seen - n_before;
        }
      for (guint k = 0; k < n; k++)
        for (guint at = places[k] + 1; at <= n_below; at += at & -at)
          tree[at]++;
      n_seen += n;
    }
  return crossings;
}

/* How many pairs of links cross. O(L log N). */
static guint64
count_crossings (const LayoutWork *work)
{
  g_autofree guint32 *tree = g_new (guint32, (gsize) work->n_items + 1);
  g_autofree guint32 *places = g_new (guint32, MAX (work->n_links, 1));
  guint64 crossings = 0;

  for (guint row = 0; row + 1 < work->n_rows; row++)
    crossings += count_row (work, row, tree, places);
  return crossings;
}

/* Crossings between the links of two neighbours in a row if a is left of b, less those if right. */
static gint64
gain_of_swap (const LayoutWork *work, guint a, guint b, gboolean upper)
{
  const guint32 *first = upper ? work->up_first : work->down_first;
  const guint32 *neighbours = upper ? work->up : work->down;
  gint64 gain = 0;

  /* Hubs cost the product of their degrees; swapping them gains least. */
  if ((guint64) (first[a + 1] - first[a]) * (first[b + 1] - first[b]) > 4096)
    return 0;
  for (guint i = first[a]; i < first[a + 1]; i++)
    for (guint j = first[b]; j < first[b + 1]; j++)
      {
        guint pa = work->place[neighbours[i]];
        guint pb = work->place[neighbours[j]];

        gain += (pa > pb) - (pa < pb);
      }
  return gain;
}

/* Swaps neighbours as long as that removes crossings. */
static void
transpose (LayoutWork *work)
{
  gboolean better = TRUE;

  for (guint round = 0; better && round < 8; round++)
    {
      better = FALSE;
      for (guint row = 0; row < work->n_rows; row++)
        for (guint i = work->row_first[row]; i + 1 < work->row_first[row + 1]; i++)
          {
            guint a = work->items[i];
            guint b = work->items[i + 1];

            if (gain_of_swap (work, a, b, TRUE) + gain_of_swap (work, a, b, FALSE) <= 0)
              continue;
            work->items[i] = b;
            work->items[i + 1] = a;
            work->place[a]++;
            work->place[b]--;
            better = TRUE;
          }
    }
}

static void
restore (LayoutWork *work, const guint32 *items)
{
  memcpy (work->items, items, work->n_items * sizeof *items);
  for (guint r = 0; r < work->n_rows; r++)
    for (guint i = work->row_first[r]; i < work->row_first[r + 1]; i++)
      work->place[work->items[i]] = i - work->row_first[r];
}

gboolean
goban_layout_order (LayoutWork *work, GError **error)
{
  g_autofree Keyed *keyed = g_new (Keyed, MAX (work->n_items, 1));
  g_autofree Keyed *scratch = g_new (Keyed, MAX (work->n_items, 1));
  g_autofree guint32 *best = NULL;
  gboolean is_small = work->n_items <= SMALL;
  guint n_sweeps = is_small ? SWEEPS_SMALL : SWEEPS_LARGE;
  guint64 least = G_MAXUINT64;

  if (is_small)
    best = g_memdup2 (work->items, MAX (work->n_items, 1) * sizeof *best);
  for (guint i = 0; i < n_sweeps; i++)
    {
      if (!goban_progress_check (work->progress, error))
        return FALSE;
      sweep (work, i % 2 == 0, keyed, scratch);
      if (is_small)
        {
          guint64 crossings;

          if (i >= n_sweeps / 2)
            transpose (work);
          crossings = count_crossings (work);
          if (crossings < least)
            {
              least = crossings;
              memcpy (best, work->items, work->n_items * sizeof *best);
            }
          /* Nothing is better: thousands of small groups are done at once. */
          if (least == 0)
            break;
        }
      goban_progress_step (work->progress, 0.1 + 0.5 * (i + 1) / n_sweeps, "ordering rows");
    }
  if (is_small)
    restore (work, best);
  return TRUE;
}
