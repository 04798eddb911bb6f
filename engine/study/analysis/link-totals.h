/* link-totals.h: bytes, transfers and busy time of each link in a run. */
#pragma once

#include "engine/study/run/run.h"

G_BEGIN_DECLS

typedef struct
{
  double bytes;
  double busy_us; /* the sum of its transfers' times; without contention they overlap */
  guint n_transfers;
} GobanLinkTotal;

/* (n_links of the run's cluster): (transfer full) */
GobanLinkTotal *goban_link_totals_new (GobanRun *run) G_GNUC_WARN_UNUSED_RESULT;

/* A table of the links that carried something, and the same as a JSON list; (transfer full). */
char *goban_link_totals_to_text (GobanRun *run) G_GNUC_WARN_UNUSED_RESULT;
char *goban_link_totals_to_json (GobanRun *run) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
