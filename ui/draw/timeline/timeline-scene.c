#include "ui/draw/timeline/timeline-scene.h"

#include "engine/core/key-sort.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define DEVICE_H 30.0
#define MEMORY_H 26.0
#define LINK_ROW_H 13.0
#define LINK_MAX_H 78.0 /* rows become thinner beyond */
#define LANE_GAP 3.0
#define DEVICE_GAP 12.0

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
  g_free (self->note);
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

static void
find_places (GobanTimelineScene *self)
{
  guint n_ops = 0;
  guint n_transfers = 0;

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

/* --- places of lanes ---------------------------------------------------------------------- */

static double
height_of (const GobanLane *lane)
{
  if (lane->is_hidden)
    return 0;
  if (lane->kind == GOBAN_LANE_DEVICE)
    return DEVICE_H;
  if (lane->kind == GOBAN_LANE_MEMORY)
    return MEMORY_H;
  return MIN (MAX (lane->n_rows, 1) * LINK_ROW_H, LINK_MAX_H);
}

static void
take_lane (GobanTimelineScene *self, guint lane, guint8 *is_taken, guint *n)
{
  if (lane == GOBAN_NO_LANE || is_taken[lane])
    return;
  is_taken[lane] = TRUE;
  self->order[(*n)++] = lane;
}

static void
take_ids (GobanTimelineScene *self, const char *const *ids, guint8 *is_taken, guint *n)
{
  for (guint i = 0; ids != NULL && ids[i] != NULL; i++)
    take_lane (self, goban_timeline_scene_find_lane (self, ids[i]), is_taken, n);
}

static void
put_in_order (GobanTimelineScene *self, const GobanLaneWishes *wishes)
{
  g_autofree guint8 *is_taken = g_malloc0 (MAX (self->n_lanes, 1));
  guint n = 0;

  take_ids (self, wishes->pinned, is_taken, &n);
  for (guint l = 0; l < self->n_lanes; l++)
    {
      const char *id = self->lanes[l].id;

      self->lanes[l].is_pinned = is_taken[l];
      self->lanes[l].is_hidden
          = id != NULL && wishes->hidden != NULL && g_strv_contains (wishes->hidden, id);
    }
  take_ids (self, wishes->order, is_taken, &n);
  for (guint l = 0; l < self->n_lanes; l++)
    take_lane (self, l, is_taken, &n);
}

void
goban_timeline_scene_arrange (GobanTimelineScene *self, const GobanLaneWishes *wishes)
{
  const GobanLaneWishes none = { NULL };
  double y = DEVICE_GAP / 2;
  gboolean is_first = TRUE;

  put_in_order (self, wishes != NULL ? wishes : &none);
  self->pinned_height = 0;
  for (guint i = 0; i < self->n_lanes; i++)
    {
      GobanLane *lane = &self->lanes[self->order[i]];

      lane->height = height_of (lane);
      if (!is_first && lane->height > 0)
        y += lane->kind == GOBAN_LANE_DEVICE ? DEVICE_GAP : LANE_GAP;
      lane->y = y;
      y += lane->height;
      is_first = is_first && lane->height <= 0;
      if (lane->is_pinned && lane->height > 0)
        self->pinned_height = y + DEVICE_GAP / 2;
    }
  self->height = y + DEVICE_GAP / 2;
  if (self->op_places == NULL)
    find_places (self);
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
      self->lanes[l].y = like->lanes[l].y;
      self->lanes[l].height = like->lanes[l].height;
      self->lanes[l].is_hidden = like->lanes[l].is_hidden;
      self->lanes[l].is_pinned = like->lanes[l].is_pinned;
    }
  memcpy (self->order, like->order, like->n_lanes * sizeof *self->order);
  self->height = like->height;
  self->pinned_height = like->pinned_height;
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
