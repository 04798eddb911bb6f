/* Policies of other programs: tests/support/agent.c in its moods, and the agents in Python. */
#include "engine/study/programs/external-policy.h"

#include "engine/core/error.h"
#include "engine/study/run/graph-source.h"
#include "engine/study/run/guest-policy.h"
#include "engine/study/run/policy-run.h"
#include "engine/study/run/run-origin.h"
#include "tests/support/folder.h"
#include "tests/support/protocol-document.h"
#include "tests/support/shared-data.h"
#include "tests/support/test-program.h"
#include "tests/support/toys.h"

#include <errno.h>
#include <string.h>
#include <sys/wait.h>

static int owner;
static const char *agent; /* its path */

static void
add (const char *const *argv, double timeout_s, guint64 evaluations)
{
  g_autoptr (GError) error = NULL;

  goban_external_policy_add (
      &(GobanExternalPolicy){
          .name = "agent", .argv = argv, .timeout_s = timeout_s, .evaluations = evaluations },
      &owner, &error);
  g_assert_no_error (error);
}

static void
add_mood (const char *mood, double timeout_s, guint64 evaluations)
{
  const char *argv[] = { agent, mood, "4", NULL };

  add (argv, timeout_s, evaluations);
}

/* Nobody is left, neither at work nor as a zombie. */
static void
assert_no_children (void)
{
  g_assert_cmpint (waitpid (-1, NULL, WNOHANG), ==, -1);
  g_assert_cmpint (errno, ==, ECHILD);
}

static GobanRun *
run_on (GobanGraph *graph, const char *policy, const GobanRunOptions *options, GError **error)
{
  g_autoptr (GobanCostModel) costs = toy_costs (graph, "equal:2,bandwidth=1e9");

  return goban_run_new_from_policy (costs, policy, options, error);
}

/* A run of the agent on the diamond. */
static GobanRun *
run_agent (const GobanRunOptions *options, GError **error)
{
  g_autoptr (GobanGraph) graph = toy_diamond ();
  GobanRun *run = run_on (graph, "agent", options, error);

  assert_no_children ();
  return run;
}

/* --- what goes right -------------------------------------------------------------------------- */

static void
test_plan (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanRun) single = NULL;
  g_autoptr (GobanRun) best = NULL;
  GobanPolicyInfo info;

  add_mood ("plan", 0, 0);
  g_assert_true (goban_policy_find ("agent", &info, NULL));
  g_assert_cmpstr (info.effort, ==, "quick");
  g_assert_cmpstr (info.source, ==, "another program");
  single = run_agent (NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpfloat (goban_run_get_makespan_us (single), ==, 220);
  g_assert_cmpstr (goban_plan_get_policy (goban_run_get_plan (single)), ==, "agent");
  g_assert_cmpuint (goban_decisions_get_n_moments (goban_run_get_decisions (single)), ==, 1);

  add_mood ("plan", 0, 10);
  best = run_agent (&(GobanRunOptions){ .max_evaluations = 5 }, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (goban_run_get_origin (best)->evaluations, ==, 5);
  g_assert_cmpfloat (goban_run_get_makespan_us (best), <, 220);
  g_assert_cmpuint (goban_run_get_origin (best)->improvements->len, ==, 2);
  g_assert_cmpint (goban_plan_get_order (goban_run_get_plan (best)), ==, GOBAN_ORDER_FIFO);
}

static void
test_priorities (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanRun) run = NULL;

  add_mood ("priorities", 0, 0);
  run = run_agent (NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpint (goban_plan_get_order (goban_run_get_plan (run)), ==, GOBAN_ORDER_PRIORITY);
  g_assert_cmpint (goban_plan_get_priority (goban_run_get_plan (run), 1), ==, 3);
  g_clear_pointer (&run, goban_run_unref);

  add_mood ("details", 0, 3);
  run = run_agent (NULL, &error);
  g_assert_no_error (error);
}

/* Three rollouts at a time; one of them puts a node on the other device. */
static void
test_steps (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanRun) single = NULL;
  g_autoptr (GobanRun) best = NULL;
  GobanDecisionRoom room = { 0 };
  GobanDecision decision;

  add_mood ("step", 0, 0);
  single = run_agent (NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpfloat (goban_run_get_makespan_us (single), ==, 220);
  g_assert_cmpuint (goban_decisions_get_n_moments (goban_run_get_decisions (single)), ==, 4);
  g_assert_true (goban_decisions_get (goban_run_get_decisions (single), 4, &room, &decision));
  g_assert_cmpfloat (decision.finish_us, ==, 220);
  goban_decision_room_clear (&room);

  add_mood ("step", 0, 7);
  best = run_agent (NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (goban_run_get_origin (best)->evaluations, ==, 7);
  g_assert_cmpfloat (goban_run_get_makespan_us (best), <, 220);
}

/* From a bad plan the moves find the better one, and stay there. */
static void
test_proposals (void)
{
  g_autoptr (GobanGraph) graph = toy_diamond ();
  g_autoptr (GobanPlan) start = goban_plan_new (graph, 2);
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanRun) run = NULL;

  add_mood ("propose", 0, 9);
  run = run_agent (&(GobanRunOptions){ .start = start }, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (goban_run_get_origin (run)->evaluations, ==, 9);
  g_assert_cmpint (goban_plan_get_device (goban_run_get_plan (run), 1), ==, 1);
  g_clear_pointer (&run, goban_run_unref);

  add_mood ("propose", 0, 0);
  g_assert_null (run_agent (NULL, &error));
  g_assert_nonnull (strstr (error->message, "it needs a number of plans: say evals"));
}

/* --- the document ----------------------------------------------------------------------------- */

/* Every dialogue of the document takes place as it stands there. */
static void
test_document (gconstpointer kind)
{
  g_autofree char *folder = g_dir_make_tmp ("goban-protocol-XXXXXX", NULL); /* it can */
  g_autofree char *played = g_build_filename (folder, "played", NULL);
  g_autofree char *heard = g_build_filename (folder, "heard", NULL);
  g_autofree char *text = protocol_document_read ("docs/protocol.md", "json");
  g_autofree char *dialogue = protocol_document_read ("docs/protocol.md", kind);
  g_autofree char *expected = protocol_document_pick_answers (dialogue);
  g_autofree char *answers = NULL;
  const char *argv[] = { agent, "play", played, heard, NULL };
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanGraph) graph
      = goban_graph_source_parse (text, strlen (text), &(GobanLoadOptions){ 0 }, &error);
  g_autoptr (GobanRun) run = NULL;

  g_assert_no_error (error);
  g_assert_true (g_file_set_contents (played, dialogue, -1, NULL));
  add (argv, 0, 100);
  run = run_on (graph, "agent", &(GobanRunOptions){ .seed = 7 }, &error);
  g_assert_no_error (error);
  g_assert_true (g_file_get_contents (heard, &answers, NULL, NULL));
  protocol_document_assert (answers, expected);
  remove_folder (folder);
}

/* --- what goes wrong -------------------------------------------------------------------------- */

static const struct
{
  const char *mood;
  const char *says;
} moods[] = {
  { "crash", "agent crashed: " },
  { "exit", "agent ended too early, with exit code 3, after 1 lines; it wrote:\n  no such model" },
  { "silence", "agent has been silent for 0.4 s, after 1 lines" },
  { "family", "agent has been silent for 0.4 s, after 1 lines" },
  { "garbage", "line 2 of agent, column 1: " },
  { "range", "line 2 of agent: devices[1] is 9: " },
  { "short", "line 2 of agent: devices: 4 numbers are needed, not 3" },
  { "key", "line 2 of agent: prioritys is not known: did you mean priorities?" },
  { "task", "line 2 of agent: priorities: scheduling is not among the tasks: say so in hello" },
  { "type", "line 2 of agent: plan or end is expected, not act" },
  { "nan", "line 2 of agent, column " },
  { "long", "agent: line 2 is longer than 16 MB" },
  { "version", "line 1 of agent: protocol: version 1 of the protocol is spoken here, not 9" },
  { "fusion", "line 1 of agent: tasks[0]: a program decides placement and scheduling, not fusion" },
  { "end", "the policy agent made no plan" },
};

static void
test_failures (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (moods); i++)
    for (guint n = 0; n <= 10; n += 10)
      {
        g_autoptr (GError) error = NULL;

        add_mood (moods[i].mood, strstr (moods[i].says, "0.4") != NULL ? 0.4 : 20, n);
        g_assert_null (run_agent (NULL, &error));
        g_assert_nonnull (error);
        g_test_message ("%s", error->message);
        g_assert_true (g_str_has_prefix (error->message, moods[i].says));
        g_assert_true (error->domain == GOBAN_ERROR);
      }
}

static void
test_cannot_start (void)
{
  const char *argv[] = { "there-is-no-such-program", NULL };
  g_autoptr (GError) error = NULL;

  add (argv, 0, 0);
  g_assert_null (run_agent (NULL, &error));
  g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_IO);
  g_assert_nonnull (strstr (error->message, "“there-is-no-such-program” cannot be started"));
  g_clear_error (&error);
  g_assert_false (goban_external_policy_add_text ("agent", 0, &owner, &error));
  g_assert_nonnull (strstr (error->message, "is not NAME=COMMAND"));
  g_clear_error (&error);
  g_assert_false (goban_external_policy_add_text ("agent='", 0, &owner, &error));
  g_assert_nonnull (error);
}

/* One that does not end is killed after a while; what it made stays. */
static void
test_slow_and_stubborn (void)
{
  static const char *const good[] = { "slow", "stubborn", "flood" };

  for (guint i = 0; i < G_N_ELEMENTS (good); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (GobanRun) run = NULL;

      add_mood (good[i], 20, 0);
      run = run_agent (NULL, &error);
      g_assert_no_error (error);
      g_assert_nonnull (run);
    }
}

/* Plans that part a colocation group. */
static void
test_broken_rule (void)
{
  g_autoptr (GobanGraphBuilder) builder = goban_graph_builder_new ("pair", "test");
  g_autoptr (GobanGraph) graph = NULL;
  g_autoptr (GError) error = NULL;

  for (guint v = 0; v < 4; v++)
    {
      goban_graph_builder_add_node (builder, "", "Op");
      goban_graph_builder_set_group (builder, v, 7);
    }
  graph = toy_finish (builder);
  add_mood ("stubborn", 20, 0);
  g_assert_null (run_on (graph, "agent", NULL, &error));
  g_assert_true (g_str_has_prefix (error->message, "the plan of agent breaks a rule: "));
  assert_no_children ();
}

static gint64 deadline_us;

static gboolean
should_stop_cb (gpointer user_data)
{
  return g_get_monotonic_time () > deadline_us;
}

static void
test_stopped (void)
{
  const GobanProgress progress = { .should_stop = should_stop_cb };
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanRun) run = NULL;
  gint64 began_us = g_get_monotonic_time ();
  const gint finish = 1;

  deadline_us = began_us + 200000;
  add_mood ("silence", 100, 0);
  g_assert_null (run_agent (&(GobanRunOptions){ .progress = &progress }, &error));
  g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_CANCELLED);
  g_clear_error (&error);
  add_mood ("silence", 100, 10);
  g_assert_null (run_agent (&(GobanRunOptions){ .progress = &progress }, &error));
  g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_CANCELLED);
  g_clear_error (&error);
  g_assert_cmpint (g_get_monotonic_time () - began_us, <, 20 * G_USEC_PER_SEC);

  /* The best plan so far is as good as any. */
  add_mood ("plan", 100, G_MAXINT);
  run = run_agent (&(GobanRunOptions){ .max_seconds = 0.3 }, &error);
  g_assert_no_error (error);
  g_assert_cmpfloat (goban_run_get_makespan_us (run), <, 220);
  g_clear_pointer (&run, goban_run_unref);
  run = run_agent (&(GobanRunOptions){ .finish = &finish }, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (goban_run_get_origin (run)->evaluations, ==, 1);
}

/* --- Python ----------------------------------------------------------------------------------- */

/* %FALSE after skipping the test. */
static gboolean
add_python (const char *name, guint64 evaluations)
{
  g_autofree char *python = g_find_program_in_path ("python3");
  g_autofree char *path = g_strdup_printf ("scripts/agents/%s.py", name);
  g_autofree char *script = project_path (path);
  const char *argv[] = { "python3", script, NULL };

  if (python == NULL)
    g_test_skip ("there is no python3");
  else
    add (argv, 60, evaluations);
  return python != NULL;
}

/* With the same seed the agent makes the plans of the policy random. */
static void
test_random_agent (void)
{
  if (!add_python ("random_agent", 0))
    return;
  for (guint i = 0; i < 4; i++)
    {
      g_autoptr (GobanCostModel) costs = toy_various_costs (i);

      for (guint64 seed = i; seed < i + 2; seed++)
        {
          const GobanRunOptions options = { .seed = seed * G_GUINT64_CONSTANT (0x1234567890abcd) };
          g_autoptr (GError) error = NULL;
          g_autoptr (GobanRun) own = goban_run_new_from_policy (costs, "random", &options, &error);
          g_autoptr (GobanRun) other = goban_run_new_from_policy (costs, "agent", &options, &error);

          g_assert_no_error (error);
          g_assert_true (toy_plans_are_same (goban_run_get_plan (own), goban_run_get_plan (other)));
        }
    }
  assert_no_children ();
}

/* Two chains side by side: a learner parts them, where drawing by lot is far from that. */
static void
test_reinforce_agent (void)
{
  g_autoptr (GobanGraph) graph = toy_two_chains (12);
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanRun) run = NULL;

  if (!add_python ("reinforce_agent", 640))
    return;
  run = run_on (graph, "agent", NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (goban_run_get_origin (run)->evaluations, <=, 640);
  g_assert_cmpfloat (goban_run_get_makespan_us (run), <, 135);
  assert_no_children ();
}

static void
test_gym_shim (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanRun) run = NULL;

  if (!add_python ("gym_shim", 20))
    return;
  run = run_agent (NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (goban_run_get_origin (run)->evaluations, ==, 20);
  g_assert_cmpfloat (goban_run_get_makespan_us (run), <, 220);
}

TEST_PROGRAM (external_policy)
{
  int result;

  g_test_init (&argc, &argv, NULL);
  agent = argv[1];
  g_test_add_func ("/external-policy/plan", test_plan);
  g_test_add_func ("/external-policy/priorities", test_priorities);
  g_test_add_func ("/external-policy/steps", test_steps);
  g_test_add_func ("/external-policy/proposals", test_proposals);
  g_test_add_data_func ("/external-policy/document/plan", "plan", test_document);
  g_test_add_data_func ("/external-policy/document/step", "step", test_document);
  g_test_add_data_func ("/external-policy/document/propose", "propose", test_document);
  g_test_add_func ("/external-policy/failures", test_failures);
  g_test_add_func ("/external-policy/cannot-start", test_cannot_start);
  g_test_add_func ("/external-policy/slow-and-stubborn", test_slow_and_stubborn);
  g_test_add_func ("/external-policy/broken-rule", test_broken_rule);
  g_test_add_func ("/external-policy/stopped", test_stopped);
  g_test_add_func ("/external-policy/random-agent", test_random_agent);
  g_test_add_func ("/external-policy/reinforce-agent", test_reinforce_agent);
  g_test_add_func ("/external-policy/gym-shim", test_gym_shim);
  result = g_test_run ();
  goban_guest_policies_remove (&owner);
  return result;
}
