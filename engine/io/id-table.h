/* id-table.h: map from the numbers in a file to those of a graph builder's nodes or tensors. */
#pragma once

#include <glib.h>

typedef GHashTable GobanIdTable;

/* GHashFunc of a pointer to a 64-bit id, of which both halves count: g_int64_hash() takes the lower
 * half alone, where many ids are alike. */
guint goban_id_hash (gconstpointer id);

GobanIdTable *goban_id_table_new (void) G_GNUC_WARN_UNUSED_RESULT;
void goban_id_table_free (GobanIdTable *self);

/* The id must not be in the table: check first. */
void goban_id_table_add (GobanIdTable *self, guint64 id, guint32 node);
gboolean goban_id_table_contains (GobanIdTable *self, guint64 id);

/* %FALSE, and *node untouched, if no node has the id. */
gboolean goban_id_table_find (GobanIdTable *self, guint64 id, guint32 *node);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanIdTable, goban_id_table_free)
