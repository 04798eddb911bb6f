/* timeline-lane.h: one lane of a timeline: rows of slices, or a staircase of memory. */
#pragma once

#include "engine/sim/trace.h"

G_BEGIN_DECLS

#define GOBAN_NO_TRANSFER G_MAXUINT32
#define GOBAN_NO_LANE G_MAXUINT32

typedef enum
{
  GOBAN_LANE_DEVICE,
  GOBAN_LANE_MEMORY,
  GOBAN_LANE_LINK,
} GobanLaneKind;

/* Whether a device has sub-rows, and whether any is shown. */
typedef enum
{
  GOBAN_FOLD_NONE,
  GOBAN_FOLD_CLOSED,
  GOBAN_FOLD_OPEN,
} GobanFold;

typedef struct
{
  double start_us;
  double finish_us;
  GobanNodeId node; /* the op, or the producer of the sent tensor */
  guint32 transfer; /* index in the trace, or GOBAN_NO_TRANSFER */
  guint16 device;   /* device of the op, or the receiver; gives the colour */
  guint8 family;    /* GobanOpFamily of the node */
  guint8 is_critical;
} GobanSlice;

/* How a lane scrolls, and its heading; timeline-layout.h sets it. */
typedef struct
{
  gboolean is_stuck;      /* scrolls no further than from least_y to most_y, over other lanes */
  double least_y, most_y; /* if it is stuck; design pixels */
  gboolean is_pinned;
  GobanFold fold;
} GobanLanePlace;

typedef struct
{
  GobanLaneKind kind;
  GobanDeviceId device;
  GobanDeviceId peer; /* the receiver of a link's lane */
  char *id;           /* (nullable) "gpu:0", "gpu:0/memory", "gpu:0>gpu:1": stored in views */
  char *name;         /* "gpu:0", "memory", "→ gpu:1" */
  char *detail;       /* "79 %", "11.2 GB", "48 MB" */
  GobanSlice *slices; /* (n_slices) row by row, by start within a row, never overlapping there */
  guint n_slices;
  guint n_rows;
  guint32 *row_first; /* (n_rows + 1) into slices */
  GobanMemoryPoint *points;
  guint n_points;
  double busy; /* share of the makespan that a device computes; NAN: unknown */
  double peak_bytes;
  double capacity_bytes; /* INFINITY: unlimited */
  const guint16 *levels; /* (nullable): used in place of the scene's; owned by others */
  double y;              /* design pixels from the first lane's top */
  double height;         /* 0 if the lane is hidden */
  GobanLanePlace place;
} GobanLane;

/* Its y if the lanes are scrolled by @scroll_y, in design pixels. */
double goban_lane_get_top (const GobanLane *self, double scroll_y);

/* Copies the slices, given in any order, into the smallest number of rows without overlaps. */
void goban_lane_set_slices (GobanLane *self, const GobanSlice *slices, guint n_slices);

/* The row that a slice is in. */
guint goban_lane_row_of (const GobanLane *self, guint slice);

/* For a memory lane: its last point at or before a time, n_points if there is none; and the memory
 * in use then. */
guint goban_lane_find_point (const GobanLane *self, double time_us);
double goban_lane_get_bytes (const GobanLane *self, double time_us);

/* The first slice of lane.slices[first..end) that finishes after @time_us: O(log n). */
guint goban_lane_find (const GobanLane *self, guint row, double time_us);

G_END_DECLS
