#include "ui/panels/notice-bar.h"

#include "engine/core/i18n.h"
#include "ui/widgets/template.h"
#include "ui/widgets/text.h"

#include <string.h>

#define LARGE_WIDTH 100000
#define GOOD_NEWS_SECONDS 6
/* Number of notices before the last one: a bar, never half of the window. */
#define MAX_EARLIER 200
/* Bound of all notices that are kept whole, to be saved. */
#define MAX_KEPT_BYTES (32 * 1024 * 1024)

/* The last notice, all of those before it, and each of them. A button saves what is cut off. */
static const GobanTextBounds bounds = { 400, 4 };
static const GobanTextBounds bounds_of_earlier = { 20000, 400 };
static const GobanTextBounds bounds_of_each = { 1000, 10 };

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

  GtkWidget *question;
  GtkWidget *question_text;
  GtkWidget *buttons;
  GQueue asked; /* Asked, the first is shown */

  GtkWidget *notice; /* the row of the last one, and of those before */
  GtkWidget *icon;
  GtkWidget *label;
  GtkWidget *save; /* shown if any of them is cut */
  GtkWidget *more; /* shows and hides those before */
  GtkWidget *earlier;
  GPtrArray *notices; /* whole, since the bar was last hidden; the last one is in label */
  gboolean has_error; /* among them */
  guint timeout_id;
};

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
  goban_remove_children (GTK_WIDGET (self));
  g_clear_pointer (&self->notices, g_ptr_array_unref);

  G_OBJECT_CLASS (goban_notice_bar_parent_class)->dispose (object);
}

static void show_question (GobanNoticeBar *self);

static void
answer (GobanNoticeBar *self, int choice)
{
  Asked *asked = g_queue_pop_head (&self->asked);

  show_question (self);
  asked->question.func (choice, asked->question.user_data);
  asked_free (asked);
}
static void
button_cb (GtkButton *button, GobanNoticeBar *self)
{
  answer (self, GPOINTER_TO_INT (g_object_get_data (G_OBJECT (button), "goban-choice")));
}

static GtkWidget *
new_question_button (GobanNoticeBar *self, const char *label, int choice)
{
  GtkWidget *button = gtk_button_new_with_label (label);

  g_object_set_data (G_OBJECT (button), "goban-choice", GINT_TO_POINTER (choice));
  gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
  gtk_widget_add_css_class (button, "more");
  g_signal_connect (button, "clicked", G_CALLBACK (button_cb), self);
  return button;
}

static void
ask_later_cb (GobanNoticeBar *self)
{
  answer (self, -1);
}

static void
save_cb (GobanNoticeBar *self)
{
  g_autoptr (GString) all = g_string_new (NULL);

  for (guint i = 0; i < self->notices->len; i++)
    g_string_append_printf (all, "%s\n", (const char *) g_ptr_array_index (self->notices, i));
  g_signal_emit_by_name (self, "save", all->str);
}

static GtkSizeRequestMode
goban_notice_bar_get_request_mode (GtkWidget *widget)
{
  return GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH;
}

/* A label of GTK 4.8 rounds the height of several lines down without a width, and up for any width,
 * and GTK complains. The least height is that for a large width; no width depends on a height. */
static void
goban_notice_bar_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum,
                          int *natural, int *minimum_baseline, int *natural_baseline)
{
  if (orientation == GTK_ORIENTATION_HORIZONTAL)
    for_size = -1;
  else if (for_size < 0)
    for_size = LARGE_WIDTH;
  gtk_widget_measure (gtk_widget_get_first_child (widget), orientation, for_size, minimum, natural,
                      minimum_baseline, natural_baseline);
}

static void
goban_notice_bar_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  gtk_widget_allocate (gtk_widget_get_first_child (widget), width, height, baseline, NULL);
}

static void
goban_notice_bar_class_init (GobanNoticeBarClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = goban_notice_bar_dispose;
  widget_class->get_request_mode = goban_notice_bar_get_request_mode;
  widget_class->measure = goban_notice_bar_measure;
  widget_class->size_allocate = goban_notice_bar_size_allocate;
  gtk_widget_class_set_css_name (widget_class, "notice");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_ALERT);
  goban_signal_add (klass, "closed", 0);
  goban_signal_add (klass, "save", 1, G_TYPE_STRING | G_SIGNAL_TYPE_STATIC_SCOPE);
  goban_template_set (widget_class, "panels/notice-bar.ui");
  GOBAN_TEMPLATE_CHILDREN (widget_class, GobanNoticeBar, question, question_text, buttons, notice,
                           icon, label, save, more, earlier);
  GOBAN_TEMPLATE_CALLBACKS (widget_class, ask_later_cb, save_cb, goban_notice_bar_hide);
}

static void
goban_notice_bar_init (GobanNoticeBar *self)
{
  self->notices = g_ptr_array_new_with_free_func (g_free);
  goban_template_init (GTK_WIDGET (self));
}

GtkWidget *
goban_notice_bar_new (void)
{
  return g_object_new (GOBAN_TYPE_NOTICE_BAR, NULL);
}

/* (transfer full): valid text, beginning with a capital unless it begins with a path or a
 * name. */
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
drop_oldest (GobanNoticeBar *self)
{
  gsize n_bytes = 0;
  guint first = self->notices->len;

  while (first > 0 && self->notices->len - first <= MAX_EARLIER)
    {
      n_bytes += strlen (g_ptr_array_index (self->notices, first - 1));
      if (n_bytes > MAX_KEPT_BYTES && first < self->notices->len)
        break;
      first--;
    }
  g_ptr_array_remove_range (self->notices, 0, first);
}

static gboolean
is_cut (const char *text, const GobanTextBounds *limits)
{
  return text[goban_find_cut (text, limits)] != '\0';
}

/* Lists the notices before the last one, the latest first. */
static void
show_earlier (GobanNoticeBar *self)
{
  g_autoptr (GString) before = g_string_new (NULL);
  g_autofree char *shown = NULL;
  g_autofree char *count = g_strdup_printf (_ ("%u more"), self->notices->len - 1);
  gboolean any_cut = is_cut (g_ptr_array_index (self->notices, self->notices->len - 1), &bounds);

  for (guint i = self->notices->len - 1; i-- > 0;)
    {
      const char *text = g_ptr_array_index (self->notices, i);
      g_autofree char *one = goban_dup_cut (text, &bounds_of_each);

      any_cut |= is_cut (text, &bounds_of_each);
      g_string_append_printf (before, "%s%s", one, i > 0 ? "\n" : "");
    }
  any_cut |= is_cut (before->str, &bounds_of_earlier);
  shown = goban_dup_cut (before->str, &bounds_of_earlier);
  gtk_label_set_text (GTK_LABEL (self->earlier), shown);
  gtk_button_set_label (GTK_BUTTON (self->more), count);
  gtk_widget_set_visible (self->more, self->notices->len > 1);
  gtk_widget_set_visible (self->save, any_cut);
}

static void
keep_notice (GobanNoticeBar *self, gboolean is_error, char *text)
{
  g_ptr_array_add (self->notices, text);
  drop_oldest (self);
  show_earlier (self);
  self->has_error = self->has_error || is_error;
}

void
goban_notice_bar_show (GobanNoticeBar *self, gboolean is_error, const char *message)
{
  g_autofree char *shown = NULL;
  char *text;

  g_return_if_fail (GOBAN_IS_NOTICE_BAR (self));
  g_return_if_fail (message != NULL);

  text = dup_sentence (message);
  keep_notice (self, is_error, text);
  g_clear_handle_id (&self->timeout_id, g_source_remove);
  /* A notice disappears by itself, unless an unread error is below it. */
  if (!self->has_error)
    self->timeout_id
        = g_timeout_add_seconds (GOOD_NEWS_SECONDS + self->notices->len - 1, timeout_cb, self);

  shown = goban_dup_cut (text, &bounds);
  gtk_label_set_text (GTK_LABEL (self->label), shown);
  goban_set_tooltip (self->label, is_cut (text, &bounds) ? text : NULL);
  gtk_image_set_from_icon_name (GTK_IMAGE (self->icon),
                                is_error ? "dialog-error-symbolic" : "dialog-information-symbolic");
  if (is_error)
    gtk_widget_add_css_class (GTK_WIDGET (self), "error");
  else
    gtk_widget_remove_css_class (GTK_WIDGET (self), "error");

  goban_set_accessible_label (GTK_WIDGET (self), text);
  gtk_widget_set_visible (GTK_WIDGET (self), TRUE);
  gtk_widget_set_visible (self->notice, TRUE);
}

/* At once: a bar that slides away takes clicks meant for the widgets below it, and GTK warns of the
 * heights of a GtkRevealer in between. */
void
goban_notice_bar_hide (GobanNoticeBar *self)
{
  g_return_if_fail (GOBAN_IS_NOTICE_BAR (self));

  g_clear_handle_id (&self->timeout_id, g_source_remove);
  g_ptr_array_set_size (self->notices, 0);
  self->has_error = FALSE;
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (self->more), FALSE);
  gtk_widget_set_visible (self->notice, FALSE);
  gtk_widget_remove_css_class (GTK_WIDGET (self), "error");
  gtk_widget_set_visible (GTK_WIDGET (self), !g_queue_is_empty (&self->asked));
  g_signal_emit_by_name (self, "closed");
}

/* --- questions -------------------------------------------------------------------------------- */

static void
show_question (GobanNoticeBar *self)
{
  const Asked *asked = g_queue_peek_head (&self->asked);

  goban_remove_children (self->buttons);
  gtk_widget_set_visible (self->question, asked != NULL);
  gtk_widget_set_visible (GTK_WIDGET (self),
                          asked != NULL || gtk_widget_get_visible (self->notice));
  if (asked == NULL)
    {
      g_signal_emit_by_name (self, "closed");
      return;
    }

  goban_set_label_text (self->question_text, asked->text);
  for (int i = 0; asked->labels[i] != NULL; i++)
    gtk_box_append (GTK_BOX (self->buttons), new_question_button (self, asked->labels[i], i));
  goban_set_accessible_label (GTK_WIDGET (self), asked->text);
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
