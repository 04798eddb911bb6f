#include "ui/draw/timeline/compare-lanes.h"

#include "engine/core/quantity.h"
#include "ui/draw/timeline/timeline-painter-private.h"
#include "ui/draw/timeline/timeline-scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Design pixels. */
#define BEFORE_H 20.0
#define AFTER_H 28.0
#define MEMORY_H 22.0
#define LINK_H 12.0
#define LINK_ROW_H 5.0
#define LINK_MAX_H 42.0
#define PAIR_GAP 2.0
#define LANE_GAP 4.0
#define DEVICE_GAP 12.0
#define FULL_H (BEFORE_H + PAIR_GAP + AFTER_H + DEVICE_GAP)
/* Height of a device's two lanes and the gap below: lower ones could not be distinguished. */
#define LEAST_H 14.0
/* A lane lower than this has one header with its partner. */
#define LEAST_HEADER_H 14.0
/* A gap has vanished if at most this share of it is idle in the other run. */
#define MOST_IDLE 0.1

/* --- gaps ----------------------------------------------------------------------------------- */

typedef struct
{
  double from_us;
  double to_us;
} Span;

static int
compare_spans (const void *a, const void *b)
{
  double x = ((const Span *) a)->from_us, y = ((const Span *) b)->from_us;

  return (x > y) - (x < y);
}

/* One row is in order already. */
static void
sort_spans (const GobanLane *lane, Span *spans)
{
  for (guint i = 0; i < lane->n_slices; i++)
    spans[i] = (Span){ lane->slices[i].start_us, lane->slices[i].finish_us };
  if (lane->n_rows > 1)
    qsort (spans, lane->n_slices, sizeof *spans, compare_spans);
}

/* When a lane has nothing to do from 0 to @end_us, by time; (transfer full). */
static GArray *
find_idle (const GobanLane *lane, double end_us)
{
  GArray *idle = g_array_new (FALSE, FALSE, sizeof (Span));
  g_autofree Span *busy = g_new (Span, (gsize) lane->n_slices + 1);
  double free_us = 0;

  sort_spans (lane, busy);
  busy[lane->n_slices] = (Span){ end_us, end_us };
  for (guint i = 0; i <= lane->n_slices; i++)
    {
      Span gap = { free_us, busy[i].from_us };

      if (gap.to_us > gap.from_us)
        g_array_append_val (idle, gap);
      free_us = fmax (free_us, busy[i].to_us);
    }
  return idle;
}

/* Finds the gaps of lane @first of at least @min_us in which @after is idle for a tenth at most. */
static void
find_vanished (GobanCompareLanes *self, guint first, double end_us, double min_us)
{
  const GobanLane *lanes = self->scene->lanes;
  g_autoptr (GArray) before = find_idle (&lanes[first], self->ghost->end_us);
  g_autoptr (GArray) after = find_idle (&lanes[first + 1], fmax (end_us, self->ghost->end_us));
  guint at = 0;

  for (guint i = 0; i < before->len; i++)
    {
      Span gap = g_array_index (before, Span, i);
      GobanVanishedGap vanished = { first, gap.from_us, gap.to_us };
      double idle_us = 0;

      while (at < after->len && g_array_index (after, Span, at).to_us <= gap.from_us)
        at++;
      for (guint k = at; k < after->len && g_array_index (after, Span, k).from_us < gap.to_us; k++)
        idle_us += fmin (g_array_index (after, Span, k).to_us, gap.to_us)
                   - fmax (g_array_index (after, Span, k).from_us, gap.from_us);
      if (gap.to_us - gap.from_us >= min_us && idle_us <= MOST_IDLE * (gap.to_us - gap.from_us))
        g_array_append_val (self->gaps, vanished);
    }
}

/* --- lanes ---------------------------------------------------------------------------------- */

/* Moves the lane out of its scene, with @sign behind its name. */
static void
take_lane (GobanLane *to, GobanLane *from, const char *sign)
{
  *to = *from;
  memset (from, 0, sizeof *from);
  from->id = to->id;
  to->id = g_strdup_printf ("%s/%s", from->id, sign);
  g_clear_pointer (&from->id, g_free);
  from->name = to->name;
  to->name = g_strdup_printf ("%s  %s", from->name, sign);
  g_clear_pointer (&from->name, g_free);
}

static double
height_of (const GobanLane *lane, gboolean is_after, gboolean has_all_lanes, double share)
{
  if (lane->kind == GOBAN_LANE_DEVICE)
    return (is_after ? AFTER_H : BEFORE_H) * share;
  if (!has_all_lanes)
    return 0;
  return lane->kind == GOBAN_LANE_MEMORY
             ? MEMORY_H
             : MIN (LINK_H + (lane->n_rows - 1) * LINK_ROW_H, LINK_MAX_H);
}

/* @share: of their full size, for lanes of devices and the gaps around them. */
static void
put_lanes (GobanTimelineScene *scene, gboolean has_all_lanes, double share)
{
  double y = DEVICE_GAP / 2 * share;

  for (guint l = 0; l < scene->n_lanes; l++)
    {
      GobanLane *lane = &scene->lanes[l];

      lane->height = height_of (lane, l % 2 == 1, has_all_lanes, share);
      if (l > 0 && l % 2 == 0 && lane->height > 0)
        y += lane->kind == GOBAN_LANE_DEVICE ? DEVICE_GAP * share : LANE_GAP;
      lane->y = y;
      y += lane->height + (l % 2 == 0 && lane->height > 0 ? PAIR_GAP * share : 0);
    }
  scene->height = y + DEVICE_GAP / 2 * share;
}

void
goban_compare_lanes_arrange (GobanCompareLanes *self, gboolean has_all_lanes, double room)
{
  double share = 1;
  guint n_devices = 0;

  for (guint l = 0; l < self->scene->n_lanes; l += 2)
    n_devices += self->scene->lanes[l].kind == GOBAN_LANE_DEVICE;
  if (!has_all_lanes && n_devices > 0)
    share = CLAMP (room / (n_devices * FULL_H), LEAST_H / FULL_H, 1);
  put_lanes (self->scene, has_all_lanes, share);
  goban_timeline_scene_follow (self->ghost, self->scene);
}

void
goban_compare_lanes_set_values (GobanCompareLanes *self, const GobanNodeValues *before,
                                const GobanNodeValues *after)
{
  g_clear_pointer (&self->levels, g_free);
  goban_timeline_scene_set_values (self->scene, before != NULL ? after : NULL);
  if (before != NULL && after != NULL)
    {
      g_autofree guint16 *levels = goban_timeline_levels_new (before);

      self->levels = g_new (guint16, (gsize) self->first_node + before->n_nodes + 1);
      memcpy (self->levels + self->first_node, levels, before->n_nodes * sizeof *levels);
    }
  for (guint l = 0; l < self->scene->n_lanes; l += 2)
    self->scene->lanes[l].levels = self->levels;
}

/* The first run's slices there, instead of the second's. */
static void
copy_lane (GobanLane *to, const GobanLane *from)
{
  to->n_slices = from->n_slices;
  to->n_rows = from->n_rows;
  to->slices = g_memdup2 (from->slices, MAX (from->n_slices, 1) * sizeof *from->slices);
  to->row_first = g_memdup2 (from->row_first, ((gsize) from->n_rows + 1) * sizeof *from->row_first);
  to->n_points = from->n_points;
  to->points = g_memdup2 (from->points, from->n_points * sizeof *from->points);
}

/* Memory of both is drawn to one measure: as high as the higher one. */
static void
fill_ghost (GobanCompareLanes *self)
{
  for (guint l = 0; l < self->scene->n_lanes; l++)
    {
      const GobanLane *before = &self->scene->lanes[l - l % 2];
      const GobanLane *other = &self->scene->lanes[l ^ 1];
      GobanLane *lane = &self->ghost->lanes[l];

      lane->kind = before->kind;
      lane->device = before->device;
      lane->peer = before->peer;
      lane->peak_bytes = other->peak_bytes;
      lane->capacity_bytes = before->capacity_bytes;
      if (l % 2 == 1)
        copy_lane (lane, before);
      else
        goban_lane_set_slices (lane, NULL, 0);
    }
}

static void
take_names (GobanTimelineScene *to, GobanTimelineScene *from)
{
  to->names = g_steal_pointer (&from->names);
  to->words = g_steal_pointer (&from->words);
}

static GobanGraph *
graph_of (const GobanTrace *trace)
{
  return goban_cost_model_get_graph (goban_trace_get_costs (trace));
}

/* Before the lanes of @first are taken. */
static void
renumber (GobanCompareLanes *self, GobanTimelineScene *first, const GobanTimelineScene *second)
{
  self->names = g_new (const char *, (gsize) self->first_node + self->n_first_nodes + 1);
  memcpy (self->names, second->names, self->first_node * sizeof *self->names);
  memcpy (self->names + self->first_node, first->names, self->n_first_nodes * sizeof *self->names);
  self->first_words = g_steal_pointer (&first->words);
  for (guint l = 0; l < first->n_lanes; l++)
    for (guint i = 0; i < first->lanes[l].n_slices; i++)
      first->lanes[l].slices[i].node += self->first_node;
}

typedef struct
{
  GobanTrace *trace;
  const GArray *lanes;
} Half;

static gpointer
half_thread (gpointer data)
{
  const Half *half = data;

  return goban_timeline_scene_new_for_lanes (half->trace, NULL, half->lanes, NULL);
}

/* Two threads, one for either: that is most of the work. */
GobanCompareLanes *
goban_compare_lanes_new (GobanTrace *before, GobanTrace *after, double min_gap_us)
{
  g_autoptr (GArray) lanes = goban_timeline_list_lanes (before, after);
  Half half = { before, lanes };
  GThread *thread = g_thread_new ("lanes", half_thread, &half);
  g_autoptr (GobanTimelineScene) second
      = goban_timeline_scene_new_for_lanes (after, NULL, lanes, NULL);
  g_autoptr (GobanTimelineScene) first = g_thread_join (thread);
  GobanCompareLanes *self = g_new0 (GobanCompareLanes, 1);
  guint n = first->n_lanes;

  self->n_first_nodes = goban_graph_get_n_nodes (graph_of (before));
  if (graph_of (before) != graph_of (after))
    {
      self->first_node = goban_graph_get_n_nodes (graph_of (after));
      renumber (self, first, second);
    }
  self->scene = goban_timeline_scene_new_empty (2 * n);
  self->ghost = goban_timeline_scene_new_empty (2 * n);
  self->gaps = g_array_new (FALSE, FALSE, sizeof (GobanVanishedGap));
  self->scene->end_us = second->end_us;
  self->ghost->end_us = first->end_us;
  for (guint l = 0; l < n; l++)
    {
      take_lane (&self->scene->lanes[2 * l], &first->lanes[l], "A");
      take_lane (&self->scene->lanes[2 * l + 1], &second->lanes[l], "B");
    }
  fill_ghost (self);
  for (guint l = 0; l < 2 * n; l++)
    self->scene->order[l] = l;
  goban_timeline_scene_find_places (self->scene);
  goban_compare_lanes_arrange (self, FALSE, INFINITY);
  take_names (self->scene, second);
  if (self->names != NULL)
    self->scene->names = self->names;
  for (guint l = 0; l < 2 * n && self->names == NULL; l += 2)
    if (self->scene->lanes[l].kind == GOBAN_LANE_DEVICE)
      find_vanished (self, l, second->end_us, min_gap_us);
  return self;
}

void
goban_compare_lanes_free (GobanCompareLanes *self)
{
  if (self == NULL)
    return;
  goban_timeline_scene_free (self->scene);
  goban_timeline_scene_free (self->ghost);
  g_array_unref (self->gaps);
  g_clear_pointer (&self->first_words, goban_slice_words_unref);
  g_free (self->names);
  g_free (self->levels);
  g_free (self);
}

/* --- the picture ---------------------------------------------------------------------------- */

/* One header for the lanes of both runs, "gpu:0" and "79 → 54 %": the name of the first lane ends
 * with its letter. */
static void
paint_pair_header (const TimelinePainter *p, const GobanLane *a)
{
  const GobanLane *b = a + 1;
  gsize n_letter = g_str_has_suffix (a->name, "  A") ? strlen ("  A") : 0;
  g_autofree char *name = g_strndup (a->name, strlen (a->name) - n_letter);
  g_autofree char *first = g_strdup (a->detail);
  g_autofree char *detail = NULL;
  GobanLane both = *a;

  if (first != NULL && b->detail != NULL)
    {
      if (g_str_has_suffix (first, " %"))
        first[strlen (first) - strlen (" %")] = '\0';
      detail = g_strdup_printf ("%s → %s", first, b->detail);
    }
  both.name = name;
  both.detail = detail;
  both.height = b->y + b->height - a->y;
  goban_timeline_paint_header (p, &both);
}

static void
paint_pair_headers (const TimelinePainter *p)
{
  const GobanTimelineScene *scene = p->scene;

  if (scene->n_lanes == 0 || scene->lanes[0].height >= LEAST_HEADER_H)
    return;
  goban_pen_backdrop (p->pen, (GobanBox){ 0, p->top, p->left - p->ui, p->height },
                      p->colours->canvas);
  for (guint l = 0; l < scene->n_lanes; l += 2)
    if (scene->lanes[l].kind == GOBAN_LANE_DEVICE
        && (goban_timeline_is_in_part (p, &scene->lanes[l], GOBAN_PART_SCROLLED)
            || goban_timeline_is_in_part (p, &scene->lanes[l + 1], GOBAN_PART_SCROLLED)))
      paint_pair_header (p, &scene->lanes[l]);
  goban_timeline_paint_axis (p, TRUE);
}

void
goban_compare_lanes_paint (const GobanCompareLanes *self, const GobanTimelinePicture *picture,
                           GobanPen *pen)
{
  GobanTimelinePicture both = *picture;
  TimelinePainter p;

  both.scene = self->scene;
  both.ghost = self->ghost;
  goban_timeline_paint (&both, pen);
  p = goban_timeline_painter_start (&both, pen);
  for (guint i = 0; i < self->gaps->len; i++)
    {
      const GobanVanishedGap *gap = &g_array_index (self->gaps, GobanVanishedGap, i);
      GobanBox box = goban_timeline_lane_box (&p, &self->scene->lanes[gap->lane]);

      box.x0 = MAX (goban_timeline_x (&p, gap->from_us), p.left);
      box.x1 = MIN (goban_timeline_x (&p, gap->to_us), p.width);
      box.y0 = MAX (box.y0, p.top);
      if (box.x1 - box.x0 < 2 * p.ui || box.y1 <= box.y0)
        continue;
      goban_pen_hatch (pen, box, GOBAN_CUE_DIAGONAL, p.colours->rule, p.ui);
      goban_pen_frame (pen, box, MAX (floor (MIN (1.5, (box.y1 - box.y0) / 6) * p.ui), 1),
                       p.colours->ink);
    }
  paint_pair_headers (&p);
}

char *
goban_compare_lanes_describe (const GobanCompareLanes *self, const char *before, const char *after)
{
  char first[GOBAN_QUANTITY_LEN], second[GOBAN_QUANTITY_LEN], sum[GOBAN_QUANTITY_LEN];
  double gone_us = 0;

  for (guint i = 0; i < self->gaps->len; i++)
    gone_us += g_array_index (self->gaps, GobanVanishedGap, i).to_us
               - g_array_index (self->gaps, GobanVanishedGap, i).from_us;
  return g_strdup_printf ("Timeline of %s, %s, above %s, %s; %u gaps of the first, %s in all, are "
                          "gone in the second",
                          before, goban_format_time (first, self->ghost->end_us), after,
                          goban_format_time (second, self->scene->end_us), self->gaps->len,
                          goban_format_time (sum, gone_us));
}
