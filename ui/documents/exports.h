/* exports.h: export of pictures, tables, plans and traces of the window as files. */
#pragma once

#include "ui/console/console-view.h"
#include "ui/documents/file-chooser.h"
#include "ui/frame/pictures.h"
#include "ui/frame/site.h"
#include "ui/table/node-table.h"

G_BEGIN_DECLS

#define GOBAN_TYPE_EXPORTS (goban_exports_get_type ())
G_DECLARE_FINAL_TYPE (GobanExports, goban_exports, GOBAN, EXPORTS, GObject)

GobanExports *goban_exports_new (const GobanSite *site, GobanFileChooser *chooser,
                                 GobanPictures *pictures, GobanNodeTable *table,
                                 GobanConsoleView *console) G_GNUC_WARN_UNUSED_RESULT;

/* Starts to export a picture: see goban_window_export(). */
void goban_exports_start (GobanExports *self, const char *path, gboolean timeline);

G_END_DECLS
