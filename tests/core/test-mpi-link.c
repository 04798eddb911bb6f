/* The module of MPI with a stand-in for MPI: calls that are done, and calls that are cut short
 * while their request is open, whose memory another rank may still read and write. */
#include "engine/core/ranks/mpi-link.c"
#include "tests/support/test-program.h"

#define N_BYTES 64

typedef struct
{
  guint n_looks;   /* until the request is completed */
  gboolean is_cut; /* the call is cut short then */
} Waiting;

static int
wait_cb (void *data)
{
  Waiting *self = data;

  if (self->n_looks-- > 0)
    return 1;
  if (!self->is_cut)
    fake_mpi_complete ('x');
  return !self->is_cut;
}

static GobanRanksLink
open_link (Waiting *waiting)
{
  GobanRanksLink link = { 0 };

  g_assert_true (goban_ranks_link_open (GOBAN_RANKS_LINK_VERSION, &link));
  g_assert_cmpint (link.size, ==, FAKE_MPI_SIZE);
  link.wait = wait_cb;
  link.wait_data = waiting;
  return link;
}

/* A caller's memory, which is gone as soon as the call has returned. */
typedef struct
{
  char *mine;
  char *all;
  int *sizes;
  int *offsets;
} Memory;

static Memory
memory_new (void)
{
  Memory self = { g_malloc (N_BYTES), g_malloc0 (N_BYTES), g_new (int, FAKE_MPI_SIZE),
                  g_new (int, FAKE_MPI_SIZE) };

  memset (self.mine, 1, N_BYTES);
  for (int r = 0; r < FAKE_MPI_SIZE; r++)
    {
      self.sizes[r] = N_BYTES / FAKE_MPI_SIZE;
      self.offsets[r] = r * N_BYTES / FAKE_MPI_SIZE;
    }
  return self;
}

static void
memory_free (Memory *self)
{
  memset (self->mine, 0, N_BYTES);
  memset (self->sizes, 0x7f, FAKE_MPI_SIZE * sizeof (int));
  g_free (self->mine);
  g_free (self->all);
  g_free (self->sizes);
  g_free (self->offsets);
}

typedef int (*Call) (GobanRanksLink *link, Memory *memory);

static int
call_gather (GobanRanksLink *link, Memory *memory)
{
  return link->gather (link, memory->mine, N_BYTES, memory->all, memory->sizes, memory->offsets);
}

static int
call_scatter (GobanRanksLink *link, Memory *memory)
{
  return link->scatter (link, memory->mine, memory->sizes, memory->offsets, memory->all,
                        memory->sizes, memory->offsets);
}

static int
call_send (GobanRanksLink *link, Memory *memory)
{
  return link->send (link, 1, memory->mine, N_BYTES);
}

static const Call calls[] = { call_gather, call_scatter, call_send };

static void
test_done (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (calls); i++)
    for (guint n_looks = 0; n_looks < 300; n_looks += 299)
      {
        Waiting waiting = { n_looks, FALSE };
        GobanRanksLink link = open_link (&waiting);
        Memory memory = memory_new ();

        g_assert_true (calls[i](&link, &memory));
        for (guint k = 0; k < N_BYTES; k++)
          g_assert_cmpint (memory.all[k], ==, calls[i] == call_send ? 0 : 'x');
        memory_free (&memory);
        link.close (&link);
      }
}

/* The request is completed after the caller has let its memory go: all that was given is still
 * there, and nothing of the caller's is written. */
static void
test_cut (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (calls); i++)
    {
      Waiting waiting = { 3, TRUE };
      GobanRanksLink link = open_link (&waiting);
      Memory memory = memory_new ();

      g_assert_false (calls[i](&link, &memory));
      g_assert_true (fake_mpi.is_open);
      g_assert_true (fake_mpi.mine != memory.mine && fake_mpi.all != memory.all);
      memory_free (&memory);
      g_assert_cmpint (fake_mpi_complete ('x'), ==, N_BYTES);
      g_assert_nonnull (left_open);
      g_assert_null (left_open->next);
      exchange_free (g_steal_pointer (&left_open));
      free (link.self);
    }
}

TEST_PROGRAM (mpi_link)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/ranks/mpi-link/done", test_done);
  g_test_add_func ("/ranks/mpi-link/cut", test_cut);
  return g_test_run ();
}
