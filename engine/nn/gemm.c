#include "engine/nn/gemm.h"

#include "engine/nn/vector.h"

#include <string.h>

#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>
#define HAS_X86 1
#else
#define HAS_X86 0
#endif

/* Inner numbers that are summed before they are added to c: the sums' order, and so their last
 * bits, depend on it. A panel of b of so many rows stays in the first cache. */
#define BLOCK 256
/* Rows of c at a time, at most. */
#define N_ROWS 12
#define MAX_LANES 16
/* More rows of b than this, far from each other, push each other out of the cache. */
#define N_NEAR 32

/* Columns of c, as many as one or two vectors hold, or fewer. */
typedef struct
{
  float *c;
  gsize c_down; /* from row to row */
  const float *a;
  gsize a_down;
  gsize a_right;
  const float *b; /* n_vectors full ones in every row */
  gsize b_down;
  int n_columns;
  int n_inner;
  int n_vectors;
  gboolean replaces; /* what stands in c */
} Strip;

/* Not inlined: a copy in each of the tiles would be most of what is compiled. */
static __attribute__ ((noinline)) void
add_columns (float *c, const float *sums, int n, gboolean replaces)
{
  for (int i = 0; i < n; i++)
    c[i] = replaces ? sums[i] : c[i] + sums[i];
}

/* --- kernels ---------------------------------------------------------------------------------- */

#if HAS_X86
#define NAME(f) f##_avx512
#define TARGET __attribute__ ((target ("avx512f")))
#define Vector __m512
#define N_LANES 16
#define WIDE_ROWS 12
#define LOAD(p) _mm512_loadu_ps (p)
#define STORE(p, x) _mm512_storeu_ps (p, x)
#define SPREAD(x) _mm512_set1_ps (x)
#define ADD(x, y) _mm512_add_ps (x, y)
#define FUSE(x, y, sum) _mm512_fmadd_ps (x, y, sum)
#include "engine/nn/gemm-tile.h"

#define NAME(f) f##_fma
#define TARGET __attribute__ ((target ("avx2,fma")))
#define Vector __m256
#define N_LANES 8
#define WIDE_ROWS 6
#define LOAD(p) _mm256_loadu_ps (p)
#define STORE(p, x) _mm256_storeu_ps (p, x)
#define SPREAD(x) _mm256_set1_ps (x)
#define ADD(x, y) _mm256_add_ps (x, y)
#define FUSE(x, y, sum) _mm256_fmadd_ps (x, y, sum)
#include "engine/nn/gemm-tile.h"
#endif

/* Four floats in the compiler's own vectors, for any processor. */
typedef float Four __attribute__ ((vector_size (16)));

static inline Four
load_four (const float *p)
{
  Four x;

  memcpy (&x, p, sizeof x);
  return x;
}

static inline void
store_four (float *p, Four x)
{
  memcpy (p, &x, sizeof x);
}

static inline Four
fuse_four (Four x, Four y, Four sum)
{
#ifdef __FP_FAST_FMAF
  for (int i = 0; i < 4; i++)
    sum[i] = __builtin_fmaf (x[i], y[i], sum[i]);
  return sum;
#else
  return x * y + sum;
#endif
}

#define NAME(f) f##_plain
#define TARGET
#define Vector Four
#define N_LANES 4
#define WIDE_ROWS 6
#define LOAD(p) load_four (p)
#define STORE(p, x) store_four (p, x)
#define SPREAD(x) ((Four){ x, x, x, x })
#define ADD(x, y) ((x) + (y))
#define FUSE(x, y, sum) fuse_four (x, y, sum)
#include "engine/nn/gemm-tile.h"

typedef struct
{
  const char *name;
  int n_lanes;
  int wide_rows;
  void (*multiply_rows) (const Strip *s, int first_row, int n_rows);
} Kernel;

/* The fastest first; the last one is for every processor. */
static const Kernel kernels[] = {
#if HAS_X86
  { "avx512", 16, 12, multiply_rows_avx512 },
  { "fma", 8, 6, multiply_rows_fma },
#endif
  { "plain", 4, 6, multiply_rows_plain },
};

static const Kernel *kernel;

static gboolean
can_run (const Kernel *self)
{
#if HAS_X86
  if (self->multiply_rows == multiply_rows_avx512)
    return __builtin_cpu_supports ("avx512f") && __builtin_cpu_supports ("fma");
  if (self->multiply_rows == multiply_rows_fma)
    return __builtin_cpu_supports ("avx2") && __builtin_cpu_supports ("fma");
#endif
  return TRUE;
}

gboolean
goban_gemm_use (const char *name)
{
  for (gsize i = 0; i < G_N_ELEMENTS (kernels); i++)
    if (g_str_equal (kernels[i].name, name) && can_run (&kernels[i]))
      {
        kernel = &kernels[i];
        return TRUE;
      }
  return FALSE;
}

static const Kernel *
find_kernel (void)
{
  static gsize is_found = 0;

  if (g_once_init_enter (&is_found))
    {
      const char *wanted = g_getenv ("GOBAN_KERNEL");
      gsize i = 0;

      if (kernel == NULL && (wanted == NULL || !goban_gemm_use (wanted)))
        {
          while (!can_run (&kernels[i]))
            i++;
          kernel = &kernels[i];
        }
      g_once_init_leave (&is_found, 1);
    }
  return kernel;
}

const char *
goban_gemm_get_kernel (void)
{
  return find_kernel ()->name;
}

/* --- products --------------------------------------------------------------------------------- */

typedef struct
{
  const float *x;
  gsize down;
  gsize right;
} Matrix;

typedef struct
{
  int M;
  int N;
  int K;
} Size;

/* Copies n_rows of n_columns, and as many zeros as fill the panel's width. */
GOBAN_VECTOR static void
pack_rows (float *restrict panel, const Matrix *b, int n_rows, int n_columns, int width)
{
  for (int k = 0; k < n_rows; k++)
    {
      const float *row = b->x + (gsize) k * b->down;
      float *to = panel + (gsize) k * (gsize) width;

      for (int n = 0; n < n_columns; n++)
        to[n] = row[n];
      for (int n = n_columns; n < width; n++)
        to[n] = 0;
    }
}

/* The same of a matrix whose columns are stored one after the other: four at a time, so that the
 * panel's lines are written in pieces. */
GOBAN_VECTOR static void
pack_columns (float *restrict panel, const Matrix *b, int n_rows, int n_columns, int width)
{
  int n = 0;

  for (; n + 4 <= n_columns; n += 4)
    {
      const float *column = b->x + (gsize) n * b->right;
      gsize right = b->right;

      for (int k = 0; k < n_rows; k++)
        {
          float *to = panel + (gsize) k * (gsize) width + n;

          to[0] = column[k];
          to[1] = column[right + (gsize) k];
          to[2] = column[2 * right + (gsize) k];
          to[3] = column[3 * right + (gsize) k];
        }
    }
  for (; n < width; n++)
    for (int k = 0; k < n_rows; k++)
      panel[(gsize) k * (gsize) width + n] = n < n_columns ? b->x[(gsize) n * b->right + k] : 0;
}

/* Columns from @first on, as one strip, for inner numbers that fit in a block. Returns their
 * number. */
static int
multiply_strip (const Kernel *self, Strip *s, const Matrix *b, int n_rows, int n_left)
{
  float panel[BLOCK * 2 * MAX_LANES] __attribute__ ((aligned (64)));
  int width, n_together;
  gboolean is_far;

  s->n_vectors = n_left > self->n_lanes ? 2 : 1;
  width = s->n_vectors * self->n_lanes;
  n_together = s->n_vectors == 2 ? self->wide_rows : N_ROWS;
  s->n_columns = MIN (n_left, width);
  is_far = s->n_inner > N_NEAR && b->down > (gsize) (4 * MAX_LANES) && n_rows > n_together;

  s->b = panel;
  s->b_down = (gsize) width;
  if (b->right != 1)
    pack_columns (panel, b, s->n_inner, s->n_columns, width);
  else if (s->n_columns < width || is_far)
    pack_rows (panel, b, s->n_inner, s->n_columns, width);
  else
    {
      s->b = b->x;
      s->b_down = b->down;
    }
  for (int m = 0; m < n_rows; m += n_together)
    self->multiply_rows (s, m, MIN (n_together, n_rows - m));
  return s->n_columns;
}

static void
multiply (float *c, Matrix a, Matrix b, Size size, gboolean replaces)
{
  const Kernel *self = find_kernel ();

  for (int k = 0; k < size.K; k += BLOCK)
    for (int n = 0; n < size.N;)
      {
        Matrix part = { b.x + (gsize) k * b.down + (gsize) n * b.right, b.down, b.right };
        Strip s = {
          .c = c + n,
          .c_down = (gsize) size.N,
          .a = a.x + (gsize) k * a.right,
          .a_down = a.down,
          .a_right = a.right,
          .n_inner = MIN (BLOCK, size.K - k),
          .replaces = replaces && k == 0,
        };

        n += multiply_strip (self, &s, &part, size.M, size.N - n);
      }
}

void
goban_gemm_nn (float *c, const float *a, const float *b, int M, int N, int K)
{
  multiply (c, (Matrix){ a, (gsize) K, 1 }, (Matrix){ b, (gsize) N, 1 }, (Size){ M, N, K }, FALSE);
}

void
goban_gemm_nn_over (float *c, const float *a, const float *b, int M, int N, int K)
{
  if (K == 0)
    memset (c, 0, (gsize) M * (gsize) N * sizeof *c);
  multiply (c, (Matrix){ a, (gsize) K, 1 }, (Matrix){ b, (gsize) N, 1 }, (Size){ M, N, K }, TRUE);
}

void
goban_gemm_nt (float *c, const float *a, const float *b, int M, int N, int K)
{
  multiply (c, (Matrix){ a, (gsize) K, 1 }, (Matrix){ b, 1, (gsize) K }, (Size){ M, N, K }, FALSE);
}

void
goban_gemm_tn (float *c, const float *a, const float *b, int M, int N, int K)
{
  multiply (c, (Matrix){ a, 1, (gsize) M }, (Matrix){ b, (gsize) N, 1 }, (Size){ M, N, K }, FALSE);
}
