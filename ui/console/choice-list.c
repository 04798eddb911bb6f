#include "ui/console/choice-list.h"

#include "ui/widgets/short-label.h"
#include "ui/widgets/template.h"
#include "ui/widgets/text.h"

#define MAX_CHARS 90

struct _GobanChoiceList
{
  GtkWidget parent;

  GtkWidget *window; /* scrolled */
  GtkWidget *list;
  guint n_rows;
};

G_DEFINE_FINAL_TYPE (GobanChoiceList, goban_choice_list, GTK_TYPE_WIDGET)

static GtkWidget *
new_label (const char *text, const char *css_class)
{
  GtkWidget *label = goban_short_label_new (GOBAN_KEEP_START, 0);

  goban_short_label_set_max_chars (GOBAN_SHORT_LABEL (label), MAX_CHARS);
  goban_short_label_set_text (GOBAN_SHORT_LABEL (label), text);
  gtk_widget_add_css_class (label, css_class);
  return label;
}

static GtkWidget *
new_row (const char *word, const char *note)
{
  GtkWidget *row = gtk_list_box_row_new ();
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 16);
  GtkWidget *label = new_label (word, "word");

  gtk_widget_set_hexpand (label, TRUE);
  gtk_box_append (GTK_BOX (box), label);
  if (note != NULL && *note != '\0')
    gtk_box_append (GTK_BOX (box), new_label (note, "note"));
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), box);
  gtk_widget_set_focusable (row, FALSE);
  goban_set_accessible_label (row, word);
  return row;
}

void
goban_choice_list_set (GobanChoiceList *self, const char *const *words, const char *const *notes)
{
  GtkWidget *row;

  g_return_if_fail (GOBAN_IS_CHOICE_LIST (self));

  while ((row = gtk_widget_get_first_child (self->list)) != NULL)
    gtk_list_box_remove (GTK_LIST_BOX (self->list), row);
  for (self->n_rows = 0; words[self->n_rows] != NULL; self->n_rows++)
    gtk_list_box_append (GTK_LIST_BOX (self->list),
                         new_row (words[self->n_rows], notes != NULL ? notes[self->n_rows] : NULL));
  gtk_list_box_select_row (GTK_LIST_BOX (self->list),
                           gtk_list_box_get_row_at_index (GTK_LIST_BOX (self->list), 0));
  gtk_adjustment_set_value (
      gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (self->window)), 0);
}

int
goban_choice_list_get_selected (GobanChoiceList *self)
{
  GtkListBoxRow *row;

  g_return_val_if_fail (GOBAN_IS_CHOICE_LIST (self), -1);

  row = gtk_list_box_get_selected_row (GTK_LIST_BOX (self->list));
  return row != NULL ? gtk_list_box_row_get_index (row) : -1;
}

/* The list does not do it for a row without the focus. */
static void
scroll_to (GobanChoiceList *self, GtkListBoxRow *row)
{
  GtkAdjustment *adjustment
      = gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (self->window));
  graphene_rect_t bounds;

  if (gtk_widget_compute_bounds (GTK_WIDGET (row), self->list, &bounds))
    gtk_adjustment_clamp_page (adjustment, bounds.origin.y, bounds.origin.y + bounds.size.height);
}

void
goban_choice_list_move (GobanChoiceList *self, int by)
{
  int at;
  GtkListBoxRow *row;

  g_return_if_fail (GOBAN_IS_CHOICE_LIST (self));

  if (self->n_rows == 0)
    return;
  at = CLAMP (goban_choice_list_get_selected (self) + by, 0, (int) self->n_rows - 1);
  row = gtk_list_box_get_row_at_index (GTK_LIST_BOX (self->list), at);
  gtk_list_box_select_row (GTK_LIST_BOX (self->list), row);
  scroll_to (self, row);
}

static void
activated_cb (GobanChoiceList *self)
{
  g_signal_emit_by_name (self, "chosen");
}

static void
goban_choice_list_dispose (GObject *object)
{
  goban_remove_children (GTK_WIDGET (object));
  G_OBJECT_CLASS (goban_choice_list_parent_class)->dispose (object);
}

static void
goban_choice_list_class_init (GobanChoiceListClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = goban_choice_list_dispose;
  gtk_widget_class_set_css_name (widget_class, "choicelist");
  goban_template_set (widget_class, "console/choice-list.ui");
  GOBAN_TEMPLATE_CHILDREN (widget_class, GobanChoiceList, window, list);
  GOBAN_TEMPLATE_CALLBACKS (widget_class, activated_cb);
  goban_signal_add (klass, "chosen", 0);
}

static void
goban_choice_list_init (GobanChoiceList *self)
{
  goban_template_init (GTK_WIDGET (self));
}
