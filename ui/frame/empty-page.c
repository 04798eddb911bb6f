#include "ui/frame/empty-page.h"

#include "ui/widgets/text.h"

#define TEXT_CHARS 36

void
goban_empty_page_set_text (GtkWidget *page, const char *text)
{
  goban_set_label_text (gtk_widget_get_first_child (page), text);
}

GtkWidget *
goban_empty_page_new (const char *text, const char *label, const char *action)
{
  GtkWidget *page = gtk_box_new (GTK_ORIENTATION_VERTICAL, 12);
  GtkWidget *sentence = goban_new_label (NULL);
  GtkWidget *button = gtk_button_new_with_label (label);
  g_autofree char *name = NULL;
  g_autoptr (GVariant) target = NULL;

  if (g_action_parse_detailed_name (action, &name, &target, NULL))
    {
      /* A name without its target would not fit the action. */
      gtk_actionable_set_action_target_value (GTK_ACTIONABLE (button), target);
      gtk_actionable_set_action_name (GTK_ACTIONABLE (button), name);
    }

  gtk_label_set_wrap (GTK_LABEL (sentence), TRUE);
  gtk_label_set_justify (GTK_LABEL (sentence), GTK_JUSTIFY_CENTER);
  gtk_label_set_max_width_chars (GTK_LABEL (sentence), TEXT_CHARS);
  gtk_widget_set_halign (button, GTK_ALIGN_CENTER);
  gtk_widget_add_css_class (button, "suggested-action");
  gtk_box_append (GTK_BOX (page), sentence);
  gtk_box_append (GTK_BOX (page), button);
  gtk_widget_set_valign (page, GTK_ALIGN_CENTER);
  gtk_widget_add_css_class (page, "emptypage");
  goban_empty_page_set_text (page, text);
  return page;
}
