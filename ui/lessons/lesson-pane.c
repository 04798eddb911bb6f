#include "ui/lessons/lesson-pane.h"

#include "engine/core/i18n.h"
#include "engine/core/lua-text.h"
#include "engine/session/session-log.h"
#include "engine/session/teaching/lesson-state.h"
#include "engine/session/teaching/lesson.h"
#include "ui/lessons/lesson-body.h"
#include "ui/widgets/action-keys.h"
#include "ui/widgets/actions.h"
#include "ui/widgets/template.h"

struct _GobanLessonPane
{
  GtkWidget parent;

  GobanSession *session;
  GobanLessonState *state;
  GobanEvaluatorFunc make;          /* (nullable) */
  GobanConsoleEvaluator *evaluator; /* (nullable): made when it is needed */
  gboolean is_running;
  char *waiting;      /* (nullable): code to be run next */
  GobanLesson *shown; /* (nullable): the step in the body */
  guint shown_step;
  GHashTable *finished; /* names of lessons that were taken to the end */

  GtkWidget *pages;
  GtkWidget *lessons;
  GtkWidget *title;
  GtkWidget *progress;
  GtkWidget *scrolled;
  GtkWidget *body;
  GtkWidget *back;
  GtkWidget *place;
  GtkWidget *next;
};

enum
{
  TERM,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (GobanLessonPane, goban_lesson_pane, GTK_TYPE_WIDGET)

/* --- running code ---------------------------------------------------------------------------- */

static void start (GobanLessonPane *self, const char *code);

static void
ran_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GobanLessonPane) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autofree char *value
      = goban_console_evaluator_evaluate_finish (GOBAN_CONSOLE_EVALUATOR (source), result, &error);
  g_autofree char *waiting = g_steal_pointer (&self->waiting);

  self->is_running = FALSE;
  if (value == NULL && self->session != NULL)
    goban_session_say (self->session, TRUE, "%s", error->message);
  if (waiting != NULL && self->evaluator != NULL)
    start (self, waiting);
}

static void
start (GobanLessonPane *self, const char *code)
{
  self->is_running = TRUE;
  goban_console_evaluator_evaluate_async (self->evaluator, code, ran_cb, g_object_ref (self));
}

void
goban_lesson_pane_run (GobanLessonPane *self, const char *code)
{
  g_return_if_fail (GOBAN_IS_LESSON_PANE (self));

  if (self->evaluator == NULL && self->make != NULL)
    self->evaluator = self->make (self->session);
  if (self->evaluator == NULL)
    return;
  if (!self->is_running)
    {
      start (self, code);
      return;
    }
  g_free (self->waiting);
  self->waiting = g_strdup (code);
}

gboolean
goban_lesson_pane_is_idle (GobanLessonPane *self)
{
  g_return_val_if_fail (GOBAN_IS_LESSON_PANE (self), TRUE);

  return !self->is_running && self->waiting == NULL;
}

static gboolean
follow_cb (GtkLabel *label, const char *uri, GobanLessonPane *self)
{
  g_autofree char *quoted = NULL;
  g_autofree char *code = NULL;

  if (g_str_has_prefix (uri, "term:"))
    {
      g_signal_emit (self, signals[TERM], 0, uri + strlen ("term:"));
      return TRUE;
    }
  quoted = goban_lua_text_quote (uri);
  code = g_strdup_printf ("lesson.follow(%s)", quoted);
  goban_lesson_pane_run (self, code);
  return TRUE;
}

/* --- content --------------------------------------------------------------------------------- */

/* "Next" is "Finish" on the last step. */
static void
show_next (GobanLessonPane *self, gboolean is_last)
{
  g_autofree char *tooltip = goban_action_tooltip (is_last ? "lesson-close" : "lesson-next");

  gtk_actionable_set_action_name (GTK_ACTIONABLE (self->next),
                                  is_last ? "win.lesson-close" : "win.lesson-next");
  gtk_button_set_label (GTK_BUTTON (self->next), is_last ? _ ("_Finish") : _ ("_Next"));
  gtk_widget_set_tooltip_text (self->next, tooltip);
}

static void
show_place (GobanLessonPane *self)
{
  const GobanLesson *lesson = goban_lesson_state_get_lesson (self->state);
  guint step = goban_lesson_state_get_step (self->state);
  guint n = lesson->steps->len;
  g_autofree char *place = g_strdup_printf (_ ("%u of %u"), step + 1, n);

  gtk_label_set_text (GTK_LABEL (self->title), lesson->title);
  gtk_label_set_text (GTK_LABEL (self->place), place);
  gtk_progress_bar_set_fraction (GTK_PROGRESS_BAR (self->progress), (step + 1.0) / n);
  show_next (self, step + 1 == n);
  gtk_widget_set_sensitive (self->back, step > 0);
  if (goban_lesson_state_is_done (self->state, step))
    gtk_widget_add_css_class (self->next, "suggested-action");
  else
    gtk_widget_remove_css_class (self->next, "suggested-action");
}

/* The focus of a control that is gone goes to the new step's first one. */
static void
fill_body (GobanLessonPane *self)
{
  GobanLessonBody body = { self->state, G_CALLBACK (follow_cb), self };
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));
  GtkWidget *focus = root != NULL ? gtk_root_get_focus (root) : NULL;
  gboolean had_focus = focus != NULL && gtk_widget_is_ancestor (focus, self->body);

  goban_lesson_body_fill (&body, GTK_BOX (self->body));
  gtk_adjustment_set_value (
      gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (self->scrolled)), 0);
  if (had_focus)
    goban_lesson_pane_grab_focus (self);
}

/* Points follow every edit. */
static void
run_changed_cb (GobanLessonPane *self)
{
  if (goban_lesson_state_get_lesson (self->state) != NULL
      && goban_lesson_state_get_content (self->state)->rivals != NULL && !self->is_running)
    goban_lesson_pane_run (self, "lesson.score()");
}

/* "3  Contention, 6 minutes ✓"; the next one that is not finished stands out. */
static void
fill_list (GobanLessonPane *self)
{
  g_autoptr (GPtrArray) lessons = goban_lesson_list_load (NULL);
  gboolean has_next = FALSE;
  GtkWidget *old;

  while ((old = gtk_widget_get_first_child (self->lessons)) != NULL)
    gtk_box_remove (GTK_BOX (self->lessons), old);
  for (guint i = 0; i < lessons->len; i++)
    {
      const GobanLesson *lesson = lessons->pdata[i];
      gboolean is_finished = g_hash_table_contains (self->finished, lesson->name);
      g_autofree char *time = lesson->minutes > 0
                                  ? g_strdup_printf (_ (" (%u minutes)"), lesson->minutes)
                                  : g_strdup ("");
      g_autofree char *text
          = g_strdup_printf ("%u  %s%s%s", i + 1, lesson->title, time, is_finished ? " ✓" : "");
      GtkWidget *button = gtk_button_new_with_label (text);
      GtkWidget *label = gtk_button_get_child (GTK_BUTTON (button));

      gtk_label_set_xalign (GTK_LABEL (label), 0);
      gtk_label_set_wrap (GTK_LABEL (label), TRUE);
      if (is_finished || has_next)
        gtk_widget_add_css_class (button, "flat");
      has_next |= !is_finished;
      gtk_actionable_set_action_name (GTK_ACTIONABLE (button), "win.lesson");
      gtk_actionable_set_action_target (GTK_ACTIONABLE (button), "s", lesson->name);
      gtk_box_append (GTK_BOX (self->lessons), button);
    }
}

static void
changed_cb (GobanLessonPane *self)
{
  GobanLesson *lesson = goban_lesson_state_get_lesson (self->state);
  guint step = goban_lesson_state_get_step (self->state);
  GobanLessonBody body = { self->state, G_CALLBACK (follow_cb), self };
  gboolean is_new = lesson != self->shown || step != self->shown_step;

  if (self->session == NULL)
    return; /* disposed */
  gtk_stack_set_visible_child_name (GTK_STACK (self->pages), lesson != NULL ? "step" : "list");
  if (lesson == NULL && self->shown != NULL)
    {
      if (self->shown_step + 1 == self->shown->steps->len)
        g_hash_table_add (self->finished, g_strdup (self->shown->name));
      fill_list (self);
    }
  g_clear_pointer (&self->shown, goban_lesson_unref);
  if (lesson == NULL)
    return;
  self->shown = goban_lesson_ref (lesson);
  self->shown_step = step;
  if (is_new)
    fill_body (self);
  else
    goban_lesson_body_update (&body, GTK_BOX (self->body));
  show_place (self);
}

/* The list is read when it is first seen: it would delay the start of the window. */
static void
goban_lesson_pane_map (GtkWidget *widget)
{
  GobanLessonPane *self = GOBAN_LESSON_PANE (widget);

  if (gtk_widget_get_first_child (self->lessons) == NULL)
    fill_list (self);
  GTK_WIDGET_CLASS (goban_lesson_pane_parent_class)->map (widget);
}

void
goban_lesson_pane_grab_focus (GobanLessonPane *self)
{
  g_return_if_fail (GOBAN_IS_LESSON_PANE (self));

  if (goban_lesson_state_get_lesson (self->state) == NULL)
    {
      gtk_widget_child_focus (self->lessons, GTK_DIR_TAB_FORWARD);
      return;
    }
  /* A label with links of GTK 4.8 asks where the focus was, and it must have been somewhere. */
  gtk_widget_grab_focus (self->next);
  gtk_widget_child_focus (self->body, GTK_DIR_TAB_FORWARD);
}

/* --- construction and disposal ---------------------------------------------------------------- */

static void
goban_lesson_pane_dispose (GObject *object)
{
  GobanLessonPane *self = GOBAN_LESSON_PANE (object);

  if (self->evaluator != NULL && self->is_running)
    goban_console_evaluator_interrupt (self->evaluator);
  g_clear_object (&self->evaluator);
  g_clear_pointer (&self->waiting, g_free);
  g_clear_pointer (&self->finished, g_hash_table_unref);
  g_clear_pointer (&self->shown, goban_lesson_unref);
  self->session = NULL;
  goban_template_dispose (GTK_WIDGET (object));

  G_OBJECT_CLASS (goban_lesson_pane_parent_class)->dispose (object);
}

static void
goban_lesson_pane_class_init (GobanLessonPaneClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = goban_lesson_pane_dispose;
  widget_class->map = goban_lesson_pane_map;
  signals[TERM] = g_signal_new ("term", GOBAN_TYPE_LESSON_PANE, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_css_name (widget_class, "lessonpane");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_GROUP);
  goban_template_set (widget_class, "lessons/lesson-pane.ui");
  gtk_widget_class_bind_template_child (widget_class, GobanLessonPane, pages);
  gtk_widget_class_bind_template_child (widget_class, GobanLessonPane, lessons);
  gtk_widget_class_bind_template_child (widget_class, GobanLessonPane, title);
  gtk_widget_class_bind_template_child (widget_class, GobanLessonPane, progress);
  gtk_widget_class_bind_template_child (widget_class, GobanLessonPane, scrolled);
  gtk_widget_class_bind_template_child (widget_class, GobanLessonPane, body);
  gtk_widget_class_bind_template_child (widget_class, GobanLessonPane, back);
  gtk_widget_class_bind_template_child (widget_class, GobanLessonPane, place);
  gtk_widget_class_bind_template_child (widget_class, GobanLessonPane, next);
}

static void
goban_lesson_pane_init (GobanLessonPane *self)
{
  self->finished = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  goban_template_init (GTK_WIDGET (self));
  /* Keys that a lesson names do what it says without a click into the graph. */
  goban_actions_add_character_keys (GTK_WIDGET (self));
}

GtkWidget *
goban_lesson_pane_new (GobanSession *session)
{
  GobanLessonPane *self = g_object_new (GOBAN_TYPE_LESSON_PANE, NULL);

  self->session = session;
  self->state = goban_lesson_state_of (G_OBJECT (session));
  g_signal_connect_object (self->state, "changed", G_CALLBACK (changed_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "notify::current-run", G_CALLBACK (run_changed_cb), self,
                           G_CONNECT_SWAPPED);
  return GTK_WIDGET (self);
}

void
goban_lesson_pane_set_evaluator (GobanLessonPane *self, GobanEvaluatorFunc make)
{
  g_return_if_fail (GOBAN_IS_LESSON_PANE (self));

  self->make = make;
}
