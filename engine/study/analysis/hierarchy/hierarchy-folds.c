/* Siblings that differ in one number become a fold, long rows of siblings ranges.
 *
 * Among the siblings of one parent, every number of every label stands for a family: the label
 * without it. The largest families take their members first.
 */
#include "engine/study/analysis/hierarchy/hierarchy-draft.h"
#include "engine/study/analysis/hierarchy/name-parts.h"

#include <string.h>

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
