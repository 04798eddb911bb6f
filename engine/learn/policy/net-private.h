/* net-private.h: table of the network's parameter tensors, for networks that share its layers and
 * for passes. W width, A actions. */
#pragma once

#include "engine/learn/policy/network.h"

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

struct _GobanNet
{
  GobanNetConfig config;
  GobanNetTensors tensors;
  GobanParams *params;
};

/* Adds the tensors of a network of this configuration to @params. */
void goban_net_add_tensors (const GobanNetConfig *config, GobanParams *params,
                            GobanNetTensors *tensors);

/* The first of them, of the layers below the tasks, for rows of @n_features. */
void goban_net_add_trunk (const GobanNetConfig *config, guint n_features, GobanParams *params,
                          GobanNetTensors *tensors);

/* FALSE with %GOBAN_ERROR_PARSE set if a field is out of its range. */
gboolean goban_net_config_check (const GobanNetConfig *self, GError **error);

/* Number of used columns of x. */
int goban_net_config_get_n_features (const GobanNetConfig *self);
/* Number of used columns of a device. */
int goban_net_config_get_n_device_features (const GobanNetConfig *self);
/* Number of directions in which neighbours are aggregated: 0, 1 (their union) or 2. */
int goban_net_config_get_n_directions (const GobanNetConfig *self);
gboolean goban_net_config_has_task (const GobanNetConfig *self, GobanTask task);
