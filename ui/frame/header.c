#include "ui/frame/header.h"

#include "engine/core/i18n.h"
#include "engine/core/quantity.h"
#include "engine/session/compare-set-looks.h"
#include "engine/session/document/document.h"
#include "engine/session/preview.h"
#include "engine/session/session-history.h"
#include "engine/study/analysis/effect.h"
#include "engine/study/run/graph-source.h"
#include "ui/panels/action-menu.h"
#include "ui/panels/place-menu.h"
#include "ui/panels/plan-list.h"
#include "ui/widgets/actions.h"
#include "ui/widgets/short-label.h"
#include "ui/widgets/switcher.h"
#include "ui/widgets/template.h"
#include "ui/widgets/text.h"
#include <gtk/gtk.h>

/* Most characters of a cluster's name on its button. */
/* Characters of the file's name: the switcher folds before it is cut further. */
#define TITLE_CHARS 20
#define NARROW_TITLE_CHARS 8
#define MAX_CLUSTER_CHARS 28

struct _GobanHeader
{
  GObject parent;

  GobanSite site;
  GobanPictures *pictures; /* borrowed; NULL at first */
  GtkWidget *bar;
  GtkWidget *switcher;
  GtkWidget *plan_button;
  GtkWidget *title;
  GtkWidget *subtitle;
  GtkWidget *cluster_button;
  GtkWidget *place_button;
  GtkWidget *undo_button;
  gboolean is_narrow; /* the switcher is beside the other buttons, and not in the middle */
  GMenuModel *menu;   /* the main menu; its undo and redo labels are updated ... */
  guint label_id;     /* ... by this source, or 0 */
};

GOBAN_DEFINE_PART (GobanHeader, goban_header)

static const struct
{
  const char *name;
  const char *label;
} workspaces[] = {
  { "explore", N_ ("Explore") }, { "decisions", N_ ("Decisions") }, { "compare", N_ ("Compare") },
  { "train", N_ ("Train") },     { "script", N_ ("Script") },
};

/* A row of a popover of choices: a name, and below it in small a description. It activates @action
 * with @target and closes @popover. */
static GtkWidget *
new_choice (GtkWidget *popover, const char *title, const char *blurb, const char *action,
            const char *target)
{
  GtkWidget *row = gtk_button_new ();
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *name = goban_new_label (title);
  GtkWidget *note = goban_new_label (blurb);

  gtk_label_set_xalign (GTK_LABEL (name), 0.0);
  gtk_label_set_xalign (GTK_LABEL (note), 0.0);
  gtk_label_set_wrap (GTK_LABEL (note), TRUE);
  gtk_label_set_max_width_chars (GTK_LABEL (note), 52);
  gtk_widget_add_css_class (note, "note");
  gtk_box_append (GTK_BOX (box), name);
  gtk_box_append (GTK_BOX (box), note);
  gtk_button_set_child (GTK_BUTTON (row), box);
  goban_set_accessible_label (row, title);
  gtk_widget_add_css_class (row, "flat");
  gtk_actionable_set_action_name (GTK_ACTIONABLE (row), action);
  if (target != NULL)
    gtk_actionable_set_action_target (GTK_ACTIONABLE (row), "s", target);
  g_signal_connect_swapped (row, "clicked", G_CALLBACK (gtk_popover_popdown), popover);
  return row;
}

/* Made when it is first opened: a row for every policy. */
static void
make_place_menu_cb (GtkMenuButton *button, gpointer user_data)
{
  GobanHeader *self = user_data;
  GtkWidget *menu;

  if (gtk_menu_button_get_popover (button) != NULL)
    return;
  menu = goban_place_menu_new (self->site.session);
  gtk_menu_button_set_popover (button, menu);
  /* GTK would move the focus to the button, where the keys of the pictures do nothing. */
  goban_pictures_follow_closing (self->pictures, menu);
}

/* Likewise: few look at it while the plans are beside the graph. */
static void
make_plans_cb (GtkMenuButton *button, gpointer user_data)
{
  GobanHeader *self = user_data;
  GtkWidget *popover, *plans;

  if (gtk_menu_button_get_popover (button) != NULL)
    return;
  popover = gtk_popover_new ();
  plans = goban_plan_list_new (self->site.session);
  gtk_widget_set_size_request (plans, 280, 320);
  gtk_popover_set_child (GTK_POPOVER (popover), plans);
  gtk_menu_button_set_popover (button, popover);
}

static void
add_clusters (GtkWidget *popover, GtkBox *rows)
{
  const char *const *presets = goban_cluster_presets ();

  /* A pattern, "equal:N", is offered with two devices. */
  for (guint i = 0; presets[i] != NULL; i += 2)
    gtk_box_append (rows,
                    new_choice (popover, presets[i], _ (presets[i + 1]), "win.cluster",
                                g_str_has_prefix (presets[i], "equal:") ? "equal:2" : presets[i]));
  gtk_box_append (rows, gtk_separator_new (GTK_ORIENTATION_HORIZONTAL));
  gtk_box_append (rows, new_choice (popover, _ ("Cluster File…"),
                                    _ (goban_action_find ("cluster-file")->help),
                                    "win.cluster-file", NULL));
  gtk_box_append (rows, gtk_separator_new (GTK_ORIENTATION_HORIZONTAL));
  gtk_box_append (rows, new_choice (popover, _ ("Devices and Links…"),
                                    _ (goban_action_find ("devices")->help), "win.devices", ""));
}

/* Likewise: its submenus have a widget for each command. */
static void
make_main_menu_cb (GtkMenuButton *button, gpointer user_data)
{
  GobanHeader *self = user_data;

  if (gtk_menu_button_get_menu_model (button) == NULL)
    gtk_menu_button_set_menu_model (button, self->menu);
}

/* A toggle for each workspace, as the table of the commands has them. */
static GtkWidget *
new_workspaces (void)
{
  GtkWidget *switcher = g_object_new (GOBAN_TYPE_SWITCHER, "name", "workspaces", NULL);
  guint k = 0;
  gsize n;
  const GobanActionInfo *infos = goban_actions (&n);

  for (gsize i = 0; i < n; i++)
    if (g_str_equal (infos[i].name, "workspace"))
      {
        GtkWidget *toggle = gtk_toggle_button_new_with_label (_ (workspaces[k].label));
        g_autofree char *keys = goban_action_dup_keys (&infos[i]);
        g_autofree char *tooltip = g_strdup_printf ("%s (%s)", _ (infos[i].help), keys);

        gtk_actionable_set_action_name (GTK_ACTIONABLE (toggle), "win.workspace");
        gtk_actionable_set_action_target (GTK_ACTIONABLE (toggle), "s", workspaces[k].name);
        gtk_widget_set_focus_on_click (toggle, FALSE);
        goban_set_tooltip (toggle, tooltip);
        goban_switcher_add (GOBAN_SWITCHER (switcher), toggle);
        k++;
      }
  g_assert (k == G_N_ELEMENTS (workspaces));
  goban_set_accessible_label (switcher, _ ("Workspace"));
  return switcher;
}

static void
build (GobanHeader *self)
{
  GtkBuilder *builder = goban_template_load ("frame/header.ui", "bar");
  GtkBuilder *clusters = goban_template_load ("frame/header.ui", "cluster_button");
  g_autofree char *place_tooltip = goban_action_tooltip ("choose-policy");

  self->plan_button = goban_template_get (builder, "plan_button");
  self->title = goban_template_get (builder, "title");
  self->subtitle = goban_template_get (builder, "subtitle");
  goban_short_label_set_keep (GOBAN_SHORT_LABEL (self->title), GOBAN_KEEP_ENDS);
  goban_short_label_set_min_chars (GOBAN_SHORT_LABEL (self->title), TITLE_CHARS);
  self->place_button = goban_template_get (builder, "place_button");
  self->undo_button = goban_template_get (builder, "undo_button");
  self->menu = goban_actions_make_menu ();
  add_clusters (goban_template_get (clusters, "clusters"),
                GTK_BOX (goban_template_get (clusters, "cluster_rows")));
  self->cluster_button = g_object_ref_sink (goban_template_take (clusters, "cluster_button"));
  gtk_menu_button_set_create_popup_func (GTK_MENU_BUTTON (self->plan_button), make_plans_cb, self,
                                         NULL);
  goban_set_tooltip (self->place_button, place_tooltip);
  gtk_menu_button_set_create_popup_func (GTK_MENU_BUTTON (self->place_button), make_place_menu_cb,
                                         self, NULL);
  gtk_menu_button_set_create_popup_func (
      GTK_MENU_BUTTON (goban_template_get (builder, "menu_button")), make_main_menu_cb, self, NULL);
  self->switcher = new_workspaces ();
  self->bar = goban_template_take (builder, "bar");
  gtk_header_bar_set_title_widget (GTK_HEADER_BAR (self->bar), self->switcher);
}

/* A cluster that is described lane by lane must not widen the window. (transfer full) */
static char *
dup_short (const char *name)
{
  g_autofree char *start = NULL;

  if (g_utf8_strlen (name, -1) <= MAX_CLUSTER_CHARS)
    return g_strdup (name);
  start = g_utf8_substring (name, 0, MAX_CLUSTER_CHARS - 1);
  return g_strconcat (start, "…", NULL);
}

static void
choose_policy (GobanHeader *self, GVariant *parameter)
{
  if (goban_session_get_graph (self->site.session) != NULL)
    gtk_menu_button_popup (GTK_MENU_BUTTON (self->place_button));
}

/* --- the title -------------------------------------------------------------------------------- */

/* With the previewed change: "heft  ·  182.4 ms → 176.1 ms  ·  −3.4 %". @tried: (nullable). */
static void
show_plan (GobanHeader *self, GobanRun *run, GobanRun *tried)
{
  GobanShortLabel *label = GOBAN_SHORT_LABEL (self->subtitle);
  char before[GOBAN_QUANTITY_LEN], after[GOBAN_QUANTITY_LEN];
  gboolean is_tried = run != NULL && tried != NULL && tried != run;
  g_autofree char *time = NULL;
  g_autofree char *note = NULL;
  g_autofree char *text = NULL;

  gtk_widget_set_visible (self->subtitle, run != NULL);
  if (run == NULL)
    return;
  time = is_tried ? g_strdup_printf ("%s → %s", goban_format_makespan (before, run),
                                     goban_format_makespan (after, tried))
                  : g_strdup (goban_format_makespan (before, run));
  if (is_tried)
    {
      GobanEffect effect = goban_effect_new (run, tried);
      g_autofree char *share = goban_effect_describe_share (&effect);

      note = g_strdup_printf ("  ·  %s", share);
    }
  else
    note = g_strdup (goban_trace_is_valid (goban_run_get_trace (run)) ? "" : _ ("  ·  invalid"));
  text = g_strdup_printf ("%s  ·  %s%s", goban_run_get_name (run), time, note);
  goban_short_label_set_text (label, text);
  goban_short_label_set_brief (label, time);
}

/* "Plan: go-finetune, 2.212 ms". @run: (nullable) */
static void
name_plan_button (GobanHeader *self, GobanRun *run)
{
  char time[GOBAN_QUANTITY_LEN];
  g_autofree char *label = run != NULL
                               ? g_strdup_printf (_ ("Plan: %s, %s"), goban_run_get_name (run),
                                                  goban_format_makespan (time, run))
                               : g_strdup (_ ("No plan yet"));

  goban_set_accessible_label (self->plan_button, label);
}

void
goban_header_update (GobanHeader *self)
{
  GobanGraph *graph = goban_session_get_graph (self->site.session);
  GobanRun *run = goban_session_get_current_run (self->site.session);
  GobanPreview *preview = goban_preview_of (self->site.session);
  GobanCompareSet *set = goban_session_get_compare_set (self->site.session);
  GobanDocument *document = goban_document_get (self->site.session);
  const char *file = goban_document_get_path (document);
  const char *path = file != NULL ? file : goban_session_get_path (self->site.session);
  const char *mark = goban_document_is_changed (document) ? "• " : "";
  const char *cluster = goban_cluster_get_name (goban_session_get_cluster (self->site.session));
  g_autofree char *name = NULL;
  g_autofree char *short_cluster = NULL;
  g_autofree char *title = NULL;
  g_autofree char *shown = NULL;
  g_autofree char *place = NULL;

  name = graph != NULL ? goban_graph_source_dup_title (path, graph) : g_strdup ("Goban");
  title = graph != NULL ? g_strdup_printf (_ ("%s%s – Goban"), mark, name) : g_strdup ("Goban");
  if (g_strcmp0 (gtk_window_get_title (GTK_WINDOW (self->site.window)), title) != 0)
    gtk_window_set_title (GTK_WINDOW (self->site.window), title);
  shown = g_strconcat (mark, name, NULL);
  goban_short_label_set_text (GOBAN_SHORT_LABEL (self->title), shown);
  place = path != NULL ? g_filename_display_name (path) : NULL;
  goban_set_tooltip (self->title, place);
  show_plan (self, goban_compare_set_is_racing (set) ? NULL : run, goban_preview_get_run (preview));
  gtk_widget_set_visible (self->plan_button, graph != NULL);
  gtk_widget_set_visible (self->place_button, graph != NULL);
  name_plan_button (self, run);
  /* Another label is another widget. */
  short_cluster = dup_short (cluster);
  if (g_strcmp0 (gtk_menu_button_get_label (GTK_MENU_BUTTON (self->cluster_button)), short_cluster)
      != 0)
    gtk_menu_button_set_label (GTK_MENU_BUTTON (self->cluster_button), short_cluster);
  goban_set_accessible_label (self->cluster_button, cluster);
  gtk_widget_set_sensitive (self->place_button, graph != NULL);
}

/* --- undo and redo ---------------------------------------------------------------------------- */

/* (transfer full) */
static char *
label_command (const char *action, const char *name)
{
  const GobanActionInfo *info = goban_action_find (action);

  return name != NULL ? g_strdup_printf ("%s: %s", _ (info->label), name)
                      : g_strdup (_ (info->label));
}

/* Changing a menu takes as long as half of an edit's listeners, and it is closed while edits are
 * made. */
static gboolean
label_menu_cb (gpointer user_data)
{
  GobanHeader *self = user_data;
  g_autofree char *undo = label_command ("undo", goban_session_get_undo_name (self->site.session));
  g_autofree char *redo = label_command ("redo", goban_session_get_redo_name (self->site.session));

  self->label_id = 0;
  goban_actions_set_label (self->menu, "undo", undo);
  goban_actions_set_label (self->menu, "redo", redo);
  return G_SOURCE_REMOVE;
}

/* Menu, tooltip and button name the change that would be undone. */
static void
update_command (GobanHeader *self, const char *action, GtkWidget *button, const char *name)
{
  const GobanActionInfo *info = goban_action_find (action);
  g_autofree char *tooltip = goban_action_tooltip (action);
  g_autofree char *spoken = NULL;
  GAction *command = g_action_map_lookup_action (G_ACTION_MAP (self->site.window), action);

  if (name != NULL)
    {
      spoken = g_strdup_printf ("%s: %s", _ (info->help), name);
      g_free (tooltip);
      tooltip = goban_action_tooltip_for (action, spoken);
    }
  /* Most edits leave one of the two as it is. */
  if (g_strcmp0 (gtk_widget_get_tooltip_text (button), tooltip) == 0
      && g_action_get_enabled (command) == (name != NULL))
    return;
  goban_set_tooltip (button, tooltip);
  goban_set_accessible_label (button, spoken != NULL ? spoken : _ (info->help));
  g_simple_action_set_enabled (G_SIMPLE_ACTION (command), name != NULL);
  if (self->label_id == 0)
    self->label_id = g_idle_add_full (GDK_PRIORITY_REDRAW + 10, label_menu_cb, self, NULL);
}

void
goban_header_update_history (GobanHeader *self)
{
  static const char *const redo[] = { "redo", NULL };

  update_command (self, "undo", self->undo_button,
                  goban_session_get_undo_name (self->site.session));
  goban_site_set_enabled (&self->site, redo,
                          goban_session_get_redo_name (self->site.session) != NULL);
}

GtkWidget *
goban_header_get_widget (GobanHeader *self)
{
  return self->bar;
}

void
goban_header_set_pictures (GobanHeader *self, GobanPictures *pictures)
{
  g_return_if_fail (GOBAN_IS_HEADER (self));

  self->pictures = pictures;
}

void
goban_header_set_narrow (GobanHeader *self, gboolean is_narrow)
{
  GtkHeaderBar *bar = GTK_HEADER_BAR (self->bar);

  g_return_if_fail (GOBAN_IS_HEADER (self));

  if (is_narrow == self->is_narrow)
    return;
  self->is_narrow = is_narrow;
  g_object_ref (self->switcher);
  gtk_header_bar_set_title_widget (bar, is_narrow ? gtk_label_new (NULL) : NULL);
  if (is_narrow)
    gtk_header_bar_pack_end (bar, self->switcher);
  else
    {
      gtk_header_bar_remove (bar, self->switcher);
      gtk_header_bar_set_title_widget (bar, self->switcher);
    }
  g_object_unref (self->switcher);
  goban_switcher_set_folded (GOBAN_SWITCHER (self->switcher), is_narrow);
  goban_short_label_set_min_chars (GOBAN_SHORT_LABEL (self->title),
                                   is_narrow ? NARROW_TITLE_CHARS : TITLE_CHARS);
  gtk_widget_set_visible (self->undo_button, !is_narrow);
}

GtkWidget *
goban_header_get_cluster_button (GobanHeader *self)
{
  return self->cluster_button;
}

GMenuModel *
goban_header_get_menu (GobanHeader *self)
{
  return self->menu;
}

static void
follow (GobanHeader *self)
{
  static const char *const titles[] = { "notify::graph", "notify::cluster", "notify::current-run" };
  static const char *const marks[] = { "notify::changed", "notify::path", "touched" };
  GobanSession *session = self->site.session;

  for (gsize i = 0; i < G_N_ELEMENTS (titles); i++)
    GOBAN_CONNECT (session, titles[i], goban_header_update, self);
  for (gsize i = 0; i < G_N_ELEMENTS (marks); i++)
    GOBAN_CONNECT (goban_document_get (session), marks[i], goban_header_update, self);
  GOBAN_CONNECT (goban_session_get_compare_set (session), "notify::racing", goban_header_update,
                 self);
  GOBAN_CONNECT (goban_preview_of (session), "changed", goban_header_update, self);
  GOBAN_CONNECT (session, "notify::undo-name", goban_header_update_history, self);
  GOBAN_CONNECT (session, "notify::redo-name", goban_header_update_history, self);
}

static const GobanCommand commands[] = {
  { "choose-policy", G_CALLBACK (choose_policy) },
};

static void
goban_header_clear (GobanHeader *self)
{
  g_clear_handle_id (&self->label_id, g_source_remove);
  g_clear_object (&self->menu);
  g_clear_object (&self->cluster_button);
}

GobanHeader *
goban_header_new (const GobanSite *site)
{
  GobanHeader *self = g_object_new (GOBAN_TYPE_HEADER, NULL);

  self->site = *site;
  build (self);
  follow (self);
  goban_site_connect (site, commands, G_N_ELEMENTS (commands), self);
  return self;
}
