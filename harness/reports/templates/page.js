"use strict";
{
  const $ = (id) => document.getElementById(id);
  const data = JSON.parse($("data").textContent);
  const WORDS = { k: "killed", c: "killed as claimed", p: "passed", m: "claimed, but passed", "-": "not run" };
  const ROW = 20, BEYOND = 12;
  const make = (tag, text, attributes = {}) => {
    const element = document.createElement(tag);
    if (text) element.textContent = text;
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    return element;
  };

  // --- the matrix: only the rows that can be seen are in the document
  const port = $("window"), table = port.querySelector("table");
  const [head, body] = [table.tHead, table.tBodies[0]];
  const kills = (row) => row.replace(/[^kc]/g, "").length;
  let rows = data.mutants.map((_, index) => index);
  let columns = data.tests.map((_, index) => index);
  let chosen = [0, 0], drawn = "";

  const killed = data.tests.map((_, test) => data.mutants.filter((one) => "kc".includes(one[2][test])).length);
  const ORDERS = {
    listed: () => 0,
    kills: (a, b) => kills(data.mutants[b][2]) - kills(data.mutants[a][2]),
    missed: (a, b) => data.mutants[b][2].split("m").length - data.mutants[a][2].split("m").length,
    status: (a, b) => (data.mutants[a][1] < data.mutants[b][1] ? -1 : data.mutants[a][1] > data.mutants[b][1] ? 1 : 0),
    time: (a, b) => data.mutants[b][3] - data.mutants[a][3],
  };

  const drawHead = () => {
    const row = make("tr");
    row.append(make("th", "mutant", { scope: "col" }));
    for (const test of columns) {
      const cell = make("th", "", { scope: "col" });
      cell.append(make("button", data.tests[test].replace(/^test_/, ""), { type: "button", title: `${data.tests[test]}: ${killed[test]} kills`, "data-test": test }));
      row.append(cell);
    }
    head.replaceChildren(row);
    table.setAttribute("aria-rowcount", rows.length + 1);
    table.setAttribute("aria-colcount", columns.length + 1);
  };

  const spacer = (count) => {
    const row = make("tr", "", { "aria-hidden": "true" });
    const cell = make("td", "", { colspan: columns.length + 1 });
    cell.style.height = `${count * ROW}px`;
    row.append(cell);
    return row;
  };

  const draw = () => {
    const first = Math.max(0, Math.floor(port.scrollTop / ROW) - BEYOND);
    const last = Math.min(rows.length, first + Math.ceil(port.clientHeight / ROW) + 2 * BEYOND);
    const state = [first, last, ...chosen].join();
    if (state === drawn) return;
    drawn = state;
    const shown = [];
    if (first) shown.push(spacer(first));
    for (let index = first; index < last; index += 1) {
      const one = data.mutants[rows[index]];
      const row = make("tr", "", { "aria-rowindex": index + 2 });
      row.append(make("th", one[0], { scope: "row", title: `${one[0]}: ${one[1]}`, class: `v-${one[1]}` }));
      columns.forEach((test, column) => {
        const letter = one[2][test];
        const cell = make("td", letter === "-" ? "" : letter, { class: letter === "-" ? "" : letter, "data-at": `${index},${column}` });
        if (index === chosen[0] && column === chosen[1]) {
          cell.id = "here";
          cell.classList.add("here");
        }
        row.append(cell);
      });
      shown.push(row);
    }
    if (last < rows.length) shown.push(spacer(rows.length - last));
    body.replaceChildren(...shown);
    if ($("here")) table.setAttribute("aria-activedescendant", "here");
    else table.removeAttribute("aria-activedescendant");
  };

  const say = () => {
    const one = data.mutants[rows[chosen[0]]], test = data.tests[columns[chosen[1]]];
    if (!one || test === undefined) return;
    const link = make("a", one[0], { href: `#m${rows[chosen[0]]}` });
    $("cell").replaceChildren(link, ` ${one[1]}, ${test}: ${WORDS[one[2][columns[chosen[1]]]]}`);
  };

  const choose = (row, column) => {
    chosen = [Math.min(Math.max(row, 0), rows.length - 1), Math.min(Math.max(column, 0), columns.length - 1)];
    const top = chosen[0] * ROW, high = head.offsetHeight;
    if (top < port.scrollTop) port.scrollTop = top;
    else if (top + ROW + high > port.scrollTop + port.clientHeight) port.scrollTop = top + ROW + high - port.clientHeight;
    draw();
    say();
    const cell = $("here");
    if (cell) {
      const side = cell.offsetLeft - head.rows[0].cells[0].offsetWidth;
      if (side < port.scrollLeft) port.scrollLeft = side;
      else if (cell.offsetLeft + ROW > port.scrollLeft + port.clientWidth) port.scrollLeft = cell.offsetLeft + ROW - port.clientWidth;
    }
  };

  const sorted = (order) => data.mutants.map((_, index) => index).sort(order);
  const redraw = () => { drawHead(); drawn = ""; port.scrollTop = 0; choose(0, 0); };

  if (data.mutants.length && data.tests.length) {
    $("grid").hidden = false;
    drawHead();
    draw();
    port.addEventListener("scroll", () => requestAnimationFrame(draw), { passive: true });
    addEventListener("resize", () => { drawn = ""; draw(); });
    body.addEventListener("click", (event) => {
      const cell = event.target.closest("td[data-at]");
      if (cell) choose(...cell.dataset.at.split(",").map(Number));
    });
    head.addEventListener("click", (event) => {
      const button = event.target.closest("button");
      if (!button) return;
      const test = Number(button.dataset.test), rank = (index) => "ckmp-".indexOf(data.mutants[index][2][test]);
      rows = sorted((a, b) => rank(a) - rank(b));
      redraw();
    });
    table.addEventListener("keydown", (event) => {
      if (event.target !== table) return;
      const [row, column] = chosen, page = Math.floor(port.clientHeight / ROW);
      const to = { ArrowUp: [row - 1, column], ArrowDown: [row + 1, column], ArrowLeft: [row, column - 1], ArrowRight: [row, column + 1], PageUp: [row - page, column], PageDown: [row + page, column], Home: [row, 0], End: [row, columns.length - 1] }[event.key];
      if (to) { event.preventDefault(); choose(...to); }
      if (event.key === "Enter") $("cell").querySelector("a")?.click();
    });
    $("rows").addEventListener("change", (event) => { rows = sorted(ORDERS[event.target.value]); redraw(); });
    $("columns").addEventListener("change", (event) => {
      columns = data.tests.map((_, index) => index);
      if (event.target.value === "kills") columns.sort((a, b) => killed[b] - killed[a]);
      redraw();
    });
  }

  // --- the list of mutants
  const filter = $("filter"), mutants = [...document.querySelectorAll("#list > details")];
  let bucket = "";
  const narrow = () => {
    const status = $("status").value, words = $("words").value.toLowerCase();
    let shown = 0;
    for (const one of mutants) {
      const fits = (!status || one.dataset.s === status) && (!bucket || one.dataset.b === bucket) && (!words || one.textContent.toLowerCase().includes(words));
      one.hidden = !fits;
      shown += fits;
    }
    $("shown").textContent = `${shown} of ${mutants.length}`;
  };
  filter.hidden = false;
  filter.addEventListener("input", narrow);
  filter.addEventListener("submit", (event) => event.preventDefault());
  filter.addEventListener("reset", () => { bucket = ""; setTimeout(narrow); });
  for (const bar of document.querySelectorAll("a[data-bucket]")) {
    bar.addEventListener("click", () => { bucket = bar.dataset.bucket; narrow(); });
  }
  narrow();

  // --- a link to a mutant opens it
  const open = () => {
    const target = /^#m\d+$/.test(location.hash) && $(location.hash.slice(1));
    if (!target) return;
    const details = target.closest("details");
    if (details.hidden) filter.reset();
    details.hidden = false;
    details.open = true;
    target.scrollIntoView({ block: "start" });
    details.querySelector("summary").focus({ preventScroll: true });
  };
  addEventListener("hashchange", open);
  open();
}
