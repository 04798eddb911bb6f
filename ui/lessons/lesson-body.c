#include "ui/lessons/lesson-body.h"

#include "engine/core/i18n.h"
#include "ui/lessons/lesson-ring.h"

/* Parts of the box that change, by their names. */
#define REASON "reason"
#define VERDICT "verdict"
#define HINTS "hints"
#define HINT_BUTTON "hint-button"
#define SOLVE_BUTTON "solve-button"

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
add_text (const GobanLessonBody *self, GtkBox *box, const char *text, const char *css)
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
      g_signal_connect (label, "activate-link", self->follow, self->data);
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
add_question (const GobanLessonBody *self, GtkBox *box, const GobanLessonStep *step)
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
  g_signal_connect (reason, "activate-link", self->follow, self->data);
}

static void
update_question (const GobanLessonBody *self, GtkBox *box, const GobanLessonStep *step)
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
add_task (const GobanLessonBody *self, GtkBox *box, const GobanLessonStep *step)
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
update_verdict (const GobanLessonBody *self, GtkBox *box, const GobanLessonStep *step)
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
update_hints (const GobanLessonBody *self, GtkBox *box, const GobanLessonStep *step)
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

/* --- all of it ------------------------------------------------------------------------------- */

void
goban_lesson_body_update (const GobanLessonBody *self, GtkBox *box)
{
  const GobanLessonStep *step = goban_lesson_state_get_content (self->state);

  if (step->answers[0] != NULL)
    update_question (self, box, step);
  if (step->check == NULL && step->rivals == NULL)
    return;
  update_verdict (self, box, step);
  update_hints (self, box, step);
}

void
goban_lesson_body_fill (const GobanLessonBody *self, GtkBox *box)
{
  const GobanLessonStep *step = goban_lesson_state_get_content (self->state);
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (GTK_WIDGET (box))) != NULL)
    gtk_box_remove (box, child);
  add_label (box, step->title, "lesson-step");
  add_text (self, box, step->text, NULL);
  add_point (box, step);
  if (step->answers[0] != NULL)
    add_question (self, box, step);
  if (step->check != NULL || step->rivals != NULL)
    add_task (self, box, step);
  goban_lesson_body_update (self, box);
}
