#include "ui/panels/action-menu.h"

#include "engine/core/i18n.h"
#include "ui/widgets/actions.h"

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
