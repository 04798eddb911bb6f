#include "ui/draw/reports/report-parts.h"

#include <math.h>
#include <string.h>

#define MARGIN 40.0
#define FOOT 20.0
#define GAP 22.0
#define TITLE_H 50.0
#define GRAPHS_H 330.0
#define NUMBERS_W 520.0

/* --- positions ------------------------------------------------------------------------------ */

static void
add_block (GobanReportLayout *layout, GobanReportBlockKind kind, GobanBox box)
{
  layout->blocks[layout->n_blocks++] = (GobanReportBlock){ kind, layout->n_pages - 1, box };
}

/* Top of a block of that height; on a new page if this has no room left. */
static double
make_room (GobanReportLayout *layout, double *y, double height)
{
  double top;

  if (*y + height > GOBAN_REPORT_HEIGHT - MARGIN - FOOT && *y > MARGIN)
    {
      layout->n_pages++;
      *y = MARGIN;
    }
  top = *y;
  *y += height + GAP;
  return top;
}

static double
moves_height (const GobanDiffReport *report)
{
  guint n = goban_report_page_n_shown_devices (report);

  return GOBAN_REPORT_HEAD + (n + 2 + (n < report->moves.n_devices)) * GOBAN_REPORT_ROW;
}

/* Beside each other if the page is wide enough for both. */
static void
lay_out_tables (const GobanDiffReport *report, GobanReportLayout *layout, double *y)
{
  double left = MARGIN, right = GOBAN_REPORT_WIDTH - MARGIN;
  double numbers_h = GOBAN_REPORT_HEAD + report->rows->len * GOBAN_REPORT_ROW;
  double moves_h = moves_height (report);
  double moves_w = goban_report_page_moves_width (report);
  gboolean is_beside = left + NUMBERS_W + 2 * GAP + moves_w <= right;
  double top = make_room (layout, y, is_beside ? MAX (numbers_h, moves_h) : numbers_h);

  add_block (layout, GOBAN_REPORT_NUMBERS,
             (GobanBox){ left, top, left + NUMBERS_W, top + numbers_h });
  if (report->moves.n_devices == 0)
    return;
  if (is_beside)
    {
      left += NUMBERS_W + 2 * GAP;
    }
  else
    {
      top = make_room (layout, y, moves_h);
    }
  add_block (layout, GOBAN_REPORT_MOVES,
             (GobanBox){ left, top, MIN (left + MAX (moves_w, 330), right), top + moves_h });
}

/* Of both plans beside each other. */
static void
lay_out_causes (const GobanDiffReport *report, GobanReportLayout *layout, double *y)
{
  guint n = 0;
  double top, height;

  for (guint i = 0; i < 2; i++)
    n = MAX (n, report->causes[i] != NULL ? report->causes[i]->n_causes : 0);
  if (n == 0)
    return;
  height = GOBAN_REPORT_HEAD + (n + 1) * GOBAN_REPORT_ROW;
  top = make_room (layout, y, height);
  add_block (layout, GOBAN_REPORT_CAUSES,
             (GobanBox){ MARGIN, top, GOBAN_REPORT_WIDTH - MARGIN, top + height });
}

GobanReportLayout
goban_report_page_lay_out (const GobanDiffReport *report)
{
  GobanReportLayout layout = { .n_pages = 1 };
  double left = MARGIN, right = GOBAN_REPORT_WIDTH - MARGIN;
  double timelines_h = goban_report_page_timelines_height (report);
  double parts_h
      = GOBAN_REPORT_HEAD + GOBAN_REPORT_ROW
        + (report->waterfall != NULL ? report->waterfall->rows->len : 0) * GOBAN_WATERFALL_ROW;
  guint n_lines = report->script != NULL ? g_strv_length (report->script) : 0;
  double y = MARGIN;
  double top = make_room (&layout, &y, TITLE_H - GAP);

  add_block (&layout, GOBAN_REPORT_TITLE, (GobanBox){ left, top, right, top + TITLE_H - GAP });
  if (report->graphs[0] != NULL)
    {
      /* Height left for the rest by the timelines on the first page. */
      double room = GOBAN_REPORT_HEIGHT - MARGIN - FOOT - y - timelines_h - GAP;
      double height = room >= GRAPHS_H * 0.75 ? room : GOBAN_REPORT_HEIGHT - MARGIN - FOOT - y;

      top = make_room (&layout, &y, height);
      add_block (&layout, GOBAN_REPORT_GRAPHS, (GobanBox){ left, top, right, top + height });
    }
  if (timelines_h > 0)
    {
      top = make_room (&layout, &y, timelines_h);
      add_block (&layout, GOBAN_REPORT_TIMELINES,
                 (GobanBox){ left, top, right, top + timelines_h });
    }
  lay_out_tables (report, &layout, &y);
  top = make_room (&layout, &y, parts_h);
  add_block (&layout, GOBAN_REPORT_BREAKDOWN, (GobanBox){ left, top, right, top + parts_h });
  lay_out_causes (report, &layout, &y);
  if (n_lines > 0)
    {
      double height = GOBAN_REPORT_HEAD + n_lines * GOBAN_REPORT_ROW;

      top = make_room (&layout, &y, height);
      add_block (&layout, GOBAN_REPORT_SCRIPT, (GobanBox){ left, top, right, top + height });
    }
  return layout;
}

/* --- painting ------------------------------------------------------------------------------- */

static void (*const painters[GOBAN_N_REPORT_BLOCKS]) (const ReportPainter *, GobanBox) = {
  [GOBAN_REPORT_TITLE] = goban_report_page_paint_title,
  [GOBAN_REPORT_GRAPHS] = goban_report_page_paint_graphs,
  [GOBAN_REPORT_TIMELINES] = goban_report_page_paint_timelines,
  [GOBAN_REPORT_NUMBERS] = goban_report_page_paint_numbers,
  [GOBAN_REPORT_MOVES] = goban_report_page_paint_moves,
  [GOBAN_REPORT_BREAKDOWN] = goban_report_page_paint_breakdown,
  [GOBAN_REPORT_CAUSES] = goban_report_page_paint_causes,
  [GOBAN_REPORT_SCRIPT] = goban_report_page_paint_script,
};

void
goban_report_page_paint (const GobanDiffReport *report, const GobanReportLayout *layout, guint page,
                         cairo_t *cr, double density, gboolean as_image)
{
  g_autoptr (GobanTextCache) text = goban_text_cache_new ();
  g_autoptr (GobanPen) pen
      = goban_pen_new_for_cairo (cr, GOBAN_REPORT_WIDTH, GOBAN_REPORT_HEIGHT, text);
  const GobanColours *colours = goban_palette_get (GOBAN_THEME_LIGHT);
  ReportPainter painter = { report, cr, pen, text, colours, density, as_image };
  GobanTextStyle foot = { 9, FALSE, GOBAN_ALIGN_RIGHT, colours->muted };
  g_autofree char *number = g_strdup_printf (
      "%s · %u of %u", report->title != NULL ? report->title : "", page + 1, layout->n_pages);

  goban_pen_rect (pen, (GobanBox){ 0, 0, GOBAN_REPORT_WIDTH, GOBAN_REPORT_HEIGHT },
                  colours->canvas);
  for (guint i = 0; i < layout->n_blocks; i++)
    if (layout->blocks[i].page == page)
      painters[layout->blocks[i].kind](&painter, layout->blocks[i].box);
  goban_pen_text (pen, number, (GobanPoint){ MARGIN, GOBAN_REPORT_HEIGHT - MARGIN + FOOT / 2 },
                  GOBAN_REPORT_WIDTH - 2 * MARGIN, &foot);
}

/* --- in words ------------------------------------------------------------------------------- */

static void
describe_moves (const GobanDiffReport *report, GString *text)
{
  for (guint from = 0; from < report->moves.n_devices; from++)
    for (guint to = 0; to < report->moves.n_devices; to++)
      {
        guint n = report->moves.counts[(gsize) from * report->moves.n_devices + to];

        if (n > 0)
          g_string_append_printf (text, "  %u from %s to %s\n", n, report->moves.devices[from],
                                  report->moves.devices[to]);
      }
}

static void
describe_breakdown (const GobanDiffReport *report, GString *text)
{
  g_string_append_printf (text, "  %s\n", report->sentence != NULL ? report->sentence : "");
  for (guint i = 0; report->waterfall != NULL && i < report->waterfall->rows->len; i++)
    {
      g_autofree char *row = goban_waterfall_describe_row (report->waterfall, i);

      g_string_append_printf (text, "  %s\n", row);
    }
}

static void
describe_causes (const GobanDiffReport *report, GString *text)
{
  for (guint i = 0; i < 2; i++)
    for (guint k = 0; report->causes[i] != NULL && k < report->causes[i]->n_causes; k++)
      {
        g_autofree char *cause = goban_bottleneck_describe (&report->causes[i]->causes[k]);

        g_string_append_printf (text, "  %s: %s\n", report->names[i], cause);
      }
}

static void
describe_block (const GobanDiffReport *report, GobanReportBlockKind kind, GString *text)
{
  switch (kind)
    {
    case GOBAN_REPORT_TITLE:
      g_string_append_printf (text, "  %s\n  %s\n  %s, then %s %s\n", report->title,
                              report->subtitle, report->makespans[0], report->makespans[1],
                              report->change);
      break;
    case GOBAN_REPORT_GRAPHS:
      g_string_append_printf (text, "  %u items, %u of them ringed\n", report->graphs[0]->n_nodes,
                              report->n_marked);
      break;
    case GOBAN_REPORT_TIMELINES:
      break;
    case GOBAN_REPORT_NUMBERS:
      for (guint i = 0; i < report->rows->len; i++)
        {
          const GobanReportRow *row = &g_array_index (report->rows, GobanReportRow, i);

          g_string_append_printf (text, "  %s: %s, %s%s%s\n", row->what, row->values[0],
                                  row->values[1], *row->change != '\0' ? ", " : "", row->change);
        }
      break;
    case GOBAN_REPORT_MOVES:
      describe_moves (report, text);
      break;
    case GOBAN_REPORT_BREAKDOWN:
      describe_breakdown (report, text);
      break;
    case GOBAN_REPORT_CAUSES:
      describe_causes (report, text);
      break;
    case GOBAN_REPORT_SCRIPT:
      for (guint i = 0; report->script[i] != NULL; i++)
        g_string_append_printf (text, "  %s\n", report->script[i]);
      break;
    case GOBAN_N_REPORT_BLOCKS:
      break;
    }
}

char *
goban_report_page_describe (const GobanDiffReport *report, const GobanReportLayout *layout)
{
  static const char *const names[] = { "title",
                                       "graphs",
                                       "timelines",
                                       "numbers",
                                       "moves",
                                       "what makes the difference",
                                       "where the time goes",
                                       "lua" };
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < layout->n_blocks; i++)
    {
      const GobanReportBlock *block = &layout->blocks[i];

      g_string_append_printf (text, "page %u, %s at %d,%d to %d,%d\n", block->page + 1,
                              names[block->kind], (int) block->box.x0, (int) block->box.y0,
                              (int) block->box.x1, (int) block->box.y1);
      describe_block (report, block->kind, text);
    }
  return g_string_free (text, FALSE);
}
