#include "ui/console/figure-view.h"

#include "engine/study/run/reference.h"
#include "ui/draw/figures/figure-painter.h"
#include "ui/widgets/context-menu.h"
#include "ui/widgets/template.h"
#include "ui/widgets/text.h"

struct _GobanFigureView
{
  GobanPicture parent;

  GobanFigure *figure;
  GobanFigurePoint point;
  gboolean has_point;
};

G_DEFINE_FINAL_TYPE (GobanFigureView, goban_figure_view, GOBAN_TYPE_PICTURE)

static GobanFigurePicture
make_picture (GobanFigureView *self)
{
  GobanPicture *picture = GOBAN_PICTURE (self);

  return (GobanFigurePicture){ .figure = self->figure,
                               .hover = self->has_point ? &self->point : NULL,
                               .theme = goban_picture_get_theme (picture),
                               .ui_scale = goban_picture_get_ui_scale (picture) };
}

static void
describe_to_people (GobanFigureView *self)
{
  g_autofree char *figure = goban_figure_describe (self->figure);
  g_autofree char *point
      = self->has_point ? goban_figure_describe_point (self->figure, self->point) : NULL;
  g_autofree char *label
      = point != NULL ? g_strdup_printf ("%s. %s", point, figure) : g_strdup (figure);

  goban_set_accessible_label (GTK_WIDGET (self), label);
}

static void
set_point (GobanFigureView *self, const GobanFigurePoint *point)
{
  if (self->has_point == (point != NULL)
      && (point == NULL || (point->series == self->point.series && point->i == self->point.i)))
    return;
  self->has_point = point != NULL;
  if (point != NULL)
    self->point = *point;
  describe_to_people (self);
  goban_picture_invalidate_overlay (GOBAN_PICTURE (self));
}

gboolean
goban_figure_view_get_point (GobanFigureView *self, GobanFigurePoint *point)
{
  g_return_val_if_fail (GOBAN_IS_FIGURE_VIEW (self), FALSE);

  *point = self->point;
  return self->has_point;
}

/* Reads out the point so many places on; from none, the first one. */
static void
step (GobanFigureView *self, int columns, int rows)
{
  GobanFigurePoint point = self->point;

  if (!self->has_point)
    {
      point = (GobanFigurePoint){ 0, 0 };
      set_point (self, &point);
    }
  else if (goban_figure_step (self->figure, &point, columns, rows))
    set_point (self, &point);
}

static void
follow (GobanFigureView *self)
{
  GobanReference *reference
      = self->has_point ? goban_figure_dup_reference (self->figure, self->point) : NULL;

  if (reference != NULL)
    g_signal_emit_by_name (self, "follow", reference);
  goban_reference_free (reference);
}

/* --- the picture ------------------------------------------------------------------------------ */

static void
goban_figure_view_paint (GobanPicture *picture, GobanPen *pen)
{
  GobanFigurePicture shown = make_picture (GOBAN_FIGURE_VIEW (picture));

  shown.hover = NULL;
  goban_figure_paint (&shown, pen);
}

static void
goban_figure_view_paint_overlay (GobanPicture *picture, GobanPen *pen)
{
  GobanFigurePicture shown = make_picture (GOBAN_FIGURE_VIEW (picture));

  goban_figure_paint_hover (&shown, pen);
}

static void
goban_figure_view_hover (GobanPicture *picture, const GobanPoint *at)
{
  GobanFigureView *self = GOBAN_FIGURE_VIEW (picture);
  GobanFigurePicture shown = make_picture (self);
  GobanFigurePoint point;
  gboolean is_found = at != NULL
                      && goban_figure_find (&shown, goban_picture_get_width (picture),
                                            goban_picture_get_height (picture), *at, &point);
  g_autofree char *hint = is_found ? goban_figure_describe_point (self->figure, point) : NULL;

  set_point (self, is_found ? &point : NULL);
  goban_picture_hint (picture, hint != NULL ? hint : "");
}

static void
goban_figure_view_click (GobanPicture *picture, GobanPoint at, int n_press,
                         GdkModifierType modifiers)
{
  gtk_widget_grab_focus (GTK_WIDGET (picture));
  goban_figure_view_hover (picture, &at);
  if (n_press == 1)
    follow (GOBAN_FIGURE_VIEW (picture));
}

/* The second button offers what can be done with the figure, which has the focus from then on. */
static void
goban_figure_view_menu (GobanPicture *picture, GobanPoint at)
{
  static const char *const actions[] = { "export-plot", NULL };
  double scale = gtk_widget_get_scale_factor (GTK_WIDGET (picture));

  gtk_widget_grab_focus (GTK_WIDGET (picture));
  goban_context_menu_open (GTK_WIDGET (picture), actions,
                           &(GdkRectangle){ (int) (at.x / scale), (int) (at.y / scale), 1, 1 });
}

/* The wheel scrolls the output, not the figure. */
static void
goban_figure_view_scroll (GobanPicture *picture, double steps, GobanPoint at)
{
  GtkWidget *window = gtk_widget_get_ancestor (GTK_WIDGET (picture), GTK_TYPE_SCROLLED_WINDOW);
  GtkAdjustment *adjustment
      = window != NULL ? gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (window)) : NULL;

  if (adjustment != NULL)
    gtk_adjustment_set_value (adjustment, gtk_adjustment_get_value (adjustment) + 50 * steps);
}

static gboolean
key_cb (GtkEventControllerKey *controller, guint keyval, guint keycode, GdkModifierType modifiers,
        GobanFigureView *self)
{
  if ((modifiers & (GDK_CONTROL_MASK | GDK_ALT_MASK | GDK_SHIFT_MASK)) != 0)
    return FALSE;
  switch (keyval)
    {
    case GDK_KEY_Left:
    case GDK_KEY_Right:
      step (self, keyval == GDK_KEY_Left ? -1 : 1, 0);
      return TRUE;
    case GDK_KEY_Up:
    case GDK_KEY_Down:
      step (self, 0, keyval == GDK_KEY_Up ? -1 : 1);
      return TRUE;
    case GDK_KEY_Return:
    case GDK_KEY_KP_Enter:
    case GDK_KEY_space:
      follow (self);
      return TRUE;
    case GDK_KEY_Menu:
      goban_figure_view_menu (GOBAN_PICTURE (self), (GobanPoint){ 20, 20 });
      return TRUE;
    case GDK_KEY_Escape:
      if (!self->has_point)
        return FALSE;
      set_point (self, NULL);
      return TRUE;
    default:
      return FALSE;
    }
}

static void
goban_figure_view_dispose (GObject *object)
{
  GobanFigureView *self = GOBAN_FIGURE_VIEW (object);

  goban_remove_children (GTK_WIDGET (self));
  g_clear_pointer (&self->figure, goban_figure_unref);

  G_OBJECT_CLASS (goban_figure_view_parent_class)->dispose (object);
}

static void
goban_figure_view_class_init (GobanFigureViewClass *klass)
{
  GobanPictureClass *picture_class = GOBAN_PICTURE_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = goban_figure_view_dispose;
  picture_class->paint = goban_figure_view_paint;
  picture_class->paint_overlay = goban_figure_view_paint_overlay;
  picture_class->scroll = goban_figure_view_scroll;
  picture_class->click = goban_figure_view_click;
  picture_class->hover = goban_figure_view_hover;
  picture_class->menu = goban_figure_view_menu;
  gtk_widget_class_set_css_name (GTK_WIDGET_CLASS (klass), "figure");
  goban_signal_add (klass, "follow", 1, G_TYPE_POINTER);
}

static void
goban_figure_view_init (GobanFigureView *self)
{
  goban_watch_keys (GTK_WIDGET (self), GTK_PHASE_BUBBLE, G_CALLBACK (key_cb), self);
}

GtkWidget *
goban_figure_view_new (GobanFigure *figure)
{
  GobanFigureView *self = g_object_new (GOBAN_TYPE_FIGURE_VIEW, NULL);

  self->figure = goban_figure_ref (figure);
  describe_to_people (self);
  return GTK_WIDGET (self);
}

GobanFigure *
goban_figure_view_get_figure (GobanFigureView *self)
{
  g_return_val_if_fail (GOBAN_IS_FIGURE_VIEW (self), NULL);

  return self->figure;
}

void
goban_figure_view_set_figure (GobanFigureView *self, GobanFigure *figure)
{
  g_return_if_fail (GOBAN_IS_FIGURE_VIEW (self));

  goban_figure_ref (figure);
  goban_figure_unref (self->figure);
  self->figure = figure;
  self->has_point = FALSE;
  describe_to_people (self);
  goban_picture_invalidate (GOBAN_PICTURE (self));
}

/* --- pictures of graphs, runs and comparisons ------------------------------------------------- */

struct _GobanRenderingView
{
  GtkWidget parent;

  GobanRendering *rendering;
  GtkWidget *picture;
  guint n_asked; /* only the last drawing counts */
};

G_DEFINE_FINAL_TYPE (GobanRenderingView, goban_rendering_view, GTK_TYPE_WIDGET)

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

static void
show_run (GobanRenderingView *self)
{
  GobanRun *run = goban_rendering_get_run (self->rendering);
  GobanReference *reference = run != NULL ? goban_reference_new (NULL, NULL, run) : NULL;

  if (reference != NULL)
    g_signal_emit_by_name (self, "follow", reference);
  goban_reference_free (reference);
}

static void
released_cb (GtkGestureClick *gesture, int n_press, double x, double y, gpointer user_data)
{
  gtk_widget_grab_focus (user_data);
  if (n_press == 1)
    show_run (user_data);
}

static gboolean
rendering_key_cb (GtkEventControllerKey *controller, guint keyval, guint keycode,
                  GdkModifierType modifiers, gpointer user_data)
{
  if (keyval != GDK_KEY_Return && keyval != GDK_KEY_KP_Enter && keyval != GDK_KEY_space)
    return FALSE;
  show_run (user_data);
  return TRUE;
}

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
  goban_signal_add (klass, "follow", 1, G_TYPE_POINTER);
}

static void
goban_rendering_view_init (GobanRenderingView *self)
{
  GtkGesture *click = gtk_gesture_click_new ();

  self->picture = gtk_picture_new ();
  gtk_widget_set_parent (self->picture, GTK_WIDGET (self));
  gtk_widget_set_focusable (GTK_WIDGET (self), TRUE);
  goban_watch_keys (GTK_WIDGET (self), GTK_PHASE_BUBBLE, G_CALLBACK (rendering_key_cb), self);
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
