/* hosts.h: a cluster of two hosts with two devices each, whose symmetries can be counted by hand.
 *
 *   a0   b0        a1   b1
 *     \ /    slow    \ /
 *     in0 --------- in1
 *
 * Devices of a host may change places, and so may the hosts: 2 x 2 x 2 symmetries of 24 renamings.
 */
#pragma once

/* clang-format off */
#define HOSTS_DEVICE(name)                                                                         \
  "{ \"name\": \"" name "\", \"kind\": \"gpu\", \"tflops\": 1, \"memory_bandwidth\": \"1 GB/s\","  \
  " \"memory\": \"unlimited\" }"
#define HOSTS_LINK(from, to, bandwidth)                                                            \
  "{ \"from\": \"" from "\", \"to\": \"" to "\", \"bandwidth\": " bandwidth ", \"latency\": 1 }"
#define HOSTS                                                                                      \
  "{ \"devices\": [" HOSTS_DEVICE ("a0") "," HOSTS_DEVICE ("a1") "," HOSTS_DEVICE ("b0") ","       \
  HOSTS_DEVICE ("b1") "], \"switches\": [\"in0\", \"in1\"], \"links\": ["                          \
  HOSTS_LINK ("a0", "in0", "3e6") "," HOSTS_LINK ("b0", "in0", "3e6") ","                          \
  HOSTS_LINK ("a1", "in1", "3e6") "," HOSTS_LINK ("b1", "in1", "3e6") ","                          \
  HOSTS_LINK ("in0", "in1", "1e6") "] }"
/* clang-format on */
