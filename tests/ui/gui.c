#include "tests/ui/gui.h"

#include "ui/widgets/short-label.h"

#define PATIENCE_US (240 * G_USEC_PER_SEC)
/* More than any change takes: panes nested in panes take their sizes one after the other. */
#define N_FRAMES 4

static gboolean
wake_cb (gpointer user_data)
{
  return G_SOURCE_CONTINUE;
}

void
gui_wait (GuiCondition condition, gpointer data, const char *what)
{
  gint64 end_us = g_get_monotonic_time () + PATIENCE_US;
  guint wake_id = g_timeout_add (20, wake_cb, NULL);

  while (!condition (data))
    {
      if (g_get_monotonic_time () > end_us)
        g_error ("waited in vain: %s", what);
      g_main_context_iteration (NULL, TRUE);
    }
  g_source_remove (wake_id);
}

static gboolean
is_set (gpointer data)
{
  return *(gboolean *) data;
}

static gboolean
rested_cb (gpointer user_data)
{
  *(gboolean *) user_data = TRUE;
  return G_SOURCE_REMOVE;
}

void
gui_rest (void)
{
  gboolean has_rested = FALSE;

  g_idle_add_full (G_PRIORITY_LOW, rested_cb, &has_rested, NULL);
  gui_wait (is_set, &has_rested, "the main loop rests");
}

static gboolean
frame_cb (GtkWidget *widget, GdkFrameClock *clock, gpointer user_data)
{
  (*(guint *) user_data)++;
  return G_SOURCE_CONTINUE;
}

static gboolean
has_frames (gpointer data)
{
  return *(guint *) data > N_FRAMES;
}

/* The callback comes at the beginning of a frame: after one too many the others are whole. */
static void
draw_frames (GtkWidget *window)
{
  guint n_begun = 0;
  guint id = gtk_widget_add_tick_callback (window, frame_cb, &n_begun, NULL);

  gui_wait (has_frames, &n_begun, "the window draws");
  gtk_widget_remove_tick_callback (window, id);
}

void
gui_draw (GtkWidget *widget)
{
  GtkWidget *window = GTK_WIDGET (gtk_widget_get_root (widget));

  g_assert_nonnull (window);
  gui_wait (gui_is_mapped, window, "the window is mapped");
  draw_frames (window);
  /* What the server says of a new size is laid out and painted too. */
  gdk_display_sync (gtk_widget_get_display (window));
  draw_frames (window);
  gui_rest ();
}

typedef struct
{
  GtkWidget *widget;
  int min;
  int max;
} HeightRange;

static gboolean
is_in_range (gpointer data)
{
  HeightRange *range = data;
  int height = gtk_widget_get_height (range->widget);

  return height >= range->min && height <= range->max;
}

void
gui_wait_height (GtkWidget *widget, int min, int max)
{
  HeightRange range = { widget, min, max };
  g_autofree char *what
      = g_strdup_printf ("%s is %d to %d high", G_OBJECT_TYPE_NAME (widget), min, max);

  gui_wait (is_in_range, &range, what);
  gui_draw (widget);
  g_assert_cmpint (gtk_widget_get_height (widget), >=, min);
  g_assert_cmpint (gtk_widget_get_height (widget), <=, max);
}

static gboolean
is_null (gpointer data)
{
  return *(gpointer *) data == NULL;
}

void
gui_wait_finalized (gpointer object)
{
  g_autofree char *what = g_strdup_printf ("%s is finalised", G_OBJECT_TYPE_NAME (object));

  g_object_add_weak_pointer (object, &object);
  g_object_unref (object);
  gui_wait (is_null, &object, what);
}

gboolean
gui_is_mapped (gpointer data)
{
  return gtk_widget_get_mapped (data) && gtk_widget_get_width (data) > 0;
}

gboolean
gui_is_unmapped (gpointer data)
{
  return !gtk_widget_get_mapped (data);
}

GtkWidget *
gui_find (GtkWidget *root, GType type)
{
  if (g_type_is_a (G_OBJECT_TYPE (root), type))
    return root;

  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    {
      GtkWidget *found = gui_find (child, type);

      if (found != NULL)
        return found;
    }

  return NULL;
}

const char *
gui_get_text (GtkWidget *widget)
{
  if (GOBAN_IS_SHORT_LABEL (widget))
    return goban_short_label_get_text (GOBAN_SHORT_LABEL (widget));
  return GTK_IS_LABEL (widget) ? gtk_label_get_text (GTK_LABEL (widget)) : NULL;
}

gpointer
gui_child (gpointer widget, const char *id)
{
  GObject *child = gtk_widget_get_template_child (widget, G_OBJECT_TYPE (widget), id);

  if (child == NULL)
    g_error ("the template of %s has no %s", G_OBJECT_TYPE_NAME (widget), id);
  return child;
}

const char *
gui_child_text (gpointer widget, const char *id)
{
  GtkWidget *child = gui_child (widget, id);

  return GTK_IS_EDITABLE (child) ? gtk_editable_get_text (GTK_EDITABLE (child))
                                 : gui_get_text (child);
}

void
gui_sort (GtkWidget *root, const char *title, gboolean is_descending)
{
  GtkColumnView *view = GTK_COLUMN_VIEW (gui_find (root, GTK_TYPE_COLUMN_VIEW));
  GListModel *columns = gtk_column_view_get_columns (view);

  for (guint i = 0; i < g_list_model_get_n_items (columns); i++)
    {
      g_autoptr (GtkColumnViewColumn) column = g_list_model_get_item (columns, i);

      if (g_str_equal (gtk_column_view_column_get_title (column), title))
        {
          gtk_column_view_sort_by_column (view, column,
                                          is_descending ? GTK_SORT_DESCENDING : GTK_SORT_ASCENDING);
          return;
        }
    }
  g_error ("no column is named %s", title);
}

void
gui_set_input (gpointer console, const char *text)
{
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (gui_child (console, "input"));
  GtkTextIter end;

  gtk_text_buffer_set_text (buffer, text, -1);
  gtk_text_buffer_get_end_iter (buffer, &end);
  gtk_text_buffer_place_cursor (buffer, &end);
}

GtkWidget *
gui_find_button (GtkWidget *root, const char *label)
{
  GtkWidget *found = NULL;

  if (GTK_IS_BUTTON (root)
      && (g_strcmp0 (gtk_button_get_label (GTK_BUTTON (root)), label) == 0
          || (gtk_button_get_child (GTK_BUTTON (root)) != NULL
              && g_strcmp0 (gui_get_text (gtk_button_get_child (GTK_BUTTON (root))), label) == 0)))
    return root;
  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL && found == NULL;
       child = gtk_widget_get_next_sibling (child))
    found = gui_find_button (child, label);
  return found;
}

gboolean
gui_try_press (GtkWidget *widget, guint keyval, GdkModifierType modifiers)
{
  g_autoptr (GListModel) controllers = gtk_widget_observe_controllers (widget);
  gboolean is_taken = FALSE;

  for (guint i = 0; i < g_list_model_get_n_items (controllers) && !is_taken; i++)
    {
      g_autoptr (GtkEventController) controller = g_list_model_get_item (controllers, i);

      if (GTK_IS_EVENT_CONTROLLER_KEY (controller))
        g_signal_emit_by_name (controller, "key-pressed", keyval, 0, modifiers, &is_taken);
    }
  return is_taken;
}

void
gui_press (GtkWidget *widget, guint keyval, GdkModifierType modifiers)
{
  g_assert_true (gui_try_press (widget, keyval, modifiers));
}
