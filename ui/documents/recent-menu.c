#include "ui/documents/recent-menu.h"

#include "engine/core/i18n.h"
#include "engine/session/document/document.h"
#include "engine/session/teaching/lesson-state.h"
#include "engine/study/run/graph-source.h"
#include "ui/widgets/recent-files.h"
#include "ui/widgets/signals.h"

#define MAX_RECENT 9

struct _GobanRecentMenu
{
  GObject parent;

  GobanSite site;
  GobanStartPage *start;
  GMenu *menu;
};

GOBAN_DEFINE_PART (GobanRecentMenu, goban_recent_menu)

/* (transfer full) */
static char **
list_recent (GobanRecentMenu *self)
{
  int limit = self->site.settings != NULL
                  ? goban_settings_get_int (self->site.settings, GOBAN_SETTING_RECENT_LIMIT)
                  : 0;

  return goban_recent_files_list ((guint) CLAMP (limit, 0, MAX_RECENT));
}

void
goban_recent_menu_update (GobanRecentMenu *self)
{
  g_auto (GStrv) paths = list_recent (self);

  g_menu_remove_all (self->menu);
  for (guint i = 0; paths[i] != NULL; i++)
    {
      g_autofree char *name = g_filename_display_basename (paths[i]);
      g_autofree char *target = goban_recent_files_dup_target (paths[i]);
      g_autoptr (GMenuItem) item = g_menu_item_new (name, NULL);

      g_menu_item_set_action_and_target (item, "win.open-path", "s", target);
      g_menu_append_item (self->menu, item);
    }
  goban_start_page_set_recent (self->start, (const char *const *) paths);
}

/* A program that remembers nothing leaves no trace among the files used lately either. Graphs that
 * a lesson opens are no files of the user's, nor is the one that drawing begins with. */
static void
remember (GobanRecentMenu *self)
{
  GobanLessonState *lesson = goban_lesson_state_of (G_OBJECT (self->site.session));
  gboolean is_remembered
      = self->site.settings != NULL && goban_lesson_state_get_lesson (lesson) == NULL;
  g_autofree char *path = is_remembered ? goban_site_dup_file (&self->site) : NULL;
  g_autofree char *template = goban_graph_source_dup_template ();

  if (path != NULL && g_strcmp0 (path, template) != 0)
    goban_recent_files_add (path);
}

/* The n-th recent file by Ctrl+n, while nothing is open: later the same keys colour. */
static gboolean
recent_key_cb (GtkEventControllerKey *controller, guint keyval, guint keycode,
               GdkModifierType state, GobanRecentMenu *self)
{
  g_auto (GStrv) paths = NULL;
  g_autofree char *target = NULL;
  guint n = keyval - GDK_KEY_1;

  if ((state & gtk_accelerator_get_default_mod_mask ()) != GDK_CONTROL_MASK || keyval < GDK_KEY_1
      || keyval > GDK_KEY_9 || goban_session_get_graph (self->site.session) != NULL)
    return FALSE;
  paths = list_recent (self);
  if (n >= g_strv_length (paths))
    return FALSE;
  target = goban_recent_files_dup_target (paths[n]);
  goban_site_activate (&self->site, "open-path", g_variant_new_string (target));
  return TRUE;
}

static void
add_menu (GobanRecentMenu *self, GMenuModel *main_menu)
{
  g_autoptr (GMenuModel) files = g_menu_model_get_item_link (main_menu, 0, G_MENU_LINK_SECTION);

  self->menu = g_menu_new ();
  if (G_IS_MENU (files))
    g_menu_insert_submenu (G_MENU (files), 1, _ ("Open _recent"), G_MENU_MODEL (self->menu));
}

/* --- construction and disposal --------------------------------------------------------------- */

static void
goban_recent_menu_clear (GobanRecentMenu *self)
{
  g_clear_object (&self->menu);
}

GobanRecentMenu *
goban_recent_menu_new (const GobanSite *site, GobanStartPage *start, GMenuModel *main_menu)
{
  GobanRecentMenu *self = g_object_new (GOBAN_TYPE_RECENT_MENU, NULL);

  self->site = *site;
  self->start = start;
  add_menu (self, main_menu);
  GOBAN_CONNECT (goban_document_get (site->session), "notify::path", remember, self);
  GOBAN_CONNECT (site->session, "notify::graph", remember, self);
  GOBAN_CONNECT (gtk_recent_manager_get_default (), "changed", goban_recent_menu_update, self);
  goban_recent_menu_update (self);
  goban_watch_keys (GTK_WIDGET (site->window), GTK_PHASE_CAPTURE, G_CALLBACK (recent_key_cb), self);
  return self;
}
