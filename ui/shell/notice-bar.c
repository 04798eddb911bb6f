#include "ui/shell/notice-bar.h"

#include "engine/base/i18n.h"
#include "ui/widgets/text.h"

#define GOOD_NEWS_SECONDS 6
/* Letters of one notice, pixels and number of those before it: a bar, never half of the window.
 * What is cut off is in the tooltip. */
#define MAX_LETTERS 400
#define MAX_EARLIER_HEIGHT 110
#define MAX_EARLIER 200

/* A question as it is kept: strings are owned. */
typedef struct
{
  GobanQuestion question;
  char *key;
  char *text;
  char **labels;
} Asked;

struct _GobanNoticeBar
{
  GtkWidget parent;

  GtkWidget *rows; /* the question above the notice */
  GtkWidget *question;
  GtkWidget *question_text;
  GtkWidget *buttons;
  GQueue asked; /* Asked, the first is shown */

  GtkWidget *revealer;
  GtkWidget *box;
  GtkWidget *icon;
  GtkWidget *label;
  GtkWidget *more;     /* shows and hides those before */
  GtkWidget *scroller; /* over earlier */
  GtkWidget *earlier;
  GPtrArray *notices; /* since the bar was last hidden; the last one is in label */
  gboolean has_error; /* among them */
  guint timeout_id;
};

static guint closed_signal;

G_DEFINE_FINAL_TYPE (GobanNoticeBar, goban_notice_bar, GTK_TYPE_WIDGET)

static void
asked_free (Asked *asked)
{
  if (asked->question.free_data != NULL)
    asked->question.free_data (asked->question.user_data);
  g_free (asked->key);
  g_free (asked->text);
  g_strfreev (asked->labels);
  g_free (asked);
}

static gboolean
timeout_cb (gpointer user_data)
{
  GobanNoticeBar *self = user_data;

  self->timeout_id = 0;
  goban_notice_bar_hide (self);
  return G_SOURCE_REMOVE;
}

static void
goban_notice_bar_dispose (GObject *object)
{
  GobanNoticeBar *self = GOBAN_NOTICE_BAR (object);

  g_clear_handle_id (&self->timeout_id, g_source_remove);
  g_queue_clear_full (&self->asked, (GDestroyNotify) asked_free);
  g_clear_pointer (&self->rows, gtk_widget_unparent);
  g_clear_pointer (&self->notices, g_ptr_array_unref);

  G_OBJECT_CLASS (goban_notice_bar_parent_class)->dispose (object);
}

static void
goban_notice_bar_class_init (GobanNoticeBarClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = goban_notice_bar_dispose;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_css_name (GTK_WIDGET_CLASS (klass), "notice");
  gtk_widget_class_set_accessible_role (GTK_WIDGET_CLASS (klass), GTK_ACCESSIBLE_ROLE_ALERT);
  closed_signal = g_signal_new ("closed", GOBAN_TYPE_NOTICE_BAR, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                NULL, G_TYPE_NONE, 0);
}

static GtkWidget *
new_text (void)
{
  GtkWidget *text
      = g_object_new (GTK_TYPE_LABEL, "xalign", 0.0, "hexpand", TRUE, "selectable", TRUE, NULL);

  goban_wrap_label (GTK_LABEL (text), PANGO_WRAP_WORD_CHAR);
  return text;
}

static void
build_earlier (GobanNoticeBar *self)
{
  self->more = gtk_toggle_button_new ();
  gtk_widget_add_css_class (self->more, "flat");
  gtk_widget_add_css_class (self->more, "more");
  gtk_widget_set_valign (self->more, GTK_ALIGN_CENTER);
  gtk_widget_set_tooltip_text (self->more, _ ("Show or hide the notices before this one"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->more), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Notices before this one"), -1);

  self->earlier = new_text ();
  self->scroller = gtk_scrolled_window_new ();
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (self->scroller), GTK_POLICY_NEVER,
                                  GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_propagate_natural_height (GTK_SCROLLED_WINDOW (self->scroller), TRUE);
  gtk_scrolled_window_set_max_content_height (GTK_SCROLLED_WINDOW (self->scroller),
                                              MAX_EARLIER_HEIGHT);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (self->scroller), self->earlier);
  g_object_bind_property (self->more, "active", self->scroller, "visible", G_BINDING_SYNC_CREATE);
}

static void
button_cb (GtkButton *button, GobanNoticeBar *self)
{
  goban_notice_bar_answer (self,
                           GPOINTER_TO_INT (g_object_get_data (G_OBJECT (button), "goban-choice")));
}

static GtkWidget *
new_question_button (GobanNoticeBar *self, GtkWidget *button, int choice)
{
  g_object_set_data (G_OBJECT (button), "goban-choice", GINT_TO_POINTER (choice));
  gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
  g_signal_connect (button, "clicked", G_CALLBACK (button_cb), self);
  return button;
}

static void
build_question (GobanNoticeBar *self)
{
  GtkWidget *close = gtk_button_new_from_icon_name ("window-close-symbolic");

  self->question = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 10);
  self->question_text = new_text ();
  self->buttons = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  gtk_widget_set_valign (self->question_text, GTK_ALIGN_CENTER);
  gtk_widget_add_css_class (close, "flat");
  gtk_widget_set_tooltip_text (close, _ ("Ask later"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (close), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Ask later"), -1);
  gtk_box_append (GTK_BOX (self->question),
                  gtk_image_new_from_icon_name ("dialog-question-symbolic"));
  gtk_box_append (GTK_BOX (self->question), self->question_text);
  gtk_box_append (GTK_BOX (self->question), self->buttons);
  gtk_box_append (GTK_BOX (self->question), new_question_button (self, close, -1));
  gtk_widget_set_visible (self->question, FALSE);
}

static void
goban_notice_bar_init (GobanNoticeBar *self)
{
  GtkWidget *close = gtk_button_new_from_icon_name ("window-close-symbolic");
  GtkWidget *column = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);

  self->notices = g_ptr_array_new_with_free_func (g_free);
  self->icon = gtk_image_new ();
  self->label = new_text ();
  gtk_widget_set_valign (self->label, GTK_ALIGN_CENTER);
  build_earlier (self);
  /* In line with the first line of the text, which is as high as a button. */
  gtk_widget_set_margin_top (self->icon, 4);
  gtk_widget_add_css_class (close, "flat");
  gtk_widget_set_valign (close, GTK_ALIGN_START);
  gtk_widget_set_valign (self->icon, GTK_ALIGN_START);
  gtk_widget_set_tooltip_text (close, _ ("Close this notice"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (close), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Close this notice"), -1);
  g_signal_connect_swapped (close, "clicked", G_CALLBACK (goban_notice_bar_hide), self);

  gtk_widget_set_valign (column, GTK_ALIGN_CENTER);
  gtk_box_append (GTK_BOX (column), self->label);
  gtk_box_append (GTK_BOX (column), self->scroller);
  self->box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 10);
  gtk_box_append (GTK_BOX (self->box), self->icon);
  gtk_box_append (GTK_BOX (self->box), column);
  gtk_box_append (GTK_BOX (self->box), self->more);
  gtk_box_append (GTK_BOX (self->box), close);

  self->revealer = gtk_revealer_new ();
  gtk_revealer_set_child (GTK_REVEALER (self->revealer), self->box);
  build_question (self);
  self->rows = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  gtk_box_append (GTK_BOX (self->rows), self->question);
  gtk_box_append (GTK_BOX (self->rows), self->revealer);
  gtk_widget_set_visible (self->revealer, FALSE);
  gtk_widget_set_parent (self->rows, GTK_WIDGET (self));
  gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
}

GtkWidget *
goban_notice_bar_new (void)
{
  return g_object_new (GOBAN_TYPE_NOTICE_BAR, NULL);
}

/* (transfer full): valid text in bounds, beginning with a capital where that is a word of ours and
 * not a path or a name. */
static char *
dup_sentence (const char *text)
{
  g_autofree char *valid = g_utf8_make_valid (text, -1);
  gsize word = 0;

  while (g_ascii_islower (valid[word]))
    word++;
  if (valid[word] == ' ')
    *valid = g_ascii_toupper (*valid);
  return g_steal_pointer (&valid);
}

static void
keep_notice (GobanNoticeBar *self, gboolean is_error, const char *text)
{
  g_autoptr (GString) before = g_string_new (NULL);
  g_autofree char *count = NULL;

  for (guint i = self->notices->len; i-- > 0;)
    g_string_append_printf (before, "%s%s", (char *) g_ptr_array_index (self->notices, i),
                            i > 0 ? "\n" : "");
  gtk_label_set_text (GTK_LABEL (self->earlier), before->str);
  count = g_strdup_printf (_ ("%u more"), self->notices->len);
  gtk_button_set_label (GTK_BUTTON (self->more), count);
  gtk_widget_set_visible (self->more, self->notices->len > 0);

  if (self->notices->len == MAX_EARLIER)
    g_ptr_array_remove_index (self->notices, 0);
  g_ptr_array_add (self->notices, g_strdup (text));
  self->has_error = self->has_error || is_error;
}

void
goban_notice_bar_show (GobanNoticeBar *self, gboolean is_error, const char *message)
{
  g_autofree char *text = NULL;
  g_autofree char *shown = NULL;

  g_return_if_fail (GOBAN_IS_NOTICE_BAR (self));
  g_return_if_fail (message != NULL);

  text = dup_sentence (message);
  keep_notice (self, is_error, text);
  g_clear_handle_id (&self->timeout_id, g_source_remove);
  /* A notice disappears by itself, unless an unread error is below it. */
  if (!self->has_error)
    self->timeout_id
        = g_timeout_add_seconds (GOOD_NEWS_SECONDS + self->notices->len - 1, timeout_cb, self);

  if (g_utf8_strlen (text, -1) > MAX_LETTERS)
    {
      g_autofree char *head = g_utf8_substring (text, 0, MAX_LETTERS);

      shown = g_strconcat (head, "…", NULL);
    }
  gtk_label_set_text (GTK_LABEL (self->label), shown != NULL ? shown : text);
  gtk_widget_set_tooltip_text (self->label, shown != NULL ? text : NULL);
  gtk_image_set_from_icon_name (GTK_IMAGE (self->icon),
                                is_error ? "dialog-error-symbolic" : "dialog-information-symbolic");
  if (is_error)
    gtk_widget_add_css_class (GTK_WIDGET (self), "error");
  else
    gtk_widget_remove_css_class (GTK_WIDGET (self), "error");

  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, text, -1);
  gtk_widget_set_visible (GTK_WIDGET (self), TRUE);
  gtk_widget_set_visible (self->revealer, TRUE);
  gtk_revealer_set_reveal_child (GTK_REVEALER (self->revealer), TRUE);
}

/* Hidden at once: a bar that slides away takes clicks meant for what is below it. */
void
goban_notice_bar_hide (GobanNoticeBar *self)
{
  g_return_if_fail (GOBAN_IS_NOTICE_BAR (self));

  g_clear_handle_id (&self->timeout_id, g_source_remove);
  g_ptr_array_set_size (self->notices, 0);
  self->has_error = FALSE;
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (self->more), FALSE);
  gtk_revealer_set_reveal_child (GTK_REVEALER (self->revealer), FALSE);
  gtk_widget_set_visible (self->revealer, FALSE);
  gtk_widget_remove_css_class (GTK_WIDGET (self), "error");
  gtk_widget_set_visible (GTK_WIDGET (self), !g_queue_is_empty (&self->asked));
  g_signal_emit (self, closed_signal, 0);
}

/* --- questions -------------------------------------------------------------------------------- */

static void
show_question (GobanNoticeBar *self)
{
  const Asked *asked = g_queue_peek_head (&self->asked);
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (self->buttons)) != NULL)
    gtk_box_remove (GTK_BOX (self->buttons), child);
  gtk_widget_set_visible (self->question, asked != NULL);
  gtk_widget_set_visible (GTK_WIDGET (self),
                          asked != NULL || gtk_widget_get_visible (self->revealer));
  if (asked == NULL)
    {
      g_signal_emit (self, closed_signal, 0);
      return;
    }

  gtk_label_set_text (GTK_LABEL (self->question_text), asked->text);
  for (int i = 0; asked->labels[i] != NULL; i++)
    {
      GtkWidget *button
          = new_question_button (self, gtk_button_new_with_label (asked->labels[i]), i);

      gtk_widget_add_css_class (button, "more");
      gtk_box_append (GTK_BOX (self->buttons), button);
    }
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, asked->text,
                                  -1);
}

void
goban_notice_bar_withdraw (GobanNoticeBar *self, const char *key)
{
  g_return_if_fail (GOBAN_IS_NOTICE_BAR (self));

  for (GList *l = self->asked.head, *next; l != NULL; l = next)
    {
      Asked *asked = l->data;

      next = l->next;
      if (!g_str_equal (asked->key, key))
        continue;
      g_queue_delete_link (&self->asked, l);
      asked_free (asked);
    }
  show_question (self);
}

void
goban_notice_bar_ask (GobanNoticeBar *self, const GobanQuestion *question)
{
  Asked *asked;

  g_return_if_fail (GOBAN_IS_NOTICE_BAR (self) && question != NULL);

  goban_notice_bar_withdraw (self, question->key);
  asked = g_new0 (Asked, 1);
  asked->question = *question;
  asked->key = g_strdup (question->key);
  asked->text = dup_sentence (question->text);
  asked->labels = g_strdupv ((char **) question->labels);
  if (question->is_urgent)
    g_queue_push_head (&self->asked, asked);
  else
    g_queue_push_tail (&self->asked, asked);
  show_question (self);
  if (question->is_urgent)
    gtk_widget_grab_focus (gtk_widget_get_first_child (self->buttons));
}

const char *
goban_notice_bar_get_question (GobanNoticeBar *self)
{
  const Asked *asked;

  g_return_val_if_fail (GOBAN_IS_NOTICE_BAR (self), NULL);

  asked = g_queue_peek_head (&self->asked);
  return asked != NULL ? asked->text : NULL;
}

void
goban_notice_bar_answer (GobanNoticeBar *self, int choice)
{
  Asked *asked;

  g_return_if_fail (GOBAN_IS_NOTICE_BAR (self));

  asked = g_queue_pop_head (&self->asked);
  if (asked == NULL)
    return;
  show_question (self);
  asked->question.func (choice, asked->question.user_data);
  asked_free (asked);
}

const char *
goban_notice_bar_get_text (GobanNoticeBar *self)
{
  g_return_val_if_fail (GOBAN_IS_NOTICE_BAR (self), NULL);

  if (!gtk_widget_get_visible (self->revealer))
    return NULL;
  return gtk_label_get_text (GTK_LABEL (self->label));
}
