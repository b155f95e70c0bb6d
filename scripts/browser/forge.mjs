// Makes folders of experiments that no one should trust from one that is sound: forge.mjs FOLDER OUTPUT.
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const [, , sound, output] = process.argv;
const HOSTILE = "</script><script>document.title='PWNED'</script><img src=x onerror=\"document.title='PWNED'\">";

const copy = (name) => {
  const folder = join(output, name);
  mkdirSync(folder);
  for (const file of ["experiment.toml", "plan.csv", "plan.csv.sha256", "runs.jsonl"]) cpSync(join(sound, file), join(folder, file));
  return folder;
};
const rows = (folder, change) => {
  const path = join(folder, "runs.jsonl");
  const changed = readFileSync(path, "utf8").trim().split("\n").map((line, place) => {
    const row = JSON.parse(line);
    delete row.sha256;
    change(row, place);
    return JSON.stringify(row);
  });
  writeFileSync(path, `${changed.join("\n")}\n`);
};

// An optimum below a solution that other rows show.
rows(copy("contradictory"), (row, place) => {
  if (place === 0) row.answer = { ...row.answer, dual_bound: 2, proved_bound: 2 };
});
const hostile = copy("hostile");
rows(hostile, (row, place) => {
  row.provenance.host = HOSTILE;
  if (place === 1) {
    row.failure = HOSTILE;
    row.answer = { ...row.answer, outcome: "unknown", incumbent: null, dual_bound: null, proved_bound: null, certificate: null, certificate_sha256: null };
  }
});
const path = join(hostile, "experiment.toml");
writeFileSync(path, readFileSync(path, "utf8").replace(/^title = .*$/m, `title = ${JSON.stringify(HOSTILE)}`));
rmSync(join(copy("empty"), "runs.jsonl"));
