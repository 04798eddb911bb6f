#include "engine/io/io.h"

#include "engine/core/error.h"
#include "engine/core/file-read.h"
#include "engine/core/file.h"
#include "engine/core/quantity.h"
#include "engine/io/file-kinds.h"
#include "engine/io/formats.h"
#include "engine/io/packed.h"
#include "engine/io/text.h"

#include <string.h>

/* What a format that goes by the ending alone is sure of at most. */
#define MOST_GUESS 20

/* In the order of importance to users; of two equally sure formats the first wins. */
static const GobanFormat *const formats[] = {
  &goban_format_onnx,
  &goban_format_graphdef,
  &goban_format_cost_graph,
  &goban_format_cost_graph_binary,
  &goban_format_torch_export,
  &goban_format_hlo,
  &goban_format_dot,
  &goban_format_gxl,
  &goban_format_pipedream,
  &goban_format_msr,
  &goban_format_model_explorer,
  &goban_format_json,
  &goban_format_stg,
  &goban_format_moirai,
  &goban_format_chakra,
  &goban_format_ort_profile,
  &goban_format_chrome_trace,
};

char *
goban_formats_list_names (gboolean writable)
{
  g_autoptr (GString) names = g_string_new (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (formats); i++)
    if (!writable || formats[i]->write != NULL)
      g_string_append_printf (names, "%s%s", names->len > 0 ? ", " : "", formats[i]->name);
  return g_string_free (g_steal_pointer (&names), FALSE);
}

static gboolean
has_ending (const GobanFormat *format, const char *path)
{
  g_auto (GStrv) endings = g_strsplit (format->extensions, " ", -1);
  g_autofree char *lower = g_ascii_strdown (path, -1);

  for (guint i = 0; endings[i] != NULL; i++)
    if (*endings[i] != '\0' && g_str_has_suffix (lower, endings[i]))
      return TRUE;
  return FALSE;
}

/* The surest format; the path's ending decides between equally sure ones. */
static const GobanFormat *
sniff (const char *data, gsize size, const char *path, gboolean *is_guess)
{
  const GobanFormat *best = NULL;
  int best_score = 0;

  for (guint i = 0; i < G_N_ELEMENTS (formats); i++)
    {
      int score = formats[i]->sniff (data, size, path);

      if (score > 0)
        score = 2 * score + has_ending (formats[i], path);
      if (score > best_score)
        {
          best = formats[i];
          best_score = score;
        }
    }
  *is_guess = best_score <= 2 * MOST_GUESS + 1;
  return best;
}

const GobanFormat *
goban_formats (gsize *n)
{
  static GobanFormat rows[G_N_ELEMENTS (formats)];
  static gsize filled = 0;

  if (g_once_init_enter (&filled))
    {
      for (guint i = 0; i < G_N_ELEMENTS (formats); i++)
        rows[i] = *formats[i];
      g_once_init_leave (&filled, 1);
    }
  *n = G_N_ELEMENTS (rows);
  return rows;
}

const GobanFormat *
goban_format_find (const char *name, GError **error)
{
  g_autofree char *names = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (formats); i++)
    if (strcmp (formats[i]->name, name) == 0)
      return formats[i];

  names = goban_formats_list_names (FALSE);
  goban_set_error (error, GOBAN_ERROR_UNSUPPORTED, "there is no format “%s”; known: %s", name,
                   names);
  return NULL;
}

static GBytes *
read_bytes (const char *path, const GobanFormat *format, const GobanReadOptions *options,
            GError **error)
{
  GobanFileReading reading = {
    .kind = GOBAN_FILE_GRAPH,
    .only_regular = options->only_regular,
    .most_bytes = format != NULL ? format->most_bytes : 0,
    .progress = options->progress,
  };

  return goban_file_read_with (path, &reading, error);
}

/* Any format may be packed; then the unpacked text is read. */
static GBytes *
unpack (GBytes *bytes, const GobanFormat *format, const char *origin,
        const GobanReadOptions *options, GError **error)
{
  gsize size;
  const char *data = g_bytes_get_data (bytes, &size);
  gsize most = format != NULL ? format->most_bytes : 0;
  g_autoptr (GBytes) unpacked = NULL;

  if (!goban_packed_is (data, size))
    return g_bytes_ref (bytes);
  unpacked = goban_packed_unpack (bytes, most > 0 ? most : goban_file_get_most (GOBAN_FILE_GRAPH),
                                  origin, options->progress, error);
  return unpacked != NULL ? goban_file_enter_text (unpacked, origin, error) : NULL;
}

/* A format that was found by content may have less than any graph. */
static gboolean
check_size (const GobanFormat *format, gsize size, const char *origin, GError **error)
{
  char most[GOBAN_QUANTITY_LEN];

  if (format->most_bytes == 0 || size <= format->most_bytes)
    return TRUE;
  return goban_refuse (
      error, GOBAN_ERROR_IO, "%s: cannot be read: it is larger than %s, the limit of the format %s",
      origin, goban_format_bytes (most, (double) format->most_bytes), format->name);
}

/* @found: (nullable): the format that was asked for. @inner: whose ending it may be known by. */
static GobanGraph *
parse (GBytes *text, const GobanFormat *found, const char *origin, const char *inner,
       const GobanReadOptions *options, GError **error)
{
  gboolean is_guess = FALSE;
  gsize size;
  const char *data = g_bytes_get_data (text, &size);

  if (size == 0)
    {
      goban_set_error (error, GOBAN_ERROR_PARSE, "%s: the file is empty", origin);
      return NULL;
    }
  if (found == NULL)
    found = sniff (data, size, inner, &is_guess);
  if (is_guess && goban_file_kind_refuse (data, size, origin, error))
    return NULL;
  if (found == NULL)
    {
      g_autofree char *names = goban_formats_list_names (FALSE);

      goban_set_error (
          error, GOBAN_ERROR_UNSUPPORTED,
          "%s: no format known here recognises it; known: %s. Export a model as ONNX, or "
          "write a graph as DOT",
          origin, names);
      return NULL;
    }
  return check_size (found, size, origin, error) ? found->read (data, size, origin, options, error)
                                                 : NULL;
}

GobanGraph *
goban_graph_load (const char *path, const char *format, const GobanReadOptions *options,
                  GError **error)
{
  GobanReadOptions own = { 0 };
  const char *origin = strcmp (path, "-") == 0 ? GOBAN_TEXT_STDIN : path;
  const GobanFormat *found = NULL;
  g_autofree char *inner = goban_packed_dup_inner_path (path);
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (GBytes) text = NULL;

  if (format != NULL && (found = goban_format_find (format, error)) == NULL)
    return NULL;

  if (options != NULL)
    own = *options;
  own.may_forget = TRUE;
  bytes = read_bytes (path, found, &own, error);
  if (bytes != NULL)
    text = unpack (bytes, found, origin, &own, error);
  g_clear_pointer (&bytes, g_bytes_unref);
  return text != NULL ? parse (text, found, origin, inner, &own, error) : NULL;
}

GobanGraph *
goban_graph_parse (const char *data, gsize size, const char *origin, const char *format,
                   const GobanReadOptions *options, GError **error)
{
  static const GobanReadOptions none = { 0 };
  g_autoptr (GBytes) text = g_bytes_new_static (data, size);
  const GobanFormat *found = NULL;

  if (format != NULL && (found = goban_format_find (format, error)) == NULL)
    return NULL;
  return parse (text, found, origin, origin, options != NULL ? options : &none, error);
}

const GobanFormat *
goban_format_find_writer (const char *path, const char *format, GError **error)
{
  g_autofree char *names = goban_formats_list_names (TRUE);
  const GobanFormat *found = NULL;

  if (format != NULL)
    {
      found = goban_format_find (format, error);
      if (found == NULL || found->write != NULL)
        return found;
      goban_set_error (error, GOBAN_ERROR_UNSUPPORTED, "%s: %s is only read here; written are: %s",
                       path, format, names);
      return NULL;
    }

  for (guint i = 0; i < G_N_ELEMENTS (formats); i++)
    if (formats[i]->write != NULL && has_ending (formats[i], path))
      return formats[i];

  if (strcmp (path, "-") == 0)
    goban_set_error (error, GOBAN_ERROR_UNSUPPORTED,
                     "standard output has no ending that names a format; written are: %s", names);
  else
    goban_set_error (error, GOBAN_ERROR_UNSUPPORTED,
                     "%s: its ending names no format that is written here; written are: %s", path,
                     names);
  return NULL;
}

gboolean
goban_graph_save (const GobanGraph *graph, const char *path, const char *format, GError **error)
{
  const GobanFormat *writer = goban_format_find_writer (path, format, error);
  g_autofree char *data = NULL;
  gsize size;

  if (writer == NULL)
    return FALSE;

  data = writer->write (graph, &size, error);
  return data != NULL && goban_file_write (path, data, size, error);
}
