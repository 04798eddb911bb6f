/* mpi-link.c: messages by MPI: the module that goban-cli loads when mpirun starts it
 * (engine/ranks/ranks-link.h).
 *
 * Calls that wait are MPI's calls without waiting, asked again after growing rests. MPI's own
 * waiting spins, which takes the processor from ranks that are waited for if there are more ranks
 * than processors, and it never ends if another rank has died. */
#include "engine/ranks/ranks-link.h"

#include <mpi.h>
#include <sched.h>
#include <stdlib.h>
#include <time.h>

#define N_QUICK_LOOKS 200
#define FIRST_REST_NS 20000
#define LAST_REST_NS 1000000

typedef struct
{
  MPI_Comm comm; /* without messages of others */
} State;

static void
rest (long look)
{
  struct timespec pause = { 0, FIRST_REST_NS };

  if (look < N_QUICK_LOOKS)
    {
      sched_yield ();
      return;
    }
  for (long i = N_QUICK_LOOKS; i < look && pause.tv_nsec < LAST_REST_NS; i += N_QUICK_LOOKS)
    pause.tv_nsec *= 2;
  nanosleep (&pause, NULL);
}

static int
finish (GobanRanksLink *link, MPI_Request *request)
{
  int is_done = 0;

  for (long look = 0;; look++)
    {
      MPI_Test (request, &is_done, MPI_STATUS_IGNORE);
      if (is_done)
        return 1;
      if (!link->wait (link->wait_data))
        return 0;
      rest (look);
    }
}

static int
gather (GobanRanksLink *link, const void *mine, int size, void *all, const int *sizes,
        const int *offsets)
{
  State *self = link->self;
  MPI_Request request;

  MPI_Iallgatherv (mine, size, MPI_BYTE, all, sizes, offsets, MPI_BYTE, self->comm, &request);
  return finish (link, &request);
}

static int
scatter (GobanRanksLink *link, const void *mine, const int *to_sizes, const int *to_offsets,
         void *all, const int *from_sizes, const int *from_offsets)
{
  State *self = link->self;
  MPI_Request request;

  MPI_Ialltoallv (mine, to_sizes, to_offsets, MPI_BYTE, all, from_sizes, from_offsets, MPI_BYTE,
                  self->comm, &request);
  return finish (link, &request);
}

static int
send (GobanRanksLink *link, int to, const void *bytes, int size)
{
  State *self = link->self;
  MPI_Request request;

  MPI_Isend (bytes, size, MPI_BYTE, to, 0, self->comm, &request);
  return finish (link, &request);
}

static int
probe (GobanRanksLink *link, int *from, int *size)
{
  State *self = link->self;
  MPI_Status status;
  int is_there = 0;

  MPI_Iprobe (MPI_ANY_SOURCE, 0, self->comm, &is_there, &status);
  if (!is_there)
    return 0;
  *from = status.MPI_SOURCE;
  MPI_Get_count (&status, MPI_BYTE, size);
  return 1;
}

static void
receive (GobanRanksLink *link, int from, void *bytes, int size)
{
  State *self = link->self;

  MPI_Recv (bytes, size, MPI_BYTE, from, 0, self->comm, MPI_STATUS_IGNORE);
}

static void
close_link (GobanRanksLink *link)
{
  State *self = link->self;

  MPI_Comm_free (&self->comm);
  MPI_Finalize ();
  free (self);
}

static int
count_here (void)
{
  MPI_Comm here;
  int n;

  MPI_Comm_split_type (MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &here);
  MPI_Comm_size (here, &n);
  MPI_Comm_free (&here);
  return n;
}

/* Declared here, because nothing but the loader's table of symbols calls it. */
int goban_ranks_link_open (int version, GobanRanksLink *link);

__attribute__ ((visibility ("default"))) int
goban_ranks_link_open (int version, GobanRanksLink *link)
{
  int provided;
  State *self;

  if (version != GOBAN_RANKS_LINK_VERSION
      || MPI_Init_thread (NULL, NULL, MPI_THREAD_FUNNELED, &provided) != MPI_SUCCESS)
    return 0;
  self = malloc (sizeof *self);
  if (self == NULL)
    return 0;
  MPI_Comm_dup (MPI_COMM_WORLD, &self->comm);
  MPI_Comm_rank (self->comm, &link->rank);
  MPI_Comm_size (self->comm, &link->size);
  link->n_here = count_here ();
  link->self = self;
  link->gather = gather;
  link->scatter = scatter;
  link->send = send;
  link->probe = probe;
  link->receive = receive;
  link->close = close_link;
  return 1;
}
