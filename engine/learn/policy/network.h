/* network.h: GO's policy network: one for every graph, every cluster and all three tasks.
 *
 *   x0 = GraphSAGE (features)
 *   h  = layers of segment-level recurrent attention over the rows in topological order, each
 *        layer's input modulated by the graph embedding:  x <- c (x0) * x,
 *        c = 2 sigmoid (W x0 + b); all layers, those of the tasks too, share one c
 *   for each task, in order:
 *     z = attention_shared (layernorm (h + a))
 *     logits = head_task (z)
 *     a = a + embedding (decision)
 *
 * GraphSAGE takes the maximum over neighbours and is trained with the rest. attention_shared is one
 * more layer of recurrent attention, with the same parameters for all tasks; a is the residual
 * connection of the decisions.
 *
 * Source: Zhou et al., Transferable Graph Optimizers for ML Compilers, NeurIPS 2020, sections 3.1
 * to 3.4. Decisions are not autoregressive: all rows decide at once, T times over, each time but
 * the first seeing the decisions before. Where the configuration says "sampled", later tasks and
 * iterations see what was drawn, so every rollout has its own pass from there on; otherwise they
 * see probabilities, and all rollouts of a graph share one pass.
 *
 * A device is its features (engine/learn/policy/board.h), and a logit the product of a row's vector
 * and a device's: so any number of devices is served by the same parameters. Nothing depends on a
 * device's number, unless the configuration says "numbered" (paper): equal devices have the same
 * bias, and their logits differ only by their labels, which a pass may exchange.
 *
 * Only an optimiser changes a network. A pass holds the activations of one forward computation on
 * one board, which backward reads. One thread at a time per pass; inside, rows are worked on in
 * parallel by engine/core/parallel.h, with the same bytes for any number of threads.
 *
 * Decision G7 (engine/NOTES.md).
 */
#pragma once

#include "engine/learn/nn/params.h"
#include "engine/machine/plan/task.h"

/* --- configuration ---------------------------------------------------------------------------- */

#define GOBAN_NET_MAX_ITERATIONS 8

typedef struct
{
  int width;  /* of all rows of activations */
  int n_sage; /* layers of GraphSAGE */
  /* TRUE: inputs and outputs are pooled apart, and layers have a residual and a layer norm. FALSE:
   * their union is pooled, without both (paper). */
  gboolean is_directed;
  gboolean graph_embedding; /* FALSE: without neighbours; x0 is the features alone (ablation) */
  int n_attention; /* layers; 0: no attention anywhere, the task layer included (ablation) */
  int n_heads;
  int ffn;                 /* width of the feed-forward part */
  int segment;             /* rows of a segment, and remembered */
  gboolean stops_gradient; /* at the remembered rows (paper) */
  /* odd layers remember the NEXT segment, so that far successors have an influence, too */
  gboolean alternates;
  gboolean modulation;
  gboolean
      standardized; /* heads: engine/learn/nn/layernorm.h, then a learned scale and bias (ours) */
  gboolean is_numbered; /* a device's number is a feature, and its bias follows from all features */
  /* Logits of levels: a slope per row times the level plus a bias per level (ours); else free. */
  gboolean is_ordinal;
  gboolean paper_features; /* the first GOBAN_BOARD_N_PAPER columns alone */
  gboolean is_sampled;     /* see above */
  int n_iterations;        /* T */
  GobanTasks decisions;
} GobanNetConfig;

/* The configuration of the paper, and the best one. */
GobanNetConfig goban_net_config_paper (void);
GobanNetConfig goban_net_config_goban (void);

/* "width=64,sage=3,...": all fields, in order. (transfer full) */
char *goban_net_config_to_text (const GobanNetConfig *self) G_GNUC_WARN_UNUSED_RESULT;
/* Changes the fields that @text names. FALSE with %GOBAN_ERROR_PARSE set; nothing has changed
 * then. */
gboolean goban_net_config_parse (const char *text, GobanNetConfig *config, GError **error);

/* FALSE with %GOBAN_ERROR_PARSE set if a field is out of its range. */
gboolean goban_net_config_check (const GobanNetConfig *self, GError **error);
/* Number of used columns of x. */
int goban_net_config_get_n_features (const GobanNetConfig *self);
/* Number of used columns of a device. */
int goban_net_config_get_n_device_features (const GobanNetConfig *self);
/* Number of directions in which neighbours are aggregated: 0, 1 (their union) or 2. */
int goban_net_config_get_n_directions (const GobanNetConfig *self);

/* --- the table of tensors --------------------------------------------------------------------- */

/* Numbers of the parameters, for passes and for networks that share the layers. W width, A
 * actions. */

#define GOBAN_NET_MAX_LAYERS 8
#define GOBAN_NET_NO_TENSOR G_MAXUINT

typedef struct
{
  guint pool_w[2], pool_b[2]; /* (W,W) (W): of inputs and outputs, or of their union */
  guint self_w, heard_w[2];   /* (W,W) the parts of f (concat (h, hN)) */
  guint b;                    /* (W) */
  guint gamma, beta;          /* (W) of the layer norm, if there is one */
} GobanSageTensors;

typedef struct
{
  guint q, k, v, o, o_b;   /* (W,W), (W): none without attention */
  guint gamma[2], beta[2]; /* (W) */
  guint in_w, in_b;        /* (F,W) (F) of the feed-forward part */
  guint out_w, out_b;      /* (W,F) (W) */
} GobanLayerTensors;

typedef struct
{
  guint head;  /* placement: (W,W); levels: (1,W) ordinal, else (A,W) */
  guint gamma; /* (1) */
  /* placement: weights of a device's properties, or of its vector if numbered; levels: (A) */
  guint bias;
  guint action; /* placement: (W,W), of a device's vector; levels: (A,W) */
  guint again;  /* the same for the next iteration, if there is one */
} GobanTaskTensors;

typedef struct
{
  guint x_w, x_b; /* (W,features) (W) */
  GobanSageTensors sage[GOBAN_NET_MAX_LAYERS];
  guint c_w, c_b;                                     /* (W,W) (W) of the modulation */
  GobanLayerTensors layers[GOBAN_NET_MAX_LAYERS + 1]; /* the last one: of the tasks */
  guint gamma, beta;                                  /* (W) of layernorm (h + a) */
  guint device_w[2], device_b[2];                     /* (W,device features) (W), (W,W) (W) */
  GobanTaskTensors tasks[GOBAN_N_TASKS];
} GobanNetTensors;

typedef struct
{
  GobanNetConfig config;
  GobanNetTensors tensors;
  GobanParams *params;
} GobanNet;

/* Adds the tensors of a network of this configuration to @params. */
void goban_net_add_tensors (const GobanNetConfig *config, GobanParams *params,
                            GobanNetTensors *tensors);
/* The first of them, of the layers below the tasks, for rows of @n_features. */
void goban_net_add_trunk (const GobanNetConfig *config, guint n_features, GobanParams *params,
                          GobanNetTensors *tensors);

GobanNet *goban_net_new (const GobanNetConfig *config, GobanRng *rng) G_GNUC_WARN_UNUSED_RESULT;
void goban_net_free (GobanNet *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanNet, goban_net_free)
