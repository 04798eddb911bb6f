/* lua-lesson.c: the parts of module lesson that read files and change the session's lesson; the
 * rest is scripts/prelude/lesson.lua. */
#include "app/lua/view/lua-view.h"

#include "app/lua/core/lua-handle.h"
#include "app/lua/core/lua-put.h"
#include "app/lua/core/lua-state.h"
#include "app/lua/core/lua-value.h"

#include "engine/core/i18n.h"
#include "engine/session/document/document.h"
#include "engine/session/session-derived.h"
#include "engine/session/teaching/glossary.h"
#include "engine/session/teaching/lesson-state.h"
#include "engine/session/teaching/lesson.h"

static GobanLessonState *
get_state (lua_State *L)
{
  return goban_lesson_state_of (G_OBJECT (goban_lua_get_session (L)));
}

/* Raises without a lesson. */
static GobanLessonState *
check_state (lua_State *L)
{
  GobanLessonState *state = get_state (L);

  if (goban_lesson_state_get_lesson (state) == NULL)
    luaL_error (L, "no lesson is open: lesson.open(1)");
  return state;
}

/* lesson.list (): { { name =, title =, minutes =, steps = }, ... }. */
static int
lesson_list (lua_State *L)
{
  GPtrArray *lessons = goban_lesson_list_load (NULL);

  lua_createtable (L, (int) lessons->len, 0);
  for (guint i = 0; i < lessons->len; i++)
    {
      const GobanLesson *lesson = lessons->pdata[i];

      lua_createtable (L, 0, 5);
      goban_lua_put_text (L, "name", lesson->name);
      goban_lua_put_text (L, "title", lesson->title);
      goban_lua_put_integer (L, "minutes", lesson->minutes);
      goban_lua_put_integer (L, "steps", lesson->steps->len);
      goban_lua_put_boolean (L, "challenge", lesson->is_contest);
      lua_rawseti (L, -2, i + 1);
    }
  g_ptr_array_unref (lessons);
  return 1;
}

static void
push_step (lua_State *L, const GobanLessonStep *step)
{
  lua_createtable (L, 0, 10);
  goban_lua_put_text (L, "title", step->title);
  goban_lua_put_text (L, "text", step->text);
  goban_lua_put_text (L, "setup", step->setup);
  goban_lua_put_text (L, "show", step->show);
  goban_lua_put_text (L, "check", step->check);
  goban_lua_put_text (L, "solution", step->solution);
  goban_lua_put_text (L, "rivals", step->rivals);
  if (step->answers[0] != NULL)
    {
      goban_lua_push_texts (L, (const char *const *) step->answers);
      lua_setfield (L, -2, "answers");
      goban_lua_put_integer (L, "right", step->right + 1);
      goban_lua_put_text (L, "explanation", step->explanation);
    }
  goban_lua_push_texts (L, (const char *const *) step->hints);
  lua_setfield (L, -2, "hints");
}

/* The open lesson: { name =, title =, step =, steps = {...} }, or nil. */
static int
lesson_current (lua_State *L)
{
  GobanLessonState *state = get_state (L);
  const GobanLesson *lesson = goban_lesson_state_get_lesson (state);
  const GobanStepState *done;

  if (lesson == NULL)
    return 0;
  done = goban_lesson_state_get_done (state);
  lua_createtable (L, 0, 6);
  goban_lua_put_text (L, "name", lesson->name);
  goban_lua_put_text (L, "title", lesson->title);
  goban_lua_put_integer (L, "step", goban_lesson_state_get_step (state) + 1);
  goban_lua_put_boolean (L, "done",
                         goban_lesson_state_is_done (state, goban_lesson_state_get_step (state)));
  goban_lua_put_boolean (L, "revealed", done->is_shown);
  goban_lua_put_text (L, "message", done->message);
  lua_createtable (L, (int) lesson->steps->len, 0);
  for (guint i = 0; i < lesson->steps->len; i++)
    {
      push_step (L, goban_lesson_get_step (lesson, i));
      lua_rawseti (L, -2, i + 1);
    }
  lua_setfield (L, -2, "steps");
  return 1;
}

/* Private: (name or number, step). Opens without running its code. */
static int
lesson_enter (lua_State *L)
{
  const char *name = luaL_checkstring (L, 1);
  lua_Integer step = luaL_optinteger (L, 2, 1);
  GobanLessonState *state = get_state (L);
  GobanLesson *open = goban_lesson_state_get_lesson (state);
  GError *error = NULL;
  GobanLesson *lesson = open != NULL && g_str_equal (open->name, name)
                            ? goban_lesson_ref (open)
                            : goban_lesson_list_find (name, &error);

  if (lesson == NULL)
    return goban_lua_fail (L, error);
  if (step < 1 || step > (lua_Integer) lesson->steps->len)
    {
      guint n = lesson->steps->len;

      goban_lesson_unref (lesson);
      return luaL_error (L, "the lesson has the steps 1 to %d, and no step %I", (int) n,
                         (LUAI_UACINT) step);
    }
  goban_lesson_state_open (state, lesson, (guint) step - 1);
  goban_lesson_unref (lesson);
  lua_pushboolean (L, TRUE);
  return 1;
}

static int
lesson_close (lua_State *L)
{
  goban_lesson_state_open (get_state (L), NULL, 0);
  return 0;
}

/* lesson.answer (i): whether it is right, and the explanation. */
static int
lesson_answer (lua_State *L)
{
  lua_Integer answer = luaL_checkinteger (L, 1);
  GobanLessonState *state = check_state (L);
  const GobanLessonStep *step = goban_lesson_state_get_content (state);

  luaL_argcheck (L, answer >= 1 && answer <= (lua_Integer) g_strv_length (step->answers), 1,
                 "the question has no such answer");
  goban_lesson_state_answer (state, (guint) answer - 1);
  lua_pushboolean (L, (guint) answer - 1 == step->right);
  lua_pushstring (L, step->explanation);
  return 2;
}

/* lesson.hint (): the next one; nil after the last. */
static int
lesson_hint (lua_State *L)
{
  GobanLessonState *state = check_state (L);
  guint before = goban_lesson_state_get_done (state)->n_hints;

  goban_lesson_state_show_hint (state);
  if (goban_lesson_state_get_done (state)->n_hints == before)
    return 0;
  lua_pushstring (L, goban_lesson_state_get_content (state)->hints[before]);
  return 1;
}

/* lesson.file (name): the path of a file that lies beside the lesson. */
static int
lesson_file (lua_State *L)
{
  const char *name = luaL_checkstring (L, 1);
  GobanLessonState *state = check_state (L);

  goban_lua_take_string (
      L, g_build_filename (goban_lesson_state_get_lesson (state)->folder, name, NULL));
  return 1;
}

/* lesson.term (name): its definition, and a list of related terms; nil if there is none. */
static int
lesson_term (lua_State *L)
{
  const GobanGlossaryEntry *entry = goban_glossary_find (luaL_checkstring (L, 1));

  if (entry == NULL)
    return 0;
  lua_pushstring (L, entry->definition);
  goban_lua_push_texts (L, (const char *const *) entry->related);
  return 2;
}

/* Private: (is met, message). */
static int
lesson_judge (lua_State *L)
{
  GobanLessonState *state = check_state (L);
  const char *message = luaL_optstring (L, 2, "");
  GobanVerdict verdict = lua_isnil (L, 1)       ? GOBAN_VERDICT_NONE
                         : lua_toboolean (L, 1) ? GOBAN_VERDICT_DONE
                                                : GOBAN_VERDICT_NOT_YET;

  goban_lesson_state_judge (state, verdict, message);
  return 0;
}

/* Private: (nothing): the solution or the rivals are shown. */
static int
lesson_unveil (lua_State *L)
{
  goban_lesson_state_reveal (check_state (L));
  return 0;
}

/* Private: resets the tasks done in this step. */
static int
lesson_clear (lua_State *L)
{
  goban_lesson_state_clear (check_state (L));
  return 0;
}

/* Private: the graph that is open is the lesson's own, as it is to be. */
static int
lesson_own (lua_State *L)
{
  GobanSession *session = goban_lua_get_session (L);
  GobanGraph *graph = goban_session_get_graph (session);

  goban_lesson_state_set_graph (get_state (L), graph != NULL ? goban_graph_get_hash (graph) : 0);
  goban_document_set_settled (goban_document_get (session), TRUE);
  return 0;
}

/* Private: changes of the lesson's own graph need not be saved. */
static int
lesson_discard (lua_State *L)
{
  GobanSession *session = goban_lua_get_session (L);
  GobanGraph *graph = goban_session_get_original (session);

  if (graph != NULL && goban_graph_get_hash (graph) == goban_lesson_state_get_graph (get_state (L)))
    goban_document_set_settled (goban_document_get (session), TRUE);
  return 0;
}

/* Private: the texts of a challenge's board, by name. */
static int
lesson_texts (lua_State *L)
{
  lua_createtable (L, 0, 6);
  goban_lua_put_text (L, "mine", _ ("your plan"));
  goban_lua_put_text (L, "points", _ ("%s, %d points"));
  goban_lua_put_text (L, "edits", _ ("edits: %d, undone: %d"));
  goban_lua_put_text (L, "ahead", _ ("%s (ahead of you)"));
  goban_lua_put_text (L, "behind", _ ("You match or beat %d of %d rivals"));
  goban_lua_put_text (L, "full", _ ("Your plan does not fit into the memory of a device"));
  return 1;
}

static const GobanLuaEntry functions[] = {
  GOBAN_LUA_MODULE ("Lessons and challenges: files of text, questions and tasks; the window shows "
                    "the open one.",
                    "lesson.open(1)"),
  GOBAN_LUA_FUNCTION ("list", lesson_list, "()",
                      "All lessons: name, title, minutes, steps and challenge, a list.",
                      "pp(lesson.list())"),
  GOBAN_LUA_FUNCTION ("term", lesson_term, "(name)",
                      "What a term of the glossary means, and a list of related ones; nil if there "
                      "is no such term.",
                      "lesson.term \"upward rank\""),
  GOBAN_LUA_FUNCTION ("texts", lesson_texts, NULL),
  GOBAN_LUA_FUNCTION (GOBAN_LUA_ON_MAIN "current", lesson_current, "()",
                      "The open lesson: name, title, step, done, revealed, message and steps; nil "
                      "without one.",
                      "lesson.current().steps[1].text"),
  GOBAN_LUA_FUNCTION (GOBAN_LUA_ON_MAIN "enter", lesson_enter, NULL),
  GOBAN_LUA_FUNCTION (GOBAN_LUA_ON_MAIN "close", lesson_close, "()", "Closes the lesson."),
  GOBAN_LUA_FUNCTION (GOBAN_LUA_ON_MAIN "answer", lesson_answer, "(i)",
                      "Answers the step's question: whether that is right, and why.",
                      "lesson.answer(2)"),
  GOBAN_LUA_FUNCTION (GOBAN_LUA_ON_MAIN "hint", lesson_hint, "()",
                      "The next hint; nil after the last."),
  GOBAN_LUA_FUNCTION (GOBAN_LUA_ON_MAIN "discard", lesson_discard, NULL),
  GOBAN_LUA_FUNCTION (GOBAN_LUA_ON_MAIN "own", lesson_own, NULL),
  GOBAN_LUA_FUNCTION (GOBAN_LUA_ON_MAIN "file", lesson_file, "(name)",
                      "The path of a file that lies beside the open lesson.",
                      "app.open(lesson.file \"fan.dot\")"),
  GOBAN_LUA_FUNCTION (GOBAN_LUA_ON_MAIN "judge", lesson_judge, NULL),
  GOBAN_LUA_FUNCTION (GOBAN_LUA_ON_MAIN "unveil", lesson_unveil, NULL),
  GOBAN_LUA_FUNCTION (GOBAN_LUA_ON_MAIN "clear", lesson_clear, NULL),
  { NULL },
};

void
goban_lua_open_lesson (lua_State *L)
{
  goban_lua_module (L, "lesson", functions);
}
