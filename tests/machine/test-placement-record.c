#include "engine/machine/plan/placement-record-writer.h"
#include "engine/machine/plan/placement-record.h"
#include "tests/support/test-program.h"

#include <math.h>

static const GobanChoiceWords words = { "rank", "finish_us", TRUE, "the first device" };

static void
choose (GobanPlacementRecord *record, GobanNodeId node, GobanDeviceId device, float finish_us)
{
  const GobanPlacementChoice choice = { .nodes = &node,
                                        .n_nodes = 1,
                                        .device = device,
                                        .key = (float) node,
                                        .start_us = finish_us - 1,
                                        .finish_us = finish_us };

  goban_placement_record_weigh (record, device, (double) finish_us, 0);
  goban_placement_record_weigh (record, (GobanDeviceId) (1 - device), (double) NAN,
                                GOBAN_REFUSAL_GROUP);
  goban_placement_record_choose (record, &choice);
}

static void
test_candidates_wait_for_carried_nodes (void)
{
  g_autoptr (GobanPlacementRecord) record = goban_placement_record_new (3, 2);
  const GobanNodeId variable = 2;
  const GobanNodeId both[] = { 0, 1 };
  GobanPlacementChoice choice;

  goban_placement_record_begin (record, &words);
  goban_placement_record_weigh (record, 1, 7, 0);
  goban_placement_record_carry (
      record, &(GobanPlacementChoice){
                  .nodes = &variable, .n_nodes = 1, .device = 1, .note = "carried along" });
  goban_placement_record_choose_device (record, both, 2, 1, NULL);
  goban_placement_record_finish (record);

  g_assert_cmpuint (goban_placement_record_get_n_steps (record), ==, 2);
  choice = goban_placement_record_get_choice (record, 1);
  g_assert_null (choice.candidates);
  g_assert_cmpstr (choice.note, ==, "carried along");
  choice = goban_placement_record_get_choice (record, 2);
  g_assert_cmpuint (choice.n_nodes, ==, 2);
  g_assert_cmpuint (choice.nodes[1], ==, 1);
  g_assert_true (choice.candidates[1] == 7.0f && isnan (choice.candidates[0]));
  g_assert_true (isnan (choice.key) && isnan (choice.finish_us));
  g_assert_cmpuint (goban_placement_record_find_choice (record, 2), ==, 1);
  g_assert_cmpuint (goban_placement_record_find_choice (record, 1), ==, 2);
}

/* The kept attempt counts, whatever was tried after it. */
static void
test_kept_attempt (void)
{
  g_autoptr (GobanPlacementRecord) record = goban_placement_record_new (1, 2);

  for (guint i = 0; i < 4; i++)
    {
      goban_placement_record_begin (record, &words);
      choose (record, 0, i % 2, (float) i);
      if (i == 1 || i == 2)
        goban_placement_record_keep (record);
    }
  goban_placement_record_finish (record);
  g_assert_cmpuint (goban_placement_record_get_n_choices (record), ==, 1);
  g_assert_true (goban_placement_record_get_choice (record, 1).finish_us == 2.0f);
}

static void
test_head (void)
{
  GobanPlacementRecord *record = goban_placement_record_new (4, 2);
  g_autoptr (GobanPlacementRecord) head = NULL;
  g_autoptr (GobanPlacementRecord) shorter = NULL;
  static const float finishes[] = { 5, 3, 9, 6 };
  static const float lengths[] = { 5, 5, 9, 9 };

  goban_placement_record_begin (record, &words);
  for (guint i = 0; i < 4; i++)
    choose (record, 3 - i, i % 2, finishes[i]);
  goban_placement_record_finish (record);
  for (guint i = 0; i < 4; i++)
    g_assert_true (goban_placement_record_get_choice (record, i + 1).length_us == lengths[i]);

  head = goban_placement_record_new_head (record, 3);
  goban_placement_record_unref (record);
  shorter = goban_placement_record_new_head (head, 2);
  g_assert_cmpuint (goban_placement_record_get_n_steps (head), ==, 3);
  g_assert_cmpuint (goban_placement_record_get_n_steps (shorter), ==, 2);
  g_assert_cmpuint (goban_placement_record_find_choice (shorter, 3), ==, 1);
  g_assert_cmpuint (goban_placement_record_find_choice (shorter, 1), ==, 0);
  g_assert_cmpuint (goban_placement_record_find_choice (head, 1), ==, 3);
}

/* All choices stay, the oldest without candidates. */
static void
test_candidates_are_bounded (void)
{
  const guint n_devices = 64, n_nodes = 100000;
  g_autoptr (GobanPlacementRecord) record = goban_placement_record_new (n_nodes, n_devices);
  guint n_with = 0;

  goban_placement_record_begin (record, &words);
  for (GobanNodeId v = 0; v < n_nodes; v++)
    {
      goban_placement_record_weigh (record, 5, v, 0);
      goban_placement_record_choose_device (record, &v, 1, 5, NULL);
    }
  goban_placement_record_finish (record);
  g_assert_cmpuint (goban_placement_record_get_n_choices (record), ==, n_nodes);
  for (guint n = 1; n <= n_nodes; n++)
    {
      GobanPlacementChoice choice = goban_placement_record_get_choice (record, n);

      g_assert_true ((choice.candidates == NULL)
                     == (n <= goban_placement_record_get_n_dropped (record)));
      n_with += choice.candidates != NULL;
      if (choice.candidates != NULL)
        g_assert_true (choice.candidates[5] == (float) (n - 1));
    }
  g_assert_cmpuint (n_with, <=, GOBAN_RECORD_MAX_CANDIDATES / n_devices);
  g_assert_cmpuint (n_with, >=, GOBAN_RECORD_MAX_CANDIDATES / n_devices / 2);
}

/* A choice as it was written, in arrays of its own. */
typedef struct
{
  GobanNodeId nodes[3];
  float candidates[3];
  guint8 refusals[3];
  float length_us;
  gboolean is_carried;
  GobanPlacementChoice choice;
} Written;

typedef struct
{
  GobanPlacementRecord *record;
  GRand *rand;
  guint kinds; /* of columns: bits */
  GobanNodeId node;
  float length_us;
} Writing;

static void
write_choice (Writing *self, guint n, Written *written)
{
  GRand *rand = self->rand;
  guint kinds = self->kinds;
  gboolean has_times = (kinds & 1) != 0;

  *written = (Written){ .is_carried = (kinds & 2) != 0 && g_rand_int_range (rand, 0, 4) == 0 };
  written->choice = (GobanPlacementChoice){
    .n_nodes = (kinds & 4) != 0 ? (guint) g_rand_int_range (rand, 0, 4) : 1,
    .device = (GobanDeviceId) g_rand_int_range (rand, 0, 3),
    .key = (kinds & 8) != 0 ? (float) n : (float) NAN,
    .start_us = (float) NAN,
    .finish_us = has_times && n % 5 != 0 ? (float) g_rand_double (rand) : (float) NAN,
    .note = (kinds & 16) != 0 && n % 2 == 0 ? "even" : NULL,
  };
  for (guint i = 0; i < written->choice.n_nodes; i++)
    written->nodes[i] = self->node++;
  written->choice.nodes = written->nodes;
  if (written->choice.finish_us > self->length_us)
    self->length_us = written->choice.finish_us;
  written->length_us = self->length_us;
  for (guint d = 0; d < 3; d++)
    {
      written->candidates[d] = (kinds & 32) != 0 ? (float) g_rand_double (rand) : (float) NAN;
      written->refusals[d] = (kinds & 64) != 0 && d == n % 3 ? GOBAN_REFUSAL_MEMORY : 0;
    }
  if (written->is_carried)
    goban_placement_record_carry (self->record, &written->choice);
  for (guint d = 0; !written->is_carried && d < 3; d++)
    goban_placement_record_weigh (self->record, (GobanDeviceId) d, (double) written->candidates[d],
                                  written->refusals[d]);
  if (!written->is_carried)
    goban_placement_record_choose (self->record, &written->choice);
}

static gboolean
is_same_number (float a, float b)
{
  return a == b || (isnan (a) && isnan (b));
}

static void
check_choice (const GobanPlacementRecord *record, guint n, const Written *written)
{
  GobanPlacementChoice read = goban_placement_record_get_choice (record, n);

  g_assert_cmpuint (read.n_nodes, ==, written->choice.n_nodes);
  for (guint i = 0; i < read.n_nodes; i++)
    {
      g_assert_cmpuint (read.nodes[i], ==, written->nodes[i]);
      g_assert_cmpuint (goban_placement_record_find_choice (record, read.nodes[i]), ==, n);
    }
  g_assert_cmpuint (read.device, ==, written->choice.device);
  g_assert_true (is_same_number (read.key, written->choice.key));
  g_assert_true (is_same_number (read.start_us, written->choice.start_us));
  g_assert_true (is_same_number (read.finish_us, written->choice.finish_us));
  g_assert_true (read.length_us == written->length_us);
  g_assert_cmpstr (read.note, ==, written->choice.note);
  g_assert_true ((read.candidates == NULL) == written->is_carried);
  g_assert_true ((read.refusals == NULL) == written->is_carried);
  for (guint d = 0; !written->is_carried && d < 3; d++)
    {
      g_assert_true (is_same_number (read.candidates[d], written->candidates[d]));
      g_assert_cmpuint (read.refusals[d], ==, written->refusals[d]);
    }
}

/* Whatever columns are left out because all choices have the same, each is read as it was
 * written. */
static void
test_columns (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (3);

  for (guint kinds = 0; kinds < 128; kinds++)
    {
      const guint n_choices = 150; /* more than two blocks of 64 */
      g_autoptr (GobanPlacementRecord) record = goban_placement_record_new (3 * n_choices + 1, 3);
      g_autofree Written *written = g_new (Written, n_choices);
      Writing writing = { .record = record, .rand = rand, .kinds = kinds };

      goban_placement_record_begin (record, &words);
      for (guint n = 0; n < n_choices; n++)
        write_choice (&writing, n, &written[n]);
      goban_placement_record_finish (record);
      g_assert_cmpuint (goban_placement_record_get_n_choices (record), ==, n_choices);
      for (guint n = 0; n < n_choices; n++)
        check_choice (record, n + 1, &written[n]);
      g_assert_cmpuint (goban_placement_record_find_choice (record, 3 * n_choices), ==, 0);
    }
}

/* A policy inside another has ended the record before: its attempt stays unless a later one is
 * kept. */
static void
test_ended_twice (void)
{
  g_autoptr (GobanPlacementRecord) record = goban_placement_record_new (1, 2);

  for (guint i = 0; i < 3; i++)
    {
      goban_placement_record_begin (record, &words);
      choose (record, 0, 0, (float) i);
      if (i == 2)
        goban_placement_record_keep (record);
      goban_placement_record_finish (record);
      g_assert_true (goban_placement_record_get_choice (record, 1).finish_us
                     == (i == 2 ? 2.0f : 0.0f));
    }
}

static void
test_rows_are_bounded (void)
{
  static const GobanRecordTable table = { .names = { "a", "b" } };
  static const GobanRecordTable other = { .names = { "c" } };
  g_autoptr (GobanPlacementRecord) record = goban_placement_record_new (1, 1);
  const guint n_all = 3 * GOBAN_RECORD_MAX_ROWS + 7;
  guint n;

  goban_placement_record_set_table (record, &table);
  for (guint i = 0; i < n_all; i++)
    goban_placement_record_add_row (record, &table, (double[]){ i, -1.0 * i });
  goban_placement_record_add_row (record, &other, (double[]){ 1 });
  n = goban_placement_record_get_n_rows (record);
  g_assert_cmpuint (n, <=, GOBAN_RECORD_MAX_ROWS);
  g_assert_cmpuint (n + goban_placement_record_get_n_folded_rows (record), ==, n_all);
  g_assert_cmpfloat (goban_placement_record_get_row (record, n - 1)[1], ==, -1.0 * (n_all - 1));
  goban_placement_record_set_table (record, &other);
  g_assert_cmpuint (goban_placement_record_get_n_rows (record), ==, 0);
  g_assert_cmpuint (goban_placement_record_get_n_columns (record), ==, 1);
}

static void
test_refusals (void)
{
  g_autofree char *none = goban_refusals_describe (0);
  g_autofree char *two = goban_refusals_describe (GOBAN_REFUSAL_MEMORY | GOBAN_REFUSAL_GROUP);

  g_assert_cmpstr (none, ==, "");
  g_assert_cmpstr (two, ==, "group, memory");
}

TEST_PROGRAM (placement_record)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/placement-record/candidates-wait-for-carried-nodes",
                   test_candidates_wait_for_carried_nodes);
  g_test_add_func ("/placement-record/kept-attempt", test_kept_attempt);
  g_test_add_func ("/placement-record/head", test_head);
  g_test_add_func ("/placement-record/candidates-are-bounded", test_candidates_are_bounded);
  g_test_add_func ("/placement-record/columns", test_columns);
  g_test_add_func ("/placement-record/ended-twice", test_ended_twice);
  g_test_add_func ("/placement-record/rows-are-bounded", test_rows_are_bounded);
  g_test_add_func ("/placement-record/refusals", test_refusals);
  return g_test_run ();
}
