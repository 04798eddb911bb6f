#include "ui/lessons/glossary-window.h"

#include "engine/core/i18n.h"
#include "engine/session/teaching/glossary.h"

#include <string.h>

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

static gboolean
filter_cb (GtkListBoxRow *row, gpointer user_data)
{
  return rank (get_entry (row), goban_search_window_get_words (user_data)) < 4;
}

static int
sort_cb (GtkListBoxRow *a, GtkListBoxRow *b, gpointer user_data)
{
  const char *words = goban_search_window_get_words (user_data);
  guint rank_a = rank (get_entry (a), words), rank_b = rank (get_entry (b), words);

  if (rank_a != rank_b)
    return rank_a < rank_b ? -1 : 1;
  return g_ascii_strcasecmp (get_entry (a)->term, get_entry (b)->term);
}

static gboolean
follow_cb (GtkLabel *label, const char *uri, GobanSearchWindow *window)
{
  goban_search_window_search (window, uri);
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
add_entry (GobanSearchWindow *window, const GobanGlossaryEntry *entry)
{
  GtkWidget *label = gtk_label_new (NULL);
  GtkWidget *row = goban_search_window_add (window, label, entry->term, entry->definition);
  g_autofree char *markup = make_markup (entry);

  gtk_label_set_markup (GTK_LABEL (label), markup);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_selectable (GTK_LABEL (label), FALSE);
  gtk_widget_add_css_class (label, "glossary-entry");
  g_signal_connect (label, "activate-link", G_CALLBACK (follow_cb), window);
  g_object_set_data (G_OBJECT (row), ENTRY_KEY, (gpointer) entry);
}

GtkWidget *
goban_glossary_window_new (GtkWindow *parent)
{
  const GPtrArray *entries = goban_glossary_get ();
  GtkWidget *self = goban_search_window_new (parent, _ ("Glossary"), _ ("Search for a term"),
                                             _ ("No term or definition contains this text"));
  GobanSearchWindow *window = GOBAN_SEARCH_WINDOW (self);
  GtkListBox *list = goban_search_window_get_list (window);

  for (guint i = 0; i < entries->len; i++)
    add_entry (window, entries->pdata[i]);
  gtk_list_box_set_filter_func (list, filter_cb, window, NULL);
  gtk_list_box_set_sort_func (list, sort_cb, window, NULL);
  return self;
}
