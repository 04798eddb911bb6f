/* bench-policy-net.c: GO's network on as many rows as an 8-layer GNMT has, and on few.
 *
 * Work is counted exactly: every multiplication of every product of matrices. Times are those of all threads'
 * processors together, so rates are a thread's; the machine's own is measured on the same shapes, as if
 * forward were those products alone.
 */
#include "engine/nn/gemm.h"
#include "engine/policy/network.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#define N_LARGE 84464
#define N_SMALL 512
#define N_DEVICES 8
#define BLOCK 256

/* Of all threads together: a busy machine disturbs it as little as it can. */
static double
now_ms (void)
{
  struct timespec now;

  clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double) now.tv_sec * 1e3 + (double) now.tv_nsec * 1e-6;
}

static float *
new_numbers (gsize n, guint64 seed)
{
  float *values = g_new (float, n);
  GobanRng rng;

  goban_rng_init (&rng, seed);
  for (gsize i = 0; i < n; i++)
    values[i] = (float) (2 * goban_rng_uniform (&rng) - 1);
  return values;
}

/* --- a board ----------------------------------------------------------------------------------- */

typedef struct
{
  guint32 *offsets, *ids;
} Edges;

static GobanSegments
make_segments (Edges *edges, const guint32 *tails, const guint32 *heads, gsize n_edges, guint n)
{
  g_autofree guint32 *at = NULL;

  edges->offsets = g_new0 (guint32, n + 1);
  edges->ids = g_new (guint32, n_edges);
  for (gsize e = 0; e < n_edges; e++)
    edges->offsets[heads[e] + 1]++;
  for (guint v = 0; v < n; v++)
    edges->offsets[v + 1] += edges->offsets[v];
  at = g_memdup2 (edges->offsets, n * sizeof *at);
  for (gsize e = 0; e < n_edges; e++)
    edges->ids[at[heads[e]]++] = tails[e];
  return (GobanSegments){ edges->offsets, edges->ids, (int) n };
}

/* Rows that read from one or two of the thousand before them. */
static GobanBoard *
new_board (guint n)
{
  GobanBoard *self = g_new0 (GobanBoard, 1);
  gsize n_edges = 0;
  g_autofree guint32 *tails = g_new (guint32, 4 * (gsize) n);
  g_autofree guint32 *heads = g_new (guint32, 4 * (gsize) n);
  Edges edges;
  GobanRng rng;

  goban_rng_init (&rng, 1);
  for (guint v = 1; v < n; v++)
    for (guint i = 0; i <= v % 2; i++)
      {
        tails[n_edges] = v - 1 - goban_rng_below (&rng, MIN (v, 1000));
        heads[n_edges++] = v;
      }
  self->n_rows = n;
  self->n_devices = N_DEVICES;
  self->inputs = make_segments (&edges, tails, heads, n_edges, n);
  self->outputs = make_segments (&edges, heads, tails, n_edges, n);
  memcpy (tails + n_edges, heads, n_edges * sizeof *tails);
  memcpy (heads + n_edges, tails, n_edges * sizeof *heads);
  self->both = make_segments (&edges, tails, heads, 2 * n_edges, n);
  self->x = new_numbers ((gsize) n * GOBAN_BOARD_N_FEATURES, 2);
  self->devices = new_numbers (N_DEVICES * GOBAN_DEVICE_N_FEATURES, 3);
  self->allowed = g_new (guint8, (gsize) n * N_DEVICES);
  memset (self->allowed, 1, (gsize) n * N_DEVICES);
  self->weights = g_new (float, n);
  for (guint v = 0; v < n; v++)
    self->weights[v] = 1.0f / (float) n;
  return self;
}

static void
free_board (GobanBoard *self)
{
  const GobanSegments *all[] = { &self->inputs, &self->outputs, &self->both };

  for (gsize i = 0; i < G_N_ELEMENTS (all); i++)
    {
      g_free ((gpointer) all[i]->offsets);
      g_free ((gpointer) all[i]->ids);
    }
  g_free (self->x);
  g_free (self->devices);
  g_free (self->allowed);
  g_free (self->weights);
  g_free (self);
}

/* --- work -------------------------------------------------------------------------------------- */

/* One kind of product: a block of M rows, N columns, K inner; so many of them a forward. */
typedef struct
{
  int M, N, K;
  double n_times;
  gboolean is_nn; /* else nt */
} Product;

#define MAX_PRODUCTS 8

static int
list_products (const GobanNetConfig *config, double n, Product *products)
{
  int W = config->width, S = config->segment, d = W / config->n_heads;
  double n_blocks = n / BLOCK, n_segments = n / S;
  int n_directions = config->is_directed ? 2 : 1, n_layers = config->n_attention + 1;
  int n_features = config->paper_features ? GOBAN_BOARD_N_PAPER : GOBAN_BOARD_N_FEATURES;
  int n_square = config->n_sage * (1 + 2 * n_directions) + 4 * n_layers + (config->modulation != 0);

  products[0] = (Product){ BLOCK, W, n_features, n_blocks, FALSE };
  products[1] = (Product){ BLOCK, W, W, n_blocks * n_square, FALSE };
  products[2] = (Product){ BLOCK, config->ffn, W, n_blocks * n_layers, FALSE };
  products[3] = (Product){ BLOCK, W, config->ffn, n_blocks * n_layers, FALSE };
  /* The first segment remembers nothing. */
  products[4] = (Product){ S, 2 * S, d, (n_segments - 0.5) * n_layers * config->n_heads, FALSE };
  products[5] = (Product){ S, d, 2 * S, (n_segments - 0.5) * n_layers * config->n_heads, TRUE };
  products[6] = (Product){ BLOCK, N_DEVICES, W, n_blocks, FALSE };
  return 7;
}

/* Milliseconds that the products of a forward take one thread. */
static double
measure_products (const Product *products, int n_products, double *flops)
{
  double total_ms = 0;

  *flops = 0;
  for (int i = 0; i < n_products; i++)
    {
      const Product *product = &products[i];
      int M = product->M, N = product->N, K = product->K;
      double each = 2.0 * M * N * K, best_ms = 1e9;
      int n_times = (int) MAX (1, 5e7 / each);
      g_autofree float *a = new_numbers ((gsize) M * K, 1);
      g_autofree float *b = new_numbers ((gsize) N * K, 2);
      g_autofree float *c = new_numbers ((gsize) M * N, 3);

      for (int run = 0; run < 5; run++)
        {
          double start = now_ms ();

          for (int j = 0; j < n_times; j++)
            (product->is_nn ? goban_gemm_nn : goban_gemm_nt) (c, a, b, M, N, K);
          best_ms = MIN (best_ms, (now_ms () - start) / n_times);
        }
      *flops += each * product->n_times;
      total_ms += best_ms * product->n_times;
    }
  return total_ms;
}

static void
bench (const char *name, GobanNetConfig config, guint n_rows)
{
  GobanBoard *board = new_board (n_rows);
  g_autoptr (GobanPass) pass = goban_pass_new (&config, board);
  g_autoptr (GobanChoices) choices = goban_choices_new (&config, n_rows);
  g_autoptr (GobanNet) net = NULL;
  Product products[MAX_PRODUCTS];
  double embed_ms = 1e9, decide_ms = 1e9, back_ms = 1e9, flops, products_ms;
  float *dlogits;
  GobanRng rng;

  goban_rng_init (&rng, 1);
  net = goban_net_new (&config, &rng);
  for (int run = 0; run < (n_rows < 10000 ? 20 : 3); run++)
    {
      double times[4] = { now_ms () };

      goban_pass_embed (pass, net);
      times[1] = now_ms ();
      goban_pass_decide (pass, net, choices, &rng);
      times[2] = now_ms ();
      dlogits = goban_pass_get_logits_grad (pass, 0, GOBAN_DECIDE_PLACEMENT);
      for (gsize i = 0; i < (gsize) n_rows * N_DEVICES; i++)
        dlogits[i] = (float) (i % 7) - 3;
      times[3] = now_ms ();
      goban_pass_decide_backward (pass, net, choices);
      goban_pass_embed_backward (pass, net);
      back_ms = MIN (back_ms, now_ms () - times[3]);
      embed_ms = MIN (embed_ms, times[1] - times[0]);
      decide_ms = MIN (decide_ms, times[2] - times[1]);
    }
  products_ms = measure_products (products, list_products (&config, n_rows, products), &flops);
  printf ("policy-%s-%u-embed %.1f cpu-ms\n", name, n_rows, embed_ms);
  printf ("policy-%s-%u-decide %.1f cpu-ms\n", name, n_rows, decide_ms);
  printf ("policy-%s-%u-backward %.1f cpu-ms\n", name, n_rows, back_ms);
  printf ("policy-%s-%u-forward-rate %.1f GF/s\n", name, n_rows,
          flops / ((embed_ms + decide_ms) * 1e6));
  printf ("policy-%s-%u-products-rate %.1f GF/s\n", name, n_rows,
          flops / (products_ms * 1e6));
  printf ("policy-%s-%u-memory %.0f MiB\n", name, n_rows,
          (double) goban_pass_get_size_bytes (pass) / (1 << 20));
  free_board (board);
}

int
main (void)
{
  bench ("goban", goban_net_config_goban (), N_SMALL);
  bench ("paper", goban_net_config_paper (), N_SMALL);
  bench ("goban", goban_net_config_goban (), N_LARGE);
  bench ("paper", goban_net_config_paper (), N_LARGE);
  return 0;
}
