// Whether two checkers answer alike: same.mjs ONE OTHER.
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";

const CERTIFICATES = "results/archive/certificates";
const checker = (path) => {
  const module = new WebAssembly.Module(readFileSync(path));
  return (question) => {
    const { exports } = new WebAssembly.Instance(module);
    const text = new TextEncoder().encode(question);
    const to = exports.reserve(text.length);
    new Uint8Array(exports.memory.buffer, to, text.length).set(text);
    const from = exports.ask();
    return new TextDecoder().decode(new Uint8Array(exports.memory.buffer, from, exports.length()));
  };
};
const [one, other] = process.argv.slice(2).map(checker);
const sound = readdirSync(CERTIFICATES).map((name) => readFileSync(join(CERTIFICATES, name), "utf8"));
const forged = sound.map((text) => text.replace(/\d+\n$/, (last) => `${(Number(last) + 1) % 3}\n`));
const boards = ["5^3", "torus:5^2", "rook:4^3", "knight:6^2", "king:torus:5^2", "superqueen:6^2", "moebius:5x6", "klein:6x5", "hex:4", "three:4", "sudoku:2"];
const questions = [...sound, ...forged, "", "x"].map((text) => `check\n${text}`);
questions.push(...boards.map((board) => `squares ${board}`), "attacked 5^3 0 1 2", "attacked hex:4 1 1", "attacked 5^3 9 9 9");
questions.forEach((question) => assert.equal(one(question), other(question), question));
assert.ok(sound.every((text) => one(`check\n${text}`).startsWith("holds\n")));
