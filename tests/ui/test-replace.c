/* Every way of opening something asks about changes that are not saved. Needs a display: run by
 * gui-run.sh. */
#include "tests/support/folder.h"
#include "tests/support/sessions.h"
#include "tests/support/shared-data.h"
#include "tests/ui/gui-window.h"

#include "engine/session/document/document.h"
#include "engine/session/session-history.h"
#include "engine/session/session-jobs.h"
#include "tests/support/test-program.h"
#include "ui/dialogs/generate-dialog.h"
#include "ui/panels/notice-bar.h"

#include <string.h>

/* As Goban writes it: without knobs at their defaults. */
#define SPEC "gnmt:layers=3,granularity=coarse"

enum
{
  SAVE,
  DISCARD,
  CANCEL
};

static char *folder;

static GobanNoticeBar *
get_bar (GuiWindow *f)
{
  return GOBAN_NOTICE_BAR (gui_part (f, GOBAN_TYPE_NOTICE_BAR));
}

static void
answer (GuiWindow *f, int choice)
{
  gui_answer (get_bar (f), choice);
}

static gboolean
is_asked (gpointer data)
{
  return gui_get_question (data) != NULL && gui_is_mapped (data);
}

/* A graph is read before the question is asked. */
static void
expect_question (GuiWindow *f, const char *words)
{
  gui_wait (gui_has_no_job, f, "the graph is read");
  gui_wait (is_asked, get_bar (f), "the question is asked");
  if (strstr (gui_get_question (get_bar (f)), words) == NULL)
    g_error ("“%s” is not in “%s”", words, gui_get_question (get_bar (f)));
}

/* A plan fewer than before, which is a change. */
static void
open_and_change (GuiWindow *f)
{
  gui_open_toy (f);
  gui_act (f, "remove-plan", NULL);
  g_assert_true (goban_document_is_changed (goban_document_get (f->session)));
}

/* --- the ways --------------------------------------------------------------------------------- */

static void
open_graph (GuiWindow *f)
{
  g_autofree char *path = project_path ("samples/toy.dot");

  gui_open_path (f, path);
}

static void
open_spec (GuiWindow *f)
{
  gui_open_path (f, SPEC);
}

static void
open_by_action (GuiWindow *f)
{
  g_autofree char *path = project_path ("samples/toy.dot");

  gui_act (f, "open-path", g_variant_new_string (path));
}

static void
open_session (GuiWindow *f)
{
  g_autoptr (GobanSession) other = goban_session_new ();
  g_autofree char *path = g_build_filename (folder, "other.goban", NULL);

  session_open_toy (other);
  g_assert_true (goban_document_save_now (goban_document_get (other), path, NULL));
  gui_open_path (f, path);
}

static void
generate (GuiWindow *f)
{
  GobanGenerateDialog *dialog;

  gui_act (f, "generate", NULL);
  dialog = GOBAN_GENERATE_DIALOG (gui_dialog (f, GOBAN_TYPE_GENERATE_DIALOG));
  gtk_editable_set_text (gui_child (dialog, "entry"), SPEC);
  g_signal_emit_by_name (gui_child (dialog, "generate"), "clicked");
}

static void (*const ways[]) (GuiWindow *f)
    = { open_graph, open_spec, open_by_action, open_session, generate };

/* --- answers ---------------------------------------------------------------------------------- */

static void
test_asks (GuiWindow *f, gconstpointer data)
{
  GobanGraph *graph;
  guint n;

  open_and_change (f);
  graph = goban_session_get_graph (f->session);
  n = g_list_model_get_n_items (goban_session_get_runs (f->session));
  for (gsize i = 0; i < G_N_ELEMENTS (ways); i++)
    {
      ways[i](f);
      expect_question (f, "Save the changes of “toy.dot” before “");
      g_assert_null (goban_session_get_job (f->session));
      answer (f, CANCEL);
      gui_rest ();
      g_assert_null (gui_get_question (get_bar (f)));
      g_assert_null (goban_session_get_job (f->session));
    }
  g_assert_true (goban_session_get_graph (f->session) == graph);
  g_assert_cmpuint (g_list_model_get_n_items (goban_session_get_runs (f->session)), ==, n);
  g_assert_nonnull (goban_session_get_undo_name (f->session));
}

static gboolean
has_another_graph (gpointer data)
{
  GuiWindow *f = data;
  const char *path = goban_session_get_path (f->session);

  return gui_has_settled (f) && path != NULL && g_str_has_prefix (path, "gnmt");
}

typedef struct
{
  GobanJob *job;
  double fraction;
} Going;

static gboolean
has_gone_on (gpointer data)
{
  const Going *going = data;

  return goban_job_get_fraction (going->job) > going->fraction;
}

/* A search goes on while the graph is read, and after the question if the present one is kept. */
static void
test_search_goes_on (GuiWindow *f, gconstpointer data)
{
  static const char *const policies[] = { "anneal", NULL };
  GobanRunOptions options = { .max_seconds = 3600 };
  Going search;

  open_spec (f);
  gui_wait (has_another_graph, f, "the graph is generated");
  gui_act (f, "remove-plan", NULL);
  goban_session_place_with (f->session, policies, &options);
  search.job = goban_session_get_job (f->session);
  open_graph (f);
  open_graph (f);
  gui_wait (is_asked, get_bar (f), "the question is asked");
  answer (f, CANCEL);
  gui_rest ();
  g_assert_null (gui_get_question (get_bar (f)));
  g_assert_true (goban_session_get_job (f->session) == search.job);
  search.fraction = goban_job_get_fraction (search.job);
  gui_wait (has_gone_on, &search, "the search goes on");
  open_graph (f);
  gui_wait (is_asked, get_bar (f), "the question is asked again");
  answer (f, DISCARD);
  gui_wait (gui_has_settled, f, "the other graph is open");
  g_assert_true (g_str_has_suffix (goban_session_get_path (f->session), "toy.dot"));
}

static void
test_discard (GuiWindow *f, gconstpointer data)
{
  open_and_change (f);
  generate (f);
  expect_question (f, SPEC);
  answer (f, DISCARD);
  gui_wait (has_another_graph, f, "the graph is generated");
  g_assert_false (goban_document_is_changed (goban_document_get (f->session)));
  g_assert_null (gui_get_question (get_bar (f)));
}

static void
test_save (GuiWindow *f, gconstpointer data)
{
  g_autofree char *path = g_build_filename (folder, "mine.goban", NULL);
  g_autoptr (GobanSession) other = goban_session_new ();
  guint n;

  gui_open_toy (f);
  g_assert_true (goban_document_save_now (goban_document_get (f->session), path, NULL));
  gui_act (f, "remove-plan", NULL);
  n = g_list_model_get_n_items (goban_session_get_runs (f->session));
  open_spec (f);
  expect_question (f, "“mine.goban”");
  answer (f, SAVE);
  gui_wait (has_another_graph, f, "the graph is generated");
  g_assert_true (goban_document_open_now (goban_document_get (other), path, NULL));
  g_assert_cmpuint (g_list_model_get_n_items (goban_session_get_runs (other)), ==, n);
}

/* What is not changed is not asked about; the last of several commands is the one that counts. */
static void
test_only_what_counts (GuiWindow *f, gconstpointer data)
{
  gui_open_toy (f);
  open_graph (f);
  g_assert_null (gui_get_question (get_bar (f)));
  gui_wait (gui_has_settled, f, "the graph is open again");

  gui_act (f, "remove-plan", NULL);
  open_graph (f);
  open_spec (f);
  expect_question (f, SPEC);
  answer (f, DISCARD);
  g_assert_null (gui_get_question (get_bar (f)));
  gui_wait (has_another_graph, f, "the graph is generated");
}

/* Another program has saved meanwhile: nothing is opened before that is settled. */
static void
test_conflict (GuiWindow *f, gconstpointer data)
{
  g_autofree char *path = g_build_filename (folder, "both.goban", NULL);
  g_autoptr (GobanSession) other = goban_session_new ();
  GobanDocument *document = goban_document_get (f->session);

  gui_open_toy (f);
  g_assert_true (goban_document_save_now (document, path, NULL));
  gui_act (f, "remove-plan", NULL);
  session_open_toy (other);
  g_assert_true (goban_document_save_now (goban_document_get (other), path, NULL));

  open_spec (f);
  expect_question (f, SPEC);
  answer (f, SAVE);
  while (gui_get_question (get_bar (f)) == NULL
         || strstr (gui_get_question (get_bar (f)), "Another program has changed") == NULL)
    g_main_context_iteration (NULL, TRUE);
  g_assert_true (goban_document_is_changed (document));
  g_assert_null (goban_session_get_job (f->session));
  answer (f, 2);
  gui_wait (has_another_graph, f, "the changes are saved, the graph is generated");
  g_assert_true (goban_document_open_now (goban_document_get (other), path, NULL));
  g_assert_cmpuint (g_list_model_get_n_items (goban_session_get_runs (other)), >, 0);
}

static void
nothing_cb (int choice, gpointer user_data)
{
}

/* Who has given a command sees its question, whatever else is asked, and has it under the
 * fingers. */
static void
test_comes_first (GuiWindow *f, gconstpointer data)
{
  static const char *const labels[] = { "Yes", NULL };
  GtkWidget *focus;

  open_and_change (f);
  goban_notice_bar_ask (get_bar (f), &(GobanQuestion){ .key = "other",
                                                       .text = "Something else?",
                                                       .labels = labels,
                                                       .func = nothing_cb });
  open_spec (f);
  expect_question (f, SPEC);
  focus = gtk_window_get_focus (GTK_WINDOW (f->window));
  g_assert_true (GTK_IS_BUTTON (focus));
  g_assert_cmpstr (gtk_button_get_label (GTK_BUTTON (focus)), ==, "Save…");
  answer (f, CANCEL);
  g_assert_cmpstr (gui_get_question (get_bar (f)), ==, "Something else?");
}

TEST_PROGRAM (replace)
{
  int status;

  gtk_test_init (&argc, &argv, NULL);
  gui_window_begin ();
  folder = g_dir_make_tmp ("goban-replace-XXXXXX", NULL);
  gui_window_add ("/ui/replace/asks", test_asks);
  gui_window_add ("/ui/replace/search-goes-on", test_search_goes_on);
  gui_window_add ("/ui/replace/discard", test_discard);
  gui_window_add ("/ui/replace/save", test_save);
  gui_window_add ("/ui/replace/only-what-counts", test_only_what_counts);
  gui_window_add ("/ui/replace/conflict", test_conflict);
  gui_window_add ("/ui/replace/comes-first", test_comes_first);
  status = g_test_run ();
  gui_window_end ();
  remove_folder (folder);
  g_free (folder);
  return status;
}
