/* exports.h: export of pictures, tables, plans, traces, reports and texts as files. */
#pragma once

#include "ui/documents/file-chooser.h"
#include "ui/frame/body.h"

#define GOBAN_TYPE_EXPORTS (goban_exports_get_type ())
G_DECLARE_FINAL_TYPE (GobanExports, goban_exports, GOBAN, EXPORTS, GObject)

GobanExports *goban_exports_new (const GobanSite *site, GobanFileChooser *chooser,
                                 GobanBody *body) G_GNUC_WARN_UNUSED_RESULT;

/* Starts to export a picture: see goban_window_export(). */
void goban_exports_start (GobanExports *self, const char *path, gboolean timeline);
/* Starts to export the compared pair: see goban_window_export_comparison(). */
void goban_exports_start_comparison (GobanExports *self, const char *path, gboolean is_report);
