#include "ui/steps/decision-panel.h"

#include "engine/core/i18n.h"
#include "engine/session/view-time.h"
#include "engine/study/analysis/steps/step-choices.h"
#include "engine/study/analysis/steps/step.h"
#include "engine/study/run/run-origin.h"
#include "ui/widgets/short-label.h"
#include "ui/widgets/slide.h"
#include "ui/widgets/text.h"
#include "ui/widgets/theme.h"

#include <math.h>

struct _GobanDecisionPanel
{
  GtkWidget parent;

  GobanSession *session;
  GtkWidget *title; /* the node, and a note about missing data */
  GtkWidget *area;
  GPtrArray *cards; /* of GobanDecisionCard */
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

G_DEFINE_FINAL_TYPE (GobanDecisionPanel, goban_decision_panel, GTK_TYPE_WIDGET)

/* --- content ---------------------------------------------------------------------------------- */

static GobanNodeId
find_node (GobanDecisionPanel *self, GobanRun *run, guint step)
{
  guint n;
  const GobanNodeId *ids
      = goban_selection_get_ids (goban_session_get_selection (self->session), &n);

  return n > 0 ? ids[0] : goban_decision_cards_find_node (run, step);
}

/* Why there are no bars. */
static const char *
find_reason (GobanRun *run, guint step)
{
  if (goban_run_get_log (run) == NULL && !goban_steps_are_choices (run))
    return _ ("This search compares whole plans: there is no choice for a single node");
  return step < goban_steps_get_first (run) ? _ ("Nothing was chosen yet")
                                            : _ ("This node is not decided yet");
}

/* @title and, without bars, the cards in words. (transfer full) */
static char *
describe_title (GobanDecisionPanel *self, const char *title)
{
  GString *text = g_string_new (title);

  for (guint i = 0; !goban_decision_bars_have_numbers (&self->bars) && i < self->cards->len; i++)
    {
      g_autofree char *card = goban_decision_card_describe (g_ptr_array_index (self->cards, i));

      g_string_append_printf (text, " · %s", card);
    }
  for (guint i = 0; i < self->cards->len; i++)
    {
      const GobanDecisionCard *card = g_ptr_array_index (self->cards, i);

      if (card->settled != NULL)
        g_string_append_printf (text, _ (" · drawn, then refined to %s"), card->settled);
    }
  return g_string_free (text, FALSE);
}

static void
describe (GobanDecisionPanel *self, const char *title)
{
  GString *words = g_string_new (title);
  g_autofree char *shown = describe_title (self, title);

  for (guint i = 0; i < self->cards->len; i++)
    {
      g_autofree char *card = goban_decision_card_describe (g_ptr_array_index (self->cards, i));

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
update (GobanDecisionPanel *self)
{
  GobanRun *run = goban_session_get_current_run (self->session);
  int step = goban_view_get_step (goban_session_get_view (self->session));
  GobanNodeId node = GOBAN_NO_NODE;
  const char *title = "";

  if (!gtk_widget_get_visible (GTK_WIDGET (self)))
    {
      g_signal_emit (self, signals[CHANGED], 0);
      return;
    }
  g_clear_pointer (&self->cards, g_ptr_array_unref);
  if (run != NULL && step != GOBAN_NO_STEP)
    node = find_node (self, run, (guint) step);
  self->cards = node != GOBAN_NO_NODE ? goban_decision_cards_new (run, (guint) step, node)
                                      : g_ptr_array_new ();
  self->node = node;
  if (node != GOBAN_NO_NODE)
    title = goban_graph_get_node (goban_run_get_graph (run), node)->name;
  self->bars.cards = self->cards;
  self->bars.hover = -1;
  gtk_widget_set_visible (self->area, goban_decision_bars_have_numbers (&self->bars));
  if (self->cards->len > 0 || run == NULL || step == GOBAN_NO_STEP)
    describe (self, title);
  else
    {
      g_autofree char *text = g_strdup_printf ("%s%s%s", title, *title != '\0' ? " · " : "",
                                               find_reason (run, (guint) step));

      describe (self, text);
    }
  gtk_widget_queue_draw (self->area);
  g_signal_emit (self, signals[CHANGED], 0);
}

/* --- area ------------------------------------------------------------------------------------- */

static void
draw_cb (GtkDrawingArea *area, cairo_t *cr, int width, int height, gpointer user_data)
{
  GobanDecisionPanel *self = user_data;
  g_autoptr (GobanPen) pen = goban_pen_new_for_cairo (cr, width, height, self->text);

  self->bars.ui_scale = goban_text_scale_of (GTK_WIDGET (area));
  goban_decision_bars_paint (&self->bars, pen);
}

static void
set_hover (GobanDecisionPanel *self, int hover)
{
  const GobanDecisionCard *card;
  const GobanCardChoice *choice;

  if (hover == self->bars.hover)
    return;
  self->bars.hover = hover;
  choice = hover >= 0 ? goban_decision_bars_get (&self->bars, (guint) hover, &card) : NULL;
  if (choice != NULL)
    {
      g_autofree char *number = goban_card_choice_describe (card, choice);
      g_autofree char *text = g_strdup_printf ("%s: %s", choice->name, number);

      goban_set_tooltip (self->area, *number != '\0' ? text : choice->name);
    }
  else
    goban_set_tooltip (self->area, NULL);
  gtk_widget_queue_draw (self->area);
}

static void
motion_cb (GtkEventControllerMotion *controller, double x, double y, gpointer user_data)
{
  GobanDecisionPanel *self = user_data;
  double scale = goban_text_scale_of (self->area);

  set_hover (self, goban_decision_bars_find (&self->bars, gtk_widget_get_width (self->area) / scale,
                                             (GobanPoint){ x / scale, y / scale }));
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
build (GobanDecisionPanel *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkEventController *motion = gtk_event_controller_motion_new ();

  self->title = goban_short_label_new (GOBAN_KEEP_END, 0);
  self->area = g_object_new (GTK_TYPE_DRAWING_AREA, "accessible-role", GTK_ACCESSIBLE_ROLE_IMG,
                             "focusable", TRUE, NULL);
  gtk_widget_add_css_class (self->title, "title");
  goban_theme_follow (self->area, G_CALLBACK (adopt_text_scale));
  gtk_drawing_area_set_draw_func (GTK_DRAWING_AREA (self->area), draw_cb, self, NULL);
  g_signal_connect (motion, "motion", G_CALLBACK (motion_cb), self);
  g_signal_connect (motion, "leave", G_CALLBACK (leave_cb), self);
  gtk_widget_add_controller (self->area, motion);
  gtk_box_append (GTK_BOX (box), self->title);
  gtk_box_append (GTK_BOX (box), self->area);
  gtk_widget_set_parent (box, GTK_WIDGET (self));
}

/* --- construction and disposal ---------------------------------------------------------------- */

static void
goban_decision_panel_dispose (GObject *object)
{
  GobanDecisionPanel *self = GOBAN_DECISION_PANEL (object);

  g_clear_pointer (&self->cards, g_ptr_array_unref);
  self->bars.cards = NULL;
  if (gtk_widget_get_first_child (GTK_WIDGET (self)) != NULL)
    gtk_widget_unparent (gtk_widget_get_first_child (GTK_WIDGET (self)));
  g_clear_object (&self->session);

  G_OBJECT_CLASS (goban_decision_panel_parent_class)->dispose (object);
}

static void
goban_decision_panel_finalize (GObject *object)
{
  GobanDecisionPanel *self = GOBAN_DECISION_PANEL (object);

  g_clear_pointer (&self->words, g_free);
  g_clear_pointer (&self->text, goban_text_cache_free);

  G_OBJECT_CLASS (goban_decision_panel_parent_class)->finalize (object);
}

static void
goban_decision_panel_class_init (GobanDecisionPanelClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = goban_decision_panel_dispose;
  G_OBJECT_CLASS (klass)->finalize = goban_decision_panel_finalize;
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_css_name (widget_class, "decisionpanel");
  signals[CHANGED] = g_signal_new ("changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                   NULL, NULL, G_TYPE_NONE, 0);
}

static void
goban_decision_panel_init (GobanDecisionPanel *self)
{
  self->text = goban_text_cache_new ();
  self->bars.hover = -1;
  build (self);
}

GtkWidget *
goban_decision_panel_new (GobanSession *session)
{
  GobanDecisionPanel *self = g_object_new (GOBAN_TYPE_DECISION_PANEL, NULL);
  static const char *const names[] = { "notify::current-run", "notify::selection" };

  self->session = g_object_ref (session);
  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    g_signal_connect_object (session, names[i], G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (goban_session_get_view (session), "notify::step", G_CALLBACK (update),
                           self, G_CONNECT_SWAPPED);
  g_signal_connect (self, "notify::visible", G_CALLBACK (update), NULL);
  update (self);

  return GTK_WIDGET (self);
}

void
goban_decision_panel_set_theme (GobanDecisionPanel *self, GobanTheme theme)
{
  g_return_if_fail (GOBAN_IS_DECISION_PANEL (self));

  self->bars.theme = theme;
  gtk_widget_queue_draw (self->area);
}

const GPtrArray *
goban_decision_panel_get_cards (GobanDecisionPanel *self, GobanNodeId *node)
{
  g_return_val_if_fail (GOBAN_IS_DECISION_PANEL (self), NULL);

  *node = self->node;
  return gtk_widget_get_visible (GTK_WIDGET (self)) ? self->cards : NULL;
}

const GobanDecisionBars *
goban_decision_panel_get_bars (GobanDecisionPanel *self)
{
  g_return_val_if_fail (GOBAN_IS_DECISION_PANEL (self), NULL);

  return &self->bars;
}

const char *
goban_decision_panel_get_text (GobanDecisionPanel *self)
{
  g_return_val_if_fail (GOBAN_IS_DECISION_PANEL (self), NULL);

  return self->words;
}
