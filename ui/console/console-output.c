#include "ui/console/console-output.h"

#include "engine/core/i18n.h"
#include "engine/core/quantity.h"
#include "ui/console/figure-view.h"
#include "ui/console/sortable-table.h"
#include "ui/widgets/template.h"
#include "ui/widgets/text.h"
#include "ui/widgets/theme.h"

#include <string.h>

#define BATCH_MS 50
/* Size of a plot or a table among the text, in pixels. */
#define MAX_FIGURE_WIDTH 640
#define TABLE_WIDTH 900
#define NUMBER_WIDTH 120
#define CELL_PADDING 24
#define MEASURED_ROWS 100
#define MIN_WIDTH 240
#define MAX_FIGURE_HEIGHT 320
#define MIN_FIGURE_HEIGHT 190
/* Least height of the output once it has shown one. */
#define MIN_HEIGHT 210

/* Longest part of one text: its beginning, and as much of its end. */
static const GobanTextBounds bounds = { 100 * 1024, GOBAN_CONSOLE_MAX_LINES / 2 };

typedef struct
{
  GobanConsoleKind kind;
  char *text;
} Piece;

struct _GobanConsoleOutput
{
  GtkWidget parent;

  GtkWidget *view;
  GtkTextBuffer *buffer; /* the view's */
  GtkTextTag *tags[GOBAN_N_CONSOLE_KINDS];
  GArray *pieces; /* Piece: appended, not shown yet */
  guint batch_id;
  guint fit_id;     /* the widgets among the text get another width */
  gsize line_bytes; /* of the last line, for splitting */
  GobanConsoleKind line_kind;
  GPtrArray *shown; /* GtkWidget: plots and tables, kept by the view alone; NULL: gone */
  GobanTheme theme;
  guint64 stamp;        /* of the inputs of what is shown next */
  gboolean has_results; /* since the last line about inputs: they end at the mark "results" */
  gboolean is_behind;   /* the end was to be shown while the pane had no height */
};

G_DEFINE_FINAL_TYPE (GobanConsoleOutput, goban_console_output, GTK_TYPE_WIDGET)

static void
clear_piece (gpointer data)
{
  g_free (((Piece *) data)->text);
}

/* --- showing ------------------------------------------------------------------------------ */

static void
trim_to_limit (GobanConsoleOutput *self)
{
  int excess = gtk_text_buffer_get_line_count (self->buffer) - GOBAN_CONSOLE_MAX_LINES;
  GtkTextIter start, end;

  if (excess <= 0)
    return;

  gtk_text_buffer_get_start_iter (self->buffer, &start);
  gtk_text_buffer_get_iter_at_line (self->buffer, &end, excess);
  gtk_text_buffer_delete (self->buffer, &start, &end);
}

static gboolean
is_result (GobanConsoleKind kind)
{
  return kind == GOBAN_CONSOLE_RESULT || kind == GOBAN_CONSOLE_STDOUT;
}

static void
end_results (GobanConsoleOutput *self)
{
  GtkTextIter end;

  gtk_text_buffer_get_end_iter (self->buffer, &end);
  gtk_text_buffer_move_mark_by_name (self->buffer, "results", &end);
}

/* Without a height, GTK would take the line above the first one for the end. */
static void
scroll_to_end (GobanConsoleOutput *self)
{
  GtkAdjustment *height = gtk_scrollable_get_vadjustment (GTK_SCROLLABLE (self->view));

  self->is_behind = gtk_adjustment_get_page_size (height) < 1;
  if (self->is_behind)
    return;
  gtk_text_view_scroll_mark_onscreen (GTK_TEXT_VIEW (self->view),
                                      gtk_text_buffer_get_mark (self->buffer, "end"));
}

/* Inserts appended text now, not at the next frame. */
static void
flush (GobanConsoleOutput *self)
{
  GtkTextIter end;

  g_clear_handle_id (&self->batch_id, g_source_remove);
  if (self->pieces->len == 0)
    return;

  for (guint i = 0; i < self->pieces->len; i++)
    {
      const Piece *piece = &g_array_index (self->pieces, Piece, i);

      gtk_text_buffer_get_end_iter (self->buffer, &end);
      gtk_text_buffer_insert_with_tags (self->buffer, &end, piece->text, -1,
                                        self->tags[piece->kind], NULL);
      if (is_result (piece->kind))
        end_results (self);
    }
  g_array_set_size (self->pieces, 0);
  trim_to_limit (self);
  scroll_to_end (self);
}

static gboolean
batch_cb (gpointer user_data)
{
  GobanConsoleOutput *self = user_data;

  self->batch_id = 0;
  flush (self);
  return G_SOURCE_REMOVE;
}

/* --- appending ---------------------------------------------------------------------------- */

/* A long text without its middle, and a line that says so in its place. (transfer full) */
static char *
dup_in_bounds (const char *text)
{
  gsize head = goban_find_cut (text, &bounds);
  gsize n_bytes = head + strlen (text + head);
  gsize tail = goban_find_tail (text, n_bytes, &bounds);
  char size[GOBAN_QUANTITY_LEN];
  g_autofree char *line = NULL;
  g_autoptr (GString) both = NULL;

  if (head >= tail)
    return g_strdup (text);
  line = g_strdup_printf (
      _ ("… %s left out; app.write(\"FILE\", TEXT) writes the whole text to a file …"),
      goban_format_bytes (size, (double) (tail - head)));
  both = g_string_new_len (text, (gssize) head);
  g_string_append_printf (both, "\n%s\n", line);
  g_string_append_len (both, text + tail, (gssize) (n_bytes - tail));
  return g_string_free (g_steal_pointer (&both), FALSE);
}

/* Copies @text with a line end wherever a line would be too long; keeps line_bytes. */
static char *
split_lines (GobanConsoleOutput *self, const char *text)
{
  g_autofree char *valid = g_utf8_make_valid (text, -1);
  g_autoptr (GString) split = g_string_sized_new (strlen (valid) + 16);

  for (const char *p = valid; *p != '\0'; p = g_utf8_next_char (p))
    {
      gsize size = (gsize) (g_utf8_next_char (p) - p);

      if (self->line_bytes + size > GOBAN_CONSOLE_MAX_LINE_BYTES && *p != '\n')
        {
          g_string_append_c (split, '\n');
          self->line_bytes = 0;
        }
      g_string_append_len (split, p, (gssize) size);
      self->line_bytes = *p == '\n' ? 0 : self->line_bytes + size;
    }

  return g_string_free (g_steal_pointer (&split), FALSE);
}

/* A flood of pieces between two frames must not take all memory. */
static void
drop_flood (GobanConsoleOutput *self)
{
  if (self->pieces->len > 2 * GOBAN_CONSOLE_MAX_LINES)
    g_array_remove_range (self->pieces, 0, self->pieces->len - GOBAN_CONSOLE_MAX_LINES);
}

void
goban_console_output_append (GobanConsoleOutput *self, GobanConsoleKind kind, const char *text)
{
  g_autofree char *kept = NULL;
  Piece piece;

  g_return_if_fail (GOBAN_IS_CONSOLE_OUTPUT (self));
  g_return_if_fail (kind < GOBAN_N_CONSOLE_KINDS && text != NULL);

  if (*text == '\0')
    return;

  self->has_results |= is_result (kind);
  self->line_kind = kind;
  kept = dup_in_bounds (text);
  piece = (Piece){ kind, split_lines (self, kept) };
  g_array_append_val (self->pieces, piece);
  drop_flood (self);
  if (self->batch_id == 0)
    self->batch_id = g_timeout_add (BATCH_MS, batch_cb, self);
}

void
goban_console_output_end_line (GobanConsoleOutput *self)
{
  g_return_if_fail (GOBAN_IS_CONSOLE_OUTPUT (self));

  if (self->line_bytes > 0)
    goban_console_output_append (self, self->line_kind, "\n");
}

/* --- inputs ------------------------------------------------------------------------------- */

/* The inputs of a plot or table, as data of the widget. */
static void
set_stamp (GobanConsoleOutput *self, GtkWidget *widget)
{
  guint64 *stamp = g_new (guint64, 1);

  *stamp = self->stamp;
  g_object_set_data_full (G_OBJECT (widget), "stamp", stamp, g_free);
}

static void
mute (GtkWidget *widget, gboolean is_stale, const char *change)
{
  g_autofree char *text = is_stale ? g_strdup_printf (_ ("From before %s"), change) : NULL;

  if (is_stale)
    gtk_widget_add_css_class (widget, "stale");
  else
    gtk_widget_remove_css_class (widget, "stale");
  goban_set_tooltip (widget, text);
  gtk_accessible_update_property (GTK_ACCESSIBLE (widget), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                  is_stale ? text : "", -1);
}

static void
insert_change (GobanConsoleOutput *self, const char *change)
{
  g_autofree char *line = g_strdup_printf (_ ("↑ from before %s\n"), change);
  GtkTextIter at;

  goban_console_output_end_line (self);
  flush (self);
  gtk_text_buffer_get_iter_at_mark (self->buffer, &at,
                                    gtk_text_buffer_get_mark (self->buffer, "results"));
  if (!gtk_text_iter_starts_line (&at))
    gtk_text_iter_forward_line (&at);
  gtk_text_buffer_insert_with_tags (self->buffer, &at, line, -1, self->tags[GOBAN_CONSOLE_LOG],
                                    NULL);
  scroll_to_end (self);
}

void
goban_console_output_set_inputs (GobanConsoleOutput *self, guint64 stamp, const char *change)
{
  g_return_if_fail (GOBAN_IS_CONSOLE_OUTPUT (self));

  if (stamp == self->stamp)
    return;
  for (guint i = 0; i < self->shown->len; i++)
    {
      GtkWidget *widget = g_ptr_array_index (self->shown, i);
      guint64 *own = g_object_get_data (G_OBJECT (widget), "stamp");

      if (*change == '\0' && *own == self->stamp)
        *own = stamp;
      else if (*change != '\0')
        mute (widget, *own != stamp, change);
    }
  self->stamp = stamp;
  if (*change == '\0')
    return;
  if (self->has_results)
    insert_change (self, change);
  self->has_results = FALSE;
}

/* --- plots and tables --------------------------------------------------------------------- */

static void
gone_cb (gpointer data, GObject *widget)
{
  g_ptr_array_remove (((GobanConsoleOutput *) data)->shown, widget);
}

static void
forget_shown (GobanConsoleOutput *self)
{
  for (guint i = 0; i < self->shown->len; i++)
    g_object_weak_unref (g_ptr_array_index (self->shown, i), gone_cb, self);
  g_ptr_array_set_size (self->shown, 0);
}

static void
follow_cb (GobanConsoleOutput *self, gpointer reference)
{
  g_signal_emit_by_name (self, "follow", reference);
}

/* The plot or table of a slot that is still shown. */
static GtkWidget *
find_slot (GobanConsoleOutput *self, guint slot)
{
  for (guint i = 0; i < self->shown->len && slot != 0; i++)
    {
      GtkWidget *widget = g_ptr_array_index (self->shown, i);

      if (GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (widget), "slot")) == slot)
        return widget;
    }
  return NULL;
}

/* The longest text of a column, its heading among them, as far as a cell shows it. */
static int
count_chars (const GobanRecords *records, guint column)
{
  glong n = g_utf8_strlen (records->columns[column].name, -1);

  for (guint i = 0; i < MIN (records->n_rows, MEASURED_ROWS); i++)
    n = MAX (n, g_utf8_strlen (goban_records_get_text (records, column, i), -1));
  return (int) MIN (n, GOBAN_SORTABLE_TABLE_MAX_CHARS);
}

/* With texts as wide as they need. Numbers alone need no more than theirs, or they would be far
 * from their headings. */
static int
find_table_width (GtkWidget *view, const GobanRecords *records)
{
  PangoFontMetrics *metrics
      = pango_context_get_metrics (gtk_widget_get_pango_context (view), NULL, NULL);
  int char_width = PANGO_PIXELS_CEIL (pango_font_metrics_get_approximate_char_width (metrics));
  int width = 0;
  gboolean has_text = FALSE;

  pango_font_metrics_unref (metrics);
  for (guint c = 0; c < records->n_columns; c++)
    {
      width += count_chars (records, c) * char_width + CELL_PADDING;
      has_text |= !records->columns[c].is_number;
    }
  return has_text ? MAX (width, TABLE_WIDTH)
                  : MIN ((int) records->n_columns * NUMBER_WIDTH, TABLE_WIDTH);
}

/* As wide as the pane has room for. */
static void
set_width (GobanConsoleOutput *self, GtkWidget *widget, int most)
{
  int width = gtk_widget_get_width (self->view) - 40, height;

  gtk_widget_get_size_request (widget, NULL, &height);
  gtk_widget_set_size_request (widget, CLAMP (width, MIN (MIN_WIDTH, most), most), height);
}

static gboolean
fit_cb (gpointer user_data)
{
  GobanConsoleOutput *self = user_data;

  self->fit_id = 0;
  for (guint i = 0; i < self->shown->len; i++)
    {
      GtkWidget *widget = g_ptr_array_index (self->shown, i);

      if (widget != NULL)
        set_width (self, widget, GPOINTER_TO_INT (g_object_get_data (G_OBJECT (widget), "most")));
    }
  return G_SOURCE_REMOVE;
}

/* The pane has another width, in the midst of a layout, which takes no other sizes. */
static void
width_changed_cb (GobanConsoleOutput *self)
{
  if (self->fit_id == 0 && self->shown != NULL && self->shown->len > 0)
    self->fit_id = g_idle_add (fit_cb, self);
}

/* The width, and of a plot the height that the pane has room for. */
static void
set_size (GobanConsoleOutput *self, GtkWidget *widget, const GobanExhibit *exhibit)
{
  int height = gtk_widget_get_height (self->view) - 20;
  int most = exhibit->figure != NULL    ? MAX_FIGURE_WIDTH
             : exhibit->records != NULL ? find_table_width (self->view, exhibit->records)
                                        : TABLE_WIDTH;

  /* The pane makes room: a strip of a plot says nothing. */
  gtk_widget_set_size_request (GTK_WIDGET (self), -1, MIN_HEIGHT);
  if (exhibit->figure != NULL)
    height = CLAMP (height, MIN_FIGURE_HEIGHT, MAX_FIGURE_HEIGHT);
  else if (exhibit->rendering != NULL)
    height = (int) goban_rendering_get_height (exhibit->rendering);
  else
    height = -1;
  g_object_set_data (G_OBJECT (widget), "most", GINT_TO_POINTER (most));
  gtk_widget_set_size_request (widget, -1, height);
  set_width (self, widget, most);
}

static void
set_theme (GobanConsoleOutput *self, GtkWidget *widget)
{
  if (GOBAN_IS_FIGURE_VIEW (widget))
    goban_picture_set_theme (GOBAN_PICTURE (widget), self->theme);
  else if (GOBAN_IS_RENDERING_VIEW (widget))
    goban_rendering_view_draw (GOBAN_RENDERING_VIEW (widget), self->theme);
}

static GtkWidget *
new_widget (GobanConsoleOutput *self, const GobanExhibit *exhibit)
{
  GtkWidget *widget = exhibit->figure != NULL    ? goban_figure_view_new (exhibit->figure)
                      : exhibit->records != NULL ? goban_sortable_table_new (exhibit->records)
                                                 : goban_rendering_view_new (exhibit->rendering);

  set_size (self, widget, exhibit);
  set_theme (self, widget);
  set_stamp (self, widget);
  g_object_set_data (G_OBJECT (widget), "slot", GUINT_TO_POINTER (exhibit->slot));
  GOBAN_CONNECT (widget, "follow", follow_cb, self);
  return widget;
}

/* A figure in the place of a figure keeps its widget, so that nothing flickers; it comes into sight
 * if it is not. */
static gboolean
replace (GobanConsoleOutput *self, GtkWidget *widget, const GobanExhibit *exhibit)
{
  GtkTextIter at;

  if (widget == NULL || exhibit->figure == NULL || !GOBAN_IS_FIGURE_VIEW (widget))
    return FALSE;
  goban_figure_view_set_figure (GOBAN_FIGURE_VIEW (widget), exhibit->figure);
  set_stamp (self, widget);
  mute (widget, FALSE, NULL);
  gtk_text_buffer_get_iter_at_child_anchor (self->buffer, &at,
                                            g_object_get_data (G_OBJECT (widget), "anchor"));
  gtk_text_view_scroll_to_iter (GTK_TEXT_VIEW (self->view), &at, 0, FALSE, 0, 0);
  return TRUE;
}

static void
insert_widget (GobanConsoleOutput *self, const GobanExhibit *exhibit, GtkTextIter *at)
{
  GtkWidget *widget = new_widget (self, exhibit);
  GtkTextChildAnchor *anchor = gtk_text_buffer_create_child_anchor (self->buffer, at);

  g_object_set_data (G_OBJECT (widget), "anchor", anchor); /* lives as long as the widget */
  gtk_text_view_add_child_at_anchor (GTK_TEXT_VIEW (self->view), widget, anchor);
  g_object_weak_ref (G_OBJECT (widget), gone_cb, self);
  g_ptr_array_add (self->shown, widget);
}

/* @at: (out): its place */
static void
remove_shown (GobanConsoleOutput *self, GtkWidget *widget, GtkTextIter *at)
{
  GtkTextIter behind;

  gtk_text_buffer_get_iter_at_child_anchor (self->buffer, at,
                                            g_object_get_data (G_OBJECT (widget), "anchor"));
  behind = *at;
  gtk_text_iter_forward_char (&behind);
  gtk_text_buffer_delete (self->buffer, at, &behind);
}

void
goban_console_output_show (GobanConsoleOutput *self, const GobanExhibit *exhibit)
{
  GtkWidget *old;
  GtkTextIter end;

  g_return_if_fail (GOBAN_IS_CONSOLE_OUTPUT (self));
  g_return_if_fail (
      (exhibit->figure != NULL) + (exhibit->records != NULL) + (exhibit->rendering != NULL) == 1);

  self->has_results = TRUE;
  old = find_slot (self, exhibit->slot);
  if (replace (self, old, exhibit))
    return;
  goban_console_output_end_line (self);
  flush (self);
  if (old != NULL)
    {
      remove_shown (self, old, &end);
      insert_widget (self, exhibit, &end);
      return;
    }
  gtk_text_buffer_get_end_iter (self->buffer, &end);
  insert_widget (self, exhibit, &end);
  gtk_text_buffer_get_end_iter (self->buffer, &end);
  gtk_text_buffer_insert (self->buffer, &end, "\n", 1);
  end_results (self);
  scroll_to_end (self);
}

GobanFigure *
goban_console_output_get_figure (GobanConsoleOutput *self)
{
  GobanFigureView *last = NULL;

  g_return_val_if_fail (GOBAN_IS_CONSOLE_OUTPUT (self), NULL);

  for (guint i = 0; i < self->shown->len; i++)
    {
      GtkWidget *widget = g_ptr_array_index (self->shown, i);

      if (!GOBAN_IS_FIGURE_VIEW (widget))
        continue;
      last = GOBAN_FIGURE_VIEW (widget);
      if (gtk_widget_has_focus (widget))
        break;
    }
  return last != NULL ? goban_figure_view_get_figure (last) : NULL;
}

gboolean
goban_console_output_focus_previous (GobanConsoleOutput *self)
{
  GtkWidget *focus = gtk_root_get_focus (gtk_widget_get_root (GTK_WIDGET (self)));
  guint i = self->shown->len;

  g_return_val_if_fail (GOBAN_IS_CONSOLE_OUTPUT (self), FALSE);

  for (guint k = 0; k < self->shown->len && focus != NULL; k++)
    if (focus == g_ptr_array_index (self->shown, k)
        || gtk_widget_is_ancestor (focus, g_ptr_array_index (self->shown, k)))
      i = k;
  return i > 0 && gtk_widget_grab_focus (g_ptr_array_index (self->shown, i - 1));
}

void
goban_console_output_set_theme (GobanConsoleOutput *self, GobanTheme theme)
{
  g_return_if_fail (GOBAN_IS_CONSOLE_OUTPUT (self));

  self->theme = theme;
  for (guint i = 0; i < self->shown->len; i++)
    set_theme (self, g_ptr_array_index (self->shown, i));
}

void
goban_console_output_clear (GobanConsoleOutput *self)
{
  g_return_if_fail (GOBAN_IS_CONSOLE_OUTPUT (self));

  g_array_set_size (self->pieces, 0);
  self->line_bytes = 0;
  self->has_results = FALSE;
  gtk_widget_set_size_request (GTK_WIDGET (self), -1, -1);
  gtk_text_buffer_set_text (self->buffer, "", 0);
}

static void
goban_console_output_dispose (GObject *object)
{
  GobanConsoleOutput *self = GOBAN_CONSOLE_OUTPUT (object);

  g_clear_handle_id (&self->batch_id, g_source_remove);
  g_clear_handle_id (&self->fit_id, g_source_remove);
  g_clear_pointer (&self->pieces, g_array_unref);
  if (self->shown != NULL)
    forget_shown (self);
  g_clear_pointer (&self->shown, g_ptr_array_unref);
  goban_remove_children (GTK_WIDGET (self));

  G_OBJECT_CLASS (goban_console_output_parent_class)->dispose (object);
}

static void
goban_console_output_class_init (GobanConsoleOutputClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = goban_console_output_dispose;
  goban_template_set (widget_class, "console/console-output.ui");
  GOBAN_TEMPLATE_CHILDREN (widget_class, GobanConsoleOutput, view);
  goban_signal_add (klass, "follow", 1, G_TYPE_POINTER);
}

/* Each five times as light as what it is written on, or as dark. */
static void
follow_theme (GobanConsoleOutput *self)
{
  static const char *const colors[2][GOBAN_N_CONSOLE_KINDS] = {
    { [GOBAN_CONSOLE_RESULT] = "#1464b4",
      [GOBAN_CONSOLE_ERROR] = "#c0352b",
      [GOBAN_CONSOLE_LOG] = "#6a6a6a" },
    { [GOBAN_CONSOLE_RESULT] = "#62aef0",
      [GOBAN_CONSOLE_ERROR] = "#ff7a70",
      [GOBAN_CONSOLE_LOG] = "#a0a0a0" },
  };
  gboolean is_dark = goban_theme_is_dark (goban_theme_of (GTK_WIDGET (self)));

  for (int kind = 0; kind < GOBAN_N_CONSOLE_KINDS; kind++)
    if (colors[is_dark][kind] != NULL)
      g_object_set (self->tags[kind], "foreground", colors[is_dark][kind], NULL);
}

static void
make_tags (GobanConsoleOutput *self)
{
  for (int kind = 0; kind < GOBAN_N_CONSOLE_KINDS; kind++)
    self->tags[kind] = gtk_text_buffer_create_tag (self->buffer, NULL, NULL);
  g_object_set (self->tags[GOBAN_CONSOLE_INPUT], "weight", PANGO_WEIGHT_BOLD, NULL);
  goban_theme_follow (GTK_WIDGET (self), G_CALLBACK (follow_theme));
}

/* A pane that was lower has scrolled to the end, and stays there when it gets higher, even if all
 * of its text fits. */
static void
height_changed_cb (GobanConsoleOutput *self)
{
  GtkAdjustment *height = gtk_scrollable_get_vadjustment (GTK_SCROLLABLE (self->view));
  GtkTextIter end;
  GdkRectangle last;

  if (gtk_adjustment_get_page_size (height) < 1)
    return;
  gtk_text_buffer_get_end_iter (self->buffer, &end);
  gtk_text_view_get_iter_location (GTK_TEXT_VIEW (self->view), &end, &last);
  if (last.y + last.height <= gtk_adjustment_get_page_size (height))
    gtk_adjustment_set_value (height, 0);
  else if (self->is_behind)
    scroll_to_end (self);
  self->is_behind = FALSE;
}

static void
goban_console_output_init (GobanConsoleOutput *self)
{
  GtkTextIter end;

  self->shown = g_ptr_array_new ();
  self->pieces = g_array_new (FALSE, FALSE, sizeof (Piece));
  g_array_set_clear_func (self->pieces, clear_piece);

  goban_template_init (GTK_WIDGET (self));
  self->buffer = gtk_text_view_get_buffer (GTK_TEXT_VIEW (self->view));
  gtk_text_buffer_set_enable_undo (self->buffer, FALSE);
  make_tags (self);
  GOBAN_CONNECT (gtk_scrollable_get_hadjustment (GTK_SCROLLABLE (self->view)), "notify::page-size",
                 width_changed_cb, self);

  GOBAN_CONNECT (gtk_scrollable_get_vadjustment (GTK_SCROLLABLE (self->view)), "notify::page-size",
                 height_changed_cb, self);

  gtk_text_buffer_get_end_iter (self->buffer, &end);
  gtk_text_buffer_create_mark (self->buffer, "end", &end, FALSE);
  gtk_text_buffer_create_mark (self->buffer, "results", &end, TRUE);
}

char *
goban_console_output_dup_text (GobanConsoleOutput *self)
{
  GtkTextIter start, end;

  g_return_val_if_fail (GOBAN_IS_CONSOLE_OUTPUT (self), NULL);

  flush (self);
  gtk_text_buffer_get_bounds (self->buffer, &start, &end);
  return gtk_text_buffer_get_text (self->buffer, &start, &end, FALSE);
}

gboolean
goban_console_output_has_selection (GobanConsoleOutput *self)
{
  g_return_val_if_fail (GOBAN_IS_CONSOLE_OUTPUT (self), FALSE);

  return gtk_text_buffer_get_has_selection (self->buffer);
}

GtkTextView *
goban_console_output_get_view (GobanConsoleOutput *self)
{
  g_return_val_if_fail (GOBAN_IS_CONSOLE_OUTPUT (self), NULL);

  return GTK_TEXT_VIEW (self->view);
}
