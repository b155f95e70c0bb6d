"use strict";
// Boards: layers side by side, and for three dimensions a cube that is turned. The checker lists the squares that a queen attacks.
const ndqBoard = async (place, data) => {
  const { board, queens, density, classes } = data;
  const listed = data.sides ? null : await ndqChecker(`squares ${board}`);
  if (listed && listed.startsWith("fault\n")) {
    const words = document.createElement("p");
    words.className = "note";
    words.textContent = `The board is not drawn: ${listed.slice(6)}.`;
    place.append(words);
    return;
  }
  const squares = listed ? ndqSquares(listed.split("\n")) :
    data.sides.reduce((all, side) => all.flatMap((square) => Array.from({ length: side }, (_, at) => [...square, at])), [[]]);
  const dimension = squares[0].length;
  const sides = data.sides || squares[0].map((_, axis) => 1 + squares.reduce((most, square) => Math.max(most, square[axis]), 0));
  const key = (square) => square.join(" ");
  const at = new Map(squares.map((square, index) => [key(square), index]));
  const colour = new Map((classes || []).flatMap((members, number) => members.map((square) => [at.get(key(square)), number])));
  const order = queens.map((square) => at.get(key(square))).filter((index) => index !== undefined);
  const known = new Map();
  const attacks = async (index) => {
    if (!known.has(index)) {
      const answer = await ndqChecker(`attacked ${board} ${key(squares[index])}`);
      known.set(index, new Set(answer.startsWith("fault\n") ? [] : ndqSquares(answer.split("\n")).map((square) => at.get(key(square)))));
    }
    return known.get(index);
  };
  const style = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  let placed = order.length, cursor = -1, hit = new Set(), shade = false;

  // Places of squares in pixels: the last axis goes right, the one before it down. Layers of three axes are numbered, side by side;
  // with more axes, blocks are labelled with the coordinates that all of their squares share.
  const LABEL = 17;
  const layers = (width) => {
    const [count, high, wide] = sides;
    let best = { size: 0 };
    for (let per = 1; per <= count; per += 1) {
      const rows = Math.ceil(count / per);
      const size = Math.min(34, (width - (per - 1) * LABEL) / (per * wide), (680 - rows * 1.5 * LABEL) / (rows * high));
      if (size >= best.size) best = { size, per, rows };
    }
    const size = Math.max(3, best.size), per = best.per || 1, rows = best.rows || count;
    const corner = (layer) => [(layer % per) * (wide * size + LABEL), Math.floor(layer / per) * (high * size + 1.5 * LABEL) + LABEL];
    return { size, width: per * (wide * size + LABEL) - LABEL, height: rows * (high * size + 1.5 * LABEL) - LABEL / 2,
      of: ([layer, row, column]) => [corner(layer)[0] + column * size, corner(layer)[1] + row * size],
      labels: Array.from({ length: count }, (_, layer) => ({ text: `layer ${layer}`, short: `${layer}`, room: wide * size, at: corner(layer).map((x, axis) => (axis ? x - 4 : x)) })) };
  };
  const blocks = (width) => {
    const step = [], extent = [1, 1], places = sides.map((_, axis) => dimension - 1 - axis);
    for (let axis = dimension - 1, level = 0; axis >= 0; axis -= 1, level += 1) {
      const way = level % 2, gap = level < 2 ? 0 : level >> 1;
      step[axis] = level < 2 ? 1 : extent[way] + gap;
      extent[way] = step[axis] * (sides[axis] - 1) + extent[way];
    }
    // The axes of blocks, in both ways: each has a line of labels at the top or a column of labels at the left.
    const [across, down] = [0, 1].map((way) => places.map((level, axis) => (level > 1 && level % 2 === way ? axis : -1)).filter((axis) => axis >= 0));
    const [left, top] = [down.length * 3.2 * LABEL, across.length * LABEL];
    const size = Math.min(34, Math.max(2, Math.min((width - left) / extent[0], 900 / extent[1])));
    // The rows of a hexagon are half a square further each.
    const shift = board.startsWith("hex:") ? (row) => (extent[1] - 1) / 4 - row / 2 : () => 0;
    const labels = [];
    const label = (axes, isAcross) => axes.forEach((axis, line) => {
      const outer = axes.slice(0, line);
      const starts = outer.reduce((all, other) => all.flatMap((start) => Array.from({ length: sides[other] }, (_, c) => start + c * step[other])), [0]);
      for (const start of starts) for (let c = 0; c < sides[axis]; c += 1) {
        const from = (start + c * step[axis]) * size;
        const at = isAcross ? [left + from, (line + 1) * LABEL - 4] : [line * 3.2 * LABEL, top + from + 12];
        labels.push({ text: `x${axis} = ${c}`, short: `${c}`, room: isAcross ? step[axis] * size - 4 : 3.2 * LABEL, at });
      }
    });
    label(across, true);
    label(down, false);
    return { size, width: left + extent[0] * size, height: top + extent[1] * size, labels, of: (square) => {
      const [x, y] = [0, 1].map((way) => square.reduce((sum, c, axis) => sum + (places[axis] % 2 === way ? c * step[axis] : 0), 0));
      return [left + (x + shift(y)) * size, top + y * size];
    } };
  };
  const laid = dimension === 3 ? layers : blocks;

  const make = (name, kind, text) => {
    const made = document.createElement(name);
    if (kind) made.className = kind;
    if (text !== undefined) made.textContent = text;
    return made;
  };
  const canvas = (label) => {
    const made = make("canvas");
    made.tabIndex = 0;
    made.setAttribute("role", "img");
    made.setAttribute("aria-label", label);
    return made;
  };
  const sized = (drawn, width, height) => {
    const ratio = window.devicePixelRatio || 1;
    if (drawn.width !== Math.round(width * ratio) || drawn.height !== Math.round(height * ratio)) {
      [drawn.width, drawn.height] = [Math.round(width * ratio), Math.round(height * ratio)];
      drawn.style.width = `${width}px`;
      drawn.style.height = `${height}px`;
    }
    const pen = drawn.getContext("2d");
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.clearRect(0, 0, width, height);
    return pen;
  };

  const tools = make("div", "tools"), views = make("div", "views"), said = make("p", "said");
  said.setAttribute("aria-live", "polite");
  const flat = canvas(`${board}, layer by layer; arrow keys move, Page Up and Page Down change the layer`);
  views.append(flat);
  const cube = dimension === 3 && data.sides ? canvas(`${board} in three dimensions; arrow keys turn it`) : null;
  if (cube) views.append(cube);
  const axes = make("p", "note", dimension < 4 ? "" : `A square is (${sides.map((_, axis) => `x${axis}`).join(", ")}): x${dimension - 1} goes right and ` +
    `x${dimension - 2} down inside a block; the other coordinates stand at the top and at the left of the blocks.`);
  axes.hidden = dimension < 4;
  const drawn = place.querySelector(".drawn");
  if (drawn) drawn.hidden = true;
  place.append(tools, said, axes, views);
  const layout = laid(Math.max(240, Math.min(cube ? 620 : 1080, (place.clientWidth || 1090) - 10)));

  const corners = squares.map((square) => layout.of(square).map((x) => x + 1));
  const tint = (number, light) => `hsl(${(number * 137.508) % 360} 55% ${light}%)`;
  const most = density ? Math.max(...density) : 1;
  const paint = () => {
    const { size } = layout, pen = sized(flat, layout.width + 2, layout.height + 2);
    const standing = new Map(order.slice(0, placed).map((index, number) => [index, number]));
    const [soft, line, queen, hot, ink, paper] = ["--soft", "--line", "--queen", "--hit", "--ink", "--paper"].map(style);
    Object.assign(pen, { font: "13px system-ui, sans-serif", fillStyle: ink, textAlign: "left", textBaseline: "alphabetic" });
    for (const { text, short, room, at: [x, y] } of layout.labels) {
      const shown = [text, short].find((words) => pen.measureText(words).width <= room);
      if (shown) pen.fillText(shown, x + 1, y + 1);
    }
    squares.forEach((square, index) => {
      const [left, top] = corners[index];
      if (classes) pen.fillStyle = tint(colour.get(index) ?? 0, 62);
      else pen.fillStyle = square.reduce((sum, c) => sum + c, 0) % 2 ? soft : paper;
      pen.fillRect(left, top, size, size);
      if (shade && density) {
        pen.globalAlpha = density[index] / most;
        pen.fillStyle = queen;
        pen.fillRect(left, top, size, size);
        pen.globalAlpha = 1;
      }
      if (size > 10) {
        pen.strokeStyle = line;
        pen.lineWidth = 1;
        pen.strokeRect(left + 0.5, top + 0.5, size - 1, size - 1);
      }
      const middle = [left + size / 2, top + size / 2];
      if (hit.has(index)) {
        pen.fillStyle = hot;
        pen.beginPath();
        pen.arc(...middle, size * 0.16, 0, 7);
        pen.fill();
      }
      if (standing.has(index) && !shade) {
        pen.fillStyle = queen;
        pen.beginPath();
        pen.arc(...middle, size * 0.36, 0, 7);
        pen.fill();
        if (size >= 20) {
          pen.fillStyle = paper;
          pen.font = `${size * 0.6}px serif`;
          pen.textAlign = "center";
          pen.textBaseline = "middle";
          pen.fillText("♛", middle[0], middle[1] + size * 0.03);
        }
      }
      if (index === cursor) {
        pen.strokeStyle = ink;
        pen.lineWidth = 2.5;
        pen.strokeRect(left + 1, top + 1, size - 2, size - 2);
      }
    });
    if (cube) turn();
  };

  // The cube, seen from the side to which it is turned.
  const WIDE = Math.min(420, Math.max(240, (place.clientWidth || 420) - 10));
  let [yaw, pitch] = [0.6, 0.45];
  let seen = [];
  const turn = () => {
    const pen = sized(cube, WIDE, WIDE), longest = Math.max(...sides);
    const [line, queen, hot, ink] = ["--line", "--queen", "--hit", "--ink"].map(style);
    const scale = WIDE / (longest * 1.85);
    const [cy, sy, cp, sp] = [Math.cos(yaw), Math.sin(yaw), Math.cos(pitch), Math.sin(pitch)];
    const view = (point) => {
      const [z, y, x] = point.map((c, axis) => c - (sides[axis] - 1) / 2);
      const [right, far] = [x * cy + z * sy, -x * sy + z * cy];
      return [WIDE / 2 + right * scale, WIDE / 2 + (y * cp - far * sp) * scale, y * sp + far * cp];
    };
    const ends = sides.map((side) => [-0.5, side - 0.5]);
    pen.strokeStyle = line;
    pen.lineWidth = 1;
    const stroke = (from, to) => {
      pen.beginPath();
      pen.moveTo(...view(from).slice(0, 2));
      pen.lineTo(...view(to).slice(0, 2));
      pen.stroke();
    };
    for (let axis = 0; axis < 3; axis += 1) {
      const [b, c] = [0, 1, 2].filter((other) => other !== axis);
      for (const u of ends[b]) for (const v of ends[c]) {
        const [from, to] = [[], []];
        [from[axis], to[axis], from[b], to[b], from[c], to[c]] = [...ends[axis], u, u, v, v];
        stroke(from, to);
      }
    }
    // The floors of the layers.
    pen.globalAlpha = 0.45;
    for (let layer = 0; layer < sides[0]; layer += 1) {
      const corners = [[layer, ends[1][0], ends[2][0]], [layer, ends[1][1], ends[2][0]], [layer, ends[1][1], ends[2][1]], [layer, ends[1][0], ends[2][1]]];
      corners.forEach((corner, i) => stroke(corner, corners[(i + 1) % 4]));
    }
    pen.globalAlpha = 1;
    const standing = new Set(order.slice(0, placed));
    const marks = [...new Set([...standing, ...hit, ...(cursor >= 0 ? [cursor] : [])])];
    seen = marks.map((index) => ({ index, at: view(squares[index]) })).sort((a, b) => b.at[2] - a.at[2]);
    for (const { index, at: [x, y, far] } of seen) {
      const depth = 1 - far / (longest * 3), isQueen = standing.has(index), radius = scale * (isQueen ? 0.34 : 0.13) * depth;
      pen.beginPath();
      pen.arc(x, y, radius, 0, 7);
      if (isQueen) {
        const light = pen.createRadialGradient(x - radius / 3, y - radius / 3, radius / 8, x, y, radius);
        light.addColorStop(0, "#fff");
        light.addColorStop(0.35, classes ? tint(colour.get(index) ?? 0, 62) : queen);
        light.addColorStop(1, queen);
        pen.fillStyle = light;
      } else {
        pen.fillStyle = hot;
      }
      pen.fill();
      if (index === cursor) {
        pen.strokeStyle = ink;
        pen.lineWidth = 2;
        pen.stroke();
      }
    }
    cube.dataset.turned = `${yaw.toFixed(2)} ${pitch.toFixed(2)}`;
  };

  const select = async (index) => {
    cursor = index;
    if (index < 0) {
      hit = new Set();
      paint();
      return;
    }
    const attacked = await attacks(index);
    if (cursor !== index) return;
    hit = attacked;
    const number = order.indexOf(index), standing = order.slice(0, placed);
    const attackers = standing.filter((queen) => hit.has(queen)).length;
    let words = number >= 0 && number < placed ? `queen ${number + 1} of ${order.length}, which attacks ${hit.size} squares` :
      `empty, ${attackers ? `attacked by ${attackers} queen${attackers > 1 ? "s" : ""}` : "attacked by no queen"}`;
    if (number >= 0 && number < placed && attackers) words += `, and ${attackers} other queen${attackers > 1 ? "s" : ""} among them`;
    if (classes) words = `colour ${(colour.get(index) ?? 0) + 1} of ${classes.length}; a queen there attacks ${hit.size} squares`;
    if (density) words += `; in ${(100 * density[index]).toFixed(1)} % of the maximum solutions`;
    said.textContent = `(${squares[index].join(",")}): ${words}.`;
    paint();
  };

  const where = (event, drawing) => {
    const box = drawing.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  };
  flat.addEventListener("pointermove", (event) => {
    const [x, y] = where(event, flat), { size } = layout;
    const index = corners.findIndex(([left, top]) => x >= left && x < left + size && y >= top && y < top + size);
    if (index !== cursor) select(index);
  });
  flat.addEventListener("pointerleave", () => select(-1));
  flat.addEventListener("keydown", (event) => {
    const layer = dimension > 2 ? dimension - 3 : 0;
    const moves = { ArrowRight: [dimension - 1, 1], ArrowLeft: [dimension - 1, -1], ArrowDown: [dimension - 2, 1], ArrowUp: [dimension - 2, -1],
      PageDown: [layer, 1], PageUp: [layer, -1] };
    const move = moves[event.key];
    if (!move || move[0] < 0) return;
    event.preventDefault();
    const square = cursor < 0 ? squares[0] : squares[cursor].map((c, axis) => (axis === move[0] ? c + move[1] : c));
    const index = at.get(key(square));
    if (index !== undefined) select(index);
  });
  if (cube) {
    const held = new Map();
    cube.style.touchAction = "none";
    cube.addEventListener("pointerdown", (event) => {
      cube.setPointerCapture(event.pointerId);
      held.set(event.pointerId, [event.clientX, event.clientY]);
    });
    cube.addEventListener("pointermove", (event) => {
      const from = held.get(event.pointerId);
      if (from) {
        yaw += (event.clientX - from[0]) / 120;
        pitch = Math.max(-1.5, Math.min(1.5, pitch + (event.clientY - from[1]) / 120));
        held.set(event.pointerId, [event.clientX, event.clientY]);
        turn();
        return;
      }
      const [x, y] = where(event, cube);
      const reach = WIDE / (Math.max(...sides) * 1.85) * 0.4;
      const near = [...seen].reverse().find(({ index, at: point }) => order.indexOf(index) >= 0 && Math.hypot(point[0] - x, point[1] - y) < reach);
      if ((near ? near.index : -1) !== cursor) select(near ? near.index : -1);
    });
    for (const name of ["pointerup", "pointercancel"]) cube.addEventListener(name, (event) => held.delete(event.pointerId));
    cube.addEventListener("keydown", (event) => {
      const move = { ArrowLeft: [-0.15, 0], ArrowRight: [0.15, 0], ArrowUp: [0, -0.15], ArrowDown: [0, 0.15] }[event.key];
      if (!move) return;
      event.preventDefault();
      yaw += move[0];
      pitch = Math.max(-1.5, Math.min(1.5, pitch + move[1]));
      turn();
    });
  }

  const button = (text, press) => {
    const made = make("button", "button", text);
    made.type = "button";
    made.addEventListener("click", press);
    tools.append(made);
    return made;
  };
  if (order.length) {
    const label = make("label", "", "Queens placed"), slider = make("input");
    Object.assign(slider, { type: "range", min: 0, max: order.length, value: order.length });
    label.append(slider);
    tools.append(label);
    const step = async (to) => {
      placed = Math.max(0, Math.min(order.length, to));
      slider.value = placed;
      paint();
      const taken = new Set(order.slice(0, placed));
      for (const queen of order.slice(0, placed)) for (const index of await attacks(queen)) taken.add(index);
      if (placed === Number(slider.value)) said.textContent = `${placed} of ${order.length} queens are placed; ${squares.length - taken.size} squares are free.`;
    };
    slider.addEventListener("input", () => step(Number(slider.value)));
    button("◀ One less", () => step(placed - 1));
    button("One more ▶", () => step(placed + 1));
  }
  if (density) {
    const toggle = button("How often occupied", () => {
      shade = !shade;
      toggle.setAttribute("aria-pressed", shade);
      paint();
    });
    toggle.setAttribute("aria-pressed", "false");
  }
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", paint);
  paint();
  if (data.certificate) {
    const [found, words] = (await ndqChecker(`check\n${data.certificate}`)).split("\n");
    said.textContent = {
      holds: `Checked in this browser: ${words}.`,
      fault: `This placement does not hold: ${words}.`,
    }[found] ?? `This placement was not checked: ${words}.`;
  } else if (classes) {
    said.textContent = `${classes.length} colours; a square under the pointer shows what a queen there attacks.`;
  }
  place.dataset.ready = "true";
};
document.querySelectorAll(".viewer").forEach((place) => {
  const start = () => ndqBoard(place, JSON.parse(place.querySelector("script").textContent)).catch((fault) => {
    const words = document.createElement("p");
    words.className = "note";
    words.textContent = `The board cannot be shown: ${fault.message}`;
    place.append(words);
  });
  // A folded board is drawn when it is opened.
  const folded = place.closest("details");
  if (folded && !folded.open) folded.addEventListener("toggle", start, { once: true });
  else start();
});
