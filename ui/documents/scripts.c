#include "ui/documents/scripts.h"

#include "engine/core/file-read.h"
#include "engine/core/file.h"
#include "engine/core/i18n.h"
#include "engine/session/session-log.h"
#include "ui/widgets/recent-files.h"

#include <glib/gstdio.h>
#include <string.h>

#define SUFFIX ".lua"
#define KEY_SCRIPT "script"

struct _GobanScripts
{
  GObject parent;

  GobanSite site;
  GobanLowerPane *lower;
  GobanFileChooser *chooser;
};

GOBAN_DEFINE_PART (GobanScripts, goban_scripts)

static GobanScriptView *
get_view (GobanScripts *self)
{
  return goban_lower_pane_get_parts (self->lower)->script;
}

/* --- opening ---------------------------------------------------------------------------------- */

static void
load (GobanScripts *self, const char *path)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) bytes = goban_file_read (path, GOBAN_FILE_TEXT, &error);
  gsize n = 0;
  const char *text = bytes != NULL ? g_bytes_get_data (bytes, &n) : NULL;

  if (bytes == NULL || !g_utf8_validate_len (text != NULL ? text : "", n, NULL))
    {
      goban_session_say (self->site.session, TRUE, "%s%s", error != NULL ? error->message : path,
                         error != NULL ? "" : ": it is not a text in UTF-8");
      return;
    }
  goban_script_view_set_text (get_view (self), text != NULL ? text : "", path);
  goban_recent_files_add (path);
  goban_site_activate (&self->site, "workspace", g_variant_new_string ("script"));
  gtk_widget_grab_focus (GTK_WIDGET (get_view (self)));
}

typedef struct
{
  GobanScripts *self;
  char *path;
} Asked;

static void
asked_free (gpointer data)
{
  g_free (((Asked *) data)->path);
  g_free (data);
}

static void
answered_cb (int choice, gpointer user_data)
{
  const Asked *asked = user_data;

  if (choice == 0)
    load (asked->self, asked->path);
}

void
goban_scripts_open (GobanScripts *self, const char *path)
{
  const char *const labels[] = { _ ("Discard changes and open"), _ ("Cancel"), NULL };
  Asked *asked;

  g_return_if_fail (GOBAN_IS_SCRIPTS (self));

  if (!goban_script_view_is_modified (get_view (self)))
    {
      load (self, path);
      return;
    }
  asked = g_new (Asked, 1);
  *asked = (Asked){ self, g_strdup (path) };
  goban_notice_bar_ask (
      self->site.notice,
      &(GobanQuestion){ .key = KEY_SCRIPT,
                        .text = _ ("The script in the script pane has changes that are not saved."),
                        .labels = labels,
                        .func = answered_cb,
                        .user_data = asked,
                        .free_data = asked_free,
                        .is_urgent = TRUE });
}

/* --- unsaved scripts ----------------------------------------------------------------------- */

/* (transfer full) (nullable): without settings nothing is remembered. */
static char *
dup_draft_path (GobanScripts *self)
{
  if (self->site.settings == NULL)
    return NULL;
  return g_build_filename (g_get_user_state_dir (), "goban", "draft.lua", NULL);
}

static void
take_draft (GobanScripts *self)
{
  g_autofree char *path = dup_draft_path (self);
  g_autofree char *text = NULL;

  if (path == NULL || !g_file_get_contents (path, &text, NULL, NULL)
      || !g_utf8_validate (text, -1, NULL))
    return;
  g_unlink (path);
  goban_script_view_set_text (get_view (self), text, NULL);
  goban_script_view_set_saved (get_view (self), NULL);
}

/* A closed window must not lose a script: the next one has it as a new script. */
static void
keep_draft (GobanScripts *self)
{
  g_autofree char *path = dup_draft_path (self);
  g_autofree char *folder = path != NULL ? g_path_get_dirname (path) : NULL;
  g_autofree char *text = NULL;

  if (path == NULL || !goban_script_view_is_modified (get_view (self)))
    return;
  text = goban_script_view_dup_text (get_view (self));
  g_mkdir_with_parents (folder, 0700);
  if (*text != '\0')
    goban_file_write (path, text, strlen (text), NULL); /* too late to report the error */
}

/* --- commands --------------------------------------------------------------------------------- */

/* The output is in the console, if that is in sight. */
static void
note_start (GobanScripts *self, gboolean is_started)
{
  if (is_started)
    goban_lower_pane_show_page (self->lower, GOBAN_DRAWER_CONSOLE);
  else
    goban_site_hint (&self->site, "%s", _ ("Something else is running: stop it first"));
}

static void
run_script (GobanScripts *self, GVariant *parameter)
{
  note_start (self, goban_script_view_run (get_view (self)));
}

static void
run_selection (GobanScripts *self, GVariant *parameter)
{
  note_start (self, goban_script_view_run_selection (get_view (self)));
}

static void
save_to (gpointer data, GFile *file)
{
  GobanScripts *self = data;
  g_autofree char *path = g_file_get_path (file);
  g_autofree char *text = goban_script_view_dup_text (get_view (self));
  g_autoptr (GError) error = NULL;

  if (path == NULL || !goban_file_write (path, text, strlen (text), &error))
    {
      goban_session_say (self->site.session, TRUE, "%s",
                         error != NULL ? error->message : "it is not a file of this machine");
      return;
    }
  goban_script_view_set_saved (get_view (self), path);
  goban_recent_files_add (path);
  goban_site_hint (&self->site, _ ("Saved %s"), path);
}

/* An example is not written over. */
static gboolean
may_write (const char *path)
{
  return path != NULL && g_access (path, W_OK) == 0;
}

static void
save_script (GobanScripts *self, GVariant *parameter)
{
  const char *path = goban_script_view_get_path (get_view (self));
  g_autoptr (GFile) file = may_write (path) ? g_file_new_for_path (path) : NULL;

  if (file != NULL)
    save_to (self, file);
  else
    goban_file_chooser_save (self->chooser,
                             &(GobanFileTarget){ .title = _ ("Save the script"), .suffix = SUFFIX },
                             save_to, self);
}

static void
search_history (GobanScripts *self, GVariant *parameter)
{
  GobanConsoleView *console = goban_lower_pane_get_parts (self->lower)->console;

  goban_site_set_toggle (&self->site, "console-pane", TRUE);
  goban_console_view_search_history (console);
}

static const GobanCommand commands[] = {
  { "run-script", G_CALLBACK (run_script) },
  { "run-selection", G_CALLBACK (run_selection) },
  { "save-script", G_CALLBACK (save_script) },
  { "console-history", G_CALLBACK (search_history) },
};

/* --- the examples ----------------------------------------------------------------------------- */

/* The first line of an example describes it: "-- Policies of your own: ..." */
static char *
dup_title (const char *path)
{
  g_autofree char *text = NULL;
  g_autofree char *name = g_path_get_basename (path);
  gsize n;

  if (!g_file_get_contents (path, &text, NULL, NULL) || !g_str_has_prefix (text, "-- "))
    return g_steal_pointer (&name);
  n = strcspn (text + 3, ".:,\n");
  return g_strndup (text + 3, n);
}

static int
compare_names (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

void
goban_scripts_set_examples (GobanScripts *self, const char *folder)
{
  g_autoptr (GDir) dir = folder != NULL ? g_dir_open (folder, 0, NULL) : NULL;
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GMenu) menu = g_menu_new ();
  const char *name;

  g_return_if_fail (GOBAN_IS_SCRIPTS (self));

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    if (g_str_has_suffix (name, SUFFIX))
      g_ptr_array_add (names, g_strdup (name));
  g_ptr_array_sort (names, compare_names);
  for (guint i = 0; i < names->len; i++)
    {
      g_autofree char *path = g_build_filename (folder, names->pdata[i], NULL);
      g_autofree char *title = dup_title (path);
      g_autofree char *target = goban_recent_files_dup_target (path);
      g_autoptr (GMenuItem) item = g_menu_item_new (title, NULL);

      g_menu_item_set_action_and_target (item, "win.open-path", "s", target);
      g_menu_append_item (menu, item);
    }
  goban_script_view_set_examples (get_view (self), names->len > 0 ? G_MENU_MODEL (menu) : NULL);
}

/* --- construction and disposal --------------------------------------------------------------- */

static void
goban_scripts_clear (GobanScripts *self)
{
  if (self->lower != NULL)
    keep_draft (self);
  self->lower = NULL;
}

GobanScripts *
goban_scripts_new (const GobanSite *site, GobanLowerPane *lower, GobanFileChooser *chooser)
{
  GobanScripts *self = g_object_new (GOBAN_TYPE_SCRIPTS, NULL);

  self->site = *site;
  self->lower = lower;
  self->chooser = chooser;
  take_draft (self);
  goban_site_connect (site, commands, G_N_ELEMENTS (commands), self);
  return self;
}
