#include "ui/frame/explorer.h"

#include "engine/core/i18n.h"
#include "ui/frame/panes.h"
#include "ui/graph/attention-arrows.h"
#include "ui/graph/graph-drag.h"
#include "ui/graph/minimap-view.h"
#include "ui/panels/cluster-panel.h"
#include "ui/panels/legend.h"
#include "ui/widgets/template.h"
#include "ui/widgets/theme.h"

#include <math.h>

struct _GobanExplorer
{
  GObject parent;

  GobanSite site;
  GtkWidget *left;
  GtkWidget *right;
  GtkWidget *right_pages;
  GtkWidget *left_paned;
  GtkWidget *right_paned;
  GobanPlanList *plans;
  GobanLegend *legend;
  GobanGraphView *graph;
  GobanMinimapView *minimap;
  GobanDecisionPlayer *steps;
  GobanInspector *inspector;
  GobanClusterPanel *devices;
  double text_scale; /* for which the left pane has its width */
};

G_DEFINE_FINAL_TYPE (GobanExplorer, goban_explorer, G_TYPE_OBJECT)

static void
show_attention (GobanExplorer *self)
{
  GobanNodeId node;
  const GPtrArray *cards
      = goban_decision_card_get_cards (goban_decision_player_get_card (self->steps), &node);

  g_autoptr (GArray) arrows = goban_attention_arrows_new (cards, node);

  g_object_set (self->graph, "attention", arrows, NULL);
}

static void
build_left (GobanExplorer *self)
{
  GtkWidget *plans = goban_plan_list_new (self->site.session);
  GtkWidget *legend = goban_legend_new (self->site.session);

  self->plans = GOBAN_PLAN_LIST (plans);
  self->legend = GOBAN_LEGEND (legend);
  gtk_widget_set_vexpand (plans, TRUE);
  gtk_box_append (GTK_BOX (self->left), plans);
  gtk_box_append (GTK_BOX (self->left), legend);
}

/* The graph with its map over it, and the steps below. */
static void
build_graph (GobanExplorer *self, GtkOverlay *overlay, GtkBox *middle)
{
  GtkWidget *graph = goban_graph_view_new (self->site.session);
  GtkWidget *minimap = goban_minimap_view_new (GOBAN_GRAPH_VIEW (graph));
  GtkWidget *steps = goban_decision_player_new (self->site.session);

  self->graph = GOBAN_GRAPH_VIEW (graph);
  self->minimap = GOBAN_MINIMAP_VIEW (minimap);
  self->steps = GOBAN_DECISION_PLAYER (steps);
  gtk_widget_set_size_request (graph, 200, 120);
  gtk_overlay_set_child (overlay, graph);
  gtk_overlay_add_overlay (overlay, minimap);
  gtk_box_append (middle, steps);
  g_signal_connect_object (goban_decision_player_get_card (self->steps), "changed",
                           G_CALLBACK (show_attention), self, G_CONNECT_SWAPPED);
}

static guint
find_device_cb (GobanGraphTargets *targets, GtkWidget *widget, double x, double y,
                GobanExplorer *self)
{
  return goban_legend_find_device (self->legend, widget, x, y);
}

static void
aimed_cb (GobanGraphTargets *targets, guint device, GobanExplorer *self)
{
  goban_legend_aim (self->legend, device);
}

/* Nodes of the graph can be dropped on devices of the legend. */
static void
connect_legend (GobanExplorer *self)
{
  GobanGraphTargets *targets = goban_graph_view_get_targets (self->graph);

  g_signal_connect_object (targets, "find", G_CALLBACK (find_device_cb), self, 0);
  g_signal_connect_object (targets, "aimed", G_CALLBACK (aimed_cb), self, 0);
}

static guint
find_bar_device_cb (GobanTimelineView *timeline, double x, double y, GobanExplorer *self)
{
  guint device = goban_legend_find_device (self->legend, GTK_WIDGET (timeline), x, y);

  return MIN (device, GOBAN_NO_DEVICE);
}

static void
bar_aimed_cb (GobanTimelineView *timeline, guint device, GobanExplorer *self)
{
  goban_legend_aim (self->legend, device);
}

void
goban_explorer_connect_timeline (GobanExplorer *self, GobanTimelineView *timeline)
{
  g_signal_connect_object (timeline, "find", G_CALLBACK (find_bar_device_cb), self, 0);
  g_signal_connect_object (timeline, "aimed", G_CALLBACK (bar_aimed_cb), self, 0);
}

/* The selected nodes, and their devices. */
static void
build_right (GobanExplorer *self)
{
  GtkStack *pages = GTK_STACK (self->right_pages);
  GtkWidget *inspector = goban_inspector_new (self->site.session);
  GtkWidget *devices = goban_cluster_panel_new (self->site.session);

  self->inspector = GOBAN_INSPECTOR (inspector);
  self->devices = GOBAN_CLUSTER_PANEL (devices);
  gtk_stack_add_titled (pages, inspector, "selection", _ ("Selection"));
  gtk_stack_add_titled (pages, devices, "devices", _ ("Devices"));
}

static void
build (GobanExplorer *self)
{
  GtkBuilder *builder = goban_template_load ("frame/explorer.ui", "explorer");

  self->left = goban_template_get (builder, "left");
  self->right = goban_template_get (builder, "right");
  self->right_pages = goban_template_get (builder, "right_pages");
  self->right_paned = goban_template_get (builder, "right_paned");
  build_graph (self, GTK_OVERLAY (goban_template_get (builder, "overlay")),
               GTK_BOX (goban_template_get (builder, "middle")));
  build_left (self);
  connect_legend (self);
  build_right (self);
  self->left_paned = goban_template_take (builder, "explorer");
}

GtkWidget *
goban_explorer_get_widget (GobanExplorer *self)
{
  return self->left_paned;
}

GobanGraphView *
goban_explorer_get_graph (GobanExplorer *self)
{
  return self->graph;
}

GobanInspector *
goban_explorer_get_inspector (GobanExplorer *self)
{
  return self->inspector;
}

GobanPlanList *
goban_explorer_get_plans (GobanExplorer *self)
{
  return self->plans;
}

GobanDecisionPlayer *
goban_explorer_get_steps (GobanExplorer *self)
{
  return self->steps;
}

void
goban_explorer_update (GobanExplorer *self)
{
  gtk_widget_set_visible (self->left, goban_site_get_toggle (&self->site, GOBAN_SETTING_LEFT));
  gtk_widget_set_visible (self->right, goban_site_get_toggle (&self->site, GOBAN_SETTING_RIGHT));
}

/* Names stay whole if the desktop's text grows. */
static void
scale_left (GobanExplorer *self)
{
  GtkPaned *paned = GTK_PANED (self->left_paned);
  double scale = goban_text_scale_of (self->left_paned);

  if (scale != self->text_scale && gtk_widget_get_mapped (self->left))
    gtk_paned_set_position (paned,
                            (int) (gtk_widget_get_width (self->left) * scale / self->text_scale));
  self->text_scale = scale;
}

void
goban_explorer_set_theme (GobanExplorer *self, GobanTheme theme)
{
  scale_left (self);
  goban_decision_player_set_theme (self->steps, theme);
  goban_legend_set_theme (self->legend, theme);
  goban_cluster_panel_set_theme (self->devices, theme);
}

void
goban_explorer_restore (GobanExplorer *self, GobanSettings *settings)
{
  int left = goban_settings_get_int (settings, GOBAN_SETTING_LEFT_WIDTH);
  int right = goban_settings_get_int (settings, GOBAN_SETTING_RIGHT_WIDTH);

  self->text_scale = goban_text_scale_of (self->left_paned);
  gtk_paned_set_position (GTK_PANED (self->left_paned), (int) (left * self->text_scale));
  goban_paned_give_end (self->right_paned, (int) (right * self->text_scale));
}

void
goban_explorer_remember (GobanExplorer *self, GobanSettings *settings)
{
  int left = gtk_widget_get_width (self->left);
  int right = gtk_widget_get_width (self->right);

  goban_pane_remember (settings, GOBAN_SETTING_LEFT_WIDTH, (int) lround (left / self->text_scale));
  goban_pane_remember (settings, GOBAN_SETTING_RIGHT_WIDTH,
                       (int) lround (right / self->text_scale));
}

/* The panel of devices and links; the parameter names the device or link to show, "" for all. */
static void
show_devices (GobanExplorer *self, GVariant *parameter)
{
  goban_site_set_toggle (&self->site, GOBAN_SETTING_RIGHT, TRUE);
  gtk_stack_set_visible_child (GTK_STACK (self->right_pages), GTK_WIDGET (self->devices));
  goban_cluster_panel_show (self->devices, g_variant_get_string (parameter, NULL));
}

static void
minimap_changed (GobanExplorer *self, GVariant *state)
{
  goban_minimap_view_set_wanted (self->minimap, g_variant_get_boolean (state));
}

static const GobanCommand commands[] = {
  { "devices", G_CALLBACK (show_devices) },
  { "minimap", G_CALLBACK (minimap_changed) },
};

/* --- construction and disposal --------------------------------------------------------------- */

static void
goban_explorer_class_init (GobanExplorerClass *klass)
{
}

static void
goban_explorer_init (GobanExplorer *self)
{
  self->text_scale = 1;
}

GobanExplorer *
goban_explorer_new (const GobanSite *site)
{
  GobanExplorer *self = g_object_new (GOBAN_TYPE_EXPLORER, NULL);

  self->site = *site;
  build (self);
  goban_site_connect (site, commands, G_N_ELEMENTS (commands), self);
  return self;
}
