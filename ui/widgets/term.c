#include "ui/widgets/term.h"
#include "ui/widgets/text.h"

#include "engine/session/teaching/glossary.h"

#include <string.h>

void
goban_explain_term (GtkWidget *widget, const char *text)
{
  const GobanGlossaryEntry *entry = goban_glossary_find_label (text);
  const char *before = gtk_widget_get_tooltip_text (widget);
  g_autofree char *both = NULL;

  if (entry == NULL || (before != NULL && strstr (before, entry->definition) != NULL))
    return;
  if (before != NULL)
    both = g_strdup_printf ("%s\n%s", before, entry->definition);
  goban_set_tooltip (widget, both != NULL ? both : entry->definition);
}

static void
explain_titles (GtkWidget *widget)
{
  if (GTK_IS_LABEL (widget))
    goban_explain_term (widget, gtk_label_get_text (GTK_LABEL (widget)));
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    explain_titles (child);
}

void
goban_explain_columns (GtkColumnView *view)
{
  /* The first child has the titles, the second the rows. */
  explain_titles (gtk_widget_get_first_child (GTK_WIDGET (view)));
}

gboolean
goban_is_header (GtkWidget *label)
{
  GtkWidget *view;

  if (!GTK_IS_LABEL (label))
    return FALSE;
  if (gtk_widget_has_css_class (label, "heading")
      || gtk_widget_has_css_class (label, "pane-heading"))
    return TRUE;
  view = gtk_widget_get_ancestor (label, GTK_TYPE_COLUMN_VIEW);
  return view != NULL && gtk_widget_is_ancestor (label, gtk_widget_get_first_child (view));
}
