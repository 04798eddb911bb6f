#include "ui/draw/timeline/timeline-scene.h"

#include "engine/core/key-sort.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

GobanTimelineScene *
goban_timeline_scene_new_empty (guint n_lanes)
{
  GobanTimelineScene *self = g_new0 (GobanTimelineScene, 1);

  self->n_lanes = n_lanes;
  self->lanes = g_new0 (GobanLane, MAX (n_lanes, 1));
  self->order = g_new0 (guint, MAX (n_lanes, 1));
  self->title = g_strdup ("");
  self->subtitle = g_strdup ("");
  return self;
}

static void
clear_lane (GobanLane *lane)
{
  g_free (lane->id);
  g_free (lane->name);
  g_free (lane->detail);
  g_free (lane->slices);
  g_free (lane->row_first);
  g_free (lane->points);
}

void
goban_timeline_scene_free (GobanTimelineScene *self)
{
  if (self == NULL)
    return;
  for (guint i = 0; i < self->n_lanes; i++)
    clear_lane (&self->lanes[i]);
  g_free (self->lanes);
  g_free (self->order);
  g_free (self->op_places);
  g_free (self->transfer_places);
  g_free (self->title);
  g_free (self->subtitle);
  g_free (self->partial.note);
  g_clear_pointer (&self->partial.decided, goban_selection_unref);
  g_clear_pointer (&self->words, goban_slice_words_unref);
  g_free (self->bytes);
  g_free (self->levels);
  g_free (self);
}

guint16 *
goban_timeline_levels_new (const GobanNodeValues *values)
{
  guint16 *levels = g_new (guint16, MAX (values->n_nodes, 1));

  for (guint v = 0; v < values->n_nodes; v++)
    levels[v] = isnan (values->places[v]) ? GOBAN_RAMP_LEVELS
                                          : (guint16) (values->places[v] * (GOBAN_RAMP_LEVELS - 1));
  return levels;
}

void
goban_timeline_scene_set_values (GobanTimelineScene *self, const GobanNodeValues *values)
{
  g_clear_pointer (&self->levels, g_free);
  self->n_levels = 0;
  if (values == NULL)
    return;

  self->n_levels = values->n_nodes;
  self->levels = goban_timeline_levels_new (values);
}

/* --- positions ---------------------------------------------------------------------------- */

static GobanSlicePlace *
new_places (guint n)
{
  GobanSlicePlace *places = g_new (GobanSlicePlace, MAX (n, 1));

  for (guint i = 0; i < n; i++)
    places[i] = (GobanSlicePlace){ GOBAN_NO_LANE, 0 };
  return places;
}

void
goban_timeline_scene_find_places (GobanTimelineScene *self)
{
  guint n_ops = 0;
  guint n_transfers = 0;

  if (self->op_places != NULL)
    return;
  for (guint l = 0; l < self->n_lanes; l++)
    for (guint s = 0; s < self->lanes[l].n_slices; s++)
      if (self->lanes[l].slices[s].transfer != GOBAN_NO_TRANSFER)
        n_transfers = MAX (n_transfers, self->lanes[l].slices[s].transfer + 1);
      else
        n_ops = MAX (n_ops, self->lanes[l].slices[s].node + 1);

  self->op_places = new_places (n_ops);
  self->transfer_places = new_places (n_transfers);
  self->n_op_places = n_ops;
  self->n_transfer_places = n_transfers;
  for (guint l = 0; l < self->n_lanes; l++)
    for (guint s = 0; s < self->lanes[l].n_slices; s++)
      {
        const GobanSlice *slice = &self->lanes[l].slices[s];

        if (slice->transfer != GOBAN_NO_TRANSFER)
          self->transfer_places[slice->transfer] = (GobanSlicePlace){ l, s };
        else
          self->op_places[slice->node] = (GobanSlicePlace){ l, s };
      }
}

GobanSlicePlace
goban_timeline_scene_find_op (const GobanTimelineScene *self, GobanNodeId node)
{
  return node < self->n_op_places ? self->op_places[node] : (GobanSlicePlace){ GOBAN_NO_LANE, 0 };
}

GobanSlicePlace
goban_timeline_scene_find_transfer (const GobanTimelineScene *self, guint32 transfer)
{
  return transfer < self->n_transfer_places ? self->transfer_places[transfer]
                                            : (GobanSlicePlace){ GOBAN_NO_LANE, 0 };
}

guint
goban_timeline_scene_find_lane (const GobanTimelineScene *self, const char *id)
{
  for (guint l = 0; l < self->n_lanes; l++)
    if (self->lanes[l].id != NULL && g_str_equal (self->lanes[l].id, id))
      return l;
  return GOBAN_NO_LANE;
}

guint
goban_timeline_scene_find_device (const GobanTimelineScene *self, guint device)
{
  for (guint l = 0; l < self->n_lanes; l++)
    if (self->lanes[l].kind == GOBAN_LANE_DEVICE && self->lanes[l].device == device)
      return l;
  return GOBAN_NO_LANE;
}

GobanScrolled
goban_timeline_scene_get_scrolled (const GobanTimelineScene *self, double scroll_y)
{
  double above = floor (self->bar_gap / 2);
  GobanScrolled scrolled = { 0, (double) INFINITY };

  for (guint l = 0; l < self->n_lanes; l++)
    {
      const GobanLane *lane = &self->lanes[l];

      if (!lane->place.is_stuck)
        continue;
      if (lane->y - scroll_y <= lane->place.least_y)
        scrolled.from_y
            = MAX (scrolled.from_y, lane->place.least_y - above + lane->height + self->bar_gap);
      else if (lane->y - scroll_y >= lane->place.most_y)
        scrolled.to_y = MIN (scrolled.to_y, lane->place.most_y - above);
    }
  return scrolled;
}

GobanPart
goban_scrolled_get_part (const GobanScrolled *self, const GobanLane *lane, double y)
{
  if (!lane->place.is_stuck)
    return GOBAN_PART_SCROLLED;
  return y < self->from_y ? GOBAN_PART_TOP
         : y < self->to_y ? GOBAN_PART_SCROLLED
                          : GOBAN_PART_BOTTOM;
}

/* --- lanes of another --------------------------------------------------------------------- */

static guint
find_like (const GobanTimelineScene *self, const GobanLane *key)
{
  for (guint l = 0; l < self->n_lanes; l++)
    if (self->lanes[l].kind == key->kind && self->lanes[l].device == key->device
        && self->lanes[l].peer == key->peer)
      return l;
  return GOBAN_NO_LANE;
}

static void
make_empty (GobanLane *lane, const GobanLane *like)
{
  lane->kind = like->kind;
  lane->device = like->device;
  lane->peer = like->peer;
  lane->id = g_strdup (like->id);
  lane->name = g_strdup (like->name);
  lane->detail = g_strdup ("");
  goban_lane_set_slices (lane, NULL, 0);
}

static void
move_places (GobanSlicePlace *places, guint n, const guint *moved_to)
{
  for (guint i = 0; i < n; i++)
    if (places[i].lane != GOBAN_NO_LANE)
      places[i].lane = moved_to[places[i].lane];
}

void
goban_timeline_scene_follow (GobanTimelineScene *self, const GobanTimelineScene *like)
{
  g_return_if_fail (self->n_lanes == like->n_lanes);

  for (guint l = 0; l < like->n_lanes; l++)
    {
      GobanLane *lane = &self->lanes[l];
      const GobanLane *from = &like->lanes[l];

      lane->y = from->y;
      lane->height = from->height;
      lane->place = from->place;
    }
  memcpy (self->order, like->order, like->n_lanes * sizeof *self->order);
  self->height = like->height;
  self->rows_height = like->rows_height;
  self->bar_gap = like->bar_gap;
}

void
goban_timeline_scene_relane (GobanTimelineScene *self, const GobanTimelineScene *like)
{
  GobanLane *lanes = g_new0 (GobanLane, MAX (like->n_lanes, 1));
  g_autofree guint *moved_to = g_new (guint, MAX (self->n_lanes, 1));

  for (guint l = 0; l < self->n_lanes; l++)
    moved_to[l] = GOBAN_NO_LANE;
  for (guint l = 0; l < like->n_lanes; l++)
    {
      guint from = find_like (self, &like->lanes[l]);

      if (from == GOBAN_NO_LANE)
        {
          make_empty (&lanes[l], &like->lanes[l]);
          continue;
        }
      lanes[l] = self->lanes[from];
      moved_to[from] = l;
    }
  for (guint l = 0; l < self->n_lanes; l++)
    if (moved_to[l] == GOBAN_NO_LANE)
      clear_lane (&self->lanes[l]);
  g_free (self->lanes);
  self->lanes = lanes;
  self->n_lanes = like->n_lanes;
  g_free (self->order);
  self->order = g_new0 (guint, MAX (like->n_lanes, 1));
  if (self->op_places != NULL)
    {
      move_places (self->op_places, self->n_op_places, moved_to);
      move_places (self->transfer_places, self->n_transfer_places, moved_to);
    }
  goban_timeline_scene_follow (self, like);
}
