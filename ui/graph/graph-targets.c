#include "ui/graph/graph-targets.h"

#include "engine/core/i18n.h"
#include "engine/core/quantity.h"
#include "ui/widgets/short-label.h"
#include "ui/widgets/signals.h"
#include "ui/widgets/swatch.h"
#include "ui/widgets/text.h"

#include <math.h>

/* Least difference, as a share, that is shown in colour. */
#define LEAST_SHARE 0.0005
/* Lengths of a card's lines. A memory is at most "123.45 MB of 123.45 GB". */
#define MIN_EFFECT_CHARS 9
#define MIN_MEMORY_CHARS 17
#define MAX_CHARS 26
#define MAX_TITLE_CHARS 80

typedef struct
{
  GtkWidget *button;
  GtkWidget *effect;
  GtkWidget *memory;
  GtkWidget *level; /* how full it would be */
  char *text;
} Target;

struct _GobanGraphTargets
{
  GtkWidget parent;

  GtkWidget *box;
  GtkWidget *title;
  GtkWidget *flow;
  GArray *targets; /* of Target */
  GobanSurvey *survey;
  GobanCluster *cluster;
  guint aim;
};

G_DEFINE_FINAL_TYPE (GobanGraphTargets, goban_graph_targets, GTK_TYPE_WIDGET)

static Target *
get_target (GobanGraphTargets *self, guint device)
{
  return &g_array_index (self->targets, Target, device);
}

static void
clear_target (gpointer data)
{
  g_free (((Target *) data)->text);
}

/* --- captions of targets -------------------------------------------------------------------- */

static void
say_effect (Target *target, const GobanOutlook *outlook)
{
  g_autofree char *share = NULL;
  const char *css_class = "same";

  if (outlook->trouble != NULL)
    share = g_strdup ("cannot go there");
  else if (outlook->is_as_it_is)
    share = g_strdup ("as it is");
  else
    share = goban_effect_describe_share (&outlook->effect);

  if (outlook->trouble != NULL || (!outlook->is_as_it_is && !outlook->effect.is_valid))
    css_class = "worse";
  else if (fabs (outlook->effect.share) >= LEAST_SHARE)
    css_class = outlook->effect.share < 0 ? "better" : "worse";
  goban_short_label_set_text (GOBAN_SHORT_LABEL (target->effect), share);
  gtk_widget_remove_css_class (target->effect, "better");
  gtk_widget_remove_css_class (target->effect, "worse");
  gtk_widget_add_css_class (target->effect, css_class);
}

static void
say_memory (Target *target, const GobanOutlook *outlook)
{
  char peak[GOBAN_QUANTITY_LEN], capacity[GOBAN_QUANTITY_LEN];
  gboolean is_limited = isfinite (outlook->capacity_bytes) && outlook->capacity_bytes > 0;
  g_autofree char *text = NULL;

  if (outlook->trouble != NULL)
    return;
  goban_format_bytes (peak, outlook->peak_bytes);
  text = is_limited ? g_strdup_printf (_ ("%s of %s"), peak,
                                       goban_format_bytes (capacity, outlook->capacity_bytes))
                    : g_strdup (peak);
  goban_short_label_set_text (GOBAN_SHORT_LABEL (target->memory), text);
  gtk_level_bar_set_value (GTK_LEVEL_BAR (target->level),
                           is_limited ? CLAMP (outlook->peak_bytes / outlook->capacity_bytes, 0, 1)
                                      : 0);
}

/* The accessible name contains all of it. */
static void
name_target (GobanGraphTargets *self, guint device)
{
  Target *target = get_target (self, device);
  g_autofree char *outlook = device < goban_survey_get_n_devices (self->survey)
                                 ? goban_survey_describe (self->survey, device)
                                 : g_strdup ("");
  const char *name = goban_cluster_get_device (self->cluster, (GobanDeviceId) device)->name;
  g_autofree char *key = device < 10 ? g_strdup_printf (_ (", key %u"), device) : g_strdup ("");

  g_free (target->text);
  target->text = g_strdup_printf ("%s%s%s%s", name, *outlook != '\0' ? ": " : "", outlook, key);
  goban_set_accessible_label (target->button, target->text);
}

static void
survey_changed_cb (GobanGraphTargets *self)
{
  for (guint d = 0; d < goban_survey_get_n_devices (self->survey); d++)
    {
      const GobanOutlook *outlook = goban_survey_get (self->survey, d);

      if (!outlook->is_known)
        continue;
      say_effect (get_target (self, d), outlook);
      say_memory (get_target (self, d), outlook);
      name_target (self, d);
    }
}

/* --- building ------------------------------------------------------------------------------- */

static void
clicked_cb (GtkButton *button, GobanGraphTargets *self)
{
  for (guint d = 0; d < self->targets->len; d++)
    if (get_target (self, d)->button == GTK_WIDGET (button))
      {
        g_signal_emit_by_name (self, "chosen", d);
        return;
      }
}

static GtkWidget *
new_label (const char *text, float xalign, const char *css_class)
{
  GtkWidget *label = goban_short_label_new (GOBAN_KEEP_START, xalign);

  goban_short_label_set_max_chars (GOBAN_SHORT_LABEL (label), MAX_CHARS);
  goban_short_label_set_text (GOBAN_SHORT_LABEL (label), text);
  gtk_widget_add_css_class (label, css_class);
  gtk_widget_add_css_class (label, "numeric");
  return label;
}

static void
add_target (GobanGraphTargets *self, guint device, GobanTheme theme)
{
  GtkWidget *grid = gtk_grid_new ();
  GtkWidget *swatch = goban_swatch_new_for_device (theme, device, 22, 14);
  char key[2] = { device < 10 ? (char) ('0' + device) : '\0', '\0' };
  GtkWidget *keycap = new_label (key, 1.0, "target-key");
  const char *name = goban_cluster_get_device (self->cluster, (GobanDeviceId) device)->name;
  GtkWidget *title = new_label (name, 0.0, "target-name");
  Target target = {
    .button = gtk_button_new (),
    .effect = new_label ("…", 0.0, "target-effect"),
    .memory = new_label ("", 0.0, "note"),
    .level = gtk_level_bar_new (),
  };

  goban_short_label_set_min_chars (GOBAN_SHORT_LABEL (target.effect), MIN_EFFECT_CHARS);
  goban_short_label_set_min_chars (GOBAN_SHORT_LABEL (target.memory), MIN_MEMORY_CHARS);
  goban_short_label_set_min_chars (GOBAN_SHORT_LABEL (keycap), 1);
  gtk_widget_set_hexpand (title, TRUE);
  gtk_widget_set_halign (keycap, GTK_ALIGN_END);
  gtk_widget_set_visible (keycap, *key != '\0');
  gtk_grid_set_column_spacing (GTK_GRID (grid), 6);
  gtk_grid_attach (GTK_GRID (grid), swatch, 0, 0, 1, 1);
  gtk_grid_attach (GTK_GRID (grid), title, 1, 0, 1, 1);
  gtk_grid_attach (GTK_GRID (grid), keycap, 2, 0, 1, 1);
  gtk_grid_attach (GTK_GRID (grid), target.effect, 0, 1, 3, 1);
  gtk_grid_attach (GTK_GRID (grid), target.memory, 0, 2, 3, 1);
  gtk_grid_attach (GTK_GRID (grid), target.level, 0, 3, 3, 1);
  gtk_button_set_child (GTK_BUTTON (target.button), grid);
  gtk_widget_add_css_class (target.button, "target");
  g_signal_connect (target.button, "clicked", G_CALLBACK (clicked_cb), self);
  gtk_flow_box_append (GTK_FLOW_BOX (self->flow), target.button);
  gtk_widget_set_focusable (gtk_widget_get_parent (target.button), FALSE);
  g_array_append_val (self->targets, target);
  name_target (self, device);
}

/* --- construction and disposal ---------------------------------------------------------------- */

static void
goban_graph_targets_dispose (GObject *object)
{
  GobanGraphTargets *self = GOBAN_GRAPH_TARGETS (object);

  g_clear_pointer (&self->box, gtk_widget_unparent);
  g_clear_object (&self->survey);
  g_clear_pointer (&self->cluster, goban_cluster_unref);
  g_clear_pointer (&self->targets, g_array_unref);

  G_OBJECT_CLASS (goban_graph_targets_parent_class)->dispose (object);
}

/* The first device that a handler of "find" returns. */
static gboolean
take_first (GSignalInvocationHint *hint, GValue *taken, const GValue *returned, gpointer data)
{
  g_value_copy (returned, taken);
  return g_value_get_uint (returned) == GOBAN_NO_TARGET;
}

static guint
find_nothing (GobanGraphTargets *self, GtkWidget *widget, double x, double y)
{
  return GOBAN_NO_TARGET;
}

static void
goban_graph_targets_class_init (GobanGraphTargetsClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = goban_graph_targets_dispose;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_css_name (GTK_WIDGET_CLASS (klass), "droptargets");
  goban_signal_add (klass, "chosen", 1, G_TYPE_UINT);
  g_signal_new_class_handler ("find", GOBAN_TYPE_GRAPH_TARGETS, G_SIGNAL_RUN_LAST,
                              G_CALLBACK (find_nothing), take_first, NULL, NULL, G_TYPE_UINT, 3,
                              GTK_TYPE_WIDGET, G_TYPE_DOUBLE, G_TYPE_DOUBLE);
  goban_signal_add (klass, "aimed", 1, G_TYPE_UINT);
}

static void
goban_graph_targets_init (GobanGraphTargets *self)
{
  self->aim = GOBAN_NO_TARGET;
  self->targets = g_array_new (FALSE, FALSE, sizeof (Target));
  g_array_set_clear_func (self->targets, clear_target);
  self->title = new_label ("", 0.0, "target-title");
  goban_short_label_set_max_chars (GOBAN_SHORT_LABEL (self->title), MAX_TITLE_CHARS);
  self->flow = gtk_flow_box_new ();
  goban_set_accessible_label (self->flow, _ ("Devices"));
  gtk_flow_box_set_selection_mode (GTK_FLOW_BOX (self->flow), GTK_SELECTION_NONE);
  gtk_flow_box_set_homogeneous (GTK_FLOW_BOX (self->flow), TRUE);
  gtk_flow_box_set_min_children_per_line (GTK_FLOW_BOX (self->flow), 2);
  gtk_flow_box_set_column_spacing (GTK_FLOW_BOX (self->flow), 6);
  gtk_flow_box_set_row_spacing (GTK_FLOW_BOX (self->flow), 6);
  self->box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 4);
  gtk_box_append (GTK_BOX (self->box), self->title);
  gtk_box_append (GTK_BOX (self->box), self->flow);
  gtk_widget_set_parent (self->box, GTK_WIDGET (self));
  gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
}

GtkWidget *
goban_graph_targets_new (void)
{
  return g_object_new (GOBAN_TYPE_GRAPH_TARGETS, NULL);
}

/* --- for the graph pane ----------------------------------------------------------------------- */

static void
drop_targets (GobanGraphTargets *self)
{
  GtkWidget *child;

  goban_graph_targets_aim (self, GOBAN_NO_TARGET);
  if (self->survey != NULL)
    g_signal_handlers_disconnect_by_data (self->survey, self);
  g_clear_object (&self->survey);
  g_clear_pointer (&self->cluster, goban_cluster_unref);
  g_array_set_size (self->targets, 0);
  while ((child = gtk_widget_get_first_child (self->flow)) != NULL)
    gtk_flow_box_remove (GTK_FLOW_BOX (self->flow), child);
}

void
goban_graph_targets_open (GobanGraphTargets *self, const GobanEdit *edit, const char *what,
                          GobanTheme theme)
{
  g_autofree char *title = NULL;
  guint n;

  g_return_if_fail (GOBAN_IS_GRAPH_TARGETS (self) && edit != NULL && edit->base != NULL);

  drop_targets (self);
  self->cluster = goban_cluster_ref (goban_run_get_cluster (edit->base));
  self->survey = goban_survey_new (edit);
  g_signal_connect_swapped (self->survey, "changed", G_CALLBACK (survey_changed_cb), self);
  n = goban_survey_get_n_devices (self->survey);
  gtk_flow_box_set_max_children_per_line (GTK_FLOW_BOX (self->flow), MAX (n, 2));
  for (guint d = 0; d < n; d++)
    add_target (self, d, theme);
  if (n < goban_cluster_get_n_devices (self->cluster))
    title = g_strdup_printf (_ ("Move %s to one of the first %u of %u devices; Esc keeps it"), what,
                             n, goban_cluster_get_n_devices (self->cluster));
  else
    title = g_strdup_printf (_ ("Move %s to …  (Esc keeps it)"), what);
  goban_short_label_set_text (GOBAN_SHORT_LABEL (self->title), title);
  goban_set_accessible_label (GTK_WIDGET (self), title);
  gtk_widget_set_visible (GTK_WIDGET (self), TRUE);
}

void
goban_graph_targets_close (GobanGraphTargets *self)
{
  g_return_if_fail (GOBAN_IS_GRAPH_TARGETS (self));

  gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
  drop_targets (self);
}

gboolean
goban_graph_targets_is_open (GobanGraphTargets *self)
{
  g_return_val_if_fail (GOBAN_IS_GRAPH_TARGETS (self), FALSE);

  return self->survey != NULL;
}

guint
goban_graph_targets_get_n (GobanGraphTargets *self)
{
  g_return_val_if_fail (GOBAN_IS_GRAPH_TARGETS (self), 0);

  return self->targets->len;
}

guint
goban_graph_targets_at (GobanGraphTargets *self, GtkWidget *widget, double x, double y)
{
  guint device = GOBAN_NO_TARGET;

  g_return_val_if_fail (GOBAN_IS_GRAPH_TARGETS (self), GOBAN_NO_TARGET);

  for (guint d = 0; d < self->targets->len; d++)
    {
      graphene_rect_t bounds;

      if (gtk_widget_compute_bounds (get_target (self, d)->button, widget, &bounds)
          && graphene_rect_contains_point (&bounds, &GRAPHENE_POINT_INIT ((float) x, (float) y)))
        return d;
    }
  if (self->cluster != NULL)
    g_signal_emit_by_name (self, "find", widget, x, y, &device);
  return device;
}

gboolean
goban_graph_targets_locate (GobanGraphTargets *self, GtkWidget *widget, guint device, double *x,
                            double *y)
{
  graphene_rect_t bounds;

  g_return_val_if_fail (GOBAN_IS_GRAPH_TARGETS (self), FALSE);

  if (device >= self->targets->len
      || !gtk_widget_compute_bounds (get_target (self, device)->button, widget, &bounds)
      || bounds.size.width <= 0)
    return FALSE;

  *x = (double) (bounds.origin.x + bounds.size.width / 2);
  *y = (double) (bounds.origin.y + bounds.size.height / 2);
  return TRUE;
}

void
goban_graph_targets_aim (GobanGraphTargets *self, guint device)
{
  g_return_if_fail (GOBAN_IS_GRAPH_TARGETS (self));

  if (self->cluster == NULL || device >= goban_cluster_get_n_devices (self->cluster))
    device = GOBAN_NO_TARGET;
  if (device == self->aim)
    return;
  if (self->aim < self->targets->len)
    gtk_widget_remove_css_class (get_target (self, self->aim)->button, "aimed");
  self->aim = device;
  if (self->aim < self->targets->len)
    gtk_widget_add_css_class (get_target (self, self->aim)->button, "aimed");
  g_signal_emit_by_name (self, "aimed", self->aim);
}

guint
goban_graph_targets_get_aim (GobanGraphTargets *self)
{
  g_return_val_if_fail (GOBAN_IS_GRAPH_TARGETS (self), GOBAN_NO_TARGET);

  return self->aim;
}

const char *
goban_graph_targets_get_text (GobanGraphTargets *self, guint device)
{
  g_return_val_if_fail (GOBAN_IS_GRAPH_TARGETS (self) && device < self->targets->len, NULL);

  return get_target (self, device)->text;
}

gboolean
goban_graph_targets_is_busy (GobanGraphTargets *self)
{
  g_return_val_if_fail (GOBAN_IS_GRAPH_TARGETS (self), FALSE);

  return self->survey != NULL && goban_survey_is_busy (self->survey);
}
