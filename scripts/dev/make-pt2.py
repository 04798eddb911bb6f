#!/usr/bin/env python3
"""Exported programs of PyTorch for the tests, made by hand after PyTorch's schema.

PyTorch is not needed, and none of these files was exported by it: names, fields and layouts of the
archives follow torch/_export/serde/schema.py and pt2_archive_constants.h. Rewrites
tests/fuzz/corpus/torch-export.
"""

import io
import json
import os
import struct
import zipfile

FLOAT, LONG, HALF = 7, 5, 6


class Program:
    def __init__(self):
        self.tensors, self.nodes, self.inputs, self.specs = {}, [], [], []

    def tensor(self, name, sizes, dtype=FLOAT):
        def size(s):
            if isinstance(s, int):
                return {"as_int": s}
            text, hint = s
            hint = None if hint is None else {"as_int": hint}
            return {"as_expr": {"expr_str": text, "hint": hint}}
        self.tensors[name] = {
            "dtype": dtype, "sizes": [size(s) for s in sizes], "requires_grad": False,
            "device": {"type": "cpu", "index": None}, "strides": [{"as_int": 1}] * len(sizes),
            "storage_offset": {"as_int": 0}, "layout": 7}
        return {"as_tensor": {"name": name}}

    def parameter(self, name, sizes, kind="parameter"):
        arg = self.tensor(name, sizes)
        self.inputs.append(arg)
        spec = {"arg": {"name": name}, kind + "_name": name[2:].replace("_", ".")}
        if kind == "buffer":
            spec["persistent"] = True
        self.specs.append({kind: spec})
        return arg

    def user_input(self, name, sizes, dtype=FLOAT):
        arg = self.tensor(name, sizes, dtype)
        self.inputs.append(arg)
        self.specs.append({"user_input": {"arg": arg}})
        return arg

    def call(self, target, arguments, outputs, module=None):
        metadata = {}
        if module is not None:
            stack = ["L__self__,,model.Model"]
            for i in range(module.count(".") + 1):
                path = ".".join(module.split(".")[: i + 1])
                stack.append("L__self___%s,%s,torch.nn.modules.module.Module"
                             % (path.replace(".", "_"), path))
            metadata["nn_module_stack"] = ";".join(stack)
        self.nodes.append({
            "target": target, "outputs": outputs, "metadata": metadata,
            "inputs": [{"name": name, "arg": arg, "kind": 1} for name, arg in arguments]})
        return outputs[0]

    def aten(self, op, arguments, name, sizes, module=None, dtype=FLOAT):
        return self.call("torch.ops.aten." + op, arguments, [self.tensor(name, sizes, dtype)],
                         module)

    def encode(self, result, symbols=None, ranges=None):
        return json.dumps({
            "graph_module": {
                "graph": {
                    "inputs": self.inputs, "outputs": [result], "nodes": self.nodes,
                    "tensor_values": self.tensors, "sym_int_values": symbols or {},
                    "sym_bool_values": {}, "is_single_tensor_return": False,
                    "custom_obj_values": {}, "sym_float_values": {}},
                "signature": {"input_specs": self.specs,
                              "output_specs": [{"user_output": {"arg": result}}]},
                "module_call_graph": [], "metadata": {}},
            "opset_version": {"aten": 10}, "range_constraints": ranges or {},
            "schema_version": {"major": 8, "minor": 6}, "verifiers": ["TRAINING"],
            "torch_version": "2.8.0"})


def ints(*values):
    return {"as_ints": list(values)}


NONE = {"as_none": True}


def make_residual():
    """Two convolutions with a batch norm, a sum around them, pooling and a linear layer."""
    p = Program()
    w1 = p.parameter("p_conv1_weight", [16, 3, 3, 3])
    w2 = p.parameter("p_layer1_0_conv_weight", [16, 16, 3, 3])
    scale = p.parameter("p_layer1_0_bn_weight", [16])
    shift = p.parameter("p_layer1_0_bn_bias", [16])
    mean = p.parameter("b_layer1_0_bn_running_mean", [16], "buffer")
    var = p.parameter("b_layer1_0_bn_running_var", [16], "buffer")
    w = p.parameter("p_fc_weight", [10, 16])
    b = p.parameter("p_fc_bias", [10])
    x = p.user_input("x", [2, 3, 8, 8])
    conv = [("stride", ints(1, 1)), ("padding", ints(1, 1))]
    a = p.aten("conv2d.default", [("input", x), ("weight", w1), ("bias", NONE)] + conv,
               "conv2d", [2, 16, 8, 8], "conv1")
    a = p.aten("relu_.default", [("self", a)], "relu_", [2, 16, 8, 8], "relu")
    c = p.aten("convolution.default",
               [("input", a), ("weight", w2), ("bias", NONE)] + conv
               + [("dilation", ints(1, 1)), ("transposed", {"as_bool": False}),
                  ("output_padding", ints(0, 0)), ("groups", {"as_int": 1})],
               "convolution", [2, 16, 8, 8], "layer1.0.conv")
    outputs = [p.tensor("getitem", [2, 16, 8, 8]), p.tensor("getitem_1", [0]),
               p.tensor("getitem_2", [0])]
    c = p.call("torch.ops.aten._native_batch_norm_legit_no_training.default",
               [("input", c), ("weight", scale), ("bias", shift), ("running_mean", mean),
                ("running_var", var), ("momentum", {"as_float": 0.1}), ("eps", {"as_float": 1e-5})],
               outputs, "layer1.0.bn")
    s = p.aten("add.Tensor", [("self", a), ("other", c)], "add", [2, 16, 8, 8], "layer1.0")
    m = p.aten("max_pool2d.default", [("self", s), ("kernel_size", ints(2)), ("stride", ints(2))],
               "max_pool2d", [2, 16, 4, 4], "pool")
    m = p.aten("adaptive_avg_pool2d.default", [("self", m), ("output_size", ints(1, 1))],
               "adaptive_avg_pool2d", [2, 16, 1, 1], "avgpool")
    f = p.aten("flatten.using_ints", [("self", m), ("start_dim", {"as_int": 1})],
               "flatten", [2, 16])
    y = p.aten("linear.default", [("input", f), ("weight", w), ("bias", b)],
               "linear", [2, 10], "fc")
    return p.encode(y)


def make_attention(hint=2):
    """One head of attention over an open batch and an open number of steps."""
    p = Program()
    s0, s1 = ("s0", hint), ("s1", hint and 5)
    q = p.parameter("p_attn_q_weight", [8, 8])
    table = p.parameter("p_embed_weight", [100, 8])
    ids = p.user_input("ids", [s0, s1], LONG)
    p.call("torch.ops.aten.sym_size.int", [("self", ids), ("dim", {"as_int": 1})],
           [{"as_sym_int": {"as_name": "sym_size_int"}}])
    x = p.aten("embedding.default", [("weight", table), ("indices", ids)], "embedding",
               [s0, s1, 8], "embed")
    h = p.aten("linear.default", [("input", x), ("weight", q)], "linear", [s0, s1, 8], "attn.q")
    h = p.aten("view.default",
               [("self", h), ("size", {"as_sym_ints": [
                   {"as_int": -1}, {"as_name": "sym_size_int"}, {"as_int": 8}]})],
               "view", [s0, s1, 8], "attn")
    o = p.aten("scaled_dot_product_attention.default",
               [("query", h), ("key", x), ("value", x), ("attn_mask", NONE)],
               "scaled_dot_product_attention", [s0, s1, 8], "attn")
    g = p.aten("cat.default", [("tensors", {"as_tensors": [{"name": o["as_tensor"]["name"]},
                                                          {"name": x["as_tensor"]["name"]}]}),
                               ("dim", {"as_int": 1})],
               "cat", [s0, ("2*s1", hint and 10), 8])
    y = p.aten("my_lib_op.default", [("self", g)], "other", [("s0*(s1 + 1)//2", None)])
    return p.encode(y, {"sym_size_int": {"as_expr": {"expr_str": "s1", "hint": None}}},
                    {"s1": {"min_val": 2, "max_val": 64}})


def make_branches():
    """A condition, whose branches are graphs of their own, and half precision."""
    p = Program()
    x = p.user_input("x", [4], HALF)
    body = {"inputs": [x], "outputs": [x], "nodes": [], "tensor_values": {}, "sym_int_values": {},
            "sym_bool_values": {}}
    y = p.call("torch.ops.higher_order.cond",
               [("", x), ("", {"as_graph": {"name": "true_graph_0", "graph": body}}),
                ("", {"as_graph": {"name": "false_graph_0", "graph": body}})],
               [{"as_tensors": [p.tensor("cond_out", [4], HALF)["as_tensor"]]}])
    p.call("_operator.mul", [("", {"as_int": 2})], [{"as_sym_int": {"as_name": "mul"}}])
    return p.encode(p.aten("sigmoid.default", [("self", {"as_tensor": {"name": "cond_out"}})],
                           "sigmoid", [4], dtype=HALF))


class Pipe(io.RawIOBase):
    """Not seekable, so that sizes follow the members, as in PyTorch's archives."""

    def __init__(self):
        self.data = bytearray()

    def writable(self):
        return True

    def write(self, data):
        self.data += data
        return len(data)


def pack(members, method):
    pipe = Pipe()
    with zipfile.ZipFile(pipe, "w", method) as archive:
        for name, text in members:
            info = zipfile.ZipInfo(name, (2026, 1, 1, 0, 0, 0))
            info.compress_type = method
            archive.writestr(info, text)
    return bytes(pipe.data)


def widen(data):
    """The same archive with the records of zip64, which PyTorch always writes."""
    end = data.rindex(b"PK\5\6")
    count, size, start = struct.unpack("<HII", data[end + 10:end + 20])
    entries, at = b"", start
    for _ in range(count):
        sizes = struct.unpack("<HHH", data[at + 28:at + 34])
        packed, whole = struct.unpack("<II", data[at + 20:at + 28])
        name = data[at + 46:at + 46 + sizes[0]]
        header = struct.unpack("<I", data[at + 42:at + 46])[0]
        extra = struct.pack("<HHH", 0xcafe, 2, 0)
        extra += struct.pack("<HHQQQ", 1, 24, whole, packed, header)
        entries += (data[at:at + 20] + b"\xff" * 8 + struct.pack("<HHH", sizes[0], len(extra), 0)
                    + data[at + 34:at + 42] + b"\xff" * 4 + name + extra)
        at += 46 + sum(sizes)
    where = start + len(entries)
    record = struct.pack("<4sQHHIIQQQQ", b"PK\6\6", 44, 45, 45, 0, 0, count, count, len(entries),
                         start)
    locator = struct.pack("<4sIQI", b"PK\6\7", 0, where, 1)
    last = struct.pack("<4sHHHHIIH", b"PK\5\6", 0, 0, 0xffff, 0xffff, 0xffffffff, 0xffffffff, 0)
    return data[:start] + entries + record + locator + last


def main():
    root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    folder = os.path.join(root, "tests", "fuzz", "corpus", "torch-export")
    os.makedirs(folder, exist_ok=True)
    residual, attention = make_residual(), make_attention()
    new = [("residual/data/weights/weight_0", b"\0" * 16), ("residual/models/model.json", residual),
           ("residual/archive_format", "pt2"), ("residual/archive_version", "0"),
           ("residual/byteorder", "little"), ("residual/.data/version", "6")]
    old = [("version", "2.5"), ("serialized_exported_program.json", attention),
           ("serialized_state_dict.pt", b"")]
    files = {
        "residual.pt2": pack(new, zipfile.ZIP_STORED),
        "attention.pt2": pack(old, zipfile.ZIP_DEFLATED),
        "wide.pt2": widen(pack(old, zipfile.ZIP_DEFLATED)),
        "models.pt2": pack([("models/models/model.json", attention)], zipfile.ZIP_DEFLATED),
        "residual.json": residual, "attention.json": attention,
        "no-example.json": make_attention(None), "branches.json": make_branches(),
        "infinities.json": residual.replace("1e-05", "-Infinity").replace("0.1", "NaN"),
        "empty.pt2": pack([("x/archive_format", "pt2")], zipfile.ZIP_STORED),
        "bad-sizes.json": attention.replace('"2*s1"', '"2*((s1"').replace('"hint": {"as_int": 10}',
                                                                      '"hint": null'),
        "unknown-input.json": residual.replace('"input", "arg": {"as_tensor": {"name": "flatten"',
                                                  '"input", "arg": {"as_tensor": {"name": "flat"'),
    }
    for name, text in files.items():
        with open(os.path.join(folder, name), "wb") as file:
            file.write(text if isinstance(text, bytes) else text.encode())


main()
