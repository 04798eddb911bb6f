/* preference-control.h: preferences: their dialog, and the application of each to the window. */
#pragma once

#include "ui/documents/files.h"
#include "ui/documents/recent-menu.h"
#include "ui/frame/site.h"

G_BEGIN_DECLS

#define GOBAN_TYPE_PREFERENCE_CONTROL (goban_preference_control_get_type ())
G_DECLARE_FINAL_TYPE (GobanPreferenceControl, goban_preference_control, GOBAN, PREFERENCE_CONTROL,
                      GObject)

GobanPreferenceControl *
goban_preference_control_new (const GobanSite *site, GobanFiles *files,
                              GobanRecentMenu *recent) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
