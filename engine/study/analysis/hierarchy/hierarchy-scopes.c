/* Groups from names and plans. Names are read into a tree of scopes, found by a hash table over
 * (parent, part). Neighbouring names share most of their scopes, so the prefix shared with the
 * previous name is not looked up again. */
#include "engine/study/analysis/hierarchy/hierarchy-draft.h"
#include "engine/study/analysis/hierarchy/name-parts.h"

#include <string.h>

/* --- folds ------------------------------------------------------------------------------------ */

/* Siblings that differ in one number become a fold, long rows of siblings ranges.
 *
 * Among the siblings of one parent, every number of every label stands for a family: the label
 * without it. The largest families take their members first.
 */

/* Numbers of a label that are tried, from its end, because counters of ops and scopes stand
 * there. */
#define MOST_NUMBERS 4
#define NONE G_MAXUINT32

/* A child of a group: a group, or a node that is directly in it. */
typedef struct
{
  guint32 id;
  gboolean is_group;
} Item;

/* A label whose number label[from..to) is left open. */
typedef struct
{
  guint32 item;
  guint32 from;
  guint32 to;
  guint32 next; /* of the same family */
  guint32 hash; /* of the label without the number */
} Candidate;

typedef struct
{
  guint32 head; /* candidates, in the order of items */
  guint32 tail;
  guint32 n;
} Family;

typedef struct
{
  const char *text;
  gsize length;
  gsize start; /* in the path or name whose end it is */
} Label;

typedef struct
{
  GobanHierarchyDraft *draft;
  guint32 parent;
  const Item *items;
  guint n_items;
  Label *labels;  /* (n_items) */
  guint32 *folds; /* (n_items) the fold that takes it, or NONE */
  GArray *candidates;
  GArray *families;
  GArray *slots; /* guint32: a hash table of families */
} Folding;

gsize
goban_draft_label_start (const char *name, gsize length, const char *path, gsize path_length)
{
  gsize start;

  if (path_length > length || memcmp (name, path, path_length) != 0)
    path_length = 0;
  start = goban_name_skip_separators (name, length, path_length);

  /* "stage20" does not lie in "stage2"; a child with the same name as its group keeps its name. */
  return start < length && (start > path_length || path_length == 0) ? start : 0;
}

static const char *
get_path (const GobanHierarchyDraft *draft, guint32 group, gsize *length)
{
  const GobanGroupDraft *it = goban_draft_group (draft, group);

  if (it->path != NULL)
    {
      *length = strlen (it->path);
      return it->path;
    }
  *length = it->length;
  return goban_graph_get_node (draft->graph, it->first)->name;
}

static Label
get_label (const Folding *self, Item item)
{
  const GobanGroupDraft *group = item.is_group ? goban_draft_group (self->draft, item.id) : NULL;
  const char *name, *path;
  gsize length, path_length, start;

  if (group != NULL && group->name != NULL)
    return (Label){ group->name, strlen (group->name),
                    strlen (group->path) - strlen (group->name) };
  if (group != NULL)
    {
      name = goban_graph_get_node (self->draft->graph, group->first)->name;
      return (Label){ name + group->start, group->length - group->start, group->start };
    }

  name = goban_graph_get_node (self->draft->graph, item.id)->name;
  length = strlen (name);
  path = get_path (self->draft, self->parent, &path_length);
  start = goban_draft_label_start (name, length, path, path_length);
  return (Label){ name + start, length - start, start };
}

/* --- families ------------------------------------------------------------------------------ */

static const char *
get_op (const Folding *self, Item item)
{
  return item.is_group ? NULL : goban_graph_get_node (self->draft->graph, item.id)->op;
}

static gboolean
is_kin (const Folding *self, const Candidate *a, const Candidate *b)
{
  const Label *x = &self->labels[a->item];
  const Label *y = &self->labels[b->item];
  Item item = self->items[a->item];
  Item other = self->items[b->item];

  return a->from == b->from && x->length - a->to == y->length - b->to
         && item.is_group == other.is_group && memcmp (x->text, y->text, a->from) == 0
         && memcmp (x->text + a->to, y->text + b->to, x->length - a->to) == 0
         && (item.is_group || g_str_equal (get_op (self, item), get_op (self, other)));
}

static void
join_family (Folding *self, guint32 index)
{
  Candidate *candidate = &g_array_index (self->candidates, Candidate, index);
  guint32 mask = self->slots->len - 1;
  guint32 slot = candidate->hash & mask;
  guint32 *found;
  Family *family;

  for (found = &g_array_index (self->slots, guint32, slot); *found != NONE;
       slot = (slot + 1) & mask, found = &g_array_index (self->slots, guint32, slot))
    {
      family = &g_array_index (self->families, Family, *found);
      if (!is_kin (self, candidate, &g_array_index (self->candidates, Candidate, family->head)))
        continue;
      g_array_index (self->candidates, Candidate, family->tail).next = index;
      family->tail = index;
      family->n++;
      return;
    }

  *found = self->families->len;
  g_array_append_vals (self->families, &(Family){ index, index, 1 }, 1);
}

static guint32
hash_on (guint32 hash, char c)
{
  return hash * 33 + (guchar) c;
}

/* Extends the hash of the prefix of each number by the text after it, from the first number to the
 * last. */
static void
hash_beginnings (Folding *self, const Label *label, guint n)
{
  guint32 hash = 5381;
  gsize at = 0;

  for (guint i = 1; i <= n; i++)
    {
      Candidate *candidate
          = &g_array_index (self->candidates, Candidate, self->candidates->len - i);

      for (; at < candidate->from; at++)
        hash = hash_on (hash, label->text[at]);
      candidate->hash ^= hash * 0x9e3779b1u;
      candidate->hash ^= candidate->hash >> 15;
    }
}

static void
add_candidates (Folding *self, guint32 item)
{
  const Label *label = &self->labels[item];
  guint32 hash = 5381;
  guint n = 0;

  for (gsize end = label->length; end > 0 && n < MOST_NUMBERS;)
    {
      Candidate candidate = { .item = item, .to = (guint32) end, .next = NONE, .hash = hash };

      while (end > 0 && g_ascii_isdigit (label->text[end - 1]))
        hash = hash_on (hash, label->text[--end]);
      if (end < candidate.to)
        {
          candidate.from = (guint32) end;
          g_array_append_val (self->candidates, candidate);
          n++;
        }
      else
        hash = hash_on (hash, label->text[--end]);
    }
  hash_beginnings (self, label, n);
}

static void
find_families (Folding *self)
{
  guint32 n_slots = 16;

  g_array_set_size (self->candidates, 0);
  g_array_set_size (self->families, 0);
  for (guint32 i = 0; i < self->n_items; i++)
    {
      self->labels[i] = get_label (self, self->items[i]);
      self->folds[i] = NONE;
      if (self->parent != 0 || self->items[i].is_group)
        add_candidates (self, i);
    }
  while (n_slots < 2 * self->candidates->len)
    n_slots *= 2;
  g_array_set_size (self->slots, n_slots);
  memset (self->slots->data, 0xff, n_slots * sizeof (guint32));
  for (guint32 i = 0; i < self->candidates->len; i++)
    join_family (self, i);
}

static int
compare_families (gconstpointer a, gconstpointer b)
{
  const Family *x = a;
  const Family *y = b;

  if (x->n != y->n)
    return x->n > y->n ? -1 : 1;
  return x->head < y->head ? -1 : x->head > y->head;
}

/* --- folds ------------------------------------------------------------------------------------ */

/* As numbers, however long. */
static int
compare_digits (const char *a, gsize a_length, const char *b, gsize b_length)
{
  for (; a_length > 1 && *a == '0'; a++)
    a_length--;
  for (; b_length > 1 && *b == '0'; b++)
    b_length--;
  if (a_length != b_length)
    return a_length < b_length ? -1 : 1;
  return memcmp (a, b, a_length);
}

static const Candidate *
get_candidate (const Folding *self, guint32 index)
{
  return &g_array_index (self->candidates, Candidate, index);
}

static const char *
digits_of (const Folding *self, const Candidate *candidate)
{
  return self->labels[candidate->item].text + candidate->from;
}

static void
name_fold (const Folding *self, const Family *family, GobanGroupDraft *fold)
{
  const Candidate *head = get_candidate (self, family->head);
  const Candidate *low = head;
  const Candidate *high = head;
  const Label *label = &self->labels[head->item];
  g_autofree char *path = NULL;

  for (guint32 i = head->next; i != NONE; i = get_candidate (self, i)->next)
    {
      const Candidate *it = get_candidate (self, i);

      if (self->folds[it->item] != self->folds[head->item])
        continue;
      if (compare_digits (digits_of (self, it), it->to - it->from, digits_of (self, low),
                          low->to - low->from)
          < 0)
        low = it;
      if (compare_digits (digits_of (self, it), it->to - it->from, digits_of (self, high),
                          high->to - high->from)
          > 0)
        high = it;
    }

  path = g_strdup_printf ("%.*s%.*s[%.*s-%.*s]%.*s", (int) label->start, label->text - label->start,
                          (int) head->from, label->text, (int) (low->to - low->from),
                          digits_of (self, low), (int) (high->to - high->from),
                          digits_of (self, high), (int) (label->length - head->to),
                          label->text + head->to);
  fold->path = g_string_chunk_insert (self->draft->texts, path);
  fold->name = fold->path + label->start;
}

static guint
count_free (const Folding *self, const Family *family)
{
  guint n = 0;

  for (guint32 i = family->head; i != NONE; i = get_candidate (self, i)->next)
    n += self->folds[get_candidate (self, i)->item] == NONE;
  return n;
}

/* Members that a larger family has taken leave this one's head, which names it. */
static void
make_fold (Folding *self, Family *family)
{
  GobanGroupDraft fold = { .parent = self->parent, .is_fold = TRUE };
  guint32 number = self->draft->groups->len;

  while (self->folds[get_candidate (self, family->head)->item] != NONE)
    family->head = get_candidate (self, family->head)->next;
  for (guint32 i = family->head; i != NONE; i = get_candidate (self, i)->next)
    {
      guint32 item = get_candidate (self, i)->item;

      if (self->folds[item] == NONE)
        self->folds[item] = number;
    }
  name_fold (self, family, &fold);
  g_array_append_val (self->draft->groups, fold);
}

static void
put_item (GobanHierarchyDraft *draft, Item item, guint32 parent)
{
  if (item.is_group)
    goban_draft_group (draft, item.id)->parent = parent;
  else
    draft->of[item.id] = parent;
}

static GobanNodeId
first_of (const GobanHierarchyDraft *draft, Item item)
{
  return item.is_group ? goban_draft_group (draft, item.id)->first : item.id;
}

/* --- ranges ----------------------------------------------------------------------------------- */

static void
put_range (GobanHierarchyDraft *draft, guint32 range, const Item *items, guint n)
{
  goban_draft_group (draft, range)->first = first_of (draft, items[0]);
  for (guint i = 0; i < n; i++)
    put_item (draft, items[i], range);
}

/* Even parts of at most 1000, and these again if there are more of them; destroys @items. */
static void
split_into_ranges (GobanHierarchyDraft *draft, guint32 parent, Item *items, guint n_items)
{
  guint64 n_leaves = n_items;
  guint n = n_items;

  while (n > GOBAN_GROUP_MOST)
    {
      guint n_ranges = (n + GOBAN_GROUP_MOST - 1) / GOBAN_GROUP_MOST;
      gsize path_length;
      const char *path = get_path (draft, parent, &path_length);

      for (guint i = 0; i < n_ranges; i++)
        {
          guint from = (guint) ((guint64) n * i / n_ranges);
          guint to = (guint) ((guint64) n * (i + 1) / n_ranges);
          GobanGroupDraft range = { .parent = parent, .is_fold = TRUE };
          g_autofree char *text = g_strdup_printf (
              "%.*s%s%" G_GUINT64_FORMAT "-%" G_GUINT64_FORMAT, (int) path_length, path,
              path_length > 0 ? "/" : "", n_leaves * from / n + 1, n_leaves * to / n);
          guint32 number = draft->groups->len;

          range.path = g_string_chunk_insert (draft->texts, text);
          range.name = range.path + path_length + (path_length > 0);
          g_array_append_val (draft->groups, range);
          put_range (draft, number, items + from, to - from);
          items[i] = (Item){ number, TRUE };
        }
      n = n_ranges;
    }
}

/* --- siblings --------------------------------------------------------------------------------- */

/* The rows of items of all groups, each in the order of first nodes. */
typedef struct
{
  Item *items;
  guint32 *starts; /* (n_groups + 1) */
} Rows;

static void
clear_rows (Rows *rows)
{
  g_free (rows->items);
  g_free (rows->starts);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Rows, clear_rows)

static void
append (Rows *rows, guint32 *ends, guint32 group, Item item)
{
  rows->items[rows->starts[group] + ends[group]++] = item;
}

/* Groups that begin with the same node are one above the other, so each is in a row of its own. */
static Rows
make_rows (const GobanHierarchyDraft *draft)
{
  guint n_nodes = goban_graph_get_n_nodes (draft->graph);
  guint n_groups = draft->groups->len;
  Rows rows = { g_new (Item, (gsize) n_nodes + n_groups), g_new0 (guint32, (gsize) n_groups + 1) };
  g_autofree guint32 *ends = g_new0 (guint32, n_groups);
  g_autofree guint32 *next = g_new (guint32, n_groups);
  g_autofree guint32 *firsts = g_new (guint32, (gsize) n_nodes + 1);

  memset (firsts, 0xff, ((gsize) n_nodes + 1) * sizeof *firsts);
  for (guint32 i = 1; i < n_groups; i++)
    {
      const GobanGroupDraft *group = goban_draft_group (draft, i);

      rows.starts[group->parent + 1]++;
      next[i] = firsts[group->first];
      firsts[group->first] = i;
    }
  for (GobanNodeId v = 0; v < n_nodes; v++)
    rows.starts[draft->of[v] + 1]++;
  for (guint32 i = 0; i < n_groups; i++)
    rows.starts[i + 1] += rows.starts[i];
  for (GobanNodeId v = 0; v < n_nodes; v++)
    {
      for (guint32 i = firsts[v]; i != NONE; i = next[i])
        append (&rows, ends, goban_draft_group (draft, i)->parent, (Item){ i, TRUE });
      append (&rows, ends, draft->of[v], (Item){ v, FALSE });
    }
  return rows;
}

/* Replaces the items of folds by the folds themselves; returns the number of items left. */
static guint
put_into_folds (Folding *self, Item *items)
{
  guint n_left = 0;

  for (guint i = 0; i < self->n_items; i++)
    {
      guint32 number = self->folds[i];
      GobanGroupDraft *fold;

      if (number == NONE)
        {
          items[n_left++] = self->items[i];
          continue;
        }
      put_item (self->draft, self->items[i], number);
      fold = goban_draft_group (self->draft, number);
      if (fold->n_nodes++ > 0)
        continue;
      fold->first = first_of (self->draft, self->items[i]);
      items[n_left++] = (Item){ number, TRUE };
    }
  return n_left;
}

/* A fold's own row, if it is too long. */
static void
split_fold (const Folding *self, guint32 fold)
{
  g_autofree Item *members = NULL;
  guint n = goban_draft_group (self->draft, fold)->n_nodes;
  guint k = 0;

  if (n <= GOBAN_GROUP_MOST)
    return;

  members = g_new (Item, n);
  for (guint i = 0; i < self->n_items; i++)
    if (self->folds[i] == fold)
      members[k++] = self->items[i];
  split_into_ranges (self->draft, fold, members, n);
}

/* Compacts @items to those outside the folds; returns their number. */
static guint
fold_row (Folding *self, Item *items)
{
  guint32 n_before = self->draft->groups->len;
  guint32 n_after;
  guint n_left;

  find_families (self);
  g_array_sort (self->families, compare_families);
  for (guint i = 0; i < self->families->len; i++)
    {
      Family *family = &g_array_index (self->families, Family, i);
      guint n;

      if (family->n < GOBAN_FOLD_LEAST)
        break;
      n = count_free (self, family);
      if (n >= GOBAN_FOLD_LEAST && n < self->n_items)
        make_fold (self, family);
    }
  n_after = self->draft->groups->len;
  n_left = put_into_folds (self, items);
  for (guint32 fold = n_before; fold < n_after; fold++)
    split_fold (self, fold);
  return n_left;
}

void
goban_draft_fold (GobanHierarchyDraft *self, gboolean by_number)
{
  guint n_groups = self->groups->len;
  g_auto (Rows) rows = make_rows (self);
  gsize n_most = (gsize) goban_graph_get_n_nodes (self->graph) + n_groups;
  g_autofree Label *labels = g_new (Label, n_most);
  g_autofree guint32 *folds = g_new (guint32, n_most);
  g_autofree Item *left = g_new (Item, n_most);
  g_autoptr (GArray) candidates = g_array_new (FALSE, FALSE, sizeof (Candidate));
  g_autoptr (GArray) families = g_array_new (FALSE, FALSE, sizeof (Family));
  g_autoptr (GArray) slots = g_array_new (FALSE, FALSE, sizeof (guint32));

  for (guint32 i = 0; i < n_groups; i++)
    {
      Folding folding = { .draft = self,
                          .parent = i,
                          .items = rows.items + rows.starts[i],
                          .n_items = rows.starts[i + 1] - rows.starts[i],
                          .labels = labels,
                          .folds = folds,
                          .candidates = candidates,
                          .families = families,
                          .slots = slots };
      guint n_left = folding.n_items;

      if (by_number && folding.n_items > GOBAN_FOLD_LEAST)
        n_left = fold_row (&folding, left);
      else
        memcpy (left, folding.items, n_left * sizeof *left);
      if (n_groups > 1)
        split_into_ranges (self, i, left, n_left);
    }
}

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
