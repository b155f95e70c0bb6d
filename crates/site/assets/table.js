"use strict";
// Tables: a click on a head sorts by its column, and words in the field above select the rows that contain them.
const ndqTable = (() => {
  const number = (text) => {
    const found = /^[^\w.-]*(-?\d+(?:\.\d+)?(?:e[-+]?\d+)?)(?![\w^])/i.exec(text.replace(/(\d),(?=\d{3}\b)/g, "$1"));
    return found ? Number(found[1]) : NaN;
  };
  const words = new Intl.Collator("en", { numeric: true });
  // What is absent comes last in both directions.
  const order = (a, b, down) => {
    if (a === "" || b === "") return (a === "") - (b === "");
    const [x, y] = [number(a), number(b)];
    const by = Number.isNaN(x) || Number.isNaN(y) ? words.compare(a, b) : x - y;
    return down ? -by : by;
  };
  const sortable = (table, sort) => {
    const heads = [...table.tHead.rows[0].cells];
    heads.forEach((head, column) => {
      const button = document.createElement("button");
      button.type = "button";
      button.append(...head.childNodes);
      head.append(button);
      button.addEventListener("click", () => {
        const down = head.getAttribute("aria-sort") === "ascending";
        heads.forEach((other) => other.removeAttribute("aria-sort"));
        head.setAttribute("aria-sort", down ? "descending" : "ascending");
        sort(column, down);
      });
    });
  };
  const field = (label, found) => {
    const box = document.createElement("label");
    const input = document.createElement("input");
    input.type = "search";
    box.append(label, input);
    input.addEventListener("input", () => found(input.value.toLowerCase().split(/\s+/).filter(Boolean)));
    return box;
  };
  const enhance = (frame) => {
    const table = frame.querySelector("table"), body = table.tBodies[0];
    if (!table.tHead || !body) return;
    const text = (row, column) => (row.cells[column] ? row.cells[column].textContent.trim() : "");
    const rows = [...body.rows];
    // Columns of words stand at the left.
    [...table.tHead.rows[0].cells].forEach((head, column) => {
      const said = rows.map((row) => text(row, column)).filter((cell) => cell !== "" && cell !== "–");
      if (said.some((cell) => Number.isNaN(number(cell)))) {
        const kinds = said.some((cell) => cell.length > 60) ? ["words", "long"] : ["words"];
        [head, ...rows.map((row) => row.cells[column])].forEach((cell) => cell && cell.classList.add(...kinds));
      }
    });
    sortable(table, (column, down) => body.append(...rows.sort((a, b) => order(text(a, column), text(b, column), down))));
    if (frame.hasAttribute("data-filtered")) {
      const tools = document.createElement("div");
      tools.className = "tools";
      tools.append(field("Show rows with", (asked) => rows.forEach((row) => {
        const has = row.textContent.toLowerCase();
        row.hidden = !asked.every((word) => has.includes(word));
      })));
      frame.before(tools);
    }
  };
  document.querySelectorAll(".table:not(.map)").forEach(enhance);
  // Only frames that scroll are stops of the Tab key.
  const stops = () => document.querySelectorAll(".table, pre").forEach((frame) => {
    frame.tabIndex = frame.scrollWidth > frame.clientWidth || frame.scrollHeight > frame.clientHeight ? 0 : -1;
  });
  stops();
  addEventListener("resize", stops);
  addEventListener("toggle", stops, true);
  // On a small screen the chapters of the book are folded away.
  const chapters = document.querySelector(".chapters details");
  if (chapters && matchMedia("(max-width: 60rem)").matches) chapters.open = false;
  return { sortable, field, order };
})();
