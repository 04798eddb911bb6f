/* graph-targets.h: row of drop targets: a device each, with colour, name, key, and the memory and
 * makespan after a drop. Names for assistive technology say the same.
 *
 * It lies over the graph while something is dragged, or after D. It is hit by place, not by events:
 * a drag belongs to where it began.
 *
 * Signal: "chosen" (guint device): a target was clicked, or activated by a key.
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
/* The middle of a target in coordinates of @widget; FALSE before it has a place. */
gboolean goban_graph_targets_locate (GobanGraphTargets *self, GtkWidget *widget, guint device,
                                     double *x, double *y);
/* The one that is aimed at, or GOBAN_NO_TARGET. */
void goban_graph_targets_aim (GobanGraphTargets *self, guint device);
guint goban_graph_targets_get_aim (GobanGraphTargets *self);
/* What a target says: "gpu:1: -3.1 %, 182.4 ms, memory 11.2 GB of 17.18 GB, key 1". Borrowed. */
const char *goban_graph_targets_get_text (GobanGraphTargets *self, guint device);
gboolean goban_graph_targets_is_busy (GobanGraphTargets *self);

G_END_DECLS
