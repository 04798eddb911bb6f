/* timeline-view.h: timeline pane: the current run of a session as lanes over time.
 *
 * The run before the last edit is drawn behind it in grey. The view's time is a cursor that can be
 * dragged and played; a click on a gap explains it; a bar dragged vertically to another device,
 * which may be shown outside, is an edit.
 *
 * Signals: "playback-changed" (): playback starts or stops, or its speed changes; "find" (double x,
 *   double y): a handler returns the device that a widget outside shows at a point of this one
 *   (guint), or GOBAN_NO_DEVICE; "aimed" (guint device): a dragged bar is over another device, or
 *   over none (GOBAN_NO_DEVICE); "heights-changed" (): goban_timeline_view_get_heights() returns
 *   others.
 */
#pragma once

#include "engine/session/session.h"
#include "engine/study/analysis/causes.h"
#include "ui/draw/export/export.h"
#include "ui/widgets/picture.h"

#define GOBAN_TYPE_TIMELINE_VIEW (goban_timeline_view_get_type ())
G_DECLARE_FINAL_TYPE (GobanTimelineView, goban_timeline_view, GOBAN, TIMELINE_VIEW, GobanPicture)

GtkWidget *goban_timeline_view_new (GobanSession *session) G_GNUC_WARN_UNUSED_RESULT;

void goban_timeline_view_fit (GobanTimelineView *self);
void goban_timeline_view_show_selection (GobanTimelineView *self);
/* Centres the selection; FALSE if it is centred already, or empty. */
gboolean goban_timeline_view_centre_selection (GobanTimelineView *self);
void goban_timeline_view_set_show_critical (GobanTimelineView *self, gboolean show);

/* The search results to mark; (nullable). */
void goban_timeline_view_set_matches (GobanTimelineView *self, GobanSelection *matches);
/* The number of hops of the selection's dependency arrows: 0 hides them. */
guint goban_timeline_view_get_hops (GobanTimelineView *self);
void goban_timeline_view_set_hops (GobanTimelineView *self, guint n_hops);

/* Removes area, causes and everything else drawn over the lanes; FALSE if there is nothing. */
gboolean goban_timeline_view_clear (GobanTimelineView *self);

/* timeline-headings.c: the height, in application pixels, at which the bars of all devices, or the
 * first eight, are visible, and the one that bars and open sub-rows want, and its part of
 * these rows; @is_roomy: with bars as high as in a view of its own. */
void goban_timeline_view_get_heights (GobanTimelineView *self, gboolean is_roomy, int *least,
                                      int *wanted, int *rows);

/* timeline-lanes.c: moves the lane under the pointer, else that of the selected op, up or down;
 * FALSE if there is none, or it cannot move further. */
gboolean goban_timeline_view_shift_lane (GobanTimelineView *self, int by);
/* Opens or closes the sub-rows of that lane's device; FALSE if there is nothing to do. */
gboolean goban_timeline_view_fold (GobanTimelineView *self, gboolean is_open);

/* The visible time span. */
void goban_timeline_view_get_span (GobanTimelineView *self, double *from_us, double *to_us);

/* Starts to export the run, with the present colours and lanes, in the format of @path's suffix.
 * @options: (nullable): NULL for the whole run in the theme of the window. (transfer full)
 * (nullable): a job whose result is the path; NULL with @error set if there is no run. */
GobanJob *goban_timeline_view_export (GobanTimelineView *self, const GobanExportOptions *options,
                                      const char *path, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* Playback, from the view's time or from the start. */
gboolean goban_timeline_view_is_playing (GobanTimelineView *self);
void goban_timeline_view_play (GobanTimelineView *self, gboolean is_playing);
/* 1: a run lasts ten seconds. */
double goban_timeline_view_get_speed (GobanTimelineView *self);
void goban_timeline_view_set_speed (GobanTimelineView *self, double speed);
/* Playback goes on from the start at the end. */
void goban_timeline_view_set_loop (GobanTimelineView *self, gboolean is_loop);
/* Ends playback and shows the next moment at which something starts or finishes, or for -1 the one
 * before. @of_selection: only on devices of selected ops, if any. FALSE if there is none. */
gboolean goban_timeline_view_step_event (GobanTimelineView *self, int direction,
                                         gboolean of_selection);
/* To the start if @where < 0, else to the end. */
void goban_timeline_view_seek (GobanTimelineView *self, int where);

/* Adds or removes a mark at the time under the pointer, else at the view's time.
 * FALSE if there is no such time. */
gboolean goban_timeline_view_mark (GobanTimelineView *self);
/* Moves the time to the next or the previous mark, or to the mark of a name. FALSE if there is
 * none. */
gboolean goban_timeline_view_step_mark (GobanTimelineView *self, int direction);
gboolean goban_timeline_view_show_mark (GobanTimelineView *self, const char *name);
/* Opens an entry to rename the mark at the view's time, or under the pointer; FALSE if there is
 * none. */
gboolean goban_timeline_view_name_mark (GobanTimelineView *self);

/* Explains the gap under the pointer, or the start time of the selected op; FALSE if there is
 * neither. */
gboolean goban_timeline_view_explain (GobanTimelineView *self);
/* Scrolls to one of the causes on display and selects it. */
void goban_timeline_view_follow_cause (GobanTimelineView *self, guint i);

/* Whether a worker is making a scene, which will replace the present one. */
gboolean goban_timeline_view_is_busy (GobanTimelineView *self);
