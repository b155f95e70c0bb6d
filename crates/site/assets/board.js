"use strict";
// Boards: layers side by side, and for three dimensions a cube that is turned. The checker lists the squares that a queen attacks.
// Pages are opened from files, for which browsers load no modules, so this is a plain script. scripts/browser/board.test.mjs tests the
// functions that need no page.

/**
 * @typedef {number[]} Square coordinates, counted from 0
 * @typedef {object} BoardData content of a viewer
 * @property {string} board name of the board
 * @property {Square[]} queens placement, in the order in which it is stepped through
 * @property {number[]} [sides] sides of a plain box; other boards are listed by the checker
 * @property {number[]} [density] share of the maximum solutions that occupy each square
 * @property {Square[][]} [classes] classes of a colouring
 * @property {string} [certificate] text that is checked
 * @typedef {{ text: string, short: string, room: number, at: number[] }} Label text at a place, and its width in pixels
 * @typedef {object} Layout places of squares in pixels
 * @property {number} size side of a square
 * @property {number} width
 * @property {number} height
 * @property {Label[]} labels
 * @property {(square: Square) => number[]} of returns the upper left corner of a square
 */

/** Height of a line of labels in pixels. */
const NDQ_LABEL = 17;

/** @type {(square: Square) => string} */
const ndqKey = (square) => square.join(" ");

/** @type {(length: number) => number[]} */
const ndqRange = (length) => Array.from({ length }, (_, at) => at);

/** Returns the squares of a box in lexicographic order. @type {(sides: number[]) => Square[]} */
const ndqBox = (sides) =>
  sides.reduce((all, side) => all.flatMap((square) => ndqRange(side).map((at) => [...square, at])), /** @type {Square[]} */ ([[]]));

/** Returns the sides of the smallest box that contains these squares. @type {(squares: Square[]) => number[]} */
const ndqSides = (squares) => squares[0].map((_, axis) => 1 + squares.reduce((most, square) => Math.max(most, square[axis]), 0));

/** Lays out numbered layers of three axes side by side. @type {(sides: number[], width: number) => Layout} */
const ndqLayers = ([count, high, wide], width) => {
  let best = { size: 0, per: 1, rows: count };
  for (let per = 1; per <= count; per += 1) {
    const rows = Math.ceil(count / per);
    const size = Math.min(34, (width - (per - 1) * NDQ_LABEL) / (per * wide), (680 - rows * 1.5 * NDQ_LABEL) / (rows * high));
    if (size >= best.size) best = { size, per, rows };
  }
  const { per, rows } = best, size = Math.max(3, best.size);
  const corner = (layer) =>
    [(layer % per) * (wide * size + NDQ_LABEL), Math.floor(layer / per) * (high * size + 1.5 * NDQ_LABEL) + NDQ_LABEL];
  return {
    size,
    width: per * (wide * size + NDQ_LABEL) - NDQ_LABEL,
    height: rows * (high * size + 1.5 * NDQ_LABEL) - NDQ_LABEL / 2,
    of: ([layer, row, column]) => [corner(layer)[0] + column * size, corner(layer)[1] + row * size],
    labels: ndqRange(count).map((layer) => {
      const [x, y] = corner(layer);
      return { text: `layer ${layer}`, short: `${layer}`, room: wide * size, at: [x, y - 4] };
    }),
  };
};

/**
 * Returns for each axis its direction, 0 for right and 1 for down, and its step in squares: the last axis goes right, the one before it
 * down, and so on. `extent` is the number of squares in both directions, with the gaps between blocks.
 * @type {(sides: number[]) => { way: number[], step: number[], extent: number[] }}
 */
const ndqSteps = (sides) => {
  const way = [], step = [], extent = [1, 1];
  sides.map((_, axis) => axis).reverse().forEach((axis, level) => {
    way[axis] = level % 2;
    step[axis] = level < 2 ? 1 : extent[way[axis]] + (level >> 1);
    extent[way[axis]] += step[axis] * (sides[axis] - 1);
  });
  return { way, step, extent };
};

/**
 * Lays out blocks of two axes, labelled with the coordinates that all of their squares share. The rows of a hexagon are half a square
 * further each.
 * @type {(sides: number[], width: number, isHexagon: boolean) => Layout}
 */
const ndqBlocks = (sides, width, isHexagon) => {
  const { way, step, extent } = ndqSteps(sides);
  // The axes of blocks: each has a line of labels at the top or a column of labels at the left.
  const axesOf = (wanted) => ndqRange(Math.max(0, sides.length - 2)).filter((axis) => way[axis] === wanted);
  const [across, down] = [axesOf(0), axesOf(1)], column = 3.2 * NDQ_LABEL;
  const [left, top] = [down.length * column, across.length * NDQ_LABEL];
  const size = Math.min(34, Math.max(2, Math.min((width - left) / extent[0], 900 / extent[1])));
  const shift = (row) => (isHexagon ? (extent[1] - 1) / 4 - row / 2 : 0);
  const labels = (axes, place) => axes.flatMap((axis, line) => {
    const starts = axes.slice(0, line).reduce((all, other) => all.flatMap((from) => ndqRange(sides[other]).map((c) => from + c * step[other])), [0]);
    return starts.flatMap((start) => ndqRange(sides[axis]).map((c) =>
      ({ text: `x${axis} = ${c}`, short: `${c}`, ...place(line, (start + c * step[axis]) * size, axis) })));
  });
  return {
    size,
    width: left + extent[0] * size,
    height: top + extent[1] * size,
    labels: [
      ...labels(across, (line, from, axis) => ({ room: step[axis] * size - 4, at: [left + from, (line + 1) * NDQ_LABEL - 4] })),
      ...labels(down, (line, from) => ({ room: column, at: [line * column, top + from + 12] })),
    ],
    of: (square) => {
      const [x, y] = [0, 1].map((wanted) => square.reduce((sum, c, axis) => sum + (way[axis] === wanted ? c * step[axis] : 0), 0));
      return [left + (x + shift(y)) * size, top + y * size];
    },
  };
};

/**
 * Returns the projection of points of a cube, seen from the side to which it is turned, to x, y and depth.
 * @type {(sides: number[], wide: number, scale: number, yaw: number, pitch: number) => (point: number[]) => number[]}
 */
const ndqProjection = (sides, wide, scale, yaw, pitch) => {
  const [cy, sy, cp, sp] = [Math.cos(yaw), Math.sin(yaw), Math.cos(pitch), Math.sin(pitch)];
  return (point) => {
    const [z, y, x] = point.map((c, axis) => c - (sides[axis] - 1) / 2);
    const [right, far] = [x * cy + z * sy, -x * sy + z * cy];
    return [wide / 2 + right * scale, wide / 2 + (y * cp - far * sp) * scale, y * sp + far * cp];
  };
};

/** Returns the colour of a class, given its number and its lightness in percent. @type {(number: number, light: number) => string} */
const ndqTint = (number, light) => `hsl(${(number * 137.508) % 360} 55% ${light}%)`;

/** @type {(number: number, noun: string) => string} */
const ndqCounted = (number, noun) => `${number} ${noun}${number > 1 ? "s" : ""}`;

const ndqMake = (name, kind, text) => {
  const made = document.createElement(name);
  if (kind) made.className = kind;
  if (text !== undefined) made.textContent = text;
  return made;
};

const ndqCanvas = (label) => {
  const made = ndqMake("canvas");
  made.tabIndex = 0;
  made.setAttribute("role", "img");
  made.setAttribute("aria-label", label);
  return made;
};

/** Gives a canvas its size in pixels of the page, and returns its cleared pen. */
const ndqPen = (canvas, width, height) => {
  const ratio = window.devicePixelRatio || 1;
  if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
    [canvas.width, canvas.height] = [Math.round(width * ratio), Math.round(height * ratio)];
    canvas.style.width = `${width}px`;
    canvas.style.height = `${height}px`;
  }
  const pen = canvas.getContext("2d");
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  pen.clearRect(0, 0, width, height);
  return pen;
};

const ndqDisc = (pen, [x, y], radius, fill) => {
  pen.fillStyle = fill;
  pen.beginPath();
  pen.arc(x, y, radius, 0, 7);
  pen.fill();
};

/** Returns the place of the pointer on a canvas. */
const ndqPointer = (event, canvas) => {
  const box = canvas.getBoundingClientRect();
  return [event.clientX - box.left, event.clientY - box.top];
};

/** Returns the colours of the page by name, which depend on its colour scheme. */
const ndqColours = () => {
  const style = getComputedStyle(document.documentElement);
  return Object.fromEntries(["soft", "line", "queen", "hit", "ink", "paper"].map((name) => [name, style.getPropertyValue(`--${name}`).trim()]));
};

/** A board on a page: its squares, the placement as far as it is stepped through, and the selected square. */
class NdqBoard {
  /** @param {HTMLElement} place @param {BoardData} data @param {Square[]} squares */
  constructor(place, data, squares) {
    Object.assign(this, { place, data, squares, sides: data.sides || ndqSides(squares), known: new Map() });
    this.dimension = squares[0].length;
    this.at = new Map(squares.map((square, index) => [ndqKey(square), index]));
    this.colour = new Map((data.classes || []).flatMap((members, number) => members.map((square) => [this.indexOf(square), number])));
    this.order = data.queens.map((square) => this.indexOf(square)).filter((index) => index !== undefined);
    Object.assign(this, { placed: this.order.length, cursor: -1, hit: new Set(), isShaded: false });
    this.mostDense = data.density ? Math.max(...data.density) : 1;
  }

  indexOf(square) {
    return this.at.get(ndqKey(square));
  }

  /** Returns the indices of the queens that are placed. */
  standing() {
    return this.order.slice(0, this.placed);
  }

  /** Returns the indices of the squares that a queen on the square `index` attacks. @returns {Promise<Set<number>>} */
  async attacks(index) {
    if (!this.known.has(index)) {
      const answer = await ndqChecker(`attacked ${this.data.board} ${ndqKey(this.squares[index])}`);
      const squares = answer.startsWith("fault\n") ? [] : ndqSquares(answer.split("\n"));
      this.known.set(index, new Set(squares.map((square) => this.indexOf(square))));
    }
    return this.known.get(index);
  }

  /** Adds the elements of the board to the page, and draws it. */
  async show() {
    const { place, dimension, data, sides } = this;
    this.tools = ndqMake("div", "tools");
    this.said = ndqMake("p", "said");
    this.said.setAttribute("aria-live", "polite");
    const views = ndqMake("div", "views");
    this.flat = ndqCanvas(`${data.board}, layer by layer; arrow keys move, Page Up and Page Down change the layer`);
    views.append(this.flat);
    if (dimension === 3 && data.sides) {
      this.cube = new NdqCube(this);
      views.append(this.cube.canvas);
    }
    const axes = ndqMake("p", "note", dimension < 4 ? "" : `A square is (${sides.map((_, axis) => `x${axis}`).join(", ")}): x${dimension - 1} goes right and ` +
      `x${dimension - 2} down inside a block; the other coordinates stand at the top and at the left of the blocks.`);
    axes.hidden = dimension < 4;
    const drawn = place.querySelector(".drawn");
    if (drawn) drawn.hidden = true;
    place.append(this.tools, this.said, axes, views);
    const width = Math.max(240, Math.min(this.cube ? 620 : 1080, (place.clientWidth || 1090) - 10));
    this.layout = dimension === 3 ? ndqLayers(sides, width) : ndqBlocks(sides, width, data.board.startsWith("hex:"));
    this.corners = this.squares.map((square) => this.layout.of(square).map((x) => x + 1));
    this.listen();
    if (this.cube) this.cube.listen();
    if (this.order.length) this.addStepper();
    if (data.density) this.addDensity();
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.paint());
    this.paint();
    await this.conclude();
    place.dataset.ready = "true";
  }

  paint() {
    const { layout } = this, pen = ndqPen(this.flat, layout.width + 2, layout.height + 2), colours = ndqColours();
    Object.assign(pen, { font: "13px system-ui, sans-serif", fillStyle: colours.ink, textAlign: "left", textBaseline: "alphabetic" });
    for (const { text, short, room, at: [x, y] } of layout.labels) {
      const shown = [text, short].find((words) => pen.measureText(words).width <= room);
      if (shown) pen.fillText(shown, x + 1, y + 1);
    }
    const standing = new Set(this.standing());
    this.squares.forEach((_, index) => this.paintSquare(pen, colours, index, standing.has(index)));
    if (this.cube) this.cube.paint();
  }

  paintSquare(pen, { soft, line, queen, hit, ink, paper }, index, isStanding) {
    const { data, layout: { size } } = this, [left, top] = this.corners[index], middle = [left + size / 2, top + size / 2];
    const plain = this.squares[index].reduce((sum, c) => sum + c, 0) % 2 ? soft : paper;
    pen.fillStyle = data.classes ? this.tint(index) : plain;
    pen.fillRect(left, top, size, size);
    if (this.isShaded && data.density) {
      pen.globalAlpha = data.density[index] / this.mostDense;
      pen.fillStyle = queen;
      pen.fillRect(left, top, size, size);
      pen.globalAlpha = 1;
    }
    if (size > 10) {
      pen.strokeStyle = line;
      pen.lineWidth = 1;
      pen.strokeRect(left + 0.5, top + 0.5, size - 1, size - 1);
    }
    if (this.hit.has(index)) ndqDisc(pen, middle, size * 0.16, hit);
    if (isStanding && !this.isShaded) {
      ndqDisc(pen, middle, size * 0.36, queen);
      if (size >= 20) {
        Object.assign(pen, { fillStyle: paper, font: `${size * 0.6}px serif`, textAlign: "center", textBaseline: "middle" });
        pen.fillText("♛", middle[0], middle[1] + size * 0.03);
      }
    }
    if (index === this.cursor) {
      pen.strokeStyle = ink;
      pen.lineWidth = 2.5;
      pen.strokeRect(left + 1, top + 1, size - 2, size - 2);
    }
  }

  tint(index) {
    return ndqTint(this.colour.get(index) ?? 0, 62);
  }

  /** Selects a square, or none if `index` is -1, and says what a queen there attacks. */
  async select(index) {
    this.cursor = index;
    if (index < 0) {
      this.hit = new Set();
      this.paint();
      return;
    }
    const attacked = await this.attacks(index);
    if (this.cursor !== index) return;
    this.hit = attacked;
    this.said.textContent = `(${this.squares[index].join(",")}): ${this.describe(index)}.`;
    this.paint();
  }

  /** Describes the selected square. */
  describe(index) {
    const { data: { classes, density }, order, hit } = this, number = order.indexOf(index);
    const attackers = this.standing().filter((queen) => hit.has(queen)).length;
    let words = `empty, ${attackers ? `attacked by ${ndqCounted(attackers, "queen")}` : "attacked by no queen"}`;
    if (number >= 0 && number < this.placed) {
      words = `queen ${number + 1} of ${order.length}, which attacks ${hit.size} squares`;
      if (attackers) words += `, and ${ndqCounted(attackers, "other queen")} among them`;
    }
    if (classes) words = `colour ${(this.colour.get(index) ?? 0) + 1} of ${classes.length}; a queen there attacks ${hit.size} squares`;
    if (density) words += `; in ${(100 * density[index]).toFixed(1)} % of the maximum solutions`;
    return words;
  }

  listen() {
    const { flat, corners, layout: { size } } = this;
    flat.addEventListener("pointermove", (event) => {
      const [x, y] = ndqPointer(event, flat);
      const index = corners.findIndex(([left, top]) => x >= left && x < left + size && y >= top && y < top + size);
      if (index !== this.cursor) this.select(index);
    });
    flat.addEventListener("pointerleave", () => this.select(-1));
    flat.addEventListener("keydown", (event) => {
      const last = this.dimension - 1, layer = Math.max(0, last - 2);
      const moves = { ArrowRight: [last, 1], ArrowLeft: [last, -1], ArrowDown: [last - 1, 1], ArrowUp: [last - 1, -1], PageDown: [layer, 1], PageUp: [layer, -1] };
      const move = moves[event.key];
      if (!move || move[0] < 0) return;
      event.preventDefault();
      const from = this.squares[Math.max(0, this.cursor)];
      const square = this.cursor < 0 ? from : from.map((c, axis) => (axis === move[0] ? c + move[1] : c));
      const index = this.indexOf(square);
      if (index !== undefined) this.select(index);
    });
  }

  addButton(text, press) {
    const made = ndqMake("button", "button", text);
    made.type = "button";
    made.addEventListener("click", press);
    this.tools.append(made);
    return made;
  }

  /** Adds the slider and the buttons that step through the placement. */
  addStepper() {
    const { order } = this, label = ndqMake("label", "", "Queens placed"), slider = ndqMake("input");
    Object.assign(slider, { type: "range", min: 0, max: order.length, value: order.length });
    label.append(slider);
    this.tools.append(label);
    const step = async (to) => {
      const placed = Math.max(0, Math.min(order.length, to));
      this.placed = placed;
      slider.value = placed;
      this.paint();
      const taken = new Set(this.standing());
      for (const queen of this.standing()) for (const index of await this.attacks(queen)) taken.add(index);
      if (placed !== this.placed) return;
      this.said.textContent = `${placed} of ${order.length} queens are placed; ${this.squares.length - taken.size} squares are free.`;
    };
    slider.addEventListener("input", () => step(Number(slider.value)));
    this.addButton("◀ One less", () => step(this.placed - 1));
    this.addButton("One more ▶", () => step(this.placed + 1));
  }

  /** Adds the button that shades squares by their density. */
  addDensity() {
    const toggle = this.addButton("How often occupied", () => {
      this.isShaded = !this.isShaded;
      toggle.setAttribute("aria-pressed", this.isShaded);
      this.paint();
    });
    toggle.setAttribute("aria-pressed", "false");
  }

  /** Checks the certificate, if there is one, and shows the verdict. */
  async conclude() {
    const { certificate, classes } = this.data;
    if (certificate) {
      const [found, words] = (await ndqChecker(`check\n${certificate}`)).split("\n");
      this.said.textContent = {
        holds: `Checked in this browser: ${words}.`,
        fault: `This placement does not hold: ${words}.`,
      }[found] ?? `This placement was not checked: ${words}.`;
    } else if (classes) {
      this.said.textContent = `${classes.length} colours; a square under the pointer shows what a queen there attacks.`;
    }
  }
}

/** A board of three dimensions as a cube that is turned. */
class NdqCube {
  /** @param {NdqBoard} board */
  constructor(board) {
    this.board = board;
    this.canvas = ndqCanvas(`${board.data.board} in three dimensions; arrow keys turn it`);
    this.wide = Math.min(420, Math.max(240, (board.place.clientWidth || 420) - 10));
    this.longest = Math.max(...board.sides);
    this.scale = this.wide / (this.longest * 1.85);
    Object.assign(this, { yaw: 0.6, pitch: 0.45, seen: [] });
  }

  turn(yaw, pitch) {
    this.yaw += yaw;
    this.pitch = Math.max(-1.5, Math.min(1.5, this.pitch + pitch));
    this.paint();
  }

  paint() {
    const { board, canvas, wide, scale, yaw, pitch } = this, pen = ndqPen(canvas, wide, wide), colours = ndqColours();
    const view = ndqProjection(board.sides, wide, scale, yaw, pitch);
    this.paintFrame(pen, view, colours.line);
    const standing = new Set(board.standing());
    const marks = [...new Set([...standing, ...board.hit, ...(board.cursor >= 0 ? [board.cursor] : [])])];
    this.seen = marks.map((index) => ({ index, at: view(board.squares[index]) })).sort((a, b) => b.at[2] - a.at[2]);
    for (const mark of this.seen) this.paintMark(pen, colours, mark, standing.has(mark.index));
    canvas.dataset.turned = `${yaw.toFixed(2)} ${pitch.toFixed(2)}`;
  }

  /** Draws the edges of the cube and the floors of the layers. */
  paintFrame(pen, view, colour) {
    const { sides } = this.board, [z, y, x] = sides.map((side) => [-0.5, side - 0.5]);
    Object.assign(pen, { strokeStyle: colour, lineWidth: 1 });
    const stroke = (from, to) => {
      pen.beginPath();
      pen.moveTo(...view(from).slice(0, 2));
      pen.lineTo(...view(to).slice(0, 2));
      pen.stroke();
    };
    for (const a of [0, 1]) for (const b of [0, 1]) {
      stroke([z[0], y[a], x[b]], [z[1], y[a], x[b]]);
      stroke([z[a], y[0], x[b]], [z[a], y[1], x[b]]);
      stroke([z[a], y[b], x[0]], [z[a], y[b], x[1]]);
    }
    pen.globalAlpha = 0.45;
    for (let layer = 0; layer < sides[0]; layer += 1) {
      const corners = [[layer, y[0], x[0]], [layer, y[1], x[0]], [layer, y[1], x[1]], [layer, y[0], x[1]]];
      corners.forEach((corner, i) => stroke(corner, corners[(i + 1) % 4]));
    }
    pen.globalAlpha = 1;
  }

  paintMark(pen, { queen, hit, ink }, { index, at: [x, y, far] }, isQueen) {
    const { board } = this, depth = 1 - far / (this.longest * 3), radius = this.scale * (isQueen ? 0.34 : 0.13) * depth;
    let fill = hit;
    if (isQueen) {
      fill = pen.createRadialGradient(x - radius / 3, y - radius / 3, radius / 8, x, y, radius);
      fill.addColorStop(0, "#fff");
      fill.addColorStop(0.35, board.data.classes ? board.tint(index) : queen);
      fill.addColorStop(1, queen);
    }
    ndqDisc(pen, [x, y], radius, fill);
    if (index === board.cursor) {
      pen.strokeStyle = ink;
      pen.lineWidth = 2;
      pen.stroke();
    }
  }

  listen() {
    const { board, canvas } = this, held = new Map();
    canvas.style.touchAction = "none";
    canvas.addEventListener("pointerdown", (event) => {
      canvas.setPointerCapture(event.pointerId);
      held.set(event.pointerId, [event.clientX, event.clientY]);
    });
    canvas.addEventListener("pointermove", (event) => {
      const from = held.get(event.pointerId);
      if (from) {
        held.set(event.pointerId, [event.clientX, event.clientY]);
        this.turn((event.clientX - from[0]) / 120, (event.clientY - from[1]) / 120);
        return;
      }
      const [x, y] = ndqPointer(event, canvas);
      const isNear = ({ index, at }) => board.order.includes(index) && Math.hypot(at[0] - x, at[1] - y) < this.scale * 0.4;
      const index = [...this.seen].reverse().find(isNear)?.index ?? -1;
      if (index !== board.cursor) board.select(index);
    });
    for (const name of ["pointerup", "pointercancel"]) canvas.addEventListener(name, (event) => held.delete(event.pointerId));
    canvas.addEventListener("keydown", (event) => {
      const move = { ArrowLeft: [-0.15, 0], ArrowRight: [0.15, 0], ArrowUp: [0, -0.15], ArrowDown: [0, 0.15] }[event.key];
      if (!move) return;
      event.preventDefault();
      this.turn(...move);
    });
  }
}

/** Shows a board in an element of the page. @type {(place: HTMLElement, data: BoardData) => Promise<void>} */
const ndqBoard = async (place, data) => {
  const listed = data.sides ? null : await ndqChecker(`squares ${data.board}`);
  if (listed && listed.startsWith("fault\n")) {
    place.append(ndqMake("p", "note", `The board is not drawn: ${listed.slice(6)}.`));
    return;
  }
  await new NdqBoard(place, data, listed ? ndqSquares(listed.split("\n")) : ndqBox(data.sides)).show();
};

document.querySelectorAll(".viewer").forEach((place) => {
  const start = () => ndqBoard(place, JSON.parse(place.querySelector("script").textContent)).catch((fault) =>
    place.append(ndqMake("p", "note", `The board cannot be shown: ${fault.message}`)));
  // A folded board is drawn when it is opened.
  const folded = place.closest("details");
  if (folded && !folded.open) folded.addEventListener("toggle", start, { once: true });
  else start();
});
