#include "ui/draw/charts/decision-bars.h"

#include "engine/core/i18n.h"
#include "engine/study/analysis/moments/moment-words.h"

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

static const GobanMomentCard *
get_card (const GobanDecisionBars *self, guint i)
{
  return g_ptr_array_index (self->cards, i);
}

static guint
count_columns (const GobanDecisionBars *self)
{
  guint n = 0;

  for (guint i = 0; self->cards != NULL && i < self->cards->len; i++)
    n += get_card (self, i)->options->len;
  return n;
}

/* --- layout ----------------------------------------------------------------------------------- */

/* Devices and moves have names, levels short numbers. */
static double
get_weight (const GobanMomentCard *card)
{
  return card->kind == GOBAN_OPTION_LEVEL ? 1 : 2.5;
}

/* Width of one column of a card. */
static double
column_width (const GobanDecisionBars *self, double width, const GobanMomentCard *card)
{
  guint n_cards = self->cards->len;
  double room = width - 2 * PAD - BETWEEN * (n_cards - 1), weights = 0;

  for (guint i = 0; i < n_cards; i++)
    weights += get_card (self, i)->options->len * get_weight (get_card (self, i));
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
      guint n = get_card (self, i)->options->len;

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

      if (column < first + get_card (self, i)->options->len)
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

const GobanCardOption *
goban_decision_bars_get (const GobanDecisionBars *self, guint column, const GobanMomentCard **card)
{
  for (guint i = 0; self->cards != NULL && i < self->cards->len; i++)
    {
      guint n = get_card (self, i)->options->len;

      if (column < n)
        {
          *card = get_card (self, i);
          return &g_array_index ((*card)->options, GobanCardOption, column);
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
      const GobanMomentCard *card;
      const GobanCardOption *option = goban_decision_bars_get (self, c, &card);

      if (isfinite (option->probability) || isfinite (option->score) || option->refusals != 0)
        return TRUE;
    }
  return FALSE;
}

/* --- words ------------------------------------------------------------------------------------ */

/* "Decision 3 of 313: conv1 to gpu:1, finish 26 µs · upward rank 4.3 ms · entropy 0.832 nats".
 * (transfer full) */
static char *
describe_head (const GobanMomentCard *card)
{
  GString *text = g_string_new (card->path);
  char digits[G_ASCII_DTOSTR_BUF_SIZE];

  g_string_append_printf (text, "%s%s", text->len > 0 ? ": " : "", card->what);
  if (card->key != NULL)
    g_string_append_printf (text, " · %s", card->key);
  if (isfinite (card->entropy))
    g_string_append_printf (text, _ (" · entropy %s nats"),
                            g_ascii_formatd (digits, sizeof digits, "%.3f", card->entropy));
  if (card->attended->len > 0)
    g_string_append_printf (
        text, _ (" · arrows from what it attends to, %s at most"),
        g_ascii_formatd (digits, sizeof digits, "%.3f",
                         g_array_index (card->attended, GobanCardAttended, 0).weight));
  if (card->note != NULL)
    g_string_append_printf (text, " · %s", card->note);
  return g_string_free (text, FALSE);
}

/* --- painting --------------------------------------------------------------------------------- */

/* How full a column is, 0..1: of probabilities as they are, else of differences to the best; NAN:
 * it has no bar. */
static double
get_share (const GobanMomentCard *card, const GobanCardOption *option)
{
  double most = 0;

  if (isfinite (option->probability))
    return option->refusals == 0 ? option->probability : (double) NAN;
  if (!isfinite (option->difference))
    return (double) NAN;
  for (guint i = 0; i < card->options->len; i++)
    {
      double difference = g_array_index (card->options, GobanCardOption, i).difference;

      if (isfinite (difference))
        most = MAX (most, difference);
    }
  return most > 0 ? MAX (option->difference, 0) / most : 0;
}

/* "★ best", "+8.9 µs", "0.31", "does not fit". (transfer full) */
static char *
describe_number (const GobanMomentCard *card, const GobanCardOption *option)
{
  g_autofree char *difference = NULL;

  if (option->refusals != 0)
    return g_strdup (option->why_not != NULL ? option->why_not : "");
  if (isfinite (option->probability) || !isfinite (option->difference))
    return g_strdup (option->words);
  if (option->is_best)
    return g_strdup (_ ("★ best"));
  difference = goban_score_describe (card->score, option->difference);
  return g_strdup_printf ("+%s", difference);
}

static void
draw_bar (const Painter *p, const GobanMomentCard *card, const GobanCardOption *option, guint at,
          GobanBox box)
{
  double share = get_share (card, option);
  double inset = box.x1 - box.x0 > 12 * p->ui ? 3 * p->ui : p->ui / 2;
  GobanBox trough = { box.x0 + inset, box.y0, box.x1 - inset, box.y1 };
  GobanBox bar = trough;
  gboolean is_device = card->kind == GOBAN_OPTION_DEVICE;
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
  if (option->is_chosen)
    goban_pen_frame (p->pen, trough, 2 * p->ui, p->colours->ink);
}

static void
draw_words (const Painter *p, const GobanMomentCard *card, const GobanCardOption *option,
            GobanBox box)
{
  double width = box.x1 - box.x0;
  GobanTextStyle style = { FONT * p->ui, option->is_chosen, GOBAN_ALIGN_CENTRE,
                           option->is_chosen ? p->colours->ink : p->colours->muted };
  g_autofree char *number = describe_number (card, option);
  const char *last = strrchr (option->name, ' ');
  /* "7" of "level 7": the heading has the word. */
  const char *name = card->kind == GOBAN_OPTION_LEVEL && last != NULL ? last + 1 : option->name;
  g_autofree char *mark = g_strconcat (option->is_chosen ? "▲ " : "", name, NULL);
  gboolean has_room = goban_pen_text_width (p->pen, mark, &style) <= width;

  if (width >= LEAST_FOR_NUMBER * p->ui && *number != '\0')
    goban_pen_text (p->pen, number, (GobanPoint){ box.x0, box.y0 + WORDS_H / 2 * p->ui }, width,
                    &style);
  goban_pen_text (p->pen, has_room ? mark : name,
                  (GobanPoint){ box.x0, box.y1 - WORDS_H / 2 * p->ui }, width, &style);
}

static void
draw_column (const Painter *p, const GobanMomentCard *card, guint at, guint column)
{
  const GobanCardOption *option = &g_array_index (card->options, GobanCardOption, at);
  GobanBox box = goban_decision_bars_locate (p->bars, p->width / p->ui, p->height / p->ui, column);
  GobanBox inner;

  box = (GobanBox){ floor (box.x0 * p->ui), floor (box.y0 * p->ui), floor (box.x1 * p->ui),
                    floor (box.y1 * p->ui) - p->ui };
  inner = box;
  inner.y0 += WORDS_H * p->ui;
  inner.y1 -= WORDS_H * p->ui;
  if (p->bars->hover == (int) column)
    goban_pen_tint (p->pen, box, p->colours->ink, GOBAN_OPAQUE / 10);
  draw_bar (p, card, option, at, inner);
  draw_words (p, card, option, box);
}

static void
draw_card (const Painter *p, guint i)
{
  const GobanMomentCard *card = get_card (p->bars, i);
  gboolean is_last = i + 1 == p->bars->cards->len;
  GobanTextStyle style = { FONT * p->ui, FALSE, GOBAN_ALIGN_LEFT, p->colours->ink };
  g_autofree char *head = describe_head (card);
  double x, room;
  guint column = first_column (p->bars, p->width / p->ui, i, &x);

  room = is_last ? p->width / p->ui - x - PAD
                 : card->options->len * column_width (p->bars, p->width / p->ui, card);
  goban_pen_text (p->pen, head, (GobanPoint){ x * p->ui, HEAD_H / 2 * p->ui }, room * p->ui,
                  &style);
  for (guint c = 0; c < card->options->len; c++)
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
