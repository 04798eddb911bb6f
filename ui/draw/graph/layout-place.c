#include "ui/draw/graph/layout-work.h"

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

gboolean
goban_layout_place (LayoutWork *work, GError **error)
{
  g_autofree Block *blocks = g_new (Block, MAX (work->n_items, 1));

  work->x = g_new (double, MAX (work->n_items, 1));
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
