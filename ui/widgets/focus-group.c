#include "ui/widgets/focus-group.h"

#include "ui/widgets/signals.h"

#include <math.h>

static void
list_buttons (GtkWidget *root, GPtrArray *buttons)
{
  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    if (GTK_IS_BUTTON (child) && gtk_widget_get_mapped (child) && gtk_widget_is_sensitive (child))
      g_ptr_array_add (buttons, child);
    else
      list_buttons (child, buttons);
}

/* (transfer container) (nullable): NULL if the focus is on none of them. @at: (out) */
static GPtrArray *
find_buttons (GtkWidget *container, guint *at)
{
  g_autoptr (GPtrArray) buttons = g_ptr_array_new ();
  GtkWidget *focus = gtk_root_get_focus (gtk_widget_get_root (container));

  list_buttons (container, buttons);
  return focus != NULL && g_ptr_array_find (buttons, focus, at) ? g_steal_pointer (&buttons) : NULL;
}

static void
find_centre (GtkWidget *button, GtkWidget *container, double *x, double *y)
{
  graphene_rect_t bounds;

  if (!gtk_widget_compute_bounds (button, container, &bounds))
    return;
  *x = bounds.origin.x + bounds.size.width / 2;
  *y = bounds.origin.y + bounds.size.height / 2;
}

/* The button of the next row up or down that is nearest in x; @at if there is no such row. */
static guint
find_in_next_row (GtkWidget *container, const GPtrArray *buttons, guint at, int direction)
{
  double x0 = 0, y0 = 0, row = INFINITY, nearest = INFINITY;
  guint best = at;

  find_centre (buttons->pdata[at], container, &x0, &y0);
  for (guint i = 0; i < buttons->len; i++)
    {
      double x = 0, y = 0, rows;

      find_centre (buttons->pdata[i], container, &x, &y);
      rows = (y - y0) * direction;
      if (rows < 1 || rows > row + 1 || (rows > row - 1 && fabs (x - x0) >= nearest))
        continue;
      row = rows;
      nearest = fabs (x - x0);
      best = i;
    }
  return best;
}

static guint
find_target (GtkWidget *container, const GPtrArray *buttons, guint at, guint keyval)
{
  guint last = buttons->len - 1;
  gboolean is_mirrored = gtk_widget_get_direction (container) == GTK_TEXT_DIR_RTL;

  switch (keyval)
    {
    case GDK_KEY_Left:
    case GDK_KEY_KP_Left:
      return is_mirrored ? MIN (at + 1, last) : at - (at > 0);
    case GDK_KEY_Right:
    case GDK_KEY_KP_Right:
      return is_mirrored ? at - (at > 0) : MIN (at + 1, last);
    case GDK_KEY_Up:
    case GDK_KEY_KP_Up:
      return find_in_next_row (container, buttons, at, -1);
    case GDK_KEY_Down:
    case GDK_KEY_KP_Down:
      return find_in_next_row (container, buttons, at, 1);
    case GDK_KEY_Home:
    case GDK_KEY_KP_Home:
      return 0;
    case GDK_KEY_End:
    case GDK_KEY_KP_End:
      return last;
    default:
      return G_MAXUINT;
    }
}

static gboolean
is_tab (guint keyval, GdkModifierType modifiers, gboolean *is_back)
{
  gboolean is_forward = keyval == GDK_KEY_Tab || keyval == GDK_KEY_KP_Tab;

  *is_back = keyval == GDK_KEY_ISO_Left_Tab || (is_forward && modifiers & GDK_SHIFT_MASK);
  return (is_forward || *is_back)
         && (modifiers & (GDK_CONTROL_MASK | GDK_ALT_MASK | GDK_SUPER_MASK)) == 0;
}

static gboolean
key_pressed_cb (GtkEventControllerKey *controller, guint keyval, guint keycode,
                GdkModifierType modifiers, GtkWidget *container)
{
  gboolean is_back;
  g_autoptr (GPtrArray) buttons = NULL;
  guint at, target;

  if ((modifiers & (GDK_CONTROL_MASK | GDK_ALT_MASK | GDK_SUPER_MASK)) != 0)
    return FALSE;
  buttons = find_buttons (container, &at);
  if (buttons == NULL)
    return FALSE;
  /* From the end of the group GTK goes on to what comes next. */
  if (is_tab (keyval, modifiers, &is_back))
    {
      gtk_widget_grab_focus (buttons->pdata[is_back ? 0 : buttons->len - 1]);
      return FALSE;
    }
  target = find_target (container, buttons, at, keyval);
  if (target == G_MAXUINT)
    return FALSE;
  gtk_widget_grab_focus (buttons->pdata[target]);
  return TRUE;
}

void
goban_focus_group_make (GtkWidget *container)
{
  goban_watch_keys (container, GTK_PHASE_CAPTURE, G_CALLBACK (key_pressed_cb), container);
}

static gboolean
list_key_cb (GtkEventControllerKey *controller, guint keyval, guint keycode,
             GdkModifierType modifiers, GtkWidget *list)
{
  gboolean is_back;

  if (!is_tab (keyval, modifiers, &is_back))
    return FALSE;
  gtk_widget_set_can_focus (list, FALSE);
  gtk_widget_child_focus (GTK_WIDGET (gtk_widget_get_root (list)),
                          is_back ? GTK_DIR_TAB_BACKWARD : GTK_DIR_TAB_FORWARD);
  gtk_widget_set_can_focus (list, TRUE);
  return TRUE;
}

void
goban_focus_group_make_list (GtkWidget *list)
{
  goban_watch_keys (list, GTK_PHASE_CAPTURE, G_CALLBACK (list_key_cb), list);
}

gboolean
goban_focus_group_enter (GtkWidget *widget, GtkDirectionType direction)
{
  return gtk_widget_child_focus (gtk_widget_get_first_child (widget), direction);
}
