#!/usr/bin/env python3
"""Writes the graphs in samples/: make-samples.py [FOLDER]

Needs nothing but Python's standard library: the ONNX files are protobuf messages
that the few functions below encode by hand. The files hold shapes, no weights.
The same script writes the same bytes on every machine.
"""

import pathlib
import struct
import sys

# --- protobuf ----------------------------------------------------------------


def varint(value):
    value &= (1 << 64) - 1
    out = bytearray()
    while value >= 0x80:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def number(field, value):
    return varint(field << 3) + varint(value)


def data(field, payload):
    if isinstance(payload, str):
        payload = payload.encode()
    return varint(field << 3 | 2) + varint(len(payload)) + payload


def real(field, value):
    return varint(field << 3 | 5) + struct.pack("<f", value)


# --- ONNX: field numbers are those of onnx.proto -----------------------------

FLOAT, INT, INTS = 1, 2, 7  # AttributeProto.AttributeType
ELEM_FLOAT = 1  # TensorProto.DataType
EXTERNAL = 1  # TensorProto.DataLocation
IR_VERSION, OPSET = 8, 17


def attribute(name, value):
    if isinstance(value, float):
        body, kind = real(2, value), FLOAT
    elif isinstance(value, int):
        body, kind = number(3, value), INT
    else:
        body, kind = b"".join(number(8, v) for v in value), INTS
    return data(5, data(1, name) + body + number(20, kind))


def value_info(field, name, dims):
    shape = b"".join(
        data(1, data(2, d) if isinstance(d, str) else number(1, d)) for d in dims
    )
    tensor = number(1, ELEM_FLOAT) + data(2, shape)
    return data(field, data(1, name) + data(2, data(1, tensor)))


class Model:
    """Gathers nodes; a layer takes the names of tensors and returns that of its output."""

    def __init__(self, name):
        self.name = name
        self.nodes = []
        self.weights = []

    def node(self, op, name, inputs, outputs=None, **attributes):
        outputs = outputs or [name]
        body = b"".join(data(1, i) for i in inputs)
        body += b"".join(data(2, o) for o in outputs)
        body += data(3, name) + data(4, op)
        body += b"".join(attribute(k, v) for k, v in attributes.items())
        self.nodes.append(data(1, body))
        return outputs[0]

    def weight(self, name, *dims):
        """A tensor whose data would lie in another file, which is not there."""
        location = data(13, data(1, "location") + data(2, self.name + ".weights"))
        body = b"".join(number(1, d) for d in dims) + number(2, ELEM_FLOAT)
        body += data(8, name) + location + number(14, EXTERNAL)
        self.weights.append(data(5, body))
        return name

    def conv_bn(self, name, x, c_in, c_out, kernel, stride=1, pad=0, eps=1e-5, relu=True):
        """Convolution without bias, batch normalisation, and ReLU unless it comes later."""
        kh, kw = kernel if isinstance(kernel, tuple) else (kernel, kernel)
        ph, pw = pad if isinstance(pad, tuple) else (pad, pad)
        w = self.weight(f"{name}/conv.weight", c_out, c_in, kh, kw)
        x = self.node(
            "Conv", f"{name}/conv", [x, w],
            kernel_shape=[kh, kw], strides=[stride, stride], pads=[ph, pw, ph, pw],
        )
        statistics = [
            self.weight(f"{name}/bn.{s}", c_out)
            for s in ("weight", "bias", "running_mean", "running_var")
        ]
        x = self.node("BatchNormalization", f"{name}/bn", [x] + statistics, epsilon=eps)
        return self.node("Relu", f"{name}/relu", [x]) if relu else x

    def pool(self, op, name, x, kernel, stride, pad=0):
        more = {"count_include_pad": 1} if op == "AveragePool" else {}
        return self.node(
            op, name, [x], kernel_shape=[kernel] * 2, strides=[stride] * 2, pads=[pad] * 4, **more
        )

    def classifier(self, x, width):
        x = self.node("GlobalAveragePool", "avgpool", [x])
        x = self.node("Flatten", "flatten", [x], axis=1)
        w = self.weight("fc.weight", 1000, width)
        b = self.weight("fc.bias", 1000)
        return self.node("Gemm", "fc", [x, w, b], ["logits"], transB=1)

    def encode(self, side, about):
        graph = b"".join(self.nodes) + data(2, self.name) + b"".join(self.weights)
        graph += value_info(11, "image", ["batch", 3, side, side])
        graph += value_info(12, "logits", ["batch", 1000])
        return (
            number(1, IR_VERSION) + data(2, "goban") + data(6, about)
            + data(7, graph) + data(8, data(1, "") + number(2, OPSET))
        )


# --- Inception-v3 (Szegedy et al., 2015), with torchvision's layer names ------


def inception_v3():
    m = Model("inception-v3")

    def conv(name, x, c_in, c_out, kernel, stride=1, pad=0):
        return m.conv_bn(name, x, c_in, c_out, kernel, stride, pad, eps=1e-3)

    def join(name, *branches):
        return m.node("Concat", f"{name}/concat", list(branches), axis=1)

    def pooled(name, x, c_in, c_out):
        x = m.pool("AveragePool", f"{name}/branch_pool/pool", x, 3, 1, 1)
        return conv(f"{name}/branch_pool", x, c_in, c_out, 1)

    def block_a(name, x, c, pool_features):
        b1 = conv(f"{name}/branch1x1", x, c, 64, 1)
        b5 = conv(f"{name}/branch5x5_1", x, c, 48, 1)
        b5 = conv(f"{name}/branch5x5_2", b5, 48, 64, 5, pad=2)
        b3 = conv(f"{name}/branch3x3dbl_1", x, c, 64, 1)
        b3 = conv(f"{name}/branch3x3dbl_2", b3, 64, 96, 3, pad=1)
        b3 = conv(f"{name}/branch3x3dbl_3", b3, 96, 96, 3, pad=1)
        return join(name, b1, b5, b3, pooled(name, x, c, pool_features))

    def block_b(name, x, c):
        b3 = conv(f"{name}/branch3x3", x, c, 384, 3, stride=2)
        d3 = conv(f"{name}/branch3x3dbl_1", x, c, 64, 1)
        d3 = conv(f"{name}/branch3x3dbl_2", d3, 64, 96, 3, pad=1)
        d3 = conv(f"{name}/branch3x3dbl_3", d3, 96, 96, 3, stride=2)
        return join(name, b3, d3, m.pool("MaxPool", f"{name}/branch_pool", x, 3, 2))

    def block_c(name, x, c, c7):
        across, down = {"kernel": (1, 7), "pad": (0, 3)}, {"kernel": (7, 1), "pad": (3, 0)}
        b1 = conv(f"{name}/branch1x1", x, c, 192, 1)
        b7 = conv(f"{name}/branch7x7_1", x, c, c7, 1)
        b7 = conv(f"{name}/branch7x7_2", b7, c7, c7, **across)
        b7 = conv(f"{name}/branch7x7_3", b7, c7, 192, **down)
        d7 = conv(f"{name}/branch7x7dbl_1", x, c, c7, 1)
        d7 = conv(f"{name}/branch7x7dbl_2", d7, c7, c7, **down)
        d7 = conv(f"{name}/branch7x7dbl_3", d7, c7, c7, **across)
        d7 = conv(f"{name}/branch7x7dbl_4", d7, c7, c7, **down)
        d7 = conv(f"{name}/branch7x7dbl_5", d7, c7, 192, **across)
        return join(name, b1, b7, d7, pooled(name, x, c, 192))

    def block_d(name, x, c):
        b3 = conv(f"{name}/branch3x3_1", x, c, 192, 1)
        b3 = conv(f"{name}/branch3x3_2", b3, 192, 320, 3, stride=2)
        b7 = conv(f"{name}/branch7x7x3_1", x, c, 192, 1)
        b7 = conv(f"{name}/branch7x7x3_2", b7, 192, 192, (1, 7), pad=(0, 3))
        b7 = conv(f"{name}/branch7x7x3_3", b7, 192, 192, (7, 1), pad=(3, 0))
        b7 = conv(f"{name}/branch7x7x3_4", b7, 192, 192, 3, stride=2)
        return join(name, b3, b7, m.pool("MaxPool", f"{name}/branch_pool", x, 3, 2))

    def fork(name, x, c):
        a = conv(f"{name}a", x, c, 384, (1, 3), pad=(0, 1))
        b = conv(f"{name}b", x, c, 384, (3, 1), pad=(1, 0))
        return join(name, a, b)

    def block_e(name, x, c):
        b1 = conv(f"{name}/branch1x1", x, c, 320, 1)
        b3 = conv(f"{name}/branch3x3_1", x, c, 384, 1)
        b3 = fork(f"{name}/branch3x3_2", b3, 384)
        d3 = conv(f"{name}/branch3x3dbl_1", x, c, 448, 1)
        d3 = conv(f"{name}/branch3x3dbl_2", d3, 448, 384, 3, pad=1)
        d3 = fork(f"{name}/branch3x3dbl_3", d3, 384)
        return join(name, b1, b3, d3, pooled(name, x, c, 192))

    x = conv("Conv2d_1a_3x3", "image", 3, 32, 3, stride=2)
    x = conv("Conv2d_2a_3x3", x, 32, 32, 3)
    x = conv("Conv2d_2b_3x3", x, 32, 64, 3, pad=1)
    x = m.pool("MaxPool", "maxpool1", x, 3, 2)
    x = conv("Conv2d_3b_1x1", x, 64, 80, 1)
    x = conv("Conv2d_4a_3x3", x, 80, 192, 3)
    x = m.pool("MaxPool", "maxpool2", x, 3, 2)
    x = block_a("Mixed_5b", x, 192, 32)
    x = block_a("Mixed_5c", x, 256, 64)
    x = block_a("Mixed_5d", x, 288, 64)
    x = block_b("Mixed_6a", x, 288)
    x = block_c("Mixed_6b", x, 768, 128)
    x = block_c("Mixed_6c", x, 768, 160)
    x = block_c("Mixed_6d", x, 768, 160)
    x = block_c("Mixed_6e", x, 768, 192)
    x = block_d("Mixed_7a", x, 768)
    x = block_e("Mixed_7b", x, 1280)
    x = block_e("Mixed_7c", x, 2048)
    m.classifier(x, 2048)
    return m.encode(299, "Inception-v3 for inference, without the auxiliary classifier")


# --- ResNet-50 v1.5 (He et al., 2015; stride in the 3x3), torchvision's order --


def resnet_50():
    m = Model("resnet-50")

    def bottleneck(name, x, c_in, width, stride):
        c_out = 4 * width
        y = m.conv_bn(f"{name}/conv1", x, c_in, width, 1)
        y = m.conv_bn(f"{name}/conv2", y, width, width, 3, stride=stride, pad=1)
        y = m.conv_bn(f"{name}/conv3", y, width, c_out, 1, relu=False)
        if stride != 1 or c_in != c_out:
            x = m.conv_bn(f"{name}/downsample", x, c_in, c_out, 1, stride=stride, relu=False)
        y = m.node("Add", f"{name}/add", [y, x])
        return m.node("Relu", f"{name}/relu", [y])

    x = m.conv_bn("stem", "image", 3, 64, 7, stride=2, pad=3)
    x = m.pool("MaxPool", "stem/maxpool", x, 3, 2, 1)
    c_in = 64
    for layer, (blocks, width) in enumerate([(3, 64), (4, 128), (6, 256), (3, 512)], start=1):
        for block in range(blocks):
            stride = 2 if block == 0 and layer > 1 else 1
            x = bottleneck(f"layer{layer}/block{block}", x, c_in, width, stride)
            c_in = 4 * width
    m.classifier(x, 2048)
    return m.encode(224, "ResNet-50 v1.5 for inference")


# --- a toy ---------------------------------------------------------------------

TOY_NODES = [  # name, operator, microseconds, bytes of the output
    ("input", "Input", 10, 300000),
    ("image/conv1", "Conv", 240, 400000),
    ("image/conv2", "Conv", 320, 200000),
    ("image/pool", "MaxPool", 60, 50000),
    ("image/embed", "MatMul", 120, 8000),
    ("text/embed", "Gather", 180, 300000),
    ("text/attention", "Attention", 340, 300000),
    ("text/ffn", "MatMul", 280, 100000),
    ("text/norm", "LayerNorm", 40, 8000),
    ("fuse", "Concat", 90, 16000),
    ("head/dense", "MatMul", 110, 4000),
    ("head/softmax", "Softmax", 20, 4000),
]

TOY_EDGES = [
    ("input", "image/conv1"),
    ("image/conv1", "image/conv2"),
    ("image/conv2", "image/pool"),
    ("image/pool", "image/embed"),
    ("input", "text/embed"),
    ("text/embed", "text/attention"),
    ("text/attention", "text/ffn"),
    ("text/embed", "text/norm"),
    ("text/ffn", "text/norm"),
    ("image/pool", "fuse"),
    ("image/embed", "fuse"),
    ("text/norm", "fuse"),
    ("fuse", "head/dense"),
    ("head/dense", "head/softmax"),
]


def toy():
    lines = [
        "// Two towers of equal weight between one input and one head. Times are microseconds",
        "// on any device, bytes those of a node's output, which every reader gets.",
        "digraph toy {",
    ]
    for name, op, time, size in TOY_NODES:
        lines.append(f'  "{name}" [op="{op}", time="{time}us", bytes={size}];')
    for tail, head in TOY_EDGES:
        lines.append(f'  "{tail}" -> "{head}";')
    lines.append("}")
    return ("\n".join(lines) + "\n").encode()


def main():
    root = pathlib.Path(__file__).resolve().parents[2]
    folder = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else root / "samples"
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in [
        ("inception-v3.onnx", inception_v3()),
        ("resnet-50.onnx", resnet_50()),
        ("toy.dot", toy()),
    ]:
        (folder / name).write_bytes(content)


if __name__ == "__main__":
    main()
