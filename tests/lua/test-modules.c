/* Each module has a script in this folder, whose asserts are its tests, and every example runs. */
#include "app/lua/core/lua-handle.h"
#include "app/lua/core/lua-paths.h"
#include "app/lua/core/lua-state.h"
#include "app/lua/lua-chunk.h"
#include "app/lua/lua-host.h"
#include "app/lua/lua-modules.h"
#include "app/lua/lua-prelude.h"
#include "engine/session/chosen-folders.h"
#include "engine/session/document/opening.h"
#include "engine/session/edit.h"
#include "engine/session/session-edit.h"
#include "engine/session/session-graph.h"
#include "engine/session/session-history.h"
#include "engine/session/session-jobs.h"
#include "engine/session/session-marks.h"
#include "engine/session/session-runs.h"
#include "engine/study/run/graph-source.h"
#include "tests/support/folder.h"
#include "tests/support/rounds.h"
#include "tests/support/sessions.h"
#include "tests/support/shared-data.h"
#include "tests/support/test-program.h"

#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct
{
  GobanLuaHost *host;
  GString *output;
  char *folder; /* a fresh one for the files a script writes */
} Fixture;

static void
write_cb (const char *text, gsize n, gpointer user_data)
{
  g_string_append_len (user_data, text, n);
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GobanSession) session = goban_session_new ();
  g_autoptr (GError) error = NULL;

  fixture->host = goban_lua_host_new (session, goban_lua_open_modules);
  fixture->output = g_string_new (NULL);
  fixture->folder = g_dir_make_tmp ("goban-lua-XXXXXX", &error);
  g_assert_no_error (error);
  goban_lua_host_set_output (fixture->host, write_cb, NULL, fixture->output);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  goban_lua_host_free (fixture->host);
  g_string_free (fixture->output, TRUE);
  remove_folder (fixture->folder);
  g_free (fixture->folder);
}

static void
run (Fixture *fixture, const char *script, const char *const *args, int expected)
{
  g_autofree char *path = project_path (script);
  g_autoptr (GError) error = NULL;
  int code = goban_lua_host_run_file (fixture->host, path, args, &error);

  g_assert_no_error (error);
  g_assert_cmpint (code, ==, expected);
}

static void
test_module (Fixture *fixture, gconstpointer data)
{
  g_autofree char *toy = project_path ("samples/toy.dot");
  g_autofree char *script = g_strdup_printf ("tests/lua/%s.lua", (const char *) data);
  g_autofree char *scripts = project_path ("scripts");
  const char *args[] = { toy, fixture->folder, NULL };

  goban_lua_host_allow (fixture->host, scripts); /* parts of experiments are read as text */
  run (fixture, script, args, 0);
}

/* --- other programs ------------------------------------------------------------------------ */

static const char *agent; /* tests/support/agent.c */

static void
test_external (Fixture *fixture, gconstpointer data)
{
  g_autofree char *toy = project_path ("samples/toy.dot");
  const char *args[] = { toy, agent, fixture->folder, NULL };

  goban_lua_host_set_trusted (fixture->host, TRUE);
  run (fixture, "tests/lua/external.lua", args, 0);
}

/* A typed line may start programs, as long as no script has had a hand in it. */
static void
test_external_is_typed (Fixture *fixture, gconstpointer data)
{
  static const char line[] = "policy.external('ext', { 'there-is-no-such-program' })";
  g_autofree char *script = g_build_filename (fixture->folder, "script.lua", NULL);
  g_autoptr (GError) error = NULL;

  g_assert_cmpint (goban_lua_host_evaluate (fixture->host, line, &error), ==, 0);
  g_assert_no_error (error);
  g_assert_true (g_file_set_contents (script, line, -1, NULL));
  goban_lua_host_run_file (fixture->host, script, NULL, &error);
  g_assert_nonnull (error);
  g_assert_nonnull (strstr (error->message, "a script may not start programs"));
  g_clear_error (&error);
  goban_lua_host_evaluate (fixture->host, line, &error);
  g_assert_nonnull (error);
}

/* --- memory -------------------------------------------------------------------------------- */

/* The most that handles hold outside of the interpreter while lines of this kind are repeated. */
static gsize
find_peak (Fixture *fixture, const char *line, guint n)
{
  gsize peak = 0;

  for (guint i = 0; i < n; i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_cmpint (goban_lua_host_run_string (fixture->host, line, "test", &error), ==, 0);
      g_assert_no_error (error);
      peak = MAX (peak, fixture->host->held_bytes);
    }
  return peak;
}

/* A dropped value is collected although it weighs next to nothing inside the interpreter. */
static void
test_dropped_handles_are_collected (Fixture *fixture, gconstpointer data)
{
  static const char *const lines[] = {
    "local dropped = graph.generate 'rnnlm:layers=2'", "local dropped = kept:nodes()",
    "local dropped = plan.single(kept, 'gpu:0')",      "local dropped = sim.run(plan_of_kept)",
    "local dropped = array.zeros(20000) + 1",
  };

  find_peak (fixture,
             "kept = graph.generate 'rnnlm:layers=2' plan_of_kept = plan.single(kept, 'gpu:0')", 1);
  for (guint i = 0; i < G_N_ELEMENTS (lines); i++)
    {
      gsize one, peak;

      find_peak (fixture, "collectgarbage()", 1);
      one = find_peak (fixture, lines[i], 1);
      peak = find_peak (fixture, lines[i], test_rounds (100));
      g_test_message ("%s: %" G_GSIZE_FORMAT " bytes, at the peak %" G_GSIZE_FORMAT, lines[i], one,
                      peak);
      g_assert_cmpuint (one, >, 4096);
      g_assert_cmpuint (peak, <, 8 * one);
    }
}

/* Kept values are counted, dropped ones given back. */
static void
test_kept_handles_are_counted (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GError) other = NULL;

  goban_lua_host_set_memory_limit (fixture->host, 64 << 20);
  g_assert_cmpint (goban_lua_host_run_string (fixture->host,
                                              "t = {} g = graph.generate 'rnnlm:layers=2'\n"
                                              "while true do t[#t + 1] = g:nodes() end",
                                              "test", &error),
                   ==, 1);
  g_assert_true (g_str_has_prefix (error->message, "not enough memory"));
  g_assert_cmpuint (fixture->host->held_bytes, >, 32 << 20);
  g_assert_cmpint (
      goban_lua_host_run_string (fixture->host, "t = nil collectgarbage()", "test", &other), ==, 0);
  g_assert_no_error (other);
  g_assert_cmpuint (fixture->host->held_bytes, <, 8 << 20);
}

/* --- files --------------------------------------------------------------------------------- */

typedef struct
{
  char *chosen;
  char *other;
} Folders;

/* Folders with what tries to lead from one into the other. */
static Folders
make_folders (Fixture *fixture)
{
  Folders folders = { g_build_filename (fixture->folder, "chosen", NULL),
                      g_build_filename (fixture->folder, "other", NULL) };
  g_autofree char *toy = project_path ("samples/toy.dot");
  g_autofree char *line = g_strdup_printf (
      "cd '%s' && mkdir chosen other && echo secret >other/secret.txt && cp '%s' other/toy.dot && "
      "ln -s ../other chosen/link && ln -s ../other/secret.txt chosen/secret-link && "
      "ln -s ../other/new.txt chosen/nowhere-link && mkfifo chosen/pipe && "
      "truncate -s 300M chosen/large",
      fixture->folder, toy);

  g_assert_cmpint (system (line), ==, 0);
  return folders;
}

static void
free_folders (Fixture *fixture, Folders *folders)
{
  g_autofree char *line = g_strdup_printf ("rm -r '%s'/*", fixture->folder);

  g_assert_cmpint (system (line), ==, 0);
  g_free (folders->chosen);
  g_free (folders->other);
}

static void
test_paths (Fixture *fixture, gconstpointer data)
{
  Folders folders = make_folders (fixture);
  const char *args[] = { folders.chosen, NULL };
  g_autofree char *set = g_strdup_printf ("arg = { '%s', '%s' }", folders.chosen, folders.other);
  g_autofree char *script = project_path ("tests/lua/paths.lua");
  g_autofree char *code
      = g_strdup_printf ("local chunk = assert(loadfile 'paths.lua') %s chunk()", set);
  g_autofree char *begin = g_build_filename (folders.chosen, "begin.lua", NULL);
  g_autofree char *copy = g_strdup_printf ("cp '%s' \"$(dirname '%s')/support.lua\" '%s'", script,
                                           script, folders.chosen);
  g_autoptr (GError) error = NULL;

  g_assert_cmpint (system (copy), ==, 0);
  g_assert_true (g_file_set_contents (begin, code, -1, NULL));
  goban_lua_host_confine (fixture->host); /* the working folder may hold the temporary ones */
  goban_lua_host_run_file (fixture->host, begin, args, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (folder_count_files (folders.other), ==, 2);
  free_folders (fixture, &folders);
}

/* The window allows what people opened, and nothing else of the working folder but goban-out. */
static void
test_paths_of_the_window (Fixture *fixture, gconstpointer data)
{
  Folders folders = make_folders (fixture);
  GobanSession *session = goban_lua_host_get_session (fixture->host);
  g_autofree char *toy = g_build_filename (folders.other, "toy.dot", NULL);
  g_autofree char *code = g_strdup_printf (
      "local function may(path) return app.write(path, 'x') == path end\n"
      "return may '%s/x.txt', may '%s/x.txt', may 'x.txt', may '-', not may 'goban-out-of-it/x'",
      folders.chosen, folders.other);
  g_autoptr (GError) error = NULL;
  g_autofree char *trusted = g_strdup_printf ("app.write('%s/x.txt', 'x') ~= nil", fixture->folder);
  g_autofree char *outside
      = g_strdup_printf ("(app.write('%s/x.txt', 'x') ~= nil)", fixture->folder);
  g_autofree char *saved = g_build_filename (folders.chosen, "saved.svg", NULL);
  g_autoptr (GobanGraph) graph = goban_graph_source_load (toy, NULL, &error);

  g_assert_no_error (error);
  goban_lua_host_confine (fixture->host);
  goban_lua_host_evaluate (fixture->host, code, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (fixture->output->str, ==, "false\tfalse\tfalse\tfalse\ttrue\n");

  g_string_truncate (fixture->output, 0);
  goban_session_set_graph (session, graph, toy);
  goban_lua_host_evaluate (fixture->host, code, &error);
  g_assert_cmpstr (fixture->output->str, ==, "false\ttrue\tfalse\tfalse\ttrue\n");

  g_string_truncate (fixture->output, 0);
  goban_chosen_folders_add (session, saved);
  goban_lua_host_evaluate (fixture->host, code, &error);
  g_assert_cmpstr (fixture->output->str, ==, "true\ttrue\tfalse\tfalse\ttrue\n");
  g_string_truncate (fixture->output, 0);
  goban_lua_host_evaluate (fixture->host, outside, &error);
  g_assert_cmpstr (fixture->output->str, ==, "false\n");

  g_string_truncate (fixture->output, 0);
  goban_lua_host_set_trusted (fixture->host, TRUE);
  goban_lua_host_evaluate (fixture->host, trusted, &error);
  g_assert_cmpstr (fixture->output->str, ==, "true\n");
  free_folders (fixture, &folders);
}

/* --- help ---------------------------------------------------------------------------------- */

static int
get_types (lua_State *L)
{
  goban_lua_push_types (L);
  return 1;
}

/* The text that the console shows for the word at the cursor. */
static int
get_help_at (lua_State *L)
{
  luaL_checkstring (L, 1);
  goban_lua_push_prelude (L, "help_at");
  lua_pushvalue (L, 1);
  lua_pushliteral (L, "");
  lua_call (L, 2, 1);
  return 1;
}

static void
test_help_is_whole (Fixture *fixture, gconstpointer data)
{
  g_autofree char *toy = project_path ("samples/toy.dot");
  const char *args[] = { toy, NULL };

  lua_register (fixture->host->L, "types", get_types);
  lua_register (fixture->host->L, "help_at", get_help_at);
  run (fixture, "tests/lua/help.lua", args, 0);
}

/* One by one, each in an interpreter and a folder of its own. */
static void
test_examples_run (Fixture *fixture, gconstpointer data)
{
  g_autofree char *script = project_path ("tests/lua/examples.lua");
  g_autofree char *samples = project_path ("samples");
  g_autofree char *before = g_get_current_dir ();
  lua_State *L = fixture->host->L;
  int n = 0;

  goban_lua_push_docs (L);
  for (lua_pushnil (L); lua_next (L, -2) != 0; lua_pop (L, 1))
    {
      const char *args[] = { lua_tostring (L, -2), NULL, NULL };
      g_autoptr (GError) error = NULL;

      if (lua_getfield (L, -1, "example") == LUA_TSTRING)
        {
          g_autofree char *folder = g_dir_make_tmp ("goban-example-XXXXXX", NULL); /* it can */
          Fixture fresh;

          args[1] = lua_tostring (L, -1);
          g_assert_cmpint (g_chdir (folder), ==, 0);
          g_assert_cmpint (symlink (samples, "samples"), ==, 0);
          set_up (&fresh, NULL);
          /* Its help says that a script needs it. */
          goban_lua_host_set_trusted (fresh.host, g_str_equal (args[0], "policy.external"));
          goban_lua_host_run_file (fresh.host, script, args, &error);
          if (error != NULL)
            {
              g_test_message ("%s: %s: %s", args[0], args[1], error->message);
              g_test_fail ();
            }
          tear_down (&fresh, NULL);
          g_assert_cmpint (unlink ("samples"), ==, 0);
          g_assert_cmpint (g_chdir (before), ==, 0);
          remove_folder (folder);
          n++;
        }
      lua_pop (L, 1);
    }
  lua_pop (L, 1);
  g_assert_cmpint (n, >, 200);
}

static void
test_words_are_there (Fixture *fixture, gconstpointer data)
{
  g_autofree char *toy = project_path ("samples/toy.dot");
  const char *args[] = { toy, fixture->folder, NULL };

  lua_register (fixture->host->L, "types", get_types);
  run (fixture, "tests/lua/words.lua", args, 0);
}

static void
test_arguments_are_used (Fixture *fixture, gconstpointer data)
{
  g_autofree char *toy = project_path ("samples/toy.dot");
  const char *args[] = { toy, fixture->folder, NULL };

  lua_register (fixture->host->L, "types", get_types);
  run (fixture, "tests/lua/arguments.lua", args, 0);
}

/* Typed at a prompt, and what its answer must hold. */
static void
test_help_answers (Fixture *fixture, gconstpointer data)
{
  static const char *const asked[][2] = {
    { "help()", "describe(x)" },
    { "help(graph.load)", "graph.load(path or spec, opts)" },
    { "help \"graph.load\"", "Example: g = assert" },
    { "graph.load?", "graph.load(path or spec, opts)" },
    { "graph?", "graph.load(path or spec, opts)" },
    { "help(sim)", "sim.run(g, plan" },
    { "g?", "g:critical_path(run)" },
    { "help(g)", "g:where(query, run)" },
    { "help(g.where)", "g:where(query, run)" },
    { "g:where?", "g:where(query, run)" },
    { "sel:top?", "s:top(n, field)" },
    { "help(plan.tf_default)", "plan.tf_default(g" },
    { "help \"Run.makespan\"", "in seconds" },
    { "help(3)", "a number of yours" },
    { "nonsense?", "no help on 'nonsense'" },
    { "apropos \"staircase\"", "Nothing speaks of" },
    { "apropos \"idle\"", "r:idle(device)" },
  };
  g_autofree char *toy = project_path ("samples/toy.dot");
  g_autofree char *open = g_strdup_printf ("app.open '%s'", toy);

  g_assert_cmpint (goban_lua_host_evaluate (fixture->host, open, NULL), ==, 0);
  for (gsize i = 0; i < G_N_ELEMENTS (asked); i++)
    {
      g_autoptr (GError) error = NULL;

      g_string_truncate (fixture->output, 0);
      goban_lua_host_evaluate (fixture->host, asked[i][0], &error);
      g_assert_no_error (error);
      g_test_message ("%s", fixture->output->str);
      g_assert_nonnull (strstr (fixture->output->str, asked[i][1]));
    }
}

/* Typed at a prompt, and the whole answer. */
static void
test_answers_are_for_people (Fixture *fixture, gconstpointer data)
{
  static const char *const asked[][2] = {
    { "nil, 'there is no such file'", "there is no such file\n" },
    { "q = graph.load '/nowhere.dot'",
      "q is nil: /nowhere.dot: cannot be read: there is no such file\n" },
    { "q, why = graph.load '/nowhere.dot'\nq = why", "" },
    { "q = 3", "" },
    { "q = graph.load '/nowhere.dot' or 3", "" },
    { "graph.load '/nowhere.dot'", "/nowhere.dot: cannot be read: there is no such file\n" },
    { "q = nil", "" },
    { "{ { name = 'a', makespan = 2e-5 }, { name = 'bb', makespan = 0.5, n = 3 } }",
      "name  makespan  n\na        20 µs  –\nbb      500 ms  3\n" },
    { "{ { 1, 2 }, { 3, 4 } }", "{ { 1, 2 }, { 3, 4 } }\n" },
    { "{ { name = 'alone' } }", "{ { name = \"alone\" } }\n" },
    { "show{ { a = 1 }, { a = 2 } }", "a\n1\n2\n" },
    { "plot {}",
      "there is nothing to plot: a list of numbers or records, a set or runs expected\n" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (asked); i++)
    {
      g_autoptr (GError) error = NULL;

      g_string_truncate (fixture->output, 0);
      goban_lua_host_evaluate (fixture->host, asked[i][0], &error);
      g_assert_no_error (error);
      g_assert_cmpstr (fixture->output->str, ==, asked[i][1]);
    }
}

/* --- the log ------------------------------------------------------------------------------- */

/* A session as a window's user makes it: with the mouse, so to speak. */
static void
use_session (GobanSession *session)
{
  g_autofree char *toy = project_path ("samples/toy.dot");
  g_autoptr (GobanCluster) cluster = goban_cluster_new_from_spec ("p100x2", NULL); /* it is */
  g_autoptr (GobanCluster) slow = NULL;
  g_autoptr (GobanSelection) some
      = goban_selection_new ((const GobanNodeId[]){ 0, 2, 3, 4, 5, 6, 7, 8, 9, 11 }, 10);
  g_autoptr (GobanSelection) two = goban_selection_new ((const GobanNodeId[]){ 1, 9 }, 2);
  static const char *const policies[] = { "random", "heft", "tf-default" };
  GListModel *runs = goban_session_get_runs (session);

  goban_session_open_path (session, toy);
  session_wait_for_jobs (session);
  session_set_cluster (session, cluster);
  for (gsize i = 0; i < G_N_ELEMENTS (policies); i++)
    {
      goban_session_place (session, policies[i], 5);
      session_wait_for_jobs (session);
    }
  slow = goban_cluster_with_link (cluster, 0, "latency_us", 7, NULL); /* it is a link */
  session_set_cluster (session, slow);
  goban_view_set_color (goban_session_get_view (session), "priority");
  goban_session_set_selection (session, some);
  goban_session_remove_run (session,
                            goban_run_list_get (runs, g_list_model_get_n_items (runs) - 1));
  goban_session_set_current_run (session, goban_run_list_get (runs, 1));
  goban_session_set_selection (session, two);
}

static void
make_edit (GobanSession *session, const GobanEdit *edit)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanRun) run = goban_edit_run (edit, &error);

  g_assert_no_error (error);
  session_add_edit (session, edit, run, &error);
  g_assert_no_error (error);
}

/* Changes by hand, taken back and made again, in between another plan shown. */
static void
edit_session (GobanSession *session)
{
  static const struct
  {
    GobanNodeId first;
    GobanEditKind kind;
    GobanDeviceId device;
    gint32 priority;
    const char *what;
    double value;
  } edits[] = {
    { 1, GOBAN_EDIT_MOVE, 1, 0, NULL, 0 }, { 3, GOBAN_EDIT_URGENCY, 0, 1, NULL, 0 },
    { 5, GOBAN_EDIT_MOVE, 0, 0, NULL, 0 }, { 0, GOBAN_EDIT_LINK, 0, 0, "bandwidth", 1e10 / 3 },
    { 2, GOBAN_EDIT_MOVE, 1, 0, NULL, 0 }, { 0, GOBAN_EDIT_DEVICE, 1, 0, "flops", 7e12 / 9 },
    { 2, GOBAN_EDIT_FUSE, 0, 0, NULL, 0 },
  };
  g_autoptr (GobanSelection) pinned = goban_selection_new ((const GobanNodeId[]){ 6 }, 1);

  goban_session_pin (session, pinned, TRUE);
  for (gsize i = 0; i < G_N_ELEMENTS (edits); i++)
    {
      const GobanNodeId ids[] = { edits[i].first, edits[i].first + 1 };
      g_autoptr (GobanSelection) nodes = goban_selection_new (ids, 2);
      g_autoptr (GobanEdit) edit = goban_edit_new (session, edits[i].kind, nodes);

      edit->device = edits[i].device;
      edit->priority = edits[i].priority;
      edit->to = 1;
      edit->what = edits[i].what;
      edit->value = edits[i].value;
      make_edit (session, edit);
      if (i == 2)
        g_assert_true (goban_session_undo (session));
      if (i == 4)
        g_assert_true (goban_session_undo (session) && goban_session_undo (session)
                       && goban_session_redo (session) && goban_session_redo (session));
    }
  g_assert_true (goban_session_undo (session));
  g_assert_true (goban_session_redo (session));
}

/* The code writes into folders of the test's. */
static void
assert_fine (GobanLuaHost *host, const char *code)
{
  g_autoptr (GError) error = NULL;

  goban_lua_host_set_trusted (host, TRUE);

  goban_lua_host_run_string (host, code, "test", &error);
  g_assert_no_error (error);
}

static char *
save_all (Fixture *fixture, GobanLuaHost *host, const char *name)
{
  g_autofree char *code = g_strdup_printf ("assert(view.save('%s/%s.svg', { critical = true }))\n"
                                           "assert(p:save('%s/%s.json'))",
                                           fixture->folder, name, fixture->folder, name);

  assert_fine (host, code);
  return g_strdup_printf ("%s/%s", fixture->folder, name);
}

static void
assert_same_file (const char *a, const char *b, const char *ending)
{
  g_autofree char *path_a = g_strconcat (a, ending, NULL);
  g_autofree char *path_b = g_strconcat (b, ending, NULL);
  g_autofree char *text_a = NULL;
  g_autofree char *text_b = NULL;

  g_assert_true (g_file_get_contents (path_a, &text_a, NULL, NULL));
  g_assert_true (g_file_get_contents (path_b, &text_b, NULL, NULL));
  g_assert_cmpstr (text_a, ==, text_b);
}

/* By names and times, for the runs are other objects. */
static void
assert_same_runs (GobanSession *a, GobanSession *b)
{
  GListModel *runs = goban_session_get_runs (a);

  g_assert_cmpuint (g_list_model_get_n_items (runs), ==,
                    g_list_model_get_n_items (goban_session_get_runs (b)));
  for (guint i = 0; i < g_list_model_get_n_items (runs); i++)
    {
      GobanRun *left = goban_run_list_get (runs, i);
      GobanRun *right = goban_run_list_get (goban_session_get_runs (b), i);
      double left_us = goban_run_get_makespan_us (left);
      double right_us = goban_run_get_makespan_us (right);

      g_assert_cmpstr (goban_run_get_name (left), ==, goban_run_get_name (right));
      g_assert_true (memcmp (&left_us, &right_us, sizeof left_us) == 0);
    }
}

static void
type_line (GobanLuaHost *host, const char *line, int expected)
{
  g_assert_cmpint (goban_lua_host_evaluate (host, line, NULL), ==, expected);
}

/* What was done, saved as a script, makes the same plan and the same picture elsewhere. */
static void
test_log_replays (Fixture *fixture, gconstpointer data)
{
  GobanSession *session = goban_lua_host_get_session (fixture->host);
  g_autoptr (GobanSession) other = goban_session_new ();
  g_autoptr (GobanLuaHost) replaying = goban_lua_host_new (other, goban_lua_open_modules);
  g_autofree char *script = g_build_filename (fixture->folder, "session.lua", NULL);
  g_autofree char *save = g_strdup_printf ("assert(app.save_script '%s')", script);
  g_autofree char *first = NULL;
  g_autofree char *second = NULL;
  g_autoptr (GError) error = NULL;

  use_session (session);
  edit_session (session);
  assert_fine (fixture->host, "sel:move 'gpu:1'; g:nodes{'text/ffn'}:move 'gpu:0'; sel:prio(50)");
  assert_fine (fixture->host, "view.show(sim.run(plan.random(g, { seed = 9 }), { name = 'mine' }));"
                              "g:where \"op = 'MatMul'\":move 'gpu:1';"
                              "g:nodes '0-3,5-8,10':move 'gpu:0'");
  assert_fine (fixture->host,
               "view.show{ sim.run(plan.single(g)), sim.run(plan.metis(g)) }; app.undo();"
               "g:nodes{'fuse'}:pin(); g:nodes '6-10':move 'gpu:1'; app.undo();"
               "app.redo(); app.device('gpu:0', { flops = 1e13 / 7 })");
  /* What no line of the log says: a plan made by hand, in several lines, one of which fails. */
  type_line (fixture->host, "local node = 'fuse' mine = plan.heft(g):move(node, 'gpu:1')", 0);
  type_line (fixture->host, "view.show(sim.run(mine, { name = 'by hand' }))", 0);
  type_line (fixture->host, "r.name", 0);
  type_line (fixture->host, "g:nodes{'head/dense'}:move 'gpu:0' error 'late'",
             GOBAN_LUA_EXIT_FAILED);
  type_line (fixture->host, "fuse?", 0);
  assert_fine (fixture->host, save);
  first = save_all (fixture, fixture->host, "first");

  goban_lua_host_run_file (replaying, script, NULL, &error);
  g_assert_no_error (error);
  second = save_all (fixture, replaying, "second");
  assert_same_file (first, second, ".json");
  assert_same_file (first, second, ".svg");
  g_assert_cmpuint (g_list_model_get_n_items (goban_session_get_runs (session)), ==,
                    g_list_model_get_n_items (goban_session_get_runs (other)));
  g_assert_true (goban_selection_equal (goban_session_get_selection (session),
                                        goban_session_get_selection (other)));
  g_assert_true (
      goban_selection_equal (goban_session_get_pinned (session), goban_session_get_pinned (other)));
  g_assert_cmpstr (goban_view_get_color (goban_session_get_view (other)), ==, "priority");

  /* And there is as much to take back. */
  while (goban_session_get_undo_name (session) != NULL)
    {
      g_assert_true (goban_session_undo (session) && goban_session_undo (other));
      assert_same_runs (session, other);
    }
}

static void
done_cb (GobanLuaHost *host, const char *result, const GError *error, gpointer user_data)
{
  g_assert_no_error (error);
  *(char **) user_data = g_strdup (result);
}

/* In a window these are jobs: the chunk sleeps meanwhile and goes on with what they give. */
static void
test_long_calls_are_jobs (Fixture *fixture, gconstpointer data)
{
  static const char *const calls[][2] = {
    { "g:nodes{'fuse'}:move 'gpu:1'", "Run heft, by hand" },
    { "sel:prio(3)", "Run heft, by hand" },
    { "compare(plan.tf(g), p):why()", "interaction" },
    { "#r:why('gpu:0', 0)", "" },
    { "compare(plan.tf(g), p):show()", "Set of" },
    { "graph.generate('rnnlm', { granularity = 'coarse' })", "Graph rnnlm" },
    { "bench.run{ suite = 'quick', graphs = 'GNMT', policies = { 'heft' } }", "1 of 1 graphs" },
  };
  g_autofree char *toy = project_path ("samples/toy.dot");
  g_autofree char *open = g_strdup_printf ("app.open '%s' view.show(sim.run(plan.heft(g)))", toy);

  assert_fine (fixture->host, open);
  for (gsize i = 0; i < G_N_ELEMENTS (calls); i++)
    {
      g_autofree char *result = NULL;
      g_autoptr (GError) error = NULL;

      goban_lua_host_start (fixture->host, calls[i][0], done_cb, &result, &error);
      g_assert_no_error (error);
      while (goban_lua_host_is_running (fixture->host))
        g_main_context_iteration (NULL, TRUE);
      g_test_message ("%s", result);
      g_assert_nonnull (strstr (result, calls[i][1]));
    }
}

/* --- examples ------------------------------------------------------------------------------ */

static void
test_example (Fixture *fixture, gconstpointer data)
{
  g_autofree char *toy = project_path ("samples/toy.dot");
  g_autofree char *script = g_strdup_printf ("scripts/examples/%s.lua", (const char *) data);
  const char *args[] = { toy, fixture->folder, NULL };

  run (fixture, script, args, 0);
  g_assert_cmpuint (fixture->output->len, >, 0);
}

static void
test_examples_are_all_run (void)
{
  g_autofree char *folder = project_path ("scripts/examples");
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;
  guint n = 0;

  g_assert_nonnull (dir);
  while ((name = g_dir_read_name (dir)) != NULL)
    if (!g_str_equal (name, "train.sbatch")) /* for sbatch */
      n++;
  g_assert_cmpuint (n, ==, 9);
}

/* An experiment in its quick form, on one graph of a suite of the test's own. */
static void
test_peers (Fixture *fixture, gconstpointer data)
{
  g_autofree char *toy = project_path ("samples/toy.dot");
  g_autofree char *suite = g_build_filename (fixture->folder, "toys.json", NULL);
  g_autofree char *csv = g_build_filename (fixture->folder, "peers.csv", NULL);
  g_autofree char *text = g_strdup_printf (
      "{\"graphs\": [{\"name\": \"toy\", \"graph\": \"%s\", \"placement\": \"p100x2\"}]}", toy);
  const char *args[] = { "--quick", "--suite", suite, "--evals", "40", "--csv", csv, NULL };
  g_autofree char *written = NULL;

  g_assert_true (g_file_set_contents (suite, text, -1, NULL));
  run (fixture, "scripts/experiments/peers.lua", args, 0);
  g_test_message ("%s", fixture->output->str);
  g_assert_nonnull (strstr (fixture->output->str, "toy  "));
  g_assert_nonnull (strstr (fixture->output->str, "\nratio to the lower bound\n"));
  g_assert_true (g_file_get_contents (csv, &written, NULL, NULL));
  g_assert_nonnull (strstr (written, ",heft,0,valid,1070,"));
}

/* The four experiments of GO's paper, with others in the place of policies that take long. */
static const struct
{
  const char *name;
  const char *stand_in;
  const char *says; /* of what must hold, or its like */
} experiments[] = {
  { "placement", "go=local-search,hdp=random,placeto=random,regal=random,post=random",
    "on no graph worse than HP" },
  { "generalisation", "go=anneal,go-zeroshot=heft,go-finetune=local-search,hdp=random",
    "fine-tuned within 3 % of GO-one" },
  { "joint", "go=local-search", "7.8 % better than the three tasks one by one" },
  { "ablation", "go=local-search", "no path credit" },
};

static char *
read_file (Fixture *fixture, const char *name, const char *ending)
{
  g_autofree char *file = g_strconcat (name, ending, NULL);
  g_autofree char *path = g_build_filename (fixture->folder, "out", file, NULL);
  char *text = NULL;

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  return text;
}

/* Run twice: the second goes on from the journal, so that even the seconds are the same. */
static void
test_experiment (Fixture *fixture, gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  g_autofree char *toy = project_path ("samples/toy.dot");
  g_autofree char *suite = g_build_filename (fixture->folder, "toys.json", NULL);
  g_autofree char *folder = g_build_filename (fixture->folder, "out", NULL);
  g_autofree char *script = g_strdup_printf ("scripts/experiments/%s.lua", experiments[i].name);
  g_autofree char *text = g_strdup_printf ("{\"graphs\": [{\"name\": \"toy\", \"graph\": \"%s\", "
                                           "\"placement\": \"p100x2\", \"joint\": \"v100x2\"}]}",
                                           toy);
  const char *args[]
      = { "--quick", "--suite", suite, "--evals", "24", "--stand-in", experiments[i].stand_in,
          "--out",   folder,    NULL };
  g_autofree char *first = NULL;
  g_autofree char *second = NULL;
  g_autofree char *picture = NULL;

  g_assert_true (g_file_set_contents (suite, text, -1, NULL));
  run (fixture, script, args, 0);
  g_test_message ("%s", fixture->output->str);
  g_assert_nonnull (strstr (fixture->output->str, "\ntoy  "));
  g_assert_nonnull (strstr (fixture->output->str, experiments[i].says));
  g_assert_nonnull (strstr (fixture->output->str, "ATTENTION"));
  first = read_file (fixture, experiments[i].name, ".csv");
  g_assert_nonnull (strstr (first, ",makespan_s,"));
  g_assert_null (strchr (first, 0x0d)); /* lines end as in every other CSV of ours */

  run (fixture, script, args, 0);
  second = read_file (fixture, experiments[i].name, ".csv");
  g_assert_cmpstr (first, ==, second);
  picture = read_file (fixture, experiments[i].name, ".svg");
  g_assert_true (g_str_has_suffix (picture, "</svg>\n"));
}

/* The second example answers by its exit code. */
static void
test_ci_example_fails (Fixture *fixture, gconstpointer data)
{
  g_autofree char *toy = project_path ("samples/toy.dot");
  const char *args[] = { toy, fixture->folder, "single", "heft", NULL };

  run (fixture, "scripts/examples/02-compare-in-ci.lua", args, 1);
}

TEST_PROGRAM (modules)
{
  static const char *const modules[]
      = { "app",    "arrays",  "bench",  "cluster", "compare", "edit",    "experiments",
          "graph",  "graphs",  "job",    "json",    "lab",     "lessons", "measure",
          "plan",   "plot",    "policy", "reset",   "sandbox", "set",     "sim",
          "tables", "trainer", "ui",     "view" };
  static const char *const examples[]
      = { "01-first-steps",      "02-compare-in-ci",   "03-faster-link",
          "04-a-policy-in-lua",  "05-pictures",        "06-pipeline",
          "07-sweeps-and-plots", "08-a-training-loop", "09-evolution" };

  g_test_init (&argc, &argv, NULL);
  g_assert_cmpint (argc, ==, 3);
  agent = argv[2];
  g_setenv ("GOBAN_ONNXRUNTIME", argv[1], TRUE); /* of measure.lua */
  for (gsize i = 0; i < G_N_ELEMENTS (modules); i++)
    {
      g_autofree char *name = g_strdup_printf ("/lua/module/%s", modules[i]);

      g_test_add (name, Fixture, modules[i], set_up, test_module, tear_down);
    }
  g_test_add ("/lua/external/trusted", Fixture, NULL, set_up, test_external, tear_down);
  g_test_add ("/lua/external/typed", Fixture, NULL, set_up, test_external_is_typed, tear_down);
  g_test_add ("/lua/arguments", Fixture, NULL, set_up, test_arguments_are_used, tear_down);
  g_test_add ("/lua/paths/arguments", Fixture, NULL, set_up, test_paths, tear_down);
  g_test_add ("/lua/paths/window", Fixture, NULL, set_up, test_paths_of_the_window, tear_down);
  g_test_add ("/lua/memory/dropped", Fixture, NULL, set_up, test_dropped_handles_are_collected,
              tear_down);
  g_test_add ("/lua/memory/kept", Fixture, NULL, set_up, test_kept_handles_are_counted, tear_down);
  for (gsize i = 0; i < G_N_ELEMENTS (examples); i++)
    {
      g_autofree char *name = g_strdup_printf ("/lua/example/%s", examples[i]);

      g_test_add (name, Fixture, examples[i], set_up, test_example, tear_down);
    }
  g_test_add_func ("/lua/example/all-are-run", test_examples_are_all_run);
  g_test_add ("/lua/experiment/peers", Fixture, NULL, set_up, test_peers, tear_down);
  for (gsize i = 0; i < G_N_ELEMENTS (experiments); i++)
    {
      g_autofree char *name = g_strdup_printf ("/lua/experiment/%s", experiments[i].name);

      g_test_add (name, Fixture, GSIZE_TO_POINTER (i), set_up, test_experiment, tear_down);
    }
  g_test_add ("/lua/example/ci-exit-code", Fixture, NULL, set_up, test_ci_example_fails, tear_down);
  g_test_add ("/lua/help/is-whole", Fixture, NULL, set_up, test_help_is_whole, tear_down);
  g_test_add ("/lua/help/examples", Fixture, NULL, set_up, test_examples_run, tear_down);
  g_test_add ("/lua/words/are-there", Fixture, NULL, set_up, test_words_are_there, tear_down);
  g_test_add ("/lua/log/replays", Fixture, NULL, set_up, test_log_replays, tear_down);
  g_test_add ("/lua/words/are-jobs", Fixture, NULL, set_up, test_long_calls_are_jobs, tear_down);
  g_test_add ("/lua/help/answers", Fixture, NULL, set_up, test_help_answers, tear_down);
  g_test_add ("/lua/prompt/answers", Fixture, NULL, set_up, test_answers_are_for_people, tear_down);
  return g_test_run ();
}
