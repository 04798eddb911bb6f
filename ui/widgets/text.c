#include "ui/widgets/text.h"

#include "engine/core/i18n.h"
#include "engine/core/quantity.h"
#include "engine/core/time-left.h"
#include "engine/session/teaching/glossary.h"
#include "ui/draw/shorten.h"
#include "ui/widgets/actions.h"

#include <math.h>
#include <string.h>

#define IS_INSIDE_CHARACTER(byte) (((byte) &0xC0) == 0x80)
/* Text that is not UTF-8 may have any number of bytes that look like the inside of a character. */
#define MAX_CHARACTER_BYTES 6

const GobanTextBounds goban_label_bounds = { 4000, 60 };
const GobanTextBounds goban_line_bounds = { 1000, 1 };

gsize
goban_find_cut (const char *text, const GobanTextBounds *bounds)
{
  gsize n = 0;

  for (guint n_lines = 1; n < bounds->max_bytes && text[n] != '\0'; n++)
    if (text[n] == '\n' && n_lines++ >= bounds->max_lines)
      return n;
  for (guint i = 0; i < MAX_CHARACTER_BYTES && n > 0 && IS_INSIDE_CHARACTER (text[n]); i++)
    n--;
  return n;
}

gsize
goban_find_tail (const char *text, gsize n_bytes, const GobanTextBounds *bounds)
{
  gsize start = n_bytes;

  /* The end of the last line begins no other one. */
  for (guint n_lines = 0; start > 0 && n_bytes - start < bounds->max_bytes; start--)
    if (start < n_bytes && text[start - 1] == '\n' && ++n_lines >= bounds->max_lines)
      return start;
  for (guint i = 0; i < MAX_CHARACTER_BYTES && start < n_bytes && IS_INSIDE_CHARACTER (text[start]);
       i++)
    start++;
  return start;
}

char *
goban_dup_cut (const char *text, const GobanTextBounds *bounds)
{
  gsize n = goban_find_cut (text, bounds);
  g_autofree char *valid = g_utf8_make_valid (text, (gssize) n);

  return text[n] == '\0' ? g_steal_pointer (&valid) : g_strconcat (valid, "…", NULL);
}

/* Characters of a word in a tooltip: on a line, and in all. */
#define TIP_LINE 100
#define MAX_TIP_WORD 600
#define ZERO_WIDTH_SPACE 0x200b

const char *
goban_format_makespan (char *buffer, GobanRun *run)
{
  double makespan_us = goban_run_get_makespan_us (run);

  if (isfinite (makespan_us))
    return goban_format_time (buffer, makespan_us);

  g_strlcpy (buffer, "cannot run", GOBAN_QUANTITY_LEN);
  return buffer;
}

char *
goban_dup_duration (double seconds)
{
  if (seconds < 90)
    return g_strdup_printf (_ ("%.0f s"), round (seconds));
  if (seconds < 90 * 60)
    return g_strdup_printf (_ ("%.0f min"), round (seconds / 60));
  return g_strdup_printf (_ ("%.0f h"), round (seconds / 3600));
}

char *
goban_dup_time_left (double seconds)
{
  g_autofree char *left = NULL;

  if (isnan (seconds))
    return g_strdup ("");
  if (seconds < 10)
    return g_strdup (_ ("a few seconds left"));
  left = goban_dup_duration (seconds < 90 ? round (seconds / 5) * 5 : seconds);
  return g_strdup_printf (_ ("about %s left"), left);
}

void
goban_show_progress (GtkWidget *bar, double fraction, const char *text)
{
  GobanPace *pace = g_object_get_data (G_OBJECT (bar), "pace");
  g_autofree char *percent = g_strdup_printf ("%.0f %%", 100 * CLAMP (fraction, 0, 1));
  g_autofree char *left = NULL;
  g_autofree char *all = NULL;

  gtk_widget_set_visible (bar, fraction >= 0);
  if (pace == NULL || fraction < 0)
    {
      pace = g_new0 (GobanPace, 1);
      g_object_set_data_full (G_OBJECT (bar), "pace", pace, g_free);
    }
  left = goban_dup_time_left (goban_pace_step (pace, fraction, g_get_monotonic_time ()));
  all = g_strconcat (text != NULL ? text : percent, *left != '\0' ? ", " : "", left, NULL);
  gtk_progress_bar_set_fraction (GTK_PROGRESS_BAR (bar), CLAMP (fraction, 0, 1));
  gtk_progress_bar_set_text (GTK_PROGRESS_BAR (bar), all);
  gtk_progress_bar_set_show_text (GTK_PROGRESS_BAR (bar), TRUE);
}

char *
goban_describe_node (GobanGraph *graph, GobanRun *run, GobanNodeId node)
{
  const GobanNode *data = goban_graph_get_node (graph, node);
  g_autofree char *name = goban_cut_long (data->name, GOBAN_KEEP_END, GOBAN_MAX_NAME_CHARS);
  g_autofree char *op = goban_cut_long (data->op, GOBAN_KEEP_START, GOBAN_MAX_NAME_CHARS);
  g_autoptr (GString) text = g_string_new (name);
  const GobanOpSpan *spans = run != NULL ? goban_trace_get_ops (goban_run_get_trace (run)) : NULL;
  char from[GOBAN_QUANTITY_LEN], to[GOBAN_QUANTITY_LEN];

  if (*op != '\0')
    g_string_append_printf (text, "  ·  %s", op);
  if (run != NULL)
    {
      GobanDeviceId device = goban_plan_get_device (goban_run_get_plan (run), node);

      g_string_append_printf (text, "  ·  %s",
                              goban_cluster_get_device (goban_run_get_cluster (run), device)->name);
    }
  if (spans != NULL)
    g_string_append_printf (text, _ ("  ·  %s at %s"),
                            goban_format_time (to, spans[node].finish_us - spans[node].start_us),
                            goban_format_time (from, spans[node].start_us));

  return g_string_free (g_steal_pointer (&text), FALSE);
}

const char *
goban_get_delays_text (void)
{
  return _ ("unexplained delays  ·  not a device: times in which nothing recorded says "
            "why the next operation had not started");
}

char *
goban_dup_without_flags (const char *text)
{
  g_autoptr (GRegex) flags = g_regex_new (" --(set )?(?=[a-z])", 0, 0, NULL);

  return g_regex_replace_literal (flags, text, -1, 0, " ", 0, NULL);
}

GtkWidget *
goban_new_heading (const char *text)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (label), 0.0);
  gtk_widget_add_css_class (label, "heading");
  gtk_widget_add_css_class (label, "pane-heading");
  goban_explain_term (label, text);
  return label;
}

void
goban_wrap_label (GtkLabel *label, PangoWrapMode mode)
{
  PangoAttrList *attributes = pango_attr_list_new ();

  pango_attr_list_insert (attributes, pango_attr_insert_hyphens_new (FALSE));
  gtk_label_set_attributes (label, attributes);
  gtk_label_set_wrap (label, TRUE);
  gtk_label_set_wrap_mode (label, mode);
  pango_attr_list_unref (attributes);
}

void
goban_set_accessible_label (GtkWidget *widget, const char *label)
{
  g_autofree char *shown = goban_dup_cut (label, &goban_label_bounds);

  gtk_accessible_update_property (GTK_ACCESSIBLE (widget), GTK_ACCESSIBLE_PROPERTY_LABEL, shown,
                                  -1);
}

void
goban_set_tooltip_lines (GtkWidget *widget, const char *text)
{
  g_autofree char *shown = goban_dup_cut (text != NULL ? text : "", &goban_label_bounds);
  g_auto (GStrv) parts = g_strsplit (shown, "  ·  ", -1);
  g_autofree char *lines = g_strjoinv ("\n", parts);

  goban_set_tooltip (widget, *lines != '\0' ? lines : NULL);
}

/* @text within goban_label_bounds, with places to wrap in words that are wider than a tooltip, and
 * the rest of the longest ones left out: GTK would show one line that is wider than the screen.
 * (transfer full) */
static char *
dup_tip (const char *text)
{
  g_autofree char *cut = goban_dup_cut (text, &goban_label_bounds);
  GString *tip = g_string_new (NULL);
  guint n = 0; /* of the word */

  for (const char *p = cut; *p != '\0'; p = g_utf8_next_char (p))
    {
      gunichar c = g_utf8_get_char (p);

      n = g_unichar_isspace (c) ? 0 : n + 1;
      if (n <= MAX_TIP_WORD)
        g_string_append_unichar (tip, c);
      else if (n == MAX_TIP_WORD + 1)
        g_string_append (tip, "…");
      if (n > 0 && n < MAX_TIP_WORD && n % TIP_LINE == 0)
        g_string_append_unichar (tip, ZERO_WIDTH_SPACE);
    }
  return g_string_free (tip, FALSE);
}

void
goban_set_tooltip (GtkWidget *widget, const char *text)
{
  g_autofree char *shown = text != NULL ? dup_tip (text) : NULL;

  if (g_strcmp0 (gtk_widget_get_tooltip_text (widget), shown) != 0)
    gtk_widget_set_tooltip_text (widget, shown);
}

void
goban_set_label_text (GtkWidget *label, const char *text)
{
  g_autofree char *shown = goban_dup_cut (text != NULL ? text : "", &goban_label_bounds);

  gtk_label_set_text (GTK_LABEL (label), shown);
}

GtkWidget *
goban_new_label (const char *text)
{
  GtkWidget *label = gtk_label_new (NULL);

  goban_set_label_text (label, text);
  return label;
}

char *
goban_dup_buffer_text (GtkTextBuffer *buffer)
{
  GtkTextIter start, end;

  gtk_text_buffer_get_bounds (buffer, &start, &end);
  return gtk_text_buffer_get_text (buffer, &start, &end, FALSE);
}

gsize
goban_get_buffer_cursor (GtkTextBuffer *buffer)
{
  GtkTextIter start, cursor;
  g_autofree char *before = NULL;

  gtk_text_buffer_get_start_iter (buffer, &start);
  gtk_text_buffer_get_iter_at_mark (buffer, &cursor, gtk_text_buffer_get_insert (buffer));
  before = gtk_text_buffer_get_text (buffer, &start, &cursor, FALSE);
  return strlen (before);
}

int
goban_find_digit (guint keyval)
{
  if (keyval >= GDK_KEY_0 && keyval <= GDK_KEY_9)
    return (int) (keyval - GDK_KEY_0);
  if (keyval >= GDK_KEY_KP_0 && keyval <= GDK_KEY_KP_9)
    return (int) (keyval - GDK_KEY_KP_0);
  return -1;
}

void
goban_explain_term (GtkWidget *widget, const char *text)
{
  const GobanGlossaryEntry *entry = goban_glossary_find_label (text);
  const char *before = gtk_widget_get_tooltip_text (widget);
  g_autofree char *both = NULL;

  if (entry == NULL || (before != NULL && strstr (before, entry->definition) != NULL))
    return;
  if (before != NULL)
    both = g_strdup_printf ("%s\n%s", before, entry->definition);
  goban_set_tooltip (widget, both != NULL ? both : entry->definition);
}

static void
explain_titles (GtkWidget *widget)
{
  if (GTK_IS_LABEL (widget))
    goban_explain_term (widget, gtk_label_get_text (GTK_LABEL (widget)));
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    explain_titles (child);
}

void
goban_explain_columns (GtkColumnView *view)
{
  /* The first child has the titles, the second the rows. */
  explain_titles (gtk_widget_get_first_child (GTK_WIDGET (view)));
}

gboolean
goban_is_header (GtkWidget *label)
{
  GtkWidget *view;

  if (!GTK_IS_LABEL (label))
    return FALSE;
  if (gtk_widget_has_css_class (label, "heading")
      || gtk_widget_has_css_class (label, "pane-heading"))
    return TRUE;
  view = gtk_widget_get_ancestor (label, GTK_TYPE_COLUMN_VIEW);
  return view != NULL && gtk_widget_is_ancestor (label, gtk_widget_get_first_child (view));
}
