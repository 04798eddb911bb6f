#include "ui/lessons/lesson-pane.h"

#include "engine/core/i18n.h"
#include "engine/core/lua-text.h"
#include "engine/session/session-log.h"
#include "engine/session/teaching/lesson-state.h"
#include "engine/session/teaching/lesson.h"
#include "ui/lessons/lesson-ring.h"
#include "ui/widgets/actions.h"
#include "ui/widgets/template.h"

/* Parts of the box that change, by their names. */
#define REASON "reason"
#define VERDICT "verdict"
#define HINTS "hints"
#define HINT_BUTTON "hint-button"
#define SOLVE_BUTTON "solve-button"

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
      g_signal_emit_by_name (self, "term", uri + strlen ("term:"));
      return TRUE;
    }
  quoted = goban_lua_text_quote (uri);
  code = g_strdup_printf ("lesson.follow(%s)", quoted);
  goban_lesson_pane_run (self, code);
  return TRUE;
}

/* --- a step ----------------------------------------------------------------------------------- */

static GtkWidget *
find_named (GtkWidget *root, const char *name)
{
  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    {
      GtkWidget *found
          = g_str_equal (gtk_widget_get_name (child), name) ? child : find_named (child, name);

      if (found != NULL)
        return found;
    }
  return NULL;
}

static GtkWidget *
add_label (GtkBox *box, const char *text, const char *css)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
  /* Without it the pane would be as wide as the longest paragraph. */
  gtk_label_set_max_width_chars (GTK_LABEL (label), 36);
  if (css != NULL)
    gtk_widget_add_css_class (label, css);
  gtk_box_append (box, label);
  return label;
}

/* Text with links. */
static void
add_text (GobanLessonPane *self, GtkBox *box, const char *text, const char *css)
{
  g_auto (GStrv) paragraphs = g_strsplit (text, "\n\n", -1);

  for (guint i = 0; paragraphs[i] != NULL; i++)
    {
      g_autofree char *markup = goban_lesson_dup_markup (g_strstrip (paragraphs[i]));
      GtkWidget *label;

      if (*markup == '\0')
        continue;
      label = add_label (box, NULL, css);
      gtk_label_set_markup (GTK_LABEL (label), markup);
      g_signal_connect (label, "activate-link", G_CALLBACK (follow_cb), self);
    }
}

static GtkWidget *
new_button (const char *label, const char *action, const char *name)
{
  GtkWidget *button = gtk_button_new_with_mnemonic (label);

  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), action);
  if (name != NULL)
    gtk_widget_set_name (button, name);
  return button;
}

/* Opens the workspace with the place that the step points at. */
static void
add_point (GtkBox *box, const GobanLessonStep *step)
{
  const GobanLessonPlace *place = goban_lesson_place_find (step->point);
  GtkWidget *button;

  if (place == NULL || place->workspace == NULL)
    return;
  button = new_button (_ (place->label), "win.workspace", NULL);
  gtk_actionable_set_action_target (GTK_ACTIONABLE (button), "s", place->workspace);
  gtk_widget_set_halign (button, GTK_ALIGN_START);
  gtk_box_append (box, button);
}

/* --- a question ------------------------------------------------------------------------------ */

static void
add_question (GobanLessonPane *self, GtkBox *box, const GobanLessonStep *step)
{
  GtkWidget *answers = gtk_box_new (GTK_ORIENTATION_VERTICAL, 2);
  GtkWidget *reason;
  GtkWidget *first = NULL;

  add_label (box, _ ("Your answer"), "lesson-kind");
  for (guint i = 0; step->answers[i] != NULL; i++)
    {
      GtkWidget *check = gtk_check_button_new ();
      GtkWidget *label = gtk_label_new (NULL);
      g_autofree char *markup = goban_lesson_dup_markup (step->answers[i]);

      gtk_label_set_markup (GTK_LABEL (label), markup);
      gtk_label_set_wrap (GTK_LABEL (label), TRUE);
      gtk_label_set_xalign (GTK_LABEL (label), 0);
      gtk_label_set_max_width_chars (GTK_LABEL (label), 60);
      gtk_check_button_set_child (GTK_CHECK_BUTTON (check), label);
      gtk_accessible_update_property (GTK_ACCESSIBLE (check), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                      gtk_label_get_text (GTK_LABEL (label)), -1);
      if (first != NULL)
        gtk_check_button_set_group (GTK_CHECK_BUTTON (check), GTK_CHECK_BUTTON (first));
      first = first != NULL ? first : check;
      gtk_actionable_set_action_name (GTK_ACTIONABLE (check), "win.lesson-answer");
      gtk_actionable_set_action_target (GTK_ACTIONABLE (check), "i", (int) i);
      gtk_box_append (GTK_BOX (answers), check);
    }
  gtk_box_append (box, answers);
  reason = add_label (box, "", "lesson-verdict");
  gtk_widget_set_name (reason, REASON);
  g_signal_connect (reason, "activate-link", G_CALLBACK (follow_cb), self);
}

static void
update_question (GobanLessonPane *self, GtkBox *box, const GobanLessonStep *step)
{
  const GobanStepState *done = goban_lesson_state_get_done (self->state);
  GtkWidget *reason = find_named (GTK_WIDGET (box), REASON);
  g_autofree char *text = NULL;
  g_autofree char *markup = NULL;
  gboolean is_right = done->answer == step->right;

  if (reason == NULL)
    return;
  if (done->answer != GOBAN_LESSON_NO_ANSWER)
    text = is_right ? g_strdup_printf (_ ("✓ That is right. %s"), step->explanation)
                    : g_strdup (_ ("Not quite. Think again, or choose another answer."));
  markup = goban_lesson_dup_markup (text != NULL ? text : "");
  gtk_label_set_markup (GTK_LABEL (reason), markup);
  gtk_widget_set_visible (reason, text != NULL);
  (is_right ? gtk_widget_add_css_class : gtk_widget_remove_css_class) (reason, "done");
}

/* --- a task or a challenge ------------------------------------------------------------------- */

static void
add_task (GobanLessonPane *self, GtkBox *box, const GobanLessonStep *step)
{
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *verdict, *hints;

  add_label (box, step->rivals != NULL ? _ ("Challenge") : _ ("Your task"), "lesson-kind");
  if (step->check != NULL)
    gtk_box_append (GTK_BOX (row), new_button (_ ("_Check"), "win.lesson-check", NULL));
  if (step->hints[0] != NULL)
    gtk_box_append (GTK_BOX (row), new_button (_ ("_Hint"), "win.lesson-hint", HINT_BUTTON));
  gtk_box_append (GTK_BOX (row),
                  new_button (step->rivals != NULL ? _ ("Re_veal the Rivals") : _ ("Sho_w How"),
                              "win.lesson-solve", SOLVE_BUTTON));
  gtk_box_append (box, row);
  /* Below the buttons, which stay under the pointer when it appears. */
  verdict = add_label (box, "", "lesson-verdict");
  gtk_widget_set_name (verdict, VERDICT);
  if (step->rivals != NULL)
    gtk_widget_add_css_class (verdict, "board");
  hints = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  gtk_widget_set_name (hints, HINTS);
  gtk_box_append (box, hints);
}

static void
update_verdict (GobanLessonPane *self, GtkBox *box, const GobanLessonStep *step)
{
  const GobanStepState *done = goban_lesson_state_get_done (self->state);
  GtkWidget *verdict = find_named (GTK_WIDGET (box), VERDICT);
  gboolean is_done = done->verdict == GOBAN_VERDICT_DONE;
  g_autofree char *text = NULL;

  if (step->rivals != NULL)
    text = g_strdup (done->message);
  else if (is_done)
    text = g_strdup (_ ("✓ Done"));
  else if (done->verdict == GOBAN_VERDICT_NOT_YET)
    text = g_strdup (*done->message != '\0' ? done->message : _ ("Not yet"));
  gtk_label_set_text (GTK_LABEL (verdict), text != NULL ? text : "");
  gtk_widget_set_visible (verdict, text != NULL && *text != '\0');
  (is_done ? gtk_widget_add_css_class : gtk_widget_remove_css_class) (verdict, "done");
}

static void
update_hints (GobanLessonPane *self, GtkBox *box, const GobanLessonStep *step)
{
  const GobanStepState *done = goban_lesson_state_get_done (self->state);
  GtkWidget *hints = find_named (GTK_WIDGET (box), HINTS);
  GtkWidget *button = find_named (GTK_WIDGET (box), HINT_BUTTON);
  guint n_there = 0;

  for (GtkWidget *child = gtk_widget_get_first_child (hints); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    n_there++;
  for (; n_there > done->n_hints; n_there--)
    gtk_box_remove (GTK_BOX (hints), gtk_widget_get_last_child (hints));
  for (; n_there < done->n_hints; n_there++)
    add_text (self, GTK_BOX (hints), step->hints[n_there], "lesson-hint");
  if (button != NULL)
    gtk_widget_set_sensitive (button, done->n_hints < g_strv_length (step->hints));
}

/* Updates the parts that answers, hints and verdicts change; the rest stays, with the keyboard
 * focus. */
static void
update_body (GobanLessonPane *self)
{
  GtkBox *box = GTK_BOX (self->body);
  const GobanLessonStep *step = goban_lesson_state_get_content (self->state);

  if (step->answers[0] != NULL)
    update_question (self, box, step);
  if (step->check == NULL && step->rivals == NULL)
    return;
  update_verdict (self, box, step);
  update_hints (self, box, step);
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
  const GobanLessonStep *step = goban_lesson_state_get_content (self->state);
  GtkBox *box = GTK_BOX (self->body);
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));
  GtkWidget *focus = root != NULL ? gtk_root_get_focus (root) : NULL;
  gboolean had_focus = focus != NULL && gtk_widget_is_ancestor (focus, self->body);

  goban_remove_children (self->body);
  add_label (box, step->title, "lesson-step");
  add_text (self, box, step->text, NULL);
  add_point (box, step);
  if (step->answers[0] != NULL)
    add_question (self, box, step);
  if (step->check != NULL || step->rivals != NULL)
    add_task (self, box, step);
  update_body (self);
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

/* "3  Contention ✓", and "6 min" at its right; the next one that is not finished stands out. */
static void
fill_list (GobanLessonPane *self)
{
  g_autoptr (GPtrArray) lessons = goban_lesson_list_load (NULL);
  gboolean has_next = FALSE;

  goban_remove_children (self->lessons);
  for (guint i = 0; i < lessons->len; i++)
    {
      const GobanLesson *lesson = lessons->pdata[i];
      gboolean is_finished = g_hash_table_contains (self->finished, lesson->name);
      g_autofree char *time
          = lesson->minutes > 0 ? g_strdup_printf (_ ("%u min"), lesson->minutes) : NULL;
      g_autofree char *text
          = g_strdup_printf ("%u  %s%s", i + 1, lesson->title, is_finished ? " ✓" : "");
      GtkWidget *button = gtk_button_new ();
      GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
      GtkWidget *label = gtk_label_new (text), *minutes = gtk_label_new (time);

      gtk_label_set_xalign (GTK_LABEL (label), 0);
      gtk_label_set_wrap (GTK_LABEL (label), TRUE);
      gtk_widget_set_hexpand (label, TRUE);
      gtk_widget_add_css_class (minutes, "note");
      gtk_box_append (GTK_BOX (row), label);
      gtk_box_append (GTK_BOX (row), minutes);
      gtk_button_set_child (GTK_BUTTON (button), row);
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
    update_body (self);
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
  goban_remove_children (GTK_WIDGET (object));

  G_OBJECT_CLASS (goban_lesson_pane_parent_class)->dispose (object);
}

static void
goban_lesson_pane_class_init (GobanLessonPaneClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = goban_lesson_pane_dispose;
  widget_class->map = goban_lesson_pane_map;
  goban_signal_add (klass, "term", 1, G_TYPE_STRING);
  gtk_widget_class_set_css_name (widget_class, "lessonpane");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_GROUP);
  goban_template_set (widget_class, "lessons/lesson-pane.ui");
  GOBAN_TEMPLATE_CHILDREN (widget_class, GobanLessonPane, pages, lessons, title, progress, scrolled,
                           body, back, place, next);
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
  GOBAN_CONNECT (self->state, "changed", changed_cb, self);
  GOBAN_CONNECT (session, "notify::current-run", run_changed_cb, self);
  return GTK_WIDGET (self);
}

void
goban_lesson_pane_set_evaluator (GobanLessonPane *self, GobanEvaluatorFunc make)
{
  g_return_if_fail (GOBAN_IS_LESSON_PANE (self));

  self->make = make;
}
