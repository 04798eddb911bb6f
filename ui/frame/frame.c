#include "ui/frame/frame.h"

#include "engine/core/i18n.h"
#include "ui/widgets/signals.h"
#include "ui/widgets/text.h"
#include "ui/widgets/theme.h"

#include <math.h>

#define HANDLE_PIXELS 8
#define KEY_STEP 10

/* A widget in a slot. */
typedef struct
{
  GtkWidget *box; /* around the widget, whose own visibility is its owner's */
  GtkWidget *widget;
  guint workspaces; /* a set */
} Mount;

typedef struct
{
  int sizes[GOBAN_N_SLOTS]; /* 0: the usual one */
  gboolean shown[GOBAN_N_SLOTS];
} Layout;

struct _GobanFrame
{
  GtkWidget parent;

  GtkWidget *slots[GOBAN_N_SLOTS];   /* boxes */
  GArray *mounts[GOBAN_N_SLOTS];     /* Mount */
  GtkWidget *handles[GOBAN_N_SLOTS]; /* edges that people move, of the slots that have one */
  GdkRectangle areas[GOBAN_N_SLOTS];
  Layout layouts[GOBAN_N_WORKSPACES];
  GobanWorkspace workspace;
  int least_bars;
  int usual_bars;
  int rows; /* of usual_bars, the part of open rows */
  int maximized;
  gboolean is_narrow;
  gboolean is_wide;
  int floating;     /* the column that is open over the board of a narrow frame, or -1 */
  guint width_id;   /* the frame has become narrow or wide: slots follow, or 0 */
  gboolean is_bare; /* only what a talk needs is shown */
};

G_DEFINE_FINAL_TYPE (GobanFrame, goban_frame, GTK_TYPE_WIDGET)

static const char *const slot_names[GOBAN_N_SLOTS] = {
  [GOBAN_SLOT_BOARD] = "board",   [GOBAN_SLOT_TOOLBAR] = "toolbar", [GOBAN_SLOT_TIME] = "time",
  [GOBAN_SLOT_PLAYER] = "player", [GOBAN_SLOT_LEFT] = "left",       [GOBAN_SLOT_RIGHT] = "right",
  [GOBAN_SLOT_DRAWER] = "drawer", [GOBAN_SLOT_SIDE] = "side",       [GOBAN_SLOT_STATUS] = "status",
};

static const char *const handle_labels[GOBAN_N_SLOTS] = {
  [GOBAN_SLOT_TIME] = N_ ("Height of the timeline"),
  [GOBAN_SLOT_LEFT] = N_ ("Width of the left column"),
  [GOBAN_SLOT_RIGHT] = N_ ("Width of the right column"),
  [GOBAN_SLOT_DRAWER] = N_ ("Height of the drawer"),
  [GOBAN_SLOT_SIDE] = N_ ("Width of the side panel"),
};

/* Arrangement of each workspace, and the usual sizes of its slots. */
static const struct
{
  int left;
  int right;
  int drawer;
  gboolean has_drawer; /* it is open from the first */
  gboolean is_left_tall;
  gboolean is_right_tall;
  gboolean has_bare_columns; /* a talk does not need the columns */
  gboolean has_popovers;     /* columns float over the board of a narrow frame */
} arrangements[GOBAN_N_WORKSPACES] = {
  [GOBAN_WORKSPACE_EXPLORE]
  = { .left = 208, .right = 264, .drawer = 180, .has_bare_columns = TRUE, .has_popovers = TRUE },
  [GOBAN_WORKSPACE_DECISIONS] = { .left = 208, .right = 360, .drawer = 180, .is_right_tall = TRUE },
  [GOBAN_WORKSPACE_COMPARE]
  = { .left = 208, .right = 364, .drawer = 180, .has_bare_columns = TRUE },
  [GOBAN_WORKSPACE_TRAIN] = { .left = 540, .right = 320, .drawer = 180, .is_left_tall = TRUE },
  [GOBAN_WORKSPACE_SCRIPT]
  = { .left = 560, .right = 264, .drawer = 227, .has_drawer = TRUE, .is_left_tall = TRUE },
};

#define SIDE_WIDTH 300
#define WIDE 2400 /* that of a large screen, less what desktops put beside windows */
/* Usual sizes grow with a frame that is wider than the first, up to the second, by this share. */
#define GROWTH_FROM 1600.0
#define GROWTH_TO 2560.0
#define GROWTH (5 / 9.0)

/* --- sizes ------------------------------------------------------------------------------------ */

static Layout *
get_layout (GobanFrame *self)
{
  return &self->layouts[self->workspace];
}

/* Before the desktop's text scale. */
static int
get_usual_size (GobanFrame *self, GobanSlot slot)
{
  switch (slot)
    {
    case GOBAN_SLOT_LEFT:
      return arrangements[self->workspace].left;
    case GOBAN_SLOT_RIGHT:
      return arrangements[self->workspace].right;
    case GOBAN_SLOT_DRAWER:
      return arrangements[self->workspace].drawer;
    case GOBAN_SLOT_SIDE:
      return SIDE_WIDTH;
    default:
      return 0;
    }
}

static gboolean
has_content (GobanFrame *self, GobanSlot slot)
{
  for (guint i = 0; i < self->mounts[slot]->len; i++)
    {
      const Mount *mount = &g_array_index (self->mounts[slot], Mount, i);

      if ((mount->workspaces & GOBAN_IN (self->workspace)) != 0
          && gtk_widget_get_visible (mount->widget))
        return TRUE;
    }
  return FALSE;
}

static gboolean
is_column (GobanSlot slot)
{
  return slot == GOBAN_SLOT_LEFT || slot == GOBAN_SLOT_RIGHT || slot == GOBAN_SLOT_SIDE;
}

/* A column over the board, which is open until something else is used. */
static gboolean
floats (GobanFrame *self, GobanSlot slot)
{
  return self->is_narrow && arrangements[self->workspace].has_popovers
         && (slot == GOBAN_SLOT_LEFT || slot == GOBAN_SLOT_RIGHT);
}

/* Columns that are the workspace's content are part of a talk, too. */
static gboolean
is_bared (GobanFrame *self, GobanSlot slot)
{
  if (!self->is_bare)
    return FALSE;
  if (slot == GOBAN_SLOT_LEFT || slot == GOBAN_SLOT_RIGHT)
    return arrangements[self->workspace].has_bare_columns;
  return slot == GOBAN_SLOT_SIDE || slot == GOBAN_SLOT_DRAWER || slot == GOBAN_SLOT_TOOLBAR
         || slot == GOBAN_SLOT_STATUS;
}

gboolean
goban_frame_get_shown (GobanFrame *self, GobanSlot slot)
{
  return floats (self, slot) ? self->floating == (int) slot : get_layout (self)->shown[slot];
}

gboolean
goban_frame_is_open (GobanFrame *self, GobanSlot slot)
{
  return goban_frame_get_shown (self, slot) && !is_bared (self, slot) && has_content (self, slot);
}

/* Its height is that of what is in it. */
static gboolean
has_own_height (GobanSlot slot)
{
  return slot == GOBAN_SLOT_TOOLBAR || slot == GOBAN_SLOT_PLAYER || slot == GOBAN_SLOT_STATUS;
}

static int
measure_height (GobanFrame *self, GobanSlot slot, int width)
{
  int natural;

  gtk_widget_measure (self->slots[slot], GTK_ORIENTATION_VERTICAL, width, NULL, &natural, NULL,
                      NULL);
  return natural;
}

static int
find_size (GobanFrame *self, GobanSlot slot, int width)
{
  int size = get_layout (self)->sizes[slot];
  double growth = 1 + GROWTH * CLAMP ((width - GROWTH_FROM) / (GROWTH_TO - GROWTH_FROM), 0, 1);

  if (!goban_frame_is_open (self, slot))
    return 0;
  if (has_own_height (slot))
    return measure_height (self, slot, width);
  if (slot == GOBAN_SLOT_TIME)
    /* Open rows have the room by which bars would grow. */
    return size > 0
               ? size
               : MAX ((int) lround ((self->usual_bars - self->rows) * growth), self->usual_bars);
  /* Long words of a language need more. */
  if (slot == GOBAN_SLOT_RIGHT && self->is_narrow)
    {
      gtk_widget_measure (self->slots[slot], GTK_ORIENTATION_HORIZONTAL, -1, &size, NULL, NULL,
                          NULL);
      return MAX (
          size, (int) lround (GOBAN_FRAME_NARROW_RIGHT * goban_text_scale_of (GTK_WIDGET (self))));
    }
  if (size == 0)
    size = (int) lround (get_usual_size (self, slot) * growth);
  return (int) lround (size * goban_text_scale_of (GTK_WIDGET (self)));
}

/* With the header, and notices above the frame. */
static int
find_window_height (GobanFrame *self, int height)
{
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));

  return root != NULL ? MAX (gtk_widget_get_height (GTK_WIDGET (root)), height) : height;
}

static GobanFrameRequest
make_request (GobanFrame *self, int width, int height)
{
  GobanFrameRequest request = {
    .width = width,
    .height = height,
    .window_height = find_window_height (self, height),
    .least_bars = self->least_bars,
    .is_left_tall = arrangements[self->workspace].is_left_tall,
    .is_right_tall = arrangements[self->workspace].is_right_tall,
    .maximized = self->maximized,
  };

  request.is_left_over = floats (self, GOBAN_SLOT_LEFT);
  request.is_right_over = floats (self, GOBAN_SLOT_RIGHT);
  for (guint i = 0; i < GOBAN_N_SLOTS; i++)
    request.wanted[i] = find_size (self, (GobanSlot) i, width);
  return request;
}

GdkRectangle
goban_frame_get_area (GobanFrame *self, GobanSlot slot)
{
  return self->areas[slot];
}

/* --- state ------------------------------------------------------------------------------------ */

/* Hidden here and not in the next allocation, so that a hidden focus is noticed at once. */
static void
show_slots (GobanFrame *self)
{
  for (guint i = 0; i < GOBAN_N_SLOTS; i++)
    {
      gboolean is_covered = self->maximized >= 0 && self->maximized != (int) i
                            && i != GOBAN_SLOT_PLAYER && i != GOBAN_SLOT_SIDE
                            && i != GOBAN_SLOT_STATUS
                            && (i != GOBAN_SLOT_TOOLBAR || self->maximized != GOBAN_SLOT_TIME);

      for (guint k = 0; k < self->mounts[i]->len; k++)
        {
          const Mount *mount = &g_array_index (self->mounts[i], Mount, k);

          gtk_widget_set_visible (mount->box,
                                  (mount->workspaces & GOBAN_IN (self->workspace)) != 0);
        }
      gtk_widget_set_visible (self->slots[i], goban_frame_get_shown (self, (GobanSlot) i)
                                                  && !is_bared (self, (GobanSlot) i)
                                                  && !is_covered);
    }
  gtk_widget_queue_allocate (GTK_WIDGET (self));
}

static void
changed (GobanFrame *self)
{
  show_slots (self);
  g_signal_emit_by_name (self, "changed");
}

static gboolean
width_changed_cb (gpointer user_data)
{
  GobanFrame *self = user_data;

  self->width_id = 0;
  changed (self);
  return G_SOURCE_REMOVE;
}

/* --- laying out ------------------------------------------------------------------------------- */

#define GOBAN_TYPE_FRAME_LAYOUT (goban_frame_layout_get_type ())
G_DECLARE_FINAL_TYPE (GobanFrameLayout, goban_frame_layout, GOBAN, FRAME_LAYOUT, GtkLayoutManager)

struct _GobanFrameLayout
{
  GtkLayoutManager parent;
};

G_DEFINE_FINAL_TYPE (GobanFrameLayout, goban_frame_layout, GTK_TYPE_LAYOUT_MANAGER)

/* Slots are clipped, so only the board and the lines of a fixed height have a say. */
static void
goban_frame_layout_measure (GtkLayoutManager *manager, GtkWidget *widget,
                            GtkOrientation orientation, int for_size, int *minimum, int *natural,
                            int *minimum_baseline, int *natural_baseline)
{
  GobanFrame *self = GOBAN_FRAME (widget);
  int height = 0;

  for (guint i = 0; i < GOBAN_N_SLOTS; i++)
    {
      int least;

      /* GTK wants each child measured before it is allocated. */
      gtk_widget_measure (self->slots[i], orientation, -1, &least, NULL, NULL, NULL);
      if (i == GOBAN_SLOT_PLAYER || i == GOBAN_SLOT_STATUS)
        height += least;
    }
  *minimum = orientation == GTK_ORIENTATION_HORIZONTAL ? GOBAN_FRAME_BOARD_WIDTH : height + 200;
  *natural = MAX (*minimum, orientation == GTK_ORIENTATION_HORIZONTAL ? 1280 : 728);
}

static void
allocate_slot (GobanFrame *self, GobanSlot slot)
{
  GdkRectangle area = self->areas[slot];
  GtkWidget *widget = self->slots[slot];

  gtk_widget_set_child_visible (widget, area.width > 0);
  if (area.width > 0 && gtk_widget_get_visible (widget))
    gtk_widget_size_allocate (widget, &area, -1);
}

/* Over the edge of the slot that faces the board. */
static void
allocate_handle (GobanFrame *self, GobanSlot slot)
{
  GtkWidget *handle = self->handles[slot];
  GdkRectangle area = self->areas[slot];
  GobanSlot edge_of = slot == GOBAN_SLOT_TIME && self->areas[GOBAN_SLOT_TOOLBAR].width > 0
                          ? GOBAN_SLOT_TOOLBAR
                          : slot;
  gboolean is_movable = area.width > 0 && self->maximized < 0;

  if (handle == NULL)
    return;
  gtk_widget_set_child_visible (handle, is_movable);
  if (!is_movable)
    return;
  if (is_column (slot))
    {
      area.x += (slot == GOBAN_SLOT_RIGHT ? 0 : area.width) - HANDLE_PIXELS / 2;
      area.width = HANDLE_PIXELS;
    }
  else
    {
      area.y = self->areas[edge_of].y - HANDLE_PIXELS / 2;
      area.height = HANDLE_PIXELS;
    }
  gtk_widget_size_allocate (handle, &area, -1);
}

static void
goban_frame_layout_allocate (GtkLayoutManager *manager, GtkWidget *widget, int width, int height,
                             int baseline)
{
  GobanFrame *self = GOBAN_FRAME (widget);
  GobanFrameRequest request;

  if (self->is_narrow != (width < GOBAN_FRAME_NARROW) || self->is_wide != (width >= WIDE))
    {
      if (self->is_narrow != (width < GOBAN_FRAME_NARROW))
        self->floating = -1;
      self->is_narrow = width < GOBAN_FRAME_NARROW;
      self->is_wide = width >= WIDE;
      if (self->width_id == 0)
        self->width_id = g_idle_add (width_changed_cb, self);
    }
  request = make_request (self, width, height);
  goban_frame_lay_out (&request, self->areas);
  for (guint i = 0; i < GOBAN_N_SLOTS; i++)
    allocate_slot (self, (GobanSlot) i);
  for (guint i = 0; i < GOBAN_N_SLOTS; i++)
    allocate_handle (self, (GobanSlot) i);
}

static void
goban_frame_layout_class_init (GobanFrameLayoutClass *klass)
{
  GTK_LAYOUT_MANAGER_CLASS (klass)->measure = goban_frame_layout_measure;
  GTK_LAYOUT_MANAGER_CLASS (klass)->allocate = goban_frame_layout_allocate;
}

static void
goban_frame_layout_init (GobanFrameLayout *self)
{
}

void
goban_frame_mount (GobanFrame *self, GobanSlot slot, GtkWidget *widget, guint workspaces)
{
  Mount mount = { gtk_box_new (GTK_ORIENTATION_VERTICAL, 0), widget, workspaces };

  if (!has_own_height (slot))
    gtk_widget_set_vexpand (widget, TRUE);
  gtk_box_append (GTK_BOX (mount.box), widget);
  gtk_box_append (GTK_BOX (self->slots[slot]), mount.box);
  g_array_append_val (self->mounts[slot], mount);
  show_slots (self);
}

void
goban_frame_set_workspace (GobanFrame *self, GobanWorkspace workspace)
{
  if (self->workspace == workspace)
    return;
  self->workspace = workspace;
  self->maximized = -1;
  self->floating = -1;
  changed (self);
}

gboolean
goban_frame_is_narrow (GobanFrame *self)
{
  return self->is_narrow;
}

gboolean
goban_frame_is_wide (GobanFrame *self)
{
  return self->is_wide;
}

GobanWorkspace
goban_frame_get_workspace (GobanFrame *self)
{
  return self->workspace;
}

void
goban_frame_set_shown (GobanFrame *self, GobanSlot slot, gboolean is_shown)
{
  if (goban_frame_get_shown (self, slot) == is_shown)
    return;
  if (floats (self, slot))
    self->floating = is_shown ? (int) slot : -1;
  else
    get_layout (self)->shown[slot] = is_shown;
  self->maximized = -1;
  changed (self);
}

void
goban_frame_set_bare (GobanFrame *self, gboolean is_bare)
{
  if (self->is_bare == is_bare)
    return;
  self->is_bare = is_bare;
  changed (self);
}

void
goban_frame_set_bars (GobanFrame *self, int least, int usual, int rows)
{
  if (self->least_bars == least && self->usual_bars == usual && self->rows == rows)
    return;
  self->least_bars = least;
  self->usual_bars = usual;
  self->rows = rows;
  gtk_widget_queue_allocate (GTK_WIDGET (self));
}

int
goban_frame_find_slot (GobanFrame *self, GtkWidget *widget)
{
  for (guint i = 0; i < GOBAN_N_SLOTS; i++)
    if (widget == self->slots[i] || gtk_widget_is_ancestor (widget, self->slots[i]))
      return i == GOBAN_SLOT_TOOLBAR ? GOBAN_SLOT_TIME : (int) i;
  return -1;
}

void
goban_frame_maximize (GobanFrame *self, int slot)
{
  if (self->maximized == slot)
    return;
  self->maximized = slot;
  changed (self);
}

int
goban_frame_get_maximized (GobanFrame *self)
{
  return self->maximized;
}

/* --- remembering ------------------------------------------------------------------------------ */

static Layout
get_usual_layout (GobanWorkspace workspace)
{
  Layout layout = { 0 };

  for (guint i = 0; i < GOBAN_N_SLOTS; i++)
    layout.shown[i] = i != GOBAN_SLOT_DRAWER || arrangements[workspace].has_drawer;
  return layout;
}

GVariant *
goban_frame_dup_layout (GobanFrame *self, GobanWorkspace workspace)
{
  GVariantBuilder builder = G_VARIANT_BUILDER_INIT (G_VARIANT_TYPE ("a{si}"));
  const Layout *layout = &self->layouts[workspace];
  Layout usual = get_usual_layout (workspace);

  for (guint i = 0; i < GOBAN_N_SLOTS; i++)
    {
      g_autofree char *shown = g_strconcat (slot_names[i], "-shown", NULL);

      if (layout->sizes[i] > 0)
        g_variant_builder_add (&builder, "{si}", slot_names[i], layout->sizes[i]);
      if (layout->shown[i] != usual.shown[i])
        g_variant_builder_add (&builder, "{si}", shown, layout->shown[i]);
    }
  return g_variant_ref_sink (g_variant_builder_end (&builder));
}

void
goban_frame_set_layout (GobanFrame *self, GobanWorkspace workspace, GVariant *layout)
{
  Layout *to = &self->layouts[workspace];

  *to = get_usual_layout (workspace);
  for (guint i = 0; i < GOBAN_N_SLOTS; i++)
    {
      g_autofree char *shown = g_strconcat (slot_names[i], "-shown", NULL);

      g_variant_lookup (layout, slot_names[i], "i", &to->sizes[i]);
      g_variant_lookup (layout, shown, "i", &to->shown[i]);
      to->sizes[i] = MAX (to->sizes[i], 0);
    }
  changed (self);
}

/* --- handles ---------------------------------------------------------------------------------- */

static int
get_size (GobanFrame *self, GobanSlot slot)
{
  return is_column (slot) ? self->areas[slot].width : self->areas[slot].height;
}

/* @size: pixels as they are seen */
static void
resize (GobanFrame *self, GobanSlot slot, int size)
{
  double scale = slot == GOBAN_SLOT_TIME ? 1 : goban_text_scale_of (GTK_WIDGET (self));

  get_layout (self)->sizes[slot] = MAX ((int) lround (size / scale), 1);
  gtk_widget_queue_allocate (GTK_WIDGET (self));
  g_signal_emit_by_name (self, "changed");
}

static GobanSlot
slot_of_handle (GtkWidget *handle)
{
  return (GobanSlot) GPOINTER_TO_INT (g_object_get_data (G_OBJECT (handle), "goban-slot"));
}

/* 1 if the slot grows when its handle moves to the right or down. */
static int
get_direction (GobanSlot slot)
{
  return slot == GOBAN_SLOT_LEFT || slot == GOBAN_SLOT_SIDE ? 1 : -1;
}

/* The handle moves under the pointer, so its offset is that from the edge. */
static void
drag_update_cb (GtkGestureDrag *gesture, double dx, double dy, GobanFrame *self)
{
  GtkWidget *handle = gtk_event_controller_get_widget (GTK_EVENT_CONTROLLER (gesture));
  GobanSlot slot = slot_of_handle (handle);
  int by = (int) lround (is_column (slot) ? dx : dy);

  resize (self, slot, get_size (self, slot) + get_direction (slot) * by);
}

static gboolean
handle_key_cb (GtkEventControllerKey *controller, guint keyval, guint keycode,
               GdkModifierType state, GobanFrame *self)
{
  GobanSlot slot
      = slot_of_handle (gtk_event_controller_get_widget (GTK_EVENT_CONTROLLER (controller)));
  guint less = is_column (slot) ? GDK_KEY_Left : GDK_KEY_Up;
  guint more = is_column (slot) ? GDK_KEY_Right : GDK_KEY_Down;

  if ((keyval != less && keyval != more) || (state & GDK_MODIFIER_MASK) != 0)
    return GDK_EVENT_PROPAGATE;
  resize (self, slot,
          get_size (self, slot) + get_direction (slot) * (keyval == more ? KEY_STEP : -KEY_STEP));
  return GDK_EVENT_STOP;
}

static void
add_handle (GobanFrame *self, GobanSlot slot)
{
  GtkWidget *handle = g_object_new (GTK_TYPE_BOX, "css-name", "framehandle", "accessible-role",
                                    GTK_ACCESSIBLE_ROLE_SEPARATOR, "focusable", TRUE, NULL);
  GtkGesture *drag = gtk_gesture_drag_new ();

  g_object_set_data (G_OBJECT (handle), "goban-slot", GINT_TO_POINTER (slot));
  goban_set_accessible_label (handle, _ (handle_labels[slot]));
  gtk_widget_set_cursor_from_name (handle, is_column (slot) ? "col-resize" : "row-resize");
  g_signal_connect_object (drag, "drag-update", G_CALLBACK (drag_update_cb), self, 0);
  gtk_widget_add_controller (handle, GTK_EVENT_CONTROLLER (drag));
  goban_watch_keys (handle, GTK_PHASE_BUBBLE, G_CALLBACK (handle_key_cb), self);
  gtk_widget_set_parent (handle, GTK_WIDGET (self));
  self->handles[slot] = handle;
}

/* --- clicks and keys -------------------------------------------------------------------------- */

/* A second click on the heading of a pane, but not on a button there. */
static void
heading_cb (GtkGestureClick *gesture, int n_press, double x, double y, GobanFrame *self)
{
  GtkWidget *slot = gtk_event_controller_get_widget (GTK_EVENT_CONTROLLER (gesture));
  GtkWidget *picked = gtk_widget_pick (slot, x, y, GTK_PICK_DEFAULT);
  int number = goban_frame_find_slot (self, slot);

  while (picked != NULL && picked != slot && !gtk_widget_has_css_class (picked, "pane-heading"))
    picked = gtk_widget_get_parent (picked);
  if (n_press == 2 && picked != NULL && picked != slot)
    goban_frame_maximize (self, self->maximized == number ? -1 : number);
}

/* A click beside a floating column closes it. */
static void
board_pressed_cb (GtkGestureClick *gesture, int n_press, double x, double y, GobanFrame *self)
{
  if (self->floating >= 0)
    goban_frame_set_shown (self, (GobanSlot) self->floating, FALSE);
  gtk_gesture_set_state (GTK_GESTURE (gesture), GTK_EVENT_SEQUENCE_DENIED);
}

/* Escape restores what fills the frame, or closes what floats, before anything else. */
static gboolean
key_pressed_cb (GtkEventControllerKey *controller, guint keyval, guint keycode,
                GdkModifierType state, GobanFrame *self)
{
  if (keyval != GDK_KEY_Escape || (self->maximized < 0 && self->floating < 0))
    return GDK_EVENT_PROPAGATE;
  if (self->maximized >= 0)
    goban_frame_maximize (self, -1);
  else
    goban_frame_set_shown (self, (GobanSlot) self->floating, FALSE);
  return GDK_EVENT_STOP;
}

static void
watch_clicks_and_keys (GobanFrame *self)
{
  GtkGesture *press = gtk_gesture_click_new ();

  for (guint i = 0; i < GOBAN_N_SLOTS; i++)
    {
      GtkGesture *heading = gtk_gesture_click_new ();

      g_signal_connect_object (heading, "pressed", G_CALLBACK (heading_cb), self, 0);
      gtk_widget_add_controller (self->slots[i], GTK_EVENT_CONTROLLER (heading));
    }
  gtk_event_controller_set_propagation_phase (GTK_EVENT_CONTROLLER (press), GTK_PHASE_CAPTURE);
  g_signal_connect_object (press, "pressed", G_CALLBACK (board_pressed_cb), self, 0);
  gtk_widget_add_controller (self->slots[GOBAN_SLOT_BOARD], GTK_EVENT_CONTROLLER (press));
  goban_watch_keys (GTK_WIDGET (self), GTK_PHASE_CAPTURE, G_CALLBACK (key_pressed_cb), self);
}

/* Gives the next open slot the focus, in the order of reading. */
void
goban_frame_move_focus (GobanFrame *self, GtkWidget *focus, int by)
{
  static const GobanSlot order[]
      = { GOBAN_SLOT_SIDE, GOBAN_SLOT_LEFT,   GOBAN_SLOT_BOARD, GOBAN_SLOT_RIGHT,
          GOBAN_SLOT_TIME, GOBAN_SLOT_PLAYER, GOBAN_SLOT_DRAWER };
  int n = G_N_ELEMENTS (order);
  int slot = focus != NULL ? goban_frame_find_slot (self, focus) : -1;
  int at = 0;

  while (at < n && (int) order[at] != slot)
    at++;
  for (int i = 1; i <= n; i++)
    {
      GtkWidget *next = self->slots[order[((at + i * by) % n + n) % n]];

      if (gtk_widget_get_mapped (next) && gtk_widget_child_focus (next, GTK_DIR_TAB_FORWARD))
        return;
    }
}

static void
goban_frame_dispose (GObject *object)
{
  GobanFrame *self = GOBAN_FRAME (object);

  g_clear_handle_id (&self->width_id, g_source_remove);
  for (guint i = 0; i < GOBAN_N_SLOTS; i++)
    {
      g_clear_pointer (&self->slots[i], gtk_widget_unparent);
      g_clear_pointer (&self->handles[i], gtk_widget_unparent);
      g_clear_pointer (&self->mounts[i], g_array_unref);
    }
  G_OBJECT_CLASS (goban_frame_parent_class)->dispose (object);
}

static void
goban_frame_class_init (GobanFrameClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = goban_frame_dispose;
  gtk_widget_class_set_layout_manager_type (widget_class, GOBAN_TYPE_FRAME_LAYOUT);
  gtk_widget_class_set_css_name (widget_class, "goframe");
  goban_signal_add (klass, "changed", 0);
}

static void
goban_frame_init (GobanFrame *self)
{
  self->maximized = -1;
  self->floating = -1;
  for (guint i = 0; i < GOBAN_N_SLOTS; i++)
    {
      self->mounts[i] = g_array_new (FALSE, FALSE, sizeof (Mount));
      self->slots[i] = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
      gtk_widget_set_overflow (self->slots[i], GTK_OVERFLOW_HIDDEN);
      gtk_widget_add_css_class (self->slots[i], slot_names[i]);
      gtk_widget_set_parent (self->slots[i], GTK_WIDGET (self));
    }
  for (guint i = 0; i < GOBAN_N_SLOTS; i++)
    if (handle_labels[i] != NULL)
      add_handle (self, (GobanSlot) i);
  for (guint i = 0; i < GOBAN_N_WORKSPACES; i++)
    self->layouts[i] = get_usual_layout ((GobanWorkspace) i);
  watch_clicks_and_keys (self);
  show_slots (self);
}

GtkWidget *
goban_frame_new (void)
{
  return g_object_new (GOBAN_TYPE_FRAME, NULL);
}
