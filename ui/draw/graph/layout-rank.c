#include "ui/draw/graph/layout-work.h"

#include <math.h>

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

void
goban_layout_rank (LayoutWork *work)
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

  work->down_first = g_new0 (guint32, (gsize) n + 1);
  work->up_first = g_new0 (guint32, (gsize) n + 1);
  each_link (work, count_link);
  for (guint i = 0; i < n; i++)
    {
      work->down_first[i + 1] += work->down_first[i];
      work->up_first[i + 1] += work->up_first[i];
    }
  work->down = g_new (guint32, MAX (work->n_links, 1));
  work->up = g_new (guint32, MAX (work->n_links, 1));
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

void
goban_layout_link (LayoutWork *work)
{
  work->cutoff = choose_cutoff (work);
  make_chains (work);
  make_links (work);
  work->row_first = g_new0 (guint32, (gsize) work->n_rows + 1);
  for (guint i = 0; i < work->n_items; i++)
    work->row_first[work->row_of[i] + 1]++;
  for (guint r = 0; r < work->n_rows; r++)
    work->row_first[r + 1] += work->row_first[r];
  work->items = g_new (guint32, MAX (work->n_items, 1));
  work->place = g_new (guint32, MAX (work->n_items, 1));
  walk_depth_first (work);
  for (guint r = 0; r < work->n_rows; r++)
    for (guint i = work->row_first[r]; i < work->row_first[r + 1]; i++)
      work->place[work->items[i]] = i - work->row_first[r];
}
