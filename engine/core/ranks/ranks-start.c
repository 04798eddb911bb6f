#include "engine/core/ranks/ranks-start.h"

#include "engine/core/error.h"
#include "engine/core/parallel.h"
#include "engine/folders.h"

#include <dlfcn.h>
#include <string.h>

/* Variables of Open MPI's mpirun, of MPICH's and Slurm's PMI, and of Slurm's srun. */
static const char *const size_names[]
    = { "OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS" };
static const char *const rank_names[] = { "OMPI_COMM_WORLD_RANK", "PMI_RANK", "SLURM_PROCID" };

static guint
read_number (const char *name, guint otherwise)
{
  guint64 number;

  const char *text = g_getenv (name);

  if (text == NULL
      || !g_ascii_string_to_unsigned (text, 10, 0, G_MAXINT, &number, NULL)) /* as without it */
    return otherwise;
  return (guint) number;
}

guint
goban_ranks_count_started (void)
{
  /* Which of them is there; the number of names if none is. */
  guint i = 0;

  while (i < G_N_ELEMENTS (size_names)
         && (g_getenv (size_names[i]) == NULL || g_getenv (rank_names[i]) == NULL))
    i++;

  return i < G_N_ELEMENTS (size_names) ? MAX (read_number (size_names[i], 1), 1) : 1;
}

/* (nullable): without a reference, as libraries of MPI cannot be unloaded */
static gpointer
load_module (void)
{
  const char *named = g_getenv ("GOBAN_MPI_MODULE");
  const char *const paths[] = {
    named,
#ifdef GOBAN_MPI_MODULE_BUILT
    named == NULL ? GOBAN_MPI_MODULE_BUILT : NULL,
#endif
#ifdef GOBAN_MPI_MODULE_INSTALLED
    named == NULL ? GOBAN_MPI_MODULE_INSTALLED : NULL,
#endif
  };
  gpointer module = NULL;

  for (gsize i = 0; module == NULL && i < G_N_ELEMENTS (paths); i++)
    if (paths[i] != NULL)
      module = dlopen (paths[i], RTLD_NOW | RTLD_GLOBAL);
  return module;
}

static GobanRanksLinkOpen
find_open (gpointer module)
{
  gpointer symbol = module != NULL ? dlsym (module, GOBAN_RANKS_LINK_SYMBOL) : NULL;
  GobanRanksLinkOpen open_link = NULL;

  /* ISO C has no conversion from objects to functions. */
  if (symbol != NULL)
    memcpy (&open_link, &symbol, sizeof open_link);
  return open_link;
}

/* Ranks of one machine do not run a thread per processor each: as many as srun was asked for, or
 * one per processor if mpirun has bound the rank to its own, or an equal share. */
static void
share_processors (const GobanRanksLink *link)
{
  guint n = g_get_num_processors ();
  gboolean is_bound = g_getenv ("OMPI_MCA_orte_bound_at_launch") != NULL;
  guint n_shared = is_bound ? n : MAX (n / (guint) link->n_here, 1);

  goban_parallel_set_max_threads (read_number ("SLURM_CPUS_PER_TASK", n_shared));
}

gboolean
goban_ranks_start (const GobanProgress *progress, GobanRanks **ranks, GError **error)
{
  guint n = goban_ranks_count_started ();
  GobanRanksLinkOpen open_link;
  GobanRanksLink link = { 0 };

  *ranks = NULL;
  if (n == 1)
    return TRUE;
  open_link = find_open (load_module ());
  if (open_link == NULL || !open_link (GOBAN_RANKS_LINK_VERSION, &link))
    return goban_refuse (
        error, GOBAN_ERROR_UNSUPPORTED,
        "this is one of %u processes, but the program was built without MPI: build "
        "it with the package libopenmpi-dev, or start one process",
        n);
  if (link.size != (int) n)
    return goban_refuse (
        error, GOBAN_ERROR_UNSUPPORTED,
        "%u processes were started, but MPI knows of %d: start them by mpirun, or by "
        "srun --mpi=pmix",
        n, link.size);
  share_processors (&link);
  *ranks = goban_ranks_new (&link, progress);
  return TRUE;
}
