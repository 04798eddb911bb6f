#include "ui/panels/legend.h"

#include "engine/core/i18n.h"
#include "engine/core/jobs/coalescing-worker.h"
#include "engine/core/quantity.h"
#include "engine/graph/delay-lane.h"
#include "engine/session/preview.h"
#include "engine/session/session-runs.h"
#include "engine/study/analysis/coloring.h"
#include "ui/draw/graph/graph-painter.h"
#include "ui/panels/value-histogram.h"
#include "ui/widgets/short-label.h"
#include "ui/widgets/swatch.h"
#include "ui/widgets/template.h"
#include "ui/widgets/text.h"

#define SWATCH_WIDTH 26
#define SWATCH_HEIGHT 14
#define MAX_CHARS 40

struct _GobanLegend
{
  GtkWidget parent;

  GobanSession *session;
  GobanTheme theme;
  GtkWidget *box;
  GtkWidget *choice;
  GPtrArray *colors;    /* words for what the choice has, in its order; the strings are static */
  gboolean is_updating; /* the choice is being set, not made */
  GtkWidget *histogram;
  GtkWidget *note; /* facts that the histogram cannot show */
  GtkWidget *entries;
  guint n_entries;
  GArray *devices; /* DeviceEntry, by number; empty if the entries are of something else */
  guint aim;       /* the device that a drop would go to, or G_MAXUINT */
  GobanCoalescingWorker *values; /* of runs that do not have them yet */
  guint update_id;               /* pending update, or 0 */
  gboolean is_stale;             /* an update waits until it is seen */
};

typedef struct
{
  GtkWidget *row;
  GtkWidget *count; /* (nullable) */
} DeviceEntry;

G_DEFINE_FINAL_TYPE (GobanLegend, goban_legend, GTK_TYPE_WIDGET)

/* --- swatches --------------------------------------------------------------------------- */

typedef struct
{
  GobanRgb fill;
  GobanCue cue;
} Swatch;

static GtkWidget *
new_swatch (Swatch swatch)
{
  return goban_swatch_new (swatch.fill, swatch.cue, SWATCH_WIDTH, SWATCH_HEIGHT);
}

static GtkWidget *
new_text (const char *text, float xalign, const char *css_class)
{
  GtkWidget *label = goban_short_label_new (GOBAN_KEEP_START, xalign);

  goban_short_label_set_max_chars (GOBAN_SHORT_LABEL (label), MAX_CHARS);
  goban_short_label_set_text (GOBAN_SHORT_LABEL (label), text);
  if (css_class != NULL)
    gtk_widget_add_css_class (label, css_class);
  return label;
}

static void
add_entry (GobanLegend *self, Swatch swatch, const char *name, guint count)
{
  int row = (int) self->n_entries++;
  GtkWidget *label = new_text (name, 0.0, NULL);
  char text[GOBAN_QUANTITY_LEN];

  gtk_widget_set_hexpand (label, TRUE);
  gtk_grid_attach (GTK_GRID (self->entries), new_swatch (swatch), 0, row, 1, 1);
  gtk_grid_attach (GTK_GRID (self->entries), label, 1, row, 1, 1);
  gtk_grid_attach (GTK_GRID (self->entries),
                   new_text (goban_format_grouped (text, count), 1.0, "note"), 2, row, 1, 1);
}

/* --- devices ---------------------------------------------------------------------------- */

static void
mark_aim (GobanLegend *self, guint device, gboolean is_aimed)
{
  GtkWidget *row = goban_legend_get_device_entry (self, device);

  if (row != NULL && is_aimed)
    gtk_widget_add_css_class (row, "aimed");
  else if (row != NULL)
    gtk_widget_remove_css_class (row, "aimed");
}

/* In one row of the grid, at @column, with a count or without. */
static void
add_device (GobanLegend *self, GobanCluster *cluster, int column, gboolean is_counted)
{
  guint device = self->devices->len;
  const char *name = goban_cluster_get_device (cluster, (GobanDeviceId) device)->name;
  GtkWidget *label = new_text (name, 0.0, NULL);
  g_autofree char *tip = g_strdup_printf (_ ("Drop nodes here to move them to %s"), name);
  DeviceEntry entry = { .row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8),
                        .count = is_counted ? new_text ("", 1.0, "note") : NULL };

  gtk_widget_set_hexpand (label, TRUE);
  gtk_widget_add_css_class (entry.row, "device");
  if (g_str_equal (name, GOBAN_DELAY_LANE))
    goban_set_tooltip_lines (entry.row, goban_get_delays_text ());
  else
    goban_set_tooltip (entry.row, tip);
  gtk_box_append (GTK_BOX (entry.row),
                  new_swatch ((Swatch){ goban_palette_device (self->theme, device),
                                        goban_palette_cue (device) }));
  gtk_box_append (GTK_BOX (entry.row), label);
  if (is_counted)
    gtk_box_append (GTK_BOX (entry.row), entry.count);
  gtk_grid_attach (GTK_GRID (self->entries), entry.row, column,
                   is_counted ? (int) device : (int) device / 2, 1, 1);
  g_array_append_val (self->devices, entry);
  mark_aim (self, device, device == self->aim);
  self->n_entries++;
}

static void
show_counts (GobanLegend *self, GobanRun *run)
{
  GobanPlan *plan = goban_run_get_plan (run);
  const GobanDeviceId *devices = goban_plan_get_devices (plan);
  g_autofree guint *counts = g_new0 (guint, self->devices->len);
  char text[GOBAN_QUANTITY_LEN];

  for (guint v = 0; v < goban_plan_get_n_nodes (plan); v++)
    if (devices[v] < self->devices->len)
      counts[devices[v]]++;
  for (guint d = 0; d < self->devices->len; d++)
    goban_short_label_set_text (
        GOBAN_SHORT_LABEL (g_array_index (self->devices, DeviceEntry, d).count),
        goban_format_grouped (text, counts[d]));
}

static void
add_devices (GobanLegend *self, GobanRun *run)
{
  GobanCluster *cluster = goban_run_get_cluster (run);

  for (guint d = 0; d < goban_cluster_get_n_devices (cluster); d++)
    add_device (self, cluster, 0, TRUE);
  show_counts (self, run);
}

/* If nodes have another colouring, devices are stripes: named here in little room, two a row. */
static void
add_stripes (GobanLegend *self, GobanRun *run)
{
  GobanCluster *cluster = goban_run_get_cluster (run);

  for (guint d = 0; d < goban_cluster_get_n_devices (cluster); d++)
    add_device (self, cluster, d % 2, FALSE);
}

/* --- other explanations ----------------------------------------------------------------- */

/* Number of ops by fusion class; names of ops repeat, so each is classified once. */
static void
count_families (GobanGraph *graph, guint counts[GOBAN_N_FAMILIES])
{
  g_autoptr (GHashTable) families = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint v = 0; v < goban_graph_get_n_nodes (graph); v++)
    {
      const char *op = goban_graph_get_node (graph, v)->op;
      gpointer family = g_hash_table_lookup (families, op);

      if (family == NULL)
        {
          family = GUINT_TO_POINTER (1 + goban_palette_family (op));
          g_hash_table_insert (families, (gpointer) op, family);
        }
      counts[GPOINTER_TO_UINT (family) - 1]++;
    }
}

static void
add_families (GobanLegend *self, GobanGraph *graph)
{
  guint counts[GOBAN_N_FAMILIES] = { 0 };

  count_families (graph, counts);
  for (int f = 0; f < GOBAN_N_FAMILIES; f++)
    if (counts[f] > 0)
      add_entry (
          self,
          (Swatch){ goban_palette_family_colour (self->theme, (GobanOpFamily) f), GOBAN_CUE_SOLID },
          goban_palette_family_name ((GobanOpFamily) f), counts[f]);
}

/* The histogram, and a text with the facts for which it has no room. */
static void
show_values (GobanLegend *self, GobanNodeValues *values)
{
  g_autoptr (GString) note = g_string_new (NULL);
  char text[GOBAN_QUANTITY_LEN];

  goban_value_histogram_set_values (GOBAN_VALUE_HISTOGRAM (self->histogram), values);
  gtk_widget_set_visible (self->histogram, values != NULL);
  if (values != NULL && values->n_known > 0)
    g_string_append_printf (note, _ ("median %s%s"),
                            goban_node_values_format (values, text, values->median),
                            values->scale == GOBAN_SCALE_LOG    ? ", logarithmic"
                            : values->scale == GOBAN_SCALE_RANK ? ", by rank"
                                                                : "");
  if (values != NULL && values->n_known < values->n_nodes)
    g_string_append_printf (note, _ ("%s%s unknown"), note->len > 0 ? "; " : "",
                            goban_format_grouped (text, values->n_nodes - values->n_known));
  goban_set_label_text (self->note, note->str);
  gtk_widget_set_visible (self->note, note->len > 0);
}

/* --- the choice ---------------------------------------------------------------------------- */

/* A colouring for the list if nodes have it. */
static void
offer_field (GobanLegend *self, GtkStringList *names, const GobanNodeField *field,
             const GobanNodeContext *context)
{
  if (!goban_node_field_is_known (field, context))
    return;
  g_ptr_array_add (self->colors, (gpointer) field->name);
  gtk_string_list_append (names, _ (field->title));
}

static void
offer (GobanLegend *self, GtkStringList *names, const char *color, const char *title)
{
  g_ptr_array_add (self->colors, (gpointer) g_intern_string (color));
  gtk_string_list_append (names, title);
}

/* The most used colourings first, then every other number. */
static void
offer_fields (GobanLegend *self, GtkStringList *names, const GobanNodeContext *context)
{
  static const char *const first[]
      = { "priority", "cost", "memory",  "bytes",       "start", "finish",
          "slack",    "wait", "entropy", "micro_batch", NULL };
  gsize n;
  const GobanNodeField *fields = goban_node_field_table (&n);

  for (gsize i = 0; first[i] != NULL; i++)
    offer_field (self, names, goban_node_field_find (first[i], NULL), context);
  for (gsize i = 0; i < n; i++)
    if (fields[i].kind != GOBAN_FIELD_TEXT && !fields[i].is_rank
        && !g_strv_contains (first, fields[i].name))
      offer_field (self, names, &fields[i], context);
}

static GtkStringList *
list_choices (GobanLegend *self)
{
  GobanView *view = goban_session_get_view (self->session);
  GobanNodeValues *script = goban_view_get_script_values (view);
  GobanNodeContext context
      = { goban_session_get_costs (self->session), goban_session_get_shown_run (self->session) };
  GtkStringList *names = gtk_string_list_new (NULL);

  g_ptr_array_set_size (self->colors, 0);
  if (context.run != NULL)
    offer (self, names, "device", _ ("Device"));
  offer (self, names, "op", _ ("Operation"));
  if (goban_session_get_graph (self->session) != NULL)
    offer_fields (self, names, &context);
  if (script != NULL)
    offer (self, names, "script", script->name);
  return names;
}

/* The effective colouring of the pictures: another one if nodes have no values for the view's. */
static const char *
shown_color (GobanLegend *self)
{
  const char *color = goban_view_get_color (goban_session_get_view (self->session));
  guint n = self->colors->len;

  if (g_str_equal (color, "prio"))
    color = "priority";
  for (guint i = 0; i < n; i++)
    if (g_str_equal (self->colors->pdata[i], color))
      return self->colors->pdata[i];
  return self->colors->pdata[0];
}

static gboolean
is_same_list (GListModel *a, GListModel *b)
{
  guint n = g_list_model_get_n_items (a);

  if (n != g_list_model_get_n_items (b))
    return FALSE;
  for (guint i = 0; i < n; i++)
    if (!g_str_equal (gtk_string_list_get_string (GTK_STRING_LIST (a), i),
                      gtk_string_list_get_string (GTK_STRING_LIST (b), i)))
      return FALSE;
  return TRUE;
}

static void
update_choice (GobanLegend *self)
{
  g_autoptr (GtkStringList) names = list_choices (self);
  GtkDropDown *choice = GTK_DROP_DOWN (self->choice);
  guint at = 0;

  self->is_updating = TRUE;
  if (!is_same_list (G_LIST_MODEL (names), gtk_drop_down_get_model (choice)))
    gtk_drop_down_set_model (choice, G_LIST_MODEL (names));
  while (self->colors->pdata[at] != shown_color (self))
    at++;
  gtk_drop_down_set_selected (choice, at);
  self->is_updating = FALSE;
}

static void
chosen_cb (GtkDropDown *choice, GParamSpec *pspec, GobanLegend *self)
{
  guint at = gtk_drop_down_get_selected (choice);

  if (!self->is_updating && at < self->colors->len)
    goban_view_set_color (goban_session_get_view (self->session), self->colors->pdata[at]);
}

/* --- values from a worker ------------------------------------------------------------------ */

typedef struct
{
  GobanRun *run;
  char *color;
} Question;

static void
question_free (gpointer data)
{
  Question *question = data;

  goban_run_unref (question->run);
  g_free (question->color);
  g_free (question);
}

/* The run keeps the result: the job only reports that it is there. */
static gpointer
values_worker (const GobanProgress *progress, gpointer data, GError **error)
{
  const Question *question = data;
  GobanNodeContext context = { goban_run_get_costs (question->run), question->run };
  g_autoptr (GobanNodeValues) values = goban_color_get_values (question->color, &context);

  return goban_run_ref (question->run);
}

/* The old explanation stays until the values are there. */
static void
ask_values (GobanLegend *self)
{
  Question *question = g_new (Question, 1);

  question->run = goban_run_ref (goban_session_get_shown_run (self->session));
  question->color = g_strdup (goban_view_get_color (goban_session_get_view (self->session)));
  goban_coalescing_worker_ask (self->values, question);
}

/* --- following the session ----------------------------------------------------------------- */

/* During a preview, the nodes are counted on their new devices. */
static GobanRun *
counted_run (GobanLegend *self, GobanRun *run)
{
  GobanRun *tried = goban_preview_get_run (goban_preview_of (self->session));

  return tried != NULL && goban_run_get_graph (tried) == goban_run_get_graph (run) ? tried : run;
}

static void
show (GobanLegend *self)
{
  GobanGraph *graph = goban_session_get_graph (self->session);
  GobanRun *run = goban_session_get_shown_run (self->session);
  g_autoptr (GobanNodeValues) values = goban_session_dup_color_values (self->session);

  goban_remove_children (self->entries);
  g_array_set_size (self->devices, 0);
  self->n_entries = values != NULL;
  update_choice (self);
  show_values (self, values);

  if (graph == NULL)
    return;
  if (g_str_equal (shown_color (self), "op"))
    add_families (self, graph);
  else if (run != NULL && values == NULL)
    add_devices (self, counted_run (self, run));
  else if (run != NULL)
    add_stripes (self, run);
}

static void
update (GobanLegend *self)
{
  self->is_stale = FALSE;
  if (goban_session_has_color_values (self->session))
    show (self);
  else
    ask_values (self);
}

static gboolean
update_cb (gpointer user_data)
{
  GobanLegend *self = user_data;

  self->update_id = 0;
  self->is_stale = !gtk_widget_get_mapped (GTK_WIDGET (self));
  if (!self->is_stale)
    update (self);
  return G_SOURCE_REMOVE;
}

static void
goban_legend_map (GtkWidget *widget)
{
  GTK_WIDGET_CLASS (goban_legend_parent_class)->map (widget);
  if (GOBAN_LEGEND (widget)->is_stale)
    update (GOBAN_LEGEND (widget));
}

/* After the next frame, and once however much has changed: the pictures come first. A legend that
 * is not seen is not made: runs that are stepped through would each get their counts. */
static void
update_later (GobanLegend *self)
{
  if (self->update_id == 0)
    self->update_id = g_idle_add_full (GDK_PRIORITY_REDRAW + 10, update_cb, self, NULL);
}

/* Rows are kept: a drag finds them by their place. */
static void
preview_changed_cb (GobanLegend *self)
{
  GobanRun *run = goban_session_get_shown_run (self->session);

  if (!g_str_equal (shown_color (self), "device") || run == NULL)
    return;
  if (self->devices->len == goban_cluster_get_n_devices (goban_run_get_cluster (run)))
    show_counts (self, counted_run (self, run));
  else
    show (self);
}

static void
take_values (gpointer run, gpointer user_data)
{
  GobanLegend *self = user_data;

  if (goban_session_has_color_values (self->session))
    show (self);
  goban_run_unref (run);
}

static const GobanCoalescingWorkerKind values_kind
    = { "Counting what nodes are coloured by", values_worker, question_free,
        (GDestroyNotify) goban_run_unref, take_values };

static void
goban_legend_dispose (GObject *object)
{
  GobanLegend *self = GOBAN_LEGEND (object);

  g_clear_handle_id (&self->update_id, g_source_remove);
  g_clear_pointer (&self->values, goban_coalescing_worker_free);
  goban_remove_children (GTK_WIDGET (self));
  g_clear_object (&self->session);
  g_clear_pointer (&self->colors, g_ptr_array_unref);
  g_clear_pointer (&self->devices, g_array_unref);

  G_OBJECT_CLASS (goban_legend_parent_class)->dispose (object);
}

static void
goban_legend_class_init (GobanLegendClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = goban_legend_dispose;
  widget_class->map = goban_legend_map;
  gtk_widget_class_set_css_name (widget_class, "legend");
  goban_template_set (widget_class, "panels/legend.ui");
  GOBAN_TEMPLATE_CHILDREN (widget_class, GobanLegend, box, choice, note, entries);
  GOBAN_TEMPLATE_CALLBACKS (widget_class, chosen_cb);
}

static void
goban_legend_init (GobanLegend *self)
{
  self->colors = g_ptr_array_new ();
  self->devices = g_array_new (FALSE, FALSE, sizeof (DeviceEntry));
  self->aim = G_MAXUINT;
  self->values = goban_coalescing_worker_new (&values_kind, self);
  goban_template_init (GTK_WIDGET (self));
}

GtkWidget *
goban_legend_new (GobanSession *session)
{
  static const char *const watched[] = { "notify::cluster", "notify::shown-run" };
  GobanLegend *self = g_object_new (GOBAN_TYPE_LEGEND, NULL);

  self->session = g_object_ref (session);
  self->histogram = goban_value_histogram_new (session);
  gtk_box_insert_child_after (GTK_BOX (self->box), self->histogram, self->choice);
  GOBAN_CONNECT (session, "notify::graph", update, self);
  for (gsize i = 0; i < G_N_ELEMENTS (watched); i++)
    GOBAN_CONNECT (session, watched[i], update_later, self);
  GOBAN_CONNECT (goban_session_get_view (session), "notify::color", update, self);
  GOBAN_CONNECT (goban_preview_of (session), "changed", preview_changed_cb, self);
  update (self);

  return GTK_WIDGET (self);
}

void
goban_legend_set_theme (GobanLegend *self, GobanTheme theme)
{
  g_return_if_fail (GOBAN_IS_LEGEND (self));

  self->theme = theme;
  goban_value_histogram_set_theme (GOBAN_VALUE_HISTOGRAM (self->histogram), self->theme);
  update (self);
}

guint
goban_legend_get_n_entries (GobanLegend *self)
{
  g_return_val_if_fail (GOBAN_IS_LEGEND (self), 0);

  if (self->update_id != 0 || self->is_stale)
    {
      g_clear_handle_id (&self->update_id, g_source_remove);
      update (self);
    }
  return self->n_entries;
}

guint
goban_legend_find_device (GobanLegend *self, GtkWidget *widget, double x, double y)
{
  graphene_point_t point = GRAPHENE_POINT_INIT ((float) x, (float) y);

  g_return_val_if_fail (GOBAN_IS_LEGEND (self), G_MAXUINT);

  for (guint d = 0; gtk_widget_get_mapped (GTK_WIDGET (self)) && d < self->devices->len; d++)
    {
      graphene_rect_t bounds;

      if (gtk_widget_compute_bounds (goban_legend_get_device_entry (self, d), widget, &bounds)
          && graphene_rect_contains_point (&bounds, &point))
        return d;
    }
  return G_MAXUINT;
}

void
goban_legend_aim (GobanLegend *self, guint device)
{
  g_return_if_fail (GOBAN_IS_LEGEND (self));

  mark_aim (self, self->aim, FALSE);
  self->aim = device;
  mark_aim (self, device, TRUE);
}

GtkWidget *
goban_legend_get_device_entry (GobanLegend *self, guint device)
{
  g_return_val_if_fail (GOBAN_IS_LEGEND (self), NULL);

  return device < self->devices->len ? g_array_index (self->devices, DeviceEntry, device).row
                                     : NULL;
}
