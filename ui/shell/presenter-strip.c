#include "ui/shell/presenter-strip.h"

#include "engine/core/i18n.h"
#include "engine/study/run/run-bounds.h"
#include "ui/widgets/short-label.h"
#include "ui/widgets/swatch.h"
#include "ui/widgets/text.h"
#include "ui/widgets/theme.h"

#include <math.h>

/* More devices do not fit beside the plan. */
#define MOST_DEVICES 8
#define SWATCH_WIDTH 26
#define SWATCH_HEIGHT 17

struct _GobanPresenterStrip
{
  GtkWidget parent;

  GobanSession *session;
  GtkWidget *name;
  GtkWidget *figures;
  GtkWidget *devices; /* a box */
};

G_DEFINE_FINAL_TYPE (GobanPresenterStrip, goban_presenter_strip, GTK_TYPE_WIDGET)

/* "2.212 ms · 1.25× bound". (transfer full) */
static char *
describe (GobanRun *run)
{
  char time[GOBAN_QUANTITY_LEN];
  double ratio = goban_run_get_ratio (run);

  if (!isfinite (ratio))
    return g_strdup (goban_format_makespan (time, run));
  return g_strdup_printf (_ ("%s  ·  %.2f× bound"), goban_format_makespan (time, run), ratio);
}

static void
add_device (GobanPresenterStrip *self, guint device, const char *name)
{
  GtkWidget *entry = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);

  gtk_box_append (GTK_BOX (entry),
                  goban_swatch_new_for_device (goban_theme_of (GTK_WIDGET (self)), device,
                                               SWATCH_WIDTH, SWATCH_HEIGHT));
  gtk_box_append (GTK_BOX (entry), goban_new_label (name));
  gtk_box_append (GTK_BOX (self->devices), entry);
}

static void
update (GobanPresenterStrip *self)
{
  GobanRun *run = goban_session_get_shown_run (self->session);
  GobanCluster *cluster = goban_session_get_cluster (self->session);
  guint n = MIN (goban_cluster_get_n_devices (cluster), MOST_DEVICES);
  g_autofree char *figures = run != NULL ? describe (run) : g_strdup ("");
  GtkWidget *child;

  if (!gtk_widget_get_visible (GTK_WIDGET (self)))
    return;
  goban_short_label_set_text (GOBAN_SHORT_LABEL (self->name),
                              run != NULL ? goban_run_get_name (run) : "");
  goban_set_label_text (self->figures, figures);
  while ((child = gtk_widget_get_first_child (self->devices)) != NULL)
    gtk_box_remove (GTK_BOX (self->devices), child);
  for (guint i = 0; i < n; i++)
    add_device (self, i, goban_cluster_get_device (cluster, i)->name);
}

/* --- construction and disposal ---------------------------------------------------------------- */

static void
goban_presenter_strip_dispose (GObject *object)
{
  GobanPresenterStrip *self = GOBAN_PRESENTER_STRIP (object);
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self))) != NULL)
    gtk_widget_unparent (child);
  g_clear_object (&self->session);
  G_OBJECT_CLASS (goban_presenter_strip_parent_class)->dispose (object);
}

static void
goban_presenter_strip_class_init (GobanPresenterStripClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = goban_presenter_strip_dispose;
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BOX_LAYOUT);
  gtk_widget_class_set_css_name (widget_class, "presenterstrip");
}

static void
goban_presenter_strip_init (GobanPresenterStrip *self)
{
  GtkWidget *parts[3];

  parts[0] = self->name = goban_short_label_new (GOBAN_KEEP_START, 0);
  parts[1] = self->figures = goban_new_label (NULL);
  parts[2] = self->devices = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 14);
  goban_short_label_set_max_chars (GOBAN_SHORT_LABEL (self->name), 30);
  gtk_widget_add_css_class (self->name, "title");
  gtk_widget_add_css_class (self->figures, "numeric");
  gtk_widget_set_hexpand (self->figures, TRUE);
  gtk_label_set_xalign (GTK_LABEL (self->figures), 0);
  gtk_box_layout_set_spacing (GTK_BOX_LAYOUT (gtk_widget_get_layout_manager (GTK_WIDGET (self))),
                              14);
  for (gsize i = 0; i < G_N_ELEMENTS (parts); i++)
    gtk_widget_set_parent (parts[i], GTK_WIDGET (self));
}

GtkWidget *
goban_presenter_strip_new (GobanSession *session)
{
  GobanPresenterStrip *self = g_object_new (GOBAN_TYPE_PRESENTER_STRIP, "visible", FALSE, NULL);

  self->session = g_object_ref (session);
  g_signal_connect_object (session, "notify::shown-run", G_CALLBACK (update), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "notify::cluster", G_CALLBACK (update), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect (self, "notify::visible", G_CALLBACK (update), NULL);
  goban_theme_follow (GTK_WIDGET (self), G_CALLBACK (update));
  return GTK_WIDGET (self);
}
