/* compare-commands.h: commands for comparing plans. */
#pragma once

#include "ui/compare/compare-page.h"
#include "ui/frame/site.h"

G_BEGIN_DECLS

#define GOBAN_TYPE_COMPARE_COMMANDS (goban_compare_commands_get_type ())
G_DECLARE_FINAL_TYPE (GobanCompareCommands, goban_compare_commands, GOBAN, COMPARE_COMMANDS,
                      GObject)

GobanCompareCommands *goban_compare_commands_new (const GobanSite *site,
                                                  GobanComparePage *page) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
