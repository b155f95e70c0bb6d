"use strict";
// The checker: crosscheck as WebAssembly. crates/browser defines its questions; every question has memory of its own.
const ndqChecker = (() => {
  const bytes = Uint8Array.from(atob(NDQ_CHECKER), (sign) => sign.charCodeAt(0));
  const compiled = WebAssembly.compile(bytes);
  return async (question) => {
    const { exports } = new WebAssembly.Instance(await compiled);
    const text = new TextEncoder().encode(question);
    const to = exports.reserve(text.length);
    new Uint8Array(exports.memory.buffer, to, text.length).set(text);
    const from = exports.ask();
    return new TextDecoder().decode(new Uint8Array(exports.memory.buffer, from, exports.length()));
  };
})();
const ndqSquares = (lines) => lines.filter(Boolean).map((line) => line.split(" ").map(Number));

// The page that checks a dropped certificate.
(() => {
  const LARGEST = 16e6;
  const drop = document.getElementById("drop");
  if (!drop) return;
  const [verdict, dropped] = ["verdict", "dropped"].map((id) => document.getElementById(id));
  const say = (words, kind) => {
    verdict.hidden = false;
    verdict.className = `banner ${kind}`;
    verdict.textContent = words;
  };
  const check = async (text) => {
    dropped.replaceChildren();
    try {
      const [found, words, board, ...lines] = (await ndqChecker(`check\n${text}`)).split("\n");
      const verdicts = {
        holds: "The certificate holds",
        fault: "The certificate does not hold",
        unreadable: "The text cannot be read as a certificate",
        limit: "The certificate was not checked",
      };
      say(`${verdicts[found] ?? verdicts.limit}: ${words}.`, found === "holds" ? "good" : "bad");
      if (board && found !== "unreadable") {
        const viewer = document.createElement("div");
        viewer.className = "viewer";
        dropped.append(viewer);
        await ndqBoard(viewer, { board, queens: ndqSquares(lines), verdict: words });
      }
    } catch (fault) {
      say(`The certificate was not checked: ${fault.message}. The command ndq check has no such limit.`, "bad");
    }
  };
  const read = async (file) => {
    if (file.size > LARGEST) say("The certificate was not checked: the file is larger than a page takes. The command ndq check has no such limit.", "bad");
    // A byte order mark stays where it is: a certificate must not begin with one.
    else await check(new TextDecoder("utf-8", { ignoreBOM: true }).decode(await file.arrayBuffer()));
  };
  for (const name of ["dragover", "dragenter"]) {
    document.addEventListener(name, (event) => { event.preventDefault(); drop.classList.add("over"); });
  }
  document.addEventListener("dragleave", () => drop.classList.remove("over"));
  document.addEventListener("drop", (event) => {
    event.preventDefault();
    drop.classList.remove("over");
    if (event.dataTransfer.files.length) read(event.dataTransfer.files[0]);
  });
  document.getElementById("file").addEventListener("change", (event) => event.target.files.length && read(event.target.files[0]));
  document.getElementById("check").addEventListener("click", () => check(document.getElementById("text").value));
})();
