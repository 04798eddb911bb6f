#include "ui/dialogs/export-dialog.h"

#include "engine/core/i18n.h"
#include "ui/draw/export/film.h"
#include "ui/widgets/template.h"
#include "ui/widgets/text.h"

struct _GobanExportDialog
{
  GtkWindow parent;

  GobanSettings *settings; /* borrowed, (nullable) */
  GobanJob *job;           /* (nullable): the running export */

  GtkWidget *form;
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

G_DEFINE_FINAL_TYPE (GobanExportDialog, goban_export_dialog, GTK_TYPE_WINDOW)

static const char *const suffixes[] = { ".svg", ".png", ".pdf" };

/* --- stored choices --------------------------------------------------------------------------- */

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
  return gtk_widget_get_visible (control) && gtk_switch_get_active (GTK_SWITCH (control));
}

gboolean
goban_export_is_film (GobanExportWhat what)
{
  return what == GOBAN_EXPORT_FILM || what == GOBAN_EXPORT_STEPS;
}

GobanExportRequest
goban_export_dialog_get_request (GobanExportDialog *self)
{
  GobanExportRequest request = { 0 };

  g_return_val_if_fail (GOBAN_IS_EXPORT_DIALOG (self), request);

  request.what = (GobanExportWhat) MIN (get_choice (self->what), GOBAN_EXPORT_PLAN);
  request.suffix = request.what == GOBAN_EXPORT_TABLE    ? ".csv"
                   : request.what == GOBAN_EXPORT_PAGE   ? ".html"
                   : goban_export_is_film (request.what) ? goban_film_get_usual_ending ()
                                                         : suffixes[get_choice (self->format)];
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
    goban_show_progress (self->progress, fraction, NULL);
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
  gtk_widget_set_sensitive (self->form, FALSE);
  gtk_widget_set_sensitive (self->start, FALSE);
  gtk_widget_set_visible (self->progress, TRUE);
  gtk_button_set_label (GTK_BUTTON (self->stop), _ ("_Stop"));
  GOBAN_CONNECT (job, "notify::fraction", fraction_cb, self);
  GOBAN_CONNECT (job, "done", done_cb, self);
}

/* --- the window ------------------------------------------------------------------------------- */

static void
start_cb (GobanExportDialog *self)
{
  remember (self);
  g_signal_emit_by_name (self, "export");
}

/* Shows or hides a control with its label, which is before it. */
static void
offer (GtkWidget *control, gboolean is_offered)
{
  gtk_widget_set_visible (control, is_offered);
  gtk_widget_set_visible (gtk_widget_get_prev_sibling (control), is_offered);
}

/* Hides choices that another choice makes pointless. */
static void
choice_cb (GobanExportDialog *self)
{
  GobanExportWhat what = (GobanExportWhat) get_choice (self->what);
  gboolean is_picture = what < GOBAN_EXPORT_TABLE;
  GtkWidget *const of_films[] = { self->theme, self->width, self->height };
  GtkWidget *const of_pictures[] = { self->format, self->scale, self->transparent };

  for (guint i = 0; i < G_N_ELEMENTS (of_films); i++)
    offer (of_films[i], is_picture || goban_export_is_film (what));
  for (guint i = 0; i < G_N_ELEMENTS (of_pictures); i++)
    offer (of_pictures[i], is_picture);
  offer (self->part, what < GOBAN_EXPORT_PAGE);
  offer (self->histogram, what == GOBAN_EXPORT_GRAPH);
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

/* 0 is a size that suits the content. */
static gboolean
show_size_cb (GtkSpinButton *number)
{
  g_autofree char *text = NULL;

  if (gtk_spin_button_get_value (number) > 0)
    return FALSE;
  if (g_strcmp0 (gtk_editable_get_text (GTK_EDITABLE (number)), _ ("Automatic")) != 0)
    gtk_editable_set_text (GTK_EDITABLE (number), _ ("Automatic"));
  return TRUE;
}

static int
read_size_cb (GtkSpinButton *number, double *value)
{
  const char *text = gtk_editable_get_text (GTK_EDITABLE (number));
  char *end;

  *value = g_ascii_strtod (text, &end);
  if (end == text)
    *value = 0;
  return TRUE;
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
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = goban_export_dialog_dispose;
  goban_signal_add (klass, "export", 0);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Escape, 0, "window.close", NULL);
  goban_template_set (widget_class, "dialogs/export-dialog.ui");
  GOBAN_TEMPLATE_CHILDREN (widget_class, GobanExportDialog, form, what, part, format, theme, width,
                           height, scale, transparent, histogram, progress, stop, start);
  GOBAN_TEMPLATE_CALLBACKS (widget_class, choice_cb, show_size_cb, read_size_cb, start_cb);
}

static void
goban_export_dialog_init (GobanExportDialog *self)
{
  goban_template_init (GTK_WIDGET (self));
  gtk_spin_button_set_range (GTK_SPIN_BUTTON (self->width), 0, GOBAN_MAX_EXPORT_SIDE);
  gtk_spin_button_set_range (GTK_SPIN_BUTTON (self->height), 0, GOBAN_MAX_EXPORT_SIDE);
  show_size_cb (GTK_SPIN_BUTTON (self->width));
  show_size_cb (GTK_SPIN_BUTTON (self->height));
  add_targets (self);
  choice_cb (self);
}

GtkWidget *
goban_export_dialog_new (GtkWindow *parent, GobanSettings *settings)
{
  GobanExportDialog *self = g_object_new (GOBAN_TYPE_EXPORT_DIALOG, "transient-for", parent, NULL);

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
