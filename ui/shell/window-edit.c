/* window-edit.c: changes by hand: undo and redo, and what keys and menus do to the selection. */
#include "ui/shell/window-private.h"

#include "engine/base/i18n.h"
#include "ui/shell/actions.h"
#include "ui/widgets/text.h"

#include "engine/session/edit-queue.h"
#include "engine/session/edit.h"
#include "engine/session/session-edit.h"
#include "engine/session/session-history.h"
#include "engine/session/session-log.h"
#include "engine/session/session-marks.h"

/* After D, a digit within so long says to which device. */
#define DEVICE_KEY_MS 3000
/* The time after an arrow key is longer, because the user watches the preview. */
#define DEVICE_AIM_MS 20000

/* --- undo and redo ---------------------------------------------------------------------------- */

void
goban_window_undo (GobanWindow *self, GVariant *parameter)
{
  goban_session_undo (self->session);
}

void
goban_window_redo (GobanWindow *self, GVariant *parameter)
{
  goban_session_redo (self->session);
}

/* (transfer full) */
static char *
label_command (const char *action, const char *name)
{
  const GobanActionInfo *info = goban_action_find (action);

  return name != NULL ? g_strdup_printf ("%s: %s", _ (info->label), name)
                      : g_strdup (_ (info->label));
}

/* Changing a menu takes as long as half of an edit's listeners, and it is closed while edits are made. */
static gboolean
label_menu_cb (gpointer user_data)
{
  GobanWindow *self = user_data;
  g_autofree char *undo = label_command ("undo", goban_session_get_undo_name (self->session));
  g_autofree char *redo = label_command ("redo", goban_session_get_redo_name (self->session));

  self->label_id = 0;
  goban_actions_set_label (self->menu, "undo", undo);
  goban_actions_set_label (self->menu, "redo", redo);
  return G_SOURCE_REMOVE;
}

/* Menu, tooltip and button say what would be undone. */
static void
update_command (GobanWindow *self, const char *action, GtkWidget *button, const char *name)
{
  const GobanActionInfo *info = goban_action_find (action);
  g_autofree char *tooltip = goban_action_tooltip (action);
  g_autofree char *spoken = NULL;
  GAction *command = g_action_map_lookup_action (G_ACTION_MAP (self), action);

  if (name != NULL)
    {
      spoken = g_strdup_printf ("%s: %s", _ (info->help), name);
      g_free (tooltip);
      tooltip = goban_action_tooltip_for (action, spoken);
    }
  /* Most edits leave one of the two as it is. */
  if (g_strcmp0 (gtk_widget_get_tooltip_text (button), tooltip) == 0
      && g_action_get_enabled (command) == (name != NULL))
    return;
  gtk_widget_set_tooltip_text (button, tooltip);
  goban_set_accessible_label (button, spoken != NULL ? spoken : _ (info->help));
  g_simple_action_set_enabled (G_SIMPLE_ACTION (command), name != NULL);
  if (self->label_id == 0)
    self->label_id = g_idle_add_full (GDK_PRIORITY_REDRAW + 10, label_menu_cb, self, NULL);
}

void
goban_window_update_history (GobanWindow *self)
{
  update_command (self, "undo", self->undo_button, goban_session_get_undo_name (self->session));
  update_command (self, "redo", self->redo_button, goban_session_get_redo_name (self->session));
}

/* --- the selection ---------------------------------------------------------------------------- */

static gboolean
has_selection (GobanWindow *self)
{
  guint n;

  goban_selection_get_ids (goban_session_get_selection (self->session), &n);
  return n > 0;
}

/* An edit of the selection; NULL, with a notice, if there is nothing to change. (transfer full) */
static GobanEdit *
new_edit (GobanWindow *self, GobanEditKind kind)
{
  if (goban_session_get_current_run (self->session) == NULL)
    {
      goban_session_say (self->session, FALSE, "There is no plan to change: place the graph first");
      return NULL;
    }
  if (!has_selection (self))
    {
      goban_session_say (self->session, FALSE, "Select what to change first");
      return NULL;
    }
  return goban_edit_new (self->session, kind, goban_session_get_selection (self->session));
}

void
goban_window_move_selection (GobanWindow *self, GVariant *parameter)
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
      goban_session_say (self->session, FALSE, "There is no device %d: %s has 0 to %u", device,
                         goban_cluster_get_name (cluster), n - 1);
      return;
    }
  edit->device = (GobanDeviceId) device;
  goban_session_edit (self->session, edit);
}

void
goban_window_change_urgency (GobanWindow *self, GVariant *parameter)
{
  g_autoptr (GobanEdit) edit = new_edit (self, GOBAN_EDIT_URGENCY);

  if (edit == NULL)
    return;

  edit->priority = g_variant_get_int32 (parameter);
  goban_session_edit (self->session, edit);
}

void
goban_window_fuse (GobanWindow *self, GVariant *parameter)
{
  g_autoptr (GobanEdit) edit
      = new_edit (self, g_variant_get_boolean (parameter) ? GOBAN_EDIT_FUSE : GOBAN_EDIT_UNFUSE);

  if (edit != NULL)
    goban_session_edit (self->session, edit);
}

void
goban_window_pin (GobanWindow *self, GVariant *parameter)
{
  if (has_selection (self))
    goban_session_pin (self->session, goban_session_get_selection (self->session),
                       g_variant_get_boolean (parameter));
}

void
goban_window_hide (GobanWindow *self, GVariant *parameter)
{
  GobanView *view = goban_session_get_view (self->session);
  g_autoptr (GobanSelection) nothing = goban_selection_new (NULL, 0);
  g_autoptr (GobanSelection) hidden = NULL;

  if (!has_selection (self))
    return;

  hidden = goban_selection_union (goban_view_get_hidden (view),
                                  goban_session_get_selection (self->session));
  goban_view_set_hidden (view, hidden, goban_session_get_graph (self->session));
  /* Hidden nodes must not be moved by the next key. */
  goban_session_set_selection (self->session, nothing);
}

void
goban_window_unhide (GobanWindow *self, GVariant *parameter)
{
  g_autoptr (GobanSelection) nothing = goban_selection_new (NULL, 0);
  GobanGraph *graph = goban_session_get_graph (self->session);

  if (graph != NULL)
    goban_view_set_hidden (goban_session_get_view (self->session), nothing, graph);
}

/* --- D, then a digit -------------------------------------------------------------------------- */

static void
forget_device_key (GobanWindow *self)
{
  if (self->device_key_id == 0)
    return;

  g_clear_handle_id (&self->device_key_id, g_source_remove);
  goban_graph_view_offer_devices (GOBAN_GRAPH_VIEW (self->graph_view), FALSE);
  goban_status_bar_set_hint (GOBAN_STATUS_BAR (self->status), "");
}

static gboolean
device_key_timeout_cb (gpointer user_data)
{
  forget_device_key (user_data);
  return G_SOURCE_REMOVE;
}

static void
wait_for_device (GobanWindow *self, guint ms)
{
  if (self->device_key_id != 0)
    g_source_remove (self->device_key_id);
  self->device_key_id = g_timeout_add (ms, device_key_timeout_cb, self);
}

/* D is also the way to go right. With a selection the first press waits for a digit; held, which presses it again and
 * again, it goes right as ever. */
void
goban_window_device_key (GobanWindow *self, GVariant *parameter)
{
  gboolean was_pressed = self->device_key_id != 0;
  guint n;

  forget_device_key (self);
  if (was_pressed || !has_selection (self) || goban_session_get_current_run (self->session) == NULL)
    {
      goban_picture_pan (self->last_picture, -1, 0);
      return;
    }

  n = goban_cluster_get_n_devices (
      goban_run_get_cluster (goban_session_get_current_run (self->session)));
  {
    g_autofree char *hint
        = g_strdup_printf (_ ("Move to device: 0 to %u, or arrows and Enter"), MIN (n, 10) - 1);

    goban_status_bar_set_hint (GOBAN_STATUS_BAR (self->status), hint);
  }
  goban_graph_view_offer_devices (GOBAN_GRAPH_VIEW (self->graph_view), TRUE);
  wait_for_device (self, DEVICE_KEY_MS);
}

/* Handled before all other keys: digits and arrows have another meaning without D. */
static gboolean
key_pressed_cb (GtkEventControllerKey *controller, guint keyval, guint keycode,
                GdkModifierType modifiers, GobanWindow *self)
{
  GobanGraphView *view = GOBAN_GRAPH_VIEW (self->graph_view);
  g_autoptr (GVariant) device = NULL;
  int digit = goban_find_digit (keyval);

  if (self->device_key_id == 0 || keyval == GDK_KEY_d)
    return FALSE;

  if (keyval == GDK_KEY_Left || keyval == GDK_KEY_Right)
    {
      wait_for_device (self, DEVICE_AIM_MS);
      return goban_graph_view_aim (view, keyval == GDK_KEY_Right ? 1 : -1);
    }
  if ((keyval == GDK_KEY_Return || keyval == GDK_KEY_KP_Enter) && goban_graph_view_drop (view))
    {
      forget_device_key (self);
      return TRUE;
    }
  forget_device_key (self);
  if (digit < 0)
    return keyval == GDK_KEY_Escape;

  device = g_variant_ref_sink (g_variant_new_int32 (digit));
  goban_window_move_selection (self, device);
  return TRUE;
}

void
goban_window_watch_keys (GobanWindow *self)
{
  GtkEventController *controller = gtk_event_controller_key_new ();

  gtk_event_controller_set_propagation_phase (controller, GTK_PHASE_CAPTURE);
  g_signal_connect (controller, "key-pressed", G_CALLBACK (key_pressed_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (self), controller);
  g_signal_connect_object (self->graph_view, "offer-over", G_CALLBACK (forget_device_key), self,
                           G_CONNECT_SWAPPED);
}

void
goban_window_stop_watching_keys (GobanWindow *self)
{
  g_clear_handle_id (&self->device_key_id, g_source_remove);
}
