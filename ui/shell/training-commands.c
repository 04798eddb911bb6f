#include "ui/shell/training-commands.h"

#include "engine/base/i18n.h"
#include "engine/session/session-jobs.h"
#include "engine/session/session-log.h"
#include "engine/training/training-list.h"
#include "ui/training/training-dialog.h"

#include <glib/gstdio.h>

struct _GobanTrainingCommands
{
  GObject parent;

  GobanSite site;
  GobanLowerPane *lower;
  GobanPictures *pictures;
};

G_DEFINE_FINAL_TYPE (GobanTrainingCommands, goban_training_commands, G_TYPE_OBJECT)

/* --- starting --------------------------------------------------------------------------------- */

/* The folder of the network is made, as scripts make theirs. */
static void
make_folder (const char *output)
{
  g_autofree char *folder = output != NULL ? g_path_get_dirname (output) : NULL;

  if (folder != NULL)
    g_mkdir_with_parents (folder, 0755); /* what fails is found out by the training's check */
}

void
goban_training_commands_start (GobanTrainingCommands *self, const GobanTrainingOptions *options)
{
  g_autoptr (GobanTrainingJob) training = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *code = goban_training_dup_code (options);

  g_return_if_fail (GOBAN_IS_TRAINING_COMMANDS (self));

  make_folder (options->output);
  training = goban_training_job_start (options, &error);
  if (training == NULL)
    {
      goban_session_say (self->site.session, TRUE, "%s", error->message);
      return;
    }
  goban_session_log (self->site.session, code);
  goban_training_list_add (G_OBJECT (self->site.session), training);
}

static void
train_cb (GobanTrainingDialog *dialog, gpointer user_data)
{
  GobanTrainingOptions options = goban_training_dialog_get_options (dialog);

  goban_training_commands_start (user_data, &options);
}

static void
train (GobanTrainingCommands *self, GVariant *parameter)
{
  GtkWidget *dialog = goban_training_dialog_new (GTK_WINDOW (self->site.window));

  g_signal_connect_object (dialog, "train", G_CALLBACK (train_cb), self, 0);
  gtk_window_present (GTK_WINDOW (dialog));
}

/* --- the pane --------------------------------------------------------------------------------- */

static void
pane_changed (GobanTrainingCommands *self, GVariant *state)
{
  goban_lower_pane_update (self->lower);
  goban_pictures_keep_focus (self->pictures);
  if (g_variant_get_boolean (state)
      && g_list_model_get_n_items (goban_training_list_of (G_OBJECT (self->site.session))) == 0)
    goban_site_hint (&self->site, "%s", _ ("Nothing has been trained yet in this window"));
}

/* Whoever started it: a dialog, the console or a script. */
static void
list_changed_cb (GobanTrainingCommands *self, guint position, guint n_removed, guint n_added)
{
  if (n_added > 0)
    goban_site_set_toggle (&self->site, "training-pane", TRUE);
}

static void
closed_cb (GobanTrainingCommands *self)
{
  goban_site_set_toggle (&self->site, "training-pane", FALSE);
}

/* --- placing ---------------------------------------------------------------------------------- */

static void
use_network_cb (GobanTrainingCommands *self, const char *path)
{
  GobanTrainingJob *training
      = goban_training_view_get_training (goban_lower_pane_get_training (self->lower));
  const char *const policies[]
      = { goban_training_get_policy (goban_training_job_get_network (training)), NULL };
  GobanRunOptions options = { .network = path };

  if (goban_session_get_graph (self->site.session) == NULL)
    goban_site_hint (&self->site, "%s", _ ("Open a graph first"));
  else
    goban_session_place_with (self->site.session, policies, &options);
}

static const GobanCommand commands[] = {
  { "train", G_CALLBACK (train) },
  { "training-pane", G_CALLBACK (pane_changed) },
};

/* --- life ------------------------------------------------------------------------------------- */

static void
goban_training_commands_class_init (GobanTrainingCommandsClass *klass)
{
}

static void
goban_training_commands_init (GobanTrainingCommands *self)
{
}

GobanTrainingCommands *
goban_training_commands_new (const GobanSite *site, GobanLowerPane *lower, GobanPictures *pictures)
{
  GobanTrainingCommands *self = g_object_new (GOBAN_TYPE_TRAINING_COMMANDS, NULL);
  GobanTrainingView *view = goban_lower_pane_get_training (lower);

  self->site = *site;
  self->lower = lower;
  self->pictures = pictures;
  g_signal_connect_object (goban_training_list_of (G_OBJECT (site->session)), "items-changed",
                           G_CALLBACK (list_changed_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (view, "closed", G_CALLBACK (closed_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (view, "use-network", G_CALLBACK (use_network_cb), self,
                           G_CONNECT_SWAPPED);
  goban_site_connect (site, commands, G_N_ELEMENTS (commands), self);
  return self;
}
