#include "engine/core/attached-object.h"

gpointer
goban_attached_object (GObject *owner, const char *key, GobanAttachedNew make)
{
  gpointer object;

  g_return_val_if_fail (G_IS_OBJECT (owner) && key != NULL && make != NULL, NULL);

  object = g_object_get_data (owner, key);
  if (object == NULL)
    {
      object = make (owner);
      g_object_set_data_full (owner, key, object, g_object_unref);
    }
  return object;
}
