#include "engine/learn/nn/activate.h"

#include "engine/learn/nn/vector.h"

GOBAN_VECTOR void
goban_relu_forward (float *y, const float *x, gsize n)
{
  for (gsize i = 0; i < n; i++)
    y[i] = x[i] > 0.0f ? x[i] : (x[i] == x[i] ? 0.0f : x[i]);
}

GOBAN_VECTOR void
goban_relu_backward (float *dx, const float *dy, const float *y, gsize n)
{
  /* forward was y = max (x, 0), and y > 0 exactly where x > 0 */
  for (gsize i = 0; i < n; i++)
    dx[i] += y[i] > 0.0f ? dy[i] : 0.0f;
}

GOBAN_VECTOR void
goban_sigmoid_forward (float *y, const float *x, gsize n)
{
  for (gsize i = 0; i < n; i++)
    y[i] = goban_sigmoid (x[i]);
}

GOBAN_VECTOR void
goban_sigmoid_backward (float *dx, const float *dy, const float *y, gsize n)
{
  /* forward was y = 1 / (1 + e^-x), so dy/dx = y (1 - y) */
  for (gsize i = 0; i < n; i++)
    dx[i] += dy[i] * y[i] * (1.0f - y[i]);
}

GOBAN_VECTOR void
goban_tanh_forward (float *y, const float *x, gsize n)
{
  for (gsize i = 0; i < n; i++)
    y[i] = goban_tanh (x[i]);
}

GOBAN_VECTOR void
goban_tanh_backward (float *dx, const float *dy, const float *y, gsize n)
{
  /* forward was y = tanh (x), so dy/dx = 1 - y^2 */
  for (gsize i = 0; i < n; i++)
    dx[i] += dy[i] * (1.0f - y[i] * y[i]);
}
