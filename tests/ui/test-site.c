/* The window as its parts see it: actions of the table, their handlers and their states. */
#include "tests/ui/gui-window.h"

#include "tests/support/test-program.h"
#include "ui/frame/site.h"

typedef struct
{
  GObject *part;
  guint n_calls;
  char *last; /* text of the last value */
} Part;

static void
handle (GObject *part, GVariant *value)
{
  Part *self = g_object_get_data (part, "part");

  self->n_calls++;
  g_free (self->last);
  self->last = value != NULL ? g_variant_print (value, FALSE) : g_strdup ("none");
}

static const GobanCommand commands[] = {
  { "undo", G_CALLBACK (handle) },
  { "urgency", G_CALLBACK (handle) },
  { "minimap", G_CALLBACK (handle) },
};

static Part
new_part (void)
{
  return (Part){ .part = g_object_new (G_TYPE_OBJECT, NULL) };
}

static GobanSite
new_site (void)
{
  GobanSite site = { .window = g_object_new (GTK_TYPE_APPLICATION_WINDOW, NULL) };

  goban_site_add_actions (&site);
  return site;
}

static void
test_parameters (void)
{
  GobanSite site = new_site ();
  Part part = new_part ();

  g_object_set_data (part.part, "part", &part);
  goban_site_connect (&site, commands, G_N_ELEMENTS (commands), part.part);
  goban_site_activate (&site, "undo", NULL);
  g_assert_cmpstr (part.last, ==, "none");
  goban_site_activate (&site, "urgency", g_variant_new_int32 (-1));
  g_assert_cmpstr (part.last, ==, "-1");
  g_assert_cmpuint (part.n_calls, ==, 2);

  g_object_unref (part.part);
  g_free (part.last);
  gtk_window_destroy (GTK_WINDOW (site.window));
}

/* A change is stored before the handler hears of it; what is only to be shown calls none. */
static void
test_states (void)
{
  GobanSite site = new_site ();
  Part part = new_part ();
  gboolean was_on = goban_site_get_toggle (&site, "minimap");

  g_object_set_data (part.part, "part", &part);
  goban_site_connect (&site, commands, G_N_ELEMENTS (commands), part.part);
  goban_site_set_toggle (&site, "minimap", !was_on);
  g_assert_true (goban_site_get_toggle (&site, "minimap") == !was_on);
  g_assert_cmpstr (part.last, ==, was_on ? "false" : "true");
  goban_site_set_state (&site, "minimap", g_variant_new_boolean (was_on));
  g_assert_true (goban_site_get_toggle (&site, "minimap") == was_on);
  g_assert_cmpuint (part.n_calls, ==, 1);
  /* Activating a toggle turns it over. */
  goban_site_activate (&site, "minimap", NULL);
  g_assert_true (goban_site_get_toggle (&site, "minimap") == !was_on);
  g_assert_cmpuint (part.n_calls, ==, 2);

  g_object_unref (part.part);
  g_free (part.last);
  gtk_window_destroy (GTK_WINDOW (site.window));
}

/* A part that is gone is not called, and a command that is disabled does nothing. */
static void
test_ends (void)
{
  static const char *const names[] = { "undo", NULL };
  GobanSite site = new_site ();
  Part part = new_part ();

  g_object_set_data (part.part, "part", &part);
  goban_site_connect (&site, commands, G_N_ELEMENTS (commands), part.part);
  goban_site_set_enabled (&site, names, FALSE);
  goban_site_activate (&site, "undo", NULL);
  g_assert_cmpuint (part.n_calls, ==, 0);
  goban_site_set_enabled (&site, names, TRUE);
  goban_site_activate (&site, "undo", NULL);
  g_assert_cmpuint (part.n_calls, ==, 1);
  g_object_unref (part.part);
  goban_site_activate (&site, "undo", NULL);
  g_assert_cmpuint (part.n_calls, ==, 1);

  g_free (part.last);
  gtk_window_destroy (GTK_WINDOW (site.window));
}

TEST_PROGRAM (site)
{
  gtk_test_init (&argc, &argv, NULL);
  g_test_add_func ("/site/parameters", test_parameters);
  g_test_add_func ("/site/states", test_states);
  g_test_add_func ("/site/ends", test_ends);
  return g_test_run ();
}
