#include "ui/steps/fork-popover.h"

#include "engine/analysis/fork.h"
#include "engine/base/i18n.h"
#include "ui/widgets/text.h"

#define MAX_EVALUATIONS 1e9
#define FIRST_EVALUATIONS 1000

struct _GobanForkPopover
{
  GtkPopover parent;

  const char **policies;
  GtkWidget *policy;
  GtkWidget *evaluations;
};

G_DEFINE_FINAL_TYPE (GobanForkPopover, goban_fork_popover, GTK_TYPE_POPOVER)

void
goban_fork_popover_start (GobanForkPopover *self)
{
  guint at;

  g_return_if_fail (GOBAN_IS_FORK_POPOVER (self));

  at = gtk_drop_down_get_selected (GTK_DROP_DOWN (self->policy));
  if (at == GTK_INVALID_LIST_POSITION)
    return;
  /* What is typed counts without a Tab after it. */
  gtk_spin_button_update (GTK_SPIN_BUTTON (self->evaluations));
  gtk_widget_activate_action (
      GTK_WIDGET (self), "win.fork", "(st)", self->policies[at],
      (guint64) gtk_spin_button_get_value (GTK_SPIN_BUTTON (self->evaluations)));
  gtk_popover_popdown (GTK_POPOVER (self));
}

void
goban_fork_popover_set (GobanForkPopover *self, const char *policy, guint64 n_evaluations)
{
  g_return_if_fail (GOBAN_IS_FORK_POPOVER (self));

  for (guint i = 0; self->policies[i] != NULL; i++)
    if (g_str_equal (self->policies[i], policy))
      gtk_drop_down_set_selected (GTK_DROP_DOWN (self->policy), i);
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (self->evaluations), (double) n_evaluations);
}

/* --- building --------------------------------------------------------------------------------- */

static GtkWidget *
build_choices (GobanForkPopover *self)
{
  GtkWidget *grid = gtk_grid_new ();

  self->policy = gtk_drop_down_new_from_strings (self->policies);
  self->evaluations = gtk_spin_button_new_with_range (1, MAX_EVALUATIONS, 100);
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (self->evaluations), FIRST_EVALUATIONS);
  g_signal_connect_swapped (gtk_editable_get_delegate (GTK_EDITABLE (self->evaluations)),
                            "activate", G_CALLBACK (goban_fork_popover_start), self);
  goban_attach_control (GTK_GRID (grid), 0, _ ("_Policy"), self->policy);
  goban_attach_control (GTK_GRID (grid), 1, _ ("_Simulations"), self->evaluations);
  gtk_grid_set_row_spacing (GTK_GRID (grid), 6);
  gtk_grid_set_column_spacing (GTK_GRID (grid), 12);
  return grid;
}

static void
build (GobanForkPopover *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 10);
  GtkWidget *note = gtk_label_new (_ ("The search begins with the plan of this step. Its best plan "
                                      "is added to the list."));
  GtkWidget *start = gtk_button_new_with_mnemonic (_ ("_Continue"));

  gtk_label_set_xalign (GTK_LABEL (note), 0.0);
  gtk_label_set_wrap (GTK_LABEL (note), TRUE);
  gtk_label_set_max_width_chars (GTK_LABEL (note), 36);
  gtk_widget_add_css_class (note, "note");
  gtk_widget_add_css_class (start, "suggested-action");
  gtk_widget_set_halign (start, GTK_ALIGN_END);
  g_signal_connect_swapped (start, "clicked", G_CALLBACK (goban_fork_popover_start), self);
  gtk_box_append (GTK_BOX (box), build_choices (self));
  gtk_box_append (GTK_BOX (box), note);
  gtk_box_append (GTK_BOX (box), start);
  gtk_widget_set_margin_top (box, 8);
  gtk_widget_set_margin_bottom (box, 8);
  gtk_widget_set_margin_start (box, 8);
  gtk_widget_set_margin_end (box, 8);
  gtk_popover_set_child (GTK_POPOVER (self), box);
}

/* Scripts may have added policies since it was last shown. */
static void
show_cb (GobanForkPopover *self)
{
  const char **policies = goban_fork_list_policies ();
  guint at = gtk_drop_down_get_selected (GTK_DROP_DOWN (self->policy));
  const char *chosen = at != GTK_INVALID_LIST_POSITION ? self->policies[at] : policies[0];
  GtkStringList *names;

  if (g_strv_equal ((const char *const *) policies, (const char *const *) self->policies))
    {
      g_free (policies);
      return;
    }
  names = gtk_string_list_new (policies);
  gtk_drop_down_set_model (GTK_DROP_DOWN (self->policy), G_LIST_MODEL (names));
  g_object_unref (names);
  g_free (self->policies);
  self->policies = policies;
  for (guint i = 0; policies[i] != NULL; i++)
    if (g_str_equal (policies[i], chosen))
      gtk_drop_down_set_selected (GTK_DROP_DOWN (self->policy), i);
}

/* --- life ------------------------------------------------------------------------------------- */

static void
goban_fork_popover_finalize (GObject *object)
{
  g_clear_pointer (&GOBAN_FORK_POPOVER (object)->policies, g_free);

  G_OBJECT_CLASS (goban_fork_popover_parent_class)->finalize (object);
}

static void
goban_fork_popover_class_init (GobanForkPopoverClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = goban_fork_popover_finalize;
}

static void
goban_fork_popover_init (GobanForkPopover *self)
{
  self->policies = goban_fork_list_policies ();
  build (self);
  g_signal_connect (self, "show", G_CALLBACK (show_cb), NULL);
}

GtkWidget *
goban_fork_popover_new (void)
{
  return g_object_new (GOBAN_TYPE_FORK_POPOVER, NULL);
}
