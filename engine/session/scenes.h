/* scenes.h: scenes of a talk: a caption each, with the plan, the moment, the selection, the view
 * and the comparison that go with it.
 *
 * Scenes and their lists are immutable and counted, so that states of the session share them and
 * undo brings them back. Lists are never NULL.
 *
 * A plan is remembered by its name and makespan: of the runs with that name, the one with the
 * nearest makespan is shown, so that a scene outlasts files and changes of the cluster.
 *
 * Decision U63 (ui/NOTES.md).
 */
#pragma once

#include "engine/session/compare-looks.h"
#include "engine/session/navigation.h"
#include "engine/study/run/run.h"

#define GOBAN_SCENES_MOST 200
/* At most as many as a comparison has (compare-set.h, which includes this header). */
#define GOBAN_SCENE_PLANS 4

/* A plan as a scene remembers it. */
typedef struct
{
  char *name;
  double makespan_us;
} GobanScenePlan;

/* The plans that are compared, and how. */
typedef struct
{
  guint n_plans; /* 0: none are */
  GobanScenePlan plans[GOBAN_SCENE_PLANS];
  guint pair[2]; /* places in plans */
  GobanCompareLooks looks;
} GobanSceneComparison;

typedef struct
{
  gatomicrefcount n_references;
  char *text; /* the caption, may be "" */
  char *plan; /* (nullable): the name of the run */
  double makespan_us;
  double time_us; /* the moment, NAN: none */
  int moment;     /* of the decisions, -1: none */
  GobanSelection *selection;
  GobanBookmark look;
  GobanSceneComparison comparison;
} GobanScene;

/* Copies all of @content, whose number of references does not matter. (transfer full) */
GobanScene *goban_scene_new (const GobanScene *content) G_GNUC_WARN_UNUSED_RESULT;
GobanScene *goban_scene_ref (GobanScene *self);
void goban_scene_unref (GobanScene *self);
/* The same scene with another caption. (transfer full) */
GobanScene *goban_scene_with_text (const GobanScene *self,
                                   const char *text) G_GNUC_WARN_UNUSED_RESULT;

/* The run of @runs (GobanRun) that the scene means; NULL if there is none of that name. */
GobanRun *goban_scene_find_run (const GobanScene *self, const GPtrArray *runs);
/* The run of @runs that a plan means; NULL if there is none of that name. */
GobanRun *goban_scene_plan_find_run (const GobanScenePlan *self, const GPtrArray *runs);

typedef struct _GobanSceneList GobanSceneList;

GobanSceneList *goban_scene_list_new (void) G_GNUC_WARN_UNUSED_RESULT;
GobanSceneList *goban_scene_list_ref (GobanSceneList *self);
void goban_scene_list_unref (GobanSceneList *self);
guint goban_scene_list_get_n (const GobanSceneList *self);
/* The same list, or both are empty. */
gboolean goban_scene_list_equal (const GobanSceneList *self, const GobanSceneList *other);
/* @i from 0; borrowed. */
GobanScene *goban_scene_list_get (const GobanSceneList *self, guint i);

/* Lists with one change; @scene is borrowed, @i and @to are places from 0. (transfer full) */
GobanSceneList *goban_scene_list_with (const GobanSceneList *self, guint i,
                                       GobanScene *scene) G_GNUC_WARN_UNUSED_RESULT;
GobanSceneList *goban_scene_list_without (const GobanSceneList *self,
                                          guint i) G_GNUC_WARN_UNUSED_RESULT;
GobanSceneList *goban_scene_list_move (const GobanSceneList *self, guint i,
                                       guint to) G_GNUC_WARN_UNUSED_RESULT;

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanScene, goban_scene_unref)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanSceneList, goban_scene_list_unref)
