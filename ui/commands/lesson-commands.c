#include "ui/commands/lesson-commands.h"
#include "ui/lessons/glossary-window.h"

#include "engine/core/i18n.h"
#include "engine/core/lua-text.h"
#include "engine/session/session-derived.h"
#include "engine/session/session-log.h"
#include "engine/session/teaching/lesson-state.h"
#include "engine/session/teaching/lesson.h"

struct _GobanLessonCommands
{
  GObject parent;

  GobanSite site;
  GobanLessonPane *pane;
  GobanReplacing *replacing;
  GobanLessonState *state;
  GtkWidget *glossary; /* the open window, else NULL */
};

G_DEFINE_FINAL_TYPE (GobanLessonCommands, goban_lesson_commands, G_TYPE_OBJECT)

static GobanLesson *
get_lesson (GobanLessonCommands *self)
{
  return goban_lesson_state_get_lesson (self->state);
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
has_own_graph (GobanLessonCommands *self)
{
  GobanGraph *graph = goban_session_get_original (self->site.session);

  return graph != NULL
         && goban_graph_get_hash (graph) == goban_lesson_state_get_graph (self->state);
}

/* A lesson opens graphs of its own: unsaved changes of others are asked about first. */
static void
open_lesson (GobanLessonCommands *self, GVariant *parameter)
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
  opening->pane = g_object_ref (self->pane);
  opening->code = g_strdup_printf ("lesson.open(%s)", quoted);
  if (has_own_graph (self))
    {
      open_now (opening);
      opening_free (opening);
      return;
    }
  goban_replacing_start (self->replacing, &(GobanReplacement){ .name = lesson->title,
                                                               .open = open_now,
                                                               .data = opening,
                                                               .free_data = opening_free });
}

/* --- in a lesson ------------------------------------------------------------------------------ */

static void
run (GobanLessonCommands *self, const char *code)
{
  if (get_lesson (self) != NULL)
    goban_lesson_pane_run (self->pane, code);
  else
    goban_site_hint (&self->site, "%s", _ ("No lesson is open"));
}

static void
go_next (GobanLessonCommands *self, GVariant *parameter)
{
  run (self, "lesson.next()");
}

static void
go_back (GobanLessonCommands *self, GVariant *parameter)
{
  run (self, "lesson.previous()");
}

static void
check (GobanLessonCommands *self, GVariant *parameter)
{
  run (self, "lesson.check()");
}

static void
reset (GobanLessonCommands *self, GVariant *parameter)
{
  run (self, "lesson.reset()");
}

static void
solve (GobanLessonCommands *self, GVariant *parameter)
{
  gboolean is_contest
      = get_lesson (self) != NULL && goban_lesson_state_get_content (self->state)->rivals != NULL;

  run (self, is_contest ? "lesson.reveal()" : "lesson.solve()");
}

static void
show_hint (GobanLessonCommands *self, GVariant *parameter)
{
  if (get_lesson (self) != NULL)
    goban_lesson_state_show_hint (self->state);
}

static void
answer (GobanLessonCommands *self, GVariant *parameter)
{
  if (get_lesson (self) != NULL)
    goban_lesson_state_answer (self->state, (guint) g_variant_get_int32 (parameter));
}

static void
close_lesson (GobanLessonCommands *self, GVariant *parameter)
{
  goban_lesson_state_open (self->state, NULL, 0);
}

/* --- the glossary ----------------------------------------------------------------------------- */

static void
show_term (GobanLessonCommands *self, const char *words)
{
  if (self->glossary == NULL)
    {
      self->glossary = goban_glossary_window_new (GTK_WINDOW (self->site.window));
      g_object_add_weak_pointer (G_OBJECT (self->glossary), (gpointer *) &self->glossary);
    }
  goban_glossary_window_search (GOBAN_GLOSSARY_WINDOW (self->glossary), words);
  gtk_window_present (GTK_WINDOW (self->glossary));
}

static void
show_glossary (GobanLessonCommands *self, GVariant *parameter)
{
  show_term (self, "");
}

/* --- the pane --------------------------------------------------------------------------------- */

static void
pane_changed (GobanLessonCommands *self, GVariant *state)
{
  gboolean is_shown = g_variant_get_boolean (state);

  gtk_widget_set_visible (GTK_WIDGET (self->pane), is_shown);
  if (is_shown)
    goban_lesson_pane_grab_focus (self->pane);
}

/* The answers of a question are one group, which shows the answer of the present step. */
static void
state_changed_cb (GobanLessonCommands *self)
{
  int chosen = get_lesson (self) != NULL ? (int) goban_lesson_state_get_done (self->state)->answer
                                         : (int) GOBAN_LESSON_NO_ANSWER;

  goban_site_set_state (&self->site, "lesson-answer", g_variant_new_int32 (chosen));
  if (get_lesson (self) != NULL && !goban_site_get_toggle (&self->site, "lesson-pane"))
    goban_site_set_toggle (&self->site, "lesson-pane", TRUE);
}

static const GobanCommand commands[] = {
  { "glossary", G_CALLBACK (show_glossary) },   { "lesson", G_CALLBACK (open_lesson) },
  { "lesson-pane", G_CALLBACK (pane_changed) }, { "lesson-next", G_CALLBACK (go_next) },
  { "lesson-previous", G_CALLBACK (go_back) },  { "lesson-check", G_CALLBACK (check) },
  { "lesson-hint", G_CALLBACK (show_hint) },    { "lesson-solve", G_CALLBACK (solve) },
  { "lesson-reset", G_CALLBACK (reset) },       { "lesson-close", G_CALLBACK (close_lesson) },
  { "lesson-answer", G_CALLBACK (answer) },
};

/* --- construction and disposal ---------------------------------------------------------------- */

static void
goban_lesson_commands_dispose (GObject *object)
{
  goban_site_drop_dialog (&GOBAN_LESSON_COMMANDS (object)->glossary);

  G_OBJECT_CLASS (goban_lesson_commands_parent_class)->dispose (object);
}

static void
goban_lesson_commands_class_init (GobanLessonCommandsClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = goban_lesson_commands_dispose;
}

static void
goban_lesson_commands_init (GobanLessonCommands *self)
{
}

GobanLessonCommands *
goban_lesson_commands_new (const GobanSite *site, GobanLessonPane *pane, GobanReplacing *replacing)
{
  GobanLessonCommands *self = g_object_new (GOBAN_TYPE_LESSON_COMMANDS, NULL);

  self->site = *site;
  self->pane = pane;
  self->replacing = replacing;
  self->state = goban_lesson_state_of (G_OBJECT (site->session));
  goban_site_connect (site, commands, G_N_ELEMENTS (commands), self);
  g_signal_connect_object (pane, "term", G_CALLBACK (show_term), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->state, "changed", G_CALLBACK (state_changed_cb), self,
                           G_CONNECT_SWAPPED);
  return self;
}
