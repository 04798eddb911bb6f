#include "ui/panels/cluster-panel.h"

#include "engine/core/i18n.h"
#include "engine/core/quantity.h"
#include "engine/session/preview.h"
#include "engine/session/session-edit.h"
#include "engine/study/analysis/effect.h"
#include "ui/widgets/short-label.h"
#include "ui/widgets/swatch.h"
#include "ui/widgets/template.h"
#include "ui/widgets/text.h"

#include <math.h>
#include <string.h>

/* Fewer are seen at once: they need no search. */
#define LEAST_FILTERED 6
#define MOST_NUMBERS 11

/* Sliders of a device, of a link both ways, or of all that were like it. */
typedef struct
{
  char *name;
  GobanWhatIf change; /* its what and value are unset */
  guint cluster_class;
  GtkWidget *widget; /* (nullable) until it is shown */
  GtkWidget *more;   /* (nullable): the expander of a device's other numbers */
  GobanNumberSlider *sliders[MOST_NUMBERS]; /* (nullable) until they are shown */
} Row;

/* Devices or links that were equal. */
typedef struct
{
  guint row;         /* of all of it; of one alone: its own */
  GtkWidget *single; /* (nullable): the expander with each by itself */
  GtkWidget *list;   /* (nullable): its members */
} Class;

struct _GobanClusterPanel
{
  GtkWidget parent;

  GobanSession *session;
  GobanPreview *preview;  /* the session's, borrowed */
  GobanPreview *baseline; /* our own: the plan on the cluster as it was */
  GobanCluster *origin;   /* subjects of the rows; NULL before there are any */
  GobanTheme theme;
  GArray *rows;       /* of Row: for each class all, then each */
  GArray *classes;    /* of Class */
  gboolean is_asking; /* a slider of ours moves */

  GtkWidget *total;
  GtkWidget *difference;
  GtkWidget *reset;
  GtkWidget *filter;
  GtkWidget *list;
};

typedef struct
{
  const char *title;
  const char *what; /* key of what-if.h */
  GobanNumberUnit unit;
} Number;

/* Ended by an empty one. The first N_SEEN are seen at once. */
static const Number device_numbers[MOST_NUMBERS + 1] = {
  { N_ ("Speed"), "speed", GOBAN_NUMBER_FACTOR },
  { N_ ("Memory"), "memory", GOBAN_NUMBER_BYTES },
  { N_ ("Peak share"), "compute_efficiency", GOBAN_NUMBER_SHARE },
  { N_ ("Memory share"), "memory_efficiency", GOBAN_NUMBER_SHARE },
  { N_ ("Link share"), "bus_efficiency", GOBAN_NUMBER_SHARE },
  { N_ ("Launch"), "launch", GOBAN_NUMBER_TIME },
  { N_ ("Peak of f32"), "flops", GOBAN_NUMBER_FLOPS },
  { N_ ("Peak of tf32"), "tf32_flops", GOBAN_NUMBER_FLOPS },
  { N_ ("Peak of f16"), "f16_flops", GOBAN_NUMBER_FLOPS },
  { N_ ("Peak of f8"), "f8_flops", GOBAN_NUMBER_FLOPS },
  { N_ ("Peak of i8"), "i8_flops", GOBAN_NUMBER_FLOPS },
};
#define N_SEEN 2

static const Number link_numbers[N_SEEN + 1] = {
  { N_ ("Bandwidth"), "bandwidth", GOBAN_NUMBER_RATE },
  { N_ ("Latency"), "latency", GOBAN_NUMBER_TIME },
};

G_DEFINE_FINAL_TYPE (GobanClusterPanel, goban_cluster_panel, GTK_TYPE_WIDGET)

static Row *
get_row (GobanClusterPanel *self, guint i)
{
  return &g_array_index (self->rows, Row, i);
}

static const Number *
numbers_of (const Row *row)
{
  return row->change.is_link ? link_numbers : device_numbers;
}

/* --- the total -------------------------------------------------------------------------------- */

/* The edit that takes the plan back to the cluster as it was. (transfer full) */
static GobanEdit *
new_return (GobanClusterPanel *self)
{
  GobanEdit *edit = goban_edit_new (self->session, GOBAN_EDIT_CLUSTER, NULL);

  edit->cluster = goban_cluster_ref (goban_session_get_origin (self->session));
  return edit;
}

static void
set_difference (GobanClusterPanel *self, const char *text, const char *css_class)
{
  goban_short_label_set_text (GOBAN_SHORT_LABEL (self->difference), text);
  gtk_widget_remove_css_class (self->difference, "better");
  gtk_widget_remove_css_class (self->difference, "worse");
  gtk_widget_add_css_class (self->difference, css_class);
}

static void
show_effect (GobanClusterPanel *self, GobanRun *before, GobanRun *after)
{
  GobanEffect effect = goban_effect_new (before, after);
  g_autofree char *share = goban_effect_describe_share (&effect);
  gboolean is_worse = !effect.is_valid || effect.share > 0;
  gboolean is_same = effect.is_valid && (effect.share == 0 || isnan (effect.share));
  char from[GOBAN_QUANTITY_LEN], to[GOBAN_QUANTITY_LEN];
  g_autofree char *total = g_strdup_printf ("%s → %s", goban_format_makespan (from, before),
                                            goban_format_makespan (to, after));
  g_autofree char *difference
      = g_strdup_printf ("%s%s%s",
                         is_same    ? ""
                         : is_worse ? "▲ "
                                    : "▼ ",
                         share, effect.is_valid ? "" : _ (", out of memory"));

  goban_short_label_set_text (GOBAN_SHORT_LABEL (self->total), total);
  set_difference (self, difference, is_same ? "same" : is_worse ? "worse" : "better");
}

/* The makespan before, and the present or previewed one. */
static void
update_total (GobanClusterPanel *self)
{
  GobanRun *current = goban_session_get_current_run (self->session);
  GobanRun *tried = goban_preview_get_run (self->preview);
  GobanRun *before = goban_preview_get_run (self->baseline);
  gboolean is_origin
      = goban_session_get_cluster (self->session) == goban_session_get_origin (self->session);
  char time[GOBAN_QUANTITY_LEN];

  gtk_widget_set_sensitive (self->reset, !is_origin);
  if (current == NULL)
    {
      goban_short_label_set_text (GOBAN_SHORT_LABEL (self->total), _ ("No plan"));
      set_difference (self, "Place the graph to see what a change gives", "same");
      return;
    }
  if (is_origin || before == NULL)
    before = current;
  if (tried != NULL && tried != current)
    show_effect (self, before, tried);
  else if (before != current)
    show_effect (self, before, current);
  else
    {
      goban_short_label_set_text (GOBAN_SHORT_LABEL (self->total),
                                  goban_format_makespan (time, current));
      set_difference (self, is_origin ? _ ("as it was") : "…", "same");
    }
}

static void
ask_baseline (GobanClusterPanel *self)
{
  g_autoptr (GobanEdit) edit = NULL;

  goban_preview_drop (self->baseline);
  if (goban_session_get_current_run (self->session) == NULL
      || goban_session_get_cluster (self->session) == goban_session_get_origin (self->session)
      || !gtk_widget_get_mapped (GTK_WIDGET (self)))
    return;

  edit = new_return (self);
  goban_preview_ask (self->baseline, edit);
}

static void
reset_cb (GobanClusterPanel *self)
{
  g_autoptr (GobanEdit) edit = new_return (self);

  goban_session_edit_async (self->session, edit, NULL, NULL, NULL);
}

/* --- sliders ---------------------------------------------------------------------------------- */

/* (transfer full) */
static GobanEdit *
new_change (GobanClusterPanel *self, GobanNumberSlider *slider, double value)
{
  const Row *row = get_row (self, GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (slider), "row")));
  guint number = GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (slider), "number"));
  GobanEdit *edit = goban_edit_new (
      self->session, row->change.is_link ? GOBAN_EDIT_LINK : GOBAN_EDIT_DEVICE, NULL);

  edit->device = (GobanDeviceId) row->change.from;
  edit->from = row->change.from;
  edit->to = row->change.to;
  edit->is_alike = row->change.is_alike;
  edit->what = numbers_of (row)[number].what;
  edit->value = value;
  return edit;
}

static void
moved_cb (GobanNumberSlider *slider, double value, GobanClusterPanel *self)
{
  g_autoptr (GobanEdit) edit = new_change (self, slider, value);

  self->is_asking = TRUE;
  if (edit->base != NULL)
    goban_preview_ask (self->preview, edit);
}

static void
settled_cb (GobanNumberSlider *slider, double value, GobanClusterPanel *self)
{
  g_autoptr (GobanEdit) edit = new_change (self, slider, value);
  GobanWhatIf change = goban_edit_get_what_if (edit);
  GobanCluster *cluster = goban_session_get_cluster (self->session);

  self->is_asking = FALSE;
  /* Back at its initial value there is nothing to do, unless it stands for several. */
  if (!change.is_alike
      && goban_what_if_get (cluster, goban_session_get_origin (self->session), &change) == value)
    goban_preview_drop (self->preview);
  else
    goban_preview_commit (self->preview, self->session, edit);
}

/* Whether those that were like it are alike still. */
static gboolean
is_mixed (GobanClusterPanel *self, guint first, const GobanWhatIf *change)
{
  GobanCluster *cluster = goban_session_get_cluster (self->session);
  guint class = get_row (self, first)->cluster_class;
  double value = goban_what_if_get (cluster, self->origin, change);

  if (!change->is_alike)
    return FALSE;
  for (guint i = first + 1; i < self->rows->len && get_row (self, i)->cluster_class == class; i++)
    {
      GobanWhatIf other = get_row (self, i)->change;

      other.what = change->what;
      if (goban_what_if_get (cluster, self->origin, &other) != value)
        return TRUE;
    }
  return FALSE;
}

static void
update_row (GobanClusterPanel *self, guint i)
{
  Row *row = get_row (self, i);
  GobanCluster *cluster = goban_session_get_cluster (self->session);

  for (guint k = 0; row->widget != NULL && k < MOST_NUMBERS; k++)
    {
      GobanWhatIf change = row->change;

      if (row->sliders[k] == NULL)
        continue;
      change.what = numbers_of (row)[k].what;
      if (!goban_number_slider_is_moving (row->sliders[k]))
        goban_number_slider_set_value (row->sliders[k],
                                       goban_what_if_get (cluster, self->origin, &change),
                                       is_mixed (self, i, &change));
    }
}

/* Whether a device has that number itself, or uses that of another type. */
static gboolean
has_number (GobanClusterPanel *self, const Row *row, const char *what)
{
  const GobanRating *rating
      = row->change.is_link ? NULL : goban_rating_find (goban_device_ratings, what, NULL);

  return rating == NULL
         || G_STRUCT_MEMBER (
                double, goban_cluster_get_device (self->origin, (GobanDeviceId) row->change.from),
                rating->offset)
                > 0
         || !g_str_has_suffix (what, "_flops");
}

static void
build_slider (GobanClusterPanel *self, guint i, guint k, GtkWidget *box)
{
  Row *row = get_row (self, i);
  const Number *number = &numbers_of (row)[k];
  GobanWhatIf change = row->change;
  GobanNumberScale scale;
  GtkWidget *slider;

  change.what = number->what;
  scale = goban_number_scale_around (number->unit,
                                     goban_what_if_get (self->origin, self->origin, &change));
  slider = goban_number_slider_new (number->title, row->name, &scale);
  g_object_set_data (G_OBJECT (slider), "row", GUINT_TO_POINTER (i));
  g_object_set_data (G_OBJECT (slider), "number", GUINT_TO_POINTER (k));
  g_signal_connect (slider, "moved", G_CALLBACK (moved_cb), self);
  g_signal_connect (slider, "settled", G_CALLBACK (settled_cb), self);
  gtk_box_append (GTK_BOX (box), slider);
  row->sliders[k] = GOBAN_NUMBER_SLIDER (slider);
}

static void
more_cb (GtkExpander *expander, GParamSpec *pspec, GobanClusterPanel *self)
{
  guint i = GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (expander), "row"));
  const Row *row = get_row (self, i);

  for (guint k = N_SEEN; k < MOST_NUMBERS; k++)
    if (row->sliders[k] == NULL && has_number (self, row, device_numbers[k].what))
      build_slider (self, i, k, gtk_expander_get_child (expander));
  update_row (self, i);
}

/* A row's sliders are made when they are first to be seen: 56 links would be 112. */
static void
build_row (GobanClusterPanel *self, guint i, GtkWidget *list)
{
  Row *row = get_row (self, i);
  GtkWidget *head = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *name = goban_short_label_new (GOBAN_KEEP_START, 0);

  row->widget = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  goban_short_label_set_text (GOBAN_SHORT_LABEL (name), row->name);
  gtk_widget_set_hexpand (name, TRUE);
  gtk_widget_add_css_class (name, "owner");
  if (!row->change.is_link && !row->change.is_alike)
    gtk_box_append (GTK_BOX (head),
                    goban_swatch_new_for_device (self->theme, row->change.from, 22, 13));
  gtk_box_append (GTK_BOX (head), name);
  gtk_box_append (GTK_BOX (row->widget), head);
  gtk_widget_add_css_class (row->widget, "clusterrow");
  for (guint k = 0; k < N_SEEN; k++)
    build_slider (self, i, k, row->widget);
  if (!row->change.is_link)
    {
      row->more = gtk_expander_new (_ ("Peaks and efficiencies"));
      gtk_expander_set_child (GTK_EXPANDER (row->more), gtk_box_new (GTK_ORIENTATION_VERTICAL, 0));
      g_object_set_data (G_OBJECT (row->more), "row", GUINT_TO_POINTER (i));
      g_signal_connect (row->more, "notify::expanded", G_CALLBACK (more_cb), self);
      gtk_box_append (GTK_BOX (row->widget), row->more);
    }
  gtk_box_append (GTK_BOX (list), row->widget);
  update_row (self, i);
}

/* --- rows ------------------------------------------------------------------------------------- */

static void
clear_row (gpointer data)
{
  g_free (((Row *) data)->name);
}

static void
add_row (GobanClusterPanel *self, char *name, GobanWhatIf change)
{
  Row row = { .name = name, .change = change, .cluster_class = self->classes->len };

  g_array_append_val (self->rows, row);
}

static char *
name_link (const GobanCluster *cluster, guint from, guint to)
{
  return g_strdup_printf ("%s–%s", goban_cluster_get_vertex_name (cluster, from),
                          goban_cluster_get_vertex_name (cluster, to));
}

/* A class of the rows from @first on: if they are several, one row for all comes before them. */
static void
end_class (GobanClusterPanel *self, guint first, const char *of_many)
{
  Class class = { .row = first };
  guint n = self->rows->len - first;

  if (n > 1)
    {
      Row all = *get_row (self, first);

      all.name = g_strdup_printf (_ ("all %u %s"), n, of_many);
      all.change.is_alike = TRUE;
      g_array_insert_val (self->rows, first, all);
    }
  g_array_append_val (self->classes, class);
}

static void
list_devices (GobanClusterPanel *self)
{
  guint n = goban_cluster_get_n_devices (self->origin);
  g_autofree guint8 *is_listed = g_malloc0 (n);

  for (guint d = 0; d < n; d++)
    {
      guint first = self->rows->len;
      const GobanDevice *device = goban_cluster_get_device (self->origin, (GobanDeviceId) d);
      g_autofree char *devices = g_strdup_printf (_ ("%s devices"), device->kind);

      if (is_listed[d])
        continue;
      for (guint o = d; o < n; o++)
        if (!is_listed[o]
            && goban_what_if_devices_alike (self->origin, (GobanDeviceId) d, (GobanDeviceId) o))
          {
            is_listed[o] = TRUE;
            add_row (self,
                     g_strdup (goban_cluster_get_device (self->origin, (GobanDeviceId) o)->name),
                     (GobanWhatIf){ .from = o });
          }
      end_class (self, first, devices);
    }
}

/* Both directions are one: the second of them is not listed. */
static gboolean
is_way_back (const GobanCluster *cluster, guint link)
{
  const GobanLink *that = goban_cluster_get_link (cluster, link);

  for (guint i = 0; i < link; i++)
    if (goban_cluster_get_link (cluster, i)->from == that->to
        && goban_cluster_get_link (cluster, i)->to == that->from)
      return TRUE;
  return FALSE;
}

static void
list_links (GobanClusterPanel *self)
{
  guint n = goban_cluster_get_n_links (self->origin);
  g_autofree guint8 *is_listed = g_malloc0 (MAX (n, 1));

  for (guint i = 0; i < n; i++)
    is_listed[i] = is_way_back (self->origin, i);
  for (guint i = 0; i < n; i++)
    {
      guint first = self->rows->len;

      if (is_listed[i])
        continue;
      for (guint o = i; o < n; o++)
        if (!is_listed[o] && goban_what_if_links_alike (self->origin, i, o))
          {
            const GobanLink *link = goban_cluster_get_link (self->origin, o);

            is_listed[o] = TRUE;
            add_row (self, name_link (self->origin, link->from, link->to),
                     (GobanWhatIf){ .is_link = TRUE, .from = link->from, .to = link->to });
          }
      end_class (self, first, _ ("links"));
    }
}

/* --- the list --------------------------------------------------------------------------------- */

static guint
class_end (GobanClusterPanel *self, guint c)
{
  return c + 1 < self->classes->len ? g_array_index (self->classes, Class, c + 1).row
                                    : self->rows->len;
}

static void
open_class (GobanClusterPanel *self, guint c)
{
  Class *class = &g_array_index (self->classes, Class, c);

  for (guint i = class->row + 1; i < class_end (self, c); i++)
    if (get_row (self, i)->widget == NULL)
      build_row (self, i, class->list);
}

static void
expanded_cb (GtkExpander *expander, GParamSpec *pspec, GobanClusterPanel *self)
{
  if (gtk_expander_get_expanded (expander))
    open_class (self, GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (expander), "class")));
}

static void
build_class (GobanClusterPanel *self, guint c)
{
  Class *class = &g_array_index (self->classes, Class, c);

  build_row (self, class->row, self->list);
  if (class_end (self, c) - class->row == 1)
    return;

  class->list = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  class->single = gtk_expander_new (_ ("Each by itself"));
  gtk_expander_set_child (GTK_EXPANDER (class->single), class->list);
  g_object_set_data (G_OBJECT (class->single), "class", GUINT_TO_POINTER (c));
  g_signal_connect (class->single, "notify::expanded", G_CALLBACK (expanded_cb), self);
  gtk_box_append (GTK_BOX (self->list), class->single);
}

static gboolean
matches (const char *name, const char *text)
{
  return *text == '\0' || strstr (name, text) != NULL;
}

static void
apply_filter (GobanClusterPanel *self)
{
  const char *text = gtk_editable_get_text (GTK_EDITABLE (self->filter));

  for (guint c = 0; c < self->classes->len; c++)
    {
      Class *class = &g_array_index (self->classes, Class, c);
      guint n_shown = 0;

      if (*text != '\0')
        open_class (self, c);
      for (guint i = class->row + 1; i < class_end (self, c); i++)
        {
          gboolean is_shown = matches (get_row (self, i)->name, text);

          n_shown += is_shown;
          if (get_row (self, i)->widget != NULL)
            gtk_widget_set_visible (get_row (self, i)->widget, is_shown);
        }
      gtk_widget_set_visible (get_row (self, class->row)->widget,
                              matches (get_row (self, class->row)->name, text));
      if (class->single == NULL)
        continue;
      gtk_widget_set_visible (class->single, n_shown > 0);
      gtk_expander_set_expanded (GTK_EXPANDER (class->single), *text != '\0' && n_shown > 0);
    }
}

static void
build_list (GobanClusterPanel *self)
{
  gboolean was_link = FALSE;

  goban_remove_children (self->list);
  g_array_set_size (self->rows, 0);
  g_array_set_size (self->classes, 0);
  list_devices (self);
  list_links (self);
  gtk_box_append (GTK_BOX (self->list), goban_new_heading (_ ("Devices")));
  for (guint c = 0; c < self->classes->len; c++)
    {
      gboolean is_link
          = get_row (self, g_array_index (self->classes, Class, c).row)->change.is_link;

      if (is_link && !was_link)
        gtk_box_append (GTK_BOX (self->list), goban_new_heading (_ ("Links, both ways")));
      was_link = is_link;
      build_class (self, c);
    }
  gtk_widget_set_visible (self->filter, self->rows->len >= LEAST_FILTERED);
  gtk_editable_set_text (GTK_EDITABLE (self->filter), "");
}

/* --- following the session -------------------------------------------------------------------- */

static void
cluster_changed_cb (GobanClusterPanel *self)
{
  GobanCluster *origin = goban_session_get_origin (self->session);

  /* An invisible panel is updated when it is shown. */
  if (!gtk_widget_get_mapped (GTK_WIDGET (self)))
    return;
  if (origin != self->origin)
    {
      goban_cluster_ref (origin);
      g_clear_pointer (&self->origin, goban_cluster_unref);
      self->origin = origin;
      build_list (self);
    }
  for (guint i = 0; i < self->rows->len; i++)
    update_row (self, i);
  ask_baseline (self);
  update_total (self);
}

static void
run_changed_cb (GobanClusterPanel *self)
{
  if (!gtk_widget_get_mapped (GTK_WIDGET (self)))
    return;
  ask_baseline (self);
  update_total (self);
}

static void
goban_cluster_panel_map (GtkWidget *widget)
{
  GTK_WIDGET_CLASS (goban_cluster_panel_parent_class)->map (widget);
  cluster_changed_cb (GOBAN_CLUSTER_PANEL (widget));
}

static void
goban_cluster_panel_dispose (GObject *object)
{
  GobanClusterPanel *self = GOBAN_CLUSTER_PANEL (object);

  if (self->is_asking)
    goban_preview_drop (self->preview);
  self->is_asking = FALSE;
  goban_remove_children (GTK_WIDGET (self));
  g_clear_pointer (&self->rows, g_array_unref);
  g_clear_pointer (&self->classes, g_array_unref);
  g_clear_pointer (&self->origin, goban_cluster_unref);
  g_clear_object (&self->baseline);
  g_clear_object (&self->session);

  G_OBJECT_CLASS (goban_cluster_panel_parent_class)->dispose (object);
}

static void
goban_cluster_panel_class_init (GobanClusterPanelClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = goban_cluster_panel_dispose;
  widget_class->map = goban_cluster_panel_map;
  gtk_widget_class_set_css_name (widget_class, "clusterpanel");
  goban_template_set (widget_class, "panels/cluster-panel.ui");
  GOBAN_TEMPLATE_CHILDREN (widget_class, GobanClusterPanel, total, difference, reset, filter, list);
  GOBAN_TEMPLATE_CALLBACKS (widget_class, reset_cb, apply_filter);
}

static void
goban_cluster_panel_init (GobanClusterPanel *self)
{
  self->rows = g_array_new (FALSE, FALSE, sizeof (Row));
  g_array_set_clear_func (self->rows, clear_row);
  self->classes = g_array_new (FALSE, FALSE, sizeof (Class));
  self->baseline = goban_preview_new ();
  goban_template_init (GTK_WIDGET (self));
}

GtkWidget *
goban_cluster_panel_new (GobanSession *session)
{
  GobanClusterPanel *self = g_object_new (GOBAN_TYPE_CLUSTER_PANEL, NULL);

  self->session = g_object_ref (session);
  self->preview = goban_preview_of (session);
  GOBAN_CONNECT (session, "notify::cluster", cluster_changed_cb, self);
  GOBAN_CONNECT (session, "notify::current-run", run_changed_cb, self);
  GOBAN_CONNECT (self->preview, "changed", update_total, self);
  GOBAN_CONNECT (self->baseline, "changed", update_total, self);
  return GTK_WIDGET (self);
}

void
goban_cluster_panel_set_theme (GobanClusterPanel *self, GobanTheme theme)
{
  g_return_if_fail (GOBAN_IS_CLUSTER_PANEL (self));

  if (self->theme == theme)
    return;
  self->theme = theme;
  g_clear_pointer (&self->origin, goban_cluster_unref);
  cluster_changed_cb (self);
}

void
goban_cluster_panel_show (GobanClusterPanel *self, const char *text)
{
  g_return_if_fail (GOBAN_IS_CLUSTER_PANEL (self) && text != NULL);

  gtk_editable_set_text (GTK_EDITABLE (self->filter), text);
  apply_filter (self);
  for (guint i = 0; i < self->rows->len; i++)
    if (get_row (self, i)->widget != NULL && matches (get_row (self, i)->name, text))
      {
        goban_number_slider_grab_focus (get_row (self, i)->sliders[0]);
        return;
      }
}

GtkExpander *
goban_cluster_panel_get_more (GobanClusterPanel *self, const char *owner)
{
  g_return_val_if_fail (GOBAN_IS_CLUSTER_PANEL (self), NULL);

  for (guint i = 0; i < self->rows->len; i++)
    if (g_str_equal (get_row (self, i)->name, owner) && get_row (self, i)->more != NULL)
      return GTK_EXPANDER (get_row (self, i)->more);
  return NULL;
}

GobanNumberSlider *
goban_cluster_panel_find (GobanClusterPanel *self, const char *owner, const char *title)
{
  g_return_val_if_fail (GOBAN_IS_CLUSTER_PANEL (self), NULL);

  for (guint i = 0; i < self->rows->len; i++)
    for (guint k = 0; numbers_of (get_row (self, i))[k].title != NULL; k++)
      if (g_str_equal (get_row (self, i)->name, owner)
          && g_str_equal (numbers_of (get_row (self, i))[k].title, title))
        return get_row (self, i)->sliders[k];
  return NULL;
}
