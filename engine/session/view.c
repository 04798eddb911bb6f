#include "engine/session/view.h"

#include "engine/core/find-word.h"
#include "engine/session/view-time.h"
#include "engine/study/log/log-lines.h"
#include "engine/study/log/set-description.h"

#include <math.h>
#include <string.h>

struct _GobanView
{
  GObject parent_instance;

  char *color;
  GobanWorkspace workspace;
  GobanNodeValues *script_values; /* (nullable) */
  GobanSelection *hidden;
  GobanGrouping grouping;
  GobanNames *expanded;
  GobanArrangement layout;
  double time_us;
  int moment;
  GobanLevel level;
  GobanStops stops;
  GArray *stop_at;     /* of GobanMoment */
  GobanOwnLanes lanes; /* set */
  GobanTimeMarks *marks;
  GobanViewport viewport;
  GobanNavigation *places;
  GobanSetDescription *words;
};

enum
{
  GOBAN_VIEW_PROP_COLOR = 1,
  GOBAN_VIEW_PROP_HIDDEN,
  GOBAN_VIEW_PROP_GROUPING,
  GOBAN_VIEW_PROP_EXPANDED,
  GOBAN_VIEW_PROP_LAYOUT,
  GOBAN_VIEW_PROP_TIME,
  GOBAN_VIEW_PROP_LANES,
  GOBAN_VIEW_PROP_MOMENT,
  GOBAN_VIEW_PROP_LEVEL,
  GOBAN_VIEW_PROP_WORKSPACE,
  GOBAN_VIEW_N_PROPS
};

static const char *const arrangement_names[GOBAN_N_ARRANGEMENTS] = {
  [GOBAN_ARRANGE_AUTO] = "auto",
  [GOBAN_ARRANGE_LAYERED] = "layered",
  [GOBAN_ARRANGE_WRAPPED] = "wrapped",
  [GOBAN_ARRANGE_LANES] = "lanes",
};

const char *
goban_arrangement_name (GobanArrangement arrangement)
{
  return arrangement_names[arrangement];
}

gboolean
goban_arrangement_find (const char *name, GobanArrangement *arrangement)
{
  int found = goban_find_word (arrangement_names, GOBAN_N_ARRANGEMENTS, name);

  if (found < 0)
    return FALSE;
  *arrangement = (GobanArrangement) found;
  return TRUE;
}

static const char *const workspace_names[GOBAN_N_WORKSPACES]
    = { "explore", "decisions", "compare", "train", "script" };

const char *
goban_workspace_name (GobanWorkspace workspace)
{
  return workspace_names[workspace];
}

gboolean
goban_workspace_find (const char *name, GobanWorkspace *workspace)
{
  int found = goban_find_word (workspace_names, GOBAN_N_WORKSPACES, name);

  if (found >= 0)
    *workspace = (GobanWorkspace) found;
  return found >= 0;
}

/* --- viewport --------------------------------------------------------------------------------- */

const GobanViewport *
goban_view_get_viewport (GobanView *self)
{
  g_return_val_if_fail (GOBAN_IS_VIEW (self), NULL);

  return &self->viewport;
}

void
goban_view_set_viewport (GobanView *self, const GobanViewport *viewport)
{
  g_return_if_fail (GOBAN_IS_VIEW (self) && viewport != NULL);

  self->viewport = *viewport;
  goban_navigation_set_viewport (self->places, viewport);
}

void
goban_view_go_to_viewport (GobanView *self, const GobanViewport *viewport)
{
  g_return_if_fail (GOBAN_IS_VIEW (self) && viewport != NULL);

  if (goban_viewport_is_set (viewport))
    g_signal_emit_by_name (self, "look", viewport);
}

void
goban_view_snapshot (GobanView *self, guint number)
{
  GobanBookmark bookmark;

  g_return_if_fail (GOBAN_IS_VIEW (self));

  bookmark = (GobanBookmark){
    .viewport = self->viewport,
    .color = self->color,
    .grouping = self->grouping,
    .layout = self->layout,
    .expanded = (char **) goban_names_get (self->expanded), /* is copied */
  };
  goban_navigation_set_bookmark (self->places, number, &bookmark);
  goban_log_emit (self, "view.snapshot(%u)", number);
  g_signal_emit_by_name (self, "bookmarked");
}

gboolean
goban_view_recall (GobanView *self, guint number)
{
  const GobanBookmark *bookmark;

  g_return_val_if_fail (GOBAN_IS_VIEW (self), FALSE);

  bookmark = goban_navigation_get_bookmark (self->places, number);
  if (bookmark == NULL)
    return FALSE;

  goban_view_set_color (self, bookmark->color);
  goban_view_set_grouping (self, (GobanGrouping) bookmark->grouping);
  goban_view_set_layout (self, (GobanArrangement) bookmark->layout);
  goban_view_set_expanded (self, (const char *const *) bookmark->expanded);
  goban_view_go_to_viewport (self, &bookmark->viewport);
  return TRUE;
}

GobanNavigation *
goban_view_get_places (GobanView *self)
{
  g_return_val_if_fail (GOBAN_IS_VIEW (self), NULL);

  return self->places;
}

/* --- groups ----------------------------------------------------------------------------------- */

GobanGrouping
goban_view_get_grouping (GobanView *self)
{
  g_return_val_if_fail (GOBAN_IS_VIEW (self), GOBAN_GROUPING_AUTO);

  return self->grouping;
}

/* Takes @names (transfer full). */
static void
take_expanded (GobanView *self, GobanNames *names)
{
  goban_names_unref (self->expanded);
  self->expanded = names;
}

/* FALSE if those are the open ones. */
static gboolean
adopt_expanded (GobanView *self, const char *const *groups)
{
  g_autoptr (GobanNames) names = goban_names_new (groups);

  if (goban_names_equal (names, self->expanded))
    return FALSE;

  take_expanded (self, g_steal_pointer (&names));
  return TRUE;
}

static GParamSpec *props[GOBAN_VIEW_N_PROPS];

static void
view_notify (GobanView *self, guint property)
{
  g_object_notify_by_pspec (G_OBJECT (self), props[property]);
}

void
goban_view_show_expanded (GobanView *self, const char *const *groups)
{
  g_return_if_fail (GOBAN_IS_VIEW (self) && groups != NULL);

  if (adopt_expanded (self, groups))
    view_notify (self, GOBAN_VIEW_PROP_EXPANDED);
}

static void
view_close_groups (GobanView *self)
{
  static const char *const nothing[] = { NULL };

  goban_view_show_expanded (self, nothing);
}

void
goban_view_set_grouping (GobanView *self, GobanGrouping grouping)
{
  g_return_if_fail (GOBAN_IS_VIEW (self));

  if (self->grouping == grouping)
    return;

  self->grouping = grouping;
  goban_log_emit (self, "view.group \"%s\"", goban_grouping_names[grouping]);
  view_close_groups (self);
  view_notify (self, GOBAN_VIEW_PROP_GROUPING);
}

const char *const *
goban_view_get_expanded (GobanView *self)
{
  g_return_val_if_fail (GOBAN_IS_VIEW (self), NULL);

  return goban_names_get (self->expanded);
}

GobanNames *
goban_view_ref_expanded (GobanView *self)
{
  g_return_val_if_fail (GOBAN_IS_VIEW (self), NULL);

  return goban_names_ref (self->expanded);
}

gboolean
goban_view_is_expanded (GobanView *self, const char *group)
{
  g_return_val_if_fail (GOBAN_IS_VIEW (self) && group != NULL, FALSE);

  return goban_names_contain (self->expanded, group);
}

/* By hand: of all groups of a large graph it is a megabyte. */
static void
log_expanded (GobanView *self)
{
  const char *const *names = goban_names_get (self->expanded);
  g_autoptr (GString) line = g_string_new ("view.expanded{");

  for (guint i = 0; names[i] != NULL; i++)
    {
      if (i > 0)
        g_string_append (line, ", ");
      goban_lua_text_append (line, names[i]);
    }
  g_string_append_c (line, '}');
  g_signal_emit_by_name (self, "log", line->str);
}

void
goban_view_set_expanded (GobanView *self, const char *const *groups)
{
  g_return_if_fail (GOBAN_IS_VIEW (self) && groups != NULL);

  if (!adopt_expanded (self, groups))
    return;

  log_expanded (self);
  view_notify (self, GOBAN_VIEW_PROP_EXPANDED);
}

void
goban_view_expand (GobanView *self, const char *group, gboolean is_expanded)
{
  g_autofree char *quoted = NULL;

  g_return_if_fail (GOBAN_IS_VIEW (self) && group != NULL);

  if (goban_view_is_expanded (self, group) == is_expanded)
    return;

  quoted = goban_lua_text_quote (group);
  take_expanded (self, is_expanded ? goban_names_with (self->expanded, group)
                                   : goban_names_without (self->expanded, group));
  goban_log_emit (self, "view.%s %s", is_expanded ? "expand" : "collapse", quoted);
  view_notify (self, GOBAN_VIEW_PROP_EXPANDED);
}

GobanArrangement
goban_view_get_layout (GobanView *self)
{
  g_return_val_if_fail (GOBAN_IS_VIEW (self), GOBAN_ARRANGE_AUTO);

  return self->layout;
}

void
goban_view_set_layout (GobanView *self, GobanArrangement layout)
{
  g_return_if_fail (GOBAN_IS_VIEW (self));

  if (self->layout == layout)
    return;

  self->layout = layout;
  goban_log_emit (self, "view.layout \"%s\"", goban_arrangement_name (layout));
  view_notify (self, GOBAN_VIEW_PROP_LAYOUT);
}

/* --- lanes ------------------------------------------------------------------------------------ */

const GobanLanes *
goban_view_get_lanes (GobanView *self)
{
  g_return_val_if_fail (GOBAN_IS_VIEW (self), NULL);

  return &self->lanes.lanes;
}

/* pinned = { "gpu:1" }, behind a comma if it is not the first; nothing for an empty list. */
static void
append_names (GString *text, const char *key, const char *const *names)
{
  if (names[0] == NULL)
    return;

  g_string_append_printf (text, "%s%s = { ", text->len > 0 ? ", " : "", key);
  for (guint i = 0; names[i] != NULL; i++)
    {
      g_autofree char *quoted = goban_lua_text_quote (names[i]);

      g_string_append_printf (text, "%s%s", i > 0 ? ", " : "", quoted);
    }
  g_string_append (text, " }");
}

/* @a: (nullable): no names */
static gboolean
is_same (const char *const *a, const char *const *b)
{
  return a != NULL ? g_strv_equal (a, b) : b[0] == NULL;
}

/* (transfer container): the names without one, to be changed. */
static GPtrArray *
copy_without (const char *const *names, const char *dropped)
{
  GPtrArray *copy = g_ptr_array_new ();

  for (guint i = 0; names[i] != NULL; i++)
    if (!g_str_equal (names[i], dropped))
      g_ptr_array_add (copy, (gpointer) names[i]);
  return copy;
}

static void
set_name (GobanView *self, const char *const **list, GobanLanes *lanes, const char *name,
          gboolean is_in)
{
  g_autoptr (GPtrArray) names = copy_without (*list, name);

  if (is_in)
    g_ptr_array_add (names, (gpointer) name);
  g_ptr_array_add (names, NULL);
  *list = (const char *const *) names->pdata;
  goban_view_set_lanes (self, lanes);
}

void
goban_view_set_lanes_open (GobanView *self, const char *name, gboolean is_open)
{
  GobanLanes lanes;

  g_return_if_fail (GOBAN_IS_VIEW (self) && name != NULL);

  lanes = self->lanes.lanes;
  lanes.is_strips = lanes.is_strips && !is_open;
  set_name (self, &lanes.open, &lanes, name, is_open);
}

void
goban_view_set_lane_pinned (GobanView *self, const char *name, gboolean is_pinned)
{
  GobanLanes lanes;

  g_return_if_fail (GOBAN_IS_VIEW (self) && name != NULL);

  lanes = self->lanes.lanes;
  set_name (self, &lanes.pinned, &lanes, name, is_pinned);
}

void
goban_view_cycle_lanes (GobanView *self)
{
  static const char *const all[] = { GOBAN_LANES_MEMORY, GOBAN_LANES_LINKS, NULL };
  GobanLanes lanes;

  g_return_if_fail (GOBAN_IS_VIEW (self));

  lanes = self->lanes.lanes;
  if (lanes.is_strips || lanes.open[0] != NULL)
    {
      lanes.is_strips = !lanes.is_strips;
      lanes.open = NULL;
    }
  else
    lanes.open = all;
  goban_view_set_lanes (self, &lanes);
}

void
goban_view_set_lanes (GobanView *self, const GobanLanes *lanes)
{
  g_autoptr (GString) text = g_string_new (NULL);
  const GobanLanes *own = &self->lanes.lanes;

  g_return_if_fail (GOBAN_IS_VIEW (self) && lanes != NULL);

  if (is_same (lanes->open, own->open) && is_same (lanes->pinned, own->pinned)
      && is_same (lanes->order, own->order) && lanes->is_strips == own->is_strips)
    return;

  goban_own_lanes_set (&self->lanes, lanes);
  append_names (text, "open", own->open);
  append_names (text, "pinned", own->pinned);
  append_names (text, "order", own->order);
  if (own->is_strips)
    g_string_append_printf (text, "%sstrips = true", text->len > 0 ? ", " : "");
  goban_log_emit (self, "view.lanes{%s}", text->str);
  view_notify (self, GOBAN_VIEW_PROP_LANES);
}

/* --- time ------------------------------------------------------------------------------------- */

static const char *const level_names[GOBAN_N_DECISION_LEVELS]
    = { "moment", "pass", "plan", "round" };
static const char *const stops_names[] = { "all", "accepted", "line" };

const char *
goban_level_get_name (GobanLevel level)
{
  return level_names[level];
}

gboolean
goban_level_parse (const char *name, GobanLevel *level)
{
  int found = goban_find_word (level_names, G_N_ELEMENTS (level_names), name);

  *level = (GobanLevel) MAX (found, 0);
  return found >= 0;
}

gboolean
goban_stops_parse (const char *name, GobanStops *stops)
{
  int found = goban_find_word (stops_names, G_N_ELEMENTS (stops_names), name);

  *stops = (GobanStops) MAX (found, 0);
  return found >= 0;
}

double
goban_view_get_time_us (GobanView *self)
{
  g_return_val_if_fail (GOBAN_IS_VIEW (self), NAN);

  return self->time_us;
}

static gboolean
is_same_time (double a, double b)
{
  return a == b || (isnan (a) && isnan (b));
}

void
goban_view_play_to (GobanView *self, double time_us)
{
  g_return_if_fail (GOBAN_IS_VIEW (self));

  if (is_same_time (self->time_us, time_us))
    return;

  self->time_us = time_us;
  view_notify (self, GOBAN_VIEW_PROP_TIME);
}

void
goban_view_set_time_us (GobanView *self, double time_us)
{
  char number[G_ASCII_DTOSTR_BUF_SIZE];

  g_return_if_fail (GOBAN_IS_VIEW (self));

  if (is_same_time (self->time_us, time_us))
    return;

  goban_view_play_to (self, time_us);
  if (isnan (time_us))
    goban_log_emit (self, "view.time()");
  else
    goban_log_emit (self, "view.time \"%sus\"", g_ascii_dtostr (number, sizeof number, time_us));
}

void
goban_view_stop_at (GobanView *self, const GArray *moments)
{
  g_return_if_fail (GOBAN_IS_VIEW (self));

  g_array_set_size (self->stop_at, 0);
  if (moments != NULL)
    g_array_append_vals (self->stop_at, moments->data, moments->len);
}

void
goban_view_toggle_stop_at (GobanView *self, GobanMoment moment)
{
  g_autoptr (GString) line = g_string_new ("view.stop_at{");
  guint n;

  g_return_if_fail (GOBAN_IS_VIEW (self));

  n = self->stop_at->len;
  for (guint i = n; i > 0; i--)
    if (g_array_index (self->stop_at, GobanMoment, i - 1) == moment)
      g_array_remove_index (self->stop_at, i - 1);
  if (self->stop_at->len == n)
    g_array_append_val (self->stop_at, moment);
  for (guint i = 0; i < self->stop_at->len; i++)
    g_string_append_printf (line, "%s%u", i > 0 ? ", " : "",
                            g_array_index (self->stop_at, GobanMoment, i));
  goban_log_emit (self, "%s}", line->str);
}

int
goban_view_find_stop_at (GobanView *self, int from, int to)
{
  int found = GOBAN_NO_MOMENT;

  g_return_val_if_fail (GOBAN_IS_VIEW (self), GOBAN_NO_MOMENT);

  for (guint i = 0; i < self->stop_at->len; i++)
    {
      int moment = (int) g_array_index (self->stop_at, GobanMoment, i);

      if (moment > from && moment <= to && (found == GOBAN_NO_MOMENT || moment < found))
        found = moment;
    }
  return found;
}

int
goban_view_get_moment (GobanView *self)
{
  g_return_val_if_fail (GOBAN_IS_VIEW (self), GOBAN_NO_MOMENT);

  return self->moment;
}

void
goban_view_play_moment (GobanView *self, int moment)
{
  g_return_if_fail (GOBAN_IS_VIEW (self) && moment >= GOBAN_NO_MOMENT);

  if (self->moment == moment)
    return;

  self->moment = moment;
  view_notify (self, GOBAN_VIEW_PROP_MOMENT);
}

void
goban_view_set_moment (GobanView *self, int moment)
{
  g_return_if_fail (GOBAN_IS_VIEW (self) && moment >= GOBAN_NO_MOMENT);

  if (self->moment == moment)
    return;

  goban_view_play_moment (self, moment);
  if (moment == GOBAN_NO_MOMENT)
    goban_log_emit (self, "view.moment()");
  else
    goban_log_emit (self, "view.moment(%d)", moment);
}

GobanLevel
goban_view_get_level (GobanView *self)
{
  g_return_val_if_fail (GOBAN_IS_VIEW (self), GOBAN_LEVEL_MOMENT);

  return self->level;
}

GobanStops
goban_view_get_stops (GobanView *self)
{
  g_return_val_if_fail (GOBAN_IS_VIEW (self), GOBAN_STOPS_LINE);

  return self->stops;
}

void
goban_view_set_level (GobanView *self, GobanLevel level, GobanStops stops)
{
  g_return_if_fail (GOBAN_IS_VIEW (self) && level < GOBAN_N_DECISION_LEVELS);

  if (self->level == level && self->stops == stops)
    return;

  self->level = level;
  self->stops = stops;
  view_notify (self, GOBAN_VIEW_PROP_LEVEL);
  goban_log_emit (self, "view.level(\"%s\", \"%s\")", level_names[level], stops_names[stops]);
}

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
  view_notify (self, GOBAN_VIEW_PROP_WORKSPACE);
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
  view_notify (self, GOBAN_VIEW_PROP_COLOR);
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
  view_notify (self, GOBAN_VIEW_PROP_COLOR);
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
  view_notify (self, GOBAN_VIEW_PROP_HIDDEN);
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
      view_notify (self, GOBAN_VIEW_PROP_HIDDEN);
    }
  view_close_groups (self);
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
      view_notify (self, GOBAN_VIEW_PROP_COLOR);
    }
}
