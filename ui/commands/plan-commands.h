/* plan-commands.h: commands that make, show and remove plans. */
#pragma once

#include "ui/console/console-view.h"
#include "ui/frame/site.h"
#include "ui/panels/plan-list.h"

G_BEGIN_DECLS

#define GOBAN_TYPE_PLAN_COMMANDS (goban_plan_commands_get_type ())
G_DECLARE_FINAL_TYPE (GobanPlanCommands, goban_plan_commands, GOBAN, PLAN_COMMANDS, GObject)

GobanPlanCommands *goban_plan_commands_new (const GobanSite *site, GobanPlanList *plans,
                                            GobanConsoleView *console) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
