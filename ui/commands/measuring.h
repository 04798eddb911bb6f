/* measuring.h: measurements of the open model and calibration of devices: the dialogs, the job, and
 * its results. */
#pragma once

#include "ui/console/console-view.h"
#include "ui/documents/file-chooser.h"
#include "ui/frame/site.h"

G_BEGIN_DECLS

#define GOBAN_TYPE_MEASURING (goban_measuring_get_type ())
G_DECLARE_FINAL_TYPE (GobanMeasuring, goban_measuring, GOBAN, MEASURING, GObject)

/* @console gets the report and its plot. */
GobanMeasuring *goban_measuring_new (const GobanSite *site, GobanConsoleView *console,
                                     GobanFileChooser *chooser) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
