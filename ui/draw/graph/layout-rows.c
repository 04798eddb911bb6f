#include "ui/draw/graph/layout-work.h"

#include "engine/core/arrays.h"

#include <math.h>
#include <string.h>

/* --- rows ------------------------------------------------------------------------------------- */

/* Weights that several nodes read hang right above the first of them if that is further than this:
 * short branches stay aligned at their beginning. */
#define LONG_WAY 8
#define WIDE 2.5
/* So many boxes side by side are never too wide. */
#define FEW 5

/* Edges by tail: the heads of node v are heads[first[v] .. first[v + 1]). */
typedef struct
{
  guint32 *first;
  guint32 *heads;
} OutEdges;

static OutEdges
sort_by_tail (const GobanLayoutInput *input)
{
  OutEdges out = { g_new0 (guint32, (gsize) input->n_nodes + 1), g_new (guint32, input->n_edges) };
  g_autofree guint32 *next = g_new (guint32, input->n_nodes);

  for (guint e = 0; e < input->n_edges; e++)
    out.first[input->tails[e] + 1]++;
  for (guint v = 0; v < input->n_nodes; v++)
    {
      out.first[v + 1] += out.first[v];
      next[v] = out.first[v];
    }
  for (guint e = 0; e < input->n_edges; e++)
    out.heads[next[input->tails[e]]++] = input->heads[e];
  return out;
}

/* A node without a predecessor that holds it up there: it and all before it lead only towards it.
 * Weights and constants belong right above their readers, not in the first row. */
static guint8 *
find_floating (const GobanLayoutInput *input, const OutEdges *out)
{
  guint8 *floating = g_malloc (MAX (input->n_nodes, 1));

  for (guint v = 0; v < input->n_nodes; v++)
    floating[v] = TRUE;
  for (guint v = 0; v < input->n_nodes; v++)
    {
      gboolean single = out->first[v + 1] - out->first[v] <= 1;

      for (guint i = out->first[v]; i < out->first[v + 1]; i++)
        if (!floating[v] || !single)
          floating[out->heads[i]] = FALSE;
    }
  return floating;
}

/* Nodes without inputs, and nodes that only such nodes feed, as long as moving it down makes no
 * more edges longer than shorter. */
static guint8 *
find_loose (const GobanLayoutInput *input, const OutEdges *out)
{
  guint8 *loose = g_malloc (MAX (input->n_nodes, 1));
  g_autofree guint32 *n_in = g_new0 (guint32, input->n_nodes);

  for (guint e = 0; e < input->n_edges; e++)
    n_in[input->heads[e]]++;
  for (guint v = 0; v < input->n_nodes; v++)
    loose[v] = n_in[v] <= out->first[v + 1] - out->first[v];
  for (guint v = 0; v < input->n_nodes; v++)
    for (guint i = out->first[v]; !loose[v] && i < out->first[v + 1]; i++)
      loose[out->heads[i]] = FALSE;
  return loose;
}

/* The same by widths: a row is no wider than a picture of all boxes that is WIDE times as wide as
 * high. */
static void
split_wide_rows_of_boxes (LayoutWork *work)
{
  const GobanSize *sizes = work->input->usual;
  guint n_nodes = work->input->n_nodes;
  g_autofree double *width = g_new0 (double, work->n_rows);
  g_autofree guint32 *part = g_new0 (guint32, n_nodes);
  g_autofree guint32 *first = g_new0 (guint32, work->n_rows + 1);
  double area = 0;
  double most;

  for (guint v = 0; v < n_nodes; v++)
    area += ((double) sizes[v].width + GOBAN_GAP_X) * ((double) sizes[v].height + GOBAN_GAP_Y);
  most = MAX (sqrt (area * WIDE), FEW * (GOBAN_GROUP_WIDTH + GOBAN_GAP_X));
  for (guint v = 0; v < n_nodes; v++)
    {
      guint r = work->row_of[v];

      width[r] += (double) sizes[v].width + GOBAN_GAP_X;
      part[v] = (guint32) ((width[r] - 1) / most);
      first[r + 1] = MAX (first[r + 1], part[v] + 1);
    }
  for (guint r = 0; r < work->n_rows; r++)
    first[r + 1] += first[r];
  for (guint v = 0; v < n_nodes; v++)
    work->row_of[v] = first[work->row_of[v]] + part[v];
  work->n_rows = first[work->n_rows];
}

/* Cuts rows that would make the picture a hair: the nodes of one row never depend on each other,
 * so it may be several. */
static void
split_wide_rows (LayoutWork *work)
{
  guint n_nodes = work->input->n_nodes;
  guint most = (guint) MAX (64, 4 * sqrt (n_nodes));
  g_autofree guint32 *n_in_row = g_new0 (guint32, work->n_rows);
  g_autofree guint32 *first = g_new0 (guint32, work->n_rows);
  g_autofree guint32 *seen = g_new0 (guint32, work->n_rows);
  guint n_rows = 0;

  for (guint v = 0; v < n_nodes; v++)
    n_in_row[work->row_of[v]]++;
  for (guint r = 0; r < work->n_rows; r++)
    {
      first[r] = n_rows;
      n_rows += MAX ((n_in_row[r] + most - 1) / most, 1);
    }
  if (n_rows == work->n_rows)
    return;
  for (guint v = 0; v < n_nodes; v++)
    {
      guint r = work->row_of[v];
      guint n_parts = (n_in_row[r] + most - 1) / most;
      guint each = (n_in_row[r] + n_parts - 1) / n_parts;

      work->row_of[v] = first[r] + seen[r]++ / each;
    }
  work->n_rows = n_rows;
}

/* Assigns a row to every node. */
static void
find_rows (LayoutWork *work)
{
  const GobanLayoutInput *input = work->input;
  OutEdges out = sort_by_tail (input);
  g_autofree guint8 *floating = find_floating (input, &out);
  g_autofree guint8 *loose = find_loose (input, &out);
  guint32 *row = g_new0 (guint32, MAX (input->n_nodes, 1));
  guint last = 0;

  for (guint v = 0; v < input->n_nodes; v++)
    {
      for (guint i = out.first[v]; i < out.first[v + 1]; i++)
        row[out.heads[i]] = MAX (row[out.heads[i]], row[v] + 1);
      last = MAX (last, row[v]);
    }
  for (guint v = input->n_nodes; v-- > 0;)
    {
      guint32 nearest = G_MAXUINT32;

      for (guint i = out.first[v]; i < out.first[v + 1]; i++)
        nearest = MIN (nearest, row[out.heads[i]]);
      if (nearest != G_MAXUINT32 && (floating[v] || (loose[v] && nearest - row[v] > LONG_WAY)))
        row[v] = nearest - 1;
    }
  work->row_of = row;
  work->n_rows = input->n_nodes > 0 ? last + 1 : 0;
  if (work->n_rows > 0 && input->sizes != NULL)
    split_wide_rows_of_boxes (work);
  else if (work->n_rows > 0)
    split_wide_rows (work);
  g_free (out.first);
  g_free (out.heads);
}

/* The longest span worth dummies: fewer if a large graph would need too many of them. */
static guint
choose_cutoff (const LayoutWork *work)
{
  const GobanLayoutInput *input = work->input;
  guint64 n_of_span[GOBAN_LONG_SPAN + 1] = { 0 };
  guint64 budget = ((guint64) input->n_nodes + input->n_edges) / 2 + 20000;
  guint64 n = 0;

  for (guint e = 0; e < input->n_edges; e++)
    {
      guint span = work->row_of[input->heads[e]] - work->row_of[input->tails[e]];

      if (span <= GOBAN_LONG_SPAN)
        n_of_span[span]++;
    }
  for (guint span = 2; span <= GOBAN_LONG_SPAN; span++)
    {
      n += n_of_span[span] * (span - 1);
      if (n > budget)
        return span - 1;
    }
  return GOBAN_LONG_SPAN;
}

/* chain_first and the rows of all dummies. */
static void
make_chains (LayoutWork *work)
{
  const GobanLayoutInput *input = work->input;
  guint32 *first = g_new0 (guint32, (gsize) input->n_nodes + 1);

  for (guint e = 0; e < input->n_edges; e++)
    {
      guint tail = input->tails[e];
      guint span = work->row_of[input->heads[e]] - work->row_of[tail];

      if (span <= work->cutoff)
        first[tail + 1] = MAX (first[tail + 1], span - 1);
    }
  for (guint v = 0; v < input->n_nodes; v++)
    first[v + 1] += first[v];
  work->chain_first = first;
  work->n_items = input->n_nodes + first[input->n_nodes];
  work->row_of = g_renew (guint32, work->row_of, MAX (work->n_items, 1));
  for (guint v = 0; v < input->n_nodes; v++)
    for (guint i = first[v]; i < first[v + 1]; i++)
      work->row_of[input->n_nodes + i] = work->row_of[v] + 1 + (i - first[v]);
}

/* The item of row @row on the trunk of @node. */
static guint
trunk_item (const LayoutWork *work, guint node, guint row)
{
  guint step = row - work->row_of[node];

  return step == 0 ? node : work->input->n_nodes + work->chain_first[node] + step - 1;
}

/* Calls for every link, first those along trunks, then the last one of every short edge. */
static void
each_link (LayoutWork *work, void (*found) (LayoutWork *work, guint above, guint below))
{
  const GobanLayoutInput *input = work->input;

  for (guint v = 0; v < input->n_nodes; v++)
    for (guint i = work->chain_first[v]; i < work->chain_first[v + 1]; i++)
      found (work, i == work->chain_first[v] ? v : input->n_nodes + i - 1, input->n_nodes + i);
  for (guint e = 0; e < input->n_edges; e++)
    {
      guint below = work->row_of[input->heads[e]];

      if (below - work->row_of[input->tails[e]] <= work->cutoff)
        found (work, trunk_item (work, input->tails[e], below - 1), input->heads[e]);
    }
}

static void
count_link (LayoutWork *work, guint above, guint below)
{
  work->down_first[above + 1]++;
  work->up_first[below + 1]++;
  work->n_links++;
}

static void
store_link (LayoutWork *work, guint above, guint below)
{
  work->down[work->down_first[above]++] = below;
  work->up[work->up_first[below]++] = above;
}

/* After filling, first[v] is where v ends: the next one's start. */
static void
shift_back (guint32 *first, guint n)
{
  for (guint i = n; i > 0; i--)
    first[i] = first[i - 1];
  first[0] = 0;
}

static void
make_links (LayoutWork *work)
{
  guint n = work->n_items;

  work->down_first = goban_own (work, guint32, (gsize) n + 1);
  work->up_first = goban_own (work, guint32, (gsize) n + 1);
  each_link (work, count_link);
  for (guint i = 0; i < n; i++)
    {
      work->down_first[i + 1] += work->down_first[i];
      work->up_first[i + 1] += work->up_first[i];
    }
  work->down = goban_own (work, guint32, work->n_links);
  work->up = goban_own (work, guint32, work->n_links);
  each_link (work, store_link);
  shift_back (work->down_first, n);
  shift_back (work->up_first, n);
}

/* Rows in the order of a depth-first walk from the sources, so that connected nodes start
 * together. */
static void
walk_depth_first (LayoutWork *work)
{
  g_autofree guint32 *stack = g_new (guint32, (gsize) work->n_links + work->n_items + 1);
  g_autofree guint8 *seen = g_malloc0 (MAX (work->n_items, 1));
  g_autofree guint32 *next = g_new (guint32, MAX (work->n_rows, 1));
  gsize depth = 0;

  for (guint r = 0; r < work->n_rows; r++)
    next[r] = work->row_first[r];
  for (guint source = 0; source < work->n_items; source++)
    {
      if (work->up_first[source + 1] > work->up_first[source])
        continue;
      stack[depth++] = source;
      while (depth > 0)
        {
          guint item = stack[--depth];

          if (seen[item])
            continue;
          seen[item] = TRUE;
          work->items[next[work->row_of[item]]++] = item;
          for (guint i = work->down_first[item + 1]; i-- > work->down_first[item];)
            stack[depth++] = work->down[i];
        }
    }
}

/* Makes dummies and links, and the first order. */
static void
link_rows (LayoutWork *work)
{
  work->cutoff = choose_cutoff (work);
  make_chains (work);
  make_links (work);
  work->row_first = goban_own (work, guint32, (gsize) work->n_rows + 1);
  for (guint i = 0; i < work->n_items; i++)
    work->row_first[work->row_of[i] + 1]++;
  for (guint r = 0; r < work->n_rows; r++)
    work->row_first[r + 1] += work->row_first[r];
  work->items = goban_own (work, guint32, work->n_items);
  work->place = goban_own (work, guint32, work->n_items);
  walk_depth_first (work);
  for (guint r = 0; r < work->n_rows; r++)
    for (guint i = work->row_first[r]; i < work->row_first[r + 1]; i++)
      work->place[work->items[i]] = i - work->row_first[r];
}

/* --- order within rows ------------------------------------------------------------------------ */

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

/* Reduces crossings by sweeps; FALSE with @error set when cancelled. */
static gboolean
order_rows (LayoutWork *work, GError **error)
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

/* --- places ----------------------------------------------------------------------------------- */

#define N_PASSES 8
#define N_STRAIGHTENINGS 6

/* A run of a row that moves as one: its place is the mean of the places that its items prefer. */
typedef struct
{
  double sum;    /* of weight x wish */
  double weight; /* of the items */
  guint end;     /* one past its last item */
} Block;

static inline double
room_of (const LayoutWork *work, guint item)
{
  if (item >= work->input->n_nodes)
    return goban_layout_trunk_room (work->input);
  return (double) goban_layout_size (work->input, item).width + GOBAN_GAP_X;
}

/* Trunks pull harder than edges between nodes: a long straight line reads better than a short one.
 * Among groups boxes do, so that modules in a row stand in one line and columns are slim. */
static inline double
pull (const LayoutWork *work, guint a, guint b)
{
  guint n_nodes = work->input->n_nodes;

  if (work->input->sizes != NULL)
    return a < n_nodes && b < n_nodes ? 16 : 1;
  return (a < n_nodes ? 1 : 3) * (b < n_nodes ? 1 : 3);
}

static void
add_wishes (const LayoutWork *work, guint item, gboolean upper, double *sum, double *weight)
{
  const guint32 *first = upper ? work->up_first : work->down_first;
  const guint32 *neighbours = upper ? work->up : work->down;

  for (guint i = first[item]; i < first[item + 1]; i++)
    {
      double w = pull (work, item, neighbours[i]);

      *sum += w * work->x[neighbours[i]];
      *weight += w;
    }
}

/* Puts a row's items as near to where their neighbours want them as their room allows, in the
 * least-squares sense: isotonic regression of wish - (room to the left), by pooling
 * adjacent violators. */
static void
place_row (LayoutWork *work, guint row, gboolean upper, gboolean lower, Block *blocks)
{
  const guint32 *items = work->items + work->row_first[row];
  guint n = work->row_first[row + 1] - work->row_first[row];
  double offset = 0;
  guint n_blocks = 0;

  for (guint i = 0; i < n; i++)
    {
      double sum = 0;
      double weight = 0;

      if (i > 0)
        offset += (room_of (work, items[i - 1]) + room_of (work, items[i])) / 2;
      if (upper)
        add_wishes (work, items[i], TRUE, &sum, &weight);
      if (lower)
        add_wishes (work, items[i], FALSE, &sum, &weight);
      if (weight == 0)
        {
          weight = 0.05;
          sum = weight * work->x[items[i]];
        }
      blocks[n_blocks++] = (Block){ sum - weight * offset, weight, i + 1 };
      while (n_blocks > 1
             && blocks[n_blocks - 2].sum * blocks[n_blocks - 1].weight
                    >= blocks[n_blocks - 1].sum * blocks[n_blocks - 2].weight)
        {
          Block *last = &blocks[--n_blocks];

          blocks[n_blocks - 1].sum += last->sum;
          blocks[n_blocks - 1].weight += last->weight;
          blocks[n_blocks - 1].end = last->end;
        }
    }
  offset = 0;
  for (guint b = 0, i = 0; b < n_blocks; b++)
    for (double at = blocks[b].sum / blocks[b].weight; i < blocks[b].end; i++)
      {
        if (i > 0)
          offset += (room_of (work, items[i - 1]) + room_of (work, items[i])) / 2;
        work->x[items[i]] = at + offset;
      }
}

/* Rows packed and centred. */
static void
pack_rows (LayoutWork *work)
{
  for (guint r = 0; r < work->n_rows; r++)
    {
      double x = 0;

      for (guint i = work->row_first[r]; i < work->row_first[r + 1]; i++)
        x -= room_of (work, work->items[i]) / 2;
      for (guint i = work->row_first[r]; i < work->row_first[r + 1]; i++)
        {
          double half = room_of (work, work->items[i]) / 2;

          work->x[work->items[i]] = x + half;
          x += 2 * half;
        }
    }
}

/* The item that continues @item downwards in one upright line: the next of its trunk, or the only
 * reader of a node that reads nothing else. n_items if there is none. */
static guint
next_in_line (const LayoutWork *work, guint item)
{
  guint n_down = work->down_first[item + 1] - work->down_first[item];
  guint first = n_down > 0 ? work->down[work->down_first[item]] : work->n_items;

  if (n_down == 0)
    return work->n_items;
  if (item >= work->input->n_nodes && first >= work->input->n_nodes)
    return first;
  return n_down == 1 && work->up_first[first + 1] - work->up_first[first] == 1 ? first
                                                                               : work->n_items;
}

/* How far an item may move within its row, others staying. */
static void
find_room (const LayoutWork *work, guint item, double *least, double *most)
{
  guint row = work->row_of[item];
  guint at = work->row_first[row] + work->place[item];

  *least = -G_MAXDOUBLE;
  *most = G_MAXDOUBLE;
  if (at > work->row_first[row])
    {
      guint left = work->items[at - 1];

      *least = work->x[left] + (room_of (work, left) + room_of (work, item)) / 2;
    }
  if (at + 1 < work->row_first[row + 1])
    {
      guint right = work->items[at + 1];

      *most = work->x[right] - (room_of (work, right) + room_of (work, item)) / 2;
    }
}

/* Sets the items of a line from @first to before @end upright, at the mean of the places that their
 * neighbours above and below prefer. */
static void
set_upright (LayoutWork *work, guint first, guint end, double least, double most)
{
  double sum = 0;
  double weight = 0;
  guint last = first;
  guint n = 0;
  double mean = 0;

  for (guint item = first; item != end; item = next_in_line (work, item))
    {
      mean += work->x[item];
      last = item;
      n++;
    }
  add_wishes (work, first, TRUE, &sum, &weight);
  add_wishes (work, last, FALSE, &sum, &weight);
  mean = weight > 0 ? sum / weight : mean / n;
  mean = CLAMP (mean, least, most);
  for (guint item = first; item != end; item = next_in_line (work, item))
    work->x[item] = mean;
}

/* Makes the line that begins at @item upright, in as few pieces as its neighbours leave room
 * for. */
static void
straighten_line (LayoutWork *work, guint item)
{
  guint first = item;
  double least, most;

  find_room (work, item, &least, &most);
  for (item = next_in_line (work, item);; item = next_in_line (work, item))
    {
      double item_least = 0, item_most = 0;

      if (item < work->n_items)
        find_room (work, item, &item_least, &item_most);
      if (item < work->n_items && MAX (least, item_least) <= MIN (most, item_most))
        {
          least = MAX (least, item_least);
          most = MIN (most, item_most);
          continue;
        }
      set_upright (work, first, item, least, most);
      if (item == work->n_items)
        return;
      first = item;
      least = item_least;
      most = item_most;
    }
}

/* Passing means along a chain would straighten it only after as many passes as it is long, squared;
 * so lines of items are moved as one. From the left and from the right in turn, as each
 * line moves only as far as its neighbours stand. */
static void
straighten (LayoutWork *work)
{
  g_autofree guint8 *is_inner = g_malloc0 ((gsize) work->n_items + 1);

  for (guint i = 0; i < work->n_items; i++)
    is_inner[next_in_line (work, i)] = TRUE;
  for (guint round = 0; round < N_STRAIGHTENINGS; round++)
    for (guint r = 0; r < work->n_rows; r++)
      {
        guint n = work->row_first[r + 1] - work->row_first[r];

        for (guint i = 0; i < n; i++)
          {
            guint item = work->items[work->row_first[r] + (round % 2 == 0 ? i : n - 1 - i)];

            if (!is_inner[item])
              straighten_line (work, item);
          }
      }
}

/* Computes x of every item. */
static gboolean
place_items (LayoutWork *work, GError **error)
{
  g_autofree Block *blocks = g_new (Block, MAX (work->n_items, 1));

  work->x = goban_own (work, double, work->n_items);
  pack_rows (work);
  for (guint pass = 0; pass < N_PASSES; pass++)
    {
      gboolean downwards = pass % 2 == 0;
      gboolean both = pass >= 2;

      if (!goban_progress_check (work->progress, error))
        return FALSE;
      for (guint i = 0; i < work->n_rows; i++)
        place_row (work, downwards ? i : work->n_rows - 1 - i, both || downwards,
                   both || !downwards, blocks);
      goban_progress_step (work->progress, 0.6 + 0.3 * (pass + 1) / N_PASSES, "placing nodes");
    }
  straighten (work);
  return TRUE;
}

gboolean
goban_layout_make_rows (LayoutWork *work, GError **error)
{
  find_rows (work);
  link_rows (work);
  return order_rows (work, error) && place_items (work, error);
}
