#include "engine/session/document/session-file-compare.h"

#include "engine/core/i18n.h"

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

void
goban_session_write_pair (GobanWriter *writer, const guint pair[2])
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
  goban_session_write_pair (writer, compared->pair);
  if (compared->n_runs > 0)
    goban_writer_add_text (writer, "runs", numbers->str);
}

void
goban_session_write_looks_start (GobanWriter *writer, const GobanCompareLooks *looks)
{
  if (looks->has_own_devices)
    goban_writer_add_text (writer, "devices", "own");
  if (looks->has_all_lanes)
    goban_writer_add_text (writer, "lanes", "all");
  goban_writer_add_text (writer, "mode", goban_compare_mode_name (looks->mode));
}

void
goban_session_write_looks_end (GobanWriter *writer, const GobanCompareLooks *looks)
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
  goban_session_write_looks_start (writer, looks);
  goban_writer_add_true (writer, "open", snapshot->compared.is_open);
  write_runs (writer, snapshot);
  goban_session_write_looks_end (writer, looks);
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

gboolean
goban_session_read_pair (GobanJsonValue place, guint n, guint pair[2], GError **error)
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
  if (!goban_session_read_pair (place, n, places, error))
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

gboolean
goban_session_read_looks (GobanJsonValue place, GobanCompareLooks *looks, GError **error)
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
             && goban_session_read_looks (place, &reader->snapshot->compared.looks, error)
             && read_runs (reader, place, runs, error));
}
