/* Attached objects: one for each owner and key, made once, ended with its owner. */
#include "engine/core/attached-object.h"
#include "tests/support/test-program.h"

#include <gio/gio.h>

static guint n_made;

static GObject *
make_list (GObject *owner)
{
  g_assert_true (G_IS_OBJECT (owner));
  n_made++;
  return G_OBJECT (g_list_store_new (G_TYPE_OBJECT));
}

static void
test_one_each (void)
{
  g_autoptr (GObject) owner = g_object_new (G_TYPE_OBJECT, NULL);
  g_autoptr (GObject) other = g_object_new (G_TYPE_OBJECT, NULL);
  gpointer first = goban_attached_object (owner, "a", make_list);

  g_assert_true (G_IS_LIST_STORE (first));
  g_assert_true (goban_attached_object (owner, "a", make_list) == first);
  g_assert_cmpuint (n_made, ==, 1);
  g_assert_true (goban_attached_object (owner, "b", make_list) != first);
  g_assert_true (goban_attached_object (other, "a", make_list) != first);
  g_assert_cmpuint (n_made, ==, 3);
}

static void
test_lives_as_long (void)
{
  GObject *owner = g_object_new (G_TYPE_OBJECT, NULL);
  gpointer object = goban_attached_object (owner, "a", make_list);

  g_object_add_weak_pointer (object, &object);
  g_object_unref (owner);
  g_assert_null (object);
}

TEST_PROGRAM (attached_object)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/base/attached-object/one-each", test_one_each);
  g_test_add_func ("/base/attached-object/lives-as-long", test_lives_as_long);
  return g_test_run ();
}
