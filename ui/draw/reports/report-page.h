/* report-page.h: a report laid out on pages and painted, as functions of its values.
 *
 * Pages are A4 on its side, at 96 pixels an inch. Blocks follow each other and none is cut: a block
 * that does not fit begins a page.
 */
#pragma once

#include "ui/draw/pen.h"
#include "ui/draw/reports/report-diff.h"

G_BEGIN_DECLS

#define GOBAN_REPORT_WIDTH 1123.0
#define GOBAN_REPORT_HEIGHT 794.0

typedef enum
{
  GOBAN_REPORT_TITLE,
  GOBAN_REPORT_GRAPHS,
  GOBAN_REPORT_TIMELINES,
  GOBAN_REPORT_NUMBERS,
  GOBAN_REPORT_MOVES,
  GOBAN_REPORT_BREAKDOWN,
  GOBAN_REPORT_CAUSES,
  GOBAN_REPORT_SCRIPT,
  GOBAN_N_REPORT_BLOCKS
} GobanReportBlockKind;

typedef struct
{
  GobanReportBlockKind kind;
  guint page;
  GobanBox box;
} GobanReportBlock;

typedef struct
{
  GobanReportBlock blocks[GOBAN_N_REPORT_BLOCKS];
  guint n_blocks;
  guint n_pages; /* at least 1 */
} GobanReportLayout;

GobanReportLayout goban_report_page_lay_out (const GobanDiffReport *report);

/* Paints a page over all of @cr, whose unit is a pixel of the page. @density: image pixels per page
 * pixel, for pictures that are too large for paths; with @as_image all pictures are images. */
void goban_report_page_paint (const GobanDiffReport *report, const GobanReportLayout *layout,
                              guint page, cairo_t *cr, double density, gboolean as_image);

/* The report as text, page by page. */
char *goban_report_page_describe (const GobanDiffReport *report,
                                  const GobanReportLayout *layout) G_GNUC_WARN_UNUSED_RESULT;

/* Writes all pages: a PDF, or below each other as SVG or PNG, by the ending of @path ("-" is SVG).
 * The same report gives the same bytes. FALSE with %GOBAN_ERROR_UNSUPPORTED or %GOBAN_ERROR_IO
 * set. */
gboolean goban_report_page_write (const GobanDiffReport *report, const char *path, GError **error);

/* Request for a report. */
typedef struct
{
  GobanRun *before;
  GobanRun *after;
  gboolean has_own_devices; /* exchangeable devices are not matched */
  double min_change_us;
  const GobanLook *look;         /* (nullable) */
  const char *script;            /* (nullable) */
  const GobanProgress *progress; /* (nullable) */
} GobanReportOrder;

/* Makes the report and writes it; in any thread. Without parts where one of the plans cannot run.
 * FALSE with an error of goban_difference_new() or goban_report_page_write(), or
 * %GOBAN_ERROR_CANCELLED set. */
gboolean goban_report_page_deliver (const GobanReportOrder *order, const char *path,
                                    GError **error);

G_END_DECLS
