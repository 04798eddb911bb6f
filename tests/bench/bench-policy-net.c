/* bench-policy-net.c: GO's network on an 8-layer GNMT, a row for every unit, and on few rows.
 *
 * Work is counted exactly: every multiplication of every product of matrices. Times are those of
 * all threads' processors together, so rates are a thread's. Beside them stands what forward would
 * reach if it were those products alone, of matrices that begin at lines of the cache and stay in
 * it:
 *   sgemm      OpenBLAS's, a call a product, rows by columns or rows by rows, whichever is quicker
 *   products   engine/learn/nn/gemm.h as forward calls it
 */
#include "engine/graph/workloads/workload.h"
#include "engine/learn/nn/gemm.h"
#include "engine/learn/policy/network.h"
#include "engine/learn/policy/pass.h"
#include "tests/bench/bench-clock.h"

#include <cblas.h>
#include <stdio.h>

#define N_FEW 512
#define N_DEVICES 8
#define BLOCK 256

static float *
new_numbers (gsize n, guint64 seed)
{
  float *values = g_aligned_alloc (n, sizeof *values, 64);
  GobanRng rng;

  goban_rng_init (&rng, seed);
  for (gsize i = 0; i < n; i++)
    values[i] = (float) (2 * goban_rng_uniform (&rng) - 1);
  return values;
}

/* --- work ----------------------------------------------------------------------------------- */

/* One kind of product: a block of M rows, N columns, K inner; so many of them a forward. */
typedef struct
{
  int M, N, K;
  double n_times;
  gboolean is_nt; /* else nn */
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
  products[5] = (Product){ S, d, 2 * S, (n_segments - 0.5) * n_layers * config->n_heads, FALSE };
  products[6] = (Product){ BLOCK, N_DEVICES, W, n_blocks, TRUE };
  return 7;
}

/* All as goban_gemm_nn(). */
typedef void (*Multiply) (float *c, const float *a, const float *b, int M, int N, int K);

static void
sgemm_nn (float *c, const float *a, const float *b, int M, int N, int K)
{
  cblas_sgemm (CblasRowMajor, CblasNoTrans, CblasNoTrans, M, N, K, 1, a, K, b, N, 1, c, N);
}

static void
sgemm_nt (float *c, const float *a, const float *b, int M, int N, int K)
{
  cblas_sgemm (CblasRowMajor, CblasNoTrans, CblasTrans, M, N, K, 1, a, K, b, K, 1, c, N);
}

/* Milliseconds of one, the least of several runs. */
static double
measure_product (const Product *product, Multiply multiply)
{
  int M = product->M, N = product->N, K = product->K;
  int n_times = (int) MAX (1, 5e7 / (2.0 * M * N * K));
  double best_ms = 1e9;
  float *a = new_numbers ((gsize) M * K, 1);
  float *b = new_numbers ((gsize) N * K, 2);
  float *c = new_numbers ((gsize) M * N, 3);

  for (int run = 0; run < 5; run++)
    {
      double start = process_ms ();

      for (int j = 0; j < n_times; j++)
        multiply (c, a, b, M, N, K);
      best_ms = MIN (best_ms, (process_ms () - start) / n_times);
    }
  g_aligned_free (a);
  g_aligned_free (b);
  g_aligned_free (c);
  return best_ms;
}

typedef struct
{
  double gflops;
  double sgemm_ms, products_ms;
} Work;

/* The products of a forward, in one thread. */
static Work
measure_products (const GobanNetConfig *config, double n)
{
  Product products[MAX_PRODUCTS];
  int n_products = list_products (config, n, products);
  Work work = { 0 };

  for (int i = 0; i < n_products; i++)
    {
      const Product *product = &products[i];
      double nn_ms = measure_product (product, sgemm_nn);
      double nt_ms = measure_product (product, sgemm_nt);
      double own_ms = measure_product (product, product->is_nt ? goban_gemm_nt : goban_gemm_nn);

      work.gflops += 2e-9 * product->M * product->N * product->K * product->n_times;
      work.sgemm_ms += MIN (nn_ms, nt_ms) * product->n_times;
      work.products_ms += own_ms * product->n_times;
    }
  return work;
}

static void
print_rates (const char *name, guint n_rows, const GobanNetConfig *config, double forward_ms)
{
  Work work = measure_products (config, n_rows);

  printf ("policy-%s-%u-forward-rate %.1f GF/s\n", name, n_rows, work.gflops / forward_ms * 1e3);
  printf ("policy-%s-%u-sgemm-rate %.1f GF/s\n", name, n_rows, work.gflops / work.sgemm_ms * 1e3);
  printf ("policy-%s-%u-products-rate %.1f GF/s\n", name, n_rows,
          work.gflops / work.products_ms * 1e3);
  printf ("policy-%s-%u-forward-by-sgemm %.2f ratio\n", name, n_rows, work.sgemm_ms / forward_ms);
}

static void
bench (const char *name, GobanNetConfig config, const GobanBoard *board)
{
  guint n_rows = board->n_rows;
  g_autoptr (GobanPass) pass = goban_pass_new (&config, board);
  g_autoptr (GobanChoices) choices = goban_choices_new (&config, n_rows);
  g_autoptr (GobanNet) net = NULL;
  double embed_ms = 1e9, decide_ms = 1e9, back_ms = 1e9;
  float *dlogits;
  GobanRng rng;

  goban_rng_init (&rng, 1);
  net = goban_net_new (&config, &rng);
  for (int run = 0; run < (n_rows < 10000 ? 20 : 3); run++)
    {
      double times[4] = { process_ms () };

      goban_pass_embed (pass, net);
      times[1] = process_ms ();
      goban_pass_decide (pass, net, choices, &rng);
      times[2] = process_ms ();
      dlogits = goban_pass_get_logits_grad (pass, 0, GOBAN_DECIDE_PLACEMENT);
      for (gsize i = 0; i < (gsize) n_rows * N_DEVICES; i++)
        dlogits[i] = (float) (i % 7) - 3;
      times[3] = process_ms ();
      goban_pass_decide_backward (pass, net, choices);
      goban_pass_embed_backward (pass, net);
      back_ms = MIN (back_ms, process_ms () - times[3]);
      embed_ms = MIN (embed_ms, times[1] - times[0]);
      decide_ms = MIN (decide_ms, times[2] - times[1]);
    }
  printf ("policy-%s-%u-embed %.1f cpu-ms\n", name, n_rows, embed_ms);
  printf ("policy-%s-%u-decide %.1f cpu-ms\n", name, n_rows, decide_ms);
  printf ("policy-%s-%u-backward %.1f cpu-ms\n", name, n_rows, back_ms);
  print_rates (name, n_rows, &config, embed_ms + decide_ms);
  printf ("policy-%s-%u-memory %.0f MiB\n", name, n_rows,
          (double) goban_pass_get_size_bytes (pass) / (1 << 20));
  fflush (stdout);
}

int
main (void)
{
  g_autoptr (GobanGraph) graph
      = goban_workload_generate ("gnmt:layers=8", NULL); /* a spec of ours */
  g_autoptr (GobanCluster) cluster = goban_cluster_new_from_spec ("p100x8", NULL); /* likewise */
  g_autoptr (GobanCostModel) costs = goban_cost_model_new (graph, cluster, GOBAN_EXECUTION_EVENTS);
  g_autoptr (GobanBoard) few = goban_board_new (costs, N_FEW, NULL); /* anything runs on a P100 */
  g_autoptr (GobanBoard) all = goban_board_new (costs, 0, NULL);     /* likewise */

  bench ("goban", goban_net_config_goban (), few);
  bench ("paper", goban_net_config_paper (), few);
  bench ("goban", goban_net_config_goban (), all);
  bench ("paper", goban_net_config_paper (), all);
  return 0;
}
