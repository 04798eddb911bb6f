#include "ui/training/training-dialog.h"

#include "engine/base/i18n.h"
#include "engine/session/chosen-folders.h"
#include "engine/session/log-lines.h"
#include "ui/widgets/text.h"

#include <inttypes.h>

#define SPACING 12
#define MAX_STEPS 1000000

struct _GobanTrainingDialog
{
  GtkWindow parent;

  GtkWidget *network;
  GtkWidget *purpose;
  GtkWidget *steps;
  GtkWidget *seed;
  GtkWidget *output;
  char *path; /* of the options that were asked for last */
};

enum
{
  TRAIN,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (GobanTrainingDialog, goban_training_dialog, GTK_TYPE_WINDOW)

/* --- what is chosen --------------------------------------------------------------------------- */

static const char *
get_network (GobanTrainingDialog *self)
{
  return goban_training_get_networks ()[gtk_drop_down_get_selected (GTK_DROP_DOWN (self->network))];
}

GobanTrainingOptions
goban_training_dialog_get_options (GobanTrainingDialog *self)
{
  GobanTrainingOptions options = goban_training_options_new (NULL);

  g_return_val_if_fail (GOBAN_IS_TRAINING_DIALOG (self), options);

  g_free (self->path);
  self->path = g_strdup (gtk_editable_get_text (GTK_EDITABLE (self->output)));
  options.network = get_network (self);
  options.output = *self->path != '\0' ? self->path : NULL;
  options.n_steps = gtk_spin_button_get_value_as_int (GTK_SPIN_BUTTON (self->steps));
  options.seed = gtk_spin_button_get_value_as_int (GTK_SPIN_BUTTON (self->seed));
  return options;
}

char *
goban_training_dup_code (const GobanTrainingOptions *options)
{
  g_autoptr (GString) code = g_string_new ("job.train{");

  g_string_append_printf (code, " policy = \"%s\"", options->network);
  if (options->output != NULL)
    {
      g_string_append (code, ", output = ");
      goban_log_append_quoted (code, options->output);
    }
  if (options->n_steps > 0)
    g_string_append_printf (code, ", steps = %" PRId64, options->n_steps);
  if (options->seed >= 0)
    g_string_append_printf (code, ", seed = %" PRId64, options->seed);
  g_string_append (code, " }");
  return g_string_free (g_steal_pointer (&code), FALSE);
}

/* A file that is not there yet: "goban-out/builder-2.net". (transfer full) */
static char *
suggest_output (const char *network)
{
  char *path = g_strdup_printf (GOBAN_OUT_FOLDER "/%s.net", network);

  for (guint i = 2; g_file_test (path, G_FILE_TEST_EXISTS); i++)
    {
      g_free (path);
      path = g_strdup_printf (GOBAN_OUT_FOLDER "/%s-%u.net", network, i);
    }
  return path;
}

static void
network_changed_cb (GobanTrainingDialog *self)
{
  g_autofree char *path = suggest_output (get_network (self));

  gtk_label_set_text (GTK_LABEL (self->purpose), goban_training_get_purpose (get_network (self)));
  gtk_editable_set_text (GTK_EDITABLE (self->output), path);
}

void
goban_training_dialog_choose (GobanTrainingDialog *self, guint network)
{
  g_return_if_fail (GOBAN_IS_TRAINING_DIALOG (self));

  gtk_drop_down_set_selected (GTK_DROP_DOWN (self->network), network);
}

void
goban_training_dialog_set_steps (GobanTrainingDialog *self, guint n_steps)
{
  g_return_if_fail (GOBAN_IS_TRAINING_DIALOG (self));

  gtk_spin_button_set_value (GTK_SPIN_BUTTON (self->steps), n_steps);
}

void
goban_training_dialog_confirm (GobanTrainingDialog *self)
{
  g_return_if_fail (GOBAN_IS_TRAINING_DIALOG (self));

  g_signal_emit (self, signals[TRAIN], 0);
  gtk_window_close (GTK_WINDOW (self));
}

/* --- building --------------------------------------------------------------------------------- */

static GtkWidget *
new_number (double least, double most, double value)
{
  GtkWidget *number = gtk_spin_button_new_with_range (least, most, 1);

  gtk_spin_button_set_value (GTK_SPIN_BUTTON (number), value);
  gtk_editable_set_width_chars (GTK_EDITABLE (number), 8);
  return number;
}

static GtkWidget *
build_grid (GobanTrainingDialog *self)
{
  GtkGrid *grid = GTK_GRID (gtk_grid_new ());

  self->network = gtk_drop_down_new_from_strings (goban_training_get_networks ());
  self->purpose = gtk_label_new ("");
  self->steps = new_number (0, MAX_STEPS, 0);
  self->seed = new_number (0, G_MAXINT, 0);
  self->output = gtk_entry_new ();
  gtk_editable_set_width_chars (GTK_EDITABLE (self->output), 30);
  gtk_label_set_xalign (GTK_LABEL (self->purpose), 0.0);
  goban_wrap_label (GTK_LABEL (self->purpose), PANGO_WRAP_WORD_CHAR);
  gtk_widget_add_css_class (self->purpose, "dim-label");
  gtk_widget_set_tooltip_text (self->steps,
                               _ ("0: as many as the network that comes with the program"));
  gtk_grid_set_row_spacing (grid, SPACING);
  gtk_grid_set_column_spacing (grid, SPACING);
  goban_attach_control (grid, 0, _ ("_Network"), self->network);
  gtk_grid_attach (grid, self->purpose, 0, 1, 2, 1);
  goban_attach_control (grid, 2, _ ("_Steps (0: as the shipped one)"), self->steps);
  goban_attach_control (grid, 3, _ ("S_eed"), self->seed);
  goban_attach_control (grid, 4, _ ("_File"), self->output);
  g_signal_connect_object (self->network, "notify::selected", G_CALLBACK (network_changed_cb), self,
                           G_CONNECT_SWAPPED);
  network_changed_cb (self);
  return GTK_WIDGET (grid);
}

static GtkWidget *
build_buttons (GobanTrainingDialog *self)
{
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, SPACING);
  GtkWidget *cancel = gtk_button_new_with_mnemonic (_ ("_Cancel"));
  GtkWidget *train = gtk_button_new_with_mnemonic (_ ("_Train"));

  gtk_widget_set_halign (row, GTK_ALIGN_END);
  gtk_widget_add_css_class (train, "suggested-action");
  g_signal_connect_object (cancel, "clicked", G_CALLBACK (gtk_window_close), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (train, "clicked", G_CALLBACK (goban_training_dialog_confirm), self,
                           G_CONNECT_SWAPPED);
  gtk_box_append (GTK_BOX (row), cancel);
  gtk_box_append (GTK_BOX (row), train);
  gtk_window_set_default_widget (GTK_WINDOW (self), train);
  return row;
}

static void
build (GobanTrainingDialog *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 2 * SPACING);

  gtk_widget_set_margin_top (box, 2 * SPACING);
  gtk_widget_set_margin_bottom (box, 2 * SPACING);
  gtk_widget_set_margin_start (box, 2 * SPACING);
  gtk_widget_set_margin_end (box, 2 * SPACING);
  gtk_box_append (GTK_BOX (box), build_grid (self));
  gtk_box_append (GTK_BOX (box), build_buttons (self));
  gtk_window_set_child (GTK_WINDOW (self), box);
}

/* --- life ------------------------------------------------------------------------------------- */

static void
goban_training_dialog_finalize (GObject *object)
{
  g_free (GOBAN_TRAINING_DIALOG (object)->path);

  G_OBJECT_CLASS (goban_training_dialog_parent_class)->finalize (object);
}

static void
goban_training_dialog_class_init (GobanTrainingDialogClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = goban_training_dialog_finalize;
  signals[TRAIN] = g_signal_new ("train", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                 NULL, NULL, G_TYPE_NONE, 0);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Escape, 0, "window.close", NULL);
}

static void
goban_training_dialog_init (GobanTrainingDialog *self)
{
}

GtkWidget *
goban_training_dialog_new (GtkWindow *parent)
{
  GobanTrainingDialog *self
      = g_object_new (GOBAN_TYPE_TRAINING_DIALOG, "title", _ ("Train a Network"), "transient-for",
                      parent, "modal", TRUE, "resizable", FALSE, "destroy-with-parent", TRUE, NULL);

  build (self);
  return GTK_WIDGET (self);
}
