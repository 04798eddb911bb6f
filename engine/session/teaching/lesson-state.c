#include "engine/session/teaching/lesson-state.h"

#include "engine/core/attached-object.h"

struct _GobanLessonState
{
  GObject parent;

  GobanLesson *lesson;   /* (nullable) */
  GobanStepState *steps; /* of the lesson */
  guint step;
  guint64 graph;
};

enum
{
  CHANGED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (GobanLessonState, goban_lesson_state, G_TYPE_OBJECT)

static void
clear_step (GobanStepState *step)
{
  g_free (step->message);
  *step = (GobanStepState){ .answer = GOBAN_LESSON_NO_ANSWER, .message = g_strdup ("") };
}

static void
drop_lesson (GobanLessonState *self)
{
  for (guint i = 0; self->lesson != NULL && i < self->lesson->steps->len; i++)
    g_free (self->steps[i].message);
  g_clear_pointer (&self->steps, g_free);
  g_clear_pointer (&self->lesson, goban_lesson_unref);
}

static void
goban_lesson_state_finalize (GObject *object)
{
  drop_lesson (GOBAN_LESSON_STATE (object));

  G_OBJECT_CLASS (goban_lesson_state_parent_class)->finalize (object);
}

static void
goban_lesson_state_class_init (GobanLessonStateClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = goban_lesson_state_finalize;
  signals[CHANGED] = g_signal_new ("changed", GOBAN_TYPE_LESSON_STATE, G_SIGNAL_RUN_LAST, 0, NULL,
                                   NULL, NULL, G_TYPE_NONE, 0);
}

static void
goban_lesson_state_init (GobanLessonState *self)
{
}

static GObject *
new_state (GObject *owner)
{
  return g_object_new (GOBAN_TYPE_LESSON_STATE, NULL);
}

GobanLessonState *
goban_lesson_state_of (GObject *owner)
{
  return goban_attached_object (owner, "goban-lesson-state", new_state);
}

static void
emit_changed (GobanLessonState *self)
{
  g_signal_emit (self, signals[CHANGED], 0);
}

static GobanStepState *
get_present (GobanLessonState *self)
{
  return self->lesson != NULL ? &self->steps[self->step] : NULL;
}

GobanLesson *
goban_lesson_state_get_lesson (GobanLessonState *self)
{
  return self->lesson;
}

void
goban_lesson_state_open (GobanLessonState *self, GobanLesson *lesson, guint step)
{
  g_return_if_fail (GOBAN_IS_LESSON_STATE (self));
  g_return_if_fail (lesson == NULL || step < lesson->steps->len);

  if (lesson != self->lesson)
    {
      drop_lesson (self);
      if (lesson != NULL)
        {
          self->lesson = goban_lesson_ref (lesson);
          self->steps = g_new0 (GobanStepState, lesson->steps->len);
          for (guint i = 0; i < lesson->steps->len; i++)
            clear_step (&self->steps[i]);
        }
    }
  self->step = step;
  emit_changed (self);
}

guint
goban_lesson_state_get_step (GobanLessonState *self)
{
  return self->step;
}

const GobanLessonStep *
goban_lesson_state_get_content (GobanLessonState *self)
{
  g_return_val_if_fail (self->lesson != NULL, NULL);

  return goban_lesson_get_step (self->lesson, self->step);
}

const GobanStepState *
goban_lesson_state_get_done (GobanLessonState *self)
{
  g_return_val_if_fail (self->lesson != NULL, NULL);

  return get_present (self);
}

gboolean
goban_lesson_state_is_done (GobanLessonState *self, guint step)
{
  const GobanLessonStep *content;

  g_return_val_if_fail (self->lesson != NULL && step < self->lesson->steps->len, FALSE);

  content = goban_lesson_get_step (self->lesson, step);
  if ((content->check != NULL || content->rivals != NULL)
      && self->steps[step].verdict != GOBAN_VERDICT_DONE)
    return FALSE;
  return content->answers[0] == NULL || self->steps[step].answer == content->right;
}

guint64
goban_lesson_state_get_graph (GobanLessonState *self)
{
  return self->graph;
}

void
goban_lesson_state_set_graph (GobanLessonState *self, guint64 hash)
{
  self->graph = hash;
}

void
goban_lesson_state_answer (GobanLessonState *self, guint answer)
{
  g_return_if_fail (self->lesson != NULL);

  if (answer < g_strv_length (goban_lesson_state_get_content (self)->answers))
    get_present (self)->answer = answer;
  emit_changed (self);
}

void
goban_lesson_state_show_hint (GobanLessonState *self)
{
  g_return_if_fail (self->lesson != NULL);

  if (get_present (self)->n_hints < g_strv_length (goban_lesson_state_get_content (self)->hints))
    get_present (self)->n_hints++;
  emit_changed (self);
}

void
goban_lesson_state_judge (GobanLessonState *self, GobanVerdict verdict, const char *message)
{
  g_return_if_fail (self->lesson != NULL);

  get_present (self)->verdict = verdict;
  g_free (get_present (self)->message);
  get_present (self)->message = g_strdup (message != NULL ? message : "");
  emit_changed (self);
}

void
goban_lesson_state_reveal (GobanLessonState *self)
{
  g_return_if_fail (self->lesson != NULL);

  get_present (self)->is_shown = TRUE;
  emit_changed (self);
}

void
goban_lesson_state_clear (GobanLessonState *self)
{
  g_return_if_fail (self->lesson != NULL);

  clear_step (get_present (self));
  emit_changed (self);
}
