/* graph-view-scenes.c: the scenes of the graph pane, made in a worker: of 80,000 nodes they take
 * more than a frame.
 *
 * A plot, its pick and its scene are shown together or not at all: until the next scene is there,
 * the last stays with what it was made for. A small graph's is made at once.
 */
#include "ui/graph/graph-view-private.h"

#include "engine/study/analysis/coloring.h"

/* Up to so many nodes a scene takes less than a millisecond. */
#define FEW_NODES 2000

/* --- inputs of a scene ------------------------------------------------------------------------ */

/* All nodes of a graph under a run: shared with workers, never changed. */
struct _GobanBaseScene
{
  GobanGraph *graph;
  GobanCostModel *costs;
  GobanRun *run; /* (nullable) */
  GobanGraphScene *scene;
};

static void
base_clear (gpointer data)
{
  GobanBaseScene *base = data;

  goban_graph_unref (base->graph);
  goban_cost_model_unref (base->costs);
  g_clear_pointer (&base->run, goban_run_unref);
  g_clear_pointer (&base->scene, goban_graph_scene_free);
}

static void
base_unref (GobanBaseScene *base)
{
  g_atomic_rc_box_release_full (base, base_clear);
}

/* @like: (nullable): another of that graph. */
static GobanBaseScene *
base_new (GobanGraph *graph, GobanCostModel *costs, GobanRun *run, const GobanBaseScene *like)
{
  GobanBaseScene *base = g_atomic_rc_box_new0 (GobanBaseScene);

  base->graph = goban_graph_ref (graph);
  base->costs = goban_cost_model_ref (costs);
  base->run = goban_run_ref (run);
  if (run != NULL && like != NULL)
    base->scene = goban_graph_scene_new_after (
        like->scene, like->run != NULL ? goban_run_get_plan (like->run) : NULL,
        goban_run_get_trace (run));
  else
    base->scene
        = goban_graph_scene_new (graph, costs, run != NULL ? goban_run_get_plan (run) : NULL,
                                 run != NULL ? goban_run_get_trace (run) : NULL);
  return base;
}

/* --- in the worker ---------------------------------------------------------------------------- */

typedef struct
{
  GobanGraph *graph;
  GobanCostModel *costs;
  GobanRun *run;           /* (nullable) */
  GobanPlot *plot;         /* options of its picture */
  GobanBaseScene *base;    /* (nullable): if it is known */
  GobanBaseScene *like;    /* (nullable): of the same graph */
  gboolean is_step;        /* the run is a step of a policy's decisions */
  char *color;             /* values of nodes ... */
  GobanNodeValues *script; /* (nullable): ... or these */
} Question;

struct _GobanSceneAnswer
{
  GobanPlot *plot;
  GobanBaseScene *base;
  GobanGraphScene *scene;
};

typedef GobanSceneAnswer Answer;

static void
question_free (gpointer data)
{
  Question *question = data;

  goban_graph_unref (question->graph);
  goban_cost_model_unref (question->costs);
  g_clear_pointer (&question->run, goban_run_unref);
  goban_plot_unref (question->plot);
  g_clear_pointer (&question->base, base_unref);
  g_clear_pointer (&question->like, base_unref);
  g_clear_pointer (&question->script, goban_node_values_unref);
  g_free (question->color);
  g_free (question);
}

static void
answer_free (gpointer data)
{
  Answer *answer = data;

  goban_plot_unref (answer->plot);
  g_clear_pointer (&answer->base, base_unref);
  g_clear_pointer (&answer->scene, goban_graph_scene_free);
  g_free (answer);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Answer, answer_free)

static gpointer
answer_worker (const GobanProgress *progress, gpointer data, GError **error)
{
  const Question *question = data;
  GobanNodeContext context = { question->costs, question->run };
  g_autoptr (GobanNodeValues) values = NULL;
  g_autoptr (Answer) answer = g_new0 (Answer, 1);

  answer->plot = goban_plot_ref (question->plot);
  answer->base = question->base != NULL
                     ? g_atomic_rc_box_acquire (question->base)
                     : base_new (question->graph, question->costs, question->run, question->like);
  if (!goban_progress_check (progress, error))
    return NULL;
  values = question->script != NULL ? goban_node_values_ref (question->script)
                                    : goban_color_get_values (question->color, &context);
  answer->scene = goban_plot_new_scene (question->plot, answer->base->scene);
  goban_graph_scene_set_values (answer->scene, values);
  goban_graph_scene_set_step (answer->scene, question->is_step ? question->run : NULL);
  return g_steal_pointer (&answer);
}

static gboolean take_pending (GobanGraphView *self);

/* --- asking ----------------------------------------------------------------------------------- */

/* (nullable): the run to show: that of a previewed change, of a step, or the current one. */
static GobanRun *
get_run (GobanGraphView *self)
{
  return self->preview_run != NULL ? self->preview_run
                                   : goban_session_get_shown_run (self->session);
}

/* @run: (nullable) */
static Question *
new_question (GobanGraphView *self, GobanPlot *plot, GobanRun *run)
{
  GobanView *view = goban_session_get_view (self->session);
  GobanNodeValues *script = goban_view_get_script_values (view);
  Question *question = g_new0 (Question, 1);

  question->graph = goban_graph_ref (plot->outline->graph);
  question->costs = goban_cost_model_ref (run != NULL ? goban_run_get_costs (run)
                                                      : goban_session_get_costs (self->session));
  question->run = goban_run_ref (run);
  question->is_step = run != NULL && self->preview_run == NULL && run != self->scenes.pending.run
                      && run != goban_session_get_current_run (self->session);
  question->plot = goban_plot_ref (plot);
  question->color = g_strdup (goban_view_get_color (view));
  if (g_str_equal (question->color, "script") && script != NULL
      && script->n_nodes == goban_graph_get_n_nodes (question->graph))
    question->script = goban_node_values_ref (script);
  if (self->scenes.base == NULL || self->scenes.base->graph != question->graph)
    return question;
  if (self->scenes.base->costs == question->costs && self->scenes.base->run == run)
    question->base = g_atomic_rc_box_acquire (self->scenes.base);
  else
    question->like = g_atomic_rc_box_acquire (self->scenes.base);
  return question;
}

void
goban_graph_view_ask_scene (GobanGraphView *self)
{
  GobanPlot *plot = self->plots.next != NULL ? self->plots.next->plot : self->plots.plot;
  Question *question;

  self->scenes.is_stale = FALSE;
  if (plot == NULL)
    return;

  question = new_question (self, plot, get_run (self));
  self->scenes.n_asked++;
  if (goban_graph_get_n_nodes (question->graph) <= FEW_NODES)
    goban_coalescing_worker_ask_now (self->scenes.maker, question);
  else
    goban_coalescing_worker_ask (self->scenes.maker, question);
}

GobanGraphScene *
goban_graph_view_get_scene (GobanGraphView *self)
{
  if (self->leader != NULL)
    return goban_graph_view_get_followers_scene (self);
  if (self->scenes.is_stale)
    goban_graph_view_ask_scene (self);
  return self->scenes.items;
}

/* --- taking ----------------------------------------------------------------------------------- */

/* A run that is no longer current stays visible until the next scene is made. */
static void
take (gpointer data, gpointer user_data)
{
  GobanGraphView *self = user_data;
  g_autoptr (Answer) answer = data;

  if (answer->base->graph != goban_session_get_graph (self->session))
    return;

  g_clear_pointer (&self->scenes.base, base_unref);
  self->scenes.base = g_atomic_rc_box_acquire (answer->base);
  if (self->plots.next != NULL && answer->plot == self->plots.next->plot)
    {
      goban_graph_view_take_next (self, g_steal_pointer (&answer->scene));
      return;
    }
  if (answer->plot != self->plots.plot)
    return;

  goban_free_aside (self->scenes.items, (GDestroyNotify) goban_graph_scene_free);
  self->scenes.items = g_steal_pointer (&answer->scene);
  goban_graph_view_update_description (self);
  goban_graph_view_content_changed (self);
}

/* Whether a worker should begin before a frame asks. */
static gboolean
is_worth_asking (GobanGraphView *self)
{
  GobanGraph *graph = goban_session_get_graph (self->session);

  return graph != NULL && goban_graph_get_n_nodes (graph) > FEW_NODES && self->scenes.items != NULL
         && gtk_widget_get_mapped (GTK_WIDGET (self));
}

/* Request the scene of a large graph at once: a worker takes longer than until the next frame. For
 * a small graph the frame requests it: a session may go through several runs before then, and only
 * the visible one is made. */
void
goban_graph_view_want_scene (GobanGraphView *self)
{
  self->scenes.is_stale = TRUE;
  if (take_pending (self))
    return;
  if (is_worth_asking (self))
    goban_graph_view_ask_scene (self);
  else
    goban_graph_view_content_changed (self);
}

/* --- next scene ------------------------------------------------------------------------------- */

/* Releases the hold, because the scene is no longer needed. */
static void
forget_pending (GobanGraphView *self)
{
  GobanEditHold *hold = g_steal_pointer (&self->scenes.pending.hold);

  goban_coalescing_worker_forget (self->scenes.pending.maker);
  g_clear_pointer (&self->scenes.pending.answer, answer_free);
  g_clear_pointer (&self->scenes.pending.run, goban_run_unref);
  g_clear_pointer (&hold, goban_edit_hold_unref);
}

void
goban_graph_view_forget_pending (GobanGraphView *self)
{
  if (self->scenes.pending.run != NULL)
    forget_pending (self);
}

void
goban_graph_view_run_pending (GobanGraphView *self, GobanRun *run, GobanEditHold *hold)
{
  forget_pending (self);
  if (!is_worth_asking (self) || self->plots.job != NULL || self->plots.next != NULL
      || self->preview_run != NULL)
    return;

  self->scenes.pending.run = goban_run_ref (run);
  self->scenes.pending.hold = goban_edit_hold_ref (hold);
  self->scenes.n_asked++;
  goban_coalescing_worker_ask (self->scenes.pending.maker,
                               new_question (self, self->plots.plot, run));
}

static void
keep_pending (gpointer data, gpointer user_data)
{
  GobanGraphView *self = user_data;

  self->scenes.pending.answer = data;
  g_clear_pointer (&self->scenes.pending.hold, goban_edit_hold_unref);
}

/* Shows the finished result: TRUE if its scene is there, or about to be. */
static gboolean
take_pending (GobanGraphView *self)
{
  if (self->scenes.pending.run == NULL)
    return FALSE;
  if (self->scenes.pending.run != get_run (self)
      || (self->scenes.pending.answer != NULL
          && self->scenes.pending.answer->plot != self->plots.plot))
    {
      forget_pending (self);
      return FALSE;
    }
  self->scenes.is_stale = FALSE;
  if (self->scenes.pending.answer == NULL)
    return TRUE;
  take (g_steal_pointer (&self->scenes.pending.answer), self);
  forget_pending (self);
  return TRUE;
}

/* --- construction and disposal ---------------------------------------------------------------- */

static const GobanCoalescingWorkerKind scene_kind
    = { "Drawing the graph", answer_worker, question_free, answer_free, take };
static const GobanCoalescingWorkerKind pending_kind
    = { "Drawing the graph", answer_worker, question_free, answer_free, keep_pending };

void
goban_graph_view_begin_scenes (GobanGraphView *self)
{
  self->scenes.maker = goban_coalescing_worker_new (&scene_kind, self);
  self->scenes.pending.maker = goban_coalescing_worker_new (&pending_kind, self);
}

void
goban_graph_view_forget_scenes (GobanGraphView *self)
{
  if (self->scenes.maker != NULL)
    goban_coalescing_worker_forget (self->scenes.maker);
  goban_graph_view_forget_pending (self);
  g_clear_pointer (&self->preview_run, goban_run_unref);
  g_clear_pointer (&self->scenes.items, goban_graph_scene_free);
  g_clear_pointer (&self->scenes.base, base_unref);
}

void
goban_graph_view_end_scenes (GobanGraphView *self)
{
  goban_graph_view_forget_scenes (self);
  g_clear_pointer (&self->scenes.maker, goban_coalescing_worker_free);
  g_clear_pointer (&self->scenes.pending.maker, goban_coalescing_worker_free);
}
