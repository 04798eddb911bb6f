/* timeline-view.h: timeline pane: the current run of a session as lanes over time.
 *
 * Behind it, in grey, what it was made from by the last edit. The view's time is a cursor that can
 * be dragged and played; a gap explains itself; a bar dragged upright to another device is an edit.
 */
#pragma once

#include "engine/session/causes.h"
#include "engine/session/session.h"
#include "ui/draw/export.h"
#include "ui/widgets/picture.h"

G_BEGIN_DECLS

#define GOBAN_TYPE_TIMELINE_VIEW (goban_timeline_view_get_type ())
G_DECLARE_FINAL_TYPE (GobanTimelineView, goban_timeline_view, GOBAN, TIMELINE_VIEW, GobanPicture)

GtkWidget *goban_timeline_view_new (GobanSession *session) G_GNUC_WARN_UNUSED_RESULT;

/* Whether a scene is being made in a worker: what is shown is about to be replaced. */
gboolean goban_timeline_view_is_busy (GobanTimelineView *self);
/* How many scenes have been asked for, ever. */
guint goban_timeline_view_get_n_asked (GobanTimelineView *self);

void goban_timeline_view_fit (GobanTimelineView *self);
void goban_timeline_view_show_selection (GobanTimelineView *self);
/* Brings the middle of the selection to the middle; FALSE if it is there already, or is nothing. */
gboolean goban_timeline_view_centre_selection (GobanTimelineView *self);
void goban_timeline_view_set_show_critical (GobanTimelineView *self, gboolean show);

/* What a search has found, to be marked; (nullable). */
void goban_timeline_view_set_matches (GobanTimelineView *self, GobanSelection *matches);
/* How far the arrows of the selection reach: 0 hides them. */
guint goban_timeline_view_get_hops (GobanTimelineView *self);
void goban_timeline_view_set_hops (GobanTimelineView *self, guint n_hops);

/* Why the gap under the pointer is there, or the selected op did not start earlier; FALSE if there
 * is nothing to explain. */
gboolean goban_timeline_view_explain (GobanTimelineView *self);
/* The causes that are shown, borrowed; (nullable). */
const GobanCauses *goban_timeline_view_get_causes (GobanTimelineView *self);
/* Goes to one of them and selects it. */
void goban_timeline_view_follow_cause (GobanTimelineView *self, guint i);

/* The totals of the area that is marked, "" for none. */
const char *goban_timeline_view_get_totals (GobanTimelineView *self);
/* Takes away area, causes and whatever else lies over the lanes; FALSE if there is nothing. */
gboolean goban_timeline_view_clear (GobanTimelineView *self);

/* timeline-marks.c: marks the time under the pointer, else the moment that is shown; a mark that is there goes. FALSE
 * if there is no time to mark. */
gboolean goban_timeline_view_mark (GobanTimelineView *self);
/* Shows the moment of the next mark, or the one before; of that name. FALSE if there is none. */
gboolean goban_timeline_view_step_mark (GobanTimelineView *self, int direction);
gboolean goban_timeline_view_show_mark (GobanTimelineView *self, const char *name);
/* Asks for another name for the mark at the moment, or under the pointer; FALSE if there is none. */
gboolean goban_timeline_view_name_mark (GobanTimelineView *self);

/* timeline-lanes.c: the lane under the pointer, else that of the selected op, goes a place up or down; FALSE if there
 * is none, or no place. */
gboolean goban_timeline_view_shift_lane (GobanTimelineView *self, int by);

/* timeline-play.c: time passes, from where it is or from the start. */
gboolean goban_timeline_view_is_playing (GobanTimelineView *self);
void goban_timeline_view_play (GobanTimelineView *self, gboolean is_playing);
/* 1: a run lasts ten seconds. */
double goban_timeline_view_get_speed (GobanTimelineView *self);
void goban_timeline_view_set_speed (GobanTimelineView *self, double speed);
/* To the start where @where < 0, else to the end. */
void goban_timeline_view_seek (GobanTimelineView *self, int where);

/* The middle of an op's slice in device pixels; FALSE if there is none. */
gboolean goban_timeline_view_locate (GobanTimelineView *self, GobanNodeId node, GobanPoint *at);
/* The same of a lane, at a time. */
gboolean goban_timeline_view_locate_lane (GobanTimelineView *self, const char *lane, double time_us,
                                          GobanPoint *at);

/* The time that is seen. */
void goban_timeline_view_get_span (GobanTimelineView *self, double *from_us, double *to_us);

/* Begins to write the run, as coloured and with the lanes here, in the format of @path's ending. @options: (nullable):
 * NULL for the whole in the theme of the window. (transfer full) (nullable): a job whose result is the path; NULL
 * with @error set if there is no run. */
GobanJob *goban_timeline_view_export (GobanTimelineView *self, const GobanExportOptions *options,
                                      const char *path, GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
