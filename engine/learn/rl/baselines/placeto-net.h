/* placeto-net.h: Placeto's policy network: probabilities of the devices for one group at a time.
 *
 * Addanki et al., Placeto: Learning Generalizable Device Placement Algorithms for Distributed
 * Machine Learning, NeurIPS 2019, sections 3.2 and 3.3. K groups, F features, D width, A devices;
 * every f and g is a network of its own:
 *
 *   e      = embed (features)                                                       (K,D)
 *   x_v    = e_v + [v has predecessors] g (mean over predecessors u of f (x_u))     R rounds
 *   z      = that of the graph, beside that of the graph with its edges turned round  (K,2D)
 *   logits = head (z_v, pools of z over v's ancestors, its descendants, and the others)  (A)
 *   pool   = g (sum of f (z_u) / K)
 *
 * The paper sums over predecessors; this takes means. With sums, eight rounds over 64 groups give
 * such large values that the first softmax is certain and nothing is explored (measured: no group
 * moved in 60,000 evaluations).
 *
 * One thread at a time per workspace; several may share a network that nobody is training.
 */
#pragma once

#include "engine/learn/nn/linear.h"
#include "engine/learn/nn/segment.h"

/* Relations of one group to another. In a cycle of groups, each is both ancestor and descendant of
 * the others. */
enum
{
  GOBAN_KIN_ANCESTOR = 1 << 0,
  GOBAN_KIN_DESCENDANT = 1 << 1,
  GOBAN_KIN_SELF = 1 << 2,
};

/* The graph of groups; its arrays are borrowed. */
typedef struct
{
  GobanSegments predecessors; /* of each group */
  GobanSegments successors;
  const guint8 *kin; /* (K x K): the relation of u to v at v x K + u; 0: unrelated */
} GobanGroupGraph;

typedef struct
{
  int n_features; /* F */
  int n_devices;  /* A */
  int width;      /* D */
  int n_rounds;   /* R */
} GobanPlacetoShape;

typedef struct
{
  GobanPlacetoShape shape;
  GobanParams *params; /* owned */
  GobanMlp embed;
  GobanMlp send[2], receive[2]; /* f and g along the edges, and against them */
  GobanMlp pool_send[3], pool_receive[3];
  GobanMlp head;
} GobanPlacetoNet;

void goban_placeto_net_init (GobanPlacetoNet *self, GobanPlacetoShape shape, GobanRng *rng);
void goban_placeto_net_clear (GobanPlacetoNet *self);

/* The activations of one forward pass. */
typedef struct _GobanPlacetoWork GobanPlacetoWork;

GobanPlacetoWork *goban_placeto_work_new (const GobanPlacetoNet *net,
                                          int K) G_GNUC_WARN_UNUSED_RESULT;
void goban_placeto_work_free (GobanPlacetoWork *self);

/* logits (A) of group @current.   features (K,F) */
void goban_placeto_forward (const GobanPlacetoNet *net, GobanPlacetoWork *work, float *logits,
                            const float *features, const GobanGroupGraph *graph, int current);

/* Adds the gradients of the parameters, given dlogits (A), for the last forward pass of @work with
 * the same features, graph and group. */
void goban_placeto_backward (GobanPlacetoNet *net, GobanPlacetoWork *work, const float *dlogits,
                             const float *features, const GobanGroupGraph *graph, int current);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (GobanPlacetoNet, goban_placeto_net_clear)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanPlacetoWork, goban_placeto_work_free)
