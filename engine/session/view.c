#include "engine/session/view.h"

#include "engine/base/find-word.h"
#include "engine/session/log-lines.h"
#include "engine/session/set-words.h"

#include <math.h>
#include <string.h>

/* GOBAN_NO_STEP of step.h, which cannot be included here because it depends on runs. */
#define NO_STEP (-1)

struct _GobanView
{
  GObject parent_instance;

  char *color;
  GobanNodeValues *script_values; /* (nullable) */
  GobanSelection *hidden;
  GobanGrouping grouping;
  GobanNames *expanded;
  GobanArrangement layout;
  double time_us;
  int step;
  GobanLanes lanes; /* owned, no list is NULL */
  GobanTimeMarks *marks;
  GobanViewport sight;
  GobanNavigation *places;
  GobanSetWords *words;
};

enum
{
  PROP_COLOR = 1,
  PROP_HIDDEN,
  PROP_GROUPING,
  PROP_EXPANDED,
  PROP_LAYOUT,
  PROP_TIME,
  PROP_LANES,
  PROP_STEP,
  N_PROPS
};

static GParamSpec *props[N_PROPS];
static guint look_signal;
static guint bookmarked_signal;

G_DEFINE_FINAL_TYPE (GobanView, goban_view, G_TYPE_OBJECT)

/* --- words -------------------------------------------------------------------------------- */

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

/* --- life --------------------------------------------------------------------------------- */

void
goban_lanes_clear (GobanLanes *lanes)
{
  g_strfreev ((char **) lanes->pinned);
  g_strfreev ((char **) lanes->hidden);
  g_strfreev ((char **) lanes->order);
}

static const char *const *
copy_names (const char *const *names)
{
  return (const char *const *) (names != NULL ? g_strdupv ((char **) names) : g_new0 (char *, 1));
}

GobanLanes
goban_lanes_copy (const GobanLanes *lanes)
{
  return (GobanLanes){ copy_names (lanes->pinned), copy_names (lanes->hidden),
                       copy_names (lanes->order) };
}

static void
goban_view_finalize (GObject *object)
{
  GobanView *self = GOBAN_VIEW (object);

  g_clear_pointer (&self->color, g_free);
  g_clear_pointer (&self->script_values, goban_node_values_unref);
  g_clear_pointer (&self->hidden, goban_selection_unref);
  g_clear_pointer (&self->expanded, goban_names_unref);
  goban_lanes_clear (&self->lanes);
  g_clear_object (&self->marks);
  g_clear_pointer (&self->places, goban_navigation_free);
  g_clear_pointer (&self->words, goban_set_words_free);
  G_OBJECT_CLASS (goban_view_parent_class)->finalize (object);
}

static void
goban_view_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  GobanView *self = GOBAN_VIEW (object);

  switch (id)
    {
    case PROP_COLOR:
      g_value_set_string (value, self->color);
      break;
    case PROP_HIDDEN:
      g_value_set_boxed (value, self->hidden);
      break;
    case PROP_GROUPING:
      g_value_set_int (value, self->grouping);
      break;
    case PROP_EXPANDED:
      g_value_set_boxed (value, goban_names_get (self->expanded));
      break;
    case PROP_LAYOUT:
      g_value_set_int (value, self->layout);
      break;
    case PROP_TIME:
      g_value_set_double (value, self->time_us);
      break;
    case PROP_LANES:
      g_value_set_pointer (value, &self->lanes);
      break;
    case PROP_STEP:
      g_value_set_int (value, self->step);
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

  props[PROP_COLOR] = g_param_spec_string ("color", NULL, NULL, NULL, flags);
  props[PROP_HIDDEN] = g_param_spec_boxed ("hidden", NULL, NULL, GOBAN_TYPE_SELECTION, flags);
  props[PROP_GROUPING]
      = g_param_spec_int ("grouping", NULL, NULL, 0, GOBAN_N_GROUPINGS - 1, 0, flags);
  props[PROP_EXPANDED] = g_param_spec_boxed ("expanded", NULL, NULL, G_TYPE_STRV, flags);
  props[PROP_LAYOUT]
      = g_param_spec_int ("layout", NULL, NULL, 0, GOBAN_N_ARRANGEMENTS - 1, 0, flags);
  props[PROP_TIME] = g_param_spec_double ("time", NULL, NULL, -G_MAXDOUBLE, G_MAXDOUBLE, 0, flags);
  props[PROP_LANES] = g_param_spec_pointer ("lanes", NULL, NULL, flags);
  props[PROP_STEP] = g_param_spec_int ("step", NULL, NULL, NO_STEP, G_MAXINT, NO_STEP, flags);
  g_object_class_install_properties (object_class, N_PROPS, props);

  g_signal_new ("log", GOBAN_TYPE_VIEW, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1,
                G_TYPE_STRING);
  bookmarked_signal = g_signal_new ("bookmarked", GOBAN_TYPE_VIEW, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                    NULL, G_TYPE_NONE, 0);
  look_signal = g_signal_new ("look", GOBAN_TYPE_VIEW, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                              G_TYPE_NONE, 1, G_TYPE_POINTER);
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
  self->step = NO_STEP;
  self->lanes = goban_lanes_copy (&(GobanLanes){ NULL });
  self->marks = goban_time_marks_new ();
  g_signal_connect_swapped (self->marks, "log", G_CALLBACK (marks_log_cb), self);
  self->places = goban_navigation_new ();
  self->words = goban_set_words_new ();
}

GobanView *
goban_view_new (void)
{
  return g_object_new (GOBAN_TYPE_VIEW, NULL);
}

/* --- changes ------------------------------------------------------------------------------ */

static void
notify (GobanView *self, guint property)
{
  g_object_notify_by_pspec (G_OBJECT (self), props[property]);
}

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
      = self->script_values != NULL ? goban_log_quote (self->script_values->name) : NULL;

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
    goban_log_emit (self, "view.color \"%s\"", color);
  notify (self, PROP_COLOR);
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
  notify (self, PROP_COLOR);
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
  nodes = goban_set_words_to_lua (self->words, graph, hidden, NULL);
  goban_log_emit (self, "view.hide(%s)", n > 0 ? nodes : "");
  notify (self, PROP_HIDDEN);
}

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

static void
close_all (GobanView *self)
{
  static const char *const nothing[] = { NULL };

  if (goban_names_get_n (self->expanded) == 0)
    return;

  take_expanded (self, goban_names_new (nothing));
  notify (self, PROP_EXPANDED);
}

void
goban_view_set_grouping (GobanView *self, GobanGrouping grouping)
{
  g_return_if_fail (GOBAN_IS_VIEW (self));

  if (self->grouping == grouping)
    return;

  self->grouping = grouping;
  goban_log_emit (self, "view.group \"%s\"", goban_grouping_name (grouping));
  close_all (self);
  notify (self, PROP_GROUPING);
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
      goban_log_append_quoted (line, names[i]);
    }
  g_string_append_c (line, '}');
  g_signal_emit_by_name (self, "log", line->str);
}

void
goban_view_set_expanded (GobanView *self, const char *const *groups)
{
  g_autoptr (GobanNames) names = NULL;

  g_return_if_fail (GOBAN_IS_VIEW (self) && groups != NULL);

  names = goban_names_new (groups);
  if (goban_names_equal (names, self->expanded))
    return;

  take_expanded (self, g_steal_pointer (&names));
  log_expanded (self);
  notify (self, PROP_EXPANDED);
}

void
goban_view_expand (GobanView *self, const char *group, gboolean is_expanded)
{
  g_autofree char *quoted = NULL;

  g_return_if_fail (GOBAN_IS_VIEW (self) && group != NULL);

  if (goban_view_is_expanded (self, group) == is_expanded)
    return;

  quoted = goban_log_quote (group);
  take_expanded (self, is_expanded ? goban_names_with (self->expanded, group)
                                   : goban_names_without (self->expanded, group));
  goban_log_emit (self, "view.%s %s", is_expanded ? "expand" : "collapse", quoted);
  notify (self, PROP_EXPANDED);
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
  goban_log_emit (self, "view.layout \"%s\"", arrangement_names[layout]);
  notify (self, PROP_LAYOUT);
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
  notify (self, PROP_TIME);
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

int
goban_view_get_step (GobanView *self)
{
  g_return_val_if_fail (GOBAN_IS_VIEW (self), NO_STEP);

  return self->step;
}

void
goban_view_play_step (GobanView *self, int step)
{
  g_return_if_fail (GOBAN_IS_VIEW (self) && step >= NO_STEP);

  if (self->step == step)
    return;

  self->step = step;
  notify (self, PROP_STEP);
}

void
goban_view_set_step (GobanView *self, int step)
{
  g_return_if_fail (GOBAN_IS_VIEW (self) && step >= NO_STEP);

  if (self->step == step)
    return;

  goban_view_play_step (self, step);
  if (step == NO_STEP)
    goban_log_emit (self, "view.step()");
  else
    goban_log_emit (self, "view.step(%d)", step);
}

const GobanLanes *
goban_view_get_lanes (GobanView *self)
{
  g_return_val_if_fail (GOBAN_IS_VIEW (self), NULL);

  return &self->lanes;
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
      g_autofree char *quoted = goban_log_quote (names[i]);

      g_string_append_printf (text, "%s%s", i > 0 ? ", " : "", quoted);
    }
  g_string_append (text, " }");
}

void
goban_view_set_lanes (GobanView *self, const GobanLanes *lanes)
{
  g_autoptr (GString) text = g_string_new (NULL);
  GobanLanes copy;

  g_return_if_fail (GOBAN_IS_VIEW (self) && lanes != NULL);

  copy = goban_lanes_copy (lanes);
  if (g_strv_equal (copy.pinned, self->lanes.pinned)
      && g_strv_equal (copy.hidden, self->lanes.hidden)
      && g_strv_equal (copy.order, self->lanes.order))
    {
      goban_lanes_clear (&copy);
      return;
    }

  goban_lanes_clear (&self->lanes);
  self->lanes = copy;
  append_names (text, "pinned", copy.pinned);
  append_names (text, "hidden", copy.hidden);
  append_names (text, "order", copy.order);
  goban_log_emit (self, "view.lanes{%s}", text->str);
  notify (self, PROP_LANES);
}

GobanTimeMarks *
goban_view_get_marks (GobanView *self)
{
  g_return_val_if_fail (GOBAN_IS_VIEW (self), NULL);

  return self->marks;
}

/* --- places ------------------------------------------------------------------------------- */

const GobanViewport *
goban_view_get_sight (GobanView *self)
{
  g_return_val_if_fail (GOBAN_IS_VIEW (self), NULL);

  return &self->sight;
}

void
goban_view_set_sight (GobanView *self, const GobanViewport *sight)
{
  g_return_if_fail (GOBAN_IS_VIEW (self) && sight != NULL);

  self->sight = *sight;
  goban_navigation_look (self->places, sight);
}

void
goban_view_look (GobanView *self, const GobanViewport *sight)
{
  g_return_if_fail (GOBAN_IS_VIEW (self) && sight != NULL);

  if (goban_viewport_is_set (sight))
    g_signal_emit (self, look_signal, 0, sight);
}

void
goban_view_snapshot (GobanView *self, guint number)
{
  GobanBookmark bookmark;

  g_return_if_fail (GOBAN_IS_VIEW (self));

  bookmark = (GobanBookmark){
    .sight = self->sight,
    .color = self->color,
    .grouping = self->grouping,
    .layout = self->layout,
    .expanded = (char **) goban_names_get (self->expanded), /* is copied */
  };
  goban_navigation_set_bookmark (self->places, number, &bookmark);
  goban_log_emit (self, "view.snapshot(%u)", number);
  g_signal_emit (self, bookmarked_signal, 0);
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
  goban_view_look (self, &bookmark->sight);
  return TRUE;
}

GobanNavigation *
goban_view_get_places (GobanView *self)
{
  g_return_val_if_fail (GOBAN_IS_VIEW (self), NULL);

  return self->places;
}

GobanSetWords *
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
      notify (self, PROP_HIDDEN);
    }
  close_all (self);
  goban_view_play_to (self, NAN);
  goban_view_play_step (self, NO_STEP);
  goban_time_marks_forget (self->marks);
  goban_navigation_clear (self->places);
  self->sight = (GobanViewport){ 0 };
  g_clear_pointer (&self->script_values, goban_node_values_unref);
  if (g_str_equal (self->color, "script"))
    {
      g_free (self->color);
      self->color = g_strdup ("device");
      notify (self, PROP_COLOR);
    }
}
