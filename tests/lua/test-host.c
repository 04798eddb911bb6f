#include "app/lua/core/lua-paths.h"
#include "app/lua/core/lua-state.h"
#include "app/lua/lua-chunk.h"
#include "app/lua/lua-complete.h"
#include "app/lua/lua-host.h"
#include "app/lua/lua-modules.h"
#include "engine/core/checked-path.h"
#include "engine/core/clock.h"
#include "engine/core/error.h"
#include "engine/core/file.h"
#include "engine/core/new-file.h"
#include "engine/study/run/policy-run.h"
#include "tests/support/comma-locale.h"
#include "tests/support/folder.h"
#include "tests/support/rounds.h"
#include "tests/support/shared-data.h"
#include "tests/support/test-program.h"
#include "tests/support/thread-ranks.h"

#include <glib/gstdio.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct
{
  GobanLuaHost *host;
  GString *output;
  GMainLoop *loop;
  char *result;
  GError *error;
  guint n_ticks;
  gint64 last_tick_us;
  gint64 longest_us; /* between two ticks of the main loop */
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

  fixture->host = goban_lua_host_new (session, goban_lua_open_modules);
  fixture->output = g_string_new (NULL);
  fixture->loop = g_main_loop_new (NULL, FALSE);
  goban_lua_host_set_output (fixture->host, write_cb, NULL, fixture->output);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  goban_lua_host_free (fixture->host);
  g_string_free (fixture->output, TRUE);
  g_main_loop_unref (fixture->loop);
  g_free (fixture->result);
  g_clear_error (&fixture->error);
}

/* What a prompt prints for a line. */
static void
assert_answer (Fixture *fixture, const char *code, const char *expected)
{
  g_autoptr (GError) error = NULL;

  g_string_truncate (fixture->output, 0);
  goban_lua_host_evaluate (fixture->host, code, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (fixture->output->str, ==, expected);
}

static void
assert_error (Fixture *fixture, const char *code, const char *expected)
{
  g_autoptr (GError) error = NULL;

  g_assert_cmpint (goban_lua_host_evaluate (fixture->host, code, &error), ==, 1);
  g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_INVALID);
  g_assert_cmpstr (error->message, ==, expected);
}

/* --- to the end ---------------------------------------------------------------------------- */

static void
test_answers (Fixture *fixture, gconstpointer data)
{
  assert_answer (fixture, "1 + 1", "2\n");
  assert_answer (fixture, "_", "2\n");
  assert_answer (fixture, "out[1] + out[2]", "4\n");
  assert_answer (fixture, "x = 3", "");
  assert_answer (fixture, "x", "3\n");
  assert_answer (fixture, "nil", "");
  assert_answer (fixture, "", "");
  assert_answer (fixture, "1, 'a', nil", "1\t\"a\"\tnil\n");
  assert_answer (fixture, "'two\\nlines\\n'", "two\nlines\n");
  assert_answer (fixture, "{ 3, b = 1, a = { 'x' } }", "{ 3, a = { \"x\" }, b = 1 }\n");
  assert_answer (fixture, "print('a', 1, nil)", "a\t1\tnil\n");
  assert_answer (fixture, "1e3, 0.1, 1/0", "1000.0\t0.1\tinf\n");
  assert_answer (fixture, "graph.load 'nix'", "nix: cannot be read: there is no such file\n");
  assert_answer (fixture, "graph.load", "function graph.load\n");
  assert_answer (fixture, "local t = {} t.t = t return t", "{ t = { seen above } }\n");
  assert_answer (fixture, "pp { 1 }", "{ 1 }\n");
}

static void
test_printer_limits (Fixture *fixture, gconstpointer data)
{
  assert_answer (fixture, "{ { { { { { 1 } } } } } }", "{ { { { { { ... } } } } } }\n");
  assert_answer (fixture, "local t = {} for i = 1, 1000 do t[i] = i end return t",
                 "{\n  1,\n  2,\n  3,\n  4,\n  5,\n  6,\n  7,\n  8,\n  9,\n  10,\n  11,\n  12,\n"
                 "  13,\n  14,\n  15,\n  16,\n  17,\n  18,\n  19,\n  20,\n  21,\n  22,\n  23,\n"
                 "  24,\n  25,\n  26,\n  27,\n  28,\n  29,\n  30,\n  ... 970 more\n}\n");
}

static void
test_errors (Fixture *fixture, gconstpointer data)
{
  assert_error (fixture, "error 'boom'", "console[1]:1: boom");
  assert_error (fixture, "x = = 1", "console[2]:1: unexpected symbol near '='");
  assert_error (fixture, "nowhere.x",
                "console[3]:1: attempt to index a nil value (global 'nowhere')");
}

/* An error that is no text still says what it is; functions of the script's are in the trace. */
static void
test_error_traces (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GError) table = NULL;
  const char *code = "local function inner() error 'deep' end\n"
                     "local function outer() inner() end\nouter()";

  g_assert_cmpint (goban_lua_host_run_string (fixture->host, code, "test", &error), ==, 1);
  g_assert_true (g_str_has_prefix (error->message, "test:1: deep\n"));
  g_assert_nonnull (strstr (error->message, "test:2: in "));
  g_assert_null (strstr (error->message, "[C]"));
  g_assert_null (strstr (error->message, "(goban"));

  goban_lua_host_run_string (fixture->host, "error { 1 }", "test", &table);
  g_assert_true (g_str_has_prefix (table->message, "table: "));
}

static void
test_is_complete (Fixture *fixture, gconstpointer data)
{
  static const struct
  {
    const char *code;
    gboolean is_complete;
  } cases[] = {
    { "1 + 1", TRUE }, { "1 +", FALSE },    { "for i = 1, 2 do", FALSE },
    { "x = ", FALSE }, { "x = )", TRUE },   { "for i = 1, 2 do print(i) end", TRUE },
    { "'open", TRUE }, { "[[open", FALSE }, { "graph.load?", TRUE },
    { "", TRUE },      { "f(", FALSE },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_test_message ("%s", cases[i].code);
      g_assert_cmpint (goban_lua_host_is_complete (fixture->host, cases[i].code), ==,
                       cases[i].is_complete);
    }
}

static void
test_exit (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  /* Neither pcall nor a coroutine nor a comparison of sort keeps it. */
  static const char *const codes[] = {
    "os.exit(7)",
    "while true do pcall(os.exit, 7) end",
    "coroutine.wrap(function() os.exit(7) end)() error 'on'",
    "table.sort({ 1, 2, 3 }, function() os.exit(7) end) error 'on'",
  };

  for (gsize i = 0; i < G_N_ELEMENTS (codes); i++)
    {
      g_autoptr (GobanSession) session = goban_session_new ();
      g_autoptr (GobanLuaHost) host = goban_lua_host_new (session, goban_lua_open_modules);

      g_assert_cmpint (goban_lua_host_run_string (host, codes[i], "test", &error), ==, 7);
      g_assert_no_error (error);
      g_assert_true (goban_lua_host_is_exiting (host));
    }

  g_assert_cmpint (goban_lua_host_run_string (fixture->host, "os.exit(true)", "test", &error), ==,
                   0);
}

static void
test_files (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  g_assert_cmpint (goban_lua_host_run_file (fixture->host, "nowhere.lua", NULL, &error), ==, 3);
  g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_IO);
}

static void
test_memory_cap (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  goban_lua_host_set_memory_limit (fixture->host, 16 << 20);
  g_assert_cmpint (goban_lua_host_run_string (fixture->host,
                                              "local t = {} while true do t[#t + 1] = {} end",
                                              "test", &error),
                   ==, 1);
  g_assert_true (g_str_has_prefix (error->message, "not enough memory"));
  assert_answer (fixture, "'alive'", "\"alive\"\n");
}

/* A script that catches the error and goes on is ended after a while, unless it frees memory. Until
 * then it takes no more than the limit. */
static void
test_memory_caught (Fixture *fixture, gconstpointer data)
{
  static const char *const endless[] = {
    "while true do pcall(function() while true do t[#t + 1] = {} end end) end",
    "while true do pcall(function() while true do t[#t + 1] = ('%07x'):format(#t) end end) end",
    "while true do pcall(function() while true do t[{}] = true end end) end",
    "while true do pcall(function() t[#t + 1] = cluster.preset 'equal:64' end) end",
    "repeat coroutine.wrap(function()\n"
    "pcall(function() while true do t[#t + 1] = {} end end) end)() until false",
  };
  const gsize limit_bytes = 16 << 20;

  if (TEST_IS_SANITIZED)
    {
      g_test_skip ("sanitizers keep memory that was freed, so that the account is another");
      return;
    }

  goban_lua_host_set_memory_limit (fixture->host, limit_bytes);
  for (gsize i = 0; i < G_N_ELEMENTS (endless); i++)
    {
      g_autofree char *code = g_strconcat ("t = {} ", endless[i], NULL);
      g_autoptr (GError) error = NULL;

      g_test_message ("%s", endless[i]);
      g_assert_cmpint (goban_lua_host_run_string (fixture->host, code, "test", &error), ==, 1);
      g_assert_true (g_str_has_prefix (error->message, "not enough memory"));
      g_assert_cmpuint (fixture->host->caused_bytes, >, limit_bytes / 4);
      g_assert_cmpuint (fixture->host->caused_bytes, <, limit_bytes + limit_bytes / 16);
      assert_answer (fixture, "t = nil collectgarbage()", "");
    }
  assert_answer (fixture,
                 "(function() local n = 0 for i = 1, 100 do local t = {}\n"
                 "local ok = pcall(function() while true do t[#t + 1] = {} end end)\n"
                 "n = n + (ok and 0 or 1) end return n end)()",
                 "100\n");
  assert_answer (fixture,
                 "(function() local n, kept = 0, ('x'):rep(2e6) for i = 1, 100 do\n"
                 "n = n + (pcall(string.rep, 'x', 1e9) and 0 or 1) end return n end)()",
                 "100\n");
}

/* Dropped values are freed in time; kept ones are refused. */
static void
test_memory_of_clusters (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  goban_lua_host_set_memory_limit (fixture->host, 16 << 20);
  assert_answer (fixture,
                 "(function() for i = 1, 100 do cluster.preset 'equal:64' end\n"
                 "return collectgarbage 'count' < 16384 end)()",
                 "true\n");
  g_assert_cmpint (goban_lua_host_run_string (
                       fixture->host,
                       "local t = {} for i = 1, 100 do t[i] = cluster.preset 'equal:64' end",
                       "test", &error),
                   ==, 1);
  g_assert_true (g_str_has_prefix (error->message, "not enough memory"));
}

/* Between the check of a path and the writing, another program may put a link in its place. */
static void
test_swapped_links (Fixture *fixture, gconstpointer data)
{
  static const char *const names[] = { "in/new.txt", "in/old.txt", "in/sub/new.txt" };
  g_autofree char *folder = g_dir_make_tmp ("goban-links-XXXXXX", NULL);
  g_autofree char *code = g_strdup_printf (
      "app.mkdir '%s/in' app.mkdir '%s/in/sub' app.mkdir '%s/out'", folder, folder, folder);

  goban_lua_host_allow (fixture->host, folder);
  for (guint i = 0; i < 2 * G_N_ELEMENTS (names); i++)
    {
      gboolean is_folder = i % 2 == 1; /* that is swapped, else the file */
      g_autofree char *path = g_build_filename (folder, names[i / 2], NULL);
      g_autofree char *place = is_folder ? g_path_get_dirname (path) : g_strdup (path);
      g_autofree char *aside = g_strconcat (place, ".aside", NULL);
      g_autofree char *out = g_build_filename (folder, "out", NULL);
      g_autofree char *base = g_path_get_basename (path);
      g_autofree char *victim = g_build_filename (out, base, NULL);
      g_autofree char *kept = NULL;
      g_autoptr (GError) error = NULL, other = NULL;
      gboolean is_written;

      goban_lua_host_run_string (fixture->host, code, "test", &other);
      g_assert_no_error (other);
      if (i / 2 == 1)
        g_assert_true (g_file_set_contents (path, "old", -1, NULL));
      g_assert_true (g_file_set_contents (victim, "secret", -1, NULL));
      g_assert_true (goban_lua_may_write (fixture->host->L, path, &error));
      if (is_folder || i / 2 == 1)
        g_assert_cmpint (g_rename (place, aside), ==, 0);
      g_assert_cmpint (symlink (is_folder ? out : victim, place), ==, 0);

      is_written = goban_file_write (path, "new", 3, &error);
      g_assert_cmpint (is_written, ==, !is_folder); /* a link to a file is replaced */
      if (is_folder)
        g_assert_true (
            g_str_has_suffix (error->message, "a link leads elsewhere than when it was allowed"));
      g_assert_true (g_file_get_contents (victim, &kept, NULL, NULL));
      g_assert_cmpstr (kept, ==, "secret");
      if (is_folder)
        {
          g_assert_false (goban_checked_path_make_folder (path));
          g_assert_false (g_file_test (victim, G_FILE_TEST_IS_DIR));
        }
      g_assert_cmpint (g_unlink (place), ==, 0);
      if (is_folder)
        g_assert_cmpint (g_rename (aside, place), ==, 0);
      else if (i / 2 == 1)
        g_assert_cmpint (g_unlink (aside), ==, 0);
    }
  {
    g_autofree char *line = g_strdup_printf ("rm -r '%s'", folder);

    g_assert_cmpint (system (line), ==, 0);
  }
}

/* What the engine keeps for a script counts, and a pcall() is no way around it. Afterwards a prompt
 * still works, and can remove what takes the memory. */
static void
test_memory_of_the_session (Fixture *fixture, gconstpointer data)
{
  static const struct
  {
    const char *begin, *loop, *end;
  } cases[] = {
    { "", "ui.slider(long .. i, 0, 1)", "ui.clear()" },
    { "scene.add 'x'", "scene.text(1, long .. i)", "" },
    { "", "view.mark(i * 1e-9, long .. i)", "view.unmark()" },
    { "", "app.notes(long .. i)", "" },
    { "", "policy.register('p', { step = function() end, blurb = long:sub(1, 1000) .. i })", "" },
    { "kept = {} p = plan.single(g)", "kept[i] = compare.runs(sim.run(p), sim.run(p))",
      "kept = nil collectgarbage()" },
    { "view.show(sim.run(plan.single(g)))", "g:nodes():move(i % 2 == 0 and 'gpu:0' or 'gpu:1')",
      "" },
  };
  const gsize most = 32 << 20;

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GobanSession) session = goban_session_new ();
      g_autoptr (GobanLuaHost) host = goban_lua_host_new (session, goban_lua_open_modules);
      g_autofree char *loop
          = g_strdup_printf ("for i = 1, 1e6 do local ok, why = pcall(function() %s end)\n"
                             "if not ok then error(why, 0) end end",
                             cases[i].loop);
      g_autoptr (GError) error = NULL, other = NULL;

      g_test_message ("%s", cases[i].loop);
      goban_lua_host_set_output (host, write_cb, NULL, fixture->output);
      goban_lua_host_run_string (host,
                                 "g = graph.generate 'rnnlm:layers=2' view.open(g)\n"
                                 "long = ('x'):rep(60000)",
                                 "test", &error);
      goban_lua_host_run_string (host, cases[i].begin, "test", &error);
      g_assert_no_error (error);
      goban_lua_host_set_memory_limit (host, most);
      g_assert_cmpint (goban_lua_host_run_string (host, loop, "test", &error), ==, 1);
      g_assert_nonnull (error);
      g_assert_true (g_str_has_prefix (error->message, "not enough memory"));
      goban_lua_host_run_string (host, cases[i].end, "test", &other);
      g_assert_no_error (other);
      goban_lua_host_set_memory_limit (host, 2u << 30);
    }
}

/* A process of a sweep that does not answer is named with what it said. */
static void
test_followers (Fixture *fixture, gconstpointer data)
{
  static const char *const argv[] = { "sh", "-c", "echo sorry >&2; exit 3", NULL };
  static const char code[] = "sweep{ n = { 1, 2 }, jobs = 2, run = print }";
  g_autoptr (GError) none = NULL, error = NULL;

  goban_lua_host_run_string (fixture->host, code, "test", &none);
  g_assert_nonnull (strstr (none->message, "start it by goban-cli run FILE"));
  goban_lua_host_set_followers (fixture->host, argv);
  goban_lua_host_run_string (fixture->host, code, "test", &error);
  g_assert_nonnull (strstr (error->message, "ended too early, with exit code 3"));
  g_assert_nonnull (strstr (error->message, "it wrote:\n  sorry"));
}

/* --- ranks ----------------------------------------------------------------------------------- */

typedef struct
{
  GString *outputs[4]; /* by rank */
  const char *code;
  char *errors[4];
} Ranked;

static void
run_rank (GobanRanks *ranks, gpointer data)
{
  Ranked *self = data;
  guint rank = goban_ranks_get_rank (ranks);
  g_autoptr (GobanSession) session = goban_session_new ();
  GobanLuaHost *host = goban_lua_host_new (session, goban_lua_open_modules);
  g_autoptr (GError) error = NULL;

  goban_lua_host_set_output (host, write_cb, NULL, self->outputs[rank]);
  goban_lua_host_set_ranks (host, ranks);
  goban_lua_host_run_string (host, self->code, "ranked", &error);
  self->errors[rank] = error != NULL ? g_strdup (error->message) : NULL;
  goban_lua_host_free (host);
  goban_ranks_end (ranks, NULL, NULL); /* one that has failed has said so */
}

/* The output of the first of @size ranks; the others have none. (transfer full) */
static char *
run_ranked (guint size, const char *code, char **error)
{
  Ranked self = { .code = code };

  for (guint i = 0; i < size; i++)
    self.outputs[i] = g_string_new (NULL);
  thread_ranks_run (size, run_rank, &self);
  goban_new_files_discard (FALSE);
  for (guint i = 1; i < size; i++)
    {
      g_assert_cmpstr (self.outputs[i]->str, ==, "");
      g_string_free (self.outputs[i], TRUE);
      g_free (self.errors[i]);
    }
  if (error == NULL)
    g_assert_cmpstr (self.errors[0], ==, NULL);
  if (error != NULL)
    *error = g_strdup (self.errors[0]);
  g_free (self.errors[0]);
  return g_string_free (self.outputs[0], FALSE);
}

/* Any number of ranks finds the same table, each combination once; sweeps follow each other. */
static void
test_ranks (Fixture *fixture, gconstpointer data)
{
  static const char code[]
      = "n = 0\n"
        "first = sweep{ a = { 1, 2, 3 }, run = function (v) n = n + 1 return v.a / 2 end }\n"
        "t = sweep{ a = range (1, 9), p = { 'x', 'y' }, run = function (v)\n"
        "  n = n + 1\n"
        "  if v.a == 4 then error 'no plan' end\n"
        "  return { time = first[2].value * v.a, word = v.p } end }\n"
        "print (first:csv (), t:csv ())\n";
  g_autofree char *alone = run_ranked (1, code, NULL);
  g_autofree char *error = NULL;
  g_autofree char *none = NULL;

  g_assert_nonnull (strstr (alone, "no plan"));
  for (guint size = 2; size <= 4; size++)
    {
      g_autofree char *shared = run_ranked (size, code, NULL);

      g_assert_cmpstr (alone, ==, shared);
    }
  none = run_ranked (2, "sweep{ a = { tostring ({}) }, run = function () return 1 end }", &error);
  g_assert_nonnull (strstr (error, "the ranks have come to different sweeps"));
}

/* A name is a line; what is longer is a mistake and is named as one. */
static void
test_long_names (Fixture *fixture, gconstpointer data)
{
  static const char *const lines[] = {
    "ui.slider(long, 0, 1)",
    "ui.choice('c', { 'a', long })",
    "scene.add(long)",
    "view.mark(0, long)",
    "sim.run(plan.single(g), { name = long })",
    "policy.register(long, function() end)",
    "policy.register('p', { step = function() end, blurb = long })",
    "app.notes(long:rep(20))",
  };
  g_autoptr (GError) none = NULL;

  goban_lua_host_run_string (fixture->host,
                             "g = graph.generate 'rnnlm:layers=2' view.open(g)\n"
                             "long = ('x'):rep(1000000)",
                             "test", &none);
  g_assert_no_error (none);
  for (gsize i = 0; i < G_N_ELEMENTS (lines); i++)
    {
      g_autoptr (GError) error = NULL;

      g_test_message ("%s", lines[i]);
      g_assert_cmpint (goban_lua_host_run_string (fixture->host, lines[i], "test", &error), ==, 1);
      g_assert_true (strstr (error->message, "is too long; at most") != NULL
                     || strstr (error->message, "at most 64 letters") != NULL
                     || strstr (error->message, "at most 1024 bytes") != NULL);
      g_assert_cmpuint (strlen (error->message), <, 1000);
    }
}

/* Wherever memory runs out, nothing leaks and nothing breaks: the sanitizers look on. */
static void
test_memory_runs_out_anywhere (Fixture *fixture, gconstpointer data)
{
  g_autofree char *toy = project_path ("samples/toy.dot");
  g_autofree char *code = g_strdup_printf (
      "local g = graph.load '%s' local p = plan.heft(g) local r = sim.run(g, p)\n"
      "return r:report(), g:where 'cost > 1us':map 'name', g:nodes():by 'op', r:explain(),\n"
      "compare(p, plan.single(g)):matrix(), r:memory 'gpu:0', g:critical_path(),\n"
      "cluster.preset 'p100x2'.devices, graph.load 'nix'",
      toy);

  for (gsize limit = 100 << 10; limit < 1 << 20; limit += 1777)
    {
      g_autoptr (GobanSession) session = goban_session_new ();
      g_autoptr (GobanLuaHost) host = goban_lua_host_new (session, goban_lua_open_modules);
      g_autoptr (GError) error = NULL;

      goban_lua_host_set_memory_limit (host, limit);
      goban_lua_host_run_string (host, code, "test", &error);
      if (error != NULL)
        g_assert_true (g_str_has_prefix (error->message, "not enough memory"));
    }
}

static GobanLuaHost *interrupted_host;

static void
alarm_cb (int signal_number)
{
  goban_lua_host_interrupt (interrupted_host);
}

static void
test_interrupt (Fixture *fixture, gconstpointer data)
{
  static const char *const codes[] = {
    "while true do end",
    "while true do pcall(function() while true do end end) end",
    "coroutine.wrap(function() while true do end end)()",
    "table.sort({ 1, 2, 3 }, function() while true do end end)",
    "local x <close> = setmetatable({}, { __close = function() while true do end end })\n"
    "while true do end",
    "local co = coroutine.create(function()\n"
    "  local x <close> = setmetatable({}, { __close = function() while true do end end })\n"
    "  coroutine.yield() end)\n"
    "coroutine.resume(co) coroutine.close(co)",
  };

  interrupted_host = fixture->host;
  signal (SIGALRM, alarm_cb);
  for (gsize i = 0; i < G_N_ELEMENTS (codes); i++)
    {
      g_autoptr (GError) error = NULL;

      ualarm (20000, 20000);
      g_assert_cmpint (goban_lua_host_run_string (fixture->host, codes[i], "test", &error), ==,
                       130);
      ualarm (0, 0);
      g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_CANCELLED);
    }
  assert_answer (fixture, "'alive'", "\"alive\"\n");
}

/* Numbers are the same where people write a comma. */
static void
test_locale (Fixture *fixture, gconstpointer data)
{
  if (!comma_locale_begin ())
    return;
  assert_answer (fixture, "1.5, tostring(0.1), string.format('%.2f', 1.5), tonumber '2.5'",
                 "1.5\t\"0.1\"\t\"1.50\"\t2.5\n");
  comma_locale_end ();
}

/* --- in a thread --------------------------------------------------------------------------- */

static void
done_cb (GobanLuaHost *host, const char *result, const GError *error, gpointer user_data)
{
  Fixture *fixture = user_data;

  fixture->result = g_strdup (result);
  fixture->error = error != NULL ? g_error_copy (error) : NULL;
  g_main_loop_quit (fixture->loop);
}

static gboolean
tick_cb (gpointer user_data)
{
  Fixture *fixture = user_data;
  gint64 now_us = g_get_monotonic_time ();

  if (fixture->n_ticks++ > 0)
    fixture->longest_us = MAX (fixture->longest_us, now_us - fixture->last_tick_us);
  fixture->last_tick_us = now_us;
  return G_SOURCE_CONTINUE;
}

static gboolean
interrupt_cb (gpointer user_data)
{
  goban_lua_host_interrupt (((Fixture *) user_data)->host);
  return G_SOURCE_REMOVE;
}

/* Runs to the end beside a main loop that ticks every millisecond. */
static void
run_threaded (Fixture *fixture, const char *code, guint stop_after_ms)
{
  GError *error = NULL;
  guint tick = g_timeout_add (1, tick_cb, fixture);

  g_clear_pointer (&fixture->result, g_free);
  g_clear_error (&fixture->error);
  fixture->n_ticks = 0;
  if (stop_after_ms > 0)
    g_timeout_add (stop_after_ms, interrupt_cb, fixture);
  g_assert_true (goban_lua_host_start (fixture->host, code, done_cb, fixture, &error));
  g_assert_no_error (error);
  g_assert_true (goban_lua_host_is_running (fixture->host));
  g_main_loop_run (fixture->loop);
  g_assert_false (goban_lua_host_is_running (fixture->host));
  g_source_remove (tick);
}

static void
test_threaded (Fixture *fixture, gconstpointer data)
{
  /* In the chunk, in pcall, in an iterator, in a coroutine of a coroutine. */
  static const char *const codes[] = {
    "local n = 0 for i = 1, 5000000 do n = n + 1 end return n",
    "return select(2, pcall(function() local n = 0 for i = 1, 5000000 do n = n + 1 end return n "
    "end))",
    "local n = 0 for i in coroutine.wrap(function()\n"
    "  for j in coroutine.wrap(function() for k = 1, 500000 do coroutine.yield(k) end end) do\n"
    "    coroutine.yield(j) end end) do n = i * 10 end return n",
    "return coroutine.wrap(function() return coroutine.wrap(function()\n"
    "  local n = 0 for i = 1, 5000000 do n = n + 1 end coroutine.yield(n) end)() end)()",
  };

  for (gsize i = 0; i < G_N_ELEMENTS (codes); i++)
    {
      run_threaded (fixture, codes[i], 0);
      g_assert_no_error (fixture->error);
      g_assert_cmpstr (fixture->result, ==, "5000000");
      g_assert_cmpuint (fixture->n_ticks, >=, 3);
      g_test_message ("longest turn %" G_GINT64_FORMAT " us", fixture->longest_us);
    }
}

static void
test_threaded_end (Fixture *fixture, gconstpointer data)
{
  run_threaded (fixture, "while true do pcall(function() while true do end end) end", 30);
  g_assert_error (fixture->error, GOBAN_ERROR, GOBAN_ERROR_CANCELLED);

  run_threaded (fixture, "coroutine.wrap(function() while true do end end)()", 30);
  g_assert_error (fixture->error, GOBAN_ERROR, GOBAN_ERROR_CANCELLED);

  run_threaded (fixture, "coroutine.wrap(function() error 'inside' end)()", 0);
  g_assert_error (fixture->error, GOBAN_ERROR, GOBAN_ERROR_INVALID);
  g_assert_true (g_str_has_prefix (fixture->error->message, "console[3]:1: inside"));

  run_threaded (fixture, "os.exit(3)", 0);
  g_assert_error (fixture->error, GOBAN_ERROR, GOBAN_ERROR_INVALID);
  run_threaded (fixture, "'alive'", 0);
  g_assert_cmpstr (fixture->result, ==, "\"alive\"");
}

/* Long work sleeps while a worker does it, also inside coroutines and callbacks that cannot. */
static void
test_work (Fixture *fixture, gconstpointer data)
{
  g_autofree char *toy = project_path ("samples/toy.dot");
  g_autofree char *plain
      = g_strdup_printf ("g = assert(graph.load '%s') return sim.run(plan.heft(g)).valid", toy);
  g_autofree char *nested = g_strdup_printf (
      "return coroutine.wrap(function() coroutine.yield(#graph.load '%s') end)()", toy);
  g_autofree char *sorted = g_strdup_printf (
      "local n table.sort({ 1, 2 }, function(a, b) n = #graph.load '%s' return a < b end) return n",
      toy);

  run_threaded (fixture, plain, 0);
  g_assert_no_error (fixture->error);
  g_assert_cmpstr (fixture->result, ==, "true");
  run_threaded (fixture, nested, 0);
  g_assert_no_error (fixture->error);
  g_assert_cmpstr (fixture->result, ==, "12");
  run_threaded (fixture, sorted, 0);
  g_assert_no_error (fixture->error);
  g_assert_cmpstr (fixture->result, ==, "12");
  run_threaded (fixture, "graph.load 'nix'", 0);
  g_assert_cmpstr (fixture->result, ==, "nix: cannot be read: there is no such file");
}

/* Whoever waits for a job sleeps; who is stopped while he waits leaves the job at work. */
static void
test_jobs (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *folder = g_dir_make_tmp ("goban-job-XXXXXX", &error);
  g_autofree char *train = g_strdup_printf (
      "j = assert(job.train{ output = '%s/x.net', steps = 1000000, rollouts = 2, every = 0,"
      "  settings = 'lessons=2,problems=1,validation=1,labels=5,imitations=1' })"
      " return j:wait(0.1)",
      folder);
  g_autofree char *net = g_build_filename (folder, "x.net", NULL);

  g_assert_no_error (error);
  goban_lua_host_allow (fixture->host, folder);
  run_threaded (fixture, train, 0);
  g_assert_no_error (fixture->error);
  g_assert_cmpstr (fixture->result, ==, "false");
  g_assert_cmpuint (fixture->n_ticks, >=, 5);
  run_threaded (fixture, "j:wait()", 50);
  g_assert_error (fixture->error, GOBAN_ERROR, GOBAN_ERROR_CANCELLED);
  run_threaded (fixture, "while #j:curve() == 0 do j:wait(0.01) end return j:pause().state", 0);
  g_assert_cmpstr (fixture->result, ==, "\"paused\"");
  run_threaded (fixture, "return coroutine.wrap(function() return j:resume():wait(0.05) end)()", 0);
  g_assert_cmpstr (fixture->result, ==, "false");

  /* Its end is the job's, too; with its files. */
  g_clear_pointer (&fixture->host, goban_lua_host_free);
  g_assert_true (g_file_test (net, G_FILE_TEST_EXISTS));
  remove_folder (folder);
}

/* A loop of a training in a script leaves the main loop alive; stopped, it can go on. */
static void
test_trainer (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *folder = g_dir_make_tmp ("goban-trainer-XXXXXX", &error);
  g_autofree char *loop = g_strdup_printf (
      "t = assert(policy.trainer{ output = '%s/x.net', steps = 1000000, settings ="
      "  'lessons=2,problems=1,rollouts=2,labels=2,imitations=1,validation=1' })"
      " while t:update() do end",
      folder);

  g_assert_no_error (error);
  goban_lua_host_allow (fixture->host, folder);
  run_threaded (fixture, loop, 150);
  g_assert_error (fixture->error, GOBAN_ERROR, GOBAN_ERROR_CANCELLED);
  g_assert_cmpuint (fixture->n_ticks, >=, 5);
  run_threaded (fixture, "before = t.step return t:update(2).step == before + 2", 0);
  g_assert_cmpstr (fixture->result, ==, "true");
  run_threaded (fixture, "return job.trainings()[1]:stop().output == t.output", 0);
  g_assert_cmpstr (fixture->result, ==, "true");
  run_threaded (fixture, "repeat row, why = t:update() until why return why", 0);
  g_assert_cmpstr (fixture->result, ==, "\"the training has ended\"");
  g_clear_pointer (&fixture->host, goban_lua_host_free);
  remove_folder (folder);
}

/* Making a pipeline of many copies ends when the chunk does, while it still copies. Processor time
 * tells, of which a busy machine takes no more. */
static void
test_stopped_pipeline (Fixture *fixture, gconstpointer data)
{
  static const char code[]
      = "g = g or graph.generate(\"gpt:layers=8,batch=1\"); g:pipeline{ micro_batches = 400 }";
  gint64 begun_ns, whole_ns, stopped_ns = G_MAXINT64;

  run_threaded (fixture, code, 0);
  begun_ns = goban_clock_read_ns (CLOCK_PROCESS_CPUTIME_ID);
  run_threaded (fixture, code, 0);
  whole_ns = goban_clock_read_ns (CLOCK_PROCESS_CPUTIME_ID) - begun_ns;
  g_assert_no_error (fixture->error);
  for (guint i = 0; i < 5 && stopped_ns > whole_ns / 2; i++)
    {
      begun_ns = goban_clock_read_ns (CLOCK_PROCESS_CPUTIME_ID);
      run_threaded (fixture, code, 2);
      stopped_ns = goban_clock_read_ns (CLOCK_PROCESS_CPUTIME_ID) - begun_ns;
      g_assert_error (fixture->error, GOBAN_ERROR, GOBAN_ERROR_CANCELLED);
    }
  g_test_message ("%.0f ms of %.0f", (double) stopped_ns / 1e6, (double) whole_ns / 1e6);
  g_assert_cmpint (stopped_ns, <=, whole_ns / 2);
}

static void
test_one_at_a_time (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  g_assert_true (goban_lua_host_start (fixture->host, "while true do end", done_cb, fixture, NULL));
  g_assert_false (goban_lua_host_start (fixture->host, "1", done_cb, fixture, &error));
  g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_INVALID);
  goban_lua_host_interrupt (fixture->host);
  g_main_loop_run (fixture->loop);
  g_assert_error (fixture->error, GOBAN_ERROR, GOBAN_ERROR_CANCELLED);
}

/* Nothing of it is left in the main loop. */
static void
free_host (Fixture *fixture)
{
  gconstpointer address = fixture->host;

  g_clear_pointer (&fixture->host, goban_lua_host_free);
  g_assert_null (g_main_context_find_source_by_user_data (NULL, (gpointer) address));
}

/* What was printed last is shown. */
static void
test_freed_while_printing (Fixture *fixture, gconstpointer data)
{
  const char *name = "has_printed";
  gboolean has_printed = FALSE;

  g_assert_true (goban_lua_host_start (
      fixture->host, "print 'last' has_printed = true while true do end", done_cb, fixture, NULL));
  while (!has_printed)
    {
      gsize start;
      g_auto (GStrv) words
          = goban_lua_host_complete (fixture->host, name, strlen (name), &start, NULL);

      has_printed = words[0] != NULL;
    }
  free_host (fixture);
  g_assert_cmpstr (fixture->output->str, ==, "last\n");
  g_assert_error (fixture->error, GOBAN_ERROR, GOBAN_ERROR_CANCELLED);
}

static gpointer
place_thread (gpointer costs)
{
  return goban_run_new_from_policy (costs, "talker", NULL, NULL);
}

/* The same of a policy that another thread has called. */
static void
test_freed_after_policy (Fixture *fixture, gconstpointer data)
{
  g_autofree char *toy = project_path ("samples/toy.dot");
  g_autofree char *code = g_strdup_printf (
      "app.open '%s' policy.register('talker', function() print 'last' error 'why' end)", toy);
  g_autoptr (GobanCostModel) costs = NULL;
  g_autoptr (GError) error = NULL;
  GThread *thread;

  goban_lua_host_run_string (fixture->host, code, "test", &error);
  g_assert_no_error (error);
  costs
      = goban_cost_model_ref (goban_session_get_costs (goban_lua_host_get_session (fixture->host)));
  while (g_main_context_iteration (NULL, FALSE))
    ;
  g_string_truncate (fixture->output, 0);
  thread = g_thread_new ("place", place_thread, costs);
  g_assert_null (g_thread_join (thread));
  free_host (fixture);
  g_assert_true (g_str_has_prefix (fixture->output->str, "last\ntalker: "));
}

/* --- completion ---------------------------------------------------------------------------- */

static void
test_complete (Fixture *fixture, gconstpointer data)
{
  static const char *const cases[][3] = {
    /* text, what is replaced, the first answer */
    { "gra", "gra", "graph" },
    { "graph.l", "l", "load" },
    { "x = plan.he", "he", "heft" },
    { "g:cri", "cri", "critical_path" },
    { "g.n_n", "n_n", "n_nodes" },
    { "print(sel:su", "su", "sum" },
    { "whi", "whi", "while" },
    { "graph.load('x', { tr", "tr", "training" },
    { "g.name.x", "x", NULL },
    { "nowhere.x", "x", NULL },
    { "g:node 'fu", "fu", "fuse" },
    { "p:move('x', \"gpu:", "gpu:", "gpu:0" },
    { "plan.load(\"he", "he", NULL },
    { "policy.get 'he", "he", "heft" },
    { "view.color(\"sla", "sla", "slack" },
    { "cluster.preset 'v1", "v1", "v100x2" },
    { "x = 'a' .. gra", "gra", "graph" },
  };
  g_autofree char *toy = project_path ("samples/toy.dot");
  g_autofree char *open = g_strdup_printf ("app.open '%s'", toy);

  g_assert_cmpint (goban_lua_host_evaluate (fixture->host, open, NULL), ==, 0);
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      gsize n = strlen (cases[i][0]);
      gsize start;
      g_auto (GStrv) words = goban_lua_host_complete (fixture->host, cases[i][0], n, &start, NULL);

      g_test_message ("%s", cases[i][0]);
      g_assert_cmpstr (words[0], ==, cases[i][2]);
      if (words[0] != NULL)
        g_assert_cmpstr (cases[i][0] + start, ==, cases[i][1]);
    }
}

/* Signature and help come with the words. */
static void
test_complete_details (Fixture *fixture, gconstpointer data)
{
  static const char *const cases[][2] = {
    { "graph.lo", "graph.load(path or spec, opts)\nReads a graph" },
    { "plan.hef", "plan.heft(g, seed, cluster or opts)\n" },
    { "g:node 'fus", "node Concat\n" },
    { "whi", "" },
  };
  g_autofree char *toy = project_path ("samples/toy.dot");
  g_autofree char *open = g_strdup_printf ("app.open '%s'", toy);

  g_assert_cmpint (goban_lua_host_evaluate (fixture->host, open, NULL), ==, 0);
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_auto (GStrv) details = NULL;
      gsize start;
      g_auto (GStrv) words = goban_lua_host_complete (fixture->host, cases[i][0],
                                                      strlen (cases[i][0]), &start, &details);

      g_assert_cmpuint (g_strv_length (words), ==, g_strv_length (details));
      g_test_message ("%s: %s", cases[i][0], details[0]);
      g_assert_true (g_str_has_prefix (details[0], cases[i][1]));
    }
}

static void
open_nothing (struct lua_State *L)
{
}

/* The host itself brings no library, no module and no globals. */
static void
test_opens_what_it_is_given (void)
{
  g_autoptr (GobanSession) session = goban_session_new ();
  g_autoptr (GobanLuaHost) host = goban_lua_host_new (session, open_nothing);
  g_autoptr (GError) error = NULL;

  g_assert_cmpint (goban_lua_host_run_string (host, "x = 1 + 1", "test", &error), ==, 0);
  g_assert_no_error (error);
  goban_lua_host_run_string (host, "x = graph or print or g\nx.y = 1", "test", &error);
  g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_INVALID);
  g_assert_nonnull (strstr (error->message, "test:2: attempt to index a nil value"));
}

TEST_PROGRAM (host)
{
  static const struct
  {
    const char *name;
    void (*run) (Fixture *, gconstpointer);
  } tests[] = {
    { "/lua/host/answers", test_answers },
    { "/lua/host/printer-limits", test_printer_limits },
    { "/lua/host/errors", test_errors },
    { "/lua/host/error-traces", test_error_traces },
    { "/lua/host/is-complete", test_is_complete },
    { "/lua/host/exit", test_exit },
    { "/lua/host/files", test_files },
    { "/lua/host/memory-cap", test_memory_cap },
    { "/lua/host/memory-caught", test_memory_caught },
    { "/lua/host/memory-of-clusters", test_memory_of_clusters },
    { "/lua/host/memory-of-the-session", test_memory_of_the_session },
    { "/lua/host/followers", test_followers },
    { "/lua/host/ranks", test_ranks },
    { "/lua/host/long-names", test_long_names },
    { "/lua/host/swapped-links", test_swapped_links },
    { "/lua/host/memory-runs-out-anywhere", test_memory_runs_out_anywhere },
    { "/lua/host/interrupt", test_interrupt },
    { "/lua/host/stopped-pipeline", test_stopped_pipeline },
    { "/lua/host/locale", test_locale },
    { "/lua/host/threaded", test_threaded },
    { "/lua/host/threaded-end", test_threaded_end },
    { "/lua/host/work", test_work },
    { "/lua/host/jobs", test_jobs },
    { "/lua/host/trainer", test_trainer },
    { "/lua/host/one-at-a-time", test_one_at_a_time },
    { "/lua/host/freed-while-printing", test_freed_while_printing },
    { "/lua/host/freed-after-policy", test_freed_after_policy },
    { "/lua/host/complete", test_complete },
    { "/lua/host/complete-details", test_complete_details },
  };

  g_test_init (&argc, &argv, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (tests); i++)
    g_test_add (tests[i].name, Fixture, NULL, set_up, tests[i].run, tear_down);
  g_test_add_func ("/lua/host/opens-what-it-is-given", test_opens_what_it_is_given);
  return g_test_run ();
}
