/* The list of decisions: of random records, rows are the decisions in their order, whatever is
 * folded, and what is told of changes is what changes. */
#include "ui/decisions/record-model.h"

#include "engine/decisions/decisions-writer.h"
#include "engine/study/run/run-origin.h"
#include "tests/support/test-program.h"
#include "tests/support/toys.h"

#define N_DEVICES 2
#define N_NAMES 8

typedef struct
{
  GobanCostModel *costs;
  GobanMomentLines *lines;
  GobanRecordModel *model;
  guint n_told; /* rows, as "items-changed" told them */
  guint n_kept; /* rows in front that the last change left */
} Fixture;

static void
items_changed_cb (GListModel *list, guint position, guint removed, guint added, Fixture *f)
{
  g_assert_cmpuint (position + removed, <=, f->n_told);
  f->n_told += added - removed;
  f->n_kept = position;
}

static GobanCostModel *
new_costs (void)
{
  static const char *const names[N_NAMES + 1]
      = { "a/1", "a/2", "a/x/3", "b/1", "b/2", "c", "d/1", "d/2", NULL };
  g_autoptr (GobanGraph) graph = toy_of_names (names);

  return toy_costs (graph, "equal:2");
}

/* Up to six plans, some of one decision, some of so many that they fold by module; some decided by
 * a whole change. */
static GobanDecisions *
new_decisions (GRand *rand, gboolean is_long)
{
  GobanDecisionsWriter *writer = goban_decisions_writer_new (
      &(GobanDecisionsOptions){ .n_nodes = N_NAMES, .n_devices = N_DEVICES });
  guint n_plans = (guint) g_rand_int_range (rand, 1, 7);

  for (guint p = 0; p < n_plans; p++)
    {
      GobanDecisionsWriter *plan = goban_decisions_writer_open (
          writer, &(GobanSpanHead){ .name = "plan", .level = GOBAN_LEVEL_PLAN });
      guint n = is_long && p == 0 ? (guint) g_rand_int_range (rand, 2001, 6000)
                                  : (guint) g_rand_int_range (rand, 1, 30);

      for (guint i = 0; i < n; i++)
        {
          GobanNodeId node = (GobanNodeId) g_rand_int_range (rand, 0, N_NAMES);

          goban_decisions_writer_decide (plan,
                                         &(GobanDecisionHead){ .options = GOBAN_OPTION_DEVICE,
                                                               .nodes = &node,
                                                               .n_nodes = 1,
                                                               .n_options = N_DEVICES },
                                         (guint32) g_rand_int_range (rand, 0, N_DEVICES));
        }
      goban_decisions_writer_close (plan, &(GobanSpanResult){ .makespan_us = 100.0 - p },
                                    p == 0 || g_rand_int_range (rand, 0, 3) > 0);
    }
  return goban_decisions_writer_end (writer);
}

static void
set_up (Fixture *f, GRand *rand, gboolean is_long)
{
  g_autoptr (GobanDecisions) decisions = new_decisions (rand, is_long);

  f->costs = new_costs ();
  f->lines = goban_moment_lines_new (
      decisions, g_rand_int_range (rand, 0, 2) > 0 ? GOBAN_STOPS_ALL : GOBAN_STOPS_ACCEPTED);
  f->model = goban_record_model_new ();
  f->n_told = f->n_kept = 0;
  g_signal_connect (f->model, "items-changed", G_CALLBACK (items_changed_cb), f);
  goban_record_model_set_lines (f->model, f->costs, f->lines);
}

static void
tear_down (Fixture *f)
{
  g_assert_finalize_object (f->model);
  goban_moment_lines_free (f->lines);
  goban_cost_model_unref (f->costs);
}

static guint
get_n_rows (Fixture *f)
{
  return g_list_model_get_n_items (G_LIST_MODEL (f->model));
}

static GobanRecordPlace
get_place (Fixture *f, guint row)
{
  g_autoptr (GobanRecordItem) item = g_list_model_get_item (G_LIST_MODEL (f->model), row);

  return goban_record_item_get_place (item);
}

/* Rows are those of plans, modules and lines in their order; closed folds hide theirs. */
static void
check_rows (Fixture *f)
{
  guint n_plans = f->lines->plans->len;
  guint line = 0, end = 0, plan = 0;

  g_assert_cmpuint (get_n_rows (f), ==, f->n_told);
  for (guint row = 0; row < get_n_rows (f); row++)
    {
      GobanRecordPlace place = get_place (f, row);
      gboolean is_hidden = goban_record_model_can_fold (f->model, row)
                           && !goban_record_model_is_open (f->model, row);

      switch (place.kind)
        {
        case GOBAN_RECORD_PLAN:
          g_assert_cmpuint (n_plans, >, 1);
          g_assert_cmpuint (place.index, ==, plan);
          g_assert_cmpuint (goban_moment_lines_get_plan (f->lines, plan)->first, ==, line);
          end = line + goban_moment_lines_get_plan (f->lines, plan)->n;
          if (is_hidden || goban_moment_lines_get_plan (f->lines, plan)->n == 1)
            {
              for (guint i = line; i < end; i++)
                g_assert_cmpuint (goban_record_model_find_line (f->model, i), ==, row);
              line = end;
            }
          plan++;
          break;
        case GOBAN_RECORD_MODULE:
          g_assert_cmpuint (goban_record_model_get_module (f->model, place.index)->first, ==, line);
          if (is_hidden)
            {
              g_assert_cmpuint (goban_record_model_find_line (f->model, line), ==, row);
              line += goban_record_model_get_module (f->model, place.index)->n;
            }
          break;
        case GOBAN_RECORD_DECISION:
          g_assert_cmpuint (place.index, ==, line);
          g_assert_cmpuint (goban_record_model_find_line (f->model, line), ==, row);
          line++;
          break;
        case GOBAN_RECORD_VARIATION:
          g_assert_cmpuint (goban_record_model_get_variation (f->model, place.index)->line, ==,
                            line - 1);
          break;
        default:
          g_assert_not_reached ();
        }
    }
  g_assert_cmpuint (line, ==, f->lines->moments->len);
}

static void
open_all (Fixture *f)
{
  for (guint row = 0; row < get_n_rows (f); row++)
    goban_record_model_set_open (f->model, row, TRUE);
}

static void
test_folds (void)
{
  GRand *rand = g_rand_new_with_seed (8);

  for (guint i = 0; i < 60; i++)
    {
      Fixture f;

      set_up (&f, rand, i % 4 == 0);
      check_rows (&f);
      for (guint k = 0; k < 12; k++)
        {
          guint row = (guint) g_rand_int_range (rand, 0, (gint32) get_n_rows (&f));
          guint line = (guint) g_rand_int_range (rand, 0, (gint32) f.lines->moments->len);

          if (k % 2 == 0)
            goban_record_model_set_open (f.model, row, !goban_record_model_is_open (f.model, row));
          else
            {
              GobanRecordPlace place;

              goban_record_model_open_line (f.model, line);
              place = get_place (&f, goban_record_model_find_line (f.model, line));
              g_assert_true (place.kind == GOBAN_RECORD_DECISION
                             || goban_moment_lines_get_plan (f.lines, place.index)->n == 1);
            }
          check_rows (&f);
        }
      open_all (&f);
      check_rows (&f);
      tear_down (&f);
    }
  g_rand_free (rand);
}

/* A fold tells just its own rows, and one that was opened for a line closes with the next. */
static void
test_changes (void)
{
  GRand *rand = g_rand_new_with_seed (3);
  Fixture f;
  guint n_closed;

  set_up (&f, rand, TRUE);
  n_closed = get_n_rows (&f);
  g_assert_cmpuint (n_closed, <, 2000);
  goban_record_model_open_line (f.model, 500);
  g_assert_cmpuint (get_n_rows (&f), >, n_closed);
  g_assert_cmpuint (f.n_kept, >, 0);
  goban_record_model_open_line (f.model, f.lines->moments->len - 1);
  goban_record_model_open_line (f.model, 0);
  g_assert_cmpint (get_place (&f, goban_record_model_find_line (f.model, 0)).kind, ==,
                   GOBAN_RECORD_DECISION);
  g_assert_cmpint (get_place (&f, goban_record_model_find_line (f.model, 500)).kind, !=,
                   GOBAN_RECORD_DECISION);
  tear_down (&f);
  g_rand_free (rand);
}

static GobanRun *
new_variation (Fixture *f, const char *name, const char *of, GobanMoment moment, guint32 option)
{
  g_autoptr (GobanPlan) plan = goban_plan_new (goban_cost_model_get_graph (f->costs), N_DEVICES);

  return goban_run_new_kept (f->costs, plan, name,
                             &(GobanRunOrigin){ .forced = { of, moment, option } });
}

/* Variations hang below their decisions, theirs below them, and go with their folds. */
static void
test_variations (void)
{
  GRand *rand = g_rand_new_with_seed (21);

  for (guint i = 0; i < 30; i++)
    {
      Fixture f;
      g_autoptr (GPtrArray) runs
          = g_ptr_array_new_with_free_func ((GDestroyNotify) goban_run_unref);
      g_autoptr (GPtrArray) none = g_ptr_array_new ();
      guint n_rows, line;
      GobanMoment moment;

      set_up (&f, rand, i % 5 == 0);
      line = (guint) g_rand_int_range (rand, 0, (gint32) f.lines->moments->len);
      moment = goban_moment_lines_get_moment (f.lines, line);
      open_all (&f);
      n_rows = get_n_rows (&f);
      g_ptr_array_add (runs, new_variation (&f, "first", "root", moment, 1));
      g_ptr_array_add (runs, new_variation (&f, "other", "another root", moment, 1));
      g_ptr_array_add (runs, new_variation (&f, "nested", "first", moment + 1, 0));
      g_ptr_array_add (runs, new_variation (&f, "second", "root", moment, 0));
      goban_record_model_set_variations (f.model, "root", runs);
      check_rows (&f);
      g_assert_cmpuint (get_n_rows (&f), ==, n_rows + 3);
      for (guint v = 0; v < 3; v++)
        {
          static const struct
          {
            guint run, depth;
            char end[3];
          } expected[] = { { 0, 1, "a" }, { 2, 2, "aa" }, { 3, 1, "b" } };
          const GobanRecordVariation *variation = goban_record_model_get_variation (f.model, v);
          guint row = goban_record_model_find_line (f.model, line);

          g_assert_true (variation->run == g_ptr_array_index (runs, expected[v].run));
          g_assert_cmpuint (variation->depth, ==, expected[v].depth);
          g_assert_true (g_str_has_suffix (variation->label, expected[v].end));
          g_assert_cmpuint (goban_record_model_find_run (f.model, variation->run), ==, row + 1 + v);
        }
      goban_record_model_set_variations (f.model, "root", none);
      g_assert_cmpuint (get_n_rows (&f), ==, n_rows);
      check_rows (&f);
      tear_down (&f);
    }
  g_rand_free (rand);
}

/* In another order there are lines alone; back in their own, all folds. */
static void
test_order (void)
{
  static const guint lines[] = { 2, 0, 1 };
  GRand *rand = g_rand_new_with_seed (5);
  g_autoptr (GArray) order = g_array_new (FALSE, FALSE, sizeof (guint));
  Fixture f;
  guint n_rows;

  set_up (&f, rand, TRUE);
  n_rows = get_n_rows (&f);
  g_array_append_vals (order, lines, G_N_ELEMENTS (lines));
  goban_record_model_set_order (f.model, order);
  g_assert_cmpuint (get_n_rows (&f), ==, G_N_ELEMENTS (lines));
  g_assert_cmpuint (f.n_told, ==, G_N_ELEMENTS (lines));
  for (guint i = 0; i < G_N_ELEMENTS (lines); i++)
    {
      g_assert_cmpuint (get_place (&f, i).index, ==, lines[i]);
      g_assert_cmpuint (goban_record_model_find_line (f.model, lines[i]), ==, i);
    }
  g_assert_cmpuint (goban_record_model_find_line (f.model, 3), ==, G_MAXUINT);
  goban_record_model_set_order (f.model, NULL);
  g_assert_cmpuint (get_n_rows (&f), ==, n_rows);
  check_rows (&f);
  tear_down (&f);
  g_rand_free (rand);
}

TEST_PROGRAM (record_model)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/record-model/folds", test_folds);
  g_test_add_func ("/record-model/changes", test_changes);
  g_test_add_func ("/record-model/variations", test_variations);
  g_test_add_func ("/record-model/order", test_order);
  return g_test_run ();
}
