#include "ui/draw/palette.h"

#include <math.h>
#include <string.h>

/* Okabe and Ito (2008), ordered so that the first few differ most from each other. Their black
 * is a grey that reads upon both grounds; their yellow is deeper upon a light one. */
static const GobanRgb device_colours[2][GOBAN_N_DEVICE_COLOURS] = {
  { 0x0072b2, 0xe69f00, 0x009e73, 0xcc79a7, 0x56b4e9, 0xd55e00, 0xe3d31c, 0x5c6470 },
  { 0x2b8cc9, 0xe69f00, 0x12ab80, 0xd68ab4, 0x56b4e9, 0xe0702a, 0xf0e442, 0xa9b1bc },
};

static const GobanColours colours[GOBAN_N_THEMES] = {
  {
      .canvas = 0xffffff,
      .panel = 0xf4f5f6,
      .ink = 0x1d2126,
      .muted = 0x5d6670,
      .rule = 0xd9dce0,
      .edge = 0x8d969f,
      .cut = 0x30363d,
      .critical = 0xd0003c,
      .selection = 0x6a35e0,
      .hover = 0x1d2126,
      .match = 0xd600a0,
  },
  {
      .canvas = 0x1b1d21,
      .panel = 0x25282d,
      .ink = 0xeef0f2,
      .muted = 0xa3abb5,
      .rule = 0x3a3f46,
      .edge = 0x737c87,
      .cut = 0xd5dae0,
      .critical = 0xff5c86,
      .selection = 0xb79bff,
      .hover = 0xffffff,
      .match = 0xff6ad5,
  },
  {
      .canvas = 0xffffff,
      .panel = 0xf4f4f4,
      .ink = 0x000000,
      .muted = 0x303030,
      .rule = 0x505050,
      .edge = 0x404040,
      .cut = 0x000000,
      .critical = 0x98002c,
      .selection = 0x4a14c4,
      .hover = 0x000000,
      .match = 0x85006a,
  },
  {
      .canvas = 0x000000,
      .panel = 0x141414,
      .ink = 0xffffff,
      .muted = 0xdadada,
      .rule = 0xb0b0b0,
      .edge = 0xc4c4c4,
      .cut = 0xffffff,
      .critical = 0xff94b0,
      .selection = 0xcfbcff,
      .hover = 0xffffff,
      .match = 0xffa0e6,
  },
};

static const guint8 cue_bits[GOBAN_N_CUES][8] = {
  [GOBAN_CUE_SOLID] = { 0, 0, 0, 0, 0, 0, 0, 0 },
  [GOBAN_CUE_DIAGONAL] = { 0x11, 0x22, 0x44, 0x88, 0x11, 0x22, 0x44, 0x88 },
  [GOBAN_CUE_BACK_DIAGONAL] = { 0x88, 0x44, 0x22, 0x11, 0x88, 0x44, 0x22, 0x11 },
  [GOBAN_CUE_CROSS] = { 0x81, 0x42, 0x24, 0x18, 0x18, 0x24, 0x42, 0x81 },
  [GOBAN_CUE_DOTS] = { 0x66, 0x66, 0, 0, 0x66, 0x66, 0, 0 },
  [GOBAN_CUE_HORIZONTAL] = { 0xff, 0, 0, 0, 0xff, 0, 0, 0 },
  [GOBAN_CUE_VERTICAL] = { 0x88, 0x88, 0x88, 0x88, 0x88, 0x88, 0x88, 0x88 },
  [GOBAN_CUE_GRID] = { 0xff, 0x88, 0x88, 0x88, 0xff, 0x88, 0x88, 0x88 },
};

static const GobanRgb ramp[] = { 0x440154, 0x482878, 0x3e4a89, 0x31688e, 0x26828e,
                                 0x1f9e89, 0x35b779, 0x6dcd59, 0xb4de2c, 0xfde725 };

/* Darker colours could hardly be distinguished from a dark ground. */
#define DARK_RAMP_START 0.15
/* In high contrast the ramp leaves out the colours between, on which neither black nor white text
 * has a contrast of 7. */
#define LAST_DARK 0.275
#define FIRST_LIGHT 0.6

/* Contrast that WCAG 2 asks for at level AAA. */
#define HIGH_CONTRAST 7
/* Luminance at which black and white text have the same contrast. */
#define MIDDLE_LUMINANCE 0.18

static const struct
{
  const char *name;
  GobanRgb colour[2]; /* light, dark */
} families[GOBAN_N_FAMILIES] = {
  [GOBAN_FAMILY_CONVOLUTION] = { "convolution", { 0x3f6fb0, 0x5b8fd6 } },
  [GOBAN_FAMILY_MATRIX] = { "matrix product", { 0x8056a8, 0xa37fd0 } },
  [GOBAN_FAMILY_RECURRENT] = { "recurrent", { 0xb0486f, 0xd9709a } },
  [GOBAN_FAMILY_NORMALISATION] = { "normalisation", { 0x3d9a95, 0x4fb8b2 } },
  [GOBAN_FAMILY_ACTIVATION] = { "activation", { 0xd9822b, 0xe59a4c } },
  [GOBAN_FAMILY_POOLING] = { "pooling", { 0x6a994e, 0x86b86a } },
  [GOBAN_FAMILY_ELEMENTWISE] = { "elementwise", { 0xc9a227, 0xdbb845 } },
  [GOBAN_FAMILY_SHAPE] = { "shape", { 0x8a7f72, 0xa89c8e } },
  [GOBAN_FAMILY_DATA] = { "data", { 0xaab2bc, 0x737c87 } },
  [GOBAN_FAMILY_OTHER] = { "other", { 0x6f7883, 0x959fab } },
};

/* Looked for in the lower-case op, in this order: "convrelu" is a convolution. */
static const struct
{
  const char *part;
  GobanOpFamily family;
} words[] = {
  { "conv", GOBAN_FAMILY_CONVOLUTION },
  { "matmul", GOBAN_FAMILY_MATRIX },
  { "gemm", GOBAN_FAMILY_MATRIX },
  { "linear", GOBAN_FAMILY_MATRIX },
  { "dense", GOBAN_FAMILY_MATRIX },
  { "dot", GOBAN_FAMILY_MATRIX },
  { "einsum", GOBAN_FAMILY_MATRIX },
  { "attention", GOBAN_FAMILY_MATRIX },
  { "fullyconnected", GOBAN_FAMILY_MATRIX },
  { "lstm", GOBAN_FAMILY_RECURRENT },
  { "gru", GOBAN_FAMILY_RECURRENT },
  { "rnn", GOBAN_FAMILY_RECURRENT },
  { "norm", GOBAN_FAMILY_NORMALISATION },
  { "lrn", GOBAN_FAMILY_NORMALISATION },
  { "relu", GOBAN_FAMILY_ACTIVATION },
  { "softmax", GOBAN_FAMILY_ACTIVATION },
  { "sigmoid", GOBAN_FAMILY_ACTIVATION },
  { "tanh", GOBAN_FAMILY_ACTIVATION },
  { "gelu", GOBAN_FAMILY_ACTIVATION },
  { "elu", GOBAN_FAMILY_ACTIVATION },
  { "dropout", GOBAN_FAMILY_ACTIVATION },
  { "pool", GOBAN_FAMILY_POOLING },
  { "reducemean", GOBAN_FAMILY_POOLING },
  { "concat", GOBAN_FAMILY_SHAPE },
  { "reshape", GOBAN_FAMILY_SHAPE },
  { "transpose", GOBAN_FAMILY_SHAPE },
  { "slice", GOBAN_FAMILY_SHAPE },
  { "split", GOBAN_FAMILY_SHAPE },
  { "squeeze", GOBAN_FAMILY_SHAPE },
  { "flatten", GOBAN_FAMILY_SHAPE },
  { "gather", GOBAN_FAMILY_SHAPE },
  { "pad", GOBAN_FAMILY_SHAPE },
  { "cast", GOBAN_FAMILY_SHAPE },
  { "shape", GOBAN_FAMILY_SHAPE },
  { "size", GOBAN_FAMILY_SHAPE },
  { "broadcast", GOBAN_FAMILY_SHAPE },
  { "input", GOBAN_FAMILY_DATA },
  { "const", GOBAN_FAMILY_DATA },
  { "param", GOBAN_FAMILY_DATA },
  { "placeholder", GOBAN_FAMILY_DATA },
  { "variable", GOBAN_FAMILY_DATA },
  { "embed", GOBAN_FAMILY_DATA },
  { "identity", GOBAN_FAMILY_DATA },
  { "add", GOBAN_FAMILY_ELEMENTWISE },
  { "mul", GOBAN_FAMILY_ELEMENTWISE },
  { "sub", GOBAN_FAMILY_ELEMENTWISE },
  { "div", GOBAN_FAMILY_ELEMENTWISE },
  { "sum", GOBAN_FAMILY_ELEMENTWISE },
  { "pow", GOBAN_FAMILY_ELEMENTWISE },
  { "sqrt", GOBAN_FAMILY_ELEMENTWISE },
  { "exp", GOBAN_FAMILY_ELEMENTWISE },
  { "max", GOBAN_FAMILY_ELEMENTWISE },
  { "min", GOBAN_FAMILY_ELEMENTWISE },
  { "select", GOBAN_FAMILY_ELEMENTWISE },
  { "compare", GOBAN_FAMILY_ELEMENTWISE },
  { "where", GOBAN_FAMILY_ELEMENTWISE },
};

gboolean
goban_theme_is_dark (GobanTheme theme)
{
  return theme == GOBAN_THEME_DARK || theme == GOBAN_THEME_HIGH_CONTRAST_INVERSE;
}

gboolean
goban_theme_is_high_contrast (GobanTheme theme)
{
  return theme == GOBAN_THEME_HIGH_CONTRAST || theme == GOBAN_THEME_HIGH_CONTRAST_INVERSE;
}

const GobanColours *
goban_palette_get (GobanTheme theme)
{
  return &colours[theme < GOBAN_N_THEMES ? theme : GOBAN_THEME_LIGHT];
}

/* A colour that black or white text is written on. In high contrast those between are made lighter
 * or darker. */
static GobanRgb
for_text (GobanTheme theme, GobanRgb rgb)
{
  GobanRgb end = goban_rgb_luminance (rgb) > MIDDLE_LUMINANCE ? 0xffffff : 0x000000;
  GobanRgb mixed = rgb;

  if (!goban_theme_is_high_contrast (theme))
    return rgb;
  for (int i = 1; goban_rgb_contrast (mixed, goban_rgb_text_on (mixed)) < HIGH_CONTRAST; i++)
    mixed = goban_rgb_mix (rgb, end, i / 40.0);
  return mixed;
}

GobanRgb
goban_palette_device (GobanTheme theme, guint device)
{
  return for_text (theme,
                   device_colours[goban_theme_is_dark (theme)][device % GOBAN_N_DEVICE_COLOURS]);
}

GobanCue
goban_palette_cue (guint device)
{
  return (device + device / GOBAN_N_DEVICE_COLOURS) % GOBAN_N_CUES;
}

const guint8 *
goban_palette_cue_bits (GobanCue cue)
{
  return cue_bits[cue % GOBAN_N_CUES];
}

GobanRgb
goban_palette_hatch (GobanRgb fill)
{
  return goban_rgb_mix (fill, goban_rgb_text_on (fill), 0.35);
}

GobanRgb
goban_palette_ramp (GobanTheme theme, double t)
{
  double first = goban_theme_is_dark (theme) ? DARK_RAMP_START : 0;
  /* Written so that NAN is the lowest too. */
  double clamped = t > 0 ? MIN (t, 1) : 0;
  double place = first + (1 - first) * clamped;
  double at;
  guint i;

  if (goban_theme_is_high_contrast (theme))
    place = clamped < 0.5 ? first + 2 * clamped * (LAST_DARK - first)
                          : FIRST_LIGHT + (2 * clamped - 1) * (1 - FIRST_LIGHT);
  at = place * (G_N_ELEMENTS (ramp) - 1);
  i = MIN ((guint) at, G_N_ELEMENTS (ramp) - 2);
  return goban_rgb_mix (ramp[i], ramp[i + 1], at - i);
}

GobanRgb
goban_palette_unknown (GobanTheme theme)
{
  const GobanColours *own = goban_palette_get (theme);

  return for_text (theme, goban_rgb_mix (own->canvas, own->muted, 0.4));
}

GobanOpFamily
goban_palette_family (const char *op)
{
  g_autofree char *lower = g_ascii_strdown (op, -1);

  for (gsize i = 0; i < G_N_ELEMENTS (words); i++)
    if (strstr (lower, words[i].part) != NULL)
      return words[i].family;
  return GOBAN_FAMILY_OTHER;
}

const char *
goban_palette_family_name (GobanOpFamily family)
{
  return families[family].name;
}

GobanRgb
goban_palette_family_colour (GobanTheme theme, GobanOpFamily family)
{
  return for_text (theme, families[family].colour[goban_theme_is_dark (theme)]);
}

static double
linear (guint channel)
{
  double c = channel / 255.0;

  return c <= 0.04045 ? c / 12.92 : pow ((c + 0.055) / 1.055, 2.4);
}

double
goban_rgb_luminance (GobanRgb rgb)
{
  return 0.2126 * linear (rgb >> 16 & 0xff) + 0.7152 * linear (rgb >> 8 & 0xff)
         + 0.0722 * linear (rgb & 0xff);
}

double
goban_rgb_contrast (GobanRgb a, GobanRgb b)
{
  double la = goban_rgb_luminance (a) + 0.05;
  double lb = goban_rgb_luminance (b) + 0.05;

  return la > lb ? la / lb : lb / la;
}

GobanRgb
goban_rgb_text_on (GobanRgb fill)
{
  /* Both are equally readable if (l + 0.05)^2 = 1.05 * 0.05. */
  return goban_rgb_luminance (fill) + 0.05 > sqrt (1.05 * 0.05) ? 0x000000 : 0xffffff;
}

GobanRgb
goban_rgb_mix (GobanRgb a, GobanRgb b, double t)
{
  GobanRgb mixed = 0;

  for (int shift = 16; shift >= 0; shift -= 8)
    {
      double ca = a >> shift & 0xff;
      double cb = b >> shift & 0xff;

      mixed |= (guint) (ca + (cb - ca) * CLAMP (t, 0, 1) + 0.5) << shift;
    }
  return mixed;
}
