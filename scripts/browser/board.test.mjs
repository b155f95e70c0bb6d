// Tests of the functions of board.js that need no page: node --test scripts/browser/
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { createContext, runInContext } from "node:vm";

const source = readFileSync(new URL("../../crates/site/assets/board.js", import.meta.url), "utf8");
const context = createContext({ document: { querySelectorAll: () => [] } });
const { ndqBlocks, ndqBox, ndqCounted, ndqLayers, ndqProjection, ndqSides } =
  runInContext(`${source}\n({ ndqBlocks, ndqBox, ndqCounted, ndqLayers, ndqProjection, ndqSides })`, context);
// Arrays of the context have prototypes of their own.
const plain = (value) => JSON.parse(JSON.stringify(value));

test("a box lists its squares in lexicographic order", () => {
  assert.deepEqual(plain(ndqBox([2, 3])), [[0, 0], [0, 1], [0, 2], [1, 0], [1, 1], [1, 2]]);
  for (const sides of [[4], [2, 3, 4], [3, 3, 3, 3]]) assert.deepEqual(plain(ndqSides(ndqBox(sides))), sides);
});

for (const sides of [[7], [8, 8], [2, 5], [1, 1, 1], [6, 6, 6], [2, 3, 40], [3, 3, 3, 3], [2, 3, 4, 5], [2, 2, 2, 2, 2, 2]]) {
  for (const width of [240, 620, 1080]) {
    test(`squares of ${sides.join("x")} are apart and inside ${width} pixels or at their smallest size`, () => {
      const layout = sides.length === 3 ? ndqLayers(sides, width) : ndqBlocks(sides, width, false);
      const corners = plain(ndqBox(sides).map(layout.of)), slack = 1e-6;
      for (const [x, y] of corners) {
        assert.ok(x >= 0 && y >= 0 && x + layout.size <= layout.width + slack && y + layout.size <= layout.height + slack, `${x} ${y}`);
      }
      for (const [i, [x, y]] of corners.entries()) {
        const isApart = ([u, v]) => Math.max(Math.abs(x - u), Math.abs(y - v)) >= layout.size - slack;
        assert.ok(corners.slice(0, i).every(isApart), `${x} ${y}`);
      }
      assert.ok(layout.width <= width + slack || layout.size <= 3, `${layout.width}`);
    });
  }
}

test("each layer and each block has a label", () => {
  const texts = (layout) => plain(layout.labels.map(({ text }) => text));
  assert.deepEqual(texts(ndqLayers([3, 4, 4], 620)), ["layer 0", "layer 1", "layer 2"]);
  assert.deepEqual(texts(ndqBlocks([2, 3, 4, 4], 620, false)), ["x1 = 0", "x1 = 1", "x1 = 2", "x0 = 0", "x0 = 1"]);
  assert.deepEqual(texts(ndqBlocks([8, 8], 620, false)), []);
});

test("rows of a hexagon are half a square further each", () => {
  const layout = ndqBlocks([5, 5], 620, true);
  const [first, second] = [[0, 2], [1, 2]].map(layout.of);
  assert.equal(first[0] - second[0], layout.size / 2);
  assert.equal(second[1] - first[1], layout.size);
});

test("a projection turns the cube about its middle", () => {
  for (const [yaw, pitch] of [[0, 0], [0.6, 0.45], [-2, 1.5]]) {
    const view = ndqProjection([3, 3, 3], 400, 50, yaw, pitch);
    assert.deepEqual(plain(view([1, 1, 1])).map((c) => Math.round(c * 1e9) + 0), [200e9, 200e9, 0]);
    for (const point of [[0, 0, 0], [2, 1, 0], [0, 1, 1]]) {
      const [x, y, far] = view(point), distance = Math.hypot((x - 200) / 50, (y - 200) / 50, far);
      assert.ok(Math.abs(distance - Math.hypot(...point.map((c) => c - 1))) < 1e-9);
    }
  }
});

test("numbers take the plural", () => {
  assert.deepEqual([ndqCounted(1, "queen"), ndqCounted(2, "other queen")], ["1 queen", "2 other queens"]);
});
