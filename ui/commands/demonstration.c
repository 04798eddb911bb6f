#include "ui/commands/demonstration.h"

#include "engine/session/session-jobs.h"
#include "engine/session/view-time.h"

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

static const GobanCommand commands[] = {
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
  goban_site_connect (site, commands, G_N_ELEMENTS (commands), self);
  goban_demonstration_set_samples (self, NULL);
  return self;
}
