#include "engine/machine/parallel/schedule-csv.h"

#include "engine/core/error.h"
#include "tests/support/shared-data.h"
#include "tests/support/test-program.h"

#include <math.h>
#include <string.h>

static GobanSchedule *
make (const char *name, guint n_ranks, guint n_stages, guint n_batches)
{
  g_autoptr (GError) error = NULL;
  GobanScheduleShape shape = { n_ranks, n_stages, n_batches, TRUE, NULL };
  GobanSchedule *self = goban_schedule_new (name, &shape, &error);

  g_assert_no_error (error);
  return self;
}

static void
assert_close (double value, double expected)
{
  g_assert_cmpfloat (fabs (value - expected), <, 1e-12);
}

/* (p - 1) / (m + p - 1), whatever the ratio of the times; less by the number of stages a rank where
 * they are interleaved. */
static void
test_formulas (void)
{
  for (guint p = 1; p <= 6; p++)
    for (guint m = 1; m <= 12; m++)
      for (double ratio = 1; ratio <= 3; ratio++)
        {
          g_autoptr (GobanSchedule) gpipe = make ("gpipe", p, p, m);
          g_autoptr (GobanSchedule) plain = make ("1f1b", p, p, m);
          g_autoptr (GobanSchedule) chunks = m % p == 0 ? make ("interleaved", p, 3 * p, m) : NULL;
          double bubble = (p - 1.0) / (m + p - 1);

          assert_close (goban_schedule_get_uniform_bubble (gpipe, ratio), bubble);
          assert_close (goban_schedule_get_uniform_bubble (plain, ratio), bubble);
          if (chunks != NULL)
            assert_close (goban_schedule_get_uniform_bubble (chunks, ratio),
                          (p - 1.0) / (3 * m + p - 1));
        }
}

/* ZB-H1 with equal parts: a third of 1F1B's bubble, (p - 1) (F + B - W). */
static void
test_zero_bubble (void)
{
  for (guint p = 1; p <= 6; p++)
    for (guint m = p; m <= 3 * p; m++)
      {
        g_autoptr (GobanSchedule) self = make ("zero-bubble", p, p, m);

        assert_close (goban_schedule_get_uniform_bubble (self, 2), (p - 1.0) / (3 * m + p - 1));
      }
}

/* Every number of ranks and micro-batches gives a schedule that ends, and idles less than 1F1B with
 * as many stages as ranks does. */
static void
test_dualpipe (void)
{
  for (guint p = 1; p <= 6; p++)
    for (guint m = 2 * p; m <= 4 * p; m++)
      {
        g_autoptr (GobanSchedule) self = make ("dualpipe-v", p, 2 * p, m);
        g_autoptr (GobanSchedule) plain = make ("1f1b", p, p, m);
        g_autofree char *csv = goban_schedule_to_csv (self, NULL);
        g_autoptr (GobanSchedule) read
            = goban_schedule_parse (csv, strlen (csv), "s.csv", NULL, NULL);

        g_assert_nonnull (read);
        g_assert_cmpuint (goban_schedule_get_rank (self, 2 * p - 1), ==, 0);
        if (p > 1)
          g_assert_cmpfloat (goban_schedule_get_uniform_bubble (self, 2), <,
                             goban_schedule_get_uniform_bubble (plain, 2));
      }
}

/* No more micro-batches in flight than 1F1B has. */
static void
test_in_flight (void)
{
  static const char *const names[] = { "1f1b", "zero-bubble" };

  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autoptr (GobanSchedule) self = make (names[i], 4, 4, 9);

      for (guint rank = 0; rank < 4; rank++)
        {
          guint n, most = 0, in_flight = 0;
          const GobanStagePass *passes = goban_schedule_get_passes (self, rank, &n);

          for (guint k = 0; k < n; k++)
            {
              in_flight += passes[k].kind == GOBAN_PASS_FORWARD;
              most = MAX (most, in_flight);
              in_flight
                  -= passes[k].kind == GOBAN_PASS_BACKWARD || passes[k].kind == GOBAN_PASS_WEIGHT;
            }
          g_assert_cmpuint (in_flight, ==, 0);
          g_assert_cmpuint (most, ==, i == 0 ? 4 - rank : 4);
        }
    }
}

static void
test_orders (void)
{
  g_autoptr (GobanSchedule) plain = make ("1f1b", 3, 3, 4);
  g_autoptr (GobanSchedule) zero = make ("zero-bubble", 2, 2, 3);
  g_autoptr (GobanSchedule) chunks = make ("interleaved", 2, 4, 2);
  g_autofree char *plain_csv = goban_schedule_to_csv (plain, NULL);
  g_autofree char *zero_csv = goban_schedule_to_csv (zero, NULL);
  g_autofree char *chunks_csv
      = goban_schedule_to_csv (chunks, &(GobanScheduleStyle){ .is_older = TRUE });

  g_assert_cmpstr (plain_csv, ==,
                   "0F0,0F1,0F2,0B0,0F3,0B1,0B2,0B3\n"
                   "1F0,1F1,1B0,1F2,1B1,1F3,1B2,1B3\n"
                   "2F0,2B0,2F1,2B1,2F2,2B2,2F3,2B3\n");
  g_assert_cmpstr (zero_csv, ==,
                   "0F0,0F1,0I0,0W0,0F2,0I1,0W1,0I2,0W2\n"
                   "1F0,1I0,1F1,1I1,1W0,1F2,1I2,1W1,1W2\n");
  g_assert_cmpstr (chunks_csv, ==,
                   "0F0,0F1,2F0,2F1,2BW0,2BW1,0BW0,0BW1\n"
                   "1F0,1F1,3F0,3BW0,3F1,3BW1,1BW0,1BW1\n");
}

/* --- copies of stages ------------------------------------------------------------------------- */

#define MAX_STAGES 5

static GobanSchedule *
make_copied (const char *name, const guint *n_copies, guint n_stages, guint n_batches,
             gboolean has_backward)
{
  g_autoptr (GError) error = NULL;
  GobanScheduleShape shape
      = { .n_stages = n_stages, .n_batches = n_batches, .has_backward = has_backward };
  GobanSchedule *self;

  shape.n_copies = n_copies;
  for (guint s = 0; s < n_stages; s++)
    shape.n_ranks += n_copies[s];
  self = goban_schedule_new (name, &shape, &error);
  g_assert_no_error (error);
  return self;
}

/* Each copy has its micro-batches alone, in their order, and no more in flight than its share of
 * the ranks from its stage on and of the further copies of later stages. That it can be made says
 * that it ends. */
static void
check_copied (const GobanSchedule *self, const guint *n_copies, gboolean is_gpipe)
{
  GobanScheduleShape shape = goban_schedule_get_shape (self);
  guint rank = 0;

  for (guint s = 0; s < shape.n_stages; s++)
    {
      guint n_after = shape.n_ranks - rank;

      for (guint later = s + 1; later < shape.n_stages; later++)
        n_after += n_copies[later] - 1;
      g_assert_cmpuint (goban_schedule_get_rank (self, s), ==, rank);
      g_assert_cmpuint (goban_schedule_get_n_copies (self, s), ==, n_copies[s]);
      for (guint c = 0; c < n_copies[s]; c++, rank++)
        {
          guint n, n_forward = 0, n_backward = 0, most = 0;
          const GobanStagePass *passes = goban_schedule_get_passes (self, rank, &n);

          for (guint i = 0; i < n; i++)
            {
              guint *n_done = passes[i].kind == GOBAN_PASS_FORWARD ? &n_forward : &n_backward;

              g_assert_cmpuint (passes[i].stage, ==, s);
              g_assert_cmpuint (passes[i].batch, ==, c + n_copies[s] * (*n_done)++);
              g_assert_cmpuint (goban_schedule_get_batch_rank (self, s, passes[i].batch), ==, rank);
              most = MAX (most, n_forward - n_backward);
            }
          g_assert_cmpuint (n_forward, ==, (shape.n_batches - c + n_copies[s] - 1) / n_copies[s]);
          g_assert_cmpuint (n_backward, ==, shape.has_backward ? n_forward : 0);
          if (!is_gpipe && shape.has_backward)
            g_assert_cmpuint (most, <=, (n_after + n_copies[s] - 1) / n_copies[s]);
        }
    }
  g_assert_cmpuint (rank, ==, shape.n_ranks);
}

static void
test_copies (void)
{
  static const char *const names[] = { "gpipe", "1f1b", "pipedream" };

  for (guint i = 0; i < 2000; i++)
    {
      guint n_stages = (guint) g_test_rand_int_range (1, MAX_STAGES + 1);
      guint n_batches = (guint) g_test_rand_int_range (1, 30);
      guint kind = (guint) g_test_rand_int_range (0, 3);
      gboolean has_backward = g_test_rand_bit ();
      guint n_copies[MAX_STAGES];
      g_autoptr (GobanSchedule) self = NULL;

      for (guint s = 0; s < n_stages; s++)
        do
          n_copies[s] = (guint) g_test_rand_int_range (1, MIN (n_batches, 6) + 1);
        while (kind == 2 && n_batches % n_copies[s] != 0);
      self = make_copied (names[kind], n_copies, n_stages, n_batches, has_backward);
      check_copied (self, n_copies, kind == 0);
    }
}

/* One copy of each is no copies. */
static void
test_single_copies (void)
{
  static const char *const names[] = { "gpipe", "1f1b", "pipedream" };
  static const guint ones[] = { 1, 1, 1, 1 };

  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    for (guint m = 1; m < 10; m++)
      {
        g_autoptr (GobanSchedule) plain = make (names[i], 4, 4, m);
        g_autoptr (GobanSchedule) copied = make_copied (names[i], ones, 4, m, TRUE);
        g_autofree char *plain_csv = goban_schedule_to_csv (plain, NULL);
        g_autofree char *copied_csv = goban_schedule_to_csv (copied, NULL);

        g_assert_cmpstr (copied_csv, ==, plain_csv);
        assert_close (goban_schedule_get_uniform_bubble (copied, 2),
                      goban_schedule_get_uniform_bubble (plain, 2));
        for (guint s = 0; s < 4; s++)
          g_assert_cmpuint (goban_schedule_get_n_versions (copied, s), ==,
                            goban_schedule_get_n_versions (plain, s));
      }
}

/* Stages that are as fast as their number of copies makes them idle at the ends alone: twice as
 * many micro-batches take twice the time of the steady part. */
static void
test_full_rate (void)
{
  for (guint i = 0; i < 300; i++)
    {
      guint n_stages = (guint) g_test_rand_int_range (1, MAX_STAGES + 1);
      guint n_copies[MAX_STAGES];
      double ratio = g_test_rand_int_range (1, 4), times[2];

      for (guint s = 0; s < n_stages; s++)
        n_copies[s] = (guint) g_test_rand_int_range (1, 5);
      for (guint k = 0; k < 2; k++)
        {
          guint n_batches = 48 * (k + 1);
          g_autoptr (GobanSchedule) self
              = make_copied ("1f1b", n_copies, n_stages, n_batches, TRUE);

          times[k]
              = n_batches * (1 + ratio) / (1 - goban_schedule_get_uniform_bubble (self, ratio));
        }
      g_assert_cmpfloat_with_epsilon (times[1] - times[0], 48 * (1 + ratio), 1e-6);
    }
}

/* Two copies of the first of two stages, as figure 8 of PipeDream has it: the copies begin with two
 * micro-batches each. */
static void
test_round_robin (void)
{
  static const guint n_copies[] = { 2, 1 };
  g_autoptr (GobanSchedule) self = make_copied ("pipedream", n_copies, 2, 6, TRUE);
  g_autofree char *csv = goban_schedule_to_csv (self, NULL);

  g_assert_cmpstr (csv, ==,
                   "0F0,0F2,0B0,0F4,0B2,0B4\n"
                   "0F1,0F3,0B1,0F5,0B3,0B5\n"
                   "1F0,1B0,1F1,1B1,1F2,1B2,1F3,1B3,1F4,1B4,1F5,1B5\n");
  g_assert_cmpuint (goban_schedule_get_n_versions (self, 0), ==, 2);
  g_assert_cmpuint (goban_schedule_get_n_versions (self, 1), ==, 1);
}

static void
test_copies_refused (void)
{
  static const guint two[] = { 2, 1 }, none[] = { 0, 1 };
  static const struct
  {
    const char *name;
    GobanScheduleShape shape;
    const char *message;
  } cases[] = {
    { "zero-bubble",
      { 3, 2, 4, TRUE, two },
      "zero-bubble has one copy of each stage; gpipe, 1f1b and pipedream may have more" },
    { "1f1b",
      { 3, 2, 1, TRUE, two },
      "a stage has 1 to as many copies as there are micro-batches: not 2 of stage 0 with 1" },
    { "gpipe",
      { 1, 2, 1, TRUE, none },
      "a stage has 1 to as many copies as there are micro-batches: not 0 of stage 0 with 1" },
    { "pipedream",
      { 3, 2, 5, TRUE, two },
      "pipedream updates the copies of a stage together: 5 micro-batches cannot be shared out "
      "evenly to the 2 copies of stage 0" },
    { "1f1b", { 2, 2, 4, TRUE, two }, "the stages have 3 copies on 2 ranks" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (goban_schedule_new (cases[i].name, &cases[i].shape, &error));
      g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_INVALID);
      g_assert_cmpstr (error->message, ==, cases[i].message);
    }
}

/* --- files ---------------------------------------------------------------------------------- */

static void
assert_same_bytes (const char *text)
{
  g_autoptr (GError) error = NULL;
  GobanScheduleStyle style;
  g_autoptr (GobanSchedule) self
      = goban_schedule_parse (text, strlen (text), "s.csv", &style, &error);
  g_autofree char *written = NULL;

  g_assert_no_error (error);
  written = goban_schedule_to_csv (self, &style);
  g_assert_cmpstr (written, ==, text);
}

static void
test_bytes (void)
{
  assert_same_bytes ("0F0,,0B0\n");
  assert_same_bytes ("0F0,0I0,0W0\r\n1F0,1B0\r\n");
  assert_same_bytes ("0F0,3F0,3BW0,0B0,0W0\n1F0,2F0,2BW0,1BW0");
  assert_same_bytes ("0UNSHARD,0F0,(0F1;0B0)OVERLAP_F_B,0B1,0REDUCE_GRAD,0RESHARD\n");
}

static void
test_shared (void)
{
  g_autofree char *path = shared_data_path ("pipelining/zb1p_2rank_2stagep_comms.csv");
  g_autofree char *text = NULL;
  g_autoptr (GobanSchedule) self = NULL;
  GobanScheduleShape shape;

  if (path == NULL)
    return;
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  assert_same_bytes (text);
  self = goban_schedule_parse (text, strlen (text), path, NULL, NULL);
  shape = goban_schedule_get_shape (self);
  g_assert_cmpuint (shape.n_ranks, ==, 2);
  g_assert_cmpuint (shape.n_stages, ==, 4);
  g_assert_cmpuint (shape.n_batches, ==, 8);
  g_assert_true (goban_schedule_splits_backward (self));
}

static void
test_refused (void)
{
  static const struct
  {
    const char *text;
    const char *message;
  } cases[] = {
    { "", "s.csv: the schedule has no passes" },
    { "0F0\n0X1\n", "s.csv:2: “0X1” is not a pass of a pipeline, such as 0F1, 2B0 or 1SEND_F3" },
    { "0F", "s.csv:1: “0F” is not a pass of a pipeline, such as 0F1, 2B0 or 1SEND_F3" },
    { "0F9999999",
      "s.csv:1: “0F9999999” is not a pass of a pipeline, such as 0F1, 2B0 or 1SEND_F3" },
    { "0F0,1023F4095",
      "s.csv: 1024 stages with 4096 micro-batches are 4194304 forward passes; there are 2" },
    { "0F0,0F0", "s.csv: 1 stages with 1 micro-batches are 1 forward passes; there are 2" },
    { "0F0,0F0,1B0", "s.csv: rank 0: 0F0 is there twice" },
    { "0F0,1F0\n1BW0,0BW0", "s.csv: rank 1: 1BW0 is for a stage of another rank" },
    { "0F0,0F1,0B0", "s.csv: stage 0 has not one whole backward pass with micro-batch 1" },
    { "0F0,0W0", "s.csv: stage 0 has not one whole backward pass with micro-batch 0" },
    { "0BW0,0F0\n1F0,1B0,1W0", "s.csv: rank 0: 0BW0 waits for ever: what it reads is never there" },
    { "0I0,0W0,0F0\n1F0,1B0", "s.csv: rank 0: 0I0 waits for ever: what it reads is never there" },
    { "0B0,0F0\n1F0,1B0", "s.csv: rank 0: 0B0 waits for ever: what it reads is never there" },
    { "0F0,0SEND_F0\n1F0,1RECV_F0",
      "s.csv: rank 1: 1F0 waits for ever: what it reads is never there" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (
          goban_schedule_parse (cases[i].text, strlen (cases[i].text), "s.csv", NULL, &error));
      g_assert_cmpstr (error->message, ==, cases[i].message);
    }
}

static void
test_bad_shapes (void)
{
  static const struct
  {
    const char *name;
    GobanScheduleShape shape;
    const char *message;
  } cases[] = {
    { "gbipe",
      { 2, 2, 2, TRUE, NULL },
      "there is no schedule “gbipe”; there are gpipe, 1f1b, pipedream, interleaved, zero-bubble, "
      "dualpipe-v" },
    { "1f1b",
      { 2, 4, 2, TRUE, NULL },
      "1f1b has one stage a rank: 4 stages on 2 ranks are interleaved" },
    { "interleaved", { 2, 3, 2, TRUE, NULL }, "3 stages cannot be shared out evenly to 2 ranks" },
    { "interleaved",
      { 2, 4, 5, TRUE, NULL },
      "a schedule of several stages a rank takes micro-batches in rounds: 5 cannot be shared out "
      "evenly to 2 rounds" },
    { "dualpipe-v",
      { 2, 4, 4, FALSE, NULL },
      "dualpipe-v trains: it runs forward and backward passes at once, and the graph has no "
      "backward part" },
    { "dualpipe-v",
      { 2, 4, 3, TRUE, NULL },
      "dualpipe-v trains two stages a rank with at least as many micro-batches as stages: not 4 "
      "stages on 2 ranks with 3" },
    { "gpipe",
      { 2, 2, 0, TRUE, NULL },
      "a schedule has 1 to 1024 stages and 1 to 4096 micro-batches" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (goban_schedule_new (cases[i].name, &cases[i].shape, &error));
      g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_INVALID);
      g_assert_cmpstr (error->message, ==, cases[i].message);
    }
}

TEST_PROGRAM (schedule)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/schedule/formulas", test_formulas);
  g_test_add_func ("/schedule/zero-bubble", test_zero_bubble);
  g_test_add_func ("/schedule/copies/random", test_copies);
  g_test_add_func ("/schedule/copies/single", test_single_copies);
  g_test_add_func ("/schedule/copies/round-robin", test_round_robin);
  g_test_add_func ("/schedule/copies/full-rate", test_full_rate);
  g_test_add_func ("/schedule/copies/refused", test_copies_refused);
  g_test_add_func ("/schedule/dualpipe-v", test_dualpipe);
  g_test_add_func ("/schedule/in-flight", test_in_flight);
  g_test_add_func ("/schedule/orders", test_orders);
  g_test_add_func ("/schedule/bytes", test_bytes);
  g_test_add_func ("/schedule/shared", test_shared);
  g_test_add_func ("/schedule/refused", test_refused);
  g_test_add_func ("/schedule/bad-shapes", test_bad_shapes);
  return g_test_run ();
}
