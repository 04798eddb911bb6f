/* graph-scene.h: what there is to see of a graph, as plain arrays.
 *
 * A scene says nothing of where nodes are (graph-layout.h) or how they look (graph-painter.h).
 * It is made from a graph, and a plan or trace where there is one, or filled by hand; it
 * owns its arrays and is not changed while it is painted. Any thread.
 */
#pragma once

#include "engine/session/node-values.h"
#include "engine/sim/trace.h"
#include "ui/draw/palette.h"

G_BEGIN_DECLS

enum
{
  GOBAN_NODE_CRITICAL = 1 << 0, /* of nodes: on the critical path */
  GOBAN_EDGE_CRITICAL = 1 << 0, /* of edges: one that the critical path takes */
  GOBAN_EDGE_CONTROL = 1 << 1,
};

typedef struct
{
  const char *name;
  const char *op;
  double time_us; /* NAN: unknown */
  float priority; /* 0..1, by rank among all nodes */
  float value;    /* 0..1 on the ramp of the scene's values, NAN: unknown */
  GobanDeviceId device;
  guint8 family; /* GobanFamily of the op */
  guint8 flags;
} GobanSceneNode;

typedef struct
{
  GobanNodeId tail;
  GobanNodeId head;
  float weight; /* 0..1, by the logarithm of its bytes */
  guint8 flags;
} GobanSceneEdge;

typedef struct
{
  char *name;
  guint n_nodes;
} GobanSceneDevice;

typedef struct
{
  guint n_nodes;
  guint n_edges;
  guint n_devices; /* 0: no plan; the nodes' devices and priorities mean nothing */
  GobanSceneNode *nodes;
  GobanSceneEdge *edges;
  GobanSceneDevice *devices;
  guint n_of_family[GOBAN_N_FAMILIES];
  gint32 least_priority; /* as the plan has them, for the legend */
  gint32 most_priority;
  GobanNodeValues
      *values; /* (nullable): what fills nodes instead of devices, goban_graph_scene_set_values() */
  char *title; /* "inception_v3" */
  char *subtitle;    /* "heft, 4 devices, 267.0 ms"; "" where there is nothing to say */
  GobanGraph *graph; /* (nullable): keeps the names alive */
} GobanGraphScene;

/* Zeroed arrays of these sizes, to be filled by hand; titles are "". */
GobanGraphScene *goban_graph_scene_new_empty (guint n_nodes, guint n_edges,
                                              guint n_devices) G_GNUC_WARN_UNUSED_RESULT;

/* @costs, @plan and @trace may each be NULL; a plan needs costs, for the devices' names, and a
 * trace brings both of its own. A plan for another graph is the caller's mistake. */
GobanGraphScene *goban_graph_scene_new (GobanGraph *graph, GobanCostModel *costs, GobanPlan *plan,
                                        GobanTrace *trace) G_GNUC_WARN_UNUSED_RESULT;
void goban_graph_scene_free (GobanGraphScene *self);

/* Gives every node its value: @values (nullable) are of the scene's graph. Not while it is painted. */
void goban_graph_scene_set_values (GobanGraphScene *self, GobanNodeValues *values);

/* TRUE where the edge crosses devices. */
gboolean goban_graph_scene_is_cut (const GobanGraphScene *self, guint edge);

/* The part of a name after its last '/', borrowed from it. */
const char *goban_last_scope (const char *name);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanGraphScene, goban_graph_scene_free)

G_END_DECLS
