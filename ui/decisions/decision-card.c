#include "ui/decisions/decision-card.h"

#include "engine/core/i18n.h"
#include "engine/session/session-jobs.h"
#include "engine/session/view-time.h"
#include "engine/study/analysis/moments/moment-state.h"
#include "engine/study/run/run-origin.h"
#include "ui/widgets/short-label.h"
#include "ui/widgets/slide.h"
#include "ui/widgets/text.h"
#include "ui/widgets/theme.h"

#include <math.h>

struct _GobanDecisionCard
{
  GtkWidget parent;

  GobanSession *session;
  GtkWidget *title; /* the node, and a note about missing data */
  GtkWidget *area;
  GPtrArray *cards; /* of GobanMomentCard */
  GobanNodeId node; /* which they are about */
  char *words;
  GobanDecisionBars bars;
  GobanTextCache *text;
};

enum
{
  CHANGED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (GobanDecisionCard, goban_decision_card, GTK_TYPE_WIDGET)

/* --- content ---------------------------------------------------------------------------------- */

/* The moments to show: of the selected node those that decided it, else the present one. */
static GArray *
list_moments (GobanDecisionCard *self, GobanDecisions *decisions, GobanMoment moment)
{
  guint n;
  const GobanNodeId *ids
      = goban_selection_get_ids (goban_session_get_selection (self->session), &n);
  GArray *moments;

  self->node = n > 0 ? ids[0] : GOBAN_NO_NODE;
  if (n > 0)
    return goban_moments_list_of_node (decisions, ids[0], moment);
  moments = g_array_new (FALSE, FALSE, sizeof (GobanMoment));
  if (moment > 0)
    {
      self->node = goban_moment_find_node (decisions, moment);
      g_array_append_val (moments, moment);
    }
  return moments;
}

static void
make_cards (GobanDecisionCard *self, GobanRun *run, GobanMoment moment)
{
  GobanDecisions *decisions = goban_run_get_decisions (run);
  g_autoptr (GArray) moments = list_moments (self, decisions, moment);

  for (guint i = 0; i < moments->len; i++)
    {
      GobanMomentCard *card = goban_moment_card_new (goban_run_get_costs (run), decisions,
                                                     g_array_index (moments, GobanMoment, i));

      if (card != NULL)
        g_ptr_array_add (self->cards, card);
    }
}

/* @title and, without bars, the cards in words; else why the option was chosen. (transfer full) */
static char *
describe_title (GobanDecisionCard *self, const char *title)
{
  GString *text = g_string_new (title);
  gboolean has_bars = goban_decision_bars_have_numbers (&self->bars);

  for (guint i = 0; i < self->cards->len; i++)
    {
      const GobanMomentCard *card = g_ptr_array_index (self->cards, i);
      g_autofree char *words = has_bars ? g_strdup (card->why) : goban_moment_card_describe (card);

      if (words != NULL)
        g_string_append_printf (text, "%s%s", text->len > 0 ? " · " : "", words);
    }
  return g_string_free (text, FALSE);
}

static void
describe (GobanDecisionCard *self, const char *title)
{
  GString *words = g_string_new (title);
  g_autofree char *shown = describe_title (self, title);

  for (guint i = 0; i < self->cards->len; i++)
    {
      g_autofree char *card = goban_moment_card_describe (g_ptr_array_index (self->cards, i));

      g_string_append_printf (words, "\n%s", card);
    }
  g_free (self->words);
  self->words = g_string_free (words, FALSE);
  goban_short_label_set_text (GOBAN_SHORT_LABEL (self->title), shown);
  goban_set_tooltip (self->title, self->words);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->area), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  self->words, -1);
}

static void
update (GobanDecisionCard *self)
{
  GobanRun *run = goban_session_get_current_run (self->session);
  int moment = goban_view_get_moment (goban_session_get_view (self->session));
  g_autofree char *title = NULL;

  if (!gtk_widget_get_visible (GTK_WIDGET (self)))
    {
      g_signal_emit (self, signals[CHANGED], 0);
      return;
    }
  g_clear_pointer (&self->cards, g_ptr_array_unref);
  self->cards = g_ptr_array_new_with_free_func ((GDestroyNotify) goban_moment_card_free);
  self->node = GOBAN_NO_NODE;
  if (run != NULL && goban_run_get_decisions (run) != NULL && moment != GOBAN_NO_MOMENT)
    make_cards (self, run, (GobanMoment) moment);
  title = g_strdup (self->node != GOBAN_NO_NODE
                        ? goban_graph_get_node (goban_run_get_graph (run), self->node)->name
                        : "");
  if (self->cards->len == 0 && self->node != GOBAN_NO_NODE)
    {
      g_autofree char *name = g_steal_pointer (&title);

      title = g_strdup_printf (_ ("%s · this node is not decided yet"), name);
    }
  self->bars.cards = self->cards;
  self->bars.hover = -1;
  gtk_widget_set_visible (self->area, goban_decision_bars_have_numbers (&self->bars));
  describe (self, title);
  gtk_widget_queue_draw (self->area);
  g_signal_emit (self, signals[CHANGED], 0);
}

/* --- area ------------------------------------------------------------------------------------- */

static void
draw_cb (GtkDrawingArea *area, cairo_t *cr, int width, int height, gpointer user_data)
{
  GobanDecisionCard *self = user_data;
  g_autoptr (GobanPen) pen = goban_pen_new_for_cairo (cr, width, height, self->text);

  self->bars.ui_scale = goban_text_scale_of (GTK_WIDGET (area));
  goban_decision_bars_paint (&self->bars, pen);
}

static void
set_hover (GobanDecisionCard *self, int hover)
{
  const GobanMomentCard *card;
  const GobanCardOption *option;

  if (hover == self->bars.hover)
    return;
  self->bars.hover = hover;
  option = hover >= 0 ? goban_decision_bars_get (&self->bars, (guint) hover, &card) : NULL;
  if (option != NULL)
    {
      g_autofree char *text = g_strdup_printf (
          "%s%s%s%s%s", option->name, *option->words != '\0' ? ": " : "", option->words,
          option->why_not != NULL ? ", " : "", option->why_not != NULL ? option->why_not : "");

      goban_set_tooltip (self->area, text);
    }
  else
    goban_set_tooltip (self->area, NULL);
  gtk_widget_queue_draw (self->area);
}

/* The column there, or -1. */
static int
find_column (GobanDecisionCard *self, double x, double y)
{
  double scale = goban_text_scale_of (self->area);

  return goban_decision_bars_find (&self->bars, gtk_widget_get_width (self->area) / scale,
                                   (GobanPoint){ x / scale, y / scale });
}

static void
motion_cb (GtkEventControllerMotion *controller, double x, double y, gpointer user_data)
{
  set_hover (user_data, find_column (user_data, x, y));
}

/* Takes the option of the column, unless it was taken. */
static void
click_cb (GtkGestureClick *gesture, int n_press, double x, double y, gpointer user_data)
{
  GobanDecisionCard *self = user_data;
  int column = find_column (self, x, y);
  const GobanMomentCard *card;
  const GobanCardOption *option
      = column >= 0 ? goban_decision_bars_get (&self->bars, (guint) column, &card) : NULL;

  if (option == NULL || option->is_chosen)
    return;
  goban_session_force (self->session, card->moment,
                       (guint32) (option - &g_array_index (card->options, GobanCardOption, 0)));
}

static void
leave_cb (GtkEventControllerMotion *controller, gpointer user_data)
{
  set_hover (user_data, -1);
}

static void
adopt_text_scale (GtkWidget *area)
{
  gtk_drawing_area_set_content_height (
      GTK_DRAWING_AREA (area),
      (int) ceil (GOBAN_DECISION_BARS_HEIGHT * goban_text_scale_of (area)));
}

static void
build (GobanDecisionCard *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkEventController *motion = gtk_event_controller_motion_new ();
  GtkGesture *click = gtk_gesture_click_new ();

  self->title = goban_short_label_new (GOBAN_KEEP_END, 0);
  self->area = g_object_new (GTK_TYPE_DRAWING_AREA, "accessible-role", GTK_ACCESSIBLE_ROLE_IMG,
                             "focusable", TRUE, NULL);
  gtk_widget_add_css_class (self->title, "title");
  goban_theme_follow (self->area, G_CALLBACK (adopt_text_scale));
  gtk_drawing_area_set_draw_func (GTK_DRAWING_AREA (self->area), draw_cb, self, NULL);
  g_signal_connect (motion, "motion", G_CALLBACK (motion_cb), self);
  g_signal_connect (motion, "leave", G_CALLBACK (leave_cb), self);
  gtk_widget_add_controller (self->area, motion);
  g_signal_connect (click, "released", G_CALLBACK (click_cb), self);
  gtk_widget_add_controller (self->area, GTK_EVENT_CONTROLLER (click));
  gtk_box_append (GTK_BOX (box), self->title);
  gtk_box_append (GTK_BOX (box), self->area);
  gtk_widget_set_parent (box, GTK_WIDGET (self));
}

/* --- construction and disposal ---------------------------------------------------------------- */

static void
goban_decision_card_dispose (GObject *object)
{
  GobanDecisionCard *self = GOBAN_DECISION_CARD (object);

  g_clear_pointer (&self->cards, g_ptr_array_unref);
  self->bars.cards = NULL;
  if (gtk_widget_get_first_child (GTK_WIDGET (self)) != NULL)
    gtk_widget_unparent (gtk_widget_get_first_child (GTK_WIDGET (self)));
  g_clear_object (&self->session);

  G_OBJECT_CLASS (goban_decision_card_parent_class)->dispose (object);
}

static void
goban_decision_card_finalize (GObject *object)
{
  GobanDecisionCard *self = GOBAN_DECISION_CARD (object);

  g_clear_pointer (&self->words, g_free);
  g_clear_pointer (&self->text, goban_text_cache_free);

  G_OBJECT_CLASS (goban_decision_card_parent_class)->finalize (object);
}

static void
goban_decision_card_class_init (GobanDecisionCardClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = goban_decision_card_dispose;
  G_OBJECT_CLASS (klass)->finalize = goban_decision_card_finalize;
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_css_name (widget_class, "decisioncard");
  signals[CHANGED] = g_signal_new ("changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                   NULL, NULL, G_TYPE_NONE, 0);
}

static void
goban_decision_card_init (GobanDecisionCard *self)
{
  self->text = goban_text_cache_new ();
  self->bars.hover = -1;
  build (self);
}

GtkWidget *
goban_decision_card_new (GobanSession *session)
{
  GobanDecisionCard *self = g_object_new (GOBAN_TYPE_DECISION_CARD, NULL);
  static const char *const names[] = { "notify::current-run", "notify::selection" };

  self->session = g_object_ref (session);
  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    g_signal_connect_object (session, names[i], G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (goban_session_get_view (session), "notify::moment", G_CALLBACK (update),
                           self, G_CONNECT_SWAPPED);
  g_signal_connect (self, "notify::visible", G_CALLBACK (update), NULL);
  update (self);

  return GTK_WIDGET (self);
}

void
goban_decision_card_set_theme (GobanDecisionCard *self, GobanTheme theme)
{
  g_return_if_fail (GOBAN_IS_DECISION_CARD (self));

  self->bars.theme = theme;
  gtk_widget_queue_draw (self->area);
}

const GPtrArray *
goban_decision_card_get_cards (GobanDecisionCard *self, GobanNodeId *node)
{
  g_return_val_if_fail (GOBAN_IS_DECISION_CARD (self), NULL);

  *node = self->node;
  return gtk_widget_get_visible (GTK_WIDGET (self)) ? self->cards : NULL;
}

const GobanDecisionBars *
goban_decision_card_get_bars (GobanDecisionCard *self)
{
  g_return_val_if_fail (GOBAN_IS_DECISION_CARD (self), NULL);

  return &self->bars;
}

const char *
goban_decision_card_get_text (GobanDecisionCard *self)
{
  g_return_val_if_fail (GOBAN_IS_DECISION_CARD (self), NULL);

  return self->words;
}
