#include "ui/panels/scene-bar.h"

#include "engine/core/i18n.h"
#include "ui/widgets/template.h"
#include "ui/widgets/text.h"

struct _GobanSceneBar
{
  GtkWidget parent;

  GobanSessionScenes *scenes; /* the session's */
  GtkWidget *place;
  GtkWidget *caption;
  GtkWidget *of_scene; /* buttons that need a current scene */
};

G_DEFINE_FINAL_TYPE (GobanSceneBar, goban_scene_bar, GTK_TYPE_WIDGET)

static void
update (GobanSceneBar *self)
{
  guint n = goban_scene_list_get_n (goban_session_scenes_get_list (self->scenes));
  guint current = goban_session_scenes_get_current (self->scenes);
  const char *text = goban_session_scenes_get_text (self->scenes);
  g_autofree char *place = n == 0         ? g_strdup (_ ("No scenes"))
                           : current == 0 ? g_strdup_printf (_ ("– of %u"), n)
                                          : g_strdup_printf (_ ("%u of %u"), current, n);

  goban_set_label_text (self->place, place);
  gtk_widget_set_sensitive (self->of_scene, current > 0);
  if (!g_str_equal (gtk_editable_get_text (GTK_EDITABLE (self->caption)), text))
    gtk_editable_set_text (GTK_EDITABLE (self->caption), text);
}

void
goban_scene_bar_store (GobanSceneBar *self)
{
  g_autofree char *text = g_strdup (gtk_editable_get_text (GTK_EDITABLE (self->caption)));
  guint current = self->scenes != NULL ? goban_session_scenes_get_current (self->scenes) : 0;

  if (current > 0)
    goban_session_scenes_set_text (self->scenes, current, text, NULL);
}

/* Enter in an empty list makes the first scene. */
static void
activate_cb (GobanSceneBar *self)
{
  if (goban_session_scenes_get_current (self->scenes) > 0)
    goban_scene_bar_store (self);
  else
    gtk_widget_activate_action (GTK_WIDGET (self), "win.scene-add", NULL);
}

const char *
goban_scene_bar_get_text (GobanSceneBar *self)
{
  g_return_val_if_fail (GOBAN_IS_SCENE_BAR (self), NULL);

  return gtk_editable_get_text (GTK_EDITABLE (self->caption));
}

void
goban_scene_bar_grab_focus (GobanSceneBar *self)
{
  gtk_widget_grab_focus (self->caption);
}

static void
goban_scene_bar_dispose (GObject *object)
{
  goban_remove_children (GTK_WIDGET (object));

  G_OBJECT_CLASS (goban_scene_bar_parent_class)->dispose (object);
}

static void
goban_scene_bar_class_init (GobanSceneBarClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = goban_scene_bar_dispose;
  gtk_widget_class_set_css_name (widget_class, "scenebar");
  goban_template_set (widget_class, "panels/scene-bar.ui");
  GOBAN_TEMPLATE_CHILDREN (widget_class, GobanSceneBar, place, caption, of_scene);
  GOBAN_TEMPLATE_CALLBACKS (widget_class, activate_cb, goban_scene_bar_store);
}

static void
goban_scene_bar_init (GobanSceneBar *self)
{
  goban_template_init (GTK_WIDGET (self));
}

GtkWidget *
goban_scene_bar_new (GobanSession *session)
{
  GobanSceneBar *self = g_object_new (GOBAN_TYPE_SCENE_BAR, NULL);

  self->scenes = goban_session_scenes_of (session);
  GOBAN_CONNECT (self->scenes, "changed", update, self);
  update (self);
  return GTK_WIDGET (self);
}
