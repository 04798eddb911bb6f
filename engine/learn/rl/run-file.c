#include "engine/learn/rl/run-file.h"

#include "engine/core/error.h"
#include "engine/core/i18n.h"

#include <string.h>

#define MAGIC_SIZE 8

void
goban_run_file_begin (GByteArray *out, const GobanRunFormat *format)
{
  g_byte_array_append (out, (const guint8 *) format->magic, MAGIC_SIZE);
  goban_bytes_put_u32 (out, format->version);
}

void
goban_run_file_put_rng (GByteArray *out, const GobanRng *rng)
{
  for (guint i = 0; i < G_N_ELEMENTS (rng->s); i++)
    goban_bytes_put_u64 (out, rng->s[i]);
}

void
goban_run_file_put_net (GByteArray *out, const GobanScorerNet *net)
{
  g_autoptr (GByteArray) bytes = goban_params_write (goban_scorer_net_get_params (net));

  goban_bytes_put_u32 (out, bytes->len);
  g_byte_array_append (out, bytes->data, bytes->len);
}

gboolean
goban_run_file_open (GobanByteReader *reader, const guint8 *data, gsize size,
                     const GobanRunFormat *format, const char *origin, GError **error)
{
  const guint8 *magic;
  const char *problem = NULL;

  *reader = (GobanByteReader){ .data = data,
                               .left = size > GOBAN_SEAL_SIZE ? size - GOBAN_SEAL_SIZE : 0 };
  magic = goban_byte_reader_read (reader, MAGIC_SIZE);
  if (magic == NULL || memcmp (magic, format->magic, MAGIC_SIZE) != 0)
    problem = _ (format->problem);
  else if (goban_byte_reader_read_u32 (reader) != format->version)
    problem = _ ("it is of another version of the program");
  else if (!goban_bytes_are_sealed (data, size))
    problem = _ ("it is damaged or cut off: its checksum does not match");
  if (problem != NULL)
    goban_set_error (error, GOBAN_ERROR_PARSE, "%s: %s", origin, problem);
  return problem == NULL;
}

void
goban_run_file_read_rng (GobanByteReader *reader, GobanRng *rng)
{
  for (guint i = 0; i < G_N_ELEMENTS (rng->s); i++)
    rng->s[i] = goban_byte_reader_read_u64 (reader);
}

gboolean
goban_run_file_read_net (GobanByteReader *reader, GobanScorerNet *net, const char *origin,
                         GError **error)
{
  guint32 size = goban_byte_reader_read_u32 (reader);
  const guint8 *data = goban_byte_reader_read (reader, size);

  return data != NULL
         && goban_params_read (goban_scorer_net_get_params (net), data, size, origin, error);
}
