#include "ui/panels/shortcuts-window.h"

#include "engine/core/i18n.h"
#include "ui/widgets/actions.h"
#include "ui/widgets/template.h"

#include <string.h>

/* GtkShortcutsWindow sets a tooltip for each key, and for each of them GTK 4.8 asks the display
 * server three times where the pointer is: half a second on a busy machine. */
struct _GobanShortcutsWindow
{
  GtkWindow parent;

  GtkWidget *entry;
  GtkWidget *list;
};

G_DEFINE_FINAL_TYPE (GobanShortcutsWindow, goban_shortcuts_window, GTK_TYPE_WINDOW)

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
  GobanShortcutsWindow *self = user_data;
  const char *words = gtk_editable_get_text (GTK_EDITABLE (self->entry));
  g_autofree char *folded = g_utf8_casefold (words, -1);

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

static void
changed_cb (GobanShortcutsWindow *self)
{
  gtk_list_box_invalidate_filter (GTK_LIST_BOX (self->list));
  gtk_list_box_invalidate_headers (GTK_LIST_BOX (self->list));
}

/* Escape in the entry. */
static void
stop_cb (GobanShortcutsWindow *self)
{
  gtk_window_close (GTK_WINDOW (self));
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
add_command (GobanShortcutsWindow *self, const GobanActionInfo *info)
{
  g_autoptr (GString) keys = g_string_new (NULL);
  g_autofree char *text = NULL;
  GtkWidget *row, *box, *label;

  append_keys (keys, info->accels, info->is_numbered);
  append_keys (keys, info->wide, info->is_numbered);
  append_keys (keys, info->keys, info->is_numbered);
  if (keys->len == 0)
    return;

  row = gtk_list_box_row_new ();
  box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  label = add_label (box, keys->str, "shortcut-keys");
  gtk_label_set_width_chars (GTK_LABEL (label), KEYS_CHARS);
  gtk_label_set_max_width_chars (GTK_LABEL (label), KEYS_CHARS);
  gtk_widget_set_hexpand (add_label (box, _ (info->help), "shortcut-help"), TRUE);
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), box);
  gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (row), FALSE);
  gtk_accessible_update_property (GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ (info->help), GTK_ACCESSIBLE_PROPERTY_KEY_SHORTCUTS, keys->str,
                                  -1);
  text = g_strconcat (_ (info->help), " ", keys->str, NULL);
  g_object_set_data (G_OBJECT (row), INFO_KEY, (gpointer) info);
  g_object_set_data_full (G_OBJECT (row), TEXT_KEY, g_utf8_casefold (text, -1), g_free);
  gtk_list_box_append (GTK_LIST_BOX (self->list), row);
}

static void
goban_shortcuts_window_class_init (GobanShortcutsWindowClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Escape, 0, "window.close", NULL);
  goban_template_set (widget_class, "panels/shortcuts-window.ui");
  gtk_widget_class_bind_template_child (widget_class, GobanShortcutsWindow, entry);
  gtk_widget_class_bind_template_child (widget_class, GobanShortcutsWindow, list);
  gtk_widget_class_bind_template_callback (widget_class, changed_cb);
  gtk_widget_class_bind_template_callback (widget_class, stop_cb);
}

static void
goban_shortcuts_window_init (GobanShortcutsWindow *self)
{
  gsize n;
  const GobanActionInfo *actions = goban_actions (&n);

  goban_template_init (GTK_WIDGET (self));
  for (GobanActionGroup group = 0; group < GOBAN_N_GROUPS; group++)
    for (gsize i = 0; i < n; i++)
      if (actions[i].group == group)
        add_command (self, &actions[i]);
  gtk_list_box_set_filter_func (GTK_LIST_BOX (self->list), filter_cb, self, NULL);
  gtk_list_box_set_header_func (GTK_LIST_BOX (self->list), header_cb, NULL, NULL);
}

GtkWidget *
goban_shortcuts_window_new (GtkWindow *parent)
{
  return g_object_new (GOBAN_TYPE_SHORTCUTS_WINDOW, "transient-for", parent, NULL);
}
