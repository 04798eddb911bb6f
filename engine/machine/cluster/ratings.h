/* ratings.h: devices and links, their numbers by name, with units and ranges, and the rates that
 * these give together.
 */
#pragma once

#include <glib.h>

typedef struct
{
  const char *name;
  const char *kind;           /* "gpu", "cpu", or a word of the user's */
  double flops_per_us;        /* the peak of f32 */
  double memory_bytes_per_us; /* bandwidth of the device's own memory */
  double memory_bytes;        /* INFINITY: unlimited */
  double launch_us;           /* paid once per estimated op; measured times include theirs */
  /* Peaks of other types; 0: that of the type before it, f32 being the first. */
  double tf32_flops_per_us;
  double f16_flops_per_us; /* of bf16 too */
  double f8_flops_per_us;
  double i8_flops_per_us;
  /* The share of a peak, of the memory's bandwidth and of a link's that is reached. */
  double compute_efficiency;
  double memory_efficiency;
  double bus_efficiency;
} GobanDevice;

typedef struct
{
  const char *name; /* "gpu:0>gpu:1" unless the file names it */
  guint from;       /* a vertex: a device, or n_devices + a switch */
  guint to;
  double latency_us;
  double bytes_per_us; /* INFINITY: unlimited */
} GobanLink;

typedef struct
{
  const char *word;  /* of scripts and what-if questions: "flops"; NULL at the end of a list */
  const char *field; /* the member: "flops_per_us" */
  gsize offset;
  double unit; /* a script's number / unit is the member's */
  gboolean may_be_unlimited;
  double least;
  double most;
  const char *range; /* the two in words */
} GobanRating;

extern const GobanRating goban_device_ratings[];
extern const GobanRating goban_link_ratings[];

/* (nullable): %NULL with %GOBAN_ERROR_INVALID set, whose message lists the words. */
const GobanRating *goban_rating_find (const GobanRating *ratings, const char *word, GError **error);

/* The device's number in units of scripts; for a peak that it has not, the one that it uses. */
double goban_device_get_rating (const GobanDevice *self, const GobanRating *rating);

/* Types of numbers that devices have peaks for, each the fallback of the next. */
typedef enum
{
  GOBAN_PEAK_F32,
  GOBAN_PEAK_TF32,
  GOBAN_PEAK_F16,
  GOBAN_PEAK_F8,
  GOBAN_PEAK_I8,
  GOBAN_N_PEAKS
} GobanPeak;

/* "f32" and so on, NULL-terminated. */
extern const char *const goban_peak_names[GOBAN_N_PEAKS + 1];

/* The peak of such numbers, or that of the type before, in FLOPs per microsecond. */
double goban_device_get_peak_per_us (const GobanDevice *self, GobanPeak peak);
/* The same times compute_efficiency. */
double goban_device_get_flops_per_us (const GobanDevice *self, GobanPeak peak);
/* The memory's bandwidth times memory_efficiency. */
double goban_device_get_memory_per_us (const GobanDevice *self);

/* Whether two devices are equal in all figures but perhaps their memory. */
gboolean goban_device_speeds_alike (const GobanDevice *a, const GobanDevice *b);
