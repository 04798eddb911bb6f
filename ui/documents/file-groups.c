#include "ui/documents/file-groups.h"

#include "engine/machine/cluster/cluster-json.h"
#include "engine/session/document/session-file.h"
#include "engine/study/run/graph-source.h"

#include <string.h>

/* The beginning of a plan file has this key. */
#define PLAN_KEY "\"goban_plan\""
#define SNIFF_BYTES 512

char *
goban_file_dup_spec (GFile *file)
{
  g_autofree char *path = g_file_get_path (file);
  g_autofree char *spec = path != NULL ? g_file_get_basename (file) : g_file_get_uri (file);

  if (path != NULL && g_file_test (path, G_FILE_TEST_EXISTS))
    return NULL;
  return goban_graph_source_is_spec (spec) ? g_steal_pointer (&spec) : NULL;
}

/* The first bytes of a file and their number; 0 if it cannot be read, for which opening it reports
 * the reason. */
static gsize
read_head (GFile *file, char *head)
{
  g_autoptr (GFileInputStream) stream = g_file_read (file, NULL, NULL);
  gsize n = 0;

  if (stream == NULL
      || !g_input_stream_read_all (G_INPUT_STREAM (stream), head, SNIFF_BYTES, &n, NULL, NULL))
    return 0;
  return n;
}

GobanFileIs
goban_file_find_kind (GFile *file)
{
  g_autofree char *path = g_file_get_path (file);
  char head[SNIFF_BYTES + 1] = "";
  gsize n;

  if (path != NULL && g_str_has_suffix (path, ".lua"))
    return GOBAN_FILE_IS_SCRIPT;
  /* Who waits for the writer of a pipe may wait for ever. */
  if (path == NULL
      || g_file_query_file_type (file, G_FILE_QUERY_INFO_NONE, NULL) != G_FILE_TYPE_REGULAR)
    return GOBAN_FILE_IS_GRAPH;
  n = read_head (file, head);
  if (goban_session_file_sniff (head, n))
    return GOBAN_FILE_IS_SESSION;
  if (strstr (head, PLAN_KEY) != NULL)
    return GOBAN_FILE_IS_PLAN;
  if (goban_cluster_json_sniff (head))
    return GOBAN_FILE_IS_CLUSTER;
  return goban_graph_source_is_profile (path) ? GOBAN_FILE_IS_PROFILE : GOBAN_FILE_IS_GRAPH;
}

static gboolean
is_graph (GobanFileIs kind)
{
  return kind == GOBAN_FILE_IS_GRAPH || kind == GOBAN_FILE_IS_SESSION;
}

typedef struct
{
  GobanFileIs kind;
  GFile *file;
} Member;

static int
compare_kinds (gconstpointer a, gconstpointer b)
{
  const Member *first = a;
  const Member *second = b;

  return (first->kind > second->kind) - (first->kind < second->kind);
}

/* A graph and what was named with it. */
typedef struct
{
  Member head;       /* its file is NULL if no graph was named */
  GobanGraph *graph; /* (nullable): once it is read */
  gboolean is_read;  /* as far as it can be */
  GArray *members;   /* of Member */
} Group;

static Group *
group_new (Member head)
{
  Group *group = g_new0 (Group, 1);

  group->head = head;
  group->members = g_array_new (FALSE, FALSE, sizeof (Member));
  return group;
}

static void
group_free (gpointer data)
{
  Group *group = data;

  g_clear_pointer (&group->graph, goban_graph_unref);
  g_array_unref (group->members);
  g_free (group);
}

/* The graph that the group's first file is or names; %NULL if it cannot be read, for which opening
 * it reports the reason. */
static GobanGraph *
get_graph (Group *group)
{
  const GobanLoadOptions options = { .only_regular = TRUE };
  g_autofree char *spec = NULL;
  const char *path;

  if (group->is_read || group->head.file == NULL)
    return group->graph;
  group->is_read = TRUE;
  spec = goban_file_dup_spec (group->head.file);
  path = spec != NULL ? spec : g_file_peek_path (group->head.file);
  if (path != NULL && group->head.kind == GOBAN_FILE_IS_SESSION)
    {
      g_autoptr (GobanSnapshot) snapshot
          = goban_snapshot_load (path, &(GobanSnapshotOptions){ NULL }, NULL);

      if (snapshot != NULL)
        group->graph = goban_graph_ref (goban_snapshot_get_graph (snapshot));
    }
  else if (path != NULL)
    group->graph = goban_graph_source_load (path, &options, NULL);
  return group->graph;
}

/* Moves the plans that do not fit the graph they were named with to the first that they fit. One
 * that fits none stays: opening it reports what does not fit. */
static void
move_plans (GPtrArray *groups)
{
  for (guint i = 0; i < groups->len && groups->len > 1; i++)
    {
      Group *group = g_ptr_array_index (groups, i);

      for (guint j = 0; j < group->members->len;)
        {
          Member plan = g_array_index (group->members, Member, j);
          Group *place = group;

          for (guint k = 0; plan.kind == GOBAN_FILE_IS_PLAN && k <= groups->len; k++)
            {
              Group *asked = k == 0 ? group : g_ptr_array_index (groups, k - 1);
              GobanGraph *graph = get_graph (asked);

              if (graph == NULL || !goban_plan_file_fits (g_file_peek_path (plan.file), graph))
                continue;
              place = asked;
              break;
            }
          if (place == group)
            {
              j++;
              continue;
            }
          g_array_append_val (place->members, plan);
          g_array_remove_index (group->members, j);
        }
    }
}

GPtrArray *
goban_file_groups_new (GFile *const *files, guint n)
{
  g_autoptr (GPtrArray) groups = g_ptr_array_new_with_free_func (group_free);
  GPtrArray *answer = g_ptr_array_new_with_free_func ((GDestroyNotify) g_ptr_array_unref);
  Group *group = NULL;

  for (guint i = 0; i < n; i++)
    {
      Member member = { goban_file_find_kind (files[i]), files[i] };
      gboolean takes_profiles = group != NULL && is_graph (group->head.kind);
      gboolean is_head
          = is_graph (member.kind) || (member.kind == GOBAN_FILE_IS_PROFILE && !takes_profiles);

      if (group == NULL || (is_head && group->head.file != NULL))
        g_ptr_array_add (groups, group = group_new ((Member){ GOBAN_FILE_IS_SCRIPT, NULL }));
      if (is_head)
        group->head = member;
      else
        g_array_append_val (group->members, member);
    }
  move_plans (groups);

  for (guint i = 0; i < groups->len; i++)
    {
      GPtrArray *named = g_ptr_array_new_with_free_func (g_object_unref);

      group = g_ptr_array_index (groups, i);
      if (group->head.file != NULL)
        g_ptr_array_add (named, g_object_ref (group->head.file));
      g_array_sort (group->members, compare_kinds);
      for (guint j = 0; j < group->members->len; j++)
        g_ptr_array_add (named, g_object_ref (g_array_index (group->members, Member, j).file));
      g_ptr_array_add (answer, named);
    }
  return answer;
}

static void
find_groups (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  GPtrArray *files = data;

  g_task_return_pointer (task, goban_file_groups_new ((GFile *const *) files->pdata, files->len),
                         (GDestroyNotify) g_ptr_array_unref);
}

void
goban_file_groups_find (GFile *const *files, guint n, GCancellable *cancellable,
                        GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);
  GPtrArray *copy = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; i < n; i++)
    g_ptr_array_add (copy, g_object_ref (files[i]));
  g_task_set_task_data (task, copy, (GDestroyNotify) g_ptr_array_unref);
  g_task_run_in_thread (task, find_groups);
}

gboolean
goban_file_group_has_graph (const GPtrArray *group)
{
  GobanFileIs kind = group->len > 0 ? goban_file_find_kind (group->pdata[0]) : GOBAN_FILE_IS_SCRIPT;

  return is_graph (kind) || kind == GOBAN_FILE_IS_PROFILE;
}
