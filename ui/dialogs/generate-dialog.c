#include "ui/dialogs/generate-dialog.h"

#include "engine/core/i18n.h"
#include "engine/core/quantity.h"
#include "engine/graph/workloads/workload.h"
#include "engine/study/run/graph-source.h"
#include "ui/widgets/template.h"
#include "ui/widgets/text.h"

#include <math.h>

struct _GobanGenerateDialog
{
  GtkWindow parent;

  GobanSession *session;
  GobanWorkloadSpec *reading; /* (nullable): the parsed entry; NULL for a mistake */
  const GobanFamily *family;  /* whose knobs are shown */

  GtkWidget *families; /* a list box, in the order of goban_families() */
  GtkWidget *title;
  GtkWidget *blurb;
  GtkWidget *source;
  GtkWidget *knobs;    /* a grid */
  GPtrArray *controls; /* a GtkSpinButton, GtkDropDown or GtkCheckButton for each, borrowed */
  GtkWidget *entry;
  GtkWidget *verdict;
  GtkWidget *generate;
  gboolean following; /* one view follows another: their signals mean nothing */
};

G_DEFINE_FINAL_TYPE (GobanGenerateDialog, goban_generate_dialog, GTK_TYPE_WINDOW)

/* --- knobs ------------------------------------------------------------------------------------ */

static gboolean
is_flag (const GobanKnob *knob)
{
  return knob->words == NULL && knob->minimum == 0 && knob->maximum == 1;
}

static gint64
get_value (GtkWidget *control)
{
  if (GTK_IS_CHECK_BUTTON (control))
    return gtk_check_button_get_active (GTK_CHECK_BUTTON (control));
  if (GTK_IS_DROP_DOWN (control))
    return gtk_drop_down_get_selected (GTK_DROP_DOWN (control));
  return (gint64) gtk_spin_button_get_value (GTK_SPIN_BUTTON (control));
}

static void
set_value (GtkWidget *control, gint64 value)
{
  if (GTK_IS_DROP_DOWN (control))
    gtk_drop_down_set_selected (GTK_DROP_DOWN (control), (guint) value);
  else if (GTK_IS_CHECK_BUTTON (control))
    gtk_check_button_set_active (GTK_CHECK_BUTTON (control), value != 0);
  else
    gtk_spin_button_set_value (GTK_SPIN_BUTTON (control), (double) value);
}

/* The spec of all controls, with every key; (transfer full). */
static char *
dup_full_spec (GobanGenerateDialog *self)
{
  g_autoptr (GString) text = g_string_new (self->family->name);

  for (guint i = 0; i < self->controls->len; i++)
    {
      const GobanKnob *knob = goban_family_get_knob (self->family, i);
      gint64 value = get_value (self->controls->pdata[i]);

      g_string_append_printf (text, "%c%s=", i == 0 ? ':' : ',', knob->name);
      if (knob->words != NULL)
        g_string_append (text, knob->words[value]);
      else
        g_string_append_printf (text, "%" G_GINT64_FORMAT, value);
    }
  return g_string_free (g_steal_pointer (&text), FALSE);
}

/* --- the spec --------------------------------------------------------------------------------- */

/* Two digits: it is an estimate. */
static guint64
round_count (double n)
{
  double unit = n >= 100 ? pow (10, floor (log10 (n)) - 1) : 1;

  return (guint64) (round (n / unit) * unit);
}

static char *
describe (const GobanWorkloadSpec *reading)
{
  gboolean is_whole = TRUE;
  const GobanKnob *knob;
  char count[GOBAN_QUANTITY_LEN];

  /* The estimate is of training, by op. */
  for (gsize i = 0; (knob = goban_family_get_knob (reading->family, i)) != NULL; i++)
    if (g_str_equal (knob->name, "mode") || g_str_equal (knob->name, "granularity"))
      is_whole = is_whole && reading->values[i] == 0;
  return g_strdup_printf (is_whole ? _ ("About %s nodes") : _ ("Fewer than %s nodes"),
                          goban_format_grouped (count, round_count (reading->n_nodes)));
}

static void
show_verdict (GobanGenerateDialog *self, const GError *error)
{
  g_autofree char *text = error != NULL ? g_strdup (error->message) : describe (self->reading);
  static const char *const bad[] = { "mistake", NULL };
  static const char *const good[] = { "dim-label", NULL };

  *text = g_ascii_toupper (*text);
  goban_set_label_text (self->verdict, text);
  gtk_widget_set_css_classes (self->verdict, (const char **) (error != NULL ? bad : good));
  if (error != NULL)
    gtk_widget_add_css_class (self->entry, "error");
  else
    gtk_widget_remove_css_class (self->entry, "error");
  gtk_widget_set_sensitive (self->generate, error == NULL);
}

/* Parses @text and describes it; TRUE if it can be generated. */
static gboolean
read_spec (GobanGenerateDialog *self, const char *text)
{
  g_autoptr (GError) error = NULL;

  g_clear_pointer (&self->reading, goban_workload_spec_free);
  self->reading = goban_workload_spec_new (text, &error);
  show_verdict (self, error);
  return self->reading != NULL;
}

static void
knob_changed_cb (GobanGenerateDialog *self)
{
  g_autofree char *full = NULL;

  if (self->following)
    return;

  full = dup_full_spec (self);
  self->following = TRUE;
  /* A graph that is too large is shown with all its keys, because none of them alone is wrong. */
  if (read_spec (self, full))
    gtk_editable_set_text (GTK_EDITABLE (self->entry), self->reading->text);
  else
    gtk_editable_set_text (GTK_EDITABLE (self->entry), full);
  self->following = FALSE;
}

/* A named size sets the knobs that it is about. */
static void
size_changed_cb (GobanGenerateDialog *self)
{
  g_autofree gint64 *values = g_new (gint64, self->family->n_sized + 1);

  if (self->following)
    return;

  self->following = TRUE;
  values[0] = get_value (self->controls->pdata[0]);
  for (guint i = 1; i <= self->family->n_sized; i++)
    {
      values[i] = goban_family_get_default (self->family, i, values);
      set_value (self->controls->pdata[i], values[i]);
    }
  self->following = FALSE;
  knob_changed_cb (self);
}

/* --- rows ------------------------------------------------------------------------------------- */

static GtkWidget *
new_label (const char *text, const char *css_class)
{
  GtkWidget *label = goban_new_label (text);

  gtk_label_set_xalign (GTK_LABEL (label), 0.0);
  if (css_class != NULL)
    gtk_widget_add_css_class (label, css_class);
  return label;
}

static GtkWidget *
new_control (GobanGenerateDialog *self, const GobanKnob *knob)
{
  GtkWidget *control;

  if (knob->words != NULL)
    {
      gboolean is_size = self->family->n_sized > 0 && self->controls->len == 0;

      control = gtk_drop_down_new_from_strings (knob->words);
      g_signal_connect_swapped (
          control, "notify::selected",
          is_size ? G_CALLBACK (size_changed_cb) : G_CALLBACK (knob_changed_cb), self);
    }
  else if (is_flag (knob))
    {
      control = gtk_check_button_new ();
      gtk_check_button_set_active (GTK_CHECK_BUTTON (control), knob->initial != 0);
      g_signal_connect_swapped (control, "toggled", G_CALLBACK (knob_changed_cb), self);
    }
  else
    {
      control = gtk_spin_button_new_with_range ((double) knob->minimum, (double) knob->maximum, 1);
      gtk_spin_button_set_value (GTK_SPIN_BUTTON (control), (double) knob->initial);
      gtk_spin_button_set_numeric (GTK_SPIN_BUTTON (control), TRUE);
      gtk_editable_set_width_chars (GTK_EDITABLE (control), 8);
      g_signal_connect_swapped (control, "value-changed", G_CALLBACK (knob_changed_cb), self);
    }
  goban_set_accessible_label (control, knob->name);
  return control;
}

/* @is_sized: its default changes with the size, as its control does. */
static GtkWidget *
new_range (const GobanKnob *knob, gboolean is_sized)
{
  char from[GOBAN_QUANTITY_LEN], to[GOBAN_QUANTITY_LEN], initial[GOBAN_QUANTITY_LEN];
  g_autofree char *text = g_strdup_printf (is_sized ? _ ("%s to %s") : _ ("%s to %s, default %s"),
                                           goban_format_grouped (from, knob->minimum),
                                           goban_format_grouped (to, knob->maximum),
                                           goban_format_grouped (initial, knob->initial));
  GtkWidget *label = new_label (text, "note");

  /* On a small screen. */
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_width_chars (GTK_LABEL (label), 14);
  return label;
}

static void
add_row (GobanGenerateDialog *self, int row, const GobanKnob *knob)
{
  GtkWidget *control = new_control (self, knob);
  GtkWidget *meaning = new_label (_ (knob->meaning), NULL);
  gboolean has_range = knob->words == NULL && !is_flag (knob);

  gtk_label_set_wrap (GTK_LABEL (meaning), TRUE);
  gtk_label_set_width_chars (GTK_LABEL (meaning), 16);
  gtk_widget_set_hexpand (meaning, TRUE);
  gtk_grid_attach (GTK_GRID (self->knobs), new_label (knob->name, "name"), 0, row, 1, 1);
  gtk_grid_attach (GTK_GRID (self->knobs), control, 1, row, 1, 1);
  gtk_grid_attach (GTK_GRID (self->knobs), meaning, 2, row, has_range ? 1 : 2, 1);
  if (has_range)
    gtk_grid_attach (GTK_GRID (self->knobs),
                     new_range (knob, row > 0 && row <= (int) self->family->n_sized), 3, row, 1, 1);
  g_ptr_array_add (self->controls, control);
}

/* Shows the knobs of @family, at their defaults. */
static void
show_family (GobanGenerateDialog *self, const GobanFamily *family)
{
  g_autofree char *source = g_strdup_printf (_ ("After %s"), family->source);
  const GobanKnob *knob;

  g_ptr_array_set_size (self->controls, 0);
  goban_remove_children (self->knobs);

  self->family = family;
  goban_set_label_text (self->title, family->name);
  goban_set_label_text (self->blurb, _ (family->blurb));
  goban_set_label_text (self->source, source);
  for (gsize i = 0; (knob = goban_family_get_knob (family, i)) != NULL; i++)
    add_row (self, (int) i, knob);
}

/* --- one view follows the other --------------------------------------------------------------- */

static void
select_row (GobanGenerateDialog *self, const GobanFamily *family)
{
  gsize n;
  const GobanFamily *const *families = goban_families (&n);

  for (gsize i = 0; i < n; i++)
    if (families[i] == family)
      gtk_list_box_select_row (
          GTK_LIST_BOX (self->families),
          gtk_list_box_get_row_at_index (GTK_LIST_BOX (self->families), (int) i));
}

static void
entry_changed_cb (GobanGenerateDialog *self)
{
  if (self->following)
    return;

  self->following = TRUE;
  if (read_spec (self, gtk_editable_get_text (GTK_EDITABLE (self->entry))))
    {
      if (self->reading->family != self->family)
        {
          show_family (self, self->reading->family);
          select_row (self, self->family);
        }
      for (guint i = 0; i < self->controls->len; i++)
        set_value (self->controls->pdata[i], self->reading->values[i]);
    }
  self->following = FALSE;
}

static void
row_selected_cb (GobanGenerateDialog *self, GtkListBoxRow *row)
{
  gsize n;
  const GobanFamily *const *families = goban_families (&n);

  if (row == NULL || self->following)
    return;
  gtk_editable_set_text (GTK_EDITABLE (self->entry),
                         families[gtk_list_box_row_get_index (row)]->name);
}

static void
use_defaults_cb (GobanGenerateDialog *self)
{
  gtk_editable_set_text (GTK_EDITABLE (self->entry), self->family->name);
}

static void
copy_cb (GobanGenerateDialog *self)
{
  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (self)),
                          gtk_editable_get_text (GTK_EDITABLE (self->entry)));
}

static void
add_families (GobanGenerateDialog *self)
{
  gsize n;
  const GobanFamily *const *families = goban_families (&n);

  for (gsize i = 0; i < n; i++)
    {
      GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 2);
      GtkWidget *blurb = new_label (_ (families[i]->blurb), "note");

      gtk_label_set_wrap (GTK_LABEL (blurb), TRUE);
      gtk_label_set_width_chars (GTK_LABEL (blurb), 26);
      gtk_label_set_max_width_chars (GTK_LABEL (blurb), 26);
      gtk_box_append (GTK_BOX (box), new_label (families[i]->name, "name"));
      gtk_box_append (GTK_BOX (box), blurb);
      gtk_list_box_append (GTK_LIST_BOX (self->families), box);
    }
}

static void
generate (GobanGenerateDialog *self)
{
  if (self->reading == NULL)
    return;

  g_signal_emit_by_name (self, "chosen", self->reading->text);
  gtk_window_close (GTK_WINDOW (self));
}
static void
goban_generate_dialog_dispose (GObject *object)
{
  GobanGenerateDialog *self = GOBAN_GENERATE_DIALOG (object);

  /* Changes caused by removing the widgets are not the user's. */
  self->following = TRUE;
  g_clear_pointer (&self->reading, goban_workload_spec_free);
  g_clear_pointer (&self->controls, g_ptr_array_unref);
  g_clear_object (&self->session);

  G_OBJECT_CLASS (goban_generate_dialog_parent_class)->dispose (object);
}

static void
goban_generate_dialog_class_init (GobanGenerateDialogClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = goban_generate_dialog_dispose;
  goban_signal_add (klass, "chosen", 1, G_TYPE_STRING);
  goban_template_set (widget_class, "dialogs/generate-dialog.ui");
  GOBAN_TEMPLATE_CHILDREN (widget_class, GobanGenerateDialog, families, title, blurb, source, knobs,
                           entry, verdict, generate);
  GOBAN_TEMPLATE_CALLBACKS (widget_class, generate, use_defaults_cb, row_selected_cb,
                            entry_changed_cb, copy_cb);
}

static void
goban_generate_dialog_init (GobanGenerateDialog *self)
{
  gsize n;

  self->controls = g_ptr_array_new ();
  goban_template_init (GTK_WIDGET (self));
  add_families (self);
  gtk_editable_set_text (GTK_EDITABLE (self->entry), goban_families (&n)[0]->name);
}

GtkWidget *
goban_generate_dialog_new (GtkWindow *parent, GobanSession *session)
{
  GobanGenerateDialog *self = g_object_new (GOBAN_TYPE_GENERATE_DIALOG, "transient-for", parent,
                                            "destroy-with-parent", TRUE, NULL);
  const char *path = goban_session_get_path (session);

  self->session = g_object_ref (session);
  /* The dialog starts from the spec of the open graph. */
  if (path != NULL && goban_graph_source_is_spec (path))
    gtk_editable_set_text (GTK_EDITABLE (self->entry), path);
  return GTK_WIDGET (self);
}

GtkWidget *
goban_generate_dialog_get_control (GobanGenerateDialog *self, const char *knob)
{
  gsize i;

  g_return_val_if_fail (GOBAN_IS_GENERATE_DIALOG (self), NULL);

  return goban_family_find_knob (self->family, knob, &i) ? self->controls->pdata[i] : NULL;
}
