/* regal-net.h: REGAL's network: one pass over a graph yields a choice for every gene of a genetic
 * search.
 *
 * Paliwal et al., Reinforced Genetic Algorithm Learning for Optimizing Computation Graphs, ICLR
 * 2020. N nodes, F features, D width, A devices, B features of a node on a device, R rounds, C
 * choices:
 *
 *   h_0    = embed (features)                                                         (N,D)
 *   h_r+1  = h_r + tanh (W [h_r, mean over predecessors of h_r, mean over successors])  R rounds
 *   z      = h_R beside the mean of h_R over the graph                                (N,2D)
 *   logits = head (z_v) for priority, transfers and bias; head (z_v, b_va) for device a
 *   value  = critic (mean of h_R): the expected reward
 *
 * The three blocks of W are the weights of a node itself, of its predecessors and of its
 * successors; all rounds share them. One head serves all devices, which differ by b only, so that
 * one network serves any number of devices. The bounded step keeps values in the trained range for
 * graphs of any shape.
 *
 * One thread at a time per workspace; several may share a network that nobody is training.
 */
#pragma once

#include "engine/learn/nn/linear.h"
#include "engine/learn/nn/segment.h"

typedef enum
{
  GOBAN_REGAL_DEVICE,   /* rows (A,N): row a x N + v */
  GOBAN_REGAL_PRIORITY, /* rows (N) as the others */
  GOBAN_REGAL_TRANSFER,
  GOBAN_REGAL_BIAS,
  GOBAN_REGAL_N_HEADS,
} GobanRegalHead;

/* The network's input, borrowed; made by engine/learn/rl/baselines/regal.h. */
typedef struct
{
  int n_nodes;                  /* N */
  int n_devices;                /* A */
  const float *node_features;   /* (N,F) */
  const float *device_features; /* (A,N,B) */
  GobanSegments predecessors;   /* of each node */
  GobanSegments successors;
} GobanRegalInput;

typedef struct
{
  int n_node_features;                /* F */
  int n_device_features;              /* B */
  int width;                          /* D */
  int n_rounds;                       /* R */
  int n_choices[GOBAN_REGAL_N_HEADS]; /* C */
} GobanRegalShape;

typedef struct
{
  GobanRegalShape shape;
  GobanParams *params; /* owned */
  GobanMlp embed;
  guint step_weight; /* (D,3D) */
  guint step_bias;   /* (D) */
  GobanMlp heads[GOBAN_REGAL_N_HEADS];
  GobanMlp critic;
} GobanRegalNet;

void goban_regal_net_init (GobanRegalNet *self, GobanRegalShape shape, GobanRng *rng);
void goban_regal_net_clear (GobanRegalNet *self);

/* The activations of one forward pass. */
typedef struct
{
  GPtrArray *arrays; /* all that is allocated */
  int N;
  int A;
  float *embed;
  float *h;      /* (R + 1, N, D) for training, else (1, N, D), overwritten by each round */
  float *step;   /* (R or 1, N, D) the tanh */
  float *heard;  /* (N,3D) inputs of a step, of one round */
  float *mean;   /* (D) */
  float *z;      /* (N,2D) */
  float *joined; /* of a block of rows, 2D + B wide */
  float *head;   /* work of one head over them */
  float *critic;
  float *logits[GOBAN_REGAL_N_HEADS]; /* (rows, C) of the last forward pass */
  float value;

  /* gradients, NULL unless it learns */
  float *dh, *dstep; /* (N,D) */
  float *dheard;     /* (N,3D) */
  float *dz;         /* (N,2D) */
  float *dmean;      /* (D) */
  float *djoined;
  float *dwork; /* as large as the largest work */
} GobanRegalWork;

/* Memory for a pass over @N nodes and @A devices; for a backward pass only if @learns. */
GobanRegalWork *goban_regal_work_new (const GobanRegalNet *net, int N, int A,
                                      gboolean learns) G_GNUC_WARN_UNUSED_RESULT;
void goban_regal_work_free (GobanRegalWork *self);

guint goban_regal_work_get_n_rows (const GobanRegalWork *self, GobanRegalHead head);

void goban_regal_forward (const GobanRegalNet *net, GobanRegalWork *work,
                          const GobanRegalInput *input);
/* Adds the gradients of the parameters, given those of all logits (rows, C) and of the value, for
 * the last forward pass of @work with the same input. */
void goban_regal_backward (GobanRegalNet *net, GobanRegalWork *work, const GobanRegalInput *input,
                           float *const dlogits[GOBAN_REGAL_N_HEADS], float dvalue);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (GobanRegalNet, goban_regal_net_clear)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanRegalWork, goban_regal_work_free)
