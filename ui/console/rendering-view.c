#include "ui/console/rendering-view.h"

#include "engine/study/run/reference.h"
#include "ui/widgets/text.h"

struct _GobanRenderingView
{
  GtkWidget parent;

  GobanRendering *rendering;
  GtkWidget *picture;
  guint n_asked; /* only the last drawing counts */
};

G_DEFINE_FINAL_TYPE (GobanRenderingView, goban_rendering_view, GTK_TYPE_WIDGET)

static guint follow_signal;

/* --- drawing ---------------------------------------------------------------------------------- */

typedef struct
{
  GobanRendering *rendering;
  GobanPaintingOptions size;
  guint number;
} Work;

static void
work_free (gpointer data)
{
  Work *work = data;

  goban_rendering_unref (work->rendering);
  g_free (work);
}

/* Takes @image over. RGB24 has a byte without a meaning where the texture has its opacity. */
static GdkTexture *
to_texture (cairo_surface_t *image)
{
  int width = cairo_image_surface_get_width (image),
      height = cairo_image_surface_get_height (image);
  int stride = cairo_image_surface_get_stride (image);
  guint8 *data = cairo_image_surface_get_data (image);
  g_autoptr (GBytes) bytes = NULL;

  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++)
      ((guint32 *) (void *) (data + (gsize) y * stride))[x] |= 0xff000000u;
  bytes = g_bytes_new_with_free_func (data, (gsize) stride * height,
                                      (GDestroyNotify) cairo_surface_destroy, image);
  return gdk_memory_texture_new (width, height, GDK_MEMORY_DEFAULT, bytes, (gsize) stride);
}

static void
draw_worker (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Work *work = data;
  GError *error = NULL;
  cairo_surface_t *image = goban_rendering_draw (work->rendering, &work->size, &error);

  if (image == NULL)
    g_task_return_error (task, error);
  else
    g_task_return_pointer (task, to_texture (image), g_object_unref);
}

static void
drawn_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  GobanRenderingView *self = GOBAN_RENDERING_VIEW (source);
  const Work *work = g_task_get_task_data (G_TASK (result));
  g_autoptr (GError) error = NULL;
  g_autoptr (GdkTexture) texture = g_task_propagate_pointer (G_TASK (result), &error);

  if (texture != NULL && self->picture != NULL && work->number == self->n_asked)
    gtk_picture_set_paintable (GTK_PICTURE (self->picture), GDK_PAINTABLE (texture));
}

void
goban_rendering_view_draw (GobanRenderingView *self, GobanTheme theme)
{
  g_autoptr (GTask) task = NULL;
  double scale = gtk_widget_get_scale_factor (GTK_WIDGET (self));
  int width, height;
  Work *work;

  g_return_if_fail (GOBAN_IS_RENDERING_VIEW (self));

  gtk_widget_get_size_request (GTK_WIDGET (self), &width, &height);
  work = g_new0 (Work, 1);
  work->rendering = goban_rendering_ref (self->rendering);
  work->size = (GobanPaintingOptions){ theme, width * scale, height * scale, scale };
  work->number = ++self->n_asked;
  task = g_task_new (self, NULL, drawn_cb, NULL);
  g_task_set_task_data (task, work, work_free);
  g_task_run_in_thread (task, draw_worker);
}

/* --- following -------------------------------------------------------------------------------- */

static void
follow (GobanRenderingView *self)
{
  GobanRun *run = goban_rendering_get_run (self->rendering);
  GobanReference *reference = run != NULL ? goban_reference_new (NULL, NULL, run) : NULL;

  if (reference != NULL)
    g_signal_emit (self, follow_signal, 0, reference);
  goban_reference_free (reference);
}

static void
released_cb (GtkGestureClick *gesture, int n_press, double x, double y, gpointer user_data)
{
  gtk_widget_grab_focus (user_data);
  if (n_press == 1)
    follow (user_data);
}

static gboolean
key_cb (GtkEventControllerKey *controller, guint keyval, guint keycode, GdkModifierType modifiers,
        gpointer user_data)
{
  if (keyval != GDK_KEY_Return && keyval != GDK_KEY_KP_Enter && keyval != GDK_KEY_space)
    return FALSE;
  follow (user_data);
  return TRUE;
}

/* --- construction and disposal ---------------------------------------------------------------- */

static void
goban_rendering_view_dispose (GObject *object)
{
  GobanRenderingView *self = GOBAN_RENDERING_VIEW (object);

  g_clear_pointer (&self->picture, gtk_widget_unparent);
  g_clear_pointer (&self->rendering, goban_rendering_unref);

  G_OBJECT_CLASS (goban_rendering_view_parent_class)->dispose (object);
}

static void
goban_rendering_view_class_init (GobanRenderingViewClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = goban_rendering_view_dispose;
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_css_name (widget_class, "rendering");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
  follow_signal = g_signal_new ("follow", GOBAN_TYPE_RENDERING_VIEW, G_SIGNAL_RUN_LAST, 0, NULL,
                                NULL, NULL, G_TYPE_NONE, 1, G_TYPE_POINTER);
}

static void
goban_rendering_view_init (GobanRenderingView *self)
{
  GtkEventController *keys = gtk_event_controller_key_new ();
  GtkGesture *click = gtk_gesture_click_new ();

  self->picture = gtk_picture_new ();
  gtk_widget_set_parent (self->picture, GTK_WIDGET (self));
  gtk_widget_set_focusable (GTK_WIDGET (self), TRUE);
  g_signal_connect (keys, "key-pressed", G_CALLBACK (key_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (self), keys);
  g_signal_connect (click, "released", G_CALLBACK (released_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (click));
}

GtkWidget *
goban_rendering_view_new (GobanRendering *rendering)
{
  GobanRenderingView *self = g_object_new (GOBAN_TYPE_RENDERING_VIEW, NULL);

  self->rendering = goban_rendering_ref (rendering);
  goban_set_accessible_label (GTK_WIDGET (self), goban_rendering_get_title (rendering));
  return GTK_WIDGET (self);
}
