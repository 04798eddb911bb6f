#include "ui/draw/charts/decision-bars.h"

#include "engine/core/i18n.h"

#include <math.h>
#include <string.h>

#define PAD 6.0
#define HEAD_H 18.0
#define WORDS_H 14.0
#define FONT 10.5
#define BETWEEN 16.0
/* Narrower columns have no numbers. */
#define LEAST_FOR_NUMBER 40.0
#define MOST_COLUMN 96.0

typedef struct
{
  const GobanDecisionBars *bars;
  const GobanColours *colours;
  GobanPen *pen;
  double ui;
  double width;
  double height;
} Painter;

static const GobanDecisionCard *
get_card (const GobanDecisionBars *self, guint i)
{
  return g_ptr_array_index (self->cards, i);
}

static guint
count_columns (const GobanDecisionBars *self)
{
  guint n = 0;

  for (guint i = 0; self->cards != NULL && i < self->cards->len; i++)
    n += get_card (self, i)->choices->len;
  return n;
}

/* --- layout ----------------------------------------------------------------------------------- */

/* Devices have names, levels short numbers. */
static double
get_weight (const GobanDecisionCard *card)
{
  return card->task == GOBAN_TASK_PLACEMENT ? 2.5 : 1;
}

/* Width of one column of a card. */
static double
column_width (const GobanDecisionBars *self, double width, const GobanDecisionCard *card)
{
  guint n_cards = self->cards->len;
  double room = width - 2 * PAD - BETWEEN * (n_cards - 1), weights = 0;

  for (guint i = 0; i < n_cards; i++)
    weights += get_card (self, i)->choices->len * get_weight (get_card (self, i));
  return MIN (MOST_COLUMN, MAX (room, 1) * get_weight (card) / MAX (weights, 1));
}

/* The first column of a card, and where the card begins. */
static guint
first_column (const GobanDecisionBars *self, double width, guint card, double *x)
{
  guint column = 0;

  *x = PAD;
  for (guint i = 0; i < card; i++)
    {
      guint n = get_card (self, i)->choices->len;

      *x += n * column_width (self, width, get_card (self, i)) + BETWEEN;
      column += n;
    }
  return column;
}

GobanBox
goban_decision_bars_locate (const GobanDecisionBars *self, double width, double height,
                            guint column)
{
  for (guint i = 0; self->cards != NULL && i < self->cards->len; i++)
    {
      double x, each = column_width (self, width, get_card (self, i));
      guint first = first_column (self, width, i, &x);

      if (column < first + get_card (self, i)->choices->len)
        return (GobanBox){ x + (column - first) * each, HEAD_H, x + (column - first + 1) * each,
                           height };
    }
  return (GobanBox){ 0, 0, 0, 0 };
}

int
goban_decision_bars_find (const GobanDecisionBars *self, double width, GobanPoint at)
{
  for (guint c = 0; at.y >= HEAD_H && c < count_columns (self); c++)
    {
      GobanBox box = goban_decision_bars_locate (self, width, HEAD_H, c);

      if (at.x >= box.x0 && at.x < box.x1)
        return (int) c;
    }
  return -1;
}

const GobanCardChoice *
goban_decision_bars_get (const GobanDecisionBars *self, guint column,
                         const GobanDecisionCard **card)
{
  for (guint i = 0; self->cards != NULL && i < self->cards->len; i++)
    {
      guint n = get_card (self, i)->choices->len;

      if (column < n)
        {
          *card = get_card (self, i);
          return &g_array_index ((*card)->choices, GobanCardChoice, column);
        }
      column -= n;
    }
  return NULL;
}

gboolean
goban_decision_bars_have_numbers (const GobanDecisionBars *self)
{
  for (guint c = 0; c < count_columns (self); c++)
    {
      const GobanDecisionCard *card;
      const GobanCardChoice *choice = goban_decision_bars_get (self, c, &card);

      if (isfinite (choice->probability) || isfinite (choice->candidate) || choice->refusals != 0)
        return TRUE;
    }
  return FALSE;
}

/* --- words ------------------------------------------------------------------------------------ */

static const GobanCardChoice *
find_chosen (const GobanDecisionCard *card)
{
  for (guint i = 0; i < card->choices->len; i++)
    if (g_array_index (card->choices, GobanCardChoice, i).is_chosen)
      return &g_array_index (card->choices, GobanCardChoice, i);
  return NULL;
}

/* "placement, step 3: gpu:1 0.310, sampled, not the likeliest · entropy 0.832 nats · row 12 of 60,
 * 31 nodes". (transfer full) */
static char *
describe_head (const GobanDecisionCard *card)
{
  GString *text = g_string_new (_ (goban_task_get_name (card->task)));
  const GobanCardChoice *chosen = find_chosen (card);
  char digits[G_ASCII_DTOSTR_BUF_SIZE];

  if (card->step > 0)
    g_string_append_printf (text, _ (", step %u"), card->step);
  if (chosen != NULL)
    {
      g_autofree char *number = goban_card_choice_describe (card, chosen);

      g_string_append_printf (text, ": %s%s%s", chosen->name, *number != '\0' ? " " : "", number);
    }
  if (card->candidate != NULL)
    {
      g_autofree char *by = goban_decision_card_describe_rule (card);

      g_string_append_printf (text, " · %s", by);
    }
  if (card->is_sampled)
    g_string_append (text, _ (", sampled, not the likeliest"));
  if (isfinite (card->entropy))
    g_string_append_printf (text, _ (" · entropy %s nats"),
                            g_ascii_formatd (digits, sizeof digits, "%.3f", card->entropy));
  if (card->row > 0)
    g_string_append_printf (text, _ (" · row %u of %u, %u nodes"), card->row, card->n_rows,
                            card->n_nodes);
  if (card->order > 0 && card->row > 0)
    g_string_append_printf (text, _ (" · decision %u"), card->order);
  if (card->attended->len > 0)
    g_string_append_printf (
        text, _ (" · arrows from what it attends to, %s at most"),
        g_ascii_formatd (digits, sizeof digits, "%.3f",
                         g_array_index (card->attended, GobanCardAttended, 0).share));
  if (card->note != NULL)
    g_string_append_printf (text, " · %s", card->note);
  return g_string_free (text, FALSE);
}

/* --- painting --------------------------------------------------------------------------------- */

/* The largest number of a card that has a bar. */
static double
find_most (const GobanDecisionCard *card)
{
  double most = 0;

  for (guint i = 0; i < card->choices->len; i++)
    {
      const GobanCardChoice *choice = &g_array_index (card->choices, GobanCardChoice, i);

      if (isfinite (choice->candidate))
        most = MAX (most, fabs (choice->candidate));
    }
  return isfinite (most) && most > 0 ? most : 1;
}

/* How full a column is, 0..1; NAN: it has no bar. */
static double
get_share (const GobanDecisionCard *card, const GobanCardChoice *choice)
{
  if (isfinite (choice->probability))
    return choice->refusals == 0 ? choice->probability : (double) NAN;
  return isfinite (choice->candidate) ? fabs (choice->candidate) / find_most (card) : (double) NAN;
}

static void
draw_bar (const Painter *p, const GobanDecisionCard *card, const GobanCardChoice *choice, guint at,
          GobanBox box)
{
  double share = get_share (card, choice);
  double inset = box.x1 - box.x0 > 12 * p->ui ? 3 * p->ui : p->ui / 2;
  GobanBox trough = { box.x0 + inset, box.y0, box.x1 - inset, box.y1 };
  GobanBox bar = trough;
  gboolean is_device = card->task == GOBAN_TASK_PLACEMENT;
  GobanRgb fill = is_device ? goban_palette_device (p->bars->theme, at) : p->colours->selection;

  goban_pen_rect (p->pen, trough,
                  goban_rgb_mix (p->colours->panel, p->colours->ink, isnan (share) ? 0.03 : 0.08));
  if (share > 0)
    {
      bar.y0 = bar.y1 - MAX (ceil ((bar.y1 - bar.y0) * share), 2 * p->ui);
      goban_pen_rect (p->pen, bar, fill);
      if (is_device)
        goban_pen_hatch (p->pen, bar, goban_palette_cue (at), goban_palette_hatch (fill), p->ui);
    }
  if (choice->is_chosen)
    goban_pen_frame (p->pen, trough, 2 * p->ui, p->colours->ink);
}

static void
draw_words (const Painter *p, const GobanDecisionCard *card, const GobanCardChoice *choice,
            GobanBox box)
{
  double width = box.x1 - box.x0;
  GobanTextStyle style = { FONT * p->ui, choice->is_chosen, GOBAN_ALIGN_CENTRE,
                           choice->is_chosen ? p->colours->ink : p->colours->muted };
  g_autofree char *number = goban_card_choice_describe (card, choice);
  /* "7" of "level 7": the heading has the word. */
  const char *name
      = card->task != GOBAN_TASK_PLACEMENT ? strrchr (choice->name, ' ') + 1 : choice->name;
  g_autofree char *mark = g_strconcat (choice->is_chosen ? "▲ " : "", name, NULL);
  gboolean has_room = goban_pen_text_width (p->pen, mark, &style) <= width;

  if (width >= LEAST_FOR_NUMBER * p->ui && *number != '\0')
    goban_pen_text (p->pen, number, (GobanPoint){ box.x0, box.y0 + WORDS_H / 2 * p->ui }, width,
                    &style);
  goban_pen_text (p->pen, has_room ? mark : name,
                  (GobanPoint){ box.x0, box.y1 - WORDS_H / 2 * p->ui }, width, &style);
}

static void
draw_column (const Painter *p, const GobanDecisionCard *card, guint at, guint column)
{
  const GobanCardChoice *choice = &g_array_index (card->choices, GobanCardChoice, at);
  GobanBox box = goban_decision_bars_locate (p->bars, p->width / p->ui, p->height / p->ui, column);
  GobanBox inner;

  box = (GobanBox){ floor (box.x0 * p->ui), floor (box.y0 * p->ui), floor (box.x1 * p->ui),
                    floor (box.y1 * p->ui) - p->ui };
  inner = box;
  inner.y0 += WORDS_H * p->ui;
  inner.y1 -= WORDS_H * p->ui;
  if (p->bars->hover == (int) column)
    goban_pen_tint (p->pen, box, p->colours->ink, GOBAN_OPAQUE / 10);
  draw_bar (p, card, choice, at, inner);
  draw_words (p, card, choice, box);
}

static void
draw_card (const Painter *p, guint i)
{
  const GobanDecisionCard *card = get_card (p->bars, i);
  gboolean is_last = i + 1 == p->bars->cards->len;
  GobanTextStyle style = { FONT * p->ui, FALSE, GOBAN_ALIGN_LEFT, p->colours->ink };
  g_autofree char *head = describe_head (card);
  double x, room;
  guint column = first_column (p->bars, p->width / p->ui, i, &x);

  room = is_last ? p->width / p->ui - x - PAD
                 : card->choices->len * column_width (p->bars, p->width / p->ui, card);
  goban_pen_text (p->pen, head, (GobanPoint){ x * p->ui, HEAD_H / 2 * p->ui }, room * p->ui,
                  &style);
  for (guint c = 0; c < card->choices->len; c++)
    draw_column (p, card, c, column + c);
}

void
goban_decision_bars_paint (const GobanDecisionBars *self, GobanPen *pen)
{
  Painter p = { .bars = self,
                .colours = goban_palette_get (self->theme),
                .pen = pen,
                .ui = self->ui_scale > 0 ? self->ui_scale : 1,
                .width = goban_pen_get_width (pen),
                .height = goban_pen_get_height (pen) };

  goban_pen_rect (pen, (GobanBox){ 0, 0, p.width, p.height }, p.colours->panel);
  for (guint i = 0; self->cards != NULL && i < self->cards->len; i++)
    draw_card (&p, i);
}
