"use strict";
// The start page: the search for a board, and the bounds of the board under the pointer or with the focus.
(() => {
  const form = document.getElementById("search"), field = document.getElementById("wanted"), unknown = document.getElementById("unknown");
  const FORMS = [
    [/^\s*(\d+)\s*\^\s*(\d+)\s*$/, 1, 2],
    [/^[^\d(]*\(\s*(\d+)\s*,\s*(\d+)\s*\)[|\s]*$/, 1, 2],
    [/^\s*n\s*=?\s*(\d+)[\s,;]*d\s*=?\s*(\d+)\s*$/i, 1, 2],
    [/^\s*d\s*=?\s*(\d+)[\s,;]*n\s*=?\s*(\d+)\s*$/i, 2, 1],
  ];
  const range = (name) => form.dataset[name].split(" ").map(Number);
  const isIn = (value, [least, most]) => value >= least && value <= most;
  const search = (text) => {
    for (const [pattern, side, dimension] of FORMS) {
      const found = pattern.exec(text);
      if (!found) continue;
      const [n, d] = [Number(found[side]), Number(found[dimension])], [sides, dimensions] = [range("sides"), range("dimensions")];
      if (isIn(n, sides) && isIn(d, dimensions)) return { path: `boards/d${d}-n${n}.html` };
      return { fault: `There is no page for ${n}^${d}. Pages exist for d from ${dimensions.join(" to ")} and n from ${sides.join(" to ")}.` };
    }
    return { fault: `“${text.trim()}” is not a board. Write 8^3, (8,3) or d3 n8 for side 8 and dimension 3.` };
  };
  form.hidden = false;
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const { path, fault } = search(field.value);
    unknown.textContent = fault || "";
    field.toggleAttribute("aria-invalid", Boolean(fault));
    if (path) location.href = path;
  });
  field.addEventListener("input", () => { unknown.textContent = ""; });

  const tip = document.createElement("div");
  tip.id = "tip";
  tip.setAttribute("role", "tooltip");
  tip.hidden = true;
  document.querySelector("main").append(tip);
  let current = null;
  const hide = () => {
    current = null;
    tip.hidden = true;
  };
  const show = (link) => {
    current = link;
    tip.textContent = link.dataset.words;
    tip.hidden = false;
    const box = link.getBoundingClientRect(), { width, height } = tip.getBoundingClientRect();
    const left = Math.max(8, Math.min(box.left + box.width / 2 - width / 2, document.documentElement.clientWidth - width - 8));
    const above = box.top - height - 6;
    tip.style.left = `${left}px`;
    tip.style.top = `${above > 4 ? above : box.bottom + 6}px`;
  };
  document.querySelectorAll(".map td a").forEach((link) => {
    link.dataset.words = link.title;
    link.removeAttribute("title");
    link.addEventListener("focus", () => {
      show(link);
      link.setAttribute("aria-describedby", "tip");
    });
    link.addEventListener("blur", () => {
      link.removeAttribute("aria-describedby");
      hide();
    });
    link.parentElement.addEventListener("pointerenter", () => show(link));
    link.parentElement.addEventListener("pointerleave", hide);
  });
  document.addEventListener("keydown", (event) => event.key === "Escape" && hide());
  for (const name of ["scroll", "resize"]) addEventListener(name, () => current && show(current), { capture: true, passive: true });
})();
