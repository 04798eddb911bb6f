#include "ui/graph/graph-scenes.h"

#include "engine/session/coloring.h"

typedef struct
{
  GobanRun *run;
  GobanGraphScene *base;
  GobanGraphScene *items; /* (nullable): what the plot shows of it, where that is not base itself */
} Entry;

struct _GobanGraphScenes
{
  GobanSession *session;
  GobanPlot *plot; /* (nullable): what items are of */
  GPtrArray *entries;
};

static void
entry_free (gpointer data)
{
  Entry *entry = data;

  g_clear_pointer (&entry->items, goban_graph_scene_free);
  g_clear_pointer (&entry->base, goban_graph_scene_free);
  g_object_unref (entry->run);
  g_free (entry);
}

GobanGraphScenes *
goban_graph_scenes_new (GobanSession *session)
{
  GobanGraphScenes *self = g_rc_box_new0 (GobanGraphScenes);

  self->session = g_object_ref (session);
  self->entries = g_ptr_array_new_with_free_func (entry_free);
  return self;
}

GobanGraphScenes *
goban_graph_scenes_ref (GobanGraphScenes *self)
{
  return g_rc_box_acquire (self);
}

static void
clear (gpointer data)
{
  GobanGraphScenes *self = data;

  g_ptr_array_unref (self->entries);
  g_clear_pointer (&self->plot, goban_plot_unref);
  g_object_unref (self->session);
}

void
goban_graph_scenes_unref (GobanGraphScenes *self)
{
  g_rc_box_release_full (self, clear);
}

/* As goban_session_dup_color_values(), of any run. */
static GobanNodeValues *
dup_values (GobanGraphScenes *self, GobanRun *run)
{
  const char *color = goban_view_get_color (goban_session_get_view (self->session));
  GobanNodeContext context = { goban_run_get_costs (run), run };

  if (g_str_equal (color, "script"))
    return goban_session_dup_color_values (self->session);
  return goban_color_get_values (color, &context);
}

static void
fill (GobanGraphScenes *self, Entry *entry)
{
  g_autoptr (GobanNodeValues) values = dup_values (self, entry->run);

  goban_graph_scene_set_values (entry->base, values);
  if (entry->items != NULL)
    goban_graph_scene_set_values (entry->items, values);
}

static Entry *
find_entry (GobanGraphScenes *self, GobanRun *run)
{
  Entry *entry;

  for (guint i = 0; i < self->entries->len; i++)
    {
      entry = g_ptr_array_index (self->entries, i);
      if (entry->run == run)
        return entry;
    }
  entry = g_new0 (Entry, 1);
  entry->run = g_object_ref (run);
  entry->base = goban_graph_scene_new (goban_run_get_graph (run), goban_run_get_costs (run),
                                       goban_run_get_plan (run), goban_run_get_trace (run));
  fill (self, entry);
  g_ptr_array_add (self->entries, entry);
  return entry;
}

static void
take_plot (GobanGraphScenes *self, GobanPlot *plot)
{
  if (self->plot == plot)
    return;

  for (guint i = 0; i < self->entries->len; i++)
    {
      Entry *entry = g_ptr_array_index (self->entries, i);

      g_clear_pointer (&entry->items, goban_graph_scene_free);
    }
  goban_plot_ref (plot);
  g_clear_pointer (&self->plot, goban_plot_unref);
  self->plot = plot;
}

GobanGraphScene *
goban_graph_scenes_get (GobanGraphScenes *self, GobanRun *run, GobanPlot *plot)
{
  Entry *entry;

  if (goban_run_get_graph (run) != plot->outline->graph)
    return NULL;

  take_plot (self, plot);
  entry = find_entry (self, run);
  if (plot->outline->is_whole)
    return entry->base;
  if (entry->items == NULL)
    {
      entry->items = goban_graph_scene_new_outlined (entry->base, plot->outline);
      goban_graph_scene_wire (entry->items, plot->layout);
      fill (self, entry);
    }
  return entry->items;
}

void
goban_graph_scenes_recolour (GobanGraphScenes *self)
{
  for (guint i = 0; i < self->entries->len; i++)
    fill (self, g_ptr_array_index (self->entries, i));
}

void
goban_graph_scenes_keep (GobanGraphScenes *self, GPtrArray *runs)
{
  for (guint i = self->entries->len; i > 0; i--)
    {
      Entry *entry = g_ptr_array_index (self->entries, i - 1);

      if (!g_ptr_array_find (runs, entry->run, NULL))
        g_ptr_array_remove_index (self->entries, i - 1);
    }
}
