/* plan-list.h: list of the plans of the open graph, the best first; choosing one shows it. */
#pragma once

#include "engine/session/session.h"

#include <gtk/gtk.h>

#define GOBAN_TYPE_PLAN_LIST (goban_plan_list_get_type ())
G_DECLARE_FINAL_TYPE (GobanPlanList, goban_plan_list, GOBAN, PLAN_LIST, GtkWidget)

GtkWidget *goban_plan_list_new (GobanSession *session) G_GNUC_WARN_UNUSED_RESULT;

/* Shows the plan @steps rows below the present one (above, if negative), if there is one. */
void goban_plan_list_step (GobanPlanList *self, int steps);

/* Like Ctrl and a click on its row: adds a plan to the comparison, or removes it. Returns whether
 * it is chosen; at most four are. */
gboolean goban_plan_list_choose (GobanPlanList *self, GobanRun *run);
