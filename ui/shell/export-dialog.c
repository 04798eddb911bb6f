#include "ui/shell/export-dialog.h"

#include "engine/base/i18n.h"
#include "ui/widgets/text.h"

#define SPACING 12
#define MOST_SCALE 16

struct _GobanExportDialog
{
  GtkWindow parent;

  GobanSettings *settings; /* borrowed, (nullable) */
  GobanJob *job;           /* (nullable): what is being written */

  GtkGrid *grid;
  GtkWidget *what;
  GtkWidget *part;
  GtkWidget *format;
  GtkWidget *theme;
  GtkWidget *width;
  GtkWidget *height;
  GtkWidget *scale;
  GtkWidget *transparent;
  GtkWidget *histogram;
  GtkWidget *progress;
  GtkWidget *stop;
  GtkWidget *start;
};

enum
{
  EXPORT,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (GobanExportDialog, goban_export_dialog, GTK_TYPE_WINDOW)

static const char *const suffixes[] = { ".svg", ".png", ".pdf" };

/* --- what was chosen -------------------------------------------------------------------------- */

static guint
get_choice (GtkWidget *choice)
{
  return gtk_drop_down_get_selected (GTK_DROP_DOWN (choice));
}

static double
get_number (GtkWidget *number)
{
  return gtk_spin_button_get_value (GTK_SPIN_BUTTON (number));
}

static gboolean
is_on (GtkWidget *control)
{
  return gtk_widget_get_sensitive (control) && gtk_switch_get_active (GTK_SWITCH (control));
}

GobanExportRequest
goban_export_dialog_get_request (GobanExportDialog *self)
{
  GobanExportRequest request = { 0 };

  g_return_val_if_fail (GOBAN_IS_EXPORT_DIALOG (self), request);

  request.what = (GobanExportWhat) MIN (get_choice (self->what), GOBAN_EXPORT_PLAN);
  request.suffix
      = request.what == GOBAN_EXPORT_TABLE ? ".csv" : suffixes[get_choice (self->format)];
  if (request.what == GOBAN_EXPORT_PLAN)
    {
      gsize n;

      request.target = goban_apply_targets (&n)[get_choice (self->what) - GOBAN_EXPORT_PLAN];
      request.suffix = NULL;
    }
  request.only_seen = get_choice (self->part) == 1;
  request.options = (GobanExportOptions){
    .theme = get_choice (self->theme) == 1 ? GOBAN_THEME_DARK : GOBAN_THEME_LIGHT,
    .width = get_number (self->width),
    .height = get_number (self->height),
    .scale = get_number (self->scale),
    .is_transparent = is_on (self->transparent),
    .has_histogram = is_on (self->histogram),
  };
  return request;
}

static void
remember (GobanExportDialog *self)
{
  if (self->settings == NULL)
    return;
  goban_settings_set_int (self->settings, GOBAN_SETTING_EXPORT_FORMAT,
                          (int) get_choice (self->format));
  goban_settings_set_boolean (self->settings, GOBAN_SETTING_EXPORT_SEEN,
                              get_choice (self->part) == 1);
  goban_settings_set_boolean (self->settings, GOBAN_SETTING_EXPORT_DARK,
                              get_choice (self->theme) == 1);
  goban_settings_set_boolean (self->settings, GOBAN_SETTING_EXPORT_TRANSPARENT,
                              gtk_switch_get_active (GTK_SWITCH (self->transparent)));
  goban_settings_set_boolean (self->settings, GOBAN_SETTING_EXPORT_HISTOGRAM,
                              gtk_switch_get_active (GTK_SWITCH (self->histogram)));
  goban_settings_set_int (self->settings, GOBAN_SETTING_EXPORT_PERCENT,
                          (int) (get_number (self->scale) * 100 + 0.5));
  goban_settings_set_int (self->settings, GOBAN_SETTING_EXPORT_WIDTH,
                          (int) get_number (self->width));
  goban_settings_set_int (self->settings, GOBAN_SETTING_EXPORT_HEIGHT,
                          (int) get_number (self->height));
}

static void
recall (GobanExportDialog *self)
{
  GobanSettings *settings = self->settings;

  if (settings == NULL)
    return;
  gtk_drop_down_set_selected (
      GTK_DROP_DOWN (self->format),
      (guint) CLAMP (goban_settings_get_int (settings, GOBAN_SETTING_EXPORT_FORMAT), 0, 2));
  gtk_drop_down_set_selected (GTK_DROP_DOWN (self->part),
                              goban_settings_get_boolean (settings, GOBAN_SETTING_EXPORT_SEEN));
  gtk_drop_down_set_selected (GTK_DROP_DOWN (self->theme),
                              goban_settings_get_boolean (settings, GOBAN_SETTING_EXPORT_DARK));
  gtk_switch_set_active (GTK_SWITCH (self->transparent),
                         goban_settings_get_boolean (settings, GOBAN_SETTING_EXPORT_TRANSPARENT));
  gtk_switch_set_active (GTK_SWITCH (self->histogram),
                         goban_settings_get_boolean (settings, GOBAN_SETTING_EXPORT_HISTOGRAM));
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (self->scale),
                             goban_settings_get_int (settings, GOBAN_SETTING_EXPORT_PERCENT)
                                 / 100.0);
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (self->width),
                             goban_settings_get_int (settings, GOBAN_SETTING_EXPORT_WIDTH));
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (self->height),
                             goban_settings_get_int (settings, GOBAN_SETTING_EXPORT_HEIGHT));
}

/* --- while it is written ---------------------------------------------------------------------- */

static void
fraction_cb (GobanExportDialog *self)
{
  double fraction = goban_job_get_fraction (self->job);

  if (fraction >= 0)
    gtk_progress_bar_set_fraction (GTK_PROGRESS_BAR (self->progress), CLAMP (fraction, 0, 1));
  else
    gtk_progress_bar_pulse (GTK_PROGRESS_BAR (self->progress));
}

static void
done_cb (GobanExportDialog *self)
{
  g_clear_object (&self->job);
  gtk_window_destroy (GTK_WINDOW (self));
}

void
goban_export_dialog_follow (GobanExportDialog *self, GobanJob *job)
{
  g_return_if_fail (GOBAN_IS_EXPORT_DIALOG (self));
  g_return_if_fail (self->job == NULL);

  self->job = g_object_ref (job);
  gtk_widget_set_sensitive (GTK_WIDGET (self->grid), FALSE);
  gtk_widget_set_sensitive (self->start, FALSE);
  gtk_widget_set_visible (self->progress, TRUE);
  gtk_button_set_label (GTK_BUTTON (self->stop), _ ("_Stop"));
  g_signal_connect_object (job, "notify::fraction", G_CALLBACK (fraction_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (job, "done", G_CALLBACK (done_cb), self, G_CONNECT_SWAPPED);
}

/* --- the window ------------------------------------------------------------------------------- */

static void
start_cb (GobanExportDialog *self)
{
  remember (self);
  g_signal_emit (self, signals[EXPORT], 0);
}

/* What a choice makes pointless cannot be chosen. */
static void
choice_cb (GobanExportDialog *self)
{
  GobanExportWhat what = (GobanExportWhat) get_choice (self->what);
  GtkWidget *const of_pictures[]
      = { self->format, self->theme, self->width, self->height, self->scale, self->transparent };

  for (guint i = 0; i < G_N_ELEMENTS (of_pictures); i++)
    gtk_widget_set_sensitive (of_pictures[i], what < GOBAN_EXPORT_TABLE);
  gtk_widget_set_sensitive (self->part, what < GOBAN_EXPORT_PLAN);
  gtk_widget_set_sensitive (self->histogram, what == GOBAN_EXPORT_GRAPH);
}

/* One more choice for each framework. */
static void
add_targets (GobanExportDialog *self)
{
  GListModel *whats = gtk_drop_down_get_model (GTK_DROP_DOWN (self->what));
  gsize n;
  const GobanApplyTarget *const *targets = goban_apply_targets (&n);

  for (gsize i = 0; i < n; i++)
    {
      g_autofree char *text
          = g_strdup_printf (_ ("The plan for %s (%s)"), goban_apply_get_framework (targets[i]),
                             goban_apply_get_name (targets[i]));

      gtk_string_list_append (GTK_STRING_LIST (whats), text);
    }
}

static GtkWidget *
new_choice (GobanExportDialog *self, const char *const *words)
{
  GtkWidget *choice = gtk_drop_down_new_from_strings (words);

  g_signal_connect_object (choice, "notify::selected", G_CALLBACK (choice_cb), self,
                           G_CONNECT_SWAPPED);
  return choice;
}

/* 0 is a size that suits the content. */
static gboolean
show_size_cb (GtkSpinButton *number, gpointer user_data)
{
  g_autofree char *text = NULL;

  if (gtk_spin_button_get_value (number) > 0)
    return FALSE;
  if (g_strcmp0 (gtk_editable_get_text (GTK_EDITABLE (number)), _ ("Automatic")) != 0)
    gtk_editable_set_text (GTK_EDITABLE (number), _ ("Automatic"));
  return TRUE;
}

static int
read_size_cb (GtkSpinButton *number, double *value, gpointer user_data)
{
  const char *text = gtk_editable_get_text (GTK_EDITABLE (number));
  char *end;

  *value = g_ascii_strtod (text, &end);
  if (end == text)
    *value = 0;
  return TRUE;
}

static GtkWidget *
new_size (void)
{
  GtkWidget *number = gtk_spin_button_new_with_range (0, GOBAN_MAX_EXPORT_SIDE, 100);

  gtk_spin_button_set_snap_to_ticks (GTK_SPIN_BUTTON (number), FALSE);
  gtk_editable_set_width_chars (GTK_EDITABLE (number), 12);
  g_signal_connect (number, "output", G_CALLBACK (show_size_cb), NULL);
  g_signal_connect (number, "input", G_CALLBACK (read_size_cb), NULL);
  gtk_editable_set_text (GTK_EDITABLE (number), _ ("Automatic"));
  return number;
}

static void
build_rows (GobanExportDialog *self)
{
  const char *const whats[]
      = { _ ("The graph"), _ ("The timeline"), _ ("The table of nodes"), NULL };
  const char *const parts[] = { _ ("The whole"), _ ("Visible part"), NULL };
  static const char *const formats[] = { "SVG", "PNG", "PDF", NULL };
  const char *const themes[] = { _ ("Light"), _ ("Dark"), NULL };

  self->what = new_choice (self, whats);
  self->part = new_choice (self, parts);
  self->format = new_choice (self, formats);
  self->theme = new_choice (self, themes);
  self->width = new_size ();
  self->height = new_size ();
  self->scale = gtk_spin_button_new_with_range (0.25, MOST_SCALE, 0.25);
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (self->scale), 1);
  self->transparent = gtk_switch_new ();
  self->histogram = gtk_switch_new ();
  goban_attach_control (self->grid, 0, _ ("_What"), self->what);
  goban_attach_control (self->grid, 1, _ ("_Part"), self->part);
  goban_attach_control (self->grid, 2, _ ("_Format"), self->format);
  goban_attach_control (self->grid, 3, _ ("_Colours"), self->theme);
  goban_attach_control (self->grid, 4, _ ("Wi_dth, in pixels"), self->width);
  goban_attach_control (self->grid, 5, _ ("_Height, in pixels"), self->height);
  goban_attach_control (self->grid, 6, _ ("_Scale of text and lines"), self->scale);
  goban_attach_control (self->grid, 7, _ ("_No background"), self->transparent);
  goban_attach_control (self->grid, 8, _ ("_Histogram of the values"), self->histogram);
}

static GtkWidget *
build_buttons (GobanExportDialog *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, SPACING);

  self->progress = gtk_progress_bar_new ();
  gtk_widget_set_hexpand (self->progress, TRUE);
  gtk_widget_set_valign (self->progress, GTK_ALIGN_CENTER);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->progress), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("How much of the picture is written"), -1);
  self->stop = gtk_button_new_with_mnemonic (_ ("C_ancel"));
  gtk_actionable_set_action_name (GTK_ACTIONABLE (self->stop), "window.close");
  self->start = gtk_button_new_with_mnemonic (_ ("E_xport…"));
  gtk_widget_add_css_class (self->start, "suggested-action");
  g_signal_connect_object (self->start, "clicked", G_CALLBACK (start_cb), self, G_CONNECT_SWAPPED);
  gtk_box_append (GTK_BOX (box), self->progress);
  gtk_widget_set_visible (self->progress, FALSE);
  gtk_widget_set_halign (box, GTK_ALIGN_FILL);
  gtk_box_append (GTK_BOX (box), self->stop);
  gtk_box_append (GTK_BOX (box), self->start);
  gtk_widget_set_hexpand (self->stop, TRUE);
  gtk_widget_set_halign (self->stop, GTK_ALIGN_END);
  return box;
}

static void
goban_export_dialog_dispose (GObject *object)
{
  GobanExportDialog *self = GOBAN_EXPORT_DIALOG (object);

  if (self->job != NULL)
    goban_job_cancel (self->job);
  g_clear_object (&self->job);

  G_OBJECT_CLASS (goban_export_dialog_parent_class)->dispose (object);
}

static void
goban_export_dialog_class_init (GobanExportDialogClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = goban_export_dialog_dispose;
  signals[EXPORT] = g_signal_new ("export", GOBAN_TYPE_EXPORT_DIALOG, G_SIGNAL_RUN_LAST, 0, NULL,
                                  NULL, NULL, G_TYPE_NONE, 0);
  gtk_widget_class_add_binding_action (GTK_WIDGET_CLASS (klass), GDK_KEY_Escape, 0, "window.close",
                                       NULL);
}

static void
goban_export_dialog_init (GobanExportDialog *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 2 * SPACING);

  self->grid = GTK_GRID (gtk_grid_new ());
  gtk_grid_set_row_spacing (self->grid, SPACING);
  gtk_grid_set_column_spacing (self->grid, 2 * SPACING);
  gtk_widget_set_margin_top (box, 20);
  gtk_widget_set_margin_bottom (box, 20);
  gtk_widget_set_margin_start (box, 20);
  gtk_widget_set_margin_end (box, 20);
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->grid));
  build_rows (self);
  gtk_box_append (GTK_BOX (box), build_buttons (self));
  gtk_window_set_child (GTK_WINDOW (self), box);
  gtk_window_set_default_widget (GTK_WINDOW (self), self->start);
  add_targets (self);
  choice_cb (self);
}

GtkWidget *
goban_export_dialog_new (GtkWindow *parent, GobanSettings *settings)
{
  GobanExportDialog *self
      = g_object_new (GOBAN_TYPE_EXPORT_DIALOG, "title", _ ("Export"), "transient-for", parent,
                      "destroy-with-parent", TRUE, "resizable", FALSE, "default-width", 420, NULL);

  self->settings = settings;
  recall (self);
  return GTK_WIDGET (self);
}

void
goban_export_dialog_set_what (GobanExportDialog *self, guint what)
{
  g_return_if_fail (GOBAN_IS_EXPORT_DIALOG (self));

  if (self->job == NULL)
    gtk_drop_down_set_selected (GTK_DROP_DOWN (self->what), what);
}
