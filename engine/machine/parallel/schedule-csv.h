/* schedule-csv.h: schedules as the CSV files of torch.distributed.pipelining.
 *
 * A line per rank and a field per pass: stage, kind and micro-batch, as in "2F0". Kinds are F, W,
 * SEND_F, RECV_F, SEND_B, RECV_B, UNSHARD, RESHARD and REDUCE_GRAD; gradients of inputs alone are
 * I and whole backward passes B in newer files, B and BW in older ones. "(0F7;7B3)OVERLAP_F_B" is
 * two passes at a time; an empty field is an idle step.
 */
#pragma once

#include "engine/machine/parallel/schedule.h"

/* Properties of a file that its schedule does not have, so that it is written as it was. */
typedef struct _GobanScheduleStyle
{
  gboolean is_older;       /* B and BW instead of I and B */
  gboolean has_returns;    /* lines end in CR LF */
  gboolean lacks_line_end; /* the last line does */
} GobanScheduleStyle;

/**
 * goban_schedule_parse:
 * @origin: begins messages: a path
 * @style: (out) (optional)
 *
 * Returns: (transfer full) (nullable): %NULL with %GOBAN_ERROR_PARSE set for a field that is none,
 *   with its line, or %GOBAN_ERROR_INVALID as goban_schedule_new_from_ranks() says
 */
GobanSchedule *goban_schedule_parse (const char *text, gsize length, const char *origin,
                                     GobanScheduleStyle *style,
                                     GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* @style (nullable): newer, with line ends. (transfer full) */
char *goban_schedule_to_csv (const GobanSchedule *self,
                             const GobanScheduleStyle *style) G_GNUC_WARN_UNUSED_RESULT;
