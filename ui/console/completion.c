#include "ui/console/completion.h"

#include "engine/core/i18n.h"
#include "engine/core/quantity.h"
#include "ui/console/choice-list.h"
#include "ui/widgets/template.h"
#include "ui/widgets/text.h"

#include <string.h>

#define MAX_ROWS 100
#define PAGE 8

struct _GobanCompletion
{
  GtkPopover parent;

  GtkTextView *view; /* borrowed: the parent */
  GtkTextBuffer *buffer;
  GobanConsoleEvaluator *evaluator; /* (nullable) */
  gboolean is_writing;              /* the text changes by our hand */
  char **words;                     /* (nullable) */
  char **details;                   /* as many: signature, newline, help */
  gsize start;                      /* of what they replace, in bytes */
  gsize cursor;                     /* its end */

  GtkWidget *list;
  GtkWidget *signature;
  GtkWidget *help;
  GtkWidget *more;
};

G_DEFINE_FINAL_TYPE (GobanCompletion, goban_completion, GTK_TYPE_POPOVER)

/* --- the text ------------------------------------------------------------------------------- */

static void
get_iter (GobanCompletion *self, gsize at, GtkTextIter *iter)
{
  g_autofree char *all = goban_dup_buffer_text (self->buffer);

  gtk_text_buffer_get_iter_at_offset (self->buffer, iter, (int) g_utf8_strlen (all, (gssize) at));
}

/* Replaces what is before the cursor from the start of the word on. */
static void
write_word (GobanCompletion *self, const char *word)
{
  GtkTextIter start, end;

  self->is_writing = TRUE;
  gtk_text_buffer_begin_user_action (self->buffer);
  get_iter (self, self->start, &start);
  get_iter (self, self->cursor, &end);
  gtk_text_buffer_delete (self->buffer, &start, &end);
  gtk_text_buffer_insert (self->buffer, &start, word, -1);
  gtk_text_buffer_end_user_action (self->buffer);
  self->is_writing = FALSE;
}

/* The longest beginning of all, whole characters only. */
static char *
common_prefix (char **words)
{
  gsize length = strlen (words[0]);

  for (guint i = 1; words[i] != NULL; i++)
    {
      gsize same = 0;

      while (same < length && words[i][same] == words[0][same])
        same++;
      length = same;
    }
  while (length > 0 && ((guchar) words[0][length] & 0xC0) == 0x80)
    length--;

  return g_strndup (words[0], length);
}

/* --- the popup ------------------------------------------------------------------------------ */

/* FALSE without a word that fits. */
static gboolean
ask (GobanCompletion *self)
{
  g_autofree char *text = goban_dup_buffer_text (self->buffer);

  g_clear_pointer (&self->words, g_strfreev);
  g_clear_pointer (&self->details, g_strfreev);
  self->cursor = goban_get_buffer_cursor (self->buffer);
  self->words = goban_console_evaluator_complete (self->evaluator, text, self->cursor, &self->start,
                                                  &self->details);
  return self->words[0] != NULL && self->start <= self->cursor;
}

static void
show_detail (GobanCompletion *self)
{
  int at = goban_choice_list_get_selected (GOBAN_CHOICE_LIST (self->list));
  const char *detail = at >= 0 ? self->details[at] : "";
  const char *help = strchr (detail, '\n');
  g_autofree char *signature
      = g_strndup (detail, help != NULL ? (gsize) (help - detail) : strlen (detail));

  goban_set_label_text (self->signature, signature);
  goban_set_label_text (self->help, help != NULL ? help + 1 : "");
  gtk_widget_set_visible (self->signature, *signature != '\0');
  gtk_widget_set_visible (self->help, help != NULL && help[1] != '\0');
  /* The text keeps the focus: this is what a screen reader says. */
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->view), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                  *detail != '\0' || at < 0 ? detail : self->words[at], -1);
}

static void
fill (GobanCompletion *self)
{
  guint n = g_strv_length (self->words);
  g_autoptr (GStrvBuilder) notes = g_strv_builder_new ();
  g_autoptr (GStrvBuilder) words = g_strv_builder_new ();
  g_auto (GStrv) shown = NULL;
  g_auto (GStrv) noted = NULL;
  g_autofree char *more = NULL;
  char number[GOBAN_QUANTITY_LEN];

  for (guint i = 0; i < MIN (n, MAX_ROWS); i++)
    {
      g_autofree char *note = g_strndup (self->details[i], strcspn (self->details[i], "\n"));

      g_strv_builder_add (words, self->words[i]);
      g_strv_builder_add (notes, note);
    }
  shown = g_strv_builder_end (words);
  noted = g_strv_builder_end (notes);
  goban_choice_list_set (GOBAN_CHOICE_LIST (self->list), (const char *const *) shown,
                         (const char *const *) noted);
  more = g_strdup_printf (_ ("and %s more"), goban_format_grouped (number, n - MIN (n, MAX_ROWS)));
  goban_set_label_text (self->more, more);
  gtk_widget_set_visible (self->more, n > MAX_ROWS);
  show_detail (self);
}

static void
point_at_word (GobanCompletion *self)
{
  GtkTextIter iter;
  GdkRectangle place;

  get_iter (self, self->start, &iter);
  gtk_text_view_get_iter_location (self->view, &iter, &place);
  gtk_text_view_buffer_to_window_coords (self->view, GTK_TEXT_WINDOW_WIDGET, place.x, place.y,
                                         &place.x, &place.y);
  place.width = MAX (place.width, 1);
  gtk_popover_set_pointing_to (GTK_POPOVER (self), &place);
}

static void
close_popup (GobanCompletion *self)
{
  gtk_popover_popdown (GTK_POPOVER (self));
  gtk_accessible_reset_property (GTK_ACCESSIBLE (self->view), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION);
}

static void
open_popup (GobanCompletion *self)
{
  fill (self);
  point_at_word (self);
  gtk_popover_popup (GTK_POPOVER (self));
}

void
goban_completion_start (GobanCompletion *self)
{
  g_autofree char *prefix = NULL;

  g_return_if_fail (GOBAN_IS_COMPLETION (self));

  if (self->evaluator == NULL || !ask (self))
    return;
  prefix = common_prefix (self->words);
  if (strlen (prefix) > self->cursor - self->start || self->words[1] == NULL)
    write_word (self, prefix);
  else if (gtk_widget_get_mapped (GTK_WIDGET (self->view)))
    open_popup (self);
}

static void
accept (GobanCompletion *self)
{
  int at = goban_choice_list_get_selected (GOBAN_CHOICE_LIST (self->list));

  if (at >= 0)
    write_word (self, self->words[at]);
  close_popup (self);
}

static void
changed_cb (GobanCompletion *self)
{
  if (self->is_writing || !gtk_widget_get_visible (GTK_WIDGET (self)))
    return;
  if (ask (self)
      && (self->words[1] != NULL || strlen (self->words[0]) > self->cursor - self->start))
    {
      fill (self);
      point_at_word (self);
    }
  else
    close_popup (self);
}

static void
move (GobanCompletion *self, int by)
{
  goban_choice_list_move (GOBAN_CHOICE_LIST (self->list), by);
  show_detail (self);
}

gboolean
goban_completion_handle_key (GobanCompletion *self, guint keyval, GdkModifierType modifiers)
{
  g_return_val_if_fail (GOBAN_IS_COMPLETION (self), FALSE);

  if (!gtk_widget_get_visible (GTK_WIDGET (self))
      || (modifiers & (GDK_CONTROL_MASK | GDK_ALT_MASK | GDK_SHIFT_MASK)) != 0)
    return FALSE;
  switch (keyval)
    {
    case GDK_KEY_Up:
    case GDK_KEY_Down:
      move (self, keyval == GDK_KEY_Up ? -1 : 1);
      return TRUE;
    case GDK_KEY_Page_Up:
    case GDK_KEY_Page_Down:
      move (self, keyval == GDK_KEY_Page_Up ? -PAGE : PAGE);
      return TRUE;
    case GDK_KEY_Return:
    case GDK_KEY_KP_Enter:
    case GDK_KEY_Tab:
      accept (self);
      return TRUE;
    case GDK_KEY_Escape:
      close_popup (self);
      return TRUE;
    case GDK_KEY_Left:
    case GDK_KEY_Right:
    case GDK_KEY_Home:
    case GDK_KEY_End:
      close_popup (self);
      return FALSE;
    default:
      return FALSE;
    }
}

static void
goban_completion_dispose (GObject *object)
{
  GobanCompletion *self = GOBAN_COMPLETION (object);

  if (self->buffer != NULL)
    g_signal_handlers_disconnect_by_data (self->buffer, self);
  g_clear_object (&self->buffer);
  g_clear_object (&self->evaluator);
  g_clear_pointer (&self->words, g_strfreev);
  g_clear_pointer (&self->details, g_strfreev);

  G_OBJECT_CLASS (goban_completion_parent_class)->dispose (object);
}

static void
goban_completion_class_init (GobanCompletionClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = goban_completion_dispose;
  g_type_ensure (GOBAN_TYPE_CHOICE_LIST);
  goban_template_set (widget_class, "console/completion.ui");
  GOBAN_TEMPLATE_CHILDREN (widget_class, GobanCompletion, list, signature, help, more);
  GOBAN_TEMPLATE_CALLBACKS (widget_class, accept);
}

static void
goban_completion_init (GobanCompletion *self)
{
  goban_template_init (GTK_WIDGET (self));
}

GobanCompletion *
goban_completion_new (GtkTextView *view)
{
  GobanCompletion *self = g_object_new (GOBAN_TYPE_COMPLETION, NULL);

  self->view = view;
  self->buffer = g_object_ref (gtk_text_view_get_buffer (view));
  g_signal_connect_swapped (self->buffer, "changed", G_CALLBACK (changed_cb), self);
  gtk_widget_set_parent (GTK_WIDGET (self), GTK_WIDGET (view));
  return self;
}

void
goban_completion_set_evaluator (GobanCompletion *self, GobanConsoleEvaluator *evaluator)
{
  g_return_if_fail (GOBAN_IS_COMPLETION (self));

  if (gtk_widget_get_visible (GTK_WIDGET (self)))
    close_popup (self);
  g_set_object (&self->evaluator, evaluator);
}
