#include "ui/console/console-history.h"

#include "engine/core/error.h"
#include "tests/support/test-program.h"

#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void
test_walk (void)
{
  g_autoptr (GobanConsoleHistory) history = goban_console_history_new (NULL);

  goban_console_history_add (history, "one");
  goban_console_history_add (history, "two");

  g_assert_cmpstr (goban_console_history_older (history, ""), ==, "two");
  g_assert_cmpstr (goban_console_history_older (history, "two"), ==, "one");
  g_assert_null (goban_console_history_older (history, "one"));
  g_assert_cmpstr (goban_console_history_newer (history), ==, "two");
  g_assert_cmpstr (goban_console_history_newer (history), ==, "");
  g_assert_null (goban_console_history_newer (history));
}

static void
test_draft_survives (void)
{
  g_autoptr (GobanConsoleHistory) history = goban_console_history_new (NULL);

  goban_console_history_add (history, "graph.load 'a'");
  goban_console_history_add (history, "print (1)");
  goban_console_history_add (history, "graph.load 'b'");

  /* Only what begins like the draft is walked through. */
  g_assert_cmpstr (goban_console_history_older (history, "graph"), ==, "graph.load 'b'");
  g_assert_cmpstr (goban_console_history_older (history, "graph.load 'b'"), ==, "graph.load 'a'");
  g_assert_cmpstr (goban_console_history_newer (history), ==, "graph.load 'b'");
  g_assert_cmpstr (goban_console_history_newer (history), ==, "graph");
}

static void
test_keeps_no_noise (void)
{
  g_autoptr (GobanConsoleHistory) history = goban_console_history_new (NULL);

  goban_console_history_add (history, "same");
  goban_console_history_add (history, " same \n");
  goban_console_history_add (history, "   ");
  g_assert_cmpuint (goban_console_history_get_n_entries (history), ==, 1);

  for (int i = 0; i < 1500; i++)
    {
      g_autofree char *text = g_strdup_printf ("line %d", i);

      goban_console_history_add (history, text);
    }
  g_assert_cmpuint (goban_console_history_get_n_entries (history), ==, 1000);
  g_assert_cmpstr (goban_console_history_older (history, ""), ==, "line 1499");
}

static void
test_find (void)
{
  static const char *const entries[] = { "p = plan.heft(g)", "print(p)", "p = plan.heft(g)", "x" };
  g_autoptr (GobanConsoleHistory) history = goban_console_history_new (NULL);
  g_auto (GStrv) found = NULL;
  g_auto (GStrv) one = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (entries); i++)
    goban_console_history_add (history, entries[i]);
  found = goban_console_history_find (history, "p", GOBAN_HISTORY_ALL, 10);
  g_assert_cmpuint (g_strv_length (found), ==, 2);
  g_assert_cmpstr (found[0], ==, "p = plan.heft(g)");
  g_assert_cmpstr (found[1], ==, "print(p)");
  one = goban_console_history_find (history, "", GOBAN_HISTORY_ALL, 1);
  g_assert_cmpuint (g_strv_length (one), ==, 1);
  g_assert_cmpstr (one[0], ==, "x");
}

/* Two windows write to one file: no line of either is lost. */
static void
test_shared_file (void)
{
  g_autofree char *folder = g_dir_make_tmp ("goban-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "history", NULL);
  g_autoptr (GobanConsoleHistory) first = goban_console_history_new (path);
  g_autoptr (GobanConsoleHistory) second = goban_console_history_new (path);
  g_autoptr (GobanConsoleHistory) read = NULL;

  goban_console_history_add (first, "one");
  goban_console_history_add (second, "two");
  g_assert_true (goban_console_history_save (first, NULL));
  g_assert_true (goban_console_history_save (second, NULL));
  goban_console_history_add (first, "three");
  g_assert_true (goban_console_history_save (first, NULL));
  g_assert_true (goban_console_history_save (first, NULL));

  read = goban_console_history_new (path);
  g_assert_cmpuint (goban_console_history_get_n_entries (read), ==, 3);
  g_assert_cmpstr (goban_console_history_older (read, ""), ==, "three");
  g_assert_cmpstr (goban_console_history_older (read, ""), ==, "two");
  g_unlink (path);
  g_rmdir (folder);
}

static void
test_file (void)
{
  g_autofree char *folder = g_dir_make_tmp ("goban-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "deeper", "history", NULL);
  g_autofree char *parent = g_path_get_dirname (path);
  g_autoptr (GobanConsoleHistory) written = goban_console_history_new (path);
  g_autoptr (GobanConsoleHistory) read = NULL;
  g_autoptr (GError) error = NULL;

  goban_console_history_add (written, "for i = 1, 2 do\n  print 'a\\b'\nend");
  goban_console_history_add (written, "größe = 1");
  g_assert_true (goban_console_history_save (written, &error));
  g_assert_no_error (error);

  read = goban_console_history_new (path);
  g_assert_cmpuint (goban_console_history_get_n_entries (read), ==, 2);
  g_assert_cmpstr (goban_console_history_older (read, ""), ==, "größe = 1");
  g_assert_cmpstr (goban_console_history_older (read, ""), ==,
                   "for i = 1, 2 do\n  print 'a\\b'\nend");

  g_unlink (path);
  g_rmdir (parent);
  g_rmdir (folder);
}

/* A file that is not text stays as it is. */
static void
test_foreign_file (void)
{
  static const char foreign[] = "\xff\xfe not text";
  g_autofree char *folder = g_dir_make_tmp ("goban-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "history", NULL);
  g_autoptr (GobanConsoleHistory) history = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;

  g_assert_true (g_file_set_contents (path, foreign, -1, NULL));
  history = goban_console_history_new (path);
  g_assert_cmpuint (goban_console_history_get_n_entries (history), ==, 0);
  goban_console_history_add (history, "new");
  g_assert_false (goban_console_history_save (history, &error));
  g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_IO);
  g_assert_nonnull (strstr (error->message, "is not written"));
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_assert_cmpstr (text, ==, foreign);

  /* What could not be saved is saved as soon as it can be. */
  g_unlink (path);
  g_assert_true (goban_console_history_save (history, NULL));
  g_free (text);
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_assert_cmpstr (text, ==, "new\n");
  g_unlink (path);
  g_rmdir (folder);
}

/* Neither a pipe nor a file without permission is waited for or written over. */
static void
test_unreadable_file (void)
{
  g_autofree char *folder = g_dir_make_tmp ("goban-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "history", NULL);
  g_autoptr (GobanConsoleHistory) pipe = NULL;
  g_autoptr (GobanConsoleHistory) forbidden = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;

  g_assert_cmpint (mkfifo (path, 0600), ==, 0);
  pipe = goban_console_history_new (path);
  goban_console_history_add (pipe, "new");
  g_assert_false (goban_console_history_save (pipe, &error));
  g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_IO);
  g_clear_error (&error);
  g_unlink (path);

  g_assert_true (g_file_set_contents (path, "old\n", -1, NULL));
  g_assert_cmpint (g_chmod (path, 0), ==, 0);
  forbidden = goban_console_history_new (path);
  goban_console_history_add (forbidden, "new");
  if (g_access (path, R_OK) != 0) /* root reads everything */
    {
      g_assert_false (goban_console_history_save (forbidden, &error));
      g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_IO);
      g_assert_cmpint (g_chmod (path, 0600), ==, 0);
      g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
      g_assert_cmpstr (text, ==, "old\n");
    }
  g_unlink (path);
  g_rmdir (folder);
}

/* Of more than 4 MB the newest lines are read and kept, of the file as of new entries. */
static void
test_large_file (void)
{
  g_autofree char *folder = g_dir_make_tmp ("goban-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "history", NULL);
  g_autofree char *long_line = g_strnfill (3 << 20, 'x');
  g_autoptr (GString) old = g_string_new (NULL);
  g_autoptr (GobanConsoleHistory) history = NULL;
  g_autofree char *text = NULL;
  gsize size;

  /* The file is cut in the middle of a line, and of a letter of two bytes. */
  while (old->len < 5 << 20)
    g_string_append (old, "ä");
  g_string_append (old, "\nlast but one\nlast\n");
  g_assert_true (g_file_set_contents (path, old->str, (gssize) old->len, NULL));
  history = goban_console_history_new (path);
  g_assert_cmpuint (goban_console_history_get_n_entries (history), ==, 2);
  goban_console_history_add (history, "new");
  g_assert_true (goban_console_history_save (history, NULL));
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_assert_cmpstr (text, ==, "last but one\nlast\nnew\n");

  goban_console_history_add (history, long_line);
  goban_console_history_add (history, "between");
  goban_console_history_add (history, long_line);
  goban_console_history_add (history, "newest");
  g_assert_true (goban_console_history_save (history, NULL));
  g_free (text);
  g_assert_true (g_file_get_contents (path, &text, &size, NULL));
  g_assert_cmpuint (size, ==, strlen ("between\n") + (3 << 20) + strlen ("\nnewest\n"));
  g_assert_true (g_str_has_suffix (text, "x\nnewest\n"));
  g_unlink (path);
  g_rmdir (folder);
}

/* Kinds are those of what a line calls, behind an assignment, too, and of what a file kept. */
static void
test_kinds (void)
{
  static const struct
  {
    const char *entry;
    GobanHistoryKind kind;
  } cases[] = {
    { "g = graph.load 'a.onnx'", GOBAN_HISTORY_GRAPHS },
    { "g:node('a'):move 'gpu:1'", GOBAN_HISTORY_GRAPHS },
    { "local p = plan.heft(g)", GOBAN_HISTORY_PLANS },
    { "return r:shares()", GOBAN_HISTORY_PLANS },
    { "compare(1, 2):why()", GOBAN_HISTORY_COMPARISONS },
    { "view.moment(3)", GOBAN_HISTORY_VIEWS },
    { "a, b = sweep{ n = { 1 } }, 2", GOBAN_HISTORY_PLOTS },
    { "for i = 1, 3 do\n  print(i)\nend", GOBAN_HISTORY_BLOCKS },
    { "a == plan.heft", GOBAN_HISTORY_OTHERS },
    { "x", GOBAN_HISTORY_OTHERS },
  };
  g_autofree char *folder = g_dir_make_tmp ("goban-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "history", NULL);
  g_autoptr (GobanConsoleHistory) history = goban_console_history_new (path);
  g_autoptr (GobanConsoleHistory) again = NULL;
  g_auto (GStrv) found = NULL;

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_assert_cmpint (goban_history_find_kind (cases[i].entry), ==, cases[i].kind);
      goban_console_history_add (history, cases[i].entry);
    }
  g_assert_true (goban_console_history_save (history, NULL));
  again = goban_console_history_new (path);
  found = goban_console_history_find (again, "", GOBAN_HISTORY_PLANS, 9);
  g_assert_cmpuint (g_strv_length (found), ==, 2);
  g_assert_cmpstr (found[0], ==, "return r:shares()");
  g_assert_cmpstr (found[1], ==, "local p = plan.heft(g)");
  g_remove (path);
  g_rmdir (folder);
}

TEST_PROGRAM (console_history)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/console-history/walk", test_walk);
  g_test_add_func ("/console-history/draft-survives", test_draft_survives);
  g_test_add_func ("/console-history/keeps-no-noise", test_keeps_no_noise);
  g_test_add_func ("/console-history/file", test_file);
  g_test_add_func ("/console-history/find", test_find);
  g_test_add_func ("/console-history/kinds", test_kinds);
  g_test_add_func ("/console-history/shared-file", test_shared_file);
  g_test_add_func ("/console-history/foreign-file", test_foreign_file);
  g_test_add_func ("/console-history/unreadable-file", test_unreadable_file);
  g_test_add_func ("/console-history/large-file", test_large_file);
  return g_test_run ();
}
