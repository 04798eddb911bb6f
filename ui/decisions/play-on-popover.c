#include "ui/decisions/play-on-popover.h"

#include "engine/study/analysis/moments/force.h"
#include "ui/widgets/template.h"

struct _GobanPlayOnPopover
{
  GtkPopover parent;

  const char **policies;
  GtkWidget *policy;
  GtkWidget *evaluations;
};

G_DEFINE_FINAL_TYPE (GobanPlayOnPopover, goban_play_on_popover, GTK_TYPE_POPOVER)

void
goban_play_on_popover_start (GobanPlayOnPopover *self)
{
  guint at;

  g_return_if_fail (GOBAN_IS_PLAY_ON_POPOVER (self));

  at = gtk_drop_down_get_selected (GTK_DROP_DOWN (self->policy));
  if (at == GTK_INVALID_LIST_POSITION)
    return;
  /* A typed number counts without a Tab after it. */
  gtk_spin_button_update (GTK_SPIN_BUTTON (self->evaluations));
  gtk_widget_activate_action (
      GTK_WIDGET (self), "win.fork", "(st)", self->policies[at],
      (guint64) gtk_spin_button_get_value (GTK_SPIN_BUTTON (self->evaluations)));
  gtk_popover_popdown (GTK_POPOVER (self));
}

static void
choose (GobanPlayOnPopover *self, const char *policy)
{
  for (guint i = 0; self->policies[i] != NULL; i++)
    if (g_str_equal (self->policies[i], policy))
      gtk_drop_down_set_selected (GTK_DROP_DOWN (self->policy), i);
}

void
goban_play_on_popover_set (GobanPlayOnPopover *self, const char *policy, guint64 n_evaluations)
{
  g_return_if_fail (GOBAN_IS_PLAY_ON_POPOVER (self));

  choose (self, policy);
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (self->evaluations), (double) n_evaluations);
}

/* Consumes @policies. */
static void
take_policies (GobanPlayOnPopover *self, const char **policies)
{
  g_autoptr (GtkStringList) names = gtk_string_list_new (policies);

  gtk_drop_down_set_model (GTK_DROP_DOWN (self->policy), G_LIST_MODEL (names));
  g_free (self->policies);
  self->policies = policies;
}

/* Scripts may have added policies since it was last shown. */
static void
show_cb (GobanPlayOnPopover *self)
{
  const char **policies = goban_fork_list_policies ();
  guint at = gtk_drop_down_get_selected (GTK_DROP_DOWN (self->policy));
  const char *chosen = at != GTK_INVALID_LIST_POSITION ? self->policies[at] : policies[0];

  if (g_strv_equal ((const char *const *) policies, (const char *const *) self->policies))
    {
      g_free (policies);
      return;
    }
  take_policies (self, policies);
  choose (self, chosen);
}

/* --- construction and disposal ---------------------------------------------------------------- */

static void
goban_play_on_popover_finalize (GObject *object)
{
  g_clear_pointer (&GOBAN_PLAY_ON_POPOVER (object)->policies, g_free);

  G_OBJECT_CLASS (goban_play_on_popover_parent_class)->finalize (object);
}

static void
goban_play_on_popover_class_init (GobanPlayOnPopoverClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = goban_play_on_popover_finalize;
  goban_template_set (widget_class, "decisions/play-on-popover.ui");
  GOBAN_TEMPLATE_CHILDREN (widget_class, GobanPlayOnPopover, policy, evaluations);
  GOBAN_TEMPLATE_CALLBACKS (widget_class, goban_play_on_popover_start, show_cb);
}

static void
goban_play_on_popover_init (GobanPlayOnPopover *self)
{
  goban_template_init (GTK_WIDGET (self));
  g_signal_connect_swapped (gtk_editable_get_delegate (GTK_EDITABLE (self->evaluations)),
                            "activate", G_CALLBACK (goban_play_on_popover_start), self);
  take_policies (self, goban_fork_list_policies ());
}

GtkWidget *
goban_play_on_popover_new (void)
{
  return g_object_new (GOBAN_TYPE_PLAY_ON_POPOVER, NULL);
}
