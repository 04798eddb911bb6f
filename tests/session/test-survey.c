/* Surveys of devices, effects of changes, and joint changes of equal devices and links. */
#include "engine/session/survey.h"

#include "engine/core/error.h"
#include "engine/session/preview.h"
#include "engine/session/session-edit.h"
#include "engine/session/session-graph.h"
#include "engine/session/session-history.h"
#include "engine/session/session-log.h"
#include "engine/session/session-marks.h"
#include "tests/support/sessions.h"
#include "tests/support/test-program.h"
#include "tests/support/toys.h"

#include <math.h>

typedef struct
{
  GobanSession *session;
} Fixture;

/* Two chains of ops on gpu:0 and gpu:1 of four. */
static void
set_up (Fixture *f, gconstpointer data)
{
  g_autoptr (GobanGraph) graph = toy_two_chains (8);
  g_autoptr (GobanPlan) plan = goban_plan_new (graph, 4);

  for (GobanNodeId v = 0; v < 16; v++)
    goban_plan_set_device (plan, v, (GobanDeviceId) (v % 2));
  f->session = goban_session_new ();
  goban_session_set_graph (f->session, graph, NULL);
  session_add_plan (f->session, plan);
}

static void
tear_down (Fixture *f, gconstpointer data)
{
  g_assert_finalize_object (f->session);
}

static GobanEdit *
new_move (Fixture *f, const GobanNodeId *ids, guint n)
{
  return session_new_edit (f->session, GOBAN_EDIT_MOVE, ids, n);
}

/* Each device's outlook is what moving there gives. */
static void
test_survey_is_what_moves_give (Fixture *f, gconstpointer data)
{
  const GobanNodeId ids[] = { 0, 2, 4 };
  g_autoptr (GobanEdit) edit = new_move (f, ids, 3);
  g_autoptr (GobanSurvey) survey = goban_survey_new (edit);
  g_autofree char *text = NULL;

  g_assert_cmpuint (goban_survey_get_n_devices (survey), ==, 4);
  text = goban_survey_describe (survey, 2);
  g_assert_cmpstr (text, ==, "");
  while (goban_survey_is_busy (survey))
    g_main_context_iteration (NULL, TRUE);

  for (guint d = 0; d < 4; d++)
    {
      const GobanOutlook *outlook = goban_survey_get (survey, d);
      g_autoptr (GobanRun) run = NULL;
      g_autoptr (GError) error = NULL;

      edit->device = (GobanDeviceId) d;
      run = goban_edit_run (edit, &error);
      g_assert_no_error (error);
      g_assert_true (outlook->is_known && outlook->trouble == NULL);
      g_assert_cmpint (outlook->is_as_it_is, ==, d == 0);
      g_assert_cmpfloat (outlook->effect.after_us, ==, goban_run_get_makespan_us (run));
      g_assert_cmpfloat (outlook->peak_bytes, ==,
                         goban_trace_get_uses (goban_run_get_trace (run))[d].peak_bytes);
    }
  g_free (text);
  text = goban_survey_describe (survey, 0);
  g_assert_true (g_str_has_prefix (text, "as it is, memory "));
}

static void
test_survey_says_what_cannot_be (Fixture *f, gconstpointer data)
{
  const GobanNodeId id = 3;
  g_autoptr (GobanSelection) pinned = goban_selection_new (&id, 1);
  g_autoptr (GobanEdit) edit = NULL;
  g_autoptr (GobanSurvey) survey = NULL;
  g_autoptr (GobanSurvey) left = NULL;
  g_autofree char *text = NULL;

  goban_session_pin (f->session, pinned, TRUE);
  edit = new_move (f, &id, 1);
  survey = goban_survey_new (edit);
  while (goban_survey_is_busy (survey))
    g_main_context_iteration (NULL, TRUE);
  text = goban_survey_describe (survey, 2);
  g_assert_nonnull (strstr (text, "it is pinned"));
  /* One that is given up is gone at once. */
  left = goban_survey_new (edit);
  g_assert_finalize_object (g_steal_pointer (&left));
}

static void
test_effect_has_words (Fixture *f, gconstpointer data)
{
  GobanEffect effect = { .before_us = 200, .after_us = 193.8, .share = -0.031, .is_valid = TRUE };
  g_autofree char *text = goban_effect_describe (&effect);
  g_autofree char *more = NULL;
  g_autofree char *same = NULL;
  g_autofree char *never = NULL;

  g_assert_cmpstr (text, ==, "−3.1 %, 193.8 µs");
  effect = (GobanEffect){ 200, 200.01, 0.00005, 2, FALSE };
  more = goban_effect_describe (&effect);
  g_assert_cmpstr (more, ==, "+0.005 %, 200 µs, 2 transfers more, out of memory");
  effect = (GobanEffect){ 200, 200, 0, -1, TRUE };
  same = goban_effect_describe (&effect);
  g_assert_cmpstr (same, ==, "as before, 200 µs, 1 transfer fewer");
  effect = (GobanEffect){ 200, INFINITY, NAN, 0, FALSE };
  never = goban_effect_describe (&effect);
  g_assert_cmpstr (never, ==, "cannot run");
}

/* --- the session's preview -------------------------------------------------------------------- */

/* All panes ask the same one; letting go of it takes the run that is there. */
static void
test_preview_is_shared (Fixture *f, gconstpointer data)
{
  GobanPreview *preview = goban_preview_of (f->session);
  const GobanNodeId id = 4;
  g_autoptr (GobanEdit) edit = new_move (f, &id, 1);
  g_autofree char *soon = NULL;
  g_autofree char *text = NULL;
  g_autoptr (GobanRun) run = NULL;

  g_assert_true (preview == goban_preview_of (f->session));
  edit->device = 3;
  soon = goban_preview_describe (preview, edit);
  g_assert_cmpstr (soon, ==, "…");
  goban_preview_ask (preview, edit);
  while (goban_preview_is_busy (preview))
    g_main_context_iteration (NULL, TRUE);
  text = goban_preview_describe (preview, edit);
  g_assert_nonnull (strstr (text, " µs"));
  run = goban_run_ref (goban_preview_get_run (preview));
  goban_preview_commit (preview, f->session, edit);
  g_assert_true (goban_session_get_current_run (f->session) == run);
  g_assert_null (goban_preview_get_run (preview));
}

/* A cluster's change is shown until all plans are simulated on it. */
static void
test_committed_cluster_stays_in_sight (Fixture *f, gconstpointer data)
{
  GobanPreview *preview = goban_preview_of (f->session);
  g_autoptr (GobanEdit) edit = goban_edit_new (f->session, GOBAN_EDIT_DEVICE, NULL);
  GobanCluster *before = goban_session_get_cluster (f->session);

  edit->what = "speed";
  edit->value = 2;
  goban_preview_ask (preview, edit);
  while (goban_preview_is_busy (preview))
    g_main_context_iteration (NULL, TRUE);
  goban_preview_commit (preview, f->session, edit);
  g_assert_nonnull (goban_preview_get_run (preview));
  while (goban_session_get_cluster (f->session) == before)
    g_main_context_iteration (NULL, TRUE);
  g_assert_null (goban_preview_get_run (preview));
}

/* --- what was alike --------------------------------------------------------------------------- */

static double
flops (GobanCluster *cluster, GobanDeviceId device)
{
  return goban_cluster_get_device (cluster, device)->flops_per_us;
}

static void
test_alike_is_of_the_origin (Fixture *f, gconstpointer data)
{
  GobanCluster *origin = goban_session_get_origin (f->session);
  double old = flops (origin, 1);
  GobanWhatIf one = { .from = 1, .what = "speed", .value = 3 };
  GobanWhatIf all = { .from = 0, .is_alike = TRUE, .what = "speed", .value = 0.5 };
  g_autoptr (GError) error = NULL;

  g_assert_true (session_what_if (f->session, &one, &error));
  g_assert_true (goban_session_get_origin (f->session) == origin);
  g_assert_cmpfloat (flops (goban_session_get_cluster (f->session), 1), ==, 3 * old);
  g_assert_cmpfloat (flops (goban_session_get_cluster (f->session), 0), ==, old);

  /* Though gpu:1 is another by now, it was like gpu:0; and a factor is of what was. */
  g_assert_true (session_what_if (f->session, &all, &error));
  for (GobanDeviceId d = 0; d < 4; d++)
    g_assert_cmpfloat (flops (goban_session_get_cluster (f->session), d), ==, old / 2);
  g_assert_cmpfloat (goban_what_if_get (goban_session_get_cluster (f->session), origin, &one), ==,
                     0.5);
  g_assert_cmpstr (goban_session_get_undo_name (f->session), ==,
                   "give gpu:0 and its like 0.5 times its speed");

  /* Another cluster is another origin; undo brings the old one back. */
  {
    g_autoptr (GobanCluster) other = goban_cluster_new_from_spec ("v100x4", &error);

    session_set_cluster (f->session, other);
    g_assert_true (goban_session_get_origin (f->session) == other);
    goban_session_undo (f->session);
    g_assert_true (goban_session_get_origin (f->session) == origin);
  }
}

static void
test_links_change_together (Fixture *f, gconstpointer data)
{
  GobanWhatIf all
      = { .is_link = TRUE, .to = 1, .is_alike = TRUE, .what = "latency", .value = 1e-3 };
  GobanWhatIf none = { .is_link = TRUE, .is_alike = TRUE, .what = "latency", .value = 1e-3 };
  g_autoptr (GError) error = NULL;
  GobanCluster *cluster;

  g_assert_true (session_what_if (f->session, &all, &error));
  cluster = goban_session_get_cluster (f->session);
  for (guint i = 0; i < goban_cluster_get_n_links (cluster); i++)
    g_assert_cmpfloat_with_epsilon (goban_cluster_get_link (cluster, i)->latency_us, 1000, 1e-9);
  g_assert_false (session_what_if (f->session, &none, &error));
  g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_INVALID);
}

/* A cluster is chosen in a worker, with all plans of the list whose devices it has. */
static void
test_cluster_is_taken_in_a_worker (Fixture *f, gconstpointer data)
{
  g_autoptr (GobanEdit) edit = goban_edit_new (f->session, GOBAN_EDIT_CLUSTER, NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanCluster) small = goban_cluster_new_from_spec ("p100x2", &error);
  GobanCluster *before = goban_session_get_cluster (f->session);
  const GPtrArray *log;

  edit->cluster = goban_cluster_ref (small);
  goban_session_edit_async (f->session, edit, NULL, NULL, NULL);
  g_assert_true (goban_session_get_cluster (f->session) == before);
  while (goban_session_get_cluster (f->session) == before)
    g_main_context_iteration (NULL, TRUE);
  g_assert_true (goban_session_get_cluster (f->session) == small);
  g_assert_true (goban_session_get_origin (f->session) == small);
  g_assert_true (goban_run_get_cluster (goban_session_get_current_run (f->session)) == small);
  log = goban_session_get_log (f->session);
  g_assert_cmpstr (g_ptr_array_index (log, log->len - 1), ==, "app.cluster \"p100x2\"");
  goban_session_undo (f->session);
  g_assert_nonnull (goban_session_get_current_run (f->session));
}

TEST_PROGRAM (survey)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(name, func) g_test_add ("/session/" name, Fixture, NULL, set_up, func, tear_down)
  ADD ("survey/is-what-moves-give", test_survey_is_what_moves_give);
  ADD ("survey/says-what-cannot-be", test_survey_says_what_cannot_be);
  ADD ("effect/has-words", test_effect_has_words);
  ADD ("preview/is-shared", test_preview_is_shared);
  ADD ("preview/committed-cluster-stays-in-sight", test_committed_cluster_stays_in_sight);
  ADD ("what-if/alike-is-of-the-origin", test_alike_is_of_the_origin);
  ADD ("what-if/links-change-together", test_links_change_together);
  ADD ("what-if/cluster-is-taken-in-a-worker", test_cluster_is_taken_in_a_worker);
  return g_test_run ();
}
