/* mpi-link.c: messages by MPI: the module that goban-cli loads when mpirun starts it
 * (engine/core/ranks/ranks-link.h).
 *
 * Calls that wait are MPI's calls without waiting, asked again after growing rests. MPI's own
 * waiting spins, which takes the processor from ranks that are waited for if there are more ranks
 * than processors, and it never ends if another rank has died. */
#include "engine/core/ranks/ranks-link.h"

#include <mpi.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define N_QUICK_LOOKS 200
#define FIRST_REST_NS 20000
#define LAST_REST_NS 1000000

/* One call of MPI's and all that it may read and write until it is done. A call that is cut short
 * leaves it open: MPI cancels no collective operation, and another rank may still write into its
 * memory. Hence it is never the caller's, and stays until the process ends. */
typedef struct _Exchange Exchange;

struct _Exchange
{
  Exchange *next; /* that was cut short before */
  MPI_Request request;
  char *mine;
  char *all;
  int *numbers; /* sizes and offsets */
};

typedef struct
{
  MPI_Comm comm; /* without messages of others */
  int size;
} State;

/* Exchanges that were cut short. */
static Exchange *left_open;

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

/* As in the rest of the program, too little memory is the end. */
static void *
allocate (size_t n_bytes)
{
  void *memory = malloc (n_bytes + 1);

  if (memory == NULL)
    abort ();
  return memory;
}

static void *
copy (const void *bytes, size_t n_bytes)
{
  void *own = allocate (n_bytes);

  if (n_bytes > 0)
    memcpy (own, bytes, n_bytes);
  return own;
}

/* Bytes up to the last one of any rank. */
static size_t
find_end (const State *self, const int *sizes, const int *offsets)
{
  size_t end = 0;

  for (int r = 0; r < self->size; r++)
    if ((size_t) offsets[r] + (size_t) sizes[r] > end)
      end = (size_t) offsets[r] + (size_t) sizes[r];
  return end;
}

/* @n_all: bytes that arrive. Lists of numbers, one after the other, are copied by add_numbers(). */
static Exchange *
exchange_new (const State *self, const void *mine, size_t n_mine, size_t n_all)
{
  Exchange *exchange = allocate (sizeof *exchange);

  exchange->next = NULL;
  exchange->mine = copy (mine, n_mine);
  exchange->all = allocate (n_all);
  exchange->numbers = allocate (4 * sizeof (int) * (size_t) self->size);
  return exchange;
}

static int *
add_numbers (const State *self, Exchange *exchange, int list, const int *numbers)
{
  int *own = exchange->numbers + list * self->size;

  memcpy (own, numbers, (size_t) self->size * sizeof *own);
  return own;
}

static void
exchange_free (Exchange *self)
{
  free (self->mine);
  free (self->all);
  free (self->numbers);
  free (self);
}

static int
finish (GobanRanksLink *link, Exchange *exchange)
{
  int is_done = 0;

  for (long look = 0;; look++)
    {
      MPI_Test (&exchange->request, &is_done, MPI_STATUS_IGNORE);
      if (is_done)
        return 1;
      if (!link->wait (link->wait_data))
        {
          exchange->next = left_open;
          left_open = exchange;
          return 0;
        }
      rest (look);
    }
}

/* The same, and hands out what has arrived. */
static int
finish_all (GobanRanksLink *link, Exchange *exchange, void *all, const int *sizes,
            const int *offsets)
{
  State *self = link->self;

  if (!finish (link, exchange))
    return 0;
  for (int r = 0; r < self->size; r++)
    if (sizes[r] > 0)
      memcpy ((char *) all + offsets[r], exchange->all + offsets[r], (size_t) sizes[r]);
  exchange_free (exchange);
  return 1;
}

static int
gather (GobanRanksLink *link, const void *mine, int size, void *all, const int *sizes,
        const int *offsets)
{
  State *self = link->self;
  Exchange *exchange = exchange_new (self, mine, (size_t) size, find_end (self, sizes, offsets));

  MPI_Iallgatherv (exchange->mine, size, MPI_BYTE, exchange->all,
                   add_numbers (self, exchange, 0, sizes), add_numbers (self, exchange, 1, offsets),
                   MPI_BYTE, self->comm, &exchange->request);
  return finish_all (link, exchange, all, sizes, offsets);
}

static int
scatter (GobanRanksLink *link, const void *mine, const int *to_sizes, const int *to_offsets,
         void *all, const int *from_sizes, const int *from_offsets)
{
  State *self = link->self;
  Exchange *exchange = exchange_new (self, mine, find_end (self, to_sizes, to_offsets),
                                     find_end (self, from_sizes, from_offsets));

  MPI_Ialltoallv (exchange->mine, add_numbers (self, exchange, 0, to_sizes),
                  add_numbers (self, exchange, 1, to_offsets), MPI_BYTE, exchange->all,
                  add_numbers (self, exchange, 2, from_sizes),
                  add_numbers (self, exchange, 3, from_offsets), MPI_BYTE, self->comm,
                  &exchange->request);
  return finish_all (link, exchange, all, from_sizes, from_offsets);
}

static int
send (GobanRanksLink *link, int to, const void *bytes, int size)
{
  State *self = link->self;
  Exchange *exchange = exchange_new (self, bytes, (size_t) size, 0);

  MPI_Isend (exchange->mine, size, MPI_BYTE, to, 0, self->comm, &exchange->request);
  if (!finish (link, exchange))
    return 0;
  exchange_free (exchange);
  return 1;
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
  self->size = link->size;
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
