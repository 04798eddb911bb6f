#include "ui/draw/reports/report-parts.h"

#include "engine/core/quantity.h"
#include "ui/draw/export/export.h"
#include "ui/draw/graph/graph-painter.h"
#include "ui/draw/timeline/timeline-painter.h"

#include <math.h>
#include <string.h>

#define MAX_DEVICES 24
#define CELL_W 46.0
#define NAME_W 64.0
#define GAP 18.0
#define CAPTION_H 20.0
#define LEGEND_GAP 8.0
/* Dark enough to be read on paper; never alone: a sign and an arrow say the same. */
#define BETTER 0x00694e
#define WORSE 0xa8430a

static const char *
arrow_of (GobanSense sense)
{
  return sense == GOBAN_SENSE_BETTER ? "▼ " : sense == GOBAN_SENSE_WORSE ? "▲ " : "";
}

static GobanRgb
colour_of (const ReportPainter *p, GobanSense sense)
{
  return sense == GOBAN_SENSE_BETTER  ? BETTER
         : sense == GOBAN_SENSE_WORSE ? WORSE
                                      : p->colours->ink;
}

static void
write_text (const ReportPainter *p, const char *text, GobanBox box, const GobanTextStyle *style)
{
  GobanPoint at = { box.x0, (box.y0 + box.y1) / 2 };

  goban_pen_text (p->pen, text, at, box.x1 - box.x0, style);
}

/* A block's heading with a rule below; @about (nullable) beside it. */
static void
write_heading (const ReportPainter *p, const char *text, const char *about, GobanBox box)
{
  GobanTextStyle bold = { 11, TRUE, GOBAN_ALIGN_LEFT, p->colours->ink };
  GobanTextStyle muted = { 10, FALSE, GOBAN_ALIGN_LEFT, p->colours->muted };
  double width = goban_pen_text_width (p->pen, text, &bold);

  write_text (p, text, (GobanBox){ box.x0, box.y0, box.x1, box.y0 + 18 }, &bold);
  if (about != NULL)
    write_text (p, about, (GobanBox){ box.x0 + width + 12, box.y0, box.x1, box.y0 + 18 }, &muted);
  goban_pen_rect (p->pen, (GobanBox){ box.x0, box.y0 + 20, box.x1, box.y0 + 21 }, p->colours->rule);
}

void
goban_report_page_paint_title (const ReportPainter *p, GobanBox box)
{
  const GobanDiffReport *report = p->report;
  GobanTextStyle title = { 18, TRUE, GOBAN_ALIGN_LEFT, p->colours->ink };
  GobanTextStyle subtitle = { 11, FALSE, GOBAN_ALIGN_LEFT, p->colours->muted };
  GobanTextStyle change = { 18, TRUE, GOBAN_ALIGN_RIGHT, colour_of (p, report->sense) };
  g_autofree char *text
      = g_strdup_printf ("%s → %s  %s%s", report->makespans[0] != NULL ? report->makespans[0] : "",
                         report->makespans[1] != NULL ? report->makespans[1] : "",
                         arrow_of (report->sense), report->change != NULL ? report->change : "");
  double middle = box.x0 + (box.x1 - box.x0) * 0.62;

  write_text (p, report->title, (GobanBox){ box.x0, box.y0, middle, box.y0 + 24 }, &title);
  write_text (p, text, (GobanBox){ middle, box.y0, box.x1, box.y0 + 24 }, &change);
  write_text (p, report->subtitle, (GobanBox){ box.x0, box.y0 + 24, box.x1, box.y0 + 42 },
              &subtitle);
}

/* --- pictures ------------------------------------------------------------------------------- */

typedef void (*PaintFunc) (const ReportPainter *p, guint i, GobanPen *pen, double scale);

/* Lets @paint fill the box: paths, or an image of so many pixels for each of the page's. */
static void
paint_picture (const ReportPainter *p, guint i, GobanBox box, gboolean as_image, PaintFunc paint)
{
  double w = floor (box.x1 - box.x0), h = floor (box.y1 - box.y0);

  cairo_save (p->cr);
  cairo_translate (p->cr, box.x0, box.y0);
  cairo_rectangle (p->cr, 0, 0, w, h);
  cairo_clip (p->cr);
  if (as_image)
    {
      cairo_surface_t *image = cairo_image_surface_create (
          CAIRO_FORMAT_RGB24, (int) (w * p->density), (int) (h * p->density));
      GobanPen *pen = goban_pen_new_for_image (image, p->text);

      paint (p, i, pen, p->density);
      goban_pen_free (pen); /* flushes its pixels before they are read */
      cairo_scale (p->cr, 1 / p->density, 1 / p->density);
      cairo_set_source_surface (p->cr, image, 0, 0);
      cairo_pattern_set_filter (cairo_get_source (p->cr), CAIRO_FILTER_GOOD);
      cairo_paint (p->cr);
      cairo_surface_destroy (image);
    }
  else
    {
      g_autoptr (GobanPen) pen = goban_pen_new_for_cairo (p->cr, w, h, p->text);

      paint (p, i, pen, 1);
    }
  cairo_restore (p->cr);
}

static GobanGraphPicture
graph_picture (const ReportPainter *p, guint i, double width, double height, double scale)
{
  return (GobanGraphPicture){
    .scene = p->report->graphs[i],
    .layout = p->report->layout,
    .camera = goban_camera_fit (p->report->layout->bounds, width, height, 8 * scale, scale),
    .style = { GOBAN_THEME_LIGHT, GOBAN_FILL_DEVICE, FALSE, scale },
  };
}

static void
paint_graph (const ReportPainter *p, guint i, GobanPen *pen, double scale)
{
  GobanGraphPicture picture
      = graph_picture (p, i, goban_pen_get_width (pen), goban_pen_get_height (pen), scale);

  goban_graph_paint (&picture, pen);
}

/* Fine enough to leave small nodes their colours. */
static void
ring_moved (const ReportPainter *p, guint i, GobanBox box)
{
  double w = floor (box.x1 - box.x0), h = floor (box.y1 - box.y0);
  GobanGraphPicture picture = graph_picture (p, i, w, h, 1);
  g_autoptr (GobanPen) pen = NULL;

  cairo_save (p->cr);
  cairo_translate (p->cr, box.x0, box.y0);
  cairo_rectangle (p->cr, 0, 0, w, h);
  cairo_clip (p->cr);
  pen = goban_pen_new_for_cairo (p->cr, w, h, p->text);
  for (guint k = 0; k < p->report->n_marked; k++)
    {
      GobanBox node = goban_camera_box_to_screen (
          &picture.camera, goban_layout_node_box (p->report->layout, p->report->marked[k]));
      GobanStroke ring = { .rgb = p->colours->match,
                           .alpha = 255,
                           .width = CLAMP ((node.y1 - node.y0) * 0.08, 0.6, 2) };

      goban_pen_ring (pen, node, ring.width * 1.5, &ring);
    }
  cairo_restore (p->cr);
}

static void
write_caption (const ReportPainter *p, guint i, GobanBox box)
{
  const GobanDiffReport *report = p->report;
  GobanTextStyle bold = { 12, TRUE, GOBAN_ALIGN_LEFT, p->colours->ink };
  GobanTextStyle change
      = { 12, TRUE, GOBAN_ALIGN_RIGHT, i > 0 ? colour_of (p, report->sense) : p->colours->ink };
  g_autofree char *name = g_strdup_printf ("%c  %s", i == 0 ? 'A' : 'B', report->names[i]);
  g_autofree char *number = i == 0 ? g_strdup (report->makespans[i])
                                   : g_strdup_printf ("%s  %s%s", report->makespans[i],
                                                      arrow_of (report->sense), report->change);

  write_text (p, name, box, &bold);
  write_text (p, number, box, &change);
}

void
goban_report_page_paint_graphs (const ReportPainter *p, GobanBox box)
{
  const GobanDiffReport *report = p->report;
  double width = floor ((box.x1 - box.x0 - GAP) / 2);
  GobanGraphStyle style = { .fill = GOBAN_FILL_DEVICE, .ui_scale = 1 };
  gboolean is_large
      = report->graphs[0] != NULL
        && report->graphs[0]->n_nodes + report->graphs[0]->n_edges > GOBAN_MAX_VECTOR_ELEMENTS / 2;

  if (report->graphs[0] == NULL)
    return;
  for (guint i = 0; i < 2; i++)
    {
      double x0 = box.x0 + i * (width + GAP);
      GobanBox caption = { x0, box.y0, x0 + width, box.y0 + CAPTION_H };
      GobanBox legend = { x0, box.y0, x0 + width, box.y1 };
      double legend_h = goban_graph_legend (report->graphs[i], &style, p->pen, legend, FALSE);
      GobanBox area
          = { x0, box.y0 + CAPTION_H + 2, x0 + width, floor (box.y1 - legend_h - LEGEND_GAP) };

      legend.y0 = box.y1 - legend_h;
      write_caption (p, i, caption);
      paint_picture (p, i, area, p->as_image || is_large, paint_graph);
      if (i == 1)
        ring_moved (p, i, area);
      goban_pen_frame (p->pen, area, 1, p->colours->rule);
      goban_graph_legend (report->graphs[i], &style, p->pen, legend, TRUE);
    }
}

static double
timeline_scale (const GobanDiffReport *report)
{
  GobanTimelineStyle style = { .ui_scale = 1 };
  double height = 0;

  for (guint i = 0; i < 2; i++)
    height += goban_timeline_height (report->timelines[i], &style);
  return CLAMP (560 / height, 0.5, 0.85);
}

double
goban_report_page_timelines_height (const GobanDiffReport *report)
{
  GobanTimelineStyle style = { .ui_scale = 1 };
  double height = GOBAN_REPORT_HEAD;

  if (report->timelines[0] == NULL)
    return 0;
  style.ui_scale = timeline_scale (report);
  for (guint i = 0; i < 2; i++)
    height += ceil (goban_timeline_height (report->timelines[i], &style)) + 4;
  return MIN (height, 640);
}

static void
paint_timeline (const ReportPainter *p, guint i, GobanPen *pen, double scale)
{
  const GobanDiffReport *report = p->report;
  GobanTimelineStyle style
      = { GOBAN_THEME_LIGHT, GOBAN_FILL_DEVICE, FALSE, timeline_scale (report) * scale };
  double end_us = MAX (report->timelines[0]->end_us, report->timelines[1]->end_us);
  GobanTimelinePicture picture = {
    .scene = report->timelines[i],
    .camera = goban_time_camera_fit (
        0, end_us, goban_timeline_lanes_width (&style, goban_pen_get_width (pen))),
    .style = style,
    .ghost = i == 1 && report->has_ghost ? report->timelines[0] : NULL,
  };

  goban_timeline_paint (&picture, pen);
}

void
goban_report_page_paint_timelines (const ReportPainter *p, GobanBox box)
{
  const GobanDiffReport *report = p->report;
  GobanTimelineStyle style = { .ui_scale = 1 };
  double y = box.y0 + GOBAN_REPORT_HEAD;
  g_autofree char *about = NULL;

  if (report->timelines[0] == NULL)
    return;
  about
      = g_strdup_printf ("A %s above, B %s below%s; one scale of time", report->names[0],
                         report->names[1], report->has_ghost ? " with A's outlines behind it" : "");
  write_heading (p, "TIMELINES", about, box);
  style.ui_scale = timeline_scale (report);
  for (guint i = 0; i < 2; i++)
    {
      double height = ceil (goban_timeline_height (report->timelines[i], &style));
      GobanBox area = { box.x0, y, box.x1, MIN (y + height, box.y1) };

      /* Merged slices are a rectangle a pixel: as paths they would be thousands. */
      if (area.y1 - area.y0 >= 1)
        paint_picture (p, i, area, TRUE, paint_timeline);
      y += height + 4;
    }
}

/* --- tables --------------------------------------------------------------------------------- */

void
goban_report_page_paint_numbers (const ReportPainter *p, GobanBox box)
{
  const GobanDiffReport *report = p->report;
  double right[4] = { box.x1 - 242, box.x1 - 162, box.x1 - 82, box.x1 };
  GobanTextStyle left = { 11, FALSE, GOBAN_ALIGN_LEFT, p->colours->ink };
  GobanTextStyle head = { 10, FALSE, GOBAN_ALIGN_RIGHT, p->colours->muted };

  write_heading (p, "NUMBERS", NULL, box);
  for (guint i = 0; i < 2; i++)
    write_text (p, report->names[i], (GobanBox){ right[i] + 4, box.y0, right[i + 1], box.y0 + 18 },
                &head);
  for (guint r = 0; r < report->rows->len; r++)
    {
      const GobanReportRow *row = &g_array_index (report->rows, GobanReportRow, r);
      double y = box.y0 + GOBAN_REPORT_HEAD + r * GOBAN_REPORT_ROW;
      g_autofree char *change = g_strconcat (arrow_of (row->sense), row->change, NULL);
      GobanTextStyle value = { 11, FALSE, GOBAN_ALIGN_RIGHT, p->colours->ink };

      write_text (p, row->what, (GobanBox){ box.x0, y, right[0], y + GOBAN_REPORT_ROW }, &left);
      for (guint i = 0; i < 2; i++)
        write_text (p, row->values[i],
                    (GobanBox){ right[i] + 4, y, right[i + 1], y + GOBAN_REPORT_ROW }, &value);
      value.rgb = colour_of (p, row->sense);
      write_text (p, *row->change != '\0' ? change : "",
                  (GobanBox){ right[2] + 4, y, right[3], y + GOBAN_REPORT_ROW }, &value);
    }
}

guint
goban_report_page_n_shown_devices (const GobanDiffReport *report)
{
  return MIN (report->moves.n_devices, MAX_DEVICES);
}

/* Many devices have narrower columns. */
static double
cell_width (const GobanDiffReport *report)
{
  return goban_report_page_n_shown_devices (report) > 8 ? 36 : CELL_W;
}

double
goban_report_page_moves_width (const GobanDiffReport *report)
{
  return NAME_W + (goban_report_page_n_shown_devices (report) + 1) * cell_width (report);
}

static void
paint_cell (const ReportPainter *p, guint n_moves, guint n_most, GobanBox box)
{
  GobanTextStyle style = { 10.5, n_moves > 0, GOBAN_ALIGN_CENTRE, p->colours->ink };
  char text[GOBAN_QUANTITY_LEN];

  if (n_moves > 0 && n_most > 0)
    {
      double share = 0.12 + 0.5 * sqrt ((double) n_moves / n_most);
      GobanRgb fill = goban_rgb_mix (p->colours->canvas, p->colours->selection, share);

      goban_pen_rect (p->pen, (GobanBox){ box.x0 + 1, box.y0 + 1, box.x1 - 1, box.y1 - 1 }, fill);
      style.rgb = goban_rgb_text_on (fill);
    }
  else
    {
      style.rgb = p->colours->muted;
    }
  write_text (p, goban_format_grouped (text, n_moves), box, &style);
}

/* Of the whole matrix, devices that are not shown included. */
static guint
sum_moves (const GobanDiffReport *report, guint device, gboolean is_row)
{
  guint n = report->moves.n_devices;
  guint sum = 0;

  for (guint d = 0; d < n; d++)
    if (d != device)
      sum += report->moves.counts[is_row ? (gsize) device * n + d : (gsize) d * n + device];
  return sum;
}

static void
paint_row (const ReportPainter *p, guint from, guint n_most, GobanBox row)
{
  const GobanDiffReport *report = p->report;
  double w = cell_width (report);
  guint n = goban_report_page_n_shown_devices (report);
  GobanTextStyle name = { 10.5, FALSE, GOBAN_ALIGN_LEFT, p->colours->ink };
  GobanTextStyle total = { 10.5, FALSE, GOBAN_ALIGN_CENTRE, p->colours->muted };
  char sum[GOBAN_QUANTITY_LEN];
  double x = row.x0 + NAME_W;

  write_text (p, report->moves.devices[from], (GobanBox){ row.x0, row.y0, x, row.y1 }, &name);
  for (guint to = 0; to < n; to++, x += w)
    if (from == to)
      write_text (p, "·", (GobanBox){ x, row.y0, x + w, row.y1 }, &total);
    else
      paint_cell (p, report->moves.counts[(gsize) from * report->moves.n_devices + to], n_most,
                  (GobanBox){ x, row.y0, x + w, row.y1 });
  goban_format_grouped (sum, sum_moves (report, from, TRUE));
  write_text (p, sum, (GobanBox){ x, row.y0, x + w, row.y1 }, &total);
}

void
goban_report_page_paint_moves (const ReportPainter *p, GobanBox box)
{
  const GobanDiffReport *report = p->report;
  double w = cell_width (report);
  guint n = goban_report_page_n_shown_devices (report);
  GobanTextStyle head = { 10, FALSE, GOBAN_ALIGN_CENTRE, p->colours->muted };
  double y = box.y0 + GOBAN_REPORT_HEAD;
  guint n_most = 0;

  write_heading (p, "MOVES", "nodes from the row's device to the column's", box);
  for (gsize i = 0; i < (gsize) report->moves.n_devices * report->moves.n_devices; i++)
    n_most = MAX (n_most, report->moves.counts[i]);
  for (guint to = 0; to <= n; to++)
    {
      double x = box.x0 + NAME_W + to * w;
      char sum[GOBAN_QUANTITY_LEN] = "";
      double last = y + (n + 1) * GOBAN_REPORT_ROW;

      if (to < n)
        goban_format_grouped (sum, sum_moves (report, to, FALSE));
      write_text (p, to < n ? report->moves.devices[to] : "all",
                  (GobanBox){ x, y, x + w, y + GOBAN_REPORT_ROW }, &head);
      write_text (p, sum, (GobanBox){ x, last, x + w, last + GOBAN_REPORT_ROW }, &head);
    }
  for (guint from = 0; from < n; from++)
    {
      y += GOBAN_REPORT_ROW;
      paint_row (p, from, n_most, (GobanBox){ box.x0, y, box.x1, y + GOBAN_REPORT_ROW });
    }
  if (n < report->moves.n_devices)
    {
      g_autofree char *more = g_strdup_printf ("… %u more devices", report->moves.n_devices - n);

      write_text (p, more, (GobanBox){ box.x0, y + 34, box.x1, y + 34 + GOBAN_REPORT_ROW }, &head);
    }
}

void
goban_report_page_paint_breakdown (const ReportPainter *p, GobanBox box)
{
  const GobanDiffReport *report = p->report;
  GobanTextStyle left = { 11, FALSE, GOBAN_ALIGN_LEFT, p->colours->ink };
  GobanBox rows = box;

  write_heading (p, "WHAT MAKES THE DIFFERENCE", report->about_waterfall, box);
  rows.y0 += GOBAN_REPORT_HEAD + GOBAN_REPORT_ROW;
  if (report->sentence != NULL)
    write_text (p, report->sentence,
                (GobanBox){ box.x0, rows.y0 - GOBAN_REPORT_ROW, box.x1, rows.y0 }, &left);
  if (report->waterfall != NULL)
    goban_waterfall_paint (report->waterfall, p->pen, rows, GOBAN_THEME_LIGHT);
}

static void
paint_causes_of (const ReportPainter *p, guint i, GobanBox box)
{
  const GobanBottlenecks *bottlenecks = p->report->causes[i];
  GobanTextStyle bold = { 11, TRUE, GOBAN_ALIGN_LEFT, p->colours->ink };
  GobanTextStyle left = { 11, FALSE, GOBAN_ALIGN_LEFT, p->colours->ink };
  GobanTextStyle right = { 11, FALSE, GOBAN_ALIGN_RIGHT, p->colours->ink };

  write_text (p, p->report->names[i],
              (GobanBox){ box.x0, box.y0, box.x1, box.y0 + GOBAN_REPORT_ROW }, &bold);
  for (guint k = 0; bottlenecks != NULL && k < bottlenecks->n_causes; k++)
    {
      const GobanBottleneck *cause = &bottlenecks->causes[k];
      double y = box.y0 + (k + 1) * GOBAN_REPORT_ROW;
      g_autofree char *share
          = g_strdup_printf ("%u.%u %%", cause->permille / 10, cause->permille % 10);

      write_text (p, share, (GobanBox){ box.x0, y, box.x0 + 48, y + GOBAN_REPORT_ROW }, &right);
      goban_pen_rect (
          p->pen, (GobanBox){ box.x0 + 60, y + 4, box.x0 + 61 + 0.08 * cause->permille, y + 13 },
          p->colours->muted);
      write_text (p, cause->label, (GobanBox){ box.x0 + 152, y, box.x1, y + GOBAN_REPORT_ROW },
                  &left);
    }
}

void
goban_report_page_paint_causes (const ReportPainter *p, GobanBox box)
{
  double middle = (box.x0 + box.x1) / 2;
  double top = box.y0 + GOBAN_REPORT_HEAD;

  write_heading (p, "WHERE THE TIME GOES", "causes along the critical path of each plan", box);
  paint_causes_of (p, 0, (GobanBox){ box.x0, top, middle - GAP, box.y1 });
  paint_causes_of (p, 1, (GobanBox){ middle, top, box.x1, box.y1 });
}

void
goban_report_page_paint_script (const ReportPainter *p, GobanBox box)
{
  GobanTextStyle style = { 10.5, FALSE, GOBAN_ALIGN_LEFT, p->colours->ink };
  double y = box.y0 + GOBAN_REPORT_HEAD;

  write_heading (p, "LUA", "what makes this report again", box);
  for (guint i = 0; p->report->script != NULL && p->report->script[i] != NULL; i++)
    {
      write_text (p, p->report->script[i], (GobanBox){ box.x0, y, box.x1, y + GOBAN_REPORT_ROW },
                  &style);
      y += GOBAN_REPORT_ROW;
    }
}
