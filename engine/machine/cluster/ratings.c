#include "engine/machine/cluster/ratings.h"

#include "engine/core/error.h"
#include "engine/core/i18n.h"

#include <string.h>

/* So wide that no machine is left out, and so narrow that no route and no transfer of a size that
 * exists takes longer than a double counts. */
#define SLOWEST_BYTES_PER_US 1e-9 /* 0.001 B/s */
#define FASTEST_BYTES_PER_US 1e18
#define SLOWEST_FLOPS_PER_US 1e-9
#define FASTEST_FLOPS_PER_US 1e24
#define LONGEST_US 1e15 /* 31 years */
#define MOST_BYTES 1e24
#define LEAST_SHARE 1e-4
#define MOST_SHARE 100

#define RATES                                                                                      \
  TRUE, SLOWEST_BYTES_PER_US, FASTEST_BYTES_PER_US, N_ ("from 0.001 B/s to 1e24 B/s, or unlimited")
#define FLOPS                                                                                      \
  FALSE, SLOWEST_FLOPS_PER_US, FASTEST_FLOPS_PER_US, N_ ("from 0.001 to 1e30 FLOPs per second")
#define TIMES FALSE, 0, LONGEST_US, N_ ("from 0 s to 1e9 s")
#define SHARES FALSE, LEAST_SHARE, MOST_SHARE, N_ ("from 0.0001 to 100")
#define DEVICE(field) #field, G_STRUCT_OFFSET(GobanDevice, field)
#define LINK(field) #field, G_STRUCT_OFFSET(GobanLink, field)

const GobanRating goban_device_ratings[] = {
  { "flops", DEVICE (flops_per_us), 1e6, FLOPS },
  { "bandwidth", DEVICE (memory_bytes_per_us), 1e6, RATES },
  { "memory", DEVICE (memory_bytes), 1, TRUE, 0, MOST_BYTES,
    N_ ("from 0 B to 1e24 B, or unlimited") },
  { "launch", DEVICE (launch_us), 1e-6, TIMES },
  { "tf32_flops", DEVICE (tf32_flops_per_us), 1e6, FLOPS },
  { "f16_flops", DEVICE (f16_flops_per_us), 1e6, FLOPS },
  { "f8_flops", DEVICE (f8_flops_per_us), 1e6, FLOPS },
  { "i8_flops", DEVICE (i8_flops_per_us), 1e6, FLOPS },
  { "compute_efficiency", DEVICE (compute_efficiency), 1, SHARES },
  { "memory_efficiency", DEVICE (memory_efficiency), 1, SHARES },
  { "bus_efficiency", DEVICE (bus_efficiency), 1, SHARES },
  { NULL },
};

const GobanRating goban_link_ratings[] = {
  { "bandwidth", LINK (bytes_per_us), 1e6, RATES },
  { "latency", LINK (latency_us), 1e-6, TIMES },
  { NULL },
};

const GobanRating *
goban_rating_find (const GobanRating *ratings, const char *word, GError **error)
{
  g_autoptr (GString) words = g_string_new (NULL);

  for (; ratings->word != NULL; ratings++)
    {
      if (strcmp (ratings->word, word) == 0)
        return ratings;
      g_string_append_printf (words, " %s", ratings->word);
    }
  goban_set_error (error, GOBAN_ERROR_INVALID, "there is no number “%s”; there are:%s", word,
                   words->str);
  return NULL;
}

/* --- rates ------------------------------------------------------------------------------------ */

const char *const goban_peak_names[GOBAN_N_PEAKS + 1] = { "f32", "tf32", "f16", "f8", "i8" };

static const gsize peaks[GOBAN_N_PEAKS] = {
  G_STRUCT_OFFSET (GobanDevice, flops_per_us),     G_STRUCT_OFFSET (GobanDevice, tf32_flops_per_us),
  G_STRUCT_OFFSET (GobanDevice, f16_flops_per_us), G_STRUCT_OFFSET (GobanDevice, f8_flops_per_us),
  G_STRUCT_OFFSET (GobanDevice, i8_flops_per_us),
};

/* The type whose peak the device has for @peak: itself or one before it. */
static GobanPeak
find_peak (const GobanDevice *self, GobanPeak peak)
{
  guint found = peak;

  while (found > GOBAN_PEAK_F32 && G_STRUCT_MEMBER (double, self, peaks[found]) == 0)
    found--;
  return (GobanPeak) found;
}

double
goban_device_get_rating (const GobanDevice *self, const GobanRating *rating)
{
  gsize offset = rating->offset;

  for (guint k = 0; k < GOBAN_N_PEAKS; k++)
    if (peaks[k] == rating->offset)
      offset = peaks[find_peak (self, (GobanPeak) k)];
  return G_STRUCT_MEMBER (double, self, offset) * rating->unit;
}

double
goban_device_get_peak_per_us (const GobanDevice *self, GobanPeak peak)
{
  return G_STRUCT_MEMBER (double, self, peaks[find_peak (self, peak)]);
}

double
goban_device_get_flops_per_us (const GobanDevice *self, GobanPeak peak)
{
  return self->compute_efficiency * goban_device_get_peak_per_us (self, peak);
}

double
goban_device_get_memory_per_us (const GobanDevice *self)
{
  return self->memory_efficiency * self->memory_bytes_per_us;
}

gboolean
goban_device_speeds_alike (const GobanDevice *a, const GobanDevice *b)
{
  for (const GobanRating *rating = goban_device_ratings; rating->word != NULL; rating++)
    if (rating->offset != G_STRUCT_OFFSET (GobanDevice, memory_bytes)
        && G_STRUCT_MEMBER (double, a, rating->offset)
               != G_STRUCT_MEMBER (double, b, rating->offset))
      return FALSE;
  return TRUE;
}
