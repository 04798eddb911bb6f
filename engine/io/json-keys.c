#include "engine/io/json-keys.h"

#define TEXT "text", "{\"type\": \"string\"}"
#define TEXTS "list of texts", "{\"type\": \"array\", \"items\": {\"type\": \"string\"}}"
#define AMOUNT "number from 0", "{\"type\": \"number\", \"minimum\": 0}"
#define WHOLE "whole number from 0", "{\"type\": \"integer\", \"minimum\": 0}"
#define COUNT "whole number from 1", "{\"type\": \"integer\", \"minimum\": 1}"
#define SOURCE                                                                                     \
  "“measured”, “given” or “estimated”", "{\"enum\": [\"measured\", \"given\", \"estimated\"]}"
#define EXTRA                                                                                      \
  {                                                                                                \
    "extra", "anything", "{}", "", "Values of other programs, which Goban passes over."            \
  }

static const GobanJsonKey file_keys[] = {
  { "goban", "“graph”", "{\"const\": \"graph\"}", "", "Marks the file; needed." },
  { "version", "1", "{\"const\": 1}", "", "The version of this format; needed." },
  { "name", TEXT, "", "The name of the graph; else that of the file." },
  { "kinds", TEXTS, "",
    "The kinds of devices that times and transfers name, such as gpu and cpu; “*” is any kind." },
  { "cluster", TEXT, "",
    "The cluster that it is meant for: a description such as p100x4 or devices:gpu=16GB,cpu." },
  { "warnings", TEXTS, "", "Sentences for people, shown when the file is opened." },
  { "nodes", "list of nodes", "{\"type\": \"array\", \"items\": {\"$ref\": \"#/$defs/node\"}}", "",
    "The operations, in any order." },
  EXTRA,
  { NULL },
};

static const GobanJsonKey node_keys[] = {
  { "name", "text", "{\"type\": \"string\", \"minLength\": 1}", "",
    "The only member that is needed; each node has another. Slashes make groups: "
    "encoder/layer_1." },
  { "op", TEXT, "", "The kind of operation, such as Conv or MatMul." },
  { "inputs", "list of name or [name, output]",
    "{\"type\": \"array\", \"items\": {\"anyOf\": [{\"type\": \"string\"}, {\"type\": \"array\", "
    "\"prefixItems\": [{\"type\": \"string\"}, {\"type\": \"integer\", \"minimum\": 0}], "
    "\"minItems\": 2, \"maxItems\": 2}]}}",
    "",
    "The tensors that it reads: a node's first output, or the output of that number from 0 on." },
  { "outputs", "list of number or output",
    "{\"type\": \"array\", \"items\": {\"anyOf\": [{\"type\": \"number\", \"minimum\": 0}, "
    "{\"$ref\": \"#/$defs/output\"}]}}",
    "bytes", "The tensors that it writes: a size alone, or an object." },
  { "times", "object of number from 0 or “never”",
    "{\"type\": \"object\", \"additionalProperties\": {\"anyOf\": [{\"type\": \"number\", "
    "\"minimum\": 0}, {\"const\": \"never\"}]}}",
    "µs",
    "How long it runs on each kind of device; “never” where it cannot run. Without times they are "
    "estimated from the work and bytes below." },
  { "flops", AMOUNT, "FLOP", "Floating-point operations, two for a multiplication with addition." },
  { "macs", AMOUNT, "MAC", "Multiplications with addition, of convolutions and matrix products." },
  { "read_bytes", AMOUNT, "bytes", "What it reads from the device's memory, parameters included." },
  { "written_bytes", AMOUNT, "bytes", "What it writes to the device's memory." },
  { "param_bytes", AMOUNT, "bytes", "Parameters that lie on its device for the whole step." },
  { "param_count", AMOUNT, "", "How many numbers these are." },
  { "group", WHOLE, "", "Nodes with one number share a device." },
  { "phase", "“forward”, “backward” or “update”",
    "{\"enum\": [\"forward\", \"backward\", \"update\"]}", "",
    "The part of a training step; forward if it is left out." },
  { "time_source", SOURCE, "", "Where the times are from; if left out, given if there are any." },
  { "size_source", SOURCE, "", "Where bytes and work are from; if left out, estimated." },
  { "lane", WHOLE, "", "The device of the cluster that ran it in a recorded run." },
  { "micro_batch", WHOLE, "", "Its micro-batch, in the graph of a pipeline." },
  { "origin", TEXT, "", "The node of another graph that it is a copy of, by name." },
  { "collective",
    "“all-reduce”, “reduce-scatter”, “all-gather”, “all-to-all”, “broadcast” or “send”",
    "{\"enum\": [\"all-reduce\", \"reduce-scatter\", \"all-gather\", \"all-to-all\", "
    "\"broadcast\", \"send\"]}",
    "", "Its ranks exchange data: without times it takes those of the links." },
  { "collective_bytes", AMOUNT, "bytes", "What a rank has to send." },
  { "collective_ranks", COUNT, "", "How many ranks take part; all of them if it is left out." },
  { "collective_step", COUNT, "", "Every so many-th rank takes part; 1 if it is left out." },
  { "collective_group", TEXT, "", "The name of the switch that its ranks use, such as tp or dp." },
  EXTRA,
  { NULL },
};

static const GobanJsonKey output_keys[] = {
  { "bytes", AMOUNT, "bytes", "Its size; 0 if it is left out." },
  { "dtype", TEXT, "", "The type of its elements, such as f32 or s64; needs dims." },
  { "dims", "list of whole numbers from -1",
    "{\"type\": \"array\", \"items\": {\"type\": \"integer\", \"minimum\": -1}}", "",
    "Its shape: [] is a single element, -1 an unknown size." },
  { "control", "true or false", "{\"type\": \"boolean\"}", "",
    "True: no data, only an order of execution; one output of a node may be." },
  { "transfers", "list of [kind, kind, number]",
    "{\"type\": \"array\", \"items\": {\"type\": \"array\", \"prefixItems\": [{\"type\": "
    "\"string\"}, {\"type\": \"string\"}, {\"type\": \"number\", \"minimum\": 0}], \"minItems\": "
    "3, "
    "\"maxItems\": 3}}",
    "µs",
    "How long it takes from one kind of device to another, in place of bytes over the link." },
  EXTRA,
  { NULL },
};

const GobanJsonKey *
goban_json_get_keys (GobanJsonObject object)
{
  static const GobanJsonKey *const keys[] = { file_keys, node_keys, output_keys };

  return keys[object];
}
