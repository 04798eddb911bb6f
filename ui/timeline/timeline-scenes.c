/* timeline-scenes.c: the scenes of a timeline, made in a worker: of 80,000 ops they take more than
 * a frame.
 *
 * What is shown stays until the next is there, with the run that it is of: what the pointer hits
 * and what is said of it are of that run, too. A small run is made at once.
 */
#include "ui/timeline/timeline-view.h"

#include "ui/timeline/timeline-view-private.h"

#include "engine/study/analysis/coloring.h"
#include "engine/study/run/run-origin.h"
#include "ui/draw/timeline/timeline-scene.h"
#include "ui/widgets/text.h"

/* Up to so many nodes a scene takes less than a millisecond. */
#define FEW_NODES 2000

/* --- in the worker ---------------------------------------------------------------------------- */

typedef struct
{
  GobanRun *run;
  GobanRun *ghost;         /* (nullable) */
  gboolean wants_ghost;    /* a scene of that, too: there is none that is shown */
  GobanSliceWords *words;  /* (nullable): of the graph */
  GArray *lanes;           /* (nullable): the lanes it is to have; else its own and the ghost's */
  gboolean wants_scene;    /* else the values alone */
  gboolean is_partial;     /* only decided ops are shown */
  char *color;             /* colouring of ops ... */
  GobanNodeValues *script; /* (nullable): ... or these */
} Question;

struct _GobanTimelineAnswer
{
  GobanRun *run;
  GobanTimelineScene *scene; /* (nullable) */
  GobanRun *ghost_run;       /* (nullable): run to show behind it ... */
  GobanTimelineScene *ghost; /* (nullable): ... and that, if it was asked for */
  char *color;
  GobanNodeValues *values; /* (nullable) */
};

typedef GobanTimelineAnswer Answer;

static void
question_free (gpointer data)
{
  Question *question = data;

  goban_run_unref (question->run);
  g_clear_pointer (&question->ghost, goban_run_unref);
  g_clear_pointer (&question->words, goban_slice_words_unref);
  g_clear_pointer (&question->lanes, g_array_unref);
  g_clear_pointer (&question->script, goban_node_values_unref);
  g_free (question->color);
  g_free (question);
}

static void
answer_free (gpointer data)
{
  Answer *answer = data;

  goban_run_unref (answer->run);
  g_clear_pointer (&answer->scene, goban_timeline_scene_free);
  g_clear_pointer (&answer->ghost_run, goban_run_unref);
  g_clear_pointer (&answer->ghost, goban_timeline_scene_free);
  g_clear_pointer (&answer->values, goban_node_values_unref);
  g_free (answer->color);
  g_free (answer);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Answer, answer_free)

static GobanTrace *
trace_of (GobanRun *run)
{
  return run != NULL ? goban_run_get_trace (run) : NULL;
}

static gpointer
answer_worker (const GobanProgress *progress, gpointer data, GError **error)
{
  const Question *question = data;
  GobanNodeContext context = { goban_run_get_costs (question->run), question->run };
  g_autoptr (Answer) answer = g_new0 (Answer, 1);

  answer->run = goban_run_ref (question->run);
  answer->color = g_strdup (question->color);
  answer->values = question->script != NULL ? goban_node_values_ref (question->script)
                                            : goban_color_get_values (question->color, &context);
  if (!question->wants_scene)
    return g_steal_pointer (&answer);

  answer->scene = goban_timeline_scene_new_for_lanes (
      trace_of (question->run), trace_of (question->ghost), question->lanes, question->words);
  if (question->is_partial)
    goban_timeline_scene_keep_decided (answer->scene, question->run);
  goban_timeline_scene_set_values (answer->scene, answer->values);
  if (!goban_progress_check (progress, error))
    return NULL;
  answer->ghost_run = goban_run_ref (question->ghost);
  if (question->wants_ghost)
    answer->ghost = goban_timeline_scene_new_like (trace_of (question->ghost), answer->scene);
  return g_steal_pointer (&answer);
}

/* --- asking ----------------------------------------------------------------------------------- */

/* The run's origin, if it can be drawn in the same lanes; a plan under construction has none: only
 * what is decided is shown. */
static GobanRun *
get_ghost (GobanTimelineView *self, GobanRun *run)
{
  GobanRun *shown = goban_session_get_shown_run (self->session);
  GobanRun *ghost = run == self->scenes.pending_run && run != shown
                        ? goban_session_get_current_run (self->session)
                        : goban_session_get_shown_ghost (self->session);

  if ((run != shown && run != self->scenes.pending_run) || goban_run_is_unfinished (run))
    return NULL;
  if (ghost == NULL || ghost == run || goban_run_get_graph (ghost) != goban_run_get_graph (run)
      || goban_cluster_get_n_devices (goban_run_get_cluster (ghost))
             != goban_cluster_get_n_devices (goban_run_get_cluster (run)))
    return NULL;

  return ghost;
}

static Question *
new_question (GobanTimelineView *self, GobanRun *run)
{
  GobanView *view = goban_session_get_view (self->session);
  GobanNodeValues *script = goban_view_get_script_values (view);
  Question *question = g_new0 (Question, 1);

  question->run = goban_run_ref (run);
  if (self->scenes.scene != NULL && self->scenes.scene->words != NULL)
    question->words = goban_slice_words_ref (self->scenes.scene->words);
  question->color = g_strdup (goban_view_get_color (view));
  if (g_str_equal (question->color, "script") && script != NULL
      && script->n_nodes == goban_graph_get_n_nodes (goban_run_get_graph (run)))
    question->script = goban_node_values_ref (script);
  return question;
}

static void
ask (GobanCoalescingWorker *maker, Question *question)
{
  if (goban_graph_get_n_nodes (goban_run_get_graph (question->run)) <= FEW_NODES)
    goban_coalescing_worker_ask_now (maker, question);
  else
    goban_coalescing_worker_ask (maker, question);
}

/* (nullable): if the view has a scene of that run. */
static GobanTimelineScene **
find_scene (GobanTimelineView *self, GobanRun *run)
{
  if (self->scenes.scene != NULL && self->scenes.run == run)
    return &self->scenes.scene;
  return self->scenes.ghost != NULL && self->scenes.ghost_run == run ? &self->scenes.ghost : NULL;
}

static Question *
new_question_of_run (GobanTimelineView *self, GobanRun *run, gboolean wants_scene)
{
  Question *question = new_question (self, run);
  GobanRun *ghost = get_ghost (self, run);

  question->ghost = goban_run_ref (ghost);
  question->wants_scene = wants_scene;
  question->is_partial = goban_run_is_unfinished (run);
  question->wants_ghost = wants_scene && ghost != NULL && find_scene (self, ghost) == NULL;
  self->scenes.n_asked += question->wants_scene;
  return question;
}

static void
ask_run (GobanTimelineView *self, GobanRun *run)
{
  ask (self->scenes.maker, new_question_of_run (self, run, self->scenes.is_awaited));
}

static gboolean take_pending (GobanTimelineView *self);

/* Whether a worker should begin before a frame asks. @run: (nullable) */
static gboolean
is_worth_asking (GobanTimelineView *self, GobanRun *run)
{
  return run != NULL && self->scenes.scene != NULL && gtk_widget_get_mapped (GTK_WIDGET (self))
         && goban_graph_get_n_nodes (goban_run_get_graph (run)) > FEW_NODES;
}

/* Request the scene of a large run at once: a worker takes longer than until the next frame. For a
 * small run the frame requests it: a session may go through several runs before then, and only the
 * visible one is made. */
static void
want_scene (GobanTimelineView *self)
{
  GobanRun *run = goban_session_get_shown_run (self->session);

  self->scenes.is_stale = TRUE;
  if (take_pending (self))
    return;
  if (is_worth_asking (self, run))
    goban_timeline_view_get_scene (self);
  else
    goban_picture_invalidate (GOBAN_PICTURE (self));
}

GobanTimelineScene *
goban_timeline_view_get_scene (GobanTimelineView *self)
{
  GobanRun *run = goban_session_get_shown_run (self->session);

  if (self->scenes.is_stale && run != NULL)
    {
      self->scenes.is_stale = FALSE;
      self->scenes.is_awaited = TRUE;
      ask_run (self, run);
    }
  return self->scenes.scene;
}

/* --- taking ----------------------------------------------------------------------------------- */

static void
drop_scenes (GobanTimelineView *self)
{
  g_clear_pointer (&self->arrows, g_array_unref);
  goban_free_aside (g_steal_pointer (&self->scenes.ghost),
                    (GDestroyNotify) goban_timeline_scene_free);
  goban_free_aside (g_steal_pointer (&self->scenes.scene),
                    (GDestroyNotify) goban_timeline_scene_free);
  g_clear_pointer (&self->scenes.run, goban_run_unref);
  g_clear_pointer (&self->scenes.ghost_run, goban_run_unref);
}

/* Whatever speaks of lanes and slices that are there no more. */
static void
forget_places (GobanTimelineView *self)
{
  self->hit = (GobanTimelineHit){ .kind = GOBAN_HIT_NOTHING };
  goban_set_tooltip_lines (GTK_WIDGET (self), NULL);
  goban_timeline_view_forget_drag (self);
  goban_timeline_view_forget_why (self);
  goban_timeline_view_forget_area (self);
}

/* Scenes with the runs that they are of, both (nullable). */
typedef struct
{
  GobanRun *run;
  GobanTimelineScene *scene;
} Shown;

/* Shows other scenes, (transfer full). */
static void
show_scenes (GobanTimelineView *self, Shown shown, Shown ghost)
{
  forget_places (self);
  drop_scenes (self);
  self->scenes.run = goban_run_ref (shown.run);
  self->scenes.scene = shown.scene;
  if (ghost.scene == NULL)
    return;
  self->scenes.ghost_run = goban_run_ref (ghost.run);
  self->scenes.ghost = ghost.scene;
}

/* The scene shown so far is mostly the ghost of the next. (transfer full) (nullable) */
static GobanTimelineScene *
take_ghost (GobanTimelineView *self, const Answer *answer)
{
  GobanTimelineScene **known = find_scene (self, answer->ghost_run);
  GobanTimelineScene *ghost;

  if (known == NULL)
    return NULL;
  ghost = g_steal_pointer (known);
  goban_timeline_scene_relane (ghost, answer->scene);
  return ghost;
}

static gboolean
is_of_session (GobanTimelineView *self, GobanRun *run)
{
  return goban_session_get_shown_run (self->session) != NULL
         && goban_run_get_graph (run) == goban_session_get_graph (self->session);
}

static void
take_scenes (GobanTimelineView *self, Answer *answer)
{
  gboolean has_ghost = answer->ghost_run != NULL;
  Shown shown = { answer->run, answer->scene };
  Shown ghost = { answer->ghost_run, g_steal_pointer (&answer->ghost) };

  if (has_ghost && ghost.scene == NULL)
    ghost.scene = take_ghost (self, answer);
  answer->scene = NULL;
  if (answer->run == goban_session_get_shown_run (self->session))
    self->scenes.is_awaited = FALSE;
  show_scenes (self, shown, ghost);
  goban_timeline_view_arrange (self);
  goban_timeline_view_scene_changed (self);
  /* Another scene came in between, and the one that was counted on is gone. */
  if (has_ghost && ghost.scene == NULL)
    want_scene (self);
}

/* A run that is no longer current stays visible until the next scene is made. */
static void
take (gpointer data, gpointer user_data)
{
  GobanTimelineView *self = user_data;
  g_autoptr (Answer) answer = data;
  GobanView *view = goban_session_get_view (self->session);

  if (!is_of_session (self, answer->run))
    return;

  if (answer->scene != NULL)
    {
      take_scenes (self, answer);
    }
  else if (self->scenes.scene != NULL && g_str_equal (answer->color, goban_view_get_color (view)))
    {
      goban_timeline_scene_set_values (self->scenes.scene, answer->values);
    }
  goban_picture_invalidate (GOBAN_PICTURE (self));
}

static void
drop_preview (GobanTimelineView *self)
{
  goban_coalescing_worker_forget (self->preview.maker);
  g_clear_pointer (&self->preview.scene, goban_timeline_scene_free);
  g_clear_pointer (&self->preview.run, goban_run_unref);
}

/* A previewed change was committed: its scene is shown until the scene of the run replaces it. */
static void
keep_preview (GobanTimelineView *self)
{
  Shown shown = { self->preview.run, g_steal_pointer (&self->preview.scene) };
  g_autoptr (GobanRun) before = goban_run_ref (self->scenes.run);
  Shown ghost = { before, g_steal_pointer (&self->scenes.scene) };

  show_scenes (self, shown, ghost);
  goban_timeline_view_scene_changed (self);
}

void
goban_timeline_view_forget_scene (GobanTimelineView *self)
{
  forget_places (self);
  if (self->preview.scene != NULL
      && self->preview.run == goban_session_get_shown_run (self->session))
    keep_preview (self);
  if (self->scenes.run != NULL && !is_of_session (self, self->scenes.run))
    {
      goban_coalescing_worker_forget (self->scenes.maker);
      drop_preview (self);
      drop_scenes (self);
    }
  self->scenes.is_stale = TRUE;
  goban_picture_invalidate (GOBAN_PICTURE (self));
}

void
goban_timeline_view_run_changed (GobanTimelineView *self)
{
  goban_timeline_view_forget_scene (self);
  want_scene (self);
}

void
goban_timeline_view_lanes_changed (GobanTimelineView *self)
{
  forget_places (self);
  g_clear_pointer (&self->arrows, g_array_unref);
  if (self->scenes.scene != NULL)
    {
      goban_timeline_view_arrange (self);
      goban_timeline_view_scene_changed (self);
    }
  goban_picture_invalidate (GOBAN_PICTURE (self));
}

gboolean
goban_timeline_view_is_busy (GobanTimelineView *self)
{
  g_return_val_if_fail (GOBAN_IS_TIMELINE_VIEW (self), FALSE);

  return goban_coalescing_worker_is_busy (self->scenes.maker)
         || goban_coalescing_worker_is_busy (self->scenes.pending_maker)
         || goban_coalescing_worker_is_busy (self->preview.maker);
}

/* --- next scene ------------------------------------------------------------------------------- */

/* Releases the hold, because the scene is no longer needed. */
static void
forget_pending (GobanTimelineView *self)
{
  GobanEditHold *hold = g_steal_pointer (&self->scenes.pending_hold);

  goban_coalescing_worker_forget (self->scenes.pending_maker);
  g_clear_pointer (&self->scenes.pending, answer_free);
  g_clear_pointer (&self->scenes.pending_run, goban_run_unref);
  g_clear_pointer (&hold, goban_edit_hold_unref);
}

void
goban_timeline_view_run_pending (GobanTimelineView *self, GobanRun *run, GobanEditHold *hold)
{
  forget_pending (self);
  if (!is_worth_asking (self, run) || self->preview.scene != NULL || !is_of_session (self, run))
    return;

  self->scenes.pending_run = goban_run_ref (run);
  self->scenes.pending_hold = goban_edit_hold_ref (hold);
  goban_coalescing_worker_ask (self->scenes.pending_maker, new_question_of_run (self, run, TRUE));
}

static void
keep_pending (gpointer data, gpointer user_data)
{
  GobanTimelineView *self = user_data;

  self->scenes.pending = data;
  g_clear_pointer (&self->scenes.pending_hold, goban_edit_hold_unref);
}

/* Shows the finished result: TRUE if its scene is there, or about to be. */
static gboolean
take_pending (GobanTimelineView *self)
{
  GobanRun *run = self->scenes.pending_run;

  if (run == NULL)
    return FALSE;
  if (run != goban_session_get_shown_run (self->session)
      || (self->scenes.pending != NULL && self->scenes.pending->ghost_run != get_ghost (self, run)))
    {
      forget_pending (self);
      return FALSE;
    }
  self->scenes.is_stale = FALSE;
  self->scenes.is_awaited = TRUE;
  if (self->scenes.pending == NULL)
    return TRUE;
  take (g_steal_pointer (&self->scenes.pending), self);
  forget_pending (self);
  return TRUE;
}

void
goban_timeline_view_color_changed (GobanTimelineView *self)
{
  GobanRun *run = goban_session_get_shown_run (self->session);

  if (self->scenes.pending_run != NULL)
    forget_pending (self);
  if (!self->scenes.is_stale && run != NULL)
    ask_run (self, run);
  goban_picture_invalidate (GOBAN_PICTURE (self));
}

/* --- preview of a change ---------------------------------------------------------------------- */

/* The lanes stay as they are while something is dragged over them. */
void
goban_timeline_view_show_preview (GobanTimelineView *self, GobanRun *run)
{
  gboolean had_scene = self->preview.scene != NULL;
  Question *question;

  if (run == NULL || goban_timeline_view_get_scene (self) == NULL)
    {
      drop_preview (self);
      if (had_scene)
        goban_picture_invalidate (GOBAN_PICTURE (self));
      return;
    }
  question = new_question (self, run);
  question->lanes = goban_timeline_scene_dup_lanes (self->scenes.scene);
  question->wants_scene = TRUE;
  ask (self->preview.maker, question);
}

static void
take_preview (gpointer data, gpointer user_data)
{
  GobanTimelineView *self = user_data;
  g_autoptr (Answer) answer = data;

  if (self->scenes.scene == NULL || answer->scene->n_lanes != self->scenes.scene->n_lanes
      || !is_of_session (self, answer->run))
    return;

  g_clear_pointer (&self->preview.scene, goban_timeline_scene_free);
  self->preview.scene = g_steal_pointer (&answer->scene);
  goban_timeline_scene_follow (self->preview.scene, self->scenes.scene);
  goban_run_set (&self->preview.run, answer->run);
  goban_picture_invalidate (GOBAN_PICTURE (self));
}

/* --- construction and disposal ---------------------------------------------------------------- */

static const GobanCoalescingWorkerKind scene_kind
    = { "Drawing the timeline", answer_worker, question_free, answer_free, take };
static const GobanCoalescingWorkerKind pending_kind
    = { "Drawing the timeline", answer_worker, question_free, answer_free, keep_pending };
static const GobanCoalescingWorkerKind preview_kind
    = { "Drawing a preview", answer_worker, question_free, answer_free, take_preview };

void
goban_timeline_view_begin_scenes (GobanTimelineView *self)
{
  self->scenes.maker = goban_coalescing_worker_new (&scene_kind, self);
  self->scenes.pending_maker = goban_coalescing_worker_new (&pending_kind, self);
  self->preview.maker = goban_coalescing_worker_new (&preview_kind, self);
}

void
goban_timeline_view_end_scenes (GobanTimelineView *self)
{
  drop_preview (self);
  drop_scenes (self);
  if (self->scenes.pending_run != NULL)
    forget_pending (self);
  g_clear_pointer (&self->scenes.pending_maker, goban_coalescing_worker_free);
  g_clear_pointer (&self->scenes.maker, goban_coalescing_worker_free);
  g_clear_pointer (&self->preview.maker, goban_coalescing_worker_free);
}
