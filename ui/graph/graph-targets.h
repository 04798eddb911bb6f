/* graph-targets.h: row of drop targets, one per device: colour, name, key, memory and makespan
 * after a drop. Names for assistive technology contain the same.
 *
 * Shown over the graph during a drag, or after the key D. Hit tests use coordinates, not events,
 * because a drag's events go to the widget where it began.
 *
 * Signal: "chosen" (guint device): a target was clicked, or activated by a key.
 *
 * Decision U29 (ui/NOTES.md).
 */
#pragma once

#include "engine/session/survey.h"
#include "ui/draw/palette.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

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
/* The target at a point of @widget; GOBAN_NO_TARGET if there is none. */
guint goban_graph_targets_at (GobanGraphTargets *self, GtkWidget *widget, double x, double y);
/* The centre of a target in coordinates of @widget; FALSE before it is allocated. */
gboolean goban_graph_targets_locate (GobanGraphTargets *self, GtkWidget *widget, guint device,
                                     double *x, double *y);
/* The highlighted target, or GOBAN_NO_TARGET. */
void goban_graph_targets_aim (GobanGraphTargets *self, guint device);
guint goban_graph_targets_get_aim (GobanGraphTargets *self);
/* The text of a target: "gpu:1: -3.1 %, 182.4 ms, memory 11.2 GB of 17.18 GB, key 1". Borrowed. */
const char *goban_graph_targets_get_text (GobanGraphTargets *self, guint device);
gboolean goban_graph_targets_is_busy (GobanGraphTargets *self);

G_END_DECLS
