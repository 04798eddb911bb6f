#include "tests/ui/gui.h"

#define PATIENCE_US (10 * G_USEC_PER_SEC)

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
is_past (gpointer data)
{
  return g_get_monotonic_time () > *(gint64 *) data;
}

void
gui_settle (guint ms)
{
  gint64 end_us = g_get_monotonic_time () + (gint64) ms * 1000;

  gui_wait (is_past, &end_us, "time passes");
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
