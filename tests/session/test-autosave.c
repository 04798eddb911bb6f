/* Documents and recovery: what is unsaved is written down, found again by another, and never by
 * two. */
#include "engine/session/compare-set-looks.h"
#include "engine/session/document/autosave.h"
#include "engine/session/document/opening.h"
#include "engine/session/document/session-file.h"
#include "engine/session/edit.h"
#include "engine/session/session-derived.h"
#include "engine/session/session-graph.h"
#include "engine/session/session-history.h"
#include "engine/session/session-jobs.h"
#include "engine/session/session-log.h"
#include "engine/session/session-marks.h"
#include "engine/session/session-runs.h"
#include "engine/study/run/graph-source.h"

#include "tests/support/folder.h"
#include "tests/support/sessions.h"
#include "tests/support/shared-data.h"
#include "tests/support/test-program.h"
#include "tests/support/toys.h"

#include <string.h>
#include <sys/stat.h>

typedef struct
{
  char *folder;
  GobanSession *session;
  GobanDocument *document;
  GobanAutosave *autosave; /* (nullable) */
} Fixture;

static void
set_up (Fixture *f, gconstpointer data)
{
  f->folder = g_dir_make_tmp ("goban-recovery-XXXXXX", NULL);
  f->session = goban_session_new ();
  f->document = goban_document_get (f->session);
  f->autosave = goban_autosave_new (f->document, f->folder, 1);
  session_open_toy (f->session);
}

static void
tear_down (Fixture *f, gconstpointer data)
{
  g_clear_pointer (&f->autosave, goban_autosave_free);
  g_assert_finalize_object (f->session);
  remove_folder (f->folder);
  g_free (f->folder);
}

static gboolean
has_file (Fixture *f)
{
  const char *path = f->autosave != NULL ? goban_autosave_get_path (f->autosave) : NULL;

  return path != NULL && g_file_test (path, G_FILE_TEST_EXISTS);
}

static void
wait_for_file (Fixture *f, gboolean is_there)
{
  while (has_file (f) != is_there)
    g_main_context_iteration (NULL, TRUE);
}

/* What is written down later than the file was first there. */
static void
wait_for_words (Fixture *f, const char *words)
{
  for (;;)
    {
      g_autofree char *text = NULL;

      if (has_file (f)
          && g_file_get_contents (goban_autosave_get_path (f->autosave), &text, NULL, NULL)
          && strstr (text, words) != NULL)
        return;
      g_main_context_iteration (NULL, TRUE);
    }
}

static void
count_cb (guint *n)
{
  (*n)++;
}

/* What is written down is somebody's work, even where nothing else has been done. */
static void
test_notes (Fixture *f, gconstpointer data)
{
  const GPtrArray *log = goban_session_get_log (f->session);
  g_autoptr (GobanGraph) chain = toy_chain ();
  guint n_told = 0, n_lines;

  g_signal_connect_swapped (f->session, "notify::notes", G_CALLBACK (count_cb), &n_told);
  goban_session_set_notes (f->session, "a “line”\n");
  g_assert_cmpuint (n_told, ==, 1);
  log = goban_session_get_log (f->session); /* has the line's text now */
  g_assert_cmpstr (g_ptr_array_index (log, log->len - 1), ==, "app.notes \"a “line”\\010\"");
  goban_session_set_notes (f->session, "a “line”\n");
  g_assert_cmpuint (n_told, ==, 1);

  /* A draft is the session's too, and becomes a line of the log once. */
  n_lines = log->len;
  goban_session_draft_notes (f->session, "a");
  g_assert_cmpstr (goban_session_get_notes (f->session), ==, "a");
  goban_session_draft_notes (f->session, "a “line”\n");
  g_assert_cmpuint (log->len, ==, n_lines);
  goban_session_set_notes (f->session, "a “line”\n");
  goban_session_set_notes (f->session, "a “line”\n");
  g_assert_cmpuint (log->len, ==, n_lines + 1);
  g_assert_true (goban_document_is_changed (f->document));
  goban_view_set_color (goban_session_get_view (f->session), "cost");
  g_assert_true (goban_document_is_changed (f->document));
  wait_for_file (f, TRUE);

  /* The same graph once more keeps them, another one does not. */
  session_open_toy (f->session);
  g_assert_cmpstr (goban_session_get_notes (f->session), ==, "a “line”\n");
  goban_session_set_graph (f->session, chain, NULL);
  g_assert_cmpstr (goban_session_get_notes (f->session), ==, "");
}

static void
test_changed (Fixture *f, gconstpointer data)
{
  g_autofree char *path = g_build_filename (f->folder, "saved.goban", NULL);
  g_autoptr (GError) error = NULL;

  g_assert_false (goban_document_is_changed (f->document));
  session_add_policy (f->session, "heft", 0);
  g_assert_true (goban_document_is_changed (f->document));
  goban_session_undo (f->session);
  g_assert_false (goban_document_is_changed (f->document));
  goban_session_redo (f->session);
  g_assert_true (goban_document_is_changed (f->document));

  g_assert_true (goban_document_save_now (f->document, path, &error));
  g_assert_false (goban_document_is_changed (f->document));
  g_assert_cmpstr (goban_document_get_path (f->document), ==, path);
  goban_session_undo (f->session);
  g_assert_true (goban_document_is_changed (f->document));
  goban_session_redo (f->session);
  g_assert_false (goban_document_is_changed (f->document));

  /* How it is looked at is no change, another graph another document. */
  goban_view_set_color (goban_session_get_view (f->session), "priority");
  g_assert_false (goban_document_is_changed (f->document));
  session_open_toy (f->session);
  g_assert_null (goban_document_get_path (f->document));
  g_assert_false (goban_document_is_changed (f->document));
}

static void
opened_cb (gboolean is_open, gpointer user_data)
{
  *(gboolean *) user_data = is_open;
}

/* As after a crash: the file is found once the lock is free, and the plans are those of before. */
static void
test_recover (Fixture *f, gconstpointer data)
{
  g_autoptr (GobanSession) other = goban_session_new ();
  GobanDocument *document = goban_document_get (other);
  g_autoptr (GPtrArray) found = NULL;
  g_autoptr (GPtrArray) none = NULL;
  g_autoptr (GPtrArray) twice = NULL;
  g_autoptr (GobanAutosave) autosave = NULL;
  gboolean is_open = FALSE;

  session_add_policy (f->session, "heft", 0);
  session_add_policy (f->session, "single", 0);
  wait_for_file (f, TRUE);
  goban_compare_set_open (goban_session_get_compare_set (f->session));
  goban_compare_set_set_mode (goban_session_get_compare_set (f->session), GOBAN_COMPARE_BLINK);
  wait_for_words (f, "\"mode\": \"blink\"");
  none = goban_recovery_find (f->folder);
  g_assert_cmpuint (none->len, ==, 0);

  g_clear_pointer (&f->autosave, goban_autosave_free);
  found = goban_recovery_find (f->folder);
  g_assert_cmpuint (found->len, ==, 1);
  twice = goban_recovery_find (f->folder);
  g_assert_cmpuint (twice->len, ==, 0);
  g_assert_nonnull (
      strstr (goban_recovery_get_text (found->pdata[0]), "ended unexpectedly; 2 plans of toy.dot"));

  goban_document_recover (document, goban_recovery_get_path (found->pdata[0]), opened_cb, &is_open);
  session_wait_for_jobs (other);
  g_assert_true (is_open);
  g_assert_true (goban_document_is_changed (document));
  g_assert_cmpuint (g_list_model_get_n_items (goban_session_get_runs (other)), ==, 2);
  g_assert_true (
      toy_plans_are_same (goban_run_get_plan (goban_session_get_current_run (other)),
                          goban_run_get_plan (goban_session_get_current_run (f->session))));
  g_assert_true (goban_compare_set_is_open (goban_session_get_compare_set (other)));
  g_assert_cmpuint (goban_compare_set_get_n_runs (goban_session_get_compare_set (other)), ==, 2);
  g_assert_cmpint (goban_compare_set_get_mode (goban_session_get_compare_set (other)), ==,
                   GOBAN_COMPARE_BLINK);

  /* Its file stays until the new owner has no need of it. */
  autosave = goban_autosave_new (document, f->folder, 1);
  goban_autosave_adopt (autosave, g_ptr_array_steal_index (found, 0));
  g_assert_true (g_file_test (goban_autosave_get_path (autosave), G_FILE_TEST_EXISTS));
}

static void
test_saved_goes (Fixture *f, gconstpointer data)
{
  g_autofree char *path = g_build_filename (f->folder, "saved.session", NULL);

  session_add_policy (f->session, "heft", 0);
  wait_for_file (f, TRUE);
  goban_document_save (f->document, path);
  wait_for_file (f, FALSE);
  g_assert_true (g_file_test (path, G_FILE_TEST_EXISTS));
}

static void
test_close (Fixture *f, gconstpointer data)
{
  g_autoptr (GPtrArray) found = NULL;
  g_autoptr (GPtrArray) gone = NULL;

  session_add_policy (f->session, "heft", 0);
  goban_autosave_close (f->autosave);
  found = goban_recovery_find (f->folder);
  g_assert_cmpuint (found->len, ==, 1);
  g_assert_nonnull (strstr (goban_recovery_get_text (found->pdata[0]),
                            "not saved when the window was closed; 1 plan "));
  goban_recovery_discard (found->pdata[0]);
  gone = goban_recovery_find (f->folder);
  g_assert_cmpuint (gone->len, ==, 0);
}

static void
test_clean_close (Fixture *f, gconstpointer data)
{
  g_autoptr (GPtrArray) found = NULL;

  session_add_policy (f->session, "heft", 0);
  wait_for_file (f, TRUE);
  goban_session_undo (f->session);
  goban_autosave_close (f->autosave);
  found = goban_recovery_find (f->folder);
  g_assert_cmpuint (found->len, ==, 0);
}

/* Nobody writes into it, and nobody may wait for that. */
static void
test_pipe_in_folder (Fixture *f, gconstpointer data)
{
  g_autofree char *pipe_path = g_build_filename (f->folder, "pipe" GOBAN_SESSION_SUFFIX, NULL);
  g_autoptr (GPtrArray) found = NULL;

  g_assert_cmpint (mkfifo (pipe_path, 0600), ==, 0);
  found = goban_recovery_find (f->folder);
  g_assert_cmpuint (found->len, ==, 0);
}

/* --- what another graph takes the place of ---------------------------------------------------- */

static void
keep_recovery (GobanRecovery *recovery, gpointer user_data)
{
  g_ptr_array_add (user_data, recovery);
}

/* Of what is replaced from now on. */
static GPtrArray *
collect_replaced (Fixture *f)
{
  GPtrArray *kept = g_ptr_array_new_with_free_func ((GDestroyNotify) goban_recovery_free);

  goban_autosave_set_replaced_func (f->autosave, keep_recovery, kept);
  return kept;
}

static void
open_toy_again (Fixture *f)
{
  session_open_toy (f->session);
}

static void
set_graph (Fixture *f)
{
  g_autoptr (GobanGraph) chain = toy_chain ();

  goban_session_set_graph (f->session, chain, NULL);
}

static void
show_run_of_another_graph (Fixture *f)
{
  g_autoptr (GobanGraph) chain = toy_chain ();
  g_autoptr (GobanCostModel) costs = goban_cost_model_new (
      chain, goban_session_get_cluster (f->session), GOBAN_EXECUTION_EVENTS);
  g_autoptr (GobanPlan) plan = goban_plan_new (
      chain, goban_cluster_get_n_devices (goban_session_get_cluster (f->session)));
  g_autoptr (GobanRun) run = goban_run_new (costs, plan, "of a chain");

  goban_session_add_run (f->session, run);
}

static void
open_path (Fixture *f)
{
  g_autofree char *path = project_path ("samples/toy.dot");

  goban_session_open_path (f->session, path);
  session_wait_for_jobs (f->session);
}

static void
open_session (Fixture *f)
{
  g_autoptr (GobanSession) other = goban_session_new ();
  g_autofree char *path = g_build_filename (f->folder, "other.session", NULL);

  session_open_toy (other);
  g_assert_true (goban_document_save_now (goban_document_get (other), path, NULL));
  goban_document_open (f->document, path, NULL);
  session_wait_for_jobs (f->session);
}

static void
open_session_now (Fixture *f)
{
  g_autoptr (GobanSession) other = goban_session_new ();
  g_autofree char *path = g_build_filename (f->folder, "other.session", NULL);

  session_open_toy (other);
  g_assert_true (goban_document_save_now (goban_document_get (other), path, NULL));
  g_assert_true (goban_document_open_now (f->document, path, NULL));
}

static void (*const ways_of_replacing[]) (Fixture *f) = {
  open_toy_again, set_graph, show_run_of_another_graph, open_path, open_session, open_session_now,
};

static void
wait_for_recoveries (GPtrArray *kept, guint n)
{
  while (kept->len < n)
    g_main_context_iteration (NULL, TRUE);
}

/* Whatever opens a graph leaves the changes that it takes the place of where they can be had
 * back. */
static void
test_replaced (Fixture *f, gconstpointer data)
{
  g_autoptr (GPtrArray) kept = collect_replaced (f);

  for (guint i = 0; i < G_N_ELEMENTS (ways_of_replacing); i++)
    {
      g_autoptr (GobanSession) other = goban_session_new ();
      g_autoptr (GobanPlan) plan = NULL;
      gboolean is_open = FALSE;

      goban_document_discard (f->document);
      session_open_toy (f->session);
      g_ptr_array_set_size (kept, 0);
      session_add_policy (f->session, "random", i);
      plan = goban_plan_ref (goban_run_get_plan (goban_session_get_current_run (f->session)));
      ways_of_replacing[i](f);
      wait_for_recoveries (kept, 1);
      g_assert_nonnull (strstr (goban_recovery_get_text (kept->pdata[0]),
                                "when another graph was opened; 1 plan of toy.dot can be"));
      goban_document_recover (goban_document_get (other), goban_recovery_get_path (kept->pdata[0]),
                              opened_cb, &is_open);
      session_wait_for_jobs (other);
      g_assert_true (is_open);
      g_assert_true (
          toy_plans_are_same (goban_run_get_plan (goban_session_get_current_run (other)), plan));
      goban_recovery_discard (kept->pdata[0]);
    }
}

/* A run of a graph of its own, opened in the place of the present one. */
static void
derive_chain (Fixture *f)
{
  g_autoptr (GobanGraph) chain = toy_chain ();
  g_autoptr (GobanCostModel) costs = goban_cost_model_new (
      chain, goban_session_get_cluster (f->session), GOBAN_EXECUTION_EVENTS);
  g_autoptr (GobanPlan) plan = goban_plan_new (
      chain, goban_cluster_get_n_devices (goban_session_get_cluster (f->session)));
  g_autoptr (GobanRun) run = goban_run_new (costs, plan, "derived");

  goban_session_derive (f->session, run);
}

static guint
count_sessions (Fixture *f)
{
  g_autoptr (GDir) folder = g_dir_open (f->folder, 0, NULL);
  const char *name;
  guint n = 0;

  while ((name = g_dir_read_name (folder)) != NULL)
    n += !g_str_has_suffix (name, ".lock");
  return n;
}

static void
wait_for_sessions (Fixture *f, guint n)
{
  while (count_sessions (f) != n)
    g_main_context_iteration (NULL, FALSE);
}

/* What undo brings back is written down, but not offered; that is over when it is back, or when the
 * session has dropped it. */
static void
test_set_aside (Fixture *f, gconstpointer data)
{
  g_autoptr (GPtrArray) kept = collect_replaced (f);

  session_add_policy (f->session, "random", 1);
  derive_chain (f);
  wait_for_sessions (f, 2);
  g_assert_true (goban_session_return (f->session));
  wait_for_sessions (f, 1);
  g_assert_cmpuint (kept->len, ==, 0);

  /* Back before it is written. */
  derive_chain (f);
  g_assert_true (goban_session_undo (f->session));
  wait_for_sessions (f, 1);
  session_wait_for_jobs (f->session);
  g_assert_cmpuint (kept->len, ==, 0);

  derive_chain (f);
  wait_for_sessions (f, 2);
  set_graph (f); /* drops both */
  wait_for_recoveries (kept, 2);
  for (guint i = 0; i < kept->len; i++)
    goban_recovery_discard (kept->pdata[i]);
}

/* Its file is another one than that of what is open now. */
static void
test_replaced_then_changed (Fixture *f, gconstpointer data)
{
  g_autoptr (GPtrArray) kept = collect_replaced (f);

  session_add_policy (f->session, "random", 1);
  wait_for_file (f, TRUE);
  set_graph (f);
  session_add_policy (f->session, "random", 2);
  wait_for_recoveries (kept, 1);
  wait_for_file (f, TRUE);
  g_assert_cmpstr (goban_recovery_get_path (kept->pdata[0]), !=,
                   goban_autosave_get_path (f->autosave));
}

/* A window that closes at once waits for it, and what closing and replacing keep does not depend on
 * autosave. */
static void
test_replaced_then_closed (Fixture *f, gconstpointer data)
{
  g_autoptr (GPtrArray) found = NULL;

  goban_autosave_set_enabled (f->autosave, FALSE);
  session_add_policy (f->session, "random", 1);
  set_graph (f);
  session_add_policy (f->session, "random", 2);
  goban_autosave_close (f->autosave);
  found = goban_recovery_find (f->folder);
  g_assert_cmpuint (found->len, ==, 2);
}

static void
test_discarded (Fixture *f, gconstpointer data)
{
  g_autoptr (GPtrArray) found = NULL;

  session_add_policy (f->session, "random", 1);
  goban_document_discard (f->document);
  open_session (f);
  g_assert_false (goban_document_is_changed (f->document));
  goban_autosave_close (f->autosave);
  found = goban_recovery_find (f->folder);
  g_assert_cmpuint (found->len, ==, 0);
}

/* Somebody decided against what was there then, and only for the sake of what was to be opened. */
static void
test_discard_ends (Fixture *f, gconstpointer data)
{
  g_autoptr (GPtrArray) kept = collect_replaced (f);

  session_add_policy (f->session, "random", 1);
  goban_document_discard (f->document);
  session_add_policy (f->session, "random", 2);
  set_graph (f);
  wait_for_recoveries (kept, 1);

  session_open_toy (f->session);
  session_add_policy (f->session, "random", 1);
  goban_document_discard (f->document);
  goban_document_open (f->document, "/nonexistent/a.goban", NULL);
  session_wait_for_jobs (f->session);
  while (g_main_context_iteration (NULL, FALSE))
    ;
  set_graph (f);
  wait_for_recoveries (kept, 2);
}

/* Plans that go on with a file that is read again are still not saved. */
static void
test_reloaded (Fixture *f, gconstpointer data)
{
  g_autofree char *path = project_path ("samples/toy.dot");

  open_path (f);
  g_assert_false (goban_document_is_changed (f->document));
  goban_session_open_path (f->session, path);
  session_wait_for_jobs (f->session);
  g_assert_false (goban_document_is_changed (f->document));

  session_add_policy (f->session, "random", 1);
  goban_document_discard (f->document);
  open_path (f);
  g_assert_true (goban_document_is_changed (f->document));
}

/* They may be kept from going on by other work. */
static void
test_reload_interrupted (Fixture *f, gconstpointer data)
{
  g_autofree char *path = project_path ("samples/toy.dot");
  g_autoptr (GPtrArray) kept = collect_replaced (f);
  GobanGraph *graph;

  open_path (f);
  session_add_policy (f->session, "random", 1);
  graph = goban_session_get_graph (f->session);
  goban_document_discard (f->document);
  goban_session_open_path (f->session, path);
  while (goban_session_get_graph (f->session) == graph)
    g_main_context_iteration (NULL, TRUE);
  g_assert_nonnull (goban_session_get_job (f->session));
  goban_session_place (f->session, "single", 0);
  wait_for_recoveries (kept, 1);
  session_wait_for_jobs (f->session);
  g_assert_nonnull (strstr (goban_recovery_get_text (kept->pdata[0]), "6 plans of toy.dot"));
}

static void
missing_cb (GobanDocument *document, const char *path, const char *graph_path, gpointer user_data)
{
  g_string_append (user_data, graph_path);
}

/* Without its graph a session is not opened, what is open stays, and somebody may find the
 * graph. */
static void
test_missing (Fixture *f, gconstpointer data)
{
  g_autofree char *path = g_build_filename (f->folder, "lost.session", NULL);
  g_autofree char *graph = project_path ("samples/toy.dot");
  g_autoptr (GString) missing = g_string_new (NULL);
  g_autoptr (GobanGraph) toy = goban_graph_source_load (graph, NULL, NULL);
  GobanRun *run;

  goban_session_set_graph (f->session, toy, "/nonexistent/a.dot");
  session_add_policy (f->session, "heft", 0);
  g_assert_true (goban_document_save_now (f->document, path, NULL));
  run = goban_session_get_current_run (f->session);
  g_signal_connect (f->document, "graph-missing", G_CALLBACK (missing_cb), missing);
  goban_document_open (f->document, path, NULL);
  session_wait_for_jobs (f->session);
  g_assert_cmpstr (missing->str, ==, "/nonexistent/a.dot");
  g_assert_true (goban_session_get_current_run (f->session) == run);

  goban_document_open (f->document, path, graph);
  session_wait_for_jobs (f->session);
  g_assert_true (goban_session_get_current_run (f->session) != run);
  g_assert_cmpuint (g_list_model_get_n_items (goban_session_get_runs (f->session)), ==, 1);
  g_assert_false (goban_document_is_changed (f->document));
}

static void
add (const char *path, void (*test) (Fixture *f, gconstpointer data))
{
  g_test_add (path, Fixture, NULL, set_up, test, tear_down);
}

TEST_PROGRAM (autosave)
{
  g_test_init (&argc, &argv, NULL);
  add ("/session/document/changed", test_changed);
  add ("/session/document/missing-graph", test_missing);
  add ("/session/document/notes", test_notes);
  add ("/document/autosave/pipe-in-folder", test_pipe_in_folder);
  add ("/document/autosave/recover", test_recover);
  add ("/document/autosave/saved-goes", test_saved_goes);
  add ("/document/autosave/closed-unsaved", test_close);
  add ("/document/autosave/closed-clean", test_clean_close);
  add ("/session/document/discard-ends", test_discard_ends);
  add ("/session/document/reloaded", test_reloaded);
  add ("/session/document/reload-interrupted", test_reload_interrupted);
  add ("/document/autosave/discarded", test_discarded);
  add ("/document/autosave/replaced", test_replaced);
  add ("/document/autosave/set-aside", test_set_aside);
  add ("/document/autosave/replaced-then-changed", test_replaced_then_changed);
  add ("/document/autosave/replaced-then-closed", test_replaced_then_closed);
  return g_test_run ();
}
