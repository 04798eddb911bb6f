#include "ui/commands/cluster-choice.h"

#include "engine/session/edit.h"
#include "engine/session/session-edit.h"
#include "engine/session/session-jobs.h"
#include "engine/session/session-log.h"

struct _GobanClusterChoice
{
  GObject parent;

  GobanSite site;
  GobanFileChooser *chooser;
  char *wanted_policy; /* (nullable): places the graph if no plan fits wanted_cluster ... */
  GobanCluster *wanted_cluster; /* ... once the session has it */
};

G_DEFINE_FINAL_TYPE (GobanClusterChoice, goban_cluster_choice, G_TYPE_OBJECT)

static void
forget_wanted (GobanClusterChoice *self)
{
  g_clear_pointer (&self->wanted_policy, g_free);
  g_clear_pointer (&self->wanted_cluster, goban_cluster_unref);
}

/* Plans for another number of devices are gone; the graph is placed again by the policy of the
 * shown plan. */
static void
place_on_cluster (GobanClusterChoice *self)
{
  if (self->wanted_cluster == NULL
      || goban_session_get_cluster (self->site.session) != self->wanted_cluster)
    return;
  if (self->wanted_policy != NULL && goban_session_get_current_run (self->site.session) == NULL
      && goban_policy_exists (self->wanted_policy, NULL))
    goban_session_place (self->site.session, self->wanted_policy, 0);
  forget_wanted (self);
}

/* All plans are simulated on it in a worker. */
static void
adopt_cluster (GobanClusterChoice *self, GobanCluster *cluster)
{
  GobanRun *run = goban_session_get_current_run (self->site.session);
  g_autoptr (GobanEdit) edit = goban_edit_new (self->site.session, GOBAN_EDIT_CLUSTER, NULL);

  forget_wanted (self);
  self->wanted_policy
      = run != NULL ? g_strdup (goban_plan_get_policy (goban_run_get_plan (run))) : NULL;
  self->wanted_cluster = goban_cluster_ref (cluster);
  edit->cluster = goban_cluster_ref (cluster);
  goban_session_edit_async (self->site.session, edit, NULL, NULL, NULL);
}

static void
choose_preset (GobanClusterChoice *self, GVariant *parameter)
{
  const char *spec = g_variant_get_string (parameter, NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanCluster) cluster = goban_cluster_new_from_spec (spec, &error);

  if (cluster == NULL)
    {
      goban_session_say (self->site.session, TRUE, "%s", error->message);
      return;
    }

  adopt_cluster (self, cluster);
  /* A file may be gone the next time. */
  if (self->site.settings != NULL && !g_path_is_absolute (spec))
    goban_settings_set_string (self->site.settings, GOBAN_SETTING_CLUSTER, spec);
}

static void
open_cluster (gpointer data, GFile *file)
{
  GobanClusterChoice *self = data;
  g_autofree char *path = g_file_get_path (file);
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanCluster) cluster = goban_cluster_new_from_spec (path != NULL ? path : "", &error);

  if (cluster != NULL)
    adopt_cluster (self, cluster);
  else
    goban_session_say (self->site.session, TRUE, "%s", error->message);
}

static void
choose_file (GobanClusterChoice *self, GVariant *parameter)
{
  goban_file_chooser_open_cluster (self->chooser, open_cluster, self);
}

static const GobanCommand commands[] = {
  { "cluster", G_CALLBACK (choose_preset) },
  { "cluster-file", G_CALLBACK (choose_file) },
};

/* --- construction and disposal --------------------------------------------------------------- */

static void
goban_cluster_choice_dispose (GObject *object)
{
  GobanClusterChoice *self = GOBAN_CLUSTER_CHOICE (object);

  forget_wanted (self);
  G_OBJECT_CLASS (goban_cluster_choice_parent_class)->dispose (object);
}

static void
goban_cluster_choice_class_init (GobanClusterChoiceClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = goban_cluster_choice_dispose;
}

static void
goban_cluster_choice_init (GobanClusterChoice *self)
{
}

GobanClusterChoice *
goban_cluster_choice_new (const GobanSite *site, GobanFileChooser *chooser)
{
  GobanClusterChoice *self = g_object_new (GOBAN_TYPE_CLUSTER_CHOICE, NULL);

  self->site = *site;
  self->chooser = chooser;
  g_signal_connect_object (site->session, "notify::cluster", G_CALLBACK (place_on_cluster), self,
                           G_CONNECT_SWAPPED);
  goban_site_connect (site, commands, G_N_ELEMENTS (commands), self);
  return self;
}
