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
 * A device is its features (engine/policy/board.h), and a logit the product of a row's vector and a
 * device's: so any number of devices is served by the same parameters. Nothing depends on a
 * device's number, unless the configuration says "numbered" (paper): equal devices have the same
 * bias, and their logits differ only by their labels, which a pass may exchange, and by what a
 * board of a plan says of the row and the device. Boards of plans have no labels: there the plan
 * tells devices apart.
 *
 * Only an optimiser changes a network. A pass holds the activations of one forward computation on
 * one board, which backward reads. One thread at a time per pass; inside, rows are worked on in
 * parallel by engine/base/parallel.h, with the same bytes for any number of threads.
 *
 * Decision G12 (engine/NOTES.md).
 */
#pragma once

#include "engine/nn/params.h"
#include "engine/plan/decision.h"
#include "engine/policy/board.h"

G_BEGIN_DECLS

typedef struct
{
  int width;  /* of all rows of activations */
  int n_sage; /* layers of GraphSAGE */
  /* inputs and outputs are pooled apart, and layers have a residual and a layer norm; else
   * their union, and neither (paper) */
  gboolean is_directed;
  gboolean graph_embedding; /* FALSE: without neighbours; x0 is the features alone (ablation) */
  int n_attention; /* layers; 0: no attention anywhere, the task layer included (ablation) */
  int n_heads;
  int ffn;                 /* width of the feed-forward part */
  int segment;             /* rows of a segment, and remembered */
  gboolean stops_gradient; /* at the remembered rows (paper) */
  gboolean alternates;     /* odd layers remember the NEXT segment, so that far successors have
                              an influence, too */
  gboolean modulation;
  gboolean standardized; /* heads: engine/nn/standardize.h, then a learned scale and bias (ours) */
  gboolean is_numbered; /* a device's number is a feature, and its bias follows from all features */
  gboolean has_two_heads; /* one for whole plans, one for changes of a plan */
  /* levels: one slope a row times the level, plus a bias a level (ours); else free logits */
  gboolean is_ordinal;
  gboolean paper_features; /* the first GOBAN_BOARD_N_PAPER columns alone */
  gboolean is_sampled;     /* see above */
  int n_iterations;        /* T */
  GobanDecisions decisions;
} GobanNetConfig;

/* The configuration of the paper, and the best one. */
GobanNetConfig goban_net_config_paper (void);
GobanNetConfig goban_net_config_goban (void);

/* "width=64,sage=3,...": all fields, in order; stored in checkpoints. (transfer full) */
char *goban_net_config_to_text (const GobanNetConfig *self) G_GNUC_WARN_UNUSED_RESULT;
/* FALSE with %GOBAN_ERROR_PARSE set; fields left out are those of the goban preset. */
gboolean goban_net_config_parse (const char *text, GobanNetConfig *config, GError **error);

typedef struct _GobanNet GobanNet;

GobanNet *goban_net_new (const GobanNetConfig *config, GobanRng *rng) G_GNUC_WARN_UNUSED_RESULT;
void goban_net_free (GobanNet *self);
/* Values and moments. (transfer full) */
GobanNet *goban_net_copy (const GobanNet *self) G_GNUC_WARN_UNUSED_RESULT;

const GobanNetConfig *goban_net_get_config (const GobanNet *self);
GobanParams *goban_net_get_params (GobanNet *self);

/* A checkpoint of engine/nn/params.h, without Adam's moments, whose network is "go-2:" and the
 * configuration: 2 is the version of the format. */
gboolean goban_net_save (GobanNet *self, const char *path, GError **error);
/* (transfer full) (nullable): %NULL with %GOBAN_ERROR_IO or %GOBAN_ERROR_PARSE set, which names the
 * path */
GobanNet *goban_net_load (const char *path, GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* Whether a file contains such a network, of any version and configuration. */
gboolean goban_net_is_file (const char *path);

/* --- decisions ------------------------------------------------------------------------------ */

/* Choices by row: levels or devices. chosen[t][k] is (n_rows), owned, NULL for a task that is not
 * decided; t < T. The last iteration's choices count. */
#define GOBAN_NET_MAX_ITERATIONS 8

typedef struct
{
  guint n_rows;
  int n_iterations;
  GobanDecisions decisions;
  guint32 *chosen[GOBAN_NET_MAX_ITERATIONS][GOBAN_N_DECISIONS];
} GobanChoices;

GobanChoices *goban_choices_new (const GobanNetConfig *config,
                                 guint n_rows) G_GNUC_WARN_UNUSED_RESULT;
void goban_choices_free (GobanChoices *self);

/* --- a pass --------------------------------------------------------------------------------- */

typedef struct _GobanPass GobanPass;

/* Memory for one pass of a network of this configuration over @board, which must outlive it. */
GobanPass *goban_pass_new (const GobanNetConfig *config,
                           const GobanBoard *board) G_GNUC_WARN_UNUSED_RESULT;
void goban_pass_free (GobanPass *self);
/* Size of all its arrays. */
gsize goban_pass_get_size_bytes (const GobanPass *self);

/* Sets the labels of devices for later embeds. labels (n_devices) (nullable): a permutation; %NULL
 * (the default): the label of each device is its number. */
void goban_pass_set_labels (GobanPass *self, const guint32 *labels);
/* Exchanges the labels of equal devices at random: goban_board_dup_equal_devices(). */
void goban_pass_draw_labels (GobanPass *self, GobanRng *rng);

/* Computes everything that does not depend on decisions: once per change of the network. */
void goban_pass_embed (GobanPass *self, const GobanNet *net);

/* Computes the logits of all iterations and tasks, after embed. If the configuration is sampled,
 * decisions are drawn into @choices with @rng, or read from @choices if @rng is NULL; else both may
 * be NULL. */
void goban_pass_decide (GobanPass *self, const GobanNet *net, GobanChoices *choices, GobanRng *rng);

/* Actions of a task on this board: devices or levels. */
int goban_pass_get_n_actions (const GobanPass *self, GobanDecision task);
/* (N,A) of decide, -INFINITY if masked; NULL for a task that is not decided. If not sampled, only
 * the logits of the last iteration are decisions. */
const float *goban_pass_get_logits (const GobanPass *self, int iteration, GobanDecision task);
/* (N,A) likewise: the gradient of the loss by the logits, for the caller to add to; zero after
 * decide. */
float *goban_pass_get_logits_grad (GobanPass *self, int iteration, GobanDecision task);

/* Backward passes, which add to the network's gradients: first decide, with the gradients above and
 * the same @choices, for each decide of this embed; then embed. */
void goban_pass_decide_backward (GobanPass *self, GobanNet *net, const GobanChoices *choices);
void goban_pass_embed_backward (GobanPass *self, GobanNet *net);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanNet, goban_net_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanChoices, goban_choices_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanPass, goban_pass_free)

G_END_DECLS
