/* time-shares-view.h: stacked bars of the time shares of each device, of one or two runs.
 *
 * The shares (engine/study/analysis/time-shares.h) of large runs are made in a worker; the last
 * ones stay until then.
 */
#pragma once

#include "engine/study/run/run.h"
#include "ui/draw/charts/time-bars.h"

#include <gtk/gtk.h>

#define GOBAN_TYPE_TIME_SHARES_VIEW (goban_time_shares_view_get_type ())
G_DECLARE_FINAL_TYPE (GobanTimeSharesView, goban_time_shares_view, GOBAN, TIME_SHARES_VIEW,
                      GtkWidget)

GtkWidget *goban_time_shares_view_new (void) G_GNUC_WARN_UNUSED_RESULT;

/* Shows the whole of @run, and of @other beside it; both (nullable), on equal devices. */
void goban_time_shares_view_set_runs (GobanTimeSharesView *self, GobanRun *run, GobanRun *other);

/* TRUE while other shares are expected. */
gboolean goban_time_shares_view_is_busy (GobanTimeSharesView *self);
/* Its content: the bars, and a line for each of them; borrowed until the next change. */
const GobanTimeBars *goban_time_shares_view_get_bars (GobanTimeSharesView *self);
const char *goban_time_shares_view_get_text (GobanTimeSharesView *self);
