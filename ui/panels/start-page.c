#include "ui/panels/start-page.h"

#include "engine/core/i18n.h"
#include "engine/session/teaching/lesson.h"
#include "ui/widgets/focus-group.h"
#include "ui/widgets/recent-files.h"
#include "ui/widgets/short-label.h"
#include "ui/widgets/template.h"
#include "ui/widgets/text.h"

#define MAX_NAME_CHARS 30
#define MIN_RECENT_PER_LINE 3
#define MAX_RECENT_PER_LINE 4

struct _GobanStartPage
{
  GtkWidget parent;

  GtkWidget *stack; /* "welcome" or "busy" */
  GtkWidget *watch;
  GtkWidget *beginnings;
  GtkWidget *samples;
  GtkWidget *lessons;
  GtkWidget *recent_title;
  GtkWidget *recent;
  GtkWidget *busy;
  GtkWidget *spinner;
};

G_DEFINE_FINAL_TYPE (GobanStartPage, goban_start_page, GTK_TYPE_WIDGET)

static void
goban_start_page_dispose (GObject *object)
{
  goban_remove_children (GTK_WIDGET (object));

  G_OBJECT_CLASS (goban_start_page_parent_class)->dispose (object);
}

static void
goban_start_page_class_init (GobanStartPageClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = goban_start_page_dispose;
  gtk_widget_class_set_css_name (widget_class, "startpage");
  goban_template_set (widget_class, "panels/start-page.ui");
  GOBAN_TEMPLATE_CHILDREN (widget_class, GobanStartPage, stack, watch, beginnings, samples, lessons,
                           recent_title, recent, busy, spinner);
}

/* The button has the focus, and its keys; not the child of the box around it. */
static void
add_button (GtkWidget *box, GtkWidget *button)
{
  gtk_flow_box_insert (GTK_FLOW_BOX (box), button, -1);
  gtk_widget_set_focusable (gtk_widget_get_parent (button), FALSE);
}

static void
count_lessons (GobanStartPage *self)
{
  g_autoptr (GPtrArray) lessons = goban_lesson_list_load (NULL);
  g_autofree char *label = g_strdup_printf (_ ("Lessons (%u)"), lessons->len);

  gtk_button_set_label (GTK_BUTTON (self->lessons), label);
  gtk_widget_set_visible (self->lessons, lessons->len > 0);
}

static void
goban_start_page_init (GobanStartPage *self)
{
  goban_template_init (GTK_WIDGET (self));
  goban_focus_group_make (self->beginnings);
  goban_focus_group_make (self->recent);
  count_lessons (self);
  goban_start_page_set_samples (self, NULL);
  goban_start_page_set_recent (self, (const char *[]){ NULL });
}

GtkWidget *
goban_start_page_new (void)
{
  return g_object_new (GOBAN_TYPE_START_PAGE, NULL);
}

static int
compare_names (gconstpointer a, gconstpointer b)
{
  return g_strcmp0 (*(const char *const *) a, *(const char *const *) b);
}

/* The names in @folder that look like graphs, sorted. */
static GPtrArray *
list_graphs (const char *folder)
{
  static const char *const endings[] = { ".onnx", ".pt2", ".gxl",        ".pb",        ".pbtxt",
                                         ".hlo",  ".dot", ".graph.json", ".graph.txt", ".stg" };
  GPtrArray *names = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GDir) dir = folder != NULL ? g_dir_open (folder, 0, NULL) : NULL;
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    for (gsize i = 0; i < G_N_ELEMENTS (endings); i++)
      if (g_str_has_suffix (name, endings[i]))
        g_ptr_array_add (names, g_strdup (name));

  g_ptr_array_sort (names, compare_names);
  return names;
}

void
goban_start_page_set_samples (GobanStartPage *self, const char *folder)
{
  g_autoptr (GPtrArray) names = list_graphs (folder);
  g_autoptr (GMenu) menu = g_menu_new ();

  for (guint i = 0; i < names->len; i++)
    {
      g_autofree char *path = g_build_filename (folder, names->pdata[i], NULL);
      g_autofree char *target = goban_recent_files_dup_target (path);
      g_autofree char *name = g_filename_display_name (names->pdata[i]);
      g_autoptr (GMenuItem) item = g_menu_item_new (name, NULL);

      g_menu_item_set_action_and_target (item, "win.open-path", "s", target);
      g_menu_append_item (menu, item);
    }
  gtk_menu_button_set_menu_model (GTK_MENU_BUTTON (self->samples), G_MENU_MODEL (menu));
  gtk_widget_set_visible (self->samples, names->len > 0);
}

GtkWidget *
goban_start_page_get_default (GobanStartPage *self)
{
  g_return_val_if_fail (GOBAN_IS_START_PAGE (self), NULL);

  return self->watch;
}

/* Label with a file's name. The button's tooltip has its folders, too. */
static GtkWidget *
new_name (const char *name)
{
  GtkWidget *label = goban_short_label_new (GOBAN_KEEP_START, 0.5);

  goban_short_label_set_max_chars (GOBAN_SHORT_LABEL (label), MAX_NAME_CHARS);
  goban_short_label_set_min_chars (GOBAN_SHORT_LABEL (label),
                                   MIN ((int) g_utf8_strlen (name, -1), MAX_NAME_CHARS));
  goban_short_label_set_text (GOBAN_SHORT_LABEL (label), name);
  return label;
}

void
goban_start_page_set_recent (GobanStartPage *self, const char *const *paths)
{
  GtkWidget *child;

  g_return_if_fail (GOBAN_IS_START_PAGE (self));

  while ((child = gtk_widget_get_first_child (self->recent)) != NULL)
    gtk_flow_box_remove (GTK_FLOW_BOX (self->recent), child);
  for (guint i = 0; paths[i] != NULL; i++)
    {
      g_autofree char *name = g_filename_display_basename (paths[i]);
      g_autofree char *place = g_filename_display_name (paths[i]);
      g_autofree char *target = goban_recent_files_dup_target (paths[i]);
      g_autofree char *tooltip = g_strdup_printf (_ ("%s (Ctrl+%u)"), place, i + 1);
      GtkWidget *button = gtk_button_new ();

      gtk_button_set_child (GTK_BUTTON (button), new_name (name));
      goban_set_accessible_label (button, name);
      gtk_actionable_set_action_name (GTK_ACTIONABLE (button), "win.open-path");
      gtk_actionable_set_action_target (GTK_ACTIONABLE (button), "s", target);
      gtk_widget_set_tooltip_text (button, tooltip);
      add_button (self->recent, button);
    }
  /* A line of fewer is as wide as they are, so that they are in the middle. */
  gtk_flow_box_set_min_children_per_line (
      GTK_FLOW_BOX (self->recent), CLAMP (g_strv_length ((char **) paths), 1, MIN_RECENT_PER_LINE));
  gtk_flow_box_set_max_children_per_line (
      GTK_FLOW_BOX (self->recent), CLAMP (g_strv_length ((char **) paths), 1, MAX_RECENT_PER_LINE));
  gtk_widget_set_visible (self->recent_title, paths[0] != NULL);
  gtk_widget_set_visible (self->recent, paths[0] != NULL);
}

void
goban_start_page_set_busy (GobanStartPage *self, const char *what)
{
  g_return_if_fail (GOBAN_IS_START_PAGE (self));

  gtk_label_set_text (GTK_LABEL (self->busy), what != NULL ? what : "");
  gtk_spinner_set_spinning (GTK_SPINNER (self->spinner), what != NULL);
  gtk_stack_set_visible_child_name (GTK_STACK (self->stack), what != NULL ? "busy" : "welcome");
}
