#include "ui/widgets/bar.h"

#include "ui/widgets/template.h"

struct _GobanBar
{
  GtkWidget parent;

  int spacing;
};

G_DEFINE_FINAL_TYPE (GobanBar, goban_bar, GTK_TYPE_WIDGET)

enum
{
  PROP_SPACING = 1,
};

/* In the order in which they are left out. */
static const char *const spare_classes[] = { "spare", "spare-last" };

static gboolean
is_spare (GtkWidget *child)
{
  return gtk_widget_has_css_class (child, spare_classes[0])
         || gtk_widget_has_css_class (child, spare_classes[1]);
}

static void
goban_bar_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum,
                   int *natural, int *minimum_baseline, int *natural_baseline)
{
  GobanBar *self = GOBAN_BAR (widget);
  int gap = -self->spacing;
  int least_gap = gap;

  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    {
      int least, usual;

      if (!gtk_widget_should_layout (child))
        continue;
      gtk_widget_measure (child, orientation, -1, &least, &usual, NULL, NULL);
      if (orientation == GTK_ORIENTATION_VERTICAL)
        {
          *minimum = MAX (*minimum, least);
          *natural = MAX (*natural, usual);
          continue;
        }
      gap += self->spacing;
      *natural += usual;
      if (is_spare (child))
        continue;
      least_gap += self->spacing;
      *minimum += least;
    }
  if (orientation == GTK_ORIENTATION_HORIZONTAL)
    {
      *minimum += MAX (least_gap, 0);
      *natural = MAX (*natural + MAX (gap, 0), *minimum);
    }
}

/* The children that have room, with their sizes. (transfer full) (element-type GtkRequestedSize) */
static GArray *
choose_children (GobanBar *self, int width)
{
  GArray *sizes = g_array_new (FALSE, TRUE, sizeof (GtkRequestedSize));
  int missing = -width - self->spacing;

  for (GtkWidget *child = gtk_widget_get_first_child (GTK_WIDGET (self)); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    {
      GtkRequestedSize size = { child, 0, 0 };

      if (!gtk_widget_should_layout (child))
        continue;
      gtk_widget_measure (child, GTK_ORIENTATION_HORIZONTAL, -1, &size.minimum_size,
                          &size.natural_size, NULL, NULL);
      gtk_widget_set_child_visible (child, TRUE);
      missing += size.minimum_size + self->spacing;
      g_array_append_val (sizes, size);
    }
  for (gsize c = 0; c < G_N_ELEMENTS (spare_classes); c++)
    for (guint i = sizes->len; i-- > 0 && missing > 0;)
      {
        const GtkRequestedSize *size = &g_array_index (sizes, GtkRequestedSize, i);

        if (!gtk_widget_has_css_class (size->data, spare_classes[c]))
          continue;
        gtk_widget_set_child_visible (size->data, FALSE);
        missing -= size->minimum_size + self->spacing;
        g_array_remove_index (sizes, i);
      }
  return sizes;
}

static void
goban_bar_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  GobanBar *self = GOBAN_BAR (widget);
  g_autoptr (GArray) array = choose_children (self, width);
  GtkRequestedSize *sizes = (GtkRequestedSize *) (void *) array->data;
  gboolean is_mirrored = gtk_widget_get_direction (widget) == GTK_TEXT_DIR_RTL;
  int left = width - self->spacing * MAX ((int) array->len - 1, 0);
  int n_wide = 0;
  int x = 0;

  for (guint i = 0; i < array->len; i++)
    {
      left -= sizes[i].minimum_size;
      n_wide += gtk_widget_compute_expand (sizes[i].data, GTK_ORIENTATION_HORIZONTAL);
    }
  left = gtk_distribute_natural_allocation (MAX (left, 0), array->len, sizes);
  for (guint i = 0; i < array->len; i++)
    {
      GtkWidget *child = sizes[i].data;
      int size = sizes[i].minimum_size;

      if (gtk_widget_compute_expand (child, GTK_ORIENTATION_HORIZONTAL))
        size += left / n_wide;
      gtk_widget_size_allocate (
          child, &(GdkRectangle){ is_mirrored ? width - x - size : x, 0, size, height }, -1);
      x += size + self->spacing;
    }
}

static void
goban_bar_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  GOBAN_BAR (object)->spacing = g_value_get_int (value);
}

static void
goban_bar_dispose (GObject *object)
{
  goban_remove_children (GTK_WIDGET (object));
  G_OBJECT_CLASS (goban_bar_parent_class)->dispose (object);
}

static void
goban_bar_class_init (GobanBarClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->set_property = goban_bar_set_property;
  object_class->dispose = goban_bar_dispose;
  widget_class->measure = goban_bar_measure;
  widget_class->size_allocate = goban_bar_size_allocate;
  gtk_widget_class_set_css_name (widget_class, "bar");
  g_object_class_install_property (object_class, PROP_SPACING,
                                   g_param_spec_int ("spacing", NULL, NULL, 0, G_MAXINT, 0,
                                                     G_PARAM_WRITABLE | G_PARAM_STATIC_STRINGS));
}

static void
goban_bar_init (GobanBar *self)
{
}
