/* The page: one state, and what each click and key does to it; `refresh` draws picture, outline and details from it. */
(function (view) {
  "use strict";

  const get = (id) => document.getElementById(id);
  const model = view.build(view.read());
  const state = view.newState();
  const READABLE = view.READABLE;
  const narrow = window.matchMedia("(max-width: 800px)");

  state.plan = model.plan;
  state.planOnly = Boolean(model.plan?.nodes.size);

  const on = { select, toggle, more, selectEdge, reveal, showInGraph, openBelow, ego, step: planStep, planOnly };
  const cy = view.createCanvas(get("canvas"), on);
  const outline = view.createOutline(get("tree"), on);
  const details = view.createDetails(get("details"), model, on);
  const plan = model.plan && view.createPlan(get("plan"), model.plan, on);
  view.createSearch(get("search"), get("found"), get("hits"), get("hit-count"), model, { choose, said });

  function refresh(sight) {
    const before = sight && sight.stay ? cy.$id(sight.stay.id).renderedPosition() : null;
    const nodes = view.draw(cy, model, state);
    outline.draw(model, state);
    showDetails();
    get("ego").hidden = !state.ego;
    if (state.ego) get("ego-name").textContent = view.nameOf(state.ego);
    get("empty").hidden = nodes.length > 0;
    if (before) {
      const after = cy.$id(sight.stay.id).renderedPosition();
      if (after) cy.panBy({ x: before.x - after.x, y: before.y - after.y });
      view.bringIntoSight(cy, [
        sight.stay,
        ...(state.open.has(sight.stay) ? view.shownOf(sight.stay, state).map((call) => call.node) : []),
      ]);
    } else if (sight && sight.find) view.bringIntoSight(cy, [sight.find]);
    else view.showAll(cy, state.planOnly ? 0.7 : READABLE);
    const drawn = nodes.filter((node) => node.label !== "Group").length;
    said(
      `${drawn.toLocaleString("en")} of ${view.plural(model.nodes.length, "node")} shown${state.match ? `, ${state.match.size.toLocaleString("en")} pass the filter` : ""}`,
    );
  }

  function showDetails() {
    document.body.classList.toggle("chosen", Boolean(state.selected || state.edge));
    details.show(state);
  }

  function said(text) {
    get("status").textContent = text;
  }

  /* -- what is chosen and what is open ------------------------------------------------------------------------------ */

  function select(node) {
    state.selected = node;
    state.edge = null;
    state.step = null;
    plan?.mark(state);
    view.mark(cy, state);
    outline.mark(state, true);
    showDetails();
  }

  function selectEdge(edge) {
    select(null);
    state.edge = edge;
    view.mark(cy, state);
    showDetails();
  }

  function toggle(node) {
    if (!view.childrenOf(node, state).length) return;
    leavePlan();
    if (state.open.has(node)) state.open.delete(node);
    else state.open.add(node);
    refresh({ stay: node });
  }

  function more(node) {
    view.showMore(node, state);
    refresh({ stay: node });
  }

  function reveal(node) {
    if (state.keep && !state.keep.has(node)) get("filters").querySelector("form").reset();
    if (state.ego && !view.visible(model, state).nodes.includes(node)) state.ego = null;
    if (!state.plan?.nodes.has(node)) leavePlan();
    view.reveal(node, state);
    state.selected = node;
    state.edge = null;
    state.step = null;
    plan?.mark(state);
    refresh({ find: node });
    outline.mark(state, true);
  }

  function showInGraph(node) {
    pane("graph");
    reveal(node);
  }

  function choose(node) {
    reveal(node);
    if (narrow.matches) pane("details");
  }

  function openBelow(node) {
    leavePlan();
    const whole = view.openBelow(node, state);
    refresh({ stay: node });
    if (!whole) said(`Opened as far as ${view.AT_MOST} nodes; open single nodes to go on.`);
  }

  /* -- the plan ----------------------------------------------------------------------------------------------------- */

  function planStep(step) {
    const again = state.step === step;
    select(null);
    state.step = again ? null : step;
    if (state.step && !step.path.every((node) => cy.$id(node.id).length)) {
      state.ego = null;
      view.revealPlan(state);
      refresh({ find: step.path.at(-1) });
    }
    plan.mark(state);
    view.mark(cy, state);
    if (state.step) view.bringIntoSight(cy, [step.path.at(-1)]);
  }

  function planOnly() {
    if (state.planOnly) leavePlan();
    else state.planOnly = true;
    state.ego = null;
    refresh();
    plan.mark(state);
  }

  /* To the whole graph, the plan shown in it. */
  function leavePlan() {
    if (!state.planOnly) return;
    state.planOnly = false;
    view.revealPlan(state);
    plan.mark(state);
  }

  function ego(node) {
    state.ego = node;
    state.selected = node;
    pane("graph");
    refresh();
    view.bringIntoSight(cy, [node, ...view.childrenOf(node, state).map((call) => call.node)]);
  }

  get("open-level").addEventListener("click", () => {
    leavePlan();
    const opened = view.openLevel(model, state);
    refresh();
    if (opened === "all") said("Everything is open.");
    if (opened === "over") said(`A whole level more would be over ${view.AT_MOST} nodes: open single ones, or filter.`);
  });
  get("close-all").addEventListener("click", () => {
    leavePlan();
    view.closeAll(state);
    refresh();
  });
  get("ego-off").addEventListener("click", () => {
    const node = state.ego;
    state.ego = null;
    if (node) reveal(node);
  });
  get("ego-depth").addEventListener("change", (event) => {
    state.egoDepth = Number(event.target.value);
    refresh();
  });

  /* -- filter --------------------------------------------------------------------------------------------------------- */

  const form = get("filters").querySelector("form");
  const options = (id, values) =>
    get(id).append(...values.map(([value, text]) => view.element("option", { value }, text)));
  const named = (label) =>
    model.nodes
      .filter((node) => node.label === label)
      .map((node) => [node.key, node.name])
      .sort((a, b) => view.compare(a[1], b[1]));
  options("filter-domain", named("Domain"));
  options("filter-site", named("Site"));
  options(
    "filter-status",
    [...new Set(model.nodes.map((node) => node.properties.status).filter(Boolean))].sort().map((each) => [each, each]),
  );
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("input", readFilter);
  form.addEventListener("reset", () => {
    form.querySelectorAll("select").forEach((each) => {
      each.value = "";
    });
    get("filter-uses").value = "0";
    readFilter();
  });

  const shut = () => {
    get("filters").open = false;
  };
  document.addEventListener("pointerdown", (event) => {
    if (!get("filters").contains(event.target)) shut();
  });
  get("filters").addEventListener("keydown", (event) => {
    if (event.key === "Escape") {
      shut();
      get("filters").querySelector("summary").focus();
    }
  });

  function readFilter() {
    state.filter = {
      domain: get("filter-domain").value,
      site: get("filter-site").value,
      status: get("filter-status").value,
      uses: Number(get("filter-uses").value) || 0,
    };
    state.lines = { SPECIALIZES: get("lines-specializes").checked, NEXT: get("lines-next").checked };
    leavePlan();
    view.applyFilter(model, state);
    view.revealMatches(state);
    const count = Object.values(state.filter).filter(Boolean).length;
    get("filter-note").textContent = count ? `(${count} on)` : "";
    refresh();
  }

  /* -- panes, zoom and keys ------------------------------------------------------------------------------------------- */

  function pane(name) {
    document.body.dataset.pane = name;
    for (const button of document.querySelectorAll("nav.panes button"))
      button.setAttribute("aria-pressed", String(button.dataset.pane === name));
    cy.resize();
  }

  document.querySelector("nav.panes").addEventListener("click", (event) => {
    const name = event.target.dataset.pane;
    if (!name) return;
    pane(name);
    if (name === "graph") {
      if (state.selected) view.bringIntoSight(cy, [state.selected]);
      else view.showAll(cy, READABLE);
    }
  });

  function outlined(yes) {
    get("outline-toggle").setAttribute("aria-pressed", String(yes));
    document.body.classList.toggle("no-outline", !yes);
    cy.resize();
  }
  get("outline-toggle").addEventListener("click", (event) =>
    outlined(event.target.getAttribute("aria-pressed") !== "true"),
  );

  const zoom = (factor) =>
    cy.zoom({ level: cy.zoom() * factor, renderedPosition: { x: cy.width() / 2, y: cy.height() / 2 } });
  get("zoom-in").addEventListener("click", () => zoom(1.25));
  get("zoom-out").addEventListener("click", () => zoom(0.8));
  get("fit").addEventListener("click", () => view.showAll(cy));

  get("canvas").addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const here = state.selected;
    const act = {
      "+": () => zoom(1.25),
      "=": () => zoom(1.25),
      "-": () => zoom(0.8),
      0: () => view.showAll(cy),
      Escape: () => select(null),
      Enter: () => here && toggle(here),
      " ": () => here && toggle(here),
      ArrowLeft: () => step((node) => node.parents),
      ArrowRight: () => step((node) => view.childrenOf(node, state).map((call) => call.node)),
      ArrowUp: () => beside(-1),
      ArrowDown: () => beside(1),
    }[event.key];
    if (act) {
      event.preventDefault();
      act();
    }
  });

  function step(from) {
    const cards = cy.nodes(".card");
    if (!state.selected) return cards.length && go(cards[0].data("node"));
    const next = from(state.selected).find((node) => cy.$id(node.id).length);
    if (next) go(next);
  }

  function beside(way) {
    if (!state.selected || !cy.$id(state.selected.id).length) return step(() => []);
    const here = cy.$id(state.selected.id).position();
    const near = cy
      .nodes(".card")
      .filter((each) => Math.abs(each.position("x") - here.x) < 130 && (each.position("y") - here.y) * way > 1)
      .sort((one, other) => Math.abs(one.position("y") - here.y) - Math.abs(other.position("y") - here.y));
    if (near.length) go(near[0].data("node"));
  }

  function go(node) {
    select(node);
    view.bringIntoSight(cy, [node]);
    said(`${view.kindName(node)}: ${view.nameOf(node)}. ${view.meta(node)}`);
  }

  new ResizeObserver(() => cy.resize()).observe(get("canvas"));
  narrow.addEventListener("change", () => {
    cy.resize();
    view.showAll(cy, READABLE);
  });

  /* -- begin ---------------------------------------------------------------------------------------------------------- */

  const counts = model.data.counts;
  get("counts").textContent = [
    ["Domain", "domain"],
    ["Site", "site"],
    ["Task", "task"],
    ["Subtask", "subtask"],
    ["Action", "action"],
    ["Trajectory", "recording"],
  ]
    .filter(([label]) => counts[label])
    .map(([label, word]) => view.plural(counts[label], word))
    .join(" · ");
  if (model.plan) {
    document.querySelector("nav.panes [data-pane=plan]").hidden = false;
    pane("plan");
    if (window.innerWidth < 1500) outlined(false); // the way of a plan is wide
  }
  openAtFirst();
  if (state.planOnly) view.revealPlan(state);
  /* As many levels as can be read at once; where the picture does not show, domains and sites. */
  function openAtFirst() {
    const levels = cy.width() ? 9 : 2;
    for (let opened = new Set(), level = 0; level < levels; level++, opened = new Set(state.open)) {
      const more = view.openLevel(model, state, view.AT_FIRST);
      refresh();
      const box = cy.elements().boundingBox();
      const tooLarge = cy.width() && (box.w * READABLE > cy.width() || box.h * READABLE > 1.5 * cy.height());
      if (tooLarge) {
        state.open = opened;
        refresh();
      }
      if (tooLarge || more !== "opened") return;
    }
  }

  const find = (key) => model.nodes.find((node) => node.key === key);
  view.page = { model, state, cy, refresh, select, reveal, find };
})((window.graphmemView = window.graphmemView || {}));
