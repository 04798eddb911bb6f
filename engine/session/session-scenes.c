#include "engine/session/session-scenes.h"

#include "engine/core/attached-object.h"
#include "engine/core/error.h"
#include "engine/core/i18n.h"
#include "engine/core/lua-text.h"
#include "engine/session/compare-set-looks.h"
#include "engine/session/session-log.h"
#include "engine/session/session-marks.h"
#include "engine/session/session-private.h"
#include "engine/session/session-runs.h"
#include "engine/session/view-time.h"
#include "engine/session/view.h"
#include "engine/study/run/remap.h"

#include <math.h>

struct _GobanSessionScenes
{
  GObject parent_instance;

  GobanSession *session; /* borrowed: it owns us */
  guint current;
};

static guint changed_signal;

G_DEFINE_FINAL_TYPE (GobanSessionScenes, goban_session_scenes, G_TYPE_OBJECT)

static void
goban_session_scenes_class_init (GobanSessionScenesClass *klass)
{
  changed_signal = g_signal_new ("changed", GOBAN_TYPE_SESSION_SCENES, G_SIGNAL_RUN_LAST, 0, NULL,
                                 NULL, NULL, G_TYPE_NONE, 0);
}

static void
goban_session_scenes_init (GobanSessionScenes *self)
{
}

static void
set_current (GobanSessionScenes *self, guint number)
{
  self->current = MIN (number, goban_scene_list_get_n (goban_session_scenes_get_list (self)));
  g_signal_emit (self, changed_signal, 0);
}

/* After an undo too. */
static void
list_changed_cb (GobanSessionScenes *self)
{
  set_current (self, self->current);
}

static GObject *
make (GObject *owner)
{
  GobanSessionScenes *self = g_object_new (GOBAN_TYPE_SESSION_SCENES, NULL);

  self->session = GOBAN_SESSION (owner);
  g_signal_connect_object (owner, "notify::scenes", G_CALLBACK (list_changed_cb), self,
                           G_CONNECT_SWAPPED);
  return G_OBJECT (self);
}

GobanSessionScenes *
goban_session_scenes_of (GobanSession *session)
{
  return goban_attached_object (G_OBJECT (session), "goban-session-scenes", make);
}

const GobanSceneList *
goban_session_scenes_get_list (GobanSessionScenes *self)
{
  return goban_session_get_state (self->session)->scenes;
}

guint
goban_session_scenes_get_current (GobanSessionScenes *self)
{
  return self->current;
}

const char *
goban_session_scenes_get_text (GobanSessionScenes *self)
{
  return self->current > 0
             ? goban_scene_list_get (goban_session_scenes_get_list (self), self->current - 1)->text
             : "";
}

/* (nullable) */
static GobanScene *
find (GobanSessionScenes *self, guint number, GError **error)
{
  const GobanSceneList *list = goban_session_scenes_get_list (self);
  guint n = goban_scene_list_get_n (list);

  if (number >= 1 && number <= n)
    return goban_scene_list_get (list, number - 1);
  if (n == 0)
    goban_set_error (error, GOBAN_ERROR_INVALID, "there are no scenes; scene.add makes one");
  else
    goban_set_error (error, GOBAN_ERROR_INVALID, "there is no scene %u, scenes are 1 to %u", number,
                     n);
  return NULL;
}

/* --- showing ---------------------------------------------------------------------------------- */

G_STATIC_ASSERT (GOBAN_SCENE_PLANS == GOBAN_COMPARE_MAX);

static void
say_missing (GobanSessionScenes *self, const char *plan)
{
  goban_session_say (self->session, FALSE, "the plan “%s” of this scene is not in the list", plan);
}

static void
show_plan (GobanSessionScenes *self, const GobanScene *scene)
{
  const GobanState *state = goban_session_get_state (self->session);
  GobanRun *run = goban_scene_find_run (scene, state->runs);

  if (run != NULL && run != state->current)
    goban_session_set_current_run (self->session, run);
  if (run == NULL && scene->plan != NULL)
    say_missing (self, scene->plan);
}

/* The plans that stay keep their order; a pair that has lost one is the first two. */
static guint
find_compared (GobanSessionScenes *self, const GobanSceneComparison *comparison,
               GobanRun *runs[GOBAN_COMPARE_MAX], guint pair[2])
{
  const GPtrArray *listed = goban_session_get_state (self->session)->runs;
  int places[GOBAN_COMPARE_MAX] = { 0 };
  guint n = 0;

  for (guint i = 0; i < comparison->n_plans; i++)
    {
      GobanRun *run = goban_scene_plan_find_run (&comparison->plans[i], listed);
      gboolean is_twice = FALSE;

      for (guint k = 0; k < n; k++)
        is_twice |= runs[k] == run;
      places[i] = run != NULL && !is_twice ? (int) n : -1;
      if (run == NULL)
        say_missing (self, comparison->plans[i].name);
      if (places[i] >= 0)
        runs[n++] = run;
    }
  for (guint i = 0; i < 2; i++)
    pair[i] = comparison->n_plans > 1 && places[comparison->pair[0]] >= 0
                      && places[comparison->pair[1]] >= 0
                  ? (guint) places[comparison->pair[i]]
                  : i;
  return n;
}

/* The changes by which a scene is shown are not logged one by one. */
static void
show_comparison (GobanSessionScenes *self, const GobanSceneComparison *comparison)
{
  GobanCompareSet *set = goban_session_get_compare_set (self->session);
  GobanRun *runs[GOBAN_COMPARE_MAX];
  guint pair[2] = { 0, 1 };
  guint n = find_compared (self, comparison, runs, pair);

  if (n > 1)
    {
      goban_compare_set_restore (set, runs, n, pair, TRUE);
      goban_compare_set_restore_looks (set, &comparison->looks);
      return;
    }
  if (!goban_compare_set_is_open (set))
    return;
  n = goban_compare_set_get_n_runs (set);
  for (guint i = 0; i < n; i++)
    runs[i] = goban_compare_set_get_run (set, i);
  goban_compare_set_get_pair (set, &pair[0], &pair[1]);
  goban_compare_set_restore (set, runs, n, pair, FALSE);
}

/* Not logged. @scene: borrowed, may go meanwhile. */
static void
show (GobanSessionScenes *self, guint number, GobanScene *scene)
{
  GobanView *view = goban_session_get_view (self->session);
  g_autoptr (GobanScene) kept = goban_scene_ref (scene);

  show_plan (self, kept);
  goban_view_set_color (view, kept->look.color);
  goban_view_set_grouping (view, (GobanGrouping) kept->look.grouping);
  goban_view_set_layout (view, (GobanArrangement) kept->look.layout);
  goban_view_set_expanded (view, (const char *const *) kept->look.expanded);
  goban_session_set_selection (self->session, kept->selection);
  show_comparison (self, &kept->comparison);
  goban_view_set_moment (view, kept->moment);
  goban_view_set_time_us (view, kept->time_us);
  goban_view_go_to_viewport (view, &kept->look.viewport);
  set_current (self, number);
}

gboolean
goban_session_scenes_show (GobanSessionScenes *self, guint number, GError **error)
{
  GobanScene *scene;

  g_return_val_if_fail (GOBAN_IS_SESSION_SCENES (self), FALSE);

  scene = find (self, number, error);
  if (scene == NULL)
    return FALSE;

  show (self, number, scene);
  goban_session_log_line (self->session, "scene.go(%u)", number);
  return TRUE;
}

/* --- changing --------------------------------------------------------------------------------- */

/* Names are borrowed from the runs. */
static void
capture_comparison (GobanSessionScenes *self, GobanSceneComparison *comparison)
{
  GobanCompareSet *set = goban_session_get_compare_set (self->session);

  if (!goban_compare_set_is_open (set)
      || !goban_compare_set_get_pair (set, &comparison->pair[0], &comparison->pair[1]))
    return;
  comparison->looks = goban_compare_set_get_looks (set);
  comparison->n_plans = goban_compare_set_get_n_runs (set);
  for (guint i = 0; i < comparison->n_plans; i++)
    {
      GobanRun *run = goban_compare_set_get_run (set, i);

      comparison->plans[i]
          = (GobanScenePlan){ (char *) goban_run_get_name (run), goban_run_get_makespan_us (run) };
    }
}

/* A scene of the present view. (transfer full) */
static GobanScene *
capture (GobanSessionScenes *self, const char *text)
{
  GobanView *view = goban_session_get_view (self->session);
  GobanRun *run = goban_session_get_current_run (self->session);
  GobanScene content = {
    .text = (char *) text, /* all texts are copied */
    .plan = run != NULL ? (char *) goban_run_get_name (run) : NULL,
    .makespan_us = run != NULL ? goban_run_get_makespan_us (run) : 0,
    .time_us = goban_view_get_time_us (view),
    .moment = goban_view_get_moment (view),
    .selection = goban_session_get_selection (self->session),
    .look = { .viewport = *goban_view_get_viewport (view),
              .color = (char *) goban_view_get_color (view),
              .grouping = (int) goban_view_get_grouping (view),
              .layout = (int) goban_view_get_layout (view),
              .expanded = (char **) goban_view_get_expanded (view) },
  };

  capture_comparison (self, &content.comparison);
  return goban_scene_new (&content);
}

/* @list: (transfer full). */
static void
commit (GobanSessionScenes *self, const char *name, GobanSceneList *list)
{
  GobanState *next = goban_state_copy (goban_session_get_state (self->session));
  g_autoptr (GobanSceneList) owned = list;

  goban_state_set_scenes (next, list);
  goban_session_commit (self->session, name, next);
}

/* @scene: (transfer full): in place of the one of that number. */
static void
replace (GobanSessionScenes *self, guint number, GobanScene *scene, gboolean is_caption)
{
  g_autoptr (GobanScene) owned = scene;
  g_autoptr (GobanSceneList) without
      = goban_scene_list_without (goban_session_scenes_get_list (self), number - 1);
  g_autofree char *name
      = g_strdup_printf (is_caption ? _ ("caption of scene %u") : _ ("view of scene %u"), number);

  commit (self, name, goban_scene_list_with (without, number - 1, scene));
}

guint
goban_session_scenes_add (GobanSessionScenes *self, guint number, const char *text, GError **error)
{
  const GobanSceneList *list;
  g_autoptr (GobanScene) scene = NULL;
  g_autofree char *name = NULL;
  g_autofree char *quoted = NULL;
  guint n;

  g_return_val_if_fail (GOBAN_IS_SESSION_SCENES (self) && text != NULL, 0);

  list = goban_session_scenes_get_list (self);
  n = goban_scene_list_get_n (list);
  if (goban_session_get_graph (self->session) == NULL)
    return goban_refuse (error, GOBAN_ERROR_INVALID, "open a graph before adding a scene of it");
  if (n >= GOBAN_SCENES_MOST)
    return goban_refuse (error, GOBAN_ERROR_INVALID, "a session has at most %d scenes",
                         GOBAN_SCENES_MOST);
  if (number == 0)
    number = self->current > 0 ? self->current + 1 : n + 1;
  if (number > n + 1)
    return goban_refuse (error, GOBAN_ERROR_INVALID, "the next scene is %u, not %u", n + 1, number);

  scene = capture (self, text);
  name = g_strdup_printf (_ ("add scene %u"), number);
  quoted = goban_lua_text_quote (scene->text);
  commit (self, name, goban_scene_list_with (list, number - 1, scene));
  goban_session_log_line (self->session, "scene.add{ at = %u, text = %s }", number, quoted);
  set_current (self, number);
  return number;
}

gboolean
goban_session_scenes_update (GobanSessionScenes *self, guint number, GError **error)
{
  const GobanScene *scene = find (self, number, error);

  if (scene == NULL)
    return FALSE;
  replace (self, number, capture (self, scene->text), FALSE);
  goban_session_log_line (self->session, "scene.update(%u)", number);
  return TRUE;
}

gboolean
goban_session_scenes_set_text (GobanSessionScenes *self, guint number, const char *text,
                               GError **error)
{
  const GobanScene *scene = find (self, number, error);
  g_autofree char *quoted = NULL;

  if (scene == NULL)
    return FALSE;
  if (g_str_equal (scene->text, text))
    return TRUE;
  quoted = goban_lua_text_quote (text);
  replace (self, number, goban_scene_with_text (scene, text), TRUE);
  goban_session_log_line (self->session, "scene.text(%u, %s)", number, quoted);
  return TRUE;
}

gboolean
goban_session_scenes_move (GobanSessionScenes *self, guint number, guint to, GError **error)
{
  g_autofree char *name = g_strdup_printf (_ ("move scene %u to %u"), number, to);

  if (find (self, number, error) == NULL || find (self, to, error) == NULL)
    return FALSE;
  if (number == to)
    return TRUE;
  commit (self, name,
          goban_scene_list_move (goban_session_scenes_get_list (self), number - 1, to - 1));
  goban_session_log_line (self->session, "scene.move(%u, %u)", number, to);
  set_current (self, to);
  return TRUE;
}

gboolean
goban_session_scenes_remove (GobanSessionScenes *self, guint number, GError **error)
{
  g_autofree char *name = g_strdup_printf (_ ("remove scene %u"), number);
  g_autoptr (GobanSceneList) without = NULL;
  gboolean was_current = self->current == number;
  guint n;

  if (find (self, number, error) == NULL)
    return FALSE;
  without = goban_scene_list_without (goban_session_scenes_get_list (self), number - 1);
  n = goban_scene_list_get_n (without);
  /* Before the list is changed: its signal is emitted with the new number. */
  if (self->current > number || self->current > n)
    self->current--;
  commit (self, name, goban_scene_list_ref (without));
  goban_session_log_line (self->session, "scene.remove(%u)", number);
  if (was_current && self->current > 0)
    show (self, self->current, goban_scene_list_get (without, self->current - 1));
  return TRUE;
}

void
goban_session_scenes_carry (GobanSessionScenes *self, const GobanSceneList *list, GobanGraph *old)
{
  g_autoptr (GobanSceneList) carried = goban_scene_list_new ();

  if (goban_scene_list_get_n (list) == 0)
    return;
  for (guint i = 0; i < goban_scene_list_get_n (list); i++)
    {
      GobanScene content = *goban_scene_list_get (list, i);
      GobanGraph *graph = goban_session_get_graph (self->session);
      g_autoptr (GobanSelection) selection = goban_remap_nodes (old, graph, content.selection);
      g_autoptr (GobanScene) scene = NULL;
      GobanSceneList *next;

      content.selection = selection;
      scene = goban_scene_new (&content);
      next = goban_scene_list_with (carried, i, scene);
      goban_scene_list_unref (carried);
      carried = next;
    }
  commit (self, _ ("keep the scenes"), g_steal_pointer (&carried));
}
