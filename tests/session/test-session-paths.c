/* The files that a session names: names of any bytes are kept exactly, and what is not a file is
 * not read. */
#include "engine/core/file.h"
#include "engine/core/lua-text.h"
#include "engine/session/document/autosave.h"
#include "engine/session/document/opening.h"
#include "engine/session/session-graph.h"
#include "engine/study/run/graph-source.h"

#include "tests/support/folder.h"
#include "tests/support/sessions.h"
#include "tests/support/shared-data.h"
#include "tests/support/test-program.h"

#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>

typedef struct
{
  char *folder;
  char *session_path;
  GobanSession *session;
  GobanDocument *document;
} Fixture;

/* What fits into 255 bytes with ".dot". */
static char longest[252];

static const char *const names[] = {
  "caf\xe9",          "\xff\xfe",      "half \xc3", "line\nbreak", "tab\tand \"quotes\" 'too'",
  "100%25 %s %n %00", "-dash",         "--help",    " spaces  ",   "back\\slash",
  "na\xc3\xafve",     "gnmt:layers=2", longest
};

static void
set_up (Fixture *f, gconstpointer data)
{
  f->folder = g_dir_make_tmp ("goban-paths-\xe9-XXXXXX", NULL);
  g_assert_nonnull (f->folder);
  f->session_path = g_build_filename (f->folder, "a\xe9.goban", NULL);
  f->session = goban_session_new ();
  f->document = goban_document_get (f->session);
}

static void
tear_down (Fixture *f, gconstpointer data)
{
  g_assert_finalize_object (f->session);
  remove_folder (f->folder);
  g_free (f->folder);
  g_free (f->session_path);
}

/* A copy of the sample under that name, opened. (transfer full): its path */
static char *
open_as (Fixture *f, const char *name)
{
  g_autofree char *sample = project_path ("samples/toy.dot");
  g_autofree char *file = g_strconcat (name, ".dot", NULL);
  g_autofree char *path = g_build_filename (f->folder, file, NULL);
  g_autofree char *text = NULL;
  g_autoptr (GobanGraph) graph = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_true (g_file_get_contents (sample, &text, NULL, NULL));
  g_assert_true (goban_file_write (path, text, strlen (text), &error));
  g_assert_no_error (error);
  graph = goban_graph_source_load (path, NULL, &error);
  g_assert_no_error (error);
  goban_session_set_graph (f->session, graph, path);
  return g_steal_pointer (&path);
}

static void
assert_opens (const char *session_path, const char *graph_path)
{
  g_autoptr (GobanSession) other = goban_session_new ();
  g_autoptr (GError) error = NULL;

  goban_document_open_now (goban_document_get (other), session_path, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (goban_session_get_path (other), ==, graph_path);
}

static void
test_names (Fixture *f, gconstpointer data)
{
  g_autofree char *elsewhere = g_build_filename (f->folder, "below", "b.goban", NULL);
  g_autofree char *below = g_path_get_dirname (elsewhere);

  g_assert_cmpint (g_mkdir (below, 0777), ==, 0);
  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *path = open_as (f, names[i]);
      g_autofree char *text = NULL;
      g_autoptr (GError) error = NULL;

      /* Beside the graph its path is relative, elsewhere absolute. */
      goban_document_save_now (f->document, f->session_path, &error);
      g_assert_no_error (error);
      assert_opens (f->session_path, path);
      g_assert_true (g_file_get_contents (f->session_path, &text, NULL, NULL));
      g_assert_true (g_utf8_validate (text, -1, NULL));
      g_assert_null (strstr (text, "\xef\xbf\xbd"));
      goban_document_save_now (f->document, elsewhere, &error);
      g_assert_no_error (error);
      assert_opens (elsewhere, path);
      g_unlink (path);
    }
}

static void
opened_cb (gboolean is_open, gpointer user_data)
{
  g_assert_true (is_open);
}

/* A crash leaves the names of the graph and of the session's file. */
static void
test_recovery (Fixture *f, gconstpointer data)
{
  g_autofree char *recovery = g_build_filename (f->folder, "recovery", NULL);
  g_autofree char *path = open_as (f, names[0]);
  g_autoptr (GobanSession) other = goban_session_new ();
  g_autoptr (GPtrArray) found = NULL;
  GobanAutosave *autosave;

  g_assert_true (goban_document_save_now (f->document, f->session_path, NULL));
  session_add_policy (f->session, "random", 1);
  autosave = goban_autosave_new (f->document, recovery, 0);
  goban_autosave_close (autosave);
  goban_autosave_free (autosave);
  found = goban_recovery_find (recovery);
  g_assert_cmpuint (found->len, ==, 1);
  g_assert_true (g_utf8_validate (goban_recovery_get_text (found->pdata[0]), -1, NULL));
  goban_document_recover (goban_document_get (other), goban_recovery_get_path (found->pdata[0]),
                          opened_cb, NULL);
  session_wait_for_jobs (other);
  g_assert_cmpstr (goban_session_get_path (other), ==, path);
  g_assert_cmpstr (goban_document_get_path (goban_document_get (other)), ==, f->session_path);
}

/* Messages are for people, lines of the log for Lua, which reads the same bytes. */
static void
test_words (Fixture *f, gconstpointer data)
{
  g_autofree char *quoted = goban_lua_text_quote ("caf\xe9\n\"");
  g_autofree char *utf8 = goban_lua_text_quote ("na\xc3\xafve");

  g_assert_cmpstr (quoted, ==, "\"caf\\233\\010\\\"\"");
  g_assert_cmpstr (utf8, ==, "\"na\xc3\xafve\"");
}

static void
say_cb (GobanSession *session, gboolean is_error, const char *text, guint *n)
{
  g_assert_true (g_utf8_validate (text, -1, NULL));
  (*n)++;
}

static void
test_messages (Fixture *f, gconstpointer data)
{
  guint n = 0;

  g_signal_connect (f->session, "message", G_CALLBACK (say_cb), &n);
  goban_session_open_path (f->session, "/nonexistent/caf\xe9.dot");
  session_wait_for_jobs (f->session);
  g_assert_cmpuint (n, ==, 1);
}

/* The session file with another path in it. */
static void
name_graph (Fixture *f, const char *line)
{
  g_autofree char *text = NULL;
  g_autofree char *before = NULL;
  const char *from, *to;

  g_assert_true (g_file_get_contents (f->session_path, &text, NULL, NULL));
  from = strstr (text, "    \"path");
  to = strchr (from, '\n');
  before = g_strndup (text, (gsize) (from - text));
  g_autofree char *after = g_strconcat (before, "    ", line, to, NULL);
  g_assert_true (g_file_set_contents (f->session_path, after, -1, NULL));
}

static void
assert_refused (Fixture *f, const char *words)
{
  g_autoptr (GobanSession) other = goban_session_new ();
  g_autoptr (GError) error = NULL;

  g_assert_false (goban_document_open_now (goban_document_get (other), f->session_path, &error));
  g_assert_nonnull (error);
  g_assert_nonnull (strstr (error->message, words));
}

/* Whoever made the file chose what it names: a pipe waits for ever, /dev/zero never ends. */
static void
test_only_files (Fixture *f, gconstpointer data)
{
  g_autofree char *path = open_as (f, "toy");
  g_autofree char *pipe = g_build_filename (f->folder, "pipe", NULL);

  g_assert_cmpint (mkfifo (pipe, 0600), ==, 0);
  g_assert_true (goban_document_save_now (f->document, f->session_path, NULL));
  name_graph (f, "\"path\": \"pipe\"");
  assert_refused (f, "pipe is a pipe or a device, but the graph of a session is a file");
  name_graph (f, "\"path\": \"/dev/zero\"");
  assert_refused (f, "/dev/zero is a pipe or a device");
  name_graph (f, "\"path\": \".\"");
  assert_refused (f, "is a folder, but");
  name_graph (f, "\"path\": \"-\"");
  assert_refused (f, "is not at");
}

static void
test_wrong_paths (Fixture *f, gconstpointer data)
{
  g_autofree char *path = open_as (f, "toy");

  g_assert_true (goban_document_save_now (f->document, f->session_path, NULL));
  name_graph (f, "\"path\": \"\"");
  assert_refused (f, "graph.path is “”: the name of a file is needed");
  name_graph (f, "\"path_bytes\": \"a%00b\"");
  assert_refused (f, "graph.path_bytes is “a%00b”: the name of a file is needed");
  name_graph (f, "\"path_bytes\": \"a%F\"");
  assert_refused (f, "graph.path_bytes is “a%F”: the name of a file is needed");
  name_graph (f, "\"path\": \"toy.dot\", \"path_bytes\": \"toy.dot\"");
  assert_refused (f, "only one of path and path_bytes");
  name_graph (f, "\"path_bytes\": \"%74oy.dot\"");
  assert_opens (f->session_path, path);
}

TEST_PROGRAM (session_paths)
{
  memset (longest, 'x', sizeof longest - 1);
  longest[0] = '\xe9';
  g_test_init (&argc, &argv, NULL);
#define ADD(name, test) g_test_add ("/session/paths/" name, Fixture, NULL, set_up, test, tear_down)
  ADD ("names", test_names);
  ADD ("recovery", test_recovery);
  ADD ("words", test_words);
  ADD ("messages", test_messages);
  ADD ("only-files", test_only_files);
  ADD ("wrong-paths", test_wrong_paths);
#undef ADD
  return g_test_run ();
}
