/* gui-drag.h: helpers for tests that drag nodes in a graph pane. */
#pragma once

#include "tests/ui/gui-window.h"

#include "ui/graph/graph-view.h"

/* Where the pane's row of devices has one, once it has been laid out. */
GobanPoint gui_place_of_target (GobanGraphView *view, guint device);

/* For gui_wait(): @data is the GuiWindow, what is being dragged is simulated. */
gboolean gui_has_answer (gpointer data);
