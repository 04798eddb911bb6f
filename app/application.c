#include "app/application.h"

#include "app/lua/lua-console.h"
#include "engine/core/end-signal.h"
#include "engine/core/i18n.h"
#include "ui/documents/file-groups.h"
#include "ui/shell/window.h"
#include "ui/widgets/actions.h"

#include <glib-unix.h>
#include <signal.h>

/* Signals that ask a program to end, beside SIGTERM: a closed terminal, and Ctrl+C in it. */
static const int end_signals[] = { SIGHUP, SIGINT };

struct _GobanApplication
{
  GtkApplication parent;

  GobanSettings *settings;
  char *samples;        /* (nullable) */
  char *examples;       /* (nullable) */
  gboolean has_offered; /* what was left behind is asked about once, in the first window */
  guint signal_ids[G_N_ELEMENTS (end_signals)]; /* or 0 */
};

G_DEFINE_FINAL_TYPE (GobanApplication, goban_application, GTK_TYPE_APPLICATION)

/* A folder of the build tree or the installation, seen from the program's own place; NULL if
 * there is none. */
static char *
find_folder (const char *const *candidates)
{
  g_autofree char *program = g_file_read_link ("/proc/self/exe", NULL);
  g_autofree char *here = program != NULL ? g_path_get_dirname (program) : NULL;

  for (guint i = 0; here != NULL && candidates[i] != NULL; i++)
    {
      g_autofree char *path = g_build_filename (here, candidates[i], NULL);

      if (g_file_test (path, G_FILE_TEST_IS_DIR))
        return g_canonicalize_filename (path, NULL);
    }

  return NULL;
}

/* Beside the program, installed or built; else where the C library looks. */
static void
speak (void)
{
  static const char *const word_dirs[] = { "../share/locale", "../po", NULL };
  g_autofree char *folder = find_folder (word_dirs);

  goban_i18n_enable (folder);
}

static GobanConsoleEvaluator *
new_lesson_evaluator (GobanSession *session)
{
  return GOBAN_CONSOLE_EVALUATOR (goban_lua_console_new (session));
}

static GobanWindow *
new_window (GobanApplication *self)
{
  g_autoptr (GobanSession) session = goban_session_new ();
  g_autoptr (GobanLuaConsole) console = goban_lua_console_new (session);
  GobanWindow *window = goban_window_new (GTK_APPLICATION (self), session, self->settings);

  goban_window_set_evaluator (window, GOBAN_CONSOLE_EVALUATOR (console));
  goban_window_set_lesson_evaluator (window, new_lesson_evaluator);
  goban_window_set_samples (window, self->samples);
  goban_window_set_examples (window, self->examples);
  if (!self->has_offered)
    goban_window_offer_recovery (window);
  self->has_offered = TRUE;
  return window;
}

/* The window that was used last, while it is empty; else a new one. */
static GobanWindow *
get_empty_window (GobanApplication *self)
{
  GtkWindow *active = gtk_application_get_active_window (GTK_APPLICATION (self));

  if (GOBAN_IS_WINDOW (active))
    {
      GobanSession *session = goban_window_get_session (GOBAN_WINDOW (active));

      if (goban_session_get_graph (session) == NULL && goban_session_get_job (session) == NULL)
        return GOBAN_WINDOW (active);
    }

  return new_window (self);
}

static void
new_window_cb (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  gtk_window_present (GTK_WINDOW (new_window (user_data)));
}

static void
goban_application_activate (GApplication *application)
{
  GobanApplication *self = GOBAN_APPLICATION (application);
  GtkWindow *active = gtk_application_get_active_window (GTK_APPLICATION (self));

  gtk_window_present (active != NULL ? active : GTK_WINDOW (new_window (self)));
}

/* A window for each graph or session, so that none takes the place of another, with what was named
 * beside it. What was named without a graph is for the graph that was used last. */
static void
open_groups_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GPtrArray) groups = g_task_propagate_pointer (G_TASK (result), NULL);
  g_autoptr (GobanApplication) self = user_data;

  for (guint i = 0; i < groups->len; i++)
    {
      GPtrArray *group = g_ptr_array_index (groups, i);
      GtkWindow *active = gtk_application_get_active_window (GTK_APPLICATION (self));
      GobanWindow *window = !goban_file_group_has_graph (group) && GOBAN_IS_WINDOW (active)
                                ? GOBAN_WINDOW (active)
                                : get_empty_window (self);

      goban_window_open_files (window, group);
      gtk_window_present (GTK_WINDOW (window));
    }
  g_application_release (G_APPLICATION (self));
}

static void
goban_application_open (GApplication *application, GFile **files, int n_files, const char *hint)
{
  g_application_hold (application); /* no window is open yet */
  goban_file_groups_find (files, (guint) n_files, NULL, open_groups_cb, g_object_ref (application));
}

/* --- signals that end the program ---------------------------------------------------------- */

/* Each window saves its unsaved changes for recovery and stores its size. Closing one may close
 * others. */
static void
close_windows (GobanApplication *self)
{
  g_autolist (GtkWindow) windows
      = g_list_copy_deep (gtk_application_get_windows (GTK_APPLICATION (self)),
                          (GCopyFunc) (void (*) (void)) g_object_ref, NULL);

  for (GList *l = windows; l != NULL; l = l->next)
    gtk_window_close (l->data);
}

/* In the main loop, not in the signal's handler. */
static gboolean
end_cb (gpointer user_data)
{
  close_windows (user_data);
  g_application_quit (user_data);
  return G_SOURCE_CONTINUE;
}

static gboolean
end_once_cb (gpointer user_data)
{
  end_cb (user_data);
  return G_SOURCE_REMOVE;
}

/* In the thread that waits for SIGTERM. */
static void
end_signal_cb (gpointer user_data)
{
  g_idle_add_full (G_PRIORITY_HIGH, end_once_cb, g_object_ref (user_data), g_object_unref);
}

static void
watch_signals (GobanApplication *self)
{
  goban_end_signal_set_handler (end_signal_cb, self);
  for (gsize i = 0; i < G_N_ELEMENTS (end_signals); i++)
    if (!goban_end_signal_is_ignored (end_signals[i]))
      self->signal_ids[i]
          = g_unix_signal_add_full (G_PRIORITY_HIGH, end_signals[i], end_cb, self, NULL);
}

static void
goban_application_startup (GApplication *application)
{
  static const char *const schema_dirs[]
      = { "../share/glib-2.0/schemas", "../data", NULL }; /* installed anywhere, or not at all */
  static const char *const sample_dirs[] = { "../share/goban/samples", "../../samples", NULL };
  static const GActionEntry entries[] = {
    { .name = "new-window", .activate = new_window_cb },
  };
  static const char *const example_dirs[]
      = { "../share/goban/examples", "../../scripts/examples", NULL };
  GobanApplication *self = GOBAN_APPLICATION (application);
  g_autofree char *schema_dir = find_folder (schema_dirs);

  G_APPLICATION_CLASS (goban_application_parent_class)->startup (application);

  speak ();
  goban_ui_init ();
  self->settings = goban_settings_new (schema_dir);
  self->samples = find_folder (sample_dirs);
  self->examples = find_folder (example_dirs);
  goban_actions_add_accels (GTK_APPLICATION (self));
  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries), self);
  watch_signals (self);
}

/* Quitting is closing all windows in good order. */
static void
goban_application_shutdown (GApplication *application)
{
  GobanApplication *self = GOBAN_APPLICATION (application);
  GList *window;

  close_windows (self);
  while ((window = gtk_application_get_windows (GTK_APPLICATION (application))) != NULL)
    gtk_window_destroy (window->data);
  for (gsize i = 0; i < G_N_ELEMENTS (end_signals); i++)
    g_clear_handle_id (&self->signal_ids[i], g_source_remove);
  goban_end_signal_set_handler (NULL, NULL);
  G_APPLICATION_CLASS (goban_application_parent_class)->shutdown (application);
}

/* If the program runs already, it opens the window; else it begins with one. */
static int
ask_for_window (GApplication *application)
{
  g_autoptr (GError) error = NULL;

  if (!g_application_register (application, NULL, &error))
    {
      g_printerr ("goban: %s\n", error->message);
      return 1;
    }
  if (!g_application_get_is_remote (application))
    return -1;
  g_action_group_activate_action (G_ACTION_GROUP (application), "new-window", NULL);
  return 0;
}

static int
goban_application_handle_local_options (GApplication *application, GVariantDict *options)
{
  if (g_variant_dict_contains (options, "version"))
    {
      g_print ("goban %s\n", GOBAN_VERSION);
      return 0;
    }
  return g_variant_dict_contains (options, "new-window") ? ask_for_window (application) : -1;
}

static void
goban_application_finalize (GObject *object)
{
  GobanApplication *self = GOBAN_APPLICATION (object);

  g_clear_pointer (&self->settings, goban_settings_free);
  g_free (self->samples);
  g_free (self->examples);

  G_OBJECT_CLASS (goban_application_parent_class)->finalize (object);
}

static void
goban_application_class_init (GobanApplicationClass *klass)
{
  GApplicationClass *application_class = G_APPLICATION_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = goban_application_finalize;
  application_class->activate = goban_application_activate;
  application_class->open = goban_application_open;
  application_class->shutdown = goban_application_shutdown;
  application_class->startup = goban_application_startup;
  application_class->handle_local_options = goban_application_handle_local_options;
}

static void
goban_application_init (GobanApplication *self)
{
  static const GOptionEntry options[] = {
    { "new-window", 'n', 0, G_OPTION_ARG_NONE, NULL, N_ ("Open another window"), NULL },
    { "version", 'v', 0, G_OPTION_ARG_NONE, NULL, N_ ("Print the version and leave"), NULL },
    { NULL },
  };

  g_application_add_main_option_entries (G_APPLICATION (self), options);
  g_application_set_option_context_parameter_string (G_APPLICATION (self), "[FILE…]");
  g_application_set_option_context_summary (
      G_APPLICATION (self), "See how a neural network is placed and scheduled on several devices.");
}

GobanApplication *
goban_application_new (void)
{
  GApplicationFlags flags = G_APPLICATION_HANDLES_OPEN;

  if (g_getenv ("GOBAN_NON_UNIQUE") != NULL)
    flags |= G_APPLICATION_NON_UNIQUE;

  return g_object_new (GOBAN_TYPE_APPLICATION, "application-id", GOBAN_APPLICATION_ID, "flags",
                       flags, NULL);
}
