/* No choice of panes makes the window wider than a small screen, in no language: LANGUAGE chooses
 * it, and GOBAN_TEST_PO is the folder of the translations. */
#include "tests/ui/gui-window.h"

#include "app/lua/lua-console.h"
#include "engine/core/i18n.h"
#include "engine/session/teaching/lesson-state.h"
#include "tests/support/shared-data.h"
#include "tests/support/test-program.h"
#include "ui/lessons/lesson-pane.h"
#include "ui/panels/plan-list.h"
#include "ui/widgets/short-label.h"

#include <locale.h>

#define SCREEN_PX 1280

static const char *const panes[] = {
  "lesson-pane", "left-pane",     "right-pane", "scenes-pane",
  "table-pane",  "timeline-pane", "notes-pane", "console-pane",
};

static const char *const workspaces[] = { "explore", "decisions", "compare", "train", "script" };

static GobanConsoleEvaluator *
new_evaluator (GobanSession *session)
{
  return GOBAN_CONSOLE_EVALUATOR (goban_lua_console_new (session));
}

typedef struct
{
  GuiWindow *window;
  GobanLessonPane *pane;
} Class;

static gboolean
is_idle (gpointer data)
{
  Class *self = data;

  return goban_lesson_pane_is_idle (self->pane) && gui_has_no_job (self->window);
}

static void
run (Class *self, const char *code)
{
  goban_lesson_pane_run (self->pane, code);
  gui_wait (is_idle, self, "the lesson's code has run");
}

static int
get_least_width (GuiWindow *f)
{
  int width;

  gtk_widget_measure (GTK_WIDGET (f->window), GTK_ORIENTATION_HORIZONTAL, -1, &width, NULL, NULL,
                      NULL);
  return width;
}

static gboolean
is_shown (GuiWindow *f, const char *pane)
{
  g_autoptr (GVariant) state = g_action_group_get_action_state (G_ACTION_GROUP (f->window), pane);

  return g_variant_get_boolean (state);
}

static char *
list_shown (GuiWindow *f)
{
  GString *text = g_string_new (NULL);

  for (gsize i = 0; i < G_N_ELEMENTS (panes); i++)
    if (is_shown (f, panes[i]))
      g_string_append_printf (text, " %s", panes[i]);
  return g_string_free (text, FALSE);
}

/* All choices of the panes, one changed at a time (a Gray code). Returns the largest least
 * width. */
static int
walk (GuiWindow *f, const char *where)
{
  gsize n = G_N_ELEMENTS (panes);
  int most = 0;

  for (guint i = 1; i <= 1u << n; i++)
    {
      guint changed = (guint) g_bit_nth_lsf (i, -1);
      int width = get_least_width (f);

      if (width > SCREEN_PX)
        {
          g_autofree char *shown = list_shown (f);

          g_error ("%s: the window is at least %d pixels wide with%s", where, width, shown);
        }
      most = MAX (most, width);
      if (changed < n)
        g_action_group_change_action_state (G_ACTION_GROUP (f->window), panes[changed],
                                            g_variant_new_boolean (!is_shown (f, panes[changed])));
    }
  g_test_message ("%s: at most %d pixels", where, most);
  return most;
}

static void
walk_workspaces (GuiWindow *f, const char *where)
{
  for (gsize i = 0; i < G_N_ELEMENTS (workspaces); i++)
    {
      g_autofree char *text = g_strdup_printf ("%s, %s", where, workspaces[i]);

      gui_act (f, "workspace", g_variant_new_string (workspaces[i]));
      walk (f, text);
    }
}

static void
test_panes (GuiWindow *f, gconstpointer data)
{
  Class self = { .window = f };

  goban_window_set_lesson_evaluator (f->window, new_evaluator);
  self.pane = GOBAN_LESSON_PANE (gui_part (f, GOBAN_TYPE_LESSON_PANE));
  walk_workspaces (f, "without a graph");
  gui_open_toy (f);
  walk_workspaces (f, "a graph");
  run (&self, "lesson.open(\"transfer\", 5)");
  run (&self, "compare.show(1, 3)");
  gui_settle (f);
  walk (f, "the last task of the last lesson");
}

/* The width of a step's buttons and titles. */
static void
test_steps_of_lessons (GuiWindow *f, gconstpointer data)
{
  static const char *const lessons[] = { "placement", "critical-path", "fusion", "fan" };
  Class self = { .window = f };
  GobanLessonState *state = goban_lesson_state_of (G_OBJECT (f->session));

  goban_window_set_lesson_evaluator (f->window, new_evaluator);
  self.pane = GOBAN_LESSON_PANE (gui_part (f, GOBAN_TYPE_LESSON_PANE));
  for (gsize i = 0; i < G_N_ELEMENTS (lessons); i++)
    {
      g_autofree char *code = g_strdup_printf ("lesson.open(\"%s\")", lessons[i]);
      guint n;

      run (&self, code);
      n = goban_lesson_state_get_lesson (state)->steps->len;
      for (guint s = 0; s < n; s++)
        {
          g_assert_cmpint (get_least_width (f), <=, SCREEN_PX);
          if (s + 1 < n)
            run (&self, "lesson.next()");
        }
    }
}

static guint
count_shortened (GtkWidget *widget)
{
  guint n = 0;

  if (GOBAN_IS_SHORT_LABEL (widget) && gtk_widget_get_mapped (widget))
    {
      GobanShortLabel *label = GOBAN_SHORT_LABEL (widget);
      g_autofree char *shown = goban_short_label_dup_shown (label, gtk_widget_get_width (widget));

      if (!g_str_equal (shown, goban_short_label_get_text (label)))
        {
          g_test_message ("%s is shortened: %s", goban_short_label_get_text (label), shown);
          n++;
        }
    }
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    n += count_shortened (child);
  return n;
}

/* Names of the left pane that are whole stay whole if the desktop's text is larger. */
static void
test_large_text (GuiWindow *f, gconstpointer data)
{
  GtkSettings *settings = gtk_widget_get_settings (GTK_WIDGET (f->window));
  GtkWidget *left;
  guint n;

  gui_open_toy (f);
  left = gtk_widget_get_ancestor (gui_part (f, GOBAN_TYPE_PLAN_LIST), GTK_TYPE_BOX);
  gui_draw (left);
  n = count_shortened (left);
  g_object_set (settings, "gtk-xft-dpi", 144 * PANGO_SCALE, NULL);
  gui_draw (left);
  gui_draw (left);
  g_assert_cmpuint (count_shortened (left), <=, n);
  gtk_settings_reset_property (settings, "gtk-xft-dpi");
}

static GtkWidget *
find_class (GtkWidget *widget, const char *css_class)
{
  GtkWidget *found = gtk_widget_has_css_class (widget, css_class) ? widget : NULL;

  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL && found == NULL;
       child = gtk_widget_get_next_sibling (child))
    found = find_class (child, css_class);
  return found;
}

static gboolean
is_whole (GtkWidget *widget)
{
  int natural;

  gtk_widget_measure (widget, GTK_ORIENTATION_HORIZONTAL, -1, NULL, &natural, NULL, NULL);
  return gtk_widget_get_width (widget) >= natural;
}

/* The name of the file is whole beside a button for each workspace; in a narrower window these fold
 * before it is cut. */
static void
test_header (GuiWindow *f, gconstpointer data)
{
  g_autofree char *path = project_path ("samples/inception-v3.onnx");
  GtkWidget *bar = gui_find (GTK_WIDGET (f->window), GTK_TYPE_HEADER_BAR);
  GtkWidget *title = find_class (gui_find (bar, GTK_TYPE_MENU_BUTTON), "title");
  GtkWidget *toggles = gui_find_button (bar, _ ("Explore"));

  gtk_window_set_default_size (GTK_WINDOW (f->window), SCREEN_PX, 800);
  gui_open_path (f, path);
  gui_settle (f);
  g_assert_true (is_whole (title));
  g_assert_true (gtk_widget_get_mapped (toggles));
  gtk_window_set_default_size (GTK_WINDOW (f->window), 1020, 800);
  gui_wait (gui_is_unmapped, toggles, "the workspaces are in a menu");
  g_assert_true (is_whole (title));
}

TEST_PROGRAM (widths)
{
  const char *folder = g_getenv ("GOBAN_TEST_PO");
  int failed;

  gtk_test_init (&argc, &argv);
  if (folder != NULL)
    {
      setlocale (LC_MESSAGES, "C.UTF-8");
      goban_i18n_enable (folder);
    }
  gui_window_begin ();
  gui_window_add ("/ui/widths/panes", test_panes);
  gui_window_add ("/ui/widths/lessons", test_steps_of_lessons);
  gui_window_add ("/ui/widths/large-text", test_large_text);
  gui_window_add ("/ui/widths/header", test_header);
  failed = g_test_run ();
  gui_window_end ();
  return failed;
}
