#include "ui/documents/opening.h"

#include "engine/base/i18n.h"
#include "engine/document/document.h"
#include "engine/document/opening.h"
#include "engine/run/graph-source.h"
#include "engine/session/session-log.h"
#include "ui/dialogs/generate-dialog.h"

#include <string.h>

/* The beginning of a plan file has this key. */
#define PLAN_KEY "\"goban_plan\""
#define SNIFF_BYTES 512
#define KEY_PROFILE "profile"

struct _GobanOpening
{
  GObject parent;

  GobanSite site;
  GobanReplacing *replacing;
  GobanFileChooser *chooser;
  GobanScripts *scripts;
  GtkWidget *generator; /* the open dialog for a generated graph, else NULL */
};

G_DEFINE_FINAL_TYPE (GobanOpening, goban_opening, G_TYPE_OBJECT)

/* The first bytes of a file and their number; 0 if it cannot be read, for which opening it reports
 * the reason. */
static gsize
read_head (GFile *file, char *head)
{
  g_autoptr (GFileInputStream) stream = g_file_read (file, NULL, NULL);
  gsize n = 0;

  if (stream == NULL
      || !g_input_stream_read_all (G_INPUT_STREAM (stream), head, SNIFF_BYTES, &n, NULL, NULL))
    return 0;
  return n;
}

/* The spec of a generated graph on a command line, "gnmt:layers=2", looks like a file here or like
 * an address of an unknown scheme. (transfer full) (nullable) */
static char *
dup_spec (GFile *file)
{
  g_autofree char *path = g_file_get_path (file);
  g_autofree char *spec = path != NULL ? g_file_get_basename (file) : g_file_get_uri (file);

  if (path != NULL && g_file_test (path, G_FILE_TEST_EXISTS))
    return NULL;
  return goban_graph_source_is_spec (spec) ? g_steal_pointer (&spec) : NULL;
}

/* A request to open a session. */
typedef struct
{
  GobanSession *session;
  char *path;
} Target;

static void
target_free (gpointer data)
{
  Target *target = data;

  g_free (target->path);
  g_free (target);
}

static void
open_session (gpointer data)
{
  const Target *target = data;

  goban_document_open (goban_document_get (target->session), target->path, NULL);
}

static void
replace_by (GobanOpening *self, const char *path, GobanReplacement replacement)
{
  g_autofree char *name
      = goban_graph_source_is_spec (path) ? g_strdup (path) : g_filename_display_basename (path);

  replacement.name = name;
  goban_replacing_start (self->replacing, &replacement);
}

static void
open_session_instead (GobanOpening *self, const char *path)
{
  Target *target = g_new (Target, 1);

  *target = (Target){ self->site.session, g_strdup (path) };
  replace_by (self, path,
              (GobanReplacement){ .open = open_session, .data = target, .free_data = target_free });
}

static void
open_read (gpointer data)
{
  goban_read_graph_open (data);
}

static void
free_read (gpointer data)
{
  goban_read_graph_free (data);
}

static void
read_cb (gpointer owner, GobanReadGraph *read)
{
  replace_by (owner, goban_read_graph_get_path (read),
              (GobanReplacement){ .open = open_read, .data = read, .free_data = free_read });
}

/* @path may be a spec. Whether to save the open document is asked once the graph has been read. */
static void
open_graph_instead (GobanOpening *self, const char *path)
{
  goban_session_read_path (self->site.session, path, read_cb, self);
}

/* --- profiles -------------------------------------------------------------------------------- */

/* Asks how to use a profile: as a run of its own, or as times for the open graph. */
typedef struct
{
  GobanOpening *self;
  char *path;
} Asked;

static void
asked_free (gpointer data)
{
  Asked *asked = data;

  g_free (asked->path);
  g_free (asked);
}

static void
profile_cb (int choice, gpointer user_data)
{
  const Asked *asked = user_data;

  if (choice == 0)
    goban_session_open_profile (asked->self->site.session, asked->path);
  else if (choice == 1)
    open_graph_instead (asked->self, asked->path);
}

static void
ask_about_profile (GobanOpening *self, const char *path)
{
  const char *const labels[]
      = { _ ("Use as measured times"), _ ("Open the recorded run"), _ ("Cancel"), NULL };
  g_autofree char *name = g_filename_display_basename (path);
  g_autofree char *text = g_strdup_printf (
      _ ("“%s” is a profile. Take the times of the open graph from it, or open its own run?"),
      name);
  Asked *asked = g_new (Asked, 1);

  *asked = (Asked){ self, g_strdup (path) };
  goban_notice_bar_ask (self->site.notice, &(GobanQuestion){ .key = KEY_PROFILE,
                                                             .text = text,
                                                             .labels = labels,
                                                             .func = profile_cb,
                                                             .user_data = asked,
                                                             .free_data = asked_free,
                                                             .is_urgent = TRUE });
}

/* A profile may be of any graph but a recording. */
static gboolean
may_take_times (GobanOpening *self, const char *path)
{
  GobanGraph *graph = goban_session_get_graph (self->site.session);

  return graph != NULL && goban_graph_get_n_nodes (graph) > 0
         && goban_graph_get_node (graph, 0)->lane == GOBAN_NO_LANE
         && goban_graph_source_is_profile (path);
}

void
goban_opening_open_file (GobanOpening *self, GFile *file)
{
  g_autofree char *spec = NULL;
  g_autofree char *path = NULL;
  g_autofree char *uri = NULL;
  char head[SNIFF_BYTES + 1] = "";
  gsize n;

  g_return_if_fail (GOBAN_IS_OPENING (self));

  spec = dup_spec (file);
  if (spec != NULL)
    {
      goban_notice_bar_hide (self->site.notice);
      open_graph_instead (self, spec);
      return;
    }
  path = g_file_get_path (file);
  if (path == NULL)
    {
      uri = g_file_get_uri (file);
      goban_session_say (self->site.session, TRUE, "%s is not a file of this machine", uri);
      return;
    }

  goban_notice_bar_hide (self->site.notice);
  /* Who waits for the writer of a pipe may wait for ever. */
  if (g_file_query_file_type (file, G_FILE_QUERY_INFO_NONE, NULL) == G_FILE_TYPE_SPECIAL)
    {
      goban_session_say (self->site.session, TRUE, "%s: it is a pipe or a device, not a file",
                         path);
      return;
    }

  n = read_head (file, head);
  if (goban_scripts_is_script (path))
    goban_scripts_open (self->scripts, path);
  else if (goban_session_file_sniff (head, n))
    open_session_instead (self, path);
  else if (strstr (head, PLAN_KEY) != NULL)
    goban_session_open_plan (self->site.session, path);
  else if (may_take_times (self, path))
    ask_about_profile (self, path);
  else
    open_graph_instead (self, path);
}

static void
open_path (GobanOpening *self, GVariant *parameter)
{
  const char *target = g_variant_get_string (parameter, NULL);
  g_autoptr (GFile) file = g_str_has_prefix (target, "file://") ? g_file_new_for_uri (target)
                                                                : g_file_new_for_path (target);

  goban_opening_open_file (self, file);
}

static void
chosen_cb (GobanGenerateDialog *dialog, const char *spec, GobanOpening *self)
{
  goban_notice_bar_hide (self->site.notice);
  open_graph_instead (self, spec);
}

static void
generate (GobanOpening *self, GVariant *parameter)
{
  if (self->generator == NULL)
    {
      self->generator
          = goban_generate_dialog_new (GTK_WINDOW (self->site.window), self->site.session);
      g_signal_connect_object (self->generator, "chosen", G_CALLBACK (chosen_cb), self, 0);
      g_object_add_weak_pointer (G_OBJECT (self->generator), (gpointer *) &self->generator);
    }
  gtk_window_present (GTK_WINDOW (self->generator));
}

void
goban_opening_reload (GobanOpening *self)
{
  GobanDocument *document = goban_document_get (self->site.session);
  const char *session = goban_document_get_path (document);
  g_autofree char *path = g_strdup (goban_session_get_path (self->site.session));

  if (session != NULL)
    goban_document_open (document, session, NULL);
  else if (path != NULL)
    goban_session_open_path (self->site.session, path);
}

static void
open_chosen (gpointer data, GFile *file)
{
  goban_opening_open_file (data, file);
}

static void
choose_file (GobanOpening *self, GVariant *parameter)
{
  goban_file_chooser_open (self->chooser, _ ("Open a session, a graph, a plan or a script"),
                           open_chosen, self);
}

static gboolean
drop_cb (GtkDropTarget *target, const GValue *value, double x, double y, gpointer user_data)
{
  GobanOpening *self = user_data;
  g_autoptr (GSList) files = gdk_file_list_get_files (g_value_get_boxed (value));

  for (GSList *l = files; l != NULL; l = l->next)
    goban_opening_open_file (self, l->data);
  return files != NULL;
}

static void
accept_drops (GobanOpening *self)
{
  GtkDropTarget *target = gtk_drop_target_new (GDK_TYPE_FILE_LIST, GDK_ACTION_COPY);

  g_signal_connect_object (target, "drop", G_CALLBACK (drop_cb), self, 0);
  gtk_widget_add_controller (GTK_WIDGET (self->site.window), GTK_EVENT_CONTROLLER (target));
}

static const GobanCommand commands[] = {
  { "open", G_CALLBACK (choose_file) },
  { "open-path", G_CALLBACK (open_path) },
  { "generate", G_CALLBACK (generate) },
};

/* --- life ------------------------------------------------------------------------------------ */

static void
goban_opening_dispose (GObject *object)
{
  GobanOpening *self = GOBAN_OPENING (object);

  goban_site_drop_dialog (&self->generator);

  G_OBJECT_CLASS (goban_opening_parent_class)->dispose (object);
}

static void
goban_opening_class_init (GobanOpeningClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = goban_opening_dispose;
}

static void
goban_opening_init (GobanOpening *self)
{
}

GobanOpening *
goban_opening_new (const GobanSite *site, GobanFileChooser *chooser, GobanReplacing *replacing,
                   GobanScripts *scripts)
{
  GobanOpening *self = g_object_new (GOBAN_TYPE_OPENING, NULL);

  self->site = *site;
  self->chooser = chooser;
  self->replacing = replacing;
  self->scripts = scripts;
  accept_drops (self);
  goban_site_connect (site, commands, G_N_ELEMENTS (commands), self);
  return self;
}
