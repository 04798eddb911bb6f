#include "tests/support/shared-data.h"

static const char *
source_root (void)
{
  const char *root = g_getenv ("GOBAN_SOURCE_ROOT");

  return root != NULL ? root : ".";
}

char *
project_path (const char *name)
{
  return g_build_filename (source_root (), name, NULL);
}

char *
shared_data_path (const char *name)
{
  char *path = g_build_filename (source_root (), "..", "shared", "data", name, NULL);

  if (g_file_test (path, G_FILE_TEST_EXISTS))
    return path;

  g_test_skip ("no shared data");
  g_free (path);
  return NULL;
}
