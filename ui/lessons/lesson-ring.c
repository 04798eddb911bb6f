#include "ui/lessons/lesson-ring.h"

#include "engine/core/i18n.h"
#include "engine/session/teaching/lesson-state.h"
#include "ui/widgets/picture.h"
#include "ui/widgets/signals.h"

#define LINE 3 /* pixels of the ring, inside of the control's edge */
#define GAP 10 /* between ring and callout */
#define NODE "node "

struct _GobanLessonRing
{
  GtkWidget parent;

  GobanLessonState *state;
  const GobanLessonPlace *place; /* (nullable) */
  char *node;                    /* (nullable): in the picture that is the place */
  GtkWidget *target;             /* (nullable) weak */
  GtkWidget *callout;
  GdkFrameClock *clock; /* (nullable): while it is mapped */
  graphene_rect_t drawn;
};

G_DEFINE_FINAL_TYPE (GobanLessonRing, goban_lesson_ring, GTK_TYPE_WIDGET)

static const GobanLessonPlace places[] = {
  { "node", "graph", "explore", N_ ("Show Me the Op") },
  { "open", "open", NULL, NULL },
  { "plan", "plan", NULL, NULL },
  { "place", "place", NULL, NULL },
  { "workspaces", "workspaces", NULL, NULL },
  { "undo", "undo", NULL, NULL },
  { "find", "find", NULL, NULL },
  { "menu", "menu", NULL, NULL },
  { "board", "board", "explore", N_ ("Show Me the Board") },
  { "time", "timeline", "explore", N_ ("Show Me the Timeline") },
  { "plans", "planlist", "explore", N_ ("Show Me the Plans") },
  { "inspector", "inspector", "explore", N_ ("Show Me the Inspector") },
  { "card", "decisioncard", "decisions", N_ ("Show Me the Decision") },
  { "record", "decisionrecord", "decisions", N_ ("Show Me the Record") },
  { "player", "decisionplayer", "decisions", N_ ("Show Me the Player") },
  { "play", "play", "decisions", N_ ("Show Me the Player") },
  { "reasons", "comparepanels", "compare", N_ ("Show Me the Reasons") },
  { "training", "trainingview", "train", N_ ("Show Me the Training") },
  { "script", "scriptview", "script", N_ ("Show Me the Script") },
};

const GobanLessonPlace *
goban_lesson_place_find (const char *name)
{
  gboolean is_node = name != NULL && g_str_has_prefix (name, NODE);

  for (gsize i = 0; name != NULL && i < G_N_ELEMENTS (places); i++)
    if (g_str_equal (places[i].name, is_node ? "node" : name))
      return &places[i];
  return NULL;
}

/* --- the control ------------------------------------------------------------------------------ */

static GtkWidget *
find_mapped (GtkWidget *root, const char *name)
{
  if (!gtk_widget_get_mapped (root))
    return NULL;
  if (g_str_equal (gtk_widget_get_css_name (root), name)
      || g_str_equal (gtk_widget_get_name (root), name))
    return root;
  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    {
      GtkWidget *found = find_mapped (child, name);

      if (found != NULL)
        return found;
    }
  return NULL;
}

/* The header bar lies over this widget, so what is in it is outlined by its own style. */
static void
set_target (GobanLessonRing *self, GtkWidget *target)
{
  if (self->target != NULL)
    gtk_widget_remove_css_class (self->target, "pointed");
  g_set_weak_pointer (&self->target, target);
  if (target != NULL && gtk_widget_get_ancestor (target, GTK_TYPE_HEADER_BAR) != NULL)
    gtk_widget_add_css_class (target, "pointed");
  gtk_widget_set_child_visible (self->callout, target != NULL);
}

static gboolean
measure_target (GobanLessonRing *self, graphene_rect_t *edge)
{
  GtkWidget *widget = GTK_WIDGET (self);
  graphene_rect_t part;

  if (self->target == NULL || !gtk_widget_get_mapped (self->target)
      || !gtk_widget_compute_bounds (self->target, widget, edge))
    return FALSE;
  if (self->node == NULL)
    return TRUE;
  if (!goban_picture_locate (GOBAN_PICTURE (self->target), self->node, &part))
    return FALSE;
  graphene_rect_offset (&part, edge->origin.x, edge->origin.y);
  graphene_rect_inset (&part, -LINE, -LINE);
  *edge = part;
  return TRUE;
}

GtkWidget *
goban_lesson_ring_get_target (GobanLessonRing *self, graphene_rect_t *edge)
{
  g_return_val_if_fail (GOBAN_IS_LESSON_RING (self), NULL);

  *edge = self->drawn;
  return self->target;
}

/* After each frame: the control has moved, is gone, or has come. */
static void
follow (GobanLessonRing *self)
{
  graphene_rect_t edge = GRAPHENE_RECT_INIT (0, 0, 0, 0);
  GtkWidget *root = GTK_WIDGET (gtk_widget_get_root (GTK_WIDGET (self)));

  if (self->place != NULL && !measure_target (self, &edge))
    set_target (self, find_mapped (root, self->place->css));
  if (!measure_target (self, &edge))
    set_target (self, NULL);
  if (graphene_rect_equal (&edge, &self->drawn))
    return;
  self->drawn = edge;
  gtk_widget_queue_allocate (GTK_WIDGET (self));
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

/* Points at the place of that name beside what a lesson says; both nullable: not any more. */
static void
point (GobanLessonRing *self, const char *place, const char *text)
{
  self->place = goban_lesson_place_find (place);
  g_clear_pointer (&self->node, g_free);
  if (place != NULL && g_str_has_prefix (place, NODE))
    self->node = g_strdup (place + strlen (NODE));
  set_target (self, NULL);
  gtk_label_set_text (GTK_LABEL (self->callout), text != NULL ? text : "");
  gtk_widget_set_visible (GTK_WIDGET (self), self->place != NULL);
  if (self->place != NULL && gtk_widget_get_mapped (GTK_WIDGET (self)))
    follow (self);
}

static void
state_changed_cb (GobanLessonRing *self)
{
  const GobanLessonStep *step = goban_lesson_state_get_lesson (self->state) != NULL
                                    ? goban_lesson_state_get_content (self->state)
                                    : NULL;

  point (self, step != NULL ? step->point : NULL, step != NULL ? step->callout : NULL);
}

/* --- drawing ---------------------------------------------------------------------------------- */

/* Beside the control where there is room: above a wide one, else at its left, its right, or within
 * it; below what is in the header bar. */
static void
goban_lesson_ring_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  GobanLessonRing *self = GOBAN_LESSON_RING (widget);
  const graphene_rect_t *edge = &self->drawn;
  GtkRequisition size;
  GtkAllocation at;

  gtk_widget_get_preferred_size (self->callout, NULL, &size);
  at = (GtkAllocation){ (int) (edge->origin.x + edge->size.width / 2) - size.width / 2,
                        (int) (edge->origin.y + edge->size.height / 2) - size.height / 2,
                        size.width, size.height };
  if (edge->origin.y < 0)
    at.y = GAP;
  else if (edge->size.width > 2 * edge->size.height && edge->origin.y >= size.height + GAP)
    at.y = (int) edge->origin.y - GAP - size.height;
  else if (edge->origin.x >= size.width + GAP)
    at.x = (int) edge->origin.x - GAP - size.width;
  else if (edge->origin.x + edge->size.width + GAP + size.width <= width)
    at.x = (int) (edge->origin.x + edge->size.width) + GAP;
  at.x = CLAMP (at.x, 0, MAX (width - size.width, 0));
  at.y = CLAMP (at.y, 0, MAX (height - size.height, 0));
  gtk_widget_size_allocate (self->callout, &at, -1);
}

static void
goban_lesson_ring_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  GobanLessonRing *self = GOBAN_LESSON_RING (widget);
  const float lines[] = { LINE, LINE, LINE, LINE };
  GskRoundedRect outline;
  GdkRGBA colour, colours[4];

  if (self->target == NULL || self->drawn.size.width <= 0)
    return;
  gtk_style_context_get_color (gtk_widget_get_style_context (widget), &colour);
  for (gsize i = 0; i < G_N_ELEMENTS (colours); i++)
    colours[i] = colour;
  gsk_rounded_rect_init_from_rect (&outline, &self->drawn, LINE);
  if (self->drawn.origin.y >= 0)
    gtk_snapshot_append_border (snapshot, &outline, lines, colours);
  gtk_widget_snapshot_child (widget, self->callout, snapshot);
}

static void
goban_lesson_ring_map (GtkWidget *widget)
{
  GobanLessonRing *self = GOBAN_LESSON_RING (widget);

  GTK_WIDGET_CLASS (goban_lesson_ring_parent_class)->map (widget);
  self->clock = g_object_ref (gtk_widget_get_frame_clock (widget));
  g_signal_connect_swapped (self->clock, "after-paint", G_CALLBACK (follow), self);
  follow (self);
}

static void
goban_lesson_ring_unmap (GtkWidget *widget)
{
  GobanLessonRing *self = GOBAN_LESSON_RING (widget);

  g_signal_handlers_disconnect_by_data (self->clock, self);
  g_clear_object (&self->clock);
  GTK_WIDGET_CLASS (goban_lesson_ring_parent_class)->unmap (widget);
}

static void
goban_lesson_ring_dispose (GObject *object)
{
  GobanLessonRing *self = GOBAN_LESSON_RING (object);

  g_clear_weak_pointer (&self->target);
  g_clear_pointer (&self->node, g_free);
  g_clear_pointer (&self->callout, gtk_widget_unparent);

  G_OBJECT_CLASS (goban_lesson_ring_parent_class)->dispose (object);
}

static void
goban_lesson_ring_class_init (GobanLessonRingClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = goban_lesson_ring_dispose;
  widget_class->size_allocate = goban_lesson_ring_size_allocate;
  widget_class->snapshot = goban_lesson_ring_snapshot;
  widget_class->map = goban_lesson_ring_map;
  widget_class->unmap = goban_lesson_ring_unmap;
  gtk_widget_class_set_css_name (widget_class, "lessonring");
}

static void
goban_lesson_ring_init (GobanLessonRing *self)
{
  self->callout = gtk_label_new (NULL);
  gtk_label_set_wrap (GTK_LABEL (self->callout), TRUE);
  gtk_label_set_max_width_chars (GTK_LABEL (self->callout), 24);
  gtk_widget_set_parent (self->callout, GTK_WIDGET (self));
  gtk_widget_set_can_target (GTK_WIDGET (self), FALSE);
  gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
}

GtkWidget *
goban_lesson_ring_new (GobanSession *session)
{
  GobanLessonRing *self = g_object_new (GOBAN_TYPE_LESSON_RING, NULL);

  self->state = goban_lesson_state_of (G_OBJECT (session));
  GOBAN_CONNECT (self->state, "changed", state_changed_cb, self);
  return GTK_WIDGET (self);
}
