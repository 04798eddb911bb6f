/* pass-private.h: state of a pass, and the functions that its source files share.
 *
 *   pass.c        a pass over a board: tasks, there and back
 *   pass-trunk.c  arrays, lanes, and all layers below the tasks
 *
 * N rows, W width, A actions, S rows of a segment. Rows are cut into lanes, runs of whole segments,
 * whose number depends on N and S alone. A lane works on its own rows through all steps between two
 * barriers, a block of BLOCK rows at a time, so that what a step wrote is still in the cache when
 * the next one reads it; it adds gradients of weights into its own copy, and the copies are added
 * up in the order of the lanes. So sums are made in one order whatever the number of threads.
 */
#pragma once

#include "engine/learn/policy/network.h"
#include "engine/learn/policy/pass.h"

#define GOBAN_PASS_BLOCK 256

/* Rows with their features and neighbours: borrowed arrays. */
typedef struct
{
  int N;
  int n_features, stride; /* used columns of x, and all */
  const float *x;         /* (N, stride) */
  GobanSegments inputs;   /* rows that each one reads from */
  GobanSegments outputs;  /* rows that read from it */
  GobanSegments both;     /* the union, unless the configuration is directed */
} GobanPassInput;

typedef struct
{
  int first_segment, n_segments;
  int first, n; /* rows */
  float *grads; /* (all parameters) */
  float *table; /* (widest A + 1, W) gradients of tables that are not parameters */
  float *room;  /* for blocks: see goban_pass_get_room() */
  float *work;  /* of goban_multihead_forward() */
} GobanLane;

/* One layer of attention over all rows, as backward needs it. */
typedef struct
{
  const float *x; /* (N,W) its input, before modulation */
  float *q, *k, *v;
  float *a;                    /* (N,W) output of the heads */
  float *sum[2];               /* (N,W) before each layer norm */
  float *mean[2], *inverse[2]; /* (N) */
  float *y;                    /* (N,W) */
} GobanLayerState;

/* A task of an iteration. */
typedef struct
{
  const float *before; /* (N,W) h + a */
  float *before_own;   /* (N,W) the same, NULL for the first task, which has no previous action */
  float *u;            /* (N,W) layernorm (h + a) */
  float *mean, *inverse;
  GobanLayerState layer;
  float *raw;              /* (N,R) of the head, standardised if configured */
  float *raw_inverse;      /* (R) */
  float *logits, *dlogits; /* (N,A) */
} GobanTaskState;

/* A task's head and embeddings as they are on this board: for levels the parameters themselves, for
 * placement products of them with the devices' vectors. Gradients add up over all decides. */
typedef struct
{
  int A, R;                /* actions; columns of the head: 1 for ordinal levels */
  float *head, *dhead;     /* (R,W) */
  float *bias, *dbias;     /* (A) */
  float *action, *daction; /* (A,W) */
  float *again, *dagain;   /* (A,W) */
  float gamma, dgamma;
} GobanTaskTables;

enum
{
  GOBAN_PASS_N_ROOMS = 7
};

struct _GobanPass
{
  GobanNetConfig config;
  GobanPassInput input;
  const GobanBoard *board; /* NULL in a trunk (pass-trunk.c), which has no tasks */
  int N, W;
  GobanNetTensors tensors;
  gsize *offsets; /* (n_tensors) of each into a lane's gradients */
  gsize n_params;
  float **turned;    /* (n_tensors) matrices as forward multiplies by them; of the last embed */
  GPtrArray *arrays; /* all that is allocated */

  GobanLane *lanes;
  guint n_lanes;
  int n_segments;

  /* x0, and what backward needs of its computation */
  float *h[GOBAN_NET_MAX_LAYERS + 1];     /* (N,W) the last one is x0 */
  float *pooled[GOBAN_NET_MAX_LAYERS][2]; /* (N,W) sigmoid (W h + b) */
  float *dense[GOBAN_NET_MAX_LAYERS]; /* (N,W) behind the relu; h[l + 1] itself in the paper's */
  float *sage_mean[GOBAN_NET_MAX_LAYERS];    /* (N) */
  float *sage_inverse[GOBAN_NET_MAX_LAYERS]; /* (N) */
  float *c, *dc;                             /* (N,W), NULL without modulation */
  float *dx0;                                /* (N,W) */

  float *devices;                /* (D,F) features, by their labels */
  guint32 *labels;               /* (D) */
  float *device_hidden, *e, *de; /* (D,W) */
  float *weights;                /* (N) of rows, for heads that are standardised */
  GobanTaskTables tables[GOBAN_N_TASKS];

  GobanTask first_task;
  float *inputs[GOBAN_NET_MAX_ITERATIONS]; /* (N,W) x0 and the last decisions; [0] is x0 */
  GobanLayerState layers[GOBAN_NET_MAX_ITERATIONS][GOBAN_NET_MAX_LAYERS];
  GobanTaskState tasks[GOBAN_NET_MAX_ITERATIONS][GOBAN_N_TASKS];
  float *dtop;    /* (N,W) gradient of the input of iteration 0's tasks, over all decides */
  float *dlogits; /* (N,A) of iteration 0's first task, likewise */

  float *carry, *flow;              /* (N,W) gradients passed from step to step */
  float *rooms[GOBAN_PASS_N_ROOMS]; /* (N,W) for one step of backward */
  float *head_room;                 /* (2,N,widest R) */
};

/* func (lane, user_data) for every lane, in parallel. */
typedef void (*GobanLaneFunc) (GobanPass *self, GobanLane *lane, gpointer user_data);
void goban_pass_for_lanes (GobanPass *self, GobanLaneFunc func, gpointer user_data);

/* Allocates zeros that the pass owns and counts, aligned to a cache line. */
float *goban_pass_reserve (GobanPass *self, gsize n_floats);

/* 0 to 5: (GOBAN_PASS_BLOCK, W) of a lane; 6 and 7: as wide as the widest other layer. */
float *goban_pass_get_room (const GobanPass *self, const GobanLane *lane, int number);

static inline const float *
goban_pass_value (const GobanNet *net, guint tensor)
{
  return goban_params_value (net->params, tensor);
}

/* Transposes the matrices of the network, (O,I) to (I,O): once per change of the network. */
void goban_pass_turn_weights (GobanPass *self, const GobanNet *net);
static inline const float *
goban_pass_turned (const GobanPass *self, guint tensor)
{
  return self->turned[tensor];
}

static inline float *
goban_pass_grad (const GobanPass *self, const GobanLane *lane, guint tensor)
{
  return lane->grads + self->offsets[tensor];
}

/* Adds the tables' gradients of all lanes, (n_floats) each, to @sum in order. */
void goban_pass_sum_tables (GobanPass *self, float *sum, gsize n_floats);

/* A loop over the blocks of a lane: each has the rows from @first on, @n of them. */
#define GOBAN_PASS_FOR_EACH_BLOCK(lane, first, n)                                                  \
  for (int first = (lane)->first, n = MIN (GOBAN_PASS_BLOCK, (lane)->n);                           \
       first < (lane)->first + (lane)->n;                                                          \
       first += n, n = MIN (GOBAN_PASS_BLOCK, (lane)->first + (lane)->n - first))

/* As goban_pass_find_attended(), of one layer. */
gboolean goban_pass_layer_find_attended (const GobanPass *self, int layer,
                                         const GobanLayerState *state, guint32 *rows,
                                         float *shares);

/* --- the layers below the tasks, alone or as a part of a pass over a board -------------------- */

/* A trunk alone belongs to a network whose table of parameters may contain other tensors, too: the
 * plan builder's, engine/learn/policy/row-encoding.h. */

/* A pass without tasks, in one lane. The arrays of @input and the table of @net must outlive it;
 * goban_pass_free() frees it. */
GobanPass *goban_pass_new_trunk (const GobanNet *net,
                                 const GobanPassInput *input) G_GNUC_WARN_UNUSED_RESULT;

/* Computes all layers and zeroes dx0 and dc. Returns (N,W), borrowed: the last layer. */
const float *goban_pass_trunk_forward (GobanPass *self, const GobanNet *net);
/* Back from dtop (N,W), the gradient of that. The sums stay in the lanes. */
void goban_pass_trunk_backward (GobanPass *self, const GobanNet *net, const float *dtop);
/* Moves the gradients of all lanes to the network's. */
void goban_pass_sum_gradients (GobanPass *self, GobanNet *net);

/* --- for passes over a board ------------------------------------------------------------------ */

/* Allocates what a trunk needs; @params: the table, whose order is that of self->tensors. */
void goban_pass_begin (GobanPass *self, const GobanNetConfig *config, const GobanPassInput *input,
                       const GobanParams *params);
/* The attention layers of an iteration. */
void goban_pass_reserve_layers (GobanPass *self, int t);
void goban_pass_run_layers (GobanPass *self, const GobanNet *net, int t);
/* Turns flow from the gradient of the tasks' input into that of the layers' input. */
void goban_pass_run_layers_backward (GobanPass *self, const GobanNet *net, int t);
/* Input of iteration t's first task. */
const float *goban_pass_get_top (const GobanPass *self, int t);

/* --- steps ------------------------------------------------------------------------------------ */

/* state->x is read. dx (N,W) is overwritten, dc added to; dy and dx may be the same. */
void goban_pass_layer_reserve (GobanPass *self, GobanLayerState *state);
void goban_pass_layer_forward (GobanPass *self, const GobanNet *net, int layer,
                               GobanLayerState *state);
void goban_pass_layer_backward (GobanPass *self, const GobanNet *net, int layer,
                                const GobanLayerState *state, float *dx, const float *dy);

/* Input from a task's decision: the embedding of the choice, or the expected embedding (chosen
 * NULL). */
typedef struct
{
  GobanTask task;
  GobanTaskState *state;
  const guint32 *chosen; /* (N) */
  gboolean is_again;     /* the table of the next iteration */
} GobanHeard;
