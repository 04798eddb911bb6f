/* Every lesson and challenge is taken in the window, from the start page to its end, by its
 * buttons and keys. */
#include "tests/support/folder.h"
#include "tests/support/rounds.h"
#include "tests/support/shared-data.h"
#include "tests/ui/gui-keys.h"

#include "app/lua/lua-console.h"
#include "engine/session/document/document.h"
#include "engine/session/session-history.h"
#include "engine/session/teaching/glossary.h"
#include "engine/session/teaching/lesson-state.h"
#include "engine/session/teaching/lesson.h"
#include "engine/study/training/training-list.h"
#include "tests/support/test-program.h"
#include "ui/compare/compare-panels.h"
#include "ui/draw/reports/share.h"
#include "ui/lessons/glossary-window.h"
#include "ui/lessons/lesson-pane.h"
#include "ui/lessons/lesson-ring.h"
#include "ui/panels/notice-bar.h"
#include "ui/panels/start-page.h"
#include "ui/training/training-view.h"
#include "ui/widgets/actions.h"

#include <string.h>

typedef struct
{
  GuiWindow *window;
  GobanLessonPane *pane;
  GobanLessonState *state;
} Class;

static GobanConsoleEvaluator *
new_evaluator (GobanSession *session)
{
  return GOBAN_CONSOLE_EVALUATOR (goban_lua_console_new (session));
}

static Class
begin (GuiWindow *f)
{
  Class self = { .window = f };

  goban_window_set_lesson_evaluator (f->window, new_evaluator);
  self.pane = GOBAN_LESSON_PANE (gui_part (f, GOBAN_TYPE_LESSON_PANE));
  self.state = goban_lesson_state_of (G_OBJECT (f->session));
  return self;
}

/* The first mapped control of @root with this action, and this target if it is not negative. */
static GtkWidget *
find_control (GtkWidget *root, const char *action, const char *target)
{
  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    {
      GtkWidget *found;

      if (GTK_IS_ACTIONABLE (child)
          && g_strcmp0 (gtk_actionable_get_action_name (GTK_ACTIONABLE (child)), action) == 0)
        {
          GVariant *own = gtk_actionable_get_action_target_value (GTK_ACTIONABLE (child));
          g_autofree char *text = own != NULL ? g_variant_print (own, FALSE) : g_strdup ("");

          if (target == NULL || g_str_equal (text, target))
            return child;
        }
      found = find_control (child, action, target);
      if (found != NULL)
        return found;
    }
  return NULL;
}

static gboolean
is_idle (gpointer data)
{
  Class *self = data;

  return goban_lesson_pane_is_idle (self->pane) && gui_has_no_job (self->window);
}

/* GTK shows a button as pressed for a while before it says so when it is activated by a key. */
static void
use (GtkWidget *control)
{
  if (GTK_IS_BUTTON (control))
    g_signal_emit_by_name (control, "clicked");
  else
    g_assert_true (gtk_widget_activate (control));
}

static void
press (Class *self, const char *action, const char *target)
{
  GtkWidget *control = find_control (GTK_WIDGET (self->pane), action, target);

  if (control == NULL)
    g_error ("there is no control for %s %s", action, target != NULL ? target : "");
  use (control);
  gui_wait (is_idle, self, "the lesson's code has run");
}

/* The text of a visible label with this style class. */
static const char *
find_text (GtkWidget *root, const char *css)
{
  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    {
      const char *text = GTK_IS_LABEL (child) && gtk_widget_has_css_class (child, css)
                                 && gtk_widget_get_visible (child)
                             ? gtk_label_get_text (GTK_LABEL (child))
                             : find_text (child, css);

      if (text != NULL)
        return text;
    }
  return NULL;
}

static const char *
text_of (Class *self, const char *css)
{
  return find_text (GTK_WIDGET (self->pane), css);
}

/* --- steps ----------------------------------------------------------------------------------- */

static void
answer (Class *self, const GobanLessonStep *step)
{
  guint n = g_strv_length (step->answers);
  g_autofree char *wrong = g_strdup_printf ("%u", (step->right + 1) % n);
  g_autofree char *right = g_strdup_printf ("%u", step->right);

  g_assert_null (text_of (self, "lesson-verdict"));
  press (self, "win.lesson-answer", wrong);
  g_assert_true (g_str_has_prefix (text_of (self, "lesson-verdict"), "Not quite"));
  press (self, "win.lesson-answer", right);
  g_assert_true (g_str_has_prefix (text_of (self, "lesson-verdict"), "✓ That is right."));
  g_assert_null (strstr (text_of (self, "lesson-verdict"), "](")); /* links are links there, too */
}

static void
solve (Class *self)
{
  g_assert_null (text_of (self, "lesson-verdict"));
  press (self, "win.lesson-check", NULL);
  g_assert_nonnull (text_of (self, "lesson-verdict"));
  g_assert_cmpint (goban_lesson_state_get_done (self->state)->verdict, ==, GOBAN_VERDICT_NOT_YET);
  press (self, "win.lesson-hint", NULL);
  g_assert_nonnull (text_of (self, "lesson-hint"));
  press (self, "win.lesson-solve", NULL);
  g_assert_cmpstr (text_of (self, "lesson-verdict"), ==, "✓ Done");
}

static void
challenge (Class *self)
{
  g_assert_nonnull (strstr (text_of (self, "lesson-verdict"), " points"));
  g_assert_null (strstr (text_of (self, "lesson-verdict"), "go-zeroshot"));
  press (self, "win.lesson-solve", NULL);
  g_assert_nonnull (strstr (text_of (self, "lesson-verdict"), "go-zeroshot"));
}

static void
take_step (Class *self)
{
  const GobanLessonStep *step = goban_lesson_state_get_content (self->state);

  g_assert_cmpstr (text_of (self, "lesson-step"), ==, step->title);
  if (step->answers[0] != NULL)
    answer (self, step);
  else if (step->check != NULL)
    solve (self);
  else if (step->rivals != NULL)
    challenge (self);
  else
    return;
  g_assert_true (
      step->rivals != NULL
      || goban_lesson_state_is_done (self->state, goban_lesson_state_get_step (self->state)));
}

/* Of the lesson that is open, to its end. */
static void
take_steps (Class *self, const GobanLesson *lesson)
{
  g_autofree char *target = g_strdup_printf ("'%s'", lesson->name);
  GtkWidget *button, *title;

  g_assert_true (gtk_widget_get_mapped (GTK_WIDGET (self->pane)));
  g_assert_cmpstr (text_of (self, "lesson-title"), !=, NULL);
  for (guint i = 0; i < lesson->steps->len; i++)
    {
      g_assert_cmpuint (goban_lesson_state_get_step (self->state), ==, i);
      take_step (self);
      if (i + 1 < lesson->steps->len)
        press (self, "win.lesson-next", NULL);
    }
  press (self, "win.lesson-close", NULL);
  g_assert_null (goban_lesson_state_get_lesson (self->state));
  button = find_control (GTK_WIDGET (self->pane), "win.lesson", target);
  title = gtk_widget_get_first_child (gtk_button_get_child (GTK_BUTTON (button)));
  g_assert_true (g_str_has_suffix (gui_get_text (title), " ✓"));
}

static void
take (Class *self, const GobanLesson *lesson)
{
  g_test_message ("%s", lesson->name);
  gui_act (self->window, "lesson", g_variant_new_string (lesson->name));
  gui_wait (is_idle, self, "the lesson is set up");
  take_steps (self, lesson);
}

/* What one lesson has made of its graphs is not offered to be restored in the next. */
static void
replaced_cb (GobanDocument *document, gpointer snapshot, guint *n_replaced)
{
  (*n_replaced)++;
}

static void
test_all (GuiWindow *f, gconstpointer data)
{
  Class self = begin (f);
  guint n_replaced = 0;
  g_autoptr (GPtrArray) lessons = goban_lesson_list_load (NULL);

  g_signal_connect (goban_document_get (f->session), "replaced", G_CALLBACK (replaced_cb),
                    &n_replaced);
  for (guint i = 0; i < lessons->len; i++)
    take (&self, lessons->pdata[i]);
  g_assert_cmpuint (n_replaced, ==, 0);
}

/* --- rings ----------------------------------------------------------------------------------- */

/* The ring encloses what the step points at, also when that moves. */
static void
check_ring (Class *self, const GobanLessonStep *step)
{
  GobanLessonRing *ring = GOBAN_LESSON_RING (gui_part (self->window, GOBAN_TYPE_LESSON_RING));

  g_assert_nonnull (goban_lesson_place_find (step->point));
  if (goban_lesson_place_find (step->point)->workspace != NULL)
    press (self, "win.workspace", NULL);
  for (guint i = 0; i < 3; i++)
    {
      graphene_rect_t edge, bounds;
      GtkWidget *target;

      gui_draw (GTK_WIDGET (ring));
      target = goban_lesson_ring_get_target (ring, &edge);
      g_test_message ("%s: %s, %.0f x %.0f", step->title, step->point, (double) edge.size.width,
                      (double) edge.size.height);
      g_assert_nonnull (target);
      g_assert_true (gtk_widget_get_mapped (target));
      g_assert_true (gtk_widget_compute_bounds (target, GTK_WIDGET (ring), &bounds));
      if (g_str_has_prefix (step->point, "node "))
        {
          graphene_rect_t node;

          g_assert_true (goban_picture_locate (GOBAN_PICTURE (target), step->point + 5, &node));
          graphene_rect_offset (&node, bounds.origin.x, bounds.origin.y);
          /* The ring is around an op, and within the edge of a control. */
          graphene_rect_inset (&node, -3, -3);
          bounds = node;
        }
      g_assert_true (gtk_widget_has_css_class (target, "pointed")
                     == (gtk_widget_get_ancestor (target, GTK_TYPE_HEADER_BAR) != NULL));
      g_assert_cmpfloat_with_epsilon (edge.origin.x, bounds.origin.x, 4);
      g_assert_cmpfloat_with_epsilon (edge.origin.y, bounds.origin.y, 4);
      g_assert_cmpfloat_with_epsilon (edge.size.width, bounds.size.width, 4);
      g_assert_cmpfloat_with_epsilon (edge.size.height, bounds.size.height, 4);
      g_assert_cmpfloat (edge.size.width, >, 20);
      g_action_group_change_action_state (G_ACTION_GROUP (self->window->window), "scenes-pane",
                                          g_variant_new_boolean (i == 0));
    }
}

static void
test_rings (GuiWindow *f, gconstpointer data)
{
  Class self = begin (f);
  GobanLessonRing *ring = GOBAN_LESSON_RING (gui_part (f, GOBAN_TYPE_LESSON_RING));
  g_autoptr (GPtrArray) lessons = goban_lesson_list_load (NULL);
  graphene_rect_t edge;
  guint n = 0;

  for (guint i = 0; i < lessons->len; i++)
    {
      const GobanLesson *lesson = lessons->pdata[i];
      g_autofree char *tooltip = NULL;
      gboolean has_point = FALSE;

      for (guint k = 0; k < lesson->steps->len; k++)
        has_point |= goban_lesson_get_step (lesson, k)->point != NULL;
      if (!has_point)
        continue;
      gui_act (f, "lesson", g_variant_new_string (lesson->name));
      gui_wait (is_idle, &self, "the lesson is set up");
      for (guint k = 0; k < lesson->steps->len; k++)
        {
          const GobanLessonStep *step = goban_lesson_state_get_content (self.state);

          g_assert_true ((step->point != NULL) == gtk_widget_get_visible (GTK_WIDGET (ring)));
          if (step->point != NULL)
            check_ring (&self, step);
          n += step->point != NULL;
          if (step->check != NULL)
            press (&self, "win.lesson-solve", NULL);
          if (k + 1 < lesson->steps->len)
            press (&self, "win.lesson-next", NULL);
        }
      tooltip = goban_action_tooltip ("lesson-close");
      g_assert_cmpstr (
          gtk_widget_get_tooltip_text (gui_find_button (GTK_WIDGET (self.pane), "_Finish")), ==,
          tooltip);
      press (&self, "win.lesson-close", NULL);
      g_assert_null (goban_lesson_ring_get_target (ring, &edge));
    }
  g_assert_cmpuint (n, >=, 6);
}

/* Lesson 1 by keys alone: its task is done from the panel, which keeps the focus. */
static void
test_keys (GuiWindow *f, gconstpointer data)
{
  Class self = begin (f);
  GtkWidget *window = GTK_WIDGET (f->window);
  GtkWidget *check;
  graphene_rect_t before, after;

  if (!gui_keys_begin (f))
    return;
  gui_act (f, "lesson", g_variant_new_string ("01-placement"));
  gui_wait (is_idle, &self, "the lesson is set up");
  gui_act (f, "lesson-next", NULL);
  gui_wait (is_idle, &self, "the second step");
  gui_act (f, "lesson-next", NULL);
  gui_wait (is_idle, &self, "the third step");
  goban_lesson_pane_run (self.pane, "lesson.follow 'view.select(g:inside{\"text\"})'");
  gui_wait (is_idle, &self, "the link has been followed");
  goban_lesson_pane_grab_focus (self.pane);
  gui_draw (window);
  gui_keys_press (f, "D");
  gui_draw (window);
  gui_keys_press (f, "1");
  gui_wait_undo (f, "move 4 nodes to gpu:1");
  g_assert_true (
      gtk_widget_is_ancestor (gtk_window_get_focus (GTK_WINDOW (window)), GTK_WIDGET (self.pane)));
  check = gui_find_button (GTK_WIDGET (self.pane), "_Check");
  g_assert_true (gtk_widget_compute_bounds (check, window, &before));
  gui_act (f, "lesson-check", NULL);
  gui_wait (is_idle, &self, "the task is checked");
  gui_draw (window);
  g_assert_true (gtk_widget_compute_bounds (check, window, &after));
  g_assert_true (graphene_rect_equal (&before, &after)); /* it stays below the pointer */
  g_assert_cmpstr (text_of (&self, "lesson-verdict"), ==, "✓ Done");
}

/* --- from the start page --------------------------------------------------------------------- */

static void
test_start_page (GuiWindow *f, gconstpointer data)
{
  Class self = begin (f);
  GtkWidget *button;

  g_assert_false (gtk_widget_get_mapped (GTK_WIDGET (self.pane)));
  use (find_control (gui_part (f, GOBAN_TYPE_START_PAGE), "win.lesson-pane", NULL));
  gui_wait (gui_is_mapped, self.pane, "the lessons are listed");
  button = find_control (GTK_WIDGET (self.pane), "win.lesson", "'01-placement'");
  g_assert_nonnull (button);
  use (button);
  gui_wait (is_idle, &self, "the lesson is set up");
  g_assert_true (gtk_widget_get_mapped (GTK_WIDGET (self.pane)));
  g_assert_cmpstr (goban_graph_get_name (goban_session_get_graph (f->session)), ==, "toy");

  /* Links in the text run their code; those of terms are explained. */
  g_assert_false (gui_count_selected (f) > 0);
  goban_lesson_pane_run (self.pane, "lesson.follow 'view.select(g:inside{\"image\"})'");
  gui_wait (is_idle, &self, "the link has been followed");
  g_assert_cmpuint (gui_count_selected (f), ==, 4);

  /* The keys of the window: next, check, and the step again. */
  gui_act (f, "lesson-next", NULL);
  gui_wait (is_idle, &self, "the next step is shown");
  gui_act (f, "lesson-next", NULL);
  gui_wait (is_idle, &self, "the next step is shown");
  gui_act (f, "lesson-solve", NULL);
  gui_wait (is_idle, &self, "the task is done");
  g_assert_cmpstr (text_of (&self, "lesson-verdict"), ==, "✓ Done");
  gui_act (f, "lesson-reset", NULL);
  gui_wait (is_idle, &self, "the step begins again");
  g_assert_null (text_of (&self, "lesson-verdict"));
  gui_act (f, "lesson-check", NULL);
  gui_wait (is_idle, &self, "the task is checked");
  g_assert_cmpstr (text_of (&self, "lesson-verdict"), !=, "✓ Done");
}

static gboolean
is_changed (gpointer data)
{
  return goban_document_is_changed (goban_document_get (((GuiWindow *) data)->session));
}

static gboolean
has_moved (gpointer data)
{
  return strstr (text_of (data, "lesson-verdict"), "edits: 1") != NULL && is_idle (data);
}

/* Work of the user's is not replaced without a question, and points follow the user's edits. */
static void
test_own_work (GuiWindow *f, gconstpointer data)
{
  Class self = begin (f);
  GobanNoticeBar *bar = GOBAN_NOTICE_BAR (gui_part (f, GOBAN_TYPE_NOTICE_BAR));

  gui_open_toy (f);
  gui_select (f, "image/pool");
  gui_act (f, "move-selection", g_variant_new_int32 (3));
  gui_wait (is_changed, f, "the op is moved");
  gui_act (f, "lesson", g_variant_new_string ("challenge-1-fan"));
  g_assert_nonnull (gui_get_question (bar));
  g_assert_null (goban_lesson_state_get_lesson (self.state));
  gui_answer (bar, 1); /* discard */
  gui_wait (is_idle, &self, "the challenge is set up");
  g_assert_nonnull (strstr (text_of (&self, "lesson-verdict"), "61 points"));
  gui_select (f, "branch8/conv");
  gui_act (f, "move-selection", g_variant_new_int32 (1));
  gui_wait (has_moved, &self, "the points are counted");
  g_assert_nonnull (strstr (text_of (&self, "lesson-verdict"), "edits: 1, undone: 0"));
}

/* The window of the glossary, from its command and from a link of a lesson. */
static GobanSearchWindow *
find_glossary (GuiWindow *f)
{
  return GOBAN_SEARCH_WINDOW (gui_dialog (f, GOBAN_TYPE_SEARCH_WINDOW));
}

/* How many terms are shown. */
static guint
count_terms (GobanSearchWindow *glossary)
{
  guint n = 0;

  for (GtkWidget *row = gtk_widget_get_first_child (gui_child (glossary, "list")); row != NULL;
       row = gtk_widget_get_next_sibling (row))
    n += GTK_IS_LIST_BOX_ROW (row) && gtk_widget_get_child_visible (row);
  return n;
}

static void
test_glossary (GuiWindow *f, gconstpointer data)
{
  Class self = begin (f);
  guint n, n_all = goban_glossary_get ()->len;

  gui_act (f, "glossary", NULL);
  gui_wait (gui_is_mapped, find_glossary (f), "the glossary is shown");
  g_assert_cmpuint (count_terms (find_glossary (f)), ==, n_all);
  g_signal_emit_by_name (self.pane, "term", "upward rank");
  n = count_terms (find_glossary (f));
  g_assert_cmpuint (n, >, 0);
  g_assert_cmpuint (n, <, n_all / 4);
  goban_search_window_search (find_glossary (f), "no such words");
  g_assert_cmpuint (count_terms (find_glossary (f)), ==, 0);
  gtk_window_close (GTK_WINDOW (find_glossary (f)));
  gui_rest ();
  g_assert_null (find_glossary (f));
}

/* --- the session of a teacher ----------------------------------------------------------------- */

static gboolean
has_won (gpointer data)
{
  return strstr (text_of (data, "lesson-verdict"), "edits: 2") != NULL && is_idle (data);
}

/* HEFT makes every device wait for the large input; six branches on one and two on another do
 * not. */
static void
win_challenge (Class *self)
{
  gui_act (self->window, "lesson", g_variant_new_string ("challenge-1-fan"));
  gui_wait (is_idle, self, "the challenge is set up");
  gui_select (self->window, "branch7/conv");
  gui_act (self->window, "move-selection", g_variant_new_int32 (1));
  gui_wait (has_moved, self, "the first branch is moved");
  gui_select (self->window, "branch8/conv");
  gui_act (self->window, "move-selection", g_variant_new_int32 (1));
  gui_wait (has_won, self, "the second branch is moved");
  g_assert_nonnull (strstr (text_of (self, "lesson-verdict"), "100 points"));
  press (self, "win.lesson-close", NULL);
}

/* What screen readers read of a label. (transfer full) (nullable) */
static char *
dup_accessible_text (GtkWidget *root, const char *css)
{
  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    {
      char *text = gtk_widget_has_css_class (child, css) ? gtk_test_accessible_check_property (
                       GTK_ACCESSIBLE (child), GTK_ACCESSIBLE_PROPERTY_LABEL, "not this")
                                                         : dup_accessible_text (child, css);

      if (text != NULL)
        return text;
    }
  return NULL;
}

static gboolean
is_compared (gpointer data)
{
  GuiWindow *f = data;
  g_autofree char *text = dup_accessible_text (gui_part (f, GOBAN_TYPE_COMPARE_PANELS), "sentence");

  return text != NULL && strstr (text, "placement") != NULL;
}

static gboolean
is_asked (gpointer data)
{
  return gui_get_question (data) != NULL;
}

/* The class's own work on the challenge is not kept. */
static void
open_another_graph (GuiWindow *f)
{
  GobanNoticeBar *notice = GOBAN_NOTICE_BAR (gui_part (f, GOBAN_TYPE_NOTICE_BAR));
  g_autofree char *path = project_path ("samples/toy.dot");

  gui_open_path (f, path);
  gui_wait (is_asked, notice, "the question whether to save is there");
  gui_answer (notice, 1); /* Discard */
  gui_open_toy (f);
}

/* The plan of one device beside the best. */
static void
compare_plans (GuiWindow *f)
{
  GListModel *runs = goban_session_get_runs (f->session);
  guint n = g_list_model_get_n_items (runs);
  GobanRun *pair[] = { goban_run_list_get (runs, 0), goban_run_list_get (runs, n - 1) };
  g_autofree char *text = NULL;

  goban_compare_set_show (goban_session_get_compare_set (f->session), pair, 2);
  gui_wait (is_compared, f, "the sentence is there");
  text = dup_accessible_text (gui_part (f, GOBAN_TYPE_COMPARE_PANELS), "sentence");
  g_test_message ("%s", text);
  g_assert_nonnull (strstr (text, "takes "));
  g_assert_nonnull (strstr (text, " µs"));
  goban_compare_set_close (goban_session_get_compare_set (f->session));
}

static gboolean
is_trained (gpointer data)
{
  return goban_training_job_get_state (data) >= GOBAN_TRAINING_FINISHED;
}

static gboolean
has_curve (gpointer data)
{
  return goban_training_charts_get_n_points (goban_training_view_get_charts (data)) > 5;
}

/* A short one, watched in its pane; its network places the graph that is open. */
static void
train (GuiWindow *f, const char *output)
{
  GobanTrainingOptions options = goban_training_options_new ("builder");
  GtkWidget *view = gui_part (f, GOBAN_TYPE_TRAINING_VIEW);
  guint n = g_list_model_get_n_items (goban_session_get_runs (f->session));
  g_autoptr (GobanTrainingJob) training = NULL;
  g_autoptr (GError) error = NULL;

  options.output = output;
  options.settings = "lessons=3,validation=2,labels=10,imitations=1";
  options.n_steps = 20;
  options.every = 2;
  training = goban_training_job_start (&options, &error);
  g_assert_no_error (error);
  goban_training_list_add (G_OBJECT (f->session), training);
  gui_act (f, "workspace", g_variant_new_string ("train"));
  gui_wait (gui_is_mapped, view, "the curves are shown");
  gui_wait (has_curve, view, "the curves grow");
  gui_wait (is_trained, training, "the training ends");
  g_signal_emit_by_name (view, "use-network", output);
  gui_wait (gui_has_no_job, f, "the network has placed the graph");
  g_assert_cmpuint (g_list_model_get_n_items (goban_session_get_runs (f->session)), ==, n + 1);
}

/* The page says in its words, which its scripts write, what was compared. */
static void
look_in_browser (const char *page, const char *folder)
{
  g_autofree char *browser = g_find_program_in_path ("chromium");
  g_autofree char *profile = g_strconcat ("--user-data-dir=", folder, "/profile", NULL);
  g_autofree char *address = g_filename_to_uri (page, NULL, NULL);
  g_autofree char *dom = NULL;
  const char *const command[] = { browser,
                                  "--headless",
                                  "--no-sandbox",
                                  "--disable-gpu",
                                  "--virtual-time-budget=3000",
                                  "--dump-dom",
                                  profile,
                                  address,
                                  NULL };
  int status = 0;

  if (browser == NULL)
    {
      g_test_message ("no Chromium is installed: the page is not looked at");
      return;
    }
  g_assert_true (g_spawn_sync (NULL, (char **) command, NULL, G_SPAWN_STDERR_TO_DEV_NULL, NULL,
                               NULL, &dom, NULL, &status, NULL));
  if (status != 0 || dom == NULL || *dom == '\0')
    {
      g_test_message ("Chromium does not start here: the page is not looked at");
      return;
    }
  g_assert_nonnull (strstr (dom, "id=\"sentence\""));
  g_assert_nonnull (strstr (dom, " takes "));
}

/* As the export dialog writes it, once a file is chosen. */
static void
share (GuiWindow *f, const char *page)
{
  GobanSharing *sharing = goban_sharing_new_of_rows (
      goban_session_get_runs (f->session), goban_session_get_current_run (f->session), page);
  g_autoptr (GError) error = NULL;
  g_autofree char *path = goban_sharing_run (NULL, sharing, &error);

  g_assert_no_error (error);
  g_assert_cmpstr (path, ==, page);
  goban_sharing_free (sharing);
}

/* An hour with a class, from the start page to the page that it takes home. */
static void
test_teacher (GuiWindow *f, gconstpointer data)
{
  Class self = begin (f);
  g_autofree char *folder = g_dir_make_tmp ("goban-teacher-XXXXXX", NULL);
  g_autofree char *page = g_build_filename (folder, "plans.html", NULL);
  g_autofree char *network = g_build_filename (folder, "ours.net", NULL);
  GtkWidget *start = gui_part (f, GOBAN_TYPE_START_PAGE);
  g_autoptr (GPtrArray) lessons = goban_lesson_list_load (NULL);

  g_assert_true (gtk_widget_get_mapped (start));
  use (find_control (start, "win.lesson-pane", NULL));
  gui_wait (gui_is_mapped, self.pane, "the lessons are listed");
  use (find_control (GTK_WIDGET (self.pane), "win.lesson", "'01-placement'"));
  gui_wait (is_idle, &self, "the lesson is set up");
  take_steps (&self, lessons->pdata[0]);
  win_challenge (&self);
  open_another_graph (f);
  compare_plans (f);
  train (f, network);
  share (f, page);
  look_in_browser (page, folder);
  remove_folder (folder);
}

TEST_PROGRAM (lessons)
{
  int failed;

  /* Before GTK starts: what screen readers are told can be asked for. */
  g_setenv ("GTK_A11Y", "test", TRUE);
  gtk_test_init (&argc, &argv);
  gui_window_begin ();
  gui_window_add ("/lessons/all", test_all);
  gui_window_add ("/lessons/rings", test_rings);
  gui_window_add ("/lessons/keys", test_keys);
  gui_window_add ("/lessons/start-page", test_start_page);
  gui_window_add ("/lessons/own-work", test_own_work);
  gui_window_add ("/lessons/glossary", test_glossary);
  if (!TEST_IS_SANITIZED)
    gui_window_add ("/teacher/session", test_teacher);
  failed = g_test_run ();
  gui_window_end ();
  return failed;
}
