/* The menu of policies and what it starts: searches with a budget, which end, stop or fail.
 * Needs a display: run by gui-run.sh. */
#include "tests/ui/gui-window.h"

#include "engine/session/chosen-folders.h"
#include "engine/session/session-log.h"
#include "engine/session/session-runs.h"
#include "engine/study/run/run-origin.h"
#include "engine/study/training/training-list.h"
#include "tests/support/folder.h"
#include "tests/support/test-program.h"
#include "ui/panels/place-menu.h"
#include "ui/panels/status-bar.h"
#include "ui/panels/task-choice.h"
#include "ui/training/film-view.h"
#include "ui/training/networks-dialog.h"
#include "ui/training/training-view.h"

#include <math.h>
#include <string.h>

static GobanPlaceMenu *
open_menu (GuiWindow *f)
{
  GobanPlaceMenu *menu;

  gui_act (f, "choose-policy", NULL);
  menu = GOBAN_PLACE_MENU (gui_part (f, GOBAN_TYPE_PLACE_MENU));
  gui_wait (gui_is_mapped, menu, "the menu is open");
  return menu;
}

static const char *
get_policy (GuiWindow *f)
{
  return goban_plan_get_policy (goban_run_get_plan (goban_session_get_current_run (f->session)));
}

static gboolean
has_log (GuiWindow *f, const char *line)
{
  const GPtrArray *log = goban_session_get_log (f->session);

  for (guint i = 0; i < log->len; i++)
    if (strstr (g_ptr_array_index (log, i), line) != NULL)
      return TRUE;
  return FALSE;
}

static void
test_quick_is_one_click (GuiWindow *f, gconstpointer data)
{
  GobanPlaceMenu *menu;

  gui_open_toy (f);
  menu = open_menu (f);
  goban_place_menu_choose (menu, "round-robin");
  g_assert_false (gtk_widget_get_mapped (GTK_WIDGET (menu)));
  gui_wait (gui_has_settled, f, "the policy has placed");
  g_assert_cmpstr (get_policy (f), ==, "round-robin");
}

static guint
count_shown (GobanPlaceMenu *menu)
{
  GtkWidget *rows = GTK_WIDGET (
      gtk_widget_get_template_child (GTK_WIDGET (menu), GOBAN_TYPE_PLACE_MENU, "rows"));
  guint n = 0;

  for (GtkWidget *row = gtk_widget_get_first_child (rows); row != NULL;
       row = gtk_widget_get_next_sibling (row))
    n += GTK_IS_BUTTON (row) && gtk_widget_get_visible (row);
  return n;
}

/* Opened, the menu has the focus where a name is typed; Enter takes the policy that fits best. */
static void
test_typed_name (GuiWindow *f, gconstpointer data)
{
  GobanPlaceMenu *menu;
  GtkWidget *search;
  guint n_all;

  gui_open_toy (f);
  menu = open_menu (f);
  search = gui_find (GTK_WIDGET (menu), GTK_TYPE_SEARCH_ENTRY);
  g_assert_true (gtk_widget_is_ancestor (gtk_window_get_focus (GTK_WINDOW (f->window)), search));
  g_assert_cmpuint (count_shown (menu), ==, 3);
  gtk_toggle_button_set_active (
      GTK_TOGGLE_BUTTON (gui_find_button (GTK_WIDGET (menu), "All Policies…")), TRUE);
  n_all = count_shown (menu);
  gtk_editable_set_text (GTK_EDITABLE (search), "et");
  g_assert_cmpuint (count_shown (menu), <, n_all);
  g_assert_cmpuint (count_shown (menu), >, 2);
  gtk_editable_set_text (GTK_EDITABLE (search), "nothing");
  g_assert_cmpuint (count_shown (menu), ==, 0);
  g_signal_emit_by_name (search, "activate");
  g_assert_true (gtk_widget_get_mapped (GTK_WIDGET (menu)));

  /* Not m-etf, nor metis. */
  gtk_editable_set_text (GTK_EDITABLE (search), "ETF ");
  g_signal_emit_by_name (search, "activate");
  gui_wait (gui_has_settled, f, "the graph is placed");
  g_assert_cmpstr (get_policy (f), ==, "etf");
  gui_wait (gui_is_unmapped, menu, "the menu is closed");
  menu = open_menu (f);
  g_assert_cmpuint (count_shown (menu), ==, 3);
  gtk_popover_popdown (GTK_POPOVER (menu));
  gui_wait (gui_is_unmapped, menu, "the menu is closed");
}

static void
check_size (GobanPlaceMenu *menu)
{
  GtkWidget *widget = GTK_WIDGET (menu);

  gui_draw (widget);
  g_test_message ("%d x %d", gtk_widget_get_width (widget), gtk_widget_get_height (widget));
  g_assert_cmpint (gtk_widget_get_width (widget), <=, 400);
  g_assert_cmpint (gtk_widget_get_height (widget), <=, 440);
}

/* The menu is 372 wide and at most 440 high, whatever it shows; three policies to start with have
 * their durations. */
static void
test_size (GuiWindow *f, gconstpointer data)
{
  gsize n;
  g_autofree GobanPolicyInfo *policies = goban_policies (&n);
  GobanPlaceMenu *menu;
  GtkWidget *all;

  gui_open_toy (f);
  menu = open_menu (f);
  check_size (menu);
  all = gui_find_button (GTK_WIDGET (menu), "All Policies…");
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (all), TRUE);
  check_size (menu);
  for (gsize i = 0; i < n; i++)
    if (!g_str_equal (policies[i].effort, "quick"))
      {
        goban_place_menu_choose (menu, policies[i].name);
        gtk_expander_set_expanded (GTK_EXPANDER (gtk_widget_get_template_child (
                                       GTK_WIDGET (menu), GOBAN_TYPE_PLACE_MENU, "more")),
                                   TRUE);
        check_size (menu);
      }
  gtk_popover_popdown (GTK_POPOVER (menu));
  gui_wait (gui_is_unmapped, menu, "the menu is closed");
}

static void
set_budget (GobanPlaceMenu *menu, double evaluations, double seconds, double seed)
{
  gtk_spin_button_set_value (gui_child (menu, "evaluations"), evaluations);
  gtk_spin_button_set_value (gui_child (menu, "seconds"), seconds);
  gtk_spin_button_set_value (gui_child (menu, "seed"), seed);
}

static void
assert_budget (GobanPlaceMenu *menu, double evaluations, double seconds, double seed)
{
  g_assert_cmpfloat (gtk_spin_button_get_value (gui_child (menu, "evaluations")), ==, evaluations);
  g_assert_cmpfloat (gtk_spin_button_get_value (gui_child (menu, "seconds")), ==, seconds);
  g_assert_cmpfloat (gtk_spin_button_get_value (gui_child (menu, "seed")), ==, seed);
}

static void
test_search_with_a_budget (GuiWindow *f, gconstpointer data)
{
  GobanPlaceMenu *menu;
  GobanPolicyInfo info;

  gui_open_toy (f);
  menu = open_menu (f);
  goban_place_menu_choose (menu, "anneal");
  g_assert_null (goban_session_get_job (f->session));
  g_assert_true (goban_policy_find ("anneal", &info, NULL));
  assert_budget (menu, (double) info.default_evaluations, 0, 0);

  set_budget (menu, 50, 0, 7);
  g_signal_emit_by_name (gui_child (menu, "start"), "clicked");
  gui_wait (gui_has_settled, f, "the search has ended");
  g_assert_cmpstr (get_policy (f), ==, "anneal");
  g_assert_cmpuint (goban_run_get_origin (goban_session_get_current_run (f->session))->evaluations,
                    <=, 51);
  g_assert_true (has_log (f, "plan.anneal(g, { seed = 7, evals = 50 })"));

  /* The next one proposes the same budget and another seed. */
  goban_place_menu_choose (open_menu (f), "anneal");
  assert_budget (menu, 50, 0, 1);
  gtk_popover_popdown (GTK_POPOVER (menu));
  gui_wait (gui_is_unmapped, menu, "the menu is closed");
}

static void
test_without_a_limit_nothing_starts (GuiWindow *f, gconstpointer data)
{
  GobanPlaceMenu *menu;

  gui_open_toy (f);
  menu = open_menu (f);
  goban_place_menu_choose (menu, "anneal");
  set_budget (menu, 0, 0, 0);
  g_signal_emit_by_name (gui_child (menu, "start"), "clicked");
  g_assert_true (gtk_widget_get_mapped (GTK_WIDGET (menu)));
  g_assert_null (goban_session_get_job (f->session));
  set_budget (menu, 0, 0, 1);
  set_budget (menu, 0, 1, 1);
  gtk_popover_popdown (GTK_POPOVER (menu));
  gui_wait (gui_is_unmapped, menu, "the menu is closed");
}

static gpointer
networks_of (gpointer dialog)
{
  return gtk_column_view_get_model (gui_child (dialog, "view"));
}

static gboolean
has_networks (gpointer data)
{
  return g_list_model_get_n_items (networks_of (data)) > 0;
}

/* A network chosen in the list of networks is what the menu's policies use, and its line is Lua. */
static void
test_chosen_network (GuiWindow *f, gconstpointer data)
{
  GobanNetworksDialog *dialog;
  g_autofree char *name = NULL;
  g_autofree char *parameters = NULL;
  const char *file;

  gui_open_toy (f);
  gui_act (f, "networks", NULL);
  dialog = GOBAN_NETWORKS_DIALOG (gui_dialog (f, GOBAN_TYPE_NETWORKS_DIALOG));
  gui_wait (gui_is_mapped, dialog, "the list of networks");
  gui_wait (has_networks, dialog, "the networks are read");
  gtk_single_selection_set_selected (GTK_SINGLE_SELECTION (networks_of (dialog)), 0);
  goban_networks_dialog_use (dialog);
  name = goban_networks_dialog_dup_text (dialog, 0, 0);
  g_assert_cmpstr (name, ==, "builder (in use)");
  parameters = goban_networks_dialog_dup_text (dialog, 6, 0);
  g_assert_true (g_str_has_prefix (parameters, "32") && g_str_has_suffix (parameters, "025"));
  file = goban_chosen_networks_get (f->session, "go-zeroshot");
  g_assert_true (g_str_has_suffix (file, "builder.net"));
  g_assert_cmpstr (goban_chosen_networks_get (f->session, "go-finetune"), ==, file);
  g_assert_true (g_str_has_prefix (gui_last_line (f), "app.use_network \""));
  gui_draw (GTK_WIDGET (dialog));
  gtk_window_destroy (GTK_WINDOW (dialog));
  gui_act (f, "place-with",
           g_variant_new ("(sttds)", "go-zeroshot", (guint64) 0, (guint64) 1, 0.0, ""));
  gui_wait (gui_has_settled, f, "the policy has placed");
  g_assert_cmpstr (get_policy (f), ==, "go-zeroshot");
  g_assert_true (has_log (f, "plan.go_zeroshot(g, { evals = 1, network = \""));
}

static gboolean
has_film (gpointer data)
{
  GobanTrainingView *view = GOBAN_TRAINING_VIEW (gui_part (data, GOBAN_TYPE_TRAINING_VIEW));
  const GArray *pictures = goban_film_maker_get_pictures (goban_training_view_get_film (view));
  guint n = 0;

  for (guint i = 0; i < pictures->len; i++)
    n += isfinite (g_array_index (pictures, GobanFilmPicture, i).makespan_us);
  return n == 4;
}

static void
move_over (GtkWidget *widget)
{
  g_autoptr (GListModel) all = gtk_widget_observe_controllers (widget);

  for (guint i = 0; i < g_list_model_get_n_items (all); i++)
    {
      g_autoptr (GtkEventController) controller = g_list_model_get_item (all, i);

      if (!GTK_IS_EVENT_CONTROLLER_MOTION (controller))
        continue;
      g_signal_emit_by_name (controller, "motion", 5.0, 5.0);
      g_signal_emit_by_name (controller, "leave");
    }
}

/* A training's pane has a film of the open graph's plans: played, one is shown; kept, it is in the
 * list, with its line. */
static void
test_film_of_a_training (GuiWindow *f, gconstpointer data)
{
  g_autofree char *folder = g_dir_make_tmp ("goban-film-XXXXXX", NULL);
  g_autofree char *output = g_build_filename (folder, "a.net", NULL);
  GobanTrainingOptions options = goban_training_options_new ("builder");
  g_autoptr (GobanTrainingJob) training = NULL;
  g_autofree char *exported = NULL;
  g_autofree char *quoted = NULL;
  GobanFilmView *film;
  GobanRun *run;
  guint n_runs;
  g_autoptr (GError) error = NULL;

  gui_open_toy (f);
  options.output = output;
  options.settings = "lessons=2,problems=1,rollouts=2,validation=1,labels=2,imitations=1";
  options.n_steps = 3;
  training = goban_training_job_start (&options, &error);
  g_assert_no_error (error);
  goban_training_list_add (G_OBJECT (f->session), training);
  gui_act (f, "workspace", g_variant_new_string ("train"));
  gui_wait (has_film, f, "plans of updates 0 to 3");
  film = GOBAN_FILM_VIEW (gui_part (f, GOBAN_TYPE_FILM_VIEW));
  gui_wait (gui_is_mapped, film, "the film");
  gui_draw (GTK_WIDGET (film));
  move_over (GTK_WIDGET (film));
  n_runs = g_list_model_get_n_items (goban_session_get_runs (f->session));
  GOBAN_PICTURE_GET_CLASS (film)->drag_begin (GOBAN_PICTURE (film), (GobanPoint){ 90, 30 },
                                              (GobanPoint){ 80, 30 }, 0);
  run = goban_session_get_current_run (f->session);
  g_assert_cmpstr (goban_run_get_name (run), ==, "a.net, update 1");
  GOBAN_PICTURE_GET_CLASS (film)->drag_update (GOBAN_PICTURE (film), (GobanPoint){ 10, 30 });
  run = goban_session_get_current_run (f->session);
  g_assert_cmpstr (goban_run_get_name (run), ==, "a.net, update 0");
  g_assert_cmpuint (g_list_model_get_n_items (goban_session_get_runs (f->session)), ==, n_runs);
  gui_draw (GTK_WIDGET (film));
  goban_picture_click (GOBAN_PICTURE (film),
                       (GobanPoint){ goban_picture_get_width (GOBAN_PICTURE (film)) - 2, 30 }, 1,
                       0); /* beyond the last one */
  g_assert_cmpuint (g_list_model_get_n_items (goban_session_get_runs (f->session)), ==, n_runs + 1);
  goban_film_view_play (film, 3, TRUE); /* which is there already */
  g_assert_cmpuint (g_list_model_get_n_items (goban_session_get_runs (f->session)), ==, n_runs + 1);
  g_assert_true (has_log (f, "view.show(sim.run(plan.go_zeroshot(g, { evals = 1, network = "));
  g_assert_true (has_log (f, "a.net.film/00000003.net\" }), { name = \"a.net, update 3\" }))"));
  gui_draw (GTK_WIDGET (film));
  gui_wait_undo (f, "add a.net, update 3");

  /* As a file, by the line that the log has. */
  exported = g_build_filename (folder, "film.apng", NULL);
  quoted = g_strdup_printf ("view.film(\"%s\", { training = \"%s\"", exported, output);
  goban_window_export_training_film (f->window, exported);
  gui_wait_notice (f, "Saved film.apng");
  g_assert_true (g_file_test (exported, G_FILE_TEST_IS_REGULAR));
  g_assert_true (has_log (f, quoted));
  g_assert_nonnull (gui_find_button (gui_part (f, GOBAN_TYPE_TRAINING_VIEW), "Film…"));
  gui_draw (gui_part (f, GOBAN_TYPE_TRAINING_VIEW));
  remove_folder (folder);
}

/* The graph is wide enough for no plan to reach its bound. */
static void
open_rnnlm (GuiWindow *f)
{
  GFile *file = g_file_new_for_path ("rnnlm:layers=2,steps=3");

  goban_window_open_file (f->window, file);
  g_object_unref (file);
  gui_wait (gui_has_settled, f, "the graph is generated and placed");
}

typedef struct
{
  GuiWindow *f;
  guint number; /* of those that learn on a graph, from 1 */
} Learning;

/* Also of the words: they are set a moment after the points. */
static gboolean
has_curves (gpointer data)
{
  const Learning *learning = data;
  GobanTrainingView *view = GOBAN_TRAINING_VIEW (gui_part (learning->f, GOBAN_TYPE_TRAINING_VIEW));
  GobanTrainingJob *training = goban_training_view_get_training (view);

  return gtk_widget_get_mapped (GTK_WIDGET (view)) && training != NULL
         && goban_training_job_get_number_on_graph (training) == learning->number
         && goban_training_charts_get_n_points (goban_training_view_get_charts (view)) >= 2
         && strstr (gui_child_text (view, "text"), " updates on the graph") != NULL;
}

static gboolean
has_learned (gpointer data)
{
  GobanTrainingView *view = GOBAN_TRAINING_VIEW (gui_part (data, GOBAN_TYPE_TRAINING_VIEW));

  return g_str_has_prefix (gui_child_text (view, "text"), "Learned on the graph in ");
}

/* A policy that learns on the open graph is in the workspace of trainings, with its curves while it
 * learns. It has no network to place with; ended by the pane's button, it has its best plan. */
static void
check_learning (GuiWindow *f, const char *policy, guint number)
{
  GobanTrainingView *view;
  GobanTrainingJob *training;
  guint n_runs = g_list_model_get_n_items (goban_session_get_runs (f->session));
  Learning learning = { f, number };

  gui_act (f, "place-with",
           g_variant_new ("(sttds)", policy, (guint64) 0, (guint64) 0, 3600.0, ""));
  gui_act (f, "workspace", g_variant_new_string ("train"));
  gui_wait (has_curves, &learning, "curves while it learns");
  view = GOBAN_TRAINING_VIEW (gui_part (f, GOBAN_TYPE_TRAINING_VIEW));
  training = goban_training_view_get_training (view);
  g_assert_cmpstr (goban_training_job_get_network (training), ==, policy);
  g_assert_null (goban_training_job_get_output (training));
  g_assert_false (gtk_widget_get_visible (gui_find_button (GTK_WIDGET (view), "Place with it")));
  goban_training_view_pause (view, TRUE);
  g_assert_cmpint (goban_training_job_get_state (training), ==, GOBAN_TRAINING_PAUSED);
  goban_training_view_pause (view, FALSE);
  goban_training_view_stop (view);
  gui_wait (gui_has_no_job, f, "the search has ended");
  gui_wait (has_learned, f, "the end in words");
  g_assert_cmpint (goban_training_job_get_state (training), ==, GOBAN_TRAINING_FINISHED);
  g_assert_cmpuint (g_list_model_get_n_items (goban_session_get_runs (f->session)), ==, n_runs + 1);
  g_assert_cmpstr (get_policy (f), ==, policy);
  gui_draw (GTK_WIDGET (view));
}

/* Fine-tuning has the series of any policy that learns from plans that it draws. */
static void
check_fine_tuning (GuiWindow *f)
{
  GobanTrainingView *view = GOBAN_TRAINING_VIEW (gui_part (f, GOBAN_TYPE_TRAINING_VIEW));
  g_autofree char *text = goban_training_charts_describe (goban_training_view_get_charts (view));

  g_assert_nonnull (strstr (text, "Best sample "));
  g_assert_nonnull (strstr (text, "Entropy "));
  g_assert_nonnull (strstr (text, "Reward"));
}

static void
test_learning_on_the_graph (GuiWindow *f, gconstpointer data)
{
  static const char *const policies[] = { "go-oneshot", "hdp", "placeto", "post", "go-finetune" };

  open_rnnlm (f);
  gui_act (f, "place-with", g_variant_new ("(sttds)", "heft", (guint64) 0, (guint64) 0, 0.0, ""));
  gui_wait (gui_has_settled, f, "a policy that does not learn");
  g_assert_cmpuint (g_list_model_get_n_items (goban_training_list_of (G_OBJECT (f->session))), ==,
                    0);
  for (guint i = 0; i < G_N_ELEMENTS (policies); i++)
    check_learning (f, policies[i], i + 1);
  check_fine_tuning (f); /* of the last one */
}

static gboolean
tells_of_simulations (gpointer data)
{
  GobanStatusBar *status = GOBAN_STATUS_BAR (gui_part (data, GOBAN_TYPE_STATUS_BAR));

  return strstr (gui_child_text (status, "title"), "simulations") != NULL;
}

static void
test_long_search_is_told_and_stopped (GuiWindow *f, gconstpointer data)
{
  GobanRun *shown;
  guint n_runs;

  open_rnnlm (f);
  shown = goban_session_get_current_run (f->session);
  n_runs = g_list_model_get_n_items (goban_session_get_runs (f->session));
  gui_act (f, "place-with",
           g_variant_new ("(sttds)", "anneal", (guint64) 0, (guint64) 0, 3600.0, ""));
  gui_wait (tells_of_simulations, f, "the status line tells how far the search is");

  /* Meanwhile the window is as it was. */
  g_assert_true (goban_session_get_current_run (f->session) == shown);
  gui_act (f, "next-plan", NULL);
  g_assert_true (goban_session_get_current_run (f->session) != shown);

  /* Once: it ends with the best plan it has. */
  gui_act (f, "stop", NULL);
  gui_wait (gui_has_no_job, f, "the search has ended");
  g_assert_cmpuint (g_list_model_get_n_items (goban_session_get_runs (f->session)), ==, n_runs + 1);
  g_assert_cmpstr (get_policy (f), ==, "anneal");
  g_assert_true (has_log (f, "plan.anneal(g, { seconds = 3600 }))) -- ended early"));

  /* Twice: it is given up. */
  gui_act (f, "place-with",
           g_variant_new ("(sttds)", "anneal", (guint64) 1, (guint64) 0, 3600.0, ""));
  gui_act (f, "stop", NULL);
  gui_act (f, "stop", NULL);
  gui_wait (gui_has_no_job, f, "the search has stopped");
  g_assert_cmpuint (g_list_model_get_n_items (goban_session_get_runs (f->session)), ==, n_runs + 1);
  g_assert_true (gui_has_notice (f, "Stopped on request"));
}

static void
test_another_search_is_told_of (GuiWindow *f, gconstpointer data)
{
  open_rnnlm (f);
  gui_act (f, "place-with",
           g_variant_new ("(sttds)", "anneal", (guint64) 0, (guint64) 0, 3600.0, ""));
  gui_act (f, "place", g_variant_new_string ("expert"));
  /* At once, for such a notice goes by itself. */
  g_assert_true (gui_has_notice (f, "anneal was cancelled"));
  gui_wait (gui_has_settled, f, "the second policy has placed");
  g_assert_cmpstr (get_policy (f), ==, "expert");
}

static void
take_tasks_cb (GSimpleAction *action, GVariant *parameter, char **tasks)
{
  g_variant_get_child (parameter, 4, "s", tasks);
}

static void
test_tasks (GuiWindow *f, gconstpointer data)
{
  GobanPlaceMenu *menu;
  GobanTaskChoice *choice;
  gsize n;
  g_autofree GobanPolicyInfo *policies = goban_policies (&n);
  g_autoptr (GSimpleActionGroup) actions = g_simple_action_group_new ();
  g_autoptr (GSimpleAction) place = g_simple_action_new ("place-with", G_VARIANT_TYPE ("(sttds)"));
  g_autofree char *tasks = NULL;

  gui_open_toy (f);
  menu = open_menu (f);
  gtk_popover_popdown (GTK_POPOVER (menu));
  gui_wait (gui_is_unmapped, menu, "the menu is closed");
  choice = gui_child (menu, "tasks");
  g_assert_cmpuint (goban_task_choice_get (choice), ==, GOBAN_TASKS_DEFAULT);
  goban_task_choice_set (choice, 1u << GOBAN_TASK_FUSION);
  g_assert_cmpuint (goban_task_choice_get (choice), ==, 1u << GOBAN_TASK_FUSION);
  goban_task_choice_set (choice, GOBAN_TASKS_ALL);
  g_assert_cmpuint (goban_task_choice_get (choice), ==, GOBAN_TASKS_ALL);

  /* Who is made for one thing is not asked for another. Nothing is placed here. */
  g_action_map_add_action (G_ACTION_MAP (actions), G_ACTION (place));
  g_signal_connect (place, "activate", G_CALLBACK (take_tasks_cb), &tasks);
  gtk_widget_insert_action_group (GTK_WIDGET (menu), "win", G_ACTION_GROUP (actions));
  for (gsize i = 0; i < n; i++)
    if (!g_str_equal (policies[i].effort, "quick"))
      {
        g_autofree char *expected = NULL;

        menu = open_menu (f);
        goban_task_choice_set (choice, GOBAN_TASKS_ALL);
        goban_place_menu_choose (menu, policies[i].name);
        g_assert_true (gtk_widget_get_visible (GTK_WIDGET (choice)) == policies[i].has_tasks);
        set_budget (menu, 1, 0, 0);
        g_signal_emit_by_name (gui_child (menu, "start"), "clicked");
        gui_wait (gui_is_unmapped, menu, "the menu is closed");
        expected
            = goban_tasks_to_text (policies[i].has_tasks ? GOBAN_TASKS_ALL : GOBAN_TASKS_DEFAULT);
        g_assert_cmpstr (tasks, ==, expected);
        g_clear_pointer (&tasks, g_free);
      }
  gtk_widget_insert_action_group (GTK_WIDGET (menu), "win", NULL);

  gui_act (f, "place-with",
           g_variant_new ("(sttds)", "heft", (guint64) 2, (guint64) 0, 0.0, "placement,fusion"));
  gui_wait (gui_has_settled, f, "the policy has placed");
  g_assert_true (has_log (f, "plan.heft(g, { seed = 2, tasks = \"fusion,placement\" })"));
  gui_act (f, "place-with",
           g_variant_new ("(sttds)", "heft", (guint64) 2, (guint64) 0, 0.0, "placing"));
  gui_wait_notice (f, "placing");
}

static void
test_failing_policy_is_told_of (GuiWindow *f, gconstpointer data)
{
  guint n_runs;

  gui_open_toy (f);
  n_runs = g_list_model_get_n_items (goban_session_get_runs (f->session));
  gui_act (f, "place-with",
           g_variant_new ("(sttds)", "alphago", (guint64) 0, (guint64) 5, 0.0, ""));
  gui_wait_notice (f, "alphago");
  g_assert_cmpuint (g_list_model_get_n_items (goban_session_get_runs (f->session)), ==, n_runs);
  gui_act (f, "place", g_variant_new_string ("round-robin"));
  gui_wait (gui_has_settled, f, "the window goes on");
  g_assert_cmpstr (get_policy (f), ==, "round-robin");
}

static void
test_all_quick (GuiWindow *f, gconstpointer data)
{
  GListModel *runs;
  gsize n, n_quick = 0;
  g_autofree GobanPolicyInfo *policies = goban_policies (&n);
  guint n_runs;

  gui_open_toy (f);
  runs = goban_session_get_runs (f->session);
  gui_act (f, "place-quick", NULL);
  gui_wait (gui_has_settled, f, "all quick policies have placed");
  for (gsize i = 0; i < n; i++)
    n_quick += g_str_equal (policies[i].effort, "quick");
  n_runs = g_list_model_get_n_items (runs);
  g_assert_cmpuint (n_runs, ==, n_quick);

  /* A second time there is nothing to do. */
  gui_act (f, "place-quick", NULL);
  g_assert_null (goban_session_get_job (f->session));
  g_assert_cmpuint (g_list_model_get_n_items (runs), ==, n_runs);
}

TEST_PROGRAM (place_menu)
{
  int status;

  gtk_test_init (&argc, &argv, NULL);
  gui_window_begin ();
  gui_window_add ("/place-menu/chosen-network", test_chosen_network);
  gui_window_add ("/place-menu/film-of-a-training", test_film_of_a_training);
  gui_window_add ("/place-menu/quick-is-one-click", test_quick_is_one_click);
  gui_window_add ("/place-menu/typed-name", test_typed_name);
  gui_window_add ("/place-menu/size", test_size);
  gui_window_add ("/place-menu/search-with-a-budget", test_search_with_a_budget);
  gui_window_add ("/place-menu/without-a-limit-nothing-starts",
                  test_without_a_limit_nothing_starts);
  gui_window_add ("/place-menu/long-search-is-told-and-stopped",
                  test_long_search_is_told_and_stopped);
  gui_window_add ("/place-menu/another-search-is-told-of", test_another_search_is_told_of);
  gui_window_add ("/place-menu/learning-on-the-graph", test_learning_on_the_graph);
  gui_window_add ("/place-menu/tasks", test_tasks);
  gui_window_add ("/place-menu/failing-policy-is-told-of", test_failing_policy_is_told_of);
  gui_window_add ("/place-menu/all-quick", test_all_quick);
  status = g_test_run ();
  gui_window_end ();
  return status;
}
