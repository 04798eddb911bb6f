/* scripts.h: scripts of the window: opening, running, saving, and the examples. */
#pragma once

#include "ui/documents/file-chooser.h"
#include "ui/frame/lower-pane.h"

#define GOBAN_TYPE_SCRIPTS (goban_scripts_get_type ())
G_DECLARE_FINAL_TYPE (GobanScripts, goban_scripts, GOBAN, SCRIPTS, GObject)

GobanScripts *goban_scripts_new (const GobanSite *site, GobanLowerPane *lower,
                                 GobanFileChooser *chooser) G_GNUC_WARN_UNUSED_RESULT;

/* Shows a file in the script pane; asks first if that has changes which are not saved. */
void goban_scripts_open (GobanScripts *self, const char *path);
/* @folder (nullable): whose scripts the menu "Examples" has. */
void goban_scripts_set_examples (GobanScripts *self, const char *folder);
