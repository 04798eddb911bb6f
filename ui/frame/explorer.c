#include "ui/frame/explorer.h"

#include "engine/core/i18n.h"
#include "ui/graph/attention-arrows.h"
#include "ui/graph/graph-drag.h"
#include "ui/graph/minimap-view.h"
#include "ui/panels/cluster-panel.h"
#include "ui/panels/legend.h"
#include "ui/widgets/template.h"
#include "ui/widgets/theme.h"

struct _GobanExplorer
{
  GObject parent;

  GobanSite site;
  GobanExplorerParts parts;
  GtkWidget *right_pages;
  GobanLegend *legend;
  GobanMinimapView *minimap;
  GobanClusterPanel *devices;
  GobanMomentPanel *moment;
};

GOBAN_DEFINE_PART (GobanExplorer, goban_explorer)

const GobanExplorerParts *
goban_explorer_get_parts (GobanExplorer *self)
{
  return &self->parts;
}

static void
show_attention (GobanExplorer *self)
{
  const GobanMomentCard *card = goban_decision_card_get (self->parts.card);
  g_autoptr (GPtrArray) cards = g_ptr_array_new ();
  g_autoptr (GArray) arrows = NULL;

  if (card != NULL)
    g_ptr_array_add (cards, (gpointer) card);
  arrows = goban_attention_arrows_new (cards, card != NULL ? card->node : GOBAN_NO_NODE);

  g_object_set (self->parts.graph, "attention", arrows, NULL);
}

static void
build_left (GobanExplorer *self)
{
  GtkWidget *plans = goban_plan_list_new (self->site.session);
  GtkWidget *legend = goban_legend_new (self->site.session);

  self->parts.plans = GOBAN_PLAN_LIST (plans);
  self->legend = GOBAN_LEGEND (legend);
  gtk_widget_set_vexpand (plans, TRUE);
  gtk_box_append (GTK_BOX (self->parts.left), plans);
  gtk_box_append (GTK_BOX (self->parts.left), legend);
}

/* The graph with its map over it. */
static void
build_board (GobanExplorer *self)
{
  GtkWidget *graph = goban_graph_view_new (self->site.session);
  GtkWidget *minimap = goban_minimap_view_new (GOBAN_GRAPH_VIEW (graph));

  self->parts.graph = GOBAN_GRAPH_VIEW (graph);
  self->minimap = GOBAN_MINIMAP_VIEW (minimap);
  gtk_overlay_set_child (GTK_OVERLAY (self->parts.board), graph);
  gtk_overlay_add_overlay (GTK_OVERLAY (self->parts.board), minimap);
}

/* The decisions of the plan; the graph shows what one attends to. */
static void
build_decisions (GobanExplorer *self)
{
  self->parts.card = GOBAN_DECISION_CARD (goban_decision_card_new (self->site.session));
  self->parts.record = GOBAN_DECISION_RECORD (goban_decision_record_new (self->site.session));
  self->parts.player = GOBAN_DECISION_PLAYER (goban_decision_player_new (self->site.session));
  GOBAN_CONNECT (self->parts.card, "changed", show_attention, self);
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
  GobanGraphTargets *targets = goban_graph_view_get_targets (self->parts.graph);

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

/* The selected nodes, the devices, and what these do at a moment. */
static void
build_right (GobanExplorer *self)
{
  GtkStack *pages = GTK_STACK (self->right_pages);
  GtkWidget *inspector = goban_inspector_new (self->site.session);
  GtkWidget *devices = goban_cluster_panel_new (self->site.session);
  GtkWidget *moment = goban_moment_panel_new (self->site.session);

  self->parts.inspector = GOBAN_INSPECTOR (inspector);
  self->devices = GOBAN_CLUSTER_PANEL (devices);
  self->moment = GOBAN_MOMENT_PANEL (moment);
  gtk_stack_add_titled (pages, inspector, "selection", _ ("Selection"));
  gtk_stack_add_titled (pages, devices, "devices", _ ("Devices"));
  gtk_stack_add_titled (pages, moment, "moment", _ ("Moment"));
}

static void
build (GobanExplorer *self)
{
  GtkBuilder *left = goban_template_load ("frame/explorer.ui", "left");
  GtkBuilder *right = goban_template_load ("frame/explorer.ui", "right");

  self->parts.board = g_object_ref_sink (gtk_overlay_new ());
  self->right_pages = goban_template_get (right, "right_pages");
  self->parts.left = g_object_ref_sink (goban_template_take (left, "left"));
  self->parts.right = g_object_ref_sink (goban_template_take (right, "right"));
  gtk_widget_set_vexpand (self->parts.board, TRUE);
  gtk_widget_set_vexpand (self->parts.left, TRUE);
  gtk_widget_set_vexpand (self->parts.right, TRUE);
  build_board (self);
  build_decisions (self);
  build_left (self);
  connect_legend (self);
  build_right (self);
}

/* A tab without content is not offered. */
void
goban_explorer_update (GobanExplorer *self)
{
  GtkStackPage *page
      = gtk_stack_get_page (GTK_STACK (self->right_pages), GTK_WIDGET (self->moment));

  gtk_stack_page_set_visible (page, goban_moment_panel_has_moment (self->moment));
}

void
goban_explorer_show_moment (GobanExplorer *self)
{
  goban_explorer_update (self);
  if (goban_moment_panel_has_moment (self->moment))
    gtk_stack_set_visible_child (GTK_STACK (self->right_pages), GTK_WIDGET (self->moment));
}

void
goban_explorer_set_theme (GobanExplorer *self, GobanTheme theme)
{
  goban_legend_set_theme (self->legend, theme);
  goban_cluster_panel_set_theme (self->devices, theme);
}

/* The panel of devices and links; the parameter names the device or link to show, "" for all. */
static void
show_devices (GobanExplorer *self, GVariant *parameter)
{
  goban_site_activate (&self->site, "workspace", g_variant_new_string ("explore"));
  goban_site_set_toggle (&self->site, "right-pane", TRUE);
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

static void
goban_explorer_clear (GobanExplorer *self)
{
  g_clear_object (&self->parts.board);
  g_clear_object (&self->parts.left);
  g_clear_object (&self->parts.right);
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
