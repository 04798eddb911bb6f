/* test-draws.c: records which test cases draw random numbers from GLib.
 *
 * Preloaded by scripts/dev/soak.sh, which repeats those cases alone. The path of each case is
 * appended to the file $GOBAN_DRAWS at its first draw, and "/" at a draw outside of all cases: then
 * every case may depend on it. */
#include <dlfcn.h>
#include <glib.h>
#include <stdio.h>

static void
record_draw (void)
{
  static char *last = NULL;
  const char *file_path = g_getenv ("GOBAN_DRAWS");
  const char *path = g_test_get_path ();
  FILE *file;

  path = path == NULL || *path == '\0' ? "/" : path;
  if (file_path == NULL || g_strcmp0 (path, last) == 0)
    return;
  file = fopen (file_path, "a");
  if (file == NULL)
    g_error ("The test cases that draw random numbers cannot be recorded in %s", file_path);
  fprintf (file, "%s\n", path);
  fclose (file);
  g_free (last);
  last = g_strdup (path);
}

/* Calls the function that GLib itself has of this name. */
#define DRAW(function, ...)                                                                        \
  (record_draw (), ((__typeof__ (&(function))) dlsym (RTLD_NEXT, #function)) (__VA_ARGS__))

gint32
g_test_rand_int (void)
{
  return DRAW (g_test_rand_int);
}

gint32
g_test_rand_int_range (gint32 begin, gint32 end)
{
  return DRAW (g_test_rand_int_range, begin, end);
}

double
g_test_rand_double (void)
{
  return DRAW (g_test_rand_double);
}

double
g_test_rand_double_range (double range_start, double range_end)
{
  return DRAW (g_test_rand_double_range, range_start, range_end);
}
