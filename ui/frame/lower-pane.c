#include "ui/frame/lower-pane.h"

#include "engine/core/i18n.h"
#include "engine/study/training/training-list.h"
#include "ui/console/control-panel.h"
#include "ui/widgets/template.h"

struct _GobanLowerPane
{
  GObject parent;

  GobanSite site;
  GtkWidget *halves; /* the box, and the script and the training beside it */
  GtkWidget *box;
  GtkWidget *stack;
  GtkWidget *switcher;
  GobanConsoleView *console;
  GtkWidget *controls; /* of scripts */
  GobanScriptView *script;
  GobanNodeTable *table;
  GobanNotesView *notes;
  GobanTrainingView *training;
  gboolean has_evaluator;
};

G_DEFINE_FINAL_TYPE (GobanLowerPane, goban_lower_pane, G_TYPE_OBJECT)

static gboolean
is_page_visible (GobanLowerPane *self, GtkWidget *page)
{
  return gtk_stack_page_get_visible (gtk_stack_get_page (GTK_STACK (self->stack), page));
}

/* A page that has just been asked for comes to the front. */
static void
show_page (GobanLowerPane *self, GtkWidget *page, gboolean is_visible)
{
  gboolean is_new = is_visible && !is_page_visible (self, page);

  gtk_widget_set_visible (page, is_visible);
  gtk_stack_page_set_visible (gtk_stack_get_page (GTK_STACK (self->stack), page), is_visible);
  if (is_new)
    gtk_stack_set_visible_child (GTK_STACK (self->stack), page);
}

void
goban_lower_pane_update (GobanLowerPane *self)
{
  gboolean has_graph = goban_session_get_graph (self->site.session) != NULL;
  gboolean has_console
      = self->has_evaluator && goban_site_get_toggle (&self->site, GOBAN_SETTING_CONSOLE);
  gboolean has_table = has_graph && goban_site_get_toggle (&self->site, GOBAN_SETTING_TABLE);
  gboolean has_notes = has_graph && goban_site_get_toggle (&self->site, GOBAN_SETTING_NOTES);
  gboolean has_script = self->has_evaluator && goban_site_get_toggle (&self->site, "script-pane");
  guint n_pages = has_console + has_table + has_notes;
  gboolean has_training = goban_site_get_toggle (&self->site, "training-pane")
                          && goban_training_view_get_training (self->training) != NULL;

  show_page (self, GTK_WIDGET (self->console), has_console);
  show_page (self, GTK_WIDGET (self->table), has_table);
  show_page (self, GTK_WIDGET (self->notes), has_notes);
  gtk_widget_set_visible (self->switcher, n_pages > 1);
  /* Hidden only by its parent: GTK 4.8 keeps a focus that is hidden twice at once. */
  gtk_widget_set_visible (self->box, n_pages > 0 || !(has_training || has_script));
  gtk_widget_set_visible (GTK_WIDGET (self->script), has_script);
  gtk_widget_set_visible (GTK_WIDGET (self->training), has_training);
  gtk_widget_set_visible (self->halves, n_pages > 0 || has_training || has_script);
}

/* (transfer full) (nullable): a window without settings keeps no history either. */
static char *
dup_history_path (GobanLowerPane *self)
{
  if (self->site.settings == NULL)
    return NULL;

  return g_build_filename (g_get_user_state_dir (), "goban", "history", NULL);
}

/* Hidden until it is asked for. */
static void
add_page (GobanLowerPane *self, GtkWidget *page, const char *name, const char *title)
{
  GtkStackPage *added = gtk_stack_add_titled (GTK_STACK (self->stack), page, name, title);

  gtk_stack_page_set_visible (added, FALSE);
}

/* Beside the pages. */
static void
add_half (GobanLowerPane *self, GtkWidget *half)
{
  gtk_widget_set_size_request (half, 300, 190);
  gtk_box_append (GTK_BOX (self->halves), half);
}

static void
build (GobanLowerPane *self)
{
  GtkBuilder *builder = goban_template_load ("frame/lower-pane.ui", "halves");
  GObject *session = G_OBJECT (self->site.session);
  g_autofree char *history = dup_history_path (self);

  self->box = goban_template_get (builder, "box");
  self->stack = goban_template_get (builder, "stack");
  self->switcher = goban_template_get (builder, "switcher");
  self->controls = goban_control_panel_new (goban_controls_of (session));
  gtk_box_append (GTK_BOX (goban_template_get (builder, "row")), self->controls);
  self->halves = goban_template_take (builder, "halves");

  self->console = GOBAN_CONSOLE_VIEW (goban_console_view_new (history));
  self->script = GOBAN_SCRIPT_VIEW (goban_script_view_new (self->console));
  self->table = GOBAN_NODE_TABLE (goban_node_table_new (self->site.session));
  self->notes = GOBAN_NOTES_VIEW (goban_notes_view_new (self->site.session));
  self->training = GOBAN_TRAINING_VIEW (goban_training_view_new (goban_training_list_of (session)));
  add_page (self, GTK_WIDGET (self->console), "console", _ ("Console"));
  add_page (self, GTK_WIDGET (self->table), "nodes", _ ("Nodes"));
  add_page (self, GTK_WIDGET (self->notes), "notes", _ ("Notes"));
  add_half (self, GTK_WIDGET (self->script));
  add_half (self, GTK_WIDGET (self->training));
}

GtkWidget *
goban_lower_pane_get_widget (GobanLowerPane *self)
{
  return self->halves;
}

GobanConsoleView *
goban_lower_pane_get_console (GobanLowerPane *self)
{
  return self->console;
}

GobanScriptView *
goban_lower_pane_get_script (GobanLowerPane *self)
{
  return self->script;
}

void
goban_lower_pane_show_console (GobanLowerPane *self)
{
  gtk_stack_set_visible_child (GTK_STACK (self->stack), GTK_WIDGET (self->console));
}

GobanNodeTable *
goban_lower_pane_get_table (GobanLowerPane *self)
{
  return self->table;
}

GobanNotesView *
goban_lower_pane_get_notes (GobanLowerPane *self)
{
  return self->notes;
}

GobanTrainingView *
goban_lower_pane_get_training (GobanLowerPane *self)
{
  return self->training;
}

void
goban_lower_pane_set_evaluator (GobanLowerPane *self, GobanConsoleEvaluator *evaluator)
{
  self->has_evaluator = evaluator != NULL;
  goban_console_view_set_evaluator (self->console, evaluator);
  goban_script_view_set_evaluator (self->script, evaluator);
}

static void
copy_rows (GobanLowerPane *self, GVariant *parameter)
{
  goban_node_table_copy (self->table);
  goban_site_hint (&self->site, "%s", _ ("Copied the rows"));
}

static void
help (GobanLowerPane *self, GVariant *parameter)
{
  GtkWidget *focus = gtk_window_get_focus (GTK_WINDOW (self->site.window));

  if (focus == NULL || !gtk_widget_is_ancestor (focus, GTK_WIDGET (self->console))
      || !goban_console_view_help (self->console))
    goban_site_activate (&self->site, "shortcuts", NULL);
}

static const GobanCommand commands[] = {
  { "copy-rows", G_CALLBACK (copy_rows) },
  { "help", G_CALLBACK (help) },
};

/* --- construction and disposal --------------------------------------------------------------- */

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
