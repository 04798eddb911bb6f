/* cluster-panel.h: panel of what-if sliders for the speed, memory and links of the devices.
 *
 * Devices or links that were equal when the cluster was chosen form a group, with sliders for the
 * whole group and for each member. While a slider is dragged, all panes show the result
 * (preview.h); its release is one undoable change.
 *
 * Decision U31 (ui/NOTES.md).
 */
#pragma once

#include "engine/session/session.h"
#include "ui/draw/palette.h"
#include "ui/panels/number-slider.h"

#define GOBAN_TYPE_CLUSTER_PANEL (goban_cluster_panel_get_type ())
G_DECLARE_FINAL_TYPE (GobanClusterPanel, goban_cluster_panel, GOBAN, CLUSTER_PANEL, GtkWidget)

GtkWidget *goban_cluster_panel_new (GobanSession *session) G_GNUC_WARN_UNUSED_RESULT;

void goban_cluster_panel_set_theme (GobanClusterPanel *self, GobanTheme theme);

/* Shows only items whose name contains @text, "gpu:1" or "gpu:0–gpu:1"; "" shows all. Moves the
 * focus to the first slider. */
void goban_cluster_panel_show (GobanClusterPanel *self, const char *text);

/* (nullable): the slider for @title ("Speed", "Memory", "Bandwidth", "Latency"; "Peak of f16" and
 * others once the expander was open) of @owner, as it is named: "gpu:1", "all 4 gpu devices",
 * "gpu:0–gpu:1". */
GobanNumberSlider *goban_cluster_panel_find (GobanClusterPanel *self, const char *owner,
                                             const char *title);
/* (nullable): the expander with the other numbers of a device, or of several. */
GtkExpander *goban_cluster_panel_get_more (GobanClusterPanel *self, const char *owner);
