/* view-groups.h: grouping, open groups and arrangement of a view. */
#pragma once

#include "engine/core/names.h"
#include "engine/session/arrangement.h"
#include "engine/session/view.h"
#include "engine/study/analysis/hierarchy/grouping.h"

G_BEGIN_DECLS

GobanGrouping goban_view_get_grouping (GobanView *self);
void goban_view_set_grouping (GobanView *self, GobanGrouping grouping);

/* The open groups, by full name, sorted; all others are closed. Changing the grouping or the graph
 * closes all. Borrowed. */
const char *const *goban_view_get_expanded (GobanView *self);
/* The same for a worker. (transfer full) */
GobanNames *goban_view_ref_expanded (GobanView *self) G_GNUC_WARN_UNUSED_RESULT;
gboolean goban_view_is_expanded (GobanView *self, const char *group);
void goban_view_set_expanded (GobanView *self, const char *const *groups);
void goban_view_expand (GobanView *self, const char *group, gboolean is_expanded);

GobanArrangement goban_view_get_layout (GobanView *self);
void goban_view_set_layout (GobanView *self, GobanArrangement layout);

/* Without a line in the log, for groups that a picture opens or closes by itself. */
void goban_view_show_expanded (GobanView *self, const char *const *groups);
void goban_view_close_groups (GobanView *self);

G_END_DECLS
