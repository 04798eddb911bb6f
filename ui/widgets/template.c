#include "ui/widgets/template.h"

#include "engine/core/i18n.h"
#include "ui/widgets/actions.h"
#include "ui/widgets/bar.h"
#include "ui/widgets/short-label.h"
#include "ui/widgets/switcher.h"
#include "ui/widgets/text.h"

#include "goban-templates.h"

/* (transfer full) */
static GBytes *
read_file (const char *file)
{
  g_autofree char *path = g_strconcat ("/org/goban/Goban/ui/", file, NULL);
  g_autoptr (GError) error = NULL;
  GBytes *bytes;

  /* Any of them may name it. */
  g_type_ensure (GOBAN_TYPE_BAR);
  g_type_ensure (GOBAN_TYPE_SHORT_LABEL);
  g_type_ensure (GOBAN_TYPE_SWITCHER);
  bytes = g_resource_lookup_data (goban_templates_get_resource (), path, 0, &error);

  if (bytes == NULL)
    g_error ("ui/ui.gresource.xml does not list %s: %s", file, error->message);
  return bytes;
}

void
goban_template_set (GtkWidgetClass *klass, const char *file)
{
  g_autoptr (GBytes) template = read_file (file);

  gtk_widget_class_set_template (klass, template);
  if (g_type_parent (G_TYPE_FROM_CLASS (klass)) == GTK_TYPE_WIDGET)
    gtk_widget_class_set_layout_manager_type (klass, GTK_TYPE_BIN_LAYOUT);
}

static void
describe_command (GtkActionable *button)
{
  const char *action = gtk_actionable_get_action_name (button);
  const GobanActionInfo *info
      = action != NULL && g_str_has_prefix (action, "win.") ? goban_action_find (action + 4) : NULL;
  g_autofree char *tooltip = NULL;

  if (info == NULL || gtk_widget_get_tooltip_text (GTK_WIDGET (button)) != NULL)
    return;
  tooltip = goban_action_tooltip (info->name);
  goban_set_tooltip (GTK_WIDGET (button), tooltip);
  if (GTK_IS_BUTTON (button) && gtk_button_get_icon_name (GTK_BUTTON (button)) != NULL)
    goban_set_accessible_label (GTK_WIDGET (button), _ (info->help));
}

static void
place (GtkWidget *form, GtkWidget *child, int column, int row, int column_span)
{
  GtkLayoutManager *layout = gtk_widget_get_layout_manager (form);

  g_object_set (gtk_layout_manager_get_layout_child (layout, child), "column", column, "row", row,
                "column-span", column_span, NULL);
}

static void
arrange_form (GtkWidget *form)
{
  int row = -1;

  for (GtkWidget *child = gtk_widget_get_first_child (form); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    {
      GtkWidget *control
          = GTK_IS_LABEL (child) ? gtk_label_get_mnemonic_widget (GTK_LABEL (child)) : NULL;

      if (GTK_IS_LABEL (child))
        {
          gtk_label_set_xalign (GTK_LABEL (child), 0.0);
          place (form, child, 0, ++row, control != NULL ? 1 : 2);
        }
      if (control == NULL)
        continue;
      gtk_label_set_use_underline (GTK_LABEL (child), TRUE);
      gtk_widget_set_hexpand (child, TRUE);
      gtk_widget_set_halign (control, GTK_ALIGN_END);
      gtk_widget_set_valign (control, GTK_ALIGN_CENTER);
      gtk_accessible_update_relation (GTK_ACCESSIBLE (control), GTK_ACCESSIBLE_RELATION_LABELLED_BY,
                                      child, NULL, -1);
      place (form, control, 1, row, 1);
    }
}

static void
complete (GtkWidget *widget)
{
  if (GTK_IS_ACTIONABLE (widget))
    describe_command (GTK_ACTIONABLE (widget));
  if (GTK_IS_GRID (widget) && gtk_widget_has_css_class (widget, "form"))
    arrange_form (widget);
  if (goban_is_header (widget))
    goban_explain_term (widget, gtk_label_get_text (GTK_LABEL (widget)));
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    complete (child);
}

void
goban_template_init (GtkWidget *self)
{
  gtk_widget_init_template (self);
  complete (self);
}

GtkBuilder *
goban_template_load (const char *file, const char *id)
{
  const char *ids[] = { id, NULL };
  g_autoptr (GBytes) bytes = read_file (file);
  GtkBuilder *builder = gtk_builder_new ();
  g_autoptr (GError) error = NULL;
  gsize size;
  const char *text = g_bytes_get_data (bytes, &size);

  if (!gtk_builder_add_objects_from_string (builder, text, (gssize) size, ids, &error))
    g_error ("%s: %s", file, error->message);
  complete (goban_template_get (builder, id));
  return builder;
}

GtkWidget *
goban_template_get (GtkBuilder *builder, const char *id)
{
  GObject *object = gtk_builder_get_object (builder, id);

  if (!GTK_IS_WIDGET (object))
    g_error ("no widget of a template is named %s", id);
  return GTK_WIDGET (object);
}

GtkWidget *
goban_template_take (GtkBuilder *builder, const char *id)
{
  GtkWidget *widget = g_object_ref (goban_template_get (builder, id));

  g_object_unref (builder);
  g_object_force_floating (G_OBJECT (widget));
  return widget;
}

void
goban_remove_children (GtkWidget *self)
{
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (self)) != NULL)
    gtk_widget_unparent (child);
}
