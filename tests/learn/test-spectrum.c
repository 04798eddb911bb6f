#include "engine/core/rng.h"
#include "engine/learn/policy/spectrum.h"
#include "tests/support/test-program.h"

#include <math.h>
#include <string.h>

#define K GOBAN_SPECTRUM_SIZE

/* An undirected graph from pairs, neighbours ascending. */
typedef struct
{
  GobanSegments segments;
  guint32 *offsets;
  guint32 *ids;
} Net;

/* links (n x n): 1 where there is one. */
static Net
net_new (const guint8 *links, guint n)
{
  Net net = { .offsets = g_new0 (guint32, n + 1), .ids = g_new0 (guint32, (gsize) n * n + 1) };
  guint32 count = 0;

  for (guint i = 0; i < n; i++)
    {
      for (guint j = 0; j < n; j++)
        if (links[i * n + j])
          net.ids[count++] = j;
      net.offsets[i + 1] = count;
    }
  net.segments = (GobanSegments){ net.offsets, net.ids, (int) n };
  return net;
}

static void
net_clear (Net *net)
{
  g_free (net->offsets);
  g_free (net->ids);
}

static void
link_pair (guint8 *links, guint n, guint a, guint b)
{
  links[a * n + b] = links[b * n + a] = a != b;
}

static guint8 *
path_links (guint n)
{
  guint8 *links = g_new0 (guint8, (gsize) n * n);

  for (guint i = 1; i < n; i++)
    link_pair (links, n, i - 1, i);
  return links;
}

/* A spanning path of jumps, and as many links again at random. */
static guint8 *
random_links (guint n, GobanRng *rng)
{
  guint8 *links = g_new0 (guint8, (gsize) n * n);

  for (guint i = 1; i < n; i++)
    {
      guint reach = 1 + goban_rng_below (rng, MIN (i, 4));

      link_pair (links, n, i, i - reach);
      link_pair (links, n, i, goban_rng_below (rng, i));
    }
  return links;
}

/* |L x - value x| over |x|, by definition. */
static double
residual (const Net *net, const float *vectors, double value, int k)
{
  int n = net->segments.N;
  double error = 0, size = 0;

  for (int i = 0; i < n; i++)
    {
      double own = (double) vectors[(gsize) i * K + k];
      double degree = net->offsets[i + 1] - net->offsets[i];
      double sum = own;

      for (guint32 e = net->offsets[i]; e < net->offsets[i + 1]; e++)
        {
          guint32 j = net->ids[e];
          double other_degree = net->offsets[j + 1] - net->offsets[j];

          sum -= (double) vectors[(gsize) j * K + k] / sqrt (degree * other_degree);
        }
      error += (sum - value * own) * (sum - value * own);
      size += own * own;
    }
  return sqrt (error / size);
}

/* L of a path of n: 1 - cos (pi k / (n - 1)), with cos (pi k i / (n - 1)) D^1/2 for a vector. */
static void
test_path (void)
{
  for (guint n = 12; n <= 48; n += 12)
    {
      g_autofree guint8 *links = path_links (n);
      g_autofree float *vectors = g_new (float, (gsize) n *K);
      Net net = net_new (links, n);
      double values[K];

      goban_spectrum (vectors, values, &net.segments);
      for (guint k = 0; k < K; k++)
        {
          double angle = G_PI * (k + 1) / (n - 1);
          double size = 0, product = 0;

          g_assert_cmpfloat_with_epsilon (values[k], 1 - cos (angle), 1e-3);
          for (guint i = 0; i < n; i++)
            {
              double expected = cos (angle * i) * sqrt (i == 0 || i == n - 1 ? 1 : 2);

              size += expected * expected;
              product += expected * (double) vectors[i * K + k];
            }
          g_assert_cmpfloat_with_epsilon (fabs (product) / sqrt (size * n), 1, 1e-3);
        }
      net_clear (&net);
    }
}

static void
test_random_graphs (void)
{
  GobanRng rng;

  goban_rng_init (&rng, (guint64) g_test_rand_int_range (0, G_MAXINT32));
  for (guint round = 0; round < 20; round++)
    {
      guint n = 20 + goban_rng_below (&rng, 150);
      g_autofree guint8 *links = random_links (n, &rng);
      g_autofree float *vectors = g_new (float, (gsize) n *K);
      Net net = net_new (links, n);
      double values[K];

      goban_spectrum (vectors, values, &net.segments);
      for (int k = 0; k < K; k++)
        {
          double squares = 0;

          for (guint i = 0; i < n; i++)
            squares += (double) vectors[i * K + (guint) k] * (double) vectors[i * K + (guint) k];
          g_assert_cmpfloat_with_epsilon (squares / n, 1, 1e-3);
          if (k > 0)
            g_assert_cmpfloat (values[k], >=, values[k - 1]);
          /* The last ones have the neighbours beyond them to be told apart from. */
          g_test_message ("%u rows: %d: %g", n, k, residual (&net, vectors, values[k], k));
          g_assert_cmpfloat (residual (&net, vectors, values[k], k), <, k < K / 2 ? 0.01 : 0.1);
        }
      net_clear (&net);
    }
}

/* Two paths and three rows alone: one more vector of eigenvalue 0, which distinguishes the
 * paths. */
static void
test_several_parts (void)
{
  const guint n = 43;
  g_autofree guint8 *links = g_new0 (guint8, n * n);
  g_autofree float *vectors = g_new (float, n *K);
  Net net;
  double values[K];

  for (guint i = 1; i < 40; i++)
    if (i != 25)
      link_pair (links, n, i - 1, i);
  net = net_new (links, n);
  goban_spectrum (vectors, values, &net.segments);
  g_assert_cmpfloat_with_epsilon (values[0], 0, 1e-5);
  g_assert_cmpfloat (values[1], >, 1e-3);
  for (guint i = 0; i < 40; i++)
    g_assert_true ((vectors[i * K] < 0) == (i < 25));
  for (guint i = 40 * K; i < n * K; i++)
    g_assert_cmpfloat ((double) vectors[i], ==, 0);
  net_clear (&net);
}

/* n rows, all pairs of them linked or none: as many vectors as there can be, and zeros. */
static void
test_small_graphs (void)
{
  for (guint n = 1; n <= 10; n++)
    for (guint is_linked = 0; is_linked < 2; is_linked++)
      {
        g_autofree guint8 *links = g_new0 (guint8, n * n);
        g_autofree float *vectors = g_new (float, n *K);
        Net net;
        double values[K];

        for (guint i = 0; i < n * n; i++)
          links[i] = is_linked && i % n != i / n;
        net = net_new (links, n);
        goban_spectrum (vectors, values, &net.segments);
        for (guint k = 0; k < K; k++)
          {
            gboolean is_there = is_linked && k + 1 < n;
            double squares = 0;

            for (guint i = 0; i < n; i++)
              squares += (double) vectors[i * K + k] * (double) vectors[i * K + k];
            g_assert_cmpfloat_with_epsilon (squares / n, is_there, 1e-4);
            g_assert_cmpfloat_with_epsilon (values[k], is_there ? n / (n - 1.0) : 0, 1e-4);
          }
        net_clear (&net);
      }
}

static void
test_same_bytes (void)
{
  const guint n = 9000; /* rows of several parts */
  g_autofree guint32 *offsets = g_new0 (guint32, n + 1);
  g_autofree guint32 *ids = g_new (guint32, 2 * n);
  g_autofree float *first = g_new (float, n *K);
  g_autofree float *again = g_new (float, n *K);
  double values[K], values_again[K];
  GobanSegments ring = { offsets, ids, (int) n };

  for (guint i = 0; i < n; i++)
    {
      guint before = (i + n - 1) % n, after = (i + 1) % n;

      offsets[i + 1] = 2 * (i + 1);
      ids[2 * i] = MIN (before, after);
      ids[2 * i + 1] = MAX (before, after);
    }
  goban_spectrum (first, values, &ring);
  for (guint i = 0; i < 3; i++)
    {
      goban_spectrum (again, values_again, &ring);
      g_assert_cmpmem (first, n * K * sizeof *first, again, n * K * sizeof *again);
      g_assert_cmpmem (values, sizeof values, values_again, sizeof values_again);
    }
  for (guint k = 0; k < K; k++)
    {
      g_assert_cmpfloat (values[k], <, 1e-3);
      for (guint other = 0; other <= k; other++)
        {
          double product = 0;

          for (guint i = 0; i < n; i++)
            product += (double) first[i * K + k] * (double) first[i * K + other];
          g_assert_cmpfloat_with_epsilon (product / n, k == other, 1e-4);
        }
    }
}

/* The first vector of a path rises along it, in whatever direction its links were made. */
static void
test_sign (void)
{
  const guint n = 30;
  g_autofree guint8 *links = path_links (n);
  g_autofree float *vectors = g_new (float, n *K);
  Net net = net_new (links, n);
  double values[K];

  goban_spectrum (vectors, values, &net.segments);
  g_assert_cmpfloat ((double) vectors[0], <, 0);
  g_assert_cmpfloat ((double) vectors[(n - 1) * K], >, 0);
  net_clear (&net);
}

TEST_PROGRAM (spectrum)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/spectrum/path", test_path);
  g_test_add_func ("/spectrum/random-graphs", test_random_graphs);
  g_test_add_func ("/spectrum/several-parts", test_several_parts);
  g_test_add_func ("/spectrum/small-graphs", test_small_graphs);
  g_test_add_func ("/spectrum/same-bytes", test_same_bytes);
  g_test_add_func ("/spectrum/sign", test_sign);
  return g_test_run ();
}
