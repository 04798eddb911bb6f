/* control-panel.h: panel of the controls that a script has defined, beside the console. Hidden
 * while there are none. */
#pragma once

#include "engine/session/controls.h"

#include <gtk/gtk.h>

#define GOBAN_TYPE_CONTROL_PANEL (goban_control_panel_get_type ())
G_DECLARE_FINAL_TYPE (GobanControlPanel, goban_control_panel, GOBAN, CONTROL_PANEL, GtkWidget)

GtkWidget *goban_control_panel_new (GobanControls *controls) G_GNUC_WARN_UNUSED_RESULT;
