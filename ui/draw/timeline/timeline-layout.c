/* timeline-layout.c: layout of a timeline's lanes: a bar for every device, its sub-rows below it.
 *
 * All bars are as high as each other. They shrink until they fit the room; sub-rows that have no
 * room left scroll under the bars, which stick to the top and the bottom. Only bars that do not fit
 * at their least height scroll, too. Lengths are design pixels.
 *
 * Decision U66 (ui/NOTES.md).
 */
#include "ui/draw/timeline/timeline-scene.h"

#include <math.h>

/* Design pixels. */
#define MEMORY_H 22.0
#define LINK_ROW_H 13.0
#define LINK_MAX_H 78.0 /* rows become thinner beyond */
#define ROW_GAP 3.0
#define MOST_BAR_GAP 5.0
/* Bars become lower for the sake of open sub-rows as long as they are higher than that, or as the
 * rows have less room than that. */
#define PITCH_WITH_ROWS 20.0
#define ROOM_OF_ROWS 48.0
/* Wanted: as many bars as there are at the first pitch, at most the height of all. */
#define ROOMY_PITCH 27.5
#define ROOMY_HEIGHT 158.0
#define NARROW_PITCH 25.0
#define NARROW_HEIGHT 150.0

double
goban_bars_get_least_height (guint n_devices)
{
  return CLAMP (n_devices, 1, GOBAN_BARS_IN_SIGHT) * GOBAN_BAR_LEAST_PITCH;
}

double
goban_bars_get_wanted_height (guint n_devices, gboolean is_roomy)
{
  return is_roomy ? MIN (MAX (n_devices, 1) * ROOMY_PITCH, ROOMY_HEIGHT)
                  : MIN (MAX (n_devices, 1) * NARROW_PITCH, NARROW_HEIGHT);
}

/* --- order ---------------------------------------------------------------------------------- */

typedef struct
{
  GobanTimelineScene *scene;
  GArray *listed; /* of guint: lanes in GobanLanes.order */
  guint8 *is_taken;
  guint n;
} Order;

static void
take_lane (Order *self, guint lane)
{
  if (self->is_taken[lane])
    return;
  self->is_taken[lane] = TRUE;
  self->scene->order[self->n++] = lane;
}

static gboolean
is_row_of (const Order *self, guint row, guint device)
{
  const GobanLane *lanes = self->scene->lanes;

  return lanes[row].kind != GOBAN_LANE_DEVICE && lanes[row].device == lanes[device].device;
}

/* A device's lane and its sub-rows, unless @lane is a sub-row. */
static void
take_device (Order *self, guint lane)
{
  if (self->scene->lanes[lane].kind != GOBAN_LANE_DEVICE || self->is_taken[lane])
    return;
  take_lane (self, lane);
  for (guint i = 0; i < self->listed->len; i++)
    if (is_row_of (self, g_array_index (self->listed, guint, i), lane))
      take_lane (self, g_array_index (self->listed, guint, i));
  for (guint l = 0; l < self->scene->n_lanes; l++)
    if (is_row_of (self, l, lane))
      take_lane (self, l);
}

static GArray *
find_lanes (const GobanTimelineScene *scene, const char *const *ids)
{
  GArray *found = g_array_new (FALSE, FALSE, sizeof (guint));

  for (guint i = 0; ids != NULL && ids[i] != NULL; i++)
    {
      guint lane = goban_timeline_scene_find_lane (scene, ids[i]);

      if (lane != GOBAN_NO_LANE)
        g_array_append_val (found, lane);
    }
  return found;
}

static void
put_in_order (GobanTimelineScene *scene, const GobanLanes *lanes)
{
  g_autoptr (GArray) pinned = find_lanes (scene, lanes != NULL ? lanes->pinned : NULL);
  g_autoptr (GArray) listed = find_lanes (scene, lanes != NULL ? lanes->order : NULL);
  g_autofree guint8 *is_taken = g_malloc0 (MAX (scene->n_lanes, 1));
  Order order = { scene, listed, is_taken, 0 };

  for (guint l = 0; l < scene->n_lanes; l++)
    scene->lanes[l].place.is_pinned = FALSE;
  for (guint i = 0; i < pinned->len; i++)
    {
      scene->lanes[g_array_index (pinned, guint, i)].place.is_pinned = TRUE;
      take_device (&order, g_array_index (pinned, guint, i));
    }
  for (guint i = 0; i < listed->len; i++)
    take_device (&order, g_array_index (listed, guint, i));
  for (guint l = 0; l < scene->n_lanes; l++)
    take_device (&order, l);
  for (guint l = 0; l < scene->n_lanes; l++)
    take_lane (&order, l);
}

/* --- heights -------------------------------------------------------------------------------- */

static gboolean
is_open (const GobanLane *lane, const GobanLane *device, const GobanLanes *lanes)
{
  const char *word = lane->kind == GOBAN_LANE_MEMORY ? GOBAN_LANES_MEMORY : GOBAN_LANES_LINKS;
  g_autofree char *own = NULL;

  if (lanes == NULL)
    return TRUE;
  if (lanes->is_strips)
    return FALSE;
  if (goban_lanes_have (lanes->open, word) || device == NULL || device->id == NULL)
    return goban_lanes_have (lanes->open, word);
  own = g_strconcat (device->id, "/", word, NULL);
  return goban_lanes_have (lanes->open, device->id) || goban_lanes_have (lanes->open, own);
}

static double
row_height (const GobanLane *lane)
{
  return lane->kind == GOBAN_LANE_MEMORY ? MEMORY_H
                                         : MIN (MAX (lane->n_rows, 1) * LINK_ROW_H, LINK_MAX_H);
}

/* Sets the heights of sub-rows and whether devices are open; returns the height of all rows. Of a
 * plan under construction they would be empty. */
static double
open_rows (GobanTimelineScene *self, const GobanLanes *lanes)
{
  gboolean has_rows = self->partial.note == NULL;
  GobanLane *device = NULL;
  double height = 0;

  for (guint i = 0; i < self->n_lanes; i++)
    {
      GobanLane *lane = &self->lanes[self->order[i]];
      gboolean opened;

      if (lane->kind == GOBAN_LANE_DEVICE)
        {
          device = lane;
          device->place.fold = GOBAN_FOLD_NONE;
          continue;
        }
      opened = has_rows && is_open (lane, device, lanes);
      lane->height = opened || (has_rows && lane->place.is_pinned) ? row_height (lane) : 0;
      height += lane->height > 0 ? lane->height + ROW_GAP : 0;
      if (has_rows && device != NULL && device->place.fold != GOBAN_FOLD_OPEN)
        device->place.fold = opened ? GOBAN_FOLD_OPEN : GOBAN_FOLD_CLOSED;
    }
  return height;
}

static double
pick_pitch (guint n_bars, double rows_height, double room, gboolean is_strips)
{
  guint n = MAX (n_bars, 1);
  double fitting = room / n;
  double least = (room - MIN (rows_height, ROOM_OF_ROWS)) / n;

  if (is_strips)
    return GOBAN_BAR_STRIP_PITCH;
  if (!isfinite (room))
    return GOBAN_BAR_PITCH;
  if (fitting < GOBAN_BAR_LEAST_PITCH)
    return floor (CLAMP (room / GOBAN_BARS_IN_SIGHT, GOBAN_BAR_LEAST_PITCH, GOBAN_BAR_MOST_PITCH));
  least = CLAMP (least, GOBAN_BAR_LEAST_PITCH, PITCH_WITH_ROWS);
  return floor (CLAMP ((room - rows_height) / n, MIN (least, fitting), GOBAN_BAR_MOST_PITCH));
}

/* --- positions ------------------------------------------------------------------------------ */

static void
place (GobanTimelineScene *self, double pitch)
{
  double y = 0;

  self->bar_gap = CLAMP (floor (pitch / 4), 1, MOST_BAR_GAP);
  for (guint i = 0; i < self->n_lanes; i++)
    {
      GobanLane *lane = &self->lanes[self->order[i]];
      gboolean is_bar = lane->kind == GOBAN_LANE_DEVICE;

      lane->place.is_stuck = FALSE;
      lane->y = y + (is_bar ? floor (self->bar_gap / 2) : 0);
      if (is_bar)
        lane->height = pitch - self->bar_gap;
      y += is_bar ? pitch : lane->height > 0 ? lane->height + ROW_GAP : 0;
    }
  self->height = y;
}

/* If all bars fit, they stay visible: at the top those before the visible sub-rows, at the bottom
 * those after them. Else pinned bars stay at the top, unless they leave no room. */
static void
stick_bars (GobanTimelineScene *self, guint n_bars, double pitch, double room)
{
  gboolean is_all = n_bars * pitch <= room + 0.5;
  guint n_stuck = is_all ? n_bars : (guint) MAX (floor (room / pitch) - 1, 0);
  double top = floor (self->bar_gap / 2);
  guint n = 0;

  for (guint i = 0; i < self->n_lanes && n < n_stuck; i++)
    {
      GobanLane *lane = &self->lanes[self->order[i]];

      if (lane->kind != GOBAN_LANE_DEVICE || (!is_all && !lane->place.is_pinned))
        continue;
      lane->place.is_stuck = TRUE;
      lane->place.least_y = n * pitch + top;
      lane->place.most_y = is_all ? room - (n_bars - n) * pitch + top : (double) INFINITY;
      n++;
    }
}

void
goban_timeline_scene_arrange (GobanTimelineScene *self, const GobanLanes *lanes, double room)
{
  guint n_bars = 0;
  double pitch;

  put_in_order (self, lanes);
  for (guint l = 0; l < self->n_lanes; l++)
    n_bars += self->lanes[l].kind == GOBAN_LANE_DEVICE;
  self->rows_height = open_rows (self, lanes);
  pitch = pick_pitch (n_bars, self->rows_height, room, lanes != NULL && lanes->is_strips);
  place (self, pitch);
  if (self->height > room + 0.5)
    stick_bars (self, n_bars, pitch, room);
  goban_timeline_scene_find_places (self);
}
