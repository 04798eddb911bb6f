/* Groups from names and plans. Names are read into a tree of scopes, found by a hash table over
 * (parent, part). Neighbouring names share most of their scopes, so the prefix shared with the
 * previous name is not looked up again. */
#include "engine/study/analysis/hierarchy/hierarchy-draft.h"
#include "engine/study/analysis/hierarchy/name-parts.h"

#include <string.h>

#define FNV_START 14695981039346656037u
#define FNV_PRIME 1099511628211u
#define EMPTY G_MAXUINT32
#define NAMES_AHEAD 12

typedef struct
{
  GobanHierarchyDraft *draft;
  GArray *hashes; /* guint64: of each group's path */
  guint32 *slots; /* (mask + 1), a power of two; EMPTY or a group */
  guint32 mask;
  gboolean has_slashes;
} Tree;

GobanHierarchyDraft *
goban_draft_new (GobanGraph *graph)
{
  GobanHierarchyDraft *self = g_new0 (GobanHierarchyDraft, 1);
  GobanGroupDraft root = { .n_nodes = goban_graph_get_n_nodes (graph) };

  self->graph = graph;
  self->groups = g_array_new (FALSE, FALSE, sizeof (GobanGroupDraft));
  g_array_append_val (self->groups, root);
  self->of = g_new0 (guint32, root.n_nodes + 1);
  self->texts = g_string_chunk_new (4096);
  return self;
}

GobanHierarchyDraft *
goban_draft_copy_scopes (const GobanHierarchyDraft *self)
{
  GobanHierarchyDraft *copy = goban_draft_new (self->graph);
  gsize n_nodes = goban_graph_get_n_nodes (self->graph);

  g_array_set_size (copy->groups, 0);
  g_array_append_vals (copy->groups, self->groups->data, self->groups->len);
  memcpy (copy->of, self->of, n_nodes * sizeof *copy->of);
  return copy;
}

void
goban_draft_free (GobanHierarchyDraft *self)
{
  g_array_unref (self->groups);
  g_free (self->of);
  g_string_chunk_free (self->texts);
  g_free (self);
}

static const char *
name_of (const GobanHierarchyDraft *draft, GobanNodeId node)
{
  return goban_graph_get_node (draft->graph, node)->name;
}

static const char *
path_of (const GobanHierarchyDraft *draft, guint32 group)
{
  return name_of (draft, goban_draft_group (draft, group)->first);
}

/* --- the tree of scopes ------------------------------------------------------------------- */

static guint64
hash_more (guint64 hash, const char *text, gsize length)
{
  for (gsize i = 0; i < length; i++)
    hash = (hash ^ (guchar) text[i]) * FNV_PRIME;
  return hash;
}

static guint32
slot_of (const Tree *tree, guint64 hash)
{
  return (guint32) (hash ^ hash >> 32) & tree->mask;
}

/* The scope below @parent whose path is so much of @name, or EMPTY; @slot is where it is or would
 * be. */
static guint32
find_scope (const Tree *tree, guint32 parent, const char *name, gsize end, guint64 hash,
            guint32 *slot)
{
  gsize from = goban_draft_group (tree->draft, parent)->length;

  for (*slot = slot_of (tree, hash); tree->slots[*slot] != EMPTY; *slot = (*slot + 1) & tree->mask)
    {
      guint32 found = tree->slots[*slot];
      const GobanGroupDraft *group = goban_draft_group (tree->draft, found);

      if (g_array_index (tree->hashes, guint64, found) == hash && group->parent == parent
          && group->length == end
          && memcmp (path_of (tree->draft, found) + from, name + from, end - from) == 0)
        return found;
    }
  return EMPTY;
}

static void
grow (Tree *tree)
{
  tree->mask = 2 * tree->mask + 1;
  tree->slots = g_renew (guint32, tree->slots, (gsize) tree->mask + 1);
  memset (tree->slots, 0xff, ((gsize) tree->mask + 1) * sizeof *tree->slots);
  for (guint32 i = 1; i < tree->draft->groups->len; i++)
    {
      guint32 slot = slot_of (tree, g_array_index (tree->hashes, guint64, i));

      while (tree->slots[slot] != EMPTY)
        slot = (slot + 1) & tree->mask;
      tree->slots[slot] = i;
    }
}

static guint32
add_scope (Tree *tree, guint32 parent, GobanNodeId node, gsize end)
{
  const char *name = name_of (tree->draft, node);
  gsize from = goban_draft_group (tree->draft, parent)->length;
  guint64 hash = hash_more (g_array_index (tree->hashes, guint64, parent), name + from, end - from);
  GobanGroupDraft group = { .parent = parent, .first = node, .length = (guint32) end };
  guint32 slot;
  guint32 found = find_scope (tree, parent, name, end, hash, &slot);

  if (found != EMPTY)
    return found;

  group.start = (guint32) goban_name_skip_separators (name, end, from);
  found = tree->draft->groups->len;
  tree->slots[slot] = found;
  g_array_append_val (tree->draft->groups, group);
  g_array_append_val (tree->hashes, hash);
  if (tree->draft->groups->len > tree->mask / 2)
    grow (tree);
  return found;
}

/* How far up from @scope, of the name before, this name is the same: a cut at '/' needs no look
 * ahead. */
static guint32
climb_to_common (const Tree *tree, guint32 scope, const char *before, const char *name)
{
  gsize common = 0;

  while (name[common] != '\0' && name[common] == before[common])
    common++;
  while (scope != 0 && goban_draft_group (tree->draft, scope)->length >= common)
    scope = goban_draft_group (tree->draft, scope)->parent;
  return scope;
}

static void
read_scopes (Tree *tree)
{
  GobanHierarchyDraft *draft = tree->draft;
  guint n_nodes = goban_graph_get_n_nodes (draft->graph);
  GobanNameCut cut_before = GOBAN_CUT_NOWHERE;

  for (GobanNodeId v = 0; v < n_nodes; v++)
    {
      const char *name = name_of (draft, v);
      gsize length = strlen (name);
      GobanNameCut cut = goban_name_cut (name, length, tree->has_slashes);
      guint32 scope = cut == GOBAN_CUT_SLASHES && cut_before == cut
                          ? climb_to_common (tree, draft->of[v - 1], name_of (draft, v - 1), name)
                          : 0;
      gsize end;

      /* Names lie scattered in memory. */
      if (v + NAMES_AHEAD < n_nodes)
        __builtin_prefetch (name_of (draft, v + NAMES_AHEAD));
      while (
          (end = goban_name_scope_end (name, length, goban_draft_group (draft, scope)->length, cut))
          != 0)
        scope = add_scope (tree, scope, v, end);
      draft->of[v] = scope;
      cut_before = cut;
    }
}

/* "lstm/split" belongs to the scope of that name, if "lstm/split/axis" made one. */
static void
put_heads_into_scopes (Tree *tree)
{
  GobanHierarchyDraft *draft = tree->draft;
  guint n_nodes = goban_graph_get_n_nodes (draft->graph);
  /* Most scopes hold nodes alone, for which nothing has to be looked up. */
  g_autofree guint8 *has_scopes = g_malloc0 (draft->groups->len);

  for (guint32 i = 1; i < draft->groups->len; i++)
    has_scopes[goban_draft_group (draft, i)->parent] = TRUE;
  for (GobanNodeId v = 0; v < n_nodes; v++)
    {
      guint32 scope = draft->of[v];
      const char *name;
      gsize from, length;
      guint64 hash;
      guint32 found, slot;

      if (!has_scopes[scope])
        continue;
      name = name_of (draft, v);
      from = goban_draft_group (draft, scope)->length;
      length = from + strlen (name + from);
      hash = hash_more (g_array_index (tree->hashes, guint64, scope), name + from, length - from);
      found = find_scope (tree, scope, name, length, hash, &slot);
      if (found == EMPTY)
        continue;
      draft->of[v] = found;
      goban_draft_group (draft, found)->first = MIN (goban_draft_group (draft, found)->first, v);
    }
}

static gboolean
has_slashes (GobanGraph *graph)
{
  guint n_nodes = goban_graph_get_n_nodes (graph);

  for (GobanNodeId v = 0; v < n_nodes; v++)
    if (strchr (goban_graph_get_node (graph, v)->name, '/') != NULL)
      return TRUE;
  return FALSE;
}

void
goban_draft_read_scopes (GobanHierarchyDraft *self)
{
  Tree tree = { .draft = self, .mask = 1023, .has_slashes = has_slashes (self->graph) };
  guint64 start = FNV_START;

  tree.hashes = g_array_new (FALSE, FALSE, sizeof (guint64));
  g_array_append_val (tree.hashes, start);
  tree.slots = g_new (guint32, (gsize) tree.mask + 1);
  memset (tree.slots, 0xff, ((gsize) tree.mask + 1) * sizeof *tree.slots);
  read_scopes (&tree);
  put_heads_into_scopes (&tree);
  g_array_unref (tree.hashes);
  g_free (tree.slots);
}

/* --- removal of redundant groups ------------------------------------------------------------ */

static void
count_nodes (GobanHierarchyDraft *draft)
{
  guint n_nodes = goban_graph_get_n_nodes (draft->graph);

  for (guint32 i = 0; i < draft->groups->len; i++)
    goban_draft_group (draft, i)->n_nodes = 0;
  for (GobanNodeId v = 0; v < n_nodes; v++)
    goban_draft_group (draft, draft->of[v])->n_nodes++;
  for (guint32 i = draft->groups->len; i-- > 1;)
    {
      const GobanGroupDraft *group = goban_draft_group (draft, i);

      goban_draft_group (draft, group->parent)->n_nodes += group->n_nodes;
    }
}

typedef struct
{
  guint32 *n_own;    /* nodes, those of scopes of one node included */
  guint32 *n_below;  /* groups of more */
  guint32 *a_below;  /* one of these */
  guint8 *is_root;   /* the chain at the very top is the root */
  guint32 *stays_as; /* the group that takes over the members of this one */
} Pruning;

static gboolean
is_link (const Pruning *pruning, guint32 group)
{
  return pruning->n_own[group] == 0 && pruning->n_below[group] == 1;
}

static void
look_below (const GobanHierarchyDraft *draft, Pruning *pruning)
{
  guint n_nodes = goban_graph_get_n_nodes (draft->graph);
  guint32 top = 0;

  for (GobanNodeId v = 0; v < n_nodes; v++)
    pruning->n_own[draft->of[v]]++;
  for (guint32 i = draft->groups->len; i-- > 1;)
    {
      const GobanGroupDraft *group = goban_draft_group (draft, i);

      if (group->n_nodes == 1)
        pruning->n_own[group->parent]++;
      else
        {
          pruning->n_below[group->parent]++;
          pruning->a_below[group->parent] = i;
        }
    }

  pruning->is_root[0] = TRUE;
  while (is_link (pruning, top))
    {
      top = pruning->a_below[top];
      pruning->is_root[top] = TRUE;
    }
}

/* Parents come first, so theirs is known. */
static void
drop_groups (GobanHierarchyDraft *draft, Pruning *pruning)
{
  guint n_nodes = goban_graph_get_n_nodes (draft->graph);
  g_autofree guint32 *stay = pruning->stays_as;
  guint32 n_kept = 1;

  for (guint32 i = 1; i < draft->groups->len; i++)
    {
      GobanGroupDraft *group = goban_draft_group (draft, i);
      guint32 parent = group->parent;

      /* A link's child is shown with the link's part of the path. */
      if (!pruning->is_root[parent] && is_link (pruning, parent))
        group->start = goban_draft_group (draft, parent)->start;
      if (pruning->is_root[i])
        stay[i] = 0;
      else if (group->n_nodes == 1 || is_link (pruning, i))
        stay[i] = stay[parent];
      else
        stay[i] = n_kept++;
    }
  for (guint32 i = 1; i < draft->groups->len; i++)
    {
      GobanGroupDraft group = *goban_draft_group (draft, i);

      if (pruning->is_root[i] || group.n_nodes == 1 || is_link (pruning, i))
        continue;
      group.parent = stay[group.parent];
      *goban_draft_group (draft, stay[i]) = group;
    }
  for (GobanNodeId v = 0; v < n_nodes; v++)
    draft->of[v] = stay[draft->of[v]];
  g_array_set_size (draft->groups, n_kept);
}

static void
prune (GobanHierarchyDraft *draft)
{
  guint n = draft->groups->len;
  g_autofree guint32 *n_own = g_new0 (guint32, n);
  g_autofree guint32 *n_below = g_new0 (guint32, n);
  g_autofree guint32 *a_below = g_new0 (guint32, n);
  g_autofree guint8 *is_root = g_new0 (guint8, n);
  Pruning pruning = { n_own, n_below, a_below, is_root, g_new0 (guint32, n) };

  count_nodes (draft);
  look_below (draft, &pruning);
  drop_groups (draft, &pruning);
}

/* --- layers and steps ----------------------------------------------------------------------- */

/* The text before a scope's number, from the beginning of its path. */
typedef struct
{
  const char *text;
  gsize length;
} Stem;

static guint
hash_stem (gconstpointer data)
{
  const Stem *stem = data;
  guint64 hash = hash_more (FNV_START, stem->text, stem->length);

  return (guint) (hash ^ hash >> 32);
}

static gboolean
equal_stems (gconstpointer a, gconstpointer b)
{
  const Stem *x = a;
  const Stem *y = b;

  return x->length == y->length && memcmp (x->text, y->text, x->length) == 0;
}

enum
{
  IS_LAYER = 1,
  IS_STEP = 2,
};

/* (n_groups): IS_LAYER, IS_STEP, or 0 without a number or without a sibling that differs in it */
static guint8 *
find_numbered (const GobanHierarchyDraft *draft)
{
  guint n = draft->groups->len;
  guint8 *kinds = g_new0 (guint8, n);
  g_autofree Stem *stems = g_new0 (Stem, n);
  g_autoptr (GHashTable) firsts = g_hash_table_new (hash_stem, equal_stems);

  for (guint32 i = 1; i < n; i++)
    {
      const GobanGroupDraft *group = goban_draft_group (draft, i);
      const char *path = path_of (draft, i);
      const Stem *first;
      gsize stem;
      guint8 kind;

      if (!goban_name_is_numbered (path + group->start, group->length - group->start, &stem))
        continue;
      kind = goban_name_is_step (path + group->start, stem) ? IS_STEP : IS_LAYER;
      stems[i] = (Stem){ path, group->start + stem };
      first = g_hash_table_lookup (firsts, &stems[i]);
      if (first != NULL)
        kinds[i] = kinds[first - stems] = kind;
      else
        g_hash_table_add (firsts, &stems[i]);
    }
  return kinds;
}

/* Target of each scope's nodes: a scope, and a name. */
typedef struct
{
  const guint8 *kinds;
  guint8 kind;      /* which are looked for */
  guint8 *holds;    /* one of them is in it */
  guint32 *targets; /* the root for nodes in no group */
  guint32 *before;  /* the text before the first number of any kind */
} Flattening;

/* The weights of all layers and steps of a part are one group; nodes without any step are
 * another. */
static guint32
target_without_step (const Flattening *flat, guint32 group, guint32 parent)
{
  if (flat->holds[group])
    return flat->before[group];
  return parent == 0 ? group : flat->targets[parent];
}

static guint32
find_target (const Flattening *flat, guint32 group, guint32 parent)
{
  guint32 above = flat->targets[parent];

  if (above != 0 && (flat->kind == IS_LAYER || flat->kinds[above] == IS_STEP))
    return above;
  if (flat->kinds[group] == flat->kind)
    return group;
  if (flat->kind == IS_STEP)
    return target_without_step (flat, group, parent);
  return flat->holds[group] ? 0 : group;
}

static void
find_targets (const GobanHierarchyDraft *draft, Flattening *flat)
{
  for (guint32 i = draft->groups->len; i-- > 1;)
    {
      flat->holds[i] |= flat->kinds[i] == flat->kind;
      flat->holds[goban_draft_group (draft, i)->parent] |= flat->holds[i];
    }
  for (guint32 i = 1; i < draft->groups->len; i++)
    {
      guint32 parent = goban_draft_group (draft, i)->parent;
      gboolean is_past = flat->before[parent] != parent || flat->kinds[parent] != 0;

      flat->before[i] = is_past ? flat->before[parent] : flat->kinds[i] != 0 ? parent : i;
      flat->targets[i] = find_target (flat, i, parent);
    }
}

/* "encoder/step_12" of "encoder/layer_1/step_12". */
static char *
dup_target_path (const GobanHierarchyDraft *draft, const Flattening *flat, guint32 target)
{
  const GobanGroupDraft *group = goban_draft_group (draft, target);
  const GobanGroupDraft *before = goban_draft_group (draft, flat->before[target]);
  const char *path = path_of (draft, target);

  if (flat->kinds[target] != IS_STEP)
    return g_strndup (path, group->length);

  return g_strdup_printf ("%.*s%s%.*s", (int) before->length, path, before->length > 0 ? "/" : "",
                          (int) (group->length - group->start), path + group->start);
}

/* One level of groups below the root, in the order of their first nodes. */
static void
flatten (GobanHierarchyDraft *draft, const Flattening *flat)
{
  guint n_nodes = goban_graph_get_n_nodes (draft->graph);
  g_autoptr (GHashTable) by_path = g_hash_table_new (g_str_hash, g_str_equal);
  g_autofree guint32 *places = g_new0 (guint32, draft->groups->len);
  g_autoptr (GArray) groups = g_array_new (FALSE, FALSE, sizeof (GobanGroupDraft));

  g_array_append_vals (groups, goban_draft_group (draft, 0), 1);
  for (GobanNodeId v = 0; v < n_nodes; v++)
    {
      guint32 target = flat->targets[draft->of[v]];

      if (target != 0 && places[target] == 0)
        {
          g_autofree char *path = dup_target_path (draft, flat, target);
          GobanGroupDraft group = { .first = v };

          places[target] = GPOINTER_TO_UINT (g_hash_table_lookup (by_path, path));
          if (places[target] == 0)
            {
              places[target] = groups->len;
              group.path = g_string_chunk_insert (draft->texts, path);
              group.name = group.path;
              g_hash_table_insert (by_path, (gpointer) group.path, GUINT_TO_POINTER (groups->len));
              g_array_append_val (groups, group);
            }
        }
      draft->of[v] = target != 0 ? places[target] : 0;
    }
  g_array_unref (draft->groups);
  draft->groups = g_steal_pointer (&groups);
}

static void
keep_numbered (GobanHierarchyDraft *draft, guint8 kind)
{
  guint n = draft->groups->len;
  g_autofree guint8 *kinds = find_numbered (draft);
  g_autofree guint8 *holds = g_new0 (guint8, n);
  g_autofree guint32 *targets = g_new0 (guint32, n);
  g_autofree guint32 *before = g_new0 (guint32, n);
  Flattening flat = { kinds, kind, holds, targets, before };

  find_targets (draft, &flat);
  if (holds[0])
    flatten (draft, &flat);
  else
    {
      g_array_set_size (draft->groups, 1);
      memset (draft->of, 0, goban_graph_get_n_nodes (draft->graph) * sizeof *draft->of);
    }
}

void
goban_draft_keep_names (GobanHierarchyDraft *self, GobanGrouping grouping)
{
  if (grouping == GOBAN_GROUPING_LAYER)
    keep_numbered (self, IS_LAYER);
  else if (grouping == GOBAN_GROUPING_STEP)
    keep_numbered (self, IS_STEP);
  prune (self);
}

/* --- clusters ------------------------------------------------------------------------------- */

static char *
dup_cluster_name (const char *path, guint n_nodes)
{
  const char *last = strrchr (path, '/');

  return g_strdup_printf ("%s +%u", last != NULL && last[1] != '\0' ? last + 1 : path, n_nodes - 1);
}

void
goban_draft_read_plan (GobanHierarchyDraft *self, const GobanPlan *plan)
{
  guint n_nodes = goban_graph_get_n_nodes (self->graph);
  const gint32 *fusions = goban_plan_get_fusions (plan);
  g_autoptr (GHashTable) groups = g_hash_table_new (NULL, NULL);

  for (GobanNodeId v = 0; v < n_nodes; v++)
    {
      gpointer key = GINT_TO_POINTER (fusions[v]);
      guint32 place = GPOINTER_TO_UINT (g_hash_table_lookup (groups, key));

      if (fusions[v] < 0)
        continue;
      if (place == 0)
        {
          GobanGroupDraft group = { .first = v };

          place = self->groups->len;
          g_array_append_val (self->groups, group);
          g_hash_table_insert (groups, key, GUINT_TO_POINTER (place));
        }
      self->of[v] = place;
    }
  prune (self);
  for (guint32 i = 1; i < self->groups->len; i++)
    {
      GobanGroupDraft *group = goban_draft_group (self, i);
      g_autofree char *name = dup_cluster_name (path_of (self, i), group->n_nodes);

      group->path = path_of (self, i);
      group->name = g_string_chunk_insert (self->texts, name);
    }
}
