/* onnx-cases.h: ONNX test cases of one node per line: its inputs and the expected outputs.
 *
 * Values and attributes are written as onnx-make.h says.
 */
#pragma once

#include "tests/io/onnx-make.h"

typedef struct
{
  const char *name; /* of the test, behind the group's */
  const char *op;
  const char *values;
  const char *attributes;
  const char *outputs; /* what the outputs are, separated by commas: "f32 1x64x112x112" */
  double macs;
  double flops;
  gint64 opset; /* 0: 17 */
} OnnxCase;

/* Adds "/@group/@name" for each of @cases, which must outlive the run. */
void onnx_cases_add (const char *group, const OnnxCase *cases, guint n);
