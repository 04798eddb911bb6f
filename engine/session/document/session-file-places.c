#include "engine/session/document/session-file-places.h"

#include "engine/core/error.h"
#include "engine/core/i18n.h"
#include "engine/core/quantity.h"
#include "engine/session/state.h"
#include "engine/session/view-time.h"
#include "engine/study/analysis/coloring.h"

#include <math.h>

/* --- comparisons ------------------------------------------------------------------------------ */

/* Both move *text behind the characters read. If one returns FALSE, the line is wrong, and *text
 * may be anywhere in it. */
static gboolean
scan_char (const char **text, char c)
{
  if (**text != c)
    return FALSE;
  (*text)++;
  return TRUE;
}

/* Decimal digits of a number less than @below. */
static gboolean
scan_uint (const char **text, guint below, guint *value)
{
  char *end;
  guint64 number;

  if (!g_ascii_isdigit (**text))
    return FALSE;
  number = g_ascii_strtoull (*text, &end, 10);
  *text = end;
  *value = (guint) number;
  return number < below;
}

static const struct
{
  const char *name;
  GobanSync flag;
} syncs[] = {
  { "selection", GOBAN_SYNC_SELECTION },
  { "time", GOBAN_SYNC_TIME },
  { "view", GOBAN_SYNC_VIEW },
};

/* --- writing -------------------------------------------------------------------------------- */

static gboolean
is_usual (const GobanSnapshot *snapshot)
{
  const GobanCompareLooks *looks = &snapshot->compared.looks;
  GobanCompareLooks usual = goban_compare_looks_usual ();

  return snapshot->compared.n_runs == 0 && looks->mode == usual.mode
         && looks->unchanged == usual.unchanged && looks->sync == usual.sync
         && looks->min_change_us == usual.min_change_us
         && looks->has_own_scales == usual.has_own_scales
         && looks->has_own_devices == usual.has_own_devices
         && looks->has_all_lanes == usual.has_all_lanes;
}

/* Two places from 0 as "1 3"; @n: how many places there are. */
static void
session_write_pair (GobanWriter *writer, const guint pair[2])
{
  g_autofree char *places = g_strdup_printf ("%u %u", pair[0] + 1, pair[1] + 1);

  if (!g_str_equal (places, "1 2"))
    goban_writer_add_text (writer, "pair", places);
}

static void
write_runs (GobanWriter *writer, const GobanSnapshot *snapshot)
{
  const GobanCompared *compared = &snapshot->compared;
  g_autoptr (GString) numbers = g_string_new (NULL);

  for (guint i = 0; i < compared->n_runs; i++)
    {
      guint place = 0;

      g_ptr_array_find (snapshot->state->runs, compared->runs[i], &place);
      g_string_append_printf (numbers, "%s%u", i > 0 ? " " : "", place + 1);
    }
  session_write_pair (writer, compared->pair);
  if (compared->n_runs > 0)
    goban_writer_add_text (writer, "runs", numbers->str);
}

/* Options of a comparison in an object: the keys up to "mode", then, after what stands between
 * them, those from "scales" on. */
static void
session_write_looks_start (GobanWriter *writer, const GobanCompareLooks *looks)
{
  if (looks->has_own_devices)
    goban_writer_add_text (writer, "devices", "own");
  if (looks->has_all_lanes)
    goban_writer_add_text (writer, "lanes", "all");
  goban_writer_add_text (writer, "mode", goban_compare_mode_name (looks->mode));
}

static void
session_write_looks_end (GobanWriter *writer, const GobanCompareLooks *looks)
{
  const char *shared[G_N_ELEMENTS (syncs) + 1] = { NULL };
  guint n = 0;

  for (gsize i = 0; i < G_N_ELEMENTS (syncs); i++)
    if ((looks->sync & syncs[i].flag) != 0)
      shared[n++] = syncs[i].name;
  if (looks->has_own_scales)
    goban_writer_add_text (writer, "scales", "own");
  if (looks->sync != GOBAN_SYNC_ALL)
    goban_writer_add_texts (writer, "sync", shared);
  goban_writer_add_number (writer, "threshold_us", looks->min_change_us);
  goban_writer_add_text (writer, "unchanged", goban_unchanged_name (looks->unchanged));
}

void
goban_session_write_compare (GobanWriter *writer, const GobanSnapshot *snapshot)
{
  const GobanCompareLooks *looks = &snapshot->compared.looks;

  if (is_usual (snapshot))
    return;

  goban_writer_add_key (writer, "compare");
  goban_writer_open (writer, '{');
  session_write_looks_start (writer, looks);
  goban_writer_add_true (writer, "open", snapshot->compared.is_open);
  write_runs (writer, snapshot);
  session_write_looks_end (writer, looks);
  goban_writer_close (writer, '}');
}

/* --- reading -------------------------------------------------------------------------------- */

/* Different whole numbers from 1 to @most; returns how many, 0 if it is something else. */
static guint
scan_numbers (const char *text, guint most, guint *numbers, guint room)
{
  guint n = 0;

  do
    {
      guint number;

      if (n == room || !scan_uint (&text, most + 1, &number) || number < 1)
        return 0;
      for (guint i = 0; i < n; i++)
        if (numbers[i] == number)
          return 0;
      numbers[n++] = number;
    }
  while (scan_char (&text, ' '));
  return *text == '\0' ? n : 0;
}

static gboolean
session_read_pair (GobanJsonValue place, guint n, guint pair[2], GError **error)
{
  const char *text = "1 2";

  if (!goban_json_get_text (place, "pair", &text, error))
    return FALSE;
  if (scan_numbers (text, MAX (n, 2), pair, 2) != 2)
    return goban_json_refuse (goban_json_find (place, "pair"), error,
                              "“%s” is not a pair of different places, from 1 to %u", text, n);
  pair[0]--;
  pair[1]--;
  return TRUE;
}

/* Runs that do not fit any more leave their places to the others; a pair that has lost one is the
 * first two. */
static gboolean
read_runs (const GobanReader *self, GobanJsonValue place, GPtrArray *runs, GError **error)
{
  GobanCompared *compared = &self->snapshot->compared;
  const char *text = NULL;
  guint numbers[GOBAN_COMPARE_MAX], places[2], kept[GOBAN_COMPARE_MAX];
  guint n;

  if (!goban_json_get_text (place, "runs", &text, error))
    return FALSE;
  if (text == NULL)
    return TRUE;
  n = scan_numbers (text, runs->len, numbers, G_N_ELEMENTS (numbers));
  if (n == 0)
    return goban_json_refuse (goban_json_find (place, "runs"), error,
                              "“%s” is not a list of one to %d different runs, from 1 to %u", text,
                              GOBAN_COMPARE_MAX, runs->len);
  if (!session_read_pair (place, n, places, error))
    return FALSE;
  for (guint i = 0; i < n; i++)
    {
      GobanRun *run = g_ptr_array_index (runs, numbers[i] - 1);

      kept[i] = run != NULL ? compared->n_runs : G_MAXUINT;
      if (run != NULL)
        compared->runs[compared->n_runs++] = goban_run_ref (run);
    }
  if (n < 2 || kept[places[0]] == G_MAXUINT || kept[places[1]] == G_MAXUINT)
    return TRUE;
  compared->pair[0] = kept[places[0]];
  compared->pair[1] = kept[places[1]];
  return TRUE;
}

static gboolean
read_sync (GobanJsonValue place, GobanCompareLooks *looks, GError **error)
{
  GobanJsonItems items;
  GobanJsonValue item;
  guint sync = 0;

  if (!goban_json_has (place, "sync"))
    return TRUE;
  if (!goban_json_get_list (place, "sync", &items, error))
    return FALSE;
  while (goban_json_items_next (&items, &item))
    {
      const char *name = goban_json_peek_text (item);
      gsize k = 0;

      while (k < G_N_ELEMENTS (syncs) && g_strcmp0 (syncs[k].name, name) != 0)
        k++;
      if (k == G_N_ELEMENTS (syncs))
        return goban_json_refuse_value (item, N_ ("one of selection, time, view"), error);
      sync |= syncs[k].flag;
    }
  looks->sync = (GobanSync) sync;
  return TRUE;
}

static gboolean
session_read_looks (GobanJsonValue place, GobanCompareLooks *looks, GError **error)
{
  static const char *const devices[] = { "matched", "own", NULL };
  static const char *const lanes[] = { "devices", "all", NULL };
  static const char *const scales[] = { "common", "own", NULL };
  const char *mode = "side", *unchanged = "dim";
  guint devices_word = 0, lanes_word = 0, scales_word = 0;

  if (!goban_json_get_text (place, "mode", &mode, error)
      || !goban_json_get_text (place, "unchanged", &unchanged, error)
      || !goban_json_get_number (place, "threshold_us", GOBAN_JSON_AMOUNT, &looks->min_change_us,
                                 error)
      || !goban_json_get_word (place, "devices", devices, &devices_word, error)
      || !goban_json_get_word (place, "lanes", lanes, &lanes_word, error)
      || !goban_json_get_word (place, "scales", scales, &scales_word, error))
    return FALSE;
  looks->has_own_devices = devices_word == 1;
  looks->has_all_lanes = lanes_word == 1;
  looks->has_own_scales = scales_word == 1;
  if (!goban_compare_mode_find (mode, &looks->mode))
    return goban_json_refuse_value (goban_json_find (place, "mode"),
                                    N_ ("one of side, overlay, blink, difference"), error);
  if (!goban_unchanged_find (unchanged, &looks->unchanged))
    return goban_json_refuse_value (goban_json_find (place, "unchanged"),
                                    N_ ("one of show, dim, hide"), error);
  return read_sync (place, looks, error);
}

gboolean
goban_session_read_compare (GobanReader *reader, GobanJsonValue root, GPtrArray *runs,
                            GError **error)
{
  static const char *const keys[]
      = { "devices", "lanes", "mode",         "open",      "pair", "runs",
          "scales",  "sync",  "threshold_us", "unchanged", NULL };
  GobanJsonValue place = goban_json_find (root, "compare");

  return goban_json_is_missing (place)
         || (goban_json_check_object (place, keys, error)
             && goban_json_get_boolean (place, "open", &reader->snapshot->compared.is_open, error)
             && session_read_looks (place, &reader->snapshot->compared.looks, error)
             && read_runs (reader, place, runs, error));
}

/* Coordinates of a world, which are far smaller: differences of any two, and scales, are finite. */
#define MOST_SIGHT 1e15

/* --- writing ---------------------------------------------------------------------------------- */

/* The keys after "color" that come before those of @number, in their order. */
static void
add_look (GobanWriter *self, const GobanBookmark *look)
{
  goban_writer_add_texts (self, "expanded", (const char *const *) look->expanded);
  goban_writer_add_text (self, "grouping", goban_grouping_names[(GobanGrouping) look->grouping]);
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
  session_write_looks_start (writer, &comparison->looks);
  session_write_pair (writer, comparison->pair);
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
  session_write_looks_end (writer, &comparison->looks);
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
      || !session_read_looks (place, &comparison->looks, error)
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
  return session_read_pair (place, comparison->n_plans, comparison->pair, error);
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
