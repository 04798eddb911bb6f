#include "ui/widgets/toplevels.h"

#include "ui/widgets/signals.h"
#include "ui/widgets/theme.h"

/* For the surface of a window that is gone. */
static void
compute_size_cb (GdkToplevel *surface, GdkToplevelSize *size, gpointer data)
{
  gdk_toplevel_size_set_size (size, MAX (gdk_surface_get_width (GDK_SURFACE (surface)), 1),
                              MAX (gdk_surface_get_height (GDK_SURFACE (surface)), 1));
}

/* --- widgets of a closed window --------------------------------------------------------------- */

static void
collect_ours (GtkWidget *widget, GPtrArray *ours)
{
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    {
      if (g_str_has_prefix (G_OBJECT_TYPE_NAME (child), "Goban"))
        g_ptr_array_add (ours, child);
      collect_ours (child, ours);
    }
}

static GtkWidget *
get_top (GtkWidget *widget)
{
  GtkWidget *parent;

  while ((parent = gtk_widget_get_parent (widget)) != NULL)
    widget = parent;
  return widget;
}

/* @data: weak pointers, NULL once a widget was disposed of; parents before children, which
 * GTK forbids to dispose of alone. A box or stack of GTK's that is kept loses what is in it. */
static gboolean
dispose_cb (gpointer data)
{
  GPtrArray *ours = data;

  for (guint i = 0; i < ours->len; i++)
    if (g_ptr_array_index (ours, i) != NULL)
      {
        g_autoptr (GtkWidget) widget = g_object_ref (g_ptr_array_index (ours, i));
        g_autoptr (GtkWidget) top = g_object_ref (get_top (widget));

        g_clear_weak_pointer (&g_ptr_array_index (ours, i));
        if (top != widget && !GTK_IS_NATIVE (top))
          g_object_run_dispose (G_OBJECT (top));
        if (gtk_widget_get_parent (widget) == NULL)
          g_object_run_dispose (G_OBJECT (widget));
      }
  return G_SOURCE_REMOVE;
}

/* Later: the window may be closed by a signal of one of its widgets. GTK's own widgets are left
 * alone otherwise, because GTK goes on using them. */
static void
dispose_content (GtkWidget *window)
{
  GPtrArray *ours = g_ptr_array_new ();

  collect_ours (window, ours);
  for (guint i = 0; i < ours->len; i++)
    g_object_add_weak_pointer (g_ptr_array_index (ours, i), &g_ptr_array_index (ours, i));
  g_idle_add_full (G_PRIORITY_DEFAULT_IDLE, dispose_cb, ours, (GDestroyNotify) g_ptr_array_unref);
}

/* --- drops ------------------------------------------------------------------------------------ */

static void
leave (GtkEventController *target)
{
  g_signal_handlers_disconnect_by_func (gtk_event_controller_get_widget (target), leave, target);
  g_signal_emit_by_name (target, "leave");
}

static gboolean
leave_cb (gpointer target)
{
  GtkWidget *widget = gtk_event_controller_get_widget (target);

  if (widget != NULL && gtk_widget_get_mapped (widget))
    leave (target);
  return G_SOURCE_REMOVE;
}

/* Not at once: the target is still reading what was dropped. */
static gboolean
drop_cb (GSignalInvocationHint *hint, guint n_values, const GValue *values, gpointer data)
{
  g_idle_add_full (G_PRIORITY_DEFAULT_IDLE, leave_cb, g_value_dup_object (&values[0]),
                   g_object_unref);
  return TRUE;
}

static gboolean
enter_cb (GSignalInvocationHint *hint, guint n_values, const GValue *values, gpointer data)
{
  GtkEventController *target = g_value_get_object (&values[0]);
  GtkWidget *widget = gtk_event_controller_get_widget (target);

  g_signal_handlers_disconnect_by_func (widget, leave, target);
  GOBAN_CONNECT (widget, "unmap", leave, target);
  return TRUE;
}

/* For tabs of notebooks, of which there are none. */
static void
remove_tab_target (GtkWidget *window)
{
  g_autoptr (GListModel) all = gtk_widget_observe_controllers (window);

  for (guint i = g_list_model_get_n_items (all); i > 0; i--)
    {
      g_autoptr (GtkEventController) each = g_list_model_get_item (all, i - 1);

      if (GTK_IS_DROP_TARGET_ASYNC (each))
        gtk_widget_remove_controller (window, each);
    }
}

/* --- folders of file dialogs ------------------------------------------------------------------ */

/* Before the handlers: from the first change on, GTK is told of none. */
static gboolean
changed_cb (GSignalInvocationHint *hint, guint n_values, const GValue *values, gpointer data)
{
  GObject *monitor = g_value_get_object (&values[0]);
  gulong handler;

  while (g_object_get_data (monitor, GOBAN_OWN_MONITOR) == NULL
         && (handler = g_signal_handler_find (monitor, G_SIGNAL_MATCH_ID, hint->signal_id, 0, NULL,
                                              NULL, NULL))
                != 0)
    g_signal_handler_disconnect (monitor, handler);
  return TRUE;
}

/* --- keys ------------------------------------------------------------------------------------- */

/* A list of files would begin a search, a text the input of a character by its number. */
static gboolean
key_cb (GtkEventController *keys, guint keyval, guint keycode, GdkModifierType modifiers)
{
  guint key = gdk_keyval_to_lower (keyval);

  if ((modifiers & GDK_CONTROL_MASK) == 0)
    return FALSE;
  return (key == GDK_KEY_u && (modifiers & GDK_SHIFT_MASK) != 0)
         || (key == GDK_KEY_f && GTK_IS_FILE_CHOOSER (gtk_event_controller_get_widget (keys)));
}

/* --- every window ----------------------------------------------------------------------------- */

/* Before GTK drops the surface. A window that is destroyed is already out of the list. */
static void
unrealize_cb (GtkWidget *window, gpointer data)
{
  GdkSurface *surface = gtk_native_get_surface (GTK_NATIVE (window));
  guint n = g_signal_handlers_disconnect_matched (
      surface, G_SIGNAL_MATCH_ID | G_SIGNAL_MATCH_DATA,
      g_signal_lookup ("compute-size", GDK_TYPE_TOPLEVEL), 0, NULL, NULL, window);

  if (n > 0)
    g_signal_connect (surface, "compute-size", G_CALLBACK (compute_size_cb), NULL);
  if (!g_list_store_find (G_LIST_STORE (gtk_window_get_toplevels ()), window, NULL))
    dispose_content (window);
}

static void
set_class (GtkWidget *window, const char *name, gboolean is_set)
{
  if (is_set)
    gtk_widget_add_css_class (window, name);
  else
    gtk_widget_remove_css_class (window, name);
}

static void
theme_changed_cb (GtkWidget *window)
{
  GobanTheme theme = goban_theme_of (window);

  set_class (window, "dark", goban_theme_is_dark (theme));
  set_class (window, "high-contrast", goban_theme_is_high_contrast (theme));
}

static void
items_changed_cb (GListModel *windows, guint position, guint n_removed, guint n_added,
                  gpointer data)
{
  for (guint i = position; i < position + n_added; i++)
    {
      g_autoptr (GtkWidget) window = g_list_model_get_item (windows, i);
      GtkEventController *keys = gtk_event_controller_key_new ();

      gtk_event_controller_set_propagation_phase (keys, GTK_PHASE_CAPTURE);
      g_signal_connect (keys, "key-pressed", G_CALLBACK (key_cb), NULL);
      gtk_widget_add_controller (window, keys);
      remove_tab_target (window);
      g_signal_connect (window, "unrealize", G_CALLBACK (unrealize_cb), NULL);
      goban_theme_follow (window, G_CALLBACK (theme_changed_cb));
    }
}

void
goban_toplevels_watch (void)
{
  static gboolean is_watching = FALSE;
  GListModel *windows = gtk_window_get_toplevels ();

  if (is_watching)
    return;
  is_watching = TRUE;
  g_type_class_unref (g_type_class_ref (GTK_TYPE_DROP_TARGET));
  g_signal_add_emission_hook (g_signal_lookup ("enter", GTK_TYPE_DROP_TARGET), 0, enter_cb, NULL,
                              NULL);
  g_signal_add_emission_hook (g_signal_lookup ("drop", GTK_TYPE_DROP_TARGET), 0, drop_cb, NULL,
                              NULL);
  g_type_class_unref (g_type_class_ref (G_TYPE_FILE_MONITOR));
  g_signal_add_emission_hook (g_signal_lookup ("changed", G_TYPE_FILE_MONITOR), 0, changed_cb, NULL,
                              NULL);
  g_signal_connect (windows, "items-changed", G_CALLBACK (items_changed_cb), NULL);
  items_changed_cb (windows, 0, 0, g_list_model_get_n_items (windows), NULL);
}
