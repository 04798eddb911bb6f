/* file-watch.h: watch over the open file: offers to reload it when it changes on disk. */
#pragma once

#include "ui/documents/opening.h"
#include "ui/frame/site.h"

G_BEGIN_DECLS

#define GOBAN_TYPE_FILE_WATCH (goban_file_watch_get_type ())
G_DECLARE_FINAL_TYPE (GobanFileWatch, goban_file_watch, GOBAN, FILE_WATCH, GObject)

GobanFileWatch *goban_file_watch_new (const GobanSite *site, GobanOpening *opening,
                                      GobanReplacing *replacing) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
