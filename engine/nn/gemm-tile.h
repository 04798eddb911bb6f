/* gemm-tile.h: the innermost loops of a product. gemm.c includes it once for each set of
 * instructions.
 *
 * It takes these macros and undefines them at its end:
 *   NAME(f)     f with the set's suffix
 *   TARGET      the attribute that lets a function use the set
 *   Vector      N_LANES floats
 *   WIDE_ROWS   rows of c that fit into registers together with two vectors of b, at most N_ROWS
 *   LOAD, STORE, SPREAD, ADD, and FUSE (x, y, sum), which is x y + sum
 */

/* The sums of n_rows by n_vectors stay in registers while all inner numbers pass. Both are
 * constants wherever this is inlined. */
TARGET static inline __attribute__ ((always_inline)) void
NAME (multiply_tile) (const Strip *s, int first_row, const int n_rows, const int n_vectors)
{
  const float *a = s->a + (gsize) first_row * s->a_down;
  const float *b = s->b;
  Vector sums[N_ROWS][2];
  float rest[N_ROWS][N_LANES]; /* of the last vector, if c has fewer columns */
  int n_rest = s->n_columns - (n_vectors - 1) * N_LANES;

#pragma GCC unroll 12
  for (int r = 0; r < n_rows; r++)
    sums[r][0] = sums[r][1] = SPREAD (0.0f);
  for (int k = 0; k < s->n_inner; k++)
    {
      Vector left = LOAD (b);
      Vector right = n_vectors == 2 ? LOAD (b + N_LANES) : left;

#pragma GCC unroll 12
      for (int r = 0; r < n_rows; r++)
        {
          Vector x = SPREAD (a[(gsize) r * s->a_down]);

          sums[r][0] = FUSE (x, left, sums[r][0]);
          if (n_vectors == 2)
            sums[r][1] = FUSE (x, right, sums[r][1]);
        }
      a += s->a_right;
      b += s->b_down;
    }

#pragma GCC unroll 12
  for (int r = 0; r < n_rows; r++)
    for (int v = 0; v < n_vectors; v++)
      {
        float *c = s->c + (gsize) (first_row + r) * s->c_down + v * N_LANES;

        if (s->n_columns < (v + 1) * N_LANES)
          STORE (rest[r], sums[r][v]);
        else
          STORE (c, s->replaces ? sums[r][v] : ADD (LOAD (c), sums[r][v]));
      }

#pragma GCC unroll 1 /* unrolled, this would be most of what is compiled */
  for (int r = 0; r < n_rows && n_rest < N_LANES; r++)
    add_columns (s->c + (gsize) (first_row + r) * s->c_down + (n_vectors - 1) * N_LANES, rest[r],
                 n_rest, s->replaces);
}

#define CASE(n)                                                                                    \
  case n:                                                                                          \
    if (s->n_vectors == 1)                                                                         \
      NAME (multiply_tile) (s, first_row, n, 1);                                                   \
    else if (n <= WIDE_ROWS)                                                                       \
      NAME (multiply_tile) (s, first_row, n, 2);                                                   \
    break

TARGET static void
NAME (multiply_rows) (const Strip *s, int first_row, int n_rows)
{
  switch (n_rows)
    {
      CASE (1);
      CASE (2);
      CASE (3);
      CASE (4);
      CASE (5);
      CASE (6);
      CASE (7);
      CASE (8);
      CASE (9);
      CASE (10);
      CASE (11);
      CASE (12);
    default:
      g_assert_not_reached ();
    }
}

#undef CASE
#undef NAME
#undef TARGET
#undef Vector
#undef N_LANES
#undef WIDE_ROWS
#undef LOAD
#undef STORE
#undef SPREAD
#undef ADD
#undef FUSE
