/* timeline-scene.h: scene of a run's timeline: lanes of slices, as plain arrays.
 *
 * For every device a lane of ops, a staircase of its memory, and a lane for each other device it
 * sends to. Made from a trace or filled by hand; owns its arrays; not changed while it is painted
 * or hit-tested. Any thread.
 */
#pragma once

#include "engine/sim/trace.h"
#include "engine/study/analysis/node-values.h"
#include "engine/study/run/selection.h"
#include "ui/draw/timeline/slice-words.h"
#include "ui/draw/timeline/timeline-lane.h"

G_BEGIN_DECLS

/* Number of steps of the value ramp; the level after them is for unknown values. */
#define GOBAN_RAMP_LEVELS 256

/* Position of an op or a transfer; lane GOBAN_NO_LANE: none. */
typedef struct
{
  guint32 lane;
  guint32 slice; /* into the lane's slices */
} GobanSlicePlace;

/* A plan under construction. */
typedef struct
{
  char *note;        /* (nullable) "175 of 313", the ops that are decided; NULL: a whole run */
  const char *times; /* (nullable): whose times those of the ops are; translated */
  double so_far_us;  /* the end of what is decided */
  GobanSelection *decided; /* (nullable): by the shown decision */
} GobanTimelinePartial;

typedef struct
{
  guint n_lanes;
  GobanLane *lanes;
  guint *order; /* (n_lanes) lanes from the top downwards */
  double end_us;
  double height;              /* of all lanes */
  double rows_height;         /* of the visible sub-rows */
  double bar_gap;             /* between bars, which hide what scrolls under them there, too */
  GobanSlicePlace *op_places; /* (n_op_places), found by goban_timeline_scene_find_places() */
  guint n_op_places;
  GobanSlicePlace *transfer_places; /* (n_transfer_places) */
  guint n_transfer_places;
  char *title;
  char *subtitle;
  GobanTimelinePartial partial;
  /* (nullable) (n_nodes): labels of slices, those of words or the caller's */
  const char *const *names;
  GobanSliceWords *words; /* (nullable) */
  double *bytes;          /* (nullable) (n_transfers): sizes of the tensors */
  /* (nullable) (n_nodes) 0..GOBAN_RAMP_LEVELS: colours ops instead of their devices */
  guint16 *levels;
  guint n_levels; /* size of levels */
} GobanTimelineScene;

/* A scene with zeroed lanes, to be filled with goban_lane_set_slices(), then arranged. */
GobanTimelineScene *goban_timeline_scene_new_empty (guint n_lanes) G_GNUC_WARN_UNUSED_RESULT;
/* A scene of a trace; a run that could not start gives lanes without slices. */
GobanTimelineScene *goban_timeline_scene_new (GobanTrace *trace) G_GNUC_WARN_UNUSED_RESULT;
/* Copies the positions of the lanes from a scene with the same ones. */
void goban_timeline_scene_follow (GobanTimelineScene *self, const GobanTimelineScene *like);
/* Gives a scene the lanes of another with the same devices, at the same positions if that has
 * any. Lanes that this scene lacks are added empty; lanes that @like lacks are dropped, so they
 * must be empty. */
void goban_timeline_scene_relane (GobanTimelineScene *self, const GobanTimelineScene *like);
void goban_timeline_scene_free (GobanTimelineScene *self);

/* A step of the ramp for every node, GOBAN_RAMP_LEVELS if its value is unknown. (transfer full) */
guint16 *goban_timeline_levels_new (const GobanNodeValues *values) G_GNUC_WARN_UNUSED_RESULT;
/* Colours ops by their values; by device if @values is NULL. Not while it is painted. */
void goban_timeline_scene_set_values (GobanTimelineScene *self, const GobanNodeValues *values);

/* The part of the lanes' height, in design pixels, in which lanes scroll: above and below it are
 * stuck bars. */
typedef struct
{
  double from_y;
  double to_y;
} GobanScrolled;

typedef enum
{
  GOBAN_PART_TOP,
  GOBAN_PART_SCROLLED,
  GOBAN_PART_BOTTOM,
  GOBAN_N_PARTS,
} GobanPart;

/* @scroll_y: in design pixels */
GobanScrolled goban_timeline_scene_get_scrolled (const GobanTimelineScene *self, double scroll_y);
/* The part that shows a lane whose top is @y. */
GobanPart goban_scrolled_get_part (const GobanScrolled *self, const GobanLane *lane, double y);

/* Finds the positions of ops and transfers, unless they are known. */
void goban_timeline_scene_find_places (GobanTimelineScene *self);
/* The lane of a device's ops, or GOBAN_NO_LANE. */
guint goban_timeline_scene_find_device (const GobanTimelineScene *self, guint device);
/* No lane if it did not run. */
GobanSlicePlace goban_timeline_scene_find_op (const GobanTimelineScene *self, GobanNodeId node);
GobanSlicePlace goban_timeline_scene_find_transfer (const GobanTimelineScene *self,
                                                    guint32 transfer);
/* GOBAN_NO_LANE if there is none. */
guint goban_timeline_scene_find_lane (const GobanTimelineScene *self, const char *id);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanTimelineScene, goban_timeline_scene_free)

G_END_DECLS
