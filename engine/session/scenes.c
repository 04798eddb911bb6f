#include "engine/session/scenes.h"

#include <math.h>

struct _GobanSceneList
{
  gatomicrefcount n_references;
  GPtrArray *scenes; /* GobanScene */
};

/* --- one scene -------------------------------------------------------------------------------- */

GobanScene *
goban_scene_new (const GobanScene *content)
{
  GobanScene *self = g_new (GobanScene, 1);

  *self = *content;
  g_atomic_ref_count_init (&self->n_references);
  self->text = g_utf8_make_valid (content->text, -1);
  self->plan = g_strdup (content->plan);
  self->selection = goban_selection_ref (content->selection);
  self->look.color = g_strdup (content->look.color);
  self->look.expanded = g_strdupv (content->look.expanded);
  for (guint i = 0; i < content->comparison.n_plans; i++)
    self->comparison.plans[i].name = g_strdup (content->comparison.plans[i].name);
  return self;
}

GobanScene *
goban_scene_ref (GobanScene *self)
{
  g_atomic_ref_count_inc (&self->n_references);
  return self;
}

void
goban_scene_unref (GobanScene *self)
{
  if (!g_atomic_ref_count_dec (&self->n_references))
    return;

  for (guint i = 0; i < self->comparison.n_plans; i++)
    g_free (self->comparison.plans[i].name);
  g_strfreev (self->look.expanded);
  g_free (self->look.color);
  goban_selection_unref (self->selection);
  g_free (self->plan);
  g_free (self->text);
  g_free (self);
}

GobanScene *
goban_scene_with_text (const GobanScene *self, const char *text)
{
  GobanScene content = *self;

  content.text = (char *) text; /* is copied */
  return goban_scene_new (&content);
}

GobanRun *
goban_scene_plan_find_run (const GobanScenePlan *self, const GPtrArray *runs)
{
  GobanRun *best = NULL;
  double best_us = INFINITY;

  for (guint i = 0; i < runs->len; i++)
    {
      GobanRun *run = g_ptr_array_index (runs, i);
      double off_us = fabs (goban_run_get_makespan_us (run) - self->makespan_us);

      if (!g_str_equal (goban_run_get_name (run), self->name))
        continue;
      if (best == NULL || off_us < best_us)
        {
          best = run;
          best_us = off_us;
        }
    }
  return best;
}

GobanRun *
goban_scene_find_run (const GobanScene *self, const GPtrArray *runs)
{
  return self->plan != NULL
             ? goban_scene_plan_find_run (&(GobanScenePlan){ self->plan, self->makespan_us }, runs)
             : NULL;
}

/* --- lists ------------------------------------------------------------------------------------ */

static void
scene_free (gpointer scene)
{
  goban_scene_unref (scene);
}

GobanSceneList *
goban_scene_list_new (void)
{
  GobanSceneList *self = g_new (GobanSceneList, 1);

  g_atomic_ref_count_init (&self->n_references);
  self->scenes = g_ptr_array_new_with_free_func (scene_free);
  return self;
}

GobanSceneList *
goban_scene_list_ref (GobanSceneList *self)
{
  g_atomic_ref_count_inc (&self->n_references);
  return self;
}

void
goban_scene_list_unref (GobanSceneList *self)
{
  if (!g_atomic_ref_count_dec (&self->n_references))
    return;
  g_ptr_array_unref (self->scenes);
  g_free (self);
}

guint
goban_scene_list_get_n (const GobanSceneList *self)
{
  return self->scenes->len;
}

gboolean
goban_scene_list_equal (const GobanSceneList *self, const GobanSceneList *other)
{
  return self == other || (self->scenes->len == 0 && other->scenes->len == 0);
}

GobanScene *
goban_scene_list_get (const GobanSceneList *self, guint i)
{
  g_return_val_if_fail (i < self->scenes->len, NULL);

  return g_ptr_array_index (self->scenes, i);
}

static GobanSceneList *
copy (const GobanSceneList *self)
{
  GobanSceneList *copied = goban_scene_list_new ();

  for (guint i = 0; i < self->scenes->len; i++)
    g_ptr_array_add (copied->scenes, goban_scene_ref (goban_scene_list_get (self, i)));
  return copied;
}

GobanSceneList *
goban_scene_list_with (const GobanSceneList *self, guint i, GobanScene *scene)
{
  GobanSceneList *changed = copy (self);

  g_ptr_array_insert (changed->scenes, (int) MIN (i, changed->scenes->len),
                      goban_scene_ref (scene));
  return changed;
}

GobanSceneList *
goban_scene_list_without (const GobanSceneList *self, guint i)
{
  GobanSceneList *changed = copy (self);

  g_ptr_array_remove_index (changed->scenes, i);
  return changed;
}

GobanSceneList *
goban_scene_list_move (const GobanSceneList *self, guint i, guint to)
{
  GobanSceneList *changed = copy (self);
  GobanScene *scene = g_ptr_array_steal_index (changed->scenes, i);

  g_ptr_array_insert (changed->scenes, (int) MIN (to, changed->scenes->len), scene);
  return changed;
}
