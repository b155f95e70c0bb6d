"use strict";
// Runs of an experiment: a table drawn on demand, and for each run a section with all of its values and its bounds over time.
(() => {
  const STEP = 100;
  const SHOWN = ["id", "board", "configuration", "seed", "outcome", "verdict", "incumbent", "proved_bound", "nodes", "lp_iterations", "cpu_seconds",
    "wall_seconds", "stop"];
  const CHOSEN = ["board", "configuration", "verdict", "outcome", "stop"];
  const make = (name, text, kind) => {
    const made = document.createElement(name);
    if (text !== undefined) made.textContent = text;
    if (kind) made.className = kind;
    return made;
  };
  const titled = (name) => name.replace(/_mib$/, "").replaceAll("_", " ");
  const cut = (text) => (/^-?\d+\.\d{5,}$/.test(text) ? String(Number(Number(text).toPrecision(4))) : text);
  const value = (column, row) => {
    const found = column.all ? column.all[row] : column.at ? column.of[column.at[row]] : column.of[0];
    return found === null || found === undefined ? "" : String(found);
  };

  const trace = (points, solved) => {
    const times = [], runs = { incumbent: [], "dual bound": [] };
    for (let i = 0; i < points.length; i += 3) {
      times.push(points[i]);
      if (points[i + 1] !== null) runs.incumbent.push([points[i], points[i + 1]]);
      if (points[i + 2] !== null) runs["dual bound"].push([points[i], points[i + 2]]);
    }
    const all = [...runs.incumbent, ...runs["dual bound"]];
    if (!all.length) return make("p", "The solver reported neither an incumbent nor a bound.", "note");
    const figure = make("figure", undefined, "chart"), svg = document.createElementNS(ndqChart.SVG, "svg");
    const [width, height, left, foot] = [760, 260, 60, 45];
    svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    svg.setAttribute("width", width);
    const draw = (name, attributes, text) => {
      const drawn = document.createElementNS(ndqChart.SVG, name);
      for (const [key, worth] of Object.entries(attributes)) drawn.setAttribute(key, worth);
      if (text !== undefined) drawn.textContent = text;
      svg.append(drawn);
    };
    draw("title", {}, "Bounds over time");
    const until = Math.max(...times, 1e-3);
    const [low, high] = [Math.min(...all.map((p) => p[1])), Math.max(...all.map((p) => p[1]))];
    const spare = Math.max((high - low) / 12, 0.5);
    const x = (t) => left + t / until * (width - left - 20);
    const y = (v) => height - foot - (v - low + spare) / (high - low + 2 * spare) * (height - foot - 15);
    const ink = { "font-size": 13, fill: "#000", "font-family": "sans-serif" };
    for (let i = 0; i <= 4; i += 1) {
      const [t, v] = [until * i / 4, low + (high - low) * i / 4];
      draw("line", { x1: x(t), x2: x(t), y1: 15, y2: height - foot, stroke: "#d9d9d9" });
      draw("text", { ...ink, x: x(t), y: height - foot + 18, "text-anchor": "middle" }, Number(t.toPrecision(3)));
      if (i === 0 || high > low) {
        draw("line", { x1: left, x2: width - 20, y1: y(v), y2: y(v), stroke: "#d9d9d9" });
        draw("text", { ...ink, x: left - 6, y: y(v) + 4, "text-anchor": "end" }, Number(v.toPrecision(4)));
      }
    }
    draw("text", { ...ink, x: (left + width) / 2, y: height - 8, "text-anchor": "middle" }, "wall clock (s)");
    draw("text", { ...ink, x: 14, y: height / 2, "text-anchor": "middle", transform: `rotate(-90 14 ${height / 2})` }, "queens");
    const spots = [], legend = Object.keys(runs), looks = [["#0072b2", "none"], ["#d55e00", "7 4"]];
    legend.forEach((name, style) => {
      let line = "";
      runs[name].forEach(([t, v], place) => {
        line += place ? `H${x(t).toFixed(1)}V${y(v).toFixed(1)}` : `M${x(t).toFixed(1)} ${y(v).toFixed(1)}`;
        spots.push({ at: [x(t), y(v)], style, words: `${v} after ${t} s` });
      });
      const [stroke, dashes] = looks[style];
      draw("path", { d: line || "M0 0", fill: "none", stroke, "stroke-width": 2, "stroke-dasharray": dashes });
      draw("line", { x1: left + 10 + style * 150, x2: left + 40 + style * 150, y1: 9, y2: 9, stroke, "stroke-width": 2, "stroke-dasharray": dashes });
      draw("text", { ...ink, x: left + 46 + style * 150, y: 13 }, name);
    });
    const said = make("figcaption", "The value under the pointer appears here; the arrow keys go from point to point.", "said");
    said.setAttribute("aria-live", "polite");
    figure.append(svg, said);
    ndqChart.hover(figure, legend, spots);
    return figure;
  };

  document.querySelectorAll(".runs").forEach((place) => {
    const { columns, traces } = JSON.parse(document.getElementById(`${place.id}-data`).textContent);
    const named = Object.fromEntries(columns.map((column) => [column.name, column]));
    const shown = SHOWN.map((name) => named[name]);
    const text = traces.map((_, row) => columns.map((column) => value(column, row)).join(" ").toLowerCase());
    let rows = traces.map((_, row) => row), asked = [], limit = STEP;
    const chosen = {};

    const tools = make("div", undefined, "tools");
    tools.append(ndqTable.field("Show runs with", (wanted) => { asked = wanted; limit = STEP; fill(); }));
    CHOSEN.forEach((name) => {
      const values = [...new Set(rows.map((row) => value(named[name], row)))];
      if (values.length < 2) return;
      const label = make("label", name), select = make("select");
      select.append(make("option", "all"), ...values.map((one) => make("option", one === "" ? "none" : one)));
      select.addEventListener("change", () => {
        chosen[name] = select.selectedIndex ? values[select.selectedIndex - 1] : undefined;
        limit = STEP;
        fill();
      });
      label.append(select);
      tools.append(label);
    });
    const count = make("p", undefined, "note");
    count.setAttribute("role", "status");
    const frame = make("div", undefined, "table");
    const table = make("table"), head = make("thead"), body = make("tbody"), line = make("tr");
    shown.forEach((column) => {
      const cell = make("th", titled(column.name));
      cell.scope = "col";
      cell.title = column.meaning;
      if (column.unit) cell.append(" ", make("small", column.unit));
      line.append(cell);
    });
    Object.assign(frame, { tabIndex: 0, role: "group", ariaLabel: "Runs" });
    head.append(line);
    table.append(make("caption", "Runs"), head, body);
    frame.append(table);
    const more = make("button", "Show more", "button more");
    more.type = "button";
    more.addEventListener("click", () => { limit += STEP; fill(); });
    const detail = make("div");
    place.append(detail, tools, count, frame, more);

    const fill = () => {
      const kept = rows.filter((row) => asked.every((word) => text[row].includes(word)) &&
        Object.entries(chosen).every(([name, wanted]) => wanted === undefined || value(named[name], row) === wanted));
      body.replaceChildren(...kept.slice(0, limit).map((row) => {
        const made = make("tr");
        if (value(named.verdict, row).startsWith("fail")) made.className = "bad";
        shown.forEach((column) => {
          const said = value(column, row), cell = make("td", column.name === "id" ? undefined : cut(said));
          if (column.name === "id") {
            const link = make("a", said);
            link.href = `#${place.id}-${said}`;
            cell.append(link);
          } else if (Number.isNaN(Number(said))) {
            cell.className = "words";
          }
          made.append(cell);
        });
        return made;
      }));
      count.textContent = `${Math.min(limit, kept.length)} of ${kept.length} runs are shown${kept.length < rows.length ? `, of ${rows.length} in all` : ""}.`;
      more.hidden = kept.length <= limit;
    };
    ndqTable.sortable(table, (column, down) => {
      rows = [...rows].sort((a, b) => ndqTable.order(value(shown[column], a), value(shown[column], b), down));
      fill();
    });
    fill();

    const open = () => {
      const wanted = decodeURIComponent(location.hash.slice(1));
      if (!wanted.startsWith(`${place.id}-`)) return;
      const row = traces.findIndex((_, at) => `${place.id}-${value(named.id, at)}` === wanted);
      if (row < 0) return;
      const section = make("section", undefined, "run"), title = make("h4", `Run ${value(named.id, row)}: ${value(named.board, row)}, ` +
        `${value(named.configuration, row)}, seed ${value(named.seed, row)}`), list = make("dl");
      section.id = wanted;
      section.tabIndex = -1;
      columns.forEach((column) => {
        const said = value(column, row);
        if (said === "") return;
        const name = make("dt", titled(column.name)), worth = make("dd", said + (column.unit ? ` ${column.unit}` : ""));
        name.title = column.meaning;
        list.append(name, worth);
      });
      section.append(title, trace(traces[row]), list);
      detail.replaceChildren(section);
      section.scrollIntoView();
      section.focus({ preventScroll: true });
    };
    addEventListener("hashchange", open);
    open();
  });
})();
