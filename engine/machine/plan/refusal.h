/* refusal.h: reasons why a device was not available for a choice of a policy. */
#pragma once

#include <glib.h>

/* A set of flags. */
typedef enum
{
  GOBAN_REFUSAL_CANNOT_RUN = 1 << 0, /* an op cannot run there */
  GOBAN_REFUSAL_GROUP = 1 << 1,      /* its colocation group is on another device already */
  GOBAN_REFUSAL_MEMORY = 1 << 2,     /* it lacks memory */
  GOBAN_REFUSAL_RULE = 1 << 3,       /* the method does not consider it */
} GobanRefusal;

/* Number of flags, and the name of the flag 1 << @bit: "cannot run", "group", "memory", "rule". */
#define GOBAN_N_REFUSALS 4
const char *goban_refusal_get_name (guint bit);
/* "group, memory": the names of all flags of @refusals. (transfer full) */
char *goban_refusals_describe (guint refusals) G_GNUC_WARN_UNUSED_RESULT;
