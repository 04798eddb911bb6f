#include "ui/console/history-search.h"

#include "engine/core/i18n.h"
#include "ui/console/choice-list.h"
#include "ui/widgets/template.h"

#include <string.h>

#define MAX_ROWS 100

struct _GobanHistorySearch
{
  GtkPopover parent;

  GobanConsoleHistory *history; /* borrowed */
  char **found;                 /* (nullable): newest first */

  GtkWidget *entry;
  GtkWidget *kind; /* a GobanHistoryKind; stays as it was chosen */
  GtkWidget *list;
  GtkWidget *nothing;
};

G_DEFINE_FINAL_TYPE (GobanHistorySearch, goban_history_search, GTK_TYPE_POPOVER)

/* An entry of several lines in one. */
static char *
fold_lines (const char *text)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);

  for (guint i = 0; lines[i] != NULL; i++)
    g_strstrip (lines[i]);
  return g_strjoinv (" ⏎ ", lines);
}

static void
fill (GobanHistorySearch *self)
{
  const char *typed = gtk_editable_get_text (GTK_EDITABLE (self->entry));
  g_autoptr (GStrvBuilder) shown = g_strv_builder_new ();
  g_auto (GStrv) words = NULL;

  g_clear_pointer (&self->found, g_strfreev);
  self->found = goban_console_history_find (
      self->history, typed,
      (GobanHistoryKind) gtk_drop_down_get_selected (GTK_DROP_DOWN (self->kind)), MAX_ROWS);
  for (guint i = 0; self->found[i] != NULL; i++)
    {
      g_autofree char *line = fold_lines (self->found[i]);

      g_strv_builder_add (shown, line);
    }
  words = g_strv_builder_end (shown);
  goban_choice_list_set (GOBAN_CHOICE_LIST (self->list), (const char *const *) words, NULL);
  gtk_widget_set_visible (self->list, words[0] != NULL);
  gtk_widget_set_visible (self->nothing, words[0] == NULL);
}

/* Before the history is there, there is nothing to show. */
static void
kind_cb (GobanHistorySearch *self)
{
  if (self->history != NULL)
    fill (self);
}

static void
choose (GobanHistorySearch *self)
{
  int at = goban_choice_list_get_selected (GOBAN_CHOICE_LIST (self->list));
  g_autofree char *text = at >= 0 ? g_strdup (self->found[at]) : NULL;

  gtk_popover_popdown (GTK_POPOVER (self));
  if (text != NULL)
    g_signal_emit_by_name (self, "chosen", text);
}

static gboolean
key_cb (GtkEventControllerKey *controller, guint keyval, guint keycode, GdkModifierType modifiers,
        GobanHistorySearch *self)
{
  GobanChoiceList *list = GOBAN_CHOICE_LIST (self->list);
  gboolean is_again = keyval == GDK_KEY_r && (modifiers & GDK_CONTROL_MASK) != 0;

  if (keyval == GDK_KEY_Down || is_again)
    goban_choice_list_move (list, 1);
  else if (keyval == GDK_KEY_Up)
    goban_choice_list_move (list, -1);
  else
    return FALSE;
  return TRUE;
}

void
goban_history_search_start (GobanHistorySearch *self, const char *text)
{
  g_return_if_fail (GOBAN_IS_HISTORY_SEARCH (self));

  gtk_editable_set_text (GTK_EDITABLE (self->entry), text);
  fill (self); /* the signal may wait */
  gtk_popover_popup (GTK_POPOVER (self));
  gtk_widget_grab_focus (self->entry);
  gtk_editable_set_position (GTK_EDITABLE (self->entry), -1);
}

static void
goban_history_search_finalize (GObject *object)
{
  g_strfreev (GOBAN_HISTORY_SEARCH (object)->found);
  G_OBJECT_CLASS (goban_history_search_parent_class)->finalize (object);
}

static void
goban_history_search_class_init (GobanHistorySearchClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = goban_history_search_finalize;
  g_type_ensure (GOBAN_TYPE_CHOICE_LIST);
  goban_template_set (widget_class, "console/history-search.ui");
  GOBAN_TEMPLATE_CHILDREN (widget_class, GobanHistorySearch, entry, kind, list, nothing);
  GOBAN_TEMPLATE_CALLBACKS (widget_class, choose, fill, key_cb);
  goban_signal_add (klass, "chosen", 1, G_TYPE_STRING);
}

static void
goban_history_search_init (GobanHistorySearch *self)
{
  static const char *const names[] = {
    [GOBAN_HISTORY_ALL] = N_ ("All lines"),        [GOBAN_HISTORY_GRAPHS] = N_ ("Graphs"),
    [GOBAN_HISTORY_PLANS] = N_ ("Plans and runs"), [GOBAN_HISTORY_COMPARISONS] = N_ ("Comparisons"),
    [GOBAN_HISTORY_VIEWS] = N_ ("Views"),          [GOBAN_HISTORY_PLOTS] = N_ ("Plots"),
    [GOBAN_HISTORY_BLOCKS] = N_ ("Several lines"), [GOBAN_HISTORY_OTHERS] = N_ ("Others"),
  };
  g_autoptr (GtkStringList) model = gtk_string_list_new (NULL);

  goban_template_init (GTK_WIDGET (self));
  for (guint k = 0; k < GOBAN_N_HISTORY_KINDS; k++)
    gtk_string_list_append (model, _ (names[k]));
  gtk_drop_down_set_model (GTK_DROP_DOWN (self->kind), G_LIST_MODEL (model));
  g_signal_connect_swapped (self->kind, "notify::selected", G_CALLBACK (kind_cb), self);
}

GobanHistorySearch *
goban_history_search_new (GtkWidget *parent, GobanConsoleHistory *history)
{
  GobanHistorySearch *self = g_object_new (GOBAN_TYPE_HISTORY_SEARCH, NULL);

  self->history = history;
  gtk_widget_set_parent (GTK_WIDGET (self), parent);
  return self;
}
