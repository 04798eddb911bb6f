#include "engine/training/training-list.h"

static GListStore *
get_store (GObject *owner)
{
  static GQuark quark;
  GListStore *store;

  if (quark == 0)
    quark = g_quark_from_static_string ("goban-training-list");
  store = g_object_get_qdata (owner, quark);
  if (store == NULL)
    {
      store = g_list_store_new (GOBAN_TYPE_TRAINING_JOB);
      g_object_set_qdata_full (owner, quark, store, g_object_unref);
    }
  return store;
}

GListModel *
goban_training_list_of (GObject *owner)
{
  g_return_val_if_fail (G_IS_OBJECT (owner), NULL);

  return G_LIST_MODEL (get_store (owner));
}

void
goban_training_list_add (GObject *owner, GobanTrainingJob *training)
{
  g_return_if_fail (G_IS_OBJECT (owner) && GOBAN_IS_TRAINING_JOB (training));

  g_list_store_append (get_store (owner), training);
}
