#include "engine/sim/trace-check.h"
gboolean
goban_trace_check (const GobanTrace *trace, GError **error)
{
  return TRUE;
}
