#include "ui/panels/place-menu.h"

#include "engine/core/i18n.h"
#include "engine/core/quantity.h"
#include "engine/session/chosen-folders.h"
#include "engine/session/session-log.h"
#include "engine/study/run/guest-policy.h"
#include "ui/panels/task-choice.h"
#include "ui/widgets/short-label.h"
#include "ui/widgets/template.h"
#include "ui/widgets/text.h"

#include <string.h>

#define NO_LIMIT N_ ("no limit")

/* The last choice for a policy. */
typedef struct
{
  gboolean is_set;
  double evaluations;
  double seconds;
} Budget;

/* The chosen policy and its budget. */
typedef struct
{
  GtkWidget *box;
  GtkWidget *name;
  GtkWidget *blurb;
  GtkWidget *more; /* unfolds the next three */
  GtkWidget *about;
  GtkWidget *network;
  GtkWidget *source;
  GtkWidget *evaluations;
  GtkWidget *duration;
  GtkWidget *seconds;
  GtkWidget *seed;
  GtkWidget *tasks;
  GtkWidget *hint; /* without a limit */
  GtkWidget *start;
} BudgetPage;

struct _GobanPlaceMenu
{
  GtkPopover parent;

  GobanSession *session;
  GobanPolicyInfo *policies; /* (n_policies) */
  Budget *budgets;           /* (n_policies) */
  gsize n_policies;
  guint version; /* of the list of policies that is shown */
  gsize shown;   /* the chosen policy */

  GtkWidget *search;
  GtkWidget *rows; /* headings and policies: first those to start with, then all */
  GtkWidget *all;  /* a toggle */
  BudgetPage page;
};

G_DEFINE_FINAL_TYPE (GobanPlaceMenu, goban_place_menu, GTK_TYPE_POPOVER)

static const struct
{
  const char *effort;
  const char *title;
  const char *note;
} groups[] = {
  { NULL, N_ ("Start here"), NULL },
  { "quick", N_ ("Quick"), N_ ("one pass over the graph") },
  { "search", N_ ("Search"), N_ ("simulates plan after plan until its budget is spent") },
  { "learned", N_ ("Learned"), N_ ("the same, and trains a network meanwhile") },
};

/* The first group. The last one is chosen at first: its plans are the shortest. */
static const char *const first_policies[] = { "critical-path", "go-zeroshot", "go-finetune" };

static GtkWidget *
new_label (const char *text, const char *css_class)
{
  GtkWidget *label = goban_new_label (text);

  gtk_label_set_xalign (GTK_LABEL (label), 0.0);
  if (css_class != NULL)
    gtk_widget_add_css_class (label, css_class);
  return label;
}

/* --- finding a policy ------------------------------------------------------------------------- */

/* (nullable): of a heading */
static const char *
get_policy (GtkWidget *row)
{
  return g_object_get_data (G_OBJECT (row), "goban-policy");
}

/* How well a policy fits what is typed: 3 is its name, 2 its beginning, 1 a part; 0: not. */
static int
rank_policy (const char *policy, const char *typed)
{
  if (g_str_equal (policy, typed))
    return 3;
  if (g_str_has_prefix (policy, typed))
    return 2;
  return strstr (policy, typed) != NULL;
}

/* (transfer full) */
static char *
dup_typed (GobanPlaceMenu *self)
{
  g_autofree char *text = g_utf8_strdown (gtk_editable_get_text (GTK_EDITABLE (self->search)), -1);

  return g_strdup (g_strstrip (text));
}

/* --- durations -------------------------------------------------------------------------------- */

/* The time of one simulation, with the decisions before it, in microseconds for an op of the graph;
 * measured on Inception-v3 with 4 devices. */
static double
guess_op_us (const GobanPolicyInfo *info)
{
  if (info->default_evaluations == 0)
    return 10;
  return info->has_network ? 8 : g_str_equal (info->effort, "learned") ? 20 : 0.5;
}

/* Seconds per simulation: as the policy's last plan of this graph took, if it has made one. */
static double
estimate_simulation (GobanPlaceMenu *self, const GobanPolicyInfo *info)
{
  GListModel *runs = goban_session_get_runs (self->session);
  GobanGraph *graph = goban_session_get_graph (self->session);

  for (guint i = g_list_model_get_n_items (runs); i > 0; i--)
    {
      GobanRun *run = goban_run_list_get (runs, i - 1);

      if (g_str_equal (goban_plan_get_policy (goban_run_get_plan (run)), info->name)
          && goban_run_get_origin (run)->seconds > 0)
        return goban_run_get_origin (run)->seconds
               / (double) goban_run_get_origin (run)->evaluations;
    }
  return graph != NULL ? goban_graph_get_n_nodes (graph) * guess_op_us (info) / 1e6 : 0;
}

/* (transfer full) */
static char *
dup_duration (GobanPlaceMenu *self, const GobanPolicyInfo *info, double evaluations, double limit_s)
{
  double seconds = estimate_simulation (self, info) * MAX (evaluations, 1);
  g_autofree char *text = NULL;

  if (limit_s > 0 && (evaluations == 0 || limit_s < seconds))
    seconds = limit_s;
  if (seconds < 1)
    return g_strdup (_ ("at once"));
  text = goban_dup_duration (seconds);
  return g_strdup_printf (_ ("about %s"), text);
}

/* --- the budget ------------------------------------------------------------------------------- */

static double
get_number (GtkWidget *spin)
{
  return gtk_spin_button_get_value (GTK_SPIN_BUTTON (spin));
}

static void
set_number (GtkWidget *spin, double value)
{
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (spin), value);
}

/* A policy that makes no simulations of its own accord ends by itself. */
static gboolean
has_limit (GobanPlaceMenu *self)
{
  return get_number (self->page.evaluations) > 0 || get_number (self->page.seconds) > 0
         || self->policies[self->shown].default_evaluations == 0;
}

static void
budget_changed_cb (GobanPlaceMenu *self)
{
  const GobanPolicyInfo *info = &self->policies[self->shown];
  double seconds = get_number (self->page.seconds);
  gboolean is_limited = has_limit (self);
  g_autofree char *text
      = is_limited ? dup_duration (self, info, get_number (self->page.evaluations), seconds) : NULL;

  goban_set_label_text (self->page.duration, text);
  gtk_widget_set_sensitive (self->page.start, is_limited);
  gtk_widget_set_visible (self->page.hint, !is_limited);
}

static gboolean
show_limit_cb (GtkSpinButton *spin)
{
  if (gtk_spin_button_get_value (spin) > 0)
    return FALSE;

  gtk_editable_set_text (GTK_EDITABLE (spin), _ (NO_LIMIT));
  return TRUE;
}

static int
read_limit_cb (GtkSpinButton *spin, double *value)
{
  const char *text = gtk_editable_get_text (GTK_EDITABLE (spin));

  if (g_ascii_strcasecmp (text, _ (NO_LIMIT)) != 0 && *text != '\0')
    return FALSE;

  *value = 0;
  return TRUE;
}

guint64
goban_place_menu_next_seed (GobanSession *session, const char *policy)
{
  GListModel *runs = goban_session_get_runs (session);
  guint64 seed = 0;

  for (guint i = 0; i < g_list_model_get_n_items (runs); i++)
    {
      GobanRun *run = goban_run_list_get (runs, i);

      seed += g_str_equal (goban_plan_get_policy (goban_run_get_plan (run)), policy);
    }
  return seed;
}

/* @text: (nullable) */
static void
show_text (GtkWidget *label, const char *text)
{
  goban_set_label_text (label, text);
  gtk_widget_set_visible (label, text != NULL && *text != '\0');
}

/* Rows of the first group, of all others, or of those that fit what is typed; the chosen policy is
 * shown with the first group. */
static void
show_rows (GobanPlaceMenu *self, const char *typed)
{
  gboolean is_all = gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (self->all));
  GtkWidget *heading = NULL;

  for (GtkWidget *row = gtk_widget_get_first_child (self->rows); row != NULL;
       row = gtk_widget_get_next_sibling (row))
    {
      const char *policy = get_policy (row);
      gboolean is_first = g_object_get_data (G_OBJECT (row), "goban-is-first") != NULL;
      gboolean fits = is_first ? !is_all && *typed == '\0'
                               : (is_all || *typed != '\0') && policy != NULL
                                     && rank_policy (policy, typed) > 0;

      gtk_widget_set_visible (row, fits);
      if (policy == NULL)
        heading = row;
      else if (fits && heading != NULL)
        gtk_widget_set_visible (heading, TRUE);
      if (is_first && g_strcmp0 (policy, self->policies[self->shown].name) == 0)
        gtk_widget_add_css_class (row, "chosen");
      else
        gtk_widget_remove_css_class (row, "chosen");
    }
  gtk_widget_set_visible (self->page.box, !is_all && *typed == '\0');
  gtk_widget_set_visible (self->page.start, !is_all && *typed == '\0');
}

static void
show_budget (GobanPlaceMenu *self, gsize policy)
{
  const GobanPolicyInfo *info = &self->policies[policy];
  const Budget *budget = &self->budgets[policy];
  const char *file = goban_chosen_networks_get (self->session, info->name);
  g_autofree char *about = goban_dup_without_flags (_ (info->about));
  g_autofree char *network = file != NULL ? g_strdup_printf (_ ("Network: %s"), file) : NULL;
  g_autofree char *source = g_strdup_printf (_ ("After %s"), info->source);

  self->shown = policy;
  goban_set_label_text (self->page.name, info->name);
  goban_set_label_text (self->page.blurb, _ (info->blurb));
  show_text (self->page.about, about);
  show_text (self->page.network, network);
  show_text (self->page.source, source);
  gtk_expander_set_expanded (GTK_EXPANDER (self->page.more), FALSE);

  set_number (self->page.evaluations,
              budget->is_set ? budget->evaluations : (double) info->default_evaluations);
  set_number (self->page.seconds, budget->is_set ? budget->seconds : 0);
  set_number (self->page.seed, (double) goban_place_menu_next_seed (self->session, info->name));
  budget_changed_cb (self);
  gtk_widget_set_visible (self->page.tasks, info->has_tasks);
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (self->all), FALSE);
  gtk_editable_set_text (GTK_EDITABLE (self->search), "");
  show_rows (self, "");
}

/* The other policies do not take tasks, so the lines of their runs do not mention them. */
static GobanTasks
get_decisions (GobanPlaceMenu *self, gsize policy)
{
  return self->policies[policy].has_tasks
             ? goban_task_choice_get (GOBAN_TASK_CHOICE (self->page.tasks))
             : GOBAN_TASKS_DEFAULT;
}

static void
place_with (GobanPlaceMenu *self, const char *policy, const GobanRunOptions *options)
{
  g_autofree char *tasks = goban_tasks_to_text (options->decisions);

  gtk_widget_activate_action (GTK_WIDGET (self), "win.place-with", "(sttds)", policy, options->seed,
                              options->max_evaluations, options->max_seconds, tasks);
  gtk_popover_popdown (GTK_POPOVER (self));
}

/* Else the choice below would be first: nothing has a place yet when GTK looks for one to focus. */
static void
focus_search_cb (GobanPlaceMenu *self)
{
  gtk_widget_grab_focus (self->search);
}

static void
start (GobanPlaceMenu *self)
{
  /* A typed number counts without a Tab after it. */
  gtk_spin_button_update (GTK_SPIN_BUTTON (self->page.evaluations));
  gtk_spin_button_update (GTK_SPIN_BUTTON (self->page.seconds));
  gtk_spin_button_update (GTK_SPIN_BUTTON (self->page.seed));
  if (!has_limit (self))
    return;

  self->budgets[self->shown]
      = (Budget){ TRUE, get_number (self->page.evaluations), get_number (self->page.seconds) };
  place_with (self, self->policies[self->shown].name,
              &(GobanRunOptions){ .seed = (guint64) get_number (self->page.seed),
                                  .max_evaluations = (guint64) get_number (self->page.evaluations),
                                  .max_seconds = get_number (self->page.seconds),
                                  .decisions = get_decisions (self, self->shown) });
}

/* A spin button of GTK 4.8 does not say it. */
static void
start_on_enter (GobanPlaceMenu *self, GtkWidget *spin)
{
  g_signal_connect_swapped (gtk_editable_get_delegate (GTK_EDITABLE (spin)), "activate",
                            G_CALLBACK (start), self);
}

/* --- building the list ------------------------------------------------------------------------ */

static void
row_cb (GtkWidget *row, GobanPlaceMenu *self)
{
  goban_place_menu_choose (self, g_object_get_data (G_OBJECT (row), "goban-policy"));
}

/* Two lines: name and duration, then a line on what it does. */
static GtkWidget *
new_row (GobanPlaceMenu *self, const GobanPolicyInfo *info)
{
  GtkWidget *row = gtk_button_new ();
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *line = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
  GtkWidget *name = new_label (info->name, "name");
  GtkWidget *duration = new_label (NULL, "note");
  GtkWidget *blurb = goban_short_label_new (GOBAN_KEEP_START, 0);

  gtk_widget_set_hexpand (name, TRUE);
  gtk_box_append (GTK_BOX (line), name);
  gtk_box_append (GTK_BOX (line), duration);
  goban_short_label_set_text (GOBAN_SHORT_LABEL (blurb), _ (info->blurb));
  gtk_widget_add_css_class (blurb, "note");
  gtk_box_append (GTK_BOX (box), line);
  gtk_box_append (GTK_BOX (box), blurb);
  gtk_button_set_child (GTK_BUTTON (row), box);
  goban_set_accessible_label (row, info->name);
  gtk_widget_add_css_class (row, "flat");
  goban_set_tooltip (row, info->source);
  goban_explain_term (row, info->name);
  g_object_set_data (G_OBJECT (row), "goban-policy", (gpointer) info->name);
  g_object_set_data (G_OBJECT (row), "goban-duration", duration);
  g_signal_connect (row, "clicked", G_CALLBACK (row_cb), self);
  return row;
}

static void
rows_changed_cb (GobanPlaceMenu *self)
{
  g_autofree char *typed = dup_typed (self);

  show_rows (self, typed);
}

/* The policy that fits best, the first of several; with nothing typed the chosen one is started. */
static void
search_activated_cb (GobanPlaceMenu *self)
{
  g_autofree char *typed = dup_typed (self);
  const char *best = NULL;
  int most = 0;

  if (*typed == '\0')
    start (self);
  for (GtkWidget *row = gtk_widget_get_first_child (self->rows); row != NULL && *typed != '\0';
       row = gtk_widget_get_next_sibling (row))
    {
      const char *policy = get_policy (row);
      int rank = policy != NULL ? rank_policy (policy, typed) : 0;

      if (rank > most)
        {
          most = rank;
          best = policy;
        }
    }
  if (best != NULL)
    goban_place_menu_choose (self, best);
}

static GtkWidget *
new_group_heading (GobanPlaceMenu *self, gsize group)
{
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
  GtkWidget *title = new_label (_ (groups[group].title), "heading");
  GtkWidget *note = goban_short_label_new (GOBAN_KEEP_START, 0);

  gtk_widget_set_hexpand (note, TRUE);
  gtk_widget_add_css_class (note, "note");
  goban_short_label_set_text (GOBAN_SHORT_LABEL (note),
                              groups[group].note != NULL ? _ (groups[group].note) : NULL);
  goban_explain_term (title, _ (groups[group].title));
  gtk_box_append (GTK_BOX (row), title);
  gtk_box_append (GTK_BOX (row), note);
  if (g_strcmp0 (groups[group].effort, "quick") == 0)
    {
      GtkWidget *all = gtk_button_new_with_label (_ ("Place With All"));

      gtk_widget_add_css_class (all, "flat");
      goban_set_tooltip (all, _ ("Place with each quick policy and show the best plan"));
      gtk_actionable_set_action_name (GTK_ACTIONABLE (all), "win.place-quick");
      g_signal_connect_swapped (all, "clicked", G_CALLBACK (gtk_popover_popdown), self);
      gtk_box_append (GTK_BOX (row), all);
    }
  gtk_widget_add_css_class (row, "group");
  return row;
}

static gboolean
has_policy (GobanPlaceMenu *self, const char *name, gsize *i)
{
  for (*i = 0; *i < self->n_policies; (*i)++)
    if (g_str_equal (self->policies[*i].name, name))
      return TRUE;
  return FALSE;
}

static void
add_row (GobanPlaceMenu *self, GtkWidget *row, gboolean is_first)
{
  if (is_first)
    g_object_set_data (G_OBJECT (row), "goban-is-first", row);
  gtk_box_append (GTK_BOX (self->rows), row);
}

static void
add_rows (GobanPlaceMenu *self)
{
  gsize first;

  for (gsize g = 0; g < G_N_ELEMENTS (groups); g++)
    {
      add_row (self, new_group_heading (self, g), g == 0);
      for (gsize i = 0; g == 0 && i < G_N_ELEMENTS (first_policies); i++)
        if (has_policy (self, first_policies[i], &first))
          add_row (self, new_row (self, &self->policies[first]), TRUE);
      for (gsize i = 0; i < self->n_policies; i++)
        if (g_strcmp0 (self->policies[i].effort, groups[g].effort) == 0)
          add_row (self, new_row (self, &self->policies[i]), FALSE);
    }
}

/* Takes the policies as they are now; budgets that were asked for stay. */
static void
take_policies (GobanPlaceMenu *self)
{
  gsize n, old;
  guint version = goban_policies_get_version ();
  GobanPolicyInfo *policies = goban_policies (&n);
  Budget *budgets = g_new0 (Budget, n);

  for (gsize i = 0; i < n; i++)
    if (has_policy (self, policies[i].name, &old))
      budgets[i] = self->budgets[old];
  g_free (self->policies);
  g_free (self->budgets);
  self->policies = policies;
  self->budgets = budgets;
  self->n_policies = n;
  self->version = version;
}

/* They depend on the graph, and on the plans that there are. */
static void
update_durations (GobanPlaceMenu *self)
{
  gsize policy;

  for (GtkWidget *row = gtk_widget_get_first_child (self->rows); row != NULL;
       row = gtk_widget_get_next_sibling (row))
    if (get_policy (row) != NULL && has_policy (self, get_policy (row), &policy))
      {
        const GobanPolicyInfo *info = &self->policies[policy];
        g_autofree char *text = dup_duration (self, info, (double) info->default_evaluations, 0);

        goban_set_label_text (g_object_get_data (G_OBJECT (row), "goban-duration"), text);
      }
}

/* Scripts may have added policies since the menu was last shown. */
static void
show_cb (GobanPlaceMenu *self)
{
  gsize shown;

  if (self->version != goban_policies_get_version ())
    {
      g_autofree char *name = g_strdup (self->policies[self->shown].name);

      take_policies (self);
      goban_remove_children (self->rows);
      add_rows (self);
      self->shown = has_policy (self, name, &shown) ? shown : 0;
    }
  update_durations (self);
  show_budget (self, self->shown);
}

static void
goban_place_menu_dispose (GObject *object)
{
  GobanPlaceMenu *self = GOBAN_PLACE_MENU (object);

  g_clear_object (&self->session);

  G_OBJECT_CLASS (goban_place_menu_parent_class)->dispose (object);
}

static void
goban_place_menu_finalize (GObject *object)
{
  GobanPlaceMenu *self = GOBAN_PLACE_MENU (object);

  g_free (self->policies);
  g_free (self->budgets);

  G_OBJECT_CLASS (goban_place_menu_parent_class)->finalize (object);
}

static void
goban_place_menu_class_init (GobanPlaceMenuClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = goban_place_menu_dispose;
  G_OBJECT_CLASS (klass)->finalize = goban_place_menu_finalize;
  g_type_ensure (GOBAN_TYPE_TASK_CHOICE);
  goban_template_set (widget_class, "panels/place-menu.ui");
  GOBAN_TEMPLATE_CHILDREN (widget_class, GobanPlaceMenu, search, rows, all);
  GOBAN_TEMPLATE_PART (widget_class, GobanPlaceMenu, page, tasks, more, name, blurb, about, network,
                       source, evaluations, duration, seconds, seed, hint, start);
  GOBAN_TEMPLATE_BIND (widget_class, GobanPlaceMenu, "chosen", page.box);
  GOBAN_TEMPLATE_CALLBACKS (widget_class, show_cb, focus_search_cb, rows_changed_cb,
                            search_activated_cb, gtk_popover_popdown, show_limit_cb, read_limit_cb,
                            budget_changed_cb, start);
}

static void
goban_place_menu_init (GobanPlaceMenu *self)
{
  take_policies (self);
  goban_template_init (GTK_WIDGET (self));
  add_rows (self);
  has_policy (self, first_policies[G_N_ELEMENTS (first_policies) - 1], &self->shown);
  show_limit_cb (GTK_SPIN_BUTTON (self->page.evaluations));
  show_limit_cb (GTK_SPIN_BUTTON (self->page.seconds));
  start_on_enter (self, self->page.evaluations);
  start_on_enter (self, self->page.seconds);
  start_on_enter (self, self->page.seed);
}

GtkWidget *
goban_place_menu_new (GobanSession *session)
{
  GobanPlaceMenu *self = g_object_new (GOBAN_TYPE_PLACE_MENU, NULL);

  self->session = g_object_ref (session);
  return GTK_WIDGET (self);
}

void
goban_place_menu_choose (GobanPlaceMenu *self, const char *policy)
{
  gsize i;

  g_return_if_fail (GOBAN_IS_PLACE_MENU (self));

  if (!has_policy (self, policy, &i))
    return;
  if (!g_str_equal (self->policies[i].effort, "quick"))
    {
      show_budget (self, i);
      gtk_widget_grab_focus (self->page.evaluations);
      return;
    }
  place_with (self, policy,
              &(GobanRunOptions){ .seed = goban_place_menu_next_seed (self->session, policy),
                                  .decisions = get_decisions (self, i) });
}
