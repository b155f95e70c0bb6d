// Tests of the pages in a browser: search, sort, filter, hover, turn, step, drop certificates, accessibility by axe-core, lines and widths.
// A network request or a page error fails the test.
"use strict";
const assert = require("node:assert/strict");
const { readFileSync, writeFileSync, mkdirSync, readdirSync } = require("node:fs");
const { join } = require("node:path");
const { pathToFileURL } = require("node:url");
const { chromium } = require("playwright-core");
const axe = require("axe-core").source;

const [, , pages, root, mode] = process.argv;
const ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
  "--disable-component-update", "--disable-sync"];
const faults = [];
let passed = 0;
const at = (path) => pathToFileURL(join(pages, path)).href;

const main = async () => {
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM, headless: true, args: ARGUMENTS });
  const open = async (path, options = {}) => {
    const context = await browser.newContext({ viewport: { width: 1200, height: 900 }, ...options });
    const page = await context.newPage();
    page.on("console", (message) => ["error", "warning"].includes(message.type()) && faults.push(`${path}: ${message.text()}`));
    page.on("pageerror", (error) => faults.push(`${path}: ${error.message}`));
    page.on("request", (request) => /^(file|data|blob):/.test(request.url()) || faults.push(`${path} asks for ${request.url()}`));
    await page.goto(path.includes("://") ? path : at(path));
    return page;
  };
  const test = async (name, path, run, options) => {
    const page = await open(path, options);
    try {
      await run(page);
      passed += 1;
      console.log(`ok: ${name}`);
    } catch (fault) {
      faults.push(`${name}: ${fault.message}`);
      console.log(`FAILED: ${name}: ${fault.message}`);
    } finally {
      await page.context().close();
    }
  };
  const texts = (page, selector) => page.locator(selector).allTextContents();
  const said = (page, selector, words) => page.waitForFunction(([where, wanted]) =>
    [...document.querySelectorAll(where)].some((one) => one.textContent.includes(wanted)), [selector, words], { timeout: 10000 });

  await test("a report gives results before verdicts", "report.html", async (page) => {
    assert.equal(await page.locator("article").count(), 4);
    const heads = await texts(page, "#e2 h3");
    assert.deepEqual(heads, ["Results", "Plots", "Verdicts", "Runs", "Definition", "Machine and versions", "Reproduce"]);
    assert.match(await page.locator("#e2 .banner.good").textContent(), /No contradiction among 310 runs/);
    assert.ok((await texts(page, "th")).every((head) => !/seconds s$|queens queens$/.test(head.trim())));
  });
  await test("a column of runs is sorted in both directions, by numbers", "report.html", async (page) => {
    const head = page.locator("#r2 thead button", { hasText: "nodes" });
    const column = async () => (await texts(page, "#r2 tbody tr td:nth-child(9)")).filter(Boolean).map(Number);
    await head.click();
    const up = await column();
    assert.deepEqual(up, [...up].sort((a, b) => a - b));
    await head.press("Enter");
    const down = await column();
    assert.deepEqual(down, [...down].sort((a, b) => b - a));
    assert.ok(down[0] > up[up.length - 1] || down[0] >= up[0]);
    assert.equal(await page.locator("#r2 thead th[aria-sort]").count(), 1);
  });
  await test("runs are filtered by words and by values, and more are shown on demand", "report.html", async (page) => {
    const rows = page.locator("#r2 tbody tr");
    assert.equal(await rows.count(), 100);
    await page.locator("#r2 .more").click();
    assert.equal(await rows.count(), 200);
    await page.locator("#r2 input").fill("5^3 exact");
    assert.equal(await rows.count(), 10);
    await page.locator("#r2 input").fill("");
    await page.locator("#r2 select").first().selectOption("4^3");
    assert.ok((await texts(page, "#r2 tbody tr td:nth-child(2)")).every((board) => board === "4^3"));
  });
  await test("a chart tells its values where the pointer is, and to the keyboard", "report.html", async (page) => {
    const chart = page.locator("#e2 figure.chart").first();
    await chart.scrollIntoViewIfNeeded();
    const spot = await chart.evaluate((figure) => {
      const { legend, panels } = JSON.parse(figure.querySelector("script").textContent);
      const [x, y, style, right, up] = panels[0].spots[Math.floor(panels[0].spots.length / 2)];
      const box = figure.querySelector("svg").getBoundingClientRect(), view = figure.querySelector("svg").viewBox.baseVal;
      return { x: box.left + x / view.width * box.width, y: box.top + y / view.height * box.height, name: legend[style], right, up };
    });
    await page.mouse.move(spot.x, spot.y);
    const words = await chart.locator(".said").textContent();
    assert.ok(words.includes(spot.right) && words.includes(spot.up), `${words} ${JSON.stringify(spot)}`);
    await chart.locator("svg").press("ArrowRight");
    assert.notEqual(await chart.locator(".said").textContent(), words);
  });
  await test("a run has its own part with its bounds over time", "report.html", async (page) => {
    await page.locator("#r2 input").fill("5^3");
    const link = page.locator("#r2 tbody a").first(), id = await link.textContent();
    await link.click();
    const part = page.locator(".run");
    assert.match(await part.locator("h4").textContent(), new RegExp(`Run ${id}`));
    await part.locator("svg").press("ArrowRight");
    assert.match(await part.locator(".said").textContent(), /after .* s/);
    await page.reload();
    assert.match(await page.locator(".run h4").textContent(), new RegExp(`Run ${id}`));
  });
  await test("a contradiction stands first and leads to its run", "contradictory.html", async (page) => {
    assert.match(await page.locator(".banner.bad").first().textContent(), /CONTRADICTION/);
    await page.locator(".conflicts a").first().click();
    await page.locator(".run").waitFor();
  });
  await test("words of a page in titles, hosts and faults are shown as text", "hostile.html", async (page) => {
    assert.notEqual(await page.title(), "PWNED");
    assert.match(await page.locator("h1").textContent(), /<\/script><script>/);
    assert.ok((await page.locator(".conflicts").first().textContent()).includes("onerror"));
    await page.locator(".conflicts a").first().click();
    assert.ok((await page.locator(".run").textContent()).includes("onerror"));
    assert.notEqual(await page.title(), "PWNED");
    assert.equal(await page.locator("img").count(), 0);
  });
  await test("an empty experiment says so", "empty.html", async (page) => {
    assert.match(await page.locator(".banner").first().textContent(), /No run has ended; 130 of the plan are missing/);
  });
  await test("a report is read without script", "report.html", async (page) => {
    assert.ok(await page.locator("figure.chart svg").first().isVisible());
    assert.ok(await page.locator("noscript p").first().isVisible());
    assert.ok((await texts(page, "#e2 .table tbody td")).includes("5^3"));
  }, { javaScriptEnabled: false });
  await test("a report of many runs opens at once", "many.html", async (page) => {
    assert.equal(await page.locator("#r1 tbody tr").count(), 100);
    const begun = Date.now();
    await page.locator("#r1 input").fill("5^3 exact");
    await page.locator("#r1 tbody tr").first().waitFor();
    console.log(`    filtered in ${Date.now() - begun} ms`);
  });

  await test("the start page leads to its boards", "site/index.html", async (page) => {
    assert.match(await page.locator(".lead").textContent(), /proved for \d+ of 210 boards/);
    const legend = await texts(page, ".legend strong");
    assert.deepEqual(legend, ["theorem", "checked proof", "archived proof", "reported", "open"]);
    assert.ok((await texts(page, ".map td")).some((cell) => /^\d,\d{3},\d{3},\d{3}–/.test(cell)));
    const states = await page.locator(".map td").evaluateAll((cells) => cells.map((cell) => cell.querySelector(".letter") !== null || cell.textContent.includes("–")));
    assert.ok(states.length === 210 && states.every(Boolean), "a letter or a range in every cell");
    assert.ok(await page.locator("figure.solid svg").isVisible());
    await page.locator(".map a[href='boards/d3-n5.html']").click();
    assert.equal(await page.locator("h1").textContent(), "5^3");
    assert.match(await page.locator(".banner").first().textContent(), /The maximum is 13 queens/);
    await said(page, ".said", "Checked in this browser: 13 squares of 5^3 are an independent set");
    assert.match(await page.locator("main").textContent(), /5\^3\.proof\.gz/);
    assert.equal(await page.locator("table", { hasText: "lower" }).count(), 0);
  });
  await test("a board shows both bounds to the pointer and the keyboard", "site/index.html", async (page) => {
    const link = page.locator(".map a[href='boards/d3-n14.html']"), tip = page.locator("#tip");
    await link.scrollIntoViewIfNeeded();
    assert.ok(await tip.isHidden());
    await link.hover();
    assert.match(await tip.textContent(), /^14\^3: at least 172 queens \(checked\), at most 193 \(archived\)/);
    await page.keyboard.press("Escape");
    assert.ok(await tip.isHidden());
    await link.focus();
    assert.ok(await tip.isVisible());
    assert.equal(await link.getAttribute("aria-describedby"), "tip");
  });
  await test("the search goes to a board or explains itself", "site/index.html", async (page) => {
    const field = page.getByLabel("Go to a board");
    for (const [text, words] of [["31^3", "no page for 31^3"], ["(8,9)", "no page for 8^9"], ["queen", "is not a board"], ["<img src=x>", "is not a board"]]) {
      await field.fill(text);
      await field.press("Enter");
      assert.ok((await page.locator("#unknown").textContent()).includes(words), text);
    }
    for (const text of ["8^3", "(8,3)", "d3 n8", "n = 8, d = 3", "|Qmax(8,3)|", " 8 ^ 3 "]) {
      await page.goto(at("site/index.html"));
      await field.fill(text);
      await field.press("Enter");
      await page.waitForURL("**/boards/d3-n8.html");
    }
  });
  await test("lists introduce themselves and start with queens", "site/open.html", async (page) => {
    for (const [path, first] of [["open", "7^4"], ["new", "12^3"], ["counts", "1^2"], ["colourings", "2^2"]]) {
      await page.goto(at(`site/${path}.html`));
      const sentences = (await page.locator("main > p").first().textContent()).match(/\.(?= |$)/g);
      assert.equal(sentences.length, 3, path);
      assert.equal((await page.locator("tbody td").first().textContent()).trim(), first);
      assert.ok((await texts(page, "th")).every((head) => !/seconds s$|queens queens$/.test(head.trim())), path);
    }
  });
  const turned = (page) => page.locator("canvas").nth(1).getAttribute("data-turned");
  await test("a board is turned by mouse, touch and keys", "site/boards/d3-n5.html", async (page) => {
    await page.locator(".viewer[data-ready]").waitFor();
    const cube = page.locator("canvas").nth(1), box = await cube.boundingBox(), from = [box.x + 200, box.y + 200];
    const first = await turned(page);
    await page.mouse.move(...from);
    await page.mouse.down();
    await page.mouse.move(from[0] + 80, from[1] + 30, { steps: 4 });
    await page.mouse.up();
    const second = await turned(page);
    assert.notEqual(second, first);
    await cube.press("ArrowLeft");
    const third = await turned(page);
    assert.notEqual(third, second);
    const touch = await page.context().newCDPSession(page);
    const finger = (type, x, y) => touch.send("Input.dispatchTouchEvent", { type, touchPoints: type === "touchEnd" ? [] : [{ x, y }] });
    await finger("touchStart", ...from);
    for (let step = 1; step <= 4; step += 1) await finger("touchMove", from[0] + 20 * step, from[1]);
    await finger("touchEnd");
    assert.notEqual(await turned(page), third);
  }, { hasTouch: true });
  await test("a square says what attacks it, to the pointer and to the keys", "site/boards/d3-n5.html", async (page) => {
    await page.locator(".viewer[data-ready]").waitFor();
    const flat = page.locator("canvas").first();
    await flat.press("ArrowRight");
    await said(page, ".said", "(0,0,0): empty, attacked by");
    await flat.press("ArrowRight");
    await said(page, ".said", "(0,0,1): queen 1 of 13");
    await flat.press("PageDown");
    await said(page, ".said", "(1,0,1):");
    const before = await page.locator(".said").textContent();
    const box = await flat.boundingBox();
    await page.mouse.move(box.x + 5, box.y + 25);
    await page.waitForFunction((words) => document.querySelector(".said").textContent !== words, before);
  });
  await test("a placement is stepped through, and densities are shown", "site/boards/d3-n5.html", async (page) => {
    await page.locator(".viewer[data-ready]").waitFor();
    await page.getByRole("button", { name: "One less" }).click();
    await said(page, ".said", "12 of 13 queens are placed");
    await page.locator("input[type=range]").fill("0");
    await said(page, ".said", "0 of 13 queens are placed; 125 squares are free");
    await page.getByRole("button", { name: "How often occupied" }).click();
    await page.locator("canvas").first().press("ArrowRight");
    await said(page, ".said", "% of the maximum solutions");
  });
  await test("a colouring is drawn when it is opened", "site/colourings.html", async (page) => {
    await page.locator("summary", { hasText: "12^2 in 12 colours" }).click();
    await page.locator(".viewer[data-ready]").waitFor();
    await page.locator("canvas").first().press("ArrowRight");
    await said(page, ".said", "of 12");
  });

  const drop = async (page, name, text) => {
    const data = await page.evaluateHandle(([called, content]) => {
      const carried = new DataTransfer();
      carried.items.add(new File([content], called, { type: "text/plain" }));
      return carried;
    }, [name, text]);
    await page.dispatchEvent("#drop", "drop", { dataTransfer: data });
  };
  const sound = readFileSync(join(root, "results/archive/certificates/5^3.txt"), "utf8");
  const lines = sound.trim().split("\n");
  const queen = lines[lines.length - 1];
  const forged = [...lines.slice(0, -1), queen.replace(/\d+$/, (last) => (Number(last) + 1) % 5)].join("\n");
  await test("a certificate that is dropped is checked and drawn", "site/check.html", async (page) => {
    await drop(page, "5^3.txt", sound);
    await said(page, "#verdict.good", "13 squares of 5^3 are an independent set");
    await page.locator(".viewer[data-ready] canvas").first().waitFor();
    await drop(page, "forged.txt", forged);
    await said(page, "#verdict.bad", "does not hold");
    await said(page, "#verdict.bad", "attack each other");
    for (const [text, words] of [["", "the file is empty"], ["<img src=x onerror=alert(1)>", "must begin with"],
      [sound.replace("5^3", "<b>5</b>"), "certificate, line 2"], [sound.replace("5^3", "file:/etc/passwd"), "board files are not opened here"],
      [sound.replace("size: 13", "size: 14"), "the file has 13 squares"]]) {
      await drop(page, "bad.txt", text);
      await said(page, "#verdict.bad", words);
    }
    assert.equal(await page.locator("main img, main b").count(), 0);
  });
  await test("certificates are chosen as files and typed", "site/check.html", async (page) => {
    await page.setInputFiles("#file", join(root, "results/archive/certificates/14^3.txt"));
    await said(page, "#verdict.good", "172 squares of 14^3 are an independent set");
    const hexagon = "ndqueens certificate 1\nboard: hex:2\nproblem: independent set\nsize: 1\norigin: a test\n0 1\n";
    await page.locator("#text").fill(hexagon);
    await page.locator("#check").click();
    await said(page, "#verdict.good", "1 square of hex:2");
    await page.locator(".viewer[data-ready]").waitFor();
  });
  await test("the book has its pages, and they are reached by keys", "site/book/index.html", async (page) => {
    await page.keyboard.press("Tab");
    assert.equal(await page.evaluate(() => document.activeElement.textContent), "To the content");
    await page.locator("main").getByRole("link", { name: "Errata of the literature" }).click();
    assert.match(await page.locator("h1").textContent(), /Errata/);
  });
  await test("every control and every picture has a name", "site/boards/d3-n5.html", async (page) => {
    await page.locator(".viewer[data-ready]").waitFor();
    const nameless = await page.evaluate(() => [...document.querySelectorAll("button, input, select, textarea, canvas, a[href]")]
      .filter((one) => !(one.textContent.trim() || one.getAttribute("aria-label") || (one.labels && one.labels.length))).map((one) => one.outerHTML));
    assert.deepEqual(nameless, []);
  });
  await test("a board is read without script", "site/boards/d3-n5.html", async (page) => {
    assert.ok(await page.locator(".drawn svg").isVisible());
    assert.ok(await page.locator(".tree").first().isVisible());
  }, { javaScriptEnabled: false });
  await test("the book has chapters, next and previous", "site/book/tutorial.html", async (page) => {
    assert.equal(await page.locator(".chapters [aria-current=page]").textContent(), "Prove your first theorem");
    await page.locator("a[rel=next]").click();
    assert.equal(await page.locator("h1").textContent(), "Install");
    await page.locator("a[rel=prev]").click();
    assert.equal(await page.locator("h1").textContent(), "Prove your first theorem");
  });
  await test("lines of the book have 70 to 80 characters", "site/book/problem.html", async (page) => {
    const lines = [];
    for (const name of ["problem", "boards", "trust", "exact"]) {
      await page.goto(at(`site/book/${name}.html`));
      lines.push(...await page.evaluate(() => [...document.querySelectorAll("main > p")].flatMap((paragraph) => {
        const walker = document.createTreeWalker(paragraph, NodeFilter.SHOW_TEXT), range = document.createRange(), counts = [];
        let last = null;
        while (walker.nextNode()) {
          for (let place = 0; place < walker.currentNode.length; place += 1) {
            range.setStart(walker.currentNode, place);
            range.setEnd(walker.currentNode, place + 1);
            const box = range.getBoundingClientRect();
            if (!box.width) continue;
            if (last === null || box.top > last + 9) counts.push(0);
            last = box.top;
            counts[counts.length - 1] += 1;
          }
        }
        return counts.slice(0, -1);
      })));
    }
    const middle = lines.sort((a, b) => a - b)[Math.floor(lines.length / 2)];
    console.log(`    ${lines.length} lines, on average ${middle} characters`);
    assert.ok(middle >= 70 && middle <= 80, `${middle} characters a line`);
  });
  await test("no page scrolls sideways, and no line breaks at a relation sign", "site/open.html", async (page) => {
    const all = readdirSync(join(pages, "site"), { recursive: true }).filter((path) => path.endsWith(".html") && !/boards.d[5-8]-n(?!5\.|20\.)/.test(path));
    const paths = [...all.map((path) => join("site", path)), "report.html", "contradictory.html", "empty.html"];
    for (const width of [390, 1400]) {
      await page.setViewportSize({ width, height: 900 });
      for (const path of paths) {
        await page.goto(at(path));
        if (await page.locator(".viewer").count() && !path.includes("colourings")) await page.locator(".viewer[data-ready]").waitFor();
        const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
        assert.ok(wide <= 0, `${path} is ${wide} pixels wider than ${width}`);
        if (width > 390) continue;
        const broken = await page.evaluate(() => {
          const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), found = [];
          while (walker.nextNode()) {
            const { data, parentElement } = walker.currentNode;
            if (!parentElement.closest("pre, noscript, script, style, svg, textarea, .runs") && /[ \n](≤|≥|=|≠|<|>)/.test(data)) found.push(data);
          }
          return found;
        });
        assert.deepEqual(broken, [], path);
      }
    }
    console.log(`    ${paths.length} pages`);
  });
  for (const colorScheme of ["light", "dark"]) {
    for (const width of [390, 1400]) {
      await test(`axe-core has no finding, ${colorScheme}, ${width} pixels`, "site/index.html", async (page) => {
        const paths = ["index", "boards/d3-n5", "boards/d4-n7", "boards/d3-n14", "boards/d6-n20", "book/index", "book/problem", "book/howto", "open", "new",
          "counts", "colourings", "check"].map((name) => `site/${name}.html`);
        for (const path of [...paths, "report.html", "contradictory.html", "empty.html"]) {
          await page.goto(at(path));
          if (path.includes("boards/") && !path.includes("d6")) await page.locator(".viewer[data-ready]").waitFor();
          if (path.includes("report")) await page.evaluate(() => document.querySelectorAll("details").forEach((one) => { one.open = true; }));
          await page.evaluate(axe);
          const { violations } = await page.evaluate(() => window.axe.run({ preload: false }));
          const words = violations.map(({ id, nodes }) => `${id}: ${nodes.slice(0, 2).map((node) => `${node.html.slice(0, 120)} ${node.failureSummary}`).join("; ")}`);
          assert.deepEqual(words, [], path);
        }
      }, { colorScheme, viewport: { width, height: 900 } });
    }
  }
  await test("plots follow the dark mode", "report.html", async (page) => {
    const ink = () => page.locator("figure.chart svg text").first().evaluate((text) => getComputedStyle(text).fill);
    const paper = () => page.locator("figure.chart svg > rect").first().evaluate((rect) => getComputedStyle(rect).fill);
    const light = [await ink(), await paper()];
    await page.emulateMedia({ colorScheme: "dark" });
    assert.deepEqual([await ink(), await paper()], ["rgb(232, 232, 230)", "rgb(22, 24, 27)"]);
    assert.notDeepEqual([await ink(), await paper()], light);
  });

  if (mode === "--screenshots") {
    const pictures = join(root, "docs/screenshots");
    mkdirSync(pictures, { recursive: true });
    const shoot = async (name, path, size, prepare, options = {}) => {
      const page = await open(path, { viewport: size, ...options });
      if (prepare) await prepare(page);
      await page.waitForTimeout(300);
      writeFileSync(join(pictures, `${name}.png`), await page.screenshot());
      await page.context().close();
    };
    await shoot("report", "report.html", { width: 1000, height: 760 }, (page) => page.evaluate(() => document.getElementById("e2").scrollIntoView()));
    await shoot("site", "site/index.html", { width: 1400, height: 1000 });
    await shoot("site-dark", "site/index.html", { width: 1400, height: 1000 }, (page) => page.locator(".map a[href='boards/d3-n14.html']").hover(), { colorScheme: "dark" });
    await shoot("site-telephone", "site/index.html", { width: 390, height: 844 }, (page) => page.locator(".map").evaluate((map) => map.scrollIntoView()));
    await shoot("open", "site/open.html", { width: 1400, height: 800 });
    await shoot("book", "site/book/problem.html", { width: 1400, height: 800 });
    await shoot("plot", "report.html", { width: 900, height: 520 }, async (page) => {
      const chart = page.locator("#e2 figure.chart").nth(1);
      for (let step = 0; step < 4; step += 1) await chart.locator("svg").press("ArrowRight");
      await chart.evaluate((figure) => {
        document.activeElement.blur();
        window.scrollTo(0, figure.getBoundingClientRect().top + window.scrollY - 20);
      });
    }, { colorScheme: "dark" });
    await shoot("board", "site/boards/d3-n5.html", { width: 1000, height: 720 }, async (page) => {
      await page.locator(".viewer[data-ready]").waitFor();
      for (let step = 0; step < 2; step += 1) await page.locator("canvas").first().press("ArrowRight");
      await page.evaluate(() => {
        document.activeElement.blur();
        window.scrollTo(0, 0);
      });
    });
    await shoot("board-four", "site/boards/d4-n7.html", { width: 1000, height: 900 }, (page) => page.locator(".viewer[data-ready]").waitFor());
    await shoot("check", "site/check.html", { width: 900, height: 860 }, async (page) => {
      await drop(page, "forged.txt", forged);
      await page.locator(".viewer[data-ready]").waitFor();
    }, { colorScheme: "dark" });
  }
  await browser.close();
  faults.forEach((fault) => console.log(`fault: ${fault}`));
  console.log(`${passed} passed, ${faults.length} failed`);
  process.exitCode = faults.length ? 1 : 0;
};
main().catch((fault) => {
  console.error(fault);
  process.exit(1);
});
