#include "ui/console/console-view.h"

#include "engine/core/i18n.h"
#include "ui/console/completion.h"
#include "ui/console/console-history.h"
#include "ui/console/console-output.h"
#include "ui/console/history-search.h"
#include "ui/widgets/focus-group.h"
#include "ui/widgets/template.h"
#include "ui/widgets/text.h"

#include <gtksourceview/gtksource.h>

#define PROMPT "> "
#define CONTINUATION "  "
#define BUSY_MS 400

struct _GobanConsoleView
{
  GtkWidget parent;

  GobanConsoleEvaluator *evaluator; /* (nullable) */
  GobanConsoleHistory *history;
  gboolean running;
  gboolean is_busy;          /* the evaluator works without an evaluation */
  guint busy_id;             /* until Stop is shown for that */
  gboolean is_script;        /* what runs, or ran last */
  gboolean walking;          /* the input is being replaced from the history */
  gboolean has_language;     /* the input is highlighted as the evaluator's language */
  gboolean has_said_unsaved; /* that the history cannot be saved */

  GtkWidget *output;
  GtkWidget *input;
  GtkTextBuffer *buffer; /* the input's */
  GtkWidget *stop;
  GtkWidget *progress;
  GobanCompletion *completion;
  GobanHistorySearch *search;
};

G_DEFINE_FINAL_TYPE (GobanConsoleView, goban_console_view, GTK_TYPE_WIDGET)

static GobanConsoleOutput *
output (GobanConsoleView *self)
{
  return GOBAN_CONSOLE_OUTPUT (self->output);
}

/* --- the input's text ------------------------------------------------------------------- */

static void
set_input (GobanConsoleView *self, const char *text)
{
  GtkTextIter end;

  gtk_text_buffer_set_text (self->buffer, text, -1);
  gtk_text_buffer_get_end_iter (self->buffer, &end);
  gtk_text_buffer_place_cursor (self->buffer, &end);
}

/* Reading how a language is highlighted takes 20 ms: not before there is something to highlight. */
static void
adopt_language (GobanConsoleView *self)
{
  const char *id = goban_console_evaluator_get_language (self->evaluator);

  self->has_language = TRUE;
  gtk_source_buffer_set_language (
      GTK_SOURCE_BUFFER (self->buffer),
      gtk_source_language_manager_get_language (gtk_source_language_manager_get_default (), id));
}

static void
changed_cb (GobanConsoleView *self)
{
  if (!self->has_language && self->evaluator != NULL)
    adopt_language (self);
  if (!self->walking)
    goban_console_history_reset (self->history);
}

static void
show_from_history (GobanConsoleView *self, const char *text)
{
  self->walking = TRUE;
  set_input (self, text);
  self->walking = FALSE;
}

/* --- running ------------------------------------------------------------------------------ */

static void
show_stop (GobanConsoleView *self, gboolean is_shown, gboolean is_stopping)
{
  gtk_widget_set_visible (self->stop, is_shown);
  gtk_button_set_label (GTK_BUTTON (self->stop), is_stopping ? _ ("Stopping…") : _ ("Stop"));
  goban_set_tooltip (self->stop,
                     is_stopping ? _ ("The script ends when the call that it is in has returned")
                                 : _ ("Stop the running script (Ctrl+C)"));
}

static void
set_running (GobanConsoleView *self, gboolean running)
{
  if (self->running == running)
    return;
  self->running = running;
  show_stop (self, running, FALSE);
  if (running || !self->is_busy)
    g_clear_handle_id (&self->busy_id, g_source_remove);
  goban_show_progress (self->progress, -1, NULL);
  g_signal_emit_by_name (self, "running", running);
}

static void
show_outcome (GobanConsoleView *self, const char *text, const GError *error)
{
  goban_console_output_end_line (output (self));
  if (error != NULL)
    goban_console_output_append (output (self), GOBAN_CONSOLE_ERROR, error->message);
  else
    goban_console_output_append (output (self), GOBAN_CONSOLE_RESULT, text);
  goban_console_output_end_line (output (self));
}

static void
evaluated_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GobanConsoleView) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autofree char *text
      = goban_console_evaluator_evaluate_finish (GOBAN_CONSOLE_EVALUATOR (source), result, &error);

  /* The pane may be gone, or have another evaluator by now. */
  if ((gpointer) self->evaluator != (gpointer) source)
    return;

  show_outcome (self, text, error);
  set_running (self, FALSE);
  if (self->is_script)
    g_signal_emit_by_name (self, "script-ended", error != NULL ? error->message : NULL);
}

static void
echo (GobanConsoleView *self, const char *text)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  g_autofree char *joined = g_strjoinv ("\n" CONTINUATION, lines);
  guint number = goban_console_evaluator_get_number (self->evaluator);
  g_autofree char *prompt
      = number > 0 ? g_strdup_printf ("[%u]" PROMPT, number) : g_strdup (PROMPT);
  g_autofree char *shown = g_strconcat (prompt, joined, "\n", NULL);

  goban_console_output_end_line (output (self));
  goban_console_output_append (output (self), GOBAN_CONSOLE_INPUT, shown);
}

/* The next line tries again. A failure is reported once. */
static void
save_history (GobanConsoleView *self)
{
  g_autoptr (GError) error = NULL;

  if (goban_console_history_save (self->history, &error) || self->has_said_unsaved)
    return;
  self->has_said_unsaved = TRUE;
  goban_console_output_end_line (output (self));
  goban_console_output_append (output (self), GOBAN_CONSOLE_ERROR, error->message);
  goban_console_output_end_line (output (self));
}

static void
run (GobanConsoleView *self)
{
  g_autofree char *text = NULL;

  text = goban_dup_buffer_text (self->buffer);
  if (self->evaluator == NULL || self->running || *g_strstrip (text) == '\0')
    return;

  goban_console_history_add (self->history, text);
  save_history (self);
  echo (self, text);
  set_input (self, "");
  self->is_script = FALSE;
  set_running (self, TRUE);
  goban_console_evaluator_evaluate_async (self->evaluator, text, evaluated_cb, g_object_ref (self));
}

gboolean
goban_console_view_run_script (GobanConsoleView *self, const GobanConsoleScript *script)
{
  g_autofree char *line = NULL;

  g_return_val_if_fail (GOBAN_IS_CONSOLE_VIEW (self), FALSE);

  if (self->evaluator == NULL || self->running)
    return FALSE;
  line = g_strdup_printf ("-- %s\n", script->name);
  goban_console_output_end_line (output (self));
  goban_console_output_append (output (self), GOBAN_CONSOLE_INPUT, line);
  self->is_script = TRUE;
  set_running (self, TRUE);
  goban_console_evaluator_evaluate_script_async (self->evaluator, script, evaluated_cb,
                                                 g_object_ref (self));
  return TRUE;
}

void
goban_console_view_interrupt (GobanConsoleView *self)
{
  g_return_if_fail (GOBAN_IS_CONSOLE_VIEW (self));

  if (!self->running && !self->is_busy)
    return;
  show_stop (self, TRUE, TRUE); /* at once: a call of C may take a while */
  goban_console_evaluator_interrupt (self->evaluator);
}

/* Enter in the middle of something opens a line; after it, it runs. */
static gboolean
run_or_continue (GobanConsoleView *self)
{
  g_autofree char *text = goban_dup_buffer_text (self->buffer);

  if (self->evaluator != NULL && !goban_console_evaluator_is_complete (self->evaluator, text))
    return FALSE;

  run (self);
  return TRUE;
}

gboolean
goban_console_view_is_running (GobanConsoleView *self)
{
  g_return_val_if_fail (GOBAN_IS_CONSOLE_VIEW (self), FALSE);

  return self->running;
}

/* --- completion, history and help ------------------------------------------------------------ */

void
goban_console_view_search_history (GobanConsoleView *self)
{
  g_autofree char *text = goban_dup_buffer_text (self->buffer);

  g_return_if_fail (GOBAN_IS_CONSOLE_VIEW (self));

  goban_history_search_start (self->search, text);
}

static void
found_cb (GobanConsoleView *self, const char *text)
{
  show_from_history (self, text);
  gtk_widget_grab_focus (self->input);
}

gboolean
goban_console_view_help (GobanConsoleView *self)
{
  g_autofree char *text = NULL;
  g_autofree char *help = NULL;

  g_return_val_if_fail (GOBAN_IS_CONSOLE_VIEW (self), FALSE);
  if (self->evaluator == NULL)
    return FALSE;

  text = goban_dup_buffer_text (self->buffer);
  help = goban_console_evaluator_help (self->evaluator, text,
                                       goban_get_buffer_cursor (self->buffer));
  if (help == NULL)
    return FALSE;
  goban_console_output_end_line (output (self));
  goban_console_output_append (output (self), GOBAN_CONSOLE_LOG, help);
  goban_console_output_end_line (output (self));
  return TRUE;
}

/* --- keys ----------------------------------------------------------------------------------- */

static gboolean
is_on_edge_line (GobanConsoleView *self, gboolean first)
{
  GtkTextIter cursor;
  int line;

  gtk_text_buffer_get_iter_at_mark (self->buffer, &cursor,
                                    gtk_text_buffer_get_insert (self->buffer));
  line = gtk_text_iter_get_line (&cursor);
  return line == (first ? 0 : gtk_text_buffer_get_line_count (self->buffer) - 1);
}

static gboolean
walk_history (GobanConsoleView *self, gboolean older)
{
  g_autofree char *text = NULL;
  const char *entry;

  if (!is_on_edge_line (self, older))
    return FALSE;

  text = goban_dup_buffer_text (self->buffer);
  entry = older ? goban_console_history_older (self->history, text)
                : goban_console_history_newer (self->history);
  if (entry != NULL)
    show_from_history (self, entry);
  return TRUE;
}

/* Tab at the beginning of a line indents; after a word it completes. */
static gboolean
is_after_word (GobanConsoleView *self)
{
  GtkTextIter cursor;

  gtk_text_buffer_get_iter_at_mark (self->buffer, &cursor,
                                    gtk_text_buffer_get_insert (self->buffer));
  return gtk_text_iter_backward_char (&cursor)
         && !g_unichar_isspace (gtk_text_iter_get_char (&cursor));
}

static gboolean
has_selection (GobanConsoleView *self)
{
  return gtk_text_buffer_get_has_selection (self->buffer)
         || goban_console_output_has_selection (output (self));
}

static gboolean
handle_control (GobanConsoleView *self, guint keyval)
{
  switch (keyval)
    {
    case GDK_KEY_l:
      goban_console_output_clear (output (self));
      return TRUE;
    case GDK_KEY_Up:
      return goban_console_output_focus_previous (output (self));
    case GDK_KEY_Down:
      return gtk_widget_grab_focus (self->input);
    case GDK_KEY_r:
      goban_console_view_search_history (self);
      return TRUE;
    case GDK_KEY_space:
      goban_completion_start (self->completion);
      return TRUE;
    case GDK_KEY_c:
      if (!(self->running || self->is_busy) || has_selection (self))
        return FALSE;
      goban_console_view_interrupt (self);
      return TRUE;
    default:
      return FALSE;
    }
}

static gboolean
input_key_cb (GtkEventControllerKey *controller, guint keyval, guint keycode,
              GdkModifierType modifiers, GobanConsoleView *self)
{
  if (goban_completion_handle_key (self->completion, keyval, modifiers))
    return TRUE;
  if ((modifiers & GDK_CONTROL_MASK) != 0)
    return handle_control (self, keyval);
  if ((modifiers & (GDK_SHIFT_MASK | GDK_ALT_MASK)) != 0)
    return FALSE;

  switch (keyval)
    {
    case GDK_KEY_Return:
    case GDK_KEY_KP_Enter:
      return run_or_continue (self);
    case GDK_KEY_Up:
      return walk_history (self, TRUE);
    case GDK_KEY_Down:
      return walk_history (self, FALSE);
    case GDK_KEY_Tab:
      if (!is_after_word (self))
        return FALSE;
      goban_completion_start (self->completion);
      return TRUE;
    default:
      return FALSE;
    }
}

/* Typing in the output is meant for the prompt. */
static gboolean
output_key_cb (GtkEventControllerKey *controller, guint keyval, guint keycode,
               GdkModifierType modifiers, gpointer user_data)
{
  GobanConsoleView *self = user_data;
  gunichar c = gdk_keyval_to_unicode (keyval);
  char text[8] = "";

  if ((modifiers & GDK_CONTROL_MASK) != 0)
    return handle_control (self, keyval);
  if ((modifiers & GDK_ALT_MASK) != 0 || c == 0 || !g_unichar_isprint (c))
    return FALSE;

  g_unichar_to_utf8 (c, text);
  gtk_widget_grab_focus (self->input);
  gtk_text_buffer_insert_at_cursor (self->buffer, text, -1);
  return TRUE;
}

static void
follow_cb (GobanConsoleView *self, gpointer reference)
{
  if (self->evaluator != NULL)
    goban_console_evaluator_follow (self->evaluator, reference);
}

static gboolean
goban_console_view_grab_focus (GtkWidget *widget)
{
  return gtk_widget_grab_focus (GOBAN_CONSOLE_VIEW (widget)->input);
}

static void
goban_console_view_dispose (GObject *object)
{
  GobanConsoleView *self = GOBAN_CONSOLE_VIEW (object);

  goban_console_view_set_evaluator (self, NULL);
  g_clear_handle_id (&self->busy_id, g_source_remove);
  if (self->completion != NULL)
    gtk_widget_unparent (GTK_WIDGET (self->completion));
  self->completion = NULL;
  if (self->search != NULL)
    gtk_widget_unparent (GTK_WIDGET (self->search));
  self->search = NULL;
  goban_remove_children (GTK_WIDGET (self));

  G_OBJECT_CLASS (goban_console_view_parent_class)->dispose (object);
}

static void
goban_console_view_finalize (GObject *object)
{
  GobanConsoleView *self = GOBAN_CONSOLE_VIEW (object);

  if (self->history != NULL)
    goban_console_history_save (self->history, NULL); /* too late to report the error */
  g_clear_pointer (&self->history, goban_console_history_free);

  G_OBJECT_CLASS (goban_console_view_parent_class)->finalize (object);
}

static void
goban_console_view_class_init (GobanConsoleViewClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = goban_console_view_dispose;
  G_OBJECT_CLASS (klass)->finalize = goban_console_view_finalize;
  widget_class->focus = goban_focus_group_enter;
  widget_class->grab_focus = goban_console_view_grab_focus;
  gtk_widget_class_set_css_name (widget_class, "console");
  goban_signal_add (klass, "running", 1, G_TYPE_BOOLEAN);
  goban_signal_add (klass, "script-ended", 1, G_TYPE_STRING);
  g_type_ensure (GOBAN_TYPE_CONSOLE_OUTPUT);
  g_type_ensure (GTK_SOURCE_TYPE_VIEW);
  goban_template_set (widget_class, "console/console-view.ui");
  GOBAN_TEMPLATE_CHILDREN (widget_class, GobanConsoleView, output, input, stop, progress);
  GOBAN_TEMPLATE_CALLBACKS (widget_class, follow_cb, input_key_cb, goban_console_view_interrupt);
}

static void
goban_console_view_init (GobanConsoleView *self)
{
  goban_template_init (GTK_WIDGET (self));
  self->buffer = gtk_text_view_get_buffer (GTK_TEXT_VIEW (self->input));
  self->completion = goban_completion_new (GTK_TEXT_VIEW (self->input));
  g_signal_connect_swapped (self->buffer, "changed", G_CALLBACK (changed_cb), self);
  goban_watch_keys (GTK_WIDGET (goban_console_output_get_view (output (self))), GTK_PHASE_CAPTURE,
                    G_CALLBACK (output_key_cb), self);
}

GtkWidget *
goban_console_view_new (const char *history_path)
{
  GobanConsoleView *self = g_object_new (GOBAN_TYPE_CONSOLE_VIEW, NULL);

  self->history = goban_console_history_new (history_path);
  self->search = goban_history_search_new (self->input, self->history);
  g_signal_connect_swapped (self->search, "chosen", G_CALLBACK (found_cb), self);
  return GTK_WIDGET (self);
}

static void
output_cb (GobanConsoleEvaluator *evaluator, int kind, const char *text, GobanConsoleView *self)
{
  /* Changes by a script are in the script; the log has those by the mouse. */
  if (kind == GOBAN_CONSOLE_LOG && self->running)
    return;
  if (kind >= 0 && kind < GOBAN_N_CONSOLE_KINDS)
    goban_console_output_append (output (self), (GobanConsoleKind) kind, text);
}

static void
exhibit_cb (GobanConsoleEvaluator *evaluator, const GobanExhibit *exhibit, GobanConsoleView *self)
{
  goban_console_output_show (output (self), exhibit);
}

static void
progress_cb (GobanConsoleEvaluator *evaluator, double fraction, const char *text,
             GobanConsoleView *self)
{
  goban_show_progress (self->progress, fraction, text);
}

static gboolean
busy_for_long_cb (gpointer user_data)
{
  GobanConsoleView *self = user_data;

  self->busy_id = 0;
  show_stop (self, TRUE, FALSE);
  return G_SOURCE_REMOVE;
}

/* The functions of a slider end before they could be stopped: a button would only flicker. */
static void
busy_cb (GobanConsoleEvaluator *evaluator, gboolean is_busy, GobanConsoleView *self)
{
  self->is_busy = is_busy;
  g_clear_handle_id (&self->busy_id, g_source_remove);
  if (is_busy)
    self->busy_id = g_timeout_add (BUSY_MS, busy_for_long_cb, self);
  else if (!self->running)
    show_stop (self, FALSE, FALSE);
}

static void
greet (GobanConsoleView *self)
{
  const char *greeting = goban_console_evaluator_get_greeting (self->evaluator);

  if (greeting != NULL)
    {
      goban_console_output_append (output (self), GOBAN_CONSOLE_LOG, greeting);
      goban_console_output_end_line (output (self));
    }
}

void
goban_console_view_set_evaluator (GobanConsoleView *self, GobanConsoleEvaluator *evaluator)
{
  g_return_if_fail (GOBAN_IS_CONSOLE_VIEW (self));

  if (self->evaluator == evaluator)
    return;

  if (self->evaluator != NULL)
    {
      goban_console_view_interrupt (self);
      g_signal_handlers_disconnect_by_data (self->evaluator, self);
      set_running (self, FALSE);
    }
  g_set_object (&self->evaluator, evaluator);
  if (self->completion != NULL)
    goban_completion_set_evaluator (self->completion, evaluator);
  if (evaluator != NULL)
    {
      g_signal_connect (evaluator, "output", G_CALLBACK (output_cb), self);
      g_signal_connect (evaluator, "exhibit", G_CALLBACK (exhibit_cb), self);
      g_signal_connect (evaluator, "progress", G_CALLBACK (progress_cb), self);
      g_signal_connect (evaluator, "busy", G_CALLBACK (busy_cb), self);
      GOBAN_CONNECT (evaluator, "inputs", goban_console_output_set_inputs, output (self));
      self->has_language = FALSE;
      greet (self);
    }
}

void
goban_console_view_set_theme (GobanConsoleView *self, GobanTheme theme)
{
  GtkSourceStyleSchemeManager *manager = gtk_source_style_scheme_manager_get_default ();

  g_return_if_fail (GOBAN_IS_CONSOLE_VIEW (self));

  gtk_source_buffer_set_style_scheme (
      GTK_SOURCE_BUFFER (self->buffer),
      gtk_source_style_scheme_manager_get_scheme (
          manager, goban_theme_is_dark (theme) ? "Adwaita-dark" : "Adwaita"));
  goban_console_output_set_theme (output (self), theme);
}

GobanConsoleOutput *
goban_console_view_get_output (GobanConsoleView *self)
{
  g_return_val_if_fail (GOBAN_IS_CONSOLE_VIEW (self), NULL);

  return output (self);
}
