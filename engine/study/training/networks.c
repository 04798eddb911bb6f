#include "engine/study/training/networks.h"

#include "engine/core/data-file.h"
#include "engine/core/error.h"
#include "engine/core/file-read.h"
#include "engine/core/i18n.h"
#include "engine/learn/nn/params.h"
#include "engine/study/training/training-kind.h"

#include <math.h>
#include <string.h>

#define SUFFIX ".net"

static const GobanTrainingKind *const kinds[]
    = { &goban_training_builder, &goban_training_moves, &goban_training_regal };

/* "builder+embedding" is a builder. (nullable) */
static const GobanTrainingKind *
find_kind (const char *network)
{
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      gsize n = strlen (kinds[i]->network);

      if (strncmp (network, kinds[i]->network, n) == 0 && (network[n] == '\0' || network[n] == '+'))
        return kinds[i];
    }
  return NULL;
}

/* (nullable): %NULL with an error set */
static const GobanTrainingKind *
read_kind (const char *path, GError **error)
{
  g_autoptr (GBytes) bytes = goban_file_read (path, GOBAN_FILE_RUN, error);
  g_autofree char *network = NULL;
  const GobanTrainingKind *kind;

  if (bytes == NULL)
    return NULL;
  network = goban_params_read_network (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes),
                                       path, error);
  if (network == NULL)
    return NULL;
  kind = find_kind (network);
  if (kind == NULL)
    goban_set_error (error, GOBAN_ERROR_PARSE, "%s: no policy uses a network “%s”", path, network);
  return kind;
}

/* Reads the run beside a network's file, if there is one. */
static void
add_run (GobanNetworkInfo *self, const GobanTrainingKind *kind)
{
  g_autofree char *path = g_strconcat (self->file, GOBAN_TRAINING_SUFFIX, NULL);
  GobanLearningRun *run = kind->run != NULL && g_file_test (path, G_FILE_TEST_EXISTS)
                              ? goban_learning_run_load (kind->run, path, NULL)
                              : NULL;

  if (run == NULL)
    return;
  self->n_updates = run->n_done;
  g_free (self->trained_on);
  self->trained_on = g_strdup_printf (_ ("%u random networks"), run->settings->n_lessons);
  self->score = run->best_score;
  goban_learning_run_free (run);
}

static GobanNetworkInfo *
load (const char *path, const GobanTrainingKind *kind, GError **error)
{
  GobanNetworkInfo *self;
  g_autofree char *base = g_path_get_basename (path);
  gsize n_parameters = kind->count_parameters (path, error);

  if (n_parameters == 0)
    return NULL;
  self = g_new0 (GobanNetworkInfo, 1);
  self->name
      = g_strndup (base, strlen (base) - (g_str_has_suffix (base, SUFFIX) ? strlen (SUFFIX) : 0));
  self->file = g_strdup (path);
  self->network = kind->network;
  self->decides = _ (kind->purpose);
  self->policy = kind->policy;
  self->users = kind->users;
  self->trained_on = g_strdup ("");
  self->score = NAN;
  self->n_parameters = n_parameters;
  return self;
}

GobanNetworkInfo *
goban_network_info_load (const char *path, GError **error)
{
  const GobanTrainingKind *kind = read_kind (path, error);
  GobanNetworkInfo *self = kind != NULL ? load (path, kind, error) : NULL;

  if (self != NULL)
    add_run (self, kind);
  return self;
}

void
goban_network_info_free (GobanNetworkInfo *self)
{
  g_free (self->name);
  g_free (self->file);
  g_free (self->trained_on);
  g_free (self);
}

/* --- the list --------------------------------------------------------------------------------- */

/* A shipped network that cannot be read is left out: its policy says why. */
static void
add_shipped (GPtrArray *list, const GobanTrainingKind *kind)
{
  g_autofree char *file = g_strconcat (kind->network, SUFFIX, NULL);
  g_autofree char *path = goban_data_file_find ("policies", file);
  GobanNetworkInfo *info = path != NULL ? load (path, kind, NULL) : NULL;

  if (info == NULL)
    return;
  g_free (info->trained_on);
  info->trained_on = g_strdup (_ (kind->shipped.trained_on));
  info->n_updates = kind->shipped.n_updates;
  info->score = kind->shipped.score;
  info->is_shipped = TRUE;
  g_ptr_array_add (list, info);
}

static int
compare_names (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

/* Files that are not networks are left out, and all that are left if it is to stop. */
static void
add_folder (GPtrArray *list, const char *folder, const GobanProgress *progress)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL); /* which may not be there yet */
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    if (g_str_has_suffix (name, SUFFIX))
      g_ptr_array_add (names, g_strdup (name));
  g_ptr_array_sort (names, compare_names);
  for (guint i = 0; i < names->len && goban_progress_check (progress, NULL); i++)
    {
      g_autofree char *path = g_build_filename (folder, g_ptr_array_index (names, i), NULL);
      GobanNetworkInfo *info = goban_network_info_load (path, NULL);

      if (info != NULL)
        g_ptr_array_add (list, info);
    }
}

/* @progress: (nullable) */
static GPtrArray *
list_all (const char *const *folders, const GobanProgress *progress)
{
  GPtrArray *list = g_ptr_array_new_with_free_func ((GDestroyNotify) goban_network_info_free);

  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    add_shipped (list, kinds[i]);
  for (guint i = 0; folders != NULL && folders[i] != NULL; i++)
    add_folder (list, folders[i], progress);
  return list;
}

GPtrArray *
goban_networks_list (const char *const *folders)
{
  return list_all (folders, NULL);
}

static gpointer
list_worker (const GobanProgress *progress, gpointer data, GError **error)
{
  return list_all (data, progress);
}

GobanJob *
goban_networks_start_list (const char *const *folders)
{
  return goban_job_start ("networks", list_worker, g_strdupv ((char **) folders),
                          (GDestroyNotify) g_strfreev, (GDestroyNotify) g_ptr_array_unref);
}
