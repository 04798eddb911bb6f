/* choice-words.h: meaning of the numbers in the decisions of a policy that builds its plan. */
#pragma once

#include "engine/decisions/decisions.h"

/* Static. */
typedef struct
{
  const char *key;      /* (nullable) what the nodes are taken by, for example "upward_rank_us" */
  GobanScoreKind score; /* of each device */
  gboolean takes_least; /* the device of the least score is chosen, among those not refused */
  const char *ties;     /* (nullable) which of several with the least score */
} GobanChoiceWords;
