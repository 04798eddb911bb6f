#include "ui/console/script-view.h"

#include "engine/core/i18n.h"
#include "ui/console/completion.h"
#include "ui/widgets/focus-group.h"
#include "ui/widgets/short-label.h"
#include "ui/widgets/template.h"
#include "ui/widgets/text.h"
#include "ui/widgets/theme.h"

#include <gtksourceview/gtksource.h>
#include <stdlib.h>
#include <string.h>

#define ERROR_MARK "error"

struct _GobanScriptView
{
  GtkWidget parent;

  GobanConsoleView *console;
  char *path; /* (nullable) */
  int error_line;

  GtkWidget *name;
  GtkWidget *examples;
  GtkWidget *invitation; /* over an empty text */
  GtkWidget *first;      /* its button: the examples, too */
  GtkWidget *run;
  GtkWidget *run_selection;
  GtkWidget *stop;
  GtkWidget *view;
  GtkWidget *message;
  GtkTextBuffer *buffer;
  GobanCompletion *completion;
};

G_DEFINE_FINAL_TYPE (GobanScriptView, goban_script_view, GTK_TYPE_WIDGET)

static guint changed_signal;

/* --- the text -------------------------------------------------------------------------------- */

char *
goban_script_view_dup_text (GobanScriptView *self)
{
  g_return_val_if_fail (GOBAN_IS_SCRIPT_VIEW (self), NULL);

  return goban_dup_buffer_text (self->buffer);
}

const char *
goban_script_view_get_path (GobanScriptView *self)
{
  g_return_val_if_fail (GOBAN_IS_SCRIPT_VIEW (self), NULL);

  return self->path;
}

gboolean
goban_script_view_is_modified (GobanScriptView *self)
{
  g_return_val_if_fail (GOBAN_IS_SCRIPT_VIEW (self), FALSE);

  return gtk_text_buffer_get_modified (self->buffer);
}

/* As messages name it. */
static char *
dup_name (GobanScriptView *self)
{
  return self->path != NULL ? g_filename_display_basename (self->path) : g_strdup ("script");
}

static void
modified_cb (GobanScriptView *self)
{
  g_autofree char *name = self->path != NULL ? dup_name (self) : g_strdup (_ ("New script"));
  g_autofree char *shown
      = g_strdup_printf ("%s%s", gtk_text_buffer_get_modified (self->buffer) ? "• " : "", name);

  goban_short_label_set_text (GOBAN_SHORT_LABEL (self->name), shown);
  goban_set_tooltip (self->name, self->path);
  g_signal_emit (self, changed_signal, 0);
}

static void
text_changed_cb (GobanScriptView *self)
{
  gtk_widget_set_visible (self->invitation,
                          gtk_widget_get_visible (self->examples)
                              && gtk_text_buffer_get_char_count (self->buffer) == 0);
}

static void
clear_error (GobanScriptView *self)
{
  GtkTextIter start, end;

  self->error_line = 0;
  gtk_text_buffer_get_bounds (self->buffer, &start, &end);
  gtk_source_buffer_remove_source_marks (GTK_SOURCE_BUFFER (self->buffer), &start, &end,
                                         ERROR_MARK);
  gtk_widget_set_visible (self->message, FALSE);
}

void
goban_script_view_set_saved (GobanScriptView *self, const char *path)
{
  g_return_if_fail (GOBAN_IS_SCRIPT_VIEW (self));

  if (path != NULL && path != self->path)
    {
      g_free (self->path);
      self->path = g_strdup (path);
    }
  gtk_text_buffer_set_modified (self->buffer, path == NULL);
  modified_cb (self);
}

void
goban_script_view_set_text (GobanScriptView *self, const char *text, const char *path)
{
  GtkTextIter start;

  g_return_if_fail (GOBAN_IS_SCRIPT_VIEW (self));

  clear_error (self);
  gtk_source_buffer_set_implicit_trailing_newline (GTK_SOURCE_BUFFER (self->buffer), FALSE);
  gtk_text_buffer_begin_irreversible_action (self->buffer);
  gtk_text_buffer_set_text (self->buffer, text, -1);
  gtk_text_buffer_end_irreversible_action (self->buffer);
  gtk_text_buffer_get_start_iter (self->buffer, &start);
  gtk_text_buffer_place_cursor (self->buffer, &start);
  g_free (self->path);
  self->path = g_strdup (path);
  gtk_text_buffer_set_modified (self->buffer, FALSE);
  modified_cb (self);
}

/* --- running --------------------------------------------------------------------------------- */

static gboolean
run_text (GobanScriptView *self, const char *text)
{
  g_autofree char *name = dup_name (self);

  clear_error (self);
  return goban_console_view_run_script (
      self->console, &(GobanConsoleScript){ .text = text, .path = self->path, .name = name });
}

gboolean
goban_script_view_run (GobanScriptView *self)
{
  g_autofree char *text = NULL;

  g_return_val_if_fail (GOBAN_IS_SCRIPT_VIEW (self), FALSE);

  text = goban_script_view_dup_text (self);
  return run_text (self, text);
}

/* Whole lines; those before them are empty, so that numbers of lines are right. */
gboolean
goban_script_view_run_selection (GobanScriptView *self)
{
  GtkTextIter start, end;
  g_autofree char *lines = NULL;
  g_autofree char *before = NULL;
  g_autofree char *text = NULL;

  g_return_val_if_fail (GOBAN_IS_SCRIPT_VIEW (self), FALSE);

  gtk_text_buffer_get_selection_bounds (self->buffer, &start, &end);
  gtk_text_iter_set_line_offset (&start, 0);
  if (!gtk_text_iter_starts_line (&end) || gtk_text_iter_equal (&start, &end))
    gtk_text_iter_forward_to_line_end (&end);
  lines = gtk_text_buffer_get_text (self->buffer, &start, &end, FALSE);
  before = g_strnfill ((gsize) gtk_text_iter_get_line (&start), '\n');
  text = g_strconcat (before, lines, NULL);
  return run_text (self, text);
}

/* The number in "NAME:12:", 0 without one. */
static int
find_line (const char *message, const char *name)
{
  g_autofree char *prefix = g_strconcat (name, ":", NULL);

  for (const char *at = strstr (message, prefix); at != NULL; at = strstr (at + 1, prefix))
    {
      char *end;
      long line = strtol (at + strlen (prefix), &end, 10);

      if (line > 0 && line < G_MAXINT && *end == ':')
        return (int) line;
    }
  return 0;
}

static void
show_error (GobanScriptView *self, const char *message)
{
  g_autofree char *name = dup_name (self);
  g_autofree char *first = g_strndup (message, strcspn (message, "\n"));
  GtkTextIter iter;

  self->error_line = find_line (message, name);
  goban_set_label_text (self->message, first);
  gtk_widget_set_visible (self->message, TRUE);
  if (self->error_line == 0)
    return;
  gtk_text_buffer_get_iter_at_line (self->buffer, &iter, self->error_line - 1);
  gtk_source_buffer_create_source_mark (GTK_SOURCE_BUFFER (self->buffer), NULL, ERROR_MARK, &iter);
  gtk_text_buffer_place_cursor (self->buffer, &iter);
  gtk_text_view_scroll_mark_onscreen (GTK_TEXT_VIEW (self->view),
                                      gtk_text_buffer_get_insert (self->buffer));
}

static void
ended_cb (GobanScriptView *self, const char *error)
{
  if (error != NULL)
    show_error (self, error);
}

static void
running_cb (GobanScriptView *self, gboolean is_running)
{
  gtk_widget_set_visible (self->stop, is_running);
  gtk_widget_set_sensitive (self->run, !is_running);
  gtk_widget_set_sensitive (self->run_selection, !is_running);
}

int
goban_script_view_get_error_line (GobanScriptView *self)
{
  g_return_val_if_fail (GOBAN_IS_SCRIPT_VIEW (self), 0);

  return self->error_line;
}

/* --- keys ------------------------------------------------------------------------------------ */

static gboolean
is_after_word (GobanScriptView *self)
{
  GtkTextIter cursor;

  gtk_text_buffer_get_iter_at_mark (self->buffer, &cursor,
                                    gtk_text_buffer_get_insert (self->buffer));
  return !gtk_text_buffer_get_has_selection (self->buffer) && gtk_text_iter_backward_char (&cursor)
         && !g_unichar_isspace (gtk_text_iter_get_char (&cursor));
}

static gboolean
key_cb (GtkEventControllerKey *controller, guint keyval, guint keycode, GdkModifierType modifiers,
        gpointer user_data)
{
  GobanScriptView *self = user_data;
  GdkModifierType held = modifiers & (GDK_CONTROL_MASK | GDK_SHIFT_MASK | GDK_ALT_MASK);

  if (goban_completion_handle_key (self->completion, keyval, modifiers))
    return TRUE;
  if (held == GDK_CONTROL_MASK && (keyval == GDK_KEY_Return || keyval == GDK_KEY_KP_Enter))
    goban_script_view_run_selection (self);
  else if ((held == GDK_CONTROL_MASK && keyval == GDK_KEY_space)
           || (held == 0 && keyval == GDK_KEY_Tab && is_after_word (self)))
    goban_completion_start (self->completion);
  else
    return FALSE;
  return TRUE;
}

static void
follow_theme (GobanScriptView *self)
{
  gboolean is_dark = goban_theme_is_dark (goban_theme_of (GTK_WIDGET (self)));
  GtkSourceStyleScheme *scheme;

  scheme = gtk_source_style_scheme_manager_get_scheme (
      gtk_source_style_scheme_manager_get_default (), is_dark ? "Adwaita-dark" : "Adwaita");
  gtk_source_buffer_set_style_scheme (GTK_SOURCE_BUFFER (self->buffer), scheme);
}

/* Reading how Lua is highlighted takes 20 ms: not before the pane is seen. */
static void
goban_script_view_map (GtkWidget *widget)
{
  GtkSourceBuffer *buffer = GTK_SOURCE_BUFFER (GOBAN_SCRIPT_VIEW (widget)->buffer);

  if (gtk_source_buffer_get_language (buffer) == NULL)
    gtk_source_buffer_set_language (buffer, gtk_source_language_manager_get_language (
                                                gtk_source_language_manager_get_default (), "lua"));
  GTK_WIDGET_CLASS (goban_script_view_parent_class)->map (widget);
}

static gboolean
goban_script_view_grab_focus (GtkWidget *widget)
{
  return gtk_widget_grab_focus (GOBAN_SCRIPT_VIEW (widget)->view);
}

static void
goban_script_view_dispose (GObject *object)
{
  GobanScriptView *self = GOBAN_SCRIPT_VIEW (object);

  if (self->completion != NULL)
    gtk_widget_unparent (GTK_WIDGET (self->completion));
  self->completion = NULL;
  goban_template_dispose (GTK_WIDGET (self));
  g_clear_object (&self->console);
  G_OBJECT_CLASS (goban_script_view_parent_class)->dispose (object);
}

static void
goban_script_view_finalize (GObject *object)
{
  g_free (GOBAN_SCRIPT_VIEW (object)->path);
  G_OBJECT_CLASS (goban_script_view_parent_class)->finalize (object);
}

static void
goban_script_view_class_init (GobanScriptViewClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = goban_script_view_dispose;
  G_OBJECT_CLASS (klass)->finalize = goban_script_view_finalize;
  widget_class->map = goban_script_view_map;
  widget_class->focus = goban_focus_group_enter;
  widget_class->grab_focus = goban_script_view_grab_focus;
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_css_name (widget_class, "scriptview");
  g_type_ensure (GTK_SOURCE_TYPE_VIEW);
  goban_template_set (widget_class, "console/script-view.ui");
  gtk_widget_class_bind_template_child (widget_class, GobanScriptView, name);
  gtk_widget_class_bind_template_child (widget_class, GobanScriptView, examples);
  gtk_widget_class_bind_template_child (widget_class, GobanScriptView, invitation);
  gtk_widget_class_bind_template_child (widget_class, GobanScriptView, first);
  gtk_widget_class_bind_template_child (widget_class, GobanScriptView, run);
  gtk_widget_class_bind_template_child (widget_class, GobanScriptView, run_selection);
  gtk_widget_class_bind_template_child (widget_class, GobanScriptView, stop);
  gtk_widget_class_bind_template_child (widget_class, GobanScriptView, view);
  gtk_widget_class_bind_template_child (widget_class, GobanScriptView, message);
  gtk_widget_class_bind_template_callback (widget_class, key_cb);
  gtk_widget_class_bind_template_callback (widget_class, gtk_widget_grab_focus);
  changed_signal = g_signal_new ("changed", GOBAN_TYPE_SCRIPT_VIEW, G_SIGNAL_RUN_LAST, 0, NULL,
                                 NULL, NULL, G_TYPE_NONE, 0);
}

static void
goban_script_view_init (GobanScriptView *self)
{
  GtkSourceMarkAttributes *marked = gtk_source_mark_attributes_new ();
  const GdkRGBA ground = { 0.84F, 0.37F, 0.0F, 0.18F };

  goban_template_init (GTK_WIDGET (self));
  self->buffer = gtk_text_view_get_buffer (GTK_TEXT_VIEW (self->view));
  self->completion = goban_completion_new (GTK_TEXT_VIEW (self->view));
  gtk_source_mark_attributes_set_icon_name (marked, "dialog-error-symbolic");
  gtk_source_mark_attributes_set_background (marked, &ground);
  gtk_source_view_set_mark_attributes (GTK_SOURCE_VIEW (self->view), ERROR_MARK, marked, 0);
  g_object_unref (marked);
  g_signal_connect_object (self->buffer, "modified-changed", G_CALLBACK (modified_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->buffer, "changed", G_CALLBACK (text_changed_cb), self,
                           G_CONNECT_SWAPPED);
  goban_theme_follow (GTK_WIDGET (self), G_CALLBACK (follow_theme));
  modified_cb (self);
  goban_script_view_set_examples (self, NULL);
}

GtkWidget *
goban_script_view_new (GobanConsoleView *console)
{
  GobanScriptView *self = g_object_new (GOBAN_TYPE_SCRIPT_VIEW, NULL);

  self->console = g_object_ref (console);
  g_signal_connect_object (console, "running", G_CALLBACK (running_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (console, "script-ended", G_CALLBACK (ended_cb), self, G_CONNECT_SWAPPED);
  return GTK_WIDGET (self);
}

void
goban_script_view_set_evaluator (GobanScriptView *self, GobanConsoleEvaluator *evaluator)
{
  g_return_if_fail (GOBAN_IS_SCRIPT_VIEW (self));

  if (self->completion != NULL)
    goban_completion_set_evaluator (self->completion, evaluator);
}

void
goban_script_view_set_examples (GobanScriptView *self, GMenuModel *menu)
{
  g_return_if_fail (GOBAN_IS_SCRIPT_VIEW (self));

  gtk_menu_button_set_menu_model (GTK_MENU_BUTTON (self->examples), menu);
  gtk_menu_button_set_menu_model (GTK_MENU_BUTTON (self->first), menu);
  gtk_widget_set_visible (self->examples, menu != NULL);
  text_changed_cb (self);
}
