#include "ui/decisions/record-model.h"

#include "engine/study/analysis/moments/moment-words.h"
#include "engine/study/run/run-list.h"
#include "engine/study/run/run-origin.h"

#include <string.h>

/* Rows of one kind below each other, of consecutive indices from @index on. */
typedef struct
{
  GobanRecordKind kind;
  guint index;
  guint first_row, n_rows;
} Segment;

struct _GobanRecordItem
{
  GObject parent_instance;

  GobanRecordPlace place;
};

struct _GobanRecordModel
{
  GObject parent_instance;

  const GobanCostModel *costs;   /* (nullable) */
  const GobanMomentLines *lines; /* (nullable): borrowed */
  GArray *modules;               /* of GobanRecordModule, ascending */
  guint8 *open_plans;            /* (n_plans) */
  guint8 *open_modules;          /* (modules->len) */
  guint auto_plan, auto_module;  /* opened by goban_record_model_open_line(); GOBAN_NO_LINE */
  GArray *variations;            /* of GobanRecordVariation, in their order */
  GArray *order;                 /* (nullable): of guint */
  GArray *segments;              /* of Segment, ascending */
};

static void list_model_init (GListModelInterface *iface);

G_DEFINE_FINAL_TYPE (GobanRecordItem, goban_record_item, G_TYPE_OBJECT)
G_DEFINE_FINAL_TYPE_WITH_CODE (GobanRecordModel, goban_record_model, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (G_TYPE_LIST_MODEL, list_model_init))

/* --- items ----------------------------------------------------------------------------------- */

GobanRecordPlace
goban_record_item_get_place (GobanRecordItem *self)
{
  return self->place;
}

static void
goban_record_item_class_init (GobanRecordItemClass *klass)
{
}

static void
goban_record_item_init (GobanRecordItem *self)
{
}

/* --- segments -------------------------------------------------------------------------------- */

static guint
get_n_rows (GobanRecordModel *self)
{
  const Segment *last;

  if (self->segments->len == 0)
    return 0;
  last = &g_array_index (self->segments, Segment, self->segments->len - 1);
  return last->first_row + last->n_rows;
}

static void
add_rows (GobanRecordModel *self, GobanRecordKind kind, guint index, guint n)
{
  Segment *last = self->segments->len > 0
                      ? &g_array_index (self->segments, Segment, self->segments->len - 1)
                      : NULL;
  const Segment segment = { kind, index, get_n_rows (self), n };

  if (last != NULL && last->kind == kind && last->index + last->n_rows == index)
    last->n_rows += n;
  else if (n > 0)
    g_array_append_val (self->segments, segment);
}

/* Lines with the variations below them; @v: the first variation at or after @first. */
static void
add_lines (GobanRecordModel *self, guint first, guint n, guint *v)
{
  guint at = first;

  while (*v < self->variations->len
         && g_array_index (self->variations, GobanRecordVariation, *v).line < first + n)
    {
      guint line = g_array_index (self->variations, GobanRecordVariation, *v).line;

      add_rows (self, GOBAN_RECORD_DECISION, at, line + 1 - at);
      add_rows (self, GOBAN_RECORD_VARIATION, *v, 1);
      at = line + 1;
      (*v)++;
    }
  add_rows (self, GOBAN_RECORD_DECISION, at, first + n - at);
}

/* Variations of hidden lines are hidden. */
static void
skip_variations (GobanRecordModel *self, guint end, guint *v)
{
  while (*v < self->variations->len
         && g_array_index (self->variations, GobanRecordVariation, *v).line < end)
    (*v)++;
}

static gboolean
has_plans (GobanRecordModel *self)
{
  return self->lines->plans->len > 1;
}

/* A plan's rows below its own: @m is its first module, or a later one's. */
static void
add_plan (GobanRecordModel *self, guint plan, guint *m, guint *v)
{
  const GobanLinesPlan *lines = goban_moment_lines_get_plan (self->lines, plan);
  gboolean is_divided = *m < self->modules->len
                        && g_array_index (self->modules, GobanRecordModule, *m).plan == plan;

  if (!is_divided)
    {
      add_lines (self, lines->first, lines->n, v);
      return;
    }
  for (;
       *m < self->modules->len && g_array_index (self->modules, GobanRecordModule, *m).plan == plan;
       (*m)++)
    {
      const GobanRecordModule *module = &g_array_index (self->modules, GobanRecordModule, *m);

      add_rows (self, GOBAN_RECORD_MODULE, *m, 1);
      if (self->open_modules[*m])
        add_lines (self, module->first, module->n, v);
      else
        skip_variations (self, module->first + module->n, v);
    }
}

static void
skip_modules (GobanRecordModel *self, guint plan, guint *m)
{
  while (*m < self->modules->len
         && g_array_index (self->modules, GobanRecordModule, *m).plan == plan)
    (*m)++;
}

static void
divide (GobanRecordModel *self)
{
  guint n_plans = self->lines != NULL ? self->lines->plans->len : 0;
  guint m = 0, v = 0;

  g_array_set_size (self->segments, 0);
  if (self->order != NULL)
    {
      add_rows (self, GOBAN_RECORD_DECISION, 0, self->order->len);
      return;
    }
  for (guint plan = 0; plan < n_plans; plan++)
    {
      const GobanLinesPlan *lines = goban_moment_lines_get_plan (self->lines, plan);

      if (n_plans > 1)
        add_rows (self, GOBAN_RECORD_PLAN, plan, 1);
      if (n_plans > 1 && lines->n == 1)
        /* Variations of a plan that is one decision are below the plan. */
        for (; v < self->variations->len
               && g_array_index (self->variations, GobanRecordVariation, v).line == lines->first;
             v++)
          add_rows (self, GOBAN_RECORD_VARIATION, v, 1);
      else if (n_plans == 1 || self->open_plans[plan])
        add_plan (self, plan, &m, &v);
      skip_modules (self, plan, &m);
      skip_variations (self, lines->first + lines->n, &v);
    }
}

static void
divide_again (GobanRecordModel *self)
{
  guint before = get_n_rows (self);

  divide (self);
  g_list_model_items_changed (G_LIST_MODEL (self), 0, before, get_n_rows (self));
}

/* --- modules --------------------------------------------------------------------------------- */

/* The beginning of the name of a line's first node; @length 0: none. */
static const char *
get_module_name (GobanRecordModel *self, guint line, gsize *length)
{
  GobanDecision decision;
  const char *name;

  *length = 0;
  if (!goban_decisions_get (self->lines->decisions,
                            goban_moment_lines_get_moment (self->lines, line), NULL, &decision)
      || decision.n_nodes == 0)
    return "";
  name = goban_graph_get_node (goban_cost_model_get_graph (self->costs), decision.nodes[0])->name;
  *length = goban_node_get_module_length (name);
  return name;
}

/* A fold ends where the module changes, but not before it is long enough that there are few, and
 * not after it is too long to be read. */
static void
add_modules (GobanRecordModel *self, guint plan)
{
  const GobanLinesPlan *lines = goban_moment_lines_get_plan (self->lines, plan);
  guint least = 1 + 2 * lines->n / GOBAN_RECORD_MOST_UNFOLDED;
  GobanRecordModule module = { lines->first, 0, plan };
  const char *last = "";
  gsize last_length = 0;

  if (lines->n <= GOBAN_RECORD_MOST_UNFOLDED || self->costs == NULL)
    return;
  for (guint line = lines->first; line < lines->first + lines->n; line++)
    {
      gsize length;
      const char *name = get_module_name (self, line, &length);

      if (module.n >= GOBAN_RECORD_MOST_FOLDED
          || (module.n >= least && (length != last_length || memcmp (name, last, length) != 0)))
        {
          g_array_append_val (self->modules, module);
          module = (GobanRecordModule){ line, 0, plan };
        }
      module.n++;
      last = name;
      last_length = length;
    }
  g_array_append_val (self->modules, module);
}

/* --- content --------------------------------------------------------------------------------- */

void
goban_record_model_set_lines (GobanRecordModel *self, const GobanCostModel *costs,
                              const GobanMomentLines *lines)
{
  guint n_plans = lines != NULL ? lines->plans->len : 0;

  g_return_if_fail (GOBAN_IS_RECORD_MODEL (self));

  self->lines = lines;
  self->costs = costs;
  g_array_set_size (self->modules, 0);
  g_array_set_size (self->variations, 0);
  g_clear_pointer (&self->order, g_array_unref);
  for (guint plan = 0; plan < n_plans; plan++)
    add_modules (self, plan);
  g_free (self->open_plans);
  g_free (self->open_modules);
  self->open_plans = g_new0 (guint8, MAX (n_plans, 1));
  self->open_modules = g_new0 (guint8, MAX (self->modules->len, 1));
  self->auto_plan = self->auto_module = GOBAN_NO_LINE;
  divide_again (self);
}

static void
clear_variation (gpointer data)
{
  g_clear_pointer (&((GobanRecordVariation *) data)->run, goban_run_unref);
}

/* Adds those that were forced at @moment of the run of that name, in the order of @runs, each with
 * its own. @like: of the decision, or of the variation that they are of. */
static void
add_variations (GobanRecordModel *self, const char *name, const GPtrArray *runs,
                const GobanRecordVariation *like, GobanMoment moment)
{
  guint n = 0;

  for (guint i = 0; i < runs->len; i++)
    {
      GobanRun *run = g_ptr_array_index (runs, i);
      const GobanForcedDecision *forced = &goban_run_get_origin (run)->forced;
      GobanRecordVariation variation = *like;

      if (g_strcmp0 (forced->of, name) != 0 || (moment != 0 && forced->moment != moment)
          || like->depth > runs->len)
        continue;
      variation.run = goban_run_ref (run);
      variation.depth++;
      g_snprintf (variation.label, sizeof variation.label, "%s%c", like->label,
                  (char) ('a' + n++ % 26));
      g_array_append_val (self->variations, variation);
      add_variations (self, goban_run_get_name (run), runs, &variation, 0);
    }
}

void
goban_record_model_set_variations (GobanRecordModel *self, const char *name, const GPtrArray *runs)
{
  g_autoptr (GHashTable) seen = g_hash_table_new (NULL, NULL);
  g_autoptr (GArray) lines = g_array_new (FALSE, FALSE, sizeof (guint));
  guint n_before;

  g_return_if_fail (GOBAN_IS_RECORD_MODEL (self));

  n_before = self->variations->len;
  g_array_set_size (self->variations, 0);
  for (guint i = 0; self->lines != NULL && i < runs->len; i++)
    {
      const GobanForcedDecision *forced
          = &goban_run_get_origin (g_ptr_array_index (runs, i))->forced;
      guint line = g_strcmp0 (forced->of, name) == 0
                       ? goban_moment_lines_find (self->lines, forced->moment)
                       : GOBAN_NO_LINE;
      guint at = lines->len;

      if (line == GOBAN_NO_LINE || !g_hash_table_add (seen, GUINT_TO_POINTER (line + 1)))
        continue;
      while (at > 0 && g_array_index (lines, guint, at - 1) > line)
        at--;
      g_array_insert_val (lines, at, line);
    }
  for (guint i = 0; i < lines->len; i++)
    {
      guint line = g_array_index (lines, guint, i);
      guint plan = goban_moment_lines_find_plan (self->lines, line);
      GobanRecordVariation like = { .line = line };

      g_snprintf (like.label, sizeof like.label, "%u",
                  line - goban_moment_lines_get_plan (self->lines, plan)->first + 1);
      add_variations (self, name, runs, &like, goban_moment_lines_get_moment (self->lines, line));
    }
  if (n_before + self->variations->len > 0)
    divide_again (self);
}

void
goban_record_model_set_order (GobanRecordModel *self, const GArray *order)
{
  g_return_if_fail (GOBAN_IS_RECORD_MODEL (self));

  if (order == NULL && self->order == NULL)
    return;
  g_clear_pointer (&self->order, g_array_unref);
  if (order != NULL)
    self->order = g_array_copy ((GArray *) order);
  divide_again (self);
}

/* --- rows ------------------------------------------------------------------------------------ */

static const Segment *
find_segment (GobanRecordModel *self, guint row)
{
  guint low = 0, high = self->segments->len;

  while (high - low > 1)
    {
      guint middle = low + (high - low) / 2;

      if (g_array_index (self->segments, Segment, middle).first_row <= row)
        low = middle;
      else
        high = middle;
    }
  return &g_array_index (self->segments, Segment, low);
}

GobanRecordPlace
goban_record_model_get_place (GobanRecordModel *self, guint row)
{
  const Segment *segment;
  guint index;

  g_return_val_if_fail (GOBAN_IS_RECORD_MODEL (self) && row < get_n_rows (self),
                        ((GobanRecordPlace){ 0 }));

  segment = find_segment (self, row);
  index = segment->index + row - segment->first_row;
  return (GobanRecordPlace){ segment->kind, self->order != NULL
                                                ? g_array_index (self->order, guint, index)
                                                : index };
}

const GobanRecordModule *
goban_record_model_get_module (GobanRecordModel *self, guint module)
{
  g_return_val_if_fail (GOBAN_IS_RECORD_MODEL (self) && module < self->modules->len, NULL);

  return &g_array_index (self->modules, GobanRecordModule, module);
}

const GobanRecordVariation *
goban_record_model_get_variation (GobanRecordModel *self, guint variation)
{
  g_return_val_if_fail (GOBAN_IS_RECORD_MODEL (self) && variation < self->variations->len, NULL);

  return &g_array_index (self->variations, GobanRecordVariation, variation);
}

/* The flag of a row that folds, or %NULL. */
static guint8 *
find_flag (GobanRecordModel *self, guint row)
{
  GobanRecordPlace place;

  if (row >= get_n_rows (self))
    return NULL;
  place = goban_record_model_get_place (self, row);
  if (place.kind == GOBAN_RECORD_PLAN
      && goban_moment_lines_has_decisions (self->lines, place.index))
    return &self->open_plans[place.index];
  return place.kind == GOBAN_RECORD_MODULE ? &self->open_modules[place.index] : NULL;
}

gboolean
goban_record_model_can_fold (GobanRecordModel *self, guint row)
{
  g_return_val_if_fail (GOBAN_IS_RECORD_MODEL (self), FALSE);

  return find_flag (self, row) != NULL;
}

gboolean
goban_record_model_is_open (GobanRecordModel *self, guint row)
{
  g_return_val_if_fail (GOBAN_IS_RECORD_MODEL (self), FALSE);

  return find_flag (self, row) != NULL && *find_flag (self, row);
}

void
goban_record_model_set_open (GobanRecordModel *self, guint row, gboolean is_open)
{
  guint8 *flag;
  guint before, after;

  g_return_if_fail (GOBAN_IS_RECORD_MODEL (self));

  flag = find_flag (self, row);
  if (flag == NULL || *flag == is_open)
    return;
  *flag = (guint8) is_open;
  before = get_n_rows (self);
  divide (self);
  after = get_n_rows (self);
  g_list_model_items_changed (G_LIST_MODEL (self), row + 1, before > after ? before - after : 0,
                              after > before ? after - before : 0);
}

/* The module of a line, or GOBAN_NO_LINE. */
static guint
find_module (GobanRecordModel *self, guint line)
{
  guint low = 0, high = self->modules->len;

  while (high - low > 1)
    {
      guint middle = low + (high - low) / 2;

      if (g_array_index (self->modules, GobanRecordModule, middle).first <= line)
        low = middle;
      else
        high = middle;
    }
  if (high == 0)
    return GOBAN_NO_LINE;
  return line - g_array_index (self->modules, GobanRecordModule, low).first
                 < g_array_index (self->modules, GobanRecordModule, low).n
             ? low
             : GOBAN_NO_LINE;
}

/* The row of a fold, which is shown. */
static guint
find_row (GobanRecordModel *self, GobanRecordKind kind, guint index)
{
  for (guint i = 0; i < self->segments->len; i++)
    {
      const Segment *segment = &g_array_index (self->segments, Segment, i);

      if (segment->kind == kind && index - segment->index < segment->n_rows)
        return segment->first_row + index - segment->index;
    }
  return G_MAXUINT;
}

void
goban_record_model_open_line (GobanRecordModel *self, guint line)
{
  guint plan, module;

  g_return_if_fail (GOBAN_IS_RECORD_MODEL (self));

  if (self->lines == NULL || self->order != NULL || line == GOBAN_NO_LINE)
    return;
  plan = has_plans (self) ? goban_moment_lines_find_plan (self->lines, line) : GOBAN_NO_LINE;
  module = find_module (self, line);
  if (self->auto_module != GOBAN_NO_LINE && self->auto_module != module)
    {
      goban_record_model_set_open (self, find_row (self, GOBAN_RECORD_MODULE, self->auto_module),
                                   FALSE);
      self->auto_module = GOBAN_NO_LINE;
    }
  if (self->auto_plan != GOBAN_NO_LINE && self->auto_plan != plan)
    {
      goban_record_model_set_open (self, find_row (self, GOBAN_RECORD_PLAN, self->auto_plan),
                                   FALSE);
      self->auto_plan = GOBAN_NO_LINE;
    }
  if (plan != GOBAN_NO_LINE && goban_moment_lines_has_decisions (self->lines, plan)
      && !self->open_plans[plan])
    {
      self->auto_plan = plan;
      goban_record_model_set_open (self, find_row (self, GOBAN_RECORD_PLAN, plan), TRUE);
    }
  if (module != GOBAN_NO_LINE && !self->open_modules[module])
    {
      self->auto_module = module;
      goban_record_model_set_open (self, find_row (self, GOBAN_RECORD_MODULE, module), TRUE);
    }
}

guint
goban_record_model_find_line (GobanRecordModel *self, guint line)
{
  guint plan, module, row;

  g_return_val_if_fail (GOBAN_IS_RECORD_MODEL (self), G_MAXUINT);

  if (self->lines == NULL || line == GOBAN_NO_LINE)
    return G_MAXUINT;
  if (self->order != NULL)
    {
      for (guint i = 0; i < self->order->len; i++)
        if (g_array_index (self->order, guint, i) == line)
          return i;
      return G_MAXUINT;
    }
  row = find_row (self, GOBAN_RECORD_DECISION, line);
  module = find_module (self, line);
  if (row == G_MAXUINT && module != GOBAN_NO_LINE)
    row = find_row (self, GOBAN_RECORD_MODULE, module);
  plan = goban_moment_lines_find_plan (self->lines, line);
  return row != G_MAXUINT ? row : find_row (self, GOBAN_RECORD_PLAN, plan);
}

guint
goban_record_model_find_run (GobanRecordModel *self, GobanRun *run)
{
  g_return_val_if_fail (GOBAN_IS_RECORD_MODEL (self), G_MAXUINT);

  for (guint v = 0; v < self->variations->len; v++)
    if (g_array_index (self->variations, GobanRecordVariation, v).run == run)
      return find_row (self, GOBAN_RECORD_VARIATION, v);
  return G_MAXUINT;
}

/* --- the list -------------------------------------------------------------------------------- */

static GType
get_item_type (GListModel *list)
{
  return GOBAN_TYPE_RECORD_ITEM;
}

static guint
get_n_items (GListModel *list)
{
  return get_n_rows (GOBAN_RECORD_MODEL (list));
}

static gpointer
get_item (GListModel *list, guint position)
{
  GobanRecordModel *self = GOBAN_RECORD_MODEL (list);
  GobanRecordItem *item;

  if (position >= get_n_rows (self))
    return NULL;
  item = g_object_new (GOBAN_TYPE_RECORD_ITEM, NULL);
  item->place = goban_record_model_get_place (self, position);
  return item;
}

static void
list_model_init (GListModelInterface *iface)
{
  iface->get_item_type = get_item_type;
  iface->get_n_items = get_n_items;
  iface->get_item = get_item;
}

/* --- construction and disposal --------------------------------------------------------------- */

static void
goban_record_model_finalize (GObject *object)
{
  GobanRecordModel *self = GOBAN_RECORD_MODEL (object);

  g_array_unref (self->modules);
  g_array_unref (self->variations);
  g_array_unref (self->segments);
  g_clear_pointer (&self->order, g_array_unref);
  g_free (self->open_plans);
  g_free (self->open_modules);
  G_OBJECT_CLASS (goban_record_model_parent_class)->finalize (object);
}

static void
goban_record_model_class_init (GobanRecordModelClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = goban_record_model_finalize;
}

static void
goban_record_model_init (GobanRecordModel *self)
{
  self->modules = g_array_new (FALSE, FALSE, sizeof (GobanRecordModule));
  self->variations = g_array_new (FALSE, FALSE, sizeof (GobanRecordVariation));
  g_array_set_clear_func (self->variations, clear_variation);
  self->segments = g_array_new (FALSE, FALSE, sizeof (Segment));
  self->auto_plan = self->auto_module = GOBAN_NO_LINE;
}

GobanRecordModel *
goban_record_model_new (void)
{
  return g_object_new (GOBAN_TYPE_RECORD_MODEL, NULL);
}
