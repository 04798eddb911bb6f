/* ranks-link.h: interface to a library that passes messages between processes.
 *
 * Plain C: the module that implements it is loaded at run time and links nothing of the engine, so
 * that a program without MPI starts as quickly and needs no package more. All functions are called
 * by one thread. While nothing arrives they call @wait now and then; if that returns 0, they give
 * up and return 0, and the link must not be used any more. No argument is read or written after a
 * call has returned, whatever it returned: callers free what they have passed.
 */
#pragma once

#define GOBAN_RANKS_LINK_VERSION 1
/* The module's function, of the type GobanRanksLinkOpen. */
#define GOBAN_RANKS_LINK_SYMBOL "goban_ranks_link_open"

typedef int (*GobanRanksWait) (void *data);

typedef struct _GobanRanksLink GobanRanksLink;

struct _GobanRanksLink
{
  void *self; /* the module's own */
  int rank;
  int size;
  int n_here; /* processes of the job on this machine */
  GobanRanksWait wait;
  void *wait_data;

  /* Every rank calls it. @all gets the sizes[i] bytes of rank i at offsets[i]. */
  int (*gather) (GobanRanksLink *link, const void *mine, int size, void *all, const int *sizes,
                 const int *offsets);
  /* Every rank calls it. Rank i gets the to_sizes[i] bytes of @mine at to_offsets[i], and gives
   * from_sizes[i] bytes for @all at from_offsets[i]. */
  int (*scatter) (GobanRanksLink *link, const void *mine, const int *to_sizes,
                  const int *to_offsets, void *all, const int *from_sizes, const int *from_offsets);
  int (*send) (GobanRanksLink *link, int to, const void *bytes, int size);
  /* 1 if a message has arrived, 0 if none has; it does not wait. */
  int (*probe) (GobanRanksLink *link, int *from, int *size);
  /* The message that probe() has found. */
  void (*receive) (GobanRanksLink *link, int from, void *bytes, int size);
  /* Every rank calls it at the end. */
  void (*close) (GobanRanksLink *link);
};

/* Fills the link but for @wait; 0 if @version is not the module's or the library does not start. */
typedef int (*GobanRanksLinkOpen) (int version, GobanRanksLink *link);
