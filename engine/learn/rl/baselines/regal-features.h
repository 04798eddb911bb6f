/* regal-features.h: input features of REGAL's network for a graph on a cluster.
 *
 * All features are relative to the graph's own means and lengths, and none identifies a graph or a
 * node, so that a network trained on graphs of a hundred nodes can place one of eighty thousand.
 * The features of a device are its place in the cluster's order, its speed and its memory. Equal
 * devices differ by their place alone, so a plan has one representation instead of A!.
 *
 * Read-only once made.
 */
#pragma once

#include "engine/learn/rl/baselines/regal-net.h"
#include "engine/machine/cluster/cost-model.h"

G_BEGIN_DECLS

#define GOBAN_REGAL_N_NODE_FEATURES 26
#define GOBAN_REGAL_N_DEVICE_FEATURES 9

/* Columns of the node features that are used outside the network. */
enum
{
  GOBAN_REGAL_FEATURE_ONE = 0,
  GOBAN_REGAL_FEATURE_BOTTOM = 11, /* level, as a share of the longest path */
  GOBAN_REGAL_FEATURE_PLACE = 14,  /* along the work of the node's phase, by layers */

  /* of the device features */
  GOBAN_REGAL_FEATURE_FIRST = 1, /* whether the device is the first */
};

typedef struct
{
  GobanRegalInput input; /* its arrays are these */
  float *node_features;
  float *device_features;
  guint32 *offsets[2]; /* (N + 1) of the predecessors, and of the successors */
  guint32 *ids[2];
} GobanRegalView;

/* O(N A + E). */
GobanRegalView *goban_regal_view_new (const GobanCostModel *costs) G_GNUC_WARN_UNUSED_RESULT;
void goban_regal_view_free (GobanRegalView *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanRegalView, goban_regal_view_free)

G_END_DECLS
