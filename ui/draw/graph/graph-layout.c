#include "ui/draw/graph/graph-layout.h"

#include "engine/core/arrays.h"
#include "engine/core/key-sort.h"
#include "ui/draw/graph/layout-work.h"

#include <math.h>
#include <string.h>

#define MAX_GAP_Y 150.0
#define GUTTER 76.0      /* between columns */
#define DETOUR 26.0      /* how far above and below a column edges turn ... */
#define MOST_DETOUR 33.0 /* ... at most */
#define LEAST_GAIN 1.5   /* columns break edges: only if boxes are so much larger then */
#define MAX_COLUMNS 4096
/* Open groups among rows make a tower if it is higher than this, and slimmer. */
#define TOWER 2400.0
#define TOWER_ASPECT 4.0

/* A row as the columns see it. */
typedef struct
{
  float x0, x1;  /* of its items */
  float height;  /* of the highest of them */
  float gap;     /* above it */
  guint n_above; /* trunks and edges from the row above, which a cut there would break */
} Row;

static void
clear_work (LayoutWork *work)
{
  g_free (work->row_of);
  g_free (work->chain_first);
  g_ptr_array_unref (work->arrays);
}

/* The extent of every row, and more room above it for flat edges. */
static Row *
measure_rows (const LayoutWork *work)
{
  Row *rows = g_new0 (Row, MAX (work->n_rows, 1));

  for (guint r = 0; r < work->n_rows; r++)
    {
      Row *row = &rows[r];
      double flat = 0;

      row->x0 = G_MAXFLOAT;
      row->x1 = -G_MAXFLOAT;
      for (guint i = work->row_first[r]; i < work->row_first[r + 1]; i++)
        {
          guint item = work->items[i];
          double half = 4;

          if (item < work->input->n_nodes)
            {
              GobanSize size = goban_layout_size (work->input, item);

              half = (double) size.width / 2;
              row->height = MAX (row->height, size.height);
            }
          row->x0 = MIN (row->x0, work->x[item] - half);
          row->x1 = MAX (row->x1, work->x[item] + half);
          for (guint k = work->up_first[item]; k < work->up_first[item + 1]; k++)
            flat += fabs (work->x[work->up[k]] - work->x[item]);
          row->n_above += work->up_first[item + 1] - work->up_first[item];
        }
      row->gap = GOBAN_GAP_Y;
      if (row->n_above > 0)
        row->gap = MIN (GOBAN_GAP_Y + 0.08 * flat / row->n_above, MAX_GAP_Y);
    }
  return rows;
}

/* Estimated size of the rows with boxes of their usual sizes. */
static Row *
imagine_rows (const LayoutWork *work, const Row *rows)
{
  const GobanLayoutInput *input = work->input;
  Row *usual = g_memdup2 (rows, MAX (work->n_rows, 1) * sizeof *rows);

  for (guint r = 0; r < work->n_rows; r++)
    {
      double width = 0;

      usual[r].height = 0;
      usual[r].gap = GOBAN_GAP_Y;
      for (guint i = work->row_first[r]; i < work->row_first[r + 1]; i++)
        {
          guint item = work->items[i];

          width += item < input->n_nodes ? (double) input->usual[item].width + GOBAN_GAP_X
                                         : goban_layout_trunk_room (input);
          if (item < input->n_nodes)
            usual[r].height = MAX (usual[r].height, input->usual[item].height);
        }
      usual[r].x0 = (float) (-width / 2);
      usual[r].x1 = (float) (width / 2);
    }
  return usual;
}

/* First row of each column, n_columns + 1 rows: even shares, moved a little to rows that few edges
 * cross. Returns n_columns. */
static guint
cut_columns (const Row *rows, guint n_rows, guint n_columns, guint32 *begin)
{
  guint slack = n_rows / n_columns / 8;

  begin[0] = 0;
  for (guint c = 1; c < n_columns; c++)
    {
      guint even = (guint) ((guint64) n_rows * c / n_columns);
      guint best = even;

      for (guint r = MAX (even - slack, begin[c - 1] + 1); r <= MIN (even + slack, n_rows - 1); r++)
        if (rows[r].n_above < rows[best].n_above)
          best = r;
      begin[c] = best;
    }
  begin[n_columns] = n_rows;
  return n_columns;
}

/* The same for rows of many heights: columns are filled up to an even share, or the highest row.
 * There may be fewer than @n_columns then; returns how many. */
static guint
cut_columns_of_boxes (const Row *rows, guint n_rows, guint n_columns, guint32 *begin)
{
  double total = 0;
  double most = 0;
  double y = 0;
  guint n = 0;

  for (guint r = 0; r < n_rows; r++)
    {
      total += (double) (rows[r].height + rows[r].gap);
      most = MAX (most, (double) (rows[r].height + rows[r].gap));
    }
  most = MAX (most, total / n_columns);
  begin[0] = 0;
  for (guint r = 0; r < n_rows; r++)
    {
      double height = (double) (rows[r].height + rows[r].gap);

      /* A row that is more in than out stays. */
      if (r > begin[n] && y + height / 2 > most && n + 1 < n_columns)
        {
          begin[++n] = r;
          y = 0;
        }
      y += height;
    }
  begin[++n] = n_rows;
  return n;
}

/* The size with so many columns. */
static GobanSize
size_of (const Row *rows, const guint32 *begin, guint n_columns)
{
  double width = -GUTTER;
  double height = 1;

  for (guint c = 0; c < n_columns; c++)
    {
      double x0 = G_MAXDOUBLE, x1 = -G_MAXDOUBLE, tall = 0;

      for (guint r = begin[c]; r < begin[c + 1]; r++)
        {
          x0 = MIN (x0, (double) rows[r].x0);
          x1 = MAX (x1, (double) rows[r].x1);
          tall += (double) rows[r].height + (r > begin[c] ? (double) rows[r].gap : 0);
        }
      width += x1 - x0 + GUTTER;
      height = MAX (height, tall);
    }
  return (GobanSize){ (float) width, (float) (height + (n_columns > 1 ? 2 * MOST_DETOUR : 0)) };
}

/* The scale at which a size fits into the room. */
static double
scale_of (GobanSize size, GobanSize room)
{
  return (double) MIN (MIN (room.width / size.width, room.height / size.height), 1);
}

typedef guint (*CutFunc) (const Row *rows, guint n_rows, guint n_columns, guint32 *begin);

/* The least number of columns with which the rows are largest in the room. More columns make a
 * wider picture, so the first that is too wide ends the search; steps grow with the number. */
static guint
choose_columns (const Row *rows, guint n_rows, GobanSize room, CutFunc cut, guint32 *begin)
{
  guint best = 1;
  double most = 0;

  for (guint n = 1; n <= MIN (n_rows, MAX_COLUMNS); n += 1 + n / 16)
    {
      guint n_cut = cut (rows, n_rows, n, begin);
      GobanSize size = size_of (rows, begin, n_cut);

      if (scale_of (size, room) > most)
        {
          most = scale_of (size, room);
          best = n;
        }
      if (size.width * room.height > room.width * size.height)
        break;
    }
  return cut (rows, n_rows, best, begin);
}

/* The same, or one column if that is not much smaller. */
static guint
choose_few_columns (const Row *rows, guint n_rows, GobanSize room, CutFunc cut, guint32 *begin)
{
  double alone = scale_of (size_of (rows, begin, 1), room);
  guint n = choose_columns (rows, n_rows, room, cut, begin);

  return scale_of (size_of (rows, begin, n), room) > LEAST_GAIN * alone
             ? n
             : cut (rows, n_rows, 1, begin);
}

static double
height_of (const Row *rows, guint n_rows)
{
  double height = 0;

  for (guint r = 0; r < n_rows; r++)
    height += (double) (rows[r].height + rows[r].gap);
  return height;
}

/* Boxes of many sizes are arranged by their usual sizes, unless their real ones would make a tower.
 * */
static guint
choose_columns_of_boxes (const LayoutWork *work, const Row *rows, GobanSize room, guint32 *begin)
{
  g_autofree Row *usual = imagine_rows (work, rows);
  GobanSize real = size_of (rows, begin, 1);

  if (height_of (rows, work->n_rows) > TOWER
      && TOWER_ASPECT * (double) (real.width * room.height) < (double) (room.width * real.height))
    return choose_columns (rows, work->n_rows, room, cut_columns_of_boxes, begin);
  return choose_few_columns (usual, work->n_rows, room, cut_columns, begin);
}

static guint32 *
make_columns (GobanLayout *self, const LayoutWork *work, const Row *rows,
              const GobanLayoutOptions *options)
{
  GobanLayoutKind kind = options != NULL ? options->kind : GOBAN_LAYOUT_AUTO;
  GobanSize room = options != NULL && options->room.width > 0
                       ? options->room
                       : (GobanSize){ GOBAN_USUAL_WIDTH, GOBAN_USUAL_HEIGHT };
  guint32 *begin = g_new0 (guint32, MIN (work->n_rows, MAX_COLUMNS) + 2);
  gboolean is_sized = work->input->sizes != NULL;

  begin[1] = work->n_rows;
  self->rows.n_columns = 1;
  if (work->n_rows > 1 && kind == GOBAN_LAYOUT_WRAPPED)
    self->rows.n_columns = choose_columns (rows, work->n_rows, room,
                                           is_sized ? cut_columns_of_boxes : cut_columns, begin);
  else if (work->n_rows > 1 && kind == GOBAN_LAYOUT_AUTO)
    self->rows.n_columns = is_sized
                               ? choose_columns_of_boxes (work, rows, room, begin)
                               : choose_few_columns (rows, work->n_rows, room, cut_columns, begin);
  self->kind = self->rows.n_columns > 1 || kind == GOBAN_LAYOUT_WRAPPED ? GOBAN_LAYOUT_WRAPPED
                                                                        : GOBAN_LAYOUT_LAYERED;
  return begin;
}

static double
half_width (const LayoutWork *work, guint item)
{
  return item < work->input->n_nodes ? (double) goban_layout_size (work->input, item).width / 2
                                     : goban_layout_trunk_room (work->input) / 2;
}

/* Takes out of each column what no row of it uses: rows were placed as one column, in which others
 * needed that room. */
static void
squeeze_columns (LayoutWork *work, Row *rows, const guint32 *begin, guint n_columns)
{
  g_autofree double *lefts = g_new (double, MAX (work->n_items, 1));
  g_autofree guint32 *order = g_memdup2 (work->items, MAX (work->n_items, 1) * sizeof *order);

  for (guint c = 0; c < n_columns; c++)
    {
      guint from = work->row_first[begin[c]];
      guint to = work->row_first[begin[c + 1]];
      double end = -G_MAXDOUBLE;
      double out = 0;

      for (guint i = from; i < to; i++)
        lefts[work->items[i]] = work->x[work->items[i]] - half_width (work, work->items[i]);
      goban_key_sort (order + from, lefts, to - from);
      for (guint i = from; i < to; i++)
        {
          if (i > from)
            out += MAX (lefts[order[i]] - end - GOBAN_GAP_X, 0);
          end = MAX (end, lefts[order[i]] + 2 * half_width (work, order[i]));
          work->x[order[i]] -= out;
        }
      for (guint r = begin[c]; r < begin[c + 1]; r++)
        {
          rows[r].x0 = G_MAXFLOAT;
          rows[r].x1 = -G_MAXFLOAT;
          for (guint i = work->row_first[r]; i < work->row_first[r + 1]; i++)
            {
              double half = half_width (work, work->items[i]);

              rows[r].x0 = MIN (rows[r].x0, work->x[work->items[i]] - half);
              rows[r].x1 = MAX (rows[r].x1, work->x[work->items[i]] + half);
            }
        }
    }
}

/* Fixes the rows' heights and the columns' areas; returns how far each column moves in x. */
static double *
set_columns (GobanLayout *self, const Row *rows, const guint32 *begin)
{
  double *shift = g_new (double, self->rows.n_columns);
  double left = 0;

  for (guint c = 0; c < self->rows.n_columns; c++)
    {
      double x0 = G_MAXDOUBLE, x1 = -G_MAXDOUBLE, y = 0, half = 0;

      for (guint r = begin[c]; r < begin[c + 1]; r++)
        {
          x0 = MIN (x0, (double) rows[r].x0);
          x1 = MAX (x1, (double) rows[r].x1);
          if (r > begin[c])
            y += half + (double) rows[r].gap;
          half = (double) rows[r].height / 2;
          y += half;
          self->rows.y[r] = (float) y;
          self->rows.height[r] = rows[r].height;
          self->rows.column[r] = (guint16) c;
        }
      shift[c] = left - x0;
      self->rows.columns[c] = (GobanBox){ left, 0, left + x1 - x0, y + half };
      self->bounds = goban_box_union (self->bounds, self->rows.columns[c]);
      left += x1 - x0 + GUTTER;
    }
  return shift;
}

void
goban_layout_measure_edges (GobanLayout *self)
{
  self->routes.length = 0;
  self->routes.n_distant = 0;
  for (guint e = 0; e < self->n_edges; e++)
    {
      float length = goban_box_length (self->routes.boxes + 4 * (gsize) e);

      self->routes.length += (double) length;
      self->routes.n_distant += length >= GOBAN_DISTANT;
    }
}

static void
fill_edge_boxes (GobanLayout *self, const guint32 *tails, const guint32 *heads)
{
  GobanPoint points[GOBAN_MAX_ROUTE];

  self->routes.boxes = goban_own (self, float, 4 * (gsize) self->n_edges);
  for (guint e = 0; e < self->n_edges; e++)
    {
      guint n = goban_layout_route (self, e, tails[e], heads[e], points);
      GobanBox box = { points[0].x, points[0].y, points[0].x, points[0].y };

      for (guint i = 1; i < n; i++)
        box = goban_box_union (box,
                               (GobanBox){ points[i].x, points[i].y, points[i].x, points[i].y });
      self->routes.boxes[4 * (gsize) e] = (float) box.x0;
      self->routes.boxes[4 * (gsize) e + 1] = (float) box.y0;
      self->routes.boxes[4 * (gsize) e + 2] = (float) box.x1;
      self->routes.boxes[4 * (gsize) e + 3] = (float) box.y1;
      self->bounds = goban_box_union (self->bounds, box);
    }
  goban_layout_measure_edges (self);
}

/* x, y and sizes, and the trunks between them. */
static void
set_places (GobanLayout *self, const LayoutWork *work, const double *shift)
{
  const GobanLayoutInput *input = work->input;

  for (guint i = 0; i < work->n_items; i++)
    {
      guint row = work->row_of[i];
      float x = (float) (work->x[i] + shift[self->rows.column[row]]);

      if (i >= input->n_nodes)
        {
          self->routes.chain_x[i - input->n_nodes] = x;
          continue;
        }
      self->x[i] = x;
      self->y[i] = self->rows.y[row];
      self->rows.of_node[i] = row;
      /* Tops are in line: a group that is opened leaves its neighbours beside its head. */
      if (input->sizes != NULL)
        self->y[i] -= (self->rows.height[row] - input->sizes[i].height) / 2;
    }
}

static void
set_sizes (GobanLayout *self, const GobanLayoutInput *input)
{
  self->largest = (GobanSize){ GOBAN_NODE_WIDTH, GOBAN_NODE_HEIGHT };
  if (input->sizes == NULL)
    return;
  self->sizes = goban_own (self, GobanSize, input->n_nodes);
  memcpy (self->sizes, input->sizes, input->n_nodes * sizeof *input->sizes);
  for (guint v = 0; v < input->n_nodes; v++)
    {
      self->largest.width = MAX (self->largest.width, input->sizes[v].width);
      self->largest.height = MAX (self->largest.height, input->sizes[v].height);
    }
}

static void
mark_long_edges (GobanLayout *self, const GobanLayoutInput *input)
{
  self->routes.is_long = goban_own (self, guint8, input->n_edges);
  for (guint e = 0; e < input->n_edges; e++)
    self->routes.is_long[e]
        = self->rows.of_node[input->heads[e]] - self->rows.of_node[input->tails[e]]
          > self->routes.cutoff;
}

static GobanLayout *
finish (LayoutWork *work, const GobanLayoutOptions *options)
{
  const GobanLayoutInput *input = work->input;
  GobanLayout *self = g_new0 (GobanLayout, 1);
  g_autofree Row *rows = measure_rows (work);
  g_autofree guint32 *begin = make_columns (self, work, rows, options);
  g_autofree double *shift = NULL;
  guint n_dummies = work->n_items - input->n_nodes;

  g_atomic_ref_count_init (&self->ref_count);
  self->arrays = goban_arrays_new ();
  self->n_nodes = input->n_nodes;
  self->n_edges = input->n_edges;
  self->rows.n = work->n_rows;
  self->routes.cutoff = work->cutoff;
  self->rows.y = goban_own (self, float, self->rows.n);
  self->rows.height = goban_own (self, float, self->rows.n);
  self->rows.column = goban_own (self, guint16, self->rows.n);
  self->rows.columns = goban_own (self, GobanBox, self->rows.n_columns);
  if (input->sizes != NULL && input->n_nodes > 0)
    squeeze_columns (work, rows, begin, self->rows.n_columns);
  if (input->n_nodes > 0)
    shift = set_columns (self, rows, begin);
  self->x = goban_own (self, float, input->n_nodes);
  self->y = goban_own (self, float, input->n_nodes);
  self->rows.of_node = goban_own (self, guint32, input->n_nodes);
  self->routes.chain_x = goban_own (self, float, n_dummies);
  set_places (self, work, shift);
  set_sizes (self, input);
  self->routes.chain_first = g_steal_pointer (&work->chain_first);
  g_ptr_array_add (self->arrays, self->routes.chain_first);
  mark_long_edges (self, input);
  fill_edge_boxes (self, input->tails, input->heads);
  return self;
}

GobanLayout *
goban_layout_new_from_edges (const GobanLayoutInput *input, const GobanLayoutOptions *options,
                             GError **error)
{
  LayoutWork work = { .input = input, .progress = options != NULL ? options->progress : NULL };
  GobanLayout *self = NULL;

  if (!goban_progress_check (work.progress, error))
    return NULL;
  work.arrays = goban_arrays_new ();
  if (goban_layout_make_rows (&work, error))
    {
      self = finish (&work, options);
      goban_progress_step (work.progress, 1, "layout");
    }
  clear_work (&work);
  return self;
}

GobanLayout *
goban_layout_ref (GobanLayout *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
goban_layout_unref (GobanLayout *self)
{
  if (self == NULL || !g_atomic_ref_count_dec (&self->ref_count))
    return;
  g_clear_pointer (&self->nest, goban_nest_free);
  g_ptr_array_unref (self->arrays);
  g_free (self);
}

GobanBox
goban_layout_node_box (const GobanLayout *self, GobanNodeId node)
{
  double x = (double) self->x[node];
  double y = (double) self->y[node];
  double half_w = self->sizes != NULL ? (double) self->sizes[node].width / 2 : GOBAN_NODE_WIDTH / 2;
  double half_h
      = self->sizes != NULL ? (double) self->sizes[node].height / 2 : GOBAN_NODE_HEIGHT / 2;

  return (GobanBox){ x - half_w, y - half_h, x + half_w, y + half_h };
}

/* The way from one column to a later one: below this one, up the gutter before that one, and
 * in from above. Edges of different tails keep a little apart. */
static guint
add_detour (const GobanLayout *self, GobanNodeId tail, guint from, guint to, GobanPoint *points)
{
  double apart = (double) (tail * 5 % 7) * 7 - 21;
  double below = self->rows.columns[from].y1 + DETOUR + apart / 3;
  double above = self->rows.columns[to].y0 - DETOUR + apart / 3;
  double gutter = self->rows.columns[to].x0 - GUTTER / 2 + apart;
  double x = points[-1].x;

  points[0] = (GobanPoint){ x, below };
  points[1] = (GobanPoint){ gutter, below };
  points[2] = (GobanPoint){ gutter, above };
  return 3;
}

/* From row to row along the trunk of @tail. */
guint
goban_layout_route_rows (const GobanLayout *self, GobanNodeId tail, GobanNodeId head,
                         GobanPoint *points)
{
  guint row = self->rows.of_node[tail];
  guint span = self->rows.of_node[head] - row;
  double tail_y = (double) self->rows.y[row] + (double) self->rows.height[row] / 2;
  guint n = 0;

  points[n++] = (GobanPoint){ (double) self->x[tail], goban_layout_node_box (self, tail).y1 };
  if (span <= self->routes.cutoff && points[0].y < tail_y)
    points[n++] = (GobanPoint){ points[0].x, tail_y };
  for (guint i = 1; i <= span && span <= self->routes.cutoff; i++)
    {
      gboolean is_head = i == span;
      double half = (double) self->rows.height[row + i] / 2;
      double x = (double) (is_head ? self->x[head]
                                   : self->routes.chain_x[self->routes.chain_first[tail] + i - 1]);
      double y = (double) self->rows.y[row + i] - (is_head ? half : 0);
      guint from = self->rows.column[row + i - 1];
      guint to = self->rows.column[row + i];

      if (from != to)
        {
          n += add_detour (self, tail, from, to, points + n);
          points[n] = (GobanPoint){ x, points[n - 1].y };
          n++;
        }
      if (!is_head)
        {
          points[n++] = (GobanPoint){ x, y - half };
          y += half;
        }
      points[n++] = (GobanPoint){ x, y };
    }
  if (n == 1)
    points[n++] = (GobanPoint){ (double) self->x[head], goban_layout_node_box (self, head).y0 };
  return n;
}

guint
goban_layout_route (const GobanLayout *self, guint edge, GobanNodeId tail, GobanNodeId head,
                    GobanPoint *points)
{
  if (self->nest != NULL)
    return goban_nest_route (self, edge, points);
  if (self->kind != GOBAN_LAYOUT_LANES)
    return goban_layout_route_rows (self, tail, head, points);
  points[0] = (GobanPoint){ (double) self->x[tail], (double) self->y[tail] };
  points[1] = (GobanPoint){ (double) self->x[head], (double) self->y[head] };
  return 2;
}
