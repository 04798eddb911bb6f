#include "ui/shell/task-choice.h"

#include "engine/base/i18n.h"
struct _GobanTaskChoice
{
  GtkBox parent;

  GtkWidget *checks[GOBAN_N_DECISIONS];
};

G_DEFINE_FINAL_TYPE (GobanTaskChoice, goban_task_choice, GTK_TYPE_BOX)

/* In display order. */
static const struct
{
  GobanDecision decision;
  const char *label;
  const char *tooltip;
} tasks[] = {
  { GOBAN_DECIDE_PLACEMENT, N_ ("_Placement"), N_ ("On which device each op runs") },
  { GOBAN_DECIDE_SCHEDULING, N_ ("_Scheduling"),
    N_ ("In which order the ops of a device run; else by upward rank") },
  { GOBAN_DECIDE_FUSION, N_ ("_Fusion"),
    N_ ("Which ops run as one kernel; else each is one of its own") },
};

/* Who decides nothing has no plan: the last one stays. */
static void
toggled_cb (GtkCheckButton *check, GobanTaskChoice *self)
{
  if (goban_task_choice_get (self) == 0)
    gtk_check_button_set_active (check, TRUE);
}

static void
goban_task_choice_class_init (GobanTaskChoiceClass *klass)
{
}

static void
goban_task_choice_init (GobanTaskChoice *self)
{
  GtkWidget *title = gtk_label_new (_ ("GO decides"));

  gtk_box_set_spacing (GTK_BOX (self), 14);
  gtk_widget_add_css_class (title, "heading");
  gtk_widget_set_tooltip_text (title, _ ("The other policies decide what they are made for"));
  gtk_box_append (GTK_BOX (self), title);
  for (gsize i = 0; i < G_N_ELEMENTS (tasks); i++)
    {
      GtkWidget *check = gtk_check_button_new_with_mnemonic (_ (tasks[i].label));

      self->checks[tasks[i].decision] = check;
      gtk_widget_set_tooltip_text (check, _ (tasks[i].tooltip));
      gtk_box_append (GTK_BOX (self), check);
    }
  goban_task_choice_set (self, GOBAN_DECISIONS_DEFAULT);
  for (gsize i = 0; i < G_N_ELEMENTS (tasks); i++)
    g_signal_connect (self->checks[tasks[i].decision], "toggled", G_CALLBACK (toggled_cb), self);
}

GtkWidget *
goban_task_choice_new (void)
{
  return g_object_new (GOBAN_TYPE_TASK_CHOICE, NULL);
}

GobanDecisions
goban_task_choice_get (GobanTaskChoice *self)
{
  GobanDecisions decisions = 0;

  g_return_val_if_fail (GOBAN_IS_TASK_CHOICE (self), 0);

  for (guint i = 0; i < GOBAN_N_DECISIONS; i++)
    if (gtk_check_button_get_active (GTK_CHECK_BUTTON (self->checks[i])))
      decisions |= 1u << i;
  return decisions;
}

void
goban_task_choice_set (GobanTaskChoice *self, GobanDecisions decisions)
{
  g_return_if_fail (GOBAN_IS_TASK_CHOICE (self) && (decisions & GOBAN_DECISIONS_ALL) != 0);

  /* First those that are decided, so that there always is one. */
  for (guint i = 0; i < GOBAN_N_DECISIONS; i++)
    if (goban_decisions_have (decisions, i))
      gtk_check_button_set_active (GTK_CHECK_BUTTON (self->checks[i]), TRUE);
  for (guint i = 0; i < GOBAN_N_DECISIONS; i++)
    if (!goban_decisions_have (decisions, i))
      gtk_check_button_set_active (GTK_CHECK_BUTTON (self->checks[i]), FALSE);
}
