/* time-bars.h: stacked bars of the time of devices (engine/study/analysis/time-shares.h), with a
 * legend.
 *
 * Below the legend a device is a row: its name, a bar for each run, and the share that it computes.
 * The kinds differ in colour and hatch. Plain values; any thread.
 */
#pragma once

#include "engine/study/analysis/time-shares.h"
#include "ui/draw/pen.h"

typedef struct
{
  const GobanTimeShares *shares[2]; /* the second is (nullable): of the compared run */
  const char *const *names;         /* (n_devices) */
  int hover;                        /* a segment as from goban_time_bars_find(), or -1 */
  GobanTheme theme;
  double ui_scale; /* device pixels per pixel of the design; 0: 1 */
} GobanTimeBars;

/* The height that all rows and the legend need at @width design pixels. */
double goban_time_bars_get_height (const GobanTimeBars *self, double width);

/* Fills the pen's surface. */
void goban_time_bars_paint (const GobanTimeBars *self, GobanPen *pen);

/* The segment at @at in a picture of @width design pixels, or -1; and its device, run and kind. */
int goban_time_bars_find (const GobanTimeBars *self, double width, GobanPoint at);
void goban_time_bars_split (int segment, guint *device, guint *run, GobanTimeKind *kind);

/* "gpu:0: waits for data 30.0 %, 1.2 ms". (transfer full) */
char *goban_time_bars_describe (const GobanTimeBars *self, int segment) G_GNUC_WARN_UNUSED_RESULT;
