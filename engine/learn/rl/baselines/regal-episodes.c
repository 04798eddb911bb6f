#include "engine/learn/rl/baselines/regal-episodes.h"

#include "engine/learn/nn/softmax.h"

#include <math.h>
#include <string.h>

#define N_BASES 3

/* Deviation along each b_k: with 3, one episode of four puts nearly everything on one of two
 * devices. */
static const float deviations[N_BASES] = { 3, 1, 1 };

typedef struct
{
  GobanRegalChoices choices;
  float *shifts[GOBAN_REGAL_N_HEADS]; /* (N_BASES, A or 1) e */
} Episode;

struct _GobanRegalEpisodes
{
  const GobanRegalNet *net;
  const GobanRegalWork *work;
  const GobanRegalInput *input;
  const guint8 *is_asked;
  float *bases; /* (N_BASES,N) of mean square 1; 0 if a function depends on the others */
  Episode *episodes;
  guint n_episodes;
  float spread;
  float *p[GOBAN_REGAL_N_HEADS]; /* (rows, C) of the last episode */
  float *weights;                /* (rows) of the longest head */
  float *entropies;
};

/* --- common parts --------------------------------------------------------------------------- */

static double
multiply (const float *a, const float *b, int N)
{
  double sum = 0;

  for (int v = 0; v < N; v++)
    sum += (double) a[v] * (double) b[v];
  return sum / MAX (N, 1);
}

/* Gram and Schmidt. */
static void
fill_bases (GobanRegalEpisodes *self)
{
  static const int columns[N_BASES]
      = { GOBAN_REGAL_FEATURE_ONE, GOBAN_REGAL_FEATURE_PLACE, GOBAN_REGAL_FEATURE_BOTTOM };
  int N = self->input->n_nodes;

  for (int k = 0; k < N_BASES; k++)
    {
      float *b = self->bases + (gsize) k * (gsize) N;
      double size;

      for (int v = 0; v < N; v++)
        b[v] = self->input->node_features[v * GOBAN_REGAL_N_NODE_FEATURES + columns[k]];
      for (int j = 0; j < k; j++)
        {
          const float *other = self->bases + (gsize) j * (gsize) N;
          double share = multiply (b, other, N);

          for (int v = 0; v < N; v++)
            b[v] -= (float) (share * (double) other[v]);
        }
      size = sqrt (multiply (b, b, N));
      for (int v = 0; v < N; v++)
        b[v] = size > 1e-3 ? (float) ((double) b[v] / size) : 0;
    }
}

/* Number of shifts of a head: each device has its own. */
static gsize
n_parts (const GobanRegalEpisodes *self, int head)
{
  return head == GOBAN_REGAL_DEVICE ? (gsize) self->input->n_devices : 1;
}

/* t: the value of a choice, scaled so that the mean square over a head's choices is about 1. */
static float
get_coordinate (int head, gsize choice)
{
  GobanBeta beta;

  if (head == GOBAN_REGAL_BIAS)
    return (goban_regal_get_bias ((guint) choice) - 0.7f) / 0.14f;
  beta = goban_regal_get_beta ((guint) choice);
  return (beta.alpha / (beta.alpha + beta.beta) - 0.5f) / 0.27f;
}

/* sum_k f_k e_k b_k (v), f being the deviations or their inverses. */
static float
sum_shifts (const GobanRegalEpisodes *self, const Episode *episode, int head, gsize row,
            gboolean is_inverse)
{
  gsize N = (gsize) self->input->n_nodes;
  float sum = 0;

  for (gsize k = 0; k < N_BASES; k++)
    sum += (is_inverse ? 1 / (self->spread * deviations[k]) : self->spread * deviations[k])
           * episode->shifts[head][k * n_parts (self, head) + row / N]
           * self->bases[k * N + row % N];
  return sum;
}

/* --- life cycle ----------------------------------------------------------------------------- */

GobanRegalEpisodes *
goban_regal_episodes_new (const GobanRegalNet *net, const GobanRegalWork *work,
                          const GobanRegalInput *input, const guint8 *is_asked, guint n_episodes)
{
  GobanRegalEpisodes *self = g_new0 (GobanRegalEpisodes, 1);
  gsize most_rows = goban_regal_work_get_n_rows (work, GOBAN_REGAL_DEVICE);

  self->net = net;
  self->work = work;
  self->input = input;
  self->is_asked = is_asked;
  self->n_episodes = n_episodes;
  self->spread = 1;
  self->bases = g_new (float, N_BASES *(gsize) input->n_nodes);
  fill_bases (self);
  self->episodes = g_new0 (Episode, n_episodes);
  for (guint i = 0; i < n_episodes; i++)
    {
      goban_regal_choices_init (&self->episodes[i].choices, (guint) input->n_nodes,
                                (guint) input->n_devices);
      for (int head = 0; head < GOBAN_REGAL_N_HEADS; head++)
        self->episodes[i].shifts[head] = g_new0 (float, N_BASES *n_parts (self, head));
    }
  for (int head = 0; head < GOBAN_REGAL_N_HEADS; head++)
    self->p[head] = g_new (float, (gsize) goban_regal_work_get_n_rows (work, head)
                                      * (gsize) net->shape.n_choices[head]);
  self->weights = g_new (float, most_rows);
  self->entropies = g_new (float, most_rows);
  return self;
}

void
goban_regal_episodes_free (GobanRegalEpisodes *self)
{
  for (guint i = 0; i < self->n_episodes; i++)
    {
      goban_regal_choices_clear (&self->episodes[i].choices);
      for (int head = 0; head < GOBAN_REGAL_N_HEADS; head++)
        g_free (self->episodes[i].shifts[head]);
    }
  for (int head = 0; head < GOBAN_REGAL_N_HEADS; head++)
    g_free (self->p[head]);
  g_free (self->episodes);
  g_free (self->bases);
  g_free (self->weights);
  g_free (self->entropies);
  g_free (self);
}

void
goban_regal_episodes_set_spread (GobanRegalEpisodes *self, double spread)
{
  g_return_if_fail (spread > 0);

  self->spread = (float) spread;
}

/* --- drawing -------------------------------------------------------------------------------- */

/* Writes to self->p the probabilities of choices, given the shifts of @episode. */
static void
fill_probabilities (GobanRegalEpisodes *self, const Episode *episode, int head)
{
  gsize C = (gsize) self->net->shape.n_choices[head];
  gsize n_rows = goban_regal_work_get_n_rows (self->work, head);
  const float *logits = goban_regal_work_get_logits (self->work, head);
  float *p = self->p[head];

  for (gsize row = 0; row < n_rows; row++)
    {
      float shift = sum_shifts (self, episode, head, row, FALSE);

      for (gsize c = 0; c < C; c++)
        p[row * C + c] = logits[row * C + c] + shift * get_coordinate (head, c);
    }
  goban_softmax_forward (p, p, (int) n_rows, (int) C);
}

const GobanRegalChoices *
goban_regal_episodes_draw (GobanRegalEpisodes *self, guint i, GobanRng *rng)
{
  Episode *episode = &self->episodes[i];

  g_return_val_if_fail (i < self->n_episodes, NULL);

  for (int head = 0; head < GOBAN_REGAL_N_HEADS; head++)
    {
      gsize C = (gsize) self->net->shape.n_choices[head];

      for (gsize k = 0; k < N_BASES * n_parts (self, head); k++)
        episode->shifts[head][k] = goban_normal_sample (rng);
      fill_probabilities (self, episode, head);
      for (gsize row = 0; row < goban_regal_work_get_n_rows (self->work, head); row++)
        episode->choices.rows[head][row]
            = (guint32) goban_categorical_sample (self->p[head] + row * C, (int) C, rng);
    }
  return &episode->choices;
}

/* --- gradients ------------------------------------------------------------------------------ */

static void
set_weights (GobanRegalEpisodes *self, int head, double weight)
{
  gsize N = (gsize) self->input->n_nodes;

  for (gsize row = 0; row < goban_regal_work_get_n_rows (self->work, head); row++)
    self->weights[row]
        = head != GOBAN_REGAL_DEVICE || self->is_asked[row % N] ? (float) (weight / (double) N) : 0;
}

/* The common part along b_k t is that of the logits plus s_k e_k, drawn around it; hence the
 * gradient of log p by logits[v,c] is sum_k e_k / s_k b_k (v) t_c, here not divided by the number
 * of nodes. */
static void
answer_for_shifts (GobanRegalEpisodes *self, const Episode *episode, int head, double weight,
                   float *dlogits)
{
  gsize C = (gsize) self->net->shape.n_choices[head];
  float share = (float) (weight / self->input->n_nodes);

  for (gsize row = 0; row < goban_regal_work_get_n_rows (self->work, head); row++)
    {
      float shift = share * sum_shifts (self, episode, head, row, TRUE);

      for (gsize c = 0; c < C; c++)
        dlogits[row * C + c] += shift * get_coordinate (head, c);
    }
}

double
goban_regal_episodes_answer (GobanRegalEpisodes *self, guint i, double weight,
                             double entropy_weight, float *const dlogits[GOBAN_REGAL_N_HEADS])
{
  const Episode *episode = &self->episodes[i];
  double entropy = 0;
  gsize n_all = 0;

  g_return_val_if_fail (i < self->n_episodes, 0);

  for (int head = 0; head < GOBAN_REGAL_N_HEADS; head++)
    {
      int C = self->net->shape.n_choices[head];
      int n_rows = (int) goban_regal_work_get_n_rows (self->work, head);

      fill_probabilities (self, episode, head);
      set_weights (self, head, weight);
      goban_log_prob_backward (dlogits[head], self->weights, episode->choices.rows[head],
                               self->p[head], n_rows, C);
      answer_for_shifts (self, episode, head, weight, dlogits[head]);
      set_weights (self, head, entropy_weight);
      goban_entropy_backward (dlogits[head], self->weights, self->p[head], n_rows, C);
      goban_entropy_forward (self->entropies, self->p[head], n_rows, C);
      for (int row = 0; row < n_rows; row++)
        entropy += (double) self->entropies[row];
      n_all += (gsize) n_rows;
    }
  return entropy / (double) MAX (n_all, 1);
}
