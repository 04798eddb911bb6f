#include "ui/documents/recent-menu.h"

#include "engine/core/i18n.h"
#include "engine/session/document/document.h"
#include "engine/session/teaching/lesson-state.h"
#include "engine/study/run/graph-source.h"
#include "ui/widgets/recent-files.h"

#define MAX_RECENT 9

struct _GobanRecentMenu
{
  GObject parent;

  GobanSite site;
  GobanStartPage *start;
  GMenu *menu;
};

G_DEFINE_FINAL_TYPE (GobanRecentMenu, goban_recent_menu, G_TYPE_OBJECT)

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
watch_keys (GobanRecentMenu *self)
{
  GtkEventController *keys = gtk_event_controller_key_new ();

  gtk_event_controller_set_propagation_phase (keys, GTK_PHASE_CAPTURE);
  g_signal_connect_object (keys, "key-pressed", G_CALLBACK (recent_key_cb), self, 0);
  gtk_widget_add_controller (GTK_WIDGET (self->site.window), keys);
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
goban_recent_menu_dispose (GObject *object)
{
  GobanRecentMenu *self = GOBAN_RECENT_MENU (object);

  g_clear_object (&self->menu);
  G_OBJECT_CLASS (goban_recent_menu_parent_class)->dispose (object);
}

static void
goban_recent_menu_class_init (GobanRecentMenuClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = goban_recent_menu_dispose;
}

static void
goban_recent_menu_init (GobanRecentMenu *self)
{
}

GobanRecentMenu *
goban_recent_menu_new (const GobanSite *site, GobanStartPage *start, GMenuModel *main_menu)
{
  GobanRecentMenu *self = g_object_new (GOBAN_TYPE_RECENT_MENU, NULL);

  self->site = *site;
  self->start = start;
  add_menu (self, main_menu);
  g_signal_connect_object (goban_document_get (site->session), "notify::path",
                           G_CALLBACK (remember), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (site->session, "notify::graph", G_CALLBACK (remember), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (gtk_recent_manager_get_default (), "changed",
                           G_CALLBACK (goban_recent_menu_update), self, G_CONNECT_SWAPPED);
  goban_recent_menu_update (self);
  watch_keys (self);
  return self;
}
