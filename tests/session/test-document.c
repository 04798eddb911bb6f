/* Saving where another program, or another window, has saved meanwhile. */
#include "engine/core/error.h"
#include "engine/session/document/autosave.h"

#include "tests/support/folder.h"
#include "tests/support/sessions.h"
#include "tests/support/test-program.h"

#include <glib/gstdio.h>
#include <string.h>

/* Two programs that have opened the same file. */
typedef struct
{
  TestFolder folder;
  GobanSession *sessions[2];
  GobanDocument *documents[2];
  guint n_conflicts;
} Fixture;

static void
conflict_cb (GobanDocument *document, const char *path, Fixture *f)
{
  g_assert_cmpstr (path, ==, f->folder.path);
  f->n_conflicts++;
}

static void
set_up (Fixture *f, gconstpointer data)
{
  g_autoptr (GobanSession) first = goban_session_new ();
  g_autoptr (GError) error = NULL;

  test_folder_set_up (&f->folder, "a.goban");
  session_open_toy (first);
  g_assert_true (goban_document_save_now (goban_document_get (first), f->folder.path, &error));
  g_assert_no_error (error);
  for (guint i = 0; i < 2; i++)
    {
      f->sessions[i] = goban_session_new ();
      f->documents[i] = goban_document_get (f->sessions[i]);
      g_assert_true (goban_document_open_now (f->documents[i], f->folder.path, &error));
      g_assert_no_error (error);
      g_signal_connect (f->documents[i], "conflict", G_CALLBACK (conflict_cb), f);
    }
}

static void
tear_down (Fixture *f, gconstpointer data)
{
  for (guint i = 0; i < 2; i++)
    g_assert_finalize_object (f->sessions[i]);
  test_folder_tear_down (&f->folder, NULL);
}

static char *
read_file (Fixture *f)
{
  char *text = NULL;

  g_assert_true (g_file_get_contents (f->folder.path, &text, NULL, NULL));
  return text;
}

static void
assert_refused (Fixture *f, guint i)
{
  g_autofree char *before = read_file (f);
  g_autofree char *after = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_false (goban_document_save_now (f->documents[i], f->folder.path, &error));
  g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_CONFLICT);
  g_assert_nonnull (strstr (error->message, "another program has changed the file"));
  after = read_file (f);
  g_assert_cmpstr (after, ==, before);
  g_assert_true (goban_document_is_changed (f->documents[i]));
}

static void
save (Fixture *f, guint i)
{
  g_autoptr (GError) error = NULL;

  goban_document_save_now (f->documents[i], f->folder.path, &error);
  g_assert_no_error (error);
}

static void
count_saved_cb (GobanDocument *document, gboolean is_saved, guint *n)
{
  g_assert_true (is_saved);
  (*n)++;
}

static void
test_second_is_refused (Fixture *f, gconstpointer data)
{
  session_add_policy (f->sessions[0], "random", 1);
  session_add_policy (f->sessions[1], "random", 2);
  save (f, 0);
  session_add_policy (f->sessions[0], "random", 3);
  save (f, 0);
  assert_refused (f, 1);
}

/* As a window saves. */
static void
test_saving_anyway (Fixture *f, gconstpointer data)
{
  guint n_saved = 0;

  session_add_policy (f->sessions[0], "random", 1);
  session_add_policy (f->sessions[1], "random", 2);
  save (f, 0);
  g_signal_connect (f->documents[1], "saved", G_CALLBACK (count_saved_cb), &n_saved);
  goban_document_save (f->documents[1], f->folder.path);
  while (f->n_conflicts == 0)
    g_main_context_iteration (NULL, TRUE);
  g_assert_cmpuint (n_saved, ==, 0);
  g_assert_true (goban_document_is_changed (f->documents[1]));

  goban_document_save_anyway (f->documents[1], f->folder.path);
  while (n_saved == 0)
    g_main_context_iteration (NULL, TRUE);
  g_assert_false (goban_document_is_changed (f->documents[1]));
  g_assert_cmpuint (f->n_conflicts, ==, 1);
  session_add_policy (f->sessions[0], "random", 3);
  assert_refused (f, 0);
  session_add_policy (f->sessions[1], "random", 3);
  save (f, 1);
}

/* The same bytes, or no file at all, are nobody's work. */
static void
test_nothing_is_lost (Fixture *f, gconstpointer data)
{
  g_autofree char *text = read_file (f);

  g_assert_true (g_file_set_contents (f->folder.path, text, -1, NULL));
  session_add_policy (f->sessions[0], "random", 1);
  save (f, 0);
  g_unlink (f->folder.path);
  session_add_policy (f->sessions[0], "random", 2);
  save (f, 0);
  g_assert_true (g_file_test (f->folder.path, G_FILE_TEST_EXISTS));
}

static void
opened_cb (gboolean is_open, gpointer user_data)
{
  g_assert_true (is_open);
}

/* What a crash took knows which file it was made from. */
static void
recover (Fixture *f, guint i)
{
  g_autofree char *folder = g_build_filename (f->folder.folder, "recovery", NULL);
  GobanAutosave *autosave = goban_autosave_new (f->documents[i], folder, 0);
  g_autoptr (GPtrArray) found = NULL;

  session_add_policy (f->sessions[i], "random", 9);
  goban_autosave_close (autosave);
  goban_autosave_free (autosave);
  found = goban_recovery_find (folder);
  g_assert_cmpuint (found->len, ==, 1);
  goban_document_recover (f->documents[i], goban_recovery_get_path (found->pdata[0]), opened_cb,
                          NULL);
  session_wait_for_jobs (f->sessions[i]);
  g_assert_cmpstr (goban_document_get_path (f->documents[i]), ==, f->folder.path);
  g_assert_true (goban_document_is_changed (f->documents[i]));
  goban_recovery_discard (found->pdata[0]);
}

static void
test_recovered (Fixture *f, gconstpointer data)
{
  recover (f, 0);
  save (f, 0);
  recover (f, 1);
  assert_refused (f, 1);
}

TEST_PROGRAM (document)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(name, test)                                                                            \
  g_test_add ("/document/document/" name, Fixture, NULL, set_up, test, tear_down)
  ADD ("second-is-refused", test_second_is_refused);
  ADD ("saving-anyway", test_saving_anyway);
  ADD ("nothing-is-lost", test_nothing_is_lost);
  ADD ("recovered", test_recovered);
#undef ADD
  return g_test_run ();
}
