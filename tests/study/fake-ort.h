/* fake-ort.h: behaviour of the library of fake-ort.c, set by its symbol "fake_ort". */
#pragma once

#include <glib.h>

typedef struct
{
  const char *failing;    /* (nullable) a function that fails */
  gboolean is_old;        /* has no table of the version that is needed */
  gboolean has_sequences; /* outputs are not tensors */
  gulong sleep_us;        /* of slow runs: every other run of a session, or */
  guint n_slow;           /* if not 0, the first ones */
} FakeOrt;
