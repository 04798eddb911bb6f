/* moves-table.h: table of the numbers of nodes that moved between each two devices.
 *
 * A cell selects its nodes, a total those of its row or column. Cells are buttons: arrows and Tab
 * move between them, Enter presses.
 */
#pragma once

#include "engine/session/session.h"
#include "engine/study/analysis/difference/difference.h"

#include <gtk/gtk.h>

#define GOBAN_TYPE_MOVES_TABLE (goban_moves_table_get_type ())
G_DECLARE_FINAL_TYPE (GobanMovesTable, goban_moves_table, GOBAN, MOVES_TABLE, GtkWidget)

GtkWidget *goban_moves_table_new (GobanSession *session) G_GNUC_WARN_UNUSED_RESULT;

/* (nullable) */
void goban_moves_table_set_difference (GobanMovesTable *self, GobanDifference *difference);
