"use strict";
// Charts: the value of the point nearest to the pointer is shown; arrow keys go from point to point.
const ndqChart = (() => {
  const SVG = "http://www.w3.org/2000/svg";
  const hover = (figure, legend, spots) => {
    const svg = figure.querySelector("svg"), said = figure.querySelector(".said");
    const ring = document.createElementNS(SVG, "circle");
    for (const [name, value] of Object.entries({ r: 7, fill: "none", stroke: "#d55e00", "stroke-width": 3 })) ring.setAttribute(name, value);
    ring.style.display = "none";
    svg.append(ring);
    let current = -1;
    const show = (place) => {
      current = place;
      const { at, style, words } = spots[place];
      ring.setAttribute("cx", at[0]);
      ring.setAttribute("cy", at[1]);
      ring.style.display = "";
      said.textContent = `${legend[style]}: ${words}`;
    };
    svg.addEventListener("pointermove", (event) => {
      const box = svg.getBoundingClientRect(), view = svg.viewBox.baseVal;
      const x = view.x + (event.clientX - box.left) / box.width * view.width;
      const y = view.y + (event.clientY - box.top) / box.height * view.height;
      let best = -1, least = 900;
      spots.forEach(({ at }, place) => {
        const far = (at[0] - x) ** 2 + (at[1] - y) ** 2;
        if (far < least) [best, least] = [place, far];
      });
      if (best >= 0) show(best);
    });
    svg.setAttribute("tabindex", "0");
    svg.setAttribute("role", "img");
    svg.setAttribute("aria-label", `${(svg.querySelector("title") || {}).textContent || "chart"}; the arrow keys go from value to value`);
    svg.addEventListener("keydown", (event) => {
      const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
      if (!step || !spots.length) return;
      event.preventDefault();
      show((current + step + spots.length) % spots.length);
    });
  };
  document.querySelectorAll("figure.chart").forEach((figure) => {
    const script = figure.querySelector("script");
    if (!script) return;
    const { legend, panels } = JSON.parse(script.textContent);
    hover(figure, legend, panels.flatMap(({ axes, spots }) =>
      spots.map(([x, y, style, right, up]) => ({ at: [x, y], style, words: `${axes[0]} ${right}, ${axes[1]} ${up}` }))));
  });
  return { hover, SVG };
})();
