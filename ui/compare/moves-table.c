#include "ui/compare/moves-table.h"

#include "engine/core/i18n.h"
#include "engine/core/quantity.h"
#include "engine/session/session-marks.h"
#include "ui/draw/shorten.h"
#include "ui/widgets/template.h"
#include "ui/widgets/text.h"

#include <math.h>
#include <string.h>

/* Clusters with more devices show only those that take part in moves. */
#define MAX_DEVICES 24
/* A table of more devices is set closely, so that eight can be seen at once. */
#define MAX_LOOSE 5
/* Numbers from here on need the room, too. */
#define LARGE_COUNT 10000
#define N_LEVELS 5
/* In place of a device: all of them. */
#define ALL G_MAXUINT

struct _GobanMovesTable
{
  GtkWidget parent;

  GobanSession *session;
  GobanDifference *difference; /* (nullable) */
  GtkWidget *scroller;
  GtkWidget *grid;
  GtkWidget *none; /* says that nothing moved */
};

/* What a button stands for. */
typedef struct
{
  guint from;
  guint to;
} Cell;

G_DEFINE_FINAL_TYPE (GobanMovesTable, goban_moves_table, GTK_TYPE_WIDGET)

/* --- selecting -------------------------------------------------------------------------------- */

static GobanSelection *
find_nodes (GobanMovesTable *self, const Cell *cell)
{
  guint n_devices = self->difference->n_devices;
  GobanSelection *all = goban_selection_new (NULL, 0);

  for (guint from = 0; from < n_devices; from++)
    for (guint to = 0; to < n_devices; to++)
      {
        g_autoptr (GobanSelection) moves = NULL;
        GobanSelection *more;

        if ((cell->from != ALL && cell->from != from) || (cell->to != ALL && cell->to != to)
            || goban_difference_get_n_moves (self->difference, (GobanDeviceId) from,
                                             (GobanDeviceId) to)
                   == 0)
          continue;
        moves = goban_difference_dup_moves (self->difference, (GobanDeviceId) from,
                                            (GobanDeviceId) to);
        more = goban_selection_union (all, moves);
        goban_selection_unref (all);
        all = more;
      }
  return all;
}

static void
clicked_cb (GtkButton *button, GobanMovesTable *self)
{
  const Cell *cell = g_object_get_data (G_OBJECT (button), "goban-cell");
  g_autoptr (GobanSelection) nodes = NULL;

  if (self->difference == NULL)
    return;
  nodes = find_nodes (self, cell);
  goban_session_set_selection (self->session, nodes);
}

/* --- cells ------------------------------------------------------------------------------------ */

static const char *
device_name (GobanMovesTable *self, guint device)
{
  GobanCluster *cluster = goban_run_get_cluster (self->difference->after);

  return goban_cluster_get_device (cluster, (GobanDeviceId) device)->name;
}

static guint
count (GobanMovesTable *self, guint from, guint to)
{
  guint n_devices = self->difference->n_devices;
  guint n = 0;

  for (guint f = from == ALL ? 0 : from; f < (from == ALL ? n_devices : from + 1); f++)
    for (guint t = to == ALL ? 0 : to; t < (to == ALL ? n_devices : to + 1); t++)
      n += goban_difference_get_n_moves (self->difference, (GobanDeviceId) f, (GobanDeviceId) t);
  return n;
}

static char *
describe (GobanMovesTable *self, guint from, guint to, guint n)
{
  const char *nodes = n == 1 ? "node" : "nodes";
  char number[GOBAN_QUANTITY_LEN];

  goban_format_grouped (number, n);
  if (from == ALL && to == ALL)
    return g_strdup_printf (_ ("%s %s moved: select them"), number, nodes);
  if (to == ALL)
    return g_strdup_printf (_ ("%s %s left %s: select them"), number, nodes,
                            device_name (self, from));
  if (from == ALL)
    return g_strdup_printf (_ ("%s %s came to %s: select them"), number, nodes,
                            device_name (self, to));
  return g_strdup_printf (_ ("%s %s moved from %s to %s: select them"), number, nodes,
                          device_name (self, from), device_name (self, to));
}

static GtkWidget *
new_label (const char *text, const char *css_class)
{
  GtkWidget *label = goban_new_label (text);

  gtk_widget_add_css_class (label, css_class);
  return label;
}

static gboolean
query_tooltip_cb (GtkWidget *button, int x, int y, gboolean by_keyboard, GtkTooltip *tooltip,
                  GobanMovesTable *self)
{
  const Cell *cell = g_object_get_data (G_OBJECT (button), "goban-cell");
  g_autofree char *words = NULL;
  g_autofree char *shown = NULL;

  if (self->difference == NULL)
    return FALSE;
  words = describe (self, cell->from, cell->to, count (self, cell->from, cell->to));
  shown = goban_cut_long (words, GOBAN_KEEP_START, GOBAN_MAX_TIP_CHARS);
  gtk_tooltip_set_text (tooltip, shown);
  return TRUE;
}

static GtkWidget *
new_cell (GobanMovesTable *self, guint from, guint to, guint n_most)
{
  guint n = count (self, from, to);
  char text[GOBAN_QUANTITY_LEN];
  g_autofree char *words = NULL;
  GtkWidget *button;
  Cell *cell;

  if (n == 0)
    return new_label ("0", "nothing");
  goban_format_grouped (text, n);

  button = gtk_button_new_with_label (text);
  gtk_button_set_has_frame (GTK_BUTTON (button), FALSE);
  gtk_widget_add_css_class (button, "cell");
  if (from == ALL || to == ALL)
    {
      gtk_widget_add_css_class (button, "total");
    }
  else
    {
      guint level = (guint) (1 + floor ((N_LEVELS - 1) * sqrt ((double) n / n_most)));
      g_autofree char *name = g_strdup_printf ("level%u", level);

      gtk_widget_add_css_class (button, name);
    }
  words = describe (self, from, to, n);
  goban_set_accessible_label (button, words);
  cell = g_new (Cell, 1);
  *cell = (Cell){ from, to };
  g_object_set_data_full (G_OBJECT (button), "goban-cell", cell, g_free);
  /* Setting a text makes GTK query the pointer, for each of up to 80 cells. */
  gtk_widget_set_has_tooltip (button, TRUE);
  g_signal_connect_object (button, "query-tooltip", G_CALLBACK (query_tooltip_cb), self, 0);
  g_signal_connect_object (button, "clicked", G_CALLBACK (clicked_cb), self, 0);
  return button;
}

/* Few enough to be seen: all, or those that something left or came to. (transfer full) */
static GArray *
choose_devices (GobanMovesTable *self)
{
  guint n = self->difference->n_devices;
  GArray *devices = g_array_new (FALSE, FALSE, sizeof (guint));

  for (guint d = 0; d < n; d++)
    if (n <= MAX_DEVICES || count (self, d, ALL) + count (self, ALL, d) > 0)
      g_array_append_val (devices, d);
  return devices;
}

static void
fill_row (GobanMovesTable *self, const GArray *devices, guint row, guint n_most)
{
  guint from = g_array_index (devices, guint, row);
  GtkWidget *name = new_label (device_name (self, from), "device");

  gtk_label_set_xalign (GTK_LABEL (name), 0);
  gtk_grid_attach (GTK_GRID (self->grid), name, 0, (int) row + 1, 1, 1);
  for (guint column = 0; column < devices->len; column++)
    {
      guint to = g_array_index (devices, guint, column);

      gtk_grid_attach (GTK_GRID (self->grid),
                       from == to ? new_label ("·", "diagonal") : new_cell (self, from, to, n_most),
                       (int) column + 1, (int) row + 1, 1, 1);
    }
  gtk_grid_attach (GTK_GRID (self->grid), new_cell (self, from, ALL, n_most),
                   (int) devices->len + 1, (int) row + 1, 1, 1);
}

/* "gpu:0", or "0" in narrow columns. */
static GtkWidget *
new_column_title (GobanMovesTable *self, guint device, gboolean is_dense)
{
  const char *name = device_name (self, device);
  const char *number = is_dense ? strrchr (name, ':') : NULL;
  GtkWidget *label = new_label (number != NULL ? number + 1 : name, "device");

  goban_set_tooltip (label, name);
  return label;
}

static void
fill_grid (GobanMovesTable *self)
{
  g_autoptr (GArray) devices = choose_devices (self);
  gboolean is_dense = devices->len > MAX_LOOSE || count (self, ALL, ALL) >= LARGE_COUNT;
  guint n_most = 1;

  if (is_dense)
    gtk_widget_add_css_class (self->grid, "dense");
  else
    gtk_widget_remove_css_class (self->grid, "dense");

  for (guint i = 0; i < devices->len; i++)
    for (guint j = 0; j < devices->len; j++)
      n_most = MAX (n_most, count (self, g_array_index (devices, guint, i),
                                   g_array_index (devices, guint, j)));

  gtk_grid_attach (GTK_GRID (self->grid), new_label (_ ("from \\ to"), "corner"), 0, 0, 1, 1);
  for (guint i = 0; i < devices->len; i++)
    {
      guint device = g_array_index (devices, guint, i);

      gtk_grid_attach (GTK_GRID (self->grid), new_column_title (self, device, is_dense),
                       (int) i + 1, 0, 1, 1);
      fill_row (self, devices, i, n_most);
      gtk_grid_attach (GTK_GRID (self->grid), new_cell (self, ALL, device, n_most), (int) i + 1,
                       (int) devices->len + 1, 1, 1);
    }
  gtk_grid_attach (GTK_GRID (self->grid), new_label (_ ("all"), "device"), (int) devices->len + 1,
                   0, 1, 1);
  gtk_grid_attach (GTK_GRID (self->grid), new_label (_ ("all"), "device"), 0,
                   (int) devices->len + 1, 1, 1);
  gtk_grid_attach (GTK_GRID (self->grid), new_cell (self, ALL, ALL, n_most), (int) devices->len + 1,
                   (int) devices->len + 1, 1, 1);
}

static void
clear_grid (GobanMovesTable *self)
{
  goban_remove_children (self->grid);
}

static void
goban_moves_table_dispose (GObject *object)
{
  GobanMovesTable *self = GOBAN_MOVES_TABLE (object);

  goban_remove_children (GTK_WIDGET (self));
  g_clear_pointer (&self->difference, goban_difference_unref);
  g_clear_object (&self->session);

  G_OBJECT_CLASS (goban_moves_table_parent_class)->dispose (object);
}

static void
goban_moves_table_class_init (GobanMovesTableClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = goban_moves_table_dispose;
  gtk_widget_class_set_css_name (widget_class, "movestable");
  goban_template_set (widget_class, "compare/moves-table.ui");
  GOBAN_TEMPLATE_CHILDREN (widget_class, GobanMovesTable, scroller, grid, none);
}

static void
goban_moves_table_init (GobanMovesTable *self)
{
  goban_template_init (GTK_WIDGET (self));
}

GtkWidget *
goban_moves_table_new (GobanSession *session)
{
  GobanMovesTable *self = g_object_new (GOBAN_TYPE_MOVES_TABLE, NULL);

  self->session = g_object_ref (session);
  return GTK_WIDGET (self);
}

static gboolean
has_same_moves (const GobanDifference *a, const GobanDifference *b)
{
  return a != NULL && b != NULL && a->before == b->before && a->after == b->after;
}

void
goban_moves_table_set_difference (GobanMovesTable *self, GobanDifference *difference)
{
  gboolean is_same, has_moves;

  g_return_if_fail (GOBAN_IS_MOVES_TABLE (self));

  is_same = has_same_moves (self->difference, difference);
  if (difference != NULL)
    goban_difference_ref (difference);
  g_clear_pointer (&self->difference, goban_difference_unref);
  self->difference = difference;
  /* Another threshold scrolls nothing, and the focus stays. */
  if (is_same)
    return;

  clear_grid (self);
  has_moves = difference != NULL && count (self, ALL, ALL) > 0;
  gtk_widget_set_visible (self->scroller, has_moves);
  gtk_widget_set_visible (self->none, !has_moves);
  if (has_moves)
    fill_grid (self);
}
