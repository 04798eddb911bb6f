/* decisions-writer-private.h: the state that the writers of a record share. */
#pragma once

#include "engine/decisions/decisions-private.h"

/* One in so many parts of the limit is the most that a block takes, but for its last moment. */
#define RESERVED_SHARE 16

/* State that all writers of a record share. */
typedef struct
{
  GMutex mutex;        /* guards all that a snapshot copies */
  GobanDecisions *own; /* with one reference; its last block grows */
  GobanDecisionsOptions options;
  GobanDecisionState state; /* after own->last */
  gsize n_full_bytes;       /* of all blocks but the last */
  gsize n_settled_bytes;
  gsize most_bytes; /* dropping begins there: the limit, or more if dropping was not enough */
  gboolean is_full; /* the last block */
  guint32 last_id;  /* of a span */
  GobanDecisionsWriter *innermost;
  guint n_forks; /* not committed yet: nothing is dropped, since they may begin anywhere */
  GobanOptionScores scores; /* for the next decision */
  const char *note;         /* (nullable): the last one, interned */
  char *problem;
  /* A fork's; its own moments have numbers after @forked, those until there are @parent's. */
  GobanDecisionsWriter *parent; /* (nullable) */
  GobanMoment forked;
  guint32 forked_id;
} Core;

/* Facts about the plan of a moment. */
typedef struct
{
  GobanMoment moment;
  double makespan_us; /* NAN: unknown */
  guint64 digest;     /* 0: not settled */
} Known;

struct _GobanDecisionsWriter
{
  Core *core;
  GobanDecisionsWriter *in; /* NULL: the first writer */
  guint32 span;
  GobanMoment returns_to; /* the moment before the span */
  Beginning *returns;     /* (nullable): its state, when its moments are gone */
  Known known;            /* about the present moment, or one that was present */
};

/* Drops the least needed parts of the record if memory is short. */
void goban_decisions_writer_keep_limit (GobanDecisionsWriter *self);
