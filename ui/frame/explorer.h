/* explorer.h: widgets about one plan: graph with its map, list of plans, inspector and devices,
 * player of decisions. The body mounts them. */
#pragma once

#include "ui/decisions/decision-card.h"
#include "ui/decisions/decision-player.h"
#include "ui/decisions/decision-record.h"
#include "ui/frame/site.h"
#include "ui/graph/graph-view.h"
#include "ui/panels/inspector.h"
#include "ui/panels/plan-list.h"
#include "ui/timeline/moment-panel.h"
#include "ui/timeline/timeline-view.h"

#define GOBAN_TYPE_EXPLORER (goban_explorer_get_type ())
G_DECLARE_FINAL_TYPE (GobanExplorer, goban_explorer, GOBAN, EXPLORER, GObject)

GobanExplorer *goban_explorer_new (const GobanSite *site) G_GNUC_WARN_UNUSED_RESULT;

/* Its widgets and parts, borrowed. */
typedef struct
{
  GtkWidget *board; /* the graph, and what floats over it */
  GtkWidget *left;  /* plans and legend */
  GtkWidget *right; /* tabs: selection, devices, moment */
  GobanPlanList *plans;
  GobanGraphView *graph;
  GobanDecisionCard *card;
  GobanDecisionRecord *record;
  GobanDecisionPlayer *player;
  GobanInspector *inspector;
} GobanExplorerParts;
const GobanExplorerParts *goban_explorer_get_parts (GobanExplorer *self);

/* Bars of @timeline can be dropped on devices of the legend, as nodes can. */
void goban_explorer_connect_timeline (GobanExplorer *self, GobanTimelineView *timeline);

/* Offers the tabs that have content. */
void goban_explorer_update (GobanExplorer *self);
/* Turns to the tab of the moment, if there is one. */
void goban_explorer_show_moment (GobanExplorer *self);
/* Except of the graph. */
void goban_explorer_set_theme (GobanExplorer *self, GobanTheme theme);
