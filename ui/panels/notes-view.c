#include "ui/panels/notes-view.h"

#include "engine/core/i18n.h"
#include "engine/session/document/session-file.h"
#include "engine/session/session-log.h"
#include "engine/session/session-marks.h"
#include "engine/session/session-runs.h"
#include "ui/widgets/focus-group.h"
#include "ui/widgets/template.h"
#include "ui/widgets/text.h"
#include "ui/widgets/theme.h"

#include <gtksourceview/gtksource.h>
#include <string.h>

#define PLAN "plan:"

static void
clear_name (GobanNoteName *self)
{
  g_clear_pointer (&self->name, g_free);
}

static gboolean
is_of_word (gunichar c)
{
  return g_unichar_isalnum (c) || strchr ("/_.:-#@$^%", (int) (c < 128 ? c : ' ')) != NULL;
}

/* End of "[[", at @at: after "]]" on the same line, or NULL. */
static const char *
find_closing (const char *at)
{
  const char *end = strstr (at + 2, "]]");
  const char *line = strchr (at, '\n');

  return end != NULL && end > at + 2 && (line == NULL || end < line) ? end + 2 : NULL;
}

static void
add_bracketed (GArray *names, const char *text, const char *at, const char *end)
{
  GobanNoteName name = { (gsize) (at - text), (gsize) (end - text), NULL, FALSE, TRUE };
  g_autofree char *inner = g_strndup (at + 2, (gsize) (end - at) - 4);

  name.is_plan = g_str_has_prefix (inner, PLAN);
  name.name = g_strdup (name.is_plan ? inner + strlen (PLAN) : inner);
  g_array_append_val (names, name);
}

static void
add_word (GArray *names, const char *text, const char *at, const char *end)
{
  GobanNoteName name = { .from = (gsize) (at - text) };
  gsize skip;

  while (end > at && strchr (".:-", end[-1]) != NULL)
    end--;
  name.is_plan = (gsize) (end - at) > strlen (PLAN) && g_str_has_prefix (at, PLAN);
  skip = name.is_plan ? strlen (PLAN) : 0;
  if (end == at)
    return;
  name.to = (gsize) (end - text);
  name.name = g_strndup (at + skip, (gsize) (end - at) - skip);
  g_array_append_val (names, name);
}

GArray *
goban_note_names (const char *text)
{
  GArray *names = g_array_new (FALSE, FALSE, sizeof (GobanNoteName));
  const char *at = text;

  g_array_set_clear_func (names, (GDestroyNotify) clear_name);
  while (*at != '\0')
    {
      const char *end = g_str_has_prefix (at, "[[") ? find_closing (at) : NULL;

      if (end != NULL)
        add_bracketed (names, text, at, end);
      else
        {
          for (end = at; *end != '\0' && is_of_word (g_utf8_get_char (end));)
            end = g_utf8_next_char (end);
          if (end > at)
            add_word (names, text, at, end);
          else
            end = g_utf8_next_char (at);
        }
      at = end;
    }
  return names;
}

#define REST_MS 400
/* Who writes without a rest loses less than a second of it in a crash. */
#define DRAFT_MS 300
/* Longer texts show no links: looking for them takes a millisecond per 20,000 words. */
#define MOST_LINKED_BYTES 200000

/* Longer notes are shown in part, and not edited. */
static const GobanTextBounds bounds = { 400000, 10000 };

/* Target of a link; one of the two is set. */
typedef struct
{
  GobanNodeId node; /* or GOBAN_NO_NODE */
  GobanRun *run;    /* borrowed, (nullable) */
} Target;

struct _GobanNotesView
{
  GtkWidget parent;

  GobanSession *session;
  GtkWidget *view;
  GtkTextBuffer *buffer;
  GtkWidget *part;    /* shown if the view has the beginning alone */
  GtkWidget *nothing; /* shown while there is no text */
  GtkTextTag *link;
  GArray *names;      /* GobanNoteName, of the text as it was last looked through */
  guint rest_id;      /* typed text is stored after a pause */
  guint draft_id;     /* or 0 */
  gboolean is_taking; /* the text is being replaced by the session's */
};

G_DEFINE_FINAL_TYPE (GobanNotesView, goban_notes_view, GTK_TYPE_WIDGET)

/* --- links ------------------------------------------------------------------------------------ */

static GobanRun *
find_run (GobanNotesView *self, const char *name)
{
  GListModel *runs = goban_session_get_runs (self->session);

  for (guint i = 0; i < g_list_model_get_n_items (runs); i++)
    {
      GobanRun *run = goban_run_list_get (runs, i);

      if (g_str_equal (goban_run_get_name (run), name))
        return run;
    }
  return NULL;
}

static gboolean
resolve (GobanNotesView *self, const GobanNoteName *name, Target *link)
{
  GobanGraph *graph = goban_session_get_graph (self->session);

  *link = (Target){ GOBAN_NO_NODE, NULL };
  if (name->is_plan)
    link->run = find_run (self, name->name);
  else if (graph != NULL)
    link->node = goban_graph_find_node (graph, name->name);
  return link->run != NULL || link->node != GOBAN_NO_NODE;
}

static void
mark_links (GobanNotesView *self)
{
  g_autofree char *text = goban_dup_buffer_text (self->buffer);
  GtkTextIter start, end;
  Target link;

  g_clear_pointer (&self->names, g_array_unref);
  gtk_text_buffer_get_bounds (self->buffer, &start, &end);
  gtk_text_buffer_remove_tag (self->buffer, self->link, &start, &end);
  if (strlen (text) > MOST_LINKED_BYTES)
    return;

  self->names = goban_note_names (text);
  for (guint i = 0; i < self->names->len; i++)
    {
      const GobanNoteName *name = &g_array_index (self->names, GobanNoteName, i);

      if (!resolve (self, name, &link))
        continue;
      gtk_text_buffer_get_iter_at_offset (self->buffer, &start,
                                          (int) g_utf8_pointer_to_offset (text, text + name->from));
      gtk_text_buffer_get_iter_at_offset (self->buffer, &end,
                                          (int) g_utf8_pointer_to_offset (text, text + name->to));
      gtk_text_buffer_apply_tag (self->buffer, self->link, &start, &end);
    }
}

/* @offset: in characters. FALSE if there is no link. */
static gboolean
find_link (GobanNotesView *self, int offset, Target *link)
{
  g_autofree char *text = NULL;
  gsize at;

  *link = (Target){ GOBAN_NO_NODE, NULL };
  if (self->names == NULL || offset < 0 || offset > gtk_text_buffer_get_char_count (self->buffer))
    return FALSE;
  text = goban_dup_buffer_text (self->buffer);
  at = (gsize) (g_utf8_offset_to_pointer (text, offset) - text);
  for (guint i = 0; i < self->names->len; i++)
    {
      const GobanNoteName *name = &g_array_index (self->names, GobanNoteName, i);

      if (at >= name->from && at <= name->to && resolve (self, name, link))
        return TRUE;
    }
  return FALSE;
}

static gboolean
follow (GobanNotesView *self, int offset)
{
  Target link;
  g_autoptr (GobanSelection) one = NULL;

  if (!find_link (self, offset, &link))
    return FALSE;

  if (link.run != NULL)
    {
      goban_session_set_current_run (self->session, link.run);
      return TRUE;
    }
  one = goban_selection_new (&link.node, 1);
  goban_session_set_selection (self->session, one);
  goban_session_zoom (self->session, "selection");
  return TRUE;
}

/* --- the session ------------------------------------------------------------------------------ */

void
goban_notes_view_flush (GobanNotesView *self)
{
  g_autofree char *text = NULL;

  g_return_if_fail (GOBAN_IS_NOTES_VIEW (self));

  if (self->rest_id == 0)
    return;
  g_clear_handle_id (&self->rest_id, g_source_remove);
  g_clear_handle_id (&self->draft_id, g_source_remove);
  text = goban_dup_buffer_text (self->buffer);
  goban_session_set_notes (self->session, text);
}

static gboolean
draft_cb (gpointer user_data)
{
  GobanNotesView *self = user_data;
  g_autofree char *text = goban_dup_buffer_text (self->buffer);

  self->draft_id = 0;
  goban_session_draft_notes (self->session, text);
  return G_SOURCE_REMOVE;
}

static gboolean
rested_cb (gpointer user_data)
{
  GobanNotesView *self = user_data;

  mark_links (self);
  goban_notes_view_flush (self);
  return G_SOURCE_REMOVE;
}

static void
typed_cb (GobanNotesView *self)
{
  gtk_widget_set_visible (self->nothing, gtk_text_buffer_get_char_count (self->buffer) == 0);
  if (self->is_taking)
    return;
  g_clear_handle_id (&self->rest_id, g_source_remove);
  self->rest_id = g_timeout_add (REST_MS, rested_cb, self);
  if (self->draft_id == 0)
    self->draft_id = g_timeout_add (DRAFT_MS, draft_cb, self);
}

/* GTK takes seconds to insert megabytes that are pasted. */
static void
inserting_cb (GtkTextBuffer *buffer, GtkTextIter *at, const char *text, int n_bytes,
              GobanNotesView *self)
{
  if (self->is_taking
      || (gsize) gtk_text_buffer_get_char_count (buffer) + (gsize) n_bytes <= bounds.max_bytes)
    return;
  g_signal_stop_emission_by_name (buffer, "insert-text");
  goban_session_say (self->session, TRUE,
                     _ ("The text is too long for notes: paste at most %d characters"),
                     (int) bounds.max_bytes);
}

/* The session's text is another: a file was opened, or a script has written. */
static void
take_notes (GobanNotesView *self)
{
  const char *notes = goban_session_get_notes (self->session);
  gsize n_shown = goban_find_cut (notes, &bounds);
  g_autofree char *shown = g_strndup (notes, n_shown);
  g_autofree char *text = goban_dup_buffer_text (self->buffer);
  gboolean is_whole = notes[n_shown] == '\0';

  gtk_text_view_set_editable (GTK_TEXT_VIEW (self->view),
                              is_whole && goban_session_get_graph (self->session) != NULL);
  gtk_widget_set_visible (self->part, !is_whole);
  if (!g_str_equal (text, shown))
    {
      g_clear_handle_id (&self->rest_id, g_source_remove);
      g_clear_handle_id (&self->draft_id, g_source_remove);
      self->is_taking = TRUE;
      gtk_text_buffer_set_text (self->buffer, shown, -1);
      self->is_taking = FALSE;
    }
  mark_links (self);
}

static void
save_cb (GobanNotesView *self)
{
  g_signal_emit_by_name (self, "save", goban_session_get_notes (self->session));
}

/* --- pointer and keys ------------------------------------------------------------------------- */

static int
offset_at (GobanNotesView *self, double x, double y)
{
  GtkTextIter iter;
  int buffer_x, buffer_y;

  gtk_text_view_window_to_buffer_coords (GTK_TEXT_VIEW (self->view), GTK_TEXT_WINDOW_WIDGET,
                                         (int) x, (int) y, &buffer_x, &buffer_y);
  if (!gtk_text_view_get_iter_at_location (GTK_TEXT_VIEW (self->view), &iter, buffer_x, buffer_y))
    return -1;
  return gtk_text_iter_get_offset (&iter);
}

/* A click that selects text does not follow a link. */
static void
released_cb (GtkGestureClick *gesture, int n_press, double x, double y, GobanNotesView *self)
{
  if (n_press == 1 && !gtk_text_buffer_get_has_selection (self->buffer))
    follow (self, offset_at (self, x, y));
}

static void
motion_cb (GtkEventControllerMotion *controller, double x, double y, GobanNotesView *self)
{
  Target link;
  gboolean is_link = find_link (self, offset_at (self, x, y), &link);

  gtk_widget_set_cursor_from_name (self->view, is_link ? "pointer" : "text");
}

/* Ctrl+Enter follows the link at the cursor. */
static gboolean
key_cb (GtkEventControllerKey *controller, guint keyval, guint keycode, GdkModifierType state,
        GobanNotesView *self)
{
  GtkTextIter cursor;

  if ((keyval != GDK_KEY_Return && keyval != GDK_KEY_KP_Enter)
      || (state & gtk_accelerator_get_default_mod_mask ()) != GDK_CONTROL_MASK)
    return GDK_EVENT_PROPAGATE;
  gtk_text_buffer_get_iter_at_mark (self->buffer, &cursor,
                                    gtk_text_buffer_get_insert (self->buffer));
  return follow (self, gtk_text_iter_get_offset (&cursor));
}

/* --- the widget ------------------------------------------------------------------------------- */

/* The colours of highlighting that go with those of the window. */
static void
follow_theme (GobanNotesView *self)
{
  gboolean is_dark = goban_theme_is_dark (goban_theme_of (GTK_WIDGET (self)));
  GtkSourceStyleScheme *scheme;

  scheme = gtk_source_style_scheme_manager_get_scheme (
      gtk_source_style_scheme_manager_get_default (), is_dark ? "Adwaita-dark" : "Adwaita");
  gtk_source_buffer_set_style_scheme (GTK_SOURCE_BUFFER (self->buffer), scheme);
  g_object_set (self->link, "foreground", is_dark ? "#78aeed" : "#1a5fb4", NULL);
}

/* Reading how Markdown is highlighted, and with it HTML and its embedded languages, takes 100 ms:
 * not before notes are seen. */
/* The text is where somebody who comes to the notes writes. */
static gboolean
goban_notes_view_grab_focus (GtkWidget *widget)
{
  return gtk_widget_grab_focus (GOBAN_NOTES_VIEW (widget)->view);
}

static void
goban_notes_view_map (GtkWidget *widget)
{
  GtkSourceBuffer *buffer = GTK_SOURCE_BUFFER (GOBAN_NOTES_VIEW (widget)->buffer);

  if (gtk_source_buffer_get_language (buffer) == NULL)
    gtk_source_buffer_set_language (buffer,
                                    gtk_source_language_manager_get_language (
                                        gtk_source_language_manager_get_default (), "markdown"));
  GTK_WIDGET_CLASS (goban_notes_view_parent_class)->map (widget);
}

static void
goban_notes_view_dispose (GObject *object)
{
  GobanNotesView *self = GOBAN_NOTES_VIEW (object);

  if (self->session != NULL)
    goban_notes_view_flush (self);
  g_clear_pointer (&self->names, g_array_unref);
  goban_remove_children (GTK_WIDGET (self));
  g_clear_object (&self->session);

  G_OBJECT_CLASS (goban_notes_view_parent_class)->dispose (object);
}

static void
goban_notes_view_class_init (GobanNotesViewClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = goban_notes_view_dispose;
  widget_class->map = goban_notes_view_map;
  widget_class->focus = goban_focus_group_enter;
  widget_class->grab_focus = goban_notes_view_grab_focus;
  gtk_widget_class_set_css_name (widget_class, "notes");
  goban_signal_add (klass, "save", 1, G_TYPE_STRING | G_SIGNAL_TYPE_STATIC_SCOPE);
  g_type_ensure (GTK_SOURCE_TYPE_BUFFER);
  g_type_ensure (GTK_SOURCE_TYPE_VIEW);
  goban_template_set (widget_class, "panels/notes-view.ui");
  GOBAN_TEMPLATE_CHILDREN (widget_class, GobanNotesView, view, buffer, part);
  GOBAN_TEMPLATE_CALLBACKS (widget_class, save_cb, typed_cb, inserting_cb, released_cb, motion_cb,
                            key_cb, goban_notes_view_flush);
}

static void
goban_notes_view_init (GobanNotesView *self)
{
  goban_template_init (GTK_WIDGET (self));
  self->link
      = gtk_text_buffer_create_tag (self->buffer, NULL, "underline", PANGO_UNDERLINE_SINGLE, NULL);
  self->nothing = gtk_label_new (
      _ ("Write notes here. Node names, [[names with spaces]] and plan:NAME become links."));
  gtk_widget_add_css_class (self->nothing, "note");
  gtk_widget_set_can_target (self->nothing, FALSE);
  gtk_text_view_add_overlay (GTK_TEXT_VIEW (self->view), self->nothing, 14, 0);
}

GtkWidget *
goban_notes_view_new (GobanSession *session)
{
  GobanNotesView *self = g_object_new (GOBAN_TYPE_NOTES_VIEW, NULL);

  self->session = g_object_ref (session);
  GOBAN_CONNECT (session, "notify::notes", take_notes, self);
  GOBAN_CONNECT (session, "notify::graph", take_notes, self);
  GOBAN_CONNECT (goban_session_get_runs (session), "items-changed", mark_links, self);
  goban_theme_follow (GTK_WIDGET (self), G_CALLBACK (follow_theme));
  take_notes (self);
  return GTK_WIDGET (self);
}
