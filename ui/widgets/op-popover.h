/* op-popover.h: name, op, time and bytes of an op of a drawn graph.
 *
 * Signal: "chosen": the values are to be taken; the popover closes.
 */
#pragma once

#include "engine/graph/drawing.h"

#include <gtk/gtk.h>

#define GOBAN_TYPE_OP_POPOVER (goban_op_popover_get_type ())
G_DECLARE_FINAL_TYPE (GobanOpPopover, goban_op_popover, GOBAN, OP_POPOVER, GtkPopover)

GtkWidget *goban_op_popover_new (GtkWidget *parent) G_GNUC_WARN_UNUSED_RESULT;

/* The values of @node; of GOBAN_NO_NODE usual ones, and the name @name. */
void goban_op_popover_set (GobanOpPopover *self, const GobanGraph *graph, GobanNodeId node,
                           const char *name);
/* Texts are borrowed from the popover. */
void goban_op_popover_get (GobanOpPopover *self, GobanDrawChange *change);
