#include "engine/core/quantity.h"
#include "ui/draw/graph/graph-paint.h"
#include "ui/draw/graph/graph-painter.h"

#include <math.h>

#define ROW 22.0
#define SWATCH_W 22.0
#define SWATCH_H 13.0
#define RAMP_W 140.0

/* Items set one after another, wrapped within the area. */
typedef struct
{
  GobanPen *pen;
  const GobanColours *colours;
  GobanBox area;
  double x;
  double y; /* top of the current row */
  double ui;
  gboolean paint;
} Flow;

static GobanTextStyle
text_style (const Flow *flow, gboolean muted)
{
  return (GobanTextStyle){ 11.5 * flow->ui, FALSE, GOBAN_ALIGN_LEFT,
                           muted ? flow->colours->muted : flow->colours->ink };
}

/* Room for an item of this width: on the next row if this one is full. */
static void
make_room (Flow *flow, double width)
{
  if (flow->x > flow->area.x0 && flow->x + width > flow->area.x1)
    {
      flow->x = flow->area.x0;
      flow->y += ROW * flow->ui;
    }
}

static GobanBox
swatch_box (const Flow *flow, double width)
{
  double top = floor (flow->y + (ROW - SWATCH_H) / 2 * flow->ui);

  return (GobanBox){ flow->x, top, flow->x + width, top + SWATCH_H * flow->ui };
}

static void
add_item (Flow *flow, GobanRgb rgb, GobanCue cue, const char *label, const char *count)
{
  GobanTextStyle ink = text_style (flow, FALSE);
  GobanTextStyle muted = text_style (flow, TRUE);
  double label_w = goban_pen_text_width (flow->pen, label, &ink);
  double count_w = goban_pen_text_width (flow->pen, count, &muted);
  double gap = 6 * flow->ui;
  double swatch_w = SWATCH_W * flow->ui;
  double width = swatch_w + gap + label_w + gap + count_w;

  make_room (flow, width);
  if (flow->paint)
    {
      GobanBox box = swatch_box (flow, swatch_w);
      double middle = flow->y + ROW / 2 * flow->ui;
      double x = box.x1 + gap;

      goban_pen_round_rect (flow->pen, box, 3 * flow->ui, rgb);
      goban_pen_hatch (flow->pen, box, cue, goban_palette_hatch (rgb), flow->ui);
      goban_pen_text (flow->pen, label, (GobanPoint){ x, middle }, 0, &ink);
      goban_pen_text (flow->pen, count, (GobanPoint){ x + label_w + gap, middle }, 0, &muted);
    }
  flow->x += width + 18 * flow->ui;
}

/* The ramp between the words for its ends. */
static void
add_ramp (Flow *flow, GobanTheme theme, const char *least, const char *most)
{
  GobanTextStyle ink = text_style (flow, FALSE);
  double least_w = goban_pen_text_width (flow->pen, least, &ink);
  double most_w = goban_pen_text_width (flow->pen, most, &ink);
  double gap = 6 * flow->ui;
  double ramp_w = RAMP_W * flow->ui;
  double middle, x0;
  GobanBox box;

  make_room (flow, least_w + gap + ramp_w + gap + most_w);
  middle = flow->y + ROW / 2 * flow->ui;
  x0 = flow->x + least_w + gap;
  box = swatch_box (flow, ramp_w);
  for (guint i = 0; flow->paint && i < 70; i++)
    goban_pen_rect (flow->pen,
                    (GobanBox){ x0 + ramp_w * i / 70, box.y0, x0 + ramp_w * (i + 1) / 70, box.y1 },
                    goban_palette_ramp (theme, i / 69.0));
  if (flow->paint)
    {
      goban_pen_text (flow->pen, least, (GobanPoint){ flow->x, middle }, 0, &ink);
      goban_pen_text (flow->pen, most, (GobanPoint){ x0 + ramp_w + gap, middle }, 0, &ink);
    }
  flow->x = x0 + ramp_w + gap + most_w + 18 * flow->ui;
}

static void
add_priorities (Flow *flow, const GobanGraphScene *scene, GobanTheme theme)
{
  g_autofree char *least = g_strdup_printf ("priority %d", scene->least_priority);
  g_autofree char *most = g_strdup_printf ("%d, runs first", scene->most_priority);

  add_ramp (flow, theme, least, most);
}

/* "slack 0 µs [ramp] 12.3 ms, logarithmic", and the colour of unknown values. */
static void
add_values (Flow *flow, const GobanNodeValues *values, GobanTheme theme)
{
  const GobanNodeField *field = goban_node_field_find (values->name, NULL); /* or of a script */
  char from[GOBAN_QUANTITY_LEN], to[GOBAN_QUANTITY_LEN], count[GOBAN_QUANTITY_LEN];
  g_autofree char *least = g_strdup_printf ("%s %s", field != NULL ? field->title : values->name,
                                            goban_node_values_format (values, from, values->least));
  g_autofree char *most
      = g_strdup_printf ("%s%s", goban_node_values_format (values, to, values->most),
                         values->scale == GOBAN_SCALE_LOG ? ", logarithmic" : "");

  if (values->n_known > 0)
    add_ramp (flow, theme, least, most);
  if (values->n_known < values->n_nodes)
    add_item (flow, goban_palette_unknown (theme), GOBAN_CUE_DIAGONAL, "unknown",
              goban_format_count (count, values->n_nodes - values->n_known));
}

static void
add_line (Flow *flow, GobanRgb rgb, double thickness, const char *label)
{
  GobanTextStyle ink = text_style (flow, FALSE);
  double line_w = SWATCH_W * flow->ui;
  double gap = 6 * flow->ui;
  double label_w = goban_pen_text_width (flow->pen, label, &ink);
  double middle;

  make_room (flow, line_w + gap + label_w);
  middle = floor (flow->y + ROW / 2 * flow->ui);
  if (flow->paint)
    {
      GobanStroke stroke = { rgb, GOBAN_OPAQUE, thickness * flow->ui };

      goban_pen_line (flow->pen, (GobanPoint){ flow->x, middle },
                      (GobanPoint){ flow->x + line_w, middle }, &stroke);
      goban_pen_text (flow->pen, label, (GobanPoint){ flow->x + line_w + gap, middle }, 0, &ink);
    }
  flow->x += line_w + gap + label_w + 18 * flow->ui;
}

static gboolean
has_critical (const GobanGraphScene *scene)
{
  for (guint v = 0; v < scene->n_nodes; v++)
    if (scene->nodes[v].flags & GOBAN_NODE_CRITICAL)
      return TRUE;
  return FALSE;
}

static void
add_families (Flow *flow, const GobanGraphScene *scene, GobanTheme theme)
{
  char count[GOBAN_QUANTITY_LEN];

  for (guint f = 0; f < GOBAN_N_FAMILIES; f++)
    if (scene->n_of_family[f] > 0)
      add_item (flow, goban_palette_family_colour (theme, f), GOBAN_CUE_SOLID,
                goban_palette_family_name (f), goban_format_count (count, scene->n_of_family[f]));
}

double
goban_graph_legend (const GobanGraphScene *scene, const GobanGraphStyle *style, GobanPen *pen,
                    GobanBox area, gboolean paint)
{
  double ui = style->ui_scale > 0 ? style->ui_scale : 1;
  const GobanColours *colours = goban_palette_get (style->theme);
  Flow flow = { pen, colours, area, area.x0, area.y0, ui, paint };
  GobanFill fill = goban_graph_shown_fill (scene, style->fill);
  char count[GOBAN_QUANTITY_LEN];

  if (fill == GOBAN_FILL_OP)
    add_families (&flow, scene, style->theme);
  else
    for (guint d = 0; d < scene->n_devices; d++)
      add_item (&flow, goban_palette_device (style->theme, d), goban_palette_cue (d),
                scene->devices[d].name, goban_format_count (count, scene->devices[d].n_nodes));
  if (fill == GOBAN_FILL_PRIORITY)
    add_priorities (&flow, scene, style->theme);
  else if (fill == GOBAN_FILL_METRIC)
    add_values (&flow, scene->values, style->theme);
  if (scene->n_devices > 1)
    add_line (&flow, colours->cut, 2, "between devices");
  if (style->show_critical && has_critical (scene))
    add_line (&flow, colours->critical, 3, "critical path");
  return flow.y - area.y0 + ROW * ui;
}
