/* The prompt of Lua on a terminal: editing, completion, history, several lines, interrupts and a
 * window that changes its size. */
#include "tests/cli/cli-run.h"
#include "tests/support/test-program.h"

#include <fcntl.h>
#include <gio/gio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#define KEY(letter) ((letter) &0x1f)
#define PATIENCE_MS 60000
#define UP "\033[A"

static gboolean is_plain; /* goban-cli was built without libedit */

typedef struct
{
  GSubprocess *child;
  int terminal;
  GString *shown; /* since the last wait */
} Prompt;

/* In the child: the terminal is its own, so that Ctrl+C reaches it. */
static void
own_terminal_cb (gpointer user_data)
{
  setsid ();
  ioctl (STDIN_FILENO, TIOCSCTTY, 0);
}

/* FALSE without a pseudo terminal or an editor: the test is skipped. */
static gboolean
start_in (Prompt *self, const char *state, const char *locale)
{
  g_autoptr (GSubprocessLauncher) launcher = g_subprocess_launcher_new (G_SUBPROCESS_FLAGS_NONE);
  const struct winsize size = { .ws_row = 40, .ws_col = 80 };
  g_autoptr (GError) error = NULL;
  int own;

  *self = (Prompt){ .terminal = posix_openpt (O_RDWR | O_NOCTTY) };
  if (is_plain)
    {
      g_test_skip ("goban-cli was built without libedit");
      return FALSE;
    }
  if (self->terminal < 0 || grantpt (self->terminal) != 0 || unlockpt (self->terminal) != 0)
    {
      g_test_skip ("no pseudo terminal");
      return FALSE;
    }
  ioctl (self->terminal, TIOCSWINSZ, &size);
  own = open (ptsname (self->terminal), O_RDWR | O_NOCTTY);
  g_subprocess_launcher_take_stdin_fd (launcher, own);
  g_subprocess_launcher_take_stdout_fd (launcher, dup (own));
  g_subprocess_launcher_take_stderr_fd (launcher, dup (own));
  g_subprocess_launcher_set_child_setup (launcher, own_terminal_cb, NULL, NULL);
  g_subprocess_launcher_setenv (launcher, "XDG_STATE_HOME", state, TRUE);
  g_subprocess_launcher_setenv (launcher, "TERM", "xterm", TRUE);
  g_subprocess_launcher_setenv (launcher, "LC_ALL", locale, TRUE);
  self->child = g_subprocess_launcher_spawn (launcher, &error, cli_program (), "repl", NULL);
  g_assert_no_error (error);
  self->shown = g_string_new (NULL);
  return TRUE;
}

static gboolean
start (Prompt *self, const char *state)
{
  return start_in (self, state, "C.UTF-8");
}

static void
type (Prompt *self, const char *keys)
{
  g_assert_cmpint (write (self->terminal, keys, strlen (keys)), ==, (gssize) strlen (keys));
}

/* Until the terminal shows @text after what was waited for last. */
static void
wait_for (Prompt *self, const char *text)
{
  GPollFD poll = { .fd = self->terminal, .events = G_IO_IN };
  char block[4096], *found;
  gssize n = 1;

  while ((found = strstr (self->shown->str, text)) == NULL && n > 0)
    {
      n = g_poll (&poll, 1, PATIENCE_MS) > 0 ? read (self->terminal, block, sizeof block) : 0;
      g_string_append_len (self->shown, block, MAX (n, 0));
    }
  if (found == NULL)
    g_error ("“%s” was never shown: %s", text, self->shown->str);
  g_string_erase (self->shown, 0, found - self->shown->str + (gssize) strlen (text));
}

/* The editor shows its prompt before it takes keys as they are, and Ctrl+D is no key until then. */
static void
wait_for_prompt (Prompt *self, const char *prompt)
{
  struct termios modes;

  wait_for (self, prompt);
  do
    {
      g_usleep (1000);
      g_assert_cmpint (tcgetattr (self->terminal, &modes), ==, 0);
    }
  while ((modes.c_lflag & ICANON) != 0);
}

static void
end (Prompt *self)
{
  g_autoptr (GError) error = NULL;

  wait_for_prompt (self, "> ");
  type (self, (const char[]){ KEY ('d'), '\0' });
  g_assert_true (g_subprocess_wait_check (self->child, NULL, &error));
  g_assert_no_error (error);
  g_object_unref (self->child);
  close (self->terminal);
  g_string_free (self->shown, TRUE);
}

/* Work that is stopped leaves its best plan, or its rows, and says where. */
static void
test_stops (Prompt *prompt)
{
  static const char stop[] = { KEY ('c'), '\0' };

  type (prompt, "g = graph.generate 'rnnlm:granularity=coarse,layers=2' print 'at' "
                "p = plan.anneal(g, {cluster = 'p100x4', evals = 1000000000})\r");
  wait_for (prompt, "at\r\n");
  g_usleep (G_USEC_PER_SEC / 2);
  type (prompt, stop);
  wait_for (prompt, "interrupted: the best plan so far, ");
  wait_for (prompt, " simulations, is in _\r\n");
  wait_for_prompt (prompt, "> ");
  type (prompt, "_.policy, _:check()\r");
  wait_for (prompt, "\"anneal\"\ttrue\r\n");
  wait_for_prompt (prompt, "> ");
  type (prompt, "r = sim.run(g, plan.heft(g, {cluster = 'p100x4'})) print 'at' "
                "s = r.decisions[3]:continue('anneal', {evals = 1000000000})\r");
  wait_for (prompt, "at\r\n");
  g_usleep (G_USEC_PER_SEC / 2);
  type (prompt, stop);
  wait_for (prompt, "interrupted: the best plan so far, ");
  wait_for_prompt (prompt, "> ");
  type (prompt, "_.plan.policy, _.valid\r");
  wait_for (prompt, "\"anneal\"\ttrue\r\n");
  wait_for_prompt (prompt, "> ");
  type (prompt, "sweep{n = {1, 2, 3}, run = function(v) if v.n == 2 then print 'at' "
                "plan.anneal(g, {cluster = 'p100x4', evals = 1000000000}) end return 1 end}\r");
  wait_for (prompt, "at\r\n");
  type (prompt, stop);
  wait_for (prompt, "interrupted: 1 of 3 rows are in _\r\n");
  wait_for_prompt (prompt, "> ");
  type (prompt, "#_, _[1].n\r");
  wait_for (prompt, "1\t1\r\n");
  wait_for_prompt (prompt, "> ");
  type (prompt, "bench.run{suite = 'quick', policies = {'anneal'}, evals = 1000000000}\r");
  g_usleep (G_USEC_PER_SEC / 2);
  type (prompt, stop);
  wait_for (prompt, "interrupted: 0 of 6 graphs are in _\r\n");
  wait_for_prompt (prompt, "> ");
  type (prompt, "_.n_graphs, #_\r");
  wait_for (prompt, "6\t0\r\n");
  wait_for_prompt (prompt, "> ");
  type (prompt, "compare.policies(g, {'heft', 'anneal'}, {evals = 1000000000})\r");
  g_usleep (G_USEC_PER_SEC / 2);
  type (prompt, stop);
  wait_for (prompt, "interrupted: 1 of 2 policies are in _\r\n");
  wait_for_prompt (prompt, "> ");
  type (prompt, "#_, _[1].policy\r");
  wait_for (prompt, "1\t\"heft\"\r\n");
  wait_for_prompt (prompt, "> ");
  type (prompt, "t = policy.trainer{}\r");
  wait_for_prompt (prompt, "> ");
  type (prompt, "t:update(1000000)\r");
  g_usleep (G_USEC_PER_SEC / 2);
  type (prompt, stop);
  wait_for (prompt, " of 1000000 updates are made\r\n");
  wait_for_prompt (prompt, "> ");
  type (prompt, "job.trainings()[1]:wait()\r");
  g_usleep (G_USEC_PER_SEC / 2);
  type (prompt, stop);
  wait_for (prompt, "interrupted: the job goes on; its stop() ends it\r\n");
  wait_for_prompt (prompt, "> ");
}

static void
test_keys (void)
{
  g_autofree char *state = cli_temp ("own state");
  const struct winsize narrow = { .ws_row = 30, .ws_col = 40 };
  Prompt prompt;

  if (!start (&prompt, state))
    return;
  wait_for_prompt (&prompt, "> ");

  /* One answer completes, several are listed, and Ctrl+C drops the line. */
  type (&prompt, "plan.he\t");
  wait_for (&prompt, "ft"); /* the rest of plan.heft */
  type (&prompt, (const char[]){ '(', KEY ('c'), '\0' });
  wait_for (&prompt, "^C");
  wait_for_prompt (&prompt, "> ");
  type (&prompt, "cluster.pre\t\t");
  wait_for (&prompt, "presets");
  type (&prompt, (const char[]){ KEY ('u'), '\0' });

  type (&prompt, "for i = 7, 8 do\r");
  wait_for_prompt (&prompt, ".. ");
  type (&prompt, "print(i * 111, 'é')\r");
  wait_for_prompt (&prompt, ".. ");
  type (&prompt, "end\r");
  wait_for (&prompt, "777\té\r\n888\té");
  wait_for_prompt (&prompt, "> ");

  /* The statement with “print” is found and runs; so is the last one, which is the same. */
  type (&prompt, (const char[]){ KEY ('r'), '\0' });
  wait_for (&prompt, "bck:");
  type (&prompt, "print");
  wait_for (&prompt, "i * 111");
  type (&prompt, "\r");
  wait_for (&prompt, "777\té\r\n888\té");
  wait_for_prompt (&prompt, "> ");
  type (&prompt, UP);
  wait_for (&prompt, "end");
  type (&prompt, " print('again')\r");
  wait_for (&prompt, "888\té\r\nagain\r\n");
  wait_for_prompt (&prompt, "> ");

  /* A chunk that runs is interrupted, and the prompt goes on. */
  type (&prompt, "print(40 + 2) while true do end\r");
  wait_for (&prompt, "42\r\n");
  type (&prompt, (const char[]){ KEY ('c'), '\0' });
  wait_for (&prompt, "interrupted");
  wait_for_prompt (&prompt, "> ");

  test_stops (&prompt);

  ioctl (prompt.terminal, TIOCSWINSZ, &narrow);
  type (&prompt, "print('a line that is longer than the window', 6 * 70)\r");
  wait_for (&prompt, "window\t420\r\n");
  wait_for_prompt (&prompt, "> ");
  type (&prompt, "?\r");
  wait_for (&prompt, "man goban-lua has all of it");
  wait_for_prompt (&prompt, "> ");
  type (&prompt, "print(6 * 7 * 11)\r");
  wait_for (&prompt, "462\r\n");
  end (&prompt);

  /* The next prompt has the statements of this one. */
  g_assert_true (start (&prompt, state));
  wait_for_prompt (&prompt, "> ");
  type (&prompt, UP "\r");
  wait_for (&prompt, "462\r\n");
  wait_for_prompt (&prompt, "> ");
  type (&prompt, (const char[]){ KEY ('r'), '\0' });
  wait_for (&prompt, "bck:");
  type (&prompt, "again\r");
  wait_for (&prompt, "888\té\r\nagain\r\n");
  end (&prompt);
}

/* Plots are sketches as wide as the terminal, tables are cut to it. */
static void
test_figures (void)
{
  g_autofree char *state = cli_temp ("figures state");
  const struct winsize narrow = { .ws_row = 30, .ws_col = 40 };
  Prompt prompt;

  if (!start (&prompt, state))
    return;
  wait_for_prompt (&prompt, "> ");
  type (&prompt, "plot{1, 2, 3, 4}\r");
  wait_for (&prompt, "4 points, 1 to 4\r\n");
  wait_for (&prompt,
            "4 │"); /* eight lines with a rising line of dots, from one corner to the other */
  wait_for (&prompt, "⣀⣀⡠⠤⠤⠒⠒⠊⠉\r\n");
  wait_for (&prompt, "1 │⣀⡠⠤⠤⠒⠒⠊⠉⠉\r\n");
  wait_for (&prompt, "1                                      ");
  wait_for_prompt (&prompt, "> ");
  type (&prompt, "plot.bars({half = 2, all = 4})\r");
  wait_for (&prompt,
            "all  █████████████████████████████████████████████████████████████████████████ 4\r\n");
  wait_for (&prompt, "half ████████████████████████████████████▌ 2\r\n");
  wait_for_prompt (&prompt, "> ");
  type (&prompt, "plot.heat({{x=1,y=1,v=1},{x=2,y=1,v=5}},{x='x',y='y',value='v'})\r");
  wait_for (&prompt, "1 ······██████\r\n");
  wait_for (&prompt, "· 1  █ 5\r\n");
  wait_for_prompt (&prompt, "> ");

  ioctl (prompt.terminal, TIOCSWINSZ, &narrow);
  type (&prompt, "{{a=('x'):rep(30),b=('y'):rep(30)}, {a=1}}\r");
  wait_for (&prompt, "xxx  yyyyyyy~\r\n");
  end (&prompt);

  g_assert_true (start_in (&prompt, state, "C"));
  wait_for_prompt (&prompt, "> ");
  type (&prompt, "plot.bars({half = 2, all = 4})\r");
  wait_for (&prompt, "half ##################################### 2\r\n");
  end (&prompt);
}

/* A history that is a folder or nothing of ours is left alone, and the prompt works without. */
static void
test_foreign_history (void)
{
  g_autofree char *state = cli_temp ("foreign state");
  g_autofree char *folder = g_build_filename (state, "goban", NULL);
  g_autofree char *path = g_build_filename (folder, "prompt-history", NULL);
  g_autofree char *after = NULL;
  Prompt prompt;

  g_assert_cmpint (g_mkdir_with_parents (folder, 0700), ==, 0);
  g_assert_true (g_file_set_contents (path, "no history\n", -1, NULL));
  if (!start (&prompt, state))
    return;
  wait_for_prompt (&prompt, "> ");
  type (&prompt, "print(6 * 70)\r");
  wait_for (&prompt, "420\r\n");
  end (&prompt);
  g_assert_true (g_file_get_contents (path, &after, NULL, NULL));
  g_assert_cmpstr (after, ==, "no history\n");
}

TEST_PROGRAM (prompt)
{
  cli_init (&argc, &argv);
  is_plain = argc < 3 || strcmp (argv[2], "editline") != 0;
  g_test_add_func ("/cli/prompt/keys", test_keys);
  g_test_add_func ("/cli/prompt/figures", test_figures);
  g_test_add_func ("/cli/prompt/foreign-history", test_foreign_history);
  return cli_end ();
}
