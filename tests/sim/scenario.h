/* scenario.h: small runs written as tables, for golden files and examples. */
#pragma once

#include "engine/sim/simulator.h"

typedef struct
{
  const char *name; /* NULL ends the table */
  double time_us;
  GobanDeviceId device;
  gint32 priority;
  double param_bytes;
  const char *op; /* NULL: one that is never fused */
  gint32 fusion;  /* 0: none */
} ScenarioNode;

/* Consecutive rows of one tail and size are one tensor; size -1 is a control edge. */
typedef struct
{
  const char *tail; /* NULL ends the table */
  const char *head; /* NULL: a tensor nobody reads */
  double size_bytes;
} ScenarioEdge;

typedef struct
{
  const char *cluster; /* a spec, or JSON */
  GobanOrder order;
  ScenarioNode nodes[12];
  ScenarioEdge edges[16];
} Scenario;

/* Simulated and checked. (transfer full) */
GobanTrace *scenario_run (const Scenario *scenario) G_GNUC_WARN_UNUSED_RESULT;

/* The whole trace as text for people to read and for files to compare, (transfer full). */
char *scenario_dump (const GobanTrace *trace) G_GNUC_WARN_UNUSED_RESULT;

/* Compares with tests/golden/NAME, or writes it where GOBAN_GOLDEN_UPDATE is set. */
void golden_assert (const char *name, const char *text);
