#include "engine/document/session-file-compare.h"

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
         && looks->has_all_lanes == usual.has_all_lanes;
}

static void
write_runs (GobanWriter *writer, const GobanSnapshot *snapshot)
{
  const GobanCompared *compared = &snapshot->compared;
  g_autoptr (GString) numbers = g_string_new (NULL);
  g_autofree char *pair = g_strdup_printf ("%u %u", compared->pair[0] + 1, compared->pair[1] + 1);

  for (guint i = 0; i < compared->n_runs; i++)
    {
      guint place = 0;

      g_ptr_array_find (snapshot->state->runs, compared->runs[i], &place);
      g_string_append_printf (numbers, "%s%u", i > 0 ? " " : "", place + 1);
    }
  if (!g_str_equal (pair, "1 2"))
    goban_writer_add_text (writer, "pair", pair);
  if (compared->n_runs > 0)
    goban_writer_add_text (writer, "runs", numbers->str);
}

void
goban_session_write_compare (GobanWriter *writer, const GobanSnapshot *snapshot)
{
  const GobanCompareLooks *looks = &snapshot->compared.looks;
  const char *shared[G_N_ELEMENTS (syncs) + 1] = { NULL };
  guint n = 0;

  if (is_usual (snapshot))
    return;

  for (gsize i = 0; i < G_N_ELEMENTS (syncs); i++)
    if ((looks->sync & syncs[i].flag) != 0)
      shared[n++] = syncs[i].name;
  goban_writer_add_key (writer, "compare");
  goban_writer_open (writer, '{');
  if (looks->has_all_lanes)
    goban_writer_add_text (writer, "lanes", "all");
  goban_writer_add_text (writer, "mode", goban_compare_mode_name (looks->mode));
  goban_writer_add_true (writer, "open", snapshot->compared.is_open);
  write_runs (writer, snapshot);
  if (looks->has_own_scales)
    goban_writer_add_text (writer, "scales", "own");
  if (looks->sync != GOBAN_SYNC_ALL)
    goban_writer_add_texts (writer, "sync", shared);
  goban_writer_add_number (writer, "threshold_us", looks->min_change_us);
  goban_writer_add_text (writer, "unchanged", goban_unchanged_name (looks->unchanged));
  goban_writer_close (writer, '}');
}

/* --- reading -------------------------------------------------------------------------------- */

/* Different whole numbers from 1 to @most; returns how many, 0 if it is something else. */
static guint
scan_numbers (const char *text, guint most, guint *numbers, guint room)
{
  guint n = 0;

  for (;;)
    {
      char *end;
      guint64 number;

      if (n == room || !g_ascii_isdigit (*text))
        return 0;
      number = g_ascii_strtoull (text, &end, 10);
      if (number < 1 || number > most)
        return 0;
      for (guint i = 0; i < n; i++)
        if (numbers[i] == number)
          return 0;
      numbers[n++] = (guint) number;
      if (*end == '\0')
        return n;
      if (*end != ' ')
        return 0;
      text = end + 1;
    }
}

/* Runs that do not fit any more leave their places to the others; a pair that has lost one is the first two. */
static gboolean
read_runs (const GobanReader *self, const GobanReaderPlace *place, GPtrArray *runs, GError **error)
{
  GobanCompared *compared = &self->snapshot->compared;
  const char *text = NULL, *pair = "1 2";
  guint numbers[GOBAN_COMPARE_MAX], places[2], kept[GOBAN_COMPARE_MAX];
  guint n;

  if (!goban_reader_read_text (self, place, "runs", &text, error)
      || !goban_reader_read_text (self, place, "pair", &pair, error))
    return FALSE;
  if (text == NULL)
    return TRUE;
  n = scan_numbers (text, runs->len, numbers, G_N_ELEMENTS (numbers));
  if (n == 0)
    return goban_reader_refuse (self, error, "compare.runs",
                                "“%s” are not one to %d different runs, from 1 to %u", text,
                                GOBAN_COMPARE_MAX, runs->len);
  if (scan_numbers (pair, MAX (n, 2), places, 2) != 2)
    return goban_reader_refuse (self, error, "compare.pair",
                                "“%s” are not two different places, from 1 to %u", pair, n);
  for (guint i = 0; i < n; i++)
    {
      GobanRun *run = g_ptr_array_index (runs, numbers[i] - 1);

      kept[i] = run != NULL ? compared->n_runs : G_MAXUINT;
      if (run != NULL)
        compared->runs[compared->n_runs++] = g_object_ref (run);
    }
  if (n < 2 || kept[places[0] - 1] == G_MAXUINT || kept[places[1] - 1] == G_MAXUINT)
    return TRUE;
  compared->pair[0] = kept[places[0] - 1];
  compared->pair[1] = kept[places[1] - 1];
  return TRUE;
}

static gboolean
read_sync (const GobanReader *self, const GobanReaderPlace *place, GError **error)
{
  g_autofree const char **names = NULL;
  guint sync = 0;

  if (!goban_reader_read_texts (self, place, "sync", &names, error))
    return FALSE;
  if (names == NULL)
    return TRUE;
  for (guint i = 0; names[i] != NULL; i++)
    {
      gsize k = 0;

      while (k < G_N_ELEMENTS (syncs) && !g_str_equal (syncs[k].name, names[i]))
        k++;
      if (k == G_N_ELEMENTS (syncs))
        return goban_reader_refuse (self, error, "compare.sync",
                                    "“%s” is none of selection, time and view", names[i]);
      sync |= syncs[k].flag;
    }
  self->snapshot->compared.looks.sync = (GobanSync) sync;
  return TRUE;
}

/* One of two words; the usual one if it is absent. */
static gboolean
read_word (const GobanReader *self, const GobanReaderPlace *place, const char *key,
           const char *const words[2], gboolean *is_second, GError **error)
{
  g_autofree char *where = goban_reader_name_key (place, key);
  const char *word = words[0];

  if (!goban_reader_read_text (self, place, key, &word, error))
    return FALSE;
  if (!g_str_equal (word, words[0]) && !g_str_equal (word, words[1]))
    return goban_reader_refuse (self, error, where, "“%s” is neither %s nor %s", word, words[0],
                                words[1]);
  *is_second = g_str_equal (word, words[1]);
  return TRUE;
}

static gboolean
read_looks (const GobanReader *self, const GobanReaderPlace *place, GError **error)
{
  static const char *const lanes[] = { "devices", "all" };
  static const char *const scales[] = { "common", "own" };
  GobanCompareLooks *looks = &self->snapshot->compared.looks;
  const char *mode = "side", *unchanged = "dim";

  if (!goban_reader_read_text (self, place, "mode", &mode, error)
      || !goban_reader_read_text (self, place, "unchanged", &unchanged, error)
      || !goban_reader_read_number (self, place, "threshold_us", &looks->min_change_us, error)
      || !read_word (self, place, "lanes", lanes, &looks->has_all_lanes, error)
      || !read_word (self, place, "scales", scales, &looks->has_own_scales, error))
    return FALSE;
  if (!goban_compare_mode_find (mode, &looks->mode))
    return goban_reader_refuse (self, error, "compare.mode",
                                "“%s” is none of side, overlay, blink and difference", mode);
  if (!goban_unchanged_find (unchanged, &looks->unchanged))
    return goban_reader_refuse (self, error, "compare.unchanged",
                                "“%s” is none of show, dim and hide", unchanged);
  return TRUE;
}

gboolean
goban_session_read_compare (GobanReader *reader, const GobanReaderPlace *root, GPtrArray *runs,
                            GError **error)
{
  static const char *const keys[] = { "lanes",  "mode", "open",         "pair",      "runs",
                                      "scales", "sync", "threshold_us", "unchanged", NULL };
  g_auto (GobanReaderPlace) place = { 0 };

  return !json_object_has_member (root->object, "compare")
         || (goban_reader_enter (reader, root, "compare", keys, &place, error)
             && goban_reader_read_boolean (reader, &place, "open",
                                           &reader->snapshot->compared.is_open, error)
             && read_looks (reader, &place, error) && read_sync (reader, &place, error)
             && read_runs (reader, &place, runs, error));
}
