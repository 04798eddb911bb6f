/* layout-lanes.c: items by when they start and on which device; and the way from one layout to
 * another.
 *
 * Decision U14 (ui/NOTES.md).
 */
#include "ui/draw/graph/layout-work.h"

#include "engine/core/arrays.h"

#include <math.h>

/* Width / height of the whole, about. */
#define WIDE 2.2
#define GAP 14.0
#define LANE_GAP 40.0
#define LANE_PAD 20.0
#define LEAST_ROWS 24

typedef struct
{
  double *start_us; /* (items) the mean of their nodes */
  guint32 *lane;    /* (items) lane of most of their nodes */
  guint32 *order;   /* (items) by start, then by number */
} Schedule;

/* The device of most of each item's nodes; the lowest of equals. */
static void
find_lanes (const GobanOutline *outline, const GobanLanesInput *input, Schedule *schedule)
{
  g_autofree guint32 *counts = g_new0 (guint32, (gsize) outline->n_closed * input->n_devices + 1);
  g_autofree guint32 *closed = g_new0 (guint32, MAX (outline->n_items, 1));
  guint n_closed = 0;

  for (guint i = 0; i < outline->n_items; i++)
    if (outline->items[i].group == GOBAN_NO_GROUP)
      schedule->lane[i] = input->device_of[outline->items[i].first];
    else
      closed[i] = n_closed++;
  for (guint v = 0; v < goban_graph_get_n_nodes (outline->graph) && n_closed > 0; v++)
    {
      guint32 item = outline->item_of[v];

      if (item != GOBAN_NO_ITEM && outline->items[item].group != GOBAN_NO_GROUP)
        counts[(gsize) closed[item] * input->n_devices + input->device_of[v]]++;
    }
  for (guint i = 0; i < outline->n_items; i++)
    if (outline->items[i].group != GOBAN_NO_GROUP)
      {
        const guint32 *of = counts + (gsize) closed[i] * input->n_devices;

        schedule->lane[i] = 0;
        for (guint d = 1; d < input->n_devices; d++)
          if (of[d] > of[schedule->lane[i]])
            schedule->lane[i] = d;
      }
}

static int
compare_starts (gconstpointer pa, gconstpointer pb, gpointer data)
{
  const double *start_us = data;
  guint32 a = *(const guint32 *) pa;
  guint32 b = *(const guint32 *) pb;

  if (start_us[a] != start_us[b])
    return start_us[a] < start_us[b] ? -1 : 1;
  return a < b ? -1 : a > b;
}

static Schedule
make_schedule (const GobanOutline *outline, const GobanLanesInput *input)
{
  guint n = outline->n_items;
  Schedule schedule
      = { g_new (double, MAX (n, 1)), g_new (guint32, MAX (n, 1)), g_new (guint32, MAX (n, 1)) };

  for (guint i = 0; i < n; i++)
    {
      schedule.start_us[i] = 0;
      schedule.order[i] = i;
    }
  for (guint v = 0; v < goban_graph_get_n_nodes (outline->graph); v++)
    if (outline->item_of[v] != GOBAN_NO_ITEM && isfinite (input->start_us[v]))
      schedule.start_us[outline->item_of[v]]
          += input->start_us[v] / outline->items[outline->item_of[v]].n_nodes;
  find_lanes (outline, input, &schedule);
  g_qsort_with_data (schedule.order, (int) n, sizeof *schedule.order, compare_starts,
                     schedule.start_us);
  return schedule;
}

/* World units of the whole run: so much that the boxes fill a picture of the wished shape. */
static double
choose_width (const GobanLayout *self)
{
  double area = 0;

  for (guint i = 0; i < self->n_nodes; i++)
    {
      GobanBox box = goban_layout_node_box (self, i);

      area += (box.x1 - box.x0 + GAP) * (box.y1 - box.y0 + GAP);
    }
  return MAX (sqrt (area * WIDE * 3), 4 * GOBAN_GROUP_WIDTH);
}

/* A number of rows with which all lanes together fit the width, but never so few that short lanes
 * are squeezed. */
static guint
most_rows (const GobanLayout *self, const Schedule *schedule, guint lane, double width)
{
  guint n_in_lane = 0;

  for (guint i = 0; i < self->n_nodes; i++)
    n_in_lane += schedule->lane[i] == lane;
  return MAX (LEAST_ROWS, (guint) (width / WIDE / (GOBAN_NODE_HEIGHT + GAP) * n_in_lane
                                   / MAX (self->n_nodes, 1)));
}

/* The first row that is free at @x; if none is, and there may be no more, the next in turn. */
static guint
find_row (GArray *ends, double x, guint most, guint *turn)
{
  for (guint row = 0; row < ends->len; row++)
    if (g_array_index (ends, double, row) <= x)
      return row;
  if (ends->len == most)
    return (*turn)++ % most;
  g_array_set_size (ends, ends->len + 1);
  return ends->len - 1;
}

/* Items into the rows of one lane; returns the height of all. Thousands of ops that take no time
 * start at one moment: they lie upon each other, for apart they would be a tower, and elsewhere a
 * lie. */
static double
fill_lane (GobanLayout *self, const Schedule *schedule, guint lane, double width_of_all,
           double scale)
{
  g_autoptr (GArray) ends = g_array_new (FALSE, FALSE, sizeof (double));
  guint most = most_rows (self, schedule, lane, width_of_all);
  double row_height = GOBAN_NODE_HEIGHT;
  guint turn = 0;

  for (guint i = 0; i < self->n_nodes; i++)
    if (schedule->lane[i] == lane && self->sizes != NULL)
      row_height = MAX (row_height, (double) self->sizes[i].height);
  for (guint k = 0; k < self->n_nodes; k++)
    {
      guint i = schedule->order[k];
      double width = self->sizes != NULL ? (double) self->sizes[i].width : GOBAN_NODE_WIDTH;
      double x = schedule->start_us[i] * scale;
      guint row;

      if (schedule->lane[i] != lane)
        continue;
      row = find_row (ends, x, most, &turn);
      g_array_index (ends, double, row) = x + width + GAP;
      self->x[i] = (float) (x + width / 2);
      self->y[i] = (float) (row * (row_height + GAP) + row_height / 2);
    }
  return ends->len > 0 ? ends->len * (row_height + GAP) - GAP : row_height;
}

static void
fill_straight_edges (GobanLayout *self, const GobanOutline *outline)
{
  self->routes.is_long = goban_own (self, guint8, self->n_edges);
  self->routes.boxes = goban_own (self, float, 4 * (gsize) self->n_edges);
  for (guint e = 0; e < self->n_edges; e++)
    {
      guint32 a = outline->edges[e].tail;
      guint32 b = outline->edges[e].head;
      float *box = self->routes.boxes + 4 * (gsize) e;

      box[0] = MIN (self->x[a], self->x[b]);
      box[1] = MIN (self->y[a], self->y[b]);
      box[2] = MAX (self->x[a], self->x[b]);
      box[3] = MAX (self->y[a], self->y[b]);
    }
  goban_layout_measure_edges (self);
}

static GobanLayout *
new_free (const GobanOutline *outline)
{
  GobanLayout *self = g_new0 (GobanLayout, 1);

  g_atomic_ref_count_init (&self->ref_count);
  self->arrays = goban_arrays_new ();
  self->kind = GOBAN_LAYOUT_LANES;
  self->n_nodes = outline->n_items;
  self->n_edges = outline->n_edges;
  self->routes.cutoff = G_MAXUINT;
  self->x = goban_own (self, float, self->n_nodes);
  self->y = goban_own (self, float, self->n_nodes);
  self->largest = (GobanSize){ GOBAN_NODE_WIDTH, GOBAN_NODE_HEIGHT };
  if (outline->n_closed == 0)
    return self;
  self->largest = (GobanSize){ GOBAN_GROUP_WIDTH, GOBAN_GROUP_HEIGHT };
  self->sizes = goban_own (self, GobanSize, self->n_nodes);
  for (guint i = 0; i < self->n_nodes; i++)
    self->sizes[i] = outline->items[i].group != GOBAN_NO_GROUP
                         ? self->largest
                         : (GobanSize){ GOBAN_NODE_WIDTH, GOBAN_NODE_HEIGHT };
  return self;
}

GobanLayout *
goban_layout_new_lanes (const GobanOutline *outline, const GobanLanesInput *input)
{
  GobanLayout *self = new_free (outline);
  Schedule schedule = make_schedule (outline, input);
  double width = choose_width (self);
  double scale = input->end_us > 0 && isfinite (input->end_us) ? width / input->end_us : 0;
  double y = 0;

  self->n_lanes = input->n_devices;
  self->lanes = goban_own (self, GobanBox, input->n_devices);
  for (guint d = 0; d < input->n_devices; d++)
    {
      double height = fill_lane (self, &schedule, d, width, scale);

      self->lanes[d] = (GobanBox){ -LANE_PAD, y, width + GOBAN_GROUP_WIDTH,
                                   y + height + 2 * LANE_PAD + GOBAN_HEAD_HEIGHT };
      for (guint i = 0; i < self->n_nodes; i++)
        if (schedule.lane[i] == d)
          self->y[i] += (float) (y + LANE_PAD + GOBAN_HEAD_HEIGHT);
      self->bounds = d == 0 ? self->lanes[0] : goban_box_union (self->bounds, self->lanes[d]);
      y = self->lanes[d].y1 + LANE_GAP;
    }
  fill_straight_edges (self, outline);
  g_free (schedule.start_us);
  g_free (schedule.lane);
  g_free (schedule.order);
  return self;
}

static GobanBox
blend_boxes (GobanBox a, GobanBox b, double t)
{
  return (GobanBox){ a.x0 + (b.x0 - a.x0) * t, a.y0 + (b.y0 - a.y0) * t, a.x1 + (b.x1 - a.x1) * t,
                     a.y1 + (b.y1 - a.y1) * t };
}

GobanLayout *
goban_layout_blend (const GobanLayout *a, const GobanLayout *b, const GobanOutline *outline,
                    double t)
{
  GobanLayout *self = new_free (outline);
  float part = (float) t;

  for (guint i = 0; i < self->n_nodes; i++)
    {
      self->x[i] = a->x[i] + (b->x[i] - a->x[i]) * part;
      self->y[i] = a->y[i] + (b->y[i] - a->y[i]) * part;
    }
  self->bounds = blend_boxes (a->bounds, b->bounds, t);
  fill_straight_edges (self, outline);
  return self;
}
