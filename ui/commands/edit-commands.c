/* Decision U19 (ui/NOTES.md). */
#include "ui/commands/edit-commands.h"

#include "engine/session/edit.h"
#include "engine/session/session-edit.h"
#include "engine/session/session-history.h"
#include "engine/session/session-log.h"
#include "engine/session/session-marks.h"

struct _GobanEditCommands
{
  GObject parent;

  GobanSite site;
};

G_DEFINE_FINAL_TYPE (GobanEditCommands, goban_edit_commands, G_TYPE_OBJECT)

static void
undo (GobanEditCommands *self, GVariant *parameter)
{
  goban_session_undo (self->site.session);
}

static void
redo (GobanEditCommands *self, GVariant *parameter)
{
  goban_session_redo (self->site.session);
}

/* --- the selection ---------------------------------------------------------------------------- */

/* An edit of the selection; NULL, with a notice, if there is nothing to change. (transfer full) */
static GobanEdit *
new_edit (GobanEditCommands *self, GobanEditKind kind)
{
  if (goban_session_get_current_run (self->site.session) == NULL)
    {
      goban_session_say (self->site.session, FALSE,
                         "There is no plan to change: place the graph first");
      return NULL;
    }
  if (!goban_site_has_selection (&self->site))
    {
      goban_session_say (self->site.session, FALSE, "Select what to change first");
      return NULL;
    }
  return goban_edit_new (self->site.session, kind,
                         goban_session_get_selection (self->site.session));
}

static void
move_selection (GobanEditCommands *self, GVariant *parameter)
{
  g_autoptr (GobanEdit) edit = new_edit (self, GOBAN_EDIT_MOVE);
  gint32 device = g_variant_get_int32 (parameter);
  GobanCluster *cluster;
  guint n;

  if (edit == NULL)
    return;

  cluster = goban_run_get_cluster (edit->base);
  n = goban_cluster_get_n_devices (cluster);
  if (device < 0 || (guint) device >= n)
    {
      goban_session_say (self->site.session, FALSE, "There is no device %d: %s has 0 to %u", device,
                         goban_cluster_get_name (cluster), n - 1);
      return;
    }
  edit->device = (GobanDeviceId) device;
  goban_session_edit_async (self->site.session, edit, NULL, NULL, NULL);
}

static void
change_urgency (GobanEditCommands *self, GVariant *parameter)
{
  g_autoptr (GobanEdit) edit = new_edit (self, GOBAN_EDIT_URGENCY);

  if (edit == NULL)
    return;

  edit->priority = g_variant_get_int32 (parameter);
  goban_session_edit_async (self->site.session, edit, NULL, NULL, NULL);
}

static void
fuse (GobanEditCommands *self, GVariant *parameter)
{
  g_autoptr (GobanEdit) edit
      = new_edit (self, g_variant_get_boolean (parameter) ? GOBAN_EDIT_FUSE : GOBAN_EDIT_UNFUSE);

  if (edit != NULL)
    goban_session_edit_async (self->site.session, edit, NULL, NULL, NULL);
}

static void
pin (GobanEditCommands *self, GVariant *parameter)
{
  if (goban_site_has_selection (&self->site))
    goban_session_pin (self->site.session, goban_session_get_selection (self->site.session),
                       g_variant_get_boolean (parameter));
}

static void
hide (GobanEditCommands *self, GVariant *parameter)
{
  GobanView *view = goban_session_get_view (self->site.session);
  g_autoptr (GobanSelection) nothing = goban_selection_new (NULL, 0);
  g_autoptr (GobanSelection) hidden = NULL;

  if (!goban_site_has_selection (&self->site))
    return;

  hidden = goban_selection_union (goban_view_get_hidden (view),
                                  goban_session_get_selection (self->site.session));
  goban_view_set_hidden (view, hidden, goban_session_get_graph (self->site.session));
  /* Hidden nodes must not be moved by the next key. */
  goban_session_set_selection (self->site.session, nothing);
}

static void
unhide (GobanEditCommands *self, GVariant *parameter)
{
  g_autoptr (GobanSelection) nothing = goban_selection_new (NULL, 0);
  GobanGraph *graph = goban_session_get_graph (self->site.session);

  if (graph != NULL)
    goban_view_set_hidden (goban_session_get_view (self->site.session), nothing, graph);
}

static const GobanCommand commands[] = {
  { "undo", G_CALLBACK (undo) },
  { "redo", G_CALLBACK (redo) },
  { "move-selection", G_CALLBACK (move_selection) },
  { "urgency", G_CALLBACK (change_urgency) },
  { "fuse", G_CALLBACK (fuse) },
  { "pin", G_CALLBACK (pin) },
  { "hide", G_CALLBACK (hide) },
  { "unhide", G_CALLBACK (unhide) },
};

/* --- construction and disposal --------------------------------------------------------------- */

static void
goban_edit_commands_class_init (GobanEditCommandsClass *klass)
{
}

static void
goban_edit_commands_init (GobanEditCommands *self)
{
}

GobanEditCommands *
goban_edit_commands_new (const GobanSite *site)
{
  GobanEditCommands *self = g_object_new (GOBAN_TYPE_EDIT_COMMANDS, NULL);

  self->site = *site;
  goban_site_connect (site, commands, G_N_ELEMENTS (commands), self);
  return self;
}
