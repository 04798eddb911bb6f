#include "tests/fuzz/targets.h"

#include "engine/core/error.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* In the order of their names. */
static const FuzzTarget targets[] = {
  { "arrays", fuzz_arrays },
  { "bench-journal", fuzz_bench_journal },
  { "chakra", NULL },
  { "chrome-trace", NULL },
  { "cluster", fuzz_cluster },
  { "cluster-spec", fuzz_cluster_spec },
  { "cost-graph", NULL },
  { "dot", NULL },
  { "graphdef", NULL },
  { "gxl", NULL },
  { "hlo", NULL },
  { "json", NULL },
  { "model-explorer", NULL },
  { "moirai", NULL },
  { "msr", NULL },
  { "onnx", NULL },
  { "ort-profile", fuzz_ort_profile },
  { "packed", fuzz_packed },
  { "params", fuzz_params },
  { "pipedream", NULL },
  { "plan", fuzz_plan },
  { "program", fuzz_program },
  { "quantity", fuzz_quantity },
  { "query", fuzz_query },
  { "recovery", fuzz_recovery },
  { "run", fuzz_run },
  { "schedule", fuzz_schedule },
  { "serve", fuzz_serve },
  { "session", fuzz_session },
  { "settings", fuzz_settings },
  { "stg", NULL },
  { "suite", fuzz_suite },
  { "torch-export", NULL },
  { "workload", fuzz_workload },
  { "zip", fuzz_zip },
};

const FuzzTarget *
fuzz_targets (gsize *n)
{
  *n = G_N_ELEMENTS (targets);
  return targets;
}

const FuzzTarget *
fuzz_find_target (const char *name)
{
  for (gsize i = 0; i < G_N_ELEMENTS (targets); i++)
    if (strcmp (targets[i].name, name) == 0)
      return &targets[i];
  return NULL;
}

void
fuzz_feed (const FuzzTarget *target, const char *data, gsize size)
{
  g_autofree char *exact = g_memdup2 (data, size);

  if (target->feed != NULL)
    target->feed (exact, size);
  else
    fuzz_graph (target->name, exact, size);
}

void
fuzz_fail (const char *what, const char *text)
{
  g_printerr ("fuzz: %s\n%s\n", what, text);
  abort ();
}

void
fuzz_check_outcome (gboolean has_value, const GError *error, const char *origin)
{
  FUZZ_CHECK (has_value == (error == NULL));
  if (has_value)
    return;
  FUZZ_CHECK (error->domain == GOBAN_ERROR);
  FUZZ_CHECK (*error->message != '\0' && g_utf8_validate (error->message, -1, NULL));
  if (origin != NULL && !g_str_has_prefix (error->message, origin))
    fuzz_fail ("the message names no file", error->message);
}

char *
fuzz_write (const char *data, gsize size)
{
  g_autoptr (GError) error = NULL;
  char *path;
  int fd = g_file_open_tmp ("goban-fuzz-XXXXXX", &path, &error);

  if (fd < 0)
    fuzz_fail ("no temporary file", error->message);
  for (gsize at = 0; at < size;)
    {
      gssize n = write (fd, data + at, size - at);

      if (n < 0 && errno != EINTR)
        fuzz_fail ("no temporary file", g_strerror (errno));
      at += MAX (n, 0);
    }
  close (fd);
  return path;
}

void
fuzz_remove (char *path)
{
  g_unlink (path);
  g_free (path);
}
