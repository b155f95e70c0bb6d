// What people do with the pages: sort, filter, hover, turn, step, drop certificates; with no request to a network, and no error.
"use strict";
const assert = require("node:assert/strict");
const { readFileSync, writeFileSync, mkdirSync, readdirSync } = require("node:fs");
const { join } = require("node:path");
const { pathToFileURL } = require("node:url");
const { chromium } = require("playwright-core");

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

  await test("a report says first that nothing contradicts", "report.html", async (page) => {
    assert.match(await page.locator("main h2").first().textContent(), /Verdicts and contradictions/);
    assert.match(await page.locator(".banner").first().textContent(), /No contradiction among 686 runs/);
    assert.equal(await page.locator("article").count(), 4);
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

  await test("the table of what is known leads to its boards", "site/index.html", async (page) => {
    await page.locator("tbody tr", { has: page.locator("td:first-child", { hasText: /^5$/ }) }).locator("td:nth-child(3) a").click();
    assert.equal(await page.locator("h1").textContent(), "5^3");
    assert.match(await page.locator(".banner").first().textContent(), /The maximum is 13 queens/);
    await said(page, ".said", "Checked in this browser: 13 squares of 5^3 are an independent set");
    assert.match(await page.locator("main").textContent(), /5\^3\.proof\.gz/);
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
    await page.mouse.move(box.x + 5, box.y + 5);
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
      [sound.replace("size: 13", "size: 14"), "13 squares follow"]]) {
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
    await said(page, "#verdict.good", "1 squares of hex:2");
    await page.locator(".viewer[data-ready]").waitFor();
  });
  await test("the book has its pages, and they are reached by keys", "site/book/index.html", async (page) => {
    await page.keyboard.press("Tab");
    assert.equal(await page.evaluate(() => document.activeElement.textContent), "To the content");
    await page.getByRole("link", { name: "Errata of the literature" }).click();
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
  await test("pages fit a telephone", "site/boards/d3-n5.html", async (page) => {
    for (const path of ["site/boards/d3-n5.html", "site/index.html", "site/check.html", "report.html"]) {
      await page.goto(at(path));
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
      assert.ok(wide <= 1, `${path} is ${wide} pixels wider than the window`);
    }
  }, { viewport: { width: 390, height: 800 } });
  await test("every page of the site opens without an error", "site/open.html", async (page) => {
    const all = readdirSync(join(pages, "site"), { recursive: true }).filter((path) => path.endsWith(".html") && !/boards.d[5-8]/.test(path));
    for (const path of all) {
      await page.goto(at(join("site", path)));
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
      assert.ok(wide <= 1, `${path} is ${wide} pixels wider than the window`);
    }
    console.log(`    ${all.length} pages`);
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
    await shoot("report", "report.html", { width: 900, height: 620 });
    await shoot("site", "site/index.html", { width: 900, height: 620 });
    await shoot("plot", "report.html", { width: 900, height: 440 }, async (page) => {
      const chart = page.locator("#e2 figure.chart").first();
      for (let step = 0; step < 60; step += 1) await chart.locator("svg").press("ArrowRight");
      await chart.evaluate((figure) => window.scrollTo(0, figure.getBoundingClientRect().bottom + window.scrollY - 440));
    });
    await shoot("board", "site/boards/d3-n5.html", { width: 900, height: 680 }, async (page) => {
      await page.locator(".viewer[data-ready]").waitFor();
      for (let step = 0; step < 2; step += 1) await page.locator("canvas").first().press("ArrowRight");
      await page.evaluate(() => {
        document.activeElement.blur();
        document.querySelectorAll("h2")[1].scrollIntoView();
      });
    });
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
