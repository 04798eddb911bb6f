#include "ui/graph/graph-controls.h"

#include "engine/core/i18n.h"
#include "engine/session/session-log.h"
#include "engine/session/view.h"
#include "ui/widgets/actions.h"
#include "ui/widgets/short-label.h"
#include "ui/widgets/signals.h"
#include "ui/widgets/text.h"

/* Between the controls and the edges of the view, and between two of them. */
#define EDGE 8
#define ZOOM_STEP 1.2
/* Groups of the path besides the graph: more are left out in the middle. */
#define MOST_PARTS 3
#define MAX_CHARS 28

typedef enum
{
  CORNER_PATH,
  CORNER_GROUPS,
  CORNER_FOLLOW,
  CORNER_ZOOM,
  N_CORNERS
} Corner;

struct _GobanGraphControls
{
  GtkWidget parent;

  GobanPicture *view; /* borrowed */
  GobanSession *session;
  GtkWidget *corners[N_CORNERS];
  GtkWidget *path; /* the parts of it */
  char *shown_path;
  GtkWidget *groups;
  GtkWidget *scale;
  int percent; /* tenths of it that are shown */
};

G_DEFINE_FINAL_TYPE (GobanGraphControls, goban_graph_controls, GTK_TYPE_WIDGET)

/* --- the path --------------------------------------------------------------------------------- */

/* An empty path is the whole graph. */
static void
part_clicked_cb (GtkButton *button, GobanGraphControls *self)
{
  const char *path = g_object_get_data (G_OBJECT (button), "path");

  if (*path == '\0')
    goban_session_zoom (self->session, "fit");
  else
    g_signal_emit_by_name (self, "go-to", path);
}

static void
add_part (GobanGraphControls *self, const char *name, const char *path)
{
  GtkWidget *button = gtk_button_new ();
  GtkWidget *label = goban_short_label_new (GOBAN_KEEP_START, 0.5);

  if (gtk_widget_get_first_child (self->path) != NULL)
    gtk_box_append (GTK_BOX (self->path), gtk_label_new ("›"));
  goban_short_label_set_max_chars (GOBAN_SHORT_LABEL (label), MAX_CHARS);
  goban_short_label_set_text (GOBAN_SHORT_LABEL (label), name);
  gtk_button_set_child (GTK_BUTTON (button), label);
  gtk_button_set_has_frame (GTK_BUTTON (button), FALSE);
  gtk_widget_set_focus_on_click (button, FALSE);
  goban_set_accessible_label (button, name);
  g_object_set_data_full (G_OBJECT (button), "path", g_strdup (path), g_free);
  g_signal_connect (button, "clicked", G_CALLBACK (part_clicked_cb), self);
  gtk_box_append (GTK_BOX (self->path), button);
}

/* Only a change costs anything. */
static void
show_path (GobanGraphControls *self, const char *title, const GobanOutline *outline, guint32 hull)
{
  const GobanGroup *parts[MOST_PARTS];
  const char *path = hull != 0 ? goban_outline_get_hull_group (outline, hull)->path : "";
  g_autofree char *shown = g_strdup_printf ("%s\n%s", title, path);
  guint n = 0;

  if (g_strcmp0 (shown, self->shown_path) == 0)
    return;
  g_free (self->shown_path);
  self->shown_path = g_steal_pointer (&shown);
  for (guint32 h = hull; h != 0 && n < MOST_PARTS; h = outline->hulls[h].parent)
    parts[n++] = goban_outline_get_hull_group (outline, h);
  for (GtkWidget *child; (child = gtk_widget_get_first_child (self->path)) != NULL;)
    gtk_box_remove (GTK_BOX (self->path), child);
  add_part (self, title, "");
  if (n > 0 && outline->hulls[hull].depth > n)
    gtk_box_append (GTK_BOX (self->path), gtk_label_new ("› …"));
  for (guint i = n; i-- > 0;)
    add_part (self, parts[i]->name, parts[i]->path);
}

/* --- the rest --------------------------------------------------------------------------------- */

static void
grouping_changed_cb (GobanGraphControls *self)
{
  g_autofree char *target = g_strdup_printf (
      "'%s'",
      goban_grouping_names[goban_view_get_grouping (goban_session_get_view (self->session))]);
  gsize n;
  const GobanActionInfo *actions = goban_actions (&n);

  for (gsize i = 0; i < n; i++)
    if (g_str_equal (actions[i].name, "group") && g_str_equal (actions[i].target, target))
      {
        g_autofree char *label = goban_action_dup_label (&actions[i]);
        g_autofree char *text = g_strdup_printf (_ ("Groups: %s"), label);

        gtk_menu_button_set_label (GTK_MENU_BUTTON (self->groups), text);
        goban_set_accessible_label (self->groups, text);
      }
}

static void
show_scale (GobanGraphControls *self, double scale)
{
  int percent = (int) (scale * 1000 + 0.5);
  g_autofree char *text = NULL;

  if (percent == self->percent)
    return;
  self->percent = percent;
  text = percent < 100 ? g_strdup_printf ("%.1f %%", percent / 10.0)
                       : g_strdup_printf ("%d %%", (percent + 5) / 10);
  gtk_label_set_text (GTK_LABEL (self->scale), text);
}

void
goban_graph_controls_show (GobanGraphControls *self, const GobanGraphControlsState *state)
{
  show_path (self, state->title, state->outline, state->hull);
  show_scale (self, state->scale);
  gtk_widget_set_visible (self->corners[CORNER_FOLLOW], state->has_follow);
}

static void
zoom_in_cb (GobanGraphControls *self)
{
  goban_picture_zoom (self->view, ZOOM_STEP);
}

static void
zoom_out_cb (GobanGraphControls *self)
{
  goban_picture_zoom (self->view, 1 / ZOOM_STEP);
}

static void
fit_cb (GobanGraphControls *self)
{
  goban_session_zoom (self->session, "fit");
}

/* --- where they are --------------------------------------------------------------------------- */

/* Between the controls the view below has the pointer. */
static gboolean
goban_graph_controls_contains (GtkWidget *widget, double x, double y)
{
  return FALSE;
}

static void
goban_graph_controls_measure (GtkWidget *widget, GtkOrientation orientation, int for_size,
                              int *minimum, int *natural, int *minimum_baseline,
                              int *natural_baseline)
{
  *minimum = *natural = 0;
}

static void
place (GobanGraphControls *self, Corner corner, int room, int width, int height)
{
  GtkWidget *bar = self->corners[corner];
  gboolean is_right = corner == CORNER_GROUPS || corner == CORNER_ZOOM;
  gboolean is_low = corner == CORNER_FOLLOW || corner == CORNER_ZOOM;
  int least, natural, w, h;

  if (!gtk_widget_should_layout (bar))
    return;
  gtk_widget_measure (bar, GTK_ORIENTATION_HORIZONTAL, -1, &least, &natural, NULL, NULL);
  w = CLAMP (room, least, natural);
  gtk_widget_measure (bar, GTK_ORIENTATION_VERTICAL, w, &least, &h, NULL, NULL);
  gtk_widget_allocate (
      bar, w, h, -1,
      gsk_transform_translate (
          NULL, &GRAPHENE_POINT_INIT ((float) (is_right ? MAX (width - w - EDGE, EDGE) : EDGE),
                                      (float) (is_low ? MAX (height - h - EDGE, EDGE) : EDGE))));
}

static void
goban_graph_controls_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  GobanGraphControls *self = GOBAN_GRAPH_CONTROLS (widget);
  int least, path_w, groups_w;
  gboolean has_groups;

  /* The path is shortened first; the menu of the window has the groups, too. */
  gtk_widget_measure (self->corners[CORNER_PATH], GTK_ORIENTATION_HORIZONTAL, -1, &path_w, NULL,
                      NULL, NULL);
  gtk_widget_measure (self->corners[CORNER_GROUPS], GTK_ORIENTATION_HORIZONTAL, -1, &least,
                      &groups_w, NULL, NULL);
  has_groups = path_w + groups_w + 3 * EDGE <= width;
  gtk_widget_set_child_visible (self->corners[CORNER_GROUPS], has_groups);
  place (self, CORNER_PATH, width - 2 * EDGE - (has_groups ? groups_w + EDGE : 0), width, height);
  for (Corner corner = CORNER_GROUPS; corner < N_CORNERS; corner++)
    place (self, corner, width, width, height);
}

/* --- construction and disposal ---------------------------------------------------------------- */

static void
goban_graph_controls_dispose (GObject *object)
{
  GobanGraphControls *self = GOBAN_GRAPH_CONTROLS (object);

  for (guint i = 0; i < N_CORNERS; i++)
    g_clear_pointer (&self->corners[i], gtk_widget_unparent);
  g_clear_pointer (&self->shown_path, g_free);
  g_clear_object (&self->session);

  G_OBJECT_CLASS (goban_graph_controls_parent_class)->dispose (object);
}

static void
goban_graph_controls_class_init (GobanGraphControlsClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = goban_graph_controls_dispose;
  widget_class->contains = goban_graph_controls_contains;
  widget_class->measure = goban_graph_controls_measure;
  widget_class->size_allocate = goban_graph_controls_size_allocate;
  gtk_widget_class_set_css_name (widget_class, "graphcontrols");
  goban_signal_add (klass, "go-to", 1, G_TYPE_STRING);
}

/* Presses beside its buttons do nothing, rather than select what is below. */
static void
claim_cb (GtkGesture *gesture)
{
  gtk_gesture_set_state (gesture, GTK_EVENT_SEQUENCE_CLAIMED);
}

static GtkWidget *
add_corner (GobanGraphControls *self, Corner corner)
{
  GtkWidget *bar = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  GtkGesture *click = gtk_gesture_click_new ();

  g_signal_connect (click, "pressed", G_CALLBACK (claim_cb), NULL);
  gtk_widget_add_controller (bar, GTK_EVENT_CONTROLLER (click));
  gtk_widget_add_css_class (bar, "bar");
  gtk_widget_set_parent (bar, GTK_WIDGET (self));
  self->corners[corner] = bar;
  return bar;
}

/* With the name and the key of an action; of one without a handler here, it is activated. */
static void
add_button (GobanGraphControls *self, GtkWidget *bar, const char *icon, const char *action,
            void (*clicked) (GobanGraphControls *self))
{
  GtkWidget *button = gtk_button_new_from_icon_name (icon);
  g_autofree char *tooltip = goban_action_tooltip (action);
  g_autofree char *name = g_strconcat ("win.", action, NULL);

  gtk_button_set_has_frame (GTK_BUTTON (button), FALSE);
  gtk_widget_set_focus_on_click (button, FALSE);
  goban_set_tooltip (button, tooltip);
  goban_set_accessible_label (button, _ (goban_action_find (action)->help));
  if (clicked != NULL)
    g_signal_connect_swapped (button, "clicked", G_CALLBACK (clicked), self);
  else
    gtk_actionable_set_action_name (GTK_ACTIONABLE (button), name);
  gtk_box_append (GTK_BOX (bar), button);
}

/* Made when it is first opened. */
static void
make_groups_menu_cb (GtkMenuButton *button, gpointer user_data)
{
  g_autoptr (GMenu) menu = NULL;

  if (gtk_menu_button_get_menu_model (button) != NULL)
    return;
  menu = goban_actions_make_section (GOBAN_MENU_GROUP);
  gtk_menu_button_set_menu_model (button, G_MENU_MODEL (menu));
}

static void
goban_graph_controls_init (GobanGraphControls *self)
{
  GtkWidget *bar = add_corner (self, CORNER_PATH);
  g_autofree char *tooltip = goban_action_tooltip ("follow");
  GtkWidget *follow;

  add_button (self, bar, "go-previous-symbolic", "back", NULL);
  add_button (self, bar, "go-next-symbolic", "forward", NULL);
  self->path = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  gtk_box_append (GTK_BOX (bar), self->path);

  bar = add_corner (self, CORNER_GROUPS);
  self->groups = gtk_menu_button_new ();
  gtk_menu_button_set_has_frame (GTK_MENU_BUTTON (self->groups), FALSE);
  gtk_menu_button_set_create_popup_func (GTK_MENU_BUTTON (self->groups), make_groups_menu_cb, NULL,
                                         NULL);
  gtk_box_append (GTK_BOX (bar), self->groups);

  bar = add_corner (self, CORNER_FOLLOW);
  follow = gtk_toggle_button_new_with_label (_ ("Follow"));
  gtk_button_set_has_frame (GTK_BUTTON (follow), FALSE);
  gtk_widget_set_focus_on_click (follow, FALSE);
  goban_set_tooltip (follow, tooltip);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (follow), "win.follow");
  gtk_box_append (GTK_BOX (bar), follow);
  gtk_widget_set_visible (bar, FALSE);

  bar = add_corner (self, CORNER_ZOOM);
  add_button (self, bar, "list-remove-symbolic", "zoom-out", zoom_out_cb);
  self->scale = gtk_label_new ("");
  gtk_label_set_width_chars (GTK_LABEL (self->scale), 6);
  gtk_widget_add_css_class (self->scale, "numeric");
  gtk_box_append (GTK_BOX (bar), self->scale);
  add_button (self, bar, "list-add-symbolic", "zoom-in", zoom_in_cb);
  add_button (self, bar, "zoom-fit-best-symbolic", "fit", fit_cb);
}

GtkWidget *
goban_graph_controls_new (GobanPicture *view, GobanSession *session)
{
  GobanGraphControls *self = g_object_new (GOBAN_TYPE_GRAPH_CONTROLS, NULL);

  self->view = view;
  self->session = g_object_ref (session);
  GOBAN_CONNECT (goban_session_get_view (session), "notify::grouping", grouping_changed_cb, self);
  grouping_changed_cb (self);
  gtk_widget_set_parent (GTK_WIDGET (self), GTK_WIDGET (view));
  return GTK_WIDGET (self);
}
