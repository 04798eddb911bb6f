#include "engine/learn/rl/baselines/placeto-net.h"

#include "engine/core/arrays.h"

#include <string.h>

#define N_POOLS 3

/* The message passing of one direction. */
typedef struct
{
  float *x;       /* (R + 1, K, D) x[0] is e */
  float *send;    /* (R) works of f over K rows */
  float *heard;   /* (R, K, D) means over the neighbours */
  float *receive; /* (R) works of g over K rows */
} Passing;

struct _GobanPlacetoWork
{
  GPtrArray *arrays; /* all that is allocated */
  int K;
  float *embed;
  Passing passings[2];
  float *z;                     /* (K,2D) */
  float *pool_send[N_POOLS];    /* works of f over K rows */
  float *pooled;                /* (3,2D) sums / K */
  float *pool_receive[N_POOLS]; /* works of g over one row */
  float *joined;                /* (8D) */
  float *head;

  /* gradients of the above */
  float *dx, *dx_next, *de; /* (K,D) */
  float *dheard;            /* (K,D) */
  float *dsent;             /* (K,2D) at most */
  float *dz;                /* (K,2D) */
  float *dpooled;           /* (2D) */
  float *djoined;           /* (8D) */
  float *dwork;             /* as large as the largest work */
};

/* --- the network ------------------------------------------------------------------------------ */

void
goban_placeto_net_init (GobanPlacetoNet *self, GobanPlacetoShape shape, GobanRng *rng)
{
  static const char *const directions[] = { "forward", "backward" };
  static const char *const pools[] = { "ancestors", "descendants", "others" };
  int D = shape.width;
  int H = 8 * D;

  *self = (GobanPlacetoNet){ .shape = shape, .params = goban_params_new ("placeto") };
  goban_mlp_init (&self->embed, self->params, "embed", (int[]){ shape.n_features, D, D, D }, 3,
                  FALSE);
  for (int d = 0; d < 2; d++)
    {
      g_autofree char *send = g_strdup_printf ("%s.send", directions[d]);
      g_autofree char *receive = g_strdup_printf ("%s.receive", directions[d]);

      goban_mlp_init (&self->send[d], self->params, send, (int[]){ D, D }, 1, TRUE);
      goban_mlp_init (&self->receive[d], self->params, receive, (int[]){ D, D }, 1, TRUE);
    }
  for (int p = 0; p < N_POOLS; p++)
    {
      g_autofree char *send = g_strdup_printf ("%s.send", pools[p]);
      g_autofree char *receive = g_strdup_printf ("%s.receive", pools[p]);

      goban_mlp_init (&self->pool_send[p], self->params, send, (int[]){ 2 * D, 2 * D }, 1, TRUE);
      goban_mlp_init (&self->pool_receive[p], self->params, receive, (int[]){ 2 * D, 2 * D }, 1,
                      TRUE);
    }
  goban_mlp_init (&self->head, self->params, "head", (int[]){ H, 2 * H, H, shape.n_devices }, 3,
                  FALSE);
  goban_params_finish (self->params, rng);
}

void
goban_placeto_net_clear (GobanPlacetoNet *self)
{
  g_clear_pointer (&self->params, goban_params_free);
}

/* --- work ------------------------------------------------------------------------------------- */

static gsize
largest_work (const GobanPlacetoNet *net, int K)
{
  gsize size = MAX (goban_mlp_work_size (&net->embed, K), goban_mlp_work_size (&net->head, 1));

  size = MAX (size, goban_mlp_work_size (&net->send[0], K));
  return MAX (size, goban_mlp_work_size (&net->pool_send[0], K));
}

GobanPlacetoWork *
goban_placeto_work_new (const GobanPlacetoNet *net, int K)
{
  GobanPlacetoWork *self = g_new0 (GobanPlacetoWork, 1);
  gsize R = (gsize) net->shape.n_rounds;
  gsize KD = (gsize) K * (gsize) net->shape.width;
  gsize D = (gsize) net->shape.width;

  self->arrays = goban_arrays_new ();
  self->K = K;
  self->embed = goban_own (self, float, goban_mlp_work_size (&net->embed, K));
  for (int d = 0; d < 2; d++)
    {
      self->passings[d].x = goban_own (self, float, (R + 1) * KD);
      self->passings[d].send = goban_own (self, float, R *goban_mlp_work_size (&net->send[d], K));
      self->passings[d].heard = goban_own (self, float, R *KD);
      self->passings[d].receive
          = goban_own (self, float, R *goban_mlp_work_size (&net->receive[d], K));
    }
  self->z = goban_own (self, float, 2 * KD);
  for (int p = 0; p < N_POOLS; p++)
    {
      self->pool_send[p] = goban_own (self, float, goban_mlp_work_size (&net->pool_send[p], K));
      self->pool_receive[p]
          = goban_own (self, float, goban_mlp_work_size (&net->pool_receive[p], 1));
    }
  self->pooled = goban_own (self, float, N_POOLS * 2 * D);
  self->joined = goban_own (self, float, 8 * D);
  self->head = goban_own (self, float, goban_mlp_work_size (&net->head, 1));
  self->dx = goban_own (self, float, KD);
  self->dx_next = goban_own (self, float, KD);
  self->de = goban_own (self, float, KD);
  self->dheard = goban_own (self, float, KD);
  self->dsent = goban_own (self, float, 2 * KD);
  self->dz = goban_own (self, float, 2 * KD);
  self->dpooled = goban_own (self, float, 2 * D);
  self->djoined = goban_own (self, float, 8 * D);
  self->dwork = goban_own (self, float, largest_work (net, K));
  return self;
}

void
goban_placeto_work_free (GobanPlacetoWork *self)
{
  g_ptr_array_unref (self->arrays);
  g_free (self);
}

/* --- message passing -------------------------------------------------------------------------- */

static const GobanSegments *
neighbours_of (const GobanGroupGraph *graph, int direction)
{
  return direction == 0 ? &graph->predecessors : &graph->successors;
}

static gboolean
hears_nobody (const GobanSegments *neighbours, int v)
{
  return neighbours->offsets[v] == neighbours->offsets[v + 1];
}

static void
pass_forward (const GobanPlacetoNet *net, Passing *passing, const float *e,
              const GobanSegments *neighbours, int direction)
{
  const GobanMlp *f = &net->send[direction];
  const GobanMlp *g = &net->receive[direction];
  int K = neighbours->N;
  int D = net->shape.width;
  gsize KD = (gsize) K * (gsize) D;

  memcpy (passing->x, e, KD * sizeof *e);
  for (int r = 0; r < net->shape.n_rounds; r++)
    {
      float *send = passing->send + (gsize) r * goban_mlp_work_size (f, K);
      float *receive = passing->receive + (gsize) r * goban_mlp_work_size (g, K);
      float *heard = passing->heard + (gsize) r * KD;
      float *next = passing->x + (gsize) (r + 1) * KD;
      const float *answer = goban_mlp_output (g, receive, K);

      goban_mlp_forward (f, net->params, send, passing->x + (gsize) r * KD, K);
      goban_segment_mean_forward (heard, goban_mlp_output (f, send, K), neighbours, D);
      goban_mlp_forward (g, net->params, receive, heard, K);
      memcpy (next, e, KD * sizeof *e);
      for (int v = 0; v < K; v++)
        if (!hears_nobody (neighbours, v))
          for (int i = v * D; i < (v + 1) * D; i++)
            next[i] += answer[i];
    }
}

/* forward was x_r+1 = e + [hears] g (mean of f (x_r)). Hence dx_r+1 is added to de, and passes
 * through g, the mean and f to x_r. Reads the gradient of the last x from work->dx. */
static void
pass_backward (GobanPlacetoNet *net, GobanPlacetoWork *work, const Passing *passing,
               const GobanSegments *neighbours, int direction)
{
  const GobanMlp *f = &net->send[direction];
  const GobanMlp *g = &net->receive[direction];
  int K = neighbours->N;
  int D = net->shape.width;
  gsize KD = (gsize) K * (gsize) D;

  for (int r = net->shape.n_rounds - 1; r >= 0; r--)
    {
      const float *send = passing->send + (gsize) r * goban_mlp_work_size (f, K);
      const float *receive = passing->receive + (gsize) r * goban_mlp_work_size (g, K);

      for (gsize i = 0; i < KD; i++)
        work->de[i] += work->dx[i];
      for (int v = 0; v < K; v++)
        if (hears_nobody (neighbours, v))
          memset (work->dx + (gsize) v * (gsize) D, 0, (gsize) D * sizeof (float));

      memset (work->dheard, 0, KD * sizeof (float));
      goban_mlp_backward (g, net->params, work->dheard, work->dwork, work->dx,
                          passing->heard + (gsize) r * KD, receive, K);
      memset (work->dsent, 0, KD * sizeof (float));
      goban_segment_mean_backward (work->dsent, work->dheard, neighbours, D);
      memset (work->dx_next, 0, KD * sizeof (float));
      goban_mlp_backward (f, net->params, work->dx_next, work->dwork, work->dsent,
                          passing->x + (gsize) r * KD, send, K);
      memcpy (work->dx, work->dx_next, KD * sizeof (float));
    }
  for (gsize i = 0; i < KD; i++)
    work->de[i] += work->dx[i];
}

/* --- pools ------------------------------------------------------------------------------------ */

static gboolean
is_pooled (const GobanGroupGraph *graph, int current, int u, int pool)
{
  guint8 kin = graph->kin[(gsize) current * (gsize) graph->predecessors.N + (gsize) u];

  if (pool == 0)
    return (kin & GOBAN_KIN_ANCESTOR) != 0;
  if (pool == 1)
    return (kin & GOBAN_KIN_DESCENDANT) != 0;
  return kin == 0;
}

/* dpool (2D): the gradient of the pool's output. Adds to work->dz. */
static void
pool_backward (GobanPlacetoNet *net, GobanPlacetoWork *work, const GobanGroupGraph *graph,
               int current, int pool, const float *dpool)
{
  gsize W = 2 * (gsize) net->shape.width;

  memset (work->dpooled, 0, W * sizeof (float));
  goban_mlp_backward (&net->pool_receive[pool], net->params, work->dpooled, work->dwork, dpool,
                      work->pooled + (gsize) pool * W, work->pool_receive[pool], 1);
  memset (work->dsent, 0, (gsize) work->K * W * sizeof (float));
  for (gsize i = 0; i < W; i++)
    work->dpooled[i] /= (float) work->K;
  for (int u = 0; u < work->K; u++)
    if (is_pooled (graph, current, u, pool))
      memcpy (work->dsent + (gsize) u * W, work->dpooled, W * sizeof (float));
  goban_mlp_backward (&net->pool_send[pool], net->params, work->dz, work->dwork, work->dsent,
                      work->z, work->pool_send[pool], work->K);
}

/* --- the whole network ---------------------------------------------------------------------- */

void
goban_placeto_forward (const GobanPlacetoNet *net, GobanPlacetoWork *work, float *logits,
                       const float *features, const GobanGroupGraph *graph, int current)
{
  int K = work->K;
  gsize D = (gsize) net->shape.width;
  gsize last = (gsize) net->shape.n_rounds * (gsize) K * D;
  const float *e = goban_mlp_output (&net->embed, work->embed, K);

  goban_mlp_forward (&net->embed, net->params, work->embed, features, K);
  for (int d = 0; d < 2; d++)
    {
      pass_forward (net, &work->passings[d], e, neighbours_of (graph, d), d);
      for (int v = 0; v < K; v++)
        memcpy (work->z + ((gsize) v * 2 + (gsize) d) * D,
                work->passings[d].x + last + (gsize) v * D, D * sizeof (float));
    }

  memcpy (work->joined, work->z + (gsize) current * 2 * D, 2 * D * sizeof (float));
  for (int p = 0; p < N_POOLS; p++)
    {
      int W = 2 * net->shape.width;
      float *sum = work->pooled + p * W;
      const float *sent = goban_mlp_output (&net->pool_send[p], work->pool_send[p], work->K);

      goban_mlp_forward (&net->pool_send[p], net->params, work->pool_send[p], work->z, work->K);
      memset (sum, 0, (gsize) W * sizeof *sum);
      for (int u = 0; u < work->K; u++)
        if (is_pooled (graph, current, u, p))
          for (int i = 0; i < W; i++)
            sum[i] += sent[(gsize) u * (gsize) W + (gsize) i] / (float) work->K;
      goban_mlp_forward (&net->pool_receive[p], net->params, work->pool_receive[p], sum, 1);

      memcpy (work->joined + ((gsize) p + 1) * 2 * D,
              goban_mlp_output (&net->pool_receive[p], work->pool_receive[p], 1),
              2 * D * sizeof (float));
    }
  goban_mlp_forward (&net->head, net->params, work->head, work->joined, 1);
  memcpy (logits, goban_mlp_output (&net->head, work->head, 1),
          (gsize) net->shape.n_devices * sizeof (float));
}

void
goban_placeto_backward (GobanPlacetoNet *net, GobanPlacetoWork *work, const float *dlogits,
                        const float *features, const GobanGroupGraph *graph, int current)
{
  int K = work->K;
  gsize D = (gsize) net->shape.width;
  gsize KD = (gsize) K * D;

  memset (work->djoined, 0, 8 * D * sizeof (float));
  goban_mlp_backward (&net->head, net->params, work->djoined, work->dwork, dlogits, work->joined,
                      work->head, 1);

  memset (work->dz, 0, 2 * KD * sizeof (float));
  memcpy (work->dz + (gsize) current * 2 * D, work->djoined, 2 * D * sizeof (float));
  for (int p = 0; p < N_POOLS; p++)
    pool_backward (net, work, graph, current, p, work->djoined + ((gsize) p + 1) * 2 * D);

  memset (work->de, 0, KD * sizeof (float));
  for (int d = 0; d < 2; d++)
    {
      for (int v = 0; v < K; v++)
        memcpy (work->dx + (gsize) v * D, work->dz + ((gsize) v * 2 + (gsize) d) * D,
                D * sizeof (float));
      pass_backward (net, work, &work->passings[d], neighbours_of (graph, d), d);
    }
  goban_mlp_backward (&net->embed, net->params, NULL, work->dwork, work->de, features, work->embed,
                      K);
}
