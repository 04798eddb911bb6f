#include "ui/documents/file-groups.h"

#include "engine/machine/cluster/cluster-json.h"
#include "engine/session/document/session-file.h"
#include "engine/study/run/graph-source.h"
#include "ui/documents/scripts.h"

#include <string.h>

/* The beginning of a plan file has this key. */
#define PLAN_KEY "\"goban_plan\""
#define SNIFF_BYTES 512

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

  if (path != NULL && goban_scripts_is_script (path))
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

/* @head: the graph of the group; the others are put in the order in which they are opened */
static void
add_group (GPtrArray *groups, GFile *head, GArray *others)
{
  GPtrArray *group = g_ptr_array_new_with_free_func (g_object_unref);

  if (head != NULL)
    g_ptr_array_add (group, g_object_ref (head));
  g_array_sort (others, compare_kinds);
  for (guint i = 0; i < others->len; i++)
    g_ptr_array_add (group, g_object_ref (g_array_index (others, Member, i).file));
  g_array_set_size (others, 0);
  if (group->len > 0)
    g_ptr_array_add (groups, group);
  else
    g_ptr_array_unref (group);
}

GPtrArray *
goban_file_groups_new (GFile *const *files, guint n)
{
  GPtrArray *groups = g_ptr_array_new_with_free_func ((GDestroyNotify) g_ptr_array_unref);
  g_autoptr (GArray) others = g_array_new (FALSE, FALSE, sizeof (Member));
  GFile *head = NULL;
  gboolean takes_profiles = FALSE;

  for (guint i = 0; i < n; i++)
    {
      Member member = { goban_file_find_kind (files[i]), files[i] };

      if (!is_graph (member.kind) && (member.kind != GOBAN_FILE_IS_PROFILE || takes_profiles))
        {
          g_array_append_val (others, member);
          continue;
        }
      if (head != NULL)
        add_group (groups, head, others);
      head = files[i];
      takes_profiles = is_graph (member.kind);
    }
  add_group (groups, head, others);
  return groups;
}

gboolean
goban_file_group_has_graph (const GPtrArray *group)
{
  GobanFileIs kind = group->len > 0 ? goban_file_find_kind (group->pdata[0]) : GOBAN_FILE_IS_SCRIPT;

  return is_graph (kind) || kind == GOBAN_FILE_IS_PROFILE;
}
