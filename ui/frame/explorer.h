/* explorer.h: page of one plan: list of plans, graph with map and steps, inspector and devices. */
#pragma once

#include "ui/decisions/decision-player.h"
#include "ui/frame/site.h"
#include "ui/graph/graph-view.h"
#include "ui/panels/inspector.h"
#include "ui/panels/plan-list.h"
#include "ui/timeline/timeline-view.h"

G_BEGIN_DECLS

#define GOBAN_TYPE_EXPLORER (goban_explorer_get_type ())
G_DECLARE_FINAL_TYPE (GobanExplorer, goban_explorer, GOBAN, EXPLORER, GObject)

GobanExplorer *goban_explorer_new (const GobanSite *site) G_GNUC_WARN_UNUSED_RESULT;

GtkWidget *goban_explorer_get_widget (GobanExplorer *self);
GobanGraphView *goban_explorer_get_graph (GobanExplorer *self);
GobanInspector *goban_explorer_get_inspector (GobanExplorer *self);
GobanPlanList *goban_explorer_get_plans (GobanExplorer *self);
GobanDecisionPlayer *goban_explorer_get_steps (GobanExplorer *self);

/* Bars of @timeline can be dropped on devices of the legend, as nodes can. */
void goban_explorer_connect_timeline (GobanExplorer *self, GobanTimelineView *timeline);

/* Shows the panes whose actions are on. */
void goban_explorer_update (GobanExplorer *self);
/* Except of the graph. */
void goban_explorer_set_theme (GobanExplorer *self, GobanTheme theme);
/* The widths of the panes. */
void goban_explorer_restore (GobanExplorer *self, GobanSettings *settings);
void goban_explorer_remember (GobanExplorer *self, GobanSettings *settings);

G_END_DECLS
