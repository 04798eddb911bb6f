/* change-list.h: list of the changed nodes of a difference, one per row, sortable by any column. */
#pragma once

#include "engine/study/analysis/difference/change-rows.h"
#include "ui/table/node-columns.h"

#define GOBAN_TYPE_CHANGE_LIST (goban_change_list_get_type ())
G_DECLARE_FINAL_TYPE (GobanChangeList, goban_change_list, GOBAN, CHANGE_LIST, GobanNodeColumns)

GtkWidget *goban_change_list_new (GobanSession *session) G_GNUC_WARN_UNUSED_RESULT;

/* (nullable) */
void goban_change_list_set_difference (GobanChangeList *self, GobanDifference *difference);

/* The present sort column, or the requested one. */
GobanChangeColumn goban_change_list_get_order (GobanChangeList *self, gboolean *is_descending);
