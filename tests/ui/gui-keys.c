#include "tests/ui/gui-keys.h"

#include <gdk/x11/gdkx.h>

static const struct
{
  const char *name;
  const char *accel;
} modifiers[] = { { "Ctrl+", "<Control>" }, { "Shift+", "<Shift>" }, { "Alt+", "<Alt>" } };

/* Names that differ from the keysym's. */
static const struct
{
  const char *name;
  const char *keysym;
} keys[] = { { "Enter", "Return" }, { ".", "period" }, { ",", "comma" } };

static void
run_xdotool (GuiWindow *f, const char *const *arguments)
{
  g_autoptr (GPtrArray) command = g_ptr_array_new ();
  g_autoptr (GError) error = NULL;
  int status = 0;

  g_ptr_array_add (command, (gpointer) "xdotool");
  for (guint i = 0; arguments[i] != NULL; i++)
    g_ptr_array_add (command, (gpointer) arguments[i]);
  g_ptr_array_add (command, NULL);
  g_spawn_sync (NULL, (char **) command->pdata, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, NULL, NULL,
                &status, &error);
  g_assert_no_error (error);
  g_assert_cmpint (status, ==, 0);
  gdk_display_sync (gtk_widget_get_display (GTK_WIDGET (f->window)));
  gui_draw (GTK_WIDGET (f->window));
}

static gboolean
is_active (gpointer data)
{
  return gtk_window_is_active (data);
}

gboolean
gui_keys_begin (GuiWindow *f)
{
  g_autofree char *program = g_find_program_in_path ("xdotool");
  GdkSurface *surface = gtk_native_get_surface (GTK_NATIVE (f->window));
  g_autofree char *window = NULL;

  if (program == NULL)
    {
      g_test_skip ("xdotool is not installed");
      return FALSE;
    }
  window = g_strdup_printf ("%lu", gdk_x11_surface_get_xid (surface));
  run_xdotool (f, (const char *[]){ "windowfocus", window, NULL });
  gui_wait (is_active, f->window, "the window has the keyboard");
  return TRUE;
}

char *
gui_keys_dup_accel (const char *name)
{
  g_autoptr (GString) accel = g_string_new (NULL);
  const char *key = name;
  g_autofree char *own = NULL;
  guint keyval;

  for (gsize i = 0; i < G_N_ELEMENTS (modifiers); i++)
    if (g_str_has_prefix (key, modifiers[i].name))
      {
        g_string_append (accel, modifiers[i].accel);
        key += strlen (modifiers[i].name);
      }
  own = g_utf8_strlen (key, -1) == 1 ? g_utf8_strdown (key, -1) : g_strdup (key);
  for (gsize i = 0; i < G_N_ELEMENTS (keys); i++)
    if (g_str_equal (key, keys[i].name))
      {
        g_free (own);
        own = g_strdup (keys[i].keysym);
      }
  keyval = gdk_keyval_from_name (own);
  if (keyval == 0 || keyval == GDK_KEY_VoidSymbol)
    return NULL;
  g_string_append (accel, own);
  return g_string_free (g_steal_pointer (&accel), FALSE);
}

gboolean
gui_keys_are (const char *name)
{
  g_autofree char *accel = gui_keys_dup_accel (name);

  return accel != NULL;
}

void
gui_keys_press (GuiWindow *f, const char *name)
{
  g_autofree char *accel = gui_keys_dup_accel (name);
  guint keyval;
  GdkModifierType held;
  g_autoptr (GString) chord = g_string_new (NULL);

  g_assert_true (gtk_accelerator_parse (accel, &keyval, &held));
  g_string_printf (chord, "%s%s%s%s", held & GDK_CONTROL_MASK ? "ctrl+" : "",
                   held & GDK_SHIFT_MASK ? "shift+" : "", held & GDK_ALT_MASK ? "alt+" : "",
                   gdk_keyval_name (keyval));
  run_xdotool (f, (const char *[]){ "key", chord->str, NULL });
}

void
gui_keys_type (GuiWindow *f, const char *text)
{
  run_xdotool (f, (const char *[]){ "type", "--delay", "4", text, NULL });
}
