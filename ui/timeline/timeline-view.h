/* timeline-view.h: the current run of a session as lanes over time, linked with the selection. */
#pragma once

#include "engine/session/session.h"
#include "ui/widgets/picture.h"

G_BEGIN_DECLS

#define GOBAN_TYPE_TIMELINE_VIEW (goban_timeline_view_get_type ())
G_DECLARE_FINAL_TYPE (GobanTimelineView, goban_timeline_view, GOBAN, TIMELINE_VIEW, GobanPicture)

GtkWidget *goban_timeline_view_new (GobanSession *session) G_GNUC_WARN_UNUSED_RESULT;

void goban_timeline_view_fit (GobanTimelineView *self);
void goban_timeline_view_show_selection (GobanTimelineView *self);
void goban_timeline_view_set_show_critical (GobanTimelineView *self, gboolean show);

/* What a search has found, to be marked; (nullable). */
void goban_timeline_view_set_matches (GobanTimelineView *self, GobanSelection *matches);

/* The middle of an op's slice in device pixels; FALSE where there is none. */
gboolean goban_timeline_view_locate (GobanTimelineView *self, GobanNodeId node, GobanPoint *at);

/* Begins to write the whole run, as coloured here, in the format of @path's ending. (transfer
 * full) (nullable): a job whose result is the path; NULL with @error set where there is no run. */
GobanJob *goban_timeline_view_export (GobanTimelineView *self, const char *path,
                                      GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
