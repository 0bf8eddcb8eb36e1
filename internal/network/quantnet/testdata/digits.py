"""Trains a small network of convolutions on drawn digits, with NumPy alone, and writes it.

    python3 digits.py DIRECTORY [--dead]

The digits are patterns of 5 by 7 cells, moved, turned, sized, crossed by a line and covered with noise: 12 by 12 pixels
from 0 to 1. The directory gets the weights as TensorFlow Lite orders them (w1.npy, b1.npy ...), inputs to calibrate with
(calibrate.npy), and others to judge by (evaluate.npy) with their classes (labels.npy). Every run gives the same.
With --dead, one filter of the first layer stays next to nothing in training, as units of trained networks do.
"""

import sys

import numpy as np

SIZE, CLASSES = 12, 10
TRAINED, CALIBRATED, JUDGED = 4000, 100, 500
EPOCHS, BATCH, RATE = 10, 50, 0.003
DEAD = 3

PATTERNS = """
01110 00100 01110 11111 00010 11111 00110 11111 01110 01110
10001 01100 10001 00010 00110 10000 01000 00001 10001 10001
10011 00100 00001 00100 01010 11110 10000 00010 10001 10001
10101 00100 00010 00010 10010 00001 11110 00100 01110 01111
11001 00100 00100 00001 11111 00001 10001 01000 10001 00001
10001 00100 01000 10001 00010 10001 10001 01000 10001 00010
01110 01110 11111 01110 00010 01110 01110 01000 01110 01100
"""


def patterns():
    rows = [line.split() for line in PATTERNS.strip().splitlines()]
    return np.array([[[int(c) for c in row[digit]] for row in rows] for digit in range(CLASSES)], dtype=float)


def draw(random, count):
    """Makes count pictures and their classes."""
    labels = random.integers(0, CLASSES, count)
    cells = np.pad(patterns(), ((0, 0), (3, 3), (3, 3)))
    axis = np.arange(SIZE) - (SIZE - 1) / 2
    y, x = np.meshgrid(axis, axis, indexing="ij")
    pictures = np.empty((count, SIZE, SIZE, 1), dtype=np.float32)
    for i, label in enumerate(labels):
        angle, size = random.normal(0, 0.18), random.uniform(1.15, 1.6)
        dy, dx = random.normal(0, 0.8, 2)
        u = (np.cos(angle) * (y - dy) + np.sin(angle) * (x - dx)) / size + 6
        v = (np.cos(angle) * (x - dx) - np.sin(angle) * (y - dy)) / size + 5
        u, v = np.clip(u, 0, cells.shape[1] - 2), np.clip(v, 0, cells.shape[2] - 2)
        iu, iv = u.astype(int), v.astype(int)
        fu, fv = u - iu, v - iv
        c = cells[label]
        p = (c[iu, iv] * (1 - fu) * (1 - fv) + c[iu + 1, iv] * fu * (1 - fv) + c[iu, iv + 1] * (1 - fu) * fv + c[iu + 1, iv + 1] * fu * fv)
        if random.random() < 0.3:
            p[random.integers(0, SIZE)] = random.uniform(0, 1)
        pictures[i, :, :, 0] = np.clip(p * random.uniform(0.5, 1) + random.normal(0, 0.16, p.shape), 0, 1)
    return pictures, labels


def windows(image, k):
    """The cells under each window of k by k: batch, row, column, cells of the window."""
    n, h, w, c = image.shape
    parts = [image[:, i:h - k + 1 + i, j:w - k + 1 + j, :] for i in range(k) for j in range(k)]
    return np.concatenate(parts, axis=3).reshape(n, h - k + 1, w - k + 1, k * k * c)


def spread(gradient, shape, k):
    """The gradient of an image of that of its windows."""
    n, h, w, c = shape
    out = np.zeros(shape)
    parts = gradient.reshape(n, h - k + 1, w - k + 1, k, k, c)
    for i in range(k):
        for j in range(k):
            out[:, i:h - k + 1 + i, j:w - k + 1 + j, :] += parts[:, :, :, i, j, :]
    return out


class Network:
    """Convolution, rectifier, greatest of 2 by 2, convolution, rectifier, product."""

    def __init__(self, random, dead):
        def weights(inputs, outputs):
            return random.normal(0, np.sqrt(2 / inputs), (inputs, outputs))

        self.p = [weights(9, 8), np.zeros(8), weights(72, 16), np.zeros(16), weights(144, CLASSES), np.zeros(CLASSES)]
        self.dead = dead
        if dead:
            self.p[0][:, DEAD] = random.normal(0, 1e-19, 9)
            self.p[1][DEAD] = -0.13
        self.m = [np.zeros_like(a) for a in self.p]
        self.v = [np.zeros_like(a) for a in self.p]
        self.steps = 0

    def forward(self, x):
        w1, b1, w2, b2, w3, b3 = self.p
        self.x1 = windows(x, 3)
        self.a1 = np.maximum(self.x1 @ w1 + b1, 0)
        n, h, w, c = self.a1.shape
        blocks = self.a1.reshape(n, h // 2, 2, w // 2, 2, c)
        self.pooled = blocks.max(axis=(2, 4))
        self.x2 = windows(self.pooled, 3)
        self.a2 = np.maximum(self.x2 @ w2 + b2, 0)
        self.flat = self.a2.reshape(n, -1)
        return self.flat @ w3 + b3

    def learn(self, x, labels):
        w1, _, w2, _, w3, _ = self.p
        out = self.forward(x)
        e = np.exp(out - out.max(axis=1, keepdims=True))
        g = e / e.sum(axis=1, keepdims=True)
        g[np.arange(len(labels)), labels] -= 1
        g /= len(labels)
        d3, c3 = self.flat.T @ g, g.sum(axis=0)
        g = (g @ w3.T).reshape(self.a2.shape) * (self.a2 > 0)
        d2, c2 = self.x2.reshape(-1, 72).T @ g.reshape(-1, 16), g.sum(axis=(0, 1, 2))
        g = spread(g @ w2.T, self.pooled.shape, 3)
        up = self.pooled.repeat(2, axis=1).repeat(2, axis=2) == self.a1
        g = g.repeat(2, axis=1).repeat(2, axis=2) * up * (self.a1 > 0)
        d1, c1 = self.x1.reshape(-1, 9).T @ g.reshape(-1, 8), g.sum(axis=(0, 1, 2))
        self.step([d1, c1, d2, c2, d3, c3])

    def step(self, gradients):
        """One step of Adam. A dead filter gets none."""
        self.steps += 1
        if self.dead:
            gradients[0][:, DEAD] = 0
            gradients[1][DEAD] = 0
        for p, m, v, g in zip(self.p, self.m, self.v, gradients):
            m += 0.1 * (g - m)
            v += 0.001 * (g * g - v)
            p -= RATE * (m / (1 - 0.9 ** self.steps)) / (np.sqrt(v / (1 - 0.999 ** self.steps)) + 1e-8)


def main():
    directory, dead = sys.argv[1], "--dead" in sys.argv[2:]
    random = np.random.default_rng(20)
    trained, calibrated, judged = (draw(random, n) for n in (TRAINED, CALIBRATED, JUDGED))
    network = Network(random, dead)
    for _ in range(EPOCHS):
        order = random.permutation(TRAINED)
        for at in range(0, TRAINED, BATCH):
            part = order[at:at + BATCH]
            network.learn(trained[0][part], trained[1][part])
    w1, b1, w2, b2, w3, b3 = (a.astype(np.float32) for a in network.p)
    for name, array in {
        "w1": w1.T.reshape(8, 3, 3, 1), "b1": b1, "w2": w2.T.reshape(16, 3, 3, 8), "b2": b2, "w3": w3.T, "b3": b3,
        "calibrate": calibrated[0], "evaluate": judged[0], "labels": judged[1].astype(np.int32),
    }.items():
        np.save(f"{directory}/{name}.npy", np.ascontiguousarray(array))
    right = (network.forward(judged[0]).argmax(axis=1) == judged[1]).mean()
    print(f"{100 * right:.2f} % of {JUDGED}")


if __name__ == "__main__":
    main()
