/* ratings.h: the numbers of devices and links by name, with their units and ranges, and the rates
 * that they give together.
 */
#pragma once

#include "engine/machine/cluster/cluster.h"

G_BEGIN_DECLS

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
/* FALSE with @error set if the value is not allowed. */
gboolean goban_rating_check (const GobanRating *self, double value, GError **error);

/* Of a device, in units of scripts; of a peak that it has not, the one that it uses instead. */
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

/* @dtype: of a tensor: "bf16", "f8e4m3fn"; f32 for one that no peak is for. */
GobanPeak goban_peak_from_dtype (const char *dtype);
/* The type whose peak the device has for @peak: itself or one before it. */
GobanPeak goban_device_find_peak (const GobanDevice *self, GobanPeak peak);
/* That peak, in FLOPs per microsecond. */
double goban_device_get_peak_per_us (const GobanDevice *self, GobanPeak peak);
/* The same times compute_efficiency. */
double goban_device_get_flops_per_us (const GobanDevice *self, GobanPeak peak);
/* The memory's bandwidth times memory_efficiency. */
double goban_device_get_memory_per_us (const GobanDevice *self);

/* Whether two devices are equal in all figures but perhaps their memory. */
gboolean goban_device_speeds_alike (const GobanDevice *a, const GobanDevice *b);

G_END_DECLS
