/* finding.h: search for nodes: its bar, commands and matches. */
#pragma once

#include "ui/commands/time-commands.h"
#include "ui/frame/pictures.h"
#include "ui/frame/site.h"
#include "ui/panels/search-bar.h"
#include "ui/table/node-table.h"

G_BEGIN_DECLS

#define GOBAN_TYPE_FINDING (goban_finding_get_type ())
G_DECLARE_FINAL_TYPE (GobanFinding, goban_finding, GOBAN, FINDING, GObject)

GobanFinding *goban_finding_new (const GobanSite *site, GobanSearchBar *bar,
                                 GobanPictures *pictures, GobanNodeTable *table,
                                 GobanTimeCommands *time) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
