/* record-row.h: row of a record of decisions, painted as a whole.
 *
 * A list keeps hundreds of rows: one widget each, which shapes only what is seen.
 */
#pragma once

#include <gtk/gtk.h>

#define GOBAN_TYPE_RECORD_ROW (goban_record_row_get_type ())
G_DECLARE_FINAL_TYPE (GobanRecordRow, goban_record_row, GOBAN, RECORD_ROW, GtkWidget)

typedef enum
{
  GOBAN_GAIN_NONE,
  GOBAN_GAIN_GOOD,
  GOBAN_GAIN_BAD,
} GobanGain;

/* Contents of a row; copied. Texts are "" if there is nothing to say. */
typedef struct
{
  const char *number; /* "16"; of a title: "Plan 1" */
  const char *what, *where, *why, *gain;
  guint device; /* of the swatch; G_MAXUINT: none */
  guint depth;  /* of a variation, from 1; 0: none */
  GobanGain quality;
  gboolean is_fold, is_open; /* it has rows below it that fold */
  gboolean is_title;         /* of a plan or module: its number is wide */
  gboolean is_heading;       /* of the columns */
  gboolean is_future;        /* not decided yet */
  gboolean is_breakpoint;
  gboolean is_selected;
  const char *name; /* for screen readers */
} GobanRecordContent;

GtkWidget *goban_record_row_new (void) G_GNUC_WARN_UNUSED_RESULT;

void goban_record_row_show (GobanRecordRow *self, const GobanRecordContent *content);
/* For what changes at every decision. */
void goban_record_row_set_state (GobanRecordRow *self, gboolean is_future, gboolean is_selected);

/* Whether @x is in the margin of breakpoints and of the triangles of folds. */
gboolean goban_record_row_is_margin (GobanRecordRow *self, double x);

/* Its content, borrowed until the next. */
const GobanRecordContent *goban_record_row_get (GobanRecordRow *self);
