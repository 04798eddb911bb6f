/* activate.h: activation functions, element by element: ReLU, sigmoid, tanh. n elements.
 *
 * Backward functions take y, the output of forward, and add to dx.
 */
#pragma once

#include <glib.h>

/* y = max (x, 0); y may be x. The slope at 0 is 0. */
void goban_relu_forward (float *y, const float *x, gsize n);
void goban_relu_backward (float *dx, const float *dy, const float *y, gsize n);

/* y = 1 / (1 + e^-x); y may be x */
void goban_sigmoid_forward (float *y, const float *x, gsize n);
void goban_sigmoid_backward (float *dx, const float *dy, const float *y, gsize n);

/* y may be x */
void goban_tanh_forward (float *y, const float *x, gsize n);
void goban_tanh_backward (float *dx, const float *dy, const float *y, gsize n);
