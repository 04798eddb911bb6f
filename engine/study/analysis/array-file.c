#include "engine/study/analysis/array-file.h"

#include "engine/core/error.h"
#include "engine/core/file-read.h"
#include "engine/core/file.h"
#include "engine/core/npy.h"
#include "engine/io/packed.h"

#include <string.h>

#define ENDING ".npy"
#define MAX_ARRAYS 10000

static void
free_array (gpointer data)
{
  GobanNamedArray *self = data;

  g_free (self->name);
  g_free (self->values);
  g_free (self);
}

/* Takes @name. */
static gboolean
add (GPtrArray *arrays, char *name, const char *data, gsize size, const char *origin,
     GError **error)
{
  GobanNamedArray *array = g_new0 (GobanNamedArray, 1);

  array->name = name;
  g_ptr_array_add (arrays, array);
  array->values = goban_npy_read (data, size, origin, &array->n, error);
  return array->values != NULL;
}

static gboolean
add_member (GPtrArray *arrays, const GobanZip *zip, guint i, const char *origin, GError **error)
{
  const char *name = goban_zip_get_name (zip, i);
  g_autofree char *place = g_strconcat (origin, "/", name, NULL);
  gsize n_name = strlen (name) - (g_str_has_suffix (name, ENDING) ? strlen (ENDING) : 0);
  g_autoptr (GBytes) bytes
      = goban_zip_unpack (zip, i, goban_file_get_most (GOBAN_FILE_RUN), NULL, error);
  gsize size;
  const char *data;

  if (bytes == NULL)
    return FALSE;
  data = g_bytes_get_data (bytes, &size);
  return add (arrays, g_strndup (name, n_name), data, size, place, error);
}

GPtrArray *
goban_array_file_parse (const char *data, gsize size, const char *origin, GError **error)
{
  g_autoptr (GPtrArray) arrays = g_ptr_array_new_with_free_func (free_array);
  g_autoptr (GobanZip) zip = NULL;
  guint n;

  if (!goban_zip_is (data, size))
    return add (arrays, g_strdup (""), data, size, origin, error) ? g_steal_pointer (&arrays)
                                                                  : NULL;
  zip = goban_zip_open (data, size, origin, error);
  if (zip == NULL)
    return NULL;
  n = goban_zip_get_n_members (zip);
  if (n > MAX_ARRAYS)
    {
      goban_refuse (error, GOBAN_ERROR_UNSUPPORTED, "%s: more than %d arrays are not read here",
                    origin, MAX_ARRAYS);
      return NULL;
    }
  for (guint i = 0; i < n; i++)
    if (!add_member (arrays, zip, i, origin, error))
      return NULL;
  return g_steal_pointer (&arrays);
}

GPtrArray *
goban_array_file_read (const char *path, GError **error)
{
  g_autoptr (GBytes) bytes = goban_file_read (path, GOBAN_FILE_RUN, error);
  gsize size;
  const char *data;

  if (bytes == NULL)
    return NULL;
  data = g_bytes_get_data (bytes, &size);
  return goban_array_file_parse (data, size, path, error);
}

gboolean
goban_array_file_write (const char *path, const GobanNamedArray *arrays, guint n, GError **error)
{
  g_autoptr (GPtrArray) members = g_ptr_array_new_with_free_func ((GDestroyNotify) g_bytes_unref);
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GBytes) file = NULL;
  gsize size;
  const char *data;

  for (guint i = 0; i < n; i++)
    {
      g_ptr_array_add (members, goban_npy_write (arrays[i].values, arrays[i].n));
      g_ptr_array_add (names, g_strconcat (arrays[i].name, ENDING, NULL));
    }
  if (g_str_has_suffix (path, ".npz"))
    file = goban_zip_pack ((const char *const *) names->pdata, (GBytes *const *) members->pdata, n,
                           error);
  else if (n == 1)
    file = g_bytes_ref (g_ptr_array_index (members, 0));
  else
    goban_refuse (error, GOBAN_ERROR_INVALID, "%s: several arrays are written as .npz", path);
  if (file == NULL)
    return FALSE;
  data = g_bytes_get_data (file, &size);
  return goban_file_write (path, data, size, error);
}
