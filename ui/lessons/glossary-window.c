#include "ui/lessons/glossary-window.h"

#include "engine/core/i18n.h"
#include "engine/session/teaching/glossary.h"
#include "ui/widgets/template.h"

#include <string.h>

struct _GobanGlossaryWindow
{
  GtkWindow parent;

  GtkWidget *entry;
  GtkWidget *scrolled;
  GtkWidget *list;
};

G_DEFINE_FINAL_TYPE (GobanGlossaryWindow, goban_glossary_window, GTK_TYPE_WINDOW)

#define ENTRY_KEY "goban-entry"

static const GobanGlossaryEntry *
get_entry (GtkListBoxRow *row)
{
  return g_object_get_data (G_OBJECT (row), ENTRY_KEY);
}

/* 0: the term itself, 1: a term that begins so, 2: one that contains it, 3: a definition; 4: not
 * found. */
static guint
rank (const GobanGlossaryEntry *entry, const char *words)
{
  g_autofree char *term = g_utf8_casefold (entry->term, -1);
  g_autofree char *definition = g_utf8_casefold (entry->definition, -1);
  g_autofree char *folded = g_utf8_casefold (words, -1);

  if (*folded == '\0')
    return 0;
  if (entry == goban_glossary_find (words))
    return 0;
  if (g_str_has_prefix (term, folded))
    return 1;
  if (strstr (term, folded) != NULL)
    return 2;
  return strstr (definition, folded) != NULL ? 3 : 4;
}

static const char *
get_words (GobanGlossaryWindow *self)
{
  return gtk_editable_get_text (GTK_EDITABLE (self->entry));
}

static gboolean
filter_cb (GtkListBoxRow *row, gpointer user_data)
{
  return rank (get_entry (row), get_words (user_data)) < 4;
}

static int
sort_cb (GtkListBoxRow *a, GtkListBoxRow *b, gpointer user_data)
{
  const char *words = get_words (user_data);
  guint rank_a = rank (get_entry (a), words), rank_b = rank (get_entry (b), words);

  if (rank_a != rank_b)
    return rank_a < rank_b ? -1 : 1;
  return g_ascii_strcasecmp (get_entry (a)->term, get_entry (b)->term);
}

static void
changed_cb (GobanGlossaryWindow *self)
{
  gtk_list_box_invalidate_filter (GTK_LIST_BOX (self->list));
  gtk_list_box_invalidate_sort (GTK_LIST_BOX (self->list));
  gtk_adjustment_set_value (
      gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (self->scrolled)), 0);
}

/* Escape in the entry. */
static void
stop_cb (GobanGlossaryWindow *self)
{
  gtk_window_close (GTK_WINDOW (self));
}

static gboolean
follow_cb (GtkLabel *label, const char *uri, GobanGlossaryWindow *self)
{
  goban_glossary_window_search (self, uri);
  return TRUE;
}

static char *
make_markup (const GobanGlossaryEntry *entry)
{
  g_autofree char *term = g_markup_escape_text (entry->term, -1);
  g_autofree char *definition = g_markup_escape_text (entry->definition, -1);
  GString *markup = g_string_new (NULL);

  g_string_printf (markup, "<b>%s</b>\n%s", term, definition);
  for (guint i = 0; entry->related[i] != NULL; i++)
    {
      g_autofree char *related = g_markup_escape_text (entry->related[i], -1);

      g_string_append_printf (markup, "%s<a href=\"%s\">%s</a>", i == 0 ? "\n→ " : ", ", related,
                              related);
    }
  return g_string_free (markup, FALSE);
}

static void
add_entry (GobanGlossaryWindow *self, const GobanGlossaryEntry *entry)
{
  GtkWidget *row = gtk_list_box_row_new ();
  GtkWidget *label = gtk_label_new (NULL);
  g_autofree char *markup = make_markup (entry);

  gtk_label_set_markup (GTK_LABEL (label), markup);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_selectable (GTK_LABEL (label), FALSE);
  gtk_widget_add_css_class (label, "glossary-entry");
  g_signal_connect (label, "activate-link", G_CALLBACK (follow_cb), self);
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), label);
  gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (row), FALSE);
  gtk_accessible_update_property (GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_PROPERTY_LABEL, entry->term,
                                  GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, entry->definition, -1);
  g_object_set_data (G_OBJECT (row), ENTRY_KEY, (gpointer) entry);
  gtk_list_box_append (GTK_LIST_BOX (self->list), row);
}

static void
goban_glossary_window_class_init (GobanGlossaryWindowClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Escape, 0, "window.close", NULL);
  goban_template_set (widget_class, "lessons/glossary-window.ui");
  gtk_widget_class_bind_template_child (widget_class, GobanGlossaryWindow, entry);
  gtk_widget_class_bind_template_child (widget_class, GobanGlossaryWindow, scrolled);
  gtk_widget_class_bind_template_child (widget_class, GobanGlossaryWindow, list);
  gtk_widget_class_bind_template_callback (widget_class, changed_cb);
  gtk_widget_class_bind_template_callback (widget_class, stop_cb);
}

static void
goban_glossary_window_init (GobanGlossaryWindow *self)
{
  const GPtrArray *entries = goban_glossary_get ();

  goban_template_init (GTK_WIDGET (self));
  gtk_list_box_set_filter_func (GTK_LIST_BOX (self->list), filter_cb, self, NULL);
  gtk_list_box_set_sort_func (GTK_LIST_BOX (self->list), sort_cb, self, NULL);
  for (guint i = 0; i < entries->len; i++)
    add_entry (self, entries->pdata[i]);
}

GtkWidget *
goban_glossary_window_new (GtkWindow *parent)
{
  return g_object_new (GOBAN_TYPE_GLOSSARY_WINDOW, "transient-for", parent, NULL);
}

void
goban_glossary_window_search (GobanGlossaryWindow *self, const char *words)
{
  g_return_if_fail (GOBAN_IS_GLOSSARY_WINDOW (self));

  gtk_editable_set_text (GTK_EDITABLE (self->entry), words);
  changed_cb (self); /* the entry waits a while before it says so */
}
