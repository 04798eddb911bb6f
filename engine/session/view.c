#include "engine/session/view-private.h"

#include "engine/session/view-groups.h"
#include "engine/session/view-time.h"
#include "engine/study/log/log-lines.h"
#include "engine/study/log/set-description.h"

#include <math.h>
#include <string.h>

static GParamSpec *props[GOBAN_VIEW_N_PROPS];

G_DEFINE_FINAL_TYPE (GobanView, goban_view, G_TYPE_OBJECT)

/* --- construction and disposal ------------------------------------------------------------ */

static void
goban_view_finalize (GObject *object)
{
  GobanView *self = GOBAN_VIEW (object);

  g_clear_pointer (&self->color, g_free);
  g_clear_pointer (&self->script_values, goban_node_values_unref);
  g_clear_pointer (&self->hidden, goban_selection_unref);
  g_clear_pointer (&self->stop_at, g_array_unref);
  g_clear_pointer (&self->expanded, goban_names_unref);
  goban_own_lanes_clear (&self->lanes);
  g_clear_object (&self->marks);
  g_clear_pointer (&self->places, goban_navigation_free);
  g_clear_pointer (&self->words, goban_set_description_free);
  G_OBJECT_CLASS (goban_view_parent_class)->finalize (object);
}

static void
goban_view_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  GobanView *self = GOBAN_VIEW (object);

  switch (id)
    {
    case GOBAN_VIEW_PROP_COLOR:
      g_value_set_string (value, self->color);
      break;
    case GOBAN_VIEW_PROP_HIDDEN:
      g_value_set_boxed (value, self->hidden);
      break;
    case GOBAN_VIEW_PROP_GROUPING:
      g_value_set_int (value, self->grouping);
      break;
    case GOBAN_VIEW_PROP_EXPANDED:
      g_value_set_boxed (value, goban_names_get (self->expanded));
      break;
    case GOBAN_VIEW_PROP_LAYOUT:
      g_value_set_int (value, self->layout);
      break;
    case GOBAN_VIEW_PROP_TIME:
      g_value_set_double (value, self->time_us);
      break;
    case GOBAN_VIEW_PROP_LANES:
      g_value_set_pointer (value, &self->lanes.lanes);
      break;
    case GOBAN_VIEW_PROP_MOMENT:
      g_value_set_int (value, self->moment);
      break;
    case GOBAN_VIEW_PROP_LEVEL:
      g_value_set_int (value, self->level);
      break;
    case GOBAN_VIEW_PROP_WORKSPACE:
      g_value_set_int (value, self->workspace);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
goban_view_class_init (GobanViewClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GParamFlags flags = G_PARAM_READABLE | G_PARAM_STATIC_STRINGS;

  object_class->finalize = goban_view_finalize;
  object_class->get_property = goban_view_get_property;

  props[GOBAN_VIEW_PROP_COLOR] = g_param_spec_string ("color", NULL, NULL, NULL, flags);
  props[GOBAN_VIEW_PROP_HIDDEN]
      = g_param_spec_boxed ("hidden", NULL, NULL, GOBAN_TYPE_SELECTION, flags);
  props[GOBAN_VIEW_PROP_GROUPING]
      = g_param_spec_int ("grouping", NULL, NULL, 0, GOBAN_N_GROUPINGS - 1, 0, flags);
  props[GOBAN_VIEW_PROP_EXPANDED] = g_param_spec_boxed ("expanded", NULL, NULL, G_TYPE_STRV, flags);
  props[GOBAN_VIEW_PROP_LAYOUT]
      = g_param_spec_int ("layout", NULL, NULL, 0, GOBAN_N_ARRANGEMENTS - 1, 0, flags);
  props[GOBAN_VIEW_PROP_TIME]
      = g_param_spec_double ("time", NULL, NULL, -G_MAXDOUBLE, G_MAXDOUBLE, 0, flags);
  props[GOBAN_VIEW_PROP_LANES] = g_param_spec_pointer ("lanes", NULL, NULL, flags);
  props[GOBAN_VIEW_PROP_MOMENT]
      = g_param_spec_int ("moment", NULL, NULL, GOBAN_NO_MOMENT, G_MAXINT, GOBAN_NO_MOMENT, flags);
  props[GOBAN_VIEW_PROP_LEVEL]
      = g_param_spec_int ("level", NULL, NULL, 0, GOBAN_N_DECISION_LEVELS - 1, 0, flags);
  props[GOBAN_VIEW_PROP_WORKSPACE]
      = g_param_spec_int ("workspace", NULL, NULL, 0, GOBAN_N_WORKSPACES - 1, 0, flags);
  g_object_class_install_properties (object_class, GOBAN_VIEW_N_PROPS, props);

  g_signal_new ("log", GOBAN_TYPE_VIEW, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1,
                G_TYPE_STRING);
  g_signal_new ("bookmarked", GOBAN_TYPE_VIEW, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE,
                0);
  g_signal_new ("look", GOBAN_TYPE_VIEW, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1,
                G_TYPE_POINTER);
}

static void
marks_log_cb (GobanView *self, const char *line)
{
  goban_log_emit (self, "%s", line);
}

static void
goban_view_init (GobanView *self)
{
  static const char *const nothing[] = { NULL };

  self->color = g_strdup ("device");
  self->hidden = goban_selection_new (NULL, 0);
  self->expanded = goban_names_new (nothing);
  self->time_us = NAN;
  self->moment = GOBAN_NO_MOMENT;
  self->stop_at = g_array_new (FALSE, FALSE, sizeof (GobanMoment));
  self->stops = GOBAN_STOPS_ACCEPTED;
  goban_own_lanes_set (&self->lanes, &(GobanLanes){ NULL });
  self->marks = goban_time_marks_new ();
  g_signal_connect_swapped (self->marks, "log", G_CALLBACK (marks_log_cb), self);
  self->places = goban_navigation_new ();
  self->words = goban_set_description_new ();
}

GobanView *
goban_view_new (void)
{
  return g_object_new (GOBAN_TYPE_VIEW, NULL);
}

void
goban_view_notify (GobanView *self, guint property)
{
  g_object_notify_by_pspec (G_OBJECT (self), props[property]);
}

/* --- workspaces --------------------------------------------------------------------------- */

GobanWorkspace
goban_view_get_workspace (GobanView *self)
{
  g_return_val_if_fail (GOBAN_IS_VIEW (self), GOBAN_WORKSPACE_EXPLORE);

  return self->workspace;
}

void
goban_view_set_workspace (GobanView *self, GobanWorkspace workspace)
{
  g_return_if_fail (GOBAN_IS_VIEW (self));

  if (self->workspace == workspace)
    return;
  self->workspace = workspace;
  /* The line of the workspace Compare is compare.show(). */
  if (workspace != GOBAN_WORKSPACE_COMPARE)
    goban_log_emit (self, "view.workspace \"%s\"", goban_workspace_name (workspace));
  goban_view_notify (self, GOBAN_VIEW_PROP_WORKSPACE);
}

/* --- changes ------------------------------------------------------------------------------ */

const char *
goban_view_get_color (GobanView *self)
{
  g_return_val_if_fail (GOBAN_IS_VIEW (self), NULL);

  return self->color;
}

/* No line can make the numbers again: they are the script's own. */
static void
log_script (GobanView *self)
{
  g_autofree char *name
      = self->script_values != NULL ? goban_lua_text_quote (self->script_values->name) : NULL;

  goban_log_emit (self, "-- view.color: %s are numbers that a script found",
                  name != NULL ? name : "these");
}

void
goban_view_set_color (GobanView *self, const char *color)
{
  g_return_if_fail (GOBAN_IS_VIEW (self) && color != NULL);

  if (g_str_equal (self->color, color))
    return;

  g_free (self->color);
  self->color = g_strdup (color);
  if (g_str_equal (color, "script"))
    log_script (self);
  else
    {
      g_autofree char *quoted = goban_lua_text_quote (color);

      goban_log_emit (self, "view.color %s", quoted);
    }
  goban_view_notify (self, GOBAN_VIEW_PROP_COLOR);
}

GobanNodeValues *
goban_view_get_script_values (GobanView *self)
{
  g_return_val_if_fail (GOBAN_IS_VIEW (self), NULL);

  return self->script_values;
}

void
goban_view_set_script_values (GobanView *self, GobanNodeValues *values)
{
  g_return_if_fail (GOBAN_IS_VIEW (self) && values != NULL);

  goban_node_values_ref (values);
  g_clear_pointer (&self->script_values, goban_node_values_unref);
  self->script_values = values;
  g_free (self->color);
  self->color = g_strdup ("script");
  log_script (self);
  goban_view_notify (self, GOBAN_VIEW_PROP_COLOR);
}

GobanSelection *
goban_view_get_hidden (GobanView *self)
{
  g_return_val_if_fail (GOBAN_IS_VIEW (self), NULL);

  return self->hidden;
}

void
goban_view_set_hidden (GobanView *self, GobanSelection *hidden, GobanGraph *graph)
{
  g_autofree char *nodes = NULL;
  guint n;

  g_return_if_fail (GOBAN_IS_VIEW (self) && hidden != NULL && graph != NULL);

  if (goban_selection_equal (self->hidden, hidden))
    return;

  goban_selection_ref (hidden);
  goban_selection_unref (self->hidden);
  self->hidden = hidden;
  goban_selection_get_ids (hidden, &n);
  nodes = goban_set_description_to_lua (self->words, graph, hidden, NULL);
  goban_log_emit (self, "view.hide(%s)", n > 0 ? nodes : "");
  goban_view_notify (self, GOBAN_VIEW_PROP_HIDDEN);
}

GobanTimeMarks *
goban_view_get_marks (GobanView *self)
{
  g_return_val_if_fail (GOBAN_IS_VIEW (self), NULL);

  return self->marks;
}

GobanSetDescription *
goban_view_get_words (GobanView *self)
{
  g_return_val_if_fail (GOBAN_IS_VIEW (self), NULL);

  return self->words;
}

void
goban_view_reset (GobanView *self)
{
  guint n;

  g_return_if_fail (GOBAN_IS_VIEW (self));

  goban_selection_get_ids (self->hidden, &n);
  if (n > 0)
    {
      goban_selection_unref (self->hidden);
      self->hidden = goban_selection_new (NULL, 0);
      goban_view_notify (self, GOBAN_VIEW_PROP_HIDDEN);
    }
  goban_view_close_groups (self);
  goban_view_play_to (self, NAN);
  goban_view_play_moment (self, GOBAN_NO_MOMENT);
  goban_time_marks_forget (self->marks);
  goban_navigation_clear (self->places);
  self->viewport = (GobanViewport){ 0 };
  g_clear_pointer (&self->script_values, goban_node_values_unref);
  if (g_str_equal (self->color, "script"))
    {
      g_free (self->color);
      self->color = g_strdup ("device");
      goban_view_notify (self, GOBAN_VIEW_PROP_COLOR);
    }
}
