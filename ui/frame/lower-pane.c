#include "ui/frame/lower-pane.h"

#include "engine/core/i18n.h"
#include "engine/study/training/training-list.h"
#include "ui/widgets/template.h"

const char *const goban_drawer_actions[GOBAN_N_DRAWER_PAGES]
    = { "console-pane", "table-pane", "notes-pane" };

struct _GobanLowerPane
{
  GObject parent;

  GobanSite site;
  GobanLowerPaneParts parts;
  GtkWidget *stack;
  gboolean has_evaluator;
};

G_DEFINE_FINAL_TYPE (GobanLowerPane, goban_lower_pane, G_TYPE_OBJECT)

const GobanLowerPaneParts *
goban_lower_pane_get_parts (GobanLowerPane *self)
{
  return &self->parts;
}

static GtkWidget *
get_page (GobanLowerPane *self, GobanDrawerPage page)
{
  GtkWidget *pages[] = { [GOBAN_DRAWER_CONSOLE] = GTK_WIDGET (self->parts.console),
                         [GOBAN_DRAWER_NODES] = GTK_WIDGET (self->parts.table),
                         [GOBAN_DRAWER_NOTES] = GTK_WIDGET (self->parts.notes) };

  return pages[page];
}

GobanDrawerPage
goban_lower_pane_get_page (GobanLowerPane *self)
{
  GtkWidget *visible = gtk_stack_get_visible_child (GTK_STACK (self->stack));

  return visible == GTK_WIDGET (self->parts.table)   ? GOBAN_DRAWER_NODES
         : visible == GTK_WIDGET (self->parts.notes) ? GOBAN_DRAWER_NOTES
                                                     : GOBAN_DRAWER_CONSOLE;
}

void
goban_lower_pane_show_page (GobanLowerPane *self, GobanDrawerPage page)
{
  gtk_stack_set_visible_child (GTK_STACK (self->stack), get_page (self, page));
}

void
goban_lower_pane_focus_page (GobanLowerPane *self)
{
  GtkWidget *page = get_page (self, goban_lower_pane_get_page (self));

  if (!gtk_widget_grab_focus (page))
    gtk_widget_child_focus (page, GTK_DIR_TAB_FORWARD);
}

static void
offer (GobanLowerPane *self, GobanDrawerPage page, gboolean is_offered)
{
  gtk_stack_page_set_visible (gtk_stack_get_page (GTK_STACK (self->stack), get_page (self, page)),
                              is_offered);
}

/* Without a graph there is nothing in the table, and nothing to take notes of. */
void
goban_lower_pane_update (GobanLowerPane *self)
{
  gboolean has_graph = goban_session_get_graph (self->site.session) != NULL;

  offer (self, GOBAN_DRAWER_CONSOLE, self->has_evaluator);
  offer (self, GOBAN_DRAWER_NODES, has_graph);
  offer (self, GOBAN_DRAWER_NOTES, has_graph);
  if (!has_graph && self->has_evaluator)
    goban_lower_pane_show_page (self, GOBAN_DRAWER_CONSOLE);
  gtk_widget_set_visible (self->parts.box, has_graph || self->has_evaluator);
}

/* (transfer full) (nullable): a window without settings keeps no history either. */
static char *
dup_history_path (GobanLowerPane *self)
{
  if (self->site.settings == NULL)
    return NULL;

  return g_build_filename (g_get_user_state_dir (), "goban", "history", NULL);
}

static void
close_cb (GobanLowerPane *self)
{
  goban_site_set_toggle (&self->site, goban_drawer_actions[goban_lower_pane_get_page (self)],
                         FALSE);
}

/* What has the focus there uses Escape first: a completion, a search. */
static gboolean
key_cb (GtkEventControllerKey *controller, guint keyval, guint keycode, GdkModifierType state,
        GobanLowerPane *self)
{
  if (keyval != GDK_KEY_Escape)
    return GDK_EVENT_PROPAGATE;
  close_cb (self);
  return GDK_EVENT_STOP;
}

static void
build (GobanLowerPane *self)
{
  GtkBuilder *builder = goban_template_load ("frame/lower-pane.ui", "box");
  GObject *session = G_OBJECT (self->site.session);
  g_autofree char *history = dup_history_path (self);
  GtkStack *stack = GTK_STACK (goban_template_get (builder, "stack"));

  self->stack = GTK_WIDGET (stack);
  GOBAN_CONNECT (goban_template_get (builder, "close"), "clicked", close_cb, self);
  self->parts.box = goban_template_take (builder, "box");
  goban_watch_keys (self->parts.box, GTK_PHASE_BUBBLE, G_CALLBACK (key_cb), self);

  self->parts.console = GOBAN_CONSOLE_VIEW (goban_console_view_new (history));
  self->parts.script = GOBAN_SCRIPT_VIEW (goban_script_view_new (self->parts.console));
  self->parts.table = GOBAN_NODE_TABLE (goban_node_table_new (self->site.session));
  self->parts.notes = GOBAN_NOTES_VIEW (goban_notes_view_new (self->site.session));
  self->parts.training
      = GOBAN_TRAINING_VIEW (goban_training_view_new (goban_training_list_of (session)));
  self->parts.new_training = goban_training_page_new ();
  g_signal_connect (self->parts.new_training, "cancelled", G_CALLBACK (gtk_widget_hide), NULL);
  gtk_stack_add_titled (stack, GTK_WIDGET (self->parts.console), "console", _ ("Console"));
  gtk_stack_add_titled (stack, GTK_WIDGET (self->parts.table), "nodes", _ ("Nodes"));
  gtk_stack_add_titled (stack, GTK_WIDGET (self->parts.notes), "notes", _ ("Notes"));
}

void
goban_lower_pane_set_evaluator (GobanLowerPane *self, GobanConsoleEvaluator *evaluator)
{
  self->has_evaluator = evaluator != NULL;
  goban_console_view_set_evaluator (self->parts.console, evaluator);
  goban_script_view_set_evaluator (self->parts.script, evaluator);
}

static void
copy_rows (GobanLowerPane *self, GVariant *parameter)
{
  goban_node_table_copy (self->parts.table);
  goban_site_hint (&self->site, "%s", _ ("Copied the rows"));
}

static void
help (GobanLowerPane *self, GVariant *parameter)
{
  GtkWidget *focus = gtk_window_get_focus (GTK_WINDOW (self->site.window));

  if (focus == NULL || !gtk_widget_is_ancestor (focus, GTK_WIDGET (self->parts.console))
      || !goban_console_view_help (self->parts.console))
    goban_site_activate (&self->site, "shortcuts", NULL);
}

static const GobanCommand commands[] = {
  { "copy-rows", G_CALLBACK (copy_rows) },
  { "help", G_CALLBACK (help) },
};

static void
goban_lower_pane_class_init (GobanLowerPaneClass *klass)
{
}

static void
goban_lower_pane_init (GobanLowerPane *self)
{
}

GobanLowerPane *
goban_lower_pane_new (const GobanSite *site)
{
  GobanLowerPane *self = g_object_new (GOBAN_TYPE_LOWER_PANE, NULL);

  self->site = *site;
  build (self);
  goban_site_connect (site, commands, G_N_ELEMENTS (commands), self);
  return self;
}
