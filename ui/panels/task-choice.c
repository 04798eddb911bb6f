#include "ui/panels/task-choice.h"

#include "ui/widgets/template.h"

struct _GobanTaskChoice
{
  GtkBox parent;

  GtkWidget *checks[GOBAN_N_TASKS];
};

G_DEFINE_FINAL_TYPE (GobanTaskChoice, goban_task_choice, GTK_TYPE_BOX)

/* Who decides nothing has no plan: the last one stays. */
static void
toggled_cb (GobanTaskChoice *self, GtkCheckButton *check)
{
  if (goban_task_choice_get (self) == 0)
    gtk_check_button_set_active (check, TRUE);
}

static void
goban_task_choice_class_init (GobanTaskChoiceClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  goban_template_set (widget_class, "panels/task-choice.ui");
  GOBAN_TEMPLATE_BIND (widget_class, GobanTaskChoice, "placement", checks[GOBAN_TASK_PLACEMENT]);
  GOBAN_TEMPLATE_BIND (widget_class, GobanTaskChoice, "scheduling", checks[GOBAN_TASK_SCHEDULING]);
  GOBAN_TEMPLATE_BIND (widget_class, GobanTaskChoice, "fusion", checks[GOBAN_TASK_FUSION]);
  GOBAN_TEMPLATE_CALLBACKS (widget_class, toggled_cb);
}

static void
goban_task_choice_init (GobanTaskChoice *self)
{
  goban_template_init (GTK_WIDGET (self));
  goban_task_choice_set (self, GOBAN_TASKS_DEFAULT);
}

GobanTasks
goban_task_choice_get (GobanTaskChoice *self)
{
  GobanTasks decisions = 0;

  g_return_val_if_fail (GOBAN_IS_TASK_CHOICE (self), 0);

  for (guint i = 0; i < GOBAN_N_TASKS; i++)
    if (gtk_check_button_get_active (GTK_CHECK_BUTTON (self->checks[i])))
      decisions |= 1u << i;
  return decisions;
}

void
goban_task_choice_set (GobanTaskChoice *self, GobanTasks decisions)
{
  g_return_if_fail (GOBAN_IS_TASK_CHOICE (self) && (decisions & GOBAN_TASKS_ALL) != 0);

  /* First those that are decided, so that there always is one. */
  for (guint i = 0; i < GOBAN_N_TASKS; i++)
    if (goban_tasks_have (decisions, i))
      gtk_check_button_set_active (GTK_CHECK_BUTTON (self->checks[i]), TRUE);
  for (guint i = 0; i < GOBAN_N_TASKS; i++)
    if (!goban_tasks_have (decisions, i))
      gtk_check_button_set_active (GTK_CHECK_BUTTON (self->checks[i]), FALSE);
}
