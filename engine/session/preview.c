#include "engine/session/preview.h"

#include "engine/core/attached-object.h"
#include "engine/session/session-edit.h"
#include "engine/study/analysis/effect.h"
#include "engine/study/analysis/moments/force.h"
#include "engine/study/analysis/moments/moment-shown.h"
#include "engine/study/run/run-origin.h"

/* A change to try: an edit, or another option of a decision. */
typedef struct
{
  GobanEdit *edit; /* (nullable) */
  GobanRun *run;   /* (nullable): whose decision is forced */
  GobanForce force;
} Question;

struct _GobanPreview
{
  GObject parent_instance;

  Question *waiting; /* (nullable): to be simulated next */
  Question *asked;   /* (nullable): that the job simulates */
  GobanJob *job;     /* (nullable) */

  GobanEdit *edit; /* (nullable): the answer */
  GobanRun *run;   /* (nullable) */
  char *trouble;   /* (nullable) */

  gboolean is_committed; /* shown until the session has it */
};

static guint changed_signal;

G_DEFINE_FINAL_TYPE (GobanPreview, goban_preview, G_TYPE_OBJECT)

static void
question_free (gpointer data)
{
  Question *question = data;

  g_clear_pointer (&question->edit, goban_edit_free);
  g_clear_pointer (&question->run, goban_run_unref);
  g_free (question);
}

static Question *
question_copy (const Question *question)
{
  Question *copy = g_new0 (Question, 1);

  copy->edit = question->edit != NULL ? goban_edit_copy (question->edit) : NULL;
  goban_run_set (&copy->run, question->run);
  copy->force = question->force;
  return copy;
}

/* A policy may take long: it is stopped. An edit ends by itself. */
static void
end_job (GobanPreview *self)
{
  if (self->job != NULL)
    g_signal_handlers_disconnect_by_data (self->job, self);
  if (self->job != NULL && self->asked->run != NULL)
    goban_job_cancel (self->job);
  g_clear_object (&self->job);
  g_clear_pointer (&self->asked, question_free);
}

static void
clear_answer (GobanPreview *self)
{
  g_clear_pointer (&self->edit, goban_edit_free);
  g_clear_pointer (&self->run, goban_run_unref);
  g_clear_pointer (&self->trouble, g_free);
}

static void
goban_preview_dispose (GObject *object)
{
  GobanPreview *self = GOBAN_PREVIEW (object);

  end_job (self);
  clear_answer (self);
  g_clear_pointer (&self->waiting, question_free);
  G_OBJECT_CLASS (goban_preview_parent_class)->dispose (object);
}

static void
goban_preview_class_init (GobanPreviewClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = goban_preview_dispose;
  changed_signal = g_signal_new ("changed", GOBAN_TYPE_PREVIEW, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                 NULL, G_TYPE_NONE, 0);
}

static void
goban_preview_init (GobanPreview *self)
{
}

GobanPreview *
goban_preview_new (void)
{
  return g_object_new (GOBAN_TYPE_PREVIEW, NULL);
}

/* The same moment of a forced decision, in which its nodes have the other option. */
static GobanRun *
force (const Question *question, const GobanProgress *progress, GError **error)
{
  const GobanRunOptions options = { .progress = progress };
  g_autoptr (GobanRun) run = goban_force_new_run (question->run, &question->force, &options, error);

  if (run == NULL)
    return NULL;
  return goban_run_get_decisions (run) != NULL
             ? goban_moment_new_shown_run (run, question->force.moment, error)
             : g_steal_pointer (&run);
}

static gpointer
preview_worker (const GobanProgress *progress, gpointer data, GError **error)
{
  const Question *question = data;

  return question->edit != NULL ? goban_edit_run (question->edit, error)
                                : force (question, progress, error);
}

/* The session now shows another run than the one that a change was tried on. */
static void
session_changed_cb (GobanPreview *self)
{
  if (self->is_committed)
    goban_preview_drop (self);
}

static GObject *
new_preview (GObject *session)
{
  GobanPreview *self = goban_preview_new ();

  g_signal_connect_object (session, "notify::current-run", G_CALLBACK (session_changed_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "message", G_CALLBACK (session_changed_cb), self,
                           G_CONNECT_SWAPPED);
  return G_OBJECT (self);
}

GobanPreview *
goban_preview_of (GobanSession *session)
{
  g_return_val_if_fail (GOBAN_IS_SESSION (session), NULL);

  return goban_attached_object (G_OBJECT (session), "goban-preview", new_preview);
}

static void start_next (GobanPreview *self);

static void
done_cb (GobanJob *job, GobanPreview *self)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanPreview) held = g_object_ref (self);

  clear_answer (self);
  self->run = goban_job_steal_result (job, &error);
  self->trouble = error != NULL ? g_strdup (error->message) : NULL;
  self->edit = g_steal_pointer (&self->asked->edit);
  end_job (self);
  start_next (self);
  g_signal_emit (self, changed_signal, 0);
}

static void
start_next (GobanPreview *self)
{
  if (self->job != NULL || self->waiting == NULL)
    return;

  self->asked = g_steal_pointer (&self->waiting);
  self->job = goban_job_start ("Simulating a change", preview_worker, question_copy (self->asked),
                               question_free, (GDestroyNotify) goban_run_unref);
  g_signal_connect (self->job, "done", G_CALLBACK (done_cb), self);
}

static void
ask (GobanPreview *self, const Question *question)
{
  g_clear_pointer (&self->waiting, question_free);
  self->waiting = question_copy (question);
  self->is_committed = FALSE;
  if (self->asked != NULL && self->asked->run != NULL)
    end_job (self);
  start_next (self);
}

void
goban_preview_ask (GobanPreview *self, const GobanEdit *edit)
{
  g_return_if_fail (GOBAN_IS_PREVIEW (self) && edit != NULL && edit->base != NULL);

  ask (self, &(Question){ .edit = (GobanEdit *) edit });
}

void
goban_preview_ask_force (GobanPreview *self, GobanRun *run, GobanMoment moment, guint32 option)
{
  g_return_if_fail (GOBAN_IS_PREVIEW (self) && run != NULL);

  ask (self, &(Question){ .run = run, .force = { moment, option, GOBAN_FORCE_PLAN } });
}

void
goban_preview_drop (GobanPreview *self)
{
  g_return_if_fail (GOBAN_IS_PREVIEW (self));

  g_clear_pointer (&self->waiting, question_free);
  self->is_committed = FALSE;
  end_job (self);
  if (self->edit == NULL && self->run == NULL && self->trouble == NULL)
    return;

  clear_answer (self);
  g_signal_emit (self, changed_signal, 0);
}

gboolean
goban_preview_is_busy (GobanPreview *self)
{
  g_return_val_if_fail (GOBAN_IS_PREVIEW (self), FALSE);

  return self->job != NULL;
}

const GobanEdit *
goban_preview_get_edit (GobanPreview *self)
{
  g_return_val_if_fail (GOBAN_IS_PREVIEW (self), NULL);

  return self->edit;
}

GobanRun *
goban_preview_get_run (GobanPreview *self)
{
  g_return_val_if_fail (GOBAN_IS_PREVIEW (self), NULL);

  return self->run;
}

const char *
goban_preview_get_trouble (GobanPreview *self)
{
  g_return_val_if_fail (GOBAN_IS_PREVIEW (self), NULL);

  return self->trouble;
}

static gboolean
is_answer_to (GobanPreview *self, const GobanEdit *edit)
{
  const GobanEdit *known = self->edit;

  return known != NULL && self->job == NULL && known->kind == edit->kind
         && known->base == edit->base && known->device == edit->device
         && known->nodes == edit->nodes && known->from == edit->from && known->to == edit->to
         && known->is_alike == edit->is_alike && known->value == edit->value
         && g_strcmp0 (known->what, edit->what) == 0;
}

char *
goban_preview_describe (GobanPreview *self, const GobanEdit *edit)
{
  GobanEffect effect;

  g_return_val_if_fail (GOBAN_IS_PREVIEW (self) && edit != NULL, NULL);

  if (!is_answer_to (self, edit))
    return g_strdup ("…");
  if (self->run == NULL)
    return g_strdup (self->trouble);
  if (self->run == edit->base)
    return g_strdup ("as it is");
  effect = goban_effect_new (edit->base, self->run);
  return goban_effect_describe (&effect);
}

void
goban_preview_commit (GobanPreview *self, GobanSession *session, const GobanEdit *edit)
{
  g_autoptr (GobanEdit) kept = NULL;

  g_return_if_fail (GOBAN_IS_PREVIEW (self) && GOBAN_IS_SESSION (session) && edit != NULL);

  kept = goban_edit_copy (edit);
  if (kept->nodes == NULL)
    {
      self->is_committed = self->edit != NULL;
      goban_session_edit_async (session, kept, NULL, NULL, NULL);
      return;
    }
  if (self->run != NULL && is_answer_to (self, kept))
    goban_run_set (&kept->run, self->run);
  goban_preview_drop (self);
  goban_session_edit_async (session, kept, NULL, NULL, NULL);
}
