/* graph-targets.h: row of drop targets, one per device: colour, name, key, memory and makespan
 * after a drop. Names for assistive technology contain the same.
 *
 * Shown over the graph during a drag, or after the key D. Hit tests use coordinates, not events,
 * because a drag's events go to the widget where it began.
 *
 * Signals: "chosen" (guint device): a target was clicked, or activated by a key; "find" (GtkWidget
 *   *widget, double x, double y): a handler returns the device that a picture outside shows at a
 *   point of @widget (guint), or GOBAN_NO_TARGET; "aimed" (guint device): another target is
 *   highlighted, or none is (GOBAN_NO_TARGET).
 *
 * Decision U29 (ui/NOTES.md).
 */
#pragma once

#include "engine/session/survey.h"
#include "ui/draw/palette.h"

#include <gtk/gtk.h>

#define GOBAN_NO_TARGET G_MAXUINT

#define GOBAN_TYPE_GRAPH_TARGETS (goban_graph_targets_get_type ())
G_DECLARE_FINAL_TYPE (GobanGraphTargets, goban_graph_targets, GOBAN, GRAPH_TARGETS, GtkWidget)

GtkWidget *goban_graph_targets_new (void) G_GNUC_WARN_UNUSED_RESULT;

/* Shows the devices of a MOVE's cluster, and surveys them; @what: "12 nodes". */
void goban_graph_targets_open (GobanGraphTargets *self, const GobanEdit *edit, const char *what,
                               GobanTheme theme);
void goban_graph_targets_close (GobanGraphTargets *self);
gboolean goban_graph_targets_is_open (GobanGraphTargets *self);

guint goban_graph_targets_get_n (GobanGraphTargets *self);
/* The target at a point of @widget, here or outside ("find"); GOBAN_NO_TARGET if there is none, and
 * while the row is closed. */
guint goban_graph_targets_at (GobanGraphTargets *self, GtkWidget *widget, double x, double y);
/* The centre of a target in coordinates of @widget; FALSE before it is allocated. */
gboolean goban_graph_targets_locate (GobanGraphTargets *self, GtkWidget *widget, guint device,
                                     double *x, double *y);
/* Highlights a device of the cluster, which need not be in the row; GOBAN_NO_TARGET: none. */
void goban_graph_targets_aim (GobanGraphTargets *self, guint device);
/* The highlighted device, or GOBAN_NO_TARGET. */
guint goban_graph_targets_get_aim (GobanGraphTargets *self);
/* The text of a target: "gpu:1: −3.1 %, 182.4 ms, memory 11.2 GB of 17.18 GB, key 1". Borrowed. */
const char *goban_graph_targets_get_text (GobanGraphTargets *self, guint device);
gboolean goban_graph_targets_is_busy (GobanGraphTargets *self);
