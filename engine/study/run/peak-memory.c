#include "engine/study/run/peak-memory.h"

double
goban_run_get_peak_bytes (GobanRun *run)
{
  const GobanRunParts *parts = goban_run_get_parts (run);
  const GobanDeviceUse *uses = goban_trace_get_uses (parts->trace);
  double peak_bytes = 0;

  for (guint d = 0; d < goban_cluster_get_n_devices (parts->cluster); d++)
    peak_bytes = MAX (peak_bytes, uses[d].peak_bytes);
  return peak_bytes;
}
