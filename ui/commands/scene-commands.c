#include "ui/commands/scene-commands.h"

#include "engine/core/i18n.h"
#include "engine/session/session-log.h"

struct _GobanSceneCommands
{
  GObject parent;

  GobanSite site;
  GobanSceneBar *bar;
  GobanSessionScenes *scenes; /* the session's */
};

G_DEFINE_FINAL_TYPE (GobanSceneCommands, goban_scene_commands, G_TYPE_OBJECT)

static guint
get_current (GobanSceneCommands *self)
{
  return goban_session_scenes_get_current (self->scenes);
}

/* Shows @error and frees it. (nullable) */
static void
show_error (GobanSceneCommands *self, GError *error)
{
  if (error != NULL)
    goban_session_say (self->site.session, TRUE, "%s", error->message);
  g_clear_error (&error);
}

/* The number of scene @by places on; 0 with a hint if there is none. */
static guint
find_beside (GobanSceneCommands *self, int by)
{
  guint n = goban_scene_list_get_n (goban_session_scenes_get_list (self->scenes));
  gint64 number = (gint64) get_current (self) + by;

  if (number >= 1 && number <= n)
    return (guint) number;
  goban_site_hint (&self->site, "%s",
                   n == 0   ? _ ("There are no scenes yet")
                   : by > 0 ? _ ("This is the last scene")
                            : _ ("This is the first scene"));
  return 0;
}

static void
turn (GobanSceneCommands *self, int by)
{
  guint number;

  goban_scene_bar_store (self->bar);
  number = find_beside (self, by);
  if (number > 0)
    goban_session_scenes_show (self->scenes, number, NULL);
}

static void
go_next (GobanSceneCommands *self, GVariant *parameter)
{
  turn (self, 1);
}

static void
go_back (GobanSceneCommands *self, GVariant *parameter)
{
  turn (self, -1);
}

static void
show (GobanSceneCommands *self, GVariant *parameter)
{
  GError *error = NULL;

  goban_scene_bar_store (self->bar);
  goban_session_scenes_show (self->scenes, (guint) MAX (g_variant_get_int32 (parameter), 0),
                             &error);
  show_error (self, error);
}

/* The first caption is typed before its scene is made. */
static void
add (GobanSceneCommands *self, GVariant *parameter)
{
  g_autofree char *text
      = get_current (self) == 0 ? g_strdup (goban_scene_bar_get_text (self->bar)) : g_strdup ("");
  GError *error = NULL;

  goban_scene_bar_store (self->bar);
  if (goban_session_scenes_add (self->scenes, 0, text, &error) > 0)
    goban_site_set_toggle (&self->site, "scenes-pane", TRUE);
  show_error (self, error);
}

static void
update (GobanSceneCommands *self, GVariant *parameter)
{
  GError *error = NULL;

  goban_scene_bar_store (self->bar);
  goban_session_scenes_update (self->scenes, get_current (self), &error);
  show_error (self, error);
}

static void
move (GobanSceneCommands *self, int by)
{
  guint number = get_current (self);
  guint to = find_beside (self, by);

  goban_scene_bar_store (self->bar);
  if (number > 0 && to > 0)
    goban_session_scenes_move (self->scenes, number, to, NULL);
}

static void
move_earlier (GobanSceneCommands *self, GVariant *parameter)
{
  move (self, -1);
}

static void
move_later (GobanSceneCommands *self, GVariant *parameter)
{
  move (self, 1);
}

static void
remove_scene (GobanSceneCommands *self, GVariant *parameter)
{
  GError *error = NULL;

  goban_session_scenes_remove (self->scenes, get_current (self), &error);
  show_error (self, error);
}

static void
pane_changed (GobanSceneCommands *self, GVariant *state)
{
  gboolean is_shown = g_variant_get_boolean (state);

  if (!is_shown)
    goban_scene_bar_store (self->bar);
  gtk_widget_set_visible (GTK_WIDGET (self->bar), is_shown);
  if (is_shown)
    goban_scene_bar_grab_focus (self->bar);
}

static const GobanCommand commands[] = {
  { "scene", G_CALLBACK (show) },
  { "scene-next", G_CALLBACK (go_next) },
  { "scene-previous", G_CALLBACK (go_back) },
  { "scene-add", G_CALLBACK (add) },
  { "scene-update", G_CALLBACK (update) },
  { "scene-earlier", G_CALLBACK (move_earlier) },
  { "scene-later", G_CALLBACK (move_later) },
  { "scene-remove", G_CALLBACK (remove_scene) },
  { "scenes-pane", G_CALLBACK (pane_changed) },
};

/* --- construction and disposal ---------------------------------------------------------------- */

static void
goban_scene_commands_class_init (GobanSceneCommandsClass *klass)
{
}

static void
goban_scene_commands_init (GobanSceneCommands *self)
{
}

GobanSceneCommands *
goban_scene_commands_new (const GobanSite *site, GobanSceneBar *bar)
{
  GobanSceneCommands *self = g_object_new (GOBAN_TYPE_SCENE_COMMANDS, NULL);

  self->site = *site;
  self->bar = bar;
  self->scenes = goban_session_scenes_of (site->session);
  goban_site_connect (site, commands, G_N_ELEMENTS (commands), self);
  return self;
}
