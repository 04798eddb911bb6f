/* graph-picture.h: contents of a picture of a graph, to be painted or hit-tested. */
#pragma once

#include "ui/draw/graph/compare-marks.h"
#include "ui/draw/graph/graph-layout.h"
#include "ui/draw/graph/graph-scene.h"

typedef enum
{
  GOBAN_FILL_DEVICE, /* by op if there is no plan */
  GOBAN_FILL_PRIORITY,
  GOBAN_FILL_OP,
  GOBAN_FILL_METRIC, /* the scene's values; as DEVICE if it has none */
} GobanFill;

typedef struct
{
  GobanTheme theme;
  GobanFill fill;
  gboolean show_critical; /* the critical path, if the scene has one */
  double ui_scale;        /* device pixels per pixel of the design; 0: 1 */
  /* one frame of an animation: some of many edges that only pass through may be skipped */
  gboolean is_frame;
} GobanGraphStyle;

/* From a row's node that was looked at to the one that was decided. */
typedef struct
{
  guint32 from, to;
  double share; /* of the attention, 0 to 1: its width */
} GobanAttentionArrow;

/* Indices of nodes in the scene; items, for a scene of an outline. */
typedef struct
{
  const guint32 *selected; /* (n_selected) */
  guint n_selected;
  guint32 hover;         /* or GOBAN_NO_NODE */
  const guint32 *partly; /* (n_partly) partly selected groups */
  guint n_partly;
  guint32 hover_hull;     /* an open group, or 0 */
  const guint32 *matched; /* (n_matched) search results, and groups that contain some */
  guint n_matched;
  const GobanAttentionArrow *arrows; /* (n_arrows) */
  guint n_arrows;
} GobanGraphOverlay;

/* The contents of a picture. */
typedef struct
{
  const GobanGraphScene *scene;
  const GobanLayout *layout; /* of the scene's graph */
  GobanCamera camera;
  GobanGraphStyle style;
  const guint8
      *states; /* (nullable) (nodes of the graph): GobanNodeState of each, of playback-state.h */
  const GobanCompareLook *compare; /* (nullable): the differences from another plan */
} GobanGraphPicture;
