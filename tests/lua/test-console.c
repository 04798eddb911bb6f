#include "app/lua/lua-console.h"
#include "engine/core/error.h"
#include "tests/support/test-program.h"

#include <string.h>

typedef struct
{
  GobanSession *session;
  GobanConsoleEvaluator *console;
  GMainLoop *loop;
  GString *output;
  guint n_outputs;
  char *result;
  GError *error;
} Fixture;

static void
output_cb (Fixture *fixture, GobanConsoleKind kind, const char *text)
{
  g_string_append_printf (fixture->output, "%s%s", kind == GOBAN_CONSOLE_LOG ? "log: " : "", text);
  fixture->n_outputs++;
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->session = goban_session_new ();
  fixture->console = GOBAN_CONSOLE_EVALUATOR (goban_lua_console_new (fixture->session));
  fixture->loop = g_main_loop_new (NULL, FALSE);
  fixture->output = g_string_new (NULL);
  g_signal_connect_swapped (fixture->console, "output", G_CALLBACK (output_cb), fixture);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  g_assert_finalize_object (fixture->console);
  g_assert_finalize_object (fixture->session);
  g_main_loop_unref (fixture->loop);
  g_string_free (fixture->output, TRUE);
  g_free (fixture->result);
  g_clear_error (&fixture->error);
}

static void
evaluated_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Fixture *fixture = user_data;

  fixture->result = goban_console_evaluator_evaluate_finish (GOBAN_CONSOLE_EVALUATOR (source),
                                                             result, &fixture->error);
  g_main_loop_quit (fixture->loop);
}

static void
evaluate (Fixture *fixture, const char *text)
{
  g_clear_pointer (&fixture->result, g_free);
  g_clear_error (&fixture->error);
  g_string_truncate (fixture->output, 0);
  fixture->n_outputs = 0;
  goban_console_evaluator_evaluate_async (fixture->console, text, evaluated_cb, fixture);
  g_main_loop_run (fixture->loop);
}

static void
test_evaluate (Fixture *fixture, gconstpointer data)
{
  evaluate (fixture, "print 'hello' return 6 * 7");
  g_assert_no_error (fixture->error);
  g_assert_cmpstr (fixture->result, ==, "42");
  g_assert_cmpstr (fixture->output->str, ==, "hello\n");

  evaluate (fixture, "x = 1");
  g_assert_cmpstr (fixture->result, ==, "");

  evaluate (fixture, "error 'boom'");
  g_assert_null (fixture->result);
  g_assert_cmpstr (fixture->error->message, ==, "console[3]:1: boom");

  evaluate (fixture, "x = = 1");
  g_assert_cmpstr (fixture->error->message, ==, "console[4]:1: unexpected symbol near '='");

  /* Places are the script's, and none where what was typed is the call itself. */
  evaluate (fixture, "array{ 'x' }");
  g_assert_cmpstr (fixture->error->message, ==, "number expected at 1, got string");
  evaluate (fixture, "local a = 1\nlocal p = plan.from(a)");
  g_assert_cmpstr (fixture->error->message, ==,
                   "console[6]:2: bad argument #1 to 'from' (Graph expected, got number)");

  /* A name that is nearly known is told; one that is like nothing is not. */
  evaluate (fixture, "plto (g)");
  g_assert_nonnull (strstr (fixture->error->message, "(global 'plto'): did you mean plot?"));
  evaluate (fixture, "print (grpah.load)");
  g_assert_nonnull (strstr (fixture->error->message, "(global 'grpah'): did you mean graph?"));
  evaluate (fixture, "plan.heftt");
  g_assert_nonnull (
      strstr (fixture->error->message, "there is no plan.heftt; did you mean plan.heft?"));
  evaluate (fixture, "p = plan.heftt(g)");
  g_assert_nonnull (strstr (fixture->error->message, "did you mean plan.heft?"));
  evaluate (fixture, "x = view.xylophone");
  g_assert_nonnull (strstr (fixture->error->message, "there is no view.xylophone; help \"view\""));
  evaluate (fixture, "for _, m in ipairs{ app, bench, cluster, compare, graph, job, measure, plan, "
                     "policy, scene, sim, ui, view } do assert(not pcall(function() return m.oops "
                     "end)); assert(rawget(m, 'oops') == nil and m[1] == nil) end");
  g_assert_no_error (fixture->error);
  evaluate (fixture, "plan.mine = 7; assert(plan.mine == 7); plan.mine = nil");
  g_assert_no_error (fixture->error);
  evaluate (fixture, "mine = 1");
  evaluate (fixture, "xylophone ()");
  g_assert_nonnull (strstr (fixture->error->message, "(global 'xylophone')"));
  g_assert_null (strstr (fixture->error->message, "did you mean"));

  /* The reason of a nil that nobody looked at, once. */
  evaluate (fixture, "local h = graph.load \"no.json\"\nh:nodes()");
  g_assert_cmpstr (fixture->error->message, ==,
                   "console[16]:2: attempt to index a nil value (local 'h'); the last call that "
                   "failed said: no.json: cannot be read: there is no such file");
  evaluate (fixture, "xylophone ()");
  g_assert_null (strstr (fixture->error->message, "the last call"));
  /* The name by which a function was called, not that of what it wraps. */
  evaluate (fixture, "local d = compare.causes(1, 2)");
  g_assert_nonnull (strstr (fixture->error->message, "bad argument #1 to 'causes' ("));
}

/* Ten thousand lines arrive whole and in order, in few pieces. */
static void
test_output_is_batched (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GString) expected = g_string_new (NULL);

  for (int i = 1; i <= 10000; i++)
    g_string_append_printf (expected, "%d\n", i);
  evaluate (fixture, "for i = 1, 10000 do print(i) end");
  g_assert_cmpstr (fixture->output->str, ==, expected->str);
  g_assert_cmpuint (fixture->n_outputs, <, 1000); /* by the clock: more where it runs slowly */
}

static void
interrupt_cb (GobanConsoleEvaluator *console)
{
  goban_console_evaluator_interrupt (console);
}

static void
test_interrupt (Fixture *fixture, gconstpointer data)
{
  g_signal_connect (fixture->console, "output", G_CALLBACK (interrupt_cb), NULL);
  evaluate (fixture, "print 'before' while true do end");
  g_assert_error (fixture->error, GOBAN_ERROR, GOBAN_ERROR_CANCELLED);
  g_assert_cmpstr (fixture->output->str, ==, "before\n");
}

static void
test_log (Fixture *fixture, gconstpointer data)
{
  evaluate (fixture, "view.color 'priority'");
  g_assert_cmpstr (fixture->output->str, ==, "log: view.color \"priority\"\n");
}

static void
test_answers_the_view (Fixture *fixture, gconstpointer data)
{
  gsize start;
  g_auto (GStrv) details = NULL;
  g_auto (GStrv) words
      = goban_console_evaluator_complete (fixture->console, "graph.lo", 8, &start, &details);

  g_assert_cmpstr (words[0], ==, "load");
  g_assert_cmpuint (start, ==, 6);
  g_assert_true (g_str_has_prefix (details[0], "graph.load("));
  g_assert_false (goban_console_evaluator_is_complete (fixture->console, "for i = 1, 2 do"));
  g_assert_cmpstr (goban_console_evaluator_get_language (fixture->console), ==, "lua");
  g_assert_nonnull (goban_console_evaluator_get_greeting (fixture->console));
}

/* What F1 tells of a word, wherever in it the cursor is; of nothing, what there is. */
static void
test_help (Fixture *fixture, gconstpointer data)
{
  static const struct
  {
    const char *text;
    gsize cursor;
    const char *part;
  } cases[] = {
    { "view.color \"cost\"", 10, "view.color(" },
    { "view.color \"cost\"", 2, "Example: view" },
    { "x = plan.heft(", 14, "plan.heft(" },
    { "sel:top(3)", 6, "top(" },
    { "", 0, "apropos(word)" },
    { "nothing_of_that_name", 3, "There is no help on 'nothing_of_that_name'" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *help
          = goban_console_evaluator_help (fixture->console, cases[i].text, cases[i].cursor);

      g_test_message ("%s: %s", cases[i].text, help);
      g_assert_nonnull (strstr (help, cases[i].part));
    }
}

TEST_PROGRAM (console)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add ("/lua/console/evaluate", Fixture, NULL, set_up, test_evaluate, tear_down);
  g_test_add ("/lua/console/help", Fixture, NULL, set_up, test_help, tear_down);
  g_test_add ("/lua/console/output-is-batched", Fixture, NULL, set_up, test_output_is_batched,
              tear_down);
  g_test_add ("/lua/console/interrupt", Fixture, NULL, set_up, test_interrupt, tear_down);
  g_test_add ("/lua/console/log", Fixture, NULL, set_up, test_log, tear_down);
  g_test_add ("/lua/console/answers-the-view", Fixture, NULL, set_up, test_answers_the_view,
              tear_down);
  return g_test_run ();
}
