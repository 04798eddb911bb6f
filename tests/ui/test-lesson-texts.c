/* What lessons say is done, in the window and word by word: links are followed, <kbd> is pressed or
 * typed, <label> is clicked, and lines for the console are typed there. Then the task is done. */
#include "tests/ui/gui-keys.h"
#include "tests/ui/gui-prompt.h"

#include "app/lua/lua-console.h"
#include "engine/session/teaching/lesson-state.h"
#include "engine/session/teaching/lesson.h"
#include "tests/support/test-program.h"
#include "ui/lessons/lesson-pane.h"
#include "ui/widgets/actions.h"

#include <gtksourceview/gtksource.h>
#include <string.h>

typedef struct
{
  GuiWindow *window;
  GobanLessonPane *pane;
  GobanLessonState *state;
  GuiPrompt prompt;
} Learner;

static GobanConsoleEvaluator *
new_evaluator (GobanSession *session)
{
  return GOBAN_CONSOLE_EVALUATOR (goban_lua_console_new (session));
}

static gboolean
is_idle (gpointer data)
{
  Learner *self = data;

  return goban_lesson_pane_is_idle (self->pane) && gui_has_no_job (self->window)
         && !goban_console_view_is_running (self->prompt.console);
}

static void
settle (Learner *self)
{
  gui_wait (is_idle, self, "the window is idle");
  gui_draw (GTK_WIDGET (self->window->window));
  gui_wait (is_idle, self, "the window is idle");
}

/* --- what a text says to do ------------------------------------------------------------------- */

typedef enum
{
  DO_LINK,
  DO_KEY,   /* press it, or type it if there is no such key */
  DO_LABEL, /* a button, or an entry of a menu */
  DO_LINE,  /* in the console */
} Kind;

typedef struct
{
  Kind kind;
  char *text;
} Deed;

static void
deed_free (gpointer data)
{
  Deed *deed = data;

  g_free (deed->text);
  g_free (deed);
}

static void
add_deed (GPtrArray *deeds, Kind kind, const char *text, gsize n)
{
  Deed *deed = g_new (Deed, 1);

  *deed = (Deed){ kind, g_strndup (text, n) };
  for (char *p = deed->text; *p != '\0'; p++)
    if (*p == '\n')
      *p = ' ';
  g_ptr_array_add (deeds, deed);
}

/* The end of a marked text, or NULL. */
static const char *
find_marked (const char *p, const char *open, const char *close)
{
  return g_str_has_prefix (p, open) ? strstr (p + strlen (open), close) : NULL;
}

/* The end of the target that begins behind "](". */
static const char *
find_target_end (const char *target)
{
  guint depth = 1;

  for (const char *p = target; *p != '\0'; p++)
    {
      depth += *p == '(' ? 1u : *p == ')' ? -1u : 0u;
      if (depth == 0)
        return p;
    }
  return NULL;
}

static const char *
read_link (GPtrArray *deeds, const char *p)
{
  const char *target = *p == '[' ? strstr (p, "](") : NULL;
  const char *end = target != NULL ? find_target_end (target + 2) : NULL;

  if (end == NULL)
    return NULL;
  if (!g_str_has_prefix (target + 2, "term:") && !g_str_has_prefix (target + 2, "lesson.open"))
    add_deed (deeds, DO_LINK, target + 2, (gsize) (end - target - 2));
  return end + 1;
}

/* In their order. (element-type Deed) (transfer full) */
static GPtrArray *
read_deeds (const char *text)
{
  GPtrArray *deeds = g_ptr_array_new_with_free_func (deed_free);

  for (const char *p = text; *p != '\0';)
    {
      const char *end = read_link (deeds, p);

      if (end != NULL)
        p = end;
      else if ((end = find_marked (p, GOBAN_LESSON_KEY, GOBAN_LESSON_KEY_END)) != NULL)
        {
          add_deed (deeds, DO_KEY, p + strlen (GOBAN_LESSON_KEY),
                    (gsize) (end - p) - strlen (GOBAN_LESSON_KEY));
          p = end + strlen (GOBAN_LESSON_KEY_END);
        }
      else if ((end = find_marked (p, GOBAN_LESSON_LABEL, GOBAN_LESSON_LABEL_END)) != NULL)
        {
          add_deed (deeds, DO_LABEL, p + strlen (GOBAN_LESSON_LABEL),
                    (gsize) (end - p) - strlen (GOBAN_LESSON_LABEL));
          p = end + strlen (GOBAN_LESSON_LABEL_END);
        }
      else if ((end = find_marked (p, "`", "`")) != NULL)
        {
          if (memchr (p, '(', (gsize) (end - p)) != NULL)
            add_deed (deeds, DO_LINE, p + 1, (gsize) (end - p) - 1);
          p = end + 1;
        }
      else
        p++;
    }
  return deeds;
}

/* Links alone show what a text speaks of. */
static gboolean
is_recipe (const GPtrArray *deeds)
{
  for (guint i = 0; i < deeds->len; i++)
    if (((Deed *) deeds->pdata[i])->kind != DO_LINK)
      return TRUE;
  return FALSE;
}

/* --- doing it ----------------------------------------------------------------------------------
   */

/* The label of the pane whose markup has this link. */
static GtkWidget *
find_link (GtkWidget *root, const char *href)
{
  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    {
      GtkWidget *found;

      if (GTK_IS_LABEL (child) && gtk_widget_get_mapped (child)
          && strstr (gtk_label_get_label (GTK_LABEL (child)), href) != NULL)
        return child;
      found = find_link (child, href);
      if (found != NULL)
        return found;
    }
  return NULL;
}

static void
follow (Learner *self, const char *target)
{
  g_autofree char *escaped = g_markup_escape_text (target, -1);
  g_autofree char *href = g_strdup_printf ("<a href=\"%s\"", escaped);
  GtkWidget *label = find_link (GTK_WIDGET (self->pane), href);
  gboolean is_followed = FALSE;

  if (label == NULL)
    g_error ("no text of the pane has the link %s", target);
  gtk_widget_grab_focus (label);
  g_signal_emit_by_name (label, "activate-link", target, &is_followed);
  g_assert_true (is_followed);
}

static GtkWidget *
find_mapped_button (GtkWidget *root, const char *label)
{
  GtkWidget *found = NULL;

  if (GTK_IS_BUTTON (root) && gtk_widget_get_mapped (root) && gtk_widget_is_sensitive (root)
      && g_strcmp0 (gtk_button_get_label (GTK_BUTTON (root)), label) == 0)
    return root;
  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL && found == NULL;
       child = gtk_widget_get_next_sibling (child))
    found = find_mapped_button (child, label);
  return found;
}

/* (transfer full) */
static char *
dup_without_mnemonic (const char *label)
{
  g_auto (GStrv) parts = g_strsplit (label, "_", -1);

  return g_strjoinv ("", parts);
}

/* The command with this label, or NULL. */
static const GobanActionInfo *
find_command (const char *label)
{
  gsize n;
  const GobanActionInfo *actions = goban_actions (&n);

  for (gsize i = 0; i < n; i++)
    {
      g_autofree char *plain = dup_without_mnemonic (actions[i].label);

      if (g_str_equal (plain, label))
        return &actions[i];
    }
  return NULL;
}

static void
click (Learner *self, const char *label)
{
  GtkWidget *button = find_mapped_button (GTK_WIDGET (self->window->window), label);
  const GobanActionInfo *command = find_command (label);
  g_autofree char *name = NULL;
  g_autoptr (GVariant) target = NULL;

  if (button != NULL)
    {
      g_signal_emit_by_name (button, "clicked");
      return;
    }
  if (command == NULL)
    g_error ("there is neither a button nor a command “%s”", label);
  if (!g_action_group_get_action_enabled (G_ACTION_GROUP (self->window->window), command->name))
    g_error ("the command “%s” is disabled", label);
  name = goban_action_detailed_name (command);
  target
      = command->target != NULL ? g_variant_parse (NULL, command->target, NULL, NULL, NULL) : NULL;
  gui_act (self->window, command->name, target != NULL ? g_steal_pointer (&target) : NULL);
}

static void
do_deed (Learner *self, const Deed *deed)
{
  g_test_message ("    %s", deed->text);
  switch (deed->kind)
    {
    case DO_LINK:
      follow (self, deed->text);
      break;
    case DO_KEY:
      if (gui_keys_are (deed->text))
        gui_keys_press (self->window, deed->text);
      else
        gui_keys_type (self->window, deed->text);
      break;
    case DO_LABEL:
      click (self, deed->text);
      break;
    case DO_LINE:
    default:
      gui_prompt_type (&self->prompt, deed->text);
      break;
    }
  settle (self);
}

static void
do_all (Learner *self, const GPtrArray *deeds)
{
  for (guint i = 0; i < deeds->len; i++)
    do_deed (self, deeds->pdata[i]);
}

/* --- tasks --------------------------------------------------------------------------------------
   */

static void
run (Learner *self, const char *code)
{
  goban_lesson_pane_run (self->pane, code);
  settle (self);
}

static GobanVerdict
check (Learner *self)
{
  run (self, "lesson.check()");
  return goban_lesson_state_get_done (self->state)->verdict;
}

static void
expect (Learner *self, GobanVerdict verdict, const char *when)
{
  const GobanLesson *lesson = goban_lesson_state_get_lesson (self->state);

  if (check (self) != verdict)
    g_error ("%s, step %u: the task is %s %s: %s", lesson->name,
             goban_lesson_state_get_step (self->state) + 1,
             verdict == GOBAN_VERDICT_DONE ? "not done" : "done", when,
             goban_lesson_state_get_done (self->state)->message);
}

/* The step begins anew, with its hints shown; the focus is on a button of the pane, as after a
 * click. */
static void
begin_again (Learner *self)
{
  run (self, "compare.close()");
  run (self, "lesson.reset()");
  while (goban_lesson_state_get_done (self->state)->n_hints
         < g_strv_length (goban_lesson_state_get_content (self->state)->hints))
    goban_lesson_state_show_hint (self->state);
  g_assert_true (gtk_widget_grab_focus (gui_find_button (GTK_WIDGET (self->pane), "_Check")));
  settle (self);
  expect (self, GOBAN_VERDICT_NOT_YET, "at first");
}

/* @first: links that come before, or NULL. Returns whether there was anything to do. */
static gboolean
try_text (Learner *self, const GPtrArray *first, const char *text)
{
  g_autoptr (GPtrArray) deeds = read_deeds (text);

  if (!is_recipe (deeds))
    return FALSE;
  g_test_message ("  %.60s…", text);
  begin_again (self);
  for (guint i = 0; first != NULL && i < first->len; i++)
    if (((Deed *) first->pdata[i])->kind == DO_LINK)
      do_deed (self, first->pdata[i]);
  do_all (self, deeds);
  expect (self, GOBAN_VERDICT_DONE, text);
  return TRUE;
}

/* By the text, if it names keys, and by each hint that does. */
static void
take_task (Learner *self, const GobanLessonStep *step)
{
  g_autoptr (GPtrArray) links = read_deeds (step->text);
  guint n_ways = try_text (self, NULL, step->text);

  for (guint i = 0; step->hints[i] != NULL; i++)
    n_ways += try_text (self, links, step->hints[i]);
  if (n_ways == 0)
    g_error ("no text and no hint of “%s” says how the task is done", step->title);
  begin_again (self);
  run (self, "lesson.solve()");
  expect (self, GOBAN_VERDICT_DONE, "by its solution");
}

static gboolean
has_key (const char *keys, guint keyval, GdkModifierType modifiers)
{
  g_auto (GStrv) each = goban_action_split_keys (keys);
  guint own;
  GdkModifierType held;

  for (guint k = 0; each[k] != NULL; k++)
    if (gtk_accelerator_parse (each[k], &own, &held) && own == keyval && held == modifiers)
      return TRUE;
  return FALSE;
}

/* A command has this key, or GTK: F10 opens the menu. */
static void
expect_key (const char *name)
{
  g_autofree char *accel = gui_keys_dup_accel (name);
  gsize n;
  const GobanActionInfo *actions = goban_actions (&n);
  guint keyval;
  GdkModifierType modifiers;

  if (accel == NULL || g_str_equal (name, "F10") || g_str_equal (name, "Enter"))
    return;
  g_assert_true (gtk_accelerator_parse (accel, &keyval, &modifiers));
  for (gsize i = 0; i < n; i++)
    if (has_key (actions[i].accels, keyval, modifiers)
        || has_key (actions[i].keys, keyval, modifiers)
        || has_key (actions[i].wide, keyval, modifiers))
      return;
  g_error ("no command has the key %s", name);
}

/* A text without a task: its links can be followed, its keys and commands exist. */
static void
take_text (Learner *self, const char *text)
{
  g_autoptr (GPtrArray) deeds = read_deeds (text);

  for (guint i = 0; i < deeds->len; i++)
    {
      const Deed *deed = deeds->pdata[i];

      if (deed->kind == DO_LINK)
        do_deed (self, deed);
      else if (deed->kind == DO_KEY)
        expect_key (deed->text);
      else if (deed->kind == DO_LABEL && find_command (deed->text) == NULL)
        g_error ("there is no command “%s”", deed->text);
    }
}

static void
take_step (Learner *self)
{
  const GobanLessonStep *step = goban_lesson_state_get_content (self->state);

  if (step->check != NULL)
    {
      expect (self, GOBAN_VERDICT_NOT_YET, "on arrival");
      take_task (self, step);
    }
  else
    take_text (self, step->text);
}

static void
take_lesson (Learner *self, const GobanLesson *lesson)
{
  g_test_message ("%s", lesson->name);
  gui_act (self->window, "lesson", g_variant_new_string (lesson->name));
  settle (self);
  for (guint i = 0; i < lesson->steps->len; i++)
    {
      take_step (self);
      if (i + 1 < lesson->steps->len)
        run (self, "lesson.next()");
    }
  gui_act (self->window, "lesson-close", NULL);
}

static Learner
begin (GuiWindow *f)
{
  g_autoptr (GobanLuaConsole) lua = goban_lua_console_new (f->session);
  Learner self = { .window = f };

  goban_window_set_lesson_evaluator (f->window, new_evaluator);
  goban_window_set_evaluator (f->window, GOBAN_CONSOLE_EVALUATOR (lua));
  self.pane = GOBAN_LESSON_PANE (gui_part (f, GOBAN_TYPE_LESSON_PANE));
  self.state = goban_lesson_state_of (G_OBJECT (f->session));
  self.prompt.window = f;
  self.prompt.console = GOBAN_CONSOLE_VIEW (gui_part (f, GOBAN_TYPE_CONSOLE_VIEW));
  self.prompt.input = gui_find (GTK_WIDGET (self.prompt.console), GTK_SOURCE_TYPE_VIEW);
  return self;
}

static void
test_lesson (GuiWindow *f, gconstpointer data)
{
  const char *name = strrchr (g_test_get_path (), '/') + 1;
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanLesson) lesson = goban_lesson_list_find (name, &error);
  Learner self = begin (f);

  g_assert_no_error (error);
  if (gui_keys_begin (f))
    take_lesson (&self, lesson);
}

/* GTK 4.8 draws parts of a page that appears with the comparison before it has laid them out, and
 * says so; the next frame is whole. */
static void
test_lesson_of_gtk (GuiWindow *f, gconstpointer data)
{
  g_log_set_always_fatal (G_LOG_FATAL_MASK | G_LOG_LEVEL_CRITICAL);
  test_lesson (f, data);
}

TEST_PROGRAM (lesson_texts)
{
  g_autoptr (GPtrArray) lessons = NULL;
  int failed;

  gtk_test_init (&argc, &argv);
  gui_window_begin ();
  lessons = goban_lesson_list_load (NULL);
  for (guint i = 0; i < lessons->len; i++)
    {
      const GobanLesson *lesson = lessons->pdata[i];
      g_autofree char *path = g_strconcat ("/lesson-texts/", lesson->name, NULL);

      gui_window_add (path, test_lesson_of_gtk);
    }
  failed = g_test_run ();
  gui_window_end ();
  return failed;
}
