/* actions.h: table of all commands of the window, one row each.
 *
 * The handlers are in the parts of the window (ui/frame/site.h).
 * The GActions, the accelerators, the keys of the pictures, the menu, the tooltips and the
 * shortcuts window are made from this table and from nothing else, so that they agree.
 *
 * Decision U5 (ui/NOTES.md).
 */
#pragma once

#include <gtk/gtk.h>

/* Sections of the shortcuts window. */
typedef enum
{
  GOBAN_GROUP_FILE,
  GOBAN_GROUP_VIEW,
  GOBAN_GROUP_PLAN,
  GOBAN_GROUP_EDIT,
  GOBAN_GROUP_PANES,
  GOBAN_GROUP_SELECTION,
  GOBAN_GROUP_FINDING,
  GOBAN_GROUP_TIME,
  GOBAN_GROUP_GENERAL,
  GOBAN_N_GROUPS
} GobanActionGroup;

/* Sections of the main menu. Those with a title are submenus, some of them of "View", so that the
 * whole fits a small screen. Actions of GOBAN_MENU_NONE are not in it. */
typedef enum
{
  GOBAN_MENU_NONE,
  GOBAN_MENU_FILE,
  GOBAN_MENU_EXPORT,
  GOBAN_MENU_EDIT,
  GOBAN_MENU_SELECTION,
  GOBAN_MENU_VIEW,
  GOBAN_MENU_LOOK,
  GOBAN_MENU_GROUP,
  GOBAN_MENU_ARRANGE,
  GOBAN_MENU_DRAW,
  GOBAN_MENU_PARALLEL,
  GOBAN_MENU_TRAINING,
  GOBAN_MENU_SCREEN,
  GOBAN_MENU_ABOUT,
  GOBAN_N_MENUS
} GobanActionMenu;

typedef struct
{
  const char *name;  /* of the GAction, without "win." */
  const char *label; /* for menus, with a mnemonic */
  const char *help;  /* description: tooltips and the shortcuts window */
  GobanActionGroup group;
  GobanActionMenu menu;
  const char *accels; /* (nullable) separated by spaces: active anywhere in the window */
  const char *keys;   /* (nullable) the same, but only while a picture has the focus */
  const char *wide;   /* (nullable) the same, except while text is edited, which has its own keys */

  const char *parameter; /* (nullable) GVariant type of the parameter */
  const char *state;     /* (nullable) GVariant text of the first state */
  const char *target;    /* (nullable) GVariant text: the parameter that menu and keys give */
  gboolean is_numbered;  /* the parameter is an "i": the n-th key gives n */
  const char *lua;       /* (nullable) an equivalent line of Lua, for display */
} GobanActionInfo;

const GobanActionInfo *goban_actions (gsize *n);

/* The first row of that name, or NULL. */
const GobanActionInfo *goban_action_find (const char *name);
const char *goban_action_group_title (GobanActionGroup group);

/* "win.name" or "win.name::target" of a row, (transfer full). */
char *goban_action_detailed_name (const GobanActionInfo *info) G_GNUC_WARN_UNUSED_RESULT;

/* Its label, translated and without the mnemonic. (transfer full) */
char *goban_action_dup_label (const GobanActionInfo *info) G_GNUC_WARN_UNUSED_RESULT;

/* The rows of a section of the menu, (transfer full). */
GMenu *goban_actions_make_section (GobanActionMenu section) G_GNUC_WARN_UNUSED_RESULT;

/* The words between the spaces; nothing for NULL. (transfer full) */
char **goban_action_split_keys (const char *keys) G_GNUC_WARN_UNUSED_RESULT;

/* "Ctrl+Shift+P": the display text of its first shortcut; "" without one. (transfer full) */
char *goban_action_dup_keys (const GobanActionInfo *info) G_GNUC_WARN_UNUSED_RESULT;

/* "Fit the whole graph (F)": the tooltip of the first row of that name, (transfer full). */
char *goban_action_tooltip (const char *name) G_GNUC_WARN_UNUSED_RESULT;

/* The same with another text before the key, (transfer full). */
char *goban_action_tooltip_for (const char *name, const char *text) G_GNUC_WARN_UNUSED_RESULT;

/* Shortcuts of the commands: for the application, a window and pictures. */
void goban_actions_add_accels (GtkApplication *application);
/* Adds the `wide` keys, which are inactive while text is edited. */
void goban_actions_add_wide_keys (GtkWidget *window);
/* Adds the keys that are active while @picture has the focus. */
void goban_actions_add_keys (GtkWidget *picture);
/* Adds those of them that are characters: letters, digits and signs. Others, such as arrows, keep
 * their meaning for @pane. */
void goban_actions_add_character_keys (GtkWidget *pane);
