#include "ui/shell/start-page.h"

#include "engine/base/i18n.h"
#include "ui/shell/recent-files.h"
#include "ui/widgets/actions.h"

#define MAX_SAMPLES 5
#define RECENT_PER_LINE 3

struct _GobanStartPage
{
  GtkWidget parent;

  GtkWidget *stack; /* "welcome" or "busy" */
  GtkWidget *samples_title;
  GtkWidget *samples;
  GtkWidget *recent_title;
  GtkWidget *recent;
  GtkWidget *busy;
  GtkWidget *spinner;
  guint n_samples;
};

G_DEFINE_FINAL_TYPE (GobanStartPage, goban_start_page, GTK_TYPE_WIDGET)

static void
goban_start_page_dispose (GObject *object)
{
  GobanStartPage *self = GOBAN_START_PAGE (object);

  g_clear_pointer (&self->stack, gtk_widget_unparent);

  G_OBJECT_CLASS (goban_start_page_parent_class)->dispose (object);
}

static void
goban_start_page_class_init (GobanStartPageClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = goban_start_page_dispose;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_css_name (GTK_WIDGET_CLASS (klass), "startpage");
}

static GtkWidget *
new_label (const char *text, const char *css_class)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_justify (GTK_LABEL (label), GTK_JUSTIFY_CENTER);
  gtk_label_set_max_width_chars (GTK_LABEL (label), 72);
  if (css_class != NULL)
    gtk_widget_add_css_class (label, css_class);
  return label;
}

static GtkWidget *
build_welcome (GobanStartPage *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 10);
  GtkWidget *icon = gtk_image_new_from_resource ("/org/goban/Goban/icons/org.goban.Goban.svg");
  GtkWidget *open = gtk_button_new_with_mnemonic (_ ("_Open…"));
  GtkWidget *generate = gtk_button_new_with_mnemonic (_ ("_Generate…"));
  GtkWidget *buttons = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 10);
  g_autofree char *open_tip = goban_action_tooltip ("open");
  g_autofree char *generate_tip = goban_action_tooltip ("generate");
  GtkWidget *hint
      = new_label ("Or drop a file here: ONNX, DOT, PipeDream, MSR, STG or JSON", "dim-label");

  gtk_image_set_pixel_size (GTK_IMAGE (icon), 96);
  gtk_widget_set_halign (buttons, GTK_ALIGN_CENTER);
  gtk_widget_set_margin_top (buttons, 8);
  gtk_widget_add_css_class (open, "suggested-action");
  gtk_widget_add_css_class (open, "pill");
  gtk_actionable_set_action_name (GTK_ACTIONABLE (open), "win.open");
  gtk_widget_set_tooltip_text (open, open_tip);
  gtk_widget_add_css_class (generate, "pill");
  gtk_actionable_set_action_name (GTK_ACTIONABLE (generate), "win.generate");
  gtk_widget_set_tooltip_text (generate, generate_tip);
  gtk_box_append (GTK_BOX (buttons), open);
  gtk_box_append (GTK_BOX (buttons), generate);

  self->samples_title = new_label ("Or begin with a sample", "dim-label");
  gtk_widget_set_margin_top (self->samples_title, 14);
  self->samples = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
  gtk_widget_set_halign (self->samples, GTK_ALIGN_CENTER);

  self->recent_title = new_label ("Or go on with", "dim-label");
  gtk_widget_set_margin_top (self->recent_title, 14);
  self->recent = gtk_flow_box_new ();
  gtk_flow_box_set_selection_mode (GTK_FLOW_BOX (self->recent), GTK_SELECTION_NONE);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->recent), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Recent files"), -1);
  gtk_flow_box_set_max_children_per_line (GTK_FLOW_BOX (self->recent), RECENT_PER_LINE);
  gtk_widget_set_halign (self->recent, GTK_ALIGN_CENTER);

  gtk_widget_set_halign (box, GTK_ALIGN_CENTER);
  gtk_widget_set_valign (box, GTK_ALIGN_CENTER);
  gtk_box_append (GTK_BOX (box), icon);
  gtk_box_append (GTK_BOX (box), new_label ("Goban", "title"));
  gtk_box_append (GTK_BOX (box), new_label ("See how a neural network is placed and scheduled "
                                            "on several devices",
                                            NULL));
  gtk_box_append (GTK_BOX (box), buttons);
  gtk_box_append (GTK_BOX (box), self->samples_title);
  gtk_box_append (GTK_BOX (box), self->samples);
  gtk_box_append (GTK_BOX (box), self->recent_title);
  gtk_box_append (GTK_BOX (box), self->recent);
  gtk_widget_set_margin_top (hint, 14);
  gtk_box_append (GTK_BOX (box), hint);
  return box;
}

static GtkWidget *
build_busy (GobanStartPage *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 12);
  GtkWidget *stop = gtk_button_new_with_mnemonic (_ ("_Stop"));
  g_autofree char *stop_tip = goban_action_tooltip ("stop");

  self->spinner = gtk_spinner_new ();
  gtk_widget_set_size_request (self->spinner, 32, 32);
  self->busy = new_label ("", "dim-label");
  gtk_widget_set_halign (box, GTK_ALIGN_CENTER);
  gtk_widget_set_valign (box, GTK_ALIGN_CENTER);
  gtk_box_append (GTK_BOX (box), self->spinner);
  gtk_box_append (GTK_BOX (box), self->busy);
  gtk_widget_set_halign (stop, GTK_ALIGN_CENTER);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (stop), "win.stop");
  gtk_widget_set_tooltip_text (stop, stop_tip);
  gtk_box_append (GTK_BOX (box), stop);
  return box;
}

static void
goban_start_page_init (GobanStartPage *self)
{
  self->stack = gtk_stack_new ();
  gtk_stack_add_named (GTK_STACK (self->stack), build_welcome (self), "welcome");
  gtk_stack_add_named (GTK_STACK (self->stack), build_busy (self), "busy");
  gtk_widget_set_parent (self->stack, GTK_WIDGET (self));
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
  static const char *const endings[]
      = { ".onnx", ".pb", ".pbtxt", ".hlo", ".dot", ".graph.json", ".graph.txt", ".stg" };
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
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (self->samples)) != NULL)
    gtk_box_remove (GTK_BOX (self->samples), child);

  self->n_samples = MIN (names->len, MAX_SAMPLES);
  for (guint i = 0; i < self->n_samples; i++)
    {
      g_autofree char *path = g_build_filename (folder, names->pdata[i], NULL);
      g_autofree char *target = goban_recent_files_dup_target (path);
      g_autofree char *name = g_filename_display_name (names->pdata[i]);
      GtkWidget *button = gtk_button_new_with_label (name);

      gtk_actionable_set_action_name (GTK_ACTIONABLE (button), "win.open-path");
      gtk_actionable_set_action_target (GTK_ACTIONABLE (button), "s", target);
      gtk_box_append (GTK_BOX (self->samples), button);
    }

  gtk_widget_set_visible (self->samples_title, self->n_samples > 0);
  gtk_widget_set_visible (self->samples, self->n_samples > 0);
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
      GtkWidget *button = gtk_button_new_with_label (name);

      gtk_actionable_set_action_name (GTK_ACTIONABLE (button), "win.open-path");
      gtk_actionable_set_action_target (GTK_ACTIONABLE (button), "s", target);
      gtk_widget_set_tooltip_text (button, tooltip);
      gtk_flow_box_insert (GTK_FLOW_BOX (self->recent), button, -1);
    }
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
