#include "engine/study/run/run-list.h"

GPtrArray *
goban_run_array_new (void)
{
  return g_ptr_array_new_with_free_func ((GDestroyNotify) goban_run_unref);
}

GPtrArray *
goban_run_array_copy (GPtrArray *runs)
{
  GPtrArray *copy = goban_run_array_new ();

  for (guint i = 0; i < runs->len; i++)
    g_ptr_array_add (copy, goban_run_ref (g_ptr_array_index (runs, i)));
  return copy;
}

/* --- list models ------------------------------------------------------------------------------ */

struct _GobanRunRow
{
  GObject parent_instance;

  GobanRun *run;
};

G_DEFINE_FINAL_TYPE (GobanRunRow, goban_run_row, G_TYPE_OBJECT)

static void
goban_run_row_finalize (GObject *object)
{
  goban_run_unref (GOBAN_RUN_ROW (object)->run);
  G_OBJECT_CLASS (goban_run_row_parent_class)->finalize (object);
}

static void
goban_run_row_class_init (GobanRunRowClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = goban_run_row_finalize;
}

static void
goban_run_row_init (GobanRunRow *self)
{
}

GobanRunRow *
goban_run_row_new (GobanRun *run)
{
  GobanRunRow *self = g_object_new (GOBAN_TYPE_RUN_ROW, NULL);

  self->run = goban_run_ref (run);
  return self;
}

GobanRun *
goban_run_row_get_run (GobanRunRow *self)
{
  g_return_val_if_fail (self == NULL || GOBAN_IS_RUN_ROW (self), NULL);

  return self != NULL ? self->run : NULL;
}

GobanRun *
goban_run_list_get (GListModel *rows, guint i)
{
  g_autoptr (GobanRunRow) row = g_list_model_get_item (rows, i);

  return goban_run_row_get_run (row); /* the list has the row */
}

gboolean
goban_run_list_find (GListModel *rows, GobanRun *run, guint *place)
{
  guint n = g_list_model_get_n_items (rows);

  for (guint i = 0; i < n; i++)
    if (goban_run_list_get (rows, i) == run)
      {
        if (place != NULL)
          *place = i;
        return TRUE;
      }
  return FALSE;
}
