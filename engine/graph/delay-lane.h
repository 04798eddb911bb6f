/* delay-lane.h: name and kind of the lane of a recorded run that holds what nothing explains.
 *
 * It is among the devices of the run's cluster, and stands for none
 * (engine/io/traces/trace-graph.h).
 */
#pragma once

#define GOBAN_DELAY_LANE "delays"
