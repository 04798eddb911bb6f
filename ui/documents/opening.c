#include "ui/documents/opening.h"

#include "engine/core/i18n.h"
#include "engine/session/document/document.h"
#include "engine/session/document/opening.h"
#include "engine/session/session-edit.h"
#include "engine/session/session-log.h"
#include "engine/study/run/graph-source.h"
#include "ui/dialogs/generate-dialog.h"
#include "ui/documents/file-groups.h"

#include "engine/session/session-jobs.h"
#include "engine/session/view-time.h"
#include <string.h>

#define KEY_PROFILE "profile"
/* How often a file that follows a graph looks whether that is open. */
#define FOLLOW_MS 20

struct _GobanOpening
{
  GObject parent;

  GobanSite site;
  GobanReplacing *replacing;
  GobanFileChooser *chooser;
  GobanScripts *scripts;
  GCancellable *closed; /* with the window: stops the search for groups of files */
  GtkWidget *generator; /* the open dialog for a generated graph, else NULL */

  GPtrArray *followers; /* (nullable) GFile, to be opened after the graph that is opened next */
  GPtrArray *following_read; /* (nullable) the same, while that is being read */
  GPtrArray *waiting;        /* (nullable) the same, once that is being opened */
  gboolean awaits_graph;     /* they are opened if another graph comes than ... */
  GobanGraph *replaced;      /* ... this (nullable) */
  gboolean has_graph;        /* it has come */
  gboolean awaits_read;      /* no later file has been opened since its reading began */
  guint follow_id;
};

G_DEFINE_FINAL_TYPE (GobanOpening, goban_opening, G_TYPE_OBJECT)

/* --- what belongs to a graph ------------------------------------------------------------------ */

static void
stop_following (GobanOpening *self)
{
  g_clear_handle_id (&self->follow_id, g_source_remove);
  g_clear_pointer (&self->waiting, g_ptr_array_unref);
  g_clear_pointer (&self->replaced, goban_graph_unref);
  self->has_graph = FALSE;
}

/* Without a session's file, all that was named is what was opened, and no change of it. */
static void
settle (GobanOpening *self)
{
  GobanDocument *document = goban_document_get (self->site.session);

  if (self->has_graph && goban_document_get_path (document) == NULL)
    goban_document_set_settled (document, TRUE);
}

/* One file at a time: a plan needs the graph, and the cluster that was named with it. */
static gboolean
follow_cb (gpointer user_data)
{
  GobanOpening *self = user_data;
  GobanSession *session = self->site.session;
  g_autoptr (GFile) file = NULL;

  if (goban_session_get_job (session) != NULL || goban_session_has_pending_edit (session))
    return G_SOURCE_CONTINUE;
  if (self->waiting->len == 0
      || (self->awaits_graph && goban_session_get_graph (session) == self->replaced))
    {
      /* All are open, or the graph could not be read, which has been reported. */
      self->follow_id = 0;
      settle (self);
      stop_following (self);
      return G_SOURCE_REMOVE;
    }
  self->has_graph |= self->awaits_graph;
  self->awaits_graph = FALSE;
  file = g_ptr_array_steal_index (self->waiting, 0);
  goban_opening_open_file (self, file);
  return G_SOURCE_CONTINUE;
}

/* @files: (nullable): opened one after another whenever the session rests; if @awaits_graph, not
 * before it has another graph */
static void
follow (GobanOpening *self, GPtrArray *files, gboolean awaits_graph)
{
  GobanGraph *graph = goban_session_get_graph (self->site.session);

  stop_following (self);
  if (files == NULL)
    return;
  self->waiting = g_ptr_array_ref (files);
  self->awaits_graph = awaits_graph;
  self->replaced = graph != NULL ? goban_graph_ref (graph) : NULL;
  self->follow_id = g_timeout_add (FOLLOW_MS, follow_cb, self);
}

/* --- graphs ----------------------------------------------------------------------------------- */

/* A request to open a graph that has been read, or else a session. */
typedef struct
{
  GobanOpening *opening;
  GobanReadGraph *read; /* (nullable) */
  char *path;
  GPtrArray *followers; /* (nullable) GFile, opened after it */
} Target;

static void
target_free (gpointer data)
{
  Target *target = data;

  g_clear_pointer (&target->read, goban_read_graph_free);
  g_free (target->path);
  g_clear_pointer (&target->followers, g_ptr_array_unref);
  g_free (target);
}

static void
open_target (gpointer data)
{
  const Target *target = data;

  /* Before: it looks for another graph than the present one. */
  follow (target->opening, target->followers, TRUE);
  if (target->read != NULL)
    goban_read_graph_open (target->read);
  else
    goban_document_open (goban_document_get (target->opening->site.session), target->path, NULL);
}

/* @read: (transfer full) (nullable); @path may be a spec. Takes the files that are to follow. */
static void
replace_by (GobanOpening *self, GobanReadGraph *read, const char *path, GPtrArray **followers)
{
  g_autofree char *name
      = goban_graph_source_is_spec (path) ? g_strdup (path) : g_filename_display_basename (path);
  Target *target = g_new (Target, 1);

  self->awaits_read = FALSE;
  *target = (Target){ self, read, g_strdup (path), g_steal_pointer (followers) };
  goban_replacing_start (self->replacing,
                         &(GobanReplacement){ name, open_target, target, target_free });
}

static void
read_cb (gpointer owner, GobanReadGraph *read)
{
  GobanOpening *self = owner;

  if (!self->awaits_read)
    {
      goban_read_graph_free (read);
      return;
    }
  replace_by (self, read, goban_read_graph_get_path (read), &self->following_read);
}

/* @path may be a spec. Whether to save the open document is asked once the graph has been read. */
static void
open_graph_instead (GobanOpening *self, const char *path)
{
  g_clear_pointer (&self->following_read, g_ptr_array_unref);
  self->following_read = g_steal_pointer (&self->followers);
  self->awaits_read = TRUE;
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
may_take_times (GobanOpening *self)
{
  GobanGraph *graph = goban_session_get_graph (self->site.session);

  return graph != NULL && goban_graph_get_n_nodes (graph) > 0
         && goban_graph_get_node (graph, 0)->lane == GOBAN_NO_LANE;
}

void
goban_opening_open_file (GobanOpening *self, GFile *file)
{
  g_autofree char *spec = NULL;
  g_autofree char *path = NULL;
  g_autofree char *uri = NULL;

  g_return_if_fail (GOBAN_IS_OPENING (self));

  spec = goban_file_dup_spec (file);
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

  switch (goban_file_find_kind (file))
    {
    case GOBAN_FILE_IS_SCRIPT:
      goban_scripts_open (self->scripts, path);
      break;
    case GOBAN_FILE_IS_SESSION:
      replace_by (self, NULL, path, &self->followers);
      break;
    case GOBAN_FILE_IS_PLAN:
      goban_session_open_plan (self->site.session, path);
      break;
    case GOBAN_FILE_IS_CLUSTER:
      goban_site_activate (&self->site, "cluster", g_variant_new_string (path));
      break;
    case GOBAN_FILE_IS_PROFILE:
      if (may_take_times (self))
        ask_about_profile (self, path);
      else
        open_graph_instead (self, path);
      break;
    case GOBAN_FILE_IS_GRAPH:
    default:
      open_graph_instead (self, path);
    }
}

void
goban_opening_open_files (GobanOpening *self, GPtrArray *group)
{
  g_autoptr (GPtrArray) others = g_ptr_array_new_with_free_func (g_object_unref);
  guint n_graphs = goban_file_group_has_graph (group) ? 1 : 0;

  g_return_if_fail (GOBAN_IS_OPENING (self));

  for (guint i = n_graphs; i < group->len; i++)
    g_ptr_array_add (others, g_object_ref (g_ptr_array_index (group, i)));
  if (n_graphs == 0)
    {
      follow (self, others, FALSE);
      return;
    }
  self->followers = g_ptr_array_ref (others);
  goban_opening_open_file (self, g_ptr_array_index (group, 0));
  g_clear_pointer (&self->followers, g_ptr_array_unref); /* if it is no file */
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

/* The first group is for this window, the others for windows of their own. */
static void
open_groups_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GPtrArray) groups = g_task_propagate_pointer (G_TASK (result), NULL);
  g_autoptr (GPtrArray) others = g_ptr_array_new ();
  GobanOpening *self = user_data;
  GtkApplication *application;

  if (groups == NULL)
    return; /* the window is closed, and @self gone */
  application = gtk_window_get_application (GTK_WINDOW (self->site.window));
  for (guint i = 0; i < groups->len; i++)
    {
      GPtrArray *group = g_ptr_array_index (groups, i);

      if (i == 0)
        goban_opening_open_files (self, group);
      else
        g_ptr_array_extend (others, group, NULL, NULL);
    }
  if (others->len > 0 && application != NULL)
    g_application_open (G_APPLICATION (application), (GFile **) others->pdata, (int) others->len,
                        "");
}

void
goban_opening_drop_files (GobanOpening *self, GFile *const *files, guint n)
{
  goban_file_groups_find (files, n, self->closed, open_groups_cb, self);
}

static gboolean
drop_cb (GtkDropTarget *target, const GValue *value, double x, double y, gpointer user_data)
{
  GobanOpening *self = user_data;
  g_autoptr (GSList) files = gdk_file_list_get_files (g_value_get_boxed (value));
  g_autoptr (GPtrArray) all = g_ptr_array_new ();

  for (GSList *l = files; l != NULL; l = l->next)
    g_ptr_array_add (all, l->data);
  goban_opening_drop_files (self, (GFile *const *) all->pdata, all->len);
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

/* --- construction and disposal --------------------------------------------------------------- */

static void
goban_opening_dispose (GObject *object)
{
  GobanOpening *self = GOBAN_OPENING (object);

  stop_following (self);
  if (self->closed != NULL)
    g_cancellable_cancel (self->closed);
  g_clear_object (&self->closed);
  g_clear_pointer (&self->followers, g_ptr_array_unref);
  g_clear_pointer (&self->following_read, g_ptr_array_unref);
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
  self->closed = g_cancellable_new ();
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

/* --- the first step of the start page --------------------------------------------------------- */

#define SAMPLE "inception-v3.onnx"
#define POLICY "go-zeroshot"

typedef enum
{
  AT_REST,
  OPENING, /* until the sample is open and its quick policies have placed it */
  PLACING
} Stage;

struct _GobanDemonstration
{
  GObject parent;

  GobanSite site;
  GobanOpening *opening;
  char *path; /* (nullable) */
  Stage stage;
  GobanGraph *before; /* (nullable): open when it began */
  guint look_id;      /* a job has ended, and its result is about to be there, or 0 */
};

G_DEFINE_FINAL_TYPE (GobanDemonstration, goban_demonstration, G_TYPE_OBJECT)

static void
set_stage (GobanDemonstration *self, Stage stage)
{
  self->stage = stage;
  if (stage == AT_REST)
    g_clear_pointer (&self->before, goban_graph_unref);
}

static void
watch (GobanDemonstration *self, GVariant *parameter)
{
  GobanGraph *graph = goban_session_get_graph (self->site.session);
  g_autoptr (GFile) file = NULL;

  if (self->path == NULL)
    return;
  file = g_file_new_for_path (self->path);
  set_stage (self, AT_REST);
  self->before = graph != NULL ? goban_graph_ref (graph) : NULL;
  set_stage (self, OPENING);
  goban_opening_open_file (self->opening, file);
}

static void
show_first_decision (GobanDemonstration *self)
{
  goban_site_activate (&self->site, "workspace", g_variant_new_string ("decisions"));
  if (goban_view_get_moment (goban_session_get_view (self->site.session)) == GOBAN_NO_MOMENT)
    goban_view_set_moment (goban_session_get_view (self->site.session), 1);
}

/* Each stage ends when its job does; a job that failed or was stopped ends the demonstration. */
static gboolean
look_cb (gpointer user_data)
{
  GobanDemonstration *self = user_data;
  GobanSession *session = self->site.session;
  GobanRun *run = goban_session_get_current_run (session);

  self->look_id = 0;
  if (goban_session_get_job (session) != NULL)
    return G_SOURCE_REMOVE;
  if (self->stage == OPENING && goban_session_get_graph (session) != self->before && run != NULL)
    {
      set_stage (self, PLACING);
      goban_session_place (session, POLICY, 0);
      return G_SOURCE_REMOVE;
    }
  if (self->stage == PLACING && run != NULL
      && g_str_equal (goban_plan_get_policy (goban_run_get_plan (run)), POLICY))
    show_first_decision (self);
  if (self->stage == PLACING)
    set_stage (self, AT_REST);
  return G_SOURCE_REMOVE;
}

static void
job_changed_cb (GobanDemonstration *self)
{
  if (self->stage != AT_REST && self->look_id == 0)
    self->look_id = g_idle_add (look_cb, self);
}

void
goban_demonstration_set_samples (GobanDemonstration *self, const char *folder)
{
  const char *const actions[] = { "watch", NULL };

  g_free (self->path);
  self->path = folder != NULL ? g_build_filename (folder, SAMPLE, NULL) : NULL;
  if (self->path != NULL && !g_file_test (self->path, G_FILE_TEST_EXISTS))
    g_clear_pointer (&self->path, g_free);
  goban_site_set_enabled (&self->site, actions, self->path != NULL);
}

static const GobanCommand watch_commands[] = {
  { "watch", G_CALLBACK (watch) },
};

/* --- construction and disposal ---------------------------------------------------------------- */

static void
goban_demonstration_dispose (GObject *object)
{
  g_clear_handle_id (&GOBAN_DEMONSTRATION (object)->look_id, g_source_remove);
  G_OBJECT_CLASS (goban_demonstration_parent_class)->dispose (object);
}

static void
goban_demonstration_finalize (GObject *object)
{
  GobanDemonstration *self = GOBAN_DEMONSTRATION (object);

  g_free (self->path);
  g_clear_pointer (&self->before, goban_graph_unref);
  G_OBJECT_CLASS (goban_demonstration_parent_class)->finalize (object);
}

static void
goban_demonstration_class_init (GobanDemonstrationClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = goban_demonstration_dispose;
  G_OBJECT_CLASS (klass)->finalize = goban_demonstration_finalize;
}

static void
goban_demonstration_init (GobanDemonstration *self)
{
}

GobanDemonstration *
goban_demonstration_new (const GobanSite *site, GobanOpening *opening)
{
  GobanDemonstration *self = g_object_new (GOBAN_TYPE_DEMONSTRATION, NULL);

  self->site = *site;
  self->opening = opening;
  g_signal_connect_object (site->session, "notify::job", G_CALLBACK (job_changed_cb), self,
                           G_CONNECT_SWAPPED);
  goban_site_connect (site, watch_commands, G_N_ELEMENTS (watch_commands), self);
  goban_demonstration_set_samples (self, NULL);
  return self;
}
