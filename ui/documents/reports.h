/* reports.h: export of a comparison as an HTML page or as CSV. */
#pragma once

#include "ui/compare/compare-page.h"
#include "ui/documents/file-chooser.h"
#include "ui/frame/site.h"

G_BEGIN_DECLS

#define GOBAN_TYPE_REPORTS (goban_reports_get_type ())
G_DECLARE_FINAL_TYPE (GobanReports, goban_reports, GOBAN, REPORTS, GObject)

GobanReports *goban_reports_new (const GobanSite *site, GobanFileChooser *chooser,
                                 GobanComparePage *compare) G_GNUC_WARN_UNUSED_RESULT;

/* Starts to export the compared pair: see goban_window_export_comparison(). */
void goban_reports_start (GobanReports *self, const char *path, gboolean is_report);

G_END_DECLS
