#include "ui/shell/presenter.h"
#include "ui/widgets/text.h"

#include "engine/session/session-scenes.h"

/* All is this much larger than at a desk. */
#define MAGNIFICATION 1.4
#define KEYS_MS 1600

struct _GobanPresenter
{
  GObject parent;

  GobanSite site;
  GobanPictures *pictures;
  GobanFrame *frame;
  GobanSessionScenes *scenes; /* the session's */
  GtkWidget *strip;
  GtkWidget *caption;
  GtkWidget *keys;
  gboolean is_on;
  gboolean was_full;
  guint keys_id; /* hides the keys again */
};

G_DEFINE_FINAL_TYPE (GobanPresenter, goban_presenter, G_TYPE_OBJECT)

/* --- caption and keys ------------------------------------------------------------------------- */

static void
update_caption (GobanPresenter *self)
{
  const char *text = goban_session_scenes_get_text (self->scenes);

  goban_set_label_text (self->caption, text);
  gtk_widget_set_visible (self->caption, self->is_on && *text != '\0');
}

static gboolean
hide_keys_cb (gpointer user_data)
{
  GobanPresenter *self = user_data;

  self->keys_id = 0;
  gtk_widget_set_visible (self->keys, FALSE);
  return G_SOURCE_REMOVE;
}

static gboolean
is_modifier (guint keyval)
{
  return (keyval >= GDK_KEY_Shift_L && keyval <= GDK_KEY_Hyper_R)
         || (keyval >= GDK_KEY_ISO_Lock && keyval <= GDK_KEY_ISO_Last_Group_Lock);
}

static void
show_keys (GobanPresenter *self, guint keyval, GdkModifierType state)
{
  g_autofree char *label
      = gtk_accelerator_get_label (keyval, state & gtk_accelerator_get_default_mod_mask ());

  goban_set_label_text (self->keys, label);
  gtk_widget_set_visible (self->keys, TRUE);
  g_clear_handle_id (&self->keys_id, g_source_remove);
  self->keys_id = g_timeout_add (KEYS_MS, hide_keys_cb, self);
}

/* Typed text is visible where it appears. */
static gboolean
is_typing (GobanPresenter *self, GdkModifierType state)
{
  GtkWidget *focus = gtk_window_get_focus (GTK_WINDOW (self->site.window));

  return (GTK_IS_TEXT (focus) || GTK_IS_TEXT_VIEW (focus))
         && (state & (GDK_CONTROL_MASK | GDK_ALT_MASK)) == 0;
}

static gboolean
key_pressed_cb (GtkEventControllerKey *controller, guint keyval, guint keycode,
                GdkModifierType state, GobanPresenter *self)
{
  if (!self->is_on || is_modifier (keyval) || is_typing (self, state))
    return GDK_EVENT_PROPAGATE;

  show_keys (self, keyval, state);
  if ((state & gtk_accelerator_get_default_mod_mask ()) != 0)
    return GDK_EVENT_PROPAGATE;
  if (keyval != GDK_KEY_Page_Down && keyval != GDK_KEY_Page_Up)
    return GDK_EVENT_PROPAGATE;
  goban_site_activate (&self->site, keyval == GDK_KEY_Page_Down ? "scene-next" : "scene-previous",
                       NULL);
  return GDK_EVENT_STOP;
}

/* --- on and off ------------------------------------------------------------------------------- */

static void
set_scale (GobanPresenter *self, gboolean is_larger)
{
  GtkSettings *settings = gtk_widget_get_settings (GTK_WIDGET (self->site.window));
  int dpi = 0;

  gtk_settings_reset_property (settings, "gtk-xft-dpi");
  g_object_get (settings, "gtk-xft-dpi", &dpi, NULL);
  if (is_larger)
    g_object_set (settings, "gtk-xft-dpi",
                  (int) ((dpi > 0 ? dpi : 96 * PANGO_SCALE) * MAGNIFICATION), NULL);
}

static void
begin (GobanPresenter *self)
{
  self->is_on = TRUE;
  self->was_full = goban_site_get_toggle (&self->site, "fullscreen");
  goban_site_set_toggle (&self->site, "fullscreen", TRUE);
  goban_frame_set_bare (self->frame, TRUE);
  gtk_widget_set_visible (self->strip, TRUE);
  set_scale (self, TRUE);
  update_caption (self);
  goban_pictures_grab_focus (self->pictures);
}

static void
end (GobanPresenter *self)
{
  self->is_on = FALSE;
  set_scale (self, FALSE);
  goban_frame_set_bare (self->frame, FALSE);
  gtk_widget_set_visible (self->strip, FALSE);
  goban_site_set_toggle (&self->site, "fullscreen", self->was_full);
  g_clear_handle_id (&self->keys_id, g_source_remove);
  gtk_widget_set_visible (self->keys, FALSE);
  update_caption (self);
  goban_pictures_grab_focus (self->pictures);
}

static void
presenter_changed (GobanPresenter *self, GVariant *state)
{
  gboolean is_on = g_variant_get_boolean (state);

  if (is_on && !self->is_on)
    begin (self);
  else if (!is_on && self->is_on)
    end (self);
}

/* The settings of the panes keep their values from before. */
static gboolean
close_cb (GobanPresenter *self)
{
  goban_site_set_toggle (&self->site, "presenter", FALSE);
  return FALSE;
}

static const GobanCommand commands[] = {
  { "presenter", G_CALLBACK (presenter_changed) },
};

/* --- construction and disposal ---------------------------------------------------------------- */

static void
goban_presenter_dispose (GObject *object)
{
  GobanPresenter *self = GOBAN_PRESENTER (object);

  g_clear_handle_id (&self->keys_id, g_source_remove);

  G_OBJECT_CLASS (goban_presenter_parent_class)->dispose (object);
}

static void
goban_presenter_class_init (GobanPresenterClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = goban_presenter_dispose;
}

static void
goban_presenter_init (GobanPresenter *self)
{
}

GobanPresenter *
goban_presenter_new (const GobanSite *site, GobanBody *body, const GobanPresenterParts *parts)
{
  GobanPresenter *self = g_object_new (GOBAN_TYPE_PRESENTER, NULL);
  GtkEventController *controller = gtk_event_controller_key_new ();

  self->site = *site;
  self->pictures = goban_body_get_pictures (body);
  self->frame = goban_body_get_frame (body);
  self->strip = parts->strip;
  self->caption = parts->caption;
  self->keys = parts->keys;
  self->scenes = goban_session_scenes_of (site->session);
  gtk_event_controller_set_propagation_phase (controller, GTK_PHASE_CAPTURE);
  g_signal_connect_object (controller, "key-pressed", G_CALLBACK (key_pressed_cb), self, 0);
  gtk_widget_add_controller (GTK_WIDGET (site->window), controller);
  g_signal_connect_object (self->scenes, "changed", G_CALLBACK (update_caption), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (site->window, "close-request", G_CALLBACK (close_cb), self,
                           G_CONNECT_SWAPPED);
  goban_site_connect (site, commands, G_N_ELEMENTS (commands), self);
  return self;
}
