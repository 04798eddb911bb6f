#include "ui/commands/commands-private.h"

#include "engine/core/i18n.h"
#include "engine/core/lua-text.h"
#include "engine/session/session-derived.h"
#include "engine/session/session-log.h"
#include "engine/session/teaching/lesson-state.h"
#include "engine/session/teaching/lesson.h"
#include "ui/lessons/glossary-window.h"
#include "ui/widgets/signals.h"

static GobanLesson *
get_lesson (GobanCommands *self)
{
  return goban_lesson_state_get_lesson (self->lesson);
}

/* --- opening --------------------------------------------------------------------------------- */

typedef struct
{
  GobanLessonPane *pane;
  char *code;
} Opening;

static void
opening_free (gpointer data)
{
  Opening *opening = data;

  g_object_unref (opening->pane);
  g_free (opening->code);
  g_free (opening);
}

static void
open_now (gpointer data)
{
  const Opening *opening = data;

  goban_lesson_pane_run (opening->pane, opening->code);
}

/* The open graph was opened by a lesson, or drawn in one. */
static gboolean
has_own_graph (GobanCommands *self)
{
  GobanGraph *graph = goban_session_get_original (self->site.session);

  return graph != NULL
         && goban_graph_get_hash (graph) == goban_lesson_state_get_graph (self->lesson);
}

/* A lesson opens graphs of its own: unsaved changes of others are asked about first. */
static void
open_lesson (GobanCommands *self, GVariant *parameter)
{
  const char *name = g_variant_get_string (parameter, NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanLesson) lesson = goban_lesson_list_find (name, &error);
  g_autofree char *quoted = goban_lua_text_quote (name);
  Opening *opening;

  if (lesson == NULL)
    {
      goban_session_say (self->site.session, TRUE, "%s", error->message);
      return;
    }
  opening = g_new0 (Opening, 1);
  opening->pane = g_object_ref (self->parts.lesson_pane);
  opening->code = g_strdup_printf ("lesson.open(%s)", quoted);
  if (has_own_graph (self))
    {
      open_now (opening);
      opening_free (opening);
      return;
    }
  goban_files_replace (self->parts.files, &(GobanReplacement){ .name = lesson->title,
                                                               .open = open_now,
                                                               .data = opening,
                                                               .free_data = opening_free });
}

/* --- in a lesson ------------------------------------------------------------------------------ */

static void
run (GobanCommands *self, const char *code)
{
  if (get_lesson (self) != NULL)
    goban_lesson_pane_run (self->parts.lesson_pane, code);
  else
    goban_site_hint (&self->site, "%s", _ ("No lesson is open"));
}

static void
go_next (GobanCommands *self, GVariant *parameter)
{
  run (self, "lesson.next()");
}

static void
go_back (GobanCommands *self, GVariant *parameter)
{
  run (self, "lesson.previous()");
}

static void
check (GobanCommands *self, GVariant *parameter)
{
  run (self, "lesson.check()");
}

static void
reset (GobanCommands *self, GVariant *parameter)
{
  run (self, "lesson.reset()");
}

static void
solve (GobanCommands *self, GVariant *parameter)
{
  gboolean is_contest
      = get_lesson (self) != NULL && goban_lesson_state_get_content (self->lesson)->rivals != NULL;

  run (self, is_contest ? "lesson.reveal()" : "lesson.solve()");
}

static void
show_hint (GobanCommands *self, GVariant *parameter)
{
  if (get_lesson (self) != NULL)
    goban_lesson_state_show_hint (self->lesson);
}

static void
answer (GobanCommands *self, GVariant *parameter)
{
  if (get_lesson (self) != NULL)
    goban_lesson_state_answer (self->lesson, (guint) g_variant_get_int32 (parameter));
}

static void
close_lesson (GobanCommands *self, GVariant *parameter)
{
  goban_lesson_state_open (self->lesson, NULL, 0);
}

/* --- the glossary ----------------------------------------------------------------------------- */

static void
show_term (GobanCommands *self, const char *words)
{
  if (self->dialogs.glossary == NULL)
    {
      self->dialogs.glossary = goban_glossary_window_new (GTK_WINDOW (self->site.window));
      g_object_add_weak_pointer (G_OBJECT (self->dialogs.glossary),
                                 (gpointer *) &self->dialogs.glossary);
    }
  goban_search_window_search (GOBAN_SEARCH_WINDOW (self->dialogs.glossary), words);
  gtk_window_present (GTK_WINDOW (self->dialogs.glossary));
}

static void
show_glossary (GobanCommands *self, GVariant *parameter)
{
  show_term (self, "");
}

/* --- the pane --------------------------------------------------------------------------------- */

static void
lesson_pane_changed (GobanCommands *self, GVariant *state)
{
  gboolean is_shown = g_variant_get_boolean (state);

  gtk_widget_set_visible (GTK_WIDGET (self->parts.lesson_pane), is_shown);
  if (is_shown)
    goban_lesson_pane_grab_focus (self->parts.lesson_pane);
}

/* The answers of a question are one group, which shows the answer of the present step. */
static void
lesson_changed_cb (GobanCommands *self)
{
  int chosen = get_lesson (self) != NULL ? (int) goban_lesson_state_get_done (self->lesson)->answer
                                         : (int) GOBAN_LESSON_NO_ANSWER;

  goban_site_set_state (&self->site, "lesson-answer", g_variant_new_int32 (chosen));
  if (get_lesson (self) != NULL && !goban_site_get_toggle (&self->site, "lesson-pane"))
    goban_site_set_toggle (&self->site, "lesson-pane", TRUE);
}

/* --- scenes ----------------------------------------------------------------------------------- */

static guint
get_scene (GobanCommands *self)
{
  return goban_session_scenes_get_current (self->scenes);
}

/* Shows @error and frees it. (nullable) */
static void
show_error (GobanCommands *self, GError *error)
{
  if (error != NULL)
    goban_session_say (self->site.session, TRUE, "%s", error->message);
  g_clear_error (&error);
}

/* The number of scene @by places on; 0 with a hint if there is none. */
static guint
find_beside (GobanCommands *self, int by)
{
  guint n = goban_scene_list_get_n (goban_session_scenes_get_list (self->scenes));
  gint64 number = (gint64) get_scene (self) + by;

  if (number >= 1 && number <= n)
    return (guint) number;
  goban_site_hint (&self->site, "%s",
                   n == 0   ? _ ("There are no scenes yet")
                   : by > 0 ? _ ("This is the last scene")
                            : _ ("This is the first scene"));
  return 0;
}

static void
turn (GobanCommands *self, int by)
{
  guint number;

  goban_scene_bar_store (self->parts.scene_bar);
  number = find_beside (self, by);
  if (number > 0)
    goban_session_scenes_show (self->scenes, number, NULL);
}

static void
next_scene (GobanCommands *self, GVariant *parameter)
{
  turn (self, 1);
}

static void
previous_scene (GobanCommands *self, GVariant *parameter)
{
  turn (self, -1);
}

static void
show_scene (GobanCommands *self, GVariant *parameter)
{
  GError *error = NULL;

  goban_scene_bar_store (self->parts.scene_bar);
  goban_session_scenes_show (self->scenes, (guint) MAX (g_variant_get_int32 (parameter), 0),
                             &error);
  show_error (self, error);
}

/* The first caption is typed before its scene is made. */
static void
add_scene (GobanCommands *self, GVariant *parameter)
{
  g_autofree char *text = get_scene (self) == 0
                              ? g_strdup (goban_scene_bar_get_text (self->parts.scene_bar))
                              : g_strdup ("");
  GError *error = NULL;

  goban_scene_bar_store (self->parts.scene_bar);
  if (goban_session_scenes_add (self->scenes, 0, text, &error) > 0)
    goban_site_set_toggle (&self->site, "scenes-pane", TRUE);
  show_error (self, error);
}

static void
update_scene (GobanCommands *self, GVariant *parameter)
{
  GError *error = NULL;

  goban_scene_bar_store (self->parts.scene_bar);
  goban_session_scenes_update (self->scenes, get_scene (self), &error);
  show_error (self, error);
}

static void
move (GobanCommands *self, int by)
{
  guint number = get_scene (self);
  guint to = find_beside (self, by);

  goban_scene_bar_store (self->parts.scene_bar);
  if (number > 0 && to > 0)
    goban_session_scenes_move (self->scenes, number, to, NULL);
}

static void
move_earlier (GobanCommands *self, GVariant *parameter)
{
  move (self, -1);
}

static void
move_later (GobanCommands *self, GVariant *parameter)
{
  move (self, 1);
}

static void
remove_scene (GobanCommands *self, GVariant *parameter)
{
  GError *error = NULL;

  goban_session_scenes_remove (self->scenes, get_scene (self), &error);
  show_error (self, error);
}

static void
scenes_pane_changed (GobanCommands *self, GVariant *state)
{
  gboolean is_shown = g_variant_get_boolean (state);

  if (!is_shown)
    goban_scene_bar_store (self->parts.scene_bar);
  gtk_widget_set_visible (GTK_WIDGET (self->parts.scene_bar), is_shown);
  if (is_shown)
    goban_scene_bar_grab_focus (self->parts.scene_bar);
}

static const GobanCommand commands[] = {
  { "glossary", G_CALLBACK (show_glossary) },
  { "lesson", G_CALLBACK (open_lesson) },
  { "lesson-pane", G_CALLBACK (lesson_pane_changed) },
  { "lesson-next", G_CALLBACK (go_next) },
  { "lesson-previous", G_CALLBACK (go_back) },
  { "lesson-check", G_CALLBACK (check) },
  { "lesson-hint", G_CALLBACK (show_hint) },
  { "lesson-solve", G_CALLBACK (solve) },
  { "lesson-reset", G_CALLBACK (reset) },
  { "lesson-close", G_CALLBACK (close_lesson) },
  { "lesson-answer", G_CALLBACK (answer) },
  { "scene", G_CALLBACK (show_scene) },
  { "scene-next", G_CALLBACK (next_scene) },
  { "scene-previous", G_CALLBACK (previous_scene) },
  { "scene-add", G_CALLBACK (add_scene) },
  { "scene-update", G_CALLBACK (update_scene) },
  { "scene-earlier", G_CALLBACK (move_earlier) },
  { "scene-later", G_CALLBACK (move_later) },
  { "scene-remove", G_CALLBACK (remove_scene) },
  { "scenes-pane", G_CALLBACK (scenes_pane_changed) },
};

void
goban_commands_connect_lessons (GobanCommands *self)
{
  goban_site_connect (&self->site, commands, G_N_ELEMENTS (commands), self);
  GOBAN_CONNECT (self->parts.lesson_pane, "term", show_term, self);
  GOBAN_CONNECT (self->lesson, "changed", lesson_changed_cb, self);
}
