#include "ui/panels/shortcuts-window.h"

#include "engine/core/i18n.h"
#include "ui/widgets/actions.h"

#include <string.h>

#define KEYS_CHARS 22

#define INFO_KEY "goban-info"
#define TEXT_KEY "goban-text" /* what is searched, folded */

static const GobanActionInfo *
get_info (GtkListBoxRow *row)
{
  return g_object_get_data (G_OBJECT (row), INFO_KEY);
}

static gboolean
filter_cb (GtkListBoxRow *row, gpointer user_data)
{
  g_autofree char *folded = g_utf8_casefold (goban_search_window_get_words (user_data), -1);

  return strstr (g_object_get_data (G_OBJECT (row), TEXT_KEY), folded) != NULL;
}

/* The title of a group stands above its first row. */
static void
header_cb (GtkListBoxRow *row, GtkListBoxRow *before, gpointer user_data)
{
  GobanActionGroup group = get_info (row)->group;
  GtkWidget *title = NULL;

  if (before == NULL || get_info (before)->group != group)
    {
      title = gtk_label_new (goban_action_group_title (group));
      gtk_label_set_xalign (GTK_LABEL (title), 0);
      gtk_widget_add_css_class (title, "shortcut-group");
    }
  gtk_list_box_row_set_header (row, title);
}

/* Adds @keys, parted by spaces, without aliases of the same physical key; @is_numbered: the first
 * to the last of them. */
static void
append_keys (GString *text, const char *keys, gboolean is_numbered)
{
  g_auto (GStrv) each = goban_action_split_keys (keys);
  guint n = g_strv_length (each);

  for (guint i = 0; i < n; i++)
    {
      g_autofree char *label = NULL;
      GdkModifierType modifiers;
      guint keyval;

      if (strstr (each[i], "KP_") != NULL || g_str_has_suffix (each[i], "equal")
          || (is_numbered && i > 0 && i + 1 < n)
          || !gtk_accelerator_parse (each[i], &keyval, &modifiers))
        continue;
      label = gtk_accelerator_get_label (keyval, modifiers);
      if (is_numbered && i > 0)
        g_string_append_printf (text, " … %s", label);
      else
        g_string_append_printf (text, "%s%s", text->len > 0 ? ",  " : "", label);
    }
}

static GtkWidget *
add_label (GtkWidget *box, const char *text, const char *css_class)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_widget_add_css_class (label, css_class);
  gtk_box_append (GTK_BOX (box), label);
  return label;
}

static void
add_command (GobanSearchWindow *window, const GobanActionInfo *info)
{
  g_autoptr (GString) keys = g_string_new (NULL);
  g_autofree char *text = NULL;
  GtkWidget *row, *box, *label;

  append_keys (keys, info->accels, info->is_numbered);
  append_keys (keys, info->wide, info->is_numbered);
  append_keys (keys, info->keys, info->is_numbered);
  if (keys->len == 0)
    return;

  box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  label = add_label (box, keys->str, "shortcut-keys");
  gtk_label_set_width_chars (GTK_LABEL (label), KEYS_CHARS);
  gtk_label_set_max_width_chars (GTK_LABEL (label), KEYS_CHARS);
  gtk_widget_set_hexpand (add_label (box, _ (info->help), "shortcut-help"), TRUE);
  row = goban_search_window_add (window, box, _ (info->help), keys->str);
  text = g_strconcat (_ (info->help), " ", keys->str, NULL);
  g_object_set_data (G_OBJECT (row), INFO_KEY, (gpointer) info);
  g_object_set_data_full (G_OBJECT (row), TEXT_KEY, g_utf8_casefold (text, -1), g_free);
}

/* GtkShortcutsWindow sets a tooltip for each key, and for each of them GTK 4.8 asks the display
 * server three times where the pointer is: half a second on a busy machine. */
GtkWidget *
goban_shortcuts_window_new (GtkWindow *parent)
{
  GtkWidget *self = goban_search_window_new (parent, _ ("Keyboard Shortcuts"),
                                             _ ("Search for a command or a key"),
                                             _ ("No command or key contains this text"));
  GobanSearchWindow *window = GOBAN_SEARCH_WINDOW (self);
  GtkListBox *list = goban_search_window_get_list (window);
  gsize n;
  const GobanActionInfo *actions = goban_actions (&n);

  for (GobanActionGroup group = 0; group < GOBAN_N_GROUPS; group++)
    for (gsize i = 0; i < n; i++)
      if (actions[i].group == group)
        add_command (window, &actions[i]);
  gtk_list_box_set_filter_func (list, filter_cb, window, NULL);
  gtk_list_box_set_header_func (list, header_cb, NULL, NULL);
  gtk_window_set_modal (GTK_WINDOW (window), TRUE);
  gtk_window_set_default_size (GTK_WINDOW (window), 560, 540);
  return self;
}
