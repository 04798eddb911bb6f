#include "ui/commands/device-key.h"
#include "ui/graph/graph-drag.h"

#include "engine/core/i18n.h"
#include "ui/widgets/text.h"

/* After D, a digit within so long says to which device. */
#define DEVICE_KEY_MS 3000
/* The time after an arrow key is longer, because the user watches the preview. */
#define DEVICE_AIM_MS 20000

struct _GobanDeviceKey
{
  GObject parent;

  GobanSite site;
  GobanPictures *pictures;
  guint timeout_id; /* after the key D: for the digit of the device */
};

G_DEFINE_FINAL_TYPE (GobanDeviceKey, goban_device_key, G_TYPE_OBJECT)

static void
forget (GobanDeviceKey *self)
{
  if (self->timeout_id == 0)
    return;

  g_clear_handle_id (&self->timeout_id, g_source_remove);
  goban_graph_view_offer_devices (goban_pictures_get_explored (self->pictures), FALSE);
  goban_status_bar_set_hint (self->site.status, "");
}

static gboolean
timeout_cb (gpointer user_data)
{
  forget (user_data);
  return G_SOURCE_REMOVE;
}

static void
wait_for_device (GobanDeviceKey *self, guint ms)
{
  if (self->timeout_id != 0)
    g_source_remove (self->timeout_id);
  self->timeout_id = g_timeout_add (ms, timeout_cb, self);
}

/* D is also the way to go right. With a selection the first press waits for a digit; held, which
 * presses it again and again, it goes right as ever. */
static void
device_key (GobanDeviceKey *self, GVariant *parameter)
{
  gboolean was_pressed = self->timeout_id != 0;
  g_autofree char *hint = NULL;
  guint n;

  forget (self);
  if (was_pressed || !goban_site_has_selection (&self->site)
      || goban_session_get_current_run (self->site.session) == NULL)
    {
      goban_picture_pan (goban_pictures_get_last (self->pictures), -1, 0);
      return;
    }

  n = goban_cluster_get_n_devices (
      goban_run_get_cluster (goban_session_get_current_run (self->site.session)));
  hint = g_strdup_printf (_ ("Move to device: 0 to %u, or arrows and Enter"), MIN (n, 10) - 1);
  goban_status_bar_set_hint (self->site.status, hint);
  goban_graph_view_offer_devices (goban_pictures_get_explored (self->pictures), TRUE);
  wait_for_device (self, DEVICE_KEY_MS);
}

/* Handled before all other keys: digits and arrows have another meaning without D. */
static gboolean
key_pressed_cb (GtkEventControllerKey *controller, guint keyval, guint keycode,
                GdkModifierType modifiers, GobanDeviceKey *self)
{
  GobanGraphView *view = goban_pictures_get_explored (self->pictures);
  int digit = goban_find_digit (keyval);

  if (self->timeout_id == 0 || keyval == GDK_KEY_d)
    return FALSE;

  if (keyval == GDK_KEY_Left || keyval == GDK_KEY_Right)
    {
      wait_for_device (self, DEVICE_AIM_MS);
      return goban_graph_view_aim (view, keyval == GDK_KEY_Right ? 1 : -1);
    }
  if ((keyval == GDK_KEY_Return || keyval == GDK_KEY_KP_Enter) && goban_graph_view_drop (view))
    {
      forget (self);
      return TRUE;
    }
  forget (self);
  if (digit < 0)
    return keyval == GDK_KEY_Escape;

  goban_site_activate (&self->site, "move-selection", g_variant_new_int32 (digit));
  return TRUE;
}

static void
watch_keys (GobanDeviceKey *self)
{
  GtkEventController *controller = gtk_event_controller_key_new ();

  gtk_event_controller_set_propagation_phase (controller, GTK_PHASE_CAPTURE);
  g_signal_connect_object (controller, "key-pressed", G_CALLBACK (key_pressed_cb), self, 0);
  gtk_widget_add_controller (GTK_WIDGET (self->site.window), controller);
  g_signal_connect_object (goban_pictures_get_explored (self->pictures), "offer-over",
                           G_CALLBACK (forget), self, G_CONNECT_SWAPPED);
}

static const GobanCommand commands[] = {
  { "device-key", G_CALLBACK (device_key) },
};

/* --- construction and disposal --------------------------------------------------------------- */

static void
goban_device_key_dispose (GObject *object)
{
  GobanDeviceKey *self = GOBAN_DEVICE_KEY (object);

  g_clear_handle_id (&self->timeout_id, g_source_remove);
  G_OBJECT_CLASS (goban_device_key_parent_class)->dispose (object);
}

static void
goban_device_key_class_init (GobanDeviceKeyClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = goban_device_key_dispose;
}

static void
goban_device_key_init (GobanDeviceKey *self)
{
}

GobanDeviceKey *
goban_device_key_new (const GobanSite *site, GobanPictures *pictures)
{
  GobanDeviceKey *self = g_object_new (GOBAN_TYPE_DEVICE_KEY, NULL);

  self->site = *site;
  self->pictures = pictures;
  watch_keys (self);
  goban_site_connect (site, commands, G_N_ELEMENTS (commands), self);
  return self;
}
