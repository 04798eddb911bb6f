#include "engine/session/document/session-file-places.h"

#include "engine/core/error.h"
#include "engine/core/i18n.h"
#include "engine/core/quantity.h"
#include "engine/session/document/session-file-compare.h"
#include "engine/session/state.h"
#include "engine/session/view-time.h"
#include "engine/study/analysis/coloring.h"

#include <math.h>

/* Coordinates of a world, which are far smaller: differences of any two, and scales, are finite. */
#define MOST_SIGHT 1e15

/* --- writing ---------------------------------------------------------------------------------- */

/* The keys after "color" that come before those of @number, in their order. */
static void
add_look (GobanWriter *self, const GobanBookmark *look)
{
  goban_writer_add_texts (self, "expanded", (const char *const *) look->expanded);
  goban_writer_add_text (self, "grouping", goban_grouping_name ((GobanGrouping) look->grouping));
  goban_writer_add_text (self, "layout", goban_arrangement_name ((GobanArrangement) look->layout));
}

static void
add_viewport (GobanWriter *self, const GobanViewport *viewport)
{
  char x0[GOBAN_QUANTITY_LEN], y0[GOBAN_QUANTITY_LEN], x1[GOBAN_QUANTITY_LEN],
      y1[GOBAN_QUANTITY_LEN];
  g_autofree char *text = g_strdup_printf (
      "%s %s %s %s", goban_format_double (x0, viewport->x0), goban_format_double (y0, viewport->y0),
      goban_format_double (x1, viewport->x1), goban_format_double (y1, viewport->y1));

  goban_writer_add_text (self, "sight", text);
}

/* Opens the list before its first element. */
static void
begin (GobanWriter *self, const char *key, gboolean *is_open)
{
  if (!*is_open)
    {
      goban_writer_add_key (self, key);
      goban_writer_open (self, '[');
    }
  *is_open = TRUE;
  goban_writer_begin_line (self);
  goban_writer_open (self, '{');
}

void
goban_session_write_bookmarks (GobanWriter *writer, const GobanNavigation *places)
{
  gboolean is_open = FALSE;

  for (guint number = 1; number <= GOBAN_BOOKMARKS; number++)
    {
      const GobanBookmark *bookmark = goban_navigation_get_bookmark (places, number);

      if (bookmark == NULL)
        continue;
      begin (writer, "bookmarks", &is_open);
      goban_writer_add_text (writer, "color", bookmark->color);
      add_look (writer, bookmark);
      goban_writer_add_count (writer, "number", number);
      add_viewport (writer, &bookmark->viewport);
      goban_writer_close (writer, '}');
    }
  if (is_open)
    goban_writer_close (writer, ']');
}

static void
add_plan (GobanWriter *writer, const char *name, double makespan_us)
{
  if (isfinite (makespan_us))
    goban_writer_add_number (writer, "makespan_us", makespan_us);
  goban_writer_add_text (writer, "plan", name);
}

static void
add_comparison (GobanWriter *writer, const GobanSceneComparison *comparison)
{
  if (comparison->n_plans == 0)
    return;
  goban_writer_add_key (writer, "compare");
  goban_writer_open (writer, '{');
  goban_session_write_looks_start (writer, &comparison->looks);
  goban_session_write_pair (writer, comparison->pair);
  goban_writer_add_key (writer, "plans");
  goban_writer_open (writer, '[');
  for (guint i = 0; i < comparison->n_plans; i++)
    {
      goban_writer_begin_line (writer);
      goban_writer_open (writer, '{');
      add_plan (writer, comparison->plans[i].name, comparison->plans[i].makespan_us);
      goban_writer_close (writer, '}');
    }
  goban_writer_close (writer, ']');
  goban_session_write_looks_end (writer, &comparison->looks);
  goban_writer_close (writer, '}');
}

void
goban_session_write_scenes (GobanWriter *writer, const GobanSceneList *scenes)
{
  gboolean is_open = FALSE;

  for (guint i = 0; i < goban_scene_list_get_n (scenes); i++)
    {
      const GobanScene *scene = goban_scene_list_get (scenes, i);

      begin (writer, "scenes", &is_open);
      goban_writer_add_text (writer, "color", scene->look.color);
      add_comparison (writer, &scene->comparison);
      add_look (writer, &scene->look);
      if (scene->plan != NULL)
        add_plan (writer, scene->plan, scene->makespan_us);
      goban_writer_add_nodes (writer, "selection", scene->selection);
      add_viewport (writer, &scene->look.viewport);
      if (scene->moment >= 0)
        goban_writer_add_count (writer, "moment", (guint64) scene->moment);
      goban_writer_add_lines (writer, "text", scene->text);
      if (isfinite (scene->time_us))
        goban_writer_add_number (writer, "time_us", scene->time_us);
      goban_writer_close (writer, '}');
    }
  if (is_open)
    goban_writer_close (writer, ']');
}

/* --- reading ---------------------------------------------------------------------------------- */

static gboolean
scan_viewport (const char *text, GobanViewport *viewport)
{
  double numbers[4];
  char *end = (char *) text;

  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    {
      const char *from = end;

      numbers[i] = g_ascii_strtod (from, &end);
      if (end == from || !(fabs (numbers[i]) <= MOST_SIGHT))
        return FALSE;
    }
  *viewport = (GobanViewport){ numbers[0], numbers[1], numbers[2], numbers[3] };
  return *end == '\0';
}

static gboolean
read_viewport (GobanJsonValue place, GobanViewport *viewport, GError **error)
{
  const char *text = "0 0 0 0";

  return goban_json_get_text (place, "sight", &text, error)
         && (scan_viewport (text, viewport)
             || goban_json_refuse_value (goban_json_find (place, "sight"),
                                         N_ ("a text of four numbers"), error));
}

gboolean
goban_session_read_look (GobanJsonValue place, GobanBookmark *look, GError **error)
{
  const char *color = "device", *grouping = "auto", *layout = "auto";
  GobanGrouping shown_grouping = GOBAN_GROUPING_AUTO;
  GobanArrangement shown_layout = GOBAN_ARRANGE_AUTO;
  const char **expanded = NULL;
  g_autoptr (GError) misfit = NULL;

  if (!goban_json_get_text (place, "color", &color, error)
      || !goban_json_get_text (place, "grouping", &grouping, error)
      || !goban_json_get_text (place, "layout", &layout, error))
    return FALSE;
  if (!goban_color_check (color, &misfit))
    return goban_json_refuse (goban_json_find (place, "color"), error, "%s", misfit->message);
  if (!goban_grouping_find (grouping, &shown_grouping))
    return goban_json_refuse (goban_json_find (place, "grouping"), error,
                              "there is no grouping “%s”", grouping);
  if (!goban_arrangement_find (layout, &shown_layout))
    return goban_json_refuse (goban_json_find (place, "layout"), error, "there is no layout “%s”",
                              layout);
  if (!goban_json_get_texts (place, "expanded", &expanded, error))
    return FALSE;
  look->color = (char *) color;
  look->grouping = (int) shown_grouping;
  look->layout = (int) shown_layout;
  look->expanded = expanded != NULL ? (char **) expanded : g_new0 (char *, 1);
  return TRUE;
}

static gboolean
read_bookmark (const GobanReader *self, GobanJsonValue place, GError **error)
{
  static const char *const keys[]
      = { "color", "expanded", "grouping", "layout", "number", "sight", NULL };
  g_autofree char **expanded = NULL;
  GobanBookmark bookmark;
  guint64 number = 0;

  if (!goban_json_check_object (place, keys, error)
      || !goban_reader_read_count (place, "number", &number, error))
    return FALSE;
  if (number < 1 || number > GOBAN_BOOKMARKS)
    return goban_json_refuse (place, error, "bookmarks have numbers 1 to %d", GOBAN_BOOKMARKS);
  if (!read_viewport (place, &bookmark.viewport, error)
      || !goban_session_read_look (place, &bookmark, error))
    return FALSE;
  expanded = bookmark.expanded;
  goban_navigation_set_bookmark (self->snapshot->places, (guint) number, &bookmark);
  return TRUE;
}

gboolean
goban_session_read_bookmarks (GobanReader *reader, GobanJsonValue root, GError **error)
{
  GobanJsonItems items;
  GobanJsonValue item;

  if (!goban_json_get_list (root, "bookmarks", &items, error))
    return FALSE;
  while (goban_json_items_next (&items, &item))
    if (!read_bookmark (reader, item, error))
      return FALSE;
  return TRUE;
}

/* (transfer full) */
static gboolean
read_text (GobanJsonValue place, char **text, GError **error)
{
  g_autofree const char **lines = NULL;

  if (!goban_json_get_texts (place, "text", &lines, error))
    return FALSE;
  *text = lines != NULL ? g_strjoinv ("\n", (char **) lines) : g_strdup ("");
  return TRUE;
}

/* @comparison: the names are the reader's. */
static gboolean
read_comparison (GobanJsonValue scene, GobanSceneComparison *comparison, GError **error)
{
  static const char *const keys[] = { "devices", "lanes", "mode",         "pair",      "plans",
                                      "scales",  "sync",  "threshold_us", "unchanged", NULL };
  static const char *const plan_keys[] = { "makespan_us", "plan", NULL };
  GobanJsonValue place = goban_json_find (scene, "compare");
  GobanJsonItems items;
  GobanJsonValue item;

  comparison->looks = goban_compare_looks_usual ();
  if (goban_json_is_missing (place))
    return TRUE;
  if (!goban_json_check_object (place, keys, error)
      || !goban_session_read_looks (place, &comparison->looks, error)
      || !goban_json_get_list (place, "plans", &items, error))
    return FALSE;
  while (goban_json_items_next (&items, &item))
    {
      GobanScenePlan plan = { NULL, INFINITY };
      const char *name = NULL;

      if (comparison->n_plans == GOBAN_SCENE_PLANS)
        return goban_json_refuse (item, error, "at most %d plans are compared", GOBAN_SCENE_PLANS);
      if (!goban_json_check_object (item, plan_keys, error)
          || !goban_json_get_text (item, "plan", &name, error)
          || !goban_json_get_number (item, "makespan_us", GOBAN_JSON_AMOUNT, &plan.makespan_us,
                                     error))
        return FALSE;
      if (name == NULL)
        return goban_json_refuse (item, error, "a compared plan has no name");
      plan.name = (char *) name;
      comparison->plans[comparison->n_plans++] = plan;
    }
  if (comparison->n_plans < 2)
    return goban_json_refuse (place, error, "at least two plans are compared");
  return goban_session_read_pair (place, comparison->n_plans, comparison->pair, error);
}

static gboolean
read_scene (const GobanReader *self, GobanJsonValue place, GError **error)
{
  static const char *const keys[]
      = { "color",  "compare",   "expanded", "grouping", "layout",  "makespan_us", "plan",
          "moment", "selection", "sight",    "text",     "time_us", NULL };
  GobanState *state = self->snapshot->state;
  g_autofree char **expanded = NULL;
  g_autofree char *text = NULL;
  g_autoptr (GobanSelection) selection = goban_selection_new (NULL, 0);
  g_autoptr (GobanScene) scene = NULL;
  g_autoptr (GobanSceneList) list = NULL;
  const char *plan = NULL;
  GobanScene content
      = { .time_us = (double) NAN, .moment = GOBAN_NO_MOMENT, .makespan_us = INFINITY };
  guint64 moment = 0;

  if (!goban_json_check_object (place, keys, error) || !read_text (place, &text, error)
      || !goban_json_get_text (place, "plan", &plan, error)
      || !goban_json_get_number (place, "makespan_us", GOBAN_JSON_AMOUNT, &content.makespan_us,
                                 error)
      || !goban_json_get_number (place, "time_us", GOBAN_JSON_AMOUNT, &content.time_us, error)
      || !goban_reader_read_count (place, "moment", &moment, error)
      || !goban_reader_read_nodes (self, place, "selection", &selection, error)
      || !read_comparison (place, &content.comparison, error)
      || !read_viewport (place, &content.look.viewport, error)
      || !goban_session_read_look (place, &content.look, error))
    return FALSE;
  expanded = content.look.expanded;
  if (goban_json_has (place, "moment"))
    content.moment = (int) MIN (moment, (guint64) G_MAXINT);
  content.plan = (char *) plan; /* all texts are copied */
  content.text = text;
  content.selection = selection;
  scene = goban_scene_new (&content);
  list = goban_scene_list_with (state->scenes, goban_scene_list_get_n (state->scenes), scene);
  goban_state_set_scenes (state, list);
  return TRUE;
}

gboolean
goban_session_read_scenes (GobanReader *reader, GobanJsonValue root, GError **error)
{
  GobanJsonItems items;
  GobanJsonValue item;

  if (!goban_json_get_list (root, "scenes", &items, error))
    return FALSE;
  while (goban_json_items_next (&items, &item))
    {
      if (goban_scene_list_get_n (reader->snapshot->state->scenes) >= GOBAN_SCENES_MOST)
        return goban_json_refuse (item, error, "a session has at most %d scenes",
                                  GOBAN_SCENES_MOST);
      if (!read_scene (reader, item, error))
        return FALSE;
    }
  return TRUE;
}
