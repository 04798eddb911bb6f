/* mpi.h: the few calls of MPI that engine/core/ranks/mpi-link.c makes, for one process of two.
 *
 * A request is open until fake_mpi_complete() completes it as another rank would: what arrives is
 * written into the memory that the call was given.
 */
#pragma once

#include <glib.h>
#include <string.h>

typedef int MPI_Comm;
typedef int MPI_Datatype;
typedef int MPI_Request;
typedef int MPI_Info;

typedef struct
{
  int MPI_SOURCE;
} MPI_Status;

#define MPI_COMM_WORLD 0
#define MPI_BYTE 0
#define MPI_SUCCESS 0
#define MPI_ANY_SOURCE (-1)
#define MPI_THREAD_FUNNELED 1
#define MPI_COMM_TYPE_SHARED 0
#define MPI_INFO_NULL 0
#define MPI_STATUS_IGNORE ((MPI_Status *) NULL)

#define FAKE_MPI_SIZE 2

/* The one request that there may be, and its memory. */
typedef struct
{
  gboolean is_open;
  const char *mine;
  int n_mine;
  char *all; /* (nullable): of a send */
  const int *sizes;
  const int *offsets;
} FakeMpi;

static FakeMpi fake_mpi;

/* Reads all that was given, and fills what arrives with @byte. Returns the sum of the former. */
static int
fake_mpi_complete (char byte)
{
  int sum = 0;

  g_assert_true (fake_mpi.is_open);
  for (int i = 0; i < fake_mpi.n_mine; i++)
    sum += fake_mpi.mine[i];
  for (int r = 0; fake_mpi.all != NULL && r < FAKE_MPI_SIZE; r++)
    memset (fake_mpi.all + fake_mpi.offsets[r], byte, (gsize) fake_mpi.sizes[r]);
  fake_mpi.is_open = FALSE;
  return sum;
}

static int
fake_mpi_begin (FakeMpi begun, MPI_Request *request)
{
  g_assert_false (fake_mpi.is_open);
  fake_mpi = begun;
  fake_mpi.is_open = TRUE;
  *request = 1;
  return MPI_SUCCESS;
}

static int
MPI_Iallgatherv (const void *mine, int size, MPI_Datatype type, void *all, const int *sizes,
                 const int *offsets, MPI_Datatype other_type, MPI_Comm comm, MPI_Request *request)
{
  return fake_mpi_begin (
      (FakeMpi){ .mine = mine, .n_mine = size, .all = all, .sizes = sizes, .offsets = offsets },
      request);
}

static int
MPI_Ialltoallv (const void *mine, const int *to_sizes, const int *to_offsets, MPI_Datatype type,
                void *all, const int *sizes, const int *offsets, MPI_Datatype other_type,
                MPI_Comm comm, MPI_Request *request)
{
  return fake_mpi_begin ((FakeMpi){ .mine = mine,
                                    .n_mine = to_offsets[1] + to_sizes[1],
                                    .all = all,
                                    .sizes = sizes,
                                    .offsets = offsets },
                         request);
}

static int
MPI_Isend (const void *bytes, int size, MPI_Datatype type, int to, int tag, MPI_Comm comm,
           MPI_Request *request)
{
  return fake_mpi_begin ((FakeMpi){ .mine = bytes, .n_mine = size }, request);
}

static int
MPI_Test (MPI_Request *request, int *is_done, MPI_Status *status)
{
  *is_done = !fake_mpi.is_open;
  return MPI_SUCCESS;
}

static int
MPI_Iprobe (int from, int tag, MPI_Comm comm, int *is_there, MPI_Status *status)
{
  *is_there = 0;
  return MPI_SUCCESS;
}

static int
MPI_Get_count (const MPI_Status *status, MPI_Datatype type, int *size)
{
  *size = 0;
  return MPI_SUCCESS;
}

static int
MPI_Recv (void *bytes, int size, MPI_Datatype type, int from, int tag, MPI_Comm comm,
          MPI_Status *status)
{
  return MPI_SUCCESS;
}

static int
MPI_Init_thread (int *argc, char ***argv, int required, int *provided)
{
  *provided = required;
  return MPI_SUCCESS;
}

static int
MPI_Finalize (void)
{
  return MPI_SUCCESS;
}

static int
MPI_Comm_dup (MPI_Comm comm, MPI_Comm *other)
{
  *other = comm;
  return MPI_SUCCESS;
}

static int
MPI_Comm_free (MPI_Comm *comm)
{
  return MPI_SUCCESS;
}

static int
MPI_Comm_rank (MPI_Comm comm, int *rank)
{
  *rank = 0;
  return MPI_SUCCESS;
}

static int
MPI_Comm_size (MPI_Comm comm, int *size)
{
  *size = FAKE_MPI_SIZE;
  return MPI_SUCCESS;
}

static int
MPI_Comm_split_type (MPI_Comm comm, int kind, int key, MPI_Info info, MPI_Comm *other)
{
  *other = comm;
  return MPI_SUCCESS;
}
