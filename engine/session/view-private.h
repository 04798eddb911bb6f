/* view-private.h: state of a view, shared by its source files. */
#pragma once

#include "engine/core/names.h"
#include "engine/session/arrangement.h"
#include "engine/session/lanes.h"
#include "engine/session/navigation.h"
#include "engine/session/view-time.h"
#include "engine/session/workspace.h"
#include "engine/study/analysis/hierarchy/grouping.h"

G_BEGIN_DECLS

struct _GobanView
{
  GObject parent_instance;

  char *color;
  GobanWorkspace workspace;
  GobanNodeValues *script_values; /* (nullable) */
  GobanSelection *hidden;
  GobanGrouping grouping;
  GobanNames *expanded;
  GobanArrangement layout;
  double time_us;
  int moment;
  GobanLevel level;
  GobanStops stops;
  GArray *stop_at;     /* of GobanMoment */
  GobanOwnLanes lanes; /* set */
  GobanTimeMarks *marks;
  GobanViewport viewport;
  GobanNavigation *places;
  GobanSetDescription *words;
};

enum
{
  GOBAN_VIEW_PROP_COLOR = 1,
  GOBAN_VIEW_PROP_HIDDEN,
  GOBAN_VIEW_PROP_GROUPING,
  GOBAN_VIEW_PROP_EXPANDED,
  GOBAN_VIEW_PROP_LAYOUT,
  GOBAN_VIEW_PROP_TIME,
  GOBAN_VIEW_PROP_LANES,
  GOBAN_VIEW_PROP_MOMENT,
  GOBAN_VIEW_PROP_LEVEL,
  GOBAN_VIEW_PROP_WORKSPACE,
  GOBAN_VIEW_N_PROPS
};

void goban_view_notify (GobanView *self, guint property);

G_END_DECLS
