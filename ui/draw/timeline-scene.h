/* timeline-scene.h: scene of a run's timeline: lanes of slices, as plain arrays.
 *
 * For every device a lane of ops, a staircase of its memory, and a lane for each other device it
 * sends to. Made from a trace or filled by hand; owns its arrays; not changed while it is painted
 * or hit-tested. Any thread.
 */
#pragma once

#include "engine/session/node-values.h"
#include "engine/sim/trace.h"

G_BEGIN_DECLS

#define GOBAN_NO_TRANSFER G_MAXUINT32
#define GOBAN_NO_LANE G_MAXUINT32

/* Steps of the ramp of values, and the one after them, of what is unknown. */
#define GOBAN_RAMP_LEVELS 256

typedef enum
{
  GOBAN_LANE_DEVICE,
  GOBAN_LANE_MEMORY,
  GOBAN_LANE_LINK,
} GobanLaneKind;

typedef struct
{
  double start_us;
  double finish_us;
  GobanNodeId node; /* the op, or the producer of what is sent */
  guint32 transfer; /* index in the trace, or GOBAN_NO_TRANSFER */
  guint16 device;   /* whose colour it has: where the op runs, or the receiver */
  guint8 family;    /* GobanFamily of the node */
  guint8 is_critical;
} GobanSlice;

typedef struct
{
  GobanLaneKind kind;
  GobanDeviceId device;
  GobanDeviceId peer; /* the receiver of a link's lane */
  char *id;           /* (nullable) "gpu:0", "gpu:0/memory", "gpu:0>gpu:1": what views remember */
  char *name;         /* "gpu:0", "memory", "to gpu:1" */
  char *detail;       /* "79 %", "11.2 / 16 GB", "48 MB" */
  GobanSlice *slices; /* (n_slices) row by row, by start within a row, never overlapping there */
  guint n_slices;
  guint n_rows;
  guint32 *row_first; /* (n_rows + 1) into slices */
  GobanMemoryPoint *points;
  guint n_points;
  double peak_bytes;
  double capacity_bytes; /* INFINITY: unlimited */
  const guint16
      *levels;   /* (nullable): in place of the scene's, as long as somebody else keeps them */
  double y;      /* from the first lane's top, design pixels */
  double height; /* 0 if the lane is hidden */
  gboolean is_hidden;
  gboolean is_pinned; /* stays at the top while others scroll below it */
} GobanLane;

/* Where an op or a transfer is; lane GOBAN_NO_LANE: nowhere. */
typedef struct
{
  guint32 lane;
  guint32 slice; /* into the lane's slices */
} GobanSlicePlace;

/* What the graph alone says of ops: of any number of scenes. Atomically counted, changed by nobody. */
typedef struct
{
  GobanGraph *graph;
  const char **names; /* (n_nodes): labels of slices; the strings are the graph's */
  guint8 *families;   /* (n_nodes): GobanFamily */
} GobanSliceWords;

GobanSliceWords *goban_slice_words_new (GobanGraph *graph) G_GNUC_WARN_UNUSED_RESULT;
GobanSliceWords *goban_slice_words_ref (GobanSliceWords *self);
void goban_slice_words_unref (GobanSliceWords *self);

typedef struct
{
  guint n_lanes;
  GobanLane *lanes;
  guint *order; /* (n_lanes) lanes from the top downwards */
  double end_us;
  double height;              /* of all lanes */
  double pinned_height;       /* of those that do not scroll, which come first */
  GobanSlicePlace *op_places; /* (n_op_places), found by goban_timeline_scene_arrange() */
  guint n_op_places;
  GobanSlicePlace *transfer_places; /* (n_transfer_places) */
  guint n_transfer_places;
  char *title;
  char *subtitle;
  const char *const
      *names;             /* (nullable) (n_nodes): labels of slices, the words' or filled by hand */
  GobanSliceWords *words; /* (nullable) */
  const double *bytes;    /* (nullable) (n_transfers): sizes of what is sent */
  guint16
      *levels; /* (nullable) (n_nodes) 0..GOBAN_RAMP_LEVELS: fills ops instead of their devices */
  guint n_levels; /* nodes that have one */
} GobanTimelineScene;

/* Lanes zeroed, to be filled with goban_lane_set_slices(), then arranged. */
GobanTimelineScene *goban_timeline_scene_new_empty (guint n_lanes) G_GNUC_WARN_UNUSED_RESULT;
/* Of a trace with ops; one that could not start gives lanes without slices. */
GobanTimelineScene *goban_timeline_scene_new (GobanTrace *trace) G_GNUC_WARN_UNUSED_RESULT;
/* The same with lanes for what @other sends as well, so that the two can be seen in one picture.
 * Both are of clusters with the same devices. */
GobanTimelineScene *goban_timeline_scene_new_with (GobanTrace *trace,
                                                   GobanTrace *other) G_GNUC_WARN_UNUSED_RESULT;
/* The same for who knows the words of its graph, or the lanes (element-type GobanLane) that it is to have. All but @trace are
 * (nullable). */
GobanTimelineScene *
goban_timeline_scene_new_knowing (GobanTrace *trace, GobanTrace *other, const GArray *lanes,
                                  GobanSliceWords *words) G_GNUC_WARN_UNUSED_RESULT;
/* The same with the lanes of @like, and with them where @like has them. */
GobanTimelineScene *
goban_timeline_scene_new_like (GobanTrace *trace,
                               const GobanTimelineScene *like) G_GNUC_WARN_UNUSED_RESULT;
/* The same in parts, for who makes it elsewhere than where @like is: which lanes there are (element-type GobanLane), without what
 * is in them; a scene with these; and what puts its lanes where another with the same ones has them. */
GArray *goban_timeline_scene_dup_lanes (const GobanTimelineScene *self) G_GNUC_WARN_UNUSED_RESULT;
/* The lanes that goban_timeline_scene_new_with() has. */
GArray *goban_timeline_list_lanes (const GobanTrace *trace,
                                   const GobanTrace *other) G_GNUC_WARN_UNUSED_RESULT;
GobanTimelineScene *goban_timeline_scene_new_in (GobanTrace *trace,
                                                 const GArray *lanes) G_GNUC_WARN_UNUSED_RESULT;
void goban_timeline_scene_follow (GobanTimelineScene *self, const GobanTimelineScene *like);
/* Gives a scene the lanes of another of the same devices, and has them if that has them: what it has no slices for is empty,
 * and what has none in it may go. */
void goban_timeline_scene_relane (GobanTimelineScene *self, const GobanTimelineScene *like);
void goban_timeline_scene_free (GobanTimelineScene *self);

/* A step of the ramp for every node, GOBAN_RAMP_LEVELS if its value is unknown. (transfer full) */
guint16 *goban_timeline_levels_new (const GobanNodeValues *values) G_GNUC_WARN_UNUSED_RESULT;
/* Fills ops by their values; by device if @values is NULL. Not while it is painted. */
void goban_timeline_scene_set_values (GobanTimelineScene *self, const GobanNodeValues *values);

/* Copies the slices, in any order, into as few rows as overlaps allow. */
void goban_lane_set_slices (GobanLane *self, const GobanSlice *slices, guint n_slices);

/* Which lanes are shown and where: lists of ids, all (nullable); ids of no lane say nothing. */
typedef struct
{
  const char *const *pinned; /* at the top, in this order */
  const char *const *hidden;
  const char *const *order; /* these first, in this order; a device without its others */
} GobanLaneWishes;

/* Gives lanes their places and heights, from kinds and rows, and finds what is where. @wishes: (nullable). */
void goban_timeline_scene_arrange (GobanTimelineScene *self, const GobanLaneWishes *wishes);

/* Nowhere for what did not run. */
GobanSlicePlace goban_timeline_scene_find_op (const GobanTimelineScene *self, GobanNodeId node);
GobanSlicePlace goban_timeline_scene_find_transfer (const GobanTimelineScene *self,
                                                    guint32 transfer);
/* GOBAN_NO_LANE if there is none. */
guint goban_timeline_scene_find_lane (const GobanTimelineScene *self, const char *id);
/* The row that a slice is in. */
guint goban_lane_row_of (const GobanLane *self, guint slice);

/* Of a lane of memory: its last point at or before a time, n_points if there is none; and what is in use then. */
guint goban_lane_find_point (const GobanLane *self, double time_us);
double goban_lane_get_bytes (const GobanLane *self, double time_us);

/* The first slice of lane.slices[first..end) that finishes after @time_us: O(log n). */
guint goban_lane_find (const GobanLane *self, guint row, double time_us);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanTimelineScene, goban_timeline_scene_free)

G_END_DECLS
