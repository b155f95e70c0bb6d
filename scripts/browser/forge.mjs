// Makes folders of experiments from those of results/2026-11-21-small-boards: one with a contradiction, one with words of a page in its
// texts, one without runs, and one of ten thousand runs: forge.mjs NDQ OUTPUT.
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createHash } from "node:crypto";
import { join } from "node:path";

const [, , ndq, output] = process.argv;
const SOUND = "results/2026-11-21-small-boards";
const HOSTILE = "</script><script>document.title='PWNED'</script><img src=x onerror=\"document.title='PWNED'\">";

const read = (folder) => readFileSync(join(folder, "runs.jsonl"), "utf8").trim().split("\n").map((line) => JSON.parse(line));
const write = (folder, rows) => writeFileSync(join(folder, "runs.jsonl"), rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
const copy = (name) => {
  const folder = join(output, name);
  mkdirSync(folder);
  for (const file of ["experiment.toml", "plan.csv", "plan.csv.sha256", "runs.jsonl"]) cpSync(join(SOUND, "d5", file), join(folder, file));
  return folder;
};
const retitle = (folder, change) => {
  const path = join(folder, "experiment.toml");
  writeFileSync(path, change(readFileSync(path, "utf8")));
};

// A bound below a solution that the row itself shows.
const contradictory = copy("contradictory");
const rows = read(contradictory);
rows[0].answer = { ...rows[0].answer, dual_bound: 0, proved_bound: 0 };
write(contradictory, rows);

const hostile = copy("hostile");
const texts = read(hostile);
texts.forEach((row) => { row.provenance.host = HOSTILE; });
texts[1].failure = HOSTILE;
texts[1].answer = { ...texts[1].answer, stop: "error", outcome: "unknown", incumbent: null, dual_bound: null, proved_bound: null, proof: null,
  certificate: null, certificate_sha256: null };
write(hostile, texts);
retitle(hostile, (text) => text.replace(/^title = .*$/m, `title = ${JSON.stringify(HOSTILE)}`));

rmSync(join(copy("empty"), "runs.jsonl"));

// The answers of ten seeds, given again to other seeds.
const many = join(output, "many");
mkdirSync(many);
cpSync(join(SOUND, "certificates"), join(output, "certificates"), { recursive: true });
cpSync(join(SOUND, "d3", "experiment.toml"), join(many, "experiment.toml"));
retitle(many, (text) => text.replace("seeds = 10", "seeds = 323"));
const plan = (...flags) => execFileSync(ndq, ["lab", "plan", join(many, "experiment.toml"), ...flags], { encoding: "utf8", maxBuffer: 1 << 28, stdio: ["ignore", "pipe", "ignore"] });
const csv = plan();
writeFileSync(join(many, "plan.csv"), csv);
writeFileSync(join(many, "plan.csv.sha256"), `${createHash("sha256").update(csv).digest("hex")}  plan.csv\n`);
const key = ({ variant, question }) => `${question.board} ${question.formulation} ${variant} ${question.seed % 10}`;
const made = new Map(read(join(SOUND, "d3")).map((row) => [key(row.planned), row]));
const planned = plan("--json").trim().split("\n").map((line) => JSON.parse(line));
write(many, planned.map((run, place) => {
  const row = made.get(key(run)), { answer } = row;
  const seconds = (from) => Number((from * (1 + place / planned.length)).toFixed(9));
  return { ...row, planned: run, answer: { ...answer, wall_seconds: seconds(answer.wall_seconds), cpu_seconds: seconds(answer.cpu_seconds) } };
}));
