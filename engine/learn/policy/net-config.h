/* net-config.h: configuration of GO's policy network, and its text in settings. */
#pragma once

#include "engine/machine/plan/task.h"

G_BEGIN_DECLS

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
      standardized; /* heads: engine/learn/nn/standardize.h, then a learned scale and bias (ours) */
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
/* FALSE with %GOBAN_ERROR_PARSE set; a field left out is the goban preset's. */
gboolean goban_net_config_parse (const char *text, GobanNetConfig *config, GError **error);

G_END_DECLS
