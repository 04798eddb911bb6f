/* networks.h: list of trained networks: those that come with the program and one's own.
 *
 * A network's file contains its kind. The lessons and length of its training are known for shipped
 * networks, and for one's own from the run beside them (FILE.run).
 */
#pragma once

#include "engine/study/training/training.h"

typedef struct
{
  char *name;               /* of the file, without suffix: "builder-2" */
  char *file;               /* path */
  const char *network;      /* which it is, a name of goban_training_get_networks(); static */
  const char *decides;      /* its decisions and policies, translated; static */
  const char *policy;       /* that places with nothing but this network; static */
  const char *const *users; /* policies with a choice of networks, NULL-terminated; static */
  char *trained_on;         /* translated; "" if it is not known */
  guint n_updates;          /* 0: not known */
  double score;             /* in trials, lower is better; NAN: not known */
  gsize n_parameters;
  gboolean is_shipped;
} GobanNetworkInfo;

/* %NULL with %GOBAN_ERROR_IO or PARSE set, which names the path, for a file that is not a network
 * or is damaged. (transfer full) (nullable) */
GobanNetworkInfo *goban_network_info_load (const char *path,
                                           GError **error) G_GNUC_WARN_UNUSED_RESULT;
void goban_network_info_free (GobanNetworkInfo *self);

/**
 * goban_networks_list:
 * @folders: (nullable): NULL-terminated folders, of whose files *.net those that are networks are
 *   listed; a folder that is not there has none
 *
 * Shipped networks first, then the others in the order of folders and names.
 *
 * Returns: (transfer full) (element-type GobanNetworkInfo)
 */
GPtrArray *goban_networks_list (const char *const *folders) G_GNUC_WARN_UNUSED_RESULT;

/* The same in a worker, for every file is read whole: a job whose result is the list. @folders is
 * copied. (transfer full) */
GobanJob *goban_networks_start_list (const char *const *folders) G_GNUC_WARN_UNUSED_RESULT;

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanNetworkInfo, goban_network_info_free)
