#include "ui/panels/action-menu.h"

#include "engine/core/i18n.h"
#include "ui/widgets/actions.h"

#include <string.h>

#define MAX_TITLE_CHARS 48 /* of a key, before it wraps */
#define MIN_TITLE_CHARS 20
#define LARGE_TEXT_CHARS 40 /* fewer if text is twice as large: keys get wider, too */
/* Rows of a group, and of a column with its titles: wrapped, 16 rows are 630 pixels high. */
#define MAX_ROWS 14
#define MAX_HEIGHT 16

/* Sections with a title are submenus: of the menu, or of "View". */
static const struct
{
  const char *title;
  gboolean is_of_view;
  gboolean is_apart; /* from the section before */
} menus[GOBAN_N_MENUS] = {
  [GOBAN_MENU_EXPORT] = { N_ ("_Export"), FALSE },
  [GOBAN_MENU_SELECTION] = { N_ ("_Selection"), FALSE, TRUE },
  [GOBAN_MENU_VIEW] = { N_ ("_View"), FALSE },
  [GOBAN_MENU_LOOK] = { NULL, TRUE },
  [GOBAN_MENU_GROUP] = { N_ ("_Group Nodes"), TRUE },
  [GOBAN_MENU_ARRANGE] = { N_ ("_Arrange Nodes"), TRUE },
  [GOBAN_MENU_DRAW] = { N_ ("_Draw"), FALSE },
  [GOBAN_MENU_PARALLEL] = { N_ ("Para_llel Training"), FALSE },
  [GOBAN_MENU_TRAINING] = { N_ ("_Train and Measure"), FALSE },
};

static void
append (GMenu *menu, GobanActionMenu section, GMenu *part)
{
  if (menus[section].title != NULL)
    g_menu_append_submenu (menu, _ (menus[section].title), G_MENU_MODEL (part));
  else
    g_menu_append_section (menu, NULL, G_MENU_MODEL (part));
}

GMenuModel *
goban_actions_make_menu (void)
{
  GMenu *menu = g_menu_new ();
  g_autoptr (GMenu) view = NULL;
  g_autoptr (GMenu) group = NULL; /* of submenus that stand together */

  for (GobanActionMenu section = GOBAN_MENU_NONE + 1; section < GOBAN_N_MENUS; section++)
    {
      g_autoptr (GMenu) part = goban_actions_make_section (section);

      if (section == GOBAN_MENU_VIEW)
        view = g_object_ref (part);
      if (menus[section].is_of_view)
        {
          append (view, section, part);
          continue;
        }
      if (menus[section].title == NULL || menus[section].is_apart)
        g_clear_object (&group);
      if (group == NULL)
        {
          group = menus[section].title != NULL ? g_menu_new () : g_object_ref (part);
          g_menu_append_section (menu, NULL, G_MENU_MODEL (group));
        }
      if (menus[section].title != NULL)
        append (group, section, part);
    }

  return G_MENU_MODEL (menu);
}

static void
set_label_in (GMenu *section, const char *action, const char *label)
{
  for (int i = 0; i < g_menu_model_get_n_items (G_MENU_MODEL (section)); i++)
    {
      g_autofree char *name = NULL;
      g_autoptr (GMenuItem) item = NULL;

      g_menu_model_get_item_attribute (G_MENU_MODEL (section), i, G_MENU_ATTRIBUTE_ACTION, "s",
                                       &name);
      if (g_strcmp0 (name, action) != 0)
        continue;

      item = g_menu_item_new_from_model (G_MENU_MODEL (section), i);
      g_menu_item_set_label (item, label);
      g_menu_remove (section, i);
      g_menu_insert_item (section, i, item);
    }
}

void
goban_actions_set_label (GMenuModel *menu, const char *name, const char *label)
{
  g_autofree char *action = g_strconcat ("win.", name, NULL);

  for (int i = 0; i < g_menu_model_get_n_items (menu); i++)
    {
      g_autoptr (GMenuModel) section = g_menu_model_get_item_link (menu, i, G_MENU_LINK_SECTION);

      if (section != NULL)
        set_label_in (G_MENU (section), action, label);
    }
}

/* Three keys at once and another way beside them make the window wider than small screens. */
static gboolean
takes_three (const char *key)
{
  const char *modifier = strchr (key, '<');
  const char *second = modifier != NULL ? strchr (modifier + 1, '<') : NULL;

  return second != NULL && second < key + strcspn (key, " ");
}

/* Adds @keys to @all, without aliases of the same physical key. */
static void
append_keys (GString *all, const char *keys)
{
  g_auto (GStrv) each = goban_action_split_keys (keys);

  for (guint i = 0; each[i] != NULL; i++)
    if (strstr (each[i], "KP_") == NULL && !g_str_has_suffix (each[i], "equal")
        && !takes_three (all->str))
      g_string_append_printf (all, "%s%s", all->len > 0 ? " " : "", each[i]);
}

/* Numbers are a range: its first and last key. */
static void
append_range (GString *all, const char *keys)
{
  g_auto (GStrv) each = goban_action_split_keys (keys);
  guint n = g_strv_length (each);
  char digit = '\0';

  if (n == 0)
    return;
  digit = each[n - 1][strlen (each[n - 1]) - 1];
  g_string_append_printf (all, "%s...%c", each[0], digit);
}

/* FALSE if the command has no key. */
static gboolean
append_shortcut (GString *ui, const GobanActionInfo *info)
{
  g_autoptr (GString) all = g_string_new (NULL);
  g_autofree char *text = NULL;

  if (info->is_numbered)
    {
      append_range (all, info->accels);
      append_range (all, info->keys);
    }
  else
    {
      append_keys (all, info->accels);
      append_keys (all, info->wide);
      append_keys (all, info->keys);
    }
  if (all->len == 0)
    return FALSE;

  text = g_markup_printf_escaped ("<child><object class='GtkShortcutsShortcut'>"
                                  "<property name='title'>%s</property>"
                                  "<property name='accelerator'>%s</property></object></child>",
                                  _ (info->help), all->str);
  g_string_append (ui, text);
  return TRUE;
}

/* A group is not divided by GTK: one of many keys is several, which are below each other or beside
 * each other. */
static void
append_group (GString *ui, GobanActionGroup group, guint max_rows)
{
  gsize n;
  const GobanActionInfo *actions = goban_actions (&n);
  guint n_shown = 0;

  for (gsize i = 0; i < n; i++)
    {
      g_autoptr (GString) shortcut = g_string_new (NULL);

      if (actions[i].group != group || !append_shortcut (shortcut, &actions[i]))
        continue;
      if (n_shown % max_rows == 0)
        g_string_append_printf (ui,
                                "%s<child><object class='GtkShortcutsGroup'>"
                                "<property name='title'>%s</property>",
                                n_shown > 0 ? "</object></child>" : "",
                                goban_action_group_title (group));
      g_string_append (ui, shortcut->str);
      n_shown++;
    }
  if (n_shown > 0)
    g_string_append (ui, "</object></child>");
}

/* Two columns of long titles are wider than a small screen. */
static void
wrap_titles (GtkWidget *widget, int max_chars)
{
  if (GTK_IS_LABEL (widget) && gtk_widget_get_ancestor (widget, GTK_TYPE_SHORTCUTS_SHORTCUT) != NULL
      && gtk_widget_get_ancestor (widget, GTK_TYPE_SHORTCUT_LABEL) == NULL)
    {
      gtk_label_set_wrap (GTK_LABEL (widget), TRUE);
      gtk_label_set_max_width_chars (GTK_LABEL (widget), max_chars);
    }
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    wrap_titles (child, max_chars);
}

/* GtkShortcutsWindow can be filled by GtkBuilder only. All groups share one section, whose pages of
 * two columns are no higher than a small screen: the switch between sections measures its labels
 * wrongly. */
GtkWidget *
goban_actions_make_shortcuts (double text_scale)
{
  g_autoptr (GString) ui = g_string_new ("<interface><object class='GtkShortcutsWindow' id='w'>"
                                         "<property name='modal'>1</property><child>"
                                         "<object class='GtkShortcutsSection'>"
                                         "<property name='section-name'>all</property>"
                                         "<property name='max-height'>");
  g_autoptr (GtkBuilder) builder = NULL;
  GtkWidget *window;

  g_string_append_printf (ui, "%d</property>", (int) (MAX_HEIGHT / text_scale));
  for (GobanActionGroup group = 0; group < GOBAN_N_GROUPS; group++)
    append_group (ui, group, (guint) (MAX_ROWS / text_scale));
  g_string_append (ui, "</object></child></object></interface>");

  builder = gtk_builder_new_from_string (ui->str, (gssize) ui->len);
  window = GTK_WIDGET (gtk_builder_get_object (builder, "w"));
  wrap_titles (window, (int) CLAMP (MAX_TITLE_CHARS - LARGE_TEXT_CHARS * (text_scale - 1),
                                    MIN_TITLE_CHARS, MAX_TITLE_CHARS));
  return window;
}
