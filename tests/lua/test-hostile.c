/* Hostile scripts: the main loop keeps running, Stop ends the script, and the console accepts the
 * next line. */
#include "app/lua/lua-chunk.h"
#include "app/lua/lua-console.h"
#include "app/lua/lua-host.h"
#include "app/lua/lua-modules.h"
#include "engine/core/clock.h"
#include "engine/core/error.h"
#include "tests/support/shared-data.h"
#include "tests/support/test-program.h"

#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>

/* Processor time; a script that only waits is stopped by the clock. */
#define STOP_AFTER_MS 200
#define STOP_WAITING_AFTER_MS 2000
#define MOST_ANSWER_MS 100
#define TICK_MS 5
/* Forty fit in before the stop, fewer if other programs have the processor meanwhile. A main
 * loop that is blocked has one at most. */
#define MIN_TICKS 4
/* Far beyond what any of these takes to end; here a hang becomes a failure. */
#define HANG_S 60

static const struct
{
  const char *name;
  const char *code;
} scripts[] = {
  { "loop", "while true do end" },
  { "pcall", "while true do pcall(function() while true do end end) end" },
  { "pcall-of-error", "while true do pcall(error) end" },
  { "xpcall-handler", "xpcall(error, function() while true do end end)" },
  { "sort-comparison", "table.sort({ 3, 2, 1 }, function() while true do end end)" },
  { "sort-large", "local t = {} for i = 1, 3e6 do t[i] = i * 7919 % 3000017 end\n"
                  "while true do table.sort(t) for i = 1, #t, 2 do t[i] = -t[i] end end" },
  { "sort-claimed",
    "table.sort(setmetatable({}, { __len = function() return 2^31 - 2 | 0 end }))" },
  { "pattern", "return (('a'):rep(30000)):find(('a-'):rep(30) .. 'b')" },
  { "pattern-most", "return (('a'):rep(100)):match(('a*'):rep(30) .. 'b')" },
  { "pattern-gsub", "return (('a'):rep(100000)):gsub('.-.-.-b', '')" },
  { "pattern-gmatch", "for w in (('a'):rep(100000)):gmatch('a*a*a*a*b') do end" },
  { "pattern-pcall",
    "while true do pcall(string.find, ('a'):rep(30000), ('a-'):rep(30) .. 'b') end" },
  { "gsub-callback", "return ('a'):rep(100):gsub('a', function() while true do end end)" },
  { "gsub-table",
    "return ('a'):gsub('a', setmetatable({}, { __index = function() while true do end end }))" },
  { "find-plain", "local s, p = ('a'):rep(1e7), ('a'):rep(5e6) .. 'b'\n"
                  "while true do s:find(p, 1, true) end" },
  { "tostring-of-error",
    "error(setmetatable({}, { __tostring = function() while true do end end }))" },
  { "tostring-of-value",
    "return setmetatable({}, { __tostring = function() while true do end end })" },
  { "print", "print(setmetatable({}, { __tostring = function() while true do end end }))" },
  { "print-endless", "while true do print('a line of some length') end" },
  { "print-huge", "while true do print(('x'):rep(1e6)) end" },
  { "close", "local x <close> = setmetatable({}, { __close = function() while true do end end })" },
  { "close-after-error",
    "local x <close> = setmetatable({}, { __close = function() while true do end end })\n"
    "error 'on'" },
  { "close-of-coroutine",
    "local co = coroutine.create(function()\n"
    "  local x <close> = setmetatable({}, { __close = function() while true do end end })\n"
    "  coroutine.yield() end)\n"
    "coroutine.resume(co) coroutine.close(co)" },
  { "close-of-coroutine-in-coroutine",
    "coroutine.wrap(function() local co = coroutine.create(function()\n"
    "  local x <close> = setmetatable({}, { __close = function() while true do end end })\n"
    "  coroutine.yield() end)\n"
    "coroutine.resume(co) while true do coroutine.close(co) end end)()" },
  { "date", "while true do pcall(os.date, ('%%'):rep(1e8)) end" },
  { "pack", "while true do pcall(string.packsize, (' '):rep(1e8)) end" },
  { "less-than", "local m = { __lt = function() while true do end end }\n"
                 "table.sort { setmetatable({}, m), setmetatable({}, m) }" },
  { "index-in-concat", "return table.concat(setmetatable({}, { __len = function() return 9 end,\n"
                       "  __index = function() while true do end end }))" },
  { "index-in-unpack",
    "return table.unpack(setmetatable({}, { __index = function() while true do end end }), 1, 9)" },
  { "length-of-remove",
    "table.remove(setmetatable({}, { __len = function() return 1 << 60 end }), 1)" },
  { "length-of-insert",
    "table.insert(setmetatable({}, { __len = function() return 1 << 60 end }), 1, 1)" },
  { "length-of-concat", "table.concat(setmetatable({}, { __len = function() return 1 << 60 end,\n"
                        "  __index = rawlen }))" },
  { "move", "table.move({}, 1, 1 << 60, 2)" },
  { "pairs",
    "for _ in pairs(setmetatable({}, { __pairs = function() while true do end end })) do end" },
  { "next-of-gaps", "local t = {} for i = 1, 1e6 do t['k' .. i] = 1 end\n"
                    "for k in pairs(t) do t[k] = nil end while true do next(t) end" },
  { "iterator", "for _ in function() return 1 end do end" },
  { "rep-of-nothing", "while true do (''):rep(1 << 62) end" },
  { "rep", "while true do ('x'):rep(1e8) end" },
  { "format", "while true do ('%s'):format(('x'):rep(1e7)) end" },
  { "concatenation", "local s = 'x' while true do s = #s < 1e8 and s .. s or 'x' end" },
  { "coroutines", "local function deep(n)\n"
                  "  if n == 0 then while true do end end\n"
                  "  return coroutine.wrap(deep)(n - 1) end\n"
                  "deep(50)" },
  { "coroutine-in-sort",
    "table.sort({ 2, 1 }, function() coroutine.wrap(function() while true do end end)() end)" },
  { "load-reader", "load(function() return ' ' end)" },
  { "load-callback", "load(function() while true do end end)" },
  { "load-huge", "local s = ('x = 1\\n'):rep(4e6) while true do load(s) end" },
  { "utf8", "local s = ('ä'):rep(1e7) while true do utf8.len(s) end" },
  { "memory",
    "while true do pcall(function() local t = {} while true do t[#t + 1] = {} end end) end" },
  { "collect", "local t = {} for i = 1, 1e6 do t[i] = {} end while true do collectgarbage() end" },
  { "recursion", "local function f() return pcall(f) and f() or f() end f()" },
  { "query", "g:where(function() while true do end end)" },
  { "map", "g:nodes():map(function() while true do end end)" },
  { "map-c", "while true do g:nodes():map 'cost' end" },
  { "color", "view.color(function() while true do end end)" },
  { "options",
    "sim.run(plan.single(g), setmetatable({}, { __index = function() while true do end end }))\n"
    "while true do end" },
  { "keys",
    "while true do pcall(view.save, 'x.svg', { [setmetatable({}, { __tostring = function()\n"
    "  while true do end end })] = 1 }) end" },
  { "edits", "while true do g:nodes():pin() g:nodes():unpin() end" },
  { "colours", "while true do view.color 'op' view.color 'device' end" },
  { "policy", "policy.register('slow', function() while true do end end)\n"
              "policy.get 'slow':decide(g)" },
  { "search", "while true do plan.anneal(g, { evals = 1e9 }) end" },
  { "json", "while true do json(setmetatable({}, { __index = function() return 1 end })) end" },
};

typedef struct
{
  GobanSession *session;
  GobanConsoleEvaluator *console;
  GMainLoop *loop;
  char *result;
  GError *error;
  guint n_ticks;
  gint64 last_tick_us;
  gint64 longest_us;
  gboolean is_stopped;
  /* By this process's processor time, and by the clock. */
  gint64 started_ns, started_us;
  gint64 stopped_ns, stopped_us;
} Fixture;

static void
evaluated_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Fixture *fixture = user_data;

  fixture->result = goban_console_evaluator_evaluate_finish (GOBAN_CONSOLE_EVALUATOR (source),
                                                             result, &fixture->error);
  g_main_loop_quit (fixture->loop);
}

static gboolean
hang_cb (gpointer user_data)
{
  g_error ("the script does not end");
  return G_SOURCE_REMOVE;
}

static void
evaluate (Fixture *fixture, const char *text)
{
  guint hang = g_timeout_add_seconds (HANG_S, hang_cb, NULL);

  g_clear_pointer (&fixture->result, g_free);
  g_clear_error (&fixture->error);
  goban_console_evaluator_evaluate_async (fixture->console, text, evaluated_cb, fixture);
  g_main_loop_run (fixture->loop);
  g_source_remove (hang);
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  g_autofree char *toy = project_path ("samples/toy.dot");
  g_autofree char *open
      = g_strdup_printf ("assert(app.open '%s') view.show(sim.run(plan.single(g)))", toy);

  fixture->session = goban_session_new ();
  fixture->console = GOBAN_CONSOLE_EVALUATOR (goban_lua_console_new (fixture->session));
  fixture->loop = g_main_loop_new (NULL, FALSE);
  evaluate (fixture, open);
  g_assert_no_error (fixture->error);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  g_assert_finalize_object (fixture->console);
  g_assert_finalize_object (fixture->session);
  g_main_loop_unref (fixture->loop);
  g_free (fixture->result);
  g_clear_error (&fixture->error);
}

static gboolean
tick_cb (gpointer user_data)
{
  Fixture *fixture = user_data;
  gint64 now_us = g_get_monotonic_time ();

  if (fixture->n_ticks > 0)
    fixture->longest_us = MAX (fixture->longest_us, now_us - fixture->last_tick_us);
  fixture->last_tick_us = now_us;
  fixture->n_ticks += !fixture->is_stopped;
  return G_SOURCE_CONTINUE;
}

static gboolean
stop_cb (gpointer user_data)
{
  Fixture *fixture = user_data;
  gint64 now_ns = goban_clock_read_ns (CLOCK_PROCESS_CPUTIME_ID);
  gint64 now_us = g_get_monotonic_time ();

  if (now_ns - fixture->started_ns < STOP_AFTER_MS * 1000000LL
      && now_us - fixture->started_us < STOP_WAITING_AFTER_MS * 1000LL)
    return G_SOURCE_CONTINUE;
  fixture->is_stopped = TRUE;
  fixture->stopped_ns = now_ns;
  fixture->stopped_us = now_us;
  goban_console_evaluator_interrupt (fixture->console);
  return G_SOURCE_REMOVE;
}

static void
stop_later (Fixture *fixture)
{
  fixture->started_ns = goban_clock_read_ns (CLOCK_PROCESS_CPUTIME_ID);
  fixture->started_us = g_get_monotonic_time ();
  g_timeout_add (TICK_MS, stop_cb, fixture);
}

static void
test_stop (Fixture *fixture, gconstpointer data)
{
  guint tick = g_timeout_add (TICK_MS, tick_cb, fixture);

  stop_later (fixture);
  evaluate (fixture, data);
  g_source_remove (tick);
  g_test_message ("%u ticks, the longest turn %" G_GINT64_FORMAT " us, ended %" G_GINT64_FORMAT
                  " ms after the stop",
                  fixture->n_ticks, fixture->longest_us,
                  (g_get_monotonic_time () - fixture->stopped_us) / 1000);
  g_assert_true (fixture->is_stopped);
  g_assert_error (fixture->error, GOBAN_ERROR, GOBAN_ERROR_CANCELLED);
  /* A search says what is kept of it. */
  g_assert_true (g_str_equal (fixture->error->message, "interrupted")
                 || g_str_has_prefix (fixture->error->message, "interrupted: "));
  g_assert_cmpuint (fixture->n_ticks, >=, MIN_TICKS);

  evaluate (fixture, "1 + 1");
  g_assert_no_error (fixture->error);
  g_assert_cmpstr (fixture->result, ==, "2");
}

/* Long calls of our own look whether they are to stop. */
static void
test_stop_in_call (Fixture *fixture, gconstpointer data)
{
  double ms;

  evaluate (fixture, "big = graph.generate 'gnmt:layers=8'");
  g_assert_no_error (fixture->error);
  stop_later (fixture);
  evaluate (fixture, data);
  ms = (double) (goban_clock_read_ns (CLOCK_PROCESS_CPUTIME_ID) - fixture->stopped_ns) / 1e6;
  g_assert_error (fixture->error, GOBAN_ERROR, GOBAN_ERROR_CANCELLED);
  g_test_message ("ended after %.1f ms of processor time", ms);
  g_assert_cmpfloat (ms, <=, MOST_ANSWER_MS);
}

static void
done_cb (GobanLuaHost *host, const char *result, const GError *error, gpointer user_data)
{
  g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_CANCELLED);
  ++*(guint *) user_data;
}

/* A window that closes does not wait for what runs in it. */
static void
test_free (void)
{
  g_autoptr (GobanSession) session = goban_session_new ();
  GobanLuaHost *host = goban_lua_host_new (session, goban_lua_open_modules);
  guint n_done = 0;

  g_assert_true (
      goban_lua_host_start (host, "while true do view.color 'op' end", done_cb, &n_done, NULL));
  for (guint i = 0; i < 20; i++)
    g_main_context_iteration (NULL, TRUE);
  goban_lua_host_free (host);
  g_assert_cmpuint (n_done, ==, 1);
}

/* --- the main thread ------------------------------------------------------------------------- */

/* The prelude's own words, as a script may leave them. */
static const char *const poisons[] = {
  "function() while true do end end",
  "function() while true do pcall(error) end end",
  "coroutine.wrap(function() while true do end end)",
};

/* Completion and help answer, and the next chunk runs without what was left behind. */
static void
test_replaced_words (Fixture *fixture, gconstpointer data)
{
  for (gsize i = 0; i < G_N_ELEMENTS (poisons); i++)
    {
      g_autofree char *code = g_strdup_printf (
          "old = old or {} for _, word in ipairs { 'sub', 'match', 'gmatch', 'find', 'gsub' } do\n"
          "  old[word] = old[word] or string[word] string[word] = %s end",
          poisons[i]);
      g_auto (GStrv) words = NULL, details = NULL;
      g_autofree char *help = NULL;
      gsize start;

      evaluate (fixture, code);
      g_assert_no_error (fixture->error);
      words = goban_console_evaluator_complete (fixture->console, "view.co", 7, &start, &details);
      g_assert_nonnull (words);
      help = goban_console_evaluator_help (fixture->console, "view.color", 10);
      g_assert_null (help);
      evaluate (fixture, "for word, f in pairs(old) do string[word] = f end");
      g_assert_no_error (fixture->error);
    }
  g_clear_pointer (&fixture->result, g_free);
  {
    g_autofree char *help = goban_console_evaluator_help (fixture->console, "view.color", 10);

    g_assert_nonnull (help);
  }
}

/* The session's globals are set by the main thread. */
static void
test_guarded_globals (Fixture *fixture, gconstpointer data)
{
  evaluate (fixture, "g, r, p, sel, arg = nil\n"
                     "setmetatable(_G, { __newindex = function(t, name, value)\n"
                     "  while name == 'r' or name == 'g' or name == 'sel' do end\n"
                     "  rawset(t, name, value) end })");
  g_assert_no_error (fixture->error);
  evaluate (fixture, "view.show(sim.run(plan.random(graph.generate 'gnmt:layers=2')))");
  evaluate (fixture, "rawget(_G, 'r') ~= nil and rawget(_G, 'g') ~= nil");
  g_assert_no_error (fixture->error);
  g_assert_cmpstr (fixture->result, ==, "true");
}

TEST_PROGRAM (hostile)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add ("/lua/hostile/replaced-words", Fixture, NULL, set_up, test_replaced_words, tear_down);
  g_test_add ("/lua/hostile/guarded-globals", Fixture, NULL, set_up, test_guarded_globals,
              tear_down);
  for (gsize i = 0; i < G_N_ELEMENTS (scripts); i++)
    {
      g_autofree char *path = g_strconcat ("/lua/hostile/", scripts[i].name, NULL);

      g_test_add (path, Fixture, scripts[i].code, set_up, test_stop, tear_down);
    }
  g_test_add ("/lua/hostile/stop-in-edges", Fixture, "while true do big:edges() end", set_up,
              test_stop_in_call, tear_down);
  g_test_add ("/lua/hostile/stop-in-utf8", Fixture,
              "local s = ('ä'):rep(2e6) while true do utf8.len(s) end", set_up, test_stop_in_call,
              tear_down);
  g_test_add ("/lua/hostile/stop-in-concatenation", Fixture,
              "local s = 'x' while true do s = #s < 2e6 and s .. s or 'x' end", set_up,
              test_stop_in_call, tear_down);
  g_test_add_func ("/lua/hostile/free", test_free);
  return g_test_run ();
}
