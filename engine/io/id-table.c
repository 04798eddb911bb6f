#include "engine/io/id-table.h"

guint
goban_id_hash (gconstpointer id)
{
  guint64 number = *(const guint64 *) id * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15);

  return (guint) (number >> 32);
}

GobanIdTable *
goban_id_table_new (void)
{
  return g_hash_table_new_full (goban_id_hash, g_int64_equal, g_free, NULL);
}

void
goban_id_table_free (GobanIdTable *self)
{
  g_hash_table_unref (self);
}

void
goban_id_table_add (GobanIdTable *self, guint64 id, guint32 node)
{
  g_return_if_fail (!goban_id_table_contains (self, id));

  g_hash_table_insert (self, g_memdup2 (&id, sizeof id), GUINT_TO_POINTER (node));
}

gboolean
goban_id_table_contains (GobanIdTable *self, guint64 id)
{
  return g_hash_table_contains (self, &id);
}

gboolean
goban_id_table_find (GobanIdTable *self, guint64 id, guint32 *node)
{
  gpointer found;

  if (!g_hash_table_lookup_extended (self, &id, NULL, &found))
    return FALSE;
  *node = GPOINTER_TO_UINT (found);
  return TRUE;
}
