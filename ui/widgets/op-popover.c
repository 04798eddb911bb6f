#include "ui/widgets/op-popover.h"

#include "engine/core/i18n.h"
#include "ui/widgets/template.h"

#include <math.h>

#define USUAL_TIME_US 100
#define USUAL_BYTES 1e6

struct _GobanOpPopover
{
  GtkPopover parent;

  GtkWidget *name;
  GtkWidget *op;
  GtkWidget *time;
  GtkWidget *kilobytes;
  GtkWidget *add;
};

G_DEFINE_FINAL_TYPE (GobanOpPopover, goban_op_popover, GTK_TYPE_POPOVER)

/* A typed number counts without a Tab after it. */
static void
choose_cb (GobanOpPopover *self)
{
  gtk_spin_button_update (GTK_SPIN_BUTTON (self->time));
  gtk_spin_button_update (GTK_SPIN_BUTTON (self->kilobytes));
  gtk_popover_popdown (GTK_POPOVER (self));
  g_signal_emit_by_name (self, "chosen");
}

static void
goban_op_popover_class_init (GobanOpPopoverClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  goban_signal_add (klass, "chosen", 0);
  goban_template_set (widget_class, "widgets/op-popover.ui");
  GOBAN_TEMPLATE_CHILDREN (widget_class, GobanOpPopover, name, op, time, kilobytes, add);
  GOBAN_TEMPLATE_CALLBACKS (widget_class, choose_cb);
}

static void
goban_op_popover_init (GobanOpPopover *self)
{
  goban_template_init (GTK_WIDGET (self));
}

GtkWidget *
goban_op_popover_new (GtkWidget *parent)
{
  GtkWidget *self = g_object_new (GOBAN_TYPE_OP_POPOVER, NULL);

  gtk_widget_set_parent (self, parent);
  return self;
}

void
goban_op_popover_set (GobanOpPopover *self, const GobanGraph *graph, GobanNodeId node,
                      const char *name)
{
  const GobanNode *data = node != GOBAN_NO_NODE ? goban_graph_get_node (graph, node) : NULL;
  double time_us = data != NULL && goban_graph_get_n_kinds (graph) > 0
                       ? goban_graph_get_time_us (graph, node, 0)
                       : (double) NAN;
  double bytes = data != NULL ? goban_graph_get_output_bytes (graph, node) : USUAL_BYTES;

  g_return_if_fail (GOBAN_IS_OP_POPOVER (self));

  gtk_editable_set_text (GTK_EDITABLE (self->name), data != NULL ? data->name : name);
  /* Others name it. */
  gtk_widget_set_sensitive (self->name, data == NULL);
  gtk_editable_set_text (GTK_EDITABLE (self->op), data != NULL ? data->op : "MatMul");
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (self->time),
                             isfinite (time_us) ? time_us : USUAL_TIME_US);
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (self->kilobytes), bytes / 1000);
  gtk_button_set_label (GTK_BUTTON (self->add), data == NULL ? _ ("_Add") : _ ("_Change"));
}

void
goban_op_popover_get (GobanOpPopover *self, GobanDrawChange *change)
{
  g_return_if_fail (GOBAN_IS_OP_POPOVER (self));

  change->name = gtk_editable_get_text (GTK_EDITABLE (self->name));
  change->op = gtk_editable_get_text (GTK_EDITABLE (self->op));
  change->time_us = gtk_spin_button_get_value (GTK_SPIN_BUTTON (self->time));
  change->bytes = 1000 * gtk_spin_button_get_value (GTK_SPIN_BUTTON (self->kilobytes));
}
