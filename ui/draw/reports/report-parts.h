/* report-parts.h: painters of the parts of a report's page; each paints into a given box. */
#pragma once

#include "ui/draw/reports/report-page.h"

G_BEGIN_DECLS

#define GOBAN_REPORT_ROW 17.0
#define GOBAN_REPORT_HEAD 26.0

typedef struct
{
  const GobanDiffReport *report;
  cairo_t *cr;
  GobanPen *pen;
  GobanTextCache *text;
  const GobanColours *colours;
  double density;
  gboolean as_image;
} ReportPainter;

double goban_report_page_timelines_height (const GobanDiffReport *report);
double goban_report_page_moves_width (const GobanDiffReport *report);
/* The number of devices that fit on a page. */
guint goban_report_page_n_shown_devices (const GobanDiffReport *report);

void goban_report_page_paint_title (const ReportPainter *p, GobanBox box);
void goban_report_page_paint_graphs (const ReportPainter *p, GobanBox box);
void goban_report_page_paint_timelines (const ReportPainter *p, GobanBox box);
void goban_report_page_paint_numbers (const ReportPainter *p, GobanBox box);
void goban_report_page_paint_moves (const ReportPainter *p, GobanBox box);
void goban_report_page_paint_breakdown (const ReportPainter *p, GobanBox box);
void goban_report_page_paint_causes (const ReportPainter *p, GobanBox box);
void goban_report_page_paint_script (const ReportPainter *p, GobanBox box);

G_END_DECLS
